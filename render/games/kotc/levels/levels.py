"""The level and the Ultra Points of a card, calculated from its text component by component, in exact fractions.

The rules are those of the Card Building Guide, "Level" and "Ultra Points". A sub-ability's level is the sum of its
effects; an ability's is the sum of its sub-abilities minus its costs, rounded up, but at least the least level of its
kind; a minion adds its SP and a share of its HP, rounded up. Ultra Points are the sum over all components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from render.games.kotc.languages.words import ENGLISH_JOINTS, Joints
from render.games.kotc.levels.components import Components
from render.games.kotc.levels.stretches import (
    ComponentText,
    LevelFault,
    Reader,
    StretchReading,
    WordingFlaw,
    move_part,
)
from render.games.kotc.model import ability
from render.games.kotc.model.ability import LAST_OLD_EDITION, Ability, Part
from render.games.kotc.model.cards import Card, Kind
from render.games.kotc.model.edition import Edition, LevelRules, Role


@dataclass(frozen=True, slots=True)
class SubAbility:
    """A sentence of an ability; `value` is the sum of its known effects."""

    target: ComponentText | None
    effects: tuple[ComponentText, ...]
    value: Fraction


@dataclass(frozen=True, slots=True)
class AbilityLevel:
    """An ability: `value` is its sub-abilities minus its costs, `level` that rounded up, or `least` if that is more.

    The readings are those of its condition, if any, its costs, if any, and its sentences.
    """

    parts: Ability
    readings: tuple[tuple[int, StretchReading], ...]  # each with the place where it begins
    value: Fraction
    least: int
    level: int

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of all its components."""
        return sum(reading.ultra_points for _, reading in self.readings)

    @property
    def flaws(self) -> list[WordingFlaw]:
        """Why no level follows from the ability."""
        placed = [(start, flaw) for start, reading in self.readings for flaw in reading.flaws]
        return [WordingFlaw(flaw.fault, move_part(flaw.words, start), flaw.role) for start, flaw in placed]

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
        """The sub-abilities."""
        sentences = self.readings[len(self.readings) - len(self.parts.sub_abilities) :]
        return [_sub_ability(reading, start) for start, reading in sentences]


def _sub_ability(reading: StretchReading, start: int) -> SubAbility:
    pieces = reading.placed(start)
    # A target selection comes before the effects, if there is one (guide, "Constructing Abilities").
    target = pieces[0] if pieces[0].role is Role.TARGET else None
    return SubAbility(target, tuple(pieces[1 if target else 0 :]), reading.value)


@dataclass(frozen=True, slots=True)
class Stats:
    """What SP and HP add to the level of a minion: `value`, and `level`, that rounded up."""

    sp: int
    hp: int
    share: Fraction
    value: Fraction
    level: int


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a card's level and Ultra Points follow. If there are flaws, they do not, and the numbers mean nothing."""

    stats: Stats | None
    abilities: tuple[AbilityLevel, ...]
    flaws: tuple[WordingFlaw, ...]
    level: int
    ultra_points: int

    @property
    def is_sound(self) -> bool:
        """Whether level and Ultra Points follow from the text."""
        return not self.flaws


class LevelCalculator:
    """Calculates levels by the rules of one edition. Results are cached, since sets repeat themselves."""

    def __init__(self, edition: Edition, components: Components | None = None, joints: Joints = ENGLISH_JOINTS) -> None:
        """Calculate by the English texts of cards, or by texts as written, in the language of components and joints."""
        self.edition = edition
        self.components = components or Components(edition.components)
        self.reader = Reader(self.components, joints)
        self._by_english = components is None
        self._derived: dict[tuple[bool, int | None, int | None, str], Derivation] = {}

    def derive(self, card: Card) -> Derivation | None:
        """Return how the card's numbers follow; None if the edition's rules do not tell for such a card.

        Pawns "are exactly the same as normal minions" (Rulebook, "Pawns"), if SP and HP are printed on them.
        """
        rules = self.edition.levels
        if rules is None or not self.edition.components or self.edition.number <= LAST_OLD_EDITION:
            return None
        is_spell = card.kind is Kind.SPELL
        if not is_spell and (card.sp is None or card.hp is None):
            return None
        # All that a level follows from (guide, "Level"); name, flavor and art do not matter.
        text = card.text if self._by_english else card.written_text
        key = (is_spell, card.sp, card.hp, text)
        if key not in self._derived:
            self._derived[key] = self._derivation(card, text, rules)
        return self._derived[key]

    def _derivation(self, card: Card, text: str, rules: LevelRules) -> Derivation:
        is_spell = card.kind is Kind.SPELL
        # In the 17th Edition 0 for the ability of a spell, and 1 for that of a minion (guide, "Level").
        least = rules.least_of_spell_ability if is_spell else rules.least_of_minion_ability
        parsed = ability.parse(text, self.edition.number, is_spell=is_spell)
        abilities = tuple(self._ability(text, each, least) for each in parsed.abilities if not _is_tutorial(each))
        stats = None if is_spell else _stats(card.sp or 0, card.hp or 0, rules.hp_share)
        flaws = [flaw for each in abilities for flaw in each.flaws]
        # Sub-abilities and their effects are required (guide, "Constructing Abilities").
        flaws += [_without_effect(text, each) for each in abilities if not each.parts.sub_abilities]
        # Minions have any number of abilities, spells a single one (guide, "Design Instructions").
        flaws += _not_one(text, abilities) if is_spell else []
        # Abilities are rounded one by one before they are added (guide, "Level"), so this is whole.
        level = sum(each.level for each in abilities) + (stats.level if stats else 0)
        return Derivation(stats, abilities, tuple(flaws), level, sum(each.ultra_points for each in abilities))

    def _ability(self, text: str, parts: Ability, least: int) -> AbilityLevel:
        readings = []
        value = Fraction(0)
        if parts.condition:
            readings.append((parts.condition.start, self.reader.condition(parts.condition.text)))
        if parts.costs:
            start, end = parts.costs[0].start, parts.costs[-1].end
            costs = self.reader.costs(text[start:end], [move_part(cost, -start) for cost in parts.costs])
            readings.append((start, costs))
            value -= costs.value  # the cost of paying it lowers the level (guide, "Activation Costs")
        for sentence in parts.sub_abilities:
            effects = self.reader.sub_ability(sentence.text)
            readings.append((sentence.start, effects))
            value += effects.value
        # The result is rounded up first, and then held to the least level (guide, "Level").
        return AbilityLevel(parts, tuple(readings), value, least, max(least, ceil(value)))


def _stats(sp: int, hp: int, share: Fraction) -> Stats:
    value = sp + share * hp
    # SP and HP are rounded up by themselves, and never count less than 0 (guide, "Level").
    return Stats(sp, hp, share, value, max(0, ceil(value)))


def _is_tutorial(parts: Ability) -> bool:
    """Return whether a paragraph is tutorial text alone, which is no part of an ability."""
    # Rulebook, "Abilities": tutorial text has no effect on the game.
    return parts.tutorial is not None and not (parts.name or parts.condition or parts.costs or parts.sub_abilities)


def _without_effect(text: str, each: AbilityLevel) -> WordingFlaw:
    start, end = each.parts.start, each.parts.end
    return WordingFlaw(LevelFault.NO_EFFECT, Part(text[start:end], start, end))


def _not_one(text: str, abilities: Sequence[AbilityLevel]) -> list[WordingFlaw]:
    """Return the flaw of a spell that does not have exactly one ability; [] if it does."""
    if not abilities:
        return [WordingFlaw(LevelFault.NO_ABILITY, Part(text, 0, len(text)))]
    if len(abilities) == 1:
        return []
    start, end = abilities[1].parts.start, abilities[-1].parts.end
    return [WordingFlaw(LevelFault.ABILITIES, Part(text[start:end], start, end))]
