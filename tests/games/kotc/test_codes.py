"""`kotc explain CODE`: every code is explained as the references say, and its examples give it."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from render.base.limits import TO_FILL_IN
from render.cli.explanations import CodeExplanation, Example, all_explanations
from tests.support.code_rows import code_rows
from tests.support.picture_files import in_bytes
from tests.support.sets import kotc, write_set
from tests.support.terminals import NEEDS_TERMINALS, on_a_terminal, plain_environment

EXPLAINED = all_explanations()


def test_explanations_and_tables_say_the_same() -> None:
    """Whoever adds a code adds its row to the reference, and then runs `python -m tests.support.code_rows`."""
    assert {code: (each.what, each.message) for code, each in EXPLAINED.items()} == code_rows()


def test_every_code_says_why_and_has_an_example_or_tells_how_it_comes_about() -> None:
    assert [each.code for each in EXPLAINED.values() if not each.why] == []
    assert [each.code for each in EXPLAINED.values() if not (each.wrong or each.advice)] == []
    assert [each.code for each in EXPLAINED.values() if each.wrong and not (each.right or each.advice)] == []


def _run(example: Example, folder: Path) -> str:
    """Return what is said when the files lie in a folder with a set and the commands are run there."""
    write_set(folder / "mine", "- {name: Ox, kind: spell, level: 2, text: Draw 1 card.}\n", "name: Mine\nedition: 17\n")
    (folder / "mine/art").mkdir()
    (folder / "mine/art/cat.png").write_bytes(in_bytes(Image.new("RGB", (40, 40), "teal"), "PNG"))
    for file, text in example.files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(text.encode(example.encoding))
    said = ""
    for part in map(str.strip, example.run.split(";")):
        if part.startswith("kotc "):
            said += kotc(*shlex.split(part)[1:]).output
        else:
            subprocess.run(part, shell=True, check=True, cwd=folder)  # the examples are ours
    return said


def _is_for_here(each: CodeExplanation) -> bool:
    return sys.platform != "win32" or ";" not in (each.wrong.run if each.wrong else "")


WITH_EXAMPLE = [each for each in EXPLAINED.values() if each.wrong and _is_for_here(each)]


@pytest.mark.parametrize("letter", sorted({each.code[0] for each in WITH_EXAMPLE}))
def test_what_is_wrong_gives_the_code_and_what_is_right_does_not(
    letter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What works for two seconds works for less.
    monkeypatch.setattr("render.layout.templates.template.TO_FILL_IN", TO_FILL_IN._replace(seconds=0.2))
    slips = []
    for each in WITH_EXAMPLE:
        if each.code[0] != letter:
            continue
        for name, example in (("wrong", each.wrong), ("right", each.right)):
            if example is None:
                continue
            folder = tmp_path / each.code / name
            folder.mkdir(parents=True)
            monkeypatch.chdir(folder)
            monkeypatch.setenv("KOTC_CONFIG", str(folder / "config"))
            monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
            said = _run(example, folder)
            if (f"[{each.code}]" in said) != (name == "wrong"):
                slips.append((each.code, name, said))
    assert slips == []


def test_most_codes_have_an_example() -> None:
    assert len(WITH_EXAMPLE) > 120


@NEEDS_TERMINALS
def test_on_a_terminal_check_names_the_command_for_its_first_error(tmp_path: Path) -> None:
    write_set(tmp_path / "s", "- {name: Ox, kind: minoin, level: 2, text: Draw 1 card.}\n")
    check = [sys.executable, "-m", "render", "check", "s"]
    said, status = on_a_terminal(check, 80, tmp_path, plain_environment(TERM="xterm", NO_COLOR="1"))
    assert status == 1
    assert said.endswith("1 error\r\n`kotc explain C007` says more\r\n")
    assert "explain" not in kotc("check", tmp_path / "s").output


# --- the command ----------------------------------------------------------------------------------------------------


def test_a_code_is_explained_with_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert kotc("explain", "C002").output == (
        "C002: a key that does not exist\n"
        "\n"
        "  A key that is not known would be left out without a word. It is an error, so\n"
        "  that a slip of the pen is found.\n"
        "\n"
        "  It says, for example:\n"
        "    unknown key `flavour`\n"
        "\n"
        "  This gives it (`kotc check mine`), mine/cards.yaml:\n"
        "    - {name: Ox, kind: tip, text: Rest., flavour: Moo.}\n"
        "\n"
        "  This does not (`kotc check mine`), mine/cards.yaml:\n"
        "    - {name: Ox, kind: tip, text: Rest., flavor: Moo.}\n"
    )


@pytest.mark.parametrize("word", ["C007", "c007", "c7", "C07"])
def test_codes_may_be_written_in_small_letters_and_without_zeros(word: str) -> None:
    assert kotc("explain", word).output == kotc("explain", "C007").output


def test_programs_get_files_and_commands() -> None:
    (found, other) = json.loads(kotc("explain", "V001", "S002", "--format", "json").stdout)
    assert found["wrong"]["run"] == "kotc check mine"
    assert found["right"]["files"] == {"mine/cards.yaml": "- {name: Ox, kind: spell, level: 2, text: Draw 1 card.}\n"}
    assert other["code"] == "S002"
    assert other["advice"].startswith("S002 means for `set.yaml` what C002 means for a card")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("C099", "there is no error code `C099`: the nearest are `C023`, `C024` and `C025`"),
        ("C1007", "there is no error code `C1007`: the nearest are "),
        ("Z001", "there is no error code `Z001`: the nearest are "),
    ],
)
def test_a_wrong_code_names_the_nearest(word: str, message: str) -> None:
    result = kotc("explain", word)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_card_with_the_name_of_a_code_is_shown_and_the_code_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(tmp_path, "- {id: c007, name: Bond, kind: spell, level: 2, text: Draw 1 card.}\n")
    monkeypatch.chdir(tmp_path)
    result = kotc("explain", "c007")
    assert result.stdout.startswith("Bond (c007), spell of the 17th Edition\n")
    assert result.stderr == "`c007` is a card here; for the error code, type `kotc explain C007`\n"
    assert kotc("explain", "C007").stdout.startswith("C007: a word that is not allowed here")


def test_codes_and_cards_are_not_mixed() -> None:
    result = kotc("explain", "C007", "night-owl")
    assert result.exit_code == 2
    assert "`C007` is an error code: explain codes and cards one after the other" in result.stderr
