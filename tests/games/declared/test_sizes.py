"""Kinds of card with a size of their own: cards that lie, and smaller ones, from PNG to the virtual table."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from render.game.declared.game import DeclaredGame
from render.game.sets.named_games import game_in_folder
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

DPI = 1016  # 0.025 mm a pixel


def face(width: float, height: float, words: str = "") -> str:
    """Return a template with a red square, 4 mm a side, whose corner lies 3 mm right of and 5 mm below its own."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect x="-5" y="-5" width="200" height="200" fill="#ffffff"/>'
        f'<rect x="3" y="5" width="4" height="4" fill="#ff0000"/>{words}</svg>'
    )


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


def ran(*command: str) -> str:
    result = kotc(*command)
    assert result.exit_code == 0, result.output
    return result.output


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
    assert page.count('style="aspect-ratio: 88.9 / 63.5"') == 2
    assert page.count('style="aspect-ratio: 44.45 / 63.5"') == 1


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


# --- tokens ---

TOKENS = """
name: Isles
kinds:
  coin: {size: 30x30, back: plain, cut: round}
  hex: {size: 50x43.3, back: plain, cut: hexagon}
  tag: {size: mini, back: plain, cut: tag.svg}
"""
TAG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="M0 30 L50 0 L100 30 V100 H20 Z"/></svg>'


@pytest.fixture
def tokens(folder: Path) -> Path:
    """A set of tokens of three shapes, the last of which has no axis."""
    files = {"game.yaml": TOKENS, "set.yaml": "name: Isles\n", "tag.svg": TAG, "templates/plain.svg": face(63.5, 88.9)}
    files["cards.yaml"] = "".join(f"- {{name: {kind}, kind: {kind}, copies: 3}}\n" for kind in ("coin", "hex", "tag"))
    for kind, width, height in (("coin", 30, 30), ("hex", 50, 43.3), ("tag", 44.45, 63.5)):
        files[f"templates/{kind}.svg"] = face(width, height)
    write_files(folder / "tokens", files)
    return folder


@pytest.mark.usefixtures("tokens")
@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
def test_tokens_have_sheets_of_their_own_with_cut_lines_along_their_outline(flip: str) -> None:
    ran("pdf", "tokens", "--out", "all.pdf", "--cut-line", "--gutter", "4", "--flip", flip)
    files = ["all-30x30-round.pdf", "all-50x43.3-hexagon.pdf", "all-mini-cut.pdf"]
    assert sorted(path.name for path in Path().glob("all*.pdf")) == files
    assert ran("verify", *files, "--set", "tokens").count("all right") == 1


@pytest.mark.usefixtures("tokens")
def test_the_cut_of_a_token_is_mirrored_on_the_back_as_scissors_meet_it() -> None:
    ran("pdf", "tokens", "--out", "all.pdf", "--cut-line", "--gutter", "4", "--kind", "tag")
    front, back = (
        np.asarray(pypdfium2.PdfDocument("all-mini-cut.pdf")[page].render(scale=150 / 72).to_pil().convert("RGB"), int)
        for page in (0, 1)
    )
    lines = [(abs(page - [255, 0, 255]).sum(axis=2) < 200) for page in (front, back)]
    assert lines[0].sum() > 1000
    mirrored = lines[1][:, ::-1]
    assert (lines[0] & mirrored).sum() > 0.9 * lines[0].sum()


@pytest.mark.usefixtures("tokens")
def test_a_cutter_follows_the_outline_in_mm() -> None:
    ran("cut", "tokens", "--gutter", "2")
    tag = Path("out/tokens/cuts-mini-cut.svg").read_text()
    first = next(line for line in tag.splitlines() if "<path" in line)
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", first.split('d="')[1])]
    x, y = numbers[0::2], numbers[1::2]
    assert (max(x) - min(x), max(y) - min(y)) == pytest.approx((44.45, 63.5), abs=0.001)
    ran("cut", "tokens", "--gutter", "2", "--format", "dxf")
    drawing = Path("out/tokens/cuts-30x30-round.dxf").read_text()
    assert drawing.count("POLYLINE") == Path("out/tokens/cuts-30x30-round.svg").read_text().count("<path")


@pytest.mark.usefixtures("tokens")
def test_a_table_knows_the_shape_of_tokens() -> None:
    ran("table", "tokens", "--for", "tabletop-simulator")
    saved = json.loads(Path("out/tokens/tabletop-simulator/tokens.json").read_text(encoding="utf-8"))
    assert [next(iter(pile["CustomDeck"].values()))["Type"] for pile in saved["ObjectStates"]] == [4, 3, 0]


@pytest.mark.parametrize(
    "drawing",
    [
        '<path transform="translate(10 0)" d="M0 0 H40 V100 Z"/>',
        '<g opacity="0.5"><polygon points="10,0 50,0 50,100" fill="none" stroke="#f00"/></g>',
        '<!-- <path d="M0 0 H9 V9 Z"/> --><defs><path id="a" d="M0 0 H40 V100 Z"/></defs><use href="#a" x="10"/>',
    ],
)
def test_a_cut_is_the_first_shape_of_its_drawing_wherever_that_puts_it(tokens: Path, drawing: str) -> None:
    (tokens / "tokens/tag.svg").write_text(TAG[: TAG.index("<path")] + drawing + "</svg>", encoding="utf-8")
    game, findings = game_in_folder(tokens / "tokens")
    assert isinstance(game, DeclaredGame)
    assert (game.rules.kinds_by_name["tag"].cut, findings) == ("M 4.445 0 L 22.225 0 L 22.225 63.5 Z", ())


def test_another_cut_makes_its_sheets_anew(tokens: Path) -> None:
    (tokens / "tokens/set.yaml").write_text("name: Isles\noutputs: [sheets]\n", encoding="utf-8")
    ran("build", "tokens")
    (tokens / "tokens/tag.svg").write_text(TAG.replace("H20", "H30"), encoding="utf-8")
    assert "1 written" in ran("build", "tokens")
    ran("verify", *map(str, Path("out/tokens").glob("*.pdf")), "--set", "tokens")


def test_a_cut_is_read_from_no_file_out_of_the_folder_of_the_game(tokens: Path) -> None:
    (tokens / "tokens/tag.svg").rename(tokens / "tag.svg")
    (tokens / "tokens/tag.svg").symlink_to(tokens / "tag.svg")
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    assert "tokens/game.yaml:6:39: error: the drawing `tag.svg`" in result.output


@pytest.mark.usefixtures("tokens")
@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ("M 0 0 H 40", "a cut is a closed path"),
        ("M 0 0 H 400 V 9 Z", "the path reaches from 0, 0 to 400, 9, and the card is 30 x 30 mm"),
        ("other.svg", "there is no drawing `other.svg` in `tokens`"),
        ("../tag.svg", "the drawing `../tag.svg`"),
        ("empty.svg", "`empty.svg`: the file draws no shape"),
        ("wide.svg", "the path reaches from 0, 0 to 60, 30, and the card is 30 x 30 mm"),
        ("star", "write `round`, `hexagon`, `cut.svg` or a path"),
    ],
)
def test_a_cut_that_is_none_is_told_of_at_its_place(cut: str, said: str) -> None:
    Path("tag.svg").write_text(TAG, encoding="utf-8")
    start = TAG[: TAG.index("<path")]
    Path("tokens/empty.svg").write_text(f"{start}</svg>", encoding="utf-8")
    Path("tokens/wide.svg").write_text(f'{start}<rect width="200" height="100"/></svg>', encoding="utf-8")
    file = Path("tokens/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("cut: round", f'cut: "{cut}"'), encoding="utf-8")
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    assert result.output.startswith("tokens/game.yaml:4:")
    assert said in result.output


@pytest.mark.usefixtures("tokens")
@pytest.mark.parametrize("size", ["", "size: landscape, ", "size: tiny, "])
def test_a_path_is_that_of_cards_of_one_size(size: str) -> None:
    file = Path("tokens/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("size: mini, ", size), encoding="utf-8")
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    said = "expected `landscape`" if "tiny" in size else "a path is that of a card of one `size`, such as `size: 30x30`"
    assert result.output.count("error:") == 1
    assert said in result.output
