"""Everything wrong or doubtful about sets: whether they can be drawn, and what the rules of their games find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from render.base.findings import Finding, Refused, has_errors
from render.base.forking import MIN_THINGS, in_background
from render.game import faces, registry
from render.game.cards import GameSet


def check_drawing(sets: Iterable[GameSet], found: Iterable[Finding]) -> list[Finding]:
    """Return `found`, the findings of loading, with those of drawing; Refused if there is an error."""
    everything = [*found, *(finding for card_set in sets for finding in faces.findings(card_set))]
    if has_errors(everything):
        raise Refused(everything)
    return everything


def judge(sets: Sequence[GameSet], edition: int | None = None) -> list[Finding]:
    """Return what the rules find in cards that can be drawn, each set by those of its own game.

    With a number, cards are checked against the rules of that edition. Refused if there are no such rules.
    """
    of_game: dict[str, list[GameSet]] = {}
    for card_set in sets:
        of_game.setdefault(card_set.game_name, []).append(card_set)
    return [finding for name, some in of_game.items() for finding in registry.named(name).judge(some, edition)]


@contextmanager
def judged(sets: Sequence[GameSet], *, strict: str = "") -> Iterator[Callable[[], Sequence[Finding]]]:
    """Judge sets by the rules of their games, and give a function that returns the findings.

    A second process judges many cards meanwhile; few are judged when the function is called. With words for `strict`,
    all are judged at once; Refused, with these words, if the rules find anything.
    """
    if not strict:
        with in_background(
            lambda: [_said_by_rules(sets)], worth=sum(len(card_set.cards) for card_set in sets) >= MIN_THINGS
        ) as results:
            yield partial(next, results, ())
        return
    found = _said_by_rules(sets)
    if found:
        raise Refused(found, strict)
    yield tuple


def _said_by_rules(sets: Sequence[GameSet]) -> list[Finding]:
    """Return what the rules find, and what is wrong with the rules themselves."""
    try:
        return judge(sets)
    except Refused as refused:
        return [*refused.findings]
