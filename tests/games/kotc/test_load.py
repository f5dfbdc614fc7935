"""Sound sets: what their files become."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.findings import Refused
from render.base.geometry import Flip, Size
from render.game import ids
from render.game.cards import CardBacks, place_of_key, place_within
from render.games.kotc.model.cards import Art, ArtFit, Card, CardSet, Corner, Kind, ordinal
from render.games.kotc.model.edition import Grammar
from render.games.kotc.sets import load_sets, survey
from render.sheets.options import SheetOptions
from tests.support.messages import SET, write

pytestmark = pytest.mark.usefixtures("in_empty_folder")

PAWN = "name: Soldier\nkind: pawn\n"


def the_set(cards: str, set_yaml: str = SET) -> CardSet:
    [card_set] = load_sets([write(Path("s"), {"set.yaml": set_yaml, "cards.yaml": cards})])
    return card_set


def the_card(card: str, set_yaml: str = SET) -> Card:
    [card_value] = the_set(card, set_yaml).cards
    return card_value


def ids_of(*paths: str) -> list[list[str]]:
    return [[card.id for card in card_set.cards] for card_set in load_sets([Path(path) for path in paths])]


# --- cards ---


def test_a_card_with_everything() -> None:
    card = the_card("""
        id: storm
        name: Storm Hammer
        kind: minion
        edition: 16
        level: 9
        ultra_points: 2
        sp: 4
        hp: 6
        text: |
          HAMMER: Draw 1 card.
        flavor: It always comes back.
        art: {file: art/storm.jpg, author: A. Author, license: CC0, corner: bottom-right, color: black, fit: cover}
        credit: By me.
        back: red
        copies: 3
    """)
    assert card == Card(
        id="storm",
        name="Storm Hammer",
        kind=Kind.MINION,
        edition=16,
        era=16,
        grammar=Grammar(),
        level=9,
        ultra_points=2,
        sp=4,
        hp=6,
        text="HAMMER: Draw 1 card.",
        flavor="It always comes back.",
        art=Art(
            name="art/storm.jpg",
            file=Path("s/art/storm.jpg").resolve(),
            author="A. Author",
            license="CC0",
            corner=Corner.BOTTOM_RIGHT,
            color="black",
            fit=ArtFit.COVER,
        ),
        credit="By me.",
        back="red",
        copies=3,
        document=card.document,
        node=card.node,
    )


OLD_SET = "name: Old\nedition: 11\n"
DEFAULTS = {"id": "soldier", "ultra_points": 0, "text": "", "flavor": "", "credit": "", "art": None, "back": "back"}
MAMMON = "name: Mammon\nkind: creature\noffense: 1\ndefense: 2\ncost: 3\n"
DATED = "- {name: no, kind: pawn, flavor: 012, credit: 2024-01-01, text: 1:30}\n"


@pytest.mark.parametrize(
    ("card", "set_yaml", "values"),
    [
        (PAWN, SET, DEFAULTS | {"copies": 1, "level": None, "sp": None, "hp": None}),
        (PAWN, "name: S\nedition: 12\ncredit: By us.\nback: red\n", {"edition": 12, "credit": "By us.", "back": "red"}),
        (MAMMON, OLD_SET, {"sp": 1, "hp": 2, "level": 3}),
        (PAWN + "art: a.jpg\n", SET, {"art": Art(name="a.jpg", file=Path("a.jpg"))}),
        # What YAML calls a truth, a number or a time stays a word.
        (DATED, SET, {"name": "no", "flavor": "012", "credit": "2024-01-01", "text": "1:30"}),
        (PAWN + "flavor: Cafe\u0301\n", SET, {"flavor": "Café"}),
    ],
    ids=["defaults", "of the set", "old names", "picture", "words", "normalised"],
)
def test_what_the_keys_of_a_card_become(card: str, set_yaml: str, values: dict[str, object]) -> None:
    read = the_card(card, set_yaml)
    if read.art:
        assert read.art.file == Path("s", read.art.name).resolve()
        read = replace(read, art=replace(read.art, file=Path(read.art.name)))
    assert {key: getattr(read, key) for key in values} == values


def test_a_byte_order_mark_and_windows_line_ends_change_nothing() -> None:
    plain = the_card(PAWN + "text: |\n  A: Draw.\n  B: Draw.\n")
    [card_set] = load_sets(
        [write(Path("s"), {"cards.yaml": b"\xef\xbb\xbf" + plain.document.text.replace("\n", "\r\n").encode()})]
    )
    assert card_set.cards == (plain,)


# --- places ---


@pytest.mark.parametrize(
    ("card", "set_yaml", "places"),
    [
        (
            "- name: Thor\n  kind: pawn\n  art: {file: a.jpg, author: A}\n",
            SET,
            {"kind": "2:9", "art.author": "3:30", "art": "3:8", "flavor": "1:3", "credit": "1:3"},
        ),
        (MAMMON, OLD_SET, {"hp": "4:10"}),
        (PAWN + "art: a.jpg\n", SET, {"art.file": "3:6"}),
    ],
)
def test_a_place_is_that_of_the_value_or_else_where_the_card_begins(
    card: str, set_yaml: str, places: dict[str, str]
) -> None:
    read = the_card(card, set_yaml)
    assert {key: str(place_of_key(read, key)) for key in places} == {
        key: f"s/cards.yaml:{at}" for key, at in places.items()
    }


def test_words_of_a_text_are_found_in_its_block() -> None:
    card = the_card(PAWN + "text: |\n  A: Draw.\n\n  B: Draw it.\n")
    at = card.text.index("it")
    span = place_within(card, "text", at, at + 2)
    assert (str(span), span.end_column, span.excerpt) == ("s/cards.yaml:6:11", 13, "  B: Draw it.")


# --- sets ---


def test_a_set_with_everything() -> None:
    card_set = the_set(
        PAWN,
        "name: Starter\nedition: 17\ncredit: Us.\nback: red\nred: false\nsheet: {paper: 100x150, flip: short-edge}\n",
    )
    assert replace(card_set, cards=()) == CardSet(
        folder=Path("s"),
        name="Starter",
        backs=CardBacks("red"),
        sheet=SheetOptions(paper=Size(100, 150), flip=Flip.SHORT_EDGE),
        edition=17,
        credit="Us.",
        red=False,
        language="en",
        languages=("en",),
    )


def test_a_set_needs_a_name_and_no_more() -> None:
    card_set = the_set(PAWN + "edition: 1\n", "name: Starter\n")
    assert (card_set.edition, card_set.red, card_set.sheet) == (None, True, SheetOptions())


ABC = {f"{name}.yaml": f"{{name: {name}, kind: pawn}}" for name in "abc"}


@pytest.mark.parametrize(
    ("files", "paths", "wanted"),
    [
        # Cards are in the order of the names of their files, and then of the files.
        ({"b.yml": "{name: C, kind: pawn}", "a.yaml": "[{name: B, kind: pawn}, {name: A, kind: pawn}]"}, "s", ["bac"]),
        # Hidden files and other files are no cards.
        ({"a.yaml": "{name: A, kind: pawn}", ".b.yaml": "!", "notes.txt": "!", "a.yaml~": "!"}, "s", ["a"]),
        # A card file means its cards only, several of a set are one set, and so is a set by two paths.
        (ABC, "s/b.yaml", ["b"]),
        (ABC, "s/c.yaml s/a.yaml", ["ac"]),
        (ABC, "s/c.yaml s", ["abc"]),
        (ABC, "s/set.yaml", ["abc"]),
        (ABC, "s ./s s/../s", ["abc"]),
        # A folder of sets means all of them by name.
        ({"../a/set.yaml": SET, "../a/a.yaml": "{name: X, kind: pawn}", "c.yaml": ABC["c.yaml"]}, ".", ["x", "c"]),
    ],
)
def test_paths_mean_cards_in_order(files: dict[str, str], paths: str, wanted: list[str]) -> None:
    write(Path("s"), {"set.yaml": SET})
    for name, text in files.items():
        write(Path("s", name).parent, {Path(name).name: text})
    assert ["".join(each) for each in ids_of(*paths.split())] == wanted


def test_what_is_sound_is_returned_beside_the_findings() -> None:
    write(Path("s"), {"set.yaml": SET, "a.yaml": PAWN, "b.yaml": "name: Odin\n"})
    sets, findings = survey([Path("s")])
    assert [card.id for card in sets[0].cards] == ["soldier"]
    assert [(finding.card, finding.field) for finding in findings] == [("odin", "kind")]


def test_load_refuses_with_all_findings() -> None:
    write(Path("s"), {"set.yaml": SET, "a.yaml": "name: Thor\n", "b.yaml": "name: Odin\n"})
    with pytest.raises(Refused) as refused:
        load_sets([Path("s")])
    assert [finding.card for finding in refused.value.findings] == ["thor", "odin"]


# --- ids ---


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Storm Hammer", "storm-hammer"),
        ("Thor's Hammer", "thors-hammer"),
        ("Mårten’s Émigré", "martens-emigre"),
        ("  2 x 4 -- (Two by Four)! ", "2-x-4-two-by-four"),
        ("日本", "日本"),
        ("山猫 2: がぎ、ไทยที่", "山猫-2-がぎ-ไทยที่"),
        ("Ж 2", "ж-2"),
        ("Thor 龍", "thor"),
        ("★", ""),
        ("a" * 63 + " b", "a" * 63),
    ],
)
def test_a_name_gives_the_id(name: str, slug: str) -> None:
    assert ids.slug(name) == slug


@given(st.text(max_size=100))
def test_an_id_made_of_a_name_is_an_id_unless_it_is_empty_or_reserved(name: str) -> None:
    slug = ids.slug(name)
    assert ids.is_id(slug) or slug == "" or ids.why_reserved(slug)


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th")
    ]
