"""What a template may spend: limits, what was spent so far, and the error that says so.

A set may come from anybody and must not use up the machine's time or memory. The counts do not depend on the machine,
so the same template is refused everywhere or nowhere. templates/README.md says what the built-in templates spend.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import NamedTuple


class Limits(NamedTuple):
    """The most that filling in one face may spend.

    A step costs about as much as one name, operator or tag of a template. A value costs one step for each thing in it
    and for each 64 characters. `seconds` are of processor time, a net below the other limits: no face comes near them.
    """

    turns: float = 100_000
    steps: float = 1_000_000
    output: float = 2_000_000
    value: float = 100_000
    seconds: float = 10.0


FACE = Limits()
NONE = Limits(*[float("inf")] * 5)
"""No limits, for pages of our own."""

LIMITS: Mapping[str, float] = {
    "elements": 10_000,
    "pictures": 100,
    "icons in texts": 1_000,
    "characters of text": 20_000,
    "points of outlines": 100_000,
    "dashes": 20_000,
    "edges": 1_000_000,
    "pieces of lines": 50_000,
    "mm of edges, measured downwards": 50_000,
    "cards of painted area": 250,
    "layers": 500,
}
"""The most that one face may hold when it is drawn. Edges are counted at 1200 dpi; area is that of boxes of shapes."""


class Tally:
    """Counts what is drawn on a face; raises Overspent as soon as it is too much."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def add(self, what: str, amount: float) -> None:
        """Count an amount of something; `what` is a key of LIMITS."""
        spent = self.spent[what] = self.spent.get(what, 0.0) + amount
        if not spent <= LIMITS[what]:  # written so that `nan` is too much as well
            raise Overspent(what, spent, LIMITS[what])


_NAMES = {
    "turns": "loop turns",
    "steps": "steps",
    "output": "characters of output",
    "value": "things or stretches of 64 characters in one value",
    "seconds": "seconds of the processor's time",
}
MAX_CALL = 60  # calls, includes and imports inside each other
_PERIOD = 1 << 14  # steps between two looks at the clock


class Overspent(Exception):
    """A template spent more than it may: `spent` of `limit` things called `what`."""

    def __init__(self, what: str, spent: float, limit: float) -> None:
        amount = f"{math.ceil(spent):,}" if math.isfinite(spent) else "endless"
        super().__init__(f"it spent {amount} of {limit:,.0f} {what}")


class Budget:
    """Counts what filling in a face spends; raises Overspent as soon as it is too much."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.start()

    def start(self) -> None:
        """Begin with a new face."""
        self.turns = self.steps = self._depth = 0
        self._look = _PERIOD
        self._began = 0.0

    def enter(self) -> None:
        """Count one more level of calls; RecursionError if there are too many, long before Python raises one."""
        self._depth += 1
        if self._depth > MAX_CALL:
            raise RecursionError

    def leave(self) -> None:
        """End a call or a template."""
        self._depth -= 1

    def turn(self, weight: int) -> None:
        """Count a turn of a loop whose body has `weight` steps."""
        self.turns += 1
        if self.turns > self.limits.turns:
            raise self._overspent("turns", self.turns)
        self.step(weight)

    def step(self, weight: int) -> None:
        """Count steps."""
        self.steps += weight
        if self.steps > self._look:
            if self.steps > self.limits.steps:
                raise self._overspent("steps", self.steps)
            self._look = self.steps + _PERIOD
            self._began = self._began or time.thread_time()  # not sooner: asking the clock costs more than most faces
            took = time.thread_time() - self._began
            if took > self.limits.seconds:
                raise self._overspent("seconds", took)

    def hold(self, weight: int) -> None:
        """Count a value of that many things; making it took as many steps."""
        if weight > self.limits.value:
            raise self._overspent("value", weight)
        self.step(weight)

    def write(self, characters: int) -> None:
        """Count a text that was put together."""
        if characters > self.limits.output:
            raise self._overspent("output", characters)
        self.step(characters >> 6)  # one step for 64 characters

    def _overspent(self, name: str, spent: float) -> Overspent:
        return Overspent(_NAMES[name], spent, getattr(self.limits, name))
