"""From paths on the command line to sets and their folders of outputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from render.cli.console import say
from render.cli.selection import check_names_differ, check_paths
from render.incremental.session import Target, target


def folders_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths to build: a card file stands for its whole set; wrong usage if there is nothing at one."""
    return tuple(path.parent if path.is_file() else path for path in check_paths(paths))


def targets(folders: Iterable[Path], out: Path) -> list[Target]:
    """Return the sets that are meant, and print what is doubtful about the paths; Refused if something is wrong."""
    from render.base.findings import Refused, as_text, has_errors
    from render.game.folder import find_sets

    sets, findings = find_sets(folders)
    if has_errors(findings):
        raise Refused(findings)
    if findings:
        say(as_text(findings))
    check_names_differ([files.folder for files in sets])
    return [target(files, out) for files in sets]
