"""The command `migrate`, and what `check` says of the legality of cards by the rules of an edition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.console import many, reporting, say

if TYPE_CHECKING:
    from render.diag import Diagnostic
    from render.games.kotc.cards import Card, CardSet
    from render.games.kotc.edition import Edition
    from render.games.kotc.migration import Migration, Relevel

PICTURE_DPI = 120  # of the pictures in a report: a card is 300 px wide


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--to", "number", type=click.IntRange(1, 999), required=True, metavar="N", help="The edition.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--relevel", is_flag=True, help="Give cards the level and Ultra Points of the edition's rules.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with before and after.")
@reporting
def migrate(paths: tuple[Path, ...], number: int, dry_run: bool, relevel: bool, report: Path | None) -> None:
    """Rewrite sets for another edition: texts in their new wording, the new Edition Indicator.

    Cards that the edition prunes are left alone. All files are written, or none.
    """
    from render.files import replace_file
    from render.games.kotc.migration_files import unified_diff, write_all

    if report and report.suffix.lower() in (".yaml", ".yml"):
        raise click.BadParameter(
            f"`{report}` has the name of a card file, and would take its place", param_hint="--report"
        )
    migrations = [_migration(card_set, number, relevel) for card_set in _sets(paths)]
    files = [change for migration in migrations for change in migration.files]
    if report:
        replace_file(report, _page(migrations).encode("utf-8"))  # first, since it shows what will be gone
    if dry_run:
        click.echo(unified_diff(files), nl=False)
    else:
        write_all(files)
    for migration in migrations:
        _summarise(migration, relevel)
    say(f"{many(len(files), 'file')} {'would be written' if dry_run else 'written'}" if files else "nothing to write")
    if report:
        say(f"before and after in {report}")


def legality_findings(sets: Iterable[CardSet], number: int | None = None) -> list[Diagnostic]:
    """Return what the rules hold against cards: those of the edition of the number, or of each card's own.

    Refused if there are no rules of that number. Where those of a card's own edition are not there, or it has no
    edition, that is said once for a set.
    """
    from render.games.kotc.legality import findings, findings_without_edition

    found: list[Diagnostic] = []
    for card_set in sets:
        rules = _rules(card_set, found, asked=number is not None)
        for card in card_set.cards:
            wanted = number or card.edition
            edition = rules(card, wanted) if wanted else None
            if edition:
                found += findings(card, edition)
        found += findings_without_edition(card for card in card_set.cards if not number and card.edition is None)
    return found


def _rules(card_set: CardSet, found: list[Diagnostic], *, asked: bool) -> Callable[[Card, int], Edition | None]:
    """Return what gives the rules by which a card is judged; where there are none, that is noted once."""
    from render.games.kotc.editions import find, known

    there = {each for each, _ in known(card_set.folder)}
    editions: dict[int, Edition | None] = {}

    def of(card: Card, wanted: int) -> Edition | None:
        if wanted not in editions:
            editions[wanted] = find(wanted, card_set.folder) if asked or wanted in there else None
            if editions[wanted] is None:
                found.append(_unknown(card, wanted, there))
        return editions[wanted]

    return of


def _unknown(card: Card, wanted: int, there: set[int]) -> Diagnostic:
    from render.diag import Diagnostic, Severity
    from render.games.kotc.cards import ordinal, place
    from render.games.kotc.keys import is_old

    message = f"cards of the {ordinal(wanted)} Edition are not judged: its rules are not there"
    later = [each for each in there if each > wanted and is_old(each) == is_old(wanted)]
    hint = "make its rules known with `kotc edition import`"
    if later:
        hint = f"{hint}, or judge them by those of a later one with `--edition {min(later)}`"
    return Diagnostic("K011", message, place(card, "edition"), hint, card.id, "edition", Severity.WARNING)


# --- migrate --------------------------------------------------------------------------------------------------------


def _sets(paths: tuple[Path, ...]) -> list[CardSet]:
    """Load the sets; Refused with all findings if there is an error in one of them."""
    from render.games.kotc.load import load

    if not paths and not Path("cards").is_dir():
        raise click.UsageError("there is no folder `cards` here: give the folder of a set or a card file")
    return load(paths or (Path("cards"),))


def _migration(card_set: CardSet, number: int, relevel: bool) -> Migration:
    from render.games.kotc.editions import find
    from render.games.kotc.migration import migrate

    edition = find(number, card_set.folder)
    return migrate(card_set, edition, _relevel(edition) if relevel else None)


def _relevel(edition: Edition) -> Relevel:
    from dataclasses import replace

    from render.games.kotc.levels import Reckoner

    reckoner = Reckoner(edition)

    def numbers(card: Card, text: str) -> tuple[int, int] | None:
        derived = reckoner.derive(replace(card, text=text, edition=edition.number))
        return (derived.level, derived.ultra_points) if derived and derived.is_sound else None

    return numbers


def _summarise(migration: Migration, relevel: bool) -> None:
    """Say what becomes of the cards of a set, and why cards are left alone."""
    from render.games.kotc.migration_report import summary

    say(f"{migration.card_set.name}: {summary(migration)}")
    for card in migration.cards:
        if not card.fate.is_migrated:
            say(f"  {card.fate.value}: `{card.before.id}`: {'; '.join(card.reasons)}")
    lacking = [card.fate.is_migrated for card in migration.cards if card.lacks_numbers and not relevel]
    if not all(lacking):
        say("  some of these lack nothing but a new level or new Ultra Points: --relevel works them out")
    if any(lacking):
        others = f"{many(sum(lacking), 'card')} with another level or other Ultra Points by the new rules"
        say(f"  {others}: --relevel writes them")


def _page(migrations: list[Migration]) -> str:
    from render.games.kotc.migration_report import report

    sets = {id(card): each.card_set for each in migrations for both in each.cards for card in (both.before, both.after)}
    return report(migrations, lambda card: _picture(sets[id(card)], card))


def _picture(card_set: CardSet, card: Card) -> str:
    """Return the card's picture as a data URI, or nothing if the card cannot be drawn, of which `check` says why."""
    import base64
    from dataclasses import replace

    from render.diag import Refused
    from render.games.kotc.faces import draw
    from render.png import Canvas, encode, paint

    try:
        drawn = draw(replace(card_set, cards=(card,)))
    except Refused:
        return ""
    content = encode(paint(drawn.faces[0].front, Canvas(PICTURE_DPI)), PICTURE_DPI)
    return f"data:image/png;base64,{base64.b64encode(content).decode('ascii')}"
