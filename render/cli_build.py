"""The command `build`: everything that sets declare, as far as it is stale."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.choosing import PATHS, check_names_differ, check_paths
from render.console import DONE, ERRORS, many, reporting, say
from render.worker_flags import Hands, worked_by_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from render.build.manifest import Manifest, Told
    from render.build.plan import Plan
    from render.games.kotc.folder import SetFiles


@click.command(name="build")
@PATHS
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("out"), show_default=True)
@click.option("--explain", is_flag=True, help="Say why each output is made.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--verify", is_flag=True, help="Find outputs that were changed or lost since, and make none.")
@worked_by_hands
@reporting
def build(hands: Hands, paths: tuple[Path, ...], out: Path, explain: bool, dry_run: bool, verify: bool) -> None:
    """Make everything that the sets declare, as far as it is stale.

    That is what `outputs` of set.yaml names: PNGs and duplex sheets, unless it says otherwise. A card file stands for
    its whole set here.
    """
    sets = _found(paths)
    folders = {files.folder: out / files.folder.resolve().name for files in sets}
    with ExitStack() as held:
        if not dry_run:
            _hold([folder for folder in folders.values() if not verify or folder.is_dir()], held)
        if verify:
            sys.exit(_verify(list(folders.values())))
        _build([(files, folders[files.folder]) for files in sets], hands, explain, dry_run)


def _found(paths: tuple[Path, ...]) -> list[SetFiles]:
    """Return the sets that are meant; Refused if there is something wrong with the paths."""
    from render.diag import Refused, as_text, has_errors
    from render.games.kotc.folder import find_sets

    wanted = check_paths(paths)
    sets, findings = find_sets([path.parent if path.is_file() else path for path in wanted])
    if has_errors(findings):
        raise Refused(findings)
    if findings:
        say(as_text(findings))
    check_names_differ([files.folder for files in sets])
    return sets


def _hold(folders: Sequence[Path], held: ExitStack) -> None:
    from render.build.lock import locked

    for folder in folders:
        held.enter_context(locked(folder))


def _verify(folders: Sequence[Path]) -> int:
    from render.build.proving import troubles

    found = []
    for folder in folders:
        proved = troubles(folder)
        if proved is None:
            found.append(f"nothing was built in `{folder}`")
            continue
        number, wrong = proved
        found += wrong
        if not wrong:
            say(f"{folder}: {many(number, 'file')}, each as it was written")
    for line in found:
        say(f"error: {line}")
    return ERRORS if found else DONE


def _build(sets: Sequence[tuple[SetFiles, Path]], hands: Hands, explain: bool = False, dry_run: bool = False) -> None:
    """Build the sets that have something to do; nothing is made before all of these are read and laid out."""
    from render.build import manifest
    from render.build.settled import is_settled

    before = [manifest.read(folder) for _, folder in sets]
    stale = [
        (files, folder, known)
        for (files, folder), known in zip(sets, before, strict=True)
        if not is_settled(files, folder, known)
    ]
    plans = _planned(stale)
    for (files, folder), known in zip(sets, before, strict=True):
        plan = plans.get(files.folder)
        if plan is None:
            _say_built(known.name, folder, known.told, f"0 written, {len(known.files)} unchanged")
        else:
            _run(plan, hands, explain, dry_run)


def _planned(sets: Sequence[tuple[SetFiles, Path, Manifest]]) -> dict[Path, Plan]:
    """Read sets and lay out what is stale of them; Refused with all that is wrong in all of them."""
    if not sets:
        return {}
    from render.build.plan import begin, plan
    from render.diag import Refused, has_errors
    from render.games.kotc.load import survey

    plans: dict[Path, Plan] = {}
    found = []
    for each in [begin(*each) for each in sets]:
        loaded, findings = survey([each.files.folder])
        try:
            for card_set in loaded:
                plans[each.files.folder] = plan(each, card_set, findings)
        except Refused as refused:
            findings = [*refused.findings]
        found += findings
    if has_errors(found):
        raise Refused(found)
    return plans


def _run(plan: Plan, hands: Hands, explain: bool, dry_run: bool) -> None:
    from render.build.outputs import Kind
    from render.build.run import Workers, run, told

    if explain or dry_run:
        for line in plan.explanation:
            say(line)
    if dry_run:
        counts = f"{many(len(plan.stale), 'output')} would be made, {len(plan.unwanted)} removed"
        _say_built(plan.card_set.name, plan.begun.folder, told(plan, ()), counts)
        return
    pngs = sum(output.kind is Kind.PNG for output, _ in plan.stale)
    with hands.executor() as executor, hands.counting(pngs, "PNGs") as made:
        built = run(plan, Workers(executor, hands.count, made))
    removed = f", {built.removed} removed" if built.removed else ""
    counts = f"{built.written} written, {built.unchanged} unchanged{removed}"
    _say_built(plan.card_set.name, built.folder, built.told, counts)


def _say_built(name: str, folder: Path, told: Told, counts: str) -> None:
    if told.warnings:
        say(told.warnings)
    made = [many(told.pngs, "PNG"), many(told.sheets, "sheet"), *told.others]
    say(f"{name}: {', '.join(made[:-1])} and {made[-1]} in {folder} ({counts})")
