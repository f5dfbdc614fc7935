"""Changed texts, from the rulebook's chapter "Refurbished and Pruned Cards", and what the guide says of the same.

Up to the 11th Edition, the sections are "Revised Ability Text", "Redacted Ability Text" and "Revised Costs"; up to the
10th, the guide lists what changed as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from msgspec import Struct, field

from render.base.findings import Span, listed, quoted
from render.base.patterns import regex
from render.games.kotc.editions.soundness import EntryPlace
from render.games.kotc.editions.wording import variables
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Revision, Rewording
from render.games.kotc.workshop.guide.components import CardTexts, card_text, read_citation, words_of_element
from render.games.kotc.workshop.guide.pages import Element, PageReading, Section, Words, prose
from render.games.kotc.workshop.guide.sentences import CLEAN_SLATE, WHICH, check_sentences

# The key of the data file that a section gives. The first titles are those from the 13th Edition on.
_SECTIONS = {
    "refurbished card texts": "reworded",
    "revised ability text": "reworded",
    "redacted card texts": "redacted",
    "redacted ability text (banned cards)": "redacted",
    "redacted ability text": "redacted",
    "revised levels": "revised_levels",
    "revised costs": "revised_levels",
    "revised cost texts": "revised_levels",
    "revised ultra points": "revised_ultra_points",
}
_CHAPTERS = ("refurbished and pruned cards", "revised and banned cards")
_OF_SENTENCES = (CLEAN_SLATE, "revised variable limits", *_CHAPTERS)  # sections that list nothing
_HEADS = ("original text", "new text", "revised text")  # of the two columns of a table
_NOTHING = ("", "N/A")  # an item of a list that has none
_REVISED = regex(r"[“\"](?P<old>[^“”\"]*)[”\"]\s*(?:→|->)\s*[“\"](?P<new>[^“”\"]*)[”\"]")
# A section with such a title changes what may be played, so it must never be skipped, wherever it stands.
_SPEAKS_OF_CHANGES = regex(r"\b(refurbished|revised|redacted|pruned|banned|clean slate)\b", re.IGNORECASE)


class ChangedTexts(Struct):
    """The changed texts of a rulebook, each with its place. The names are those of the fields of `Edition`."""

    rewordings: dict[Rewording, Span] = field(default_factory=dict)
    redacted: dict[str, Span] = field(default_factory=dict)
    revisions: dict[Revision, Span] = field(default_factory=dict)
    ultra_revisions: dict[Revision, Span] = field(default_factory=dict)

    def places(self) -> dict[EntryPlace, Span]:
        return {
            EntryPlace(name, index): place
            for name in ("rewordings", "redacted", "revisions", "ultra_revisions")
            for index, place in enumerate(getattr(self, name).values())
        }


def read_changes(reading: PageReading) -> ChangedTexts:
    """Return the changed texts; whatever is not understood is noted."""
    changed = ChangedTexts()
    for section in reading.sections:
        title = section.title.lower()
        reading.topic = _SECTIONS.get(title) or ("clean_slate" if title == CLEAN_SLATE else "redacted")
        if title in _OF_SENTENCES:
            _check_sentences(reading, section)
        elif reading.topic == "reworded":
            _read_rewordings(reading, section, changed.rewordings)
        elif title in _SECTIONS:
            _read_list(reading, section, changed)
    reading.topic = "redacted"
    below = [section for chapter in _CHAPTERS for section in reading.behind(chapter)]
    for section in reading.sections:
        is_known = section.title.lower() in (*_OF_SENTENCES, *_SECTIONS)
        if not is_known and (section in below or _SPEAKS_OF_CHANGES.search(section.title)):
            reading.note_unknown(section)
    _note_lost(reading)
    return changed


def _check_sentences(reading: PageReading, section: Section) -> None:
    """Note lists and tables where only sentences are expected: the heading above them may be missing."""
    for block in section.blocks:
        if block.name == "p" and section.title.lower() != CLEAN_SLATE:  # which is read elsewhere
            check_sentences(reading, block)
        elif block.name != "p" and prose(block) not in _NOTHING:
            message = f"expected sentences in the section {quoted(section.title)}, found {_thing(block)}"
            reading.note("030", message, block, "is a heading missing?")


def _thing(block: Element) -> str:
    return "a table" if block.name == "table" else quoted(prose(block))


def _note_lost(reading: PageReading) -> None:
    """Note sections on changed texts that a table of contents or menu names and the page lacks."""
    titles = [section.title.lower() for section in reading.sections]
    menus = [element for element in reading.page.root.elements() if element.name == "nav"]
    for link in (element for menu in menus for element in menu.elements() if element.name == "a"):
        title = prose(link)
        if _SPEAKS_OF_CHANGES.search(title) and title.lower() not in titles:
            message = f"the contents name the section {quoted(title)}, which is not there"
            reading.note("020", message, link, "is its heading missing?")


def _items(reading: PageReading, section: Section, kind: str = "list") -> Iterator[Element]:
    """Yield the items of a section that is a list below paragraphs, or its table; anything else in it is noted."""
    if not any(block.name in ("li", kind) for block in section.blocks):
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for block in section.blocks:
        if block.name == kind or (block.name == "li" and prose(block) not in _NOTHING):
            yield block
        elif block.name == "p":
            check_sentences(reading, block)
        elif block.name != "li":
            reading.note("030", f"expected a {kind}, found {_thing(block)}", block)


# --- rewordings -----------------------------------------------------------------------------------------------------


def _read_rewordings(reading: PageReading, section: Section, rewordings: dict[Rewording, Span]) -> None:
    for block in _items(reading, section, "table"):
        rows = _rows(reading, block) if block.name == "table" else [(block, None)]
        for element, cells in rows:
            old, new = _of_item(reading, element) if cells is None else _of_row(reading, element, cells)
            if not old or not new:
                continue
            if strange := sorted(variables(new) - variables(old)):
                message = f"the new text speaks of {listed(strange, 'and')}, the old text {quoted(old)} does not"
                reading.note("031", message, element)
            elif Rewording(old, new) not in rewordings:
                rewordings[Rewording(old, new)] = reading.page.span(element)
                reading.understand(element, f"reworded: {old} → {new}")


def _rows(reading: PageReading, table: Element) -> Iterator[tuple[Element, list[Element] | None]]:
    """Yield the rows of a table with their cells, without the heading and empty rows; words outside cells are noted."""
    is_above = True  # all rows so far were headings, which have no cell of data
    for row in (element for element in table.elements() if element.name == "tr"):
        cells = [cell for cell in row.children if isinstance(cell, Element) and cell.name in ("td", "th")]
        is_above = is_above and all(cell.name != "td" or prose(cell).lower() in _HEADS for cell in cells)
        if prose(row) and not is_above:
            yield row, cells
    for words in _outside_cells(table):
        reading.note("030", f"expected a row of a table, found {quoted(prose(words))}", words)


def _outside_cells(element: Element) -> Iterator[Words]:
    for child in element.children:
        if isinstance(child, Words):
            yield from [child] if child.text.strip() else []
        elif child.name not in ("td", "th", "caption"):
            yield from _outside_cells(child)


def _of_row(reading: PageReading, row: Element, cells: list[Element]) -> tuple[str | None, str | None]:
    """Return the old and the new text in a row; None for what is not understood."""
    if len(cells) != 2:
        count = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
        reading.note("030", f"expected an old and a new text in a row, found {count}", row)
        return None, None
    # An old text shows what is deleted, a new one what is inserted; the other way round says nothing sure.
    return _cell_text(reading, cells[0], "del"), _cell_text(reading, cells[1], "ins")


def _cell_text(reading: PageReading, cell: Element, mark: str) -> str | None:
    words = words_of_element(reading, cell, frozenset({mark}))
    return card_text(reading, cell, words) if words is not None else None


def _of_item(reading: PageReading, item: Element) -> tuple[str | None, str | None]:
    """Return the texts of an item such as `“old” → “new”`, as pages up to the 10th Edition have them."""
    words = words_of_element(reading, item)
    match = _REVISED.fullmatch(words) if words is not None else None
    if match is None:
        if words is not None:
            reading.note("030", f"expected an old and a new text, found {quoted(words)}", item)
        return None, None
    return card_text(reading, item, match["old"]), card_text(reading, item, match["new"])


# --- lists ----------------------------------------------------------------------------------------------------------


def _read_list(reading: PageReading, section: Section, changed: ChangedTexts) -> None:
    """Add redacted texts, which may not be played whatever the edition that redacted them, or revised ones."""
    revisions = changed.ultra_revisions if reading.topic == "revised_ultra_points" else changed.revisions
    citations = [(item, cited) for item in _items(reading, section) if (cited := read_citation(reading, item))]
    has_quotes = any(in_quotes for _, (_, _, in_quotes) in citations)
    for item, (text, edition, in_quotes) in citations:
        place = reading.page.span(item)
        if has_quotes and not in_quotes:  # it may be prose
            reading.note("030", f"expected a text in quotes, as around it, found {quoted(text)}", item)
        elif reading.topic == "redacted":
            if text not in changed.redacted:
                changed.redacted[text] = place
                reading.understand(item, f"redacted: {text}")
        elif edition is None:
            message = f"expected the edition behind {quoted(text)}, such as `(16th Edition)`"
            reading.note("030", message, item)
        elif Revision(text, edition) not in revisions:
            revisions[Revision(text, edition)] = place
            reading.understand(item, f"revised in {edition}: {text}")


# --- what the guide says of the same --------------------------------------------------------------------------------


def join_guide(changed: ChangedTexts, texts: CardTexts, guide: PageReading, rulebook: PageReading) -> None:
    """Add to the rulebook's changed texts those that only the guide has; refuse what the pages contradict in."""
    for text, place in texts.redacted.items():
        changed.redacted.setdefault(text, place)
    for text, old, edition, place in texts.annotations:
        if old:
            _join_rewording(changed, Rewording(old, text), guide, place)
        else:
            _join_revision(changed, Revision(text, edition), guide, place)
    for component, place in texts.components.items():
        if component.text in changed.redacted:
            first = changed.redacted[component.text]
            message = f"{quoted(component.text)} may be used, but {first} says that it is redacted"
            guide.refuse("043", message, place, WHICH)
    if not guide.missed:
        known = {component.text for component in texts.components}
        _keep_known(changed.revisions, "revised_levels", known, rulebook)
        _keep_known(changed.ultra_revisions, "revised_ultra_points", known, rulebook)


def _join_rewording(changed: ChangedTexts, rewording: Rewording, guide: PageReading, place: Span) -> None:
    old, text = rewording.old, rewording.new
    own = next((each for each in changed.rewordings if each.old == old), None)
    is_same_kind = variables(text) <= variables(old)
    if own is None and is_same_kind:
        changed.rewordings[rewording] = place
    elif own is None:
        # Without the rulebook's word, nobody knows which number the old text stood for.
        guide.topic = "reworded"
        message = f"{quoted(old)} was revised to a text with other numbers, and the rulebook has it not"
        guide.note("043", message, place, words=f"reworded: {old} → {text}")
    elif is_same_kind and own.new != text:
        message = f"{quoted(old)} became {quoted(text)}, but {quoted(own.new)} in the rulebook"
        guide.refuse("043", message, place, WHICH)


def _join_revision(changed: ChangedTexts, revision: Revision, guide: PageReading, place: Span) -> None:
    own = next((each for each in changed.revisions if each.text == revision.text), None)
    if own is None:
        changed.revisions[revision] = place
    elif own.edition != revision.edition:
        here, there = ordinal(revision.edition), ordinal(own.edition)
        message = f"the {here} Edition revised the cost of {quoted(revision.text)}, in the rulebook the {there}"
        guide.refuse("043", message, place, WHICH)


def _keep_known(revisions: dict[Revision, Span], topic: str, known: AbstractSet[str], rulebook: PageReading) -> None:
    """Note and remove revised texts that the guide does not have, all of which was understood."""
    rulebook.topic = topic
    for revision, place in list(revisions.items()):
        if revision.text not in known:
            message = f"{quoted(revision.text)} was revised, and the guide does not have it"
            rulebook.note("043", message, place, words=revision.text)
            del revisions[revision]
