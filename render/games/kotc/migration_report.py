"""A migration as a page to read: cards before and after, side by side, with the changed words marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from render import template
from render.games.kotc.cards import Card, indicator, ordinal
from render.games.kotc.keys import is_old, stat_key
from render.games.kotc.migration import Fate, MigratedCard, Migration
from render.games.kotc.rewording import Edit

Picture = Callable[[Card], str]
"""Gives the address of a card's picture, a path from the page or a data URI; empty if there is none."""

Values = dict[str, object]


def report(migrations: Sequence[Migration], picture: Picture) -> str:
    """Return an HTML page about the migrations of one or more sets."""
    editions = " and ".join(sorted({f"{ordinal(each.edition)} Edition" for each in migrations}))
    values = {"title": f"Migration to the {editions}", "sets": [_set(each, picture) for each in migrations]}
    return template.page("report/migration", values)


def summary(migration: Migration) -> str:
    """Return how many cards have which fate: `3 refurbished, 36 unchanged, 1 pruned`."""
    counts = [(len(migration.of(fate)), fate.value) for fate in Fate]
    return ", ".join(f"{count} {fate}" for count, fate in counts if count) or "no cards"


def _set(migration: Migration, picture: Picture) -> Values:
    changed = [card for card in migration.cards if card.fate in (Fate.REFURBISHED, Fate.RELEVELLED)]
    left = [card for card in migration.cards if not card.fate.is_migrated]
    return {
        "name": migration.card_set.name,
        "summary": summary(migration),
        "changed": [_card(card, picture) | {"after": _after(card, picture)} for card in changed],
        "left": [_card(card, picture) | {"reasons": card.reasons} for card in left],
        "unchanged": [card.before.name for card in migration.of(Fate.UNCHANGED)],
    }


def _card(card: MigratedCard, picture: Picture) -> Values:
    runs = _runs(card.before.text, ((edit.start, edit.end) for edit in card.reworded.edits))
    before = _side(card.before, card.after, picture) | {"words": runs}
    return {"id": card.before.id, "name": card.before.name, "fate": card.fate.value, "before": before}


def _after(card: MigratedCard, picture: Picture) -> Values:
    runs = _runs(card.after.text, _places_after(card.reworded.edits))
    return _side(card.after, card.before, picture) | {"words": runs}


def _side(card: Card, other: Card, picture: Picture) -> Values:
    return {
        "name": card.name,
        "edition": indicator(card.edition) or "without edition",
        "picture": picture(card),
        "numbers": [
            {"name": name, "value": value, "changed": value != there}
            for (name, value), (_, there) in zip(_numbers(card), _numbers(other), strict=True)
        ],
    }


def _numbers(card: Card) -> list[tuple[str, str]]:
    """Return what of the card a migration may change besides its text, as far as the card has it."""
    numbers = [("edition", "none" if card.edition is None else str(card.edition))]
    if card.level is not None:
        numbers.append((stat_key("level", card.era), str(card.level)))
        numbers += [] if is_old(card.era) else [("Ultra Points", str(card.ultra_points))]
    return numbers


def _places_after(edits: Iterable[Edit]) -> Iterator[tuple[int, int]]:
    """Yield where the new words of the edits stand in the new text."""
    shift = 0
    for edit in edits:
        yield edit.start + shift, edit.start + shift + len(edit.new)
        shift += len(edit.new) - (edit.end - edit.start)


def _runs(text: str, changed: Iterable[tuple[int, int]]) -> list[Values]:
    """Return the text in stretches that changed and stretches that did not."""
    runs: list[Values] = []
    at = 0
    for start, end in changed:
        runs += [{"text": text[at:start], "changed": False}, {"text": text[start:end], "changed": True}]
        at = end
    return [run for run in (*runs, {"text": text[at:], "changed": False}) if run["text"]]
