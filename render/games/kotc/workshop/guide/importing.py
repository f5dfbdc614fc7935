"""The game's own pages, its rulebook and its Card Building Guide, as the rules of an edition.

Whatever is not understood is kept with its line and words, never guessed. Pages that contradict themselves or each
other are refused.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span, sort_findings
from render.games.kotc.editions.reading import KEYS, TERMS
from render.games.kotc.editions.soundness import EntryPlace, find_mistakes
from render.games.kotc.files.card_file import LAST_EDITION
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import DeckRules, Edition, Terms, UnknownWords
from render.games.kotc.workshop.guide.agreement import join_pages
from render.games.kotc.workshop.guide.changes import ChangedTexts, read_changes
from render.games.kotc.workshop.guide.components import CardTexts, read_components
from render.games.kotc.workshop.guide.levels import read_levels
from render.games.kotc.workshop.guide.sentences import (
    edition_number,
    kind_spoken_of,
    new_kinds,
    read_clean_slate,
    read_deck,
    read_terms,
)
from render.games.kotc.workshop.pages.page_file import read_page
from render.games.kotc.workshop.pages.sections import PageReading, PassageRead, reading_of
from render.games.kotc.workshop.pages.tree import MarkupPage, prose

MAX_PASSAGES = 2_000  # pieces of a page that are read: those of the game have fewer than 200
MAX_MISSED = 500  # pieces of the pages that are not understood: more say that they are no pages of this game

_TERMS = Terms("minion", "SP", "HP", "level")  # for a rulebook that does not give the terms
_GAME = "Keeper of the Cards"


class PageKind(enum.Enum):
    """Which of the game's pages it is, by the first words of its title."""

    RULEBOOK = "Rulebook"
    GUIDE = "Card Building Guide"


@dataclass(frozen=True, slots=True)
class ImportedRules:
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
    readings = _sorted(pages, found)
    rulebook, guide = readings.get(PageKind.RULEBOOK), readings.get(PageKind.GUIDE)
    number = _number(list(readings.values()))
    if rulebook is None and not found:
        found.append(Diagnostic("G011", "there is no rulebook among the pages", "give the rulebook as well").at())
    imported = _imported(rulebook, guide, number) if rulebook is not None and number is not None else None
    found += [finding for reading in readings.values() for finding in reading.findings]
    if found or imported is None:
        doubts = [each.problem for reading in readings.values() for each in reading.missed if each.problem is not None]
        raise Refused(sort_findings([*found, *doubts]))
    return imported


def _sorted(pages: Iterable[MarkupPage], findings: list[Diagnostic]) -> dict[PageKind, PageReading]:
    """Return the pages by kind, and add what is wrong with the files."""
    readings: dict[PageKind, PageReading] = {}
    for page in pages:
        reading = reading_of(page)
        kind, place = _kind(reading), Span(file=page.file)
        if kind is None:
            hint = "the pages that are read are called `Rulebook` and `Card Building Guide`"
            findings.append(Diagnostic("G010", f"`{page.file}` is neither a rulebook nor a guide", hint).at(place))
        elif kind in readings:
            message = f"`{readings[kind].page.file}` and `{page.file}` are both a {kind.value}"
            findings.append(Diagnostic("G010", message, "give the pages of one edition").at(place))
        else:
            readings[kind] = reading
    return readings


def _kind(reading: PageReading) -> PageKind | None:
    titles = [prose(element) for element in reading.page.root.elements() if element.name in ("title", "h1", "h2")]
    own = [title.removeprefix(_GAME).lstrip(": ") for title in titles]
    return next((kind for title in own for kind in PageKind if title.startswith(kind.value)), None)


def _number(pages: Sequence[PageReading]) -> int | None:
    """Return the edition of all pages; refused if they differ."""
    numbers = [edition_number(page) for page in pages]
    known = sorted({number for number in numbers if number is not None})
    if len(known) > 1:
        shown = " and the ".join(ordinal(number) for number in known)
        message = f"the pages are of different editions, the {shown}"
        pages[-1].refuse("012", message, Span(file=pages[-1].page.file), "give the pages of one edition")
    return known[0] if len(known) == 1 and None not in numbers else None


def _imported(rulebook: PageReading, guide: PageReading | None, number: int) -> ImportedRules:
    """Return what the pages say. They note all contradictions."""
    pages = [rulebook, *([guide] if guide else [])]
    words, (size, ultra_points) = read_terms(rulebook), read_deck(rulebook, pages)
    called = replace(_TERMS, **words)
    clean_slate, changed = read_clean_slate(rulebook), read_changes(rulebook)
    levels = read_levels(guide, called) if guide else None
    texts = read_components(guide, number) if guide else CardTexts()
    _refuse_floods(pages)
    if guide is not None:
        join_pages(changed, texts, guide, rulebook)
    edition = Edition(
        number=number,
        terms=called,
        deck=DeckRules(*(size or (1, LAST_EDITION)), ultra_points),
        clean_slate=clean_slate,
        levels=levels,
        rewordings=tuple(changed.rewordings),
        redacted=tuple(changed.redacted),
        revisions=tuple(changed.revisions),
        ultra_revisions=tuple(changed.ultra_revisions),
        components=tuple(each.component for each in texts.components),
        unknown=_unknown(pages, new_kinds(pages) if "minion" in words else ()),
    )
    places = {EntryPlace("components", index): each.place for index, each in enumerate(texts.components)}
    _refuse_mistakes(edition, rulebook, guide or rulebook, changed, places)
    missing = {f"terms.{key}" for key in TERMS if key not in words} | ({"deck.cards"} if size is None else set())
    read = [passage for page in pages for passage in page.passages]
    passages = sorted(read, key=lambda each: (pages[0].page.file != each.place.file, each.place.line or 0))
    return ImportedRules(edition, frozenset(missing), tuple(passages))


def _refuse_floods(pages: Sequence[PageReading]) -> None:
    """Refuse pages of more pieces than any edition has, before they are compared with each other."""
    for page in pages:
        count, missed = len(page.passages), len(page.missed)
        if count > MAX_PASSAGES or missed > MAX_MISSED:
            message = f"{count:,} pieces of the page were read and {missed:,} of them not understood"
            hint = f"at most {MAX_PASSAGES:,} and {MAX_MISSED:,} can be: is this a page of {_GAME}?"
            raise Refused([Diagnostic("G013", message, hint).at(Span(file=page.page.file))])


def _unknown(pages: Sequence[PageReading], kinds: Sequence[str]) -> tuple[UnknownWords, ...]:
    """Return what was not understood, once for each place, in the order of the keys of a data file."""
    found = {
        (KEYS.index(missed.section), index, missed.place.line or 1, missed.words): None
        for index, page in enumerate(pages)
        for missed in page.missed
    }
    return tuple(
        UnknownWords(KEYS[key], line, words or "?", kind_spoken_of(words, kinds))
        for key, _, line, words in sorted(found)
    )


def _refuse_mistakes(
    edition: Edition, rulebook: PageReading, guide: PageReading, changed: ChangedTexts, of_guide: dict[EntryPlace, Span]
) -> None:
    """Refuse contradictions between entries, at the places where the pages print them."""
    places = {**changed.places, **of_guide}
    for mistake in find_mistakes(edition):
        entry = replace(mistake.entry, part="")
        reading = guide if entry in of_guide else rulebook
        place = places.get(entry, Span(file=rulebook.page.file))
        other = f", first at {places[mistake.other]}" if mistake.other else ""
        problem = mistake.problem
        reading.findings.append(replace(problem, message=problem.message + other).at(place))
