"""A small set that asks for every kind of output, of cards in several files, with pictures and templates of its own."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests.support.repository import ROOT
from tests.support.sets import SET
from tests.support.templates import PLAIN_BACK

SHOPS = ("makeplayingcards", "pdf-a2b")
SHEETS = "sheet: {grid: 2x1, sheets_per_file: 1, bleed: 1}\n"
BACK = "back: {minion: back, spell: back.png}\n"

MINIONS = """
- {name: One, kind: minion, level: auto, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: a.jpg, copies: 2}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0, art: b.png}
"""
SPELLS = '- {name: Three, kind: spell, level: 2, text: "Draw 1 card.", art: small.png}\n'

FILES = {
    "gallery.html",
    "makeplayingcards/backs/back.png",
    "makeplayingcards/fronts/one.png",
    "pdf-a2b/cards.pdf",
    "png/one.png",
    "sheets-1.pdf",
}
"""Of what is made of it, a file of each kind."""


def everything(folder: Path, shops: Sequence[str] = SHOPS) -> Path:
    """Write the set and return its folder; one of its pictures is too small, which is a warning."""
    folder.mkdir(parents=True)
    outputs = f"outputs: {{png: {{dpi: 72, bleed: 2}}, sheets: true, shops: [{', '.join(shops)}], gallery: true}}\n"
    (folder / "set.yaml").write_text(SET + BACK + outputs + SHEETS, encoding="utf-8")
    (folder / "minions.yaml").write_text(MINIONS, encoding="utf-8")
    (folder / "spells.yaml").write_text(SPELLS, encoding="utf-8")
    (folder / "spell.svg").write_text('{% include "kotc/spell.svg" %}', encoding="utf-8")
    shutil.copy(ROOT / "templates/kotc/frame.svg", folder)
    (folder / "back.svg").write_text(PLAIN_BACK, encoding="utf-8")
    (folder / "editions").mkdir()
    shutil.copy(ROOT / "render/games/kotc/editions/data/17.yaml", folder / "editions")
    picture = Image.radial_gradient("L").convert("RGB").resize((700, 430))
    picture.save(folder / "a.jpg")
    picture.rotate(180).save(folder / "b.png")
    picture.resize((100, 61)).save(folder / "small.png")
    picture.resize((750, 1050)).save(folder / "back.png")
    return folder
