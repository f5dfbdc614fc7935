"""Limits of what users hand in: one table in the program, the same in the reference, and no others."""

import re

from render.base.limits import ROWS
from tests.support.pages import page
from tests.support.repository import ROOT

READERS = (
    "source",
    "images",
    "text/font_files",
    "layout/templates",
    "game/declared/reading",
    "games/kotc/workshop/imports",
)


def test_the_reference_has_the_same_table() -> None:
    table = page("cards/reference/limits.md").partition("| --- | --- |\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| {row.of} | {row} |" for row in ROWS]


def test_no_reader_has_a_limit_of_its_own() -> None:
    files = [file for folder in READERS for file in (ROOT / "render" / folder).rglob("*.py")]
    own = re.compile(r"^(?:MAX|LARGEST|LONGEST|MOST|DEEPEST)\w*(?:, \w+)* *(?::[^=]+)?= ", re.MULTILINE)
    found = {file.name: own.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {name: names for name, names in found.items() if names} == {}


def test_only_the_table_says_what_a_worker_may_take() -> None:
    others = [file for file in (ROOT / "render").rglob("*.py") if file.parent.name != "base"]
    assert [file for file in others if re.search(r"\bLimits\(", file.read_text(encoding="utf-8"))] == []
