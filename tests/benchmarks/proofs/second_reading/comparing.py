"""What the program says of cards, beside what a second reading of the guide says."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from click.testing import CliRunner

from proofs.second_reading.cards import MadeCard, Maker
from proofs.second_reading.pages import Guide, read_html
from render.cli.commands.explain import explain
from render.games.kotc.editions.writing import write_edition
from tests.support.eighteenth import imported_invention, invented_pages

EDITIONS = range(9, 18)
# Inventions of an 18th Edition under which every card of minions and spells has a level.
JUDGED = (
    "nothing",
    "relics",
    "relics in the guide alone",
    "relics first",
    "a third of the HP",
    "spells of at least 1",
    "a price with a power",
)


def differences_of_invention(name: str, count: int, seed: int) -> list[str]:
    """Return the same for an invention of an 18th Edition, by the file that an import of its pages writes."""
    imported = imported_invention(name)
    rules = write_edition(imported.edition, imported.missing)
    return differences(read_html(invented_pages(name)[1], imported.edition.number), count, seed, rules)


def differences(guide: Guide, count: int, seed: int, rules: str = "") -> list[str]:
    """Return a line for each card whose level or Ultra Points the program does not find as the guide gives them.

    `rules` is the data file of the edition, if it is not one that the program has.
    """
    edition = guide.edition
    cards = list(Maker(guide, random.Random(f"{seed} {edition}")).cards(count))
    unused = {text.words for text in guide.texts} - {words for card in cards for words in card.used}
    assert count < len(guide.texts) or not unused, unused
    found = _explained(cards, edition, rules)
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


def _explained(cards: list[MadeCard], edition: int, rules: str) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="kotc-second-reading-") as folder:
        (Path(folder) / "set.yaml").write_text("name: Made\n", encoding="utf-8")
        if rules:
            (Path(folder) / "editions").mkdir()
            (Path(folder) / "editions" / f"{edition}.yaml").write_text(rules, encoding="utf-8")
        lines = "".join(card.in_yaml(f"card-{number}") for number, card in enumerate(cards))
        (Path(folder) / "cards.yaml").write_text(lines, encoding="utf-8")
        result = CliRunner().invoke(explain, [folder, "--format", "json"])
        assert result.exit_code == 0 and isinstance(result.exception, SystemExit | None), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found
