"""Read a file by its items: the entries of the list or mapping that it is, each by itself.

Whoever reads a file again and again remembers items by their text, and only those that changed are read. Nodes, places
and findings are those of the whole file. Where that is not certain, a file is not cut: if anchors reach from one item to
another, or if an item by itself is no YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic
from render.base.limits import FILE_FINDINGS, YAML_ENTRIES
from render.base.patterns import regex
from render.source.building import MERGE, NodeBuilder
from render.source.nodes import BOM, Mapping, Node, Scalar, Sequence

_KEY = r"[^\s#'\"\[\]{}&*!|>%@`,?:-][^\s:]*[ \t]*:"
_FIRST = regex(
    r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)|---[ \t]*(?:\r\n|\r|\n))*"
    rf"(?:(?P<indent> *)(?P<dash>-)|(?P<key>{_KEY}))(?=[ \t\r\n]|\Z)"
)
_NEXT_KEY = regex(rf"[\r\n](?P<item>{_KEY})(?=[ \t\r\n]|\Z)")
_OF_DOCUMENT = regex(r"[\r\n](?:(?:---|\.\.\.)(?=[ \t\r\n]|\Z)|%)")


class KnownItem(Mapping, frozen=True, kw_only=True):
    """An item of a list of which only the place is known, and what somebody keeps of it."""

    kept: object


class ReadItem(NamedTuple):
    """What an item was read as, and the offset at which its text began: a node, or a key with its value."""

    nodes: tuple[Node, ...]
    begin: int


class KnownItems(Protocol):
    """Remembers, by their text, items in which nothing was wrong."""

    def find(self, key: str) -> ReadItem | None:
        """Return what an item with this text was read as, in whichever file and place."""

    def put(self, key: str, made: ReadItem) -> object:
        """Remember an item."""


class Cut(NamedTuple):
    """Where each item begins: its dash in column `indent`, from 0, or its key; nowhere if a file is no such list."""

    starts: tuple[int, ...]
    indent: int


@cached(2)
def cut(text: str) -> Cut:
    """Return where the items of a file begin; a mapping is cut only in the first column.

    It looks at lines alone. Some of these places may be none, such as within quotes over many lines.
    """
    first = _FIRST.match(text, text.startswith(BOM))
    if first is None:
        return Cut((), 0)
    indent, begin = first["indent"] or "", first.start("key" if first["key"] else "dash")
    following = _NEXT_KEY if first["key"] else re.compile(rf"[\r\n]{indent}(?P<item>-)(?=[ \t\r\n]|\Z)")
    return Cut((begin, *(match.start("item") for match in following.finditer(text, begin))), len(indent))


def items_of(text: str) -> list[str]:
    """Return the text of each item of a list; none of a file that cannot be cut."""
    starts, indent = cut(text)
    is_list = 0 < len(starts) <= YAML_ENTRIES.most and text[starts[0]] == "-"
    return [text[begin:end] for begin, end in _extents(text, starts, indent)] if is_list else []


def _extents(text: str, starts: Iterable[int], indent: int) -> Iterator[tuple[int, int]]:
    """Yield where each item begins, and the next one."""
    _, *others = starts
    begins = (int(text.startswith(BOM)), *(start - indent for start in others))
    return zip(begins, (*others, len(text)), strict=True)


def read_by_items(file: Path, text: str, known: KnownItems) -> tuple[Node, list[Diagnostic]] | None:
    """Return the root of a text, and what is wrong with it, as if it were read whole; None if it cannot be cut."""
    starts, indent = cut(text)
    if not 0 < len(starts) <= YAML_ENTRIES.most or _OF_DOCUMENT.search(text, starts[0]):
        return None
    is_list = text[starts[0]] == "-"
    items: list[tuple[Node, ...]] = []
    findings: list[Diagnostic] = []
    lost: list[str] = []
    for begin, end in _extents(text, starts, indent):
        words = text[begin:end]
        item = known.find(words)
        if item is None:
            builder = NodeBuilder(file, text, (begin, end))
            root = builder.document()
            nodes = _only_item(root, is_list=is_list)
            if nodes is None or builder.has_anchors:
                return None
            if builder.findings:
                findings += builder.findings
                lost += root.lost if isinstance(root, Mapping) else ()
            else:
                known.put(words, ReadItem(nodes, begin))
        else:
            nodes = item.nodes if begin == item.begin else tuple(moved(node, begin - item.begin) for node in item.nodes)
        items.append(nodes)
    if len(findings) >= FILE_FINDINGS.most:  # a whole file is read no further
        return None
    if is_list:
        return Sequence(tuple(node for (node,) in items), starts[0], len(text)), findings
    entries = {key.value: (key, value) for key, value in items if isinstance(key, Scalar)}
    if len(entries) < len(items) or MERGE in entries:  # a key is given twice
        return None
    return Mapping(tuple(entries.values()), starts[0], len(text), tuple(lost)), findings


def _only_item(root: Node | None, *, is_list: bool) -> tuple[Node, ...] | None:
    """Return the item of a list, or key and value of a mapping, if there is one alone."""
    match root:
        case Sequence(items=(item,)) if is_list:
            return (item,)
        case Mapping(entries=(entry,)) if not is_list:
            return entry
    return None


def moved(node: Node, by: int) -> Node:
    """Return a node that stands so many characters further on in its text."""
    if isinstance(node, Scalar):
        value, style, start, end = node
        return _new_scalar(Scalar, (value, style, start + by, end + by))  # half the time of a call of the class
    if isinstance(node, Sequence):
        return Sequence(tuple([moved(item, by) for item in node.items]), node.start + by, node.end + by)
    if isinstance(node, KnownItem):
        return replace(node, start=node.start + by, end=node.end + by)
    entries = [
        (_new_scalar(Scalar, (name, style, start + by, end + by)), moved(value, by))
        for (name, style, start, end), value in node.entries
    ]
    return Mapping(tuple(entries), node.start + by, node.end + by, node.lost)


_new_scalar = tuple.__new__
