"""Scenes as a print shop sees them: each text, line, ground and picture with its place, size and inks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from render.base.caches import cached
from render.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_POINT, Affine, Rect, box_around
from render.images import inks
from render.images.decode import open_picture
from render.images.press import Press
from render.images.resample import picture_content
from render.layout.bounds import around, of_item
from render.layout.press import letter_boxes
from render.scene.gradients import knots, mean
from render.scene.items import REACH, Filling, Group, Item, Layer, Path, Picture, Scene, TextRun, UnseenRun
from render.scene.outlines import move_outlines, points_of
from render.shops.print_fitness import PrintedPiece, What, line_pieces, strip


def read_pieces(scene: Scene, press: Press | None) -> Iterator[PrintedPiece]:
    """Yield what is drawn on a face, in order, in the inks of a press; None as a shop that gets RGB separates them."""
    yield from _View(press, scene.size.rect.outset(REACH), IDENTITY).items(scene.items)


@dataclass(frozen=True, slots=True)
class _View:
    """How items are seen: through a window of the card, and taken to the card by a map."""

    press: Press | None
    window: Rect
    map: Affine

    def items(self, items: tuple[Item, ...]) -> Iterator[PrintedPiece]:
        for item in items:
            match item:
                case Path():
                    yield from self._path(item)
                case UnseenRun():
                    pass
                case TextRun():
                    yield from self._run(item)
                case Picture():
                    yield from self._picture(item)
                case Group() | Layer():
                    window = self.map.box(of_item(item)).shared(self.window)
                    if window.width > 0 and window.height > 0:
                        yield from _View(self.press, window, self.map @ item.transform).items(item.items)

    def _path(self, path: Path) -> Iterator[PrintedPiece]:
        outlines = move_outlines(path.outlines, self.map)
        if path.fill is not None:
            like = self._colored(What.GROUND, self.window, path.fill)
            thin = [strip(outline, like) for outline in outlines]
            if all(thin):
                yield from (each for one in thin if one for each in self._seen(one))
            else:
                box = box_around(points_of(outlines))
                yield from self._seen(self._colored(What.GROUND, box, path.fill))
        if path.stroke is not None:
            like = self._colored(What.LINE, self.window, path.stroke.color, path.stroke.width * self.map.growth)
            for line in line_pieces(outlines, like):
                yield from self._seen(line)

    def _run(self, run: TextRun) -> Iterator[PrintedPiece]:
        boxes = [self.map.box(run.transform.box(box)).shared(self.window) for box in letter_boxes(run)]
        seen = [box for box in boxes if box.width > 0 and box.height > 0]
        if seen:
            size = run.size * run.transform.growth * self.map.growth / MM_PER_POINT
            yield self._colored(What.TEXT, around(seen), run.fill, size, run.words)

    def _picture(self, picture: Picture) -> Iterator[PrintedPiece]:
        box, at = self.map.box(picture.box), self.map
        width, height = _pixels(picture)
        # The map may turn it: its own width and height count, and not those of the box around it.
        across = width * picture.crop.width / (picture.box.width * hypot(at.a, at.b))
        down = height * picture.crop.height / (picture.box.height * hypot(at.c, at.d))
        yield from self._seen(PrintedPiece(what=What.PICTURE, box=box, measure=min(across, down) * MM_PER_INCH))

    def _seen(self, one: PrintedPiece) -> Iterator[PrintedPiece]:
        """Yield the part of a piece that shows through the window, if any."""
        box = one.box.shared(self.window)
        if box.width >= 0 and box.height >= 0:
            yield replace(one, box=box)

    def _colored(self, what: What, box: Rect, color: Filling, measure: float = 0.0, words: str = "") -> PrintedPiece:
        red, green, blue = (
            color if isinstance(color, tuple) else (255 * share for share in mean(knots(color.stops))[:3])
        )
        light = (0.299 * red + 0.587 * green + 0.114 * blue) / 255  # luma of ITU-R BT.601
        plates = _inks(color, self.press)
        return PrintedPiece(what=what, box=box, measure=measure, inks=plates, light=light, words=words)


@cached(1024)  # of most pictures there are several on each card
def _pixels(picture: Picture) -> tuple[int, int]:
    return open_picture(picture_content(picture)).upright_size


_TRACE = 0.02  # of an ink: too little to show


def _inks(color: Filling, press: Press | None) -> int:
    """Return the number of inks of a color. A shop that gets RGB prints gray in black and all else in several."""
    if not isinstance(color, tuple):
        if press is None:
            return max(_inks(stop.color, None) for stop in color.stops)
        plates = zip(*inks.gradient_inks(color.stops, press), strict=True)
        return sum(max(plate) > _TRACE for plate in plates)
    if press is None:
        return 1 if len(set(color)) == 1 else 3
    return sum(ink > _TRACE for ink in inks.inks(color, press))
