"""The command `build`: everything that sets declare, as far as it is stale."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from render.choosing import PATHS
from render.cli_since import CHANGED_SINCE, baselines, said
from render.console import DONE, ERRORS, many, reporting, say
from render.up_to_date import bring_up_to_date, folders_of, holding, targets
from render.worker_flags import Hands, worked_by_hands

DRY_RUN, VERIFY = "dry-run", "verify"  # what may be done instead of building


@click.command(name="build")
@PATHS
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("out"), show_default=True)
@click.option("--explain", is_flag=True, help="Say why each output is made.")
@click.option("--dry-run", "instead", flag_value=DRY_RUN, help="Say what would be done, and do nothing.")
@click.option("--verify", "instead", flag_value=VERIFY, help="Find outputs that were changed or lost, and make none.")
@CHANGED_SINCE
@worked_by_hands
@reporting
def build(
    hands: Hands, paths: tuple[Path, ...], out: Path, explain: bool, instead: str | None, since: str | None
) -> None:
    """Make everything that the sets declare, as far as it is stale.

    That is what `outputs` of set.yaml names: PNGs and duplex sheets, unless it says otherwise. A card file stands for
    its whole set here.
    """
    verify, dry_run = instead == VERIFY, instead == DRY_RUN
    if verify and since is not None:
        raise click.UsageError("--verify makes no sheets, and --changed-since asks for some")
    sets = targets(folders_of(paths), out)
    folders = [each.folder for each in sets]
    with holding([] if dry_run else [folder for folder in folders if not verify or folder.is_dir()]):
        if verify:
            sys.exit(_verify(folders))
        before = baselines(since, [each.files for each in sets])
        built = bring_up_to_date(sets, hands, explain=explain, dry_run=dry_run, since=before)
        for each, brought in zip(sets, built, strict=True):
            if brought.told.warnings:
                say(brought.told.warnings)
            say(brought.summary)
            if brought.compared:
                label = before[each.files.folder].since
                say(said(label, brought.compared, brought.folder, complete=explain, would_be=dry_run))


def _verify(folders: Sequence[Path]) -> int:
    from render.build.proving import troubles

    found = []
    for folder in folders:
        proved = troubles(folder)
        if proved is None:
            found.append(f"nothing was built in `{folder}`")
            continue
        number, wrong = proved
        found += wrong
        if not wrong:
            say(f"{folder}: {many(number, 'file')}, each as it was written")
    for line in found:
        say(f"error: {line}")
    return ERRORS if found else DONE
