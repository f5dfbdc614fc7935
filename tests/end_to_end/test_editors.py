"""What cards/editors.md says to paste works, and the hook for pre-commit checks sets."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from render.cli.main import commands
from render.game import registry
from render.game.schemas.schema_files import all_schemas
from render.game.schemas.schema_line import schema_file_name, schema_line
from tests.support.repository import ROOT
from tests.support.schema_verdicts import as_editors_read
from tests.support.sets import kotc, write_set

PAGE = (ROOT / "cards/editors.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [body for each, body in BLOCKS if each == kind]


def test_every_block_of_settings_can_be_read() -> None:
    for body in blocks("json"):
        json.loads(body)
    for body in blocks("yaml"):
        as_editors_read(body)


def test_settings_name_the_schemas_that_there_are() -> None:
    (schemas,) = (found["yaml.schemas"] for found in map(json.loads, blocks("json")) if "yaml.schemas" in found)
    names = all_schemas(registry.game_named("kotc"))
    assert list(schemas) == sorted((f".kotc/{schema_file_name(name)}" for name in names), key=list(schemas).index)
    assert schema_line("cards.yaml") + "\n" in blocks("yaml")


def test_every_command_of_the_page_exists() -> None:
    for command in re.findall(r"`kotc ([a-z]+)", PAGE):
        assert command in commands()


# --- pre-commit ------------------------------------------------------------------------------------------------------

(HOOK,) = as_editors_read((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))  # type: ignore[misc] # a list


@pytest.mark.parametrize(
    ("file", "is_checked"),
    [
        ("cards/mine/set.yaml", True), ("cards/mine/a.yml", True), ("cards/mine/art/IMG_1.JPG", True),
        ("cards/mine/art/b.webp", True), ("cards/mine/minion.svg", True), ("README.md", False), ("a/sheets.pdf", False),
        ("cards/mine/notes.txt", False), ("yaml", False),
    ],
)  # fmt: skip
def test_the_hook_looks_at_files_that_can_be_part_of_a_set(file: str, *, is_checked: bool) -> None:
    assert bool(re.search(HOOK["files"], file)) is is_checked  # as pre-commit does


def test_the_hook_checks_whole_sets_and_takes_no_names_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_set(tmp_path / "cards/mine", "- {name: A, kind: pawn}\n")
    program, *words = shlex.split(HOOK["entry"])
    assert (program, HOOK["pass_filenames"], HOOK["language"]) == ("kotc", False, "python")
    assert kotc(*words).exit_code == 0
    (tmp_path / "cards/mine/cards.yaml").write_text("- {name: A, kind: pwn}\n", encoding="utf-8")
    assert kotc(*words, "cards/mine", "--strict").exit_code == 1
    assert f"- id: {HOOK['id']}\n" in "".join(blocks("yaml"))
