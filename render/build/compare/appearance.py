"""What the cards of a set look like: digests of both faces of each, and its number of copies.

`of` returns it for cards that are laid out, and keeps their scenes, so that they can be painted. `remembered` returns
it from a manifest, which has no scenes; `write` writes it as such a manifest. `painted` prepares two of these for
`diff.between`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from render.base.files import replace_file
from render.base.forking import map_in_two_processes
from render.base.geometry import MAX_DISTANCE, Size
from render.build.state import manifest as manifests
from render.build.state import sealed_values
from render.build.state.keys import Keys
from render.build.state.manifest import Manifest, OutputRecord
from render.build.state.outputs import back_png_of, canvas_of, png_of
from render.game.cards import GameCard, GameSet
from render.game.faces import Faces, Redrawn
from render.layout.bleed import add_bleed
from render.png.canvas import Canvas
from render.scene.items import Scene, first_picture, scene_digest
from render.sheets.options import MAX_BLEED, MAX_DPI, MIN_DPI, OPTIONS, Backs

_USUAL_DPI = 300.0  # for comparing pixels if a set makes no PNGs
_NO_BACK = ""


@dataclass(frozen=True, slots=True)
class CardDigests:
    """A card's looks: its copies, and the digests of its faces' scenes; "" for no back."""

    copies: int
    front: str
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDigests:
    """What the cards of a set look like, by id in their order, and their trim size.

    `pixels` are digests of pixels by the digest of the scene, where known, on `canvas` with bleed from `bleed_from`.
    `scenes` are those at hand, by digest.
    """

    cards: Mapping[str, CardDigests]
    size: Size
    canvas: Canvas
    bleed_from: str
    pixels: Mapping[str, str] = field(default_factory=dict)
    scenes: Mapping[str, Scene] = field(default_factory=dict, compare=False, repr=False)

    @property
    def printed(self) -> dict[str, CardDigests]:
        """The cards with copies."""
        return {name: look for name, look in self.cards.items() if look.copies}

    def is_on_the_grid_of(self, other: SetDigests) -> bool:
        """Return whether the pixels of both come from the same grid."""
        return (self.size, self.canvas, self.bleed_from) == (other.size, other.canvas, other.bleed_from)

    @property
    def mark(self) -> str:
        """A digest of all this, to tell it from others."""
        said = repr((self.cards, self.size, self.canvas, self.bleed_from, sorted(self.pixels.items())))
        return hashlib.sha256(said.encode("utf-8")).hexdigest()[:16]


NONE = SetDigests(cards={}, size=Size(0.0, 0.0), canvas=Canvas(_USUAL_DPI), bleed_from="")
"""The looks of a set that does not exist."""


def of(card_set: GameSet, faces: Iterable[Faces]) -> SetDigests:
    """Return what the cards of a set, already laid out, look like; without pixels.

    Without backs on sheets, cards have none.
    """
    scenes: dict[str, Scene] = {}
    known: dict[int, str] = {}  # cards share their backs

    def marked(scene: Scene | None) -> str:
        if scene is None:
            return _NO_BACK
        if id(scene) not in known:
            known[id(scene)] = mark(scene)
            scenes[known[id(scene)]] = scene
        return known[id(scene)]

    with_backs = card_set.sheet.backs is not Backs.NONE
    cards = {
        each.card.id: CardDigests(each.card.copies, marked(each.front), marked(each.back if with_backs else None))
        for each in faces
    }
    return SetDigests(
        cards=cards,
        size=card_set.sheet.card_size,
        canvas=canvas(card_set),
        bleed_from=_bleed_from(card_set),
        scenes=scenes,
    )


def mark(scene: Scene) -> str:
    """Return the digest that stands for a scene here."""
    return scene_digest(scene)[:16]


def canvas(card_set: GameSet) -> Canvas:
    """Return the pixel grid for comparing the cards of a set: that of its PNGs, if it makes any."""
    return canvas_of(card_set) if card_set.outputs.pngs else Canvas(_USUAL_DPI)


def _bleed_from(card_set: GameSet) -> str:
    return card_set.sheet.bleed_from if canvas(card_set).bleed else ""


# --- painting -------------------------------------------------------------------------------------------------------


def paint_differences(before: SetDigests, now: SetDigests) -> tuple[SetDigests, SetDigests]:
    """Return both with the pixels that decide on their difference, on the canvas of `before`.

    Only what is drawn differently is painted. If one side can be painted and the other neither can nor has its pixels,
    the drawing decides.
    """
    if before.size != now.size:
        return before, now
    known = {**(now.pixels if now.is_on_the_grid_of(before) else {}), **before.pixels}
    scenes = {**now.scenes, **before.scenes}
    pairs = [pair for pair in _pairs(before, now) if all(face in known or face in scenes for face in pair)]
    unknown = {face for pair in pairs for face in pair} - known.keys()
    # Faces with the same picture together: it is decoded once.
    todo = sorted(unknown, key=lambda face: (first_picture(scenes[face]), face))
    work = partial(count, before.canvas, before.bleed_from)
    counted = map_in_two_processes(lambda some: map(work, some), [scenes[face] for face in todo])
    known.update(zip(todo, counted, strict=True))
    return replace(before, pixels=known), replace(before, cards=now.cards, pixels=known, scenes=now.scenes)


def _pairs(before: SetDigests, now: SetDigests) -> Iterator[tuple[str, ...]]:
    """Yield pairs of digests of scenes whose pixels must be compared, and single ones that may have been renamed."""
    old, new = before.printed, now.printed
    for name in old.keys() & new.keys():
        one, other = old[name], new[name]
        yield from (pair for pair in ((one.front, other.front), (one.back, other.back)) if pair[0] != pair[1])
    for mine, others in ((old, new), (new, old)):
        # Without any difference nothing can have been renamed, and no further card need be painted.
        if any(look != mine.get(name) for name, look in others.items()):
            yield from ((face,) for name in mine.keys() - others.keys() for face in (mine[name].front, mine[name].back))


def count(on: Canvas, bleed_from: str, scene: Scene) -> str:
    """Return the digest of the pixels of a face, with its bleed."""
    from render.png import packing, paint

    return packing.digest(paint.paint(add_bleed(scene, on.bleed, bleed_from), on))


# --- remembering ----------------------------------------------------------------------------------------------------


Row = tuple[int, str, str, str]
"""A card in a manifest: its copies, the digests of its front and back, and of what its own sides are made from."""

KnownSides = Mapping[str, tuple[str, str]]
"""The digests of the front and the back of cards, by id."""


def rows(
    card_set: GameSet, shown: Container[str], now: SetDigests, known: KnownSides, drawn: Redrawn, keys: Keys
) -> dict[str, Row]:
    """Return what to remember of the cards that outputs show: those laid out `now`, and others with `known` sides."""
    with_backs = card_set.sheet.backs is not Backs.NONE
    backs = {name: mark(scene) for name, scene in drawn.backs.items()} if with_backs else {}

    def sides(card: GameCard) -> tuple[str, str]:
        front, own = (now.cards[card.id].front, now.cards[card.id].back) if card.id in now.cards else known[card.id]
        return front, (own if card.has_own_back else backs.get(card.back, _NO_BACK))

    return {card.id: (card.copies, *sides(card), keys.sides(card)) for card in card_set.cards if card.id in shown}


def still_known(before: Manifest, card_set: GameSet, keys: Keys) -> dict[str, tuple[str, str]]:
    """Return the remembered digests of both sides, by id, of cards whose own sides are made from the same things now.

    A back that cards share may be another one now.
    """
    with_backs = card_set.sheet.backs is not Backs.NONE
    known: dict[str, tuple[str, str]] = {}
    for card in card_set.cards:
        row, made_from = before.pictures.get(card.id), keys.sides(card)  # asked of each card: its files are inputs
        # Of a set that had no backs on its sheets, those of the cards were not remembered.
        if row and row[3] == made_from and not (card.has_own_back and bool(row[2]) is not with_backs):
            known[card.id] = row[1], row[2]
    return known


def grid(card_set: GameSet) -> dict[str, Any]:
    """Return a manifest's words about how the cards of a set are compared.

    Pixels of backs are missing. Those of fronts come with their PNGs, but painting one back, which may have hundreds of
    shapes, takes as long as all else that is remembered of a thousand cards.
    """
    return _grid(
        SetDigests(cards={}, size=card_set.sheet.card_size, canvas=canvas(card_set), bleed_from=_bleed_from(card_set)),
        {},
    )


def _grid(pictures: SetDigests, backs: Mapping[str, str]) -> dict[str, Any]:
    size, on = pictures.size, pictures.canvas
    return {
        "size": [size.width, size.height],
        "canvas": [on.dpi, on.bleed],
        "bleed_from": pictures.bleed_from,
        "backs": backs,
    }


def remembered(known: Manifest) -> SetDigests | None:
    """Return the looks of cards from a manifest; None if it does not have them."""
    said = known.painted
    try:
        size, on = Size(*map(_length, said["size"])), Canvas(*map(_length, said["canvas"]))
        # The file may come from anywhere, and painting takes memory by the square of the resolution.
        if not (MIN_DPI <= on.dpi <= MAX_DPI and on.bleed <= MAX_BLEED):
            return None
        bleed_from = _word(said["bleed_from"])
        if bleed_from:
            _BLEED_FROM.read(bleed_from)
        cards = {
            name: CardDigests(_count(copies), _word(front), _word(back))
            for name, (copies, front, back, _) in known.pictures.items()
        }
        sides = ((face, known.outputs.get(file)) for name, look in cards.items() for face, file in _pngs(name, look))
        pixels = {face: _word(entry.pixels) for face, entry in sides if entry and entry.pixels}
        pixels.update((face, _word(counted)) for face, counted in said["backs"].items())
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return SetDigests(cards=cards, size=size, canvas=on, bleed_from=bleed_from, pixels=pixels)


def _pngs(card: str, look: CardDigests) -> tuple[tuple[str, str], ...]:
    """Return the digests of the sides of a card that a build may have drawn for it alone, each with its PNG."""
    return (look.front, png_of(card)), (look.back, back_png_of(card))


_BLEED_FROM = next(option for option in OPTIONS if option.key == "bleed_from")


def _length(said: object) -> float:
    if not isinstance(said, int | float) or not 0 <= said <= MAX_DISTANCE:
        raise ValueError
    return float(said)


def _count(said: object) -> int:
    if not isinstance(said, int) or said < 0:
        raise ValueError
    return said


def _word(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError
    return said


def write(file: Path, pictures: SetDigests, name: str = "") -> None:
    """Write a file for `--changed-since`: a manifest with the looks of the set `name`. OSError."""
    replace_file(file, sealed_values.sealed(manifests.text(as_manifest(pictures, name))))


def as_manifest(pictures: SetDigests, name: str = "") -> Manifest:
    """Return the manifest with the looks of the set `name`, and nothing else."""
    known = pictures.pixels
    looks = pictures.cards
    fronts = {
        png_of(each): OutputRecord({}, {}, pixels=known[look.front])
        for each, look in looks.items()
        if look.front in known
    }
    backs = {look.back: known[look.back] for look in looks.values() if look.back in known}
    # What fronts are made from is unknown here, so no build takes these for its own.
    cards = {each: (look.copies, look.front, look.back, "") for each, look in looks.items()}
    return Manifest(name=name, outputs=fronts, pictures=cards, painted=_grid(pictures, backs))
