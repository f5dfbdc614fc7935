"""English as a language of the game: a table as any other, worked out from the texts of the editions, which are English.

Components are read by the rules of the guide (`editions.wording`), which allow a card more than one table says.
"""

from __future__ import annotations

import re
from pathlib import Path

from render.base.caches import cached
from render.base.patterns import regex
from render.games.kotc.editions.wording import Sort, TargetForm, atoms, pattern, plain_text, singular
from render.games.kotc.languages.notation import Piece, Variant, expand, filled
from render.games.kotc.languages.reading import read_shared
from render.games.kotc.languages.vocabulary import ComponentUse, LanguageWords, Vocabulary, component_use
from render.games.kotc.model.edition import Abilities, Component, Edition, Role

FILE = Path(__file__).parent / "en.yaml"


class EnglishWords(LanguageWords, frozen=True):
    """The words of every edition in English."""

    def variants(self, component: Component) -> tuple[Variant, ...]:
        """Return the variants of a component, in the guide's own words."""
        return english_variants(component.text)


@cached(1)
def english() -> EnglishWords:
    """Return the table of English."""
    return EnglishWords(**read_shared(FILE))


@cached(4096)
def english_variants(text: str) -> tuple[Variant, ...]:
    """Return the variants of a text of the rules: of one and of more, with "up to" and without, by form of the targets."""
    targets = {each.many: each for each in english().targets.values()}
    pieces = []
    for atom in atoms(text):
        match atom.sort:
            case Sort.UP_TO:
                pieces.append(Piece(more=atom.text, counter=atom.variable, up_to=True))
            case Sort.COUNTED:
                pieces.append(Piece(more=atom.text, one=singular(atom.text), counter=atom.variable))
            case Sort.TARGETS | Sort.BATCH:
                pieces.append(Piece(slot=atom.text))
            case _:
                pieces.append(Piece(more=atom.text))
    return tuple(expand(pieces, targets))


# Guide, "Activation Costs" and "Effects": the first letter is capital only where nothing stands before it. In the 11th
# Edition a target selection may follow "then".
_ANY_CASE = {Abilities.CLAUSES: (Role.COST, Role.TARGET, Role.EFFECT)}
_THE_TARGET = regex(r"\bthe\s+target\b", re.IGNORECASE)
_UP_TO = regex(r"\bup\s+to\s+[0-9]")
_FIRST_WORD = regex(r"\w+(?:-\w+)*")
_ANY = ""  # the opening of components that may begin with different words
_ONES = {"x": 1, "y": 1, "z": 1}


class EnglishVocabulary(Vocabulary):
    """The components of an edition as they stand in English texts, found by their first word."""

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition, english())
        any_case = _ANY_CASE.get(edition.grammar.abilities, (Role.COST, Role.EFFECT))
        self._capitals: set[tuple[Role, str]] = set()  # the openings that a card may have in small letters, too
        self._by_opening: dict[tuple[Role, str], list[Component]] = {}
        for component in edition.components:
            first = atoms(component.text)[0]
            opening = (component.role, _opening(first.text) if first.sort is Sort.WORD else _ANY)
            self._by_opening.setdefault(opening, []).append(component)
            if component.role in any_case and component.text[:1].isupper():
                self._capitals.add(opening)

    def _read(self, role: Role, words: str) -> ComponentUse | None:
        found = self._first(role, words)
        if found is None and words[:1].islower() and (role, _opening(words)) in self._capitals:
            found = self._first(role, words[0].upper() + words[1:])
        return found

    def _first(self, role: Role, words: str) -> ComponentUse | None:
        # By the first word, then those that may begin with any: most expressions are never tried.
        for opening in (_opening(words), _ANY):
            for component in self._by_opening.get((role, opening), ()):
                match = pattern(component.text).match_whole(words)
                if match is not None:
                    form = TargetForm.ONE if _THE_TARGET.search(words) else TargetForm.IT
                    form = form if match.single else TargetForm.MANY
                    bare = "up to {" in component.text and not _UP_TO.search(words)
                    return component_use(component, match.numbers, form, bare, words)
        return None

    def _wordings(self, component: Component) -> list[str]:
        """Return a component as the guide prints it, and as a card with the number 1 does: either may be nearer."""
        of_one = filled(english_variants(component.text), _ONES, TargetForm.IT, bare=True)
        return [plain_text(component.text), of_one or ""]


def _opening(words: str) -> str:
    """Return the first word in lower case, by which possible components are looked up."""
    first = _FIRST_WORD.match(words)
    return first[0].lower() if first else _ANY
