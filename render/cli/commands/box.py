"""The command `box`: a tuck box for a set or a deck."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.base.findings import Refused, did_you_mean, plural
from render.cli.command import kotc_command
from render.cli.console import say_findings
from render.cli.options import PIECE_KEYS, Asked, SheetCommand, length_flag, sheet_flags_of
from render.cli.selection import (
    CardSelection,
    Chosen,
    out_option,
    pdf_file,
    place_outputs,
    wanted_cards,
    write_pieces,
)

if TYPE_CHECKING:
    from render.exports.box_files import Piece
    from render.exports.print_files import SizedJob
    from render.game.faces import Faces
    from render.scene.items import Scene


@kotc_command(
    cls=SheetCommand,
    examples=(
        "kotc box cards/starter",
        "kotc box cards/starter --cards 60 --sleeves 0.1 --front wharf-cat",
    ),
    is_timed=True,
)
@out_option("File for the box; its cuts go beside it.  [default: out/<set>/box.pdf]", callback=pdf_file)
@click.option("--cards", "count", type=click.IntRange(1, 9999), help="Hold N cards.  [default: all copies]")
@length_flag("--thickness", 0.05, 5, "Thickness of a card; measure ten and divide.  [default: 0.3]")
@click.option(
    "--gsm",
    type=click.IntRange(40, 1000),
    help="Weight of a card's paper in g/m2, instead of its thickness: 300 for 0.3 mm, as coated boards have it.",
)
@length_flag("--sleeves", 0.01, 0.5, "Thickness of a sleeve's film, such as 0.1, if the cards are in sleeves.")
@length_flag("--clearance", 0, 5, "Space left free in each direction.  [default: 1]")
@click.option(
    "--front",
    metavar="NAME",
    help="What the front shows: a card by its id, or a template or a picture as `back` names them; or none.  "
    "[default: the first card]",
)
@wanted_cards
@sheet_flags_of(PIECE_KEYS)
def box(
    asked: Asked,
    wanted: CardSelection,
    out: Path | None,
    count: int | None,
    thickness: float | None,
    gsm: int | None,
    sleeves: float | None,
    clearance: float | None,
    front: str | None,
) -> None:
    """Make a tuck box for cards, to print, cut, fold and glue.

    It is as deep as all copies of the cards are thick. Its back shows the back of the cards, and its sides have the name
    of the set. Cards of several sizes get a box for each size.
    """
    from render.exports.box_files import BOLD, box_piece
    from render.exports.print_files import printable_title
    from render.game.faces import own_letters
    from render.sheets.tuck_box import CARD_STOCK, CLEARANCE, SPECIFIC_VOLUME, room_for, tuck_box

    if gsm and thickness:
        raise click.UsageError("--gsm and --thickness say the same: give one of them")
    each = (gsm * SPECIFIC_VOLUME / 1000 if gsm else thickness or CARD_STOCK) + 2 * (sleeves or 0.0)
    free = CLEARANCE if clearance is None else clearance

    def draw(part: SizedJob, group: Chosen) -> tuple[Sequence[Piece], str, Sequence[str]]:
        faces = part.job.faces
        number = count or sum(face.card.copies for face in faces)
        if count and len(faces) < sum(len(drawn.faces) for _, drawn in group):
            raise ValueError("the cards have several sizes: for --cards, choose those of one with --kind or --where")
        room = room_for(part.options.card_size, number * each, free, sleeved=bool(sleeves))
        panels = {"front": _front(front, group, faces), "back": faces[0].back}
        letters = own_letters(group[0][0], BOLD)
        title = printable_title(part.job.sets, letters)
        piece = box_piece(tuck_box(room), panels, title, part.options.bleed_from, letters)
        return (
            [piece],
            f"box for {plural(number, 'card')}",
            [
                f"inside {room}, for cards {each:.3g} mm thick{' in sleeves' if sleeves else ''},"
                f" {free:g} mm free in each direction",
                "print at 100 % (actual size), one side, on paper of 200 to 300 g/m2; cut along the lines, fold the dashed ones",
            ],
        )

    chosen = replace(wanted, language=wanted.language or "").chosen(asked.get("card_size"))
    write_pieces(place_outputs(chosen, out, "box.pdf"), asked, draw)


def _front(name: str | None, group: Chosen, faces: Sequence[Faces]) -> Scene | None:
    """Return what the front of a box shows: the face of a card, or what a template or a picture draws; wrong usage if neither."""
    from render.game.cards import NO_BACK
    from render.game.faces import lay_out_named

    if name is None or name == NO_BACK:
        return None if name else faces[0].front
    of_group = {each.card.id: each.front for _, drawn in group for each in drawn.faces}
    if name in of_group:
        return of_group[name]
    card = faces[0].card
    card_set = next(card_set for card_set, drawn in group if any(each is faces[0] for each in drawn.faces))
    scene, findings = lay_out_named(card_set, card, name)
    if any(finding.code in _UNKNOWN for finding in findings):
        hint = did_you_mean(name, of_group)
        message = f"there is no card, template or picture `{name}`{f': {hint}' if hint else ''}"
        raise click.BadParameter(message, param_hint="--front")
    if scene is None:
        raise Refused(findings)
    say_findings(findings)
    return scene


_UNKNOWN = "T001", "A001"  # codes of a template and of a picture that is not there
