"""Files that are not YAML as cards need it: exactly what their author reads."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from render.base.findings import Refused, as_text
from render.source import building, reader
from tests.support.messages import words
from tests.support.systems import with_pipes

FILE = Path("card.yaml")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)


def said_of(content: str | bytes) -> str:
    FILE.write_bytes(content if isinstance(content, bytes) else content.encode())
    return said()


def said() -> str:
    with pytest.raises(Refused) as refused:
        reader.read(FILE)
    return as_text(refused.value.findings)


# --- files ---


def test_a_missing_file() -> None:
    assert said() == "card.yaml:1:1: error: cannot read `card.yaml`: no such file or directory [Y001]"


def test_a_link_to_itself() -> None:
    FILE.symlink_to(FILE)
    assert said() == "card.yaml:1:1: error: cannot read `card.yaml`: too many levels of symbolic links [Y001]"


def test_a_folder() -> None:
    FILE.mkdir()
    assert said() == "card.yaml:1:1: error: `card.yaml` is a folder, not a file [Y002]"


@with_pipes
def test_a_pipe_is_refused_without_waiting_for_a_writer() -> None:
    os.mkfifo(FILE)
    assert said() == "card.yaml:1:1: error: `card.yaml` is not a regular file [Y002]"


def test_a_file_of_2_mib() -> None:
    assert said_of(b"# 345678\n" * 233017) == words("""
        card.yaml:1:1: error: the file is larger than 1 MiB [Y003]
          hint: split it into several files
    """)


def test_a_file_of_exactly_1_mib_is_read() -> None:
    FILE.write_bytes(b"name: Thor\n" + b"#" * ((1 << 20) - 11))
    assert reader.read(FILE).root


def test_an_empty_file() -> None:
    assert said_of("") == words("""
        card.yaml:1:1: error: the file is empty [Y006]
          hint: write a card, or remove the file
    """)


def test_a_file_of_comments_is_empty() -> None:
    assert said_of("# name: Thor\n---\n") == words("""
        card.yaml:1:1: error: the file is empty [Y006]
          hint: write a card, or remove the file
    """)


# --- characters ---


def test_invalid_utf_8_is_shown_at_its_first_byte() -> None:
    assert said_of(b"kind: minion\nname: Th\xf6r \xff\n") == words("""
        card.yaml:2:9: error: the byte 0xf6 is not UTF-8 [Y004]
          2 | name: Th�
            |         ^
          hint: save the file as UTF-8
    """)


def test_control_characters_are_named_and_never_printed() -> None:
    assert said_of("name: Th\x07or\nflavor: \x1b[31m\n") == words("""
        card.yaml:1:9: error: the character U+0007 cannot be printed [Y005]
          1 | name: Th�or
            |         ^
          hint: remove it
        card.yaml:2:9: error: the character U+001B cannot be printed [Y005]
          2 | flavor: �[31m
            |         ^
          hint: remove it
    """)


def test_a_lone_surrogate() -> None:
    assert said_of('name: "Th\\uD800or"\n') == words(r"""
        card.yaml:1:10: error: `\uD800` is not a character that can be printed [Y016]
          1 | name: "Th\uD800or"
            |          ^^^^^^
          hint: remove it
    """)


def test_an_escaped_null_character() -> None:
    assert said_of('name: "Th\\0or"\n') == words(r"""
        card.yaml:1:10: error: `\0` is not a character that can be printed [Y016]
          1 | name: "Th\0or"
            |          ^^
          hint: remove it
    """)


def test_a_file_that_is_no_text_gives_one_finding() -> None:
    assert said_of(b"PK\3\4" + bytes(100)).split("\n")[::3] == [
        "card.yaml:1:5: error: the file is no text [Y005]",
        "  hint: save what you wrote as text in UTF-8; documents of word processors and pictures are none",
    ]


def test_a_file_of_control_characters_gives_a_hundred_findings_and_no_more() -> None:
    FILE.write_bytes(b"\7" * 1000)
    with pytest.raises(Refused) as refused:
        reader.read(FILE)
    assert len(refused.value.findings) == building.MAX_FINDINGS


# --- what card files must not hold ---


def test_tabs() -> None:
    assert said_of("art:\n\tfile: storm.jpg\n") == words("""
        card.yaml:2:1: error: a tab is used as indentation [Y008]
          2 |  file: storm.jpg
            | ^
          hint: indent with spaces
    """)


def test_a_duplicate_key_names_both_places() -> None:
    assert said_of("name: Thor\nsp: 4\nname: Odin\n") == words("""
        card.yaml:3:1: error: the key `name` is given twice, first at card.yaml:1:1 [Y012]
          3 | name: Odin
            | ^^^^
          hint: remove one of the two
    """)


def test_tags_and_aliases_of_nothing_are_all_found_at_once_and_each_alias_once() -> None:
    assert said_of("- &thor\n  name: !!str Thor\n- *thor\n- *odin\n- {name: *odin}\n") == words("""
        card.yaml:2:9: error: the tag `!!str` is not allowed [Y011]
          2 |   name: !!str Thor
            |         ^
          hint: remove it; numbers and texts need no tag
        card.yaml:4:3: error: `*odin` refers to an anchor `&odin`, and there is none before it [Y009]
          4 | - *odin
            |   ^^^^^
          hint: put the value in quotes
    """)


def test_an_alias_that_is_misspelt() -> None:
    assert said_of("- art: &forest a.jpg\n- art: *forest\n- art: *forrest\n") == words("""
        card.yaml:3:8: error: `*forrest` refers to an anchor `&forrest`, and there is none before it [Y009]
          3 | - art: *forrest
            |        ^^^^^^^^
          hint: did you mean `*forest`?
    """)


def test_a_text_that_begins_like_an_anchor_is_not_cut_off_in_silence() -> None:
    assert said_of("flavor: &co is here\nname: &Sons\n") == words("""
        card.yaml:1:9: error: `&co` is no part of the text: it is an anchor, and nothing refers to it [Y010]
          1 | flavor: &co is here
            |         ^^^
          hint: write `flavor: "&co is here"`
        card.yaml:2:7: error: `&Sons` is an anchor without a value, and nothing refers to it [Y010]
          2 | name: &Sons
            |       ^^^^^
          hint: write `name: "&Sons"`
    """)


def test_an_alias_inside_its_own_anchor() -> None:
    assert said_of("- &a [*a]\n") == words("""
        card.yaml:1:7: error: `*a` stands inside what it refers to [Y009]
          1 | - &a [*a]
            |       ^^
          hint: write the value out
    """)


def test_a_billion_laughs_end_in_a_message() -> None:
    laughs = "".join(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))
    assert said_of(f"- &a0 lol\n{laughs}") == words("""
        card.yaml:7:8: error: with every alias written out, the file is larger than 1 MiB [Y009]
          7 | - &a6 [*a5, *a5, *a5, *a5, *a5, *a5, *a5, *a5, *a5, *a5]
            |        ^^^
          hint: use fewer aliases, or split the file into several
    """)


def test_aliases_cannot_nest_deeper_than_brackets() -> None:
    deeper = "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 40))
    assert said_of(f"- &a0 lol\n{deeper}") == words("""
        card.yaml:33:9: error: nested more than 32 levels deep [Y015]
          33 | - &a32 [*a31]
             |         ^^^^
          hint: a card needs four
    """)


def test_a_merge_of_no_keys() -> None:
    assert said_of("- &a Thor\n- <<: *a\n") == words("""
        card.yaml:2:3: error: `<<` takes over keys and values, and this is something else [Y020]
          2 | - <<: *a
            |   ^^
          hint: write `<<: *base` where `&base` stands before the keys to take over
    """)


def test_a_tag_that_would_run_code() -> None:
    assert said_of("name: !!python/object/apply:os.system [ls]\n") == words("""
        card.yaml:1:7: error: the tag `!!python/object/apply:os.system` is not allowed [Y011]
          1 | name: !!python/object/apply:os.system [ls]
            |       ^
          hint: remove it; numbers and texts need no tag
    """)


def test_a_list_as_a_key() -> None:
    assert said_of("[name]: Thor\n") == words("""
        card.yaml:1:1: error: a list or mapping cannot be a key [Y013]
          1 | [name]: Thor
            | ^
          hint: write a word
    """)


def test_a_second_document() -> None:
    assert said_of("name: Thor\n---\nname: Odin\n") == words("""
        card.yaml:2:1: error: a second document begins here [Y014]
          2 | ---
            | ^^^
          hint: remove the line `---`; several cards are written as a list
    """)


def test_100_kb_of_brackets() -> None:
    assert said_of("[" * 100_000) == words("""
        card.yaml:1:33: error: nested more than 32 levels deep [Y015]
          hint: a card needs four
    """)


def test_32_levels_are_not_too_deep() -> None:
    FILE.write_text("[" * 32 + "]" * 32)
    assert reader.read(FILE).root


# --- what is not YAML ---


def test_a_colon_in_a_name_without_quotes() -> None:
    assert said_of("name: Thor: God of Thunder\n") == words("""
        card.yaml:1:7: error: a value without quotes cannot hold a colon and a space [Y007]
          1 | name: Thor: God of Thunder
            |       ^^^^^^^^^^^^^^^^^^^^
          hint: write `name: "Thor: God of Thunder"`
    """)


def test_a_colon_in_a_long_text_without_quotes() -> None:
    assert said_of(f"- text: HAMMER: {'Draw 1 card. ' * 5}\n") == words("""
        card.yaml:1:9: error: a value without quotes cannot hold a colon and a space [Y007]
          1 | - text: HAMMER: Draw 1 card. Draw 1 card. Draw 1 card. Draw 1 card. Draw 1 card.
            |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: put it in quotes, or write it below `text: |`, indented
    """)


BELOW = "the keys of one card stand in one column"
SLIPS = {
    "name: Thor\n  sp: 4\n": "2:3 `sp` begins in column 3, and `name` above it in column 1"
    f" (begin it exactly below `name`: {BELOW})",
    "  name: Thor\n sp: 4\n": "2:2 `sp` begins in column 2, and `name` above it in column 3"
    f" (begin it exactly below `name`: {BELOW})",
    "name: 'Thor's'\n": '1:13 there are words after the closing quote (write `name: "Thor\'s"`)',
    'name: "T"hor\n': "1:10 there are words after the closing quote (write `name: '\"T\"hor'`)",
    'name: "Thor\n': '1:7 the quote " is never closed (write `name: "Thor"`)',
    "art: {file: a\n": "1:6 `{` is not closed (separate what is inside with commas and end it with `}`)",
    "- [Thor\n": "1:3 `[` is not closed (separate what is inside with commas and end it with `]`)",
    "- {name: Agent #7, kind: tip}\n": "1:16 `#7, kind: tip}` is a comment, which hides the `}`"
    ' (a space and `#` begin a comment: write `name: "Agent #7"`)',
    "name: @thor\n": '1:7 a value without quotes cannot begin with `@` (write `name: "@thor"`)',
    "art: [\n": "2:1 the file ends where a value is expected (write the value, and close what is open)",
    "name: ]\n": "1:7 `]` is not expected here (put the value in quotes if it belongs to the words)",
    "text: Draw\nmore.\n": "2:1 expected a key and a colon, found `more.` (indent the further lines of a long value)",
    "- Thor\nsp: 4\n": "2:1 expected the next `- ` of the list (the items of a list begin exactly below each other)",
    "name: - Thor\n": '1:7 a value without quotes cannot begin with `-` (write `name: "- Thor"`)',
    "text: |Draw.\n": "1:8 there are words right after `|` (begin the text on the line below `|`, indented)",
    'name: "\\q"\n': "1:8 `\\q` means nothing: within double quotes, a backslash begins an escape"
    r" (write `name: '\q'`: in single quotes a backslash is a backslash)",
    'name: "\\x4"\n': "1:8 `\\x4` means nothing: within double quotes, a backslash begins an escape"
    r" (write `name: '\x4'`: in single quotes a backslash is a backslash)",
    "%TAG !\n---\na\n": "1:7 this is not YAML: did not find expected whitespace (see the examples in cards/README.md)",
}


@pytest.mark.parametrize("content", SLIPS)
def test_a_slip_is_explained_without_the_words_of_the_grammar(content: str) -> None:
    place, _, rest = SLIPS[content].partition(" ")
    message, _, hint = rest.removesuffix(")").rpartition(" (")
    first, *_, last = said_of(content).split("\n")
    assert [first, last] == [f"card.yaml:{place}: error: {message} [Y007]", f"  hint: {hint}"]


def test_a_slip_does_not_hide_what_stands_above_it() -> None:
    assert said_of("sp: 4\nsp: 5\nname: Thor: God\n").count("error:") == 2


def test_the_column_after_a_byte_order_mark_is_the_one_an_editor_shows() -> None:
    assert said_of("\ufeffname: @x\n").startswith("card.yaml:1:7: error: ")


SLOW_IF_SEARCHED_AGAIN_AND_AGAIN = {
    "stars": "a: " + "*" * 1_000_000,
    "a gap in a value": "a: b: x" + " " * 900_000 + "y\n",
    "gaps before keys": "a: b\n" + ("  k" + " " * 5000 + "\n") * 180 + "x: @",
    "cards that are all wrong": "- a: b: c\n" * 100_000,
    "a mistake behind many cards": "- a\n" * 19_990 + "- @x\n",
}


@pytest.mark.parametrize("name", SLOW_IF_SEARCHED_AGAIN_AND_AGAIN)
def test_reading_around_mistakes_costs_bounded_time(name: str) -> None:
    begun = time.process_time()
    reader.parse_partly(SLOW_IF_SEARCHED_AGAIN_AND_AGAIN[name], FILE)
    assert time.process_time() - begun < 10  # seconds; it takes half a second, and took minutes
