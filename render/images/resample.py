"""Pictures for the back ends: resampled onto a grid of pixels, or packed for a PDF."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops

from render.base.caches import BoundedCache, stored
from render.base.geometry import MM_PER_INCH
from render.base.values import PartlyCompared
from render.images.decode import (
    FILTER,
    Encoded,
    decode_picture,
    draw_picture,
    open_picture,
    open_raster,
    read_picture,
    reduce_picture,
    reduction_factor,
)
from render.images.files.parts import UnusablePicture
from render.images.opacity import spread_colors, without_opacity
from render.images.patches import Patch, PixelBox, drawn_patch, scaled_patch
from render.images.press import ART_DPI, Press
from render.images.tones import toned
from render.scene.items import Picture

if TYPE_CHECKING:
    from render.images.files.svg import Part

PixelSize = tuple[int, int]
"""Width and height in pixels."""

_QUALITY = 90  # of a JPEG without chroma subsampling: at 600 dpi no difference is seen through a loupe
_BAND = 16_000_000  # bytes of pixels packed together: a card at 600 dpi has 10 million
_MAX_SIZES = 10_000  # pictures whose size is remembered: no set has as many
_ENDLESS = 1e9  # pixels: no picture has as many, and a box of no width would ask for infinitely many

_SNAP = 1e-3  # px: a side this little over a whole number of pixels needs no further one


class FlatPicture(PartlyCompared, Picture, frozen=True, kw_only=True):
    """A part of a face as a picture, for a file that may not have transparency.

    It has no file: `draw` gives its RGB pixels, as many as `pixels` says, and `digest` is that of what it shows. In
    inks, its grays are black ink alone, as in the shapes and text around it.
    """

    uncompared: ClassVar = frozenset({"draw"})

    pixels: PixelSize
    draw: Callable[[], Image.Image]


class PictureChangedError(OSError):
    """The file of a picture is no longer what it was when the cards were checked."""


class DrawingError(OSError):
    """An SVG takes too much memory or time now, though it did not when the cards were checked."""


class Jpeg(Struct, frozen=True, tag=True):
    """A JPEG file for a /DCTDecode stream; `channels` is 1 (DeviceGray) or 3 (DeviceRGB).

    It may be the picture's own file, without what does not belong to its pixels. `opacity` is as in `Deflated`.
    """

    data: bytes
    width: int
    height: int
    channels: int
    is_own: bool = True
    opacity: bytes = b""


class Deflated(Struct, frozen=True, tag=True):
    """Pixels for a /FlateDecode stream: /Predictor 15, /Columns `width`, /Colors `channels` (1, 3 or 4), 8 bits.

    `opacity` is that of a sheer picture, packed as one channel.
    """

    data: bytes
    width: int
    height: int
    channels: int
    opacity: bytes = b""


Embedded = Jpeg | Deflated
"""A picture as a PDF stores it."""


def pixels(picture: Picture, at_least: PixelSize | None = None) -> Image.Image:
    """Return the whole picture upright in sRGB, as L or RGB, a sheer one as LA or RGBA; do not draw on it.

    If it has far more pixels than `at_least`, it is reduced evenly and keeps at least twice as many. An SVG is drawn
    with just as many. PictureChangedError if its file was replaced since it was inspected.
    """
    most, is_drawing = _known(picture)
    if is_drawing:
        return toned(_drawing(picture, _drawn_size(picture, most, at_least)), picture.tone)
    if isinstance(picture, FlatPicture):
        return toned(_PIXELS.get((picture.digest, 1, False), picture.draw), picture.tone)
    is_sheer = picture.is_sheer
    key = (picture.digest, reduction_factor(most, at_least), is_sheer)

    def make() -> Image.Image:
        return decode_picture(open_raster(picture_content(picture)), at_least, is_sheer=is_sheer)

    return toned(_PIXELS.get(key, make), picture.tone)


def _known(picture: Picture) -> tuple[PixelSize, bool]:
    """Return the upright size of a picture, and whether it is an SVG; its file is opened once for this."""
    if isinstance(picture, FlatPicture):
        return picture.pixels, False
    if picture.digest not in _SIZES:
        if len(_SIZES) >= _MAX_SIZES:
            _SIZES.clear()
        opened = open_picture(picture_content(picture))
        _SIZES[picture.digest] = opened.upright_size, not isinstance(opened, Encoded)
    return _SIZES[picture.digest]


def is_svg(picture: Picture) -> bool:
    """Return whether a picture is an SVG, by what is in its file."""
    return _known(picture)[1]


def _drawing(picture: Picture, size: PixelSize) -> Image.Image:
    """Return an SVG drawn with that many pixels; DrawingError if that takes too much memory or time."""

    def make() -> Image.Image:
        opened = open_picture(picture_content(picture))
        with _told(picture):
            if isinstance(opened, Encoded):
                return reduce_picture(opened, size, is_sheer=is_sheer)
            return draw_picture(opened, size, is_sheer=is_sheer)

    is_sheer = picture.is_sheer
    return _PIXELS.get((picture.digest, size, is_sheer), make)


@contextmanager
def _told(picture: Picture) -> Iterator[None]:
    """Name the picture in the error of a drawing that fails."""
    try:
        yield
    except UnusablePicture as unfit:
        raise DrawingError(f"the picture `{picture.file}` {unfit.problem.message}") from None


def _drawn_size(picture: Picture, most: PixelSize, at_least: PixelSize | None) -> PixelSize:
    """Return the pixels to draw an SVG with: those at 600 dpi if the caller does not say."""
    needed = at_least or most_pixels(picture, ART_DPI)
    return min(most[0], needed[0]), min(most[1], needed[1])


def scaled(picture: Picture, target: PixelBox, mirrored: tuple[bool, bool] = (False, False)) -> Patch:
    """Return the pixels of the crop as it fills the target; `mirrored` is left to right, top to bottom.

    The middle of every pixel shows what lies there in the picture. Pixels covered in part repeat their neighbors, and
    their coverage says how much of them to paste. PictureChangedError if the file was replaced since it was inspected.
    """
    flipped = (picture.turned != mirrored[0], picture.turned != mirrored[1])  # a turn by 180 degrees mirrors both ways
    key = (picture.digest, picture.tone, picture.is_sheer, picture.crop, flipped, target)

    def make() -> Patch:
        if _known(picture)[1]:
            return _drawn_on_grid(picture, target, flipped)
        across, down = (target[2] - target[0]) / picture.crop.width, (target[3] - target[1]) / picture.crop.height
        needed = max(math.ceil(across), 1), max(math.ceil(down), 1)
        return scaled_patch(pixels(picture, needed), picture.crop, target, flipped)

    return _PATCHES.get(key, make)


def _drawn_on_grid(picture: Picture, target: PixelBox, flipped: tuple[bool, bool]) -> Patch:
    """Return an SVG drawn pixel for pixel where it stands. One that is shown larger than its limit is enlarged."""
    opened, most = open_picture(picture_content(picture)), _known(picture)[0]
    across, down = (target[2] - target[0]) / picture.crop.width, (target[3] - target[1]) / picture.crop.height
    if isinstance(opened, Encoded) or across > most[0] + 1 or down > most[1] + 1:
        return scaled_patch(pixels(picture), picture.crop, target, flipped)
    with _told(picture):

        def draw(size: PixelSize, part: Part) -> Image.Image:
            return toned(draw_picture(opened, size, part, is_sheer=picture.is_sheer), picture.tone)

        return drawn_patch(draw, picture.crop, target, flipped)


def embeddable(picture: Picture, most: PixelSize | None = None) -> Embedded:
    """Return the whole picture for a PDF with at most that many pixels; a suitable JPEG goes in as it is.

    A photograph that is too large, turned or in other colors becomes a JPEG again. All else, SVG included, is packed
    without loss. PictureChangedError if its file was replaced since it was inspected.
    """
    opened = open_picture(picture_content(picture))
    size = _smaller(opened.upright_size, most)
    if not isinstance(opened, Encoded):
        with _told(picture):
            return _packed(toned(draw_picture(opened, size, is_sheer=picture.is_sheer), picture.tone), _deflated)
    if opened.fits_pdf and size == opened.upright_size and not picture.tone:
        return Jpeg(opened.file.data, opened.file.width, opened.file.height, len(opened.image.getbands()))
    image = toned(reduce_picture(opened, size, is_sheer=picture.is_sheer), picture.tone)
    return _packed(image, _photograph if opened.file.lossy else _deflated)


def _packed(image: Image.Image, pack: Callable[[Image.Image], Embedded]) -> Embedded:
    """Return an image whose colors are packed that way, and its opacity, if it has any, without loss."""
    if image.mode not in ("LA", "RGBA"):
        return pack(image)
    return replace(pack(spread_colors(image)), opacity=_deflated(image.getchannel("A")).data)


def _smaller(size: PixelSize, most: PixelSize | None) -> PixelSize:
    return size if most is None else (min(size[0], most[0]), min(size[1], most[1]))


def _photograph(image: Image.Image) -> Jpeg:
    """Return the image as a JPEG."""
    stream = BytesIO()
    # Full resolution of color: subsampling would blur red on black.
    image.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
    return Jpeg(stream.getvalue(), image.width, image.height, len(image.getbands()), is_own=False)


def _deflated(image: Image.Image) -> Deflated:
    from render.images.deflate import in_segments

    return Deflated(in_segments(_filtered(image)), image.width, image.height, len(image.getbands()))


def printable(picture: Picture, press: Press, most: PixelSize) -> Embedded:
    """Return the whole picture in the inks of a press, with at most that many pixels.

    It is scaled first, then separated, then packed without loss: any later change could exceed the press's ink limit.
    PictureChangedError if its file was replaced since it was inspected.
    """
    from render.images.inks import separate

    are_grays_black = isinstance(picture, FlatPicture)

    def pack(image: Image.Image) -> Deflated:
        return _deflated(separate(image, press, are_grays_black=are_grays_black))

    return _packed(_as_printed(picture, most), pack)


def colored_inks(picture: Picture, press: Press) -> float:
    """Return the largest sum of cyan, magenta and yellow, 0 to 3, on any pixel of the crop as `printable` makes it."""
    from render.images.inks import most_colored, separate

    image, crop = _as_printed(picture, most_pixels(picture, press.dpi)), picture.crop
    # A pixel more on each side: resampling may show neighbors.
    left, top = math.floor(crop.x * image.width) - 1, math.floor(crop.y * image.height) - 1
    right, bottom = math.ceil((crop.x + crop.width) * image.width), math.ceil((crop.y + crop.height) * image.height)
    box = max(left, 0), max(top, 0), min(right + 1, image.width), min(bottom + 1, image.height)
    colors, opacity = without_opacity(image.crop(box))
    if (
        opacity
    ):  # what shows at all counts in full: its inks and those beneath it are never more than the larger of both
        colors = Image.composite(colors, Image.new(colors.mode, colors.size, "white"), opacity.point(_SHOWS))
    return most_colored(separate(colors, press))


_SHOWS = [0] + 255 * [255]


def _as_printed(picture: Picture, most: PixelSize) -> Image.Image:
    """Return the whole picture with at most that many pixels."""
    image = pixels(picture, most)
    size = _smaller(image.size, most)
    return image if image.size == size else image.resize(size, FILTER)


def printed_size(picture: Picture, dpi: float) -> PixelSize:
    """Return the pixels of the whole picture, printed at `dpi` or a little more."""
    width, height = (math.ceil(side * dpi - _SNAP) for side in _inches(picture))
    return max(width, 1), max(height, 1)


def most_pixels(picture: Picture, dpi: float) -> PixelSize:
    """Return the pixels of the whole picture, printed at `dpi` at most."""
    width, height = (math.floor(min(side * dpi + _SNAP, _ENDLESS)) for side in _inches(picture))
    return max(width, 1), max(height, 1)


def _inches(picture: Picture) -> tuple[float, float]:
    """Return width and height in inches of the whole picture on the card."""
    box, crop = picture.box, picture.crop
    return box.width / crop.width / MM_PER_INCH, box.height / crop.height / MM_PER_INCH


def picture_content(picture: Picture) -> bytes:
    """Return the bytes of the file that was checked: back ends never meet a picture that no one has inspected.

    PictureChangedError if its file was replaced since it was inspected.
    """
    try:
        data = _LENT[picture.digest] if picture.digest in _LENT else read_picture(picture.file)
    except UnusablePicture:
        data = b""
    if hashlib.sha256(data).hexdigest() != picture.digest:
        raise PictureChangedError(f"the picture `{picture.file}` changed while it was being drawn")
    return data


_LENT: dict[str, bytes] = {}


@contextmanager
def with_contents(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Draw pictures from these contents, by digest, on a machine without the files."""
    _LENT.update(contents)
    try:
        yield
    finally:
        _LENT.clear()


_SIZES: dict[str, tuple[PixelSize, bool]] = stored({})  # and whether it is an SVG


def _bytes_of(image: Image.Image) -> int:
    return image.width * image.height * (1 if image.mode == "L" else 4)  # Pillow keeps RGB in 4 bytes


# Bytes: a card's picture has 10 to 40 million at 600 dpi. Cards with the same picture are drawn one after the other, from
# its patch: of the pixels, only the next one of another kind of card may have need.
_PIXELS = stored(BoundedCache[Image.Image](64_000_000, _bytes_of, 4_000_000, few=1))
_PATCHES = stored(BoundedCache[Patch](96_000_000, lambda patch: _bytes_of(patch.image), 2_000_000, few=1))


def _filtered(image: Image.Image) -> Iterator[bytes]:
    """Yield the rows in bands, by PNG's filter 2, Up: each row minus the one above (PNG 9.2)."""
    stride = image.width * len(image.getbands())
    many = max(_BAND // stride, 1)
    for top in range(0, image.height, many):
        band = image if image.height <= many else image.crop((0, top, image.width, min(top + many, image.height)))
        above = Image.new(image.mode, band.size)
        # The row above the band; above the first one there are zeros.
        above.paste(image.crop((0, top - 1, image.width, top - 1 + band.height)) if top else band, (0, 0 if top else 1))
        rows = ImageChops.subtract_modulo(band, above).tobytes()
        # Each row begins with the number of its filter.
        yield b"".join(b"\2" + rows[at : at + stride] for at in range(0, len(rows), stride))
