"""What one face may hold when it is drawn. templates/README.md has the same table.

What templates give is counted as it is drawn, so that the same template is refused everywhere or nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from render.base.limits import EXPRESSION_RESULT

LIMITS: Mapping[str, float] = {
    "elements": 10_000,
    "pictures": 100,
    "icons in texts": 1_000,
    "characters of text": EXPRESSION_RESULT.most,
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
