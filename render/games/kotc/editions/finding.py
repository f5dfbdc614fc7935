"""Find the rules of an edition: beside a set, in the working folder, in the user's data folder, in the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from render.base.caches import cached
from render.base.files import user_folder
from render.base.findings import Diagnostic, Refused, Span, listed
from render.base.patterns import regex
from render.game.folder import SET_FILE
from render.games.kotc.editions import reading
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Edition, Grammar, NewKind

FOLDER = "editions"
SHIPPED = reading.SHIPPED

_NAME = regex(r"0[1-9]|[1-9][0-9]{1,2}")  # of a file, without `.yaml`: 09, 17, 123


def file_name(number: int) -> str:
    """Return the name of the data file of an edition: `09.yaml`."""
    return f"{number:02}.yaml"


def find(number: int, set_folder: Path | None = None) -> Edition:
    """Return the rules of an edition from the first place that has them.

    Refused with every mistake in that file; if no place has one, with the editions that exist. Another edition never
    replaces it.
    """
    file = places(file_name(number), set_folder)[-1]
    if not file.is_file():
        raise Refused([_missing(number, set_folder)])
    return _shipped(file) if file.parent == SHIPPED else _read(file, home_of(file, set_folder))


def grammar_of(number: int, set_folder: Path | None = None) -> Grammar:
    """Return how an edition writes its cards; of one whose file is missing or wrong, how those of the program do."""
    return look_of(number, set_folder)[0]


def look_of(number: int, set_folder: Path | None = None) -> tuple[Grammar, tuple[NewKind, ...]]:
    """Return the grammar of an edition, and the kinds of card that only it has, if they are known."""
    try:
        if number in dict(known(set_folder)):
            edition = find(number, set_folder)
            return edition.grammar, edition.kinds
    except Refused:  # which is a finding of checks
        pass
    return usual_grammar(number), ()


def new_kinds(set_folder: Path | None = None) -> tuple[NewKind, ...]:
    """Return the new kinds of card that the editions found have, each name once: the newest edition tells which it is."""
    own = [number for number, file in reversed(known(set_folder)) if file.parent != SHIPPED]
    kinds = [kind for number in own for kind in look_of(number, set_folder)[1]]
    return tuple({kind.name: kind for kind in reversed(kinds)}.values())


def known(set_folder: Path | None = None) -> list[tuple[int, Path]]:
    """Return the number of every edition found and the file with its rules, oldest first."""
    return sorted((int(name), file) for name, file in files_named(_NAME, set_folder).items())


# --- data files -----------------------------------------------------------------------------------------------------


def places(name: str, set_folder: Path | None = None) -> list[Path]:
    """Return where a data file is searched for, up to the first place that has it, if any."""
    looked_at = []
    for folder in searched_folders(set_folder):
        looked_at.append(folder / name)
        if looked_at[-1].is_file():
            break
    return looked_at


def files_named(name: re.Pattern[str], set_folder: Path | None) -> dict[str, Path]:
    """Return the data files found, by their names without `.yaml`."""
    files: dict[str, Path] = {}
    for folder in searched_folders(set_folder):
        for file in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            if name.fullmatch(file.stem):
                files.setdefault(file.stem, file)
    return files


def searched_folders(set_folder: Path | None) -> Iterator[Path]:
    """Yield the folders that are searched for data files, in order: of a set, here, of the user, of the program."""
    if set_folder is not None:
        yield set_folder / FOLDER
    yield Path(FOLDER)
    user = user_folder("data")
    if user is not None:
        yield user / "kotc" / FOLDER
    yield SHIPPED


def folders() -> list[Path]:
    """Return the folders outside sets in which rules are looked for."""
    return [*searched_folders(None)]


def home_of(file: Path, set_folder: Path | None) -> Path | None:
    """Return the folder that came with sets, which no link of this data file may leave; None for the user's own folders."""
    own = {Path(FOLDER), *([set_folder / FOLDER] if set_folder else [])}
    return file.parent.parent if file.parent in own else None


@cached(128)
def _shipped(file: Path) -> Edition:
    return _read(file)


def _read(file: Path, home: Path | None = None) -> Edition:
    edition = reading.read(file, home)
    if file.name != file_name(edition.number):
        message = f"`{file.name}` holds the rules of the {ordinal(edition.number)} Edition"
        raise Refused([Diagnostic("D035", message, f"rename it to `{file_name(edition.number)}`").at(Span(file=file))])
    return edition


def _missing(number: int, set_folder: Path | None) -> Diagnostic:
    there_is = listed([str(edition) for edition, _ in known(set_folder)], "and")
    message = f"the rules of the {ordinal(number)} Edition are not installed; installed are those of {there_is}"
    hint = f"`kotc edition import` makes `{FOLDER}/{file_name(number)}` from the game's rulebook and guide"
    place = Span(file=set_folder / SET_FILE) if set_folder and (set_folder / SET_FILE).is_file() else None
    return Diagnostic("D036", message, hint).at(place)
