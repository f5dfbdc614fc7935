"""Cards of a wish, the shortest text first, and last those that harm their owner: an exact search, best first.

One queue holds unfinished outlines, outlines with sizes of numbers, and finished cards, each with the least length that
its text can have. What comes out is never longer than what is still inside, so cards come out in order, and none is
missed. Components only follow those of a lower order, so that each combination is built once. A depth-first search looks
at 1.2 to 2.6 times as many outlines, even if it is told the length of the last card.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from render.games.kotc.composing import TextPlan
from render.games.kotc.model.cards import Card
from render.games.kotc.model.edition import Conditions, Costs, Edition, Role
from render.games.kotc.workshop.suggestions.numbers import SLACK, Body, Goal, Numbers, Sizes, Solver
from render.games.kotc.workshop.suggestions.stock import (
    Counts,
    Item,
    Items,
    Layout,
    Makeup,
    Shelf,
    Stock,
    harms_owner,
    least_length,
    outlined,
    planned,
    stocked,
)
from render.games.kotc.workshop.suggestions.wish import Wish, always_says, stands_in, wished_words

_LAST = 100_000  # characters: more than any text has
MAX_STEPS = 60_000  # of the queue: a few seconds, which no sensible wish takes


class Found(Struct, frozen=True):
    """A card of a wish: its text and what it is made of, its SP and HP, its Ultra Points."""

    text: str
    plan: TextPlan
    body: Body
    ultra_points: int


class TooLargeError(Exception):
    """The search was given up: nothing is known of what it has not looked at. `before` is what it had found."""

    def __init__(self, before: Sequence[Card] = ()) -> None:
        self.before = before
        super().__init__()


class _Sized(Struct, frozen=True):
    """An outline whose numbers have these sizes."""

    solver: Solver
    sizes: Sizes


# Length, stage, components, numbers, and a count that tells equal ones apart.
_Key = tuple[int, int, tuple[int, ...], tuple[int, ...], int]


class Search:
    """The search for one wish. With `all_numbers` a combination of components comes with each choice of numbers.

    With `repeats` an ability may have a component twice, and a target selection that no effect needs: legal, but of no
    use. The edition must have rules for levels.
    """

    def __init__(
        self,
        wish: Wish,
        edition: Edition,
        *,
        all_numbers: bool = False,
        repeats: bool = False,
        most_steps: int = MAX_STEPS,
    ) -> None:
        assert edition.levels is not None, edition.number
        self.wish = wish
        stock = stocked(edition, wish)
        self.layout = Layout(stock.writer, wish)
        self.goal = Goal(wish, edition.levels, edition.grammar)
        self._grower = Grower(wish, stock, self.layout, self.goal, repeats=repeats)
        self._all_numbers, self._most_steps = all_numbers, most_steps
        self._words = [wished_words(words) for words in wish.words]
        self._deeds = {wished_words(words) for words in wish.deeds}
        self._unwanted = [wished_words(words) for words in wish.unwanted]
        # Unless the wish says "this card" or "your", nobody is after that.
        self._spares_owner = not any({"this", "your"} & set(words) for words in self._words)
        # With "no 4 HP", paying 5 is no waste.
        self._keeps_waste = any(word.isdigit() for words in self._unwanted for word in words)
        self._queue: list[tuple[_Key, Siblings | _Sized | Found]] = []
        self._served: set[tuple[int, ...]] = set()
        self._pushed = 0
        self.steps = 0

    def cards(self) -> Iterator[Found]:
        """Yield the cards, the shortest text first; TooLargeError if the search had to be given up."""
        self._grow(Partial())
        while self._queue:
            self.steps += 1
            if self.steps > self._most_steps:
                raise TooLargeError
            key, entry = heapq.heappop(self._queue)
            match entry:
                case Siblings():
                    self._push_first(entry.parent, entry.items, entry.at + 1)
                    self._grow(entry.child)
                case _Sized() if key[2] not in self._served:
                    self._solve(entry)
                case Found() if key[2] not in self._served:
                    if not self._all_numbers:
                        self._served.add(key[2])
                    yield entry
                case _Sized() | Found():
                    pass  # another choice of numbers has served

    # --- outlines -----

    def _grow(self, partial: Partial) -> None:
        """Put all that an unfinished outline may become into the queue."""
        if not partial.ability and self._grower.is_finished(partial):
            solver = Solver(partial.outline(), self.goal)
            if solver.may_succeed(solver.everything) and not solver.is_in_vain:
                self._push_sizes(solver, solver.first_sizes)
        if len(partial.done) < self.wish.abilities:
            for items, at in self._grower.followers(partial):
                self._push_first(partial, items, at)
            closed = self._grower.closed(partial)
            if closed is not None:
                self._grow(closed)

    def _push_first(self, parent: Partial, items: Sequence[Item], at: int) -> None:
        """Put the first component from `at` on that the wish allows into the queue; the next follows when it is out."""
        for index in range(at, len(items)):
            child = self._grower.grown(parent, items[index])
            if child is not None:
                self._push(self._grower.bound(child), 0, (), (), Siblings(parent, items, index, child))
                return

    # --- numbers -----

    def _push_sizes(self, solver: Solver, sizes: Sizes) -> None:
        box = solver.box(sizes)
        if box is not None:
            least = [tuple(low for low, _ in each) for each in box]
            length = least_length(solver.outline, least, self.layout)
            self._push(length + self._delay(solver.outline), 1, solver.outline.key, sizes, _Sized(solver, sizes))

    def _solve(self, sized: _Sized) -> None:
        """Put cards with numbers of these sizes into the queue, and the next larger sizes."""
        solver = sized.solver
        box = solver.box(sized.sizes)
        assert box is not None, sized.sizes
        for numbers in solver.solutions(box, keeps_waste=self._keeps_waste):
            found = self._found(solver, numbers)
            if found is not None:
                flat = tuple(number for each in numbers for number in each)
                length = len(found.text) + self._delay(solver.outline)
                self._push(length, 2, solver.outline.key, flat, found)
                if not self._all_numbers:
                    break
        for larger in solver.larger(sized.sizes):
            self._push_sizes(solver, larger)

    def _found(self, solver: Solver, numbers: Numbers) -> Found | None:
        """Return the card with these numbers; None if it has not quite the words of the wish."""
        outline = solver.outline
        worth = solver.worth(numbers)
        body = self.goal.body(solver.abilities_level(worth), worth.relief)
        plan = planned(outline, numbers, self.layout)
        if body is None or not all(self._says(outline, plan, words) for words in self._words):
            return None
        if any(self._says(outline, plan, words) for words in self._unwanted):
            return None
        return Found(self.layout.writer.text(plan), plan, body, outline.ultra_points)

    def _delay(self, outline: Makeup) -> int:
        """Return by how many characters a card stands behind others: it comes last if it harms its owner."""
        return _LAST if self._spares_owner and harms_owner(outline) else 0

    def _says(self, outline: Makeup, plan: TextPlan, words: tuple[str, ...]) -> bool:
        no_role = Role.COST if words in self._deeds else None
        if any(always_says(item.component, words) for _, item in outline.placed if item.component.role is not no_role):
            return True
        choices = (each for each in plan.choices() if each.component.role is not no_role)
        return any(stands_in(words, wished_words(self.layout.writer.words(each))) for each in choices)

    def _push(
        self,
        length: int,
        stage: int,
        components: tuple[int, ...],
        numbers: tuple[int, ...],
        entry: Siblings | _Sized | Found,
    ) -> None:
        self._pushed += 1
        heapq.heappush(self._queue, ((length, stage, components, numbers, self._pushed), entry))


# --- unfinished outlines ----------------------------------------------------------------------------------------------


MAX_EFFECTS = 3  # of an ability: more than that fit on few cards; as many as words are wished for, if that is more
NEVER = 1_000_000  # characters of words that no component has

_SINGLE = (Shelf.CAVEAT, Shelf.CONDITION, Shelf.TARGET)  # a card, or each ability, has one at most

_NONE: Counts = (0,) * len(Shelf)


class Partial(Struct, frozen=True, kw_only=True):
    """An unfinished outline: the abilities before, and the components of this one.

    `says` are the wished words that it has. `words` is the least length of its words, `before` that of the abilities
    before with all that joins them. `least` is the least that the effects of this ability are worth, with `target` as
    the least of its targets; `settled` is the least that the abilities before add to the level.
    """

    done: tuple[Items, ...] = ()
    ability: Items = ()
    caveat: Item | None = None
    says: int = 0
    ultra_points: int = 0
    counts: Counts = _NONE
    words: int = 0
    before: int = 0
    target: float = 1.0
    least: float = 0.0
    settled: float = 0.0

    @property
    def effects(self) -> int:
        """How many effects this ability has."""
        return self.counts[Shelf.ON_TARGETS] + self.counts[Shelf.ALONE]

    def outline(self) -> Makeup:
        """Return the outline of a finished one."""
        return outlined(self.done, self.caveat)


class Siblings(Struct, frozen=True):
    """An unfinished outline and one of the components that may follow; the next in the list follow after it."""

    parent: Partial
    items: Sequence[Item]
    at: int
    child: Partial


_NOTHING = Conditions.NOTHING  # else a condition lowers the level of its ability


class Grower:
    """Grows outlines of a wish. With `repeats`, components may be there twice, and target selections without need."""

    def __init__(self, wish: Wish, stock: Stock, layout: Layout, goal: Goal, *, repeats: bool) -> None:
        self._wish, self._stock, self._layout, self._goal = wish, stock, layout, goal
        self._repeats = repeats
        self._all_words = (1 << len(wish.words)) - 1
        self._most_effects = max(MAX_EFFECTS, len(wish.words))
        self._most_costs = max(layout.most_costs, 0 if layout.writer.grammar.costs is Costs.ONE else len(wish.words))
        self._lists = _lists(stock)
        self._has_costs = bool(
            stock.of(Shelf.COST) or (stock.of(Shelf.CONDITION) and layout.writer.grammar.conditions is not _NOTHING)
        )
        effects = [*stock.of(Shelf.ON_TARGETS), *stock.of(Shelf.ALONE)]
        self._least_effect = min((item.least for item in effects), default=NEVER)
        conditions = min((item.least for item in stock.of(Shelf.CONDITION)), default=NEVER)
        name = len(layout.name(1))
        self._least_ability = self._least_effect + 2 + (conditions + 1 if wish.condition else 0) + (name and name + 2)
        self._lengths = self._needs(lambda item: item.least)
        self._ultras = self._needs(lambda item: item.component.ultra_points)
        self._values = self._needs(self._least_value)

    def followers(self, partial: Partial) -> Iterator[tuple[Sequence[Item], int]]:
        """Yield the lists of components that may follow in this ability, each with the place where it begins."""
        last = partial.ability[-1] if partial.ability else None
        for group, items in self._lists:
            if not self._may_follow(partial, group) or self._is_vain(partial, group, items[0].says):
                continue
            cut = bisect_left if self._repeats else bisect_right
            at = cut(items, last.order, key=lambda item: item.order) if last and last.group is group else 0
            if at < len(items):
                yield items, at

    def grown(self, parent: Partial, item: Item) -> Partial | None:
        """Return an outline with one component more; None if no card of the wish can come of it."""
        if not self._repeats and any(each.component is item.component for each in parent.ability):
            return None  # the same with another number, which one of the wished words needs
        most = self._wish.ultra_points
        if most is not None and parent.ultra_points + item.component.ultra_points > most:
            return None
        child = self._with(parent, item)
        lacking = self._all_words & ~child.says
        if most is not None and child.ultra_points + self._need(self._ultras, child, lacking) > most:
            return None
        return None if self._is_too_high(child, lacking) else child

    def closed(self, partial: Partial) -> Partial | None:
        """Return an outline after the end of this ability; None if it is not whole, or out of order."""
        if not partial.effects or not self._is_served(partial):
            return None
        orders = [item.order for item in partial.ability]
        # Each set of abilities once, not in every order, and none twice.
        before = [item.order for item in partial.done[-1]] if partial.done else []
        if orders < before or (orders == before and not self._repeats):
            return None
        length = partial.before + partial.words + self._layout.frame(partial.counts) + 1
        done = (*partial.done, partial.ability)
        settled = partial.settled + self._goal.ability_level(self._least_of_ability(partial) - SLACK)
        return Partial(
            done=done,
            caveat=partial.caveat,
            says=partial.says,
            ultra_points=partial.ultra_points,
            before=length,
            settled=settled,
        )

    def is_finished(self, partial: Partial) -> bool:
        """Return whether an outline has all its abilities and all wished words."""
        return len(partial.done) == self._wish.abilities and partial.says == self._all_words

    def bound(self, partial: Partial) -> int:
        """Return the least length of the text of any card that may come of it."""
        lacking = self._need(self._lengths, partial, self._all_words & ~partial.says)
        missing = self._wish.abilities - len(partial.done) - bool(partial.ability)
        effects = missing * self._least_ability
        if partial.ability and not partial.effects:
            effects += self._least_effect + 1
        return partial.before + partial.words + self._layout.frame(partial.counts) + int(max(lacking, effects))

    # --- what may follow -----

    def _may_follow(self, partial: Partial, group: Shelf) -> bool:
        """Return whether a component of the group may be next in this ability."""
        if partial.ability and group < partial.ability[-1].group:
            return False
        if self._wish.condition and group > Shelf.CONDITION and not partial.counts[Shelf.CONDITION]:
            return False
        match group:
            case Shelf.CAVEAT:
                return partial.caveat is None and not partial.ability and not partial.done
            case Shelf.CONDITION:
                return not partial.ability
            case Shelf.COST:
                return partial.counts[Shelf.COST] < self._most_costs
            case Shelf.TARGET:
                return not partial.counts[Shelf.TARGET]
            case Shelf.ON_TARGETS:
                return bool(partial.counts[Shelf.TARGET]) and partial.effects < self._most_effects
            case Shelf.ALONE:
                return self._is_served(partial) and partial.effects < self._most_effects

    def _is_vain(self, partial: Partial, group: Shelf, says: int) -> bool:
        """Return whether, after a component of the group with these words, others could not be had any more."""
        lacking = self._all_words & ~(partial.says | says)
        if not lacking:
            return False
        if self._wish.abilities != 1 or group is Shelf.CAVEAT:
            return self._lengths[0][lacking] >= NEVER
        return self._lengths[group + (group in _SINGLE)][lacking] >= NEVER

    def _is_served(self, partial: Partial) -> bool:
        """Return whether there is no target selection that no effect needs."""
        return self._repeats or not partial.counts[Shelf.TARGET] or bool(partial.counts[Shelf.ON_TARGETS])

    def _with(self, parent: Partial, item: Item) -> Partial:
        says, ultra_points = parent.says | item.says, parent.ultra_points + item.component.ultra_points
        length = item.least
        if item.group is Shelf.CAVEAT:
            return replace(parent, caveat=item, says=says, ultra_points=ultra_points, before=length + 1)
        counts = (*parent.counts[: item.group], parent.counts[item.group] + 1, *parent.counts[item.group + 1 :])
        target, least = parent.target, parent.least
        if item.group is Shelf.TARGET:
            target = item.span(item.ranges)[0]
        elif item.group > Shelf.TARGET:
            least += self._effect_value(item, target)
        return Partial(
            done=parent.done,
            ability=(*parent.ability, item),
            caveat=parent.caveat,
            says=says,
            ultra_points=ultra_points,
            counts=counts,
            words=parent.words + length,
            before=parent.before,
            target=target,
            least=least,
            settled=parent.settled,
        )

    # --- bounds -----

    def _effect_value(self, item: Item, target: float) -> float:
        """Return the least that an effect adds if no condition divides it."""
        return item.span(item.ranges, (target, target))[0] if item.rises else -float(NEVER)

    def _least_value(self, item: Item) -> float:
        if item.group < Shelf.ON_TARGETS:
            return 0.0
        targets = [each.span(each.ranges)[0] for each in self._stock.of(Shelf.TARGET)]
        return self._effect_value(item, min(targets, default=1.0))

    def _least_of_ability(self, partial: Partial) -> float:
        """Return the least that the effects of this ability are worth, less what its condition and costs take off."""
        condition = next((item.component for item in partial.ability if item.group is Shelf.CONDITION), None)
        if partial.counts[Shelf.COST] or (condition and condition.level):
            return -float(NEVER)  # who pays 999 cards gets anything for nothing
        return min(0.0, partial.least) if condition and condition.factor else partial.least

    def _is_too_high(self, partial: Partial, lacking: int) -> bool:
        """Return whether the level is too high already, and no cost and no caveat can lower it any more."""
        never = self._goal.ability_level(-float(NEVER))
        may_pay = self._has_costs and (not partial.ability or partial.ability[-1].group < Shelf.TARGET)
        this = never
        if not may_pay:
            needed = self._need(self._values, partial, lacking) if self._wish.abilities == 1 else 0.0
            this = self._goal.ability_level(self._least_of_ability(partial) + needed - SLACK)
        later = (self._wish.abilities - len(partial.done) - 1) * never
        level = self._goal.level(partial.settled + this + later, self._goal.least_body, self._most_relief(partial))
        return level > self._wish.level

    def _most_relief(self, partial: Partial) -> float:
        """Return the most that a caveat may take off: it is chosen before all else."""
        if partial.caveat:
            return partial.caveat.span(partial.caveat.ranges)[1] + SLACK
        is_begun = partial.ability or partial.done
        return float(NEVER) if self._stock.of(Shelf.CAVEAT) and not is_begun else 0.0

    def _need(self, needs: list[list[float]], partial: Partial, lacking: int) -> float:
        """Return the least that components add which have the words that are lacking."""
        if not lacking:
            return 0
        if self._wish.abilities != 1 or not partial.ability:
            return needs[0][lacking]
        last = partial.ability[-1].group
        return needs[last + (last in _SINGLE)][lacking]

    def _needs(self, of: Callable[[Item], float]) -> list[list[float]]:
        """Return, for each group and each set of words, the least that components of it and later ones add for them.

        Of conditions, targets and caveats there can be one only; with several abilities any number.
        """
        sets = self._all_words + 1
        needs = [[0.0, *[float(NEVER)] * (sets - 1)]]
        for group in reversed(Shelf):
            later, items = needs[0], self._stock.of(group)
            of_one = group in _SINGLE and self._wish.abilities == 1
            found = list(later)
            for words in range(1, sets):
                for item in items:
                    if item.says & words:
                        rest = later if of_one else found
                        found[words] = min(found[words], of(item) + rest[words & ~item.says])
            needs.insert(0, found)
        return needs


def _lists(stock: Stock) -> list[tuple[Shelf, list[Item]]]:
    """Return the components by group and by the wished words that they have, each list in its order."""
    found: dict[tuple[Shelf, int], list[Item]] = {}
    for item in stock.items:
        found.setdefault((item.group, item.says), []).append(item)
    return [(group, items) for (group, _), items in found.items()]
