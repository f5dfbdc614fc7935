"""Laws of setting text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from render.base.geometry import Rect
from render.scene.items import TextRun
from render.text import fitting, fonts
from render.text.box_lines import Leading, TextBlock, TextBox
from render.text.fitting import FittedBox, TextLine, TooLong, TooMuch
from render.text.line_breaking import Atoms, Paragraph, TextStyle

UPRIGHT = TextStyle("DejaVu Sans Condensed", (0, 0, 0))
ITALIC = TextStyle("DejaVu Sans Condensed Oblique", (0, 0, 0))

words = st.text(
    alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,.;:'-fiflAVToé1234→", min_size=1, max_size=14
)
styled = st.tuples(st.lists(words, min_size=1, max_size=12).map(" ".join), st.sampled_from((UPRIGHT, ITALIC)))
paragraphs = st.lists(styled, min_size=1, max_size=3).map(
    lambda parts: tuple(
        (f"{words} " if index + 1 < len(parts) else words, style) for index, (words, style) in enumerate(parts)
    )
)
texts = st.lists(paragraphs, min_size=1, max_size=3).map(tuple)
boxes = st.builds(
    TextBox,
    room=st.builds(Rect, st.just(5.0), st.just(7.0), st.floats(20, 60), st.floats(8, 40)),
    align=st.sampled_from(("start", "middle", "end", "justify")),
    largest=st.just(4.445),
    smallest=st.just(1.778),
    step=st.just(0.0635),
    leading=st.builds(Leading, st.sampled_from((None, 1.2)), st.just(0.03), st.sampled_from((0.5, 1.0))),
    max_growth=st.just(0.7),
)


def width(run: TextRun) -> float:
    return sum(run.advances) / fonts.face(run.face).units_per_em * run.size * run.stretch


def set_in(box: TextBox, paragraphs: tuple[Paragraph, ...]) -> tuple[TextRun, ...]:
    """Return the paragraphs as set in the box, nothing if they do not fit."""
    fitted = fitting.fit_box([TextBlock(words) for words in paragraphs], box)
    return fitted.runs if isinstance(fitted, FittedBox) else ()


def said(paragraphs: tuple[Paragraph, ...]) -> str:
    return "".join("".join(words for words, _ in paragraph) for paragraph in paragraphs)


@settings(deadline=None)
@given(texts, boxes)
def test_a_set_text_says_every_word_once_and_in_order(texts: tuple[Paragraph, ...], box: TextBox) -> None:
    runs = set_in(box, texts)
    if runs:
        assert "".join(run.words for run in runs).replace(" ", "") == said(texts).replace(" ", "")


@settings(deadline=None)
@given(texts, boxes)
def test_a_set_text_stays_in_its_box(texts: tuple[Paragraph, ...], box: TextBox) -> None:
    for run in set_in(box, texts):
        face = fonts.face(run.face)
        assert run.transform.e >= box.room.x - 1e-6
        assert run.transform.e + width(run) <= box.room.right + 0.01 * run.size
        assert run.transform.f - face.ascent * run.size >= box.room.y - 0.07 * run.size
        assert run.transform.f <= box.room.bottom


@settings(deadline=None)
@given(texts, boxes)
def test_all_runs_have_the_same_size_which_is_a_whole_step_within_the_range(
    texts: tuple[Paragraph, ...], box: TextBox
) -> None:
    runs = set_in(box, texts)
    if runs:
        (size,) = {run.size for run in runs}
        assert box.smallest - 1e-9 <= size <= box.largest + 1e-9
        assert abs(size / box.step - round(size / box.step)) < 1e-6


@settings(deadline=None)
@given(texts, boxes)
def test_what_does_not_fit_at_the_floor_is_an_overflow_that_says_by_how_much(
    texts: tuple[Paragraph, ...], box: TextBox
) -> None:
    found = fitting.fit_box([TextBlock(words) for words in texts], box)
    if isinstance(found, TooMuch):
        assert found.lines > found.room
    if isinstance(found, TooLong):
        assert found.width > box.room.width


@settings(deadline=None)
@given(paragraphs, st.floats(6, 40))
def test_greedy_lines_are_as_full_as_they_can_be(paragraph: Paragraph, measure: float) -> None:
    atoms = Atoms(paragraph)
    first = 0
    while first < len(atoms.starts) and (last := atoms.last_within(measure, first)) >= first:
        assert atoms.ends[last] - atoms.starts[first] <= measure + 1e-5
        if last + 1 < len(atoms.ends):
            assert atoms.ends[last + 1] - atoms.starts[first] > measure
        first = last + 1
    if first < len(atoms.starts):
        assert atoms.ends[first] - atoms.starts[first] > measure


@settings(deadline=None)
@given(paragraphs)
def test_kerning_within_an_unbroken_word_is_that_of_the_whole_word(paragraph: Paragraph) -> None:
    atoms = Atoms(paragraph)
    last = atoms.last_within(10_000.0, 0)
    assert last == len(atoms.starts) - 1
    line = atoms.line(0, last)
    natural = sum(piece.width for word, *_ in line for piece, _ in word)
    spaces = (len(line) - 1) * fonts.width(UPRIGHT.face, " ")
    assert abs(natural + spaces - (atoms.ends[last] - atoms.starts[0])) < 1e-6


@settings(deadline=None)
@given(paragraphs, st.floats(5, 60))
def test_a_line_fits_its_width_or_says_that_it_does_not(paragraph: Paragraph, room: float) -> None:
    line = TextLine(30.0, 10.0, align="middle", size=4.232, width=room, narrowest=0.8, smallest=2.6)
    fitted = fitting.fit_line(paragraph, line)
    if isinstance(fitted, TooLong):
        assert fitted.width > room
    else:
        runs = fitted.runs
        total = sum(width(run) for run in runs)
        assert total <= room + 1e-6
        assert runs[0].transform.e + total / 2 == 30.0 or abs(runs[0].transform.e + total / 2 - 30.0) < 1e-6
        assert all(run.stretch >= 0.8 - 1e-9 and run.size >= 2.6 - 1e-9 for run in runs)


@settings(deadline=None)
@given(words)
def test_shaping_says_each_character_once(word: str) -> None:
    assert "".join(part for piece in fonts.shape(UPRIGHT.face, word) for part in piece.text) == word
