"""Cards of every size: pixels, sheets, and what becomes of templates that are drawn for another size."""

from pathlib import Path

import numpy as np
import pytest

from render.base.geometry import Size
from render.base.sizes import CARDS
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.scene.items import Group
from tests.support import ink, rasters
from tests.support.messages import assert_says
from tests.support.sets import kotc, write_set
from tests.support.templates import place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = "{name: Note, kind: tip, text: Draw 1 card.}\n"
SIZES = {**{name: (name, size) for name, size in CARDS.items()}, "70.5x100mm": ("70.5x100mm", Size(70.5, 100.0))}
EVERY_SIZE = pytest.mark.parametrize(("name", "size"), SIZES.values(), ids=SIZES)

ODD = {"bridge", "tarot", "mini", "square", "jumbo", "domino"}  # whose shape is another than that of our templates


def on_size(size: str, more: str = "") -> str:
    return f"name: Test\nedition: 17\nsheet: {{card_size: {size}{more}}}\n"


# --- pixels and millimetres -----------------------------------------------------------------------------------------


@EVERY_SIZE
@pytest.mark.parametrize("bleed", [0, 3])
def test_a_png_has_the_pixels_of_its_size_rounded_once(name: str, size: Size, bleed: int) -> None:
    write_set(Path("s"), CARD)
    assert kotc("png", "s", "--out", ".", "--card-size", name, "--bleed", str(bleed), "--dpi", "150").exit_code == 0
    wanted = [round((mm + 2 * bleed) * 150 / 25.4) for mm in (size.height, size.width)]
    assert rasters.png(Path("note.png").read_bytes()).shape == (*wanted, 3)


def test_a_set_may_have_a_size_of_its_own_and_the_command_line_another() -> None:
    write_set(Path("s"), CARD, on_size("mini"))
    kotc("png", "s", "--out", ".")
    assert rasters.png(Path("note.png").read_bytes()).shape == (750, 525, 3)
    kotc("png", "s", "--out", ".", "--card-size", "square")
    assert rasters.png(Path("note.png").read_bytes()).shape == (750, 750, 3)


@EVERY_SIZE
def test_cards_on_a_sheet_are_as_large_as_asked(name: str, size: Size) -> None:
    place(write_set(Path("s"), CARD), {"tip.svg": svg('<rect width="63.5" height="88.9" fill="#203040"/>')})
    root = f'xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{size.height}"'
    place(Path("s"), {"tip.svg": svg(f'<rect width="{size.width}" height="{size.height}" fill="#203040"/>', root)})
    asked = ["--card-size", name, "--grid", "1x1", "--crop-marks", "off", "--no-ruler", "--no-slug"]
    assert kotc("pdf", "s", "--out", "a.pdf", *asked).exit_code == 0
    inked = rasters.extent(ink.gray(Path("a.pdf").read_bytes()) < 128)
    found = [inked.right - inked.left + 1, inked.bottom - inked.top + 1]
    assert found == pytest.approx([size.width * 600 / 25.4, size.height * 600 / 25.4], abs=1)


# --- templates of another size --------------------------------------------------------------------------------------


@EVERY_SIZE
def test_our_templates_are_scaled_evenly_into_the_middle(name: str, size: Size) -> None:
    write_set(Path("s"), CARD)
    kotc("png", "s", "--out", ".", "--card-size", name, "--dpi", "300")
    frame = rasters.extent(rasters.darkest(rasters.png(Path("note.png").read_bytes())) < 200)
    scale = min(size.width / 63.5, size.height / 88.9)
    across, down = (size.width - 57.407 * scale) / 2, (size.height - 82.807 * scale) / 2  # the line about the frame
    wanted = [mm * 300 / 25.4 for mm in (down, size.height - down, across, size.width - across)]
    assert [frame.top, frame.bottom + 1, frame.left, frame.right + 1] == pytest.approx(wanted, abs=1)


@EVERY_SIZE
def test_only_a_template_of_another_shape_is_doubtful(name: str, size: Size) -> None:
    more = "".join(f"- {{name: Note {number}, kind: tip, text: A.}}\n" for number in range(9))
    write_set(Path("s"), more, on_size(name))
    said = kotc("check", "s")
    assert said.exit_code == 0
    assert said.stdout.count("[T008]") == (2 if name in ODD else 0), said.stdout  # front and back
    assert size.width > 0


def test_what_is_said_of_a_template_of_another_shape() -> None:
    place(write_set(Path("s"), CARD, on_size("tarot")), {"tip.svg": svg(""), "back.svg": svg("", TAROT)})
    assert_says(
        kotc("check", "s").stdout.rstrip("\n"),
        "s/templates/tip.svg:1:1 T008 warning: template `tip`: `<svg>` is 63.5 x 88.9 mm, and is scaled to 110% on a card of 69.85 x 120.65 mm",
    )


TAROT = 'xmlns="http://www.w3.org/2000/svg" width="69.85" height="120.65"'


def test_a_template_of_the_cards_size_is_used_as_it_is() -> None:
    content = '<rect x="-3" y="-3" width="75.85" height="126.65" fill="#203040"/>'
    place(write_set(Path("s"), CARD, on_size("tarot")), {"tip.svg": svg(content, TAROT)})
    (front,) = (faces.front for faces in lay_out_set(load_sets([Path("s")])[0]).faces)
    assert front.size == CARDS["tarot"]
    assert len(front.items) == 1
    assert not isinstance(front.items[0], Group)


def test_a_scaled_card_is_the_same_picture_only_larger() -> None:
    write_set(Path("s"), "{name: Note, kind: pawn, text: Draw 1 card., level: 3}")
    kotc("png", "s", "--out", "poker", "--dpi", "300")
    kotc("png", "s", "--out", "double", "--dpi", "150", "--card-size", "127x177.8")
    one, other = (rasters.png(Path(folder, "note.png").read_bytes()) for folder in ("poker", "double"))
    assert one.shape == other.shape
    assert np.abs(one - other).mean() <= 0.05


# --- what is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["png", "pdf"])
@pytest.mark.parametrize("size", ["pokr", "63", "0x88", "63x9", "63x2001", "x", "63px x 88px"])
def test_a_size_that_is_none_is_wrong_usage(command: str, size: str) -> None:
    write_set(Path("s"), CARD)
    said = kotc(command, "s", "--card-size", size)
    assert said.exit_code == 2
    assert f"found `{size}`" in said.stderr.replace("\n", " ") or "expected a length" in said.stderr
