"""Changed texts, from the rulebook's chapter "Refurbished and Pruned Cards".

Up to the 11th Edition, the sections are "Revised Ability Text", "Redacted Ability Text" and "Revised Costs".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from render.base.findings import Span, listed, quoted
from render.games.kotc.editions.soundness import EntryPlace, variables
from render.games.kotc.model.edition import Revision, Rewording
from render.games.kotc.workshop.guide.passages import check_sentences
from render.games.kotc.workshop.guide.words import Cited, card_text, read_citation, words_of_element
from render.games.kotc.workshop.pages.sections import UNKNOWN, PageReading, Section
from render.games.kotc.workshop.pages.tree import Element, Words, prose

CLEAN_SLATE = "clean slate edition"
# Titles from the 13th Edition on, then those of older ones.
_REWORDINGS = ("refurbished card texts", "revised ability text")
_REDACTED = ("redacted card texts", "redacted ability text (banned cards)", "redacted ability text")
_REVISIONS = ("revised levels", "revised costs", "revised cost texts")
_ULTRA_REVISIONS = ("revised ultra points",)
_CHAPTERS = ("refurbished and pruned cards", "revised and banned cards")
_LIMITS = "revised variable limits"
_KNOWN = (_LIMITS, CLEAN_SLATE, *_REWORDINGS, *_REDACTED, *_REVISIONS, *_ULTRA_REVISIONS)
_HEADS = ("original text", "new text", "revised text")  # of the two columns of a table
_CELLS = ("td", "th")
_NOTHING = ("", "N/A")  # an item of a list that has none
_REVISED = re.compile(r"[“\"](?P<old>[^“”\"]*)[”\"]\s*(?:→|->)\s*[“\"](?P<new>[^“”\"]*)[”\"]")
# A section with such a title changes what may be played, so it must never be skipped, wherever it stands.
_SPEAKS_OF_CHANGES = re.compile(r"\b(refurbished|revised|redacted|pruned|banned|clean slate)\b", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class ChangedTexts:
    """The changed texts of a rulebook, and the place of each."""

    rewordings: list[Rewording] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    ultra_revisions: list[Revision] = field(default_factory=list)
    places: dict[EntryPlace, Span] = field(default_factory=dict)
    seen: set[Rewording] = field(default_factory=set)


def read_changes(reading: PageReading) -> ChangedTexts:
    """Return the changed texts; whatever is not understood is noted."""
    found = ChangedTexts()
    for section in reading.sections:
        title = section.title.lower()
        if title in _REWORDINGS:
            reading.topic = "reworded"
            _rewordings(reading, section, found)
        elif title in _REDACTED:
            reading.topic = "redacted"
            _redacted(reading, section, found)
        elif title in _REVISIONS:
            reading.topic = "revised_levels"
            _revisions(reading, section, found.revisions, "revisions", found.places)
        elif title in _ULTRA_REVISIONS:
            reading.topic = "revised_ultra_points"
            _revisions(reading, section, found.ultra_revisions, "ultra_revisions", found.places)
        elif title in (CLEAN_SLATE, _LIMITS, *_CHAPTERS):
            reading.topic = "clean_slate" if title == CLEAN_SLATE else "redacted"
            _note_texts(reading, section)
    reading.topic = "redacted"
    _note_unknown(reading)
    _note_lost(reading)
    return found


def _note_unknown(reading: PageReading) -> None:
    below = [section for chapter in _CHAPTERS for section in reading.behind(chapter)]
    for section in reading.sections:
        speaks = section in below or _SPEAKS_OF_CHANGES.search(section.title)
        if speaks and section.title.lower() not in (*_KNOWN, *_CHAPTERS):
            reading.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)
            for block in section.blocks:
                if block.name != "p":
                    message = f"it stands in a section that is not known, {quoted(section.title)}"
                    reading.note("021", message, block)


def _note_texts(reading: PageReading, section: Section) -> None:
    """Note lists and tables where only sentences are expected: the heading above them may be missing."""
    for block in section.blocks:
        if block.name == "p" and section.title.lower() != CLEAN_SLATE:  # which is read elsewhere
            check_sentences(reading, block)
        elif block.name != "p" and prose(block) not in _NOTHING:
            message = f"expected sentences in the section {quoted(section.title)}, found {_shown(block)}"
            reading.note("030", message, block, "is a heading missing?")


def _shown(block: Element) -> str:
    return "a table" if block.name == "table" else quoted(prose(block))


def _note_lost(reading: PageReading) -> None:
    """Note sections on changed texts that the table of contents names and the page lacks."""
    titles = [section.title.lower() for section in reading.sections]
    for link in reading.contents():
        title = prose(link)
        if _SPEAKS_OF_CHANGES.search(title) and title.lower() not in titles:
            message = f"the contents name the section {quoted(title)}, which is not there"
            reading.note("020", message, link, "is its heading missing?")


# --- tables ---------------------------------------------------------------------------------------------------------


def _rewordings(reading: PageReading, section: Section, found: ChangedTexts) -> None:
    if not any(block.name in ("li", "table") for block in section.blocks):
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for block in section.blocks:
        if block.name == "table":
            for row, cells in _rows(reading, block):
                _add_rewording(reading, row, _of_row(reading, row, cells), found)
        elif block.name == "li" and prose(block) not in _NOTHING:
            _add_rewording(reading, block, _of_item(reading, block), found)
        elif block.name == "p":
            check_sentences(reading, block)
        elif block.name != "li":
            reading.note("030", f"expected a table, found {_shown(block)}", block)


def _add_rewording(reading: PageReading, element: Element, texts: tuple[str, str] | None, found: ChangedTexts) -> None:
    if texts is None:
        return
    old, new = texts
    strange = sorted(variables(new) - variables(old))
    if strange:
        message = f"the new text speaks of {listed(strange, 'and')}, the old text {quoted(old)} does not"
        reading.note("031", message, element)
    elif Rewording(old, new) not in found.seen:
        found.seen.add(Rewording(old, new))
        found.places[EntryPlace("rewordings", len(found.rewordings))] = reading.page.span(element)
        found.rewordings.append(Rewording(old, new))
        reading.understand(element, f"reworded: {old} → {new}")


def _of_row(reading: PageReading, row: Element, cells: list[Element]) -> tuple[str, str] | None:
    """Return the old and the new text in a row; None, and a note, if there are others."""
    if len(cells) != 2:
        found_cells = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
        reading.note("030", f"expected an old and a new text in a row, found {found_cells}", row)
        return None
    # An old text shows what is deleted, a new one what is inserted; the other way round says nothing sure.
    old = _cell(reading, cells[0], frozenset({"del"}))
    new = _cell(reading, cells[1], frozenset({"ins"}))
    return (old, new) if old and new else None


def _of_item(reading: PageReading, item: Element) -> tuple[str, str] | None:
    """Return the texts of an item such as `“old” → “new”`, as pages up to the 10th Edition have them."""
    words = words_of_element(reading, item)
    if words is None:
        return None
    match = _REVISED.fullmatch(words)
    if match is None:
        reading.note("030", f"expected an old and a new text, found {quoted(words)}", item)
        return None
    old, new = card_text(reading, item, match["old"]), card_text(reading, item, match["new"])
    return (old, new) if old and new else None


def _rows(reading: PageReading, table: Element) -> Iterator[tuple[Element, list[Element]]]:
    """Yield the rows of a table with their cells, without the heading and empty rows; words outside cells are noted."""
    is_above = True  # all rows so far were headings, which have no cell of data
    for row in (element for element in table.elements() if element.name == "tr"):
        cells = [cell for cell in row.children if isinstance(cell, Element) and cell.name in _CELLS]
        is_above = is_above and all(cell.name != "td" or prose(cell).lower() in _HEADS for cell in cells)
        if prose(row) and not is_above:
            yield row, cells
    for words in _outside_cells(table):
        reading.note("030", f"expected a row of a table, found {quoted(prose(words))}", words)


def _outside_cells(element: Element) -> Iterator[Words]:
    for child in element.children:
        if isinstance(child, Words):
            yield from [child] if child.text.strip() else []
        elif child.name not in (*_CELLS, "caption"):
            yield from _outside_cells(child)


def _cell(reading: PageReading, cell: Element, marks: frozenset[str]) -> str | None:
    words = words_of_element(reading, cell, marks)
    return card_text(reading, cell, words) if words is not None else None


# --- lists ----------------------------------------------------------------------------------------------------------


def _items(reading: PageReading, section: Section) -> Iterator[Element]:
    """Yield the items of a section that is a list below paragraphs; anything else in it is noted."""
    if not any(block.name == "li" for block in section.blocks):
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for block in section.blocks:
        if block.name == "li" and prose(block) not in _NOTHING:
            yield block
        elif block.name == "p":
            check_sentences(reading, block)
        elif block.name != "li":
            reading.note("030", f"expected a list, found {_shown(block)}", block)


def _citations(reading: PageReading, section: Section) -> Iterator[tuple[Element, Cited]]:
    """Yield the items of a list and their texts; among texts in quotes, one without them is noted: it may be prose."""
    found = [(item, text) for item in _items(reading, section) if (text := read_citation(reading, item))]
    in_quotes = any(text.in_quotes for _, text in found)
    for item, text in found:
        if in_quotes and not text.in_quotes:
            reading.note("030", f"expected a text in quotes, as around it, found {quoted(text.text)}", item)
        else:
            yield item, text


def _redacted(reading: PageReading, section: Section, found: ChangedTexts) -> None:
    """Add texts that may not be played at all; the edition that redacted a text makes no difference."""
    for item, text in _citations(reading, section):
        if text.text not in found.redacted:
            found.places[EntryPlace("redacted", len(found.redacted))] = reading.page.span(item)
            found.redacted.append(text.text)
            reading.understand(item, f"redacted: {text.text}")


def _revisions(
    reading: PageReading, section: Section, revisions: list[Revision], name: str, places: dict[EntryPlace, Span]
) -> None:
    for item, text in _citations(reading, section):
        if text.edition is None:
            message = f"expected the edition behind {quoted(text.text)}, such as `(16th Edition)`"
            reading.note("030", message, item)
        elif Revision(text.text, text.edition) not in revisions:
            places[EntryPlace(name, len(revisions))] = reading.page.span(item)
            revisions.append(Revision(text.text, text.edition))
            reading.understand(item, f"revised in {text.edition}: {text.text}")
