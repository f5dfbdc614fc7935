"""The code keeps its own rules: lint, format, types, layers, and each library in its home."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import yaml

from tests.support.repository import ROOT

RENDER = ROOT / "render"
SCRIPTS = Path(sys.executable).parent

CHECKS = {
    "ruff": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "imports": [str(SCRIPTS / "lint-imports"), "--no-cache"],
}

HOMES = {
    "PIL": {
        "games.kotc.recognition",
        "images.color_profiles",
        "images.decode",
        "images.ink_pairs",
        "images.inks",
        "images.patches",
        "images.resample",
        "png.paint",
        "png.stamps",
        "shops.flattening",
        "shops.preflight.objects.lossy",
        "text.hinting",
        "verify.same_pictures",
    },
    "click": {"cli", "games.kotc.commands"},
    "distributed": {"png.dask"},
    "isal": {"images.deflate"},
    "jinja2": {"layout.templates"},
    "markupsafe": {"layout.templates"},
    "numpy": {
        "games.kotc.recognition",
        "images.ink_pairs",
        "images.inks",
        "images.png_packing",
        "images.xcf",
        "png.coverage",
        "png.gradients",
        "png.paint",
        "png.stamps",
        "shops.preflight.objects.lossy",
        "shops.preflight.objects.pictures",
        "verify.same_pictures",
        "verify.sheet.edges",
    },
    "lsprotocol": {"incremental.editor.server"},
    "pygls": {"incremental.editor.server"},
    "pikepdf": {"pdf.standards", "shops.preflight", "verify.reading"},
    "pypdfium2": {"verify.sheet.edges"},
    "reportlab": {"pdf.document", "pdf.fonts", "pdf.gradients", "pdf.pictures"},
    "uharfbuzz": {
        "games.kotc.recognition.signs",
        "pdf.fonts",
        "png.paint",
        "text.font_files",
        "text.fonts",
        "text.glyph_outlines",
        "verify.faces.embedded",
    },
    "uniseg": {"text.unicode_breaks"},
    "watchfiles": {"incremental.notifications"},
    "yaml": {"source.building"},
}
"""The modules that import a library; of a package, all in it may."""

FONTS = {
    "DejaVuSans-Bold.ttf": "0d977336a6d5fba34eab8e3199eb218327161b5143749f802982c2bc34df0c96",
    "DejaVuSans-Oblique.ttf": "eef1a593cc0a4654f147fd1aa9a11e7d327eb8be6f3a35099182db6aeb5d28fe",
    "DejaVuSans.ttf": "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322",
    "DejaVuSansCondensed-Bold.ttf": "6d2f2481e2aae944e8411cc5be515c69503ff7f5db52f2c67bcbe5d4de6bec13",
    "DejaVuSansCondensed-Oblique.ttf": "e35007c431fa7d6c8c8b1aeac60bd68ac14869bb7ed70959c6f027e4cdfa8d35",
    "DejaVuSansCondensed.ttf": "2d8aa290adcf1ebcbb35f63e57cf32941b012eaab4b65096b904112cf3bac972",
}

MANY = 6  # fields or arguments: more than a reader keeps in order

MODULES = sorted(RENDER.rglob("*.py"))
PACKAGES = sorted(door.parent for door in RENDER.rglob("__init__.py") if door.parent != RENDER)
MAX_ENTRIES, MAX_MODULES, MAX_LINES = 20, 12, 500
ONE_FOR_EACH_COMMAND = RENDER / "cli" / "commands"


def called(place: Path) -> str:
    """Return what a module or package is called below `render`."""
    return ".".join(place.relative_to(RENDER).with_suffix("").parts).removesuffix(".__init__")


@cache
def parsed(module: Path) -> ast.Module:
    """Return a module's syntax tree; most tests look at all of them, and parsing takes longer than looking."""
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module's syntax tree."""
    return tuple(ast.walk(parsed(module)))


@pytest.fixture(scope="module", autouse=True)
def _released() -> Iterator[None]:
    """Release the trees, half a million values, before tests of other things run."""
    yield
    parsed.cache_clear()
    nodes.cache_clear()


def imports(module: Path) -> Iterator[str]:
    """Yield the full names of all that a module imports, wherever in it."""
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def neighbors() -> dict[str, set[str]]:
    """Return the modules of ours that each module imports."""
    names = {called(module) for module in MODULES}
    found: dict[str, set[str]] = {}
    for module in MODULES:
        ours = [name.removeprefix("render.") for name in imports(module) if name.startswith("render.")]
        found[called(module)] = {name if name in names else name.rpartition(".")[0] for name in ours} & names
    return found


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_passes(check: str) -> None:
    result = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_library_is_imported_in_its_home_only() -> None:
    found: dict[str, set[str]] = {}
    for module in MODULES:
        for library in {name.split(".")[0] for name in imports(module)} - set(sys.stdlib_module_names) - {"render"}:
            homes = [home for home in HOMES[library] if f"{called(module)}.".startswith(f"{home}.")]
            found.setdefault(library, set()).update(homes or [called(module)])
    assert found == HOMES


def test_packages_do_not_import_each_other_in_circles() -> None:
    rooms: dict[str, set[str]] = {}
    for module, others in neighbors().items():
        if module in ("", "__main__"):  # the ways in: the library and the program
            continue
        room = module.rpartition(".")[0]
        rooms.setdefault(room, set()).update({other.rpartition(".")[0] for other in others} - {room, ""})
    assert [*TopologicalSorter(rooms).static_order()]


def test_modules_do_not_import_each_other_in_circles() -> None:
    assert [*TopologicalSorter(neighbors()).static_order()]


def test_a_room_can_be_taken_in_at_a_glance() -> None:
    entries = {each for each in RENDER.iterdir() if each.name not in {"__pycache__", "data"}}
    assert len(entries) <= MAX_ENTRIES
    assert {each.name for each in entries if each.suffix == ".py"} == {"__init__.py", "__main__.py"}
    modules = {room: [each for each in room.glob("*.py") if each.name != "__init__.py"] for room in PACKAGES}
    assert {room for room, found in modules.items() if len(found) > MAX_MODULES} <= {ONE_FOR_EACH_COMMAND}


def test_the_map_says_of_each_room_what_its_own_door_says() -> None:
    words = (RENDER / "README.md").read_text(encoding="utf-8")
    for room in PACKAGES:
        door = ast.get_docstring(parsed(room / "__init__.py"))
        assert f"| `{called(room).replace('.', '/')}` | {door} |" in words


def test_what_the_map_names_is_there() -> None:
    words = (RENDER / "README.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"## Where to find\n(.*?)\n## ", words, re.DOTALL)
    named = re.findall(r"`([a-z_/]+(?:\.\w+)?)`", table)
    assert named
    assert [name for name in named if not (RENDER / name).exists() and not (RENDER / f"{name}.py").exists()] == []


def test_the_table_of_libraries_names_their_homes() -> None:
    words = (RENDER / "README.md").read_text(encoding="utf-8")
    titles = {"PIL": "Pillow", "jinja2": "Jinja2", "yaml": "PyYAML", "reportlab": "ReportLab"}
    for library, homes in HOMES.items():
        if library == "markupsafe":  # in one row with Jinja2
            continue
        (row,) = re.findall(rf"^\| {titles.get(library, library)}[^|]*\|[^|]*\|([^|]*)\|", words, re.MULTILINE)
        assert {home for home in homes if f"`{home.replace('.', '/')}`" not in row} == set(), library


def test_no_public_class_has_the_name_of_another() -> None:
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for node in parsed(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(called(module))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def _fields(tree: ast.ClassDef) -> list[str]:
    """Return the fields that a dataclass is made with."""
    return [
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if not (isinstance(node.value, ast.Call) and "init=False" in ast.unparse(node.value))
    ]


def test_what_has_six_fields_or_more_is_made_by_their_names() -> None:
    """With `kw_only=True` nobody counts commas to find which number is which, and no two are swapped."""
    positional = [
        f"{called(module)}.{node.name}"
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.ClassDef) and len(_fields(node)) >= MANY
        for decorator in node.decorator_list
        if ast.unparse(decorator).startswith("dataclass") and "kw_only=True" not in ast.unparse(decorator)
    ]
    assert positional == []


def test_no_call_passes_six_arguments_by_their_order() -> None:
    """Except to what takes any number of the same kind, and for the six numbers of a matrix."""
    everything = [(module, node) for module in MODULES for node in nodes(module)]
    defined = {node.name for _, node in everything if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    variadic = {node.name for _, node in everything if isinstance(node, ast.FunctionDef) and node.args.vararg}
    ours = defined - variadic - {"Affine"}
    assert [
        f"{called(module)}:{node.lineno}: {ast.unparse(node.func)}"
        for module, node in everything
        if isinstance(node, ast.Call) and len(node.args) >= MANY
        if ast.unparse(node.func).rpartition(".")[2] in ours and ast.unparse(node.func) != "struct.pack"
    ] == []


def test_every_cache_is_registered() -> None:
    """`base/caches` lists and empties all of them; `functools` would hide one."""
    hidden = [
        called(module)
        for module in MODULES
        if called(module) != "base.caches" and _names(module) & {"lru_cache", "cache", "_lru_cache_wrapper"}
    ]
    assert hidden == []


def _names(module: Path) -> set[str]:
    """Return what a module takes from functools, by `from functools import` or as `functools.cache`."""
    taken = {
        name.name
        for node in nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "functools"
        for name in node.names
    }
    return taken | {
        node.attr
        for node in nodes(module)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "functools"
    }


def test_importing_a_module_changes_nothing() -> None:
    """No call stands by itself at the level of a module, and nothing is set in a module of somebody else."""
    found = [
        f"{called(module)}:{node.lineno}"
        for module in MODULES
        for node in parsed(module).body
        if (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
        or isinstance(node, ast.For | ast.While | ast.With | ast.AugAssign | ast.Delete)
        or (isinstance(node, ast.Assign) and not all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets))
    ]
    assert found == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.relative_to(ROOT).as_posix())
def test_modules_and_functions_stay_short(module: Path) -> None:
    assert module.read_text(encoding="utf-8").count("\n") <= MAX_LINES
    functions = [node for node in nodes(module) if isinstance(node, ast.FunctionDef)]
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


@pytest.mark.parametrize("workflow", ["tests", "wheel"])
def test_workflows_begin_with_the_oldest_python_that_is_promised(workflow: str) -> None:
    promised = re.findall(r'^requires-python = ">=(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    text = (ROOT / ".github/workflows" / f"{workflow}.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert job["strategy"]["matrix"]["python"][:1] == promised
    assert {system.partition("-")[0] for system in job["strategy"]["matrix"]["system"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
