"""HTML pages as trees.

The standard library's tokenizer gives the tags with their places. Elements whose end tags may be omitted are closed as
the HTML standard says: a row by the next row, a list item by the next one, a paragraph by a block; a cell outside a row
begins one. Comments do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from render.base.findings import Refused
from render.games.kotc.workshop.pages.tree import MAX_DEPTH, Element, MarkupPage, Node, Words, broken_page


def parse_markup(text: str, file: Path) -> MarkupPage:
    """Turn the text of an HTML page into its tree; Refused if it is cut short or hides a part of itself."""
    builder = _Builder(file, text)
    return MarkupPage(file, text, builder.tree())


# --- the tree -------------------------------------------------------------------------------------------------------

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_BLOCKS = frozenset(
    "address article aside blockquote details div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol"
    " p pre section table ul".split()
)
_TABLE = frozenset({"table"})
# Which open elements a start tag closes, and inside which elements it looks for them.
_CLOSES = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu", "table"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tr": (frozenset({"tr"}), _TABLE),
    **{part: (frozenset({"tr", "thead", "tbody", "tfoot"}), _TABLE) for part in ("thead", "tbody", "tfoot")},
    **{block: (frozenset({"p"}), frozenset({"table", "td", "th"})) for block in _BLOCKS},
}  # fmt: skip
# An end tag closes nothing outside these; that of a part of a table, nothing outside the table.
_WALLS = frozenset({"table", "td", "th", "math"})
_PARTS_OF_TABLES = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})
_UNSEEN = frozenset({"script", "style"})
_CELLS_OF = frozenset({"tr", "td", "th"})
_WHOLE = frozenset({"html", "body", "main"})  # a page that was saved in full closes what it opens of these


@dataclass(slots=True)
class _Open:
    """An element that is not closed yet."""

    name: str
    start: int
    children: list[Node] = field(default_factory=list)


class _Builder(HTMLParser):
    """Builds the tree of one page."""

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._file, self._text = file, text
        self._lines = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        self._open = [_Open("", 0)]

    def tree(self) -> Element:
        self.feed(self._text)
        # What the tokenizer holds back at the end is text, or a tag or comment that is cut short.
        if self.rawdata.startswith("<"):
            thing = "comment" if self.rawdata.startswith("<!--") else "tag"
            raise self._broken(f"the {thing} that begins here is never closed", self._here)
        self.close()
        for element in self._open[1:]:
            if element.name in _WHOLE:
                raise self._broken(f"the page breaks off: `<{element.name}>` is never closed", element.start)
        while len(self._open) > 1:
            self._close_last(len(self._text))
        root = self._open[0]
        return Element(root.name, tuple(root.children), 0, len(self._text))

    # --- what the tokenizer tells -----

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = self._here
        if "<" in (self.get_starttag_text() or "")[1:]:
            raise self._broken("the tag that begins here reaches over the next one", at)
        if tag == "head" and self._index("body") is not None:
            return  # as browsers do: what follows is text of the page
        self._make_room(tag, at)
        if len(self._open) > MAX_DEPTH:
            raise self._broken(f"more than {MAX_DEPTH} elements lie within each other", at)
        self._open.append(_Open(tag, at))
        if tag in _VOID:
            self._close_last(at + len(self.get_starttag_text() or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        # `/>` closes an element only in MathML; HTML ignores it.
        if tag not in _VOID and self._index("math") is not None:
            self._close_last(self._here + len(self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        index = self._index(tag, walls=(_TABLE if tag in _PARTS_OF_TABLES else _WALLS) - {tag})
        end = self._text.find(">", self._here) + 1
        if index is not None:
            while len(self._open) > index + 1:
                self._close_last(end, is_meant=False)
            self._close_last(end)
        elif self._index("math") is not None:
            # What a formula is without it, nobody knows, so that it must not be understood.
            self._open[-1].children.append(Element(f"/{tag}", (), self._here, end))

    def handle_data(self, data: str) -> None:
        if self._open[-1].name in _UNSEEN:
            return
        start = self._here
        end = start + len(data)
        if self._text[start:end] != data:  # entities: the text reaches to the next tag
            following = self._text.find("<", start + 1)
            end = following if following >= 0 else len(self._text)
        self._open[-1].children.append(Words(data, start, end))

    def handle_comment(self, data: str) -> None:
        """A comment within a comment: the first one has lost its end, and hides what lies between."""
        if "<!--" in data:
            raise self._broken("the comment that begins here reaches over the next one", self._here)

    # --- open elements -----

    @property
    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _make_room(self, tag: str, at: int) -> None:
        """Close what a start tag closes, and open the row that a cell needs."""
        closed, walls = _CLOSES.get(tag, (frozenset(), frozenset()))
        index = max((self._index(name, walls) or 0 for name in closed), default=0)
        while index and len(self._open) > index:
            self._close_last(at)
        if tag in ("td", "th") and self._index("table") is not None and self._open[-1].name not in _CELLS_OF:
            self._open.append(_Open("tr", at))

    def _index(self, name: str, walls: frozenset[str] = frozenset()) -> int | None:
        """Return the index of the innermost open element of that name inside the walls; None if there is none."""
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].name == name:
                return index
            if self._open[index].name in walls:
                return None
        return None

    def _close_last(self, end: int, *, is_meant: bool = True) -> None:
        """Close the innermost element; one of a formula that has no end tag gets a name that no formula has."""
        is_broken = not is_meant and self._index("math") is not None
        last = self._open.pop()
        name = f"{last.name} without end" if is_broken else last.name
        self._open[-1].children.append(Element(name, tuple(last.children), last.start, end))

    def _broken(self, message: str, at: int) -> Refused:
        return broken_page(self._file, self._text, message, at)
