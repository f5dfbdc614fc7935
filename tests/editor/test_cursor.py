"""Where somebody types is known from the lines alone, however broken the file is at that moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.lsp.completion import Cursor, cursor_at
from tests.support.marked_texts import unmarked


def cursor(text: str) -> Cursor:
    plain, spot = unmarked(text)
    return cursor_at(plain.split("\n"), spot.line, spot.character)


KEYS = [
    ("‸", (), ""),
    ("- ‸", (), ""),
    ("- name: Dog\n  ki‸\n  level: 3", (), "ki"),
    ("- name: Dog\n\n  ‸\n- name: Cat", (), ""),
    ("- name: Dog\n  art:\n    fi‸", ("art",), "fi"),
    ("name: x\nsheet:\n  pa‸", ("sheet",), "pa"),
    ("name: x\nsheet: {paper: a4, fl‸}", ("sheet",), "fl"),
    ("sheet: {‸", ("sheet",), ""),
    ("outputs: {png: {d‸", ("outputs", "png"), "d"),
    ("cards:\n  storm‸", ("cards",), "storm"),
    ("cards: {st‸: 2}", ("cards",), "st"),
    ("- {name: Dog, ki‸}", (), "ki"),
]


@pytest.mark.parametrize(("text", "path", "typed"), KEYS)
def test_a_key_is_typed(text: str, path: tuple[str, ...], typed: str) -> None:
    found = cursor(text)
    assert (found.path, found.typed, found.in_value, found.in_list) == (path, typed, False, False)


VALUES = [
    ("- name: Dog\n  kind: mi‸\n  edition: 17", ("kind",), "mi"),
    ("- name: Dog\n  kind: ‸", ("kind",), ""),
    ("sheet: {paper: a‸}", ("sheet", "paper"), "a"),
    ("sheet:\n  paper: a‸", ("sheet", "paper"), "a"),
    ("- {name: Dog, kind: mi‸}", ("kind",), "mi"),
    ("- name: Dog\n  art:\n    file: ar‸", ("art", "file"), "ar"),
    ('- name: Dog\n  text: "BARK: Dra‸', ("text",), "BARK: Dra"),
    ("- name: Dog\n  text: |\n    BARK: Dra‸\n  kind: spell", ("text",), "BARK: Dra"),
    ("- name: Dog\n  text: >-\n    A.\n\n    ‸\n", ("text",), ""),
    ('- name: Dog\n  text: "BARK: one\n    dra‸', ("text",), "dra"),
    ("- name: 'It''s'\n  kind: ‸", ("kind",), ""),
]


@pytest.mark.parametrize(("text", "path", "typed"), VALUES)
def test_a_value_is_typed(text: str, path: tuple[str, ...], typed: str) -> None:
    found = cursor(text)
    assert (found.path, found.typed, found.in_value) == (path, typed, True)


@pytest.mark.parametrize("text", ["outputs: [png, sh‸]", "outputs:\n- png\n- sh‸", "outputs:\n  - png\n  - sh‸"])
def test_an_item_of_a_list_is_typed(text: str) -> None:
    found = cursor(text)
    assert (found.path, found.typed, found.in_list) == (("outputs",), "sh", True)


def test_the_other_values_of_the_card_are_known_and_those_of_its_neighbors_are_not() -> None:
    text = "- name: Cat\n  kind: spell\n- name: Dog\n  edition: 9  # old\n  ‸\n  kind: 'minion'\n- name: Cow\n  sp: 1\n"
    assert cursor(text).values == {"name": "Dog", "edition": "9", "kind": "minion"}


def test_a_long_value_above_is_not_typed_into() -> None:
    text = "- name: Dog\n  text: |\n    BARK: Draw 1 card.\n  ki‸"
    assert (cursor(text).path, cursor(text).typed) == ((), "ki")


def test_a_place_that_no_file_has_is_the_end_of_an_empty_one() -> None:
    assert cursor_at([], 5, 9) == Cursor(path=(), typed="", start=0)


PIECES = st.sampled_from(
    [
        "- ",
        "name",
        ": ",
        "text",
        "|",
        ">",
        '"',
        "'",
        "{",
        "}",
        "[",
        ",",
        "\n",
        "\n  ",
        "\n    ",
        "#",
        "é",
        "sheet:",
        "\t",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join), st.integers(-1, 12), st.integers(0, 60))
def test_whatever_is_written_there_is_a_place(text: str, line: int, column: int) -> None:
    found = cursor_at(text.split("\n"), line, column)
    assert found.start + len(found.typed) <= max(column, 0) + 1
