"""The files are clean: opened by readers that are not ours."""

import io
import re
import struct
import zlib
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tests.support.sets import kotc, write_set

CARDS = """
- name: First
  kind: minion
  level: 9
  sp: 4
  hp: 6
  text: |
    HAMMER: When enemy attacks, after Attack Formation: Target 1 on-field minion; destroy it. (That is final.)
    FIRE: Draw 2 cards.
  flavor: An efficient flame.
  art: first.jpg
  copies: 3
- name: Second
  kind: spell
  level: 2
  text: Draw 1 card.
  art: again.jpg
  copies: 9
- name: Third
  kind: minion
  level: 1
  sp: 0
  hp: 2
  art: clear.png
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_set(tmp_path_factory.mktemp("made") / "set", CARDS)
    picture = Image.radial_gradient("L").convert("RGB").resize((900, 560))
    picture.save(folder / "first.jpg")
    picture.save(folder / "again.jpg")
    picture.convert("RGBA").save(folder / "clear.png")
    for arguments in (("pdf", folder, "--out", folder / "sheets.pdf"), ("png", folder, "--out", folder / "png")):
        result = kotc(*arguments)
        assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(scope="module")
def document(folder: Path) -> pikepdf.Pdf:
    return pikepdf.Pdf.open(folder / "sheets.pdf")


def test_qpdf_finds_nothing_to_say(document: pikepdf.Pdf) -> None:
    assert document.check_pdf_syntax() == []


def test_every_font_is_embedded(document: pikepdf.Pdf) -> None:
    fonts = [each for each in document.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Font"]
    descendants = [font for font in fonts if font.Subtype == "/CIDFontType2"]
    assert len(descendants) >= 4
    assert {str(font.Subtype) for font in fonts} == {"/Type0", "/CIDFontType2"}
    assert all("/FontFile2" in font.FontDescriptor for font in descendants)


def test_each_picture_is_in_the_file_once_and_a_jpeg_byte_for_byte(document: pikepdf.Pdf, folder: Path) -> None:
    images = [
        each for each in document.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
    ]
    jpegs = [image for image in images if image.Filter == "/DCTDecode"]
    assert len(images) == 2, "two of the three cards show the same picture under two names"
    assert [image.read_raw_bytes() for image in jpegs] == [(folder / "first.jpg").read_bytes()]


def test_each_shape_is_in_the_file_once(document: pikepdf.Pdf) -> None:
    forms = [each for each in document.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
    contents = [bytes(form.read_bytes()) for form in forms]
    assert len(contents) == len(set(contents))


def test_boxes_are_the_paper_and_nothing_scales_or_turns_the_page(document: pikepdf.Pdf) -> None:
    for page in document.pages:
        assert [float(value) for value in page.MediaBox] == pytest.approx([0, 0, 210 / 25.4 * 72, 297 / 25.4 * 72])
        assert page.TrimBox == page.MediaBox
        assert "/CropBox" not in page and "/UserUnit" not in page and page.get("/Rotate", 0) == 0


@pytest.mark.parametrize(
    ("flip", "says"), [("long-edge", "/DuplexFlipLongEdge"), ("short-edge", "/DuplexFlipShortEdge")]
)
def test_the_file_says_how_it_wants_to_be_printed(folder: Path, tmp_path: Path, flip: str, says: str) -> None:
    kotc("pdf", folder, "--out", tmp_path / "sheets.pdf", "--flip", flip)
    with pikepdf.Pdf.open(tmp_path / "sheets.pdf") as document:
        preferences = document.Root.ViewerPreferences
        assert preferences.PrintScaling == "/None"
        assert preferences.Duplex == says


def test_fronts_and_backs_alternate(document: pikepdf.Pdf) -> None:
    words = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(document.filename)]
    assert ["HAMMER" in text or "Draw" in text for text in words] == [True, False, True, False]
    assert [re.search(r"sheet \d of \d · \w+", text)[0] for text in words] == [  # type: ignore[index]
        "sheet 1 of 2 · front",
        "sheet 1 of 2 · back",
        "sheet 2 of 2 · front",
        "sheet 2 of 2 · back",
    ]


def test_copies_count(document: pikepdf.Pdf) -> None:
    words = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(document.filename))
    assert (words.count("First"), words.count("Second"), words.count("Third")) == (3, 9, 1)


def test_text_extraction_gives_the_words_of_a_card_in_order(folder: Path, tmp_path: Path) -> None:
    kotc("pdf", folder, "--card", "first", "--paper", "74x99", "--out", tmp_path / "one.pdf")
    text = pypdfium2.PdfDocument(tmp_path / "one.pdf")[0].get_textpage().get_text_range()
    assert " ".join(text.split()) == (
        "First Card design by anonymous author, CC0. Image author and license shown above. HAMMER: When enemy attacks,"
        " after Attack Formation: Target 1 on-field minion; destroy it. (That is final.) FIRE: Draw 2 cards."
        " 17th Edition 4 9 6 An efficient flame."
    )


@pytest.mark.parametrize("word", ["on-field", "efficient", "flame", "attacks, after", "9"])
def test_words_can_be_searched_through_their_ligatures(folder: Path, word: str) -> None:
    page = pypdfium2.PdfDocument(folder / "sheets.pdf")[0].get_textpage()
    assert page.search(word, match_case=True).get_next() is not None


def test_an_accent_of_its_own_changes_no_other_word(tmp_path: Path) -> None:
    """A glyph that stands for something else in one place must not do so in all places."""
    cards = """
    - {name: Mo\u0301, kind: tip, text: "m\u0303 \u0451\u0301"}
    - {name: minion mimes, kind: tip, text: "\u00b5 \u03bc"}
    """
    kotc("pdf", write_set(tmp_path / "set", cards), "--out", tmp_path / "a.pdf")
    text = pypdfium2.PdfDocument(tmp_path / "a.pdf")[0].get_textpage().get_text_range()
    for word in ("minion mimes", "100 mm: measure this line", "m\u0303", "\u0451\u0301"):
        assert word in text


def test_the_title_is_the_sets_and_the_dates_are_nobodys(document: pikepdf.Pdf) -> None:
    assert document.docinfo["/Title"] == "Test"
    assert str(document.docinfo["/CreationDate"]).startswith("D:20000101")
    assert str(document.docinfo["/ModDate"]).startswith("D:20000101")


def test_a_png_passes_a_strict_reader(folder: Path) -> None:
    """Every chunk in its place with its checksum, and exactly the pixels that the header announces."""
    data = (folder / "png" / "first.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + body),)
        chunks.append((name, body))
        at += 12 + length
    assert [name for name, _ in chunks] == [b"IHDR", b"sRGB", b"pHYs", b"IDAT", b"IEND"]
    rows = zlib.decompress(chunks[3][1])
    assert len(rows) == 1050 * (1 + 750 * 3)
    assert set(rows[:: 1 + 750 * 3]) == {2}
    with Image.open(io.BytesIO(data)) as image:
        image.verify()


@pytest.mark.parametrize(
    ("dpi", "size"), [(72, (180, 252)), (300, (750, 1050)), (400, (1000, 1400)), (1200, (3000, 4200))]
)
def test_a_png_has_the_exact_size_and_says_its_resolution(folder: Path, tmp_path: Path, dpi: int, size: object) -> None:
    kotc("png", folder, "--card", "third", "--dpi", str(dpi), "--out", tmp_path)
    with Image.open(tmp_path / "third.png") as image:
        assert image.size == size
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)
        assert image.info["srgb"] == 0
        assert image.mode == "RGB"


def test_a_png_with_bleed_is_larger_by_it_on_every_side(folder: Path, tmp_path: Path) -> None:
    kotc("png", folder, "--card", "second", "--bleed", "3", "--out", tmp_path)
    with Image.open(tmp_path / "second.png") as image:
        assert image.size == (round(69.5 / 25.4 * 300), round(94.9 / 25.4 * 300))
