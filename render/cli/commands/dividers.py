"""The command `dividers`: dividers with tabs for the cards of sets and decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.options import PIECE_KEYS, Asked, SheetCommand, length_flag, sheet_flags_of
from render.cli.selection import (
    CardSelection,
    Chosen,
    out_option,
    outputs_here,
    pdf_file,
    place_outputs,
    wanted_cards,
    write_pieces,
)

if TYPE_CHECKING:
    from render.exports.box_files import Piece
    from render.exports.print_files import SizedJob

_PLACES = 3


@kotc_command(
    cls=SheetCommand,
    examples=(
        "kotc dividers cards/starter",
        "kotc dividers cards/starter --tab-name Draw --tab-name Discard --places 2",
    ),
    is_timed=True,
)
@out_option(
    "File for the dividers; their cuts go beside it.  [default: out/<set>/dividers.pdf, or out/dividers.pdf by set]",
    callback=pdf_file,
)
@click.option(
    "--by", type=click.Choice(("kind", "set")), default="kind", show_default=True, help="One divider for each of these."
)
@click.option("--tab-name", "names", multiple=True, metavar="TEXT", help="One with this name instead; repeatable.")
@click.option(
    "--places",
    "asked_places",
    type=click.IntRange(1, 9),
    help="Put tabs at N places in turn.  [default: 3, fewer on narrow cards]",
)
@length_flag("--tab", 5, 30, "Height of the tab above the cards.  [default: 8]")
@wanted_cards
@sheet_flags_of(PIECE_KEYS)
def dividers(
    asked: Asked,
    wanted: CardSelection,
    out: Path | None,
    by: str,
    names: tuple[str, ...],
    asked_places: int | None,
    tab: float | None,
) -> None:
    """Make dividers with tabs, to stand between cards.

    A divider is as large as a card, with a tab above it that has a name. Cards of several sizes get dividers of each
    size. For cards in sleeves, give the size of the sleeves: `--card-size 66x91`.
    """
    from render.exports.box_files import BOLD, divider_piece
    from render.game.faces import own_letters
    from render.sheets.tuck_box import LEAST_TAB, TAB, divider

    def draw(part: SizedJob, group: Chosen) -> tuple[Sequence[Piece], str, Sequence[str]]:
        card = part.options.card_size
        places = asked_places or max(1, min(_PLACES, int(card.width // LEAST_TAB)))
        if card.width / places < LEAST_TAB:
            raise ValueError(
                f"{plural(places, 'tab')} on a card of {card} would be narrower than {LEAST_TAB:g} mm; fewer --places make them wider"
            )
        notes = [(name, "") for name in names] or _counted(part, group, by)
        nets = [divider(card, tab or TAB, number % places, places) for number in range(len(notes))]
        letters = own_letters(group[0][0], BOLD)
        pieces = [divider_piece(net, name, note, letters) for net, (name, note) in zip(nets, notes, strict=True)]
        how = "print at 100 % (actual size), one side; cut along the lines"
        return pieces, f"{plural(len(pieces), 'divider')} of {nets[0].size}", [how]

    chosen = replace(wanted, language=wanted.language or "").chosen(asked.get("card_size"))
    outputs = place_outputs(chosen, out, "dividers.pdf")
    if by == "set" and not names and out is None:  # those of all sets lie on the same sheets
        outputs = [(chosen, outputs_here() / "dividers.pdf", outputs_here())]
    write_pieces(outputs, asked, draw)


def _counted(part: SizedJob, group: Chosen, by: str) -> list[tuple[str, str]]:
    """Return the names of kinds, or of sets, in order, each with how many cards it has."""
    from render.exports.print_files import printable_title
    from render.game.registry import game_of

    counts: Counter[str] = Counter()
    of_size = {id(face) for face in part.job.faces}
    for card_set, drawn in group:
        for card in (face.card for face in drawn.faces if id(face) in of_size):
            name = printable_title([card_set]) if by == "set" else game_of(card).facts(card).kind
            counts[name[:1].upper() + name[1:]] += card.copies
    return [(name, plural(number, "card")) for name, number in counts.items()]
