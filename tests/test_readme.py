"""What the README shows is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sets import kotc

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
CARD = next(body for kind, body in BLOCKS if kind == "yaml")
DONE, REFUSED, EXPLAINED = (body.split("\n", 1)[1] for kind, body in BLOCKS if kind == "console")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the card of the README."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cards" / "mine"
    folder.mkdir(parents=True)
    (folder / "set.yaml").write_text("name: My First Set\nedition: 17\n", encoding="utf-8")
    (folder / "minions.yaml").write_text(CARD, encoding="utf-8")
    return folder


@pytest.mark.usefixtures("folder")
def test_the_first_command_says_what_the_readme_says() -> None:
    assert kotc("build").output == DONE


def test_the_error_of_the_readme_is_real(folder: Path) -> None:
    wrong = CARD.replace("kind: minion", "kind: minoin").replace("level:", "levl:")
    (folder / "minions.yaml").write_text(wrong, encoding="utf-8")
    assert kotc("build").output == REFUSED


@pytest.mark.usefixtures("folder")
def test_the_explanation_of_the_readme_is_real() -> None:
    assert kotc("explain", "storm-hammer").output == EXPLAINED


@pytest.mark.parametrize(
    "readme", [ROOT / "README.md", *sorted(ROOT.glob("*/README.md"))], ids=lambda path: path.parent.name
)
def test_links_lead_somewhere(readme: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", readme.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (readme.parent / target).exists(), target


def test_every_command_and_option_of_the_readme_exists() -> None:
    table = README[README.index("## Commands") : README.index("## Read on")]
    for command, does in re.findall(r"\| `kotc (\w+)` \| (.*) \|", table):
        said = kotc(command, "--help").output
        for option in re.findall(r"--[a-z]+", does):
            assert option in said, f"{command} {option}"
