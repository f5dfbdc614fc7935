"""Pages of the game as sections: a heading with the paragraphs, list items and tables below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from render.base.findings import Diagnostic, Severity, Span
from render.games.kotc.workshop.pages.mathml import shown_formula
from render.games.kotc.workshop.pages.tree import Element, MarkupPage, Node, Words, prose

UNKNOWN = "its title is misspelt, or the rules have something new that this version cannot read"  # of a section
LONGEST_WORDS = 500  # characters of a page that are shown of one place: the longest text has 190
TEXT = "text"  # the name of a block of words outside paragraphs, list items and tables

_HEADING = re.compile("h[1-6]")
_CONTAINERS = frozenset(
    "html body main div section article header footer center blockquote ul ol menu dl figure form".split()
)
_BLOCKS = frozenset("p li dt dd pre table".split())
_PASSED_OVER = frozenset("head title nav img".split())  # contents, menus, pictures
_OF_TEXT = frozenset("h2 h3 h4 h5 h6 li table math".split())
_APART = frozenset("td th tr br p li".split())
_NESTED = frozenset("ul ol menu dl li table h1 h2 h3 h4 h5 h6".split())


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is below it, up to the next heading of any rank (1 is the highest)."""

    title: str
    rank: int
    heading: Element
    blocks: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class PassageRead:
    """What words of a page say: an entry of `section`, a key of the data file.

    `meaning` is the entry as people read it. `problem` says why the words were not understood, and then there is none.
    """

    section: str
    place: Span
    words: str
    meaning: str = ""
    problem: Diagnostic | None = None


@dataclass(slots=True, kw_only=True)
class PageReading:
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

    def note(self, number: str, message: str, node: Node, hint: str = "") -> None:
        """Note that a part of the page is not understood; `number` is the code without the letter."""
        self.note_words(number, message, node, shown_words(self.item or node), hint)

    def note_words(self, number: str, message: str, node: Node, words: str, hint: str = "") -> None:
        """Note that only these words of a part of the page are not understood."""
        self.note_at(number, message, self.page.span(node), words, hint)

    def note_at(self, number: str, message: str, place: Span, words: str, hint: str = "") -> None:
        """Note that words at a place of the page are not understood."""
        finding = Diagnostic(f"G{number}", message, hint, Severity.WARNING).at(place)
        self.passages.append(PassageRead(self.topic, place, words, problem=finding))

    def refuse(self, number: str, message: str, place: Span, hint: str = "") -> None:
        """Note something that cannot be true, for which the page is refused."""
        self.findings.append(Diagnostic(f"G{number}", message, hint).at(place))

    def understand(self, node: Node, meaning: str, words: str = "") -> None:
        """Note what a part of the page says, or what some of its words say."""
        self.passages.append(PassageRead(self.topic, self.page.span(node), words or shown_words(node), meaning))

    @property
    def missed(self) -> list[PassageRead]:
        """What was not understood."""
        return [each for each in self.passages if each.problem is not None]

    def behind(self, title: str) -> list[Section]:
        """Return the sections behind the one of that title, whatever their rank: chapters asked for end their page."""
        titles = [section.title.lower() for section in self.sections]
        return self.sections[titles.index(title) + 1 :] if title in titles else []

    @property
    def title(self) -> Element:
        """The first heading of the page, the place for what the page lacks as a whole."""
        return next((section.heading for section in self.sections if section.title), self.page.root)

    def contents(self) -> Iterator[Element]:
        """Yield the links of the page's tables of contents and menus."""
        for element in self.page.root.elements():
            if element.name == "nav":
                yield from (link for link in element.elements() if link.name == "a")

    def blocks(self) -> Iterator[Element]:
        """Yield all paragraphs, list items, tables and loose words of the page."""
        for section in self.sections:
            yield from section.blocks


def shown_words(node: Node) -> str:
    """Return the words of a node as people read them, with formulas on one line and nothing that cannot be seen."""
    words = "".join(_shown_pieces(node) if isinstance(node, Element) else [node.text])
    seen = "".join(char if char.isprintable() else " " for char in words)
    short = " ".join(seen.split())
    return short if len(short) <= LONGEST_WORDS else f"{short[: LONGEST_WORDS - 1]}…"


def _shown_pieces(element: Element) -> Iterator[str]:
    if element.name == "math":
        yield f"{shown_formula(element)} "
        return
    if element.name == "var":
        yield f"{{{prose(element)}}}"
        return
    for child in element.children:
        if isinstance(child, Element):
            yield from _shown_pieces(child)
            yield " " if child.name in _APART else ""
        else:
            yield child.text


def reading_of(page: MarkupPage) -> PageReading:
    """Return the page with its sections; text before the first heading belongs to one without a title."""
    main = _main(page.root)
    sections: list[Section] = []
    heading, blocks = Element("h1", (), main.start, main.start), list[Element]()
    for block in _blocks(main):
        if _HEADING.fullmatch(block.name):
            sections.append(_section(heading, blocks))
            heading, blocks = block, []
        else:
            blocks.append(block)
    return PageReading(page=page, sections=[*sections, _section(heading, blocks)])


def _main(root: Element) -> Element:
    """Return the element with the text of the page: `main`, unless headings, lists or tables stand outside it."""
    main = next((element for element in root.elements() if element.name == "main"), root)
    inside = {id(element) for element in main.elements()}
    passed_over = {id(inner) for element in root.elements() if element.name == "nav" for inner in element.elements()}
    known = inside | passed_over
    outside = (element for element in root.elements() if id(element) not in known)
    return root if any(element.name in _OF_TEXT for element in outside) else main


def _section(heading: Element, blocks: list[Element]) -> Section:
    return Section(prose(heading), int(heading.name[1]), heading, tuple(blocks))


def _blocks(container: Element) -> Iterator[Element]:
    """Yield headings and blocks in page order; blocks nested in a block follow it."""
    loose: list[Node] = []
    for child in container.children:
        if isinstance(child, Element) and _is_block(child):
            yield from _loose(loose)
            loose = []
            yield from _block(child) if child.name in _BLOCKS or _HEADING.fullmatch(child.name) else _blocks(child)
        elif isinstance(child, Words) or not _is_passed_over(child):
            loose.append(child)
    yield from _loose(loose)


def _is_block(element: Element) -> bool:
    is_text = element.name == "nav" and not _is_passed_over(element)
    return element.name in _CONTAINERS | _BLOCKS or _HEADING.fullmatch(element.name) is not None or is_text


def _is_passed_over(element: Element) -> bool:
    """Return whether an element is no text of the page: a menu is none if it has nothing but links."""
    if element.name == "nav":
        return not _has_more_than_links(element)
    return element.name in _PASSED_OVER and not any(each.name in _OF_TEXT for each in element.elements())


def _has_more_than_links(element: Element) -> bool:
    for child in element.children:
        if isinstance(child, Words):
            if child.text.strip():
                return True
        elif child.name != "a" and _has_more_than_links(child):
            return True
    return False


def _loose(nodes: list[Node]) -> Iterator[Element]:
    if any(prose(node) for node in nodes):
        yield Element(TEXT, tuple(nodes), nodes[0].start, nodes[-1].end)


def _block(element: Element) -> Iterator[Element]:
    if element.name == "table":
        yield element
        return
    nested: list[Element] = []
    yield _without_nested(element, nested)
    yield from _blocks(Element("div", tuple(nested), element.start, element.end))


def _without_nested(element: Element, nested: list[Element]) -> Element:
    """Return an element without the lists, tables and headings in it, which are added to `nested`."""
    kept: list[Node] = []
    for child in element.children:
        if isinstance(child, Element) and child.name in _NESTED:
            nested.append(child)
            if _HEADING.fullmatch(child.name):
                kept.append(child)  # also where it stands, as what follows may not belong to the block
        elif isinstance(child, Element) and child.name != "math":  # of which everything counts
            kept.append(_without_nested(child, nested))
        else:
            kept.append(child)
    return Element(element.name, tuple(kept), element.start, element.end)
