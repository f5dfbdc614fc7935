"""Cards that are wrong: exactly what their author reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.messages import said_of_card, said_of_set, words

MINION = "name: Thor\nkind: minion\nlevel: 9\nsp: 4\nhp: 6\n"
SPELL = "name: Heal\nkind: spell\nlevel: 1\ntext: 2-dice-heal yourself.\n"
CREATURE = "name: Mammon\nkind: creature\noffense: 4\ndefense: 6\ncost: 9\n"
PAWN = "name: Soldier\nkind: pawn\n"
OLD_SET = "name: Eleventh\nedition: 11\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("card", [MINION, SPELL, PAWN, "name: Hi\nkind: tip\ntext: Draw.\n"])
def test_nothing_is_said_of_a_sound_card(card: str) -> None:
    assert said_of_card(card) == ""


@pytest.mark.parametrize("card", [CREATURE, "name: Rise\nkind: spell\ncost: 1\ntext: Draw.\n"])
def test_nothing_is_said_of_a_sound_card_of_the_11th_edition(card: str) -> None:
    assert said_of_card(card, OLD_SET) == ""


# --- keys ---


def test_an_unknown_key() -> None:
    assert said_of_card(MINION + "flavour: The god of thunder.\n") == words("""
        s/card.yaml:6:1: error: unknown key `flavour` [C002]
          6 | flavour: The god of thunder.
            | ^^^^^^^
          hint: did you mean `flavor`?
    """)


def test_an_unknown_key_that_is_like_none() -> None:
    assert said_of_card("name: Hi\nkind: tip\ntext: Draw.\nxyz: 1\n") == words("""
        s/card.yaml:4:1: error: unknown key `xyz` [C002]
          4 | xyz: 1
            | ^^^
          hint: the keys are `id`, `name`, `kind`, `art`, `back`, `template`, `copies`, `edition`, `text`, `flavor`, `credit`, `name_size`, `name_spacing`, `text_size`, `flavor_size`, `credit_font` and `words`
    """)


def test_a_key_cannot_play_tricks_on_the_terminal() -> None:
    assert said_of_card(PAWN + '"\\u202eflavor\\nx": a\n') == words(r"""
        s/card.yaml:3:1: error: unknown key `�flavor x` [C002]
          3 | "\u202eflavor\nx": a
            | ^^^^^^^^^^^^^^^^^
          hint: did you mean `flavor`?
    """)


def test_hp_on_a_spell() -> None:
    assert said_of_card(SPELL + "hp: 3\n") == words("""
        s/card.yaml:5:1: error: a spell has no `hp` [C003]
          5 | hp: 3
            | ^^
          hint: remove it, or change `kind`
    """)


def test_keys_of_the_11th_edition_in_the_17th() -> None:
    assert said_of_card(MINION.replace("sp:", "offense:").replace("level:", "cost:")) == words("""
        s/card.yaml:3:1: error: the 17th Edition has no `cost` [C003]
          3 | cost: 9
            | ^^^^
          hint: from the 12th Edition on it is called `level`
        s/card.yaml:4:1: error: the 17th Edition has no `offense` [C003]
          4 | offense: 4
            | ^^^^^^^
          hint: from the 12th Edition on it is called `sp`
    """)


def test_keys_of_the_17th_edition_in_the_11th() -> None:
    assert said_of_card(CREATURE.replace("defense:", "hp:") + "ultra_points: 1\n", OLD_SET) == words("""
        s/card.yaml:4:1: error: the 11th Edition has no `hp` [C003]
          4 | hp: 6
            | ^^
          hint: up to the 11th Edition it is called `defense`
        s/card.yaml:6:1: error: the 11th Edition has no `ultra_points` [C003]
          6 | ultra_points: 1
            | ^^^^^^^^^^^^
          hint: remove it; Ultra Points are of the 12th Edition and later
    """)


def test_missing_keys() -> None:
    assert said_of_card("name: Thor\nkind: minion\nsp: 4\n") == words("""
        s/card.yaml:1:1: error: `thor` has no `hp` [C004]
          1 | name: Thor
            | ^^^^
          hint: add a line such as `hp: 6`
        s/card.yaml:1:1: error: `thor` has no `level` [C004]
          1 | name: Thor
            | ^^^^
          hint: add a line that begins with `level: `
    """)


def test_a_card_without_name_and_kind() -> None:
    assert said_of_card("- text: Draw 1 card.\n") == words("""
        s/card.yaml:1:3: error: the card has no `kind` [C004]
          1 | - text: Draw 1 card.
            |   ^^^^
          hint: add a line such as `kind: minion`
        s/card.yaml:1:3: error: the card has no `name` [C004]
          1 | - text: Draw 1 card.
            |   ^^^^
          hint: add a line such as `name: Storm Hammer`
    """)


def test_a_card_without_edition_in_a_set_without_edition() -> None:
    assert said_of_card(MINION, "name: Starter\n") == words("""
        s/card.yaml:1:1: error: `thor` has no `edition`, and neither has its set [C004]
          1 | name: Thor
            | ^^^^
          hint: add `edition: 17` to the card or to `set.yaml`, or `edition: none` to a card without Edition Indicator
    """)


def test_something_that_is_no_card() -> None:
    assert said_of_card("- Thor\n- [name, Odin]\n") == words("""
        s/card.yaml:1:3: error: expected the keys of a card, found `Thor` [C001]
          1 | - Thor
            |   ^^^^
          hint: a card begins with a line such as `name: Storm Hammer`
        s/card.yaml:2:3: error: expected the keys of a card, found a list, `[name, Odin]` [C001]
          2 | - [name, Odin]
            |   ^^^^^^^^^^^^
          hint: a card begins with a line such as `name: Storm Hammer`
    """)


# --- numbers ---


def test_a_word_for_a_number() -> None:
    assert said_of_card(MINION.replace("6", "six")) == words("""
        s/card.yaml:5:5: error: expected a whole number from 0 to 9999, found `six` [C005]
          5 | hp: six
            |     ^^^
          hint: write `hp: 6`
    """)


def test_a_number_in_quotes() -> None:
    assert said_of_card(MINION.replace("6", '"6"')) == words("""
        s/card.yaml:5:5: error: expected a whole number from 0 to 9999, found the text `6` [C005]
          5 | hp: "6"
            |     ^^^
          hint: remove the quotes: `hp: 6`
    """)


def test_a_list_and_nothing_for_a_number() -> None:
    assert said_of_card(MINION.replace("6", "[6]").replace("4", "")) == words("""
        s/card.yaml:4:1: error: expected a whole number from 0 to 9999, found nothing [C005]
          4 | sp:
            | ^^
        s/card.yaml:5:5: error: expected a whole number from 0 to 9999, found a list, `[6]` [C005]
          5 | hp: [6]
            |     ^^^
          hint: write `hp: 6`
    """)


def test_a_negative_number() -> None:
    assert said_of_card(MINION.replace("4", "-4")) == words("""
        s/card.yaml:4:5: error: expected a whole number from 0 to 9999, found `-4` [C006]
          4 | sp: -4
            |     ^^
    """)


@pytest.mark.parametrize("number", ["10000", "1" * 5000, "1.5", "007", "1_000", "+4"])
def test_a_number_that_fits_no_symbol(number: str) -> None:
    shown = number if len(number) < 60 else "1" * 59 + "…"
    first = said_of_card(MINION.replace("4", number)).split("\n")[0]
    assert first == f"s/card.yaml:4:5: error: expected a whole number from 0 to 9999, found `{shown}` [C006]"


def test_more_copies_than_anyone_prints() -> None:
    assert said_of_card(MINION + "copies: 1000\nedition: 0\n") == words("""
        s/card.yaml:6:9: error: expected a whole number from 0 to 999, found `1000` [C006]
          6 | copies: 1000
            |         ^^^^
        s/card.yaml:7:10: error: expected a whole number from 1 to 999 or `none`, found `0` [C006]
          7 | edition: 0
            |          ^
    """)


def test_a_level_that_is_left_to_the_program() -> None:
    assert said_of_card(MINION.replace("9", "auto")) == ""
    assert said_of_card(MINION.replace("9", "automatic")) == words("""
        s/card.yaml:3:8: error: expected a whole number from 0 to 9999 or `auto`, found `automatic` [C005]
          3 | level: automatic
            |        ^^^^^^^^^
          hint: write `level: auto`
    """)
    assert said_of_card(MINION.replace("9", "Auto")) == words("""
        s/card.yaml:3:8: error: expected a whole number from 0 to 9999 or `auto`, found `Auto` [C005]
          3 | level: Auto
            |        ^^^^
          hint: write `level: auto`
    """)


# --- kinds and other words ---


def test_an_unknown_kind() -> None:
    assert said_of_card(MINION.replace("minion", "Minon")) == words("""
        s/card.yaml:2:7: error: expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `Minon` [C007]
          2 | kind: Minon
            |       ^^^^^
          hint: did you mean `minion`?
    """)


def test_a_creature_in_the_17th_edition() -> None:
    assert said_of_card(CREATURE) == words("""
        s/card.yaml:2:7: error: the 17th Edition has no creatures [C008]
          2 | kind: creature
            |       ^^^^^^^^
          hint: from the 12th Edition on write `kind: minion`
    """)


def test_a_minion_in_the_11th_edition() -> None:
    assert said_of_card(MINION, OLD_SET) == words("""
        s/card.yaml:2:7: error: the 11th Edition has no minions [C008]
          2 | kind: minion
            |       ^^^^^^
          hint: up to the 11th Edition write `kind: creature`
    """)


def test_words_for_the_picture() -> None:
    art = "art: {file: a.jpg, corner: top, color: red, fit: fill, colour: white}"
    assert said_of_card(MINION + art) == words(f"""
        s/card.yaml:6:28: error: expected `top-left`, `top-right`, `bottom-left` or `bottom-right`, found `top` [C007]
          6 | {art}
            |                            ^^^
        s/card.yaml:6:40: error: expected `white` or `black`, found `red` [C007]
          6 | {art}
            |                                        ^^^
        s/card.yaml:6:50: error: expected `contain` or `cover`, found `fill` [C007]
          6 | {art}
            |                                                  ^^^^
        s/card.yaml:6:56: error: unknown key `colour` [C002]
          6 | {art}
            |                                                        ^^^^^^
          hint: did you mean `color`?
    """)


# --- texts ---


def test_an_empty_name_and_a_spell_without_words() -> None:
    assert said_of_card('name: ""\nkind: spell\nlevel: 1\ntext:\n') == words("""
        s/card.yaml:1:7: error: `name` is empty [C009]
          1 | name: ""
            |       ^^
          hint: write a name
        s/card.yaml:4:1: error: `text` is empty [C009]
          4 | text:
            | ^^^^
          hint: write a text
    """)


def test_a_list_for_a_text() -> None:
    assert said_of_card(MINION + "text:\n- Draw 1 card.\n") == words("""
        s/card.yaml:7:1: error: expected a text, found a list, `[Draw 1 card.]` [C005]
          7 | - Draw 1 card.
            | ^^^^^^^^^^^^^^
          hint: write `text: |`, and below it the lines of the text, indented, without `- `
    """)


def test_a_line_break_in_a_name() -> None:
    assert said_of_card(MINION.replace("Thor", '"Thor\\nOdin"')) == words(r"""
        s/card.yaml:1:12: error: a line break is not allowed here, in `name` of `thor-odin` [C014]
          1 | name: "Thor\nOdin"
            |            ^^
          hint: write the text in one line, or below `>-`
    """)


def test_characters_that_cannot_be_seen() -> None:
    assert said_of_card(MINION + 'flavor: "a\u202eb\u200bc\\td\ue000"\n') == words(r"""
        s/card.yaml:6:11: error: U+202E is a character that turns the writing direction, in `flavor` of `thor` [C015]
          6 | flavor: "a�b�c\td�"
            |           ^
          hint: remove it
        s/card.yaml:6:13: error: U+200B is a character that cannot be seen, in `flavor` of `thor` [C015]
          6 | flavor: "a�b�c\td�"
            |             ^
          hint: remove it
        s/card.yaml:6:15: error: U+0009 is a control character, in `flavor` of `thor` [C015]
          6 | flavor: "a�b�c\td�"
            |               ^^
          hint: remove it
        s/card.yaml:6:18: error: U+E000 is a private character, in `flavor` of `thor` [C015]
          6 | flavor: "a�b�c\td�"
            |                  ^
          hint: remove it
    """)


def test_a_text_that_is_longer_than_any_card() -> None:
    assert said_of_card(MINION + f"text: {'a' * 5000}\n") == words("""
        s/card.yaml:6:7: error: `text` has 5000 characters, and no card has room for 4000 [C019]
          hint: shorten it
    """)


def test_right_to_left_letters() -> None:
    assert said_of_card(MINION + "text: |\n  Draw שלום עולם 1 card.\n") == words("""
        s/card.yaml:7:8: error: right-to-left text is not supported, in `text` of `thor` [C016]
          7 |   Draw שלום עולם 1 card.
            |        ^^^^
          hint: write `שלום` in Latin, Greek or Cyrillic letters
    """)


def test_characters_that_no_font_has() -> None:
    assert said_of_card(MINION + "text: Draw 龍虎 龍 cards.\n") == words("""
        s/card.yaml:6:12: error: no bundled font has `龍虎` (U+9F8D, U+864E), in `text` of `thor` [C017]
          6 | text: Draw 龍虎 龍 cards.
            |            ^^^^
          hint: write it with other characters
        s/card.yaml:6:15: error: no bundled font has `龍` (U+9F8D), in `text` of `thor` [C017]
          6 | text: Draw 龍虎 龍 cards.
            |                 ^^
          hint: write it with other characters
    """)


def test_characters_of_the_pictures_author_and_of_the_set() -> None:
    cards = {"set.yaml": "name: 龍\nedition: 17\n", "card.yaml": MINION + "art: {file: a.jpg, author: 龍}\n"}
    assert said_of_set(cards) == words("""
        s/card.yaml:6:28: error: no bundled font has `龍` (U+9F8D), in `art.author` of `thor` [C017]
          6 | art: {file: a.jpg, author: 龍}
            |                            ^^
          hint: write it with other characters
        s/set.yaml:1:7: error: no bundled font has `龍` (U+9F8D), in `name` [S017]
          1 | name: 龍
            |       ^^
          hint: write it with other characters
    """)


# --- ids ---


def test_a_duplicate_id_names_both_places() -> None:
    spell = "id: thor\n" + SPELL
    assert said_of_set({"set.yaml": OLD_SET.replace("11", "17"), "a.yaml": MINION, "b.yaml": spell}) == words("""
        s/b.yaml:1:5: error: two cards have the id `thor`, the first at s/a.yaml:1:7 [C013]
          1 | id: thor
            |     ^^^^
          hint: if they are the same card, keep one, and write `copies: 2`; if not, give one of the two another `id`
    """)


def test_ids_that_differ_only_in_case_name_both_places() -> None:
    spell = "id: Thor\n" + SPELL
    assert said_of_set({"set.yaml": OLD_SET.replace("11", "17"), "a.yaml": MINION, "b.yaml": spell}) == words("""
        s/b.yaml:1:5: error: an id is made of a-z, 0-9, `-` and `_`, found `Thor` [C011]
          1 | id: Thor
            |     ^^^^
          hint: write `id: thor`
        s/b.yaml:1:5: error: the ids `Thor` and `thor` differ only in case, the first is at s/a.yaml:1:7 [C013]
          1 | id: Thor
            |     ^^^^
          hint: give one of the two another `id`
    """)


def test_an_id_that_would_leave_the_folder() -> None:
    assert said_of_card("id: ../thor\n" + MINION) == words("""
        s/card.yaml:1:5: error: an id is made of a-z, 0-9, `-` and `_`, found `../thor` [C011]
          1 | id: ../thor
            |     ^^^^^^^
          hint: write `id: thor`
    """)


def test_an_id_that_is_too_long() -> None:
    assert said_of_card(f"id: {'a' * 65}\n" + MINION).split("\n")[0] == (
        "s/card.yaml:1:5: error: an id has at most 64 characters, found 65 [C011]"
    )


def test_an_id_that_windows_reserves() -> None:
    assert said_of_card("id: com1\n" + MINION) == words("""
        s/card.yaml:1:5: error: Windows reserves the name `com1` [C011]
          1 | id: com1
            |     ^^^^
          hint: choose another id
    """)


def test_names_that_give_no_id() -> None:
    assert said_of_card("- {kind: pawn, name: ★}\n- {kind: pawn, name: Con}\n") == words("""
        s/card.yaml:1:22: error: no id can be made of the name `★`: it has no letters a to z and no digits [C012]
          1 | - {kind: pawn, name: ★}
            |                      ^
          hint: add a line such as `id: my-card`
        s/card.yaml:2:22: error: no id can be made of the name `Con`: Windows reserves `con` [C012]
          2 | - {kind: pawn, name: Con}
            |                      ^^^
          hint: add a line such as `id: my-card`
    """)


# --- pictures ---


def test_a_picture_above_the_sets_folder() -> None:
    assert said_of_card(MINION + "art: ../secret.jpg\nback: art/../../secret.png\n") == words("""
        s/card.yaml:6:6: error: `../secret.jpg` lies outside the set's folder [C018]
          6 | art: ../secret.jpg
            |      ^^^^^^^^^^^^^
          hint: copy the picture into the set's folder
        s/card.yaml:7:7: error: `art/../../secret.png` lies outside the set's folder [C018]
          7 | back: art/../../secret.png
            |       ^^^^^^^^^^^^^^^^^^^^
          hint: copy the picture into the set's folder
    """)


def test_a_picture_behind_a_link_out_of_the_sets_folder() -> None:
    Path("s").mkdir()
    Path("s/art").symlink_to("..")
    assert said_of_card(MINION + "art: {file: art/secret.jpg}\n") == words("""
        s/card.yaml:6:13: error: `art/secret.jpg` lies outside the set's folder [C018]
          6 | art: {file: art/secret.jpg}
            |             ^^^^^^^^^^^^^^
          hint: copy the picture into the set's folder
    """)


@pytest.mark.parametrize("path", ["/etc/passwd", "C:/storm.jpg", "//server/storm.jpg"])
def test_a_picture_by_its_absolute_path(path: str) -> None:
    assert said_of_card(f"{MINION}art: {path}\n") == words(f"""
        s/card.yaml:6:6: error: `{path}` is not in the set's folder [C018]
          6 | art: {path}
            |      {"^" * len(path)}
          hint: copy the picture into the set's folder, for example into `art`, and write `art: art/{Path(path).name}`
    """)


def test_a_picture_by_a_windows_path() -> None:
    assert said_of_card(MINION + "art: art\\storm.jpg\n") == words(r"""
        s/card.yaml:6:6: error: folders are separated by `/` [C018]
          6 | art: art\storm.jpg
            |      ^^^^^^^^^^^^^
          hint: write `art: art/storm.jpg`
    """)


def test_a_picture_without_a_file() -> None:
    assert said_of_card(
        "- art:\n  name: A\n  kind: pawn\n- {name: B, kind: pawn, art: {author: A. Author}}\n"
    ) == words("""
        s/card.yaml:1:3: error: expected a picture file, found nothing [C005]
          1 | - art:
            |   ^^^
          hint: remove the key if the card has no picture
        s/card.yaml:4:31: error: `art` has no `file` [C004]
          4 | - {name: B, kind: pawn, art: {author: A. Author}}
            |                               ^^^^^^
          hint: add a line such as `file: art/storm-hammer.jpg`
    """)
