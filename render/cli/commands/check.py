"""The command `check`: everything that is wrong or doubtful."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.base.findings import (
    plural,
)
from render.cli.console import (
    DONE,
    ERRORS,
    FORMAT,
    count,
    reporting,
    say,
    show,
)
from render.cli.selection import PATHS, loaded
from render.cli.strict_option import STRICT


@click.command()
@PATHS
@FORMAT
@click.option(
    "--edition", "number", type=click.IntRange(1, 999), help="Judge by this edition's rules, not each card's."
)
@STRICT
@reporting
def check(paths: tuple[Path, ...], style: str, number: int | None, *, strict: bool) -> None:
    """Say everything that is wrong or doubtful about cards and sets.

    That is also whether levels and Ultra Points are right, and whether a card may be played.
    """
    from render.base import findings as diag
    from render.games.kotc import checking

    try:
        sets, found = loaded(paths)
        findings = checking.findings(sets, found, number)
        summary = f"{plural(sum(len(card_set.cards) for card_set in sets), 'card')} checked: {count(findings)}"
    except diag.Refused as error:
        findings = [*error.findings]
        summary = count(findings)
    show(findings, style)
    say(summary)
    stops = strict and any(map(checking.is_by_rules, findings))
    sys.exit(ERRORS if stops or diag.has_errors(findings) else DONE)
