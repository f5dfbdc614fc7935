"""SVG pictures that cannot be drawn: exactly what their author reads, and where in the SVG it is."""

import os
import time
from pathlib import Path

import pytest

from render.base.findings import Span, as_text
from render.base.limits import TO_DRAW_SVG
from render.images.inspect import PictureReference, inspect

SPAN = Span(file=Path("storm.yaml"), line=7, column=8, end_line=7, end_column=21, excerpt="  art: art/storm.svg")
AGAIN = "save it again from a drawing program as plain SVG"
SMALLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"
PNG = "export it as a PNG of 300 dpi or more at its printed size"
SIZE = 'give `<svg>` a `viewBox` such as `viewBox="0 0 1350 840"`'
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">'


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("art").mkdir()


def said_of(svg: str | bytes) -> str:
    """Return all that is said of an SVG when a card names it."""
    Path("art/storm.svg").write_bytes(svg if isinstance(svg, bytes) else svg.encode("utf-8"))
    return as_text(inspect(Path("art/storm.svg").resolve(), PictureReference("art/storm.svg", SPAN, "storm")).findings)


def at(line: int, column: int, excerpt: str, message: str, hint: str) -> str:
    """Return what is said of a place in the SVG."""
    shown = [f"  {line} | {excerpt}", f"  {' ' * len(str(line))} | {' ' * (column - 1)}^"] if excerpt else []
    first = f"art/storm.svg:{line}:{column}: error: the picture `art/storm.svg` {message}"
    return "\n".join([first, *shown, f"  hint: {hint}"])


def of_the_card(message: str, hint: str) -> str:
    """Return what is said of the whole SVG, at the card that names it."""
    return "\n".join(
        [
            f"storm.yaml:7:8: error: the picture `art/storm.svg` {message}",
            "  7 |   art: art/storm.svg",
            "    |        ^^^^^^^^^^^^^",
            f"  hint: {hint}",
        ]
    )


READ = "is an SVG that cannot be read:"


@pytest.mark.parametrize(
    ("lines", "line", "column", "message", "hint"),
    [
        ("<g>\n  <circle r='3'/>\n</svg>", 4, 3, f"{READ} mismatched tag [A013]", AGAIN),
        ("<g inkscape:label='Sky'/></svg>", 2, 1, f"{READ} unbound prefix [A013]", AGAIN),
        (
            "<use href='#leaf'/>\n</svg>",
            2, 1, "is an SVG whose `<use>` names `#leaf`, and nothing has this id [A013]",
            "copy the shape itself into its place",
        ),
        ("<g/>\n" * 20_001, 20_001, 1, "is an SVG of more than 20,000 elements [A015]", SMALLER),
        ("<g>\n" * 5_000, 65, 1, "is an SVG nested more than 64 levels deep [A015]", SMALLER),
    ],
    ids=["not closed", "unbound", "used and not there", "too many", "too deep"],
)  # fmt: skip
def test_a_mistake_has_its_line_and_column(lines: str, line: int, column: int, message: str, hint: str) -> None:
    assert said_of(f"{HEAD}\n{lines}\n") == at(line, column, lines.split("\n")[line - 2], message, hint)


def test_an_svg_that_was_cut_short() -> None:
    assert said_of(f"{HEAD}\n<g>\n") == at(3, 1, "", f"{READ} no element found [A013]", AGAIN).replace("  3 | \n", "")


def test_bytes_that_are_not_utf_8() -> None:
    svg = f"{HEAD}\n<title>Sk\xf6ll</title></svg>".encode("latin-1")
    line = "<title>Sk\ufffdll</title></svg>"
    assert said_of(svg) == at(2, 10, line, "is an SVG that is not UTF-8: the byte 0xf6 [A013]", "save it as UTF-8")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("0 0L1 1", "begins with `0`"),
        ("L1 1", "begins with `L`, and not with `M`"),
        ("M0 0L1", "has 1 numbers behind `L`, which takes 2 at a time"),
        ("M0 0C1 1 2 2 3", "has 5 numbers behind `C`, which takes 6 at a time"),
        ("M0 0 L 1 one", "has `one` where a number is due"),
        ("M0 0z1 1", "has `1` where a letter is due"),
        ("M0 0A1 1 0 2 1 3 3", "has `1 1 0 2 1 3` where the seven numbers of an arc are due"),
    ],
)
def test_path_data_that_breaks_off(data: str, says: str) -> None:
    line = f'<path d="{data}"/></svg>'
    says = "has `0` where a letter is due" if data.startswith("0") else says
    said = said_of(f"{HEAD}\n{line}")
    assert said == at(2, 1, line, f"{READ} `d` of `<path>` {says} [A013]", AGAIN)


TEXT = "convert the text to paths (in Inkscape: Path, Object to Path), and save it again"
LOCAL = "let it name an id such as `#leaf`"


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("<text x='1' y='9'>Storm</text>", "`<text>`, which is not drawn", TEXT),
        ("<image href='/etc/passwd'/>", "`<image>`, which is not drawn", f"draw it as shapes, or {PNG}"),
        ("<image href='http://example.com/a.png'/>", "`<image>`, which is not drawn", f"draw it as shapes, or {PNG}"),
        ("<script>alert(1)</script>", "`<script>`, which is not drawn", "remove it"),
        ("<set attributeName='x'/>", "`<set>`, which is not drawn", "remove it: a card does not move"),
        ("<foreignObject/>", "`<foreignObject>`, which is not drawn", f"remove it, or {PNG}"),
        ("<rec width='3'/>", "`<rec>`, which is not drawn", f"remove it, or {PNG}"),
        ("<use href='leaf.svg#a'/>", "`href` to `leaf.svg#a`, and no other file is read", LOCAL),
        ("<use xlink:href='file:///a#a'/>", "`href` to `file:///a#a`, and no other file is read", LOCAL),
        ("<g fill='url(a.svg#b)'/>", "`fill` with `url(a.svg#b)`, and no other file is read", LOCAL),
        ("<g style='fill:URL( \"a\")'/>", '`style` with `fill:URL( "a")`, and no other file is read', LOCAL),
        ("<?xml-stylesheet href='a.css'?>", "a style sheet in another file", "save it as plain SVG"),
    ],
)
def test_what_is_not_drawn_and_what_lies_elsewhere(line: str, what: str, hint: str) -> None:
    assert said_of(f"{HEAD}\n{line}\n</svg>") == at(2, 1, line, f"has {what} [A014]", hint)


def test_entities_are_not_read() -> None:
    svg = '<!DOCTYPE svg [<!ENTITY a "<g/>">]>\n' + HEAD + "&a;</svg>"
    said = "has a DOCTYPE with declarations of its own, which are not read [A014]"
    first, *_ = said_of(svg).split("\n")
    assert first.endswith(f"error: the picture `art/storm.svg` {said}")


def test_a_file_that_is_no_svg_inside() -> None:
    assert said_of("<svg viewBox='0 0 3 2'/>") == at(
        1,
        1,
        "<svg viewBox='0 0 3 2'/>",
        "is no SVG: its first element is not `<svg>` of `http://www.w3.org/2000/svg` [A013]",
        AGAIN,
    )


@pytest.mark.parametrize(
    ("root", "says"),
    [
        ("", "is an SVG without a size: it has no `viewBox` [A016]"),
        (" width='100%' height='50%'", "is an SVG without a size: it has no `viewBox` [A016]"),
        (" viewBox='0 0 3'", "is an SVG whose `viewBox` is `0 0 3`, and not four numbers [A016]"),
        (" viewBox='0 0 3 -2'", "is an SVG of 3 x -2, which is no size [A016]"),
        (" viewBox='0 0 3 0'", "is an SVG of 3 x 0, which is no size [A016]"),
        (" viewBox='0 0 1e30 1e30'", "is an SVG of 1e+30 x 1e+30, which is no size [A016]"),
        (" viewBox='0 0 1e-320 1e-320'", "is an SVG of 9.99989e-321 x 9.99989e-321, which is no size [A016]"),
        (" width='1e-200' height='1e-200'", "is an SVG of 1e-200 x 1e-200, which is no size [A016]"),
        (" viewBox='0 0 1000 1'", "is an SVG of 1000 x 1, which is too narrow for a picture [A016]"),
    ],
)
def test_an_svg_without_a_size_for_a_picture(root: str, says: str) -> None:
    assert said_of(f"<svg xmlns='http://www.w3.org/2000/svg'{root}/>") == of_the_card(says, SIZE)


def test_more_bytes_than_are_read() -> None:
    assert said_of(HEAD + " " * 4_000_000 + "</svg>") == of_the_card(
        "is an SVG of 4.0 MB, and at most 4 MB are drawn [A015]", SMALLER
    )


def test_more_words_than_can_be_drawn_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("render.images.files.svg_drawing.TO_DRAW_SVG", TO_DRAW_SVG._replace(seconds=0.3))
    begun = time.process_time() + sum(os.times()[2:4])
    said = said_of(f"{HEAD}<style>{'.a{fill:red}' * 200_000}</style></svg>")
    assert "is an SVG that cannot be drawn in 560 MB of memory and 0.3 s [A015]" in said
    assert time.process_time() + sum(os.times()[2:4]) - begun < 3


@pytest.mark.parametrize("far", ["stroke-width='1e9' r='1e30'", "stroke-width='1e9' r='1e15'"])
def test_shapes_that_reach_far_beyond_the_picture_are_refused_in_plain_words(far: str) -> None:
    said = said_of(f"{HEAD}<circle stroke='red' {far}/></svg>")
    says = "is an SVG that cannot be drawn: its shapes or lines reach too far beyond the picture [A013]"
    assert said == of_the_card(says, SMALLER)


_USE = '<use href="#a{}"/>'


def test_shapes_that_use_shapes_that_use_shapes() -> None:
    lines = ["<g id='a0'><rect width='3' height='3'/></g>"]
    lines += [f"<g id='a{n}'>{_USE.format(n - 1) * 10}</g>" for n in range(1, 12)]
    said = said_of("\n".join([HEAD, *lines, "</svg>"]))
    assert "is an SVG that cannot be drawn: " in said
    assert said.endswith(SMALLER)


@pytest.mark.parametrize("inner", ["<use href='#a'/>", "<g id='b'><use href='#a'/></g><use href='#b'/>"])
def test_a_shape_that_uses_itself(inner: str) -> None:
    said = said_of(f"{HEAD}\n<g id='a'>{inner}</g></svg>")
    assert "is an SVG with a `<use>` that draws itself [A015]" in said
    assert said.endswith("  hint: let it use another shape")


def test_a_missing_svg_suggests_the_one_that_was_meant() -> None:
    Path("art/lighthouse.svg").write_text(f"{HEAD}</svg>")
    found = inspect(Path("art/lighthuose.svg").resolve(), PictureReference("art/lighthuose.svg", SPAN)).findings
    assert found[0].hint == "did you mean `art/lighthouse.svg`?"
