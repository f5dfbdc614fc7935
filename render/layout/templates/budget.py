"""What a template may spend: how much of everything, what was spent so far, and the error that says so.

A set may come from anywhere, and must not take the machine's time or memory. What is counted does not depend on the
machine, so the same template is refused everywhere or nowhere. What our own templates spend stands in
templates/README.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import NamedTuple


class Limits(NamedTuple):
    """The most that filling in one face may spend.

    A step is about what one name, operator or tag of a template costs; a value costs one for each thing or 64
    characters in it. `seconds` are of the processor, and a net below the others: no face comes near them.
    """

    turns: float = 100_000
    steps: float = 1_000_000
    output: float = 2_000_000
    value: float = 100_000
    seconds: float = 10.0


FACE = Limits()
NONE = Limits(*[float("inf")] * 5)
"""The limits of a face, and none, for pages of our own."""

LIMITS: Mapping[str, float] = {
    "elements": 10_000,
    "pictures": 100,
    "characters of text": 20_000,
    "points of outlines": 100_000,
    "dashes": 20_000,
    "edges": 1_000_000,
    "pieces of lines": 50_000,
    "mm of edges, measured downwards": 50_000,
    "cards of painted area": 250,
}
"""The most that one face may hold as it is drawn. Edges are counted at 1200 dpi; area is of boxes around shapes."""


class Tally:
    """Counts what is drawn on a face; Overspent as soon as it is too much."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def add(self, what: str, amount: float) -> None:
        """Count so much of something."""
        spent = self.spent[what] = self.spent.get(what, 0.0) + amount
        if not spent <= LIMITS[what]:
            raise Overspent(what, spent, LIMITS[what])


_NAMES = {
    "turns": "loop turns",
    "steps": "steps",
    "output": "characters of output",
    "value": "things or stretches of 64 characters in one value",
    "seconds": "seconds of the processor's time",
}
MAX_CALL = 60  # calls, includes, imports within each other
_PERIOD = 1 << 14  # steps between two looks at the clock


class Overspent(Exception):  # noqa: N818 - it says what a template did
    """A template spent more than it may: `spent` of `limit` things that are called `what`."""

    def __init__(self, what: str, spent: float, limit: float) -> None:
        amount = f"{math.ceil(spent):,}" if math.isfinite(spent) else "endless"
        super().__init__(f"it spent {amount} of {limit:,.0f} {what}")


class Budget:
    """Counts what filling in a face spends; Overspent as soon as that is too much."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.start()

    def start(self) -> None:
        """Begin with a new face."""
        self.turns = self.steps = self._depth = 0
        self._look = _PERIOD
        self._began = 0.0

    def enter(self) -> None:
        """Count a call or template within others; RecursionError, long before Python has one, if it is too deep."""
        self._depth += 1
        if self._depth > MAX_CALL:
            raise RecursionError

    def leave(self) -> None:
        """End a call or a template."""
        self._depth -= 1

    def turn(self, weight: int) -> None:
        """Count a turn of a loop whose body is of `weight` steps."""
        self.turns += 1
        if self.turns > self.limits.turns:
            raise self._overspent("turns", self.turns)
        self.step(weight)

    def step(self, weight: int) -> None:
        """Count so many steps."""
        self.steps += weight
        if self.steps > self._look:
            if self.steps > self.limits.steps:
                raise self._overspent("steps", self.steps)
            self._look = self.steps + _PERIOD
            self._began = self._began or time.thread_time()  # asking costs more than most faces do
            took = time.thread_time() - self._began
            if took > self.limits.seconds:
                raise self._overspent("seconds", took)

    def hold(self, weight: int) -> None:
        """Count a value of so many things; its making took as many steps."""
        if weight > self.limits.value:
            raise self._overspent("value", weight)
        self.step(weight)

    def write(self, characters: int) -> None:
        """Count a text that was put together."""
        if characters > self.limits.output:
            raise self._overspent("output", characters)
        self.step(characters >> 6)

    def _overspent(self, name: str, spent: float) -> Overspent:
        return Overspent(_NAMES[name], spent, getattr(self.limits, name))
