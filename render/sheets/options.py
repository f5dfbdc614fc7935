"""Options of sheets: paper, card, grid, backs, bleed and marks, one value for every output; and what is doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf

from render.base.findings import Problem, Severity
from render.base.geometry import Flip, Size
from render.base.sizes import CARDS, PAPERS, POKER
from render.images.art_dpi import ART_DPI
from render.scene.proof_kinds import Proof

MARGIN = 5.0  # mm that no home printer prints on: 4.2 on Brother and HP, 5 on Canon
MIN_MARGIN = 4.3  # mm: what Brother's and HP's printers leave white, rounded up


MAX_BLEED = 5.0  # mm: what built-in templates draw, and more than any print shop asks for
MAX_IN_A_ROW = 99  # columns or rows: two digits in a set, and more than the largest paper holds


class Backs(Enum):
    """Where the backs of a sheet's cards are printed."""

    DUPLEX = "duplex"
    SEPARATE = "separate"
    FOLD = "fold"
    NONE = "none"


class Orientation(Enum):
    """Portrait or landscape; by default as the paper is given."""

    AS_GIVEN = "as-given"
    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"


class Where(Enum):
    """Which edges bleed: those of every card, or only the outer ones of a block of cards that touch."""

    EACH = "each"
    BLOCK = "block"


class Crop(Enum):
    """Crop marks: none, in the margins, at the corners of each card, or lines over the whole sheet."""

    OFF = "off"
    EDGE = "edge"
    CORNER = "corner"
    FULL = "full"


class Sides(Enum):
    """Which sides of the sheet carry crop marks."""

    BOTH = "both"
    FRONTS = "fronts"
    BACKS = "backs"


class Registration(Enum):
    """Marks by which a cutting machine finds the sheet."""

    NONE = "none"
    SILHOUETTE = "silhouette"


class Structure(Enum):
    """The structure of the file: for a home printer, or by a standard for a press, in its inks."""

    HOME = "none"
    X_1A = "x-1a"
    X_4 = "x-4"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOptions:
    """How sheets are made; lengths in mm.

    `grid` is columns and rows; None fits as many as possible. `gutter` is between columns and between rows; None leaves
    room for the bleed. `reverse_backs` reverses the pages of a file of backs. `bleed_backs` is None if backs bleed as
    fronts do. `bleed_from` is the source of bleed (`auto`, `template`, `mirror`, `stretch` or a color `#rrggbb`).
    `sheets_per_file` is 0 for one file. `rich_black` applies to large areas in files for a press, those of shops
    included. `art_dpi` is the highest resolution of pictures, in dots per inch; inf keeps all pixels.
    """

    paper: Size = PAPERS["a4"]
    orientation: Orientation = Orientation.AS_GIVEN
    card_size: Size = POKER
    grid: tuple[int, int] | None = None
    margin: float = MARGIN
    gutter: tuple[float, float] | None = None
    backs: Backs = Backs.DUPLEX
    reverse_backs: bool = False
    flip: Flip = Flip.LONG_EDGE
    printer: str = ""
    bleed: float = 0.0
    bleed_backs: float | None = None
    bleed_where: Where = Where.EACH
    bleed_from: str = "auto"
    crop_marks: Crop = Crop.EDGE
    mark_length: float = 3.0
    mark_offset: float = 1.0
    mark_line: float = 0.1
    mark_sides: Sides = Sides.BOTH
    ruler: bool = True
    slug: bool = True
    date: str = ""
    cut_line: bool = False
    corner_radius: float = 3.0
    proof: Proof = Proof.NONE
    registration: Registration = Registration.NONE
    sheets_per_file: int = 0
    art_dpi: float = ART_DPI
    standard: Structure = Structure.HOME
    rich_black: bool = False

    @property
    def page(self) -> Size:
        """The paper in its orientation."""
        short, long = sorted((self.paper.width, self.paper.height))
        match self.orientation:
            case Orientation.PORTRAIT:
                return Size(short, long)
            case Orientation.LANDSCAPE:
                return Size(long, short)
        return self.paper

    @property
    def for_press(self) -> bool:
        """Whether sheets are made for a press."""
        return self.standard is not Structure.HOME

    @property
    def white_edge(self) -> float:
        """How far marks, ruler and slug keep from the paper's edge, in mm: the margin, but never less than 5."""
        return max(self.margin, MARGIN)

    @property
    def back_bleed(self) -> float:
        """The bleed of the backs."""
        return self.bleed if self.bleed_backs is None else self.bleed_backs

    @property
    def most_bleed(self) -> float:
        """The larger bleed of both sides."""
        return self.bleed if self.backs is Backs.NONE else max(self.bleed, self.back_bleed)


# --- what is doubtful -----------------------------------------------------------------------------------------------


OptionDoubt = tuple[Problem, tuple[str, ...]]


def option_doubts(options: SheetOptions) -> tuple[OptionDoubt, ...]:
    """Return what is allowed and yet doubtful, each with the keys that it is about."""
    found = []
    if options.margin < MIN_MARGIN:
        said = f"most printers leave {MIN_MARGIN:g} mm along the edge white, but the margin is {options.margin:g} mm"
        found.append(_doubt("I001", said, f"use a margin of {MARGIN:g} mm, or print on larger paper", "margin"))
    if options.card_size == CARDS["guide"]:
        said = "66 x 91 mm is not 2.5 x 3.5 in: it is the outside of a sleeve, and such a card does not go into one"
        found.append(_doubt("I002", said, "use `poker`, 63.5 x 88.9 mm, for cards to be sleeved", "card_size"))
    bleed, room = options.most_bleed, _least_gutter(options)
    if options.proof is Proof.NONE and options.bleed_where is Where.EACH and room < 2 * bleed:
        said = f"between two cards each has {room / 2:g} mm for its bleed, and the bleed is {bleed:g} mm"
        hint = f"use a gutter of {2 * bleed:g} mm, or bleed only around the `block`"
        found.append(_doubt("I003", said, hint, "gutter", "bleed", "bleed_backs", "bleed_where", "grid"))
    if options.reverse_backs and options.backs is not Backs.SEPARATE:
        said = f"`reverse_backs` has no effect with `backs: {options.backs.value}`"
        found.append(_doubt("I004", said, "use it with `backs: separate`", "reverse_backs", "backs"))
    return tuple(found)


def _doubt(code: str, said: str, hint: str, *keys: str) -> OptionDoubt:
    return Problem(code, said, hint, Severity.WARNING), keys


def _least_gutter(options: SheetOptions) -> float:
    """Return the narrower of the given gutters, in mm; a single column or row has none, hence inf."""
    lanes, gutters = options.grid or (2, 2), options.gutter or (inf, inf)
    return min((gutter for gutter, lane in zip(gutters, lanes, strict=True) if lane > 1), default=inf)


# --- What `kotc build` makes of a set, as one value ---


MIN_DPI, MAX_DPI = 72, 1200


@dataclass(frozen=True, slots=True)
class Pngs:
    """A PNG of each card: dots per inch, and mm of bleed around the trim."""

    dpi: float = 300.0
    bleed: float = 0.0


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is made of a set: PNGs or None, whether sheets and a gallery, and for which print shops."""

    pngs: Pngs | None = None
    sheets: bool = False
    shops: tuple[str, ...] = ()
    gallery: bool = False


USUAL = Outputs(pngs=Pngs(), sheets=True)
"""What is made of a set that says nothing of it."""
