"""Fonts, sizes and places of words in GIMP files: the credit keeps its font, and what no key holds is told."""

from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

import render
from render.base.resources import FONTS
from render.game.faces import lay_out_valid
from render.games.kotc.model.cards import CREDIT_FONTS
from render.scene.items import TextRun, walk
from render.text import fonts
from tests.support.sets import kotc
from tests.support.xcf_files import Array, MadeLayer, card_layers, said, xcf

pytestmark = pytest.mark.usefixtures("in_empty_folder")

WIDTH, HEIGHT = 400, 560  # px: a card on which a credit of 17 px has room
CREDIT = "Card design by anonymous author, CC0."


def file_of(layers: Iterable[MadeLayer]) -> None:
    """Write a creature of that size; layers of card_layers() are made for one of 100 x 140."""
    templates = ("Creature Template", "Spell Template")
    sized = (replace(each, size=(WIDTH, HEIGHT)) if each.name in templates else each for each in layers)
    Path("card.xcf").write_bytes(xcf(sized, (WIDTH, HEIGHT)))


def told() -> str:
    result = kotc("import", "card.xcf", "--to", "cards")
    assert result.exit_code == 0, result.output
    return result.stderr


def font_of_card() -> str:
    """Return the font that the card file gives its credit; "" if it gives none."""
    lines = Path("cards/old-wolf.yaml").read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("credit_font")), "")


def drawn(file: Path, words: str) -> Array:
    """Return words as an editor of pictures draws them at 17 px: the width of every letter is rounded to pixels.

    It is rounded by the instructions of the font; one without them has its widths as they are.
    """
    font = ImageFont.truetype(str(file), 17, layout_engine=ImageFont.Layout.BASIC)
    with TTFont(file) as opened:
        wide = None if "fpgm" in opened else opened["hmtx"].metrics
        glyphs, em = opened.getBestCmap(), opened["head"].unitsPerEm
        widths = [wide[glyphs[ord(letter)]][0] * 17 / em if wide else font.getlength(letter, "1") for letter in words]
    alpha = Image.new("L", (WIDTH, 30))
    for letter, x in zip(words, accumulate(map(round, widths), initial=2), strict=False):
        ImageDraw.Draw(alpha).text((x, 4), letter, font=font, fill=255)
    shown = np.zeros((30, WIDTH, 4), np.uint8)
    shown[:, :, 3] = np.asarray(alpha)
    return shown


def credit(file: Path, named: str = "Sans", words: str = CREDIT) -> MadeLayer:
    text = said(words, 16.66).replace("DejaVu Sans Condensed", named)
    return MadeLayer(name="Card License", text=text, pixels=drawn(file, words))


@pytest.mark.parametrize("font", CREDIT_FONTS)
def test_the_font_of_a_credit_is_that_in_which_its_pixels_are_drawn(font: str) -> None:
    file_of(card_layers(credit=credit(FONTS / fonts.FILES[CREDIT_FONTS[font]])))
    told()
    assert font_of_card() == font


def test_a_credit_in_a_font_that_is_not_known_says_so() -> None:
    file_of(card_layers(credit=credit(FONTS / "DejaVuSansCondensed-Bold.ttf", "Noto Sans")))
    assert "the font of the credit, `Noto Sans`, is left out: it looks like none of `DejaVu Sans`," in told()
    assert font_of_card() == ""


def test_words_in_which_two_fonts_are_as_wide_count_as_what_the_layer_names() -> None:
    for named, wanted in (("Sans", ""), ("Droid Sans", "Droid Sans")):
        file_of(card_layers(credit=credit(FONTS / "DroidSans-Latin.ttf", named, "by anno")))
        assert "font of the credit" not in told()
        assert font_of_card() == wanted


@pytest.mark.parametrize("font", ["Droid Sans", "Roboto"])
def test_a_credit_is_drawn_in_its_font(font: str) -> None:
    file_of(card_layers(credit=credit(FONTS / fonts.FILES[CREDIT_FONTS[font]])))
    told()
    (faces,) = lay_out_valid(render.load_sets("cards")[0])
    runs = [item for item in walk(faces.front.items) if isinstance(item, TextRun) and "anonymous" in item.words]
    assert {run.face for run in runs} == {CREDIT_FONTS[font]}


def test_fonts_sizes_and_places_that_no_key_holds_are_told() -> None:
    layers = card_layers(
        name=MadeLayer(name="Name", text=said("Old Wolf", 26.7).replace("DejaVu Sans Condensed", "Comic Neue Bold")),
        cost=MadeLayer(name="Cost", text=said("5", 32)),
        text=MadeLayer(name="Effect Text", text=said("HOWL: Draw 1 card.", 13.6), size=(78, 29), at=(44, 267)),
    )
    file_of(layers)
    found = told()
    assert "the font of the layer `Name`, `Comic Neue Bold`, is left out: kotc sets it in DejaVu Sans [X023]" in found
    assert "the size of the layer `Cost`, 14.4 pt, is left out: kotc sets 18 pt [X023]" in found
    where = "stands at 110, 668 and is 195 wide, not at 110, 780 and 780"
    assert f"the layer `Effect Text` {where}: kotc draws it where the authors' template has it [X023]" in found


def test_a_size_that_all_letters_have_by_markup_is_that_of_the_text() -> None:
    """GIMP writes sizes in 1024ths of a point, spacing in 1024ths of a pixel: 400 dpi, and 1 px is 0.45 pt here."""
    marked = '<markup><span size="4096"><span letter_spacing="-1024" rise="-5000">Old</span></span> <span \
letter_spacing="-1024"><span size="4096">Wolf</span></span></markup>'
    file_of(card_layers(name=MadeLayer(name="Name", text=said(marked, 26.7, markup=True)), credit=None))
    assert "layer `Name`" not in told()
    assert "name: Old Wolf\nname_size: 10\nname_spacing: -0.45\n" in Path("cards/old-wolf.yaml").read_text("utf-8")


def test_a_size_that_some_letters_have_is_told() -> None:
    marked = '<markup>Old <span size="4096" rise="-5000">Wolf</span></markup>'
    file_of(card_layers(name=MadeLayer(name="Name", text=said(marked, 26.7, markup=True))))
    found = told()
    assert all(f"`{what}` of words of the name is left out [X023]" in found for what in ("size", "rise"))


def test_how_a_text_is_set_is_told_where_it_is_not_as_usual() -> None:
    flavor = said("Howls.", 8.8) + "(justify left)\n(indent 3.0)\n(line-spacing -4.0)\n(letter-spacing 1.0)\n"
    red = "(color-rgb 1.0 0.0 0.0)"
    file_of(
        card_layers(
            flavor=MadeLayer(name="Flavor Text", text=flavor),
            name=MadeLayer(name="Name", text=said("Old Wolf", 26.7, color=red)),
            text=MadeLayer(
                name="Effect Text", text=said("HOWL: Draw 1 card.", 13.6) + "(line-spacing 0.5)\n(justify fill)"
            ),
        )
    )
    found = told()
    of_flavor = ("alignment `left`", "indent", "line spacing", "letter spacing")
    assert all(f"the {what} of the layer `Flavor Text` is left out [X023]" in found for what in of_flavor)
    assert "the color `#ff0000` of the layer `Name` is left out [X023]" in found
    assert "`Effect Text`" not in found


def test_what_a_card_must_say_and_no_layer_says_is_told() -> None:
    hidden = MadeLayer(name="Offense", text=said("3", 40), visible=False)
    file_of(card_layers(cost=None, offense=hidden))
    found = told()
    assert "no visible text layer says the cost of the creature [X021]" in found
    assert "no visible text layer says the offense of the creature [X021]" in found


def test_text_layers_that_nobody_named_are_known_by_their_places() -> None:
    """GIMP calls them by their words. A place is that of the template, on a card of 400 of its 1000 pixels."""
    texts = {
        "name": MadeLayer(name="Old Wolf", text=said("Old Wolf", 26.7), at=(32, 32), size=(336, 32)),
        "text": MadeLayer(name="HOWL: Draw", text=said("HOWL: Draw 1 card.", 13.6), at=(44, 312), size=(312, 116)),
        "offense": MadeLayer(name="3", text=said("3", 40), at=(28, 448), size=(64, 64)),
    }
    file_of(card_layers(**texts))
    assert "by its place, `Old Wolf`, `HOWL: Draw` and `3` became text of the card [X032]" in told()
    card = Path("cards/old-wolf.yaml").read_text("utf-8")
    assert all(line in card for line in ("name: Old Wolf\n", "offense: 3\n", "HOWL: Draw 1 card.\n"))


def test_ends_of_lines_within_a_name_are_spaces() -> None:
    file_of(card_layers(name=MadeLayer(name="Name", text=said("Old\u2028Wolf\n", 26.7))))
    told()
    assert "name: Old Wolf\n" in Path("cards/old-wolf.yaml").read_text("utf-8")
