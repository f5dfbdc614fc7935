"""Cards of every named size, lying ones, and tokens of every shape: each right in all that is made of it, or refused.

Places are measured in pictures of the pages by two renderers, PDFium and poppler, against the drawing for a cutting
machine, as another program reads it: all are in mm of the paper.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import ezdxf
import numpy as np
import pypdfium2
import pytest
from ezdxf.path import make_path
from numpy.typing import NDArray
from PIL import Image

from render.base.sizes import CARDS
from tests.games.declared.isles import ran
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

DPI, NEAR = 1200, 0.05  # mm
MARK = 4.0  # mm a side, red, on both sides of each card: its corner is 7 mm left of the middle and 5 mm above it
LEFT, UP = 7.0, 5.0
GUTTER, COPIES = 4, 2

WEDGE = "M 0 0 H 30 L 15 30 Z"  # on cards that lie, and on such that stand
KINDS = {name: (name, "", (size.width, size.height)) for name, size in CARDS.items()} | {
    "landscape": ("landscape", "", (88.9, 63.5)),
    "coin": ("30x30", "round", (30.0, 30.0)),
    "oval": ("landscape", "round", (88.9, 63.5)),
    "tile": ("50x43.3", "hexagon", (50.0, 43.3)),
    "hive": ("43.3x50", "hexagon", (43.3, 50.0)),
    "tag": ("mini", "tag.svg", (44.45, 63.5)),
    "wedge": ("40x30", WEDGE, (40.0, 30.0)),
    "spike": ("30x40", WEDGE, (30.0, 40.0)),
    "flag": ("88.9x63.5", "M 0 0 H 88.9 L 60 31.75 L 88.9 63.5 H 0 Z", (88.9, 63.5)),
    "pennant": ("63.5x88.9", "M 0 0 H 60 L 63.5 31.75 L 60 88.9 H 0 Z", (63.5, 88.9)),
}
FILES = {
    "poker": "", "landscape": "", "coin": "-30x30-round", "oval": "-poker-round", "tile": "-50x43.3-hexagon",
    "hive": "-50x43.3-hexagon", "tag": "-mini-cut", "wedge": "-40x30-cut", "spike": "-30x40-cut", "flag": "-poker-cut", "pennant": "-cut",
}  # fmt: skip
BEHIND_OTHERS = {"landscape": COPIES, "hive": COPIES}  # cards that share their sheets with some before them
TAG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="M0 30 L50 0 L100 30 V100 H20 Z"/></svg>'

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in mm."""

Renderer = Callable[[Path, int, Box], Box]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the set `every`, its sheets, its cuts and its PNGs."""
    folder = tmp_path_factory.mktemp("shapes")
    files = {"set.yaml": "name: Every\n", "tag.svg": TAG, "game.yaml": "name: Every\nkinds:\n", "cards.yaml": ""}
    for kind, (size, cut, (width, height)) in KINDS.items():
        files["game.yaml"] += f"  {kind}: {{size: {size}, back: {kind}-back{f', cut: {cut}' if cut else ''}}}\n"
        files["cards.yaml"] += f"- {{name: {kind}, kind: {kind}, copies: {COPIES}}}\n"
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f'<rect x="-9" y="-9" width="200" height="200" fill="#ffffff"/>'
            f'<rect x="{width / 2 - LEFT}" y="{height / 2 - UP}" width="4" height="4" fill="#ff0000"/></svg>'
        )
        files |= {f"templates/{kind}.svg": drawn, f"templates/{kind}-back.svg": drawn}
    write_files(folder / "every", files)
    every = str(folder / "every")
    assert "nothing to report" in ran("check", every)
    ran("pdf", every, "--out", str(folder / "all.pdf"), "--gutter", str(GUTTER), "--paper", "a4")
    ran("cut", every, "--out", str(folder / "all.dxf"), "--gutter", str(GUTTER), "--paper", "a4")
    ran("png", every, "--out", str(folder / "pngs"), "--dpi", "508")
    return folder


def file_of(kind: str, ending: str) -> str:
    return f"all{FILES.get(kind, f'-{kind}')}.{ending}"


def cuts(folder: Path, kind: str) -> list[NDArray[np.float64]]:
    """Return points along each cut of a sheet, as a program for DXF reads them, row by row."""
    drawing = ezdxf.readfile(folder / file_of(kind, "dxf")).modelspace()
    paths = (make_path(entity) for entity in drawing if entity.dxf.layer == "CUT")
    points = (np.array([(point.x, 297 - point.y) for point in path.flattening(0.005, 16)]) for path in paths)
    return sorted(points, key=lambda each: (round(float(each[:, 1].min()), 2), float(each[:, 0].min())))


def slots(folder: Path, kind: str) -> list[Box]:
    return [(*each.min(axis=0), *each.max(axis=0)) for each in cuts(folder, kind)]


def edges(shown: Image.Image) -> Box:
    """Return where what is red begins and ends, in pixels and shares of them."""
    pixels = np.asarray(shown.convert("RGB"), float)
    red = np.clip((pixels[..., 0] - pixels[..., 1]) / 255, 0, 1)
    (left, right), (top, bottom) = (_ends(red.max(axis=axis)) for axis in (0, 1))
    return left, top, right, bottom


def _ends(shares: NDArray[np.float64]) -> tuple[float, float]:
    (at,) = np.nonzero(shares > 0.02)
    return at[0] + 1 - shares[at[0]], at[-1] + shares[at[-1]]


def by_pdfium(file: Path, page: int, around: Box) -> Box:
    """Return the edges of what is red in a part of a page, in mm of the paper."""
    left, top, right, bottom = (round(mm * DPI / 25.4) for mm in around)
    shown = pypdfium2.PdfDocument(file)[page]
    width, height = (side * DPI / 72 for side in shown.get_size())
    crop = tuple(px * 72 / DPI for px in (left, height - bottom, width - right, top))
    found = edges(shown.render(scale=DPI / 72, crop=crop).to_pil())
    return tuple((edge + (left, top)[number % 2]) * 25.4 / DPI for number, edge in enumerate(found))  # type: ignore[return-value]


def by_poppler(file: Path, page: int, around: Box) -> Box:
    left, top, right, bottom = (round(mm * DPI / 25.4) for mm in around)
    part = ("-x", left, "-y", top, "-W", right - left, "-H", bottom - top)
    pages = ("-r", DPI, "-f", page + 1, "-l", page + 1, "-singlefile", "-png")
    subprocess.run(["pdftoppm", *map(str, (*pages, *part)), file, file.with_suffix("")], check=True)
    with Image.open(file.with_suffix(".png")) as shown:
        found = edges(shown)
    return tuple((edge + (left, top)[number % 2]) * 25.4 / DPI for number, edge in enumerate(found))  # type: ignore[return-value]


def mark_in(box: Box, kind: str, *, is_back: bool) -> Box:
    """Return where the mark of a card should be, if the card lies in a box of a page; in one that is turned, turned with it."""
    width, height = KINDS[kind][2]
    x, y = width / 2 - LEFT, height / 2 - UP
    if abs(box[2] - box[0] - width) > NEAR:  # a front clockwise, a back the other way round
        x, y = (y, width - x - MARK) if is_back else (height - y - MARK, x)
    return box[0] + x, box[1] + y, box[0] + x + MARK, box[1] + y + MARK


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind][1] != WEDGE])  # whose edges it does not reach
def test_cuts_have_the_size_of_the_cards_in_the_middle_of_the_paper(made: Path, kind: str) -> None:
    boxes, (width, height) = slots(made, kind), KINDS[kind][2]
    sizes = {(round(box[2] - box[0], 2), round(box[3] - box[1], 2)) for box in boxes}
    assert sizes in ({(width, height)}, {(height, width)})
    (wide, high), lefts, tops = sizes.pop(), {round(box[0], 2) for box in boxes}, {round(box[1], 2) for box in boxes}
    assert len(boxes) == len(lefts) * len(tops)
    for starts, side, paper in ((lefts, wide, 210), (tops, high, 297)):
        used = len(starts) * (side + GUTTER) - GUTTER
        assert sorted(starts) == pytest.approx(
            [(paper - used) / 2 + n * (side + GUTTER) for n in range(len(starts))], abs=0.011
        )


@pytest.mark.parametrize("renderer", [by_pdfium, by_poppler])
@pytest.mark.parametrize("kind", KINDS)
def test_cards_lie_where_they_are_cut_on_both_sides_to_a_twentieth_of_a_millimetre(
    made: Path, kind: str, renderer: Renderer
) -> None:
    if renderer is by_poppler and shutil.which("pdftoppm") is None:
        pytest.skip("needs poppler's pdftoppm")
    at = BEHIND_OTHERS.get(kind, 0) + COPIES - 1
    front = slots(made, kind)[at]
    behind = 210 - front[2], front[1], 210 - front[0], front[3]  # turned over on the long edge
    for page, box in enumerate((front, behind)):
        due = mark_in(box, kind, is_back=page > 0)
        around = due[0] - 3, due[1] - 3, due[2] + 3, due[3] + 3
        assert renderer(made / file_of(kind, "pdf"), page, around) == pytest.approx(due, abs=NEAR)


@pytest.mark.parametrize(
    "options", [(), ("--flip", "short-edge", "--bleed", "2"), ("--backs", "separate", "--cut-line")]
)
def test_all_sheets_are_proved(made: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    ran("pdf", str(made / "every"), "--out", str(tmp_path / "all.pdf"), "--gutter", "3", *options)
    files = sorted(map(str, tmp_path.glob("*.pdf")))
    assert "all right" in ran("verify", *files, "--set", str(made / "every"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_png_has_the_size_of_the_card_and_its_mark_in_place(made: Path, kind: str) -> None:
    width, height = KINDS[kind][2]
    with Image.open(made / "pngs" / f"{kind}.png") as picture:
        assert picture.size == (round(width * 20), round(height * 20))
        found = tuple(edge / 20 for edge in edges(picture))
    assert found == pytest.approx((width / 2 - 7, height / 2 - 5, width / 2 - 3, height / 2 - 1), abs=NEAR)


# As the shops say, or people who order there (`render/shops/shops.yaml`), at 300 dpi with their bleed.
PRODUCTS = {
    "makeplayingcards": {
        "poker": (822, 1122), "landscape": (822, 1122), "bridge": (747, 1122), "tarot": (897, 1497), "domino": (597, 1122),
    },
    "the-game-crafter": {
        "poker": (825, 1125), "landscape": (825, 1125), "bridge": (750, 1125), "tarot": (900, 1500), "mini": (600, 825),
        "square": (825, 825), "jumbo": (1125, 1725), "domino": (600, 1125),
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shop", PRODUCTS)
def test_shops_get_pictures_of_their_sizes_and_other_cards_are_refused(
    made: Path, tmp_path: Path, shop: str, kind: str
) -> None:
    result = kotc("shop", shop, made / "every", "--card", kind, "--out", tmp_path / "order")
    due = PRODUCTS[shop].get(kind)
    if due is None:
        width, height = KINDS[kind][2]
        said = "is known to cut rectangles, and no tokens of" if KINDS[kind][1] else "and not"
        assert f"{said} {width:g} x {height:g} mm [F024]" in result.output
        assert (result.exit_code, [*tmp_path.iterdir()]) == (1, [])
        return
    assert result.exit_code == 0, result.output
    (front,), (back,) = tmp_path.rglob("fronts/*.png"), tmp_path.rglob("backs/*.png")
    slot = -due[0] * 25.4 / 600, -due[1] * 25.4 / 600  # from the middle, which is that of the card
    size = KINDS[kind][2] if kind != "landscape" else KINDS[kind][2][::-1]
    for file, is_back in ((front, False), (back, True)):
        with Image.open(file) as picture:
            assert picture.size == due
            found = [edge * 25.4 / 300 + slot[number % 2] for number, edge in enumerate(edges(picture))]
        card = -size[0] / 2, -size[1] / 2, size[0] / 2, size[1] / 2
        assert found == pytest.approx(mark_in(card, kind, is_back=is_back), abs=NEAR)


def test_a_virtual_table_has_a_pile_for_each_size_and_shape(made: Path, tmp_path: Path) -> None:
    ran("table", str(made / "every"), "--for", "tabletop-simulator", "--out", str(tmp_path))
    saved = json.loads(next(tmp_path.glob("[!.]*.json")).read_text(encoding="utf-8"))
    piles = {pile["ContainedObjects"][0]["Nickname"]: pile for pile in saved["ObjectStates"]}
    assert [*piles] == [kind for kind in KINDS if kind not in BEHIND_OTHERS]
    shapes = {"coin": 4, "oval": 4, "tile": 3, "tag": 1, "wedge": 1, "spike": 1, "flag": 1, "pennant": 1}
    for kind, pile in piles.items():
        (deck,) = pile["CustomDeck"].values()
        assert deck["Type"] == shapes.get(kind, 0)
        with Image.open(tmp_path / Path(deck["FaceURL"]).name) as grid:
            cell = grid.width / deck["NumWidth"], grid.height / deck["NumHeight"]
            assert grid.mode == ("RGBA" if kind in shapes else "RGB")
        width, height = KINDS["hive" if kind == "tile" else kind][2]  # these stand, where others of their pile do
        assert cell[0] / cell[1] == pytest.approx(width / height, rel=0.01)
