"""The command line: arguments, printing, exit codes. What the commands need is imported when they run.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font).
"""

from __future__ import annotations

import gc
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render import __version__
from render.cli_deck import deck
from render.cli_edition import edition
from render.cli_explain import explain
from render.cli_rules import legality_findings, migrate
from render.console import DONE, ERRORS, count, many, paper_size, reporting, say

if TYPE_CHECKING:
    from render.diag import Diagnostic
    from render.games.kotc.cards import CardSet
    from render.games.kotc.faces import Drawn
    from render.geometry import Flip, Size
    from render.sheets import Job, SheetOptions


_PATHS = click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")


class _Number(click.FloatRange):
    """A number within bounds; `nan` is none, although it is within all of them."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


_CARDS = click.option("--card", "ids", multiple=True, metavar="ID", help="Only this card; can be given several times.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kotc")
def main() -> None:
    """Turn hand-written YAML into printed cards for Keeper of the Cards.

    A PATH is the folder of a set, a card file, or a folder of sets; without one it is the folder `cards`.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing


@main.command()
@_PATHS
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
        sets, findings = _loaded(paths)
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
@_PATHS
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder.  [default: out/<set>/png]")
@click.option("--dpi", type=_Number(72, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", type=_Number(0, 5), default=0, show_default=True, help="mm around the trim.")
@_CARDS
@reporting
def png(paths: tuple[Path, ...], out: Path | None, dpi: float, bleed: float, ids: tuple[str, ...]) -> None:
    """Draw one PNG of each card."""
    from render import build
    from render.png import Canvas

    chosen = _chosen(paths, ids)
    (_check_ids_differ if out else _check_folders_differ)(chosen)
    for card_set, drawn in chosen:
        folder = out or _default_folder(card_set) / "png"
        build.write(build.png_outputs(drawn.faces, folder, Canvas(dpi, bleed)))
        say(f"{card_set.name}: {many(len(drawn.faces), 'PNG')} in {folder}")


@main.command()
@_PATHS
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File.  [default: out/<set>/sheets.pdf, one a set]"
)
@click.option("--paper", metavar="a4|letter|WxH", help="Paper, WxH in mm.  [default: the set's]")
@click.option("--flip", type=click.Choice(["long-edge", "short-edge"]), help="How the printer turns the paper.")
@_CARDS
@reporting
def pdf(paths: tuple[Path, ...], out: Path | None, paper: str | None, flip: str | None, ids: tuple[str, ...]) -> None:
    """Lay cards out on duplex sheets: the right back behind each card, in the right size."""
    from render.files import replace_file
    from render.geometry import Flip
    from render.sheets import print_sheets

    size, edge = paper_size(paper), Flip(flip) if flip else None
    chosen = _chosen(paths, ids)
    if out is None:
        _check_folders_differ(chosen)
    groups = [chosen] if out else [[one] for one in chosen]
    printings = [_printing(group, size, edge) for group in groups]
    for job, options, number in printings:
        file = out or _default_folder(job.sets[0]) / "sheets.pdf"
        replace_file(file, print_sheets(job, options))
        say(f"{job.title}: {many(number, 'sheet')} in {file}")
        say(f"  print at 100 % (actual size), both sides, flipped on the {options.flip.value.replace('-', ' ')}")


@main.command(name="build")
@_PATHS
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("out"), show_default=True)
@reporting
def build_command(paths: tuple[Path, ...], out: Path) -> None:
    """Make everything that the sets declare, as far as it is stale: PNG cards and duplex sheets.

    A card file stands for its whole set here.
    """
    from render import build

    chosen = _chosen(tuple(path.parent if path.is_file() else path for path in paths))
    _check_folders_differ(chosen)
    for card_set, faces in chosen:
        built = build.build(card_set, faces, out)
        made = f"{many(built.pngs, 'PNG')} and {many(built.sheets, 'sheet')} in {built.folder}"
        removed = f", {built.removed} removed" if built.removed else ""
        say(f"{card_set.name}: {made} ({built.written} written, {built.unchanged} unchanged{removed})")


Chosen = list[tuple["CardSet", "Drawn"]]


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """All sets with the faces of their cards, and the warnings about them."""

    sets: Chosen
    findings: tuple[Diagnostic, ...]


def _laid_out(paths: tuple[Path, ...]) -> _LaidOut:
    """Load and lay out all sets; Refused with the findings of all of them."""
    from render.diag import Refused, has_errors
    from render.games.kotc.faces import draw

    sets, findings = _loaded(paths)
    drawn: Chosen = []
    for card_set in sets:
        try:
            faces = draw(card_set)
        except Refused as error:
            findings += error.findings
            continue
        drawn.append((card_set, faces))
        findings += faces.findings
    if has_errors(findings):
        raise Refused(findings)
    return _LaidOut(drawn, tuple(findings))


def _loaded(paths: tuple[Path, ...]) -> tuple[list[CardSet], list[Diagnostic]]:
    """Load all sets that could be read, with all findings; wrong usage if there is nothing at a path."""
    from render.games.kotc.load import survey

    if not paths and not Path("cards").is_dir():
        raise click.UsageError("there is no folder `cards` here: give the folder of a set or a card file")
    for path in paths:
        if not path.exists():
            raise click.BadParameter(f"`{path}` does not exist", param_hint="PATH")
    return survey(paths or (Path("cards"),))


def _chosen(paths: tuple[Path, ...], ids: tuple[str, ...] = ()) -> Chosen:
    """Lay out all sets, say what is doubtful, and keep the cards named by --card, if any are named."""
    from render.diag import as_text, did_you_mean, listed
    from render.games.kotc.faces import Drawn

    laid_out = _laid_out(paths)
    known = [face.card.id for _, drawn in laid_out.sets for face in drawn.faces]
    unknown = [wanted for wanted in ids if wanted not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise click.BadParameter(
            f"there is no card {listed(unknown)}{f': {hint}' if hint else ''}", param_hint="--card"
        )
    if laid_out.findings:
        say(as_text(laid_out.findings))
    if not ids:
        return laid_out.sets
    kept = [
        (card_set, Drawn(tuple(face for face in drawn.faces if face.card.id in ids), drawn.findings))
        for card_set, drawn in laid_out.sets
    ]
    return [(card_set, drawn) for card_set, drawn in kept if drawn.faces]


def _check_folders_differ(chosen: Chosen) -> None:
    """Refuse two sets whose folders have the same name: each would write over what the other wrote."""
    seen: dict[str, Path] = {}
    for card_set, _ in chosen:
        name = card_set.folder.resolve().name
        other = seen.setdefault(name, card_set.folder)
        if other != card_set.folder:
            message = (
                f"`{other}` and `{card_set.folder}` would both be written to `{name}`: make them one after the other"
            )
            raise click.UsageError(f"{message}, with --out")


def _printing(group: Chosen, paper: Size | None, flip: Flip | None) -> tuple[Job, SheetOptions, int]:
    """Return what goes onto the sheets of one file, how, and on how many; wrong usage if that cannot be."""
    from render.sheets import Job, shared_options, sheets

    job = Job(tuple(card_set for card_set, _ in group), tuple(face for _, drawn in group for face in drawn.faces))
    options = shared_options(job.sets, paper, flip)
    if options is None:
        raise click.UsageError("the sets ask for different sheets: choose with --paper and --flip")
    if not any(face.card.copies for face in job.faces):
        raise click.UsageError(f"{job.title}: no card has a copy to print")
    try:
        return job, options, len(sheets(job, options)[1])
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_ids_differ(chosen: Chosen) -> None:
    """Refuse two sets that have the same card, if all go into one folder."""
    seen: dict[str, CardSet] = {}
    for card_set, drawn in chosen:
        for face in drawn.faces:
            other = seen.setdefault(face.card.id, card_set)
            if other is not card_set:
                both = f"`{other.name}` and `{card_set.name}` both have a card `{face.card.id}`"
                raise click.UsageError(f"{both}: give them folders of their own")


def _default_folder(card_set: CardSet) -> Path:
    return Path("out") / card_set.folder.resolve().name


for command in (migrate, explain, deck, edition):
    main.add_command(command)
