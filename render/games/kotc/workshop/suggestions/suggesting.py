"""Suggestions for a wish: cards that `check` finds nothing wrong with, as YAML to paste and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct

from render.games.kotc.legality import legality
from render.games.kotc.levels import costing
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.cards import OLD_NAMES, Card, Kind
from render.games.kotc.model.edition import Edition
from render.games.kotc.workshop.suggestions.search import MAX_STEPS, Found, Search, TooLargeError
from render.games.kotc.workshop.suggestions.wish import Wish
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes
from render.source.writing import Block, write_item

MAX_REPEATING_STEPS = MAX_STEPS // 10  # the second search comes on top of the first


class Suggestions(Struct, frozen=True):
    """The cards for a wish, the shortest text first.

    `repeating` says that they have components twice or target selections without need, since nothing else fits;
    `is_all` that the search looked at everything that could be shorter than what is missing.
    """

    cards: tuple[Card, ...]
    repeating: bool = False
    is_all: bool = True


def suggest(wish: Wish, edition: Edition, count: int, *, all_numbers: bool = False) -> Suggestions:
    """Return so many cards of a wish, or as many as there are. The edition must have rules for levels."""
    found = _searched(Search(wish, edition, all_numbers=all_numbers), edition, count)
    if found.cards or not found.is_all:
        return found
    wider = _searched(
        Search(wish, edition, all_numbers=all_numbers, repeats=True, most_steps=MAX_REPEATING_STEPS), edition, count
    )
    return Suggestions(wider.cards, repeating=bool(wider.cards), is_all=wider.is_all)


def _searched(search: Search, edition: Edition, count: int) -> Suggestions:
    cards: list[Card] = []
    try:
        cards.extend(islice(_sound_cards(search, edition), count))
    except TooLargeError as error:
        return Suggestions(tuple(error.before), is_all=False)
    return Suggestions(tuple(cards))


def _sound_cards(search: Search, edition: Edition) -> Iterator[Card]:
    """Yield the cards that a search finds and that the rules have nothing to say about."""
    calculator = LevelCalculator(edition)
    before: list[Card] = []
    try:
        for found in search.cards():
            card = _card(found, search.wish, edition, len(before) + 1)
            # A text may read as other components, or hold one of the texts that were reworded.
            if is_sound(card, calculator):
                before.append(card)
                yield card
    except TooLargeError:
        raise TooLargeError(before) from None


def is_sound(card: Card, calculator: LevelCalculator) -> bool:
    """Return whether the rules of the card's edition have nothing to say about it, as `kotc check` would."""
    if calculator.derive(card) is None:
        return False
    return not list(costing.findings(card, calculator)) and not legality.findings(card, calculator.edition)


def _card(found: Found, wish: Wish, edition: Edition, number: int) -> Card:
    kind = Kind.SPELL if wish.is_spell else Kind.CREATURE if edition.grammar.of_creatures else Kind.MINION
    nowhere = Nodes((), 0, 0)  # it stands in no file yet
    return Card(
        id=f"suggestion-{number}",
        name=f"Suggestion {number}",
        kind=kind,
        edition=edition.number,
        era=edition.number,
        grammar=edition.grammar,
        level=wish.level,
        ultra_points=found.ultra_points,
        sp=found.body.sp,
        hp=found.body.hp,
        text=found.text,
        flavor="",
        art=None,
        credit="",
        back="back",
        copies=1,
        document=Document(Path("suggestions.yaml"), "", nowhere),
        node=nowhere,
    )


# --- output ---------------------------------------------------------------------------------------------------------


def as_yaml(cards: Iterable[Card]) -> str:
    """Return cards as a card file has them."""
    values = [_keys(card) | ({"text": Block(card.text)} if card.text else {}) for card in cards]
    return "\n".join(line for each in values for line in write_item(each))


def as_json(cards: Iterable[Card]) -> str:
    """Return cards as JSON, with the keys of a card file and `characters`, the length of the text."""
    entries = [{**_keys(card), "text": card.text, "characters": len(card.text)} for card in cards]
    return json.dumps(entries, ensure_ascii=False, indent=2)


def _keys(card: Card) -> dict[str, str | int]:
    """Return what a card file says of a card besides its text."""
    assert card.edition is not None, card.id
    names = OLD_NAMES if card.grammar.of_creatures else {}
    keys: dict[str, str | int] = {"name": card.name, "kind": card.kind.value, "edition": card.edition}
    numbers = {"level": card.level, "sp": card.sp, "hp": card.hp, "ultra_points": card.ultra_points or None}
    return keys | {names.get(key, key): value for key, value in numbers.items() if value is not None}
