"""Furniture of the coast that turns up in picture after picture, so that it is always the same coast."""

from collections.abc import Sequence

from .canvas import Canvas
from .palette import AMBER, CREAM, FOAM, INDIGO, LANTERN, NIGHT, PEACH, UMBER, Colour
from .shapes import Shape, box, disc, joined, outline, oval, polygon, ribbon, stations


def lantern(canvas: Canvas, x: float, y: float, height: float, *, metal: Colour = NIGHT, reach: float = 1.6) -> None:
    """A storm lantern standing at (x, y), lit; its glow reaches `reach` times its height."""

    def at(dx: float, dy: float) -> tuple[float, float]:
        return x + dx * height, y + dy * height

    canvas.glow(*at(0, -0.4), height * reach, AMBER, 0.15, 4)
    canvas.fill(
        ribbon([at(-0.2, -0.72), at(-0.17, -0.98), at(0, -1.08), at(0.17, -0.98), at(0.2, -0.72)], height * 0.035),
        metal,
    )
    glass = outline(
        [at(-0.17, -0.62), at(-0.23, -0.4), at(-0.17, -0.16), at(0.17, -0.16), at(0.23, -0.4), at(0.17, -0.62)]
    )
    canvas.fill(glass, AMBER)
    with canvas.inside(glass):
        canvas.fill(oval(*at(0, -0.36), height * 0.16, height * 0.25), LANTERN)
        flame = outline([at(0, -0.58), at(0.075, -0.34), at(0, -0.22), at(-0.075, -0.34)])
        canvas.fill(flame, CREAM)
    for side in (-0.2, 0.2):
        canvas.fill(
            ribbon([at(side * 0.86, -0.64), at(side * 1.25, -0.4), at(side * 0.86, -0.14)], height * 0.03), metal
        )
    canvas.fill(ribbon([at(-0.235, -0.4), at(0.235, -0.4)], height * 0.022), metal)
    cap = polygon([at(-0.24, -0.62), at(-0.1, -0.8), at(0.1, -0.8), at(0.24, -0.62)])
    foot = box(*at(-0.22, -0.16), height * 0.44, height * 0.16, height * 0.03)
    knob = box(*at(-0.06, -0.86), height * 0.12, height * 0.08, height * 0.02)
    canvas.fill(joined(cap, foot, knob), metal)
    canvas.fill(box(*at(-0.2, -0.15), height * 0.4, height * 0.03), AMBER, 0.8)


def cottage(
    canvas: Canvas,
    x: float,
    base: float,
    width: float,
    height: float,
    wall: Colour,
    *,
    lit: Sequence[int] = (0,),
    chimney: bool = True,
) -> None:
    """A gabled house standing at `base`, its left wall at `x`; `lit` picks which of its four windows glow."""
    eaves = base - height * 0.6
    house = box(x, eaves, width, height * 0.6 + 2)
    roof = polygon([(x - width * 0.08, eaves + 2), (x + width / 2, base - height), (x + width * 1.08, eaves + 2)])
    stack = box(x + width * 0.7, base - height * 0.98, width * 0.12, height * 0.3)
    canvas.fill(joined(house, roof, stack) if chimney else joined(house, roof), wall)
    pane = width * 0.17
    for window in lit:
        column, row = window % 2, window // 2
        canvas.fill(
            box(x + width * (0.22 + 0.39 * column), eaves + height * (0.09 + 0.25 * row), pane, pane * 1.25), LANTERN
        )


def town(canvas: Canvas, x: float, base: float, size: float, wall: Colour, *, houses: int = 7) -> None:
    """A huddle of lit houses from `x` to the right, the tallest with a steeple; `size` is a house's width."""
    for house in range(houses):
        height = size * (1.3, 1.75, 1.1, 1.9, 1.4, 1.6, 1.2)[house % 7]
        lit = ((0, 3), (1,), (2,), (0, 1, 2), (3,), (1, 2), (0,))[house % 7]
        cottage(canvas, x + house * size * 0.92, base, size, height, wall, lit=lit, chimney=house % 2 == 0)
        if house % 7 == 3:
            middle = x + (house * 0.92 + 0.5) * size
            tower = box(middle - size * 0.17, base - size * 2.5, size * 0.34, size * 2)
            spire = polygon(
                [
                    (middle - size * 0.22, base - size * 2.45),
                    (middle, base - size * 3.4),
                    (middle + size * 0.22, base - size * 2.45),
                ]
            )
            canvas.fill(tower | spire, wall)
            canvas.fill(box(middle - size * 0.06, base - size * 2.3, size * 0.12, size * 0.24), LANTERN)


def sailboat(canvas: Canvas, x: float, water: float, size: float, hull: Colour = NIGHT, sail: Colour = PEACH) -> None:
    """A small sailing boat seen from the side, its waterline at `water`; `size` is its length."""
    canvas.fill(
        outline(
            f"{x - size / 2},{water - size * 0.15}! {x},{water - size * 0.11} "
            f"{x + size * 0.52},{water - size * 0.19}! {x + size * 0.36},{water}! "
            f"{x - size * 0.38},{water}!"
        ),
        hull,
    )
    canvas.fill(box(x - size * 0.012, water - size * 1.1, size * 0.024, size), hull)
    canvas.fill(
        outline(
            f"{x + size * 0.03},{water - size * 1.04}! {x + size * 0.3},{water - size * 0.56} "
            f"{x + size * 0.4},{water - size * 0.24}! {x + size * 0.03},{water - size * 0.2}!"
        ),
        sail,
    )
    canvas.fill(
        outline(
            f"{x - size * 0.03},{water - size * 0.96}! {x - size * 0.22},{water - size * 0.5} "
            f"{x - size * 0.38},{water - size * 0.24}! {x - size * 0.03},{water - size * 0.2}!"
        ),
        sail,
        0.8,
    )


def gull(x: float, y: float, span: float, tilt: float = 0.0) -> Shape:
    """A gull on the wing, far off."""
    half = span / 2
    return outline(
        f"{x - half},{y - half * 0.1}! {x - half * 0.52},{y - half * 0.42} {x},{y - half * 0.02}! "
        f"{x + half * 0.52},{y - half * 0.42} {x + half},{y - half * 0.1}! "
        f"{x + half * 0.5},{y - half * 0.24} {x},{y + half * 0.2}! "
        f"{x - half * 0.5},{y - half * 0.24}"
    ).turned(tilt, (x, y))


def post(
    canvas: Canvas,
    x: float,
    top: float,
    foot: float,
    width: float,
    *,
    wood: Colour = UMBER,
    light: Colour = AMBER,
    toward: float = -1.0,
) -> None:
    """A mooring post with an oval sawn top, lit on its left (`toward` -1) or right (+1)."""
    half = width / 2
    timber = joined(box(x - half, top, width, foot - top), oval(x, foot, half, half * 0.3))
    canvas.model(timber, wood, rim=light, light=(toward, 0), edge=width * 0.08)
    canvas.fill(oval(x, top, half, half * 0.3), light)
    canvas.fill(oval(x, top + half * 0.05, half * 0.82, half * 0.2), wood, 0.55)


def weed(x: float, base: float, height: float, width: float, sway: float = 30) -> Shape:
    """A frond of kelp growing from the sea floor, with leaves to either side."""
    spine = [
        (x, base),
        (x + sway, base - height * 0.35),
        (x - sway * 0.8, base - height * 0.7),
        (x + sway * 0.4, base - height),
    ]
    leaves = []
    for step, (px, py, _) in enumerate(stations(spine, 9, 0.06, 0.9)):
        side = 1 if step % 2 else -1
        reach = width * (5.4 - step * 0.36)
        leaves.append(
            outline(
                f"{px},{py}! {px + side * reach * 0.3},{py - reach * 0.28} "
                f"{px + side * reach * 0.62},{py - reach}! "
                f"{px + side * reach * 0.12},{py - reach * 0.62}"
            )
        )
    return joined(ribbon(spine, width, width * 0.8, width * 0.2), *leaves)


def bubbles(canvas: Canvas, places: Sequence[tuple[float, float, float]], ink: Colour = FOAM) -> None:
    """Rising bubbles, each x, y and radius: a ring of light with a highlight."""
    for x, y, radius in places:
        canvas.fill(disc(x, y, radius), ink, 0.25)
        canvas.fill(disc(x, y, radius) - disc(x, y, radius * 0.84), ink, 0.8)
        canvas.fill(disc(x - radius * 0.35, y - radius * 0.35, radius * 0.2), CREAM, 0.9)


def fish(x: float, y: float, length: float, *, facing: int = -1) -> Shape:
    """A plain little fish, a silhouette for shoals; `facing` -1 swims left."""
    nose, tail = x + facing * length / 2, x - facing * length / 2
    body = outline(f"{nose},{y}! {x},{y - length * 0.2} {tail + facing * length * 0.18},{y}! {x},{y + length * 0.2}")
    fin = polygon([(tail + facing * length * 0.26, y), (tail, y - length * 0.17), (tail, y + length * 0.17)])
    return body | fin


def pennant(canvas: Canvas, x: float, y: float, size: float, ink: Colour, *, pole: Colour = INDIGO) -> None:
    """A swallow-tailed flag streaming right from a pole whose top is at (x, y)."""
    canvas.fill(box(x - size * 0.03, y - size * 0.05, size * 0.06, size), pole)
    canvas.fill(
        outline(
            f"{x},{y}! {x + size * 0.45},{y + size * 0.1} {x + size},{y + size * 0.02}! "
            f"{x + size * 0.78},{y + size * 0.2}! {x + size},{y + size * 0.4}! "
            f"{x + size * 0.45},{y + size * 0.46} {x},{y + size * 0.38}!"
        ),
        ink,
    )
