"""The components of an edition that a card's words are (Card Building Guide, "Card Texts"), and words alike."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from fractions import Fraction

from render.base.caches import cached
from render.games.kotc.editions.matching import pattern, render_words
from render.games.kotc.editions.wording import Sort, atoms
from render.games.kotc.model.edition import Component, Role

Numbers = tuple[tuple[str, Fraction], ...]

# Guide, "Activation Costs" and "Effects": the first letter is capital only where nothing stands before it.
ANY_CASE = (Role.COST, Role.EFFECT)


@dataclass(frozen=True, slots=True)
class FoundComponent:
    """A component, with a card's numbers for its variables, by name and sorted."""

    component: Component
    numbers: Numbers


class Components:
    """The components of an edition. Results are cached, since the cards of a set share their words."""

    def __init__(self, components: Iterable[Component], any_case: Container[Role] = ANY_CASE) -> None:
        """Take the components; those of the roles `any_case` may begin with a small letter on a card."""
        self._capitals: set[tuple[Role, str]] = set()  # the openings that a card may have in small letters, too
        self._of_role: dict[Role, list[Component]] = {role: [] for role in Role}
        self._by_opening: dict[tuple[Role, str], list[Component]] = {}
        for component in components:
            self._of_role[component.role].append(component)
            opening = (component.role, _opening_of(component))
            self._by_opening.setdefault(opening, []).append(component)
            if component.role in any_case and component.text[:1].isupper():
                self._capitals.add(opening)
        self._found: dict[tuple[Role, str], FoundComponent | None] = {}

    def find(self, role: Role, words: str) -> FoundComponent | None:
        """Return the component of that role that the whole words are; None if they are none."""
        key = (role, words)
        if key not in self._found:
            found = self._first(role, words)
            if found is None and words[:1].islower() and (role, _opening(words)) in self._capitals:
                found = self._first(role, words[0].upper() + words[1:])
            self._found[key] = found
        return self._found[key]

    def role_of(self, words: str) -> Role | None:
        """Return the first role in which the words are a component; None if they are none."""
        return next((role for role in Role if self.find(role, words)), None)

    def nearest(self, role: Role, words: str) -> str:
        """Return the text of that role that is most similar to the words, as guides print it; "" if none is.

        Letters alone make anything like anything: words that say something must be alike, too.
        """
        plain, texts = plain_words(words), self._like(role)
        telling = _telling_words(plain)
        alike = [
            text for text in texts if any(is_like(one, other) for one in telling for other in _telling_words(text))
        ]
        near = difflib.get_close_matches(plain, alike, n=1, cutoff=0.5)
        return texts[near[0]] if near else ""

    def example(self, role: Role) -> str:
        """Return the first text of a role, as guides print it; "" if there is none."""
        return next((component_text(component) for component in self._of_role[role]), "")

    def _like(self, role: Role) -> dict[str, str]:
        """Return the texts of a role, as guides print them, by the plain words in which a card may have them."""
        texts: dict[str, str] = {}
        for component in self._of_role[role]:
            # As the guide prints it, and as a card with the number 1 does: either may be the nearer one.
            said = component_text(component)
            texts |= {plain_words(component.text): said, plain_words(render_words(component.text, _ONES, "it")): said}
        return texts

    def _first(self, role: Role, words: str) -> FoundComponent | None:
        # By the first word, then those that may begin with any: most expressions are never tried.
        for opening in (_opening(words), _ANY):
            for component in self._by_opening.get((role, opening), ()):
                match = pattern(component.text).match_whole(words)
                if match is not None:
                    return FoundComponent(
                        component, tuple(sorted((name, Fraction(n)) for name, n in match.numbers.items()))
                    )
        return None


def component_text(component: Component) -> str:
    """Return the text of a component as guides print it: `draw x cards`."""
    return plain_text(component.text)


def plain_text(text: str) -> str:
    """Return a text of the rules as their pages print it: `draw x cards` for `draw {x} cards`."""
    return _VARIABLE.sub(r"\1", text)


_VARIABLE = re.compile(r"\{([a-z])\}")
_ONES = {"x": 1, "y": 1, "z": 1}
_NUMBER = re.compile(r"\d+|\{[a-z]\}")


_WORDS = re.compile(r"[^\W\d_]+")
_MIN_TELLING = 3  # letters: "x", "it" and "up" say nothing of what is meant
_SAYING_LITTLE = frozenset(
    "the target targets each all card cards this that your any and with from for when are has".split()
)


@cached(4096)
def _telling_words(plain: str) -> frozenset[str]:
    """Return the words by which a text can be told from others."""
    return frozenset(each for each in _WORDS.findall(plain) if len(each) >= _MIN_TELLING) - _SAYING_LITTLE


_FIRST_WORD = re.compile(r"\w+(?:-\w+)*")
_ANY = ""  # the opening of components that may begin with different words


def _opening(words: str) -> str:
    """Return the first word in lower case, by which possible components are looked up."""
    first = _FIRST_WORD.match(words)
    return first[0].lower() if first else _ANY


def _opening_of(component: Component) -> str:
    """Return the first word of a component; "" if a card may begin it with a number or "it"."""
    first = atoms(component.text)[0]
    return _opening(first.text) if first.sort is Sort.WORD else _ANY


def plain_words(words: str) -> str:
    """Return the words in the form for comparison: lower case, all numbers equal."""
    return _NUMBER.sub("x", words.lower())


MIN_NEAR = 4  # letters: shorter words are like too many others
_NEAR = 0.75  # of `difflib`: one or two wrong letters in a word of six

# Endings that words of the components have, and what stands for them: destroyed, destroys, destroying, copies.
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))


@cached(4096)
def stem(word: str) -> str:
    """Return what the forms of a word have in common: `destroy` for destroyed, destroys and destroying."""
    if word in ("dice", "die"):
        return "dice"
    for ending, instead in _ENDINGS:
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and not word.endswith("ss"):
            # "exhausted" and "bounced" have one ending each, and "stopped" doubles a letter before it.
            doubled = ending in ("ed", "ing") and root[-1] == root[-2] and root[-1] not in "ls"
            return f"{root[:-1] if doubled else root}{instead}".rstrip("e") or word
    return word


def is_like(word: str, other: str) -> bool:
    """Return whether two words are forms of one word, or one is the other with a slip of the pen."""
    if stem(word) == stem(other):
        return True
    if min(len(word), len(other)) < MIN_NEAR:
        return False
    return difflib.SequenceMatcher(None, word, other).ratio() >= _NEAR
