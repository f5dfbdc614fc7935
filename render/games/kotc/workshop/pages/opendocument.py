"""Flat OpenDocument texts (`.fodt`, OASIS OpenDocument 1.3) as trees with the names of HTML.

Office programs save these pages without headings: a paragraph in larger type than running text is one. Crossed-out
words become `del` and raised ones `sup`. The parser is Python's own expat. A document type, and with it every entity,
is refused, so that no entity can grow and nothing outside the page is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from render.base.findings import Refused
from render.games.kotc.workshop.pages.tree import MAX_DEPTH, Element, MarkupPage, Node, Words, broken_page

MAX_STYLES = 20_000  # the guides have 456

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _STYLE, _OFFICE, _TABLE = (f"{_OASIS}{part}:1.0 " for part in ("text", "style", "office", "table"))
_FONT = f"{_OASIS}xsl-fo-compatible:1.0 "
# What these elements are called in HTML; others keep their names, which no reader of texts knows.
_NAMES = {
    f"{_TEXT}p": "p",
    f"{_TEXT}h": "h",
    f"{_TEXT}span": "span",
    f"{_TEXT}a": "a",
    f"{_TEXT}list": "ul",
    f"{_TEXT}list-item": "li",
    f"{_TEXT}list-header": "li",
    f"{_TEXT}section": "section",
    f"{_TEXT}line-break": "br",
    f"{_TABLE}table": "table",
    f"{_TABLE}table-row": "tr",
    f"{_TABLE}table-cell": "td",
    f"{_TABLE}table-header-rows": "thead",
    f"{_TABLE}table-rows": "tbody",
}
_SPACES = frozenset({f"{_TEXT}s", f"{_TEXT}tab"})
# Marks between words, and declarations: none of their words is on the page.
_UNSEEN = frozenset(
    f"{_TEXT}{name}"
    for name in (
        "soft-page-break bookmark bookmark-start bookmark-end sequence-decls variable-decls user-field-decls"
        " reference-mark reference-mark-start reference-mark-end table-of-content"
    ).split()
) | {f"{_OFFICE}{name}" for name in "forms annotation annotation-end".split()} | {f"{_TABLE}table-column"}  # fmt: skip
_CHANGES = f"{_TEXT}tracked-changes"
_HOLDS_WORDS = frozenset({"p", "h", "span", "a"})
_BLOCKS = frozenset({"p", "h"})
_POINTS = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4})?)pt")


@dataclass(frozen=True, slots=True)
class _Style:
    """What a style says of its words; None where it says nothing. `size` is in points."""

    parent: str = ""
    is_struck: bool | None = None
    is_raised: bool | None = None
    size: float | None = None


@dataclass(slots=True, kw_only=True)
class _Begun:
    """An element that is not closed yet, with the look of its words."""

    name: str
    start: int
    is_struck: bool = False
    is_raised: bool = False
    size: float | None = None
    children: list[Node] = field(default_factory=list)


def parse_opendocument(text: str, file: Path) -> MarkupPage:
    """Turn a flat OpenDocument text into its tree; Refused if it is none, or more than its parser may take."""
    return MarkupPage(file, text, _Document(text, file).tree())


class _Document:
    """Builds the tree of one document while expat reads it."""

    def __init__(self, text: str, file: Path) -> None:
        self._text, self._file = text, file
        self._content = text.encode()
        self._at_byte = self._at = 0  # the same place, in bytes and in characters
        self._styles: dict[tuple[str, str], _Style] = {}
        self._style: tuple[str, str] | None = None
        self._begun = [_Begun(name="", start=0)]
        self._depth = self._unseen = 0
        self._in_body = False
        self._words = ""
        self._words_start = 0
        self._sizes: dict[int, float] = {}  # of the paragraphs that are headings, by where they begin
        # UTF-8 was checked already; whatever else the file says of itself is not true.
        self._parser = expat.ParserCreate("UTF-8", " ")
        self._parser.StartDoctypeDeclHandler = self._document_type
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def tree(self) -> Element:
        try:
            self._parser.Parse(self._content, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "") or expat.ErrorString(error.code) or "unknown"
            raise self._refused(f"this is no XML: {reason}", self._here) from None
        root = self._begun[0]
        tree = Element("", tuple(root.children), 0, len(self._text))
        return self._ranked(tree, sorted(set(self._sizes.values()), reverse=True))

    # --- what expat tells -----

    def _document_type(self, *_: object) -> NoReturn:
        message = "the page has a document type, which OpenDocument files do not have"
        raise self._refused(message, self._here, "save it again from an office program")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        here = self._flushed()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refused(f"more than {MAX_DEPTH} elements lie within each other", here)
        if name.startswith(_STYLE):
            self._read_style(name, attributes, here)
        if name == _CHANGES:
            hint = "accept or reject them in the office program and save it again"
            raise self._refused("the page has changes that are neither accepted nor rejected", here, hint)
        if self._unseen or name in _UNSEEN or (self._in_body and name in _SPACES):
            self._unseen += 1
            if name in _SPACES and self._unseen == 1:
                self._space(here)
        elif self._in_body:
            self._open(name, attributes, here)
        elif name == f"{_OFFICE}text":
            self._in_body = True
            self._begun.append(_Begun(name="main", start=here))

    def _end(self, name: str) -> None:
        here = self._flushed()
        self._depth -= 1
        if self._unseen:
            self._unseen -= 1
        elif self._in_body:
            self._close(here)
            self._in_body = name != f"{_OFFICE}text"

    def _characters(self, data: str) -> None:
        if self._in_body and not self._unseen:
            if not self._words:
                self._words_start = self._here
            self._words += data

    # --- places -----

    @property
    def _here(self) -> int:
        """The offset in characters of what expat is at; it only ever moves on."""
        at = self._parser.CurrentByteIndex
        if at > self._at_byte:
            self._at += len(self._content[self._at_byte : at].decode("utf-8", "replace"))
            self._at_byte = at
        return self._at

    def _refused(self, message: str, at: int, hint: str = "save the whole page again") -> Refused:
        return broken_page(self._file, self._text, message, at, hint)

    # --- elements -----

    def _open(self, name: str, attributes: dict[str, str], here: int) -> None:
        above = self._begun[-1]
        called = _NAMES.get(name) or name.rpartition(" ")[2]
        family = "paragraph" if called in _BLOCKS else "text"
        style = self._look(family, attributes.get(f"{_TEXT}style-name", ""))
        begun = _Begun(
            name=called,
            start=here,
            is_struck=above.is_struck if style.is_struck is None else style.is_struck,
            is_raised=above.is_raised if style.is_raised is None else style.is_raised,
            size=style.size,
        )
        if called == "h":
            begun.name = f"h{min(int(attributes.get(f'{_TEXT}outline-level', '1') or '1'), 6)}"
        self._begun.append(begun)

    def _close(self, here: int) -> None:
        begun = self._begun.pop()
        inside = [each.name for each in self._begun]
        if begun.name == "p" and "li" not in inside and "td" not in inside and self._is_large(begun):
            self._sizes[begun.start] = begun.size or 0
        self._begun[-1].children.append(Element(begun.name, tuple(begun.children), begun.start, here))

    def _is_large(self, paragraph: _Begun) -> bool:
        running = self._look("paragraph", "Standard").size or self._look("paragraph", "").size or 12.0
        return paragraph.size is not None and paragraph.size > running and bool(paragraph.children)

    def _space(self, here: int) -> None:
        if any(begun.name in _HOLDS_WORDS or begun.name[0] == "h" for begun in self._begun[1:]):
            self._begun[-1].children.append(Words(" ", here, here))

    def _flushed(self) -> int:
        """Add the words that were read, in the look of their element, and return the place behind them."""
        here = self._here
        if self._words:
            node: Node = Words(self._words, self._words_start, here)
            begun = self._begun[-1]
            if begun.is_raised:
                node = Element("sup", (node,), self._words_start, here)
            if begun.is_struck:
                node = Element("del", (node,), self._words_start, here)
            if self._words.strip() or begun.name in _HOLDS_WORDS or begun.name[:1] == "h":
                begun.children.append(node)
            self._words = ""
        return here

    def _ranked(self, element: Element, sizes: list[float]) -> Element:
        """Return a tree in which large paragraphs are headings, the largest of the first rank."""
        children = tuple(
            self._ranked(child, sizes) if isinstance(child, Element) else child for child in element.children
        )
        name = element.name
        if name == "p" and element.start in self._sizes:
            name = f"h{min(sizes.index(self._sizes[element.start]) + 2, 6)}"
        return Element(name, children, element.start, element.end)

    # --- styles -----

    def _read_style(self, name: str, attributes: dict[str, str], here: int) -> None:
        if name in (f"{_STYLE}style", f"{_STYLE}default-style"):
            self._style = (attributes.get(f"{_STYLE}family", ""), attributes.get(f"{_STYLE}name", ""))
            self._styles[self._style] = _Style(attributes.get(f"{_STYLE}parent-style-name", ""))
            if len(self._styles) > MAX_STYLES:
                raise self._refused(f"the page has more than {MAX_STYLES:,} styles", here)
        elif name == f"{_STYLE}text-properties" and self._style in self._styles:
            self._styles[self._style] = _with_properties(self._styles[self._style], attributes)

    def _look(self, family: str, name: str) -> _Style:
        """Return what a style says with those that it is based on."""
        found = _Style()
        seen = 0
        while seen < MAX_DEPTH:
            style = self._styles.get((family, name))
            if style is not None:
                found = _Style(
                    is_struck=style.is_struck if found.is_struck is None else found.is_struck,
                    is_raised=style.is_raised if found.is_raised is None else found.is_raised,
                    size=style.size if found.size is None else found.size,
                )
            if not name:
                break
            name = style.parent if style else ""
            seen += 1
        return found


def _with_properties(style: _Style, attributes: dict[str, str]) -> _Style:
    struck = attributes.get(f"{_STYLE}text-line-through-style")
    raised = attributes.get(f"{_STYLE}text-position")
    size = _POINTS.fullmatch(attributes.get(f"{_FONT}font-size", ""))
    return _Style(
        style.parent,
        is_struck=None if struck is None else struck != "none",
        is_raised=None if raised is None else raised.startswith("super") or (raised[:1].isdigit() and raised[0] != "0"),
        size=float(size[1]) if size else None,
    )
