"""Drawing SVGs in workers: what the library says, and what takes too much."""

import sys
from pathlib import Path

import pytest

from render.base.guard import TooMuchError
from render.base.limits import TO_DRAW_SVG, Limits
from render.images.files import svg_drawing
from render.images.files.parts import UnusablePicture
from render.images.files.svg_drawing import drawn
from tests.support.sets import kotc, write_set

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="others bound memory in other ways")

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 10 10">'
GOOD = HEAD.format(20) + '<circle cx="5" cy="5" r="4" fill="#0a0"/></svg>'
SLOW = HEAD.format(1500) + "<g fill-opacity='.5'>" + "<rect width='10' height='10'/>" * 9000 + "</g></svg>"
BROKEN = HEAD.format(0) + "</svg>"
LARGE = HEAD.format(7500) + "<rect width='10' height='10'/></svg>"
LIMITS = Limits(8.0, 200_000_000)


def test_a_drawing_that_takes_too_much_is_stopped_and_the_next_is_drawn() -> None:
    wanted = drawn(GOOD, LIMITS)[0]
    for text, limits in ((SLOW, Limits(0.3, 200_000_000)), (LARGE, LIMITS)):
        with pytest.raises(TooMuchError):
            drawn(text, limits)
        assert drawn(GOOD, LIMITS)[0] == wanted
    assert drawn(LARGE, Limits(8.0, 900_000_000))[0].startswith(b"\x89PNG")


def test_what_the_library_says_of_a_broken_drawing_is_its_own_word() -> None:
    with pytest.raises(UnusablePicture, match="InvalidSize"):
        drawn(BROKEN, LIMITS)


def test_a_card_set_with_broken_drawings_among_good_ones_says_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(svg_drawing, "TO_DRAW_SVG", TO_DRAW_SVG._replace(seconds=1))
    cards = "".join(
        f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0, art: {number}.svg}}\n" for number in range(16)
    )
    folder = write_set(Path("s"), cards)
    deep = "<g opacity='.9'><rect x='-1e6' width='2e6' height='40'/>" * 50 + "</g>" * 50
    for number in range(16):
        inner = deep if number % 8 == 0 else "<circle r='3'/>"
        (folder / f"{number}.svg").write_text(HEAD.format(9) + f"<!-- {number} -->{inner}</svg>")
    result = kotc("check", "s")
    said = [line for line in (result.stdout + result.stderr).splitlines() if "error" in line and "[A0" in line]
    assert all("[A015]" in line for line in said)
    assert len(said) == 2
