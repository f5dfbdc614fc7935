"""Files that are not YAML as cards need it: exactly what their author reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from render.base.findings import Refused, as_text
from render.source import reader
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


def test_a_binary_file_gives_a_hundred_findings_and_no_more() -> None:
    FILE.write_bytes(bytes(1000))
    with pytest.raises(Refused) as refused:
        reader.read(FILE)
    assert len(refused.value.findings) == reader.MAX_FINDINGS


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


def test_aliases_anchors_and_tags_are_all_found_at_once() -> None:
    assert said_of("- &thor\n  name: !!str Thor\n- *thor\n") == words("""
        card.yaml:1:3: error: the anchor `&thor` is not allowed [Y010]
          1 | - &thor
            |   ^
          hint: remove it
        card.yaml:2:9: error: the tag `!!str` is not allowed [Y011]
          2 |   name: !!str Thor
            |         ^
          hint: remove it; numbers and texts need no tag
        card.yaml:3:3: error: the alias `*thor` is not allowed [Y009]
          3 | - *thor
            |   ^^^^^
          hint: write the value out
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


BELOW = "check the indentation: the keys of one card stand exactly below each other"
SLIPS = {
    "name: Thor\n  sp: 4\n": f"2:5 a key is not expected here ({BELOW})",
    "  name: Thor\n sp: 4\n": f"2:2 this line belongs to nothing above it ({BELOW})",
    "name: 'Thor's'\n": "1:13 there are words after the closing quote (a ' within single quotes is written twice: '')",
    'name: "T"hor\n': '1:10 there are words after the closing quote (a " within double quotes is written \\")',
    'name: "Thor\n': '1:7 the quote " is never closed (end the text with ")',
    "art: {file: a\n": "1:6 `{` is not closed (separate what is inside with commas and end it with `}`)",
    "- [Thor\n": "1:3 `[` is not closed (separate what is inside with commas and end it with `]`)",
    "- {name: Agent #7, kind: tip}\n": "1:3 `{` is not closed"
    " (a space and `#` begin a comment, which hides `}`: put the value with the `#` in quotes)",
    "name: @thor\n": "1:7 a value without quotes cannot begin with `@` (put the value in quotes)",
    "art: [\n": "2:1 the file ends where a value is expected (write the value, and close what is open)",
    "name: ]\n": "1:7 `]` is not expected here (put the value in quotes if it belongs to the words)",
    "text: Draw\nmore.\n": "2:1 expected a key and a colon, found `more.` (indent the further lines of a long value)",
    "- Thor\nsp: 4\n": "2:1 expected the next `- ` of the list (the items of a list begin exactly below each other)",
    "name: - Thor\n": "1:7 a list cannot begin here (begin each item on a line of its own, or put the value in quotes)",
    "text: |Draw.\n": "1:8 there are words right after `|` (begin the text on the line below `|`, indented)",
    'name: "\\q"\n': "1:8 `\\q` is not an escape that YAML knows (within double quotes a backslash is written \\\\)",
    'name: "\\x4"\n': "1:8 `\\x4` is not an escape that YAML knows (within double quotes a backslash is written \\\\)",
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
