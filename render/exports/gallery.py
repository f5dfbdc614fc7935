"""The gallery: all cards of a set on one page, to be looked through and searched."""

from __future__ import annotations

from render.games.kotc.model.cards import CardSet, indicator
from render.layout.templates import rendering


def page(card_set: CardSet) -> str:
    """Return an HTML page that shows the pictures in the folder `png` beside it."""
    size = card_set.sheet.card_size
    cards = [
        {
            "id": card.id,
            "name": card.name or card.id,
            "picture": f"png/{card.id}.png",
            "about": " · ".join(filter(None, (card.kind.value, indicator(card.edition)))),
            "words": " ".join(f"{card.name} {card.kind.value} {card.text}".lower().split()),
        }
        for card in card_set.cards
    ]
    shape = f"{size.width:g} / {size.height:g}"
    return rendering.page("gallery", {"title": card_set.name, "cards": cards, "shape": shape})
