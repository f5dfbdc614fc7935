"""Problems already reported, so that none is repeated, and that its end is reported, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from render.base.findings import Diagnostic, Severity, counted, plural

_MAX_LINES = 5  # lines about problems that are gone, for one subject at a time


class ProblemLog:
    """Remembers what is wrong or doubtful about each subject.

    The same problem at another line counts as the same, since lines move while somebody writes.
    """

    def __init__(self) -> None:
        self._standing: dict[str, list[Diagnostic]] = {}
        self._hidden: dict[str, list[Diagnostic]] = {}

    def stand(self, about: str) -> bool:
        """Return whether a problem of the subject is still there."""
        return bool(self._standing.get(about) or self._hidden.get(about))

    def drop(self, about: str) -> None:
        """Forget a subject that no longer exists."""
        self._standing.pop(about, None)
        self._hidden.pop(about, None)

    def update(self, about: str, findings: Iterable[Diagnostic], *, stopped: bool = True) -> list[str | Diagnostic]:
        """Take all current problems of a subject, and return what is new to print.

        An error hides others: what it may hide is not reported as gone while there is one. An error that `stopped`
        nothing hides nothing.
        """
        now = counted(findings)
        before, hidden = self._standing.get(about, []), self._hidden.get(about, [])
        errors = sum(each.severity is Severity.ERROR for each in now) if stopped else 0
        known = before if errors else [*hidden, *before]
        new, missing = _beyond(now, known), _beyond(known, now)
        self._standing[about] = now
        if not errors:
            self._hidden[about] = []
            fixed = [f"fixed: {_anywhere(each)}" for each in missing]
            if len(fixed) > _MAX_LINES:
                fixed = [*fixed[: _MAX_LINES - 1], f"fixed: {len(fixed) - _MAX_LINES + 1} more"]
            return [*fixed, *new]
        self._hidden[about] = [*_beyond(hidden, now), *missing]
        if not new and not missing:
            return []
        return [*new, f"{plural(errors, 'error')}{'' if new else ' left'}"]


def _beyond(some: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the items that occur more often than in the others, each as often as that.

    Of equal ones at other lines, those that did not move are matched first.
    """
    left = list(others)
    moved = []
    for each in some:
        if each in left:
            left.remove(each)
        else:
            moved.append(each)
    counts = Counter(map(_anywhere, left))
    beyond = []
    for each in moved:
        if counts[_anywhere(each)]:
            counts[_anywhere(each)] -= 1
        else:
            beyond.append(each)
    return beyond


def _anywhere(finding: Diagnostic) -> str:
    """Return a finding without its severity and its line, as it is called when it is gone."""
    span = finding.span
    place = f"{f'{span.file}, {span.cell}' if span.cell else span.file}: " if span else ""
    return f"{place}{finding.message}{f' [{finding.code}]' if finding.code else ''}"
