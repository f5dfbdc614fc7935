"""What the tide leaves on the beach."""

from .kit import (
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
    mix,
    outline,
    oval,
    picture,
    ribbon,
    ridge,
    streak,
    wave,
)

_SUNSET = (-0.5, -0.85)
_MIDDLE = 690.0  # the crab's own axis


@picture(MAUVE)
def iron_crab(canvas: Canvas) -> None:
    """A riveted crab, boiler lit, comes up the beach against the sunset."""
    halo_sky(
        canvas, 690, 470, (900, 710, 560, 430, 310, 200), (ROSE, BLUSH, APRICOT, PEACH, mix(PEACH, CREAM), CREAM), 0.92
    )
    for x, y, width, ink in (
        (200, 250, 330, ROSE),
        (1190, 220, 360, ROSE),
        (1130, 400, 260, APRICOT),
        (190, 420, 300, APRICOT),
    ):
        canvas.fill(streak(x, y, width), ink, 0.9)
    canvas.fill(ridge("-10,470 100,440 230,456 360,480 470,500", 600), MAUVE)
    canvas.fill(ridge("900,500 1040,470 1180,430 1370,420", 600), MAUVE)
    canvas.fill(wave(494, 2, 300), SEA)
    glitter(canvas, 690, 500, 590, 520, PEACH, 9, 0.9)
    canvas.fill(wave(560, 6, 420, 100), TEAL, 0.6)
    _beach(canvas)
    _legs(canvas)
    _funnel(canvas)
    _crab_claws(canvas)
    _carapace(canvas)
    _crab_eyes(canvas)


def _beach(canvas: Canvas) -> None:
    canvas.fill(wave(596, 9, 500, 60), FOAM)
    canvas.fill(wave(608, 9, 500, 60), ROSE)
    canvas.fill(wave(646, 12, 640, 300), BLUSH)
    canvas.model(wave(700, 14, 900, 100), APRICOT, rim=PEACH, light=(0, -1), edge=6)
    canvas.fill(oval(700, 762, 470, 46), MAUVE, 0.85)
    canvas.fill(oval(720, 768, 330, 26), PLUM, 0.6)
    canvas.fill(wave(812, 8, 760, 300), BLUSH)
    for x, y, size in (
        (150, 752, 17),
        (190, 766, 10),
        (1180, 740, 14),
        (1216, 752, 20),
        (1110, 806, 11),
        (300, 810, 13),
    ):
        canvas.model(oval(x, y, size * 1.3, size * 0.8), MAUVE, rim=PEACH, light=(-0.3, -1), edge=3)
    shell = both_sides(outline("1268,800! 1290,792 1318,744 1300,712 1268,704!"), 1269)
    canvas.model(shell, CREAM, shade=BLUSH, light=_SUNSET, depth=12)
    for lean in (-30, -15, 0, 15, 30):
        canvas.fill(ribbon([(1269, 796), (1269 + lean, 716)], 3), ROSE)


def _legs(canvas: Canvas) -> None:
    """Three jointed legs a side, the hindmost first; every joint is a brass pin."""
    for hip, knee, ankle, toe, ink in (
        ("880,560", "1046,520", "1150,620", "1176,736", PLUM),
        ("860,600", "1000,580", "1076,672", "1092,772", INDIGO),
        ("820,630", "912,640", "968,716", "968,800", INDIGO),
    ):
        thigh = ribbon(f"{hip} {knee}", 42, 34)
        shin = ribbon(f"{knee} {ankle}", 36, 26)
        foot = ribbon(f"{ankle} {toe}", 28, 3)
        for part in (foot, shin, thigh):
            for limb in (part, part.mirrored(_MIDDLE)):
                canvas.model(limb, ink, rim=BLUSH, light=_SUNSET, edge=5)
        for pin, size in ((knee, 17), (ankle, 12)):
            x, y = (float(number) for number in pin.split(","))
            for side in (x, 2 * _MIDDLE - x):
                _pin(canvas, side, y, size)


def _pin(canvas: Canvas, x: float, y: float, radius: float) -> None:
    canvas.fill(disc(x, y, radius + 3), NIGHT)
    canvas.model(disc(x, y, radius), AMBER, shade=BRICK, rim=CREAM, light=_SUNSET, depth=radius * 0.5, edge=2.5)
    canvas.fill(box(x - radius * 0.6, y - 2, radius * 1.2, 4).turned(-30, (x, y)), UMBER)


def _funnel(canvas: Canvas) -> None:
    for puff in (((806, 268, 30), (836, 250, 36), (812, 228, 26)), ((850, 188, 24), (872, 172, 20)), ((846, 128, 14),)):
        steam = joined(*(disc(x, y, radius) for x, y, radius in puff))
        canvas.model(steam, BLUSH, shade=ROSE, rim=CREAM, light=_SUNSET, depth=10, edge=5)
    pipe = outline("786,420! 784,320! 840,320! 838,420!")
    canvas.model(pipe, INDIGO, shade=NIGHT, rim=BLUSH, light=(-1, 0), depth=24, edge=6)
    canvas.model(box(776, 304, 72, 24, 6), AMBER, shade=BRICK, rim=CREAM, light=_SUNSET, depth=10, edge=4)


def _crab_claws(canvas: Canvas) -> None:
    _claw(canvas, 1.0, -1)
    _claw(canvas, 1.14, 1)


def _claw(canvas: Canvas, size: float, side: int) -> None:
    """One arm and its pincer, drawn on the right; `side` -1 puts it on the left."""

    def place(shape: Shape) -> Shape:
        grown = shape.scaled(size, size, (1010, 430))
        return grown if side > 0 else grown.mirrored(_MIDDLE)

    upper = ribbon("880,500 1000,470", 58, 50)
    fore = ribbon("1000,470 1042,396", 52, 46)
    for limb in (upper, fore):
        canvas.model(
            limb if side > 0 else limb.mirrored(_MIDDLE),
            INDIGO,
            shade=NIGHT,
            rim=BLUSH,
            light=_SUNSET,
            depth=16,
            edge=6,
        )
    palm = outline(
        "1010,424! 956,384 926,310 934,226 976,150 1052,92! 1040,140 1034,160! 1044,166! 1028,188! "
        "1040,198! 1030,222! 1046,236! 1056,262! 1090,292 1112,330 1090,390 1060,424!"
    )
    finger = outline(
        "1060,276! 1074,252! 1068,232! 1082,218! 1078,198! 1090,184! 1090,150 1082,112! 1140,166 1160,230 "
        "1146,290 1112,330 1076,318!"
    )
    canvas.model(place(finger), DUSK, shade=INDIGO, rim=PEACH, light=_SUNSET, depth=24, edge=6)
    canvas.model(place(palm), DUSK, shade=INDIGO, rim=PEACH, light=_SUNSET, depth=34, edge=8)
    with canvas.inside(place(palm)):
        canvas.fill(place(ribbon("930,330 1000,344 1070,316 1120,290", 7)), NIGHT)
        canvas.fill(place(ribbon("940,230 990,240 1050,226", 7)), NIGHT)
        canvas.fill(place(box(980, 398, 120, 40)), BRICK)
    for x, y in ((950, 298), (1026, 308), (954, 256), (1000, 268), (968, 364), (1044, 366), (976, 202), (1008, 172)):
        _rivet(canvas, place(disc(x, y, 6)))
    for x, y in ((1124, 200), (1136, 246), (1126, 290)):
        _rivet(canvas, place(disc(x, y, 5)))
    _pin(canvas, *place(disc(1086, 316, 6)).centre, 17 * size)
    elbow = 1000.0 if side > 0 else 2 * _MIDDLE - 1000
    _pin(canvas, elbow, 472, 19)


def _rivet(canvas: Canvas, head: Shape) -> None:
    canvas.fill(head, NIGHT)
    canvas.fill(head.scaled(0.8).moved(-1, -1), AMBER)


def _carapace(canvas: Canvas) -> None:
    half = outline("688,394! 780,398 866,424 930,474 962,520! 926,548 890,600 826,644 750,664 688,668!")
    hull = both_sides(half, _MIDDLE)
    canvas.model(hull, DUSK, shade=INDIGO, rim=CREAM, light=_SUNSET, depth=40, edge=8)
    with canvas.inside(hull):
        belly = both_sides(outline("688,548! 800,546 900,528 980,510! 980,700! 688,700!"), _MIDDLE)
        canvas.model(belly, INDIGO, shade=NIGHT, light=(-0.5, -1), depth=30)
        canvas.fill(belly - belly.moved(0, 12), AMBER)
        for x in (790, 878):
            seam = ribbon(f"{x - 26},390 {x - 6},460 {x},540", 6)
            canvas.fill(both_sides(seam, _MIDDLE), NIGHT)
        canvas.glow(690, 604, 190, AMBER, 0.22, 3)
        canvas.fill(both_sides(outline("688,410! 730,412 752,416! 768,460 772,520! 688,524!"), _MIDDLE), HAZE, 0.35)
    for x, y in (
        (716, 420),
        (748, 424),
        (780, 438),
        (786, 480),
        (790, 520),
        (826, 440),
        (862, 462),
        (872, 510),
        (906, 486),
        (930, 514),
        (832, 520),
    ):
        for place in (x, 2 * _MIDDLE - x):
            _rivet(canvas, disc(place, y, 6))
    _furnace(canvas)


def _furnace(canvas: Canvas) -> None:
    """The mouth: a grille with the boiler fire behind it."""
    door = box(592, 572, 196, 66, 30)
    canvas.fill(box(582, 562, 216, 86, 40), AMBER)
    canvas.fill(box(582, 562, 216, 86, 40) - box(582, 552, 216, 86, 40), BRICK)
    canvas.fill(door, CORAL)
    with canvas.inside(door):
        canvas.fill(oval(690, 632, 90, 40), AMBER)
        canvas.fill(oval(690, 640, 64, 34), LANTERN)
        canvas.fill(oval(690, 646, 34, 24), CREAM)
        for x in range(612, 780, 26):
            canvas.fill(box(x - 4, 566, 9, 80), NIGHT)


def _crab_eyes(canvas: Canvas) -> None:
    for side in (-1, 1):
        x = _MIDDLE + side * 66
        stalk = ribbon([(_MIDDLE + side * 46, 420), (x - side * 4, 370), (x, 330)], 24, 20, 22)
        canvas.model(stalk, INDIGO, shade=NIGHT, rim=BLUSH, light=(-1, -0.2), depth=8, edge=4)
        canvas.model(disc(x, 312, 44), AMBER, shade=BRICK, rim=CREAM, light=_SUNSET, depth=14, edge=4)
        canvas.fill(disc(x, 312, 32), NIGHT)
        canvas.fill(disc(x, 312, 28), LANTERN)
        canvas.fill(disc(x, 312, 28) - disc(x - 5, 306, 28), AMBER)
        canvas.fill(disc(x, 316, 13), NIGHT)
        canvas.fill(disc(x - 9, 302, 6), CREAM)
        canvas.model(
            outline(f"{x - 46},312! {x - 32},278 {x},266 {x + 32},278 {x + 46},312! {x},{292 + side * 4}"),
            DUSK,
            shade=INDIGO,
            rim=CREAM,
            light=_SUNSET,
            depth=10,
            edge=5,
        )
