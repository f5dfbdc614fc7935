"""The program of a worker process: it draws one SVG after the other, until its standard input ends.

It is run by its path, without this package and without site-packages. Its argument is the folder of resvg. A question
is the length of an SVG, the seconds of processor time and the bytes of memory that drawing it may take, and the SVG. An
answer says whether it is drawn, the seconds that this took, a length, and the PNG or the words of the error. A drawing
that takes more ends the process by a signal; after an error the process ends itself.
"""

from __future__ import annotations

import math
import signal
import struct
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from time import process_time

QUESTION = struct.Struct("<IIQ")
ANSWER = struct.Struct("<?dI")

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def main(where: str) -> None:
    """Answer all questions of the standard input."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # end at once, not after the drawing
    draw = _draw_by(where)
    limit = _limiter()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while head := questions.read(QUESTION.size):
        count, seconds, memory = QUESTION.unpack(head)
        limit(seconds, memory)
        begun = process_time()
        try:
            drawn, content = True, draw(questions.read(count).decode("utf-8"))
        except BaseException as error:  # a panic of resvg is no Exception
            drawn, content = False, str(error).encode("utf-8", "replace")
        answers.write(ANSWER.pack(drawn, process_time() - begun, len(content)) + content)
        answers.flush()
        if not drawn:
            return


def _draw_by(where: str) -> Callable[[str], bytes]:
    """Return a function from SVG to PNG.

    Only the compiled part of resvg is loaded: the rest looks up its own version, which takes longer than a drawing.
    """
    spec = PathFinder.find_spec("_resvg", [where])
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("resvg is not installed", name="resvg")
    resvg = module_from_spec(spec)
    spec.loader.exec_module(resvg)
    # 96 dpi is CSS's. It only says what a `mm` within the drawing is: size and viewBox are in its own units.
    options = resvg.usvg.Options.default()
    options.dpi = 96.0
    return lambda text: resvg.render(resvg.usvg.Tree.from_str(text, options), _IDENTITY)


def _limiter() -> Callable[[int, int], None]:
    """Return a function that bounds the seconds and the bytes of memory which this process may take from then on."""
    if sys.platform == "win32":
        return lambda _, __: None
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize() if _BOUNDED else 0

    def lower(kind: int, most: int) -> None:
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

    def limit(seconds: int, memory: int) -> None:
        lower(resource.RLIMIT_CPU, math.ceil(process_time()) + seconds)
        if _BOUNDED:
            lower(resource.RLIMIT_AS, taken + memory)

    return limit


_BOUNDED = sys.platform == "linux"  # other systems have no such limit, or do not keep to it

if __name__ == "__main__":
    main(sys.argv[1])
