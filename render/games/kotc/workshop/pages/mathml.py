"""Formulas in MathML on one line, as the Card Building Guide prints them: `(t = (x + 4y)/5)`."""

from __future__ import annotations

import re

from render.games.kotc.workshop.pages.tree import Element, Words, prose

_NEEDLESS = re.compile(r"(?<=[(/])\(([a-z]|[0-9]+)\)|(?<=\()\(([^()]*)\)(?=\))")
_SIGN = re.compile(r"[^\W\d_]|[0-9]+(?:\.[0-9]+)?|[^\w\s]?")  # a letter, a number, or another sign
_ROWS = frozenset({"math", "mrow", "mstyle", "mpadded"})
_LEAVES = frozenset({"mi", "mn", "mo", "mtext"})
_PARTS = {"mfrac": ("a fraction", "(({0})/({1}))"), "msup": ("a power", "{0}^{1}")}


def formula_line(element: Element) -> str:
    """Return a formula on one line, with parentheses where a fraction or a power groups terms.

    ValueError names what is not understood.
    """
    if element.name in _LEAVES and all(isinstance(child, Words) for child in element.children):
        if not _SIGN.fullmatch(prose(element)):
            raise ValueError(f"`{prose(element)}` is more than one sign in one place")
        return f" {prose(element)} "
    parts = [_part(child) for child in element.children if isinstance(child, Element) or child.text.strip()]
    if element.name in _ROWS:
        return "".join(parts)
    if element.name in _PARTS:
        called, pattern = _PARTS[element.name]
        if len(parts) != 2:
            raise ValueError(f"{called} needs two parts, and here are {len(parts)}")
        over, behind = (part.strip() for part in parts)
        if element.name == "msup" and len(over) > 1:
            over = f"({over})"  # which the formulas of the game do not have, and their parser refuses
        return pattern.format(over, behind)
    raise ValueError(f"`<{element.name}>` is not understood")


def shown_formula(element: Element) -> str:
    """Return a formula for people: on one line as far as that is possible, else its words."""
    try:
        line = formula_line(element)
    except ValueError:
        line = prose(element)
    short = "".join(line.replace("\N{INVISIBLE TIMES}", "").split())
    while _NEEDLESS.search(short):
        short = _NEEDLESS.sub(r"\1\2", short)
    return short


def _part(node: Element | Words) -> str:
    if isinstance(node, Words):
        raise ValueError(f"`{node.text.strip()}` stands outside its elements")
    return formula_line(node)
