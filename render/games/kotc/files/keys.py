"""The keys of a card, by kind and edition, and messages about keys that it does not have."""

from __future__ import annotations

from collections.abc import Container

from render.base.caches import cached
from render.game.declared.reading.field_keys import FieldType
from render.games.kotc.editions.reading import SHIPPED, usual_grammar
from render.games.kotc.files.card_table import ART, CARD
from render.games.kotc.model.cards import OLD_NAMES, AnyKind, Kind, ordinal
from render.games.kotc.model.declaration import declaration, declared_kind
from render.games.kotc.model.edition import AbilityCount, Grammar, NewKind

_NUMBERS = tuple(each.name for each in declaration().fields if each.type is FieldType.NUMBER and each.name != "edition")
_COMMON = tuple(name for name in CARD.names if name not in _NUMBERS)
_ARTISTS = ("artist", "illustrator", "photographer", "painter")
SYNONYMS = {
    "title": ("name",), "type": ("kind",), "class": ("kind",), "image": ("art",), "picture": ("art",),
    "photo": ("art",), "img": ("art",), "illustration": ("art",), "artist": ("author",), "effect": ("text",),
    "effects": ("text",), "ability": ("text",), "abilities": ("text",), "description": ("text",), "rules": ("text",),
    "body": ("text",), "quote": ("flavor",), "flavour": ("flavor",), "flavortext": ("flavor",),
    "flavor_text": ("flavor",), "flavour_text": ("flavor",), "attack": ("sp", "offense"), "atk": ("sp", "offense"),
    "strength": ("sp", "offense"), "power": ("sp", "offense"), "offence": ("offense", "sp"), "str": ("sp", "offense"),
    "health": ("hp", "defense"), "life": ("hp", "defense"), "hitpoints": ("hp", "defense"),
    "hit_points": ("hp", "defense"), "defence": ("defense", "hp"), "def": ("hp", "defense"),
    "lvl": ("level", "cost"), "mana": ("level", "cost"), "price": ("level", "cost"), "up": ("ultra_points",),
    "ultra": ("ultra_points",), "count": ("copies",), "quantity": ("copies",), "qty": ("copies",),
    "number": ("copies",), "amount": ("copies",), "licence": ("license",), "colour": ("color",),
    "monster": ("minion", "creature"), "unit": ("minion", "creature"), "character": ("minion", "creature"),
    "animal": ("minion", "creature"), "magic": ("spell",), "action": ("spell",), "instant": ("spell",),
    "sorcery": ("spell",), "token": ("pawn",), "rule": ("tip",), "help": ("tip",), "hint": ("tip",),
    "src": ("file",), "path": ("file",), "source": ("file",), "url": ("file",), "href": ("file",),
}  # fmt: skip
"""Words of other games and languages, each with the keys or kinds that it may mean."""

_NEW_NAMES = {old: new for new, old in OLD_NAMES.items()}
_ULTRA = "ultra_points"
_NEWEST_LOOK = 17  # the last edition that changed how a card looks (templates/kotc/symbols.svg)
NUMBERS = (*OLD_NAMES, *_NEW_NAMES, _ULTRA)
_ALL = (*_COMMON, *NUMBERS)
OLD_NUMBERS, NEW_NUMBERS = tuple(_NEW_NAMES), (*OLD_NAMES, _ULTRA)


@cached(1)
def last_of_creatures() -> int:
    """Return the last edition of the game of creatures, by the files of the program."""
    numbers = (int(file.stem) for file in SHIPPED.glob("??.yaml"))
    return max(number for number in numbers if usual_grammar(number).of_creatures)


def _from_new() -> str:
    return f"from the {ordinal(last_of_creatures() + 1)} Edition on"


def _up_to_old() -> str:
    return f"up to the {ordinal(last_of_creatures())} Edition"


def era(kind: AnyKind | None, given: Container[str], edition: int | None) -> int:
    """Return the edition by which a card without Edition Indicator is read and drawn: the last of its game.

    Its kind tells whether that is the game of creatures or of minions, else its numbers, else the `edition` of its set.
    """
    old = _is_of_creatures(kind, given)
    if old is None:
        old = edition is not None and usual_grammar(edition).of_creatures
    return last_of_creatures() if old else _NEWEST_LOOK


def _is_of_creatures(kind: AnyKind | None, given: Container[str]) -> bool | None:
    """Return whether a card is of the game of creatures; None if neither kind nor numbers tell."""
    if isinstance(kind, NewKind):
        return False
    if kind in (Kind.CREATURE, Kind.MINION):
        return kind is Kind.CREATURE
    if any(key in given for key in OLD_NUMBERS):
        return True
    return False if any(key in given for key in NEW_NUMBERS) else None


def stat_key(stat: str, grammar: Grammar) -> str:
    """Return the key for `sp`, `hp` or `level`."""
    return OLD_NAMES[stat] if grammar.of_creatures else stat


def is_played(kind: AnyKind) -> bool:
    """Return whether cards of that kind belong in decks."""
    return isinstance(kind, NewKind) or declared_kind(kind.value).in_decks


@cached(64)
def stats(kind: AnyKind) -> tuple[str, ...]:
    """Return which of `sp`, `hp` and `level` a card of that kind has, whatever its edition calls them."""
    if isinstance(kind, NewKind):
        return kind.stats
    own = declared_kind(kind.value).fields
    return tuple(new for new, old in OLD_NAMES.items() if new in own or old in own)


@cached(64)
def is_required(kind: AnyKind | None, key: str) -> bool:
    """Return whether cards of a kind must give `text`, or one of `sp`, `hp` and `level` whatever it is called."""
    if isinstance(kind, NewKind):
        return key in kind.stats or (key == "text" and kind.abilities is AbilityCount.ONE)
    return kind is not None and not {key, OLD_NAMES.get(key, key)}.isdisjoint(declared_kind(kind.value).required)


@cached(128)
def of_card(kind: AnyKind | None, grammar: Grammar | None) -> tuple[str, ...]:
    """Return the keys of a card; all keys if its kind or edition is unknown."""
    if kind is None or grammar is None:
        return _ALL
    numbers = tuple(stat_key(stat, grammar) for stat in stats(kind))
    has_ultra = isinstance(kind, NewKind) or _ULTRA in declared_kind(kind.value).fields
    ultra = (_ULTRA,) if has_ultra and not grammar.of_creatures else ()
    return (*_COMMON, *numbers, *ultra)


def misplaced(
    key: str, kind: AnyKind | None, edition: int | None, grammar: Grammar | None
) -> tuple[str, str, str] | None:
    """Return message and hint for a key that only other cards have, and its name on this card or ""; None if no card
    has it.
    """
    known = of_card(kind, grammar)
    if key in ART.names and key not in known:
        return f"`{key}` belongs below `art`", f"write `art: {{file: art/picture.jpg, {key}: ...}}`", ""
    if key in _ARTISTS:
        return f"`{key}` belongs below `art`, as `author`", "write `art: {file: art/picture.jpg, author: ...}`", ""
    if key in ("sheet", "outputs", "red", "least_text", "language", "languages", "written"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    if key not in _ALL or kind is None or edition is None or grammar is None:
        return None
    era = f"the {ordinal(edition)} Edition has no `{key}`"
    if _NEW_NAMES.get(key) in known:
        return era, f"{_from_new()} it is called `{_NEW_NAMES[key]}`", _NEW_NAMES[key]
    if OLD_NAMES.get(key) in known:
        return era, f"{_up_to_old()} it is called `{OLD_NAMES[key]}`", OLD_NAMES[key]
    if key == _ULTRA and grammar.of_creatures and kind is not Kind.TIP:
        return era, f"remove it; Ultra Points are of the {ordinal(last_of_creatures() + 1)} Edition and later", ""
    return f"a {kind.value} has no `{key}`", "remove it, or change `kind`", ""


def wrong_era(kind: AnyKind, edition: int, grammar: Grammar) -> tuple[str, str, Kind] | None:
    """Return message, hint and the right kind if the edition has no cards of that kind; None if it has."""
    if kind is Kind.CREATURE and not grammar.of_creatures:
        message = f"the {ordinal(edition)} Edition has no creatures"
        return message, f"{_from_new()} write `kind: minion`", Kind.MINION
    if kind is Kind.MINION and grammar.of_creatures:
        message = f"the {ordinal(edition)} Edition has no minions"
        return message, f"{_up_to_old()} write `kind: creature`", Kind.CREATURE
    return None
