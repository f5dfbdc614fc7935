"""Completion: what shells offer for a word, asked as they ask; bash itself is driven."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from render.cli.commands.completion import SHELLS, cards_of
from render.cli.main import main
from render.games.kotc.sets import load_sets
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

CARDS = """
- {name: Storm Hammer, kind: tip, text: Go.}
- id: storm-2
  name: "Tempest: two"  # and more
  kind: tip
  text: |
    name: none
    id: none
  words:
    de:
      name: Sturm
- name: Ålder
  kind: tip
  text: Go.
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_set(Path("cards/s"), CARDS)
    return tmp_path


def offered(line: str) -> list[str]:
    """Return what is offered for the last word of a line, by the protocol of zsh, without descriptions."""
    words = line.split(" ")
    asked = {"_KOTC_COMPLETE": "zsh_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    said = CliRunner().invoke(main, prog_name="kotc", env=asked).stdout.split("\n")
    return [value for kind, value in zip(said[::3], said[1::3], strict=False) if kind == "plain"]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("kotc ver", ["verify"]),
        ("kotc edition sh", ["show"]),
        ("kotc png --dp", ["--dpi"]),
        ("kotc png --card ", ["storm-hammer", "storm-2", "alder"]),
        ("kotc png --card st", ["storm-hammer", "storm-2"]),
        ("kotc png --card Temp", ["storm-2"]),
        ("kotc png cards/s --card al", ["alder"]),
        ("kotc explain C00", ["C001", "C002", "C003", "C004", "C005", "C006", "C007", "C008"]),
        ("kotc explain al", ["alder"]),
        ("kotc suggest --fit al", ["alder"]),
        ("kotc pdf --paper le", ["letter", "legal"]),
        ("kotc pdf --card-size ta", ["tarot"]),
        ("kotc pdf --standard x-4", ["x-4"]),
        ("kotc shop make", ["makeplayingcards"]),
        ("kotc preflight --as x-", ["x-1a", "x-4"]),
        ("kotc check --edition 1", ["10", "11", "12", "13", "14", "15", "16", "17"]),
        ("kotc upgrade --to 9", ["9"]),
        ("kotc edition show 9", ["9"]),
        ("kotc png --language d", ["de"]),
        ("kotc new mi", ["minion"]),
        ("kotc pdf --blank sp", ["spell"]),
        ("kotc suggest --kind m", ["minion"]),
        ("kotc init --game k", ["kotc"]),
        ("kotc completion p", ["powershell"]),
        ("kotc rebuild --rel", ["--relevel"]),
    ],
)
def test_a_word_is_completed_by_what_there_is(line: str, values: list[str]) -> None:
    found = offered(line)
    assert [each for each in found if each in values] == values
    assert all(each in values or each[:3] == "C00" for each in found)


def test_printers_are_offered_by_their_names() -> None:
    kotc("calibrate", "--paper", "a4", "--printer", "Attic", "--offset", "1,1")
    assert offered("kotc pdf --printer A") == ["Attic"]


def test_the_quick_look_at_card_files_finds_the_cards_that_are_read() -> None:
    for folder in (Path("cards"), ROOT / "cards" / "starter", ROOT / "cards" / "eleventh"):
        read = [(card.id, card.name) for card_set in load_sets([folder]) for card in card_set.cards]
        assert list(cards_of([folder])) == read


def test_a_file_with_mistakes_gives_its_cards_all_the_same() -> None:
    write_set(Path("cards/s"), "- name: Ox\n  kind: [\n- name: Ant\n  text: *x\n")
    assert offered("kotc png --card ") == ["ox", "ant"]


# --- shells ---


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    """Folders of programs, the first of which has a `kotc` that is this one."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "kotc").write_text(f"#!/bin/sh\nexec '{sys.executable}' -m render \"$@\"\n", encoding="utf-8")
    (folder / "kotc").chmod(0o755)
    yield f"{folder}{os.pathsep}{os.environ['PATH']}"


def driven(shell: str, script: str, path: str) -> str:
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    return subprocess.run([shell, "-c", script], env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(not shutil.which("bash") or os.name != "posix", reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "replies"),
    [("png --card st", "storm-hammer storm-2"), ("pdf --paper le", "letter legal"), ("wat", "watch")],
)
def test_bash_completes_words(line: str, replies: str, path: str) -> None:
    words = f"kotc {line}".split()
    script = (
        'eval "$(kotc completion bash)"\n'
        f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}\n"
        "_kotc_completion kotc 2>/dev/null\n"
        'echo "${COMPREPLY[*]}"'
    )
    assert driven("bash", script, path).strip() == replies


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish")
def test_fish_completes_words(path: str) -> None:
    script = 'kotc completion fish | source; complete -C "kotc png --card st"'
    offered = [line.split("\t")[0] for line in driven("fish", script, path).splitlines()]
    assert sorted(offered) == ["storm-2", "storm-hammer"]  # fish has an order of its own


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh")
def test_zsh_reads_the_script(path: str) -> None:
    script = 'autoload -U compinit; compinit -u; eval "$(kotc completion zsh)"; print $_comps[kotc]'
    assert driven("zsh", script, path).strip() == "_kotc_completion"


def test_powershell_is_answered_line_by_line() -> None:
    asked = {
        "_KOTC_COMPLETE": "powershell_complete",
        "COMP_WORDS": "kotc\npng\n--card\nstorm-h",
        "COMP_WORD": "storm-h",
    }
    said = CliRunner().invoke(main, prog_name="kotc", env=asked).stdout
    assert said == "plain\tstorm-hammer\tStorm Hammer\n"
    asked |= {"COMP_WORDS": "kotc\npdf\n--paper", "COMP_WORD": ""}
    assert CliRunner().invoke(main, prog_name="kotc", env=asked).stdout.startswith("plain\ta4\t210 x 297 mm\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_asks_the_program(shell: str) -> None:
    said = kotc("completion", shell).stdout
    assert f"_KOTC_COMPLETE={shell}_complete" in said.replace(" = '", "=")
    assert "kotc" in said
