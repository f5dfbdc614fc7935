"""The words of an ability, stretch by stretch: which components they are, with which numbers, worth how much.

Card Building Guide, "Constructing Abilities": an ability has a condition, costs and sub-abilities, and a sub-ability
has a target selection and effects. Each target selection sets `t` for the formulas of the effects behind it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from render.games.kotc.languages.words import ENGLISH_JOINTS, JointMarks, Joints, joint_marks
from render.games.kotc.levels.components import Components, FoundComponent, Numbers
from render.games.kotc.model.ability import Part
from render.games.kotc.model.edition import Component, Role

TARGETS = "t"  # the targets in formulas


class LevelFault(enum.Enum):
    """Why no level follows from the words of a card."""

    UNKNOWN = "unknown"  # the edition has no such component in that role
    NO_TARGETS = "no targets"  # an effect on targets in a sub-ability that selects none
    NO_EFFECT = "no effect"  # "1 or more sub-abilities (required)"
    NO_ABILITY = "no ability"  # "Spells have only a single ability"
    ABILITIES = "abilities"


@dataclass(frozen=True, slots=True)
class WordingFlaw:
    """Words of a card, and why no level follows from them; `role` is that of the component they should be."""

    fault: LevelFault
    words: Part
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class ComponentText:
    """Words of a card that are one component, `found`, or should be one.

    `numbers` are those of the formula. `value` is what a cost subtracts and an effect adds; for a target selection it
    is `t`, for a condition 0. It is None if it is unknown.
    """

    role: Role
    words: Part
    found: FoundComponent | None = None
    numbers: Numbers = ()
    value: Fraction | None = None

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of the component."""
        return self.found.component.ultra_points if self.found else 0


@dataclass(frozen=True, slots=True)
class StretchReading:
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


def move_part(words: Part, by: int) -> Part:
    """Return words moved by that many characters."""
    return Part(words.text, words.start + by, words.end + by)


class Reader:
    """Reads stretches of text by the components of an edition. Results are cached."""

    def __init__(self, components: Components, joints: Joints = ENGLISH_JOINTS) -> None:
        self._components = components
        self._joints = joints
        self._marks = joint_marks(joints)
        self._read: dict[tuple[Role, str], StretchReading] = {}

    def condition(self, text: str) -> StretchReading:
        """Read an activation condition, which is one component."""
        return self._kept(Role.CONDITION, text, [Part(text, 0, len(text))])

    def costs(self, text: str, items: Sequence[Part]) -> StretchReading:
        """Read activation costs; `items` are the words between commas and "and", with their places in the stretch."""
        if self._joints is not ENGLISH_JOINTS:  # other words than "and" join them
            items = split_at(self._marks.costs, text, 0, len(text))
        return self._kept(Role.COST, text, items)

    def sub_ability(self, text: str) -> StretchReading:
        """Read a sentence: a target selection up to a semicolon, then effects joined by "then" or "also"."""
        return self._kept(Role.EFFECT, text, None)

    def _kept(self, role: Role, text: str, items: Sequence[Part] | None) -> StretchReading:
        key = (role, text)
        if key not in self._read:
            stretch = _Stretch(self._components, self._marks, text, [])
            pieces = tuple(stretch.sentence() if items is None else stretch.pieces(role, items))
            # The value of a target selection is `t`, which enters the formulas of effects, and is no level itself.
            summed = [piece.value for piece in pieces if piece.role is not Role.TARGET and piece.value is not None]
            ultra_points = sum(piece.ultra_points for piece in pieces)
            self._read[key] = StretchReading(pieces, sum(summed, Fraction(0)), ultra_points, tuple(stretch.flaws))
        return self._read[key]


def split_at(mark: re.Pattern[str], text: str, start: int, end: int) -> list[Part]:
    """Return the words between the marks, with their places."""
    parts = []
    for match in mark.finditer(text, start, end):
        parts.append(Part(text[start : match.start()], start, match.start()))
        start = match.end()
    return [*parts, Part(text[start:end], start, end)]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch of text being read; reasons why no level follows are added to `flaws`."""

    components: Components
    marks: JointMarks
    text: str
    flaws: list[WordingFlaw]

    def sentence(self) -> Iterator[ComponentText]:
        end = len(self.text) - self.text.endswith(".")
        selection, start = self._selection(end)
        target = self._piece(Role.TARGET, selection, None) if selection else None
        if target:
            yield target
        yield from self.pieces(Role.EFFECT, split_at(self.marks.effects, self.text, start, end), target)

    def _selection(self, end: int) -> tuple[Part | None, int]:
        """Return the words before a semicolon, the most that are a target selection, and where to continue."""
        # Every target selection of the guide ends with a semicolon ("Target Selections").
        marks = list(self.marks.semicolon.finditer(self.text, 0, end))
        # The last semicolon first: a target selection may contain one itself. The first one is the last resort.
        for mark in (*reversed(marks[1:]), *marks[:1]):
            words = self._part(0, mark.start())
            if mark is marks[0] or self.components.find(Role.TARGET, words.text):
                return words, mark.end()
        return None, 0

    def pieces(self, role: Role, items: Sequence[Part], target: ComponentText | None = None) -> Iterator[ComponentText]:
        """Yield the components in a list, each the longest possible: it may contain a comma or "and" itself."""
        at = 0
        while at < len(items):
            joined = [self._part(items[at].start, last.end) for last in items[at:]]
            count = next((n for n in range(len(joined), 1, -1) if self.components.find(role, joined[n - 1].text)), 1)
            yield self._piece(role, joined[count - 1], target)
            at += count

    def _piece(self, role: Role, words: Part, target: ComponentText | None) -> ComponentText:
        found = self.components.find(role, words.text)
        if found is None:
            self.flaws.append(WordingFlaw(LevelFault.UNKNOWN, words, role))
            return ComponentText(role, words)
        formula, numbers = found.component.level, found.numbers
        # Conditions have no formula: they change no level (guide, "Activation Conditions").
        if formula is None:
            return ComponentText(role, words, found, numbers, Fraction(0))
        if _is_on_targets(found.component):
            if target is None:
                self.flaws.append(WordingFlaw(LevelFault.NO_TARGETS, words, role))
            if target is None or target.value is None:  # an unknown value is another flaw
                return ComponentText(role, words, found, numbers)
            # Guide, "Effects": `t` is what the target selection of the same sub-ability gives.
            numbers = (*numbers, (TARGETS, target.value))
        return ComponentText(role, words, found, numbers, formula.value(dict(numbers)))

    def _part(self, start: int, end: int) -> Part:
        return Part(self.text[start:end], start, end)


def _is_on_targets(component: Component) -> bool:
    return component.level is not None and TARGETS in component.level.variables
