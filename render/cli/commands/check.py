"""The command `check`: reports everything wrong or doubtful."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.base.findings import plural
from render.cli.console import DONE, ERRORS, FORMAT, describe_counts, reporting, say, show
from render.cli.selection import LANGUAGE, PATHS, check_paths
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
@LANGUAGE
@STRICT
@reporting
def check(paths: tuple[Path, ...], style: str, number: int | None, language: str | None, *, strict: bool) -> None:
    """Report errors and warnings in cards and sets.

    This includes wrong levels and Ultra Points, and cards that the rules of their edition do not allow.
    """
    from render.base.findings import has_errors
    from render.game.decks.sources import check_sources

    report = check_sources(check_paths(paths), number, language)
    checked = "" if report.cards is None else f"{plural(report.cards, 'card')} checked: "
    show(report.findings, style)
    say(f"{checked}{describe_counts(report.findings)}")
    # Other warnings never change the status: --strict is about the rules, as in all commands.
    sys.exit(ERRORS if (strict and report.by_rules) or has_errors(report.findings) else DONE)
