"""Copies: every card as often as it should be there, all copies alike, cards with the same back showing the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from render.base.findings import Problem
from render.verify.reading.faults import Fault
from render.verify.reading.ticket import Ticket

TWIN = ":"  # cards of several sets with the same id are told apart in a file: `thor` and `thor:2`


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFace:
    """A face somewhere in the files of a job: its file, its page, and how it is drawn.

    `back` is a mark shared by backs that should be equal; None for a front.
    """

    file: int
    page: int
    card: str
    is_back: bool
    back: str | None
    drawing: bytes


def by_ticket(found: Iterable[str], ticket: Ticket, *, are_backs: bool) -> Iterator[Fault]:
    """Yield which cards are not among the fronts, or the backs, of a file as often as its ticket says."""
    wanted = {name: 0 if are_backs and card.back is None else card.copies for name, card in ticket.cards.items()}
    yield from _differences(Counter(found), wanted, "the ticket of the file", are_backs=are_backs)


def missing(ticket: Ticket) -> Iterator[Fault]:
    """Yield which cards of a file are marked blanks, since they had an error."""
    for name in ticket.missing:
        hint = "mend what `kotc check` says of the card, and make the sheets again"
        yield Fault(Problem("Q060", "it had an error, and a marked blank is in its place", hint), card=name)


def by_set(found: Iterable[str], wanted: Mapping[str, int]) -> Iterator[Fault]:
    """Yield which cards are not among the fronts of all files as often as the card files say."""
    yield from _differences(Counter(name.partition(TWIN)[0] for name in found), wanted, "the set", are_backs=False)


def alike(shown: Iterable[ShownFace]) -> Iterator[tuple[ShownFace, Fault]]:
    """Yield faces that should be equal and are not, and backs that should differ and do not."""
    fronts: dict[str, list[ShownFace]] = {}
    backs: dict[str, list[ShownFace]] = {}
    for face in shown:
        if not face.is_back:
            fronts.setdefault(face.card, []).append(face)
        elif face.back is not None:
            backs.setdefault(face.back, []).append(face)
    for same in fronts.values():
        yield from _strangers(same, "not drawn like the other copies")
    for same in backs.values():
        yield from _strangers(same, "not drawn like the other backs that are to be the same")
    yield from _confused(backs)


def _differences(found: Mapping[str, int], wanted: Mapping[str, int], by: str, *, are_backs: bool) -> Iterator[Fault]:
    for name in sorted({*found, *wanted}):
        here, due = found.get(name, 0), wanted.get(name)
        there = "missing" if here == 0 else f"there {_times(here)}"
        if due is None:
            yield Fault(Problem("Q060", f"{by} has no such card"), card=name, is_back=are_backs)
        elif here != due:
            yield Fault(Problem("Q060", f"{there}, and {by} has it {_times(due)}"), card=name, is_back=are_backs)


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _strangers(same: Sequence[ShownFace], what: str) -> Iterator[tuple[ShownFace, Fault]]:
    """Yield the faces that differ from most of those that should be equal to them."""
    usual = _usual(same)
    for face in same:
        if face.drawing != usual:
            yield face, Fault(Problem("Q060", what), face.page, card=face.card, is_back=face.is_back)


def _confused(backs: Mapping[str, Sequence[ShownFace]]) -> Iterator[tuple[ShownFace, Fault]]:
    """Yield the first of each group of backs that show what another group shows, and should not."""
    owners: dict[bytes, ShownFace] = {}
    for same in backs.values():
        owner = owners.setdefault(_usual(same), same[0])
        if owner is not same[0]:
            what = f"drawn like the back of `{owner.card[:60]}`, and to be another"
            yield same[0], Fault(Problem("Q060", what), same[0].page, card=same[0].card, is_back=True, kind="confused")


def _usual(same: Sequence[ShownFace]) -> bytes:
    """Return what most of the faces show; of equally many, what comes first."""
    return Counter(face.drawing for face in same).most_common(1)[0][0]
