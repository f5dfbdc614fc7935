"""A digest of every kind of output, so that a change of the code can be shown to change no byte of what is made.

    python tests/benchmarks/digests.py > before.txt

Each line is a command, a file that it made (or `-` for what it printed), and the SHA-256 of the bytes. Two trees make
the same if their lines are the same.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETS = ("starter", "eleventh")
SHEETS = (
    ("--paper", "letter", "--bleed", "2", "--backs", "duplex", "--flip", "short-edge"),
    ("--paper", "a4", "--grid", "2x2", "--gutter", "6", "--bleed", "3", "--crop-marks", "corner"),
    ("--backs", "separate", "--sheets-per-file", "2"),
    ("--backs", "fold", "--grid", "1x3", "--crop-marks", "full"),
    ("--backs", "none", "--proof", "low-ink"),
    ("--card-size", "tarot", "--paper", "a3", "--cut-line", "--corner-radius", "4"),
)
SHOPS = ("makeplayingcards", "the-game-crafter", "drivethrucards", "pdf-x4", "pdf-a2b")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "cards", folder / "cards", ignore=shutil.ignore_patterns("*.py", "*.md"))
        for number, words in enumerate(_commands(folder)):
            out = folder / f"out-{number}"
            for line in _digests(folder, out, [word.replace("OUT", out.name) for word in words]):
                print(line, flush=True)


def _commands(folder: Path) -> Iterator[list[str]]:
    for each in SETS:
        path = f"cards/{each}"
        yield ["build", path, "--out", "OUT"]
        yield ["png", path, "--out", "OUT", "--dpi", "200", "--bleed", "3", "--cut-line"]
        for options in SHEETS:
            yield ["pdf", path, "--out", "OUT/sheets.pdf", *options]
        for shop in SHOPS:
            yield ["shop", shop, path, "--out", "OUT"]
        for ending in ("svg", "dxf"):
            yield ["cut", path, "--out", f"OUT/cut.{ending}", "--gutter", "2"]
        for how in ("tabletop-simulator", "folder"):
            yield ["table", path, "--for", how, "--out", "OUT"]
        yield ["check", path, "--format", "json"]
    yield ["calibrate", "--paper", "a4", "--out", "OUT/calibration.pdf"]
    yield ["pdf", "cards/starter", "--blank", "minion:9", "--out", "OUT/blank.pdf"]
    for card in ("lantern-moth", "harbour-fox", "paper-boat"):
        yield ["explain", card, "--format", "json"]
    invented(folder)
    yield ["migrate", "cards/starter", "--to", "18", "--report", "OUT/report.html"]
    yield ["check", "cards/starter", "--edition", "18", "--format", "json"]


def invented(folder: Path) -> None:
    """Write an 18th Edition that is the 17th with one word replaced, beside the cards."""
    (shipped,) = (ROOT / "render" / "games" / "kotc").rglob("17.yaml")
    text = shipped.read_text(encoding="utf-8").replace("edition: 17", "edition: 18", 1).replace("grave", "boneyard")
    text = text.replace("reworded:\n", 'reworded:\n- {old: "grave", new: "boneyard"}\n', 1)
    (folder / "editions").mkdir()
    (folder / "editions" / "18.yaml").write_text(text, encoding="utf-8")


def _digests(folder: Path, out: Path, words: list[str]) -> Iterator[str]:
    out.mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "render", *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    said = " ".join(words).replace(out.name, "OUT")
    yield f"{said}: - exit {run.returncode} {hashlib.sha256(run.stdout.replace(out.name.encode(), b'OUT')).hexdigest()}"
    if run.returncode:
        print(said, run.stderr.decode(errors="replace"), file=sys.stderr)
    for file in sorted(path for path in out.rglob("*") if path.is_file() and not path.name.startswith(".")):
        data = file.read_bytes().replace(bytes(folder), b"FOLDER")  # a virtual table is told where pictures lie
        yield f"{said}: {file.relative_to(out).as_posix()} {hashlib.sha256(data).hexdigest()}"
    if words[0] == "migrate":
        for file in sorted((folder / "cards" / "starter").glob("*.yaml")):
            yield f"{said}: {file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}"


if __name__ == "__main__":
    main()
