"""Backs: on the right side of the paper, each opposite the front of its own card."""

from __future__ import annotations

import math
from collections.abc import Iterator

from render.base.findings import Problem
from render.verify.faces.drawn import DrawnPage
from render.verify.reading.faults import Fault
from render.verify.sheet.pages import NEAR
from render.verify.sheet.places import Block, FaceInSlot, SheetSide, slot_name


def faces_on_wrong_side(number: int, page: DrawnPage, *, is_back_page: bool, is_fold: bool) -> Iterator[Fault]:
    """Yield which faces are on the wrong side of the paper. A fold-over sheet has both on one side."""
    for face in page.faces:
        if face.is_back is not is_back_page and not is_fold:
            belongs = "a front where backs belong" if is_back_page else "a back where fronts belong"
            yield Fault(Problem("Q050", belongs), number, card=face.name)


def opposite(front: SheetSide, back: SheetSide, block: Block) -> Iterator[Fault]:
    """Yield the fronts whose own back is not opposite them, seen through the sheet."""
    for number in sorted({*front.faces_by_slot, *back.faces_by_slot}):
        face, behind = front.faces_by_slot.get(number), back.faces_by_slot.get(number)
        slot, slot_of_back = (slot_name(block.ticket, number, is_back=is_back) for is_back in (False, True))
        if face is None:
            assert behind is not None
            yield Fault(
                Problem("Q050", "behind no front"), back.page, card=behind.face.name, is_back=True, slot=slot_of_back
            )
        elif behind is None:
            card = block.ticket.cards.get(face.face.name)
            if card is not None and card.back is not None:
                yield Fault(Problem("Q050", "no back behind it"), front.page, card=face.face.name, slot=slot)
        elif behind.face.name != face.face.name:
            what = f"behind it is the back of `{behind.face.name[:60]}`"
            yield Fault(Problem("Q050", what), front.page, card=face.face.name, slot=slot, kind="another's")
        elif face.is_right and behind.is_right and (apart := _apart(face, behind, block)) > NEAR:
            what = f"{apart:.3f} mm from where its front is"
            yield Fault(
                Problem("Q050", what), back.page, card=behind.face.name, is_back=True, slot=slot_of_back, kind="apart"
            )


def _apart(front: FaceInSlot, back: FaceInSlot, block: Block) -> float:
    """Return how far a back lies from its front in mm, seen through the sheet."""
    return math.dist(front.box.center, block.through(back.box).center)
