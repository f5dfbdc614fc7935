"""The pictures of the tutorial, drawn by its own commands; `python -m tests.support.tutorial_pictures` makes them anew."""

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from PIL import Image, ImageOps

from tests.support.page_commands import follow
from tests.support.pages import page
from tests.support.repository import ROOT

FOLDER = ROOT / "cards/pictures"

_CARD = (250, 350)
_SHEET = (420, 594)
_GAP = 20


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Yield each picture under its name; it is drawn where the tutorial shows it."""
    with TemporaryDirectory() as folder, chdir(folder):
        starter = Path("cards/starter")
        shutil.copytree(ROOT / starter, starter)
        first, rest = page("cards/tutorial.md").split("![", maxsplit=1)
        second, third = rest.split("![", maxsplit=2)[:2]
        follow(first)
        old = _drawn("out/mine/png/harbor-cat.png")
        yield "tutorial-card", _small(old)
        follow(second)
        sheet = pypdfium2.PdfDocument("out/mine/sheets.pdf")
        yield "tutorial-sheet", _small(_beside(*map(_framed, sheet)))
        follow(third)
        yield "tutorial-change", _small(_beside(old, _drawn("out/mine/png/harbor-cat.png")))


def _drawn(name: str) -> Image.Image:
    return Image.open(name).convert("RGB").resize(_CARD, Image.Resampling.LANCZOS)


def _framed(side: pypdfium2.PdfPage) -> Image.Image:
    drawn = side.render(scale=2).to_pil().convert("RGB").resize(_SHEET, Image.Resampling.LANCZOS)
    return ImageOps.expand(drawn, 1, "grey")


def _beside(*each: Image.Image) -> Image.Image:
    """Return pictures of one size side by side on white."""
    width, height = each[0].size
    together = Image.new("RGB", (len(each) * (width + _GAP) - _GAP, height), "white")
    for number, one in enumerate(each):
        together.paste(one, (number * (width + _GAP), 0))
    return together


def _small(picture: Image.Image) -> Image.Image:
    """Return a picture of few colors, whose file is small."""
    return picture.quantize(256, Image.Quantize.FASTOCTREE)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures():
        picture.save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
