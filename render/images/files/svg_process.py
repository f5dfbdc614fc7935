"""The program of a process that draws one SVG: its text comes in, a PNG goes out, and then it ends.

It is run by its path, without our other modules and without site-packages: what it is told is where resvg_py lies, and
how many bytes of memory and seconds it may take.
"""

from __future__ import annotations

import sys


def main(where: str, memory: int, seconds: int) -> None:
    """Draw what stands on the standard input."""
    sys.path.append(where)
    import resvg_py  # noqa: PLC0415 - it lies where the path above says

    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if sys.platform == "linux":  # elsewhere there is no such limit, or nobody keeps to it
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    text = sys.stdin.buffer.read().decode("utf-8")
    # 96 dots per inch are those of CSS: none of them is a length of ours, which are all in the drawing's own units
    drawn = resvg_py.svg_to_bytes(svg_string=text, dpi=96.0, skip_system_fonts=True)
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
