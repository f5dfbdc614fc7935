"""`kotc verify` says of every file what it is, and of none more than it knows: no traceback, no waiting, no flood."""

import os
import random
import re
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Pdf, Stream

from render.base.limits import TO_VERIFY
from tests.support.sheet_files import Change, face, rewritten, small, verified
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
    file = small()
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


def test_a_file_that_opens_with_a_password_alone_is_said_to_be() -> None:
    file = small()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.save(file, encryption=Encryption(owner="o", user="u"))
    assert said_of(file.read_bytes()) == "it is encrypted [Q001]\n  hint: save it without a password"


def test_a_file_of_another_program_is_said_to_be() -> None:
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save("a.pdf")
    found = "it has no ticket that says what it is to be [Q003]"
    hint = "\n  hint: only what `kotc pdf` and `kotc build` write can be verified"
    assert said_of(Path("a.pdf").read_bytes()) == found + hint


def test_a_file_that_lost_what_it_is_to_be_is_said_to_have_none() -> None:
    file = small()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        del pdf.Root.PieceInfo
        pdf.save(file)
    assert "[Q003]" in said_of(file.read_bytes())


@with_pipes
def test_a_pipe_and_a_folder_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        assert verified(path).stdout == f"{path}:1:1: error: it is not a file [Q001]\n"


def test_good_files_are_judged_beside_bad_ones() -> None:
    file = small()
    Path("bad.pdf").write_bytes(b"hello")
    assert verified("bad.pdf", file).output.splitlines() == [
        "bad.pdf:1:1: error: it is not a PDF [Q001]",
        "1 sheet, 4 cards, 2 pages: 1 error; sizes, places, backs, copies, marks, fonts, edges, print hints: all right",
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
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2).replace("11.5 105", "9" * 400 + " 105")))


def unbalanced(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2).replace("Q\nEMC", "EMC")))


def too_many_ends(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2) + "Q\n"))


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


FLOODS = (
    laughs, deep, loop, loop_of_two, bomb, bombs, huge_picture, brackets, packed_otherwise, empty_forms,
    words_without_end, too_many_ends, huge_page, page_without_numbers, unbalanced, huge_numbers, without_content,
)  # fmt: skip
SEEN = FLOODS[-5:]
"""What a print would show; the others draw nothing."""


@pytest.mark.parametrize("change", FLOODS)
def test_what_would_flood_or_never_end_is_judged_soon(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("render.verify.pdf_file.TO_VERIFY", TO_VERIFY._replace(seconds=1.0))
    file = small()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(file)
    begun = time.monotonic()
    result = verified(file)
    assert result.exit_code == 1 or change not in SEEN
    assert time.monotonic() - begun < 60  # on a busy machine


# --- anything at all: thousands are tried by `prove.py hostile sheets_pdf` --------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_file_with_bytes_changed_is_judged_all_the_same(seed: int) -> None:
    file = small()
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


@pytest.mark.parametrize("seed", range(24))
def test_a_file_with_junk_for_a_value_is_judged_all_the_same(seed: int) -> None:
    """Every entry of every dictionary of the file stands a chance."""
    file = small()
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
