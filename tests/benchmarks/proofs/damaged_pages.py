"""Pages of the game, damaged: `python tests/benchmarks/prove.py damaged_pages [--count N] [--seed S]`.

Each case damages one page of an edition in one to three places, as bad copies, wrong clicks and malice do, and imports
it with the other page. Nothing may escape but a refusal, and nothing may take long. The oracle is `page_witness`, a
second reader that shares nothing with the importer:

* What is imported must be said by the damaged page: every text with just that figure, Ultra Points and limits, below
  the heading of its list; every rewording, redaction and revision; deck, clean slate, levels.
* If the importer says nothing, it must also be all that the damaged page says: what the witness finds and the import
  lacks was lost unsaid.

So a figure that the damage changed is taken only as the page now has it, and one that it made unreadable is said.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from proofs.page_witness import POINTS, Text, Witness, plain, witness
from render.base.findings import Refused
from render.games.kotc.editions.writing import level_values
from render.games.kotc.model.edition import Component, Edition
from render.games.kotc.workshop.guide.importing import ImportedRules, import_pages
from render.games.kotc.workshop.guide.page_files import parse_page, read_page
from render.games.kotc.workshop.guide.pages import MarkupPage
from tests.support.game_pages import EDITIONS, pages_of

SECONDS = 10.0  # of one import, which takes a tenth of a second: a busy machine is no fault

_PARTS = {
    2: "half",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
    10: "tenth",
}


@dataclass(frozen=True, slots=True)
class Damaged:
    """A case: the edition, whether its rulebook (0) or its guide (1) is damaged, and its text then."""

    number: int
    index: int
    text: str
    how: str


@cache
def published(number: int) -> tuple[MarkupPage, MarkupPage]:
    """Return rulebook and guide of an edition as they are."""
    rulebook, guide = pages_of(number)
    return read_page(rulebook), read_page(guide)


@cache
def _witness(number: int, index: int) -> Witness:
    return witness(published(number)[index].text, number)


@cache
def _before(number: int) -> Edition:
    """Return what the pages of an edition say as they are published."""
    return import_pages(published(number)).edition


@cache
def _prose(number: int) -> frozenset[Text]:
    """Return the quotes in the running text of a guide, which are no components."""
    return frozenset(_witness(number, 1).texts - _texts(_before(number)))


def cases(seed: int) -> Iterator[Damaged]:
    """Yield cases without end, the same ones for the same seed."""
    chance = random.Random(seed)
    while True:
        number, index = chance.choice(EDITIONS), chance.choice((0, 1, 1))
        text, how = published(number)[index].text, []
        for _ in range(chance.choice((1, 1, 2, 3))):
            damage = chance.choice(DAMAGES)
            text = damage(text, chance)
            how.append(damage.__name__.strip("_"))
        yield Damaged(number, index, text, " ".join(how))


# --- damages --------------------------------------------------------------------------------------------------------

_PIECES = (
    "<", ">", "</", "&", "&lt;", "&quot;", "“", "”", '"', "{x≤3} ", "{", "}", "[x]", "[+1] ", "[", "]", "(2x) ", "(",
    ")", "<li>", "</li>", "<ul>", "</ul>", "<td>", "<tr>", "</table>", "<p>", "</p>", "<h4>Effects</h4>", "<h4>",
    "</h4>", "<!--", "-->", "<math>", "</math>", "<mn>7</mn>", "<mi>y</mi>", "<mfrac>", "<var>y</var>", "<del>",
    "<sup>2</sup>", "</del>", "<script>", "<b>", "</main>", "</html>", "7", "0", "-", "–", ".", ":", ";", "→", "x", "y",
    "t", "\u200b", "\u2062", "\n", "\n\n", "*\n\n", "- ", " ", "\0", "\t", "\u00b2", "\u00bd", "\u0663", "&#49;",
    "&frac12;", "<text:s/>", "Redacted (9th Edition)",
)  # fmt: skip
_TAGS = (
    "li",
    "p",
    "td",
    "th",
    "tr",
    "ul",
    "h4",
    "h5",
    "math",
    "mn",
    "mi",
    "mo",
    "mfrac",
    "mrow",
    "var",
    "text:p",
    "text:span",
)


def _place(text: str, chance: random.Random) -> int:
    """Return a place, more often one near a figure or a text of a card than anywhere."""
    words = chance.choice(
        ("", "<mn>", "<mi>", "“", "&ldquo;", "[x]", "<var>", "<td>", "<h4", "of its", "set to", "deck")
    )
    count = text.count(words) if words else 0
    if not count:
        return chance.randrange(len(text) or 1)
    at = -1
    for _ in range(chance.randrange(count) + 1):
        at = text.index(words, at + 1)
    return min(max(0, at + chance.randrange(-20, 40)), len(text))


def _cut(text: str, chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5, 20, 200)) :]


def _doubled(text: str, chance: random.Random) -> str:
    at = _place(text, chance)
    piece = text[at : at + chance.choice((1, 2, 5, 20, 200))]
    return text[:at] + piece + text[at:]


def _moved(text: str, chance: random.Random) -> str:
    at, to = _place(text, chance), _place(text, chance)
    piece = text[at : at + chance.choice((5, 20, 200))]
    rest = text[:at] + text[at + len(piece) :]
    return rest[:to] + piece + rest[to:]


def _swapped(text: str, chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


def _put_in(text: str, chance: random.Random) -> str:
    at = _place(text, chance)
    return text[:at] + chance.choice(_PIECES) + text[at:]


def _another_digit(text: str, chance: random.Random) -> str:
    at = next((at for at in range(_place(text, chance), len(text)) if text[at].isdigit()), None)
    return text if at is None else text[:at] + chance.choice("0123456789") + text[at + 1 :]


def _another_letter(text: str, chance: random.Random) -> str:
    at = next((at for at in range(_place(text, chance), len(text)) if text[at].isalpha()), None)
    return text if at is None else text[:at] + chance.choice("xyztaXeo") + text[at + 1 :]


def _another_tag(text: str, chance: random.Random) -> str:
    tag, other = chance.sample(_TAGS, 2)
    at = text.find(f"<{tag}", _place(text, chance))
    return text if at < 0 else f"{text[: at + 1]}{other}{text[at + 1 + len(tag) :]}"


def _without_tag(text: str, chance: random.Random) -> str:
    at = text.find("<", _place(text, chance))
    end = text.find(">", at)
    return text if at < 0 or end < 0 else text[:at] + text[end + 1 :]


def _line_lost(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[text.count("\n", 0, _place(text, chance))]
    return "\n".join(lines)


def _line_moved(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def _cut_off(text: str, chance: random.Random) -> str:
    return text[: _place(text, chance)]


DAMAGES: tuple[Callable[[str, random.Random], str], ...] = (
    _cut, _cut, _doubled, _moved, _swapped, _put_in, _put_in, _put_in, _another_digit, _another_digit, _another_letter,
    _another_tag, _without_tag, _without_tag, _line_lost, _line_moved, _cut_off,
)  # fmt: skip


# --- what is wrong with an import -----------------------------------------------------------------------------------


def faults(case: Damaged) -> list[str]:
    """Return what no damage may cause, in words."""
    pages = list(published(case.number))
    begin = time.process_time()
    try:
        pages[case.index] = parse_page(case.text, Path("page"))
        imported = import_pages(pages)
    except Refused as refused:
        return [] if refused.findings else ["refused without a word"]
    except Exception:  # whatever escapes is what is looked for
        return [traceback.format_exc()]
    seconds = time.process_time() - begin
    found = [f"it took {seconds:.1f} s"] if seconds > SECONDS else []
    if bool(imported.findings) is not bool(imported.edition.unknown):
        found.append("findings and unknown words do not go together")
    said = [_witness(case.number, 0), _witness(case.number, 1)]
    try:
        said[case.index] = witness(case.text, case.number)
    except SyntaxError as error:  # of XML, which the import must refuse as well
        return [f"the page is no XML: {error}"]
    return [
        *found,
        *_untrue(imported, said[0], said[1]),
        *([] if imported.findings else _lost(imported, said[0], said[1])),
    ]


def _texts(edition: Edition) -> set[Text]:
    return {_text(component) for component in edition.components}


def _text(component: Component) -> Text:
    formula = component.level if component.level is not None else component.factor
    points = [dict(zip("xyzta", map(Fraction, point), strict=True)) for point in POINTS]
    values = tuple(formula.value(point) for point in points) if formula is not None else ()
    limits = "".join(f"{variable}{most}" for variable, most in component.limits)
    return (component.role.plural, component.text, values, component.ultra_points, limits)


def _untrue(imported: ImportedRules, rulebook: Witness, guide: Witness) -> Iterator[str]:
    """Yield what was imported and the pages do not say."""
    edition = imported.edition
    yield from (f"not on the page: {text}" for text in sorted(_contradicted(edition, guide), key=str))
    before = _before(edition.number)
    pairs = {(plain(old), plain(new)) for old, new in zip(rulebook.cells, rulebook.cells[1:], strict=False)}
    pairs |= {(old, new) for key, old, new in (*rulebook.changed, *guide.changed) if key == "reworded"}
    for each in edition.rewordings:
        became = {new for old, new in pairs if old == each.old}
        if each.new not in became and (became or each not in before.rewordings):
            yield f"no such rewording: {each}"
    redacted = {text for key, text, _ in (*rulebook.changed, *guide.changed) if key == "redacted"}
    yield from (f"not redacted: {text}" for text in {*edition.redacted} - redacted - {*before.redacted})
    revised = {(text, since) for key, text, since in (*rulebook.changed, *guide.changed) if key.startswith("revised")}
    known = (*before.revisions, *before.ultra_revisions)
    for revision in (*edition.revisions, *edition.ultra_revisions):
        since = {edition for text, edition in revised if text == revision.text}
        if str(revision.edition) not in since and (since or revision not in known):
            yield f"not revised: {revision}"
    yield from _untrue_figures(imported, before, rulebook, guide)


def _contradicted(edition: Edition, guide: Witness) -> Iterator[Text]:
    """Yield the texts that the page does not have so.

    One that is as it was published counts only if the witness reads another figure at it: broken markup around it may
    be too much for the witness, and then nothing was changed.
    """
    before = _witness(edition.number, 1).texts
    for text in _texts(edition) - guide.texts:
        others = [each for each in guide.texts if each[:2] == text[:2] and None not in each[2]]
        if text not in before or others:
            yield text


def _untrue_figures(imported: ImportedRules, before: Edition, rulebook: Witness, guide: Witness) -> Iterator[str]:
    """Yield figures that the pages do not say; one that is as it was counts only if the pages say another."""
    edition, levels = imported.edition, imported.edition.levels
    deck = edition.deck
    sizes = {(int(least), int(most or least)) for least, most in rulebook.decks | guide.decks}
    points = rulebook.ultra_points | guide.ultra_points
    own = before.deck
    if "deck.cards" not in imported.missing and (deck.least, deck.most) not in (sizes or {(own.least, own.most)}):
        yield f"no such deck: {deck}"
    if deck.ultra_points is not None and str(deck.ultra_points) not in points:
        yield f"no such Ultra Points: {deck}"
    if edition.clean_slate is not None and str(edition.clean_slate) not in (
        rulebook.slates or {str(before.clean_slate)}
    ):
        yield f"no such clean slate: {edition.clean_slate}"
    shares = {share.split()[-1].removesuffix("s") for share in guide.shares}
    known = {} if levels is None else level_values(levels)
    if levels is not None and "hp_share" in known and shares and _PARTS.get(levels.hp_share.denominator) not in shares:
        yield f"no such share: {levels.hp_share}"
    if levels is not None and levels != before.levels:
        least = {figure for key, figure in known.items() if key.startswith("least_of")}
        if not least <= guide.leasts | {"0"}:
            yield f"no such least levels: {least}"


def _lost(imported: ImportedRules, rulebook: Witness, guide: Witness) -> Iterator[str]:
    """Yield what the pages say and a silent import has not."""
    edition = imported.edition
    own = _texts(edition)
    # What the witness cannot evaluate is not lost if it is as it was published.
    kept = {each[:2] for each in own & _witness(edition.number, 1).texts}
    lost = {each for each in guide.texts - own - _prose(edition.number) if None not in each[2] or each[:2] not in kept}
    yield from (f"lost: {text}" for text in sorted(lost, key=str))
    cells = [cell for each in edition.rewordings for cell in (each.old, each.new)]
    yield from (f"lost: {cell}" for cell in rulebook.cells if cell not in cells)
    changed = {("reworded", each.old, each.new) for each in edition.rewordings}
    changed |= {("redacted", text, "") for text in edition.redacted}
    changed |= {("revised_levels", each.text, str(each.edition)) for each in edition.revisions}
    changed |= {("revised_ultra_points", each.text, str(each.edition)) for each in edition.ultra_revisions}
    # A guide says to which component an old text led, with other numbers than the rulebook's new text.
    olds = {each.old for each in edition.rewordings}
    of_guide = {each for each in guide.changed if each[0] != "reworded" or each[1] not in olds}
    yield from (f"lost: {each}" for each in sorted((rulebook.changed | of_guide) - changed))
    if len(rulebook.decks | guide.decks) != 1 or len(rulebook.ultra_points | guide.ultra_points) > 1:
        yield f"several decks: {rulebook.decks | guide.decks}"
    if (edition.deck.ultra_points is None) is bool(rulebook.ultra_points | guide.ultra_points):
        yield "lost: Ultra Points of a deck"
    if (edition.clean_slate is None) is bool(rulebook.slates):
        yield "lost: the clean slate"
    if guide.leasts != _witness(edition.number, 1).leasts and edition.levels == _before(edition.number).levels:
        yield f"lost: least levels {guide.leasts}"
    if edition.levels is None or len(guide.shares) != 1:
        yield f"levels: {edition.levels}, {guide.shares}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/benchmarks/prove.py damaged_pages", description="Damage pages.")
    parser.add_argument("--count", type=int, default=1000, help="cases  [default: 1000]")
    parser.add_argument("--seed", type=int, default=0, help="which cases  [default: 0]")
    asked = parser.parse_args()
    wrong = 0
    endless = cases(asked.seed)
    for index in range(asked.count):
        case = next(endless)
        found = faults(case)
        wrong += bool(found)
        for fault in found:
            print(
                f"{index}: {case.number} {'rulebook' if case.index == 0 else 'guide'} ({case.how}): {fault}", flush=True
            )
    print(f"{asked.count} damaged pages, {wrong} with faults")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
