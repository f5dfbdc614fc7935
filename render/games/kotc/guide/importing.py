"""The game's own pages, its rulebook and its Card Building Guide, as the rules of an edition.

Whatever is not understood is noted with its line, never guessed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from render.base.findings import Finding, Problem, Refused, Span, sort_findings
from render.games.kotc.editions.soundness import EntryPlace, find_mistakes
from render.games.kotc.files.card_file import LAST_EDITION
from render.games.kotc.pages.page_file import read_page
from render.games.kotc.guide.changes import ChangedTexts, read_changes
from render.games.kotc.guide.components import read_components
from render.games.kotc.pages.sections import PageReading, prose, reading_of
from render.games.kotc.guide.sentences import (
    Sentences,
    edition_number,
    read_clean_slate,
    read_deck,
    read_levels,
    read_terms,
)
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import DeckRules, Edition, Terms

_TERMS = Terms("minion", "SP", "HP", "level")  # for a guide whose rulebook does not give the terms


class PageKind(enum.Enum):
    """Which of the game's pages it is, by the first words of its title."""

    RULEBOOK = "Rulebook"
    GUIDE = "Card Building Guide"


def read_pages(files: Iterable[Path]) -> Edition:
    """Return the rules in the rulebook and the guide of an edition, given in any order.

    Without the guide there are no components and no rules of levels. Refused with everything that is not understood.
    """
    pages, findings = _sorted(files)
    rulebook, guide = pages.get(PageKind.RULEBOOK), pages.get(PageKind.GUIDE)
    number = _number(list(pages.values()))
    edition = _edition(rulebook, guide, number) if rulebook is not None else None
    if rulebook is None and not findings:
        findings.append(Problem("G011", "there is no rulebook among the pages", "give the rulebook as well").at())
    findings += [finding for page in pages.values() for finding in page.findings]
    if findings or edition is None:
        raise Refused(sort_findings(findings))
    return edition


def _sorted(files: Iterable[Path]) -> tuple[dict[PageKind, PageReading], list[Finding]]:
    """Return the pages by kind, and what is wrong with the files."""
    pages: dict[PageKind, PageReading] = {}
    findings: list[Finding] = []
    for file in files:
        try:
            reading = reading_of(read_page(file))
        except Refused as refused:
            findings += refused.findings
            continue
        kind = _kind(reading)
        if kind is None:
            hint = "the pages that are read are called `Rulebook` and `Card Building Guide`"
            findings.append(Problem("G010", f"`{file}` is neither a rulebook nor a guide", hint).at(Span(file=file)))
        elif kind in pages:
            message = f"`{pages[kind].page.file}` and `{file}` are both a {kind.value}"
            findings.append(Problem("G010", message, "give the pages of one edition").at(Span(file=file)))
        else:
            pages[kind] = reading
    return pages, findings


def _kind(reading: PageReading) -> PageKind | None:
    titles = [prose(element) for element in reading.page.root.elements() if element.name in ("title", "h1", "h2")]
    return next((kind for title in titles for kind in PageKind if title.startswith(kind.value)), None)


def _number(pages: Sequence[PageReading]) -> int | None:
    """Return the edition of all pages; noted if they differ."""
    numbers = [edition_number(page) for page in pages]
    known = sorted({number for number in numbers if number is not None})
    if len(known) > 1:
        shown = " and the ".join(ordinal(number) for number in known)
        message = f"the pages are of different editions, the {shown}"
        pages[-1].note_at("012", message, Span(file=pages[-1].page.file), "give the pages of one edition")
    return known[0] if len(known) == 1 and None not in numbers else None


def _edition(rulebook: PageReading, guide: PageReading | None, number: int | None) -> Edition | None:
    """Return the edition; None if something indispensable was not found. The pages note all mistakes."""
    pages = [rulebook, *([guide] if guide else [])]
    called, size = read_terms(Sentences(rulebook, [rulebook])), read_deck(Sentences(rulebook, pages))
    changed, placed = read_changes(rulebook), read_components(guide) if guide else []
    edition = Edition(
        number=number or LAST_EDITION,
        terms=called or _TERMS,
        deck=size or DeckRules(0, 0),
        clean_slate=read_clean_slate(rulebook, Sentences(rulebook, [rulebook])),
        levels=read_levels(Sentences(guide, [guide]), called or _TERMS) if guide else None,
        rewordings=tuple(changed.rewordings),
        redacted=tuple(changed.redacted),
        revisions=tuple(changed.revisions),
        ultra_revisions=tuple(changed.ultra_revisions),
        components=tuple(each.component for each in placed),
    )
    places = {EntryPlace("components", index): each.place for index, each in enumerate(placed)}
    _note_mistakes(edition, rulebook, guide or rulebook, changed, places)
    return edition if number and called and size else None


def _note_mistakes(
    edition: Edition, rulebook: PageReading, guide: PageReading, changed: ChangedTexts, of_guide: dict[EntryPlace, Span]
) -> None:
    """Note contradictions between entries, at the places where the pages print them."""
    places = {**changed.places, **of_guide}
    for mistake in find_mistakes(edition):
        entry = replace(mistake.entry, part="")
        reading = guide if entry in of_guide else rulebook
        place = places.get(entry, Span(file=rulebook.page.file))
        other = f", first at {places[mistake.other]}" if mistake.other else ""
        problem = mistake.problem
        reading.findings.append(replace(problem, message=problem.message + other).at(place))
