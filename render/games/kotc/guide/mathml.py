"""Formulas of levels in MathML, as the Card Building Guide prints them: `(t = (x + 4y)/5)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from render.games.kotc.pages.tree import Element, Words
from render.games.kotc.pages.sections import prose
from render.games.kotc.model import formula
from render.games.kotc.model.formula import Formula

_ROWS = frozenset({"math", "mrow", "mstyle", "mpadded"})
_LEAVES = frozenset({"mi", "mn", "mo", "mtext"})
_PRINTED = re.compile(r"\((?:\s*(t)\s*=)?(.*)\)")


@dataclass(frozen=True, slots=True)
class Printed:
    """A formula, and whether it is printed as the value of the targets, t."""

    formula: Formula
    of_targets: bool


def read(math: Element) -> Printed:
    """Return the formula of a `<math>` element, printed in parentheses; ValueError says what is wrong."""
    line = _line(math)
    match = _PRINTED.fullmatch(line.strip())
    if match is None:
        raise ValueError("it is not in parentheses")
    return Printed(formula.parse(match[2]), match[1] is not None)


def _line(element: Element) -> str:
    """Return a formula on one line, with parentheses where a fraction groups terms."""
    if element.name in _LEAVES:
        return f" {prose(element)} "
    parts = [_part(child) for child in element.children if isinstance(child, Element) or child.text.strip()]
    if element.name in _ROWS:
        return "".join(parts)
    if element.name == "mfrac":
        if len(parts) != 2:
            raise ValueError(f"a fraction needs two parts, and here are {len(parts)}")
        return f"(({parts[0]})/({parts[1]}))"
    raise ValueError(f"`<{element.name}>` is not understood")


def _part(node: Element | Words) -> str:
    if isinstance(node, Words):
        raise ValueError(f"`{node.text.strip()}` stands outside its elements")
    return _line(node)
