"""Random cards of a game in YAML are the same cards after an export, in whatever format; run by hand.

`python tests/benchmarks/prove.py fuzzed_tables 0 100` tries a hundred sets, and prints what comes back as something else.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from render.base.findings import Refused
from render.game.cards import GameCard
from render.game.sources import load_sets
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

GAME = """\
name: Odd
fields:
  line: {type: line, aliases: [row]}
  long: {type: text}
  rules: {type: rich}
  cost: {type: icons}
  size: {type: number, range: [-50, 5000]}
  rank: {type: choice, choices: ["yes", "007", "=1", low, "'"], default: low}
  swift: flag
  tags: {type: list}
  extra: {type: picture}
icons: {T: t.svg, "#": n.svg}
kinds: {plain: {}, split: {faces: 2}, moon: {faces: [day, night]}}
"""
_ICON = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>"
FILES = {"game.yaml": GAME, "set.yaml": "name: Odd\n", "t.svg": _ICON, "n.svg": _ICON}
FORMATS = ("csv", "xlsx", "ods", "json", "yaml")
_PIECES = (
    "=1+1", "'", "''", '"', '""', "[]", "[", "a, b", ";", "\t", "|", "-", "- x", "+3", "@at", "TRUE", "no", "~",
    "007", "false", "1.0", "1e3", "2026-05-01", "null", "none", "#", " # x", ": ", "a: b", "{", "é", "😀", "\u00a0",
    "&", "<b", "]]>", "%", "\\", "sep=;", "A1", "x" * 40, "name", "*", "---", "...", "!tag", "_x000A_",
    "\u0301",
)  # fmt: skip
_RICH = ("**bold**", "*it*", "{T}", "{12}", "\\*", "\\[", "word", "=", "'", "- ", "1", "*Swift* {T}: go")


def _text(chance: Random, *, lines: bool = False) -> str:
    """Return an odd text in one line, or in several; no space is at its ends."""
    joints = ("", " ", "  ") + (("\n", "\n\n", "\n ") if lines else ())
    return "".join(chance.choice(_PIECES) + chance.choice(joints) for _ in range(chance.randrange(1, 4))).strip()


def _rich(chance: Random) -> str:
    return "".join(
        chance.choice(_RICH) + chance.choice((" ", "\n", "\n\n")) for _ in range(chance.randrange(1, 4))
    ).strip()


def _fields(chance: Random) -> dict[str, object]:
    every: dict[str, object] = {
        chance.choice(("line", "row")): _text(chance),
        "long": _text(chance, lines=True),
        "rules": _rich(chance),
        "cost": chance.choice(("{T}", "{0}{T}", "{12}")),
        "size": chance.choice((-5, 0, 7, 4096)),
        "rank": chance.choice(("yes", "007", "=1", "low", "'")),
        "swift": chance.random() < 0.5,
        "tags": [_text(chance) for _ in range(chance.randrange(4))],
        "extra": chance.choice(("a.png", "b c.png")),
    }
    return {key: value for key, value in every.items() if chance.random() < 0.6}


def _card(chance: Random, number: int) -> dict[str, object]:
    """Return what a card says."""
    card: dict[str, object] = {"id": f"c{number}", "kind": chance.choice(("plain", "plain", "split", "moon"))}
    if chance.random() < 0.3:
        card |= {"copies": chance.randrange(3), "template": "other"} if card["kind"] == "plain" else {"copies": 2}
    if chance.random() < 0.3:
        card["art"] = "a.png"
    if card["kind"] == "plain":
        return {**card, "name": _text(chance), **_fields(chance)}
    above = {**_fields(chance), "name": _text(chance)}
    card |= {key: value for key, value in above.items() if chance.random() < 0.3}
    return {**card, "faces": [{"name": _text(chance), **_fields(chance)} for _ in range(2)]}


def _cards(folder: Path) -> Sequence[GameCard] | str:
    """Return the cards of a set, or what is wrong."""
    try:
        return load_sets([folder])[0].cards
    except Refused as refused:
        return "; ".join(f"{each.code} {each.message}" for each in refused.findings)


def differences(seed: int, home: Path, cards: int = 6) -> Iterator[str]:
    """Yield how cards differ after an export from what they were; nothing for cards with mistakes."""
    chance, folder = Random(seed), home / "odd"
    write_files(folder, FILES)
    for name in ("a.png", "b c.png"):
        (folder / name).write_bytes(b"")
    written = json.dumps([_card(chance, number) for number in range(cards)], ensure_ascii=False)
    write_files(folder, {"cards.yaml": written})
    before = _cards(folder)
    if isinstance(before, str):
        return
    for ending in FORMATS:
        yield from (f"{ending}: {found}" for found in _there_and_back(folder, before, ending))
        write_files(folder, {"cards.yaml": written})


def _there_and_back(folder: Path, before: Sequence[GameCard], ending: str) -> Iterator[str]:
    out, file = folder.parent / f"out.{ending}", folder / f"cards.{ending.replace('json', 'yaml')}"
    result = kotc("export", folder, "--to", out)
    if result.exit_code:
        yield f"refused: {result.output}"
        return
    (folder / "cards.yaml").unlink()
    file.write_bytes(out.read_bytes())
    after = _cards(folder)
    if isinstance(after, str):
        yield after
    elif after != before:
        yield from (f"{one}\n  {other}" for one, other in zip(before, after, strict=True) if one != other)
    elif kotc("export", folder, "--to", out, "--force").exit_code or out.read_bytes() != file.read_bytes():
        yield "a second export is another file"
    file.unlink()


def main(first: int, last: int) -> int:
    """Try seeds, and return how many differences they have."""
    told = sound = 0
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            for found in differences(seed, Path(home)):
                told += 1
                print(f"seed {seed}: {found}", flush=True)
            sound += not isinstance(_cards(Path(home) / "odd"), str)
    print(f"{last - first} sets, {sound} of them without mistakes, {told} differences")
    return told


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
