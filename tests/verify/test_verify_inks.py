"""Mistakes that not every viewer shows: ink over ink, the press of a file, pictures that break off, what is read.

The sheets are for a press: black text stands on a tint, which it overprints.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image

from render.base.geometry import Size
from render.exports.print_files import PrintJob
from render.game.cards import for_press
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.sheets.options import Structure
from tests.support.sets import write_set
from tests.support.sheet_files import Change, found_after, verified, written
from tests.support.templates import place, svg

FACE = """
<rect x="-5" y="-5" width="73.5" height="98.9" fill="#ffe0a0"/>
<image x="10" y="40" width="40" height="30" href="photo.jpg"/>
<image x="10" y="5" width="9" height="9" href="plain.png"/>
<text x="31.75" y="20" font-size="4">{{ card.name }}</text>
<text x="31.75" y="30" font-size="4" fill="#808080">grey</text>
<text x="10" y="80" font-size="4">e\N{COMBINING ACUTE ACCENT} \N{LATIN SMALL LETTER E WITH ACUTE} oe</text>
"""
PAPER = Size(150.0, 210.0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written into a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


_HOME = TemporaryDirectory()


@cache
def card() -> Path:
    """Return the folder of a set of one card."""
    made = write_set(Path(_HOME.name) / "one", "- {name: Ox, kind: pawn}\n", "name: One\nedition: 17\n")
    Image.linear_gradient("L").resize((400, 300)).convert("RGB").save(made / "photo.jpg", quality=90)
    Image.linear_gradient("L").resize((90, 90)).convert("RGB").rotate(45).save(made / "plain.png")
    return place(made, {"pawn.svg": svg(FACE)})


@cache
def job(*, is_for_press: bool) -> PrintJob:
    sets, findings = survey([card()])
    assert not findings
    sets = list(map(for_press, sets)) if is_for_press else sets
    return PrintJob(tuple(sets), tuple(each for card_set in sets for each in lay_out_set(card_set).faces))


def sheets(structure: Structure = Structure.X_4) -> Path:
    press = structure is not Structure.HOME
    (file,) = written(printed=job(is_for_press=press), paper=PAPER, standard=structure)
    return file


def found(change: Change, *more: object, structure: Structure = Structure.X_4) -> list[str]:
    return found_after(change, sheets(structure), *map(Path, map(str, more)))


def forms(pdf: Pdf) -> list[Stream]:
    return [each for each in pdf.objects if isinstance(each, Stream) and each.get("/Subtype") == Name.Form]


def pictures(pdf: Pdf, packed: Name) -> list[Stream]:
    return [
        each
        for each in pdf.objects
        if isinstance(each, Stream) and each.get("/Subtype") == Name.Image and each.Filter == packed
    ]


def rewritten(pdf: Pdf, old: bytes, new: bytes) -> None:
    """Replace what the first page says, where it says so first."""
    words, times = re.subn(old, new, pdf.pages[0].Contents.read_bytes(), count=1)
    assert times
    pdf.pages[0].Contents = pdf.make_stream(words)


@pytest.mark.parametrize("structure", Structure)
def test_the_sheets_pass_as_they_are(structure: Structure) -> None:
    assert verified(sheets(structure), "--set", card()).exit_code == 0


# --- ink over ink ---------------------------------------------------------------------------------------------------


def black_that_leaves_a_hole(pdf: Pdf) -> None:
    rewritten(pdf, rb"/Overprint gs", b"")


def gray_that_overprints(pdf: Pdf) -> None:
    rewritten(pdf, rb"(?s)BT\s+(0 0 0 0\.\d+ k.+?)ET\s", rb"q /Overprint gs BT \1 ET Q\n")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (black_that_leaves_a_hole, "the text `Ox` does not overprint what lies below it, otherwise than its card's"),
        (gray_that_overprints, "the text `grey` overprints what lies below it, otherwise than its card's"),
    ],
)
def test_with_the_set_ink_overprints_where_it_is_to(change: Change, what: str) -> None:
    file = sheets()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(file)
    result = verified(file, "--set", card())
    assert result.exit_code == 1
    assert f"page 1: `ox`: {what}, in column 1, row 1 [Q090]" in result.stdout


def test_another_mode_of_overprinting_is_found() -> None:
    def other_mode(pdf: Pdf) -> None:
        pdf.pages[0].Resources.ExtGState.Overprint.OPM = 0

    assert found(other_mode) == ["page 1: kotc does not write another mode of overprinting [Q006]"]


# --- for which press ------------------------------------------------------------------------------------------------


def no_condition(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def other_condition(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].OutputConditionIdentifier = String("FOGRA39")


def two_conditions(pdf: Pdf) -> None:
    pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0])


def other_profile(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].DestOutputProfile = pdf.make_stream(b"none")


HINT = "\n  hint: make it again with `kotc pdf`"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (no_condition, "it names no printing condition, and is to be for `CGATS TR 006` [Q006]"),
        (two_conditions, "it names 2 printing conditions, and is to be for `CGATS TR 006` [Q006]"),
        (other_condition, "it is for `FOGRA39`, and is to be for `CGATS TR 006` [Q006]"),
        (other_profile, "its color profile is not that of `CGATS TR 006` [Q006]"),
    ],
)
@pytest.mark.parametrize("structure", [Structure.X_1A, Structure.X_4])
def test_a_file_is_for_its_press(structure: Structure, change: Change, what: str) -> None:
    assert found(change, structure=structure) == [what + HINT]


# --- pictures that cannot be drawn ----------------------------------------------------------------------------------

OTHERWISE = "page 1: kotc does not write a picture that is packed otherwise [Q006]"
BREAKS_OFF = "it is damaged: a JPEG picture is none, or breaks off [Q001]"


def jpeg(change: Callable[[bytes], bytes]) -> Change:
    def changed(pdf: Pdf) -> None:
        (photo,) = pictures(pdf, Name.DCTDecode)
        photo.write(change(photo.read_raw_bytes()), filter=Name.DCTDecode)

    return changed


def of_other_height(data: bytes) -> bytes:
    at = re.search(rb"\xff[\xc0-\xc2]\0.\x08", data, re.DOTALL)
    assert at
    return data[: at.end()] + b"\0\x10" + data[at.end() + 2 :]


def in_other_colors(pdf: Pdf) -> None:
    (photo,) = pictures(pdf, Name.DCTDecode)
    photo.ColorSpace = Name.DeviceGray


def of_other_width(pdf: Pdf) -> None:
    (photo,) = pictures(pdf, Name.DCTDecode)
    photo.Width = 10


def of_filters_that_there_are_not(pdf: Pdf) -> None:
    (plain,) = pictures(pdf, Name.FlateDecode)
    rows = bytearray(zlib.decompress(plain.read_raw_bytes()))
    rows[:: int(plain.Width) * int(plain.DecodeParms.Colors) + 1] = b"\x09" * int(plain.Height)
    how = cast("Dictionary", plain.DecodeParms)
    plain.write(zlib.compress(bytes(rows)), filter=Name.FlateDecode, decode_parms=how)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (jpeg(lambda data: data[: len(data) // 2]), BREAKS_OFF),
        (jpeg(lambda data: data[:100]), BREAKS_OFF),
        (jpeg(lambda _: b"\xff\xd8none"), BREAKS_OFF),
        (jpeg(lambda _: b"\xff\xd8" + b"\xff" * 100_000), BREAKS_OFF),
        (jpeg(of_other_height), OTHERWISE),
        (in_other_colors, OTHERWISE),
        (of_other_width, OTHERWISE),
        (of_filters_that_there_are_not, OTHERWISE),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_found_without_the_set(change: Change, what: str) -> None:
    assert what in [each.partition("\n")[0] for each in found(change, structure=Structure.HOME)]


# --- what is read, and how it is written ----------------------------------------------------------------------------


def read_as(letters: str) -> Change:
    def changed(pdf: Pdf) -> None:
        said = b"FEFF" + letters.encode("utf-16-be").hex().upper().encode("ascii")
        rewritten(
            pdf,
            rb"\[<([0-9A-F]{4})([0-9A-F]{4})>\] TJ",
            rb"/Span <</ActualText <%s>>> BDC [<\1>] TJ EMC [<\2>] TJ" % said,
        )

    return changed


def test_a_glyph_that_is_read_as_another_letter_where_it_stands_is_found() -> None:
    assert found(read_as("O"), structure=Structure.HOME) == []
    assert found(read_as("Lies"), structure=Structure.HOME) == [
        "the font `DejaVuSans`: a glyph is read as other letters than it draws where it stands [Q030]"
        "\n  hint: letters would be drawn or found as others"
    ]


def test_a_text_that_is_read_as_a_whole_is_not_ours() -> None:
    def spanned(pdf: Pdf) -> None:
        rewritten(pdf, rb"(\[<[0-9A-F]{8}>\] TJ)", rb"/Span <</ActualText <FEFF004F>>> BDC \1 EMC")

    assert any("which kotc does not write" in each for each in found(spanned, structure=Structure.HOME))


def test_a_form_whose_map_has_too_many_numbers_is_found() -> None:
    def longer(pdf: Pdf) -> None:
        for form in forms(pdf):
            form.Matrix = Array([1, 0, 0, 1, 0, 30, 0])

    assert "pages 1 and 2: kotc does not write a map of a form that is none [Q006]" in found(longer)


def test_numbers_that_run_into_each_other_are_not_followed() -> None:
    def run_on(pdf: Pdf) -> None:
        drawn = pdf.pages[0].Contents.read_bytes()
        pdf.pages[0].Contents = pdf.make_stream(drawn + b"\nq 1 0 0 1 0-0 cm Q")

    (what,) = found(run_on)
    assert re.fullmatch(
        r"page 1: what is drawn cannot be followed: what stands at byte \d+ cannot be read \[Q006\]", what
    )
