"""The command `migrate`: rewrites sets for another edition; and what it has in common with `upgrade`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click
from msgspec import Struct

from render.base.findings import listed, plural
from render.cli.command import kotc_command
from render.cli.console import TEXT_OR_JSON, say, tell, tell_json
from render.cli.options import gathered
from render.cli.selection import PATHS, check_given, check_paths, html_page

if TYPE_CHECKING:
    from render.games.kotc.workshop.migration.decks import DeckAfter
    from render.games.kotc.workshop.migration.planning import Migration
    from render.games.kotc.workshop.migration.report import ReportedSet

P = ParamSpec("P")
R = TypeVar("R")


class MigrationOptions(Struct, frozen=True):
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
        callback=html_page,
        help=f"{words}  [default: {default}]" if default else words,
    )


@kotc_command(
    examples=("kotc migrate cards/starter --dry-run", "kotc migrate cards/starter --to 17 --report changes.html"),
    is_timed=True,
)
@PATHS
@to_another_edition
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; change no card file.")
@report_option()
@TEXT_OR_JSON
def migrate(
    options: MigrationOptions, paths: tuple[Path, ...], style: str, report: Path | None, *, dry_run: bool
) -> None:
    """Rewrite sets for another edition of the rules.

    Cards get the new wording of their texts and the new Edition Indicator. Cards that the edition does not allow stay
    as they are. Decks of these cards go along; a deck anywhere else goes if it is a PATH. Either all files are written
    or none.
    """
    from render.base.files import remove_leftovers_in, replace_file
    from render.game.authoring.change_set import unified_diff, write_all
    from render.games.kotc.editions.finding import find
    from render.games.kotc.sets import load_sets
    from render.games.kotc.workshop.migration import report as reports
    from render.games.kotc.workshop.migration.cards import by_rules
    from render.games.kotc.workshop.migration.decks import decks_after
    from render.games.kotc.workshop.migration.planning import migrate

    sets, given = part_decks(paths)
    migrations = []
    for card_set in load_sets(check_paths(sets)) if sets or not given else ():
        edition = find(options.edition, card_set.folder)
        migrations.append(migrate(card_set, edition, by_rules(edition) if options.relevel else None))
    files = [change for migration in migrations for change in migration.files]
    decks = decks_after([each.card_set.folder for each in migrations], files, options.edition, given)
    files += [deck.change for deck in decks if deck.change]
    if report:
        # First, since it shows what will be gone.
        page = reports.report([_shown(each) for each in migrations], decks, options.edition)
        replace_file(report, page.encode("utf-8", "backslashreplace"))
    if style == "json":
        tell_json(reports.as_json(migrations, decks, files, {}, number=options.edition, dry_run=dry_run))
    elif dry_run:
        tell(unified_diff(files), end="")
    for migration in migrations:
        say_what_becomes(migration, relevel=options.relevel)
    say_what_becomes_of_decks(decks, options.edition)
    if not dry_run:
        folders = (each.card_set.folder for each in migrations)
        remove_leftovers_in([*folders, *(deck.file.parent for deck in decks)])
        write_all(files)
    say_what_is_written(len(files), dry_run=dry_run)
    if report:
        say(f"before and after in {report}")


def _shown(migration: Migration) -> ReportedSet:
    """Return a set with pictures of its cards, except those that cannot be drawn: `check` says why."""
    from msgspec.structs import replace

    from render.game.faces import lay_out_valid
    from render.games.kotc.workshop.migration.report import ReportedSet
    from render.games.kotc.workshop.migration.transition import pictures

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


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MAX_LISTED} more" if len(ids) > MAX_LISTED else ""
    return f"{', '.join(f'`{each}`' for each in ids[:MAX_LISTED])}{more}"


def say_what_becomes(migration: Migration, *, relevel: bool) -> None:
    """Print what becomes of the cards of a set, and why cards are left alone."""
    say(f"{migration.card_set.name}: {migration.summary}")
    if migration.drafted:
        say(f"  drafted: {_some(migration.drafted)}: judge each, change what you like, and remove `draft`")
    for doubt in migration.doubts:
        say(f"  warning: {doubt.message}")
        say(f"    hint: {doubt.hint}")
    for (fate, why, advice), ids in _left_behind(migration).items():
        say(f"  {fate}: {_some(ids)}: {why}")
        for each in advice:
            say(f"    hint: {each}")
    if not migration.drafted and migration.calls_for_drafts:
        say("  `kotc upgrade --draft` writes a proposal for each card that is to be designed anew")
    for languages in sorted({card.old_words for card in migration.cards if card.old_words}):
        ids = [card.before.id for card in migration.cards if card.old_words == languages]
        say(f"  {_some(ids)}: the text in {listed(languages, 'and')} below `words` is the old one: write it anew")
    if lacking := sum(card.lacks_numbers and card.fate.is_migrated for card in migration.cards if not relevel):
        verb = "differ" if " " in migration.numbers else "differs"
        others = f"{plural(lacking, 'card')} whose {migration.numbers} {verb} by the new rules"
        say(f"  {others}: --relevel writes the new ones")


def part_decks(paths: tuple[Path, ...]) -> tuple[tuple[Path, ...], list[Path]]:
    """Return the paths of sets, and the decks among the paths; wrong usage if there is nothing at one."""
    from render.game.sources import decks_of

    check_given(paths)
    decks = {path: decks_of(path) for path in paths}
    return tuple(path for path in paths if not decks[path]), [deck for path in paths for deck in decks[path]]


def say_what_becomes_of_decks(decks: Sequence[DeckAfter], number: int) -> None:
    """Print which decks go along, and what is wrong with each in the end."""
    from render.games.kotc.model.cards import ordinal

    for deck in decks:
        way = f"stays of the {ordinal(deck.edition)} Edition" if deck.edition else "is a deck without edition"
        if deck.before != deck.edition:
            way = f"from the {ordinal(deck.before or 0)} to the {ordinal(number)} Edition"
        elif deck.edition == number:
            way = f"is of the {ordinal(number)} Edition"
        elif deck.unread:
            way = "cannot be read"
        say(f"{deck.file}: {way}, {plural(len(deck.errors), 'error')}")
        if deck.stays:
            say(f"  {deck.stays}")
        for error in deck.errors[:MAX_LISTED]:
            say(
                f"  {error.span}: {error.message} [{error.code}]" if error.span else f"  {error.message} [{error.code}]"
            )
            if error.hint:
                say(f"    hint: {error.hint}")
        if len(deck.errors) > MAX_LISTED:
            say(f"  and {len(deck.errors) - MAX_LISTED} more; `kotc deck {deck.file}` says all")
        if deck.lack:
            say(f"  {deck.lack}")
        if deck.drafts:
            say(f"  has {plural(len(deck.drafts), 'draft')} to judge: {listed(deck.drafts[:MAX_LISTED], 'and')}")
        if deck.others:
            verb = "is" if len(deck.others) == 1 else "are"
            say(f"  has older cards of {listed([*map(str, deck.others)], 'and')}, which {verb} not taken along")


def say_what_is_written(files: int, *, dry_run: bool) -> None:
    """Print how many files are written, or would be."""
    say(f"{plural(files, 'file')} {'would be written' if dry_run else 'written'}" if files else "nothing to write")
