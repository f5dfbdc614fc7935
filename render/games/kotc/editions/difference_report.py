"""The differences between two editions as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from render.base.findings import plural
from render.games.kotc.editions.differences import ComponentChange, EditionDifference
from render.games.kotc.editions.reading import ROLES
from render.games.kotc.editions.touched import TouchedCard, designs_of
from render.games.kotc.editions.writing import figures_of
from render.games.kotc.model.cards import CardSet, ordinal
from render.games.kotc.model.edition import Component

Touched = Sequence[tuple[CardSet, Sequence[TouchedCard]]]

_KEY_OF = {role: key for key, (role, _) in ROLES.items()}


def difference_as_text(difference: EditionDifference, touched: Touched) -> str:
    """Return the differences, one a line, and below them the cards of each set that they touch."""
    lines = [f"{ordinal(difference.old.number)} to {ordinal(difference.new.number)} Edition", *_lines(difference)]
    if difference.is_empty:
        lines.append("  nothing is different")
    for card_set, cards in touched:
        number = difference.old.number
        own = f"{plural(len(designs_of(number, card_set)), 'card')} of the {ordinal(number)} Edition"
        lines += ["", f"{card_set.folder}: {len(cards)} of {own} touched"]
        for each in cards:
            lines.append(f"  {each.card.id}: {each.reasons[0]}")
            lines += [f"  {'':{len(each.card.id)}}  {reason}" for reason in each.reasons[1:]]
    return "\n".join(lines)


def _lines(difference: EditionDifference) -> Iterator[str]:
    for change in difference.values:
        yield f"  {change.key}: {change.old or 'none'} → {change.new or 'none'}"
    for key in _KEY_OF.values():
        own = [change for change in difference.components if _KEY_OF[change.role] == key]
        if own:
            yield f"  {key}"
            yield from (line for change in own for line in _component_lines(change))
    for sign, entries in (("-", difference.removed), ("+", difference.added)):
        yield from (f"  {sign} {key}: {text}" for key, text in entries)


def _component_lines(change: ComponentChange) -> Iterator[str]:
    likely = ", as their words are alike" if change.is_alike else ""
    if change.old is not None and change.new is not None and change.old.text == change.new.text:
        old, new = (", ".join(figures_of(each)) or "no figure" for each in (change.old, change.new))
        yield f"    {change.kind}: {change.old.text} ({old} → {new})"
        return
    if change.old is not None and change.new is not None:
        yield f"    {change.kind}{likely}:"
    for sign, component in (("-", change.old), ("+", change.new)):
        if component is not None:
            yield f"    {sign} {_shown(component)}"


def _shown(component: Component) -> str:
    figures = ", ".join(figures_of(component))
    return f"{component.text} ({figures})" if figures else component.text


def difference_as_json(difference: EditionDifference, touched: Touched) -> str:
    """Return one object with `old`, `new`, `values`, `components`, `added`, `removed` and `sets`."""
    shown = {
        "old": difference.old.number,
        "new": difference.new.number,
        "values": [{"key": each.key, "old": each.old, "new": each.new} for each in difference.values],
        "components": [_component_value(change) for change in difference.components],
        "added": [{"key": key, "text": text} for key, text in difference.added],
        "removed": [{"key": key, "text": text} for key, text in difference.removed],
        "sets": [
            {
                "folder": card_set.folder.as_posix(),
                "cards": [{"card": each.card.id, "reasons": list(each.reasons)} for each in cards],
            }
            for card_set, cards in touched
        ],
    }
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _component_value(change: ComponentChange) -> dict[str, object]:
    return {
        "list": _KEY_OF[change.role],
        "change": change.kind,
        "alike": change.is_alike,
        "old": _value(change.old),
        "new": _value(change.new),
    }


def _value(component: Component | None) -> dict[str, str] | None:
    if component is None:
        return None
    figures = (figure.partition(": ") for figure in figures_of(component))
    return {"text": component.text, **{key: value for key, _, value in figures}}
