"""How the numbers of a card follow from what is written on it, step by step, what may be written, and cards in figures:
values that any program can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from render.base.findings import Diagnostic, Span


class DerivationStep(Struct, frozen=True, kw_only=True):
    """A part of a card that counts.

    `words` are the card's own words, or say what is done, such as `rounded up`. `amount` is what they add, with its
    sign: `+4`, `-1/2`; "" if they add nothing by themselves. `role` names the part, `note` says how the amount follows,
    `extra` what else the part gives. `key` is the key of the card that holds the words, as its file has it; "" for a
    step that stands nowhere. `place` is the range of characters, from start to before end, in the value of that key;
    None for the whole value.
    """

    words: str
    amount: str
    role: str = ""
    note: str = ""
    extra: str = ""
    key: str = ""
    place: tuple[int, int] | None = None


class Derivation(Struct, frozen=True, kw_only=True):
    """How a card's level, or what its game has instead, follows from its words.

    `result` is the level in words: `level 9, 2 Ultra Points`. `numbers` are the values by the keys of the card's file:
    `(("level", "9"), ...)`. Both are empty if nothing follows; `summary` is the whole sum in one line, or says why
    nothing follows. `steps` are in the order of the card.
    """

    result: str
    summary: str
    numbers: tuple[tuple[str, str], ...] = ()
    steps: tuple[DerivationStep, ...] = ()


class Phrase(Struct, frozen=True, kw_only=True):
    """A piece of the text of a card.

    `words` are those of the card, with `{x}`, `{y}` or `{z}` where the author puts in a number; `ending` is what
    stands behind it: `.`, `; `. `role` names the piece, `price` is what it adds: `+2x`; "" for nothing. `note` says
    more about the price, `example` is a text with the piece in it.
    """

    words: str
    ending: str
    role: str
    price: str = ""
    note: str = ""
    example: str = ""


class ShownFigures(Struct, frozen=True):
    """Figures as text, as an object of JSON, and as `report/balance` shows them on a page."""

    text: str
    value: Mapping[str, object]
    page: Mapping[str, object]


class ShownCards(Struct, frozen=True):
    """How the numbers of cards follow by the rules of their game: as text, as objects of JSON, and what is wrong."""

    text: str
    values: Sequence[Mapping[str, object]]
    findings: Sequence[Diagnostic]


class Origin(Struct, frozen=True):
    """Where a value of a card comes from: `how` in words such as `the set`, the place that gives it, if one does, and the
    files that it names, as they are found."""

    how: str
    place: Span | None = None
    files: tuple[str, ...] = ()
