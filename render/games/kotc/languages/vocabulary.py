"""Words searched for and said: which component words of a language are, and a component in the words of a language.

English is read by the rules of the guide (`editions.matching`), every other language by the variants of its file. What
is said is the same in all: a component, its numbers, how it speaks of the targets, whether it begins with a capital."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from render.games.kotc.languages.notation import Variant
    from render.games.kotc.model.edition import Component
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace

from render.games.kotc.editions.matching import pattern
from render.games.kotc.editions.wording import Atom, Sort, TargetForm, atoms, singular
from render.games.kotc.languages.notation import ANY, Variant
from render.games.kotc.model.edition import Component, Edition, Role

# --- the words of a language as values: what its file says, checked --------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Joints:
    """What stands between the components of an ability, with its spaces.

    `colon` is behind a name or a condition, `semicolon` behind a target selection, `then` and `also` between effects,
    `and_` between two costs, `last_and` before the last of more.
    """

    colon: str
    semicolon: str
    then: str
    also: str
    and_: str
    last_and: str


class NoBreak(NamedTuple):
    """Signs from which no line break separates a word: a space `before` or `after` them is printed as a no-break space.

    Before those of `narrow_before` it is a narrow one.
    """

    narrow_before: str = ""
    before: str = ""
    after: str = ""


class JointMarks(NamedTuple):
    """Expressions for what stands behind a target selection, between effects and between costs."""

    semicolon: re.Pattern[str]
    effects: re.Pattern[str]
    costs: re.Pattern[str]


def joint_marks(joints: Joints) -> JointMarks:
    """Return the expressions that find joints with any spaces; a card may have none before a sign such as `;`."""
    costs = "|".join((_mark(joints.last_and), _mark(joints.and_), r"\s*,\s+"))
    return JointMarks(
        re.compile(_mark(joints.semicolon)),
        re.compile(f"{_mark(joints.then)}|{_mark(joints.also)}"),
        re.compile(costs),
    )


def _mark(joint: str) -> str:
    words = r"\s+".join(re.escape(word) for word in joint.split())
    return rf"\s+{words}\s+" if joint[:1].isspace() and joint.strip()[:1].isalnum() else rf"\s*{words}\s+"


ENGLISH_JOINTS = Joints(colon=": ", semicolon="; ", then=", then ", also=", also ", and_=" and ", last_and=", and ")


@dataclass(frozen=True, slots=True)
class WordedComponent:
    """A component of the edition in the language; `it` is the gender of the one target that it may select."""

    component: Component
    variants: tuple[Variant, ...]
    it: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LanguageWords:
    """The words of an edition in a language.

    `language` is its code, such as `de`, `name` its own name. `terms` are the words for kinds of card and their
    numbers, by the names of `TERMS`; `indicator` is the Edition Indicator, in which `{x}` is the edition's number.
    """

    language: str
    name: str
    edition: int
    terms: Mapping[str, str]
    indicator: tuple[Variant, ...]
    joints: Joints
    components: tuple[WordedComponent, ...]
    no_break: NoBreak

    def kept_together(self, text: str) -> str:
        """Return a text in which no line ends between a sign and its word; no character is added."""
        narrow, before, after = map(re.escape, self.no_break)
        text = re.sub(f" (?=[{narrow}])", "\u202f", text) if narrow else text
        text = re.sub(f" (?=[{before}])", "\u00a0", text) if before else text
        return re.sub(f"(?<=[{after}]) ", "\u00a0", text) if after else text

    def edition_indicator(self, number: int) -> str:
        """Return the Edition Indicator of an edition: `17. Edition`."""
        numbers = {"x": number}
        return next(each.filled(numbers) for each in self.indicator if each.fits(numbers))


TERMS = ("minion", "spell", "pawn", "tip", "sp", "hp", "level", "ultra_points")


# --- words searched for and said -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """What words say, in no language.

    `form` is None if they say nothing of targets, `capital` None if they begin with a number. `bare` says that "up to"
    is left out, as it may be before 1.
    """

    component: Component
    numbers: Mapping[str, int]
    form: TargetForm | None = None
    capital: bool | None = None
    bare: bool = False


class Vocabulary(ABC):
    """The components of an edition in the words of a language."""

    joints: Joints

    @abstractmethod
    def read(self, role: Role, words: str) -> Said | None:
        """Return what words say in that role; None if they are no component."""

    @abstractmethod
    def say(self, said: Said, gender: str) -> str | None:
        """Return the words; `gender` is that of a single target. None if the language has none for the component."""

    @abstractmethod
    def gender(self, component: Component) -> str:
        """Return the gender of the one target that a target selection may select."""


class English(Vocabulary):
    """The components of an edition as its guide has them."""

    joints = ENGLISH_JOINTS

    def __init__(self, edition: Edition) -> None:
        self._components = edition.components

    def read(self, role: Role, words: str) -> Said | None:
        """Return what words say in that role; None if they are no component."""
        for component in self._components:
            found = pattern(component.text).match_whole(words) if component.role is role else None
            if found:
                form = _english_form(words, is_one=found.single) if speaks_of_targets(component) else None
                bare = "{" in component.text and "up to {" in component.text and not _UP_TO.search(words)
                return Said(component, found.numbers, form, _capital(words), bare)
        return None

    def say(self, said: Said, gender: str) -> str:
        """Return the words as the guide has them: singular for 1."""
        words = "".join(_english(atom, said) for atom in atoms(said.component.text))
        return f"{words[:1].upper()}{words[1:]}" if said.capital else words

    def gender(self, component: Component) -> str:
        """Return no gender."""
        return ANY


_ONE = re.compile(r"\bthe\s+target\b", re.IGNORECASE)
_UP_TO = re.compile(r"\bup\s+to\s+[0-9]")


def _english_form(words: str, *, is_one: bool) -> TargetForm:
    if not is_one:
        return TargetForm.MANY
    return TargetForm.ONE if _ONE.search(words) else TargetForm.IT


def _english(atom: Atom, said: Said) -> str:
    match atom.sort:
        case Sort.VARIABLE:
            return str(said.numbers[atom.variable])
        case Sort.UP_TO if said.bare and said.numbers[atom.variable] == 1:
            return ""
        case Sort.COUNTED if said.numbers[atom.variable] == 1:
            return singular(atom.text)
        case Sort.TARGETS if said.form in (TargetForm.ONE, TargetForm.IT):
            owning = "'" in atom.text
            if said.form is TargetForm.ONE:
                return "the target's" if owning else "the target"
            return "its" if owning else "it"
    return atom.text


def speaks_of_targets(component: Component) -> bool:
    """Return whether a component speaks of the targets of its sentence."""
    return any(atom.sort is Sort.TARGETS for atom in atoms(component.text))


# --- other languages ------------------------------------------------------------------------------------------------


class Foreign(Vocabulary):
    """The components of an edition in the words of a language file."""

    def __init__(self, words: LanguageWords) -> None:
        self.words = words
        self.joints = words.joints
        self._worded = {(each.component.role, each.component.text): each for each in words.components}
        self._known: dict[tuple[Role, str], list[tuple[WordedComponent, Variant]]] = {}
        for each in words.components:
            for variant in each.variants:
                self._known.setdefault((each.component.role, _key(variant.words)), []).append((each, variant))

    def read(self, role: Role, words: str) -> Said | None:
        """Return what words say in that role; None if they are no component."""
        for each, variant in self._known.get((role, _key(words)), ()):
            numbers = _numbers(variant, words)
            if numbers is not None and (variant.words[:1].islower() or words[:1] == variant.words[:1]):
                return Said(each.component, numbers, variant.form, _capital(words), variant.bare)
        return None

    def say(self, said: Said, gender: str) -> str | None:
        """Return the words; None if the file has none for the component."""
        each = self._worded.get((said.component.role, said.component.text))
        variants = [one for one in each.variants if one.form is said.form and one.fits(said.numbers)] if each else []
        # Where a language has no words for "up to", there is no other variant.
        fitting = [one for one in variants if one.bare is said.bare] or variants
        if not fitting:
            return None
        words = next((one for one in fitting if one.gender in (gender, ANY)), fitting[0]).filled(said.numbers)
        return f"{words[:1].upper()}{words[1:]}" if said.capital else words

    def gender(self, component: Component) -> str:
        """Return the gender of the one target that a target selection may select."""
        each = self._worded.get((component.role, component.text))
        return each.it if each else ANY

    def all_of(self, component: Component) -> list[str]:
        """Return the words of all variants, with their variables; [] if the file has none for the component."""
        each = self._worded.get((component.role, component.text))
        return [variant.words for variant in each.variants] if each else []

    def printed(self, component: Component) -> str:
        """Return a component as a message names it, with its variables for numbers above 1; "" if it has no words."""
        each = self._worded.get((component.role, component.text))
        found = each and next(
            (one for one in each.variants if not one.ones and one.form in (None, TargetForm.MANY)), None
        )
        return re.sub(r"\{([xyz])\}", r"\1", found.words) if found else ""


_NUMBER = re.compile(r"\{[xyz]\}|[0-9]+")
_ANY_NUMBER = "\N{REPLACEMENT CHARACTER}"  # which no card can hold
_DIGITS = re.compile(r"[0-9]+")
_STRAIGHT = str.maketrans("’‘", "''")


def _key(words: str) -> str:
    """Return words by which they are found: any space and apostrophe is like any other, and so are all numbers."""
    plain = " ".join(_NUMBER.sub(_ANY_NUMBER, words).translate(_STRAIGHT).split())
    return f"{plain[:1].lower()}{plain[1:]}"


def _numbers(variant: Variant, words: str) -> dict[str, int] | None:
    """Return the numbers in words that have the key of the variant; None if these are those of another variant."""
    numbers = dict.fromkeys(variant.ones, 1)
    for mark, digits in zip(_NUMBER.findall(variant.words), _DIGITS.findall(words), strict=True):
        # Guide, "Constructing Abilities": a number is at least 1; two places of one variable have the same.
        is_same = digits == mark if mark.isdigit() else numbers.setdefault(mark[1:-1], int(digits)) == int(digits)
        if digits.startswith("0") or not is_same:
            return None
    return numbers if variant.fits(numbers) else None


def _capital(words: str) -> bool | None:
    return words[:1].isupper() if words[:1].isalpha() else None


def clashes(components: Iterable[WordedComponent]) -> list[tuple[WordedComponent, WordedComponent, str]]:
    """Return pairs of components of one role of which a card could not tell one from the other, with their words."""
    seen: dict[tuple[Role, str], dict[Variant, WordedComponent]] = {}
    found = []
    for each in components:
        for variant in each.variants:
            # Few can have the same words and not clash, so that the work grows with the number of texts alone.
            alike = seen.setdefault((each.component.role, _key(variant.words)), {})
            clash = next((other for one, other in alike.items() if _clash(other, one, each, variant)), None)
            if clash:
                found.append((clash, each, variant.words))
            else:
                alike.setdefault(replace(variant, gender=ANY), each)
    return found


def _clash(one: WordedComponent, first: Variant, other: WordedComponent, second: Variant) -> bool:
    """Return whether two variants with the same words for the same numbers say different things."""
    if one is other and (first.form, first.bare, first.words) == (second.form, second.bare, second.words):
        return False
    # Where the number of a place is 1 in one variant and more in the other, the number tells them apart.
    places = zip(_places(first), _places(second), strict=True)
    return not any({a, b} == {"1", ">1"} or (a.isdigit() and b.isdigit() and a != b) for a, b in places)


def _places(variant: Variant) -> Iterator[str]:
    """Yield for each number in a variant what it may be: `1`, another one, `>1`, or "" for any."""
    for mark in _NUMBER.findall(variant.words):
        name = mark[1:-1]
        yield mark if mark.isdigit() else "1" if name in variant.ones else ">1" if name in variant.many else ""
