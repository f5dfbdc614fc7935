"""Draw an SVG with a number of pixels, in a worker with bounds of time and memory: no element tells what it takes.

Each is tried when a set is checked. Later drawings get more time and memory than there.

The process has no other file, no font and no network: resvg loads pictures that `<image>` names and fonts for `<text>`,
and `read_svg` lets neither through.
"""

from __future__ import annotations

import hashlib
import math
import time
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from render.base import guard
from render.base.caches import BoundedCache, cached, stored
from render.base.guard import TooMuchError
from render.base.limits import TO_DRAW_SVG, Limits
from render.images.files.parts import UnusablePicture
from render.images.files.svg import WHOLE, Part, SvgFile, read_svg

_SPARE = 2  # times as much for a drawing that was checked, since no two runs take the same
_SIMPLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"

_SMALLER = 8, 4  # times narrower and lower: a first trial has a sixty-fourth of the pixels, a second one a sixteenth
# Of the first trial: the drawing is far from the bounds if that takes 0.03 s or less, and 8 MB beside the library.
_LIBRARY, _BESIDE = 4_500_000, 8_000_000
_SURE = 4  # times what a trial tells, since no two runs take the same

_KEPT = stored(BoundedCache[bytes](32_000_000, len))  # 400 pictures of a card at 400 dpi
_READ = stored(BoundedCache["Drawing"](16_000_000, lambda drawing: len(drawing.svg.after)))


class Drawing(Struct, frozen=True):
    """An SVG that is read, but not drawn yet; `digest` is the SHA-256 of its file."""

    svg: SvgFile
    digest: bytes

    @property
    def upright_size(self) -> tuple[int, int]:
        """The most pixels, across and down, with which it is drawn."""
        return self.svg.width, self.svg.height

    def tried(self) -> tuple[tuple[int, int], bytes]:
        """Return the most pixels with which it can be drawn, and a PNG of it; UnusablePicture if it takes too much.

        Most drawings are drawn small, which tells enough of them; the others are drawn at their largest.
        """
        trials = map(self._drawn_small, _SMALLER if self.svg.is_even else ())
        return self.upright_size, next(filter(None, trials), None) or _drawn(self.svg.sized(*self.upright_size), 1)

    def _drawn_small(self, smaller: int) -> bytes | None:
        """Return a small PNG; None if it took so much that at its largest the drawing may not be far from the bounds."""
        width, height = (math.ceil(side / smaller) for side in self.upright_size)
        fewer = self.svg.width * self.svg.height / (width * height)
        memory = _LIBRARY + _BESIDE * (_SMALLER[0] // smaller) ** 2
        try:
            png, seconds = drawn(self.svg.sized(width, height), TO_DRAW_SVG._replace(seconds=1, memory=memory))
        except TooMuchError:
            return None
        return png if seconds * fewer * _SURE <= TO_DRAW_SVG.seconds else None

    def as_png(self, size: tuple[int, int], part: Part = WHOLE) -> bytes:
        """Return a part of the drawing with that many pixels as a PNG. The last ones are cached, up to 32 MB.

        UnusablePicture if drawing fails, or takes too much memory or time.
        """
        return _KEPT.get((self.digest, size, part), lambda: _drawn(self.svg.sized(*size, part), _SPARE))


def read_drawing(data: bytes) -> Drawing:
    """Return the drawing of an SVG; UnusablePicture, with its place, if it is broken or needs what is not drawn.

    The last ones are cached, up to 16 MB.
    """
    digest = hashlib.sha256(data).digest()
    return _READ.get(digest, lambda: Drawing(read_svg(data), digest))


def _drawn(text: str, times: int) -> bytes:
    """Return an SVG as a PNG; `times` what is allowed when it is checked."""
    seconds, memory, _ = TO_DRAW_SVG
    try:
        return drawn(text, TO_DRAW_SVG._replace(seconds=seconds * times, memory=memory * times))[0]
    except TooMuchError:
        said = f"is an SVG that cannot be drawn in {memory / 1e6:.0f} MB of memory and {seconds:g} s"
        raise UnusablePicture("A015", said, _SIMPLER) from None


def drawn(text: str, limits: Limits) -> tuple[bytes, float]:
    """Return an SVG as a PNG, and the seconds that drawing it took; TooMuchError, UnusablePicture."""
    try:
        png, seconds = guard.run(draw, _library(), text, limits=limits)
    except guard.WorkFailedError as error:
        # The words of the library follow those with which Rust begins a panic. Without them its arithmetic went wrong,
        # which it does where shapes are endless.
        _, panic, words = str(error).partition("` value: ")
        why = words if panic else "its shapes or lines reach too far beyond the picture"
        if not str(error):
            raise TooMuchError("memory") from None
        raise UnusablePicture("A013", f"is an SVG that cannot be drawn: {why}", _SIMPLER) from None
    return png, seconds


@cached(1)
def _library() -> str:
    """Return the folder that contains the compiled part of resvg."""
    spec = find_spec("resvg")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("resvg is not installed", name="resvg")
    return str(Path(spec.origin).parent)


def draw(where: str, text: str) -> tuple[bytes, float]:
    """Return an SVG as a PNG, and the seconds that it took, by the library in a folder; in the worker."""
    resvg = _resvg(where)
    begun = time.process_time()
    # 96 dpi is CSS's. It only says what a `mm` within the drawing is: size and viewBox are in its own units.
    options = resvg.usvg.Options.default()
    options.dpi = 96.0
    png = resvg.render(resvg.usvg.Tree.from_str(text, options), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    return bytes(png), time.process_time() - begun


@cached(1)
def _resvg(where: str) -> Any:
    """Load only the compiled part of resvg: the rest looks up its own version, which takes longer than a drawing."""
    spec = PathFinder.find_spec("_resvg", [where])
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("resvg is not installed", name="resvg")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
