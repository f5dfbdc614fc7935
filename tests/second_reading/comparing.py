"""What the program says of cards, beside what a second reading of the guide says."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from click.testing import CliRunner

from render.games.kotc.commands.explain import explain
from tests.second_reading.cards import MadeCard, Maker
from tests.second_reading.pages import Guide

EDITIONS = range(9, 18)


def differences(guide: Guide, count: int, seed: int) -> list[str]:
    """Return a line for each card whose level or Ultra Points the program does not find as the guide gives them."""
    edition = guide.edition
    cards = list(Maker(guide, random.Random(f"{seed} {edition}")).cards(count))
    unused = {text.words for text in guide.texts} - {words for card in cards for words in card.used}
    assert count < len(guide.texts) or not unused, unused
    found = _explained(cards)
    lines = []
    for number, (card, explained) in enumerate(zip(cards, found, strict=True)):
        if (explained["level"], explained["ultra_points"] or 0) != (card.level, card.ultra_points) or explained[
            "flaws"
        ]:
            lines.append(
                f"{edition}.{number}: {card.kind} {card.sp}/{card.hp} of level {card.level} +{card.ultra_points},"
                f" not {explained['level']} +{explained['ultra_points']} {explained['flaws'] or ''}\n  {card.text}"
            )
    return lines


def _explained(cards: list[MadeCard]) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="kotc-second-reading-") as folder:
        (Path(folder) / "set.yaml").write_text("name: Made\n", encoding="utf-8")
        lines = "".join(card.in_yaml(f"card-{number}") for number, card in enumerate(cards))
        (Path(folder) / "cards.yaml").write_text(lines, encoding="utf-8")
        result = CliRunner().invoke(explain, [folder, "--format", "json"])
        assert result.exit_code == 0 and isinstance(result.exception, SystemExit | None), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found
