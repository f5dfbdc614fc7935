"""Texts that GIMP set are read pixel by pixel; what their pixels do not tell is not sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.kotc.gimp_texts import (
    CONDENSED,
    CREDIT,
    FLAVOR,
    NAME,
    OBLIQUE,
    TEXT,
    GimpLayer,
    broken_lines,
    read_credit,
    read_lines,
    read_name,
)

LONG = (
    "SWORD OF OMEN: Exhaust 1 of your unexhausted creatures in play chosen by an opponent of your choice. Have one"
    " opponent look at exactly 7 cards on top of their own deck. Destroy all targets."
)
NEARLY_FULL = "Target up to 1 in-play card with counters (re-roll); exhaust it, or it at once."


@pytest.mark.parametrize(("size", "text"), [(34, LONG), (27, f"{LONG}\nDraw 3 cards."), (21, f"Draw it.\n{LONG}")])
def test_a_text_is_read_for_sure_with_its_paragraphs(size: int, text: str) -> None:
    read = read_lines("text", text, replace(TEXT, size=size))
    assert (read.value, read.is_sure) == (text, True)


def test_paragraphs_of_one_line_each_stay_apart_though_the_first_is_the_longest() -> None:
    text = "GIFT: Roll 3 six-sided dice and burn it.\n\nDraw 3 cards.\n\nDestroy it."
    read = read_lines("text", text, replace(TEXT, size=29))
    assert (read.value, read.is_sure) == (text.replace("\n\n", "\n"), True)


def test_the_last_line_of_a_paragraph_tells_by_its_spaces_though_it_is_nearly_full() -> None:
    text = f"{LONG}\n{NEARLY_FULL}\nIncrease targets' offense."
    read = read_lines("text", text, replace(TEXT, size=23))
    assert (read.value, read.is_sure) == (text, True)


def test_lines_that_are_not_stretched_are_not_sure_to_be_paragraphs_if_the_next_word_had_no_room() -> None:
    ragged = "\n".join(broken_lines(LONG, TEXT))
    assert not read_lines("text", ragged, TEXT).is_sure


def test_a_text_that_goes_on_below_its_box_is_not_sure() -> None:
    assert not read_lines("text", f"{LONG} {LONG}", TEXT).is_sure


def test_letters_that_the_edge_of_the_layer_cuts_are_read() -> None:
    text = "Target up to 2 cards in play with at least 3 counters. Place 3 counters on each target, or on any cards."
    top = TEXT.top + TEXT.height - 53  # the second line loses a row of its descenders
    read = read_lines("text", text, replace(TEXT, size=23, top=top, height=53))
    assert (read.value, read.is_sure) == (text, True)


@pytest.mark.parametrize("flavor", ["“It always comes back.”\n— Somebody", "Roses are red,\nviolets are blue."])
def test_a_line_of_flavor_that_ends_early_was_ended_by_its_author(flavor: str) -> None:
    read = read_lines("flavor", flavor, FLAVOR)
    assert (read.value, read.is_sure) == (flavor, True)


def test_a_line_of_flavor_that_is_full_goes_on() -> None:
    flavor = "Lucifer is an Abrahamic angel who rebelled against the god Yahweh, leading to his fall and to ours."
    read = read_lines("flavor", flavor, FLAVOR)
    assert (read.value, read.is_sure) == (flavor, True)


@pytest.mark.parametrize("size", [18, 20, 22])
def test_accents_quotes_and_dashes_of_small_flavor_are_read(size: int) -> None:
    flavor = "“Zażółć” naïve Łódź – coöperate: ß § † 1–2 & 3½?"
    read = read_lines("flavor", flavor, replace(FLAVOR, size=size))
    assert (read.value, read.is_sure) == (flavor, True)


def test_two_lines_of_credit_are_not_sure() -> None:
    credit = "Card design by anonymous author, CC0."
    assert read_credit(credit, CREDIT).is_sure
    assert not read_credit(f"{credit}\nSecond line of it.", CREDIT).is_sure


@pytest.mark.parametrize(
    ("face", "size", "text"),
    [(CONDENSED, 17, 'By "Bob"'), (OBLIQUE, 20, "I am"), ("DejaVu Sans", 17, "“Bob” …")],
)
def test_signs_that_look_like_others_at_a_size_are_not_sure(face: str, size: int, text: str) -> None:
    layer = GimpLayer(face=face, size=size, left=70, top=1259, width=860, height=81)
    read = read_lines("flavor", text, layer) if face == OBLIQUE else read_credit(text, replace(CREDIT, face=face))
    assert not read.is_sure


def test_a_word_with_i_and_j_has_two_letters() -> None:
    read = read_name("Fiji", NAME)
    assert (read.value, read.is_sure) == ("Fiji", True)


def test_nobody_can_tell_a_low_quotation_mark_from_a_comma() -> None:
    assert not read_name("A ,b’", NAME).is_sure
