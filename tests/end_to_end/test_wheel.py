"""A wheel built from this tree works alone and from anywhere: templates, fonts and the starter set lie within it."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from render import __version__
from render.cli.main import command, commands
from tests.support.repository import ROOT
from tests.support.sets import write_set

TWO_CARDS = """
- {name: Wolf, kind: minion, level: 3, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}
- {name: Fox, kind: spell, level: 2, text: Draw 1 card.}
"""


@dataclass(frozen=True, slots=True)
class Installation:
    """A wheel that was unpacked into a folder, as an installer does."""

    wheel: Path
    folder: Path

    def run(self, at: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run Python in a folder, with nothing of this tree on its path."""
        return subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=at,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


def build(target: str, tree: Path, out: Path) -> Path:
    """Build a wheel or an sdist of a tree and return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    (made,) = out.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    wheel = build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)
    return Installation(wheel, folder)


def test_a_wheel_says_help_builds_a_set_of_two_cards_and_verifies_it(installed: Installation, tmp_path: Path) -> None:
    write_set(tmp_path / "set", TWO_CARDS)
    helped = installed.run(tmp_path, "-m", "render", "--help")
    assert helped.stdout.startswith("Usage: kotc ")
    built = installed.run(tmp_path, "-m", "render", "build", "set")
    how = "  sheets: print at 100 % (actual size), both sides, flipped on the long edge\n"
    said = f"Test: 2 PNGs and 1 sheet in out/set (3 written, 0 unchanged)\n{how}"
    assert (built.returncode, built.stderr) == (0, said)
    verified = installed.run(tmp_path, "-m", "render", "verify", "out/set/sheets.pdf", "--set", "set")
    assert verified.returncode == 0, verified.stdout


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("site set --dpi 72 --out site", "site/cards/set/wolf.html"),
        ("table set --for tabletop-playground --out table", "table/manifest.json"),
        ("table set --for octgn --out table", "table/definition-part.xml"),
        ("shop mpc-autofill set --out order", "order/order.xml"),
        ("compare set other --out changes.html", "changes.html"),
        ("calibrate --paper a4 --out calibration.pdf", "calibration.pdf"),
    ],
)
def test_a_wheel_shows_orders_compares_and_calibrates(
    words: str, made: str, installed: Installation, tmp_path: Path
) -> None:
    write_set(tmp_path / "set", TWO_CARDS)
    write_set(tmp_path / "other", TWO_CARDS.replace("level: 2", "level: auto"))
    result = installed.run(tmp_path, "-m", "render", *words.split())
    assert result.returncode == 0, result.stderr
    assert (tmp_path / made).is_file(), sorted(tmp_path.rglob("*"))


def test_what_belongs_to_the_program_lies_in_the_wheel(installed: Installation, tmp_path: Path) -> None:
    code = (
        "import render, render.base.resources as r; print(render.__file__, r.FONTS, r.TEMPLATES, r.STARTER, sep='\\n')"
    )
    places = [Path(line) for line in installed.run(tmp_path, "-c", code).stdout.splitlines()]
    assert len(places) == 4
    assert all(place.exists() and place.is_relative_to(installed.folder) for place in places)


def test_the_starter_set_of_the_wheel_is_that_of_the_tree(installed: Installation) -> None:
    starter = installed.folder / "render/data/cards/starter"
    shipped = {file.relative_to(starter).as_posix(): file.read_bytes() for file in starter.rglob("*") if file.is_file()}
    assert {"set.yaml", "minions.yaml", "spells.yaml"} <= shipped.keys()
    assert {name for name in shipped if name.endswith(".py") or name.startswith("preview-")} == set()
    assert {name for name, data in shipped.items() if (ROOT / "cards/starter" / name).read_bytes() != data} == set()


def test_the_starter_set_of_the_wheel_has_no_error(installed: Installation, tmp_path: Path) -> None:
    starter = installed.folder / "render/data/cards/starter"
    checked = installed.run(tmp_path, "-m", "render", "check", starter)
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stderr


def test_the_version_of_the_wheel_is_that_of_the_program(installed: Installation) -> None:
    assert installed.wheel.name == f"kotc-{__version__}-py3-none-any.whl"
    assert f'version = "{__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_wheel_has_a_man_page_for_each_command_with_its_options(installed: Installation) -> None:
    pages = installed.folder / f"kotc-{__version__}.data/data/share/man/man1"
    assert {page.stem for page in pages.iterdir()} >= {"kotc", "kotc-edition-show"} | {
        f"kotc-{each}" for each in commands()
    }
    shown = (pages / "kotc-box.1").read_text(encoding="utf-8").splitlines()
    flags = [max(each.opts, key=len) for each in command("box").params if isinstance(each, click.Option)]
    missing = [
        flag for flag in flags if not any(flag.replace("-", "\\-") in line for line in shown if line.startswith(".B "))
    ]
    assert (shown[:3], missing) == (
        [
            f'.TH KOTC-BOX 1 "" "kotc {__version__}"',
            ".SH NAME",
            r"kotc\-box \- Make a tuck box for cards, to print, cut, fold and glue",
        ],
        [],
    )


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_shows_the_pages_of_the_wheel_without_a_warning(installed: Installation) -> None:
    pages = installed.folder / f"kotc-{__version__}.data/data/share/man/man1"
    for page in sorted(pages.iterdir())[::6]:
        shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True)
        assert (shown.stderr, "SYNOPSIS" in shown.stdout) == ("", True), page.name


def test_the_wheel_completes_words_in_each_shell_as_the_command_does(installed: Installation, tmp_path: Path) -> None:
    share = installed.folder / f"kotc-{__version__}.data/data/share"
    for shell, place in {
        "bash": "bash-completion/completions/kotc",
        "zsh": "zsh/site-functions/_kotc",
        "fish": "fish/vendor_completions.d/kotc.fish",
    }.items():
        printed = installed.run(tmp_path, "-m", "render", "completion", shell).stdout
        assert (share / place).read_text(encoding="utf-8") == printed, shell


def test_an_sdist_gives_the_same_wheel(installed: Installation, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path)) as sdist:
        sdist.extractall(tmp_path, filter="data")
    again = build("wheel", tmp_path / f"kotc-{__version__}", tmp_path)
    assert again.read_bytes() == installed.wheel.read_bytes()
