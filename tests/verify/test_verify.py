"""`kotc verify` passes every file of sheets that the program writes, and compares it with the cards of a set."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from render.base.geometry import Affine, Flip, Size
from render.base.sizes import CARDS, PAPERS
from render.scene.proof_kinds import Proof
from render.sheets.options import Backs, Crop, Orientation, Registration, Where
from tests.support.sets import kotc, write_set
from tests.support.sheet_files import FOUR, SET, cards, found_after, job, rewritten, said, verified, written
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")


# --- what the program writes passes ---------------------------------------------------------------------------------

ALL_RIGHT = "sizes, places, backs, copies, marks, fonts, edges, print hints: all right\n"
BY_CARDS = "sizes, places, backs, copies, drawings, marks, fonts, edges, print hints: all right\n"
NO_BACKS = "sizes, places, copies, marks, fonts, edges, print hints: all right\n"

PAPER = pytest.mark.parametrize("paper", [*PAPERS.values(), Size(297.0, 210.0)], ids=[*PAPERS, "a4-landscape"])
FLIP = pytest.mark.parametrize("flip", Flip, ids=lambda flip: flip.value)

SKEWED = Affine.move(1.2, -2.5) @ Affine.rotate(0.5) @ Affine(1.004, 0, 0.002, 0.997)


def assert_passes(files: list[Path], backs: Backs) -> None:
    result = verified(*files)
    assert result.output.endswith(NO_BACKS if backs is Backs.NONE else ALL_RIGHT), result.output
    assert result.exit_code == 0


@PAPER
def test_sheets_pass_on_every_paper_with_every_kind_of_backs(paper: Size) -> None:
    for backs in Backs:
        assert_passes(written(paper=paper, backs=backs), backs)


@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.SEPARATE])  # the others are flipped by nobody
@pytest.mark.parametrize("paper", [PAPERS["letter"], Size(297.0, 210.0)], ids=str)
def test_sheets_pass_that_are_flipped_on_the_short_edge(paper: Size, backs: Backs) -> None:
    assert_passes(written(paper=paper, flip=Flip.SHORT_EDGE, backs=backs), backs)


OPTIONS: list[dict[str, Any]] = [
    {"gutter": (4.0, 7.0)},
    {"bleed": 1.5},
    {"bleed": 2.0, "bleed_where": Where.BLOCK},
    {"bleed": 1.0, "bleed_backs": 3.0, "paper": PAPERS["a3"]},
    {"bleed": 3.0, "gutter": (2.0, 2.0)},
    {"card_size": CARDS["mini"]},
    {"card_size": CARDS["tarot"]},
    {"card_size": CARDS["guide"]},
    {"paper": Size(150.0, 100.0), "margin": 2.5},
    {"grid": (2, 1)},
    {"orientation": Orientation.LANDSCAPE},
    {"margin": 4.5},
    *({"crop_marks": crop} for crop in Crop),
    {"crop_marks": Crop.CORNER, "gutter": (9.0, 9.0), "mark_line": 1.0},
    *({"proof": proof} for proof in Proof),
    {"cut_line": True},
    {"date": "21 November"},
]
OTHERS = (Backs.FOLD, Backs.SEPARATE, Backs.NONE)


@pytest.mark.parametrize(
    ("options", "other"), [(options, OTHERS[number % 3]) for number, options in enumerate(OPTIONS)], ids=str
)
def test_sheets_pass_with_every_option(options: dict[str, object], other: Backs) -> None:
    """With backs as they usually are and with one of the other kinds; `support/option_mixes` tries all mixes."""
    for backs in (Backs.DUPLEX, other):
        assert_passes(written(**{"paper": PAPERS["a3"]} | options, backs=backs), backs)  # type: ignore[arg-type]


def test_a_wide_margin_without_marks_passes() -> None:
    files = written(margin=20.0, crop_marks=Crop.OFF, ruler=False, slug=False, paper=PAPERS["a3"])
    assert_passes(files, Backs.DUPLEX)


def test_sheets_for_a_cutting_machine_pass() -> None:
    files = written(registration=Registration.SILHOUETTE, paper=PAPERS["a3"], crop_marks=Crop.OFF)
    assert_passes(files, Backs.DUPLEX)


@FLIP
@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.SEPARATE], ids=lambda backs: backs.value)
def test_calibrated_sheets_pass(flip: Flip, backs: Backs) -> None:
    assert_passes(written(SKEWED, flip=flip, backs=backs), backs)


@pytest.mark.parametrize(
    ("count", "backs"), [*((count, Backs.DUPLEX) for count in range(1, 11)), (1, Backs.FOLD), (7, Backs.FOLD)], ids=str
)
def test_partly_filled_sheets_pass(count: int, backs: Backs) -> None:
    assert_passes(written(copies={"ant": 1, "dog": count - 1} if count > 1 else {"cat": 1}, backs=backs), backs)


def test_a_split_job_passes_and_says_which_sheets_are_elsewhere() -> None:
    first, second, third = written(paper=Size(150.0, 210.0), sheets_per_file=1)
    whole = verified(first, second, third, "--set", cards())
    assert whole.output == f"3 sheets, 12 cards, 6 pages: {BY_CARDS}"
    part = verified(second)
    assert part.output == (
        f"not checked: {second}: 2 of the 3 sheets are in other files\n1 sheet, 4 cards, 2 pages: {ALL_RIGHT}"
    )


def test_fronts_and_backs_in_two_files_are_proved_together_only() -> None:
    fronts, backs = written(backs=Backs.SEPARATE)
    assert verified(fronts, backs).output == f"2 sheets, 12 cards, 4 pages: {ALL_RIGHT}"
    for file in (fronts, backs):
        alone = verified(file)
        assert alone.output == (
            f"not checked: {file}: backs: fronts and backs are in two files: give both\n"
            f"2 sheets, 12 cards, 2 pages: {NO_BACKS}"
        )
        assert alone.exit_code == 0


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"paper": PAPERS["letter"]}, "paper"),
        ({"flip": Flip.SHORT_EDGE}, "flip"),
        ({"copies": {"ant": 1, "bee": 1, "cat": 1, "dog": 1}}, "number of sheets"),
    ],
)
def test_fronts_and_backs_of_two_printings_are_no_pair(other: dict[str, Any], what: str) -> None:
    fronts, _ = written(backs=Backs.SEPARATE)
    fronts = fronts.rename("fronts.pdf")
    _, backs = written(backs=Backs.SEPARATE, **other)
    result = verified(fronts, backs)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{backs}:1:1: error: its {what} is not that of `fronts.pdf`, so they are no pair [Q050]\n"
    )
    assert "give both" not in result.stderr
    assert "1 error in backs" in result.stderr


def test_backs_in_reverse_order_are_proved_behind_their_fronts() -> None:
    files = written(backs=Backs.SEPARATE, reverse_backs=True)
    assert verified(*files, "--set", cards()).output == f"2 sheets, 12 cards, 4 pages: {BY_CARDS}"


def test_backs_in_another_order_than_their_ticket_says_are_found() -> None:
    """Of two sheets: the file of the backs says that it begins with the last, and begins with the first."""
    fronts, backs = written(backs=Backs.SEPARATE)
    found = found_after(lambda pdf: said(pdf, reversed=True), backs, fronts)
    assert any("[Q050]" in each for each in found)
    alone = found_after(lambda pdf: said(pdf, reversed=True), fronts)
    assert alone == [
        "its ticket cannot be used: `reversed` is said of a file that is none of backs [Q003]\n"
        "  hint: make it again with `kotc pdf`"
    ]


def test_files_of_different_jobs_are_judged_each_by_itself() -> None:
    (one,) = (path.rename("one.pdf") for path in written())
    (other,) = written(copies={"bee": 3})
    assert verified(one, other).output == f"3 sheets, 15 cards, 6 pages: {ALL_RIGHT}"


# --- held to the card files -----------------------------------------------------------------------------------------


def test_cards_are_compared_with_the_set(tmp_path: Path) -> None:
    (file,) = written()
    more = FOUR.replace("copies: 8", "copies: 9") + "- {name: Eel, kind: pawn}\n- {name: Fly, kind: pawn, copies: 0}\n"
    other = with_plain_back(write_set(tmp_path / "more", more.replace("back: red.png", "copies: 0"), SET))
    assert verified(file, "--set", cards()).exit_code == 0
    result = verified(file, "--set", other)
    assert result.stdout.splitlines() == [
        "sheets.pdf:1:1: error: `cat`: the set has no such card [Q060]",
        "sheets.pdf:1:1: error: `dog`: there 8 times, and the set has it 9 times [Q060]",
        "sheets.pdf:1:1: error: `eel`: missing, and the set has it once [Q060]",
        "sheets.pdf:1:1: error: page 2: the back of `cat`: it looks otherwise than its card, in column 1, row 2 of the"
        " front [Q090]",
    ]


def test_sheets_with_the_shipped_back_are_compared_with_the_set() -> None:
    folder = write_set(Path("plain"), "- {name: Eel, kind: pawn}\n", SET)
    file = Path("plain.pdf")
    assert kotc("pdf", folder, "--out", file).exit_code == 0
    assert verified(file, "--set", folder).output == f"1 sheet, 1 card, 2 pages: {BY_CARDS}"


def test_a_sign_that_is_hardly_seen_is_compared_with_the_set() -> None:
    card = "- {{name: Eel, kind: minion, level: 1, sp: 1, hp: 0, flavor: 'Nobody owns it{0} Eleven feed it.'}}\n"
    folder, file = write_set(Path("plain"), card.format("."), SET), Path("plain.pdf")
    assert kotc("pdf", folder, "--out", file).exit_code == 0
    (folder / "cards.yaml").write_text(card.format(","))
    said = "plain.pdf:1:1: error: page 1: `eel`: it has other letters than its card, in column 1, row 1 [Q090]\n"
    assert verified(file, "--set", folder).stdout == said


def test_a_file_that_is_named_twice_is_there_once() -> None:
    (file,) = written()
    assert verified(file, Path("..", Path.cwd().name, file.name)).output == f"2 sheets, 12 cards, 4 pages: {ALL_RIGHT}"


def test_cards_of_two_sets_with_the_same_id_are_told_apart() -> None:
    (file,) = written(printed=replace(job(), sets=job().sets * 2, faces=job().faces * 2))
    twin = with_plain_back(write_set(Path("twin"), FOUR, SET))
    shutil.copy(cards() / "red.png", twin)
    assert verified(file, "--set", cards(), "--set", twin).output == f"3 sheets, 24 cards, 6 pages: {BY_CARDS}"
    assert "`dog`: there 16 times, and the set has it 8 times [Q060]" in verified(file, "--set", cards()).output


def test_backs_alone_are_not_compared_with_the_set() -> None:
    _, backs = written(backs=Backs.SEPARATE)
    result = verified(backs, "--set", cards())
    assert "there are no fronts to be compared with the set [Q060]" in result.stdout
    assert result.exit_code == 1


def test_a_set_with_errors_is_not_compared(tmp_path: Path) -> None:
    (file,) = written()
    result = verified(file, "--set", write_set(tmp_path / "bad", "- {nam: Ant}\n", SET))
    assert result.exit_code == 1
    assert "unknown key `nam`" in result.output


def test_findings_are_also_for_programs() -> None:
    (file,) = written()
    bee = ("136.75 15.15 63.5 88.9 re", "136.8 15.15 63.5 88.9 re"), ("136.75 15.15 cm", "136.8 15.15 cm")
    found_after(lambda pdf: rewritten(pdf, 1, *bee), file)
    (row,) = json.loads(verified(file, "--format", "json").stdout)
    assert row == {
        "code": "Q040",
        "severity": "error",
        "message": "page 1: `bee`: 0.05 mm too far right, in column 3, row 1",
        "file": "sheets.pdf",
        "line": 1,
        "column": 1,
        "card": "bee",
        "field": None,
        "hint": None,
        "end_line": None,
        "end_column": None,
    }
