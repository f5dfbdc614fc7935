"""The faces of a set's sheets: those that the store has from earlier builds, and those that are drawn now, for it to keep.

Of a deck, whose sets may have templates of one name, and of sheets for a press, whose cards are laid out apart, nothing
is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from render.build.inputs import Inputs
from render.build.outputs import Keys
from render.exports.print_files import drawn_for
from render.game.cards import GameCard, GameSet
from render.game.faces import Faces
from render.scene.items import DrawnFace
from render.sheets.options import SheetOptions

if TYPE_CHECKING:
    from render.build.store import Store

Sides = tuple[DrawnFace, DrawnFace | None]
"""A card's front, and its back if that is its own."""


def find_sides(
    store: Store | None, card_set: GameSet, names: Collection[str], keys: Keys, inputs: Inputs
) -> dict[str, Sides]:
    """Return the own sides of the cards with these ids, of all that the store has."""
    if store is None or card_set.deck or card_set.sheet.for_press:
        return {}
    wanted = {card.id: card for card in card_set.cards if card.id in names}
    asked = {
        f"{side} {name}": key
        for name, card in wanted.items()
        for side, key in enumerate(_keys(card, keys, card_set.sheet))
    }

    def is_unchanged(file: Path, digest: str) -> bool:
        return inputs.peek(inputs.labels.label(file)) == digest

    found = store.find(asked, is_unchanged)
    return {
        name: (found[f"0 {name}"], found.get(f"1 {name}"))
        for name, card in wanted.items()
        if f"0 {name}" in found and (f"1 {name}" in found or not card.has_own_back)
    }


def finish(
    store: Store | None, card_set: GameSet, drawn: Mapping[str, Faces], found: Mapping[str, Faces], keys: Keys
) -> dict[str, Faces]:
    """Return the faces that were laid out and those that were found as sheets print them; the store keeps the former."""
    draw = drawn_for(card_set.sheet)
    if store is None or draw is None or card_set.deck:
        return {**drawn}
    sheet, finished, kept = card_set.sheet, {**found}, dict[bytes, DrawnFace]()
    for name, faces in drawn.items():
        card, front = faces.card, draw(faces.front, False)
        own = draw(faces.back, True) if faces.back and card.has_own_back else None
        finished[name] = Faces(card, front, own or faces.back)
        kept.update(zip(_keys(card, keys, sheet), (front, own) if own else (front,), strict=False))
    store.keep(kept)
    return finished


def _keys(card: GameCard, keys: Keys, sheet: SheetOptions) -> list[bytes]:
    """Return the keys of a card's own sides: digests of all that they are made from, and of how sheets print them."""
    how = (sheet.bleed_from, sheet.proof.value, sheet.corner_radius, sheet.art_dpi)
    sides = [("front", sheet.bleed), ("back", sheet.back_bleed)][: 1 + card.has_own_back]
    return [hashlib.sha256(repr((keys.sides(card), side, how)).encode()).digest() for side in sides]
