"""Preflight: each fault that is put into a file is found, by code, pages and facts; what no file can show, out/README.md says.

The faults are of the kinds that PDF/X-1a:2003 and PDF/X-4 (ISO 15930-4 and -7), PDF/A-2b (ISO 19005-2) and print shops
have something against.
"""

import re
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, String

from render.base.findings import Diagnostic, Severity
from render.shops.preflight.document import preflight_as
from tests.support.pdf_faults import (
    SHADING,
    TRANSPARENT,
    Fault,
    another_file,
    backs_exchanged,
    changed,
    drawn_picture,
    draws,
    embedded,
    font,
    font_of,
    in_a_form,
    info,
    intent,
    jpeg,
    looking,
    lzw,
    no_bleed,
    no_condition,
    no_font_file,
    no_intent,
    no_trim_box,
    noted,
    on_front,
    other_font,
    page,
    page_missing,
    page_of_another_file,
    pages_swapped,
    picture,
    profile,
    resource,
    root,
    script,
    shading,
    state,
    text,
    tint,
    two_intents,
    xmp,
)
from tests.support.repository import ROOT

BLEND: dict[str, Any] = {"FunctionType": 2, "Domain": Array([0, 1]), "N": 1}
MM = 72 / 25.4


def profile_elsewhere(one: pikepdf.Object) -> None:
    """Name a profile in another file in place of the one within."""
    one["/DestOutputProfileRef"] = Dictionary()
    del one["/DestOutputProfile"]


X_1A_FAULTS: dict[str, tuple[str, Fault]] = {
    "no output intent": ("F010 0 `GTS_PDFX`", no_intent),
    "two output intents": ("F010 2 `GTS_PDFX`", two_intents),
    "a profile of RGB": ("F010 `prtr` `RGB` `prtr` `CMYK`", profile(16, b"RGB ")),
    "a profile of a screen": ("F010 `mntr` `CMYK` `prtr` `CMYK`", profile(12, b"mntr")),
    "a profile that is none": ("F010", profile(36, b"acsq")),
    "no name of the condition": ("F010", intent(no_condition)),
    "no key of the standard": ("F005 2003 `GTS_PDFXVersion`", info("GTS_PDFXVersion", None)),
    "another standard": ("F005 2003 `GTS_PDFXVersion`", info("GTS_PDFXVersion", String("PDF/X-3:2003"))),
    "no title": ("F005 `Title`", info("Title", None)),
    "no date": ("F005 `ModDate`", info("ModDate", None)),
    "not known whether trapped": ("F005 `Trapped`", info("Trapped", Name.Unknown)),
    "nothing about trapping": ("F005 `Trapped`", info("Trapped", None)),
    "a later version in the catalogue": ("F005 1.7 2003 1.4", root("Version", Name("/1.7"))),
    "no trim box": ("F020 page 1", no_trim_box),
    "a trim box and an art box": ("F020 page 1", page(ArtBox=Array([10, 10, 20, 20]))),
    "a trim box outside of the page": ("F020 page 1; F020 page 1", page(TrimBox=Array([-9, 9, 189, 261]))),
    "a trim box outside of the bleed box": (
        "F020 page 1; F020 page 1 3.88 3.88 31.40 56.80",
        page(BleedBox=Array([20, 20, 100, 100])),
    ),
    "a crop box that cuts": ("F020 page 1", page(CropBox=Array([20, 20, 100, 100]))),
    "a rotated page": ("F020 page 1 90", page(Rotate=90)),
    "another unit": ("F020 page 1", page(UserUnit=2)),
    "another page size": (
        "F024 page 1 70.56 95.25 69.85 95.25; F024 page 1 3.88 3.175",
        page(MediaBox=Array([0, 0, 200, 270])),
    ),
    "no room for the bleed": ("F024 page 1 0.00 3.175", no_bleed),
    "front before back": ("F024 page 1; F024 page 2; F070 warning pages 1 and 4 3 4", pages_swapped),
    "a page less": ("F024 3 2; F070 warning page 2 3 4", page_missing),
    "the back of another card": ("F024 pages 1-4", backs_exchanged),
    "an RGB fill": ("F030 page 1 RGB `rg`", draws("1 0 0 rg 0 0 5 5 re f")),
    "an RGB line": ("F030 page 1 RGB `RG`", draws("1 0 0 RG 0 0 m 5 5 l S")),
    "an RGB space": ("F030 page 1 RGB `cs`; F030 page 1 RGB `sc`", draws("/DeviceRGB cs 1 0 0 sc 0 0 5 5 re f")),
    "an RGB fill in a form in a form": ("F030 page 2 RGB `rg`", in_a_form("1 0 0 rg 0 0 5 5 re f")),
    "a spot color over RGB": (
        "F030 page 1 RGB `cs`; F030 page 1 RGB `scn`; F030 page 1 `Gold`",
        tint("Gold", "DeviceRGB", "/Spot cs 0.5 scn 0 0 5 5 re f"),
    ),
    "an RGB shading": (
        "F030 page 1 RGB",
        lambda pdf: pdf.pages[0].add_resource(Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB), Name.Shading),
    ),
    "an RGB inline picture": ("F030 page 1 RGB", draws("BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI")),
    "an RGB picture": ("F030 page 1 RGB", picture(b"\0\0\0", ColorSpace=Name.DeviceRGB)),
    "an indexed RGB picture": (
        "F030 page 1 RGB",
        picture(b"\0", ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 0, String(b"\0\0\0")])),
    ),
    "registration black": ("F032 page 1 `k` 400", draws("1 1 1 1 k 0 0 5 5 re f")),
    "a line of too much ink": ("F032 page 2 `K` 270", in_a_form("0.9 0.9 0.9 0 K 0 0 m 5 5 l S")),
    "too much ink by another operator": ("F032 page 1 `scn` 250", draws("/DeviceCMYK cs 1 1 0.5 0 scn 0 0 5 5 re f")),
    "ink on all plates": ("F032 page 1 `scn` 400", tint("All", "DeviceCMYK", "/Spot cs 1 scn 0 0 5 5 re f")),
    "a picture of too much ink": ("F032 page 1 300", picture(b"\xff\xff\xff\0", ColorSpace=Name.DeviceCMYK)),
    "a palette of too much ink": (
        "F032 page 1 300",
        picture(b"\0", ColorSpace=Array([Name.Indexed, Name.DeviceCMYK, 0, String(b"\xff\xff\xff\0")])),
    ),
    "a CMYK picture turned inside out": (
        "F032 page 1 400",
        picture(b"\0\0\0\0", ColorSpace=Name.DeviceCMYK, Decode=Array([1, 0] * 4)),
    ),
    "a shading of ink": ("F032 unsure page 1", lambda pdf: pdf.pages[0].add_resource(SHADING, Name.Shading)),
    "a soft mask on a picture": ("F041 page 1", picture(b"\0", ColorSpace=Name.DeviceGray, SMask=b"\0")),
    "a soft mask": ("F041 page 1", state(SMask=Dictionary(S=Name.Luminosity))),
    "half opaque": ("F041 page 1", state(ca=0.5)),
    "half opaque lines": ("F041 page 1", state(CA=0.5)),
    "a blend": ("F041 page 1 `Multiply`", state(BM=Name.Multiply)),
    "a transparency group": ("F041 page 1", page(Group=TRANSPARENT)),
    "a font that is not embedded": ("F042 warning page 1 `Helvetica`", other_font),
    "a font whose file is gone": ("F042 pages 2 and 4 `DejaVuSans`", no_font_file),
    "layers": ("F041", root("OCProperties", Dictionary(OCGs=Array([])))),
    "a link": ("F051 page 1 `Link`", page(Annots=Array([Dictionary(Type=Name.Annot, Subtype=Name.Link)]))),
    "an action on opening": ("F051 `OpenAction`", root("OpenAction", Dictionary(S=Name.Print))),
    "JavaScript": ("F051", script),
    "LZW": ("F052", lzw),
    "a stream in another file": ("F052", another_file),
    "a page of another file": ("F052", page_of_another_file),
    "PostScript": ("F052 page 1", picture(b"", Subtype=Name.PS)),
    "a transfer curve": ("F052 page 1", state(TR=Name.Identity)),
    "JPEG 2000": ("F052 2000; F032 unsure page 1", picture(b"jp2", Filter=Name.JPXDecode, ColorSpace=Name.DeviceCMYK)),
    "JBIG2": ("F052", picture(b"jb2", Filter=Name.JBIG2Decode, ColorSpace=Name.DeviceGray, BitsPerComponent=1)),
    "LZW in an inline picture": ("F001 page 1; F052 page 1", draws("BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID abc EI")),
    "another space in the place of CMYK": (
        "F030 page 1 CalRGB `DefaultCMYK`",
        resource(Name.ColorSpace, Array([Name.CalRGB, Dictionary(WhitePoint=Array([1, 1, 1]))]), Name.DefaultCMYK),
    ),
    "another space in the place of grey": (
        "F030 page 1 CalGray `DefaultGray`",
        resource(Name.ColorSpace, Array([Name.CalGray, Dictionary(WhitePoint=Array([1, 1, 1]))]), Name.DefaultGray),
    ),
    "Lab": ("F030 page 1 Lab", picture(b"abc", ColorSpace=Array([Name.Lab, Dictionary(WhitePoint=Array([1, 1, 1]))]))),
    "a pattern over RGB": (
        "F030 page 1 RGB `cs`",
        lambda pdf: (
            pdf.pages[0].add_resource(Array([Name.Pattern, Name.DeviceRGB]), Name.ColorSpace, Name.Tiles),
            draws("/Tiles cs")(pdf),
        ),
    ),
    "16 bits for a color": (
        "F005 page 1 16 1.5; F032 unsure page 1",
        picture(bytes(8), ColorSpace=Name.DeviceCMYK, BitsPerComponent=16),
    ),
    "fewer data than pixels": ("F037 page 1 3 4", picture(b"abc", ColorSpace=Name.DeviceCMYK)),
    "three bits for a color": ("F037 page 1 3", picture(b"abc", ColorSpace=Name.DeviceGray, BitsPerComponent=3)),
    "an unknown intent of a picture": (
        "F052 page 1 `Pretty`",
        picture(b"a", ColorSpace=Name.DeviceGray, Intent=Name.Pretty),
    ),
    "an unknown intent": ("F052 page 1 `Pretty`", draws("/Pretty ri")),
    "PostScript in the content": ("F052 page 1 `PS`", draws("(x) PS")),
    "an unknown operator": ("F052 page 1 `glow`", draws("BX 1 2 glow EX")),
    "broken content": ("F001 page 1; F001", draws("0 0 m ] l")),
    "a default transfer curve that is none": ("F052 page 1", state(TR2=Name.Identity)),
    "a halftone with a transfer curve": (
        "F052 page 1",
        state(HT=Dictionary(Type=Name.Halftone, HalftoneType=1, TransferFunction=Name.Identity)),
    ),
    "an alternate picture": ("F052 page 1", picture(b"a", ColorSpace=Name.DeviceGray, Alternates=Array([]))),
    "a part of the page for printing": (
        "F052 `PrintArea`",
        root("ViewerPreferences", Dictionary(PrintArea=Name.TrimBox)),
    ),
    "a field": ("F051 `AcroForm`", root("AcroForm", Dictionary(Fields=Array([])))),
    "actions of the file": ("F051 `AA`", root("AA", Dictionary())),
    "actions of a page": ("F051 page 1 `AA`", page(AA=Dictionary())),
    "another file within": ("F051", embedded("a.txt", b"words")),
    "a printer's mark within the trim": ("F051 page 1 `PrinterMark`", noted(Subtype=Name.PrinterMark)),
    "a profile of fewer channels than it says": ("F010", intent(lambda one: one.DestOutputProfile.update({"/N": 3}))),
    "a profile that is cut off": (
        "F010",
        intent(lambda one: one.DestOutputProfile.write(one.DestOutputProfile.read_bytes()[:400])),
    ),
    "a profile in another file": ("F010", intent(profile_elsewhere)),
    "a blend of too much ink": (
        "F032 page 1 300",
        shading(
            ShadingType=2,
            ColorSpace=Name.DeviceCMYK,
            Coords=Array([0, 0, 9, 0]),
            Function=Dictionary(**BLEND, C0=Array([0, 0, 0, 0]), C1=Array([1, 1, 1, 0])),
        ),
    ),
    "a JPEG of too much ink": (
        "F032 page 1 302",
        drawn_picture(
            jpeg("CMYK", (255, 255, 200, 60)),
            32,
            32,
            "7 0 0 7 40 40",
            Filter=Name.DCTDecode,
            ColorSpace=Name.DeviceCMYK,
            Decode=Array([1, 0] * 4),
        ),
    ),
    "an RGB JPEG": (
        "F030 page 1 RGB",
        drawn_picture(
            jpeg("RGB", (9, 9, 9)), 32, 32, "7 0 0 7 40 40", Filter=Name.DCTDecode, ColorSpace=Name.DeviceRGB
        ),
    ),
    "a spot color": ("F030 page 1 `Gold`", tint("Gold", "DeviceCMYK", "/Spot cs 0.5 scn 0 0 5 5 re f")),
    "type of 2 pt": ("F070 warning pages 2 and 4 2 4", text(2, 90, 130)),
    "type of 4.5 pt in three inks": ("F070 warning page 2 4.5 5", text(4.5, 90, 130, "0 1 1 0.2 k")),
    "white type of 4.5 pt on black": (
        "F070 warning page 2 4.5 5",
        lambda pdf: (on_front("0 0 0 1 k 80 120 40 30 re f")(pdf), text(4.5, 90, 130, "0 0 0 0 k")(pdf))[1],
    ),
    "a line of 0.05 mm": ("F070 warning page 2 0.05 0.1", on_front(f"{0.05 * MM:.4f} w 60 60 m 90 90 l S")),
    "a line as thin as can be": ("F070 warning page 2 0 0.1", on_front("0 w 60 60 m 90 90 l S")),
    "a strip of 0.05 mm": ("F070 warning page 2 0.049 0.1", on_front("60 60 40 0.14 re f")),
    "type across the trim": ("F070 page 2 0.75", text(9, 186, 130)),
    "type next to the trim": ("F070 warning page 2 0.91 3.17", text(9, 11, 130)),
    "a border next to the trim": ("F070 warning page 2 1.06 3.17", on_front("0.5 w 12 12 174 246 re S")),
    "a border on the trim": ("F070 warning page 2", on_front("0.5 w 9 9 180 252 re S")),
    "a line across the trim": ("F070 warning page 2", on_front("1 w 3 100 m 40 120 l S")),
    "a picture of 60 dpi": (
        "F070 warning page 1 60 300",
        drawn_picture(bytes(30 * 30 * 4), 30, 30, "36 0 0 36 40 40", ColorSpace=Name.DeviceCMYK),
    ),
    "no bleed box": ("F020 warning page 1", lambda pdf: pdf.pages[0].obj.__delitem__("/BleedBox")),
    "an uneven trim": (
        "F020 page 1 2.12 3.17 4.23 3.17; F024 page 1 2.12 3.175",
        page(TrimBox=Array([6, 9, 186, 261])),
    ),
    "a script of a bookmark": (
        "F051 `JavaScript`",
        root(
            "Outlines", Dictionary(First=Dictionary(Title=String("a"), A=Dictionary(S=Name.JavaScript, JS=String("x"))))
        ),
    ),
    "a font program that is none": (
        "F042 unsure pages 2 and 4 `DejaVuSans`",
        lambda pdf: font_of(pdf).FontDescriptor.FontFile2.write(b"no font"),
    ),
    "a glyph that is missing": (
        "F042 warning pages 2 and 4 `DejaVuSans`",
        lambda pdf: font_of(pdf).update({"/CIDToGIDMap": pdf.make_stream(bytes(60_000))}),
    ),
    "a font that is not there": ("F001 page 1 `None`", draws("BT /None 9 Tf 9 9 Td (a) Tj ET")),
    "a form that is not there": ("F001 page 1 `None`", draws("/None Do")),
    "a state that is not there": ("F001 page 1 `None`", draws("/None gs")),
    "a shading that is not there": ("F001 page 1 `None`", draws("/None sh")),
    "a pattern that is not there": ("F001 page 1 `None`", draws("/Pattern cs /None scn 0 0 5 5 re f")),
    "a form that is not there, in a form": ("F001 page 2 `None`", in_a_form("/None Do")),
    "a date that is none": ("F005 `CreationDate` `yesterday`", info("CreationDate", String("yesterday"))),
}


X_4_FAULTS: dict[str, tuple[str, Fault]] = {
    "no word of the standard": ("F005 `pdfxid:GTS_PDFXVersion`", xmp(b">PDF/X-4<", b">PDF/X<")),
    "the partial standard": ("F005 `pdfxid:GTS_PDFXVersion`", xmp(b">PDF/X-4<", b">PDF/X-4p<")),
    "no metadata": (
        "F005 `pdfxid:GTS_PDFXVersion`; F005 warning `xmpMM:DocumentID`; F005 warning `xmpMM:RenditionClass`; F005 warning `xmpMM:VersionID`",
        lambda pdf: pdf.Root.__delitem__("/Metadata"),
    ),
    "no version of the document": ("F005 warning `xmpMM:VersionID`", xmp(b"xmpMM:VersionID", b"xmpMM:Other")),
    "not known whether trapped": ("F005 `Trapped`", xmp(b"<pdf:Trapped>False", b"<pdf:Trapped>Unknown")),
    "RGB of the device": ("F030 page 1 RGB `rg`", draws("1 0 0 rg 0 0 5 5 re f")),
    "a profile of other channels": (
        "F030 page 1 `prtr` `CMYK`; F037 page 1 1 3",
        lambda pdf: picture(b"a", ColorSpace=Array([Name.ICCBased, _profile(pdf, 3)]))(pdf),
    ),
    "no profile": ("F010", intent(lambda one: one.__delitem__("/DestOutputProfile"))),
    "a blend that PDF does not have": ("F041 page 1 `Glow`", state(BM=Name.Glow)),
    "a link": ("F051 page 1 `Link`", noted(Subtype=Name.Link)),
    "JavaScript": ("F051", script),
    "two sizes": ("F024 2 56.4 88.9 63.5 88.9", lambda pdf: _smaller(pdf.pages[1])),
    "an uneven trim": (
        "F020 page 1 1.76 3.00 4.24 3.00; F024 page 1 1.76 3; F070 warning page 1 1.95 3",
        page(TrimBox=Array([5, 8.504, 185, 260.5])),
    ),
    "too little bleed": ("F024 page 1 0.70 3; F024 2 63.5 88.9 68.1 93.5", page(TrimBox=Array([2, 2, 195.01, 267.01]))),
    "states without end": ("F052 page 1 28 `q`", draws("q " * 40 + "Q " * 40)),
}

A_2B_FAULTS: dict[str, tuple[str, Fault]] = {
    "no claim": ("F005 `pdfaid:part`", xmp(b"<pdfaid:part>2", b"<pdfaid:part>9")),
    "another level": ("F005 `pdfaid:conformance`", xmp(b"<pdfaid:conformance>B", b"<pdfaid:conformance>Z")),
    "properties that are not described": (
        "F005 `my`",
        xmp(b"<xmp:CreatorTool>", b'<my:own xmlns:my="urn:my">1</my:own><xmp:CreatorTool>'),
    ),
    "a packet that says its length": (
        "F005",
        xmp(b'<?xpacket begin="\xef\xbb\xbf" ', b'<?xpacket begin="\xef\xbb\xbf" bytes="99" '),
    ),
    "no intent": ("F010", no_intent),
    "colors of a press": ("F030 page 1 CMYK `k`", draws("0 0 0 1 k 0 0 5 5 re f")),
    "a picture for a press": ("F030 page 1 CMYK", picture(bytes(4), ColorSpace=Name.DeviceCMYK)),
    "a smoothed picture": ("F037 page 1", picture(b"a", ColorSpace=Name.DeviceGray, Interpolate=True)),
    "a smoothed inline picture": ("F037 page 1", draws("BI /W 1 /H 1 /BPC 8 /CS /G /I true ID a EI")),
    "no map of glyphs": (
        "F042 pages 1 and 3 `DejaVuSans` `CIDToGIDMap`",
        font(lambda one: one.__delitem__("/CIDToGIDMap")),
    ),
    "other widths": (
        "F042 pages 1 and 3 `DejaVuSans` 636 321",
        font(lambda one: one.update({"/W": Array([0, 20_000, 321])})),
    ),
    "a missing glyph": (
        "F042 pages 1 and 3 `DejaVuSans`",
        lambda pdf: font_of(pdf).update({"/CIDToGIDMap": pdf.make_stream(bytes(60_000))}),
    ),
    "a map of characters that is not there": (
        "F042 pages 1 and 3 `DejaVuSans` `MyOwn-H`",
        lambda pdf: font_of(pdf, "/Type0").update({"/Encoding": Name("/MyOwn-H")}),
    ),
    "a font that is not embedded": (
        "F042 pages 1 and 3 `DejaVuSans`",
        lambda pdf: font_of(pdf).FontDescriptor.__delitem__("/FontFile2"),
    ),
    "LZW": ("F052", lzw),
    "a stream in another file": ("F052", another_file),
    "an action": ("F051 `Launch`", root("OpenAction", Dictionary(S=Name.Launch, F=String("a.exe")))),
    "an action behind another": (
        "F051 `JavaScript`",
        root("OpenAction", Dictionary(S=Name.GoTo, Next=Dictionary(S=Name.JavaScript, JS=String("x")))),
    ),
    "several actions behind another": (
        "F051 `JavaScript`",
        root("OpenAction", Dictionary(S=Name.GoTo, Next=Array([Dictionary(S=Name.JavaScript, JS=String("x"))]))),
    ),
    "a note that looks CMYK": ("F030 page 1 CMYK `k`", looking("1 0 0 0 k 0 0 9 9 re f")),
    "a note in a font that is not there": ("F001 page 1 `None`", looking("BT /None 9 Tf (a) Tj ET")),
    "a form that is not there": ("F001 page 1 `None`", draws("/None Do")),
    "a link that starts a program": (
        "F051 page 1 `Launch`",
        noted(Subtype=Name.Link, F=4, A=Dictionary(S=Name.Launch, F=String("a.exe"))),
    ),
    "a hidden note": ("F051 page 1 `Link`", noted(Subtype=Name.Link, F=6)),
    "a note that is not printed": ("F051 page 1 `Link`", noted(Subtype=Name.Link, F=0)),
    "a note that says not how it looks": ("F051 page 1 `Square`", noted(Subtype=Name.Square, F=4)),
    "a film": ("F051 page 1 `Movie`; F051 page 1 `Movie`", noted(Subtype=Name.Movie, F=4)),
    "a form of another kind": ("F051 `XFA`", root("AcroForm", Dictionary(Fields=Array([]), XFA=String("x")))),
    "fields that the reader draws": (
        "F051 `NeedAppearances`",
        root("AcroForm", Dictionary(Fields=Array([]), NeedAppearances=True)),
    ),
    "another file that is no archive": ("F051", embedded("a.txt", b"words")),
    "actions of the file": ("F051 `AA`", root("AA", Dictionary())),
    "demands on the reader": ("F051 `Requirements`", root("Requirements", Array([]))),
    "a bookmark that starts a program": (
        "F051 `Launch`",
        root("Outlines", Dictionary(First=Dictionary(Title=String("a"), A=Dictionary(S=Name.Launch)))),
    ),
    "rights": ("F051 `Perms`", root("Perms", Dictionary(Other=Dictionary()))),
    "layers that switch themselves": (
        "F041 `AS`",
        root("OCProperties", Dictionary(OCGs=Array([]), D=Dictionary(Name=String("a"), AS=Array([])))),
    ),
    "layers without a name": ("F041", root("OCProperties", Dictionary(OCGs=Array([]), D=Dictionary()))),
    "a transfer curve": ("F052 page 1", state(TR=Name.Identity)),
    "a blend that PDF does not have": ("F041 page 1 `Glow`", state(BM=Name.Glow)),
    "an unknown operator": ("F052 page 1 `glow`", draws("BX 1 glow EX")),
    "an unknown intent": ("F052 page 1 `Pretty`", draws("/Pretty ri")),
    "an alternate picture": ("F052 page 1", picture(b"a", ColorSpace=Name.DeviceGray, Alternates=Array([]))),
    "a page of another file": ("F052", page_of_another_file),
    "PostScript": ("F052 page 1", picture(b"", Subtype=Name.PS)),
    "a page of 2 points": ("F020 page 1; F020 page 1; F052 page 1", page(MediaBox=Array([0, 0, 2, 2]))),
    "a profile of a camera": ("F010 `scnr` `RGB` `mntr` `RGB`", profile(12, b"scnr")),
}


def _profile(pdf: Pdf, channels: int) -> pikepdf.Object:
    stream = pdf.make_stream(pdf.Root.OutputIntents[0].DestOutputProfile.read_bytes())
    stream.N = channels
    return stream


def _smaller(one: pikepdf.Page) -> None:
    for name in ("MediaBox", "BleedBox", "TrimBox"):
        left, bottom, right, top = (float(value) for value in one.obj[f"/{name}"])
        one.obj[f"/{name}"] = Array([left, bottom, right - 20, top])


ALL = [
    *(("drivethrucards", "1.4", name, *each) for name, each in X_1A_FAULTS.items()),
    *(("pdf-x4", "1.6", name, *each) for name, each in X_4_FAULTS.items()),
    *(("pdf-a2b", "1.7", name, *each) for name, each in A_2B_FAULTS.items()),
]


@pytest.fixture(scope="session")
def clean(made: dict[str, bytes]) -> dict[str, set[tuple[str, str]]]:
    """What is found in the files as they are: their credits are small."""
    return {shop: {(each.code, each.message) for each in preflight_as(data, shop)} for shop, data in made.items()}


@pytest.mark.parametrize("shop", ["drivethrucards", "pdf-x4", "pdf-a2b"])
def test_without_a_fault_nothing_is_found_but_small_type(made: dict[str, bytes], shop: str) -> None:
    assert {finding.code for finding in preflight_as(made[shop], shop)} <= {"F070"}


_WORDS = re.compile(r"`[^`]*`|(?<![\w./-])\d+(?:\.\d+)?(?!\w)|\b(?:RGB|CMYK|Lab|CalRGB|CalGray)\b")


def facts(found: list[Diagnostic]) -> str:
    """Return findings as codes, pages and facts: what messages put in backticks, numbers, and colors."""
    lines = []
    for each in found:
        pages, colon, message = (
            each.message.partition(": ") if each.message.startswith("page") else ("", "", each.message)
        )
        pages, message = (pages, message) if colon else ("", each.message)
        severity = {Severity.ERROR: "", Severity.WARNING: "warning", Severity.UNSURE: "unsure"}[each.severity]
        words = [] if message.startswith("the file is damaged") else _WORDS.findall(message)  # those are qpdf's
        lines.append(" ".join(filter(None, (each.code, severity, pages, *words))))
    return "; ".join(lines)


def test_the_reference_counts_the_faults() -> None:
    readme = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    assert f"each of {len(ALL)} seeded faults" in readme
    assert len(ALL) > 83


@pytest.mark.parametrize("one", ALL, ids=[f"{one[0]}: {one[2]}" for one in ALL])
def test_each_seeded_fault_is_found(
    made: dict[str, bytes], clean: dict[str, set[tuple[str, str]]], one: tuple[str, str, str, str, Fault]
) -> None:
    shop, version, _, expected, seed = one
    found = preflight_as(changed(made[shop], seed, version), shop)
    new = [each for each in found if (each.code, each.message) not in clean[shop]]
    assert facts(new) == expected


@pytest.mark.parametrize(
    ("shop", "seed", "message"),
    [
        ("drivethrucards", draws("/None Do"), "page 1: what it draws is damaged: there is no form or picture `None`"),
        ("pdf-x4", draws("BT /None 9 Tf ET"), "page 1: what it draws is damaged: there is no font `None`"),
        ("drivethrucards", info("ModDate", String("2025")), "`ModDate` in the Info dictionary is no date: `2025`"),
    ],
)
def test_what_is_not_there_is_named(made: dict[str, bytes], shop: str, seed: Fault, message: str) -> None:
    version = {"drivethrucards": "1.4", "pdf-x4": "1.6"}[shop]
    assert message in {each.message for each in preflight_as(changed(made[shop], seed, version), shop)}


@pytest.mark.parametrize("date", ["D:2025", "D:20250102030405Z", "D:20250102030405+01'00'", "D:20250102030405-08'30"])
def test_dates_are_taken_as_programs_write_them(made: dict[str, bytes], date: str) -> None:
    data = changed(made["drivethrucards"], info("CreationDate", String(date)))
    assert "F005" not in {each.code for each in preflight_as(data, "drivethrucards")}


def test_objects_that_are_packed_together_are_too_new_for_x_1a(made: dict[str, bytes]) -> None:
    out = BytesIO()
    with Pdf.open(BytesIO(made["drivethrucards"])) as pdf:
        pdf.save(out, object_stream_mode=ObjectStreamMode.generate)
    messages = [each.message for each in preflight_as(out.getvalue(), "x-1a")]
    assert "its objects are packed together in streams, which PDF 1.5 brought" in messages


@pytest.mark.parametrize(("old", "new"), [(b"%PDF-1.7\n%", b"%PDF-1.7\n "), (b"%PDF-1.7", b"\n%PDF-1.7")])
def test_an_archive_has_the_head_that_it_is_to_have(made: dict[str, bytes], old: bytes, new: bytes) -> None:
    found = preflight_as(made["pdf-a2b"].replace(old, new, 1), "a-2b")
    assert [each.code for each in found if each.message.startswith("its head is not")] == ["F005"]


def test_nothing_follows_the_end_of_an_archive(made: dict[str, bytes]) -> None:
    found = {each.message: each.code for each in preflight_as(made["pdf-a2b"] + b"more", "a-2b")}
    assert found["something follows its end: `%%EOF`"] == "F005"
