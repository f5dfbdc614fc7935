"""The inks of the Lamplit Coast: one short list, shared by every picture."""

from typing import Final

Colour = tuple[int, int, int]

# Night, from the zenith down.
NIGHT: Final[Colour] = (15, 22, 56)
INDIGO: Final[Colour] = (29, 40, 92)
DUSK: Final[Colour] = (58, 68, 130)
HAZE: Final[Colour] = (122, 126, 176)

# Twilight, from the first star to the last light.
PLUM: Final[Colour] = (66, 38, 88)
MAUVE: Final[Colour] = (122, 68, 120)
ROSE: Final[Colour] = (198, 102, 128)
BLUSH: Final[Colour] = (236, 148, 138)
APRICOT: Final[Colour] = (250, 184, 134)
PEACH: Final[Colour] = (253, 217, 170)

# Sea, from the deep to the foam.
ABYSS: Final[Colour] = (8, 46, 66)
TEAL: Final[Colour] = (16, 88, 104)
SEA: Final[Colour] = (38, 140, 140)
SPRAY: Final[Colour] = (122, 196, 174)
FOAM: Final[Colour] = (208, 234, 214)

# Lamplight and everything it falls on.
CREAM: Final[Colour] = (255, 244, 220)
LANTERN: Final[Colour] = (255, 204, 76)
AMBER: Final[Colour] = (240, 148, 50)
CORAL: Final[Colour] = (226, 88, 66)
BRICK: Final[Colour] = (162, 54, 58)
UMBER: Final[Colour] = (72, 36, 50)


def mix(first: Colour, second: Colour, share: float = 0.5) -> Colour:
    """An overprint of two inks, `share` of it the second: for a step between two depths."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
