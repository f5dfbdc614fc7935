"""The gallery: a web page with all cards of a set, to look through, to search, to filter and to sort."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from render.base.findings import plural
from render.base.geometry import Size
from render.game.cards import CardFacts, GameCard, GameSet, cut_of, size_of
from render.game.faces import cards_by_back
from render.game.registry import AnyGame, game_of
from render.layout.templates import rendering
from render.png.paint import data_uris
from render.scene.items import Scene

Values = dict[str, object]

MAX_TRAITS = 6  # more filters than that would fill the screen of a phone
MAX_VALUES = 40  # of a filter: in a longer list nobody finds anything


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
        "rank_word": game.rank_word,
        "traits": _traits(list(facts.values())),
        "ranks": [ranked for _, ranked in sorted(ranks)],
        "cards": [_card(card, facts[card.id], game, size) for card in card_set.cards],
        "turns": any(card.has_own_back for card in card_set.cards),
        "backs": list(_backs(card_set, backs)),
        "credits": _credits(card_set, facts),
    }
    return rendering.page("gallery", values)


def _traits(facts: Sequence[CardFacts]) -> list[Values]:
    """Return the traits that are worth a filter or an order: of several values that cards share, the first ones."""
    found: dict[str, dict[str, float | None]] = {}
    counts: Counter[str] = Counter()
    ordered: set[str] = set()
    for trait in (trait for each in facts for trait in each.traits):
        values = found.setdefault(trait.label, {})
        ranks = trait.ranks or (None,) * len(trait.values)
        values.update(zip(trait.values, ranks, strict=True))
        counts[trait.label] += len(trait.values)
        ordered.update([trait.label] if trait.ranks else [])
    telling = [label for label, values in found.items() if len(values) > 1]
    return [
        {
            "label": label,
            "values": sorted(found[label], key=lambda value: (found[label][value] or 0, value.casefold())),
            "is_filter": len(found[label]) <= min(MAX_VALUES, counts[label] - 1),
            "is_order": label in ordered,
        }
        for label in telling[:MAX_TRAITS]
    ]


def _card(card: GameCard, facts: CardFacts, game: AnyGame, usual: Size) -> Values:
    name, about, size = card.name or card.id, game.about(card), size_of(card, usual)
    front, back = (game.facts(face).told for face in card.faces) if card.has_own_back else (facts.told, "")
    traits = {each.label: [each.values, each.ranks] for each in facts.traits}
    return {
        "id": card.id,
        "name": name,
        "picture": f"png/{card.id}.png",  # relative, so that the folder can be moved or put on the web
        "alt": _read_out(card.faces[0].name if card.has_own_back else name, front),
        **_looks(size, usual, cut_of(card)),
        "back": f"png/{card.id}.back.png" if card.has_own_back else "",
        "back_alt": _read_out(card.faces[1].name, back) if card.has_own_back else "",
        "traits": json.dumps(traits, ensure_ascii=False) if traits else "",
        "about": " · ".join(filter(None, (facts.ranked, about))),
        "kind": facts.kind,
        "rank": facts.rank,
        "ranked": facts.ranked,
        "words": " ".join((game.words(card), card.id, facts.ranked, about.lower())),
    }


def _read_out(name: str, told: str) -> str:
    return f"{name}: {told}" if told else name


def _backs(card_set: GameSet, backs: Mapping[str, Scene]) -> list[Values]:
    alike, found = cards_by_back(card_set, backs), list[Values]()
    pictures = data_uris([scene for scene, _ in alike])
    for (scene, cards), picture in zip(alike, pictures, strict=True):
        called, looks = PurePath(cards[0].back).stem, _looks(scene.size, card_set.sheet.card_size, scene.cut)
        found.append(
            {"picture": picture, "name": called[:1].upper() + called[1:], **looks, **_of_cards(card_set, cards)}
        )
    return found


def _looks(size: Size, usual: Size, cut: object) -> Values:
    return {"token": bool(cut), "shape": "" if size == usual else f"{size.width:g} / {size.height:g}"}


def _credits(card_set: GameSet, facts: Mapping[str, CardFacts]) -> list[Values]:
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
