"""Picture files: opened safely, found whole, decoded to upright sRGB.

A picture may come from anywhere, so nothing about it is believed: not its name, not its size, not even that it is a
file that ends. JPEG, PNG, WebP and SVG are let in, by their first bytes; whatever else is wrong with a picture is
`UnusablePicture`. An SVG is drawn with as many pixels as are asked for.
"""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from render.base.findings import reason
from render.base.reach import open_real
from render.images.color_profiles import ColorDoubt, Colors, colors_of, in_mode
from render.images.files.jpeg import read_jpeg
from render.images.files.parts import AGAIN, ANEW, PictureFile, UnusablePicture

if TYPE_CHECKING:
    from render.images.files.svg import Part
    from render.images.files.svg_drawing import Drawing

__all__ = [
    "MAX_BYTES",
    "MAX_PIXELS",
    "Encoded",
    "UnusablePicture",
    "check",
    "checked",
    "decoded",
    "encoded",
    "raster",
    "read",
    "reduced",
    "reduction",
]

MAX_BYTES = 50_000_000
MAX_PIXELS = 40_000_000  # 160 MB in memory; a whole card at 1200 dpi has 13 million
MAX_SIDE = 65_535  # what a JPEG can have; millions of rows of a pixel take far more memory than their pixels
MAX_MEMORY = 400_000_000  # bytes that decoding takes: what has more to a pixel may have fewer of them
MAX_PASSES = 100  # of a progressive JPEG, which has about ten
MAX_WORK = 1_000_000_000  # pixels times passes

warnings.filterwarnings("ignore", module="PIL")  # what is wrong with a picture is said in our own words, or in none

_SMALLER = "save it smaller: a whole card at 300 dpi is 750 x 1050"
FILTER = Image.Resampling.HAMMING
"""How pictures get another size: of all filters this one differs least from what PDFium draws of the same picture in a
PDF, at 1200 dpi: by 0.5 of 255, Lanczos by 0.7 to 0.8 in twice the time."""

_AT_ONCE = 4_000_000  # pixels: a larger picture is worked on in strips, so that it is not in memory several times
_STRIP = 1_000_000  # pixels
_MUCH = 50_000_000  # bytes of memory: a photograph of 12 megapixels takes as much


@dataclass(frozen=True, slots=True)
class Encoded:
    """A picture that is open, but not decoded yet.

    `data` is what of the file is needed to draw it; `width` and `height` are in pixels as stored; `orientation` is
    EXIF's, 1 to 8. `lossy` is a photograph as a camera saves it.
    """

    data: bytes
    image: ImageFile
    width: int
    height: int
    orientation: int
    colors: Colors
    lossy: bool
    fits_pdf: bool

    @property
    def upright_size(self) -> tuple[int, int]:
        """Width and height in pixels once the orientation is applied."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


def read(file: Path) -> bytes:
    """Return what is in the file, and never wait; UnusablePicture if it cannot be read or has more than 50 MB."""
    try:
        with open(file, "rb", opener=_without_waiting) as stream:
            return _content(stream)
    except IsADirectoryError:
        raise UnusablePicture("A002", "is a folder", "name a file in it") from None
    except OSError as error:
        raise UnusablePicture("A003", f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def encoded(data: bytes) -> Encoded | Drawing:
    """Open the picture; UnusablePicture if it is none, ends too early, is animated, or takes too much to decode."""
    return _drawing_of(data) or raster(data)


def raster(data: bytes) -> Encoded:
    """Open a picture that is made of pixels; UnusablePicture as `encoded`."""
    return _opened(*_of_some_kind(data))


def check(picture: Encoded) -> None:
    """Do once all that drawing will do, as small as can be; UnusablePicture if that fails. Uses `picture` up."""
    decoded(picture, at_least=(1, 1))  # the whole file is read all the same


def checked(data: bytes) -> tuple[tuple[int, int], ColorDoubt | None]:
    """Return the upright size of a picture that can be drawn, and what is doubtful about its colours.

    UnusablePicture if it cannot be drawn.

    However many threads do this, one large picture is in memory at a time.
    """
    drawing = _drawing_of(data)
    if drawing:
        return drawing.tried(), None
    kind, file = _of_some_kind(data)
    with _LARGE if file.unknown or file.width * file.height * file.memory > _MUCH else nullcontext():
        if file.unknown:
            from render.images.files.contained import check_contained  # noqa: PLC0415 - hardly any picture needs it

            check_contained(file)
        picture = _opened(kind, file)
        check(picture)
        return picture.upright_size, picture.colors.doubt


_LARGE = Lock()


def _of_some_kind(data: bytes) -> tuple[_Kind, PictureFile]:
    kind = _kind(data)
    file = kind.read(data)
    _check_size(kind.name, file)
    if file.frames > 1:
        raise UnusablePicture("A008", f"is animated: it has {file.frames} frames", "save one of them as PNG or JPEG")
    return kind, file


def _opened(kind: _Kind, file: PictureFile) -> Encoded:
    with _decoding(kind.name):
        image = kind.open(BytesIO(file.data))
        if image.size != (file.width, file.height):
            raise UnusablePicture("A006", f"is a {kind.name} that gives two sizes", AGAIN)
        colors = colors_of(image, file.profile)
        fits = file.plain and _fits_pdf(image, file.orientation, colors)
        return Encoded(file.data, image, *image.size, file.orientation, colors, file.lossy, fits)


def draw(drawing: Drawing, size: tuple[int, int], part: Part = (0.0, 0.0, 1.0, 1.0)) -> Image.Image:
    """Return a part of an SVG in so many pixels, in sRGB on white, L or RGB; UnusablePicture if it takes too much."""
    return decoded(raster(drawing.as_png(size, part)))


def decoded(picture: Encoded, at_least: tuple[int, int] | None = None) -> Image.Image:
    """Return the picture upright, in sRGB, on white, as L or RGB, and use `picture` up.

    UnusablePicture if its data are damaged.

    If it has more than twice as many pixels as `at_least`, across and down, it is reduced evenly as far as it still
    has twice as many.
    """
    with _decoding(picture.image.format or "picture"):
        return _turned(_drawn(picture, reduction(picture.upright_size, at_least)), picture.orientation)


def reduced(picture: Encoded, size: tuple[int, int]) -> Image.Image:
    """Return the picture as `decoded` does, with so many pixels across and down, which are no more than it has."""
    with _decoding(picture.image.format or "picture"):
        drawn = _drawn(picture, reduction(picture.upright_size, size))
        stored = size if picture.orientation < 5 else size[::-1]
        return _turned(drawn if drawn.size == stored else drawn.resize(stored, FILTER), picture.orientation)


def reduction(size: tuple[int, int], at_least: tuple[int, int] | None) -> int:
    """Return by how much a picture of that size is reduced when it is decoded for so many pixels."""
    if at_least is None:
        return 1
    return max(1, min(size[0] // (2 * at_least[0]), size[1] // (2 * at_least[1])))


def _drafted(image: ImageFile, times: int) -> int:
    """Let a JPEG be decoded 2, 4 or 8 times smaller, at most so many; return how many."""
    if not isinstance(image, JpegImageFile):
        return 1
    scale = next(each for each in (8, 4, 2, 1) if each <= times)
    image.draft(None, (image.width // scale, image.height // scale))
    return scale


def _drawn(picture: Encoded, times: int) -> Image.Image:
    """Return the picture reduced so many times, in sRGB on white, not turned yet."""
    times //= _drafted(picture.image, times)
    picture.image.load()
    drawn = _as_seen(picture, times)
    if drawn is not picture.image:
        picture.image.close()  # before there is a third
    return drawn


def _turned(image: Image.Image, orientation: int) -> Image.Image:
    return image.transpose(_UPRIGHT[orientation]) if orientation in _UPRIGHT else image


def _as_seen(picture: Encoded, times: int) -> Image.Image:
    image = picture.image
    if image.width * image.height <= _AT_ONCE:
        return _on_white(image, picture.colors, times)
    if times == 1 and not picture.colors.transform and image.mode in ("L", "RGB") and not image.has_transparency_data:
        return image
    rows = max(_STRIP // image.width // times, 1) * times
    drawn: Image.Image | None = None
    for top in range(0, image.height, rows):
        strip = _on_white(image.crop((0, top, image.width, min(top + rows, image.height))), picture.colors, times)
        drawn = drawn or Image.new(strip.mode, (strip.width, -(-image.height // times)))
        drawn.paste(strip, (0, top // times))
    return drawn or image


def _on_white(image: Image.Image, colors: Colors, times: int) -> Image.Image:
    """Return the image in sRGB on white, reduced so many times."""
    plain = _plain(image)
    if times > 1:
        plain = plain.reduce(times)
    opacity = plain.getchannel("A") if plain.mode in ("LA", "RGBA") else None
    drawn = colors.to_srgb(in_mode(plain, plain.mode.removesuffix("A")))
    if opacity is None:
        return drawn
    white = Image.new(drawn.mode, drawn.size, "white")  # what the card is beneath a picture
    white.paste(drawn, mask=opacity)
    return white


def _without_waiting(path: str, _: int) -> int:
    """Open a pipe that nobody writes to at once, instead of waiting for somebody; links were followed before."""
    return open_real(Path(path).absolute())


def _content(stream: BinaryIO) -> bytes:
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise UnusablePicture("A002", f"is {'a pipe' if stat.S_ISFIFO(status.st_mode) else 'a device'}, not a file")
    if status.st_size > MAX_BYTES:
        says = f"is {status.st_size / 1e6:.1f} MB large, and at most {MAX_BYTES / 1e6:.0f} MB are read"
        raise UnusablePicture("A004", says, _SMALLER)
    return stream.read(MAX_BYTES)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of picture: how it starts, what reads its parts, what opens it."""

    name: str
    start: re.Pattern[bytes]
    read: Callable[[bytes], PictureFile]
    open: Callable[[BytesIO], ImageFile]


def _drawing_of(data: bytes) -> Drawing | None:
    """Return what an SVG holds, read; nothing for any other file; UnusablePicture if it cannot be drawn."""
    if any(kind.start.match(data) for kind in _KINDS):
        return None
    from render.images.files.unsupported import is_svg  # noqa: PLC0415 - most pictures are JPEGs

    if not is_svg(data):
        return None
    from render.images.files.svg_drawing import read_drawing  # noqa: PLC0415

    return read_drawing(data)


def _read_png(data: bytes) -> PictureFile:
    from render.images.files.png import read_png  # noqa: PLC0415 - most pictures are JPEGs

    return read_png(data)


def _read_webp(data: bytes) -> PictureFile:
    from render.images.files.webp import read_webp  # noqa: PLC0415 - most pictures are JPEGs

    return read_webp(data)


_KINDS = (
    _Kind("JPEG", re.compile(rb"\xff\xd8\xff"), read_jpeg, JpegImageFile),
    _Kind("PNG", re.compile(rb"\x89PNG\r\n\x1a\n"), _read_png, PngImageFile),
    _Kind("WebP", re.compile(rb"RIFF....WEBP", re.DOTALL), _read_webp, WebPImageFile),
)


def _kind(data: bytes) -> _Kind:
    """Return the kind of picture by its first bytes; UnusablePicture if it is none of ours."""
    for kind in _KINDS:
        if kind.start.match(data):
            return kind
    from render.images.files.unsupported import stranger  # noqa: PLC0415 - hardly any file is one

    raise stranger(data)


@contextmanager
def _decoding(kind: str) -> Iterator[None]:
    """Turn whatever a decoder raises into UnusablePicture."""
    try:
        yield
    except UnusablePicture:
        raise
    except Exception as error:  # OSError, SyntaxError, ValueError, TypeError, struct.error, EOFError, MemoryError ...
        raise UnusablePicture("A006", f"is a {kind} that cannot be decoded: {reason(error)}", AGAIN) from error


def _check_size(kind: str, file: PictureFile) -> None:
    """UnusablePicture if decoding the file would take too much memory or time, by what it says of itself."""
    pixels = file.width * file.height
    size = f"{file.width} x {file.height} pixels"
    has = f"has {size}, {pixels / 1e6:.0f} megapixels"
    if max(file.width, file.height) > MAX_SIDE:
        raise UnusablePicture("A007", f"has {size}: at most {MAX_SIDE:,} on a side are read", _SMALLER)
    if pixels > MAX_PIXELS:
        raise UnusablePicture("A007", f"{has}: at most {MAX_PIXELS / 1e6:.0f} megapixels are read", _SMALLER)
    if pixels * file.memory > MAX_MEMORY:
        most = f"at most {MAX_MEMORY / file.memory / 1e6:.0f} megapixels are read"
        why = f"a {kind} like this takes {file.memory:.0f} bytes of memory a pixel"
        raise UnusablePicture("A007", f"{has}: {most}, since {why}", _SMALLER)
    if file.passes > MAX_PASSES or pixels * file.passes > MAX_WORK:
        most_passes = min(MAX_PASSES, MAX_WORK // max(pixels, 1))
        raise UnusablePicture(
            "A012", f"is a {kind} of {size} in {file.passes:,} passes: at most {most_passes} are read", ANEW
        )


def _fits_pdf(image: ImageFile, orientation: int, colors: Colors) -> bool:
    """Whether the file itself can stand in a PDF: a JPEG, grey or YCbCr, upright and in sRGB.

    PDF readers disagree about a JPEG that holds RGB as such.
    """
    if not isinstance(image, JpegImageFile) or orientation != 1 or colors.transform:
        return False
    components = bytes(row[0] for row in image.layer)
    stored_as_rgb = image.info.get("adobe_transform") == 0 or components == b"RGB"
    return image.mode == "L" or (image.mode == "RGB" and not stored_as_rgb)


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
    """Keep the high byte of 16 bit grey, as Pillow does with 16 bit colour; its own conversion would clip to white."""
    if not image.mode.startswith("I"):
        return image
    gray = image.point(lambda value: value * (1 / 256)).convert("L")
    if "transparency" in image.info:
        gray.info["transparency"] = image.info["transparency"] >> 8
    return gray
