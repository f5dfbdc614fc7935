"""Over the roofs of the town, when everyone ought to be asleep."""

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BLUSH,
    BRICK,
    CORAL,
    CREAM,
    INDIGO,
    LANTERN,
    MAUVE,
    NIGHT,
    PLUM,
    ROSE,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    Points,
    box,
    disc,
    glitter,
    gull,
    halo_sky,
    joined,
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
    streak,
    wave,
)

_MOON = (780.0, 350.0)


@picture(INDIGO)
def full_moon(canvas: Canvas) -> None:
    """The moon comes up out of the bay, too big for it, and the roofs have the best seats."""
    x, y = _MOON
    halo_sky(canvas, x, y, (860, 690, 550, 440, 370), (mix(INDIGO, PLUM), PLUM, MAUVE, ROSE, BLUSH))
    stars(canvas, 60, (10, 10, 1340, 420), CREAM, 0.8)
    moon(canvas, x, y, 310, CREAM, APRICOT)
    for left, top, width, ink in ((1090, 470, 420, MAUVE), (360, 430, 360, MAUVE), (1010, 190, 230, ROSE)):
        canvas.fill(streak(left, top, width, 18), ink, 0.9)
    for left, top, span, tilt in ((580, 250, 60, -8), (640, 300, 44, 6), (540, 320, 36, -4)):
        canvas.fill(gull(left, top, span, tilt), PLUM)
    canvas.fill(ridge("-10,580 140,566 280,580 440,604 560,616", 700), PLUM)
    canvas.fill(ridge("1010,614 1120,590 1240,570 1370,560", 700), PLUM)
    canvas.fill(wave(608, 2, 300), TEAL)
    glitter(canvas, x, 614, 800, 560, CREAM, 13)
    canvas.fill(wave(654, 6, 400, 130), ABYSS, 0.5)
    sailboat(canvas, 560, 656, 120, NIGHT, BLUSH)
    _roofs(canvas)
    _washing(canvas)
    _cat(canvas)


def _roofs(canvas: Canvas) -> None:
    """From the back: the side streets, then the long roof in the middle and the gables that frame it."""
    _gable(canvas, 400, 590, 320, UMBER, (360, 720))
    _gable(canvas, 1090, 560, 300, UMBER, (1120, 700))
    _steeple(canvas)
    _chimney(canvas, 208, 548, 60, 120)
    _chimney(canvas, 880, 640, 66, 110)
    _slates(canvas, "-10,626 300,626 396,770 396,860 -10,860", "-10,770 410,770 410,860 -10,860", NIGHT)
    _slates(canvas, "596,700 970,700 1080,860 500,860", "", NIGHT)
    for x, y in ((60, 790), (170, 790), (290, 790)):
        _window(canvas, x, y, 52, 80)
    dormer = polygon("700,860 700,784 760,730 820,784 820,860")
    canvas.model(dormer, INDIGO, rim=BLUSH, light=(0, -1), edge=6)
    _window(canvas, 733, 786, 54, 70)
    _gable(canvas, 1240, 600, 400, ABYSS, (1214, 730))


def _gable(canvas: Canvas, x: float, top: float, width: float, ink: Colour, window: tuple[float, float]) -> None:
    """The end of a house, its apex at (x, `top`), with one round-headed window lit."""
    half = width / 2
    left, right, shoulder = x - half * 0.86, x + half * 0.86, top + half * 0.7
    wall = polygon([(left, 870), (left, shoulder), (x, top), (right, shoulder), (right, 870)])
    canvas.fill(wall, ink)
    eaves = polygon(
        [
            (x - half, top + half * 0.84),
            (x, top - 12),
            (x + half, top + half * 0.84),
            (x + half, top + half),
            (x, top + half * 0.2),
            (x - half, top + half),
        ]
    )
    canvas.model(eaves, NIGHT, rim=BLUSH, light=(0, -1), edge=6)
    _window(canvas, *window, 50, 84)


def _window(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    canvas.fill(joined(box(x - 7, y - 7, width + 14, height + 14, 8), box(x - 12, y + height, width + 24, 9)), NIGHT)
    pane = box(x, y, width, height, 5)
    canvas.fill(pane, AMBER)
    with canvas.inside(pane):
        canvas.fill(oval(x + width / 2, y + height, width * 0.6, height * 0.66), LANTERN)
        canvas.fill(joined(box(x + width / 2 - 2, y, 5, height), box(x, y + height * 0.45, width, 5)), NIGHT)


def _slates(canvas: Canvas, roof: Points, wall: Points, ink: Colour) -> None:
    """A roof seen from the side, its ridge catching the moon, with rows of slates; and the wall under it."""
    slope = polygon(roof)
    canvas.model(slope, ink, rim=BLUSH, light=(0, -1), edge=7)
    left, top, right, bottom = slope.bounds
    with canvas.inside(slope):
        for row, y in enumerate(range(int(top) + 34, int(bottom), 30)):
            for step in range(int((right - left) / 44) + 2):
                x = left - 22 + step * 44 + row % 2 * 22
                slate = outline(f"{x},{y - 24}! {x + 40},{y - 24}! {x + 38},{y - 4} {x + 20},{y} {x + 2},{y - 4}")
                canvas.fill(slate - slate.moved(0, -5), INDIGO)
    if wall:
        canvas.fill(polygon(wall), ABYSS)
        canvas.fill(box(polygon(wall).bounds[0], polygon(wall).bounds[1], 420, 7), INDIGO)


def _chimney(canvas: Canvas, x: float, top: float, width: float, height: float) -> None:
    stack = joined(box(x, top, width, height), box(x - 7, top - 8, width + 14, 18, 4))
    canvas.model(stack, BRICK, shade=UMBER, rim=BLUSH, light=(1 if x < 600 else -1, -0.3), depth=24, edge=5)
    for dx in (0.14, 0.56):
        canvas.fill(box(x + width * dx, top - 34, width * 0.3, 30, 4), UMBER)
    canvas.fill(
        ribbon(
            [(x + width * 0.3, top - 40), (x + 4, top - 90), (x + 36, top - 130), (x + 14, top - 180)], 8, 20, 18, 3
        ),
        mix(PLUM, MAUVE),
        0.8,
    )


def _steeple(canvas: Canvas) -> None:
    """The church on the right, its clock lit and its weathercock awake."""
    tower = box(1196, 400, 110, 300)
    canvas.model(tower, UMBER, rim=BLUSH, light=(-1, 0), edge=6)
    spire = polygon("1180,404 1251,190 1322,404")
    canvas.model(spire, NIGHT, rim=BLUSH, light=(-1, -0.2), edge=6)
    canvas.fill(disc(1251, 466, 37), NIGHT)
    canvas.fill(disc(1251, 466, 30), LANTERN)
    canvas.fill(ribbon("1251,444 1251,466", 5), NIGHT)
    canvas.fill(ribbon("1251,466 1264,474", 5), NIGHT)
    canvas.fill(joined(box(1249, 128, 5, 66), box(1226, 168, 50, 5)), NIGHT)
    canvas.fill(
        outline(
            "1206,104! 1222,108! 1222,94 1228,86! 1232,78! 1237,84! 1243,76! 1247,86 1248,104 1262,112 "
            "1276,100 1278,74! 1294,82 1300,104 1292,126 1272,142 1244,144 1226,132 1220,116!"
        ),
        NIGHT,
    )
    canvas.fill(disc(1233, 94, 3), LANTERN)


def _washing(canvas: Canvas) -> None:
    canvas.fill(ribbon("236,566 320,604 398,592", 3), NIGHT)
    for x, y, ink in ((262, 578, CORAL), (290, 592, CREAM), (346, 600, LANTERN)):
        sock = outline(
            f"{x},{y}! {x + 15},{y + 3}! {x + 15},{y + 30} {x + 30},{y + 40} {x + 26},{y + 50} {x + 2},{y + 46}!"
        )
        canvas.model(sock, ink, shade=MAUVE, light=(1, -0.2), depth=7)


def _cat(canvas: Canvas) -> None:
    """Seen from behind, one ear turned: it is listening to the weathercock."""
    tail = ribbon("760,690 790,716 782,762 752,784 744,758", 22, 22, 20, 17, 12)
    body = outline(
        "690,700! 676,660 684,610 704,570 712,540! 704,520 702,496 708,462! 726,480 752,480 772,460! "
        "778,494 776,520 768,540! 780,572 800,612 806,660 792,700!"
    )
    canvas.model(joined(body, tail), NIGHT, rim=APRICOT, light=(0.1, -1), edge=6)
    with canvas.inside(body):
        canvas.fill(box(702, 534, 76, 11), CORAL)
        canvas.fill(ribbon("742,570 744,630 742,680", 2, 6, 2), INDIGO)
    canvas.fill(disc(741, 549, 7), LANTERN)
    for spine in ("708,512 690,508", "708,518 690,520", "774,512 792,508", "774,518 792,520"):
        canvas.fill(ribbon(spine, 2), NIGHT)
