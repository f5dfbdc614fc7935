"""Cards with hostile names, imported: as many files in, as many cards out, none in another's place.

    python tests/benchmarks/prove.py imported_names --count 400

imports so many names at once, each alone, and once more; a sample is in `test_import`.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

import render
from render.games.kotc.workshop.imports.imported import one_line
from tests.support.xcf_files import MadeLayer, card_layers, said, xcf

MEANT = ("Set", "set", "SET", "set.yaml", "Game", "game.yaml", "Deck", "deck", "Cards", "art", "templates", "editions")
DEVICES = ("con", "CON", "Con.yaml", "PRN", "aux", "nul", "COM1", "com\u00b9", "lpt9", "conin$", "AUX 2")
PATHS = (".", "..", "...", "/", "a/b", "../x", "\\", "C:\\x", "~", "~$a", "-", "--out", ".kotc-import.json", "wolf.")
FORMS = (
    *("caf\u00e9", "cafe\u0301", "CAF\u00c9", "\ufb01re", "fire", "\uff33\uff45\uff54", "\u212aelvin", "kelvin"),
    *(
        "\u0130stanbul",
        "\u0131stanbul",
        "gro\u00df",
        "gross",
        "GRO\u1e9e",
        "\u03c3",
        "\u03c2",
        "\u65e5\u672c",
        "\u30e0",
    ),
)
SIGNS = ("\U0001f600", "\U0001f1e9\U0001f1ea", "\u2603\ufe0f", "!", "?", "&", "#x", "%s", "{}", "{{ x }}", "$HOME", "`")
YAML = ("null", "~", "yes", "1e3", "0x1F", "- x", "a: b", "@a", "'", '"', "!!str", "*a", "|", "[", "2024-01-01", "7")
PLAIN = (
    "Wolf",
    "wolf",
    "WOLF",
    "Wolf!",
    "Wolf 2",
    "wolf-2",
    "Card",
    "card-2",
    "x" * 300,
    f"{'y' * 64} 1",
    f"{'y' * 64} 2",
)
PIECES = (*MEANT, *DEVICES, *PATHS, *FORMS, *SIGNS, *YAML, *PLAIN)


def names(count: int, seed: int = 5) -> list[str]:
    """Return so many names: those that mean something first, then others put together of their pieces."""
    chance = random.Random(seed)
    made = list(dict.fromkeys(PIECES))
    chance.shuffle(made)
    while len(made) < count:
        words = chance.choices(PIECES, k=chance.randint(1, 3))
        made.append(chance.choice(("", " ", "-")).join(words) if chance.random() < 0.8 else words[0].swapcase())
    return made[:count]


def write_files(folder: Path, called: Sequence[str]) -> list[Path]:
    """Write the GIMP file of a card for each name; some lie in folders of their own under one name of file."""
    files = []
    for number, name in enumerate(called):
        file = folder / (f"{number}/card.xcf" if number % 4 == 0 else f"{number}.xcf")
        file.parent.mkdir(exist_ok=True, parents=True)
        cost = MadeLayer(name="Cost", text=said(str(number % 100), 10))
        layer = MadeLayer(name="Name", text=said(name, 12 / 10, unit="points"))
        file.write_bytes(xcf(card_layers(name=layer, cost=cost)))
        files.append(file)
    return files


def faults(folder: Path, called: Sequence[str]) -> Iterator[str]:
    """Import cards of these names into a set, once more, and yield what is lost or in another's place."""
    files = write_files(folder / "gimp", called)
    report = render.import_cards(files, folder / "set")
    counts = report.files, len(report.cards), report.checked
    if counts != (len(called),) * 3:
        yield f"{len(called)} names gave {counts} files, cards and cards checked"
    yield from (f"{each.code}: {each.message}" for each in report.findings if each.severity.value == "error")
    # By another reader, as some of the names have letters that no font has: such a card is written, and has an error.
    there = [yaml.load(file.read_text("utf-8"), yaml.BaseLoader) for file in (folder / "set").glob("*.yaml")]
    cards = [card for card in there if "kind" in card]
    lost = Counter(map(one_line, called)) - Counter(card["name"] for card in cards)
    yield from (f"no card is called {name!r}" for name in lost)
    written = [file for file in (folder / "set").rglob("*") if file.is_file()]
    if len(written) != 2 * len(called) + 2:  # each a picture; set.yaml and what the import remembers
        yield f"{len(written)} files for {len(called)} cards"
    ids = {card.card for card in report.cards}
    if len(ids) != len(called):
        yield f"{len(ids)} ids for {len(called)} cards"
    before = {file: file.read_bytes() for file in written}
    again = render.import_cards(files, folder / "set")
    if {card.outcome for card in again.cards} != {"unchanged"} or again.checked != len(called):
        yield f"once more: {Counter(card.outcome for card in again.cards)}, {again.checked} checked"
    yield from (f"{file.name} changed" for file in before if file.read_bytes() != before[file])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    called = names(args.count, args.seed)
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        wrong += [f"together: {fault}" for fault in faults(Path(scratch, "together"), called)]
        for number, name in enumerate(called):
            wrong += [f"{name!r} alone: {fault}" for fault in faults(Path(scratch, str(number)), [name])]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(called)} names together and each alone: {len(wrong)} faults")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
