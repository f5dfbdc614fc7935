"""What a site or a gallery tells of the cards of a set, and by what they are found: the fields of its search."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from render.base.geometry import Size
from render.base.word_changes import ValueChange
from render.game.cards import CardFacts, GameCard, GameSet, cut_of, size_of
from render.game.registry import AnyGame, game_of

MAX_VALUES = 40
"""A facet with more values is not offered: in a longer list nobody finds anything."""

Value = str | float


class Side(Struct, frozen=True):
    """A side of a card: what its picture's name has after the card's id, what it shows in words, its size in mm."""

    suffix: str
    alt: str
    size: Size


class SiteCard(Struct, frozen=True, kw_only=True):
    """What a site tells of a card.

    `home` is the name of its set's folder in the site. `text` is what is written on it, in lines. `terms` are its
    values by the names of the fields of the search; `illegal` says for editions why it may not be played.
    """

    card: GameCard
    card_set: GameSet
    home: str
    facts: CardFacts
    about: str
    text: str
    sides: tuple[Side, ...]
    terms: Mapping[str, tuple[Value, ...]]
    illegal: Mapping[int, str]

    @property
    def id(self) -> str:
        return self.card.id

    @property
    def is_token(self) -> bool:
        return bool(cut_of(self.card))

    @property
    def name(self) -> str:
        return self.card.name or self.card.id

    @property
    def language(self) -> str:
        return self.card_set.language or "en"

    @property
    def file(self) -> str:
        """The name of its page and of its pictures, without their ending."""
        return f"{self.home}/{self.id}"

    @property
    def legal(self) -> list[int]:
        return [int(number) for number in self.terms.get("legal", ()) if isinstance(number, float)]


class CardFate(Struct, frozen=True, kw_only=True):
    """What a version made of a card: whether it is new with it, its earlier id or "", and those of its `told_values`
    that changed.
    """

    is_new: bool
    was: str
    values: tuple[ValueChange, ...]


class Version(Struct, frozen=True):
    """A version of sets, "" for that of now, and its cards that differ from the version before.

    A card is known by the folder of its set, without links; the language in which that is printed, "" for its own; and
    its id.
    """

    name: str
    cards: Mapping[tuple[Path, str, str], CardFate]


class Field(Struct, frozen=True, kw_only=True):
    """A field of the search: its name in a query and the letter that is short for it, or ""; its name for people.

    `order` are its values in their order, if they are few, or have an order of their own. `is_facet` tells whether
    several cards share these.
    """

    name: str
    short: str
    label: str
    is_number: bool
    order: tuple[Value, ...]
    is_facet: bool


def cards_of(card_set: GameSet, cards: Iterable[GameCard], home: str, *, judged: bool = True) -> list[SiteCard]:
    """Return what a site tells of cards of a set; `home` is the name of the set's folder in the site.

    In which editions they may be played is asked only if they are to be `judged`.
    """
    game = game_of(card_set)
    illegal = game.illegal_in(card_set) if judged else {}
    told = []
    for card in cards:
        facts = game.facts(card)
        reasons = {number: of[card.id] for number, of in illegal.items() if card.id in of}
        told.append(
            SiteCard(
                card=card,
                card_set=card_set,
                home=home,
                facts=facts,
                about=" · ".join(filter(None, (facts.ranked, game.about(card)))),
                text=facts.text or game.description(card),
                sides=tuple(_sides(card, facts, game, size_of(card, card_set.sheet.card_size))),
                terms=_terms(card, card_set.name, facts, game, [each for each in illegal if each not in reasons]),
                illegal=reasons,
            )
        )
    return told


def told_values(card: GameCard) -> dict[str, str]:
    """Return what a page tells of a card, in its language, by the names of fields that every site has or by the game's."""
    facts = game_of(card).facts(card)
    own = {"name": card.name or card.id, "kind": facts.kind}
    numbers = {} if facts.rank is None else {facts.rank_label: str(facts.rank)}
    numbers |= {trait.label: ", ".join(trait.values) for trait in facts.traits}
    credits = "\n".join(dict.fromkeys(facts.credits))
    return {**own, **numbers, **dict(facts.others), "text": facts.text, "copies": str(card.copies), "credit": credits}


def _sides(card: GameCard, facts: CardFacts, game: AnyGame, size: Size) -> Iterable[Side]:
    """Yield the front, and the back of a card that has its own."""
    told = [(card.name or card.id, facts.told)]
    if card.has_own_back:
        told = [(face.name, game.facts(face).told) for face in card.faces]
    for suffix, (name, words) in zip(("", ".back"), told, strict=False):
        yield Side(suffix, f"{name}: {words}" if words else name, size)


_FIRST = ("name", "text", "kind")
_LAST = ("set", "legal", "id", "copies", "credit")
_FOUND_BY_WORDS = frozenset({"name", "text", "id"})


def _terms(
    card: GameCard, card_set: str, facts: CardFacts, game: AnyGame, legal: Iterable[int]
) -> dict[str, tuple[Value, ...]]:
    terms: dict[str, tuple[Value, ...]] = {
        "name": tuple(dict.fromkeys(name for name in card.names if name)) or (card.id,),
        "text": (facts.text or game.description(card),),
        "kind": (facts.kind,),
        "set": (card_set,),
        "legal": tuple(map(float, legal)),
        "id": (card.id,),
        "copies": (float(card.copies),),
        "credit": tuple(dict.fromkeys(facts.credits)),
    }
    if facts.rank is not None:
        terms[field_name(game.rank_word)] = (float(facts.rank),)
    for trait in facts.traits:
        terms.setdefault(field_name(trait.label), tuple(map(_number_or_word, trait.values)))
    return {name: values for name, values in terms.items() if values}


def _number_or_word(value: str) -> Value:
    return float(value) if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", value) else value


def field_name(label: str) -> str:
    """Return the name of a field in a query, for what people call it: `Ultra Points` is `ultra_points`."""
    return re.sub(r"\W+", "_", label.lower()).strip("_")


def fields_of(cards: Sequence[SiteCard]) -> list[Field]:
    """Return the fields of the search: name, text, kind and rank first, then those of the game, then those of a list."""
    counts: dict[str, Counter[Value]] = {name: Counter() for name in _FIRST}
    rank_words = {field_name(game_of(card.card).rank_word) for card in cards if card.facts.rank is not None}
    counts |= {word: Counter() for word in sorted(rank_words)}
    for card in cards:
        for name, values in card.terms.items():
            counts.setdefault(name, Counter()).update(values)
    counts |= {name: counts.pop(name) for name in _LAST if name in counts}
    labels: dict[str, str] = {}
    ranks: dict[str, dict[Value, float]] = {}
    for trait in (trait for card in cards for trait in card.facts.traits):
        labels[field_name(trait.label)] = trait.label
        ranked = zip(map(_number_or_word, trait.values), trait.ranks, strict=False)
        ranks.setdefault(field_name(trait.label), {}).update(ranked)
    letters: set[str] = set()
    fields = []
    for name, count in counts.items():
        short = name[:1] if len(name) > 1 and name[:1] not in letters else ""
        letters.add(short)
        is_number = bool(count) and all(isinstance(value, float) for value in count)
        rank = ranks.get(name, {})
        order = sorted(
            count, key=lambda value: (rank.get(value, 0.0), value if is_number else 0, str(value).casefold())
        )
        few = name not in _FOUND_BY_WORDS and len(count) <= MAX_VALUES
        shared = 2 if not (is_number or rank or name in ("kind", "set", "credit")) else 1
        fields.append(
            Field(
                name=name,
                short=short,
                label=labels.get(name, name),
                is_number=is_number,
                order=tuple(order) if few or rank else (),
                is_facet=few and len(count) > 1 and count.total() > shared * len(count),
            )
        )
    return fields
