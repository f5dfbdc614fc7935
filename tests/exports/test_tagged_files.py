"""What screen readers find in `kotc pdf --tagged`: the structure as PDFium tells it, the objects as pikepdf does."""

import ctypes
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops
from pypdfium2 import raw

from render.base.geometry import Rect, Size
from render.pdf.tagged import FIGURE, ReadFace, ReadPart, tagged_parts
from render.scene.items import Path as Shape
from render.scene.items import Scene
from render.scene.outlines import rect_of
from tests.games.declared.lanterns import BACK, SVG, write_files
from tests.support.repository import ROOT
from tests.support.sets import kotc

GAME = """\
name: Moles
fields:
  cost: icons
  power: {type: number, range: [0, 99]}
  rules: rich
kinds:
  mole: {fields: [cost, power, rules, art!]}
icons: {H: icons/honey-pot.svg, "#": icons/number.svg}
"""
CARDS = """\
- name: Old Mole
  kind: mole
  cost: "{2}{H}"
  power: 7
  rules: Pay {H} to dig a long way through the soft dark earth, and back.
  art: {file: art/mole.png, alt: "A mole digs by the light of a lantern."}
- {name: Grüße, kind: mole, cost: "{1}", power: 0, rules: Dig., art: art/mole.png}
"""
# As templates are often drawn: the picture first, and what stands at the top last.
FRONT = SVG.format(
    """\
  <rect width="63.5" height="88.9" fill="#eeeeee"/>
  <image href="{{ card.art.href }}" x="5" y="14" width="53" height="30"/>
  <text id="rules" x="5" y="50" width="40" height="30" font-size="3.5">{{ card.rules }}</text>
  <g transform="translate(50 84)"><circle r="4" fill="#ffffff"/><text id="power" y="1.5" text-anchor="middle">{{ card.power }}</text></g>
  <text id="cost" x="58" y="9" text-anchor="end" font-size="4">{{ card.cost }}</text>
  <g opacity="0.9"><text id="name" x="5" y="9" width="35" font-size="5">{{ card.name }}</text></g>
"""
)
DISC = '<svg width="10" height="10"><circle cx="5" cy="5" r="5"/></svg>\n'


class Element(NamedTuple):
    """An element of the structure: its tag, what is read in its place, and else its words and inner elements in order."""

    tag: str
    said: str
    inner: tuple["str | Element", ...]


@pytest.fixture
def tagged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return what writes the tagged PDF of two cards."""
    monkeypatch.chdir(tmp_path)

    def write(*options: str, cards: str = CARDS, set_yaml: str = "name: Moles\n") -> Path:
        files = {"set.yaml": set_yaml, "game.yaml": GAME, "cards.yaml": cards, "templates/mole.svg": FRONT}
        icons = {"icons/honey-pot.svg": DISC, "icons/number.svg": DISC, "templates/back.svg": BACK}
        write_files(Path("pack"), {**files, **icons})
        Path("pack/art").mkdir(exist_ok=True)
        Image.linear_gradient("L").convert("RGB").save("pack/art/mole.png")
        result = kotc("pdf", "pack", "--tagged", *options)
        assert result.exit_code == 0, result.output
        return Path("out/pack/tagged.pdf")

    return write


def said(get: Callable[..., int], of: Any) -> str:
    """Return a text that PDFium tells of an element."""
    size = get(of, None, 0)
    buffer = ctypes.create_string_buffer(size)
    get(of, buffer, size)
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le")


def structure(file: Path) -> list[list[Element]]:
    """Return the elements of each page, as PDFium reads them."""
    pdf = pdfium.PdfDocument(file)
    return [[*_of_page(pdf[number])] for number in range(len(pdf))]


def _of_page(page: pdfium.PdfPage) -> Iterator[Element]:
    text_page, words = page.get_textpage(), dict[int, str]()
    for each in page.get_objects(max_depth=1):
        number = raw.FPDFPageObj_GetMarkedContentID(each.raw)
        if number >= 0:
            words[number] = words.get(number, "") + "".join(_texts(each.raw, text_page.raw))
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    for number in range(raw.FPDF_StructTree_CountChildren(tree)):
        yield _element(raw.FPDF_StructTree_GetChildAtIndex(tree, number), words)


def _texts(of: Any, text_page: Any) -> Iterator[str]:
    """Yield the words of an object, and of those in a form."""
    if raw.FPDFPageObj_GetType(of) == raw.FPDF_PAGEOBJ_FORM:
        for number in range(raw.FPDFFormObj_CountObjects(of)):
            yield from _texts(raw.FPDFFormObj_GetObject(of, number), text_page)
    elif raw.FPDFPageObj_GetType(of) == raw.FPDF_PAGEOBJ_TEXT:
        size = raw.FPDFTextObj_GetText(of, text_page, None, 0)
        buffer = (ctypes.c_ushort * (size // 2))()
        raw.FPDFTextObj_GetText(of, text_page, buffer, size)
        yield bytes(buffer).decode("utf-16-le").rstrip("\0")


def _element(of: Any, words: dict[int, str]) -> Element:
    inner = list[str | Element]()
    for number in range(raw.FPDF_StructElement_CountChildren(of)):
        child = raw.FPDF_StructElement_GetChildAtIndex(of, number)
        mark = raw.FPDF_StructElement_GetChildMarkedContentID(of, number)
        inner.append(_element(child, words) if child else words.get(mark, ""))
    told = said(raw.FPDF_StructElement_GetAltText, of) or said(raw.FPDF_StructElement_GetActualText, of)
    return Element(said(raw.FPDF_StructElement_GetType, of), told, tuple(inner))


def read_out(element: "str | Element") -> str:
    """Return an element as a screen reader says it."""
    if isinstance(element, str):
        return element
    return element.said or " ".join("".join(map(read_out, element.inner)).split())


def read_page(page: list[Element]) -> list[tuple[str, str]]:
    """Return what a page's section holds, by tags."""
    (document,) = page
    sections = [each for each in document.inner if isinstance(each, Element)]
    assert (document.tag, {each.tag for each in sections}) == ("Document", {"Sect"})
    (section,) = (
        each for each in sections if any(each.inner)
    )  # PDFium lists those of other pages, too, without content
    return [(each.tag, read_out(each)) for each in section.inner if isinstance(each, Element)]


def test_a_card_is_read_from_its_name_down_with_words_for_picture_and_icons(tagged: Callable[..., Path]) -> None:
    first, second = map(read_page, structure(tagged()))
    assert first == [
        ("H1", "Old Mole"),
        ("P", "2 honey pot"),
        ("Figure", "A mole digs by the light of a lantern."),
        ("P", "Pay honey pot to dig a long way through the soft dark earth, and back."),
        ("P", "power 7"),
    ]
    assert second == [("H1", "Grüße"), ("P", "1"), ("Figure", "Grüße"), ("P", "Dig."), ("P", "power 0")]


def test_equal_icons_beside_each_other_are_read_one_by_one(tagged: Callable[..., Path]) -> None:
    first = read_page(structure(tagged(cards=CARDS.replace("{2}{H}", "{H}{H}{H}")))[0])
    assert first[1] == ("P", "honey pot honey pot honey pot")


def test_lines_of_a_script_without_spaces_are_not_parted(tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    kotc("pdf", ROOT / "cards/kettle", "--tagged", "--language", "ja", "--card", "turtle-in-no-hurry", "-o", file)
    (page,) = structure(file)
    assert any("やかん号が二度目に着いたとき" in words for _, words in read_page(page))


def test_all_that_is_drawn_is_read_or_decoration(tagged: Callable[..., Path]) -> None:
    painting = {"Tj", "TJ", "Do", "f", "S", "B", "f*", "B*", "sh"}
    with pikepdf.open(tagged()) as pdf:
        for page in pdf.pages:
            depth, numbers, is_text = 0, list[int](), False
            for each in pikepdf.parse_content_stream(page):
                operands: Any = each.operands
                match str(each.operator):
                    case "BDC" | "BMC":
                        depth += 1
                        assert depth == 1  # some readers lose what follows a mark within another
                        if len(operands) > 1:
                            numbers.append(int(operands[1].MCID))
                        else:
                            assert operands[0] == "/Artifact"
                    case "EMC":
                        depth -= 1
                    case "BT" | "ET":
                        is_text = not is_text
                    case name if name in painting:
                        assert depth == 1
            assert (depth, is_text) == (0, False)
            assert numbers == [*range(len(numbers))]


def test_each_marked_stretch_belongs_to_the_element_that_names_it(tagged: Callable[..., Path]) -> None:
    with pikepdf.open(tagged()) as pdf:
        tree: Any = pdf.Root.StructTreeRoot
        named = dict[tuple[Any, int], Any]()

        def walk(element: Any, above: Any) -> None:
            assert element.P.objgen == above.objgen
            for kid in element.K:
                if isinstance(kid, int):
                    named[element.Pg.objgen, kid] = element.objgen
                else:
                    walk(kid, element)

        for kid in tree.K:
            walk(kid, tree)
        owners = dict(zip([*tree.ParentTree.Nums][::2], [*tree.ParentTree.Nums][1::2], strict=True))
        listed = {
            (page.obj.objgen, number): owner.objgen
            for page in pdf.pages
            for number, owner in enumerate(owners[int(page.obj.StructParents)])
        }
        assert listed == named
        assert int(tree.ParentTreeNextKey) == len(pdf.pages)


def test_the_file_says_its_language_its_title_and_that_it_is_pdf_ua(tagged: Callable[..., Path]) -> None:
    with pikepdf.open(tagged(set_yaml="name: Maulwürfe\nlanguages: [de, en]\n", cards=CARDS)) as pdf:
        assert (str(pdf.Root.Lang), bool(pdf.Root.MarkInfo.Marked)) == ("de", True)
        sections: Any = pdf.Root.StructTreeRoot.K[0].K
        assert [(str(each.T), str(each.Lang)) for each in sections] == [("Old Mole", "de"), ("Grüße", "de")]
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        with pdf.open_metadata() as metadata:
            assert (metadata["dc:title"], metadata["pdfuaid:part"]) == ("Maulwürfe", "1")


def test_every_font_is_embedded_and_says_what_its_glyphs_stand_for(tagged: Callable[..., Path]) -> None:
    with pikepdf.open(tagged()) as pdf:
        fonts = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Font"]
        assert fonts
        for font in fonts:
            if font.Subtype == "/Type0":
                assert b"beginbfchar" in font.ToUnicode.read_bytes()
            else:
                assert {"/FontFile2", "/FontFile3"} & {*font.FontDescriptor.keys()}


def test_a_picture_without_words_is_not_called_pdf_ua() -> None:
    shape = Shape(rect_of(Rect(0, 0, 10, 10)), (0, 0, 0))
    figure = ReadPart(FIGURE, (shape,))
    face = ReadFace(Scene(Size(20, 20), (shape,)), "Mole", "en", (figure,), {})
    for part, claims in ((figure, False), (ReadPart(FIGURE, (shape,), "A hole."), True)):
        data = b"".join(tagged_parts([replace(face, parts=(part,))], "Moles"))
        with pikepdf.open(BytesIO(data)) as pdf, pdf.open_metadata() as metadata:
            assert ("pdfuaid:part" in metadata) is claims


def test_a_page_looks_as_the_card_does(tagged: Callable[..., Path]) -> None:
    page = pdfium.PdfDocument(tagged())[0].render(scale=200 / 72).to_pil().convert("RGB")
    kotc("png", "pack", "--dpi", "200", "--card", "old-mole", "-o", "png")
    with Image.open("png/old-mole.png") as card:
        assert page.size == card.size
        difference = ImageChops.difference(page.convert("L"), card.convert("L")).reduce(4)
        assert np.asarray(difference).max() < 60


def test_the_same_cards_give_the_same_bytes(tagged: Callable[..., Path]) -> None:
    assert tagged().read_bytes() == tagged().read_bytes()


def test_options_of_sheets_mean_nothing_to_single_cards(tagged: Callable[..., Path]) -> None:
    tagged()
    result = kotc("pdf", "pack", "--tagged", "--paper", "a4", "--bleed", "3")
    assert (result.exit_code, "`--paper` and `--bleed`" in result.output) == (2, True)
