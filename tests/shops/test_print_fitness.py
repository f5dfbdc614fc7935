"""What can be printed and cut: small type, thin lines, what stands near the trim; before a shop's files are made."""

from pathlib import Path

import pytest
from PIL import Image

from render.base.geometry import Rect
from render.base.sizes import POKER
from render.scene.items import Outline
from render.shops.print_fitness import Fitness, PrintDoubt, PrintedPiece, What, find_doubts, line_pieces, strip
from render.shops.profiles import PictureShop, Product, for_cards, shops
from tests.support.sets import kotc, write_set

ASKED = Fitness(safe=3.175, dpi=300, bleed=3.175)
TEMPLATE = """<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9" viewBox="0 0 63.5 88.9"
 font-family="DejaVu Sans" fill="#000000">
<rect x="-5" y="-5" width="73.5" height="98.9" fill="#ffffff"/>{drawn}</svg>"""


def found(*drawn: PrintedPiece) -> list[PrintDoubt]:
    return [each.doubt for each in find_doubts(drawn, POKER, ASKED)]


def text(x: float, y: float, size: float = 8.0, inks: int = 1, light: float | None = 0.0) -> PrintedPiece:
    return PrintedPiece(what=What.TEXT, box=Rect(x, y, 10, 2), measure=size, inks=inks, light=light)


def line(x: float, y: float, width: float, height: float, thick: float = 0.2) -> PrintedPiece:
    return PrintedPiece(
        what=What.LINE, box=Rect(x, y, width, height), measure=thick, straight=width == 0 or height == 0
    )


@pytest.mark.parametrize(
    ("drawn", "doubts"),
    [
        (text(20, 20), []),
        (text(3.2, 20), []),
        (text(2, 20), [PrintDoubt.NEAR_TEXT]),
        (text(-2, 20), [PrintDoubt.CUT_TEXT]),
        (text(58, 20), [PrintDoubt.CUT_TEXT]),
        (text(-12, 20), []),  # beyond the trim: it is cut away as a whole
        (text(20, 20, 3.9), [PrintDoubt.SMALL]),
        (text(20, 20, 4.0), []),
        (text(20, 20, 4.5, inks=2), [PrintDoubt.COLORED]),
        (text(20, 20, 5.0, inks=4), []),
        (line(10, 20, 0, 30, thick=0.09), [PrintDoubt.THIN]),
        (line(10, 20, 0, 30, thick=0.0), [PrintDoubt.THIN]),
        (line(1.5, 3, 0, 80), [PrintDoubt.NEAR_LINE]),
        (line(-1, 3, 0, 80), [PrintDoubt.CUT_LINE]),
        (line(0, 3, 0, 80), [PrintDoubt.CUT_LINE]),
        (line(3.188, 3.188, 0, 82.5), []),  # the frame of the official card
        (line(1.5, 3, 0, 80, thick=3), []),  # a band
        (line(-3.175, -3.175, 0, 95), []),  # the edge of the ground itself
        (line(-3.2, 20, 70, 30), []),  # across the whole card, from bleed to bleed
        (line(-2, 20, 30, 10), [PrintDoubt.CUT_LINE]),
        (line(1, 20, 5, 10), [PrintDoubt.NEAR_LINE]),
        (PrintedPiece(what=What.PICTURE, box=Rect(0, 0, 60, 60), measure=299.0), []),
        (PrintedPiece(what=What.PICTURE, box=Rect(0, 0, 60, 60), measure=200.0), [PrintDoubt.COARSE]),
        (PrintedPiece(what=What.GROUND, box=Rect(-3, -3, 70, 95)), []),
    ],
)
def test_each_doubt_of_a_shop_is_found(drawn: PrintedPiece, doubts: list[PrintDoubt]) -> None:
    assert found(drawn) == doubts


def test_light_type_is_reversed_on_what_is_darker_and_nowhere_else() -> None:
    dark, bright = (PrintedPiece(what=What.GROUND, box=Rect(0, 0, 60, 80), light=light) for light in (0.1, 1.0))
    picture = PrintedPiece(what=What.PICTURE, box=Rect(0, 0, 60, 80), measure=300.0)
    white = text(20, 20, 4.5, light=1.0)
    assert found(dark, white) == [PrintDoubt.REVERSED]
    assert found(picture, white) == [PrintDoubt.REVERSED]
    assert found(dark, bright, white) == []
    assert found(white) == []
    assert found(dark, text(20, 20, 4.5, light=0.0)) == []


def test_a_thin_filled_rectangle_is_a_line_and_a_thick_one_is_none() -> None:
    like = PrintedPiece(what=What.GROUND, box=Rect(0, 0, 1, 1))
    thin = Outline((1, 1), ((41, 1), (41, 1.05), (1, 1.05)), closed=True)
    thick = Outline((1, 1), ((41, 1), (41, 9), (1, 9)), closed=True)
    made = strip(thin, like)
    assert made is not None
    assert (made.what, round(made.measure, 3), made.straight) == (What.LINE, 0.05, True)
    assert strip(thick, like) is None


def test_each_side_of_a_frame_is_a_line_of_its_own() -> None:
    frame = Outline((1, 1), ((9, 1), (9, 5), (1, 5)), closed=True)
    made = list(line_pieces([frame], PrintedPiece(what=What.LINE, box=Rect(0, 0, 0, 0), measure=0.3)))
    assert [(each.box.width, each.box.height) for each in made] == [(8, 0), (0, 4), (8, 0), (0, 4)]


# --- shops ----------------------------------------------------------------------------------------------------------


def a_set(folder: Path, drawn: str = "", more: str = "") -> Path:
    cards = "- {name: One, kind: tip, text: Draw a card., back: none, copies: 2}"
    made = write_set(folder / "mine", cards, f"name: mine\nedition: 17\n{more}\n")
    if drawn:
        (made / "tip.svg").write_text(TEMPLATE.format(drawn=drawn), encoding="utf-8")
    return made


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (
            '<text x="20" y="20" font-size="1.06" width="30">tiny</text>',
            "warning: the front of `one`: type of 3 pt, and 4 pt can be read: `tiny` [F070]\n  hint: set it larger",
        ),
        (
            '<rect x="5" y="5" width="40" height="20" fill="#000000"/>'
            '<text x="20" y="20" font-size="1.6" width="30" fill="#ffffff">pale</text>',
            "warning: the front of `one`: light type of 4.5 pt on dark, and 5 pt can be read: `pale` [F070]",
        ),
        (
            '<text x="20" y="20" font-size="1.6" width="30" fill="#cc3311">red</text>',
            "warning: the front of `one`: type of 4.5 pt in several inks, and 5 pt can be read: `red` [F070]",
        ),
        (
            '<line x1="10" y1="20" x2="50" y2="20" stroke="#000000" stroke-width="0.05"/>',
            "warning: the front of `one`: a line of 0.05 mm, and 0.1 mm can be printed [F070]\n  hint: draw it thicker",
        ),
        (
            '<text x="1" y="20" font-size="4" width="30">near</text>',
            "mm from the trim, and 3.17 mm are safe: `near` [F070]\n  hint: a cut that is a little off takes it away",
        ),
        (
            '<rect x="1" y="1" width="61.5" height="86.9" fill="none" stroke="#000000" stroke-width="0.5"/>',
            "warning: the front of `one`: a line stands 1.00 mm from the trim, and 3.17 mm are safe [F070]",
        ),
    ],
)
def test_what_is_doubtful_about_a_card_is_said_and_the_files_are_made(tmp_path: Path, drawn: str, said: str) -> None:
    result = kotc("shop", "drivethrucards", a_set(tmp_path, drawn), "--out", tmp_path / "out")
    assert said in result.output
    assert result.exit_code == 0
    assert (tmp_path / "out/cards.pdf").exists()


def test_a_coarse_picture_is_said(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", "- {name: One, kind: tip, text: A., back: b.png}")
    Image.new("RGB", (400, 560), "teal").save(folder / "b.png")
    said = kotc("shop", "makeplayingcards", folder, "--out", tmp_path / "out").output
    assert "the back of `one`: a picture of 160 dpi, and the shop asks for 300 dpi [F070]" in said


@pytest.mark.parametrize("shop", ["drivethrucards", "makeplayingcards"])
def test_text_that_the_trim_cuts_off_is_refused_before_anything_is_written(tmp_path: Path, shop: str) -> None:
    folder = a_set(tmp_path, '<text x="60" y="20" font-size="4" width="30">over</text>')
    result = kotc("shop", shop, folder, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "error: the front of `one`: text is cut off," in result.output
    assert "mm beyond the trim: `over` [F070]\n  hint: move it inside, or leave it out" in result.output
    assert not (tmp_path / "out").exists()


def test_the_frames_and_the_back_of_the_game_give_no_warning_except_for_small_credits(tmp_path: Path) -> None:
    cards = (
        '- {name: A, kind: minion, level: 9, sp: 1, hp: 0, text: "GO: Draw 1 card."}\n'
        "- {name: C, kind: tip, text: A.}\n"
        "- {name: B, kind: spell, level: 2, text: Draw 1 card.}\n- {name: D, kind: pawn, sp: 1, hp: 2, text: A.}"
    )
    folder = write_set(tmp_path / "mine", cards)
    said = kotc("shop", "drivethrucards", folder, "--out", tmp_path / "out").output
    codes = {word for word in said.replace("[", " ").replace("]", " ").split() if word[0] == "F" and word[1:].isdigit()}
    assert codes <= {"F070"}


# --- products -------------------------------------------------------------------------------------------------------

SIZES = [(shop, product) for shop in shops().values() for product in shop.products]


@pytest.mark.parametrize(("shop", "product"), SIZES, ids=[f"{one.name} {other.name}" for one, other in SIZES])
def test_a_product_is_chosen_by_the_size_of_the_cards(shop: object, product: Product) -> None:
    chosen = for_cards(shop, product.card)  # type: ignore[arg-type]
    assert chosen.card == product.card
    if isinstance(chosen, PictureShop):
        width, height = (pixels / chosen.dpi * 25.4 for pixels in chosen.pixels)
        assert (width - product.card.width) / 2 == pytest.approx(chosen.bleed)
        assert (height - product.card.height) / 2 == pytest.approx(chosen.bleed)
        assert chosen.bleed in (pytest.approx(3.048), pytest.approx(3.175))


def test_the_size_of_a_set_is_honoured(tmp_path: Path) -> None:
    folder = a_set(tmp_path, more="sheet: {card_size: tarot}")
    said = kotc("shop", "makeplayingcards", folder, "--out", tmp_path / "out").output
    assert "1 card for MakePlayingCards, tarot size in" in said
    with Image.open(tmp_path / "out/fronts/one.png") as image:
        assert image.size == (897, 1497)
    assert kotc("preflight", tmp_path / "out/fronts/one.png", "--as", "makeplayingcards").exit_code == 0


def test_the_size_of_a_set_is_never_replaced_without_a_word(tmp_path: Path) -> None:
    folder = a_set(tmp_path, more="sheet: {card_size: 63x88}\noutputs: [drivethrucards]")
    message = "DriveThruCards prints poker (63.5 x 88.9 mm), and not 63 x 88 mm"
    for asked, code in (
        (("check", folder), "S007"),
        (("shop", "drivethrucards", folder, "--out", tmp_path / "out"), ""),
    ):
        result = kotc(*asked)
        assert (result.exit_code, f"{message} [{code}" in result.output) == (1, True)
    assert not (tmp_path / "out").exists()


def test_cards_of_two_sizes_are_two_jobs(tmp_path: Path) -> None:
    one, other = a_set(tmp_path / "a"), a_set(tmp_path / "b", more="sheet: {card_size: tarot}")
    (other / "cards.yaml").write_text("- {name: Two, kind: tip, text: A., back: none}")
    result = kotc("shop", "pdf-x4", one, other, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    made = [tmp_path / folder / "cards.pdf" for folder in ("out", "out-tarot")]
    assert kotc("verify", *made, "--set", one, "--set", other).output.count("all right") == 1
