"""The schemas take what the program takes, refuse what it refuses, and say what the reference says."""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from proofs.generated_files import tried

from render.base.findings import Severity
from render.game import registry
from render.game.decks.deck_file import DECK_KEYS
from render.game.schemas import all_schemas, schema_text
from render.game.sets.set_keys import SET_KEYS
from render.games.kotc.editions.finding import SHIPPED
from render.games.kotc.editions.reading import KEYS as OF_EDITIONS
from render.games.kotc.files import keys
from render.games.kotc.files.keys import ART
from render.games.kotc.files.words_key import WORDS
from render.games.kotc.languages.reading import KEYS as OF_LANGUAGES
from render.games.kotc.sets import survey
from render.sheets.options import KEYS as OPTION_KEYS
from render.sheets.options import OPTIONS, Option
from render.shops.declared_outputs import KEYS as OUTPUTS
from render.source.fields import fields_of
from render.source.file_kinds import FileKind
from render.source.reader import read_as
from render.source.shapes import KeyRow, without_links
from tests.support.pages import page
from tests.support.repository import ROOT
from tests.support.schema_verdicts import of_set, refusals, validator
from tests.support.sets import kotc

GAME = registry.game_named("kotc")
SETS = sorted(file.parent for file in ROOT.glob("cards/*/set.yaml"))
NINTH = ROOT / "tests/games/kotc/official_cards_of_the_9th.yaml"


# --- what is sound ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_the_sets_of_the_repository_are_taken(folder: Path) -> None:
    assert list(of_set(folder, survey([folder])[1])) == []


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.yaml")), ids=lambda file: file.name)
def test_the_rules_that_come_with_the_program_are_taken(file: Path) -> None:
    name = "language" if "." in file.stem else "edition"
    assert refusals(name, file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("edition", [10, 11, 12, 14, 17])
def test_cards_of_the_9th_edition_are_taken_after_every_migration(edition: int, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text("name: Ninth\nedition: 9\n", encoding="utf-8")
    shutil.copy(NINTH, tmp_path / "cards.yaml")
    assert kotc("migrate", tmp_path, "--to", edition).exit_code == 0
    assert list(of_set(tmp_path, survey([tmp_path])[1])) == []


def test_a_deck_of_the_reference_is_taken() -> None:
    (deck,) = re.findall(r"```yaml\n(# cards/decks/.*?)```", page("cards/decks.md"), re.DOTALL)
    assert refusals("deck", deck) == []


def test_schemas_agree_with_the_program_on_files_made_at_random(tmp_path: Path) -> None:
    found = list(tried(25, 3, tmp_path))
    assert [words for *_, differ in found for words in differ] == []
    assert len({codes for _, codes, _ in found}) > 8


# --- what is wrong ---------------------------------------------------------------------------------------------------

MINION = "name: A\nkind: minion\nlevel: 1\nsp: 1\nhp: 1\n"


@pytest.mark.parametrize(
    ("card", "edition"),
    [
        (MINION + "offense: 1\n", 17),
        (MINION.replace("minion", "creature"), 17),
        (MINION, 11),
        (MINION + "edition: 11\n", 17),
        ("name: A\nkind: spell\ntext: B\nlevel: 1\n", 11),
        ("name: A\nkind: spell\ntext: B\ncost: 1\n", 12),
        ("name: A\nkind: spell\ntext: B\ncost: 1\nlevel: 1\n", None),
        ("name: A\nkind: spell\ntext: B\nlevel: 1\nedition: 9\n", None),
        ("name: A\nkind: spell\nlevel: 1\n", 17),
        ("name: A\nkind: pawn\noffense: 1\nhp: 1\n", None),
        ("name: A\nkind: tip\ntext: B\nlevel: 1\n", None),
        ('name: A\nkind: minion\nlevel: "1"\nsp: 1\nhp: 1\n', 17),
    ],
)
def test_a_card_with_keys_of_another_kind_or_edition_is_refused(card: str, edition: int | None) -> None:
    assert refusals("cards", card, edition)


@pytest.mark.parametrize(
    ("card", "edition"),
    [
        (MINION, None),
        (MINION + "edition: 12\n", 9),
        (MINION + "edition: none\n", 9),
        ("name: A\nkind: creature\ncost: auto\noffense: 1\ndefense: 1\nedition: none\n", 17),
        ("name: A\nkind: spell\ntext: B\ncost: 1\nedition: none\n", 17),
        ("name: A\nkind: spell\ntext: B\nlevel: 1\nedition: none\n", 9),
        ("name: A\nkind: pawn\nedition: none\n", 9),
        ("name: A\nkind: pawn\ncost: 1\n", None),
        ("&all {name: 7, kind: tip, text: true}", None),
        ("- {name: A, kind: tip, text: &it B}\n- {name: C, kind: tip, text: *it}\n", None),
        ("- &a {name: A, kind: tip, text: B}\n- {<<: *a, name: C}\n", None),
    ],
)
def test_a_card_is_read_by_its_edition_and_its_kind(card: str, edition: int | None) -> None:
    assert refusals("cards", card, edition) == []


def test_every_kind_of_wrong_key_of_the_reference_is_refused() -> None:
    for wrong in (
        "name: A\nlanguage: en\nlanguages: [en]",
        "name: A\noutputs: [gallery]",
        "name: A\nsheet: {papr: a4}",
    ):
        assert refusals("set", wrong), wrong


# --- what no schema can tell -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "card",
    [
        MINION.replace("1", "01"),
        MINION.replace("1", "1.0"),
        MINION + "name_size: 4.12345\n",
        MINION.replace("name: A", "name:"),
    ],
)
def test_what_the_page_on_editors_says_no_schema_can_tell_is_taken(card: str, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text("name: A\nedition: 17\n", encoding="utf-8")
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    assert [each for each in survey([tmp_path])[1] if each.severity is Severity.ERROR]
    assert refusals("cards", card, 17) == []


# --- options of sheets -----------------------------------------------------------------------------------------------

WRITTEN = (
    "0", "1", "3", "5.5", "12", "-1", "600", "1300", "99999", "2mm", "0.1in", "3 pt", "2mn", "auto", "AUTO", "none",
    "off", "edge", "a4", "A4", "a5", "poker", "210x297", "8.5in x 11in", "2×3", "3x", "0x3", "3X3", "true", "no",
    '"true"', '"3"', "'#80aaFF'", "'#80aaF'", "original", "2024-01-01", "silhouette", "x-4", "duplex", "mirror",
    "long-edge", "both", "fronts", "block", "low-ink", "corner", '""', '"a\\nb"',
)  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_an_option_of_sheets_takes_what_its_reader_takes(option: Option) -> None:
    differing = {
        written
        for written in WRITTEN
        if is_read(option.key, written) is bool(refusals("set", in_sheet(option.key, written)))
    }
    # Lengths that are texts have no bounds in a schema, and `0x3` is a number of YAML in base 16.
    assert {each for each in differing if not re.fullmatch('"[0-9]+"|[0-9.]+ ?[a-zX×].*', each)} == set()
    assert differing & {"0", "1", "5.5", "600", "1300", "99999", "-1"} == set()


def in_sheet(key: str, written: str) -> str:
    return f"name: A\nsheet: {{{key}: {written}}}\n"


def is_read(key: str, written: str) -> bool:
    document = read_as(in_sheet(key, written), Path("set.yaml"))
    sheet = fields_of(FileKind("S", "set", {"name": "A"}), document, document.root).inner("sheet")
    (option,) = (each for each in OPTIONS if each.key == key)
    assert sheet is not None
    sheet.read(key, option.read)
    return not sheet.findings


# --- keys and words --------------------------------------------------------------------------------------------------


def properties(name: str, *path: str) -> set[str]:
    """Return the keys at a place of a schema; a step that is no key of it takes the last of several forms."""
    node: object = validator(name).schema
    for step in path:
        assert isinstance(node, dict)
        node = node["properties"][step] if step in node.get("properties", {}) else node[step]
        node = node["anyOf"][-1] if isinstance(node, dict) and "anyOf" in node else node
    assert isinstance(node, dict)
    return set(node["properties"])


def test_every_key_that_is_read_is_in_the_schema_and_no_other() -> None:
    assert properties("set") == {*SET_KEYS.names, *GAME.set_table.names}
    assert properties("set", "sheet") == set(OPTION_KEYS)
    assert properties("set", "outputs") == set(OUTPUTS)
    assert properties("deck") == {*DECK_KEYS.names, *GAME.deck_table.names}
    assert properties("edition") == set(OF_EDITIONS.names)
    assert properties("language") == set(OF_LANGUAGES.names)
    assert properties("cards", "$defs", "card", "art") == set(ART.names)
    assert properties("cards", "$defs", "card", "words", "additionalProperties") == set(WORDS.names)
    numbers = set(validator("cards").schema["$defs"]) & set(keys.NUMBERS)
    assert properties("cards", "$defs", "card") | numbers == set(keys.of_card(None, None))


def rows(text: str, head: str) -> set[tuple[str, ...]]:
    """Return the rows of the tables of a page that have that head."""
    lines = text.split("\n")
    found = set()
    for start in (number for number, line in enumerate(lines) if line == head):
        for line in lines[start + 2 :]:
            if not line.startswith("| "):
                break
            found.add(tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]))
    return found


def cells(of: Iterable[KeyRow], shown: Callable[[KeyRow], tuple[str, ...]]) -> set[tuple[str, ...]]:
    return {shown(row) for row in of}


def whole_row(row: KeyRow) -> tuple[str, ...]:
    return row.cell, row.value, row.default, row.words


def test_descriptions_are_the_words_of_the_reference() -> None:
    of_editions = page("render/games/kotc/editions/README.md")
    told = {row[:2] for row in rows(of_editions, "| key | what it is | in the game's pages |")}
    assert told == cells(OF_EDITIONS.rows, lambda row: (row.cell, row.words))
    assert rows(of_editions, "| key | what it is |") == cells(OF_LANGUAGES.rows, lambda row: (row.cell, row.words))


def test_every_key_at_the_top_of_a_file_has_a_description() -> None:
    for name, schema in all_schemas(GAME).items():
        parts = schema["$defs"] if name == "cards" else {"whole": schema}
        assert isinstance(parts, dict)
        for part in parts.values():
            for key, shape in part.get("properties", {}).items():
                # Editions with words in other languages have no caveats.
                assert shape.get("description") or (name, key) == ("language", "caveats"), (name, key)


def test_a_description_is_plain_text_of_whole_sentences() -> None:
    row = KeyRow("`copies`", "how often, [see](#there)", "0 to 999", "`1`")
    assert row.description({}) == "How often, see. Value: 0 to 999. Default: `1`."
    assert row.description({"enum": ["a"]}) == "How often, see. Default: `1`."
    assert without_links(r"[a](#b) or `[x\|y]`.") == "a or `[x|y]`"


def test_a_schema_has_the_same_bytes_every_time() -> None:
    for name, schema in all_schemas(GAME, 17).items():
        text = schema_text(schema)
        assert text == schema_text(all_schemas(GAME, 14)[name])
        assert text.endswith("}\n")
        assert len(text) < 30_000
    assert schema_text(all_schemas(GAME, 11)["cards"]) != schema_text(all_schemas(GAME, 12)["cards"])
