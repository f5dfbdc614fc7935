"""What is said about the word under the pointer: what a key means, what a piece of text adds, how a level follows."""

from __future__ import annotations

from pathlib import Path

from render.game.derivations import Derivation, DerivationStep
from render.lsp.answers import HoverWords
from render.lsp.sources.edited_set import CardPiece, EditedSet, card_pieces
from render.lsp.sources.pieces import NodePlace, node_at, pieces_of
from render.lsp.sources.places import Spot, Stretch
from render.lsp.sources.schemas_of_files import schema_of
from render.source.nodes import Mapping, Scalar


def hover(text: str, file: Path, view: EditedSet | None, spot: Spot) -> HoverWords | None:
    """Return what there is to say about a spot of a file; None for nothing."""
    for piece in pieces_of(text, file, spot.line, spot.line):
        place = node_at(piece, spot)
        if place is None:
            continue
        card = _card(place, view) if view else None
        said = _of_step(place, card, spot) if card else None
        return said or _of_key(place, file, view, card)
    return None


def _card(place: NodePlace, view: EditedSet) -> CardPiece | None:
    cards = card_pieces(place.piece, view)
    return next((each for each in cards if each.node.start == place.card.start), None)


def _of_step(place: NodePlace, card: CardPiece, spot: Spot) -> HoverWords | None:
    """Return what the piece of an ability under the pointer adds."""
    document = place.piece.document
    if place.on_key or card.derivation is None or document is None:
        return None
    key = ".".join(place.path)
    steps = [step for step in card.derivation.steps if step.key == key and step.place]
    places = document.places(place.scalar) if steps else []
    offset = place.piece.offset(spot)
    for step in steps:
        start, end = step.place or (0, 0)
        if 0 <= start < end <= len(places) and places[start][0] <= offset <= places[end - 1][1]:
            return HoverWords(_step(step), place.piece.stretch(places[start][0], places[end - 1][1]))
    return None


def _step(step: DerivationStep) -> str:
    amount = f" **{step.amount}**" if step.amount else ""
    more = ", ".join(filter(None, (step.note, step.extra)))
    return f"{step.role}{amount}: {_plain(step.words)}" + (f"\n\n{_plain(more)}" if more else "")


def _of_key(place: NodePlace, file: Path, view: EditedSet | None, card: CardPiece | None) -> HoverWords | None:
    schema = schema_of(file, view)
    described = schema.described(place.path, _values(place.card)) if schema else ""
    derived = card.derivation if card else None
    parts = [f"`{place.path[-1]}`: {described}" if described and place.path else ""]
    if derived and (place.path[-1:] == ("name",) or place.path[-1:] in [(key,) for key, _ in derived.numbers]):
        parts.append(_derivation(derived))
    said = "\n\n".join(filter(None, parts))
    return HoverWords(said, _stretch(place)) if said else None


def _stretch(place: NodePlace) -> Stretch:
    return place.piece.of_node(place.scalar)


def _values(node: Mapping) -> dict[str, str]:
    return {key.value: value.value for key, value in node.entries if isinstance(value, Scalar)}


def _derivation(derived: Derivation) -> str:
    """Return how a level follows, as a table."""
    head = f"**{derived.result}**" if derived.result else _plain(derived.summary)
    rows = [
        f"| {_cell(step.words)} | {step.amount} | {_cell(step.role)} | {_cell(step.note)} |" for step in derived.steps
    ]
    table = "\n".join(["| | | | |", "| --- | ---: | --- | --- |", *rows])
    return f"{head}\n\n{table}" if rows else head


def _plain(words: str) -> str:
    """Return words in Markdown that mean themselves."""
    for mark in "\\`*_<[|":
        words = words.replace(mark, f"\\{mark}")
    return words


def _cell(words: str) -> str:
    return _plain(" ".join(words.split()))
