"""What people get wrong with fonts, and fonts made to do harm: the exact words, and bounds of time and memory."""

import struct
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates

from render.base import forking, guard
from render.base.findings import Refused
from render.base.limits import FONT, FONT_SETTING, Limits
from render.base.resources import TEMPLATES
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.text.font_book import FontBook
from render.text.font_files import own_opening
from render.text.font_roles import FontRole
from tests.support.font_making import Made, font_bytes, write_font
from tests.support.templates import svg

BROKEN = "get the file again from where it came"


def said(folder: Path, style: str = 'font-family="own"', roles: Sequence[FontRole] = ()) -> list[tuple[str, str, str]]:
    """Return code, message and hint of all findings about a text in the font `own.ttf`."""
    (folder / "tried.svg").write_text(svg(f'<text x="5" y="10" {style}>Abc fi</text>'), encoding="utf-8")
    book = FontBook([folder], roles or [FontRole(name="own", files=("own.ttf",))])
    try:
        lay_out(Templates([folder], [TEMPLATES], fonts=book).get("tried"), {}, lambda _: 1 / 0)  # type: ignore[arg-type,return-value]
    except Refused as refused:
        return [(each.code, each.message, each.hint) for each in refused.findings]
    return []


def changed(content: bytes, at: int, value: bytes) -> bytes:
    return content[:at] + value + content[at + len(value) :]


def _collection(*faces: Made) -> bytes:
    collection, written = TTCollection(), BytesIO()
    collection.fonts = [TTFont(BytesIO(font_bytes(each))) for each in faces]
    collection.save(written)
    return written.getvalue()


def in_record(content: bytes, tag: bytes, field: int, more: int) -> bytes:
    """Return a font in whose record of a table one field has another number: 8 its place, 12 its length."""
    at = content.index(tag, 12) + field
    return changed(content, at, struct.pack(">I", struct.unpack_from(">I", content, at)[0] + more))


def broken_letter(operator: bytes) -> bytes:
    """Return a font with the outlines of PostScript whose `A` is drawn by nothing but this operator."""
    letter = TTFont(BytesIO(COMPACT))["CFF "].cff.topDictIndex[0].CharStrings["u0041"].bytecode
    return changed(COMPACT, COMPACT.index(letter), operator * len(letter))


WHOLE = font_bytes(Made("Own"))
COMPACT = font_bytes(Made("Own", compact=True))
AS_FILE = "get the font as a `.ttf` or `.otf` file"
UNPACK = "unpack it into a `.ttf` or `.otf` file, or get it in that form"
OTHER_FORM = "get the family as `.otf` or `.ttf` files"
OUTLINES = "get a font with outlines, as a `.ttf` or `.otf` file"
LICENSE = "use another font, or ask its maker for a license that allows it, and for the file that goes with it"

Told = tuple[str, str, str]
"""Code, message and hint."""


def damaged(what: str) -> Told:
    return "L004", f"the font `own.ttf` is damaged: {what}", BROKEN


def unusable(what: str, hint: str) -> Told:
    return "L005", f"the font `own.ttf` {what}", hint


def forbidden(what: str) -> Told:
    return "L006", f"the font `own.ttf` forbids that files embed {what}", LICENSE


FILES: dict[str, tuple[Callable[[], bytes], Told]] = {
    "a text": (lambda: b"This is no font.", ("L004", "`own.ttf` is no font", AS_FILE)),
    "nothing": (lambda: b"", ("L004", "`own.ttf` is no font", AS_FILE)),
    "a collection": (
        lambda: b"ttcf" + WHOLE,
        unusable(
            "is a collection of fonts (TTC), which cannot be used",
            "save the face that you need as a `.ttf` or `.otf` file of its own",
        ),
    ),
    "a collection with its faces": (
        lambda: _collection(Made("Own"), Made("Other", "Bold", 700)),
        unusable(
            "is a collection of fonts (TTC), which cannot be used",
            "save the face that you need, `Own Regular` or `Other Bold`, as a `.ttf` or `.otf` file of its own",
        ),
    ),
    "a collection that is cut off": (lambda: b"ttcf\0\1", damaged("one of its tables is cut off")),
    "WOFF": (lambda: b"wOFF" + WHOLE, unusable("is packed for web pages (WOFF), which cannot be used", UNPACK)),
    "WOFF2": (lambda: b"wOF2" + WHOLE, unusable("is packed for web pages (WOFF2), which cannot be used", UNPACK)),
    "Type 1": (lambda: b"%!PS-AdobeFont-1.0", unusable("is a Type 1 font, which cannot be used", OTHER_FORM)),
    "BDF": (lambda: b"STARTFONT 2.1", unusable("is a bitmap font (BDF), which cannot be used", OUTLINES)),
    "pictures": (
        lambda: font_bytes(Made("Own"), {"glyf": None, "loca": None, "sbix": b"\0" * 8}),
        unusable("has pictures in place of outlines", OUTLINES),
    ),
    "no outlines": (lambda: font_bytes(Made("Own"), {"glyf": None, "loca": None}), damaged("it has no outlines")),
    "no widths": (lambda: changed(WHOLE, WHOLE.index(b"hmtx"), b"xmtx"), damaged("its table `hmtx` is missing")),
    "no characters": (
        lambda: font_bytes(Made("Own"), {"cmap": None}),
        unusable("does not say which characters it has (`cmap`)", "get the font with a Unicode character map"),
    ),
    "cut off": (lambda: WHOLE[:-800], damaged("its table `GSUB` reaches beyond the end of the file")),
    "cut off at its head": (lambda: WHOLE[:30], damaged("its table `GSUB` reaches beyond the end of the file")),
    "too many tables": (lambda: changed(WHOLE, 4, b"\xff\xff"), damaged("it says that it has 65535 tables")),
    "outlines that are cut off": (
        lambda: in_record(COMPACT, b"CFF ", 12, -1),
        damaged("no part of it can be embedded in a PDF"),
    ),
    "a head beside its place": (
        lambda: in_record(WHOLE, b"head", 8, 1),
        damaged("no part of it can be embedded in a PDF"),
    ),
    "a head instead of another table": (
        lambda: changed(WHOLE, WHOLE.index(b"OS/2"), b"head"),
        damaged("no part of it can be embedded in a PDF"),
    ),
    "a letter that nobody can draw": (
        lambda: broken_letter(b"\x0a" * 20),
        damaged("letters of it cannot be embedded in a PDF"),
    ),
    "no embedding": (lambda: font_bytes(Made("Own", embedding=2)), forbidden("it")),
    "no subsets": (lambda: font_bytes(Made("Own", embedding=0x108)), forbidden("a part of it")),
    "bitmaps only": (lambda: font_bytes(Made("Own", embedding=0x208)), forbidden("its outlines")),
    "rules of 5 MiB": (
        lambda: font_bytes(Made("Own"), {"GSUB": b"\0" * (5 << 20)}),
        ("L008", "the font `own.ttf` has 5 MiB of rules (`GSUB`), more than 4 MiB", "use another font"),
    ),
    "no height": (
        lambda: font_bytes(
            Made("Own"), {"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, *[0] * 15, 1), "OS/2": None}
        ),
        ("L004", "the font `own.ttf` says that its lines are 0 em high", BROKEN),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_used_is_told_by_name(tmp_path: Path, name: str) -> None:
    content, told = FILES[name]
    (tmp_path / "own.ttf").write_bytes(content())
    assert said(tmp_path) == [told]


DIRECTIONS = "fonts lie in the folder of the set or of its game, as `.ttf` or `.otf` files"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert said(tmp_path) == [("L004", "there is no font `own.ttf`", DIRECTIONS)]
    (tmp_path / "own.ttf").mkdir()
    assert said(tmp_path) == [("L004", "the font `own.ttf` is a folder, not a file", DIRECTIONS)]


def test_a_file_outside_the_folder_is_not_read(tmp_path: Path) -> None:
    write_font(tmp_path / "other" / "a.ttf")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "own.ttf").symlink_to(tmp_path / "other" / "a.ttf")
    copy = "copy the font into the folder"
    message = f"the font `own.ttf` is a link out of the folder, to `{tmp_path}/other/a.ttf`"
    assert said(tmp_path / "set") == [("L004", message, copy)]
    above = [FontRole(name="own", files=("../other/a.ttf",))]
    assert said(tmp_path / "set", roles=above)[0][0] == "L004"


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with (tmp_path / "own.ttf").open("wb") as file:
        file.truncate(FONT.most + 1)
    hint = "leave out the characters that no card needs, with a program for fonts"
    assert said(tmp_path) == [("L004", "the font `own.ttf` is larger than 40 MiB", hint)]


def test_a_family_or_a_style_that_there_is_not(tmp_path: Path) -> None:
    write_font(tmp_path / "fonts" / "a.ttf", Made("Harbor"))
    about = "template `tried`: `font-family` of `<text>`:"
    role = [FontRole(name="title", files=("fonts/a.ttf",))]
    for style, message in (
        ('font-family="Harbour"', "there is no font `Harbour`; did you mean `Harbor`?"),
        ('font-family="Arial"', "there is no font `Arial`; there are `title`, `Harbor` and `DejaVu Sans`"),
        (
            'font-family="Harbor" font-weight="700"',
            "the font `Harbor` has no bold face: add its file, or use another font",
        ),
        (
            'font-family="title" font-style="italic"',
            "the font `title` has no italic face: add its file, or use another font",
        ),
        (
            'font-family="Harbor" font-stretch="condensed" font-style="oblique"',
            "the font `Harbor` has no condensed italic face: add its file, or use another font",
        ),
    ):
        assert said(tmp_path, style, role) == [("T007", f"{about} {message}", "")]


def test_what_a_role_asks_of_a_font_that_does_not_have_it(tmp_path: Path) -> None:
    write_font(tmp_path / "own.ttf", Made("Own"))
    write_font(tmp_path / "v.ttf", Made("Vary", axis=(100, 400, 900)))
    vary = ("v.ttf",)
    no_axes = "leave out `axes` and `instance`, or name a variable font"
    for role, message, hint in (
        (
            FontRole(name="own", files=("own.ttf",), axes=(("wght", 650.0),)),
            "the font `own.ttf` is not variable",
            no_axes,
        ),
        (
            FontRole(name="own", files=vary, axes=(("wgth", 650.0),)),
            "the font `v.ttf` has no axis `wgth`",
            "did you mean `wght`?",
        ),
        (
            FontRole(name="own", files=vary, axes=(("opsz", 9.0),)),
            "the font `v.ttf` has no axis `opsz`",
            "it has `wght from 100 to 900`",
        ),
        (
            FontRole(name="own", files=vary, axes=(("wght", 950.0),)),
            "`wght` of the font `v.ttf` is from 100 to 900, not 950",
            "",
        ),
        (
            FontRole(name="own", files=vary, instance="Heavi"),
            "the font `v.ttf` has no instance `Heavi`",
            "did you mean `Heavy`?",
        ),
    ):
        assert said(tmp_path, roles=[role]) == [("L007", message, hint)]


def test_fall_backs_that_go_in_a_circle(tmp_path: Path) -> None:
    write_font(tmp_path / "own.ttf", Made("Own"))
    roles = [FontRole(name=one, files=("own.ttf",), fallback=(other,)) for one, other in (("own", "b"), ("b", "own"))]
    message = "roles fall back on each other in a circle: `own`, `b` then `own`"
    assert said(tmp_path, roles=roles) == [("L007", message, "leave one of them out")]


# --- fonts made to do harm --------------------------------------------------------------------------------------------


def test_a_letter_of_a_hundred_thousand_points_is_refused(tmp_path: Path) -> None:
    font = TTFont(write_font(tmp_path / "own.ttf", Made("Own")))
    glyph = font["glyf"]["u0041"]
    points = [(number % 400, number * 7 % 600) for number in range(60_000)]
    glyph.coordinates, glyph.endPtsOfContours, glyph.flags = (
        GlyphCoordinates(points),
        [len(points) - 1],
        bytearray([1] * len(points)),
    )
    font.save(tmp_path / "own.ttf")
    ((code, message, hint),) = said(tmp_path)
    assert (code, hint) == ("L008", "use another font")
    assert message.startswith("the glyph 34 of the font `own.ttf` has 6")
    assert message.endswith(" points, which no letter needs")


def test_a_letter_that_reaches_across_the_room_is_refused(tmp_path: Path) -> None:
    font = TTFont(write_font(tmp_path / "own.ttf", Made("Own", em=16)))
    font["glyf"]["u0041"].coordinates = GlyphCoordinates([(0, 0), (0, 32000), (32000, 32000), (32000, 0)])
    font.save(tmp_path / "own.ttf")
    message = "the glyph 34 of the font `own.ttf` reaches 2000 em far, which no letter needs"
    assert said(tmp_path) == [("L008", message, "use another font")]


def test_rules_that_take_too_long_end_in_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    font = TTFont(write_font(tmp_path / "own.ttf", Made("Own")))
    font["GSUB"].table.LookupList.Lookup *= 5000
    font["GSUB"].table.LookupList.LookupCount = 5000
    font["GSUB"].table.FeatureList.FeatureRecord[0].Feature.LookupListIndex = list(range(5000))
    font.save(tmp_path / "own.ttf")
    monkeypatch.setattr(own_opening, "FONT_SETTING", FONT_SETTING._replace(value=0))  # the least that any words take
    own_opening._SPENT.clear()
    hint = "use another font: its rules for ligatures and kerning are made badly, or to do harm"
    begun = process_time()
    assert said(tmp_path) == [("L008", "the font `own.ttf` took more than 0 s to set words", hint)]
    assert process_time() - begun < 5


def test_a_font_whose_file_claims_all_characters_is_read_in_little_memory(tmp_path: Path) -> None:
    # One group of format 12: every code point is the glyph 34.
    groups = struct.pack(">HHIII", 13, 0, 28, 0, 1) + struct.pack(">III", 0, 0x10FFFF, 34)
    cmap = struct.pack(">HHHHI", 0, 1, 3, 10, 12) + groups
    (tmp_path / "own.ttf").write_bytes(font_bytes(Made("Own"), {"cmap": cmap}))
    begun = process_time()
    assert said(tmp_path) == []
    assert process_time() - begun < 2


def test_a_variable_font_that_cannot_be_varied_ends_in_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.ttf").write_bytes(font_bytes(Made("Own", axis=(100, 400, 900)), {"more": bytes(40_000_000)}))
    monkeypatch.setattr(own_opening, "TO_VARY_FONT", Limits(20.0, 60_000_000))  # the instance takes 80 MB
    own_opening._INSTANCES.clear()
    # A worker that is forked from this process has memory that the tests before let go.
    monkeypatch.setattr(forking, "is_single_threaded", lambda: False)
    guard._WORKERS.end()
    message = "the font `own.ttf` cannot be varied within 20 s and 60 MB"
    assert said(tmp_path) == [("L008", message, "use a font of its family that is not variable")]
    own_opening._INSTANCES.clear()
