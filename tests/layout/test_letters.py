"""Lines around letters, OpenType features and spacing: what designers ask of type."""

from pathlib import Path

import numpy as np
import pytest

from render.base.findings import Refused
from render.scene.items import Item, Layer, TextRun, UnseenRun
from render.scene.items import Path as Shape
from render.scene.outlines import box_of_shape
from render.text import fonts, glyph_outlines
from tests.support.font_making import Made, write_font
from tests.support.rasters import darkest
from tests.support.templates import as_pdf, as_png, laid_out, runs, svg

OUTLINED = 'font-size="10" fill="#ffffff" stroke="#ff0000" stroke-width="1"'


def items(folder: Path, content: str) -> tuple[Item, ...]:
    return laid_out(folder, svg(content)).items


@pytest.mark.parametrize(
    ("order", "kinds"),
    [
        ("", [TextRun, Shape]),
        ('paint-order="stroke"', [Shape, TextRun]),
        ('style="paint-order:stroke fill"', [Shape, TextRun]),
    ],
)
def test_a_line_lies_over_the_letters_or_beneath_them(tmp_path: Path, order: str, kinds: list[type]) -> None:
    drawn = items(tmp_path, f'<text y="20" {OUTLINED} {order}>Hi</text>')
    assert [type(each) for each in drawn] == kinds
    (line,) = (each for each in drawn if isinstance(each, Shape))
    assert line.fill is None
    assert line.stroke is not None
    assert (line.stroke.color, line.stroke.width) == ((255, 0, 0), 1.0)
    assert len(line.outlines) == 3  # of H, the stem of i and its dot


def test_all_lines_beneath_come_before_all_letters(tmp_path: Path) -> None:
    drawn = items(tmp_path, f'<text y="20" {OUTLINED} paint-order="stroke">A<tspan fill="#00f">V</tspan></text>')
    assert [type(each) for each in drawn] == [Shape, Shape, TextRun, TextRun]


def test_a_line_shrinks_with_its_letters_and_grows_with_the_drawing(tmp_path: Path) -> None:
    long = f'<g transform="scale(2)"><text y="9" width="10" min-size="1" {OUTLINED}>Wide words</text></g>'
    drawn = items(tmp_path, long)
    (run,) = (each for each in drawn if isinstance(each, TextRun))
    (line,) = (each for each in drawn if isinstance(each, Shape))
    assert line.stroke is not None
    assert line.stroke.width == pytest.approx(2 * run.size / 10)


def test_words_with_a_line_alone_are_found_and_not_filled(tmp_path: Path) -> None:
    content = '<text y="20" font-size="10" fill="none" stroke="#ff0000" stroke-width="0.4">Hollow</text>'
    assert [type(each) for each in items(tmp_path, content)] == [UnseenRun, Shape]


def test_a_group_hands_its_line_to_text_as_svg_does_and_none_ends_it(tmp_path: Path) -> None:
    words = '<text y="20">a<tspan stroke="none">b</tspan></text>'
    assert [type(each) for each in items(tmp_path, f'<g stroke="#f00" stroke-width=".2">{words}</g>')] == [
        TextRun, TextRun, Shape,
    ]  # fmt: skip


def test_the_line_is_drawn_half_its_width_outside_the_letters(tmp_path: Path) -> None:
    plain, lined = [
        [edge for axis in (0, 1) for edge in np.flatnonzero((darkest(as_png(face, 254)) < 128).any(axis=axis))[[0, -1]]]
        for line in ("", 'stroke="#000" stroke-width="1"')
        for face in [laid_out(tmp_path, svg(f'<text x="5" y="30" font-size="20" {line}>l</text>'))]
    ]
    # Half a millimetre, at ten pixels to the millimetre.
    assert np.abs(np.subtract(plain, lined) - [5, -5, 5, -5]).max() <= 1


FEATURES = "feature smcp { sub u0061 by u0041; } smcp; feature onum { sub u0031 by u0032; } onum;"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a font that has small capitals, old figures and the ligature fi."""
    write_font(tmp_path / "fonts" / "made.ttf", Made(features=FEATURES))
    return tmp_path


@pytest.mark.parametrize(
    ("asks", "text", "glyphs"),
    [
        ('font-variant-caps="small-caps"', "a", "A"),
        ('font-variant-numeric="oldstyle-nums"', "1", "2"),
        ("font-feature-settings=\"'smcp', 'onum' on\"", "a1", "A2"),
        ('font-feature-settings="\'smcp\' 0" font-variant-caps="small-caps"', "a", "a"),
        ('style="font-variant-caps: small-caps; font-variant-numeric: oldstyle-nums"', "a1", "A2"),
        ('font-variant-ligatures="none"', "fi", "fi"),
    ],
)
def test_a_feature_of_the_font_draws_other_glyphs_that_are_found_as_the_words(
    own: Path, asks: str, text: str, glyphs: str
) -> None:
    (run,) = runs(laid_out(own, svg(f'<text y="20" font-family="Made" {asks}>{text}</text>')))
    font = fonts.face(run.face).font
    assert run.glyphs == tuple(font.get_nominal_glyph(ord(each)) for each in glyphs)
    assert run.words == text


def test_without_kerning_letters_stand_as_wide_as_they_are(tmp_path: Path) -> None:
    (run,) = runs(laid_out(tmp_path, svg('<text y="9" font-kerning="none">AVAV</text>')))
    assert run.advances == tuple(fonts.glyph_width(run.face, glyph) for glyph in run.glyphs)


def test_word_spacing_widens_spaces_alone(tmp_path: Path) -> None:
    plain, wide = (
        runs(laid_out(tmp_path, svg(f'<text y="9" font-size="5" {more}>a b\u00a0c</text>')))
        for more in ("", 'word-spacing="1"')
    )
    unit = 5 / fonts.face(fonts.SANS).units_per_em
    grown = [
        round((b - a) * unit, 2)
        for a, b in zip(
            (n for run in plain for n in run.advances), (n for run in wide for n in run.advances), strict=True
        )
    ]
    assert grown == [0, 1, 0, 1, 0]


SHADOWED = 'font-size="10" font-weight="bold" fill="#ffffff" text-shadow="{}"'


@pytest.mark.parametrize(
    ("shadow", "kinds"),
    [
        ("0.5 0.5 #000000", [Shape, TextRun]),
        ("0.5 0.5 0 rgba(0, 0, 0, 0.5)", [Layer, TextRun]),
        ("0 0 1 #000000, 1 1 #ff0000", [Shape, Layer, TextRun]),  # the first one lies on top
        ("none", [TextRun]),
    ],
)
def test_shadows_lie_beneath_the_letters(tmp_path: Path, shadow: str, kinds: list[type]) -> None:
    drawn = items(tmp_path, f'<text y="20" {SHADOWED.format(shadow)}>Hi</text>')
    assert [type(each) for each in drawn] == kinds


def test_a_shadow_is_as_dark_as_its_color_in_the_middle_of_a_thick_letter_and_fades_alike_on_paper_and_screen(
    tmp_path: Path,
) -> None:
    template = '<text x="20" y="50" font-size="40" font-weight="bold" fill="none" stroke="#fff" stroke-width="0.01" text-shadow="0 0 4 #000000">I</text>'
    scene = laid_out(tmp_path, svg(template))
    screen, paper = as_png(scene, 254), as_pdf(scene, 254)
    row = screen[350, :, 1]
    ink = np.flatnonzero(row < 128)
    assert abs((ink[-1] - ink[0]) / 10 - 40 * 0.191) < 0.6  # half as dark at its edges: the stem of I is 0.191 em wide
    assert row.min() < 16
    assert row[[ink[0] - 50, ink[-1] + 50]].min() > 250  # nothing is seen farther than the blur
    apart = abs(screen[:800, :600] - paper[:800, :600])
    assert np.percentile(apart, 99) <= 8
    assert apart.max() <= 40  # on the line of a hundredth of a millimetre


def test_a_shadow_moves_with_its_letters_and_shrinks_with_them(tmp_path: Path) -> None:
    content = '<g transform="scale(2)"><text y="9" width="10" font-size="8" min-size="1" text-shadow="1 0 #ff0000">Wide words</text></g>'
    shadow, run = items(tmp_path, content)
    assert isinstance(run, TextRun)
    assert isinstance(shadow, Shape)
    letters = glyph_outlines.outlined(run)
    assert letters
    assert box_of_shape(shadow).x - box_of_shape(letters).x == pytest.approx(2 * run.size / 8)


@pytest.mark.parametrize("value", ["1 1", "1 1 1 1 #000", "#000", "1 1 -1 #000", "50 0 #000", "1 1 #000 #fff"])
def test_a_shadow_that_is_none_is_told_of(tmp_path: Path, value: str) -> None:
    with pytest.raises(Refused) as refused:
        items(tmp_path, f'<text y="20" {SHADOWED.format(value)}>Hi</text>')
    assert "`text-shadow` of `<text>`" in refused.value.findings[0].message
