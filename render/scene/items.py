"""The display list: what a face looks like, complete and in millimetres.

A scene holds no card, template, percentage or font look-up. Back ends draw its items in order and measure nothing.
Items are frozen and compare by value, so that a back end can draw an item once and use it again.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import IDENTITY, Affine, Edges, Rect, Size

if TYPE_CHECKING:  # few scenes have gradients
    from render.scene.gradients import Gradient

Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255, in sRGB."""

Filling: TypeAlias = "Color | Gradient"
"""What a shape or a line is filled with."""

Segment = tuple[float, ...]
"""One step of an outline: (x, y) is a line to there, (x1, y1, x2, y2, x, y) a cubic Bezier curve."""


class Outline(Struct, frozen=True):
    """A subpath: its start, its segments, and whether it returns to its start."""

    start: tuple[float, float]
    segments: tuple[Segment, ...]
    closed: bool


class Stroke(Struct, frozen=True, kw_only=True):
    """A line along an outline: width and dashes in mm; cap is butt, round or square, join miter, round or bevel."""

    color: Filling
    width: float
    cap: str = "butt"
    join: str = "miter"
    miter_limit: float = 4.0  # SVG's default (SVG 1.1, 11.4); PDF's own is 10
    dashes: tuple[float, ...] = ()

    def scaled(self, by: float) -> Stroke:
        """Return the line in a space enlarged so many times."""
        return replace(self, width=self.width * by, dashes=tuple(dash * by for dash in self.dashes))


class Path(Struct, frozen=True):
    """Outlines, filled first and then stroked."""

    outlines: tuple[Outline, ...]
    fill: Filling | None = None
    even_odd: bool = False
    stroke: Stroke | None = None


class Sign(Path, frozen=True):
    """A shape of an icon that stands in a text: it is read as words are."""


class TextRun(Struct, frozen=True, kw_only=True):
    """Shaped glyphs of one font face on one baseline.

    `transform` takes the run's own space (mm, origin at the start of the baseline, y down) to the card. `advances` are
    in font units and include kerning and the growth of word spaces; glyph i stands where the advances before it end.
    `text[i]` is what glyph i stands for: several characters for a ligature, "" for the second glyph of a cluster.
    `stretch` scales widths. `rises` lifts glyphs off the baseline, in font units; empty if no glyph is lifted.
    """

    face: str
    size: float
    transform: Affine
    fill: Color
    glyphs: tuple[int, ...]
    advances: tuple[int, ...]
    text: tuple[str, ...]
    stretch: float = 1.0
    rises: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return "".join(self.text)

    def taken(self, by: Affine) -> TextRun:
        """Return the run with the map applied to its place."""
        return replace(self, transform=by @ self.transform)


class UnseenRun(TextRun, frozen=True):
    """Words that are found and copied but not seen: those that an icon in a text stands for."""


GREY, PALE = "grey", "pale"
"""Tones of pictures beside colors as `#rrggbb`: without color, and as pale as proofs show them."""


class Picture(Struct, frozen=True, kw_only=True):
    """A picture: its part `crop` fills `box`, turned by 180 degrees if `turned`, in a `tone`.

    One that `is_sheer` lets show what lies beneath where it is transparent; any other covers its box. `digest` is the SHA-256 of the file; `crop` is in shares (0 to 1) of the picture's width and height.
    """

    file: FilePath
    digest: str
    box: Rect
    crop: Rect
    turned: bool = False
    tone: str = ""
    is_sheer: bool = False


class Group(Struct, frozen=True):
    """Items clipped to the box `clip`.

    `transform` takes the items' own space to that of the group: it scales, mirrors and moves. The clip is in the
    group's space.
    """

    clip: Rect
    items: tuple[Item, ...]
    transform: Affine = IDENTITY


class ClipShape(Struct, frozen=True):
    """Outlines outside which nothing shows; `even_odd` is their fill rule."""

    outlines: tuple[Outline, ...]
    even_odd: bool = False


class SoftShape(Struct, frozen=True):
    """Outlines with a line of `width` mm around them, whose edge fades over `blur` mm: a Gaussian of half as much."""

    outlines: tuple[Outline, ...]
    width: float
    blur: float


class Layer(Struct, frozen=True, kw_only=True):
    """Items drawn as one: clipped by outlines, seen through at `opacity` (0 to 1), and placed by any map.

    They are drawn together first, and what is beneath then shows through the result: where two of them overlap, the
    lower one stays hidden. `transform` takes the items' own space to that of the layer: so a picture is turned or
    skewed. All `clips` hold, and are in the layer's space. Of a `mask`, gray and soft shapes on black in the items' own
    space, the lightness tells how much shows.

    A picture's resolution is judged by its box: the map of a layer around one turns and skews, and keeps its size.
    """

    items: tuple[Item, ...]
    opacity: float = 1.0
    clips: tuple[ClipShape, ...] = ()
    transform: Affine = IDENTITY
    mask: tuple[Path | SoftShape, ...] = ()

    @property
    def is_solid(self) -> bool:
        """Whether nothing shows through the layer where it is not clipped."""
        return self.opacity >= 1 and not self.mask


Item = Path | TextRun | Picture | Group | Layer

REACH = 10.0  # mm around the trim that a drawing may reach; what lies beyond is never seen


class Scene(Struct, frozen=True):
    """A face: its trim size and its items, back to front. Items may reach into the bleed, at negative coordinates.

    One that is no rectangle is cut along `cut`, in mm of this side: that of a back is mirrored.
    """

    size: Size
    items: tuple[Item, ...]
    cut: tuple[Outline, ...] = ()

    @property
    def first_picture(self) -> str:
        """The digest of the first picture; empty if there is none. Cards that share it are drawn together."""
        return next((item.digest for item in walk(self.items) if isinstance(item, Picture)), "")


class DrawnFace(Scene, frozen=True, kw_only=True):
    """A face that a back end has drawn as sheets print it, and has no items any more.

    `form` is what that back end made of it, `digest` that of the scene that it was.
    """

    form: Any
    digest: str


NO_BLEED = Edges()


class Placement(Struct, frozen=True, kw_only=True):
    """A face in a box of the paper, in mm from the top left of its side; `turned` by 180 degrees about its center.

    One that lies in a box that stands, or the other way round, is turned by a quarter: a front clockwise, a back
    anticlockwise, so that both are the right way up once the card is turned over about the axis of its front.
    `bleed` is how far the face shows beyond the box. `name` is the card's; `is_back` tells its back from its front.
    """

    face: Scene
    box: Rect
    turned: bool = False
    bleed: Edges = NO_BLEED
    name: str = ""
    is_back: bool = False

    @property
    def quarters(self) -> int:
        """The number of quarter turns clockwise by which the face is turned."""
        size, box = self.face.size, self.box
        is_sideways = size.width != size.height and abs(size.width - box.height) + abs(size.height - box.width) < _SAME
        return (2 * self.turned + (3 if self.is_back else 1) * is_sideways) % 4

    @property
    def place(self) -> Affine:
        """The map from the face to the paper."""
        box, quarters = self.box, self.quarters
        if not quarters:  # nearly always
            return Affine.move(box.x, box.y)
        x, y = box.right if quarters < 3 else box.x, box.bottom if quarters > 1 else box.y
        return Affine.move(x, y) @ Affine.rotate(90 * quarters)


_SAME = 1e-6  # mm: lengths of a box are sums


def walk(items: tuple[Item, ...]) -> Iterator[Path | TextRun | Picture]:
    """Yield the items and those inside groups, back to front."""
    for item in items:
        if isinstance(item, Group | Layer):
            yield from walk(item.items)
        else:
            yield item


def without_words(scene: Scene, words: str) -> Scene:
    """Return the scene without the lines of text that say just these words."""

    def others(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(
            replace(item, items=others(item.items)) if isinstance(item, Group | Layer) else item
            for item in items
            if not (isinstance(item, TextRun) and item.words == words)
        )

    return Scene(scene.size, others(scene.items))


def crop_picture(picture: Picture, window: Rect) -> Picture | None:
    """Return the part of a picture inside `window`; None if there is none."""
    box, crop = picture.box, picture.crop
    seen = box.shared(window)
    if seen.width <= 0 or seen.height <= 0:
        return None
    left, top = (seen.x - box.x) / box.width, (seen.y - box.y) / box.height
    width, height = seen.width / box.width, seen.height / box.height
    if picture.turned:  # the picture's right edge lies at the box's left, so the part counts from the other corner
        left, top = 1 - left - width, 1 - top - height
    part = Rect(crop.x + left * crop.width, crop.y + top * crop.height, width * crop.width, height * crop.height)
    return replace(picture, box=seen, crop=part)


def is_opaque(filling: Filling | None) -> bool:
    """Return whether what is filled with it hides all that lies beneath."""
    return filling is not None and (isinstance(filling, tuple) or filling.is_opaque)


def is_shaded(path: Path) -> bool:
    """Return whether a shape or its line is filled with a gradient."""
    filled = path.fill is not None and not isinstance(path.fill, tuple)
    return filled or (path.stroke is not None and not isinstance(path.stroke.color, tuple))


def scale_to_fit(drawn: Size, size: Size) -> float:
    """Return the factor that scales a drawing made for size `drawn` to fit a card of another size."""
    return min(size.width / drawn.width, size.height / drawn.height)


def fit_scene(scene: Scene, size: Size) -> Scene:
    """Return the scene scaled evenly to fit a card of another size, centered, on white."""
    if scene.size == size:
        return scene
    scale = scale_to_fit(scene.size, size)
    left, top = (size.width - scene.size.width * scale) / 2, (size.height - scene.size.height * scale) / 2
    place = Affine.move(left, top) @ Affine.scale(scale, scale)
    return Scene(size, (Group(size.rect.outset(REACH), scene.items, place),))


def scene_digest(scene: Scene) -> str:
    """Return the SHA-256 of all that is seen of a scene; where its picture files lie does not count."""
    if isinstance(scene, DrawnFace):
        return scene.digest
    summary = hashlib.sha256(f"Size(width={scene.size.width!r}, height={scene.size.height!r})".encode("ascii"))
    for part in _digested(scene.items):
        summary.update(part)
    if scene.cut:
        summary.update(_canonical(scene.cut).encode("ascii"))
    return summary.hexdigest()


def _digested(items: tuple[Item, ...]) -> Iterator[bytes]:
    for item in items:
        match item:
            case Path():
                yield _path_digest(item)
            case UnseenRun():
                yield b"unseen" + _packed_run(item)
            case TextRun():
                yield _packed_run(item)
            case Picture():
                look = f"{item.turned}{' ' * bool(item.tone)}{item.tone}{' sheer' * item.is_sheer}"
                yield f"{item.digest} {_canonical(item.box)} {_canonical(item.crop)} {look}".encode("ascii")
            case Group():
                yield _canonical((item.clip, item.transform)).encode("ascii")
                yield from _digested(item.items)
                yield b"end of clip"  # else an item moved out of a group would give the same digest
            case Layer():
                yield _canonical((item.opacity, item.clips, item.transform)).encode("ascii")
                yield from _digested(item.items)
                yield b"mask of layer"
                for shape in item.mask:
                    yield _path_digest(shape)
                yield b"end of layer"


def _packed_run(run: TextRun) -> bytes:
    """Return what is seen of a run, packed as numbers: three times as fast as writing them out."""
    at, face = run.transform, run.face.encode("utf-8")
    place = (at.a, at.b, at.c, at.d, at.e, at.f, run.size, run.stretch)
    # The three lengths tell where each list of numbers ends, so that no two runs pack to the same bytes.
    numbers = (*run.fill, len(face), len(run.glyphs), len(run.rises), *run.glyphs, *run.advances, *run.rises)
    return struct.pack(f"<8d{len(numbers)}q", *place, *numbers) + face


@cached(4096)
def _path_digest(path: Path | SoftShape) -> bytes:
    return hashlib.sha256(_canonical(path).encode("ascii")).digest()


# How values are written for a digest, by class: names of fields, whatever these are called. They stay, since files and
# the memory of builds hold digests of them.
_WRITTEN: dict[str, tuple[str, ...]] = {
    "Affine": ("a", "b", "c", "d", "e", "f"),
    "Rect": ("x", "y", "width", "height"),
    "ClipShape": ("outlines", "even_odd"),
    "Path": ("outlines", "fill", "even_odd", "stroke"),
    "Sign": ("outlines", "fill", "even_odd", "stroke"),
    "SoftShape": ("outlines", "width", "blur"),
    "Stroke": ("color", "width", "cap", "join", "miter_limit", "dashes"),
    "GradientStop": ("at", "color", "opacity"),
    "LinearGradient": ("stops", "spread", "transform", "start", "end"),
    "RadialGradient": ("stops", "spread", "transform", "center", "radius", "focus", "focal_radius"),
}


def _canonical(value: object) -> str:
    """Return a value as a text that only depends on what is seen."""
    if isinstance(value, Outline):
        return f"Outline(start={value.start!r}, segments={_numbers(value.segments)}, closed={value.closed!r})"
    name = type(value).__name__
    if name in _WRITTEN:
        return f"{name}({', '.join(f'{key}={_canonical(getattr(value, key))}' for key in _WRITTEN[name])})"
    if isinstance(value, tuple):
        parts = map(_canonical, value)
        return f"({', '.join(parts)}{',' if len(value) == 1 else ''})"
    return repr(value)


def _numbers(value: tuple[Segment, ...]) -> str:
    """Return what `repr` does, five times as fast: a drawing may have a million numbers."""
    text = json.encode(value)
    if len(value) == 1 or b"e" in text or b"0.0000" in text:  # tuples of one and tiny numbers are written otherwise
        return repr(value)
    return text.replace(b"[", b"(").replace(b"]", b")").replace(b",", b", ").decode("ascii")
