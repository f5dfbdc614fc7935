"""What changed between two editions, which cards of sets it touches, and both as text for people and as JSON.

Changes are those of components, rules of levels, decks and clean slates, and what became of old texts.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from render.base.findings import plural
from render.games.kotc.editions.wording import outside_longer, pattern
from render.games.kotc.editions.writing import figures_of, grammar_values, kind_values, level_values
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import Component, Edition, NewKind, Role

SIMILAR = 0.8  # of 1: texts that differ less in one word or two are taken for each other, and the report says so


class ComponentChange(Struct, frozen=True):
    """A component of the older edition, of the newer one, or both: one became the other.

    `is_alike` says that only their words tell so, and no rewording of the rulebook.
    """

    old: Component | None
    new: Component | None
    is_alike: bool = False

    @property
    def role(self) -> Role:
        """The role of both."""
        component = self.old or self.new
        assert component is not None, self
        return component.role

    @property
    def kind(self) -> str:
        """What happened: added, removed, reworded, repriced, or both of the last two."""
        if self.old is None or self.new is None:
            return "added" if self.old is None else "removed"
        said = ["reworded"] if self.old.text != self.new.text else []
        return " and ".join([*said, "repriced"] if figures_of(self.old) != figures_of(self.new) else said)


class ValueChange(Struct, frozen=True):
    """A value of the data file, as it is written there; "" if there is none."""

    key: str
    old: str
    new: str


class EditionDifference(Struct, frozen=True, kw_only=True):
    """What is different in the edition `new`, compared with `old`."""

    old: Edition
    new: Edition
    values: tuple[ValueChange, ...]
    components: tuple[ComponentChange, ...]
    added: tuple[tuple[str, str], ...]
    removed: tuple[tuple[str, str], ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is different."""
        return not (self.values or self.components or self.added or self.removed)


def compare_editions(old: Edition, new: Edition) -> EditionDifference:
    """Return what is different in `new`.

    `added` and `removed` are entries of the lists of changed texts, by key and text, in the order of their files.
    """
    before, after = dict.fromkeys(_entries(old)), dict.fromkeys(_entries(new))
    return EditionDifference(
        old=old,
        new=new,
        values=tuple(_values(old, new)),
        components=tuple(_components(old, new)),
        added=tuple(entry for entry in after if entry not in before),
        removed=tuple(entry for entry in before if entry not in after),
    )


def _values(old: Edition, new: Edition) -> Iterator[ValueChange]:
    before, after = _written_values(old), _written_values(new)
    for key in dict.fromkeys([*before, *after]):
        if before.get(key, "") != after.get(key, ""):
            yield ValueChange(key, before.get(key, ""), after.get(key, ""))


def _written_values(edition: Edition) -> dict[str, str]:
    """Return the values outside lists by their dotted keys."""
    terms, deck, levels = edition.terms, edition.deck, edition.levels
    values = {f"terms.{key}": getattr(terms, key) for key in ("minion", "sp", "hp", "level")}
    values |= {f"grammar.{key}": value for key, value in grammar_values(edition.grammar).items()}
    if edition.clean_slate is not None:
        values["clean_slate"] = str(edition.clean_slate)
    values["deck.cards"] = f"{deck.least}" if deck.least == deck.most else f"{deck.least}-{deck.most}"
    if deck.ultra_points is not None:
        values["deck.ultra_points"] = str(deck.ultra_points)
    if levels is not None:
        usual = {"round": levels.rounding.value, "least_of_minion": str(levels.least_of_minion)}
        values |= {f"levels.{key}": value for key, value in (usual | level_values(levels)).items()}
    return values


def _entries(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the entries of the lists of changed texts and of what is not known, by key."""
    yield from (("kinds", ", ".join(kind_values(each))) for each in edition.kinds)
    yield from (("reworded", f"{each.old} → {each.new}") for each in edition.rewordings)
    yield from (("redacted", text) for text in edition.redacted)
    yield from (("revised_levels", f"{each.text} ({each.edition})") for each in edition.revisions)
    yield from (("revised_ultra_points", f"{each.text} ({each.edition})") for each in edition.ultra_revisions)
    yield from (("unknown", f"{each.section}, line {each.line}: {each.words}") for each in edition.unknown)


# --- components -----------------------------------------------------------------------------------------------------


def _components(old: Edition, new: Edition) -> Iterator[ComponentChange]:
    for role in Role:
        yield from _of_role(_own(old.components, role), _own(new.components, role), new)


def _own(components: Iterable[Component], role: Role) -> dict[str, Component]:
    return {each.text: each for each in components if each.role is role}


def _of_role(before: dict[str, Component], after: dict[str, Component], new: Edition) -> Iterator[ComponentChange]:
    """Yield the changes of a role: by the same text, by the rulebook's rewordings, by likeness, then what is left."""
    left = {text: each for text, each in before.items() if text not in after}
    come = {text: each for text, each in after.items() if text not in before}
    for text, each in before.items():
        if text in after and figures_of(each) != figures_of(after[text]):
            yield ComponentChange(each, after[text])
    for text in [*left]:
        became = _reworded(text, new)
        if became in after:
            come.pop(became, None)
            yield ComponentChange(left.pop(text), after[became])
    for text in [*left]:
        near = difflib.get_close_matches(text, list(come), n=1, cutoff=SIMILAR)
        if near and difflib.get_close_matches(near[0], list(left), n=1, cutoff=SIMILAR) == [text]:
            yield ComponentChange(left.pop(text), come.pop(near[0]), is_alike=True)
    yield from (ComponentChange(each, None) for each in left.values())
    yield from (ComponentChange(None, each) for each in come.values())


def _reworded(text: str, edition: Edition) -> str:
    """Return the text of a component after the rewordings of an edition, each used once."""
    for each in edition.rewordings:
        # The variables of a component are no numbers yet, so that its text holds the old one as it is.
        old = each.old.rstrip(":")
        if old in text:
            text = text.replace(old, each.new.rstrip(":"))
        elif pattern(each.old).match_whole(text):
            text = each.new
    return text


_OF_MINIONS = ("levels.hp_share", "levels.least_of_minion", "levels.least_of_minion_ability", "levels.round")
_OF_SPELLS = ("levels.least_of_spell_ability",)


class TouchedCard(Struct, frozen=True):
    """A card of the older edition, and what of the changes concerns it."""

    card: Card
    reasons: tuple[str, ...]


def touched_cards(difference: EditionDifference, card_set: CardSet) -> list[TouchedCard]:
    """Return the cards of the set that are of the older edition and that a change concerns."""
    own = designs_of(difference.old.number, card_set)
    found = [TouchedCard(card, tuple(dict.fromkeys(_reasons(difference, card)))) for card in own]
    return [each for each in found if each.reasons]


def designs_of(edition: int, card_set: CardSet) -> list[Card]:
    """Return the cards of the set that are designs of an edition; a tip is of none."""
    return [card for card in card_set.cards if card.edition == edition and card.kind is not Kind.TIP]


def _reasons(difference: EditionDifference, card: Card) -> Iterator[str]:
    new = difference.new
    if new.clean_slate is not None and new.clean_slate > difference.old.number:
        yield "clean_slate"
    for change in difference.components:
        if change.old is not None and _has(card.text, change, difference.old):
            yield f"{change.kind}: {change.old.text}"
    for each in new.rewordings:
        if f"{each.old} → {each.new}" in _added(difference, "reworded") and pattern(each.old).is_in(card.text):
            yield f"reworded: {each.old}"
    for text in new.redacted:
        if text in _added(difference, "redacted") and pattern(text).is_in(card.text):
            yield f"redacted: {text}"
    for key, revisions in (("revised_levels", new.revisions), ("revised_ultra_points", new.ultra_revisions)):
        for revision in revisions:
            is_later = revision.edition > difference.old.number
            if is_later and pattern(revision.text).is_in(card.text):
                yield f"{key}: {revision.text}"
    if isinstance(card.kind, NewKind):
        if card.kind not in new.kinds:
            yield f"kinds: {card.kind.name}"
        keys: tuple[str, ...] = ("levels.round",)
    else:
        keys = _OF_SPELLS if card.is_spell else _OF_MINIONS
    yield from (change.key for change in difference.values if change.key in keys and card.level is not None)


def _has(text: str, change: ComponentChange, edition: Edition) -> bool:
    """Return whether a card's text has a component, and not only as a part of a longer one."""
    assert change.old is not None
    matches = pattern(change.old.text).finditer(text)
    return bool(outside_longer(matches, text, edition.components))


def _added(difference: EditionDifference, key: str) -> set[str]:
    return {text for own, text in difference.added if own == key}


Touched = Sequence[tuple[CardSet, Sequence[TouchedCard]]]


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
    for role in Role:
        own = [change for change in difference.components if change.role is role]
        if own:
            yield f"  {role.plural}"
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
        "list": change.role.plural,
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
