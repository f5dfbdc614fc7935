"""What cards/editors.md says to paste works, and the hook for pre-commit checks sets."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest

from render.cli.main import commands
from render.game import registry
from render.game.schemas import all_schemas, schema_file_name, schema_line
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
    (helix,) = map(tomllib.loads, blocks("toml"))
    assert helix["language"][0]["language-servers"] == list(helix["language-server"])


def test_settings_name_the_schemas_that_there_are() -> None:
    (schemas,) = (found["yaml.schemas"] for found in map(json.loads, blocks("json")) if "yaml.schemas" in found)
    names = all_schemas(registry.game_named("kotc"))
    assert list(schemas) == sorted((f".kotc/{schema_file_name(name)}" for name in names), key=list(schemas).index)
    assert schema_line("cards.yaml") + "\n" in blocks("yaml")


def test_every_command_of_the_page_exists() -> None:
    for command in re.findall(r"`kotc ([a-z]+)", PAGE):
        assert command in commands()


# --- Neovim ----------------------------------------------------------------------------------------------------------

ASK = """
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, each in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(each.lnum .. ": " .. each.message:gsub("\\n.*", "") .. "\\n")
end
vim.cmd("qa!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_what_check_says(tmp_path: Path) -> None:
    home = write_set(tmp_path / "my set", "- {name: A, kind: pawn, levl: 3}\n", "name: Mine\nedition: 17\n")
    older = next(body for body in blocks("lua") if "start_client" in body)
    server = f'"{Path(sys.executable).with_name("kotc").as_posix()}", "lsp"'
    (tmp_path / "init.lua").write_text(older.replace('"kotc", "lsp"', server), encoding="utf-8")
    (tmp_path / "ask.lua").write_text(ASK, encoding="utf-8")
    ask = f"luafile {tmp_path / 'ask.lua'}"
    words = ["nvim", "--headless", "-n", "-u", str(tmp_path / "init.lua"), str(home / "cards.yaml"), "-c", ask]
    said = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert "0: unknown key `levl`" in said.stdout, said.stderr


# --- Emacs -----------------------------------------------------------------------------------------------------------

SHOW = """
(find-file (getenv "KOTC_FILE"))
(run-hooks 'post-command-hook)
(let ((end (+ (float-time) 30)))
  (while (and (< (float-time) end) (not (and (bound-and-true-p flymake-mode) (flymake-diagnostics))))
    (accept-process-output nil 0.05)
    (when (bound-and-true-p flymake-mode) (flymake-start))))
(dolist (each (flymake-diagnostics))
  (princ (format "%d: %s\\n" (line-number-at-pos (flymake-diagnostic-beg each)) (flymake-diagnostic-text each))))
"""


HAS_EGLOT = """
(package-initialize)
(kill-emacs (if (and (locate-library "eglot") (locate-library "yaml-mode")) 0 1))
"""


def has_eglot() -> bool:
    """Return whether there is an Emacs that has Eglot and a mode for YAML, of its own or as packages."""
    ask = ["emacs", "--batch", "--eval", f"(progn {HAS_EGLOT})"]
    return shutil.which("emacs") is not None and subprocess.call(ask, stderr=DEVNULL) == 0


def test_emacs_shows_what_check_says(tmp_path: Path) -> None:
    if not has_eglot():
        pytest.skip("Emacs with Eglot and yaml-mode is not installed")
    home = write_set(tmp_path / "my set", "- {name: A, kind: pawn, levl: 3}\n", "name: Mine\nedition: 17\n")
    kotc_here = Path(sys.executable).with_name("kotc").as_posix()
    (settings,) = blocks("elisp")
    lines = ["(package-initialize)", settings.replace('"kotc" "lsp"', f'"{kotc_here}" "lsp"'), SHOW]
    (tmp_path / "ask.el").write_text("\n".join(lines), encoding="utf-8")
    where = {**os.environ, "HOME": str(tmp_path), "KOTC_FILE": str(home / "cards.yaml")}
    words = ["emacs", "--batch", "-l", str(tmp_path / "ask.el")]
    said = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, env=where)
    assert said.stdout == "1: kotc [C002]: unknown key `levl`\nhint: did you mean `level`?\n", said.stderr


# --- pre-commit ------------------------------------------------------------------------------------------------------

HOOKS: Any = as_editors_read((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
HOOK = HOOKS[0]


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
