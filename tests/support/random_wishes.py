"""Random wishes; `python -m tests.support.random_wishes --edition 17 --count 1000` tries many and prints what came.

Each answer is judged as `check` would, and for spells it is compared with what trying everything finds.
"""

from __future__ import annotations

import argparse
import random
import time

from render.games.kotc.editions.finding import find
from render.games.kotc.suggestions.suggesting import suggest
from render.games.kotc.suggestions.wish import Wish
from tests.support.brute_force import spells_of_one_sentence

WORDS = (
    *("draw", "pay", "counters", "grave", "hand", "resource", "destroy", "sheathe", "exhaust", "dice", "minions"),
    *("excavate", "random", "bury", "place 1", "2 cards", "any deck", "self-exhaust", "heal yourself", "target"),
)  # fmt: skip


def random_wish(chance: random.Random, *, is_spell: bool) -> Wish:
    """Return a wish with up to two wished words and one that is not wanted."""
    words = chance.sample(WORDS, chance.choice((0, 1, 1, 2)))
    unwanted = [each for each in chance.sample(WORDS, chance.choice((0, 0, 1))) if each not in words]
    return Wish(
        level=chance.randint(0, 12),
        is_spell=is_spell,
        sp=None if is_spell or chance.random() < 0.6 else chance.randint(0, 5),
        hp=None if is_spell or chance.random() < 0.6 else chance.randint(0, 8),
        ultra_points=chance.choice((None, None, 0, 1, 2)),
        words=tuple(words),
        unwanted=tuple(unwanted),
        sub_abilities=chance.choice((1, 2)),
        abilities=1 if is_spell else chance.choice((1, 1, 2)),
        condition=chance.choice((None, None, None, True, False)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", type=int, default=17)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    from tests.games.kotc.test_suggest import fits  # noqa: PLC0415 - the test uses this module

    edition, chance = find(options.edition), random.Random(options.edition)
    known = spells_of_one_sentence(edition, 4)
    answered = missed = given_up = 0
    times = []
    for _ in range(options.count):
        wish = random_wish(chance, is_spell=chance.random() < 0.5)
        start = time.process_time()
        found = suggest(wish, edition, 5)
        times.append(time.process_time() - start)
        answered += bool(found.cards)
        given_up += not found.is_all
        lost = wish.is_spell and not found.cards and any(fits(each, wish) for each in known)
        missed += lost
        if lost or times[-1] > 2:
            print(f"{'missed' if lost else f'{times[-1]:.1f} s'}: {wish}")
    times.sort()
    print(
        f"{options.count} wishes: {answered} answered, {missed} missed, {given_up} given up; "
        f"{times[len(times) // 2] * 1000:.0f} ms in the middle, {times[-1]:.2f} s at most"
    )


if __name__ == "__main__":
    main()
