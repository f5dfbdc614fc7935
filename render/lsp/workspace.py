"""What an editor has open, and what it is told about it: findings, made in the background, and answers, made at once.

Texts come in by one thread, which also answers; another one checks. A check sees the texts of the moment at which it
began, and what comes of it counts only if these are still the texts when it is done.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from render.base.findings import Finding, Refused
from render.game.folder import SET_FILE, is_deck
from render.lsp.judging import FolderJudge, State, Superseded, home_of_findings, looks_of
from render.lsp.sources.edited_set import EditedSet, text_of, view_of
from render.source.unsaved import with_unsaved

QUIET = 0.12  # seconds without a change until a check begins: longer than between two keys of a fast typist
LOOKS = 2.0  # seconds between looks for files that others have changed
YAML = (".yaml", ".yml")
TEXT_TABLES = (".csv", ".tsv")

Findings = Mapping[Path, tuple[Finding, ...]]


@dataclass(slots=True)
class _Subject:
    """A set or a deck that has an open file: when it was changed last, and what was found in it."""

    changed: float = 0.0
    due: bool = True
    looks: State = None
    findings: dict[Path, tuple[Finding, ...]] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)


class Workspace:
    """The open files of an editor and the folders that it shows."""

    def __init__(self, publish: Callable[[Findings], None], failed: Callable[[str], None] = lambda _: None) -> None:
        """Take what is told the findings of files, all of those of a file at once, from another thread.

        `failed` is told what went wrong with the system, such as a folder that cannot be read.
        """
        self.roots: list[Path] = []
        self._publish, self._failed = publish, failed
        self._texts: dict[Path, str] = {}
        self._subjects: dict[Path, _Subject] = {}
        self._shown: dict[Path, frozenset[Path]] = {}
        self._judge = FolderJudge()
        self._changed = threading.Condition()
        self._ended = False
        self._looked = 0.0

    # --- texts ------------------------------------------------------------------------------------------------------

    def put(self, file: Path, text: str) -> None:
        """Take the text of a file that is open."""
        with self._changed:
            self._texts[file] = text
            self._touch(file)

    def drop(self, file: Path) -> None:
        """Forget the text of a file that was closed: it is again what the disk has."""
        with self._changed:
            if self._texts.pop(file, None) is not None:
                self._touch(file)

    def touch(self, file: Path | None = None) -> None:
        """Check again what a file on the disk belongs to; everything without one."""
        with self._changed:
            if file is None:
                for subject in self._subjects.values():
                    subject.due = True
                self._changed.notify_all()
            else:
                self._touch(file)

    def text(self, file: Path) -> str | None:
        """Return the text of a file, open or not; None if there is none."""
        with self._changed:
            if file in self._texts:
                return self._texts[file]
        return text_of(file)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read files as the editor has them, in this thread, until the block ends."""
        with self._changed:
            texts = self._real_texts()
        with with_unsaved(texts):
            yield

    def view(self, file: Path) -> EditedSet | None:
        """Return the set that a file belongs to; None if it is in none."""
        return view_of(file)

    def findings(self, file: Path, text: str) -> tuple[Finding, ...]:
        """Return what was found in a file, if that was in this text."""
        with self._changed:
            for subject in self._subjects.values():
                if file in subject.findings and subject.texts.get(file) == text:
                    return subject.findings[file]
        return ()

    def views(self) -> Iterator[EditedSet]:
        """Yield the sets in the folders that the editor shows, and those that have an open file."""
        with self._changed:
            folders = [folder for folder in self._subjects if folder.is_dir()]
        for root in self.roots:
            folders += [file.parent for pattern in ("", "*/", "*/*/") for file in sorted(root.glob(pattern + SET_FILE))]
        for folder in dict.fromkeys(folders):
            view = view_of(folder / SET_FILE)
            if view is not None:
                yield view

    # --- checks -----------------------------------------------------------------------------------------------------

    def work(self) -> None:
        """Check whatever has changed, until `end`; for a thread of its own."""
        while not self._ended:
            subject = self._next()
            if subject is not None:
                self._check(subject)

    def end(self) -> None:
        """Let `work` return."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def idle(self) -> bool:
        """Return whether nothing is left to check."""
        with self._changed:
            return not any(subject.due for subject in self._subjects.values())

    def _touch(self, file: Path) -> None:
        for folder in self._folders_of(file):
            subject = self._subjects.setdefault(folder, _Subject())
            subject.changed, subject.due = time.monotonic(), True
        # A deck has the cards of other folders.
        for path, subject in self._subjects.items():
            if path.suffix.lower() in YAML and path != file:
                subject.changed, subject.due = time.monotonic(), True
        self._changed.notify_all()

    def _folders_of(self, file: Path) -> list[Path]:
        """Return what is checked because of a file: the deck that it is, or the folder of its set."""
        text = self._texts.get(file)
        if text is not None and file.suffix.lower() in YAML:
            with with_unsaved({os.path.realpath(file): text}):
                if is_deck(file):
                    return [file]
        for folder in (file.parent, *file.parents[1:4]):
            if (folder / SET_FILE).is_file():
                return [folder]
        return [folder for folder in (file.parent,) if folder in self._subjects]

    def _next(self) -> Path | None:
        """Wait for something to check, and until it is quiet; None after a while, or at the end."""
        with self._changed:
            now = time.monotonic()
            waiting = {path: subject for path, subject in self._subjects.items() if subject.due}
            ready = [path for path, subject in waiting.items() if now - subject.changed >= QUIET]
            if ready:
                return min(ready, key=lambda path: waiting[path].changed)
            pause = min((QUIET - (now - subject.changed) for subject in waiting.values()), default=LOOKS)
            if not self._ended:
                self._changed.wait(max(0.001, pause))
        if not waiting and time.monotonic() - self._looked >= LOOKS:
            self._look()
        return None

    def _look(self) -> None:
        """Find out whether others have changed files, such as a picture that came."""
        with self._changed:
            known = {path: subject.looks for path, subject in self._subjects.items()}
        self._looked = time.monotonic()
        for path, before in known.items():
            if before is not None and _all_looks(path) != before:
                with self._changed:
                    self._subjects[path].due = True

    def _check(self, path: Path) -> None:
        with self._changed:
            subject = self._subjects[path]
            subject.due = False
            began = subject.changed
            texts, real = dict(self._texts), self._real_texts()
        looks = _all_looks(path)
        try:
            found = self._judge.findings(path, real, lambda: self._ended or subject.changed != began)
        except Superseded:
            return
        except Refused as refused:
            found = list(refused.findings)
        except OSError as error:
            self._failed(f"cannot read `{error.filename or path}`: {(error.strerror or str(error)).lower()}")
            found = []
        with self._changed:
            if subject.changed != began:
                return
            subject.looks, subject.texts = looks, texts
            subject.findings = by_file(found, path)
            news = self._news(path, subject)
        self._publish(news)

    def _news(self, path: Path, subject: _Subject) -> Findings:
        """Return what is to be shown for the files of a subject: nothing for those that had findings and have none."""
        before = self._shown.get(path, frozenset())
        self._shown[path] = frozenset(subject.findings)
        opened = {file for file in self._texts if file in (path, path / file.name)}
        news = {file: subject.findings.get(file, ()) for file in sorted({*before, *subject.findings, *opened})}
        if not path.exists() and not opened:
            del self._subjects[path]
        return news

    def _real_texts(self) -> dict[str, str]:
        return {os.path.realpath(file): text for file, text in self._texts.items()}


def by_file(findings: list[Finding], path: Path) -> dict[Path, tuple[Finding, ...]]:
    """Return findings by the file in which they are shown; those without a place at the file of the set or deck."""
    home = home_of_findings(path)
    found: dict[Path, list[Finding]] = {}
    for finding in findings:
        if finding.span and finding.span.cell and finding.span.file.suffix.lower() not in TEXT_TABLES:
            # No editor of texts shows this file.
            shown = replace(finding, span=None, message=f"{finding.span}: {finding.message}")
            found.setdefault(home, []).append(shown)
        else:
            found.setdefault(finding.span.file if finding.span else home, []).append(finding)
    return {file: tuple(some) for file, some in found.items()}


def _all_looks(path: Path) -> State:
    """Return the looks of the files of a set, and of those that are read as YAML too."""
    if not path.is_dir():
        return _times([path])
    return looks_of(path), _times(sorted(each for each in path.iterdir() if each.suffix.lower() in YAML))


def _times(files: list[Path]) -> State:
    found: list[tuple[str, int]] = []
    for file in files:
        try:
            found.append((str(file), file.stat().st_mtime_ns))
        except OSError:
            found.append((str(file), 0))
    return tuple(found)
