"""The faces of a set's sheets: those that the store has from earlier builds, and those that are drawn now, for it to keep.

Of sheets for a press, whose cards are laid out apart, only `kotc pdf` keeps faces, and none for files without transparency. It
keeps the built-in back as well, which is the same on the cards of all sets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from render.base.findings import Diagnostic
from render.base.resources import is_ours
from render.build.inputs import Inputs
from render.exports.print_files import drawn_for
from render.game.cards import GameCard, GameSet
from render.game.faces import Faces, Finish
from render.game.side_layout import OwnSides
from render.layout.lay_out import lay_out
from render.layout.template_walk import Pictures
from render.layout.templates.template import Template
from render.scene.items import DrawnFace, Scene
from render.sheets.options import USUAL, SheetOptions

if TYPE_CHECKING:
    from render.build.outputs import Keys
    from render.build.store import Store
    from render.pdf.objects import Piece

Sides = tuple[DrawnFace, DrawnFace | None]
"""A card's front, and its back if that is its own."""


def find_sides(
    store: Store | None, card_set: GameSet, names: Collection[str], keys: Keys, inputs: Inputs
) -> dict[str, Sides]:
    """Return the own sides of the cards with these ids, of all that the store has."""
    if store is None or card_set.sheet.for_press:
        return {}
    wanted = {card.id: card for card in card_set.cards if card.id in names}
    asked = {
        f"{side} {name}": key
        for name, card in wanted.items()
        for side, key in enumerate(_keys(card, keys, card_set.sheet))
    }

    def is_unchanged(file: Path, digest: str) -> bool:
        return inputs.peek(inputs.labels.label(file)) == digest

    from render.pdf.spool import Spool

    found = store.find(asked, Spool(), is_unchanged)
    return {
        name: (found[f"0 {name}"], found.get(f"1 {name}"))
        for name, card in wanted.items()
        if f"0 {name}" in found and (f"1 {name}" in found or not card.has_own_back)
    }


def finish(
    store: Store | None, card_set: GameSet, drawn: Mapping[str, Faces], found: Mapping[str, Faces], keys: Keys
) -> dict[str, Faces]:
    """Return the faces that were laid out and those that were found as sheets print them; the store keeps the former."""
    drawing = drawn_for(card_set.sheet)
    if store is None or drawing is None or card_set.sheet.for_press:
        return {**drawn}
    sheet, finished, kept = card_set.sheet, {**found}, dict[bytes, DrawnFace]()
    for name, faces in drawn.items():
        card, front = faces.card, _drawn(drawing, faces.front, is_back=False)
        own = _drawn(drawing, faces.back, is_back=True) if faces.back and card.has_own_back else None
        finished[name] = Faces(card, front, own or faces.back)
        kept.update(zip(_keys(card, keys, sheet), (front, own) if own else (front,), strict=False))
    store.keep(kept)
    return finished


def _keys(card: GameCard, keys: Keys, sheet: SheetOptions) -> list[bytes]:
    """Return the keys of a card's own sides: digests of all that they are made from, and of how sheets print them."""
    sides = [("front", sheet.bleed), ("back", sheet.back_bleed)][: 1 + card.has_own_back]
    return [_key(keys.sides(card), side, sheet) for side in sides]


def _key(made_of: object, side: tuple[str, float], sheet: SheetOptions) -> bytes:
    how = (
        sheet.bleed_from,
        sheet.proof.value,
        sheet.corner_radius,
        sheet.art_dpi,
        sheet.standard.value,
        sheet.rich_black,
    )
    return hashlib.sha256(repr((made_of, side, how)).encode()).digest()


def _drawn(drawing: Finish, face: Scene, *, is_back: bool) -> DrawnFace:
    drawn = drawing.keep(drawing.draw(face, is_back))
    assert isinstance(drawn, DrawnFace)
    return drawn


def finish_with_store(drawing: Finish, sheet: SheetOptions, store: Store) -> Finish:
    """Return what draws the sides of sets for such sheets as they are laid out, and keeps them in a store.

    Kept are cards in which nothing is wrong or doubtful, and a shared back that a single built-in template makes of
    shapes alone: the program and that template decide it.
    """
    from render.pdf.spool import Spool

    spool = Spool()
    program, size, side = store.program, sheet.card_size, ("back", sheet.back_bleed)
    keys_before: dict[Path, dict[str, list[bytes]]] = {}  # of the files as they were before cards were drawn, by set

    def keys_of(card_set: GameSet) -> dict[str, list[bytes]]:
        from render.game.known_cards import card_keys

        whole = structs.replace(card_set, sheet=SheetOptions(card_size=size), outputs=USUAL)
        sides = (("front", sheet.bleed), side)
        return {name: [_key((program, key), each, sheet) for each in sides] for name, key in card_keys(whole).items()}

    def known(card_set: GameSet) -> dict[str, OwnSides]:
        keys = keys_before[card_set.folder] = keys_of(card_set)
        asked = {(card.id, at): keys[card.id][at] for card in card_set.cards for at in range(1 + card.has_own_back)}
        found = store.find(asked, spool, lambda *_: True)  # the keys say it of all files
        sides = {card.id: (found.get((card.id, 0)), found.get((card.id, 1))) for card in card_set.cards}
        return {card.id: sides[card.id] for card in card_set.cards if all(sides[card.id][: 1 + card.has_own_back])}

    def remember(card_set: GameSet, made: Mapping[str, OwnSides]) -> None:
        keys = keys_before[card_set.folder]
        drawn = ((keys[name][at], face) for name, faces in made.items() for at, face in enumerate(faces))
        store.keep({key: face for key, face in drawn if isinstance(face, DrawnFace)})

    def lay_out_or_find(
        template: Template, values: Mapping[str, object], pictures: Pictures, doubts: list[Diagnostic]
    ) -> Scene:
        is_plain = is_ours(str(template.file)) and not template.templates.layers
        if values or not is_plain:  # a shared back has no values
            return lay_out(template, values, pictures, doubts)
        key = _key((program, template.source.digest, size.width, size.height), side, sheet)
        known = store.find({"": key}, spool, lambda *_: False).get("")
        if known:
            return known
        scene = lay_out(template, values, pictures, doubts)
        if scene.size != size or doubts:
            return scene
        drawn, name = _drawn(drawing, scene, is_back=True), f"{template.name}.svg"
        if _is_shapes(drawn) and template.templates.reached(name) == {name}:
            store.keep({key: drawn})
        return drawn

    return structs.replace(drawing, lay_out=lay_out_or_find, known=known, remember=remember)


def _is_shapes(face: DrawnFace) -> bool:
    """Whether a face shows neither words nor pictures, which are in other files."""
    spool, name = face.form
    waiting: list[Piece] = [spool.piece(name)]
    for piece in waiting:
        waiting += piece.parts
    return not any(piece.fonts or piece.pictures for piece in waiting)
