"""Faults that a file shows by itself: places and backs, what is laid over cards, pages, hints, layers, notes, inks.

They are put into the sheets of the garden (see `whole_sheets`): four slots at 11.5 or 75 across and 16.1 or 105 down,
Rose, Fern and two of Moss on the first sheet, Moss and Wall, which has another back, on the second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pikepdf import Array, Dictionary, Encryption, Name, Object, Pdf, Permissions, Stream, String

from proofs.verified_sheets.faults import after, all_forms, before, drawing, fault, fonts, redrawn
from proofs.verified_sheets.right_sheets import drawn_pictures
from tests.support.sheet_files import face, rewritten

# --- places -----------------------------------------------------------------------------------------------------------


def placed(pdf: Pdf, page: int, number: int, matrix: str) -> None:
    """Draw a face by another matrix."""
    drawn = face(pdf, page, number)
    rewritten(pdf, page, (drawn, re.sub(r"(?<=re W n\n)\S+ \S+ \S+ \S+ \S+ \S+ cm", f"{matrix} cm", drawn, count=1)))


def slotted(pdf: Pdf, page: int, moves: Mapping[int, tuple[str, str]]) -> None:
    """Draw faces, by number, in other slots than they are."""
    content = pdf.pages[page - 1].Contents.read_bytes().decode("latin-1")
    parts = re.split(r"(?<=EMC\n)(?=/Card)", content)
    for number, (here, there) in moves.items():
        moved = parts[number].replace(f"\n{here} ", f"\n{there} ").replace(f"1 {here} cm", f"1 {there} cm")
        assert moved != parts[number]
        parts[number] = moved
    pdf.pages[page - 1].Contents = pdf.make_stream("".join(parts).encode("latin-1"))


LEFT, RIGHT, LOW_LEFT, LOW_RIGHT = "11.5 16.1", "75 16.1", "11.5 105", "75 105"
card_moved = fault(slotted, 1, {1: (RIGHT, "75.05 16.1")})
card_moved_down_within_its_window = fault(placed, 1, 1, "1 0 0 1 75 16.15")
card_scaled = fault(placed, 1, 1, ".998 0 0 .998 75.0635 16.1889")
card_turned_a_little = fault(placed, 1, 1, ".9999985 .001745 -.001745 .9999985 75 16.1")
card_mirrored = fault(placed, 1, 1, "-1 0 0 1 138.5 16.1")
card_turned_about = fault(placed, 1, 1, "-1 0 0 -1 138.5 105")


def _mapped(pdf: Pdf, page: int, matrix: str) -> None:
    before(pdf, page, f"q {matrix} cm")
    after(pdf, page, "Q")


# By 99.8 %, about its middle.
sheet_scaled = fault(_mapped, 1, ".998 0 0 .998 .15 .21")
sheet_moved = fault(_mapped, 1, "1 0 0 1 .05 0")
back_sheet_moved = fault(_mapped, 2, "1 0 0 1 0 -.05")
sheet_turned_a_little = fault(_mapped, 2, ".9999985 .001745 -.001745 .9999985 0 0")


def column_too_far(pdf: Pdf) -> None:
    """As by a gutter that is too wide: the right column is half a mm off, and so are its backs."""
    for page in (1, 2):
        faces = [face(pdf, page, number) for number in range(6)]
        right = {n: x for n, drawn in enumerate(faces) if (x := re.search(r"1 (107 \S+) cm", drawn))}
        slotted_windows(pdf, page, list(right))


def slotted_windows(pdf: Pdf, page: int, numbers: list[int]) -> None:
    """Draw faces half a mm further right."""
    for number in numbers:
        drawn = face(pdf, page, number)
        moved = re.sub(r"(?<=\n)(\S+)(?= \S+ \S+ \S+ re)", lambda at: f"{float(at[0]) + 0.5:g}", drawn)
        moved = re.sub(r"(\S+)(?= \S+ cm)", lambda at: f"{float(at[0]) + 0.5:g}", moved, count=1)
        rewritten(pdf, page, (drawn, moved))


# --- on any sheets ----------------------------------------------------------------------------------------------------


def _shifted(drawn: str, across: float, down: float) -> str:
    """Return what draws a face, and cuts it off, so far elsewhere."""
    return re.sub(
        r"^(\S+) (\S+) (?=\S+ \S+ re W n$)|(?<= )(\S+) (\S+)(?= cm$)",
        lambda at: f"{float(at[1] or at[3]) + across:g} {float(at[2] or at[4]) + down:g}" + (" " if at[1] else ""),
        drawn,
        count=2,
        flags=re.MULTILINE,
    )


def first_face_moved(pdf: Pdf) -> None:
    drawn = face(pdf, 1, 0)
    rewritten(pdf, 1, (drawn, _shifted(drawn, 0.05, 0)))


def last_face_moved(pdf: Pdf) -> None:
    drawn = face(pdf, 1, -1)
    rewritten(pdf, 1, (drawn, _shifted(drawn, 0, -0.05)))


def first_face_lost(pdf: Pdf) -> None:
    rewritten(pdf, 1, (face(pdf, 1, 0), ""))


def white_patch(pdf: Pdf) -> None:
    x, y = map(float, re.findall(r"(\S+) (\S+) cm", face(pdf, 1, 1))[0])
    after(pdf, 1, f"1 g {x + 25:g} {y + 30:g} 3 2 re f")


def letter_for_another(pdf: Pdf) -> None:
    """In the longest run of letters of a face of the first page the third becomes the first."""
    form = max(all_forms(pdf.pages[0].Resources), key=lambda each: len(_longest_run(each)))
    run = _longest_run(form)
    assert run[:4] != run[8:12]
    form.write(form.read_bytes().replace(run, run[:8] + run[:4] + run[12:], 1))


def _longest_run(form: Stream) -> bytes:
    return max(re.findall(rb"<((?:[0-9A-F]{4})+)>", form.read_bytes()), key=len, default=b"")


def fronts_and_backs_exchanged(pdf: Pdf) -> None:
    kids = pdf.Root.Pages.Kids
    kids[0], kids[1] = pdf.pages[1].obj, pdf.pages[0].obj


def back_turned_on_a_fold(pdf: Pdf) -> None:
    """The last face, a back beside the fold, is upside down."""
    drawn = face(pdf, 1, -1)
    x, y = map(float, re.findall(r"(\S+) (\S+) cm", drawn)[0])
    rewritten(pdf, 1, (drawn, re.sub(r"1 0 0 1 \S+ \S+ cm", f"-1 0 0 -1 {x + 63.5:g} {y + 88.9:g} cm", drawn, count=1)))


# --- backs and copies -------------------------------------------------------------------------------------------------


def backs_not_mirrored(pdf: Pdf) -> None:
    moves = {0: (RIGHT, LEFT), 1: (LEFT, RIGHT), 2: (LOW_RIGHT, LOW_LEFT), 3: (LOW_LEFT, LOW_RIGHT)}
    slotted(pdf, 2, moves)


backs_mirrored_about_the_other_axis = fault(slotted, 4, {0: (RIGHT, LOW_LEFT), 1: (LEFT, LOW_RIGHT)})
# The backs of Moss and Wall, which differ, have changed places.
back_behind_the_wrong_front = fault(slotted, 4, {0: (RIGHT, LEFT), 1: (LEFT, RIGHT)})


def backs_drawn_for_each_other(pdf: Pdf) -> None:
    """The same, and each says that it belongs where it is."""
    one, other = (re.findall(r"/\S+ Do", face(pdf, 4, number))[0] for number in (0, 1))
    content = pdf.pages[3].Contents.read_bytes().decode("latin-1")
    content = content.replace(one, "/Kept Do").replace(other, one).replace("/Kept Do", other)
    pdf.pages[3].Contents = pdf.make_stream(content.encode("latin-1"))


def backs_of_two_sheets_exchanged(pdf: Pdf) -> None:
    kids = pdf.Root.Pages.Kids
    kids[1], kids[3] = pdf.pages[3].obj, pdf.pages[1].obj


def fronts_in_place_of_backs(pdf: Pdf) -> None:
    pdf.pages[1].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes())
    pdf.pages[1].Resources = pdf.pages[0].Resources


def back_not_turned(pdf: Pdf) -> None:
    """On a sheet that turns about a level line."""
    drawn = face(pdf, 2, 0)
    matrix = re.search(r"-1 0 0 -1 (\S+) (\S+) cm", drawn)
    assert matrix
    placed(pdf, 2, 0, f"1 0 0 1 {float(matrix[1]) - 63.5:g} {float(matrix[2]) - 88.9:g}")


def copy_too_many(pdf: Pdf) -> None:
    for page, here, there in ((3, LEFT, LOW_LEFT), (4, RIGHT, LOW_RIGHT)):
        moss = face(pdf, page, 0)
        more = moss.replace(f"\n{here} ", f"\n{there} ").replace(f"1 {here} cm", f"1 {there} cm")
        rewritten(pdf, page, (moss, moss + more))


def copy_too_few(pdf: Pdf) -> None:
    for page in (3, 4):
        rewritten(pdf, page, (face(pdf, page, 0), ""))


def bleed_lost_at_an_edge(pdf: Pdf) -> None:
    """A face is cut off at its trim, on its left."""
    drawn = face(pdf, 1, 0)
    window = re.search(r"(\S+) (\S+) (\S+) (\S+) re W n", drawn)
    assert window
    x, y, width, height = map(float, window.groups())
    cut = drawn.replace(window[0], f"{x + 2:g} {y:g} {width - 2:g} {height:g} re W n", 1)
    rewritten(pdf, 1, (drawn, cut))


speck_of_ink_in_the_bleed = fault(after, 1, "0 g 38 40 .5 .5 re f")


# --- marks ------------------------------------------------------------------------------------------------------------

crop_mark_missing = fault(redrawn, 1, "75 12.1 m 75 15.1 l ", "")
crop_mark_moved = fault(redrawn, 1, "75 12.1 m 75 15.1 l", "75.3 12.1 m 75.3 15.1 l")
crop_mark_into_the_card = fault(redrawn, 1, "75 12.1 m 75 15.1 l", "75 12.1 m 75 18.1 l")


def ruler_a_little_short(pdf: Pdf) -> None:
    form = drawing(pdf, 1, "0 g 25 200.45")
    form.write(b".995 0 0 1 .125 0 cm " + form.read_bytes())


def slug_of_another_sheet(pdf: Pdf) -> None:
    drawn = pdf.pages[2].Contents.read_bytes()
    changed = drawn.replace(b"<0057000300150003>", b"<0057000300140003>")
    assert changed != drawn
    pdf.pages[2].Contents = pdf.make_stream(changed)


# --- laid over cards --------------------------------------------------------------------------------------------------


def _state(pdf: Pdf, page: int, **entries: Any) -> None:
    held = pdf.pages[page - 1].Resources
    states = held.get("/ExtGState") or Dictionary()
    states[Name.Added] = Dictionary(Type=Name.ExtGState, **entries)
    held.ExtGState = states


def white_veil_over_a_card(pdf: Pdf) -> None:
    _state(pdf, 1, ca=0.03)
    after(pdf, 1, "q /Added gs 1 g 11.5 16.1 63.5 88.9 re f Q")


def gray_veil_over_a_sheet(pdf: Pdf) -> None:
    _state(pdf, 1, ca=0.03)
    after(pdf, 1, "q /Added gs 0 g 0 0 150 210 re f Q")


def veil_that_multiplies(pdf: Pdf) -> None:
    _state(pdf, 2, BM=Name.Multiply)
    after(pdf, 2, "q /Added gs .97 1 1 rg 11.5 16.1 63.5 88.9 re f Q")


stamp_over_a_card = fault(
    after, 1, "BT .8 0 0 rg /DejaVuSansCondensed 6 Tf 100 Tz .9 -.4 -.4 -.9 20 80 Tm [<0026005200530055>] TJ ET"
)
white_box_over_a_word = fault(after, 1, "1 0.9922 0.9647 rg 27.5 71.3 9 3.6 re f")
line_across_two_cards = fault(after, 1, "0 G .1 w 20 100 m 130 102 l S")


def everything_seen_by_halves(pdf: Pdf) -> None:
    _state(pdf, 2, ca=0.5)
    before(pdf, 2, "/Added gs")


def soft_mask_over_a_sheet(pdf: Pdf) -> None:
    group = pdf.make_stream(b".5 g 0 0 425 300 re f 1 g 0 300 425 300 re f")
    group.Type, group.Subtype, group.BBox = Name.XObject, Name.Form, Array([0, 0, 426, 596])
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    _state(pdf, 2, SMask=Dictionary(S=Name.Luminosity, G=pdf.make_indirect(group)))
    before(pdf, 2, "/Added gs")


# --- pages ------------------------------------------------------------------------------------------------------------


def page_on_its_side(pdf: Pdf) -> None:
    pdf.pages[1].Rotate = 90


def all_pages_upside_down(pdf: Pdf) -> None:
    """By an entry of the page tree, which pages inherit."""
    pdf.Root.Pages.Rotate = 180


def back_upside_down(pdf: Pdf) -> None:
    pdf.pages[1].Rotate = 180


def page_a_little_larger(pdf: Pdf) -> None:
    box = [float(value) for value in pdf.pages[0].MediaBox]
    pdf.pages[0].MediaBox = Array([0, 0, box[2] + 6, box[3] + 6])


def page_that_begins_elsewhere(pdf: Pdf) -> None:
    box = [float(value) for value in pdf.pages[1].MediaBox]
    pdf.pages[1].MediaBox = Array([3, 0, box[2] + 3, box[3]])


def trim_box_too_small(pdf: Pdf) -> None:
    pdf.pages[0].TrimBox = Array([28, 28, 397, 567])


def unit_a_little_larger(pdf: Pdf) -> None:
    for page in pdf.pages:
        page.obj.UserUnit = 1.002


def crop_box_around_the_cards(pdf: Pdf) -> None:
    pdf.pages[0].CropBox = Array([28, 28, 397, 567])


def sheets_in_another_order(pdf: Pdf) -> None:
    kids, pages = pdf.Root.Pages.Kids, [page.obj for page in pdf.pages]
    kids[0], kids[1], kids[2], kids[3] = pages[2], pages[3], pages[0], pages[1]


def page_twice(pdf: Pdf) -> None:
    pdf.pages.insert(2, pdf.pages[0])


def page_missing(pdf: Pdf) -> None:
    del pdf.pages[1]


def blank_page_between(pdf: Pdf) -> None:
    pdf.add_blank_page(page_size=(425, 595))
    last = pdf.pages[-1]
    pdf.pages.insert(1, last)
    del pdf.pages[-1]


# --- how it asks to be printed ----------------------------------------------------------------------------------------


def scaled_as_the_viewer_likes(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.PrintScaling = Name.AppDefault


def all_hints_lost(pdf: Pdf) -> None:
    del pdf.Root.ViewerPreferences


def printed_on_one_side(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.Duplex = Name.Simplex


def turned_on_the_other_edge(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.Duplex = Name.DuplexFlipShortEdge


def only_some_pages_printed(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.PrintPageRange = Array([0, 1])


def printed_twice(pdf: Pdf) -> None:
    pdf.Root.ViewerPreferences.NumCopies = 2


# --- layers -----------------------------------------------------------------------------------------------------------


def _layer(pdf: Pdf, settings: Mapping[str, Any], **entries: Any) -> Object:
    """Add a layer that is set up so in the default state of the file."""
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer"), **entries))
    chosen: dict[str, Any] = {key: Array([layer]) if value == "layer" else value for key, value in settings.items()}
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(Order=Array([layer]), **chosen))
    return layer


def _in_layer(pdf: Pdf, layer: Object) -> None:
    """Let the first card be on the layer."""
    pdf.pages[0].Resources.Properties = Dictionary(Layer=layer)
    drawn = face(pdf, 1, 0)
    rewritten(pdf, 1, (drawn, f"/OC /Layer BDC\n{drawn}EMC\n"))


def _by_event(pdf: Pdf, event: str, usage: Mapping[str, Any], settings: Mapping[str, Any]) -> Object:
    layer = _layer(pdf, settings, Usage=Dictionary({f"/{event}": Dictionary(**usage)}))
    rule = Dictionary(Event=Name(f"/{event}"), Category=Array([Name(f"/{event}")]), OCGs=Array([layer]))
    pdf.Root.OCProperties.D[Name.AS] = Array([rule])
    return layer


def card_on_a_layer_that_is_off(pdf: Pdf) -> None:
    _in_layer(pdf, _layer(pdf, {"OFF": "layer"}))


def card_on_a_layer_of_a_file_that_has_all_off(pdf: Pdf) -> None:
    _in_layer(pdf, _layer(pdf, {"BaseState": Name.OFF}))


def card_that_is_not_printed(pdf: Pdf) -> None:
    """Its layer is seen on the screen, and off when the file is printed."""
    _in_layer(pdf, _by_event(pdf, "Print", {"PrintState": Name.OFF}, {}))


def stamp_that_is_only_printed(pdf: Pdf) -> None:
    """Its layer is off on the screen, and on when the file is printed."""
    layer = _by_event(pdf, "Print", {"PrintState": Name.ON}, {"OFF": "layer"})
    pdf.pages[0].Resources.Properties = Dictionary(Layer=layer)
    after(pdf, 1, "/OC /Layer BDC\n.8 0 0 rg 20 30 30 10 re f\nEMC")


def card_seen_by_an_expression(pdf: Pdf) -> None:
    layer = _layer(pdf, {})
    _in_layer(pdf, pdf.make_indirect(Dictionary(Type=Name.OCMD, VE=Array([Name.Not, layer]))))


def back_drawn_on_a_layer_that_is_off(pdf: Pdf) -> None:
    """The form itself says on which layer it is."""
    drawing(pdf, 2, "/drawing").OC = _layer(pdf, {"OFF": "layer"})


def picture_on_a_layer_that_is_not_printed(pdf: Pdf) -> None:
    drawn_pictures(pdf)[0].OC = _by_event(pdf, "Print", {"PrintState": Name.OFF}, {})


# --- notes laid over pages --------------------------------------------------------------------------------------------


def _note(pdf: Pdf, code: str, **entries: Any) -> None:
    look = pdf.make_stream(code.encode("ascii"), Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 90, 40])
    note = Dictionary(Type=Name.Annot, Rect=Array([60, 400, 150, 440]), AP=Dictionary(N=look), **entries)
    pdf.pages[0].Annots = Array([pdf.make_indirect(note)])


RED = ".8 0 0 rg 0 0 90 40 re f"


def note_over_a_card(pdf: Pdf) -> None:
    _note(pdf, RED, Subtype=Name.Stamp, F=4)


def note_that_is_only_printed(pdf: Pdf) -> None:
    """It is not viewed (32), and printed (4)."""
    _note(pdf, RED, Subtype=Name.Stamp, F=36)


def note_that_is_only_seen(pdf: Pdf) -> None:
    _note(pdf, RED, Subtype=Name.Square, F=0)


def field_of_a_form_over_a_card(pdf: Pdf) -> None:
    _note(pdf, RED, Subtype=Name.Widget, FT=Name.Tx, T=String("Name"), F=4)
    pdf.Root.AcroForm = Dictionary(Fields=Array([pdf.pages[0].Annots[0]]))


# --- what a press does ------------------------------------------------------------------------------------------------


def white_that_vanishes(pdf: Pdf) -> None:
    """All that is white overprints, so that a press leaves it out."""
    _state(pdf, 1, OP=True, op=True, OPM=1)
    after(pdf, 1, "q /Added gs 0 0 0 0 k 20 90 40 8 re f Q")


def faces_that_overprint(pdf: Pdf) -> None:
    _state(pdf, 2, OP=True, op=True, OPM=1)
    before(pdf, 2, "/Added gs")


def marks_in_a_spot_ink(pdf: Pdf) -> None:
    marks = drawing(pdf, 1, "0.1 w 0 J")
    tint = Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[0, 0, 0, 0], C1=[0, 0, 0, 1])
    space = Array([Name.Separation, Name("/Cut"), Name.DeviceCMYK, tint])
    marks.Resources.ColorSpace = Dictionary(Cut=space)
    words = marks.read_bytes()
    changed = re.sub(rb"0 0 0 1 K", b"/Cut CS 1 SCN", words, count=1)
    assert changed != words
    marks.write(changed)


marks_in_four_inks = fault(redrawn, 1, "0 0 0 1 K 0.1 w", "1 1 1 1 K 0.1 w")
screen_colors_for_a_press = fault(after, 1, "1 0 0 rg 20 90 4 4 re f")


def inks_transferred(pdf: Pdf) -> None:
    """A curve of the press inverts all inks."""
    curve = Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[1], C1=[0])
    _state(pdf, 1, TR=pdf.make_indirect(curve))
    before(pdf, 1, "/Added gs")


def colors_of_the_screen_given_another_meaning(pdf: Pdf) -> None:
    space = Array([Name.CalRGB, Dictionary(WhitePoint=Array([0.9505, 1, 1.089]), Gamma=Array([4, 4, 4]))])
    pdf.pages[0].Resources.ColorSpace = Dictionary(DefaultRGB=space)


def other_picture_for_print(pdf: Pdf) -> None:
    one, other = drawn_pictures(pdf)[:2]
    one.Alternates = Array([Dictionary(Image=other, DefaultForPrinting=True)])


def press_of_another_paper(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].OutputConditionIdentifier = String("FOGRA51")


# --- fonts ------------------------------------------------------------------------------------------------------------


def font_left_out(pdf: Pdf) -> None:
    del fonts(pdf)[0].DescendantFonts[0].FontDescriptor.FontFile2


def font_file_cut_short(pdf: Pdf) -> None:
    program = fonts(pdf)[0].DescendantFonts[0].FontDescriptor.FontFile2
    program.write(program.read_bytes()[:1500])


def letters_read_as_nothing(pdf: Pdf) -> None:
    del fonts(pdf)[0].ToUnicode


def letters_read_wrongly(pdf: Pdf) -> None:
    meaning = fonts(pdf)[0].ToUnicode
    words = meaning.read_bytes()
    changed = re.sub(rb"<0048> <0065>", b"<0048> <006F>", words)
    assert changed != words
    meaning.write(changed)


def font_of_three_lines(pdf: Pdf) -> None:
    """A font that is drawn anew by a program of its own: each letter is a box."""
    shape = pdf.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
    drawn = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 500, 700], FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
        CharProcs=Dictionary(box=shape), Encoding=Dictionary(Type=Name.Encoding, Differences=[65, Name("/box")]),
        FirstChar=65, LastChar=65, Widths=[600], Resources=Dictionary(),
    )  # fmt: skip
    pdf.pages[0].Resources.Font[Name("/Box")] = pdf.make_indirect(drawn)
    after(pdf, 1, "BT 0 g /Box 3 Tf 100 Tz 1 0 0 -1 20 100 Tm (AAA) Tj ET")


# --- the file ---------------------------------------------------------------------------------------------------------


def locked_with_a_password(pdf: Pdf) -> Mapping[str, object]:
    return {"encryption": Encryption(owner="owner", user="user")}


def printing_forbidden(pdf: Pdf) -> Mapping[str, object]:
    forbidden = Permissions(print_lowres=False, print_highres=False)
    return {"encryption": Encryption(owner="owner", user="", allow=forbidden)}


def page_of_another_file(pdf: Pdf) -> None:
    form = drawing(pdf, 2, "/drawing")
    form.Ref = Dictionary(F=String("elsewhere.pdf"), Page=0)


def picture_in_another_file(pdf: Pdf) -> None:
    drawn_pictures(pdf)[0].F = String("elsewhere.jpg")


def script_when_it_is_opened(pdf: Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("this.print()"))


def form_of_its_own_program(pdf: Pdf) -> None:
    """A form of the kind XFA, which some viewers show in place of the pages."""
    pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=pdf.make_stream(b"<xdp/>"))


def shown_as_a_folder_of_files(pdf: Pdf) -> None:
    pdf.Root.Collection = Dictionary(Type=Name.Collection, View=Name.H)


def file_cut_short(pdf: Pdf) -> Mapping[str, object]:
    return {"kept": 0.5}
