"""Mistakes in cards, tables, decks and sets of a game in YAML that has every type of field, one at a time, and all that
is said of each.

`card_mistakes.txt` has the words. `python -m tests.games.declared.test_card_mistakes` writes them anew, for you to read
the difference.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.games.declared.lanterns import BACK, SVG, write_files
from tests.support.golden_words import golden_words, write_golden
from tests.support.sets import kotc

GOLDEN = Path(__file__).with_name("card_mistakes.txt")

GAME = """\
name: Zoo
fields:
  title:  line
  story:  text
  rules:  {type: rich, aliases: [text]}
  cost:   icons
  power:  {type: number, range: [0, 99]}
  rarity: {type: choice, choices: [common, rare]}
  wild:   flag
  tags:   list
  badge:  picture
kinds:
  beast: {fields: [title, story, rules, cost, power, rarity, wild, tags, badge]}
  twin: {fields: [rules, power], faces: 2}
icons: {T: icons/t.svg, "#": icons/t.svg}
colors: {abyss: "#7a1f5c"}
deck: {size: [2, 5], copies: 2}
"""
# Shows every field: what none shows would be a warning.
_SHOWN = ("title", "story", "cost", "power", "rarity", "tags", "wild", "badge", "art")
FRONT = SVG.format(
    f"{{% if {' or '.join(f'card.{each}' for each in _SHOWN)} %}}{{% endif %}}\n"
    '<text y="20" width="63">{{ card.rules }}</text>\n'
)
FILES: Mapping[str, str] = {
    "pack/set.yaml": "name: Zoo\n",
    "pack/game.yaml": GAME,
    "pack/cards.yaml": "- {name: Dog, kind: beast}\n",
    "pack/icons/t.svg": '<svg width="10" height="10"><circle cx="5" cy="5" r="5"/></svg>\n',
    "pack/templates/beast.svg": FRONT,
    "pack/templates/twin.svg": FRONT,
    "pack/templates/back.svg": BACK,
}


def card(more: str) -> dict[str, str]:
    """Return a card with more lines."""
    lines = "".join(f"  {line}\n" for line in more.split("\n"))
    return {"pack/cards.yaml": f"- name: Dog\n  kind: beast\n{lines}"}


def cards(text: str) -> dict[str, str]:
    """Return a card file."""
    return {"pack/cards.yaml": text}


def table(text: str) -> dict[str, str]:
    """Return a table in place of the card file."""
    return {"pack/cards.yaml": "", "pack/cards.csv": text}


def game(old: str, new: str) -> dict[str, str]:
    """Return the file of the game with a change."""
    assert old in GAME
    return {"pack/game.yaml": GAME.replace(old, new)}


def deck(text: str) -> dict[str, str]:
    """Return a deck beside the set."""
    return {"flames.yaml": text}


MISTAKES: Mapping[str, Mapping[str, str]] = {
    "a list for a line": card("title: [a, b]"),
    "a list below for a line": card("title:\n  - one\n  - two"),
    "keys for a line": card("title: {big: 3}"),
    "a list for a text": card("story: [a, b]"),
    "a list for a rich text": card("rules:\n  - one\n  - two"),
    "keys for icons": card("cost: {big: 3}"),
    "a list for a number": card("power: [7, 8]"),
    "keys for a number": card("power: {small: few}"),
    "a list for a choice": card("rarity: [rare, common]"),
    "keys for a flag": card("wild: {very: much}"),
    "keys for a list": card("tags: {big: 3}"),
    "a list without brackets": card("tags: swift, shy,"),
    "a list without brackets in a cell": table('name,kind,tags\nDog,beast,"swift, shy, tame"\n'),
    "keys for a picture": card("badge: {src: art/dog.png}"),
    "a list for a name": cards("- name: [Dog, Cat]\n  kind: beast\n"),
    "a list of kinds": cards("- name: Dog\n  kind: [beast, twin]\n"),
    "a list for an id": card("id: [dog, cat]"),
    "a list for copies": card("copies: [2, 3]"),
    "keys for a back": card("back: {front: back}"),
    "keys for a template": card("template: {front: beast}"),
    "copies by the word of another tool": card("duplication: 2"),
    "copies below art": card("art:\n  file: art/dog.png\n  copies: 2"),
    "an icon whose name begins a comment": game(
        'icons: {T: icons/t.svg, "#": icons/t.svg}', "icons:\n  T: icons/t.svg\n  #: icons/t.svg"
    ),
    "an icon whose name hides the brace": game('"#": icons', "#: icons"),
    "a color that is a comment": game('{abyss: "#7a1f5c"}', "{abyss: #7a1f5c}"),
    "a title that is a comment": card("title: #7"),
    "a title that ends in a comment": card("title: Agent #7"),
    "a back for a kind that ends in a comment": {"pack/set.yaml": "name: Zoo\nback:\n  beast: back #2\n"},
    "a number that is a comment": card("power: #3"),
    "a list that ends in a comment": card("tags: [a, #b, c]"),
    "a column of the second small card": table("name,kind,face2.name,rules\nDusk,twin,Dawn,Hello\n"),
    "columns with numbers": table("kind,Face 1 name,name2\ntwin,Dusk,Dawn\n"),
    "no columns of small cards": table("name,kind\nDusk,twin\n"),
    "small cards in one cell": table("name,kind,faces\nDusk,twin,Dusk and Dawn\n"),
    "the same cards in two files": cards("".join(f"- {{name: Dog {n}, kind: beast}}\n" for n in range(5)))
    | {"pack/cards.csv": "name,kind\n" + "".join(f"Dog {n},beast\n" for n in range(5))},
    "one card in two files": cards("".join(f"- {{name: Dog {n}, kind: beast}}\n" for n in range(5)))
    | {"pack/more.csv": "name,kind\nDog 1,beast\n"},
    "a deck without its game": deck("name: Flames\nsets: [pack]\ncards: {dog: 2}\n"),
    "a deck of an unknown game": deck("name: Flames\ngame: benthos\nsets: [pack]\ncards: {dog: 2}\n"),
    "a deck of a folder that is not there": deck("name: Flames\ngame: ./pakc\nsets: [pack]\ncards: {dog: 2}\n"),
    "a deck of another game": deck("name: Flames\ngame: kotc\nedition: 17\nsets: [pack]\ncards: {dog: 2}\n"),
    "a deck among the cards": {"pack/deck.yaml": "name: Flames\nsets: [.]\ncards: {dog: 2}\n"},
    "a deck among the cards, given alone": {"pack/deck.yaml": "name: Flames\ncards: [dog, dog]\n"},
    "a misspelt folder of a game": {
        "pack/game.yaml": "",
        "pack/set.yaml": "name: Zoo\ngame: ../zooo\n",
        "zoo/game.yaml": GAME,
    },
    "a game by the name of its folder": {
        "pack/game.yaml": "",
        "pack/set.yaml": "name: Zoo\ngame: zoos\n",
        "zoo/game.yaml": GAME,
    },
    "a game by its own name": {"pack/set.yaml": "name: Zoo\ngame: Zoo\n"},
    "a game by its file": {"pack/set.yaml": "name: Zoo\ngame: ./game.yaml\n"},
    "a game with a kind behind it": {"pack/game.yaml": "", "pack/set.yaml": "name: Zoo\ngame: kotc/spell\n"},
    "a folder of decks": {
        "decks/a.yaml": "name: A\ngame: ../pack\nsets: [../pack]\ncards: {dog: 2}\n",
        "decks/b.yaml": "name: B\ngame: ../pack\nsets: [../pack]\ncards: {dg: 2}\n",
    },
    "a folder of decks, printed": {"decks/a.yaml": "name: A\ngame: ../pack\nsets: [../pack]\ncards: {dog: 2}\n"},
    "an id that asks for too much": cards("".join(f"- {{name: Dog {n}, kind: beast}}\n" for n in range(3)))
    | game("deck:", 'id: "{{ 9 ** 99999999 }}"\ndeck:'),
    "an id of nothing": card("id: null"),
    "a card among the keys of another": cards("- name: Dog\n  kind: beast\n  - name: Cat\n    kind: beast\n"),
    "a card below one without a dash": cards("name: Dog\nkind: beast\n- name: Cat\n  kind: beast\n"),
    "a text that is indented less": card("story: >\n  One day\n the dog came\ntitle: x"),
    "a text that is not indented": cards("- name: Dog\n  kind: beast\n  story: >\n    One day\nthe dog came\n"),
    "two keys in one": card("power/title: 2/2"),
    "a table in YAML": cards("name,kind\nDog,beast\n"),
    "a table in quotes": cards('"name","kind"\n"Dog","beast"\n'),
    "a table behind cards": cards("- name: Dog\n  kind: beast\nname, kind, power\nCat, beast, 3\n"),
    "a new line as in code": card(r"rules: One.\nTwo."),
    "a new line as in code, in a plain text": card(r"story: One.\nTwo."),
    "bars of Markdown in a rich text": card("rules: A __swift__ one, ___, not_this_one"),
    "tags of HTML in a rich text": card("rules: <b>Fly</b> now"),
    "tags of HTML in a line": card("title: <i>Fly</i> &amp; go"),
    "a paper in inches": {"pack/set.yaml": "name: Zoo\nsheet: {paper: 8.5x11in}\n"},
    "a paper in signs of inches": {"pack/set.yaml": 'name: Zoo\nsheet: {paper: 8.5"x11"}\n'},
    "a back that is a color": card("back: red"),
    "an icon that is not closed": card('rules: "{2 and draw"\ncost: "{T"'),
    "a color in braces": card('rules: "{abyss words"'),
    "a number with a point in a table": table("name,kind,power\nDog,beast,3.0\n"),
    "a number with a comma in a table": table('name,kind,copies\nDog,beast,"1,000"\n'),
    "a header that is repeated": table("name,kind,power\nname,kind,power\nDog,beast,3\n"),
    "a table whose names have no heading": table("card title,sort,qty\nDog,beast,2\n"),
    "a tag for a new line in a table": table("name,kind,rules\nDog,beast,One.<br>Two.\n"),
    "a card without its dash": cards("- name: Dog\n  kind: beast\n\n  name: Cat\n  kind: beast\n"),
    "a sheet that is a paper": {"pack/set.yaml": "name: Zoo\nsheet: A4\n"},
    "a deck of cards with counts": deck("name: F\ngame: pack\nsets: [pack]\ncards: [2x Dog, 2 dog, Dog x2]\n"),
    "a deck upside down": deck("name: F\ngame: pack\nsets: [pack]\ncards: {2: Dog}\n"),
    "a misspelt kind": cards("- name: Dog\n  kind: baest\n"),
    "a misspelt kind beside other slips": cards("- name: Dog\n  kind: baest\n  power: three\n  copies: two\n"),
}
"""What people may do wrong."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    **{name: ("check", "flames.yaml") for name in MISTAKES if name.startswith("a deck ") and "among" not in name},
    "a deck among the cards, given alone": ("check", "pack/deck.yaml"),
    "a folder of decks": ("check", "decks"),
    "a folder of decks, printed": ("pdf", "decks"),
}
"""What is run for some of them, in place of `check pack`."""


def told_of(name: str) -> str:
    """Return what is said of a set with a mistake, in the current folder."""
    files = {**FILES, **MISTAKES[name]}  # of empty ones, there is no file
    write_files(Path(), {file: text for file, text in files.items() if text})
    return kotc(*COMMANDS.get(name, ("check", "pack"))).output


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_these_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert told_of(name) == golden_words(GOLDEN)[name]


def test_every_mistake_has_a_place_and_a_next_step() -> None:
    assert list(golden_words(GOLDEN)) == list(MISTAKES)
    for name, words in golden_words(GOLDEN).items():
        places = re.findall(r"^(?:[\w./]+(?::\d+:\d+|, cell \w+): )?(?:error|warning): ", words, re.MULTILINE)
        assert places, name
        assert words.count("\n  hint: ") == len(places), name


if __name__ == "__main__":
    write_golden(GOLDEN, MISTAKES, told_of)
