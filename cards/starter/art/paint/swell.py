"""Open water: what stands up out of it, and what goes down into it."""

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
    NIGHT,
    PEACH,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Shape,
    both_sides,
    box,
    bubbles,
    chop,
    disc,
    fish,
    glitter,
    gull,
    halo_sky,
    joined,
    mix,
    outline,
    oval,
    picture,
    ribbon,
    ridge,
    shafts,
    stations,
    streak,
    town,
    wave,
    weed,
)

_DAWN = (-1.0, -0.35)  # the rogue wave is lit from the left
_ABOVE = (-0.5, -1.0)


@picture(NIGHT)
def rogue_wave(canvas: Canvas) -> None:
    """A wave off the timetable curls over a very small boat at first light."""
    halo_sky(
        canvas,
        330,
        610,
        (1080, 860, 660, 480, 350, 240, 140),
        (INDIGO, mix(INDIGO, DUSK), DUSK, HAZE, BLUSH, APRICOT, PEACH),
    )
    for x, y, width, ink in ((190, 300, 360, INDIGO), (470, 420, 260, HAZE), (90, 480, 240, BLUSH)):
        canvas.fill(streak(x, y, width), ink, 0.7)
    canvas.fill(ridge("-10,586 80,560 170,566 270,600 340,616", 660), DUSK)
    town(canvas, 10, 582, 26, DUSK, houses=7)
    canvas.fill(wave(612, 2, 300), TEAL)
    glitter(canvas, 330, 616, 690, 260, PEACH, 9)
    canvas.fill(wave(652, 12, 380, 90), mix(TEAL, ABYSS))
    _breaker(canvas)
    _claws(canvas)
    _dinghy(canvas)
    for x, y, span, tilt in ((356, 250, 58, -12), (300, 306, 40, 6), (410, 330, 34, -4)):
        canvas.fill(gull(x, y, span, tilt), NIGHT)
    canvas.model(chop(786, 22, 230, 40), ABYSS, rim=SPRAY, light=(0, -1), edge=5)
    canvas.fill(chop(818, 20, 290, 190), NIGHT)


def _breaker(canvas: Canvas) -> None:
    """The wave itself, its water drawn up from the trough in long bands that meet at the crest."""
    body = outline(
        "1380,330! 1260,250 1120,160 960,104 800,92 670,124 570,190 506,270 470,366! 540,318 620,300 "
        "690,330 728,400 726,490 680,570 590,634 470,674 320,700 150,712 -20,716! -20,870! 1380,870!"
    )
    canvas.model(body, TEAL, rim=SPRAY, light=_DAWN, edge=8)
    bands = (
        ("160,746 480,706 640,660 744,590 794,500 792,400 752,310 680,250 610,236", SPRAY, 26),
        ("260,786 550,746 710,694 824,610 874,500 862,380 810,280 730,206 660,190", SEA, 42),
        ("420,826 640,784 800,720 914,620 956,490 934,360 870,256 790,178 730,150", ABYSS, 34),
        ("600,856 760,806 900,740 1006,630 1040,490 1012,350 940,240 860,160 810,130", SEA, 46),
        ("800,866 910,810 1020,736 1100,620 1126,490 1098,360 1030,250 950,166 900,126", ABYSS, 40),
        ("1000,866 1090,770 1170,650 1202,520 1182,390 1120,274 1050,190 1000,140", SEA, 40),
        ("1190,866 1250,740 1280,600 1266,460 1210,330 1140,226", ABYSS, 50),
        ("1330,866 1370,700 1376,540 1330,390 1250,270", NIGHT, 50),
    )
    with canvas.inside(body):
        for spine, ink, width in bands:
            canvas.fill(ribbon(spine, 6, width * 0.7, width, width * 0.8, width * 0.4, 4), ink)
        canvas.fill(ribbon("320,716 480,690 604,648 700,580 748,494 748,400 704,322", 2, 5, 6, 5, 2), FOAM)
        canvas.fill(ribbon("700,742 830,676 900,580 914,480", 1, 6, 5, 1), SPRAY)
        canvas.fill(ribbon("960,760 1050,670 1078,560 1070,460", 1, 5, 5, 1), SPRAY)


def _claws(canvas: Canvas) -> None:
    """The crest breaking into foam: a heavy brow along the lip, with fingers that hook down over the boat."""
    lip = "1010,116 900,90 790,92 690,122 604,178 540,256 492,340"
    heaps = joined(*(disc(x, y, (34, 44, 30, 48, 38)[step % 5]) for step, (x, y, _) in enumerate(stations(lip, 15))))
    fingers = joined(
        *(
            _finger(x, y, size, lean)
            for x, y, size, lean in (
                (494, 344, 1.1, 16),
                (528, 296, 1.35, 4),
                (566, 244, 1.0, -4),
                (604, 208, 1.5, -10),
                (658, 168, 1.1, -18),
                (704, 148, 1.4, -22),
                (764, 122, 1.0, -32),
                (812, 116, 1.3, -36),
                (874, 110, 0.9, -44),
                (920, 112, 1.1, -48),
            )
        )
    )
    canvas.model(fingers, FOAM, shade=SPRAY, light=_DAWN, depth=14)
    canvas.model(heaps, CREAM, shade=FOAM, light=_DAWN, depth=26)
    with canvas.inside(heaps):
        for x, y, radius in ((560, 270, 20), (640, 190, 24), (720, 146, 18), (820, 122, 22), (910, 112, 16)):
            canvas.fill(disc(x, y, radius) - disc(x - 7, y - 8, radius), SPRAY)
    for x, y, radius in (
        (452, 300, 9),
        (430, 346, 6),
        (470, 240, 7),
        (440, 400, 10),
        (500, 190, 8),
        (462, 452, 5),
        (536, 150, 6),
        (580, 110, 9),
        (500, 470, 7),
        (560, 420, 6),
        (640, 70, 7),
        (760, 36, 6),
        (400, 420, 4),
        (700, 46, 4),
        (604, 400, 5),
    ):
        canvas.fill(disc(x, y, radius), CREAM)


def _finger(x: float, y: float, size: float, lean: float) -> Shape:
    """A hook of foam hanging from (x, y) with a smaller one beside it."""
    hook = outline(
        f"{x - 26},{y - 14}! {x - 36},{y + 26} {x - 30},{y + 62} {x - 44},{y + 92}! {x - 8},{y + 84} "
        f"{x + 6},{y + 50} {x + 12},{y + 20}! {x + 16},{y + 46} {x + 8},{y + 66}! {x + 30},{y + 46} "
        f"{x + 34},{y - 14}!"
    )
    return hook.scaled(size, size, (x, y)).turned(lean, (x, y))


def _dinghy(canvas: Canvas) -> None:
    """The boat in the trough, bow to the wave, its lamp lit."""

    def tossed(shape: Shape) -> Shape:
        return shape.turned(-12, (330, 690))

    hull = outline("262,668! 330,676 404,660! 384,704 356,716 296,716 274,704")
    canvas.glow(286, 640, 66, LANTERN, 0.2, 3)
    canvas.fill(tossed(box(330, 560, 6, 116)), UMBER)
    canvas.model(tossed(outline("333,562! 384,606 400,650! 333,660!")), CORAL, shade=BRICK, light=_DAWN, depth=14)
    canvas.fill(tossed(outline("333,570! 300,620 286,652! 333,662!")), PEACH)
    canvas.model(tossed(hull), UMBER, rim=APRICOT, light=(-0.4, -1), edge=5)
    canvas.fill(tossed(disc(270, 650, 8)), LANTERN)
    canvas.fill(tossed(box(268, 656, 4, 16)), UMBER)
    canvas.fill(outline("232,722! 280,708 340,716 420,690 470,686! 420,712 350,738 280,738"), FOAM)
    canvas.fill(outline("240,740! 300,728 360,734 430,708! 440,726 360,756 290,760"), mix(TEAL, ABYSS))


@picture(ABYSS)
def drop_anchor(canvas: Canvas) -> None:
    """A great anchor goes down through the bay, past everyone who was asleep there."""
    halo_sky(
        canvas, 830, -60, (1180, 930, 700, 490, 300), (mix(TEAL, ABYSS), TEAL, mix(SEA, TEAL), SEA, mix(SEA, SPRAY))
    )
    shafts(canvas, 830, (56, 70, 84, 98, 112, 126), SPRAY, 0.09)
    _keel(canvas)
    canvas.fill(ridge("-10,640 150,600 300,650 470,700 700,716 940,690 1150,620 1370,590"), mix(TEAL, ABYSS))
    for x, height, width, sway in ((60, 330, 14, 26), (150, 220, 11, -22), (1300, 360, 14, -28)):
        canvas.fill(weed(x, 740, height, width, sway), mix(TEAL, ABYSS))
    for x, y, length, facing in (
        (330, 330, 54, -1),
        (270, 370, 44, -1),
        (380, 392, 40, -1),
        (1150, 290, 50, 1),
        (1216, 330, 42, 1),
    ):
        canvas.fill(fish(x, y, length, facing=facing).turned(14 * facing), mix(SEA, SPRAY))
    canvas.fill(ridge("-10,760 200,740 420,772 640,790 900,776 1120,740 1370,720"), ABYSS)
    _anchor(canvas)
    _chain(canvas)
    _angler(canvas)
    bubbles(
        canvas,
        (
            (590, 380, 15),
            (560, 330, 10),
            (606, 296, 7),
            (566, 262, 5),
            (930, 350, 12),
            (960, 300, 8),
            (936, 262, 6),
            (500, 470, 8),
            (1000, 430, 7),
            (690, 150, 8),
            (860, 170, 10),
            (880, 130, 6),
        ),
    )
    canvas.fill(ridge("-10,806 220,790 520,820 820,826 1080,812 1370,780"), NIGHT)


def _keel(canvas: Canvas) -> None:
    """The ship overhead, and the lamp at its stern shining down into the water."""
    for across, strength in ((190, 0.3), (120, 0.35), (60, 0.5)):
        canvas.lighten(oval(1150, 0, across, across * 0.62), AMBER, strength)
    hull = outline("560,-20! 1130,-20! 1120,24 1084,56! 900,66 760,62 650,44 600,16")
    canvas.model(hull, UMBER, rim=SPRAY, light=(-0.2, 1), edge=4)
    canvas.fill(outline("1090,54! 1124,24! 1136,84! 1098,92!"), UMBER)
    canvas.fill(ribbon("700,54 880,72 1090,58", 6, 14, 8), NIGHT)


def _chain(canvas: Canvas) -> None:
    places = stations("636,6 664,66 714,124 766,172", 9)
    flat = [box(x - 27, y - 18, 54, 36, 18) - box(x - 17, y - 8, 34, 16, 8) for x, y, _ in places]
    edge = [box(x - 25, y - 6, 50, 12, 6) for x, y, _ in places]
    for step, (x, y, heading) in enumerate(places):
        link = edge[step] if step % 2 == 0 else flat[step]
        canvas.model(
            link.turned(heading, (x, y)),
            HAZE if step % 2 else DUSK,
            shade=INDIGO,
            rim=FOAM,
            light=_ABOVE,
            depth=7,
            edge=3,
        )


def _anchor(canvas: Canvas) -> None:
    """Drawn upright about x = 770, then heeled over as one piece."""

    def heel(shape: Shape) -> Shape:
        return shape.turned(9, (770, 210))

    ring = disc(770, 214, 46) - disc(770, 214, 27)
    canvas.model(heel(ring), DUSK, shade=INDIGO, rim=FOAM, light=_ABOVE, depth=12, edge=5)
    arm = outline("760,664! 690,654 632,616 596,560 580,500! 548,506! 558,590 604,668 680,724 760,752!")
    palm = outline("554,420! 500,476 486,560! 530,540 566,536! 610,530 650,536! 624,470")
    shank = outline("746,250! 794,250! 800,460 812,670! 812,720! 770,790! 728,720! 728,670! 740,460")
    iron = joined(both_sides(arm, 770), both_sides(palm, 770), shank)
    canvas.model(heel(iron), INDIGO, shade=NIGHT, rim=FOAM, light=_ABOVE, depth=24, edge=7)
    with canvas.inside(heel(iron)):
        canvas.fill(heel(both_sides(ribbon("562,440 556,490 552,530", 3, 8, 3), 770)), DUSK)
        canvas.fill(heel(ribbon("768,340 770,480 772,640", 4, 9, 5)), DUSK)
        for x, y, size in ((620, 640, 16), (650, 676, 11), (786, 560, 13), (900, 660, 14), (760, 720, 12)):
            canvas.fill(heel(oval(x, y, size, size * 0.7)), BRICK, 0.7)
    stock = heel(ribbon("560,318 660,306 770,300 880,306 980,318", 30, 44, 54, 44, 30))
    canvas.model(stock, BRICK, shade=UMBER, rim=APRICOT, light=_ABOVE, depth=18, edge=6)
    with canvas.inside(stock):
        canvas.fill(heel(ribbon("580,322 680,312 760,312", 1, 4, 1)), UMBER)
        canvas.fill(heel(ribbon("800,316 900,318 960,324", 1, 4, 1)), UMBER)
        for x in (630, 716, 806, 892):
            canvas.fill(heel(box(x, 260, 20, 90)), AMBER)
            canvas.fill(heel(box(x + 14, 260, 6, 90)), UMBER, 0.5)
    canvas.fill(heel(disc(770, 302, 10)), LANTERN)


def _angler(canvas: Canvas) -> None:
    """Somebody who has just been woken, and has put the light on to see by whom."""
    canvas.glow(1062, 604, 92, AMBER, 0.18, 3)
    canvas.fill(ribbon("1150,660 1136,604 1096,580 1066,598", 8, 6, 5, 3), INDIGO)
    canvas.fill(disc(1062, 606, 12), LANTERN)
    canvas.fill(disc(1060, 603, 5), CREAM)
    tail = outline("1240,700! 1300,650 1322,640! 1312,704 1324,764! 1290,756 1238,722!")
    body = outline("1070,720! 1084,670 1130,644 1190,646 1240,676 1262,708 1240,744 1180,768 1110,764")
    canvas.model(joined(tail, body), INDIGO, shade=NIGHT, rim=APRICOT, light=(-1, -0.8), depth=20, edge=5)
    canvas.fill(ribbon("1072,724 1100,742 1140,738", 3, 6, 4), NIGHT)
    for x in (1088, 1108, 1126):
        canvas.fill(outline(f"{x - 5},{733 + (x - 1088) * 0.15}! {x},718! {x + 5},{735 + (x - 1088) * 0.1}!"), CREAM)
    canvas.fill(disc(1126, 682, 19), CREAM)
    canvas.fill(disc(1118, 676, 8), NIGHT)
    canvas.fill(outline("1180,716! 1216,706 1236,724! 1208,742"), DUSK)
