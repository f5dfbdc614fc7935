"""The ticket of a file: what the file should be, as it says of itself in JSON; lengths in mm."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Meta, MsgspecError, Struct, convert, field
from msgspec.json import decode
from msgspec.structs import asdict

from render.base.geometry import IDENTITY, MAX_DISTANCE, Affine, Flip, Size
from render.images.press import Press
from render.pdf.standards import STANDARDS
from render.scene.items import Outline
from render.scene.outlines import path
from render.scene.proof_kinds import Proof
from render.sheets.option_values import MAX_MARGIN
from render.sheets.options import MAX_BLEED, MAX_IN_A_ROW, Backs, Crop, Registration, Sides, Where
from render.shops.profiles import PdfShop, presses, shops

LONGEST_CUT = 50_000  # characters of a path
LONGEST_MARK, MAX_SHOP_BLEED = 100.0, 20.0  # mm: no shop asks for half as much
MAX_CARDS = 1_000_000  # copies in a file: far more than anybody prints, and few enough to count

Count = Annotated[int, Meta(ge=1, le=MAX_CARDS)]
InARow = Annotated[int, Meta(ge=1, le=MAX_IN_A_ROW)]
Side = Annotated[float, Meta(ge=10, le=2000)]  # as in `parse_paper` and `parse_card_size`
Margin = Annotated[float, Meta(ge=0, le=MAX_MARGIN)]
Offset = Annotated[float, Meta(ge=-MAX_MARGIN, le=MAX_MARGIN)]
Bleed = Annotated[float, Meta(ge=0, le=MAX_BLEED)]
MarkLength = Annotated[float, Meta(ge=0, le=LONGEST_MARK)]
Place = Annotated[float, Meta(ge=-MAX_DISTANCE, le=MAX_DISTANCE)]


class FileSide(Enum):
    """Which side of its sheets a file holds: one side, if the backs have a file of their own, else both."""

    BOTH = ""
    FRONTS = "fronts"
    BACKS = "backs"


class Marks(Struct, frozen=True, kw_only=True):
    """The marks of sheets, which keep `white` from the edge of the paper.

    `slug` is its text before the number of the sheet, `check` the box of the shorter ruler.
    """

    white: Margin = 0.0
    check: tuple[Place, Place, Place, Place] | None = None
    crop: Crop = Crop.OFF
    length: MarkLength = 0.0
    offset: MarkLength = 0.0
    line: Annotated[float, Meta(ge=1e-6, le=LONGEST_MARK)] = 0.1
    sides: Sides = Sides.BOTH
    ruler: bool = False
    slug: str | None = None
    cut_line: bool = False
    registration: Registration = Registration.NONE


class _Drawing(Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """What is drawn: cards with their copies and a mark that cards with the same back share, and how faces are drawn.

    `sideways` are the cards whose fronts, and those whose backs, are turned by a quarter.
    """

    rows: Annotated[tuple[tuple[str, Count, str | None], ...], Meta(min_length=1)] = field(name="cards")
    card_sides: tuple[Side, Side] = field(name="card")
    proof: Proof
    radius: Annotated[float, Meta(ge=0, le=MAX_DISTANCE)]
    bleed_from: Annotated[str, Meta(pattern=r"^(auto|template|mirror|stretch|#[0-9a-f]{6})\Z")]
    rich_black: bool = False
    standard: str | None = None
    sideways: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @cached_property
    def cards(self) -> Mapping[str, tuple[int, str | None]]:
        """The copies of each card, and the mark of its back, None for a card without one."""
        return {name: (copies, back) for name, copies, back in self.rows}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The cards of a file for a shop, or of an assumed ticket, in the order of their places."""
        return tuple(name for name, copies, _ in self.rows for _ in range(copies))

    @property
    def copies(self) -> int:
        return sum(copies for _, copies, _ in self.rows)

    def __post_init__(self) -> None:
        if len(self.cards) < len(self.rows) or self.copies > MAX_CARDS:
            raise ValueError(f"`cards` lists a card twice, or more than {MAX_CARDS} cards")


class _Sheets(_Drawing, frozen=True, kw_only=True, eq=False):
    """What a file of sheets says of itself.

    `sheet_numbers` are its first and its last sheet and the number of those of its job. `offset` moves all cards from the
    middle of the paper, as seen from the front. `bleed` is that of fronts and of backs; `where` says which edges have it.
    `correction` is applied to what is drawn on back pages. `is_reversed` says that a file of backs begins with the last
    sheet. `missing` are cards that had an error, and have marked blanks in their places.
    """

    paper_sides: tuple[Side, Side] = field(name="paper")
    sheet_numbers: tuple[Count, Count, Count] = field(name="sheets")
    grid: tuple[InARow, InARow]
    gutter: tuple[Margin, Margin]
    offset: tuple[Offset, Offset] = (0.0, 0.0)
    margin: Margin
    bleed: tuple[Bleed, Bleed]
    where: Where
    backs: Backs
    flip: Flip
    fold: Literal["upright", "level"] = "level"
    correction: Affine
    side: FileSide
    is_reversed: bool = field(name="reversed", default=False)
    missing: tuple[str, ...] = ()
    marks: Marks
    cut: Annotated[str, Meta(max_length=LONGEST_CUT)] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.is_reversed and self.side is not FileSide.BACKS:
            raise ValueError("`reversed` is said of a file that is none of backs")
        (first, last, sheets), (columns, rows) = self.sheet_numbers, self.grid
        if not first <= last <= sheets:
            raise ValueError(f"sheets {first} to {last} of {sheets}")
        slots, here = columns * rows, last - first + 1
        if here != -(-self.copies // slots):  # rounded up: the last sheet may have empty slots
            raise ValueError(f"{self.copies} cards on {here} sheets of {slots}")


class Ticket(_Sheets, frozen=True, kw_only=True, eq=False):
    """What a file of sheets should be; one for a `shop` is of sheets with one card each.

    `are_copies` says whether each copy has pages of its own, `assumed` in words what was assumed of a file without a
    ticket: "" if it has one.
    """

    shop: str = ""
    backs_first: bool = False
    are_copies: bool = True
    assumed: str = ""

    @cached_property
    def paper(self) -> Size:
        return Size(*self.paper_sides)

    @cached_property
    def card(self) -> Size:
        return Size(*self.card_sides)

    @property
    def most_bleed(self) -> float:
        return self.bleed[0] if self.backs is Backs.NONE else max(self.bleed)

    @property
    def slots(self) -> int:
        return self.grid[0] * self.grid[1]

    @property
    def numbers(self) -> range:
        """The numbers of its sheets within its job, counted from 1."""
        first, last, _ = self.sheet_numbers
        return range(first, last + 1)

    @property
    def sheets(self) -> int:
        """The number of sheets of its job."""
        return self.sheet_numbers[2]

    @cached_property
    def press(self) -> Press | None:
        """The press that the file is for; None for colors in sRGB."""
        if not self.shop:
            return next(iter(presses().values())) if self.standard else None
        shop = shops().get(self.shop)
        return shop.press if isinstance(shop, PdfShop) else None

    @property
    def condition(self) -> tuple[str, str] | None:
        """The printing condition that the file must name, and its profile's file name."""
        if self.press:
            return self.press.condition, self.press.profile
        return ("sRGB", "sRGB2014.icc") if self.standard else None

    @cached_property
    def cut_outline(self) -> tuple[Outline, ...]:
        """What cards are cut along that are no rectangles, in mm from the corner of a slot."""
        return path(self.cut)

    @cached_property
    def _lying(self) -> tuple[frozenset[str], frozenset[str]]:
        fronts, backs = map(frozenset, self.sideways)
        return fronts, backs

    def lies(self, name: str, *, is_back: bool) -> bool:
        """Whether a side of a card is turned by a quarter in its slot."""
        return name in self._lying[is_back]

    def is_back_page(self, page: int) -> bool:
        """Whether a page, counted from 1, should hold backs: fronts come first unless a shop asks for the back."""
        if self.backs is not Backs.DUPLEX:
            return self.side is FileSide.BACKS
        return (page % 2 == 0) is not self.backs_first

    def sheet_of(self, page: int) -> int:
        """Return the number of a page's sheet."""
        place = (page - 1) // 2 if self.backs is Backs.DUPLEX else page - 1
        first, last, _ = self.sheet_numbers
        return last - place if self.is_reversed else first + place

    def cards_on(self, sheet: int) -> int:
        """Return how many cards a sheet should hold: only the last one of a file may have empty slots."""
        return min(self.slots, self.copies - (sheet - self.numbers[0]) * self.slots)


class _Kind(Struct):
    kind: str = ""


class _Shop(_Drawing, frozen=True, kw_only=True, eq=False):
    """What a file for a print shop says of itself."""

    shop: str
    bleed: Annotated[float, Meta(ge=0, le=MAX_SHOP_BLEED)]
    backs_first: bool = False
    copies_are: Literal["each", "once"] = field(name="copies")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.standard not in STANDARDS:
            raise ValueError("`standard` is none of those that are known")


def parse(words: str) -> Ticket:
    """Return the ticket written in JSON, of sheets or of a shop; ValueError says what is wrong with it."""
    try:
        if decode(words, type=_Kind).kind != "shop":
            return Ticket(**asdict(decode(words, type=_Sheets)))
        said = asdict(decode(words, type=_Shop))
    except (MsgspecError, RecursionError) as error:  # deeply nested JSON exhausts Python's stack
        why, _, place = str(error).partition(" - at `$.")
        why = f"{why[:1].lower()}{why[1:]}"
        raise ValueError(f"`{place[:-1]}` is wrong: {why}" if place else why) from None
    are_copies, bleed = said.pop("copies_are") == "each", said["bleed"]
    number = sum(copies for _, copies, _ in said["rows"])
    width, height = (side + 2 * bleed for side in said["card_sides"])
    return Ticket(
        **{**said, "bleed": (bleed, bleed)},
        are_copies=are_copies,
        paper_sides=(width, height),
        sheet_numbers=(1, number, number),
        grid=(1, 1),
        gutter=(0.0, 0.0),
        margin=0.0,
        where=Where.EACH,
        backs=Backs.DUPLEX,
        flip=Flip.LONG_EDGE if height >= width else Flip.SHORT_EDGE,  # about an upright line
        correction=IDENTITY,
        side=FileSide.BOTH,
        marks=Marks(),
    )


def assume(said: Mapping[str, Any], words: str) -> Ticket:
    """Return the ticket of sheets with these values, which are what `words` say."""
    return Ticket(**asdict(convert(said, _Sheets)), assumed=words)
