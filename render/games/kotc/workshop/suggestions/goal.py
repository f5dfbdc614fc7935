"""The level that a card of a wish must come to, and SP and HP that bring it there (guide, "Level")."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from msgspec import Struct

from render.games.kotc.model.edition import Grammar, LevelRules, Rounding
from render.games.kotc.workshop.suggestions.stock import Span
from render.games.kotc.workshop.suggestions.wish import Wish

MAX_STAT_OLD = 99  # up to the 11th Edition (guide, "Design Instructions")
MAX_STAT = 9999  # the greatest number that a card file may have
Number = TypeVar("Number", float, Fraction)


class Body(Struct, frozen=True):
    """The SP and HP of a minion; a spell has neither."""

    sp: int | None = None
    hp: int | None = None


class Goal(Struct, frozen=True):
    """The level of a wish, by the rules of an edition."""

    wish: Wish
    rules: LevelRules
    grammar: Grammar

    # --- sums -----

    def ability_level(self, value: Number) -> Number:
        """Return what an ability adds to a card, by the sum of its effects less its costs."""
        spell = self.wish.is_spell
        least = self.rules.least_of_spell_ability if spell else self.rules.least_of_minion_ability
        rounded = type(value)(ceil(value)) if self._rounds_each else value
        return max(type(value)(least), rounded)

    def level(self, abilities: Number, body: Body, relief: Number) -> int:
        """Return the level of a card whose abilities add that much, with a caveat's relief."""
        if self.wish.is_spell:
            return ceil(abilities)
        stats = (body.sp or 0) + self.rules.hp_share * (body.hp or 0) - relief
        if self._rounds_each:
            return max(self.rules.least_of_minion, max(0, ceil(stats)) + ceil(abilities))
        return max(self.rules.least_of_minion, ceil(abilities + stats if stats > 0 else abilities))

    def body(self, abilities: Fraction, relief: Fraction) -> Body | None:
        """Return SP and HP with which the card has the level of the wish; None if none have.

        Of several that would do it is the one that makes the most of the level: as much for SP as for HP, and the
        greatest HP then.
        """
        found = Body() if self.wish.is_spell else self._stats(self.wish.level - abilities + relief)
        return found if found and self.level(abilities, found, relief) == self.wish.level else None

    def may_be_reached(self, abilities: Span, relief: Span) -> bool:
        """Return whether sums in these bounds may come to the level of the wish."""
        wished = self.wish.level
        if self.wish.is_spell:
            return ceil(abilities[0]) <= wished <= ceil(abilities[1])
        if self.is_free:
            return self.level(abilities[0], self.least_body, relief[1]) <= wished
        body = Body(self.wish.sp, self.wish.hp)
        return self.level(abilities[0], body, relief[1]) <= wished <= self.level(abilities[1], body, relief[0])

    @property
    def window(self) -> tuple[Fraction, Fraction] | None:
        """Between which numbers the sum of a single ability must be, more than the first; None if it may be less."""
        if self.is_free or self.wish.abilities != 1:
            return None
        stats = (self.wish.sp or 0) + self.rules.hp_share * (self.wish.hp or 0)
        high = Fraction(self.wish.level) - (ceil(stats) if self._rounds_each else stats)
        return (high - 1, high) if self.ability_level(high - 1) < self.ability_level(high) else None

    def outcome(self, abilities: Fraction, relief: Fraction) -> Fraction:
        """Return what two choices of numbers have in common if the one that pays more is a waste."""
        if self.wish.is_spell or not self.is_free:
            return Fraction(self.level(abilities, Body(self.wish.sp, self.wish.hp), relief))
        return abilities - relief

    @property
    def is_free(self) -> bool:
        """Whether the search may choose SP or HP."""
        return not self.wish.is_spell and (self.wish.sp is None or self.wish.hp is None)

    @property
    def least_body(self) -> Body:
        """The least SP and HP that the wish allows."""
        return Body(self.wish.sp or 0, self.wish.hp or 0)

    # --- SP and HP -----

    @property
    def _rounds_each(self) -> bool:
        return self.rules.rounding is Rounding.ABILITY

    @property
    def _most(self) -> int:
        return MAX_STAT_OLD if self.grammar.of_creatures else MAX_STAT

    def _stats(self, worth: Fraction) -> Body | None:
        """Return SP and HP worth so much at most; None if that is less than nothing."""
        share, wish = self.rules.hp_share, self.wish
        if wish.sp is not None and wish.hp is not None:
            return Body(wish.sp, wish.hp)
        if worth < 0:
            return None
        if wish.hp is not None:
            sp = min(floor(worth - share * wish.hp), self._most)
        else:
            sp = wish.sp if wish.sp is not None else min(ceil(Fraction(floor(worth), 2)), self._most)
        hp = wish.hp if wish.hp is not None else self._rest(worth - sp)
        return Body(sp, hp) if sp >= 0 and hp >= 0 else None

    def _rest(self, worth: Fraction) -> int:
        share = self.rules.hp_share
        return min(floor(worth / share), self._most) if share else 0
