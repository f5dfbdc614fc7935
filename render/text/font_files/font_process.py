"""The program of a worker process: it makes an ordinary font of one place of a variable font, and ends.

It is run by its path, without this package. Its arguments are the folder of uharfbuzz, and tags with values such as
`wght=650`; the font comes in by the standard input, and its instance goes out by the standard output. What a font asks
for is not told by its size: one that takes more time or memory ends the process.
"""

from __future__ import annotations

import sys
from pathlib import Path

SECONDS = 20  # of processor time: the largest fonts for Chinese and Japanese take 4
MAX_MEMORY = 1_500_000_000  # bytes of address space: these take half


def main(where: str, *places: str) -> None:
    """Write the instance of the font of the standard input."""
    _limit()
    sys.path.insert(0, where)
    import uharfbuzz as hb

    face = hb.Face(hb.Blob(sys.stdin.buffer.read()))
    wanted = hb.SubsetInput()
    wanted.keep_everything()
    wanted.flags |= hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.DOWNGRADE_CFF2
    for place in places:
        tag, _, value = place.partition("=")
        wanted.pin_axis_location(face, tag, float(value))
    sys.stdout.buffer.write(bytes(hb.subset(face, wanted).blob.data))


def _limit() -> None:
    """Bound what the process may take, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_CPU, SECONDS)
    if sys.platform == "linux":  # other systems have no such limit, or do not keep to it
        taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, taken + MAX_MEMORY)


def _lower(kind: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main(*sys.argv[1:])
