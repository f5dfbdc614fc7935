"""Draw an SVG with a number of pixels, in a process with bounds of time and memory: no element tells what it takes.

Each is tried when a set is checked. Later drawings get more time and memory than there.

The process has no other file, no font and no network: resvg loads pictures that `<image>` names and fonts for `<text>`,
and `read_svg` lets neither through.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

from render.base.caches import BoundedCache, stored
from render.images.files.parts import UnusablePicture
from render.images.files.svg import WHOLE, Part, SvgFile, read_svg
from render.images.files.svg_workers import BrokenDrawingError, DrawingLimits, SvgPng, TooMuchError, drawn

MAX_MEMORY = 800_000_000  # bytes of address space when a drawing is checked: its layers reach beyond its edges
SECONDS = 8  # of processor time, when a drawing is checked
_SPARE = 2  # times as much for a drawing that was checked, since no two runs take the same
_SIMPLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"

_SMALLER = 8  # times narrower and lower, so that a first trial has a sixty-fourth of the pixels
_AT_A_GLANCE = 1  # seconds of the first trial: the drawing is far from the bounds if that takes 0.03 s or less
_SURE = 4  # times what the first trial tells, since no two runs take the same

_KEPT = stored(f"{__name__}.drawn", BoundedCache[bytes](32_000_000, len))  # 400 pictures of a card at 400 dpi
_READ = stored(f"{__name__}.read", BoundedCache["Drawing"](16_000_000, lambda drawing: len(drawing.svg.after)))


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG that is read, but not drawn yet; `digest` is the SHA-256 of its file."""

    svg: SvgFile
    digest: bytes

    @property
    def upright_size(self) -> tuple[int, int]:
        """The most pixels, across and down, with which it is drawn."""
        return self.svg.width, self.svg.height

    def tried(self) -> tuple[int, int]:
        """Return the most pixels with which it can be drawn; UnusablePicture if that takes too much memory or time.

        Most drawings are drawn small, which tells enough of them; the others are drawn at their largest.
        """
        if not (self.svg.is_even and self._is_light()):
            _drawn(self.svg.sized(*self.upright_size), _limits(1))
        return self.upright_size

    def _is_light(self) -> bool:
        """Whether it takes so little when it is drawn small that at its largest it is far from the bounds."""
        width, height = (math.ceil(side / _SMALLER) for side in self.upright_size)
        fewer = self.svg.width * self.svg.height / (width * height)
        try:
            small = drawn(self.svg.sized(width, height), DrawingLimits(_AT_A_GLANCE, int(MAX_MEMORY / fewer)))
        except TooMuchError:
            return False
        except BrokenDrawingError as error:
            raise _broken(error) from None
        return small.seconds * fewer * _SURE <= SECONDS

    def as_png(self, size: tuple[int, int], part: Part = WHOLE) -> bytes:
        """Return a part of the drawing with that many pixels as a PNG. The last ones are cached, up to 32 MB.

        UnusablePicture if drawing fails, or takes too much memory or time.
        """
        return _KEPT.get((self.digest, size, part), lambda: _drawn(self.svg.sized(*size, part), _limits(_SPARE)).png)


def read_drawing(data: bytes) -> Drawing:
    """Return the drawing of an SVG; UnusablePicture, with its place, if it is broken or needs what is not drawn.

    The last ones are cached, up to 16 MB.
    """
    digest = hashlib.sha256(data).digest()
    return _READ.get(digest, lambda: Drawing(read_svg(data), digest))


def _limits(times: int) -> DrawingLimits:
    return DrawingLimits(SECONDS * times, MAX_MEMORY * times)


def _drawn(text: str, limits: DrawingLimits) -> SvgPng:
    try:
        return drawn(text, limits)
    except BrokenDrawingError as error:
        raise _broken(error) from None
    except TooMuchError:
        said = f"is an SVG that cannot be drawn in {MAX_MEMORY / 1e6:.0f} MB of memory and {SECONDS} s"
        raise UnusablePicture("A015", said, _SIMPLER) from None


def _broken(error: BrokenDrawingError) -> UnusablePicture:
    return UnusablePicture("A013", f"is an SVG that cannot be drawn: {error}", _SIMPLER)
