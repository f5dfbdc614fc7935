"""The command `balance`: a deck or a set in figures."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.cli.command import kotc_command
from render.cli.console import DONE, ERRORS, TEXT_OR_JSON, say, say_findings, tell, tell_json
from render.cli.selection import PATHS, check_paths


@kotc_command(examples=("kotc balance cards/starter", "kotc balance cards/starter --page figures.html"))
@PATHS
@TEXT_OR_JSON
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="HTML page with the same figures.")
def balance(paths: tuple[Path, ...], style: str, page: Path | None) -> None:
    """Show a deck or a set in figures, with the odds of a hand.

    PATH may also be a deck file. A set counts as a deck with as many copies of each card as it has. The odds are
    exact, for an opening hand of 5 cards before a mulligan.
    """
    from render.base.files import replace_file
    from render.base.findings import has_errors
    from render.games.kotc.balance import balancing
    from render.games.kotc.balance.figures import read_figures

    shown, findings = read_figures(check_paths(paths))
    say_findings(findings)
    if page and not has_errors(findings):
        replace_file(page, balancing.page(shown).encode("utf-8", "backslashreplace"))
        say(f"figures in {page}")
    if style == "json":
        tell_json(balancing.as_json(shown))
    else:
        tell(balancing.as_text(shown))
    sys.exit(ERRORS if has_errors(findings) else DONE)
