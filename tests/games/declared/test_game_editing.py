"""What an editor knows of games in YAML: the keys of `game.yaml`, and those of their cards."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from render.game.declared.reading.game_rules import game_file_shape
from render.lsp.document import set_of
from render.source.nodes import Mapping, Node, Scalar, Sequence
from render.source.reader import read_as
from tests.games.declared.lanterns import FILES, GAME, write_files
from tests.games.declared.test_game_mistakes import MISTAKES
from tests.games.declared.test_games_page import FILES as PAGE
from tests.support.marked_texts import completions, document_of, unmarked


def offered(folder: Path, name: str, text: str, game: str = GAME) -> list[str]:
    """Return the labels of what may be written at the mark in a file of a set."""
    plain, spot = unmarked(text)
    write_files(folder, {**FILES, "game.yaml": game, name: plain})
    return [each.label for each in completions(document_of(folder / name, plain), spot)]


def test_cards_are_completed_with_the_keys_and_choices_of_their_kind(tmp_path: Path) -> None:
    assert "family" in offered(tmp_path, "cards.yaml", "- name: Ox\n  kind: beast\n  ‸")
    assert "family" not in offered(tmp_path, "cards.yaml", "- name: Ox\n  kind: token\n  ‸")
    assert offered(tmp_path, "cards.yaml", "- name: Ox\n  kind: beast\n  rarity: ‸") == ["common", "rare"]


def test_a_field_called_draft_is_offered_to_its_kinds_alone(tmp_path: Path) -> None:
    game = GAME.replace("  wild: ", "  draft: flag\n  wild: ").replace("rarity, wild]", "rarity, wild, draft]")
    kinds = ("beast", "token")
    has = [kind for kind in kinds if "draft" in offered(tmp_path, "cards.yaml", f"- kind: {kind}\n  ‸", game)]
    assert has == ["beast"]


def test_a_game_is_completed_with_its_keys(tmp_path: Path) -> None:
    assert {"icons", "deck", "table"} <= set(offered(tmp_path, "game.yaml", "name: Lamps\nkinds: {a: {}}\n‸"))
    fields = offered(tmp_path, "game.yaml", "name: Lamps\nkinds:\n  a: {}\nfields:\n  power:\n    ‸")
    assert {"type", "range", "hint"} <= set(fields)
    assert offered(tmp_path, "game.yaml", "name: Lamps\nkinds: {a: {}}\nicons:\n  T:\n    ‸") == ["file", "size"]


def test_a_game_with_a_mistake_offers_the_keys_of_no_other_game(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    broken = {**FILES, "game.yaml": GAME.replace("kinds:", "knids:")}
    write_files(tmp_path, broken)
    assert set_of(tmp_path / "cards.yaml") is None


def as_json(node: Node) -> object:
    """Return YAML as an editor sees it."""
    match node:
        case Mapping():
            return {key.value: as_json(value) for key, value in node.entries}
        case Sequence():
            return [as_json(item) for item in node.items]
        case Scalar(value=value, style=style):
            plain = style.name == "PLAIN"
            known: dict[str, object] = {"true": True, "false": False, "": None}
            if plain and value in known:
                return known[value]
            if plain and value.lstrip("-").replace(".", "", 1).isdecimal():
                return float(value) if "." in value else int(value)
            return value


SCHEMA = Draft202012Validator(game_file_shape())


@pytest.mark.parametrize("text", [GAME, PAGE["game.yaml"]], ids=["lanterns", "page"])
def test_the_schema_takes_games_that_are_right(text: str) -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    assert [each.message for each in SCHEMA.iter_errors(as_json(read_as(text, Path("game.yaml")).root))] == []


OF_SHAPE = (
    "no name", "kinds are empty", "misspelt key", "misspelt type", "a field in capitals", "a field is a list",
    "unknown key of a field", "range in words", "unknown key of a kind", "three faces", "copies of a kind in words",
    "no copies of a kind", "a rule without message",
    "a rule of an unknown severity", "a color by name", "a deck of no cards", "words are a list",
)  # fmt: skip


@pytest.mark.parametrize("name", OF_SHAPE)
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    text = MISTAKES[name]["game.yaml"]
    assert list(SCHEMA.iter_errors(as_json(read_as(text, Path("game.yaml")).root))) != []
