"""Inventions of the next edition: what was understood stays, the rest is `unknown`, and what is missing is said.

`invented_eighteenth.txt` has all that differs from the 17th Edition's data; `python -m
tests.games.kotc.test_eighteenth_edition` writes it anew, for you to read the difference.
"""

from pathlib import Path

import pytest

from render.base.findings import Refused
from render.games.kotc.editions.differences import compare_editions, difference_as_text
from render.games.kotc.editions.finding import find
from render.games.kotc.legality.legality import doubts
from render.games.kotc.levels.levels import LevelCalculator
from tests.support.eighteenth import INVENTIONS, imported_invention
from tests.support.game_pages import with_pages

EXPECTED = Path(__file__).parent / "invented_eighteenth.txt"


def said_of(name: str) -> str:
    """Return what differs from the 17th Edition, what is missing, what every check warns of, or what is refused."""
    try:
        imported = imported_invention(name)
    except Refused as refused:
        errors = [each for each in refused.findings if each.severity.value == "error"]
        return "\n".join(f"  refused: {each.code} {each.message}" for each in errors)
    text = difference_as_text(compare_editions(find(17), imported.edition), ())
    lines = [line for line in text.splitlines()[1:] if line.strip().partition(": ")[0] not in imported.missing]
    lines += [f"  missing: {key}" for key in sorted(imported.missing)]
    lines += [f"  every check: {doubt.message}" for doubt in doubts(imported.edition, Path("nowhere"))]
    is_judged = [LevelCalculator(imported.edition).judges(spells=spells) for spells in (False, True)]
    if not all(is_judged):
        lines.append(f"  judged: {['nothing', 'spells', 'minions'][is_judged[0] * 2 + is_judged[1]]}")
    return "\n".join(lines)


def expected() -> dict[str, str]:
    blocks = EXPECTED.read_text(encoding="utf-8").split("## ")[1:]
    return {block.partition("\n")[0]: block.partition("\n")[2].rstrip("\n") for block in blocks}


@with_pages
@pytest.mark.parametrize("name", INVENTIONS)
def test_an_invention_gives_true_data_or_says_what_is_unknown(name: str) -> None:
    assert said_of(name) == expected()[name]


def test_every_invention_is_expected() -> None:
    assert list(expected()) == list(INVENTIONS)


if __name__ == "__main__":
    EXPECTED.write_text("\n".join(f"## {name}\n{said_of(name)}\n" for name in INVENTIONS), encoding="utf-8")
