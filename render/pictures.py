"""Picture files: opened safely, found whole, decoded to upright sRGB.

A picture may come from anywhere, so nothing about it is believed: not its name, not its size, not even that it is a
file that ends. JPEG, PNG and WebP are let in, by their first bytes; whatever else is wrong with a picture is `Unfit`.
"""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from PIL import ExifTags, Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from render.colours import Colours, colours_of, in_mode
from render.diag import reason
from render.reach import open_real

MAX_BYTES = 50_000_000
MAX_PIXELS = 40_000_000  # 160 MB in memory; a whole card at 1200 dpi has 13 million

warnings.filterwarnings("ignore", module="PIL")  # what is wrong with a picture is said in our own words, or in none

_SAVE_AS = "save it as PNG or JPEG"
_EXPORT_AS = "export it as a PNG of 300 dpi or more at its printed size"
_AGAIN = "copy it here again, or export it anew"
_SMALLER = "save it smaller: a whole card at 300 dpi is 750 x 1050"
_LARGEST = f"at most {MAX_PIXELS / 1e6:.0f} megapixels are read"
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")  # of JPEG; the ones left out occur within its coded data


@dataclass(frozen=True, slots=True)
class Remark:
    """What is wrong or doubtful about a picture: a code, the words that follow "the picture `...`", the next step."""

    code: str
    says: str
    hint: str = ""


class Unfit(Exception):  # noqa: N818 - it is a property of the user's file, not a mistake of the program
    """The file cannot be used as a picture; `remark` says why."""

    def __init__(self, code: str, says: str, hint: str = "") -> None:
        self.remark = Remark(code, says, hint)
        super().__init__(says)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A picture that is open but, unless it is a PNG, not decoded yet.

    `data` ends where the picture ends; `width` and `height` are in pixels as stored; `orientation` is EXIF's, 1 to 8.
    """

    data: bytes
    image: ImageFile
    width: int
    height: int
    orientation: int
    colours: Colours

    @property
    def upright_size(self) -> tuple[int, int]:
        """Width and height in pixels once the orientation is applied."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)

    @property
    def fits_pdf(self) -> bool:
        """Whether the file itself can stand in a PDF: a JPEG, grey or YCbCr, upright and in sRGB.

        PDF readers disagree about a JPEG that holds RGB as such.
        """
        if not isinstance(self.image, JpegImageFile) or self.orientation != 1 or self.colours.transform:
            return False
        components = bytes(row[0] for row in self.image.layer)
        stored_as_rgb = self.image.info.get("adobe_transform") == 0 or components == b"RGB"
        return self.image.mode == "L" or (self.image.mode == "RGB" and not stored_as_rgb)


def read(file: Path) -> bytes:
    """Return what is in the file; Unfit if it is no file, cannot be read or has more than 50 MB. Never waits."""
    try:
        with open(file, "rb", opener=_without_waiting) as stream:
            return _content(stream)
    except IsADirectoryError:
        raise Unfit("A002", "is a folder", "name a file in it") from None
    except OSError as error:
        raise Unfit("A003", f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def encoded(data: bytes) -> Encoded:
    """Open the picture; Unfit if it is none, ends too early, is animated or has more than 40 megapixels."""
    kind = _kind(data)
    end = kind.end(data)
    if end is None:
        raise Unfit("A006", f"is a {kind.name} that ends too early", _AGAIN)
    whole = data[:end]
    with _decoding(kind.name):
        image = kind.open(BytesIO(whole))
        width, height = image.size
        _check_size(width, height)
        _check_still(image)
        if isinstance(image, PngImageFile):
            image.load()  # its orientation may stand behind its pixels
        return Encoded(whole, image, width, height, _orientation(image), colours_of(image))


def check(picture: Encoded) -> None:
    """Do once all that drawing will do, to a JPEG at an eighth of its size; Unfit if that fails. Uses `picture` up."""
    picture.image.draft(None, (1, 1))  # the entropy coded data is read all the same
    decoded(picture)


def decoded(picture: Encoded) -> Image.Image:
    """Return the picture upright, in sRGB, on white, as L or RGB; Unfit if its data are damaged."""
    with _decoding(picture.image.format or "picture"):
        picture.image.load()
        colours, opacity = _parted(picture.image)
        drawn = picture.colours.to_srgb(colours)
        if opacity is not None:
            white = Image.new(drawn.mode, drawn.size, "white")  # what the card is beneath a picture
            white.paste(drawn, mask=opacity)
            drawn = white
        turn = _UPRIGHT.get(picture.orientation)
        return drawn if turn is None else drawn.transpose(turn)


def _without_waiting(path: str, _: int) -> int:
    """Open a pipe that nobody writes to at once, instead of waiting for somebody; links were followed before."""
    return open_real(Path(path).absolute())


def _content(stream: BinaryIO) -> bytes:
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise Unfit("A002", f"is {'a pipe' if stat.S_ISFIFO(status.st_mode) else 'a device'}, not a file")
    if status.st_size > MAX_BYTES:
        says = f"is {status.st_size / 1e6:.1f} MB large, and at most {MAX_BYTES / 1e6:.0f} MB are read"
        raise Unfit("A004", says, _SMALLER)
    return stream.read(MAX_BYTES)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of picture: how it starts, where it ends (nothing, if too early), what opens it."""

    name: str
    start: re.Pattern[bytes]
    end: Callable[[bytes], int | None]
    open: Callable[[BytesIO], ImageFile]


def _end_of_jpeg(data: bytes) -> int | None:
    """Return where the end marker ends, which no decoder insists on; what cameras append is not part of the picture."""
    at = 2
    while marker := _MARKER.search(data, at):
        at = marker.end()
        if marker[0] == b"\xff\xd9":
            return at
        at += int.from_bytes(data[at : at + 2])
    return None


def _end_of_png(data: bytes) -> int | None:
    at = 8
    while at + 12 <= len(data):
        kind = data[at + 4 : at + 8]
        at += 12 + int.from_bytes(data[at : at + 4])
        if kind == b"IEND":
            return at if at <= len(data) else None
    return None


def _end_of_webp(data: bytes) -> int | None:
    end = 8 + int.from_bytes(data[4:8], "little")
    return end if end <= len(data) else None


_KINDS = (
    _Kind("JPEG", re.compile(rb"\xff\xd8\xff"), _end_of_jpeg, JpegImageFile),
    _Kind("PNG", re.compile(rb"\x89PNG\r\n\x1a\n"), _end_of_png, PngImageFile),
    _Kind("WebP", re.compile(rb"RIFF....WEBP", re.DOTALL), _end_of_webp, WebPImageFile),
)

_STRANGERS = tuple(
    (what, re.compile(start, re.DOTALL | re.IGNORECASE), hint)
    for what, start, hint in (
        ("a GIF", rb"GIF8[79]a", "a card does not move: save one picture of it as PNG or JPEG"),
        ("a BMP", rb"BM.{4}\0{4}", _SAVE_AS),
        ("a TIFF", rb"II\*\0|MM\0\*", _SAVE_AS),
        ("an AVIF", rb".{4}ftypavi", _SAVE_AS),
        ("a HEIC", rb".{4}ftyp(?:hei|hev|mif|msf)", _SAVE_AS),
        ("a JPEG XL", rb"\xff\x0a|\0\0\0\x0cJXL ", _SAVE_AS),
        ("a JPEG 2000", rb"\xff\x4f\xff\x51|\0\0\0\x0cjP  ", _SAVE_AS),
        ("a Photoshop file", rb"8BPS", _SAVE_AS),
        ("a GIMP file", rb"gimp xcf", _SAVE_AS),
        ("an SVG", rb"\s*<(?:svg|(?:\?xml|!--|!doctype svg).{0,2000}<svg)", _EXPORT_AS),
        ("a PDF", rb"%PDF-", _EXPORT_AS),
        ("a web page", rb"\s*<(?:!doctype html|html)", "download the picture itself"),
        ("a Git LFS pointer", rb"version https://git-lfs", "run `git lfs pull` to get the picture itself"),
    )
)


def _kind(data: bytes) -> _Kind:
    """Return the kind of picture by its first bytes; Unfit, as precisely as they allow, if it is none of ours."""
    for kind in _KINDS:
        if kind.start.match(data):
            return kind
    if not data:
        raise Unfit("A005", "is empty", _AGAIN)
    for what, start, hint in _STRANGERS:
        if start.match(data):
            raise Unfit("A005", f"is {what}, and only JPEG, PNG and WebP are read", hint)
    raise Unfit("A005", "is not a picture: it is no JPEG, PNG or WebP inside, whatever its name", _SAVE_AS)


@contextmanager
def _decoding(kind: str) -> Iterator[None]:
    """Turn whatever a decoder raises into Unfit."""
    try:
        yield
    except Unfit:
        raise
    except Image.DecompressionBombError:
        raise Unfit("A007", f"is far too large: {_LARGEST}", _SMALLER) from None
    except Exception as error:  # OSError, SyntaxError, ValueError, TypeError, struct.error, EOFError, MemoryError ...
        raise Unfit("A006", f"is a {kind} that cannot be decoded: {reason(error)}", _AGAIN) from error


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        size = f"{width} x {height} pixels, {width * height / 1e6:.0f} megapixels"
        raise Unfit("A007", f"has {size}: {_LARGEST}", _SMALLER)


def _check_still(image: ImageFile) -> None:
    frames = getattr(image, "n_frames", 1)  # what Pillow gives to the kinds that can be animated
    if frames > 1:
        raise Unfit("A008", f"is animated: it has {frames} frames", "save one of them as PNG or JPEG")


_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _orientation(image: ImageFile) -> int:
    """Return how EXIF says the picture is turned: 1, upright, if it does not say or is damaged, as in any viewer."""
    try:
        value = image.getexif().get(ExifTags.Base.Orientation)
        return value if value in _UPRIGHT else 1
    except Exception:
        return 1


def _parted(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Return the colours of the picture as L, RGB or CMYK, and its opacity if it is not all opaque."""
    image = _in_eight_bits(image)
    grey = image.mode in ("1", "L", "LA")
    if not image.has_transparency_data:
        return in_mode(image, "L" if grey else "CMYK" if image.mode == "CMYK" else "RGB"), None
    image = image.convert("LA" if grey else "RGBA")
    return image.getchannel("L") if grey else image.convert("RGB"), image.getchannel("A")


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Keep the high byte of 16 bit grey, as Pillow does with 16 bit colour; its own conversion would clip to white."""
    if not image.mode.startswith("I"):
        return image
    grey = image.point(lambda value: value * (1 / 256)).convert("L")
    if "transparency" in image.info:
        grey.info["transparency"] = image.info["transparency"] >> 8
    return grey
