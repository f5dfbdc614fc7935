"""`kotc verify` finds every mistake that is put into an otherwise good file, and says exactly what is wrong."""

import re
from pathlib import Path

import pikepdf
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pikepdf import Pdf
from proofs.verified_sheets import faults
from proofs.verified_sheets.measure import rows, seeded
from proofs.verified_sheets.whole_sheets import sheets

from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.verify.faults import Fault, fault_findings
from tests.support.sheet_files import Change, face, found_after, rewritten, said, small, verified, written

pytestmark = pytest.mark.usefixtures("in_empty_folder")


# --- messages as a whole ----------------------------------------------------------------------------------------------

FOUND = [
    (faults.moved, "page 1: `bee`: 0.05 mm too far right, in column 3, row 1 [Q040]"),
    (faults.moved_back, "page 2: the back of `bee`: 0.05 mm too high, in column 3, row 1 of the front [Q040]"),
    (
        faults.nudged_apart,
        "page 2: the back of `ant`: 0.016 mm from where its front is, in column 2, row 1 of the front [Q050]",
    ),
    (
        faults.missing,
        "page 1: no card in the slot in column 3, row 1 [Q040]",
        "page 2: the back of `bee`: behind no front, in column 3, row 1 of the front [Q050]",
        "`bee`: missing, and the ticket of the file has it once [Q060]",
    ),
    (
        faults.backs_swapped,
        "page 1: `bee`: behind it is the back of `cat`, in column 3, row 1 [Q050]",
        "page 1: `cat`: behind it is the back of `bee`, in column 1, row 2 [Q050]",
    ),
    (faults.turned_and_should_not_be, "page 2: the back of `bee`: upside down, in column 3, row 1 of the front [Q040]"),
    (faults.mirrored, "page 1: `bee`: mirrored, in column 3, row 1 [Q040]"),
    (faults.wrong_duplex, "the hint `Duplex` is `DuplexFlipShortEdge`, and is to be `DuplexFlipLongEdge` [Q020]"),
    (
        faults.crop_box,
        "page 2: the CropBox is 202.85 x 289.28 mm at 3.53, 3.53, and not the whole page [Q010]\n"
        "  hint: viewers print what lies within it, and scale it to the paper",
    ),
    (
        faults.font_not_embedded,
        "the font `DejaVuSansCondensed` is not embedded [Q030]\n  hint: another font would be printed in its place",
    ),
    (faults.page_lost, "the file has 3 pages, and its sheets take 4 [Q003]\n  hint: make it again with `kotc pdf`"),
    (
        faults.annotated,
        "page 1: annotations lie on the page [Q006]",
    ),
]


@pytest.mark.parametrize(("change", "findings"), [(change, found) for change, *found in FOUND])
def test_a_mistake_in_a_good_file_is_said_to_be(change: Change, findings: list[str]) -> None:
    (file,) = written()
    assert found_after(change, file) == findings


@pytest.mark.parametrize("name", sorted({row.name for row in rows() if row.needs_set and row.sheets == "few"}))
def test_what_a_file_does_not_show_is_not_claimed(name: str) -> None:
    """Without the cards nobody knows what a single face is to show."""
    whole = sheets("few")
    (data,) = whole.files.values()
    Path("few.pdf").write_bytes(seeded(name, data))
    assert verified("few.pdf").exit_code == (name == "other_font")  # it has not the glyphs


# --- tickets ----------------------------------------------------------------------------------------------------------

TICKETS = [
    (
        {"margin": 12.0},
        "pages 1 and 2: cards are printed 11.5 mm from the left edge, and 12 mm are to stay white [Q070]",
    ),
    ({"flip": "short-edge"}, "the hint `Duplex` is `DuplexFlipLongEdge`, and is to be `DuplexFlipShortEdge` [Q020]"),
    ({"card": [63.5, 88.8]}, "page 1: `ant` and `bee`: 0.1 mm too high [Q040]"),
    ({"gutter": [0.1, 0]}, "page 1: `bee` and `dog`: 0.05 mm too far left [Q040]"),
    ({"paper": [215.9, 279.4]}, "page 2: the backs of `bee` and `dog`: in no slot of the grid [Q040]"),
    ({"grid": [2, 3]}, "page 1: `ant`, `bee`, `cat` and 1 more: 44.45 mm too high [Q040]"),
    (
        {"correction": [1, 0, 0, 1, 0.3, 0]},
        "page 2: the backs of `ant`, `bee`, `cat` and 1 more: 0.3 mm too far left [Q040]",
    ),
    (
        {"correction": [1, 0, 0, 1, 30, 0]},
        "backs are corrected by up to 30 mm, and no printer is off by more than 15 mm [Q040]\n"
        "  hint: calibrate again with `kotc calibrate`",
    ),
    (
        {"bleed": [0, 1]},
        "page 2: the backs of `ant` and `bee`: cut off at the trim at the top, and not 1 mm beyond it; and 3 more in other"
        " ways [Q040]",
    ),
    ({"backs": "none"}, "the file has 2 pages, and its sheets take 1 [Q003]\n  hint: make it again with `kotc pdf`"),
    (
        {"paper": [215.9, 279.4]},
        "pages 1 and 2: the page is 150 x 210 mm, and the paper is 215.9 x 279.4 mm [Q010]",
    ),
    (
        {"cards": [["ant", 4, "x"]]},
        "`bee`, `cat` and `dog`: the ticket of the file has no such card [Q060]",
    ),
]


@pytest.mark.parametrize(("changes", "finding"), TICKETS, ids=str)
def test_a_file_is_held_to_its_ticket(changes: dict[str, object], finding: str) -> None:
    file = small()
    assert finding in found_after(lambda pdf: said(pdf, **changes), file)


USELESS = [
    ("{", "truncated"),
    ("[" * 100_000, "object"),
    ('{"made":' + "[" * 100_000, ""),
    ({"paper": [210]}, "`paper` is wrong"),
    ({"paper": [210, float("inf")]}, "malformed"),
    ({"card": [0, 88.9]}, "`card[0]` is wrong"),
    ({"gutter": [-1, 0]}, "`gutter[0]` is wrong"),
    ({"margin": 101}, "`margin` is wrong: expected `float` <= 100.0"),
    ({"grid": [3, 100]}, "`grid[1]` is wrong"),
    ({"grid": [3, 3.5]}, "`grid[1]` is wrong"),
    ({"sheets": [1, 3, 3]}, "4 cards on 3 sheets of 4"),
    ({"sheets": [2, 1, 2]}, "sheets 2 to 1 of 2"),
    ({"backs": "both"}, "`backs` is wrong"),
    ({"cards": []}, "`cards` is wrong"),
    ({"cards": [["ant", 1, None], ["ant", 1, None]]}, "`cards` lists a card twice"),
]


@pytest.mark.parametrize(("ticket", "why"), USELESS, ids=range(len(USELESS)))
def test_a_ticket_that_cannot_be_true_is_refused(ticket: str | dict[str, object], why: str) -> None:
    def change(pdf: Pdf) -> None:
        if isinstance(ticket, str):
            pdf.Root.PieceInfo.kotc.Private = pikepdf.String(ticket)
        else:
            said(pdf, **ticket)

    file = small()
    (finding,) = found_after(change, file)
    assert finding.startswith("its ticket cannot be used: ")
    assert why in finding
    assert finding.endswith(" [Q003]\n  hint: make it again with `kotc pdf`")


def test_a_page_that_is_not_corrected_is_found() -> None:
    (plain,) = (path.rename("plain.pdf") for path in written())

    def forget(pdf: Pdf) -> None:
        with Pdf.open(plain) as other:
            pdf.pages[3].Contents = pdf.make_stream(other.pages[3].Contents.read_bytes())

    (file,) = written(Affine.move(0.3, -0.1))
    off = "0.3 mm too far left and 0.1 mm too low"
    found = found_after(forget, file)
    assert found[0] == f"page 4: the back of `dog`: {off} [Q040]"
    assert all(" crop mark " in each or " slug " in each or "none of the marks" in each for each in found[1:])


def test_copies_in_the_parts_of_a_split_job_are_alike() -> None:
    """A glyph is written in pieces where it was first shown for other letters: in one part, and not in another."""
    parts = written(paper=Size(150.0, 210.0), sheets_per_file=1, copies={"ant": 2, "dog": 10})

    with Pdf.open(parts[1], allow_overwriting_input=True) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(
            pdf.pages[0].Contents.read_bytes().replace(b" Do\nQ\nEMC\n", b" Do 0 0 1 rg 9 9 9 9 re f\nQ\nEMC\n", 1)
        )
        pdf.save(parts[1])
    what = "not drawn like the other copies, or something lies over it"
    assert verified(*parts).stdout.startswith(f"{parts[1]}:1:1: error: page 1: `dog`: {what}")


def test_many_differences_of_one_kind_are_counted_and_none_of_another_kind() -> None:
    def of(message: str, card: str, kind: str = "") -> Fault:
        return Fault("Q040", message, 1, card, kind=kind)

    moved = [of(f"0.{number} mm too low", card, "place") for number, card in enumerate(("ant", "bee", "cat", "dog"))]
    found = fault_findings([of("mirrored", "eel", "shape"), *moved, of("in no slot", "fly"), of("cut", "gnu")], None)
    assert {finding.message for finding in found} == {
        "page 1: `eel`: mirrored",
        "page 1: `ant`: 0.0 mm too low; and 3 more in other ways",
        "page 1: `fly`: in no slot",
        "page 1: `gnu`: cut",
    }


# --- laws -----------------------------------------------------------------------------------------------------------

OFF = st.floats(-0.5, 0.5).map(lambda length: round(length, 3))


@settings(max_examples=20)
@given(number=st.integers(0, 8), across=OFF, down=OFF)
def test_a_face_is_out_of_place_if_and_only_if_it_is_more_than_a_hundredth_of_a_mm_off(
    number: int, across: float, down: float
) -> None:
    assume(all(abs(abs(length) - 0.01) > 0.0005 for length in (across, down)))

    def move(pdf: Pdf) -> None:
        card = face(pdf, 2, number)
        rewritten(pdf, 2, (card, re.sub(r"(\S+) (\S+)(?= 63.5 88.9 re| cm)", shifted, card)))

    def shifted(place: re.Match[str]) -> str:
        return f"{float(place[1]) + across:.4f} {float(place[2]) + down:.4f}"

    (file,) = written()
    found = found_after(move, file)
    assert bool(found) == (max(abs(across), abs(down)) > 0.01)
    assert all(re.search(r": [\d.]+ mm too (far left|far right|high|low)\b.* \[Q040\]$", finding) for finding in found)


@settings(max_examples=12)
@given(
    shift=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    turn=st.floats(-0.6, 0.6),
    scale=st.tuples(st.floats(0.995, 1.005), st.floats(0.995, 1.005)),
    flip=st.sampled_from(Flip),
)
def test_the_correction_of_a_printer_is_removed_before_backs_are_judged(
    shift: tuple[float, float], turn: float, scale: tuple[float, float], flip: Flip
) -> None:
    (file,) = written(
        Affine.move(*shift) @ Affine.rotate(turn) @ Affine.scale(*scale), flip=flip, paper=PAPERS["letter"]
    )
    assert verified(file).exit_code == 0
