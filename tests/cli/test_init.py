"""`kotc init`: a set to begin with is sound in every edition, overwrites nothing, and says how to go on."""

import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from render.base.sizes import usual_paper
from render.game import registry
from render.games.kotc.editions.finding import known
from render.source.reader import parse
from tests.games.quartet.game import Quartet
from tests.support.sets import kotc

EDITIONS = [number for number, _ in known()]
SCHEMAS = ["set/.kotc/cards.schema.json", "set/.kotc/set.schema.json"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, as a user whose country is not known."""
    monkeypatch.chdir(tmp_path)
    for variable in ("LC_ALL", "LC_PAPER", "LANG"):
        monkeypatch.setenv(variable, "")


def files() -> dict[str, bytes]:
    """Return all files here with their contents."""
    return {path.as_posix(): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def test_what_it_makes_and_says() -> None:
    result = kotc("init", "--name", "The Old Harbour")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "The Old Harbour: a set in cards/the-old-harbour, for sheets of a4: 5 files\n"
        "  cards/the-old-harbour/set.yaml\n"
        "  cards/the-old-harbour/cards.yaml\n"
        "  cards/the-old-harbour/art/wharf-cat.svg\n"
        "  cards/the-old-harbour/art/tea-for-two.svg\n"
        "  cards/the-old-harbour/art/tin-soldier.svg\n"
        "  cards/the-old-harbour/.kotc, from which editors know the keys of these files\n"
        "next:\n"
        "  kotc preview cards/the-old-harbour\n"
        "  kotc new minion 'Storm Hammer' --to cards/the-old-harbour\n"
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_its_cards_are_sound_in_every_edition(edition: int) -> None:
    kotc("init", "set", "--edition", edition)
    checked = kotc("check", "set", "--strict")
    assert (checked.exit_code, checked.stdout, checked.stderr) == (0, "", "3 cards checked: nothing to report\n")
    assert f"edition: {edition}" in Path("set/set.yaml").read_text(encoding="utf-8")


def test_the_commands_that_it_names_work_as_they_stand() -> None:
    said = kotc("init", "My Cards/It's here", "--name", "Storm").stderr.split("next:\n")[1]
    for line in said.splitlines():
        program, command, *words = shlex.split(line)
        # A preview goes on until it is stopped; `check` takes the same paths.
        assert (program, kotc("check" if command == "preview" else command, *words).exit_code) == ("kotc", 0)


def test_where_the_set_is_the_folder_one_stands_in_the_commands_need_no_path() -> None:
    assert "next:\n  kotc preview\n" in kotc("init", ".").stderr


@pytest.mark.parametrize("name", ["My Set: 2", "# 1", "yes", "12", 'O\'Neil "the" King', "- x", "ÆØ", "{a}", "2.5e3"])
def test_a_set_may_have_any_name(name: str) -> None:
    assert kotc("init", "set", "--name", name).exit_code == 0
    root = parse(Path("set/set.yaml").read_text(encoding="utf-8"), Path("set.yaml")).root
    assert root.get("name").value == name  # type: ignore[union-attr] # a mapping of scalars
    assert kotc("check", "set").exit_code == 0


def test_a_name_that_cannot_be_printed_is_wrong_usage() -> None:
    result = kotc("init", "Sea\ufe0f")
    assert (result.exit_code, files()) == (2, {})
    assert "U+FE0F is a character that cannot be seen" in result.stderr
    assert "give another name with --name" in result.stderr
    assert kotc("init", "Sea\ufe0f", "--name", "Sea").exit_code == 0


def test_a_name_may_have_letters_of_any_script() -> None:
    assert "日本: a set in cards/日本" in kotc("init", "--name", "日本").stderr
    assert kotc("check", "cards/日本").exit_code == 0
    assert kotc("init", "--name", "שלום").exit_code == 0


@pytest.mark.parametrize(
    ("folder", "name"),
    [("thor's-old_hammers", "Thor's Old Hammers"), ("Meine schönen Karten", "Meine schönen Karten")],
    ids=["words", "spaces and capitals of its own"],
)
def test_without_a_name_the_set_has_that_of_its_folder(folder: str, name: str) -> None:
    kotc("init", folder)
    assert Path(folder, "set.yaml").read_text(encoding="utf-8").splitlines()[1] == f"name: {name}"


def test_nothing_is_overwritten_and_all_that_is_in_the_way_is_said() -> None:
    Path("set/art").mkdir(parents=True)
    Path("set/Cards.yaml").mkdir()
    Path("set/art/wharf-cat.svg").write_text("mine", encoding="utf-8")
    Path("set/art/Tin-Soldier.SVG").symlink_to("nowhere")
    before = files()
    result = kotc("init", "set")
    assert result.exit_code == 1
    assert [line for line in result.stderr.splitlines() if line.startswith("error")] == [
        f"error: `set/{name}` exists, and nothing is overwritten [S024]"
        for name in ("Cards.yaml", "art/Tin-Soldier.SVG", "art/wharf-cat.svg")
    ]
    assert files() == before


def test_a_set_stays_as_it_is() -> None:
    kotc("init", "set")
    before = files()
    result = kotc("init", "set", "--name", "Other")
    assert (result.exit_code, files()) == (1, before)
    assert result.stderr.startswith("error: `set` is a set already: it has a `set.yaml` [S024]\n")


def test_cards_that_have_no_set_yet_get_its_file_alone() -> None:
    Path("set").mkdir()
    Path("set/mine.yaml").write_text("{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n", encoding="utf-8")
    kotc("init", "set")
    assert sorted(files()) == [*SCHEMAS, "set/mine.yaml", "set/set.yaml"]
    assert kotc("check", "set").exit_code == 0


@pytest.mark.parametrize(
    ("variable", "language", "paper"),
    [
        ("LANG", "en_US.UTF-8", "letter"),
        ("LANG", "de_DE.UTF-8", "a4"),
        ("LANG", "C.UTF-8", "a4"),
        ("LC_ALL", "es_MX", "letter"),
        ("LC_PAPER", "fr_CA.UTF-8", "letter"),
    ],
)
def test_the_paper_is_that_of_the_country(
    monkeypatch: pytest.MonkeyPatch, variable: str, language: str, paper: str
) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv(variable, language)
    kotc("init", "set")
    assert f"sheet: {{paper: {paper}, " in Path("set/set.yaml").read_text(encoding="utf-8")


def test_windows_names_countries_with_a_hyphen() -> None:
    assert [usual_paper(name) for name in ("en-US", "en-GB", "sr-Latn-RS", "")] == ["letter", "a4", "a4", "a4"]


def test_a_paper_may_be_named() -> None:
    kotc("init", "set", "--paper", "210x297")
    assert kotc("check", "set").exit_code == 0
    assert "expected `a4`" in kotc("init", "other", "--paper", "a44").stderr


def test_an_edition_without_rules_is_wrong_usage_and_leaves_nothing() -> None:
    result = kotc("init", "set", "--edition", "99")
    assert (result.exit_code, files()) == (2, {})
    assert "there are no rules of the 99th Edition; there are those of the 9th, 10th, " in result.stderr
    assert not Path("set").exists()


def test_another_game_begins_a_set_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class BeginningQuartet(Quartet):
        def first_files(self, folder: Path, name: str, edition: int | None, paper: str) -> Mapping[str, bytes]:
            own = f"game: quartet\nname: {name}\nsheet: {{paper: {paper}}}\n"
            return {"set.yaml": own.encode(), "beasts.yaml": b"- {name: Joker, kind: token}\n"}

    monkeypatch.setitem(registry._GAMES, "quartet", BeginningQuartet())
    assert kotc("init", "set", "--game", "quartet", "--name", "Bears").exit_code == 0
    assert sorted(files()) == [*SCHEMAS, "set/beasts.yaml", "set/set.yaml"]
    assert kotc("check", "set").stderr == "1 card checked: nothing to report\n"


def test_a_game_that_does_not_exist_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry._GAMES, "quartet", raising=False)  # which other tests may have registered
    assert (
        "there is no game `chess`: there is `kotc`, or a folder with a `game.yaml`"
        in kotc("init", "--game", "chess").stderr
    )
