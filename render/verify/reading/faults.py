"""What is wrong in a file of sheets, page by page and card by card, and in words: the same fault of many as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from render.base.findings import Finding, Problem, Span, quoted
from render.base.geometry import MAX_DISTANCE

MAX_NAMED = 3
"""Cards, pages or differences that a message names; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something wrong: the problem, the page (0: the file), the card and its side.

    `slot` says in words where the card is. `kind` is for faults of a card whose messages vary, such as how far it is
    off: many of one kind on a page are counted. Without it, each message is a kind of its own.
    """

    problem: Problem = field(kw_only=False)
    page: int = field(default=0, kw_only=False)
    card: str = ""
    is_back: bool = False
    slot: str = ""
    kind: str = ""


MAKE_AGAIN = "make it again with `kotc pdf`"


class NotReadable(ValueError):
    """The file cannot be judged as one of sheets: the reason, and what can still be seen of it."""

    def __init__(self, code: str, why: str, hint: str = "", seen: Iterable[Fault] = ()) -> None:
        super().__init__(why)
        self.faults = (Fault(Problem(code, why, hint)), *seen)


def fault_findings(faults: Iterable[Fault], file: Path | None) -> list[Finding]:
    """Return the faults of a file, or of several together, as findings: the same of many cards or pages is one."""
    groups: dict[tuple[object, ...], list[Fault]] = {}
    for fault in faults:
        page, message = fault.page if fault.card else 0, fault.problem.message
        key = fault.problem.code, fault.kind or message, page, fault.is_back, message
        groups.setdefault(key, []).append(fault)
    alike: dict[tuple[object, ...], list[list[Fault]]] = {}
    for (*kind, _), group in groups.items():
        alike.setdefault(tuple(kind), []).append(group)
    return [finding for ways in alike.values() for finding in _findings(ways, file)]


def mm(length: float) -> str:
    """Return a length to a hundredth of a mm, without needless zeros: `0.05`, `63.5`."""
    return f"{length:.2f}".rstrip("0").rstrip(".") if abs(length) < MAX_DISTANCE else "very many"


def _findings(ways: Sequence[Sequence[Fault]], file: Path | None) -> list[Finding]:
    """Return findings for the cards of a page that are wrong in one respect: each difference, or the first of many."""
    first = ways[0]
    if len(ways) <= MAX_NAMED or not first[0].card or not first[0].page:
        return [_finding(group, file) for group in ways]
    return [_finding(first, file, f"; and {len(ways) - 1} more in other ways")]


def _finding(group: Sequence[Fault], file: Path | None, more: str = "") -> Finding:
    first = group[0]
    pages = [str(page) for page in sorted({fault.page for fault in group if fault.page})]
    cards = list(dict.fromkeys(fault.card for fault in group if fault.card))
    slot = f", in {first.slot}" if first.slot and len(group) == 1 else ""
    where = f"page{'s' if len(pages) > 1 else ''} {_named(pages)}: " if pages else ""
    card = cards[0] if len(cards) == 1 else ""
    span = Span(file=file) if file else None
    message = f"{where}{_subject(cards, first)}{first.problem.message}{slot}{more}"
    return replace(first.problem, message=message).at(span, card)


def _subject(cards: Sequence[str], fault: Fault) -> str:
    if not cards:
        return ""
    of = f"the back{'s' if len(cards) > 1 else ''} of " if fault.is_back else ""
    return f"{of}{_named([quoted(card) for card in cards])}: "


def _named(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`."""
    shown = list(words[:MAX_NAMED])
    if len(words) > MAX_NAMED:
        return f"{', '.join(shown)} and {len(words) - MAX_NAMED} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
