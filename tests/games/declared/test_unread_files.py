"""Files of a game that may not be read: each is told once, with what to do, and no card is judged by a guess."""

from pathlib import Path

import pytest

from tests.games.declared.lanterns import BACK, FILES, write_files
from tests.support.sets import kotc
from tests.support.systems import not_as_superuser


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {**FILES, "game.yaml": FILES["game.yaml"] + "icons: {L: icons/lamp.svg}\n", "icons/lamp.svg": BACK}
    write_files(Path("s"), files)


def said_of_closed(path: str) -> str:
    """Return what `kotc check` says while a file or folder cannot be read."""
    place = Path("s", path)
    before = place.stat().st_mode
    place.chmod(0o000)
    try:
        result = kotc("check", "s")
    finally:
        place.chmod(before)
    return result.stdout + (result.stderr if result.exit_code == 3 else "")


@not_as_superuser
@pytest.mark.parametrize("file", ["set.yaml", "game.yaml"])
def test_cards_of_a_set_or_game_that_may_not_be_read_are_not_judged_by_another_game(file: str) -> None:
    assert said_of_closed(file) == (
        f"s/{file}:1:1: error: cannot read `s/{file}`: permission denied [Y001]\n"
        f"  hint: let your account read it: `chmod u+r s/{file}`\n"
    )


@not_as_superuser
def test_a_template_that_may_not_be_read() -> None:
    assert said_of_closed("templates/beast.svg") == (
        "s/templates/beast.svg:1:1: error: the template `beast.svg` cannot be read: permission denied [T001]\n"
        "  hint: let your account read it: `chmod u+r s/templates/beast.svg`\n"
    )


@not_as_superuser
def test_icons_in_a_folder_that_may_not_be_looked_into() -> None:
    assert said_of_closed("icons") == (
        "error: cannot use `s/icons/lamp.svg`: permission denied; "
        "let your account look into the folder: `chmod u+rwx s/icons` [E001]\n"
    )


def test_a_template_that_is_too_large() -> None:
    Path("s/templates/beast.svg").write_text("<svg>" + " " * (4 << 20), "utf-8")
    assert kotc("check", "s").stdout == (
        "s/templates/beast.svg:1:1: error: the template `beast.svg` has more than 4 MiB [T001]\n"
        "  hint: save its pictures as files of their own, and name them in `<image>`\n"
    )


def test_cards_beside_an_empty_set_are_judged_by_the_game_beside_it() -> None:
    Path("s/set.yaml").write_text("", "utf-8")
    assert kotc("check", "s").stdout == (
        "s/set.yaml:1:1: error: the file is empty [Y006]\n  hint: write a line such as `name: Starter`\n"
    )


def test_cards_beside_an_empty_set_and_a_wrong_game_are_not_judged() -> None:
    Path("s/set.yaml").write_text("", "utf-8")
    Path("s/game.yaml").write_text("name: Lamps\n", "utf-8")
    assert kotc("check", "s").stdout == (
        "s/game.yaml:1:1: error: the game has no `kinds` [M004]\n"
        "  1 | name: Lamps\n"
        "    | ^^^^\n"
        "  hint: add a line such as `kinds: {creature: {}}`\n"
        "s/set.yaml:1:1: error: the file is empty [Y006]\n"
        "  hint: write a line such as `name: Starter`\n"
    )
