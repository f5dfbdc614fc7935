"""Among the rocks, where the octopus keeps its study."""

import math

import numpy as np

from .kit import (
    ABYSS,
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
    ROSE,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    both_sides,
    box,
    bubbles,
    crescent,
    disc,
    halo_sky,
    joined,
    mix,
    outline,
    oval,
    picture,
    polygon,
    ribbon,
    ridge,
    shafts,
    stations,
    wave,
    weed,
)

_DOWN = (-0.35, -1.0)  # light under water falls from above, a little from the left


@picture(NIGHT)
def ink_octopus(canvas: Canvas) -> None:
    """The octopus at its desk: eight arms, one quill, one bottle and a good deal of ink."""
    halo_sky(canvas, 690, 300, (900, 720, 560, 410), (ABYSS, mix(TEAL, ABYSS), TEAL, mix(SEA, TEAL)), 0.95)
    shafts(canvas, 690, (66, 78, 90, 102, 114), SPRAY, 0.09)
    canvas.fill(ridge("-10,640 160,600 380,660 640,640 960,670 1180,610 1370,640"), mix(TEAL, ABYSS))
    for x, height, width, sway in ((70, 330, 14, 26), (1290, 380, 14, -30), (1210, 240, 12, 24)):
        canvas.fill(weed(x, 720, height, width, sway), mix(TEAL, ABYSS))
    _ink(canvas)
    for spine, side in (
        ("640,440 500,420 380,350 296,262 318,180 392,196 378,254", 1.0),
        ("750,440 900,420 1010,350 1070,262 1040,176 972,196 984,250", -1.0),
        ("650,460 480,496 320,460 190,430 122,490 158,556 218,528", -1.0),
        ("740,460 900,500 1060,464 1180,430 1254,490 1216,560 1156,530", 1.0),
    ):
        _arm(canvas, spine, side, BRICK, UMBER, ROSE)
    for spine, side in (
        ("640,470 520,580 380,596 250,612 176,690 236,758 294,712", -1.0),
        ("744,470 870,580 1000,600 1130,616 1206,694 1140,764 1086,716", 1.0),
        ("664,470 630,610 540,690 430,716 400,780 462,812 500,772", -1.0),
        ("720,470 760,610 840,690 940,712 978,778 914,812 876,774", 1.0),
    ):
        _arm(canvas, spine, side, CORAL, BRICK, APRICOT)
    _octopus_head(canvas)
    _quill_and_bottle(canvas)
    bubbles(canvas, ((520, 150, 12), (492, 104, 8), (528, 70, 6), (880, 130, 9), (906, 92, 6)))


def _ink(canvas: Canvas) -> None:
    for ink, grow in ((INDIGO, 26), (NIGHT, 0)):
        puffs = (
            (300, 800, 150),
            (470, 740, 130),
            (640, 760, 150),
            (820, 740, 130),
            (1000, 780, 140),
            (1150, 830, 120),
            (160, 850, 110),
        )
        canvas.fill(joined(*(disc(x, y, radius + grow) for x, y, radius in puffs)), ink)
    for x, y, radius in ((420, 800, 50), (900, 800, 56), (660, 730, 44)):
        canvas.fill(crescent(x, y, radius, 10, 12), INDIGO)


def _arm(canvas: Canvas, spine: str, side: float, ink: Colour, shade: Colour, rim: Colour) -> None:
    """A tapering arm with its paler underside, and suckers along that, on one side of the spine."""
    widths = (96, 78, 62, 48, 36, 26, 12)
    arm = ribbon(spine, *widths)
    canvas.model(arm, ink, shade=shade, rim=rim, light=_DOWN, depth=14, edge=6)
    under, cups = [], []
    for step, (x, y, heading) in enumerate(stations(spine, 21, 0.1, 0.96)):
        width = float(np.interp(0.1 + 0.86 * step / 20, np.linspace(0, 1, len(widths)), widths))
        turn = math.radians(heading + 90 * side)
        under.append((x + width * 0.38 * math.cos(turn), y + width * 0.38 * math.sin(turn)))
        cups.append((x + width * 0.27 * math.cos(turn), y + width * 0.27 * math.sin(turn), width))
    with canvas.inside(arm):
        canvas.fill(ribbon(under, *(width * 0.55 for width in widths)), rim)
        for x, y, width in cups[2:]:
            canvas.fill(disc(x, y, width * 0.155 + 1), PEACH)
            canvas.fill(disc(x, y, width * 0.075 + 0.6), shade)


def _octopus_head(canvas: Canvas) -> None:
    half = outline("688,70! 770,78 846,130 874,216 852,296 808,350 816,404 846,450 812,504 748,536 688,544!")
    head = both_sides(half, 690)
    canvas.model(head, CORAL, shade=BRICK, rim=PEACH, light=_DOWN, depth=26, edge=8)
    with canvas.inside(head):
        canvas.fill(head - head.moved(-60, -10), BRICK)
        for x, y, size in (
            (600, 150, 20),
            (648, 112, 12),
            (572, 206, 13),
            (640, 196, 15),
            (730, 140, 14),
            (690, 236, 11),
            (610, 262, 10),
        ):
            canvas.fill(oval(x, y, size, size * 0.82), APRICOT, 0.75)
        canvas.fill(ribbon("646,470 690,488 734,470", 3, 7, 3), UMBER)
    for side in (-1, 1):
        x = 690 + side * 88
        canvas.fill(oval(x, 386, 64, 58), BRICK)
        canvas.fill(oval(x - 3, 382, 60, 54), CORAL)
        canvas.fill(oval(x, 390, 46, 42), CREAM)
        with canvas.inside(oval(x, 390, 46, 42)):
            canvas.fill(oval(x - 4, 394, 34, 34), LANTERN)
            canvas.fill(box(x - 32, 384, 56, 22, 11), NIGHT)
            canvas.fill(disc(x + 8, 384, 7), CREAM)
            canvas.fill(
                outline(f"{x - 60},330! {x + 60},330! {x + 60},{378 - side * 8}! {x},370 {x - 60},{378 + side * 8}!"),
                BRICK,
            )


def _quill_and_bottle(canvas: Canvas) -> None:
    feather = outline("1020,286! 1030,200 1080,120 1150,60! 1150,140 1110,210 1060,262!")
    canvas.model(feather, CREAM, shade=HAZE, light=(-0.8, -0.6), depth=26)
    canvas.fill(ribbon("980,350 1040,250 1090,160 1150,60", 6, 5, 4, 1), AMBER)
    canvas.fill(polygon("984,336 994,342 968,374"), NIGHT)
    for barb in ("1066,210 1096,204", "1084,172 1120,160", "1046,240 1074,240"):
        canvas.fill(ribbon(barb, 1, 4), HAZE)
    canvas.fill(ribbon("1066,276 1062,220 1030,182", 34, 31, 27), BRICK)
    canvas.fill(ribbon("1079,270 1074,216 1040,174", 6), ROSE)
    glass = outline("116,372! 184,372! 184,398 210,424 216,490 200,500! 100,500! 84,490 90,424 116,398")
    canvas.model(glass, SPRAY, shade=SEA, rim=CREAM, light=_DOWN, depth=14, edge=5)
    with canvas.inside(glass.scaled(0.86)):
        canvas.fill(wave(438, 4, 60), NIGHT)
        canvas.fill(ribbon("108,450 106,484", 7), DUSK)
    canvas.model(box(108, 362, 84, 18, 6), FOAM, shade=SEA, light=_DOWN, depth=8)
    canvas.fill(ribbon("196,440 150,452 104,470", 44, 40, 34), BRICK)
    canvas.fill(ribbon("196,426 150,438 104,458", 8, 7, 6), ROSE)
