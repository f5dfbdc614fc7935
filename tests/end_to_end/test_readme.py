"""What the README shows is what the program says."""

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from jinja2 import Environment
from PIL import Image

from render.base.limits import TEMPLATE_RANGE
from render.cli.main import groups
from render.layout.templates.environment import (
    FILTERS,
    MEMBERS,
    TESTS,
)
from render.sheets.options import OPTIONS
from tests.support.pages import PAGES, page, pages_of
from tests.support.repository import ROOT
from tests.support.sets import kotc

README = page("README.md")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
CARD = next(body for kind, body in BLOCKS if kind == "yaml")
READ_AT_ONCE = {ROOT.name, "cards", "reference", "out", "templates"}
MOST_WORDS = 2200  # what people read in ten minutes
DONE, REFUSED = (body.split("\n", 1)[1] for kind, body in BLOCKS if kind == "console")


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
    assert kotc("build", "cards/mine").output == DONE


def test_the_error_of_the_readme_is_real(folder: Path) -> None:
    wrong = CARD.replace("kind: minion", "kind: minoin").replace("level:", "levl:")
    (folder / "minions.yaml").write_text(wrong, encoding="utf-8")
    assert kotc("build", "cards/mine").output == REFUSED


def test_the_first_card_comes_as_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    photo = Path("Pictures/IMG_2041.JPG")
    photo.parent.mkdir()
    Image.linear_gradient("L").resize((1600, 1200)).convert("RGB").save(photo, "JPEG")
    first_card = README[README.index("## Your first card") : README.index("## Write a card")]
    steps = [shlex.split(line) for line in re.findall(r"```sh\n(.*?)```", first_card, re.DOTALL)[0].splitlines()]
    assert [step[:2] for step in steps] == [
        [".", ".venv/bin/activate"], ["kotc", "init"], ["kotc", "new"], ["kotc", "preview"],
    ]  # fmt: skip
    for _, *words in steps[1:3]:
        assert kotc(*(Path(word).expanduser() if word.startswith("~") else word for word in words)).exit_code == 0
    # The preview goes on until it is stopped. What it shows is what is built.
    assert kotc("check", *steps[3][2:]).output == "4 cards checked: nothing to report\n"
    assert kotc("png", *steps[3][2:], "--card", "harbor-cat").exit_code == 0


@pytest.mark.parametrize("read", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(read: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*?)(?:#([^)]*))?\)", read.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            file = read.parent / target if target else read
            assert file.exists(), target
            assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


def test_every_program_of_the_tests_that_a_page_names_exists() -> None:
    named = {
        name.replace(".", "/") if "/" not in name else name.removesuffix(".py")
        for read in PAGES
        for name in re.findall(r"\bpython (?:-m )?(tests[\w./]*\w)", read.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert [name for name in named if not ((ROOT / name).is_dir() or (ROOT / f"{name}.py").exists())] == []


def test_every_page_of_a_folder_stands_in_its_readme() -> None:
    for folder in ("cards", "out", "templates"):
        listed = page(f"{folder}/README.md")
        pages = [each.relative_to(ROOT / folder).as_posix() for each in PAGES if each.is_relative_to(ROOT / folder)]
        assert [
            name for name in pages if name.count("/") < 2 and f"({name})" not in listed and name != "README.md"
        ] == []


@pytest.mark.parametrize("read", [each for each in PAGES if each.parts[-2] in READ_AT_ONCE], ids=lambda path: path.name)
def test_a_page_is_read_in_ten_minutes(read: Path) -> None:
    assert len(re.findall(r"[^\s|]*\w[^\s|]*", read.read_text(encoding="utf-8"))) <= MOST_WORDS


def anchors(of: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", of.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_command_and_option_of_the_readme_exists() -> None:
    table = README[README.index("## Commands") : README.index("## Read on")]
    for command, does in re.findall(r"\| `kotc (\w+)` \| (.*) \|", table):
        said = kotc(command, "--help").output
        for option in re.findall(r"--[a-z]+", does):
            assert option in said, f"{command} {option}"


def test_every_command_is_in_the_table_of_its_group() -> None:
    listed = README[README.index("## Commands") : README.index("## Printing")]
    tables = [re.findall(r"^\| `kotc (\w+)` \|", table, re.MULTILINE) for table in listed.split("| --- |")[1:]]
    titles = re.findall(r"^\| ([a-z ]+) \| \|$", listed, re.MULTILINE)
    assert dict(zip(titles, tables, strict=True)) == {title.lower(): [*group] for title, group in groups().items()}


def test_the_speed_on_the_front_page_is_that_of_the_tables() -> None:
    tests = page("tests/README.md")
    begin, end = re.findall("<!-- .* -->", README)
    lines = README.partition(begin)[2].partition(end)[0].strip().split("\n")
    measured = re.split(r" *[|,\n] *", tests.partition(begin)[2].partition(end)[0])
    assert len(lines) == 4
    assert [figure for line in lines for figure in line.split(": ")[1].split(", ") if figure not in measured] == []


# --- the tables of codes --------------------------------------------------------------------------------------------

LIKE_CARDS = re.compile(r"[SBDW]0[01]\d")  # the same mistakes elsewhere than in cards, which have one row for all


def codes_of_tables() -> Counter[str]:
    """Return the codes that the tables explain, and how often each."""
    found: Counter[str] = Counter()
    for row in re.findall(r"^\| ([A-Z]\d\d\d[^|]*)\|.*$", pages_of("cards", "out", "templates"), re.MULTILINE):
        if " to " not in row:  # a row that only says where codes are explained
            found.update(re.findall(r"[A-Z]\d\d\d", row))
    return found


def codes_of_the_program() -> tuple[set[str], set[str]]:
    """Return the codes that the program writes out, and the numbers to which it adds the letter of what was read."""
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "render").rglob("*.py"))
    codes = set(re.findall(r"(?<![A-Z0-9#])([A-Z]\d\d\d)\b(?=[\"'`\]])", code))
    return codes, set(re.findall(r'"(?:\{[\w.]+\})?(0\d\d)"', code))


def test_every_code_that_the_program_can_give_has_one_row() -> None:
    explained, (codes, numbers) = codes_of_tables(), codes_of_the_program()
    assert len(codes) > 130
    assert {code: times for code, times in explained.items() if times > 1} == {}
    assert {code for code in codes - set(explained) if not LIKE_CARDS.fullmatch(code)} == set()
    assert {number for number in numbers if not any(f"{letter}{number}" in explained for letter in "CSBDGRW")} == set()


def test_every_code_that_has_a_row_can_be_given() -> None:
    codes, numbers = codes_of_the_program()
    never = {
        code for code in codes_of_tables() if code not in codes and not (code[0] in "CSBDGMRW" and code[1:] in numbers)
    }
    assert never == set()


def test_the_reference_of_templates_says_what_they_may_use() -> None:
    reference = " ".join(page("templates/jinja.md").split())
    own = {name for name in dir(str) if not name.startswith("_")}
    for said, offered in (
        (r"Filters are `(.*?)`", FILTERS),
        (r"Python's methods but `(.*?)`", own - MEMBERS[str]),
        (r"lists have `(.*?)`", MEMBERS[list]),
        (r"dictionaries `(.*?)`", MEMBERS[dict]),
        (r"numbers `(.*?)`", MEMBERS[float]),
    ):
        (words,) = re.findall(said, reference)
        assert words.split() == sorted(offered)
    assert set(Environment().tests) == TESTS
    assert f"ranges of at most {TEMPLATE_RANGE.most:,}".replace(",", " ") in reference


# --- options, tests -------------------------------------------------------------------------------------------------


def test_every_option_of_sheets_is_explained() -> None:
    reference = pages_of("out")
    assert {option.key for option in OPTIONS if not re.search(rf"`[^`\n]*\b{option.key}\b[^`\n]*`", reference)} == set()


def test_the_map_of_the_program_has_every_package_and_names_no_other() -> None:
    tour = page("render/README.md")
    table = tour.partition("## The packages")[2].partition("\n## ")[0]
    rows = "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))
    packages = {init.parent.name for init in (ROOT / "render").glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)`", rows)) == packages
    named = [name for name in re.findall(r"`(\w+(?:/\w+)+)`", tour) if name.split("/")[0] in packages]
    places = {path.relative_to(ROOT / "render").with_suffix("").as_posix() for path in (ROOT / "render").rglob("*")}
    assert [name for name in named if name not in places] == []


def test_the_map_of_tests_names_every_module() -> None:
    words = page("tests/README.md")
    rows = "".join(row for row in words.splitlines(keepends=True) if row.startswith("| `"))
    named = set(re.findall(r"`([\w/]+\.py)`", rows))
    tests = ROOT / "tests"
    modules = {path.relative_to(tests).as_posix() for path in tests.rglob("*.py") if is_mapped(path)}
    assert named == modules


def is_mapped(module: Path) -> bool:
    """Tell whether a module of the tests stands in the map by its own name: it has tests, or what they share."""
    return (
        module.name.startswith("test_")
        or module.stem.endswith("_laws")
        or (module.parent.name == "support" and module.stem != "__init__")
    )
