"""Pictures of a PDF: how they are packed, in which colors, and how much ink their pixels take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pikepdf
from pikepdf import Object, Stream

from render.base.findings import Problem, Severity
from render.pdf.standards import A_2B, X_1A, Standard
from render.shops.preflight.objects.inks import A_PICTURE, Inks
from render.shops.preflight.objects.lossy import jpeg_channels, most_ink
from render.shops.preflight.objects.reading import (
    Effort,
    TooLarge,
    as_dictionary,
    as_integer,
    as_name,
    as_numbers,
    filters,
    is_true,
    unpack_stream,
)
from render.shops.preflight.objects.spaces import Space, space

_EXACT = 0.01  # per cent that rounding of four inks may add
_LOSSY = 5.0  # per cent that compression adds to a pixel here and there
_INTENTS = ("RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation")
_PLAIN = {"FlateDecode", "LZWDecode", "RunLengthDecode", "ASCIIHexDecode", "ASCII85Decode"}  # packed without loss


@dataclass(slots=True)
class PictureReader:
    """Finds the faults of pictures by a standard and a limit of ink."""

    standard: Standard
    inks: Inks
    effort: Effort

    def faults(self, image: Stream, resources: object, depth: int = 0) -> Iterator[Problem]:
        """Yield what is wrong with a picture and its masks."""
        yield from self._entries(image)
        of = space(image["/ColorSpace"], resources) if "/ColorSpace" in image else None
        if of is not None and not is_true(image.get("/ImageMask")):
            yield from self.inks.of_space(of, A_PICTURE)
            yield from self._data(image, of)
            channels = jpeg_channels(image) if filters(image) == ["DCTDecode"] else 0
            if channels and of.components and channels != of.components:
                message = f"a picture has {channels} components, and its color space has {of.components}"
                yield Problem("F037", message, "pack it again, in the colors that it says")
            else:
                yield from self._ink(image, of)
        elif is_true(image.get("/ImageMask")) and as_integer(image.get("/BitsPerComponent"), 1) != 1:
            yield Problem("F037", "a mask has more than one bit")
        for key in ("/SMask", "/Mask"):
            mask = image.get(key)
            if isinstance(mask, Stream) and depth < 2:
                yield from self.faults(mask, resources, depth + 1)

    def _entries(self, image: Stream) -> Iterator[Problem]:
        """Judge entries: ISO 15930-4, 6.12, 6.16; ISO 15930-7, 6.16, 6.23, 6.27; ISO 19005-2, 6.2.6, 6.2.8."""
        if not self.standard.transparency and ("/SMask" in image or as_integer(image.get("/SMaskInData")) != 0):
            yield Problem("F041", "a picture has a soft mask", "lay it on its ground first")
        if "/OPI" in image or "/Alternates" in image:
            yield Problem("F052", "another picture stands in for one")
        if self.standard is A_2B and is_true(image.get("/Interpolate")):
            yield Problem("F037", "a picture is to be smoothed by whoever shows it: `Interpolate`")
        intent = image.get("/Intent")
        if intent is not None and as_name(intent) not in _INTENTS:
            yield Problem("F052", f"the rendering intent of a picture is none: `{as_name(intent)}`")
        bits = image.get("/BitsPerComponent")
        if bits is not None and "JPXDecode" not in filters(image):
            if as_integer(bits) not in (1, 2, 4, 8, 16):
                yield Problem("F037", f"a picture has {as_integer(bits)} bits for a color")
            elif as_integer(bits) == 16 and self.standard is X_1A:
                yield Problem("F005", "a picture has 16 bits for a color, which PDF 1.5 brought")

    def _data(self, image: Stream, of: Space) -> Iterator[Problem]:
        """Yield a problem if a picture packed without loss has less data than pixels."""
        if not of.components or set(filters(image)) - _PLAIN:
            return
        width, height, bits = (as_integer(image.get(key)) for key in ("/Width", "/Height", "/BitsPerComponent"))
        needed = (width * of.components * bits + 7) // 8 * height  # rows are padded to whole bytes (8.9.3)
        if needed <= 0:
            yield Problem("F037", "a picture has no pixels")
            return
        if needed > 1 << 26:
            return
        try:
            length = len(unpack_stream(image, self.effort))
        except TooLarge:
            return
        except pikepdf.PdfError:
            yield Problem("F001", "the data of a picture are damaged")
            return
        if length < needed:
            yield Problem(
                "F037",
                f"a picture has {length} byte{'' if length == 1 else 's'}, not the {needed} that its pixels take",
            )

    def _ink(self, image: Stream, of: Space) -> Iterator[Problem]:
        limit = self.inks.limit
        plates = _plates(of)
        if limit is None or plates < 2:
            return
        is_lossy = filters(image)[-1:] == ["DCTDecode"]
        percent = self._lossy(image, of) if is_lossy else self._exact(image, of, plates)
        if percent is None:
            hint = "pack it in 8 bits without loss (Flate), or look at its ink in another program"
            yield Problem("F032", "the ink of a picture cannot be read", hint, severity=Severity.UNSURE)
        elif percent > limit + (_LOSSY if is_lossy else _EXACT):
            hint = f"at most {limit:g} %: convert it by a profile that keeps to it"
            yield Problem("F032", f"a picture has {percent:.0f} % ink", hint)

    def _lossy(self, image: Stream, of: Space) -> float | None:
        """Return the ink of a JPEG; None if it is packed once more, or its colors are not four inks."""
        if filters(image) != ["DCTDecode"] or of.components != 4 or of.family == "DeviceN":
            return None
        # Decode may invert all channels, as for Adobe's CMYK JPEGs.
        decode = as_numbers(image.get("/Decode"))
        if decode and decode not in ([0, 1] * 4, [1, 0] * 4):
            return None
        return most_ink(image.read_raw_bytes(), turned=bool(decode and decode[0] == 1))

    def _exact(self, image: Stream, of: Space, plates: int) -> float | None:
        """Return the largest sum of inks on a pixel in per cent; None if the pixels cannot be read exactly."""
        if set(filters(image)) - _PLAIN or as_integer(image.get("/BitsPerComponent")) != 8:
            return None
        try:
            if of.family == "Indexed":
                return _of_palette(of, plates, self.effort)
            values = np.frombuffer(unpack_stream(image, self.effort), np.uint8)
        except (TooLarge, pikepdf.PdfError):
            return None
        decode = as_numbers(image.get("/Decode"))
        if decode and decode not in ([0, 1] * plates, [1, 0] * plates):
            return None
        count = as_integer(image.get("/Width")) * as_integer(image.get("/Height"))
        if len(values) < count * plates:
            return None
        samples = values[: count * plates].reshape(-1, plates)
        sums = samples.sum(axis=1, dtype=np.uint16)
        most = plates * 255 - int(sums.min(initial=plates * 255)) if decode and decode[0] == 1 else sums.max(initial=0)
        return float(most) * 100 / 255


def _plates(of: Space) -> int:
    """Return the number of inks of a pixel that add up on paper."""
    if of.family == "Indexed" and of.base:
        return _plates(of.base)
    if of.family in ("Separation", "DeviceN"):
        return of.components
    return 4 if of.components == 4 else 1


def _of_palette(of: Space, plates: int, effort: Effort) -> float | None:
    lookup = of.source[3] if len(of.source) > 3 else None
    values = (
        unpack_stream(lookup, effort) if isinstance(lookup, Stream) else bytes(lookup) if lookup is not None else b""
    )
    samples = np.frombuffer(values[: len(values) // plates * plates], np.uint8).reshape(-1, plates)
    return float(samples.sum(axis=1, dtype=np.uint16).max(initial=0)) * 100 / 255


def size(image: Object) -> tuple[int, int]:
    """Return the width and height of a picture in pixels."""
    return as_integer(as_dictionary(image).get("/Width")), as_integer(as_dictionary(image).get("/Height"))
