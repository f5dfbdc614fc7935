"""The dunes behind the town, at the height of a hedgehog."""

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
    LANTERN,
    NIGHT,
    PEACH,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Shape,
    box,
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
    stations,
    streak,
    town,
    wave,
)

_GOLDEN = (-0.85, -0.5)  # the sun is low, on the left


@picture(AMBER)
def hedgehog_knight(canvas: Canvas) -> None:
    """Sir Hedgehog holds the dune: one needle, one bottle cap, no fear."""
    halo_sky(
        canvas,
        210,
        580,
        (1120, 890, 440, 330, 230, 140),
        (mix(AMBER, LANTERN), LANTERN, mix(LANTERN, PEACH), PEACH, mix(PEACH, CREAM), CREAM),
        0.94,
    )
    for x, y, width, ink in ((1150, 200, 340, AMBER), (240, 300, 300, AMBER), (1220, 330, 240, AMBER)):
        canvas.fill(streak(x, y, width), ink, 0.8)
    canvas.fill(ridge("-10,566 120,544 260,556 420,590 540,606", 700), SEA)
    town(canvas, 30, 556, 34, SEA, houses=8)
    canvas.fill(wave(600, 2, 320), TEAL)
    glitter(canvas, 300, 606, 690, 330, PEACH, 8, 0.9)
    _dunes(canvas)
    _mushroom_house(canvas)
    _spines(canvas)
    _hedgehog_body(canvas)
    _plume(canvas)
    _hedgehog_head(canvas)
    _helmet(canvas)
    _needle(canvas)
    _bottle_cap(canvas)
    _grass(canvas)


def _dunes(canvas: Canvas) -> None:
    canvas.model(ridge("600,740 700,660 900,600 1120,590 1370,560"), SEA, rim=LANTERN, light=(-0.3, -1), edge=6)
    canvas.model(ridge("-10,700 180,684 420,704 690,700 960,708 1370,676"), TEAL, rim=SPRAY, light=(-0.2, -1), edge=6)
    canvas.fill(oval(850, 724, 290, 22), ABYSS)


def _mushroom_house(canvas: Canvas) -> None:
    """Somebody is at home."""
    stalk = outline("1110,700! 1126,620 1122,560! 1214,560! 1212,620 1232,700!")
    canvas.model(stalk, CREAM, shade=APRICOT, rim=CREAM, light=_GOLDEN, depth=34, edge=5)
    canvas.fill(box(1180, 430, 18, 40), UMBER)
    cap = outline("1040,570! 1052,500 1110,450 1176,440 1244,462 1292,516 1300,574! 1240,586 1170,590 1100,586")
    canvas.model(cap, CORAL, shade=BRICK, rim=PEACH, light=_GOLDEN, depth=40, edge=7)
    with canvas.inside(cap):
        for x, y, size in ((1110, 510, 20), (1168, 474, 15), (1190, 540, 24), (1250, 510, 16), (1076, 556, 13)):
            canvas.fill(oval(x, y, size, size * 0.8), CREAM)
    canvas.fill(box(1180, 640, 34, 62, 16), UMBER)
    canvas.fill(disc(1188, 674, 3), LANTERN)
    canvas.fill(disc(1148, 636, 21), UMBER)
    canvas.fill(disc(1148, 636, 16), LANTERN)
    canvas.fill(joined(box(1146, 620, 4, 32), box(1132, 634, 32, 4)), UMBER)


def _quills(count: int, inner: float, outer: float, first: float, last: float) -> Shape:
    """A fan of spines about (790, 480), from one heading round to another; the reach is a share of the body."""
    points = [(700.0, 420.0)]
    for step in range(count * 2 + 1):
        angle = math.radians(first + (last - first) * (step - 0.35 * (step % 2)) / (count * 2))
        reach = outer if step % 2 else inner
        points.append((784 + 236 * reach * math.cos(angle), 486 + 268 * reach * math.sin(angle)))
    return polygon([*points, (700, 690)])


def _spines(canvas: Canvas) -> None:
    canvas.model(_quills(19, 0.84, 1.06, -128, 66), UMBER, rim=LANTERN, light=(-0.6, -0.9), edge=5)
    canvas.fill(_quills(17, 0.68, 0.88, -124, 62), BRICK)
    canvas.fill(_quills(15, 0.52, 0.72, -120, 68), UMBER)
    canvas.fill(_quills(12, 0.36, 0.56, -116, 64), BRICK)
    for reach, count in ((0.92, 17), (0.74, 15), (0.57, 12)):
        for step in range(count):
            angle = -118 + 184 * (step + 0.3) / count
            x = 784 + 236 * reach * math.cos(math.radians(angle))
            y = 486 + 268 * reach * math.sin(math.radians(angle))
            canvas.fill(polygon([(x - 18, y - 3), (x - 18, y + 3), (x + 10, y)]).turned(angle - 8, (x, y)), APRICOT)


def _hedgehog_body(canvas: Canvas) -> None:
    for x in (668, 800):
        foot = outline(f"{x + 50},676! {x + 62},712 {x + 50},726! {x - 62},726! {x - 74},712 {x - 50},694 {x - 10},680")
        canvas.model(foot, BLUSH, shade=BRICK, rim=PEACH, light=_GOLDEN, depth=14, edge=5)
        for toe in (-50, -30, -10):
            canvas.fill(ribbon([(x + toe, 712), (x + toe - 2, 726)], 3), UMBER)
    body = outline("650,430! 610,500 592,580 606,656 656,700 744,712 826,700 876,640 880,560 856,470 800,420!")
    canvas.model(body, APRICOT, shade=BLUSH, rim=CREAM, light=_GOLDEN, depth=40, edge=7)
    coat = outline(
        "640,446! 720,470 800,462 858,448! 884,540 894,652! 856,640 836,664 800,650 772,674 736,656 700,676 "
        "668,654 630,668 590,640! 596,560 612,500"
    )
    canvas.model(coat, SEA, shade=TEAL, rim=SPRAY, light=_GOLDEN, depth=44, edge=7)
    with canvas.inside(coat):
        canvas.fill(
            outline("584,622! 640,640 720,646 800,640 900,626! 900,640! 800,656 720,662 640,656 584,638!"), LANTERN
        )
        canvas.fill(outline("590,556! 700,580 800,576 890,552! 890,578! 800,602 700,606 590,582!"), UMBER)
    canvas.model(box(690, 572, 44, 38, 6), LANTERN, shade=AMBER, rim=CREAM, light=_GOLDEN, depth=8, edge=4)


def _plume(canvas: Canvas) -> None:
    plume = outline(
        "706,208! 700,150 740,100 810,78 880,92 930,134 948,190! 916,168 900,178! 886,152 862,164! 840,144 "
        "820,168! 792,162 774,186! 756,190 744,214!"
    )
    canvas.model(plume, CORAL, shade=BRICK, rim=PEACH, light=_GOLDEN, depth=26, edge=6)
    canvas.fill(ribbon("726,200 760,130 840,112 920,156", 3, 6, 5, 2), BRICK)


def _hedgehog_head(canvas: Canvas) -> None:
    head = outline(
        "640,280! 606,320 560,356 512,376 492,396! 514,422 566,440 622,462 690,476 752,462 800,420 816,350 780,280!"
    )
    canvas.model(head, APRICOT, shade=BLUSH, rim=CREAM, light=_GOLDEN, depth=30, edge=7)
    with canvas.inside(head):
        canvas.fill(outline("480,404! 540,396 590,404 640,430 700,440 760,400 830,400! 830,500! 480,500!"), PEACH)
        canvas.fill(head - head.moved(-10, -22), BLUSH)
        canvas.fill(oval(672, 420, 26, 17), CORAL, 0.55)
    canvas.fill(ribbon("520,420 560,428 600,420 616,404", 3, 5, 5, 2), UMBER)
    canvas.fill(oval(502, 388, 22, 19), NIGHT)
    canvas.fill(oval(495, 381, 7, 4.5), HAZE)
    canvas.fill(oval(626, 366, 27, 30), UMBER)
    canvas.fill(oval(625, 367, 22, 25), LANTERN)
    canvas.fill(oval(621, 369, 14, 18), NIGHT)
    canvas.fill(disc(628, 359, 6), CREAM)
    canvas.fill(ribbon("592,346 616,322 652,334", 3, 9, 4), UMBER)
    canvas.model(disc(764, 374, 42), BRICK, shade=UMBER, rim=PEACH, light=_GOLDEN, depth=12, edge=5)
    canvas.fill(oval(760, 380, 25, 27), BLUSH)


def _helmet(canvas: Canvas) -> None:
    dome = outline("604,330! 604,268 644,212 710,190 776,204 824,256 836,340! 810,346 780,326! 720,312 660,316")
    canvas.model(dome, HAZE, shade=DUSK, rim=CREAM, light=_GOLDEN, depth=44, edge=7)
    with canvas.inside(dome):
        canvas.fill(outline("650,300! 644,250 676,214! 694,210 672,256 676,300!"), FOAM)
        canvas.fill(ribbon("712,186 742,250 748,330", 9), DUSK)
    brim = ribbon("598,330 660,314 720,310 784,324 838,350", 20)
    canvas.model(brim, LANTERN, shade=AMBER, rim=CREAM, light=(-0.3, -1), depth=8, edge=4)
    for x, y, _ in stations("598,330 660,314 720,310 784,324 838,350", 8, 0.05, 0.95):
        canvas.fill(disc(x, y, 4), UMBER)
    visor = outline("586,296! 570,250 590,212 640,196! 676,220 684,262! 640,262 610,276")
    canvas.model(visor, HAZE, shade=DUSK, rim=CREAM, light=_GOLDEN, depth=20, edge=6)
    for slit in ("598,262 620,244 652,236", "592,242 612,226 640,218"):
        canvas.fill(ribbon(slit, 6), NIGHT)
    canvas.model(disc(672, 250, 13), LANTERN, shade=AMBER, rim=CREAM, light=_GOLDEN, depth=6, edge=3)


def _needle(canvas: Canvas) -> None:
    """A darning needle, a coat button for a guard, and the thread still in its eye."""
    canvas.fill(ribbon("576,664 536,696 470,676 420,706 360,690", 5, 5, 4, 3), CORAL)
    blade = polygon("376,180 394,216 584,656 588,686 572,688 564,662 379,222")
    canvas.model(blade, FOAM, shade=HAZE, rim=CREAM, light=(-1, 0.1), depth=7, edge=4)
    canvas.fill(oval(577, 664, 4, 13).turned(-20), UMBER)
    canvas.model(oval(516, 514, 50, 19).turned(-23), CORAL, shade=BRICK, rim=PEACH, light=_GOLDEN, depth=8, edge=5)
    arm = outline("660,474! 610,482 552,514 512,540 502,578 524,602 566,594 630,566 684,526")
    canvas.model(arm, APRICOT, shade=BLUSH, rim=CREAM, light=_GOLDEN, depth=18, edge=6)
    for finger in ("510,560 532,548 554,552", "516,578 538,566 560,571", "526,594 546,583 566,587"):
        canvas.fill(ribbon(finger, 16, 15, 13), PEACH)
        canvas.fill(ribbon(finger, 2), BRICK, 0.6)


def _bottle_cap(canvas: Canvas) -> None:
    x, y = 850, 560
    crimps = joined(disc(x, y, 96), *(disc(x + 96, y, 15).turned(turn, (x, y)) for turn in range(0, 360, 18)))
    canvas.fill(crimps.moved(10, 8), UMBER)
    canvas.model(crimps, CORAL, shade=BRICK, rim=PEACH, light=_GOLDEN, depth=24, edge=7)
    canvas.fill(disc(x, y, 78), CREAM)
    canvas.fill(disc(x, y, 78) - disc(x - 16, y - 10, 78), APRICOT)
    canvas.fill(disc(x, y, 66) - disc(x, y, 61), BRICK)
    flukes = ribbon(
        [(x - 44, y + 12), (x - 30, y + 38), (x, y + 48), (x + 30, y + 38), (x + 44, y + 12)], 4, 12, 14, 12, 4
    )
    ring = disc(x, y - 42, 13) - disc(x, y - 42, 6)
    canvas.fill(joined(box(x - 6, y - 34, 12, 78), box(x - 28, y - 18, 56, 10, 4), ring, flukes), SEA)
    canvas.fill(ribbon([(x - 66, y - 28), (x - 44, y - 56), (x - 8, y - 71)], 2, 7, 2), CREAM)


def _grass(canvas: Canvas) -> None:
    canvas.fill(ridge("-10,812 240,800 520,826 860,828 1120,806 1370,786"), ABYSS)
    for x, height, lean in (
        (40, 210, 30),
        (84, 290, -18),
        (130, 170, 40),
        (186, 120, -30),
        (1150, 110, -34),
        (1236, 150, 24),
        (1290, 230, -26),
        (1330, 170, -40),
        (400, 90, 24),
        (990, 80, -20),
    ):
        canvas.fill(
            outline(
                f"{x - 13},850! {x - 5 + lean * 0.3},{850 - height * 0.5} {x + lean},{850 - height}! "
                f"{x + 10 + lean * 0.3},{850 - height * 0.45} {x + 13},850!"
            ),
            ABYSS,
        )
    for x, y, size in ((260, 560, 34), (200, 640, 24)):
        canvas.fill(ribbon([(x, y), (x + 8, y + 120), (x - 10, 850)], 5, 6, 8), ABYSS)
        for turn in range(0, 360, 30):
            canvas.fill(box(x - 1.2, y - size, 2.4, size).turned(turn, (x, y)), CREAM)
            canvas.fill(disc(x, y - size, 4).turned(turn, (x, y)), CREAM)
        canvas.fill(disc(x, y, 6), UMBER)
    canvas.fill(oval(1282, 700, 17, 13), CORAL)
    canvas.fill(joined(disc(1266, 702, 8), box(1281, 688, 3, 24), disc(1289, 698, 3), disc(1276, 706, 3)), NIGHT)
