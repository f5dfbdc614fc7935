"""The faces of a set's sheets: those that the store has from earlier builds, and those that are drawn now, for it to keep.

Of a deck, whose sets may have templates of one name, and of sheets for a press, whose cards are laid out apart, nothing
is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from render.build.inputs import Inputs
from render.build.outputs import Keys
from render.build.store import Store
from render.exports.print_files import printed
from render.game.cards import GameCard, GameSet
from render.game.faces import Faces
from render.scene.items import DrawnFace, Scene, scene_digest
from render.sheets.options import SheetOptions

Sides = tuple[DrawnFace, DrawnFace | None]
"""A card's front, and its back if that is its own."""


def find_sides(
    store: Store | None, card_set: GameSet, names: Iterable[str], keys: Keys, inputs: Inputs
) -> dict[str, Sides]:
    """Return the own sides of the cards with these ids, of all that the store has."""
    if store is None or not _can_keep(card_set):
        return {}
    wanted = {card.id: card for card in card_set.cards if card.id in {*names}}
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
    if store is None or not _can_keep(card_set):
        return {**drawn}
    from render.pdf.drawing import Drawer

    sheet, finished, kept = card_set.sheet, {**found}, dict[bytes, DrawnFace]()
    drawer = Drawer(None, sheet.art_dpi)

    def draw(scene: Scene, *, is_back: bool) -> DrawnFace:
        face = printed(scene, sheet, is_back=is_back)
        # Only of backs the digest is asked for: a file says which cards have the same one.
        return DrawnFace(face.size, (), drawer.face(face), scene_digest(face) if is_back else "")

    for name, faces in drawn.items():
        card, front = faces.card, draw(faces.front, is_back=False)
        own = draw(faces.back, is_back=True) if faces.back and card.has_own_back else None
        finished[name] = Faces(card, front, own or faces.back)
        kept.update(zip(_keys(card, keys, sheet), (front, own) if own else (front,), strict=False))
    store.keep(kept)
    return finished


def _can_keep(card_set: GameSet) -> bool:
    return not card_set.deck and not card_set.sheet.for_press


def _keys(card: GameCard, keys: Keys, sheet: SheetOptions) -> list[bytes]:
    """Return the keys of a card's own sides: digests of all that they are made from, and of how sheets print them."""
    how = (sheet.bleed_from, sheet.proof.value, sheet.corner_radius, sheet.art_dpi)
    sides = [("front", sheet.bleed), ("back", sheet.back_bleed)][: 1 + card.has_own_back]
    return [hashlib.sha256(repr((keys.sides(card), side, how)).encode()).digest() for side in sides]
