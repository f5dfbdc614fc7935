"""An editor that types at random, and `check` on what it saved: both must say the same, finding by finding.

`python tests/benchmarks/prove.py same_as_check --count 2000` tries that many texts; the suite tries a few.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from render.base.findings import Diagnostic, sort_findings
from render.game.sources import check_sets
from render.lsp.checking import IncrementalCheck
from tests.support.repository import ROOT

SETS = (ROOT / "cards" / "starter", ROOT / "cards" / "eleventh")
_JUNK = (
    "\t",
    "é",
    "😀",
    "\u0301",
    ": ",
    " #",
    "- ",
    '"',
    "'",
    "[",
    "{",
    "\r\n",
    "\n",
    "&a ",
    "*a",
    "\x07",
    "|",
    "auto",
    "none",
    "17",
)
_WORDS = ("minoin", "levl", "spell", "minion", "level", "text", "kind", "name", "back", "art/nothing.jpg", "9999", "-1")


def mutated(text: str, chance: random.Random) -> str:
    """Return a text after an edit such as people make, or cats."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 2:
            lines[at] = lines[at][: chance.randint(0, len(lines[at]))]
        case 3:
            lines[at] = " " * chance.randrange(5) + lines[at].lstrip()
        case 4 | 5:
            column = chance.randint(0, len(lines[at]))
            lines[at] = lines[at][:column] + chance.choice(_JUNK) + lines[at][column:]
        case _:
            words = lines[at].split(" ")
            words[chance.randrange(len(words))] = chance.choice(_WORDS)
            lines[at] = " ".join(words)
    return "\n".join(lines)


def differences(folder: Path, count: int, seed: int) -> Iterator[tuple[str, list[Diagnostic], list[Diagnostic]]]:
    """Type into the files of a set, `count` texts in all, and yield the texts of which the editor said otherwise."""
    chance, judge = random.Random(seed), IncrementalCheck()
    files = sorted(folder.glob("*.yaml"))
    sound = {file: file.read_bytes().decode("utf-8") for file in files}
    for number in range(count):
        file = chance.choice(files)
        # Mostly a few mistakes in sound files; now and then all is mended.
        text = mutated(sound[file] if number % 3 else file.read_bytes().decode("utf-8", "replace"), chance)
        said = judge.findings(folder, {str(file.resolve()): text})
        file.write_bytes(text.encode("utf-8"))
        checked = sort_findings(check_sets((folder,)).findings)
        if said != checked:
            yield text, said, checked
        if number % 10 == 9:
            for each, words in sound.items():
                each.write_bytes(words.encode("utf-8"))


def tried(count: int, seed: int) -> list[tuple[str, list[Diagnostic], list[Diagnostic]]]:
    """Return the differences of so many texts, typed into copies of the sets of the repository."""
    found: list[tuple[str, list[Diagnostic], list[Diagnostic]]] = []
    for number, folder in enumerate(SETS):
        with tempfile.TemporaryDirectory() as temporary:
            copy = Path(temporary).resolve() / folder.name
            shutil.copytree(folder, copy)
            found += differences(copy, count // len(SETS), seed + number)
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=13)
    asked = options.parse_args()
    found = tried(asked.count, asked.seed)
    for text, said, checked in found[:5]:
        print("--- the editor said", *said, "--- check said", *checked, "--- of", text, sep="\n")
    print(f"{asked.count} texts, {len(found)} differences")
    return int(len(found) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
