"""The whole vocabulary in one place, so that a scene needs a single import line."""

from .canvas import (
    HEIGHT,
    WIDTH,
    Canvas,
)
from .gallery import (
    picture,
)
from .palette import (
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
    MAUVE,
    NIGHT,
    PEACH,
    PLUM,
    ROSE,
    SEA,
    SPRAY,
    TEAL,
    UMBER,
    Colour,
    mix,
)
from .props import (
    bubbles,
    cottage,
    fish,
    gull,
    lantern,
    pennant,
    post,
    sailboat,
    town,
    weed,
)
from .scenery import (
    band_sky,
    beam,
    chop,
    cloud,
    glitter,
    halo_sky,
    moon,
    rain,
    shafts,
    stars,
    streak,
    wave,
)
from .shapes import (
    Point,
    Points,
    Shape,
    both_sides,
    box,
    crescent,
    disc,
    joined,
    lens,
    outline,
    oval,
    polygon,
    ribbon,
    ridge,
    spark,
    spiral,
    stations,
)

__all__ = [
    "ABYSS", "AMBER", "APRICOT", "BLUSH", "BRICK", "CORAL", "CREAM", "DUSK", "FOAM", "HAZE", "HEIGHT", "INDIGO",
    "LANTERN", "MAUVE", "NIGHT", "PEACH", "PLUM", "ROSE", "SEA", "SPRAY", "TEAL", "UMBER", "WIDTH", "Canvas", "Colour",
    "Point", "Points", "Shape", "band_sky", "beam", "both_sides", "box", "bubbles", "chop", "cloud", "cottage",
    "crescent", "disc", "fish", "glitter", "gull", "halo_sky", "joined", "lantern", "lens", "mix", "moon", "outline",
    "oval", "pennant", "picture", "polygon", "post", "rain", "ribbon", "ridge", "sailboat", "shafts", "spark",
    "spiral", "stars", "stations", "streak", "town", "wave", "weed",
]
