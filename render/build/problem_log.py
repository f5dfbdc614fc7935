"""Problems already reported, so that none is repeated, and that its end is reported, too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_NEXT = re.compile(r"\n(?! )")  # indented lines belong to the problem above
_PLACE = re.compile(r":\d+:\d+: (?=error: |warning: )")
_SEVERITY = re.compile(r"(?:error|warning): ")
_ERROR = re.compile(r"(?:.*?: )?error: ")

_MAX_LINES = 5  # lines about problems that are gone, for one subject at a time


class ProblemLog:
    """Remembers what is wrong or doubtful about each subject, as `findings.as_text` prints it.

    The same problem at another line counts as the same, since lines move while somebody writes.
    """

    def __init__(self) -> None:
        self._standing: dict[str, list[str]] = {}
        self._hidden: dict[str, list[str]] = {}

    def stand(self, about: str) -> bool:
        """Return whether a problem of the subject is still there."""
        return bool(self._standing.get(about) or self._hidden.get(about))

    def drop(self, about: str) -> None:
        """Forget a subject that no longer exists."""
        self._standing.pop(about, None)
        self._hidden.pop(about, None)

    def update(self, about: str, text: str, *, stopped: bool = True) -> list[str]:
        """Take all current problems of a subject, and return what is new to print.

        An error hides others: what it may hide is not reported as gone while there is one. An error that `stopped`
        nothing hides nothing.
        """
        now = [block for block in _NEXT.split(text) if block]
        before, hidden = self._standing.get(about, []), self._hidden.get(about, [])
        errors = sum(bool(_ERROR.match(block)) for block in now) if stopped else 0
        known = before if errors else [*hidden, *before]
        new, missing = _beyond(now, known), _beyond(known, now)
        self._standing[about] = now
        if not errors:
            self._hidden[about] = []
            return [*_mended(missing), *new]
        self._hidden[about] = [*_beyond(hidden, now), *missing]
        if not new and not missing:
            return []
        return [*new, f"{errors} error{'s' if errors > 1 else ''}{'' if new else ' left'}"]


def _beyond(some: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the items that occur more often than in the others, each as often as that.

    Of equal ones at other lines, those that did not move are matched first.
    """
    left = list(others)
    moved = []
    for block in some:
        if block in left:
            left.remove(block)
        else:
            moved.append(block)
    counts = Counter(map(_key, left))
    beyond = []
    for block in moved:
        if counts[_key(block)]:
            counts[_key(block)] -= 1
        else:
            beyond.append(block)
    return beyond


def _key(block: str) -> str:
    """Return the problem without its line and its excerpt."""
    return _PLACE.sub(": ", block.split("\n", 1)[0], count=1)


def _mended(blocks: list[str]) -> list[str]:
    lines = [f"fixed: {_SEVERITY.sub('', _key(block), count=1)}" for block in blocks]
    return (
        lines if len(lines) <= _MAX_LINES else [*lines[: _MAX_LINES - 1], f"fixed: {len(lines) - _MAX_LINES + 1} more"]
    )
