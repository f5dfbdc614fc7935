"""Decks of sets that go to another edition: which there are, and what is wrong with each in the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Severity, listed
from render.game.decks.deck_file import read_sets
from render.game.decks.deck_reading import read_as_set
from render.game.folder import card_files, is_deck
from render.game.sets.set_reader import no_set_but_deck
from render.games.kotc.model.cards import CardSet
from render.games.kotc.workshop.migration.change_set import FileChange
from render.source.unsaved import with_unsaved


@dataclass(frozen=True, slots=True)
class DeckAfter:
    """A deck with the edition by whose rules it is played, and its errors with the migrated cards."""

    file: Path
    edition: int | None
    errors: tuple[Diagnostic, ...]


def refuse_decks(paths: Iterable[Path]) -> None:
    """Refused with every deck among the paths, and the sets to give in its place."""
    decks = [path for path in paths if path.is_file() and is_deck(path)]
    if decks:
        raise Refused([_with_sets(deck) for deck in decks])


def _with_sets(deck: Path) -> Diagnostic:
    finding, sets = no_set_but_deck(deck), read_sets(deck)
    return replace(finding, hint=f"give its sets: {listed([*map(str, sets)], 'and')}") if sets else finding


def decks_after(folders: Sequence[Path], files: Iterable[FileChange]) -> Iterator[DeckAfter]:
    """Yield the decks that use sets in these folders, judged as if the files were written already."""
    with with_unsaved({os.path.realpath(change.file): change.after for change in files}):
        homes = {folder.resolve() for folder in folders}
        for file in _decks_near(folders):
            if homes & {each.resolve() for each in read_sets(file)}:
                deck, findings = read_as_set(file)
                errors = tuple(each for each in findings if each.severity is Severity.ERROR)
                yield DeckAfter(file, deck.edition if isinstance(deck, CardSet) else None, errors)


def _decks_near(folders: Iterable[Path]) -> list[Path]:
    """Return the decks beside sets and where the user is, in these folders and those directly in them."""
    places: Mapping[Path, Path] = {
        place.resolve(): place
        for base in (Path(), *(each for folder in folders for each in (folder, folder.parent)))
        for place in (base, *_subfolders(base))
    }
    decks = []
    for place in places.values():
        with suppress(OSError):  # a folder that is closed to the user
            decks += [file for file in card_files(place) if is_deck(file)]
    return sorted(decks)


def _subfolders(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")]
    return []
