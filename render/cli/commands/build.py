"""The command `build`: makes what sets declare and is stale."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs

from render.base.addresses import Place
from render.base.findings import Diagnostic, plural
from render.build.session import BuildResult, Target, bring_up_to_date, lock_folders
from render.cli.command import kotc_command
from render.cli.commands.pull import pull_sheets, reach_options
from render.cli.console import DONE, ERRORS, end_with_errors, say, say_findings
from render.cli.options import (
    STRICT,
    WHY,
    Asked,
    Hire,
    SheetCommand,
    about_options,
    say_rules,
    sheet_flags,
    worker_options,
)
from render.cli.selection import (
    DRAFTS,
    EACH_VERSION,
    KEEP_GOING,
    LANGUAGE,
    NO_STORE,
    OUT_PLACE,
    PATHS,
    STORE,
    folders_of,
    targets,
)
from render.game.home import Versions

if TYPE_CHECKING:
    from render.build.compare import Baseline
    from render.build.manifest import Comparison

_MAX_NAMED = 10  # cards, unless all should be listed

NOTICED_ONLY = click.option(
    "--noticed-only",
    is_flag=True,
    help="Leave out changed cards with nothing new but the Edition Indicator.",
)


@kotc_command(
    name="build",
    cls=SheetCommand,
    examples=(
        "kotc build",
        "kotc build cards/starter --dry-run --explain",
        "kotc build cards/starter --changed-since HEAD~1",
    ),
    is_timed=True,
)
@PATHS
@OUT_PLACE
@click.option(
    "--pull",
    is_flag=True,
    help="First fetch the cards of published sheets, as `kotc pull` does; if that fails, build the cards that are there.",
)
@reach_options
@click.option("--explain", is_flag=True, help="Say why each output is built.")
@click.option(
    "--force",
    is_flag=True,
    help="Build everything, also what is up to date, and write over files that no build remembers.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be built; change nothing.")
@click.option(
    "--verify", is_flag=True, help="Report outputs that were changed or deleted after the build; build nothing."
)
@click.option(
    "--changed-since",
    "since",
    metavar="FILE|GIT-REV",
    help="Also make changed.pdf: sheets of only the cards whose picture changed since FILE, the .kotc.json of an "
    "earlier build, or since a revision of git.",
)
@click.option(
    "--since-print",
    is_flag=True,
    help="Also make changed.pdf: sheets of only the cards whose picture changed since --mark-printed.",
)
@NOTICED_ONLY
@click.option("--mark-printed", is_flag=True, help="Note that the sheets are printed as they are; build nothing.")
@LANGUAGE
@EACH_VERSION
@DRAFTS
@KEEP_GOING
@STRICT
@STORE
@NO_STORE
@worker_options
@sheet_flags
def build(
    asked: Asked,
    hire: Hire,
    versions: Versions,
    /,
    paths: tuple[Path, ...],
    out: Place,
    *,
    pull: bool,
    http: bool,
    local: bool,
    explain: bool,
    force: bool,
    dry_run: bool,
    verify: bool,
    since: str | None,
    since_print: bool,
    noticed_only: bool,
    mark_printed: bool,
    language: str | None,
    drafts: bool,
    keep_going: bool,
    strict: bool,
    store: Path | None,
    no_store: bool,
) -> None:
    """Build each set's outputs; skip what is up to date.

    `outputs` in set.yaml names the outputs; the default is PNGs and duplex sheets. For a card file, its whole set is
    built. Options of sheets count for this build instead of `sheet:` in set.yaml, and only for this one.
    """
    alone = {"--verify": verify, "--mark-printed": mark_printed}
    compares = {"--since-print": since_print, "--changed-since": since is not None}
    others = {
        "--drafts": drafts,
        "--dry-run": dry_run,
        "--explain": explain,
        "--force": force,
        "--keep-going": keep_going,
        "--pull": pull,
        "--strict": strict,
        **{f"--{key.replace('_', '-')}": True for key in asked},
    }
    if all(compares.values()):
        raise click.UsageError(f"{' and '.join(compares)} both say what to compare with: give one of them")
    for flag in (flag for flag, given in alone.items() if given):
        for other, given in {**alone, **others, **compares}.items():
            if given and other != flag:
                raise click.UsageError(f"{flag} builds nothing: leave out {other}")
    flag = next((flag for flag, given in compares.items() if given), "")
    if noticed_only and not flag:
        raise click.UsageError(f"--noticed-only needs {' or '.join(compares)}")
    if keep_going and flag:
        raise click.UsageError(f"{flag} compares all cards of a set: leave out --keep-going")
    if pull and dry_run:
        raise click.UsageError(
            "--dry-run writes nothing, and --pull writes cards: `kotc pull --dry-run` says what it would"
        )
    if (http or local) and not pull:
        raise click.UsageError(f"{'--http' if http else '--local'} needs --pull")
    if pull:
        pull_sheets(folders_of(paths), http=http, local=local, goes_on=True)
    sets = [structs.replace(each, forced=force) for each in targets(paths, out, language, versions, store)]
    if flag and language and any(each.files.language for each in sets):
        raise click.UsageError(f"{flag} compares sets in their own language: leave out --language")
    if flag and all(each.files.variant for each in sets):
        raise click.UsageError(f"{flag} compares cards as they are: leave out --variant")
    if store and any(store.resolve().is_relative_to(each.files.folder.resolve()) for each in sets):
        raise click.BadParameter("the store may not lie in the folder of a set", param_hint="--store")
    folders = [each.folder for each in sets]
    # A lock is a file, and makes the folder for it: a dry run writes nothing, and --verify makes no folder.
    with lock_folders(
        [] if dry_run else [folder for folder in folders if not (verify or mark_printed) or folder.is_dir()]
    ):
        if verify:
            sys.exit(_verify([each.place for each in sets]))
        if mark_printed:
            sys.exit(_mark_printed(sets))
        if since_print:
            _fetch_prints(sets)
        # Read before anything is built: it may be the manifest that this build replaces.
        before = _baselines(since, [each for each in sets if not each.files.subfolder]) if flag else {}
        if noticed_only:
            before = {origin: baseline.without_indicators() for origin, baseline in before.items()}
        built = bring_up_to_date(
            sets,
            hire,
            explain=(lambda lines: say(*lines)) if explain or dry_run else None,
            dry_run=dry_run,
            since=before,
            strict=WHY if strict else "",
            sheet=asked,
            keep_going=keep_going,
            drafts=drafts,
            store=store,
            use_store=not no_store,
        )
        # A set is built when its result is asked for, and printed then: a later one may take minutes, or fail.
        for each, result in zip(sets, built, strict=True):
            _say_result(result)
            if result.compared:
                label = before[each.files.origin].since
                say(describe_since(label, result.compared, result.place, complete=explain, would_be=dry_run))


def _baselines(since: str | None, sets: Sequence[Target]) -> Mapping[Path, Baseline]:
    """Return what to compare each set with, by its folder; without `since` what was printed last. Refused, OSError."""
    from render.build.compare import UnusableError, find_baselines, since_print

    try:
        if since is None:
            return since_print({each.files.origin: each.folder for each in sets})
        return find_baselines(since, [each.files for each in sets])
    except UnusableError as error:
        hint, words = "--since-print" if since is None else "--changed-since", str(error)
        for each in sets:
            words = words.replace(f"`{each.folder}`", f"`{each.place}`")
        raise click.BadParameter(words, param_hint=hint) from None


def _say_result(result: BuildResult) -> None:
    """Print what was built, how to print it, and what is doubtful."""
    say_findings(result.report.findings)
    say_rules(result.report.rule_findings)
    say(result.summary)
    if result.missing:
        say(f"  {result.missing}")
        end_with_errors()
    if result.printing:  # sheets that were made now
        from render.cli.commands.pdf import how_to_print

        say(f"  sheets: {how_to_print(result.printing)}")
    say(*about_options(result))


def describe_since(
    since: str, compared: Comparison, folder: Place, *, complete: bool = False, would_be: bool = False
) -> str:
    """Return what changed and what of it is printed; lists of names are shortened unless `complete`."""
    changes = compared.changes
    kinds = {
        "changed": changes.changed,
        "changed only in the Edition Indicator": changes.indicator,
        "added": changes.added,
        "removed": changes.removed,
        "renamed": [f"{old} is now {new}" for old, new in changes.renamed],
        "with more copies": [f"{name}: {number} more" for name, number in changes.more],
        "with fewer copies": [f"{name}: {number} fewer" for name, number in changes.fewer],
    }
    differences: list[str] = []  # `3 cards changed (thor, odin, loki)`, `1 added (freya)` and so on
    for kind, ids in kinds.items():
        if ids:
            number = str(len(ids)) if differences else plural(len(ids), "card")
            shown = [*ids] if complete else [*ids[:_MAX_NAMED]]
            more = [f"and {len(ids) - len(shown)} more"] if len(ids) > len(shown) else []
            differences.append(f"{number} {kind} ({', '.join([*shown, *more])})")
    said = f"since {since}: {', '.join(differences) or 'no card changed'}"
    copies = sum(number for _, number in changes.copies)
    # Cards may have changed all the same: those with fewer copies, or gone, leave nothing to print.
    if not copies:
        return f"{said}: nothing to print"
    names = compared.files  # one, two of fronts and backs, or many parts
    where = " and ".join(str(folder / name) for name in names)
    if len(names) > 2:
        where = f"{len(names)} files, {folder / names[0]} to {names[-1]}"
    sheets = f"{plural(compared.sheets, 'sheet')}{' would be' if would_be else ''}"
    return f"{said}: {plural(copies, 'copy', 'copies')} on {sheets} in {where}"


def _fetch_prints(sets: Sequence[Target]) -> None:
    """Bring what is noted at addresses of the last print."""
    for each in sets:
        if each.address:
            from render.build.far import fetch_print

            fetch_print(each.folder, each.address)


def _mark_printed(sets: Sequence[Target]) -> int:
    """Note that what was built is printed; errors if nothing was built."""
    status = DONE
    for each in sets:
        if _is_noted(each):
            say(f"{each.place}: marked as printed; `kotc build --since-print` makes sheets of what changes from now on")
        else:
            say(Diagnostic("", f"nothing was built in `{each.place}`, or not all of it: build it first"))
            status = ERRORS
    return status


def _is_noted(target: Target) -> bool:
    if target.address:
        from render.build.far import note_print

        return note_print(target.folder, target.address)
    from render.build.compare import mark_printed

    return target.folder.is_dir() and mark_printed(target.folder)


def _verify(places: Sequence[Place]) -> int:
    from render.build.inputs import find_damage

    damage: list[str] = []
    for place in places:
        proved = find_damage(place)
        if proved is None:
            damage.append(f"nothing was built in `{place}`")
        elif proved[1]:
            damage += proved[1]
        else:
            say(f"{place}: {plural(proved[0], 'file')}, all unchanged")
    say(*(Diagnostic("", line) for line in damage))
    return ERRORS if damage else DONE
