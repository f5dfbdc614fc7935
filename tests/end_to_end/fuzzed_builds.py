"""Builds after random edits give the files and messages that a fresh build gives; run by hand.

`python -m tests.end_to_end.fuzzed_builds 0 10` tries ten rows of edits of a game in YAML, in one process.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from tests.games.declared.lanterns import write_files
from tests.games.declared.test_games_page import FILES
from tests.layout.fuzzed_cards import empty_caches, write_pictures
from tests.support.builds import tree
from tests.support.repository import ROOT
from tests.support.sets import kotc

_FRAME = FILES["templates/frame.svg"].replace(
    '<rect x="4" y="4"',
    "<style>.tint { fill: {{ card.color }} } .soft { opacity: .5 }</style>"
    "<defs><linearGradient id='sky'><stop stop-color='{{ card.color }}'/><stop offset='1' stop-color='#ffffff'/>"
    "</linearGradient></defs>"
    "<rect class='tint soft' y='20' width='20px' height='3'/>{% include 'part.svg' %}"
    '<rect id="head" x="4" y="4"',
)
GAME: Mapping[str, str] = {
    **{name: text for name, text in FILES.items() if name != "templates/frame.svg"},
    "templates/frame.svg": _FRAME,
    "templates/part.svg": "<text x='3' y='87' font-family='Own' font-size='4'>{{ card.name }}</text>"
    "<g fill='url(#sky)'><rect x='1' y='60' width='5' height='{{ card.power or 4 }}'/></g>",
    "game.yaml": f"{FILES['game.yaml']}fonts: {{Own: fonts/own.ttf}}\n",
    "set.yaml": "name: First Lights\noutputs: {png: {dpi: 72}, sheets: true}\n",
}

_EDITS = (
    ("icons/lamp.svg", "#f2b63c", "#c2461c"),
    ("icons/lamp.svg", 'r="5"', 'r="5px"'),
    ("icons/lamp.svg", '"#20242c"', '"url(#nowhere)"'),
    ("icons/number.svg", "7.6", "6.2"),
    ("templates/frame.svg", "#fdf6e3", "#e0f6ff"),
    ("templates/frame.svg", "opacity: .5", "opacity: .8"),
    ("templates/frame.svg", "20px", "3em"),
    ("templates/frame.svg", "#444444", "#777777"),
    ("templates/frame.svg", "{% include 'part.svg' %}", ""),
    ("templates/frame.svg", "url(#sky)", "url(#far)"),
    ("templates/part.svg", "url(#sky)", "teal"),
    ("templates/part.svg", "width='5'", "width='-5'"),
    ("templates/spell.svg", "frame.svg", "creature.svg"),
    ("templates/back.svg", "#f2b63c", "#7a2c3c"),
    ("game.yaml", "#2a6fb5", "#123456"),
    ("game.yaml", "[Glowing]", "[Glowing, Put]"),
    ("game.yaml", "it needs no lantern", "it needs none"),
    ("game.yaml", "range: [0, 9]", "range: [0, 2]"),
    ("game.yaml", "power > 0 or rules", "power > 2"),
    ("cards.yaml", "power: 3", "power: 7"),
    ("cards.yaml", "light: moss", "light: tide"),
    ("cards.yaml", "Moss Heron", "Old Heron"),
    ("cards.yaml", '"{1}"', '"{4}{L}"'),
    ("cards.yaml", "copies: 2", "copies: 3"),
    ("cards.yaml", "draw a card", "draw two cards"),
)
_FONTS = ("VollkornLining-Regular.ttf", "VollkornLining-Bold.ttf", "VollkornLining-Italic.ttf")


def edited(folder: Path, chance: Random) -> str:
    """Change something in a set, or take a change back; return what."""
    number = chance.randrange(len(_EDITS) + 4)
    if number >= len(_EDITS) + 2:
        font = chance.choice(_FONTS)
        shutil.copyfile(ROOT / "cards" / "fivewinds" / "fonts" / font, folder / "fonts" / "own.ttf")
        return font
    if number >= len(_EDITS):
        picture = chance.choice(("p.png", "q.png"))
        shutil.copyfile(folder / picture, folder / "moss-heron.png")
        return picture
    name, old, new = _EDITS[number]
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text.replace(old, new) if old in text else text.replace(new, old), encoding="utf-8")
    return f"{name}: {old} or {new}"


def differences(seed: int, home: Path, edits: int = 8) -> Iterator[str]:
    """Yield where a build after an edit differs from a fresh one, in an empty folder."""
    chance, folder, done = Random(seed), home / "lanterns", list[str]()
    write_files(folder, GAME)
    write_pictures(folder)
    (folder / "fonts").mkdir()
    shutil.copyfile(ROOT / "cards" / "fivewinds" / "fonts" / _FONTS[0], folder / "fonts" / "own.ttf")
    for _ in range(edits):
        done.append(edited(folder, chance))
        again = kotc("build", "lanterns", "--out", "out", "--workers", "1")
        empty_caches()
        fresh = kotc("build", "lanterns", "--out", "fresh", "--workers", "1")
        if again.exit_code != fresh.exit_code:
            yield f"{done}:\n  {again.output}\n  {fresh.output}"
        elif fresh.exit_code and again.output.replace("out/", "fresh/") != fresh.output:
            yield f"{done}: messages\n{again.output}\n  {fresh.output}"
        elif not fresh.exit_code:
            one, other = tree(home / "out"), tree(home / "fresh")
            wrong = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
            if wrong:
                yield f"{done}: {wrong}"
        shutil.rmtree(home / "fresh", ignore_errors=True)


def main(first: int, last: int) -> int:
    """Try seeds, and return how many have differences."""
    told = 0
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            for found in differences(seed, Path(home)):
                told += 1
                print(f"seed {seed}: {found}", flush=True)
    print(f"{last - first} rows of edits, {told} differences")
    return told


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
