"""Add a card to the text of a card file, the way its author writes cards. Everything else stays, byte for byte.

The result is read again, and used only if it says exactly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from pathlib import Path
from unicodedata import normalize

from render.base.findings import Refused
from render.game.protocol import NewValue
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence
from render.source.scalars.scalar_writing import write_anywhere, write_scalar, write_words

CardValue = NewValue
"""A value of a new card. Words are quoted where YAML needs it."""

_NEWLINE = re.compile(r"\r\n|\r|\n")
_LEFT_BLANK = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z))*")
_START = re.compile(r"---[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_DASH = re.compile(r"( *)-( +)")


def is_empty(text: str) -> bool:
    """Return whether a text holds no card: nothing but comments, blank lines and the mark of a document's start."""
    without = _LEFT_BLANK.match(text.removeprefix(BOM))
    assert without is not None, "it may match nothing at all"
    rest = text.removeprefix(BOM)[without.end() :]
    start = _START.match(rest)
    if not start:
        return not rest
    left = _LEFT_BLANK.fullmatch(rest[start.end() :])
    return left is not None


def alone(card: MappingOf[str, CardValue]) -> str:
    """Return the text of a file of one card."""
    return "".join(f"{line}\n" for line in _lines(card))


def with_card(text: str, file: Path, card: MappingOf[str, CardValue]) -> tuple[str, int] | None:
    """Return the text with a card behind all others, and the number of its line; None if it cannot be added.

    It cannot to a file of one card that is no list, or to a list in brackets. Refused if the text cannot be read.
    """
    if is_empty(text):
        before: list[object] = []
        lead, gap = ("", " "), False
    else:
        document = reader.parse(text, file)
        if not isinstance(document.root, Sequence) or text.startswith("[", document.root.start):
            return None
        before = [_said(item) for item in document.root.items]
        lead, gap = _lead(document, document.root), _has_gap(document, document.root)
    found = _NEWLINE.search(text)
    newline = found[0] if found else "\n"
    start = text if not text.removeprefix(BOM) or text.endswith(("\n", "\r")) else text + newline
    start += newline if gap else ""
    indent, space = lead
    first, *others = _lines(card)
    added = [f"{indent}-{space}{first}", *(f"{indent} {space}{line}" if line else "" for line in others)]
    made = start + "".join(f"{line}{newline}" for line in added)
    try:
        root = reader.parse(made, file).root
    except Refused:
        return None
    meant = [*before, [(key, _meant(value)) for key, value in card.items()]]
    says = [_said(item) for item in root.items] if isinstance(root, Sequence) else []
    return (made, len(_NEWLINE.findall(start)) + 1) if says == meant else None


def _lines(card: MappingOf[str, CardValue]) -> list[str]:
    return [line for key, value in card.items() for line in _entry(key, value)]


def _entry(key: str, value: CardValue) -> list[str]:
    """Return the lines of a key with its value."""
    if isinstance(value, int):
        return [f"{key}: {str(value).lower()}"]
    if isinstance(value, tuple):
        words = [each for each in value if isinstance(each, str)]
        if len(words) == len(value):
            return [f"{key}: [{', '.join(map(write_anywhere, words))}]"]
        faces = (enumerate(_lines(face)) for face in value if not isinstance(face, str))
        return [f"{key}:", *(f"  {'-' if number == 0 else ' '} {line}" for face in faces for number, line in face)]
    lines = value.split("\n")
    if len(lines) > 1 and all(line and line == line.strip() and line.isprintable() for line in lines):
        return [f"{key}: |", *(f"  {line}" for line in lines)]
    return [f"{key}: {write_words(value)}"]


def _meant(value: CardValue) -> object:
    """Return what a value says when it is read, as `_said`."""
    if isinstance(value, tuple):
        return tuple(
            _meant(each) if isinstance(each, str) else [(key, _meant(inner)) for key, inner in each.items()]
            for each in value
        )
    said = str(value).lower() if isinstance(value, bool) else str(value)
    return normalize("NFC", said).rstrip("\n")


def as_number(value: str) -> str | int:
    """Return a value as a number if it is a whole one."""
    return int(value) if re.fullmatch("[0-9]{1,9}", value) and write_scalar(value) == str(int(value)) else value


def _lead(document: Document, cards: Sequence) -> tuple[str, str]:
    """Return what stands before the dash of a card and behind it, as in the last card of the list."""
    text = document.text
    last = cards.items[-1].start
    line = max(text.rfind("\n", 0, last), text.rfind("\r", 0, last)) + 1
    found = _DASH.fullmatch(text[line:last].lstrip(BOM))
    if found:
        return found[1], found[2]
    first = max(text.rfind("\n", 0, cards.start), text.rfind("\r", 0, cards.start)) + 1
    return " " * len(text[first : cards.start].lstrip(BOM)), " "


def _has_gap(document: Document, cards: Sequence) -> bool:
    """Return whether a blank line stands between the last two cards, so that another belongs before the next."""
    if len(cards.items) < 2:
        return False
    *_, one, other = cards.items
    between = document.text[one.start : other.start]
    code = _NEWLINE.split(between)[:-1]
    while code and code[-1].lstrip().startswith("#"):
        code.pop()
    return len(code) > 1 and not code[-1].strip() and not _ends_in_blank(document.text)


def _ends_in_blank(text: str) -> bool:
    return re.search(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\Z", text) is not None


def _said(node: Node) -> object:
    """Return what a node says, for comparing."""
    match node:
        case Scalar():
            return node.value.rstrip("\n")  # a text in lines ends in one or not, which makes no difference to a card
        case Mapping():
            return [(key.value, _said(value)) for key, value in node.entries]
        case Sequence():
            return tuple(_said(item) for item in node.items)
