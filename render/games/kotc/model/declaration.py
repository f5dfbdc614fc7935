"""What `game.yaml` of this game says of its kinds, fields and tables, as values."""

from __future__ import annotations

from pathlib import Path

from render.base.caches import cached
from render.game.declared.reading.field_keys import DeclaredField
from render.game.declared.reading.game_rules import GameRules, read_game
from render.game.declared.reading.kind_keys import DeclaredKind

FOLDER = Path(__file__).parents[1]


@cached(1)
def declaration() -> GameRules:
    """Return what the file says."""
    rules, findings = read_game(FOLDER)
    if rules is None:
        raise ValueError(f"the program is damaged, install it again: {findings[0].message}")
    return rules


@cached(64)
def declared_field(name: str) -> DeclaredField:
    """Return a field; KeyError if there is none."""
    return {each.name: each for each in declaration().fields}[name]


def declared_kind(name: str) -> DeclaredKind:
    """Return a kind; KeyError if there is none."""
    return declaration().kinds_by_name[name]


LAST_EDITION = declared_field("edition").limits[1]
