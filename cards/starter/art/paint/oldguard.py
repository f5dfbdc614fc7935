"""The older set: what kept watch inland, before there was a harbour to keep."""

import math

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
    DUSK,
    FOAM,
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
    both_sides,
    box,
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
    lens,
    mix,
    outline,
    oval,
    pennant,
    picture,
    polygon,
    ribbon,
    ridge,
    spark,
    stars,
    streak,
    town,
    wave,
)

_SET = "eleventh"
_ARCH = 760.0  # the gate's own axis
_SUNRISE = (1.0, -0.25)
_MOONLIGHT = (-0.35, -1.0)
_GLASS = 770.0  # the hourglass's own axis


@picture(INDIGO, _SET)
def castle_gate(canvas: Canvas) -> None:
    """Sunrise at the old gate: torches still burning, portcullis half up, and somebody with an oil can."""
    halo_sky(canvas, 1130, 600, (1160, 940, 740, 560, 400, 260),
             (mix(INDIGO, DUSK), DUSK, HAZE, BLUSH, APRICOT, CREAM), 0.92)
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
    for x in (612, 908):
        _torch(canvas, x, 500)
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
        teeth = [polygon([(_ARCH - 112 + step * 34, 588), (_ARCH - 92 + step * 34, 588), (_ARCH - 102 + step * 34, 622)])
                 for step in range(7)]
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
        canvas.fill(ribbon([(_ARCH + side * 128, 440), (_ARCH + side * 172, 806)], 5), NIGHT)
        canvas.fill(disc(_ARCH + side * 128, 440, 11), NIGHT)
    for x, height, lean in ((40, 90, 10), (70, 120, -8), (100, 76, 20), (1270, 84, -16), (1300, 116, 8), (1330, 90, 20)):
        canvas.fill(outline(f"{x - 7},860! {x + lean * 0.4},{840 - height * 0.5} {x + lean},{840 - height}! {x + 7},860!"),
                    NIGHT)
        canvas.fill(oval(x + lean, 846 - height, 6, 17), UMBER)


def _torch(canvas: Canvas, x: float, y: float) -> None:
    canvas.glow(x, y - 40, 120, AMBER, 0.17, 4)
    canvas.fill(polygon([(x - 12, y), (x + 12, y), (x + 5, y + 78), (x - 5, y + 78)]), UMBER)
    canvas.fill(joined(box(x - 16, y - 6, 32, 14, 4), box(x - 11, y + 34, 22, 8, 3)), NIGHT)
    canvas.fill(outline(f"{x - 18},{y - 6}! {x - 26},{y - 36} {x - 8},{y - 62} {x - 2},{y - 92}! {x + 16},{y - 64} "
                        f"{x + 26},{y - 36} {x + 18},{y - 6}!"), AMBER)
    canvas.fill(outline(f"{x - 12},{y - 6}! {x - 14},{y - 30} {x},{y - 66}! {x + 15},{y - 32} {x + 12},{y - 6}!"), LANTERN)
    canvas.fill(outline(f"{x - 6},{y - 6}! {x},{y - 38}! {x + 7},{y - 6}!"), CREAM)


def _grandfather(canvas: Canvas) -> None:
    """He stands under the teeth of it every morning, and reaches up with the can."""
    canvas.fill(oval(806, 736, 46, 7), NIGHT, 0.6)
    canvas.fill(joined(box(786, 690, 15, 44, 4), box(807, 690, 15, 44, 4)), NIGHT)
    canvas.model(outline("782,702! 780,660 790,646 818,646 828,662 828,702!"), TEAL, shade=ABYSS, rim=APRICOT,
                 light=_SUNRISE, depth=14, edge=4)
    canvas.fill(ribbon("786,660 766,646 758,628", 12, 10, 9), TEAL)
    canvas.fill(polygon("744,630 768,630 764,606 748,606"), LANTERN)
    canvas.fill(ribbon("752,608 744,594 738,588", 6, 4, 2), LANTERN)
    canvas.fill(disc(802, 632, 16), PEACH)
    canvas.fill(disc(793, 630, 2.5), NIGHT)
    canvas.fill(disc(786, 637, 5), BLUSH)
    canvas.fill(outline("788,640! 790,652 798,668 812,654 820,634! 804,642"), CREAM)
    canvas.fill(outline("784,626! 790,610 810,608 820,624! 802,622"), BRICK)


@picture(NIGHT, _SET)
def hourglass(canvas: Canvas) -> None:
    """A great hourglass on a tower sill at nightfall, its sand brighter than the sunset."""
    window = joined(box(352, 330, 836, 420), oval(_GLASS, 340, 418, 330))
    canvas.fill(box(-10, -10, 1370, 860), mix(NIGHT, INDIGO, 0.45))
    with canvas.inside(window):
        _evening_bay(canvas)
        canvas.fill(window - window.moved(18, 8), UMBER, 0.75)
    _tower_wall(canvas)
    _sill(canvas)
    _hourglass_frame(canvas)
    _bulbs(canvas)
    _turned_posts(canvas)
    _mouse(canvas)
    _die(canvas, 1010, 706, 62, -8)
    _die(canvas, 1084, 716, 56, 14)


def _evening_bay(canvas: Canvas) -> None:
    canvas.fill(box(300, -10, 940, 800), mix(INDIGO, PLUM))
    halo_sky(canvas, _GLASS, 560, (620, 500, 390, 290), (PLUM, MAUVE, ROSE, BLUSH), 0.94)
    stars(canvas, 44, (360, 20, 1180, 300), CREAM, 0.85)
    for x, y, width, ink in ((470, 400, 260, PLUM), (1080, 330, 280, PLUM), (1060, 470, 220, MAUVE)):
        canvas.fill(streak(x, y, width), ink, 0.7)
    canvas.fill(ridge("340,540 430,520 520,536 600,574 680,590", 760), PLUM)
    town(canvas, 372, 538, 28, PLUM, houses=6)
    canvas.fill(ridge("900,590 1000,560 1100,548 1200,530", 760), PLUM)
    canvas.fill(wave(580, 2, 300), mix(TEAL, INDIGO))
    glitter(canvas, _GLASS, 586, 690, 520, BLUSH, 9, 0.8)
    canvas.fill(wave(640, 5, 380, 90), INDIGO, 0.6)


def _tower_wall(canvas: Canvas) -> None:
    """The stones of the wall, few and quiet, and the ring of cut ones round the window."""
    for x, y, width in ((40, 210, 130), (190, 290, 110), (30, 370, 110), (160, 470, 130), (50, 580, 120), (240, 620, 90),
                        (1240, 90, 130), (1226, 250, 90), (1250, 400, 120), (1226, 560, 110), (190, 90, 120)):
        canvas.model(box(x, y, width, 56, 8), mix(NIGHT, INDIGO, 0.7), rim=INDIGO, light=(0.5, -1), edge=4)
    canvas.fill(oval(_GLASS, 340, 480, 392) - oval(_GLASS, 340, 402, 314) - box(200, 340, 1140, 500), NIGHT)
    for step in range(15):
        angle = math.radians(180 + step * 180 / 14)
        x, y = _GLASS + 440 * math.cos(angle), 340 + 352 * math.sin(angle)
        stone = box(x - 39, y - 44, 78, 88, 8).turned(math.degrees(angle) + 90, (x, y))
        canvas.model(stone, INDIGO, shade=mix(NIGHT, INDIGO), rim=MAUVE, light=(-0.2 * math.cos(angle), 1), depth=12, edge=5)
    for y in (376, 462, 548, 634):
        for x in (296, 1176):
            stone = box(x, y, 68, 80, 8)
            canvas.model(stone, INDIGO, rim=ROSE, light=(_GLASS - x, 0), edge=5)


def _sill(canvas: Canvas) -> None:
    ledge = box(-10, 702, 1370, 170)
    canvas.model(ledge, DUSK, rim=HAZE, light=(0, -1), edge=7)
    with canvas.inside(ledge):
        canvas.fill(box(-10, 760, 1370, 100), INDIGO)
        for x in (180, 470, 960, 1240):
            canvas.fill(box(x, 764, 6, 90), NIGHT)
        for across, ink, opacity in ((380, AMBER, 0.3), (270, LANTERN, 0.35)):
            canvas.lighten(oval(_GLASS, 732, across, across * 0.12), ink, opacity)
        canvas.fill(oval(_GLASS, 720, 246, 13), NIGHT, 0.7)
        canvas.fill(box(-10, 816, 1370, 60), NIGHT)


def _hourglass_frame(canvas: Canvas) -> None:
    """The two turned plates, and the far post behind the glass."""
    canvas.fill(box(_GLASS - 11, 140, 22, 540), UMBER)
    for y, flip in ((110, 1), (700, -1)):
        for inset, drop, depth in ((26, 26, 24), (0, 0, 34)):
            plate = box(_GLASS - 218 + inset, y + flip * drop - depth / 2, 436 - 2 * inset, depth, 12)
            canvas.model(plate, BRICK, shade=UMBER, rim=APRICOT, light=(-0.3, -1), depth=11, edge=5)
    for knob, depth in ((disc(_GLASS, 64, 21), 12), (box(_GLASS - 60, 78, 120, 16, 8), 6)):
        canvas.model(knob, AMBER, shade=BRICK, rim=CREAM, light=(-0.6, -1), depth=depth, edge=4)


def _bulbs(canvas: Canvas) -> None:
    """Two bulbs of one glass: the sand lights it from inside."""
    half = outline("768,148! 872,148! 900,206 894,280 852,348 800,392 782,412! 800,432 852,476 898,548 904,620 876,676! "
                   "768,676!")
    glass = both_sides(half, _GLASS)
    canvas.glow(_GLASS, 600, 300, AMBER, 0.13, 4)
    canvas.fill(glass, mix(INDIGO, PLUM), 0.7)
    with canvas.inside(glass):
        canvas.lighten(oval(_GLASS, 640, 190, 150), AMBER, 0.4)
        upper = outline("610,262! 690,276 770,300 850,276 930,262! 930,410! 770,420 610,410!")
        canvas.model(upper.moved(0, 14), AMBER, rim=CREAM, light=(0, -1), edge=6)
        canvas.fill(outline("690,330! 770,344 850,330! 800,396 770,414 740,396"), LANTERN)
        heap = outline("600,690! 640,630 700,590 744,540 770,506! 796,540 840,590 900,630 940,690!")
        canvas.model(heap, AMBER, rim=CREAM, light=(0, -1), edge=6)
        canvas.fill(outline("650,690! 710,626 750,570 770,530! 790,570 830,626 890,690!"), LANTERN)
        canvas.fill(outline("704,690! 744,634 770,580! 796,634 836,690!"), CREAM, 0.6)
        canvas.fill(box(_GLASS - 4, 400, 8, 130), CREAM)
        for x, y, radius in ((700, 640, 4), (730, 610, 3), (822, 622, 4), (850, 656, 3), (680, 668, 3), (760, 656, 3),
                             (724, 300, 3), (820, 306, 4), (786, 330, 3), (740, 356, 3)):
            canvas.fill(disc(x, y, radius), BRICK, 0.6)
        canvas.fill(glass - glass.moved(-14, 0), NIGHT, 0.45)
        canvas.fill(glass - glass.moved(7, 4), FOAM, 0.9)
    for spine, widths in (("672,180 660,230 676,290", (4, 20, 5)), ("664,560 656,610 664,650", (4, 18, 5))):
        canvas.fill(ribbon(spine, *widths), CREAM, 0.8)
    canvas.model(box(_GLASS - 26, 401, 52, 22, 9), AMBER, shade=BRICK, rim=CREAM, light=(-0.8, -1), depth=9, edge=4)
    for x, y, size in ((690, 470, 14), (856, 440, 18), (836, 516, 11), (706, 540, 10)):
        canvas.fill(spark(x, y, size), LANTERN)


def _turned_posts(canvas: Canvas) -> None:
    for side in (-1, 1):
        x = _GLASS + side * 174
        lathe = outline(f"{x},146! {x + 13},150 {x + 9},180 {x + 22},204 {x + 10},230 {x + 15},320 {x + 20},380 {x + 11},396! "
                        f"{x + 24},412 {x + 11},428! {x + 20},444 {x + 15},500 {x + 10},590 {x + 22},616 {x + 9},642 "
                        f"{x + 13},670 {x},674!")
        canvas.model(both_sides(lathe, x), BRICK, shade=UMBER, rim=LANTERN, light=(-side, 0.1), depth=18, edge=5)
        for y in (204, 412, 616):
            canvas.fill(box(x - 20, y - 4, 40, 8, 4), AMBER)


def _mouse(canvas: Canvas) -> None:
    """It has been told to wait until the sand runs out."""
    canvas.fill(ribbon("400,738 350,752 306,736 290,700", 12, 10, 8, 3), ROSE)
    canvas.fill(oval(440, 742, 74, 9), NIGHT, 0.5)
    body = outline("390,740! 382,690 400,644 440,622 462,600 486,578 520,592 540,612! 524,630 500,640 506,680 500,716 "
                   "512,740!")
    canvas.model(body, HAZE, shade=DUSK, rim=LANTERN, light=(1, -0.1), depth=40, edge=6)
    for x, y, size in ((452, 572, 26), (484, 562, 24)):
        canvas.model(disc(x, y, size), HAZE, rim=LANTERN, light=(1, -0.3), edge=4)
        canvas.fill(disc(x + 2, y + 2, size * 0.6), ROSE)
    canvas.fill(disc(506, 598, 6), NIGHT)
    canvas.fill(disc(508, 596, 2), CREAM)
    canvas.fill(disc(540, 611, 6), CORAL)
    canvas.fill(ribbon("484,668 508,676 526,664", 13, 11, 8), HAZE)
    canvas.fill(oval(500, 738, 26, 8), ROSE)


def _die(canvas: Canvas, x: float, y: float, size: float, lean: float) -> None:
    """A bone die showing three of its faces, lit from the glass on its left."""
    half = size / 2
    top = polygon([(x - half, y - half), (x - half * 0.3, y - half * 1.5), (x + half * 1.5, y - half * 1.5),
                   (x + half, y - half)])
    side = polygon([(x + half, y - half), (x + half * 1.5, y - half * 1.5), (x + half * 1.5, y + half * 0.4),
                    (x + half, y + half)])
    canvas.fill(oval(x + half * 0.4, y + half, size * 0.9, 8), NIGHT, 0.5)
    canvas.fill(side.turned(lean * 0.2, (x, y)), MAUVE)
    canvas.fill(top.turned(lean * 0.2, (x, y)), PEACH)
    canvas.fill(box(x - half, y - half, size, size, 4).turned(lean * 0.2, (x, y)), CREAM)
    for dx, dy in ((-0.5, -0.5), (0.5, 0.5), (0.0, 0.0)) if lean < 0 else ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)):
        canvas.fill(disc(x + dx * half, y + dy * half, size * 0.09), BRICK)
    canvas.fill(lens(x + half * 0.55, y - half * 1.25, size * 0.26, size * 0.12), BRICK)
