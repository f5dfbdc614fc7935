"""The same mistake thousands of times: told in bounded time and words."""

import json
from pathlib import Path

import pytest

from tests.support.sets import kotc, write_set
from tests.support.templates import place, svg

GOOD = "- {name: Note, kind: tip, text: Draw 1 card.}\n"
SET = "name: Test\nedition: 17\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_after_50_findings_of_a_code_the_others_are_counted() -> None:
    cards = "".join(f"- {{name: N{n}, kind: tip, text: Hi., kolor: red}}\n" for n in range(1234))
    place(write_set(Path("s"), f"{cards}- {{}}\n", SET), {"tip.svg": svg("")})
    result = kotc("check", "s")
    assert result.stdout.count(": error: unknown key `kolor` [C002]") == 50
    assert result.stdout.splitlines()[-1] == "error: and 1,184 more like these [C002]"
    assert result.stdout.count("[C004]") == 2
    assert result.stderr == "1236 errors\n"


def test_50_findings_of_a_code_are_all_shown() -> None:
    write_set(Path("s"), "".join(f"- {{name: N{n}, kind: tip, text: Hi., kolor: red}}\n" for n in range(50)), SET)
    assert "more like these" not in kotc("check", "s").stdout


def test_json_has_an_object_that_counts_the_others() -> None:
    write_set(Path("s"), "".join(f"k{n}: 1\n" for n in range(60)), SET)
    rows = json.loads(kotc("check", "s", "--format", "json").stdout)
    assert len([row for row in rows if row["code"] == "C002"]) == 51
    assert rows[-1] == {
        "code": "C002", "severity": "error", "message": "and 10 more like these", "file": None, "line": None,
        "column": None, "card": None, "field": None, "hint": None, "end_line": None, "end_column": None,
    }  # fmt: skip


def test_github_is_told_how_many_more_there_are() -> None:
    write_set(Path("s"), "".join(f"k{n}: 1\n" for n in range(60)), SET)
    assert "::error title=C002::and 10 more like these" in kotc("check", "s", "--format", "github").stdout


def test_a_list_without_end() -> None:
    write_set(Path("s"), "- {}\n" * 20_001, SET)
    assert kotc("check", "s").stdout == (
        "s/cards.yaml:1:1: error: a list or mapping of more than 20,000 entries begins here [Y019]\n"
        "  1 | - {}\n    | ^\n  hint: split the file into several\n"
    )


def test_a_path_without_end() -> None:
    write_set(Path("s"), f"{{name: Note, kind: tip, text: Hi., art: a{'/a' * 400_000}}}\n", SET)
    assert "error: the path has 800,001 characters, and may have 1,000 [C018]\n" in kotc("check", "s").stdout


def test_card_files_that_are_too_large_together() -> None:
    write_set(Path("s"), GOOD, SET)
    text = f"# {'x' * ((1 << 20) - 100)}\n- {{name: N%02d, kind: tip, text: Hi.}}\n"
    for number in range(65):
        (Path("s") / f"{number:02}.yaml").write_text(text % number)
    said = kotc("check", "s").stdout
    assert said.startswith("s/64.yaml:1:1: error: the card files of the set are larger than 64 MiB together [S022]\n")


def test_every_repeated_id_names_the_place_of_the_first() -> None:
    write_set(Path("s"), GOOD * 3, SET)
    assert kotc("check", "s").stdout.count("two cards have the id `note`, the first at s/cards.yaml:1:10 [C013]") == 2


def test_a_length_without_end_is_quoted_in_part() -> None:
    write_set(Path("s"), GOOD, SET + f"sheet: {{paper: {'1x' * 100_000}}}\n")
    said = kotc("check", "s").stdout
    assert f"found `{('1x' * 100)[:60]}…` [S007]" in said
    assert len(said) < 1000
