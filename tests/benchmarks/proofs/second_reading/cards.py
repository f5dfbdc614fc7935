"""Cards made of the texts of a guide, with the level that the guide's own words give them."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from proofs.second_reading.pages import Guide, GuideText

NAMES = ("EMBER", "SILT", "OLD OAK", "TIDE", "HUSH")


@dataclass(slots=True)
class MadeAbility:
    """An ability as printed, and the sums that its level is made of."""

    words: str
    effects: Fraction
    relief: Fraction
    ultra_points: int


@dataclass(frozen=True, slots=True)
class MadeCard:
    """A card for a card file, and what its level and Ultra Points must be."""

    kind: str
    edition: int
    text: str
    level: int
    ultra_points: int
    used: frozenset[str]
    sp: int | None = None
    hp: int | None = None

    def in_yaml(self, identity: str) -> str:
        """Return the card as an item of a card file, its level left to the program. Texts are YAML in JSON's quotes."""
        keys: dict[str, object] = {"id": identity, "name": identity, "kind": self.kind, "edition": self.edition}
        old = self.edition < 12
        keys["cost" if old else "level"] = "auto"
        if self.edition > 16:
            keys["ultra_points"] = "auto"
        if self.sp is not None:
            keys |= {"offense" if old else "sp": self.sp, "defense" if old else "hp": self.hp}
        keys |= {"text": self.text} if self.text else {}
        return f"- {json.dumps(keys, ensure_ascii=False)}\n"


@dataclass(slots=True)
class Maker:
    """Makes cards of a guide; the same seed gives the same cards."""

    guide: Guide
    chance: random.Random
    used: set[str] = field(default_factory=set)

    def cards(self, count: int) -> Iterator[MadeCard]:
        """Yield cards; each text of the guide is the subject of one in turn."""
        subjects = list(self.guide.texts)
        for number in range(count):
            yield self._card(subjects[number % len(subjects)])

    # --- cards -----

    def _card(self, subject: GuideText) -> MadeCard:
        self.used = set()
        is_spell = subject.role != "caveat" and self.chance.random() < 0.5
        return self._spell(subject) if is_spell else self._creature(subject)

    def _spell(self, subject: GuideText) -> MadeCard:
        ability = self._ability(subject)
        level = max(self.guide.least_of_spell, math.ceil(ability.effects - ability.relief))
        return MadeCard("spell", self.guide.edition, ability.words, level, ability.ultra_points, frozenset(self.used))

    def _creature(self, subject: GuideText) -> MadeCard:
        sp, hp = self.chance.randint(0, 12), self.chance.randint(0, 30)
        caveats = self.guide.of_role("caveat")
        lines, relief = [], Fraction(0)
        if subject.role == "caveat" or (caveats and self.chance.random() < 0.3):
            words, relief, _ = self._filled(subject if subject.role == "caveat" else self.chance.choice(caveats))
            lines.append(words)
        count = self.chance.randint(0 if subject.role == "caveat" else 1, 2)
        subjects = [subject if subject.role != "caveat" else None, None][:count]
        abilities = [self._ability(each) for each in subjects]
        names = self.chance.sample(NAMES, count)
        lines += [f"{name}: {ability.words}" for name, ability in zip(names, abilities, strict=True)]
        if not abilities and self.guide.edition < 11:
            lines.append("This card has no abilities.")  # guides of the 9th and 10th Edition, "Constructing Abilities"
        level = self._level(Fraction(sp) + hp * self.guide.hp_share, relief, abilities)
        ultra_points = sum(ability.ultra_points for ability in abilities)
        kind = "creature" if self.guide.edition < 12 else "minion"
        return MadeCard(kind, self.guide.edition, "\n".join(lines), level, ultra_points, frozenset(self.used), sp, hp)

    def _level(self, strength: Fraction, relief: Fraction, abilities: list[MadeAbility]) -> int:
        sums = [ability.effects - ability.relief for ability in abilities]
        if self.guide.edition < 12:  # "add all of the creature's ability costs and round up"
            return max(1, math.ceil(max(Fraction(0), strength - relief) + sum(max(Fraction(1), each) for each in sums)))
        return max(0, math.ceil(strength)) + sum(max(1, math.ceil(each)) for each in sums)

    # --- abilities -----

    def _ability(self, subject: GuideText | None) -> MadeAbility:
        condition = self._chosen("condition", subject, 0.4)
        costs = self._costs(subject)
        made = MadeAbility("", Fraction(0), Fraction(0), 0)
        factor, opening = Fraction(1), ""
        if condition:
            opening, value, _ = self._filled(condition)
            opening += " "
            made.ultra_points += condition.ultra_points
            factor, made.relief = (value, Fraction(0)) if condition.factor else (Fraction(1), value)
        paid = []
        for cost in costs:
            words, value, _ = self._filled(cost)
            paid.append(words)
            made.relief += value
            made.ultra_points += cost.ultra_points
        wanted = subject if subject and subject.role in ("target", "effect") else None
        count = self.chance.choice((1, 1, 2)) if self.guide.edition > 11 else 1
        body = " ".join(self._sub_ability(made, factor, wanted if not n else None) for n in range(count))
        made.words = self._joined(opening, paid, body)
        return made

    def _chosen(self, role: str, subject: GuideText | None, likelihood: float) -> GuideText | None:
        if subject and subject.role == role:
            return subject
        texts = self.guide.of_role(role)
        return self.chance.choice(texts) if self.chance.random() < likelihood else None

    def _costs(self, subject: GuideText | None) -> list[GuideText]:
        first = self._chosen("cost", subject, 0.4)
        costs = [first] if first else []
        while costs and self.guide.edition > 11 and self.chance.random() < 0.3:  # "any number of activation costs"
            costs.append(self.chance.choice(self.guide.of_role("cost")))
        return costs

    def _joined(self, opening: str, costs: list[str], body: str) -> str:
        """Join the pieces as each guide says under "Activation Costs"."""
        edition = self.guide.edition
        if not costs:
            return opening + body
        if edition < 11:
            return f"{opening}{costs[0]} {body}"
        if edition == 11:
            if body.startswith("Target") and self.chance.random() < 0.5:
                return f"{opening}{costs[0][:-1]}, then {body[0].lower()}{body[1:]}"
            return f"{opening}{costs[0]} {body}"
        bare = [cost.removesuffix("→") for cost in costs]
        if edition < 14:
            listed = ", also ".join(bare)
        elif len(bare) < 3:
            listed = " and ".join(bare)
        else:
            listed = f"{', '.join(bare[:-1])}, and {bare[-1]}"
        return f"{opening}{listed if opening else _capital(listed)}→ {body}"

    def _sub_ability(self, made: MadeAbility, factor: Fraction, subject: GuideText | None) -> str:
        effects = [subject] if subject and subject.role == "effect" else []
        effects += self.chance.choices(self.guide.of_role("effect"), k=self.chance.choice((1, 1, 2)) - len(effects))
        needs = any("t" in re.findall(r"[a-z]", each.worth) for each in effects)
        target = self._chosen("target", subject, 1.0 if needs else 0.0)
        opening, t, most = "", Fraction(0), 2
        if target:
            opening, t, most = self._filled(target)
            made.ultra_points += target.ultra_points
        words = []
        for effect in effects:
            said, value, _ = self._filled(effect, {"t": t, "a": factor}, single=most == 1)
            words.append(said)
            made.effects += value
            made.ultra_points += effect.ultra_points
        return self._sentence(opening, words)

    def _sentence(self, opening: str, effects: list[str]) -> str:
        bare = [effect.removesuffix(".") for effect in effects]
        if self.guide.edition < 12:
            chained = self.guide.edition == 11 and len(bare) > 1 and self.chance.random() < 0.5
            if chained:
                word = self.chance.choice(("then", "also"))
                return f"{opening} {bare[0]}, {word} {bare[1][0].lower()}{bare[1][1:]}.".strip()
            return " ".join([opening, *(f"{each}." for each in bare)]).strip()
        first = bare[0] if opening else _capital(bare[0])
        rest = "".join(f", {self.chance.choice(('then', 'also'))} {each}" for each in bare[1:])
        return f"{opening} {first}{rest}.".strip()

    # --- texts -----

    def _filled(
        self, text: GuideText, given: dict[str, Fraction] | None = None, *, single: bool = False
    ) -> tuple[str, Fraction, int]:
        """Return the text with numbers, what it is worth, and how many targets it has at most (2: more than one)."""
        self.used.add(text.words)
        numbers = {name: self._number(text, name) for name in text.variables}
        words = text.words
        for name, number in numbers.items():
            words = words.replace(f"[{name}]", str(number))
        value = text.value({name: Fraction(number) for name, number in numbers.items()} | (given or {}))
        words = self._wording(text, words, single=single)
        return words, value, _most_targets(text, numbers)

    def _number(self, text: GuideText, name: str) -> int:
        """Return a number; 1 only where the guide's words for a single one are beyond doubt."""
        plain = re.search(
            rf"\[{name}\] (?!of\b)(?:[\w-]+ )*?(?:cards|counters|minions|resources|creatures)\b", text.words
        )
        least = 1 if plain and self.chance.random() < 0.4 else 2
        return least if least == 1 else self.chance.randint(2, 6)

    def _wording(self, text: GuideText, words: str, *, single: bool) -> str:
        words, changed = _singular(words)
        if changed and text.role == "condition":
            words = words.replace(" are ", " is ")
        if self.guide.edition > 10 and text.role == "target" and not re.search(r"\[y\] counters", text.words):
            words = re.sub(r"up to 1\b", "1", words)
        if single and text.role == "effect" and self.guide.edition > 10:
            other = self.chance.choice(("it", "the target"))
            words = words.replace("the targets' ", "its " if other == "it" else "the target's ")
            words = re.sub(r"each target\b|the targets\b", other, words).replace("Batch add", "Add")
            words = words.replace("Batch subtract", "Subtract")
        return words


def _most_targets(text: GuideText, numbers: dict[str, int]) -> int:
    if text.words.startswith("Target this card"):
        return 1
    counted = re.search(r"[Tt]arget up to \[([xy])\]", text.words)
    return 1 if counted and numbers[counted[1]] == 1 else 2


def _singular(words: str) -> tuple[str, bool]:
    """Return words with the noun behind each lone 1 in the singular, and whether there was one."""
    changed = re.sub(
        r"(?<![\w-])(?<!level )1 (?!of\b)((?:[\w-]+ )*?)(card|counter|Counter|minion|resource|creature|pawn)s\b",
        r"1 \1\2",
        words,
    )
    return changed, changed != words


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
