"""The command `check`: reports everything wrong or doubtful."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.base.findings import plural
from render.cli.console import DONE, ERRORS, FORMAT, count, reporting, say, show
from render.cli.selection import PATHS, loaded
from render.cli.strict_option import STRICT


@click.command()
@PATHS
@FORMAT
@click.option(
    "--edition",
    "number",
    type=click.IntRange(1, 999),
    help="Judge all cards by the rules of this edition instead of their own.",
)
@STRICT
@reporting
def check(paths: tuple[Path, ...], style: str, number: int | None, *, strict: bool) -> None:
    """Report errors and warnings in cards and sets.

    This includes wrong levels and Ultra Points, and cards that the rules of their edition do not allow.
    """
    from render.base import findings as diag
    from render.game.checking import check_drawing, judge

    try:
        sets, found = loaded(paths)
        drawn = check_drawing(sets, found)
        ruled = judge(sets, number)
        findings = [*drawn, *ruled]
        summary = f"{plural(sum(len(card_set.cards) for card_set in sets), 'card')} checked: {count(findings)}"
    except diag.Refused as error:
        findings, ruled = [*error.findings], []
        summary = count(findings)
    show(findings, style)
    say(summary)
    sys.exit(ERRORS if (strict and ruled) or diag.has_errors(findings) else DONE)
