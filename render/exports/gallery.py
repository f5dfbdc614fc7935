"""The gallery: a web page with all cards of a set, to look through, to search, to filter and to sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from render.base.findings import plural
from render.game.cards import CardFacts, GameCard, GameSet, home_of
from render.game.registry import game_of
from render.layout.templates import rendering
from render.png.web_pictures import data_uris
from render.scene.items import Scene

Values = dict[str, object]


def page(card_set: GameSet, backs: Mapping[str, Scene]) -> str:
    """Return an HTML page that shows the pictures in the folder `png` beside it.

    `backs` are the drawn backs, by the id of the first card that has each.
    """
    size, game = card_set.sheet.card_size, game_of(card_set)
    facts = {card.id: game.facts(card) for card in card_set.cards}
    ranks = {(each.rank, each.ranked) for each in facts.values() if each.rank is not None}
    values: Values = {
        "title": card_set.name,
        "language": card_set.language or "en",
        "shape": f"{size.width:g} / {size.height:g}",
        "count": plural(len(card_set.cards), "card"),
        "kinds": list(dict.fromkeys(each.kind for each in facts.values())),
        "ranks": [ranked for _, ranked in sorted(ranks)],
        "cards": [_card(card, facts[card.id], game.about(card), game.words(card)) for card in card_set.cards],
        "backs": list(_backs(card_set, backs)),
        "credits": _credits(card_set, facts),
    }
    return rendering.page("gallery", values)


def _card(card: GameCard, facts: CardFacts, about: str, words: str) -> Values:
    name = card.name or card.id
    return {
        "id": card.id,
        "name": name,
        "picture": f"png/{card.id}.png",  # relative, so that the folder can be moved or put on the web
        "alt": f"{name}: {facts.told}" if facts.told else name,
        "about": " · ".join(filter(None, (facts.ranked, about))),
        "kind": facts.kind,
        "rank": facts.rank,
        "ranked": facts.ranked,
        "words": " ".join((words, card.id, facts.ranked, about.lower())),
    }


def _backs(card_set: GameSet, backs: Mapping[str, Scene]) -> list[Values]:
    cards = {card.id: card for card in card_set.cards}
    found: list[Values] = []
    for (name, _), picture in zip(backs.items(), data_uris(list(backs.values())), strict=True):
        first = cards[name]
        same = [each for each in card_set.cards if (each.back, home_of(each)) == (first.back, home_of(first))]
        called = PurePath(first.back).stem
        found.append({"picture": picture, "name": called[:1].upper() + called[1:], **_of_cards(card_set, same)})
    return found


def _credits(card_set: GameSet, facts: Mapping[str, CardFacts]) -> list[Values]:
    """Return each line of credit with its cards."""
    of: dict[str, list[GameCard]] = {}
    for card in card_set.cards:
        for line in dict.fromkeys(facts[card.id].credits):
            of.setdefault(line, []).append(card)
    return [{"line": line, **_of_cards(card_set, cards)} for line, cards in of.items()]


def _of_cards(card_set: GameSet, cards: Sequence[GameCard]) -> Values:
    """Return which cards something is of: all, or some by their names."""
    if len(cards) == len(card_set.cards):
        return {"whose": "all cards" if len(cards) > 1 else "the card", "named": []}
    named = [{"id": card.id, "name": card.name or card.id} for card in cards]
    return {"whose": plural(len(cards), "card"), "named": named}
