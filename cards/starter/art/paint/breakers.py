"""The breakers' yard, where old ships come to pieces and sometimes get up again."""

from .kit import (
    AMBER,
    APRICOT,
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
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    Shape,
    both_sides,
    box,
    disc,
    gull,
    halo_sky,
    joined,
    lens,
    mix,
    outline,
    oval,
    picture,
    polygon,
    rain,
    ribbon,
    ridge,
    stations,
    streak,
    wave,
)

_FOGLIGHT = (-0.7, -0.75)
_AXIS = 740.0  # the golem's own


@picture(mix(INDIGO, TEAL))
def rust_golem(canvas: Canvas) -> None:
    """Six wrecks' worth of plate stands up in the fog and takes its anchor along."""
    halo_sky(
        canvas,
        560,
        360,
        (980, 790, 620, 460, 310),
        (mix(DUSK, TEAL), mix(HAZE, TEAL), mix(HAZE, SEA), mix(HAZE, SPRAY), mix(SPRAY, FOAM)),
        0.94,
    )
    for x, y, width in ((260, 270, 330), (1160, 200, 340), (1060, 420, 300)):
        canvas.fill(streak(x, y, width, 18), mix(HAZE, SEA), 0.9)
    _wrecks(canvas)
    _mud(canvas)
    _legs(canvas)
    _funnel(canvas)
    _torso(canvas)
    _furnace(canvas)
    _arms(canvas)
    _golem_head(canvas)
    _gull_on_watch(canvas)
    rain(canvas, (0, 120, 1350, 700), 54, FOAM, 0.3)


def _wrecks(canvas: Canvas) -> None:
    """Ribs of one hull, the bow of another, and the watchman's hut between."""
    far = mix(HAZE, TEAL)
    canvas.fill(ridge("-10,600 160,576 340,590 520,606 760,600 1000,604 1370,570", 720), far)
    for x, height, lean in ((90, 220, 60), (160, 250, 56), (230, 262, 50), (300, 252, 44), (370, 226, 36)):
        canvas.fill(ribbon([(x, 640), (x - lean, 640 - height * 0.4), (x - lean * 0.2, 640 - height)], 20, 18, 12), far)
    canvas.fill(ribbon("40,620 220,640 420,630", 22), far)
    bow = outline("1350,380! 1240,392 1116,370! 1130,480 1160,570 1196,640! 1380,640! 1380,380!")
    canvas.fill(bow, mix(DUSK, TEAL))
    with canvas.inside(bow):
        canvas.fill(outline("1100,540! 1240,556 1380,548! 1380,660! 1100,660!"), mix(PLUM, TEAL))
        for x, y in ((1200, 440), (1250, 446), (1300, 446)):
            canvas.fill(disc(x, y, 11), mix(HAZE, SPRAY))
    canvas.fill(
        joined(box(1190, 200, 9, 190), ribbon("1194,210 1290,380", 3), ribbon("1194,210 1124,372", 3)), mix(DUSK, TEAL)
    )
    for x, y, span, tilt in ((330, 210, 56, -8), (396, 250, 40, 6), (1080, 290, 44, 6)):
        canvas.fill(gull(x, y, span, tilt), INDIGO)


def _mud(canvas: Canvas) -> None:
    canvas.fill(wave(634, 3, 320), TEAL)
    for x, y, width in ((240, 650, 260), (480, 660, 200), (1120, 652, 260)):
        canvas.fill(lens(x, y, width, 7), SPRAY, 0.8)
    canvas.fill(box(1196, 574, 112, 106), INDIGO)
    canvas.fill(polygon("1182,578 1252,528 1322,578"), NIGHT)
    canvas.fill(box(1234, 600, 36, 38, 3), LANTERN)
    canvas.fill(box(1250, 600, 4, 38), NIGHT)
    canvas.model(
        ridge("-10,690 180,672 400,694 640,684 900,696 1140,670 1370,680"),
        mix(UMBER, PLUM),
        rim=HAZE,
        light=(0, -1),
        edge=6,
    )
    for x, y, across in ((250, 744, 130), (1120, 738, 110), (520, 776, 90)):
        canvas.fill(oval(x, y, across, across * 0.12), mix(HAZE, SEA))
        canvas.fill(oval(x + 10, y - 2, across * 0.6, across * 0.05), SPRAY)
    canvas.fill(oval(760, 728, 330, 22), NIGHT, 0.8)
    canvas.fill(ridge("-10,812 220,796 460,824 820,816 1120,828 1370,794"), NIGHT)
    for x, y, turn in ((90, 800, -24), (1240, 800, 18)):
        rivets = (disc(x + dx, y - 16, 5) for dx in (-44, -16, 16, 44))
        canvas.fill(joined(box(x - 60, y - 12, 120, 26), *rivets).turned(turn, (x, y)), NIGHT)


def _plate(canvas: Canvas, shape: Shape, ink: Colour, shade: Colour, depth: float = 30) -> None:
    canvas.model(shape, ink, shade=shade, rim=PEACH, light=_FOGLIGHT, depth=depth, edge=6)


def _rivets(canvas: Canvas, line: str, count: int) -> None:
    for x, y, _ in stations(line, count, 0.04, 0.96):
        canvas.fill(disc(x, y, 6), UMBER)
        canvas.fill(disc(x - 1.6, y - 1.8, 3.6), APRICOT)


def _drips(canvas: Canvas, places: tuple[tuple[float, float, float], ...], ink: Colour = UMBER) -> None:
    """Streaks of rust running down from x, y."""
    for x, y, length in places:
        canvas.fill(ribbon([(x, y), (x + 2, y + length * 0.5), (x - 1, y + length)], 11, 7, 2), ink, 0.7)


def _legs(canvas: Canvas) -> None:
    for side, ink, shade in ((1, BRICK, UMBER), (-1, CORAL, BRICK)):

        def place(shape: Shape, side: int = side) -> Shape:
            return shape if side > 0 else shape.mirrored(_AXIS)

        _plate(canvas, place(outline("762,540! 880,530! 896,590 884,650! 774,650! 758,600")), ink, shade)
        _plate(canvas, place(outline("766,632! 892,632! 912,690 926,732! 744,732! 752,690")), BRICK, UMBER, 36)
        x = _AXIS + side * 92
        _rivets(canvas, f"{x - 56},712 {x + 56},712", 6)
        _rivets(canvas, f"{x - 44},646 {x + 44},646", 4)


def _funnel(canvas: Canvas) -> None:
    for puff in (((930, 92, 34), (966, 78, 42), (1004, 96, 32)), ((1040, 50, 26), (1066, 36, 22))):
        smoke = joined(*(disc(x, y, radius) for x, y, radius in puff))
        canvas.model(smoke, mix(HAZE, FOAM), shade=HAZE, rim=FOAM, light=_FOGLIGHT, depth=12, edge=6)
    pipe = outline("878,270! 884,134! 964,134! 972,270!")
    _plate(canvas, pipe, DUSK, INDIGO)
    with canvas.inside(pipe):
        canvas.fill(box(870, 164, 110, 34), CORAL)
        canvas.fill(box(936, 164, 40, 34), BRICK)
        _drips(canvas, ((900, 198, 60), (946, 198, 46)), BRICK)
    _plate(canvas, box(876, 124, 98, 20, 6), BRICK, UMBER, 10)


def _torso(canvas: Canvas) -> None:
    chest = both_sides(outline("738,236! 820,240 900,258 960,310 950,420 900,510 872,566 800,590 738,594!"), _AXIS)
    canvas.model(chest, BRICK, shade=UMBER, rim=PEACH, light=_FOGLIGHT, depth=60, edge=8)
    with canvas.inside(chest):
        for plate, ink in (
            ("500,230! 660,230! 640,330 610,430! 500,400!", CORAL),
            ("660,230! 830,230! 850,330 640,330!", mix(CORAL, BRICK)),
            ("610,440! 700,480 690,600! 560,600!", mix(DUSK, TEAL)),
            ("790,480! 880,440! 950,500! 880,610! 780,600!", mix(BRICK, UMBER)),
        ):
            canvas.fill(outline(plate), ink)
        canvas.fill(chest - chest.moved(-52, -30), UMBER, 0.5)
        for seam in (
            "660,230 640,330 610,436 560,470",
            "640,330 740,322 850,334",
            "830,230 850,334 880,440 960,470",
            "610,438 700,484 790,484 880,438",
            "696,484 690,600",
            "790,484 782,600",
        ):
            canvas.fill(ribbon(seam, 7), UMBER)
        _drips(canvas, ((580, 330, 70), (900, 330, 80), (640, 490, 60), (850, 500, 60), (700, 270, 40)))
        canvas.fill(chest - chest.moved(6, 6), PEACH)
    _rivets(canvas, "646,254 628,340 602,424", 6)
    _rivets(canvas, "660,314 740,306 832,316", 7)
    _rivets(canvas, "866,340 892,424", 4)
    _rivets(canvas, "624,460 700,500 780,500 862,462", 9)


def _furnace(canvas: Canvas) -> None:
    """A ship's porthole for a heart, with the boiler fire still in."""
    canvas.glow(_AXIS, 404, 124, AMBER, 0.28, 2)
    canvas.fill(disc(746, 410, 82), UMBER)
    canvas.model(disc(_AXIS, 404, 80), AMBER, shade=BRICK, rim=CREAM, light=_FOGLIGHT, depth=16, edge=5)
    canvas.fill(disc(_AXIS, 404, 58), NIGHT)
    with canvas.inside(disc(_AXIS, 404, 54)):
        canvas.fill(disc(_AXIS, 404, 54), CORAL)
        canvas.fill(oval(_AXIS, 424, 52, 44), AMBER)
        canvas.fill(outline("700,460! 704,410 722,426 732,374 752,410 764,396 782,460!"), LANTERN)
        canvas.fill(outline("718,460! 726,424 742,408 756,430 764,460!"), CREAM)
    canvas.fill(joined(box(734, 346, 12, 116), box(682, 398, 116, 12)), BRICK)
    for turn in range(22, 382, 45):
        x, y = disc(_AXIS + 69, 404, 1).turned(turn, (_AXIS, 404)).centre
        canvas.fill(disc(x, y, 6), UMBER)
        canvas.fill(disc(x - 1.6, y - 1.6, 3.4), CREAM)


def _arms(canvas: Canvas) -> None:
    _arm(canvas, 1, mix(BRICK, UMBER), UMBER)
    _arm(canvas, -1, CORAL, BRICK)
    _anchor(canvas)


def _arm(canvas: Canvas, side: int, ink: Colour, shade: Colour) -> None:
    """Upper arm, boiler forearm, fist and shoulder plate, drawn on the right; `side` -1 puts them on the left."""

    def place(shape: Shape) -> Shape:
        return shape if side > 0 else shape.mirrored(_AXIS)

    _plate(canvas, place(ribbon("1010,360 1046,420 1056,490", 96, 88, 84)), UMBER, NIGHT)
    for y in (420, 452):
        canvas.fill(place(ribbon([(1000, y + 6), (1044, y + 16), (1094, y)], 8)), BRICK)
    fist = outline("992,626! 1114,626! 1144,664 1140,704 1110,730 1010,730 976,706 970,664")
    _plate(canvas, place(fist), BRICK, UMBER, 26)
    for x in (1014, 1052, 1090):
        canvas.fill(place(ribbon([(x, 680), (x + 2, 728)], 6)), UMBER)
    canvas.fill(place(ribbon("980,664 1012,676 1052,680 1098,676 1134,664", 6)), UMBER)
    drum = outline("990,468! 1118,468! 1146,530 1146,590 1122,640! 988,640! 964,590 964,530")
    _plate(canvas, place(drum), ink, shade, 40)
    with canvas.inside(place(drum)):
        canvas.fill(place(joined(box(950, 496, 210, 14), box(950, 600, 210, 14))), DUSK if side > 0 else TEAL)
        _drips(canvas, ((_AXIS + side * 280, 510, 60), (_AXIS + side * 350, 510, 44)), shade)
    for y in (503, 607):
        _rivets(canvas, f"{_AXIS + side * 240},{y} {_AXIS + side * 390},{y}", 6)
    dome = outline("868,344! 872,270 924,204 1010,196 1076,244 1104,330 1096,376! 1040,404 960,402 890,384!")
    _plate(canvas, place(dome), DUSK if side > 0 else CORAL, INDIGO if side > 0 else BRICK, 44)
    with canvas.inside(place(dome)):
        canvas.fill(place(outline("860,360! 960,376 1060,368 1110,330! 1110,420! 860,420!")), shade)
        _drips(canvas, ((_AXIS + side * 190, 290, 70), (_AXIS + side * 300, 270, 80)), BRICK if side > 0 else UMBER)
    line = [(_AXIS + side * dx, y) for dx, y in ((138, 358), (220, 374), (310, 368), (350, 342))]
    _rivets(canvas, " ".join(f"{x},{y}" for x, y in line), 8)


def _anchor(canvas: Canvas) -> None:
    """It drags behind the near fist on its own chain."""
    anchor = (
        joined(
            ribbon("170,570 170,700", 18, 20),
            ribbon("128,604 212,604", 15),
            ribbon("96,640 116,690 170,708 224,690 244,640", 10, 22, 26, 22, 10),
            polygon("78,658 94,616 122,652"),
            polygon("262,658 246,616 218,652"),
            disc(170, 552, 22) - disc(170, 552, 11),
        )
        .turned(58, (170, 650))
        .moved(20, 54)
    )
    canvas.model(anchor, DUSK, shade=INDIGO, rim=PEACH, light=_FOGLIGHT, depth=8, edge=5)
    for step, (x, y, heading) in enumerate(stations("290,650 330,664 360,690 400,712", 7)):
        link = oval(x, y, 17, 11) - oval(x, y, 10, 4) if step % 2 else oval(x, y, 16, 5)
        canvas.fill(link.turned(heading, (x, y)), NIGHT)


def _golem_head(canvas: Canvas) -> None:
    neck = both_sides(outline("738,220! 790,224 800,262! 738,274!"), _AXIS)
    canvas.fill(neck, NIGHT)
    skull = both_sides(outline("738,92! 790,98 824,130 836,180 832,232! 790,250 738,254!"), _AXIS)
    _plate(canvas, skull, CORAL, BRICK, 44)
    with canvas.inside(skull):
        canvas.fill(both_sides(outline("738,196! 850,180! 850,270! 738,270!"), _AXIS), BRICK)
        canvas.fill(skull - skull.moved(-40, -10), UMBER, 0.4)
        canvas.fill(both_sides(outline("738,160! 780,156 850,140! 850,206! 790,206 738,198!"), _AXIS), NIGHT)
        canvas.fill(ribbon("740,80 740,158", 12), BRICK)
        _drips(canvas, ((690, 120, 34), (790, 116, 30)), BRICK)
    for side in (-1, 1):
        x = _AXIS + side * 44
        eye = outline(
            f"{x - side * 26},190! {x - side * 8},174 {x + side * 12},168 {x + side * 28},166! "
            f"{x + side * 20},190 {x},200"
        )
        canvas.fill(eye, LANTERN)
        canvas.fill(eye - eye.moved(0, 7), AMBER)
        canvas.fill(disc(x + 2, 183, 6), NIGHT)
        canvas.fill(disc(x - 2, 179, 3.4), CREAM)
    for x in (694, 717, 740, 763, 786):
        canvas.fill(box(x - 4, 220, 8, 24, 3), NIGHT)
    _rivets(canvas, "660,150 700,146 740,146 780,146 820,150", 7)
    for x in (644, 836):
        canvas.model(disc(x, 196, 17), AMBER, shade=BRICK, rim=CREAM, light=_FOGLIGHT, depth=8, edge=3)
        canvas.fill(box(x - 10, 194, 20, 4).turned(-30, (x, 196)), UMBER)
    crest = outline("728,100! 730,66 740,44! 750,66 752,100!")
    canvas.model(crest, AMBER, shade=BRICK, rim=CREAM, light=_FOGLIGHT, depth=8, edge=3)


def _gull_on_watch(canvas: Canvas) -> None:
    """It came with one of the masts and sees no reason to leave."""
    for x in (466, 480):
        canvas.fill(ribbon([(x, 176), (x, 200)], 4), AMBER)
    body = outline("420,118! 414,100 430,84 452,86 464,104 500,120 536,150 556,160! 524,174 480,182 444,170 428,144")
    canvas.model(body, CREAM, shade=HAZE, rim=CREAM, light=_FOGLIGHT, depth=14, edge=4)
    canvas.fill(outline("456,132! 500,128 540,152 566,158! 520,168 474,162"), HAZE)
    canvas.fill(outline("536,152! 566,156 576,164! 540,166!"), NIGHT)
    canvas.fill(outline("420,98! 398,106 392,118! 408,114 422,112!"), AMBER)
    canvas.fill(disc(436, 102, 5), NIGHT)
    canvas.fill(disc(434, 100, 2), CREAM)
