"""A set of a game in YAML that has nearly everything, and random edits of it: what fuzzers build and show.

Its cards have one face, two on one side, or two sides. They stand in YAML files and in a table; some are in a deck.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from PIL import Image

from tests.games.declared.lanterns import SVG, write_files
from tests.games.declared.two_faces import FILES as TWO_FACES
from tests.support.repository import ROOT
from tests.support.table_files import ods, ods_row, xlsx, xlsx_row

GAME = """\
name: Dusk
fields:
  cost: {type: icons}
  rules: {type: rich, required: true, aliases: [text]}
  power: {type: number, range: [0, 20]}
  rarity: {type: choice, choices: [common, rare], default: common}
  tags: {type: list}
  swift: flag
  note: {type: line, pattern: "[A-Z].*"}
  weight: {value: "power * 2 if power is not none else 0"}
  label: {value: "name ~ ' ' ~ weight ~ (tags|join)"}
  hue: {value: "{'common': '#b5432a', 'rare': '#2a6fb5'}.get(rarity, '#444444')"}
icons: {"1": icons/one.svg, "2": icons/two.svg, "#": icons/number.svg}
colors: {ember: "#b5432a"}
fonts: {Own: fonts/own.ttf}
words: {bold: [Swift, It], reminders: {Swift: it comes first}}
kinds:
  split: {faces: 2}
  moon:
    faces: [day, night]
    check: [{that: power < 9, message: "{{ name }} is {{ power }}, and a moon has a power below 9"}]
  plain:
    check:
      - {that: weight < 12, message: "{{ label }} is heavy", severity: warning}
      - {that: not swift or power, message: what is swift needs power, hint: give it some}
  token: {fields: [note, hue], deck: false, back: none}
deck: {size: [3, 12], copies: 3}
table: [id, name, kind, cost, power, rarity, label, copies]
order: [kind, name]
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
    - {name: Howler, rules: "It *howls*.", power: 5}
- kind: moon
  name: Tide
  faces:
    - {name: Ebb, rules: Out., power: 2}
    - {name: Flood, rules: In., power: 2, tags: [wet]}
- {name: Rock, kind: plain, rules: It lies., power: 3}
- {name: Joker, kind: token, note: Any card}
"""
PLAIN = (
    "  <rect x='2' y='2' width='59.5' height='12' fill='{{ card.hue }}'/>"
    "<text x='5' y='10' width='50' font-size='5' min-size='2' font-family='Own'>{{ card.name }} {{ card.cost }}</text>"
    "<text id='rules' x='5' y='50' width='50' height='20' min-size='1' font-size='4'>{{ card.rules }}</text>"
    "<text x='5' y='80' font-size='4'>{{ card.power }}{{ card.note }}{{ card.tags|join('+') }}</text>"
    "{% if card.art %}<image href='{{ card.art.href }}' x='39' y='20' width='20' height='15'/>{% endif %}"
    "{% if card.swift %}<circle cx='9' cy='30' r='3'/>{% endif %}{% include 'part.svg' %}\n"
)
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>\n'
NAMES = ("Ant", "Bee", "Cat", "Dog", "Elk", "Fox", "Gnu", "Hen", "Ibis", "Jay", "Kite", "Lynx", "Mole", "Newt", "Owl")
FILES: Mapping[str, str] = {
    "game/game.yaml": GAME,
    "tides/set.yaml": "name: Dusk\ngame: ../game\noutputs: {png: {dpi: 72}, sheets: true, gallery: true}\n",
    "tides/cards.yaml": CARDS,
    "tides/many.yaml": "".join(
        f"- {{name: {name}, kind: plain, rules: It is {name}., power: {number % 7}, art: art/{art}.png}}\n"
        for number, name in enumerate(NAMES)
        for art in (("fire", "ice")[number % 2],)
    ),
    "deck.yaml": "name: Few\ngame: game\nsets: [tides]\noutputs: {png: {dpi: 72}, sheets: true}\n"
    "cards: {Watcher: 2, fire-ice: 1, Rock: 1, ant: 1}\n",
    "game/icons/one.svg": ICON.format('<circle cx="5" cy="5" r="5"/>'),
    "game/icons/two.svg": ICON.format('<rect width="10" height="10" fill="teal"/>'),
    "game/icons/number.svg": ICON.format('<text x="5" y="8" width="9" min-size="1" font-size="7">{{ value }}</text>'),
    **{f"game/{name}": TWO_FACES[name] for name in TWO_FACES if name.startswith("templates/")},
    "game/templates/plain.svg": SVG.format(PLAIN),
    "game/templates/other.svg": SVG.format("<text x='5' y='9' font-size='5'>{{ card.label }} {{ card.rules }}</text>"),
    "game/templates/token.svg": SVG.format("<text x='5' y='9' font-size='5'>{{ card.name }}{{ card.note }}</text>"),
    "game/templates/part.svg": "<rect y='87' width='63.5' height='{{ 1 + card.copies }}' fill='gold'/>",
}

_TOGGLES = (
    ("game/game.yaml", "power * 2", "power * 3"),
    ("game/game.yaml", "'#2a6fb5'", "'#123456'"),
    ("game/game.yaml", ".get(rarity, '#444444')", "[rarity]"),
    ("game/game.yaml", "name ~ ' '", "rarity ~ ' '"),
    ("game/game.yaml", "weight < 12", "weight < 4"),
    ("game/game.yaml", "that: weight < 12", "that: power / copies < 5"),
    ("game/game.yaml", "power < 9", "power < 3"),
    ("game/game.yaml", "and a moon", "but a moon"),
    ("game/game.yaml", ", severity: warning", ""),
    ("game/game.yaml", "give it some", "make it slow"),
    ("game/game.yaml", "  power:", "  force:"),
    ("game/game.yaml", "  power: {type", "  power: {aliases: [force], type"),
    ("game/game.yaml", "range: [0, 20]", "range: [0, 4]"),
    ("game/game.yaml", '"1": icons/one.svg', '"1": icons/two.svg'),
    ("game/game.yaml", '"1": icons/one.svg', '"1": {file: icons/one.svg, size: 1.5}'),
    ("game/game.yaml", '"1": icons', '"7": icons'),
    ("game/game.yaml", "  plain:\n", "  plain:\n    template: other\n"),
    ("game/game.yaml", "faces: 2", "faces: [day, night]"),
    ("game/game.yaml", "[day, night]", "[night, day]"),
    ("game/game.yaml", "[day, night]", "[day, plain]"),
    ("game/game.yaml", "bold: [Swift, It]", "bold: [Swift, Burn]"),
    ("game/game.yaml", "it comes first", "it comes **at once** {2}"),
    ("game/game.yaml", "{Own: fonts/own.ttf}", "{Own: {file: fonts/own.ttf, fallback: [DejaVu Sans]}}"),
    ("game/game.yaml", "order: [kind, name]", "order: [power, name]"),
    ("game/game.yaml", "table: [id, ", "table: [id, weight, "),
    ("game/game.yaml", "rules: {type: rich, required: true", "rules: {type: text, required: true"),
    ("game/game.yaml", "size: [3, 12], copies: 3", "size: [6, 9], copies: 1"),
    ("game/game.yaml", "deck: false, back: none", "deck: false"),
    ("game/templates/plain.svg", "{{ card.hue }}", "{{ 'red' if card.weight > 4 else card.hue }}"),
    ("game/templates/plain.svg", "{% include 'part.svg' %}", ""),
    ("game/templates/plain.svg", "card.note", "card.nope"),
    ("game/templates/plain.svg", "font-family='Own'", "font-family='Own' font-weight='bold'"),
    ("game/templates/part.svg", "gold", "{{ card.hue }}"),
    ("game/templates/part.svg", "1 + card.copies", "1 / (card.copies - 2)"),
    ("game/templates/day.svg", "{{ card.face.power }}", "{{ card.power }}{{ card.label }}"),
    ("game/templates/day.svg", "#ffeeaa", "#eeffaa"),
    ("game/templates/night.svg", "face {{ face }}", "{{ card.faces[1 - face].name }}"),
    ("game/templates/night.svg", "{{ card.face.rules }}", "{{ card.set }} {{ card.id }}"),
    ("game/templates/split.svg", "half.name", "half.name ~ half.weight"),
    ("game/templates/split.svg", "#ffccaa", "{{ card.hue }}"),
    ("game/templates/split.svg", 'font-size="4"', 'font-size="4" font-family="Own"'),
    ("game/templates/back.svg", "#222222", "#442222"),
    ("game/icons/one.svg", 'r="5"', 'r="4"'),
    ("game/icons/number.svg", 'font-size="7"', 'font-size="6"'),
    ("tides/set.yaml", "name: Dusk", "name: Dawn"),
    ("tides/set.yaml", "dpi: 72", "dpi: 80"),
    ("tides/set.yaml", ", gallery: true", ""),
    ("tides/cards.yaml", "name: Fire", "name: Blaze"),
    ("tides/cards.yaml", 'cost: "{1}"', 'cost: "{2}{7}"'),
    ("tides/cards.yaml", "power: 5", "power: 12"),
    ("tides/cards.yaml", "power: 2}\n    - {name: Flood", "power: 2, rarity: rare}\n    - {name: Flood"),
    ("tides/cards.yaml", "art: art/fire.png}\n    - {name: Howler", "art: art/ice.png}\n    - {name: Howler"),
    ("tides/cards.yaml", "copies: 2", "copies: 3"),
    ("tides/cards.yaml", "It lies.", "It [ember: lies] {1}, Swift."),
    ("tides/cards.yaml", "It lies.", "It lies, {9"),
    ("tides/cards.yaml", "rules: In.", "rulez: In."),
    ("tides/cards.yaml", "name: Tide", "name: Rock"),
    ("tides/cards.yaml", "note: Any card", "note: any card"),
    ("tides/many.yaml", "power: 3", "power: 9, swift: true"),
    ("tides/many.yaml", "power: 0", "swift: true"),
    ("tides/many.yaml", "power: 5", "force: 5"),
    ("tides/many.yaml", "name: Cat", "name: Sea Cat"),
    ("tides/many.yaml", "- {name: Dog", "- {name: Dog, copies: 0"),
    ("tides/many.yaml", "- {name: Elk", "# a line\n- {name: Elk"),
    ("tides/many.yaml", "- {name: Gnu", "- {name: Gnu, tags: [big, brown]"),
    ("tides/many.yaml", "- {name: Hen", "- name: Hen"),
    ("tides/many.yaml", "- {name: Jay", "- {name: Jay, back: day"),
    ("tides/many.yaml", "- {name: Kite", "- {name: Kite, template: token"),
    ("tides/many.yaml", "- {name: Lynx", "- {name: Lynx, rarity: rare"),
    ("deck.yaml", "Rock: 1", "Rock: 4"),
    ("deck.yaml", "Watcher: 2", "Howler: 2"),
    ("deck.yaml", "ant: 1", "bee: 2"),
    ("deck.yaml", "outputs: {png: {dpi: 72}, sheets: true}", "outputs: [sheets]"),
)
_FONTS = ("VollkornLining-Regular.ttf", "VollkornLining-Bold.ttf", "VollkornLining-Italic.ttf", "Hamlet-Tertia18.otf")
_MAY_GO = (
    "game/templates/part.svg",
    "game/templates/back.svg",
    "game/templates/night.svg",
    "game/icons/one.svg",
    "game/fonts/own.ttf",
    "tides/art/fire.png",
    "tides/many.yaml",
)
_COLORS = {"fire": "#cc3300", "ice": "#0033cc", "moss": "#4c7a34"}
_SIZES = {"fire": (300, 200), "ice": (300, 200), "moss": (90, 60)}  # pixels; the last are too few, which is a warning


def begin_tides(home: Path) -> None:
    """Write the game, the set and the deck."""
    write_files(home, FILES)
    (home / "tides/art").mkdir()
    (home / "game/fonts").mkdir()
    for name, color in _COLORS.items():
        Image.new("RGB", _SIZES[name], color).save(home / f"tides/art/{name}.png")
    _change_font(home, Random(0))


def edit_tides(home: Path, chance: Random) -> str:
    """Change something, or take a change back; return what."""
    others: tuple[Callable[[Path, Random], str], ...] = (
        _change_font, _change_picture, _change_table, _move_cards, _take_away, _give_own_template, _rename_field,
    )  # fmt: skip
    number = chance.randrange(len(_TOGGLES) + 4 * len(others))
    if number >= len(_TOGGLES):
        return others[(number - len(_TOGGLES)) // 4](home, chance)
    name, old, new = _TOGGLES[number]
    if not (home / name).exists():
        return _take_away(home, chance)
    text = (home / name).read_text(encoding="utf-8")
    # What is now may contain what was: taking it back comes first.
    text = text.replace(new, old) if new and new in text else text.replace(old, new)
    (home / name).write_text(text, encoding="utf-8")
    return f"{name}: {old} or {new}"


def _change_font(home: Path, chance: Random) -> str:
    font = chance.choice(_FONTS)
    shutil.copyfile(ROOT / "cards/fivewinds/fonts" / font, home / "game/fonts/own.ttf")
    return font


def _change_picture(home: Path, chance: Random) -> str:
    name, other = chance.choice(("fire", "ice")), chance.choice(("moss", "ice", "fire", "nothing"))
    if other == "nothing":
        (home / f"tides/art/{name}.png").write_bytes(b"\x89PNG\r\n")
    else:
        Image.new("RGB", _SIZES[other], _COLORS[other]).save(home / f"tides/art/{name}.png")
    return f"art/{name}.png: {other}"


def _change_table(home: Path, chance: Random) -> str:
    """Write another table of cards, as another kind of file, or take it away."""
    for old in home.glob("tides/more.*"):
        old.unlink()
    head = ("name", "kind", "rules", "power", "rarity", "art", "faces.1.name", "faces.1.rules", "faces.2.name",
            "faces.2.rules")  # fmt: skip
    rows = [head, *(_row(chance) for _ in range(chance.randrange(4)))]
    match ending := chance.choice(("csv", "xlsx", "ods", "")):
        case "csv":
            lines = io.StringIO()
            csv.writer(lines).writerows(rows)
            (home / "tides/more.csv").write_text(lines.getvalue(), encoding="utf-8", newline="")
        case "xlsx":
            (home / "tides/more.xlsx").write_bytes(xlsx([xlsx_row(*row) for row in rows]))
        case "ods":
            (home / "tides/more.ods").write_bytes(ods([ods_row(*row) for row in rows]))
    return f"table {ending}: {rows[1:]}"


def _row(chance: Random) -> tuple[str, ...]:
    name, power = chance.choice(("Rat", "Sow", "Tit", "Ant")), chance.choice(("", "1", "8", "x"))
    rarity, art = chance.choice(("", "rare", "common", "rar")), chance.choice(("", "art/fire.png", "art/moss.png"))
    if chance.random() < 0.3:
        return "", chance.choice(("moon", "split")), "", power, rarity, art, name, "Up.", "Down", "It {1}."
    return name, "plain", f"It is {name}.", power, rarity, art, "", "", "", ""


def _move_cards(home: Path, chance: Random) -> str:
    """Put the lines of a card file in another order, leave one out, write one twice, or rename the file."""
    file = next(iter(sorted((home / "tides").glob("*many.yaml"))), home / "tides/many.yaml")
    if not file.exists():
        return _take_away(home, chance)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    match way := chance.choice(("order", "less", "more", "twice", "all", "name")):
        case "order":
            chance.shuffle(lines)
        case "less":
            lines = lines[1:]
        case "more":
            lines.append(f"- {{name: New {chance.randrange(9)}, kind: plain, rules: It is new., power: 1}}\n")
        case "twice":
            lines.append(chance.choice(lines) if lines else "")
        case "all":
            lines = FILES["tides/many.yaml"].splitlines(keepends=True)
        case "name" if not (home / ".kept/tides/many.yaml").exists():
            file = file.rename(file.with_name("many.yaml" if file.name != "many.yaml" else "a-many.yaml"))
    file.write_text("".join(lines), encoding="utf-8")
    return f"cards: {way}"


def _take_away(home: Path, chance: Random) -> str:
    """Take a file away, or put back one that is gone."""
    gone = [name for name in _MAY_GO if not (home / name).exists()]
    name = chance.choice(gone or _MAY_GO)
    file, kept = home / name, home / ".kept" / name
    kept.parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        file.rename(kept)
    elif kept.exists():
        kept.rename(file)
    return f"{name} taken away or put back"


def _give_own_template(home: Path, chance: Random) -> str:
    """Give the set a template of its own instead of one of its game, or take it away."""
    name = chance.choice(("plain.svg", "part.svg", "night.svg", "back.svg"))
    own = home / "tides/templates" / name
    if own.exists():
        own.unlink()
    else:
        own.parent.mkdir(exist_ok=True)
        text = "<rect width='9' height='9' fill='navy'/>"
        own.write_text(text if name == "part.svg" else SVG.format(text), encoding="utf-8")
    return f"own {name}"


def _rename_field(home: Path, chance: Random) -> str:
    """Give a field another name wherever it stands."""
    old, new = chance.choice((("power", "might"), ("rules", "words_of"), ("note", "remark"), ("hue", "tint")))
    files = [*home.glob("game/game.yaml"), *home.glob("game/templates/*.svg"), *home.glob("tides/*.yaml")]
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(files)}
    if any(re.search(rf"\b{new}\b", text) for text in texts.values()):
        old, new = new, old
    for file, text in texts.items():
        file.write_text(re.sub(rf"\b{old}\b", new, text), encoding="utf-8")
    return f"field {old} named {new}"
