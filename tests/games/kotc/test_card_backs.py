"""Backs of cards, kinds and sets, cards without one, and the pages and files that come of them."""

import io
from pathlib import Path

import pikepdf
import pytest

from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from tests.support import rasters
from tests.support.messages import assert_says, said_of_card, said_of_set
from tests.support.sets import kotc, write_set
from tests.support.templates import place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

MINION = "{name: Minion, kind: minion, level: 2, sp: 1, hp: 1}"
SPELL = "{name: Spell, kind: spell, level: 2, text: Draw 1 card.}"
TIP = "{name: Tip, kind: tip, text: Draw.}"
ALL = f"- {MINION}\n- {SPELL}\n- {TIP}\n"
RED, BLUE = (0xC0, 0x30, 0x30), (0x30, 0x50, 0xC0)
BLANK = "--crop-marks off --no-slug --no-ruler".split()


def with_backs(back: str, cards: str = ALL) -> Path:
    """Write a set whose backs may be `red` and `blue`."""
    folder = write_set(Path("s"), cards, f"name: Test\nedition: 17\nback: {back}\n")
    colors = {"red.svg": RED, "blue.svg": BLUE}
    return place(folder, {
        name: svg(f'<rect x="-5" y="-5" width="73.5" height="98.9" fill="#{bytes(color).hex()}"/>')
        for name, color in colors.items()
    })  # fmt: skip


def backs_of(back: str, cards: str = ALL) -> list[str]:
    (card_set,) = load_sets([with_backs(back, cards)])
    return [card.back for card in card_set.cards]


# --- whose back -----------------------------------------------------------------------------------------------------


OWN = f"- {MINION[:-1]}, back: none}}\n- {SPELL[:-1]}, back: blue}}\n- {TIP}\n"


@pytest.mark.parametrize(
    ("back", "cards", "backs"),
    [
        ("red", ALL, ["red", "red", "red"]),
        ("{minion: red, tip: none}", ALL, ["red", "back", "none"]),  # a kind without one has the built-in one
        ("{minion: red, tip: none}", OWN, ["none", "blue", "none"]),  # a card has the last word
    ],
)
def test_whose_back_a_card_has(back: str, cards: str, backs: list[str]) -> None:
    assert backs_of(back, cards) == backs


def test_a_card_without_a_back_has_no_scene_for_it() -> None:
    (card_set,) = load_sets([with_backs("{minion: red, spell: red, tip: none}")])
    minion, spell, tip = lay_out_set(card_set).faces
    assert minion.back is spell.back is not None
    assert tip.back is None


# --- what is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("back", "wanted"),
    [
        ("{minon: back}", ["s/set.yaml:3:8 S002 unknown key `minon` (did you mean `minion`?)"]),
        (
            "[back, none]",
            ["s/set.yaml:3:7 S005 expected a back, or a back for each kind, found a list, `[back, none]`"],
        ),
        (
            "\n  minion: [back]\n  spell:\n  tip: ../tip.png",
            [
                "s/set.yaml:4:11 S005 expected a back, found a list, `[back]` (write one value behind `minion:`)",
                "s/set.yaml:5:3 S009 `back.spell` is empty (write a back)",
                "s/set.yaml:6:8 S018 `../tip.png` lies outside the set's folder",
            ],
        ),
    ],
)
def test_backs_of_a_set_that_cannot_be(back: str, wanted: list[str]) -> None:
    assert_says(said_of_set({"set.yaml": f"name: Test\nedition: 17\nback: {back}\n", "card.yaml": TIP}), *wanted)


def test_a_card_has_no_backs_by_kind() -> None:
    assert_says(
        said_of_card("name: Tip\nkind: tip\ntext: Draw.\nback: {tip: none}\n"),
        "4:7 C005 expected a back, found keys and values, `{tip: none}` (write one value behind `back:`)",
    )


def test_a_back_of_a_kind_that_is_not_there_is_reported_where_it_is_named() -> None:
    write_set(Path("s"), ALL, "name: Test\nedition: 17\nback: {minion: back, tip: bakc, spell: no.png}\n")
    assert_says(
        kotc("check", "s").stdout.rstrip("\n"),
        "s/set.yaml:3:27 T001 there is no template `bakc` (did you mean `back`?)",
        "s/set.yaml:3:40 A001 no picture `no.png` (there is no picture at all in the folder of the set)",
    )


# --- sheets ---------------------------------------------------------------------------------------------------------


def pages(file: str) -> list[rasters.Pixels]:
    data = Path(file).read_bytes()
    with pikepdf.open(io.BytesIO(data)) as opened:
        count = len(opened.pages)
    return [rasters.page(data, number, 72) for number in range(count)]


def is_white(page: rasters.Pixels) -> bool:
    return bool((page == 255).all())


def middle(page: rasters.Pixels, column: int) -> tuple[int, ...]:
    """Return the color in the middle of a card of the first row of an A4 sheet of 3 x 3."""
    x, y = (9.75 + (column + 0.5) * 63.5, 15.15 + 44.45)
    return tuple(int(value) for value in page[round(y * 72 / 25.4), round(x * 72 / 25.4)])


def duplex(file: str) -> str:
    with pikepdf.open(file) as opened:
        return str(opened.Root.ViewerPreferences.Duplex)


def test_the_slot_of_a_card_without_a_back_stays_empty() -> None:
    with_backs("{minion: red, spell: none, tip: blue}")
    assert kotc("pdf", "s", "--out", "a.pdf", *BLANK).exit_code == 0
    _, back = pages("a.pdf")
    assert [middle(back, column) for column in (2, 1, 0)] == [RED, (255, 255, 255), BLUE]


def test_a_sheet_without_backs_has_a_blank_page_so_that_pages_stay_paired() -> None:
    copies = f"- {TIP[:-1]}, copies: 9}}\n- {MINION[:-1]}, copies: 9}}\n"
    with_backs("{minion: red, tip: none}", copies)
    kotc("pdf", "s", "--out", "a.pdf")
    fronts, blank, fronts_too, backs = pages("a.pdf")
    assert is_white(blank), "not even marks"
    assert not any(map(is_white, (fronts, fronts_too, backs)))
    assert middle(backs, 1) == RED


@pytest.mark.parametrize(
    ("asked", "files", "flip"),
    [
        (["--backs", "duplex"], {"a.pdf": 2}, "/DuplexFlipLongEdge"),
        (["--backs", "duplex", "--flip", "short-edge"], {"a.pdf": 2}, "/DuplexFlipShortEdge"),
        (["--backs", "none"], {"a.pdf": 1}, "/Simplex"),
        (["--backs", "fold"], {"a.pdf": 1}, "/Simplex"),
        (["--backs", "separate"], {"a-fronts.pdf": 1, "a-backs.pdf": 1}, "/Simplex"),
    ],
    ids=lambda value: "-".join(value).strip("-") if isinstance(value, list) else "",
)
@pytest.mark.parametrize("back", ["red", "{minion: red, tip: none}", "none"], ids=["all", "some", "no"])
def test_every_way_of_printing_backs(asked: list[str], files: dict[str, int], flip: str, back: str) -> None:
    with_backs(back)
    assert kotc("pdf", "s", "--out", "a.pdf", *asked).exit_code == 0
    assert {file.name: len(pages(file.name)) for file in Path().glob("*.pdf")} == files
    assert {duplex(file) for file in files} == {flip}


def test_a_build_is_stale_when_a_card_loses_its_back() -> None:
    with_backs("red")
    assert "(4 written, 0 unchanged)" in kotc("build", "s").stderr
    with_backs("{minion: red, spell: red, tip: none}")
    assert "(1 written, 3 unchanged)" in kotc("build", "s").stderr


def test_a_folded_sheet_has_the_backs_that_there_are_beside_their_fronts() -> None:
    with_backs("{minion: red, spell: none, tip: none}")
    kotc("pdf", "s", "--out", "a.pdf", "--backs", "fold", *BLANK)
    (page,) = pages("a.pdf")
    red = rasters.extent((page == RED).all(axis=2))
    assert [red.right - red.left, red.bottom - red.top] == pytest.approx([63.5 * 72 / 25.4, 88.9 * 72 / 25.4], abs=2)


def test_a_deck_prints_cards_without_backs() -> None:
    ants = "- {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}\n- {name: Bee, kind: minion, level: 2, sp: 2, hp: 0}\n"
    with_backs("none", ants)
    Path("deck.yaml").write_text("{name: D, edition: 17, sets: [s], cards: {ant: 20, bee: 20}}", encoding="utf-8")
    assert kotc("deck", "deck.yaml", "--pdf", "a.pdf").exit_code == 0
    assert [is_white(side) for side in pages("a.pdf")] == [False, True] * 5
