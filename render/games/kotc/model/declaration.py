"""What `game.yaml` of this game says of its kinds, fields and tables, as values."""

from __future__ import annotations

from pathlib import Path

from render.base.caches import cached
from render.game.declared.reading.field_keys import DeclaredField
from render.game.declared.reading.game_rules import GameRules, read_game
from render.game.declared.reading.kind_keys import DeclaredKind
from render.games.kotc.model.cards import AnyKind, Kind
from render.games.kotc.model.edition import AbilityCount

FOLDER = Path(__file__).parents[1]


@cached(1)
def declaration() -> GameRules:
    """Return what the file says; OSError if it cannot be read."""
    rules, findings = read_game(FOLDER)
    if rules is None:
        raise OSError(f"the program is damaged, install it again: {findings[0].message}")
    return rules


@cached(64)
def declared_field(name: str) -> DeclaredField:
    """Return a field; KeyError if there is none."""
    return {each.name: each for each in declaration().fields}[name]


@cached(64)
def declared_kind(kind: AnyKind) -> DeclaredKind:
    """Return what the cards of a kind have, as a kind of `game.yaml`: of a new kind, what follows from its edition."""
    if isinstance(kind, Kind):
        return declaration().kinds_by_name[kind.value]
    text = ("text",) if kind.abilities is AbilityCount.ONE else ()
    fields = (*kind.stats, "ultra_points", "text")
    return DeclaredKind(value=kind.name, fields=fields, required=frozenset((*kind.stats, *text)))


LAST_EDITION = declared_field("edition").limits[1]
