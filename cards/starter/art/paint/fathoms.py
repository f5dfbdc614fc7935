"""Deeper than the kelp, where it is always evening."""

from .kit import (
    AMBER,
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
    SPRAY,
    UMBER,
    Canvas,
    Colour,
    beam,
    box,
    bubbles,
    disc,
    fish,
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
    spark,
    stations,
    weed,
)

_ABOVE = (-0.45, -1.0)


@picture(NIGHT)
def brass_submarine(canvas: Canvas) -> None:
    """A brass diving ball noses along the bottom with its lamp lit."""
    halo_sky(canvas, 740, 380, (900, 720, 560, 420), (mix(NIGHT, INDIGO), INDIGO, mix(INDIGO, DUSK), DUSK), 0.92)
    shafts(canvas, 740, (66, 78, 90, 102, 114), HAZE, 0.09)
    canvas.fill(ridge("-10,620 160,560 330,600 520,650 760,640 980,660 1160,590 1370,610"), mix(INDIGO, PLUM))
    _ruin(canvas)
    for x, y, length in ((980, 150, 40), (1040, 176, 34), (1000, 206, 32), (1080, 140, 30)):
        canvas.fill(fish(x, y, length), HAZE)
    _jellyfish(canvas, 1196, 220, 62)
    _jellyfish(canvas, 1276, 420, 32)
    _floor(canvas)
    canvas.lighten(beam(462, 520, 158, 720, 26), LANTERN, 0.3)
    canvas.lighten(beam(462, 520, 158, 720, 14), LANTERN, 0.34)
    _anchor(canvas)
    _screw(canvas)
    _tower(canvas)
    _hull(canvas)
    _portholes(canvas)
    _gear(canvas)
    bubbles(
        canvas,
        ((1170, 470, 13), (1204, 430, 9), (1180, 396, 6), (1226, 470, 7), (560, 130, 9), (580, 96, 6), (552, 70, 5)),
    )
    canvas.fill(ridge("-10,812 200,800 420,828 760,834 1080,824 1370,792"), NIGHT)
    for x, height, width, sway in ((50, 250, 13, 26), (1310, 330, 14, -28), (1230, 220, 12, 24)):
        canvas.fill(weed(x, 850, height, width, sway), NIGHT)


def _ruin(canvas: Canvas) -> None:
    """Three columns and an arch of the drowned quarter."""
    ink = mix(INDIGO, PLUM)
    for x, top in ((1010, 420), (1120, 420), (1250, 500)):
        canvas.fill(joined(box(x, top, 44, 300), box(x - 9, top - 14, 62, 18)), ink)
    canvas.fill(outline("1000,408! 1000,350 1087,330 1174,350 1174,408! 1150,408! 1087,380 1024,408!"), ink)
    canvas.fill(joined(box(120, 470, 40, 260), box(110, 456, 60, 18), box(250, 540, 40, 200)), ink)


def _jellyfish(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.glow(x, y, size * 2, ROSE, 0.14, 3)
    for step in (-0.7, -0.35, 0.0, 0.35, 0.7):
        canvas.fill(
            ribbon(
                [
                    (x + step * size, y),
                    (x + step * size + size * 0.2, y + size * 0.7),
                    (x + step * size - size * 0.1, y + size * 1.3),
                    (x + step * size + size * 0.1, y + size * (1.9 - abs(step))),
                ],
                size * 0.13,
                size * 0.1,
                1,
            ),
            BLUSH,
            0.85,
        )
    bell = outline(
        f"{x - size},{y + size * 0.2}! {x - size * 0.8},{y - size * 0.6} {x},{y - size} "
        f"{x + size * 0.8},{y - size * 0.6} {x + size},{y + size * 0.2}! {x + size * 0.5},{y + size * 0.06} "
        f"{x},{y + size * 0.24} {x - size * 0.5},{y + size * 0.06}"
    )
    canvas.model(bell, ROSE, shade=MAUVE, rim=PEACH, light=_ABOVE, depth=size * 0.3, edge=5)


def _floor(canvas: Canvas) -> None:
    canvas.model(
        ridge("-10,716 180,696 380,724 600,712 760,718 940,710 1160,730 1370,690"),
        PLUM,
        rim=MAUVE,
        light=(0, -1),
        edge=6,
    )
    canvas.fill(oval(760, 750, 300, 24), NIGHT, 0.6)
    for x, y, width in ((420, 764, 170), (1060, 772, 190), (300, 742, 120)):
        canvas.fill(lens(x, y, width, 8), MAUVE, 0.8)
    for x, y, size, ink, shade in (
        (1130, 726, 1.0, CORAL, BRICK),
        (1040, 722, 0.7, ROSE, MAUVE),
        (330, 722, 0.62, ROSE, MAUVE),
    ):
        _coral(canvas, (x, y), size, ink, shade)
    arms = joined(
        *(
            ribbon([(500, 748), (500, 732), (500, 716)], 17, 11, 4).turned(turn, (500, 748))
            for turn in range(10, 370, 72)
        )
    )
    canvas.model(arms.scaled(1, 0.66, (500, 748)), AMBER, shade=BRICK, rim=PEACH, light=_ABOVE, depth=5, edge=3)


def _coral(canvas: Canvas, foot: tuple[float, float], size: float, ink: Colour, shade: Colour) -> None:
    x, y = foot
    branches = (
        ribbon([(x + dx * size, y + dy * size) for dx, dy in spine], 24 * size, 20 * size, 15 * size)
        for spine in (
            ((0, 0), (4, -70), (-6, -130)),
            ((2, -40), (46, -70), (52, -124)),
            ((0, -56), (-44, -80), (-56, -128)),
            ((46, -70), (80, -84), (92, -112)),
            ((-40, -78), (-74, -84), (-90, -104)),
        )
    )
    canvas.model(joined(*branches), ink, shade=shade, rim=PEACH, light=_ABOVE, depth=7, edge=4)


def _anchor(canvas: Canvas) -> None:
    """What the lamp has found."""
    shank = joined(
        ribbon("210,716 190,560", 22, 20),
        ribbon("146,604 236,588", 16),
        ribbon("96,640 122,704 210,722 288,680 300,616", 12, 24, 28, 24, 12),
        polygon("78,656 98,612 128,650"),
        polygon("276,632 306,590 324,634"),
        disc(187, 540, 25) - disc(187, 540, 13),
    )
    canvas.model(shank, AMBER, shade=UMBER, rim=LANTERN, light=(1, -0.4), depth=9, edge=5)
    for x, y, turn in ((168, 522, 30), (136, 516, -10), (106, 526, -40), (84, 552, -70), (76, 584, 80)):
        canvas.fill((oval(x, y, 21, 12) - oval(x, y, 12, 5)).turned(turn, (x, y)), UMBER)
    canvas.fill(oval(224, 736, 110, 18), PLUM)


def _screw(canvas: Canvas) -> None:
    """Tail cone, rudder and propeller."""
    for fin in ("950,316! 1010,236 1076,226! 1080,300 1050,360!", "950,500! 1010,580 1076,590! 1080,516 1050,450!"):
        canvas.model(outline(fin), CORAL, shade=BRICK, rim=PEACH, light=_ABOVE, depth=18, edge=6)
    cone = outline("930,300! 1020,350 1096,380! 1096,434! 1020,466 930,516!")
    canvas.model(cone, AMBER, shade=BRICK, rim=CREAM, light=_ABOVE, depth=34, edge=6)
    for blade in (
        "1118,400! 1094,350 1106,296 1136,290 1146,340 1128,400!",
        "1118,414! 1094,464 1106,518 1136,524 1146,474 1128,414!",
    ):
        canvas.model(outline(blade), LANTERN, shade=AMBER, rim=CREAM, light=_ABOVE, depth=12, edge=4)
    canvas.model(box(1088, 384, 52, 46, 14), BRICK, rim=PEACH, light=_ABOVE, edge=5)


def _tower(canvas: Canvas) -> None:
    periscope = ribbon("800,150 800,70 786,52 744,50", 22, 22, 22, 24)
    canvas.model(periscope, AMBER, shade=BRICK, rim=CREAM, light=_ABOVE, depth=8, edge=4)
    canvas.model(box(728, 34, 22, 34, 6), BRICK, rim=PEACH, light=_ABOVE, edge=4)
    canvas.fill(oval(729, 51, 5, 11), SPRAY)
    tower = outline("640,240! 652,160 664,140! 836,140! 848,160 862,240!")
    canvas.model(tower, AMBER, shade=BRICK, rim=CREAM, light=_ABOVE, depth=34, edge=6)
    canvas.model(
        outline("672,142! 690,116 750,108 780,122 790,142!"),
        LANTERN,
        shade=AMBER,
        rim=CREAM,
        light=_ABOVE,
        depth=10,
        edge=4,
    )
    canvas.model(box(648, 134, 204, 17, 8), BRICK, rim=PEACH, light=_ABOVE, edge=4)
    for x in (692, 750, 808):
        canvas.fill(disc(x, 173, 17), UMBER)
        canvas.fill(disc(x, 173, 13), LANTERN)
        canvas.fill(lens(x - 3, 168, 12, 5), CREAM)


def _hull(canvas: Canvas) -> None:
    hull = outline(
        "470,410 492,310 560,236 660,200 770,198 870,222 950,280 996,360 1000,440 960,528 880,592 770,624 "
        "650,618 550,574 490,500"
    )
    canvas.model(hull, AMBER, shade=BRICK, rim=CREAM, light=_ABOVE, depth=64, edge=8)
    with canvas.inside(hull):
        canvas.fill(outline("520,330! 570,262 660,226 770,224! 680,250 600,296 548,366!"), LANTERN)
        for seam in ("736,180 768,300 772,420 766,530 740,640", "866,200 914,300 926,410 914,520 862,610"):
            canvas.fill(ribbon(seam, 20), BRICK, 0.8)
            canvas.fill(ribbon(seam, 13), AMBER)
            for x, y, _ in stations(seam, 15, 0.1, 0.9):
                _rivet(canvas, x, y)
        belt = outline("440,480! 600,548 760,566 900,548 1040,470! 1040,660! 440,660!")
        canvas.fill(belt, CORAL)
        canvas.fill(belt - belt.moved(0, 10), LANTERN)
        canvas.fill(hull - hull.moved(-29, -64), BRICK)


def _rivet(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(disc(x, y, 5), UMBER)
    canvas.fill(disc(x - 1.2, y - 1.4, 3), PEACH)


def _portholes(canvas: Canvas) -> None:
    canvas.fill(disc(622, 404, 118), BRICK)
    canvas.model(disc(618, 400, 116), LANTERN, shade=AMBER, rim=CREAM, light=_ABOVE, depth=20, edge=6)
    canvas.fill(disc(618, 400, 90), UMBER)
    glass = disc(618, 400, 84)
    canvas.fill(glass, AMBER)
    with canvas.inside(glass):
        canvas.fill(disc(640, 380, 66), LANTERN)
        canvas.fill(disc(650, 372, 36), CREAM)
        _captain(canvas)
        canvas.fill(outline("548,390! 560,350 600,322! 620,326 578,356 560,400!"), CREAM, 0.65)
    for turn in range(0, 360, 30):
        _rivet(canvas, *disc(618 + 103, 400, 1).turned(turn, (618, 400)).centre)
    for x, y, size in ((846, 380, 46), (966, 396, 26)):
        canvas.model(disc(x, y, size), LANTERN, shade=AMBER, rim=CREAM, light=_ABOVE, depth=10, edge=4)
        canvas.fill(disc(x, y, size * 0.72), UMBER)
        canvas.fill(disc(x, y, size * 0.64), LANTERN)
        canvas.fill(disc(x, y, size * 0.64) - disc(x - 6, y - 6, size * 0.64), AMBER)
        canvas.fill(lens(x - size * 0.14, y - size * 0.26, size * 0.6, size * 0.2), CREAM)


def _captain(canvas: Canvas) -> None:
    """All cap, nose and beard, looking where the lamp points."""
    canvas.fill(outline("540,500! 552,450 590,430 650,432 690,456 700,500!"), INDIGO)
    canvas.fill(outline("576,370! 652,366! 662,400 650,436 612,452 580,436 568,402"), PEACH)
    canvas.fill(outline("572,398! 600,410 640,402 664,380! 672,420 656,460 612,478 576,460 562,424"), CREAM)
    canvas.fill(ribbon("576,410 600,402 620,410 634,404", 4, 13, 12, 3), FOAM)
    canvas.fill(disc(588, 394, 11), CORAL)
    for x in (584, 616):
        canvas.fill(oval(x, 378, 5, 6.5), NIGHT)
        canvas.fill(disc(x - 2, 375, 2), CREAM)
    canvas.fill(outline("560,362! 568,330 610,318 652,324 664,360! 610,352"), INDIGO)
    canvas.fill(outline("548,366! 562,352 610,346 666,356! 664,368 610,362"), NIGHT)
    canvas.fill(spark(604, 338, 10, 0.4), LANTERN)


def _gear(canvas: Canvas) -> None:
    """Diving plane, skids and headlamp."""
    canvas.model(
        outline("790,520! 860,500 930,516 962,548! 900,566 820,560"),
        CORAL,
        shade=BRICK,
        rim=PEACH,
        light=_ABOVE,
        depth=14,
        edge=6,
    )
    for x in (610, 850):
        canvas.fill(ribbon([(x, 600), (x - 14, 662)], 16), UMBER)
    canvas.model(ribbon("506,636 548,668 620,672 760,672 900,672 956,648", 18), BRICK, rim=PEACH, light=_ABOVE, edge=5)
    canvas.fill(ribbon("520,500 494,508", 18), UMBER)
    canvas.glow(462, 520, 74, LANTERN, 0.24, 3)
    canvas.model(
        outline("506,470! 520,500 506,540! 462,556! 444,486!"),
        AMBER,
        shade=BRICK,
        rim=CREAM,
        light=_ABOVE,
        depth=12,
        edge=5,
    )
    canvas.fill(oval(452, 521, 12, 37).turned(-14, (452, 521)), CREAM)
    canvas.fill((oval(452, 521, 14, 40) - oval(452, 521, 9, 33)).turned(-14, (452, 521)), LANTERN)
