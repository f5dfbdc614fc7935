"""A line that is cut around words still shows them, above their carets."""

from hypothesis import given
from hypothesis import strategies as st

from render.base.columns import ELLIPSIS, columns, cut_around

ANY = st.text(
    st.sampled_from(["a", " ", ":", "é", "e\u0301"[1], "\u0300", "猫", "龍", "😀", "\ufe0f", "한", "ㅏ", "“"]),
    max_size=150,
)


@given(ANY, st.text("xyz猫", min_size=1, max_size=40), ANY, st.integers(12, 120))
def test_words_stay_above_their_carets(before: str, words: str, after: str, width: int) -> None:
    line = f"{before}{words}|{after}"
    cut = cut_around(line, len(before), len(before) + len(words), width)
    assert columns(cut.shown) <= max(width, 0)
    at = next(index for index in range(len(cut.shown) + 1) if columns(cut.shown[:index]) >= cut.before)
    while at < len(cut.shown) and columns(cut.shown[at]) == 0:
        at += 1
    seen = cut.shown[at:].partition("|")[0]
    seen = words if seen == f"{words}{ELLIPSIS}" else seen  # what follows the words is cut, and not they
    assert columns(cut.shown[:at]) == cut.before
    assert seen == words or (seen.endswith(ELLIPSIS) and words.startswith(seen.removesuffix(ELLIPSIS)))
    assert cut.words == columns(seen)


@given(ANY, st.integers(12, 120))
def test_a_line_that_fits_is_not_cut(line: str, width: int) -> None:
    if columns(line) <= width:
        assert cut_around(line, 0, 1, width).shown == line
