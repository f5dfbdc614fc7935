"""An invented edition with kinds of card of its own, cards of them, and their levels as the words of its rules give them.

The rules of the 18th Edition here, in words: "A relic has HP, and any number of abilities. Its level is two thirds of its
HP, rounded up, and the levels of all of its abilities; it is at least 2. The level of an ability is that of its effects
less that of its costs, rounded up, but at least 1. A ritual has a single ability, whose level is at least 3, and is its
level." The 19th counts half of the HP, and drawing a card as 3. Nothing here is shared with the program.
"""

import random
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import NamedTuple

EDITION = """\
edition: {number}
terms: {{minion: minion, sp: SP, hp: HP, level: level}}
deck: {{cards: 2-900, ultra_points: 900}}
levels: {{hp_share: 1/2, least_of_minion_ability: 1, least_of_spell_ability: 0}}
kinds:
- {{name: relic, hp_share: {share}, least: 2, least_of_ability: 1}}
- {{name: ritual, abilities: one, least_of_ability: 3}}
{reworded}
conditions:
- {{text: "When this card attacks"}}
costs:
- {{text: "pay {{x}} HP", level: x/4, ultra_points: 1}}
- {{text: "sacrifice {{x}} cards in your hand", level: x}}
targets:
- {{text: "Target up to {{x}} on-field minions", t: x}}
- {{text: "Target {{x}} random cards in your {place}", t: (x + 1)/2}}
effects:
- {{text: "draw {{x}} cards", level: {draw}x}}
- {{text: "bounce the targets", level: 3t/2}}
- {{text: "burn the battlefield {{x}} times", level: x/3, ultra_points: 2}}
"""


def write_editions(folder: Path) -> None:
    """Write the rules of the 18th and the 19th Edition for the sets in a folder."""
    reworded = 'reworded:\n- {old: "in your grave", new: "in your boneyard"}'
    eighteenth = EDITION.format(number=18, share="2/3", draw=2, place="grave", reworded="")
    nineteenth = EDITION.format(number=19, share="1/2", draw=3, place="boneyard", reworded=reworded)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "18.yaml").write_text(eighteenth, encoding="utf-8")
    (folder / "19.yaml").write_text(nineteenth, encoding="utf-8")


class Reckoned(NamedTuple):
    """A card with its levels in the 18th and the 19th Edition, reckoned by hand, and its Ultra Points."""

    id: str
    yaml: str
    level: int
    later: int
    ultra_points: int


class _Ability(NamedTuple):
    words: str
    worth: tuple[Fraction, Fraction]  # in the 18th and the 19th
    ultra_points: int


def _ability(chance: random.Random) -> _Ability:
    text, worth, ultra_points = "", [Fraction(0), Fraction(0)], 0
    if chance.random() < 0.4:
        text += "When this card attacks: "
    costs = []
    if chance.random() < 0.4:
        paid = chance.randint(2, 9)
        costs.append(f"pay {paid} HP")
        worth = [each - Fraction(paid, 4) for each in worth]
        ultra_points += 1
    if chance.random() < 0.3:
        lost = chance.randint(2, 4)
        costs.append(f"sacrifice {lost} cards in your hand")
        worth = [each - lost for each in worth]
    text += f"{' and '.join(costs)}→ " if costs else ""
    effects, targets = [], Fraction(0)
    if chance.random() < 0.5:
        count = chance.randint(2, 5)
        if chance.random() < 0.5:
            text, targets = f"{text}target up to {count} on-field minions; ", Fraction(count)
        else:
            text, targets = f"{text}target {count} random cards in your grave; ", Fraction(count + 1, 2)
        effects.append("bounce the targets")
        worth = [each + Fraction(3, 2) * targets for each in worth]
    if chance.random() < 0.5 or not effects:
        drawn = chance.randint(2, 7)
        effects.append(f"draw {drawn} cards")
        worth = [worth[0] + 2 * drawn, worth[1] + 3 * drawn]
    if chance.random() < 0.3:
        times = chance.randint(2, 10)
        effects.append(f"burn the battlefield {times} times")
        worth = [each + Fraction(times, 3) for each in worth]
        ultra_points += 2
    text += ", then ".join(effects) + "."
    return _Ability(_with_capitals(text), (worth[0], worth[1]), ultra_points)


def _with_capitals(text: str) -> str:
    """Return a sentence as it is printed: it begins with a capital, and so does a target selection that begins one."""
    for mark in (": ", "→ "):
        text = text.replace(f"{mark}target", f"{mark}Target")
    return text[0].upper() + text[1:]


def reckoned_cards(count: int, seed: int) -> list[Reckoned]:
    """Return so many relics and rituals, the same for one seed."""
    chance = random.Random(seed)
    return [_card(number, chance) for number in range(count)]


def _card(number: int, chance: random.Random) -> Reckoned:
    if chance.random() < 0.3:
        only = _ability(chance)
        level, later = (max(3, ceil(worth)) for worth in only.worth)
        name = f"ritual-{number}"
        return Reckoned(name, _yaml(name, "ritual", "", [only.words], only), level, later, only.ultra_points)
    hp, own = chance.randint(0, 20), [_ability(chance) for _ in range(chance.randint(0, 3))]
    abilities = [[max(1, ceil(worth)) for worth in each.worth] for each in own]
    level = max(2, ceil(Fraction(2, 3) * hp) + sum(each[0] for each in abilities))
    later = max(2, ceil(Fraction(1, 2) * hp) + sum(each[1] for each in abilities))
    name, texts = f"relic-{number}", [f"ABILITY {at}: {each.words}" for at, each in enumerate(own)]
    return Reckoned(
        name, _yaml(name, "relic", f"  hp: {hp}\n", texts, *own), level, later, sum(e.ultra_points for e in own)
    )


def _yaml(name: str, kind: str, numbers: str, texts: list[str], *own: _Ability) -> str:
    text = "".join(f"    {line}\n" for line in texts)
    return f"- id: {name}\n  name: {name}\n  kind: {kind}\n  level: auto\n  ultra_points: auto\n{numbers}" + (
        f"  text: |\n{text}" if text else ""
    )
