"""Cards of a wish, the shortest text first, and last those that harm their owner: an exact search, best first.

One queue holds unfinished outlines, outlines with sizes of numbers, and finished cards, each with the least length that
its text can have. What comes out is never longer than what is still inside, so cards come out in order, and none is
missed. Components only follow those of a lower order, so that each combination is built once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from msgspec import Struct

from render.games.kotc.composing import TextPlan
from render.games.kotc.model.cards import Card
from render.games.kotc.model.edition import Edition, Role
from render.games.kotc.workshop.suggestions.goal import Body, Goal
from render.games.kotc.workshop.suggestions.growing import Grower, Partial, Siblings
from render.games.kotc.workshop.suggestions.numbers import Numbers, Sizes, Solver
from render.games.kotc.workshop.suggestions.outline import Layout, Makeup, harms_owner, least_length, planned
from render.games.kotc.workshop.suggestions.stock import Item, stocked
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
