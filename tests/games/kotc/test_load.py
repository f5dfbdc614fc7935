"""Sound sets: what their files become."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused
from render.base.geometry import Flip, Size
from render.game import ids
from render.game.cards import CardBacks, place_of_key, place_within
from render.games.kotc.model.cards import Art, ArtFit, Card, CardSet, Corner, Kind, ordinal
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


def test_what_a_card_does_not_say_it_takes_from_its_set() -> None:
    card = the_card(PAWN, "name: Starter\nedition: 12\ncredit: By us.\nback: red\n")
    assert (card.edition, card.credit, card.back) == (12, "By us.", "red")


def test_missing_keys_have_defaults() -> None:
    card = the_card(PAWN)
    assert (card.id, card.ultra_points, card.text, card.flavor, card.credit) == ("soldier", 0, "", "", "")
    assert (card.art, card.back, card.copies) == (None, "back", 1)


def test_a_pawn_may_leave_its_numbers_to_a_pencil() -> None:
    card = the_card(PAWN)
    assert (card.level, card.sp, card.hp) == (None, None, None)


def test_offense_defense_and_cost_are_kept_as_sp_hp_and_level() -> None:
    card = the_card("name: Mammon\nkind: creature\noffense: 1\ndefense: 2\ncost: 3\n", "name: Old\nedition: 11\n")
    assert (card.sp, card.hp, card.level) == (1, 2, 3)


def test_a_picture_may_be_a_path_alone() -> None:
    assert the_card(PAWN + "art: a.jpg\n").art == Art(name="a.jpg", file=Path("s/a.jpg").resolve())


def test_a_word_that_yaml_calls_a_truth_or_a_number_stays_a_word() -> None:
    card = the_card("- {name: no, kind: pawn, flavor: 012, credit: 2024-01-01, text: 1:30}\n")
    assert (card.name, card.flavor, card.credit, card.text) == ("no", "012", "2024-01-01", "1:30")


def test_texts_are_normalised() -> None:
    assert the_card(PAWN + "flavor: Cafe\u0301\n").flavor == "Café"


def test_a_byte_order_mark_and_windows_line_ends_change_nothing() -> None:
    plain = the_card(PAWN + "text: |\n  A: Draw.\n  B: Draw.\n")
    [card_set] = load_sets(
        [write(Path("s"), {"cards.yaml": b"\xef\xbb\xbf" + plain.document.text.replace("\n", "\r\n").encode()})]
    )
    assert card_set.cards == (plain,)


# --- places ---


def test_a_place_is_that_of_the_value() -> None:
    card = the_card("- name: Thor\n  kind: pawn\n  art: {file: a.jpg, author: A}\n")
    assert [str(place_of_key(card, key)) for key in ("kind", "art.author", "art")] == [
        "s/cards.yaml:2:9",
        "s/cards.yaml:3:30",
        "s/cards.yaml:3:8",
    ]


def test_the_place_of_what_is_not_given_is_the_cards_start() -> None:
    card = the_card("- kind: pawn\n  name: Thor\n")
    assert {str(place_of_key(card, key)) for key in ("flavor", "art.author", "credit")} == {"s/cards.yaml:1:3"}


def test_hp_is_found_under_its_old_name() -> None:
    card = the_card("name: A\nkind: creature\noffense: 1\ndefense: 2\ncost: 3\n", "name: Old\nedition: 11\n")
    assert str(place_of_key(card, "hp")) == "s/cards.yaml:4:10"


def test_the_file_of_a_picture_without_mapping_is_found() -> None:
    assert str(place_of_key(the_card(PAWN + "art: a.jpg\n"), "art.file")) == "s/cards.yaml:3:6"


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


def test_cards_are_in_the_order_of_their_files_names_and_then_of_the_files() -> None:
    write(Path("s"), {"set.yaml": SET, "b.yml": "{name: C, kind: pawn}"})
    write(Path("s"), {"a.yaml": "[{name: B, kind: pawn}, {name: A, kind: pawn}]"})
    assert ids_of("s") == [["b", "a", "c"]]


def test_hidden_files_and_other_files_are_not_cards() -> None:
    write(Path("s"), {"set.yaml": SET, "a.yaml": PAWN, ".b.yaml": "!", "notes.txt": "!", "a.yaml~": "!"})
    assert ids_of("s") == [["soldier"]]


def test_a_card_file_means_its_cards_only_and_several_of_a_set_are_one_set() -> None:
    write(Path("s"), {"set.yaml": SET} | {f"{name}.yaml": f"{{name: {name}, kind: pawn}}" for name in "abc"})
    assert ids_of("s/b.yaml") == [["b"]]
    assert ids_of("s/c.yaml", "s/a.yaml") == [["a", "c"]]
    assert ids_of("s/c.yaml", "s") == ids_of("s/set.yaml") == [["a", "b", "c"]]


def test_a_folder_of_sets_means_all_of_them_by_name() -> None:
    write(Path("cards/two"), {"set.yaml": SET, "a.yaml": PAWN})
    write(Path("cards/one"), {"set.yaml": SET, "a.yaml": "{name: One, kind: pawn}"})
    write(Path("cards/art"), {"a.jpg": b""})
    assert ids_of("cards") == [["one"], ["soldier"]]


def test_the_same_set_by_two_paths_is_one_set() -> None:
    write(Path("s"), {"set.yaml": SET, "a.yaml": PAWN})
    assert ids_of("s", "./s", "s/../s") == [["soldier"]]


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
        ("日本", ""),
        ("a" * 63 + " b", "a" * 63),
    ],
)
def test_a_name_gives_the_id(name: str, slug: str) -> None:
    assert ids.slug(name) == slug


@given(st.text(max_size=100))
def test_an_id_made_of_a_name_is_an_id_unless_it_is_empty_or_reserved(name: str) -> None:
    slug = ids.slug(name)
    assert ids.is_id(slug) or slug == "" or ids.is_reserved(slug)


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th")
    ]
