"""Make the pictures of the README anew: python -m tests.support.previews"""

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from PIL import Image
from playwright import sync_api

from tests.support.browser import Scheme, chromium, opened, started
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


def of_site(folder: Path) -> Image.Image:
    """Return a site as visitors see it: the list in a light window, a card in a dark one."""
    kotc("site", ROOT / "cards/fivewinds", ROOT / "cards/starter", "--title", "Keeper's Workshop", "--out", folder)
    shown: list[tuple[str, int, Scheme]] = [
        ("index.html", 1100, "light"),
        ("cards/fivewinds/hive-warden.html", 390, "dark"),
    ]
    pictures = []
    with started(sync_api, chromium()) as browser:
        for page_name, width, scheme in shown:
            with opened(browser, f"{folder.as_uri()}/{page_name}", width=width, height=800, scheme=scheme) as page:
                page.wait_for_load_state("networkidle")
                pictures.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    return side_by_side(pictures, 560)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        of_site(out / "site").save(ROOT / "cards" / "preview-site.jpg", quality=80, optimize=True)
        kotc("build", ROOT / "cards" / "starter", "--out", out)
        cards = [Image.open(out / "starter" / "png" / f"{card}.png") for card in CARDS]
        side_by_side(cards, 560).save(ROOT / "cards" / "starter" / "preview-cards.jpg", quality=88, optimize=True)
        pages = pypdfium2.PdfDocument(out / "starter" / "sheets.pdf")
        sheet = [pages[number].render(scale=1.4).to_pil() for number in (0, 1)]
        side_by_side(sheet, 700).save(ROOT / "cards" / "starter" / "preview-sheet.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    main()
