"""The high ground behind the coast."""

from .kit import (
    ABYSS,
    AMBER,
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
    Colour,
    Shape,
    cottage,
    disc,
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
    stars,
    streak,
)

_MOONLIGHT = (-0.45, -1.0)
_GREY = mix(HAZE, SPRAY, 0.3)
_SLATE = mix(DUSK, TEAL, 0.35)


@picture(ABYSS, "eleventh")
def grey_wolf(canvas: Canvas) -> None:
    """A wolf howls on the ridge; its brother, slower, brings the lunch."""
    halo_sky(
        canvas, 720, 340, (900, 690, 540, 420, 330), (mix(TEAL, ABYSS), TEAL, mix(SEA, TEAL), SEA, mix(SEA, SPRAY))
    )
    stars(canvas, 60, (10, 10, 1340, 420), CREAM, 0.85)
    moon(canvas, 720, 340, 256, CREAM, FOAM)
    for x, y, width, ink in ((1120, 400, 420, TEAL), (380, 430, 320, TEAL), (520, 170, 200, SEA)):
        canvas.fill(streak(x, y, width, 16), ink, 0.85)
    canvas.fill(
        ridge("-10,560 120,500 250,540 360,600 480,570 640,620 800,600 960,560 1100,500 1240,540 1370,490"), TEAL
    )
    _pines(
        canvas,
        mix(TEAL, ABYSS),
        640,
        ((40, 150), (96, 120), (150, 170), (214, 130), (1150, 130), (1210, 180), (1272, 140), (1330, 170)),
    )
    canvas.fill(ridge("-10,630 160,610 330,650 520,676 900,690 1100,660 1370,610"), mix(TEAL, ABYSS))
    cottage(canvas, 236, 660, 84, 84, ABYSS, lit=(0, 3))
    canvas.glow(276, 636, 70, AMBER, 0.16, 3)
    _ridge(canvas)
    _wolf(canvas)
    canvas.model(ridge("960,860 1040,782 1120,768 1240,764 1370,750"), ABYSS, rim=TEAL, light=(0, -1), edge=5)
    _brother(canvas)
    canvas.fill(ridge("-10,780 180,800 420,826 700,838 960,826 1180,806 1370,770"), NIGHT)
    _pines(canvas, NIGHT, 860, ((30, 250), (92, 180), (1310, 230), (1252, 150)))


def _pines(canvas: Canvas, ink: Colour, foot: float, trees: tuple[tuple[float, float], ...]) -> None:
    for x, height in trees:
        for tier in range(4):
            top, spread = foot - height + height * 0.2 * tier, height * (0.12 + 0.07 * tier)
            canvas.fill(polygon([(x, top), (x + spread, top + height * 0.4), (x - spread, top + height * 0.4)]), ink)


def _ridge(canvas: Canvas) -> None:
    rock = polygon("250,860 300,800 372,784 404,744 470,736 500,722 860,722 920,738 980,744 1030,780 1110,790 1180,860")
    canvas.model(rock, ABYSS, rim=SPRAY, light=_MOONLIGHT, edge=6)
    with canvas.inside(rock):
        for facet in (
            "500,722 600,722 560,790 470,860 404,744",
            "700,722 790,722 760,780 690,800",
            "860,722 920,738 900,800 840,770",
        ):
            canvas.fill(polygon(facet), mix(ABYSS, TEAL), 0.8)
        for facet in ("980,744 1030,780 1110,790 1180,860 940,860", "600,722 700,722 690,800 640,860 590,800"):
            canvas.fill(polygon(facet), NIGHT, 0.7)
        canvas.fill(rock - rock.moved(3, 6), SPRAY)


def _wolf(canvas: Canvas) -> None:
    far = joined(
        outline("560,560! 620,590 604,640 586,672 598,704 606,724! 556,724! 552,690 548,656 560,620"),
        outline("808,560! 884,560! 874,610 866,660 870,706 880,724! 826,724! 824,690 826,640"),
    )
    canvas.fill(far, mix(INDIGO, NIGHT, 0.4))
    tail = outline("500,486! 462,520 436,576 420,640 404,704! 440,690 452,700! 474,660 488,668! 506,610 520,560")
    canvas.model(tail, _GREY, shade=_SLATE, rim=CREAM, light=_MOONLIGHT, depth=22, edge=6)
    body = outline(
        "986,148! 1000,160 996,176! 964,238 956,264! 982,236 1004,208! 1020,214 1018,232! 994,272 962,314! "
        "956,352 946,392! 934,392 938,436! 924,440 922,482! 906,484 900,520! 884,556 866,586! "
        "850,622 848,668 852,704 866,726! 800,726! 802,690 796,640 784,600 768,586! 736,604! 724,592 "
        "690,604! 676,592 640,598! 616,604 584,620 554,648 534,676 534,704 550,726! 488,726! 494,700 "
        "492,672 478,644! 482,604 478,560 484,516 506,480 556,458 630,452 700,442 756,420 790,384 816,340 "
        "842,312! 818,286 808,252! 846,258 884,262! 912,236 940,204"
    )
    canvas.model(body, _GREY, shade=_SLATE, rim=CREAM, light=_MOONLIGHT, depth=26, edge=7)
    with canvas.inside(body):
        _coat(canvas)
    _wolf_face(canvas)
    for x in (822, 840, 514, 532):
        canvas.fill(ribbon([(x, 712), (x + 3, 726)], 3), INDIGO)


def _coat(canvas: Canvas) -> None:
    """The dark saddle along the back and the pale throat, both edged in tufts."""
    saddle = outline(
        "470,470! 560,430 700,420 790,370 850,300! 884,300! 868,344 850,384! 836,380 824,424! 804,424 "
        "780,470! 756,470 728,506! 704,494 676,522! 650,506 612,526! 590,508 556,530! 536,514 500,540!"
    )
    canvas.fill(saddle, _SLATE)
    canvas.fill(saddle.moved(0, -22), INDIGO)
    throat = outline(
        "956,270! 930,292 906,330! 908,352 888,384! 894,404 874,440! 882,462 862,500! 870,516 852,548! "
        "860,560 862,600! 960,560! 1010,300!"
    )
    canvas.fill(throat, mix(_GREY, FOAM, 0.5))
    for spine in ("784,470 800,520 792,566", "552,520 566,560 552,604"):
        canvas.fill(ribbon(spine, 2, 7, 2), _SLATE)
    canvas.fill(ribbon("822,590 812,650 814,700", 2, 9, 3), mix(_GREY, FOAM, 0.4))


def _wolf_face(canvas: Canvas) -> None:
    canvas.fill(outline("990,166! 962,238 956,266! 966,258 1002,210! 1000,198!"), UMBER)
    canvas.fill(polygon("998,206 984,218 1000,184"), CREAM)
    canvas.fill(polygon("988,176 976,204 992,192"), CREAM)
    canvas.fill(outline("974,160! 984,146 1002,158 998,172! 986,174"), NIGHT)
    canvas.fill(outline("846,300! 826,284 818,262! 846,270 870,276!"), INDIGO)
    canvas.fill(ribbon("908,258 924,268 940,258", 2, 5, 2), NIGHT)


def _brother(canvas: Canvas) -> None:
    """Coming up the far side with a basket in its jaws."""

    def far_off(shape: Shape) -> Shape:
        return shape.scaled(0.5, 0.5, (1160, 740)).moved(10, 4)

    legs = joined(
        *(
            ribbon(f"{x},680 {x + lean},736 {x + lean * 1.6},792", 46, 24, 22)
            for x, lean in ((1084, -18), (1124, 8), (1252, -8), (1286, 14))
        )
    )
    body = outline(
        "1030,716! 1022,668 1026,640 996,628 956,618! 942,602 984,574! 1004,556 1010,532! 1026,550 "
        "1036,546! 1044,524! 1062,556 1110,580 1180,592 1250,588 1300,604 1356,640 1392,700! 1340,694 "
        "1308,668! 1310,716 1260,732 1170,716 1090,738"
    )
    canvas.model(far_off(joined(legs, body)), INDIGO, rim=SPRAY, light=_MOONLIGHT, edge=4)
    canvas.fill(far_off(ribbon("940,650 950,606 976,604 996,650", 7)), UMBER)
    canvas.fill(far_off(outline("920,648! 1012,648! 1000,706! 932,706!")), AMBER)
    canvas.fill(far_off(outline("916,642! 1016,642! 1004,668 986,654 966,672 948,654 926,670!")), CORAL)
    canvas.fill(far_off(disc(1000, 582, 5)), LANTERN)
    canvas.fill(far_off(oval(960, 640, 16, 12)), PEACH)
