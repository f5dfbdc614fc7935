"""Pictures of a PDF: how they are packed, in which colors, and how much ink their pixels take."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pikepdf
from pikepdf import Stream
from PIL import Image, JpegImagePlugin

from render.base.findings import Diagnostic
from render.pdf.reading.colors import ColorSpace, read_color_space
from render.pdf.reading.values import as_integer, as_numbers, filters, inflated, is_true
from render.shops.preflight.colors import ColorRules

_EXACT = 0.01  # per cent that rounding of four inks may add
_LOSSY = 5.0  # per cent that compression adds to a pixel here and there
_FEW = 0.001  # of the pixels of a JPEG: ink that compression adds at edges was chosen by nobody
_PLAIN = {  # packed without loss; the short names are those of inline pictures
    "FlateDecode", "LZWDecode", "RunLengthDecode", "ASCIIHexDecode", "ASCII85Decode", "Fl", "LZW", "RL", "AHx", "A85",
}  # fmt: skip
_MAX_PIXELS = 16_000_000  # a larger JPEG is decoded at half, a quarter or an eighth of its size
_UNREADABLE = OSError, SyntaxError, ValueError, Image.DecompressionBombError, TypeError, KeyError, IndexError


def judge_picture(
    image: Stream, resources: object, colors: ColorRules, kind: str = "picture", depth: int = 0
) -> Iterator[Diagnostic]:
    """Yield what is wrong with a picture and its masks; `kind` is a subject of the rules."""
    what = f"an {kind}" if kind.startswith("inline") else f"a {kind}"
    yield from colors.rules.of(kind, image.stream_dict, what)
    if "/ColorSpace" in image and not is_true(image.get("/ImageMask")):
        space = read_color_space(image["/ColorSpace"], resources)
        yield from colors.of_space(space, what)
        faults = list(_judge_data(image, space, colors, what))
        yield from faults or _judge_ink(image, space, colors, what)  # data that are not there have no ink
    for mask in (image.get("/SMask"), image.get("/Mask")):
        if isinstance(mask, Stream) and depth < 2:
            yield from judge_picture(mask, resources, colors, depth=depth + 1)


def _judge_data(image: Stream, space: ColorSpace, colors: ColorRules, what: str) -> Iterator[Diagnostic]:
    """Yield a problem if a JPEG has other channels than its color space, or another picture fewer data than pixels."""
    jpeg = _open_jpeg(image)
    if jpeg and space.components and len(jpeg.getbands()) != space.components:
        yield from colors.rules("picture", "channels", what, len(jpeg.getbands()), space.components)
    if not space.components or set(filters(image)) - _PLAIN:
        return
    width, height, bits = (as_integer(image.get(key)) for key in ("/Width", "/Height", "/BitsPerComponent"))
    needed = (width * space.components * bits + 7) // 8 * height  # rows are padded to whole bytes (8.9.3)
    if needed <= 0:
        yield from colors.rules("picture", "no pixels", what)
        return
    try:
        length = memoryview(image.get_stream_buffer()).nbytes
    except (pikepdf.PdfError, RuntimeError):  # RuntimeError: of LZW
        yield from colors.rules("picture", "damaged", what)
        return
    if length < needed:
        yield from colors.rules("picture", "data", what, length, needed)


def _judge_ink(image: Stream, space: ColorSpace, colors: ColorRules, what: str) -> Iterator[Diagnostic]:
    plates = _count_plates(space)
    if colors.limit is None or plates < 2:
        return
    percent = _most_ink_of_jpeg(image, space) if _is_jpeg(image) else _most_ink(image, space, plates)
    if percent is None:
        yield from colors.rules("color", "unknown ink", what)
    elif percent > colors.limit + (_LOSSY if _is_jpeg(image) else _EXACT):
        yield from colors.rules("picture", "ink", what, percent, colors.limit)


def _count_plates(space: ColorSpace) -> int:
    """Return the number of inks of a pixel that add up on paper."""
    if space.family == "Indexed" and space.base:
        return _count_plates(space.base)
    return space.components if space.is_inks else 4 if space.components == 4 else 1


def _most_ink(image: Stream, space: ColorSpace, plates: int) -> float | None:
    """Return the largest sum of inks on a pixel in per cent; None if the pixels cannot be read exactly."""
    if set(filters(image)) - _PLAIN or as_integer(image.get("/BitsPerComponent")) != 8:
        return None
    count, decode = as_integer(image.get("/Width")) * as_integer(image.get("/Height")), []
    try:
        if space.family == "Indexed":
            lookup = space.source[3] if len(space.source) > 3 else b""
            data = memoryview(lookup.read_bytes() if isinstance(lookup, Stream) else bytes(lookup))
            count = data.nbytes // plates
        else:
            data, decode = memoryview(image.get_stream_buffer()), as_numbers(image.get("/Decode"))
    except (pikepdf.PdfError, RuntimeError):
        return None
    if data.nbytes < count * plates or (decode and decode not in ([0, 1] * plates, [1, 0] * plates)):
        return None
    sums = np.frombuffer(data, np.uint8, count * plates).reshape(-1, plates).sum(axis=1, dtype=np.uint16)
    most = plates * 255 - sums.min(initial=plates * 255) if decode[:1] == [1] else sums.max(initial=0)
    return float(most) * 100 / 255


def _is_jpeg(image: Stream) -> bool:
    return filters(image)[-1:] in (["DCTDecode"], ["DCT"])


def _open_jpeg(image: Stream) -> JpegImagePlugin.JpegImageFile | None:
    """Return a JPEG, which may be packed by Flate once more; None for what is none, or cannot be read."""
    if not _is_jpeg(image):
        return None
    data = image.read_raw_bytes()
    try:
        is_packed = filters(image)[:-1] in (["FlateDecode"], ["Fl"])
        return JpegImagePlugin.JpegImageFile(BytesIO(b"".join(inflated(data)) if is_packed else data))
    except _UNREADABLE:
        return None


def _most_ink_of_jpeg(image: Stream, space: ColorSpace) -> float | None:
    """Return the ink in per cent that all but a few pixels of a CMYK JPEG keep to; None if it cannot be read."""
    decode, jpeg = as_numbers(image.get("/Decode")), _open_jpeg(image)
    # Decode may invert all channels, as for Adobe's CMYK JPEGs.
    is_plain = space.components == 4 and space.family != "DeviceN"
    if not is_plain or (decode and decode not in ([0, 1] * 4, [1, 0] * 4)) or jpeg is None or jpeg.mode != "CMYK":
        return None
    width, height = jpeg.size
    while width * height > _MAX_PIXELS:
        width, height = width // 2, height // 2
    try:
        jpeg.draft("CMYK", (max(width, 1), max(height, 1)))
        if jpeg.size[0] * jpeg.size[1] > _MAX_PIXELS:
            return None
        jpeg.load()
    except _UNREADABLE:
        return None
    values = np.asarray(jpeg)  # Pillow inverts what it takes for Adobe's convention: 255 is what was stored as 0
    inks = (values if decode[:1] == [1] else 255 - values).sum(axis=2, dtype=np.uint16).ravel()
    rank = max(int(inks.size * (1 - _FEW)) - 1, 0)
    return float(np.partition(inks, rank)[rank]) * 100 / 255
