"""A digest of every kind of output, so that a change of the code can be shown to change no byte of what is made.

    python tests/benchmarks/digests.py --against tests/benchmarks/digests.txt

Each line is a command, a file that it made (or `-` for what it printed), and the first half of the SHA-256 of the
bytes. Two trees make the same if their lines are the same. `--write FILE` writes the lines; `--only WORD` runs the
commands that contain a word. Of the generated cards, a line stands for all files of an edition.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SETS = ("starter", "eleventh", "fivewinds", "windfall")
EDITIONS = range(9, 18)
GENERATED = 300  # cards of each edition: 2,700, of which some 2,000 are without an error and are drawn
SHEETS = (
    ("--paper", "letter", "--bleed", "2", "--backs", "duplex", "--flip", "short-edge"),
    ("--paper", "a4", "--grid", "2x2", "--gutter", "6", "--bleed", "3", "--crop-marks", "corner"),
    ("--backs", "separate", "--sheets-per-file", "2"),
    ("--backs", "fold", "--grid", "1x3", "--crop-marks", "full"),
    ("--backs", "none", "--proof", "low-ink"),
    ("--card-size", "tarot", "--paper", "a3", "--cut-line", "--corner-radius", "4"),
)
SHOPS = ("makeplayingcards", "the-game-crafter", "drivethrucards", "pdf-x4", "pdf-a2b")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", type=Path, help="compare with the lines of this file; 1 if any differs")
    parser.add_argument("--write", type=Path, help="write the lines into this file")
    parser.add_argument("--only", default="", help="only commands that contain this word")
    options = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as name:
        for line in _lines(Path(name), options.only):
            lines.append(line)
            if not options.against:
                print(line, flush=True)
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.against:
        expected = [line for line in options.against.read_text(encoding="utf-8").splitlines() if options.only in line]
        differences = [
            line for line in difflib.unified_diff(expected, lines, lineterm="", n=0) if line[:2] not in ("@@",)
        ]
        print(*differences[2:], f"{len(lines)} lines, {len(set(expected) ^ set(lines))} differ", sep="\n")
        return int(expected != lines)
    return 0


def _lines(folder: Path, only: str) -> Iterator[str]:
    shutil.copytree(ROOT / "cards", folder / "cards", ignore=shutil.ignore_patterns("*.py", "*.md"))
    for number, words in enumerate(_commands(folder)):
        out = folder / f"out-{number}"
        if only in " ".join(words):
            yield from _digests(folder, out, [word.replace("OUT", out.name) for word in words])
    for edition in EDITIONS:
        path = f"generated/{edition:02}"
        if only in path:
            _generate(folder / path, edition)
            yield from _digests_of_generated(folder, path)


def _commands(folder: Path) -> Iterator[list[str]]:
    for name in SETS:
        path = f"cards/{name}"
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
    for deck in ("lamplit", "honey-and-moss"):
        yield ["pdf", f"cards/decks/{deck}.yaml", "--out", "OUT/deck.pdf"]
        yield ["deck", f"cards/decks/{deck}.yaml"]
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


def _generate(folder: Path, edition: int) -> None:
    """Write a set of cards whose texts are made of the components of an edition; those of one edition are always the same.

    Cards with an error (most are too long for a card) are taken out by `_digests_of_generated`.
    """
    (file,) = (ROOT / "render" / "games" / "kotc").rglob(f"{edition:02}.yaml")
    components = yaml.safe_load(file.read_text(encoding="utf-8"))
    is_old, chance = edition < 12, random.Random(edition)

    def pick(role: str) -> str:
        text: str = chance.choice(components[role])["text"]
        return re.sub(r"\{\w+\}", lambda _: str(chance.choice((1, 2, 2, 3, 7))), text)

    def closed(text: str, sign: str) -> str:
        return text if text.endswith(".") else f"{text}{sign}"

    def ability(name: str) -> str:
        parts = [f"{name}:"] if name and not is_old else []
        if chance.random() < 0.4:
            parts.append(closed(pick("conditions"), ":"))
        if chance.random() < 0.5:
            parts.append(closed(pick("costs"), "→"))
        for _ in range(chance.randint(1, 2)):
            parts += [closed(pick("targets"), ";"), closed(pick("effects"), ".")]
        return " ".join(parts)

    cards: list[dict[str, object]] = []
    for number in range(GENERATED):
        is_spell = chance.random() < 0.4
        names = [""] if is_spell else list(chance.sample(("EMBER", "SILT", "OLD OAK", "TIDE"), chance.randint(1, 2)))
        card: dict[str, object] = {
            "id": f"card-{number:03}",
            "name": f"{chance.choice(('Final', 'Ancient', 'Flüssige'))} {chance.choice(('Waffle', 'Offering'))} {number}",
            "kind": "spell" if is_spell else "creature" if is_old else "minion",
            "cost" if is_old else "level": "auto",
            "text": "\n".join(map(ability, names)),
        }
        if not is_spell:
            card |= {
                "offense" if is_old else "sp": chance.randint(0, 9),
                "defense" if is_old else "hp": chance.randint(0, 9),
            }
        if chance.random() < 0.3:
            card["flavor"] = "Nobody knows why it flies; ask the fish."
        if chance.random() < 0.5:
            card["art"] = f"art-{chance.randrange(3)}.png"
        cards.append(card)
    folder.mkdir(parents=True)
    for number in range(3):
        patches = Image.frombytes("RGB", (6, 4), random.Random(number).randbytes(6 * 4 * 3))
        patches.resize((600, 400), Image.Resampling.BICUBIC).save(folder / f"art-{number}.png")
    (folder / "set.yaml").write_text(json.dumps({"name": f"Generated {edition}", "edition": edition}), encoding="utf-8")
    _write_cards(folder, cards)


def _write_cards(folder: Path, cards: list[dict[str, object]]) -> None:
    lines = [f"- {json.dumps(card, ensure_ascii=False)}\n" for card in cards]
    (folder / "cards.yaml").write_text("".join(lines), encoding="utf-8")


def _digests_of_generated(folder: Path, path: str) -> Iterator[str]:
    """Yield a line for what is found in all cards, and one for the PNGs and for the sheets of those without an error."""
    cards = yaml.safe_load((folder / path / "cards.yaml").read_text(encoding="utf-8"))
    check, findings = _run(folder, ["check", path, "--format", "json"])
    yield f"check {path}: - exit {check} {_digest(findings)}"
    while wrong := {finding["card"] for finding in json.loads(findings) if finding["severity"] == "error"} - {None}:
        cards = [card for card in cards if card["id"] not in wrong]
        _write_cards(folder / path, cards)
        _, findings = _run(folder, ["check", path, "--format", "json"])
    for words in (["png", path, "--out", "png", "--dpi", "150"], ["pdf", path, "--out", "pdf/sheets.pdf"]):
        exit_status, _ = _run(folder, words)
        files = sorted(file for file in (folder / words[3].partition("/")[0]).rglob("*") if file.is_file())
        contents = "".join(f"{file.name} {_digest(file.read_bytes())}\n" for file in files)
        yield f"{words[0]} {path}: {len(cards)} cards, {len(files)} files exit {exit_status} {_digest(contents.encode())}"
    shutil.rmtree(folder / "png", ignore_errors=True)
    shutil.rmtree(folder / "pdf", ignore_errors=True)


def _digests(folder: Path, out: Path, words: list[str]) -> Iterator[str]:
    out.mkdir()
    exit_status, printed = _run(folder, words)
    command = " ".join(words).replace(out.name, "OUT")
    yield f"{command}: - exit {exit_status} {_digest(printed.replace(out.name.encode(), b'OUT'))}"
    for file in sorted(path for path in out.rglob("*") if path.is_file() and not path.name.startswith(".")):
        data = file.read_bytes().replace(bytes(folder), b"FOLDER")  # a virtual table is told where pictures lie
        yield f"{command}: {file.relative_to(out).as_posix()} {_digest(data)}"
    if words[0] == "migrate":
        for file in sorted((folder / "cards" / "starter").glob("*.yaml")):
            yield f"{command}: {file.name} {_digest(file.read_bytes())}"


def _run(folder: Path, words: list[str]) -> tuple[int, bytes]:
    """Run a command of this tree in a folder, with an empty environment; its exit status and what it printed."""
    run = subprocess.run(
        [sys.executable, "-m", "render", *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    if run.returncode and "check" not in words:
        print(" ".join(words), run.stderr.decode(errors="replace")[:500], file=sys.stderr)
    return run.returncode, run.stdout


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


if __name__ == "__main__":
    sys.exit(main())
