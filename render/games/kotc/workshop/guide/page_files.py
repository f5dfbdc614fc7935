"""Page files as trees: HTML, flat OpenDocument text and plain text, told apart by their content.

Every word keeps its place, and a page that is cut short or hides a part of itself is refused. lxml does neither: it
tells the lines of tags alone, and mends a page. So the tokenizers are those of the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from render.base.findings import Diagnostic, Refused, Span
from render.base.patterns import regex
from render.games.kotc.workshop.guide.pages import Element, MarkupPage, Node, Words
from render.source import reader
from render.source.nodes import span

MAX_DEPTH = 100  # elements inside each other: the game's own pages have 13
MAX_STYLES = 20_000  # the guides have 456
LONGEST_HEADING = 60  # characters: the longest of the rulebooks, "Redacted Ability Text (Banned Cards)", has 36

_XML = regex(r"\s*<\?xml\b|\s*<office:document\b")
_HTML = regex(r"\s*(?:<!--.*?-->\s*)*<[!a-z]", re.IGNORECASE | re.DOTALL)
_CONTROL = regex(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_PACKED = {b"PK\x03\x04": "an OpenDocument or Word file", b"%PDF": "a PDF"}


def read_page(file: Path) -> MarkupPage:
    """Return the page in a file; Refused if it cannot be read, or is cut short."""
    content = reader.read_bytes(file)
    for start, thing in _PACKED.items():
        if content.startswith(start):
            hint = "save the page as HTML, or from an office program as flat OpenDocument text (`.fodt`)"
            raise Refused([Diagnostic("G003", f"`{file}` is {thing}, which is not read", hint).at(Span(file=file))])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused([Diagnostic("G001", message, "save the page as UTF-8").at(Span(file=file, line=line))]) from None
    return parse_page(text, file)


def parse_page(text: str, file: Path) -> MarkupPage:
    """Turn the text of a page of any format into its tree; Refused if it is cut short."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    control = _CONTROL.search(text)
    if control:
        message = f"U+{ord(control[0]):04X} is no character of a text"
        place = span(file, text, control.span())
        raise Refused([Diagnostic("G001", message, "save the page again").at(place)])
    if _XML.match(text) and "<html" not in text[:1000]:  # XHTML may begin so, too
        root = _OpenDocument(file, text).tree()
    else:
        root = _Html(file, text).tree() if _HTML.match(text) else _plain_tree(text)
    return MarkupPage(file, text, root)


class _Builder:
    """The tree of a page while a parser reads it: a stack of elements that are not closed yet."""

    def __init__(self, file: Path, text: str) -> None:
        self.file, self.text = file, text
        self.open = [Element("", 0, len(text))]

    def begin(self, name: str, at: int) -> Element:
        if len(self.open) > MAX_DEPTH:
            self.refuse(f"more than {MAX_DEPTH} elements lie within each other", at)
        element = Element(name, at)
        self.open[-1].children.append(element)
        self.open.append(element)
        return element

    def refuse(self, message: str, at: int, hint: str = "save the whole page again") -> NoReturn:
        """Refuse the page for the rest of the line from offset `at` on."""
        end = self.text.find("\n", at)
        place = span(self.file, self.text, (at, end if end >= 0 else len(self.text)))
        raise Refused([Diagnostic("G002", message, hint).at(place)])


# --- HTML -----------------------------------------------------------------------------------------------------------

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_TABLE = frozenset({"table"})
_CELLS = frozenset({"td", "th"})
_PARTS_OF_TABLES = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})
# Which open elements a start tag closes, and inside which elements it looks for them (HTML, "Optional tags").
_CLOSES = {
    "li": ("li", "ul ol menu table"), "dt": ("dt dd", "dl table"), "dd": ("dt dd", "dl table"),
    "td": ("td th", "tr table"), "th": ("td th", "tr table"), "tr": ("tr", "table"),
    **dict.fromkeys(("thead", "tbody", "tfoot"), ("tr thead tbody tfoot", "table")),
    **dict.fromkeys(
        "address article aside blockquote details div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main menu nav"
        " ol p pre section table ul".split(), ("p", "table td th")
    ),
}  # fmt: skip
_WHOLE = frozenset({"html", "body", "main"})  # a page that was saved in full closes what it opens of these


class _Html(HTMLParser):
    """The tree of an HTML page. Elements whose end tags may be omitted are closed as the standard says; a cell outside
    a row begins one. Comments do not count.
    """

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._page = _Builder(file, text)
        self._open = self._page.open
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def tree(self) -> Element:
        self.feed(self._text)
        # What the tokenizer holds back at the end is text, or a tag or comment that is cut short.
        if self.rawdata.startswith("<"):
            thing = "comment" if self.rawdata.startswith("<!--") else "tag"
            self._page.refuse(f"the {thing} that begins here is never closed", self._here)
        self.close()
        for element in self._open[1:]:
            if element.name in _WHOLE:
                self._page.refuse(f"the page breaks off: `<{element.name}>` is never closed", element.start)
        while len(self._open) > 1:
            self._close_last(len(self._text))
        return self._open[0]

    # --- what the tokenizer tells -----

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at, written = self._here, self.get_starttag_text() or ""
        if "<" in written[1:]:
            self._page.refuse("the tag that begins here reaches over the next one", at)
        if tag == "head" and self._index("body"):
            return  # as browsers do: what follows is text of the page
        closed, walls = (frozenset(names.split()) for names in _CLOSES.get(tag, ("", "")))
        index = max((self._index(name, walls) for name in closed), default=0)
        while index and len(self._open) > index:
            self._close_last(at)
        if tag in _CELLS and self._index("table") and self._open[-1].name not in ("tr", "td", "th"):
            self._open[-1].children.append(row := Element("tr", at))
            self._open.append(row)
        self._page.begin(tag, at)
        if tag in _VOID:
            self._close_last(at + len(written))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        # `/>` closes an element only in MathML; HTML ignores it.
        if tag not in _VOID and self._index("math"):
            self._close_last(self._here + len(self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        # It closes nothing outside a cell or a formula; that of a part of a table, nothing outside the table.
        walls = _TABLE if tag in _PARTS_OF_TABLES else frozenset({"table", "td", "th", "math"})
        index = self._index(tag, walls - {tag})
        end = self._text.find(">", self._here) + 1
        if index:
            while len(self._open) > index:
                self._close_last(end, is_meant=len(self._open) == index + 1)
        elif self._index("math"):
            # What a formula is without it, nobody knows, so that it must not be understood.
            self._open[-1].children.append(Element(f"/{tag}", self._here, end))

    def handle_data(self, data: str) -> None:
        if self._open[-1].name in ("script", "style"):
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
            self._page.refuse("the comment that begins here reaches over the next one", self._here)

    # --- open elements -----

    @property
    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _index(self, name: str, walls: frozenset[str] = frozenset()) -> int:
        """Return the index of the innermost open element of that name inside the walls; 0 if there is none."""
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].name == name:
                return index
            if self._open[index].name in walls:
                return 0
        return 0

    def _close_last(self, end: int, *, is_meant: bool = True) -> None:
        """Close the innermost element; one of a formula that has no end tag gets a name that no formula has."""
        is_broken = not is_meant and self._index("math")
        last = self._open.pop()
        last.end = end
        if is_broken:
            last.name = f"{last.name} without end"


# --- flat OpenDocument (OASIS OpenDocument 1.3) ---------------------------------------------------------------------

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _STYLE, _OFFICE, _OF_TABLE = (f"{_OASIS}{part}:1.0 " for part in ("text", "style", "office", "table"))
_FONT_SIZE = f"{_OASIS}xsl-fo-compatible:1.0 font-size"
# What these elements are called in HTML; others keep their names, which no reader of texts knows.
_NAMES = {
    **{f"{_TEXT}{name}": name for name in ("p", "h", "span", "a", "section")},
    f"{_TEXT}list": "ul",
    f"{_TEXT}list-item": "li",
    f"{_TEXT}list-header": "li",
    f"{_TEXT}line-break": "br",
    f"{_OF_TABLE}table": "table",
    f"{_OF_TABLE}table-row": "tr",
    f"{_OF_TABLE}table-cell": "td",
    f"{_OF_TABLE}table-header-rows": "thead",
    f"{_OF_TABLE}table-rows": "tbody",
}
_SPACES = frozenset({f"{_TEXT}s", f"{_TEXT}tab"})
# Marks between words, and declarations: none of their words is on the page.
_UNSEEN = frozenset(
    f"{_TEXT}{name}"
    for name in (
        "soft-page-break bookmark bookmark-start bookmark-end sequence-decls variable-decls user-field-decls"
        " reference-mark reference-mark-start reference-mark-end table-of-content"
    ).split()
) | {f"{_OFFICE}{name}" for name in "forms annotation annotation-end".split()} | {f"{_OF_TABLE}table-column"}  # fmt: skip
_HOLDS_WORDS = frozenset({"p", "h", "span", "a", "h1", "h2", "h3", "h4", "h5", "h6"})
_POINTS = regex(r"([0-9]{1,4}(?:\.[0-9]{1,4})?)pt")

_RANK = regex("[1-9][0-9]?")

_Look = dict[str, float]
"""Of words: `struck` and `raised` are 0 or 1, `size` is in points; what is not there is not said."""


class _OpenDocument:
    """The tree of a flat OpenDocument text, with the names of HTML, while expat reads it.

    Office programs save these pages without headings: a paragraph in larger type than running text is one. Crossed-out
    words become `del` and raised ones `sup`. A document type, and with it every entity, is refused, so that no entity
    can grow and nothing outside the page is read.
    """

    def __init__(self, file: Path, text: str) -> None:
        self._page = _Builder(file, text)
        self._open = self._page.open
        self._looks: list[_Look] = [{}]  # of the words in each open element
        self._content = text.encode()
        self._at_byte = self._at = 0  # the same place, in bytes and in characters
        self._styles: dict[tuple[str, str], tuple[str, _Look]] = {}  # by family and name: the parent, and what it says
        self._style = ("", "")
        self._depth = self._unseen = 0
        self._in_body = False
        self._words, self._words_start = "", 0
        self._large: list[tuple[Element, float]] = []  # paragraphs that are headings, with their sizes
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
            self._page.refuse(f"this is no XML: {reason}", self._here)
        sizes = sorted({size for _, size in self._large}, reverse=True)
        for paragraph, size in self._large:  # the largest of the second rank, below the page's title
            paragraph.name = f"h{min(sizes.index(size) + 2, 6)}"
        return self._open[0]

    def _document_type(self, *_: object) -> NoReturn:
        message = "the page has a document type, which OpenDocument files do not have"
        self._page.refuse(message, self._here, "save it again from an office program")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        here = self._flush_words()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._page.refuse(f"more than {MAX_DEPTH} elements lie within each other", here)
        if name.startswith(_STYLE):
            self._read_style(name, attributes, here)
        if name == f"{_TEXT}tracked-changes":
            hint = "accept or reject them in the office program and save it again"
            self._page.refuse("the page has changes that are neither accepted nor rejected", here, hint)
        if self._unseen or name in _UNSEEN or (self._in_body and name in _SPACES):
            self._unseen += 1
            holds_words = any(element.name in _HOLDS_WORDS for element in self._open)
            if name in _SPACES and self._unseen == 1 and holds_words:
                self._open[-1].children.append(Words(" ", here, here))
        elif self._in_body:
            self._open_element(name, attributes, here)
        elif name == f"{_OFFICE}text":
            self._in_body = True
            self._page.begin("main", here)
            self._looks.append({})

    def _open_element(self, name: str, attributes: dict[str, str], here: int) -> None:
        tag = _NAMES.get(name) or name.rpartition(" ")[2]
        family = "paragraph" if tag in ("p", "h") else "text"
        own = self._look(family, attributes.get(f"{_TEXT}style-name", ""))
        inherited = {key: value for key, value in self._looks[-1].items() if key != "size"}
        self._looks.append({**inherited, **own})
        if tag == "h":
            rank = attributes.get(f"{_TEXT}outline-level", "")
            tag = f"h{min(int(rank), 6) if _RANK.fullmatch(rank) else 1}"
        self._page.begin(tag, here)

    def _end(self, name: str) -> None:
        here = self._flush_words()
        self._depth -= 1
        if self._unseen:
            self._unseen -= 1
        elif self._in_body:
            element, size = self._open.pop(), self._looks.pop().get("size")
            element.end = here
            if element.name == "p" and element.children and not {"li", "td"} & {each.name for each in self._open}:
                running = self._look("paragraph", "Standard").get("size") or 12.0
                if size is not None and size > running:
                    self._large.append((element, size))
            self._in_body = name != f"{_OFFICE}text"

    def _characters(self, data: str) -> None:
        if self._in_body and not self._unseen:
            if not self._words:
                self._words_start = self._here
            self._words += data

    @property
    def _here(self) -> int:
        """The offset in characters of what expat is at; it only ever moves on."""
        at = self._parser.CurrentByteIndex
        if at > self._at_byte:
            self._at += len(self._content[self._at_byte : at].decode("utf-8", "replace"))
            self._at_byte = at
        return self._at

    def _flush_words(self) -> int:
        """Add the words that were read, in the look of their element, and return the place behind them."""
        here, start, words = self._here, self._words_start, self._words
        if words.strip() or (words and self._open[-1].name in _HOLDS_WORDS):
            node: Node = Words(words, start, here)
            for key, tag in (("raised", "sup"), ("struck", "del")):
                if self._looks[-1].get(key):
                    node = Element(tag, start, here, [node])
            self._open[-1].children.append(node)
        self._words = ""
        return here

    # --- styles -----

    def _read_style(self, name: str, attributes: dict[str, str], here: int) -> None:
        if name in (f"{_STYLE}style", f"{_STYLE}default-style"):
            self._style = (attributes.get(f"{_STYLE}family", ""), attributes.get(f"{_STYLE}name", ""))
            self._styles[self._style] = (attributes.get(f"{_STYLE}parent-style-name", ""), {})
            if len(self._styles) > MAX_STYLES:
                self._page.refuse(f"the page has more than {MAX_STYLES:,} styles", here)
        elif name == f"{_STYLE}text-properties" and self._style in self._styles:
            look = self._styles[self._style][1]
            look.clear()
            struck = attributes.get(f"{_STYLE}text-line-through-style")
            if struck is not None:
                look["struck"] = struck != "none"
            raised = attributes.get(f"{_STYLE}text-position")
            if raised is not None:
                look["raised"] = raised.startswith("super") or (raised[:1].isdigit() and raised[0] != "0")
            if size := _POINTS.fullmatch(attributes.get(_FONT_SIZE, "")):
                look["size"] = float(size[1])

    def _look(self, family: str, name: str) -> _Look:
        """Return what a style says with those that it is based on, down to the default of its family."""
        found: _Look = {}
        for _ in range(MAX_DEPTH):
            parent, own = self._styles.get((family, name), ("", {}))
            found = {**own, **found}
            if not name:
                break
            name = parent
        return found


# --- plain text -----------------------------------------------------------------------------------------------------

_ITEM = regex(r" ?(?:[-•]) +(?:[0-9]{1,3}\. +)?")
_BULLET = regex(r"\s*[*•]\s*")
_HEADING = regex(r"[A-Z][^|“”\"→]*[^\s.:;,!?|”\"]")
_MARK = regex(r"\*\*")
_RULE = regex(r"\|(?:\s*:?-+:?\s*\|)+\s*")  # the line below the head of a table


def _plain_tree(text: str) -> Element:
    """Return the tree of a plain text, whose blocks are told apart by their lines.

    A line of its own is a block. An item of a list begins with `-` or `•`, or stands below a line with nothing but `*`;
    it goes on in the lines that begin with a space. A short line without a full stop is a heading, the first one of the
    page. `**` marks bold words. Rows of a table begin with `|`.
    """
    blocks: list[Element] = []
    item = Element("li", 0)
    for kind, start, end in _lines(text):
        if kind == "tr":
            if not blocks or blocks[-1].name != "table":
                blocks.append(Element("table", start))
            blocks[-1].children.append(Element("tr", start, end, list(_cells(text, start + 1, end))))
        elif kind == "more":
            item.children += [Words(" ", start, start), *_bold_words(text, start, end)]
            item.end = end
        else:
            item = Element(
                "h2" if kind == "h3" and not blocks else kind, start, end, list(_bold_words(text, start, end))
            )
            blocks.append(Element("ul", start, end, [item]) if kind == "li" else item)
        blocks[-1].end = end
    return Element("", 0, len(text), [*blocks])


def _lines(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the lines that have words: what kind of block each begins, and the offsets of its words; `more` goes on."""
    before, is_bullet = "", False
    for match in re.finditer(r"[^\n]+", text):
        line = match[0]
        if not line.strip() or _RULE.fullmatch(line):
            continue
        if _BULLET.fullmatch(line):
            is_bullet = True
            continue
        item = _ITEM.match(line)
        skipped = item.end() if item else len(line) - len(line.lstrip())
        if item or is_bullet:
            kind = before = "li"
        elif line[0] == " " and before == "li":
            kind = "more"
        elif line.startswith("|"):
            kind = before = "tr"
        else:
            is_heading = len(line) <= LONGEST_HEADING and _HEADING.fullmatch(line.rstrip())
            kind = before = "h3" if is_heading else "p"
        is_bullet = False
        yield kind, match.start() + skipped, match.start() + len(line.rstrip())


def _bold_words(text: str, start: int, end: int) -> Iterator[Words]:
    """Yield the words of a line without the marks of bold ones."""
    at = start
    for mark in [*_MARK.finditer(text, start, end)]:
        if mark.start() > at:
            yield Words(text[at : mark.start()], at, mark.start())
        at = mark.end()
    if at < end:
        yield Words(text[at:end], at, end)


def _cells(text: str, at: int, line_end: int) -> Iterator[Element]:
    """Yield the cells of a row; those of the first row of a table are read as a row of texts as well."""
    while at < line_end:
        bar = text.find("|", at, line_end)
        end = bar if bar >= 0 else line_end
        yield Element("td", at, end, list(_bold_words(text, at, end)))
        at = end + 1
