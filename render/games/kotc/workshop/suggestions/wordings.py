"""Other legal wordings of a card, with the same components and numbers, and the size of type that each would get.

The guides leave some words to the author: "it" or "the target" for one target, whether effects without targets follow
by "then" or are sub-abilities of their own, and tutorial text. No component means the same as another.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import MM_PER_POINT
from render.game.faces import lay_out_valid
from render.games.kotc.composing import (
    THEN,
    AbilityPlan,
    AbilityWriter,
    SubAbilityPlan,
    TextPlan,
    plan_of,
    speaking_of_one,
    targets_one,
)
from render.games.kotc.editions.wording import has_targets
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.ability import ARROW
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.workshop.suggestions.suggesting import is_sound
from render.scene.items import Group, Item, Scene, TextRun

IT = '"it" for one target'
OWN = "effects without targets as sentences of their own"
SILENT = "without tutorial text"
AS_IN_GUIDE = "words as the guide has them"


class Wording(Struct, frozen=True):
    """A text, in what it differs from the card's, and its size of type in points; None if it does not fit."""

    text: str
    changes: tuple[str, ...]
    size: float | None


class Wordings(Struct, frozen=True):
    """The card's own text as it is set, and the wordings that are set larger, the largest first."""

    card: Card
    own: Wording
    better: tuple[Wording, ...]


def wordings(card: Card, card_set: CardSet, calculator: LevelCalculator) -> Wordings | None:
    """Return the wordings that fit the box better at the same level; None if the rules do not know all words.

    The sizes are those of the set's own templates, without a `text_size` that the author chose.
    """
    derivation = calculator.derive(card)
    plan = plan_of(card.text, derivation) if derivation else None
    if plan is None:
        return None
    others = dict(_others(plan, card, AbilityWriter(calculator.grammar)))
    texts = [card.text, *(text for text in others if _is_the_same(replace(card, text=text), card, calculator))]
    sizes = _sizes(card, texts, card_set)
    own = Wording(card.text, (), sizes[0])
    found = [Wording(text, others[text], size) for text, size in zip(texts[1:], sizes[1:], strict=True)]
    # Largest first; of the same size the one with the fewest changes.
    better = [each for each in found if each.size is not None and each.size > (own.size or 0)]
    better.sort(key=lambda each: (-(each.size or 0), len(each.changes), len(each.text), each.text))
    return Wordings(card, own, tuple(better))


def _is_the_same(other: Card, card: Card, calculator: LevelCalculator) -> bool:
    """Return whether a wording gives the same numbers, and the rules have nothing new to say about it."""
    mine, its = calculator.derive(card), calculator.derive(other)
    if mine is None or its is None or (its.level, its.ultra_points) != (mine.level, mine.ultra_points):
        return False
    return is_sound(other, calculator) or not is_sound(card, calculator)


# --- other words ----------------------------------------------------------------------------------------------------


def _others(plan: TextPlan, card: Card, writer: AbilityWriter) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each other text, with what is changed; those with the fewest changes last, as a dictionary keeps these."""
    plain = () if writer.text(plan) == card.text.strip() else (AS_IN_GUIDE,)
    choices = sorted(product((False, True), repeat=3), key=sum, reverse=True)
    for it, own, silent in choices:
        changed, changes = plan, list(plain)
        for wanted, change, says in ((it, _with_it, IT), (own, _apart, OWN), (silent, _silent, SILENT)):
            if wanted and (other := change(changed, writer)) != changed:
                changed, changes = other, [*changes, says]
        text = writer.text(changed)
        if text != card.text.strip():
            yield text, tuple(changes)


def _with_it(plan: TextPlan, writer: AbilityWriter) -> TextPlan:
    def one(each: SubAbilityPlan) -> SubAbilityPlan:
        return speaking_of_one(each) if writer.grammar.one_target and targets_one(each.target) else each

    return _each_ability(plan, lambda ability: replace(ability, sub_abilities=tuple(map(one, ability.sub_abilities))))


def _apart(plan: TextPlan, writer: AbilityWriter) -> TextPlan:
    if not writer.grammar.has_sub_abilities:
        return plan

    def apart(ability: AbilityPlan) -> AbilityPlan:
        return replace(ability, sub_abilities=tuple(part for each in ability.sub_abilities for part in _parts(each)))

    return _each_ability(plan, apart)


def _parts(each: SubAbilityPlan) -> Iterator[SubAbilityPlan]:
    """Yield a sub-ability up to its last effect on targets, and what follows behind that by "then" in parts.

    Sub-abilities are done "in sequence" (rulebook, "Abilities"), as effects joined by "then" are.
    """
    joints = each.joints or (THEN,) * (len(each.effects) - 1)
    last = max((at for at, effect in enumerate(each.effects) if has_targets(effect.component)), default=-1)
    least = max(last, 0) + 1  # a target selection stays with an effect
    cuts = [at for at in range(least, len(each.effects)) if joints[at - 1] == THEN]
    for start, end in pairwise((0, *cuts, len(each.effects))):
        target = each.target if start == 0 else None
        yield SubAbilityPlan(each.effects[start:end], target, joints[start : end - 1])


def _silent(plan: TextPlan, _: AbilityWriter) -> TextPlan:
    return _each_ability(plan, lambda ability: replace(ability, tutorial=""))


def _each_ability(plan: TextPlan, change: Callable[[AbilityPlan], AbilityPlan]) -> TextPlan:
    return replace(plan, abilities=tuple(map(change, plan.abilities)))


# --- sizes ----------------------------------------------------------------------------------------------------------


def _sizes(card: Card, texts: Sequence[str], card_set: CardSet) -> list[float | None]:
    """Return the size in points in which each text would be printed on the card; None if it does not fit."""
    cards = [replace(card, id=f"wording-{at}", text=text, text_size=None) for at, text in enumerate(texts)]
    drawn = {faces.card.id: faces.front for faces in lay_out_valid(replace(card_set, cards=tuple(cards)))}
    return [_size(drawn[each.id], each.text) if each.id in drawn else None for each in cards]


def _size(front: Scene, text: str) -> float | None:
    """Return the size of the lines that an ability text was set in."""
    words = " ".join(text.replace("->", ARROW).split())
    found: Counter[float] = Counter()
    for run in _runs(front.items):
        if run.words.strip() and run.words.strip() in words:
            found[run.size] += len(run.words)
    return round(found.most_common(1)[0][0] / MM_PER_POINT, 2) if found else None


def _runs(items: Sequence[Item]) -> Iterator[TextRun]:
    for item in items:
        if isinstance(item, Group):
            yield from _runs(item.items)
        elif isinstance(item, TextRun):
            yield item


# --- output ---------------------------------------------------------------------------------------------------------


def wordings_as_text(found: Wordings) -> str:
    """Return the wordings for people: size and changes, and the text below."""
    lines = [f"{found.card.id}: {_points(found.own.size)} as it is"]
    for each in found.better:
        lines += ["", f"{_points(each.size)}, {' and '.join(each.changes)}"]
        lines += [f"  {line}" for line in each.text.split("\n")]
    return "\n".join(lines)


def wordings_as_json(found: Wordings) -> str:
    """Return the wordings as JSON, with sizes in points."""
    better = [{"size": each.size, "changes": each.changes, "text": each.text} for each in found.better]
    return json.dumps({"card": found.card.id, "size": found.own.size, "wordings": better}, ensure_ascii=False, indent=2)


def _points(size: float | None) -> str:
    return "does not fit" if size is None else f"{size:g} pt"
