"""The command `deck`: checks a deck list, prints it, and makes its sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.console import DONE, ERRORS, count, many, paper_size, reporting, say

if TYPE_CHECKING:
    from render.games.kotc.deck import Deck
    from render.geometry import Flip, Size
    from render.sheets import Job


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--pdf", type=click.Path(path_type=Path, dir_okay=False), help="Write its sheets to this file.")
@click.option("--paper", metavar="a4|letter|WxH", help="Paper, WxH in mm.  [default: the sets']")
@click.option("--flip", type=click.Choice(["long-edge", "short-edge"]), help="How the printer turns the paper.")
@reporting
def deck(file: Path, pdf: Path | None, paper: str | None, flip: str | None) -> None:
    """Check a deck list by the rules of its edition, and print it.

    FILE is a deck file: `name`, `edition`, `sets` and `cards`.
    """
    from render.diag import as_text, has_errors
    from render.games.kotc import deck
    from render.geometry import Flip

    size, edge = paper_size(paper), Flip(flip) if flip else None
    checked = deck.read(file)
    click.echo(deck.as_text(checked.deck))
    if checked.findings:
        say(as_text(checked.findings))
        say(count(checked.findings))
    wrong = has_errors(checked.findings)
    if pdf and not wrong:
        _print(checked.deck, pdf, size, edge)
    sys.exit(ERRORS if wrong else DONE)


def _print(deck: Deck, file: Path, paper: Size | None, flip: Flip | None) -> None:
    """Write the sheets of a deck, each card as often as the deck has it."""
    from render.files import replace_file
    from render.sheets import print_sheets, shared_options, sheets

    options = shared_options(deck.sets, paper, flip)
    if options is None:
        raise click.UsageError("the sets ask for different sheets: choose with --paper and --flip")
    job = _job(deck)
    try:
        number = len(sheets(job, options)[1])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    replace_file(file, print_sheets(job, options))
    say(f"{job.title}: {many(number, 'sheet')} in {file}")
    say(f"  print at 100 % (actual size), both sides, flipped on the {options.flip.value.replace('-', ' ')}")


def _job(deck: Deck) -> Job:
    """Lay out the cards of a deck in its order; Refused with the findings on all of them."""
    from render.diag import Diagnostic, Refused, as_text, has_errors
    from render.games.kotc.cards import CardSet
    from render.games.kotc.faces import Faces, draw
    from render.sheets import Job

    faces: dict[tuple[Path, str], Faces] = {}
    findings: list[Diagnostic] = []
    for card_set in deck.printed():
        try:
            drawn = draw(card_set)
        except Refused as error:
            findings += error.findings
            continue
        findings += drawn.findings
        faces |= {(card_set.folder, each.card.id): each for each in drawn.faces}
    if has_errors(findings):
        raise Refused(findings)
    if findings:
        say(as_text(findings))
    ordered = tuple(faces[entry.card_set.folder, entry.card.id] for entry in deck.entries)
    return Job((CardSet(deck.file.file.parent, deck.name),), ordered)
