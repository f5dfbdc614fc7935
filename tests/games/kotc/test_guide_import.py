"""Importing the game's own pages: the real ones give what is shipped, and untidy HTML gives what tidy HTML does."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused, as_text
from render.games.kotc.editions import finding as editions
from render.games.kotc.editions.writing import write_edition
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.edition import (
    Component,
    DeckRules,
    Edition,
    LevelRules,
    Revision,
    Rewording,
    Role,
    Terms,
)
from render.games.kotc.model.formula import parse
from render.games.kotc.workshop.guide.importing import ImportedRules, read_pages
from render.games.kotc.workshop.guide.page_files import parse_page
from render.games.kotc.workshop.guide.pages import MarkupPage
from tests.support.familiar_sentences import FILE, fingerprints
from tests.support.game_pages import EDITIONS, RULEBOOKS, pages_of, with_pages
from tests.support.laws import costly
from tests.support.rule_pages import GUIDE, RULEBOOK, changed, write_pages
from tests.support.sets import kotc

pytestmark = pytest.mark.usefixtures("in_empty_folder")

ALL = {"hp_share", "least_of_minion_ability", "least_of_spell_ability"}


def read(rulebook: str = RULEBOOK, guide: str = GUIDE) -> ImportedRules:
    return read_pages(write_pages(rulebook, guide))


def imported(rulebook: str = RULEBOOK, guide: str = GUIDE) -> Edition:
    """Return the edition of pages of which everything is understood."""
    rules = read(rulebook, guide)
    assert (as_text(rules.findings), rules.missing) == ("", frozenset())
    return rules.edition


# --- the real pages ---


@with_pages
@pytest.mark.parametrize("number", EDITIONS)
def test_the_real_pages_give_the_shipped_data(number: int) -> None:
    rules = read_pages(pages_of(number))
    assert as_text(rules.findings) == ""
    assert write_edition(rules.edition) == (editions.SHIPPED / f"{number:02}.yaml").read_text(encoding="utf-8")
    assert rules.edition == editions.find(number)


@with_pages
def test_every_sentence_of_the_real_pages_is_familiar() -> None:
    assert FILE.read_text(encoding="ascii") == fingerprints()


@with_pages
def test_the_order_of_the_pages_makes_no_difference() -> None:
    assert read_pages(reversed(pages_of(17))).edition == editions.find(17)


@with_pages
def test_a_page_that_breaks_off_anywhere_is_refused(tmp_path: Path) -> None:
    page = (RULEBOOKS / "cardbuilding-17.html").read_text(encoding="utf-8")
    file = tmp_path / "guide.html"
    for end in range(2000, len(page) - 40, 5999):
        file.write_text(page[:end], encoding="utf-8")
        with pytest.raises(Refused):
            read_pages([RULEBOOKS / "rulebook-17.html", file])


# --- small pages ---


def test_everything_that_pages_say() -> None:
    assert imported() == Edition(
        number=18,
        terms=Terms("minion", "SP", "HP", "level"),
        deck=DeckRules(50, 70, 12),
        clean_slate=14,
        levels=LevelRules(Fraction(1, 5), 2, 0),
        rewordings=(Rewording("hurl {x} cards", "fling {x} cards"),),
        revisions=(Revision("fling the targets", 17),),
        components=(
            Component(role=Role.CONDITION, text="When you take damage"),
            Component(role=Role.COST, text="pay {x} HP", level=parse("x/3")),
            Component(role=Role.TARGET, text="Target {x} cards", level=parse("x")),
            Component(role=Role.EFFECT, text="fling the targets", level=parse("2t")),
            Component(role=Role.EFFECT, text="win {x} times", level=parse("x"), ultra_points=2),
        ),
    )


@pytest.mark.parametrize(
    "row",
    [
        "<tr><td>a</td><td>b</td></tr>",
        "<tr><td>a</td><td>b</td>",
        "<tr><td>a<td>b",
        "<td>a</td><td>b</td>",
        "<tr>\n</tr>\n<td>a</td>\n<td>b</td>\n",
        "<tbody><tr><td><b>a</b></td><td>\n b <!-- c --></td></tr></tbody>",
        "<!-- <tr><td>c</td><td>d</td></tr> --><tr><td>a</td><td>b</td></tr>",
    ],
)
def test_a_row_may_be_closed_as_html_allows(row: str) -> None:
    page = changed(RULEBOOK, ("<tr><td>hurl", f"{row}\n<tr><td>hurl"))
    assert imported(page).rewordings == (Rewording("a", "b"), Rewording("hurl {x} cards", "fling {x} cards"))


def test_an_old_text_keeps_what_is_deleted_and_a_new_one_what_is_inserted() -> None:
    row = "<tr><td>Exhaust <del>cards</del>.</td><td>Exhaust <ins>creatures of <var>x</var></ins>.</td></tr>"
    page = changed(RULEBOOK, ("<tr><td>hurl", f"{row.replace('Exhaust', 'Exhaust <var>x</var>')}<tr><td>hurl"))
    assert imported(page).rewordings[0] == Rewording("Exhaust {x} cards.", "Exhaust {x} creatures of {x}.")


def test_a_section_in_a_comment_does_not_count() -> None:
    page = changed(GUIDE, ("<h5>Ultra Effects</h5>", "<!-- <h5>Ultra Effects</h5>"), ("times.&rdquo;\n</ul>", "-->"))
    assert len(imported(guide=page).components) == 4


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("“Draw <var>x</var> cards.” (9<sup>th</sup> Edition)", "Draw {x} cards."),
        ("&ldquo;Draw <var>x</var> cards.&rdquo;", "Draw {x} cards."),
        ('"Draw <var>x</var> cards."', "Draw {x} cards."),
        ("Negate an opponent’s\n  attack.", "Negate an opponent's attack."),
        ("Negate&nbsp;an attack -&gt; <em>now</em>", "Negate an attack → now"),
    ],
)
def test_a_redacted_text_is_printed_in_many_ways(item: str, text: str) -> None:
    section = f"<h4>Redacted Card Texts</h4><ul><li>{item}</ul><h4>Revised Levels</h4>"
    assert imported(changed(RULEBOOK, ("<h4>Revised Levels</h4>", section))).redacted == (text,)


def test_revised_ultra_points_are_kept_apart_from_revised_levels() -> None:
    page = changed(RULEBOOK, ("<h4>Revised Levels</h4>", "<h4>Revised Ultra Points</h4>"))
    assert imported(page).ultra_revisions == (Revision("fling the targets", 17),)
    assert imported(page).revisions == ()


@pytest.mark.parametrize(
    ("mathml", "formula"),
    [
        ("<mi>x</mi>", "x"),
        ("<mrow><mn>2</mn><mi>x</mi></mrow>", "2x"),
        ("<mrow><mn>2</mn><mo>&#x2062;</mo><mi>x</mi></mrow>", "2x"),
        ("<mfrac><mrow><mn>3</mn><mo>·</mo><mi>x</mi></mrow><mrow><mn>10</mn></mrow></mfrac>", "3x/10"),
        ("<mfrac><mrow><mi>x</mi><mo>+</mo><mn>4</mn></mrow><mn>5</mn></mfrac>", "(x + 4)/5"),
        ("<mi>x</mi><mo>+</mo><mfrac><mn>4</mn><mn>5</mn></mfrac><mi>x</mi>", "9x/5"),
        ("<mi>x</mi><mo>−</mo><mn>1</mn>", "x - 1"),
    ],
)
def test_formulas_in_mathml(mathml: str, formula: str) -> None:
    page = changed(GUIDE, ("<mfrac><mi>x</mi><mn>3</mn></mfrac>", mathml))
    assert imported(guide=page).components[1].level == parse(formula)


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        ("&#x2062;", "the formula `(2·q)` is not understood: `q` is no variable: they are `a`, `x`, `y`, `z` and `t`"),
        ("&#x2061;", "the formula `(2 q)` is not understood: U+2061, which cannot be seen, has no place in a formula"),
        ("&#x2063;", "the formula `(2,q)` is not understood: U+2063, which cannot be seen, has no place in a formula"),
        ("&#x2064;", "the formula `(2+q)` is not understood: U+2064, which cannot be seen, has no place in a formula"),
    ],
)
def test_an_invisible_sign_of_a_formula_is_shown_in_what_is_said_of_it(sign: str, said: str) -> None:
    mathml = f"<mrow><mn>2</mn><mo>{sign}</mo><mi>q</mi></mrow>"
    findings = read(guide=changed(GUIDE, ("<mfrac><mi>x</mi><mn>3</mn></mfrac>", mathml))).findings
    assert [finding.message for finding in findings] == [said]
    assert "\ufffd" not in as_text(findings)


@pytest.mark.parametrize(
    ("words", "share"),
    [("one half", Fraction(1, 2)), ("one third", Fraction(1, 3)), ("two fifths", Fraction(2, 5))],
)
def test_the_share_of_the_hp_is_read_from_the_sentence(words: str, share: Fraction) -> None:
    levels = imported(guide=changed(GUIDE, ("one fifth", words))).levels
    assert levels is not None
    assert levels.hp_share == share


def test_what_people_filled_in_is_kept_when_the_pages_are_imported_again() -> None:
    pages = [str(page) for page in write_pages(RULEBOOK, GUIDE)]
    assert kotc("edition", "import", *pages).exit_code == 0
    (file,) = Path("editions").iterdir()
    filled_in = f"{file.read_text(encoding='utf-8')}# by hand\n"
    file.write_text(filled_in, encoding="utf-8")
    old = file.with_name(f"{file.name}.old")
    assert f"  the file that was there is now {old}\n" in kotc("edition", "import", *pages).stderr
    assert old.read_text(encoding="utf-8") == filled_in
    # Pages that say the same once more do not touch what was kept.
    assert ".old" not in kotc("edition", "import", *pages).stderr
    before = old.read_bytes()
    file.write_text("filled in anew", encoding="utf-8")
    assert f"the file that was there is now {old}2\n" in kotc("edition", "import", *pages).stderr
    assert (old.read_bytes(), Path(f"{old}2").read_bytes()) == (before, b"filled in anew")
    assert old.read_text(encoding="utf-8") == filled_in


def test_without_the_guide_there_are_no_components_and_no_levels() -> None:
    edition = read_pages(write_pages()[:1]).edition
    assert (edition.components, edition.levels, edition.deck.ultra_points) == ((), None, 12)


# --- what was understood stays ---

TYPES = (
    "2 types of cards in Keeper of the Cards: minions, and spells.",
    "3 types of cards: minions, spells, and relics.",
)


@pytest.mark.parametrize(
    ("rulebook", "guide", "levels", "missing"),
    [
        ((), (("one fifth", "some part"),), {"least_of_minion_ability", "least_of_spell_ability"}, set()),
        ((), (("Round the\nresult up", "Round the\nresult"),), {"hp_share"}, set()),
        ((), (("ability\nand its level is less than 2, set to 2", "ability\nit is at least 2"),), {"hp_share", "least_of_spell_ability"}, set()),
        ((), (("</p>\n<h3>Card Texts", "</p><p>A level may be halved.</p>\n<h3>Card Texts"),), ALL, set()),
        ((("must contain 50&ndash;70", "must contain many"),), (), ALL, {"deck.cards"}),
        ((("<abbr>SP</abbr>", "<abbr>ATK</abbr>"),), (), ALL, {"terms.sp"}),
        ((("The level of the card", "The rank of the card"),), (), ALL, {"terms.level"}),
    ],
)  # fmt: skip
def test_one_sentence_that_is_not_understood_costs_no_other(
    rulebook: tuple[tuple[str, str], ...], guide: tuple[tuple[str, str], ...], levels: set[str], missing: set[str]
) -> None:
    rules = read(changed(RULEBOOK, *rulebook), changed(GUIDE, *guide))
    whole, edition = imported(), rules.edition
    assert edition.unknown
    assert edition.levels is not None
    assert whole.levels is not None
    assert ALL - edition.levels.missing == levels
    assert all(getattr(edition.levels, name) == getattr(whole.levels, name) for name in levels)
    assert rules.missing == missing
    written = write_edition(edition, rules.missing)
    assert [line in written for line in ("sp: SP", "hp: HP", "ultra_points: 12")] == [
        "terms.sp" not in missing,
        True,
        True,
    ]


@pytest.mark.parametrize(("sentence", "kind"), [
    ("Relics have HP, and any number of abilities.", "relic"),
    ("To determine the level of a relic, add together one third of its HP and 2.", "relic"),
    ("Relics have all levels of minions.", ""),
    ("A level is 1 less beside a relic.", ""),
])  # fmt: skip
def test_sentences_about_a_new_kind_of_card_alone_put_no_other_in_doubt(sentence: str, kind: str) -> None:
    guide = changed(GUIDE, ("<h3>Card Texts", f"<p>{sentence}</p><h3>Card Texts"))
    rules = read(changed(RULEBOOK, TYPES), guide)
    of_types, of_levels = rules.edition.unknown
    assert (of_types.section, of_types.kind, of_levels.section) == ("terms", "relic", "levels")
    assert (of_levels.words, of_levels.kind) == (sentence, kind)
    assert LevelCalculator(rules.edition).judges(spells=False) is bool(kind)
    assert rules.edition.terms == imported().terms


# --- trees ---

TAGS = "table tr td th ul li p div b i h4 main math mfrac mi br img script".split()
PIECES = st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["<!-- -->", "&ldquo;", "&amp"])
SOUPS = st.lists(PIECES | st.text(alphabet="ab<>&\"'- \n", max_size=4), max_size=40).map("".join)


def tree(html: str) -> MarkupPage | None:
    try:
        return parse_page(f"<!DOCTYPE html>{html}", Path("page.html"))
    except Refused:
        return None


@given(SOUPS)
def test_any_soup_is_a_tree_or_refused_and_places_are_in_order(soup: str) -> None:
    page = tree(soup)
    if page is not None:
        words = list(page.root.words())
        assert all(one.end <= other.start for one, other in pairwise(words))
        assert all(element.start <= element.end for element in page.root.elements())
        for element in page.root.elements():
            assert page.span(element).line >= 1


@costly
@given(SOUPS)
def test_any_soup_within_the_pages_is_read_or_refused(soup: str) -> None:
    for page, other in ((RULEBOOK, GUIDE), (GUIDE, RULEBOOK)):
        files = write_pages(page.replace("</ul>", f"{soup}</ul>"), other)
        try:
            edition = read_pages(files).edition
        except Refused as refused:
            assert refused.findings
        else:
            assert edition.number == 18


def test_rows_cells_and_items_close_each_other() -> None:
    page = parse_page("<table><tr><td>a<td>b<tr><td>c</table><ul><li>d<ul><li>e</ul><li>f</ul>", Path("p.html"))
    names = [(element.name, "".join(each.text for each in element.words())) for element in page.root.elements()]
    assert names[1:] == [
        ("table", "abc"), ("tr", "ab"), ("td", "a"), ("td", "b"), ("tr", "c"), ("td", "c"),
        ("ul", "def"), ("li", "de"), ("ul", "e"), ("li", "e"), ("li", "f"),
    ]  # fmt: skip
