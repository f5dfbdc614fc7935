"""The examples in the help of every command work as they are typed, one after the other, on a copy of the starter."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pypdfium2
import pytest

from render.cli.main import command as command_named
from render.cli.main import commands
from tests.support.repository import ROOT
from tests.support.rule_pages import GUIDE, RULEBOOK
from tests.support.sets import kotc
from tests.support.templates import with_plain_back
from tests.support.xcf_files import card_layers, xcf

LONGEST = 76  # characters: an example is indented, and fits 80 columns
ENDLESS = {"watch", "preview", "lsp"}
"""Commands that end only with Ctrl-C; their own tests run them."""

KEPT = (
    "paper-boat",
    "lantern-moth",
    "wharf-cat",
    "harbour-bell",
    "tip-turn",
)  # cards of the starter: more take only more time

# Of these commands, an example may find something wrong in the files that a person has.
MAY_FAIL = {"preflight"}

AWAY = {"pull"}
"""Commands that need the web; their own tests run them."""


def every_example() -> list[str]:
    found = []
    for name in commands():
        command = command_named(name)
        below = list(command.commands.values()) if isinstance(command, click.Group) else [command]
        found += [line for each in below for line in getattr(each, "examples", ())]
    return found


EXAMPLES = every_example()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter in a repository of git, and with the files that people bring along."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(ROOT / "cards/starter", folder / "cards/starter", ignore=shutil.ignore_patterns("preview-*"))
    for file in (folder / "cards/starter").glob("*s.yaml"):
        written = re.split(r"^(?=- id: )", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        file.write_text("".join(each for each in written if each[6:].split("\n")[0] in KEPT), encoding="utf-8")
    with_plain_back(folder / "cards/starter")
    cards = "{paper-boat: 20, lantern-moth: 20, harbour-bell: 20}"
    deck = f"name: Boats\nedition: 17\nsets: [cards/starter]\ncards: {cards}\n"
    (folder / "deck.yaml").write_text(deck, encoding="utf-8")
    (folder / "card.xcf").write_bytes(xcf(card_layers(), size=(635, 889)))
    (folder / "rulebook.html").write_text(RULEBOOK, encoding="utf-8")
    (folder / "guide.html").write_text(GUIDE, encoding="utf-8")
    pypdfium2.PdfDocument.new().save(folder / "sheets.pdf")
    for line in ("init -q", "add cards", "commit -qm one", "commit -qm two --allow-empty"):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *line.split()], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("name", [name for name in commands() if name != "calibrate"])
def test_every_command_has_an_example(name: str) -> None:
    command = command_named(name)
    below = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    assert [each.name for each in below if not getattr(each, "examples", ())] == []


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_fits_a_narrow_terminal_and_is_shown_whole(line: str) -> None:
    words = shlex.split(line)
    assert len(line) <= LONGEST
    assert f"\n  {line}\n" in kotc(*words[1 : 3 if words[1] == "edition" else 2], "--help").output


@pytest.mark.parametrize("line", [line for line in EXAMPLES if line.split()[1] not in ENDLESS | AWAY])
def test_an_example_works(line: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    program, name, *rest = shlex.split(line)
    if name == "verify":
        kotc("pdf", "cards/starter")
    result = kotc(name, *rest)
    assert program == "kotc"
    assert result.exit_code in ((0, 1) if name in MAY_FAIL else (0,)), result.output
