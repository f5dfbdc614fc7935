"""What the cards in `cards` spend with our own templates, beside what they may.

`python -m tests.support.template_costs` prints it.

The templates lie in the sets, as those of strangers do, so that all of it is counted.
"""

from __future__ import annotations

import math
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.layout.templates.engine import budget
from render.layout.templates.engine.budget import Budget, Tally
from tests.support.repository import ROOT

ROWS = {
    "turns of all loops": ("turns", budget.FACE.turns),
    "steps: names, operators, tags, pieces of values": ("steps", budget.FACE.steps),
    "characters of SVG": ("output", budget.FACE.output),
    "things in one value, 64 characters of a text being one": ("value", budget.FACE.value),
    "elements": ("elements", budget.LIMITS["elements"]),
    "points of outlines": ("points of outlines", budget.LIMITS["points of outlines"]),
    "dashes": ("dashes", budget.LIMITS["dashes"]),
    "edges, after curves were cut into chords for 1200 dpi": ("edges", budget.LIMITS["edges"]),
    "pieces of lines, the same way": ("pieces of lines", budget.LIMITS["pieces of lines"]),
    "mm of edges from top to bottom, all together": (
        "mm of edges, measured downwards",
        budget.LIMITS["mm of edges, measured downwards"],
    ),
    "painted area: boxes around shapes, pictures, clips; in cards": (
        "cards of painted area",
        budget.LIMITS["cards of painted area"],
    ),
    "characters of text": ("characters of text", budget.LIMITS["characters of text"]),
    "pictures": ("pictures", budget.LIMITS["pictures"]),
}
"""The rows of the table in templates/README.md: what is counted, and how much of it a face may take."""


def row(called: str, spent: float, limit: float) -> str:
    """Return a row of the table."""
    ours = f"{math.ceil(spent):,}".replace(",", " ") if spent else "none"
    return f"| {called} | {f'{limit:,.0f}'.replace(',', ' ')} | {ours} |"


def most() -> dict[str, float]:
    """Return the most of everything that one face takes."""
    with TemporaryDirectory() as folder, _counted() as spent:
        for name in ("starter", "eleventh"):
            shutil.copytree(ROOT / "cards" / name, Path(folder, name))
            shutil.copytree(ROOT / "templates/kotc", Path(folder, name, "templates"))
        sets, _ = survey([Path(folder)])
        for card_set in sets:
            lay_out_set(card_set)
    return dict(spent)


@contextmanager
def _counted() -> Iterator[dict[str, float]]:
    """Let budgets tell what they count; they count as ever."""
    spent: dict[str, float] = defaultdict(float)

    def note(what: str, amount: float) -> None:
        spent[what] = max(spent[what], amount)

    listeners: list[tuple[type, str, Callable[..., None]]] = [
        (Tally, "add", lambda tally, what, _: note(what, tally.spent[what])),
        (Budget, "turn", lambda one, _: note("turns", one.turns)),
        (Budget, "step", lambda one, _: note("steps", one.steps)),
        (Budget, "hold", lambda _, weight: note("value", weight)),
        (Budget, "write", lambda _, characters: note("output", characters)),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in listeners]
    for (owner, name, tell), (_, _, count) in zip(listeners, before, strict=True):
        setattr(owner, name, _told(count, tell))
    try:
        yield spent
    finally:
        for owner, name, count in before:
            setattr(owner, name, count)


def _told(count: Callable[..., None], tell: Callable[..., None]) -> Callable[..., None]:
    def counting(self: object, *given: object) -> None:
        count(self, *given)
        tell(self, *given)

    return counting


if __name__ == "__main__":
    found = most()
    for called, (what, limit) in ROWS.items():
        print(row(called, found.get(what, 0.0), limit))
