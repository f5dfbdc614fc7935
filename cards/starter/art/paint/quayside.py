"""Where the boats come in: the bell at the end of the quay, and the warm room behind it."""

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
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
    lantern,
    mix,
    outline,
    oval,
    picture,
    polygon,
    rain,
    ribbon,
    ridge,
    sailboat,
    streak,
    town,
    wave,
)

_MIDDLE = 770.0  # the bell frame's own axis
_POST_LAMP = (-1.0, -0.35)
_SILL_LAMP = (1.0, -0.4)


@picture(INDIGO)
def harbour_bell(canvas: Canvas) -> None:
    """The fog bell in full swing, early, with the sun a pale coin behind it."""
    halo_sky(
        canvas,
        _MIDDLE,
        400,
        (980, 800, 620, 470, 330, 210),
        (mix(INDIGO, DUSK), DUSK, mix(DUSK, HAZE), HAZE, mix(HAZE, PEACH), CREAM),
        0.94,
    )
    _misty_harbour(canvas)
    for radius in (300, 372, 444):
        canvas.lighten(disc(_MIDDLE, 470, radius) - disc(_MIDDLE, 470, radius - 9), PEACH, 0.24)
    _quay(canvas)
    _bell_frame(canvas)
    _bell(canvas)
    _quay_lamp(canvas)
    for x, y, span, tilt in ((1180, 190, 74, -14), (1244, 256, 50, 8), (1140, 286, 40, -6)):
        canvas.fill(gull(x, y, span, tilt), NIGHT)


def _misty_harbour(canvas: Canvas) -> None:
    """What can be seen of the harbour: masts, a few lit windows, a boat feeling its way in."""
    canvas.fill(ridge("-10,560 130,530 280,548 420,590 560,606", 700), mix(DUSK, HAZE, 0.3))
    town(canvas, 40, 556, 38, mix(DUSK, HAZE, 0.3), houses=7)
    canvas.fill(wave(602, 2, 300), mix(DUSK, HAZE, 0.6))
    glitter(canvas, _MIDDLE, 608, 700, 420, FOAM, 8, 0.8)
    sailboat(canvas, 1196, 640, 190, DUSK, mix(HAZE, FOAM))
    canvas.glow(1112, 606, 70, AMBER, 0.25, 3)
    canvas.fill(disc(1112, 606, 8), LANTERN)
    for x, y, width in ((230, 600, 420), (1190, 566, 420), (470, 520, 300), (1090, 420, 280), (200, 420, 320)):
        canvas.fill(streak(x, y, width, 20), mix(HAZE, FOAM), 0.5)
    canvas.fill(wave(664, 5, 420, 120), mix(DUSK, INDIGO), 0.55)


def _quay(canvas: Canvas) -> None:
    canvas.fill(box(-10, 716, 1370, 150), NIGHT)
    canvas.model(box(-10, 700, 1370, 44), DUSK, rim=HAZE, light=(0, -1), edge=7)
    with canvas.inside(box(-10, 700, 1370, 44)):
        canvas.lighten(oval(440, 712, 330, 50), AMBER, 0.4)
        for seam in range(12):
            canvas.fill(
                polygon(
                    [(40 + seam * 116, 700), (45 + seam * 116, 700), (25 + seam * 122, 744), (18 + seam * 122, 744)]
                ),
                INDIGO,
            )
    for row, y in enumerate((752, 804)):
        for column in range(9):
            stone = box(-120 + column * 180 + row * 88, y, 170, 44, 10)
            canvas.model(stone, INDIGO, rim=DUSK, light=(-0.5, -1), edge=4)


def _bell_frame(canvas: Canvas) -> None:
    for x in (484, 1006):
        canvas.fill(oval(x + 25, 728, 84, 14), NIGHT, 0.6)
        canvas.model(box(x - 22, 690, 94, 38, 6), INDIGO, shade=NIGHT, rim=HAZE, light=_POST_LAMP, depth=20, edge=5)
        timber = box(x, 150, 50, 546)
        canvas.model(timber, UMBER, shade=mix(UMBER, NIGHT), rim=APRICOT, light=(-1, 0), depth=18, edge=6)
        for y, length in ((420, 90), (560, 70), (300, 60)):
            canvas.fill(ribbon([(x + 24, y), (x + 26, y + length)], 1, 5, 1), NIGHT, 0.6)
    for brace in (ribbon("526,330 636,192", 26), ribbon("1014,330 904,192", 26)):
        canvas.model(brace, UMBER, rim=APRICOT, light=_POST_LAMP, edge=5)
    canvas.model(box(440, 150, 660, 44, 5), UMBER, shade=NIGHT, rim=APRICOT, light=(-0.2, -1), depth=12, edge=5)
    roof = polygon("396,162 450,98 716,34 824,34 1090,98 1144,162")
    canvas.model(roof, BRICK, rim=CORAL, light=_POST_LAMP, edge=7)
    with canvas.inside(roof):
        for row, y in enumerate((62, 96, 130, 164)):
            for x in range(374 + row % 2 * 18, 1150, 36):
                tile = outline(f"{x},{y - 40}! {x + 36},{y - 40}! {x + 34},{y - 6} {x + 18},{y} {x + 2},{y - 6}")
                canvas.fill(tile - tile.moved(0, -6), UMBER, 0.8)
        canvas.fill(roof - roof.moved(-90, -14), UMBER, 0.55)
    canvas.fill(joined(box(764, 8, 12, 30), disc(770, 12, 11)), AMBER)


def _bell(canvas: Canvas) -> None:
    """Drawn hanging straight about its axis, then swung with its headstock as one piece."""

    def swung(shape: Shape) -> Shape:
        return shape.scaled(0.93, 1.05, (_MIDDLE, 214)).turned(11, (_MIDDLE, 214))

    half = outline("768,262! 806,266 836,290 850,340 858,410 876,480 908,536 940,572! 946,600! 768,600!")
    body = both_sides(half, _MIDDLE)
    canvas.model(swung(body), AMBER, shade=BRICK, rim=CREAM, light=_POST_LAMP, depth=64, edge=8)
    with canvas.inside(swung(body)):
        for spine, width in (
            ("670,304 720,314 770,317 820,314 870,304", 9),
            ("580,512 680,530 770,535 860,530 960,512", 11),
        ):
            band = ribbon(spine, width)
            canvas.fill(swung(band), UMBER, 0.7)
            canvas.fill(swung(band.moved(0, -width)), LANTERN)
        for x in (728, 778, 828):
            crest = ribbon([(x - 24, 436), (x - 8, 414), (x + 10, 418), (x + 8, 434), (x - 2, 432)], 3, 8, 6, 3)
            canvas.fill(swung(crest | ribbon([(x - 26, 452), (x, 446), (x + 24, 452)], 5)), UMBER, 0.7)
        canvas.fill(swung(ribbon("704,330 694,400 676,480", 6, 22, 8)), LANTERN)
        canvas.fill(swung(ribbon("702,340 694,392 686,430", 2, 9, 3)), CREAM)
    canvas.fill(swung(oval(_MIDDLE, 594, 178, 36)), LANTERN)
    canvas.fill(swung(oval(_MIDDLE, 597, 164, 29)), UMBER)
    with canvas.inside(swung(oval(_MIDDLE, 597, 164, 29))):
        canvas.fill(swung(oval(_MIDDLE - 10, 582, 164, 29)), NIGHT)
    canvas.fill(ribbon("630,650 630,700 670,730 744,732 804,724", 6), PEACH)
    clapper = joined(ribbon("770,580 770,604", 16), oval(770, 624, 36, 34), box(760, 644, 20, 30, 8))
    canvas.model(
        swung(clapper.turned(8, (_MIDDLE, 214))), BRICK, shade=UMBER, rim=APRICOT, light=_POST_LAMP, depth=18, edge=5
    )
    stock = outline("682,222! 704,192 770,184 836,192 858,222! 850,256 812,270! 728,270! 690,256")
    canvas.model(swung(stock), UMBER, rim=APRICOT, light=_POST_LAMP, edge=5)
    canvas.fill(disc(_MIDDLE, 216, 15), NIGHT)
    canvas.fill(disc(_MIDDLE, 216, 10), AMBER)
    for x in (730, 810):
        canvas.fill(swung(box(x - 7, 186, 14, 96, 4)), AMBER)


def _quay_lamp(canvas: Canvas) -> None:
    canvas.fill(ribbon("490,372 450,350 412,360 400,392", 12, 10, 9, 7), NIGHT)
    lantern(canvas, 400, 510, 118, reach=1.7)
    barrel = outline("232,726! 220,660 234,596! 340,596! 354,660 342,726!")
    canvas.model(barrel, BRICK, shade=UMBER, rim=APRICOT, light=(1, -0.2), depth=46, edge=6)
    with canvas.inside(barrel):
        for y in (618, 690):
            canvas.fill(box(210, y, 160, 13), NIGHT)
        for x in (260, 288, 316):
            canvas.fill(box(x, 590, 4, 140), UMBER, 0.7)
    canvas.model(oval(287, 596, 54, 12), AMBER, shade=BRICK, light=(1, -1), depth=6)


@picture(UMBER)
def tea_for_two(canvas: Canvas) -> None:
    """Tea, poured at a window over the wet harbour, and a second cup for whoever turns up."""
    _parlour(canvas)
    pane = joined(box(452, 44, 636, 400, 150), box(452, 300, 636, 314))
    canvas.model(
        pane.scaled(1.1, 1.1), BRICK, shade=mix(UMBER, NIGHT, 0.3), rim=APRICOT, light=_SILL_LAMP, depth=16, edge=7
    )
    with canvas.inside(pane):
        _window_view(canvas)
        canvas.fill(pane - pane.moved(-12, 10), NIGHT, 0.6)
        for bar in (box(762, 40, 16, 590), box(440, 268, 660, 14)):
            canvas.model(bar, BRICK, rim=APRICOT, light=_SILL_LAMP, edge=4)
    canvas.model(box(400, 614, 740, 34, 8), BRICK, rim=APRICOT, light=(0.2, -1), edge=6)
    _curtains(canvas)
    _table(canvas)
    _jug(canvas)
    lantern(canvas, 1130, 716, 226, metal=NIGHT, reach=1.5)
    _teapot(canvas)
    _cup(canvas, 500, 744)
    _cup(canvas, 980, 752)
    _biscuits(canvas)


def _parlour(canvas: Canvas) -> None:
    """The wall, papered in stripes, and the lamp's warmth on it."""
    for column in range(18):
        canvas.fill(box(-10 + column * 80, -10, 40, 720), mix(UMBER, BRICK, 0.18))
    halo_sky(canvas, 1130, 600, (420, 300), (mix(UMBER, BRICK, 0.45), mix(UMBER, BRICK, 0.7)))
    canvas.fill(box(-10, 560, 1370, 300), mix(UMBER, NIGHT, 0.3))
    canvas.fill(box(-10, 552, 1370, 12), mix(UMBER, BRICK, 0.5))


def _window_view(canvas: Canvas) -> None:
    """Evening outside: the lighthouse, the lit front, rain on the water."""
    canvas.fill(box(400, 0, 740, 660), TEAL)
    halo_sky(canvas, 640, 520, (520, 400, 290, 190), (mix(SEA, TEAL), SEA, SPRAY, FOAM), 0.86)
    canvas.fill(ridge("640,520 780,496 900,470 1020,448 1110,452", 660), ABYSS)
    town(canvas, 862, 482, 44, ABYSS, houses=6)
    canvas.lighten(beam(596, 370, 4, 700, 9), LANTERN, 0.35)
    canvas.fill(ridge("430,520 480,500 540,488 620,494 700,540", 660), ABYSS)
    canvas.fill(polygon("582,380 610,380 618,500 574,500"), ABYSS)
    canvas.fill(box(580, 360, 32, 20, 3), LANTERN)
    canvas.fill(polygon("576,360 596,338 616,360"), ABYSS)
    canvas.fill(wave(530, 3, 260), TEAL)
    for x, width in ((900, 60), (970, 80), (1040, 70)):
        glitter(canvas, x, 540, 612, width, AMBER, 6, 0.8)
    glitter(canvas, 640, 538, 612, 150, FOAM, 7, 0.8)
    sailboat(canvas, 716, 572, 96, NIGHT, HAZE)
    rain(canvas, (430, 40, 1120, 600), 70, FOAM, 0.4, 0.25, 54)


def _curtains(canvas: Canvas) -> None:
    for side in (-1, 1):
        fall = outline("372,28! 560,28! 548,170 500,300 426,392! 440,500 452,656! 352,656! 366,420 360,200")
        cloth = fall if side < 0 else fall.mirrored(_MIDDLE)
        canvas.model(cloth, CORAL, shade=BRICK, rim=PEACH, light=_SILL_LAMP, depth=26, edge=6)
        with canvas.inside(cloth):
            for fold in (
                "420,20 416,180 396,330 398,390",
                "470,20 462,160 432,310 408,390",
                "404,400 396,520 390,660",
                "516,20 506,150 470,280 416,390",
                "424,404 424,540 428,660",
            ):
                crease = ribbon(fold, 3, 9, 11, 4)
                canvas.fill(crease if side < 0 else crease.mirrored(_MIDDLE), BRICK)
        tie = ribbon("360,398 400,410 436,390", 18)
        canvas.fill(tie if side < 0 else tie.mirrored(_MIDDLE), LANTERN)
    canvas.model(box(330, 14, 880, 20, 10), AMBER, shade=BRICK, light=(0, -1), depth=8)


def _table(canvas: Canvas) -> None:
    top = oval(_MIDDLE, 748, 640, 66)
    drop = outline("130,748! 118,800 106,860! 1410,860! 1410,748!")
    canvas.fill(drop, ROSE)
    with canvas.inside(drop):
        for column in range(17):
            canvas.fill(box(100 + column * 80, 740, 40, 130), mix(ROSE, BRICK, 0.35))
    canvas.model(top, BLUSH, rim=PEACH, light=(0.3, -1), edge=6)
    with canvas.inside(top):
        canvas.lighten(oval(1110, 726, 380, 60), LANTERN, 0.3)
        canvas.fill(top - oval(_MIDDLE, 744, 622, 54), CREAM)
        for x, across in ((690, 250), (480, 120), (960, 120), (320, 70), (1090, 90)):
            canvas.fill(oval(x, 746, across, 22), ROSE)


def _teapot(canvas: Canvas) -> None:
    spout = outline("600,560! 556,556 522,520 506,452! 500,440! 462,452! 464,468 482,560 524,636 610,668!")
    canvas.model(spout, TEAL, shade=ABYSS, rim=SPRAY, light=_SILL_LAMP, depth=16, edge=6)
    handle = ribbon("850,520 908,474 968,500 974,576 920,642 848,650", 26, 28, 28, 26, 22)
    canvas.model(handle, TEAL, shade=ABYSS, rim=SPRAY, light=_SILL_LAMP, depth=10, edge=5)
    body = both_sides(outline("718,430! 800,440 872,500 888,580 856,664 800,720! 798,738! 718,738!"), 720)
    canvas.model(body, SEA, shade=TEAL, rim=FOAM, light=_SILL_LAMP, depth=60, edge=8)
    with canvas.inside(body):
        canvas.fill(ribbon("530,506 620,526 720,534 820,526 910,506", 7), CREAM)
        canvas.fill(ribbon("530,626 620,646 720,654 820,646 910,626", 7), CREAM)
        for x in range(560, 900, 40):
            sag = 1 - ((x - 720) / 180) ** 2
            canvas.fill(
                ribbon(
                    [
                        (x - 18, 586 + sag * 16),
                        (x - 6, 570 + sag * 16),
                        (x + 8, 576 + sag * 16),
                        (x + 6, 588 + sag * 16),
                    ],
                    3,
                    8,
                    6,
                    3,
                ),
                CREAM,
            )
            canvas.fill(disc(x + 2, 606 + sag * 16, 5), LANTERN)
        canvas.fill(body - body.moved(46, -30), TEAL, 0.6)
        canvas.fill(ribbon("822,478 850,520 858,570", 4, 18, 5), FOAM, 0.9)
    lid = both_sides(outline("716,388! 724,388 774,396 806,420 812,438! 766,446 724,449 716,449!"), 720)
    canvas.model(lid, SEA, shade=TEAL, rim=FOAM, light=_SILL_LAMP, depth=30, edge=6)
    canvas.model(disc(720, 376, 22), AMBER, shade=BRICK, rim=CREAM, light=_SILL_LAMP, depth=12, edge=4)
    for plume, opacity in (("482,436 456,380 496,330 460,264 480,214", 0.55), ("500,430 520,384 500,344 524,300", 0.4)):
        canvas.fill(ribbon(plume, 6, 18, 20, 14, 2), FOAM, opacity)


def _cup(canvas: Canvas, x: float, foot: float) -> None:
    """A cup on its saucer, full and steaming."""
    canvas.model(oval(x, foot, 104, 22), CREAM, shade=APRICOT, light=(0.6, -1), depth=10)
    canvas.fill(oval(x, foot - 3, 66, 11), APRICOT)
    handle = ribbon([(x + 60, foot - 74), (x + 100, foot - 84), (x + 96, foot - 36), (x + 46, foot - 26)], 14, 13, 12)
    canvas.model(handle, CREAM, shade=APRICOT, light=_SILL_LAMP, depth=5)
    bowl = both_sides(
        outline(
            f"{x - 2},{foot - 98}! {x + 74},{foot - 98}! {x + 68},{foot - 50} {x + 40},{foot - 12} "
            f"{x + 32},{foot}! {x - 2},{foot}!"
        ),
        x,
    )
    canvas.model(bowl, CREAM, shade=BLUSH, light=_SILL_LAMP, depth=44)
    with canvas.inside(bowl):
        canvas.fill(box(x - 90, foot - 66, 180, 9), CORAL)
        canvas.fill(box(x - 90, foot - 50, 180, 5), CORAL)
    canvas.fill(oval(x, foot - 98, 74, 15), PEACH)
    canvas.fill(oval(x, foot - 95, 64, 10), BRICK)
    canvas.fill(oval(x + 18, foot - 94, 36, 5), AMBER)
    for shift, height in ((-18, 90), (20, 120)):
        canvas.fill(
            ribbon(
                [
                    (x + shift, foot - 108),
                    (x + shift - 16, foot - 108 - height * 0.35),
                    (x + shift + 14, foot - 108 - height * 0.7),
                    (x + shift, foot - 108 - height),
                ],
                4,
                13,
                11,
                2,
            ),
            FOAM,
            0.5,
        )


def _biscuits(canvas: Canvas) -> None:
    canvas.model(oval(744, 786, 132, 25), FOAM, shade=SPRAY, light=(0.5, -1), depth=10)
    for x, y in ((676, 772), (740, 776), (806, 772), (708, 756), (774, 756), (742, 738)):
        canvas.model(oval(x, y, 40, 15), AMBER, shade=BRICK, rim=PEACH, light=(0.5, -1), depth=7, edge=3)
        for dx, dy in ((-14, -2), (2, 3), (14, -3)):
            canvas.fill(oval(x + dx, y + dy, 3.5, 2), UMBER)


def _jug(canvas: Canvas) -> None:
    """The last caller's torch, put out and put in water with the daisies."""
    canvas.model(polygon("330,616 312,616 272,424 296,420"), BRICK, rim=APRICOT, light=_SILL_LAMP, edge=4)
    head = outline("258,436! 250,400 258,364! 272,382! 284,350! 296,378! 312,362! 314,400 308,430! 284,440")
    canvas.model(head, NIGHT, rim=APRICOT, light=_SILL_LAMP, edge=4)
    canvas.fill(outline("262,436! 284,446 308,430! 306,446 286,458 266,450!"), AMBER)
    canvas.fill(ribbon("282,344 262,300 296,262 272,212", 4, 12, 10, 2), HAZE, 0.5)
    for stem, x, y in (("330,620 346,540 372,492", 374, 484), ("338,620 380,580 420,556", 420, 552)):
        canvas.fill(ribbon(stem, 6), SEA)
        for turn in range(0, 360, 45):
            canvas.fill(oval(x, y - 17, 8, 14).turned(turn, (x, y)), CREAM)
        canvas.fill(disc(x, y, 10), LANTERN)
    jug = outline("286,596! 366,596! 362,630 388,674 376,726 350,744! 300,744! 274,726 264,674 290,630")
    canvas.model(jug, PLUM, shade=NIGHT, rim=APRICOT, light=_SILL_LAMP, depth=30, edge=7)
    canvas.fill(oval(326, 597, 40, 8), NIGHT)
