"""Texts that GIMP set are read pixel by pixel; what their pixels do not tell is not sure."""

import pytest
from msgspec.structs import replace

from tests.games.kotc.gimp_texts import (
    CONDENSED,
    CREDIT,
    FLAVOR,
    NAME,
    OBLIQUE,
    TEXT,
    GimpLayer,
    broken_lines,
    read_line,
    read_lines,
)

LONG = (
    "SWORD OF OMEN: Exhaust 1 of your unexhausted creatures in play chosen by an opponent of your choice. Have one"
    " opponent look at exactly 7 cards on top of their own deck. Destroy all targets."
)
NEARLY_FULL = "Target up to 1 in-play card with counters (re-roll); exhaust it, or it at once."


ONE_LINE_EACH = "GIFT: Roll 3 six-sided dice and burn it.\nDraw 3 cards.\nDestroy it."
CUT_OFF = "Target up to 2 cards in play with at least 3 counters. Place 3 counters on each target, or on any cards."
SECOND_LINE = TEXT.top + TEXT.height - 53  # it loses a row of its descenders at the edge of the layer
FULL_LINES = "Lucifer is an Abrahamic angel who rebelled against the god Yahweh, leading to his fall and to ours."
SIGNS = "“Zażółć” naïve Łódź – coöperate: ß § † 1–2 & 3½?"


@pytest.mark.parametrize(
    ("field", "text", "layer"),
    [
        ("text", LONG, replace(TEXT, size=34)),
        ("text", f"Draw it.\n{LONG}", replace(TEXT, size=21)),
        # Paragraphs of one line each stay apart though the first is the longest, and a line is nearly full.
        ("text", ONE_LINE_EACH, replace(TEXT, size=29)),
        ("text", f"{LONG}\n{NEARLY_FULL}\nIncrease targets' offense.", replace(TEXT, size=23)),
        ("text", CUT_OFF, replace(TEXT, size=23, top=SECOND_LINE, height=53)),
        # A line of flavor that ends early was ended by its author, and one that is full goes on.
        ("flavor", "“It always comes back.”\n— Somebody", FLAVOR),
        ("flavor", "Roses are red,\nviolets are blue.", FLAVOR),
        ("flavor", FULL_LINES, FLAVOR),
        # An ellipsis has gaps, and rings stand above capitals.
        ("flavor", "Ålesund … ůž “so”", FLAVOR),
        *(("flavor", SIGNS, replace(FLAVOR, size=size)) for size in (18, 22)),
    ],
)
def test_a_text_is_read_for_sure_with_its_lines_and_paragraphs(field: str, text: str, layer: GimpLayer) -> None:
    read = read_lines(field, text.replace("\n", "\n\n") if text == ONE_LINE_EACH else text, layer)
    assert (read.value, read.is_sure) == (text, True)


def test_lines_that_are_not_stretched_are_not_sure_to_be_paragraphs_if_the_next_word_had_no_room() -> None:
    ragged = "\n".join(broken_lines(LONG, TEXT))
    assert not read_lines("text", ragged, TEXT).is_sure
    assert not read_lines("text", f"{LONG} {LONG}", TEXT).is_sure, "it goes on below its box"


def test_two_lines_of_credit_are_not_sure() -> None:
    credit = "Card design by anonymous author, CC0."
    assert read_line("credit", credit, CREDIT).is_sure
    assert not read_line("credit", f"{credit}\nSecond line of it.", CREDIT).is_sure


@pytest.mark.parametrize(
    ("face", "size", "text"),
    [(CONDENSED, 17, 'By "Bob"'), (OBLIQUE, 20, "I am"), ("DejaVu Sans", 17, "“Bob” …")],
)
def test_signs_that_look_like_others_at_a_size_are_not_sure(face: str, size: int, text: str) -> None:
    layer = GimpLayer(face=face, size=size, left=70, top=1259, width=860, height=81)
    read = (
        read_lines("flavor", text, layer) if face == OBLIQUE else read_line("credit", text, replace(CREDIT, face=face))
    )
    assert not read.is_sure


def test_a_word_with_i_and_j_has_two_letters_and_nobody_can_tell_a_low_quotation_mark_from_a_comma() -> None:
    read = read_line("name", "Fiji", NAME)
    assert (read.value, read.is_sure) == ("Fiji", True)
    assert not read_line("name", "A ,b’", NAME).is_sure
