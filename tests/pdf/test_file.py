"""The structure of a PDF file: its tree of pages, and objects that do not depend on what else is in the file."""

import io
from collections.abc import Sequence

import pikepdf
from hypothesis import given, settings
from hypothesis import strategies as st

from render.base.geometry import IDENTITY, Size
from render.pdf.document import Page, PdfOptions, write
from render.scene.items import Item, Outline, Path, Placement, Scene, TextRun
from render.text import fonts

SIZE = Size(40, 60)
FACE = "DejaVu Sans"


def square(x: float, y: float) -> Path:
    sides = ((x + 2, y), (x + 2, y + 2), (x, y + 2))
    return Path(outlines=(Outline(start=(x, y), segments=sides, closed=True),), fill=(20, 90, 160))


def letter(glyph: int, text: str) -> TextRun:
    return TextRun(
        face=FACE, size=4.0, transform=IDENTITY, fill=(0, 0, 0), glyphs=(glyph,), advances=(1200,), text=(text,)
    )


def card(number: int) -> Scene:
    """Return a face with a letter, a square of its own, and one that others have, too."""
    glyph = fonts.face(FACE).font.get_nominal_glyph(65 + number % 26)
    assert glyph
    items: tuple[Item, ...] = (square(number % 20, number // 20), letter(glyph, chr(65 + number % 26)), square(30, 50))
    return Scene(SIZE, items)


def pdf(faces: Sequence[Scene]) -> bytes:
    pages = [Page(size=SIZE, placements=(Placement(face=face, box=SIZE.rect, name="ant"),)) for face in faces]
    return write(pages, PdfOptions("Cards"))


def drawings(data: bytes) -> dict[bytes, int]:
    """Return how often a file has each form that names no other, by what it draws."""
    counts: dict[bytes, int] = {}
    with pikepdf.open(io.BytesIO(data)) as file:
        for each in file.objects:
            if (
                isinstance(each, pikepdf.Stream)
                and each.get("/Subtype") == "/Form"
                and "/XObject" not in each.Resources
            ):
                counts[each.read_bytes()] = counts.get(each.read_bytes(), 0) + 1
    return counts


@given(st.sampled_from([1, 255, 256, 257, 513]))
@settings(max_examples=5)
def test_pages_hang_in_order_on_nodes_of_256_at_most(count: int) -> None:
    faces = [card(number % 300) for number in range(count)]
    with pikepdf.open(io.BytesIO(pdf(faces))) as file:
        assert file.check_pdf_syntax() == []
        nodes = [
            each for each in file.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Pages"
        ]
        assert max(len(node.Kids) for node in nodes) <= 256
        assert sum("/Parent" not in node for node in nodes) == 1
        assert all(kid.Parent.objgen == node.objgen for node in nodes for kid in node.Kids)
        assert file.Root.Pages.Count == count
        shown = [page.Resources.XObject.face1.read_bytes() for page in file.pages]
    with pikepdf.open(io.BytesIO(pdf(faces[-1:]))) as alone:
        assert shown[-1] == alone.pages[0].Resources.XObject.face1.read_bytes()


def test_what_is_no_stream_is_packed_and_can_be_read() -> None:
    data = pdf([card(number) for number in range(300)])
    with pikepdf.open(io.BytesIO(data)) as file:
        kinds = [str(each.get("/Type", "")) for each in file.objects if isinstance(each, pikepdf.Stream)]
        shown = {page.Resources.XObject.face1.Resources.XObject.drawing2.objgen for page in file.pages}
    assert kinds.count("/ObjStm") >= 3
    assert kinds.count("/XRef") == 1
    assert b"/MediaBox" not in data
    assert len(shown) == 1, "the square that all have is one object"


@given(st.lists(st.integers(0, 200), min_size=1, max_size=12))
def test_a_drawing_is_in_a_file_once_and_the_same_whatever_else_is_there(numbers: list[int]) -> None:
    faces = {number: card(number) for number in numbers}
    together = drawings(pdf([faces[number] for number in numbers]))
    assert set(together.values()) == {1}
    apart = [drawings(pdf([face])) for face in faces.values()]
    assert together.keys() == {drawn for each in apart for drawn in each}


@given(st.permutations([0, 1, 26, 27]))
def test_equal_pages_give_equal_bytes_and_other_ones_do_not(numbers: list[int]) -> None:
    faces = [card(number) for number in numbers]
    assert pdf(faces) == pdf([card(number) for number in numbers])
    assert (pdf(faces) == pdf([card(number) for number in (0, 1, 26, 27)])) == (numbers == [0, 1, 26, 27])


def test_pages_that_say_the_same_show_what_each_of_them_means() -> None:
    """The stream of each page says that it draws `face1`."""
    with pikepdf.open(io.BytesIO(pdf([card(1), card(2)]))) as file:
        one, other = (page.Resources.XObject.face1.read_bytes() for page in file.pages)
    assert one != other


def test_a_glyph_without_a_character_of_its_own_is_found_by_what_it_stands_for() -> None:
    """Whatever another card lets it stand for: its map can say only one of both."""
    face = fonts.face(FACE)
    known = {face.font.get_nominal_glyph(each) for each in face.font.face.unicodes}
    glyph = next(number for number in range(1, face.font.face.glyph_count) if number not in known)
    data = pdf([Scene(SIZE, (letter(glyph, "ct"),)), Scene(SIZE, (letter(glyph, "st"),))])
    with pikepdf.open(io.BytesIO(data)) as file:
        drawn = [page.Resources.XObject.face1 for page in file.pages]
        meant = [
            str(each.operands[1].ActualText) for form in drawn for each in pikepdf.parse_content_stream(form, "BDC")
        ]
        letters = drawn[0].Resources.Font[f"/{face.resource}"].ToUnicode.read_bytes()
    assert meant == ["ct", "st"]
    assert b"<%04X> <00630074>" % glyph in letters


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_a_ticket_is_read_as_it_was_written(ticket: str) -> None:
    file = write([Page(size=SIZE, placements=())], PdfOptions("Cards", ticket=ticket))
    with pikepdf.open(io.BytesIO(file)) as read:
        assert str(read.Root.PieceInfo.kotc.Private) == ticket
