"""The command `upgrade`: takes sets to another edition, from their card files to what is printed again, in one go.

Nothing is written before it is known that everything comes out right. The sets as they were are kept until the page
about them exists, so that whatever stops the command, the same command continues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.build.session import bring_up_to_date, lock_folders
from render.cli.command import kotc_command
from render.cli.commands.build import NOTICED_ONLY, describe_since
from render.cli.console import TEXT_OR_JSON, say, say_findings, tell, tell_json
from render.cli.options import Hire, count_progress, worker_options
from render.cli.selection import OUT_FOLDER, PATHS, targets
from render.games.kotc.commands.migrate import (
    MigrationOptions,
    part_decks,
    report_option,
    say_what_becomes,
    say_what_becomes_of_decks,
    say_what_is_written,
    to_another_edition,
)

if TYPE_CHECKING:
    from render.build.compare import Baseline
    from render.build.session import BuildResult, Target
    from render.games.kotc.workshop.migration.report import Pictures
    from render.games.kotc.workshop.migration.transition import SavedState, SetTransitions


@kotc_command(
    name="upgrade",
    examples=("kotc upgrade cards/starter --dry-run", "kotc upgrade cards/starter --to 17 --relevel"),
    is_timed=True,
)
@PATHS
@to_another_edition
@click.option("--draft", is_flag=True, help="Propose each card that must be designed anew.")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing but --report.")
@report_option("OUT/rebuild-to-N.html")
@OUT_FOLDER
@NOTICED_ONLY
@TEXT_OR_JSON
@worker_options
def upgrade(
    hire: Hire,
    options: MigrationOptions,
    paths: tuple[Path, ...],
    out: Path,
    report: Path | None,
    style: str,
    *,
    draft: bool,
    noticed_only: bool,
    dry_run: bool,
) -> None:
    """Take sets and their decks to another edition, and build.

    Cards are rewritten as by `kotc migrate`, but only if `kotc check` finds no error in the result. Then all outputs
    are built, and an HTML page shows every card before and after. Decks near the sets go along; name others as a PATH.

    With --draft, each card that the new rules do not allow is proposed anew: in their words, at a level that they give,
    and marked `draft: true`. A comment says what was lost. Until you remove the key, `kotc check` reports the draft,
    and files for shops and tables leave it out.
    """
    from render.base.files import remove_leftovers_in
    from render.games.kotc.workshop.migration import report as reports

    page = report or out / f"rebuild-to-{options.edition}.html"
    given_sets, decks = part_decks(paths)
    sets = targets(given_sets, out) if given_sets or not decks else []
    built: dict[str, BuildResult] = {}
    with lock_folders([] if dry_run else [out, *(each.folder for each in sets)]):
        if not dry_run:
            remove_leftovers_in([out, page.parent, *(each.files.folder for each in sets)])
        transitions = _worked_out(sets, decks, options, out, draft=draft)
        if not dry_run:
            remove_leftovers_in(deck.file.parent for deck in transitions.decks)
        for each in transitions.sets:
            say_what_becomes(each.migration, relevel=options.relevel)
        say_what_becomes_of_decks(transitions.decks, options.edition)
        if dry_run:
            _show(transitions, report, style)
        elif transitions.is_due:
            built = _go(transitions, out, page, hire, noticed_only=noticed_only)
        else:
            say("nothing to migrate; `kotc build` updates the outputs")
    if style == "json":
        migrations = [each.migration for each in transitions.sets]
        number = options.edition
        tell_json(
            reports.as_json(migrations, transitions.decks, transitions.files, built, number=number, dry_run=dry_run)
        )


def _worked_out(
    sets: list[Target], decks: Sequence[Path], options: MigrationOptions, out: Path, *, draft: bool
) -> SetTransitions:
    """Work it out, and print what is doubtful; Refused with a word about why, if nothing can be done."""
    from render.games.kotc.workshop.migration.transition import WouldBeWrong, read_kept, work_out

    try:
        transitions = work_out(sets, decks, options.edition, read_kept(out), relevel=options.relevel, draft=draft)
    except WouldBeWrong as wrong:
        say("nothing was written: `kotc check` would find errors in the migrated cards:")
        if not options.relevel and wrong.has_wrong_numbers:
            say("  --relevel changes such numbers to what the new rules give")
        raise
    doubts = {doubt.message for each in transitions.sets for doubt in each.migration.doubts}  # said with its cards
    warnings = [each for each in transitions.warnings if each.message not in doubts]
    say_findings(warnings)
    return transitions


def _show(transitions: SetTransitions, report: Path | None, style: str) -> None:
    """Show what would be written, and write the report if one is asked for."""
    from render.game.authoring.change_set import unified_diff

    if style == "text":
        tell(unified_diff(transitions.files), end="")
    say_what_is_written(len(transitions.files), dry_run=True)
    if report:
        _tell(transitions, report, kept={}, built={}, below=None)


def _go(
    transitions: SetTransitions, out: Path, report: Path, hire: Hire, *, noticed_only: bool
) -> dict[str, BuildResult]:
    """Write the files, build, and report; what was there before is kept until that is done. Return what was built."""
    from render.base.files import check_replaceable
    from render.game.authoring.change_set import write_all
    from render.games.kotc.workshop.migration.transition import Kept, read_kept, write_kept

    below = out if report.is_relative_to(out) else None
    check_replaceable(report, below)
    known = read_kept(out)
    starts = _starts(transitions)
    kept = {name: start.kept for name, start in starts.items()}
    moved = {str(deck.file): deck.before for deck in transitions.decks if deck.before and deck.before != deck.edition}
    others = Kept(
        {name: before for name, before in known.sets.items() if name not in kept},
        {file: number for file, number in known.decks.items() if file not in moved},
    )
    try:
        write_kept(out, Kept({**others.sets, **kept}, {**others.decks, **moved}))
        write_all(transitions.files)
    except BaseException:
        with suppress(OSError):
            write_kept(out, known)  # no file was written: there is nothing to continue
        raise
    say_what_is_written(len(transitions.files), dry_run=False)
    with _to_be_finished():
        since = {each.target.files.folder: starts[each.name].baseline for each in transitions.due}
        if noticed_only:
            since = {folder: baseline.without_indicators() for folder, baseline in since.items()}
        built = _built([each.target for each in transitions.due], since, hire)
        _tell(
            transitions,
            report,
            kept={name: before.pictures for name, before in kept.items()},
            built=built,
            below=below,
        )
        write_kept(out, others)
    return built


def _starts(transitions: SetTransitions) -> dict[str, SavedState]:
    """Return the sets with something to do as they were, by the names of their folders."""
    from render.games.kotc.workshop.migration.transition import save_state

    fresh = [each for each in transitions.due if not each.kept]
    if len(fresh) < len(transitions.due):
        say("resuming the run that was stopped")
    with count_progress(sum(len(each.migration.pictured[0]) for each in fresh), "pictures of old cards") as progress:
        return {each.name: save_state(each, progress.more) for each in transitions.due}


def _built(sets: Sequence[Target], since: Mapping[Path, Baseline], hire: Hire) -> dict[str, BuildResult]:
    """Build sets, and print what was done and which cards changed."""
    built = {}
    for each, results in zip(sets, bring_up_to_date(sets, hire, since=since), strict=True):
        if results.report.warnings:
            say(results.report.warnings)
        say(results.summary)
        if results.compared:
            say(describe_since(since[each.files.folder].since, results.compared, results.folder))
        built[each.folder.name] = results
    return built


def _tell(
    transitions: SetTransitions,
    report: Path,
    kept: Mapping[str, Pictures],
    built: Mapping[str, BuildResult],
    below: Path | None,
) -> None:
    from render.base.files import replace_file
    from render.games.kotc.workshop.migration.report import count_pictures, page

    with count_progress(count_pictures(transitions, kept), "pictures of the report") as progress:
        replace_file(report, page(transitions, report, kept, built, progress.more), below)
    say(f"before and after in {report}")


@contextmanager
def _to_be_finished() -> Iterator[None]:
    """Tell how to continue if anything stops the work in this context."""
    try:
        yield
    except BaseException:
        say("the cards are migrated, but the build did not finish; run the same command to resume")
        raise
