"""What was complained of, so that the same is not said again, and that it is said when it is mended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_NEXT = re.compile(r"\n(?! )")  # what belongs to a complaint is indented
_PLACE = re.compile(r":\d+:\d+: (?=error: |warning: )")
_SEVERITY = re.compile(r"(?:error|warning): ")
_ERROR = re.compile(r"(?:.*?: )?error: ")

_MAX_LINES = 5  # lines that tell what was mended, of one thing at a time


class Complaints:
    """Remembers what is wrong or doubtful about each thing. Complaints are those of `findings.as_text`.

    The same complaint at another line is the same: lines move while somebody writes.
    """

    def __init__(self) -> None:
        self._standing: dict[str, list[str]] = {}
        self._hidden: dict[str, list[str]] = {}

    def stand(self, about: str) -> bool:
        """Whether something is left that has to be said to be mended."""
        return bool(self._standing.get(about) or self._hidden.get(about))

    def drop(self, about: str) -> None:
        """Forget what is not there any more."""
        self._standing.pop(about, None)
        self._hidden.pop(about, None)

    def hear(self, about: str, text: str, *, stopped: bool = True) -> list[str]:
        """Take all that is complained of now, and return what is new to say.

        An error hides others: what it may hide is not said to be mended until there is none. One that `stopped`
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
    """Return those that are not among the others, each as often as it is there more often than in the others.

    Of the same ones at other lines, those go first that did not move.
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
    """Return the complaint without its line and without the picture of it."""
    return _PLACE.sub(": ", block.split("\n", 1)[0], count=1)


def _mended(blocks: list[str]) -> list[str]:
    lines = [f"fixed: {_SEVERITY.sub('', _key(block), count=1)}" for block in blocks]
    return (
        lines if len(lines) <= _MAX_LINES else [*lines[: _MAX_LINES - 1], f"fixed: {len(lines) - _MAX_LINES + 1} more"]
    )
