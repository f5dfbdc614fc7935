"""Where the user stands: the sets that a command without a path means, where its outputs go, and what comes next.

In the folder of a set and below it, that set is meant; elsewhere the folder `cards`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import errors_and_warnings, plural
from render.base.reach import describe_escape, real_path
from render.cli.console import in_numbers, reporting, say, tell
from render.cli.terminal.wrong_usage import in_other_case

if TYPE_CHECKING:
    from render.game.folder import SetFiles

CARDS_HERE = Path("cards")

_SET_FILE = "set.yaml"  # `folder.SET_FILE`, without the import: what a command starts with counts
_OUT = "out"
MAX_TOLD = 10  # sets that `kotc` tells of one by one
MAX_DEPTH = 40  # folders above this one in which a set is looked for


def paths_here() -> tuple[Path, ...]:
    """Return the path that is meant where none is given; wrong usage if there is none."""
    found = place_here()
    if found is None:
        raise click.UsageError(f"{where_looked()}; `kotc init` makes a set, or give the folder of a set or a card file")
    return (found,)


def place_here() -> Path | None:
    """Return the folder that is meant where no path is given; None if there is none.

    It is the set in whose folder the user stands, the folder `cards`, the set in a folder above, or the folder itself
    if its subfolders are sets. Wrong usage if `cards` is a link that leads away.
    """
    if Path(_SET_FILE).is_file():
        return Path()
    if CARDS_HERE.is_dir():
        return _cards_here()
    return set_above() or (Path() if _has_sets(Path()) else None)


def where_looked() -> str:
    """Return where a set was looked for in vain."""
    other = in_other_case(CARDS_HERE)
    return f"found no set: no `{_SET_FILE}` here or in a folder above, and no folder `{CARDS_HERE}` here{other}"


def _cards_here() -> Path:
    """Return the folder `cards`; wrong usage if it is a link that leads away from here."""
    # The folder may have come with what was unpacked here, as `out` may.
    if real_path(CARDS_HERE, Path()) is None:
        away = describe_escape(CARDS_HERE, "this folder")
        raise click.UsageError(f"the folder `cards` {away}: to use it, give it as PATH")
    return CARDS_HERE


def set_above() -> Path | None:
    """Return the folder of the set below whose folder the user stands, such as `../..`; None if there is none."""
    try:
        here = Path.cwd()
    except OSError:  # the folder was removed meanwhile
        return None
    for steps, folder in enumerate(here.parents[:MAX_DEPTH], 1):
        if (folder / _SET_FILE).is_file():
            return Path(*[os.pardir] * steps)
    return None


def stands_in_cards() -> bool:
    """Return whether sets lie beside each other here: the folder is called `cards`, or its subfolders are sets."""
    return Path.cwd().name == CARDS_HERE.name or (not CARDS_HERE.exists() and _has_sets(Path()))


def _has_sets(folder: Path) -> bool:
    try:
        return any((each / _SET_FILE).is_file() for each in folder.iterdir() if not each.name.startswith("."))
    except OSError:
        return False


def outputs_here() -> Path:
    """Return the folder for outputs where none is given: `out` here; below the folder of a set, `out` in that.

    It may come with a set that is unpacked here, so it is not followed if it is a link, like any link below it; a
    folder that the user names is.
    """
    if Path(_SET_FILE).is_file() or CARDS_HERE.is_dir():
        return Path(_OUT)
    around = set_above()
    return around / _OUT if around else Path(_OUT)


def typed(*words: str | Path) -> str:
    """Return a command of the program as the user can type it here: with the name by which it was started now."""
    return " ".join([_program(), *(_quoted(str(word)) for word in words)])


def next_commands(*commands: str) -> None:
    """Print which commands come next."""
    say("next:")
    for command in commands:
        say(f"  {command}")


def _program() -> str:
    """Return `kotc` if that is how a shell finds this program, else the path by which it was started."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py" and started.parent.name == "render":  # python -m render
        return f"{_quoted(_shortest(Path(sys.executable)))} -m {started.parent.name}"
    if started.stem != "kotc":  # from another program
        return "kotc"
    import shutil

    found = shutil.which("kotc")
    return "kotc" if found and Path(found).resolve() == started.resolve() else _quoted(_shortest(started))


def _shortest(path: Path) -> str:
    """Return a path as it is, or from here if that is shorter."""
    relative = os.path.relpath(path) if path.drive == Path.cwd().drive else str(path)
    return min(str(path), relative, key=len)


def _quoted(word: str) -> str:
    """Return a word so that a shell takes it for one."""
    if sys.platform == "win32":
        return f'"{word}"' if re.search(r"[^\w./\\:=+-]", word) or not word else word
    return shlex.quote(word)


# --- `kotc` without a command ---------------------------------------------------------------------------------------


@reporting
def overview() -> None:
    """Print the sets that commands mean here, and the next commands; how to begin if there is none."""
    lines = _lines()
    tell("\n".join([*lines, f"{typed('--help')} lists all commands"]))


def _lines() -> list[str]:
    from render.game.folder import find_sets

    place = place_here()
    sets = find_sets([place])[0] if place is not None else []
    if place is None or not sets:
        return [
            where_looked() if place is None else f"found no set in {place}: no folder in it has a `set.yaml`",
            "to begin:",
            *_aligned({typed("init"): "makes a set with three cards and their pictures"}),
        ]
    states = [_state(files) for files in sets[:MAX_TOLD]]
    more = [f"and {plural(len(sets) - MAX_TOLD, 'set')} more"] if len(sets) > MAX_TOLD else []
    return [*(said for said, _ in states), *more, "next:", *_aligned(_next(sets, sound=all(ok for _, ok in states)))]


def _state(files: SetFiles) -> tuple[str, bool]:
    """Return a line about a set, and whether it can be built."""
    from render.build.session import target
    from render.build.state import manifest
    from render.build.state.settled import is_settled
    from render.game.sets.set_reader import read_set

    card_set, findings = read_set(files)
    where = f"in {files.folder}" if files.folder != Path() else "here"
    errors, _ = errors_and_warnings(findings)
    if card_set is None or errors:
        return f"{card_set.name if card_set else files.folder}: {in_numbers(errors, 0)} {where}", False
    folder = target(files, outputs_here()).folder
    known = manifest.read(folder)
    if not known.files:
        state = "not built yet"
    elif is_settled(files, folder, known):
        state = f"{folder} is up to date"
    else:
        state = f"changed since {folder} was built"
    return f"{card_set.name}: {plural(len(card_set.cards), 'card')} {where}, {state}", True


def _next(sets: list[SetFiles], *, sound: bool) -> dict[str, str]:
    """Return the next commands, with what they do."""
    if not sound:
        return {typed("check"): "shows the errors and how to mend them"}
    them = f"the {plural(len(sets), 'set')} ask" if len(sets) > 1 else "the set asks"
    return {
        typed("preview"): "shows the cards while you edit them",
        typed("check"): "tells what is wrong or doubtful",
        typed("build"): f"makes what {them} for, in {outputs_here()}",
    }


def _aligned(commands: dict[str, str]) -> list[str]:
    widest = max(map(len, commands))
    return [f"  {command:{widest}}  {words}" for command, words in commands.items()]
