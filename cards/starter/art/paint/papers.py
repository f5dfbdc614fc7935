"""Folded and pasted: the coast's paper fleet, in the air and afloat."""

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
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
    Colour,
    Shape,
    box,
    cloud,
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
    lantern,
    lens,
    mix,
    outline,
    oval,
    picture,
    polygon,
    ribbon,
    ridge,
    sailboat,
    spark,
    stars,
    stations,
    town,
    wave,
)

_AFTERNOON = (0.8, -0.6)
_BOAT_LAMP = (1.0, -0.35)
_WATER = 694.0  # where the paper boat floats


@picture(mix(TEAL, SEA))
def paper_kite(canvas: Canvas) -> None:
    """A kite over the rooftops, on the one warm wind of the year."""
    halo_sky(
        canvas,
        1130,
        360,
        (1120, 900, 700, 520, 360, 220, 96),
        (SEA, mix(SEA, SPRAY), SPRAY, mix(SPRAY, FOAM), FOAM, mix(FOAM, CREAM), PEACH),
    )
    _fair_weather(canvas)
    canvas.fill(ridge("-10,590 140,560 300,566 460,604 600,616", 720), mix(SEA, TEAL))
    town(canvas, 60, 572, 40, mix(SEA, TEAL), houses=8)
    canvas.fill(wave(610, 2, 320), TEAL)
    glitter(canvas, 1130, 616, 690, 260, PEACH, 7, 0.9)
    sailboat(canvas, 880, 662, 84, UMBER, CREAM)
    canvas.fill(wave(672, 5, 400, 60), ABYSS, 0.6)
    _hill(canvas)
    _rooftops(canvas)
    canvas.fill(ribbon("752,300 900,460 1020,580 1092,640", 3), UMBER)
    _flyer(canvas)
    _kite_tail(canvas)
    _kite(canvas)


def _fair_weather(canvas: Canvas) -> None:
    for x, y, width, ink, shade in (
        (300, 440, 380, FOAM, SPRAY),
        (1190, 240, 330, CREAM, PEACH),
        (1020, 520, 250, CREAM, PEACH),
        (60, 330, 240, SPRAY, mix(SEA, SPRAY)),
    ):
        canvas.model(cloud(x, y, width), ink, shade=shade, light=_AFTERNOON, depth=18)
    for x, y, span, tilt in ((480, 300, 56, -8), (420, 344, 40, 6), (1010, 150, 46, 8)):
        canvas.fill(gull(x, y, span, tilt), INDIGO)


def _hill(canvas: Canvas) -> None:
    hill = ridge("780,860 880,776 980,716 1100,690 1220,684 1370,704")
    canvas.model(hill, SEA, rim=LANTERN, light=(0, -1), edge=6)
    with canvas.inside(hill):
        canvas.fill(ridge("860,860 960,780 1100,740 1240,744 1370,770"), TEAL)
    for x, y, height in ((1290, 702, 44), (1312, 704, 30), (990, 738, 34), (1010, 730, 24), (1040, 712, 30)):
        canvas.fill(outline(f"{x - 7},{y}! {x + 8},{y - height}! {x + 7},{y}!"), TEAL)


def _rooftops(canvas: Canvas) -> None:
    """The nearest street: gables in a row, lamps already lit indoors."""
    for x, width, top, wall, roof, lit in (
        (-40, 170, 672, PEACH, BRICK, LANTERN),
        (290, 160, 690, BLUSH, PLUM, UMBER),
        (600, 170, 684, CREAM, BRICK, LANTERN),
        (120, 180, 700, CREAM, CORAL, LANTERN),
        (440, 180, 714, APRICOT, CORAL, LANTERN),
        (740, 160, 724, BLUSH, CORAL, UMBER),
    ):
        middle = x + width / 2
        canvas.fill(box(x + width * 0.72, top + 6, 20, 60), UMBER)
        canvas.fill(box(x, top + 64, width, 160), wall)
        canvas.fill(box(x, top + 64, width * 0.3, 160), mix(wall, MAUVE))
        gable = polygon([(x - 14, top + 70), (middle, top), (x + width + 14, top + 70)])
        canvas.model(gable, roof, shade=mix(roof, UMBER), rim=PEACH, light=_AFTERNOON, depth=60, edge=5)
        canvas.fill(box(middle - 15, top + 82, 30, 36, 3), UMBER)
        canvas.fill(box(middle - 11, top + 86, 22, 28), lit)
        canvas.fill(box(middle - 2, top + 84, 4, 32), UMBER)
    canvas.fill(ridge("-10,812 240,822 520,818 800,830 1060,822 1370,800"), NIGHT)


def _flyer(canvas: Canvas) -> None:
    """A child leaning back on the string, scarf out with the wind, and a dog who has views on it."""
    for spine in ("1122,668 1106,688 1098,704", "1134,666 1140,686 1152,700"):
        canvas.fill(ribbon(spine, 13, 10), INDIGO)
    canvas.model(
        outline("1112,676! 1110,640 1120,618 1140,616 1150,634 1150,676!"),
        CORAL,
        shade=BRICK,
        rim=LANTERN,
        light=_AFTERNOON,
        depth=12,
        edge=4,
    )
    canvas.fill(ribbon("1130,632 1108,640 1090,638", 11, 9, 8), CORAL)
    canvas.fill(disc(1089, 638, 6), PEACH)
    canvas.fill(ribbon("1136,612 1112,614 1094,604 1072,612", 8, 9, 8, 3), LANTERN)
    canvas.fill(disc(1130, 594, 20), PEACH)
    canvas.fill(outline("1110,592! 1112,572 1132,566 1150,576 1152,600 1144,608! 1142,590 1128,584"), UMBER)
    canvas.fill(disc(1116, 596, 2.4), NIGHT)
    canvas.fill(
        outline(
            "1194,698! 1198,672 1214,664 1232,666 1240,650! 1252,656 1262,666! 1250,676 1246,698! "
            "1238,698! 1236,684 1206,684 1204,698!"
        ),
        CREAM,
    )
    canvas.fill(ribbon("1200,674 1188,662 1190,648", 7, 6, 3), CREAM)
    canvas.fill(outline("1240,650! 1234,668 1242,674!"), UMBER)


def _kite_tail(canvas: Canvas) -> None:
    spine = "690,508 630,536 590,586 620,630 580,668 510,650 470,600 400,580 340,620"
    canvas.fill(ribbon(spine, 5), UMBER)
    inks = (CORAL, LANTERN, CREAM)
    for step, (x, y, heading) in enumerate(stations(spine, 7, 0.1, 1.0)):
        _bow(canvas, (x, y), heading + 90, 44 - step * 2, inks[step % 3])


def _bow(canvas: Canvas, knot: tuple[float, float], turn: float, reach: float, ink: Colour) -> None:
    x, y = knot
    for side in (-1, 1):
        loop = outline(
            f"{x},{y}! {x + side * reach * 0.6},{y - reach * 0.62} {x + side * reach},{y - reach * 0.56}! "
            f"{x + side * reach * 0.86},{y} {x + side * reach},{y + reach * 0.56}! "
            f"{x + side * reach * 0.6},{y + reach * 0.62}"
        )
        canvas.model(loop.turned(turn, knot), ink, shade=mix(ink, BRICK), light=_AFTERNOON, depth=reach * 0.34)
    canvas.fill(disc(x, y, reach * 0.24), UMBER)


def _kite(canvas: Canvas) -> None:
    """Drawn upright about (740, 280), then hung on the wind."""

    def fly(shape: Shape) -> Shape:
        return shape.turned(13, (740, 280))

    for side in (-1, 1):
        for spread in (-20, 4, 28):
            canvas.fill(
                fly(
                    ribbon(
                        [(740 + side * 182, 214), (740 + side * 200, 250), (740 + side * 190 + spread, 300)], 6, 8, 5
                    )
                ),
                LANTERN,
            )
    sail = outline("740,32! 830,112 932,208! 858,360 740,530! 622,360 548,208! 650,112")
    canvas.fill(fly(sail), CORAL)
    with canvas.inside(fly(sail)):
        for quarter, ink in (
            ("740,20 560,20 540,208 740,208", CREAM),
            ("740,208 950,208 950,540 740,540", CREAM),
            ("740,208 540,208 540,540 740,540", BRICK),
            ("740,20 950,20 950,208 740,208", CORAL),
        ):
            canvas.fill(fly(polygon(quarter)), ink)
        canvas.fill(fly(polygon("740,208 846,370 740,540")), PEACH)
        canvas.fill(fly(polygon("740,20 740,208 548,208 640,160")), PEACH)
        canvas.fill(fly(sail - sail.scaled(0.9, 0.9, (740, 230))), INDIGO)
        canvas.fill(fly(sail - sail.moved(-6, 5)), LANTERN)
    canvas.fill(fly(joined(ribbon("740,32 740,530", 7), ribbon("548,208 640,196 740,208 840,196 932,208", 7))), UMBER)
    _painted_sun(canvas, fly(disc(740, 214, 1)).centre)


def _painted_sun(canvas: Canvas, at: tuple[float, float]) -> None:
    x, y = at
    rays = joined(
        *(
            polygon([(x - 16, y - 70), (x + 16, y - 70), (x, y - reach)]).turned(turn, at)
            for turn, reach in zip(range(0, 360, 30), (116, 100) * 6, strict=True)
        )
    )
    canvas.fill(rays, AMBER)
    canvas.model(disc(x, y, 76), LANTERN, shade=AMBER, rim=CREAM, light=_AFTERNOON, depth=18, edge=6)
    for side in (-1, 1):
        eye = x + side * 29
        canvas.fill(oval(eye, y - 10, 17, 18), UMBER)
        canvas.fill(oval(eye, y - 9, 14, 15), CREAM)
        canvas.fill(disc(eye + 2, y - 6, 10), AMBER)
        canvas.fill(disc(eye + 2, y - 6, 6), NIGHT)
        canvas.fill(disc(eye + 5, y - 10, 3), CREAM)
        canvas.fill(oval(x + side * 48, y + 20, 13, 9), CORAL, 0.7)
    canvas.fill(ribbon([(x - 26, y + 26), (x, y + 42), (x + 26, y + 26)], 3, 8, 3), BRICK)


@picture(NIGHT)
def paper_boat(canvas: Canvas) -> None:
    """A boat folded from a chart, making its first night passage."""
    halo_sky(
        canvas,
        900,
        500,
        (980, 800, 630, 470, 330),
        (mix(NIGHT, ABYSS), ABYSS, mix(ABYSS, TEAL), TEAL, mix(TEAL, SEA)),
        0.92,
    )
    stars(canvas, 90, (10, 10, 1340, 560), CREAM, 0.9)
    canvas.fill(ridge("-10,566 130,540 280,550 420,580 560,606", 700), INDIGO)
    town(canvas, 40, 556, 38, INDIGO, houses=8)
    canvas.fill(ridge("900,606 1040,576 1180,556 1370,550", 700), ABYSS)
    canvas.fill(wave(602, 2, 320), TEAL)
    for x, width in ((80, 90), (190, 80), (300, 70)):
        glitter(canvas, x, 610, 690, width, AMBER, 7, 0.7)
    canvas.fill(wave(652, 5, 400, 120), mix(TEAL, ABYSS))
    canvas.fill(wave(_WATER, 5, 460, 40), ABYSS)
    _boat_reflection(canvas)
    _boat_stern(canvas)
    _boat_front(canvas)
    _pool_edge(canvas)


def _boat_reflection(canvas: Canvas) -> None:
    hull = polygon([(330, _WATER), (1050, _WATER), (900, 796), (480, 796)])
    canvas.fill(hull, TEAL)
    canvas.fill(polygon([(560, _WATER), (820, _WATER), (690, 900)]), mix(TEAL, SEA))
    glitter(canvas, 900, 712, 830, 240, LANTERN, 9, 0.9)
    for x, y, width in ((470, 722, 330), (720, 742, 420), (560, 764, 380), (860, 772, 340), (690, 790, 460)):
        canvas.fill(lens(x, y, width, 9), ABYSS)


def _boat_stern(canvas: Canvas) -> None:
    """The far side of the hull, the fold that stands up as a sail, and the lamp between."""
    canvas.fill(polygon("270,486 690,560 690,640 420,640"), HAZE)
    canvas.fill(polygon("1110,486 690,560 690,640 960,640"), APRICOT)
    canvas.fill(ribbon("690,250 690,150", 5), UMBER)
    canvas.fill(outline("692,152! 650,162 614,150! 630,172! 610,196! 650,196 692,190!"), CORAL)
    canvas.fill(polygon("690,236 520,640 690,640"), mix(HAZE, CREAM))
    canvas.fill(polygon("690,236 690,640 860,640"), CREAM)
    canvas.fill(polygon("690,236 860,640 800,640"), PEACH)
    canvas.fill(polygon("690,236 684,236 512,640 520,640"), FOAM)
    lantern(canvas, 912, 588, 136, reach=1.5)


def _boat_front(canvas: Canvas) -> None:
    hull = polygon("266,484 540,590 690,622 840,590 1114,484 930,700 450,700")
    canvas.fill(hull, CREAM)
    with canvas.inside(hull):
        canvas.fill(polygon("266,484 690,622 690,720 440,720"), mix(HAZE, CREAM))
        canvas.fill(polygon("266,484 540,590 450,720"), HAZE)
        canvas.fill(polygon("1114,484 840,590 930,720"), PEACH)
        canvas.fill(ribbon("690,622 690,700", 3), HAZE)
        for bow in range(3):
            lat = 30 + bow * 34
            canvas.fill(
                ribbon([(300, 540 + lat), (540, 590 + lat), (690, 612 + lat), (840, 590 + lat), (1080, 540 + lat)], 2),
                HAZE,
                0.7,
            )
        isle = outline("532,664 560,644 600,652 622,672 600,688 556,686")
        canvas.fill(isle, SPRAY)
        canvas.fill(isle.scaled(0.6).moved(-4, 2), SEA)
        for x, y, _ in stations("470,660 560,676 700,650 800,670 900,600 960,570", 22):
            canvas.fill(disc(x, y, 3.2), CORAL)
    for turn in (45, -45):
        canvas.fill(box(946, 574, 34, 7, 3).turned(turn, (963, 577)), CORAL)
    _compass_rose(canvas, 800, 650)
    canvas.fill(ribbon("266,484 540,590 690,622 840,590 1114,484", 4), FOAM)
    canvas.fill(ribbon("840,590 1114,484", 6), LANTERN)
    for x, width in ((450, 190), (700, 560), (930, 190)):
        canvas.fill(lens(x, 702, width, 11), FOAM)
    canvas.fill(lens(690, 716, 620, 7), SPRAY, 0.8)


def _compass_rose(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(disc(x, y, 30), CREAM)
    canvas.fill(disc(x, y, 27) - disc(x, y, 24), BRICK)
    canvas.fill(spark(x, y, 20, 0.3).turned(45, (x, y)), APRICOT)
    canvas.fill(spark(x, y, 34, 0.22), BRICK)


def _pool_edge(canvas: Canvas) -> None:
    """Reeds, a lily and a frog, close by in the dark."""
    canvas.fill(ridge("-10,820 200,806 460,826 900,832 1160,808 1370,796"), NIGHT)
    for x, height, lean in (
        (30, 330, 20),
        (76, 420, -10),
        (120, 260, 34),
        (1216, 300, -26),
        (1262, 430, 12),
        (1310, 340, -20),
    ):
        spine = [(x, 850.0), (x + lean * 0.3, 850 - height * 0.5), (x + lean, 850.0 - height)]
        canvas.fill(ribbon(spine, 11, 7, 4), NIGHT)
        canvas.fill(ribbon([(x + lean * 0.94, 862 - height), (x + lean, 800 - height)], 19), UMBER)
        blade = outline(
            f"{x},850! {x + 20 - lean},{850 - height * 0.4} {x - lean * 1.6},{850 - height * 0.8}! "
            f"{x - 10 - lean},{850 - height * 0.4}"
        )
        canvas.fill(blade, NIGHT)
    for x, y, across in ((250, 782, 96), (1110, 776, 82)):
        pad = oval(x, y, across, across * 0.22) - polygon([(x, y), (x + across, y - 14), (x + across, y + 8)])
        canvas.model(pad, TEAL, rim=SPRAY, light=(0.3, -1), edge=5)
    for turn in (-56, -28, 0, 28, 56):
        petal = outline("1110,770! 1096,744 1110,712! 1124,744").turned(turn, (1110, 770))
        canvas.model(petal, ROSE, shade=MAUVE, rim=PEACH, light=(-0.8, -0.5), depth=10, edge=4)
    canvas.fill(oval(1110, 770, 30, 9), PLUM)
    _frog(canvas)
    for x, y, size in ((210, 590, 6), (330, 440, 5), (1164, 410, 6), (1060, 300, 5), (1240, 610, 5)):
        canvas.glow(x, y, size * 5, AMBER, 0.25, 3)
        canvas.fill(disc(x, y, size), LANTERN)


def _frog(canvas: Canvas) -> None:
    body = outline("188,778! 184,752 204,716 240,696 276,690 304,704 310,726 292,742 280,780!")
    canvas.model(body, SEA, shade=TEAL, rim=SPRAY, light=_BOAT_LAMP, depth=20, edge=5)
    canvas.fill(outline("302,732! 290,742 280,780! 262,780! 262,750"), FOAM)
    canvas.model(
        outline("180,782! 180,756 204,744 236,756 238,782!"),
        SEA,
        shade=TEAL,
        rim=SPRAY,
        light=_BOAT_LAMP,
        depth=10,
        edge=4,
    )
    canvas.fill(ribbon("266,742 270,764 262,780", 12, 10, 8), SEA)
    canvas.fill(joined(lens(268, 782, 44, 9), lens(222, 783, 64, 10)), SEA)
    canvas.model(disc(272, 692, 20), SEA, rim=SPRAY, light=_BOAT_LAMP, edge=4)
    canvas.fill(disc(275, 691, 13), LANTERN)
    canvas.fill(oval(278, 691, 8, 5), NIGHT)
    canvas.fill(disc(281, 687, 3), CREAM)
    canvas.fill(ribbon("308,722 290,724 268,716", 3, 4, 2), ABYSS)
