"""The ticket of a file of sheets: what it is to be. The file says it of itself, in JSON; lengths in mm."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from render.geometry import FARTHEST, Affine, Flip, Size
from render.sheet_keys import MOST_MARGIN
from render.sheet_options import MOST_BLEED, MOST_IN_A_ROW, Backs

MOST_CARDS = 1_000_000  # copies in a file: far more than anybody prints, and few enough to be counted

E = TypeVar("E", bound=Enum)


class Side(Enum):
    """Which side of its sheets a file holds: one of them, if the backs are in a file of their own."""

    BOTH = ""
    FRONTS = "fronts"
    BACKS = "backs"


@dataclass(frozen=True, slots=True)
class Copies:
    """A card of a file: how many copies of it there are, and by what mark cards with the same back are known.

    A card that has no back has no mark.
    """

    copies: int
    back: str | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a file of sheets is to be: `first` to `last` of all `sheets` of its job, counted from 1.

    `offset` is by how much all cards are moved from the middle of the paper, as the front is seen. `bleed` is that of
    fronts and of backs. `correction` is applied to what is drawn on back pages. `is_fold_upright` tells along which
    line fold-over sheets are folded; it says nothing of others. `is_reversed` tells that the pages of a file of backs
    begin with the last sheet.
    """

    paper: Size
    card: Size
    columns: int
    rows: int
    gutter: tuple[float, float]
    offset: tuple[float, float]
    margin: float
    bleed: tuple[float, float]
    backs: Backs
    flip: Flip
    is_fold_upright: bool
    correction: Affine
    side: Side
    first: int
    last: int
    sheets: int
    cards: Mapping[str, Copies]
    is_reversed: bool

    @property
    def slots(self) -> int:
        """How many cards a sheet holds."""
        return self.columns * self.rows

    @property
    def copies(self) -> int:
        """How many copies of cards there are in the file, all together."""
        return sum(card.copies for card in self.cards.values())


def read(words: str) -> Ticket:
    """Return the ticket that is written in JSON; ValueError says what is wrong with it."""
    said = _object(words)
    paper, card, gutter, bleed = (_lengths(said, key) for key in ("paper", "card", "gutter", "bleed"))
    columns, rows = _counts(said, "grid", 2)
    first, last, sheets = _counts(said, "sheets", 3)
    ticket = Ticket(
        paper=_size(paper, "paper"),
        card=_size(card, "card"),
        columns=columns,
        rows=rows,
        gutter=gutter,
        offset=_offset(said.get("offset", [0.0, 0.0])),
        margin=_numbers([said.get("margin")], "margin", 1)[0],
        bleed=bleed,
        backs=_member(Backs, said, "backs"),
        flip=_member(Flip, said, "flip"),
        is_fold_upright=said.get("fold") == "upright",
        correction=Affine(*_numbers(said.get("correction"), "correction", 6)),
        side=_member(Side, said, "side"),
        first=first,
        last=last,
        sheets=sheets,
        cards=_cards(said.get("cards")),
        is_reversed=said.get("reversed") is True,
    )
    _check(ticket)
    return ticket


def _check(ticket: Ticket) -> None:
    """Refuse what is out of all bounds, and figures that do not go with each other."""
    if max(ticket.columns, ticket.rows) > MOST_IN_A_ROW:
        raise ValueError(f"a grid of {ticket.columns} x {ticket.rows}")
    for key, value, most in (
        ("margin", ticket.margin, MOST_MARGIN),
        ("gutter", max(ticket.gutter), MOST_MARGIN),
        ("bleed", max(ticket.bleed), MOST_BLEED),
    ):
        if not 0 <= value <= most:
            raise ValueError(f"`{key}` is {value:g} mm, and it is at most {most:g}")
    if ticket.is_reversed and ticket.side is not Side.BACKS:
        raise ValueError("`reversed` is said of a file that is none of backs")
    if not ticket.first <= ticket.last <= ticket.sheets:
        raise ValueError(f"sheets {ticket.first} to {ticket.last} of {ticket.sheets}")
    if ticket.copies > MOST_CARDS:
        raise ValueError(f"{ticket.copies} cards")
    here = ticket.last - ticket.first + 1
    needed = -(-ticket.copies // ticket.slots)
    if here != needed:
        raise ValueError(f"{ticket.copies} cards on sheets of {ticket.slots} take {needed}, not {here}")


def _object(words: str) -> dict[str, object]:
    try:
        said = json.loads(words)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise ValueError("it is no JSON object")
    return said


def _numbers(values: object, key: str, count: int) -> list[float]:
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} numbers")
    for value in values:
        if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > FARTHEST:
            raise ValueError(f"`{key}` is not made of numbers")
    return [float(value) for value in values]


def _lengths(said: Mapping[str, object], key: str) -> tuple[float, float]:
    across, down = _numbers(said.get(key), key, 2)
    if min(across, down) < 0:
        raise ValueError(f"`{key}` is negative")
    return across, down


def _offset(values: object) -> tuple[float, float]:
    right, down = _numbers(values, "offset", 2)
    if max(abs(right), abs(down)) > MOST_MARGIN:
        raise ValueError(f"`offset` is more than {MOST_MARGIN:g} mm")
    return right, down


def _size(lengths: tuple[float, float], key: str) -> Size:
    least, most = 10, 2000  # as `parse_paper` and `parse_card_size` have it
    if not least <= min(lengths) <= max(lengths) <= most:
        raise ValueError(f"`{key}` is not from {least} to {most} mm a side")
    return Size(*lengths)


def _counts(said: Mapping[str, object], key: str, count: int) -> list[int]:
    values = said.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"`{key}` is not made of {count} whole numbers")
    for value in values:
        if type(value) is not int or not 1 <= value <= MOST_CARDS:
            raise ValueError(f"`{key}` is not made of whole numbers")
    return values


def _member(kind: type[E], said: Mapping[str, object], key: str) -> E:
    try:
        return kind(said.get(key))
    except ValueError:
        raise ValueError(f"`{key}` is none of those that are known") from None


def _cards(rows: object) -> Mapping[str, Copies]:
    if not isinstance(rows, list) or not rows:
        raise ValueError("`cards` lists none")
    cards: dict[str, Copies] = {}
    for row in rows:
        match row:
            case [str(name), int(copies), str() | None as back] if 1 <= copies <= MOST_CARDS and name not in cards:
                cards[name] = Copies(copies, back)
            case _:
                raise ValueError("`cards` is no list of cards, each once, with copies and backs")
    return cards
