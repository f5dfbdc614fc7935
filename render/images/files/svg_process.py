"""The program of the process that draws one SVG: it reads the SVG, writes a PNG, and ends.

It is run by its path, without this package and without site-packages. Its arguments are the folder of resvg_py and the
bytes of memory and seconds of processor time that it may take.
"""

from __future__ import annotations

import sys


def main(where: str, memory: int, seconds: int) -> None:
    """Draw the SVG of the standard input and write the PNG to the standard output."""
    sys.path.append(where)
    import resvg_py  # noqa: PLC0415 - found by the path above

    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if sys.platform == "linux":  # other systems have no such limit, or do not enforce it
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    text = sys.stdin.buffer.read().decode("utf-8")
    # 96 dots per inch are those of CSS. They scale nothing here: all lengths are in the drawing's own units.
    drawn = resvg_py.svg_to_bytes(svg_string=text, dpi=96.0, skip_system_fonts=True)
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
