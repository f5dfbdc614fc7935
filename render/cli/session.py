"""From paths on the command line to sets and their folders of outputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from render.build.session import Target, find_targets
from render.cli.console import say_findings
from render.cli.selection import check_paths


def folders_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths to build: a card file stands for its whole set; wrong usage if there is nothing at one."""
    from render.game.folder import is_deck

    return tuple(path.parent if path.is_file() and not is_deck(path) else path for path in check_paths(paths))


def targets(folders: Iterable[Path], out: Path, language: str | None = "") -> list[Target]:
    """Return the sets that are meant, and print what is doubtful about the paths; Refused if something is wrong.

    `language` is as in `set_reader.survey`.
    """
    try:
        found, doubts = find_targets(folders, out, language)
    except ValueError as clash:
        raise click.UsageError(str(clash)) from None
    say_findings(doubts)
    return found
