"""A tagged PDF of single cards, for people who have them read out: a page for each side that is a card's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from render.base.addresses import Place
from render.base.files import replace_files
from render.base.geometry import Rect
from render.game.cards import GameCard, GameSet, homes
from render.game.faces import sides_with_parts
from render.game.registry import game_of
from render.layout.bounds import around, of_item
from render.layout.lay_out import FacePart
from render.pdf.tagged import FIGURE, HEADING, PARAGRAPH, ReadFace, ReadPart, tagged_parts
from render.scene.items import Picture, Scene, TextRun, UnseenRun, walk

_NAME = "name"
"""The id of the text that is the heading of a card."""


def write_tagged(sets: Sequence[GameSet], title: str, file: Place, below: Path | None = None) -> int:
    """Write the cards of sets that can be drawn, and return how many pages they have; `below` is as in `base/files`.

    OSError.
    """
    faces = [each for card_set in sets for part in homes(card_set) for each in _read_faces(part)]
    replace_files([(file, lambda: tagged_parts(faces, title))], below)
    return len(faces)


def _read_faces(card_set: GameSet) -> Iterator[ReadFace]:
    icons = {icon.words: icon.told for icon in game_of(card_set).icons(card_set)}
    for card, sides in zip(card_set.cards, sides_with_parts(card_set, card_set.cards), strict=True):
        for face in filter(None, (sides.front, sides.own_back)):
            parts = sorted(_parts_on(face, card, sides.parts), key=lambda part: _place(part[0]))
            yield ReadFace(
                face, card.name or card.id, card_set.language or "en", tuple(part for _, part in parts), icons
            )


def _parts_on(face: Scene, card: GameCard, parts: Sequence[FacePart]) -> Iterator[tuple[Rect, ReadPart]]:
    """Yield what is read of a face, and its place; pictures that are not the card's are decoration."""
    shown = {id(item) for item in walk(face.items)}
    alts = {picture.file: picture.alt or card.name for picture in card.pictures.values()}
    for part in parts:
        inner = [*walk(part.items)]
        if not any(id(item) in shown for item in inner):
            continue
        box = around(map(of_item, part.items))
        words = "".join(item.words for item in inner if isinstance(item, TextRun))
        if words.strip():
            # A number alone says nothing without what is drawn around it.
            is_bare = not (any(map(str.isalpha, words)) or any(isinstance(item, UnseenRun) for item in inner))
            label = re.sub(r"[._]+", " ", part.id) if is_bare and part.id != _NAME else ""
            tag = HEADING if part.id == _NAME else PARAGRAPH
            yield box, ReadPart(tag, part.items, f"{label} {words.strip()}" if label else "")
        elif alt := next((alts[each.file] for each in inner if isinstance(each, Picture) and each.file in alts), ""):
            yield box, ReadPart(FIGURE, part.items, alt)


def _place(box: Rect) -> tuple[int, float]:
    """Return by what parts of a face are read in order: from top to bottom, and what begins at about one height from left."""
    return round(box.y / _ROW), box.x


_ROW = 2.0  # mm: the numbers of a card stand in a row though their boxes differ by a little
