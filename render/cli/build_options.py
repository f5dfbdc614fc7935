"""Options of commands that draw or build: workers and progress, `--strict`, and what a build is compared with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import click

from render.base.findings import Diagnostic, errors_and_warnings, plural
from render.cli.console import in_numbers, is_quiet, say, say_findings

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from render.base.progress import Progress
    from render.build.compare.diff import Baseline, ChangedCards, Compared
    from render.build.session import Target
    from render.build.state.manifest import BuildSummary
    from render.game.cards import GameSet
    from render.game.faces import Drawn
    from render.game.folder import SetFiles
    from render.png.workers import Workers


P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Who draws: that many processes, or the workers of a Dask cluster; `quiet` hides progress."""

    processes: int | None
    scheduler: str | None
    quiet: bool

    @contextmanager
    def hired(self, total: int, thing: str, hint: str = "") -> Iterator[Workers]:
        """Give the workers for that many things; OSError if a cluster does not answer.

        A KeyboardInterrupt is raised again with the number of things made and the hint.
        """
        from render.png.workers import Workers

        progress = self.progress(total, thing)
        with self._executor() as executor:
            try:
                with progress:
                    yield Workers(self.processes, executor, progress.more)
            except KeyboardInterrupt:
                # `console.reporting` prints it, once the processes that draw have ended.
                raise KeyboardInterrupt(f"stopped after {progress.done} of {total} {thing}{hint}") from None

    def hired_for_builds(self, pngs: int) -> AbstractContextManager[Workers]:
        """Give the workers for the PNGs of a build, as `hired` does."""
        return self.hired(pngs, "PNGs", "; run the command again to continue")

    def _executor(self) -> AbstractContextManager[Executor | None]:
        if self.scheduler is None:
            return nullcontext()
        try:
            from render.png.dask import connect
        except ModuleNotFoundError:
            raise click.UsageError("--scheduler needs the package `distributed`: pip install 'kotc[dask]'") from None
        return connect(self.scheduler)

    def progress(self, total: int, thing: str) -> Progress:
        """Return the progress display, which shows nothing if `quiet`."""
        from render.base.progress import Progress, show_progress

        return Progress(total, thing) if self.quiet else show_progress(total, thing, sys.stderr)


def worker_options(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    """Give a command the flags for workers; it gets them as its first argument."""

    flagged = _with_worker_options(command)
    for option in (_SCHEDULER, _WORKERS):
        flagged = option(flagged)
    return flagged


def worked_here(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    """Give a command the flags of work that only this machine does, as `worker_options` does."""
    return _WORKERS(_with_worker_options(command))


def _with_worker_options(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        # `worked_here` has no --scheduler.
        given = [kwargs.pop(key, None) for key in ("processes", "scheduler")]
        if given[0] is not None and given[1] is not None:
            raise click.UsageError("use --scheduler or --workers, not both")
        return command(WorkerOptions(given[0], given[1], is_quiet()), *args, **kwargs)  # type: ignore[arg-type] # read by the options below

    return wrapped


_WORKERS = click.option(
    "--workers",
    "-j",
    "processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Draw PNGs in N processes; 1 disables multiprocessing.  [default: one per core, at most 8]",
)
_SCHEDULER = click.option("--scheduler", metavar="ADDRESS", help="Draw PNGs on the Dask cluster of this scheduler.")


# --- What the rules find in drawn cards: printed at the end, or, with `--strict`, a reason to stop before ---


WHY = "nothing was made: --strict stops at errors and warnings from the rules"

STRICT = click.option(
    "--strict", is_flag=True, help="Stop at any error or warning from the rules of the cards' edition."
)


@contextmanager
def judge_meanwhile(found: Sequence[tuple[GameSet, Drawn]], *, strict: bool) -> Iterator[None]:
    """Let the rules judge cards while something is made from them, and print their findings at the end.

    With `strict` they judge first: Refused, and nothing is made, if they find anything.
    """
    from render.game.sets.checking import judge_in_background

    # Cards that --card leaves out are not made, so nothing is said of them.
    sets = [_only(card_set, [face.card.id for face in drawn.faces]) for card_set, drawn in found]
    with judge_in_background(sets, strict=WHY if strict else "") as findings:
        yield
        said = findings()
    if said:
        say_findings(said)
        say(count_of_rules(said))


def _only(card_set: GameSet, ids: Sequence[str]) -> GameSet:
    kept = frozenset(ids)
    return replace(card_set, cards=tuple(card for card in card_set.cards if card.id in kept))


def say_rules(report: BuildSummary) -> None:
    """Print what the rules found in the cards of a set that was built."""
    if report.rule_findings:
        say_findings(report.rule_findings)
        say(count_of_rules(report.rule_findings))


def count_of_rules(findings: Sequence[Diagnostic]) -> str:
    """Return `2 errors, 1 warning from the rules; --strict stops at them`."""
    errors, warnings = errors_and_warnings(findings)
    them = "it" if errors + warnings == 1 else "them"
    return f"{in_numbers(errors, warnings)} from the rules; --strict stops at {them}"


# --- `--changed-since`: what a build is compared with, as a flag, and the result in words ---


_MAX_NAMED = 10  # cards, unless all should be listed
_MAX_FILES = 2  # fronts and backs

CHANGED_SINCE = click.option(
    "--changed-since",
    "since",
    metavar="FILE|GIT-REV",
    help="Also make changed.pdf: sheets of only the cards whose picture changed since FILE, the .kotc.json of an "
    "earlier build, or since a revision of git.",
)

SINCE_PRINT = click.option(
    "--since-print",
    is_flag=True,
    help="Also make changed.pdf: sheets of only the cards whose picture changed since --mark-printed.",
)
MARK_PRINTED = click.option(
    "--mark-printed", is_flag=True, help="Note that the sheets are printed as they are; build nothing."
)


def baselines_of_print(targets: Sequence[Target]) -> dict[Path, Baseline]:
    """Return what was printed last of each set, by its origin; wrong usage if nothing is marked. Refused, OSError."""
    from render.build.compare.baseline import UnusableError
    from render.build.compare.printed import since_print

    try:
        return since_print({each.files.origin: each.folder for each in targets})
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="--since-print") from None


def baselines(since: str | None, sets: Sequence[SetFiles]) -> dict[Path, Baseline]:
    """Return what to compare each set with, by its folder; {} if the flag is not given. Refused, OSError."""
    if since is None:
        return {}
    from render.build.compare.baseline import UnusableError, find_baselines

    try:
        return find_baselines(since, sets)
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="--changed-since") from None


def describe_since(
    since: str, compared: Compared, folder: Path, *, complete: bool = False, would_be: bool = False
) -> str:
    """Return what changed and what of it is printed; lists of names are shortened unless `complete`."""
    found = list(_differences(compared.changes, complete))
    copies = sum(number for _, number in compared.changes.copies)
    differences = f"since {since}: {', '.join(found) or 'no card changed'}"
    # Cards may have changed all the same: those with fewer copies, or gone, leave nothing to print.
    if not copies:
        return f"{differences}: nothing to print"
    printed = f"{plural(copies, 'copy', 'copies')} on {plural(compared.sheets, 'sheet')}"
    would = " would be" if would_be else ""
    return f"{differences}: {printed}{would} in {_files(compared.files, folder)}"


def _differences(changes: ChangedCards, complete: bool) -> Iterator[str]:
    """Yield `3 cards changed (thor, odin, loki)`, `1 added (freya)` and so on."""
    kinds = {
        "changed": changes.changed,
        "added": changes.added,
        "removed": changes.removed,
        "renamed": [f"{old} is now {new}" for old, new in changes.renamed],
        "with more copies": [f"{name}: {number} more" for name, number in changes.more],
        "with fewer copies": [f"{name}: {number} fewer" for name, number in changes.fewer],
    }
    first = True
    for kind, names in kinds.items():
        if names:
            number = plural(len(names), "card") if first else str(len(names))
            yield f"{number} {kind} ({', '.join(names if complete else _few(names))})"
            first = False


def _few(names: Sequence[str]) -> list[str]:
    more = len(names) - _MAX_NAMED
    return [*names[:_MAX_NAMED], f"and {more} more"] if more > 0 else [*names]


def _files(names: Sequence[str], folder: Path) -> str:
    """Return where the copies are: one file, two of fronts and backs, or many parts."""
    if len(names) > _MAX_FILES:
        return f"{len(names)} files, {folder / names[0]} to {names[-1]}"
    return " and ".join(str(folder / name) for name in names)
