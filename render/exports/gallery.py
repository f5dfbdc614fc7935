"""The gallery: a web page with all cards of a set, to look through and to search."""

from __future__ import annotations

from render.game.cards import GameSet
from render.game.registry import game_of
from render.layout.templates import rendering


def page(card_set: GameSet) -> str:
    """Return an HTML page that shows the pictures in the folder `png` beside it."""
    size, game = card_set.sheet.card_size, game_of(card_set)
    cards = [
        {
            "id": card.id,
            "name": card.name or card.id,
            "picture": f"png/{card.id}.png",  # relative, so that the folder can be moved or put on the web
            "about": game.about(card),
            "words": game.words(card),
        }
        for card in card_set.cards
    ]
    shape = f"{size.width:g} / {size.height:g}"
    return rendering.page("gallery", {"title": card_set.name, "cards": cards, "shape": shape})
