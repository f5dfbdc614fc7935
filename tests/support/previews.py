"""Make the pictures of the README anew: python -m tests.support.previews"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from PIL import Image

from tests.support.repository import ROOT
from tests.support.sets import kotc

CARDS = ("night-owl", "drop-anchor", "clockwork-penguin", "tide-whale")
GAP, GRAY = 24, (118, 118, 124)


def side_by_side(pictures: Sequence[Image.Image], height: int) -> Image.Image:
    """Return the pictures at one height on a grey ground."""
    sized = [picture.resize((round(picture.width * height / picture.height), height)) for picture in pictures]
    width = sum(picture.width for picture in sized) + GAP * (len(sized) + 1)
    ground = Image.new("RGB", (width, height + 2 * GAP), GRAY)
    x = GAP
    for picture in sized:
        ground.paste(picture, (x, GAP))
        x += picture.width + GAP
    return ground


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        kotc("build", ROOT / "cards" / "starter", "--out", out)
        cards = [Image.open(out / "starter" / "png" / f"{card}.png") for card in CARDS]
        side_by_side(cards, 560).save(ROOT / "cards" / "starter" / "preview-cards.jpg", quality=88, optimize=True)
        pages = pypdfium2.PdfDocument(out / "starter" / "sheets.pdf")
        sheet = [pages[number].render(scale=1.4).to_pil() for number in (0, 1)]
        side_by_side(sheet, 700).save(ROOT / "cards" / "starter" / "preview-sheet.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    main()
