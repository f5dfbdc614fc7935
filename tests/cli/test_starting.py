"""A command starts with what it needs, and nothing of the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from render.cli.main import GROUPS, command, commands
from tests.support.repository import ROOT
from tests.support.sets import write_set


def imported(*arguments: str | Path) -> set[str]:
    """Return the modules that a run of `kotc` has imported when it is done."""
    code = (
        "import sys\nfrom render.cli.main import main\n"
        "main(sys.argv[1:], standalone_mode=False)\nprint('\\n', *sys.modules, sep='\\n')"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {*result.stdout.rpartition("\n\n")[2].split("\n")}


@pytest.mark.parametrize("name", commands())
def test_the_list_of_commands_says_how_their_help_begins(name: str) -> None:
    assert command(name).name == name
    assert command(name).get_short_help_str(limit=1000) == commands()[name][1]


def test_every_command_is_listed() -> None:
    modules = {file.stem for file in (ROOT / "render/cli/commands").glob("[a-z]*.py")}
    assert {name for group in GROUPS.values() for name in group} == modules


def test_the_list_of_commands_is_shown_without_importing_one() -> None:
    assert {name for name in imported("--help") if name.startswith("render")} == {
        "render",
        "render.cli",
        "render.cli.main",
        "render.game",
        "render.game.registry",
        "render.games",
        "render.games.kotc",
        "render.games.kotc.commands",
    }


def test_a_command_is_imported_without_the_others() -> None:
    assert {name for name in imported("check", "--help") if name.startswith("render.cli.commands.")} == {
        "render.cli.commands.check"
    }


def test_sheets_for_home_printers_do_without_what_others_need(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "{name: A, kind: minion, level: 1, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}")
    libraries = {name.partition(".")[0] for name in imported("pdf", folder, "--out", tmp_path / "a.pdf")}
    assert {"reportlab", "jinja2"} <= libraries
    of_others = {"numpy", "pikepdf", "pypdfium2", "distributed", "asyncio", "multiprocessing", "concurrent", "http"}
    assert libraries & of_others == set()


def test_sheets_whose_faces_are_known_do_without_templates(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "{name: A, kind: minion, level: 1, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}")
    printed = ("pdf", folder, "--out", tmp_path / "a.pdf", "--store", tmp_path / "store")
    assert "jinja2" in imported(*printed)
    assert "jinja2" not in imported(*printed)


def test_a_build_with_nothing_to_do_reads_and_draws_nothing(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "{name: A, kind: minion, level: 1, sp: 1, hp: 0}")
    build = ("build", folder, "--out", tmp_path / "out")
    assert {"yaml", "uharfbuzz", "PIL", "jinja2"} <= imported(*build)
    assert imported(*build) & {"yaml", "uharfbuzz", "PIL", "jinja2", "sqlite3"} == set()
