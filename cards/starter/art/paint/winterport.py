"""The harbour under snow."""

from .kit import (
    ABYSS,
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
    NIGHT,
    PEACH,
    TEAL,
    UMBER,
    Canvas,
    Colour,
    Shape,
    both_sides,
    box,
    disc,
    glitter,
    halo_sky,
    joined,
    lantern,
    mix,
    outline,
    oval,
    picture,
    polygon,
    post,
    ribbon,
    ridge,
    stars,
    stations,
    streak,
    town,
    wave,
)

_WINTER_SUN = (-0.9, -0.4)
_AXIS = 740.0  # the penguin's own


@picture(DUSK)
def clockwork_penguin(canvas: Canvas) -> None:
    """The harbour-master's penguin makes its round in the snow, well wound."""
    halo_sky(
        canvas,
        400,
        560,
        (1010, 820, 650, 490, 340, 210),
        (mix(DUSK, HAZE), HAZE, mix(HAZE, BLUSH), BLUSH, PEACH, CREAM),
        0.9,
    )
    for x, y, width, ink in ((1150, 250, 340, DUSK), (1010, 380, 240, HAZE), (200, 380, 280, BLUSH)):
        canvas.fill(streak(x, y, width), ink, 0.8)
    stars(canvas, 60, (500, 20, 1350, 560), CREAM, 0.8)
    _frozen_bay(canvas)
    _snow(canvas)
    _key(canvas)
    _penguin_feet(canvas)
    _penguin_body(canvas)
    _penguin_head(canvas)
    _cap(canvas)
    _flippers(canvas)
    for x, y, size in (
        (520, 250, 6),
        (470, 420, 5),
        (930, 200, 6),
        (1120, 430, 5),
        (1240, 640, 6),
        (360, 640, 5),
        (890, 120, 5),
        (560, 120, 5),
        (1090, 600, 4),
        (300, 320, 5),
        (1290, 420, 6),
        (960, 590, 5),
    ):
        canvas.fill(disc(x, y, size), CREAM)


def _frozen_bay(canvas: Canvas) -> None:
    canvas.fill(ridge("-10,590 120,560 280,576 460,610 560,620", 700), HAZE)
    canvas.fill(ridge("860,620 980,580 1120,560 1250,520 1370,530", 700), INDIGO)
    town(canvas, 1010, 580, 46, INDIGO, houses=8)
    canvas.fill(wave(612, 2, 320), TEAL)
    glitter(canvas, 400, 616, 700, 330, PEACH, 8, 0.9)
    for berg, face in (
        (
            "120,640! 150,560 186,520! 222,552 250,540! 290,600 310,640!",
            "186,520! 222,552 250,540! 290,600 310,640! 230,640! 206,580!",
        ),
        ("930,640! 950,606 980,590! 1010,604 1050,640!", "980,590! 1010,604 1050,640! 1000,640!"),
    ):
        canvas.model(outline(berg), FOAM, rim=CREAM, light=_WINTER_SUN, edge=6)
        canvas.fill(polygon(face.replace("!", "")), HAZE)
    canvas.fill(wave(640, 4, 380, 90), ABYSS, 0.6)


def _snow(canvas: Canvas) -> None:
    """The quay under snow, its wall, its posts and the tracks so far."""
    canvas.fill(box(-10, 750, 1370, 100), NIGHT)
    for column in range(9):
        canvas.model(box(-130 + column * 176, 776, 166, 90, 12), INDIGO, rim=DUSK, light=_WINTER_SUN, edge=4)
    drift = outline(
        "-10,690! 200,676 420,690 700,684 980,692 1180,674 1370,688! 1370,770! 1300,782 1240,766 1130,788 "
        "1010,768 860,790 700,770 560,786 400,768 250,788 120,768 -10,780!"
    )
    canvas.model(drift, FOAM, shade=HAZE, rim=CREAM, light=(-0.2, -1), depth=16, edge=6)
    canvas.fill(oval(800, 730, 240, 20), HAZE)
    canvas.fill(oval(470, 716, 150, 22), PEACH)
    for x, y in ((1010, 716), (1070, 732), (1130, 716), (1190, 730), (1250, 712), (1310, 728)):
        foot = joined(*(ribbon([(x + 16, y), (x - 12, y + spread)], 6, 3) for spread in (-7, 0, 7)))
        canvas.fill(foot, HAZE)
    for x in (1180, 150):
        post(canvas, x, 600, 702, 66, wood=UMBER, light=BLUSH, toward=-1.0 if x > 400 else 1.0)
        canvas.model(
            outline(f"{x - 40},604! {x - 36},580 {x},566 {x + 36},580 {x + 40},604! {x + 20},598 {x},610 {x - 20},600"),
            FOAM,
            shade=HAZE,
            light=_WINTER_SUN,
            depth=16,
        )


def _key(canvas: Canvas) -> None:
    """The key in its back, still turning."""
    shaft = ribbon("850,420 980,378", 30, 26)
    canvas.model(shaft, AMBER, shade=BRICK, rim=CREAM, light=(-0.3, -1), depth=12, edge=4)
    bow = joined(disc(992, 306, 56), disc(1042, 428, 56), ribbon("980,330 1010,372 1034,410", 54, 40, 54))
    holes = joined(disc(992, 302, 30), disc(1044, 432, 30))
    canvas.fill((bow - holes).moved(9, 5), BRICK)
    canvas.model(bow - holes, AMBER, rim=CREAM, light=_WINTER_SUN, edge=6)
    canvas.fill(disc(1014, 368, 15), BRICK)
    canvas.fill(disc(1012, 366, 11), LANTERN)
    for spine in ("1070,286 1098,316 1110,352", "1052,262 1062,268", "950,452 960,474 980,496"):
        canvas.fill(ribbon(spine, 2, 7, 2), CREAM)


def _penguin_feet(canvas: Canvas) -> None:
    for x in (662, 818):
        foot = outline(
            f"{x + 52},684! {x + 62},716 {x + 26},738! {x - 4},724 {x - 34},740! {x - 56},724 "
            f"{x - 92},730! {x - 68},698 {x - 10},676"
        )
        canvas.model(foot, AMBER, shade=BRICK, rim=CREAM, light=_WINTER_SUN, depth=14, edge=5)
        _rivets(canvas, ((x - 56, 715), (x - 18, 718), (x + 22, 718)), 5, UMBER)


def _rivets(canvas: Canvas, places: tuple[tuple[float, float], ...], size: float, ink: Colour) -> None:
    for x, y in places:
        canvas.fill(disc(x, y, size), ink)
        canvas.fill(disc(x - size * 0.3, y - size * 0.3, size * 0.5), PEACH)


def _penguin_body(canvas: Canvas) -> None:
    half = outline("738,360! 800,362 850,386 890,440 914,520 914,590 888,656 836,696 780,708 738,710!")
    body = both_sides(half, _AXIS)
    canvas.model(body, INDIGO, shade=NIGHT, rim=PEACH, light=_WINTER_SUN, depth=56, edge=8)
    plate = both_sides(outline("720,396! 770,400 822,436 850,510 846,590 808,660 720,690!"), _AXIS - 18)
    with canvas.inside(body):
        canvas.model(plate, CREAM, shade=mix(HAZE, FOAM), rim=CREAM, light=_WINTER_SUN, depth=44, edge=5)
        canvas.fill(ribbon("576,540 650,560 722,566 800,560 866,540", 5), HAZE)
        rim = stations("626,460 600,530 600,590 636,650 722,674 808,650 844,590 844,530 818,460", 15)
        _rivets(canvas, tuple((x, y) for x, y, _ in rim), 6, BRICK)
        for spine in ("886,430 868,520 880,620", "930,560 880,566 850,560"):
            canvas.fill(ribbon(spine, 5), NIGHT)
    _gauge(canvas, 722, 486)
    canvas.fill(disc(722, 620, 43), BRICK)
    canvas.model(disc(720, 618, 41), AMBER, rim=CREAM, light=_WINTER_SUN, edge=4)
    canvas.fill(disc(720, 618, 31), UMBER)
    with canvas.inside(disc(720, 618, 31)):
        canvas.fill(oval(720, 632, 34, 30), AMBER)
        _gear(canvas, 712, 622, 18, LANTERN)
        _gear(canvas, 738, 604, 12, CORAL)


def _gear(canvas: Canvas, x: float, y: float, radius: float, ink: Colour) -> None:
    teeth = (
        box(x - radius * 0.18, y - radius * 1.25, radius * 0.36, radius * 2.5).turned(turn, (x, y))
        for turn in range(0, 180, 45)
    )
    canvas.fill(joined(disc(x, y, radius), *teeth) - disc(x, y, radius * 0.36), ink)


def _gauge(canvas: Canvas, x: float, y: float) -> None:
    canvas.model(disc(x, y, 47), AMBER, shade=BRICK, rim=CREAM, light=_WINTER_SUN, depth=12, edge=4)
    canvas.fill(disc(x, y, 36), UMBER)
    canvas.fill(disc(x, y, 33), PEACH)
    for turn in range(-120, 121, 40):
        canvas.fill(box(x - 2, y - 30, 4, 9).turned(turn, (x, y)), UMBER)
    canvas.fill(polygon([(x - 4, y), (x + 4, y), (x, y - 27)]).turned(48, (x, y)), CORAL)
    canvas.fill(disc(x, y, 5), UMBER)


def _penguin_head(canvas: Canvas) -> None:
    head = outline("738,196! 812,204 862,250 872,320 846,380 800,408 738,414! 676,408 630,380 604,320 614,250 664,204")
    canvas.model(head, INDIGO, shade=NIGHT, rim=PEACH, light=_WINTER_SUN, depth=36, edge=8)
    with canvas.inside(head):
        mask = joined(oval(672, 304, 54, 62), oval(776, 304, 54, 62), oval(722, 366, 66, 40), oval(722, 280, 40, 40))
        canvas.model(mask, CREAM, shade=mix(HAZE, FOAM), light=_WINTER_SUN, depth=12)
    collar = outline("634,374! 684,398 738,404 796,398 848,374! 858,400! 804,426 738,432 674,426 620,400!")
    canvas.model(collar, AMBER, shade=BRICK, rim=CREAM, light=(-0.4, -1), depth=12, edge=4)
    _rivets(canvas, tuple((x, y) for x, y, _ in stations("640,394 684,411 738,418 796,411 842,394", 7)), 5, UMBER)
    for x in (668, 776):
        canvas.model(disc(x, 300, 35), AMBER, shade=BRICK, rim=CREAM, light=_WINTER_SUN, depth=10, edge=4)
        canvas.fill(disc(x, 300, 26), NIGHT)
        canvas.fill(disc(x, 300, 23), LANTERN)
        canvas.fill(disc(x, 300, 23) - disc(x - 2, 305, 23), AMBER)
        canvas.fill(disc(x - 3, 302, 13), NIGHT)
        canvas.fill(disc(x - 8, 295, 5.5), CREAM)
    canvas.model(outline("684,352! 716,360 752,352! 736,372 712,378 694,370"), BRICK, rim=CORAL, light=(0, 1), edge=3)
    canvas.model(
        outline("672,350! 690,322 720,312 748,324 764,350! 720,358"),
        AMBER,
        shade=CORAL,
        rim=PEACH,
        light=(-0.6, -0.8),
        depth=12,
        edge=4,
    )
    _rivets(canvas, ((706, 330), (732, 330)), 3, UMBER)


def _cap(canvas: Canvas) -> None:
    """The harbour cap, a little too small for it."""

    def tip(shape: Shape) -> Shape:
        return shape.turned(-5, (738, 220))

    crown = outline("640,214! 612,176 626,142 680,122 738,116 800,122 850,142 864,176 836,214!")
    canvas.model(tip(crown), CREAM, shade=mix(HAZE, FOAM), rim=CREAM, light=_WINTER_SUN, depth=34, edge=4)
    canvas.fill(tip(ribbon("624,170 680,186 738,190 800,186 852,170", 2, 4, 2)), HAZE)
    band = outline("634,204! 738,216 842,204! 846,240! 738,254 630,240!")
    canvas.model(tip(band), CORAL, shade=BRICK, light=_WINTER_SUN, depth=30)
    peak = outline("626,240! 738,252 850,240! 836,262 790,276 738,280 686,276 640,262")
    canvas.model(tip(peak), NIGHT, rim=PEACH, light=(0, 1), edge=4)
    canvas.fill(
        tip(
            joined(
                ribbon("738,196 738,240", 6),
                ribbon("720,222 726,236 738,242 750,236 756,222", 2, 6, 2),
                ribbon("728,208 748,208", 5),
                disc(738, 194, 7),
            )
        ),
        LANTERN,
    )
    canvas.fill(tip(disc(738, 194, 3)), UMBER)


def _flippers(canvas: Canvas) -> None:
    """Plates pinned at the shoulder: one carries the lantern, one is off behind for balance."""
    lantern(canvas, 506, 668, 104, reach=1.1)
    near = outline("606,430! 646,446 648,492 616,540 560,572 506,574! 488,560 492,546 530,528 556,490 576,446")
    far = outline("866,446! 900,430 936,470 968,540 990,606 984,634! 946,618 906,572 876,516 856,476")
    for flipper, ink in ((far, INDIGO), (near, DUSK)):
        canvas.model(flipper, ink, shade=NIGHT, rim=PEACH, light=_WINTER_SUN, depth=16, edge=6)
    for x, y in ((616, 470), (888, 470)):
        canvas.fill(disc(x, y, 19), NIGHT)
        canvas.model(disc(x, y, 16), AMBER, shade=BRICK, rim=CREAM, light=_WINTER_SUN, depth=8, edge=3)
        canvas.fill(box(x - 9, y - 2, 18, 4).turned(-30, (x, y)), UMBER)
    _rivets(canvas, ((590, 518), (560, 544), (528, 556), (918, 530), (944, 570), (966, 608)), 4.5, BRICK)
