"""Every attribute and property of a template is drawn, or refused where it stands."""

from pathlib import Path

import pytest

from render.base.findings import Refused
from render.layout.svg.properties import DRAWN, LAYING_OUT, NEUTRAL
from render.scene.items import Scene
from tests.support.scene_dumps import dump
from tests.support.templates import laid_out, svg

BOX = '<text x="3" y="9" width="40" height="60" {}>Words of a text 12 AV fi <tspan>and more</tspan> of them</text>'
LINE = '<text x="3" y="9" {}>Words AV fi <tspan>and more</tspan></text>'
SHAPES = '<g {}><path d="M1 1h9v9" stroke="#f00" stroke-dasharray="2 1"/><text x="30" y="20">Words</text></g>'
CLIP = '<clipPath id="c"><rect width="9" height="9"/></clipPath>'


def drawn(folder: Path, content: str) -> str:
    return dump(laid_out(folder, svg(content)))


def refused(folder: Path, content: str) -> list[tuple[str, str]]:
    """Return code and message of what is refused, each at the line of the content."""
    with pytest.raises(Refused) as error:
        laid_out(folder, svg(content))
    assert all(each.span and each.span.line == 2 for each in error.value.findings)
    return [(each.code, each.message) for each in error.value.findings]


REFUSED = {  # content, and what is refused in it
    LINE.format('font-size="9pts"'): "font-size",
    LINE.format('style="font-size: 9xp"'): "font-size",
    LINE.format('font-size="-3" stroke="none"'): "font-size",
    '<g font-size="9pts"><text y="9">a</text></g>': "font-size",
    '<rect width="9" height="9" font-size="9xp"/>': "font-size",
    LINE.format('font-variant-numeric="tabular-nums"'): "font-variant-numeric",
    LINE.format('font-variant-caps="small-caps"'): "font-variant-caps",
    LINE.format('font-variant-caps="smallcaps"'): "font-variant-caps",
    LINE.format('font-variant-position="super"'): "font-variant-position",
    LINE.format('font-feature-settings="ss01"'): "font-feature-settings",
    LINE.format("font-feature-settings=\"'ss99'\""): "font-feature-settings",
    LINE.format('font-kerning="no"'): "font-kerning",
    LINE.format('kerning="0"'): "kerning",
    LINE.format('word-spacing="20"'): "word-spacing",
    LINE.format('stroke="red" stroke-width="2"'): "stroke-width",
    LINE.format('stroke="red" stroke-opacity="0.5"'): "stroke-opacity",
    BOX.format('style="line-height: 2"'): "line-height",
    '<g style="line-height: 2">' + BOX.format("") + "</g>": "line-height",
    BOX.format('style="text-align: center"'): "text-align",
    BOX.format('style="white-space: nowrap"'): "white-space",
    BOX.format('dx="4"'): "dx",
    BOX.format('min-stretch="0.5"'): "min-stretch",
    LINE.format('style="inline-size: 20"'): "inline-size",
    LINE.format('style="shape-inside: url(#c)"'): "shape-inside",
    LINE.format('leading="2"'): "leading",
    LINE.format('size-step="0.1"'): "size-step",
    LINE.format('min-size="1"'): "min-size",
    LINE.format('width="50" max-space-growth="1"'): "max-space-growth",
    LINE.format('dx="9pts"'): "dx",
    LINE.format('visibility="visble"'): "visibility",
    LINE.format('display="nnoe"'): "display",
    LINE.format('color="rde"'): "color",
    LINE.replace("<tspan>", '<tspan opacity="0.5">').format(""): "opacity",
    LINE.replace("<tspan>", '<tspan fill-opacity="0.5">').format(""): "fill-opacity",
    CLIP + LINE.replace("<tspan>", '<tspan clip-path="url(#c)">').format(""): "clip-path",
    BOX.replace("12", '<br style="letter-spacing: 1"/>').format(""): "letter-spacing",
    BOX.replace("12", '<rule fill="#f00"/>').format(""): "fill",
    '<rect width="9" height="9" fill-color="#f00"/>': "fill-color",
    '<svg width="9" height="9" style="background: #f00"/>': "background",
    '<g style="transform-box: fill-box"/>': "transform-box",
    '<g image-rendering="pixelated"/>': "image-rendering",
    '<path d="M0 0h9" stroke="red" stroke-dashoffset="2xp"/>': "stroke-dashoffset",
    '<path d="M0 0h9" stroke="red" paint-order="strokes"/>': "paint-order",
    '<style media="screen">.a { fill: red }</style>': "media",
    '<symbol id="s" refX="3"/><use href="#s"/>': "refX",
}


@pytest.mark.parametrize("content", REFUSED)
def test_what_is_not_drawn_is_refused_at_its_place(tmp_path: Path, content: str) -> None:
    said = refused(tmp_path, content)
    assert {code for code, _ in said} <= {"T006", "T007"}
    assert all(f"`{REFUSED[content]}`" in message for _, message in said)


DRAWN_ALIKE = [  # two ways to write the same, and another that differs
    (LINE.format('font-size="9pt"'), LINE.format('style="font-size: 9pt"'), LINE.format("")),
    (
        '<g letter-spacing="1"><text y="9">Words</text></g>',
        '<text y="9"><tspan letter-spacing="1">Words</tspan></text>',
        '<text y="9">Words</text>',
    ),
    (
        '<svg width="40" height="40" letter-spacing="1"><text y="9">Words</text></svg>',
        '<svg width="40" height="40"><text y="9" letter-spacing="1">Words</text></svg>',
        '<svg width="40" height="40"><text y="9">Words</text></svg>',
    ),
    ('<text dx="3" y="9">Words</text>', '<text x="3" y="9">Words</text>', '<text y="9">Words</text>'),
    (
        '<text y="9" style="white-space: pre">a   b</text>',
        '<text y="9" xml:space="preserve">a   b</text>',
        '<text y="9">a   b</text>',
    ),
    (
        '<g stroke="#f00" stroke-dashoffset="2"><path d="M0 0h9" stroke-dasharray="3 1"/></g>',
        '<path d="M0 0h9" stroke="#f00" stroke-dashoffset="2" stroke-dasharray="3 1"/>',
        '<path d="M0 0h9" stroke="#f00" stroke-dasharray="3 1"/>',
    ),
    (
        '<g stroke="#f00" stroke-dasharray="3 1"><path d="M0 0h9" stroke-dashoffset="2"/></g>',
        '<path d="M0 0h9" stroke="#f00" stroke-dashoffset="2" stroke-dasharray="3 1"/>',
        '<path d="M0 0h9" stroke="#f00" stroke-dasharray="3 1"/>',
    ),
    (
        '<g paint-order="stroke"><path d="M0 0h9v9z" fill="red" stroke="#00f"/></g>',
        '<path d="M0 0h9v9z" fill="none" stroke="#00f"/><path d="M0 0h9v9z" fill="#f00"/>',
        '<path d="M0 0h9v9z" fill="#f00" stroke="#00f" paint-order="fill stroke"/>',
    ),
    (
        '<style>.a { fill: red !important }</style><rect class="a" width="9" height="9" style="fill: lime"/>',
        '<rect width="9" height="9" fill="#f00"/>',
        '<rect width="9" height="9" fill="#0f0"/>',
    ),
    ('<rect width="9" height="9" systemLanguage="xx"/>', "<g/>", '<rect width="9" height="9"/>'),
    ('<text y="9" requiredExtensions="x">a</text>', "<g/>", '<text y="9">a</text>'),
    (
        '<g text-anchor="end"><text x="30" y="9" text-anchor="inherit">a</text></g>',
        '<text x="30" y="9" text-anchor="end">a</text>',
        '<text x="30" y="9">a</text>',
    ),
]


@pytest.mark.parametrize(("one", "same", "other"), DRAWN_ALIKE)
def test_what_is_accepted_is_drawn(tmp_path: Path, one: str, same: str, other: str) -> None:
    assert drawn(tmp_path, one) == drawn(tmp_path, same) != drawn(tmp_path, other)


@pytest.mark.parametrize("content", [
    LINE.format('style="line-height:1.25;text-align:center;font-kerning:auto;font-variant-caps:normal;kerning:auto"'),
    BOX.format('style="line-height:normal;text-align:center;text-anchor:middle;white-space:pre"'),
    '<text style="inline-size:20;shape-inside:url(#c);white-space:pre"><tspan x="3" y="9">a</tspan></text>',
    '<g style="background:#ffffff;image-rendering:optimizeSpeed;transform-box:view-box;isolation:isolate"/>',
    LINE.format('letter-spacing="normal" font-size="large"'),
])  # fmt: skip
def test_what_drawing_programs_write_beside_is_no_mistake(tmp_path: Path, content: str) -> None:
    assert isinstance(laid_out(tmp_path, svg(content)), Scene)


OF_STOPS = {"stop-color", "stop-opacity"}  # which draw nothing elsewhere


@pytest.mark.parametrize("name", sorted((DRAWN | NEUTRAL.keys()) - OF_STOPS))
def test_a_value_that_means_nothing_is_refused_however_it_is_written(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, SHAPES.format(f'{name}="9!ts"'))
    assert refused(tmp_path, SHAPES.format(f'style="{name}: 9!ts"'))
    assert refused(tmp_path, f"<style>#n {{ {name}: 9!ts }}</style>" + SHAPES.format('id="n"'))


@pytest.mark.parametrize("name", sorted(LAYING_OUT))
def test_what_lays_out_lines_otherwise_than_a_box_does_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, BOX.format(f'style="{name}: 9!ts"'))
    assert refused(tmp_path, f'<g {name}="9!ts">' + BOX.format("") + "</g>")
