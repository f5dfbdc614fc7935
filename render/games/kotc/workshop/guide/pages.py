"""Pages of the game as trees and sections, whatever format they are saved in, and what was read of them.

Elements have the names that HTML gives them, and know their places in the file. A section is a heading with the
paragraphs, list items and tables below it. No rule of the game is known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from render.base.findings import Diagnostic, Severity, Span, quoted
from render.base.patterns import regex
from render.source.nodes import span

UNKNOWN = "its title is misspelt, or the rules have something new that this version cannot read"  # of a section
LONGEST_WORDS = 500  # characters of a page that are shown of one place: the longest text has 190


class Words(Struct, frozen=True):
    """A stretch of text between tags, entities resolved; `start` and `end` are offsets into the page's text."""

    text: str
    start: int
    end: int


class Element(Struct, eq=False):
    """An element with its children; `start` and `end` are offsets into the page's text. A parser fills it."""

    name: str
    start: int
    end: int = 0
    children: list[Node] = field(default_factory=list)

    def elements(self) -> Iterator[Element]:
        """Yield this element and all elements in it, in page order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.elements()

    def words(self) -> Iterator[Words]:
        """Yield all text in it, in page order."""
        for child in self.children:
            if isinstance(child, Element):
                yield from child.words()
            else:
                yield child


Node = Element | Words


class MarkupPage(Struct, frozen=True):
    """A page as read: its file, its text with single line feeds, and its tree."""

    file: Path
    text: str
    root: Element

    def span(self, node: Node) -> Span:
        """Return the place of a node's content, without its tags and the space around it."""
        words = [each for each in node.words() if each.text.strip()] if isinstance(node, Element) else [node]
        if not words:
            return span(self.file, self.text, (node.start, node.end))
        first, last = self.text[words[0].start : words[0].end], self.text[words[-1].start : words[-1].end]
        start = words[0].start + len(first) - len(first.lstrip())
        end = max(words[-1].start + len(last) - len(last.lstrip()), words[-1].start + len(last.rstrip()))
        return span(self.file, self.text, (start, end))


# --- words ----------------------------------------------------------------------------------------------------------

_APART = frozenset("td th tr br p li".split())


def prose(node: Node) -> str:
    """Return the words of a node as running text."""
    words = node.words() if isinstance(node, Element) else [node]
    return " ".join("".join(each.text for each in words).split())


def rules_prose(node: Node) -> str:
    """Return the words of a node as running text; crossed-out ones stand between `~`: no known sentence has these."""
    return " ".join("".join(_pieces_with_struck(node)).split())


def _pieces_with_struck(node: Node) -> Iterator[str]:
    if isinstance(node, Words):
        yield node.text
    else:
        words = [piece for child in node.children for piece in _pieces_with_struck(child)]
        yield from ["~", *words, "~"] if node.name in ("del", "s", "strike") else words


def shown_words(node: Node) -> str:
    """Return the words of a node as people read them, with formulas on one line and nothing that cannot be seen."""
    words = "".join(_shown_pieces(node))
    short = " ".join("".join(char if char.isprintable() else " " for char in words).split())
    return short if len(short) <= LONGEST_WORDS else f"{short[: LONGEST_WORDS - 1]}…"


def _shown_pieces(node: Node) -> Iterator[str]:
    if isinstance(node, Words):
        yield node.text
    elif node.name == "math":
        yield f"{shown_formula(node)} "
    elif node.name == "var":
        yield f"{{{prose(node)}}}"
    else:
        for child in node.children:
            yield from _shown_pieces(child)
            yield " " if isinstance(child, Element) and child.name in _APART else ""


# --- formulas in MathML ---------------------------------------------------------------------------------------------

_NEEDLESS = regex(r"(?<=[(/])\(([a-z]|[0-9]+)\)|(?<=\()\(([^()]*)\)(?=\))")
_SIGN = regex(r"[^\W\d_]|[0-9]+(?:\.[0-9]+)?|[^\w\s]?")  # a letter, a number, or another sign
_PARTS = {"mfrac": ("a fraction", "(({0})/({1}))"), "msup": ("a power", "{0}^{1}")}


def formula_line(node: Node) -> str:
    """Return a formula on one line, as the guide prints it, `(t = (x + 4y)/5)`: a fraction or power groups terms.

    ValueError names what is not understood.
    """
    if isinstance(node, Words):
        raise ValueError(f"`{node.text.strip()}` stands outside its elements")
    if node.name in ("mi", "mn", "mo", "mtext") and all(isinstance(child, Words) for child in node.children):
        if not _SIGN.fullmatch(prose(node)):
            raise ValueError(f"`{prose(node)}` is more than one sign in one place")
        return f" {prose(node)} "
    parts = [formula_line(child) for child in node.children if isinstance(child, Element) or child.text.strip()]
    if node.name in ("math", "mrow", "mstyle", "mpadded"):
        return "".join(parts)
    if node.name not in _PARTS:
        raise ValueError(f"`<{node.name}>` is not understood")
    thing, pattern = _PARTS[node.name]
    if len(parts) != 2:
        raise ValueError(f"{thing} needs two parts, and here are {len(parts)}")
    over, behind = (part.strip() for part in parts)
    if node.name == "msup" and len(over) > 1:
        over = f"({over})"  # which the formulas of the game do not have, and their parser refuses
    return pattern.format(over, behind)


def shown_formula(element: Element) -> str:
    """Return a formula for people: on one line as far as that is possible, else its words."""
    try:
        line = formula_line(element)
    except ValueError:
        line = prose(element)
    short = "".join(line.replace("\N{INVISIBLE TIMES}", "").split())
    while _NEEDLESS.search(short):
        short = _NEEDLESS.sub(r"\1\2", short)
    return short


# --- what was read --------------------------------------------------------------------------------------------------


class Section(Struct, frozen=True):
    """A heading and what is below it, up to the next heading of any rank (1 is the highest)."""

    title: str
    rank: int
    heading: Element
    blocks: tuple[Element, ...]

    @property
    def has_items(self) -> bool:
        return any(block.name == "li" for block in self.blocks)


class PassageRead(Struct, frozen=True):
    """What words of a page say: an entry of `section`, a key of the data file.

    `meaning` is the entry as people read it. `problem` says why the words were not understood, and then there is none.
    """

    section: str
    place: Span
    words: str
    meaning: str = ""
    problem: Diagnostic | None = None


class PageReading(Struct, kw_only=True, eq=False):
    """A page being read: its sections, what was understood, what was not, and what cannot be true.

    `topic` is the key of the data file about which the page is being read, `item` the entry of a list whose parts are
    being read, if there is one.
    """

    page: MarkupPage
    sections: list[Section]
    findings: list[Diagnostic] = field(default_factory=list)
    passages: list[PassageRead] = field(default_factory=list)
    topic: str = ""
    item: Element | None = None

    def note(self, number: str, message: str, where: Node | Span, hint: str = "", words: str = "") -> None:
        """Note that a part of the page, or only these words of it, is not understood; `number` is of the code."""
        place = where if isinstance(where, Span) else self.page.span(where)
        if not words and not isinstance(where, Span):
            words = shown_words(self.item or where)
        finding = Diagnostic(f"G{number}", message, hint, Severity.WARNING).at(place)
        self.passages.append(PassageRead(self.topic, place, words, problem=finding))

    def refuse(self, number: str, message: str, where: Node | Span, hint: str = "") -> None:
        """Note something that cannot be true, for which the page is refused."""
        place = where if isinstance(where, Span) else self.page.span(where)
        self.findings.append(Diagnostic(f"G{number}", message, hint).at(place))

    def understand(self, node: Node, meaning: str, words: str = "") -> None:
        """Note what a part of the page says, or what some of its words say."""
        self.passages.append(PassageRead(self.topic, self.page.span(node), words or shown_words(node), meaning))

    @property
    def missed(self) -> list[PassageRead]:
        """What was not understood."""
        return [passage for passage in self.passages if passage.problem is not None]

    @property
    def title(self) -> Element:
        """The first heading of the page, the place for what the page lacks as a whole."""
        return next((section.heading for section in self.sections if section.title), self.page.root)

    def titles(self) -> list[Element]:
        """Return the title of the page, and its headings of the first two ranks."""
        return [element for element in self.page.root.elements() if element.name in ("title", "h1", "h2")]

    def behind(self, title: str) -> list[Section]:
        """Return the sections behind the one of that title, whatever their rank: chapters asked for end their page."""
        titles = [section.title.lower() for section in self.sections]
        return self.sections[titles.index(title) + 1 :] if title in titles else []

    def note_unknown(self, section: Section, *, with_blocks: bool = True) -> None:
        """Note a section of a title that no published page has, and what it lists."""
        self.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)
        for block in section.blocks if with_blocks else ():
            if block.name != "p":
                self.note("021", f"it stands in a section that is not known, {quoted(section.title)}", block)


def reading_of(page: MarkupPage) -> PageReading:
    """Return the page with its sections; text before the first heading belongs to one without a title."""
    main = _main(page.root)
    sections: list[tuple[Element, list[Element]]] = [(Element("h1", main.start, main.start), [])]
    for block in _blocks(main):
        if _HEADING.fullmatch(block.name):
            sections.append((block, []))
        else:
            sections[-1][1].append(block)
    return PageReading(
        page=page,
        sections=[Section(prose(head), int(head.name[1]), head, tuple(blocks)) for head, blocks in sections],
    )


# --- sections -------------------------------------------------------------------------------------------------------

_HEADING = regex("h[1-6]")
_CONTAINERS = frozenset(
    "html body main div section article header footer center blockquote ul ol menu dl figure form".split()
)
_BLOCKS = frozenset("p li dt dd pre table".split())
_OF_TEXT = frozenset("h2 h3 h4 h5 h6 li table math".split())
_NESTED = frozenset("ul ol menu dl li table h1 h2 h3 h4 h5 h6".split())


def _main(root: Element) -> Element:
    """Return the element with the text of the page: `main`, unless headings, lists or tables stand outside it."""
    main = next((element for element in root.elements() if element.name == "main"), root)
    inside = set(main.elements())
    inside |= {inner for element in root.elements() if element.name == "nav" for inner in element.elements()}
    is_outside = any(element.name in _OF_TEXT for element in root.elements() if element not in inside)
    return root if is_outside else main


def _blocks(container: Element) -> Iterator[Element]:
    """Yield headings and blocks in page order, the blocks nested in a block behind it; loose words are blocks `text`."""
    loose: list[Node] = []
    for child in [*container.children, None]:
        is_block = isinstance(child, Element) and _is_block(child)
        if (child is None or is_block) and any(prose(node) for node in loose):
            yield Element("text", loose[0].start, loose[-1].end, loose)
        if isinstance(child, Element) and is_block:
            loose = []
            if child.name == "table":
                yield child
            elif child.name in _BLOCKS or _HEADING.fullmatch(child.name):
                nested = Element("div", child.start, child.end)
                yield _without_nested(child, nested.children)
                yield from _blocks(nested)
            else:
                yield from _blocks(child)
        elif isinstance(child, Words) or (child is not None and not _is_passed_over(child)):
            loose.append(child)


def _is_block(element: Element) -> bool:
    if element.name == "nav":
        return not _is_passed_over(element)
    return element.name in _CONTAINERS | _BLOCKS or _HEADING.fullmatch(element.name) is not None


def _is_passed_over(element: Element) -> bool:
    """Return whether an element is no text of the page: a menu is none if it has nothing but links."""
    if element.name == "nav":
        return not _has_more_than_links(element)
    is_unseen = element.name in ("head", "title", "img")
    return is_unseen and not any(inner.name in _OF_TEXT for inner in element.elements())


def _has_more_than_links(element: Element) -> bool:
    return any(
        child.text.strip() if isinstance(child, Words) else child.name != "a" and _has_more_than_links(child)
        for child in element.children
    )


def _without_nested(element: Element, nested: list[Node]) -> Element:
    """Return an element without the lists, tables and headings in it, which are added to `nested`."""
    rest = Element(element.name, element.start, element.end)
    for child in element.children:
        if isinstance(child, Element) and child.name in _NESTED:
            nested.append(child)
            if _HEADING.fullmatch(child.name):
                rest.children.append(child)  # also where it stands, as what follows may not belong to the block
        elif isinstance(child, Element) and child.name != "math":  # of which everything counts
            rest.children.append(_without_nested(child, nested))
        else:
            rest.children.append(child)
    return rest
