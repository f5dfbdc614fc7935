"""What `check` finds in a set that is being edited: again and again, and fast, since few cards change at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from render.base.caches import clear_caches
from render.base.findings import Finding, sort_findings
from render.game.cards import GameCard, GameSet
from render.game.decks.sources import survey_sources
from render.game.folder import SET_FILE
from render.game.home import home_folders
from render.game.registry import game_of
from render.game.sets.checking import check_read
from render.source.unsaved import with_unsaved

_REMEMBERED = 500  # checks until caches are emptied: they know the words of every text that was typed meanwhile
_MAX_FILES = 20_000  # in the folder of a set and below: more are not looked at
_READ = (".yaml", ".yml")  # files whose contents, and not whose times, are looked at

State = Hashable
"""The looks of files: equal if nothing has changed."""


class Superseded(Exception):
    """A text was changed while it was checked: what would come of it is no longer of use."""


@dataclass(slots=True)
class _Memory:
    """The cards of a set that can be drawn without a finding, as long as the set and its other files stay the same."""

    state: State
    cards: dict[Hashable, None]


class FolderJudge:
    """Checks sets, and remembers which of their cards can be drawn."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str], _Memory] = {}
        self._checks = 0

    def findings(
        self, path: Path, texts: Mapping[str, str], superseded: Callable[[], bool] = lambda: False
    ) -> list[Finding]:
        """Return what `check` says of a set, given by its folder, or of a deck, given by its file.

        `texts` are those of files that are not saved, by their real paths.

        Superseded as soon as `superseded` says so.
        """
        self._checks += 1
        if self._checks % _REMEMBERED == 0:
            clear_caches()
        with with_unsaved(texts):
            report = check_read(*survey_sources((path,), None), sound=partial(self._sound, superseded))
        return sort_findings(report.findings)

    def _sound(self, superseded: Callable[[], bool], card_set: GameSet) -> _SoundCards:
        looks = [looks_of(folder) for folder in home_folders(card_set, game_of(card_set).folder)]
        state = (replace(card_set, cards=(), flawed=(), source=None), card_set.own_game, *looks)
        known = self._known.get(key := (card_set.folder, card_set.language))
        if known is None or known.state != state:
            known = self._known[key] = _Memory(state, {})
        before, known.cards = known.cards, {}
        return _SoundCards(before, known.cards, superseded)


class _SoundCards:
    """Remembers sound cards from one check to the next; a check that was superseded adds to what was known."""

    def __init__(self, before: dict[Hashable, None], now: dict[Hashable, None], superseded: Callable[[], bool]) -> None:
        self._before, self._now, self._superseded = before, now, superseded

    def has(self, card: GameCard) -> bool:
        if self._superseded():
            self._now.update(self._before)
            raise Superseded
        return card in self._before

    def add(self, card: GameCard) -> None:
        self._now[card] = None


def looks_of(folder: Path) -> State:
    """Return the looks of the files in a folder and below, but for those that are read as YAML.

    Of these the names alone count: what they say is compared by itself. Hidden files are left out.
    """
    return tuple(sorted(_looks(os.fspath(folder), [0])))


def _looks(folder: str, count: list[int]) -> Iterator[tuple[str, int, int]]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            count[0] += 1
            if entry.name.startswith(".") or count[0] > _MAX_FILES:
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    yield from _looks(entry.path, count)
                elif entry.name.lower().endswith(_READ):
                    yield entry.path, 0, 0
                else:
                    status = entry.stat()
                    yield entry.path, status.st_mtime_ns, status.st_size


def home_of_findings(path: Path) -> Path:
    """Return the file at which findings without a place are shown, of the folder of a set or of a deck."""
    return path / SET_FILE if path.is_dir() else path
