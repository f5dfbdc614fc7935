"""The command `build`: makes what sets declare and is stale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from render.base.findings import Diagnostic, plural
from render.build.session import BuildResult, bring_up_to_date, lock_folders
from render.cli.build_options import (
    CHANGED_SINCE,
    MARK_PRINTED,
    SINCE_PRINT,
    STRICT,
    WHY,
    WorkerOptions,
    baselines,
    baselines_of_print,
    describe_since,
    say_rules,
    worker_options,
)
from render.cli.console import DONE, ERRORS, end_with_errors, reporting, say, say_findings
from render.cli.selection import KEEP_GOING, LANGUAGE, OUT_FOLDER, PATHS
from render.cli.session import folders_of, targets
from render.cli.sheet_flags import Asked, SheetCommand, about_options, flag_of, sheet_flags
from render.cli.terminal.command import kotc_command


@kotc_command(
    name="build",
    cls=SheetCommand,
    examples=(
        "kotc build",
        "kotc build cards/starter --dry-run --explain",
        "kotc build cards/starter --changed-since HEAD~1",
    ),
)
@PATHS
@OUT_FOLDER
@click.option("--explain", is_flag=True, help="Say why each output is built.")
@click.option("--force", is_flag=True, help="Build everything, also what is up to date.")
@click.option("--dry-run", is_flag=True, help="Say what would be built; change nothing.")
@click.option(
    "--verify", is_flag=True, help="Report outputs that were changed or deleted after the build; build nothing."
)
@CHANGED_SINCE
@SINCE_PRINT
@MARK_PRINTED
@LANGUAGE
@KEEP_GOING
@STRICT
@worker_options
@sheet_flags
@reporting
def build(
    asked: Asked,
    workers: WorkerOptions,
    paths: tuple[Path, ...],
    out: Path,
    *,
    explain: bool,
    force: bool,
    dry_run: bool,
    verify: bool,
    since: str | None,
    since_print: bool,
    mark_printed: bool,
    language: str | None,
    keep_going: bool,
    strict: bool,
) -> None:
    """Build each set's outputs; skip what is up to date.

    `outputs` in set.yaml names the outputs; the default is PNGs and duplex sheets. For a card file, its whole set is
    built. Options of sheets count for this build instead of `sheet:` in set.yaml, and only for this one.
    """
    _check_flags(
        asked,
        {"--verify": verify, "--mark-printed": mark_printed},
        {"--since-print": since_print, "--changed-since": since is not None},
        {"--dry-run": dry_run, "--explain": explain, "--force": force, "--keep-going": keep_going, "--strict": strict},
    )
    if keep_going and (since is not None or since_print):
        flag = "--since-print" if since_print else "--changed-since"
        raise click.UsageError(f"{flag} compares all cards of a set: leave out --keep-going")
    sets = [replace(each, forced=force) for each in targets(folders_of(paths), out, language)]
    if (since is not None or since_print) and any(each.files.language for each in sets) and language:
        flag = "--since-print" if since_print else "--changed-since"
        raise click.UsageError(f"{flag} compares sets in their own language: leave out --language")
    folders = [each.folder for each in sets]
    # A lock is a file, and makes the folder for it: a dry run writes nothing, and --verify makes no folder.
    with lock_folders(
        [] if dry_run else [folder for folder in folders if not (verify or mark_printed) or folder.is_dir()]
    ):
        if verify:
            sys.exit(_verify(folders))
        if mark_printed:
            sys.exit(_mark_printed(folders))
        # Read before anything is built: it may be the manifest that this build replaces.
        own = [each for each in sets if not each.files.language]
        before = baselines_of_print(own) if since_print else baselines(since, [each.files for each in own])
        why = WHY if strict else ""
        built = bring_up_to_date(
            sets,
            workers.hired_for_builds,
            explain=(lambda lines: say(*lines)) if explain or dry_run else None,
            dry_run=dry_run,
            since=before,
            strict=why,
            sheet=asked,
            keep_going=keep_going,
        )
        # A set is built when its result is asked for, and printed then: a later one may take minutes, or fail.
        for each, result in zip(sets, built, strict=True):
            _say_result(result)
            if result.compared:
                label = before[each.files.origin].since
                say(describe_since(label, result.compared, result.folder, complete=explain, would_be=dry_run))


def _check_flags(
    asked: Asked, instead: Mapping[str, bool], since: Mapping[str, bool], others: Mapping[str, bool]
) -> None:
    """Refuse flags that contradict each other: those `instead` of a build go alone, and one of `since` is enough."""
    if all(since.values()):
        raise click.UsageError(f"{' and '.join(since)} both say what to compare with: give one of them")
    for alone, given in instead.items():
        if given:
            rest = {flag: is_given for flag, is_given in instead.items() if flag != alone}
            _check_alone(alone, {**rest, **others, **since, **dict.fromkeys(map(flag_of, asked), True)})


def _say_result(result: BuildResult) -> None:
    """Print what was built, how to print it, and what is doubtful."""
    say_findings(result.report.findings)
    say_rules(result.report)
    say(result.summary)
    if result.missing:
        say(f"  {result.missing}")
        end_with_errors()
    say(*_how_to_print(result), *about_options(result))


def _how_to_print(result: BuildResult) -> Iterator[str]:
    """Yield how to print sheets that were made now."""
    if result.printing:
        from render.cli.commands.pdf import how_to_print

        yield f"  sheets: {how_to_print(result.printing)}"


def _mark_printed(folders: Sequence[Path]) -> int:
    """Note that what was built is printed; errors if nothing was built."""
    from render.build.compare.printed import mark_printed

    unbuilt = [folder for folder in folders if not (folder.is_dir() and mark_printed(folder))]
    for folder in unbuilt:
        say(Diagnostic("", f"nothing was built in `{folder}`, or not all of it: build it first"))
    for folder in folders:
        if folder not in unbuilt:
            say(f"{folder}: marked as printed; `kotc build --since-print` makes sheets of what changes from now on")
    return ERRORS if unbuilt else DONE


def _check_alone(alone: str, others: Mapping[str, bool]) -> None:
    """Refuse flags that have no effect beside --verify or --mark-printed."""
    for flag, given in others.items():
        if given:
            raise click.UsageError(f"{alone} builds nothing: leave out {flag}")


def _verify(folders: Sequence[Path]) -> int:
    from render.build.state.settled import troubles

    found = []
    for folder in folders:
        proved = troubles(folder)
        if proved is None:
            found.append(f"nothing was built in `{folder}`")
            continue
        number, wrong = proved
        found += wrong
        if not wrong:
            say(f"{folder}: {plural(number, 'file')}, all unchanged")
    for line in found:
        say(Diagnostic("", line))
    return ERRORS if found else DONE
