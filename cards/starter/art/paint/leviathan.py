"""What the late boats report, and nobody believes."""

import math

import numpy as np

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
    Canvas,
    Shape,
    chop,
    disc,
    glitter,
    halo_sky,
    lens,
    mix,
    moon,
    outline,
    oval,
    picture,
    polygon,
    ribbon,
    ridge,
    sailboat,
    stars,
    stations,
    streak,
    town,
    wave,
)

_MOONRISE = (0.9, -0.45)  # the serpent looks into the moon


@picture(NIGHT)
def sea_serpent(canvas: Canvas) -> None:
    """The serpent takes a look at the moon, and a late boat at the serpent."""
    halo_sky(
        canvas,
        1130,
        226,
        (980, 770, 580, 420, 290, 190),
        (INDIGO, mix(INDIGO, DUSK), DUSK, mix(DUSK, HAZE), HAZE, mix(HAZE, FOAM)),
        0.96,
    )
    stars(canvas, 52, (20, 20, 1000, 470), CREAM, 0.85)
    moon(canvas, 1130, 226, 112)
    for x, y, width, ink in ((330, 330, 330, DUSK), (1190, 400, 300, HAZE), (930, 150, 180, HAZE)):
        canvas.fill(streak(x, y, width), ink, 0.7)
    canvas.fill(ridge("-10,560 120,520 260,540 380,580 520,610", 700), INDIGO)
    town(canvas, 30, 546, 38, INDIGO, houses=8)
    canvas.fill(wave(596, 3, 320), TEAL)
    glitter(canvas, 1090, 604, 720, 360, CREAM, 10, 0.9)
    canvas.fill(wave(646, 8, 400, 120), mix(TEAL, ABYSS))
    glitter(canvas, 1090, 656, 730, 340, FOAM, 6, 0.8)
    _serpent_coils(canvas)
    _serpent_neck(canvas)
    _serpent_head(canvas)
    _serpent_sea(canvas)


def _coil(canvas: Canvas, spine: str, widths: tuple[float, ...], side: float) -> None:
    """A length of the serpent: back, scales, crest of fins, and the plated belly on one side of the spine."""
    body = ribbon(spine, *widths)
    fins, belly, plates = [], [], []
    for step, (x, y, heading) in enumerate(stations(spine, 41)):
        width = float(np.interp(step / 40, np.linspace(0, 1, len(widths)), widths))
        turn = math.radians(heading + 90 * side)
        across, down = math.cos(turn), math.sin(turn)
        belly.append((x + width * 0.36 * across, y + width * 0.36 * down))
        if step % 2:
            plates.append(
                ribbon(
                    [
                        (x + width * 0.1 * across, y + width * 0.1 * down),
                        (x + width * 0.6 * across, y + width * 0.6 * down),
                    ],
                    4,
                )
            )
        if step % 4 == 1:
            fins.append(_fin(x, y, width, (across, down)))
    for fin in fins:
        canvas.model(fin, CORAL, rim=BLUSH, light=_MOONRISE, edge=4)
    canvas.model(body, SEA, shade=TEAL, rim=FOAM, light=_MOONRISE, depth=widths[0] * 0.3, edge=7)
    with canvas.inside(body):
        canvas.fill(ribbon(belly, *(width * 0.44 for width in widths)), PEACH)
        for plate in plates:
            canvas.fill(plate, APRICOT)


def _fin(x: float, y: float, width: float, belly: tuple[float, float]) -> Shape:
    """One thorn of the crest, on the side away from the belly, leaning towards the tail."""

    def at(out: float, along: float) -> str:
        return f"{x - width * (out * belly[0] + along * belly[1])},{y - width * (out * belly[1] - along * belly[0])}"

    return outline(f"{at(0.36, -0.3)}! {at(0.62, -0.06)} {at(0.84, 0.42)}! {at(0.6, 0.34)} {at(0.36, 0.3)}!")


def _serpent_coils(canvas: Canvas) -> None:
    tail = ribbon("96,800 84,720 104,660 88,616", 50, 40, 30, 16)
    fork = outline("88,640! 60,604 28,590 20,560! 64,570 88,600! 104,560 146,544! 140,590 118,616")
    canvas.model(fork, CORAL, rim=BLUSH, light=_MOONRISE, edge=4)
    canvas.model(tail, SEA, shade=TEAL, rim=FOAM, light=_MOONRISE, depth=12, edge=5)
    _coil(canvas, "176,820 176,700 204,640 252,640 282,700 284,820", (70, 76, 80, 80, 80), 1)
    _coil(canvas, "402,820 400,680 428,590 490,560 552,596 580,680 580,820", (96, 104, 110, 112, 112), 1)


def _serpent_neck(canvas: Canvas) -> None:
    _coil(canvas, "800,830 764,730 722,620 726,510 790,420 850,340 870,260", (176, 168, 154, 138, 124, 112, 100), 1)


def _serpent_head(canvas: Canvas) -> None:
    """In profile, facing the moon: ear fan and horn behind, then skull, jaw and whisker."""
    for tip, ink in (("700,214", CORAL), ("706,284", CORAL), ("724,346", BRICK)):
        x, y = (float(number) for number in tip.split(","))
        canvas.model(
            outline(f"846,236! {x + 60},{y - 8} {x},{y}! {x + 62},{y + 34} 850,306!"),
            ink,
            rim=BLUSH,
            light=(0.3, -1),
            edge=4,
        )
        canvas.fill(ribbon([(844, 262), (x + 60, y + 8), (x + 10, y + 2)], 6, 4, 1), BRICK)
    canvas.model(
        outline("880,176! 850,130 800,104 740,106! 782,132 812,168 836,214!"),
        PEACH,
        shade=APRICOT,
        light=(0, -1),
        depth=12,
    )
    jaw = outline("826,300! 880,286 960,280 1040,272 1064,268! 1058,298 1016,320 960,334 914,348 884,384! 810,360")
    canvas.model(jaw, PEACH, shade=APRICOT, rim=CREAM, light=_MOONRISE, depth=16, edge=5)
    skull = outline(
        "812,320! 800,250 826,188 880,154 936,152 972,176 1020,196 1052,192 1084,206 1096,238 1084,266! "
        "1040,268 980,276 930,284 890,300 868,330"
    )
    canvas.model(skull, SEA, shade=TEAL, rim=FOAM, light=(0.6, -0.8), depth=26, edge=7)
    with canvas.inside(skull):
        cheek = outline("800,330! 836,250 880,240 900,270! 940,262 1000,254 1090,240! 1090,300! 800,360!")
        canvas.fill(cheek, TEAL, 0.6)
        for x, y, size in ((850, 214, 12), (836, 246, 10), (866, 250, 9), (858, 282, 10), (884, 276, 7)):
            canvas.fill(oval(x, y, size, size * 0.8), SPRAY, 0.8)
    canvas.fill(ribbon("884,300 926,284 980,276 1040,268 1084,264", 3, 6, 5, 4), NIGHT)
    for x in (1046, 1018, 968):
        canvas.fill(polygon([(x - 8, 268), (x + 8, 266), (x + 3, 290)]), CREAM)
    canvas.fill(oval(1066, 216, 8, 5).turned(-24), NIGHT)
    _serpent_eye(canvas)
    canvas.fill(ribbon("1066,286 1100,320 1090,366 1116,396", 7, 6, 5, 1), CORAL)
    canvas.fill(ribbon("1036,306 1050,350 1030,390 1046,420", 6, 5, 4, 1), CORAL)


def _serpent_eye(canvas: Canvas) -> None:
    canvas.fill(outline("904,226! 918,196 948,188 978,206! 966,230 934,240"), NIGHT)
    eye = outline("910,225! 924,203 948,195 972,208! 960,226 934,234")
    canvas.fill(eye, LANTERN)
    with canvas.inside(eye):
        canvas.fill(oval(946, 214, 8, 17), NIGHT)
        canvas.fill(disc(953, 207, 5), CREAM)
    canvas.model(outline("896,216! 916,184 950,174 988,198! 950,190 922,202"), SPRAY, shade=SEA, light=(0, -1), depth=8)


def _serpent_sea(canvas: Canvas) -> None:
    """The water in front, foam where the serpent comes through it, and the boat."""
    canvas.fill(chop(716, 12, 170, 40), ABYSS)
    for x, width in ((806, 300), (580, 190), (402, 180), (284, 130), (176, 120), (92, 90)):
        canvas.fill(lens(x, 712, width, 16), FOAM)
        canvas.fill(lens(x + 10, 728, width * 0.8, 8), SPRAY, 0.8)
    sailboat(canvas, 1190, 742, 132, NIGHT, HAZE)
    canvas.glow(1190, 598, 46, AMBER, 0.24, 3)
    canvas.fill(disc(1190, 598, 7), LANTERN)
    glitter(canvas, 1140, 740, 800, 260, PEACH, 5, 0.8)
    canvas.fill(chop(784, 18, 210, 120), NIGHT)
    for x, y in ((1090, 410), (1046, 446), (960, 372), (914, 420)):
        canvas.fill(outline(f"{x},{y - 10}! {x + 4},{y + 2} {x},{y + 7} {x - 4},{y + 2}"), FOAM)
