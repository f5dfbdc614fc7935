"""What is drawn of a text advances by what was counted, in every script, so that no line leaves its box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused
from render.images import inspect
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.scene.items import Scene, TextRun, walk
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
    write_font(folder / "fonts" / "coarse.otf", Made("Coarse", em=500, compact=True, characters=f" {LETTERS}{signs}"))
    (folder / "icons").mkdir()
    (folder / "icons" / "a.svg").write_text(SHAPE)
    roles = [FontRole(name=name, files=(f"fonts/{name}.ttf",)) for name in ("jp", "latin")]
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
    if align == "justify":
        assert all(end(line[-1]) == pytest.approx(right, abs=0.04) for line in list(lines(scene))[:-1])


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
