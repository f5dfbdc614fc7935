"""The sheets of one or more sets: cards into slots, marks around them, pages into a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render import impose, marks, pdf
from render.games.kotc.cards import CardSet, ordinal
from render.games.kotc.faces import Faces
from render.geometry import POKER, Flip, Size


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The paper, and about which edge the printer turns it."""

    paper: Size
    flip: Flip


@dataclass(frozen=True, slots=True)
class Job:
    """What is printed on the same sheets: sets, and the faces of their cards in order."""

    sets: tuple[CardSet, ...]
    faces: tuple[Faces, ...]

    @property
    def title(self) -> str:
        """The names of the sets."""
        return ", ".join(card_set.name for card_set in self.sets)

    @property
    def editions(self) -> str:
        """The editions of the cards, as the slug names them: `11th and 17th Edition`; empty if none has any."""
        found = [ordinal(edition) for edition in sorted({face.card.edition or 0 for face in self.faces} - {0})]
        if not found:
            return ""
        return f"{' and '.join([', '.join(found[:-1]), found[-1]]) if len(found) > 1 else found[0]} Edition"


def sheets(job: Job, options: SheetOptions) -> tuple[impose.Grid, list[impose.Sheet]]:
    """Return the grid and the imposed sheets; ValueError if the paper holds no card."""
    grid = impose.fit_grid(options.paper, POKER)
    cards = [impose.Face(faces.front, faces.back, faces.card.copies) for faces in job.faces]
    return grid, impose.impose(cards, grid, options.flip)


def print_sheets(job: Job, options: SheetOptions) -> bytes:
    """Return the PDF: the front and the back of each sheet in turn."""
    grid, imposed = sheets(job, options)
    cuts, rule = marks.crop_marks(grid), marks.ruler(grid)
    pages = []
    for number, sheet in enumerate(imposed, start=1):
        words = " · ".join(filter(None, (job.title, job.editions, f"sheet {number} of {len(imposed)}")))
        front = (*cuts, *rule, *marks.slug(grid, f"{words} · front"))
        back = (*cuts, *marks.slug(grid, f"{words} · back"))
        pages += [pdf.Page(options.paper, sheet.front, front), pdf.Page(options.paper, sheet.back, back)]
    return pdf.write(pages, pdf.PdfOptions(job.title, options.flip))


def shared_options(sets: Sequence[CardSet], paper: Size | None, flip: Flip | None) -> SheetOptions | None:
    """Return what is asked for, else what the sets say; nothing if they say different things."""
    papers = {paper} if paper else {card_set.paper for card_set in sets}
    flips = {flip} if flip else {card_set.flip for card_set in sets}
    if len(papers) != 1 or len(flips) != 1:
        return None
    return SheetOptions(papers.pop(), flips.pop())
