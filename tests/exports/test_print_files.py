"""The files that sheets are printed from: their names and pages, how they ask to be printed, and what is in them."""

import re
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.caches import clear_caches
from render.exports.print_files import print_files, sheets
from render.scene.proof_kinds import Proof
from render.sheets.options import Backs, SheetOptions
from tests.support.messages import words, write
from tests.support.pdf_contents import asked_of_printers, pages, ticket
from tests.support.sets import kotc, write_set
from tests.support.sheet_files import job, reprinted, verified
from tests.support.templates import with_plain_back

CARDS = "".join(
    f"- {{name: {name}, kind: minion, level: 2, sp: 1, hp: 1, copies: {copies}}}\n"
    for name, copies in (("Ant", 7), ("Bee", 12), ("Cat", 1), ("Dog", 0), ("Elk", 9))
)
IN_ORDER = ["Ant"] * 7 + ["Bee"] * 12 + ["Cat"] + ["Elk"] * 9  # 29 cards: three sheets of nine, and two cards


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a set of four sheets."""
    monkeypatch.chdir(tmp_path)
    a_set(CARDS)


def a_set(cards: str, sheet: str = "{paper: a4}") -> None:
    with_plain_back(write(Path("zoo"), {"set.yaml": f"name: Zoo\nedition: 17\nsheet: {sheet}\n", "cards.yaml": cards}))


def made(*arguments: str) -> dict[str, list[str]]:
    """Return the words of the pages of the files that are made, by their names."""
    result = kotc("pdf", "zoo", "--out", "made/zoo.pdf", *arguments)
    assert result.exit_code == 0, result.output
    return {file.name: pages(file) for file in sorted(Path("made").iterdir())}


def fronts(words: list[str]) -> list[str]:
    """Return the names of the cards on pages, in the order in which they are printed."""
    return [name for page in words for name in re.findall(r"^(Ant|Bee|Cat|Dog|Elk)\s*$", page, re.MULTILINE)]


def slugs(words: list[str]) -> list[str]:
    return [found[0] if (found := re.findall(r"sheet \d+ of \d+ · (?:front|back)", page)) else "" for page in words]


# --- split ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "sizes"),
    [
        (1, {"zoo-1.pdf": 2, "zoo-2.pdf": 2, "zoo-3.pdf": 2, "zoo-4.pdf": 2}),
        (3, {"zoo-1.pdf": 6, "zoo-2.pdf": 2}),
        (4, {"zoo.pdf": 8}),
        (9, {"zoo.pdf": 8}),
        (0, {"zoo.pdf": 8}),
    ],
)
def test_split_sheets_are_in_files_with_numbers(most: int, sizes: dict[str, int]) -> None:
    assert {name: len(words) for name, words in made("--sheets-per-file", str(most)).items()} == sizes


@pytest.mark.parametrize("most", [0, 1, 2, 3])
@pytest.mark.parametrize("backs", ["duplex", "separate", "none"])
def test_all_files_together_have_every_copy_once_in_order(most: int, backs: str) -> None:
    files = made("--sheets-per-file", str(most), "--backs", backs)
    assert fronts([page for words in files.values() for page in words]) == IN_ORDER
    halves = 2 if backs == "separate" else 1
    named = [cards for name in files for cards in ticket(Path("made", name))["cards"]]
    assert sum(copies for _, copies, _ in named) == halves * len(IN_ORDER)


def test_a_slug_numbers_the_sheet_among_those_of_all_files() -> None:
    files = made("--sheets-per-file", "3")
    numbers = [slug for words in files.values() for slug in slugs(words)]
    assert numbers == [f"sheet {number} of 4 · {side}" for number in (1, 2, 3, 4) for side in ("front", "back")]


@given(st.integers(0, 30), st.integers(0, 5), st.sampled_from(Backs))
def test_files_hold_all_sheets_and_have_different_names_for_any_number_of_cards(
    copies: int, most: int, backs: Backs
) -> None:
    options = SheetOptions(sheets_per_file=most, backs=backs, grid=(1, 2), proof=Proof.OUTLINE)
    count = -(-copies // 2)
    parts = -(-count // most) if most else min(count, 1)
    wanted = reprinted(job(), {"ant": copies})
    files = print_files(wanted, sheets(wanted, options), Path("a.pdf"))
    assert len({file.name for file in files}) == len(files) == parts * (2 if backs is Backs.SEPARATE else 1)


def test_sheets_that_are_too_much_for_a_pdf_are_in_several_which_prove_right(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, quarters = made()["zoo.pdf"], made("--sheets-per-file", "1", "--out", "made/quarter.pdf")
    sizes = [file.stat().st_size for file in sorted(Path("made").glob("quarter-?.pdf"))]
    Path("made/zoo.pdf").unlink()
    # Two sheets are too much, one is not.
    monkeypatch.setattr("render.exports.print_files.LARGEST", max(sizes))
    assert said() == [
        "Zoo: 4 sheets in made/zoo-1.pdf to zoo-4.pdf",
        "  print at 100 % (actual size), both sides, flipped on the long edge",
        "  29 cards, 9 on a sheet of A4",
        "  in 4 files of at most 10 GB",
    ]
    files = sorted(Path("made").glob("zoo-?.pdf"))
    assert not Path("made/zoo.pdf").exists()
    assert [file.read_bytes() for file in files] == [
        Path("made", name).read_bytes() for name in quarters if "quarter" in name
    ]
    assert [page for file in files for page in pages(file)] == whole
    assert verified(*files, "--set", "zoo").output.startswith("4 sheets, 29 cards, 8 pages: ")


@pytest.mark.parametrize("outputs", ["[sheets]", "{png: {dpi: 72}, sheets: true}"])
def test_sheets_of_a_build_are_in_as_many_files_as_it_takes(outputs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("zoo/set.yaml").open("a", encoding="utf-8") as stream:
        stream.write(f"outputs: {outputs}\n")
    whole = made()["zoo.pdf"]
    made("--sheets-per-file", "1", "--out", "made/quarter.pdf")
    sizes = [file.stat().st_size for file in sorted(Path("made").glob("quarter-?.pdf"))]
    assert kotc("build", "zoo", "--out", "out").exit_code == 0
    monkeypatch.setattr("render.exports.print_files.LARGEST", max(sizes))
    assert kotc("build", "zoo", "--out", "out", "--force").exit_code == 0
    files = sorted(Path("out/zoo").glob("*.pdf"))
    assert [file.name for file in files] == ["sheets-1.pdf", "sheets-2.pdf", "sheets-3.pdf", "sheets-4.pdf"]
    assert [page for file in files for page in pages(file)] == whole
    assert verified(*files, "--set", "zoo").output.startswith("4 sheets, 29 cards, 8 pages: ")
    before = [file.stat().st_mtime_ns for file in files]
    assert "(0 written, " in kotc("build", "zoo", "--out", "out").stderr
    assert [file.stat().st_mtime_ns for file in files] == before
    monkeypatch.setattr("render.exports.print_files.LARGEST", 10**10)
    files[2].unlink()
    assert kotc("build", "zoo", "--out", "out").exit_code == 0
    assert [file.name for file in Path("out/zoo").glob("*.pdf")] == ["sheets.pdf"]


def test_a_sheet_that_is_too_much_for_a_pdf_leaves_all_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("render.exports.print_files.LARGEST", 5_000)
    too_large = "the PDF would have more than 10 GB; split the sheets with `sheets_per_file` [E001]"
    assert said() == [f"error: cannot use `made/zoo-1.pdf`: {too_large}"]
    assert not any(Path("made").iterdir())
    assert kotc("build", "zoo").stderr == f"error: cannot use `sheets-1.pdf`: {too_large}\n"


# --- backs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "sizes", "sides"),
    [
        ("--backs duplex", {"zoo.pdf": 8}, "DuplexFlipLongEdge"),
        ("--flip short-edge", {"zoo.pdf": 8}, "DuplexFlipShortEdge"),
        ("--backs separate", {"zoo-backs.pdf": 4, "zoo-fronts.pdf": 4}, "Simplex"),
        ("--backs none", {"zoo.pdf": 4}, "Simplex"),
        # A4 has room for four cards and their backs beside a fold, if it lies sideways.
        ("--backs fold", {"zoo.pdf": 8}, "Simplex"),
    ],
)
def test_pages_and_print_hints_by_where_the_backs_are(asked: str, sizes: dict[str, int], sides: str) -> None:
    files = made(*asked.split())
    assert {name: len(words) for name, words in files.items()} == sizes
    assert {asked_of_printers(Path("made", name)) for name in files} == {("/None", f"/{sides}")}


def test_separate_files_have_the_same_sheets_in_the_same_order() -> None:
    files = made("--backs", "separate", "--sheets-per-file", "3")
    assert list(files) == ["zoo-1-backs.pdf", "zoo-1-fronts.pdf", "zoo-2-backs.pdf", "zoo-2-fronts.pdf"]
    for part in (1, 2):
        one, other = slugs(files[f"zoo-{part}-fronts.pdf"]), slugs(files[f"zoo-{part}-backs.pdf"])
        assert [slug.replace("front", "back") for slug in one] == other
        assert all(slug.endswith("front") for slug in one)


def test_backs_in_reverse_order_are_the_same_pages_from_the_last_sheet_of_their_file_on() -> None:
    asked = ("--backs", "separate", "--sheets-per-file", "3")
    plain = made(*asked)
    files = made(*asked, "--reverse-backs")
    for part in (1, 2):
        assert files[f"zoo-{part}-fronts.pdf"] == plain[f"zoo-{part}-fronts.pdf"]
        assert files[f"zoo-{part}-backs.pdf"] == plain[f"zoo-{part}-backs.pdf"][::-1]
    assert slugs(files["zoo-1-backs.pdf"]) == [f"sheet {number} of 4 · back" for number in (3, 2, 1)]


def test_a_set_may_ask_for_backs_in_reverse_order() -> None:
    a_set(CARDS, "{backs: separate, reverse_backs: true}")
    assert slugs(made()["zoo-backs.pdf"])[0] == "sheet 4 of 4 · back"
    assert slugs(made("--no-reverse-backs")["zoo-backs.pdf"])[0] == "sheet 1 of 4 · back"


def test_a_sheet_without_any_back_gets_a_blank_page_behind_it() -> None:
    bare = "".join(f"- {{name: {name}, kind: tip, text: A tip., copies: 9, back: {back}}}\n" for name, back in
                   (("Ant", "back"), ("Bee", "none"), ("Cat", "back")))  # fmt: skip
    a_set(bare)
    words = made()["zoo.pdf"]
    assert slugs(words) == [
        "sheet 1 of 3 · front", "sheet 1 of 3 · back", "sheet 2 of 3 · front", "", "sheet 3 of 3 · front",
        "sheet 3 of 3 · back",
    ]  # fmt: skip
    assert words[3].strip() == ""


# --- what lay there before ------------------------------------------------------------------------------------------


def test_build_removes_the_files_of_a_split_that_has_become_smaller() -> None:
    def built() -> list[str]:
        assert kotc("build", "zoo").exit_code == 0
        return sorted(file.name for file in Path("out/zoo").glob("*.pdf"))

    a_set(CARDS, "{sheets_per_file: 1}")
    assert built() == ["sheets-1.pdf", "sheets-2.pdf", "sheets-3.pdf", "sheets-4.pdf"]
    a_set(CARDS, "{sheets_per_file: 2}")
    assert built() == ["sheets-1.pdf", "sheets-2.pdf"]
    a_set(CARDS, "{backs: separate}")
    assert built() == ["sheets-backs.pdf", "sheets-fronts.pdf"]
    a_set(CARDS)
    assert built() == ["sheets.pdf"]


def said(*arguments: str) -> list[str]:
    return kotc("pdf", "zoo", "--out", "made/zoo.pdf", *arguments).stderr.rstrip("\n").split("\n")


def test_files_left_by_an_earlier_run_are_named_so_that_nobody_prints_them() -> None:
    made("--sheets-per-file", "1")
    lines = [
        "Zoo: 4 sheets in made/zoo-1.pdf to zoo-4.pdf",
        "  print at 100 % (actual size), both sides, flipped on the long edge",
        "  29 cards, 9 on a sheet of A4",
    ]
    assert said("--sheets-per-file", "1") == lines, "nothing of files that are made again"
    made("--backs", "separate")
    write(Path("made"), dict.fromkeys(("zoo-10.pdf", "zoo-0.pdf", "zoo-2.svg", "zoo-new.pdf", "zoology.pdf"), ""))
    left = "`zoo-backs.pdf`, `zoo-fronts.pdf`, `zoo-3.pdf`, `zoo-4.pdf` and `zoo-10.pdf`"
    assert said("--sheets-per-file", "2") == [
        "Zoo: 4 sheets in made/zoo-1.pdf and zoo-2.pdf",
        *lines[1:],
        f"  also in this folder, but not part of this print job: {left}",
    ]


def test_all_files_of_a_printing_are_written_or_none() -> None:
    made("--sheets-per-file", "2")
    before = {file.name: file.read_bytes() for file in Path("made").iterdir()}
    Path("made/zoo-3.pdf").mkdir()
    result = kotc("pdf", "zoo", "--out", "made/zoo.pdf", "--sheets-per-file", "1", "--no-slug")
    assert (result.exit_code, result.stderr) == (3, "error: cannot use `made/zoo-3.pdf`: is a directory [E001]\n")
    assert {file.name: file.read_bytes() for file in Path("made").iterdir() if file.is_file()} == before


@pytest.mark.parametrize(
    ("asked", "how"),
    [
        ("--flip long-edge", "both sides, flipped on the long edge"),
        ("--flip short-edge", "both sides, flipped on the short edge"),
        ("--backs none", "one side"),
        ("--backs fold", "one side; fold along the dashed line with the print outside, glue, then cut"),
        (
            "--backs separate",
            "one side: the fronts, then the backs behind them, the pile turned over on the long edge",
        ),
        (
            "--backs separate --reverse-backs",
            "one side: the fronts, then the backs behind them, which are in reverse order, the pile turned over on the"
            " long edge",
        ),
    ],
)  # fmt: skip
def test_it_is_said_how_to_print(asked: str, how: str) -> None:
    assert said(*asked.split())[1] == f"  print at 100 % (actual size), {how}"


# --- how often ------------------------------------------------------------------------------------------------------


def test_the_grid_is_fitted_and_the_cards_are_imposed_once_a_run() -> None:
    clear_caches()
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.endswith(f"{Path('sheets', 'imposition.py')}"):
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        result = kotc("pdf", "zoo", "--out", "made/zoo.pdf")
    finally:
        sys.setprofile(None)
    assert result.exit_code == 0, result.output
    assert (calls["fit_grid"], calls["impose"], calls["_sheet"]) == (1, 1, 4)


KINDS = """
- {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
- {name: Rules, kind: tip, text: Draw.}
- {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
- {name: More Rules, kind: tip, text: Play., copies: 2}
"""


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        ("--kind tip", ["more-rules", "rules"]),
        ("--kind tip --kind spell", ["dawn", "more-rules", "rules"]),
        ("--kind tip --card rules", ["rules"]),
    ],
)
def test_sheets_and_pictures_of_a_kind_have_no_other_card(asked: str, printed: list[str], tmp_path: Path) -> None:
    write_set(tmp_path / "s", KINDS)
    assert kotc("pdf", tmp_path / "s", "-o", tmp_path / "s.pdf", *asked.split()).exit_code == 0
    assert sorted(name for name, *_ in ticket(tmp_path / "s.pdf")["cards"]) == printed
    assert kotc("png", tmp_path / "s", "-o", tmp_path / "png", "--dpi", 72, *asked.split()).exit_code == 0
    assert sorted(path.stem for path in (tmp_path / "png").iterdir()) == printed
    assert kotc("cut", tmp_path / "s", "-o", tmp_path / "c.svg", *asked.split()).exit_code == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--kind tipp", "there is no kind `tipp`: did you mean `tip`?"),
        ("--kind pawn", "there is no card of the kind `pawn`"),
        ("--kind tip --blank minion", "leave out --kind"),
    ],
)
def test_a_kind_that_is_not_there_is_said(asked: str, said: str, tmp_path: Path) -> None:
    write_set(tmp_path / "s", KINDS)
    result = kotc("pdf", tmp_path / "s", *asked.split())
    assert (result.exit_code, said in words(result.stderr)) == (2, True)
