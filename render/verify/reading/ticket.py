"""The ticket of a file of sheets: what the file should be, as it says of itself in JSON; lengths in mm."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from render.base.geometry import MAX_DISTANCE, Affine, Flip, Rect, Size
from render.scene.proof_kinds import Proof
from render.sheets.option_values import MAX_MARGIN
from render.sheets.options import MAX_BLEED, MAX_IN_A_ROW, Backs, Crop, Registration, Sides, Where

LONGEST_MARK = 100.0  # mm
MAX_SHOP_BLEED = 20.0  # mm: no shop asks for half as much
MAX_CARDS = 1_000_000  # copies in a file: far more than anybody prints, and few enough to count

E = TypeVar("E", bound=Enum)


class FileSide(Enum):
    """Which side of its sheets a file holds: one side, if the backs have a file of their own, else both."""

    BOTH = ""
    FRONTS = "fronts"
    BACKS = "backs"


@dataclass(frozen=True, slots=True)
class CopiesOfCard:
    """A card of a file: its number of copies, and a mark that cards with the same back share.

    The mark of a card without a back is None.
    """

    copies: int
    back: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketMarks:
    """What sheets carry beside the faces, in mm: crop marks, ruler, slug, cut lines, registration marks.

    `slug` is the slug's text before the number of the sheet; None without a slug. `white` is how far marks keep from
    the edge of the paper, `check` the box of the shorter ruler on fronts, if there is one.
    """

    white: float
    check: Rect | None
    crop: Crop
    length: float
    offset: float
    line: float
    sides: Sides
    ruler: bool
    slug: str | None
    cut_line: bool
    registration: Registration


@dataclass(frozen=True, slots=True)
class DrawingOptions:
    """How faces are drawn: as which proof, with which corner radius in mm, and the source of their bleed.

    `is_rich` says whether large black areas are rich black in files for a press.
    """

    proof: Proof
    radius: float
    bleed_from: str
    is_rich: bool = False


@dataclass(frozen=True, slots=True)
class ShopPages:
    """The order of pages in a file for a print shop: a back and a front of each card in `order`.

    `are_copies` says whether each copy of a card has pages of its own.
    """

    name: str
    backs_first: bool
    order: tuple[str, ...]
    are_copies: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """What a file of sheets should be: sheets `first` to `last` of the `sheets` of its job, counted from 1.

    A file for a `shop` is one of sheets with one card each.

    `offset` moves all cards from the middle of the paper, as seen from the front. `bleed` is that of fronts and of
    backs; `where` says which edges have it. `correction` is applied to what is drawn on back pages. `is_fold_upright`
    is the direction of the fold of fold-over sheets, and means nothing for others. `is_reversed` says that a file of
    backs begins with the last sheet. `missing` are cards that had an error, and have marked blanks in their places.
    """

    paper: Size
    card: Size
    columns: int
    rows: int
    gutter: tuple[float, float]
    offset: tuple[float, float]
    margin: float
    bleed: tuple[float, float]
    where: Where
    backs: Backs
    flip: Flip
    is_fold_upright: bool
    correction: Affine
    side: FileSide
    first: int
    last: int
    sheets: int
    cards: Mapping[str, CopiesOfCard]
    marks: TicketMarks
    drawing: DrawingOptions
    standard: str | None
    is_reversed: bool = False
    missing: tuple[str, ...] = ()
    shop: ShopPages | None = None

    @property
    def most_bleed(self) -> float:
        """The larger bleed of both sides."""
        return self.bleed[0] if self.backs is Backs.NONE else max(self.bleed)

    @property
    def slots(self) -> int:
        """The number of cards on a full sheet."""
        return self.columns * self.rows

    @property
    def copies(self) -> int:
        """The number of copies of all cards in the file together."""
        return sum(card.copies for card in self.cards.values())


def read(said: Mapping[str, object]) -> Ticket:
    """Return the ticket with these values; ValueError says what is wrong with them."""
    gutter, bleed = (_lengths(said, key) for key in ("gutter", "bleed"))
    columns, rows = _counts(said, "grid", 2)
    first, last, sheets = _counts(said, "sheets", 3)
    ticket = Ticket(
        paper=read_size(said, "paper"),
        card=read_size(said, "card"),
        columns=columns,
        rows=rows,
        gutter=gutter,
        offset=_offset(said.get("offset", [0.0, 0.0])),
        margin=read_numbers([said.get("margin")], "margin", 1)[0],
        bleed=bleed,
        where=_member(Where, said, "where"),
        backs=_member(Backs, said, "backs"),
        flip=_member(Flip, said, "flip"),
        is_fold_upright=said.get("fold") == "upright",
        correction=Affine(*read_numbers(said.get("correction"), "correction", 6)),
        side=_member(FileSide, said, "side"),
        first=first,
        last=last,
        sheets=sheets,
        cards=read_cards(said.get("cards")),
        marks=_marks(_object_of(said, "marks")),
        drawing=read_drawing(said),
        standard=standard if isinstance(standard := said.get("standard"), str) else None,
        is_reversed=said.get("reversed") is True,
        missing=_missing(said.get("missing", [])),
    )
    _check(ticket)
    return ticket


def _missing(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("`missing` is no list of cards")
    return tuple(names)


def _marks(said: Mapping[str, object]) -> TicketMarks:
    slug = said.get("slug")
    if not isinstance(slug, str | None):
        raise ValueError("`slug` is no text")
    length, offset, line = read_numbers([said.get(key) for key in ("length", "offset", "line")], "marks", 3)
    if not (0 <= min(length, offset) <= max(length, offset) <= LONGEST_MARK and 0 < line <= LONGEST_MARK):
        raise ValueError("`marks` are of no size")
    (white,) = read_numbers([said.get("white")], "white", 1)
    if not 0 <= white <= MAX_MARGIN:
        raise ValueError(f"`white` is {white:g} mm, and it is at most {MAX_MARGIN:g}")
    check = said.get("check")
    return TicketMarks(
        white=white,
        check=None if check is None else Rect(*read_numbers(check, "check", 4)),
        crop=_member(Crop, said, "crop"),
        length=length,
        offset=offset,
        line=line,
        sides=_member(Sides, said, "sides"),
        ruler=said.get("ruler") is True,
        slug=slug,
        cut_line=said.get("cut_line") is True,
        registration=_member(Registration, said, "registration"),
    )


def read_drawing(said: Mapping[str, object]) -> DrawingOptions:
    """Return how faces are drawn; ValueError if that is impossible."""
    (radius,) = read_numbers([said.get("radius")], "radius", 1)
    source = said.get("bleed_from")
    if not isinstance(source, str) or not _SOURCE.fullmatch(source):
        raise ValueError("`bleed_from` is none of those that are known")
    if radius < 0:
        raise ValueError("`radius` is negative")
    return DrawingOptions(_member(Proof, said, "proof"), radius, source, said.get("rich_black") is True)


_SOURCE = re.compile(r"auto|template|mirror|stretch|#[0-9a-f]{6}")


def _object_of(said: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = said.get(key)
    if not isinstance(found, dict):
        raise ValueError(f"it says nothing of `{key}`")
    return found


def _check(ticket: Ticket) -> None:
    """Refuse values out of bounds, and values that contradict each other."""
    if max(ticket.columns, ticket.rows) > MAX_IN_A_ROW:
        raise ValueError(f"a grid of {ticket.columns} x {ticket.rows}")
    for key, value, most in (
        ("margin", ticket.margin, MAX_MARGIN),
        ("gutter", max(ticket.gutter), MAX_MARGIN),
        ("bleed", max(ticket.bleed), MAX_BLEED),
    ):
        if not 0 <= value <= most:
            raise ValueError(f"`{key}` is {value:g} mm, and it is at most {most:g}")
    if ticket.is_reversed and ticket.side is not FileSide.BACKS:
        raise ValueError("`reversed` is said of a file that is none of backs")
    if not ticket.first <= ticket.last <= ticket.sheets:
        raise ValueError(f"sheets {ticket.first} to {ticket.last} of {ticket.sheets}")
    if ticket.copies > MAX_CARDS:
        raise ValueError(f"{ticket.copies} cards")
    here = ticket.last - ticket.first + 1
    needed = -(-ticket.copies // ticket.slots)  # rounded up: the last sheet may have empty slots
    if here != needed:
        raise ValueError(f"{ticket.copies} cards on sheets of {ticket.slots} take {needed}, not {here}")


def read_object(words: str) -> dict[str, object]:
    """Return the object written in JSON; ValueError if it is none."""
    try:
        said = json.loads(words)
    except (ValueError, RecursionError):  # deeply nested JSON exhausts Python's stack
        said = None
    if not isinstance(said, dict):
        raise ValueError("it is no JSON object")
    return said


def read_numbers(values: object, key: str, count: int) -> list[float]:
    """Return `count` numbers within bounds; ValueError for anything else."""
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} numbers")
    for value in values:
        # `type`, since True is an int to `isinstance`.
        # Python's JSON reads `NaN` and `Infinity`, which RFC 8259, section 6 does not allow.
        if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > MAX_DISTANCE:
            raise ValueError(f"`{key}` is not made of numbers")
    return [float(value) for value in values]


def _lengths(said: Mapping[str, object], key: str) -> tuple[float, float]:
    across, down = read_numbers(said.get(key), key, 2)
    if min(across, down) < 0:
        raise ValueError(f"`{key}` is negative")
    return across, down


def _offset(values: object) -> tuple[float, float]:
    right, down = read_numbers(values, "offset", 2)
    if max(abs(right), abs(down)) > MAX_MARGIN:
        raise ValueError(f"`offset` is more than {MAX_MARGIN:g} mm")
    return right, down


def read_size(said: Mapping[str, object], key: str) -> Size:
    """Return the size of a card or a paper; ValueError."""
    lengths = _lengths(said, key)
    least, most = 10, 2000  # as in `parse_paper` and `parse_card_size`
    if not least <= min(lengths) <= max(lengths) <= most:
        raise ValueError(f"`{key}` is not from {least} to {most} mm a side")
    return Size(*lengths)


def _counts(said: Mapping[str, object], key: str, count: int) -> list[int]:
    values = said.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} whole numbers")
    for value in values:
        if type(value) is not int or not 1 <= value <= MAX_CARDS:
            raise ValueError(f"`{key}` is not made of whole numbers")
    return values


def _member(kind: type[E], said: Mapping[str, object], key: str) -> E:
    try:
        return kind(said.get(key))
    except ValueError:
        raise ValueError(f"`{key}` is none of those that are known") from None


def read_cards(rows: object) -> Mapping[str, CopiesOfCard]:
    """Return the cards from a list of names, copies and marks of backs, in order; ValueError."""
    if not isinstance(rows, list) or not rows:
        raise ValueError("`cards` lists none")
    cards: dict[str, CopiesOfCard] = {}
    for row in rows:
        match row:
            case [str(name), int(copies), str() | None as back] if 1 <= copies <= MAX_CARDS and name not in cards:
                cards[name] = CopiesOfCard(copies, back)
            case _:
                raise ValueError("`cards` is no list of cards, each once, with copies and backs")
    return cards
