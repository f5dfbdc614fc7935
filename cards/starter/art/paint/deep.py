"""Below the surface of the bay."""

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
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Canvas,
    beam,
    box,
    bubbles,
    disc,
    fish,
    glitter,
    halo_sky,
    joined,
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
    shafts,
    spark,
    stars,
    town,
    wave,
    weed,
)

_DOWN = (-0.35, -1.0)  # light under water falls from above, a little from the left


def _sea_floor(canvas: Canvas) -> None:
    """Three dunes of sea floor, and kelp rooted between them."""
    canvas.fill(ridge("-10,660 180,610 420,650 700,620 980,660 1200,610 1370,640"), TEAL)
    for x, height, width, sway in ((90, 300, 12, 26), (170, 220, 10, -22), (1180, 270, 11, 24), (1280, 360, 13, -30)):
        canvas.fill(weed(x, 700, height, width, sway), TEAL)


@picture(NIGHT)
def tide_whale(canvas: Canvas) -> None:
    """A humpback glides under a small boat, the moon on the water above."""
    halo_sky(canvas, 930, 190, (330, 250, 180), (INDIGO, DUSK, HAZE))
    stars(canvas, 40, (10, 8, 1340, 150), CREAM, 0.85)
    moon(canvas, 930, 120, 74)
    canvas.fill(ridge("-10,176 120,150 260,166 400,186 520,196", 240), INDIGO)
    town(canvas, 70, 172, 22, INDIGO, houses=8)
    canvas.fill(wave(192, 3, 300), TEAL)
    glitter(canvas, 930, 196, 236, 260, CREAM, 6, 0.9)
    canvas.fill(wave(232, 9, 360, 40), SPRAY)
    canvas.fill(wave(240, 9, 360, 40), SEA)
    sailboat(canvas, 560, 238, 150, UMBER, CREAM)
    canvas.glow(604, 196, 60, AMBER, 0.2, 3)
    canvas.fill(disc(604, 202, 6), LANTERN)
    canvas.fill(wave(246, 8, 360, 40), SEA)
    canvas.fill(wave(340, 14, 620, 260), mix(SEA, TEAL))
    canvas.fill(wave(450, 16, 700, 120), TEAL)
    canvas.fill(wave(600, 18, 640, 420), mix(TEAL, ABYSS))
    with canvas.inside(wave(241, 9, 360, 40)):
        shafts(canvas, 930, (58, 70, 82, 95, 107, 119, 131), SPRAY, 0.1)
    _whale(canvas)
    canvas.fill(ridge("-10,770 160,720 330,770 520,812 760,800 960,816 1150,760 1370,720"), ABYSS)
    for x, height, width, sway in ((60, 210, 12, 26), (130, 150, 10, -20), (1230, 190, 11, 24), (1310, 260, 13, -28)):
        canvas.fill(weed(x, 800, height, width, sway), ABYSS)
    canvas.fill(ridge("-10,812 200,796 420,826 760,830 1080,822 1370,790"), NIGHT)
    bubbles(canvas, ((176, 420, 11), (150, 376, 7), (192, 340, 5), (168, 306, 8)))


def _whale(canvas: Canvas) -> None:
    far_fin = outline("560,640! 640,700 720,760 742,790! 660,776 560,724 500,660!")
    canvas.fill(far_fin.moved(96, -30), NIGHT)
    body = outline(
        "196,520! 230,478 310,420 430,372 570,348 700,346 800,356! 832,338 866,336! 862,360 880,372! "
        "960,386 1040,378 1104,350 1144,316! 1166,340! 1130,396 1060,456 960,520 850,580 720,634 "
        "580,664 450,664 340,636 250,588 204,546!"
    )
    flukes = outline(
        "1118,356! 1070,338 1020,296 976,250! 1040,250 1104,268 1148,304! 1180,266 1236,250 1304,266! "
        "1276,306 1228,344 1168,360!"
    )
    canvas.model(body, INDIGO, rim=SPRAY, light=_DOWN, edge=8)
    with canvas.inside(body):
        canvas.fill(body - body.moved(-16, -36), NIGHT)
        canvas.lighten(
            outline("260,470! 420,388 600,360 800,372 960,396 1060,384! 960,416 800,408 600,396 420,424 300,480!"),
            DUSK,
            0.7,
        )
        belly = outline(
            "190,526! 280,536 380,552 440,580 470,600! 560,618 680,614 800,604 880,562! 820,700! 500,720! 300,700!"
        )
        canvas.model(belly, FOAM, shade=SPRAY, light=(-0.2, -1), depth=40)
        with canvas.inside(belly):
            for groove in range(8):
                drop = groove * 17
                canvas.fill(
                    ribbon(
                        [
                            (214, 544 + drop * 0.4),
                            (330, 566 + drop),
                            (470, 608 + drop),
                            (640, 600 + drop),
                            (800, 540 + drop),
                        ],
                        2,
                        5,
                        5,
                        2,
                    ),
                    TEAL,
                )
            canvas.fill(body - body.moved(-10, -34), SEA, 0.75)
    canvas.model(flukes, INDIGO, shade=NIGHT, rim=SPRAY, light=_DOWN, depth=16, edge=6)
    canvas.fill(ribbon("200,526 290,536 372,546 424,560 446,580", 4, 6, 4), NIGHT)
    _whale_details(canvas)


def _whale_details(canvas: Canvas) -> None:
    fin = outline(
        "500,560! 560,556 612,590 650,650 664,720 650,792! 628,770! 616,776! 604,744! 586,736! 572,700! 540,668 506,620"
    )
    canvas.model(fin, INDIGO, shade=NIGHT, rim=SPRAY, light=(0.5, -1), depth=22, edge=6)
    canvas.fill(outline("432,534! 444,522 464,520 482,532! 466,541 446,542"), HAZE)
    canvas.fill(disc(459, 531, 9), NIGHT)
    canvas.fill(disc(456, 527, 3.5), CREAM)
    canvas.fill(ribbon("424,532 446,515 470,514 490,528", 1, 5, 5, 1), NIGHT)
    for x, y, size in (
        (262, 490, 6),
        (290, 470, 7),
        (322, 450, 6),
        (300, 500, 5),
        (338, 482, 6),
        (360, 440, 5),
        (232, 510, 5),
    ):
        canvas.fill(disc(x, y, size), HAZE, 0.8)
        canvas.fill(disc(x + 1.5, y + 2, size * 0.7), DUSK)


@picture(ABYSS)
def sunken_chest(canvas: Canvas) -> None:
    """A chest stands open on the sea floor, and what is in it shines."""
    halo_sky(canvas, 690, 470, (820, 660, 510, 370, 250), (mix(TEAL, ABYSS), TEAL, mix(SEA, TEAL), SEA, SPRAY), 0.92)
    shafts(canvas, 690, (66, 78, 90, 102, 114), FOAM, 0.08)
    for x, y, length, facing in (
        (250, 260, 54, 1),
        (320, 300, 44, 1),
        (220, 330, 40, 1),
        (1060, 200, 50, -1),
        (1130, 240, 42, -1),
    ):
        canvas.fill(fish(x, y, length, facing=facing), mix(SEA, SPRAY))
    _sea_floor(canvas)
    for angle in (-140, -118, -96, -72, -48):
        canvas.lighten(beam(690, 520, angle, 1100, 12.5), LANTERN, 0.14)
    _chest_lid(canvas)
    _treasure(canvas)
    _chest_front(canvas)
    _sand(canvas)
    bubbles(canvas, ((470, 300, 12), (446, 250, 8), (478, 214, 6), (930, 270, 10), (950, 226, 7), (934, 190, 5)))


def _chest_lid(canvas: Canvas) -> None:
    """The lid thrown back: we look into its hollow."""
    lid = outline("436,510! 420,330 446,230 500,176! 880,176! 934,230 960,330 944,510!")
    canvas.model(lid, UMBER, rim=LANTERN, light=(0, 1), edge=4)
    hollow = outline("462,510! 456,340 476,260 516,212! 864,212! 904,260 924,340 918,510!")
    canvas.fill(hollow, BRICK)
    with canvas.inside(hollow):
        for y in (212, 272, 332, 392):
            canvas.fill(box(440, y + 54, 500, 6), UMBER)
        canvas.lighten(oval(690, 480, 260, 210), AMBER, 0.45)
        canvas.lighten(oval(690, 480, 190, 140), LANTERN, 0.45)
    for x in (512, 690, 868):
        band = outline(f"{x - 20},212! {x - 20},182 {x - 16},172! {x + 16},172! {x + 20},182 {x + 20},212!")
        canvas.model(band, AMBER, shade=BRICK, light=(-0.4, 1), depth=8)
    for x, lean in ((438, 10), (942, -10)):
        canvas.fill(ribbon([(x + lean, 240), (x - lean * 0.6, 340), (x, 470)], 16), AMBER)
        for y in (280, 340, 400, 450):
            canvas.fill(disc(x - lean * 0.3, y, 4), UMBER)


def _treasure(canvas: Canvas) -> None:
    canvas.glow(690, 430, 240, LANTERN, 0.14, 3)
    heap = outline("452,520! 480,452 560,420 640,384 710,376 790,400 850,436 906,462 930,520!")
    canvas.model(heap, AMBER, rim=CREAM, light=(0, -1), edge=5)
    with canvas.inside(heap):
        for row, y in enumerate((392, 416, 440, 464, 488, 508)):
            for column in range(-6, 7):
                x = 690 + column * 46 + row % 2 * 23
                canvas.fill(oval(x, y + 4, 25, 14), BRICK, 0.7)
                canvas.fill(oval(x, y, 25, 13), LANTERN)
                canvas.fill(oval(x, y, 16, 7.5), AMBER)
                canvas.fill(lens(x - 7, y - 7, 20, 4), CREAM)
    _goblet(canvas, 800, 412)
    _crown(canvas, 628, 396)
    for x, y in ((500, 470), (522, 482), (546, 490), (572, 494), (598, 492), (624, 486)):
        canvas.model(disc(x, y, 12), CREAM, shade=BLUSH, light=(-0.6, -0.8), depth=6)
    for x, y, ink, shade in ((716, 456, CORAL, BRICK), (860, 478, SPRAY, SEA)):
        gem = polygon([(x - 24, y), (x - 12, y - 16), (x + 12, y - 16), (x + 24, y), (x, y + 26)])
        canvas.fill(gem, ink)
        canvas.fill(polygon([(x + 8, y), (x + 24, y), (x, y + 26)]), shade)
        canvas.fill(polygon([(x - 24, y), (x - 12, y - 16), (x - 8, y)]), CREAM, 0.7)
    for x, y, size in ((560, 330, 20), (742, 300, 26), (850, 340, 16), (690, 250, 14)):
        canvas.fill(spark(x, y, size), CREAM)


def _goblet(canvas: Canvas, x: float, y: float) -> None:
    cup = outline(f"{x - 40},{y - 96}! {x - 34},{y - 44} {x},{y - 22} {x + 34},{y - 44} {x + 40},{y - 96}!")
    stem = joined(box(x - 6, y - 30, 12, 40), oval(x, y + 10, 30, 10))
    canvas.model(cup | stem, LANTERN, shade=AMBER, rim=CREAM, light=(-1, -0.2), depth=24, edge=5)
    canvas.fill(oval(x, y - 96, 40, 9), BRICK)
    for dx in (-18, 0, 18):
        canvas.fill(disc(x + dx, y - 62, 6), CORAL)


def _crown(canvas: Canvas, x: float, y: float) -> None:
    gold = polygon(
        [
            (x - 62, y - 70),
            (x - 34, y - 40),
            (x, y - 92),
            (x + 34, y - 40),
            (x + 62, y - 70),
            (x + 50, y + 10),
            (x - 50, y + 10),
        ]
    )
    balls = joined(disc(x - 62, y - 74, 8), disc(x, y - 96, 9), disc(x + 62, y - 74, 8))
    canvas.model(
        (gold | balls).turned(-10, (x, y)), LANTERN, shade=AMBER, rim=CREAM, light=(-1, -0.4), depth=20, edge=5
    )
    for dx, ink in ((-28, SEA), (0, CORAL), (28, SEA)):
        canvas.fill(oval(x + dx, y - 12, 8, 11).turned(-10, (x, y)), ink)


def _chest_front(canvas: Canvas) -> None:
    front = outline("428,506! 952,506! 934,740! 446,740!")
    canvas.fill(front, BRICK)
    with canvas.inside(front):
        for y in (564, 622, 680):
            canvas.fill(box(420, y, 540, 6), UMBER)
        for x, y, length in ((480, 590, 70), (600, 540, 60), (780, 650, 80), (560, 706, 70), (850, 592, 50)):
            canvas.fill(ribbon([(x, y), (x + length, y)], 1, 4, 1), UMBER, 0.7)
        canvas.fill(front - front.moved(-70, 0), UMBER, 0.6)
        canvas.fill(front - front.moved(60, 0), UMBER, 0.35)
    for x in (512, 868):
        canvas.model(box(x - 24, 500, 48, 250), AMBER, shade=BRICK, rim=LANTERN, light=(-0.3, -1), depth=12, edge=6)
        for y in (540, 600, 660, 716):
            canvas.fill(disc(x, y, 7), UMBER)
            canvas.fill(disc(x - 2, y - 2, 3), CREAM)
    canvas.model(box(416, 494, 548, 34, 8), AMBER, shade=BRICK, rim=CREAM, light=(0, -1), depth=14, edge=6)
    plate = outline("648,500! 732,500! 738,560 720,606 690,624 660,606 642,560")
    canvas.model(plate, LANTERN, shade=AMBER, rim=CREAM, light=(-0.7, -0.7), depth=18, edge=5)
    canvas.fill(joined(disc(690, 552, 13), polygon("684,556 696,556 702,592 678,592")), UMBER)


def _sand(canvas: Canvas) -> None:
    dune = ridge("-10,740 180,716 330,744 470,716 640,730 820,722 960,712 1120,742 1370,706")
    canvas.model(dune, mix(SEA, SPRAY), rim=PEACH, light=(0, -1), edge=7)
    with canvas.inside(dune):
        canvas.lighten(oval(690, 730, 440, 60), LANTERN, 0.3)
        for x, y, width in ((150, 770, 150), (400, 790, 180), (720, 776, 220), (1000, 786, 170), (1220, 766, 150)):
            canvas.fill(lens(x, y, width, 8), TEAL, 0.6)
    canvas.fill(ridge("-10,800 220,786 520,812 860,800 1140,816 1370,786"), TEAL)
    for x, y in ((330, 738), (384, 756), (1004, 742), (1050, 764), (960, 762)):
        canvas.fill(oval(x, y + 4, 24, 11), TEAL)
        canvas.fill(oval(x, y, 24, 10), LANTERN)
        canvas.fill(oval(x, y, 15, 5.5), AMBER)
    _starfish(canvas, 220, 752, 46)
    for x, height, width, sway in ((1180, 260, 14, -28), (1270, 190, 12, 24), (90, 240, 13, 26)):
        canvas.fill(weed(x, 850, height, width, sway), ABYSS)


def _starfish(canvas: Canvas, x: float, y: float, reach: float) -> None:
    arms = joined(
        disc(x, y, reach * 0.34),
        *(
            ribbon([(x, y), (x, y - reach * 0.5), (x, y - reach)], reach * 0.56, reach * 0.36, reach * 0.14).turned(
                turn, (x, y)
            )
            for turn in range(12, 372, 72)
        ),
    )
    canvas.model(arms.scaled(1, 0.7, (x, y)), CORAL, shade=BRICK, rim=PEACH, light=(0.4, -1), depth=8, edge=4)
