"""What the rules find in drawn cards: printed at the end, or, with `--strict`, a reason to stop before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from render.base.findings import errors_and_warnings
from render.cli.console import in_numbers, say

if TYPE_CHECKING:
    from render.game.cards import GameSet
    from render.game.faces import Drawn
    from render.incremental.state.manifest import BuildSummary

WHY = "nothing was made: --strict stops at errors and warnings from the rules"

STRICT = click.option(
    "--strict", is_flag=True, help="Stop at any error or warning from the rules of the cards' edition."
)


@contextmanager
def judge_meanwhile(found: Sequence[tuple[GameSet, Drawn]], *, strict: bool) -> Iterator[None]:
    """Let the rules judge cards while something is made from them, and print their findings at the end.

    With `strict` they judge first: Refused, and nothing is made, if they find anything.
    """
    from render.game.sets.checking import judge_in_background

    # Cards that --card leaves out are not made, so nothing is said of them.
    sets = [_only(card_set, [face.card.id for face in drawn.faces]) for card_set, drawn in found]
    with judge_in_background(sets, strict=WHY if strict else "") as findings:
        yield
        said = findings()
    if said:
        from render.base.findings import as_text

        say(as_text(said))
        say(count_of_rules(*errors_and_warnings(said)))


def _only(card_set: GameSet, ids: Sequence[str]) -> GameSet:
    kept = frozenset(ids)
    return replace(card_set, cards=tuple(card for card in card_set.cards if card.id in kept))


def say_rules(report: BuildSummary) -> None:
    """Print what the rules found in the cards of a set that was built."""
    if report.rules:
        say(report.rules)
        say(count_of_rules(report.rule_errors, report.rule_warnings))


def count_of_rules(errors: int, warnings: int) -> str:
    """Return `2 errors, 1 warning from the rules; --strict stops at them`."""
    them = "it" if errors + warnings == 1 else "them"
    return f"{in_numbers(errors, warnings)} from the rules; --strict stops at {them}"
