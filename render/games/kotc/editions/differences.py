"""What changed between two editions: components, rules of levels, decks, clean slates, and what became of old texts."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from render.games.kotc.editions.matching import pattern
from render.games.kotc.editions.writing import figures_of, grammar_values, kind_values, level_values
from render.games.kotc.model.edition import Component, Edition, Role

SIMILAR = 0.8  # of 1: texts that differ less in one word or two are taken for each other, and the report says so


@dataclass(frozen=True, slots=True)
class ComponentChange:
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


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of the data file, as it is written there; "" if there is none."""

    key: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionDifference:
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
