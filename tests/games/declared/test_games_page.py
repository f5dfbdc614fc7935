"""What the pages on games say works as it stands there: the game is copied from the page and built."""

import re
from pathlib import Path

import pytest

from render.game.declared.reading.field_keys import FIELD, TYPES
from render.game.declared.reading.file_keys import FONT
from render.game.declared.reading.game_rules import DECK, GAME, WORDS, understood
from render.game.declared.reading.kind_keys import KIND, RULE
from tests.games.declared.lanterns import write_files
from tests.support.pages import page
from tests.support.sets import kotc

PAGE = page("cards/games.md") + page("cards/reference/games.md") + page("cards/reference/rich-text.md")
FILES = dict(re.findall(r"^`lanterns/([\w./]+)`\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SNIPPETS = [
    text for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if text not in FILES.values()
]


def test_the_deck_of_the_page_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(Path("lanterns"), FILES)
    (deck,) = (each for each in SNIPPETS if "\nsets:" in each)
    Path("flames.yaml").write_text(deck, encoding="utf-8")
    assert "a deck of Lanterns has at least 20 cards, found 3 [M042]" in kotc("check", "flames.yaml").output


def test_numbers_of_any_length_keep_to_the_icon_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    card = '- {name: Toll, kind: spell, light: moss, cost: "{%s}", rules: Pay.}\n'
    for number in (9, 12, 100, 1000, 10000):
        write_files(Path("lanterns"), {**FILES, "cards.yaml": card % number})
        assert kotc("check", "lanterns").output == "1 card checked: nothing to report\n"
    write_files(Path("lanterns"), {**FILES, "cards.yaml": card % 1000000})
    assert "condensed and shrunk" in kotc("check", "lanterns").output


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda text: text.split("\n")[0])
def test_every_example_of_the_page_is_read_without_a_mistake(snippet: str) -> None:
    fields = "fields: {types: line, power: number, toughness: number, cost: line, rules: rich, light: line%s}\n"
    kinds = "kinds: {creature: {}}\n"
    if snippet.startswith(("- ", "rules: |")) or "\nsets:" in snippet:
        return  # cards, a deck
    if snippet.startswith("value:"):
        values = [line.removeprefix("value:").split("  #")[0].strip() for line in snippet.strip().split("\n")]
        text = fields % "".join(f", v{number}: {{value: {value}}}" for number, value in enumerate(values)) + kinds
    else:
        own = snippet.split(":", maxsplit=1)[0]
        text = ("" if own == "fields" else fields % "") + ("" if own == "kinds" else kinds) + snippet
    _, findings = understood(f"name: Lanterns\n{text}", Path("lanterns"))
    assert [(str(each.span), each.message) for each in findings] == []


def test_every_key_has_its_place_on_the_page() -> None:
    keys = [name for table in (GAME, FIELD, KIND, RULE, FONT, WORDS, DECK) for name in table.names]
    missing = [key for key in (*keys, *TYPES) if not re.search(rf"`{key}`|\b{key}:", PAGE)]
    assert missing == []
