"""The pieces of a text of the rules: numbers, nouns that depend on a number, targets, quotes, arrows."""

from __future__ import annotations

import enum
import re

from msgspec import Struct

from render.base.caches import cached
from render.games.kotc.model.edition import Component


class Sort(enum.Enum):
    """The kind of a piece of text, which says how a card may print it."""

    WORD = "word"
    SPACE = "space"
    OTHER = "other"
    QUOTE = "quote"
    ARROW = "arrow"
    VARIABLE = "variable"
    UP_TO = "up to"  # before a variable, with the space behind it
    COUNTED = "counted"  # a plural noun counted by its variable
    LAST_NOUN = "last noun"  # a singular noun at the end, which a card may have in the plural
    TARGETS = "targets"  # the targets, each target, the targets', each target's
    BATCH = "batch"  # "Batch add", which is "add" if there is one target (11th Edition)


class TargetForm(enum.Enum):
    """How an effect speaks of its targets: "the targets" or "each target", "the target", "it"."""

    MANY = "many"
    ONE = "one"
    IT = "it"


class Atom(Struct, frozen=True):
    """A piece of a text of the rules; `variable` is the variable that it is, or that counts it."""

    sort: Sort
    text: str
    variable: str = ""


_ATOM = re.compile(
    r"(?P<targets>\b(?:the targets'?|each target(?:'s)?)(?![\w-]))|(?P<up_to>\bup to )(?=\{[xyz]\})"
    r"|(?P<batch>\bBatch (?:add|subtract)\b)|\{(?P<variable>[xyz])\}|(?P<arrow>→|->)|(?P<space>\s+)"
    r"|(?P<quote>[\"'])|(?P<word>\w+(?:-\w+)*)|(?P<other>.)"
)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


@cached(4096)
def atoms(text: str) -> tuple[Atom, ...]:
    """Return the pieces of a text of the rules, with straight quotes and single spaces."""
    found = list(_ATOM.finditer(" ".join(text.translate(_STRAIGHT).split())))
    counted = dict(_counted(found))
    singular_end = _may_be_plural(found)
    return tuple(_atom(found, index, counted, singular_end) for index in range(len(found)))


def _atom(found: list[re.Match[str]], index: int, counted: dict[int, str], singular_end: bool) -> Atom:
    match = found[index]
    kind = match.lastgroup or ""
    if kind == "variable":
        return Atom(Sort.VARIABLE, match[0], match["variable"])
    if kind == "up_to":
        return Atom(Sort.UP_TO, match[0], found[index + 1]["variable"])
    if index in counted:
        return Atom(Sort.COUNTED, match[0], counted[index])
    if singular_end and index == len(found) - 1:
        return Atom(Sort.LAST_NOUN, match[0])
    return Atom(Sort(kind), "→" if kind == "arrow" else match[0])


def has_targets(component: Component) -> bool:
    """Return whether a component speaks of the targets of its sentence."""
    return any(atom.sort is Sort.TARGETS for atom in atoms(component.text))


def needs_targets(component: Component) -> bool:
    """Return whether an effect means nothing without targets, by its words or its level."""
    return component.counts_targets or has_targets(component)


def variables(text: str) -> frozenset[str]:
    """Return the variables that a card replaces with numbers."""
    return frozenset(_VARIABLE.findall(text))


def plain_text(text: str) -> str:
    """Return a text of the rules as their pages print it: `draw x cards` for `draw {x} cards`."""
    return _VARIABLE.sub(r"\1", text)


_VARIABLE = re.compile(r"\{([xyz])\}")


# Words behind which a number does not count any more: "{x} of your resources" has resources for one of them, too.
_NO_LONGER_COUNTED = frozenset(
    "of on in to from by and or until for with at among damage therein is are per this that your any all".split()
)
_OF_COUNTERS = ("damage", "dice")  # they name counters, too, and then they are not what is counted
_ENDS_IN_S = frozenset("this its as is was has less each".split())


def _counted(found: list[re.Match[str]]) -> list[tuple[int, str]]:
    """Return the indexes of the counted nouns, with the variable that counts them.

    A number behind "level" counts nothing: "{x} level {y} pawns" are x pawns, and "level {x} or lower" is a level.
    """
    nouns = []
    for index, match in enumerate(found):
        if match.lastgroup != "variable" or (index > 1 and found[index - 2][0] == "level"):
            continue
        for at in range(index + 1, len(found)):
            kind, word = found[at].lastgroup, found[at][0]
            if word == "or" and found[at + 2 : at + 3] and found[at + 2][0] == "lower":
                continue  # "{x} level {y} or lower creatures" are x creatures
            if word in _OF_COUNTERS and found[at + 2 : at + 3] and found[at + 2][0] == "counters":
                continue  # "{x} dice counters" and "{x} damage counters" are x counters
            if kind not in ("space", "word", "variable") or word in _NO_LONGER_COUNTED:
                break
            if kind == "word" and singular(word) != word:
                nouns.append((at, match["variable"]))
                break
    return nouns + _counted_verbs(found)


def _counted_verbs(found: list[re.Match[str]]) -> list[tuple[int, str]]:
    """Return the indexes of "are" behind a number, which is "is" for one: "at least {x} of your cards are destroyed".

    Guide up to the 11th Edition, "Constructing Abilities": plural forms are singular for the number 1.
    """
    verbs, last = [], ""
    for index, match in enumerate(found):
        last = match["variable"] or last
        if last and match[0] == "are":
            verbs.append((index, last))
    return verbs


def singular(word: str) -> str:
    """Return a plural noun in the singular, and "is" for "are"; any other word unchanged."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("s") or word.endswith("ss") or word in _ENDS_IN_S:
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


_IRREGULAR = {"dice": "die", "are": "is"}
_NOUNS = frozenset("card minion creature spell pawn resource counter player".split())
_OF_ONE = frozenset("a an this that each one any another".split())


def _may_be_plural(found: list[re.Match[str]]) -> bool:
    """Return whether the text ends in a noun that a card may have in the plural, as "in-play card"."""
    return found[-1][0] in _NOUNS and not any(match[0] in _OF_ONE for match in found) if found else False
