"""The command `init`: makes a set to begin with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import Refused, listed, plural
from render.base.sizes import parse_paper, usual_paper
from render.cli.command import kotc_command
from render.cli.console import say, say_findings
from render.cli.selection import CARDS_HERE, check_given, next_commands, stands_in_cards, typed
from render.game import registry
from render.game.folder import GAME_FILE, SET_FILE

if TYPE_CHECKING:
    from render.game.registry import AnyGame

_NAME = "My Set"
_NEW = "new"  # in place of a game


@kotc_command(
    examples=(
        "kotc init",
        'kotc init cards/storm --name "Storm and Sea" --paper letter',
        "kotc init moon-market --game new",
    )
)
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]")
@click.option("--name", help="Name of the set.  [default: that of FOLDER, in words]")
@click.option(
    "--game",
    help="Game that the cards are for: a name, a folder with a game.yaml, or new for a game of your own.  "
    "[default: that in FOLDER, else kotc]",
)
@click.option(
    "--from",
    "table",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Spreadsheet of cards, .csv, .ods or .xlsx, that the new game is for; it is copied into FOLDER.",
)
@click.option("--edition", type=click.IntRange(1, 999), help="Edition of the cards.  [default: the newest]")
@click.option("--paper", help="Paper of the sheets, such as a4 or letter.  [default: what your country uses]")
def init(
    folder: Path | None, name: str | None, game: str | None, table: Path | None, edition: int | None, paper: str | None
) -> None:
    """Make a set to begin with: cards, pictures, comments.

    FOLDER is the folder of the set, which gets set.yaml, a file of three cards with a comment for each key, their
    pictures, and schemas for editors in .kotc; the default is a folder in `cards` that has the name of the set.
    Nothing is overwritten. In a folder with card files, only set.yaml and .kotc are added.

    `--game new` also writes a game: game.yaml with two kinds of card, icons, templates and a back, to change as you
    like. With `--from`, its fields are worked out from the headings and cells of your table, and its template shows
    all of them.
    """
    from render.game.authoring.new_files import Beginning, begin, begin_game
    from render.game.schemas import FOLDER

    home, title = _place(folder, name)
    try:
        sheets = usual_paper(_language()) if paper is None else paper.strip().lower()
        parse_paper(sheets)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--paper") from None
    beginning = Beginning(home, title, sheets, edition)
    if table and game != _NEW:
        raise click.UsageError("--from begins a game of its own: give --game new, too")
    if game == _NEW and edition:
        raise click.UsageError("a new game has no editions: leave out --edition")
    if table:
        check_given([table], "--from")
    try:
        if game == _NEW:
            meant, made = begin_game(beginning, table)
        else:
            meant = _game(game, home)
            made = begin(meant, beginning)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    shown = [file for file in made if file.parent.name != FOLDER]
    say(f"{title}: a set in {home}, for sheets of {beginning.paper}: {plural(len(shown), 'file')}")
    say(*(f"  {file}" for file in shown), f"  {home / FOLDER}, from which editors know the keys of these files")
    # A template of a game in a folder may be missing, or not show a field; the shipped game needs no such look.
    if meant.folder is not None:
        from render.game.sources import check_sets

        if findings := check_sets([home]).findings:
            say(f"what `{typed('check', home)}` says of these cards and their game:")
            say_findings(findings)
    where = () if home.resolve() == Path.cwd() else (home,)
    to = ("--to", home) if where else ()
    after = typed("build", *where) if table else typed("new", meant.kinds[0], "Storm Hammer", *to)
    next_commands(typed("preview", *where), after)


def _place(folder: Path | None, name: str | None) -> tuple[Path, str]:
    """Return the folder and the name of the set; wrong usage if the one cannot be made of the other."""
    from render.game.ids import is_id, slug

    if name is not None and (not name.strip() or not name.isprintable()):
        raise click.BadParameter("a set needs a name of printable characters in one line", param_hint="--name")
    if folder is not None:
        return folder, name or _in_words(folder)
    called = slug(name or _NAME)
    if not is_id(called):
        raise click.UsageError(f"no folder can be named after `{name}`: give a FOLDER")
    if Path(SET_FILE).exists():
        raise click.UsageError(f"this folder is a set already: {typed('new')} adds a card to it; else give a FOLDER")
    return (Path(called) if stands_in_cards() else CARDS_HERE / called), name or _NAME


def _in_words(folder: Path) -> str:
    """Return the name of a folder in words, each with a capital letter; a name with spaces has its own already."""
    # Not `title()`, which begins a word behind each apostrophe: "Thor'S Hammers".
    written = folder.resolve().name
    words = written.replace("-", " ").replace("_", " ").split()
    name = written.strip() if " " in written else " ".join(f"{word[:1].upper()}{word[1:]}" for word in words)
    return name if name and name.isprintable() else _NAME


def _game(name: str | None, home: Path) -> AnyGame:
    """Return the game of that name or in that folder, or the one in the folder of the new set."""
    if name in registry.names():
        return registry.game_named(str(name))
    folder = home if name is None else Path(name)
    if (folder / GAME_FILE).is_file():
        from render.game.sets.named_games import game_in_folder

        game, findings = game_in_folder(folder)
        if game is None:
            raise Refused(findings)
        return game
    if name is None:
        return registry.game_named(registry.DEFAULT)
    known = f"there is {listed(registry.names(), 'and')}, or a folder with a `{GAME_FILE}`"
    raise click.BadParameter(f"there is no game `{name}`: {known}", param_hint="--game")


def _language() -> str:
    """Return language and country of the user, such as `en_US.UTF-8`; "" if the system does not tell."""
    # As POSIX orders them; glibc names the one of paper sizes.
    for variable in ("LC_ALL", "LC_PAPER", "LANG"):
        if os.environ.get(variable):
            return os.environ[variable]
    if sys.platform != "win32":
        return ""
    import ctypes

    name = ctypes.create_unicode_buffer(85)  # LOCALE_NAME_MAX_LENGTH
    return name.value if ctypes.windll.kernel32.GetUserDefaultLocaleName(name, len(name)) else ""
