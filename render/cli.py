"""The command line: arguments, printing, exit codes. What the commands need is imported when they run.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font).
"""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from pathlib import Path

import click

from render import __version__
from render.choosing import (
    PATHS,
    Wanted,
    check_folders_differ,
    check_ids_differ,
    chosen,
    default_folder,
    loaded,
    wanted_cards,
)
from render.cli_calibrate import calibrate
from render.cli_cut import cut
from render.cli_deck import deck
from render.cli_edition import edition
from render.cli_explain import explain
from render.cli_preflight import preflight
from render.cli_rules import legality_findings, migrate
from render.cli_sheets import pdf
from render.cli_shop import shop
from render.cli_table import table
from render.cli_verify import verify
from render.console import DONE, ERRORS, Number, count, many, reporting, say
from render.sheet_flags import options_of, say_doubts, sheet_flag


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kotc")
def main() -> None:
    """Turn hand-written YAML into printed cards for Keeper of the Cards.

    A PATH is the folder of a set, a card file, or a folder of sets; without one it is the folder `cards`.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing


@main.command()
@PATHS
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="For people, programs, or the lines of a pull request.",
)
@click.option(
    "--edition", "number", type=click.IntRange(1, 999), help="Judge by this edition's rules, not each card's."
)
@reporting
def check(paths: tuple[Path, ...], style: str, number: int | None) -> None:
    """Say everything that is wrong or doubtful about cards and sets.

    That is also whether levels and Ultra Points are right, and whether a card may be played.
    """
    from render import diag
    from render.games.kotc import faces
    from render.games.kotc.rules import review

    try:
        sets, findings = loaded(paths)
        for card_set in sets:
            findings += faces.findings(card_set)
        if diag.has_errors(findings):
            raise diag.Refused(findings)
        findings += [finding for card_set in sets for finding in review(card_set)]
        findings += legality_findings(sets, number)
        summary = f"{many(sum(len(card_set.cards) for card_set in sets), 'card')} checked: {count(findings)}"
    except diag.Refused as error:
        findings = [*error.findings]
        summary = count(findings)
    styles = {"text": diag.as_text, "json": diag.as_json, "github": diag.as_github}
    if findings or style == "json":
        click.echo(styles[style](findings))
    say(summary)
    sys.exit(ERRORS if diag.has_errors(findings) else DONE)


@main.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder.  [default: out/<set>/png]")
@click.option("--dpi", type=Number(72, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", type=Number(0, 5), default=0, show_default=True, help="mm around the trim.")
@sheet_flag("bleed_from")
@sheet_flag("card_size")
@click.option("--cut-line", is_flag=True, help="A preview of the cut, in magenta, with its corners.")
@sheet_flag("corner_radius")
@wanted_cards
@reporting
def png(wanted: Wanted, /, out: Path | None, dpi: float, bleed: float, *, cut_line: bool, **asked: object) -> None:
    """Draw one PNG of each card.

    What bleed is made of, the size of the cards and the radius of their corners are the set's if they are not given.
    """
    from render import build
    from render.png import Canvas

    given = {key: value for key, value in asked.items() if value is not None}
    if "corner_radius" in given and not cut_line:
        raise click.UsageError("--corner-radius is that of the cut line: it goes with --cut-line")
    found = wanted.chosen(given.get("card_size"))  # type: ignore[arg-type] # read as a Size
    say_doubts(options_of(given), given)
    (check_ids_differ if out else check_folders_differ)(found)
    for card_set, drawn in found:
        folder = out or default_folder(card_set) / "png"
        sheet = replace(card_set.sheet, **given)  # type: ignore[arg-type] # each was read by its option
        edge = build.Edge(sheet.bleed_from, sheet.corner_radius if cut_line else None)
        build.write(build.png_outputs(drawn.faces, folder, Canvas(dpi, bleed), edge))
        say(f"{card_set.name}: {many(len(drawn.faces), 'PNG')} in {folder}")


@main.command(name="build")
@PATHS
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("out"), show_default=True)
@reporting
def build_command(paths: tuple[Path, ...], out: Path) -> None:
    """Make everything that the sets declare, as far as it is stale: PNG cards and duplex sheets.

    A card file stands for its whole set here.
    """
    from render import build

    found = chosen(tuple(path.parent if path.is_file() else path for path in paths))
    check_folders_differ(found)
    for card_set, faces in found:
        built = build.build(card_set, faces, out)
        made = f"{many(built.pngs, 'PNG')} and {many(built.sheets, 'sheet')} in {built.folder}"
        removed = f", {built.removed} removed" if built.removed else ""
        say(f"{card_set.name}: {made} ({built.written} written, {built.unchanged} unchanged{removed})")


for command in (pdf, shop, table, cut, calibrate, verify, preflight, migrate, explain, deck, edition):
    main.add_command(command)
