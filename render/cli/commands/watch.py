"""The command `watch`: builds again whenever a file that sets depend on is saved."""

from __future__ import annotations

from pathlib import Path

import click

from render.cli.build_options import STRICT, WHY, WorkerOptions, worked_here
from render.cli.console import reporting
from render.cli.selection import OUT_FOLDER, PATHS
from render.cli.terminal.command import kotc_command


@kotc_command(name="watch", examples=("kotc watch cards/starter",))
@PATHS
@OUT_FOLDER
@click.option("--explain", is_flag=True, help="Say why each output is built.")
@STRICT
@worked_here
@reporting
def watch(workers: WorkerOptions, paths: tuple[Path, ...], out: Path, *, explain: bool, strict: bool) -> None:
    """Build, and build again whenever a file is saved.

    Only changed sets are rebuilt, and only their outputs that are out of date. A set with an error keeps its last
    outputs until the error is fixed; the other sets are built. Ctrl-C stops the command.
    """
    from render.build.watch import has_watchfiles, listen
    from render.cli.session import folders_of
    from render.cli.watch_loop import Rebuilding

    if not has_watchfiles():
        raise click.UsageError("watch needs the package `watchfiles`: pip install 'kotc[watch]'")
    why = WHY if strict else ""
    Rebuilding(folders_of(paths), out, workers, explain=explain, strict=why).go_on(listen)
