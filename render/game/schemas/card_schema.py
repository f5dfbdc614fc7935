"""The schema of card files: a file as one card or a list of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from render.game.card_keys import CARD_KEYS
from render.source import shapes
from render.source.shapes import Shape


def common_card(kinds: Iterable[str]) -> Shape:
    """Return the schema of a card of a game that says nothing of its own keys: these may be any."""
    return {"type": "object", "properties": CARD_KEYS.properties_in(kinds), "required": ["kind", "name"]}


def card_file(card: Shape, parts: Mapping[str, Shape] | None = None) -> Shape:
    """Return the schema of a file with one card, or a list of them; `parts` are what the card's schema refers to."""
    one: Shape = {"$ref": "#/$defs/card"}
    return {"anyOf": [shapes.listing(one), one], "$defs": {"card": card, **(parts or {})}}
