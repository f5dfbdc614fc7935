"""The command `verify`: whether finished print sheets are right."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.base.findings import has_errors, plural
from render.cli.command import kotc_command
from render.cli.console import DONE, ERRORS, FORMAT, describe_counts, say, show
from render.cli.selection import LANGUAGE, VERSIONS
from render.game.home import AS_THEY_ARE, Versions


@kotc_command(
    examples=(
        "kotc verify out/starter/sheets.pdf",
        "kotc verify out/starter/sheets.pdf --set cards/starter",
    ),
    is_timed=True,
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@click.option(
    "--set",
    "--cards",
    "sets",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Compare the files with the cards of this set or card file; repeatable.",
)
@VERSIONS
@FORMAT
@LANGUAGE
def verify(
    versions: Versions, /, files: tuple[Path, ...], sets: tuple[Path, ...], style: str, language: str | None
) -> None:
    """Measure finished print sheets and shop files for mistakes.

    FILE is a PDF that kotc wrote, or a folder of pictures from `kotc shop`. The command checks the size of pages, the
    place of each card, the back behind each front, the number of copies, fonts, white edges, marks and print settings,
    and that nothing lies over a card. --set also compares each face with its card file. Give all parts of a split
    job in one command, and so fronts and backs.
    """
    if a_set := next((each for each in files if (each / "set.yaml").is_file()), None):
        example = f"`out/{a_set.resolve().name}/sheets.pdf`"
        message = f"`{a_set}` is a set, not its sheets: give their file, such as {example}"
        raise click.BadParameter(message, param_hint="FILE")
    if (language or versions != AS_THEY_ARE) and not sets:
        flag = "--language" if language else "--layers" if versions.layers else "--variant"
        raise click.UsageError(f"{flag} needs --set")
    # Nothing that lays cards out or makes sheets is imported: its mistakes would confirm themselves.
    if sets:
        from render.exports.verified import verify_files
        from render.game.sources import load_sets

        verdict = verify_files(files, load_sets(sets, language or "", decks=True, versions=versions))
    else:
        from render.verify.verdict import verify as verify_alone

        verdict = verify_alone(files)
    show(verdict.findings, style)
    sizes = [plural(verdict.cards, "card")]  # what is in the files
    if verdict.pages or not verdict.pictures:
        sizes.append(plural(verdict.pages, "page"))
    if verdict.pictures:
        sizes.append(plural(verdict.pictures, "picture"))
    if verdict.sheets or not verdict.cards:
        sizes.insert(0, plural(verdict.sheets, "sheet"))
    results = [f"{', '.join(verdict.right)}: all right"] if verdict.right else []
    if verdict.findings:
        about = f" in {', '.join(verdict.wrong)}" if verdict.wrong else ""
        results.insert(0, f"{describe_counts(verdict.findings)}{about}")
    say(*(f"not checked: {gap}" for gap in verdict.unproved), f"{', '.join(sizes)}: {'; '.join(results)}")
    sys.exit(ERRORS if has_errors(verdict.findings) else DONE)
