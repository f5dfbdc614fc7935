"""Give keys of a card in a card file other values, as a person would write them; everything else stays, comments too.

The result is read again, and used only if it says exactly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf

from render.base.findings import Refused
from render.games.kotc.workshop.imports.imported import ORDER, Value, one_line_each
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence
from render.source.scalar_values import write_anywhere, write_scalar

Changes = MappingOf[str, Value | None]
"""New values of keys; None removes a key."""


def cards_in(document: Document) -> list[Mapping]:
    """Return the cards of a file as they are written."""
    root = document.root
    nodes = root.items if isinstance(root, Sequence) else (root,)
    return [node for node in nodes if isinstance(node, Mapping)]


def said_by(card: Mapping) -> dict[str, Value]:
    """Return the values of a card by their keys, those that an import writes."""
    found: dict[str, Value] = {}
    for key, node in card.entries:
        if key.value not in ORDER:
            continue
        if isinstance(node, Scalar):
            found[key.value] = _said(key.value, node)
        elif isinstance(node, Mapping) and all(isinstance(inner, Scalar) for _, inner in node.entries):
            found[key.value] = {name.value: inner.value for name, inner in node.entries if isinstance(inner, Scalar)}
        else:
            found[key.value] = ""
    return found


def _said(key: str, node: Scalar) -> Value:
    if key == "art":
        return {"file": node.value}
    return one_line_each(node.value) if key == "text" else node.value.strip()


def edited(document: Document, index: int, changes: Changes) -> Document | None:
    """Return the file with changes to one of its cards, the first being 0; None if they cannot be written into it."""
    text = document.text
    for key in in_order(dict.fromkeys(changes, "")):
        try:
            current = reader.parse(text, document.file)
        except Refused:
            return None
        text = _with(current, cards_in(current)[index], key, changes[key])
    try:
        made = reader.parse(text, document.file)
    except Refused:
        return None
    return made if _says(made) == _meant(document, index, changes) else None


def _says(document: Document) -> list[dict[str, object]]:
    return [{key.value: _plain(key.value, node) for key, node in card.entries} for card in cards_in(document)]


def _meant(document: Document, index: int, changes: Changes) -> list[dict[str, object]]:
    meant = _says(document)
    for key, value in changes.items():
        meant[index].pop(key, None)
        if value is not None:
            meant[index][key] = dict(value) if isinstance(value, MappingOf) else value
    return meant


def _plain(key: str, node: Node) -> object:
    """Return a value as Python has it."""
    match node:
        case Scalar() if key in ORDER:
            said = _said(key, node)
            return dict(said) if isinstance(said, MappingOf) else said
        case Scalar():
            return node.value
        case Mapping():
            return {name.value: _plain("", inner) for name, inner in node.entries}
    return [_plain("", inner) for inner in node.items]


# --- one key --------------------------------------------------------------------------------------------------------

_HEADER_COMMENT = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)")
_LINE_END = re.compile(r"\r\n|\r|\n|\Z")


def _with(document: Document, card: Mapping, key: str, value: Value | None) -> str:
    """Return the text of a file with one key of a card changed, added or removed."""
    text = document.text
    place = next(((name, node) for name, node in card.entries if name.value == key), None)
    braces = text.startswith("{", card.start)
    if value is None:
        return _without(text, card, *place) if place and not braces else text
    if place:
        return _replaced(document, card, place, value)
    after = _before(card, key)
    end = _end(text, after)
    if braces:
        return f"{text[:end]}, {flow_entry(key, value)}{text[end:]}"
    line_end = _LINE_END.search(text, end)
    assert line_end is not None, "every text has an end"
    newline = line_end[0] or _newline(text)
    added = " " * _indent(text, card) + _block(text, card, key, value)
    added = f"{added}{newline}" if line_end[0] else f"{newline}{added}"
    return text[: line_end.end()] + added + text[line_end.end() :]


def _replaced(document: Document, card: Mapping, place: tuple[Scalar, Node], value: Value) -> str:
    """Return the text of a file with another value for a key; a comment beside the old value stands beside the new."""
    text, (key, old) = document.text, place
    start, end = key.start, _end(text, old)
    if text.startswith("{", card.start):
        return text[:start] + flow_entry(key.value, value) + text[end:]
    line_end = _LINE_END.search(text, end)
    assert line_end is not None, "every text has an end"
    first, newline, others = _block(text, card, key.value, value).partition(_newline(text))
    comment = _HEADER_COMMENT.match(text, old.start) if isinstance(old, Scalar) else None
    beside = (comment[1] if comment else "") + text[end : line_end.start()]
    return text[:start] + first + beside + newline + others + text[line_end.start() :]


def _block(text: str, card: Mapping, key: str, value: Value) -> str:
    """Return the lines of an entry, all but the first with the indent of the card's keys."""
    return f"{_newline(text)}{' ' * _indent(text, card)}".join(entry(key, value))


def _indent(text: str, card: Mapping) -> int:
    start = card.entries[0][0].start
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return len(text[line:start].lstrip(BOM))


def _newline(text: str) -> str:
    found = _LINE_END.search(text)
    return (found[0] if found else "") or "\n"


def _before(card: Mapping, key: str) -> Node:
    """Return the value behind which a new key belongs: that of the nearest key before it in the usual order."""
    rank = ORDER.index(key)
    earlier = [(ORDER.index(name.value), node) for name, node in card.entries if name.value in ORDER[:rank]]
    return max(earlier, key=lambda each: each[0])[1] if earlier else card.entries[-1][1]


def _end(text: str, node: Node) -> int:
    """Return where a value ends: the parser lets a block end where the next thing begins."""
    if isinstance(node, Scalar):
        return node.start + len(text[node.start : node.end].rstrip())
    if text[node.start : node.start + 1] in ("{", "["):
        return node.end
    last = node.entries[-1][1] if isinstance(node, Mapping) else node.items[-1]
    return _end(text, last)


def _without(text: str, card: Mapping, key: Scalar, node: Node) -> str:
    """Return a text without the lines of an entry; the text itself if they hold other things, too."""
    start = max(text.rfind("\n", 0, key.start), text.rfind("\r", 0, key.start)) + 1
    if not text[start : key.start].strip(f" {BOM}"):
        end = _LINE_END.search(text, _end(text, node))
        assert end is not None, "every text has an end"
        return text[:start] + BOM * text.startswith(BOM, start) + text[end.end() :]
    following = [name.start for name, _ in card.entries if name.start > key.start]
    # Behind the dash of a list stands the first key; the one after it takes its place.
    alone = following and "#" not in text[_end(text, node) : following[0]]
    return text[: key.start] + text[following[0] :] if alone else text


# --- values of a card as YAML ----------------------------------------------------------------------------------------


def new_card(values: MappingOf[str, Value], remarks: MappingOf[str, str]) -> str:
    """Return a card file with these values, and remarks about some of them as comments."""
    lines = []
    for key in in_order(values):
        first, *others = entry(key, values[key])
        lines += [f"{first}  # {remarks[key]}" if key in remarks else first, *others]
    return "".join(f"{line}\n" for line in lines)


def in_order(values: MappingOf[str, Value]) -> list[str]:
    """Return the keys in the order in which they are written."""
    return sorted(values, key=ORDER.index)


def entry(key: str, value: Value) -> list[str]:
    """Return the lines of a key with its value, without indent."""
    if not isinstance(value, str):
        if set(value) == {"file"}:
            return [f"{key}: {write_scalar(value['file'])}"]
        return [f"{key}:", *(f"  {inner}: {write_scalar(words)}" for inner, words in value.items())]
    if key == "text":
        return [f"{key}: |", *(f"  {line}" for line in value.split("\n"))]
    return [f"{key}: {write_scalar(value)}"]


def flow_entry(key: str, value: Value) -> str:
    """Return a key with its value in one line, as they stand in braces."""
    if isinstance(value, str):
        return f"{key}: {write_anywhere(value) or write_scalar(value)}"
    return f"{key}: {{{', '.join(flow_entry(name, words) for name, words in value.items())}}}"
