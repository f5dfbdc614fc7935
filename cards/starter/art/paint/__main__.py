"""Paint all the pictures, or those named, into the ``art`` folders of their sets."""

import argparse
from pathlib import Path

from .gallery import pictures

SETS = Path(__file__).resolve().parents[3]


def main() -> None:
    """Paint and save."""
    known = pictures()
    parser = argparse.ArgumentParser(prog="python -m paint", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture's name; all of them, unless told")
    names = parser.parse_args().names or list(known)
    for name in names:
        if name not in known:
            parser.error(f"no picture is called {name}; there are: {', '.join(known)}")
    for name in names:
        known[name].paint().save(known[name].file(SETS))


if __name__ == "__main__":
    main()
