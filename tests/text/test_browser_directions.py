"""Lines of mixed direction stand as a browser sets them in the same font: each letter at its place."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from render.base.resources import FONTS
from render.text import fonts
from tests.support.browser import browser, opened
from tests.support.templates import runs
from tests.text.test_own_fonts import set_text

__all__ = ["browser"]

LINES = (
    "שלוף 2 קלפים (או 3), ואז +1 Level לכל דמות.",
    "abc שלום 12 (עולם) def - 25% [דג] 1,200.50",
    "اسحب بطاقتين (أو 3)، ثم +1 Level شخصية ١٢٣ قمر",
    "קמח سمك 12 Latin (نحن) כן!",
    "C++ הוא (C#) שפה 3/4 10:30",
)
_PAGE = """<meta charset="utf-8"><style>@font-face {{font-family: D; src: url("{font}")}}
p {{font: 100px D; white-space: nowrap; width: max-content; margin: 0}}</style>{lines}"""
_PLACES = """() => document.fonts.ready.then(() => [...document.querySelectorAll("p")].map(p => {
    const text = p.firstChild, from = p.getBoundingClientRect()
    return [from.width, [...text.data].map((_, at) => {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left - from.left
    })]
}))"""


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_each_letter_of_a_line_is_where_a_browser_puts_it(browser: Browser, tmp_path: Path, direction: str) -> None:
    font = (FONTS / "DejaVuSans.ttf").as_uri()
    page = tmp_path / "page.html"
    said = "".join(f'<p dir="{direction}">{line}</p>' for line in LINES)
    page.write_text(_PAGE.format(font=font, lines=said), encoding="utf-8")
    with opened(browser, page.as_uri()) as shown:
        found = shown.evaluate(_PLACES)
    for line, (width, places) in zip(LINES, found, strict=True):
        scene = set_text(
            tmp_path, f'<text x="0" y="9" font-size="3" font-kerning="none" direction="{direction}">{line}</text>'
        )
        (run,) = runs(scene)
        units = fonts.face(run.face).units_per_em
        assert sum(run.advances) / units == pytest.approx(width / 100, abs=0.02)
        letters, x = [], 0
        for sign, advance in zip(run.text, run.advances, strict=True):
            letters.append((round(x / units, 1), sign))
            x += advance
        browsers = sorted((round(place / 100, 1), sign) for place, sign in zip(places, line, strict=True))
        assert [sign for _, sign in letters] == [sign for _, sign in browsers]
        assert [at for at, _ in letters] == pytest.approx([at for at, _ in browsers], abs=0.11)
