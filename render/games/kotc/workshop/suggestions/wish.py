"""What somebody wishes of a card, and whether the words of a component are those that were wished for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from render.games.kotc.editions.wording import singular
from render.games.kotc.languages.english import english_variants
from render.games.kotc.model.edition import Component

Words = tuple[str, ...]
Numbers = tuple[tuple[str, int], ...]


class Wish(Struct, frozen=True, kw_only=True):
    """What a card should be. What is None may be anything.

    `ultra_points` are the most that it may have, `sub_abilities` the most of an ability, `abilities` how many a minion
    has (a spell has one). `words` must all occur, none of `unwanted` may; `condition` says whether abilities have an
    activation condition. Those of the `words` that are `deeds` are what the card is to do: in a cost they do not count.
    """

    level: int
    is_spell: bool
    sp: int | None = None
    hp: int | None = None
    ultra_points: int | None = None
    words: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    sub_abilities: int = 2
    abilities: int = 1
    condition: bool | None = None
    deeds: tuple[str, ...] = ()


_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = "#"  # before the name of a variable, in what a component may say


def wished_words(text: str) -> Words:
    """Return the words of a text as wishes compare them: in lower case, nouns in the singular, without signs."""
    # The "s" of "minion(s)" is a word of its own, and no plural.
    return tuple(singular(word) or word for word in _TOKEN.findall(text.lower()))


def stands_in(wanted: Words, words: Words) -> bool:
    """Return whether words follow each other in others."""
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))


def always_says(component: Component, wanted: Words) -> bool:
    """Return whether a component as its guide prints it, `draw x cards`, has the words."""
    return stands_in(wanted, wished_words(component.text.replace("{", "").replace("}", "")))


def numbers_saying(component: Component, wanted: Words) -> list[Numbers]:
    """Return the numbers with which a component has the words: the fewest, each by the name of its variable.

    Without numbers, any will do. Words that are said of one target only, as "it", need a selection that gives one.
    """
    if always_says(component, wanted):
        return [()]
    found = {numbers for words in _variants(component) for numbers in _alignments(wanted, words)}
    return [()] if () in found else sorted(found)


def _alignments(wanted: Words, words: Words) -> Iterator[Numbers]:
    """Yield the numbers that the variables in a component's words need to be the wanted words, at each place."""
    for at in range(len(words) - len(wanted) + 1):
        pairs = list(zip(wanted, words[at : at + len(wanted)], strict=True))
        if all(one == other or (other[0] == _NUMBER and one.isdigit()) for one, other in pairs):
            numbers = {(other[1:], int(one)) for one, other in pairs if other[0] == _NUMBER}
            if len(dict(numbers)) == len(numbers) and all(number for _, number in numbers):
                yield tuple(sorted(numbers))


def _variants(component: Component) -> Iterator[Words]:
    """Yield what a component may say, with `#x` for a number: with and without "up to", of one target or several."""
    for variant in english_variants(component.text):
        words = _VARIABLE.sub(lambda found: f" {_MARKS[found[1]]} ", variant.words)
        yield tuple(_NAMES.get(word, word) for word in wished_words(words))


_VARIABLE = re.compile(r"\{([xyz])\}")
_MARKS = {"x": "numberx", "y": "numbery", "z": "numberz"}  # stand for numbers while words are taken apart
_NAMES = {mark: f"{_NUMBER}{name}" for name, mark in _MARKS.items()}
