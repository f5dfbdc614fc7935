"""What gathers round a lamp after dark."""

from .kit import (
    AMBER,
    APRICOT,
    BRICK,
    CORAL,
    CREAM,
    FOAM,
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
    disc,
    halo_sky,
    joined,
    lantern,
    mix,
    outline,
    oval,
    picture,
    ribbon,
    ridge,
    stars,
    stations,
    town,
)

_GLASS = (0.0, 1.0)  # the moth hangs above its light
_CANDLE = (-1.0, -0.15)
_AXIS = 690.0  # of moth and lantern alike
_SPINE = 740.0  # of the soldier


@picture(UMBER)
def lantern_moth(canvas: Canvas) -> None:
    """A moon moth has mistaken the garden lantern for the real thing."""
    halo_sky(
        canvas, 690, 470, (860, 690, 540, 410, 300), (mix(UMBER, BRICK), BRICK, mix(BRICK, CORAL), CORAL, AMBER), 0.96
    )
    stars(canvas, 40, (20, 20, 1330, 430), PEACH, 0.7)
    canvas.fill(ridge("-10,610 140,580 300,600 440,660 560,712", 760), mix(UMBER, BRICK))
    canvas.fill(ridge("830,712 960,650 1120,606 1260,590 1370,600", 760), mix(UMBER, BRICK))
    town(canvas, 1030, 622, 40, mix(UMBER, BRICK), houses=8)
    _garden_wall(canvas)
    lantern(canvas, 690, 724, 560, reach=0.62)
    _night_flowers(canvas)
    _moth_wings(canvas)
    _wing_marks(canvas)
    _moth_body(canvas)
    for x, y, size, turn in ((330, 470, 26, -20), (1120, 420, 22, 24), (1010, 560, 18, -12), (400, 590, 17, 30)):
        wings = both_sides(
            outline(
                f"{x},{y}! {x + size * 0.5},{y - size} {x + size * 1.3},{y - size * 0.7} "
                f"{x + size * 0.6},{y + size * 0.1} {x + size * 0.8},{y + size * 0.6} "
                f"{x + size * 0.2},{y + size * 0.5}"
            ),
            x,
        )
        canvas.fill(wings.turned(turn, (x, y)), LANTERN)


def _garden_wall(canvas: Canvas) -> None:
    canvas.fill(box(-10, 730, 1370, 120), NIGHT)
    canvas.model(box(-10, 712, 1370, 34, 4), PLUM, rim=AMBER, light=(0, -1), edge=6)
    with canvas.inside(box(-10, 718, 1370, 28)):
        canvas.lighten(oval(690, 724, 420, 40), AMBER, 0.5)
    for column in range(9):
        canvas.fill(box(-120 + column * 176, 758, 164, 90, 10), mix(NIGHT, PLUM))


def _night_flowers(canvas: Canvas) -> None:
    """Tall stems to either side of the lantern, every flower turned towards it."""
    for x, height, lean in ((90, 300, 20), (180, 210, -24), (1250, 320, -20), (1170, 220, 26), (1320, 210, -20)):
        spine = [(x, 860.0), (x - lean, 860 - height * 0.5), (x + lean, 860.0 - height)]
        leaves = []
        for step, (px, py, _) in enumerate(stations(spine, 4, 0.2, 0.8)):
            side = -1 if step % 2 else 1
            leaves.append(
                outline(f"{px},{py}! {px + side * 34},{py - 34} {px + side * 64},{py - 30}! {px + side * 36},{py - 6}")
            )
        canvas.fill(joined(ribbon(spine, 9, 6), *leaves), NIGHT)
        _night_flower(canvas, x + lean, 860 - height, 1.0 if x < 690 else -1.0)


def _night_flower(canvas: Canvas, x: float, y: float, toward: float) -> None:
    """A trumpet flower turned to the lamp."""
    bell = outline(
        f"{x - 8},{y + 40}! {x - 14},{y + 6} {x - 40},{y - 22}! {x - 16},{y - 24} {x},{y - 36}! "
        f"{x + 16},{y - 24} {x + 40},{y - 22}! {x + 14},{y + 6} {x + 8},{y + 40}!"
    )
    canvas.model(
        bell.turned(34 * toward, (x, y + 30)), ROSE, shade=MAUVE, rim=PEACH, light=(toward, -0.2), depth=22, edge=5
    )


def _moth_wings(canvas: Canvas) -> None:
    hind = outline(
        "700,356! 800,372 920,384 1000,424 1010,486 968,536 922,566 898,612 900,660 928,706! 884,700 "
        "856,656 852,606 834,556 790,490 716,420!"
    )
    fore = outline(
        "700,300! 740,236 830,168 940,132 1060,130 1134,158! 1096,220 1062,290 1040,350 1012,400 920,404 "
        "800,392 704,370!"
    )
    for side in (hind, hind.mirrored(_AXIS)):
        canvas.model(side, SEA, shade=TEAL, rim=LANTERN, light=_GLASS, depth=40, edge=7)
    with canvas.inside(both_sides(hind, _AXIS)):
        for grow, ink in ((0.0, SPRAY), (9.0, FOAM)):
            edge = ribbon(
                [
                    (1030, 420 + grow),
                    (1030 - grow, 490),
                    (970 - grow, 552 - grow),
                    (914 - grow, 590),
                    (884 - grow, 640),
                ],
                40 - grow * 3,
            )
            canvas.fill(both_sides(edge, _AXIS), ink)
        for tip in ("980,430", "960,500", "900,556", "850,560"):
            canvas.fill(both_sides(ribbon(f"720,390 800,420 {tip}", 3, 4, 3), _AXIS), TEAL)
    for side in (fore, fore.mirrored(_AXIS)):
        canvas.model(side, SEA, rim=LANTERN, light=_GLASS, edge=7)
    with canvas.inside(both_sides(fore, _AXIS)):
        _forewing_bands(canvas, fore)


def _forewing_bands(canvas: Canvas, fore: Shape) -> None:
    """From the shoulder out: veins, a wavy line, a pale margin; and the dark leading edge over all."""
    for tip in ("1100,170", "1080,230", "1050,300", "1020,370", "930,396"):
        canvas.fill(
            both_sides(ribbon(f"710,330 860,{(330 + float(tip.split(',')[1])) / 2} {tip}", 3, 5, 3), _AXIS), TEAL
        )
    canvas.fill(both_sides(ribbon("1150,130 1104,220 1074,290 1050,350 1020,410", 58, 52, 46), _AXIS), SPRAY)
    canvas.fill(both_sides(ribbon("1156,130 1112,220 1082,290 1058,350 1028,410", 26, 24, 22), _AXIS), FOAM)
    canvas.fill(both_sides(ribbon("1056,120 1030,180 1040,220 1006,270 1012,310 980,350 974,410", 9), _AXIS), CORAL)
    canvas.fill(both_sides(ribbon("812,150 826,220 808,260 826,300 812,340 826,410", 8), _AXIS), FOAM)
    lead = fore - fore.moved(-4, 24)
    canvas.fill(both_sides(lead - box(690, 300, 500, 400), _AXIS), PLUM)
    canvas.fill(both_sides(fore - fore.moved(0, -7) - box(690, 0, 330, 380), _AXIS), LANTERN)


def _wing_marks(canvas: Canvas) -> None:
    for x, y, size in ((924, 264, 44), (900, 468, 34)):
        for mark, ink in ((1.0, NIGHT), (0.84, LANTERN), (0.6, CORAL), (0.42, NIGHT)):
            canvas.fill(both_sides(disc(x, y, size * mark), _AXIS), ink)
        for place in (x, 2 * _AXIS - x):
            canvas.fill(disc(place - size * 0.14, y - size * 0.16, size * 0.13), CREAM)


def _moth_body(canvas: Canvas) -> None:
    for step, (x, y, _) in enumerate(stations("712,226 780,170 830,92", 12, 0.12, 1.0)):
        barb = joined(
            ribbon([(x, y), (x + 22 - step, y - 4 - step * 0.6)], 5, 2),
            ribbon([(x, y), (x - 16 + step * 0.6, y - 18 + step * 0.6)], 5, 2),
        )
        canvas.fill(both_sides(barb, _AXIS), PEACH)
    canvas.fill(both_sides(ribbon("706,236 780,170 830,92", 8, 6, 3), _AXIS), PEACH)
    tail = both_sides(outline("688,360! 722,366 736,410 728,470 710,520 688,546!"), _AXIS)
    canvas.model(tail, PEACH, shade=APRICOT, light=_GLASS, depth=30)
    with canvas.inside(tail):
        for y in (410, 442, 474, 504):
            canvas.fill(ribbon([(640, y - 8), (690, y + 6), (740, y - 8)], 10), BRICK)
    ruff = both_sides(
        outline(
            "688,236! 722,246 752,272! 748,290 768,310! 756,326 766,350! 746,360 742,384! 722,380 "
            "706,398! 698,388 688,398!"
        ),
        _AXIS,
    )
    canvas.model(ruff, CREAM, shade=PEACH, light=_GLASS, depth=40)
    for x, y in ((690, 330), (664, 316), (716, 316), (676, 352), (704, 352)):
        canvas.fill(ribbon([(x, y - 12), (x, y + 8)], 4, 5, 1), APRICOT)
    head = oval(690, 242, 44, 38)
    canvas.model(head, PEACH, shade=APRICOT, light=(0, -1), depth=12)
    for x in (662, 718):
        canvas.fill(disc(x, 240, 25), UMBER)
        canvas.fill(disc(x, 240, 21), AMBER)
        canvas.fill(disc(x, 243, 17), LANTERN)
        canvas.fill(disc(x, 243, 11), NIGHT)
        canvas.fill(disc(x - 5, 236, 5), CREAM)
    canvas.fill(ribbon("680,264 690,269 700,264", 3, 4, 3), BRICK)
