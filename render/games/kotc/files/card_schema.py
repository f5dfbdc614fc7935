"""The schema of card files: which keys a card has follows from its kind and from the game of its edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from render.game.card_reading import card_file, of_kind
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files import keys
from render.games.kotc.files.keys import CARD, KINDS, NO_EDITION
from render.games.kotc.model.cards import AnyKind, Kind
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import Cards, Grammar, NewKind
from render.source import shapes
from render.source.shapes import Shape


def card_file_schema(edition: int | None, new_kinds: Sequence[NewKind] = ()) -> Shape:
    """Return the schema of a card file; with an edition, for cards that name no other.

    `new_kinds` are those that only editions beside the set have.

    Without one, a card that names none may be of either game, and its own numbers tell of which.
    """
    own = CARD.properties_in()
    names = [*KINDS, *(kind.name for kind in new_kinds)]
    own["kind"] = {**own["kind"], **shapes.word(names)}
    parts = {key: own.pop(key) for key in keys.NUMBERS}
    of_kinds = [{"if": of_kind(kind.value), "then": _of_kind(kind, edition)} for kind in (*Kind, *new_kinds)]
    unclear = {"if": {"not": of_kind(*names)}, "then": _branch(tuple(own), keys.NUMBERS, {})}
    card: Shape = {
        "type": "object",
        "properties": own,
        "required": ["kind", "name"],
        "allOf": [*of_kinds, unclear],
    }
    return card_file(card, {**parts, "of_creatures": _of_creatures(edition)})


# --- which keys a card has -------------------------------------------------------------------------------------------


def _of_kind(kind: AnyKind, edition: int | None) -> Shape:
    """Return the keys of the cards of a kind, in the editions that have it."""
    if isinstance(kind, NewKind):
        return _keys_of(kind, Grammar())
    if kind in (Kind.MINION, Kind.CREATURE):
        return _of_one_game(kind, edition, old=kind is Kind.CREATURE)
    old, new = (_keys_of(kind, Grammar(cards=game)) for game in (Cards.CREATURES, Cards.MINIONS))
    return new if old == new else {"if": {"$ref": "#/$defs/of_creatures"}, "then": old, "else": new}


def _of_one_game(kind: Kind, edition: int | None, *, old: bool) -> Shape:
    """Return the keys of a kind that only the old, or only the new, game has; its cards may have to say so."""
    least, most = (1, keys.last_of_creatures()) if old else (keys.last_of_creatures() + 1, LAST_EDITION)
    of_game = shapes.whole(least, most, NO_EDITION)
    must_say = () if edition is None or usual_grammar(edition).of_creatures is old else ("edition",)
    return _keys_of(kind, usual_grammar(least), must_say, {"edition": of_game})


def _keys_of(
    kind: AnyKind, grammar: Grammar, further: Iterable[str] = (), narrower: Mapping[str, Shape] | None = None
) -> Shape:
    """Return the schema of the keys that cards of a kind have in an edition.

    `further` are required, too, and of `narrower` keys the kind allows less than others.
    """
    known = keys.of_card(kind, grammar)
    numbers = [key for key in known if key in keys.NUMBERS]
    needed = [keys.stat_key(stat, grammar) for stat in keys.stats(kind) if keys.is_required(kind, stat)]
    needed += [*further, *(("text",) if keys.is_required(kind, "text") else ())]
    common = [key for key in known if key not in numbers]
    branch = {"title": kind.value, **_branch(common, numbers, narrower or {})}
    return {**branch, "required": sorted(needed)} if needed else branch


def _branch(common: Iterable[str], numbers: Iterable[str], narrower: Mapping[str, Shape]) -> Shape:
    """Return the schema of a card with these keys and no other; what the common ones may be is said for all kinds."""
    allowed: dict[str, object] = dict.fromkeys(common, True)
    referred = {key: {"$ref": f"#/$defs/{key}"} for key in numbers}
    return {"properties": {**allowed, **referred, **narrower}, "additionalProperties": False}


def _of_creatures(edition: int | None) -> Shape:
    """Return the schema of a card of the game of creatures; `keys.era` says the same."""
    has_old = {"anyOf": [{"required": [key]} for key in keys.OLD_NUMBERS]}
    has_new = {"anyOf": [{"required": [key]} for key in keys.NEW_NUMBERS]}
    by_set = edition is not None and usual_grammar(edition).of_creatures
    by_numbers = {"anyOf": [has_old, {"not": has_new}]} if by_set else has_old
    numbered = {"properties": {"edition": {"type": "integer"}}, "required": ["edition"]}
    without = by_numbers if edition is None else {"if": {"required": ["edition"]}, "then": by_numbers, "else": by_set}
    return {"if": numbered, "then": {"properties": {"edition": {"maximum": keys.last_of_creatures()}}}, "else": without}
