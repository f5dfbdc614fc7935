"""The state of all files that sets depend on, seen from outside, so that a watch notices what changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISLNK

from render.base.findings import Finding, Problem
from render.base.reach import real_path
from render.base.resources import FONTS, TEMPLATES
from render.build.state import manifest, program
from render.build.state.manifest import PROGRAM, Stamp
from render.build.state.settled import labels_of
from render.game.decks.behind import sets_behind
from render.game.folder import GAME_FILE, SetFiles, find_sets, game_folder
from render.game.registry import games

Files = Mapping[str, Stamp | str]
"""The states of files by path; for the program, a digest."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the last build of a set knows: files outside the usual places, and files that it made."""

    asked: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The existing sets, what is wrong with their paths, and the states of files: each set's own, and shared ones.

    `folders` contain all these files. Names that begin with a dot or end with `~`, as editors' temporary files do, are
    left out unless a template asked for them; so is what builds make.
    """

    sets: tuple[SetFiles, ...]
    findings: tuple[Finding, ...]
    own: Mapping[Path, Files]
    shared: Files
    folders: frozenset[str]

    def differs(self, before: Snapshot) -> bool:
        """Return whether anything has changed.

        The sets count as well as the states: a file may go between the two looks at it that a snapshot takes.
        """
        now, then = ((each.sets, each.own, each.shared, each.findings) for each in (self, before))
        return now != then

    def changed(self, before: Snapshot) -> dict[str, Stamp | str]:
        """Return the present states of what has changed, by path; None for what is gone."""
        then = _all(before)
        now = _all(self)
        return {path: now.get(path) for path in then.keys() | now.keys() if then.get(path, "") != now.get(path, "")}

    def concerned(self, before: Snapshot) -> list[SetFiles]:
        """Return the sets whose files have changed."""
        if self.shared != before.shared:
            return list(self.sets)
        then = {files.origin: (files, before.own[files.origin]) for files in before.sets}
        return [files for files in self.sets if (files, self.own[files.origin]) != then.get(files.origin)]

    def gone(self, before: Snapshot) -> list[SetFiles]:
        """Return the sets that no longer exist."""
        return [files for files in before.sets if files.origin not in self.own]


def take_snapshot(folders: Sequence[Path], out: Path, known: Mapping[Path, Known]) -> Snapshot:
    """Look at the sets in these folders, whose outputs go to folders in `out`. Changes meanwhile do no harm."""
    try:
        sets, findings = find_sets(folders)
    except OSError as error:  # it went away between two questions
        sets, findings = [], [Problem("P003", f"cannot look into `{error.filename}`: it is changing").at()]
    # What builds make is left out by name: outputs may lie in the folder of a set, among its own files.
    listing = _Listing(frozenset().union(*(each.made for each in known.values())), _unlisted(out, sets))
    own = {files.origin: _own(files, listing, known.get(files.origin, Known()).asked) for files in sets}
    shared: dict[str, Stamp | str] = {PROGRAM: program.looks()}
    for folder in _shared_folders():
        shared.update(listing.of(folder))
    given = {os.path.abspath(folder) for folder in folders}
    return Snapshot(tuple(sets), tuple(findings), own, shared, frozenset(given | listing.folders))


def _own(files: SetFiles, listing: _Listing, asked: frozenset[str]) -> Files:
    """Return the states of the files of a set, or of a deck and its sets."""
    if files.deck is None:
        return _with_game(files, listing, asked)
    found = listing.of_files([os.path.abspath(files.deck)])
    for each in sets_behind(files):
        found.update(_with_game(each, listing, asked))
    return found


def _with_game(files: SetFiles, listing: _Listing, asked: frozenset[str]) -> dict[str, Stamp | str]:
    """Return the states of the files of a set, and of its game if that lies in a folder of its own."""
    found = listing.of(files.folder, asked)
    elsewhere = game_folder(files.folder)
    if elsewhere and (elsewhere / GAME_FILE).is_file():
        found.update(listing.of(elsewhere))
    return found


def known_of(files: SetFiles, folder: Path) -> Known:
    """Return what the manifest of a set, in its folder of outputs, says about files."""
    said, root = manifest.read(folder), os.path.realpath(folder)
    labels = labels_of(files, sets_behind(files))
    asked = frozenset(str(labels.file(label)) for label in said.seen if _is_off_the_path(label))
    return Known(asked, frozenset(os.path.join(root, *name.split("/")) for name in {*said.files, *said.pending}))


def _all(seen: Snapshot) -> dict[str, Stamp | str]:
    found = dict(seen.shared)
    for files in seen.own.values():
        found.update(files)
    return found


def _shared_folders() -> list[Path]:
    return [TEMPLATES, FONTS, *(folder for game in games() for folder in game.rule_folders())]


def _unlisted(out: Path, sets: Iterable[SetFiles]) -> frozenset[str]:
    """Return the folders that hold only outputs; one with a set in it is looked at like any other."""
    roots = [os.path.realpath(files.folder) for files in sets]
    made = [os.path.realpath(out), *(os.path.join(os.path.realpath(out), os.path.basename(root)) for root in roots)]
    return frozenset(
        folder for folder in made if not any(f"{root}{os.sep}".startswith(f"{folder}{os.sep}") for root in roots)
    )


def _is_off_the_path(label: str) -> bool:
    """Return whether a file that was asked for is outside all listed folders."""
    return label != PROGRAM and (os.path.isabs(label) or any(_is_passed_over(part) for part in label.split("/")))


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name.endswith("~")


def _looks_of(path: str) -> Stamp:
    try:
        return _looks(os.stat(path))
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None


def _looks(status: os.stat_result) -> list[int]:
    """Return a file's state with its permissions: changing these mends an error, and leaves the file's time."""
    return [status.st_size, status.st_mtime_ns, status.st_ino, status.st_mode]


class _Listing:
    """Lists the files in folders and below; `folders` are those that it looked into."""

    def __init__(self, left_out: frozenset[str], unlisted: frozenset[str]) -> None:
        self.folders: set[str] = set()
        self._left_out = left_out
        self._unlisted = unlisted
        self._listed: set[str] = set()

    def of(self, folder: Path, asked: Iterable[str] = ()) -> dict[str, Stamp | str]:
        """Return the states of the files in a folder and below, and of those that were asked for."""
        found = self.of_files(asked)
        self._listed.clear()
        self._add(os.path.realpath(folder), found, folder)
        return found

    def of_files(self, asked: Iterable[str]) -> dict[str, Stamp | str]:
        """Return the states of these files."""
        found: dict[str, Stamp | str] = {path: _looks_of(path) for path in asked}
        self.folders.update(os.path.dirname(path) for path in found)
        return found

    def _add(self, folder: str, found: dict[str, Stamp | str], home: Path) -> None:
        """Add the contents of a folder and below, following links that stay in the set; each folder once."""
        if folder in self._unlisted or (target := os.path.realpath(folder)) in self._listed:
            return
        self._listed.add(target)
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
                self._add(entry.path, found, home)

    def _is_folder(self, entry: os.DirEntry[str], found: dict[str, Stamp | str]) -> bool:
        """Return whether an entry is a folder or a link to one; record the state of links, and of everything else."""
        try:
            status, own = entry.stat(), entry.stat(follow_symlinks=False)
        except OSError:  # a link to nothing, or gone by now
            found[entry.path] = None
            return False
        is_folder = S_ISDIR(status.st_mode)
        if not is_folder or S_ISLNK(own.st_mode):
            # Of a linked folder the link itself: it may come to lead elsewhere. Its files are listed by themselves.
            found[entry.path] = _looks(own if is_folder else status)
        return is_folder
