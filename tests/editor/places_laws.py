"""Places in texts: offsets and the protocol's lines and units of UTF-16 lead to each other, for any character."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from render.lsp.document import LineMap
from render.source.nodes import span

LETTERS = st.sampled_from(
    ["a", "é", "e\u0301", "😀", "\u2028", "\x0b", "\x85", "\n", "\r", "\r\n", "中", " ", "\ufeff"]
)
TEXTS = st.lists(LETTERS, max_size=30).map("".join)


def counted(text: str, offset: int) -> Position:
    """Return the position of an offset, counted by Python's own encoder; a line ends as the protocol says."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":  # within a line's end
        before = before[:-1]
    lines = re.split("\r\n|\r|\n", before)
    return Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)


@given(TEXTS, st.data())
def test_an_offset_has_the_spot_that_the_protocol_counts(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    within_end = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
    assert within_end or LineMap(text).position(offset) == counted(text, offset)


@given(TEXTS, st.data())
def test_the_spot_of_an_offset_leads_back_to_it(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    lines = LineMap(text)
    back = lines.offset(lines.position(offset))
    assert back == offset or text[back:offset] == "\r"


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_any_spot_has_an_offset_in_the_text(text: str, line: int, character: int) -> None:
    assert 0 <= LineMap(text).offset(Position(line, character)) <= len(text)


@given(TEXTS, st.data())
def test_the_place_of_a_finding_is_where_its_offsets_are(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    lines = LineMap(text)
    found = lines.range_of(span(Path("a.yaml"), text, (start, end)))
    # Messages do not count the mark at the start of a file, and end a line before its end.
    mark = 1 if text.startswith("\ufeff") else 0
    for offset, place in ((max(start, mark), found.start), (max(end, mark), found.end)):
        assert lines.offset(place) == offset or text[lines.offset(place) : offset] == "\r"
