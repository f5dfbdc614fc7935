"""Faults that are put into finished sheets, one a function: of places, of what is drawn over a card, of files.

A fault changes an open PDF, and may return options of how it is saved.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Callable
from typing import cast

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from PIL import Image

from tests.support.sheet_files import Change, face, rewritten, said


def fault(draw: Callable[..., object], *how: object) -> Change:
    """Return the fault of changing a file so."""

    def changed(pdf: Pdf) -> None:
        draw(pdf, *how)

    return changed


def nothing(_: Pdf) -> None:
    """Leave the file as it is."""


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
    return next(form for form in all_forms(pdf.pages[page - 1].Resources) if words.encode("ascii") in form.read_bytes())


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


def all_forms(resources: Object) -> list[Stream]:
    held = resources.XObject.items() if "/XObject" in resources else ()
    found = [drawn for _, drawn in sorted(held) if isinstance(drawn, Stream) and drawn.Subtype == Name.Form]
    return found + [inner for form in found for inner in all_forms(form.Resources)]


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

white_over_one_copy = fault(after, 1, "1 g 80 120 30 30 re f")
white_over_both_copies = fault(after, 1, "1 g 20 150 110 10 re f")
bar_over_a_back = fault(after, 2, "0 g 90 20 m 90 80 l 95 80 l 95 20 l h f")
line_over_a_card = fault(after, 1, "0 G .2 w 0 J 0 j 4 M 20 30 m 60 40 l S")
text_over_a_card = fault(after, 1, "BT 0 g /DejaVuSansCondensed 4 Tf 100 Tz 1 0 0 -1 90 50 Tm [<00240024>] TJ ET")


def picture_over_a_card(pdf: Pdf) -> None:
    after(pdf, 1, f"q 20 0 0 20 90 140 cm {image(pdf, 1)[0]} Do Q")


def other_face_over_a_card(pdf: Pdf) -> None:
    shown = re.findall(r"/\S+ Do", face(pdf, 1, 2))[0]
    after(pdf, 1, f"q 1 0 0 1 11.5 16.1 cm {shown} Q")


white_before_the_cards = fault(before, 1, "1 g 20 120 30 30 re f")


def white_in_a_second_stream(pdf: Pdf) -> None:
    added = pdf.make_stream(b"\n1 g 80 120 30 30 re f")
    pdf.pages[0].Contents = Array([pdf.pages[0].Contents, added])


def white_in_the_form_of_the_marks(pdf: Pdf) -> None:
    marks = drawing(pdf, 1, "0.1 w 0 J")
    marks.write(marks.read_bytes() + b"\n1 g 80 120 m 100 120 l 100 140 l h f")


speck_in_the_bleed = fault(after, 1, "1 g 10.5 60 .4 .4 re f")


def face_without_its_mark(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    inner = hen.split("BDC\n", 1)[1].removesuffix("EMC\n")
    rewritten(pdf, 1, (hen, ""))
    after(pdf, 1, inner.replace("re W n", "re n"))


window_over_its_neighbour = fault(rewritten, 1, ("11.5 16.1 63.5 88.9 re", "11.5 16.1 70 88.9 re"))


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


all_clipped = fault(before, 1, "0 0 150 100 re W n")


def layer_that_can_be_hidden(pdf: Pdf) -> None:
    hen = face(pdf, 1, 1)
    rewritten(pdf, 1, (hen, f"/OC /A BDC\n{hen}EMC\n"))


def form_cut_off(pdf: Pdf) -> None:
    form = next(form for form in all_forms(pdf.pages[0].Resources) if b"BT" in form.read_bytes())
    form.BBox = Array([0, 0, 63.5, 40])


def form_that_is_blended(pdf: Pdf) -> None:
    all_forms(pdf.pages[0].Resources)[0].Group = Dictionary(S=Name.Transparency)


def picture_with_a_mask(pdf: Pdf) -> None:
    _, shown = image(pdf, 1)
    mask = pdf.make_stream(bytes(1), Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1)
    mask.ColorSpace, mask.BitsPerComponent = Name.DeviceGray, 8
    shown.SMask = mask


dashes_before_the_cards = fault(before, 1, "[0.1 3] 0 d")
raised_before_the_cards = fault(before, 1, "BT 2 Ts ET")


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


mark_colored = fault(redrawn, 1, "0 G 0.1 w", "1 0 0 RG 0.1 w")
mark_of_all_inks = fault(redrawn, 1, "0 G 0.1 w", "0 0 0 RG 0.1 w")
line_more = fault(after, 1, "0 G .1 w 0 J 0 j 4 M 8 60 m 10 60 l S")


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


tick_of_the_ruler_moved = fault(redrawn, 1, "34.94 200.45 m", "34.44 200.45 m")


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


cut_line_that_nobody_asked_for = fault(
    after, 1, "1 0 1 RG .2 w 0 J 0 j 4 M 11.5 16.1 m 75 16.1 l 75 105 l 11.5 105 l h S"
)


def page_more(pdf: Pdf) -> None:
    pdf.pages.append(pdf.pages[0])


# --- what only the cards can show -----------------------------------------------------------------------------------


def shifted_within_its_form(pdf: Pdf) -> None:
    form = next(form for form in all_forms(pdf.pages[0].Resources) if b"BT" in form.read_bytes())
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


# --- files for print shops ----------------------------------------------------------------------------------------

face_shifted = fault(rewritten, 1, ("1 0 0 1 3 3 cm", "1 0 0 1 3.2 3 cm"))
face_shrunken = fault(rewritten, 1, ("1 0 0 1 3 3 cm", ".97 0 0 .97 4 4.4 cm"))
bleed_cut_off = fault(rewritten, 2, ("0 0 69.5 94.9 re", "3 3 63.5 88.9 re"))


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
    del pdf.pages[-1]


something_on_a_blank_back = fault(rewritten, 6, ("cm\nQ", "cm\n0 g 9 9 m 20 9 l 20 20 l h f\nQ"))
white_over_a_face = fault(after, 3, "0 0 0 0 k 10 10 20 20 re f")


# --- twelve cards on sheets of nine ------------------------------------------------------------------------------------

moved = fault(
    rewritten, 1, ("136.75 15.15 63.5 88.9 re", "136.8 15.15 63.5 88.9 re"), ("136.75 15.15 cm", "136.8 15.15 cm")
)
moved_back = fault(
    rewritten, 2, ("\n9.75 15.15 63.5 88.9 re", "\n9.75 15.1 63.5 88.9 re"), ("9.75 15.15 cm", "9.75 15.1 cm")
)
moved_within_its_window = fault(rewritten, 1, ("136.75 15.15 cm", "136.9 15.15 cm"))


def nudged_apart(pdf: Pdf) -> None:
    """Front and back are each on their place within 0.01 mm, and 0.016 mm off each other."""
    rewritten(pdf, 1, ("73.25 15.15 cm", "73.258 15.15 cm"), ("\n73.25 15.15 63.5", "\n73.258 15.15 63.5"))
    rewritten(pdf, 2, ("73.25 15.15 cm", "73.258 15.15 cm"), ("\n73.25 15.15 63.5", "\n73.258 15.15 63.5"))


def page_scaled(pdf: Pdf) -> None:
    content = pdf.pages[2].Contents.read_bytes()
    pdf.pages[2].Contents = pdf.make_stream(b"q .97 0 0 .97 8.93 12.63 cm\n" + content + b"\nQ")


def page_turned(pdf: Pdf) -> None:
    content = pdf.pages[2].Contents.read_bytes()
    pdf.pages[2].Contents = pdf.make_stream(b"q .999848 .017452 -.017452 .999848 0 0 cm\n" + content + b"\nQ")


def missing(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), ""))


def doubled(pdf: Pdf) -> None:
    bee = face(pdf, 1, 2)
    rewritten(pdf, 1, (bee, bee + bee))


def doubled_in_a_free_slot(pdf: Pdf) -> None:
    dog = face(pdf, 3, 2)
    rewritten(pdf, 3, (dog, dog + dog.replace("136.75 15.15", "9.75 104.05")))


def backs_swapped(pdf: Pdf) -> None:
    bee, cat = face(pdf, 2, 2), face(pdf, 2, 3)
    here, there = "9.75 15.15", "136.75 104.05"
    rewritten(pdf, 2, (bee + cat, bee.replace(here, there) + cat.replace(there, here)))


def back_not_mirrored(pdf: Pdf) -> None:
    bee = face(pdf, 2, 2)
    rewritten(pdf, 2, (bee, bee.replace("\n9.75", "\n136.75").replace(" 9.75", " 136.75")))


def back_lost(pdf: Pdf) -> None:
    rewritten(pdf, 2, (face(pdf, 2, 3), ""))


def back_drawn_for_another(pdf: Pdf) -> None:
    drawn = re.search(r"/\S+ Do", face(pdf, 2, 2))
    content = face(pdf, 2, 3)
    assert drawn
    body = content[content.index("cm\n") + 3 : content.index("Q\nEMC")]
    rewritten(pdf, 2, (content, content.replace(body, drawn[0] + "\n")))


def copy_drawn_differently(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 1), face(pdf, 1, 1).replace(" Do", " Do 0 0 1 rg BT ET")))


upside_down = fault(rewritten, 1, ("1 0 0 1 136.75 15.15 cm", "-1 0 0 -1 200.25 104.05 cm"))
mirrored = fault(rewritten, 1, ("1 0 0 1 136.75 15.15 cm", "-1 0 0 1 200.25 15.15 cm"))


def renamed(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("(bee)", "(bea)"))
    rewritten(pdf, 2, ("(bee)", "(bea)"))


def font_not_embedded(pdf: Pdf) -> None:
    font = next(iter(pdf.pages[0].Resources.Font.values()))
    del font.DescendantFonts[0].FontDescriptor.FontFile2


def helvetica_named(pdf: Pdf) -> None:
    helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    pdf.pages[1].Resources.Font[Name.F99] = pdf.make_indirect(helvetica)


def crop_box(pdf: Pdf) -> None:
    pdf.pages[1].CropBox = Array([10, 10, 585, 830])


def crop_box_inherited(pdf: Pdf) -> None:
    pdf.Root.Pages.CropBox = Array([10, 10, 585, 830])


def user_unit(pdf: Pdf) -> None:
    pdf.pages[1].obj.UserUnit = 2


def rotated(pdf: Pdf) -> None:
    pdf.pages[3].Rotate = 180


def media_box(pdf: Pdf) -> None:
    for page in pdf.pages:
        page.MediaBox = Array([0, 0, 612, 792])
        page.TrimBox = page.MediaBox


def print_scaling(pdf: Pdf) -> None:
    del pdf.Root.ViewerPreferences.PrintScaling


def wrong_duplex(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.Duplex = Name.DuplexFlipShortEdge


def many_copies(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.NumCopies = 3


def mark_in_the_margin(pdf: Pdf) -> None:
    content = pdf.pages[2].Contents.read_bytes()
    pdf.pages[2].Contents = pdf.make_stream(content + b"\n0 g 60 2 10 1.5 re f")


def pages_swapped(pdf: Pdf) -> None:
    first, second = pdf.pages[0].obj, pdf.pages[1].obj
    pdf.Root.Pages.Kids[0], pdf.Root.Pages.Kids[1] = second, first


def sheets_mixed(pdf: Pdf) -> None:
    """The fronts of the two sheets are swapped, and their backs are not."""
    first, third = pdf.pages[0].obj, pdf.pages[2].obj
    pdf.Root.Pages.Kids[0], pdf.Root.Pages.Kids[2] = third, first


def ticket_of_other_copies(pdf: Pdf) -> None:
    backs = {name: back for name, _, back in json.loads(str(pdf.Root.PieceInfo.kotc.Private))["cards"]}
    said(
        pdf,
        cards=[
            ["ant", 1, backs["ant"]],
            *([name, 1, backs[name]] for name in ("bee", "cat")),
            ["dog", 9, backs["dog"]],
        ],
    )


def annotated(pdf: Pdf) -> None:
    pdf.pages[0].Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Square, Rect=Array([9, 9, 99, 99]))])


shaded = fault(rewritten, 1, ("136.75 15.15 cm", "136.75 15.15 cm /S1 sh"))
front_turned = fault(rewritten, 1, ("1 0 0 1 136.75 15.15 cm", ".99985 .01745 -.01745 .99985 136.75 15.15 cm"))
slanted = fault(rewritten, 1, ("1 0 0 1 136.75 15.15 cm", "1 0 .01 1 136.75 15.15 cm"))


def moved_while_drawn(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 2), face(pdf, 1, 2).replace("BT", "1 0 0 1 .05 0 cm BT", 1)))


def form_moved(pdf: Pdf) -> None:
    next(iter(pdf.pages[0].Resources.XObject.values())).Matrix = Array([1, 0, 0, 1, 0.05, 0])


def layered(pdf: Pdf) -> None:
    pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=Dictionary())


def blank(pdf: Pdf) -> None:
    pdf.pages[3].Contents = pdf.make_stream(b"")


# --- ink, presses and pictures -----------------------------------------------------------------------------------------


def forms(pdf: Pdf) -> list[Stream]:
    return [each for each in pdf.objects if isinstance(each, Stream) and each.get("/Subtype") == Name.Form]


def pictures(pdf: Pdf, packed: Name) -> list[Stream]:
    return [
        each
        for each in pdf.objects
        if isinstance(each, Stream) and each.get("/Subtype") == Name.Image and each.Filter == packed
    ]


def replaced(pdf: Pdf, old: bytes, new: bytes) -> None:
    """Replace what the first page says, where it says so first; `old` is a pattern."""
    words, times = re.subn(old, new, pdf.pages[0].Contents.read_bytes(), count=1)
    assert times
    pdf.pages[0].Contents = pdf.make_stream(words)


black_that_leaves_a_hole = fault(replaced, rb"/Overprint gs", b"")
gray_that_overprints = fault(replaced, rb"(?s)BT\s+(0 0 0 0\.\d+ k.+?)ET\s", rb"q /Overprint gs BT \1 ET Q\n")


def no_condition(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def other_condition(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].OutputConditionIdentifier = String("FOGRA39")


def two_conditions(pdf: Pdf) -> None:
    pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0])


def other_profile(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].DestOutputProfile = pdf.make_stream(b"none")


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


def read_as(letters: str) -> Change:
    def changed(pdf: Pdf) -> None:
        said = b"FEFF" + letters.encode("utf-16-be").hex().upper().encode("ascii")
        replaced(
            pdf,
            rb"\[<([0-9A-F]{4})([0-9A-F]{4})>\] TJ",
            rb"/Span <</ActualText <%s>>> BDC [<\1>] TJ EMC [<\2>] TJ" % said,
        )

    return changed


jpeg_cut_in_half = jpeg(lambda data: data[: len(data) // 2])
jpeg_without_its_content = jpeg(lambda data: data[:100])
jpeg_that_is_none = jpeg(lambda _: b"\xff\xd8none")
jpeg_of_fillers = jpeg(lambda _: b"\xff\xd8" + b"\xff" * 100_000)
jpeg_of_other_height = jpeg(of_other_height)
letter_read_as_a_word = read_as("Lies")
text_read_as_one_letter = fault(replaced, rb"(\[<[0-9A-F]{8}>\] TJ)", rb"/Span <</ActualText <FEFF004F>>> BDC \1 EMC")


def maps_of_seven_numbers(pdf: Pdf) -> None:
    for form in forms(pdf):
        form.Matrix = Array([1, 0, 0, 1, 0, 30, 0])


numbers_that_run_together = fault(after, 1, "q 1 0 0 1 0-0 cm Q")


def other_mode_of_overprinting(pdf: Pdf) -> None:
    pdf.pages[0].Resources.ExtGState.Overprint.OPM = 0


# --- twelve cards on other sheets -----------------------------------------------------------------------------------


def not_turned(pdf: Pdf) -> None:
    back = face(pdf, 2, 2)
    upright = re.sub(r"-1 0 0 -1 (\S+) (\S+) cm", "1 0 0 1 136.75 192.95 cm", back)
    assert upright != back
    rewritten(pdf, 2, (back, upright))


turned_and_should_not_be = fault(rewritten, 2, ("1 0 0 1 9.75 15.15 cm", "-1 0 0 -1 73.25 104.05 cm"))


def moved_beside_the_fold(pdf: Pdf) -> None:
    back = face(pdf, 1, -1)
    place = re.search(r"(\S+) (\S+) cm", back)
    assert place
    rewritten(pdf, 1, (back, back.replace(place[0], f"{place[1]} {float(place[2]) + 0.02:.4f} cm")))


def not_corrected(pdf: Pdf) -> None:
    """The last page is drawn as if the printer were true."""
    drawn = pdf.pages[3].Contents.read_bytes()
    first, rest = drawn.split(b" cm\n", 1)
    assert first != pdf.pages[0].Contents.read_bytes().split(b" cm\n", 1)[0]
    pdf.pages[3].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes().split(b" cm\n", 1)[0] + b" cm\n" + rest)


def backs_named_for_each_other(pdf: Pdf) -> None:
    rewritten(pdf, 1, ("(bee)", "(cow)"), ("(cat)", "(bee)"))
    rewritten(pdf, 1, ("(cow)", "(cat)"))
