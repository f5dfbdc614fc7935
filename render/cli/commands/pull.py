"""The command `pull`: brings tables of cards up to date with published sheets."""

from __future__ import annotations

from pathlib import Path

import click

from render.base.findings import Refused
from render.cli.command import Decorated, kotc_command
from render.cli.console import end_with_errors, say, say_findings
from render.cli.selection import PATHS, check_paths


def reach_options(command: Decorated) -> Decorated:
    """Add `--http` and `--local`, which say where sheets may be fetched from."""
    http = click.option(
        "--http", is_flag=True, help="Also ask http:// addresses, whose answers anybody on the way can change."
    )
    local = click.option("--local", is_flag=True, help="Also ask this machine and its own network.")
    return http(local(command))


@kotc_command(examples=("kotc pull cards/mine --dry-run",))
@PATHS
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@reach_options
def pull(paths: tuple[Path, ...], *, dry_run: bool, http: bool, local: bool) -> None:
    """Fetch the cards of published sheets.

    `cards` in set.yaml has the address of a sheet that is published as CSV. It is kept as a file in the folder of the
    set. What was changed there is taken over, what was changed in the file stays, and if both changed one field of a
    card, nothing is written.
    """
    pull_sheets(check_paths(paths), http=http, local=local, writes=not dry_run)
    if dry_run:
        say("nothing was written")


def pull_sheets(
    paths: tuple[Path, ...], *, http: bool, local: bool, writes: bool = True, goes_on: bool = False
) -> None:
    """Bring the sets that are meant, or those of a deck, up to date with their sheets, and print what changed.

    Of a set whose sheet cannot be pulled, nothing is written: Refused, or, if the command `goes_on`, printed, and the
    command ends with the status of errors. OSError.
    """
    from render.game.authoring.pulled_cards import pull as pull_set
    from render.game.authoring.pulled_cards import write
    from render.game.folder import find_sources
    from render.game.sources import declared, sets_behind
    from render.source.fetching import Reach

    sources, findings = find_sources(paths)
    if not sources:
        raise Refused(findings)
    folders = dict.fromkeys(each.folder for source in sources for each in sets_behind(source))
    sets = [card_set for folder in folders for card_set in declared(folder) if card_set.published]
    if not sets:
        example = "`cards: https://docs.google.com/.../pub?output=csv` in set.yaml"
        raise click.UsageError(f"no set here names a published sheet: write {example}")
    for card_set in sets:
        try:
            pulled = pull_set(card_set, Reach(http=http, local=local))
        except Refused as refused:
            if not goes_on:
                raise
            say_findings(refused.findings)
            say(f"{card_set.folder}: nothing was pulled; the cards that lie there are used as they are", always=True)
            end_with_errors()
            continue
        for each in pulled:
            say(*each.lines)
        if writes:
            write(card_set, pulled)
