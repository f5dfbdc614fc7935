"""The command `check`: reports everything wrong or doubtful."""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.base import lazily
from render.base.codes import CodeChoice, read_codes
from render.base.findings import Diagnostic, Severity, has_errors, plural
from render.cli.command import kotc_command, nearest_beside
from render.cli.console import DONE, ERRORS, FORMAT, USAGE, ShownFindings, describe_counts, say, show
from render.cli.options import STRICT, gathered
from render.cli.selection import (
    EACH_VERSION,
    LANGUAGE,
    NO_STORE,
    PATHS,
    STORE,
    WHERE,
    check_paths,
    fitting,
    memory_in,
    store_for,
)
from render.cli.streams import look_of
from render.game.home import Versions

if TYPE_CHECKING:
    from render.game.cards import GameSet

_MAX_NAMED = 5  # pictures in one note


def _read(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return read_codes(words)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


_SELECT = "Report only findings with these codes, and errors for which nothing can be made; repeatable."
_IGNORE = "Leave out warnings and findings of the rules with these codes, such as V003,K; repeatable."


@kotc_command(examples=("kotc check cards/starter", "kotc check cards/starter --strict --format github"), is_timed=True)
@PATHS
@FORMAT
@click.option(
    "--edition",
    "number",
    type=click.IntRange(1, 999),
    help="Judge all cards by the rules of this edition instead of their own.",
)
@WHERE
@LANGUAGE
@STRICT
@click.option(
    "--templates",
    is_flag=True,
    help="Also warn of what a second look finds in templates: places that no card fills, fields and icons that nothing "
    "uses, boxes that are too small for some value, misspelt classes and ids.",
)
@click.option(
    "--access",
    is_flag=True,
    help="Also warn of what players with little sight or other eyes cannot make out on the drawn cards.",
)
@click.option(
    "--least-type",
    type=click.FloatRange(1, 72),
    default=6.0,  # `LEAST_TYPE` of `game.access`, which says why; that draws, and is imported when it is needed
    show_default=True,
    metavar="PT",
    help="The size of type below which --access warns, in points.",
)
@STORE
@NO_STORE
@gathered(
    CodeChoice,
    select=click.option("--select", multiple=True, metavar="CODE,...", callback=_read, help=_SELECT),
    ignore=click.option("--ignore", multiple=True, metavar="CODE,...", callback=_read, help=_IGNORE),
)
@EACH_VERSION
def check(
    versions: Versions,
    codes: CodeChoice,
    /,
    paths: tuple[Path, ...],
    style: str,
    number: int | None,
    where: str,
    language: str | None,
    store: Path | None,
    *,
    strict: bool,
    templates: bool,
    access: bool,
    least_type: float,
    no_store: bool,
) -> None:
    """Report errors and warnings in cards and sets.

    This includes wrong levels and Ultra Points, and cards that the rules of their edition do not allow. Errors for
    which nothing can be made are always reported, whatever --select and --ignore say. With --where, cards that do not fit are
    not judged, and nothing is said of what no template shows.
    """
    from render.game.sources import check_sets

    if templates and where:
        raise click.UsageError("--templates looks at the cards of whole sets: leave out --where")
    missing = [path for path in paths if not (path.exists() or path.is_symlink())]
    if missing and style != "text":  # what programs can read, in the place of words on usage
        message = "there is no `{}`{}"
        show(
            [Diagnostic("P001", message.format(path, nearest_beside(path)), "check the path") for path in missing],
            style,
        )
        sys.exit(USAGE)
    meant = check_paths(paths)
    shown = ShownFindings() if style == "text" else None  # programs get one list
    told = shown.more if shown and _takes_a_while(meant) else lambda _: None
    memory = memory_in(store_for(meant, store, no_store=no_store), meant)

    def narrow(sets: Sequence[GameSet]) -> list[GameSet]:
        if not any(each.cards for each in sets):
            return [*sets]
        fits = fitting(where, (card for each in sets for card in each.cards))
        return [replace(each, cards=lazily.where(each.cards, fits)) for each in sets]

    smallest = least_type if access else None
    narrowed = narrow if where else None
    report = check_sets(
        meant, number, language, codes, told, memory, narrowed, smallest, templates=templates, versions=versions
    )
    checked = "" if report.cards is None else f"{plural(report.cards, 'card')} checked: "
    if shown:
        shown.rest(report.findings, strict=strict and bool(report.by_rules))
    else:
        show(report.findings, style)
    say(f"{checked}{describe_counts(report.findings)}")
    first = next((each.code for each in report.findings if each.severity is Severity.ERROR), "")
    if first and style == "text" and look_of(sys.stderr).width:  # for people, not for scripts that read what is said
        say(f"`kotc explain {first}` says more")
    # A card that cannot be read, or whose picture is misspelt, seems to use no picture.
    if style == "text" and not has_errors(report.findings):
        _note_loose_pictures(meant, report.pictures)
    # Other warnings never change the status: --strict is about the rules, as in all commands.
    sys.exit(ERRORS if (strict and report.by_rules) or has_errors(report.findings) else DONE)


_AT_ONCE = 5_000  # bytes: the findings of some twenty cards are shown together, in the order of their lines


def _takes_a_while(paths: tuple[Path, ...]) -> bool:
    """Return whether there are so many cards that nobody wants to wait for the last one to see the first finding."""
    from render.game.folder import find_sources

    size = 0
    for file in (file for source in find_sources(paths)[0] for file in source.cards):
        with suppress(OSError):  # which is said where it is read
            size += file.stat().st_size
    return size > _AT_ONCE


def _note_loose_pictures(paths: tuple[Path, ...], shown: Container[Path]) -> None:
    """Print which pictures lie ready that no card uses. That is no mistake, so it is no finding, and counts nowhere."""
    from render.game.authoring.pictures import loose_pictures
    from render.game.folder import find_sources

    for files in find_sources(path for path in paths if path.is_dir())[0]:
        loose = loose_pictures(files.folder, shown) if files.deck is None else []
        if loose:
            more = f" and {len(loose) - _MAX_NAMED} more" if len(loose) > _MAX_NAMED else ""
            names = ", ".join(f"`{files.folder / name}`" for name in loose[:_MAX_NAMED])
            say(f"note: no card uses {names}{more}; `kotc new` takes such a picture along")
