"""The sheets of a set as they will be printed: both sides, with faces, backs and marks."""

from __future__ import annotations

from render.base.findings import plural
from render.exports.print_files import PrintJob, sheet_pages, sheets
from render.game.cards import GameSet
from render.game.faces import Faces
from render.preview.board import Told
from render.preview.drawings import Drawings
from render.sheets.options import SheetOptions

MAX_SHEETS = 200  # of a set that are shown: a browser would hold no more pictures of pages


def sheet_sides(card_set: GameSet, faces: tuple[Faces, ...], drawings: Drawings) -> Told:
    """Return what the page tells of a set's sheets; `wrong` says why there are none."""
    job = PrintJob((card_set,), faces)
    if not any(face.card.copies for face in faces):
        return {"wrong": "no card has a copy to print", "sides": []}
    try:
        imposed = sheets(job, card_set.sheet)
    except ValueError as error:
        return {"wrong": str(error), "sides": []}
    pages = sheet_pages(job, imposed)
    sides = []
    for number, sheet in enumerate(pages[:MAX_SHEETS], start=1):
        for page, side in zip(sheet, ("front", "back"), strict=False):
            cards = list(dict.fromkeys(placement.name for placement in page.placements))
            sides.append(
                {
                    "picture": drawings.show(page),
                    "sheet": number,
                    "side": side,
                    "width": page.size.width,
                    "height": page.size.height,
                    "cards": cards,
                }
            )
    about = f"{plural(len(pages), 'sheet')} of {_paper_words(imposed.grid.options)}"
    return {"about": about, "sides": sides, "more": max(0, len(pages) - MAX_SHEETS), "wrong": ""}


def _paper_words(options: SheetOptions) -> str:
    """Return the size of the paper in words, and the edge on which sheets turn."""
    return f"{options.page.width:g} × {options.page.height:g} mm, flipped on the {options.flip.value.replace('-', ' ')}"
