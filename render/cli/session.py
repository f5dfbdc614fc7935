"""Bring sets up to date: the way from paths to built folders, for building once and for `watch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from render.base.findings import plural
from render.cli.console import say
from render.cli.selection import check_names_differ, check_paths
from render.incremental.session import BuildResult, Target

if TYPE_CHECKING:
    from render.cli.worker_options import WorkerOptions
    from render.game.folder import SetFiles
    from render.incremental.compare.diff import Baseline, Compared
    from render.incremental.plan import Plan
    from render.incremental.state.manifest import Manifest


def folders_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths to build: a card file stands for its whole set; wrong usage if there is nothing at one."""
    return tuple(path.parent if path.is_file() else path for path in check_paths(paths))


def targets(folders: Iterable[Path], out: Path) -> list[Target]:
    """Return the sets that are meant, and print what is doubtful about the paths; Refused if something is wrong."""
    from render.base.findings import Refused, as_text, has_errors
    from render.game.folder import find_sets

    sets, findings = find_sets(folders)
    if has_errors(findings):
        raise Refused(findings)
    if findings:
        say(as_text(findings))
    check_names_differ([files.folder for files in sets])
    return [target(files, out) for files in sets]


def target(files: SetFiles, out: Path) -> Target:
    """Return the set with its folder of outputs, which has the name of the set's own."""
    return Target(files, out / files.folder.resolve().name)


@contextmanager
def holding(folders: Iterable[Path]) -> Iterator[None]:
    """Hold folders of outputs; Busy if another process is building in one."""
    from render.incremental.state.lock import locked

    with ExitStack() as held:
        for folder in folders:
            held.enter_context(locked(folder))
        yield


NOTHING: Mapping[Path, Baseline] = {}


def bring_up_to_date(
    sets: Sequence[Target],
    workers: WorkerOptions,
    *,
    explain: bool = False,
    dry_run: bool = False,
    since: Mapping[Path, Baseline] = NOTHING,
    strict: str = "",
) -> Iterator[BuildResult]:
    """Build the sets that have something to do, in held folders; yield each result, in order.

    `since` is what sets are compared with, by their folders. Nothing is made before all of them are read and laid out:
    Refused with everything wrong in all of them, and, with words for `strict`, also if the rules find anything.
    """
    from render.incremental.state import manifest
    from render.incremental.state.settled import is_settled

    before = [(each, manifest.read(each.folder)) for each in sets]
    marks = {folder: baseline.mark for folder, baseline in since.items()}
    stale = [
        (each, known)
        for each, known in before
        if not is_settled(each.files, each.folder, known, marks.get(each.files.folder, ""))
        or (strict and known.told.rules)
    ]
    plans = _planned(stale, since, strict)
    for each, known in before:
        plan = plans.get(each.files.folder)
        if plan is None:
            counts = f"0 written, {len(known.files)} unchanged"
            yield BuildResult(
                name=known.name,
                folder=each.folder,
                told=known.told,
                counts=counts,
                idle=True,
                compared=_compared(known),
            )
        else:
            if explain or dry_run:
                for line in plan.explanation:
                    say(line)
            yield _would_be(plan) if dry_run else _run(plan, workers)


def _compared(known: Manifest) -> Compared | None:
    if not known.since:
        return None
    from render.incremental.compare.diff import said_before

    return said_before(known.since)


def _planned(sets: Sequence[tuple[Target, Manifest]], since: Mapping[Path, Baseline], strict: str) -> dict[Path, Plan]:
    """Read sets and lay out what is stale in them; Refused with everything wrong in all of them."""
    if not sets:
        return {}
    from render.base.findings import Refused, has_errors
    from render.game import faces
    from render.game.set_reader import read_set
    from render.incremental.plan import begin, plan

    plans: dict[Path, Plan] = {}
    found = []
    for each in [begin(target.files, target.folder, known) for target, known in sets]:
        card_set, findings = read_set(each.files)
        try:
            if card_set and not has_errors(findings):
                plans[each.files.folder] = plan(each, card_set, findings, since.get(each.files.folder))
            elif card_set:  # such as two cards with one id: nothing can be planned
                findings += faces.findings(card_set)
        except Refused as refused:
            findings = [*refused.findings]
        found += findings
    if has_errors(found):
        raise Refused(found)
    ruled = [finding for each in plans.values() for finding in each.ruled.findings] if strict else []
    if ruled:
        raise Refused([*found, *ruled], strict)
    return plans


def _would_be(plan: Plan) -> BuildResult:
    from render.incremental.run import told

    counts = f"{plural(len(plan.stale), 'output')} would be made, {len(plan.unwanted)} removed"
    return BuildResult(
        name=plan.card_set.name,
        folder=plan.begun.folder,
        told=told(plan, ()),
        counts=counts,
        idle=True,
        compared=plan.compared,
    )


def _run(plan: Plan, workers: WorkerOptions) -> BuildResult:
    from render.incremental.run import run
    from render.incremental.state.outputs import OutputKind

    pngs = sum(output.kind is OutputKind.PNG for output, _ in plan.stale)
    with workers.hired(pngs, "PNGs", "; run the command again to continue") as hired:
        built = run(plan, hired)
    removed = f", {built.removed} removed" if built.removed else ""
    counts = f"{built.written} written, {built.unchanged} unchanged{removed}"
    idle = not built.written and not built.removed
    return BuildResult(
        name=plan.card_set.name, folder=built.folder, told=built.told, counts=counts, idle=idle, compared=plan.compared
    )
