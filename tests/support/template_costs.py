"""What the cards in `cards` spend with our own templates, beside what they may.

`python -m tests.support.template_costs` prints it.

The templates lie in the sets, as those of strangers do.
"""

import math
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from render.base.limits import TEMPLATE_OUTPUT
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.layout.templates.rendering import LIMITS, Tally
from render.layout.templates.template import Templates
from tests.support.repository import ROOT

CALLED = {
    "edges, after curves were cut into chords for 1200 dpi": "edges",
    "pieces of lines, the same way": "pieces of lines",
    "mm of edges from top to bottom, all together": "mm of edges, measured downwards",
    "painted area: boxes around shapes, pictures, clips; in cards": "cards of painted area",
    **{name: name for name in ("elements", "points of outlines", "dashes", "characters of text", "pictures")},
}
ROWS = {"characters of SVG": ("output", TEMPLATE_OUTPUT.most)} | {
    called: (name, LIMITS[name]) for called, name in CALLED.items()
}
"""The rows of the table in templates/jinja.md: what is counted, and how much of it a face may take."""


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
    """Let tallies tell what they count; they count as ever."""
    spent: dict[str, float] = defaultdict(float)
    add, filled = Tally.add, Templates.filled

    def note(what: str, amount: float) -> None:
        spent[what] = max(spent[what], amount)

    def add_and_note(tally: Tally, what: str, amount: float) -> None:
        add(tally, what, amount)
        note(what, tally.spent[what])

    def filled_and_noted(templates: Templates, name: str, values: Mapping[str, object]) -> str:
        svg = filled(templates, name, values)
        note("output", len(svg))
        return svg

    Tally.add, Templates.filled = add_and_note, filled_and_noted  # type: ignore[assignment, method-assign]
    try:
        yield spent
    finally:
        Tally.add, Templates.filled = add, filled  # type: ignore[method-assign]


if __name__ == "__main__":
    found = most()
    for called, (what, limit) in ROWS.items():
        print(row(called, found.get(what, 0.0), limit))
