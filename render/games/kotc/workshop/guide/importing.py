"""The game's own pages, its rulebook and its Card Building Guide, as the rules of an edition.

Whatever is not understood is kept with its line and words, never guessed. Pages that contradict themselves or each
other are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Span, sort_findings
from render.games.kotc.editions.reading import KEYS, TERMS, usual_grammar
from render.games.kotc.editions.soundness import EntryPlace, find_mistakes
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import DeckRules, Edition, Terms, UnknownWords
from render.games.kotc.workshop.guide.changes import join_guide, read_changes
from render.games.kotc.workshop.guide.components import CardTexts, read_components
from render.games.kotc.workshop.guide.levels import note_kinds, read_levels, read_new_kinds
from render.games.kotc.workshop.guide.page_files import read_page
from render.games.kotc.workshop.guide.pages import MarkupPage, PageReading, PassageRead, prose, reading_of
from render.games.kotc.workshop.guide.sentences import edition_number, kind_spoken_of, new_kinds, read_rules

MAX_PASSAGES = 2_000  # pieces of a page that are read: those of the game have fewer than 200
MAX_MISSED = 500  # pieces of the pages that are not understood: more say that they are no pages of this game

_TERMS = Terms("minion", "SP", "HP", "level")  # for a rulebook that does not give the terms
_GAME = "Keeper of the Cards"
_RULEBOOK, _GUIDE = "Rulebook", "Card Building Guide"  # how the titles of the pages begin


class ImportedRules(Struct, frozen=True):
    """The rules in the pages of an edition. `missing` are required keys that were not understood, as `terms.minion`.

    `passages` are all pieces of the pages that were read, understood or not, in their order.
    """

    edition: Edition
    missing: frozenset[str]
    passages: tuple[PassageRead, ...]

    @property
    def findings(self) -> list[Diagnostic]:
        """A warning for each piece that was not understood."""
        return sort_findings([each.problem for each in self.passages if each.problem is not None])


def read_pages(files: Iterable[Path]) -> ImportedRules:
    """Return the rules in the rulebook and the guide of an edition, given in any order.

    Without the guide there are no components and no rules of levels. Refused if the files cannot be read, are no such
    pages, or contradict each other.
    """
    pages: list[MarkupPage] = []
    findings: list[Diagnostic] = []
    for file in files:
        try:
            pages.append(read_page(file))
        except Refused as refused:
            findings += refused.findings
    return import_pages(pages, findings)


def import_pages(pages: Iterable[MarkupPage], findings: Iterable[Diagnostic] = ()) -> ImportedRules:
    """Return the same for pages that have been read; `findings` say which could not be."""
    found = list(findings)
    readings = _sort_pages(pages, found)
    rulebook, guide = readings.get(_RULEBOOK), readings.get(_GUIDE)
    number = _number(list(readings.values()))
    if rulebook is None and not found:
        found.append(Diagnostic("G011", "there is no rulebook among the pages", "give the rulebook as well").at())
    imported = _import_readings(rulebook, guide, number) if rulebook is not None and number is not None else None
    found += [finding for reading in readings.values() for finding in reading.findings]
    if found or imported is None:
        doubts = [each.problem for reading in readings.values() for each in reading.missed if each.problem is not None]
        raise Refused(sort_findings([*found, *doubts]))
    return imported


def _sort_pages(pages: Iterable[MarkupPage], findings: list[Diagnostic]) -> dict[str, PageReading]:
    """Return the pages by kind, and add what is wrong with the files."""
    readings: dict[str, PageReading] = {}
    for page in pages:
        reading, place = reading_of(page), Span(file=page.file)
        titles = [prose(element).removeprefix(_GAME).lstrip(": ") for element in reading.titles()]
        kind = next((kind for title in titles for kind in (_RULEBOOK, _GUIDE) if title.startswith(kind)), "")
        if not kind:
            hint = "the pages that are read are called `Rulebook` and `Card Building Guide`"
            findings.append(Diagnostic("G010", f"`{page.file}` is neither a rulebook nor a guide", hint).at(place))
        elif kind in readings:
            message = f"`{readings[kind].page.file}` and `{page.file}` are both a {kind}"
            findings.append(Diagnostic("G010", message, "give the pages of one edition").at(place))
        else:
            readings[kind] = reading
    return readings


def _number(pages: Sequence[PageReading]) -> int | None:
    """Return the edition of all pages; refused if they differ."""
    numbers = [edition_number(page) for page in pages]
    known = sorted({number for number in numbers if number is not None})
    if len(known) > 1:
        shown = " and the ".join(ordinal(number) for number in known)
        message = f"the pages are of different editions, the {shown}"
        pages[-1].refuse("012", message, Span(file=pages[-1].page.file), "give the pages of one edition")
    return known[0] if len(known) == 1 and None not in numbers else None


def _import_readings(rulebook: PageReading, guide: PageReading | None, number: int) -> ImportedRules:
    """Return what the pages say. They note all contradictions."""
    pages = [rulebook, *([guide] if guide else [])]
    rules = read_rules(rulebook, pages)
    words = {name: rules[f"terms.{name}"][0] for name in TERMS.names if f"terms.{name}" in rules}
    terms = replace(_TERMS, **words)
    least, most = rules.get("deck.cards", ("1", str(LAST_EDITION)))
    changed = read_changes(rulebook)
    levels = read_levels(guide, terms) if guide else None
    grammar = usual_grammar(number)  # what pages say of it is told in sentences: those that are new become `unknown`
    texts = read_components(guide, grammar) if guide else CardTexts()
    for page in pages:  # before what they say is compared
        count, missed = len(page.passages), len(page.missed)
        if count > MAX_PASSAGES or missed > MAX_MISSED:
            message = f"{count:,} pieces of the page were read and {missed:,} of them not understood"
            hint = f"at most {MAX_PASSAGES:,} and {MAX_MISSED:,} can be: is this a page of {_GAME}?"
            raise Refused([Diagnostic("G013", message, hint).at(Span(file=page.page.file))])
    if guide is not None:
        join_guide(changed, texts, guide, rulebook)
    names = new_kinds(pages) if "minion" in words else ()
    kinds = read_new_kinds(pages, names)
    left = [name for name in names if name not in [kind.name for kind in kinds]]
    if kinds and not left:
        note_kinds(pages, kinds)
    edition = Edition(
        number=number,
        terms=terms,
        deck=DeckRules(
            int(least), int(most or least), int(rules["deck.ultra_points"][0]) if "deck.ultra_points" in rules else None
        ),
        grammar=grammar,
        clean_slate=int(rules["clean_slate"][0]) if "clean_slate" in rules else None,
        levels=levels,
        kinds=kinds,
        rewordings=tuple(changed.rewordings),
        redacted=tuple(changed.redacted),
        revisions=tuple(changed.revisions),
        ultra_revisions=tuple(changed.ultra_revisions),
        components=tuple(texts.components),
        unknown=_unknown(pages, left),
    )
    of_guide = {EntryPlace("components", index): place for index, place in enumerate(texts.components.values())}
    _refuse_mistakes(edition, rulebook, guide or rulebook, changed.places(), of_guide)
    missing = {f"terms.{key}" for key in TERMS.names if key not in words} | ({"deck.cards"} - rules.keys())
    passages = [passage for page in pages for passage in page.passages]
    passages.sort(key=lambda passage: (rulebook.page.file != passage.place.file, passage.place.line or 0))
    return ImportedRules(edition, frozenset(missing), tuple(passages))


def _unknown(pages: Sequence[PageReading], kinds: Sequence[str]) -> tuple[UnknownWords, ...]:
    """Return what was not understood, once for each place, in the order of the keys of a data file."""
    found = {
        (KEYS.names.index(missed.section), index, missed.place.line or 1, missed.words)
        for index, page in enumerate(pages)
        for missed in page.missed
    }
    return tuple(
        UnknownWords(KEYS.names[key], line, words or "?", kind_spoken_of(words, kinds))
        for key, _, line, words in sorted(found)
    )


def _refuse_mistakes(
    edition: Edition,
    rulebook: PageReading,
    guide: PageReading,
    of_rulebook: dict[EntryPlace, Span],
    of_guide: dict[EntryPlace, Span],
) -> None:
    """Refuse contradictions between entries, at the places where the pages print them."""
    places = of_rulebook | of_guide
    for mistake in find_mistakes(edition):
        entry = replace(mistake.entry, part="")
        reading = guide if entry in of_guide else rulebook
        place = places.get(entry, Span(file=rulebook.page.file))
        other = f", first at {places[mistake.other]}" if mistake.other else ""
        problem = mistake.problem
        reading.findings.append(replace(problem, message=problem.message + other).at(place))


# --- what was understood, beside the words of the pages -------------------------------------------------------------


def text_table(passages: Iterable[PassageRead]) -> Iterator[str]:
    """Yield the lines of a table: for each piece of a page its line, its words, and below them what they mean."""
    for file, group in groupby(passages, key=lambda each: each.place.file):
        yield f"{file}"
        for each in group:
            yield f"{each.place.line or 1:>6}  {each.words}"
            yield f"{'':6}  = {_meaning(each)}"


def html_table(passages: Iterable[PassageRead], title: str) -> str:
    """Return the same as a page of HTML that needs no other file."""
    rows = "\n".join(_row(each) for each in passages)
    return _PAGE.format(title=escape(title), rows=rows)


def _meaning(passage: PassageRead) -> str:
    return passage.meaning if passage.problem is None else f"not understood: {passage.problem.message}"


def _row(passage: PassageRead) -> str:
    mark = "" if passage.problem is None else ' class="unknown"'
    file = Path(str(passage.place.file)).name
    cells = (f"{file}:{passage.place.line or 1}", passage.words, passage.section, _meaning(passage))
    return f"<tr{mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.4 sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
th, td {{ border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }}
.unknown td {{ background: #fdd; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>Left the words of the pages, right what was understood. Red rows were not understood.</p>
<table>
<tr><th>line</th><th>the page says</th><th>section</th><th>understood</th></tr>
{rows}
</table>
</body>
</html>
"""
