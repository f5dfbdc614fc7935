"""What the sea carries, and hands over when it is ready."""

from .kit import (
    ABYSS,
    AMBER,
    APRICOT,
    BRICK,
    CORAL,
    CREAM,
    FOAM,
    LANTERN,
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
    chop,
    disc,
    glitter,
    gull,
    halo_sky,
    lens,
    mix,
    outline,
    oval,
    picture,
    polygon,
    ribbon,
    ridge,
    sailboat,
    streak,
    town,
    wave,
)

_LOW_SUN = (-0.8, -0.5)
_AXIS = 760.0  # the bottle is drawn upright about this line


@picture(UMBER)
def bottle_message(canvas: Canvas) -> None:
    """A letter in a corked bottle rides the evening tide, and has company."""
    halo_sky(
        canvas,
        500,
        620,
        (1060, 850, 610, 490, 380, 255),
        (mix(UMBER, BRICK), BRICK, CORAL, AMBER, LANTERN, CREAM),
        0.88,
    )
    for x, y, width, ink in (
        (1170, 260, 380, BRICK),
        (250, 330, 340, BRICK),
        (1080, 420, 320, CORAL),
        (190, 450, 260, AMBER),
    ):
        canvas.fill(streak(x, y, width), ink, 0.8)
    canvas.fill(ridge("860,610 980,580 1100,556 1230,536 1370,544", 700), mix(UMBER, BRICK, 0.4))
    town(canvas, 1080, 562, 36, mix(UMBER, BRICK, 0.4), houses=7)
    canvas.fill(wave(604, 2, 300), mix(SEA, TEAL))
    sailboat(canvas, 250, 622, 110, UMBER, APRICOT)
    glitter(canvas, 500, 608, 830, 560, LANTERN, 13)
    canvas.fill(wave(650, 10, 420, 120), TEAL, 0.75)
    _bottle(canvas)
    _tide(canvas)
    _passenger(canvas)
    for x, y, span, tilt in ((360, 250, 52, -8), (420, 296, 36, 6)):
        canvas.fill(gull(x, y, span, tilt), UMBER)


def _lean(shape: Shape) -> Shape:
    """From upright to the way the bottle floats, neck to the upper right."""
    return shape.turned(52, (_AXIS, 480)).moved(-26, 28)


def _bottle(canvas: Canvas) -> None:
    glass = both_sides(
        outline("758,170! 792,170! 794,300 812,344 858,392 872,450 872,700 856,730 820,740 758,740!"), _AXIS
    )
    cork = outline("732,118! 788,118! 784,190! 736,190!")
    canvas.model(_lean(cork), AMBER, shade=UMBER, rim=PEACH, light=_LOW_SUN, depth=22, edge=5)
    canvas.fill(_lean(glass), SEA, 0.82)
    with canvas.inside(_lean(glass)):
        canvas.fill(_lean(glass) - _lean(glass).moved(-60, -40), TEAL, 0.7)
    _letter(canvas)
    with canvas.inside(_lean(glass)):
        canvas.fill(_lean(glass), SPRAY, 0.22)
        canvas.fill(_lean(glass) - _lean(glass).moved(-16, -12), ABYSS, 0.55)
        canvas.fill(_lean(glass) - _lean(glass).moved(8, 6), FOAM)
        canvas.fill(_lean(ribbon("676,470 672,540 676,640", 4, 20, 6)), CREAM, 0.85)
        canvas.fill(_lean(ribbon("688,430 704,402 722,382", 4, 14, 5)), CREAM, 0.85)
        canvas.fill(_lean(ribbon("744,200 742,260 738,310", 4, 9, 4)), CREAM, 0.85)
        canvas.fill(_lean(ribbon("846,500 850,580 846,680", 2, 8, 3)), SPRAY, 0.8)
    collar = box(718, 184, 84, 30, 12)
    canvas.model(_lean(collar), SEA, shade=TEAL, rim=FOAM, light=_LOW_SUN, depth=16, edge=5)


def _letter(canvas: Canvas) -> None:
    """The letter rolled round itself, tied with red ribbon and sealed."""
    sheet = box(704, 396, 108, 290, 8)
    canvas.model(_lean(sheet), CREAM, shade=APRICOT, light=_LOW_SUN, depth=30)
    for y in (396, 686):
        canvas.fill(_lean(oval(758, y, 54, 15)), PEACH)
        canvas.fill(_lean(oval(758, y, 40, 10)), APRICOT)
        canvas.fill(_lean(oval(752, y, 22, 6)), PEACH)
    canvas.fill(_lean(polygon("790,404 812,404 812,680 798,680")), PEACH)
    for y in (440, 464, 488, 610, 634):
        canvas.fill(_lean(box(722, y, 56, 5, 2)), ROSE, 0.7)
    canvas.model(_lean(box(698, 536, 120, 26, 6)), CORAL, shade=BRICK, light=_LOW_SUN, depth=10)
    canvas.fill(_lean(polygon("752,556 738,612 752,604 762,616 772,556")), BRICK)
    canvas.model(_lean(disc(758, 549, 24)), CORAL, shade=BRICK, rim=APRICOT, light=_LOW_SUN, depth=9, edge=4)
    canvas.fill(_lean(polygon("758,536 764,546 770,560 758,555 746,560 752,546")), LANTERN)


def _tide(canvas: Canvas) -> None:
    """The water in front: the sunk end of the bottle shows through it."""
    front = ridge("-10,706 150,722 330,700 470,690 600,712 740,736 900,724 1060,712 1220,730 1370,714")
    canvas.fill(front, TEAL, 0.86)
    with canvas.inside(front):
        canvas.fill(front - front.moved(0, 7), SPRAY)
        for x, y, width in ((220, 762, 190), (520, 752, 170), (1130, 766, 210), (890, 772, 150)):
            canvas.fill(lens(x, y, width, 9), SEA)
        for x, y, width in ((470, 722, 120), (560, 776, 160), (420, 792, 110)):
            canvas.fill(lens(x, y, width, 10), LANTERN)
    canvas.fill(ribbon("420,700 500,684 590,706 700,738 800,742 880,724", 3, 12, 16, 16, 12, 3), FOAM)
    canvas.fill(ribbon("520,742 620,762 740,772 840,760", 2, 7, 7, 2), SPRAY)
    for x, y, radius in ((404, 672, 6), (424, 650, 4), (900, 700, 6), (918, 684, 4)):
        canvas.fill(disc(x, y, radius), FOAM)
    canvas.model(chop(794, 20, 240, 70), ABYSS, rim=SEA, light=(0, -1), edge=5)
    canvas.fill(chop(824, 16, 180, 20), NIGHT)


def _passenger(canvas: Canvas) -> None:
    """A gull that has boarded at the shoulder, facing the sun and the boat that is sailing away."""

    def perched(shape: Shape) -> Shape:
        return shape.moved(-14, 30)

    for x in (812, 838):
        canvas.fill(perched(ribbon([(x, 330), (x - 2, 352), (x - 14, 354)], 7, 6, 4)), CORAL)
    canvas.fill(perched(outline("860,300! 950,286! 948,306! 930,308! 936,322! 860,336!")), UMBER)
    body = perched(
        outline("762,232! 776,204 806,198 828,214 836,244 870,266 912,300! 880,334 830,346 786,334 764,300 772,262")
    )
    canvas.model(
        perched(outline("778,214! 744,222 716,232 712,248! 738,244 776,248!")),
        LANTERN,
        shade=CORAL,
        light=(0.3, -1),
        depth=12,
    )
    canvas.model(body, CREAM, shade=APRICOT, light=_LOW_SUN, depth=24)
    wing = perched(outline("806,276! 840,262 888,280 946,300! 900,322 846,324 812,308"))
    canvas.model(wing, PLUM, rim=PEACH, light=_LOW_SUN, edge=5)
    canvas.fill(perched(disc(790, 226, 6)), NIGHT)
    canvas.fill(perched(disc(788, 224, 2)), CREAM)
