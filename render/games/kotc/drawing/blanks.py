"""Blank cards: the frames of a set's cards, to be filled in by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from render.base.findings import did_you_mean, listed
from render.games.kotc.files import keys
from render.games.kotc.files.folder import SET_FILE
from render.games.kotc.model.cards import Card, CardSet, Kind
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes

MAX_BLANKS = 999

NO_SET = CardSet(Path("blank"), "Blank cards")
"""The set for blank cards without a set: built-in templates, the built-in back and the default sheets."""


def counted(texts: Iterable[str]) -> dict[Kind, int]:
    """Return the number of cards of each kind in `minion:9 spell:6`; ValueError if there is none."""
    counts: dict[Kind, int] = {}
    for kind, count in map(_parse, texts):
        counts[kind] = counts.get(kind, 0) + count
    return counts


def lacks(kinds: Iterable[Kind], edition: int | None) -> bool:
    """Return whether an edition lacks one of the kinds; False if no edition is chosen yet."""
    return edition is not None and any(keys.wrong_era(kind, edition) for kind in kinds)


def blank_set(card_set: CardSet, counts: Mapping[Kind, int], edition: int) -> CardSet:
    """Return the set with blank cards in place of its own; ValueError if the edition lacks a kind."""
    for kind in counts:
        wrong = keys.wrong_era(kind, edition)
        if wrong is not None:
            other = Kind.MINION if kind is Kind.CREATURE else Kind.CREATURE
            raise ValueError(f"{wrong[0]}: ask for `{other.value}`, or for another edition with --edition")
    name = card_set.name if card_set.source is None else f"{card_set.name}, blank cards"
    return replace(card_set, name=name, cards=tuple(_blank(card_set, *each, edition) for each in counts.items()))


def _parse(text: str) -> tuple[Kind, int]:
    """Return kind and number of `minion:9`; the number is 1 unless given."""
    word, colon, number = text.partition(":")
    if word not in keys.KINDS:
        hint = did_you_mean(word, keys.KINDS)
        raise ValueError(f"expected {listed(keys.KINDS)}, found `{word}`{f': {hint}' if hint else ''}")
    if colon and not (re.fullmatch("[0-9]{1,3}", number) and int(number)):
        raise ValueError(f"expected a number from 1 to {MAX_BLANKS}, such as `{word}:9`, found `{text}`")
    return Kind(word), int(number or 1)


def _blank(card_set: CardSet, kind: Kind, copies: int, edition: int) -> Card:
    """Return a card that says nothing; templates recognize it by its missing name."""
    nowhere = Nodes((), 0, 0)
    return Card(
        id=f"blank-{kind.value}",
        name="",
        kind=kind,
        edition=edition,
        era=edition,
        level=None,
        ultra_points=0,
        sp=None,
        hp=None,
        text="",
        flavor="",
        art=None,
        credit="",
        back=card_set.backs.of(kind),
        copies=copies,
        document=Document(card_set.folder / SET_FILE, "", nowhere),
        node=nowhere,
    )
