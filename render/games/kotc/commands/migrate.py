"""The command `migrate`: rewrites sets for another edition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.command import kotc_command
from render.cli.console import say, tell
from render.cli.selection import PATHS, check_paths
from render.games.kotc.commands.migration_options import (
    MigrationOptions,
    report_option,
    say_what_becomes,
    say_what_is_written,
    say_what_is_wrong_with_decks,
    to_another_edition,
)

if TYPE_CHECKING:
    from render.games.kotc.model.cards import CardSet
    from render.games.kotc.workshop.migration.migration import Migration
    from render.games.kotc.workshop.migration.report import ReportedSet


@kotc_command(
    examples=("kotc migrate cards/starter --dry-run", "kotc migrate cards/starter --to 17 --report changes.html")
)
@PATHS
@to_another_edition
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; change no card file.")
@report_option()
def migrate(options: MigrationOptions, paths: tuple[Path, ...], dry_run: bool, report: Path | None) -> None:
    """Rewrite sets for another edition of the rules.

    Cards get the new wording of their texts and the new Edition Indicator. Cards that the edition does not allow stay
    as they are. Either all files are written or none.
    """
    from render.base.files import replace_file
    from render.games.kotc.workshop.migration.decks import refuse_decks
    from render.games.kotc.workshop.migration.files import unified_diff, write_all

    refuse_decks(paths)
    migrations = [_migration(card_set, options) for card_set in _sets(paths)]
    files = [change for migration in migrations for change in migration.files]
    if report:
        # First, since it shows what will be gone.
        replace_file(report, _page(migrations).encode("utf-8", "backslashreplace"))
    if dry_run:
        tell(unified_diff(files), end="")
    else:
        write_all(files)
    for migration in migrations:
        say_what_becomes(migration, relevel=options.relevel)
    say_what_is_written(len(files), dry_run=dry_run)
    say_what_is_wrong_with_decks(migrations, files)
    if report:
        say(f"before and after in {report}")


def _sets(paths: tuple[Path, ...]) -> list[CardSet]:
    """Load the sets; Refused with all findings if there is an error in one of them."""
    from render.games.kotc.sets import load_sets

    return load_sets(check_paths(paths))


def _migration(card_set: CardSet, options: MigrationOptions) -> Migration:
    from render.games.kotc.editions.finding import find
    from render.games.kotc.workshop.migration.migration import by_rules, migrate

    edition = find(options.edition, card_set.folder)
    return migrate(card_set, edition, by_rules(edition) if options.relevel else None)


def _page(migrations: list[Migration]) -> str:
    from render.games.kotc.workshop.migration.report import report

    return report([_shown(migration) for migration in migrations])


def _shown(migration: Migration) -> ReportedSet:
    """Return a set with pictures of its cards, except those that cannot be drawn: `check` says why."""
    from dataclasses import replace

    from render.game.faces import lay_out_valid
    from render.games.kotc.drawing.card_pictures import pictures
    from render.games.kotc.workshop.migration.report import ReportedSet, cards_to_show

    before, after = cards_to_show(migration)
    migrated = replace(migration.card_set, cards=tuple(card.after for card in migration.cards))
    return ReportedSet(
        migration, pictures(lay_out_valid(migration.card_set), before), pictures(lay_out_valid(migrated), after)
    )
