"""Preflight raises no false alarm: files of six other programs, and the structure of layout programs, pass as they are.

`sound/make.py` says how they were made; tests/README.md, with what.
"""

import zlib
from io import BytesIO
from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf

from render.base.findings import Severity
from render.base.limits import TO_PREFLIGHT
from render.pdf.reading import content
from render.shops.preflight import document
from render.shops.preflight.document import preflight_as, preflight_file
from render.shops.preflight.rules import RULES
from tests.support.repository import ROOT
from tests.support.sets import kotc

SOUND = sorted((Path(__file__).parent / "sound").glob("*.pdf"))
PRESS = ROOT / "render/images/profiles/cgats-tr-006-tac236.icc"


def standard_of(file: Path) -> str:
    return next(name for name in ("x-1a", "x-4", "a-2b") if file.stem.endswith(name))


def content_of(file: Path) -> bytes:
    """Return a sound file; PDF/X-4 gets the profile that it asks for, which is too large to lie beside each."""
    data = file.read_bytes()
    if standard_of(file) != "x-4":
        return data
    out = BytesIO()
    with Pdf.open(BytesIO(data)) as pdf:
        profile = pdf.make_stream(PRESS.read_bytes())
        profile.N = 4
        pdf.Root.OutputIntents[0].DestOutputProfile = profile
        pdf.save(out, object_stream_mode=ObjectStreamMode.generate, fix_metadata_version=False)
    return out.getvalue()


def test_there_are_14_of_them_and_they_are_small() -> None:
    assert len(SOUND) == 14
    assert max(file.stat().st_size for file in SOUND) < 60_000


@pytest.mark.parametrize("file", SOUND, ids=lambda file: file.stem)
def test_a_sound_file_raises_no_alarm(file: Path) -> None:
    limit = None if standard_of(file) == "a-2b" else 240.0
    assert preflight_as(content_of(file), standard_of(file), limit) == []


@pytest.mark.parametrize("file", [file for file in SOUND if standard_of(file) == "a-2b"], ids=lambda file: file.stem)
def test_a_second_opinion_knows_no_fault_of_an_archive_that_ours_does_not(file: Path) -> None:
    pdfa = pytest.importorskip("pikepdf.pdfa", reason="needs pikepdf[pdfa]")
    report = pdfa.validate_written(file, "2b")
    known = ("XMP ", "OutlineItem")  # it knows few namespaces, and no place that is an object of its own
    wrong = [each for each in report.violations if not any(word in str(each) for word in known)]
    assert [str(each) for each in wrong] == []


def test_the_clauses_of_an_archive_are_those_that_a_second_opinion_knows() -> None:
    catalog = pytest.importorskip("pikepdf.pdfa._catalogue", reason="needs pikepdf[pdfa]")
    known = {name.split(":")[1].rpartition("-")[0] for name in catalog.load_rules() if name.startswith("ISO_19005_2:")}
    clauses = {rule.clause for rules in RULES.values() for rule in rules.values() if rule.clause[:1].isdigit()}
    assert clauses <= known


def test_what_only_its_maker_can_know_cannot_be_judged(tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    file.write_bytes((SOUND[0].parent / "layout-x-1a.pdf").read_bytes())
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.pages.append(pdf.pages[0])
        pdf.save(file, object_stream_mode=ObjectStreamMode.disable, force_version="1.4")
    result = kotc("preflight", file, "--as", "drivethrucards")
    assert (
        "cannot be judged: no page names its face: back and front in turn are due [F024, a wish of print shops]\n"
        "  hint: look at them"
    ) in result.stdout
    assert "1 cannot be judged" in result.stderr
    assert result.exit_code == 0
    assert kotc("preflight", file, "--as", "drivethrucards", "--strict").exit_code == 1


def overprinted(black: str, below: str) -> bytes:
    """Return the page of a layout program with an area that overprints another."""
    out = BytesIO()
    with Pdf.open(SOUND[0].parent / "layout-x-1a.pdf") as pdf:
        page = pdf.pages[0]
        state = Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1)
        name = page.add_resource(state, Name.ExtGState)
        page.contents_add(f"q {below} 40 60 60 60 re f {name} gs {black} 50 70 40 40 re f Q".encode())
        pdf.save(out, object_stream_mode=ObjectStreamMode.disable)
    return out.getvalue()


def test_an_area_that_overprints_more_than_the_limit_cannot_be_judged() -> None:
    (finding,) = preflight_as(overprinted("0 0 0 1 k", "0.8 0.8 0.4 0 k"), "x-1a", 240.0)
    assert (finding.code, finding.severity) == ("F032", Severity.UNSURE)
    assert finding.message == "page 1: with what overprints, ink may add up to 300 %"


def test_an_area_that_overprints_and_stays_below_the_limit_is_none() -> None:
    assert preflight_as(overprinted("0 0 0 1 k", "0.4 0.4 0.4 0 k"), "x-1a", 240.0) == []


def test_a_blend_by_a_calculated_function_is_read() -> None:
    for code, findings in ((b"{ dup dup dup }", ["F032"]), (b"{ 0.5 mul dup dup dup }", [])):
        out = BytesIO()
        with Pdf.open(SOUND[0].parent / "layout-x-1a.pdf") as pdf:
            function = pdf.make_stream(code)
            function.FunctionType, function.Domain, function.Range = 4, Array([0, 1]), Array([0, 1] * 4)
            blend = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([0, 0, 9, 0]), Function=function)
            pdf.pages[0].add_resource(blend, Name.Shading)
            pdf.save(out, object_stream_mode=ObjectStreamMode.disable)
        assert [each.code for each in preflight_as(out.getvalue(), "x-1a", 240.0)] == findings


@pytest.mark.parametrize(("base", "colors", "found"), [("DeviceRGB", 3, set()), ("DeviceCMYK", 4, {"F030"})])
def test_an_archive_may_name_inks_over_colors_that_it_may_have(base: str, colors: int, found: set[str]) -> None:
    out = BytesIO()
    with Pdf.open(SOUND[0].parent / "cairo-a-2b.pdf") as pdf:
        tint = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1, C0=Array([0] * colors), C1=Array([1] * colors))
        gold = Array([Name.Separation, Name.Gold, Name(f"/{base}"), tint])
        name = pdf.pages[0].add_resource(gold, Name.ColorSpace)
        pdf.pages[0].contents_add(f"{name} cs 0.5 scn 0 0 5 5 re f".encode())
        pdf.save(out, fix_metadata_version=False)
    assert {each.code for each in preflight_as(out.getvalue(), "a-2b")} == found


def test_no_message_tells_an_address_of_memory() -> None:
    data = SOUND[0].read_bytes()
    for damaged in (
        data[:-200],
        data.replace(b"endobj", b"endobx", 3),
        data[: len(data) // 2],
        b"%PDF-1.7\n" + data[900:],
    ):
        for finding in preflight_as(damaged, "a-2b"):
            assert "0x" not in finding.message, finding.message


@pytest.mark.parametrize("missing", [1, 20, 800, 1600])
def test_a_compact_font_that_is_cut_off_anywhere_is_found(missing: int) -> None:
    out = BytesIO()
    with Pdf.open(SOUND[0].parent / "cairo-a-2b.pdf") as pdf:
        (file,) = (each.FontFile3 for each in pdf.objects if isinstance(each, Dictionary) and "/FontFile3" in each)
        file.write(file.read_bytes()[:-missing])
        pdf.save(out)
    (found,) = (each for each in preflight_as(out.getvalue(), "a-2b") if each.code == "F042")
    assert found.severity is Severity.ERROR
    assert found.message.endswith("is cut off: its end is missing")


def test_the_file_is_judged_by_what_is_in_it_and_not_by_its_name() -> None:
    assert {each.code for each in preflight_as(content_of(SOUND[0]), "x-1a")} >= {"F005", "F010"}


def test_a_file_that_unpacks_to_more_than_anybody_could_print_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "TO_PREFLIGHT", TO_PREFLIGHT._replace(seconds=1.0))
    file = tmp_path / "bomb.pdf"
    with Pdf.open(SOUND[0].parent / "layout-x-1a.pdf") as pdf:
        bomb = pdf.make_stream(b"")
        bomb.write(zlib.compress(b"q " * (20 << 20), 9), filter=Name.FlateDecode)
        pdf.pages[0].obj.Contents = bomb
        pdf.save(file, object_stream_mode=ObjectStreamMode.disable)
    (finding,) = preflight_file(file, "x-1a")
    assert finding.code == "F001"
    assert " to be judged: too much " in finding.message


def test_forms_that_draw_forms_without_end_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "TO_PREFLIGHT", TO_PREFLIGHT._replace(seconds=1.0))
    file = tmp_path / "forms.pdf"
    with Pdf.open(SOUND[0].parent / "layout-x-1a.pdf") as pdf:
        inner = pdf.make_stream(b"0 0 m 5 5 l S ")
        for _ in range(9):
            outer = pdf.make_stream(b"1 0 0 1 1 1 cm /In Do " * 20)
            for form in (inner, outer):
                form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 99, 99])
            outer.Resources = Dictionary(XObject=Dictionary(In=inner))
            inner = pdf.make_indirect(outer)
        name = pdf.pages[0].add_resource(inner, Name.XObject)
        pdf.pages[0].contents_add(f"{name} Do".encode())
        pdf.save(file, object_stream_mode=ObjectStreamMode.disable)
    (finding,) = preflight_file(file, "x-1a")
    assert finding.code == "F001"
    assert " to be judged: too much " in finding.message


@pytest.mark.parametrize("piece", [60, 1000])
def test_long_content_is_read_in_pieces_and_judged_the_same(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = (
        b"/Span << /ActualText (a S b) >> BDC EMC 1 0 0 rg BI /W 20 /H 5 /BPC 8 /CS /G ID"
        + b" S Q f" * 17
        + b" EI ( S "
    )
    files = [content_of(file) for file in SOUND] + [overprinted("0 0 0 1 k " + odd.decode(), "0.8 0.8 0.4 0 k")]
    whole = [preflight_as(data, "x-1a", 240.0) for data in files]
    monkeypatch.setattr(content, "_PIECE", piece)
    assert [preflight_as(data, "x-1a", 240.0) for data in files] == whole
