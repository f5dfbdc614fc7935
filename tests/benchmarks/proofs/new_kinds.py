"""Cards of new kinds, reckoned twice: `python tests/benchmarks/prove.py new_kinds --count 300`.

The levels that the program gives equal those reckoned from the words of the rules, before and after a change of edition.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from render.games.kotc.sets import load_sets
from tests.support.new_kinds import reckoned_cards, write_editions
from tests.support.sets import kotc, write_set


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    cards = reckoned_cards(options.count, options.seed)
    before = Path.cwd()
    with TemporaryDirectory() as name:
        os.chdir(name)
        folder, deck = Path("s"), Path("old.yaml")
        write_editions(Path("editions"))
        write_set(folder, "".join(card.yaml for card in cards), "name: Old things\nedition: 18\n")
        counts = "".join(f"  {card.id}: 1\n" for card in cards)
        deck.write_text(f"name: Old\nedition: 18\nsets: [s]\ncards:\n{counts}", encoding="utf-8")
        _compare(folder, {card.id: (card.level, card.ultra_points) for card in cards}, "18th")
        migrated = kotc("migrate", folder, deck, "--to", "19")
        assert migrated.exit_code == 0, migrated.output
        _compare(folder, {card.id: (card.later, card.ultra_points) for card in cards}, "19th")
        judged = kotc("check", folder, deck).output
        assert {*re.findall(r"\[([A-Z][0-9]{3})\]", judged)} <= {"L001"}, judged  # which says that a text is too long
        os.chdir(before)  # nobody may stand in a folder that is removed
    print(
        f"{len(cards)} cards, {sum(card.level != card.later for card in cards)} of them with another level in the 19th"
    )


def _compare(folder: Path, wanted: dict[str, tuple[int, int]], edition: str) -> None:
    (card_set,) = load_sets([folder])
    found = {card.id: (card.level, card.ultra_points) for card in card_set.cards}
    different = {name: (found.get(name), both) for name, both in wanted.items() if found.get(name) != both}
    assert not different, (edition, different)


if __name__ == "__main__":
    main()
