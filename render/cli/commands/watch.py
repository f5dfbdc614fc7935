"""The command `watch`: builds again whenever a file that sets depend on is saved.

`build/watch` says when; here is said what came of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import Diagnostic, Refused, Severity, counted, plural
from render.build.inputs import program_stamp, program_version
from render.build.manifest import PROGRAM
from render.build.session import (
    BuildResult,
    Busy,
    Target,
    bring_up_to_date,
    clash_of_names,
    lock_folders,
    target,
    targets_in,
)
from render.build.watch import LATER, SOON, ChangeWatcher, Listen
from render.cli.command import kotc_command
from render.cli.console import environment, say
from render.cli.options import STRICT, WHY, Hire, about_options, count_of_rules, worked_here
from render.cli.selection import OUT_FOLDER, PATHS, folders_of
from render.images.resample import PictureChangedError

if TYPE_CHECKING:
    from render.game.folder import Source

_MAX_LINES = 5  # lines about problems that are gone, for one subject at a time
_PATHS = ""  # the subject of problems with paths; the others are sets

_say = partial(say, to_reader=True)  # the command ends when nobody reads any longer what it says


@kotc_command(name="watch", examples=("kotc watch cards/starter",))
@PATHS
@OUT_FOLDER
@click.option("--explain", is_flag=True, help="Say why each output is built.")
@STRICT
@worked_here
def watch(hire: Hire, paths: tuple[Path, ...], out: Path, *, explain: bool, strict: bool) -> None:
    """Build, and build again whenever a file is saved.

    Only changed sets are rebuilt, and only their outputs that are out of date. A set with an error keeps its last
    outputs until the error is fixed; the other sets are built. Ctrl-C stops the command.
    """
    from render.build.watch import has_watchfiles, listen

    if not has_watchfiles():
        raise click.UsageError("watch needs the package `watchfiles`: pip install 'kotc[watch]'")
    Rebuilding(folders_of(paths), out, hire, explain=explain, strict=WHY if strict else "").go_on(listen)


class Rebuilding:
    """Keeps sets up to date: it knows what it has seen and reported, and what to try again."""

    def __init__(self, folders: tuple[Path, ...], out: Path, hire: Hire, *, explain: bool, strict: str = "") -> None:
        """With words for `strict`, a set in which the rules find anything is not built, and these words are printed."""
        self._out, self._hire, self._explain, self._strict = out, hire, explain, strict
        self._watcher = ChangeWatcher(folders, out)
        self._problems = ProblemLog()
        self._summed_up: set[Path] = set()
        self._held_up: set[Path] = set()
        self._targets: dict[Path, list[Target]] = {}

    def go_on(self, listen: Listen) -> None:
        """Build until Ctrl-C; OSError if the program was replaced, and wrong usage if two sets have one folder."""
        # Python keeps modules as they were loaded; after an update, half of the program would be old and half new.
        running = program_version(program_stamp())
        for number, change in enumerate(self._watcher.changes(listen)):
            clash = clash_of_names(change.now.sets)
            if clash and number == 0:
                raise click.UsageError(clash)
            if PROGRAM in change.files and program_version(program_stamp()) != running:
                raise OSError(None, "it was replaced by another version: start it again", "kotc")
            for files in change.gone:
                self._drop(files)
            self._say_news(_PATHS, [*change.now.findings, *([Diagnostic("", clash)] if clash else [])])
            for files in change.sets:
                # When the other set goes, the clash ends, but nothing about this one changes.
                if clash:
                    self._watcher.retry(files.origin, LATER)
                    continue
                self._targets[files.origin] = targets_in(files, self._out)
                for each in self._targets[files.origin]:
                    self._bring_set(each)
            if number == 0:
                _say(f"watching {plural(len(change.sets), 'set')}; press Ctrl-C to stop")

    def _bring_set(self, target: Target) -> None:
        """Build a set in one language; problems and summaries are those of its folder of outputs."""
        folder, subject = target.files.origin, target.folder
        try:
            with lock_folders([target.folder]):
                explain = (lambda lines: say(*lines)) if self._explain else None
                for result in bring_up_to_date([target], self._hire, explain=explain, strict=self._strict):
                    self._say_result(subject, result)
        except Refused as refused:
            if self._say_news(str(subject), refused.findings) and refused.why:
                _say(refused.why)
        except PictureChangedError:
            self._watcher.retry(folder)  # something was saved meanwhile
        except Busy as busy:
            self._watcher.retry(folder, SOON)
            # Said once: it is tried again every half a second.
            if subject not in self._held_up:
                _say(f"`{subject}`: {busy.strerror}; waiting for it")
            self._held_up.add(subject)
            self._summed_up.discard(subject)
        except OSError as error:
            self._watcher.retry(folder, LATER)
            self._say_news(str(subject), [environment(error)])
        # After errors, too: what a stopped build wrote is no change.
        self._watcher.learn(target)

    def _say_result(self, folder: Path, result: BuildResult) -> None:
        """Print what was made; nothing if nothing was, and nobody waits for a word."""
        self._held_up.discard(folder)
        report = result.report
        said = self._say_news(str(folder), [*report.findings, *report.rule_findings], stopped=False)
        if said and report.rule_findings:
            _say(count_of_rules(report.rule_findings))
        if not result.idle or said or folder not in self._summed_up:
            _say(result.summary, *about_options(result))
        self._summed_up.add(folder)

    def _say_news(self, about: str, findings: Iterable[Diagnostic], *, stopped: bool = True) -> bool:
        news = self._problems.update(about, findings, stopped=stopped)
        _say(*news)
        return bool(news)

    def _drop(self, files: Source) -> None:
        """Drop a set that no longer exists; its outputs stay, and are the owner's."""
        folder = files.origin
        try:  # a folder may also have lost its `set.yaml`, or be forbidden
            folder.stat()
            is_gone = False
        except OSError as error:
            is_gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        fate = "is gone" if is_gone else f"is no longer a {'deck' if files.deck else 'set'}"
        known = self._targets.pop(folder, None) or [target(files, self._out)]
        _say(f"`{folder}` {fate}; its outputs stay in `{known[0].folder}`")
        for each in known:
            self._problems.drop(str(each.folder))
            self._held_up.discard(each.folder)
            self._summed_up.discard(each.folder)


class ProblemLog:
    """Remembers what is wrong or doubtful about each subject.

    The same problem at another line counts as the same, since lines move while somebody writes.
    """

    def __init__(self) -> None:
        self._standing: dict[str, list[Diagnostic]] = {}
        self._hidden: dict[str, list[Diagnostic]] = {}

    def drop(self, about: str) -> None:
        """Forget a subject that no longer exists."""
        self._standing.pop(about, None)
        self._hidden.pop(about, None)

    def update(self, about: str, findings: Iterable[Diagnostic], *, stopped: bool = True) -> list[str | Diagnostic]:
        """Take all current problems of a subject, and return what is new to print.

        An error hides others: what it may hide is not reported as gone while there is one. An error that `stopped`
        nothing hides nothing.
        """
        now = counted(findings)
        before, hidden = self._standing.get(about, []), self._hidden.get(about, [])
        errors = sum(each.severity is Severity.ERROR for each in now) if stopped else 0
        known = before if errors else [*hidden, *before]
        new, missing = _beyond(now, known), _beyond(known, now)
        self._standing[about] = now
        if not errors:
            self._hidden[about] = []
            fixed = [f"fixed: {_anywhere(each)}" for each in missing]
            if len(fixed) > _MAX_LINES:
                fixed = [*fixed[: _MAX_LINES - 1], f"fixed: {len(fixed) - _MAX_LINES + 1} more"]
            return [*fixed, *new]
        self._hidden[about] = [*_beyond(hidden, now), *missing]
        if not new and not missing:
            return []
        return [*new, f"{plural(errors, 'error')}{'' if new else ' left'}"]


def _beyond(some: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the items that occur more often than in the others, each as often as that.

    Of equal ones at other lines, those that did not move are matched first.
    """
    left = list(others)
    moved = []
    for each in some:
        if each in left:
            left.remove(each)
        else:
            moved.append(each)
    counts = Counter(map(_anywhere, left))
    beyond = []
    for each in moved:
        if counts[_anywhere(each)]:
            counts[_anywhere(each)] -= 1
        else:
            beyond.append(each)
    return beyond


def _anywhere(finding: Diagnostic) -> str:
    """Return a finding without its severity and its line, as it is called when it is gone."""
    span = finding.span
    place = f"{f'{span.file}, {span.cell}' if span.cell else span.file}: " if span else ""
    return f"{place}{finding.message}{f' [{finding.code}]' if finding.code else ''}"
