"""Open and decode picture files safely: to upright sRGB pixels.

A picture may come from anywhere, so nothing about it is believed: not its name, not its size, not even that the file
ends. Only JPEG, PNG, WebP, AVIF and SVG are read, recognized by their first bytes. Anything else, and anything wrong,
is `UnusablePicture`. An SVG is drawn with as many pixels as the caller asks for.
"""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct
from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile

from render.base.caches import cached
from render.base.files import permission_hint
from render.base.findings import Diagnostic, reason
from render.base.limits import PICTURE, PICTURE_MEMORY, PICTURE_PASSES, PICTURE_PIXELS, PICTURE_SIDE, PICTURE_WORK
from render.base.patterns import regex
from render.base.reach import open_real
from render.images.color_profiles import Colors, colors_of, in_mode
from render.images.files.formats import read_jpeg, read_png, read_webp
from render.images.files.parts import (
    AGAIN,
    ANEW,
    PictureFile,
    UnusablePicture,
    check_contained,
    is_svg,
    named_kind,
    open_lazily,
    unsupported_file,
)

if TYPE_CHECKING:
    from render.images.files.svg import Part
    from render.images.files.svg_drawing import Drawing

_SMALLER = "save it smaller: a whole card at 300 dpi is 750 x 1050"
FILTER = Image.Resampling.HAMMING
"""The filter for resizing. Of all filters, it differs least from what PDFium draws of the same picture in a PDF at
1200 dpi: by 0.5 of 255; Lanczos by 0.7 to 0.8, in twice the time."""

_AT_ONCE = 4_000_000  # pixels: larger pictures are converted in strips, so that memory holds no second copy
_STRIP = 1_000_000  # pixels
_MUCH = 50_000_000  # bytes of memory: a photograph of 12 megapixels takes as much


class Encoded(Struct, frozen=True):
    """A picture that is open, but not decoded yet, and how its numbers become sRGB."""

    file: PictureFile
    image: ImageFile
    colors: Colors

    @property
    def upright_size(self) -> tuple[int, int]:
        """Width and height in pixels once the orientation is applied."""
        width, height = self.file.width, self.file.height
        # Orientations 5 to 8 turn by a quarter (EXIF 2.3, 4.6.4).
        return (height, width) if self.file.orientation >= 5 else (width, height)

    @property
    def fits_pdf(self) -> bool:
        """Whether the file itself can go into a PDF: a gray or YCbCr JPEG, upright and in sRGB.

        PDF readers disagree about a JPEG that stores RGB as such.
        """
        image = self.image
        if not isinstance(image, JpegImageFile) or not self.file.plain:
            return False
        components = bytes(row[0] for row in image.layer)
        # The Adobe segment's transform 0, or components called R, G and B, mean RGB without conversion.
        stored_as_rgb = image.info.get("adobe_transform") == 0 or components == b"RGB"
        is_plain = image.mode == "L" or (image.mode == "RGB" and not stored_as_rgb)
        return is_plain and self.file.orientation == 1 and not self.colors.transform


def read_picture(file: Path) -> bytes:
    """Return the bytes of the file, without waiting; UnusablePicture if it cannot be read or is over 50 MB."""
    try:
        with open(file, "rb", opener=_without_waiting) as stream:
            return _content(stream)
    except IsADirectoryError:
        raise UnusablePicture("A002", "is a folder", "name a file in it") from None
    except OSError as error:
        says = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise UnusablePicture("A003", says, permission_hint(error, file)) from None


def open_picture(data: bytes) -> Encoded | Drawing:
    """Open the picture; UnusablePicture if it is none, is cut short, is animated, or takes too much to decode."""
    return _drawing_of(data) or open_raster(data)


def open_raster(data: bytes) -> Encoded:
    """Open a picture made of pixels; UnusablePicture as in `open_picture`."""
    return _opened(_read(data))


def check_picture(data: bytes) -> tuple[tuple[int, int], Diagnostic | None, bool]:
    """Return the upright size of a picture that can be drawn, what is doubtful about its colors, and whether it is sheer.

    It is sheer if anything shows through it anywhere.

    UnusablePicture if it cannot be drawn. However many threads call it, only one large picture is in memory at a time.
    """
    drawing = _drawing_of(data)
    if drawing:
        size, png = drawing.tried()
        return size, None, _is_sheer(open_raster(png))
    file = _read(data)
    with _LARGE if file.unknown or file.width * file.height * file.memory > _MUCH else nullcontext():
        if file.unknown:
            check_contained(file)
        picture = _opened(file)
        is_sheer = _is_sheer(picture)
        decode_picture(picture, at_least=(1, 1))  # the whole file is read all the same
        return picture.upright_size, picture.colors.doubt, is_sheer


_LARGE = Lock()


def _is_sheer(picture: Encoded) -> bool:
    """Return whether anything shows through a picture; UnusablePicture if its data are damaged."""
    image = picture.image
    if not image.has_transparency_data:
        return False
    with _decoding(picture.file.kind):
        image.load()
        return any(any(_plain(strip).getchannel("A").histogram()[:255]) for strip in _strips(image, _rows(image, 1)))


def _read(data: bytes) -> PictureFile:
    """Return what a file says of its picture; UnusablePicture if it is of no kind that is read, moves, or is too large."""
    read = next((read for start, read in _KINDS if start.match(data)), None)
    if read is None:
        raise unsupported_file(data)
    file = read(data)
    _check_size(file)
    if file.frames > 1:
        raise UnusablePicture("A008", f"is animated: it has {file.frames} frames", "save one of them as PNG or JPEG")
    return file


def _opened(file: PictureFile) -> Encoded:
    with _decoding(file.kind):
        image = open_lazily(file.kind, file.data)
        if image.size != (file.width, file.height):
            raise UnusablePicture("A006", f"is {named_kind(file.kind)} that gives two sizes", AGAIN)
        return Encoded(file, image, colors_of(image, file.profile))


def draw_picture(
    drawing: Drawing, size: tuple[int, int], part: Part = (0.0, 0.0, 1.0, 1.0), *, is_sheer: bool = False
) -> Image.Image:
    """Return a part of an SVG with that many pixels, as `decode_picture` does; UnusablePicture if it takes too much."""
    return decode_picture(open_raster(drawing.as_png(size, part)), is_sheer=is_sheer)


def decode_picture(picture: Encoded, at_least: tuple[int, int] | None = None, *, is_sheer: bool = False) -> Image.Image:
    """Return the picture upright and in sRGB: on white, as L or RGB, or, if it `is_sheer`, with its opacity, as LA or RGBA.

    `picture` cannot be used again.
    If it has more than twice as many pixels as `at_least`, across and down, it is reduced evenly to no less than twice
    as many. UnusablePicture if its data are damaged.
    """
    with _decoding(picture.image.format or "picture"):
        times = reduction_factor(picture.upright_size, at_least)
        return _turned(_drawn(picture, times, is_sheer=is_sheer), picture.file.orientation)


def reduce_picture(picture: Encoded, size: tuple[int, int], *, is_sheer: bool = False) -> Image.Image:
    """Return the picture as `decode_picture` does, with `size` pixels upright, which must not be more than it has."""
    with _decoding(picture.image.format or "picture"):
        drawn = _drawn(picture, reduction_factor(picture.upright_size, size), is_sheer=is_sheer)
        stored = size if picture.file.orientation < 5 else size[::-1]
        return _turned(drawn if drawn.size == stored else drawn.resize(stored, FILTER), picture.file.orientation)


def reduction_factor(size: tuple[int, int], at_least: tuple[int, int] | None) -> int:
    """Return the divisor by which a picture of that size is reduced when that many pixels are wanted."""
    if at_least is None:
        return 1
    # Twice as many are kept, so that the last step, to the exact size, still has pixels to average.
    return max(1, min(size[0] // (2 * at_least[0]), size[1] // (2 * at_least[1])))


def _drafted(image: ImageFile, times: int) -> int:
    """Let the decoder reduce a JPEG 2, 4 or 8 times, but at most `times`; return the divisor."""
    # The discrete cosine transform of 8 x 8 pixels can be undone at a smaller size; other formats cannot.
    if not isinstance(image, JpegImageFile):
        return 1
    scale = next(each for each in (8, 4, 2, 1) if each <= times)
    image.draft(None, (image.width // scale, image.height // scale))
    return scale


def _drawn(picture: Encoded, times: int, *, is_sheer: bool) -> Image.Image:
    """Return the picture reduced `times`, in sRGB, not turned yet."""
    times //= _drafted(picture.image, times)
    picture.image.load()
    drawn = _as_seen(picture, times, is_sheer=is_sheer)
    if drawn is not picture.image:
        picture.image.close()  # frees its memory before turning makes another copy
    return drawn


def _turned(image: Image.Image, orientation: int) -> Image.Image:
    return image.transpose(_UPRIGHT[orientation]) if orientation in _UPRIGHT else image


def _as_seen(picture: Encoded, times: int, *, is_sheer: bool) -> Image.Image:
    image = picture.image
    if image.width * image.height <= _AT_ONCE:
        return _in_srgb(image, picture.colors, times, is_sheer=is_sheer)
    if times == 1 and not picture.colors.transform and image.mode in ("L", "RGB") and not image.has_transparency_data:
        return image
    rows = _rows(image, times)
    drawn: Image.Image | None = None
    for number, part in enumerate(_strips(image, rows)):
        strip = _in_srgb(part, picture.colors, times, is_sheer=is_sheer)
        drawn = drawn or Image.new(strip.mode, (strip.width, -(-image.height // times)))  # rounded up, as `reduce` does
        drawn.paste(strip, (0, number * rows // times))
    return drawn or image


def _rows(image: Image.Image, times: int) -> int:
    """Return the rows of a strip: whole times the divisor, so that strips meet at pixels of the result."""
    return max(_STRIP // image.width // times, 1) * times


def _strips(image: Image.Image, rows: int) -> Iterator[Image.Image]:
    for top in range(0, image.height, rows):
        yield image.crop((0, top, image.width, min(top + rows, image.height)))


def _in_srgb(image: Image.Image, colors: Colors, times: int, *, is_sheer: bool) -> Image.Image:
    """Return the image in sRGB, reduced `times`; on white, or with its opacity."""
    plain = _plain(image)
    if times > 1:
        plain = plain.reduce(times)
    # Reduced with opacity, since `reduce` weights colors by it.
    opacity = plain.getchannel("A") if plain.mode in ("LA", "RGBA") else None
    drawn = colors.to_srgb(in_mode(plain, plain.mode.removesuffix("A")))
    if opacity is None:
        return drawn
    if is_sheer:
        drawn.putalpha(opacity)
        return drawn
    white = Image.new(drawn.mode, drawn.size, "white")
    white.paste(drawn, mask=opacity)
    return white


def _without_waiting(path: str, _: int) -> int:
    """Open a file without waiting: opening a pipe waits for a writer. Links were followed earlier."""
    return open_real(Path(path).absolute())


def _content(stream: BinaryIO) -> bytes:
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise UnusablePicture("A002", f"is {'a pipe' if stat.S_ISFIFO(status.st_mode) else 'a device'}, not a file")
    if status.st_size > PICTURE.most:
        says = f"is {status.st_size / 1e6:.1f} MB large, and at most {PICTURE} are read"
        raise UnusablePicture("A004", says, _SMALLER)
    return stream.read(PICTURE.most)


def _drawing_of(data: bytes) -> Drawing | None:
    """Return the drawing of an SVG; None for other files; UnusablePicture if it cannot be drawn."""
    if not is_svg(data):
        return None
    from render.images.files.svg_drawing import read_drawing

    return read_drawing(data)


def _read_avif(data: bytes) -> PictureFile:
    from PIL import features

    from render.images.files.avif import read_avif

    if not features.check("avif"):
        hint = "`pip install --upgrade pillow` makes it readable, or save it as PNG or JPEG"
        raise UnusablePicture("A005", "is an AVIF, which the Pillow that is installed here cannot read", hint)
    return read_avif(data)


# The first bytes of each kind of file, and the reader of its parts.
_KINDS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], PictureFile]], ...] = (
    (regex(rb"\xff\xd8\xff"), read_jpeg),  # SOI and the start of a marker (ITU T.81, B.1.1)
    (regex(rb"\x89PNG\r\n\x1a\n"), read_png),  # the signature of PNG 5.2
    (regex(rb"RIFF....WEBP", re.DOTALL), read_webp),
    # The brands of a file, of which `mif1` is that of HEIC, too (ISO 14496-12, 4.3; AV1 Image File Format, 6).
    (regex(rb".{4}ftyp(?:avi[fs]|mif1.{4}(?:.{4}){0,16}?avif)", re.DOTALL), _read_avif),
)


@cached(None)
def _silence_decoders() -> None:
    """Let Pillow warn of nothing: our own messages say what is wrong with a picture."""
    warnings.filterwarnings("ignore", module="PIL")


@contextmanager
def _decoding(kind: str) -> Iterator[None]:
    """Turn any exception of a decoder into UnusablePicture."""
    _silence_decoders()
    try:
        yield
    except UnusablePicture:
        raise
    except Exception as error:  # OSError, SyntaxError, ValueError, TypeError, struct.error, EOFError, MemoryError ...
        raise UnusablePicture(
            "A006", f"is {named_kind(kind)} that cannot be decoded: {reason(error)}", AGAIN
        ) from error


def _check_size(file: PictureFile) -> None:
    """Raise UnusablePicture if decoding would take too much memory or time, by what the file says of itself."""
    pixels = file.width * file.height
    size = f"{file.width} x {file.height} pixels"
    has = f"has {size}, {pixels / 1e6:.0f} megapixels"
    if max(file.width, file.height) > PICTURE_SIDE.most:
        raise UnusablePicture("A007", f"has {size}: at most {PICTURE_SIDE.most:,} on a side are read", _SMALLER)
    if pixels > PICTURE_PIXELS.most:
        raise UnusablePicture("A007", f"{has}: at most {PICTURE_PIXELS} are read", _SMALLER)
    if pixels * file.memory > PICTURE_MEMORY.most:
        most = f"at most {PICTURE_MEMORY.most / file.memory / 1e6:.0f} megapixels are read"
        why = f"{named_kind(file.kind)} like this takes {file.memory:.0f} bytes of memory a pixel"
        raise UnusablePicture("A007", f"{has}: {most}, since {why}", _SMALLER)
    if file.passes > PICTURE_PASSES.most or pixels * file.passes > PICTURE_WORK.most:
        most_passes = min(PICTURE_PASSES.most, PICTURE_WORK.most // max(pixels, 1))
        raise UnusablePicture(
            "A012",
            f"is {named_kind(file.kind)} of {size} in {file.passes:,} passes: at most {most_passes} are read",
            ANEW,
        )


# EXIF's orientations, and what shows the picture upright (EXIF 2.3, 4.6.4); 1 is upright.
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _plain(image: Image.Image) -> Image.Image:
    """Return the image as L, RGB or CMYK, or, if it is not all opaque, as LA or RGBA."""
    image = _in_eight_bits(image)
    gray = image.mode in ("1", "L", "LA")
    if image.has_transparency_data:
        return in_mode(image, "LA" if gray else "RGBA")
    return in_mode(image, "L" if gray else "CMYK" if image.mode == "CMYK" else "RGB")


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Keep the high byte of 16-bit gray, as Pillow does with 16-bit color. Its own conversion clips to white."""
    if not image.mode.startswith("I"):
        return image
    gray = image.point(lambda value: value * (1 / 256)).convert("L")
    if "transparency" in image.info:
        gray.info["transparency"] = image.info["transparency"] >> 8
    return gray
