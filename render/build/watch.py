"""Waiting until something has changed about sets, and it is quiet again.

Notices of the system, by way of watchfiles, only wake the loop: they get lost, network folders send none, and those of
a folder end for good once it is deleted. Whether something has changed is found by looking at each file's size, time,
inode and mode, and comparing with the state before the last build began. So nothing that happens during a build is
missed, what builds make themselves is no change, and a thousand files saved at once are one change.
"""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from typing import ClassVar, NamedTuple

from render.base.caches import clear_caches
from render.base.findings import Finding, Problem
from render.base.reach import real_path
from render.base.resources import FONTS, TEMPLATES
from render.base.values import PartlyCompared
from render.build import manifest
from render.build.inputs import labels_of, program_stamp
from render.build.manifest import PROGRAM
from render.build.session import Target
from render.game.folder import GAME_FILE, Source, find_sources, game_folder
from render.game.registry import games
from render.game.sources import sets_behind

SOON = 0.5  # seconds until a retry if another process is building
LATER = 2.0  # seconds until a retry after a system error

_EVERY = 1.0  # seconds between looks without a notice
_BETWEEN = 0.01  # seconds between looks once something changed
_QUIET = 0.03  # seconds without a change after one file was saved: longer than an editor takes to save it
_ALL_QUIET = 0.25  # the same after several files, or one that is empty or gone: more may come, as from `git checkout`
_LONGEST = 3.0  # seconds to wait if it never gets quiet
_SHARE = 5  # pause after a look in vain, in times of the look's own duration
_DEAF_PAUSE = 0.25  # seconds between looks if there are no notices
_REMEMBERED = 50  # changes until all caches are cleared; reading fonts and rules again takes a fifth of a second

State = Sequence[int] | str | None
"""Size, time of change in ns, inode and mode of a file; None for a missing file; of the program, a digest."""

Files = Mapping[str, State]

Wait = Callable[[float], bool]
"""Waits that many seconds, or until a change is noticed; returns whether one was."""

Listen = Callable[[Iterable[str]], AbstractContextManager[Wait]]


class BuiltFiles(NamedTuple):
    """What the last build of a set asked for outside the usual places, and the files that it made."""

    asked: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()


class Snapshot(PartlyCompared, frozen=True):
    """The existing sets, what is wrong with their paths, and the states of files: each set's own, and shared ones.

    `folders` contain all these files. Names that begin with a dot or end with `~`, as editors' temporary files do, are
    left out unless a template asked for them; so is what builds make. Nothing has changed between equal snapshots: the
    sets count as well as the states, since a file may go between the two looks at it that a snapshot takes.
    """

    uncompared: ClassVar = frozenset({"folders"})

    sets: tuple[Source, ...]
    findings: tuple[Finding, ...]
    own: Mapping[Path, Files]
    shared: Files
    folders: frozenset[str]

    def changed(self, before: Snapshot) -> dict[str, State]:
        """Return the present states of what has changed, by path; None for what is gone."""
        now, then = (
            {path: state for files in (each.shared, *each.own.values()) for path, state in files.items()}
            for each in (self, before)
        )
        return {path: now.get(path) for path in then.keys() | now.keys() if then.get(path, "") != now.get(path, "")}

    def concerned(self, before: Snapshot) -> list[Source]:
        """Return the sets whose files have changed."""
        if self.shared != before.shared:
            return list(self.sets)
        then = {files.origin: (files, before.own[files.origin]) for files in before.sets}
        return [files for files in self.sets if (files, self.own[files.origin]) != then.get(files.origin)]

    def gone(self, before: Snapshot) -> list[Source]:
        """Return the sets that no longer exist."""
        return [files for files in before.sets if files.origin not in self.own]


class Change(NamedTuple):
    """What there is now, the sets to look at again, those that are gone, and what is new of files (`Snapshot.changed`).

    `anew` says that what all sets share has changed.
    """

    now: Snapshot
    sets: list[Source]
    gone: list[Source]
    files: Mapping[str, State]
    anew: bool = False


class ChangeWatcher:
    """Watches the sets in folders: it knows what their builds asked for, and which sets to try again, and when."""

    def __init__(self, folders: tuple[Path, ...], out: Path) -> None:
        self._folders, self._out = folders, out
        self._built: dict[Path, BuiltFiles] = {}
        self._retries: dict[Path, float] = {}

    def changes(self, listen: Listen) -> Iterator[Change]:
        """Yield all that is there, and then whatever changes or is due for a retry, once it is quiet again."""
        seen = self.look()
        yield Change(seen, list(seen.sets), [], {})
        gc.freeze()  # what exists by now stays, so that collections can skip it
        for number in count(1):
            now = self.next_change(seen, listen)
            change = Change(
                now,
                list({files.origin: files for files in (*now.concerned(seen), *self.due(now))}.values()),
                now.gone(seen),
                now.changed(seen),
                anew=now.shared != seen.shared,
            )
            # At once if files changed that are cached by name. Caches keyed by content stay right, but entries for
            # templates and words that were changed again and again are of no use.
            if change.anew or number % _REMEMBERED == 0:
                clear_caches()
            for files in (*change.gone, *change.sets):
                self._retries.pop(files.origin, None)
            for files in change.gone:
                self._built.pop(files.origin, None)
            yield change
            gc.collect()  # parsed templates are cycles
            seen = now

    def look(self) -> Snapshot:
        """Return the state of all files now."""
        return take_snapshot(self._folders, self._out, self._built)

    def learn(self, target: Target) -> None:
        """Take note of the files that the last build of a set asked for and made."""
        self._built[target.files.origin] = built_files(target.files, target.folder)

    def retry(self, folder: Path, seconds: float = 0.0) -> None:
        """Try a set again after so many seconds."""
        self._retries[folder] = time.monotonic() + seconds

    def due(self, now: Snapshot) -> list[Source]:
        """Return the sets that are due for a retry."""
        due = {folder for folder, when in self._retries.items() if when <= time.monotonic()}
        return [files for files in now.sets if files.origin in due]

    def next_change(self, seen: Snapshot, listen: Listen) -> Snapshot:
        """Wait until something has changed and it is quiet again, or until something is due for a retry."""
        heard = False
        while True:
            with listen(seen.folders) as wait:  # before looking: later changes are noticed
                began = time.monotonic()
                now = self.look()
                if now != seen:
                    return self._when_quiet(seen, now)
                if self.due(now):
                    return now
                if heard:  # a notice in vain, and more may follow
                    time.sleep(_SHARE * (time.monotonic() - began))
                heard = wait(SOON if self._retries else _EVERY)

    def _when_quiet(self, seen: Snapshot, now: Snapshot) -> Snapshot:
        began = since = time.monotonic()
        while True:
            match [*now.changed(seen).values()]:
                case []:
                    return now
                case [[size, *_]] if size:
                    quiet = _QUIET
                case _:
                    quiet = _ALL_QUIET
            if time.monotonic() >= min(since + quiet, began + _LONGEST):
                return now
            time.sleep(_BETWEEN)
            after = self.look()
            if after != now:
                now, since = after, time.monotonic()


# --- looking --------------------------------------------------------------------------------------------------------


def take_snapshot(folders: Sequence[Path], out: Path, built: Mapping[Path, BuiltFiles]) -> Snapshot:
    """Look at the sets in these folders, whose outputs go to folders in `out`. Changes meanwhile do no harm."""
    try:
        sets, findings = find_sources(folders)
    except OSError as error:  # it went away between two questions
        sets, findings = [], [Problem("P003", f"cannot look into `{error.filename}`: it is changing").at()]
    roots, outputs = [os.path.realpath(files.folder) for files in sets], os.path.realpath(out)
    # Folders that hold only outputs are passed over; one with a set in it is looked at like any other.
    only_outputs = frozenset(
        folder
        for folder in (outputs, *(os.path.join(outputs, os.path.basename(root)) for root in roots))
        if not any(f"{root}{os.sep}".startswith(f"{folder}{os.sep}") for root in roots)
    )
    # What builds make is left out by name: outputs may lie in the folder of a set, among its own files.
    listing = _Listing(frozenset().union(*(each.made for each in built.values())), only_outputs)
    own: dict[Path, dict[str, State]] = {}
    for files in sets:
        own[files.origin] = states = {} if files.deck is None else listing.look_at([os.path.abspath(files.deck)])
        for each in sets_behind(files):
            states.update(listing.look_at_folder(each.folder, built.get(files.origin, BuiltFiles()).asked))
            elsewhere = game_folder(each.folder)  # a game in a folder of its own
            if elsewhere and (elsewhere / GAME_FILE).is_file():
                states.update(listing.look_at_folder(elsewhere))
    shared: dict[str, State] = {PROGRAM: program_stamp()}
    for folder in (TEMPLATES, FONTS, *(folder for game in games() for folder in game.rule_folders())):
        shared.update(listing.look_at_folder(folder))
    given = {os.path.abspath(folder) for folder in folders}
    return Snapshot(tuple(sets), tuple(findings), own, shared, frozenset(given | listing.folders))


def built_files(files: Source, folder: Path) -> BuiltFiles:
    """Return what the manifest of a set, in its folder of outputs, says about files."""
    known, root = manifest.read(folder), os.path.realpath(folder)
    labels = labels_of(files, sets_behind(files))
    asked = (
        labels.path(label)
        for label in known.seen
        if label != PROGRAM and (os.path.isabs(label) or any(map(_is_passed_over, label.split("/"))))
    )
    made = (os.path.join(root, *name.split("/")) for name in {*known.files, *known.ours})
    return BuiltFiles(frozenset(asked), frozenset(made))


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name.endswith("~")


class _Listing:
    """Lists the files in folders and below; `folders` are those that it looked into."""

    def __init__(self, left_out: frozenset[str], unlisted: frozenset[str]) -> None:
        self.folders: set[str] = set()
        self._left_out, self._unlisted = left_out, unlisted

    def look_at(self, paths: Iterable[str]) -> dict[str, State]:
        found: dict[str, State] = {}
        for path in paths:
            self.folders.add(os.path.dirname(path))
            try:
                found[path] = _state(os.stat(path))
            except (OSError, ValueError):  # ValueError: no file can have that name
                found[path] = None
        return found

    def look_at_folder(self, folder: Path, asked: Iterable[str] = ()) -> dict[str, State]:
        """Return the states of the files in a folder and below, and of those that were asked for."""
        found = self.look_at(asked)
        self._add(os.path.realpath(folder), found, folder, set())
        return found

    def _add(self, folder: str, found: dict[str, State], home: Path, listed: set[str]) -> None:
        """Add the contents of a folder and below, following links that stay in the set; each folder once."""
        if folder in self._unlisted or (target := os.path.realpath(folder)) in listed:
            return
        listed.add(target)
        try:
            with os.scandir(folder) as entries:
                inside = [entry for entry in entries if not _is_passed_over(entry.name)]
        except OSError:
            return
        self.folders.add(folder)
        inner = [entry for entry in inside if entry.path not in self._left_out and self._is_folder(entry, found)]
        # Real folders first: a folder that a link leads to is listed under its own name, and only once.
        for entry in sorted(inner, key=lambda entry: (entry.is_symlink(), entry.name)):
            if not entry.is_symlink() or real_path(Path(entry.path), home):
                self._add(entry.path, found, home, listed)

    def _is_folder(self, entry: os.DirEntry[str], found: dict[str, State]) -> bool:
        """Return whether an entry is a folder or a link to one; record the state of links, and of everything else."""
        try:
            status, own = entry.stat(), entry.stat(follow_symlinks=False)
        except OSError:  # a link to nothing, or gone by now
            found[entry.path] = None
            return False
        is_folder = S_ISDIR(status.st_mode)
        if not is_folder or S_ISLNK(own.st_mode):
            # Of a linked folder the link itself: it may come to lead elsewhere. Its files are listed by themselves.
            found[entry.path] = _state(own if is_folder else status)
        return is_folder


def _state(status: os.stat_result) -> list[int]:
    # With the mode: permission that is given mends an error, and leaves the file's time.
    return [status.st_size, status.st_mtime_ns, status.st_ino, status.st_mode]


# --- listening ------------------------------------------------------------------------------------------------------


def has_watchfiles() -> bool:
    """Return whether the package that gives notices is installed."""
    try:
        import watchfiles  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


@contextmanager
def listen(folders: Iterable[str], pause: float = _DEAF_PAUSE) -> Iterator[Wait]:
    """Listen for changes directly in these folders, from now on; give what waits for one.

    Without notices it waits `pause` seconds at most, and whoever listens looks.
    """
    notices, heard = None, False
    forced = os.environ.get("WATCHFILES_FORCE_POLLING", "").lower()  # watchfiles' own variable
    # On WSL, notices are unreliable.
    is_deaf = (
        forced not in ("false", "disable", "disabled")
        if forced
        else "microsoft-standard" in platform.uname().release.lower()
    )
    if not is_deaf and has_watchfiles():
        from watchfiles import watch

        notices = watch(
            # It takes no name that is not UTF-8; such folders are only looked at.
            *(each for each in folders if os.path.isdir(each) and each == each.encode(errors="replace").decode()),
            watch_filter=None,
            debounce=40,  # ms to wait for more after the first notice
            step=10,  # ms between two checks for notices; 0.2 % of a core
            rust_timeout=20,  # ms of a turn
            yield_on_timeout=True,
            debug=False,
            force_polling=False,  # whoever listens looks by itself
            recursive=False,
            ignore_permission_denied=True,
        )
        try:
            heard = bool(next(notices))  # in its first turn watchfiles begins to listen
        except (OSError, RuntimeError):  # the system has no room for it, or a folder has just disappeared
            notices = None

    def wait(seconds: float) -> bool:
        nonlocal heard
        if notices is None:
            time.sleep(min(seconds, pause))
            return False
        until = time.monotonic() + seconds
        while not heard and time.monotonic() < until:
            try:
                heard = bool(next(notices))
            except RuntimeError:  # such as a name that is no text: something changed all the same
                heard = True
        return heard

    try:
        yield wait
    finally:
        if notices is not None:
            notices.close()
