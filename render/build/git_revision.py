"""A set at a git revision. Git itself reads it; neither the work tree nor the index is touched."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Iterable, Sequence
from errno import EIO, ENOENT
from pathlib import Path
from typing import NamedTuple

from render.base.caches import cached
from render.base.patterns import regex
from render.game.folder import SET_FILE, game_folder

_NAME = regex("[0-9a-f]{40,64}")
_LINK, _SUBMODULE = "120000", "160000"  # modes of git's trees
_POINTER = b"version https://git-lfs.github.com/spec/"  # the first line of a Git LFS pointer file
_LONGEST_POINTER = 1024  # bytes, by its specification

_FROM_OUTSIDE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE")
"""Variables by which git tells hooks their repository and index."""

_WITHOUT_HOOKS = (  # one is told of every index that is written, and one is asked what has changed
    "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never",
)  # fmt: skip
_INSTEAD = (
    (r"filter\..*\.(clean|smudge|process)", ""),
    (r"filter\..*\.required", "false"),
    (r"core\.(sshcommand|gitproxy|askpass)", "false"),
    (r"credential\..*helper", ""),
    (r"remote\..*\.uploadpack", "git-upload-pack"),
)
"""Settings that the repository's own configuration must not make, each of which names a program to run.

The repository may have come with the set, unpacked rather than cloned. The user's own configuration counts.
"""
_ENVIRONMENT = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}

Answer = subprocess.CompletedProcess[bytes]


class NoRevisionError(ValueError):
    """There is no such revision, or no repository; the message says which."""


class GitRevision(NamedTuple):
    """A commit of the repository with this work tree. `folder` is a set's path in it, with `/` at its end."""

    repository: Path
    commit: str
    folder: str


def find(folder: Path, name: str) -> GitRevision:
    """Return the commit that a revision names in the repository of a set; NoRevisionError, OSError."""
    if not name or name.startswith("-") or not name.isprintable():  # `-` would begin an option to git
        raise NoRevisionError("it cannot be a revision of git")
    inside = _ask(folder, "rev-parse", "--show-prefix")
    if inside.returncode:
        raise NoRevisionError(f"`{folder}` lies in no repository that git can use ({_why(inside)})")
    top = _line(_git(folder, "rev-parse", "--show-toplevel"))
    named = _line(_ask(folder, "rev-parse", "--verify", "--quiet", name).stdout)  # in `:/words` all are words
    commit = _line(_ask(folder, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}").stdout)
    if not _NAME.fullmatch(named) or not commit:
        shallow = _line(_git(folder, "rev-parse", "--is-shallow-repository")) == "true"
        why = ", which is a clone without its history: `git fetch --unshallow` gets it" if shallow else ""
        raise NoRevisionError(f"no such revision in the repository of `{folder}`{why}")
    return GitRevision(Path(top), commit, _line(inside.stdout))


def common(one: GitRevision, other: GitRevision) -> GitRevision:
    """Return the last commit that two revisions have in common; NoRevisionError if they have none, OSError."""
    commit = _line(_ask(one.repository, "merge-base", one.commit, other.commit).stdout)
    if not commit:
        raise NoRevisionError("the two revisions have no commit in common")
    return one._replace(commit=commit)


def check_out(at: GitRevision, root: Path, more: Iterable[str] = ()) -> tuple[Path, list[str]]:
    """Put the sets below the folder of a revision, their games, and what their links lead to, into a folder; OSError.

    It is done as a checkout would do it, and `more` are other paths in the repository, as far as they are there. Return
    the folder that stands for the repository, and in words what is missing in it. A link that leads out of the
    repository would lead to what is there today, so it is left out.
    """
    index, tree = root / "index", root / "tree"
    (tree / ".git").mkdir(parents=True)  # marks the folder as a work tree, inside which links may lead
    _git(at.repository, "read-tree", at.commit, index=index)
    everything = files_at(at, "")
    lacking: list[str] = []
    waiting, asked, done = {at.folder, *more}, set[str](), set[str]()
    while waiting:
        asked |= waiting
        # Of places within each other, what is there already is passed over: git would not write over it.
        entries = {name: everything[name] for name in _below(waiting, everything) if name not in done}
        done.update(entries)
        files = [name for name, mode in entries.items() if mode != _SUBMODULE]
        names = b"".join(os.fsencode(name) + b"\0" for name in files)
        _git(at.repository, "checkout-index", "-z", "--stdin", "-q", f"--prefix={tree}/", stdin=names, index=index)
        lacking += [f"`{name}` is a submodule" for name, mode in entries.items() if mode == _SUBMODULE]
        lacking += [f"`{name}` lies in Git LFS, and was not fetched" for name in files if _is_pointer(tree / name)]
        waiting = set()
        for name in files:
            if entries[name] == _LINK and (tree / name).is_symlink():
                target = _target(tree, name)
                if target is None:
                    (tree / name).unlink()
                    lacking.append(f"`{name}` is a link that leads out of the repository")
                elif not (tree / target).exists():
                    waiting.add(target)
            # The game of a set, if it lies in a folder of its own.
            elsewhere = game_folder((tree / name).parent) if posixpath.basename(name) == SET_FILE else None
            if elsewhere and elsewhere.is_relative_to(tree):
                waiting.add("" if elsewhere == tree else f"{elsewhere.relative_to(tree).as_posix()}/")
        waiting -= asked
    return tree, lacking


def _below(places: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return those of sorted names that are one of these places, or lie below one; all for ""."""
    folders = {place.rstrip("/") for place in places}

    def is_meant(name: str) -> bool:
        return name in folders or any(name[:at] in folders for at, char in enumerate(name) if char == "/")

    return [name for name in names if "" in folders or is_meant(name)]


def files_at(at: GitRevision, place: str) -> dict[str, str]:
    """Return the modes of all files at a place and below, by their paths in the repository; all files if it is ""."""
    where = ("--", place) if place else ()
    listed = _git(at.repository, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", at.commit, *where)
    entries = (entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry)
    return {os.fsdecode(name): about.split(b" ", 1)[0].decode("ascii") for about, name in entries}


def _is_pointer(file: Path) -> bool:
    return not file.is_symlink() and file.stat().st_size <= _LONGEST_POINTER and file.read_bytes().startswith(_POINTER)


def _target(tree: Path, link: str) -> str | None:
    """Return the path in the repository that a link leads to; None if it leads out."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(link), (tree / link).readlink().as_posix()))
    return None if target.startswith(("/", "../")) or target == ".." else target


# --- asking git -----------------------------------------------------------------------------------------------------


def _git(folder: Path, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> bytes:
    """Return git's output; OSError with git's own words if it fails."""
    answer = _ask(folder, *arguments, stdin=stdin, index=index)
    if answer.returncode:
        raise OSError(EIO, _why(answer), "git")
    return answer.stdout


def _ask(folder: Path, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> Answer:
    return _run(folder, [*_without_programs(str(folder)), *arguments], stdin, index)


@cached(64)
def _without_programs(folder: str) -> tuple[str, ...]:
    """Return the flags that keep git from running any program that the repository names; OSError."""
    answer = _run(Path(folder), ["config", "--show-scope", "--null", "--list"])
    if answer.returncode:
        raise OSError(EIO, _why(answer), "git")
    scopes_and_entries = os.fsdecode(answer.stdout).split("\0")
    flags: list[str] = []
    for scope, entry in zip(scopes_and_entries[::2], scopes_and_entries[1::2], strict=False):
        key = entry.partition("\n")[0]
        value = next((value for pattern, value in _INSTEAD if re.fullmatch(pattern, key)), None)
        if scope in ("local", "worktree") and value is not None:
            if "=" in key:
                raise OSError(EIO, "the configuration of the repository names a program in a way that hides it", "git")
            flags += ["-c", f"{key}={value}"]
    return tuple(flags)


def _run(folder: Path, arguments: Iterable[str], stdin: bytes = b"", index: Path | None = None) -> Answer:
    environment = {name: value for name, value in os.environ.items() if name not in _FROM_OUTSIDE} | _ENVIRONMENT
    if index:
        environment["GIT_INDEX_FILE"] = str(index)
    command: Sequence[str | Path] = ["git", "-C", folder, *_WITHOUT_HOOKS, *arguments]
    try:
        return subprocess.run(command, env=environment, input=stdin, capture_output=True, check=False)
    except FileNotFoundError:
        raise OSError(ENOENT, "it is not installed, and what is to be compared with is no file", "git") from None


def _why(answer: Answer) -> str:
    """Return in one line why git failed, with its advice; else the last thing that it said."""
    words = os.fsdecode(answer.stderr).strip()
    _, gave_up, why = words.rpartition("fatal: ")
    lines = words.splitlines() or [f"exit status {answer.returncode}"]
    return " ".join(why.split()) if gave_up else lines[-1]


def _line(answer: bytes) -> str:
    return os.fsdecode(answer.removesuffix(b"\n"))
