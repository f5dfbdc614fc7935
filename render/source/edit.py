"""Edit a YAML file as a person would: what is asked for is written where it belongs, and every other character stays.

An edit names a place in the nodes of a document, what happens there, and a value. Comments, order, indentation, line
ends, anchors and quotes stay as they are. The result is read again, and used only if it says exactly what was meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from unicodedata import normalize

from msgspec import Struct

from render.base.findings import Refused, printable
from render.base.patterns import regex
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence
from render.source.scalar_values import ScalarStyle, escape_within
from render.source.writing import (
    Value,
    as_words,
    items_of,
    pairs_of,
    write_in_line,
    write_item,
    write_mapping,
    write_value,
)


class Rewrite(Struct, frozen=True):
    """New words for some characters of a scalar, a key too, from left to right: start, end and words of each."""

    scalar: Scalar
    changes: tuple[tuple[int, int, str], ...]


class SetKey(Struct, frozen=True):
    """A value for a key of a mapping; a new key goes behind that of the name `after`, or behind all.

    `comment` are lines below a new key; of a mapping in braces, above the line in which it begins.
    """

    mapping: Mapping
    key: str
    value: Value
    after: str = ""
    comment: tuple[str, ...] = ()


class RemoveKey(Struct, frozen=True):
    """A key of a mapping that goes, with its value and the comment beside it."""

    mapping: Mapping
    key: str


class AddItem(Struct, frozen=True):
    """A value for a list, behind its last one."""

    items: Sequence
    value: Value


class Remark(Struct, frozen=True):
    """A comment above the line of a key, unless it stands there already."""

    mapping: Mapping
    key: str
    comment: tuple[str, ...]


Edit = Rewrite | SetKey | RemoveKey | AddItem | Remark


def replace_scalar(scalar: Scalar, value: str) -> Rewrite:
    """Return the edit that gives a scalar another value in its own style."""
    return Rewrite(scalar, ((0, len(scalar.value.rstrip("\n")), value),))


def edited(document: Document, edits: Iterable[Edit]) -> Document | None:
    """Return the document with all edits; None if they cannot be written into its file.

    No value of the file may change that no edit names: one that stands in several places by `<<` or `*` can only get
    the same new words in all of them, by an edit for each, or values of its own in all of them.
    """
    edits = tuple(edits)
    asked = Counter(id(edit.scalar) for edit in edits if isinstance(edit, Rewrite))
    if asked != Counter(id(each) for each in _scalars(document.root) if id(each) in asked):
        return None
    try:
        splices = [splice for edit in edits for splice in _splices(document, edit)]
    except _Unwritable:
        return None
    pieces, at = [], 0
    for start, end, words in sorted(dict.fromkeys(splices), key=lambda each: each[:2]):
        if start < at:
            return None
        pieces += [document.text[at:start], words]
        at = end
    try:
        result = reader.read_as("".join((*pieces, document.text[at:])), document.file)
    except Refused:
        return None
    return result if _Meant(edits).is_said(document.root, result.root) else None


def _scalars(node: Node) -> Iterator[Scalar]:
    """Yield the scalars below a node, keys too, each as often as it stands there."""
    match node:
        case Scalar():
            yield node
        case Mapping(entries):
            yield from (scalar for entry in entries for each in entry for scalar in _scalars(each))
        case Sequence(items):
            yield from (scalar for item in items for scalar in _scalars(item))


# --- whether a file says what was meant -------------------------------------------------------------------------------


class _Meant:
    """What nodes should say after edits."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._rewrites: dict[int, Rewrite] = {}
        self._keys: dict[int, dict[str, Value | None]] = {}
        self._items: dict[int, list[Value]] = {}
        for edit in edits:
            match edit:
                case Rewrite(scalar):
                    self._rewrites[id(scalar)] = edit
                case SetKey(mapping, key, value):
                    self._keys.setdefault(id(mapping), {})[key] = value
                case RemoveKey(mapping, key):
                    self._keys.setdefault(id(mapping), {})[key] = None
                case AddItem(items, value):
                    self._items.setdefault(id(items), []).append(value)

    def is_said(self, old: Node, new: Node) -> bool:
        match old, new:
            case Scalar(), Scalar():
                return old.style is new.style and _is_same(self._words(old), new)
            case Mapping(), Mapping():
                given = self._keys.get(id(old), {})
                values = {self._words(key): value for key, value in old.entries if given.get(key.value, "") is not None}
                asked = {key: value for key, value in given.items() if value is not None}
                read = {key.value: value for key, value in new.entries}
                return read.keys() == {**values, **asked}.keys() and all(
                    says(node, asked[key]) if key in asked else self.is_said(values[key], node)
                    for key, node in read.items()
                )
            case Sequence(), Sequence():
                added, count = self._items.get(id(old), []), len(old.items)
                return (
                    len(new.items) == count + len(added)
                    and all(map(self.is_said, old.items, new.items))
                    and all(map(says, new.items[count:], added))
                )
        return False

    def _words(self, scalar: Scalar) -> str:
        words = scalar.value
        for start, end, new in reversed(self._rewrites[id(scalar)].changes if id(scalar) in self._rewrites else ()):
            words = words[:start] + new + words[end:]
        return words


def says(node: Node, value: Value) -> bool:
    """Return whether a node has this value, whatever its style."""
    match value:
        case Scalar():
            return isinstance(node, Scalar) and _is_same(value.value, node)
        case str() | int():
            return isinstance(node, Scalar) and _is_same(as_words(value), node)
        case Mapping() | MappingOf():
            pairs = pairs_of(value)
            return (
                isinstance(node, Mapping)
                and [key.value for key, _ in node.entries] == [key for key, _ in pairs]
                and all(says(read, asked) for (_, read), (_, asked) in zip(node.entries, pairs, strict=True))
            )
    items = items_of(value)
    return isinstance(node, Sequence) and len(node.items) == len(items) and all(map(says, node.items, items))


def _is_same(words: str, scalar: Scalar) -> bool:
    """Return whether a scalar has these words; a text in lines ends in a line break, or not where its file ends."""
    return normalize("NFC", words).rstrip("\n") == scalar.value.rstrip("\n")


# --- where it is written --------------------------------------------------------------------------------------------

_Splice = tuple[int, int, str]
"""Start and end of a stretch of the file's text, and the words that replace it."""


class _Unwritable(Exception):
    """The place of an edit is not in the text of its node: it comes from elsewhere by `<<`."""


def _splices(document: Document, edit: Edit) -> Iterator[_Splice]:
    text = document.text
    match edit:
        case Rewrite(scalar, changes):
            for start, end, new in changes:
                words = escape_within(new, scalar.style)
                yield *document.extent(scalar, start, end), words if scalar.start < scalar.end else f" {words}"
        case SetKey(mapping, key) if mapping.get(key) is not None:
            yield _replacement(text, edit)
        case SetKey(mapping) if _is_in_line(text, mapping):
            yield _in_braces(text, edit)
            if edit.comment:
                yield _comment_above(text, mapping.start, edit.comment)
        case SetKey():
            yield _in_lines(text, edit)
        case RemoveKey():
            yield _removal(text, edit)
        case AddItem():
            yield _item(document, edit)
        case Remark(mapping, key, comment):
            at = next(name.start for name, _ in mapping.entries if name.value == key)
            splice = _comment_above(text, at, comment)
            if not text.endswith(splice[2], 0, splice[0]):
                yield splice


_COLON = regex(r"(?:\s+#[^\r\n]*+)*+\s*:")  # behind `? key`, comments may stand before it
_PROPERTIES = regex(r"&[^\s,\[\]{}]+(?:\s|#[^\r\n]*)*")
_LINE_END = regex(r"\r\n|\r|\n|\Z")
_REFERENCE = regex(r"\s*(\*[^\s,\[\]{}]+)")
_ANCHOR = regex(r"\s*(&[^\s,\[\]{}]+)")
_COMMENT = regex(r"#[^\r\n]*")
_NEXT_COMMENT = regex(r"(?:[ \t]*(?:\r\n|\r|\n))+( *)#")
_HEADER = regex(r"[|>][-+0-9]*[ \t]*(#[^\r\n]*)?")


def _replacement(text: str, edit: SetKey) -> _Splice:
    """Return another value in place of one: words in its quotes if it has any. Comments beside it stay beside it."""
    key, old = _own_entry(edit.mapping, edit.key)
    start, end, colon = _extent(text, key, old)
    if _is_in_line(text, edit.mapping):
        lead = "" if start > colon else " " if text[colon - 1] == ":" else ": "
        return start, end, f"{lead}{write_in_line(edit.value)}"
    beside, below = write_value(edit.value)
    quotes = isinstance(old, Scalar) and old.style in (ScalarStyle.SINGLE, ScalarStyle.DOUBLE) and text[old.start]
    if quotes and not below and isinstance(edit.value, str | Scalar) and beside[:1] not in "\"'":
        assert isinstance(old, Scalar)
        beside = f"{quotes}{escape_within(beside, old.style)}{quotes}"
    newline, last, indent = line_end(text), _line_end(text, end).start(), _indent(text, edit.mapping)
    comment = _NEXT_COMMENT.match(text, last) if beside == "|" else None
    if comment and len(comment[1]) > len(indent) + 1:  # it would be a line of the text
        beside, below = write_in_line(edit.value), []
    gap = text[colon:start]
    comments = [*_COMMENT.findall(gap)] if "\n" in gap or "\r" in gap else []
    header = _HEADER.match(text, start) if isinstance(old, Scalar) and start < end else None
    comments += [header[1]] if header and header[1] else []
    rest = text[end:last].rstrip()
    first = f"{gap if gap.strip(' ') == '' and gap else ' '}{beside}" if beside else ""
    remarks = f"  {' '.join(comments)}" if comments else ""
    lines = (f"{indent}{line}" if line else "" for line in below)
    return colon, last, newline.join((f"{first}{remarks}{rest}", *lines))


def _in_braces(text: str, edit: SetKey) -> _Splice:
    """Return `, key: value` behind an entry in braces; the key is quoted as that entry's is."""
    behind = _behind(edit)
    if behind is None:
        start = _begin(text, edit.mapping) + 1
        return start, start, f"{edit.key}: {write_in_line(edit.value)}{', ' if edit.mapping.entries else ''}"
    key, old = behind
    quote = {ScalarStyle.SINGLE: "'", ScalarStyle.DOUBLE: '"'}.get(key.style, "")
    _, end, _ = _extent(text, key, old)
    return end, end, f", {quote}{edit.key}{quote}: {write_in_line(edit.value)}"


def _in_lines(text: str, edit: SetKey) -> _Splice:
    """Return lines below an entry and the comment beside it, with the entry's indent and line end."""
    behind = _behind(edit)
    if behind is None:
        raise _Unwritable
    end = _line_end(text, _extent(text, *behind)[1])
    newline, indent = end[0] or line_end(text), _indent(text, edit.mapping)
    lines = [*write_mapping({edit.key: edit.value}), *_comment(edit.comment)]
    words = "".join(f"{indent}{line}{newline}" if line else newline for line in lines)
    return end.end(), end.end(), words if end[0] else f"{newline}{words.removesuffix(newline)}"


def _behind(edit: SetKey) -> tuple[Scalar, Node] | None:
    """Return the entry behind which a new key goes; None for a mapping without any of its own."""
    if edit.after:
        return _own_entry(edit.mapping, edit.after)
    own = [entry for entry in edit.mapping.entries if _is_within(edit.mapping, entry[0])]
    return own[-1] if own else None


def _comment_above(text: str, at: int, comment: tuple[str, ...]) -> _Splice:
    """Return a comment above the line that holds a place, with the indent of that line."""
    start = _line_start(text, at)
    start += text.startswith(BOM, start)
    indent = " " * (len(text[start:at]) - len(text[start:at].lstrip(" ")))
    lines = "".join(f"{indent}{line}{line_end(text)}" for line in _comment(comment))
    return start, start, lines


def _comment(lines: Iterable[str]) -> list[str]:
    return [f"# {printable(line)}".rstrip() for line in lines]


_COMMA_BEHIND = regex(r"\s*,\s*")
_COMMA_BEFORE = regex(r"\s*,\s*\Z")
_QUESTION = regex(r"\?[ \t]+\Z")
_TO_NEXT = regex(r"\s*")


def _removal(text: str, edit: RemoveKey) -> _Splice:
    """Return nothing in place of an entry; the entry after it takes the place of one behind a dash."""
    key, value = _own_entry(edit.mapping, edit.key)
    _, end, _ = _extent(text, key, value)
    if _is_in_line(text, edit.mapping):
        behind = _COMMA_BEHIND.match(text, end)
        before = _COMMA_BEFORE.search(text, _line_start(text, key.start), key.start)
        if behind or before is None:
            return key.start, behind.end() if behind else end, ""
        return before.start(), end, ""
    start, line = _line_start(text, key.start), _line_end(text, end)
    question = _QUESTION.search(text, start, key.start)
    begin = question.start() if question else key.start
    if len(edit.mapping.entries) == 1:
        return begin, end, "{}"
    if not text[start:begin].strip(f" {BOM}"):
        return start + text.startswith(BOM, start), line.end(), ""
    following = _TO_NEXT.match(text, line.end())
    return begin, following.end() if following else line.end(), ""


def _item(document: Document, edit: AddItem) -> _Splice:
    """Return an item behind the last one, in its way: with its indent, and a blank line if one stands before it."""
    text, items = document.text, edit.items
    if _is_in_line(text, items):
        end = items.start + len(text[items.start : items.end - 1].rstrip())
        is_first = not items.items or text[end - 1] == ","
        return end, end, f"{'' if not items.items else ' ' if is_first else ', '}{write_in_line(edit.value)}"
    # A file may say where it ends, by `...`.
    end = items.end if items is document.root else _line_end(text, _end(text, items)).end()
    newline = line_end(text)
    indent, space = _lead(text, items)
    first, *others = write_item(edit.value)
    lines = [f"{indent}-{space}{first[2:]}", *(f"{indent}{space[1:]}{line}" if line else "" for line in others)]
    start = newline * (not text.endswith(("\n", "\r"), 0, end)) + newline * _has_gap(text[:end], items)
    return end, end, start + "".join(f"{line}{newline}" for line in lines)


_DASH = regex(r"( *)-( +)")
_BLANK_END = regex(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\Z")


def _lead(text: str, items: Sequence) -> tuple[str, str]:
    """Return what stands before the dash of an item and behind it, as in the last item of the list."""
    last, first = (text[_line_start(text, at) : at].lstrip(BOM) for at in (items.items[-1].start, items.start))
    match = _DASH.fullmatch(last)
    return (match[1], match[2]) if match else (" " * len(first), " ")


def _has_gap(text: str, items: Sequence) -> bool:
    """Return whether a blank line stands between the last two items, so that another belongs before the next."""
    if len(items.items) < 2:
        return False
    lines = re.split(r"\r\n|\r|\n", text[items.items[-2].start : items.items[-1].start])[:-1]
    while lines and lines[-1].lstrip().startswith("#"):
        lines.pop()
    return len(lines) > 1 and not lines[-1].strip() and not _BLANK_END.search(text)


# --- places in the text -----------------------------------------------------------------------------------------------


def _is_within(outer: Mapping | Sequence, inner: Node) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _own_entry(mapping: Mapping, key: str) -> tuple[Scalar, Node]:
    """Return an entry that stands where its mapping does, and did not come by `<<`."""
    for entry in mapping.entries:
        if entry[0].value == key and _is_within(mapping, entry[0]):
            return entry
    raise _Unwritable


def _begin(text: str, node: Node) -> int:
    """Return where a list or mapping begins, behind its anchor."""
    match = _PROPERTIES.match(text, node.start)
    return match.end() if match else node.start


def _is_in_line(text: str, node: Mapping | Sequence) -> bool:
    """Return whether a mapping or list stands in braces or brackets."""
    return text[_begin(text, node)] in "{["


def _extent(text: str, key: Scalar, value: Node) -> tuple[int, int, int]:
    """Return where the value of a key starts, with its anchor, and ends; and where the colon before it ends."""
    colon = _COLON.match(text, key.end)
    behind = colon.end() if colon else key.end
    reference = _REFERENCE.match(text, behind)
    if reference:
        return *reference.span(1), behind
    if isinstance(value, Scalar) and value.start == value.end:
        return behind, behind, behind
    anchor = _ANCHOR.match(text, behind)
    return anchor.start(1) if anchor else value.start, _end(text, value), behind


def _end(text: str, node: Node) -> int:
    """Return where a value ends: the parser lets a block end where the next thing begins."""
    if isinstance(node, Scalar):
        header = _HEADER.match(text, node.start) if node.style in (ScalarStyle.LITERAL, ScalarStyle.FOLDED) else None
        if header and "+" in header[0].partition("#")[0]:  # the blank lines behind it are its own
            return node.start + len(text[node.start : node.end].removesuffix("\n").removesuffix("\r"))
        return node.start + len(text[node.start : node.end].rstrip())
    if _is_in_line(text, node):
        return node.end
    if isinstance(node, Mapping):
        own = [entry for entry in node.entries if _is_within(node, entry[0])]
        return max((_extent(text, *entry)[1] for entry in own), default=node.end)
    if _is_within(node, node.items[-1]):
        return _end(text, node.items[-1])
    return node.start + len(re.sub(r"(?:\s*#[^\r\n]*)*\s*\Z", "", text[node.start : node.end]))


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> re.Match[str]:
    end = _LINE_END.search(text, at)
    assert end is not None, "every text has an end"
    return end


def line_end(text: str) -> str:
    """Return the line end of a file, by its first line."""
    return _line_end(text, 0)[0] or "\n"


def _indent(text: str, mapping: Mapping) -> str:
    """Return the indent of the keys of a mapping in lines."""
    begin = _begin(text, mapping)
    return " " * len(text[_line_start(text, begin) : begin].lstrip(BOM))
