"""Changed texts, from the rulebook's chapter "Refurbished and Pruned Cards".

Up to the 11th Edition, the sections are "Revised Ability Text", "Redacted Ability Text" and "Revised Costs".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from render.base.findings import Span, quoted
from render.games.kotc.editions.soundness import EntryPlace
from render.games.kotc.pages.tree import Element
from render.games.kotc.pages.sections import UNKNOWN, PageReading, Section, prose
from render.games.kotc.guide.words import card_text, read_citation, words_of_element
from render.games.kotc.model.edition import Revision, Rewording

CLEAN_SLATE = "clean slate edition"
# Titles from the 13th Edition on, then those of older ones.
_REWORDINGS = ("refurbished card texts", "revised ability text")
_REDACTED = ("redacted card texts", "redacted ability text (banned cards)", "redacted ability text")
_REVISIONS = ("revised levels", "revised costs", "revised cost texts")
_ULTRA_REVISIONS = ("revised ultra points",)
_CHAPTERS = ("refurbished and pruned cards", "revised and banned cards")
_KNOWN = (CLEAN_SLATE, *_REWORDINGS, *_REDACTED, *_REVISIONS, *_ULTRA_REVISIONS)
# A section with such a title changes what may be played, so it must never be skipped, wherever it stands.
_SPEAKS_OF_CHANGES = re.compile(r"\b(refurbished|revised|redacted|pruned|banned|clean slate)\b", re.IGNORECASE)


@dataclass(slots=True)
class ChangedTexts:
    """The changed texts of a rulebook, and the place of each."""

    rewordings: list[Rewording] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    ultra_revisions: list[Revision] = field(default_factory=list)
    places: dict[EntryPlace, Span] = field(default_factory=dict)


def read_changes(reading: PageReading) -> ChangedTexts:
    """Return the changed texts; whatever is not understood is noted."""
    found = ChangedTexts()
    for section in reading.sections:
        title = section.title.lower()
        if title in _REWORDINGS:
            _rewordings(reading, section, found)
        elif title in _REDACTED:
            _redacted(reading, section, found)
        elif title in _REVISIONS:
            _revisions(reading, section, found.revisions, "revisions", found.places)
        elif title in _ULTRA_REVISIONS:
            _revisions(reading, section, found.ultra_revisions, "ultra_revisions", found.places)
        elif title in (CLEAN_SLATE, *_CHAPTERS):
            _refuse_texts(reading, section)
    _refuse_unknown(reading)
    _refuse_lost(reading)
    return found


def _refuse_unknown(reading: PageReading) -> None:
    below = [section for chapter in _CHAPTERS for section in reading.below(chapter)]
    for section in reading.sections:
        speaks = section in below or _SPEAKS_OF_CHANGES.search(section.title)
        if speaks and section.title.lower() not in (*_KNOWN, *_CHAPTERS):
            reading.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)


def _refuse_texts(reading: PageReading, section: Section) -> None:
    """Note lists and tables where only sentences are expected: the heading above them may be missing."""
    for block in section.blocks:
        if block.name != "p":
            message = f"expected sentences in the section {quoted(section.title)}, found {_shown(block)}"
            reading.note("030", message, block, "is a heading missing?")


def _shown(block: Element) -> str:
    return "a table" if block.name == "table" else quoted(prose(block))


def _refuse_lost(reading: PageReading) -> None:
    """Note sections on changed texts that the table of contents names and the page lacks."""
    titles = [section.title.lower() for section in reading.sections]
    for link in reading.contents():
        title = prose(link)
        if _SPEAKS_OF_CHANGES.search(title) and title.lower() not in titles:
            message = f"the contents name the section {quoted(title)}, which is not there"
            reading.note("020", message, link, "is its heading missing?")


# --- tables ---------------------------------------------------------------------------------------------------------


def _rewordings(reading: PageReading, section: Section, found: ChangedTexts) -> None:
    rows = [row for block in section.blocks for row in _rows(reading, block)]
    if not rows:
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for row, cells in rows:
        if len(cells) != 2:
            found_cells = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
            reading.note("030", f"expected an old and a new text in a row, found {found_cells}", row)
            continue
        # An old text shows what is deleted, a new one what is inserted; the other way round says nothing sure.
        old = _cell(reading, cells[0], frozenset({"del"}))
        new = _cell(reading, cells[1], frozenset({"ins"}))
        if old and new:
            found.places[EntryPlace("rewordings", len(found.rewordings))] = reading.page.span(row)
            found.rewordings.append(Rewording(old, new))


def _rows(reading: PageReading, block: Element) -> Iterator[tuple[Element, list[Element]]]:
    """Yield the rows of a table with their cells, without headings and empty rows."""
    if block.name not in ("p", "table"):
        reading.note("030", f"expected a table, found {_shown(block)}", block)
    if block.name != "table":
        return
    for row in block.elements():
        if row.name != "tr":
            continue
        cells = [cell for cell in row.children if isinstance(cell, Element) and cell.name in ("td", "th")]
        if any(cell.name == "td" for cell in cells):
            yield row, cells


def _cell(reading: PageReading, cell: Element, marks: frozenset[str]) -> str | None:
    words = words_of_element(reading, cell, marks)
    return card_text(reading, cell, words) if words is not None else None


# --- lists ----------------------------------------------------------------------------------------------------------


def _items(reading: PageReading, section: Section) -> Iterator[Element]:
    """Yield the items of a section that is a list below paragraphs; anything else in it is noted."""
    if not any(block.name == "li" for block in section.blocks):
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for block in section.blocks:
        if block.name == "li":
            yield block
        elif block.name != "p":
            reading.note("030", f"expected a list, found {_shown(block)}", block)


def _redacted(reading: PageReading, section: Section, found: ChangedTexts) -> None:
    """Add texts that may not be played at all; the edition that redacted a text makes no difference."""
    for item in _items(reading, section):
        text = read_citation(reading, item)
        if text is not None:
            found.places[EntryPlace("redacted", len(found.redacted))] = reading.page.span(item)
            found.redacted.append(text.text)


def _revisions(
    reading: PageReading, section: Section, revisions: list[Revision], name: str, places: dict[EntryPlace, Span]
) -> None:
    for item in _items(reading, section):
        text = read_citation(reading, item)
        if text is not None and text.edition is None:
            message = f"expected the edition behind {quoted(text.text)}, such as `(16th Edition)`"
            reading.note("030", message, item)
        elif text is not None and text.edition is not None:
            places[EntryPlace(name, len(revisions))] = reading.page.span(item)
            revisions.append(Revision(text.text, text.edition))
