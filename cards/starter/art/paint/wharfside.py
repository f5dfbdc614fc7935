"""The wharf, after the boats are in."""

from .kit import (
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
    FOAM,
    INDIGO,
    LANTERN,
    MAUVE,
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
    both_sides,
    box,
    disc,
    glitter,
    halo_sky,
    joined,
    lantern,
    mix,
    moon,
    outline,
    oval,
    picture,
    polygon,
    post,
    ribbon,
    ridge,
    sailboat,
    stars,
    streak,
    town,
    wave,
)

_MOONLIT = (-0.5, -0.85)


@picture(NIGHT)
def wharf_cat(canvas: Canvas) -> None:
    """The wharf cat collects its share of the catch under a harvest moon."""
    halo_sky(canvas, 770, 350, (720, 570, 440, 350), (INDIGO, PLUM, MAUVE, ROSE), 0.98)
    stars(canvas, 44, (20, 20, 1330, 470), CREAM, 0.8)
    moon(canvas, 770, 350, 276, PEACH, APRICOT)
    for x, y, width, ink in ((280, 300, 300, PLUM), (1180, 250, 330, PLUM), (1040, 470, 300, MAUVE)):
        canvas.fill(streak(x, y, width), ink, 0.95)
    canvas.fill(ridge("-10,560 140,530 300,548 430,590 560,610", 700), INDIGO)
    town(canvas, 20, 552, 40, INDIGO, houses=8)
    canvas.fill(wave(596, 2, 320), mix(INDIGO, TEAL))
    glitter(canvas, 770, 602, 700, 520, PEACH, 9, 0.9)
    canvas.fill(wave(650, 5, 400, 140), NIGHT, 0.5)
    sailboat(canvas, 1190, 648, 150, NIGHT, MAUVE)
    _wharf(canvas)
    _cat_tail(canvas)
    _cat_far_legs(canvas)
    _cat_body(canvas)
    _cat_head(canvas)


def _wharf(canvas: Canvas) -> None:
    canvas.fill(box(-10, 700, 1370, 64), PLUM)
    canvas.fill(box(-10, 700, 1370, 8), ROSE)
    with canvas.inside(box(-10, 708, 1370, 56)):
        canvas.lighten(oval(250, 730, 330, 50), AMBER, 0.35)
        for seam in range(16):
            top = 30 + seam * 90
            foot = 690 + (top - 690) * 1.14
            canvas.fill(polygon([(top, 700), (top + 5, 700), (foot + 7, 764), (foot, 764)]), NIGHT, 0.8)
    canvas.fill(box(-10, 762, 1370, 26), UMBER)
    canvas.fill(box(-10, 786, 1370, 60), NIGHT)
    post(canvas, 230, 610, 736, 74, wood=UMBER, light=AMBER, toward=1.0)
    lantern(canvas, 230, 614, 130, reach=1.7)
    canvas.fill(oval(740, 716, 240, 12), NIGHT, 0.7)
    _fallen_basket(canvas)


def _fallen_basket(canvas: Canvas) -> None:
    """The catch, on its side, and what has slid out of it."""
    basket = outline("1118,640! 1240,622! 1270,650 1278,690 1262,724! 1130,730! 1108,700 1106,664")
    canvas.model(basket, AMBER, shade=BRICK, rim=PEACH, light=_MOONLIT, depth=34, edge=6)
    with canvas.inside(basket):
        for row in range(5):
            for column in range(7):
                canvas.fill(box(1126 + column * 24 + row % 2 * 12, 640 + row * 19, 15, 9, 3), UMBER, 0.6)
    canvas.fill(oval(1122, 686, 22, 46), UMBER)
    canvas.fill(oval(1122, 686, 22, 46) - oval(1124, 686, 15, 38), LANTERN)
    for x, y, turn in ((1090, 708, 8), (1030, 722, -6), (1146, 738, 4)):
        _herring(canvas, x, y, 92, turn)


def _herring(canvas: Canvas, x: float, y: float, length: float, turn: float) -> None:
    """A fish fresh from the sea, its nose to the left."""
    half = length / 2
    body = outline(
        f"{x - half},{y}! {x - half * 0.4},{y - length * 0.15} {x + half * 0.3},{y - length * 0.1} "
        f"{x + half * 0.66},{y}! {x + half * 0.3},{y + length * 0.12} {x - half * 0.4},{y + length * 0.16}"
    )
    tail = outline(
        f"{x + half * 0.58},{y}! {x + half},{y - length * 0.15}! {x + half * 0.86},{y} {x + half},{y + length * 0.15}!"
    )
    canvas.model(
        (body | tail).turned(turn, (x, y)),
        SPRAY,
        shade=SEA,
        rim=FOAM,
        light=_MOONLIT,
        depth=length * 0.09,
        edge=length * 0.025,
    )
    gill = ribbon(
        [(x - half * 0.48, y - length * 0.11), (x - half * 0.38, y), (x - half * 0.48, y + length * 0.1)],
        length * 0.022,
    )
    canvas.fill(gill.turned(turn, (x, y)), TEAL)
    eye = disc(x - half * 0.72, y - length * 0.02, length * 0.035).turned(turn, (x, y))
    canvas.fill(eye.scaled(1.5), CREAM)
    canvas.fill(eye, NIGHT)


def _cat_tail(canvas: Canvas) -> None:
    tail = ribbon(
        "920,470 990,440 1030,370 1020,290 986,224 1002,164 1052,156 1066,196", 52, 50, 46, 44, 40, 36, 30, 18
    )
    canvas.model(tail, INDIGO, shade=NIGHT, rim=CREAM, light=_MOONLIT, depth=16, edge=6)
    with canvas.inside(tail):
        canvas.fill(outline("1044,120! 1100,150 1090,220! 1050,214 1044,190! 1056,176 1040,160!"), CREAM)


def _cat_far_legs(canvas: Canvas) -> None:
    hind = outline("760,480! 850,500 866,560 836,610 846,640 850,676 832,714! 772,714! 770,700 796,684 800,650 776,610")
    fore = outline(
        "520,520! 600,560 612,600 560,628 520,636 508,664 500,690! 474,700 448,690 446,670 462,656 474,620 500,580"
    )
    for leg in (hind, fore):
        canvas.model(leg, NIGHT, rim=ROSE, light=_MOONLIT, edge=5)
    canvas.model(
        outline("466,650! 510,662! 506,690 486,704 456,698 440,680 446,664"), BLUSH, rim=CREAM, light=_MOONLIT, edge=4
    )
    canvas.model(outline("768,716! 764,700 784,682! 840,690! 836,716!"), BLUSH, rim=CREAM, light=_MOONLIT, edge=4)


def _cat_body(canvas: Canvas) -> None:
    hind = outline(
        "846,450! 900,414 962,452 978,516 950,576 956,610 984,642! 976,668 952,690 946,716! 876,716! "
        "872,702 892,690 912,674 912,650 878,622 842,584 824,520"
    )
    body = outline(
        "520,470! 556,404 640,396 740,418 830,410 906,416 960,456 970,520 934,580! 860,560 780,572 700,592 "
        "640,600 580,590 536,540"
    )
    fore = outline("548,490! 652,480! 660,560 642,640 638,690 642,716! 566,716! 564,702 588,688 594,640 566,570")
    trunk = joined(body, hind, fore)
    canvas.model(trunk, INDIGO, shade=NIGHT, rim=CREAM, light=_MOONLIT, depth=40, edge=7)
    with canvas.inside(trunk):
        bib = outline("480,440! 620,470! 612,520 596,548! 584,540 574,580! 552,556 540,570! 500,520")
        canvas.model(bib, CREAM, shade=BLUSH, light=(-1, 0), depth=30)
        for sock in ("556,676! 590,690 650,668! 660,730! 550,730!", "862,684! 900,690 952,678! 970,730! 850,730!"):
            canvas.model(outline(sock), CREAM, shade=BLUSH, light=(-1, -0.2), depth=26)
    canvas.fill(ribbon("846,468 826,520 848,584 880,618", 2, 7, 7, 2), NIGHT)
    for x in (584, 604, 896, 914):
        canvas.fill(ribbon([(x, 702), (x - 2, 715)], 3), ROSE)


def _cat_head(canvas: Canvas) -> None:
    """Full face, drawn upright about x = 545 and then cocked a little."""

    def tilt(shape: Shape) -> Shape:
        return shape.scaled(1.14, 1.14, (545, 400)).turned(-6, (545, 400))

    half = outline(
        "543,318! 572,318 592,324! 606,282 632,240! 650,290 648,348! 658,380 656,404 682,424! 658,430 "
        "664,446! 636,452 600,474 543,482!"
    )
    head = both_sides(half, 545)
    canvas.model(tilt(head), INDIGO, shade=NIGHT, rim=CREAM, light=_MOONLIT, depth=24, edge=6)
    canvas.fill(tilt(both_sides(outline("604,324! 614,290 630,266! 640,300 636,336!"), 545)), ROSE)
    with canvas.inside(tilt(head)):
        blaze = outline("543,350! 545,350! 556,390 566,420 543,430!")
        canvas.fill(tilt(both_sides(blaze, 545)), CREAM)
        chin = outline("543,420! 580,420 606,440 596,478 543,500!")
        canvas.fill(tilt(both_sides(chin, 545)), CREAM)
    _herring(canvas, 540, 478, 250, -5)
    lips = outline("543,416! 562,414 590,428 598,450 580,468 556,466 543,452!")
    canvas.model(tilt(both_sides(lips, 545)), CREAM, shade=PEACH, light=(0, -1), depth=8)
    canvas.fill(tilt(outline("532,418! 545,414 558,418! 554,430 545,436 536,430")), CORAL)
    for side in (-1, 1):
        for drop in (0, 12, 24):
            whisker = ribbon(
                [
                    (545 + side * 40, 440 + drop * 0.5),
                    (545 + side * 90, 430 + drop),
                    (545 + side * 134, 436 + drop * 1.5),
                ],
                3,
                3,
                1,
            )
            canvas.fill(tilt(whisker), FOAM)
        for dot in ((26, 440), (36, 448), (24, 452)):
            canvas.fill(tilt(disc(545 + side * dot[0], dot[1], 2.4)), MAUVE)
    _cat_eyes(canvas, tilt(disc(499, 386, 1)).centre, tilt(disc(591, 386, 1)).centre)


def _cat_eyes(canvas: Canvas, *places: tuple[float, float]) -> None:
    for (x, y), side in zip(places, (-1, 1), strict=True):
        eye = outline(
            f"{x - side * 32},{y + 12}! {x - side * 12},{y - 14} {x + side * 14},{y - 18} "
            f"{x + side * 34},{y - 10}! {x + side * 24},{y + 12} {x - side * 4},{y + 20}"
        )
        canvas.fill(eye.scaled(1.16, 1.2), NIGHT)
        canvas.fill(eye, LANTERN)
        with canvas.inside(eye):
            canvas.fill(eye - eye.moved(0, 8), AMBER)
            canvas.fill(oval(x, y, 8, 17), NIGHT)
            canvas.fill(disc(x - 7, y - 7, 5), CREAM)
