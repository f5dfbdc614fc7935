"""What is drawn of a text advances by what was counted, in every script, and nothing of it leaves its box."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st

from render.base.findings import Refused
from render.base.geometry import Rect
from render.images import inspect
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.scene.items import Path as Shape
from render.scene.items import Scene, TextRun, UnseenRun, walk
from render.text import fonts
from render.text.font_book import FontBook
from render.text.font_roles import FontRole
from tests.support.font_making import LETTERS, Made, write_font
from tests.support.laws import costly
from tests.support.templates import svg

SCRIPTS = {
    "Latin": "Keeper of the well-known Way, fi AVATAR tide–lands",
    "Japanese": "丙潮守り人の旗を「三つ」並べる。カードを引く",
    "Chinese": "他说：“你好！”然后走了（再见）。",
    "Korean": "고양이가 잠을 잔다. 카드를 뽑는다",
    "mixed": "旗は Flag と言う。Größe 3枚、고양이 cats",
}
ICON = '<icon href="icons/a.svg" words="I"/>'
SHAPE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></svg>'
LEFT, WIDTH = 6.0, 45.0


class Script(NamedTuple):
    """A set with fonts of other units per em: `jp` has no Latin letters but a space, `latin` no others."""

    fonts: FontBook
    folder: Path

    def laid_out(self, content: str) -> Scene:
        (self.folder / "tried.svg").write_text(svg(content), encoding="utf-8")
        return lay_out(Templates([self.folder], fonts=self.fonts).get("tried"), {}, _no_picture)


def _no_picture(_: str) -> inspect.Artwork:
    raise AssertionError


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Script:
    folder = tmp_path_factory.mktemp("set")
    signs = "".join(sorted(set("".join(SCRIPTS.values())) - set(LETTERS)))
    write_font(folder / "fonts" / "jp.ttf", Made("Jp", characters=f" {signs}"))
    write_font(folder / "fonts" / "latin.ttf", Made("Latin", em=2048))
    low = TTFont(write_font(folder / "fonts" / "low.ttf", Made("Low", characters=" abc")))
    low["hhea"].ascent, low["hhea"].descent = 400, -100
    low.save(folder / "fonts" / "low.ttf")
    write_font(folder / "fonts" / "coarse.otf", Made("Coarse", em=500, compact=True, characters=f" {LETTERS}{signs}"))
    (folder / "icons").mkdir()
    (folder / "icons" / "a.svg").write_text(SHAPE)
    roles = [FontRole(name=name, files=(f"fonts/{name}.ttf",)) for name in ("jp", "latin", "low")]
    return Script(FontBook([folder], roles), folder)


def lines(scene: Scene) -> Iterator[list[TextRun]]:
    """Yield the runs of each line; icons are their words, which are as wide."""
    by_baseline: dict[float, list[TextRun]] = {}
    for item in walk(scene.items):
        if isinstance(item, TextRun):
            by_baseline.setdefault(round(item.transform.f, 6), []).append(item)
    yield from by_baseline.values()


def end(run: TextRun) -> float:
    return run.transform.e + sum(run.advances) / fonts.face(run.face).units_per_em * run.size * run.stretch


def words(content: str) -> str:
    """Return what a text says: icons by their words, neighboring spaces as one."""
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", "", content.replace(ICON, "I")))


def check(scene: Scene, content: str, align: str, right: float) -> None:
    """Assert that all is drawn, gapless, without any space that the text has not, and where its width puts it."""
    drawn = ["".join(run.words for run in line).strip() for line in lines(scene)]
    assert "".join(drawn).replace(" ", "") == words(content).replace(" ", "")
    for line, said in zip(lines(scene), drawn, strict=True):
        assert said in words(content)
        for run, following in pairwise(line):
            assert align == "justify" or following.transform.e == pytest.approx(end(run), abs=0.01)
        begun, ended = line[0].transform.e, end(line[-1])
        assert begun >= LEFT - 0.01
        assert ended <= right + 0.04
        if align == "end":
            assert ended == pytest.approx(right, abs=0.02)
        if align == "middle":
            assert (begun + ended) / 2 == pytest.approx((LEFT + right) / 2, abs=0.02)
    if align == "justify":  # a line of one word has no white to grow
        grown = [
            line for line, said in zip(lines(scene), drawn[:-1], strict=False) if re.search("[ \u2e80-\uffff]", said)
        ]
        assert all(end(line[-1]) == pytest.approx(right, abs=0.04) for line in grown)


# The room of a text, and where its lines end.
BOXES = {
    "": 51.0,
    'vertical-align="middle"': 51.0,
    'around="51 5 9 9"': 51.0,
    'vertical-align="bottom" around="45 5 9 90"': 45.0,
}
FAMILIES = ("jp", "Coarse", "latin, jp", "jp, latin", "jp, DejaVu Sans Condensed")


@pytest.mark.parametrize("where", BOXES)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_text_with_an_icon_and_two_fonts_is_as_wide_as_it_was_counted(script: Script, name: str, where: str) -> None:
    said = SCRIPTS[name]
    content = f'{said[:1]}{ICON}{said[1:]}<tspan font-family="latin, jp" font-size="80%">{said * 2}</tspan>'
    for align in ("start", "middle", "end", "justify"):
        box = f'x="{LEFT}" y="6" width="{WIDTH}" height="70" text-anchor="{align}" {where}'
        scene = script.laid_out(f'<text {box} font-family="jp" font-size="3">{content}</text>')
        check(scene, content, align, BOXES[where])


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("rest", ["", 'letter-spacing="0.4"', 'letter-spacing="-0.2" min-stretch="0.4"'])
def test_a_line_with_icons_is_as_wide_as_it_was_counted(script: Script, name: str, rest: str) -> None:
    for content in (f"{ICON}{SCRIPTS[name]}", f'{SCRIPTS[name]}<tspan font-size="150%">{ICON}</tspan>{ICON}'):
        line = f'x="{LEFT + WIDTH}" y="30" width="{WIDTH}" text-anchor="end" min-size="0.5" {rest}'
        spacing = float(match[1]) if (match := re.search('g="([^"]+)"', rest)) else 0.0
        scene = script.laid_out(f'<text {line} font-family="jp" font-size="3">{content}</text>')
        (runs,) = lines(scene)
        last = 0.0 if content.endswith(ICON) else spacing * runs[-1].size / 3 * runs[-1].stretch
        assert "".join(run.words for run in runs) == words(content)
        assert end(runs[-1]) - last == pytest.approx(LEFT + WIDTH, abs=0.01)


piece = st.tuples(
    st.sampled_from(sorted(SCRIPTS)).flatmap(lambda name: st.lists(st.sampled_from(SCRIPTS[name]), max_size=12)),
    st.sampled_from(("{}", "{}", f"{{}}{ICON}", '<tspan fill="#900">{}</tspan>',
                     '<tspan font-size="130%">{}</tspan>', '<tspan font-family="latin, jp">{}</tspan>')),
).map(lambda made: made[1].format("".join(made[0])))  # fmt: skip


@costly
@given(
    st.lists(piece, min_size=1, max_size=8).map("".join).filter(lambda content: words(content).strip()),
    st.sampled_from(("start", "middle", "end", "justify")),
    st.sampled_from(sorted(BOXES)),
    st.sampled_from(FAMILIES),
    st.sampled_from(("", 'letter-spacing="0.3"', 'min-size="1"')),
)
def test_any_text_advances_by_what_was_counted(
    script: Script, content: str, align: str, where: str, family: str, rest: str
) -> None:
    box = f'x="{LEFT}" y="6" width="{WIDTH}" height="70" text-anchor="{align}" {where} {rest}'
    try:
        scene = script.laid_out(f'<text {box} font-family="{family}" font-size="3">{content}</text>')
    except Refused as refused:  # a word that is wider than its line
        assert {finding.code for finding in refused.findings} == {"L001"}
        return
    check(scene, content.strip(), align, BOXES[where])


BOX = Rect(LEFT, 30.0, 30.0, 9.0)
TOLERANCE = 0.1001  # mm, with what is rounded


def drawn(scene: Scene) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, right and bottom of all that shows: of letters their heights, and their widths with white."""
    for item in walk(scene.items):
        if isinstance(item, UnseenRun):
            continue
        if isinstance(item, TextRun):
            font = fonts.face(item.face).font
            em, x, y = item.size / fonts.face(item.face).units_per_em, item.transform.e, item.transform.f
            rises = item.rises or (0,) * len(item.glyphs)
            for glyph, advance, rise in zip(item.glyphs, item.advances, rises, strict=True):
                if (ink := font.get_glyph_extents(glyph)) and ink.height:
                    top, right = y - (ink.y_bearing + rise) * em, x + font.get_glyph_h_advance(glyph) * em
                    yield x, top, right, top - ink.height * em
                x += advance * em
        elif isinstance(item, Shape):
            reach = item.stroke.width / 2 if item.stroke else 0.0
            along = reach if item.stroke and item.stroke.cap != "butt" else 0.0
            for outline in item.outlines:
                places = [outline.start, *(segment[-2:] for segment in outline.segments)]
                across, down = zip(*places, strict=True)
                yield min(across) - along, min(down) - reach, max(across) + along, max(down) + reach


LARGE = '<tspan font-size="{size}%">{words}</tspan>'
RULE = '<rule width="{width}%" stroke-width="{thick}" stroke-linecap="{cap}"/>'
content = st.lists(
    st.one_of(
        st.sampled_from(("abc", "ab ", "(Å) ", "Ế gj ", "丙潮守り", "well-known ", "iiii ", "WAVE ", "<br/>")),
        st.builds(LARGE.format, size=st.sampled_from((50, 150, 400)), words=st.sampled_from(("Ég", "a b", ICON))),
        st.builds('<icon href="icons/a.svg" height="{}em"/>'.format, st.sampled_from((0.9, 1.3, 2.5))),
        st.builds(RULE.format, width=st.sampled_from((40, 100)), thick=st.sampled_from((0.1, 1, 3)),
                  cap=st.sampled_from(("butt", "round", "square"))),
    ),
    min_size=1, max_size=8,
).map("".join)  # fmt: skip
settings_of_box = st.builds(
    'text-anchor="{}" {} {} {} {}'.format,
    st.sampled_from(("start", "middle", "end", "justify")),
    st.sampled_from(
        (
            "",
            'vertical-align="middle"',
            'vertical-align="bottom"',
            f'vertical-align="middle" around="{BOX.right - 8} {BOX.bottom - 4} 8 4"',
        )
    ),
    st.sampled_from(
        ("", 'leading="0.6"', 'leading="0.75"', 'leading="0.6" line-gap="-0.4"', 'leading="1.2" paragraph-gap="0"')
    ),
    st.sampled_from(("", 'letter-spacing="-0.5"', 'letter-spacing="-0.2"', 'letter-spacing="0.5"')),
    st.sampled_from(("", 'min-size="1"')),
)


@costly
@given(content, settings_of_box, st.sampled_from((*FAMILIES, "low, jp")), st.sampled_from((2.0, 3.0, 7.0)))
@example("A title", 'leading="0.6"', "latin, jp", 7.0)
@example(f"{ICON} icon", 'leading="0.6"', "latin", 3.0)
@example(LARGE.format(size=400, words="Él"), 'leading="0.75"', "latin", 2.0)
@example('<rule stroke-width="3"/>words', "", "latin", 3.0)
@example('words<rule stroke-width="3"/>', 'vertical-align="bottom"', "latin", 3.0)
@example("abc Ế abc", "", "low", 3.0)
@example("iiii iiii", 'letter-spacing="-1"', "latin", 2.0)
@example("iiii iiii", 'letter-spacing="-1" text-anchor="end"', "DejaVu Sans Condensed", 2.0)
def test_whatever_a_text_holds_stays_in_its_box_or_is_an_error(
    script: Script, content: str, settings_of_box: str, family: str, size: float
) -> None:
    box = f'x="{BOX.x}" y="{BOX.y}" width="{BOX.width}" height="{BOX.height}" {settings_of_box}'
    try:
        scene = script.laid_out(f'<text {box} font-family="{family}" font-size="{size}">{content}</text>')
    except Refused as refused:
        assert {finding.code for finding in refused.findings} == {"L001"}
        return
    for left, top, right, bottom in drawn(scene):
        assert left >= BOX.x - TOLERANCE
        assert top >= BOX.y - TOLERANCE
        assert right <= BOX.right + TOLERANCE
        assert bottom <= BOX.bottom + TOLERANCE


def test_letters_are_spaced_and_an_accent_keeps_its_place_above_its_own(script: Script) -> None:
    """No font of these has one glyph for `x` with an accent."""
    (usual,), (spaced,) = (
        next(lines(script.laid_out(f'<text x="6" y="30" font-size="3" {spacing}>x\u0301y</text>')))
        for spacing in ("", 'letter-spacing="1.5"')
    )
    assert [b - a for a, b in zip(usual.advances, spaced.advances, strict=True)] == [0, 1024, 1024]


def test_a_rule_in_a_text_that_has_no_box_is_an_error(script: Script) -> None:
    with pytest.raises(Refused, match="`height` of `<text>`: expected a length"):
        script.laid_out('<text x="6" y="30" font-size="3"><rule/></text>')
