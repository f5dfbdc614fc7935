"""Texts with a place marked by `‸`, and files that hold them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from lsprotocol.types import Position

from render.lsp.document import EditedSet, LineMap, set_of

MARK = "‸"
SET = "name: Test\nedition: 17\n"


def unmarked(text: str) -> tuple[str, Position]:
    """Return a text without its mark, and the position where it was."""
    text = textwrap.dedent(text)
    at = text.index(MARK)
    text = text[:at] + text[at + 1 :]
    return text, LineMap(text).position(at)


def card_file(folder: Path, text: str, set_yaml: str = SET, name: str = "cards.yaml") -> tuple[Path, EditedSet]:
    """Write a file of a set, and return it with the set that an editor sees."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "set.yaml").write_text(set_yaml, "utf-8")
    (folder / name).write_text(text, "utf-8")
    view = set_of(folder / name)
    assert view is not None
    return folder / name, view
