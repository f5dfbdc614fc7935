"""Words of many scripts stand as a browser sets them in the same font, and no sign is lost on a card."""

from collections import Counter
from pathlib import Path
from shutil import copy
from unicodedata import category

import pytest
from playwright.sync_api import Browser

from render.base.resources import FONTS
from render.text import fonts
from tests.support.browser import browser, opened
from tests.support.templates import laid_out, runs, svg
from tests.text.direction_laws import copied
from tests.text.test_own_fonts import CJK

__all__ = ["browser"]

DEJAVU = FONTS / "DejaVuSans.ttf"
THAI = Path("/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf")  # of Debian's fonts-noto-core
SCRIPTS = {
    "German": (DEJAVU, "Größenwahn: Töfftöff, AVATAR, Straße & Kraftfeld (2/3)."),
    "Vietnamese": (DEJAVU, "Rút hai lá bài, rồi bỏ một lá: Nguyễn Ngọc Trường ở đây."),
    "Vietnamese in parts": (DEJAVU, "Nguye\u0302\u0303n Ngo\u0323c o\u031b\u0309 đây, ro\u0302\u0300i"),
    "Thai": (THAI, "จั่วการ์ดสองใบ แล้วทิ้งหนึ่งใบ ที่นี่ น้ำ ปู่ญี่"),
    "Japanese": (CJK, "「山札からカードを引く」、場のカードを手札に。"),
    "Korean": (CJK, "한글이 다가고 잠잔 을양!"),
    "Hebrew": (DEJAVU, "שלוף 2 קלפים (או 3)"),
    "Arabic": (DEJAVU, "اسحب بطاقتين ثم ١٢٣"),
}
_PAGE = """<meta charset="utf-8"><style>@font-face {{font-family: D; src: url("{font}")}}
p {{font: 100px D; white-space: nowrap; width: max-content; margin: 0; letter-spacing: {spacing}px}}</style><p>{line}"""
_PLACES = """() => document.fonts.ready.then(() => {
    const p = document.querySelector("p"), text = p.firstChild, from = p.getBoundingClientRect()
    return [from.width, [...text.data].map((_, at) => {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left - from.left
    })]
})"""
OUTLINED = 'stroke="#aa0000" stroke-width="0.3" paint-order="stroke" text-shadow="0.2 0.2 #888888"'
PLACES = {
    "in a line": ('<text y="9" font-size="2.5" {family}>{words}</text>', 1),
    "outlined": (f'<text y="9" font-size="2.5" {OUTLINED} {{family}}>{{words}}</text>', 1),
    "with icons": (
        '<text x="3" y="3" width="55" height="40" font-size="4" {family}>'
        '{words} <icon href="box.svg" words="T"/> {words}</text>',
        2,
    ),
    "in a box": ('<text x="3" y="3" width="23" height="60" font-size="4" min-size="1" {family}>{words}</text>', 1),
    "around a box": (
        '<text x="3" y="3" width="30" height="60" font-size="4" text-anchor="justify" around="3 3 9 9" {family}>'
        "{words}</text>",
        1,
    ),
    "in a list": (
        '<text x="3" y="3" width="30" height="60" font-size="4" min-size="1" {family}><ul><li>{words}</li></ul></text>',
        1,
    ),
    "on a path": (
        '<defs><path id="p" d="M 2 30 C 15 5 48 5 61 30"/></defs><text font-size="5" min-size="1"'
        ' text-anchor="middle" {family}><textPath href="#p" startOffset="50%">{words}</textPath></text>',
        1,
    ),
}


def family(folder: Path, font: Path) -> str:
    """Put a font into the folder of a set, and return how a text asks for it."""
    if not font.exists():
        pytest.skip(f"there is no {font.name}: install the package `fonts-noto-core`")
    if font == DEJAVU:
        return ""
    (folder / "fonts").mkdir(exist_ok=True)
    copy(font, folder / "fonts")
    return f'font-family="{"Noto Sans Thai" if font == THAI else "Noto Sans CJK JP"}"'


@pytest.mark.parametrize("spacing", [0, 20])
@pytest.mark.parametrize("script", [name for name in SCRIPTS if name not in ("Hebrew", "Arabic")])
def test_each_letter_is_where_a_browser_puts_it(browser: Browser, tmp_path: Path, script: str, spacing: int) -> None:
    font, line = SCRIPTS[script]
    asked = family(tmp_path, font)
    page = tmp_path / "page.html"
    escaped = line.replace("&", "&amp;")
    page.write_text(_PAGE.format(font=font.as_uri(), line=escaped, spacing=spacing), encoding="utf-8")
    with opened(browser, page.as_uri()) as shown:
        width, places = shown.evaluate(_PLACES)
    # With white between letters, a browser joins none.
    look = f'letter-spacing="{spacing / 100}" font-variant-ligatures="none"' if spacing else ""
    text = f'<text x="0" y="9" font-size="1" {look} {asked}>{escaped}</text>'
    (run,) = runs(laid_out(tmp_path, svg(text)))
    units, at, x = fonts.face(run.face).units_per_em, 0, 0
    assert run.words == line
    assert sum(run.advances) / units == pytest.approx(width / 100, abs=0.01)
    for sign, advance in zip(run.text, run.advances, strict=True):
        if sign and category(sign[0])[0] != "M":
            assert x / units == pytest.approx(places[at] / 100, abs=0.02), sign
        x, at = x + advance, at + len(sign)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("script", SCRIPTS)
def test_no_sign_is_lost(tmp_path: Path, script: str, place: str) -> None:
    font, line = SCRIPTS[script]
    asked = family(tmp_path, font)
    icon = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    (tmp_path / "box.svg").write_text(icon, encoding="utf-8")
    text, times = PLACES[place]
    scene = laid_out(tmp_path, svg(text.format(family=asked, words=line.replace("&", "&amp;"))))
    wanted, set_words = Counter(line.replace(" ", "") * times), Counter("".join(run.words for run in runs(scene)))
    assert wanted - set_words == Counter()
    assert Counter((line * times).replace(" ", "").translate(str.maketrans("])", "[("))) - copied(scene) == Counter()
