"""A landmark that will not stay put."""

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
    FOAM,
    LANTERN,
    MAUVE,
    NIGHT,
    PEACH,
    ROSE,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    box,
    bubbles,
    cottage,
    disc,
    fish,
    glitter,
    gull,
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
    shafts,
    stations,
    streak,
    town,
    wave,
)

_SUNRISE = (0.55, -0.85)  # the turtle's sun stands a little to its right


@picture(ROSE)
def island_turtle(canvas: Canvas) -> None:
    """A turtle older than the charts carries its tenant out to sea at sunrise."""
    halo_sky(
        canvas,
        930,
        420,
        (930, 730, 560, 410, 280, 160),
        (BLUSH, mix(BLUSH, APRICOT), APRICOT, mix(APRICOT, PEACH), PEACH, CREAM),
        0.94,
    )
    for x, y, width, ink in ((280, 236, 330, ROSE), (1180, 190, 320, BLUSH), (430, 330, 240, BLUSH)):
        canvas.fill(streak(x, y, width), ink, 0.85)
    canvas.fill(ridge("-10,376 110,350 240,362 360,392 470,410", 470), MAUVE)
    town(canvas, 46, 366, 27, MAUVE, houses=8)
    canvas.fill(wave(400, 2, 300), SEA)
    glitter(canvas, 1090, 406, 440, 300, CREAM, 5, 0.9)
    _below_the_swell(canvas)
    _turtle_limbs(canvas)
    _turtle_head(canvas)
    _turtle_shell(canvas)
    _near_flipper(canvas)
    _island(canvas)
    _waterline(canvas)
    canvas.fill(ridge("-10,800 160,770 340,800 560,836 860,838 1080,800 1220,764 1370,776"), NIGHT)
    bubbles(canvas, ((176, 486, 11), (150, 466, 7), (196, 458, 5), (1150, 640, 9), (1176, 606, 6)))


def _below_the_swell(canvas: Canvas) -> None:
    canvas.fill(wave(436, 8, 380, 60), SEA)
    canvas.fill(wave(500, 12, 640, 260), mix(SEA, TEAL))
    canvas.fill(wave(590, 14, 700, 120), TEAL)
    canvas.fill(wave(700, 16, 640, 420), mix(TEAL, ABYSS))
    with canvas.inside(wave(436, 8, 380, 60)):
        shafts(canvas, 930, (56, 68, 80, 93, 106, 119, 131), SPRAY, 0.09)
    canvas.fill(ridge("-10,760 140,730 300,780 480,812 760,806 1000,790 1180,730 1370,690"), ABYSS)
    for x, y, length in ((1150, 520, 42), (1208, 548, 36), (1180, 584, 32), (1256, 512, 34)):
        canvas.fill(fish(x, y, length), SPRAY, 0.8)


def _turtle_limbs(canvas: Canvas) -> None:
    """The limbs on the far side, the tail, and the hind flipper."""
    far = outline("470,560! 380,584 280,620 190,680 130,752! 214,744 320,706 430,660 500,620!")
    canvas.model(far, SEA, shade=TEAL, rim=SPRAY, light=(0, -1), depth=26, edge=5)
    far_hind = outline("940,590! 1010,618 1090,668 1130,716! 1060,712 980,676 910,640!")
    canvas.fill(far_hind.moved(-120, 20), SEA)
    canvas.model(outline("1010,560! 1080,580 1134,606! 1070,612 1000,606!"), SPRAY, shade=SEA, light=(0, -1), depth=12)
    hind = outline("930,590! 1010,604 1100,636 1170,690 1196,742! 1130,740 1040,716 950,668 900,620!")
    canvas.model(hind, SPRAY, shade=SEA, rim=FOAM, light=_SUNRISE, depth=26, edge=6)
    with canvas.inside(hind):
        _scales(
            canvas,
            (
                (970, 632, 17),
                (1010, 640, 15),
                (1006, 672, 13),
                (1050, 658, 14),
                (1086, 676, 12),
                (1054, 692, 11),
                (1120, 700, 10),
            ),
        )


def _scales(canvas: Canvas, places: tuple[tuple[float, float, float], ...]) -> None:
    for x, y, size in places:
        canvas.fill(
            outline(
                [
                    (x - size, y),
                    (x - size * 0.4, y - size * 0.75),
                    (x + size * 0.6, y - size * 0.6),
                    (x + size, y + size * 0.1),
                    (x + size * 0.3, y + size * 0.75),
                    (x - size * 0.6, y + size * 0.6),
                ]
            ),
            TEAL,
            0.85,
        )


def _turtle_shell(canvas: Canvas) -> None:
    plastron = outline("430,560! 470,630 560,676 700,694 850,676 950,632 1010,580!")
    canvas.model(plastron, PEACH, shade=APRICOT, light=(0, -1), depth=34)
    with canvas.inside(plastron):
        for x in (540, 640, 744, 850):
            canvas.fill(ribbon([(x, 600), (x + 14, 660), (x + 4, 700)], 6), AMBER, 0.7)
        canvas.fill(plastron - plastron.moved(0, -20), ROSE)
    shell = outline(
        "408,556! 424,486 490,416 600,366 740,348 880,368 986,430 1046,516 1076,584! 980,622 850,640 "
        "700,644 540,628 440,596"
    )
    canvas.model(shell, BRICK, shade=UMBER, rim=APRICOT, light=_SUNRISE, depth=44, edge=8)
    with canvas.inside(shell):
        for plate in (
            "436,540! 462,470 520,424! 566,450! 560,548! 500,580 446,566!",
            "576,446! 530,414 610,368! 690,360! 706,440!",
            "572,462! 704,454! 712,562! 640,586 572,560!",
            "716,440! 700,356 790,352! 872,372! 850,446!",
            "718,454! 850,460! 848,558! 780,588 722,564!",
            "862,446! 884,378 950,410! 998,462! 960,476!",
            "862,464! 950,488! 1004,520! 990,548 912,572 860,554!",
        ):
            canvas.model(outline(plate), CORAL, shade=BRICK, rim=AMBER, light=_SUNRISE, depth=20, edge=4)
        margin = outline(
            "400,560! 470,588 580,604 700,610 850,602 970,578 1060,530! 1090,600! 980,640 700,660 440,620!"
        )
        canvas.model(margin, AMBER, shade=BRICK, light=(0.2, -1), depth=20)
        for px, py, _ in stations("424,566 540,602 700,616 860,608 990,582 1050,556", 13, 0.1, 0.98):
            canvas.fill(ribbon([(px, py - 18), (px - (700 - px) * 0.04, py + 44)], 6), UMBER)
        canvas.fill(ribbon("400,560 470,588 580,604 700,610 850,602 970,578 1060,530", 6), UMBER)


def _turtle_head(canvas: Canvas) -> None:
    head = outline(
        "470,510! 420,478 350,444 276,436 220,456 184,496 176,532! 190,552 232,566 300,576 360,592 430,616 480,610!"
    )
    canvas.model(head, SPRAY, shade=SEA, rim=FOAM, light=_SUNRISE, depth=28, edge=7)
    with canvas.inside(head):
        throat = outline("186,548! 240,552 306,558 380,576 470,596! 480,640! 180,640!")
        canvas.model(throat, PEACH, shade=APRICOT, light=(0, -1), depth=16)
        _scales(
            canvas,
            (
                (300, 462, 20),
                (344, 474, 17),
                (262, 458, 13),
                (336, 508, 15),
                (376, 500, 14),
                (370, 534, 13),
                (412, 524, 13),
                (410, 558, 12),
                (330, 542, 11),
                (446, 544, 11),
            ),
        )
        canvas.fill(ribbon("176,534 220,540 262,540 296,530", 4, 5, 5, 2), ABYSS)
    canvas.fill(ribbon("236,484 262,468 292,476", 3, 9, 3), TEAL)
    canvas.fill(oval(262, 500, 27, 24), ABYSS)
    canvas.fill(oval(261, 501, 22, 19), LANTERN)
    canvas.fill(oval(257, 502, 12, 14), NIGHT)
    canvas.fill(disc(263, 495, 5), CREAM)
    canvas.fill(outline("232,496! 244,478 266,472 288,484 294,502! 280,490 262,486 246,488"), SEA)
    canvas.fill(oval(194, 512, 4, 5), ABYSS)


def _near_flipper(canvas: Canvas) -> None:
    flipper = outline(
        "446,572! 496,552 556,566 590,612 580,664 536,700 480,736 440,778 424,818! 374,800 346,752 350,690 384,630"
    )
    canvas.model(flipper, SPRAY, shade=SEA, rim=FOAM, light=(-0.75, -0.6), depth=30, edge=7)
    with canvas.inside(flipper):
        _scales(
            canvas,
            (
                (500, 604, 22),
                (536, 640, 18),
                (478, 646, 19),
                (510, 682, 18),
                (450, 690, 17),
                (446, 642, 13),
                (416, 676, 14),
                (470, 720, 13),
                (416, 720, 15),
                (384, 712, 11),
                (384, 756, 12),
                (416, 764, 11),
                (548, 598, 13),
            ),
        )


def _island(canvas: Canvas) -> None:
    """A hill, two palms and one cottage on the crown of the shell."""
    _palm(canvas, "612,352 596,270 560,196 510,140", 118)
    hill = outline(
        "498,432! 520,400 560,366 620,344 670,320 740,296 800,300 860,336 920,372 962,414 978,446! "
        "860,462 740,466 600,458"
    ) - wave(438, 8, 380, 60)
    canvas.model(hill, TEAL, shade=ABYSS, rim=SPRAY, light=_SUNRISE, depth=30, edge=7)
    with canvas.inside(hill):
        canvas.fill(outline("560,366! 640,372 720,352 800,330 850,330! 820,372 740,400 640,420 540,420!"), SEA)
        beach = outline("480,440! 560,414 680,420 800,426 900,408 980,420! 990,480! 480,480!")
        canvas.model(beach, PEACH, rim=CREAM, light=(0, -1), edge=5)
    _palm(canvas, "884,392 904,320 922,250 916,190", 100)
    cottage(canvas, 690, 346, 104, 116, CREAM, lit=(), chimney=False)
    canvas.fill(box(764, 224, 15, 46), BRICK)
    canvas.fill(polygon("678,278 742,224 806,278"), CORAL)
    canvas.fill(polygon("742,224 806,278 770,278"), BRICK)
    canvas.fill(box(760, 278, 34, 70), BLUSH)
    canvas.fill(box(704, 290, 36, 34, 3), UMBER)
    canvas.fill(box(708, 294, 28, 26), LANTERN)
    canvas.fill(box(720, 292, 3, 30), UMBER)
    canvas.fill(box(754, 300, 22, 48, 10), UMBER)
    for x, y, radius in ((778, 206, 13), (792, 184, 17), (812, 160, 13), (824, 136, 9)):
        canvas.fill(disc(x, y, radius), CREAM, 0.9)
    canvas.fill(ribbon("764,348 752,372 720,392 716,420", 14, 12, 16, 22), PEACH)
    _jetty(canvas)
    for x, y, span, tilt in ((430, 250, 50, -8), (1010, 276, 44, 8), (376, 284, 34, 6)):
        canvas.fill(gull(x, y, span, tilt), UMBER)


def _palm(canvas: Canvas, spine: str, reach: float) -> None:
    trunk = ribbon(spine, 24, 16, 14, 12)
    canvas.model(trunk, UMBER, rim=AMBER, light=_SUNRISE, edge=4)
    with canvas.inside(trunk):
        for x, y, heading in stations(spine, 9, 0.1, 0.9):
            canvas.fill(box(x - 2, y - 16, 4, 32).turned(heading, (x, y)), BRICK)
    x, y, _ = stations(spine, 2)[-1]
    for tip, rise, ink in (
        ((-0.62, -0.62), 0.3, TEAL),
        ((0.66, -0.6), 0.3, TEAL),
        ((-1.0, -0.1), 0.42, TEAL),
        ((1.02, -0.06), 0.42, TEAL),
        ((-0.86, 0.5), 0.5, SEA),
        ((0.84, 0.52), 0.5, SEA),
        ((-0.36, 0.78), 0.46, SEA),
        ((0.34, 0.8), 0.46, SEA),
    ):
        bend = (x + tip[0] * reach * 0.5, y + (tip[1] * 0.5 - rise) * reach)
        leaf = ribbon([(x, y), bend, (x + tip[0] * reach, y + tip[1] * reach)], 4, 22, 15, 1)
        canvas.model(leaf, ink, rim=SPRAY, light=(0.3, -1), edge=4)
    canvas.fill(joined(disc(x - 7, y + 9, 8), disc(x + 8, y + 10, 8)), BRICK)


def _jetty(canvas: Canvas) -> None:
    """The landing stage, with a lamp on its last pile."""
    for x in (944, 986, 1028):
        canvas.fill(box(x, 402, 7, 44), UMBER)
    canvas.model(box(916, 398, 130, 11, 3), BRICK, rim=APRICOT, light=(0, -1), edge=4)
    canvas.fill(box(1026, 346, 6, 56), UMBER)
    canvas.glow(1029, 340, 54, LANTERN, 0.22, 3)
    canvas.fill(disc(1029, 340, 9), LANTERN)
    canvas.fill(disc(1029, 340, 4.5), CREAM)
    canvas.fill(polygon("1016,332 1029,322 1042,332"), UMBER)


def _waterline(canvas: Canvas) -> None:
    """The near surface, drawn across shell and island."""
    surface = wave(436, 8, 380, 60)
    canvas.fill(surface - wave(443, 8, 380, 60), FOAM)
    for x, y, width in ((480, 426, 110), (1010, 440, 120), (380, 446, 90)):
        canvas.fill(lens(x, y, width, 8), FOAM)
