"""The code keeps its own rules: lint, format, types, layers without cycles, and the files at the top."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.repository import ROOT

CHECKS = {
    "lint": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "layers": [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
}

FONTS = {
    "DejaVuSans-Bold.ttf": "0d977336a6d5fba34eab8e3199eb218327161b5143749f802982c2bc34df0c96",
    "DejaVuSans-Oblique.ttf": "eef1a593cc0a4654f147fd1aa9a11e7d327eb8be6f3a35099182db6aeb5d28fe",
    "DejaVuSans.ttf": "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322",
    "DejaVuSansCondensed-Bold.ttf": "6d2f2481e2aae944e8411cc5be515c69503ff7f5db52f2c67bcbe5d4de6bec13",
    "DejaVuSansCondensed-Oblique.ttf": "e35007c431fa7d6c8c8b1aeac60bd68ac14869bb7ed70959c6f027e4cdfa8d35",
    "DejaVuSansCondensed.ttf": "2d8aa290adcf1ebcbb35f63e57cf32941b012eaab4b65096b904112cf3bac972",
}

TOP = {"pyproject.toml", "README.md", "LICENSE", "render", "templates", "fonts", "cards", "out", "tests"}


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_passes(check: str) -> None:
    result = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{check} failed:\n{result.stdout}{result.stderr}"


@pytest.mark.parametrize("name", FONTS)
def test_the_bundled_fonts_are_the_released_ones(name: str) -> None:
    assert hashlib.sha256((ROOT / "fonts" / name).read_bytes()).hexdigest() == FONTS[name]


def test_only_the_agreed_files_lie_at_the_top() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert {name.split("/")[0] for name in tracked.splitlines() if not name.startswith(".")} <= TOP


@pytest.mark.parametrize("workflow", ["tests", "wheel"])
def test_workflows_begin_with_the_oldest_python_that_is_promised(workflow: str) -> None:
    promised = re.findall(
        r'^requires-python = ">=(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    (job,) = yaml.safe_load((ROOT / f".github/workflows/{workflow}.yml").read_text(encoding="utf-8"))["jobs"].values()
    matrix = job["strategy"]["matrix"]
    assert matrix["python"][:1] == promised
    assert {system.partition("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}
