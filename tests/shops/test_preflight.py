"""Preflight: a clean file has no fault, and each fault that is put into it is found by its code."""

import re
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Pdf
from PIL import Image

from render.exports.print_files import PrintJob
from render.exports.shop_files import ShopOptions, shop_files
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.pdf.standards import A_2B, STANDARDS, X_1A, X_4
from render.shops.preflight.document import Demands, demands, preflight
from render.shops.preflight.picture_file import preflight_png
from render.shops.profiles import PdfShop, shops
from tests.support.pdf_faults import changed, state, untouched
from tests.support.picture_files import in_bytes
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

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
def job(tmp_path_factory: pytest.TempPathFactory) -> PrintJob:
    folder = with_plain_back(write_set(tmp_path_factory.mktemp("set"), CARDS))
    Image.effect_noise((200, 120), 90).convert("RGB").save(folder / "picture.png")
    (card_set,) = load_sets([folder])
    return PrintJob((card_set,), lay_out_set(card_set).faces)


@pytest.fixture(scope="module")
def made(job: PrintJob) -> dict[str, bytes]:
    """The file for each shop that takes a PDF."""
    return {name: next(iter(shop_files(job, shop(name), ShopOptions())))[1] for name in PDF_SHOPS}


def held_to(name: str, job: PrintJob) -> Demands:
    return demands(shop(name), (face.front.size for face in job.faces))


@pytest.mark.parametrize("name", PDF_SHOPS)
def test_what_the_program_makes_has_no_fault(made: dict[str, bytes], job: PrintJob, name: str) -> None:
    assert preflight(made[name], held_to(name, job)) == []


@pytest.mark.parametrize("name", PDF_SHOPS)
def test_a_file_is_of_one_standard_only(made: dict[str, bytes], name: str) -> None:
    clean = [standard.name for standard in STANDARDS.values() if not preflight(made[name], Demands(standard=standard))]
    assert clean == [shop(name).standard.name]


def test_a_sheet_for_the_printer_at_home_is_none_for_a_shop(job: PrintJob, tmp_path: Path) -> None:
    kotc("pdf", job.sets[0].folder, "--out", tmp_path / "sheets.pdf")
    codes = {
        finding.code
        for finding in preflight((tmp_path / "sheets.pdf").read_bytes(), Demands(standard=X_1A, ink_limit=240))
    }
    assert {"F005", "F010", "F030"} <= codes


def test_saving_a_file_again_makes_no_fault(made: dict[str, bytes], job: PrintJob) -> None:
    again = changed(made["drivethrucards"], untouched)
    assert preflight(again, held_to("drivethrucards", job)) == []


def test_a_later_version_is_found(made: dict[str, bytes], job: PrintJob) -> None:
    later = changed(made["drivethrucards"], untouched, version="1.5")
    (found,) = preflight(later, held_to("drivethrucards", job))
    assert found.code == "F005"
    assert found.message.startswith("it is PDF 1.5, and ")


def test_a_file_without_an_id_is_found(made: dict[str, bytes], job: PrintJob) -> None:
    data = made["drivethrucards"].replace(b"/ID [", b"/IX [")
    found = {each.message: each.code for each in preflight(data, held_to("drivethrucards", job))}
    assert found["the file has no ID in its trailer"] == "F005"


@pytest.mark.parametrize("password", ["", "secret"])
def test_encryption_is_found(made: dict[str, bytes], password: str) -> None:
    out = BytesIO()
    with Pdf.open(BytesIO(made["drivethrucards"])) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user=password))
    found = preflight(out.getvalue(), Demands(standard=X_1A))
    assert [each.code for each in found if "encrypted" in each.message] == ["F001"]


def test_a_damaged_stream_is_found(made: dict[str, bytes]) -> None:
    data = made["drivethrucards"]
    at = data.index(b"stream\n", len(data) // 2) + 60
    torn = data[:at] + bytes(40) + data[at + 40 :]
    found = preflight(torn, Demands(standard=X_1A))
    assert "F001" in {each.code for each in found if "damaged" in each.message}


def test_a_fault_of_many_pages_is_said_once(made: dict[str, bytes]) -> None:
    said = [
        each.message for each in preflight(made["pdf-a2b"], Demands(standard=X_1A)) if "operator `rg`" in each.message
    ]
    assert said == ["pages 1-4: colors are RGB: operator `rg`"]


def test_transparency_is_a_matter_of_the_standard(made: dict[str, bytes]) -> None:
    for name, standard in (("pdf-x4", X_4), ("pdf-a2b", A_2B)):
        see_through = changed(made[name], state(ca=0.5), standard.version)
        assert preflight(see_through, Demands(standard=standard)) == []


def test_without_its_claim_a_file_is_no_archive(made: dict[str, bytes]) -> None:
    bare = changed(made["pdf-a2b"], lambda pdf: pdf.Root.__delitem__("/Metadata"), "1.7")
    assert {each.code for each in preflight(bare, Demands(standard=A_2B))} == {"F005"}


# --- whatever file --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.4\n", b"%PDF-1.4\ntrailer << /Root 1 0 R >>"])
def test_a_file_that_is_not_a_pdf_is_reported_as_such(data: bytes) -> None:
    (finding,) = preflight(data, Demands(standard=X_1A))
    assert finding.code == "F001"
    assert "0x" not in finding.message


@settings(max_examples=60)
@given(data=st.data())
def test_a_file_with_changed_bytes_is_judged_and_never_a_crash(made: dict[str, bytes], data: st.DataObject) -> None:
    whole = bytearray(made["pdf-a2b"])
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    preflight(bytes(whole), Demands(standard=A_2B, ink_limit=240))


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "size", "codes"),
    [
        ("RGB", (8, 12), set()),
        ("RGB", (8, 11), {"F024"}),
        ("RGBA", (8, 12), {"F030"}),
        ("L", (8, 12), {"F030"}),
        ("P", (8, 12), {"F030"}),
        ("LA", (9, 12), {"F024", "F030"}),
    ],
)
def test_a_picture_has_the_pixels_and_colors_of_the_shop(mode: str, size: tuple[int, int], codes: set[str]) -> None:
    data = in_bytes(Image.new(mode, size), "PNG")
    assert {finding.code for finding in preflight_png(data, [(8, 12)])} == codes


def test_a_transparent_color_of_a_picture_is_found() -> None:
    data = in_bytes(Image.new("RGB", (8, 12)), "PNG", transparency=(0, 0, 0))
    assert [finding.code for finding in preflight_png(data, [(8, 12)])] == ["F030"]


def test_a_file_that_is_not_a_picture_is_reported_as_such() -> None:
    assert [finding.code for finding in preflight_png(b"GIF89a", [(8, 12)])] == ["F001"]


def test_messages_about_a_damaged_file_are_the_same_every_time_and_name_no_memory_address(
    made: dict[str, bytes],
) -> None:
    data = made["pdf-x4"]
    cut = [data.replace(b"endstream", b"endstraem", 1), data[: len(data) // 2], data.replace(b"xref", b"xerf")]
    for torn in cut:
        said = [finding.message for finding in preflight(torn, Demands(standard=X_4))]
        kept = preflight(torn, Demands(standard=X_4))  # so that nothing lies where it lay
        assert said == [finding.message for finding in kept]
        assert {finding.code for finding in kept} & {"F001"}
        assert not any("0x" in message or "BytesIO" in message for message in said)
    found = preflight(cut[0], Demands(standard=X_4))
    damaged = [finding.message for finding in found if finding.code == "F001"]
    assert re.fullmatch(r"the file is damaged: object \d+ 0, offset \d+: expected endstream", damaged[0])
