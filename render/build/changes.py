"""Waiting until something has changed about sets, and it is quiet again.

Notices only wake the loop. Whether something has changed is found by looking at each file's size, time and inode, and
comparing with the state before the last build began. So nothing that happens during a build is missed, what builds make
themselves is no change, and a thousand files saved at once are one change.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from render.build.session import Target
from render.build.snapshot import Known, Snapshot, known_of, take_snapshot
from render.game.folder import SetFiles

_EVERY = 1.0  # seconds between looks without a notice
_BETWEEN = 0.01  # seconds between looks once something changed
_QUIET = 0.03  # seconds without a change after one file was saved: longer than an editor takes to save it
_ALL_QUIET = 0.25  # the same after several files, or one that is empty or gone: more may come, as from `git checkout`
_LONGEST = 3.0  # seconds to wait if it never gets quiet
_SHARE = 5  # pause after a look in vain, in times of the look's own duration
_SOON = 0.5  # seconds until a retry if another process is building
_LATER = 2.0  # seconds until a retry after a system error


class ChangeSource(Protocol):
    """A source of notices of changes."""

    def wait(self, seconds: float) -> bool:
        """Wait that long, or until a notice comes; return whether one came."""


Listening = Callable[[Iterable[str]], AbstractContextManager[ChangeSource]]


class ChangeWatcher:
    """Watches the sets in folders: it knows what their builds asked for, and which sets to try again, and when."""

    def __init__(self, folders: tuple[Path, ...], out: Path) -> None:
        self._folders, self._out = folders, out
        self._known: dict[Path, Known] = {}
        self._again: dict[Path, float] = {}

    def look(self) -> Snapshot:
        """Return the state of all files now."""
        return take_snapshot(self._folders, self._out, self._known)

    def learn(self, target: Target) -> None:
        """Take note of the files that the last build of a set asked for and made."""
        self._known[target.files.origin] = known_of(target.files, target.folder)

    def forget(self, folder: Path) -> None:
        """Forget a set that no longer exists."""
        self._known.pop(folder, None)
        self._again.pop(folder, None)

    def retry_at_once(self, folder: Path) -> None:
        """Try a set again with the next look: a file of it changed while it was built."""
        self._again[folder] = time.monotonic()

    def retry_soon(self, folder: Path) -> None:
        """Try a set again in half a second: another process is building it."""
        self._again[folder] = time.monotonic() + _SOON

    def retry_later(self, folder: Path) -> None:
        """Try a set again in two seconds, after an error of the system."""
        self._again[folder] = time.monotonic() + _LATER

    def begin(self, folder: Path) -> None:
        """Take a set off the list of those to be tried again: it is being built."""
        self._again.pop(folder, None)

    def next_change(self, seen: Snapshot, listening: Listening) -> Snapshot:
        """Wait until something has changed and it is quiet again, or until something is due for a retry."""
        heard = False
        while True:
            with listening(seen.folders) as changes:  # before looking: later changes are noticed
                began = time.monotonic()
                now = self.look()
                if now.differs(seen):
                    break
                if self.due(now):
                    return now
                if heard:  # a notice in vain, and more may follow
                    time.sleep(_SHARE * (time.monotonic() - began))
                heard = changes.wait(_SOON if self._again else _EVERY)
        return self._settled(seen, now)

    def _settled(self, seen: Snapshot, now: Snapshot) -> Snapshot:
        """Return the state of all files once nobody seems to be saving any more."""
        began = since = time.monotonic()
        while time.monotonic() < min(since + _rest(now.changed(seen)), began + _LONGEST):
            time.sleep(_BETWEEN)
            after = self.look()
            if after.differs(now):
                now, since = after, time.monotonic()
        return now

    def due(self, now: Snapshot) -> list[SetFiles]:
        """Return the sets that are due for a retry."""
        due = {folder for folder, when in self._again.items() if when <= time.monotonic()}
        return [files for files in now.sets if files.origin in due]


def _rest(changed: Mapping[str, object]) -> float:
    """Return how many seconds it must be quiet after such a change."""
    match [*changed.values()]:
        case [[size, *_]] if size:
            return _QUIET
        case []:
            return 0.0
    return _ALL_QUIET
