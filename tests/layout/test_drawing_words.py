"""What words of SVG and CSS mean in a template: what is laid out, and what is refused."""

from pathlib import Path

import pytest

from render.base.findings import Refused
from render.scene.gradients import LinearGradient
from render.scene.items import Group, Layer, Scene, TextRun, walk
from render.scene.items import Path as Shape
from tests.support.templates import laid_out, pictures, runs, svg

INKSCAPE = 'xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9"'
PIXELS = 'xmlns="http://www.w3.org/2000/svg" width="240px" height="336px"'


def shapes(scene: Scene) -> list[Shape]:
    return [item for item in walk(scene.items) if isinstance(item, Shape)]


def shape(folder: Path, content: str, root: str = INKSCAPE) -> Shape:
    (found,) = shapes(laid_out(folder, svg(content, root)))
    return found


def said(folder: Path, content: str, root: str = INKSCAPE) -> list[str]:
    with pytest.raises(Refused) as refused:
        laid_out(folder, svg(content, root))
    return [f"{finding.message} [{finding.code}]" for finding in refused.value.findings]


@pytest.mark.parametrize(
    ("words", "color"),
    [
        ("teal", (0, 128, 128)),
        ("TEAL", (0, 128, 128)),
        ("rgb(1, 2, 3)", (1, 2, 3)),
        ("rgb(100%, 0%, 50%)", (255, 0, 128)),
        ("rgb(1 2 3)", (1, 2, 3)),
        ("hsl(120, 100%, 25%)", (0, 128, 0)),
        ("hsl(0.5turn 100% 50%)", (0, 255, 255)),
        ("currentColor", (1, 2, 3)),
    ],
)
def test_a_color_has_many_names(words: str, color: tuple[int, int, int], tmp_path: Path) -> None:
    assert shape(tmp_path, f'<g color="#010203"><rect width="1" height="1" fill="{words}"/></g>').fill == color


@pytest.mark.parametrize(
    ("root", "length", "width"),
    [
        (INKSCAPE, "2px", 2.0),
        (INKSCAPE, "2mm", 2.0),
        (INKSCAPE, "10%", 6.35),
        (INKSCAPE, "1.5em", 6.0),
        (PIXELS, "96px", 25.4),
        (PIXELS, "96", 25.4),
        (PIXELS, "1in", 25.4),
        (PIXELS, "6pc", 25.4),
        ('xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"', "96px", 25.4),
        ('xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"', "3", 3.0),
    ],
)
def test_a_length_has_many_units(root: str, length: str, width: float, tmp_path: Path) -> None:
    """A px is a unit of the `viewBox`; without one, in a drawing in mm, it is 1/96 inch."""
    size = 4 if root is INKSCAPE else 1
    found = shape(tmp_path, f'<g font-size="{size}" style="fill:teal"><rect width="{length}" height="1"/></g>', root)
    xs = [point[0] for point in (found.outlines[0].start, *found.outlines[0].segments)]
    assert max(xs) - min(xs) == pytest.approx(width, abs=1e-6)


def test_of_style_sheet_attribute_and_style_the_nearer_wins(tmp_path: Path) -> None:
    content = """
        <style>#a { fill: red } .b { fill: green; stroke: blue } rect { fill: gray; stroke-width: 2 }</style>
        <rect class="b" width="1" height="1" stroke="black"/>
        <rect id="a" class="b" width="1" height="1"/>
        <rect id="a2" class="b" width="1" height="1" style="fill: white"/>
    """
    found = shapes(laid_out(tmp_path, svg(content, INKSCAPE)))
    assert [each.fill for each in found] == [(0, 128, 0), (255, 0, 0), (255, 255, 255)]
    assert [each.stroke.color for each in found if each.stroke] == [(0, 0, 255)] * 3


def test_a_shape_that_is_seen_through_is_a_layer(tmp_path: Path) -> None:
    (layer,) = laid_out(tmp_path, svg('<rect width="1" height="1" fill="rgba(0,0,0,.5)" opacity=".5"/>')).items
    assert isinstance(layer, Layer)
    (inner,) = layer.items
    assert isinstance(inner, Layer)
    assert (layer.opacity, inner.opacity) == (0.5, 0.5)


def test_a_gradient_takes_what_it_lacks_from_another(tmp_path: Path) -> None:
    content = """
        <linearGradient id="a" x2="0.5"><stop stop-color="red"/>
            <stop offset="1" stop-color="blue" stop-opacity=".5"/></linearGradient>
        <linearGradient id="b" href="#a" spreadMethod="repeat"/>
        <rect x="10" width="20" height="10" fill="url(#b)" fill-opacity="0.5"/>
    """
    fill = shape(tmp_path, content).fill
    assert isinstance(fill, LinearGradient)
    assert fill.spread == "repeat"
    assert [stop.opacity for stop in fill.stops] == [0.5, 0.25]
    assert (fill.transform.apply(*fill.start), fill.transform.apply(*fill.end)) == ((10, 0), (20, 0))


def test_a_clip_that_is_a_box_stays_a_box(tmp_path: Path) -> None:
    content = """
        <clipPath id="c"><rect x="1" y="2" width="3" height="4"/></clipPath>
        <g clip-path="url(#c)"><rect width="9" height="9"/></g>
    """
    (group,) = laid_out(tmp_path, svg(content)).items
    assert isinstance(group, Group)
    assert (group.clip.x, group.clip.y, group.clip.right, group.clip.bottom) == (1, 2, 4, 6)


def test_a_copy_inherits_where_it_stands(tmp_path: Path) -> None:
    content = '<defs><rect id="a" width="1" height="1"/></defs><use href="#a" x="3" fill="teal"/>'
    found = shape(tmp_path, content)
    assert (found.fill, found.outlines[0].start) == ((0, 128, 128), (3, 0))


def test_lines_of_a_text_stand_where_they_say(tmp_path: Path) -> None:
    content = """
        <text xml:space="preserve" style="font-size:4px;text-anchor:middle" x="30" y="10"><tspan
           x="30" y="10">One</tspan><tspan x="30" dy="5" style="font-weight:700">Two</tspan></text>
    """
    found = runs(laid_out(tmp_path, svg(content, INKSCAPE)))
    assert [(run.words, run.size, round(run.transform.f, 6)) for run in found] == [("One", 4, 10), ("Two", 4, 15)]
    assert [run.face for run in found] == ["DejaVu Sans", "DejaVu Sans Bold"]


def test_a_text_on_its_side_runs_upwards(tmp_path: Path) -> None:
    (run,) = runs(laid_out(tmp_path, svg('<text transform="rotate(-90)" x="-50" y="5">Tall</text>')))
    assert isinstance(run, TextRun)
    assert (round(run.transform.a, 9), round(run.transform.b, 9)) == (0, -1)


def test_a_picture_can_be_turned(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (40, 20), "teal").save(tmp_path / "sea.png")
    scene = laid_out(tmp_path, svg('<image transform="rotate(30) scale(2)" href="sea.png" width="20" height="10"/>'))
    (layer,) = scene.items
    assert isinstance(layer, Layer)
    (picture,) = pictures(scene)
    # Its box has the size that it is drawn at, by which its resolution is judged.
    assert (round(picture.box.width, 6), round(picture.box.height, 6)) == (40, 20)


WRONG = {
    '<use href="#no"/>': "`href` of `<use>`: there is no element `#no` [T007]",
    '<g id="a"><use href="#a"/></g>': "`href` of `<use>`: `#a` is an element around it, which would draw itself [T007]",
    '<rect width="1" height="1" fill="url(#no)"/>': "`fill` of `<rect>`: there is no gradient called `no` [T007]",
    '<g clip-path="url(#no)"/>': "`clip-path` of `<g>`: there is no `<clipPath>` called `no` [T007]",
    '<rect width="1" height="1" opacity="half"/>': (
        "`opacity` of `<rect>`: expected a number from 0 to 1, found `half` [T007]"
    ),
    '<rect width="1" height="1" style="fill"/>': "`style` of `<rect>`: expected `property: value`, found `fill` [T007]",
    '<rect width="1" height="1" style="fil: red"/>': (
        "`<rect>` has the property `fil`, which is not in the subset [T006]"
    ),
    '<text stroke="url(#g)">Hi</text><linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient>': (
        "`stroke` of `<text>`: text has one color, and no gradient [T007]"
    ),
    "<style>@import 'a.css';</style>": "`<style>`: `@import` is not read [T007]",
    '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><g fill="url(#a)"/>': (
        '`href` of `<linearGradient id="b">`: the gradient takes from itself [T007]'
    ),
    '<clipPath id="a"><text>Hi</text></clipPath><g clip-path="url(#a)"/>': (
        "`<text>` stands within `<clipPath>`, where it is not drawn [T005]"
    ),
    '<linearGradient id="a" gradientTransfrom="scale(2)"/><g fill="url(#a)"/>': (
        '`<linearGradient id="a">` has the attribute `gradientTransfrom`, which is not in the subset [T006]'
    ),
}


@pytest.mark.parametrize(("content", "says"), WRONG.items(), ids=WRONG)
def test_what_is_not_drawn_is_refused(content: str, says: str, tmp_path: Path) -> None:
    assert said(tmp_path, content) == [f"template `tried`: {says}"]


TENFOLD = "".join(f"<g id='n{n}'>" + f"<use href='#n{n - 1}'/>" * 10 + "</g>" for n in range(1, 9))
BOMBS = {
    "copies of copies": f"<g id='n0'><rect width='1' height='1'/></g><defs>{TENFOLD}</defs><use href='#n8'/>",
    "copies of nothing": f"<g id='n0'/><defs>{TENFOLD}</defs><use href='#n8'/>",
    "layers in layers": "<g opacity='.9'>" * 20 + "<rect width='9' height='9'/>" + "</g>" * 20,
    "layers beside layers": "<rect width='9' height='9' opacity='.5'/>" * 600,
    "stops": "<linearGradient id='a'>" + "<stop/>" * 300 + "</linearGradient><g fill='url(#a)'/>",
    "shapes of a clip": "<clipPath id='a'>"
    + "<rect width='1' height='1'/>" * 1001
    + "</clipPath><g clip-path='url(#a)'/>",
    "clips of clips": "".join(
        f"<clipPath id='c{n}' clip-path='url(#c{n + 1})'><rect width='9' height='9'/></clipPath>" for n in range(30)
    )
    + "<g clip-path='url(#c0)'/>",
}


@pytest.mark.parametrize("content", BOMBS.values(), ids=BOMBS)
def test_a_drawing_that_would_never_end_is_refused_at_once(content: str, tmp_path: Path) -> None:
    (first, *_) = said(tmp_path, content)
    assert first.endswith(("[T005]", "[T007]", "[T010]", "[T011]"))
