"""Editions that nobody has published: a changed page gives the changed data, or says what was not understood.

Each case changes the real pages of an edition as its next makers might. `invented_editions.txt` has all that is then
different from the unchanged pages' data, so that no other figure can change unseen. `invented_eighteenth.txt` has the
same of inventions of the next edition: what was understood stays, the rest is `unknown`, and what is missing is said.
`python -m tests.games.kotc.test_invented_editions` writes both anew, for you to read the difference.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from render.base.findings import Refused
from render.games.kotc.editions.differences import compare_editions, difference_as_text
from render.games.kotc.legality.legality import doubts
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.edition import Edition
from render.games.kotc.workshop.guide.importing import ImportedRules, import_pages
from render.games.kotc.workshop.guide.page_files import parse_page, read_page
from render.games.kotc.workshop.guide.pages import MarkupPage
from tests.support.eighteenth import INVENTIONS, imported_invention
from tests.support.game_pages import RULEBOOKS, pages_of, with_pages
from tests.support.page_edits import Edit, behind, everywhere, formula, moved, section, swap, within, without

HERE = Path(__file__).parent

DESTROY, PAY = "&ldquo;destroy the targets.&rdquo;", "pay <var>x</var> HP→"
DRAW = "&ldquo;draw <var>x</var> cards.&rdquo;"
HAND = "Target up to <var>x</var> cards in your hand;"
X_OVER = "<mfrac><mi>x</mi><mrow>{}</mrow></mfrac>"
WIN = (
    "<li><math><mtext>(</mtext><mrow><mn>3</mn><mi>x</mi></mrow><mtext>)</mtext></math> “win <var>x</var> times.”</li>"
)
CURSES = f"<h4>Curses</h4><p>A curse is for ever.</p><ul>{WIN}</ul>"
REWORDED = "<tr>\n                <td>this card as a resource</td>"
SLATE = "13<sup>th</sup> Edition is pruned"

Case = tuple[int, str, tuple[Edit, ...]]
"""The edition, whether the rulebook or the guide is changed, and how."""


def guide(*edits: Edit, edition: int = 17) -> Case:
    return edition, "guide", edits


def rulebook(*edits: Edit, edition: int = 17) -> Case:
    return edition, "rulebook", edits


CASES = {
    "nothing": guide(),
    # figures
    "another number": guide(formula(DESTROY, "<mn>3</mn><mi>t</mi>")),
    "another divisor": guide(formula(PAY, X_OVER.format("<mn>3</mn>"))),
    "a square": guide(formula(DRAW, "<msup><mi>x</mi><mn>2</mn></msup>")),
    "a quotient of variables": guide(
        formula("Excavate <var>x</var>", f"<mi>t</mi><mo>=</mo>{X_OVER.format('<mi>y</mi>')}")
    ),
    "a decimal": guide(formula(DESTROY, "<mn>1.5</mn><mi>t</mi>")),
    "another share of the HP": guide(swap("and one half of its HP", "and two thirds of its HP")),
    "another least level, in both sentences": guide(
        swap("less than 1, set to 1", "less than 2, set to 2"), swap("at least level 1", "at least level 2")
    ),
    "another least level, in one of two sentences": guide(swap("at least level 1", "at least level 2")),
    "another deck": rulebook(swap("40&ndash;60", "50&ndash;70")),
    "a deck of more at least than at most": rulebook(swap("40&ndash;60", "60&ndash;40")),
    "other Ultra Points in one of three sentences": rulebook(swap("no greater than 10", "no greater than 12")),
    "a new clean slate": rulebook(
        swap("13<sup>th</sup> Edition is considered", "17<sup>th</sup> Edition is considered"),
        swap(SLATE, SLATE.replace("13", "17")),
    ),
    "a clean slate that contradicts itself": rulebook(swap(SLATE, SLATE.replace("13", "14"))),
    # texts
    "a new component": guide(behind(DRAW, WIN)),
    "a component less": guide(without(DESTROY)),
    "a renamed component": guide(swap(DESTROY, "&ldquo;annihilate all the targets.&rdquo;")),
    "a component twice": guide(behind(DRAW, WIN + WIN)),
    "a component twice with different figures": guide(behind(DRAW, WIN + WIN.replace(">3<", ">4<"))),
    "a component that is crossed out": guide(
        within(
            "petrify the targets",
            r"(?s)(?<=<li>)(.*)(?=</li>)",
            "<del><math><mtext>(</mtext><mi>t</mi><mtext>)</mtext></math> “petrify the targets.”</del>",
        )
    ),
    "a component half of which is crossed out": guide(swap("petrify the targets.", "<del>petrify</del> the targets.")),
    "a limit": guide(within(PAY, "&ldquo;pay", "{<var>x</var>≤14} &ldquo;pay")),
    "a limit from below": guide(within(PAY, "&ldquo;pay", "{<var>x</var>≥2} &ldquo;pay")),
    "a fourth variable": guide(swap(PAY, "pay <var>w</var> HP→")),
    "a variable that is not marked": guide(swap(PAY, "pay x HP→")),
    "a new rewording": rulebook(
        swap(REWORDED, f"<tr><td>bury the targets</td><td>inter the targets</td></tr>{REWORDED}")
    ),
    "a rewording with another number": rulebook(
        swap(REWORDED, f"<tr><td>bury it</td><td>bury <var>x</var></td></tr>{REWORDED}")
    ),
    "a rewording in three cells": rulebook(swap(REWORDED, f"<tr><td>a</td><td>b</td><td>c</td></tr>{REWORDED}")),
    "a rewording for ever": rulebook(swap(REWORDED, f"<tr><td>bury</td><td>bury and bury</td></tr>{REWORDED}")),
    "revised Ultra Points": rulebook(
        swap(
            '<h4 id="revised-levels">',
            "<h4>Revised Ultra Points</h4><ul><li>“pay <var>x</var> HP” (17<sup>th</sup> Edition)</ul><h4>",
        )
    ),
    # kinds of numbers
    "a third number": guide(within(PAY, r"\[\+1\]", "[+1] [-2]")),
    "Ultra Points without a sign": guide(within(PAY, r"\[\+1\]", "[1]")),
    "Ultra Points less than none": guide(within(PAY, r"\[\+1\]", "[-1]")),
    "a unit in a formula": guide(formula(DESTROY, "<mn>2</mn><mi>t</mi><mi>HP</mi>")),
    "another variable of targets": guide(formula(HAND, "<mi>u</mi><mo>=</mo><mi>x</mi>")),
    "a formula of a condition": guide(
        swap(
            "<li>&ldquo;When you take damage",
            "<li><math><mtext>(</mtext><mn>1</mn><mtext>)</mtext></math> &ldquo;When you take damage",
        )
    ),
    "a factor of a condition": guide(
        swap("<li>&ldquo;When you take damage", "<li>(a = 1/2) &ldquo;When you take damage")
    ),
    # typing errors
    "a formula of a variable that the text has not": guide(formula(PAY, "<mi>y</mi>")),
    "a formula without its parenthesis": guide(within(PAY, r"<mtext>\)</mtext>", "")),
    "a formula of which nobody knows what is below the line": guide(within(PAY, "(?s)<math.*</math>", "(x/2y)")),
    "a fraction without its lower part": guide(formula(PAY, "<mfrac><mi>x</mi></mfrac>")),
    "a root": guide(formula(DRAW, "<msqrt><mi>x</mi></msqrt>")),
    "a target selection without t": guide(formula(HAND, "<mi>x</mi>")),
    "a quotation mark less": guide(swap("&ldquo;destroy the targets", "destroy the targets")),
    "a condition without its colon": guide(swap("When you take damage:", "When you take damage")),
    "a cost with a semicolon": guide(swap(PAY, "pay <var>x</var> HP;")),
    # sentences
    "a new sentence about levels": guide(
        swap(
            "<p>The level of a spell is equal",
            "<p>A level is halved on Sundays.</p><p>The level of a spell is equal",
        )
    ),
    "levels that are rounded down": guide(swap("Round the result up", "Round the result down")),
    "a new sentence about effects": guide(
        swap(
            "<p>If an effect does not follow",
            "<p>Effects of spells count twice.</p><p>If an effect does not follow",
        )
    ),
    "a new rule of decks": rulebook(
        swap(
            "<li>The total amount of Ultra Points",
            "<li>A deck must not have a card three times.</li><li>The total amount of Ultra Points",
        )
    ),
    "a deck in new words": rulebook(swap("The deck must contain", "Bring a deck of")),
    "a new element of cards": rulebook(
        swap("<li>The flavor text of the card.", "<li>The speed of the card.</li><li>The flavor text of the card.")
    ),
    # sections
    "a new section of texts": guide(section("Effects", lambda own: CURSES + own)),
    "a section by another name": guide(swap(">Activation Costs</h4>", ">Costs</h4>")),
    "an ultra section by another name": guide(swap(">Ultra Effects</h5>", ">Mega Effects</h5>")),
    "a new section about changes": rulebook(
        swap('<h4 id="revised-levels">', "<h4>Banned Names</h4><ul><li>“Thor”</ul><h4>")
    ),
    "sections in another order": guide(moved("Effects", "Activation Costs")),
    "the table of rewordings after the levels": rulebook(moved("Revised Levels", "Refurbished Card Texts")),
    "a revised text that the guide lacks": rulebook(
        swap("<li>&ldquo;silo the targets", "<li>&ldquo;silo all targets"), edition=16
    ),
    "a rule among texts in quotes": rulebook(
        swap(
            "<li>&ldquo;silo the targets&rdquo;",
            "<li>Whoever silos more draws a card</li><li>&ldquo;silo the targets&rdquo;",
        ),
        edition=16,
    ),
    # markup
    "heads of a table as cells like others": rulebook(
        swap("<th>Original Text</th>", "<td>Original Text</td>"),
        swap("<th>New Text</th>", "<td>New Text</td>"),
        edition=16,
    ),
    "a tag that another broke": rulebook(swap("of your resources</td>", "of your resources</td<del>>"), edition=16),
    "a head among the texts": guide(swap(">Effects</h4>", ">Effects</h4><head>")),
    "a variable within a word": guide(swap(DRAW, DRAW.replace("cards", "card<var>y</var>s"))),
    "a quote within a text": rulebook(
        swap("<td><var>x</var> of your resources</td>", "<td><var>x</var> of “your resources</td>"), edition=16
    ),
    "a share that is crossed out": guide(swap("one half of its HP", "<del>one half</del> of its HP")),
    "a deck that is crossed out": rulebook(swap("40&ndash;60", "<s>40&ndash;60</s>")),
    "a heading as a paragraph": guide(swap('<h4 id="effects">Effects</h4>', "<p><b>Effects</b></p>")),
    "formulas as text": guide(
        within(PAY, "(?s)<math.*</math>", "(<var>x</var>/4)"), within(HAND, "(?s)<math.*</math>", "(t = 2<i>x</i>)")
    ),
    "a square as text": guide(within(DRAW, "(?s)<math.*</math>", "(<var>x</var><sup>2</sup>)")),
    "bold texts": guide(
        swap("&ldquo;destroy the targets.&rdquo;", "<b>&ldquo;<span>destroy</span> the targets.&rdquo;</b>")
    ),
    "straight quotes": guide(everywhere("&ldquo;", '"'), everywhere("&rdquo;", '"')),
    "paragraphs in place of items": guide(
        section("Ultra Activation Conditions", lambda own: own.replace("<li", "<p").replace("</li", "</p"))
    ),
    "a table in place of a list": guide(
        section(
            "Ultra Activation Conditions",
            lambda own: (
                own.replace("<ul>", "<table>")
                .replace("</ul>", "</table>")
                .replace("<li>", "<tr><td>")
                .replace("</li>", "</td></tr>")
            ),
        )
    ),
    "capitals in headings": guide(swap(">Activation Costs</h4>", ">ACTIVATION COSTS</h4>")),
    # other editions
    "another factor in the 11th": guide(
        formula(
            "When this card is damaged, but not destroyed:",
            "<mi>a</mi><mo>=</mo><mfrac><mn>1</mn><mn>7</mn></mfrac>",
        ),
        edition=11,
    ),
    "a condition without factor in the 11th": guide(
        within("When this card is damaged, but not destroyed:", "(?s)<math.*</math>", ""), edition=11
    ),
    "another relief in the 10th": guide(
        swap("(2x) </text:span>“Draw [x] cards.”", "(3x) </text:span>“Draw [x] cards.”"), edition=10
    ),
    "a limit in the 10th": guide(
        swap("(2x) </text:span>“Draw [x] cards.”", "(2x) {x≤14} </text:span>“Draw [x] cards.”"), edition=10
    ),
    "a cost revised in another edition": rulebook(
        swap("“Draw [x] cards.” (9th Edition)", "“Draw [x] cards.” (8th Edition)"), edition=10
    ),
    "a redacted text that the rulebook forgets": rulebook(swap("*\n\n“Pay [x] hitpoints.”\n\n", ""), edition=10),
    "a text that only the rulebook redacts": rulebook(
        swap("“Pay [x] hitpoints.”", "“Pay [x] hitpoints.”\n\n*\n\n“Exhaust all targets.”"), edition=10
    ),
    "a label of redaction without crossing out": guide(
        swap("“Draw [x] cards.”</text:p>", "“Draw [x] cards.” Redacted (10th Edition)</text:p>"), edition=10
    ),
}


@cache
def published(number: int) -> tuple[MarkupPage, MarkupPage]:
    rulebook, guide = pages_of(number)
    return read_page(rulebook), read_page(guide)


def changed_pages(name: str) -> list[MarkupPage]:
    number, kind, edits = CASES[name]
    pages = []
    for own, page in zip(("rulebook", "guide"), published(number), strict=True):
        text = page.text
        for edit in edits if own == kind else ():
            text = edit(text)
        pages.append(page if text == page.text else parse_page(text, Path(own)))
    return pages


def said_of_case(name: str) -> str:
    """Return what differs from the shipped edition, what is missing, and what was doubted or refused."""
    return said_of(lambda: import_pages(changed_pages(name)), lambda _: ())


def said_of_invention(name: str) -> str:
    """Return the same, what every check warns of, and what is judged if that is not all."""
    return said_of(lambda: imported_invention(name), warnings)


def warnings(edition: Edition) -> Iterator[str]:
    yield from (f"  every check: {doubt.message}" for doubt in doubts(edition, Path("nowhere")))
    is_judged = [LevelCalculator(edition).judges(spells=spells) for spells in (False, True)]
    if not all(is_judged):
        yield f"  judged: {['nothing', 'spells', 'minions'][is_judged[0] * 2 + is_judged[1]]}"


def said_of(imports: Callable[[], ImportedRules], more: Callable[[Edition], Iterable[str]]) -> str:
    try:
        imported = imports()
    except Refused as refused:
        errors = [each for each in refused.findings if each.severity.value == "error"]
        return "\n".join(f"  refused: {each.code} {each.message.replace(f'{RULEBOOKS}/', '')}" for each in errors)
    assert bool(imported.findings) is bool(imported.edition.unknown)
    text = difference_as_text(compare_editions(unchanged(min(imported.edition.number, 17)), imported.edition), ())
    # What is missing has a stand-in, which is not written.
    lines = [line for line in text.splitlines()[1:] if line.strip().partition(": ")[0] not in imported.missing]
    lines += [f"  missing: {key}" for key in sorted(imported.missing)]
    return "\n".join([*lines, *more(imported.edition)])


@cache
def unchanged(number: int) -> Edition:
    """Return what the pages say as they are published: the shipped data, as `test_guide_import` has it."""
    return import_pages(published(number)).edition


TABLES: tuple[tuple[Path, Iterable[str], Callable[[str], str]], ...] = (
    (HERE / "invented_editions.txt", CASES, said_of_case),
    (HERE / "invented_eighteenth.txt", INVENTIONS, said_of_invention),
)


def expected(file: Path) -> dict[str, str]:
    blocks = file.read_text(encoding="utf-8").split("## ")[1:]
    return {block.partition("\n")[0]: block.partition("\n")[2].rstrip("\n") for block in blocks}


@with_pages
@pytest.mark.parametrize(
    ("file", "name", "said"), [(file, name, said) for file, names, said in TABLES for name in names]
)
def test_a_changed_page_gives_changed_data_or_says_what_is_not_understood(
    file: Path, name: str, said: Callable[[str], str]
) -> None:
    assert said(name) == expected(file)[name]


def test_every_case_is_expected() -> None:
    assert [[*expected(file)] for file, *_ in TABLES] == [[*names] for _, names, _ in TABLES]


if __name__ == "__main__":
    for file, names, said in TABLES:
        file.write_text("\n".join(f"## {name}\n{said(name)}\n" for name in names), encoding="utf-8")
