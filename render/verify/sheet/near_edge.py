"""How near to the edge of the paper corrected pages are printed: printers leave some of it white.

A correction moves the drawing towards an edge so that it lands where it belongs, and the printer may not print there.
Faces are measured by their places; all else is drawn and looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from render.base.findings import Problem, Severity
from render.sheets.options import MIN_MARGIN
from render.verify.faces.drawn import DrawnPage
from render.verify.reading.faults import Fault, mm
from render.verify.reading.ticket import Ticket
from render.verify.sheet.edges import printed_within
from render.verify.sheet.pages import NEAR

_PIXEL = 0.2  # mm: the resolution of looking

_HELPS = "make it again with `kotc pdf --printer`, which moves the cards, with a smaller `--grid`, or on larger paper"


def near_edges(file: Path, shown: Mapping[int, DrawnPage], ticket: Ticket) -> Iterator[Fault]:
    """Yield the pages on which something is nearer to the edge than printers print; `shown` are pages by number.

    These are the pages that are corrected, or moved because others are. If a narrower margin was asked for and nothing
    is moved, that margin is the limit.
    """
    limit = MIN_MARGIN if any(ticket.offset) else min(MIN_MARGIN, ticket.margin)
    nearest: dict[int, float] = {}
    for number, page in shown.items():
        if not page.faces:
            continue
        at, edge = _nearest(page, ticket)
        nearest[number] = at
        if at < limit - NEAR:
            yield _fault(number, "cards are", at, edge, limit)
    for number, at, edge in printed_within(file, shown, limit):
        if at < nearest.get(number, limit) - _PIXEL:
            yield _fault(number, "marks are", at, edge, limit)


def _fault(number: int, what: str, at: float, edge: str, limit: float) -> Fault:
    where = f"{mm(max(at, 0.0))} mm from the {edge} edge" if at > -NEAR else f"{mm(-at)} mm beyond the {edge} edge"
    white = f"most printers leave {limit:g} mm white" if limit == MIN_MARGIN else f"{limit:g} mm are to stay white"
    return Fault(Problem("I001", f"{what} printed {where}, and {white}", _HELPS, Severity.WARNING), number)


def _nearest(page: DrawnPage, ticket: Ticket) -> tuple[float, str]:
    """Return how near the faces with their bleed come to an edge of the page, and to which edge."""
    points = [point for face in page.faces for point in face.window]
    xs, ys, paper = [x for x, _ in points], [y for _, y in points], ticket.paper
    right, bottom = paper.width - max(xs), paper.height - max(ys)
    return min((min(xs), "left"), (min(ys), "top"), (right, "right"), (bottom, "bottom"))
