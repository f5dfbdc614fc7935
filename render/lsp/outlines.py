"""The cards of a file with their kinds and levels, and the keys of a set: what an editor lists beside the text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from render.game.folder import SET_FILE, card_files
from render.lsp.answers import AnswerSort, FilePlace, FoundCard, OutlineEntry
from render.lsp.sources.edited_set import CardPiece, EditedSet, card_pieces, text_of
from render.lsp.sources.pieces import FilePiece, pieces_of
from render.source.nodes import Mapping, Node, Scalar, Sequence

_LONGEST = 80  # characters of a value beside its key
MAX_FOUND = 500  # cards that a search shows


def outline(text: str, file: Path, view: EditedSet | None) -> list[OutlineEntry]:
    """Return the cards of a card file, or the keys of another one."""
    of_cards = view is not None and file.name != SET_FILE
    found: list[OutlineEntry] = []
    for piece in pieces_of(text, file):
        if of_cards and view is not None:
            found += (_of_card(piece, each) for each in card_pieces(piece, view) if each.node.entries)
        else:
            found += [entry for node in piece.nodes for entry in _of_keys(piece, node)]
    return found


def _of_card(piece: FilePiece, card: CardPiece) -> OutlineEntry:
    name = card.node.get("name") or card.node.get("id")
    said = name.value if isinstance(name, Scalar) and name.value else "card"
    named = name if isinstance(name, Scalar) and name.value else card.node.entries[0][0]
    kind = card.node.get("kind")
    numbers = (
        [f"{key.replace('_', ' ')} {number}" for key, number in card.derivation.numbers] if card.derivation else []
    )
    parts = [kind.value if isinstance(kind, Scalar) else "", *numbers[:1]]
    return OutlineEntry(
        name=said,
        beside=" ".join(filter(None, parts)),
        sort=AnswerSort.CARD,
        stretch=piece.of_node(card.node),
        name_stretch=piece.of_node(named),
    )


def _of_keys(piece: FilePiece, node: Node) -> Iterator[OutlineEntry]:
    """Yield the keys of a mapping with those in it."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _of_keys(piece, item)
    if not isinstance(node, Mapping):
        return
    for key, value in node.entries:
        inner = tuple(_of_keys(piece, value))
        beside = value.value if isinstance(value, Scalar) and "\n" not in value.value else ""
        end = max(value.start + len(piece.text[value.start : value.end].rstrip()), key.end)
        whole = piece.stretch(key.start, end)
        yield OutlineEntry(
            name=key.value or " ",
            beside=beside[:_LONGEST],
            sort=AnswerSort.KEY,
            stretch=whole,
            name_stretch=piece.of_node(key),
            inner=inner,
        )


def found_cards(views: Iterator[EditedSet], query: str) -> Iterator[FoundCard]:
    """Yield the cards of sets whose name has all words of a query."""
    words = query.casefold().split()
    count = 0
    for view in views:
        for file in card_files(view.folder):
            text = text_of(file)
            for piece in pieces_of(text, file) if text is not None else ():
                for node in piece.nodes:
                    name = node.get("name") if isinstance(node, Mapping) else None
                    if not isinstance(name, Scalar) or not all(word in name.value.casefold() for word in words):
                        continue
                    count += 1
                    if count > MAX_FOUND:
                        return
                    yield FoundCard(name.value, view.card_set.name, FilePlace(file, piece.of_node(name)))
