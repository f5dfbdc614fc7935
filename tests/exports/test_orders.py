"""Orders: what MPC Autofill and The Game Crafter are told gives every copy of every card its two sides."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from render.exports.orders import OrderLine, order_files
from render.shops.profiles import PictureShop, shops
from tests.support.rasters import png
from tests.support.sets import kotc, write_set

MOST = 612
ODD = ('Say "Hi" & <b>bye</b>', "Fire // Ice", "שלום", "🐉", "wolf", "WOLF", "bell\a", "a\nb")


def autofill() -> PictureShop:
    shop = shops()["mpc-autofill"]
    assert isinstance(shop, PictureShop)
    return shop


def filled_slots(data: bytes) -> list[tuple[str, str]]:
    """Return the pictures in each slot, as `desktop-tool/src/order.py` of MPC Autofill fills them."""
    root = etree.fromstring(data)
    count = int(root.findtext("details/quantity"))
    assert 0 < count <= MOST
    assert root.findtext("details/stock") in ("(S27) Smooth", "(S30) Standard Smooth", "(S33) Superior Smooth")
    assert root.findtext("details/foil") in ("true", "false")
    sides = []
    for tag in ("fronts", "backs"):
        taken: dict[int, str] = {}
        for card in root.find(tag):
            assert card.findtext("sourceType") == "Local File"
            assert card.findtext("name") == Path(card.findtext("id")).name
            for slot in map(int, card.findtext("slots").strip("][").replace(" ", "").split(",")):
                assert slot not in taken
                taken[slot] = card.findtext("id")
        assert set(taken) <= set(range(count))
        sides.append(taken)
    fronts, backs = sides
    assert len(fronts) == count, "no slot is without a front"
    return [(fronts[slot], backs.get(slot, root.findtext("cardback"))) for slot in range(count)]


@given(st.lists(st.tuples(st.integers(1, 700), st.sampled_from("abc")), min_size=1, max_size=12))
def test_every_copy_has_its_sides_in_orders_that_are_not_too_large(cards: Sequence[tuple[int, str]]) -> None:
    lines = [
        OrderLine(f"fronts/card-{number}.png", f"backs/{back}.png", copies, ODD[number % len(ODD)])
        for number, (copies, back) in enumerate(cards)
    ]
    table, *orders_made = order_files(lines, autofill())
    assert table[0] == "order.csv"
    files = dict(orders_made)
    copies = sum(line.copies for line in lines)
    orders = -(-copies // MOST)
    assert [*files] == (["order.xml"] if orders == 1 else [f"order-{number}.xml" for number in range(1, orders + 1)])
    slots = [slot for data in files.values() for slot in filled_slots(data)]
    assert slots == [(line.front, line.back) for line in lines for _ in range(line.copies)]


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cards = """
    - {name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 3}
    - {name: Two & More, kind: tip, text: A., back: none}
    - {name: Three, kind: tip, text: A., back: red.png, copies: 2}
    - {name: Four, kind: tip, text: A., copies: 0}
    """
    folder = write_set(tmp_path_factory.mktemp("sets") / "mine", cards)
    Image.new("RGB", (760, 1064), (200, 60, 60)).save(folder / "red.png")
    result = kotc("shop", "mpc-autofill", folder, "--out", folder / "out")
    assert result.exit_code == 0, result.output
    assert "put the program into the folder and run it there; it reads order.xml" in result.output
    return folder / "out"


def test_the_order_for_the_program_names_pictures_that_lie_beside_it(ordered: Path) -> None:
    slots = filled_slots((ordered / "order.xml").read_bytes())
    usual, red = "backs/back.png", "backs/red.png"
    one, two, three = (f"fronts/{name}.png" for name in ("one", "two-more", "three"))
    assert slots == [*[(one, usual)] * 3, (two, "backs/blank-.png"), *[(three, red)] * 2]
    for file in {file for slot in slots for file in slot}:
        with Image.open(ordered / file) as image:
            assert image.size == (822, 1122)
    assert (png((ordered / "backs/blank-.png").read_bytes()) == 255).all(), "a card without a back has a white one"


def test_a_second_order_leaves_no_part_of_the_first(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for copies, orders in (
        (700, ["order-1.xml", "order-2.xml"]),
        (7, ["order.xml"]),
        (700, ["order-1.xml", "order-2.xml"]),
    ):
        folder = write_set(tmp_path / "set", f"- {{name: One, kind: tip, text: A., copies: {copies}}}\n")
        out.mkdir(exist_ok=True)
        (out / "order-mine.xml").write_text("<mine/>")
        result = kotc("shop", "mpc-autofill", folder, "--out", out)
        assert result.exit_code == 0, result.output
        assert f"it reads {' and '.join(orders)}\n" in result.output
        assert sorted(file.name for file in out.glob("*.xml")) == sorted([*orders, "order-mine.xml"])


def test_an_order_of_somebody_else_stays_and_is_named(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "set", "- {name: One, kind: tip, text: A.}\n"), tmp_path / "out"
    assert kotc("shop", "mpc-autofill", folder, "--out", out).exit_code == 0
    ours = (out / "order.xml").rename(out / "order-2.xml").read_bytes()
    theirs = re.sub(b"<!--.*-->", b"", ours)
    (out / "order-1.xml").write_bytes(theirs)
    result = kotc("shop", "mpc-autofill", folder, "--out", out)
    assert result.exit_code == 0, result.output
    assert (
        "kotc did not make order-1.xml, and MPC Autofill would order it, too: move it out of the folder\n"
        in result.output
    )
    assert "order-2.xml" not in result.output
    assert {file.name: file.read_bytes() for file in out.glob("*.xml")} == {"order-1.xml": theirs, "order.xml": ours}


def test_an_order_for_the_program_proves_right(ordered: Path) -> None:
    result = kotc("verify", ordered, "--set", ordered.parent)
    assert (result.exit_code, "all right" in result.output) == (0, True), result.output


def test_the_page_of_an_order_tells_what_it_costs_by(ordered: Path) -> None:
    page = (ordered / "order.html").read_text(encoding="utf-8")
    facts = dict(re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td>', page))
    assert facts == {
        "shop": "MPC Autofill, for MakePlayingCards",
        "copies": "6 cards",
        "different cards": "3",
        "different backs": "2, and 1 card without a back",
        "size of a card": "63.5 x 88.9 mm: 6 cards",
        "of a picture": "822 x 1122 pixels, 300 dpi, with 3.048 mm of bleed",
        "orders": "1, of at most 612 cards each",
        "priced as": "18 cards: 12 more would cost the same",
        "printed at home": "1 sheet of 210 x 297 mm, 9 cards each",
    }
    assert "Two &amp; More" in page
    for file in re.findall(r'src="([^"]+)"', page):
        assert (ordered / file).is_file()
