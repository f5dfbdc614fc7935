"""Add a card to the text of a card file, the way its author writes cards; spreadsheets are not rewritten.

Everything else stays, byte for byte. The result is read again, and used only if it says exactly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from pathlib import Path
from unicodedata import normalize

from render.base.findings import Diagnostic, Refused, Span
from render.game.folder import table_files
from render.game.protocol import NewValue
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence
from render.source.scalar_values import write_anywhere, write_words

_NEWLINE = re.compile(r"\r\n|\r|\n")
_BLANK = r"(?:[ \t]*(?:#[^\r\n]*)?(?>\r\n|\r|\n|\Z))*+"
_NO_CARD = re.compile(rf"{_BLANK}(?:---[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z){_BLANK})?")
_DASH = re.compile(r"( *)-( +)")
_BLANK_END = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\Z")


def card_lines(card: MappingOf[str, NewValue]) -> list[str]:
    """Return the lines of a card, without line ends. Words are quoted where YAML needs it."""
    lines: list[str] = []
    for key, value in card.items():
        if isinstance(value, int):
            lines.append(f"{key}: {str(value).lower()}")
        elif isinstance(value, tuple):
            words = [write_anywhere(each) for each in value if isinstance(each, str)]
            faces = [card_lines(face) for face in value if not isinstance(face, str)]
            lines += [f"{key}:"] if faces else [f"{key}: [{', '.join(words)}]"]
            lines += [f"  {' ' if number else '-'} {line}" for face in faces for number, line in enumerate(face)]
        else:
            rows = value.split("\n")
            is_block = len(rows) > 1 and all(row and row == row.strip() and row.isprintable() for row in rows)
            lines += [f"{key}: |", *(f"  {row}" for row in rows)] if is_block else [f"{key}: {write_words(value)}"]
    return lines


def with_card(text: str, file: Path, card: MappingOf[str, NewValue]) -> tuple[str, int] | None:
    """Return the text with a card behind all others, and the number of its line; None if it cannot be added.

    It cannot to a file of one card that is no list, or to a list in brackets. Refused if the text cannot be read.
    """
    before: list[object] = []
    indent, space, has_gap = "", " ", False
    if not _NO_CARD.fullmatch(text.removeprefix(BOM)):
        document = reader.parse(text, file)
        if not isinstance(document.root, Sequence) or text.startswith("[", document.root.start):
            return None
        before = [_content(item) for item in document.root.items]
        indent, space = _lead(document, document.root)
        has_gap = _has_gap(document, document.root)
    first_newline = _NEWLINE.search(text)
    newline = first_newline[0] if first_newline else "\n"
    start = text if not text.removeprefix(BOM) or text.endswith(("\n", "\r")) else text + newline
    start += newline if has_gap else ""
    first, *others = card_lines(card)
    lines = [f"{indent}-{space}{first}", *(f"{indent} {space}{line}" if line else "" for line in others)]
    new_text = start + "".join(f"{line}{newline}" for line in lines)
    try:
        root = reader.parse(new_text, file).root
    except Refused:
        return None
    says = [_content(item) for item in root.items] if isinstance(root, Sequence) else []
    meant = [*before, [(key, _meant(value)) for key, value in card.items()]]
    return (new_text, len(_NEWLINE.findall(start)) + 1) if says == meant else None


def _lead(document: Document, cards: Sequence) -> tuple[str, str]:
    """Return what stands before the dash of a card and behind it, as in the last card of the list."""
    text = document.text
    starts = cards.items[-1].start, cards.start
    last, first = (text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at].lstrip(BOM) for at in starts)
    match = _DASH.fullmatch(last)
    return (match[1], match[2]) if match else (" " * len(first), " ")


def _has_gap(document: Document, cards: Sequence) -> bool:
    """Return whether a blank line stands between the last two cards, so that another belongs before the next."""
    if len(cards.items) < 2:
        return False
    lines = _NEWLINE.split(document.text[cards.items[-2].start : cards.items[-1].start])[:-1]
    while lines and lines[-1].lstrip().startswith("#"):
        lines.pop()
    return len(lines) > 1 and not lines[-1].strip() and not _BLANK_END.search(document.text)


def _content(node: Node) -> object:
    """Return what a node says, for comparing."""
    match node:
        case Scalar():
            return node.value.rstrip("\n")  # a text in lines ends in one or not, which makes no difference to a card
        case Mapping():
            return [(key.value, _content(value)) for key, value in node.entries]
        case Sequence():
            return tuple(_content(item) for item in node.items)


def _meant(value: NewValue | MappingOf[str, NewValue]) -> object:
    """Return what a value says when it is read, as `_content`."""
    if isinstance(value, tuple):
        return tuple(map(_meant, value))
    if isinstance(value, MappingOf):
        return [(key, _meant(inner)) for key, inner in value.items()]
    words = str(value).lower() if isinstance(value, bool) else str(value)
    return normalize("NFC", words).rstrip("\n")


# --- spreadsheets ---------------------------------------------------------------------------------------------------


def card_tables(folder: Path) -> Iterator[Document]:
    """Yield the spreadsheets in a folder that hold cards, as far as they can be read."""
    for file in table_files(folder):
        from render.source.tables.reading import read_table

        document = read_table(file, folder).document
        if document is not None:
            yield document


def not_rewritten(table: Path, hint: str = "") -> Diagnostic:
    """Return what is said of a spreadsheet in the place of rewriting it."""
    message = f"`{table}` is a spreadsheet, and only YAML files are rewritten"
    hint = hint or (
        f"`kotc export {table.parent} --to cards.yaml` makes a YAML file; move it there in place of the spreadsheet"
    )
    return Diagnostic("N012", message, hint).at(Span(file=table))


def no_new_card(table: Path) -> Diagnostic:
    """Return what is said of a spreadsheet in the place of adding a card to it."""
    return not_rewritten(table, f"write the card into a row of it, or give `--to {table.parent / 'new.yaml'}`")
