"""Paint all the pictures, or those named, beside this package."""

import argparse
from pathlib import Path

from .gallery import paint, pictures


def main() -> None:
    """Paint and save."""
    known = pictures()
    parser = argparse.ArgumentParser(prog="python -m paint", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture's name; all of them, unless told")
    names = parser.parse_args().names or list(known)
    for name in names:
        if name not in known:
            parser.error(f"no picture is called {name}; there are: {', '.join(known)}")
    folder = Path(__file__).resolve().parent.parent
    for name in names:
        paint(name).save(folder / f"{name}.jpg")


if __name__ == "__main__":
    main()
