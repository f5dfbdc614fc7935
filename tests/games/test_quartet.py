"""A second game, of two kinds of card, needs nothing but `render/game/protocol`, and nothing of the first."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from render.game import registry
from render.game.cards import GameCard, GameSet
from render.game.protocol import Game
from tests.games.quartet.decks import GAME
from tests.support.repository import ROOT
from tests.support.schema_verdicts import refusals, validator
from tests.support.sets import kotc

ANSWER = Path("answer.json")

SET = """
name: Beasts of the North
game: quartet
theme: Forest and fell
back: {token: none}
outputs: {png: {dpi: 100}, sheets: true, gallery: true}
"""
CARDS = """
- {name: Brown Bear, kind: beast, family: Bears, weight: 300, art: bear.png}
- {name: Polar Bear, kind: beast, family: Bears, weight: 450}
- {name: Black Bear, kind: beast, family: Bears, weight: 140}
- {name: Sun Bear, kind: beast, family: Bears, weight: 60, copies: 2}
- {name: Joker, kind: token}
"""

PROVED = (
    "1 sheet, 6 cards, 2 pages: sizes, places, backs, copies, drawings, marks, fonts, edges, print hints: all right"
)

RUN = """
import sys
sys.path.insert(0, {root!r})
from tests.games.quartet.decks import GAME
from render.game import registry
registry.register(GAME)
from render.cli.main import main
status = 0
for words in {commands!r}:
    try:
        main(words)
    except SystemExit as end:
        status = status or end.code
print(*sorted(name for name in sys.modules if name.startswith("render")), sep="\\n", file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a set of the second game, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    write(tmp_path, SET, CARDS)
    Image.new("RGB", (800, 650), "#885533").save(tmp_path / "set/bear.png")
    return tmp_path


def write(folder: Path, words: str, cards: str) -> None:
    (folder / "set/set.yaml").write_text(words.lstrip(), encoding="utf-8")
    (folder / "set/cards.yaml").write_text(cards.lstrip(), encoding="utf-8")


def quartet(*commands: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run commands in a process of their own, to which the second game is known; and ask what they imported."""
    script = RUN.format(root=str(ROOT), commands=commands)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=False)


def quartet_at_once(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a copy of this process, to which the second game is known: without starting Python anew.

    What it imported is no matter here. Where processes cannot be copied, it has one of its own.
    """
    if sys.platform == "win32":
        return quartet(words)
    child = os.fork()
    if not child:
        try:
            registry.register(GAME)
            result = kotc(*words)
            ANSWER.write_text(json.dumps([result.exit_code, result.stdout, result.stderr]), encoding="utf-8")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return subprocess.CompletedProcess(words, *json.loads(ANSWER.read_text(encoding="utf-8")))


def said(result: subprocess.CompletedProcess[str]) -> str:
    """Return what a command said, without the names of modules."""
    lines = result.stderr.splitlines()
    return "\n".join(line for line in lines if not line.startswith("render"))


COMMANDS = (
    ("check", "set"),
    ("png", "set", "--dpi", "100", "--out", "pngs"),
    ("pdf", "set", "--out", "sheets.pdf"),
    ("verify", "sheets.pdf", "--set", "set"),
    ("build", "set"),
    ("table", "set", "--for", "folder", "--out", "table"),
    ("pdf", "bears.yaml", "--out", "sheets-of-a-deck.pdf"),
)


def test_no_command_that_takes_cards_of_a_second_game_imports_anything_of_the_first(folder: Path) -> None:
    (folder / "bears.yaml").write_text(DECK.lstrip(), encoding="utf-8")
    result = quartet(*COMMANDS)
    assert result.returncode == 0, result.stderr
    imported = {line for line in result.stderr.splitlines() if line.startswith("render")}
    assert imported > {"render.game.protocol", "render.verify", "render.png.workers"}
    assert {name for name in imported if name.startswith("render.games.")} == set()


def test_sheets_of_a_second_game_are_verified_against_its_set(folder: Path) -> None:
    assert quartet_at_once("pdf", "set", "--out", "sheets.pdf").returncode == 0
    result = quartet_at_once("verify", "sheets.pdf", "--set", "set")
    assert (result.returncode, said(result)) == (0, PROVED)
    write(folder, SET, CARDS + "- {name: Otter, kind: token}\n")
    result = quartet_at_once("verify", "sheets.pdf", "--set", "set")
    assert (result.returncode, "otter" in result.stdout + said(result)) == (1, True)


def test_a_build_has_pictures_and_a_gallery_and_makes_anew_only_what_changed(folder: Path) -> None:
    assert quartet_at_once("build", "set").returncode == 0
    out, beasts = folder / "out/set", ["black-bear", "brown-bear", "joker", "polar-bear", "sun-bear"]
    assert sorted(path.stem for path in (out / "png").iterdir()) == beasts
    page = (out / "gallery.html").read_text(encoding="utf-8")
    assert [word for word in ("Brown Bear", "Bears") if word not in page] == []
    again = quartet_at_once("build", "set")
    assert "(0 written," in said(again) + again.stdout
    write(folder, SET, CARDS.replace("450", "455"))
    stale = said(quartet_at_once("build", "set", "--explain"))
    assert [word in stale for word in ("polar-bear", "weight", "brown-bear")] == [True, True, False]


def test_a_table_has_the_columns_of_the_game(folder: Path) -> None:
    assert quartet_at_once("table", "set", "--for", "folder", "--out", "table").returncode == 0
    with (folder / "table/cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["id", "name", "family", "weight", "copies", "front", "back"]
    assert rows[1] == ["brown-bear", "Brown Bear", "Bears", "300", "1", "brown-bear.png", "backs/1.png"]


def test_the_rules_of_the_game_are_asked(folder: Path) -> None:
    write(folder, SET, CARDS.replace("- {name: Sun Bear, kind: beast, family: Bears, weight: 60, copies: 2}\n", ""))
    result = quartet_at_once("check", "set", "--format", "json")
    (finding,) = json.loads(result.stdout)
    assert (finding["code"], finding["message"]) == ("R101", "the family `Bears` has 3 of 4 beasts")
    assert quartet_at_once("check", "set", "--strict").returncode == 1


@pytest.mark.parametrize(
    ("cards", "code", "message"),
    [
        ("- {name: Bear, kind: beest}\n", "C007", "expected `beast` or `token`, found `beest`"),
        ("- {name: Bear, kind: token, weight: 3}\n", "C002", "unknown key `weight`"),
        ("- {name: Bear, kind: beast, family: Bears}\n", "C004", "`bear` has no `weight`"),
        ("- {name: A, kind: token}\n- {name: a, kind: token}\n", "C013", "two cards have the id `a`"),
        ("- {name: Bear, kind: beast, family: B, weight: 3, art: ../x.png}\n", "C018", "lies outside the set's folder"),
    ],
)
def test_mistakes_in_cards_get_the_messages_of_every_game(folder: Path, cards: str, code: str, message: str) -> None:
    write(folder, SET, cards)
    result = quartet_at_once("check", "set", "--format", "json")
    findings = json.loads(result.stdout)
    assert any(each["code"] == code and message in each["message"] for each in findings), findings


@pytest.mark.parametrize(
    ("game", "asked", "facts"),
    [
        ("quartett", "check set", ["expected `kotc` or `quartet`, found `quartett`", "did you mean `quartet`?"]),
        ("quartet", "migrate set --to 17", ["`set` is a set of the game `quartet`"]),
        ("quartet", "pdf --blank beast:9 set", ["the game `quartet` has no blank cards"]),
    ],
)
def test_what_a_game_has_not_is_said(folder: Path, game: str, asked: str, facts: list[str]) -> None:
    write(folder, SET.replace("quartet", game), CARDS)
    result = quartet_at_once(*asked.split())
    assert result.returncode != 0
    assert [fact for fact in facts if fact not in said(result) + result.stdout] == []


def test_where_values_come_from_and_how_many_there_are_is_told_of_every_game(folder: Path) -> None:
    write(folder, SET, CARDS)
    explained = quartet_at_once("explain", "brown-bear", "set").stdout
    assert "  weight " in explained
    assert "the card, set/cards.yaml:" in explained
    assert "beast" in quartet_at_once("balance", "set").stdout


def test_a_game_that_leaves_a_member_out_cannot_be_made() -> None:
    class Half(Game[GameCard, GameSet]):
        name = "half"

    with pytest.raises(TypeError, match="abstract method"):
        Half()  # type: ignore[abstract]


def test_a_game_is_no_more_than_a_page_of_code() -> None:
    assert len((ROOT / "tests/games/quartet/game.py").read_text(encoding="utf-8").splitlines()) <= 150


DECK = """
name: Night of the Bears
game: quartet
players: 3
sets: set
cards: {Polar Bear: 2, sun-bear: 3}
"""


def test_a_deck_of_a_second_game_is_printed_by_its_own_rules(folder: Path) -> None:
    (folder / "bears.yaml").write_text(DECK.lstrip(), encoding="utf-8")
    result = quartet_at_once("pdf", "bears.yaml", "--out", "sheets.pdf")
    assert result.returncode == 0, result.stderr
    assert "3 players cannot share the cards evenly: 2 too many [R102]" in said(result)
    verified = said(quartet_at_once("verify", "sheets.pdf", "--set", "bears.yaml"))
    assert verified.startswith("1 sheet, 5 cards, 2 pages: ")
    assert verified.endswith("all right")


def test_mistakes_in_a_deck_of_a_second_game_get_the_messages_of_every_game(folder: Path) -> None:
    (folder / "bears.yaml").write_text(DECK.replace("sun-bear", "joker").replace("players", "player"), encoding="utf-8")
    findings = json.loads(quartet_at_once("check", "bears.yaml", "--format", "json").stdout)
    assert [(each["code"], each["message"]) for each in findings] == [
        ("B002", "unknown key `player`"),
        ("B024", "`joker` is a token, and does not belong in a deck"),
    ]


# --- schemas --------------------------------------------------------------------------------------------------------


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process know the second game, until the test ends."""
    monkeypatch.setitem(registry._GAMES, GAME.name, GAME)


def refused(name: str, text: str) -> list[str]:
    return refusals(name, text, game=GAME.name)


@pytest.mark.usefixtures("known")
def test_its_files_have_schemas() -> None:
    assert refused("set", SET) == []
    assert refused("cards", CARDS) == []
    assert refused("deck", "name: D\ngame: quartet\nsets: set\ncards: {joker: 2}\n") == []
    for wrong in ("- {name: A, kind: beast}", "{name: A, kind: token, weight: 3}", "{name: A, kind: minion, level: 3}"):
        assert refused("cards", wrong)
    assert refused("set", "name: A\nedition: 17\n")


@pytest.mark.usefixtures("known")
def test_a_game_that_says_nothing_of_its_keys_has_schemas_of_the_common_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "card_file_schema", Game.card_file_schema)
    validator.cache_clear()
    assert refused("set", SET) == []
    assert refused("cards", CARDS) == []
    assert refused("cards", "{name: A, kind: minion}")
    assert refused("cards", "{name: A, kind: token, copies: many}")
    validator.cache_clear()
