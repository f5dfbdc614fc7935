"""A small game that is written in YAML, as files by their names."""

from collections.abc import Mapping
from pathlib import Path

GAME = """\
name: Lanterns
fields:
  family: {required: true, pattern: "[A-Z].*", hint: begin with a capital}
  weight: {type: number, range: [1, 5000]}
  rarity: {type: choice, choices: [common, rare], default: common}
  wild:   flag
  heavy:  {value: weight is not none and weight > 200}
kinds:
  beast:
    fields: [family, weight!, rarity, wild]
    check:
      - {that: weight < 1000, message: a beast weighs less than 1000 kg, hint: make it lighter, severity: warning}
  token: {fields: [], deck: false, back: none}
deck: {size: [3, 5], copies: 2}
table: [id, name, family, weight, heavy, copies]
"""
SET = """\
name: Beasts
outputs: {png: {dpi: 100}, sheets: true, gallery: true}
"""
CARDS = """\
- {name: Brown Bear, kind: beast, family: Bears, weight: 300}
- {name: Sun Bear, kind: beast, family: Bears, weight: 60, rarity: rare, copies: 2}
- {name: Joker, kind: token}
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">\n{}</svg>\n'
BACK = SVG.format('  <rect width="63.5" height="88.9" fill="#222222"/>\n')
FRONT = SVG.format(
    """\
  <rect width="63.5" height="88.9" fill="{{ '#885533' if card.heavy else '#335588' }}"/>
  <text x="5" y="10" width="53" font-size="5" fill="#ffffff">{{ card.name }}</text>
  <text x="5" y="20" width="53" font-size="4">{{ card.family }} {{ card.weight }} {{ card.rarity }}</text>
"""
)
FILES: Mapping[str, str] = {
    "game.yaml": GAME,
    "set.yaml": SET,
    "cards.yaml": CARDS,
    "templates/beast.svg": FRONT,
    "templates/token.svg": SVG.format('  <text x="5" y="10" font-size="5">{{ card.name }}</text>\n'),
    "templates/back.svg": BACK,
}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
