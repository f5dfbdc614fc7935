"""What kept watch inland, before there was a harbour to keep."""

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
    DUSK,
    HAZE,
    INDIGO,
    LANTERN,
    MAUVE,
    NIGHT,
    PEACH,
    PLUM,
    ROSE,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    Shape,
    box,
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
    mix,
    outline,
    oval,
    pennant,
    picture,
    polygon,
    ribbon,
    ridge,
    spark,
    stations,
    streak,
    town,
    wave,
)

_ARCH = 760.0  # the gate's own axis
_SUNRISE = (1.0, -0.25)


@picture(INDIGO, "eleventh")
def castle_gate(canvas: Canvas) -> None:
    """Sunrise at the old gate: torches still burning, portcullis half up, and somebody with an oil can."""
    halo_sky(
        canvas, 1130, 600, (1160, 940, 740, 560, 400, 260), (mix(INDIGO, DUSK), DUSK, HAZE, BLUSH, APRICOT, CREAM), 0.92
    )
    for x, y, width, ink in ((210, 330, 380, DUSK), (1180, 250, 320, BLUSH), (250, 500, 300, HAZE)):
        canvas.fill(streak(x, y, width), ink, 0.8)
    for x, y, span, tilt in ((1120, 130, 50, -8), (1170, 164, 36, 8), (340, 250, 44, 4)):
        canvas.fill(gull(x, y, span, tilt), PLUM)
    canvas.fill(ridge("-10,600 120,570 260,590 420,640 560,680", 760), mix(DUSK, HAZE, 0.35))
    town(canvas, 60, 592, 34, mix(DUSK, HAZE, 0.35), houses=7)
    canvas.fill(ridge("940,680 1080,640 1220,600 1370,610", 760), ROSE)
    canvas.fill(ridge("-10,680 200,660 420,690 760,700 1100,690 1370,660"), PLUM)
    _keep(canvas)
    _gatehouse(canvas)
    for side in (-1, 1):
        _round_tower(canvas, _ARCH + side * 236)
    _gateway(canvas)
    _moat(canvas)
    for x in (576, 944):
        _torch(canvas, x, 520)
    _grandfather(canvas)


def _stones(canvas: Canvas, area: tuple[float, float, float, float], ink: Colour, opacity: float = 0.6) -> None:
    """A few courses picked out here and there in a wall: left, top, right, bottom."""
    left, top, right, bottom = area
    for row, y in enumerate(range(int(top), int(bottom), 34)):
        for step in range(int((right - left) / 56) + 1):
            if (row * 5 + step * 3) % 7 in {0, 3}:
                canvas.fill(box(left + step * 56 + row % 2 * 26, y, 44, 22, 5), ink, opacity)


def _battlements(left: float, right: float, top: float, *, merlons: int) -> Shape:
    """A parapet whose walk is at `top`, with its teeth."""
    pitch = (right - left) / (merlons * 2 - 1)
    teeth = [box(left + 2 * pitch * tooth, top - 40, pitch, 44) for tooth in range(merlons)]
    return joined(box(left, top, right - left, 46), *teeth)


def _keep(canvas: Canvas) -> None:
    canvas.model(box(684, 96, 152, 180), mix(PLUM, MAUVE), shade=PLUM, rim=PEACH, light=_SUNRISE, depth=60, edge=6)
    canvas.model(polygon("664,104 760,4 856,104"), BRICK, shade=UMBER, rim=PEACH, light=(1, -0.1), depth=80, edge=6)
    canvas.fill(joined(box(744, 126, 32, 50, 16)), NIGHT)
    canvas.fill(box(749, 131, 22, 42, 11), LANTERN)


def _gatehouse(canvas: Canvas) -> None:
    wall = joined(box(590, 250, 340, 500), _battlements(574, 946, 222, merlons=5))
    canvas.model(wall, MAUVE, shade=PLUM, rim=PEACH, light=_SUNRISE, depth=10, edge=6)
    with canvas.inside(wall):
        canvas.fill(box(560, 266, 400, 10), PLUM)
        _stones(canvas, (600, 290, 930, 700), mix(MAUVE, ROSE))
    banner = outline("716,278! 804,278! 804,376! 760,352! 716,376!")
    canvas.model(banner, CORAL, shade=BRICK, rim=PEACH, light=_SUNRISE, depth=14, edge=4)
    canvas.fill(joined(disc(760, 316, 18), *(spark(760, 316, 30, 0.3).turned(turn) for turn in (0, 45))), LANTERN)


def _round_tower(canvas: Canvas, x: float) -> None:
    drum = polygon([(x - 84, 200), (x + 84, 200), (x + 96, 760), (x - 96, 760)])
    canvas.model(drum, MAUVE, shade=PLUM, rim=PEACH, light=(1, 0), depth=62, edge=8)
    with canvas.inside(drum):
        _stones(canvas, (x - 24, 260, x + 26, 700), mix(MAUVE, ROSE))
        _stones(canvas, (x - 90, 240, x - 40, 700), mix(PLUM, INDIGO))
        canvas.fill(box(x - 110, 206, 220, 22), PLUM)
    corbels = joined(*(box(x - 99 + step * 30, 196, 18, 24, 6) for step in range(7)))
    canvas.fill(corbels, PLUM)
    crown = _battlements(x - 106, x + 106, 156, merlons=4)
    canvas.model(crown, MAUVE, shade=PLUM, rim=PEACH, light=_SUNRISE, depth=10, edge=6)
    for y in (300, 440):
        canvas.fill(joined(box(x - 11, y - 6, 22, 92, 11), box(x - 26, y + 30, 52, 18, 9)), NIGHT)
        canvas.fill(joined(box(x - 5, y, 10, 80, 5), box(x - 20, y + 36, 40, 7, 3)), LANTERN)
    pennant(canvas, x, 34, 100, CORAL if x < _ARCH else LANTERN, pole=UMBER)


def _gateway(canvas: Canvas) -> None:
    """The arch, the lit yard behind it, and the portcullis with its teeth at head height."""

    def arch(grow: float) -> Shape:
        return joined(disc(_ARCH, 500, 116 + grow), box(_ARCH - 116 - grow, 500, 232 + 2 * grow, 260))

    canvas.fill(arch(34), PLUM)
    for step in range(13):
        stone = box(_ARCH - 16, 353, 32, 30, 4).turned(-90 + step * 15, (_ARCH, 500))
        canvas.model(stone, mix(MAUVE, ROSE), rim=PEACH, light=_SUNRISE, edge=3)
    for y in (520, 564, 608, 652, 696):
        for x in (_ARCH - 147, _ARCH + 117):
            canvas.model(box(x, y, 30, 36, 4), mix(MAUVE, ROSE), rim=PEACH, light=_SUNRISE, edge=3)
    with canvas.inside(arch(0)):
        canvas.fill(box(600, 340, 320, 420), NIGHT)
        for across, down, ink in ((150, 190, UMBER), (110, 140, BRICK), (70, 90, CORAL), (42, 54, AMBER)):
            canvas.fill(oval(_ARCH, 740, across, down), ink)
        bars = [box(_ARCH - 107 + step * 34, 380, 10, 210) for step in range(7)]
        rails = [box(600, y, 320, 10) for y in (416, 464, 512, 560)]
        teeth = [polygon([(x - 10, 588), (x + 10, 588), (x, 622)]) for x in range(658, 863, 34)]
        iron = joined(*bars, *rails, *teeth)
        canvas.fill(iron.moved(-5, 6), NIGHT)
        canvas.model(iron, INDIGO, rim=APRICOT, light=(0, 1), edge=2.5)
        for step in range(7):
            for y in (421, 469, 517, 565):
                canvas.fill(disc(_ARCH - 102 + step * 34, y, 4), AMBER)


def _moat(canvas: Canvas) -> None:
    canvas.fill(ridge("-10,726 300,712 660,726 860,726 1180,712 1370,722"), mix(PLUM, NIGHT))
    canvas.fill(wave(746, 3, 320), mix(INDIGO, DUSK, 0.3))
    for x, width in ((600, 110), (920, 110), (1130, 380)):
        glitter(canvas, x, 752, 826, width, APRICOT if x > 1000 else AMBER, 6, 0.8)
    bridge = polygon("648,722 872,722 950,850 570,850")
    canvas.model(bridge, UMBER, rim=APRICOT, light=(1, 0), edge=6)
    with canvas.inside(bridge):
        canvas.lighten(oval(_ARCH, 726, 150, 60), AMBER, 0.4)
        for y in (744, 770, 800, 834):
            canvas.fill(box(540, y, 440, 4), NIGHT)
    for side in (-1, 1):
        for link_x, link_y, heading in stations([(_ARCH + side * 128, 440), (_ARCH + side * 172, 806)], 20):
            canvas.fill(box(link_x - 9, link_y - 4, 18, 8, 4).turned(heading, (link_x, link_y)), NIGHT)
        canvas.fill(disc(_ARCH + side * 128, 440, 11), NIGHT)
    for x, height, lean in (
        (40, 90, 10),
        (70, 120, -8),
        (100, 76, 20),
        (1270, 84, -16),
        (1300, 116, 8),
        (1330, 90, 20),
    ):
        canvas.fill(
            outline(f"{x - 7},860! {x + lean * 0.4},{840 - height * 0.5} {x + lean},{840 - height}! {x + 7},860!"),
            NIGHT,
        )
        canvas.fill(oval(x + lean, 846 - height, 6, 17), UMBER)


def _torch(canvas: Canvas, x: float, y: float) -> None:
    canvas.glow(x, y - 40, 120, AMBER, 0.17, 4)
    canvas.fill(polygon([(x - 12, y), (x + 12, y), (x + 5, y + 78), (x - 5, y + 78)]), UMBER)
    canvas.fill(joined(box(x - 16, y - 6, 32, 14, 4), box(x - 11, y + 34, 22, 8, 3)), NIGHT)
    canvas.fill(
        outline(
            f"{x - 18},{y - 6}! {x - 26},{y - 36} {x - 8},{y - 62} {x - 2},{y - 92}! {x + 16},{y - 64} "
            f"{x + 26},{y - 36} {x + 18},{y - 6}!"
        ),
        AMBER,
    )
    canvas.fill(
        outline(f"{x - 12},{y - 6}! {x - 14},{y - 30} {x},{y - 66}! {x + 15},{y - 32} {x + 12},{y - 6}!"), LANTERN
    )
    canvas.fill(outline(f"{x - 6},{y - 6}! {x},{y - 38}! {x + 7},{y - 6}!"), CREAM)


def _grandfather(canvas: Canvas) -> None:
    """He stands under the teeth of it every morning, and reaches up with the can."""
    canvas.fill(oval(806, 736, 46, 7), NIGHT, 0.6)
    canvas.fill(joined(box(786, 690, 15, 44, 4), box(807, 690, 15, 44, 4)), NIGHT)
    canvas.model(
        outline("782,702! 780,660 790,646 818,646 828,662 828,702!"),
        TEAL,
        shade=ABYSS,
        rim=APRICOT,
        light=_SUNRISE,
        depth=14,
        edge=4,
    )
    canvas.fill(ribbon("786,660 766,646 758,628", 12, 10, 9), TEAL)
    canvas.fill(polygon("744,630 768,630 764,606 748,606"), LANTERN)
    canvas.fill(ribbon("752,608 744,594 738,588", 6, 4, 2), LANTERN)
    canvas.fill(disc(802, 632, 16), PEACH)
    canvas.fill(disc(793, 630, 2.5), NIGHT)
    canvas.fill(disc(786, 637, 5), BLUSH)
    canvas.fill(outline("788,640! 790,652 798,668 812,654 820,634! 804,642"), CREAM)
    canvas.fill(outline("784,626! 790,610 810,608 820,624! 802,622"), BRICK)
