"""Preflight finds what a print shop would only find on paper, names the pages, and refuses no file for its size."""

import re
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from PIL import Image, ImageCms

from render.base.findings import Severity
from render.shops.preflight.document import preflight_as
from render.shops.preflight.pages import list_pages
from render.shops.preflight.picture_file import preflight_png
from tests.support.pdf_faults import (
    Fault,
    changed,
    drawn_picture,
    font_of,
    jpeg,
    on_front,
    pages_swapped,
    root,
    state,
    text,
)
from tests.support.sets import kotc

VERSIONS = {"drivethrucards": "1.4", "pdf-x4": "1.6", "pdf-a2b": "1.7"}


def tiled(pdf: Pdf) -> None:
    tile = pdf.make_stream(b"0 0 5 5 re f", PatternType=1, PaintType=2, TilingType=1, XStep=9, YStep=9)
    tile.BBox, tile.Resources = Array([0, 0, 9, 9]), Dictionary()
    pdf.pages[1].add_resource(tile, Name.Pattern, Name.Tile)
    pdf.pages[1].add_resource(Array([Name.Pattern, Name.DeviceCMYK]), Name.ColorSpace, Name.Tiles)
    on_front("/Tiles cs 1 1 1 0 /Tile scn 30 30 40 40 re f")(pdf)


def white_overprinted(**entries: Any) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.pages[1].add_resource(Dictionary(**entries), Name.ExtGState, Name.Over)
        on_front("/Over gs 0 0 0 0 k 60 60 40 40 re f")(pdf)

    return seed


def font_cut(pdf: Pdf) -> None:
    file = font_of(pdf).FontDescriptor.FontFile2
    file.write(file.read_bytes()[:-400])


def layer(**entries: object) -> Fault:
    def seed(pdf: Pdf) -> None:
        one = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Gold"))
        usual = Dictionary({f"/{key}": Array([one]) if value is None else value for key, value in entries.items()})
        root("OCProperties", Dictionary(OCGs=Array([one]), D=usual))(pdf)

    return seed


def font_emptied(pdf: Pdf) -> None:
    font_of(pdf).FontDescriptor.FontFile2.write(b"")


def inline_jpeg(pdf: Pdf) -> None:
    words = b"q 7 0 0 7 40 40 cm BI /W 32 /H 32 /BPC 8 /CS /CMYK /F /DCT ID "
    pdf.pages[0].contents_add(pdf.make_stream(words + RGB_JPEG + b"\nEI Q"))


def upside_down(pdf: Pdf) -> None:
    box = [float(value) for value in pdf.pages[1].obj.MediaBox]
    pdf.pages[1].contents_add(f"-1 0 0 -1 {box[2]} {box[3]} cm\n".encode(), prepend=True)


def printed_again(pdf: Pdf) -> None:
    for page in list(pdf.pages)[:2]:
        pdf.pages.append(page)


def picture_of_wide_gamut(pdf: Pdf) -> None:
    profile = pdf.make_stream(wide_gamut())
    profile.N = 3
    space = Array([Name.ICCBased, profile])
    drawn_picture(bytes(32 * 32 * 3), 32, 32, "7 0 0 7 40 40", ColorSpace=space)(pdf)


def called_cmyk(data: bytes, **entries: object) -> Fault:
    """Return the fault of a picture of three components that says it is CMYK."""
    return drawn_picture(data, 32, 32, "7 0 0 7 40 40", ColorSpace=Name.DeviceCMYK, **entries)


def white_text(pdf: Pdf) -> None:
    pdf.pages[1].add_resource(Dictionary(OP=True, OPM=1), Name.ExtGState, Name.Over)
    text(12, 90, 130, "/Over gs 0 0 0 0 k")(pdf)


def wide_gamut() -> bytes:
    """Return the profile of sRGB with red and green of Adobe RGB (1998): their XYZ for D50."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for name, values in ((b"rXYZ", (0.60974, 0.31111, 0.01947)), (b"gXYZ", (0.20528, 0.62567, 0.06087))):
        entry = profile.index(name)
        at = int.from_bytes(profile[entry + 4 : entry + 8]) + 8
        profile[at : at + 12] = b"".join(round(value * 65_536).to_bytes(4) for value in values)
    return bytes(profile)


RGB_JPEG = jpeg("RGB", (9, 9, 9))
SEEDS: list[tuple[str, Fault, str, str]] = [
    ("drivethrucards", tiled, "F032", "page 2: operator `scn` asks for 300 % ink"),
    ("drivethrucards", white_overprinted(OP=True, OPM=1), "F032", "page 2: white overprints, and vanishes"),
    ("pdf-x4", white_overprinted(OP=True, op=True, OPM=1), "F032", "page 2: white overprints, and vanishes"),
    ("pdf-x4", font_cut, "F042", "the program of the font `DejaVuSans` is cut off: its end is missing"),
    ("pdf-x4", layer(OFF=None), "F041", "the layer `Gold` is off"),
    ("pdf-x4", layer(BaseState=Name.OFF), "F041", "the layer `Gold` is off"),
    ("pdf-x4", layer(AS=Array([])), "F041", "layers are switched by whoever shows the file: `AS`"),
    ("pdf-x4", upside_down, "F024", "page 2: a face is upside down"),
    ("pdf-x4", printed_again, "F024", "pages 1 and 5: the front of `one` is printed twice, and 1 is asked for"),
    ("pdf-x4", font_emptied, "F042", "the program of the font `DejaVuSans` is cut off: its end is missing"),
    ("drivethrucards", white_text, "F032", "page 2: white overprints, and vanishes"),
    ("drivethrucards", pages_swapped, "F024", "page 1: the front of a card, not the back"),
    ("pdf-a2b", picture_of_wide_gamut, "F030", "page 1: the profile of colors is not sRGB: a picture"),
    *(
        ("drivethrucards", seed, "F037", f"page 1: {what} has 3 components, and its color space has 4")
        for what, seed in (
            ("a picture", called_cmyk(RGB_JPEG, Filter=Name.DCTDecode)),
            ("a picture", called_cmyk(zlib.compress(RGB_JPEG), Filter=Array([Name.FlateDecode, Name.DCTDecode]))),
            ("an inline picture", inline_jpeg),
        )
    ),
    (
        "drivethrucards",
        called_cmyk(bytes(32 * 32 * 3)),
        "F037",
        "page 1: a picture has 3072 of the 4096 bytes that its pixels take",
    ),
]


@pytest.mark.parametrize(("shop", "seed", "code", "message"), SEEDS, ids=[f"{each[0]}: {each[3]}" for each in SEEDS])
def test_what_passed_in_silence_is_an_error(
    made: dict[str, bytes], shop: str, seed: Fault, code: str, message: str
) -> None:
    found = preflight_as(changed(made[shop], seed, VERSIONS[shop]), shop)
    errors = [(each.code, each.message) for each in found if each.severity is Severity.ERROR]
    assert any(each == code and words.endswith(message) for each, words in errors), errors
    assert not [each for each in found if each.severity is Severity.UNSURE]


def test_what_prints_as_it_looks_raises_no_alarm(made: dict[str, bytes]) -> None:
    for seed in (
        state(OP=True, OPM=1),
        white_overprinted(OP=False, OPM=1),
        white_overprinted(OP=True, op=False, OPM=1),
        white_overprinted(OP=True, OPM=0),
        layer(ON=None, BaseState=Name.OFF),
    ):
        assert {each.code for each in preflight_as(changed(made["pdf-x4"], seed, "1.6"), "pdf-x4")} <= {"F070"}


# --- pictures -------------------------------------------------------------------------------------------------------


def png(**entries: object) -> bytes:
    out = BytesIO()
    Image.effect_noise((80, 120), 90).convert("RGB").save(out, "PNG", **entries)
    return out.getvalue()


def codes_of(data: bytes) -> set[str]:
    return {each.code for each in preflight_png(data, [(80, 120)])}


def test_a_png_that_is_cut_off_anywhere_is_no_picture() -> None:
    whole = png()
    assert codes_of(whole) == set()
    for end in (len(whole) - 1, len(whole) - 12, len(whole) // 2, 40, 33):
        assert codes_of(whole[:end]) == {"F001"}


def test_a_png_with_a_changed_byte_is_damaged() -> None:
    whole = bytearray(png())
    whole[len(whole) // 2] ^= 1
    assert codes_of(bytes(whole)) == {"F001"}


def test_a_png_has_the_colors_of_srgb() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert codes_of(png(icc_profile=srgb)) == set()
    assert codes_of(png(icc_profile=wide_gamut())) == {"F030"}
    assert codes_of(png(icc_profile=b"no profile")) == {"F030"}


def test_an_archive_for_a_shop_of_srgb_has_the_profile_of_srgb(made: dict[str, bytes]) -> None:
    def seed(pdf: Pdf) -> None:
        pdf.Root.OutputIntents[0].DestOutputProfile.write(wide_gamut())

    other = changed(made["pdf-a2b"], seed, "1.7")
    assert [each.code for each in preflight_as(other, "pdf-a2b")] == ["F010"]
    assert preflight_as(other, "a-2b") == []


# --- pages and the command ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ([3], "page 3"),
        ([2, 1], "pages 1 and 2"),
        ([1, 2, 3, 3], "pages 1-3"),
        ([1, 2, 3, 4, 7, 9, 11, 13, 40], "pages 1-4, every second from 7 to 13 and 40"),
        (range(2, 2001, 2), "pages every second from 2 to 2000"),
    ],
)
def test_pages_are_all_named(pages: list[int], words: str) -> None:
    assert list_pages(pages) == [words]


def test_a_message_with_many_pages_goes_on_in_the_next() -> None:
    pages = [number for number in range(1, 1200) if number % 7 in (1, 4)]
    lists = list_pages(pages)
    assert [int(number) for one in lists for number in re.findall(r"\d+", one)] == pages
    assert max(map(len, lists)) < 800


def test_a_file_of_many_pages_is_judged_as_a_whole(made: dict[str, bytes]) -> None:
    def seed(pdf: Pdf) -> None:
        for _ in range(400):
            pdf.pages.append(pdf.pages[1])

    messages = [each.message for each in preflight_as(changed(made["pdf-x4"], seed, "1.6"), "x-4")]
    assert not any("to be judged" in message for message in messages)


def test_chosen_warnings_fail(made: dict[str, bytes], tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    file.write_bytes(changed(made["pdf-x4"], on_front("0 w 60 60 m 90 90 l S"), "1.6"))
    assert kotc("preflight", file, "--as", "pdf-x4").exit_code == 0
    assert kotc("preflight", file, "--as", "pdf-x4", "--fail-on", "F020").exit_code == 0
    assert kotc("preflight", file, "--as", "pdf-x4", "--fail-on", "F020", "--fail-on", "F070").exit_code == 1
    assert kotc("preflight", file, "--as", "pdf-x4", "--fail-on", "thin").exit_code == 2
