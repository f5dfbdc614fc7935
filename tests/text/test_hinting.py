"""Letters that advance by whole pixels, as in the official files: figures read off those pictures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import Rect
from render.text import fitting, fonts, hinting
from render.text.box_lines import Leading, TextBlock, TextBox
from render.text.fitting import FittedBox, FittedLine, TextLine
from render.text.line_breaking import Paragraph, TextStyle

BLACK = (0, 0, 0)
words = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABTVWY,.;'-fi1234", min_size=1, max_size=14)


def advances(face: str, text: str, pixels: float) -> list[float]:
    """Return the advance of each glyph in pixels."""
    return [round(each.width * pixels, 6) for letter in text for each in hinting.shape_on_pixels(face, letter, pixels)]


def test_an_oblique_e_of_22_pixels_is_13_wide_though_its_outline_says_13_and_a_half() -> None:
    assert advances("DejaVu Sans Oblique", "em", 22.0) == [13, 22]
    assert fonts.width("DejaVu Sans Oblique", "e") * 22 > 13.5


def test_kerning_is_rounded_by_itself() -> None:
    ((pair,), (first,), (second,)) = (
        hinting.shape_on_pixels("DejaVu Sans Condensed", text, 67.0) for text in ("Te", "T", "e")
    )
    assert round((pair.width - first.width - second.width) * 67, 6) == -11


@given(words, st.sampled_from((18.0, 22.0, 34.0, 67.0)), st.sampled_from(("DejaVu Sans Condensed", "DejaVu Sans")))
def test_every_glyph_ends_on_a_pixel(text: str, pixels: float, face: str) -> None:
    for piece in hinting.shape_on_pixels(face, text, pixels):
        unit = pixels / fonts.face(piece.face).units_per_em
        ends = [sum(piece.advances[: end + 1]) * unit for end in range(len(piece.advances))]
        assert all(abs(end - round(end)) <= unit for end in ends)
        assert piece.width * pixels == pytest.approx(round(piece.width * pixels), abs=1e-6)


def box(paragraphs: tuple[Paragraph, ...], width: float) -> list[str]:
    """Return the lines of a text of 34 pixels in a box that is so many pixels wide."""
    room = TextBox(
        room=Rect(0, 0, width, 1000), align="start", largest=34.0, smallest=34.0, step=1.0, leading=Leading(1.0)
    )
    fitted = fitting.fit_box([TextBlock(words) for words in paragraphs], room)
    assert isinstance(fitted, FittedBox)
    return [run.words for run in fitted.runs]


def test_the_space_at_which_a_line_breaks_must_fit() -> None:
    """`one two` is 123 pixels wide and the space behind it 10; at the end of a text there is no space."""
    style = TextStyle("DejaVu Sans Condensed", BLACK, 34.0)
    assert box(((("one two", style),),), 123) == ["one two"]
    assert box(((("one two three", style),),), 132) == ["one", "two", "three"]
    assert box(((("one two three", style),),), 133) == ["one two", "three"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [("re-roll", ["re-", "roll"]), ("and/or", ["and/", "or"]), ("ten—or", ["ten", "—or"]), ("1/2-3", ["1/2-3"])],
)
def test_a_word_may_break_where_unicode_lets_it(text: str, lines: list[str]) -> None:
    style = TextStyle("DejaVu Sans Condensed", BLACK, 34.0)
    assert box(((( text, style),),), 80) == lines  # fmt: skip


@pytest.mark.parametrize(
    ("name", "first"), [("Anubis", 398), ("American Robin", 262), ("Thor", 432), ("Lucifer", 398), ("Multi-Tool", 359)]
)
def test_a_centred_name_begins_at_the_pixel_where_it_begins_on_its_official_card(name: str, first: int) -> None:
    style = TextStyle("DejaVu Sans Condensed", BLACK, 67.0)
    fitted = fitting.fit_line(((name, style),), TextLine(500.0, 142.0, "middle", 67.0, 860.0, 0.8, 40.0, 1.0))
    assert isinstance(fitted, FittedLine)
    assert fitted.setting.x == first
    assert fitted.setting.stretch == 1.0


def test_a_line_that_must_be_condensed_has_no_pixels() -> None:
    style = TextStyle("DejaVu Sans Condensed", BLACK, 67.0)
    plain = replace(style, pixels=0.0)
    room = TextLine(500.0, 142.0, "middle", 67.0, 400.0, 0.8, 20.0, 1.0)
    fitted, usual = (fitting.fit_line((("American Robin", each),), room) for each in (style, plain))
    assert isinstance(fitted, FittedLine)
    assert isinstance(usual, FittedLine)
    assert fitted.runs == usual.runs
