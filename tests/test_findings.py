"""Findings in words: what may stand in them, and how what cannot be seen is shown."""

from __future__ import annotations

import pytest

from render.diag import printable, quoted, reason


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "WARNING: stream <_io.BytesIO object at 0x7f993732c220> (object 4 0, offset 98937): expected endstream",
            "object 4 0, offset 98937: expected endstream",
        ),
        ("stream <_io.BytesIO object at 0x7f993732c220>: file is damaged", "file is damaged"),
        ("cannot identify image file <_io.BytesIO object at 0x7f99>", "cannot identify image file"),
        (
            "no sum of <bound method A.b of <C object at 0xFF>>",
            "no sum of <bound method A.b of <C object>>",
        ),
        ("broken\n  data stream.", "broken data stream"),
        ("\x1b[31mred", "\ufffd[31mred"),
    ],
)
def test_what_a_library_says_stands_on_one_line_without_addresses_of_memory(said: str, message: str) -> None:
    assert reason(said) == reason(ValueError(said)) == message


def test_an_error_without_words_is_called_by_its_kind() -> None:
    assert reason(MemoryError()) == "MemoryError"


def test_invisible_signs_of_a_formula_are_shown() -> None:
    assert quoted("(2\u2062x\u2063 1\u20641/2 f\u2061y)") == "`(2·x, 1+1/2 f y)`"


def test_what_else_cannot_be_seen_is_replaced_and_a_byte_that_is_no_utf_8_named() -> None:
    assert printable("a\u200b\u202e\u0007\u00ad") == "a\ufffd\ufffd\ufffd\ufffd"
    assert printable("f\udcfcr.yaml") == "f\\xfcr.yaml"
