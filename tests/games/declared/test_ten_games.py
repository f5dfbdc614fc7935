"""Ten games of very different shapes, three of them full of mistakes, and what the program reads of each.

`ten_games` has their files, each below a line `=== FILE`, and in `said.txt` their values and the code and place of each
finding. `python -m tests.games.declared.test_ten_games` writes that anew, for you to read the difference.
"""

import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest
import yaml

from render.game.declared.cards import DeclaredSet
from render.game.declared.reading.game_rules import GameRules, read_game
from render.game.sources import survey
from tests.games.declared.lanterns import BACK, SVG, write_files
from tests.support.golden_words import golden_words, write_golden
from tests.support.sets import kotc

FOLDER = Path(__file__).with_name("ten_games")
GOLDEN = FOLDER / "said.txt"
GAMES = ("pairs", "lamps", "moons", "sums", "letters", "tables", "odd_fields", "odd_kinds", "odd_extras", "odd_yaml")
OF_GAME = ("fields", "kinds", "icons", "colors", "fonts", "table", "order")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_read_as_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_of(name) == golden_words(GOLDEN)[name]


def test_each_game_has_its_words() -> None:
    assert [*golden_words(GOLDEN)] == [*GAMES]
    assert sorted(each.stem for each in FOLDER.glob("*.txt") if each != GOLDEN) == sorted(GAMES)


def read_of(name: str) -> str:
    """Return what is read of a game and its cards, and what `kotc check` finds, for files in the working folder."""
    write_files(Path("pack"), files_of(name))
    rules, _ = read_game(Path("pack"))
    lines = [*(_rules(rules) if rules else ()), *_cards(), *_findings()]
    return "".join(f"{line}\n" for line in lines)


def files_of(name: str) -> dict[str, str]:
    """Return the files of a game, with a template of each kind that shows every field."""
    files = {"set.yaml": "name: Pack\n", **golden_words(FOLDER / f"{name}.txt")}
    try:
        game = yaml.safe_load(files["game.yaml"])
    except yaml.YAMLError:
        return files
    fields = [key for key in game.get("fields", {}) if re.fullmatch("[a-z]+", key)]
    shown = " ".join(f"{{% if card.{key} %}}{key}{{% endif %}}" for key in fields)
    front = SVG.format(
        f'<text x="3" y="9" width="57" height="70" font-size="3" min-size="1">{{{{ card.name }}}} {shown}</text>\n'
    )
    names = (*game["kinds"], "frame", "halves", "day", "night")
    return {"templates/back.svg": BACK, **{f"templates/{each}.svg": front for each in names}, **files}


def _rules(rules: GameRules) -> Iterator[str]:
    for part in OF_GAME:
        yield from (f"{part}: {_shown(each)}" for each in getattr(rules, part))
    yield f"words: {_shown(rules.words)}, deck: {_shown(rules.deck)}, id: {rules.id_template}"


def _shown(value: object) -> str:
    """Return a value as text, the same in every run."""
    if isinstance(value, frozenset):
        return _shown(tuple(sorted(value)))
    if isinstance(value, Enum):
        return str(value.value)
    names = getattr(value, "_fields", None) or getattr(value, "__struct_fields__", ())
    if names:
        return "; ".join(f"{name} {_shown(getattr(value, name))}" for name in names if getattr(value, name) != "")
    return f"({', '.join(map(_shown, value))})" if isinstance(value, tuple) else repr(value)


def _cards() -> Iterator[str]:
    for card_set in survey([Path("pack")])[0]:
        assert isinstance(card_set, DeclaredSet)
        game = card_set.own_game
        yield f"columns: {', '.join(game.columns)}; cards: {', '.join(each.id for each in game.ordered(card_set.cards))}"
        for each in card_set.cards:
            yield f"card {each.id}: {each.kind.value} {each.copies} {each.back} {dict(each.values)}"
            yield f"  row: {game.row(each)}; {each.name}; {game.about(each)}"


def _findings() -> Iterator[str]:
    for each in json.loads(kotc("check", "pack", "--format", "json").stdout):
        place = f"{each['file']}:{each['line']}:{each['column']}-{each['end_line']}:{each['end_column']}"
        yield f"{each['severity']} {each['code']} {place} {each['card'] or '-'} {each['field'] or '-'}"


if __name__ == "__main__":
    write_golden(GOLDEN, GAMES, read_of)
