"""A game in YAML against *Keeper of the Cards*: as many cards, with the same pictures, and icons in their texts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from measure import ROOT, Step, in_turn
from report import Figure, Row
from sheets import ours
from workload import Bench, kotc

_COUNT = 1000
_MOST = 1.3  # times the cards of Keeper of the Cards
_GAME = ROOT / "cards" / "fivewinds"
_WINDS = "HFRMN"


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what 1000 cards with two icons in each text take, against 1000 of *Keeper of the Cards* without any."""
    made = game_in_yaml(bench.new("icons"), bench.cards(_COUNT), _COUNT)
    pdf = kotc("pdf", made, "--no-store", "--out", bench.folder / "icons.pdf")
    cost, other = in_turn(bench.few, Step(pdf), Step(ours(bench, _COUNT)))
    yield Row(
        f"duplex PDF of {_COUNT} cards of a game in YAML, two icons in each text",
        (
            Figure(cost.wall / other.wall, "x", "the time of Keeper of the Cards", _MOST),
            Figure(cost.cpu / other.cpu, "x", "its CPU time", _MOST),
        ),
    )


def game_in_yaml(folder: Path, others: Path, count: int) -> Path:
    """Write a set of a game in YAML with the names, the pictures and the first words of another set's cards."""
    shutil.copytree(_GAME, folder, ignore=shutil.ignore_patterns("art", "cards*.yaml"))
    shutil.copytree(others / "art", folder / "art")
    cards = json.loads((others / "cards.json").read_text(encoding="utf-8"))
    written = "".join(_creature(number, cards[number % len(cards)]) for number in range(count))
    (folder / "cards.yaml").write_text(written, encoding="utf-8")
    return folder


def _creature(number: int, card: Mapping[str, str]) -> str:
    wind, first = _WINDS[number % len(_WINDS)], " ".join(card["text"].split()[:20])
    keys = {
        "name": card["name"],
        "id": f"card-{number}",
        "kind": "creature",
        "gusts": f"{{{number % 7}}}{{{wind}}}",
        "breed": "Fox",
        "rules_text": f"{{{wind}}}, {{Z}}: {first}",
        "vigor": str(number % 9),
        "grit": str(number % 8),
        "folio": f"{number % 1000:03}",
        "art": card["art"],
    }
    return "- " + "\n  ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()) + "\n"
