"""Light, weather and air over the coast."""

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
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    beam,
    box,
    chop,
    cloud,
    cottage,
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
    outline,
    oval,
    picture,
    polygon,
    rain,
    ribbon,
    ridge,
    sailboat,
    spark,
    stars,
    streak,
    town,
    wave,
)

_SUN = (-1.0, -0.25)  # the lighthouse is lit from the left, low


@picture(INDIGO)
def lighthouse(canvas: Canvas) -> None:
    """An old lighthouse on its rock at dusk, the lamp just lit."""
    halo_sky(
        canvas, 380, 640, (1010, 830, 670, 530, 400, 285, 180), (PLUM, MAUVE, ROSE, BLUSH, APRICOT, PEACH, CREAM), 0.92
    )
    stars(canvas, 40, (620, 10, 1340, 200), CREAM, 0.8)
    for x, y, width, ink in (
        (210, 330, 380, ROSE),
        (560, 420, 300, BLUSH),
        (1180, 330, 420, MAUVE),
        (120, 500, 240, APRICOT),
    ):
        canvas.fill(streak(x, y, width), ink, 0.75)
    for degrees, length in ((180, 1100), (-6, 700)):
        canvas.lighten(beam(872, 206, degrees, length, 16), LANTERN, 0.3)
        canvas.lighten(beam(872, 206, degrees, length, 8), LANTERN, 0.4)
    canvas.glow(872, 206, 180, LANTERN, 0.2)
    canvas.fill(ridge("-10,600 90,574 190,590 300,566 420,604 520,630 620,640", 700), MAUVE)
    canvas.fill(ridge("900,640 1020,600 1130,612 1240,570 1370,584", 700), INDIGO)
    _evening_sea(canvas)
    _rock(canvas)
    _tower(canvas)
    for x, y, span, tilt in ((560, 300, 60, -8), (640, 352, 42, 6), (505, 366, 32, -4)):
        canvas.fill(gull(x, y, span, tilt), UMBER)


def _evening_sea(canvas: Canvas) -> None:
    canvas.fill(wave(640, 2, 300), ROSE)
    canvas.fill(wave(668, 4, 340, 60), MAUVE)
    glitter(canvas, 380, 648, 800, 330, PEACH, 13)
    canvas.fill(wave(716, 7, 420, 200), PLUM, 0.8)
    glitter(canvas, 380, 716, 820, 330, APRICOT, 8, 0.8)
    canvas.fill(chop(782, 16, 150, 40), INDIGO)


def _rock(canvas: Canvas) -> None:
    """The rock in three planes: lit face, body and the shadowed side away from the sun."""
    body = outline(
        "560,850! 590,770 640,748! 668,706 716,694! 738,654 790,636! 960,632! 1006,660! 1060,664 1098,712! "
        "1160,724 1196,776! 1260,790 1290,850!"
    )
    canvas.model(body, UMBER, rim=BLUSH, light=(-0.8, -0.7), edge=7)
    with canvas.inside(body):
        canvas.fill(polygon("960,632 1006,660 984,716 1040,742 1010,860 1300,860 1300,600"), NIGHT, 0.75)
        for facet in (
            "640,748 668,706 716,694 700,742 652,786",
            "738,654 790,636 846,640 812,690 756,700",
            "716,694 756,700 744,760 700,742",
            "590,770 640,748 652,786 618,850 560,850",
        ):
            canvas.fill(polygon(facet), BRICK, 0.75)
        for facet in ("812,690 846,640 930,650 900,740", "744,760 812,690 840,780 790,850 720,850"):
            canvas.fill(polygon(facet), PLUM, 0.7)
    for step in range(6):
        canvas.fill(box(838 - step * 18, 652 + step * 17, 44, 7, 2), BLUSH, 0.9 - step * 0.08)
    canvas.fill(chop(806, 18, 120, 20), INDIGO)
    canvas.fill(chop(826, 14, 190, 90), NIGHT)
    canvas.fill(ribbon("548,812 610,794 660,808 730,792 800,808", 3, 8, 4, 9, 2), PEACH, 0.9)
    canvas.fill(ribbon("900,810 980,796 1040,810 1130,798 1250,814", 2, 7, 4, 8, 2), HAZE, 0.9)


def _tower(canvas: Canvas) -> None:
    """The tower, its gallery and lantern room, and the keeper's cottage."""
    _keepers_cottage(canvas)
    tower = outline("822,262! 812,400 794,540 772,646! 876,652 976,646! 952,540 932,400 922,262!")
    canvas.fill(tower, CREAM)
    with canvas.inside(tower):
        for y, height in ((318, 74), (462, 80), (604, 80)):
            canvas.fill(
                outline(f"740,{y}! 872,{y + 14} 1000,{y}! 1000,{y + height}! 872,{y + height + 16} 740,{y + height}!"),
                CORAL,
            )
        canvas.fill(tower.moved(84, 0), PLUM, 0.34)
        canvas.fill(tower.moved(122, 0), PLUM, 0.4)
        canvas.fill(tower - tower.moved(9, 0), PEACH, 0.9)
        canvas.fill(box(780, 262, 180, 16), PLUM, 0.5)
    for x, y in ((858, 418), (884, 556)):
        canvas.fill(box(x - 13, y - 22, 26, 46, 13), UMBER)
        canvas.fill(box(x - 8, y - 17, 16, 38, 8), LANTERN)
    canvas.fill(box(846, 582, 44, 68, 22), UMBER)
    canvas.fill(box(852, 588, 32, 62, 16), BRICK)
    canvas.fill(disc(878, 622, 3), LANTERN)
    gallery = polygon("806,262 800,246 944,246 938,262 918,276 826,276")
    canvas.model(gallery, UMBER, rim=PEACH, light=_SUN, edge=6)
    _lantern_room(canvas)
    for post_x in range(804, 945, 20):
        canvas.fill(box(post_x - 2, 212, 4, 36), UMBER)
    canvas.fill(box(798, 210, 148, 5, 2), UMBER)
    canvas.fill(box(800, 228, 144, 3), UMBER)


def _lantern_room(canvas: Canvas) -> None:
    room = box(836, 164, 72, 84)
    canvas.fill(room, AMBER)
    with canvas.inside(room):
        canvas.fill(disc(872, 212, 48), LANTERN)
        canvas.fill(oval(872, 212, 22, 32), CREAM)
    for x in (836, 858, 884, 906):
        canvas.fill(box(x - 2, 164, 5, 84), UMBER)
    dome = outline("826,168! 836,140 858,122 872,118 886,122 908,140 918,168!")
    canvas.fill(joined(box(870, 78, 4, 40), disc(872, 108, 9)), UMBER)
    canvas.model(dome, BRICK, shade=UMBER, rim=BLUSH, light=(-0.9, -0.3), depth=34, edge=5)
    canvas.fill(box(824, 162, 96, 9, 3), UMBER)


def _keepers_cottage(canvas: Canvas) -> None:
    canvas.fill(box(1012, 596, 12, 40), BRICK)
    cottage(canvas, 950, 668, 110, 92, PEACH, lit=(), chimney=False)
    canvas.fill(polygon("938,618 1005,572 1072,618"), BRICK)
    canvas.fill(polygon("1005,572 1072,618 1034,618"), UMBER, 0.6)
    canvas.fill(box(1030, 618, 30, 52), MAUVE, 0.5)
    canvas.fill(box(992, 630, 22, 24, 2), UMBER)
    canvas.fill(box(995, 633, 16, 18), LANTERN)


@picture(NIGHT)
def thunderclap(canvas: Canvas) -> None:
    """A bolt splits the sky above the bay."""
    halo_sky(canvas, 690, 330, (760, 600, 450, 320, 200), (INDIGO, PLUM, MAUVE, ROSE, BLUSH), 0.95)
    canvas.glow(690, 330, 300, APRICOT, 0.16, 3)
    _storm(
        canvas,
        (
            (-20, 60, 300, 190),
            (230, 90, 210, 170),
            (410, 40, 170, 140),
            (1010, 50, 190, 150),
            (1190, 110, 230, 180),
            (1380, 70, 180, 190),
        ),
        INDIGO,
        MAUVE,
        690,
    )
    rain(canvas, (0, 220, 560, 620), 46, HAZE, 0.28)
    rain(canvas, (860, 240, 1350, 620), 40, HAZE, 0.28)
    canvas.fill(ridge("-10,566 110,540 240,560 350,602 470,634 520,640", 700), INDIGO)
    town(canvas, 58, 574, 40, INDIGO, houses=7)
    canvas.fill(ridge("-10,596 120,578 300,584 380,616 520,646", 700), NIGHT)
    canvas.fill(ridge("900,642 1010,600 1120,560 1230,520 1370,500", 700), NIGHT)
    _stormy_bay(canvas)
    _bolt(canvas)
    _storm(
        canvas,
        (
            (60, -30, 330, 150),
            (380, -20, 210, 120),
            (590, -20, 170, 100),
            (880, -30, 170, 126),
            (1080, -10, 200, 120),
            (1330, -10, 220, 150),
        ),
        NIGHT,
        HAZE,
        690,
    )


def _storm(
    canvas: Canvas, billows: tuple[tuple[float, float, float, float], ...], ink: Colour, rim: Colour, light: float
) -> None:
    """A ceiling of cloud in two banks, left and right of the light, each rimmed on the side towards it."""
    for side in (1.0, -1.0):
        bank = joined(*(oval(*billow) for billow in billows if (billow[0] < light) == (side > 0)))
        canvas.model(bank, ink, rim=rim, light=(side, 0.8), edge=9)
    canvas.fill(joined(*(oval(*billow) for billow in billows)).moved(0, -20), ink)


def _stormy_bay(canvas: Canvas) -> None:
    canvas.fill(wave(638, 3, 320), TEAL)
    canvas.fill(oval(590, 650, 420, 34), SEA, 0.55)
    canvas.fill(oval(590, 650, 230, 20), SPRAY, 0.7)
    canvas.fill(wave(690, 9, 400, 120), ABYSS, 0.75)
    glitter(canvas, 590, 648, 826, 330, LANTERN, 13, 0.95)
    sailboat(canvas, 1010, 704, 118, NIGHT, HAZE)
    canvas.fill(chop(764, 20, 210, 30), ABYSS)
    canvas.fill(chop(806, 22, 260, 150), NIGHT)
    glitter(canvas, 590, 770, 830, 250, AMBER, 4, 0.8)


def _bolt(canvas: Canvas) -> None:
    main = polygon("742,20 622,262 700,252 578,462 648,452 582,664 762,392 690,402 826,194 744,206 856,20")
    forks = (
        polygon("628,254 566,330 588,330 500,452 604,322 584,322 650,262"),
        polygon("800,232 900,330 878,336 980,470 862,338 884,328 784,256"),
        polygon("586,456 520,520 536,522 462,590 552,516 536,512 604,458"),
        polygon("748,414 830,486 814,492 876,566 802,494 816,484 728,440"),
    )
    for fork in forks:
        canvas.fill(fork, PEACH)
    canvas.fill(main.scaled(1.16, 1.02, (690, 400)).moved(4, 6), AMBER)
    canvas.fill(main, LANTERN)
    with canvas.inside(main):
        canvas.fill(main.moved(-16, -10), CREAM)
    canvas.glow(582, 652, 130, LANTERN, 0.25)
    canvas.fill(spark(582, 652, 62, 0.14), CREAM)


@picture(PLUM)
def balloonist(canvas: Canvas) -> None:
    """A balloon hurries along the bright edge of a storm."""
    halo_sky(canvas, 1260, 640, (1240, 1010, 800, 560, 370, 230), (MAUVE, ROSE, BLUSH, APRICOT, PEACH, CREAM))
    _thunderheads(canvas)
    _envelope(canvas)
    _basket(canvas)
    for x, y, span, tilt in ((1090, 300, 64, -10), (1164, 262, 44, 8), (1210, 352, 34, 0)):
        canvas.fill(gull(x, y, span, tilt), PLUM)
    canvas.model(cloud(1290, 870, 560), BLUSH, rim=CREAM, light=(-0.1, -1), edge=8)
    canvas.model(cloud(1010, 930, 520), ROSE, rim=PEACH, light=(0.5, -1), edge=8)


def _thunderheads(canvas: Canvas) -> None:
    """The storm, heaped up on the left in four depths, every heap rimmed by the low sun on the right."""
    sun = (1.0, -0.35)
    canvas.model(
        joined(oval(470, 470, 190, 170), oval(330, 360, 190, 180), oval(570, 640, 170, 150), box(-20, 420, 560, 500)),
        MAUVE,
        rim=PEACH,
        light=sun,
        edge=9,
    )
    canvas.model(
        joined(oval(150, 330, 230, 200), oval(370, 520, 180, 160), oval(520, 680, 190, 150), box(-20, 400, 420, 500)),
        PLUM,
        rim=BLUSH,
        light=sun,
        edge=9,
    )
    rain(canvas, (20, 560, 480, 760), 26, HAZE, 0.35)
    canvas.model(
        joined(oval(30, 520, 210, 180), oval(220, 650, 170, 140), oval(400, 780, 190, 120), box(-20, 600, 300, 300)),
        INDIGO,
        rim=ROSE,
        light=sun,
        edge=8,
    )
    canvas.fill(polygon("190,470 140,560 172,556 128,650 214,536 182,540 222,470"), LANTERN)
    canvas.model(joined(oval(60, 780, 200, 130), oval(260, 850, 180, 100)), NIGHT, rim=MAUVE, light=sun, edge=7)


def _envelope(canvas: Canvas) -> None:
    """The gas-bag: gores are the silhouette itself, squeezed towards the seam in the middle."""
    bag = outline(
        "800,44 930,66 1024,150 1052,272 1010,392 920,486 856,548! 744,548! 680,486 590,392 548,272 576,150 670,66"
    )
    canvas.fill(bag, CORAL)
    with canvas.inside(bag):
        for share, ink in ((0.84, CREAM), (0.6, CORAL), (0.33, CREAM)):
            canvas.fill(bag.scaled(share, 1.0, (812, 300)), ink)
        canvas.fill(bag.scaled(0.1, 1.0, (816, 300)), CORAL)
        belt = outline("540,268! 800,318 1060,268! 1060,340! 800,394 540,340!")
        canvas.fill(belt, INDIGO)
        with canvas.inside(belt):
            for x, y in ((602, 324), (680, 342), (760, 352), (842, 352), (922, 342), (1000, 324)):
                canvas.fill(spark(x, y, 24, 0.34), LANTERN)
        canvas.fill(bag - bag.moved(64, 0), PLUM, 0.45)
        canvas.fill(bag - bag.moved(140, 0), PLUM, 0.3)
        canvas.fill(bag - bag.moved(-10, 4), LANTERN, 0.85)
    canvas.fill(outline("744,548! 800,560 856,548! 846,576! 800,586 754,576!"), BRICK)


def _basket(canvas: Canvas) -> None:
    for top, foot in ((748, 752), (772, 776), (828, 824), (852, 848)):
        canvas.fill(ribbon([(top, 566), (foot, 690)], 4), UMBER)
    canvas.glow(800, 606, 90, LANTERN, 0.2, 3)
    canvas.fill(outline("800,566! 814,592 800,606 786,592"), LANTERN)
    canvas.fill(outline("800,582! 807,594 800,604 793,594"), CREAM)
    _aeronaut(canvas)
    basket = outline("742,688! 858,688! 848,780 836,788! 764,788! 752,780")
    canvas.fill(basket, AMBER)
    with canvas.inside(basket):
        for row in range(5):
            for column in range(7):
                canvas.fill(box(740 + column * 20 + row % 2 * 10, 702 + row * 18, 12, 8, 3), BRICK, 0.75)
        canvas.fill(basket - basket.moved(34, 0), UMBER, 0.6)
        canvas.fill(basket - basket.moved(-5, 0), PEACH)
    canvas.fill(box(734, 680, 132, 16, 8), UMBER)
    for x in (756, 800, 844):
        canvas.model(
            outline(f"{x - 8},714! {x + 8},714! {x + 13},740 {x},754 {x - 13},740"),
            PEACH,
            shade=ROSE,
            light=(1, -0.4),
            depth=10,
        )


def _aeronaut(canvas: Canvas) -> None:
    """The pilot leans out with a spyglass, scarf flying from the storm."""
    canvas.fill(ribbon("790,652 764,646 742,656 716,644", 9, 10, 8, 4), CORAL)
    canvas.fill(outline("780,692! 780,658 792,648 812,650 820,664 822,692!"), INDIGO)
    canvas.fill(oval(804, 634, 14, 16), PEACH)
    canvas.fill(outline("788,634! 788,616 804,612 819,618 821,626! 806,627"), BRICK)
    canvas.fill(ribbon("806,664 828,664 838,642", 11, 10, 8), INDIGO)
    canvas.fill(polygon("816,628 862,616 865,626 818,637"), UMBER)
