"""The command `build`: makes what sets declare and is stale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from render.base.findings import plural
from render.cli.console import DONE, ERRORS, reporting, say, say_lines
from render.cli.selection import LANGUAGE, OUT_FOLDER, PATHS
from render.cli.session import folders_of, targets
from render.cli.sheet_flags import Asked, SheetCommand, about_options, flag_of, sheet_flags
from render.cli.since_option import CHANGED_SINCE, baselines, describe_since
from render.cli.strict_option import STRICT, WHY, say_rules
from render.cli.terminal.command import kotc_command
from render.cli.worker_options import WorkerOptions, worker_options
from render.incremental.session import BuildResult, bring_up_to_date, lock_folders


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
@LANGUAGE
@STRICT
@worker_options
@sheet_flags
@reporting
def build(  # noqa: PLR0913 - one for each flag
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
    language: str | None,
    strict: bool,
) -> None:
    """Build each set's outputs; skip what is up to date.

    `outputs` in set.yaml names the outputs; the default is PNGs and duplex sheets. For a card file, its whole set is
    built. Options of sheets count for this build instead of `sheet:` in set.yaml, and only for this one.
    """
    if verify:
        given = {
            "--dry-run": dry_run,
            "--explain": explain,
            "--force": force,
            "--changed-since": since is not None,
            "--strict": strict,
        }
        _check_alone({**given, **dict.fromkeys(map(flag_of, asked), True)})
    sets = [replace(each, forced=force) for each in targets(folders_of(paths), out, language)]
    if since is not None and any(each.files.language for each in sets) and language:
        raise click.UsageError("--changed-since compares sets in their own language: leave out --language")
    folders = [each.folder for each in sets]
    # A lock is a file, and makes the folder for it: a dry run writes nothing, and --verify makes no folder.
    with lock_folders([] if dry_run else [folder for folder in folders if not verify or folder.is_dir()]):
        if verify:
            sys.exit(_verify(folders))
        # Read before anything is built: it may be the manifest that this build replaces.
        before = baselines(since, [each.files for each in sets if not each.files.language])
        why = WHY if strict else ""
        built = bring_up_to_date(
            sets,
            workers.hired_for_builds,
            explain=say_lines if explain or dry_run else None,
            dry_run=dry_run,
            since=before,
            strict=why,
            sheet=asked,
        )
        # A set is built when its result is asked for, and printed then: a later one may take minutes, or fail.
        for each, result in zip(sets, built, strict=True):
            if result.report.warnings:
                say(result.report.warnings)
            say_rules(result.report)
            say(result.summary)
            say_lines(_how_to_print(result))
            say_lines(about_options(result))
            if result.compared:
                label = before[each.files.origin].since
                say(describe_since(label, result.compared, result.folder, complete=explain, would_be=dry_run))


def _how_to_print(result: BuildResult) -> Iterator[str]:
    """Yield how to print sheets that were made now."""
    if result.printing:
        from render.cli.commands.pdf import how_to_print

        yield f"  sheets: {how_to_print(result.printing)}"


def _check_alone(others: Mapping[str, bool]) -> None:
    """Refuse flags that have no effect beside --verify."""
    for flag, given in others.items():
        if given:
            raise click.UsageError(f"--verify builds nothing: leave out {flag}")


def _verify(folders: Sequence[Path]) -> int:
    from render.incremental.state.settled import troubles

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
        say(f"error: {line}")
    return ERRORS if found else DONE
