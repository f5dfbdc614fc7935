"""What a component costs, as people write it: `+2t`, `-x/2`, `t = x`."""

from __future__ import annotations

from fractions import Fraction

from render.base.findings import plural
from render.games.kotc.levels.stretches import FACTOR, TARGETS
from render.games.kotc.model.edition import Component, Role

_SIGNS = {Role.EFFECT: "+", Role.TARGET: "t = "}  # whatever else has a formula takes that much off
MAX_SHOWN = 3  # the numbers for which `levels` says what a component is worth


def price(component: Component) -> str:
    """Return what a component adds to the level or takes off: `+2t`, `-x/2`, `t = x`, `a = 1/x`; "" for nothing."""
    if component.factor is not None:
        return f"a = {component.factor}"
    if component.level is None:
        return ""
    formula = str(component.level)
    closed = f"({formula})" if " " in formula and component.role is not Role.TARGET else formula
    return f"{_SIGNS.get(component.role, '-')}{closed}"


def price_with_points(component: Component) -> str:
    """Return the price with the Ultra Points behind it; the name of the role for a component without a formula."""
    said, points = price(component) or component.role.value, component.ultra_points
    return f"{said}, {plural(points, 'Ultra Point')}" if points else said


def levels(component: Component) -> tuple[str, ...]:
    """Return what a component is worth for x = 1, 2 and 3, as far as it may have these numbers: `+2`, `+4`, `+6`.

    Other variables are 1, and so are `t` and `a`. () for a component whose worth does not depend on `x`.
    """
    formula = component.factor or component.level
    if formula is None or "x" not in formula.variables:
        return ()
    sign = "" if component.factor or component.role is Role.TARGET else "+" if component.role is Role.EFFECT else "-"
    most = min(dict(component.limits).get("x", MAX_SHOWN), MAX_SHOWN)
    found = []
    for number in range(1, most + 1):
        given = {"x": Fraction(number), **dict.fromkeys(("y", "z", TARGETS, FACTOR), Fraction(1))}
        if formula.has_value(given):
            found.append(f"{sign}{formula.value(given)}")
    return tuple(found)
