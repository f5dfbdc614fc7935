"""`kotc verify` says of every file what it is, and of none more than it knows: no traceback, no waiting, no flood."""

from __future__ import annotations

import itertools
import os
import random
import re
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Encryption, Name, ObjectStreamMode, Pdf, Stream

from render.base.geometry import Affine, Rect
from render.base.sizes import POKER
from render.pdf import document as drawing
from render.scene.items import Scene
from render.scene.placement import Placement
from render.verify.faces.drawn import PageTracer
from render.verify.reading import content
from render.verify.reading.pdf_reading import FilePage, Resources
from render.verify.sheet import edges
from tests.support.sheet_files import Change, face, found_after, rewritten, verified, written
from tests.support.systems import with_pipes

pytestmark = pytest.mark.usefixtures("in_empty_folder")


AGAIN = "\n  hint: make it again with `kotc pdf`"


def said_of(data: bytes) -> str:
    """Return what is said of a file with these bytes, without its name."""
    Path("a.pdf").write_bytes(data)
    result = verified("a.pdf")
    assert result.exit_code == 1
    return result.stdout.rstrip("\n").removeprefix("a.pdf:1:1: error: ")


@pytest.fixture
def good() -> bytes:
    """A file of sheets with nothing wrong."""
    (file,) = written()
    return file.read_bytes()


# --- files that are no sheets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(5000)])
def test_a_file_that_is_not_a_pdf_is_reported_as_such(data: bytes) -> None:
    assert said_of(data) == "it is not a PDF [Q001]"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_said_to_be(good: bytes, share: float) -> None:
    assert said_of(good[: int(len(good) * share)]) == f"it is cut off: its end is missing [Q001]{AGAIN}"


def test_a_file_with_a_hole_is_not_passed(good: bytes) -> None:
    for stream in re.finditer(rb"\nstream\r?\n", good):
        said_of(good[: stream.end() + 8] + bytes(24) + good[stream.end() + 32 :])


def test_a_name_that_is_no_text_is_damage(good: bytes) -> None:
    changed = good.replace(b"/FormXob.drawing1", b"/FormXob.drawing\xa5")
    assert said_of(changed) == f"it is damaged: a name in it is not UTF-8 [Q001]{AGAIN}"


@pytest.mark.parametrize("passwords", [{"owner": "o", "user": "u"}, {"owner": "o"}], ids=str)
def test_an_encrypted_file_is_said_to_be(passwords: dict[str, Any]) -> None:
    (file,) = written()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.save(file, encryption=Encryption(**passwords))
    said = verified(file).stdout.removeprefix("sheets.pdf:1:1: error: ").rstrip()
    assert said in (
        "it is encrypted, and opens with a password only [Q001]",
        "it is encrypted [Q001]\n  hint: save it without a password",
    )
    assert ("only" in said) == ("user" in passwords)


def test_a_file_of_another_program_is_said_to_be() -> None:
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save("a.pdf")
    found = "it was not written by kotc: it has no ticket that says what it is to be [Q003]"
    hint = "\n  hint: only what `kotc pdf` and `kotc build` write can be verified"
    assert said_of(Path("a.pdf").read_bytes()) == found + hint


def test_a_file_of_single_cards_is_said_to_be_and_looked_at_as_far_as_can_be() -> None:
    card = Placement(face=Scene(POKER, ()), box=POKER.rect, name="ant")
    page = drawing.Page(size=POKER, placements=(card,), trim=Rect(0, 0, 70, 88.9))
    said = said_of(drawing.write([page], drawing.PdfOptions("Cards")))
    assert said.splitlines() == [
        "kotc wrote it, but it is not a print sheet: only its page boxes and fonts were looked at [Q003]",
        "  hint: files for a print shop are judged by `kotc preflight`",
        "a.pdf:1:1: error: page 1: the TrimBox reaches out of the page [Q010]",
    ]


def test_a_file_that_was_saved_again_by_another_program_is_said_to_be() -> None:
    (file,) = written()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.save(file, object_stream_mode=ObjectStreamMode.generate)
    found = f"it was not written by kotc, or was saved again by another program [Q003]{AGAIN}"
    assert said_of(file.read_bytes()) == found


def test_a_file_of_which_another_program_kept_the_pages_alone_is_said_to_be() -> None:
    (file,) = written()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        del pdf.Root.PieceInfo
        pdf.docinfo.Producer = "Ghostscript"
        pdf.save(file)
    assert said_of(file.read_bytes()) == f"another program saved it again, and lost what it is to be [Q003]{AGAIN}"


def test_a_file_that_was_added_to_is_said_to_be(good: bytes) -> None:
    changed = re.sub(rb"trailer\s*<<", lambda found: found[0] + b" /Prev 15 ", good)
    assert said_of(changed) == f"it was changed after it was written [Q003]{AGAIN}"


@with_pipes
def test_a_pipe_and_a_folder_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        assert verified(path).stdout == f"{path}:1:1: error: it is not a file [Q001]\n"


@pytest.mark.parametrize(
    ("clock", "said"), [("monotonic", ""), ("process_time", "it takes too long to draw the pages")]
)
def test_pages_may_take_much_time_on_a_busy_machine_but_not_of_a_processor(
    good: bytes, monkeypatch: pytest.MonkeyPatch, clock: str, said: str
) -> None:
    hurrying = SimpleNamespace(monotonic=time.monotonic, process_time=time.process_time)
    setattr(hurrying, clock, partial(next, itertools.count(0, 1000)))
    monkeypatch.setattr(edges, "time", hurrying)
    Path("a.pdf").write_bytes(good)
    result = verified("a.pdf")
    assert result.exit_code == bool(said)
    assert said in result.stdout


def test_good_files_are_judged_beside_bad_ones() -> None:
    (file,) = written()
    Path("bad.pdf").write_bytes(b"hello")
    assert verified("bad.pdf", file).output.splitlines() == [
        "bad.pdf:1:1: error: it is not a PDF [Q001]",
        "2 sheets, 12 cards, 4 pages: 1 error;"
        " sizes, places, backs, copies, marks, fonts, edges, print hints: all right",
    ]


# --- files that would keep their reader busy ------------------------------------------------------------------------


def form(pdf: Pdf, code: bytes, **drawings: Stream) -> Stream:
    resources = Dictionary(XObject=Dictionary({f"/{name}": drawn for name, drawn in drawings.items()}))
    return pdf.make_stream(code, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]), Resources=resources)


def draw(pdf: Pdf, drawn: Stream) -> None:
    """Draw a form on the first page, beside the cards."""
    pdf.pages[0].Resources.XObject.Added = drawn
    content = pdf.pages[0].Contents.read_bytes()
    pdf.pages[0].Contents = pdf.make_stream(content + b"\n/Added Do")


def laughs(pdf: Pdf) -> None:
    drawn = form(pdf, b"0 g")
    for _ in range(9):
        drawn = form(pdf, b"/A Do " * 10, A=drawn)
    draw(pdf, drawn)


def deep(pdf: Pdf) -> None:
    drawn = form(pdf, b"0 g")
    for _ in range(200):
        drawn = form(pdf, b"/A Do", A=drawn)
    draw(pdf, drawn)


def loop(pdf: Pdf) -> None:
    drawn = form(pdf, b"/A Do")
    drawn.Resources.XObject.A = drawn
    draw(pdf, drawn)


def loop_of_two(pdf: Pdf) -> None:
    one = form(pdf, b"/A Do")
    one.Resources.XObject.A = form(pdf, b"/B Do", B=one)
    draw(pdf, one)


def packed(block: bytes, times: int) -> bytes:
    """Return what unpacks to a block so many times, without packing more than one of them."""
    packer = zlib.compressobj(9)
    head, checksum = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH), 1
    for _ in range(times):
        checksum = zlib.adler32(block, checksum)
    return head[:2] + head[2:] * times + b"\x03\x00" + checksum.to_bytes(4, "big")


def test_a_bomb_unpacks_to_what_it_says() -> None:
    assert zlib.decompress(packed(b" " * 1000, 60)) == b" " * 60_000


def bomb(pdf: Pdf) -> None:
    drawn = form(pdf, b"")
    drawn.write(packed(bytes(1_000_000), 200), filter=Name.FlateDecode)
    draw(pdf, drawn)


def bombs(pdf: Pdf) -> None:
    flood = packed(b" " * 1_000_000, 60)
    for number in range(6):
        drawn = form(pdf, b"")
        drawn.write(flood, filter=Name.FlateDecode)
        pdf.pages[0].Resources.XObject[f"/A{number}"] = drawn


def huge_picture(pdf: Pdf) -> None:
    image = pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, Width=99999, Height=99999)
    image.ColorSpace, image.BitsPerComponent = Name.DeviceGray, 8
    draw(pdf, image)


def brackets(pdf: Pdf) -> None:
    draw(pdf, form(pdf, b"[" * 1_000_000))


def packed_otherwise(pdf: Pdf) -> None:
    drawn = form(pdf, b"")
    drawn.write(b"0", filter=Name.DCTDecode)
    draw(pdf, drawn)


def huge_page(pdf: Pdf) -> None:
    pdf.pages[0].MediaBox = Array([0, 0, 10**9, 10**9])


def page_without_numbers(pdf: Pdf) -> None:
    pdf.pages[0].TrimBox = Array([Name.A, 0, pikepdf.String("x"), 7])


def huge_numbers(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2).replace("136.75", "9" * 400)))


def unbalanced(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2).replace("Q\nEMC", "EMC")))


def too_many_ends(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2) + "Q\n"))


def filled_twice(pdf: Pdf) -> None:
    added = b"\n0 g 1 1 m 5 5 l 1 5 l h f f"
    pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes() + added)


def empty_forms(pdf: Pdf) -> None:
    """200,000 times a form that paints nothing: PDFium would take 400 MB for it."""
    held = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array([-9999, -9999, 9999, 9999]))
    many = pdf.make_stream(b"/A Do " * 1000, held)
    many.Resources = Dictionary(XObject=Dictionary(A=pdf.make_stream(b"n", held)))
    pdf.pages[0].Resources.XObject.Added = many
    pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes() + b"\n/Added Do" * 200)


def words_without_end(pdf: Pdf) -> None:
    pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes() + b"\n" + b"1 2 3 " * 500)


def without_content(pdf: Pdf) -> None:
    del pdf.pages[0].obj.Contents


LOST = "page 1: what is drawn cannot be followed"

FLOODS: list[tuple[Change, str]] = [
    (laughs, "page 1: more than 5000000 operators draw it [Q006]"),
    (deep, "its forms are nested more than 12 levels deep [Q001]"),
    (loop, "page 1: there is nothing called `/A` to be drawn [Q006]"),
    (loop_of_two, "page 1: there is nothing called `/B` to be drawn [Q006]"),
    (bomb, "it unpacks to more than anybody could print [Q001]"),
    (bombs, "it unpacks to more than anybody could print [Q001]"),
    (huge_picture, "a picture has 99999 x 99999 pixels [Q001]"),
    (brackets, "page 1: a form cannot be followed: what stands at byte 0 cannot be read [Q006]"),
    (packed_otherwise, f"it is packed as kotc does not: `DCTDecode` [Q003]{AGAIN}"),
    (huge_page, "page 1: the page is very many x very many mm, and the paper is 210 x 297 mm [Q010]"),
    (page_without_numbers, "page 1: the TrimBox is of no size, and not the whole page [Q010]"),
    (
        unbalanced,
        f"{LOST}: a card within a card [Q006]",
    ),
    (too_many_ends, f"{LOST}: `Q` without `q` [Q006]"),
    (filled_twice, f"{LOST}: it holds a shape without an outline, which kotc does not write [Q006]"),
    (empty_forms, "page 1: more than 5000000 operators draw it [Q006]"),
    (words_without_end, f"{LOST}: an instruction has over 1,000 words [Q006]"),
    (without_content, "page 1: no card in 9 slots, the first in column 1, row 1 [Q040]"),
]


@pytest.mark.parametrize(("change", "finding"), FLOODS)
def test_what_would_flood_or_never_end_is_refused(change: Change, finding: str) -> None:
    (file,) = written()
    assert finding in found_after(change, file)


def test_numbers_beyond_all_bounds_are_refused() -> None:
    (file,) = written()
    (found,) = found_after(huge_numbers, file)
    assert "what is drawn cannot be followed: 4 numbers are expected, found `999" in found


# --- anything at all ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_a_file_with_bytes_changed_is_judged_all_the_same(seed: int) -> None:
    (file,) = written()
    chance = random.Random(seed)
    data = bytearray(file.read_bytes())
    for _ in range(chance.choice([1, 3, 30, 300])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    file.write_bytes(data)
    assert verified(file).exit_code in (0, 1)


JUNK: list[Callable[[Pdf], object]] = [
    lambda _: 0,
    lambda _: -1,
    lambda _: 10**18,
    lambda _: True,
    lambda _: Name.Junk,
    lambda _: pikepdf.String("junk"),
    lambda _: Array(),
    lambda _: Array([1, Name.A, Array()]),
    lambda _: Dictionary(),
    lambda pdf: pdf.make_stream(b"junk"),
    lambda pdf: pdf.pages[0].obj,
    lambda pdf: pdf.Root,
]


@pytest.mark.parametrize("seed", range(120))
def test_a_file_with_junk_for_a_value_is_judged_all_the_same(seed: int) -> None:
    """Every entry of every dictionary of the file stands a chance."""
    (file,) = written()
    chance = random.Random(seed)
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        places = [
            (holder, key)
            for owner in pdf.objects
            for holder in _dictionaries(owner, 4)
            for key in sorted(holder.keys())
            if key != "/Length"
        ]
        for holder, key in chance.sample(places, chance.choice([1, 2, 8])):
            holder[key] = chance.choice(JUNK)(pdf)
        pdf.save(file)
    assert verified(file).exit_code in (0, 1)


def _dictionaries(value: object, depth: int) -> list[pikepdf.Object]:
    """Return a dictionary and those within it that are no objects of their own."""
    if not isinstance(value, Dictionary | Stream) or depth == 0:
        return []
    inner = [
        one
        for _, held in sorted(value.items())
        if isinstance(held, Dictionary) and not held.is_indirect
        for one in _dictionaries(held, depth - 1)
    ]
    return [value, *inner]


@given(st.binary(max_size=200))
def test_any_bytes_are_instructions_or_refused(data: bytes) -> None:
    with suppress(content.UnreadableContent):
        list(content.instructions(data))


CODE = [b"q", b"Q", b"cm", b"1 0 0 1 5 5 cm", b"0 0 9 9 re", b"W", b"n", b"/A Do", b"BT", b"ET", b"1 Tf", b"[<00>] TJ"]
MARKS = [b"/Card << /Name (a) /Side /Front >> BDC", b"/Span << >> BDC", b"/Card BDC", b"/Card << >> BDC", b"EMC"]


@given(st.lists(st.sampled_from(CODE + MARKS), max_size=25))
def test_any_instructions_are_followed_or_an_oddity(code: list[bytes]) -> None:
    page = FilePage(
        boxes={"MediaBox": (0, 0, 595, 842)},
        rotate=0,
        unit=1,
        content=b"\n".join(code),
        resources=Resources(),
        is_annotated=False,
    )
    drawn = PageTracer().page(page)
    assert drawn.oddities or all(placed.place != Affine() for placed in drawn.faces)
