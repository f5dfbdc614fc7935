"""The components that a card of a wish may have, with what the search asks of them again and again; and outlines of them."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import gcd, lcm, prod

from msgspec import Struct, field
from msgspec.structs import replace

from render.games.kotc.composing import (
    AbilityPlan,
    AbilityWriter,
    SubAbilityPlan,
    TextPlan,
    speaking_of_one,
    targets_one,
)
from render.games.kotc.editions.wording import TargetForm, has_targets, needs_targets
from render.games.kotc.editions.wording import variables as variables_of
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.model.ability import Part
from render.games.kotc.model.edition import Component, Costs, Edition, Role
from render.games.kotc.model.formula import FACTOR, TARGETS, VARIABLES, Formula, Terms
from render.games.kotc.workshop.suggestions.wish import Wish, Words, always_says, numbers_saying, wished_words

MAX_NUMBER = 999  # the greatest number that the search puts into a text
SIZES = ((1, 1), (2, 9), (10, 99), (100, MAX_NUMBER))
"""Numbers that take as much room: 1 has words in the singular, the others one, two or three digits."""

Range = tuple[int, int]
Span = tuple[float, float]

ONE_ONLY: Span = (1.0, 1.0)
_ONE = Fraction(1)


class Shelf(enum.IntEnum):
    """What components are in an ability, in the order in which the search chooses them."""

    CAVEAT = 0
    CONDITION = 1
    COST = 2
    TARGET = 3
    ON_TARGETS = 4  # effects on targets
    ALONE = 5  # effects without


class Item(Struct, frozen=True, eq=False, kw_only=True):
    """A component with its place among all: `order` is by group and least length, `index` that of the edition.

    `says` are the bits of the wished words that it always or sometimes has. `ranges` are the numbers that each variable
    may have, `least` the characters of its words with the least numbers, `speaks` tells whether they speak of targets,
    `rises` whether its value never falls with more targets.
    """

    component: Component
    group: Shelf
    index: int
    order: int
    says: int
    variables: tuple[str, ...]
    ranges: tuple[Range, ...]
    least: int
    speaks: bool
    rises: bool
    lengths: dict[tuple[object, ...], int] = field(default_factory=dict)
    spans: dict[tuple[object, ...], Span] = field(default_factory=dict)
    values: dict[tuple[object, ...], Fraction] = field(default_factory=dict)

    def value(self, numbers: Sequence[int], t: Fraction = _ONE, a: Fraction = _ONE) -> Fraction:
        """Return what the formula gives; 0 without one."""
        key = (tuple(numbers), t, a)
        if key not in self.values:
            self.values[key] = _value(self.component.level, self.variables, numbers, (t, a)) or Fraction(0)
        return self.values[key]

    def factor(self, numbers: Sequence[int]) -> Fraction:
        """Return the `a` that a condition gives, 1 unless it says so."""
        found = _value(self.component.factor, self.variables, numbers, (_ONE, _ONE))
        return _ONE if found is None else found

    def span(self, ranges: Sequence[Range], t: Span = ONE_ONLY, a: Span = ONE_ONLY) -> Span:
        """Return the least and the greatest value for numbers in ranges. Formulas rise or fall with each variable."""
        key = (tuple(ranges), t, a)
        if key not in self.spans:
            self.spans[key] = self._span([*(set(each) for each in ranges), set(t), set(a)])
        return self.spans[key]

    def _span(self, ends: Sequence[Iterable[float]]) -> Span:
        """Return the least and the greatest value at the corners of a box; floats will do for bounds."""
        formula = self.component.level
        if formula is None:
            return (0.0, 0.0)
        values = []
        for corner in product(*ends):
            given = dict(zip((*self.variables, TARGETS, FACTOR), corner, strict=True))
            values.append(_sum(formula.terms, given) / _sum(formula.below, given))
        return min(values), max(values)

    def factor_span(self, ranges: Sequence[Range]) -> Span:
        """Return the least and the greatest `a` that a condition gives."""
        values = [float(self.factor(corner)) for corner in product(*ranges)]
        return min(values), max(values)

    def grain(self, t: Fraction) -> Fraction:
        """Return a number of which each value is a multiple, if the targets are one of `t`; 0 if there is none."""
        formula = self.component.level
        if formula is None or any(product for product, _ in formula.below):
            return Fraction(0)
        each = [abs(by) * t ** product.count(TARGETS) for product, by in formula.terms]
        return each[0] if len(set(each)) == 1 else common_divisor(each)

    def choice(self, numbers: Sequence[int], form: TargetForm = TargetForm.MANY) -> ComponentUse:
        """Return the component with numbers, as plans have it."""
        return ComponentUse(self.component, tuple(zip(self.variables, numbers, strict=True)), form)

    def length(self, numbers: Sequence[int], form: TargetForm, writer: AbilityWriter) -> int:
        """Return the characters of its words."""
        key = (tuple(numbers), form)
        if key not in self.lengths:
            self.lengths[key] = len(writer.words(self.choice(numbers, form)))
        return self.lengths[key]

    def selects_one(self, numbers: Sequence[int]) -> bool:
        """Return whether a target selection with these numbers can never select more than one card."""
        return targets_one(self.choice(numbers))


def _sum(terms: Terms, given: Mapping[str, float]) -> float:
    return sum(float(by) * prod(given[name] for name in product) for product, by in terms)


def common_divisor(fractions: Sequence[Fraction]) -> Fraction:
    """Return the greatest number of which all fractions are multiples."""
    below = lcm(*(each.denominator for each in fractions))
    return Fraction(gcd(*(int(each * below) for each in fractions)), below)


def _value(
    formula: Formula | None, variables: Sequence[str], numbers: Sequence[int], others: tuple[Fraction, Fraction]
) -> Fraction | None:
    """Return what a formula gives for numbers, targets and factor; None without a formula."""
    if formula is None:
        return None
    given = {name: Fraction(number) for name, number in zip(variables, numbers, strict=True)}
    return formula.value({**given, TARGETS: others[0], FACTOR: others[1]})


class Stock(Struct, frozen=True):
    """The components of an edition that a wish allows, those with the shortest words first."""

    items: tuple[Item, ...]
    writer: AbilityWriter

    def of(self, group: Shelf) -> list[Item]:
        """Return the items of a group in their order."""
        return [item for item in self.items if item.group is group]


def stocked(edition: Edition, wish: Wish) -> Stock:
    """Return what a card of the wish may be made of."""
    writer = AbilityWriter(edition.grammar)
    wanted = [wished_words(words) for words in wish.words]
    deeds = {wished_words(words) for words in wish.deeds}
    unwanted = [wished_words(words) for words in wish.unwanted]
    found = []
    for index, component in enumerate(edition.components):
        group = _group(component)
        if not _is_allowed(component, group, wish) or any(always_says(component, words) for words in unwanted):
            continue
        variables = tuple(sorted(variables_of(component.text)))
        ranges = tuple(number_ranges(component, variables))
        counted = [words if component.role is not Role.COST or words not in deeds else () for words in wanted]
        for pinned, says in _pinned(component, counted):
            given = tuple(
                (n, n) if (n := pinned.get(name)) else each for name, each in zip(variables, ranges, strict=True)
            )
            if all(low[0] <= n[0] <= n[1] <= low[1] for low, n in zip(ranges, given, strict=True)):
                found.append(_item(component, group, index, writer, (says, variables, given)))
    ranked = sorted(found, key=lambda item: (item.group, item.least, item.index))
    return Stock(tuple(replace(item, order=order) for order, item in enumerate(ranked)), writer)


def _item(
    component: Component,
    group: Shelf,
    index: int,
    writer: AbilityWriter,
    given: tuple[int, tuple[str, ...], tuple[Range, ...]],
) -> Item:
    says, variables, ranges = given
    speaks = has_targets(component)
    numbers = tuple((name, low) for name, (low, _) in zip(variables, ranges, strict=True))
    form = TargetForm.IT if speaks and writer.grammar.one_target else TargetForm.MANY
    return Item(
        component=component,
        group=group,
        index=index,
        order=0,
        says=says,
        variables=variables,
        ranges=ranges,
        least=len(writer.words(ComponentUse(component, numbers, form))),
        speaks=speaks,
        rises=_rises(component.level),
    )


def _rises(formula: Formula | None) -> bool:
    if formula is None:
        return True
    falls = any(by < 0 for product, by in formula.terms if TARGETS in product)
    return not falls and all(TARGETS not in product for product, _ in formula.below)


def _group(component: Component) -> Shelf:
    match component.role:
        case Role.CAVEAT:
            return Shelf.CAVEAT
        case Role.CONDITION:
            return Shelf.CONDITION
        case Role.COST:
            return Shelf.COST
        case Role.TARGET:
            return Shelf.TARGET
        case Role.EFFECT:
            return Shelf.ON_TARGETS if needs_targets(component) else Shelf.ALONE


def _pinned(component: Component, wanted: Sequence[Words]) -> Iterator[tuple[dict[str, int], int]]:
    """Yield the numbers that a component needs to have wished words, and the bits of the words that it has then.

    Words that are empty here are those that it cannot have.
    "draw 2 cards" needs 2 for x. The component without numbers that are needed comes first.
    """
    saying = [numbers_saying(component, words) if words else [] for words in wanted]
    pins: list[dict[str, int]] = [{}]
    for numbers in (each for found in saying for each in found if each):
        merged = [{**pin, **dict(numbers)} for pin in pins if all(pin.get(name, n) == n for name, n in numbers)]
        pins += [pin for pin in merged if pin not in pins]
    for pin in pins:
        has = [any(set(numbers) <= set(pin.items()) for numbers in found) for found in saying]
        yield pin, sum(1 << bit for bit, each in enumerate(has) if each)


def _is_allowed(component: Component, group: Shelf, wish: Wish) -> bool:
    if group is Shelf.CAVEAT and wish.is_spell:
        return False
    if group is Shelf.CONDITION and wish.condition is False:
        return False
    return wish.ultra_points is None or component.ultra_points <= wish.ultra_points


def number_ranges(component: Component, variables: Iterable[str]) -> Iterator[Range]:
    """Yield the least and the greatest number that each variable may be."""
    limits = dict(component.limits)
    for name in variables:
        yield 1, min(limits.get(name, MAX_NUMBER), _last_sound(component, name))


def _last_sound(component: Component, name: str) -> int:
    """Return the greatest number for which what stands below the line stays above 0, as `y` in `x/(10 - y)`."""
    formula = component.level
    if formula is None or all(name not in product for product, _ in formula.below):
        return MAX_NUMBER
    for number in range(1, MAX_NUMBER):
        if not formula.has_value({each: Fraction(number + 1 if each == name else 1) for each in VARIABLES}):
            return number
    return MAX_NUMBER


# --- outlines ---------------------------------------------------------------------------------------------------------


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
