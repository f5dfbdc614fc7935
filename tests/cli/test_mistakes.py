"""Mistakes that people make who do not know YAML, one at a time, and all that `kotc check` says of each.

`mistakes.txt` has the words. `python -m tests.cli.test_mistakes` writes them anew, for you to read the difference.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image

from render.base.codes import codes_of_checks
from tests.support.golden_words import golden_words, write_golden
from tests.support.messages import facts, write
from tests.support.pages import pages_of
from tests.support.picture_files import in_bytes
from tests.support.sets import kotc

pytestmark = pytest.mark.usefixtures("in_empty_folder")

GOLDEN = Path(__file__).with_name("mistakes.txt")

SET = "name: Pack\nedition: 17\n"
DOG = "- name: Dog\n  kind: minion\n  level: 3\n  sp: 2\n  hp: 2\n"
PICTURE = in_bytes(Image.new("RGB", (1200, 900)), "JPEG")
FRAME = '<svg width="63.5" height="88.9">\n{}\n</svg>\n'


def dog(**changed: str | None) -> str:
    """Return a card whose level is right, with other values; None leaves a key out."""
    keys = {"name": "Dog", "kind": "minion", "level": "3", "sp": "2", "hp": "2", **changed}
    return "- " + "  ".join(f"{key}: {value}\n" for key, value in keys.items() if value is not None)


Files = str | Mapping[str, str | bytes]
"""A card file, or files by name."""

DECK = "name: Zoo\nedition: 17\nsets: [pack]\n"


def deck(cards: str) -> dict[str, str | bytes]:
    """Return the files of a set with one card, and of a deck beside it."""
    return {"cards.yaml": DOG, "../zoo.yaml": f"{DECK}cards: {cards}\n"}


MISTAKES: Mapping[str, Files] = {
    "wrong level": dog(level="9"),
    "quoted level": dog(level='"3"'),
    "dup key": DOG + "  sp: 4\n",
    "misspelt art": {"cards.yaml": dog(art="art/dgo.jpg"), "art/dog.jpg": PICTURE},
    "100% dog": DOG + "  100% dog: yes\n",
    "tab": DOG.replace("  kind", "\tkind"),
    "missing dash": DOG + "name: Cat\nkind: tip\n",
    "misaligned": DOG.replace("  sp", "   sp"),
    "It's": DOG + "  flavor: 'It's a dog'\n",
    "smart quotes2": DOG.replace("level: 3", "level: “3”"),
    "Woof she": DOG + '  flavor: "Woof" she said\n',
    "@home": DOG + "  flavor: @home\n",
    "sp on spell": "- name: Bark\n  kind: spell\n  level: 3\n  sp: 3\n  text: Draw 1 card.\n",
    "dup id": DOG + DOG,
    "latin1": {"cards.yaml": dog(name="Håkan").encode("latin-1")},
    "no level": dog(level=None),
    "four": dog(sp="four"),
    "17th": {"set.yaml": "name: Pack\nedition: 17th\n", "cards.yaml": DOG},
    "Name:": DOG.replace("name", "Name"),
    "emoji": dog(name="Dog 🐶"),
    "too long": DOG
    + "  text: |\n    BARK: When this card attacks, after Attack Formation (ghost-play): "
    + "Target 1 on-field minion; destroy it. " * 30
    + "\n",
    "paper": {"set.yaml": SET + "paper: a4\n", "cards.yaml": DOG},
    "name:Dog": DOG.replace("name: ", "name:"),
    "attack": "- name: Dog\n  kind: minion\n  level: 3\n  attack: 2\n  hp: 2\n",
    "text list": DOG + "  text:\n    - Draw 1 card.\n    - Gain 2 HP.\n",
    "bold": DOG + "  text: **BARK:** Draw 1 card.\n",
    "cards on top": "cards:\n" + DOG,
    "cards on top indented": "cards:\n  " + DOG.replace("\n", "\n  ").rstrip() + "\n",
    "outputs pdf": {"set.yaml": SET + "outputs: [pdf]\n", "cards.yaml": DOG},
    "template": {
        "cards.yaml": DOG,
        "minion.svg": FRAME.format('  <rect x="0" y="0" width="10" height="10"/>\n  <circel r="3"/>'),
    },
    "woof": DOG + "  flavor: *woof*\n",
    "Agent #7": dog(name="Agent #7"),
    "windows path": dog(art=r"C:\Users\me\photo.jpg"),
    "windows path quoted": dog(art=r'"C:\Users\me\photo.jpg"'),
    "Minion.svg": {"cards.yaml": DOG, "Minion.svg": "<svg/>"},
    "no kind": dog(kind=None),
    "kind monster": dog(kind="monster"),
    "two keys in one": "- name: Dog\n  kind: minion\n  level: 3\n  sp/hp: 2/2\n",
    "a table": "name,kind,sp,hp,level\nDog,minion,2,2,3\n",
    "backslash n": dog(level="9", text="Draw 1 card.\\nDraw 2 cards."),
    "tags": dog(level="9", text="<b>Draw</b> 1 card."),
    "inches": {"set.yaml": SET + "sheet: {paper: 8.5x11}\n", "cards.yaml": DOG},
    "back red": {"set.yaml": SET + "back: red\n", "cards.yaml": DOG},
    "art src": {"cards.yaml": DOG + "  art: {src: art/dog.jpg}\n", "art/dog.jpg": PICTURE},
    "copies below art": {"cards.yaml": DOG + "  art:\n    file: art/dog.jpg\n    copies: 2\n", "art/dog.jpg": PICTURE},
    "dash among keys": "- kind: minion\n  sp: 2\n  - name: Dog\n  hp: 2\n",
    "text that ends early": DOG + "  text: >\n    Draw 1 card.\n  Draw 2 cards.\n",
}
"""What new users met."""

MORE_MISTAKES: Mapping[str, Files] = {
    "key = value": DOG.replace("level: 3", "level = 3"),
    "no colon": DOG.replace("level: 3", "level 3"),
    "no colon before a word": DOG.replace("level: 3", "level three"),
    "fullwidth colon": DOG.replace("kind: minion", "kind：minion"),
    "comma at end": DOG.replace("level: 3", "level: 3,"),
    "json unclosed": '{"name": "Dog", "kind": "minion"\n',
    "asterisk bullets": DOG.replace("- name", "* name"),
    "dash no space": DOG.replace("- name", "-name"),
    "text colon": DOG + "  text: BARK: Draw 1 card.\n",
    "text block not indented": DOG + "  text: |\n  BARK: Draw 1 card.\n",
    "text lines": DOG + "  text:\n    BARK: Draw 1 card.\n",
    "two dashes": DOG.replace("- name", "- - name"),
    "flavour": DOG + "  flavour: Woof\n",
    "type creature": dog(kind="creature"),
    "Ultra Points": DOG + "  Ultra Points: 1\n",
    "sp 2.5": dog(sp="2.5"),
    "sp -1": dog(sp="-1"),
    "level ?": dog(level="?"),
    "art list": dog(art="[a.jpg]"),
    "art url": dog(art="https://example.org/dog.jpg"),
    "art home": dog(art="~/Pictures/dog.jpg"),
    "artist": DOG + "  artist: Me\n",
    "author outside": DOG + "  author: Me\n",
    "edition in words": {"set.yaml": "name: Pack\nedition: seventeenth\n", "cards.yaml": DOG},
    "set cards": {"set.yaml": SET + "cards: [Dog]\n", "cards.yaml": DOG},
    "copies x3": dog(copies="x3"),
    "yes": {"set.yaml": SET + "red: yes\n", "cards.yaml": DOG},
    "empty text": "- name: Nap\n  kind: spell\n  level: 1\n  text:\n",
    "percent": DOG + "  flavor: %100 dog\n",
    "hash flavor": DOG + "  flavor: #1 dog\n",
    "question": DOG + "  flavor: ? what\n",
    "dash flavor": DOG + "  flavor: - a dog, 1902\n",
    "brackets": DOG + "  flavor: [sic] it barks\n",
    "braces": DOG + "  name2: {dog} barks\n",
    "inner": DOG + '  flavor: "He said "woof""\n',
    "bom utf16": {"cards.yaml": DOG.encode("utf-16")},
    "word doc": {"cards.yaml": b"PK\x03\x04" + bytes(50)},
    "nbsp indentation": DOG.replace("  kind", "\u00a0\u00a0kind"),
    "three words": "Dog\n",
    "separator": DOG + "---\n" + DOG,
    "indent more": "- name: Dog\n    kind: minion\n    level: 3\n",
    "!": DOG + "  flavor: !important\n",
    "&": DOG + "  flavor: &co barks\n",
    "pipe text": DOG + "  text: | BARK: Draw 1 card.\n",
    "template2": {"cards.yaml": DOG, "minion.svg": FRAME.format('  <text x="3" y="4">{{{{ card.nmae }}}}</text>')},
    "template3": {"cards.yaml": DOG, "minion.svg": FRAME.format("  <g>")},
    "kind typo": dog(kind="Minion"),
    "art quoted backslash": {"cards.yaml": dog(art=r'"art\back.jpg"'), "art/back.jpg": PICTURE},
    "unclosed": DOG + '  flavor: "Woof\n' + DOG,
    "two numbers": dog(sp="2/2"),
    "level range": dog(level="3-4"),
    "odd value with a comment": DOG + "  flavor: @home  # in italics\n",
    "apostrophe with a comment": DOG + "  flavor: 'Dog's bone'  # in italics\n",
    "colon with a comment": DOG + "  flavor: Hear this: woof  # in italics\n",
    "hash with a comment": DOG + "  flavor: We are #1  # in italics\n",
    "brackets with a comment": DOG + "  art: {file: dog.svg fit: cover}  # {as it is}\n",
    "semicolon in brackets": {"set.yaml": SET + "sheet: {paper: a4; flip: long-edge}\n", "cards.yaml": DOG},
    "decimal comma": {"set.yaml": SET + 'sheet: {gutter: "2,5"}\n', "cards.yaml": DOG},
    "decimal comma in braces": {"set.yaml": SET + "sheet: {gutter: 2,5, paper: a4}\n", "cards.yaml": DOG},
    "sheets for sheet": {"set.yaml": SET + "sheets: {paper: a4}\n", "cards.yaml": DOG},
    "name in small letters": dog(level="5", text="'Loud bark: Draw 1 card.'"),
    "typographic quotes around a text": dog(level="5", text="“BARK: Draw 1 card.”"),
    "typographic quotes around a spell": "- name: Nap\n  kind: spell\n  level: 2\n  text: “Draw 1 card.”\n",
    "key behind a key": {"set.yaml": SET + "sheet: paper: a4\n", "cards.yaml": DOG},
    "text at the margin": DOG + "  text: |  # what it does\nBARK: Draw 1 card.\n",
    "second line at the margin": DOG + "  text: |\n    BARK: Draw 1 card.\nBITE: Draw 2 cards.\n",
    "two keys on a line": "- name: Dog\n  kind: minion\n  level: 3\n  sp: 2, hp: 2\n",
    "two keys and no comma": "- name: Dog\n  kind: minion\n  level: 3\n  sp: 2 hp: 2\n",
    "comment of C": "// my first card\n" + DOG,
    "conflict of git": f"<<<<<<< HEAD\n{DOG}=======\n{DOG}>>>>>>> other\n",
    "toml": '[[card]]\nname = "Dog"\nkind = "minion"\n',
    "name above the keys": "- Dog:\n    kind: minion\n    level: 3\n    sp: 2\n    hp: 2\n",
    "semicolons": "- name: Dog\n  kind: minion;\n  level: auto;\n  sp: 2;\n  hp: 2;\n",
    "automatic": dog(level="automatic"),
    "letter O": dog(sp="O"),
    "roman": dog(level="III"),
    "none": dog(ultra_points="none"),
    "three dashes": "--" + DOG,
    "long dash": DOG.replace("- ", "– ", 1),
    "arrow": "- name => Dog\n  kind => minion\n",
    "dash and nothing": DOG + "-\n",
    "card in set.yaml": {"set.yaml": SET + "- name: Dog\n", "cards.yaml": DOG},
    "sheet flat": {"set.yaml": SET + "sheet: a4\n", "cards.yaml": DOG},
    "language of Germany": DOG + "  words: {ge: {name: Hund}}\n",
    "txt": {"cards.txt": DOG},
    "yaml.txt": {"cards.yaml.txt": DOG},
    "no ending": {"cards.yaml": dog(art="art/dog"), "art/dog.jpg": PICTURE},
    "deck: misspelt card": deck("{dgo: 40}"),
    "deck: count before its card": deck("[40 dog]"),
    "deck: too few cards": deck("{dog: 4}"),
    "deck: a card of none": deck("{dog: 0}"),
    "deck: misspelt set": {**deck("{dog: 40}"), "../zoo.yaml": DECK.replace("[pack]", "[pakc]") + "cards: {dog: 40}\n"},
    "deck: without edition": {**deck(""), "../zoo.yaml": "name: Zoo\nsets: pack\ncards: {dog: 40}\n"},
    "deck: an edition to come": {**deck(""), "../zoo.yaml": DECK.replace("17", "170") + "cards: {dog: 40}\n"},
    "deck: a pawn": {
        "cards.yaml": DOG + "- {name: Pup, kind: pawn}\n",
        "../zoo.yaml": DECK + "cards: {dog: 39, pup: 1}\n",
    },
    "deck: misspelt key": {**deck(""), "../zoo.yaml": DECK + "card: {dog: 40}\n"},
    "deck: a card twice": deck("[dog: 20, Dog: 20]"),
}
"""More of the same kind, invented."""

EVERY = {**MISTAKES, **MORE_MISTAKES}


def said_of(name: str) -> str:
    """Return what `kotc check` prints here for a set of the files of a mistake, `pack`, or for a deck beside it."""
    files = EVERY[name]
    every: dict[str, str | bytes] = {"set.yaml": SET, **({"cards.yaml": files} if isinstance(files, str) else files)}
    for path, content in every.items():
        file = Path("pack", path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return kotc("check", "zoo.yaml" if Path("zoo.yaml").exists() else "pack").output


@pytest.mark.parametrize("name", EVERY)
def test_what_is_said_of_a_mistake(name: str) -> None:
    assert said_of(name) == golden_words(GOLDEN)[name].rstrip("\n") + "\n"


def test_there_are_no_words_for_other_mistakes() -> None:
    assert [*golden_words(GOLDEN)] == [*EVERY]


# --- all at once ---

FOUR_KINDS = """
    - name: Storm Hammer
      kind: minion
      level: 8
      sp: 4
      hp: 6
    - name: Woof
      kind: minion
      level: 3
      flavor: *woof*
      sp: 4
      hp: 6
      art: art/none.jpg
    - name: After
      kind: minion
      level: 3
      sp: 4
      hp: 6
      flavour: meow
      art: art/missing.jpg
    - name: Auto
      kind: spell
      level: auto
      text: destory it.
      back: art/back.png
    - name: No Level
      kind: spell
      text: Draw 1 card.
"""
ALL_FOUR = (
    "3:10 V001", "8:10 V001", "9:11 Y007", "12:8 A001", "15:10 V001", "18:3 C002", "19:8 A001", "23:9 C010",
    "24:9 A001", "25:3 C004",
)  # fmt: skip


@pytest.mark.parametrize("command", ["check", "build", "png", "pdf"])
def test_mistakes_in_yaml_keys_rules_and_pictures_are_said_in_one_run(command: str) -> None:
    write(Path("four"), {"set.yaml": SET, "cards.yaml": FOUR_KINDS})
    result = kotc(command, "four")
    said = result.stdout if command == "check" else result.stderr
    assert [fact.split(":", 1)[1][: len(each)] for fact, each in zip(facts(said), ALL_FOUR, strict=True)] == [*ALL_FOUR]
    assert result.exit_code == 1
    assert [each.name for each in Path.cwd().iterdir()] == ["four"]


# --- what cards share ---


def test_what_is_wrong_with_a_shared_value_is_said_once() -> None:
    shared = "- &dog\n  name: Dog\n  kind: minion\n  level: 3\n  sp: 2\n  hp: 2\n  art: &art art/none.jpg\n"
    others = "- {<<: *dog, name: Cat}\n- {<<: *dog, name: Owl, sp: 4, level: 5}\n- {name: Ox, kind: pawn, art: *art}\n"
    write(Path("pack"), {"set.yaml": SET, "cards.yaml": shared + others})
    said = kotc("check", "pack").output
    assert said.startswith("pack/cards.yaml:7:13: error: no picture `art/none.jpg` [A001]\n")
    assert said.endswith("\n1 error\n")
    write(Path("pack"), {"cards.yaml": (shared + others).replace("art/none.jpg", "art/dog.jpg")})
    Path("pack/art").mkdir()
    Path("pack/art/dog.jpg").write_bytes(PICTURE)
    assert kotc("check", "pack").output == "4 cards checked: nothing to report\n"


# --- codes that are chosen ---


def test_the_codes_to_choose_from_are_those_of_the_reference() -> None:
    named = {*re.findall(r"^\| ([A-Z]\d{3}) ", pages_of("cards", "templates"), re.MULTILINE)}
    assert {code for code in named if code[0] not in "EGHX"} - {*codes_of_checks()} == set()


WARNED = """
- {name: Owl, kind: spell, level: 2, text: destory it.}
- {name: Elk, kind: minion, level: 9, sp: 2, hp: 2}
"""


def codes_of(*options: str, set_yaml: str = SET) -> list[str]:
    write(Path("pack"), {"set.yaml": set_yaml, "cards.yaml": WARNED})
    result = kotc("check", "pack", *options)
    return [line[-5:-1] for line in result.stdout.split("\n") if line.endswith("]") and ": " in line]


def test_codes_are_selected_and_ignored() -> None:
    assert codes_of() == ["V003", "V001"]
    assert codes_of("--ignore", "V003") == codes_of(set_yaml=SET + "ignore: V003\n") == ["V001"]
    assert codes_of("--select", "V003,K") == codes_of(set_yaml=SET + "select: [V003, K]\n") == ["V003"]
    assert codes_of("--ignore", "V", "--select", "V001") == ["V001"]
    assert codes_of("--ignore", "V") == codes_of("--select", "K") == []


def test_errors_for_which_nothing_can_be_made_cannot_be_ignored() -> None:
    write(Path("pack"), {"set.yaml": SET + "ignore: [C, A]\n", "cards.yaml": dog(art="art/none.jpg", colour="red")})
    assert "C002" in (said := kotc("check", "pack", "--ignore", "C002,A001").stdout)
    assert "A001" in said


def test_a_code_that_there_is_not_is_named_with_the_nearest() -> None:
    write(Path("pack"), {"set.yaml": SET + "ignore: [V01]\n", "cards.yaml": DOG})
    said = "there is no code `V01`: did you mean `V001`?\n"
    assert kotc("check", "pack", "--ignore", "V01").stderr.endswith(said)
    assert facts(kotc("check", "pack").stdout) == [
        "pack/set.yaml:3:10 S007 there is no code `V01` (did you mean `V001`?)"
    ]


if __name__ == "__main__":
    write_golden(GOLDEN, EVERY, said_of)
