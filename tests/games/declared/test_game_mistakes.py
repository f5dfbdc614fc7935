"""Mistakes in `game.yaml` and in cards of such games, one at a time, and all that `kotc check` says of each.

`game_mistakes.txt` has the words. `python -m tests.games.declared.test_game_mistakes` writes them anew, for you to read
the difference.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.games.declared.lanterns import FILES, write_files
from tests.support.repository import ROOT
from tests.support.sets import kotc

GOLDEN = Path(__file__).with_name("game_mistakes.txt")

FIELDS = """\
  family: {required: true, pattern: "[A-Z].*", hint: begin with a capital}
  weight: {type: number, range: [1, 5000]}
  rarity: {type: choice, choices: [common, rare], default: common}
"""
KINDS = "  beast: {fields: [family, weight!, rarity]}\n"


def game(fields: str = FIELDS, kinds: str = KINDS, more: str = "") -> dict[str, str]:
    """Return the file of a game."""
    return {"game.yaml": f"name: Lanterns\nfields:\n{fields}kinds:\n{kinds}{more}"}


def field(text: str) -> dict[str, str]:
    """Return the file of a game with one more field."""
    return game(fields=f"{FIELDS}  {text}\n")


def kind(text: str) -> dict[str, str]:
    """Return the file of a game with one kind."""
    return game(kinds=f"  beast: {text}\n")


def more(text: str) -> dict[str, str]:
    """Return the file of a game with one more key."""
    return game(more=f"{text}\n")


def card(text: str) -> dict[str, str]:
    """Return a card file."""
    return {"cards.yaml": f"- {{{text}}}\n"} | game()


DOG = "name: Dog, kind: beast, family: Dogs, weight: 20"

MISTAKES: Mapping[str, Mapping[str, str]] = {
    "empty file": {"game.yaml": ""},
    "a list": {"game.yaml": "- beast\n- token\n"},
    "no name": {"game.yaml": "kinds: {beast: {}}\n"},
    "no kinds": {"game.yaml": "name: Lanterns\n"},
    "kinds are empty": {"game.yaml": "name: Lanterns\nkinds: {}\n"},
    "kinds are a list": {"game.yaml": "name: Lanterns\nkinds: [beast, token]\n"},
    "misspelt key": more("colours: {ember: '#b5432a'}"),
    "misspelt type": field("speed: {type: numbr}"),
    "type of another program": field("speed: {type: integer}"),
    "type as the short form": field("speed: numbers"),
    "a field in capitals": field("Speed: {type: number}"),
    "a field that every card has": field("name: {type: line}"),
    "a field that templates know as something else": field("items: {type: list}"),
    "a field is a list": field("speed: [1, 2]"),
    "unknown key of a field": field("speed: {type: number, maximum: 9}"),
    "a pattern for a number": field('speed: {type: number, pattern: "[0-9]+"}'),
    "choices without a choice": field("speed: {type: line, choices: [slow, fast]}"),
    "a choice without choices": field("speed: {type: choice}"),
    "choices are a word": field("speed: {type: choice, choices: {slow: 1}}"),
    "a choice twice": field("speed: {type: choice, choices: [slow, fast, slow]}"),
    "a default that is no choice": field("speed: {type: choice, choices: [slow, fast], default: fsat}"),
    "a default out of range": field("speed: {type: number, range: [1, 9], default: 12}"),
    "a default against the pattern": field('speed: {pattern: "[a-z]+", default: Fast, hint: in small letters}'),
    "a default of what is required": field("speed: {type: number, required: true, default: 1}"),
    "required in words": field("speed: {type: number, required: always}"),
    "range in words": field("speed: {type: number, range: 1-9}"),
    "range upside down": field("speed: {type: number, range: [9, 1]}"),
    "pattern without end": field('speed: {pattern: "[a-z"}'),
    "pattern that looks ahead": field('speed: {pattern: "(?=x)y"}'),
    "pattern that refers back": field(r"speed: {pattern: '(a)\1'}"),
    "pattern that is huge": field('speed: {pattern: "(a{99}){99}"}'),
    "an alias of two fields": field("speed: {type: number, aliases: [weight]}"),
    "an alias that every card has": field("speed: {type: number, aliases: [copies]}"),
    "a derived field with a default": field("speed: {value: weight * 2, default: 3}"),
    "expression with a slip": field("speed: {value: wieght * 2}"),
    "expression in braces": field('speed: {value: "{{ weight }}"}'),
    "expression without end": field("speed: {value: weight * }"),
    "two expressions": field("speed: {value: weight weight}"),
    "unknown filter": field("speed: {value: weight | squared}"),
    "a circle of one": field("speed: {value: speed + 1}"),
    "a circle of three": game(fields=f"{FIELDS}  a: {{value: b + 1}}\n  b: {{value: c + 1}}\n  c: {{value: a + 1}}\n"),
    "an unknown field of a kind": kind("{fields: [familiy, weight]}"),
    "a field of a kind twice": kind("{fields: [family, weight, family]}"),
    "a key of every card as a field of a kind": kind("{fields: [family, art]}"),
    "a derived field of a kind": game(fields=f"{FIELDS}  s: {{value: weight}}\n", kinds="  beast: {fields: [s]}\n"),
    "a kind in capitals": game(kinds="  Beast: {}\n"),
    "a kind is a word": kind("animal"),
    "unknown key of a kind": kind("{field: [family]}"),
    "copies of a kind in words": kind("{copies: many}"),
    "no copies of a kind": kind("{copies: 0}"),
    "three faces": kind("{faces: 3}"),
    "one template for two sides": kind("{faces: [day]}"),
    "templates named twice": kind("{faces: [day, night], template: beast}"),
    "a back outside the game": kind("{back: ../back.png}"),
    "a rule is a text": kind("{check: [weight > 1]}"),
    "a rule without message": kind("{check: [{that: weight > 1}]}"),
    "a rule with a slip": kind("{check: [{that: wieght > 1, message: too light}]}"),
    "a rule of an unknown severity": kind("{check: [{that: weight > 1, message: too light, severity: fatal}]}"),
    "an icon in braces": more("icons: {'{T}': icons/turn.svg}"),
    "an icon that is a picture": more("icons: {T: icons/turn.png}"),
    "an icon that is not there": more("icons: {T: icons/turn.svg}"),
    "an icon that is misspelt": {**more("icons: {T: icons/trun.svg}"), "icons/turn.svg": "<svg/>"},
    "an icon without a name": {**more("icons: {T: icons/t.svg}"), "icons/t.svg": "<svg/>", "icons/u.svg": "<svg/>"},
    "a font that is not there": more("fonts: {body: fonts/Body.ttf}"),
    "an icon outside the game": more("icons: {T: ../turn.svg}"),
    "a color without quotes": more("colors:\n  ember: #b5432a"),
    "a color by name": more("colors: {ember: red}"),
    "a font without a file": more("fonts: {body: {fallback: [DejaVu Sans]}}"),
    "a font that is none": more("fonts: {body: fonts/Body.woff2}"),
    "a font twice": more("fonts: {body: {file: a.ttf, files: [b.ttf]}}"),
    "an axis in words": more("fonts: {body: {file: a.ttf, axes: {weight: 650}}}"),
    "words are a list": more("words: [Flying]"),
    "a deck of no cards": more("deck: {size: 0}"),
    "a deck upside down": more("deck: {size: [60, 40]}"),
    "a column that is no field": more("table: [name, wieght]"),
    "an order by no field": more("order: [kind, nmae]"),
    "the same id for all": more("id: name"),
    "an id of an unknown field": more('id: "{{ nmae }}"'),
    "the key twice": more("name: Lamps"),
    "a folder that is not there": {"set.yaml": "name: Beasts\ngame: ../lanterns\n"},
    "a folder without a game": {"set.yaml": "name: Beasts\ngame: ./art\n", "art/a.txt": ""},
    "a folder of one machine": {"set.yaml": "name: Beasts\ngame: C:\\games\\lanterns\n"},
    "an unknown game": {"set.yaml": "name: Beasts\ngame: lantern\n"},
    "card: unknown key": card(f"{DOG}, wieght: 3"),
    "card: a key of another kind": card(f"{DOG}, wings: 2")
    | game(fields=f"{FIELDS}  wings: number\n", kinds=f"{KINDS}  bird: {{}}\n"),
    "card: a derived key": card(f"{DOG}, heavy: 2") | field("heavy: {value: weight > 20}"),
    "card: without what it must have": card("name: Dog, kind: beast"),
    "card: unknown kind": card("name: Dog, kind: best, family: Dogs"),
    "card: without kind": card("name: Dog, family: Dogs") | game(kinds=f"{KINDS}  token: {{}}\n"),
    "card: a number in words": card(DOG.replace("20", "heavy")),
    "card: a number out of range": card(DOG.replace("20", "6000")),
    "card: a number in quotes": card(DOG.replace("20", '"20"')),
    "card: no choice": card(f"{DOG}, rarity: rear"),
    "card: against the pattern": card(DOG.replace("Dogs", "dogs")),
    "card: two names for one": card(f"{DOG}, mass: 3")
    | game(fields=FIELDS.replace("range: [1, 5000]", "range: [1, 5000], aliases: [mass]")),
    "card: faces of a kind without": card(f"{DOG}, faces: []"),
    "card: a key of the set": card(f"{DOG}, sheet: {{paper: a4}}"),
    "card: a list of lists": card(f"{DOG}, tags: [[a]]") | game(f"{FIELDS}  tags: list\n", "  beast: {}\n"),
    "card: a flag in words": card(f"{DOG}, wild: perhaps") | game(f"{FIELDS}  wild: flag\n", "  beast: {}\n"),
    "card: a picture outside": card(f"{DOG}, badge: ../b.png") | game(f"{FIELDS}  badge: picture\n", "  beast: {}\n"),
    "card: a template that is not there": card(f"{DOG}, template: baest"),
    "card: divided by nothing": card(DOG) | field("speed: {value: weight / (weight - 20)}"),
    "card: an expression that never ends": card(DOG)
    | field("speed: {value: \"range(99999) | map('string') | join | length\"}"),
    "card: an expression that eats memory": card(DOG) | field("speed: {value: \"'a' * 10 ** 9\"}"),
    "card: a rule that cannot be judged": card(DOG) | kind("{check: [{that: weight / 0 > 1, message: no}]}"),
    "cards: a rule that compares a text with a number": {
        "cards.yaml": f"- {{{DOG}}}\n- {{{DOG.replace('Dog,', 'Fox,')}}}\n",
        **kind("{check: [{that: weight > family, message: no}]}"),
    },
    "a tab among fields": game(fields=f"\tspeed: number\n{FIELDS}", more="table: [name, weight]\n"),
    "a bad escape among fields": field('speed: {pattern: "[A-Z]\\d"}'),
    "card: one small card of two": card("kind: beast, faces: [{name: Dusk}]")
    | game(fields="  rules: text\n", kinds="  beast: {faces: 2}\n"),
    "card: icons without quotes": card(f"{DOG}, cost: {{G}}")
    | game(f"{FIELDS}  cost: icons\n", "  beast: {}\n", "icons: {G: templates/back.svg}\n"),
    "card: a list of icons": card(f"{DOG}, cost: [2, G]")
    | game(f"{FIELDS}  cost: icons\n", "  beast: {}\n", "icons: {G: templates/back.svg}\n"),
    "card: no id follows": card(DOG) | more("id: '{{ \"★\" }}'"),
}
"""What people who make games may do wrong."""


def told_of(mistake: Mapping[str, str]) -> str:
    """Return what `kotc check` says of a set with a mistake, in the current folder."""
    sound = {"cards.yaml": f"- {{{DOG}}}\n", **{name: FILES[name] for name in ("set.yaml", "templates/back.svg")}}
    front = '<svg width="63.5" height="88.9"><text y="9">{{ card.family }} {{ card.weight }}</text></svg>\n'
    write_files(Path("pack"), {**sound, "templates/beast.svg": front, **mistake})
    if "game.yaml" not in mistake:
        Path("pack/game.yaml").unlink(missing_ok=True)
    result = kotc("check", "pack")
    return result.output


def golden() -> dict[str, str]:
    """Return what is written down of each mistake."""
    parts = re.split(r"^=== (.*)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_these_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert told_of(MISTAKES[name]) == golden()[name]


def test_every_mistake_is_an_error_with_a_place_and_a_next_step() -> None:
    assert list(golden()) == list(MISTAKES)
    for name, words in golden().items():
        assert re.search(r"^(pack/[\w./]+:\d+:\d+: )?(error|warning|cannot be judged): ", words, re.MULTILINE), name
        # Of a value of another type, the message says which is expected.
        assert "\n  hint: " in words or re.search(r": expected .* \[[CM]00[567]\]", words), name


def main() -> None:
    here = Path.cwd()
    lines = []
    for name, mistake in MISTAKES.items():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            lines.append(f"=== {name}\n{told_of(mistake)}")
            os.chdir(here)
    GOLDEN.write_text("".join(lines), encoding="utf-8")
    print(f"{GOLDEN.relative_to(ROOT)}: {len(MISTAKES)} mistakes")


if __name__ == "__main__":
    main()
