"""The cards that a deck may name, even while it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from render.game.cards import GameCard, GameSet
from render.game.sets.set_reader import survey
from render.lsp.sources.pieces import document_of
from render.source.nodes import Mapping, Scalar, Sequence

_SETS = re.compile(r"^sets[ \t]*:[^\r\n]*(?:\r?\n[ \t]*-[^\r\n]*)*", re.MULTILINE)


def cards_of_deck(file: Path, text: str) -> Iterator[tuple[GameCard, GameSet]]:
    """Yield the cards of the sets that a deck names, with their sets."""
    folders = [file.parent / name for name in _names_of_sets(file, text)]
    sets, _ = survey([folder for folder in folders if folder.is_dir()])
    for card_set in sets:
        for card in card_set.cards:
            yield card, card_set


def _names_of_sets(file: Path, text: str) -> list[str]:
    """Return what stands behind `sets`, whatever is wrong in the other lines."""
    said = _SETS.search(text)
    document = document_of(said[0], file) if said else None
    root = document.root if document else None
    node = root.get("sets") if isinstance(root, Mapping) else None
    items = node.items if isinstance(node, Sequence) else (node,)
    return [item.value for item in items if isinstance(item, Scalar) and item.value]
