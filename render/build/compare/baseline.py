"""What a build is compared with: an earlier manifest, or a git revision, as FILE|GIT-REV gives it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from render.base.findings import Finding, Problem, Refused, has_errors
from render.base.reach import read_bounded
from render.build.compare import git_revision
from render.build.compare.diff import Baseline
from render.build.compare.git_revision import GitRevision, NoRevisionError
from render.build.state import manifest as manifests
from render.build.state import sealed_values
from render.build.state.manifest import MANIFEST, Manifest
from render.game.folder import SetFiles

if TYPE_CHECKING:
    from render.build.compare.appearance import SetDigests

_MAX_NAMED = 3  # missing files to name


class UnusableError(ValueError):
    """The argument means nothing that these sets can be compared with; the message says why."""


def find_baselines(given: str, sets: Sequence[SetFiles]) -> dict[Path, Baseline]:
    """Return what to compare each set with, by its folder.

    UnusableError if it is neither a file nor a revision, or both, or a file for several sets; Refused if a file is not
    what it should be; OSError.
    """
    path = Path(given)
    if not given or not _is_there(path):
        return {files.origin: _of_revision(given, files) for files in sets}
    # A guess would print the wrong cards.
    if any(_is_revision(given, files) for files in sets):
        raise UnusableError(f"`{given}` is a file and a revision of git: write `./{given}` or `{given}^0`")
    return {files.origin: known for files, known in zip(sets, _of_path(path, sets), strict=True)}


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than names are, or with a null character
        return False


# --- manifests ------------------------------------------------------------------------------------------------------


def of_file(file: Path, since: str = "") -> Baseline:
    """Return the baseline in a manifest, or in a file that `appearance.write` wrote. OSError; Refused if it is neither.

    Refused later, on use, if it has no looks of cards.
    """
    known = _manifest(file)
    pixels = {name: entry.pixels for name, entry in known.outputs.items() if entry.pixels}
    said = json.dumps((known.pictures, known.painted, pixels), sort_keys=True)
    mark = hashlib.sha256(said.encode("utf-8")).hexdigest()[:16]
    return Baseline(since or str(file), mark, partial(_remembered, known, file))


@contextmanager
def _remembered(known: Manifest, file: Path) -> Iterator[SetDigests]:
    """Give the looks of cards from a manifest; Refused if it has none."""
    from render.build.compare import appearance

    before = appearance.remembered(known)
    if before is None or not before.cards:
        hint = "compare with the manifest of a build that made PNGs or sheets"
        raise Refused([Problem("H003", f"`{file}` does not remember what any card looked like", hint).at()])
    yield before


def _of_path(path: Path, sets: Sequence[SetFiles]) -> Iterator[Baseline]:
    """Yield the baseline of each set: the manifest, the one in the folder, or the one in the folder of outputs."""
    if not path.is_dir() or (path / MANIFEST).is_file():
        if len(sets) > 1:
            message = f"`{path}` is of one set, and {len(sets)} are built: give the folder that holds those of all"
            raise UnusableError(message)
        yield of_file(path / MANIFEST if path.is_dir() else path, str(path))
        return
    found = {files.origin: path / files.output_name / MANIFEST for files in sets}
    if not any(file.is_file() for file in found.values()):
        names = " or ".join(f"`{file}`" for file in found.values())
        raise UnusableError(f"there is neither `{path / MANIFEST}` nor {names}")
    for file in found.values():
        yield of_file(file, str(path)) if file.is_file() else _nothing(f"{path}, which has no such set")


def _manifest(file: Path) -> Manifest:
    """Return the manifest in a file."""
    none = Problem("H001", f"`{file}` is not the manifest of a build", f"give a `{MANIFEST}`, or a copy of one").at()
    named = file if file.name == MANIFEST else Path(os.path.realpath(file))  # a link means the file that it leads to
    data = read_bounded(named, sealed_values.LARGEST)
    if data is None or sealed_values.is_broken(data):
        raise Refused([none])
    try:
        said = sealed_values.loaded(data)
        number = sealed_values.whole(said["format"])
        if number != manifests.FORMAT:
            age = "an older" if number < manifests.FORMAT else "a newer"
            message = f"`{file}` was written by {age} kotc, whose manifests have another format"
            hint = "compare with a revision of git instead"
            raise Refused([Problem("H002", message, hint).at()])
        return manifests.parsed(said)
    except sealed_values.NOT_EXACT:
        raise Refused([none]) from None


def _nothing(since: str) -> Baseline:
    """Return the baseline of a set that did not exist: all its cards are new."""
    return Baseline(since, "nothing", _no_pictures)


@contextmanager
def _no_pictures() -> Iterator[SetDigests]:
    from render.build.compare import appearance

    yield appearance.NONE


# --- revisions ------------------------------------------------------------------------------------------------------


def _is_revision(given: str, files: SetFiles) -> bool:
    if files.deck:
        return False
    try:
        git_revision.find(files.folder, given)
    except (NoRevisionError, OSError):
        return False
    return True


def _of_revision(given: str, files: SetFiles) -> Baseline:
    if files.deck:
        message = f"there is no file `{given}`, and the deck `{files.deck}` cannot be compared with a revision of git"
        raise UnusableError(f"{message}: give the `{MANIFEST}` of an earlier build")
    try:
        found = git_revision.find(files.folder, given)
    except NoRevisionError as none:
        raise UnusableError(f"there is no file `{given}`, and {none}") from None
    if not git_revision.has_set(found):
        return _nothing(f"{given}, when there was no such set")
    return Baseline(given, found.commit, partial(_drawn, given, found))


@contextmanager
def _drawn(given: str, found: GitRevision) -> Iterator[SetDigests]:
    """Give the looks of the cards at a revision, drawn by this program; Refused with all errors of the set."""
    from render.build.compare import appearance
    from render.game.faces import lay_out_set
    from render.game.sets.set_reader import survey

    with TemporaryDirectory(prefix="kotc-") as folder:
        then = git_revision.check_out(found, Path(folder))
        loaded, findings = survey([then.folder])
        try:
            if has_errors(findings) or not loaded:
                raise Refused(findings)
            drawn = lay_out_set(loaded[0])
        except Refused as refused:
            raise Refused(_explained(refused.findings, given, then)) from None
        yield appearance.of(loaded[0], drawn.faces)


def _explained(findings: Sequence[Finding], given: str, then: git_revision.CheckedOut) -> Iterator[Finding]:
    """Yield why the set of a revision cannot be read, and the findings at their places in it."""
    # What git could not give explains the errors better than they do themselves.
    hint = "; ".join(then.lacking[:_MAX_NAMED]) or f"compare with the `{MANIFEST}` of a build of that time instead"
    yield Problem("H004", f"the set as it was at `{given}` has errors, and cannot be compared with", hint).at()
    here = f"{then.root}/"
    for finding in findings:
        message, hint = (words.replace(here, f"{given}:") for words in (finding.message, finding.hint))
        span = finding.span and replace(finding.span, file=Path(str(finding.span.file).replace(here, f"{given}:")))
        yield replace(finding, message=message, hint=hint, span=span)
