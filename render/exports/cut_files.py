"""Cut sheets as files for cutting machines: SVG and DXF, in mm and of exactly the sheet's size.

Both have two layers: CUT, and REGISTRATION with the printed marks, which are for orientation and not to be cut. What is
folded has a third one, FOLD, to be scored: dashed in SVG, which some programs cut as a perforation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import pi, tan
from typing import assert_never

from render.scene.items import Outline
from render.scene.outlines import chords, path_data
from render.sheets.cutting import Contour, Cut, CutLine, CutShape, CutSheet

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
    if sheet.folds:
        paint = 'fill="none" stroke="#0000ff" stroke-width="0.1" stroke-dasharray="2 1"'
        lines += _layer("FOLD", "Fold", paint, map(_path, sheet.folds))
    if sheet.marks:
        # inkscape-silhouette ignores every layer of this name.
        lines += _layer("REGISTRATION", "Regmarks", 'fill="#000000" stroke="none"', map(_area, sheet.marks.outlines))
    return ("\n".join([*lines, "</svg>"]) + "\n").encode("ascii")


# --- SVG ------------------------------------------------------------------------------------------------------------


def _layer(name: str, label: str, paint: str, paths: Iterator[str]) -> Iterator[str]:
    yield f'<g id="{name}" inkscape:groupmode="layer" inkscape:label="{label}" {paint}>'
    yield from (f'  <path d="{path}"/>' for path in paths)
    yield "</g>"


def _path(cut: Cut) -> str:
    """Return the path of a cut. Quarter circles are arcs; the last arc or line closes the path of a contour."""
    match cut:
        case CutLine(start, end):
            return f"M {_pair(*start)} L {_pair(*end)}"
        case Contour(steps=steps):
            radius = _number(cut.radius)
            words = [f"M {_pair(*steps[0][:2])}"]
            for (_, _, turns), (x, y, _) in zip(steps, (*steps[1:], steps[0]), strict=True):
                words.append(f"A {radius} {radius} 0 0 1 {_pair(x, y)}" if turns else f"L {_pair(x, y)}")
            return " ".join((*words, "Z"))
        case CutShape(outline):
            return path_data((outline,), _DIGITS)
        case other:
            assert_never(other)


def _area(outline: Outline) -> str:
    points = [f"L {_pair(x, y)}" for x, y in outline.segments]
    return " ".join((f"M {_pair(*outline.start)}", *points, "Z"))


def _pair(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


def _number(value: float) -> str:
    # `+ 0` turns -0.0 into 0.0.
    return f"{round(value, _DIGITS) + 0:.{_DIGITS}f}".rstrip("0").rstrip(".")


_CHORDS = 32  # of a curve, which release 12 has not: those of a quarter of a disc 60 mm wide leave it by 0.01 mm

# --- DXF ------------------------------------------------------------------------------------------------------------

Group = tuple[int, str | int]
"""A group code and its value."""

_QUARTER = tan(pi / 8)  # the bulge of a quarter circle: the tangent of a fourth of its angle (DXF reference, 42)
_RED, _BLUE, _BLACK = 1, 5, 7  # numbers of AutoCAD's colors; 7 is black on white, white on black
_MILLIMETRES, _METRIC = 4, 1


def _tables(layers: Mapping[str, int]) -> list[Group]:
    """Return the tables of a file: its one line type, and the color of each layer."""
    # Group 72 of a line type is always 65, the letter A (DXF reference, LTYPE).
    head: list[Group] = [
        (0, "SECTION"), (2, "TABLES"),
        (0, "TABLE"), (2, "LTYPE"), (70, 1),
        (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"), (72, 65), (73, 0), (40, "0.0"),
        (0, "ENDTAB"),
        (0, "TABLE"), (2, "LAYER"), (70, len(layers)),
    ]  # fmt: skip
    for name, color in layers.items():
        head += [(0, "LAYER"), (2, name), (70, 0), (62, color), (6, "CONTINUOUS")]
    return [*head, (0, "ENDTAB"), (0, "ENDSEC")]


def dxf(sheet: CutSheet) -> bytes:
    """Return a DXF file of release 12, which every program reads: mm, y up, corners as true arcs (bulges)."""
    width, height = _number(sheet.paper.width), _number(sheet.paper.height)
    groups: list[Group] = [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")]
    # $INSUNITS is younger than release 12, but readers take the unit from it.
    groups += [(9, "$INSUNITS"), (70, _MILLIMETRES), (9, "$MEASUREMENT"), (70, _METRIC)]
    for low, high in (("$EXTMIN", "$EXTMAX"), ("$LIMMIN", "$LIMMAX")):
        groups += [(9, low), (10, "0.0"), (20, "0.0"), (9, high), (10, width), (20, height)]
    layers = {"CUT": _RED, **({"FOLD": _BLUE} if sheet.folds else {}), "REGISTRATION": _BLACK}
    groups += [(0, "ENDSEC"), *_tables(layers), (0, "SECTION"), (2, "ENTITIES")]

    def point(code: int, x: float, y: float) -> tuple[Group, ...]:
        """Return a point of the sheet, which DXF counts from its bottom left, y up."""
        return (code, _number(x)), (code + 10, _number(sheet.paper.height - y)), (code + 20, "0.0")

    def polyline(layer: str, vertices: Iterable[tuple[float, float, bool]]) -> Iterator[Group]:
        """Yield a closed polyline, given by its points and whether a quarter circle begins there."""
        # A dummy point: POLYLINE has one, always 0, and its vertices follow (DXF reference, POLYLINE).
        yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, 1), (10, "0"), (20, "0"), (30, "0.0"))
        for x, y, turns in vertices:
            yield from ((0, "VERTEX"), (8, layer), *point(10, x, y))
            if turns:  # the bulge of the segment behind it, negative because it turns clockwise
                yield (42, f"{-_QUARTER:.12f}")
        yield from ((0, "SEQEND"), (8, layer))

    def line(layer: str, of: CutLine) -> tuple[Group, ...]:
        return (0, "LINE"), (8, layer), *point(10, *of.start), *point(11, *of.end)

    for cut in sheet.cuts:
        match cut:
            case CutLine():
                groups += line("CUT", cut)
            case Contour(steps=steps):
                groups += polyline("CUT", steps)
            case CutShape(outline):
                groups += polyline("CUT", ((x, y, False) for x, y in chords(outline, _CHORDS)))
            case other:
                assert_never(other)
    for fold in sheet.folds:
        groups += line("FOLD", fold)
    for outline in sheet.marks.outlines if sheet.marks else ():
        groups += polyline("REGISTRATION", [(*outline.start, False), *((x, y, False) for x, y in outline.segments)])
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:>3}\n{value}\n" for code, value in groups).encode("ascii")
