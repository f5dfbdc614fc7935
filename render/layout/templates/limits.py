"""What one face may take: to fill in its template, and to be drawn. templates/README.md has the same table.

A set may come from anybody, and must not use up the machine's time or memory. What fills in templates runs under the
guard; what they give is counted as it is drawn, so that the same template is refused everywhere or nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from render.base.guard import Limits

FACE = Limits(2.0, 256_000_000)
"""To fill in the template of a face: no built-in one takes a hundredth of it."""

EXPRESSION = Limits(1.0, 128_000_000)
"""To work out an expression for a card."""

MAX_OUTPUT = 2_000_000  # characters of SVG
MAX_TEMPLATE = 4 << 20  # bytes of a template's file: a thousand times the official frame
MAX_TOKENS = 100_000  # words and signs in the tags of a template
MAX_EXPRESSION = 2000  # characters: longer ones belong into a template
MAX_RANGE = 100_000  # numbers in a `range`, as in Jinja2's own sandbox
LARGEST = 10**30  # no number on a card has as many digits
LONGEST_RESULT = 20_000  # characters of what an expression gives: as many as a face may have
MAX_LATE = 2  # faces of a template that take too much: then it is not tried for other cards

LIMITS: Mapping[str, float] = {
    "elements": 10_000,
    "pictures": 100,
    "icons in texts": 1_000,
    "characters of text": LONGEST_RESULT,
    "points of outlines": 100_000,
    "dashes": 20_000,
    "edges": 1_000_000,
    "pieces of lines": 50_000,
    "mm of edges, measured downwards": 50_000,
    "cards of painted area": 250,
    "layers": 500,
}
"""The most that one face may hold when it is drawn. Edges are counted at 1200 dpi; area is that of boxes of shapes."""


class Overspent(Exception):
    """A face holds too much."""


class Tally:
    """Counts what is drawn on a face; raises Overspent as soon as it is too much."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def add(self, what: str, amount: float) -> None:
        """Count an amount of something; `what` is a key of LIMITS."""
        spent = self.spent[what] = self.spent.get(what, 0.0) + amount
        if not spent <= LIMITS[what]:  # written so that `nan` is too much as well
            amount_spent = f"{math.ceil(spent):,}" if math.isfinite(spent) else "endless"
            raise Overspent(f"it spent {amount_spent} of {LIMITS[what]:,.0f} {what}")
