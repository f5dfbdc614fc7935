"""Gradients of two colors as shading patterns, each in the file once (ISO 32000-1, 8.7.4.5).

Red, green and blue change evenly between two colors, as in scenes. The inks of a press do not, so they are listed.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportlab.pdfbase import pdfdoc

from render.images.press import Press
from render.pdf import operators
from render.pdf.objects import Piece, dictionary, packed, piece, to
from render.scene.gradients import Gradient, LinearGradient, circle_through, knots

_DIGITS = 6  # of places and colors: a step of 255 is 0.004


def pattern(gradient: Gradient, press: Press | None) -> Piece:
    """Return a gradient's pattern in the inks of a press, or in sRGB."""
    space, function, parts = _colors(gradient, press)
    coordinates: tuple[float, ...]
    if isinstance(gradient, LinearGradient):
        kind, coordinates = 2, (*gradient.start, *gradient.end)
    else:
        x, y, across, down, inner, growth = circle_through(gradient)
        kind, coordinates = 3, (x, y, inner, x + across, y + down, inner + growth)
    shading = dictionary(
        ShadingType=kind,
        ColorSpace=f"/{space}",
        Coords=_numbers(coordinates),
        Function=function,
        Extend=["true", "true"],
    )
    made = dictionary(Type="/Pattern", PatternType=2, Matrix=_numbers(gradient.transform), Shading=shading)
    return piece(made, parts=parts)


def _colors(gradient: Gradient, press: Press | None) -> tuple[str, pdfdoc.PDFObject, list[Piece]]:
    """Return the color space of a gradient, the function that gives its colors, and the object that this is, if any."""
    if press is not None:
        listed = _listed(gradient, press)
        return "DeviceCMYK", to(listed), [listed]
    ends = [knots(gradient.stops)[end][1][:3] for end in (0, -1)]
    space = "DeviceRGB"
    if all(len(set(end)) == 1 for end in ends):  # a gray has one channel, as all grays have
        space, ends = "DeviceGray", [end[:1] for end in ends]
    # A function that is straight from the first to the last color (7.10.3).
    return space, dictionary(FunctionType=2, Domain=[0, 1], C0=_numbers(ends[0]), C1=_numbers(ends[1]), N=1), []


def _listed(gradient: Gradient, press: Press) -> Piece:
    """Return a function that lists inks at even places (7.10.2)."""
    from render.images.inks import gradient_inks

    inks = gradient_inks(gradient.stops, press)
    samples = bytes(round(255 * share) for each in inks for share in each)
    return packed(samples, FunctionType=0, Domain=[0, 1], Range=[0, 1] * 4, Size=[len(inks)], BitsPerSample=8)


def _numbers(values: Iterable[float]) -> list[str]:
    return [operators.number(value, _DIGITS) for value in values]
