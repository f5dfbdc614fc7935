"""Draw an SVG with a number of pixels, in a process of its own, since no SVG tells how much drawing it takes.

Each is drawn once, at its largest, when a set is checked. Later drawings get more time and memory than that one.

The process has no other file, no font and no network: resvg loads pictures that `<image>` names and fonts for `<text>`,
and `read_svg` lets neither through.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from render.base.caches import BoundedCache, cached, stored
from render.images.files.parts import UnusablePicture
from render.images.files.svg import WHOLE, Part, SvgFile, read_svg

MAX_MEMORY = 800_000_000  # bytes of address space when a drawing is checked: its layers reach beyond its edges
SECONDS = 8  # of processor time, when a drawing is checked
_SPARE = 2  # times as much for a drawing that was checked, since no two runs take the same
_WAITED = 600  # seconds of the clock, for a machine that is busy with other things
_SIMPLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"

_KEPT = stored(f"{__name__}.drawn", BoundedCache[bytes](32_000_000, len))  # 200 pictures of a card at 600 dpi


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
        """Draw it at its largest and return that size; UnusablePicture if it takes too much memory or time."""
        _drawn(self.svg.sized(*self.upright_size))
        return self.upright_size

    def as_png(self, size: tuple[int, int], part: Part = WHOLE) -> bytes:
        """Return a part of the drawing with that many pixels as a PNG. The last ones are cached, up to 32 MB.

        UnusablePicture if drawing fails, or takes too much memory or time.
        """
        return _KEPT.get((self.digest, size, part), lambda: _drawn(self.svg.sized(*size, part), _SPARE))


def read_drawing(data: bytes) -> Drawing:
    """Return the drawing of an SVG; UnusablePicture, with its place, if it is broken or needs what is not drawn."""
    return Drawing(read_svg(data), hashlib.sha256(data).digest())


def _drawn(text: str, times: int = 1) -> bytes:
    said = f"is an SVG that cannot be drawn in {MAX_MEMORY / 1e6:.0f} MB of memory and {SECONDS} s"
    process = str(Path(__file__).with_name("svg_process.py"))
    # -I and -S: no variables of the environment and no site-packages.
    command = [sys.executable, "-I", "-S", process, _library(), str(MAX_MEMORY * times), str(SECONDS * times)]
    try:
        done = subprocess.run(command, input=text.encode("utf-8"), capture_output=True, check=False, timeout=_WAITED)
    except subprocess.TimeoutExpired:
        raise UnusablePicture("A015", said, _SIMPLER) from None
    if done.returncode == 0 and done.stdout.startswith(b"\x89PNG"):
        return done.stdout
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    if done.returncode == 1 and last.startswith("ValueError: "):  # resvg's own words about what it cannot read
        raise UnusablePicture("A013", f"is an SVG that cannot be drawn: {last.removeprefix('ValueError: ')}", _SIMPLER)
    raise UnusablePicture("A015", said, _SIMPLER)


@cached(1)
def _library() -> str:
    """Return the folder that contains resvg_py."""
    spec = find_spec("resvg_py")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("resvg_py is not installed", name="resvg_py")
    return str(Path(spec.origin).parent.parent)
