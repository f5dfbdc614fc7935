"""Formulas of levels as the guides print them: in MathML or as text, in parentheses, `(2x)` or `(t = x/2)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from render.games.kotc.model import formula
from render.games.kotc.model.formula import Formula
from render.games.kotc.workshop.pages.mathml import formula_line
from render.games.kotc.workshop.pages.tree import Element

_PRINTED = re.compile(r"\((?:\s*([a-z])\s*=)?(.*)\)")
_TWICE = re.compile(r"([a-z])\s*\1")
_MARKED = re.compile(r"\{([xyz])\}")  # a variable in a formula that is text


@dataclass(frozen=True, slots=True)
class Printed:
    """A formula, None if there is none, and the variable whose value it gives; "" for a level."""

    formula: Formula | None
    variable: str


def read_formula(written: Element | str) -> Printed:
    """Return a formula in parentheses, as a `<math>` element or as text; ValueError says what is wrong."""
    line = formula_line(written) if isinstance(written, Element) else _MARKED.sub(r"\1", written)
    match = _PRINTED.fullmatch(line.strip())
    if match is None:
        raise ValueError("it is not in parentheses")
    twice = _TWICE.search(line)
    if twice is not None:  # likelier a slip than a square
        raise ValueError(f"`{twice[1]}` stands there twice: a square is written `{twice[1]}^2`")
    return Printed(formula.parse(match[2]), match[1] or "")
