"""Two fires by the sea: one that people lit, and one that they woke."""

from collections.abc import Sequence

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
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
    chop,
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
    sailboat,
    stars,
    town,
    wave,
)

_HEARTH = (760.0, 720.0)  # the foot of the bonfire
_SPARKS = (
    (690, 250, 6),
    (830, 210, 5),
    (770, 150, 7),
    (720, 110, 4),
    (860, 290, 5),
    (640, 320, 5),
    (880, 130, 4),
    (806, 84, 5),
    (660, 180, 4),
    (920, 230, 4),
    (750, 60, 4),
    (900, 380, 6),
    (610, 410, 4),
    (850, 40, 3),
)


@picture(NIGHT)
def beach_bonfire(canvas: Canvas) -> None:
    """Driftwood, one chair already, another waiting, and a guest with supper on a stick."""
    halo_sky(canvas, 760, 560, (880, 640, 480, 350, 240), (mix(NIGHT, INDIGO), INDIGO, PLUM, mix(PLUM, BRICK), BRICK))
    for left, right in ((10, 400), (1090, 1340)):
        stars(canvas, 26, (left, 10, right, 470), CREAM, 0.85)
    canvas.fill(ridge("-10,560 120,520 260,536 400,576 520,600", 700), mix(NIGHT, INDIGO, 0.4))
    town(canvas, 40, 556, 34, mix(NIGHT, INDIGO, 0.4), houses=7)
    canvas.fill(wave(594, 2, 300), ABYSS)
    glitter(canvas, 760, 600, 650, 560, AMBER, 7, 0.8)
    sailboat(canvas, 1180, 618, 100, NIGHT, HAZE)
    canvas.fill(wave(630, 5, 380, 80), TEAL)
    canvas.fill(wave(639, 5, 380, 80), mix(PLUM, NIGHT))
    _firelit_sand(canvas)
    _fire(canvas)
    _driftwood(canvas)
    _chair(canvas, 1070, 764, 1.0)
    _guitar(canvas)
    _toasting_crab(canvas)
    _dune_grass(canvas)


def _firelit_sand(canvas: Canvas) -> None:
    sand = wave(664, 8, 620, 260)
    canvas.fill(sand, PLUM)
    with canvas.inside(sand):
        for across, down, ink in ((620, 120, mix(PLUM, BRICK)), (470, 90, BRICK), (330, 64, CORAL), (220, 42, AMBER)):
            canvas.fill(oval(760, 736, across, down), ink)
        for x, y, width in ((200, 730, 150), (1240, 770, 120), (520, 800, 110), (960, 812, 130)):
            canvas.fill(ribbon([(x, y), (x + width * 0.5, y - 6), (x + width, y)], 1, 5, 1), UMBER, 0.6)


def _fire(canvas: Canvas) -> None:
    """Tongues within tongues; the first chair stands between the outer flames and the inner."""
    canvas.glow(760, 540, 420, AMBER, 0.1, 4)
    outer = outline(
        "590,716! 556,640 566,560 610,500! 616,560 640,580! 640,500 676,430 664,340! 726,390 742,440! "
        "760,360 738,270 772,180! 800,270 852,340 846,420! 872,400 880,360 872,320! 924,410 930,490 "
        "910,550! 936,540 950,510 946,480! 976,560 972,650 930,716!"
    )
    canvas.fill(outer, CORAL)
    canvas.fill(ribbon("700,300 690,270 704,240", 3, 13, 2), CORAL)
    canvas.fill(ribbon("840,250 856,220 846,190", 3, 14, 2), AMBER)
    _chair(canvas, 866, 700, 0.9, burning=True)
    middle = outline(
        "616,716! 590,650 606,600 630,560! 640,620 664,630! 660,550 706,490 700,420! 748,480 752,530! "
        "790,460 764,370 786,310! 810,390 846,450 836,520! 862,500 874,470 872,440! 906,520 904,580 "
        "888,620! 914,610 926,590 924,570! 946,630 934,680 906,716!"
    )
    canvas.fill(middle, AMBER)
    inner = outline(
        "646,716! 626,670 644,640! 666,670! 676,600 716,560 720,510! 752,570 754,600! 784,540 776,480 "
        "790,430! 820,510 824,570 812,610! 840,590 850,570! 878,640 870,690 872,716!"
    )
    canvas.fill(inner, LANTERN)
    canvas.fill(
        outline(
            "690,716! 676,680 700,640! 714,660! 724,620 746,590! 762,640! 782,590 786,550! 812,610 820,670 824,716!"
        ),
        CREAM,
    )
    for x, y, radius in _SPARKS:
        canvas.fill(disc(x, y, radius), LANTERN if radius > 4 else AMBER)


def _driftwood(canvas: Canvas) -> None:
    """The logs, lit from behind and above by what they feed."""
    for spine, widths in (
        ("556,748 790,650", (36, 32, 24)),
        ("976,750 740,646", (36, 32, 24)),
        ("618,766 850,676", (38, 34, 26)),
        ("902,768 680,674", (38, 34, 26)),
    ):
        log = ribbon(spine, *widths)
        canvas.model(log, UMBER, rim=LANTERN, light=(0.1, -1), edge=6)
        x, y = (float(number) for number in spine.split()[0].split(","))
        canvas.fill(disc(x, y, widths[0] * 0.46), APRICOT)
        canvas.fill(disc(x, y, widths[0] * 0.3), BRICK)
        canvas.fill(disc(x, y, widths[0] * 0.15), APRICOT)
    for x, y, size in ((600, 772, 22), (660, 786, 26), (730, 792, 22), (800, 792, 27), (866, 784, 23), (926, 770, 24)):
        canvas.model(oval(x, y, size * 1.4, size * 0.8), UMBER, rim=AMBER, light=(0, -1), edge=5)


def _chair(canvas: Canvas, x: float, foot: float, size: float, *, burning: bool = False) -> None:
    """A kitchen chair seen from the side, its back to the right; one of them is already on the fire."""
    back = ribbon("44,0 40,-120 58,-250", 14, 14, 12)
    front = ribbon("-56,0 -50,-116", 14, 13)
    seat = box(-66, -130, 122, 18, 6)
    far = joined(ribbon("24,-10 22,-116", 11), ribbon("-34,-10 -30,-116", 11))
    rails = joined(
        ribbon("-52,-50 42,-50", 9),
        ribbon("22,-130 36,-236", 10),
        ribbon("28,-170 50,-174", 12),
        ribbon("34,-206 54,-210", 12),
        ribbon("36,-238 60,-244", 16),
    )
    for part in (far | rails, joined(back, front, seat)):
        stood = part.scaled(size, size, (0, 0)).moved(x, foot)
        if burning:
            canvas.fill(stood.turned(24, (x, foot)), UMBER)
        else:
            canvas.model(stood, UMBER, rim=LANTERN, light=(-1, -0.3), edge=5)
    if not burning:
        canvas.fill(oval(x + 70, foot + 2, 130, 12), NIGHT, 0.45)


def _guitar(canvas: Canvas) -> None:
    """Left leaning on a log, out of reach of the sparks."""
    log = ribbon("20,760 160,748 336,756", 62, 66, 60)
    canvas.model(log, UMBER, rim=AMBER, light=(0.8, -0.8), edge=7)
    for start, end in (("50,756", "190,748"), ("160,772", "290,770")):
        canvas.fill(ribbon(f"{start} {end}", 2, 5, 2), NIGHT, 0.7)
    canvas.fill(oval(344, 757, 18, 30), APRICOT)
    canvas.fill(oval(344, 757, 12, 21), BRICK)
    canvas.fill(oval(344, 757, 6, 10), APRICOT)

    def leant(shape: Shape) -> Shape:
        return shape.turned(-24, (200, 760)).moved(-14, 0)

    canvas.model(leant(box(189, 448, 22, 170, 4)), BRICK, rim=AMBER, light=(1, -0.3), edge=5)
    canvas.model(leant(box(182, 420, 36, 44, 8)), UMBER, rim=AMBER, light=(1, -0.3), edge=5)
    body = leant(
        outline(
            "200,596 238,602 254,634 240,664 246,684 270,720 256,768 200,784 144,768 130,720 154,684 "
            "160,664 146,634 162,602"
        )
    )
    canvas.model(body, AMBER, shade=BRICK, rim=LANTERN, light=(1, -0.3), depth=44, edge=7)
    canvas.fill(leant(disc(200, 676, 24)), UMBER)
    canvas.fill(leant(box(172, 734, 56, 9, 3)), UMBER)
    for x in (194, 200, 206):
        canvas.fill(leant(box(x - 1, 450, 2, 288)), CREAM)


def _toasting_crab(canvas: Canvas) -> None:
    canvas.fill(ribbon("500,722 606,640", 6, 4), UMBER)
    canvas.fill(oval(456, 776, 90, 12), NIGHT, 0.5)
    for dx in (-58, -36, 36, 58):
        canvas.fill(ribbon([(456 + dx * 0.6, 756), (456 + dx * 1.1, 752), (456 + dx * 1.25, 780)], 10, 8, 3), BRICK)
    canvas.fill(ribbon("498,756 528,744 526,720", 14, 13, 12), BRICK)
    canvas.model(
        outline("528,732! 504,716 506,684 536,668! 530,690 534,700! 556,690! 558,714 546,730"),
        CORAL,
        shade=BRICK,
        rim=LANTERN,
        light=(1, -0.5),
        depth=9,
        edge=4,
    )
    canvas.model(
        outline("418,740! 396,738 382,716 392,694! 398,710 406,714! 416,698! 426,716"),
        CORAL,
        shade=BRICK,
        rim=LANTERN,
        light=(1, -0.5),
        depth=9,
        edge=4,
    )
    for x in (440, 472):
        canvas.fill(ribbon([(x, 734), (x + 2, 706)], 6), BRICK)
        canvas.fill(disc(x + 2, 702, 10), CREAM)
        canvas.fill(disc(x + 6, 702, 5), NIGHT)
    canvas.model(
        outline("402,748! 416,728 456,720 496,728 510,748! 492,772 456,780 420,772"),
        CORAL,
        shade=BRICK,
        rim=LANTERN,
        light=(1, -0.6),
        depth=18,
        edge=5,
    )
    canvas.fill(ribbon("448,754 464,760 482,754", 2, 5, 2), UMBER)
    marshmallow = box(596, 622, 30, 26, 9).turned(-30)
    canvas.model(marshmallow, CREAM, shade=APRICOT, light=(-0.6, -0.8), depth=9)


def _dune_grass(canvas: Canvas) -> None:
    canvas.fill(ridge("-10,812 200,806 420,826 700,834 980,826 1180,800 1370,780"), NIGHT)
    for x, height, lean in (
        (1216, 90, -26),
        (1246, 130, -6),
        (1276, 160, 18),
        (1306, 110, 34),
        (1336, 140, 14),
        (40, 60, 20),
        (64, 84, 30),
        (14, 76, -8),
    ):
        canvas.fill(
            outline(
                f"{x - 8},830! {x - 4 + lean * 0.3},{810 - height * 0.5} {x + lean},{800 - height}! "
                f"{x + 6 + lean * 0.3},{810 - height * 0.45} {x + 8},830!"
            ),
            NIGHT,
        )


@picture(NIGHT)
def wake_the_volcano(canvas: Canvas) -> None:
    """The island's mountain clears its throat; the boats have already left."""
    halo_sky(
        canvas, 770, 260, (800, 620, 460, 330, 220), (mix(NIGHT, PLUM), PLUM, mix(PLUM, BRICK), BRICK, CORAL), 0.95
    )
    stars(canvas, 44, (10, 10, 420, 520), CREAM, 0.8)
    _ash(canvas)
    _fountain(canvas)
    canvas.fill(ridge("-10,646 80,620 200,612 330,650 440,700", 730), NIGHT)
    town(canvas, 40, 630, 24, NIGHT, houses=7)
    _mountain(canvas)
    _shore_village(canvas)
    _red_sea(canvas)


def _ash(canvas: Canvas) -> None:
    """The plume, bank on bank, each lit from below."""
    banks: Sequence[tuple[tuple[tuple[float, float, float], ...], Colour, Colour]] = (
        (((1180, 20, 150), (1330, 60, 170), (1010, -10, 150), (1080, 110, 100), (1240, 160, 90)), INDIGO, MAUVE),
        (((900, 30, 130), (780, -30, 140), (640, -30, 110), (990, 80, 110), (560, -50, 80)), mix(INDIGO, PLUM), ROSE),
        (((850, 130, 84), (740, 110, 76), (660, 60, 70), (930, 170, 60)), PLUM, CORAL),
        (((790, 196, 60), (730, 190, 46), (846, 214, 40)), BRICK, AMBER),
    )
    for puffs, ink, rim in banks:
        canvas.model(joined(*(disc(x, y, radius) for x, y, radius in puffs)), ink, rim=rim, light=(-0.4, 1), edge=9)
    canvas.fill(polygon("1150,150 1096,236 1124,232 1070,320 1160,222 1132,226 1180,160"), LANTERN)


def _fountain(canvas: Canvas) -> None:
    for spine in (
        "714,300 620,180 560,270",
        "716,250 640,110 570,130",
        "836,290 930,150 1000,260",
        "826,240 896,92 960,120",
    ):
        canvas.fill(ribbon(spine, 4, 8, 15), AMBER)
    jets = (
        "752,330 716,250 672,216",
        "764,330 742,230 712,140",
        "776,330 776,220 780,96",
        "790,330 816,230 848,150",
        "802,330 840,256 886,222",
    )
    for ink, share, lift in ((AMBER, 1.0, 0), (LANTERN, 0.6, 26), (CREAM, 0.26, 60)):
        for spine in jets[1:4] if ink == CREAM else jets:
            jet = ribbon(spine, 74 * share, 60 * share, 34 * share, 3)
            canvas.fill(jet.moved(0, lift), ink)
    for x, y, radius in (
        (560, 274, 15),
        (568, 132, 11),
        (1002, 264, 16),
        (962, 124, 10),
        (500, 220, 8),
        (1040, 200, 7),
        (620, 70, 7),
        (470, 330, 9),
        (1060, 340, 9),
        (524, 380, 6),
        (880, 60, 6),
    ):
        canvas.fill(disc(x, y, radius), CORAL)
        canvas.fill(disc(x - radius * 0.15, y - radius * 0.15, radius * 0.66), LANTERN)


def _mountain(canvas: Canvas) -> None:
    cone = outline(
        "300,720! 420,668 520,580 600,470 650,370 676,300! 700,290! 740,302! 780,294! 830,304! 864,292! "
        "880,302! 916,390 980,500 1060,600 1160,676 1290,720!"
    )
    canvas.model(cone, UMBER, rim=CORAL, light=(-0.2, -1), edge=8)
    with canvas.inside(cone):
        canvas.fill(polygon("860,290 900,420 880,520 960,600 940,760 1320,760 1320,600 900,280"), mix(UMBER, NIGHT))
        for facet in (
            "676,300 640,400 600,470 650,480 690,380",
            "600,480 520,580 560,640 640,560",
            "420,668 520,590 540,660 470,730 380,730",
        ):
            canvas.fill(polygon(facet), mix(UMBER, BRICK))
        canvas.fill(outline("650,352! 720,366 800,368 900,350! 912,380! 800,398 720,396 640,378!"), PLUM)
    for step, x in enumerate(range(662, 900, 17)):
        y = 368 + 10 * (1 - ((x - 776) / 120) ** 2)
        stroke = box(x, y, 4, 13)
        mark = (
            stroke,
            stroke | box(x - 3, y, 10, 4),
            disc(x + 2, y + 6, 5) - disc(x + 2, y + 6, 2),
            polygon([(x - 3, y + 12), (x + 2, y), (x + 8, y + 12)]),
        )[step % 4]
        canvas.fill(mark, LANTERN)
    with canvas.inside(cone):
        _lava(canvas)
    crater = outline("676,302! 700,290! 740,302! 780,294! 830,304! 864,292! 880,302! 846,322 776,332 706,320")
    canvas.fill(crater, LANTERN)


def _lava(canvas: Canvas) -> None:
    """Three streams, each in three inks from its banks to its heart."""
    for spine, widths in (
        ("770,304 764,400 726,480 750,560 700,640 690,726", (66, 40, 44, 34, 46, 64)),
        ("830,304 850,400 900,470 890,560 960,640 990,726", (44, 26, 24, 22, 26, 40)),
        ("716,306 676,400 640,460 600,560 520,640 470,712", (34, 18, 18, 14, 16, 22)),
    ):
        for share, ink in ((1.0, CORAL), (0.66, AMBER), (0.34, LANTERN)):
            canvas.fill(ribbon(spine, *(width * share for width in widths)), ink)


def _shore_village(canvas: Canvas) -> None:
    """The foot of the island: dark woods, a few huts, lamps left burning in the hurry."""
    wood = joined(
        *(
            disc(x, 716, radius)
            for x, radius in (
                (330, 26),
                (372, 34),
                (420, 40),
                (560, 36),
                (606, 44),
                (790, 40),
                (840, 48),
                (890, 36),
                (1070, 44),
                (1120, 50),
                (1176, 36),
                (1226, 28),
            )
        )
    )
    canvas.model(wood, ABYSS, rim=BRICK, light=(0.1, -1), edge=5)
    for x, size in ((1090, 46), (1142, 38), (384, 36), (832, 40)):
        canvas.fill(box(x, 716 - size * 0.6, size, size * 0.7), NIGHT)
        eaves, top = 718 - size * 0.6, 712 - size * 1.2
        canvas.fill(polygon([(x - 8, eaves), (x + size / 2, top), (x + size + 8, eaves)]), UMBER)
        canvas.fill(box(x + size * 0.36, 724 - size * 0.6, size * 0.28, size * 0.34), LANTERN)


def _red_sea(canvas: Canvas) -> None:
    canvas.fill(wave(718, 3, 300), INDIGO)
    for x, width in ((700, 420), (986, 170), (470, 130)):
        glitter(canvas, x, 722, 812, width, CORAL, 8, 0.9)
    glitter(canvas, 700, 722, 800, 200, LANTERN, 6, 0.9)
    for x, y, radius in (
        (660, 704, 20),
        (700, 696, 26),
        (740, 706, 18),
        (984, 706, 20),
        (1012, 700, 15),
        (470, 706, 13),
    ):
        canvas.fill(disc(x, y, radius), BLUSH, 0.55)
    for x, water, size in ((210, 752, 120), (330, 738, 70), (120, 736, 56)):
        sailboat(canvas, x, water, size, NIGHT, PEACH)
    canvas.fill(disc(262, 728, 6), LANTERN)
    canvas.fill(chop(784, 16, 190, 40), NIGHT, 0.75)
    canvas.fill(chop(812, 18, 240, 150), NIGHT)
    glitter(canvas, 700, 800, 832, 180, AMBER, 3, 0.8)
    canvas.fill(outline("1130,860! 1180,800 1240,782! 1300,760 1370,770! 1370,860!"), NIGHT)
    canvas.fill(ribbon("1290,790 1276,680 1300,590", 16, 12, 9), NIGHT)
    frond = outline("1300,592! 1336,560 1384,568 1420,620! 1378,594 1340,590")
    for turn in (-46, -8, 30):
        for leaf in (frond, frond.mirrored(1300)):
            canvas.fill(leaf.turned(turn if leaf is frond else -turn, (1300, 592)), NIGHT)
    canvas.fill(disc(1296, 604, 9) | disc(1312, 602, 8), APRICOT)
