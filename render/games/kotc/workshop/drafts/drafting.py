"""A proposal for a card that an edition does not allow: its idea in the edition's components, at a level that they give.

Each component becomes the one that means most nearly the same, or is lost, which a note tells. A text that has no room on
the card loses its last abilities. What comes out is sound by the rules: `kotc check` finds nothing in it but that it is
a draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Refused, printable
from render.base.patterns import regex
from render.game.faces import lay_out_possible
from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan, speaking_of_one
from render.games.kotc.editions.finding import known
from render.games.kotc.editions.wording import variables
from render.games.kotc.languages.alike import plain_words, stem
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.levels.levels import AbilityLevel, LevelCalculator
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import ComponentText
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import Component, Edition, Role
from render.games.kotc.workshop.drafts.numbers import (
    Aim,
    Slot,
    Solution,
    aim_of,
    numbers_for,
    solutions,
    solve,
    unit_of,
)
from render.games.kotc.workshop.suggestions.stock import number_ranges
from render.games.kotc.workshop.suggestions.suggesting import is_sound, suggest
from render.games.kotc.workshop.suggestions.wish import Wish

NO_ABILITIES = "This card has no abilities."


class Draft(NamedTuple):
    """A card as it is proposed, and what became of its parts: what was lost, and what is another thing now."""

    card: Card
    notes: tuple[str, ...]


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
        aim = aim_of(card, old.edition.levels.hp_share, self._edition)
        for solution in solutions(slots, aim):
            text = self._text(card, solution, names)
            if found := self._sound(card, text, solution, is_spell=is_spell):
                return Draft(found, tuple(dict.fromkeys((*notes, *self._told(solution, slots)))))
        return self._bare(card, aim, notes, slots)

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

    def _caveat(self, piece: ComponentText | None, notes: list[str]) -> Iterator[Slot]:
        if piece and (slot := self._slot(piece, Role.CAVEAT, -1, 0, notes)):
            yield slot

    def _ability(self, each: AbilityLevel, number: int, notes: list[str]) -> list[Slot]:
        """Return the components of an ability; those without which others are nothing go with them."""
        if each.condition:
            head = [self._slot(each.condition, Role.CONDITION, number, 0, notes)]
        else:
            head = []
        head += [self._slot(cost, Role.COST, number, 0, notes) for cost in each.costs]
        subs: list[list[Slot]] = []
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

    def _one_target(self, subs: list[list[Slot]], notes: list[str]) -> list[list[Slot]]:
        """Return sub-abilities of an edition in which an ability has one target selection."""
        selecting = [sub for sub in subs if sub[0].role is Role.TARGET]
        notes += [
            f"left out: {_words(slot.said)}: an ability has one target selection"
            for sub in selecting[1:]
            for slot in sub
        ]
        return [*selecting[:1], *(sub for sub in subs if sub[0].role is not Role.TARGET)]

    def _one_cost(self, head: list[Slot | None], notes: list[str]) -> list[Slot | None]:
        costs = [slot for slot in head if slot and slot.role is Role.COST]
        notes += [f"left out: {_words(slot.said)}: an ability has one cost" for slot in costs[1:]]
        return [*(slot for slot in head if slot and slot.role is not Role.COST), *costs[:1]]

    def _slot(self, piece: ComponentText, role: Role, ability: int, sub: int, notes: list[str]) -> Slot | None:
        """Return the component that means most nearly the same; None, and a note, if none is near."""
        said = piece.words.text
        if piece.found:
            text, numbers = piece.found.component.text, dict(piece.found.numbers)
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
        names_of = tuple(sorted(variables(component.text)))
        found = numbers_for(component.text, text, numbers)
        unit = unit_of(text) / unit_of(component.text)
        return Slot(
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

    # --- text -----

    def _text(self, card: Card, solution: Solution, names: Sequence[str]) -> str:
        """Return the ability text, without blank lines between its paragraphs: new words may need the room."""
        choices = {
            id(slot): ComponentUse(slot.component, tuple(sorted(zip(slot.names, numbers, strict=True))))
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
                plans.append(speaking_of_one(plan) if self._writer.grammar.one_target else plan)
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

    def _sound(self, card: Card, text: str, solution: Solution, *, is_spell: bool) -> Card | None:
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

    def _bare(self, card: Card, aim: Aim, notes: list[str], slots: Sequence[Slot]) -> Draft | None:
        """Return a draft of which nothing of the text is left: without abilities, or with another spell of the level."""
        notes = [*notes, *(f"left out: {_words(slot.said)}: no legal text came of it" for slot in slots)]
        solution = solve((), aim)
        text = self._without_abilities(card)
        if aim.is_spell:
            level = aim.level
            texts = (
                each.text
                for wished in dict.fromkeys((level, *range(level - 1, -1, -1), *range(level + 1, level + 4)))
                for each in suggest(Wish(level=wished, is_spell=True, ultra_points=0), self._edition, 1).cards
            )
            text = next(texts, "")
            notes.append(f"in place of all that, {_words(text)} keeps a level near the old one")
        found = self._sound(card, text, solution, is_spell=aim.is_spell)
        return Draft(found, tuple(notes)) if found else None

    # --- what is told -----

    def _told(self, solution: Solution, slots: Sequence[Slot]) -> Iterator[str]:
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
                words = self._writer.words(
                    ComponentUse(slot.component, tuple(sorted(zip(slot.names, own, strict=True))))
                )
                yield f"{_words(slot.said)} became {_words(words)}"


def _words(words: str) -> str:
    return f"`{printable(words)}`"


# --- what components mean ---------------------------------------------------------------------------------------------


_DEED, _THING, _DETAIL, _WORD = 6.0, 3.0, 1.5, 0.25
"""What counts how much: what happens, to what or by what, in which way; and each word."""

_SPEAKS_OF: Mapping[str, tuple[float, str]] = {
    # what is done, or happens
    "see": (_DEED, r"\bsee (?:all|the) targets"),
    "destroy": (_DEED, r"(?<!not )\b(?:self-)?destroy(?:ed)?\b|\bsacrifice\b"),
    "sacrifice": (_DETAIL, r"\bsacrifice\b"),
    "bury": (_DEED, r"\b(?:self-)?bury\b"),
    "exhaust": (_DEED, r"\b(?:self-)?exhaust\b"),
    "fatigue": (_DEED, r"\bfatigue\b"),
    "bounce": (_DEED, r"\b(?:self-)?bounce\b"),
    "sheathe": (_DEED, r"on top of owner's deck|\bdeck-stack\b|\b(?:self-)?sheathe\b"),
    "silo": (_DEED, r"resource zone of their owners|\bsilo\b"),
    "hypnotize": (_DEED, r"switch control|\bhypnotize\b"),
    "deploy": (_DEED, r"summon or cast|\bdeploy\b"),
    "draw": (_DEED, r"\bdraw\b"),
    "deal": (_DEED, r"\bdeal x\b"),
    "heal": (_DEED, r"increase your hitpoints|\bgain x hp\b|dice-heal"),
    "burn": (_DEED, r"damage to yourself|dice-(?:burn|wound)"),
    "wound": (_DEED, r"as damage to one target|dice-damage"),
    "re-roll": (_DEED, r"may re-roll"),
    "remove": (_DEED, r"\bremove (?:up to )?x\b"),
    "place": (_THING, r"\bplace x\b"),
    "damaged": (_DEED, r"\bdamaged?\b(?=,| |$)(?! (?:counter|to))"),
    "attack": (_DEED, r"\battacks?\b"),
    "defend": (_DEED, r"\bdefends?\b"),
    "berzerk": (_DEED, r"\bberzerker\b|unexhausted at the end of your own battle phase"),
    "summoning": (_DEED, r"to summon this creature|^summon cost"),
    "acting": (_DEED, r"or use an ability of this creature|^action cost"),
    # what grows or shrinks, and by which counters
    "stronger": (_DEED, r"offense counter|sword counter|(?:increase targets'|to the targets') offense"),
    "tougher": (_DEED, r"defense counter|shield counter|(?:increase targets'|to the targets') defense"),
    "weaker": (_DEED, r"weakness counter|(?:decrease targets'|from the targets') offense"),
    "hurt later": (_DEED, r"damage counter"),
    "exhausted later": (_DEED, r"exhaustion counter"),
    "re-rolled later": (_DEED, r"dice counter"),
    # to what, and whose
    "this card": (_THING, r"\bthis (?:in-play )?card\b(?! ?\))(?!'s)"),
    "field": (_THING, r"\bin[- ]play\b|\bon-field\b|\bin your battlefield\b|x (?:enemy )?(?:creatures|minions)\b"),
    "creatures": (_DETAIL, r"\bcreatures?\b|\bminions?\b"),
    "granary": (_THING, r"\bresources?\b(?! cost| zone)|\bgranary\b"),
    "hand": (_THING, r"\bhand\b"),
    "grave": (_THING, r"\bgrave(?:yard)?\b"),
    "deck": (_THING, r"\bdeck\b(?! in any)|\bexcavate\b"),
    "you": (_THING, r"\byou take\b"),
    "excavate": (_THING, r"\bexcavate\b|look at exactly"),
    "counted": (_THING, r"with at least x counters"),
    "low levels": (_THING, r"\blevel x or lower\b"),
    "of both": (_DETAIL, r"then roll x|yourself and (?:one opponent|enemy)"),
    "others": (_DETAIL, r"excluding this card|\bother\b"),
    "exhausted": (_DETAIL, r"(?<!un)\bexhausted\b(?!\))"),
    "random": (_DETAIL, r"\brandom(?:ly)?\b"),
    "enemy chooses": (_DETAIL, r"\bby an opponent\b|enemy's choice|\bby that player\b|their choice"),
    "yours": (_DETAIL, r"\b(?:in|on top of) your (?:hand|grave|graveyard|deck)\b|^excavate"),
    "theirs": (_DETAIL, r"one opponent's|\benemy's|\btheir own\b|have one opponent excavate"),
    "anybody's": (_DETAIL, r"one player's|\bany (?:hand|deck|grave)"),
    "dice": (_DETAIL, r"six-sided|-dice-"),
    "total": (_DETAIL, r"\btotal\b"),
}
_RULES = {name: (weight, regex(pattern)) for name, (weight, pattern) in _SPEAKS_OF.items()}
_COUNTERS = regex(r"\bplace x (?:([a-z]+) )?counters\b")
_SAME_COUNTERS = {"": "generic", "offense": "sword", "defense": "shield", "immortality": "undying"}
"""What counters are called in older editions, and in the newest: each kind is a deed of its own."""
_TOKEN = regex(r"[a-z]+(?:-[a-z]+)*")
_IDLE = frozenset(
    "a all and any at by card each exactly from in is of on or player target targets that the then this to up x you your".split()
)

NEAR, NEAR_TARGETS = 0.3, 0.2
"""How alike components must be for one to carry the idea of the other; less for targets, without which nothing is done."""
SAME = 0.75
"""How alike they are if only words differ."""


class Likeness(NamedTuple):
    """A component, and how alike it is to another one: 1 for the same meaning."""

    component: Component
    share: float


@cached(4096)
def meaning(text: str) -> Mapping[str, float]:
    """Return what a text of the rules speaks of, each with its weight."""
    plain = plain_words(text).rstrip(".")
    own = {name: weight for name, (weight, pattern) in _RULES.items() if pattern.search(plain)}
    for match in _COUNTERS.finditer(plain):
        own[f"{_SAME_COUNTERS.get(match[1] or '', match[1])} counters"] = _DEED
    words = {f"word {stem(word)}": _WORD for word in _TOKEN.findall(plain) if word not in _IDLE}
    return {**own, **words}


def likeness(one: str, other: str) -> float:
    """Return how alike the meanings of two texts are, from 0 to 1."""
    mine, its = meaning(one), meaning(other)
    weights = {**mine, **its}
    if any(weight == _DEED for weight in weights.values()) and not any(mine.get(name) == _DEED for name in its):
        return 0.0  # other things happen
    shared = sum(weight for name, weight in weights.items() if name in mine and name in its)
    return shared / sum(weights.values()) if weights else 0.0


@cached(1024)
def alike(role: Role, text: str, edition: Edition) -> tuple[Likeness, ...]:
    """Return the components of an edition in a role, those most like a text first; of equals the cheaper one."""
    found = [Likeness(each, likeness(text, each.text)) for each in edition.components if each.role is role]
    return tuple(sorted(found, key=lambda each: (-each.share, each.component.ultra_points)))
