"""The game of `cards/games.md` with more in its templates, and random edits of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

from proofs.fuzzed_cards import write_pictures
from tests.games.declared.lanterns import write_files
from tests.games.declared.test_games_page import FILES
from tests.support.repository import ROOT

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


def begin_lanterns(home: Path) -> None:
    """Write the set with its pictures and its font."""
    folder = home / "lanterns"
    write_files(folder, GAME)
    write_pictures(folder)
    (folder / "fonts").mkdir()
    shutil.copyfile(ROOT / "cards/fivewinds/fonts" / _FONTS[0], folder / "fonts/own.ttf")


def edit_lanterns(home: Path, chance: Random) -> str:
    """Change something in the set, or take a change back; return what."""
    folder = home / "lanterns"
    number = chance.randrange(len(_EDITS) + 4)
    if number >= len(_EDITS) + 2:
        font = chance.choice(_FONTS)
        shutil.copyfile(ROOT / "cards/fivewinds/fonts" / font, folder / "fonts/own.ttf")
        return font
    if number >= len(_EDITS):
        picture = chance.choice(("p.png", "q.png"))
        shutil.copyfile(folder / picture, folder / "moss-heron.png")
        return picture
    name, old, new = _EDITS[number]
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text.replace(old, new) if old in text else text.replace(new, old), encoding="utf-8")
    return f"{name}: {old} or {new}"
