"""Files that are not YAML as cards need it: exactly what their author reads."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from render.base.findings import Refused, as_text
from render.base.limits import FILE_FINDINGS
from render.source import reader
from tests.support.messages import assert_says, facts
from tests.support.systems import with_pipes

pytestmark = pytest.mark.usefixtures("in_empty_folder")

FILE = Path("card.yaml")


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


SAID: dict[str, tuple[Any, ...]] = {
    "a file of 2 mib": (
        b"# 345678\n" * 233017,
        ["1:1 Y003 the file is larger than 1 MiB (split it into several files)"],
    ),
    "an empty file": ("", ["1:1 Y006 the file is empty (write a card, or remove the file)"]),
    "a file of comments is empty": (
        "# name: Thor\n---\n",
        ["1:1 Y006 the file is empty (write a card, or remove the file)"],
    ),
    "invalid utf 8 is shown at its first byte": (
        b"kind: minion\nname: Th\xf6r \xff\n",
        ["2:9 Y004 the byte 0xf6 is not UTF-8 (save the file as UTF-8)"],
    ),
    "control characters are named and never printed": (
        "name: Th\x07or\nflavor: \x1b[31m\n",
        [
            "1:9 Y005 the character U+0007 cannot be printed (remove it)",
            "2:9 Y005 the character U+001B cannot be printed (remove it)",
        ],
    ),
    "a lone surrogate": (
        'name: "Th\\uD800or"\n',
        ["1:10 Y016 `\\uD800` is not a character that can be printed (remove it)"],
    ),
    "an escaped null character": (
        'name: "Th\\0or"\n',
        ["1:10 Y016 `\\0` is not a character that can be printed (remove it)"],
    ),
    "tabs": ("art:\n\tfile: storm.jpg\n", ["2:1 Y008 a tab is used as indentation (indent with spaces)"]),
    "a duplicate key names both places": (
        "name: Thor\nsp: 4\nname: Odin\n",
        ["3:1 Y012 the key `name` is given twice, first at card.yaml:1:1 (remove one of the two)"],
    ),
    "tags and aliases of nothing are all found at once and each alias once": (
        "- &thor\n  name: !!str Thor\n- *thor\n- *odin\n- {name: *odin}\n",
        [
            "2:9 Y011 the tag `!!str` is not allowed (remove it; numbers and texts need no tag)",
            "4:3 Y009 `*odin` refers to an anchor `&odin`, and there is none before it (put the value in quotes)",
        ],
    ),
    "an alias that is misspelt": (
        "- art: &forest a.jpg\n- art: *forest\n- art: *forrest\n",
        ["3:8 Y009 `*forrest` refers to an anchor `&forrest`, and there is none before it (did you mean `*forest`?)"],
    ),
    "a text that begins like an anchor is not cut off in silence": (
        "flavor: &co is here\nname: &Sons\n",
        [
            '1:9 Y010 `&co` is no part of the text: it is an anchor, and nothing refers to it (write `flavor: "&co is here"`)',
            '2:7 Y010 `&Sons` is an anchor without a value, and nothing refers to it (write `name: "&Sons"`)',
        ],
    ),
    "an alias inside its own anchor": (
        "- &a [*a]\n",
        ["1:7 Y009 `*a` stands inside what it refers to (write the value out)"],
    ),
    "a merge of no keys": (
        "- &a Thor\n- <<: *a\n",
        ["2:3 Y020 `<<` takes over keys and values, and this is something else"],
    ),
    "a tag that would run code": (
        "name: !!python/object/apply:os.system [ls]\n",
        [
            "1:7 Y011 the tag `!!python/object/apply:os.system` is not allowed (remove it; numbers and texts need no tag)"
        ],
    ),
    "a list as a key": ("[name]: Thor\n", ["1:1 Y013 a list or mapping cannot be a key (write a word)"]),
    "a second document": (
        "name: Thor\n---\nname: Odin\n",
        ["2:1 Y014 a second document begins here (remove the line `---`; several cards are written as a list)"],
    ),
    "100 kb of brackets": ("[\n" * 50_000, ["33:1 Y015 nested more than 32 levels deep (a card needs four)"]),
    "a colon in a name without quotes": (
        "name: Thor: God of Thunder\n",
        ['1:7 Y007 a value without quotes cannot hold a colon and a space (write `name: "Thor: God of Thunder"`)'],
    ),
    "a colon in a long text without quotes": (
        f"- text: HAMMER: {'Draw 1 card. ' * 5}\n",
        ["1:9 Y007 a value without quotes cannot hold a colon and a space"],
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID.values(), ids=SAID)
def test_what_its_author_reads(given: Any, wanted: list[str]) -> None:
    assert_says(said_of(given), *wanted)


def test_brackets_in_one_line_may_be_told_where_the_parser_looked_ahead() -> None:
    assert "Y015 nested more than 32 levels deep" in facts(said_of("[" * 100_000))[0]


def test_a_file_of_exactly_1_mib_is_read() -> None:
    FILE.write_bytes(b"name: Thor\n" + b"#" * ((1 << 20) - 11))
    assert reader.read(FILE).root


# --- characters ---


def test_a_file_that_is_no_text_gives_one_finding() -> None:
    assert said_of(b"PK\3\4" + bytes(100)).split("\n")[::3] == [
        "card.yaml:1:5: error: the file is no text [Y005]",
        "  hint: save what you wrote as text in UTF-8; documents of word processors and pictures are none",
    ]


def test_a_file_of_control_characters_gives_a_hundred_findings_and_no_more() -> None:
    FILE.write_bytes(b"\7" * 1000)
    with pytest.raises(Refused) as refused:
        reader.read(FILE)
    assert len(refused.value.findings) == FILE_FINDINGS.most


# --- what card files must not hold ---


def test_a_billion_laughs_end_in_a_message() -> None:
    laughs = "".join(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))
    assert_says(said_of(f"- &a0 lol\n{laughs}"), "7:8 Y009 with every alias written out, the file is larger than 1 MiB")


def test_aliases_cannot_nest_deeper_than_brackets() -> None:
    deeper = "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 40))
    assert_says(said_of(f"- &a0 lol\n{deeper}"), "33:9 Y015 nested more than 32 levels deep (a card needs four)")


def test_32_levels_are_not_too_deep() -> None:
    FILE.write_text("[" * 32 + "]" * 32)
    assert reader.read(FILE).root


# --- what is not YAML ---


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
    "%TAG !\n---\na\n": "1:7 this is not YAML: did not find expected whitespace (see the examples in cards/reference/yaml.md)",
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
