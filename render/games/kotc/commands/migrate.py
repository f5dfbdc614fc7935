"""The command `migrate`: rewrites sets for another edition; and what it has in common with `upgrade`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import say, tell
from render.cli.options import gathered
from render.cli.selection import PATHS, check_paths

if TYPE_CHECKING:
    from render.games.kotc.workshop.migration.change_set import FileChange, Migration
    from render.games.kotc.workshop.migration.report import ReportedSet

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class MigrationOptions:
    """The edition that sets are taken to; with `relevel`, cards get the level and Ultra Points of its rules."""

    edition: int
    relevel: bool


MAX_LISTED = 10
"""How many cards are named that are left alone for one reason; the page of --report has all."""


def _newest_if_none(context: click.Context, _parameter: click.Parameter, number: int | None) -> int | None:
    """Return the edition asked for, else the newest whose rules are found here."""
    if number is not None or context.resilient_parsing:
        return number
    from render.games.kotc.editions.finding import known
    from render.games.kotc.model.cards import ordinal

    newest = known()[-1][0]
    say(f"to the {ordinal(newest)} Edition, the newest one here; --to chooses another")
    return newest


to_another_edition = gathered(
    MigrationOptions,
    edition=click.option(
        "--to",
        "edition",
        type=click.IntRange(1, 999),
        callback=_newest_if_none,
        metavar="N",
        help="Edition to migrate to.  [default: the newest]",
    ),
    relevel=click.option(
        "--relevel", is_flag=True, help="Also change levels and Ultra Points to what the new rules give."
    ),
)
"""Give a command the flags that say where sets go; it gets them as its first argument."""


def report_option(default: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return the flag of the page about the migration; `default` is where it goes if nobody says."""
    words = "HTML page with every card before and after."
    return click.option(
        "--report",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_a_page,
        help=f"{words}  [default: {default}]" if default else words,
    )


def _a_page(context: click.Context, parameter: click.Parameter, report: Path | None) -> Path | None:
    """Return where a report goes; wrong usage if its name is not that of a page: a card file, a picture, a sheet."""
    if report and report.suffix.lower() not in (".html", ".htm"):
        message = f"`{report}` is not the name of an HTML page: it must end in `.html`"
        raise click.BadParameter(message, context, parameter)
    return report


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
    from render.games.kotc.editions.finding import find
    from render.games.kotc.sets import load_sets
    from render.games.kotc.workshop.migration import report as pages
    from render.games.kotc.workshop.migration.cards import by_rules
    from render.games.kotc.workshop.migration.change_set import migrate, unified_diff, write_all
    from render.games.kotc.workshop.migration.decks import refuse_decks

    refuse_decks(paths)
    migrations = []
    for card_set in load_sets(check_paths(paths)):
        edition = find(options.edition, card_set.folder)
        migrations.append(migrate(card_set, edition, by_rules(edition) if options.relevel else None))
    files = [change for migration in migrations for change in migration.files]
    if report:
        # First, since it shows what will be gone.
        replace_file(report, pages.report(list(map(_shown, migrations))).encode("utf-8", "backslashreplace"))
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


def _shown(migration: Migration) -> ReportedSet:
    """Return a set with pictures of its cards, except those that cannot be drawn: `check` says why."""
    from dataclasses import replace

    from render.game.faces import lay_out_valid
    from render.games.kotc.drawing.card_pictures import pictures
    from render.games.kotc.workshop.migration.report import ReportedSet

    before, after = migration.pictured
    migrated = replace(migration.card_set, cards=tuple(card.after for card in migration.cards))
    return ReportedSet(
        migration, pictures(lay_out_valid(migration.card_set), before), pictures(lay_out_valid(migrated), after)
    )


def _left_behind(migration: Migration) -> dict[tuple[str, str, tuple[str, ...]], list[str]]:
    """Return the ids of the cards that are not migrated, by what becomes of them, why, and what to do about it."""
    found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for card in migration.cards:
        if not card.fate.is_migrated:
            found.setdefault((card.fate.value, "; ".join(card.reasons), card.advice), []).append(card.before.id)
    return found


def say_what_becomes(migration: Migration, *, relevel: bool) -> None:
    """Print what becomes of the cards of a set, and why cards are left alone."""
    say(f"{migration.card_set.name}: {migration.summary}")
    for doubt in migration.doubts:
        say(f"  warning: {doubt.message}")
        say(f"    hint: {doubt.hint}")
    for (fate, why, advice), ids in _left_behind(migration).items():
        more = f" and {len(ids) - MAX_LISTED} more" if len(ids) > MAX_LISTED else ""
        say(f"  {fate}: {', '.join(f'`{each}`' for each in ids[:MAX_LISTED])}{more}: {why}")
        for each in advice:
            say(f"    hint: {each}")
    lacking = [card.fate.is_migrated for card in migration.cards if card.lacks_numbers and not relevel]
    if not all(lacking):
        say(
            f"  some of these only need a new {migration.numbers.replace(' or ', ' or new ')}: --relevel works them out"
        )
    if any(lacking):
        verb = "differ" if " " in migration.numbers else "differs"
        others = f"{plural(sum(lacking), 'card')} whose {migration.numbers} {verb} by the new rules"
        say(f"  {others}: --relevel writes the new ones")


def say_what_is_wrong_with_decks(migrations: Sequence[Migration], files: Sequence[FileChange]) -> None:
    """Print the decks that use the sets, with their errors once the files are written; nothing if none is."""
    from render.games.kotc.model.cards import ordinal
    from render.games.kotc.workshop.migration.decks import decks_after

    for deck in decks_after([each.card_set.folder for each in migrations], files) if files else ():
        edition = f", a deck of the {ordinal(deck.edition)} Edition" if deck.edition else ""
        say(f"{deck.file}{edition}, uses these cards: {plural(len(deck.errors), 'error')}")
        for error in deck.errors[:MAX_LISTED]:
            say(f"  {error.message} [{error.code}]")
        if len(deck.errors) > MAX_LISTED:
            say(f"  and {len(deck.errors) - MAX_LISTED} more")
        newest = max(each.edition for each in migrations)
        if deck.errors and deck.edition and deck.edition < newest:
            say(
                f"    hint: `edition: {newest}` in the deck judges it by the new rules; `kotc deck {deck.file}` says more"
            )
        elif deck.errors:
            say(f"    hint: `kotc deck {deck.file}` says more")


def say_what_is_written(files: int, *, dry_run: bool) -> None:
    """Print how many files are written, or would be."""
    say(f"{plural(files, 'file')} {'would be written' if dry_run else 'written'}" if files else "nothing to write")
