"""Hebrew and Arabic: letters in the order of UAX 9, none of them lost; and places where lines end that nobody sees."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused
from render.scene.items import Path as Shape
from render.scene.items import Scene, TextRun, UnseenRun, walk
from render.text import fonts
from render.text.directions import in_order_of_reading
from tests.support.font_making import LETTERS, Made, write_font
from tests.support.laws import costly
from tests.support.templates import runs
from tests.text.advance_laws import ICON, SHAPE, end, lines
from tests.text.test_own_fonts import set_text, written

LEFT, WIDTH = 6.0, 45.0
RIGHT = LEFT + WIDTH
HEBREW, ARABIC = "שלום עולם", "سمك حبر قمر"

# Without the letters of one ligature, lam and alef, of which the order within the glyph says nothing.
signs = st.text(st.sampled_from("שלוםעד بمحقك ١٢٣ abcXYZ 0123456789 ()[]-.,:%+ "), min_size=1, max_size=40)
mixed = signs.map(lambda text: re.sub(" +", " ", text).strip()).filter(bool)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    (folder / "icons").mkdir()
    (folder / "icons" / "a.svg").write_text(SHAPE)
    return folder


def line(folder: Path, words: str, attributes: str = "", content: str = "") -> list[TextRun]:
    return runs(set_text(folder, f'<text x="30" y="20" font-size="3" {attributes}>{content or words}</text>'))


def box(folder: Path, content: str, attributes: str = "") -> Scene:
    place = f'x="{LEFT}" y="6" width="{WIDTH}" height="76" font-size="3" min-size="1"'
    return set_text(folder, f"<text {place} {attributes}>{content}</text>")


def drawn(found: list[TextRun]) -> str:
    return "".join(run.words for run in found)


def edges(found: list[TextRun]) -> tuple[float, float]:
    return found[0].transform.e, end(found[-1])


def copied(scene: Scene) -> Counter[str]:
    """Return the signs that a PDF of a scene holds; brackets count alike, which PDFium mirrors once more."""
    text = pypdfium2.PdfDocument(written(scene))[0].get_textpage().get_text_range()
    return Counter(re.sub(r"[\s\ufffe]", "", text.translate(str.maketrans("])", "[("))))


@costly
@given(mixed, st.sampled_from(("", "ltr", "rtl")))
def test_a_line_has_the_visual_order_of_python_bidi(folder: Path, words: str, direction: str) -> None:
    attributes = f'direction="{direction}"' if direction else ""
    base = {"": None, "ltr": "L", "rtl": "R"}[direction]
    assert drawn(line(folder, words, attributes)) == get_display(words, base_dir=base)


@costly
@given(mixed, st.integers(0, 40), st.sampled_from(('fill="#900"', 'font-size="130%"', 'font-weight="bold"')))
def test_other_colors_sizes_and_faces_change_no_order(folder: Path, words: str, at: int, look: str) -> None:
    part = f"{words[:at]}<tspan {look}>{words[at : at + 5]}</tspan>{words[at + 5 :]}"
    found = line(folder, words, content=part)
    assert drawn(found) == get_display(words)
    assert all(following.transform.e == pytest.approx(end(run), abs=0.01) for run, following in pairwise(found))


@costly
@given(
    st.lists(mixed, min_size=3, max_size=14).map(" ".join),
    st.sampled_from(("start", "middle", "end", "justify")),
    st.sampled_from(("", 'direction="rtl"', 'direction="ltr"', 'around="51 5 9 9"', 'letter-spacing="0.3"')),
)
def test_lines_of_a_box_follow_each_other_in_the_order_of_reading_and_lose_nothing(
    folder: Path, words: str, align: str, attributes: str
) -> None:
    scene = box(folder, words, f'text-anchor="{align}" {attributes}')
    left = words.replace(" ", "")
    for found in lines(scene):
        said = drawn(found).replace(" ", "")
        assert Counter(said) == Counter(left[: len(said)])
        left = left[len(said) :]
        assert edges(found)[0] >= LEFT - 0.02
        assert edges(found)[1] <= RIGHT + 0.04 + 0.3 * ("spacing" in attributes)
    assert not left
    assert copied(scene) == Counter(words.replace(" ", "").translate(str.maketrans("])", "[(")))


def test_a_paragraph_from_right_to_left_starts_at_the_right(folder: Path) -> None:
    for words, attributes, at_right in (
        (HEBREW, "", True), (f"{ARABIC} abc", "", True), (f"abc {HEBREW}", "", False),
        (f"abc {HEBREW}", 'direction="rtl"', True), (HEBREW, 'direction="ltr"', False), ("abc", 'direction="rtl"', True),
        (HEBREW, 'text-anchor="end"', False), ("abc", 'direction="rtl" text-anchor="justify"', True),
    ):  # fmt: skip
        begun, ended = edges(runs(box(folder, words, attributes)))
        assert (RIGHT - ended if at_right else begun - LEFT) == pytest.approx(0, abs=0.02)
        assert (begun - LEFT if at_right else RIGHT - ended) > 10
        if "justify" not in attributes:
            begun, ended = edges(line(folder, words, attributes))
            assert (ended if at_right else begun) == pytest.approx(30, abs=0.01)


@pytest.mark.parametrize("said", ['direction="rtl"', 'style="direction: rtl"'])
def test_a_group_hands_its_direction_down(folder: Path, said: str) -> None:
    scene = set_text(folder, f'<g {said}><text x="30" y="20">abc!</text></g>')
    assert drawn(runs(scene)) == "!abc"
    assert edges(runs(scene))[1] == pytest.approx(30)


def test_words_within_a_text_have_its_direction(folder: Path) -> None:
    with pytest.raises(Refused) as refused:
        set_text(folder, '<text x="30" y="20">abc <tspan direction="rtl">def!</tspan></text>')
    (found,) = refused.value.findings
    assert (found.code, found.hint) == ("T007", "give it to `<text>`")


def test_each_paragraph_has_the_direction_of_its_first_letter(folder: Path) -> None:
    scene = box(folder, f'<tspan display="block">12 {HEBREW}</tspan><tspan display="block">ab {HEBREW}</tspan>')
    (_, at_right), (at_left, _) = (edges(found) for found in lines(scene))
    assert (at_right, at_left) == pytest.approx((RIGHT, LEFT), abs=0.02)


def test_justified_lines_fill_the_box_and_the_last_one_begins_at_the_right(folder: Path) -> None:
    *full, last = lines(box(folder, f"{HEBREW} {ARABIC} abc 12, " * 5 + "אב", 'text-anchor="justify"'))
    assert len(full) > 2
    assert [edges(found) for found in full] == [pytest.approx((LEFT, RIGHT), abs=0.05)] * len(full)
    assert edges(last)[0] > LEFT + 1
    assert edges(last)[1] == pytest.approx(RIGHT, abs=0.02)


def test_brackets_are_drawn_mirrored_and_read_as_they_were_written(folder: Path) -> None:
    (run,) = line(folder, "(של)")
    font = fonts.face(run.face).font
    assert run.text == (")", "ל", "ש", "(")
    assert [run.glyphs[0], run.glyphs[-1]] == [font.get_nominal_glyph(ord(sign)) for sign in "()"]


def test_letters_that_join_do_so_across_colors_and_are_not_moved_apart(folder: Path) -> None:
    (whole,) = line(folder, "سمك")
    parts = line(folder, "", content='س<tspan fill="#900">م</tspan>ك')
    assert [glyph for run in parts for glyph in run.glyphs] == list(whole.glyphs)
    assert line(folder, "سمك", 'letter-spacing="0.5"') == [whole]
    (apart,) = line(folder, "שלום", 'letter-spacing="0.5"')
    assert edges([apart])[1] - edges([apart])[0] > 4 * 0.5


def test_accents_stay_over_their_letters_in_words_that_end_with_one(tmp_path: Path) -> None:
    # The accent of the last letter is the first glyph, and stands 100 units off it.
    features = (
        "markClass u05B8 <anchor 0 0> @A; feature mark { script hebr; pos base u05D1 <anchor 100 0> mark @A; } mark;"
    )
    made = Made("Mark", characters=f"{LETTERS}בא\u05b8", features=features)
    write_font(tmp_path / "fonts" / "mark.ttf", made)
    (run,) = line(tmp_path, "אב\u05b8", 'font-family="Mark"')
    (plain,) = line(tmp_path, "אב", 'font-family="Mark"')
    assert run.text == ("\u05b8", "ב", "א")
    offset = run.transform.e - plain.transform.e
    assert offset == pytest.approx(0.3, abs=0.01)
    assert run.advances[0] == pytest.approx(-100)
    assert edges([run])[1] == pytest.approx(edges([plain])[1], abs=0.01)


@pytest.mark.parametrize("words", ["שלום 12 (עולם)", "سمك حبر 34", "Storm 12"])
def test_messages_quote_a_line_in_the_order_of_reading(folder: Path, words: str) -> None:
    assert in_order_of_reading(drawn(line(folder, words))) == words


def test_an_icon_stands_between_the_words_that_it_was_written_between(folder: Path) -> None:
    scene = set_text(folder, f'<text x="30" y="20" font-size="3">שלום {ICON} abc</text>')
    (shape,) = (item for item in walk(scene.items) if isinstance(item, Shape))
    hebrew, latin = (
        next(run for run in runs(scene) if not isinstance(run, UnseenRun) and sign in run.words) for sign in "שa"
    )
    assert latin.transform.e < shape.outlines[0].start[0] < hebrew.transform.e


def test_lines_around_letters_follow_them(folder: Path) -> None:
    scene = set_text(folder, f'<text x="30" y="20" font-size="4" stroke="#900" stroke-width="0.4">{HEBREW}</text>')
    (run,), (outline,) = runs(scene), [item for item in walk(scene.items) if isinstance(item, Shape)]
    places = [each.start[0] for each in outline.outlines]
    assert edges([run])[0] <= min(places) <= max(places) <= edges([run])[1]


def test_a_soft_hyphen_is_seen_only_at_the_end_of_a_line(folder: Path) -> None:
    words = "Donau\u00addampf\u00adschiff\u00adfahrt"
    assert drawn(line(folder, words)) == "Donaudampfschifffahrt"
    place = 'x="6" y="6" width="24" height="30" font-size="3"'
    found = lines(set_text(folder, f"<text {place}>{words} \u00ad ist{ICON}</text>"))
    assert [drawn(each) for each in found] == ["Donaudampf-", "schifffahrt istI"]


def test_a_space_without_width_lets_a_line_break_and_prints_nothing(folder: Path, tmp_path: Path) -> None:
    thai = "ผู้พิทักษ์ ทาง แห่ง คลื่น".split()
    write_font(
        tmp_path / "fonts" / "thai.ttf", Made("Thai", characters=f"{LETTERS}{''.join(sorted({*''.join(thai)}))}")
    )
    style, words = 'font-family="Thai" font-size="3"', "\u200b".join(thai)
    assert drawn(runs(set_text(tmp_path, f'<text x="6" y="6" {style}>{words}</text>'))) == "".join(thai)
    place = f'x="6" y="6" width="16" height="30" text-anchor="justify" {style}'
    found = [drawn(each) for each in lines(set_text(tmp_path, f"<text {place}>{words}</text>"))]
    assert ("".join(found), len(found)) == ("".join(thai), 2)
    assert found[0] in {"".join(thai[:count]) for count in (1, 2, 3)}
