"""The words of an ability, stretch by stretch: which components they are, with which numbers, worth how much.

Card Building Guide, "Constructing Abilities": an ability has a condition, costs and sub-abilities, and a sub-ability
has a target selection and effects. Each target selection sets `t` for the formulas of the effects behind it. Up to the
11th Edition the whole ability has one target selection, and in the 11th its condition sets `a`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from render.base.caches import BoundedCache
from render.base.patterns import regex
from render.games.kotc.languages.vocabulary import ComponentUse, JointMarks, Vocabulary, joint_marks
from render.games.kotc.model.ability import Ability, Part
from render.games.kotc.model.cards import ENGLISH
from render.games.kotc.model.edition import Role
from render.games.kotc.model.formula import FACTOR, TARGETS

Numbers = tuple[tuple[str, Fraction], ...]

WHOLE = Fraction(1)  # the factor without a condition
_NOTHING = Fraction(0)
_MOST = 4096  # stretches whose readings are kept


class LevelFault(enum.Enum):
    """Why no level follows from the words of a card."""

    UNKNOWN = "unknown"  # the edition has no such component in that role
    NO_TARGETS = "no targets"  # an effect on targets in a sub-ability that selects none
    NO_EFFECT = "no effect"  # "1 or more sub-abilities (required)"
    NO_ABILITY = "no ability"  # "Spells have only a single ability"
    ABILITIES = "abilities"
    COSTS = "costs"  # up to the 11th Edition "only one activation cost can be used per ability"
    NO_VALUE = "no value"  # the formula would divide by 0 or less


class WordingFlaw(Struct, frozen=True):
    """Words of a card, and why no level follows from them; `role` is that of the component they should be."""

    fault: LevelFault
    words: Part
    role: Role | None = None


class ComponentText(Struct, frozen=True):
    """Words of a card that are one component, `found`, or should be one.

    `numbers` are those of the formula. `value` is what an effect adds, and what a cost, a caveat and, up to the 10th
    Edition, a condition subtract; for a target selection it is `t`, for a condition of the 11th `a`, for later ones 0.
    It is None if it is unknown.
    """

    role: Role
    words: Part
    found: ComponentUse | None = None
    numbers: Numbers = ()
    value: Fraction | None = None

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of the component."""
        return self.found.component.ultra_points if self.found else 0

    @property
    def is_summed(self) -> bool:
        """Whether the value is part of a level; `t` and `a` only enter the formulas of effects."""
        if self.value is None or self.role is Role.TARGET:
            return False
        return self.role is not Role.CONDITION or self.found is None or self.found.component.factor is None


class StretchReading(Struct, frozen=True):
    """The components of a stretch of text: a condition, the costs of an ability, or a sub-ability.

    Places count from the start of the stretch, since the same words stand on many cards. `value` is the sum of the
    known costs or effects.
    """

    pieces: tuple[ComponentText, ...]
    value: Fraction
    ultra_points: int
    flaws: tuple[WordingFlaw, ...]

    def placed(self, start: int) -> list[ComponentText]:
        """Return the pieces with their places in a text in which the stretch begins at `start`."""
        return [
            ComponentText(each.role, move_part(each.words, start), each.found, each.numbers, each.value)
            for each in self.pieces
        ]

    def placed_flaws(self, start: int) -> list[WordingFlaw]:
        """Return the flaws with their places in such a text."""
        return [WordingFlaw(flaw.fault, move_part(flaw.words, start), flaw.role) for flaw in self.flaws]


def move_part(words: Part, by: int) -> Part:
    """Return words moved by that many characters."""
    return Part(words.text, words.start + by, words.end + by)


class SubAbility(Struct, frozen=True):
    """A sentence of an ability; `value` is the sum of its known effects."""

    target: ComponentText | None
    effects: tuple[ComponentText, ...]
    value: Fraction


class AbilityReading(Struct, frozen=True):
    """An ability with the readings of its condition, if any, its costs, if any, and its sentences.

    Up to the 11th Edition there is one reading of all sentences.
    """

    parts: Ability
    readings: tuple[tuple[int, StretchReading], ...]  # each with the place where it begins

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of all its components."""
        return sum(reading.ultra_points for _, reading in self.readings)

    @property
    def flaws(self) -> list[WordingFlaw]:
        """Why no level follows from the ability."""
        return [flaw for start, reading in self.readings for flaw in reading.placed_flaws(start)]

    @property
    def pieces(self) -> list[ComponentText]:
        """The components in text order."""
        return [piece for start, reading in self.readings for piece in reading.placed(start)]

    @property
    def costs(self) -> list[ComponentText]:
        """The activation costs."""
        return [piece for piece in self.pieces if piece.role is Role.COST]

    @property
    def effects(self) -> list[ComponentText]:
        """The effects of all sub-abilities."""
        return [piece for piece in self.pieces if piece.role is Role.EFFECT]

    @property
    def condition(self) -> ComponentText | None:
        """The activation condition, if there is one."""
        return next((piece for piece in self.pieces if piece.role is Role.CONDITION), None)

    @property
    def sub_abilities(self) -> list[SubAbility]:
        """The sub-abilities; up to the 11th Edition all of its sentences together."""
        found = []
        for start, reading in self.readings:
            if reading.pieces[0].role in (Role.TARGET, Role.EFFECT):
                pieces = reading.placed(start)
                # A target selection comes before the effects, if there is one (guide, "Constructing Abilities").
                target = pieces[0] if pieces[0].role is Role.TARGET else None
                found.append(SubAbility(target, tuple(pieces[1 if target else 0 :]), reading.value))
        return found


class Reader:
    """Reads the texts of abilities by the components of an edition in a language. Results are cached."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._grammar = vocabulary.edition.grammar
        self._marks = joint_marks(vocabulary.words.joints, self._grammar.costs)
        self._read: BoundedCache[StretchReading] = BoundedCache(_MOST, lambda _: 1)

    def read(self, text: str, parts: Ability) -> AbilityReading:
        """Return what an ability of a text is made of."""
        readings = []
        factor: Fraction | None = WHOLE  # without a condition (guide of the 11th Edition, "Effects")
        if parts.condition:
            readings.append(self.stretch(text, [parts.condition], Role.CONDITION))
            factor = _factor(readings[0][1].pieces[0])
        if parts.costs:
            readings.append(self.stretch(text, parts.costs, Role.COST))
        by_itself = self._grammar.has_sub_abilities
        sentences = [[each] for each in parts.sub_abilities] if by_itself else [parts.sub_abilities]
        readings += [self.stretch(text, each, Role.EFFECT, factor) for each in sentences if each]
        return AbilityReading(parts, tuple(readings))

    def stretch(
        self, text: str, items: Sequence[Part], role: Role, factor: Fraction | None = WHOLE
    ) -> tuple[int, StretchReading]:
        """Return where a stretch of a text begins, and its reading.

        The items are a condition, a caveat, costs, or sentences, in which a target selection may stand before the
        effects. `factor` is `a`, None if it is unknown.
        """
        start, words = items[0].start, text[items[0].start : items[-1].end]

        def read() -> StretchReading:
            stretch = _Stretch(self.vocabulary, self._marks, words, [], factor)
            inner = [move_part(each, -start) for each in items]
            if role is Role.COST and self.vocabulary.words.language != ENGLISH:  # other words join them
                inner = split_at(self._marks.costs, words, 0, len(words))
            return _reading(stretch, stretch.read(role, inner))

        return start, self._read.get((role, words, factor), read)


def _factor(condition: ComponentText) -> Fraction | None:
    """Return the `a` of a condition; None if it is unknown."""
    if condition.found is None:
        return None
    return WHOLE if condition.found.component.factor is None else condition.value


def _reading(stretch: _Stretch, pieces: Iterable[ComponentText]) -> StretchReading:
    found = tuple(pieces)  # the flaws are noted while the pieces are read
    summed = [piece.value for piece in found if piece.value is not None and piece.is_summed]
    ultra_points = sum(piece.ultra_points for piece in found)
    return StretchReading(found, sum(summed, _NOTHING), ultra_points, tuple(stretch.flaws))


def split_at(mark: re.Pattern[str], text: str, start: int, end: int) -> list[Part]:
    """Return the words between the marks, with their places."""
    parts = []
    for match in mark.finditer(text, start, end):
        parts.append(Part(text[start : match.start()], start, match.start()))
        start = match.end()
    return [*parts, Part(text[start:end], start, end)]


# How the target selections of the guides up to the 10th Edition begin, which are sentences as all else.
_OLD_TARGET = regex(r"(?:Target|Show|Have)\b")


class _Stretch(Struct, frozen=True):
    """A stretch of text being read; reasons why no level follows are added to `flaws`."""

    vocabulary: Vocabulary
    marks: JointMarks
    text: str
    flaws: list[WordingFlaw]
    factor: Fraction | None = WHOLE

    def read(self, role: Role, items: Sequence[Part]) -> Iterator[ComponentText]:
        """Yield the components of a role, or target selection and effects of sentences."""
        if role is not Role.EFFECT:
            return self.pieces(role, items)
        return self.sentences(items) if self.vocabulary.edition.grammar.of_sentences else self.clauses(items)

    def clauses(self, sentences: Sequence[Part]) -> Iterator[ComponentText]:
        """Yield a target selection, if there is one, which is that of all sentences (11th Edition), and effects."""
        target = None
        for words in sentences:
            start, end = words.start, words.end - words.text.endswith(".")
            if words is sentences[0]:
                selection, start = self._selection(start, end)
                if selection:
                    target = self._piece(Role.TARGET, selection, None)
                    yield target
            yield from self.pieces(Role.EFFECT, split_at(self.marks.effects, self.text, start, end), target)

    def sentences(self, sentences: Sequence[Part]) -> Iterator[ComponentText]:
        """Yield the components of an ability up to the 10th Edition, each a sentence."""
        target = None
        if sentences and _is_target(self.vocabulary, sentences[0].text):
            target = self._piece(Role.TARGET, sentences[0], None)
            yield target
        for words in sentences[1 if target else 0 :]:
            yield self._piece(Role.EFFECT, words, target)

    def _selection(self, start: int, end: int) -> tuple[Part | None, int]:
        """Return the words before a semicolon, the most that are a target selection, and where to continue."""
        # Every target selection of the guides from the 11th Edition on ends with a semicolon ("Target Selections").
        marks = list(self.marks.semicolon.finditer(self.text, start, end))
        # The last semicolon first: a target selection may contain one itself. The first one is the last resort.
        for mark in (*reversed(marks[1:]), *marks[:1]):
            words = self._part(start, mark.start())
            if mark is marks[0] or self.vocabulary.find(Role.TARGET, words.text):
                return words, mark.end()
        return None, start

    def pieces(self, role: Role, items: Sequence[Part], target: ComponentText | None = None) -> Iterator[ComponentText]:
        """Yield the components in a list, each the longest possible: it may contain a comma or "and" itself."""
        at = 0
        while at < len(items):
            joined = [self._part(items[at].start, last.end) for last in items[at:]]
            count = next((n for n in range(len(joined), 1, -1) if self.vocabulary.find(role, joined[n - 1].text)), 1)
            yield self._piece(role, joined[count - 1], target)
            at += count

    def _piece(self, role: Role, words: Part, target: ComponentText | None) -> ComponentText:
        found = self.vocabulary.find(role, words.text)
        if found is None:
            self.flaws.append(WordingFlaw(LevelFault.UNKNOWN, words, role))
            return ComponentText(role, words)
        component = found.component
        numbers = tuple((name, Fraction(number)) for name, number in found.numbers)
        formula = component.level or component.factor
        # From the 12th Edition on conditions have no formula: they change no level (guide, "Activation Conditions").
        if formula is None:
            return ComponentText(role, words, found, numbers, _NOTHING)
        if FACTOR in formula.variables:
            if self.factor is None:  # of an unknown condition, which is another flaw
                return ComponentText(role, words, found, numbers)
            numbers = ((FACTOR, self.factor), *numbers)
        if component.counts_targets:
            if target is None:
                self.flaws.append(WordingFlaw(LevelFault.NO_TARGETS, words, role))
            if target is None or target.value is None:  # an unknown value is another flaw
                return ComponentText(role, words, found, numbers)
            # Guide, "Effects": `t` is what the target selection of the same sub-ability gives.
            numbers = (*numbers, (TARGETS, target.value))
        known = dict(numbers)
        if not formula.has_value(known):
            self.flaws.append(WordingFlaw(LevelFault.NO_VALUE, words, role))
            return ComponentText(role, words, found, numbers)
        return ComponentText(role, words, found, numbers, formula.value(known))

    def _part(self, start: int, end: int) -> Part:
        return Part(self.text[start:end], start, end)


def _is_target(vocabulary: Vocabulary, words: str) -> bool:
    if vocabulary.find(Role.TARGET, words):
        return True
    return vocabulary.find(Role.EFFECT, words) is None and _OLD_TARGET.match(words) is not None
