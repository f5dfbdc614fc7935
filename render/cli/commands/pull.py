"""The command `pull`: brings tables of cards up to date with published sheets."""

from __future__ import annotations

from pathlib import Path

import click

from render.base.findings import Refused
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import PATHS, check_paths


@kotc_command(examples=("kotc pull cards/mine --dry-run",))
@PATHS
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@click.option("--http", is_flag=True, help="Also ask http:// addresses, whose answers anybody on the way can change.")
@click.option("--local", is_flag=True, help="Also ask this machine and its own network.")
def pull(paths: tuple[Path, ...], *, dry_run: bool, http: bool, local: bool) -> None:
    """Fetch the cards of published sheets.

    `cards` in set.yaml has the address of a sheet that is published as CSV. It is kept as a file in the folder of the
    set. What was changed there is taken over, what was changed in the file stays, and if both changed one field of a
    card, nothing is written.
    """
    from render.game.authoring.pulled_cards import pull as pull_set
    from render.game.authoring.pulled_cards import write
    from render.game.folder import find_sources
    from render.game.sources import declared, no_set_but_deck
    from render.source.fetching import Reach

    sources, findings = find_sources(check_paths(paths))
    if not sources:
        raise Refused(findings)
    if decks := [no_set_but_deck(each.deck) for each in sources if each.deck]:
        raise Refused(decks)
    sets = [card_set for source in sources for card_set in declared(source.folder) if card_set.published]
    if not sets:
        example = "`cards: https://docs.google.com/.../pub?output=csv` in set.yaml"
        raise click.UsageError(f"no set here names a published sheet: write {example}")
    for card_set in sets:
        pulled = pull_set(card_set, Reach(http=http, local=local))
        for each in pulled:
            say(*each.lines)
        if not dry_run:
            write(card_set, pulled)
    if dry_run:
        say("nothing was written")
