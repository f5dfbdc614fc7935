"""What the guides up to the 10th Edition say below a component: what it was revised from, and since when."""

from __future__ import annotations

import re
from dataclasses import dataclass

from render.base.findings import Span
from render.games.kotc.workshop.guide.words import card_text, words_of_element
from render.games.kotc.workshop.pages.sections import PageReading
from render.games.kotc.workshop.pages.tree import Element, prose

_REVISED_FROM = re.compile(r"Revised from: [“\"](?P<old>[^“”\"]*)[”\"] \((?P<edition>[1-9][0-9]{0,2})\w\w Edition\)")
# What it was does not matter: older designs are banned.
_COST_REVISED = re.compile(r"Cost Revised \((?P<edition>[1-9][0-9]{0,2})\w\w Edition\); was: [0-9a-z+*/().^ ²]{1,40}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A component's `text`, the `old` one that it was revised from, or the `edition` that revised its cost."""

    text: str
    old: str
    edition: int
    place: Span

    @property
    def shown(self) -> str:
        """The annotation as people read it."""
        return f"reworded: {self.old} → {self.text}" if self.old else f"revised in {self.edition}: {self.text}"


def read_annotation(reading: PageReading, item: Element, text: str) -> Annotation | None:
    """Return what an item says of the component above it; None if it is something else, which may be a component."""
    if not prose(item).startswith(("Revised from:", "Cost Revised")):
        return None
    words = words_of_element(reading, item)
    if words is None:
        return None
    place = reading.page.span(item)
    cost = _COST_REVISED.fullmatch(words)
    if cost:
        return Annotation(text, "", int(cost["edition"]), place)
    revised = _REVISED_FROM.fullmatch(words)
    old = card_text(reading, item, revised["old"]) if revised else None
    return Annotation(text, old, int(revised["edition"]), place) if revised and old else None
