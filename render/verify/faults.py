"""What is wrong in a file, page by page and card by card, and in words: the same fault of many as one finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from render.base.findings import Finding, Problem, Refused, Severity, Span, quoted
from render.base.geometry import MAX_DISTANCE

NEAR = 0.01  # mm: what places in a file may differ from where they should be
SEEN = 0.03  # mm: what they may be seen to differ in pictures, where a file does not say its places
MAX_NAMED = 3  # cards, pages or differences that a message names; the others are counted
MAKE_AGAIN = "make it again with `kotc pdf`"


class Fault(NamedTuple):
    """Something wrong: a code and a message, the page (0: the file), the card, its side, and its slot in words.

    `kind` is for faults of a card whose messages vary, such as how far it is off: many of one kind on a page are
    counted. Without it, each message is a kind of its own.
    """

    code: str
    message: str
    page: int = 0
    card: str = ""
    is_back: bool = False
    slot: str = ""
    kind: str = ""
    hint: str = ""
    severity: Severity = Severity.ERROR


class NotReadable(Refused):
    """A file cannot be judged, for the reason in `fault`."""

    def __init__(self, code: str, why: str, hint: str = "") -> None:
        self.fault = Fault(code, why, hint=hint)
        super().__init__(fault_findings([self.fault], None))


def mm(length: float) -> str:
    """Return a length to a hundredth of a mm, without needless zeros: `0.05`, `63.5`."""
    return f"{length:.2f}".rstrip("0").rstrip(".") if abs(length) < MAX_DISTANCE else "very many"


def off(dx: float, dy: float, near: float = NEAR) -> str:
    """Return how far something is from its place, in words; "" if it is there."""
    ways = ((dx, "too far left", "too far right"), (dy, "too high", "too low"))
    return " and ".join(
        f"{mm(abs(by))} mm {less if by < 0 else more}" for by, less, more in ways if not abs(by) <= near
    )


def fault_findings(faults: Iterable[Fault], file: Path | None) -> list[Finding]:
    """Return the faults of a file, or of several together, as findings: the same of many cards or pages is one."""
    groups: dict[tuple[object, ...], dict[str, list[Fault]]] = {}
    for fault in faults:
        key = fault.code, fault.kind or fault.message, fault.page if fault.card else 0, fault.is_back
        groups.setdefault(key, {}).setdefault(fault.message, []).append(fault)
    findings = []
    for ways in groups.values():
        first, *others = ways.values()
        if len(others) < MAX_NAMED or not first[0].card or not first[0].page:
            findings += [_finding(group, file) for group in ways.values()]
        else:
            findings.append(_finding(first, file, f"; and {len(others)} more in other ways"))
    return findings


def _finding(group: Sequence[Fault], file: Path | None, more: str = "") -> Finding:
    first = group[0]
    pages = [str(page) for page in sorted({fault.page for fault in group if fault.page})]
    cards = list(dict.fromkeys(fault.card for fault in group if fault.card))
    where = f"page{'s' if len(pages) > 1 else ''} {_named(pages)}: " if pages else ""
    of = f"the back{'s' if len(cards) > 1 else ''} of " if first.is_back else ""
    subject = f"{of}{_named([quoted(card) for card in cards])}: " if cards else ""
    slot = f", in {first.slot}" if first.slot and len(group) == 1 else ""
    problem = Problem(first.code, f"{where}{subject}{first.message}{slot}{more}", first.hint, first.severity)
    return problem.at(Span(file=file) if file else None, cards[0] if len(cards) == 1 else "")


def _named(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`."""
    shown = list(words[:MAX_NAMED])
    if len(words) > MAX_NAMED:
        return f"{', '.join(shown)} and {len(words) - MAX_NAMED} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
