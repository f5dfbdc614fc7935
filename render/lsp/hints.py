"""What is shown behind words: levels that follow from the rules, and what a piece of an ability text adds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from render.base.caches import cached
from render.lsp.answers import InlayHint
from render.lsp.sources.edited_set import CardPiece, EditedSet, card_pieces
from render.lsp.sources.pieces import FilePiece, document_of, line_map, pieces_of
from render.source.nodes import Document, Mapping, Scalar

AUTO = "auto"


def inlay_hints(text: str, file: Path, view: EditedSet, first: int, last: int | None) -> list[InlayHint]:
    """Return the hints of the cards that have a line from `first` to `last`, counted from 0."""
    found = []
    for piece in pieces_of(text, file, first, last):
        for hint in _hints(piece.text, file, view):
            line = hint.line + piece.first
            if line >= first and (last is None or line <= last):
                found.append(InlayHint(line, hint.character, hint.word, hint.about))
    return found


# By text, so that an edit makes those of one card anew; lines count from the first one of the piece.
@cached(8192)
def _hints(text: str, file: Path, view: EditedSet) -> tuple[InlayHint, ...]:
    document = document_of(text, file)
    if document is None:
        return ()
    return tuple(hint for card in card_pieces(FilePiece(file, text, 0), view) for hint in _of_card(document, card))


def _of_card(document: Document, card: CardPiece) -> Iterator[InlayHint]:
    if card.derivation is None:
        return
    for key, number in card.derivation.numbers:
        node = card.node.get(key)
        if isinstance(node, Scalar) and node.value != number and node.value:
            word = number if node.value == AUTO else f"{number} by the rules"
            yield _hint(document, node.end, word, card.derivation.summary)
    for key in dict.fromkeys(step.key for step in card.derivation.steps if step.place):
        yield from _of_text(document, card, key)


def _of_text(document: Document, card: CardPiece, key: str) -> Iterator[InlayHint]:
    """Yield what the pieces of a text add, each behind its words."""
    node = _value(card.node, key)
    if not isinstance(node, Scalar) or card.derivation is None:
        return
    places = document.places(node)
    for step in card.derivation.steps:
        if step.key == key and step.place and step.amount and 0 < step.place[1] <= len(places):
            about = "; ".join(filter(None, (step.role, step.note, step.extra)))
            yield _hint(document, places[step.place[1] - 1][1], step.amount, about)


def _value(node: Mapping, key: str) -> object:
    return node.get(key)


def _hint(document: Document, end: int, word: str, about: str) -> InlayHint:
    # The parser lets a plain value end where the next thing begins.
    spot = line_map(document.text).spot(len(document.text[:end].rstrip()) if end else end)
    return InlayHint(spot.line, spot.character, word, about)
