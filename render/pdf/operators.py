"""What a content stream says: numbers, boxes, colors and shapes as PDF operators. Lengths in mm, as in scenes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import Affine, Rect
from render.images.press import InkedColor, Press
from render.scene.items import ClipShape, Color, Filling, Outline, Path, Stroke
from render.scene.outlines import box_of_outlines, move_outlines

if TYPE_CHECKING:
    from render.scene.gradients import Gradient

OVERPRINT = "Overprint"
"""The name of the graphics state in which drawing leaves the other inks beneath in place."""

_CAPS = {"butt": 0, "round": 1, "square": 2}  # ISO 32000-1, table 54
_JOINS = {"miter": 0, "round": 1, "bevel": 2}  # table 55


NameOf: TypeAlias = "Callable[[Gradient], str]"
"""How a content stream calls a gradient."""


def path_operators(path: Path, press: Press | None = None, name_of: NameOf | None = None) -> list[str]:
    """Return the operators that fill and stroke a shape, in the inks of a press or in sRGB.

    `name_of` is needed for gradients alone.
    """
    outlines = _outlines(path.outlines)
    operators = []
    if path.fill is not None:
        # F* fills by the even-odd rule (table 60).
        filled = f"{_filling(path.fill, press, name_of)} {outlines} {'f*' if path.even_odd else 'f'}"
        operators.append(f"q /{OVERPRINT} gs {filled} Q" if overprints(path.fill) else filled)
    if path.stroke is not None:
        state = f"/{OVERPRINT} gs " if overprints(path.stroke.color) else ""
        if not isinstance(path.stroke.color, tuple):
            operators.append(f"q {_finer(path.stroke, path.outlines, press, name_of)} S Q")
        else:
            operators.append(f"q {state}{_stroke(path.stroke, press, name_of)} {outlines} S Q")
    return operators


def overprints(color: Filling | None) -> bool:
    """Return whether a color leaves other inks beneath in place."""
    return isinstance(color, InkedColor) and color.overprints


def clip(shape: ClipShape) -> str:
    """Return the operators after which nothing shows outside a shape."""
    # `W n`: clip, and paint nothing (8.5.4).
    return f"{_outlines(shape.outlines)} {'W*' if shape.even_odd else 'W'} n"


def _outlines(outlines: tuple[Outline, ...]) -> str:
    """Return the operators of outlines, with the numbers as `number` writes them, all at once: that is faster."""
    parts = []
    for outline in outlines:
        parts.append("%.4f %.4f m " % outline.start)  # noqa: UP031 - these are tuples of numbers
        parts += [(_LINE if len(segment) == 2 else _CURVE) % segment for segment in outline.segments]
        if outline.closed:
            parts.append("h ")
    text = "".join(parts)
    # Each number has four decimals: without the zeros at its end, then without the point, and `-0` is 0.
    for end, left in (("000 ", " "), ("00 ", " "), ("0 ", " "), (". ", " "), ("-0 ", "0 ")):
        text = text.replace(end, left)
    return text[:-1]


# m, l, c and h: move, line, curve, close (table 59).
_LINE, _CURVE = "%.4f %.4f l ", f"{6 * '%.4f '}c "


def _filling(filling: Filling, press: Press | None, name_of: NameOf | None) -> str:
    """Return the operators that set what shapes are filled with; in capitals, those of lines."""
    if not isinstance(filling, tuple):
        assert name_of is not None
        return f"/Pattern cs /{name_of(filling)} scn"  # table 74
    return fill(filling, press)


def _stroke(stroke: Stroke, press: Press | None, name_of: NameOf | None) -> str:
    dashes = f"[{' '.join(map(number, stroke.dashes))}] 0 d " if stroke.dashes else ""
    # The operators of stroking colors are those of filling in capitals: rg and RG, g and G, k and K, cs and CS.
    color = _filling(stroke.color, press, name_of)
    lining = (
        color.upper() if isinstance(stroke.color, tuple) else color.replace(" cs ", " CS ").removesuffix("scn") + "SCN"
    )
    return (
        f"{lining} {number(stroke.width)} w"
        f" {_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j {number(stroke.miter_limit)} M {dashes}"
    )


def _finer(stroke: Stroke, outlines: tuple[Outline, ...], press: Press | None, name_of: NameOf | None) -> str:
    """Return a line in finer units: PDFium clips gradients to lines with corners of an eighth of a unit."""
    dashes = tuple(_FINER * dash for dash in stroke.dashes)
    line = replace(stroke, width=_FINER * stroke.width, dashes=dashes)
    finer = _outlines(move_outlines(outlines, Affine.scale(_FINER, _FINER)))
    return f"{matrix(Affine.scale(1 / _FINER, 1 / _FINER))} cm {_stroke(line, press, name_of)} {finer}"


_FINER = 32.0  # units a mm, for lines in a gradient: the numbers of a card stay small enough for every viewer


def bounds(paths: tuple[Path, ...]) -> Rect:
    """Return a box that holds the shapes: control points lie around a curve, a miter may reach its limit."""
    box = box_of_outlines(outline for path in paths for outline in path.outlines)
    reach = max((path.stroke.width * path.stroke.miter_limit / 2 for path in paths if path.stroke), default=0.0)
    return box.outset(reach + 0.1)  # 0.1 mm more, since a form is clipped to its box


def box(box: Rect) -> str:
    return f"{number(box.x)} {number(box.y)} {number(box.width)} {number(box.height)}"


def matrix(affine: Affine, digits: int = 6) -> str:
    values = (affine.a, affine.b, affine.c, affine.d, affine.e, affine.f)
    return " ".join(number(value, digits) for value in values)


def fill(color: Color, press: Press | None = None) -> str:
    """Return the operator that sets the fill color; in capitals, it sets that of lines.

    A gray has one channel, so that a printer uses black ink alone for black text and marks.
    """
    if press is not None:
        if isinstance(color, InkedColor):
            return f"{_numbers(color.inks)} k"
        from render.images.inks import inks

        return f"{_numbers(inks(color, press))} k"
    if len(set(color)) == 1:
        return f"{number(color[0] / 255)} g"
    return f"{_numbers(channel / 255 for channel in color)} rg"


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(number, values))


@cached(8192)
def number(value: float, digits: int = 4) -> str:
    """Return a number as PDF writes it: no exponent, no trailing zeros.

    4 digits of a mm are a tenth of a micrometer.
    """
    # An exponent is no number in PDF (7.3.3).
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
    return "0" if text in ("-0", "") else text
