"""A game whose cards have two faces: small cards on one front, or the two sides of a card; as files by their names."""

from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from tests.games.declared.lanterns import BACK, SVG, write_files

GAME = """\
name: Dusk
fields:
  cost: {type: icons}
  rules: {type: text, required: true, aliases: [text]}
  power: {type: number}
  rarity: {type: choice, choices: [common, rare], default: common}
icons: {"1": icons/one.svg, "2": icons/one.svg}
kinds:
  split: {faces: 2}
  moon:
    faces: [day, night]
    check: [{that: power < 9, message: a moon has a power below 9}]
  plain: {}
table: [id, name, kind, cost, power, rarity, copies]
"""
CARDS = """\
- kind: split
  rarity: rare
  faces:
    - {name: Fire, cost: "{1}", rules: Burn it., art: art/fire.png}
    - {name: Ice, cost: "{2}", rules: Freeze it., art: art/ice.png}
- kind: moon
  copies: 2
  faces:
    - {name: Watcher, rules: It sees., power: 1, art: art/fire.png}
    - {name: Howler, rules: It howls., power: 5}
- kind: moon
  name: Tide
  faces:
    - {name: Ebb, rules: Out., power: 2}
    - {name: Flood, rules: In., power: 2}
- {name: Rock, kind: plain, rules: It lies., power: 3}
"""
SPLIT = SVG.format(
    """\
  {% for half in card.faces %}
  <g transform="translate(2 {{ 86.9 - 42.7 * loop.index0 }}) rotate(-90)">
    <rect width="41.5" height="59.5" fill="{{ ['#ffccaa', '#aaccff'][loop.index0] }}"/>
    <text id="faces.{{ loop.index0 }}.name" x="3" y="6" width="35" font-size="4">{{ half.name }}</text>
    <text id="faces.{{ loop.index0 }}.rules" x="3" y="46" width="35" height="9" font-size="4">{{ half.rules }}</text>
    {% if half.art %}<image href="{{ half.art.href }}" x="39" y="1" width="2" height="1.5"/>{% endif %}
  </g>
  {% endfor %}
"""
)
SIDE = SVG.format(
    """\
  <rect width="63.5" height="88.9" fill="%s"/>
  {%% if card.face.art %%}<image href="{{ card.face.art.href }}" x="10" y="20" width="40" height="30"/>{%% endif %%}
  <text x="5" y="10" width="50" font-size="5" fill="%s">{{ card.face.name }} {{ card.face.power }}</text>
  <text id="rules" x="5" y="60" width="50" height="20" font-size="4" fill="%s">
    {{ card.face.rules }} face {{ face }}</text>
"""
)
FILES: Mapping[str, str] = {
    "game.yaml": GAME,
    "set.yaml": "name: Dusk\noutputs: {png: {dpi: 100}, sheets: true, gallery: true}\n",
    "cards.yaml": CARDS,
    "icons/one.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></svg>',
    "templates/split.svg": SPLIT,
    "templates/day.svg": SIDE % ("#ffeeaa", "#000000", "#000000"),
    "templates/night.svg": SIDE % ("#202040", "#ffffff", "#ffffff"),
    "templates/plain.svg": SVG.format('<text x="5" y="10" font-size="5">{{ card.name }} {{ card.rules }}</text>'),
    "templates/back.svg": BACK,
}
PICTURES = {"fire": "#cc3300", "ice": "#0033cc"}


def write_two_faces(folder: Path) -> None:
    """Write the set with its game and its pictures."""
    write_files(folder, FILES)
    (folder / "art").mkdir()
    for name, color in PICTURES.items():
        Image.new("RGB", (600, 450), color).save(folder / f"art/{name}.png")
