"""Work that is shared with a second process, and checking, which uses it: the same results, in the same order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from render import sharing
from render.diag import Refused
from render.games.kotc import faces
from render.games.kotc.load import load
from tests import sets

many = range(1000)


def squares(numbers: Sequence[int]) -> list[int]:
    return [number * number for number in numbers]


def test_shared_work_gives_the_same_results_in_the_same_order() -> None:
    assert sharing.shared(squares, many) == squares(many)


def test_the_second_half_is_done_by_a_second_process_where_there_is_a_core_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sharing, "_has_second_core", lambda: hasattr(os, "fork"))
    workers = sharing.shared(lambda numbers: [os.getpid() for _ in numbers], many)
    assert set(workers[:500]) == {os.getpid()}
    assert len(set(workers[500:])) == 1
    assert (workers[500] != os.getpid()) == hasattr(os, "fork")


def test_little_work_is_done_here() -> None:
    assert sharing.shared(lambda numbers: [os.getpid() for _ in numbers], many[:50]) == [os.getpid()] * 50


def test_an_error_in_the_second_process_is_raised_here() -> None:
    def fail_at_the_end(numbers: Sequence[int]) -> list[int]:
        if 999 in numbers:
            raise OSError("the font is missing")
        return squares(numbers)

    with pytest.raises(OSError, match="the font is missing"):
        sharing.shared(fail_at_the_end, many)


CARD = "- name: Card {number}\n  kind: tip\n  text: {text}\n"


@pytest.mark.parametrize("fault", ["a word of " + "W" * 80, "short"])
def test_checking_finds_what_drawing_finds(tmp_path: Path, fault: str) -> None:
    texts = [fault if number % 70 == 5 else f"Text {number}." for number in range(250)]
    cards = "".join(CARD.format(number=number, text=text) for number, text in enumerate(texts))
    (card_set,) = load([sets.write_set(tmp_path, cards)])
    card_set = replace(card_set, cards=(*card_set.cards, replace(card_set.cards[0], back="nowhere")))
    with pytest.raises(Refused) as drawn:
        faces.draw(card_set)
    assert tuple(faces.findings(card_set)) == drawn.value.findings
