"""The command `store`: says how large the store of what was read and drawn is, limits it, and empties it."""

from __future__ import annotations

from pathlib import Path

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import STORE


@kotc_command(examples=("kotc store", "kotc store --most 200", "kotc store --clear"))
@click.option("--size", is_flag=True, help="Say how much the store takes; also without an option.")
@click.option("--clear", is_flag=True, help="Empty the store.")
@click.option("--most", metavar="MB", type=click.IntRange(min=1, max=1_000_000), help="Let it take this much at most.")
@STORE
def store(store: Path | None, *, size: bool, clear: bool, most: int | None) -> None:
    """Show, limit or empty the store of what was read and drawn.

    `check`, `png`, `pdf`, `shop`, `build`, `preview` and `lsp` keep what they read and draw there, and do only that again
    which changed. The store forgets what was not used for 90 days, and what was used longest ago when it is full. Losing it
    does no harm: what is missing is read and drawn again. Beside it are copies of what `kotc build` sent to addresses,
    which do not count, and which --clear removes, too.
    """
    from render.build.far import forget_copies, size_of_copies
    from render.build.store import HAS_SQLITE, store_in

    if not HAS_SQLITE:
        raise click.UsageError("this Python was compiled without SQLite, so that there is no store")
    found = store_in(store)
    if found is None:
        raise click.UsageError("your account has no folder for caches: say with --store where the store is to lie")
    if most is not None:
        found.set_limit(most * 1_000_000)
    if clear:
        found.clear()
        forget_copies(found.folder)
    if size or not (clear or most is not None):
        taken, limit, faces = found.measure()
        say(f"{found.folder}: {plural(faces, 'face')}, {taken / 1e6:.1f} MB of {limit / 1e6:.0f} MB at most")
        if copied := size_of_copies(found.folder):
            say(f"  {copied / 1e6:.1f} MB more are copies of what `kotc build` sent to addresses")
