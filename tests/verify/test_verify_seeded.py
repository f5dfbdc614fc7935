"""Sheets with one mistake each, of the kinds that a print can have: `kotc verify` finds every one, and says which.

The mistakes are put into files that pass. Those that only the cards can show are found with `--set`.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image, ImageChops

from render.base.geometry import Size
from render.base.sizes import PAPERS
from render.exports.print_files import PrintJob
from render.exports.shop_files import ShopOptions, shop_files, write_shop_files
from render.game.cards import for_press
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.sheets.options import Backs, Crop, Registration
from render.shops.profiles import Copies, shops
from tests.support.repository import ROOT
from tests.support.sets import write_set
from tests.support.sheet_files import Change, face, rewritten, verified, written
from tests.support.templates import with_plain_back
from tests.verify.test_verify_faults import FOUND as IN_OTHER_SHEETS

SET = "name: Few\nedition: 17\n"
CARDS = """\
- {name: Gnu, kind: minion, level: 3, sp: 1, hp: 4, text: "GRAZE: When this card rests: Draw a card.", art: gnu.png}
- {name: Hen, kind: minion, level: 3, sp: 2, hp: 3, text: "PECK: When this card attacks: Target a card.", art: hen.jpg}
- {name: Imp, kind: pawn, copies: 2, back: none}
"""
SMALL = Size(150.0, 210.0)  # a sheet of four cards
FOUND = Path(__file__).parent / "seeded_faults.txt"
"""What is found of each mistake, in exact words: below the name of its function, indented."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written into a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


_HOME = TemporaryDirectory()


@cache
def few() -> Path:
    """Return the folder of a set of four cards with pictures and text."""
    made = with_plain_back(write_set(Path(_HOME.name) / "few", CARDS, SET))
    for number, name in enumerate(("gnu.png", "hen.jpg")):
        picture = io.BytesIO()
        Image.linear_gradient("L").resize((675, 420)).rotate(180 * number + 8).convert("RGB").save(
            picture, "PNG" if name.endswith("png") else "JPEG"
        )
        (made / name).write_bytes(picture.getvalue())
    return made


@cache
def job(*, is_for_press: bool = False) -> PrintJob:
    """Return the faces of these cards."""
    sets, _ = survey([few()])
    sets = list(map(for_press, sets)) if is_for_press else sets
    return PrintJob(tuple(sets), tuple(each for card_set in sets for each in lay_out_set(card_set).faces))


def sheets(name: str = "") -> Path:
    """Write the sheets into which a mistake is put."""
    if name not in OPTIONS:
        Path("sheets.pdf").write_bytes(usual())
        return Path("sheets.pdf")
    (file,) = written(printed=job(), **{"paper": SMALL, **OPTIONS[name]})  # type: ignore[arg-type] # options of sheets
    return file


@cache
def usual() -> bytes:
    """Return the sheets of the usual options."""
    (file,) = written(printed=job(), paper=SMALL)
    return file.read_bytes()


# --- how files are changed ------------------------------------------------------------------------------------------


def after(pdf: Pdf, page: int, code: str) -> None:
    """Draw something at last, in mm of the page."""
    drawn = pdf.pages[page - 1].Contents.read_bytes()
    pdf.pages[page - 1].Contents = pdf.make_stream(drawn + b"\n" + code.encode("ascii"))


def before(pdf: Pdf, page: int, code: str) -> None:
    """Draw something at first, in mm of the page."""
    head, rest = pdf.pages[page - 1].Contents.read_bytes().split(b" cm\n", 1)
    pdf.pages[page - 1].Contents = pdf.make_stream(head + b" cm\n" + code.encode("ascii") + b"\n" + rest)


def drawing(pdf: Pdf, page: int, words: str) -> Stream:
    """Return the form of a page that holds these words."""
    return next(form for form in _forms(pdf.pages[page - 1].Resources) if words.encode("ascii") in form.read_bytes())


def named(pdf: Pdf, page: int, words: str) -> str:
    """Return by what name a page draws the form that holds these words."""
    form = drawing(pdf, page, words)
    held = pdf.pages[page - 1].Resources.XObject
    return next(name for name, drawn in held.items() if drawn.objgen == form.objgen)


def photo(pdf: Pdf) -> Stream:
    """Return the picture of the first page that is a JPEG."""
    held = pdf.pages[0].Resources.XObject
    drawn = next(drawn for _, drawn in sorted(held.items()) if drawn.get("/Filter") == Name.DCTDecode)
    assert isinstance(drawn, Stream)
    return drawn


def _forms(resources: Object) -> list[Stream]:
    held = resources.XObject.items() if "/XObject" in resources else ()
    found = [drawn for _, drawn in sorted(held) if isinstance(drawn, Stream) and drawn.Subtype == Name.Form]
    return found + [inner for form in found for inner in _forms(form.Resources)]


def redrawn(pdf: Pdf, page: int, old: str, new: str) -> None:
    """Replace words of a form of a page."""
    form = drawing(pdf, page, old)
    form.write(form.read_bytes().replace(old.encode("ascii"), new.encode("ascii"), 1))


def fonts(pdf: Pdf) -> list[Object]:
    return [font for _, font in sorted(pdf.pages[0].Resources.Font.items())]


def exchanged(one: Object, other: Object, key: str) -> None:
    one[key], other[key] = other[key], one[key]


def image(pdf: Pdf, page: int) -> tuple[str, Stream]:
    held = pdf.pages[page - 1].Resources.XObject
    return next(
        (name, drawn)
        for name, drawn in sorted(held.items())
        if isinstance(drawn, Stream) and drawn.Subtype == Name.Image
    )


# --- over the cards -------------------------------------------------------------------------------------------------


def white_over_one_copy(pdf: Pdf) -> None:
    after(pdf, 1, "1 g 80 120 30 30 re f")


def white_over_both_copies(pdf: Pdf) -> None:
    after(pdf, 1, "1 g 20 150 110 10 re f")


def bar_over_a_back(pdf: Pdf) -> None:
    after(pdf, 2, "0 g 90 20 m 90 80 l 95 80 l 95 20 l h f")


def line_over_a_card(pdf: Pdf) -> None:
    after(pdf, 1, "0 G .2 w 0 J 0 j 4 M 20 30 m 60 40 l S")


def text_over_a_card(pdf: Pdf) -> None:
    after(pdf, 1, "BT 0 g /DejaVuSansCondensed 4 Tf 100 Tz 1 0 0 -1 90 50 Tm [<00240024>] TJ ET")


def picture_over_a_card(pdf: Pdf) -> None:
    after(pdf, 1, f"q 20 0 0 20 90 140 cm {image(pdf, 1)[0]} Do Q")


def other_face_over_a_card(pdf: Pdf) -> None:
    shown = re.findall(r"/\S+ Do", face(pdf, 1, 2))[0]
    after(pdf, 1, f"q 1 0 0 1 11.5 16.1 cm {shown} Q")


def white_before_the_cards(pdf: Pdf) -> None:
    before(pdf, 1, "1 g 20 120 30 30 re f")


def white_in_a_second_stream(pdf: Pdf) -> None:
    added = pdf.make_stream(b"\n1 g 80 120 30 30 re f")
    pdf.pages[0].Contents = Array([pdf.pages[0].Contents, added])


def white_in_the_form_of_the_marks(pdf: Pdf) -> None:
    marks = drawing(pdf, 1, "0.1 w 0 J")
    marks.write(marks.read_bytes() + b"\n1 g 80 120 m 100 120 l 100 140 l h f")


def speck_in_the_bleed(pdf: Pdf) -> None:
    after(pdf, 1, "1 g 10.5 60 .4 .4 re f")


def face_without_its_mark(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    inner = hen.split("BDC\n", 1)[1].removesuffix("EMC\n")
    rewritten(pdf, 1, (hen, ""))
    after(pdf, 1, inner.replace("re W n", "re n"))


def window_over_its_neighbour(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("11.5 16.1 63.5 88.9 re", "11.5 16.1 70 88.9 re"))


# --- what hides or changes what is drawn ----------------------------------------------------------------------------


def nearly_unseen(pdf: Pdf) -> None:
    state = Dictionary(Type=Name.ExtGState, ca=0.1)
    pdf.pages[0].Resources.ExtGState = Dictionary(A=pdf.make_indirect(state))
    rewritten(pdf, 1, (face(pdf, 1, 1), face(pdf, 1, 1).replace("cm\n", "cm\n/A gs\n", 1)))


def overprinting(pdf: Pdf) -> None:
    pdf.pages[0].Resources.ExtGState = Dictionary(A=Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1))
    before(pdf, 1, "/A gs")


def invisible_text(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("BT\n", "BT\n3 Tr\n", 1)))


def all_clipped(pdf: Pdf) -> None:
    before(pdf, 1, "0 0 150 100 re W n")


def layer_that_can_be_hidden(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, f"/OC /A BDC\n{hen}EMC\n"))


def form_cut_off(pdf: Pdf) -> None:
    form = next(form for form in _forms(pdf.pages[0].Resources) if b"BT" in form.read_bytes())
    form.BBox = Array([0, 0, 63.5, 40])


def form_that_is_blended(pdf: Pdf) -> None:
    _forms(pdf.pages[0].Resources)[0].Group = Dictionary(S=Name.Transparency)


def picture_with_a_mask(pdf: Pdf) -> None:
    _, shown = image(pdf, 1)
    mask = pdf.make_stream(bytes(1), Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1)
    mask.ColorSpace, mask.BitsPerComponent = Name.DeviceGray, 8
    shown.SMask = mask


def dashes_before_the_cards(pdf: Pdf) -> None:
    before(pdf, 1, "[0.1 3] 0 d")


def raised_before_the_cards(pdf: Pdf) -> None:
    before(pdf, 1, "BT 2 Ts ET")


def colors_given_another_meaning(pdf: Pdf) -> None:
    space = Array([Name.CalGray, Dictionary(WhitePoint=Array([1, 1, 1]), Gamma=9)])
    pdf.pages[0].Resources.ColorSpace = Dictionary(DefaultGray=space)


# --- fonts ----------------------------------------------------------------------------------------------------------


def font_programs_exchanged(pdf: Pdf) -> None:
    one, other, *_ = (font.DescendantFonts[0].FontDescriptor for font in fonts(pdf))
    exchanged(one, other, "/FontFile2")


def fonts_exchanged(pdf: Pdf) -> None:
    held = pdf.pages[0].Resources.Font
    one, other, *_ = sorted(held.keys())
    held[one], held[other] = held[other], held[one]


def meanings_exchanged(pdf: Pdf) -> None:
    one, other, *_ = fonts(pdf)
    exchanged(one, other, "/ToUnicode")


def letters_read_as_others(pdf: Pdf) -> None:
    font = fonts(pdf)[1]
    words = font.ToUnicode.read_bytes()
    font.ToUnicode.write(words.replace(b"<0048> <0065>", b"<0048> <0061>"))


def width_changed(pdf: Pdf) -> None:
    fonts(pdf)[0].DescendantFonts[0].W[1] = Array([999])


def glyphs_of_other_numbers(pdf: Pdf) -> None:
    fonts(pdf)[0].DescendantFonts[0].CIDToGIDMap = pdf.make_stream(bytes(range(200)))


def glyph_lost(pdf: Pdf) -> None:
    inner = fonts(pdf)[0].DescendantFonts[0]
    inner.W = Array(list(inner.W)[2:])


# --- marks ----------------------------------------------------------------------------------------------------------


def marks_moved(pdf: Pdf) -> None:
    name = named(pdf, 1, "0.1 w 0 J")
    drawn = pdf.pages[0].Contents.read_bytes().decode("latin-1")
    moved = drawn.replace(f"{name} Do", f"q 1 0 0 1 .5 0 cm {name} Do Q")
    pdf.pages[0].Contents = pdf.make_stream(moved.encode("latin-1"))


def marks_of_one_page_lost(pdf: Pdf) -> None:
    name = named(pdf, 2, "0.1 w 0 J")
    rewritten(pdf, 2, (f"{name} Do\n", ""))


def mark_thicker(pdf: Pdf) -> None:
    drawing(pdf, 1, "0.1 w").BBox = Array([0, 0, 150, 210])
    redrawn(pdf, 1, "0.1 w", "0.3 w")


def mark_colored(pdf: Pdf) -> None:
    redrawn(pdf, 1, "0 G 0.1 w", "1 0 0 RG 0.1 w")


def mark_of_all_inks(pdf: Pdf) -> None:
    redrawn(pdf, 1, "0 G 0.1 w", "0 0 0 RG 0.1 w")


def line_more(pdf: Pdf) -> None:
    after(pdf, 1, "0 G .1 w 0 J 0 j 4 M 8 60 m 10 60 l S")


def slug_changed(pdf: Pdf) -> None:
    words = pdf.pages[1].Contents.read_bytes().decode("latin-1")
    runs = re.findall(r"\[<\S+\] TJ", words)
    assert words.count(runs[-1]) == 1
    rewritten(pdf, 2, (runs[-1], runs[-1].replace("0044", "0048", 1)))


def ruler_of_98_per_cent(pdf: Pdf) -> None:
    name = named(pdf, 1, "0 g 25 ")
    rewritten(pdf, 1, (f"{name} Do\n", f"q .98 0 0 1 1.5 0 cm {name} Do Q\n"))


def labels_of_the_rulers(pdf: Pdf) -> list[str]:
    """The last texts of a front are those of the ruler and of the second one."""
    words = pdf.pages[0].Contents.read_bytes().decode("latin-1")
    return re.findall(r"BT\b.*?\bET\b", words, re.DOTALL)[-2:]


def tick_of_the_ruler_moved(pdf: Pdf) -> None:
    redrawn(pdf, 1, "34.94 200.45 m", "34.44 200.45 m")


def tick_of_the_second_ruler_lost(pdf: Pdf) -> None:
    form = drawing(pdf, 1, "9.69 161.2555 l")
    form.write(re.sub(rb"9 169.45 m .+? h ", b"", form.read_bytes(), count=1))


def label_of_the_ruler_lost(pdf: Pdf) -> None:
    rewritten(pdf, 1, (labels_of_the_rulers(pdf)[0], ""))


def label_of_the_second_ruler_lost(pdf: Pdf) -> None:
    rewritten(pdf, 1, (labels_of_the_rulers(pdf)[1], ""))


def slug_cut_off(pdf: Pdf) -> None:
    """The slug stands in a form whose box ends within it."""
    words = pdf.pages[1].Contents.read_bytes().decode("latin-1")
    slug = words[words.rindex("BT") :]
    held = Dictionary(Type=Name.XObject, Subtype=Name.Form, FormType=1, BBox=Array([0, 0, 60, 210]))
    form = pdf.make_stream(slug.encode("latin-1"), held)
    form.Resources = pdf.pages[1].Resources
    pdf.pages[1].Resources.XObject.Cut = form
    rewritten(pdf, 2, (slug, "/Cut Do"))


def bleed_missing_inside(pdf: Pdf) -> None:
    place = re.search(r"(\S+) (\S+) (\S+) (\S+) re W n", face(pdf, 1, 0))
    assert place
    left, top, width, height = map(float, place.groups())
    rewritten(pdf, 1, (place[0], f"{left:g} {top:g} {width - 1:g} {height:g} re W n"))


def white_that_covers_nothing(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("BT\n0 g", "BT\n/A gs 1 g", 1)))
    pdf.pages[0].Resources.ExtGState = Dictionary(A=Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1))


def marks_below_the_cards(pdf: Pdf) -> None:
    name = named(pdf, 1, "0.1 w 0 J")
    rewritten(pdf, 1, (f"{name} Do\n", ""))
    before(pdf, 1, f"{name} Do")


def fold_line_moved(pdf: Pdf) -> None:
    name = named(pdf, 1, "0.15 w")
    rewritten(pdf, 1, (f"{name} Do", f"q 1 0 0 1 .5 0 cm {name} Do Q"))


def registration_mark_moved(pdf: Pdf) -> None:
    name = named(pdf, 1, "9.75 9.75 m")
    rewritten(pdf, 1, (f"{name} Do", f"q 1 0 0 1 0 .5 cm {name} Do Q"))


def cut_line_that_nobody_asked_for(pdf: Pdf) -> None:
    after(pdf, 1, "1 0 1 RG .2 w 0 J 0 j 4 M 11.5 16.1 m 75 16.1 l 75 105 l 11.5 105 l h S")


def page_more(pdf: Pdf) -> None:
    pdf.pages.append(pdf.pages[0])


# --- what only the cards can show -----------------------------------------------------------------------------------


def shifted_within_its_form(pdf: Pdf) -> None:
    form = next(form for form in _forms(pdf.pages[0].Resources) if b"BT" in form.read_bytes())
    form.write(form.read_bytes().replace(b" 9.017 Tm", b" 9.317 Tm", 1))


def picture_for_another(pdf: Pdf) -> None:
    held = pdf.pages[0].Resources.XObject
    one, other = (name for name, drawn in sorted(held.items()) if drawn.Subtype == Name.Image)
    rewritten(pdf, 1, (f"{one} Do", "/Other Do"), (f"{other} Do", f"{one} Do"))
    rewritten(pdf, 1, ("/Other Do", f"{other} Do"))


def picture_of_the_same_size(pdf: Pdf) -> None:
    shown = photo(pdf)
    other = io.BytesIO()
    Image.radial_gradient("L").resize((675, 420)).convert("RGB").save(other, "JPEG")
    shown.write(other.getvalue(), filter=Name.DCTDecode)


def speck_on_a_picture(pdf: Pdf) -> None:
    shown = photo(pdf)
    same = Image.open(io.BytesIO(shown.read_raw_bytes()))
    same.paste("white", (10, 10, 18, 18))
    other = io.BytesIO()
    same.save(other, "JPEG", quality=95)
    shown.write(other.getvalue(), filter=Name.DCTDecode)


def glyph_for_another(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("<002B0048", "<002B0044", 1)))


def cards_exchanged(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("(gnu)", "(cow)"), ("(hen)", "(gnu)"))
    rewritten(pdf, 1, ("(cow)", "(hen)"))
    rewritten(pdf, 2, ("(gnu)", "(cow)"), ("(hen)", "(gnu)"))
    rewritten(pdf, 2, ("(cow)", "(hen)"))


def frame_colored(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("BT\n0 g", "BT\n.5 g", 1)))


def white_on_its_own_face(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("Q\nEMC", "1 g 5 50 m 50 50 l 50 60 l 5 60 l h f\nQ\nEMC")))


def text_lost(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    at = hen.index("BT")
    rewritten(pdf, 1, (hen, hen[:at] + hen[hen.index("ET") + 3 :]))


def word_moved(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, re.sub(r"(\S+) 9.017 Tm", lambda at: f"{float(at[1]) + 0.3:g} 9.017 Tm", hen)))


def other_font(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, hen.replace("/DejaVuSansCondensed 4.232", "/DejaVuSansOblique 4.232", 1)))


# --- files for print shops ------------------------------------------------------------------------------------------


def face_shifted(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("1 0 0 1 3 3 cm", "1 0 0 1 3.2 3 cm"))


def face_shrunken(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("1 0 0 1 3 3 cm", ".97 0 0 .97 4 4.4 cm"))


def bleed_cut_off(pdf: Pdf) -> None:
    rewritten(pdf, 2, ("0 0 69.5 94.9 re", "3 3 63.5 88.9 re"))


def trim_box_moved(pdf: Pdf) -> None:
    box = [float(value) for value in pdf.pages[0].TrimBox]
    pdf.pages[0].TrimBox = Array([box[0] + 3, box[1], box[2] + 3, box[3]])


def bleed_box_lost(pdf: Pdf) -> None:
    del pdf.pages[0].BleedBox


def page_of_another_size(pdf: Pdf) -> None:
    pdf.pages[0].MediaBox = Array([0, 0, 180, 252])


def front_and_back_exchanged(pdf: Pdf) -> None:
    kids = pdf.Root.Pages.Kids
    kids[0], kids[1] = pdf.pages[1].obj, pdf.pages[0].obj


def cards_in_another_order(pdf: Pdf) -> None:
    kids, pages = pdf.Root.Pages.Kids, [page.obj for page in pdf.pages]
    kids[0], kids[1], kids[2], kids[3] = pages[2], pages[3], pages[0], pages[1]


def page_lost(pdf: Pdf) -> None:
    del pdf.pages[5]


def something_on_a_blank_back(pdf: Pdf) -> None:
    rewritten(pdf, 6, ("cm\nQ", "cm\n0 g 9 9 m 20 9 l 20 20 l h f\nQ"))


def white_over_a_face(pdf: Pdf) -> None:
    after(pdf, 3, "0 0 0 0 k 10 10 20 20 re f")


# --- what is found --------------------------------------------------------------------------------------------------

OPTIONS: dict[str, dict[str, object]] = {
    "speck_in_the_bleed": {"bleed": 1.0},
    "bleed_missing_inside": {"bleed": 1.0},
    "fold_line_moved": {"backs": Backs.FOLD, "paper": PAPERS["a3"]},
    "registration_mark_moved": {
        "registration": Registration.SILHOUETTE,
        "paper": PAPERS["a4"],
        "grid": (2, 3),
        "crop_marks": Crop.OFF,
    },
}
"""Options of the sheets into which a mistake is put, if they are not the usual ones."""


def told(section: str) -> list[tuple[str, str]]:
    """Return the mistakes of a section, with what is found of each."""
    text = FOUND.read_text(encoding="utf-8").split(f"# {section}\n")[1].split("\n# ")[0]
    return [(name, dedent(body)) for name, body in re.findall(r"^(\w+)\n((?:    .*\n)+)", text + "\n", re.MULTILINE)]


def changed_by(name: str, file: Path, *more: object) -> str:
    """Return what is found in a file into which a mistake was put, without the name of the file."""
    change: Change = globals()[name]
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(file)
    result = verified(file, *more)
    assert result.exit_code == 1
    return result.stdout.replace(f"{file}:1:1: error: ", "")


@pytest.mark.parametrize(("name", "found"), told("sheets"))
def test_a_mistake_on_sheets_is_found(name: str, found: str) -> None:
    assert changed_by(name, sheets(name)) == found


@pytest.mark.parametrize(("name", "found"), told("sheets, with --set"))
def test_what_only_the_cards_can_show_is_found_with_them(name: str, found: str) -> None:
    file = sheets()
    assert changed_by(name, file, "--set", few()) == found


@pytest.mark.parametrize(("name", "found"), told("cards.pdf of the shop pdf-x4"))
def test_a_mistake_in_a_file_of_a_shop_is_found(name: str, found: str) -> None:
    Path("cards.pdf").write_bytes(shop_pdf())
    assert changed_by(name, Path("cards.pdf")) == found


def test_there_are_as_many_mistakes_as_the_reference_of_tests_says() -> None:
    sections = ("sheets", "sheets, with --set", "cards.pdf of the shop pdf-x4")
    names = [name for section in sections for name, _ in told(section)]
    reference = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    assert f"each of {len(set(names))} + {len(IN_OTHER_SHEETS)} seeded mistakes" in reference
    assert f"of {len(IN_FOLDERS)} in folders of pictures" in reference
    assert len(set(names)) == len(names) > 50


TOLD_WITHOUT = ("other_font",)  # it has not the glyphs


@pytest.mark.parametrize("name", [name for name, _ in told("sheets, with --set") if name not in TOLD_WITHOUT])
def test_what_a_file_does_not_show_is_not_claimed(name: str) -> None:
    """Without the cards nobody knows what a single face is to show."""
    file = sheets()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        globals()[name](pdf)
        pdf.save(file)
    assert verified(file).exit_code == 0


# --- files of shops that are right ----------------------------------------------------------------------------------


@cache
def shop_pdf() -> bytes:
    """Return the file that `kotc shop pdf-x4` makes of these cards."""
    (file,) = shop_files(job(is_for_press=True), shops()["pdf-x4"], ShopOptions())
    return file.data


@pytest.mark.parametrize("name", ["drivethrucards", "pdf-x4", "pdf-a2b"])
@pytest.mark.parametrize("copies", Copies)
def test_a_pdf_for_a_shop_passes(name: str, copies: Copies) -> None:
    (file,) = shop_files(job(is_for_press=name != "pdf-a2b"), shops()[name], ShopOptions(copies))
    Path("cards.pdf").write_bytes(file.data)
    number = 4 if copies is Copies.EACH else 3
    assert verified("cards.pdf", "--set", few()).output == (
        f"{number} cards, {2 * number} pages:"
        " sizes, places, backs, copies, drawings, marks, fonts, print hints: all right\n"
    )


@cache
def shop_pictures() -> Path:
    """Return the folder that `kotc shop makeplayingcards` makes of these cards."""
    made = Path(_HOME.name) / "pictures"
    write_shop_files(shop_files(job(is_for_press=True), shops()["makeplayingcards"], ShopOptions()), made, made)
    return made


@pytest.fixture
def pictures() -> Path:
    """A copy of that folder."""
    shutil.copytree(shop_pictures(), "made")
    return Path("made")


def test_a_folder_of_pictures_passes(pictures: Path) -> None:
    right = "4 cards, 4 pictures: sizes, copies, drawings: all right\n"
    for path in (pictures, pictures / "order.csv"):
        assert verified(path, "--set", few()).output == right
    assert verified(pictures).output == (
        f"not checked: {pictures}: drawings: a picture does not say what it is to show: give the set\n"
        "4 cards, 4 pictures: sizes, copies: all right\n"
    )


def repainted(file: Path, change: Callable[[Image.Image], Image.Image]) -> None:
    with Image.open(file) as opened:
        change(opened.copy()).save(file, dpi=(300, 300))


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def replaced(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


IN_FOLDERS: list[tuple[Callable[[Path], object], str]] = [
    (
        lambda made: shutil.copy(made / "fronts/gnu.png", made / "fronts/hen.png"),
        "`hen`: `fronts/hen.png` shows something else than its card: 284212 pixels differ, at 75, 105 to 746, 946 [Q",
    ),
    (
        lambda made: repainted(made / "fronts/gnu.png", lambda image: ImageChops.offset(image, 1, 0)),
        "`gnu`: `fronts/gnu.png` shows something else than its card: 22408 pixels differ, at 72, 72 to 751, 1050 [Q",
    ),
    (
        lambda made: repainted(made / "fronts/gnu.png", lambda image: image.resize((800, 1100))),
        "`fronts/gnu.png`: no shop takes a picture like this one [Q010]",
    ),
    (
        lambda made: repainted(made / "fronts/hen.png", lambda image: image.convert("RGBA")),
        "`fronts/hen.png`: it is RGB with an alpha channel of 8 bits, and the shop asks for RGB of 8 [Q010]",
    ),
    (lambda made: cut_off(made / "fronts/hen.png"), "`fronts/hen.png` is a PNG that ends too early [Q010]"),
    (
        lambda made: replaced(made / "order.csv", "hen.png,backs/back.png,1", "hen.png,backs/back.png,2"),
        "`hen`: there twice, and the set has it once [Q060]",
    ),
    (
        lambda made: replaced(made / "order.csv", "backs/back.png,1,Gnu", ",1,Gnu"),
        "the back of `gnu`: `order.csv` has no back, and its card has one [Q090]",
    ),
    (lambda made: replaced(made / "order.csv", "copies", "number"), "`order.csv` is not a list of fronts, backs"),
    (lambda made: replaced(made / "order.csv", ",1,Hen", ",0,Hen"), "line 3 of `order.csv` is not a front, a back and"),
    (
        lambda made: replaced(made / "order.csv", "hen.png", "gnu.png"),
        "line 3 of `order.csv` has `fronts/gnu.png` again",
    ),
    (lambda made: (made / "fronts/imp.png").unlink(), "`fronts/imp.png` is missing [Q060]"),
    (
        lambda made: shutil.copy(made / "fronts/gnu.png", made / "fronts/cow.png"),
        "`fronts/cow.png` is in no line of `order.csv` [Q060]",
    ),
    (
        lambda made: shutil.copytree(made / "fronts", made / "more"),
        "`more` is in no line of `order.csv` [Q060]",
    ),
    (
        lambda made: replaced(made / "order.csv", ",1,Gnu", ",1,Gnat"),
        "`gnu`: `order.csv` calls it `Gnat`, and its set `Gnu` [Q003]",
    ),
]


@pytest.mark.parametrize(("change", "found"), IN_FOLDERS)
def test_a_mistake_in_a_folder_of_pictures_is_found(
    pictures: Path, change: Callable[[Path], object], found: str
) -> None:
    change(pictures)
    result = verified(pictures, "--set", few())
    assert found in result.stdout
    assert result.exit_code == 1


def test_a_folder_that_is_named_twice_is_there_once(pictures: Path) -> None:
    right = "4 cards, 4 pictures: sizes, copies, drawings: all right\n"
    assert verified(pictures, pictures / "order.csv", "--set", few()).output == right


def test_a_picture_that_breaks_off_is_found_without_the_set(pictures: Path) -> None:
    cut_off(pictures / "fronts/gnu.png")
    result = verified(pictures)
    assert "order.csv:1:1: error: `fronts/gnu.png` is a PNG that ends too early [Q010]" in result.stdout
    assert result.exit_code == 1
