"""Add a card to the text of a card file, the way its author writes cards; spreadsheets are not rewritten.

Everything else stays, byte for byte. The result is read again, and used only if it says exactly what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from render.base.findings import Diagnostic, Span
from render.base.patterns import regex
from render.game.folder import table_files
from render.game.protocol import NewValue
from render.source import reader
from render.source.edit import AddItem, edited, line_end, says
from render.source.nodes import BOM, Document, Sequence
from render.source.writing import write_item

_BLANK = r"(?:[ \t]*(?:#[^\r\n]*)?(?>\r\n|\r|\n|\Z))*+"
_NO_CARD = regex(rf"{_BLANK}(?:---[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z){_BLANK})?")


def with_card(text: str, file: Path, card: Mapping[str, NewValue]) -> tuple[str, int] | None:
    """Return the text with a card behind all others, and the number of its line; None if it cannot be added.

    It cannot to a file of one card that is no list, or to a list in brackets. Refused if the text cannot be read.
    """
    if not _NO_CARD.fullmatch(text.removeprefix(BOM)):
        document = reader.parse(text, file)
        if not isinstance(document.root, Sequence) or text.startswith("[", document.root.start):
            return None
        return _with_line(edited(document, [AddItem(document.root, card)]))
    newline = line_end(text)
    start = text if not text.removeprefix(BOM) or text.endswith(("\n", "\r")) else text + newline
    made = reader.parse(start + "".join(f"{line}{newline}" for line in write_item(card)), file)
    return _with_line(made) if isinstance(made.root, Sequence) and says(made.root, (card,)) else None


def _with_line(document: Document | None) -> tuple[str, int] | None:
    """Return the text of a file and the number of the line in which its last card begins."""
    if document is None or not isinstance(document.root, Sequence):
        return None
    return document.text, document.span(document.root.items[-1]).line


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
