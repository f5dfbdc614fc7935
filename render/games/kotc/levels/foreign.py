"""Levels by texts in another language: its words are found as components, and all else is as in English."""

from __future__ import annotations

from fractions import Fraction

from render.base.caches import cached
from render.games.kotc.languages.vocabulary import Foreign
from render.games.kotc.levels.components import Components, FoundComponent, plain_words
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.edition import Edition, Role


class ForeignComponents(Components):
    """The components of an edition in the words of a language."""

    def __init__(self, edition: Edition, words: Foreign) -> None:
        super().__init__(edition.components)
        self._words = words

    def example(self, role: Role) -> str:
        """Return the first text of a role; "" if there is none."""
        return next((said for said in map(self._words.printed, self._of_role[role]) if said), "")

    def _like(self, role: Role) -> dict[str, str]:
        texts: dict[str, str] = {}
        for component in self._of_role[role]:
            said = self._words.printed(component)
            texts |= {plain_words(variant): said for variant in self._words.all_of(component)}
        return texts

    def _first(self, role: Role, words: str) -> FoundComponent | None:
        said = self._words.read(role, words)
        if said is None:
            return None
        numbers = tuple(sorted((name, Fraction(number)) for name, number in said.numbers.items()))
        return FoundComponent(said.component, numbers)


@cached(16)
def foreign_calculator(edition: Edition, words: Foreign) -> LevelCalculator:
    """Return the calculator of levels for texts in the language of the words."""
    return LevelCalculator(edition, ForeignComponents(edition, words), words.joints)
