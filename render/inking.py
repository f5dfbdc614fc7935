"""A face as a press prints it: what overprints, the inks of small coloured text, rich black.

Black text and thin black lines overprint the tints beneath them, so that no white shows about them where a plate is out
of register; all else knocks out what is beneath. Coloured text that is small has two inks at most. What is decided
here stands in the scene, as colours that know their inks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from render import bleed, cmyk, extents, ink_pairs, pixels
from render.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.press import BLACK, Inked, Press
from render.scene import Colour, Group, Item, Path, Picture, Scene, TextRun, cropped

SMALL_TYPE = 16 * MM_PER_POINT  # larger letters have room for a slip of a plate
THIN = 2 * MM_PER_POINT  # what is thicker is an area, and would show in another black where the ground ends
RICH_AREA = 100.0  # mm2
RICH_THICKNESS = 2.0  # mm: of lines, frames and letters the plates would have to lie exactly on each other

_BLACK_SEEN = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What lies beneath: where it may reach, and the box that it fills all over, if it does. Both on the card.

    `inks` is the most cyan, magenta and yellow of it, 0 to 3; of a picture that depends on the part.
    """

    reach: Rect
    inks: float
    filled: Rect | None = None
    picture: tuple[Picture, Affine] | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where items are drawn: the map from their space to the card, and what is seen there of the card."""

    to_card: Affine
    window: Rect | None = None

    def seen(self, box: Rect) -> Rect:
        """Return a box of the items' space on the card, as far as it is seen."""
        on_card = self.to_card.box(box)
        return on_card.shared(self.window) if self.window else on_card

    def within(self, group: Group) -> _Place:
        return _Place(self.to_card @ group.transform, self.seen(group.clip))


@dataclass(frozen=True, slots=True)
class PressLook:
    """How faces are inked: for which press, and whether their large black areas are of its rich black."""

    press: Press
    rich_black: bool = False


def bled(scene: Scene, amount: float, source: str, look: PressLook) -> Scene:
    """Return a face as the press prints it, with its bleed."""
    face = bleed.bled(inked(scene, look), amount, source)
    return inked(face, look) if source.startswith("#") else face


def inked(scene: Scene, look: PressLook) -> Scene:
    """Return a face as the press prints it; what was inked before stays as it is."""
    return replace(scene, items=_Walk(look).items(scene.items, _Place(IDENTITY)))


class _Walk:
    """Walks the items of one face, back to front, and knows what lies beneath each."""

    def __init__(self, look: PressLook) -> None:
        self._press = look.press
        self._rich = look.press.rich_black if look.rich_black else BLACK
        self._beneath: list[_Ground] = []

    def items(self, items: Sequence[Item], place: _Place) -> tuple[Item, ...]:
        return tuple(self._item(item, place) for item in items)

    def _item(self, item: Item, place: _Place) -> Item:
        match item:
            case Path():
                return self._path(item, place)
            case TextRun():
                return self._run(item, place)
            case Picture():
                box = place.seen(item.box)
                self._beneath.append(_Ground(box, 0.0, box, (item, place.to_card)))
                return item
            case Group():
                return replace(item, items=self.items(item.items, place.within(item)))
            case _:
                assert_never(item)

    def _run(self, run: TextRun, place: _Place) -> TextRun:
        reach = place.seen(extents.of_run(run))
        if run.fill == _BLACK_SEEN:
            return replace(run, fill=_OVERPRINTING) if self._overprints(reach) else run
        size, fill = run.size * place.to_card.growth * run.transform.growth, run.fill
        if size <= SMALL_TYPE and not isinstance(fill, Inked):
            fill = _of_few_inks(fill, self._press)
        self._beneath.append(_Ground(reach, _coloured(fill, self._press)))
        return run if fill is run.fill else replace(run, fill=fill)

    def _path(self, path: Path, place: _Place) -> Path:
        return self._lined(self._filled(path, place), place)

    def _filled(self, path: Path, place: _Place) -> Path:
        if path.fill is None:
            return path
        box = extents.of_shape(path)
        reach, fill = place.seen(box), path.fill
        if fill == _BLACK_SEEN:
            if self._rich != BLACK and _is_large(path, reach, place.to_card.growth):
                fill = Inked(_BLACK_SEEN, self._rich)
            elif min(box.width, box.height) * place.to_card.growth <= THIN and self._overprints(reach):
                fill = _OVERPRINTING
        whole = extents.is_box(path) and place.to_card.b == place.to_card.c == 0
        self._beneath.append(_Ground(reach, _coloured(fill, self._press), reach if whole else None))
        return path if fill is path.fill else replace(path, fill=fill)

    def _lined(self, path: Path, place: _Place) -> Path:
        line = path.stroke
        if line is None:
            return path
        reach = place.seen(extents.of_line(path))
        if line.colour == _BLACK_SEEN and line.width * place.to_card.growth <= THIN and self._overprints(reach):
            return replace(path, stroke=replace(line, colour=_OVERPRINTING))
        self._beneath.append(_Ground(reach, _coloured(line.colour, self._press)))
        return path

    def _overprints(self, reach: Rect) -> bool:
        """Whether black that reaches so far stands on tints, and all inks together keep to the limit."""
        coloured = 0.0
        for ground in self._on_top(reach):
            coloured = max(coloured, self._coloured_inks(ground, reach))
            if coloured + 1 > self._press.ink_limit / 100:
                return False
        return coloured > 0

    def _on_top(self, reach: Rect) -> Iterator[_Ground]:
        """Yield what black touches, from the top down to what lies beneath all of it."""
        for ground in reversed(self._beneath):
            if extents.touch(ground.reach, reach):
                yield ground
                if ground.filled and extents.holds(ground.filled, reach):
                    return

    def _coloured_inks(self, ground: _Ground, reach: Rect) -> float:
        if ground.picture is None:
            return ground.inks
        picture, to_card = ground.picture
        part = cropped(picture, to_card.inverse.box(reach.shared(ground.reach)))
        return pixels.coloured_inks(part, self._press) if part else 0.0


_OVERPRINTING = Inked(_BLACK_SEEN, BLACK, overprints=True)


@lru_cache(maxsize=1024)
def _of_few_inks(colour: Colour, press: Press) -> Colour:
    """Return a colour of text with two inks at most: itself, if it has no more."""
    if sum(ink > 0 for ink in cmyk.inks(colour, press)) <= 2:
        return colour
    return Inked(colour, ink_pairs.nearest(colour, press).inks)


def _coloured(colour: Colour, press: Press) -> float:
    """Return the cyan, magenta and yellow of a colour, 0 to 3."""
    inks = colour.inks if isinstance(colour, Inked) else cmyk.inks(colour, press)
    return sum(inks[:3])


def _is_large(path: Path, seen: Rect, growth: float) -> bool:
    """Whether a filled shape is an area and no line: twice its area by its edge is how thick it is on average."""
    area, edge = extents.area_and_edge(path)
    thickness = 2 * area / edge * growth if edge else 0.0
    shown = min(area * growth**2, seen.width * seen.height)
    return shown >= RICH_AREA and min(thickness, seen.width, seen.height) >= RICH_THICKNESS
