"""Make the pictures of the README anew: python -m tests.support.previews"""

import contextlib
import io
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from PIL import Image
from playwright import sync_api

from tests.support.browser import Scheme, chromium, opened, started
from tests.support.photographed_sheets import shown_on_a_sheet
from tests.support.repository import ROOT
from tests.support.sets import kotc

CARDS = ("night-owl", "drop-anchor", "clockwork-penguin", "tide-whale")
GAP, GRAY = 24, (118, 118, 124)
CHANGES = (
    ("  level: 1\n  sp: 1\n", "  level: 2\n  sp: 2\n"),
    ("name: Moth\n  kind: minion\n  level: 2\n", "name: Moth\n  kind: minion\n  level: 3\n"),
    ("place 1 Taunt Counter on it.", "place 2 Taunt Counters on it."),
)


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


def of_change(folder: Path) -> Image.Image:
    """Return the page of what changed: a card of the starter deck with other numbers, and one with another text."""
    before, after = folder / "before", folder / "after"
    for copy in (before, after):
        shutil.copytree(ROOT / "cards" / "starter", copy)
    minions = after / "minions.yaml"
    text = minions.read_text(encoding="utf-8")
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new, 1)
    minions.write_text(text, encoding="utf-8")
    page_file = folder / "changes.html"
    with contextlib.chdir(folder):
        kotc("compare", "before", "after", "--out", page_file)
    with started(sync_api, chromium()) as browser, opened(browser, page_file.as_uri(), width=1100, height=1160) as page:
        page.wait_for_load_state("networkidle")
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


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
        of_change(out / "change").save(ROOT / "cards" / "preview-change.jpg", quality=80, optimize=True)
        shown_on_a_sheet().crop((0, 60, 900, 1010)).save(
            ROOT / "out" / "preview-calibration.jpg", quality=80, optimize=True
        )
        kotc("build", ROOT / "cards" / "starter", "--out", out)
        cards = [Image.open(out / "starter" / "png" / f"{card}.png") for card in CARDS]
        side_by_side(cards, 560).save(ROOT / "cards" / "starter" / "preview-cards.jpg", quality=88, optimize=True)
        pages = pypdfium2.PdfDocument(out / "starter" / "sheets.pdf")
        sheet = [pages[number].render(scale=1.4).to_pil() for number in (0, 1)]
        side_by_side(sheet, 700).save(ROOT / "cards" / "starter" / "preview-sheet.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    main()
