"""Corrected sheets stay where printers print: cards are moved, or fewer, and what cannot be helped is said."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.cli.commands.calibrate import calibrate
from render.scene.items import Scene
from render.sheets import imposition, margin_items, marks
from render.sheets.calibration import printers
from render.sheets.calibration.fit import correct_back, map_through
from render.sheets.calibration.printers import Calibration
from render.sheets.imposition import Grid
from render.sheets.options import (
    MARGIN,
    MIN_MARGIN,
    Backs,
    Crop,
    Orientation,
    Registration,
    SheetOptions,
    Where,
)
from tests.sheets.test_marks import lines
from tests.support import rasters
from tests.support.boxes import is_within
from tests.support.pdf_contents import ticket
from tests.support.sets import kotc
from tests.support.sheet_files import cards, found_after, said, verified, written

NEAR = 1e-6
LETTER = PAPERS["letter"]


def low(by: float) -> Affine:
    """Return what makes up for a printer whose backs lie `by` mm low on paper that stands and turns about its side."""
    return Affine.move(0.0, -by)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with an empty folder for printers."""
    monkeypatch.setenv("KOTC_CONFIG", str(tmp_path / "configuration"))
    monkeypatch.chdir(tmp_path)


def keep(shift: Affine, paper: Size = LETTER, flip: Flip = Flip.LONG_EDGE) -> None:
    printers.keep(Calibration(printer="Attic", tray="", paper=paper, flip=flip, correction=shift, confirmed=True))


def centered(grid: Grid) -> Grid:
    """Return the grid before cards were moved or left out for the printer."""
    return replace(imposition.fit_grid(grid.options), correction=grid.correction)


# --- where cards are put --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "asked", "grid", "down"),
    [
        (1.0, {}, (3, 3), 0.0),
        (2.0, {}, (3, 3), 0.0),
        (2.1, {}, (3, 3), 0.75),
        (3.0, {}, (3, 3), 1.5),
        (4.0, {}, (3, 3), 2.0),
        (4.2, {}, (3, 2), 0.0),
        (9.0, {}, (3, 2), 0.0),
        (6.0, {"grid": (3, 3)}, (3, 3), 3.0),
        (9.0, {"grid": (2, 2), "registration": Registration.SILHOUETTE}, (2, 2), 0.0),
    ],
)
def test_cards_are_moved_only_if_needed_and_fewer_only_if_that_does_not_help(
    by: float, asked: dict[str, Any], grid: tuple[int, int], down: float
) -> None:
    found = imposition.fit_printable(SheetOptions(paper=LETTER, **asked), low(by))
    assert (found.columns, found.rows) == grid
    assert found.offset == pytest.approx((0.0, down))
    assert imposition.is_printable(found) == (asked != {"grid": (3, 3)})
    assert replace(centered(found), columns=grid[0], rows=grid[1], offset=found.offset) == found


SHIFTS, TURNS, SCALES = st.floats(-5, 5), st.floats(-0.6, 0.6), st.floats(0.995, 1.005)
PRINTED = st.builds(
    lambda right, down, turn, wide, high: Affine.move(right, down) @ Affine.rotate(turn) @ Affine.scale(wide, high),
    SHIFTS, SHIFTS, TURNS, SCALES, SCALES,
)  # fmt: skip
OPTIONS = st.builds(
    SheetOptions,
    paper=st.sampled_from([*PAPERS.values(), Size(180.0, 250.0)]),
    orientation=st.sampled_from(Orientation),
    flip=st.sampled_from(Flip),
    bleed=st.sampled_from([0.0, 1.5, 3.0]),
    bleed_where=st.sampled_from(Where),
    crop_marks=st.sampled_from(Crop),
    margin=st.sampled_from([0.0, 3.0, 4.3, 5.0, 8.0]),
    backs=st.sampled_from([Backs.DUPLEX, Backs.SEPARATE]),
)


def made_up_for(options: SheetOptions, off: Affine) -> Affine:
    """Return the correction of a printer that is off so about the middle of the paper."""
    middle = Affine.move(options.page.width / 2, options.page.height / 2)
    return correct_back(middle @ off @ middle.inverse, map_through(options.page, options.flip))


@given(OPTIONS, PRINTED)
def test_as_many_cards_as_can_be_are_printed_where_printers_print(options: SheetOptions, off: Affine) -> None:
    found = imposition.fit_printable(options, made_up_for(options, off))
    white = min(MIN_MARGIN, options.margin)
    for box in edges_of(found):
        assert min(box) >= white - NEAR
    before = centered(found)
    if (found.columns, found.rows) != (before.columns, before.rows):
        most = replace(options, grid=(before.columns, before.rows))
        assert not imposition.is_printable(imposition.fit_printable(most, found.correction))


def edges_of(grid: Grid) -> list[tuple[float, float, float, float]]:
    """Return how far the faces of both sides keep from the four edges, with their bleed, as they are drawn."""
    scene = Scene(grid.card, ())
    (sheet,) = imposition.impose([imposition.ImposedCard(scene, scene, grid.columns * grid.rows)], grid)
    boxes = [placed.box.spread(placed.bleed) for placed in sheet.front]
    boxes += [grid.correction.box(placed.box.spread(placed.bleed)) for placed in sheet.back or ()]
    width, height = grid.paper.width, grid.paper.height
    return [(box.x, box.y, width - box.right, height - box.bottom) for box in boxes]


@given(OPTIONS, PRINTED)
def test_marks_and_slug_keep_5_mm_from_the_edge_before_and_after_the_correction(
    options: SheetOptions, off: Affine
) -> None:
    grid = imposition.fit_printable(options, made_up_for(options, off))
    pieces = [piece for piece in (margin_items.slug(grid, "A · sheet 1 of 1 · back", on_back=True),) if piece]
    boxes = [piece.box for piece in pieces] + list(lines(marks.crop_marks(grid, on_back=True)))
    within = grid.paper.rect.outset(-MARGIN)
    for box in boxes:
        assert is_within(box, within)
        assert is_within(grid.correction.box(box), within, 0.06)  # what a turn adds
    front = [
        piece.box for piece in (margin_items.slug(grid, "A"), margin_items.ruler(grid), marks.check(grid)) if piece
    ]
    assert all(is_within(box, within) for box in front)


# --- what is said ---------------------------------------------------------------------------------------------------

HINTS = {
    3.0: "all cards, fronts and backs, are moved by 1.5 mm down, which leaves 4.85 mm",
    6.0: "there are 3 x 2 cards on a sheet instead, which leaves 12.7 mm",
}


@pytest.mark.parametrize(
    ("by", "asked", "near", "hint"),
    [
        (3.0, [], "3.35 mm", HINTS[3.0]),
        (6.0, [], "0.35 mm", HINTS[6.0]),
        (6.0, ["--grid", "3x3"], "0.35 mm", "which leaves 3.35 mm; use `--grid 3x2`, which leaves 12.7 mm, or larger"),
        (2.0, [], "", ""),  # all stays as it was
    ],
)
def test_pdf_says_once_that_backs_came_too_near_to_the_edge_and_what_was_done(
    by: float, asked: list[str], near: str, hint: str
) -> None:
    keep(low(by))
    again = written_set("again")
    result = kotc("pdf", cards(), again, "--paper", "letter", "--printer", "attic", "--out", "a.pdf", *asked)
    assert result.exit_code == 0
    assert result.stderr.count("[I001]") == bool(near)
    facts = ("for `Attic` the corrected backs of 3 x 3 cards", f"{near} from the top edge", hint) if near else ()
    assert [fact for fact in facts if fact not in result.stderr] == []


def written_set(name: str, cards: str = "- {name: Ant, kind: pawn}\n") -> Path:
    folder = Path(name)
    folder.mkdir()
    (folder / "set.yaml").write_text("name: Again\nedition: 17\n", encoding="utf-8")
    (folder / "cards.yaml").write_text(cards, encoding="utf-8")
    return folder


def test_a_deck_is_moved_and_said_like_a_set() -> None:
    keep(low(3.0))
    legal = "- {name: Ant, kind: minion, level: 6, sp: 1, hp: 10, text: '', copies: 1}\n"
    written_set("again", legal)
    Path("deck.yaml").write_text("name: D\nedition: 17\nsets: [again]\ncards: {ant: 40}\n", encoding="utf-8")
    result = kotc("deck", "deck.yaml", "--pdf", "d.pdf", "--paper", "letter", "--printer", "Attic")
    assert "3.35 mm from the top edge" in result.stderr
    assert ticket(Path("d.pdf"))["offset"] == [0, 1.5]


@pytest.mark.parametrize(("paper", "by", "hint"), [("letter", 3, HINTS[3]), ("letter", 6, HINTS[6]), ("a4", 6, "")])
def test_calibrating_says_it_of_the_sheets_that_the_paper_has_by_default(paper: str, by: int, hint: str) -> None:
    readings = ", ".join(f"{name} 0 {by}" for name in "ABCDE")
    result = CliRunner().invoke(calibrate, ["--paper", paper, "--printer", "Attic", "--read", readings])
    assert ("[I001]" in result.output) == bool(hint)
    assert hint in result.output


# --- finished sheets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flip", list(Flip), ids=lambda flip: flip.value)
@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.SEPARATE], ids=lambda backs: backs.value)
def test_moved_sheets_are_proved(flip: Flip, backs: Backs) -> None:
    shift = correct_back(Affine.move(2.0, 3.0), map_through(LETTER, flip))
    files = written(shift, paper=LETTER, flip=flip, backs=backs)
    assert any(ticket(files[0])["offset"])
    result = verified(*files)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_file_whose_cards_are_elsewhere_than_its_ticket_says_is_found() -> None:
    (file,) = written(low(3.0), {"ant": 1}, paper=LETTER)
    found = found_after(lambda pdf: said(pdf, offset=[0, 0]), file)
    assert any("1.5 mm too low" in each and "[Q040]" in each for each in found)


@pytest.mark.parametrize("offset", ["x", [1], [1, "2"], [200, 0], None])
def test_a_ticket_with_no_offset_that_can_be_is_refused(offset: object) -> None:
    (file,) = written(low(3.0), paper=LETTER)
    (found,) = found_after(lambda pdf: said(pdf, offset=offset), file)
    assert re.search(r"its ticket cannot be used: `offset(\[\d\])?` is wrong: expected", found)


def test_cards_that_are_too_near_to_the_edge_are_a_warning_of_verify() -> None:
    (file,) = written(low(6.0), paper=LETTER, grid=(3, 3))
    result = verified(file)
    assert result.exit_code == 0
    found = re.findall(
        r":1:1: warning: (pages? .*): cards are printed (3.35 mm from the \w+ edge), .*\[I001\]", result.stdout
    )
    assert found == [("page 1", "3.35 mm from the bottom edge"), ("pages 2 and 4", "3.35 mm from the top edge")]
    assert "2 warnings in edges" in result.stderr


def test_cuts_are_moved_with_the_cards() -> None:
    keep(low(3.0))
    for asked in ([], ["--printer", "Attic"]):
        result = kotc("cut", cards(), "--paper", "letter", "--corner-radius", "0", "--out", f"{len(asked)}.svg", *asked)
        assert result.exit_code == 0, result.output
    plain, moved = (Path(f"{number}.svg").read_text(encoding="utf-8") for number in (0, 2))
    assert "6.35" in plain
    assert "7.85" in moved
    assert "6.35" not in moved


def test_what_is_printed_is_on_the_paper_where_it_was_measured_to_be() -> None:
    """Of a page drawn by PDFium: the corrected back of the starter's cards keeps 4.85 mm at the top."""
    (file,) = written(low(3.0), paper=LETTER)
    inked = (rasters.darkest(rasters.page(file.read_bytes(), 1, 254)) < 250).any(axis=1)
    assert np.flatnonzero(inked)[0] / 10 == pytest.approx(4.85, abs=0.15)
    assert math.isclose(ticket(file)["margin"], 4.85)
