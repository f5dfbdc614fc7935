"""A proposal for a card that an edition does not allow: its idea in the edition's components, at a level that they give.

Each component becomes the one that means most nearly the same, or is lost. SP and HP are carried over as those of the
only official creature that is in the 9th and in the 17th Edition: Thor has offense 6 and defense 30 there, 4 SP and 6
HP here. Levels are, too: those of Thor and Antibiotic, the two official cards of both, were 8 and 4, and are 9 and 2.
The share of the HP in a level, which was a fifth and is a half, tells on which side of that change an edition is.

Both cards lost their costs on the way, and kept the numbers of their effects. So numbers of a text stay as near to the
old ones as a level near the old one allows, and a cost that is worth more than what the ability does is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log2
from typing import NamedTuple

from render.base.findings import Refused, printable
from render.game.faces import lay_out_possible
from render.games.kotc.composing import (
    AbilityPlan,
    AbilityWriter,
    Choice,
    SubAbilityPlan,
    TextPlan,
    has_targets,
    speaking_of_one,
)
from render.games.kotc.editions.finding import known
from render.games.kotc.levels.levels import AbilityLevel, LevelCalculator
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import TARGETS, ComponentText
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import Component, Edition, LevelRules, Role, Rounding
from render.games.kotc.workshop.drafts.meanings import NEAR, NEAR_TARGETS, SAME, alike
from render.games.kotc.workshop.suggestions.stock import FACTOR, number_ranges
from render.games.kotc.workshop.suggestions.suggesting import is_sound, suggest
from render.games.kotc.workshop.suggestions.wish import Wish

_OLD_SHARE, _NEW_SHARE = Fraction(1, 5), Fraction(1, 2)  # of the HP in a level: up to the 12th Edition, and since
_THOR_SP, _THOR_HP = Fraction(4, 6), Fraction(6, 30)
_LEVELS = Fraction(9 + 2, 8 + 4)  # of Thor and Antibiotic
_MEAN_OF_DIE = 3.5  # Antibiotic healed 8, and heals 2 dice
_LARGEST_OLD = 99  # of offense and defense (guides up to the 11th Edition, "Design Instructions")
_MOST_STEPS = 12  # of a search for numbers
NO_ABILITIES = "This card has no abilities."


class Draft(NamedTuple):
    """A card as it is proposed, and what became of its parts: what was lost, and what is another thing now."""

    card: Card
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    """A component of the draft: where it stands, what it was, and the numbers that it should have.

    `ability` and `sub` count from 0; a caveat is of no ability. `share` is how alike it is to what it was.
    """

    role: Role
    ability: int
    sub: int
    component: Component
    said: str
    share: float
    names: tuple[str, ...]
    wanted: tuple[float, ...]
    ranges: tuple[tuple[int, int], ...]
    firm: tuple[bool, ...]

    @property
    def needs_targets(self) -> bool:
        """Whether it does something to targets."""
        formula = self.component.level
        return has_targets(self.component) or (formula is not None and TARGETS in formula.variables)


class _Solution(NamedTuple):
    """Numbers for slots, SP and HP, the level that they give, and how far all of it is from the old card."""

    slots: tuple[_Slot, ...]
    numbers: tuple[tuple[int, ...], ...]
    sp: int
    hp: int
    level: int
    distance: float


class Drafter:
    """Writes drafts of a set's cards for an edition, which must have rules for levels."""

    def __init__(self, card_set: CardSet, edition: Edition) -> None:
        self._set, self._edition = card_set, edition
        self._calculator = LevelCalculator(edition)
        self._writer = AbilityWriter(edition.grammar)
        self._rules = Rules(card_set.folder)
        self._numbers = [number for number, _ in known(card_set.folder)]

    def draft(self, card: Card) -> Draft | None:
        """Return a draft of a card; None for one without level, in another language, or if no level can be told."""
        is_spell = card.kind is Kind.SPELL
        old = self._old_rules(card)
        if not (is_spell or card.kind in (Kind.CREATURE, Kind.MINION)) or card.written or card.level is None:
            return None
        if old is None or old.edition.levels is None or not self._calculator.judges(spells=is_spell):
            return None
        derivation = old.derive(card)
        if derivation is None:
            return None
        notes: list[str] = []
        caveat = derivation.stats.caveat if derivation.stats else None
        slots = [*self._caveat(caveat, notes)]
        for number, each in enumerate(derivation.abilities):
            slots += self._ability(each, number, notes)
        names = [each.parts.name.text if each.parts.name else "" for each in derivation.abilities]
        if any(each.parts.tutorial for each in derivation.abilities):
            notes.append("left out: the tutorial text, which explains the old words")
        share = old.edition.levels.hp_share
        for solution in self._solutions(card, share, slots):
            text = self._text(card, solution, names)
            if found := self._sound(card, text, solution, is_spell=is_spell):
                return Draft(found, tuple(dict.fromkeys((*notes, *self._told(solution, slots)))))
        return self._bare(card, share, notes, slots, is_spell=is_spell)

    def _old_rules(self, card: Card) -> LevelCalculator | None:
        """Return the rules by which to read a card: those of its edition, else of the nearest one of its game."""
        own = card.edition or card.era
        for number in sorted(self._numbers, key=lambda each: (abs(each - own), each)):
            try:
                rules = self._rules.of(number)
            except Refused:  # mistakes in the rules of an edition left behind need no repair now
                continue
            if rules and rules.has_rules and rules.edition.grammar.cards is card.grammar.cards:
                return rules
        return None

    # --- components -----

    def _caveat(self, piece: ComponentText | None, notes: list[str]) -> Iterator[_Slot]:
        if piece and (slot := self._slot(piece, Role.CAVEAT, -1, 0, notes)):
            yield slot

    def _ability(self, each: AbilityLevel, number: int, notes: list[str]) -> list[_Slot]:
        """Return the components of an ability; those without which others are nothing go with them."""
        if each.condition:
            head = [self._slot(each.condition, Role.CONDITION, number, 0, notes)]
        else:
            head = []
        head += [self._slot(cost, Role.COST, number, 0, notes) for cost in each.costs]
        subs: list[list[_Slot]] = []
        for sub in each.sub_abilities:
            pieces = [*([sub.target] if sub.target else []), *sub.effects]
            found = [slot for piece in pieces if (slot := self._slot(piece, piece.role, number, 0, notes))]
            target = next((slot for slot in found if slot.role is Role.TARGET), None)
            effects = [slot for slot in found if slot.role is Role.EFFECT]
            on_targets = [slot for slot in effects if slot.needs_targets]
            if target and on_targets:
                subs.append([target, *on_targets])
            else:
                notes += [f"left out: {_words(slot.said)}: it has no targets any more" for slot in on_targets]
                notes += [f"left out: {_words(target.said)}: nothing is done to it any more"] if target else []
            subs += [[slot] for slot in effects if not slot.needs_targets]
        if not subs:
            notes += [f"left out: {_words(slot.said)}: nothing is left of what it leads to" for slot in head if slot]
            return []
        if not self._edition.grammar.has_sub_abilities:
            subs = self._one_target(subs, notes)
            head = self._one_cost(head, notes)
        kept = [slot for slot in head if slot]
        return [*kept, *(replace(slot, sub=at) for at, sub in enumerate(subs) for slot in sub)]

    def _one_target(self, subs: list[list[_Slot]], notes: list[str]) -> list[list[_Slot]]:
        """Return sub-abilities of an edition in which an ability has one target selection."""
        selecting = [sub for sub in subs if sub[0].role is Role.TARGET]
        notes += [
            f"left out: {_words(slot.said)}: an ability has one target selection"
            for sub in selecting[1:]
            for slot in sub
        ]
        return [*selecting[:1], *(sub for sub in subs if sub[0].role is not Role.TARGET)]

    def _one_cost(self, head: list[_Slot | None], notes: list[str]) -> list[_Slot | None]:
        costs = [slot for slot in head if slot and slot.role is Role.COST]
        notes += [f"left out: {_words(slot.said)}: an ability has one cost" for slot in costs[1:]]
        return [slot for slot in head if slot not in costs[1:]]

    def _slot(self, piece: ComponentText, role: Role, ability: int, sub: int, notes: list[str]) -> _Slot | None:
        """Return the component that means most nearly the same; None, and a note, if none is near."""
        said = piece.words.text
        if piece.found:
            text, numbers = piece.found.component.text, {name: int(n) for name, n in piece.found.numbers}
        else:  # words that the rules of its own edition do not know
            names = iter("xyz")
            numbers = {}
            text = said
            for match in [*re.finditer(r"\d+", said)][:3]:
                numbers[name := next(names)] = int(match[0][:4])
                text = text.replace(match[0], f"{{{name}}}", 1)
        best = next(iter(alike(role, text, self._edition)), None)
        if not piece.found and role is Role.EFFECT:  # it may as well be a target selection
            other = next(iter(alike(Role.TARGET, text, self._edition)), None)
            if other and (best is None or other.share > best.share):
                role, best = Role.TARGET, other
        if best is None or best.share < (NEAR_TARGETS if role is Role.TARGET else NEAR):
            notes.append(f"left out: {_words(said)}: the {ordinal(self._edition.number)} Edition has nothing like it")
            return None
        component = best.component
        names_of = _variables(component.text)
        found = _numbers_for(component.text, text, numbers)
        unit = _unit(text) / _unit(component.text)
        return _Slot(
            role=role,
            ability=ability,
            sub=sub,
            component=component,
            said=said,
            share=best.share,
            names=names_of,
            wanted=tuple(max(1.0, found.get(name, 1) * (unit if name == "x" else 1)) for name in names_of),
            ranges=tuple(number_ranges(component, names_of)),
            firm=tuple(name in found for name in names_of),
        )

    # --- numbers -----

    def _solutions(self, card: Card, share: Fraction, slots: Sequence[_Slot]) -> Iterator[_Solution]:
        """Yield numbers for the components, the nearest to the old card first: with all of them, then with fewer."""
        best = self._solved(card, share, slots, 0)
        kept, dropped = [*slots], 0
        improves = True
        while improves:
            improves = False
            for slot in [each for each in kept if each.role in (Role.COST, Role.CAVEAT)]:
                fewer = [each for each in kept if each is not slot]
                solution = self._solved(card, share, fewer, dropped + 1)
                if solution.distance < best.distance:
                    best, kept, dropped, improves = solution, fewer, dropped + 1, True
                    break
        yield best
        # A text may have no room, or read as another one than was meant: then one with fewer abilities may do.
        abilities = sorted({slot.ability for slot in kept if slot.ability >= 0}, reverse=True)
        for gone in [*({each} for each in abilities), *({*abilities[:at]} for at in range(2, len(abilities)))]:
            fewer = [slot for slot in kept if slot.ability not in gone]
            if any(slot.ability >= 0 for slot in fewer):
                yield self._solved(card, share, fewer, dropped)

    def _solved(self, card: Card, share: Fraction, slots: Sequence[_Slot], dropped: int) -> _Solution:
        """Return numbers for all slots: one after the other is changed as long as that is better."""
        rules = self._edition.levels
        assert rules is not None, "asked of editions that tell levels"
        is_spell = card.kind is Kind.SPELL
        level, sp, hp = carried_over(card, share, rules.hp_share)
        unit = 1 if is_spell or not rules.hp_share else int(1 / rules.hp_share) or 1
        most = _LARGEST_OLD if self._edition.grammar.of_creatures else 9999
        wanted = [*(value for slot in slots for value in slot.wanted), *(() if is_spell else (sp, hp))]
        ranges = [
            *(each for slot in slots for each in slot.ranges),
            *(() if is_spell else ((0, min(most, _room(sp, 1))), (0, min(most, _room(hp, unit))))),
        ]
        weights = [_weight(slot, firm) for slot in slots for firm in slot.firm] + ([] if is_spell else [1.2, 1.2])
        steps = [*(1 for slot in slots for _ in slot.names), *(() if is_spell else (1, unit))]
        zeros = [*(0 for slot in slots for _ in slot.names), *(() if is_spell else (1, unit))]
        now = [
            min(max(round(value / step) * step, low, step if value else 0), high)
            for value, step, (low, high) in zip(wanted, steps, ranges, strict=True)
        ]

        def distance(chosen: Sequence[int]) -> tuple[float, int]:
            got, waste = _level(slots, chosen, rules, is_spell=is_spell)
            far = sum(
                weight * abs(log2((number + zero) / (value + zero)))
                for weight, number, value, zero in zip(weights, chosen, wanted, zeros, strict=True)
            )
            away = 2.0 * abs(log2((got + 1) / (level + 1)))
            return far + away + 0.75 * float(waste) + 1.5 * dropped, got

        best, got = distance(now)
        for _ in range(_MOST_STEPS):
            tries = [
                [*now[:at], number, *now[at + 1 :]]
                for at, value in enumerate(wanted)
                for number in _nearby(round(value), steps[at], ranges[at])
            ]
            nearest = min(((*distance(each), each) for each in tries), default=(best, got, now))
            if nearest[0] >= best - 1e-9:
                break
            best, got, now = nearest
        sp, hp = (0, 0) if is_spell else (now[-2], now[-1])
        left = iter(now)
        numbers = tuple(tuple(next(left) for _ in slot.names) for slot in slots)
        return _Solution(tuple(slots), numbers, sp, hp, got, best)

    # --- text -----

    def _text(self, card: Card, solution: _Solution, names: Sequence[str]) -> str:
        """Return the ability text, without blank lines between its paragraphs: new words may need the room."""
        choices = {
            id(slot): Choice(slot.component, tuple(sorted(zip(slot.names, numbers, strict=True))))
            for slot, numbers in zip(solution.slots, solution.numbers, strict=True)
        }
        of = {role: [slot for slot in solution.slots if slot.role is role] for role in Role}
        abilities = []
        for number in dict.fromkeys(slot.ability for slot in of[Role.EFFECT]):
            own = [slot for slot in solution.slots if slot.ability == number]
            plans = []
            for sub in dict.fromkeys(slot.sub for slot in own if slot.role is Role.EFFECT):
                target = [choices[id(slot)] for slot in own if slot.role is Role.TARGET and slot.sub == sub]
                effects = [choices[id(slot)] for slot in own if slot.role is Role.EFFECT and slot.sub == sub]
                plan = SubAbilityPlan(tuple(effects), target[0] if target else None)
                plans.append(speaking_of_one(plan) if self._writer.speaks_of_one else plan)
            conditions = [choices[id(slot)] for slot in own if slot.role is Role.CONDITION]
            costs = [choices[id(slot)] for slot in own if slot.role is Role.COST]
            name = names[number]
            if not name and card.kind is not Kind.SPELL and not self._edition.grammar.of_creatures:
                name = " ".join(card.name.upper().replace(":", " ").split())
            abilities.append(
                AbilityPlan(
                    sub_abilities=tuple(plans),
                    condition=conditions[0] if conditions else None,
                    costs=tuple(costs),
                    name=name if card.kind is not Kind.SPELL else "",
                )
            )
        caveat = [choices[id(slot)] for slot in of[Role.CAVEAT]]
        text = self._writer.text(TextPlan(tuple(abilities), caveat[0] if caveat else None))
        return text or self._without_abilities(card)

    def _without_abilities(self, card: Card) -> str:
        return NO_ABILITIES if self._edition.grammar.of_sentences and card.kind is not Kind.SPELL else ""

    def _sound(self, card: Card, text: str, solution: _Solution, *, is_spell: bool) -> Card | None:
        """Return the card with a text and numbers, at the level that the rules give; None if it is not sound, or too long."""
        of_creatures = self._edition.grammar.of_creatures
        kind = Kind.SPELL if is_spell else Kind.CREATURE if of_creatures else Kind.MINION
        has_own_back = card.node.get("back") is not None
        drafted = replace(
            card,
            kind=kind,
            edition=self._edition.number,
            era=self._edition.number,
            grammar=self._edition.grammar,
            text=text,
            text_size=None,
            draft=True,
            back=card.back if has_own_back else self._set.backs.of(kind),
        )
        if not is_spell:
            drafted = replace(drafted, sp=solution.sp, hp=solution.hp)
        derived = self._calculator.derive(drafted)
        if derived is None or not derived.is_sound:
            return None
        drafted = replace(drafted, level=derived.level, ultra_points=derived.ultra_points)
        return drafted if is_sound(drafted, self._calculator) and self._fits(drafted) else None

    def _fits(self, card: Card) -> bool:
        """Return whether the text has room on the card."""
        drawn = lay_out_possible(replace(self._set, cards=(card,)))
        return not any(finding.code.startswith("L") and finding.field == "text" for _, finding in drawn.failed)

    def _bare(
        self, card: Card, share: Fraction, notes: list[str], slots: Sequence[_Slot], *, is_spell: bool
    ) -> Draft | None:
        """Return a draft of which nothing of the text is left: without abilities, or with another spell of the level."""
        notes = [*notes, *(f"left out: {_words(slot.said)}: no legal text came of it" for slot in slots)]
        solution = self._solved(card, share, (), 0)
        text = self._without_abilities(card)
        if is_spell:
            rules = self._edition.levels
            assert rules is not None, "asked of editions that tell levels"
            level = carried_over(card, share, rules.hp_share)[0]
            texts = (
                each.text
                for wished in dict.fromkeys((level, *range(level - 1, -1, -1), *range(level + 1, level + 4)))
                for each in suggest(Wish(level=wished, is_spell=True, ultra_points=0), self._edition, 1).cards
            )
            text = next(texts, "")
            notes.append(f"in place of all that, {_words(text)} keeps a level near the old one")
        found = self._sound(card, text, solution, is_spell=is_spell)
        return Draft(found, tuple(notes)) if found else None

    # --- what is told -----

    def _told(self, solution: _Solution, slots: Sequence[_Slot]) -> Iterator[str]:
        """Yield what became another thing, and which costs were left out."""
        numbers = dict(zip(map(id, solution.slots), solution.numbers, strict=True))
        abilities = {slot.ability for slot in solution.slots}
        for slot in slots:
            if id(slot) not in numbers:
                is_payment = slot.role is Role.CAVEAT or (slot.role is Role.COST and slot.ability in abilities)
                why = "it is worth more than what the card does for it" if is_payment else "there was no room for it"
                yield f"left out: {_words(slot.said)}: {why}"
                continue
            own = numbers[id(slot)]
            is_other = any(abs(n - wanted) >= 1 for n, wanted in zip(own, slot.wanted, strict=True))
            if slot.share < SAME or is_other:
                words = self._writer.words(Choice(slot.component, tuple(sorted(zip(slot.names, own, strict=True)))))
                yield f"{_words(slot.said)} became {_words(words)}"


# --- numbers that are carried over ----------------------------------------------------------------------------------


def carried_over(card: Card, old: Fraction, new: Fraction) -> tuple[int, int, int]:
    """Return level, SP and HP as the official cards carry them over between editions with these shares of the HP."""
    level, sp, hp = card.level or 0, card.sp or 0, card.hp or 0
    if (old, new) == (_OLD_SHARE, _NEW_SHARE):
        return round(level * _LEVELS), round(sp * _THOR_SP), round(hp * _THOR_HP)
    if (old, new) == (_NEW_SHARE, _OLD_SHARE):
        return round(level / _LEVELS), round(sp / _THOR_SP), round(hp / _THOR_HP)
    return level, sp, round(hp * old / new) if new else hp  # another share: HP stay worth the same


_VARIABLE = re.compile(r"\{([xyz])\}")
_LEVEL_BEFORE = re.compile(r"level \{([xyz])\}")


def _variables(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(_VARIABLE.findall(text))))


def _numbers_for(text: str, old: str, numbers: dict[str, int]) -> dict[str, int]:
    """Return the numbers of the old text for the variables of the new one: levels for levels, the others in order."""
    found: dict[str, int] = {}
    for is_level in (True, False):
        mine, its = (
            [name for name in dict.fromkeys(_VARIABLE.findall(words)) if (name in _levels(words)) is is_level]
            for words in (text, old)
        )
        found |= {name: numbers[other] for name, other in zip(mine, its, strict=False) if other in numbers}
    return found


def _levels(text: str) -> list[str]:
    return _LEVEL_BEFORE.findall(text)


def _unit(text: str) -> float:
    """Return how much one of what a text counts is: dice of hitpoints, counters of 5 defense (guide of the 9th)."""
    if re.search(r"six-sided dice and in(?:crease|flict)|-dice-", text):
        return _MEAN_OF_DIE
    return 5.0 if re.search(r"defense counter|shield counter", text.lower()) else 1.0


def _weight(slot: _Slot, firm: bool) -> float:
    """Return how much it matters that a number stays: most of targets, less of what is paid, least where none was."""
    if not firm:
        return 0.3
    return {Role.TARGET: 2.0, Role.EFFECT: 1.0}.get(slot.role, 0.7)


def _room(value: int, step: int) -> int:
    """Return how far SP or HP may go up: by a half, or by two steps of those that are small."""
    return max(value * 3 // 2, value + 2 * step)


def _nearby(value: int, step: int, allowed: tuple[int, int]) -> list[int]:
    """Return the numbers to try in place of another one, the nearest first."""
    value = round(value / step) * step
    near = {value + by * step for by in (-3, -2, -1, 0, 1, 2, 3)}
    near |= {ceil(value * by / step) * step for by in (Fraction(1, 3), Fraction(1, 2), Fraction(3, 2), 2, 3, 4)}
    near |= {allowed[0]} if allowed[0] else set()
    return sorted((each for each in near if allowed[0] <= each <= allowed[1]), key=lambda each: abs(each - value))


def _level(
    slots: Iterable[_Slot], numbers: Sequence[int], rules: LevelRules, *, is_spell: bool
) -> tuple[int, Fraction]:
    """Return the level of components with numbers, SP and HP last, and what of it is paid for nothing (guide, "Level")."""
    left = iter(numbers)
    values: dict[int, Fraction] = {}
    factor: dict[int, Fraction] = {}
    targets: dict[tuple[int, int], Fraction] = {}
    relief = Fraction(0)
    for slot in slots:
        given = {name: Fraction(next(left)) for name in slot.names}
        given[FACTOR] = factor.get(slot.ability, Fraction(1))
        given[TARGETS] = targets.get((slot.ability, slot.sub), Fraction(1))
        formula = slot.component.level
        worth = formula.value(given) if formula and formula.has_value(given) else Fraction(0)
        match slot.role:
            case Role.CAVEAT:
                relief += worth
            case Role.TARGET:
                targets[slot.ability, slot.sub] = worth
            case Role.EFFECT:
                values[slot.ability] = values.get(slot.ability, Fraction(0)) + worth
            case _:
                values[slot.ability] = values.get(slot.ability, Fraction(0)) - worth
                if slot.component.factor:
                    factor[slot.ability] = slot.component.factor.value(given)
    rounds = rules.rounding is Rounding.ABILITY
    least = rules.least_of_spell_ability if is_spell else rules.least_of_minion_ability
    waste = sum((max(Fraction(0), least - value) for value in values.values()), Fraction(0))
    total = sum((max(Fraction(least), Fraction(ceil(v)) if rounds else v) for v in values.values()), Fraction(0))
    if is_spell:
        return ceil(total), waste
    stats = next(left) + rules.hp_share * next(left) - relief
    waste += max(Fraction(0), -stats)
    stats = max(Fraction(0), Fraction(ceil(stats)) if rounds else stats)
    return max(rules.least_of_minion, ceil(total + stats)), waste


def _words(words: str) -> str:
    return f"`{printable(words)}`"
