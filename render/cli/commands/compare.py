"""The command `compare`: shows what changed in sets and decks, between revisions of git, folders or builds."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from render.cli.command import kotc_command
from render.cli.commands.build import NOTICED_ONLY
from render.cli.console import DONE, ERRORS, format_option, say, tell, tell_json
from render.cli.selection import html_page, or_here, out_option


@kotc_command(
    name="compare",
    examples=(
        "kotc compare HEAD~1..",
        "kotc compare HEAD~1...HEAD cards/starter --out changes.html",
        "kotc compare HEAD.. --format markdown",
    ),
    is_timed=True,
)
@click.argument("since", metavar="BASE..HEAD|FOLDER")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, readable=False), metavar="[PATH]...")
@out_option("HTML page with every changed card before and after.", callback=html_page)
@format_option("text is for people, markdown for a pull request, json for programs.", "text", "markdown", "json")
@NOTICED_ONLY
@click.option("--exit-code", is_flag=True, help="End with status 1 if anything changed, as `git diff` does.")
def compare(
    since: str, paths: tuple[Path, ...], out: Path | None, style: str, *, noticed_only: bool, exit_code: bool
) -> None:
    """Show what changed in sets and their decks.

    BASE and HEAD are revisions of git. Without HEAD, the files as they are now are compared with BASE; BASE...HEAD
    begins where both parted. Instead, give two folders, or the folder of a build's outputs and a set. A PATH is a set,
    or a folder of sets.

    Cards count that look different or say something else. The exit status is 0 whatever changed, and 1 if there is an
    error in the cards as they are in the end.
    """
    from render.base.files import replace_file
    from render.base.findings import has_errors
    from render.build.change_report import as_json, as_markdown, as_text, page
    from render.build.changes import changes_between
    from render.build.compare import UnusableError
    from render.build.states import two_states

    try:
        with two_states(since, or_here(paths)) as (before, after):
            changes = changes_between(before, after, noticed_only=noticed_only)
            if out:
                replace_file(out, page(changes).encode("utf-8", "backslashreplace"))
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="BASE..HEAD|FOLDER") from None
    if style == "json":
        tell_json(as_json(changes))
    else:
        tell(as_markdown(changes) if style == "markdown" else as_text(changes))
    if out:
        say(f"before and after in {out}")
    is_failure = has_errors(after.findings) or (exit_code and not changes.is_empty)
    sys.exit(ERRORS if is_failure else DONE)
