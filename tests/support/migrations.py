"""Cards for tests of migrations: texts that the 17th Edition changed, pruned or left alone."""

from pathlib import Path

from render.games.kotc.model.cards import CardSet
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.migration.planning import Migration
from tests.support.messages import write

OUTDATED = "Target up to 4 in-play cards; clone the targets."
NEW = "Target up to 4 on-field minions; clone the targets."
PRUNED = "Target 1 on-field minion; silo it."
LEGAL = "Draw 2 cards."


def spell(name: str, text: str, *lines: str) -> str:
    return "\n  ".join([f"- name: {name}", "kind: spell", *lines, "level: 2", f"text: '{text}'"]) + "\n"


def loaded(card_yaml: str | bytes, set_yaml: str | bytes = "name: Test\nedition: 13\n") -> CardSet:
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": set_yaml, "cards.yaml": card_yaml})])
    return card_set


def files(migration: Migration) -> dict[str, str]:
    return {change.file.name: change.after for change in migration.files}
