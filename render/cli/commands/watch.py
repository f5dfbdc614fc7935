"""The command `watch`: builds again whenever something is saved that sets depend on."""

from __future__ import annotations

from pathlib import Path

import click

from render.cli.console import reporting
from render.cli.selection import OUT_FOLDER, PATHS
from render.cli.strict_option import STRICT, WHY
from render.cli.worker_options import WorkerOptions, worked_here


@click.command(name="watch")
@PATHS
@OUT_FOLDER
@click.option("--explain", is_flag=True, help="Say why each output is made.")
@STRICT
@worked_here
@reporting
def watch(workers: WorkerOptions, paths: tuple[Path, ...], out: Path, *, explain: bool, strict: bool) -> None:
    """Build, and build again whenever something is saved that the sets depend on, until Ctrl-C.

    Only the sets are built that something changed about, and of these only what is stale. Errors are said when they
    come and when they are mended; nothing of a set is made while it has any, and the others are built all the same.
    """
    from render.cli.session import folders_of
    from render.cli.watch_loop import Rebuilding

    try:
        from render.incremental.notifications import listening
    except ModuleNotFoundError:
        raise click.UsageError("watch needs the package `watchfiles`: pip install 'kotc[watch]'") from None
    why = WHY if strict else ""
    Rebuilding(folders_of(paths), out, workers, explain=explain, strict=why).go_on(listening)
