"""Time, kept at the top of the tower."""

import math

from .kit import (
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
    both_sides,
    box,
    disc,
    glitter,
    halo_sky,
    joined,
    lens,
    mix,
    outline,
    oval,
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

_GLASS = 770.0  # the hourglass's own axis


@picture(NIGHT, "eleventh")
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
    for x, y, width in (
        (40, 210, 130),
        (190, 290, 110),
        (30, 370, 110),
        (160, 470, 130),
        (50, 580, 120),
        (240, 620, 90),
        (1240, 90, 130),
        (1226, 250, 90),
        (1250, 400, 120),
        (1226, 560, 110),
        (190, 90, 120),
    ):
        canvas.model(box(x, y, width, 56, 8), mix(NIGHT, INDIGO, 0.7), rim=INDIGO, light=(0.5, -1), edge=4)
    canvas.fill(oval(_GLASS, 340, 480, 392) - oval(_GLASS, 340, 402, 314) - box(200, 340, 1140, 500), NIGHT)
    for step in range(15):
        angle = math.radians(180 + step * 180 / 14)
        across, down = _GLASS + 440 * math.cos(angle), 340 + 352 * math.sin(angle)
        stone = box(across - 39, down - 44, 78, 88, 8).turned(math.degrees(angle) + 90, (across, down))
        canvas.model(
            stone, INDIGO, shade=mix(NIGHT, INDIGO), rim=MAUVE, light=(-0.2 * math.cos(angle), 1), depth=12, edge=5
        )
    for y in (376, 462, 548, 634):
        for x in (296, 1176):
            canvas.model(box(x, y, 68, 80, 8), INDIGO, rim=ROSE, light=(_GLASS - x, 0), edge=5)


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
    half = outline(
        "768,148! 872,148! 900,206 894,280 852,348 800,392 782,412! 800,432 852,476 898,548 904,620 876,676! 768,676!"
    )
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
        for x, y, radius in (
            (700, 640, 4),
            (730, 610, 3),
            (822, 622, 4),
            (850, 656, 3),
            (680, 668, 3),
            (760, 656, 3),
            (724, 300, 3),
            (820, 306, 4),
            (786, 330, 3),
            (740, 356, 3),
        ):
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
        lathe = outline(
            f"{x},146! {x + 13},150 {x + 9},180 {x + 22},204 {x + 10},230 {x + 15},320 {x + 20},380 "
            f"{x + 11},396! {x + 24},412 {x + 11},428! {x + 20},444 {x + 15},500 {x + 10},590 "
            f"{x + 22},616 {x + 9},642 {x + 13},670 {x},674!"
        )
        canvas.model(both_sides(lathe, x), BRICK, shade=UMBER, rim=LANTERN, light=(-side, 0.1), depth=18, edge=5)
        for y in (204, 412, 616):
            canvas.fill(box(x - 20, y - 4, 40, 8, 4), AMBER)


def _mouse(canvas: Canvas) -> None:
    """It has been told to wait until the sand runs out."""
    canvas.fill(ribbon("400,738 350,752 306,736 290,700", 12, 10, 8, 3), ROSE)
    canvas.fill(oval(440, 742, 74, 9), NIGHT, 0.5)
    body = outline(
        "390,740! 382,690 400,644 440,622 462,600 486,578 520,592 540,612! 524,630 500,640 506,680 500,716 512,740!"
    )
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
    top = polygon(
        [(x - half, y - half), (x - half * 0.3, y - half * 1.5), (x + half * 1.5, y - half * 1.5), (x + half, y - half)]
    )
    side = polygon(
        [(x + half, y - half), (x + half * 1.5, y - half * 1.5), (x + half * 1.5, y + half * 0.4), (x + half, y + half)]
    )
    canvas.fill(oval(x + half * 0.4, y + half, size * 0.9, 8), NIGHT, 0.5)
    canvas.fill(side.turned(lean * 0.2, (x, y)), MAUVE)
    canvas.fill(top.turned(lean * 0.2, (x, y)), PEACH)
    canvas.fill(box(x - half, y - half, size, size, 4).turned(lean * 0.2, (x, y)), CREAM)
    three, four = ((-0.5, -0.5), (0.5, 0.5), (0.0, 0.0)), ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))
    for dx, dy in three if lean < 0 else four:
        canvas.fill(disc(x + dx * half, y + dy * half, size * 0.09), BRICK)
    canvas.fill(lens(x + half * 0.55, y - half * 1.25, size * 0.26, size * 0.12), BRICK)
