"""Preflight: a clean file has no fault, and each fault that is put into it is found by its code."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Pdf, StreamDecodeLevel, String
from PIL import Image

from render.games.kotc.faces import draw
from render.games.kotc.load import load
from render.preflight import Demands, preflight
from render.preflight_png import preflight_png
from render.sheets import Job
from render.shop_files import ShopOptions, demands, files
from render.shops import PdfShop, shops
from render.standards import A_2B, STANDARDS, X_1A, X_4
from tests.painted import in_bytes
from tests.sets import kotc, write_set

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: picture.png}
- {name: Two, kind: spell, level: 2, text: Draw 1 card.}
"""
PDF_SHOPS = [name for name, shop in shops().items() if isinstance(shop, PdfShop)]


def shop(name: str) -> PdfShop:
    found = shops()[name]
    assert isinstance(found, PdfShop)
    return found


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = write_set(tmp_path_factory.mktemp("set"), CARDS)
    Image.effect_noise((200, 120), 90).convert("RGB").save(folder / "picture.png")
    (card_set,) = load([folder])
    return Job((card_set,), draw(card_set).faces)


@pytest.fixture(scope="module")
def made(job: Job) -> dict[str, bytes]:
    """The file for each shop that takes a PDF."""
    return {name: next(iter(files(job, shop(name), ShopOptions()))).data for name in PDF_SHOPS}


def held_to(name: str, job: Job) -> Demands:
    return demands(shop(name), (face.front.size for face in job.faces))


@pytest.mark.parametrize("name", PDF_SHOPS)
def test_what_the_program_makes_has_no_fault(made: dict[str, bytes], job: Job, name: str) -> None:
    assert preflight(made[name], held_to(name, job)) == []


@pytest.mark.parametrize("name", PDF_SHOPS)
def test_a_file_is_of_one_standard_only(made: dict[str, bytes], name: str) -> None:
    clean = [standard.name for standard in STANDARDS.values() if not preflight(made[name], Demands(standard))]
    assert clean == [shop(name).standard.name]


def test_a_sheet_for_the_printer_at_home_is_none_for_a_shop(job: Job, tmp_path: Path) -> None:
    kotc("pdf", job.sets[0].folder, "--out", tmp_path / "sheets.pdf")
    codes = {finding.code for finding in preflight((tmp_path / "sheets.pdf").read_bytes(), Demands(X_1A, 240))}
    assert {"F004", "F005", "F010", "F030", "F031"} <= codes


# --- seeded faults --------------------------------------------------------------------------------------------------

Fault = Callable[[Pdf], None]


def draws(operators: str) -> Fault:
    """Return the fault of drawing more on the first page."""

    def seed(pdf: Pdf) -> None:
        pdf.pages[0].contents_add(operators.encode())

    return seed


def in_a_form(operators: str) -> Fault:
    """Return the fault of drawing within a form within a form of the second page."""

    def seed(pdf: Pdf) -> None:
        inner = pdf.make_stream(operators.encode())
        inner.Type, inner.Subtype, inner.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
        outer = pdf.make_stream(b"/Inner Do")
        outer.Type, outer.Subtype, outer.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
        outer.Resources = Dictionary(XObject=Dictionary(Inner=inner))
        pdf.pages[1].add_resource(outer, Name.XObject)

    return seed


def page(**entries: object) -> Fault:
    def seed(pdf: Pdf) -> None:
        for key, value in entries.items():
            pdf.pages[0].obj[f"/{key}"] = value

    return seed


def picture(data: bytes, **entries: object) -> Fault:
    """Return the fault of a picture of 1 x 1 pixel among the resources of the first page."""

    def seed(pdf: Pdf) -> None:
        image = pdf.make_stream(data)
        image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 1, 1
        image.BitsPerComponent = 8
        for key, value in entries.items():
            image[f"/{key}"] = pdf.make_stream(value) if isinstance(value, bytes) else value
        pdf.pages[0].add_resource(image, Name.XObject)

    return seed


def state(**entries: object) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.pages[0].add_resource(Dictionary(**entries), Name.ExtGState)

    return seed


def root(key: str, value: object) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.Root[f"/{key}"] = value

    return seed


def info(key: str, value: object | None) -> Fault:
    def seed(pdf: Pdf) -> None:
        if value is None:
            del pdf.docinfo[f"/{key}"]
        else:
            pdf.docinfo[f"/{key}"] = value

    return seed


def intent(change: Callable[[pikepdf.Object], None]) -> Fault:
    return lambda pdf: change(pdf.Root.OutputIntents[0])


def no_intent(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def two_intents(pdf: Pdf) -> None:
    pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0])


def profile(start: int, word: bytes) -> Fault:
    """Return the fault of a profile whose header says something else."""

    def change(one: pikepdf.Object) -> None:
        data = one.DestOutputProfile.read_bytes()
        one.DestOutputProfile.write(data[:start] + word + data[start + len(word) :])

    return intent(change)


def no_condition(one: pikepdf.Object) -> None:
    del one["/OutputConditionIdentifier"]


def no_trim_box(pdf: Pdf) -> None:
    del pdf.pages[0].obj["/TrimBox"]


def no_bleed(pdf: Pdf) -> None:
    pdf.pages[0].obj.TrimBox = pdf.pages[0].obj.MediaBox


def no_font_file(pdf: Pdf) -> None:
    descriptor = next(each for each in pdf.objects if isinstance(each, Dictionary) and "/FontFile2" in each)
    del descriptor["/FontFile2"]


def other_font(pdf: Pdf) -> None:
    pdf.pages[0].add_resource(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica), Name.Font)


def lzw(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.write(b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", filter=Name.LZWDecode)
    pdf.Root.Extra = stream


def another_file(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.F = String("elsewhere.bin")
    pdf.Root.Extra = stream


def page_of_another_file(pdf: Pdf) -> None:
    form = pdf.make_stream(b"")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
    form.Ref = Dictionary(F=String("elsewhere.pdf"), Page=0)
    pdf.pages[0].add_resource(form, Name.XObject)


def untouched(_: Pdf) -> None:
    pass


def pages_swapped(pdf: Pdf) -> None:
    first = pdf.pages[0]
    del pdf.pages[0]
    pdf.pages.insert(1, first)


def page_missing(pdf: Pdf) -> None:
    del pdf.pages[-1]


def backs_exchanged(pdf: Pdf) -> None:
    pdf.pages.append(pdf.pages[0])
    pdf.pages.append(pdf.pages[3])
    del pdf.pages[0]
    del pdf.pages[2]


def script(pdf: Pdf) -> None:
    names = Dictionary(JavaScript=Dictionary(Names=Array([])))
    pdf.Root.Names = names


def tint(name: str, transform: str, operators: str) -> Fault:
    """Return the fault of a spot colour, whose alternate space is CMYK or another, drawn with these operators."""

    def seed(pdf: Pdf) -> None:
        function = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1)
        space = Array([Name.Separation, Name(f"/{name}"), Name(f"/{transform}"), function])
        pdf.pages[0].add_resource(space, Name.ColorSpace, Name.Spot)
        pdf.pages[0].contents_add(operators.encode())

    return seed


SHADING = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK)
TRANSPARENT = Dictionary(S=Name.Transparency)

FAULTS: dict[str, tuple[str, Fault]] = {
    "no output intent": ("F010", no_intent),
    "two output intents": ("F010", two_intents),
    "a profile of RGB": ("F011", profile(16, b"RGB ")),
    "a profile of a screen": ("F011", profile(12, b"mntr")),
    "a profile that is none": ("F011", profile(36, b"acsq")),
    "no name of the condition": ("F012", intent(no_condition)),
    "no key of the standard": ("F005", info("GTS_PDFXVersion", None)),
    "another standard": ("F005", info("GTS_PDFXVersion", String("PDF/X-3:2003"))),
    "no title": ("F006", info("Title", None)),
    "no date": ("F006", info("ModDate", None)),
    "not known whether trapped": ("F007", info("Trapped", Name.Unknown)),
    "nothing about trapping": ("F007", info("Trapped", None)),
    "a later version in the catalogue": ("F004", root("Version", Name("/1.7"))),
    "no trim box": ("F020", no_trim_box),
    "a trim box and an art box": ("F020", page(ArtBox=Array([10, 10, 20, 20]))),
    "a trim box outside of the page": ("F021", page(TrimBox=Array([-9, 9, 189, 261]))),
    "a trim box outside of the bleed box": ("F021", page(BleedBox=Array([20, 20, 100, 100]))),
    "a crop box that cuts": ("F021", page(CropBox=Array([20, 20, 100, 100]))),
    "a rotated page": ("F022", page(Rotate=90)),
    "another unit": ("F023", page(UserUnit=2)),
    "another page size": ("F024", page(MediaBox=Array([0, 0, 200, 270]))),
    "no room for the bleed": ("F024", no_bleed),
    "front before back": ("F025", pages_swapped),
    "a page less": ("F025", page_missing),
    "the back of another card": ("F025", backs_exchanged),
    "an RGB fill": ("F030", draws("1 0 0 rg 0 0 5 5 re f")),
    "an RGB line": ("F030", draws("1 0 0 RG 0 0 m 5 5 l S")),
    "an RGB space": ("F030", draws("/DeviceRGB cs 1 0 0 sc 0 0 5 5 re f")),
    "an RGB fill in a form in a form": ("F030", in_a_form("1 0 0 rg 0 0 5 5 re f")),
    "a spot colour over RGB": ("F030", tint("Gold", "DeviceRGB", "/Spot cs 0.5 scn 0 0 5 5 re f")),
    "an RGB shading": (
        "F030",
        lambda pdf: pdf.pages[0].add_resource(Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB), Name.Shading),
    ),
    "an RGB inline picture": ("F030", draws("BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI")),
    "an RGB picture": ("F031", picture(b"\0\0\0", ColorSpace=Name.DeviceRGB)),
    "an indexed RGB picture": (
        "F031",
        picture(b"\0", ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 0, String(b"\0\0\0")])),
    ),
    "registration black": ("F032", draws("1 1 1 1 k 0 0 5 5 re f")),
    "a line of too much ink": ("F032", in_a_form("0.9 0.9 0.9 0 K 0 0 m 5 5 l S")),
    "too much ink by another operator": ("F032", draws("/DeviceCMYK cs 1 1 0.5 0 scn 0 0 5 5 re f")),
    "ink on all plates": ("F032", tint("All", "DeviceCMYK", "/Spot cs 1 scn 0 0 5 5 re f")),
    "a picture of too much ink": ("F033", picture(b"\xff\xff\xff\0", ColorSpace=Name.DeviceCMYK)),
    "a palette of too much ink": (
        "F033",
        picture(b"\0", ColorSpace=Array([Name.Indexed, Name.DeviceCMYK, 0, String(b"\xff\xff\xff\0")])),
    ),
    "a CMYK picture turned inside out": (
        "F034",
        picture(b"\0\0\0\0", ColorSpace=Name.DeviceCMYK, Decode=Array([1, 0] * 4)),
    ),
    "a shading of ink": ("F034", lambda pdf: pdf.pages[0].add_resource(SHADING, Name.Shading)),
    "overprint": ("F034", state(OP=True)),
    "a soft mask on a picture": ("F040", picture(b"\0", ColorSpace=Name.DeviceGray, SMask=b"\0")),
    "a soft mask": ("F040", state(SMask=Dictionary(S=Name.Luminosity))),
    "half opaque": ("F041", state(ca=0.5)),
    "half opaque lines": ("F041", state(CA=0.5)),
    "a blend": ("F041", state(BM=Name.Multiply)),
    "a transparency group": ("F041", page(Group=TRANSPARENT)),
    "a font that is not embedded": ("F042", other_font),
    "a font whose file is gone": ("F042", no_font_file),
    "layers": ("F043", root("OCProperties", Dictionary(OCGs=Array([])))),
    "a link": ("F050", page(Annots=Array([Dictionary(Type=Name.Annot, Subtype=Name.Link)]))),
    "an action on opening": ("F051", root("OpenAction", Dictionary(S=Name.Print))),
    "JavaScript": ("F051", script),
    "LZW": ("F052", lzw),
    "a stream in another file": ("F053", another_file),
    "a page of another file": ("F053", page_of_another_file),
    "PostScript": ("F054", picture(b"", Subtype=Name.PS)),
    "a transfer curve": ("F055", state(TR=Name.Identity)),
}


def changed(data: bytes, seed: Fault, version: str = "1.4") -> bytes:
    out = BytesIO()
    with Pdf.open(BytesIO(data)) as pdf:
        seed(pdf)
        kept = {"compress_streams": False, "stream_decode_level": StreamDecodeLevel.none}
        pdf.save(out, force_version=version, deterministic_id=True, fix_metadata_version=False, **kept)
    return out.getvalue()


def test_saving_a_file_again_makes_no_fault(made: dict[str, bytes], job: Job) -> None:
    again = changed(made["drivethrucards"], untouched)
    assert preflight(again, held_to("drivethrucards", job)) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_each_seeded_fault_is_found(made: dict[str, bytes], job: Job, fault: str) -> None:
    code, seed = FAULTS[fault]
    found = preflight(changed(made["drivethrucards"], seed), held_to("drivethrucards", job))
    assert code in {finding.code for finding in found}, found


def test_a_later_version_is_found(made: dict[str, bytes], job: Job) -> None:
    later = changed(made["drivethrucards"], untouched, version="1.5")
    assert [each.code for each in preflight(later, held_to("drivethrucards", job))] == ["F004"]


def test_a_file_without_an_id_is_found(made: dict[str, bytes], job: Job) -> None:
    data = made["drivethrucards"].replace(b"/ID [", b"/IX [")
    assert "F008" in [each.code for each in preflight(data, held_to("drivethrucards", job))]


@pytest.mark.parametrize(("password", "codes"), [("", {"F003"}), ("secret", {"F003"})])
def test_encryption_is_found(made: dict[str, bytes], password: str, codes: set[str]) -> None:
    out = BytesIO()
    with Pdf.open(BytesIO(made["drivethrucards"])) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user=password))
    assert codes <= {finding.code for finding in preflight(out.getvalue(), Demands(X_1A))}


def test_a_damaged_stream_is_found(made: dict[str, bytes]) -> None:
    data = made["drivethrucards"]
    at = data.index(b"stream\n", len(data) // 2) + 60
    torn = data[:at] + bytes(40) + data[at + 40 :]
    assert {"F001", "F002"} & {finding.code for finding in preflight(torn, Demands(X_1A))}


def test_a_fault_of_many_pages_is_said_once(made: dict[str, bytes]) -> None:
    said = [each.message for each in preflight(made["pdf-a2b"], Demands(X_1A)) if "operator `rg`" in each.message]
    assert said == ["page 1 and 3 more: colours are RGB: operator `rg`"]


def test_transparency_is_a_matter_of_the_standard(made: dict[str, bytes]) -> None:
    for name, standard in (("pdf-x4", X_4), ("pdf-a2b", A_2B)):
        see_through = changed(made[name], state(ca=0.5), standard.version)
        assert preflight(see_through, Demands(standard)) == []


def test_without_its_claim_a_file_is_no_archive(made: dict[str, bytes]) -> None:
    bare = changed(made["pdf-a2b"], lambda pdf: pdf.Root.__delitem__("/Metadata"), "1.7")
    assert {each.code for each in preflight(bare, Demands(A_2B))} == {"F005"}


# --- whatever file --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.4\n", b"%PDF-1.4\ntrailer << /Root 1 0 R >>"])
def test_what_is_no_pdf_is_said_to_be_none(data: bytes) -> None:
    (finding,) = preflight(data, Demands(X_1A))
    assert finding.code == "F001"
    assert "0x" not in finding.message


@settings(max_examples=60)
@given(data=st.data())
def test_a_file_with_changed_bytes_is_judged_and_never_a_crash(made: dict[str, bytes], data: st.DataObject) -> None:
    whole = bytearray(made["pdf-a2b"])
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    preflight(bytes(whole), Demands(A_2B, 240))


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "size", "codes"),
    [
        ("RGB", (8, 12), set()),
        ("RGB", (8, 11), {"F026"}),
        ("RGBA", (8, 12), {"F035"}),
        ("L", (8, 12), {"F035"}),
        ("P", (8, 12), {"F035"}),
        ("LA", (9, 12), {"F026", "F035"}),
    ],
)
def test_a_picture_has_the_pixels_and_colours_of_the_shop(mode: str, size: tuple[int, int], codes: set[str]) -> None:
    data = in_bytes(Image.new(mode, size), "PNG")
    assert {finding.code for finding in preflight_png(data, (8, 12))} == codes


def test_a_transparent_colour_of_a_picture_is_found() -> None:
    data = in_bytes(Image.new("RGB", (8, 12)), "PNG", transparency=(0, 0, 0))
    assert [finding.code for finding in preflight_png(data, (8, 12))] == ["F035"]


def test_what_is_no_picture_is_said_to_be_none() -> None:
    assert [finding.code for finding in preflight_png(b"GIF89a", (8, 12))] == ["F001"]


def test_what_is_said_of_a_damaged_file_is_the_same_every_time_and_names_no_place_in_memory(
    made: dict[str, bytes],
) -> None:
    data = made["pdf-x4"]
    cut = [data.replace(b"endstream", b"endstraem", 1), data[: len(data) // 2], data.replace(b"xref", b"xerf")]
    for torn in cut:
        said = [finding.message for finding in preflight(torn, Demands(X_4))]
        kept = preflight(torn, Demands(X_4))  # so that nothing lies where it lay
        assert said == [finding.message for finding in kept]
        assert {finding.code for finding in kept} & {"F001", "F002"}
        assert not any("0x" in message or "BytesIO" in message for message in said)
    found = preflight(cut[0], Demands(X_4))
    damaged = [finding.message for finding in found if finding.code == "F002"]
    assert re.fullmatch(r"the file is damaged: object \d+ 0, offset \d+: expected endstream", damaged[0])
