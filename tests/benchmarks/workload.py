"""The cards that are made: sets from the folder `shared/bench` beside this repository, and the commands for them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measure import ROOT, Command

BENCH = ROOT.parent / "shared" / "bench"

_PICTURES = 40
_PER_FILE = 1000  # cards: a card file is at most 1 MiB
_LONGEST = 480  # characters: of 10 000 texts some that are longer do not fit on a card
_LONGEST_OF_MANY = 450  # characters: of 100 000 texts, eleven have from 464 to 480 and do not fit
_SPARE = 20  # cards for which one more is made, since up to 3 % are too long


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder for sets and what becomes of them, and how often each command is run."""

    folder: Path
    runs: int
    _made: dict[tuple[int, int, str], Path] = field(default_factory=dict)

    @property
    def few(self) -> int:
        """How often a command is run that takes half a minute."""
        return max(1, self.runs * 3 // 5)

    def cards(self, count: int, pictures: int = _PICTURES, level: str = "9") -> Path:
        """Return the folder of a set of so many cards that share so many pictures; with level `auto` it has rules."""
        key = count, pictures, level
        if key not in self._made:
            self._made[key] = _made(self.folder / f"{count}-cards-{pictures}-pictures-{level}", *key)
        return self._made[key]

    def new(self, name: str) -> Path:
        """Return the path of a folder or file that is not there."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        return path


def kotc(*words: str | Path) -> Command:
    """Return a command of ours."""
    return [sys.executable, "-m", "render", *words]


def typst(made: Path, out: Path, kind: str) -> Command:
    """Return typst's command for a set: `pdf` writes `typst.pdf` into the folder `out`, `png` pictures of all cards."""
    return [sys.executable, BENCH / "peer_typst.py", made, out, kind, ROOT / "fonts"]


def missing(modules: Sequence[str]) -> str:
    """Return what is needed and not there, with what to do about it; empty if all is there."""
    from importlib.util import find_spec

    if not (BENCH / "make_set.py").is_file():
        return f"the folder {BENCH} is missing, whose programs make the cards and draw them with typst"
    lost = [name for name in modules if find_spec(name) is None]
    return f"missing: {', '.join(lost)}\n  {sys.executable} -m pip install {' '.join(lost)}" if lost else ""


def _made(folder: Path, count: int, pictures: int, level: str) -> Path:
    more = count + count // _SPARE if count > _PER_FILE else count
    words = ["--art", str(pictures), *([] if level == "auto" else ["--level", level])]
    subprocess.run([sys.executable, BENCH / "make_set.py", folder, str(more), *words], check=True)
    if count > _PER_FILE:
        # In a process of its own: a command is said to have been as large as the process that began it (`measure.peak`).
        subprocess.run([sys.executable, __file__, folder, str(count)], check=True)
    return folder


def _divided(folder: Path, count: int) -> None:
    """Write the cards of a large set anew, as several files, without those whose text is too long for a card."""
    file = folder / "cards.json"
    longest = _LONGEST if count <= 10 * _PER_FILE else _LONGEST_OF_MANY
    cards = [card for card in json.loads(file.read_text(encoding="utf-8")) if len(card["text"]) <= longest][:count]
    if len(cards) < count:
        raise ValueError(f"{count} cards are asked for, and of those that were made only {len(cards)} fit")
    file.write_text(json.dumps(cards, ensure_ascii=False), encoding="utf-8")
    (folder / "cards.yaml").unlink()
    for start in range(0, count, _PER_FILE):
        part = folder / f"cards-{start:05}.yaml"
        part.write_text("".join(map(_as_yaml, cards[start : start + _PER_FILE])), encoding="utf-8")


def _as_yaml(card: Mapping[str, object]) -> str:
    return "- " + "\n  ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in card.items()) + "\n"


if __name__ == "__main__":
    _divided(Path(sys.argv[1]), int(sys.argv[2]))
