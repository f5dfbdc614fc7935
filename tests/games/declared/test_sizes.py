"""Kinds of card with a size of their own: cards that lie, and smaller ones, from PNG to the virtual table."""

import csv
import json
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from tests.games.declared.isles import face, ran
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

DPI = 1016  # 0.025 mm a pixel


NAME = '<text id="name" x="10" y="20" width="30" font-size="5" min-size="2">{{ card.name }}</text>'
FILES = {
    "game.yaml": """
        name: Isles
        kinds:
          hero: {}
          place: {size: landscape}
          coin: {size: mini, back: coin-back}
          road: {size: 88.9x63.5, faces: [road, road-far]}
        """,
    "set.yaml": "name: Isles\noutputs: [png, sheets, gallery, the-game-crafter]\n",
    "cards.yaml": """
        - {name: Warden, kind: hero, copies: 2}
        - {name: Harbor, kind: place, copies: 3}
        - {name: Three, kind: coin, copies: 5}
        - {kind: road, faces: [{name: Path}, {name: Track}]}
        """,
    "templates/hero.svg": face(63.5, 88.9, NAME),
    "templates/place.svg": face(88.9, 63.5, NAME),
    "templates/coin.svg": face(44.45, 63.5, NAME),
    "templates/road.svg": face(88.9, 63.5, NAME.replace("card.name", "card.face.name")),
    "templates/road-far.svg": face(88.9, 63.5, NAME.replace("card.name", "card.face.name")),
    "templates/back.svg": face(63.5, 88.9),
    "templates/coin-back.svg": face(44.45, 63.5),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a set with cards of three shapes, in which commands run."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "isles", FILES)
    return tmp_path


def red(file: str, page: int, slot: tuple[float, float, float, float]) -> tuple[float, ...]:
    """Return the edges of what is red in a box of a page, in mm from the top left of the page."""
    left, top, width, height = slot
    shown = pypdfium2.PdfDocument(file)[page]
    across, down = (side * 25.4 / 72 for side in shown.get_size())
    crop = tuple(mm * 72 / 25.4 for mm in (left, down - top - height, across - left - width, top))
    image = shown.render(scale=DPI / 72, crop=crop).to_pil().convert("RGB")
    red, green, _ = image.split()
    box = ImageChops.subtract(red, green).point(lambda value: 255 * (value > 128)).getbbox()
    assert box
    return tuple(round(edge * 25.4 / DPI + (left, top)[index % 2], 3) for index, edge in enumerate(box))


def slot(column: int, row: int) -> tuple[float, float, float, float]:
    """Return the box of one of nine slots of poker size in the middle of A4."""
    return 9.75 + 63.5 * column, 15.15 + 88.9 * row, 63.5, 88.9


def test_pngs_are_upright_and_have_the_size_of_their_kind() -> None:
    ran("png", "isles", "--out", "pngs", "--dpi", "254")
    sizes = {path.stem: Image.open(path).size for path in Path("pngs").iterdir()}
    assert sizes == {
        "warden": (635, 889), "harbor": (889, 635), "three": (445, 635),
        "path-track": (889, 635), "path-track.back": (889, 635),
    }  # fmt: skip


def test_cards_that_lie_are_turned_on_the_sheets_of_those_that_stand() -> None:
    ran("pdf", "isles", "--out", "all.pdf")
    x, y, width, _ = slot(0, 0)
    assert red("all.pdf", 0, slot(0, 0)) == pytest.approx((x + 3, y + 5, x + 7, y + 9), abs=0.05)
    # The third slot: turned clockwise, what is 3 mm right of and 5 mm below the corner is 3 mm down and 5 mm to the left.
    x, y, width, _ = slot(2, 0)
    assert red("all.pdf", 0, slot(2, 0)) == pytest.approx((x + width - 9, y + 3, x + width - 5, y + 7), abs=0.05)


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
def test_the_back_of_a_card_that_lies_is_upright_once_the_card_is_turned_over_as_one_reads_it(flip: str) -> None:
    ran("pdf", "isles", "--out", "all.pdf", "--flip", flip)
    x, y, width, height = slot(2, 1)  # the sixth card, whose back is its own
    front = red("all.pdf", 0, (x, y, width, height))
    assert front == pytest.approx((x + width - 9, y + 3, x + width - 5, y + 7), abs=0.05)
    # Read upright, the card turns over about its upright line, which lies level in the slot.
    behind = (210 - x - width, y) if flip == "long-edge" else (x, 297 - y - height)
    back = red("all.pdf", 1, (*behind, width, height))
    # Seen through the sheet, the mark of the back is that of the front, mirrored at that line.
    seen = (
        (210 - back[2], back[1], 210 - back[0], back[3])
        if flip == "long-edge"
        else (back[0], 297 - back[3], back[2], 297 - back[1])
    )
    assert seen == pytest.approx((front[0], 2 * y + height - front[3], front[2], 2 * y + height - front[1]), abs=0.05)


@pytest.mark.parametrize(
    "options", [(), ("--flip", "short-edge", "--bleed", "2"), ("--backs", "fold"), ("--backs", "separate")]
)
def test_each_size_has_its_sheets_which_verify_finds_right(options: tuple[str, ...]) -> None:
    ran("pdf", "isles", "--out", "all.pdf", *options)
    files = sorted(map(str, Path().glob("all*.pdf")))
    assert [file for file in files if "mini" in file]
    assert ran("verify", *files, "--set", "isles").count("all right") == 1


def test_verify_finds_a_face_that_is_turned_the_wrong_way_round() -> None:
    ran("pdf", "isles", "--out", "all.pdf", "--kind", "place")
    with pikepdf.open("all.pdf", allow_overwriting_input=True) as pdf:
        page = pdf.pages[0]
        content = page.Contents.read_bytes()
        turned, count = re.subn(
            rb"0 1 -1 0 ([\d.]+) ([\d.]+) cm",
            lambda match: b"0 -1 1 0 %.4f %.4f cm" % (float(match[1]) - 63.5, float(match[2]) + 88.9),
            content,
        )
        assert count == 3
        page.Contents.write(turned)
        pdf.save("all.pdf")
    assert "turned by a quarter the wrong way round" in kotc("verify", "all.pdf", "--set", "isles").output


def test_a_build_makes_all_and_then_nothing() -> None:
    assert "5 PNGs, 2 sheets, files for the-game-crafter and a gallery" in ran("build", "isles")
    assert "0 written" in ran("build", "isles")
    made = {path.name for path in Path("out/isles").iterdir()}
    assert {"sheets.pdf", "sheets-mini.pdf", "the-game-crafter", "the-game-crafter-mini"} <= made
    page = Path("out/isles/gallery.html").read_text(encoding="utf-8")
    assert page.count('width="88.9" height="63.5"') == 2
    assert page.count('width="44.45" height="63.5"') == 2  # and that of their back
    assert page.count('<li class="card back">') == 2  # cards that lie have the back of those that stand
    assert {Image.open(path).mode for path in Path("out/isles").glob("**/*.png")} == {"RGB"}


def test_another_size_of_a_kind_makes_its_pngs_anew() -> None:
    ran("build", "isles")
    file = Path("isles/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("size: mini", "size: poker"), encoding="utf-8")
    assert "three.png: trim size changed" in ran("build", "isles", "--explain")
    with Image.open("out/isles/png/three.png") as drawn, Image.open("out/isles/png/warden.png") as other:
        assert drawn.size == other.size


def test_a_shop_gets_pictures_of_its_size_and_an_order_for_each() -> None:
    ran("shop", "the-game-crafter", "isles")
    for name, size, cards in (("the-game-crafter", (825, 1125), 3), ("the-game-crafter-mini", (600, 825), 1)):
        order = Path("out/isles", name)
        assert {Image.open(path).size for path in order.glob("*/*.png")} == {size}
        with (order / "order.csv").open(encoding="utf-8", newline="") as lines:
            assert len([*csv.DictReader(lines)]) == cards
        assert "all right" in ran("verify", str(order), "--set", "isles")
    ran("shop", "pdf-x4", "isles")
    assert "all right" in ran(
        "verify", "out/isles/pdf-x4/cards.pdf", "out/isles/pdf-x4-mini/cards.pdf", "--set", "isles"
    )


def test_a_shop_that_has_no_such_cards_is_told_of() -> None:
    result = kotc("shop", "makeplayingcards", "isles")
    assert result.exit_code == 1
    assert "and not 44.45 x 63.5 mm [F024]" in result.output
    assert "or leave them out with --where \"kind != 'coin'\"" in result.output
    assert not Path("out/isles/makeplayingcards").exists()


def test_a_table_has_a_pile_for_each_size_and_knows_which_cards_lie() -> None:
    ran("table", "isles", "--for", "tabletop-simulator")
    saved = json.loads(Path("out/isles/tabletop-simulator/isles.json").read_text(encoding="utf-8"))
    cards, coins = (pile["ContainedObjects"] for pile in saved["ObjectStates"])
    assert {card["Nickname"]: card["SidewaysCard"] for card in cards} == {
        "Warden": False, "Harbor": True, "Path // Track": True,
    }  # fmt: skip
    assert len(coins) == 5
    assert coins[0]["Transform"]["scaleX"] == pytest.approx(63.5 / 88.9)


def test_cuts_are_written_for_each_size() -> None:
    ran("cut", "isles", "--gutter", "2")
    contours = {path.name: path.read_text().count("<path") for path in Path("out/isles").glob("cuts*.svg")}
    assert contours == {"cuts.svg": 9, "cuts-mini.svg": 16}


def test_wide_cards_stand_on_their_sheets_where_that_holds_more() -> None:
    assert "9 on a sheet" in ran("pdf", "isles", "--kind", "place", "--card-size", "88.9x63.5", "--out", "wide.pdf")
    assert "6 on a sheet" in ran(
        "pdf", "isles", "--kind", "place", "--card-size", "88.9x63.5", "--grid", "2x3", "--out", "wide.pdf"
    )


def test_a_size_that_is_none_is_told_of_at_its_place() -> None:
    file = Path("isles/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("size: mini", "size: tiny"), encoding="utf-8")
    result = kotc("check", "isles")
    assert result.exit_code == 1
    assert "isles/game.yaml:6:24: error: expected `landscape`, `portrait`, `poker`" in result.output
    file.write_text(file.read_text(encoding="utf-8").replace("size: tiny", "size: minni"), encoding="utf-8")
    assert "hint: did you mean `mini`?" in kotc("check", "isles").output


def test_a_size_for_which_the_paper_is_too_small_stops_sheets_alone() -> None:
    file = Path("isles/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("size: mini", "size: 250x300"), encoding="utf-8")
    assert kotc("pdf", "isles").exit_code == 2
    result = kotc("build", "isles")
    assert result.exit_code == 1
    assert "no card of 250 x 300 mm fits a paper of 210 x 297 mm" in result.output
    ran("png", "isles")
