"""Tuck boxes and dividers as users get them: a PDF as PDFium shows it, and the cutter's files beside it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from render.scene import outlines
from tests.exports.test_cut_files import around, dxf_document, ends, near, polylines, svg_paths
from tests.games.declared.lanterns import write_files
from tests.support import rasters
from tests.support.sets import kotc

DPI = 300
PX = DPI / 25.4


def face(color: str, width: float = 63.5, height: float = 88.9) -> str:
    rect = f'<rect x="-5" y="-5" width="{width + 10}" height="{height + 10}" fill="{color}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{rect}</svg>'


FILES = {
    "game.yaml": "name: Isles\nkinds: {hero: {}, place: {size: landscape}, coin: {size: mini, back: small}}\n",
    "set.yaml": "name: Isles\n",
    "cards.yaml": """
        - {name: Warden, kind: hero, copies: 20}
        - {name: Harbor, kind: place, copies: 30}
        - {name: Penny, kind: coin, copies: 5}
        """,
    "templates/hero.svg": face("#ff0000"),
    "templates/place.svg": face("#00ff00", 88.9, 63.5),
    "templates/coin.svg": face("#ffff00", 44.45, 63.5),
    "templates/back.svg": face("#0000ff"),
    "templates/small.svg": face("#00ffff", 44.45, 63.5),
    "templates/cover.svg": face("#ff00ff"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a set with cards of three shapes, in which commands run."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "isles", FILES)
    return tmp_path


def ran(*command: object) -> str:
    result = kotc(*command)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*command: object) -> str:
    before = sorted(Path.cwd().rglob("*"))
    result = kotc(*command)
    assert result.exit_code == 2, result.output
    assert sorted(Path.cwd().rglob("*")) == before
    return result.output


def page(file: str, number: int = 0) -> rasters.Pixels:
    return rasters.page(Path(file).read_bytes(), number, DPI)


def color_at(picture: rasters.Pixels, x: float, y: float) -> str:
    red, green, blue = picture[round(y * PX), round(x * PX)]
    return f"#{red:02x}{green:02x}{blue:02x}"


def sizes(said: str) -> list[float]:
    """Return the inside of a box as the command says it."""
    words = said.split("inside ")[1].split(" mm")[0]
    return [float(word) for word in words.split(" x ")]


def along(picture: rasters.Pixels, start: tuple[float, float], end: tuple[float, float]) -> list[bool]:
    """Return where ink lies along a line, every tenth of a mm but near its ends: in the darkest of nine pixels."""
    length = np.hypot(end[0] - start[0], end[1] - start[1])
    found = []
    for share in np.linspace(0, 1, max(int(length * 10), 2))[1:-1]:
        column, row = (round((a + (b - a) * share) * PX) for a, b in zip(start, end, strict=True))
        found.append(bool(picture[row - 1 : row + 2, column - 1 : column + 2].min() < 128))
    return found


def contours(file: str) -> list[list[tuple[float, float]]]:
    """Return the corners of the closed cuts of an SVG file, with curves as short lines."""
    data = Path(file).read_text(encoding="ascii").split('<g id="CUT"')[1].split("</g>")[0]
    paths = [part.split('"')[0] for part in data.split(' d="')[1:]]
    return [[*outlines.chords(outline, 12)] for path in paths for outline in outlines.path(path)]


def cut_lines(file: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [line for points in contours(file) for line in pairwise([*points, points[0]])]


def fold_lines(file: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [(points[0], points[1]) for points in map(ends, svg_paths(Path(file).read_bytes(), "FOLD"))]


# --- boxes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", [[], ["--paper", "letter", "--orientation", "landscape"], ["--paper", "170x240"]])
def test_the_lines_of_a_box_are_the_same_on_paper_and_for_a_cutter(paper: list[str]) -> None:
    Path("isles/templates/back.svg").write_text(face("#ffffff"), encoding="utf-8")
    ran("box", "isles", "--kind", "hero", "--front", "none", "--out", "box.pdf", *paper)
    picture = page("box.pdf")
    for start, end in cut_lines("box-cuts.svg"):
        assert all(along(picture, start, end))
    folds = fold_lines("box-cuts.svg")
    assert len(folds) == 12
    for start, end in folds:
        dark = along(picture, start, end)
        assert 0.6 < sum(dark) / len(dark) < 0.95  # dashes, of which two thirds are black
    height = pypdfium2.PdfDocument("box.pdf")[0].get_height() / 72 * 25.4
    (in_dxf,) = polylines(Path("box-cuts.dxf").read_bytes(), 'POLYLINE[layer=="CUT"]')
    corners = [(x, height - y) for x, y, *_ in in_dxf.points()]
    assert near(around(corners), around(contours("box-cuts.svg")[0]))
    lines = dxf_document(Path("box-cuts.dxf").read_bytes()).modelspace().query('LINE[layer=="FOLD"]')
    in_svg = sorted((round(x, 2), round(y, 2)) for fold in folds for x, y in fold)
    ends_in_dxf = [point for line in lines for point in (line.dxf.start, line.dxf.end)]
    off = [
        abs(a - b)
        for one, other in zip(
            in_svg, sorted((round(x, 2), round(height - y, 2)) for x, y, _ in ends_in_dxf), strict=True
        )
        for a, b in zip(one, other, strict=True)
    ]
    assert max(off) < 0.05


def test_a_box_is_as_deep_as_the_copies_of_its_cards() -> None:
    assert sizes(ran("box", "isles", "--kind", "hero")) == [64.5, 89.9, 7]
    assert sizes(ran("box", "isles", "--kind", "hero", "--cards", 60)) == [64.5, 89.9, 19]
    assert sizes(ran("box", "isles", "--kind", "hero", "--thickness", 0.5)) == [64.5, 89.9, 11]
    assert sizes(ran("box", "isles", "--kind", "hero", "--gsm", 500)) == [64.5, 89.9, 11]
    assert sizes(ran("box", "isles", "--kind", "hero", "--sleeves", 0.1)) == [67.5, 92.9, 11]
    assert sizes(ran("box", "isles", "--kind", "hero", "--clearance", 2)) == [65.5, 90.9, 8]
    assert sizes(ran("box", "isles", "--kind", "hero", "--cards", 1)) == [64.5, 89.9, 6]


def test_the_panels_show_a_card_and_its_back_to_the_folds_and_beyond_cuts() -> None:
    ran("box", "isles", "--kind", "hero", "--out", "box.pdf")
    picture = page("box.pdf")
    upright = sorted(start for start, end in fold_lines("box-cuts.svg") if start[0] == end[0])
    (back, top), (left, _), (front, _), (right, _) = upright
    bottom = top + 89.9 + 0.9
    for x in (back + 1, (back + left) / 2, left - 1):
        assert [color_at(picture, x, y) for y in (top + 1, bottom - 1, bottom + 1.5)] == ["#0000ff"] * 3
    for x in (front + 1, front + 15, right - 1):
        assert [color_at(picture, x, y) for y in (top - 1.5, top + 1, bottom - 1)] == ["#ff0000"] * 3
    assert color_at(picture, left + 1, top + 5) == color_at(picture, right + 1, top + 5) == "#ffffff"
    text = pypdfium2.PdfDocument("box.pdf")[0].get_textpage().get_text_bounded()
    assert text.count("Isles") == 4  # both sides, the lid, the slug
    assert text.count("glue") == 2


@pytest.mark.parametrize(
    ("front", "color"),
    [
        ("warden", "#ff0000"),
        ("harbor", "#00ff00"),
        ("cover", "#ff00ff"),
        ("none", "#ffffff"),
        ("art/sky.png", "#808000"),
    ],
)
def test_the_front_is_a_card_a_template_a_picture_or_nothing(folder: Path, front: str, color: str) -> None:
    from PIL import Image

    (folder / "isles" / "art").mkdir()
    Image.new("RGB", (800, 1120), "#808000").save(folder / "isles" / "art" / "sky.png")
    ran("box", "isles", "--where", "kind != 'coin'", "--front", front, "--out", "box.pdf")
    folds = sorted(start for start, end in fold_lines("box-cuts.svg") if start[0] == end[0])
    for away in ((1, 1), (60, 80), (1, 85)):
        assert color_at(page("box.pdf"), folds[2][0] + away[0], folds[2][1] + away[1]) == color


def test_each_size_of_card_has_a_box_of_its_own() -> None:
    said = ran("box", "isles")
    assert "Isles: box for 50 cards in out/isles/box.pdf" in said
    assert "Isles: box for 5 cards in out/isles/box-mini.pdf" in said
    assert {path.name for path in Path("out/isles").iterdir()} == {
        f"box{size}{ending}" for size in ("", "-mini") for ending in (".pdf", "-cuts.svg", "-cuts.dxf")
    }


def test_a_deck_has_a_box_for_the_cards_of_the_deck() -> None:
    Path("deck.yaml").write_text(
        "name: Fleet\ngame: isles\nsets: isles\ncards: {warden: 4, harbor: 2}\n", encoding="utf-8"
    )
    assert "Fleet: box for 6 cards" in ran("box", "deck.yaml", "--out", "box.pdf")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--kind", "hero", "--cards", "300"],
            "Isles: box for 300 cards: one is 326 x 301.6 mm flat, and a paper of 210 x 297 mm with margins of 5 mm"
            " leaves 196 x 283 mm: --paper sra3 or super-b holds it",
        ),
        (["--kind", "hero", "--cards", "3000"], "no paper with a name does: give --paper WxH"),
        (["--cards", "60"], "the cards have several sizes: for --cards, choose those of one with --kind or --where"),
        (["--gsm", "300", "--thickness", "0.3"], "--gsm and --thickness say the same"),
        (["--front", "wardn"], "there is no card, template or picture `wardn`: did you mean `warden`?"),
        (["--front", "art/none.png"], "there is no card, template or picture `art/none.png`"),
        (["--thickness", "9"], "expected 0.05 to 5 mm, found `9`"),
        (["--kind", "hero", "--registration", "silhouette", "--paper", "180x145"], "registration marks need 10 mm"),
        (["--kind", "hero", "--out", "box.svg"], "sheets are a PDF"),
    ],
)
def test_a_box_that_cannot_be_made_is_wrong_usage_and_writes_nothing(options: list[str], said: str) -> None:
    assert said in refused("box", "isles", *options)


def test_registration_marks_are_printed_and_told_to_the_cutter() -> None:
    said = ran("box", "isles", "--kind", "hero", "--registration", "silhouette", "--paper", "a3", "--out", "box.pdf")
    assert "registration marks: type 1, length 20 mm, thickness 0.5 mm, inset 10 mm on each side" in said
    assert len(svg_paths(Path("box-cuts.svg").read_bytes(), "REGISTRATION")) == 3
    assert color_at(page("box.pdf"), 12, 12) == "#000000"


@pytest.mark.parametrize("command", ["box", "dividers"])
def test_the_same_pieces_give_the_same_bytes(command: str) -> None:
    made = []
    for name in ("one", "two"):
        ran(command, "isles", "--kind", "hero", "--out", f"{name}/{command}.pdf")
        made.append({path.name: path.read_bytes() for path in Path(name).iterdir()})
    assert made[0] == made[1]
    assert len(made[0]) == 3


# --- dividers -------------------------------------------------------------------------------------------------------


def words_of(file: str) -> str:
    document = pypdfium2.PdfDocument(file)
    return "\n".join(each.get_textpage().get_text_bounded() for each in document)


def test_dividers_have_the_names_of_the_kinds_and_how_many_cards_follow() -> None:
    said = ran("dividers", "isles")
    assert "Isles: 2 dividers of 63.5 x 96.9 mm in out/isles/dividers.pdf" in said
    assert "Isles: 1 divider of 44.45 x 71.5 mm in out/isles/dividers-mini.pdf" in said
    words = words_of("out/isles/dividers.pdf")
    assert [words.count(word) for word in ("Hero", "Place", "20 cards", "30 cards")] == [2, 2, 1, 1]


def test_one_divider_for_each_set_lies_with_the_others(folder: Path) -> None:
    write_files(folder / "shoals", {**FILES, "set.yaml": "name: Shoals\n"})
    ran("dividers", "isles", "shoals", "--by", "set", "--where", "kind != 'coin'")
    words = words_of("out/dividers.pdf")
    assert [words.count(word) for word in ("Isles", "Shoals", "50 cards")] == [3, 3, 2]


def test_tabs_take_their_places_in_turn_over_all_sheets() -> None:
    names = ["Draw", "Discard", "Draw", "Bag", "Bank", "Log", "Draw"]  # each has its divider, though names recur
    options = [word for name in names for word in ("--tab-name", name)]
    ran("dividers", "isles", "--kind", "hero", "--places", 3, *options, "--tab", 10, "--out", "d.pdf")
    assert len(pypdfium2.PdfDocument("d.pdf")) == 2
    starts = []
    for number, file in enumerate(("d-cuts.svg", "d-cuts-2.svg")):
        picture = page("d.pdf", number)
        for start, end in cut_lines(file):
            assert all(along(picture, start, end))
        for points in contours(file):
            box = around(points)
            top = [x for x, y in points if y - box.y < 0.001]
            starts.append(round((min(top) + max(top)) / 2 - box.x))
            assert (round(box.width, 3), round(box.height, 3)) == (63.5, 98.9)
    assert starts == [11, 32, 53, 11, 32, 53, 11]


def test_narrow_cards_have_fewer_places_for_tabs() -> None:
    write_files(Path("isles"), {"game.yaml": FILES["game.yaml"].replace("size: mini", "size: 30x30, cut: round")})
    assert "1 divider of 30 x 38 mm" in ran("dividers", "isles")
    assert "3 tabs on a card of 30 x 30 mm would be narrower than 12 mm" in refused("dividers", "isles", "--places", 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--places", "6"], "6 tabs on a card of 63.5 x 88.9 mm would be narrower than 12 mm"),
        (["--tab-name", "What the harbor master keeps in the long drawer"], "is too long for a tab 21.2 mm wide"),
        (["--tab-name", "\N{CJK UNIFIED IDEOGRAPH-9375}"], "no font for tabs has `\N{CJK UNIFIED IDEOGRAPH-9375}`"),
        (["--tab-name", " "], "a tab needs a name, and one is empty"),
        (["--paper", "100x90"], "1 divider of 63.5 x 96.9 mm: one is 63.5 x 96.9 mm flat, and a paper of 100 x 90 mm"),
    ],
)
def test_dividers_that_cannot_be_made_are_wrong_usage_and_write_nothing(options: list[str], said: str) -> None:
    assert said in refused("dividers", "isles", "--kind", "hero", *options)
