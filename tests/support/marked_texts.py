"""Texts with a place marked by `‸`, and files that hold them."""

import textwrap
from pathlib import Path

from lsprotocol import types
from lsprotocol.types import Position

from render.lsp.completion import complete
from render.lsp.document import EditedDocument, LineMap, set_of

MARK = "‸"
SET = "name: Test\nedition: 17\n"


def unmarked(text: str) -> tuple[str, Position]:
    """Return a text without its mark, and the position where it was."""
    text = textwrap.dedent(text)
    at = text.index(MARK)
    text = text[:at] + text[at + 1 :]
    return text, LineMap(text).position(at)


def write_document(folder: Path, text: str, name: str = "cards.yaml", set_yaml: str = SET) -> EditedDocument:
    """Write a file of a set, and return it as an editor has it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "set.yaml").write_text(set_yaml, "utf-8")
    (folder / name).write_text(text, "utf-8")
    return document_of(folder / name, text)


def document_of(file: Path, text: str) -> EditedDocument:
    """Return a file with this text as an editor has it."""
    return EditedDocument(file, text, set_of(file))


def completions(document: EditedDocument, position: Position) -> list[types.CompletionItem]:
    """Return what may be written at a place of a file."""
    return [*complete(document, types.CompletionParams(NO_FILE, position)).items]


NO_FILE = types.TextDocumentIdentifier("")
