"""Cut sheets as files for cutting machines: SVG and DXF, in mm and of exactly the sheet's size.

Both have two layers: CUT, and REGISTRATION with the printed marks, which are for orientation and not to be cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, tan
from typing import assert_never

from render.scene.items import Outline
from render.sheets.cutting import Contour, Cut, CutLine, CutSheet

_DIGITS = 4  # decimals of mm: 0.1 micrometers


def svg(sheet: CutSheet) -> bytes:
    """Return an SVG file: width and height in mm, one user unit per mm, y down."""
    width, height = _number(sheet.paper.width), _number(sheet.paper.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f' width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        *_layer("CUT", "Cut", 'fill="none" stroke="#ff0000" stroke-width="0.1"', map(_path, sheet.cuts)),
    ]
    if sheet.marks:
        # inkscape-silhouette ignores every layer of this name.
        lines += _layer("REGISTRATION", "Regmarks", 'fill="#000000" stroke="none"', map(_area, sheet.marks.outlines))
    return ("\n".join([*lines, "</svg>"]) + "\n").encode("ascii")


def dxf(sheet: CutSheet) -> bytes:
    """Return a DXF file of release 12, which every program reads: mm, y up, corners as true arcs (bulges)."""
    groups = (
        *_header(sheet),
        *_tables(),
        (0, "SECTION"),
        (2, "ENTITIES"),
        *_entities(sheet),
        (0, "ENDSEC"),
        (0, "EOF"),
    )
    return "".join(f"{code:>3}\n{value}\n" for code, value in groups).encode("ascii")


# --- SVG ------------------------------------------------------------------------------------------------------------


def _layer(name: str, label: str, paint: str, paths: Iterator[str]) -> Iterator[str]:
    yield f'<g id="{name}" inkscape:groupmode="layer" inkscape:label="{label}" {paint}>'
    for path in paths:
        yield f'  <path d="{path}"/>'
    yield "</g>"


def _path(cut: Cut) -> str:
    match cut:
        case CutLine(start, end):
            return f"M {_pair(*start)} L {_pair(*end)}"
        case Contour():
            return _round(cut)
        case other:
            assert_never(other)


def _round(contour: Contour) -> str:
    """Return the path of a contour. Quarter circles are arcs; the last arc or line closes the path."""
    steps, radius = contour.steps, _number(contour.radius)
    words = [f"M {_pair(steps[0][0], steps[0][1])}"]
    for (_, _, turns), (x, y, _) in zip(steps, (*steps[1:], steps[0]), strict=True):
        words.append(f"A {radius} {radius} 0 0 1 {_pair(x, y)}" if turns else f"L {_pair(x, y)}")
    return " ".join((*words, "Z"))


def _area(outline: Outline) -> str:
    points = [f"L {_pair(x, y)}" for x, y in outline.segments]
    return " ".join((f"M {_pair(*outline.start)}", *points, "Z"))


def _pair(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


# --- DXF ------------------------------------------------------------------------------------------------------------

Group = tuple[int, str | int]
"""A group code and its value."""

_QUARTER = tan(pi / 8)  # the bulge of a quarter circle: the tangent of a fourth of its angle (DXF reference, 42)
_RED, _BLACK = 1, 7  # numbers of AutoCAD's colors; 7 is black on white, white on black
_MILLIMETRES, _METRIC = 4, 1


def _header(sheet: CutSheet) -> Iterator[Group]:
    """Yield the header. $INSUNITS is younger than release 12, but readers take the unit from it."""
    yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    yield from ((9, "$INSUNITS"), (70, _MILLIMETRES), (9, "$MEASUREMENT"), (70, _METRIC))
    for low, high in (("$EXTMIN", "$EXTMAX"), ("$LIMMIN", "$LIMMAX")):
        yield from ((9, low), (10, "0.0"), (20, "0.0"))
        yield from ((9, high), (10, _number(sheet.paper.width)), (20, _number(sheet.paper.height)))
    yield (0, "ENDSEC")


def _tables() -> Iterator[Group]:
    yield from ((0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"))
    # Group 72 of a line type is always 65, the letter A (DXF reference, LTYPE).
    yield from ((72, 65), (73, 0), (40, "0.0"), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, 2))
    for name, color in (("CUT", _RED), ("REGISTRATION", _BLACK)):
        yield from ((0, "LAYER"), (2, name), (70, 0), (62, color), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _entities(sheet: CutSheet) -> Iterator[Group]:
    for cut in sheet.cuts:
        match cut:
            case CutLine(start, end):
                yield from ((0, "LINE"), (8, "CUT"))
                yield from (*_point(10, *_up(sheet, *start)), *_point(11, *_up(sheet, *end)))
            case Contour(steps=steps):
                yield from _polyline("CUT", [(_up(sheet, x, y), -_QUARTER if turns else 0.0) for x, y, turns in steps])
            case other:
                assert_never(other)
    for outline in sheet.marks.outlines if sheet.marks else ():
        points = (outline.start, *((x, y) for x, y in outline.segments))
        yield from _polyline("REGISTRATION", [(_up(sheet, *point), 0.0) for point in points])


Point = tuple[float, float]


def _up(sheet: CutSheet, x: float, y: float) -> Point:
    """Return a point of the sheet from its bottom left, y up."""
    return x, sheet.paper.height - y


def _polyline(layer: str, vertices: list[tuple[Point, float]]) -> Iterator[Group]:
    """Yield a closed polyline. A vertex has the bulge of the segment behind it, negative if that turns clockwise."""
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, 1))
    # A dummy point: POLYLINE has one, always 0, and its vertices follow (DXF reference, POLYLINE).
    yield from _point(10, 0.0, 0.0)
    for place, bulge in vertices:
        yield from ((0, "VERTEX"), (8, layer), *_point(10, *place))
        if bulge:
            yield (42, f"{bulge:.12f}")
    yield from ((0, "SEQEND"), (8, layer))


def _point(code: int, x: float, y: float) -> tuple[Group, ...]:
    return (code, _number(x)), (code + 10, _number(y)), (code + 20, "0.0")


def _number(value: float) -> str:
    # `+ 0` turns -0.0 into 0.0.
    return f"{round(value, _DIGITS) + 0:.{_DIGITS}f}".rstrip("0").rstrip(".")
