"""Cards of random games are drawn alike in order, in reverse, and each by itself; run by hand.

`python tests/benchmarks/prove.py fuzzed_cards 1000 2000` tries the seeds from 1000 to 1999, and prints where cards differ.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PIL import Image

from proofs.kept_games import KeptGame, kept_game
from render.base.caches import clear_caches
from render.base.findings import Diagnostic, Refused
from render.images.inspect import Artwork, PictureReference, inspect
from render.layout.lay_out import lay_out, validate
from render.layout.templates.template import Templates
from render.scene.items import Scene

Drawn = tuple[Scene | None, str, tuple[str, ...]]
"""A scene, as it is written; what is found and what is doubted."""


def empty_caches() -> None:
    """Empty all caches, those that are never stale, too."""
    clear_caches(by_content=True)


class Table:
    """Draws cards of a folder of templates."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._templates = Templates([folder])

    def draw(self, card: dict[str, object], *, only_check: bool = False) -> Drawn:
        """Return what a card is drawn as, with what was kept of others."""
        doubts: list[Diagnostic] = []
        try:
            template = self._templates.get("face")
            scene = (validate if only_check else lay_out)(template, card, self._picture, doubts)
        except Refused as refused:
            return None, "", tuple(map(repr, refused.findings))
        return scene, repr(scene), tuple(map(repr, doubts))

    def _picture(self, href: str) -> Artwork:
        found = inspect(self._folder / href, PictureReference(href))
        if found.artwork is None:
            raise Refused(found.findings)
        return found.artwork


def alone(folder: Path, cards: Iterable[dict[str, object]]) -> list[Drawn]:
    """Return what each card is drawn as when nothing is known of any other."""
    made = list[Drawn]()
    for card in cards:
        empty_caches()
        made.append(Table(folder).draw(card))
    return made


def in_a_row(folder: Path, cards: Sequence[dict[str, object]], *, checked: bool) -> list[Drawn]:
    """Return what cards are drawn as one after the other; perhaps after all were checked, as `build` does."""
    empty_caches()
    table = Table(folder)
    if checked:
        for card in cards:
            table.draw(card, only_check=True)
    return [table.draw(card) for card in cards]


def differences(game: KeptGame, folder: Path) -> Iterator[str]:
    """Yield how cards differ by the order in which they are drawn."""
    game.write(folder)
    cards = list(game.cards)
    by_themselves = alone(folder, cards)
    ways = {
        "in order": in_a_row(folder, cards, checked=False),
        "after all were checked": in_a_row(folder, cards, checked=True),
        "in reverse": in_a_row(folder, cards[::-1], checked=False)[::-1],
        "twice": in_a_row(folder, [*cards, *cards], checked=False)[len(cards) :],
    }
    for way, drawn in ways.items():
        for number, (one, other) in enumerate(zip(by_themselves, drawn, strict=True)):
            if one[1:] != other[1:]:
                yield f"card {number} {way}:\n  {_told(one, other)}\n  {_told(other, one)}"


def _told(one: Drawn, other: Drawn) -> str:
    """Return the first part of what is drawn that differs from another."""
    if one[0] is None or other[0] is None:
        return f"found {one[2]}" if one[0] is None else "drawn"
    if one[1] == other[1]:
        return f"doubts {one[2]}"
    at = next((at for at, (a, b) in enumerate(zip(one[1], other[1], strict=False)) if a != b), 0)
    return f"…{one[1][max(at - 150, 0) : at + 150]}…"


def main(first: int, last: int) -> int:
    """Try seeds, and return how many have differences."""
    told, drawn = 0, Counter[str]()
    for seed in range(first, last):
        game = kept_game(seed)
        with tempfile.TemporaryDirectory() as folder:
            write_pictures(Path(folder))
            found = list(differences(game, Path(folder)))
            for card in game.cards:
                drawn["drawn" if Table(Path(folder)).draw(card)[0] else "refused"] += 1
        if found:
            told += 1
            print(f"seed {seed}: {len(found)} differences; the first: {found[0]}", flush=True)
    print(f"{last - first} games, {told} of them with differences; cards: {dict(drawn)}")
    return told


def write_pictures(folder: Path) -> None:
    """Write the two pictures that templates show."""
    for name, color in (("p", "red"), ("q", "blue")):
        Image.new("RGB", (20, 20), color).save(folder / f"{name}.png")


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
