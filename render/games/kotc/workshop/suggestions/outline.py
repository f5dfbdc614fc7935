"""Outlines: the components of a card without their numbers, how long its text is at least, and its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from msgspec import Struct, field

from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan, speaking_of_one
from render.games.kotc.editions.wording import TargetForm
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.model.ability import Part
from render.games.kotc.model.edition import Component, Costs, Role
from render.games.kotc.workshop.suggestions.stock import Item, Shelf
from render.games.kotc.workshop.suggestions.wish import Wish, wished_words

Items = tuple[Item, ...]
Counts = tuple[int, ...]
"""How many components of each group an ability has."""

CAVEAT = -1  # stands for the number of an ability where a caveat is placed


class Layout(Struct, frozen=True):
    """How abilities are put together: the words of the edition, the most sub-abilities, and names for minions."""

    writer: AbilityWriter
    wish: Wish
    frames: dict[Counts, int] = field(default_factory=dict)

    @property
    def most_costs(self) -> int:
        """The most activation costs of an ability that the search looks at."""
        # Up to the 11th Edition "only one activation cost can be used per ability" (guide, "Activation Costs").
        return 1 if self.writer.grammar.costs is Costs.ONE else 3

    def name(self, number: int) -> str:
        """Return the name of an ability; "" if it needs none."""
        if self.wish.is_spell or not self.writer.grammar.has_sub_abilities:
            return ""
        return f"ABILITY {number}" if self.wish.abilities > 1 else "ABILITY"

    def frame(self, counts: Counts) -> int:
        """Return the characters of an ability besides the words of its components, of which so many are of each group.

        They are those of an ability whose components say nothing, or, where each is a sentence, only have a full stop.
        """
        if counts not in self.frames:
            grammar = self.writer.grammar
            stop = "." if grammar.of_sentences else ""
            groups = [group for group, count in zip(Shelf, counts, strict=True) for _ in range(count)]
            # The first of them may be all that there is yet.
            lacks_effects = grammar.has_sub_abilities and not any(group > Shelf.TARGET for group in groups)
            choices = [(group, _silent(group, stop)) for group in (*groups, *([Shelf.ALONE] if lacks_effects else []))]
            text = self.writer.ability(_ability(choices, self, self.name(1)))
            self.frames[counts] = len(text) - len(stop) * len(groups) - lacks_effects
        return self.frames[counts]


def _silent(group: Shelf, words: str) -> ComponentUse:
    """Return a component of a group that has no words of its own."""
    role = Role.EFFECT if group > Shelf.TARGET else Role[group.name]
    return ComponentUse(Component(role=role, text=words), words=Part(words, 0, 0), is_known=False)


class Makeup(Struct, frozen=True):
    """The components of a card without their numbers, made by `outlined`.

    `placed` has them in the order of the text, each with the number of its ability, or `CAVEAT`. `key` has them
    by their places in the edition, for a stable order.
    """

    abilities: tuple[Items, ...]
    caveat: Item | None
    placed: tuple[tuple[int, Item], ...]
    key: tuple[int, ...]

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of the card."""
        return sum(item.component.ultra_points for _, item in self.placed)


def outlined(abilities: tuple[Items, ...], caveat: Item | None = None) -> Makeup:
    """Return the outline of abilities, each with its components in the order of the search."""
    ordered = [in_text_order(ability) for ability in abilities]
    placed = [(at, item) for at, ability in enumerate(ordered) for item in ability]
    key = [index for ability in ordered for index in (-1, *(item.index for item in ability))]
    if caveat is None:
        return Makeup(abilities, None, tuple(placed), tuple(key))
    return Makeup(abilities, caveat, ((CAVEAT, caveat), *placed), (caveat.index, *key))


def in_text_order(ability: Sequence[Item]) -> list[Item]:
    """Return the components of an ability in the order of its text: that of the guide within each kind."""
    return sorted(ability, key=lambda item: (item.group, item.index))


_HARM = frozenset(
    "destroy sacrifice sheathe bury bounce silo exhaust fatigue petrify hypnotize distract negate remove down "
    "damage weakness voodoo exhaustion trap".split()
)
"""Words of effects that do no good to the card on which they fall."""


def harms_owner(outline: Makeup) -> bool:
    """Return whether a card does harm to a card of its owner, as in "Target this card; destroy it", without need."""
    return any(map(_harms_owner, outline.abilities))


def _harms_owner(ability: Items) -> bool:
    of = {group: [wished_words(item.component.text) for item in ability if item.group is group] for group in Shelf}
    is_own = any({"this", "your"} & set(words) for words in of[Shelf.TARGET])
    return is_own and any(_HARM & set(words) for words in of[Shelf.ON_TARGETS])


def least_length(outline: Makeup, numbers: Sequence[Sequence[int]], layout: Layout) -> int:
    """Return the length of the card's text with these numbers, at least; "the target" counts as "it"."""
    one = [
        _selects_one(at, outline, numbers) and layout.writer.grammar.one_target for at in range(len(outline.abilities))
    ]
    total = (
        sum(layout.frame(_counts(ability)) for ability in outline.abilities)
        + len(outline.abilities)
        - 1
        + bool(outline.caveat)
    )
    for (at, item), chosen in zip(outline.placed, numbers, strict=True):
        form = TargetForm.IT if at >= 0 and one[at] and item.speaks else TargetForm.MANY
        total += item.length(chosen, form, layout.writer)
    return total


def _counts(ability: Items) -> Counts:
    groups = [item.group for item in ability]
    return tuple(map(groups.count, Shelf))


def _selects_one(at: int, outline: Makeup, numbers: Sequence[Sequence[int]]) -> bool:
    pairs = zip(outline.placed, numbers, strict=True)
    return any(place == at and item.group is Shelf.TARGET and item.selects_one(each) for (place, item), each in pairs)


def planned(outline: Makeup, numbers: Sequence[Sequence[int]], layout: Layout) -> TextPlan:
    """Return the plan of the card's text with these numbers, one tuple for each component in the order of the text."""
    left = iter(zip(outline.placed, numbers, strict=True))
    caveat = _choice(next(left)) if outline.caveat else None
    abilities = []
    for at, ability in enumerate(outline.abilities):
        choices = [(item.group, item.choice(each)) for (_, item), each in islice(left, len(ability))]
        abilities.append(_ability(choices, layout, layout.name(at + 1)))
    return TextPlan(tuple(abilities), caveat)


def _choice(placed: tuple[tuple[int, Item], Sequence[int]]) -> ComponentUse:
    (_, item), numbers = placed
    return item.choice(numbers)


def _ability(choices: Sequence[tuple[Shelf, ComponentUse]], layout: Layout, name: str) -> AbilityPlan:
    of: Mapping[Shelf, list[ComponentUse]] = {
        group: [each for kind, each in choices if kind is group] for group in Shelf
    }
    target = next(iter(of[Shelf.TARGET]), None)
    sentences = [of[Shelf.ON_TARGETS]] if of[Shelf.ON_TARGETS] else []
    if target and not sentences:
        sentences = [of[Shelf.ALONE][:1]]
        of = {**of, Shelf.ALONE: of[Shelf.ALONE][1:]}
    sentences += [[each] for each in of[Shelf.ALONE]]
    while len(sentences) > (layout.wish.sub_abilities if layout.writer.grammar.has_sub_abilities else 1):
        last = sentences.pop()
        sentences[-1] = [*sentences[-1], *last]
    plans = [SubAbilityPlan(tuple(each), target if at == 0 else None) for at, each in enumerate(sentences)]
    if layout.writer.grammar.one_target:
        plans = [speaking_of_one(each) for each in plans]
    return AbilityPlan(
        sub_abilities=tuple(plans),
        condition=next(iter(of[Shelf.CONDITION]), None),
        costs=tuple(of[Shelf.COST]),
        name=name,
    )
