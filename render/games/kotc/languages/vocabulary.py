"""The words of a language as a table, and which components of an edition the words of a text are.

A component is said by the row of its variants: one, a few or many of something, of several targets, one, or "it". Words
are found by the same rows. What is said is the same in all languages: a component, its numbers, how it speaks of the
targets. English is worked out from the texts of the editions (`languages.english`), other languages are files.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from render.base.patterns import regex
from render.base.values import PartlyCompared
from render.games.kotc.editions.wording import TargetForm
from render.games.kotc.languages.alike import is_like, plain_words, telling_words
from render.games.kotc.languages.notation import ANY, TargetWords, Variant, filled
from render.games.kotc.model.ability import Part
from render.games.kotc.model.edition import Component, Costs, Edition, Role

# --- the table of a language: what its file says, checked ------------------------------------------------------------


class Joints(Struct, frozen=True, kw_only=True):
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


class JointMarks(Struct, frozen=True):
    """Expressions for what stands behind a target selection, between effects and between costs."""

    semicolon: re.Pattern[str]
    effects: re.Pattern[str]
    costs: re.Pattern[str]


def joint_marks(joints: Joints, costs: Costs) -> JointMarks:
    """Return the expressions that find joints with any spaces; a card may have none before a sign such as `;`."""
    lists = "|".join((_mark(joints.last_and), _mark(joints.and_), r"\s*,\s+"))
    return JointMarks(
        re.compile(_mark(joints.semicolon)),
        re.compile(f"{_mark(joints.then)}|{_mark(joints.also)}"),
        re.compile(_mark(joints.also) if costs is Costs.ALSO else lists),
    )


def _mark(joint: str) -> str:
    words = r"\s+".join(re.escape(word) for word in joint.split())
    return rf"\s+{words}\s+" if joint[:1].isspace() and joint.strip()[:1].isalnum() else rf"\s*{words}\s+"


class WordedComponent(Struct, frozen=True):
    """A component of the edition in the language; `it` is the gender of the one target that it may select."""

    component: Component
    variants: tuple[Variant, ...]
    it: str = ""


class LanguageWords(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The words of an edition in a language.

    `language` is its code, such as `de`, `name` its own name. `terms` are the words for kinds of card and their
    numbers, by the names of `TERMS`; `indicator` is the Edition Indicator, in which `{x}` is the edition's number.
    `targets` are the words by which effects speak of their targets.
    """

    language: str
    name: str
    joints: Joints
    targets: Mapping[str, TargetWords]
    terms: Mapping[str, str] = field(default_factory=dict)
    indicator: tuple[Variant, ...] = ()
    components: tuple[WordedComponent, ...] = ()
    no_break: NoBreak = field(default_factory=NoBreak)

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

    @cached_property
    def _rows(self) -> Mapping[tuple[Role, str], WordedComponent]:
        return {(each.component.role, each.component.text): each for each in self.components}

    def variants(self, component: Component) -> tuple[Variant, ...]:
        """Return the variants of a component; () if the language has no words for it."""
        row = self._rows.get((component.role, component.text))
        return row.variants if row else ()

    def gender(self, component: Component) -> str:
        """Return the gender of the one target that a target selection may select."""
        row = self._rows.get((component.role, component.text))
        return row.it if row else ANY

    def say(self, use: ComponentUse, gender: str = ANY) -> str | None:
        """Return the words of a component; `gender` is that of a single target. None if the language has none."""
        if not use.is_known:
            return None
        return filled(self.variants(use.component), dict(use.numbers), use.form, gender, bare=bool(use.bare))

    def printed(self, component: Component) -> str:
        """Return a component as a guide names it, with its variables for numbers above 1; "" if it has no words."""
        known = (each for each in self.variants(component) if not each.ones and each.form in (None, TargetForm.MANY))
        found = next(known, None)
        return re.sub(r"\{([xyz])\}", r"\1", found.words) if found else ""


TERMS = ("minion", "spell", "pawn", "tip", "sp", "hp", "level", "ultra_points")


# --- components in texts ---------------------------------------------------------------------------------------------


class ComponentUse(PartlyCompared, frozen=True):
    """A component with a number for each of its variables, sorted by name; `form` matters to effects on targets.

    The other fields are of one that was read, and change nothing of what it says. `bare` says whether "up to" is left
    out, `capital` whether it begins with a capital, None for one that begins with a number. `words` are those of the
    text; if they are no component, it is not `is_known`, and stands for one of these words.
    """

    uncompared: ClassVar = frozenset({"bare", "capital", "words", "is_known"})

    component: Component
    numbers: tuple[tuple[str, int], ...] = ()
    form: TargetForm = TargetForm.MANY
    bare: bool | None = None
    capital: bool | None = None
    words: Part | None = None
    is_known: bool = True


class Vocabulary(ABC):
    """The components of an edition in texts of a language. Results are cached, since the cards of a set share words."""

    def __init__(self, edition: Edition, words: LanguageWords) -> None:
        self.edition = edition
        self.words = words
        self._found: dict[tuple[Role, str], ComponentUse | None] = {}

    def find(self, role: Role, words: str) -> ComponentUse | None:
        """Return the component of that role that the whole words are, and how; None if they are none."""
        key = (role, words)
        if key not in self._found:
            self._found[key] = self._read(role, words)
        return self._found[key]

    def role_of(self, words: str) -> Role | None:
        """Return the first role in which the words are a component; None if they are none."""
        return next((role for role in Role if self.find(role, words)), None)

    def nearest(self, role: Role, words: str) -> str:
        """Return the text of that role that is most similar to the words, as guides print it; "" if none is.

        Letters alone make anything like anything: words that say something must be alike, too.
        """
        texts: dict[str, str] = {}
        for component in self._of(role):
            printed = self.words.printed(component)
            texts |= {plain_words(said): printed for said in self._wordings(component)}
        plain = plain_words(words)
        telling = telling_words(plain)
        alike = [text for text in texts if any(is_like(one, other) for one in telling for other in telling_words(text))]
        from difflib import get_close_matches

        near = get_close_matches(plain, alike, n=1, cutoff=0.5)
        return texts[near[0]] if near else ""

    def example(self, role: Role) -> str:
        """Return the first text of a role, as guides print it; "" if there is none."""
        return next((said for said in map(self.words.printed, self._of(role)) if said), "")

    def _of(self, role: Role) -> list[Component]:
        return [each for each in self.edition.components if each.role is role]

    @abstractmethod
    def _read(self, role: Role, words: str) -> ComponentUse | None: ...

    @abstractmethod
    def _wordings(self, component: Component) -> list[str]: ...


def component_use(
    component: Component, numbers: Mapping[str, int], form: TargetForm, bare: bool, words: str
) -> ComponentUse:
    """Return a component as words use it."""
    capital = words[:1].isupper() if words[:1].isalpha() else None
    return ComponentUse(component, tuple(sorted(numbers.items())), form, bare, capital)


class ForeignVocabulary(Vocabulary):
    """The components of an edition in the words of a language file, found by all that numbers do not change."""

    def __init__(self, edition: Edition, words: LanguageWords) -> None:
        super().__init__(edition, words)
        self._known: dict[tuple[Role, str], list[tuple[Component, Variant]]] = {}
        for each in words.components:
            for variant in each.variants:
                self._known.setdefault((each.component.role, _key(variant.words)), []).append((each.component, variant))

    def _read(self, role: Role, words: str) -> ComponentUse | None:
        for component, variant in self._known.get((role, _key(words)), ()):
            numbers = _numbers(variant, words)
            if numbers is not None and (variant.words[:1].islower() or words[:1] == variant.words[:1]):
                return component_use(component, numbers, variant.form or TargetForm.MANY, variant.bare, words)
        return None

    def _wordings(self, component: Component) -> list[str]:
        return [variant.words for variant in self.words.variants(component)]


_NUMBER = regex(r"\{[xyz]\}|[0-9]+")
_ANY_NUMBER = "\N{REPLACEMENT CHARACTER}"  # which no card can hold
_DIGITS = regex(r"[0-9]+")
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
