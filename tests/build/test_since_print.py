"""Reprinting only what changed, for people who keep no copies and have no git."""

import re
from pathlib import Path

import msgspec
import pypdfium2
import pytest

from render.build import manifest
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 3}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}
"""
CHANGED = Path("out/mine/changed.pdf")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with_plain_back(write_set(Path("mine"), CARDS, f"{SET}outputs: {{png: {{dpi: 72}}, sheets: true}}\n"))


def built(*flags: str) -> str:
    result = kotc("build", "mine", *flags)
    assert result.exit_code == 0, result.output
    return result.stderr


def change(old: str, new: str) -> None:
    file = Path("mine/cards.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def names_in(file: Path) -> list[str]:
    text = pypdfium2.PdfDocument(file)[0].get_textpage().get_text_range()
    return re.findall(r"^(Uno|Dos|One|Two)\s*$", text, re.MULTILINE)


def test_what_changed_since_the_last_print_is_printed_however_often_it_was_built() -> None:
    built()
    said = built("--mark-printed")
    assert said == "out/mine: marked as printed; `kotc build --since-print` makes sheets of what changes from now on\n"
    change("name: One", "name: Uno, id: one")
    built()
    change("name: Two", "name: Dos, id: two")
    built()
    said = built("--since-print")
    assert "since the last print: 2 cards changed (one, two): 4 copies on 1 sheet in out/mine/changed.pdf" in said
    assert names_in(CHANGED) == ["Uno", "Uno", "Uno", "Dos"]
    assert "2 cards changed" in built("--since-print")
    built("--mark-printed")
    assert "since the last print: no card changed: nothing to print" in built("--since-print")
    assert not CHANGED.exists()
    change("sp: 2", "sp: 2, flavor: New")
    assert "1 card changed (two): 1 copy on 1 sheet" in built("--since-print")


def test_a_new_edition_indicator_alone_is_told_apart_and_can_be_left_out() -> None:
    change("kind: minion", "kind: minion, edition: 15")
    built()
    built("--mark-printed")
    change("name: One, kind: minion, edition: 15", "name: One, kind: minion, edition: 16")  # whose copies are 3
    change("edition: 15, level: 2, sp: 2", "edition: 16, level: 3, sp: 3")
    said = "since the last print: 1 card changed (two), 1 changed only in the Edition Indicator (one)"
    assert f"{said}: 4 copies on 1 sheet" in built("--since-print")
    assert f"{said}: 1 copy on 1 sheet" in built("--since-print", "--noticed-only")
    assert names_in(CHANGED) == ["Two"]
    assert f"{said}: 4 copies on 1 sheet" in built("--since-print")  # the flag counts for this build alone
    change("copies: 3", "copies: 5")
    assert f"{said}, 1 with more copies (one: 2 more): 3 copies on 1 sheet" in built("--since-print", "--noticed-only")
    change("level: 3, sp: 3", "level: 2, sp: 2")
    change("copies: 5", "copies: 3")
    said = "since the last print: 2 cards changed only in the Edition Indicator (one, two): nothing to print"
    assert said in built("--since-print", "--noticed-only")
    assert not CHANGED.exists()


def test_a_print_that_does_not_remember_fronts_without_indicator_counts_every_change() -> None:
    change("kind: minion", "kind: minion, edition: 15")
    built()
    built("--mark-printed")
    mark = Path("out/mine/.kotc.printed.json")
    known = manifest.parse(mark.read_bytes())
    assert known.plain
    mark.write_bytes(manifest.dump_json(msgspec.structs.replace(known, plain={})))
    change("name: One, kind: minion, edition: 15", "name: One, kind: minion, edition: 16")
    assert "1 card changed (one): 3 copies" in built("--since-print", "--noticed-only")


def test_to_mark_builds_nothing_and_needs_a_build() -> None:
    result = kotc("build", "mine", "--mark-printed")
    assert result.exit_code == 1
    assert "nothing was built in `out/mine`, or not all of it: build it first" in result.stderr
    assert not Path("out").exists()


def test_without_a_mark_it_is_said_how_to_make_one() -> None:
    built()
    result = kotc("build", "mine", "--since-print")
    assert result.exit_code == 2
    assert "nothing in `out/mine` is marked as printed: print its sheets, then say so" in result.stderr
    assert "`kotc build --mark-printed`" in result.stderr


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--since-print --changed-since x", "--since-print and --changed-since both say what to compare with"),
        ("--mark-printed --since-print", "--mark-printed builds nothing: leave out --since-print"),
        ("--noticed-only", "--noticed-only needs --since-print or --changed-since"),
        ("--mark-printed --paper a4", "--mark-printed builds nothing: leave out --paper"),
        ("--verify --mark-printed", "--verify builds nothing: leave out --mark-printed"),
        *(
            (f"--verify {flag}", f"--verify builds nothing: leave out {flag.split()[0]}\n")
            for flag in ("--dry-run", "--explain", "--changed-since v1.0", "--paper a4")
        ),
        ("--keep-going --changed-since HEAD", "leave out --keep-going"),
        ("--workers 2 --scheduler tcp://127.0.0.1:1", "use --scheduler or --workers, not both"),
    ],
)
def test_flags_that_contradict_each_other(flags: str, message: str) -> None:
    built()
    result = kotc("build", "mine", *flags.split())
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_mark_that_somebody_damaged_is_an_error() -> None:
    built()
    built("--mark-printed")
    Path("out/mine/.kotc.printed.json").write_text("{}", encoding="utf-8")
    result = kotc("build", "mine", "--since-print")
    assert result.exit_code == 1
    assert "is not the manifest of a build [H001]" in result.stderr
