"""The code keeps its own rules: lint, format, types, layers, and each library in its home."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sys.executable).parent

CHECKS = {
    "ruff": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "imports": [str(SCRIPTS / "lint-imports"), "--no-cache"],
}

HOMES = {
    "PIL": {"cmyk", "colours", "ink_pairs", "lossy", "pictures", "pixels", "png", "same_pictures", "stamps"},
    "click": {
        "cli",
        "cli_build",
        "cli_calibrate",
        "cli_check",
        "cli_cut",
        "cli_deck",
        "cli_edition",
        "cli_explain",
        "cli_png",
        "cli_preflight",
        "cli_rebuild",
        "cli_migrate",
        "cli_sheets",
        "cli_shop",
        "since_flag",
        "cli_table",
        "cli_verify",
        "cli_watch",
        "choosing",
        "console",
        "migration_flags",
        "strict_flag",
        "sheet_flags",
        "worker_flags",
    },
    "distributed": {"cluster"},
    "isal": {"deflate"},
    "jinja2": {"counting", "offered", "sandbox", "template", "template_code", "template_files"},
    "markupsafe": {"sandbox"},
    "numpy": {"cmyk", "edges", "ink_pairs", "lossy", "pictures", "png", "raster", "same_pictures", "stamps"},
    "pikepdf": {
        "boxes",
        "catalogue",
        "claims",
        "content",
        "document",
        "drawing",
        "font_rules",
        "fonts",
        "functions",
        "inks",
        "inline",
        "pdf_reading",
        "pdf_values",
        "pictures",
        "reading",
        "resources",
        "spaces",
        "standards",
    },
    "pypdfium2": {"edges"},
    "reportlab": {"pdf", "pdf_fonts", "pdf_pictures"},
    "uharfbuzz": {"embedded", "fonts", "pdf_fonts", "png"},
    "watchfiles": {"watching"},
    "yaml": {"source"},
}

FONTS = {
    "DejaVuSans-Bold.ttf": "0d977336a6d5fba34eab8e3199eb218327161b5143749f802982c2bc34df0c96",
    "DejaVuSans-Oblique.ttf": "eef1a593cc0a4654f147fd1aa9a11e7d327eb8be6f3a35099182db6aeb5d28fe",
    "DejaVuSans.ttf": "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322",
    "DejaVuSansCondensed-Bold.ttf": "6d2f2481e2aae944e8411cc5be515c69503ff7f5db52f2c67bcbe5d4de6bec13",
    "DejaVuSansCondensed-Oblique.ttf": "e35007c431fa7d6c8c8b1aeac60bd68ac14869bb7ed70959c6f027e4cdfa8d35",
    "DejaVuSansCondensed.ttf": "2d8aa290adcf1ebcbb35f63e57cf32941b012eaab4b65096b904112cf3bac972",
}

MODULES = sorted((ROOT / "render").rglob("*.py"))


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_passes(check: str) -> None:
    result = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_library_is_imported_in_its_home_only() -> None:
    found: dict[str, set[str]] = {}
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"render"}:
                found.setdefault(name, set()).add(module.stem)
    assert found == HOMES


def test_the_map_names_every_module() -> None:
    words = (ROOT / "render" / "README.md").read_text(encoding="utf-8")
    names = {module.stem for module in MODULES} - {"__init__", "__main__"}
    assert {name for name in names if f"`{name}`" not in words} == set()


def test_the_table_of_libraries_names_their_homes() -> None:
    words = (ROOT / "render" / "README.md").read_text(encoding="utf-8")
    preflight = {path.stem for path in (ROOT / "render/preflight").glob("*.py")}
    called = {"PIL": "Pillow", "jinja2": "Jinja2", "yaml": "PyYAML", "reportlab": "ReportLab"}
    for library, homes in HOMES.items():
        if library == "markupsafe":  # in one row with Jinja2
            continue
        (row,) = re.findall(rf"^\| {called.get(library, library)}[^|]*\|[^|]*\|([^|]*)\|", words, re.MULTILINE)
        named = {home for home in homes if not (home.startswith("cli_") and "neighbours" in row)}
        named -= preflight if "`preflight` and its parts" in row else set()
        assert {home for home in named if f"`{home}`" not in row} == set(), library


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.relative_to(ROOT).as_posix())
def test_modules_and_functions_stay_short(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert text.count("\n") <= 350
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60] == []


@pytest.mark.parametrize("name", FONTS)
def test_the_bundled_fonts_are_the_released_ones(name: str) -> None:
    assert hashlib.sha256((ROOT / "fonts" / name).read_bytes()).hexdigest() == FONTS[name]


def test_only_the_agreed_files_lie_at_the_top() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    tops = {name.split("/")[0] for name in tracked if name and not name.startswith(".")}
    assert tops <= {"pyproject.toml", "README.md", "LICENSE", "render", "templates", "fonts", "cards", "out", "tests"}
