"""Fields that follow from others: in which order, what each is on a card, and from what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from render.base.findings import quoted
from render.game.declared.reading.field_keys import DeclaredField, FieldValue
from render.game.declared.reading.kind_keys import DeclaredKind
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, names_in
from render.source.fields import Fields
from render.source.nodes import Mapping as Nodes


def check_circles(root: Fields, declared: Sequence[DeclaredField]) -> None:
    """Note fields that follow from themselves, each circle once."""
    needs = _needs(declared)
    told: set[str] = set()
    for name in needs:
        circle = _circle(name, needs)
        if circle and not told.intersection(circle):
            told.update(circle)
            _note(root, circle)


def _needs(fields: Sequence[DeclaredField]) -> dict[str, list[str]]:
    """Return the derived fields that each derived field names."""
    derived = {each.name for each in fields if each.value}
    return {each.name: sorted(names_in(each.value) & derived) for each in fields if each.value}


def _circle(name: str, needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the shortest way from a field back to itself; none if there is no such way."""
    ways = [[name]]
    seen: set[str] = set()
    for way in ways:  # grows meanwhile
        for following in needs[way[-1]]:
            if following == name:
                return way
            if following not in seen:
                seen.add(following)
                ways.append([*way, following])
    return []


def _note(root: Fields, circle: Sequence[str]) -> None:
    first = circle[0]
    outer = root.values["fields"]
    node = outer.get(first) if isinstance(outer, Nodes) else None
    if not isinstance(outer, Nodes) or not isinstance(node, Nodes):
        return
    fields = root.within("fields", outer).within(first, node)
    way = ", which follows from ".join(f"`{name}`" for name in [*circle[1:], first])
    message = f"`{first}` follows from itself" + ("" if len(circle) == 1 else f": it follows from {way}")
    fields.note("032", message, fields.place("value"), "let one of them not name the next", "value")


def held_values(expression: str, values: Mapping[str, FieldValue]) -> str:
    """Return in words what an expression sees: `, where `cost` is `2` and `rules` is none`; "" if it names nothing."""
    shown = {name: values[name] for name in sorted(names_in(expression) & values.keys())}
    words = {
        name: "none" if value is None else f'"{value}"' if isinstance(value, str) else str(value)
        for name, value in shown.items()
    }
    return f", where {' and '.join(f'`{name}` is {quoted(said)}' for name, said in words.items())}" if words else ""


def in_order(fields: tuple[DeclaredField, ...]) -> tuple[DeclaredField, ...]:
    """Return the derived fields in an order in which each comes after those that it names; there is no circle."""
    by_name = {each.name: each for each in fields}
    needs, ordered = _needs(fields), dict[str, DeclaredField]()
    while len(ordered) < len(needs):
        ready = [name for name in needs if name not in ordered and all(each in ordered for each in needs[name])]
        ordered.update((name, by_name[name]) for name in ready)
    return tuple(ordered.values())


def derive(
    derived: list[DeclaredField], values: Mapping[str, FieldValue], kind: DeclaredKind
) -> tuple[dict[str, FieldValue], list[tuple[DeclaredField, ExpressionFailed]]]:
    """Return the values of a card with those of derived fields `in_order`, and what does not follow.

    Those that the card's kind lacks are None.
    A field that asks for too much is taken out of `derived`, with those behind it: it is not tried for other cards.
    """
    found = dict(values)
    for number, each in enumerate(derived):
        if each.name in kind.lacks:
            found[each.name] = None
            continue
        try:
            found[each.name] = evaluate(each.value, found)  # type: ignore[assignment] # it gives nothing else
        except ExpressionFailed as failed:
            if isinstance(failed, ExpressionOverspent):
                del derived[number:]
            # What follows from it would be told as well.
            return {**found, each.name: ""}, [(each, failed)]
    return found, []
