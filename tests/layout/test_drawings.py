"""Files as drawing programs write them: each is drawn as resvg draws it, or refused where its author finds it."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
import resvg
from PIL import Image

from render.base.findings import Refused
from render.base.geometry import MM_PER_INCH
from tests.support import rasters
from tests.support.repository import ROOT
from tests.support.templates import as_png, laid_out

DRAWINGS = Path(__file__).parent / "drawings"
WIDTH = 600  # pixels; a card of 63.5 mm has them at 240 dpi
MOST = 1.0  # of 255, on average: what an edge between two pixels differs by

REFUSED = {
    "boxy-card": (4, 12, "`<style>`: the selector `:root` is not read"),
    "figma-mask": (5, 4, "`mask` of `<g>`: `url(#mask0_1_1)` is not drawn"),
    "figma-shadow": (2, 4, "`filter` of `<g>`: `url(#filter0_d_5_1)` is not drawn"),
    "illustrator-blend": (7, 29, "`mix-blend-mode` of `<rect>`: `multiply` is not drawn"),
    "illustrator-embedded": (5, 55, "`href` of `<image>`: a picture within the template is not read"),
    "illustrator-pattern": (8, 14, "`fill` of `<rect>`: a `<pattern>` is not drawn"),
    "illustrator-selectors": (7, 2, "`<style>`: the selector `g > .st1` is not read"),
    "inkscape-filter": (37, 28, '`filter` of `<rect id="rect1">`: `url(#filter99)` is not drawn'),
    "inkscape-flow": (28, 5, 'the element `<flowRoot id="flowRoot1">` is not drawn'),
    "inkscape-kerned": (30, 8, '`x` of `<text id="text1">`: expected one length, found `8 13 19 24`'),
}
"""What is refused, at which line and column, and with which words."""

NAMES = sorted(file.stem for file in DRAWINGS.glob("*.svg"))


def text_of(name: str) -> str:
    return (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8")


def by_resvg(text: str, width: int, height: int) -> rasters.Pixels:
    """Return a drawing as resvg draws it, on white, stretched to so many pixels."""
    (root,) = re.findall(r"<svg\b[^>]*>", text)[:1]
    sizes = dict(re.findall(r'\s(width|height)="([\d.]+)', root))
    sized = re.sub(r'\s(width|height)="[^"]*"', "", root)
    if "viewBox" not in sized:
        sized = sized.replace("<svg", f'<svg viewBox="0 0 {sizes["width"]} {sizes["height"]}"', 1)
    sized = sized.replace("<svg", f'<svg width="{width}" height="{height}" preserveAspectRatio="none"', 1)
    options = resvg.usvg.Options.default()
    options.dpi = 96.0
    options.load_fonts_dir(str(ROOT / "fonts"))
    options.font_family = "DejaVu Sans"
    tree = resvg.usvg.Tree.from_str(text.replace(root, sized), options)
    drawn = Image.open(io.BytesIO(bytes(resvg.render(tree, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)))))
    white = Image.new("RGBA", drawn.size, "white")
    white.alpha_composite(drawn.convert("RGBA"))
    return rasters.pixels(white.convert("RGB"))


def test_there_are_forty_drawings_of_five_programs() -> None:
    assert len(NAMES) == 40
    assert {name.partition("-")[0] for name in NAMES} == {"affinity", "boxy", "figma", "illustrator", "inkscape"}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_a_drawing_is_drawn_as_resvg_draws_it(name: str, tmp_path: Path) -> None:
    scene = laid_out(tmp_path, text_of(name))
    ours = as_png(scene, WIDTH * MM_PER_INCH / scene.size.width)
    theirs = by_resvg(text_of(name), ours.shape[1], ours.shape[0])
    assert np.abs(ours.astype(float) - theirs.astype(float)).mean() <= MOST
    assert theirs.std() > 1  # it is no empty page


RING = '<path clip-rule="evenodd" d="M5 5 H40 V60 H5 Z M12 12 H32 V50 H12 Z"/>'
CLIPS = {
    "a ring and a square over its hole": RING + '<rect x="20" y="30" width="35" height="35"/>',
    "a square that goes round the other way": RING + '<path d="M20 30 V65 H55 V30 Z"/>',
    "two rings that overlap": RING + RING.replace("d=", 'transform="translate(15 20)" d='),
    "a ring in a ring": RING.replace(' Z"', ' Z M16 16 V44 H28 V16 Z"') + '<circle cx="40" cy="40" r="12"/>',
    "a ring of curves": (
        '<path clip-rule="evenodd" d="M5 40 A25 25 0 1 1 55 40 A25 25 0 1 1 5 40 Z'
        ' M15 40 A15 15 0 1 1 45 40 A15 15 0 1 1 15 40 Z"/><rect x="25" y="35" width="30" height="8"/>'
    ),
}


@pytest.mark.parametrize("name", CLIPS)
def test_shapes_of_a_clip_that_overlap_keep_their_holes(name: str, tmp_path: Path) -> None:
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9" viewBox="0 0 63.5 88.9">'
        f'<clipPath id="c">{CLIPS[name]}</clipPath><g clip-path="url(#c)"><rect width="63.5" height="88.9"/></g></svg>'
    )
    ours = as_png(laid_out(tmp_path, text), WIDTH * MM_PER_INCH / 63.5)
    theirs = by_resvg(text, ours.shape[1], ours.shape[0])
    assert np.abs(ours.astype(float) - theirs.astype(float)).mean() <= MOST
    assert theirs.std() > 1


def test_holes_that_cross_the_edge_of_their_shape_are_refused_with_a_way_out(tmp_path: Path) -> None:
    shapes = '<path clip-rule="evenodd" d="M5 5 H40 V60 H5 Z M12 12 H50 V50 H12 Z"/><rect width="30" height="30"/>'
    clipped = f'<clipPath id="c">{shapes}</clipPath><g clip-path="url(#c)"><rect width="9" height="9"/></g>'
    with pytest.raises(Refused, match="make one path of them, or clip a `<g>` within a `<g>`"):
        laid_out(tmp_path, f'<svg width="9" height="9">{clipped}</svg>')


@pytest.mark.parametrize("name", REFUSED)
def test_a_drawing_is_refused_where_its_author_finds_what_is_wrong(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        laid_out(tmp_path, text_of(name))
    (finding,) = refused.value.findings
    line, column, words = REFUSED[name]
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (line, column)
    assert words in finding.message
    assert finding.hint
