"""Animals of the quay, at night and at first light."""

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
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Shape,
    both_sides,
    box,
    chop,
    crescent,
    disc,
    glitter,
    halo_sky,
    lantern,
    lens,
    moon,
    outline,
    oval,
    picture,
    polygon,
    post,
    ribbon,
    ridge,
    sailboat,
    spiral,
    stars,
    streak,
    town,
    wave,
)

_LAMP = (-1.0, 0.15)  # the fox's lantern stands low on the left


@picture(NIGHT)
def harbour_fox(canvas: Canvas) -> None:
    """A fox keeps the pier company, a lantern beside it."""
    halo_sky(canvas, 760, 600, (1080, 860, 660, 490, 340), (INDIGO, PLUM, MAUVE, ROSE, BLUSH), 0.86)
    stars(canvas, 46, (20, 20, 1330, 330), CREAM, 0.8)
    canvas.fill(crescent(1150, 150, 62, -30, -16), CREAM)
    for x, y, width in ((330, 330, 320), (1120, 400, 380)):
        canvas.fill(streak(x, y, width), MAUVE, 0.8)
    _far_quay(canvas)
    _pier(canvas)
    lantern(canvas, 440, 716, 190, reach=1.5)
    _fox_body(canvas)
    _fox_head(canvas)


def _far_quay(canvas: Canvas) -> None:
    """The town across the water, and the fishing boats' masts."""
    canvas.fill(ridge("-10,520 150,490 330,520 520,560 700,566 900,548 1130,500 1370,520", 640), PLUM)
    town(canvas, 930, 566, 44, PLUM, houses=10)
    town(canvas, -12, 568, 44, PLUM, houses=6)
    canvas.fill(wave(562, 2, 300), INDIGO)
    for x, width in ((60, 90), (180, 70), (985, 80), (1090, 110), (1230, 90)):
        glitter(canvas, x, 572, 690, width, AMBER, 8, 0.7)
    glitter(canvas, 640, 570, 700, 200, BLUSH, 8, 0.7)
    canvas.fill(wave(620, 5, 360, 90), NIGHT, 0.45)
    for x, height in ((1180, 250), (1268, 320)):
        canvas.fill(box(x - 3, 640 - height, 6, height), NIGHT)
        canvas.fill(polygon([(x - 2, 640 - height), (x + 70, 626), (x + 66, 626), (x, 650 - height)]), NIGHT)
        canvas.fill(outline(f"{x - 62},612! {x},622 {x + 86},604! {x + 60},652! {x - 46},652!"), NIGHT)


def _pier(canvas: Canvas) -> None:
    canvas.fill(box(-10, 698, 1370, 62), BRICK)
    canvas.fill(box(-10, 698, 1370, 8), AMBER, 0.9)
    with canvas.inside(box(-10, 698, 1370, 62)):
        canvas.lighten(oval(440, 716, 520, 60), AMBER, 0.35)
        canvas.lighten(oval(440, 716, 280, 34), LANTERN, 0.4)
        for seam in range(19):
            top = 20 + seam * 76
            foot = 675 + (top - 675) * 1.12
            canvas.fill(polygon([(top, 698), (top + 5, 698), (foot + 7, 760), (foot, 760)]), UMBER)
    canvas.fill(box(-10, 758, 1370, 30), UMBER)
    canvas.fill(box(-10, 786, 1370, 60), NIGHT)
    for x in (150, 560, 900, 1210):
        canvas.fill(box(x, 786, 54, 60), UMBER)
    for x in (1128, 212):
        post(canvas, x, 598, 734, 70, toward=1.0 if x < 440 else -1.0)
        for y in (640, 655, 670):
            canvas.model(box(x - 40, y, 80, 13, 6), PEACH, shade=MAUVE, light=(1 if x < 440 else -1, 0), depth=36)
    canvas.fill(ribbon("246,664 300,728 420,764 560,776 700,780 900,772 1040,732 1096,664", 9), PEACH)
    canvas.fill(ribbon("246,667 300,731 420,767 560,779 700,783 900,775 1040,735 1096,667", 4), MAUVE, 0.7)


def _fox_body(canvas: Canvas) -> None:
    tail = ribbon("880,684 980,704 1052,650 1068,560 1020,476 1034,392", 34, 92, 124, 118, 84, 2)
    canvas.model(tail, CORAL, shade=BRICK, rim=APRICOT, light=_LAMP, depth=46, edge=6)
    with canvas.inside(tail):
        tip = outline(
            "900,380! 1160,380! 1160,560! 1098,512! 1082,540! 1054,504! 1034,532! 1004,498! 978,520! 950,470!"
        )
        canvas.model(tip, CREAM, shade=BLUSH, light=(-1, 0), depth=60)
        canvas.fill(outline("1064,380! 1130,470 1120,560! 1090,520 1050,460"), BLUSH)
    far_leg = outline("622,520! 690,560! 660,640 654,690 660,714! 580,714! 584,700 608,686 614,620")
    canvas.model(far_leg, UMBER, rim=AMBER, light=_LAMP, edge=5)
    body = outline(
        "664,366! 634,430 622,510 634,590 642,672 612,704 608,722! 716,722! 708,690 710,640 722,596! "
        "744,640 752,690 760,722! 900,722! 938,672 946,600 924,510 876,440 812,390 760,350!"
    )
    canvas.model(body, CORAL, shade=BRICK, rim=LANTERN, light=_LAMP, depth=64, edge=7)
    with canvas.inside(body):
        sock = outline("590,612! 640,640 668,608! 690,646 730,606! 740,740! 590,740!")
        canvas.model(sock, UMBER, rim=AMBER, light=_LAMP, edge=4)
        bib = outline(
            "600,360! 612,470! 636,510! 632,556! 668,556 672,604! 700,556 716,566! 726,510 748,506! 752,450 "
            "790,420! 800,360!"
        )
        canvas.model(bib, CREAM, shade=APRICOT, light=_LAMP, depth=34)
        with canvas.inside(bib):
            canvas.fill(outline("560,360! 600,424 650,462 700,470 750,452 800,400!"), APRICOT)
    canvas.fill(ribbon("762,676 752,612 784,552 846,530", 2, 7, 7, 2), UMBER, 0.75)
    hind_foot = outline("724,722! 724,706 746,692 790,690 846,704 872,722!")
    canvas.model(hind_foot, UMBER, rim=AMBER, light=(-0.6, -0.8), edge=4)
    for x in (634, 658, 748, 772):
        canvas.fill(ribbon([(x, 706), (x - 2, 720)], 3), NIGHT)


def _fox_head(canvas: Canvas) -> None:
    """Drawn upright about x = 700, then tilted towards the lamp as one piece."""

    def tilt(shape: Shape) -> Shape:
        return shape.scaled(0.84, 0.84, (700, 450)).turned(-7, (700, 450)).moved(4, -26)

    half = outline(
        "698,204! 724,206 748,212! 770,140 806,84! 838,150 838,238! 846,292 858,330 892,376! 846,392 "
        "852,414! 790,424 740,462 698,486!"
    )
    head = both_sides(half, 700)
    canvas.model(tilt(head), CORAL, shade=BRICK, rim=LANTERN, light=(-1, 0.05), depth=44, edge=7)
    with canvas.inside(tilt(head)):
        tip = outline("776,150! 800,128 830,150! 850,60! 770,60!")
        canvas.fill(tilt(both_sides(tip, 700)), UMBER)
        ear = outline("766,214! 780,158 804,120! 822,166 820,228!")
        canvas.fill(tilt(both_sides(ear, 700)), UMBER)
        tuft = outline("772,222! 778,184 794,162! 796,194 808,190! 812,232!")
        canvas.fill(tilt(both_sides(tuft, 700)), BLUSH)
        cheek = outline("698,424! 718,408 734,372 776,350 840,356 900,350! 900,480! 698,500!")
        canvas.fill(tilt(both_sides(cheek, 700)), CREAM)
        canvas.fill(tilt(outline("758,470! 800,420 832,360! 910,340! 900,500!")), APRICOT)
        blaze = outline("698,300! 700,300! 716,340 718,392 730,420 698,440!")
        canvas.fill(tilt(both_sides(blaze, 700)), AMBER, 0.55)
        muzzle = outline("698,470! 716,464 738,470! 698,500!")
        canvas.fill(tilt(both_sides(muzzle, 700)), PEACH)
    eye = outline("732,330! 752,306 782,300 800,306! 790,328 760,340")
    canvas.fill(tilt(both_sides(eye, 700)), UMBER)
    for x in (634, 766):
        canvas.fill(tilt(oval(x, 321, 13, 13)), LANTERN)
        canvas.fill(tilt(oval(x, 321, 6, 12)), NIGHT)
        canvas.fill(tilt(disc(x - 5, 315, 4)), CREAM)
    canvas.fill(tilt(outline("676,432! 700,424 724,432! 718,450 700,462 682,450")), NIGHT)
    canvas.fill(tilt(oval(692, 436, 8, 4)), HAZE)


@picture(NIGHT)
def night_owl(canvas: Canvas) -> None:
    """The owl on the last mooring post, with the moon behind."""
    halo_sky(canvas, 740, 330, (620, 500, 400), (INDIGO, DUSK, HAZE))
    stars(canvas, 64, (10, 10, 1340, 480), CREAM, 0.85)
    moon(canvas, 740, 330, 300)
    for x, y, width, ink in ((1060, 452, 460, DUSK), (270, 386, 320, DUSK), (480, 160, 210, INDIGO)):
        canvas.fill(streak(x, y, width, 17), ink, 0.9)
    canvas.fill(ridge("-10,566 130,530 300,560 470,590 640,600", 700), INDIGO)
    town(canvas, 40, 576, 40, INDIGO, houses=8)
    canvas.fill(wave(600, 2, 320), TEAL)
    glitter(canvas, 740, 610, 830, 620, CREAM, 15, 0.85)
    canvas.fill(wave(676, 6, 380, 140), ABYSS, 0.6)
    sailboat(canvas, 1130, 652, 150, NIGHT, HAZE)
    canvas.fill(chop(788, 18, 200, 60), NIGHT)
    _owl_post(canvas)
    _owl_body(canvas)
    _owl_face(canvas)


def _owl_post(canvas: Canvas) -> None:
    post(canvas, 740, 690, 870, 190, wood=UMBER, light=APRICOT, toward=1.0)
    for x, width in ((690, 5), (730, 4), (776, 6), (806, 4)):
        canvas.fill(ribbon([(x, 716), (x + 4, 780), (x - 2, 850)], 1, width, 2), NIGHT, 0.7)
    for y in (764, 786, 808):
        coil = outline(
            f"632,{y - 10}! 740,{y + 8} 848,{y - 10}! 856,{y + 2} 848,{y + 13}! 740,{y + 31} 632,{y + 13}! 624,{y + 2}"
        )
        canvas.model(coil, PEACH, shade=MAUVE, light=(1, -0.6), depth=9)


def _owl_body(canvas: Canvas) -> None:
    half = outline(
        "738,196! 790,190 836,164 872,106! 880,170 894,228 902,300 930,380 944,480 904,580 848,652 796,690 738,702!"
    )
    body = both_sides(half, 740)
    canvas.model(body, UMBER, rim=APRICOT, light=(1, -0.3), edge=7)
    with canvas.inside(body):
        canvas.fill(oval(740, 560, 150, 196), APRICOT)
        canvas.fill(oval(700, 560, 150, 210) - oval(770, 560, 160, 220), ROSE, 0.8)
        _breast(canvas)
    wing = outline("892,330! 930,390 962,500 950,600 880,706! 846,668 824,610 824,530 844,446 866,380")
    canvas.model(wing.mirrored(740), PLUM, shade=NIGHT, light=(1, -0.3), depth=36)
    canvas.model(wing, PLUM, rim=APRICOT, light=(1, -0.3), edge=7)
    for reach in (0, 1, 2):
        feather = ribbon(
            [(872 + reach * 22, 470 + reach * 6), (884 + reach * 20, 540), (858 + reach * 20, 640)], 3, 8, 2
        )
        canvas.fill(both_sides(feather, 740), NIGHT, 0.7)
    for x in (684, 796):
        for toe in (-26, 0, 26):
            canvas.model(
                outline(
                    f"{x + toe - 11},682! {x + toe},668 {x + toe + 11},682! {x + toe + 10},708 "
                    f"{x + toe},722 {x + toe - 10},708"
                ),
                AMBER,
                shade=BRICK,
                light=(1, -0.3),
                depth=8,
            )
            canvas.fill(outline(f"{x + toe - 6},712! {x + toe + 6},712! {x + toe},740!"), CREAM)


def _breast(canvas: Canvas) -> None:
    """Rows of scalloped feathers, each row set between the last."""
    for row in range(6):
        y = 450 + row * 42
        for column in range(-4, 5):
            x = 740 + column * 46 + row % 2 * 23
            canvas.fill(
                outline(f"{x - 17},{y}! {x},{y + 10} {x + 17},{y}! {x + 10},{y + 22} {x},{y + 31} {x - 10},{y + 22}"),
                BRICK,
                0.85,
            )


def _owl_face(canvas: Canvas) -> None:
    for side in (-1, 1):
        with canvas.inside(box(440 if side < 0 else 740, 180, 300, 260)):
            _owl_eye(canvas, 740 + side * 72)
    brow = outline("738,330! 742,286 790,236 840,214 872,110! 850,158 800,186 738,194!")
    canvas.fill(both_sides(brow, 740), UMBER)
    canvas.fill(both_sides(outline("750,284! 792,238 838,214! 796,226 758,256"), 740), BRICK)
    canvas.model(
        outline("740,326! 764,346 758,384 740,416! 722,384 716,346"), LANTERN, shade=AMBER, light=(1, -0.3), depth=18
    )
    for x in (732, 748):
        canvas.fill(oval(x, 352, 2.5, 5), UMBER)


def _owl_eye(canvas: Canvas, x: float) -> None:
    """One eye in its dish of feathers."""
    canvas.fill(disc(x, 312, 98), BRICK)
    canvas.fill(disc(x, 312, 86), PEACH)
    canvas.fill(disc(x, 312, 86) - disc(x + 14, 306, 86), BLUSH)
    for angle in range(0, 360, 24):
        canvas.fill(lens(x + 66, 312, 26, 5).turned(angle, (x, 312)), ROSE, 0.8)
    canvas.fill(disc(x, 312, 54), NIGHT)
    canvas.fill(disc(x, 312, 48), AMBER)
    canvas.fill(disc(x, 312, 48) - disc(x - 6, 326, 52), BRICK, 0.6)
    canvas.fill(disc(x + 2, 316, 38), LANTERN)
    canvas.fill(disc(x, 314, 27), NIGHT)
    canvas.fill(disc(x + 14, 298, 10), CREAM)
    canvas.fill(disc(x - 12, 326, 5), HAZE)


@picture(ABYSS)
def snail_courier(canvas: Canvas) -> None:
    """The night mail, somewhere along the sea wall."""
    halo_sky(canvas, 470, 560, (1060, 860, 680, 500, 340, 210), (TEAL, SEA, SPRAY, FOAM, PEACH, CREAM), 0.84)
    stars(canvas, 26, (700, 10, 1340, 230), CREAM, 0.8)
    for x, y, width, ink in ((1130, 330, 360, SPRAY), (190, 400, 330, FOAM)):
        canvas.fill(streak(x, y, width), ink, 0.8)
    canvas.fill(ridge("-10,570 140,520 300,560 470,600 650,606", 700), SEA)
    canvas.fill(ridge("560,610 800,560 1010,500 1190,470 1370,490", 740), TEAL)
    town(canvas, 1050, 506, 44, TEAL, houses=7)
    canvas.fill(wave(606, 2, 300), SEA)
    canvas.fill(ridge("560,660 760,620 1000,590 1180,596 1370,560", 740), ABYSS)
    _sea_wall(canvas)
    _lamp_pole(canvas)
    _snail_body(canvas)
    _snail_shell(canvas)
    _post_bag(canvas)


def _sea_wall(canvas: Canvas) -> None:
    canvas.fill(box(-10, 706, 1370, 150), NIGHT)
    for row, y in enumerate((728, 786)):
        for column in range(9):
            stone = box(-130 + column * 176 + row * 82, y, 166, 50, 12)
            canvas.model(stone, INDIGO, rim=DUSK, light=(-0.5, -1), edge=4)
    canvas.model(box(-10, 696, 1370, 30, 4), TEAL, rim=SPRAY, light=(0, -1), edge=6)
    for x, height, lean in ((1196, 90, -20), (1226, 120, 8), (1258, 84, 28), (1290, 60, 34), (1150, 56, -26)):
        canvas.fill(
            outline(
                f"{x - 9},706! {x - 4 + lean * 0.3},{706 - height * 0.5} {x + lean},{706 - height}! "
                f"{x + 8 + lean * 0.3},{706 - height * 0.45} {x + 9},706!"
            ),
            SEA,
        )


def _snail_body(canvas: Canvas) -> None:
    for spine in ("362,450 340,380 306,306", "404,440 410,366 398,290"):
        canvas.fill(ribbon(spine, 26, 18, 14), MAUVE if spine.startswith("404") else ROSE)
    canvas.fill(ribbon("330,506 300,520 276,516", 15, 11, 8), ROSE)
    for x, y in ((304, 298), (398, 282)):
        canvas.fill(disc(x, y, 22), PEACH)
        canvas.fill(disc(x - 5, y + 2, 12), NIGHT)
        canvas.fill(disc(x - 9, y - 3, 4.5), CREAM)
    body = outline(
        "1120,702! 1040,676 960,640 860,610 700,606 590,612 520,580 476,510 440,450 396,424 350,432 318,470 "
        "316,520 346,556 378,600 384,650 352,690! 340,706! 1110,706!"
    )
    canvas.model(body, BLUSH, shade=ROSE, rim=PEACH, light=(-0.7, -0.7), depth=34, edge=7)
    with canvas.inside(body):
        skirt = outline("330,720! 352,680 420,664 520,676 640,664 780,678 920,668 1040,688 1130,700! 1130,720!")
        canvas.fill(skirt, MAUVE)
        for x in range(400, 1080, 44):
            canvas.fill(ribbon([(x, 684), (x - 10, 706)], 3, 5), PLUM, 0.6)
        for x, y, size in ((470, 560, 9), (500, 610, 7), (452, 600, 6), (980, 664, 6), (930, 646, 8)):
            canvas.fill(oval(x, y, size, size * 0.7), ROSE)
        canvas.fill(ribbon("350,610 430,606 500,572 600,500", 18), UMBER)
        canvas.fill(ribbon("350,606 430,602 500,568 600,496", 5), AMBER)
    canvas.fill(ribbon("322,528 340,536 356,530", 3, 4.5, 3), PLUM)
    canvas.fill(oval(368, 508, 17, 10), CORAL, 0.55)


def _snail_shell(canvas: Canvas) -> None:
    shell = outline(
        "560,600! 540,500 572,380 660,280 790,236 920,268 1006,370 1016,490 960,590 860,640 720,644 620,640"
    )
    canvas.model(shell, CORAL, shade=BRICK, light=(-0.7, -0.7), depth=60)
    with canvas.inside(shell):
        canvas.fill(ribbon(spiral(800, 450, 262, -2.67, 165, 0.07), 84, 70, 56, 40, 30, 20, 14, 10), AMBER)
        canvas.fill(ribbon(spiral(800, 450, 284, -2.67, 165, 0.07), 34, 28, 22, 16, 12, 8, 6, 4), LANTERN)
        canvas.fill(ribbon(spiral(800, 450, 216, -2.67, 165, 0.07), 11, 10, 9, 8, 7, 6, 5, 4), UMBER)
        canvas.fill(shell - shell.moved(-70, -74), PLUM, 0.4)
        canvas.fill(shell - shell.moved(9, 10), CREAM, 0.9)
    canvas.model(
        outline("560,600! 536,500 566,384! 584,392! 566,500 600,616 640,652! 600,648"),
        PEACH,
        shade=APRICOT,
        light=(-1, 0),
        depth=12,
    )


def _post_bag(canvas: Canvas) -> None:
    letter = box(452, 556, 96, 80, 3).turned(-10)
    canvas.model(letter, CREAM, shade=PEACH, light=(-1, -1), depth=10)
    flap = polygon("456,566 548,550 510,606")
    canvas.fill(flap, PEACH)
    canvas.fill(disc(508, 592, 12), CORAL)
    canvas.fill(box(534, 566, 56, 70, 3).turned(8), FOAM)
    bag = outline("430,604! 612,604! 622,690 606,712! 436,712! 420,690")
    canvas.model(bag, BRICK, shade=UMBER, rim=APRICOT, light=(-1, -0.7), depth=22, edge=5)
    cover = outline("426,600! 616,600! 612,640 574,664 522,672 470,664 430,640")
    canvas.model(cover, AMBER, shade=BRICK, rim=PEACH, light=(-0.5, -1), depth=14, edge=5)
    canvas.fill(box(508, 652, 28, 34, 6), LANTERN)
    canvas.fill(box(517, 664, 10, 12, 3), UMBER)


def _lamp_pole(canvas: Canvas) -> None:
    canvas.fill(ribbon("690,330 640,220 570,150 510,146 486,176", 14, 12, 10, 8, 7), UMBER)
    lantern(canvas, 486, 306, 120, reach=1.7)
