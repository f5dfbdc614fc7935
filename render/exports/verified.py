"""Finished files against the sets that they were made of: each card is laid out again for `verify` to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from render.base.files import Paths, as_paths
from render.base.geometry import Size
from render.game.cards import GameSet, for_press
from render.game.faces import lay_out_set
from render.scene.items import Scene
from render.verify.faces import Cards, WantedCards
from render.verify.verdict import Verdict, verify


def verify_files(files: Paths, sets: Iterable[GameSet] = ()) -> Verdict:
    """Return the verdict on print sheets and shop files; with sets, also whether all their cards are in the files.

    OSError; Refused if a card of the sets cannot be drawn. A file that is named twice counts once.
    """
    asked = tuple(sets)
    return verify(as_paths(files), wanted_cards(asked) if asked else None)


def wanted_cards(sets: Sequence[GameSet]) -> WantedCards:
    """Return what sets ask for: copies and names of their cards, and what gives their faces at a size."""
    cards = [card for card_set in sets for card in card_set.cards]
    copies = Counter[str]()
    for card in cards:
        copies[card.id] += card.copies

    @cache  # several files mostly have cards of one size, and laying out takes longer than reading them
    def faces(size: Size, is_for_press: bool) -> Cards:
        by_id: dict[str, list[tuple[Scene, Scene | None]]] = {}
        for card_set in map(for_press, sets) if is_for_press else sets:
            for drawn in lay_out_set(replace(card_set, sheet=replace(card_set.sheet, card_size=size))).faces:
                by_id.setdefault(drawn.card.id, []).append((drawn.front, drawn.back))
        return by_id

    asking = [part for card_set in sets for part in (card_set.parts or (card_set,))]
    sources = tuple(dict.fromkeys(part.sheet.bleed_from for part in asking))
    wanted = {name: number for name, number in copies.items() if number}
    return WantedCards(wanted, {card.id: card.name for card in cards}, faces, sources)
