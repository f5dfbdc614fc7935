"""Read what can be read of a file that is not YAML: the cards and keys that its mistakes leave alone.

A card begins with `- ` in the column of the first card, and a key stands in the column of the first key. So a file is
taken apart at these lines, and each part is read by itself: a quote that is never closed spoils one key of one card.
Only files with a mistake come here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from render.base.findings import Diagnostic, quoted
from render.base.limits import FILE_FINDINGS, YAML_ENTRIES
from render.base.patterns import regex
from render.source.building import Anchors, NodeBuilder
from render.source.nodes import BOM, Mapping, Node, Scalar, Sequence, span
from render.source.scalar_values import ScalarStyle
from render.source.slips import odd_lines

_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_NOTHING = regex(r"\s*(?:#.*)?|---\s*(?:#.*)?|%.*")  # before the first card there may be comments and `---`
_ITEM = regex(r"( *)-(?:[ \t]|$|(?=[A-Za-z_]+:(?:[ \t]|$)))")
_LONGEST_KEY = 200  # characters before which the colon of a key stands
_KEY = regex(r"""( *)(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s#'"\[\]{}&*!|>%@`,-][^:\r\n]*?)[ \t]*:(?:[ \t\r\n]|$)""")

_DASH = regex(r"^(?P<indent>[ \t]*)-[ \t]", re.MULTILINE)


def recover(file: Path, text: str) -> tuple[Node | None, list[Diagnostic]]:
    """Return the root of what can be read, None if that is nothing, and what is wrong with the parts that cannot."""
    return _Recovery(file, text).root()


class _Recovery:
    """Reads the parts of one file."""

    def __init__(self, file: Path, text: str) -> None:
        self._file, self._text = file, text
        self._findings: list[Diagnostic] = []
        self._anchors = Anchors()

    def root(self) -> tuple[Node | None, list[Diagnostic]]:
        start = next((at for at, line in self._lines(self._begin) if not _NOTHING.fullmatch(line.rstrip())), None)
        if start is None:
            return None, self._findings
        told = odd_lines.no_space_behind_dash(self._text, (start, _line_end(self._text, start)))
        if told:
            self._note(told)
            return None, self._findings
        item = _ITEM.match(self._text, start)
        root = self._items(start, len(item[1])) if item else self._keys_of_root(start)
        return root, self._findings[: FILE_FINDINGS.most]

    def _keys_of_root(self, start: int) -> Mapping | None:
        """Read the keys of the file; if only the first is indented, that is its mistake, and no other key's."""
        key = _KEY.match(self._text, start)
        indent = len(key[1]) if key else 0
        others = [at for at, line in self._lines(start) if (other := _KEY.match(line[:_LONGEST_KEY])) and not other[1]]
        if not indent or not others:
            spaces = len(self._text[start:]) - len(self._text[start:].lstrip(" "))
            return self._mapping(start + spaces, len(self._text))
        self._note(odd_lines.indented_first(self._text, start + indent, others[0]))
        rest = self._mapping(others[0], len(self._text)) or self._part(others[0], len(self._text)).document()
        lost = odd_lines.keys_in(self._text, (start, others[0]))
        return replace(rest, lost=(*rest.lost, *lost)) if isinstance(rest, Mapping) else None

    @property
    def _begin(self) -> int:
        return 1 if self._text.startswith(BOM) else 0

    def _lines(self, start: int, end: int | None = None) -> Iterator[tuple[int, str]]:
        for match in _LINE.finditer(self._text, start, len(self._text) if end is None else end):
            if match[0]:
                yield match.start(), match[0]

    def _items(self, start: int, column: int) -> Sequence:
        """Read each item of a list by itself; one that begins in another column belongs to the one before."""
        begins = [
            at for at, line in self._lines(start) if (item := _ITEM.match(line.rstrip())) and len(item[1]) == column
        ]
        found: list[Node] = []
        for begin, end in islice(zip(begins, [*begins[1:], len(self._text)], strict=True), YAML_ENTRIES.most):
            if len(self._findings) >= FILE_FINDINGS.most:
                break
            without_space = odd_lines.no_space_behind_dash(self._text, (begin, _line_end(self._text, begin)))
            if without_space:  # its keys stand in two columns, and are read once the space is there
                self._note(without_space)
                continue
            builder = self._part(begin, end)
            root = builder.document()
            if isinstance(root, Sequence):
                found += root.items
                self._findings += builder.findings
            else:
                item = re.compile(r" *-[ \t]*").match(self._text, begin)
                inner = self._mapping(item.end(), end) if item and builder.stopped else None
                self._findings += [] if inner else builder.findings
                if inner and found and not inner.entries and (before := _without_open_end(found[-1])):
                    found[-1] = before  # the dash itself may stand too far to the left
                else:
                    found += [inner] if inner else []
        return Sequence(tuple(found), start, len(self._text))

    def _mapping(self, start: int, end: int) -> Mapping | None:
        """Read each key of a mapping by itself; None if there are no keys, or only one."""
        line_start = max(self._text.rfind("\n", 0, start), self._text.rfind("\r", 0, start)) + 1
        column = start - max(line_start, self._begin)
        begins = [start] + [
            at + column
            for at, line in self._lines(start, end)
            if at > start and (key := _KEY.match(line[:_LONGEST_KEY])) and len(key[1]) == column
        ]
        if begins == [start] and not _KEY.match(self._text[start : start + _LONGEST_KEY]):
            return None
        entries: dict[str, tuple[Scalar, Node]] = {}
        lost: list[str] = []
        before = len(self._findings)
        for begin, stop in islice(zip(begins, [*begins[1:], end], strict=True), YAML_ENTRIES.most):
            if len(self._findings) - before >= FILE_FINDINGS.most:
                break
            missed = self._key(begin, stop, column, entries, before)
            lost += missed
            if len(missed) > 1 and entries:  # lines that do not belong there may belong to the key before
                last, (name, value) = entries.popitem()
                if (left := _without_last(value, missed)) is not None:
                    entries[last] = name, left
                lost.append(last)
            dashes = _DASH.finditer(self._text, begin, stop) if len(missed) > 1 and column else ()
            if any("\t" in dash["indent"] or len(dash["indent"]) <= column for dash in dashes):
                lost += odd_lines.keys_in(self._text, (stop, end))  # these are of the next card
                break
        if len(self._findings) == before:
            return None
        return Mapping(tuple(entries.values()), start, end, tuple(lost))

    def _key(
        self, start: int, end: int, column: int, entries: dict[str, tuple[Scalar, Node]], before: int
    ) -> list[str]:
        """Read a key with its value, up to where the next one begins; return the keys that are lost.

        There were `before` findings before the mapping.
        """
        builder = self._part(start, end)
        root = builder.document()
        misplaced = odd_lines.misplaced_key(self._text, (start, end), column)
        if isinstance(root, Mapping) and not (misplaced and len(root.entries) > 1):
            self._findings += builder.findings
            for key, value in root.entries:
                if key.value in entries and len(self._findings) > before:
                    continue  # after a mistake, it may be a key of the next card
                if key.value in entries:
                    place = span(self._file, self._text, (entries[key.value][0].start, entries[key.value][0].end))
                    message = f"the key {quoted(key.value)} is given twice, first at {place}"
                    self._note(Diagnostic("Y012", message, "remove one of the two").within(key.start, key.end))
                else:
                    entries[key.value] = (key, value)
            return [*root.lost]
        if misplaced:
            self._note(misplaced)
        elif builder.findings:
            self._findings += builder.findings
        elif root is not None:
            self._note(odd_lines.no_key(self._text, (start, min(_line_end(self._text, start), end))))
        return odd_lines.keys_in(self._text, (start, end))

    def _part(self, start: int, end: int) -> NodeBuilder:
        return NodeBuilder(self._file, self._text, (start, end), self._anchors)

    def _note(self, told: Diagnostic) -> None:
        place = span(self._file, self._text, (told.start, told.end))
        self._findings.append(told.at(place))


def _line_end(text: str, start: int) -> int:
    """Return where the line that begins at an index ends."""
    return next(_LINE.finditer(text, start)).end()


def _without_last(node: Node, lost: list[str]) -> Node | None:
    """Return a value whose last mapping may lack keys that are lost; None for an empty one, of which all may be lost."""
    match node:
        case Scalar(value="", style=ScalarStyle.PLAIN):
            return None
        case Mapping(entries=(*others, (key, value))):
            left = _without_last(value, lost)
            entries = tuple(others) if left is None else (*others, (key, left))
            return replace(node, entries=entries, lost=(*node.lost, *lost, *([key.value] if left is None else [])))
        case Sequence(items=(*others, item)):
            left = _without_last(item, lost)
            return replace(node, items=tuple(others) if left is None else (*others, left))
    return node


def _without_open_end(node: Node) -> Mapping | None:
    """Return a mapping without its last value, if lines may be missing at the end of that; else None."""
    match node:
        case Mapping(entries=(*others, (key, Scalar(value="") | Mapping() | Sequence()))):
            return replace(node, entries=tuple(others), lost=(*node.lost, key.value))
    return None
