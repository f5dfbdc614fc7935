"""The order of pages in a file for a print shop: the card that each page should show, and its side."""

from __future__ import annotations

from collections.abc import Iterator

from render.base.findings import Problem
from render.verify.faces.drawn import DrawnPage
from render.verify.reading.faults import Fault
from render.verify.reading.ticket import Ticket


def in_order(page: DrawnPage, number: int, ticket: Ticket, *, is_back: bool) -> Iterator[Fault]:
    """Yield a fault if a page shows another card than the one whose turn it is; a missing back is a blank page."""
    assert ticket.shop is not None
    due = ticket.shop.order[(number - 1) // 2]
    for face in page.faces:
        if face.name != due:
            side = "back" if is_back else "front"
            what = Problem("Q050", f"where the {side} of `{due[:60]}` is to be")
            yield Fault(what, number, card=face.name, is_back=face.is_back, kind="order")
        card = ticket.cards.get(face.name)
        if face.is_back and card is not None and card.back is None and not face.is_blank:
            yield Fault(
                Problem("Q050", "something is drawn, and the card has no back"), number, card=face.name, is_back=True
            )
    if not page.faces:
        yield Fault(Problem("Q050", f"the {'back' if is_back else 'front'} of `{due[:60]}` is not on the page"), number)
