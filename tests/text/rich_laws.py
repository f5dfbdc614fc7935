"""Laws of setting rich text: what is found fast is what looking atom by atom, and piece by piece, finds."""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import IDENTITY, Affine, Rect
from render.scene.items import TextRun, UnseenRun
from render.text import fonts
from render.text.box_lines import Leading, Part, TextBlock, TextBox, fits, line_height, parts_of, placed_lines
from render.text.line_breaking import ICON, ROUNDING, InlineIcon, LineWord, TextStyle, set_word, words_of
from render.text.line_setting import PlacedIcon, RowSetting, set_row

PLAIN = TextStyle("DejaVu Sans", (0, 0, 0))
TURN = replace(PLAIN, icon=InlineIcon(("turn.svg", ""), "{T}", 0.9, 0.9))
HUGE = replace(PLAIN, icon=InlineIcon(("turn.svg", ""), "{TT}", 2.0, 1.6), scale=1.2)
LOUD = replace(PLAIN, fill=(200, 0, 0), scale=1.5)
SMALL = replace(PLAIN, face="DejaVu Sans Bold", scale=0.8)

styled = st.one_of(
    st.tuples(st.text("abiMW -éfi", min_size=1, max_size=12), st.sampled_from((PLAIN, LOUD, SMALL))),
    st.tuples(st.sampled_from((ICON, ICON * 2)), st.sampled_from((TURN, HUGE))),
)
paragraphs = st.lists(styled, min_size=1, max_size=12).map(tuple)
blocks = st.lists(st.builds(lambda words, follows: TextBlock(words, follows=follows),
                            paragraphs, st.booleans()), min_size=1, max_size=3)  # fmt: skip
boxes = st.builds(
    TextBox,
    room=st.builds(Rect, st.just(5.0), st.just(7.0), st.floats(4, 60), st.floats(4, 40)),
    align=st.just("start"),
    largest=st.just(4.0),
    smallest=st.just(1.0),
    step=st.just(0.05),
    leading=st.builds(Leading, st.sampled_from((None, 1.2)), st.sampled_from((0.0, 0.03)), st.sampled_from((0.5, 1.0))),
    shift=st.sampled_from((0.0, 0.5, 1.0)),
    around=st.sampled_from(((), (Rect(5.0, 7.0, 3.0, 2.0),), (Rect(25.0, 15.0, 60.0, 40.0),))),
)


def sides(box: TextBox, top: float, bottom: float) -> tuple[float, float]:
    """Return the ends of a line between two heights."""
    beside = [each for each in box.around if each.y < bottom - ROUNDING and each.bottom > top + ROUNDING]
    before = [each for each in beside if each.center[0] < box.room.center[0]]
    left = max([box.room.x, *(each.right for each in before)])
    return left, max(left, min([box.room.right, *(each.x for each in beside if each not in before)]))


def line_from(part: Part, first: int, box: TextBox, size: float, y: float) -> tuple[int, float, float, float] | None:
    """Return the last atom of a line, its left and right end, and its height, by trying one atom after the other."""
    atoms, face = part.atoms, "DejaVu Sans"
    assert atoms is not None
    face = atoms.words[0].styled[0][1].face
    height, ascent = line_height(box.leading, face, size, box.step)
    reached = 1
    while True:
        reaches = part.reaches[first : first + reached] if part.reaches else ()
        scale = max((each.scale for each in reaches), default=1.0)
        above = max(ascent * scale, *(each.above * size for each in reaches), 0.0)
        below = max((height - ascent) * scale, *(each.below * size for each in reaches), 0.0)
        left, right = sides(box, y, y + above + below)
        end = atoms.starts[first] + (right - left) / size + ROUNDING
        count = sum(atoms.limits[at] <= end for at in range(first, len(atoms.starts)))
        if not count and atoms.ends[first] > end:
            return None
        if max(count, 1) <= reached:
            return first + max(count, 1) - 1, left, right, above + below
        reached = max(count, 1)


@settings(max_examples=60, deadline=None)
@given(paragraphs, boxes, st.floats(1.0, 4.0))
def test_each_line_holds_as_many_atoms_as_fit_one_by_one(
    words: tuple[tuple[str, TextStyle], ...], box: TextBox, size: float
) -> None:
    box = replace(box, shift=0.0)
    parts = parts_of([TextBlock(words)], 0)
    first, y = 0, box.room.y
    for line in placed_lines(parts, box, size) or []:
        assert (line.first, line.bottom <= box.room.bottom + ROUNDING) == (first, True)
        while (found := line_from(line.part, first, box, size, y)) is None:
            y = min(each.bottom for each in box.around if each.bottom > y + ROUNDING)
        last, left, right, height = found
        tried = (line.last, line.x, line.width, line.top, line.bottom)
        if last == line.last or not line.part.reaches:  # of tall atoms, those that no longer fit leave the line high
            assert tried == (last, left, right - left, y, y + height)
        y, first = line.bottom + box.leading.gap, line.last + 1


@settings(max_examples=60, deadline=None)
@given(blocks, boxes, st.floats(1.0, 4.0))
def test_a_text_fits_at_a_size_if_and_only_if_it_has_its_place_there(
    found: list[TextBlock], box: TextBox, size: float
) -> None:
    parts = parts_of(found, 0)
    assert fits(parts, box, size) is (placed_lines(parts, box, size) is not None)


def slowly(words: list[LineWord], row: RowSetting) -> list[tuple[object, ...]]:
    """Return what a line holds, piece by piece: place, face and color, and glyphs or the icon's place."""
    pieces: list[tuple[float, fonts.Shaped, TextStyle]] = []
    x = row.x
    for number, (word, *_) in enumerate(words):
        if number and not words[number - 1][1]:
            last, style = words[number - 1][0][-1]
            face = last.face
            for space in set_word(replace(style, face=face, icon=None), " "):
                pieces.append((x, space, style))
                x += space.width * row.size * row.stretch
        for shaped, style in word:
            pieces.append((x, shaped, style))
            x += shaped.width * (row.size * row.stretch)
    said: list[tuple[object, ...]] = []
    looks = groupby(enumerate(pieces), key=lambda each: (
        (each[0],) if not each[1][1].glyphs else (-1, each[1][1].face, each[1][2].fill, each[1][2].scale)))  # fmt: skip
    for _, group in looks:
        run = [piece for _, piece in group]
        start, first, style = run[0]
        if not first.glyphs:
            said.append((start, style.icon))
            continue
        glyphs = tuple(glyph for _, shaped, _ in run for glyph in shaped.glyphs)
        advances = tuple(advance for _, shaped, _ in run for advance in shaped.advances)
        said.append((start, first.face, style.fill, row.size * style.scale, glyphs, advances))
    return said


@settings(max_examples=60, deadline=None)
@given(paragraphs, st.floats(1.0, 4.0), st.sampled_from((1.0, 0.7)))
def test_a_line_is_set_as_if_piece_by_piece(
    styled: tuple[tuple[str, TextStyle], ...], size: float, stretch: float
) -> None:
    row, words = RowSetting(3.0, 8.0, size, stretch), [(word.shaped, word.joined, 0) for word in words_of(styled)]
    said: list[tuple[object, ...]] = []
    for item in set_row(words, row):
        match item:
            case PlacedIcon():
                said.append((item.x, item.icon))
            case UnseenRun():
                assert item.words in ("{T}", "{TT}")
            case TextRun():
                assert item.transform == IDENTITY @ Affine(e=item.transform.e, f=8.0)
                said.append((item.transform.e, item.face, item.fill, item.size, item.glyphs, item.advances))
    pieces = slowly(words, row)
    assert [each[1:] for each in said] == [each[1:] for each in pieces]
    assert [each[0] for each in said] == pytest.approx([each[0] for each in pieces])
