"""The command `deck`: checks a deck list, prints it, and makes its sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.cli.command import kotc_command
from render.cli.commands.pdf import say_of_printer, write_sheets
from render.cli.console import DONE, ERRORS, describe_counts, say, say_findings, tell
from render.cli.options import Asked, SheetCommand, sheet_flags
from render.cli.selection import check_given, options_for, pdf_file

if TYPE_CHECKING:
    from render.exports.print_files import PrintJob
    from render.games.kotc.deck import Deck
    from render.sheets.options import SheetOptions


@kotc_command(cls=SheetCommand, examples=("kotc deck deck.yaml", "kotc deck deck.yaml --pdf deck.pdf"), is_timed=True)
@click.argument("file", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--pdf",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=pdf_file,
    help="File for the sheets of the deck.",
)
@sheet_flags
def deck(asked: Asked, file: Path | None, pdf: Path | None) -> None:
    """Check a deck list by the rules of its edition, and show it.

    FILE is a deck file with `name`, `edition`, `sets` and `cards`; the default is the deck in the folder where you are.
    --pdf makes the sheets of the deck, and all other options need it.
    """
    from render.base.findings import has_errors
    from render.game.folder import is_table
    from render.games.kotc import deck

    if pdf is None and asked:
        raise click.UsageError("options of sheets need --pdf, the file of the sheets")
    file = file or _deck_here()
    check_given([file], "FILE")
    if is_table(file):
        raise click.UsageError(f"`{file}` is a spreadsheet of cards, and a deck is a YAML file with `sets` and `cards`")
    checked = deck.read(file)
    tell(deck.as_text(checked.deck))
    if checked.findings:
        say_findings(checked.findings)
        say(describe_counts(checked.findings))
    wrong = has_errors(checked.findings)
    if pdf and not wrong:
        _print(checked.deck, pdf, asked)
    sys.exit(ERRORS if wrong else DONE)


def _deck_here() -> Path:
    """Return the deck of the folder where the user is; wrong usage if there is none, or more than one."""
    from render.base.findings import listed
    from render.game.folder import deck_files

    found = deck_files(Path())
    if len(found) == 1:
        return found[0]
    if not found:
        raise click.UsageError("there is no deck here: give its FILE")
    raise click.UsageError(f"which deck? Here are {listed([str(file) for file in found], 'and')}")


def _print(deck: Deck, file: Path, asked: Asked) -> None:
    """Write the sheets of a deck, each card as often as the deck has it."""
    options, printer = options_for([deck.card_set], asked)
    say_of_printer([(options, printer)])
    write_sheets(_job(deck, options), options, file, printer)


def _job(deck: Deck, options: SheetOptions) -> PrintJob:
    """Lay out the cards of a deck in its order; Refused with the findings about all of them."""
    from render.exports.print_files import PrintJob
    from render.game.cards import for_press
    from render.game.faces import lay_out_set

    sized = replace(deck.card_set, sheet=options)
    drawn = lay_out_set(for_press(sized) if options.for_press else sized)
    say_findings(drawn.findings)
    return PrintJob((deck.card_set,), drawn.faces)
