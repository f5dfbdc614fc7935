"""The level and the Ultra Points of a card, calculated from its text component by component, in exact fractions.

The rules are those of the Card Building Guide, "Level" and "Ultra Points", up to the 10th Edition "Resource Cost". An
ability's level is the sum of its effects minus its costs, up to the 10th Edition also minus its condition, but at least
the least level of its kind; a minion adds its SP and a share of its HP. From the 12th Edition on each ability, and SP
with HP, are rounded up by themselves. Up to the 11th only the sum of the card is, and a caveat lowers what SP and HP
add. Ultra Points are the sum over all components.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from msgspec import Struct

from render.base.caches import BoundedCache
from render.games.kotc.languages.english import EnglishVocabulary
from render.games.kotc.languages.vocabulary import Vocabulary
from render.games.kotc.levels.stretches import (
    WHOLE,
    AbilityReading,
    ComponentText,
    LevelFault,
    Reader,
    WordingFlaw,
)
from render.games.kotc.model import ability
from render.games.kotc.model.ability import Ability, Part
from render.games.kotc.model.cards import ENGLISH, AnyKind, Card, Kind
from render.games.kotc.model.edition import AbilityCount, Costs, Edition, NewKind, Role, Rounding


class AbilityLevel(AbilityReading, frozen=True):
    """An ability: `value` is its effects minus its costs; `level` is that, rounded up where abilities are, or `least`.

    Up to the 11th Edition `value` is also lowered by the condition.
    """

    value: Fraction
    least: int
    level: Fraction | int


class Stats(Struct, frozen=True, kw_only=True):
    """What SP and HP add to the level of a minion.

    `value` is their sum, less what a caveat takes off; `level` is that, rounded up where abilities are, and at least 0.
    """

    sp: int | None
    hp: int | None
    rules: NewKind
    caveat: ComponentText | None
    value: Fraction
    level: Fraction | int

    @property
    def share(self) -> Fraction:
        """The share of the HP that is added."""
        return self.rules.hp_share or _NOTHING

    def terms(self, sp: str = "", hp: str = "") -> str:
        """Return what is added, `4 + 1/2 of 6`, with words before the numbers: `SP 4 + 1/2 of HP 6`."""
        terms = []
        if self.sp is not None:
            share = "" if self.rules.sp_share == 1 else f"{self.rules.sp_share} of "
            terms.append(f"{share}{sp}{self.sp}")
        if self.hp is not None:
            terms.append(f"{self.share} of {hp}{self.hp}")
        return " + ".join(terms)


class LevelDerivation(Struct, frozen=True, kw_only=True):
    """How a card's level and Ultra Points follow. If there are flaws, they do not, and the numbers mean nothing.

    `value` is the sum of SP, HP and abilities; `level` is that, rounded up, and at least `least`.
    """

    stats: Stats | None
    abilities: tuple[AbilityLevel, ...]
    flaws: tuple[WordingFlaw, ...]
    value: Fraction | int
    least: int
    level: int
    ultra_points: int

    @property
    def is_sound(self) -> bool:
        """Whether level and Ultra Points follow from the text."""
        return not self.flaws


_NOTHING = Fraction(0)
_MOST = 2048  # cards whose numbers are kept


class LevelCalculator:
    """Calculates levels by the rules of one edition. Results are cached, since sets repeat themselves."""

    def __init__(self, edition: Edition, vocabulary: Vocabulary | None = None) -> None:
        """Calculate by the English texts of cards, or by texts as written, in the language of a vocabulary."""
        self.edition = edition
        self.grammar = edition.grammar
        # An import did not understand how levels are calculated, those of a new kind of card apart.
        self.is_in_doubt = any(each.section == "levels" and not each.kind for each in edition.unknown)
        self.has_rules = edition.levels is not None and bool(edition.components) and not self.is_in_doubt
        self.vocabulary = vocabulary or EnglishVocabulary(edition)
        self.reader = Reader(self.vocabulary)
        self._by_english = self.vocabulary.words.language == ENGLISH
        self._derived: BoundedCache[LevelDerivation] = BoundedCache(_MOST, lambda _: 1)

    def judges(self, *, spells: bool) -> bool:
        """Return whether the rules tell the levels of spells, or of minions."""
        return self.rules_of(Kind.SPELL if spells else Kind.MINION) is not None

    def rules_of(self, kind: AnyKind) -> NewKind | None:
        """Return how the level of cards of a kind is reckoned, in the words of new kinds; None if no rules tell.

        For a new kind it is what this edition says of the kind of that name, which may not be the card's own.
        """
        levels = self.edition.levels
        if not self.has_rules or levels is None:
            return None
        if isinstance(kind, NewKind):
            unread = {name for each in self.edition.unknown for name in each.kind.split(", ")}
            own = (each for each in self.edition.kinds if each.name == kind.name and kind.name not in unread)
            return next(own, None)
        if not levels.tell_of(spells=kind is Kind.SPELL):
            return None
        if kind is Kind.SPELL:
            # Minions have any number of abilities, spells a single one (guide, "Design Instructions").
            return NewKind(name=kind.value, abilities=AbilityCount.ONE, least_of_ability=levels.least_of_spell_ability)
        return NewKind(
            name=kind.value,
            sp_share=WHOLE,
            hp_share=levels.hp_share,
            least=levels.least_of_minion,
            least_of_ability=levels.least_of_minion_ability,
        )

    def derive(self, card: Card) -> LevelDerivation | None:
        """Return how the card's numbers follow; None if the edition's rules do not tell for such a card.

        Pawns "are exactly the same as normal minions" (Rulebook, "Pawns"), if SP and HP are printed on them.
        """
        rules = self.rules_of(card.kind)
        if rules is None or any(getattr(card, stat) is None for stat in rules.stats if stat != "level"):
            return None
        # All that a level follows from (guide, "Level"); name, flavor and art do not matter.
        text = card.text if self._by_english else card.written_text
        key = (card.kind.value, card.sp, card.hp, text)
        return self._derived.get(key, lambda: self._derivation(card, text, rules))

    def _derivation(self, card: Card, text: str, rules: NewKind) -> LevelDerivation:
        is_spell = card.is_spell
        parsed = ability.parse(text, self.grammar, is_spell=is_spell)
        paragraphs = [each for each in parsed.abilities if is_spell or not _says_that_there_are_none(text, each)]
        abilities = tuple(self._ability(text, each, rules) for each in paragraphs if not _is_tutorial(each))
        caveat, flaws = self._caveat(text, parsed.caveat)
        stats = self._stats(card, rules, caveat) if rules.stats[1:] else None
        flaws += [flaw for each in abilities for flaw in each.flaws]
        # Sub-abilities and their effects are required (guide, "Constructing Abilities").
        flaws += [_without_effect(text, each) for each in abilities if not self._has_effect(each)]
        flaws += _second_costs(abilities) if self.grammar.costs is Costs.ONE else []
        if rules.abilities is AbilityCount.ONE and not abilities:
            flaws.append(WordingFlaw(LevelFault.NO_ABILITY, Part(text, 0, len(text))))
        most = {AbilityCount.ONE: 1, AbilityCount.NONE: 0}.get(rules.abilities, len(abilities))
        if len(abilities) > most:
            start, end = abilities[most].parts.start, abilities[-1].parts.end
            flaws.append(WordingFlaw(LevelFault.ABILITIES, Part(text[start:end], start, end)))
        value = sum((each.level for each in abilities), stats.level if stats else 0)
        return LevelDerivation(
            stats=stats,
            abilities=abilities,
            flaws=tuple(flaws),
            value=value,
            least=rules.least,
            # Where abilities are rounded one by one before they are added (guide, "Level"), the sum is whole.
            level=max(rules.least, ceil(value)),
            ultra_points=sum(each.ultra_points for each in abilities),
        )

    def _has_effect(self, each: AbilityLevel) -> bool:
        # Without sub-abilities a target selection may be a sentence of its own.
        return bool(each.parts.sub_abilities if self.grammar.has_sub_abilities else each.effects)

    def _caveat(self, text: str, words: Part | None) -> tuple[ComponentText | None, list[WordingFlaw]]:
        """Return a caveat, and why nothing follows from it."""
        if words is None:
            return None, []
        start, reading = self.reader.stretch(text, [words], Role.CAVEAT)
        return reading.placed(start)[0], reading.placed_flaws(start)

    def _stats(self, card: Card, rules: NewKind, caveat: ComponentText | None) -> Stats:
        sp, hp = (getattr(card, stat) if stat in rules.stats else None for stat in ("sp", "hp"))
        value = (rules.sp_share or 0) * Fraction(sp or 0) + (rules.hp_share or 0) * Fraction(hp or 0)
        if caveat and caveat.value is not None:
            value -= caveat.value
        # They never count less than 0 (guide, "Level").
        return Stats(sp=sp, hp=hp, rules=rules, caveat=caveat, value=value, level=max(0, self._rounded(value)))

    def _rounded(self, value: Fraction) -> Fraction | int:
        """Return what an ability, or SP and HP, add to the sum: rounded up if each is by itself."""
        levels = self.edition.levels
        return ceil(value) if levels is None or levels.rounding is Rounding.ABILITY else value

    def _ability(self, text: str, parts: Ability, rules: NewKind) -> AbilityLevel:
        reading = self.reader.read(text, parts)
        value = _NOTHING
        for _, each in reading.readings:
            # What is paid, and up to the 10th Edition the relief of a condition, lowers the level (guide, "Level").
            if each.pieces[0].role in (Role.CONDITION, Role.COST):
                value = value - each.value if each.value else value
            else:
                value = value + each.value if value else each.value
        # The result is rounded up first, and then held to the least level (guide, "Level").
        level = max(rules.least_of_ability, self._rounded(value))
        return AbilityLevel(parts, reading.readings, value, rules.least_of_ability, level)


# Guide up to the 10th Edition, "Constructing Abilities": what stands on a creature without any.
_NO_ABILITIES = "This card has no abilities."


def _says_that_there_are_none(text: str, parts: Ability) -> bool:
    return text[parts.start : parts.end] == _NO_ABILITIES


def _is_tutorial(parts: Ability) -> bool:
    """Return whether a paragraph is tutorial text alone, which is no part of an ability."""
    # Rulebook, "Abilities": tutorial text has no effect on the game.
    return parts.tutorial is not None and not (parts.name or parts.condition or parts.costs or parts.sub_abilities)


def _without_effect(text: str, each: AbilityLevel) -> WordingFlaw:
    start, end = each.parts.start, each.parts.end
    return WordingFlaw(LevelFault.NO_EFFECT, Part(text[start:end], start, end))


def _second_costs(abilities: Sequence[AbilityLevel]) -> list[WordingFlaw]:
    """Return the flaws of abilities with more than one cost, which those up to the 11th Edition do not have."""
    # Guide, "Activation Costs": "Only one activation cost can be used per ability".
    return [WordingFlaw(LevelFault.COSTS, each.parts.costs[1]) for each in abilities if len(each.parts.costs) > 1]
