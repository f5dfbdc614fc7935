"""Text on a path stands where SVG has it, fits its path or is an error, and is the same in PNGs and PDFs."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import Browser

from render.base.findings import Refused
from render.base.resources import FONTS
from render.pdf import document
from render.scene.items import Layer, Placement, Scene, TextRun
from render.scene.items import Path as Shape
from tests.support.browser import browser, opened
from tests.support.templates import as_pdf, as_png, laid_out, runs, svg

__all__ = ["browser"]

ARC = '<defs><path id="arc" d="M 6 26 C 18 8 45 8 57 26"/></defs>'
RING = '<defs><circle id="ring" cx="32" cy="45" r="20"/></defs>'
LOOK = (
    'fill="#ffffff" stroke="#1c1014" stroke-width="0.8" paint-order="stroke" text-shadow="0.3 0.4 0.8 #000000"'
    ' font-weight="bold"'
)

_PLACES = """() => document.fonts.ready.then(() => {
    const text = document.querySelector("text")
    return [...text.textContent].map((_, at) => {
        const from = text.getStartPositionOfChar(at)
        return [from.x, from.y, text.getRotationOfChar(at)]
    })
})"""


def on_path(folder: Path, words: str, *, path: str = ARC, text: str = "", along: str = 'href="#arc"') -> Scene:
    return laid_out(folder, svg(f'{path}<text font-size="5" {text}><textPath {along}>{words}</textPath></text>'))


def refusal(folder: Path, words: str, **given: str) -> str:
    with pytest.raises(Refused) as refused:
        on_path(folder, words, **given)
    (finding,) = refused.value.findings
    assert finding.span is not None
    return f"{finding.code} {finding.message}"


def middle(run: TextRun) -> tuple[float, float]:
    """Where the middle of the advance of a letter is on its baseline."""
    units = 2048  # of DejaVu
    return run.transform.apply(sum(run.advances) * run.size / units / 2, 0.0)


def angle(run: TextRun) -> float:
    return math.degrees(math.atan2(run.transform.b, run.transform.a))


def test_the_middle_of_each_letter_is_on_the_path_and_the_letter_as_the_path_runs(tmp_path: Path) -> None:
    for run in runs(on_path(tmp_path, "Ringed", path=RING, along='href="#ring" startOffset="20"')):
        x, y = middle(run)
        assert math.hypot(x - 32, y - 45) == pytest.approx(20, abs=0.01)
        tangent = math.degrees(math.atan2(y - 45, x - 32)) + 90
        assert angle(run) == pytest.approx((tangent + 180) % 360 - 180, abs=0.1)


def test_each_letter_is_where_a_browser_puts_it(browser: Browser, tmp_path: Path) -> None:
    words = "AVATAR e\u0301 Toft"
    style = '<style>@font-face {font-family: D; src: url("%s")} text {font: 5px D; letter-spacing: 0.4px}</style>'
    path = ARC.replace("26", "30")
    size = 'width="630" height="880" viewBox="0 0 63 88"'
    text = f'<text dy="-1"><textPath href="#arc" startOffset="20%">{words}</textPath></text>'
    page = tmp_path / "page.html"
    font = (FONTS / "DejaVuSans.ttf").as_uri()
    page.write_text(f'<meta charset="utf-8">{style % font}<svg {size}>{path}{text}</svg>', encoding="utf-8")
    with opened(browser, page.as_uri()) as shown:
        places = shown.evaluate(_PLACES)
    look = 'dy="-1" letter-spacing="0.4"'
    found = on_path(tmp_path, words, path=path, text=look, along='href="#arc" startOffset="20%"')
    at = 0
    for run in runs(found):
        x, y, turned = places[at]
        assert run.transform.apply(0.0, 0.0) == pytest.approx((x, y), abs=0.1)  # 2 % of the size, as in lines
        assert angle(run) == pytest.approx(turned, abs=0.25)
        at += len(run.words)
    assert at == len(words)


def test_letters_are_as_far_from_each_other_as_in_a_line(tmp_path: Path) -> None:
    (line,) = runs(laid_out(tmp_path, svg('<text font-size="5" letter-spacing="0.5">AVATAR</text>')))
    ends = [0.0]
    for advance in line.advances:
        ends.append(ends[-1] + advance * 5 / 2048)
    straight = '<defs><path id="arc" d="M 5 40 L 60 40"/></defs>'
    found = runs(on_path(tmp_path, "AVATAR", path=straight, text='letter-spacing="0.5"'))
    assert [run.transform.e - 5 for run in found] == pytest.approx(ends[:-1], abs=1e-6)
    arced = runs(on_path(tmp_path, "AVATAR", path=RING, text='letter-spacing="0.5"', along='href="#ring"'))
    turned = [angle(b) - angle(a) for a, b in pairwise(arced)]
    halves = [(c - a) / 2 for a, c in zip(ends, ends[2:], strict=False)]
    assert turned == pytest.approx([math.degrees(half / 20) for half in halves], abs=0.1)


def test_ligatures_and_accents_stay_whole(tmp_path: Path) -> None:
    words = [run.words.strip() for run in runs(on_path(tmp_path, "office e\u0301s ש\u05c1ל"))]
    assert words == ["o", "ffi", "c", "e", "e\u0301", "s", "ל", "\u05c1ש"]


def test_a_line_goes_across_the_start_of_a_closed_path_and_once_around(tmp_path: Path) -> None:
    across = runs(on_path(tmp_path, "across", path=RING, text='text-anchor="middle"', along='href="#ring"'))
    assert across[0].transform.f < 45 < across[-1].transform.f
    words = "once around and around again, and on and on, and then still more, and it ends"
    assert refusal(tmp_path, words, path=RING, along='href="#ring"').startswith(
        "L002 `<text>` does not fit: at 14.2 pt"
    )
    shrunk = runs(on_path(tmp_path, words, path=RING, text='min-size="2"', along='href="#ring"'))
    assert 2 < shrunk[0].size < 5
    assert math.dist(middle(shrunk[0]), middle(shrunk[-1])) < 3


def test_the_right_side_of_a_path_is_the_path_from_its_end(tmp_path: Path) -> None:
    found = runs(
        on_path(
            tmp_path,
            "under",
            path=RING,
            text='text-anchor="middle"',
            along='href="#ring" side="right" startOffset="75%"',
        )
    )
    assert all(run.transform.f > 60 for run in found)
    assert found[0].transform.e < 32 < found[-1].transform.e


def test_a_line_shrinks_to_its_path_or_is_an_error(tmp_path: Path) -> None:
    words = "Words that are too long for it"
    assert refusal(tmp_path, words).endswith("it is 72.3 mm long, and its path has 60.1 mm for it")
    assert runs(on_path(tmp_path, words, text='min-size="3"'))[0].size == pytest.approx(5 * 60.1 / 72.2, abs=0.02)
    assert runs(on_path(tmp_path, words, text='min-stretch="0.8"'))[0].stretch == pytest.approx(60.1 / 72.2, abs=0.01)
    half = {"text": 'min-size="1"', "along": 'href="#arc" startOffset="50%"'}
    assert runs(on_path(tmp_path, words, **half))[0].size == pytest.approx(5 * 30.05 / 72.2, abs=0.02)


@pytest.mark.parametrize(
    ("words", "given", "message"),
    [
        ("Off", {"along": 'href="#arc" startOffset="100%"'}, "L002 `<text>` does not fit"),
        ("Off", {"along": 'href="#arc" startOffset="-2"'}, "L002 `<text>` does not fit"),
        ("שלום", {}, "L002 `<text>` does not fit"),
        ("a", {"along": 'href="#ark"'}, "T007 template `tried`: `href` of `<textPath>`: there is no path `#ark`"),
        ("a<br/>b", {}, "T011 template `tried`: `<text>` holds several lines"),
        ("a", {"text": 'height="9" width="9"'}, "T007 template `tried`: `height` of `<text>`: is for a text without"),
        ('<tspan dy="1">a</tspan>', {}, "T007 template `tried`: `dy` of `<tspan>`: words on a path have no places"),
        ("a</textPath>b<textPath href='#arc'>", {}, "T005 template `tried`: words stand beside a `<textPath>`: `b`"),
        ("a", {"text": 'writing-mode="vertical-rl"'}, "T006 template `tried`: `<text>` has the attribute"),
    ],
)
def test_what_a_path_does_not_do_is_said(tmp_path: Path, words: str, given: dict[str, str], message: str) -> None:
    assert refusal(tmp_path, words, **given).startswith(message)


def test_lines_and_shadows_of_all_letters_lie_beneath_them(tmp_path: Path) -> None:
    shadow, line, *letters = on_path(tmp_path, "Shade", text=LOOK).items
    assert isinstance(shadow, Layer)
    assert isinstance(line, Shape)
    assert [type(letter) for letter in letters] == [TextRun] * 5


def test_icons_are_turned_with_the_path(tmp_path: Path) -> None:
    icon = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    (tmp_path / "box.svg").write_text(icon, encoding="utf-8")
    scene = on_path(tmp_path, 'a<icon href="box.svg" words="B"/>', along='href="#ring"', path=RING)
    (square,) = [item for item in scene.items if isinstance(item, Shape)]
    corners = [square.outlines[0].start, *square.outlines[0].segments]
    assert math.dist(corners[0], corners[1]) == pytest.approx(4.5, abs=1e-6)
    assert abs(corners[0][0] - corners[1][0]) < 1.5  # nearly upright, at the right of the ring


def test_a_pdf_shows_the_pixels_of_the_png_and_holds_the_words(tmp_path: Path) -> None:
    scene = on_path(tmp_path, "Keeper of öffice", text=LOOK + ' min-size="2"')
    png, pdf = as_png(scene, 300).astype(float), as_pdf(scene, 300).astype(float)
    assert np.abs(png - pdf).mean() < 0.2
    page = document.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    read = pypdfium2.PdfDocument(document.write([page], document.PdfOptions("Card")))
    assert read[0].get_textpage().get_text_range() == "Keeper of öffice"
