"""Options of sheets: paper, card, grid, backs, bleed and marks, one value for every output; and what is doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import groupby
from math import inf
from typing import Any

from msgspec import Struct, structs

from render.base.findings import Diagnostic, Severity
from render.base.geometry import Flip, Size
from render.base.sizes import CARDS, PAPERS, POKER, parse_card_size, parse_paper
from render.images.press import ART_DPI
from render.scene.proof_kinds import Proof
from render.sheets.option_values import (
    AUTO,
    BLEED_SOURCE,
    DATE,
    GRID,
    GUTTER,
    MAX_MARGIN,
    PRINTER,
    SWITCH,
    TRUTH,
    Values,
    count,
    dpi,
    length,
    or_auto,
    size,
    words,
    written,
)
from render.source import shapes
from render.source.shapes import Shape

MARGIN = 5.0  # mm that no home printer prints on: 4.2 on Brother and HP, 5 on Canon
MAX_BLEED = 5.0  # mm: what built-in templates draw, and more than any print shop asks for
MAX_IN_A_ROW = 99  # columns or rows: two digits in a set, and more than the largest paper holds
MIN_MARGIN = 4.3  # mm: what Brother's and HP's printers leave white, rounded up


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


class Option(Struct, frozen=True):
    """One option: its name in `sheet:` of a set, its values, its help, its default as it is written, and its subject.

    `read`, `values` and `shapes` are those of `Values`. Whatever a set can say of it, a command can, the default
    included.
    """

    key: str
    read: Callable[[str], object]
    values: str
    shapes: tuple[Shape, ...]
    help: str
    default: str
    section: str

    @property
    def words(self) -> tuple[str, ...]:
        """Those of the forms of its values that are words."""
        return tuple(form for form in self.values.split("|") if form.islower())

    @property
    def is_switch(self) -> bool:
        return self.values == SWITCH

    @property
    def flag(self) -> str:
        return "--" + self.key.replace("_", "-")

    @property
    def off_flag(self) -> str:
        """The flag that turns it off, if it is a switch."""
        return "--no-" + self.flag[2:]

    @property
    def schema(self) -> Shape:
        """The JSON Schema of its values, for editors; the default as YAML has it, where a number is one."""
        if self.is_switch:
            return {**shapes.truth(default=self.default == "true"), "description": self.help}
        forms = [*([shapes.word(self.words)] if self.words else []), *self.shapes]
        schema = dict(forms[0] if len(forms) == 1 else shapes.either(*forms))
        if self.default:
            value = self.default if self.default in self.words else float(self.default)
            schema["default"] = int(value) if isinstance(value, float) and value.is_integer() else value
        return {**schema, "description": self.help}


_SAID: list[tuple[Values, str, str]] = []  # of each field of `SheetOptions`, in order


def _option(default: object, help_: str, kind: Values | None = None, *, section: str = "") -> Any:
    """Return the field of an option; a section begins with the option that names it.

    Its values are of some kind, or else those of its default's type: on and off, or the words of an enumeration.
    """
    if kind is None:
        kind = TRUTH if isinstance(default, bool) else words(type(default))  # type: ignore[arg-type] # an Enum
    _SAID.append((kind, help_, section))
    return default


class SheetOptions(Struct, frozen=True, kw_only=True):
    """How sheets are made; lengths in mm. The table of all options: key, type, default, values and help of each.

    `grid` is columns and rows; None fits as many as possible. `gutter` is between columns and between rows; None leaves
    room for the bleed. `bleed_backs` is None if backs bleed as fronts do. `sheets_per_file` is 0 for one file. `art_dpi`
    is inf to keep all pixels. `rich_black` applies to files of shops, too.
    """

    paper: Size = _option(
        PAPERS["a4"],
        f"Paper size: {', '.join(PAPERS)}, or WxH in mm.",
        size(parse_paper, PAPERS),
        section="Paper and grid",
    )
    orientation: Orientation = _option(
        Orientation.AS_GIVEN,
        "Paper orientation: portrait or landscape; as-given keeps --paper as it is given, "
        "or for sheets to be folded turns it if it then holds more cards.",
    )
    card_size: Size = _option(
        POKER, f"Trim size of the cards: {', '.join(CARDS)}, or WxH in mm.", size(parse_card_size, CARDS)
    )
    grid: tuple[int, int] | None = _option(
        None, "Columns x rows of cards on a sheet; auto fits as many as possible.", GRID
    )
    margin: float = _option(MARGIN, "Space left white along the edges of the paper.", length(0, MAX_MARGIN))
    gutter: tuple[float, float] | None = _option(
        None, "Space between cards, or between columns x between rows; auto leaves room for bleed.", GUTTER
    )
    backs: Backs = _option(
        Backs.DUPLEX,
        "How backs are printed: duplex, behind the fronts; separate, in a second file; "
        "fold, beside the fronts; or none.",
        section="Backs and bleed",
    )
    reverse_backs: bool = _option(False, "Reverse the pages of separate backs, for printers that stack pages face up.")
    flip: Flip = _option(Flip.LONG_EDGE, "Edge on which the printer flips the paper: long-edge or short-edge.")
    printer: str = _option(
        "", "Apply this printer's correction to back pages, see `kotc calibrate`; none applies no correction.", PRINTER
    )
    bleed: float = _option(0.0, f"Width of color beyond the trim, 0 to {MAX_BLEED:g}.", length(0, MAX_BLEED))
    bleed_backs: float | None = _option(
        None, "Bleed of the backs; auto is that of --bleed.", or_auto(length(0, MAX_BLEED))
    )
    bleed_where: Where = _option(
        Where.EACH, "Where cards bleed: each, around every card; or block, only on the outside of the grid."
    )
    bleed_from: str = _option(
        AUTO,
        "What bleed is made from: template, what the template draws beyond the trim; mirror or stretch, the edge of "
        "the card; a color; or auto, template if it reaches far enough, else mirror.",
        BLEED_SOURCE,
    )
    crop_marks: Crop = _option(
        Crop.EDGE,
        "Crop marks: edge, in the margins; corner, also at the corners of all cards; "
        "full, lines across the sheet; or off.",
        section="Marks",
    )
    mark_length: float = _option(3.0, "Length of crop marks.", length(0.5, 20))
    mark_offset: float = _option(1.0, "Gap between crop marks and the card or its bleed.", length(0, 20))
    mark_line: float = _option(0.1, "Stroke width of crop marks.", length(0.05, 1))
    mark_sides: Sides = _option(Sides.BOTH, "Pages with crop marks: fronts, backs or both.")
    ruler: bool = _option(True, "Print rulers, to check that the print was not scaled.")
    slug: bool = _option(True, "Print a line that names set, edition, sheet and side.")
    date: str = _option("", "Date, or other words, to print in the slug.", DATE)
    cut_line: bool = _option(
        False, "Draw the cut as a magenta line, as a preview.", section="Cutting, proofs and files"
    )
    corner_radius: float = _option(3.0, "Corner radius of the cut.", length(0, 15))
    proof: Proof = _option(
        Proof.NONE, "Kind of proof: low-ink, to play with; grey, with pale pictures; outline, to try the cut; or none."
    )
    registration: Registration = _option(
        Registration.NONE, "Registration marks for a cutting machine: silhouette or none."
    )
    sheets_per_file: int = _option(0, "Start a new PDF every N sheets; 0 = never split.", count(9999))
    art_dpi: float = _option(
        ART_DPI, "Highest resolution of pictures in dots per inch; original keeps all pixels.", dpi(150, 1200)
    )
    standard: Structure = _option(
        Structure.HOME,
        "Make CMYK sheets for a print shop: x-1a or x-4 (PDF/X); none is for a home printer.",
        words(Structure, also={"pdf-x1a": "x-1a", "pdf-x4": "x-4"}),  # their names as shops
        section="For a press",
    )
    rich_black: bool = _option(False, "Print large black areas of CMYK files in four inks.")

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
        return self.standard is not Structure.HOME

    @property
    def white_edge(self) -> float:
        """How far marks, ruler and slug keep from the paper's edge, in mm: the margin, but never less than 5."""
        return max(self.margin, MARGIN)

    @property
    def back_bleed(self) -> float:
        return self.bleed if self.bleed_backs is None else self.bleed_backs

    @property
    def most_bleed(self) -> float:
        """The larger bleed of both sides."""
        return self.bleed if self.backs is Backs.NONE else max(self.bleed, self.back_bleed)


def _read_options() -> Iterator[Option]:
    section = ""
    for each, (kind, help_, begun) in zip(structs.fields(SheetOptions), _SAID, strict=True):
        section = begun or section
        yield Option(each.name, kind.read, kind.forms, kind.shapes, help_, written(each.default), section)


OPTIONS = tuple(_read_options())
KEYS = tuple(option.key for option in OPTIONS)
SECTIONS = {name: tuple(options) for name, options in groupby(OPTIONS, key=lambda option: option.section)}
"""All options by subject, in the order of the fields of `SheetOptions`."""


# --- what is doubtful -----------------------------------------------------------------------------------------------


OptionDoubt = tuple[Diagnostic, tuple[str, ...]]


def option_doubts(options: SheetOptions) -> Iterator[OptionDoubt]:
    """Yield what is allowed and yet doubtful, each with the keys that it is about."""

    def doubt(code: str, message: str, hint: str, *keys: str) -> OptionDoubt:
        return Diagnostic(code, message, hint, Severity.WARNING), keys

    if options.margin < MIN_MARGIN:
        message = f"most printers leave {MIN_MARGIN:g} mm along the edge white, but the margin is {options.margin:g} mm"
        yield doubt("I001", message, f"use a margin of {MARGIN:g} mm, or print on larger paper", "margin")
    if options.card_size == CARDS["guide"]:
        message = "66 x 91 mm is not 2.5 x 3.5 in: it is the outside of a sleeve, and such a card does not go into one"
        yield doubt("I002", message, "use `poker`, 63.5 x 88.9 mm, for cards to be sleeved", "card_size")
    gutters = zip(options.gutter or (inf, inf), options.grid or (2, 2), strict=True)
    bleed, room = options.most_bleed, min((gutter for gutter, lanes in gutters if lanes > 1), default=inf)
    if options.proof is Proof.NONE and options.bleed_where is Where.EACH and room < 2 * bleed:
        message = f"between two cards each has {room / 2:g} mm for its bleed, and the bleed is {bleed:g} mm"
        hint = f"use a gutter of {2 * bleed:g} mm, or bleed only around the `block`"
        yield doubt("I003", message, hint, "gutter", "bleed", "bleed_backs", "bleed_where", "grid")
    if options.reverse_backs and options.backs is not Backs.SEPARATE:
        message = f"`reverse_backs` has no effect with `backs: {options.backs.value}`"
        yield doubt("I004", message, "use it with `backs: separate`", "reverse_backs", "backs")


# --- What `kotc build` makes of a set, as one value ---


MIN_DPI, MAX_DPI = 72, 1200


class Pngs(Struct, frozen=True):
    """A PNG of each card: dots per inch, and mm of bleed around the trim."""

    dpi: float = 300.0
    bleed: float = 0.0


class Outputs(Struct, frozen=True):
    """What is made of a set: PNGs or None, whether sheets and a gallery, and for which print shops.

    What others get has cards that are `drafts` only if that is asked for.
    """

    pngs: Pngs | None = None
    sheets: bool = False
    shops: tuple[str, ...] = ()
    gallery: bool = False
    drafts: bool = False


USUAL = Outputs(pngs=Pngs(), sheets=True)
"""What is made of a set that says nothing of it."""
