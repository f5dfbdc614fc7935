"""On the nursery window-sill, after bedtime."""

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
    NIGHT,
    PEACH,
    PLUM,
    ROSE,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Shape,
    beam,
    both_sides,
    box,
    crescent,
    disc,
    glitter,
    halo_sky,
    joined,
    mix,
    outline,
    oval,
    picture,
    polygon,
    ribbon,
    ridge,
    spark,
    stars,
    town,
    wave,
)

_CANDLE = (-1.0, -0.15)
_SPINE = 740.0  # the soldier stands to attention about this line


@picture(PLUM)
def tin_soldier(canvas: Canvas) -> None:
    """The tin soldier keeps the night watch over the nursery window."""
    halo_sky(
        canvas,
        320,
        470,
        (780, 610, 460, 330, 215),
        (
            mix(PLUM, BRICK, 0.4),
            mix(PLUM, BRICK, 0.8),
            mix(BRICK, CORAL, 0.3),
            mix(BRICK, CORAL, 0.75),
            mix(CORAL, AMBER),
        ),
    )
    _window(canvas)
    _sill(canvas)
    _candle(canvas)
    _mouse(canvas)
    _soldier_legs(canvas)
    _soldier_coat(canvas)
    _soldier_arms(canvas)
    _soldier_head(canvas)
    _shako(canvas)


def _window(canvas: Canvas) -> None:
    """The night outside: bay, town and the lighthouse at work."""
    pane = box(560, -20, 690, 730)
    canvas.fill(pane, INDIGO)
    with canvas.inside(pane):
        halo_sky(canvas, 1030, 200, (330, 230, 140), (mix(INDIGO, DUSK), DUSK, HAZE))
        stars(canvas, 40, (570, 10, 1240, 440), CREAM, 0.85)
        canvas.fill(crescent(1030, 200, 66, -28, -14), CREAM)
        for heading in (186, -8):
            canvas.lighten(beam(1128, 402, heading, 560, 13), LANTERN, 0.35)
        canvas.fill(ridge("540,552 640,540 760,540 850,548 900,580 960,600", 700), NIGHT)
        canvas.fill(ridge("840,600 920,562 1060,552 1130,546 1270,560", 700), NIGHT)
        town(canvas, 915, 566, 29, NIGHT, houses=6)
        canvas.fill(polygon("1110,552 1118,416 1138,416 1146,552"), PEACH)
        canvas.fill(polygon("1116,446 1140,446 1142,476 1114,476"), CORAL)
        canvas.fill(polygon("1113,504 1143,504 1145,530 1111,530"), CORAL)
        canvas.fill(box(1116, 390, 24, 26), LANTERN)
        canvas.fill(polygon("1110,392 1128,372 1146,392"), UMBER)
        canvas.fill(wave(594, 2, 300), TEAL)
        glitter(canvas, 1030, 600, 700, 220, CREAM, 8, 0.8)
    for x, width in ((546, 26), (892, 18), (1238, 26)):
        canvas.model(box(x, -20, width, 730), UMBER, rim=AMBER, light=_CANDLE, edge=6)
    canvas.model(box(560, 330, 690, 16), UMBER, rim=BRICK, light=(0, -1), edge=4)
    for folds, ink in (
        ("1210,-10! 1236,200 1210,420 1262,560 1240,706! 1370,706! 1370,-10!", BRICK),
        ("1290,-10! 1300,260 1280,480 1310,706! 1370,706! 1370,-10!", UMBER),
    ):
        canvas.model(outline(folds), ink, rim=CORAL, light=_CANDLE, edge=6)


def _sill(canvas: Canvas) -> None:
    canvas.fill(box(-10, 700, 1370, 70), BRICK)
    canvas.fill(box(-10, 700, 1370, 8), AMBER)
    with canvas.inside(box(-10, 708, 1370, 62)):
        canvas.lighten(oval(320, 720, 420, 60), AMBER, 0.4)
        canvas.lighten(oval(320, 720, 240, 34), LANTERN, 0.4)
        canvas.fill(oval(900, 734, 220, 14), UMBER, 0.8)
    canvas.fill(box(-10, 768, 1370, 20), UMBER)
    canvas.fill(box(-10, 786, 1370, 60), NIGHT)


def _candle(canvas: Canvas) -> None:
    wax = outline("292,500! 300,490 322,496 348,488! 350,690! 290,690!")
    canvas.model(wax, CREAM, shade=PEACH, light=(0, -1), depth=70)
    canvas.fill(ribbon("300,496 300,540", 10, 14), PEACH)
    canvas.fill(ribbon("338,494 338,572", 9, 13), PEACH)
    canvas.model(
        joined(oval(320, 714, 96, 22), box(280, 660, 80, 50, 10)),
        AMBER,
        shade=BRICK,
        rim=LANTERN,
        light=(0, -1),
        depth=20,
        edge=5,
    )
    canvas.fill(ribbon("412,712 446,690 438,664 410,672", 10), AMBER)
    canvas.fill(box(318, 470, 5, 26), UMBER)
    canvas.fill(outline("320,380! 346,434 350,464 320,488 290,464 294,434"), LANTERN)
    canvas.fill(outline("320,420! 334,452 320,478 306,452"), CREAM)


def _mouse(canvas: Canvas) -> None:
    """It keeps out of the soldier's sight, with a crumb."""
    canvas.fill(ribbon("1150,716 1220,728 1250,706 1226,690", 9, 7, 5, 2), ROSE)
    body = outline("1028,722! 1022,690 1032,650 1060,632 1100,634 1142,660 1160,700 1154,724!")
    canvas.model(body, HAZE, shade=DUSK, rim=PEACH, light=_CANDLE, depth=36, edge=6)
    canvas.fill(ribbon("1136,722 1104,716 1100,684 1124,668", 2, 6, 2), DUSK)
    canvas.model(disc(1062, 602, 24), DUSK, rim=HAZE, light=_CANDLE, edge=4)
    head = outline("970,650! 990,622 1020,604 1056,606 1080,630 1076,664 1044,680 1006,672")
    canvas.model(head, HAZE, shade=DUSK, rim=PEACH, light=_CANDLE, depth=18, edge=6)
    canvas.model(disc(1040, 604, 27), HAZE, rim=PEACH, light=_CANDLE, edge=5)
    canvas.fill(disc(1041, 606, 18), ROSE)
    canvas.fill(disc(971, 650, 7), ROSE)
    canvas.fill(disc(1010, 636, 9), NIGHT)
    canvas.fill(disc(1007, 633, 3.5), CREAM)
    for dy in (-8, 2, 12):
        canvas.fill(ribbon([(990, 658), (966, 662 + dy), (944, 664 + dy * 2)], 2.4, 2, 1), CREAM)
    canvas.fill(oval(1006, 700, 15, 12), LANTERN)
    canvas.fill(ribbon("1050,676 1030,694 1012,698", 15, 12, 10), HAZE)
    canvas.fill(oval(1030, 722, 26, 8), ROSE)


def _musket(canvas: Canvas) -> None:
    canvas.model(polygon("611,30 619,10 624,130 612,130"), FOAM, shade=HAZE, light=_CANDLE, depth=4)
    canvas.model(box(609, 120, 16, 290, 3), HAZE, shade=DUSK, rim=CREAM, light=_CANDLE, depth=6, edge=4)
    stock = outline("604,210! 630,210! 632,420 642,470 648,560! 596,560! 600,470 602,420")
    canvas.model(stock, BRICK, shade=UMBER, rim=AMBER, light=_CANDLE, depth=12, edge=5)
    for y in (226, 300, 374):
        canvas.fill(box(602, y, 30, 8, 2), LANTERN)


def _soldier_legs(canvas: Canvas) -> None:
    stand = joined(oval(_SPINE, 724, 150, 24), box(590, 712, 300, 12), oval(_SPINE, 712, 150, 24))
    canvas.model(stand, TEAL, rim=SPRAY, light=_CANDLE, edge=5)
    canvas.fill(oval(_SPINE, 712, 150, 24), SEA)
    canvas.fill(oval(780, 716, 96, 14), TEAL)
    for x, toe in ((708, -1), (772, 1)):
        leg = outline(f"{x - 34},540! {x + 34},540! {x + 29},620 {x + 20},652! {x - 20},652! {x - 29},620")
        canvas.model(leg, DUSK, shade=INDIGO, rim=APRICOT, light=_CANDLE, depth=24, edge=6)
        canvas.fill(ribbon([(x + toe * 24, 544), (x + toe * 16, 646)], 8), CORAL)
        boot = outline(
            f"{x - 28},640! {x},650 {x + 28},640! {x + 26},690 {x + 30 + max(toe, 0) * 22},702 "
            f"{x + 30 + max(toe, 0) * 24},716! {x - 30 + min(toe, 0) * 24},716! "
            f"{x - 30 + min(toe, 0) * 22},702 {x - 26},690"
        )
        canvas.model(boot, NIGHT, rim=HAZE, light=_CANDLE, edge=5)


def _soldier_coat(canvas: Canvas) -> None:
    coat = both_sides(
        outline("738,316! 784,318 832,334 846,380 832,450 820,500 842,560 850,598! 800,612 738,602!"), _SPINE
    )
    canvas.model(coat, CORAL, shade=BRICK, rim=LANTERN, light=_CANDLE, depth=46, edge=7)
    with canvas.inside(coat):
        lapel = polygon([(706, 314), (774, 314), (760, 470), (720, 470)])
        canvas.fill(lapel, INDIGO)
        canvas.fill(both_sides(polygon("806,520 860,540 860,612 790,612"), _SPINE), UMBER)
        for slant in ("660,330 830,500", "820,330 650,500"):
            canvas.fill(ribbon(slant, 25), CREAM)
            canvas.fill(ribbon(slant, 25).moved(10, 4) - ribbon(slant, 25), BRICK)
        canvas.fill(box(640, 488, 200, 26), CREAM)
        canvas.fill(box(640, 508, 200, 7), PEACH)
        canvas.fill(outline("690,316! 668,400 672,480 660,600! 640,600! 640,316!"), APRICOT, 0.25)
    canvas.model(box(718, 484, 44, 34, 5), LANTERN, shade=AMBER, rim=CREAM, light=_CANDLE, depth=10, edge=4)
    canvas.model(disc(_SPINE, 416, 19), LANTERN, shade=AMBER, rim=CREAM, light=_CANDLE, depth=8, edge=4)
    canvas.fill(spark(_SPINE, 416, 13, 0.4), BRICK)
    for y in (346, 372, 448, 548, 578):
        canvas.fill(disc(_SPINE, y, 6), LANTERN)


def _soldier_arms(canvas: Canvas) -> None:
    """Both straight down, as ordered; the near hand under the butt of the musket."""
    right = outline("812,340! 852,346 876,380 884,450 876,528! 832,528! 832,450 822,400")
    left = right.mirrored(_SPINE)
    canvas.model(right, CORAL, shade=BRICK, rim=APRICOT, light=_CANDLE, depth=24, edge=5)
    canvas.model(left, CORAL, shade=BRICK, rim=LANTERN, light=_CANDLE, depth=16, edge=7)
    _musket(canvas)
    for x in (854, 626):
        canvas.model(
            outline(f"{x - 22},548! {x + 22},548! {x + 22},578 {x + 8},596 {x - 12},594 {x - 24},574"),
            CREAM,
            shade=BLUSH,
            light=_CANDLE,
            depth=14,
        )
    canvas.model(box(828, 520, 52, 30, 4), INDIGO, rim=LANTERN, light=(0, 1), edge=5)
    canvas.fill(ribbon("604,560 626,566 650,560", 9), PEACH)
    for x in (664, 816):
        canvas.model(oval(x, 342, 44, 19), LANTERN, shade=AMBER, rim=CREAM, light=(-0.4, -1), depth=10, edge=4)
        for fringe in range(-4, 5):
            canvas.fill(box(x + fringe * 9 - 3, 346, 6, 26 - abs(fringe), 3), AMBER)


def _soldier_head(canvas: Canvas) -> None:
    canvas.model(outline("690,318! 698,296! 782,296! 790,318! 740,340"), INDIGO, rim=LANTERN, light=(0, -1), edge=6)
    hair = outline("680,220! 800,220! 806,262 796,286! 684,286! 674,262")
    canvas.fill(hair, UMBER)
    face = outline("684,220! 796,220! 800,264 786,306 740,326 694,306 680,264")
    canvas.model(face, PEACH, shade=BLUSH, rim=CREAM, light=_CANDLE, depth=24, edge=5)
    for x in (706, 774):
        canvas.fill(disc(x, 294, 12), CORAL, 0.7)
        eye = outline(f"{x - 17},270! {x - 7},256 {x + 7},256 {x + 17},270! {x + 7},279 {x - 7},279")
        canvas.fill(eye, CREAM)
        with canvas.inside(eye):
            canvas.fill(disc(x, 267, 11), AMBER)
            canvas.fill(disc(x, 267, 6.5), NIGHT)
            canvas.fill(disc(x - 4, 263, 3.2), CREAM)
        canvas.fill(ribbon([(x - 18, 268), (x, 253), (x + 18, 268)], 2, 5, 2), UMBER)
    canvas.fill(outline("740,262! 751,288 740,296 730,290!"), ROSE, 0.8)
    canvas.fill(both_sides(outline("739,299! 752,294 772,302 790,291! 783,310 756,315 739,306!"), _SPINE), UMBER)
    canvas.fill(ribbon("731,315 740,317 749,315", 2, 4, 2), BRICK)


def _shako(canvas: Canvas) -> None:
    def fit(shape: Shape) -> Shape:
        return shape.scaled(0.94, 0.88, (_SPINE, 236)).moved(0, -10)

    canvas.model(
        fit(outline("728,98! 716,60 722,24 740,8 758,24 764,60 752,98!")),
        CORAL,
        shade=BRICK,
        rim=PEACH,
        light=_CANDLE,
        depth=16,
        edge=5,
    )
    hat = fit(outline("676,236! 664,104! 740,90 816,104! 804,236! 740,246"))
    canvas.model(hat, NIGHT, rim=LANTERN, light=_CANDLE, edge=7)
    with canvas.inside(hat):
        canvas.fill(fit(outline("700,90! 730,90! 732,250! 704,250!")), INDIGO)
        canvas.fill(fit(ribbon("656,112 740,98 824,112", 16)), LANTERN)
        canvas.fill(fit(ribbon("656,212 740,224 824,212", 10)), AMBER)
    star = joined(spark(_SPINE, 164, 42, 0.36), spark(_SPINE, 164, 31, 0.5).turned(45))
    canvas.model(star, LANTERN, shade=AMBER, rim=CREAM, light=_CANDLE, depth=14, edge=4)
    canvas.fill(disc(_SPINE, 164, 10), CORAL)
    peak = fit(outline("664,230! 740,242 816,230! 804,250 740,266 676,250"))
    canvas.model(peak, INDIGO, rim=HAZE, light=(0, 1), edge=4)
    canvas.fill(both_sides(ribbon("802,232 804,276 790,308 762,328", 6), _SPINE), LANTERN)
