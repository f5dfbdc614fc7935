"""Cards that are wrong: exactly what their author reads."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.messages import assert_says, said_of_card, said_of_set

pytestmark = pytest.mark.usefixtures("in_empty_folder")

MINION = "name: Thor\nkind: minion\nlevel: 9\nsp: 4\nhp: 6\n"
SPELL = "name: Heal\nkind: spell\nlevel: 1\ntext: 2-dice-heal yourself.\n"
CREATURE = "name: Mammon\nkind: creature\noffense: 4\ndefense: 6\ncost: 9\n"
PAWN = "name: Soldier\nkind: pawn\n"
OLD_SET = "name: Eleventh\nedition: 11\n"


@pytest.mark.parametrize("card", [MINION, SPELL, PAWN, "name: Hi\nkind: tip\ntext: Draw.\n"])
def test_nothing_is_said_of_a_sound_card(card: str) -> None:
    assert said_of_card(card) == ""


@pytest.mark.parametrize("card", [CREATURE, "name: Rise\nkind: spell\ncost: 1\ntext: Draw.\n"])
def test_nothing_is_said_of_a_sound_card_of_the_11th_edition(card: str) -> None:
    assert said_of_card(card, OLD_SET) == ""


# --- keys ---


SAID: dict[str, tuple[Any, ...]] = {
    "an unknown key": (
        MINION + "flavour: The god of thunder.\n",
        ["6:1 C002 unknown key `flavour` (did you mean `flavor`?)"],
    ),
    "an unknown key that is like none": ("name: Hi\nkind: tip\ntext: Draw.\nxyz: 1\n", ["4:1 C002 unknown key `xyz`"]),
    "a key cannot play tricks on the terminal": (
        PAWN + '"\\u202eflavor\\nx": a\n',
        ["3:1 C002 unknown key `�flavor x` (did you mean `flavor`?)"],
    ),
    "hp on a spell": (SPELL + "hp: 3\n", ["5:1 C003 a spell has no `hp` (remove it, or change `kind`)"]),
    "keys of the 11th edition in the 17th": (
        MINION.replace("sp:", "offense:").replace("level:", "cost:"),
        [
            "3:1 C003 the 17th Edition has no `cost` (from the 12th Edition on it is called `level`)",
            "4:1 C003 the 17th Edition has no `offense` (from the 12th Edition on it is called `sp`)",
        ],
    ),
    "keys of the 17th edition in the 11th": (
        CREATURE.replace("defense:", "hp:") + "ultra_points: 1\n",
        OLD_SET,
        [
            "4:1 C003 the 11th Edition has no `hp` (up to the 11th Edition it is called `defense`)",
            "6:1 C003 the 11th Edition has no `ultra_points` (remove it; Ultra Points are of the 12th Edition and later)",
        ],
    ),
    "missing keys": (
        "name: Thor\nkind: minion\nsp: 4\n",
        [
            "1:1 C004 `thor` has no `hp` (add a line such as `hp: 6`)",
            "1:1 C004 `thor` has no `level` (add a line that begins with `level: `)",
        ],
    ),
    "a card without name and kind": (
        "- text: Draw 1 card.\n",
        [
            "1:3 C004 the card has no `kind` (add a line such as `kind: minion`)",
            "1:3 C004 the card has no `name` (add a line such as `name: Storm Hammer`)",
        ],
    ),
    "a card without edition in a set without edition": (
        MINION,
        "name: Starter\n",
        ["1:1 C004 `thor` has no `edition`, and neither has its set"],
    ),
    "something that is no card": (
        "- Thor\n- [name, Odin]\n",
        [
            "1:3 C001 expected the keys of a card, found `Thor` (a card begins with a line such as `name: Storm Hammer`)",
            "2:3 C001 expected the keys of a card, found a list, `[name, Odin]`",
        ],
    ),
    "a word for a number": (
        MINION.replace("6", "six"),
        ["5:5 C005 expected a whole number from 0 to 9999, found `six` (write `hp: 6`)"],
    ),
    "a number in quotes": (
        MINION.replace("6", '"6"'),
        ["5:5 C005 expected a whole number from 0 to 9999, found the text `6` (remove the quotes: `hp: 6`)"],
    ),
    "a list and nothing for a number": (
        MINION.replace("6", "[6]").replace("4", ""),
        [
            "4:1 C005 expected a whole number from 0 to 9999, found nothing",
            "5:5 C005 expected a whole number from 0 to 9999, found a list, `[6]` (write `hp: 6`)",
        ],
    ),
    "a negative number": (MINION.replace("4", "-4"), ["4:5 C006 expected a whole number from 0 to 9999, found `-4`"]),
    "more copies than anyone prints": (
        MINION + "copies: 1000\nedition: 0\n",
        [
            "6:9 C006 expected a whole number from 0 to 999, found `1000`",
            "7:10 C006 expected a whole number from 1 to 999 or `none`, found `0`",
        ],
    ),
    "an unknown kind": (
        MINION.replace("minion", "Minon"),
        ["2:7 C007 expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `Minon` (did you mean `minion`?)"],
    ),
    "a creature in the 17th edition": (
        CREATURE,
        ["2:7 C008 the 17th Edition has no creatures (from the 12th Edition on write `kind: minion`)"],
    ),
    "a minion in the 11th edition": (
        MINION,
        OLD_SET,
        ["2:7 C008 the 11th Edition has no minions (up to the 11th Edition write `kind: creature`)"],
    ),
    "an empty name and a spell without words": (
        'name: ""\nkind: spell\nlevel: 1\ntext:\n',
        ["1:7 C009 `name` is empty (write a name)", "4:1 C009 `text` is empty (write a text)"],
    ),
    "a list for a text": (
        MINION + "text:\n- Draw 1 card.\n",
        ["7:1 C005 expected a text, found a list, `[Draw 1 card.]`"],
    ),
    "a line break in a name": (
        MINION.replace("Thor", '"Thor\\nOdin"'),
        [
            "1:12 C014 a line break is not allowed here, in `name` of `thor-odin` (write the text in one line, or below `>-`)"
        ],
    ),
    "characters that cannot be seen": (
        MINION + 'flavor: "a\u202eb\u200bc\\td\ue000"\n',
        [
            "6:11 C015 U+202E is a character that turns the writing direction, in `flavor` of `thor` (remove it)",
            "6:13 C015 U+200B is a character that cannot be seen, in `flavor` of `thor` (remove it)",
            "6:15 C015 U+0009 is a control character, in `flavor` of `thor` (remove it)",
            "6:18 C015 U+E000 is a private character, in `flavor` of `thor` (remove it)",
        ],
    ),
    "a text that is longer than any card": (
        MINION + f"text: {'a' * 5000}\n",
        ["6:7 C019 `text` has 5000 characters, and no card has room for 4000 (shorten it)"],
    ),
    "signs that nobody sees, but for those that the letters of a text need": (
        MINION + 'flavor: "\u05d0\u200f-\u0645\u200c\u06ccb\u2066\u00ad"\n',
        ["6:17 C015 U+2066 is a character that turns the writing direction, in `flavor` of `thor` (remove it)"],
    ),
    "characters that no font has": (
        MINION + "text: Draw 龍虎 龍 cards.\n",
        [
            "6:12 C017 no bundled font has `龍虎` (U+9F8D, U+864E), in `text` of `thor` (write it with other characters)",
            "6:15 C017 no bundled font has `龍` (U+9F8D), in `text` of `thor` (write it with other characters)",
        ],
    ),
    "an id that would leave the folder": (
        "id: ../thor\n" + MINION,
        ["1:5 C011 an id is made of small letters, digits, `-` and `_`, found `../thor` (write `id: thor`)"],
    ),
    "an id that windows reserves": (
        "id: com1\n" + MINION,
        ["1:5 C011 Windows keeps the name `com1` for a device, and no file can have it (choose another id)"],
    ),
    "names that give no id": (
        "- {kind: pawn, name: ★}\n- {kind: pawn, name: Con}\n",
        [
            "1:22 C012 no id can be made of the name `★`: it has no letters and no digits",
            "2:22 C012 no id can be made of the name `Con`: Windows keeps the name `con` for a device, and no file can have it (add a line such as `id: my-card`)",
        ],
    ),
    "a picture above the sets folder": (
        MINION + "art: ../secret.jpg\nback: art/../../secret.png\n",
        [
            "6:6 C018 `../secret.jpg` lies outside the set's folder (copy the picture into the set's folder)",
            "7:7 C018 `art/../../secret.png` lies outside the set's folder (copy the picture into the set's folder)",
        ],
    ),
    "a picture by a windows path": (
        MINION + "art: art\\storm.jpg\n",
        ["6:6 C018 folders are separated by `/` (write `art: art/storm.jpg`)"],
    ),
    "a picture without a file": (
        "- art:\n  name: A\n  kind: pawn\n- {name: B, kind: pawn, art: {author: A. Author}}\n",
        [
            "1:3 C005 expected a picture file, found nothing (remove the key if the card has no picture)",
            "4:31 C004 `art` has no `file` (add a line such as `file: art/storm-hammer.jpg`)",
        ],
    ),
}


@pytest.mark.parametrize("title", SAID)
def test_what_its_author_reads(title: str) -> None:
    *given, wanted = SAID[title]
    assert_says(said_of_card(*given), *wanted)


# --- numbers ---


@pytest.mark.parametrize("number", ["10000", "1" * 5000, "1.5", "007", "1_000", "+4"])
def test_a_number_that_fits_no_symbol(number: str) -> None:
    shown = number if len(number) < 60 else "1" * 59 + "…"
    first = said_of_card(MINION.replace("4", number)).split("\n")[0]
    assert first == f"s/card.yaml:4:5: error: expected a whole number from 0 to 9999, found `{shown}` [C006]"


def test_a_level_that_is_left_to_the_program() -> None:
    assert said_of_card(MINION.replace("9", "auto")) == ""
    assert_says(
        said_of_card(MINION.replace("9", "automatic")),
        "3:8 C005 expected a whole number from 0 to 9999 or `auto`, found `automatic` (write `level: auto`)",
    )
    assert_says(
        said_of_card(MINION.replace("9", "Auto")),
        "3:8 C005 expected a whole number from 0 to 9999 or `auto`, found `Auto` (write `level: auto`)",
    )


# --- kinds and other words ---


def test_words_for_the_picture() -> None:
    art = "art: {file: a.jpg, corner: top, color: red, fit: fill, colour: white}"
    assert_says(
        said_of_card(MINION + art),
        "6:28 C007 expected `top-left`, `top-right`, `bottom-left` or `bottom-right`, found `top`",
        "6:40 C007 expected `white` or `black`, found `red`",
        "6:50 C007 expected `contain` or `cover`, found `fill`",
        "6:56 C002 unknown key `colour` (did you mean `color`?)",
    )


# --- texts ---


def test_characters_of_the_pictures_author_and_of_the_set() -> None:
    cards = {
        "set.yaml": "name: 龍\nedition: 17\ncredit: 龍\n",
        "card.yaml": MINION + "art: {file: a.jpg, author: 龍}\n",
    }
    assert_says(
        said_of_set(cards),
        "6:28 C017 no bundled font has `龍` (U+9F8D), in `art.author` of `thor` (write it with other characters)",
        "s/set.yaml:3:9 S017 no bundled font has `龍` (U+9F8D), in `credit` (write it with other characters)",
    )


# --- ids ---


def test_a_duplicate_id_names_both_places() -> None:
    spell = "id: thor\n" + SPELL
    assert_says(
        said_of_set({"set.yaml": OLD_SET.replace("11", "17"), "a.yaml": MINION, "b.yaml": spell}),
        "s/b.yaml:1:5 C013 two cards have the id `thor`, the first at s/a.yaml:1:7",
    )


def test_ids_that_differ_only_in_case_name_both_places() -> None:
    spell = "id: Thor\n" + SPELL
    assert_says(
        said_of_set({"set.yaml": OLD_SET.replace("11", "17"), "a.yaml": MINION, "b.yaml": spell}),
        "s/b.yaml:1:5 C011 an id is made of small letters, digits, `-` and `_`, found `Thor` (write `id: thor`)",
        "s/b.yaml:1:5 C013 the ids `Thor` and `thor` differ only in case, the first is at s/a.yaml:1:7",
    )


def test_an_id_that_is_too_long() -> None:
    assert said_of_card(f"id: {'a' * 65}\n" + MINION).split("\n")[0] == (
        "s/card.yaml:1:5: error: an id has at most 64 characters, found 65 [C011]"
    )


# --- pictures ---


def test_a_picture_behind_a_link_out_of_the_sets_folder() -> None:
    Path("s").mkdir()
    Path("s/art").symlink_to("..")
    assert_says(
        said_of_card(MINION + "art: {file: art/secret.jpg}\n"),
        "6:13 C018 `art/secret.jpg` lies outside the set's folder (copy the picture into the set's folder)",
    )


@pytest.mark.parametrize("path", ["/etc/passwd", "C:/storm.jpg", "//server/storm.jpg"])
def test_a_picture_by_its_absolute_path(path: str) -> None:
    assert_says(said_of_card(f"{MINION}art: {path}\n"), f"6:6 C018 `{path}` is not in the set's folder")
