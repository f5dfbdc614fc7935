"""Pages as trees whose nodes know their places in the file. Elements have the names that HTML gives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span
from render.source.nodes import span

MAX_DEPTH = 100  # elements inside each other: the game's own pages have 13

_STRUCK = frozenset({"del", "s", "strike"})


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text between tags, entities resolved; `start` and `end` are offsets into the page's text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Element:
    """An element with its children; `start` and `end` are offsets into the page's text."""

    name: str
    children: tuple[Node, ...]
    start: int
    end: int

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


def prose(node: Node) -> str:
    """Return the words of a node as running text."""
    words = node.words() if isinstance(node, Element) else [node]
    return " ".join("".join(each.text for each in words).split())


def rules_prose(node: Node) -> str:
    """Return the words of a node as running text; crossed-out ones stand between `~`: no known sentence has these."""
    return " ".join("".join(_with_struck(node)).split())


def _with_struck(node: Node) -> Iterator[str]:
    if isinstance(node, Words):
        yield node.text
    else:
        words = [each for child in node.children for each in _with_struck(child)]
        yield from ["~", *words, "~"] if node.name in _STRUCK else words


@dataclass(frozen=True, slots=True)
class MarkupPage:
    """A page as read: its file, its text with single line feeds, and its tree."""

    file: Path
    text: str
    root: Element

    def span(self, node: Node) -> Span:
        """Return the place of a node's content, without its tags and the space around it."""
        written = [words for words in node.words() if words.text.strip()] if isinstance(node, Element) else [node]
        if not written:
            return self.between(node.start, node.end)
        first, last = self._trimmed(written[0])[0], self._trimmed(written[-1])[1]
        return self.between(first, last)

    def between(self, start: int, end: int) -> Span:
        """Return the place of the text from offset `start` to before `end`."""
        return span(self.file, self.text, (start, end))

    def _trimmed(self, words: Words) -> tuple[int, int]:
        written = self.text[words.start : words.end]
        start = words.start + len(written) - len(written.lstrip())
        return start, max(start, words.start + len(written.rstrip()))


def broken_page(file: Path, text: str, message: str, at: int, hint: str = "save the whole page again") -> Refused:
    """Return the refusal of a page that cannot be a tree; it is about the rest of the line from offset `at` on."""
    end = text.find("\n", at)
    place = span(file, text, (at, end if end >= 0 else len(text)))
    return Refused([Diagnostic("G002", message, hint).at(place)])
