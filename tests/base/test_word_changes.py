"""What differs between two texts, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from render.base.word_changes import edits_between, mark_changes

TEXTS = st.lists(st.sampled_from(["draw", "1", "card", " ", "\n", ".", "Don’t"]), max_size=30).map("".join)


def sides(before: str, after: str) -> tuple[str, str]:
    """Return what stays and what goes of a text, and what stays and what comes."""
    marked = mark_changes(before, edits_between(before, after))
    old, new = ("".join(words for words, mark in marked if mark != side) for side in ("new", "old"))
    return old, new


@given(TEXTS, TEXTS)
def test_marks_give_both_texts(before: str, after: str) -> None:
    assert sides(before, after) == (before, after)


def test_a_long_text_that_repeats_itself_is_compared_at_once() -> None:
    before = "draw 1 card. " * 1500
    after = before.replace("1", "2")
    assert sides(before, after) == (before, after)
