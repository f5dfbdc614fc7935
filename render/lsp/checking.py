"""What `check` finds in the sets and decks that are being edited: in the background, again and again, and fast.

Texts come in by one thread, which also answers; another one checks. A check sees the texts of the moment at which it
began, and what comes of it counts only if these are still the texts when it is done.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from render.base.caches import BoundedCache, clear_caches, stored
from render.base.findings import Diagnostic, Found, Refused, sort_findings
from render.base.reach import unsaved_change, with_unsaved
from render.build.store import RecentMemory
from render.game import known_cards
from render.game.folder import SET_FILE, find_sources, is_deck
from render.game.sources import check_sets, sets_behind
from render.lsp.document import KEPT, EditedSet, move_findings, set_of, text_of
from render.source.items import ReadItem
from render.source.reader import remembering

YAML = (".yaml", ".yml")
QUIET = 0.12  # seconds without a change until a check begins: longer than between two keys of a fast typist
FIRST_NEWS = 0.3  # seconds of a check until it says what it has found so far
LOOKS = 2.0  # seconds between looks for files that others have changed
_SHARE = 20  # times as long as looking takes, it is waited before the next look
_TEXT_TABLES = (".csv", ".tsv")
_MAX_CHECKS = 500  # until caches are emptied: they know the words of every text that was typed meanwhile

Findings = Mapping[Path, tuple[Diagnostic, ...]]

# Items of card files that were read: an edit changes one.
_ITEMS = stored(BoundedCache[ReadItem](KEPT, lambda item: item.nodes[-1].end - item.begin))


# --- one check ------------------------------------------------------------------------------------------------------


class Superseded(Exception):
    """A text was changed while it was checked: what would come of it is no longer of use."""


class IncrementalCheck:
    """Checks sets again and again; of the cards in which nothing was found, it knows those that `kotc check` knows, too."""

    def __init__(self) -> None:
        self._memory = RecentMemory()
        self._checks = 0

    def findings(
        self,
        path: Path,
        texts: Mapping[str, str],
        superseded: Callable[[], bool] = lambda: False,
        told: Found = lambda _: None,
    ) -> list[Diagnostic]:
        """Return what `check` says of a set, given by its folder, or of a deck, given by its file.

        `texts` are those of files that are not saved, by their real paths. Findings are `told` as they come. Superseded
        as soon as `superseded` says so.
        """

        def tell(findings: Sequence[Diagnostic]) -> None:
            if superseded():
                raise Superseded
            told(findings)

        self._checks += 1
        if self._checks % _MAX_CHECKS == 0:
            clear_caches()
        with with_unsaved(texts), remembering(_ITEMS):
            sources = find_sources([path])[0]
            # Each card is known by its own text, which need not be saved.
            cards = {os.path.realpath(file) for each in sources for own in sets_behind(each) for file in own.cards}
            is_saved = all(unsaved_change(Path(file)) is None for file in texts if file not in cards)
            memory = self._memory.open_for((each.folder for each in sources), is_saved=is_saved)
            return sort_findings(check_sets(path, told=tell, memory=memory).findings)


def by_file(findings: Iterable[Diagnostic], path: Path) -> dict[Path, tuple[Diagnostic, ...]]:
    """Return the findings of a set or a deck by the file in which they are shown: without a place, at its own."""
    home = path / SET_FILE if path.is_dir() else path
    found: dict[Path, list[Diagnostic]] = {}
    for finding in findings:
        span = finding.span
        if span and span.cell and span.file.suffix.lower() not in _TEXT_TABLES:  # no editor of texts shows this file
            finding, span = replace(finding, span=None, message=f"{span}: {finding.message}"), None
        found.setdefault(span.file if span else home, []).append(finding)
    return {file: tuple(some) for file, some in found.items()}


# --- in the background ----------------------------------------------------------------------------------------------


class _Subject(Struct):
    """A set or a deck that has an open file: when it was changed last, and what was found in which texts."""

    changed: float = 0.0
    due: bool = True
    stamps: Sequence[known_cards.Stamp] | None = None
    findings: Findings = field(default_factory=dict)
    texts: Mapping[Path, str] = field(default_factory=dict)


class _FirstNews:
    """Publishes what a long check has found so far, with what was found before in cards that are still the same."""

    def __init__(
        self, path: Path, subject: _Subject, texts: Mapping[Path, str], publish: Callable[[Findings], None]
    ) -> None:
        self.files: set[Path] = set()
        self._path, self._subject, self._texts, self._publish = path, subject, texts, publish
        self._findings: list[Diagnostic] = []
        self._next, self._wait = time.monotonic() + FIRST_NEWS, FIRST_NEWS

    def tell(self, findings: Sequence[Diagnostic]) -> None:
        """Take findings, and publish all if it is time."""
        self._findings += findings
        if time.monotonic() < self._next:
            return
        self._wait *= 2  # thousands of findings are long to write
        self._next = time.monotonic() + self._wait
        before = self._subject.texts
        known = [
            finding
            for file, some in self._subject.findings.items()
            for finding in move_findings(some, file, before.get(file, ""), self._texts.get(file, ""))
        ]
        news = by_file(sort_findings([*self._findings, *known]), self._path)
        if news or self._subject.findings:
            self.files |= news.keys()
            self._publish({file: news.get(file, ()) for file in {*news, *self._subject.findings}})


class OpenFiles:
    """The open files of an editor and the folders that it shows, checked in the background."""

    def __init__(self, publish: Callable[[Findings], None], failed: Callable[[str], None] = lambda _: None) -> None:
        """Call `publish` with all findings of files, and `failed` with errors of the system, from another thread."""
        self.roots: list[Path] = []
        self._publish, self._failed = publish, failed
        self._texts: dict[Path, str] = {}
        self._subjects: dict[Path, _Subject] = {}
        self._check = IncrementalCheck()
        self._changed = threading.Condition()
        self._answering = 0
        self._ended = False
        self._looked = 0.0

    def put(self, file: Path, text: str | None) -> None:
        """Take the text of a file that is open; None for one that was closed: it is again what the disk has."""
        with self._changed:
            before = self._texts.pop(file, None)
            if text is not None:
                self._texts[file] = text
            if text is not None or before is not None:
                self.touch(file)

    def touch(self, file: Path | None = None) -> None:
        """Check again what a file on the disk belongs to; everything without one."""
        with self._changed:  # which the same thread may take again
            if file is None:
                for subject in self._subjects.values():
                    subject.due = True
            else:
                # Decks have the cards of other folders.
                decks = [path for path in self._subjects if path.suffix.lower() in YAML]
                for path in {*self._subjects_of(file), *decks}:
                    subject = self._subjects.setdefault(path, _Subject())
                    subject.changed, subject.due = time.monotonic(), True
            self._changed.notify_all()

    def text(self, file: Path) -> str | None:
        """Return the text of a file, open or not; None if there is none."""
        with self._changed:
            if file in self._texts:
                return self._texts[file]
        return text_of(file)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read files as the editor has them, in this thread, until the block ends; checks wait meanwhile."""
        with self._changed:
            texts = self._real_texts()
            self._answering += 1
        try:
            with with_unsaved(texts), remembering(_ITEMS):
                yield
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def findings(self, file: Path, text: str) -> tuple[Diagnostic, ...]:
        """Return what was found in a file, at its places in this text."""
        with self._changed:
            checked = [
                (each.findings[file], each.texts.get(file)) for each in self._subjects.values() if file in each.findings
            ]
        for findings, before in checked:
            if before is not None:
                return findings if before == text else move_findings(findings, file, before, text)
        return ()

    def sets(self) -> Iterator[EditedSet]:
        """Yield the sets in the folders that the editor shows, and those that have an open file."""
        with self._changed:
            folders = [folder for folder in self._subjects if folder.is_dir()]
        for root in self.roots:
            folders += [file.parent for pattern in ("", "*/", "*/*/") for file in sorted(root.glob(pattern + SET_FILE))]
        return filter(None, (set_of(folder / SET_FILE) for folder in dict.fromkeys(folders)))

    def work(self) -> None:
        """Check whatever has changed, until `end`; for a thread of its own."""
        while not self._ended:
            if path := self._next():
                self._check_again(path)

    def end(self) -> None:
        """Let `work` return."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _subjects_of(self, file: Path) -> list[Path]:
        """Return what is checked because of a file: the deck that it is, or the folder of its set."""
        text = self._texts.get(file)
        if text is not None and file.suffix.lower() in YAML:
            with with_unsaved({os.path.realpath(file): text}):
                if is_deck(file):
                    return [file]
        for folder in (file.parent, *file.parents[1:4]):
            if (folder / SET_FILE).is_file():
                return [folder]
        return [file.parent] if file.parent in self._subjects else []

    def _next(self) -> Path | None:
        """Wait for something to check, and until it is quiet; None after a while, or at the end."""
        with self._changed:
            now = time.monotonic()
            waiting = {path: subject.changed + QUIET - now for path, subject in self._subjects.items() if subject.due}
            path = min(waiting, key=lambda path: waiting[path], default=None)
            if path and waiting[path] <= 0:
                return path
            if not self._ended:
                self._changed.wait(max(0.001, waiting[path]) if path else LOOKS)
            known = {path: subject.stamps for path, subject in self._subjects.items()}
        if not waiting and (began := time.monotonic()) - self._looked >= LOOKS:
            for path, stamps in known.items():  # others may have changed files, such as a picture that came
                if stamps is not None and known_cards.stamps((path,), ()) != stamps:
                    with self._changed:
                        self._subjects[path].due = True
            self._looked = time.monotonic() + _SHARE * (time.monotonic() - began)  # of a large folder, it takes long
        return None

    def _check_again(self, path: Path) -> None:
        with self._changed:
            subject = self._subjects[path]
            subject.due = False
            began, texts, real = subject.changed, dict(self._texts), self._real_texts()
        stamps = known_cards.stamps((path,), ())
        news = _FirstNews(path, subject, texts, self._publish)

        def superseded() -> bool:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or not self._answering)
            return self._ended or subject.changed != began

        try:
            findings = self._check.findings(path, real, superseded, news.tell)
        except Superseded:
            return
        except Refused as refused:
            findings = list(refused.findings)
        except OSError as error:
            self._failed(f"cannot read `{error.filename or path}`: {(error.strerror or str(error)).lower()}")
            findings = []
        with self._changed:
            if subject.changed != began:
                return
            before = subject.findings  # that nothing is found in a file any more is news, too
            subject.stamps, subject.texts, subject.findings = stamps, texts, by_file(findings, path)
            opened = {file for file in self._texts if file in (path, path / file.name)}
            files = sorted({*before, *news.files, *subject.findings, *opened})
        self._publish({file: subject.findings.get(file, ()) for file in files})

    def _real_texts(self) -> dict[str, str]:
        return {os.path.realpath(file): text for file, text in self._texts.items()}
