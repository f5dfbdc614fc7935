"""Building again whenever something changed, as long as the process lives.

What is heard of changes only wakes us; whether there is one is told by looking: at each file's size, time and number,
against how it looked before the last build began. So nothing is missed that happens while a build is running, what
builds make themselves is no change, and a thousand files that are saved at once are one.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from render.base.caches import clear_caches
from render.base.findings import Refused, as_text, plural
from render.cli.console import environment, say_to_reader
from render.cli.selection import check_names_differ, clash_of_names
from render.cli.session import bring_up_to_date, holding, target
from render.cli.strict_option import count_of_rules
from render.cli.worker_options import WorkerOptions
from render.game.folder import SetFiles
from render.images.resample import PictureChangedError
from render.incremental.problem_log import Complaints
from render.incremental.session import BuildResult, Target
from render.incremental.snapshot import Known, Snapshot, known_of, look
from render.incremental.state import program
from render.incremental.state.lock import Busy
from render.incremental.state.manifest import PROGRAM

_EVERY = 1.0  # seconds from look to look, if nothing is heard
_BETWEEN = 0.01  # seconds from look to look, once something changed
_QUIET = 0.03  # seconds that nothing changes after one file was saved: longer than an editor takes to save it
_ALL_QUIET = 0.25  # and after several, or one that is empty or gone by now: more may come, as from `git checkout`
_LONGEST = 3.0  # seconds, if it is never quiet
_SHARE = 5  # times as long as a look takes, nobody looks after one that was in vain
_SOON = 0.5  # seconds until a build is tried again that another process holds up
_LATER = 2.0  # seconds until one is tried again that the machine was in the way of
_REMEMBERED = 50  # rebuilds after which all is forgotten; looking at fonts and rules anew takes a fifth of a second

_PATHS = ""  # what complaints about paths are about; others are about a set


class ChangeSource(Protocol):
    """Hears of changes."""

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until something is heard; return whether it was."""


Listening = Callable[[Iterable[str]], AbstractContextManager[ChangeSource]]


class Rebuilding:
    """Keeps sets up to date: it knows what was seen and said, and what is to be tried again."""

    def __init__(
        self, folders: tuple[Path, ...], out: Path, workers: WorkerOptions, *, explain: bool, strict: str = ""
    ) -> None:
        """With words for `strict` nothing is made of a set in which the rules find anything, and these are said."""
        self._folders, self._out, self._workers, self._explain = folders, out, workers, explain
        self._strict = strict
        self._known: dict[Path, Known] = {}
        self._complaints = Complaints()
        self._summed_up: set[Path] = set()
        self._again: dict[Path, float] = {}
        self._remembered = 0
        self._held_up: set[Path] = set()

    def go_on(self, listening: Listening) -> None:
        """Build until Ctrl-C; OSError if the program was replaced, and wrong usage if two sets have one folder."""
        seen = self._look()
        check_names_differ([files.folder for files in seen.sets])
        self._bring(seen, seen.sets)
        gc.freeze()  # what is there by now stays, and need not be gone through again
        running = program.version()
        say_to_reader(f"watching {plural(len(seen.sets), 'set')}; press Ctrl-C to stop")
        while True:
            now = self._next(seen, listening)
            changed = now.changed(seen)
            if PROGRAM in changed and program.version() != running:
                raise OSError(None, "it was replaced by another version: start it again", "kotc")
            self._forget(at_once=now.shared != seen.shared)
            for files in now.gone(seen):
                self._drop(files)
            self._bring(now, [*now.concerned(seen), *self._due(now)])
            seen = now

    def _look(self) -> Snapshot:
        return look(self._folders, self._out, self._known)

    # --- waiting ----------------------------------------------------------------------------------------------------

    def _next(self, seen: Snapshot, listening: Listening) -> Snapshot:
        """Wait until something has changed, and all is quiet again, or something is to be tried again."""
        heard = False
        while True:
            with listening(seen.folders) as ear:  # before looking: what happens from now on is heard
                began = time.monotonic()
                now = self._look()
                if now.differs(seen):
                    break
                if self._due(now):
                    return now
                if heard:  # in vain, and it may go on like that
                    time.sleep(_SHARE * (time.monotonic() - began))
                heard = ear.wait(_SOON if self._again else _EVERY)
        return self._settled(seen, now)

    def _settled(self, seen: Snapshot, now: Snapshot) -> Snapshot:
        """Return how all looks once nobody is about to save more."""
        began = since = time.monotonic()
        while time.monotonic() < min(since + _rest(now.changed(seen)), began + _LONGEST):
            time.sleep(_BETWEEN)
            after = self._look()
            if after.differs(now):
                now, since = after, time.monotonic()
        return now

    def _due(self, now: Snapshot) -> list[SetFiles]:
        """Return the sets that it is time to try again."""
        due = {folder for folder, when in self._again.items() if when <= time.monotonic()}
        return [files for files in now.sets if files.folder in due]

    # --- building ---------------------------------------------------------------------------------------------------

    def _bring(self, now: Snapshot, sets: Iterable[SetFiles]) -> None:
        """Bring sets up to date, each by itself, and say what is new."""
        clash = clash_of_names([files.folder for files in now.sets])
        wrong = [as_text(now.findings), f"error: {clash}" if clash else ""]
        self._say_news(_PATHS, "\n".join(filter(None, wrong)))
        for files in {files.folder: files for files in sets}.values():
            if clash:
                self._again[files.folder] = time.monotonic() + _LATER
            else:
                self._bring_set(target(files, self._out))
        gc.collect()  # parsed templates are cycles

    def _forget(self, *, at_once: bool) -> None:
        """Let go of what our modules remember: when files changed by whose names they do, and else now and then.

        What is remembered by its content is true as long as it is kept, but of templates and words that were changed
        again and again it is of no use.
        """
        self._remembered += 1
        if at_once or self._remembered > _REMEMBERED:
            self._remembered = 0
            clear_caches()

    def _bring_set(self, target: Target) -> None:
        folder = target.files.folder
        self._again.pop(folder, None)
        try:
            with holding([target.folder]):
                for brought in bring_up_to_date([target], self._workers, explain=self._explain, strict=self._strict):
                    self._say_brought(folder, brought)
        except Refused as refused:
            if self._say_news(str(folder), as_text(refused.findings)) and refused.why:
                say_to_reader(refused.why)
        except PictureChangedError:
            self._again[folder] = time.monotonic()  # it was saved meanwhile
        except Busy as busy:
            self._wait_for(target, busy)
        except OSError as error:
            self._again[folder] = time.monotonic() + _LATER
            self._say_news(str(folder), environment(error))
        self._known[folder] = known_of(target.files, target.folder)

    def _wait_for(self, target: Target, busy: Busy) -> None:
        folder = target.files.folder
        self._again[folder] = time.monotonic() + _SOON
        if folder not in self._held_up:
            say_to_reader(f"`{target.folder}`: {busy.strerror}; waiting for it")
        self._held_up.add(folder)
        self._summed_up.discard(folder)

    def _say_brought(self, folder: Path, brought: BuildResult) -> None:
        """Say what was made; nothing if that was nothing, and nobody waits to hear so."""
        self._held_up.discard(folder)
        told = brought.told
        said = self._say_news(str(folder), "\n".join(filter(None, (told.warnings, told.rules))), stopped=False)
        if said and told.rules:
            say_to_reader(count_of_rules(told.rule_errors, told.rule_warnings))
        if not brought.idle or said or folder not in self._summed_up:
            say_to_reader(brought.summary)
        self._summed_up.add(folder)

    def _say_news(self, about: str, text: str, *, stopped: bool = True) -> bool:
        news = self._complaints.hear(about, text, stopped=stopped)
        for line in news:
            say_to_reader(line)
        return bool(news)

    def _drop(self, files: SetFiles) -> None:
        """Let go of a set that is not there any more; what was made of it is its owner's."""
        folder = files.folder
        fate = "is gone" if _is_gone(folder) else "is no longer a set"
        say_to_reader(f"`{folder}` {fate}; its outputs stay in `{target(files, self._out).folder}`")
        self._complaints.drop(str(folder))
        self._known.pop(folder, None)
        self._again.pop(folder, None)
        self._held_up.discard(folder)
        self._summed_up.discard(folder)


def _is_gone(folder: Path) -> bool:
    """Whether nothing is there; a folder may also have lost its `set.yaml`, or be forbidden."""
    try:
        folder.stat()
    except OSError as error:
        return isinstance(error, FileNotFoundError | NotADirectoryError)
    return False


def _rest(changed: Mapping[str, object]) -> float:
    """Return how long it has to be quiet after such a change."""
    match [*changed.values()]:
        case [[size, *_]] if size:
            return _QUIET
        case []:
            return 0.0
    return _ALL_QUIET
