"""Random wishes; `python tests/benchmarks/prove.py random_wishes --edition 17 --count 1000` tries many and prints what came.

`check` judges all answers, and for spells they are compared with what trying everything finds.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from render.games.kotc.editions.finding import find
from render.games.kotc.model.cards import Card
from render.games.kotc.workshop.suggestions.suggesting import as_yaml, suggest
from render.games.kotc.workshop.suggestions.wish import Wish
from tests.support.brute_force import spells_of_one_sentence
from tests.support.sets import kotc

_IN_FILE = 500  # cards: a card file may have 1 MiB

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", type=int, default=17)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    from tests.games.kotc.test_suggest import fits

    edition, chance = find(options.edition), random.Random(options.edition)
    known = spells_of_one_sentence(edition, 4)
    answered = missed = given_up = 0
    times: list[float] = []
    cards: list[Card] = []
    for _ in range(options.count):
        wish = random_wish(chance, is_spell=chance.random() < 0.5)
        start = time.process_time()
        found = suggest(wish, edition, 5)
        times.append(time.process_time() - start)
        answered += bool(found.cards)
        cards += found.cards
        given_up += not found.is_all
        lost = wish.is_spell and not found.cards and any(fits(each, wish) for each in known)
        missed += lost
        if lost or times[-1] > 2:
            print(f"{'missed' if lost else f'{times[-1]:.1f} s'}: {wish}")
    times.sort()
    failing = judged_wrong(cards)
    print(
        f"{options.edition}: {options.count} wishes, {answered} answered with {len(cards)} cards, of which "
        f"{failing} fail check; {missed} missed, {given_up} given up; "
        f"{times[len(times) // 2] * 1000:.0f} ms in the middle, {times[-1]:.2f} s of CPU at most"
    )
    return int(failing + missed > 0)


def judged_wrong(cards: Sequence[Card]) -> int:
    """Return of how many suggested cards `kotc check` says anything when they are pasted into a card file."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for start in range(0, len(cards), _IN_FILE):
            entries = as_yaml(cards[start : start + _IN_FILE]).split("- name: Suggestion ")[1:]
            text = "".join(f"- name: Card {start + at}-{each}" for at, each in enumerate(entries))
            (folder / f"{start}.yaml").write_text(text, encoding="utf-8")
        (folder / "set.yaml").write_text("name: Suggested\nedition: 17\n", encoding="utf-8")
        found = json.loads(kotc("check", folder, "--format", "json").stdout) if cards else []
    return len({finding["card"] for finding in found})


if __name__ == "__main__":
    raise SystemExit(main())
