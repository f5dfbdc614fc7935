"""Pictures as the back ends want them: resampled onto a grid of pixels, or packed for a PDF."""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Generic, TypeVar

from PIL import Image, ImageChops

from render.base.geometry import MM_PER_INCH, Rect
from render.images.color_profiles import in_mode
from render.images.decode import FILTER, UnusablePicture, decoded, encoded, read, reduced, reduction
from render.images.deflate import in_segments
from render.images.press import Press
from render.scene.items import Picture

PixelBox = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels of the output."""

PixelSize = tuple[int, int]
"""Width and height in pixels."""

_QUALITY = 90  # of a JPEG that keeps the colour of each pixel; at 600 dpi no difference is seen through a loupe
_BAND = 16_000_000  # bytes of pixels that are packed together: a card at 600 dpi has 10 million
_MOST_SIZES = 10_000
_ENDLESS = 1e9  # pixels: no picture has as many

_SNAP = 1e-3  # px: an edge as near as this to the grid lies on it

V = TypeVar("V")


class PictureChangedError(OSError):
    """The file of a picture is no longer what it was when the cards were checked."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Pixels to paste at `left`, `top`: RGB, with `coverage` (L) where the picture covers pixels only in part.

    Patches are shared: do not draw on them.
    """

    left: int
    top: int
    image: Image.Image
    coverage: Image.Image | None


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A JPEG file for a /DCTDecode stream; `channels` is 1 (DeviceGray) or 3 (DeviceRGB)."""

    data: bytes
    width: int
    height: int
    channels: int


@dataclass(frozen=True, slots=True)
class Deflated:
    """Pixels for a /FlateDecode stream: /Predictor 15, /Columns `width`, /Colors `channels` (1, 3 or 4), 8 bits."""

    data: bytes
    width: int
    height: int
    channels: int


Embedded = Jpeg | Deflated
"""A picture as it stands in a PDF."""


def pixels(picture: Picture, at_least: PixelSize | None = None) -> Image.Image:
    """Return the whole picture upright in sRGB, as L or RGB, not to be drawn on.

    If it has far more pixels than `at_least`, it is reduced evenly, and still has twice as many.
    PictureChangedError if its file was replaced since it was inspected.
    """
    opened = None if picture.digest in _SIZES else encoded(content(picture))
    if opened:
        if len(_SIZES) >= _MOST_SIZES:
            _SIZES.clear()
        _SIZES[picture.digest] = opened.upright_size
    key = (picture.digest, reduction(_SIZES[picture.digest], at_least))
    return _PIXELS.get(key, lambda: decoded(opened or encoded(content(picture)), at_least))


def scaled(picture: Picture, target: PixelBox, mirrored: tuple[bool, bool] = (False, False)) -> Patch:
    """Return the pixels of the crop as it fills the target, `mirrored` left to right, top to bottom.

    The middle of every pixel shows what lies there in the picture. Pixels that are covered in part repeat their
    neighbours, and their coverage says how much of them to paste. PictureChangedError if the file was replaced since it
    was inspected.
    """
    flipped = (picture.turned != mirrored[0], picture.turned != mirrored[1])
    key = (picture.digest, picture.crop, flipped, target)
    across, down = (target[2] - target[0]) / picture.crop.width, (target[3] - target[1]) / picture.crop.height
    needed = max(math.ceil(across), 1), max(math.ceil(down), 1)
    return _PATCHES.get(key, lambda: _scaled(pixels(picture, needed), picture.crop, target, flipped))


def embeddable(picture: Picture, most: PixelSize | None = None) -> Jpeg | Deflated:
    """Return the whole picture for a PDF with at most so many pixels: a JPEG that has no more as it is, if it can be.

    A photograph that has more, or is turned or in other colours, is a JPEG again; all else is packed without loss.
    PictureChangedError if its file was replaced since it was inspected.
    """
    opened = encoded(content(picture))
    size = _smaller(opened.upright_size, most)
    if opened.fits_pdf and size == opened.upright_size:
        return Jpeg(opened.data, opened.width, opened.height, len(opened.image.getbands()))
    image = reduced(opened, size)
    return _photograph(image) if opened.lossy else _deflated(image)


def _smaller(size: PixelSize, most: PixelSize | None) -> PixelSize:
    return size if most is None else (min(size[0], most[0]), min(size[1], most[1]))


def _photograph(image: Image.Image) -> Jpeg:
    """Return the image as a JPEG."""
    stream = BytesIO()
    image.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
    return Jpeg(stream.getvalue(), image.width, image.height, len(image.getbands()))


def _deflated(image: Image.Image) -> Deflated:
    return Deflated(in_segments(_filtered(image)), image.width, image.height, len(image.getbands()))


def printable(picture: Picture, press: Press, most: PixelSize) -> Deflated:
    """Return the whole picture in the inks of a press, with at most so many pixels.

    It is scaled first and separated last, and packed without loss: what comes later can add up to more ink than the
    press takes. PictureChangedError if its file was replaced since it was inspected.
    """
    from render.images.inks import separated  # noqa: PLC0415 - numpy, which sheets for a home printer do without

    return _deflated(separated(_as_printed(picture, most), press))


def colored_inks(picture: Picture, press: Press) -> float:
    """Return the most cyan, magenta and yellow together, 0 to 3, on a pixel of the crop as `printable` has it."""
    from render.images.inks import most_colored, separated  # noqa: PLC0415 - numpy, which sheets for a home printer do without

    image, crop = _as_printed(picture, most_pixels(picture, press.dpi)), picture.crop
    left, top = math.floor(crop.x * image.width) - 1, math.floor(crop.y * image.height) - 1
    right, bottom = math.ceil((crop.x + crop.width) * image.width), math.ceil((crop.y + crop.height) * image.height)
    box = max(left, 0), max(top, 0), min(right + 1, image.width), min(bottom + 1, image.height)
    return most_colored(separated(image.crop(box), press))


def _as_printed(picture: Picture, most: PixelSize) -> Image.Image:
    """Return the whole picture with at most so many pixels."""
    image = pixels(picture, most)
    size = _smaller(image.size, most)
    return image if image.size == size else image.resize(size, FILTER)


def printed_size(picture: Picture, dpi: float) -> PixelSize:
    """Return width and height in pixels of the whole picture as it is printed at `dpi` or a little more."""
    width, height = (math.ceil(side * dpi - _SNAP) for side in _inches(picture))
    return max(width, 1), max(height, 1)


def most_pixels(picture: Picture, dpi: float) -> PixelSize:
    """Return width and height in pixels of the whole picture as it is printed at `dpi` at most; it may be infinite."""
    width, height = (math.floor(min(side * dpi + _SNAP, _ENDLESS)) for side in _inches(picture))
    return max(width, 1), max(height, 1)


def _inches(picture: Picture) -> tuple[float, float]:
    """Return how large the whole picture is on the card."""
    box, crop = picture.box, picture.crop
    return box.width / crop.width / MM_PER_INCH, box.height / crop.height / MM_PER_INCH


def content(picture: Picture) -> bytes:
    """Return the bytes of the file that was checked: back ends cannot meet a picture that no one has looked at.

    PictureChangedError if its file was replaced since it was inspected.
    """
    try:
        data = _LENT[picture.digest] if picture.digest in _LENT else read(picture.file)
    except UnusablePicture:
        data = b""
    if hashlib.sha256(data).hexdigest() != picture.digest:
        raise PictureChangedError(f"the picture `{picture.file}` changed while it was being drawn")
    return data


_LENT: dict[str, bytes] = {}


@contextmanager
def with_contents(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Let pictures be drawn from the contents of their files, by digest, on a machine that does not have the files."""
    _LENT.update(contents)
    try:
        yield
    finally:
        _LENT.clear()


class _Shelf(Generic[V]):
    """What was made last, as far as it fits into `room` bytes of pixels."""

    def __init__(self, room: int, image_of: Callable[[V], Image.Image]) -> None:
        self._room = room
        self._image_of = image_of
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._taken = 0

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = make()
        self._taken += self._size(made)
        while self._taken > self._room:
            self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made

    def _size(self, value: V) -> int:
        image = self._image_of(value)
        return image.width * image.height * (1 if image.mode == "L" else 4)  # Pillow keeps RGB in 4 bytes


_SIZES: dict[str, PixelSize] = {}
_PIXELS = _Shelf[Image.Image](64_000_000, lambda image: image)
_PATCHES = _Shelf[Patch](96_000_000, lambda patch: patch.image)


@dataclass(frozen=True, slots=True)
class _Axis:
    """One direction of a patch: it touches pixels `start` to `stop`, of which `first` to `last` show `low` to `high`.

    `shares` is how much of each pixel is covered; `low` and `high` are in pixels of the picture.
    """

    start: int
    stop: int
    first: int
    last: int
    low: float
    high: float
    shares: tuple[float, ...]


def _scaled(image: Image.Image, crop: Rect, target: PixelBox, flipped: tuple[bool, bool]) -> Patch:
    across = _axis(target[0], target[2], _extent(crop.x, crop.width, image.width, flipped[0]))
    down = _axis(target[1], target[3], _extent(crop.y, crop.height, image.height, flipped[1]))
    if any(flipped):
        image = image.transpose(_FLIPS[flipped])
    inner = in_mode(_resized(image, across, down), "RGB")
    return Patch(across.start, down.start, _with_edges(inner, across, down), _coverage(across, down))


_FLIPS = {
    (True, False): Image.Transpose.FLIP_LEFT_RIGHT,
    (False, True): Image.Transpose.FLIP_TOP_BOTTOM,
    (True, True): Image.Transpose.ROTATE_180,
}


def _extent(start: float, length: float, count: int, flipped: bool) -> tuple[float, float]:
    """Return the crop in one direction in pixels, of the picture or of the flipped picture."""
    low, high = max(0.0, start) * count, min(1.0, start + length) * count
    return (count - high, count - low) if flipped else (low, high)


def _axis(left: float, right: float, crop: tuple[float, float]) -> _Axis:
    left, right = (round(edge) if abs(edge - round(edge)) < _SNAP else edge for edge in (left, right))
    start, stop = math.floor(left), max(math.ceil(right), math.floor(left) + 1)
    first, last = math.ceil(left), math.floor(right)
    if first >= last:  # it covers no pixel wholly
        first, last = start, stop
    shares = tuple(max(0.0, min(pixel + 1, right) - max(pixel, left)) for pixel in range(start, stop))
    low, high = crop
    scale = (high - low) / max(right - left, _SNAP)
    shown_from, shown_to = low + max(0.0, first - left) * scale, high - max(0.0, right - last) * scale
    return _Axis(start, stop, first, last, shown_from, shown_to, shares)


def _resized(image: Image.Image, across: _Axis, down: _Axis) -> Image.Image:
    """Return the wholly covered pixels.

    Enlarged, too, a picture is the same in a PNG and in a PDF, with pixels that show.
    """
    size = across.last - across.first, down.last - down.first
    box = across.low, down.low, across.high, down.high
    return image.resize(size, FILTER, box)


def _with_edges(inner: Image.Image, across: _Axis, down: _Axis) -> Image.Image:
    """Return the pixels with those about them that are covered in part, each like its neighbour within."""
    width, height = across.stop - across.start, down.stop - down.start
    if inner.size == (width, height):
        return inner
    patch = Image.new("RGB", (width, height))
    for y in (0, height - inner.height, down.first - down.start):
        for x in (0, width - inner.width, across.first - across.start):
            patch.paste(inner, (x, y))  # shifted by a pixel, its outermost row or column remains beside the last one
    return patch


def _coverage(across: _Axis, down: _Axis) -> Image.Image | None:
    if min(across.shares) == 1 and min(down.shares) == 1:
        return None
    rows = {share: bytes(round(255 * share * other) for other in across.shares) for share in set(down.shares)}
    mask = b"".join(rows[share] for share in down.shares)
    return Image.frombytes("L", (len(across.shares), len(down.shares)), mask)


def _filtered(image: Image.Image) -> Iterator[bytes]:
    """Yield the rows, many at a time, by PNG's filter Up: each row minus the one above, behind the filter's number."""
    stride = image.width * len(image.getbands())
    many = max(_BAND // stride, 1)
    for top in range(0, image.height, many):
        band = image if image.height <= many else image.crop((0, top, image.width, min(top + many, image.height)))
        above = Image.new(image.mode, band.size)
        above.paste(image.crop((0, top - 1, image.width, top - 1 + band.height)) if top else band, (0, 0 if top else 1))
        rows = ImageChops.subtract_modulo(band, above).tobytes()
        yield b"".join(b"\2" + rows[at : at + stride] for at in range(0, len(rows), stride))
