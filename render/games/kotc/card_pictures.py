"""Pictures of cards that stand in a web page itself."""

from __future__ import annotations

from collections.abc import Container

from render.games.kotc.cards import CardSet
from render.games.kotc.faces import fronts
from render.web_pictures import data_uris


def pictures(card_set: CardSet, ids: Container[str]) -> dict[str, str]:
    """Return the fronts of the cards with these ids as data URIs, by id; without those that cannot be drawn."""
    drawn = fronts(card_set, ids)
    return dict(zip(drawn, data_uris(list(drawn.values())), strict=True))
