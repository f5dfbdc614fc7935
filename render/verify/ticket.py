"""The ticket of a file: what the file should be, as it says of itself in JSON; lengths in mm."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from render.base.geometry import IDENTITY, MAX_DISTANCE, Affine, Flip, Rect, Size
from render.images.press import Press
from render.pdf.standards import STANDARDS
from render.scene.proof_kinds import Proof
from render.sheets.option_values import MAX_MARGIN
from render.sheets.options import MAX_BLEED, MAX_IN_A_ROW, Backs, Crop, Registration, Sides, Where
from render.shops.profiles import PdfShop, presses, shops

LONGEST_MARK, MAX_SHOP_BLEED = 100.0, 20.0  # mm: no shop asks for half as much
MAX_CARDS = 1_000_000  # copies in a file: far more than anybody prints, and few enough to count

E = TypeVar("E", bound=Enum)
Said = Mapping[str, Any]


class FileSide(Enum):
    """Which side of its sheets a file holds: one side, if the backs have a file of their own, else both."""

    BOTH = ""
    FRONTS = "fronts"
    BACKS = "backs"


@dataclass(frozen=True, kw_only=True, eq=False)
class Ticket:
    """What a file of sheets should be: sheets `first` to `last` of the `sheets` of its job, counted from 1.

    `cards` are the copies of each card, and a mark that cards with the same back share, None for a card without a back.
    `offset` moves all cards from the middle of the paper, as seen from the front. `bleed` is that of fronts and of
    backs; `where` says which edges have it. `correction` is applied to what is drawn on back pages. `is_fold_upright`
    is the direction of the fold of fold-over sheets. `is_reversed` says that a file of backs begins with the last
    sheet. `missing` are cards that had an error, and have marked blanks in their places.

    Marks keep `white` from the edge of the paper. `slug` is its text before the number of the sheet, `check` the box of
    the shorter ruler. A file for a `shop` is one of sheets with one card each; `are_copies` says whether each copy has
    pages of its own.
    """

    paper: Size
    card: Size
    cards: Mapping[str, tuple[int, str | None]]
    grid: tuple[int, int] = (1, 1)
    gutter: tuple[float, float] = (0.0, 0.0)
    offset: tuple[float, float] = (0.0, 0.0)
    margin: float = 0.0
    bleed: tuple[float, float]
    where: Where = Where.EACH
    backs: Backs = Backs.DUPLEX
    flip: Flip
    is_fold_upright: bool = False
    correction: Affine = IDENTITY
    side: FileSide = FileSide.BOTH
    first: int = 1
    last: int
    sheets: int
    is_reversed: bool = False
    missing: tuple[str, ...] = ()

    proof: Proof
    radius: float
    bleed_from: str
    is_rich: bool
    standard: str | None

    white: float = 0.0
    check: Rect | None = None
    crop: Crop = Crop.OFF
    length: float = 0.0
    mark_offset: float = 0.0
    line: float = 0.1
    marked_sides: Sides = Sides.BOTH
    ruler: bool = False
    slug: str | None = None
    cut_line: bool = False
    registration: Registration = Registration.NONE

    shop: str = ""
    backs_first: bool = False
    are_copies: bool = True
    assumed: str = ""
    """In words, what was assumed of a file without a ticket; "" if it has one."""

    @property
    def most_bleed(self) -> float:
        return self.bleed[0] if self.backs is Backs.NONE else max(self.bleed)

    @property
    def slots(self) -> int:
        return self.grid[0] * self.grid[1]

    @property
    def copies(self) -> int:
        return sum(number for number, _ in self.cards.values())

    @property
    def numbers(self) -> range:
        """The numbers of its sheets within its job."""
        return range(self.first, self.last + 1)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The cards of a file for a shop, or of an assumed ticket, in the order of their places."""
        return tuple(name for name, (number, _) in self.cards.items() for _ in range(number))

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

    def is_back_page(self, page: int) -> bool:
        """Whether a page, counted from 1, should hold backs: fronts come first unless a shop asks for the back."""
        if self.backs is not Backs.DUPLEX:
            return self.side is FileSide.BACKS
        return (page % 2 == 0) is not self.backs_first

    def sheet_of(self, page: int) -> int:
        """Return the number of a page's sheet."""
        place = (page - 1) // 2 if self.backs is Backs.DUPLEX else page - 1
        return self.last - place if self.is_reversed else self.first + place

    def cards_on(self, sheet: int) -> int:
        """Return how many cards a sheet should hold: only the last one of a file may have empty slots."""
        return min(self.slots, self.copies - (sheet - self.first) * self.slots)


def parse(words: str) -> Ticket:
    """Return the ticket written in JSON, of sheets or of a shop; ValueError says what is wrong with it."""
    try:
        said = json.loads(words)
    except (ValueError, RecursionError):  # deeply nested JSON exhausts Python's stack
        said = None
    if not isinstance(said, dict):
        raise ValueError("it is no JSON object")
    return _of_shop(said) if said.get("kind") == "shop" else read(said)


def read(said: Said) -> Ticket:
    """Return the ticket of sheets with these values; ValueError says what is wrong with them."""
    marks = said.get("marks")
    if not isinstance(marks, dict):
        raise ValueError("it says nothing of `marks`")
    standard, missing, slug, check = (
        said.get("standard"),
        said.get("missing", []),
        marks.get("slug"),
        marks.get("check"),
    )
    if not isinstance(missing, list) or not all(isinstance(name, str) for name in missing):
        raise ValueError("`missing` is no list of cards")
    if not isinstance(slug, str | None):
        raise ValueError("`slug` is no text")
    first, last, sheets = _counts(said, "sheets", 3)
    columns, rows = _counts(said, "grid", 2, MAX_IN_A_ROW)
    length, offset = (_length(marks, key, LONGEST_MARK) for key in ("length", "offset"))
    ticket = Ticket(
        paper=_size(said, "paper"),
        card=_size(said, "card"),
        cards=_cards(said),
        grid=(columns, rows),
        gutter=_pair(said, "gutter", 0.0, MAX_MARGIN),
        offset=_pair({"offset": [0.0, 0.0], **said}, "offset", -MAX_MARGIN, MAX_MARGIN),
        margin=_length(said, "margin", MAX_MARGIN),
        bleed=_pair(said, "bleed", 0.0, MAX_BLEED),
        where=_member(Where, said, "where"),
        backs=_member(Backs, said, "backs"),
        flip=_member(Flip, said, "flip"),
        is_fold_upright=said.get("fold") == "upright",
        correction=Affine(*_numbers(said, "correction", 6)),
        side=_member(FileSide, said, "side"),
        first=first,
        last=last,
        sheets=sheets,
        is_reversed=said.get("reversed") is True,
        missing=tuple(missing),
        standard=standard if isinstance(standard, str) else None,
        white=_length(marks, "white", MAX_MARGIN),
        check=None if check is None else Rect(*_numbers(marks, "check", 4)),
        crop=_member(Crop, marks, "crop"),
        length=length,
        mark_offset=offset,
        line=_length(marks, "line", LONGEST_MARK, 1e-6),
        marked_sides=_member(Sides, marks, "sides"),
        ruler=marks.get("ruler") is True,
        slug=slug,
        cut_line=marks.get("cut_line") is True,
        registration=_member(Registration, marks, "registration"),
        **_drawing(said),
    )
    if ticket.is_reversed and ticket.side is not FileSide.BACKS:
        raise ValueError("`reversed` is said of a file that is none of backs")
    if not first <= last <= sheets:
        raise ValueError(f"sheets {first} to {last} of {sheets}")
    needed = -(-ticket.copies // ticket.slots)  # rounded up: the last sheet may have empty slots
    if last - first + 1 != needed:
        raise ValueError(f"{ticket.copies} cards on sheets of {ticket.slots} take {needed}, not {last - first + 1}")
    return ticket


def _of_shop(said: Said) -> Ticket:
    card, bleed, cards = _size(said, "card"), _length(said, "bleed", MAX_SHOP_BLEED), _cards(said)
    standard, number = said.get("standard"), sum(copies for copies, _ in cards.values())
    if not isinstance(standard, str) or standard not in STANDARDS:
        raise ValueError("`standard` is none of those that are known")
    paper = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    return Ticket(
        paper=paper,
        card=card,
        cards=cards,
        bleed=(bleed, bleed),
        flip=Flip.LONG_EDGE if paper.height >= paper.width else Flip.SHORT_EDGE,  # about an upright line
        last=number,
        sheets=number,
        standard=standard,
        shop=str(said.get("shop")),
        backs_first=said.get("backs_first") is True,
        are_copies=said.get("copies") == "each",
        **_drawing(said),
    )


def _drawing(said: Said) -> dict[str, Any]:
    """Return how faces are drawn."""
    source = said.get("bleed_from")
    if not isinstance(source, str) or not re.fullmatch(r"auto|template|mirror|stretch|#[0-9a-f]{6}", source):
        raise ValueError("`bleed_from` is none of those that are known")
    radius = _length(said, "radius", MAX_DISTANCE)
    return {
        "proof": _member(Proof, said, "proof"),
        "radius": radius,
        "bleed_from": source,
        "is_rich": said.get("rich_black") is True,
    }


# --- values of JSON -------------------------------------------------------------------------------------------------


def _numbers(said: Said, key: str, count: int) -> list[float]:
    values = said.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} numbers")
    for value in values:
        # `type`, since True is an int to `isinstance`. Python's JSON reads `NaN`, which RFC 8259 does not allow.
        if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > MAX_DISTANCE:
            raise ValueError(f"`{key}` is not made of numbers")
    return [float(value) for value in values]


def _length(said: Said, key: str, most: float, least: float = 0.0) -> float:
    (value,) = _numbers({key: [said.get(key)]}, key, 1)
    if not least <= value <= most:
        raise ValueError(f"`{key}` is {value:g} mm, and it is from {least:g} to {most:g}")
    return value


def _pair(said: Said, key: str, least: float, most: float) -> tuple[float, float]:
    across, down = _numbers(said, key, 2)
    if not least <= min(across, down) <= max(across, down) <= most:
        raise ValueError(f"`{key}` is {across:g} and {down:g} mm, and it is from {least:g} to {most:g}")
    return across, down


def _size(said: Said, key: str) -> Size:
    return Size(*_pair(said, key, 10.0, 2000.0))  # as in `parse_paper` and `parse_card_size`


def _counts(said: Said, key: str, count: int, most: int = MAX_CARDS) -> Sequence[int]:
    values = said.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} whole numbers")
    if not all(type(value) is int and 1 <= value <= most for value in values):
        raise ValueError(f"`{key}` is not made of whole numbers up to {most}")
    return values


def _member(kind: type[E], said: Said, key: str) -> E:
    try:
        return kind(said.get(key))
    except ValueError:
        raise ValueError(f"`{key}` is none of those that are known") from None


def _cards(said: Said) -> Mapping[str, tuple[int, str | None]]:
    rows, cards = said.get("cards"), dict[str, tuple[int, str | None]]()
    if not isinstance(rows, list) or not rows:
        raise ValueError("`cards` lists none")
    for row in rows:
        match row:
            case [str(name), int(copies), str() | None as back] if 1 <= copies <= MAX_CARDS and name not in cards:
                cards[name] = (copies, back)
            case _:
                raise ValueError("`cards` is no list of cards, each once, with copies and backs")
    if sum(copies for copies, _ in cards.values()) > MAX_CARDS:
        raise ValueError(f"more than {MAX_CARDS} cards")
    return cards
