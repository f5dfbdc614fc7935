"""The command `schema` as people use it: printed, in a folder, and in the folders of sets."""

import json
import os
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.support.schema_verdicts import as_editors_read, refusals
from tests.support.sets import kotc, write_set

CARDS = "- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n"
LINES = {
    "set.yaml": "# yaml-language-server: $schema=.kotc/set.schema.json\n",
    "cards.yaml": "# yaml-language-server: $schema=.kotc/cards.schema.json\n",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder with a set."""
    monkeypatch.chdir(tmp_path)
    write_set(Path("cards/mine"), CARDS, "name: Mine\nedition: 17\n")


def test_schemas_are_listed() -> None:
    listed = kotc("schema").stdout
    assert listed == kotc("schema", "--list").stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["cards", "set", "deck", "edition", "language"]


def test_a_schema_is_printed_as_it_is_written() -> None:
    assert kotc("schema", "-o", "schemas").stderr == "5 schemas in schemas (5 written, 0 unchanged)\n"
    assert kotc("schema", "--out", "schemas").stderr == "5 schemas in schemas (0 written, 5 unchanged)\n"
    for name in ("cards", "set", "deck", "edition", "language"):
        printed = kotc("schema", name).stdout
        assert printed == Path(f"schemas/{name}.schema.json").read_text(encoding="utf-8")
        Draft202012Validator.check_schema(json.loads(printed))
    assert kotc("schema", "deck", "-o", "one").exit_code == 0
    assert [file.name for file in Path("one").iterdir()] == ["deck.schema.json"]


def test_an_edition_decides_which_keys_a_card_has_that_names_none() -> None:
    assert kotc("schema", "cards", "--edition", "9").stdout != kotc("schema", "cards", "--edition", "17").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["crads"], "there is no schema `crads`: did you mean `cards`?"),
        (["cards", "deck"], "one schema is printed: name one, or give a folder with --out"),
        (["--update", "cards", "-o", "x"], "--update takes folder and edition from the sets"),
        (["--update", "--edition", "9"], "--update takes folder and edition from the sets"),
        (["cards", "--lines"], "--lines needs --update"),
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(arguments: list[str], said: str) -> None:
    result = kotc("schema", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_set_gets_the_schemas_of_its_edition_and_is_told_the_line() -> None:
    said = kotc("schema", "--update", "cards").stderr
    home = Path("cards/mine")
    assert said.startswith(f"2 schemas in {home / '.kotc'} (2 written, 0 unchanged)\n")
    assert (home / ".kotc/cards.schema.json").read_text("utf-8") == kotc("schema", "cards", "--edition", "17").stdout
    for name, line in LINES.items():
        assert f"  {home / name} does not name its schema: begin it with the line\n    {line}" in said
        file = home / name
        file.write_text(line + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert kotc("schema", "--update", "cards").stderr == f"2 schemas in {home / '.kotc'} (0 written, 2 unchanged)\n"


@pytest.mark.parametrize(("mark", "newline"), [("", "\n"), ("\ufeff", "\r\n"), ("", "")])
def test_lines_are_put_in_and_everything_else_stays(mark: str, newline: str) -> None:
    files = [Path("cards/mine") / name for name in LINES]
    for file in files:
        text = file.read_text(encoding="utf-8").rstrip("\n")
        words = text.replace("\n", newline) if newline else "# x"
        file.write_bytes(f"{mark}{words}{newline}".encode())
    if not newline:
        files[0].write_bytes(b"name: Mine")
    before = {file: file.read_bytes().decode() for file in files}
    said = kotc("schema", "--update", "cards", "--lines").stderr
    for file in files:
        assert f"  {file} now begins with the line that names its schema\n" in said
        line = LINES[file.name].rstrip("\n") + (newline or "\n")
        assert file.read_bytes().decode() == mark + line + before[file].removeprefix(mark)
    assert "now begins" not in kotc("schema", "--update", "cards", "--lines").stderr


def test_no_line_is_put_into_a_file_that_its_author_protected() -> None:
    file = Path("cards/mine/set.yaml")
    before = file.read_text(encoding="utf-8")
    file.chmod(0o444)
    assert "the file is read-only: nothing was written" in kotc("schema", "--update", "cards", "--lines").stderr
    assert file.read_text(encoding="utf-8") == before


def test_new_sets_and_cards_begin_with_the_line() -> None:
    assert kotc("init", "new").exit_code == 0
    assert kotc("schema", "--update", "new").stderr == f"2 schemas in {Path('new/.kotc')} (0 written, 2 unchanged)\n"
    assert kotc("new", "tip", "Rules", "--to", "new/tips.yaml").stderr.startswith(
        f"Rules: a new tip in {Path('new/tips.yaml')}:2\n"
    )
    for name, line in (("set.yaml", "set.yaml"), ("cards.yaml", "cards.yaml"), ("tips.yaml", "cards.yaml")):
        text = Path("new", name).read_text(encoding="utf-8")
        assert text.startswith(LINES[line])
        assert refusals("set" if name == "set.yaml" else "cards", text, 17) == []
    assert kotc("check", "new").exit_code == 0
    kotc("new", "tip", "Rules", "--to", "cards/mine/tips.yaml")  # a set without schemas
    assert Path("cards/mine/tips.yaml").read_text(encoding="utf-8").startswith("- name: Rules\n")


def test_a_set_begun_where_schemas_are_keeps_them() -> None:
    Path("new/.kotc").mkdir(parents=True)
    Path("new/.kotc/set.schema.json").write_text("{}", encoding="utf-8")
    assert kotc("init", "new").exit_code == 0
    assert Path("new/.kotc/set.schema.json").read_text(encoding="utf-8") == "{}"
    assert Path("new/.kotc/cards.schema.json").exists()


def test_in_the_folder_of_a_set_no_path_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kotc("schema", "--update").stderr.startswith(f"2 schemas in {Path('cards/mine/.kotc')} (2 written")
    monkeypatch.chdir("cards/mine")
    assert kotc("schema", "--update").stderr.startswith("2 schemas in .kotc (0 written, 2 unchanged)\n")


def test_a_set_begun_beside_a_link_writes_nothing_through_it(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path("new").mkdir()
    Path("new/.kotc").symlink_to(tmp_path / "elsewhere")
    assert kotc("init", "new").exit_code == 0
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_old_schema_is_brought_up_to_date() -> None:
    kotc("schema", "--update", "cards")
    file = Path("cards/mine/.kotc/set.schema.json")
    new = file.read_bytes()
    file.write_bytes(b"{}")
    assert "(1 written, 1 unchanged)" in kotc("schema", "--update", "cards").stderr
    assert file.read_bytes() == new


def test_schemas_are_written_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path("cards/mine/.kotc").symlink_to(tmp_path / "elsewhere")
    assert kotc("schema", "--update", "cards").exit_code == 3
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_files_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text("{name: A}\n", encoding="utf-8")
    Path("cards/mine/link.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    os.mkfifo("cards/mine/pipe.yaml")
    Path("cards/mine/odd.yaml").write_bytes(b"name: \xff\n")
    said = kotc("schema", "--update", "cards", "--lines").stderr
    assert said.count("now begins") == 2
    assert Path("cards/mine/odd.yaml").read_bytes() == b"name: \xff\n"
    assert (tmp_path / "elsewhere.yaml").read_text(encoding="utf-8") == "{name: A}\n"


def test_a_set_with_a_mistake_gets_no_schemas() -> None:
    Path("cards/mine/set.yaml").write_text("nam: Mine\n", encoding="utf-8")
    result = kotc("schema", "--update", "cards")
    assert result.exit_code == 1
    assert "unknown key `nam`" in result.stderr
    assert not Path("cards/mine/.kotc").exists()


def test_neither_schemas_nor_the_line_are_inputs_of_a_build() -> None:
    kotc("build", "cards")
    kotc("schema", "--update", "cards")
    assert "(0 written, 2 unchanged)" in kotc("build", "cards").stderr
    file = Path("cards/mine/cards.yaml")
    file.write_text(LINES["cards.yaml"] + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert "(0 written, 2 unchanged)" in kotc("build", "cards").stderr
    assert kotc("check", "cards").stderr == "1 card checked: nothing to report\n"


def test_values_are_those_of_yaml_1_2() -> None:
    """The tests of schemas read files as editors do."""
    text = "[7, 0x1F, 0o17, 1.5, 1e3, .5, true, True, yes, no, null, ~, '', 2024-01-01, 1_0, '7', 4-6, on]"
    read = as_editors_read(text)
    assert read == [7, 31, 15, 1.5, 1000.0, 0.5, True, True, "yes", "no", None, None, "", "2024-01-01", "1_0", "7",
                    "4-6", "on"]  # fmt: skip
    assert as_editors_read("a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n") == {
        "a": {"b": 1},
        "c": {"b": 1},
        "d": {"b": 1, "e": 2},
    }
