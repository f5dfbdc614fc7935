"""What print shops get: exactly the pixels, the boxes, the inks and the order of pages that they ask for."""

import csv
import re
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import yaml
from msgspec.structs import replace
from PIL import Image

import render
from render.base.sizes import POKER
from render.exports.print_files import PrintJob
from render.exports.shop_files import ShopOptions, shop_files, write_shop_files
from render.png.canvas import Canvas
from render.shops.profiles import PROFILES, PdfShop, PictureShop, shops
from tests.support import rasters
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: red.png, back: cyan.png, copies: 2}
- name: Two
  kind: spell
  level: 2
  text: "When you take damage: Draw 1 card. (That is all.)"
  flavor: An efficient flame.
  art: {file: green.png, author: A. Author, license: CC BY-SA 4.0}
  back: yellow.png
- {name: Three, kind: tip, text: Draw a card.}
- {name: Unprinted, kind: tip, text: Draw a card., copies: 0}
"""
COLORS = {"red": (200, 60, 60), "green": (60, 160, 60), "cyan": (90, 170, 190), "yellow": (210, 190, 80)}
PICTURES = [name for name, shop in shops().items() if isinstance(shop, PictureShop)]
CENTER_OF_ART = (33.0, 32.0)  # mm from the trim's top left
INK = 240


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_set(tmp_path_factory.mktemp("sets") / "mine", CARDS)
    for name, color in COLORS.items():
        Image.new("RGB", (760, 1064), color).save(folder / f"{name}.png")
    return folder


@pytest.fixture(scope="module")
def plain(folder: Path) -> Path:
    """The same set with a plain back."""
    return with_plain_back(shutil.copytree(folder, folder.parent / "plain", ignore=shutil.ignore_patterns("shops")))


def fit_for(name: str, folder: Path, plain: Path) -> Path:
    """Return the set to make a shop's files of: for pictures the plain one, since all shapes would be painted."""
    return plain if name in PICTURES else folder


@pytest.fixture(scope="module")
def made(folder: Path, plain: Path) -> Path:
    """A folder with a folder of files for each shop."""
    for name in shops():
        result = kotc("shop", name, fit_for(name, folder, plain), "--out", folder / "shops" / name)
        assert result.exit_code == 0, result.output
    return folder / "shops"


def test_a_pdf_that_is_larger_than_a_shop_takes_is_several_which_prove_right(plain: Path, tmp_path: Path) -> None:
    (card_set,) = render.load_sets(plain)
    faces = tuple(face for face in render.lay_out_set(card_set).faces if face.card.copies)
    job, shop, options = PrintJob((card_set,), faces), shops()["pdf-a2b"], ShopOptions()
    assert isinstance(shop, PdfShop)
    ((name, whole),) = shop_files(job, shop, options)
    assert name == "cards.pdf"
    made = dict(shop_files(job, replace(shop, largest=len(whole) / 1e6 - 0.001), options))
    assert [*made] == ["cards-1.pdf", "cards-2.pdf"]
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    result = kotc("verify", *(tmp_path / name for name in made), "--set", plain)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("3 cards, 6 pages: ")
    with pytest.raises(OSError, match=r"takes files of at most 0.01 MB"):
        list(shop_files(job, replace(shop, largest=0.01), options))
    part = kotc("verify", tmp_path / "cards-1.pdf", "--set", plain)
    assert "missing, and the set has it once [Q060]" in part.output


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "edge"), [("makeplayingcards", (822, 1122), 36.0), ("the-game-crafter", (825, 1125), 37.5)]
)
def test_pictures_have_the_pixels_the_mode_and_the_bleed_of_the_shop(
    made: Path, name: str, size: tuple[int, int], edge: float
) -> None:
    pictures = sorted((made / name).rglob("*.png"))
    assert len(pictures) == 6
    for file in pictures:
        with Image.open(file) as image:
            assert (image.size, image.mode, image.info.get("transparency")) == (size, "RGB", None)
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    to_px = Canvas(300, shops()[name].bleed).to_px
    assert to_px.apply(0, 0) == pytest.approx((edge, edge), abs=1e-9)
    assert to_px.apply(POKER.width, POKER.height) == pytest.approx((edge + 750, edge + 1050), abs=1e-9)


@pytest.mark.parametrize("name", PICTURES)
def test_the_order_names_the_pictures_and_how_many_of_each(made: Path, name: str) -> None:
    rows = list(csv.DictReader((made / name / "order.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["front"], row["back"], row["copies"]) for row in rows] == [
        ("fronts/one.png", "backs/cyan.png", "2"),
        ("fronts/two.png", "backs/yellow.png", "1"),
        ("fronts/three.png", "backs/back.png", "1"),
    ]
    named = {row[side] for row in rows for side in ("front", "back")}
    assert named == {file.relative_to(made / name).as_posix() for file in (made / name).rglob("*.png")}


def test_pictures_show_their_card_with_color_up_to_the_edge_of_the_bleed(made: Path) -> None:
    front = rasters.png((made / "the-game-crafter/fronts/two.png").read_bytes())
    back = rasters.png((made / "makeplayingcards/backs/cyan.png").read_bytes())
    assert near(at(front, CENTER_OF_ART, 3.175, 300), "green")
    assert near(at(back, CENTER_OF_ART, 3.048, 300), "cyan")
    for pixels in (back, rasters.page((made / "drivethrucards/cards.pdf").read_bytes(), 0, 100)):
        corners = [pixels[row, column] for row in (1, -2) for column in (1, -2)]
        assert all(near(tuple(int(value) for value in corner), "cyan") for corner in corners)


def test_backs_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    cards = "- {name: One, kind: tip, text: A., back: a/b.png}\n- {name: Two, kind: tip, text: A., back: c/b.png}"
    folder = write_set(tmp_path / "set", cards)
    for name, color in (("a", "red"), ("c", "cyan")):
        (folder / name).mkdir()
        Image.new("RGB", (760, 1064), color).save(folder / name / "b.png")
    assert kotc("shop", "makeplayingcards", folder, "--out", tmp_path / "out").exit_code == 0
    assert sorted(file.name for file in (tmp_path / "out/backs").iterdir()) == ["b-2.png", "b.png"]


# --- a PDF ----------------------------------------------------------------------------------------------------------


def at(pixels: rasters.Pixels, place: tuple[float, float], bleed: float, dpi: float) -> tuple[int, ...]:
    """Return the color at a place of the card, in mm from the trim's corner."""
    column, row = (round((value + bleed) / 25.4 * dpi) for value in place)
    return tuple(int(value) for value in pixels[row, column])


def near(found: tuple[int, ...], name: str) -> bool:
    """Whether a color is nearer to the one of that name than to any other, white among them."""
    known = {**COLORS, "white": (255, 255, 255)}
    distances = {other: sum((a - b) ** 2 for a, b in zip(found, known[other], strict=True)) for other in known}
    return min(distances, key=lambda other: distances[other]) == name


def operators(pdf: pikepdf.Pdf) -> Iterator[tuple[str, list[float]]]:
    """Yield the color operators of all pages and forms."""
    forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
    for stream in [*pdf.pages, *forms]:
        for instruction in pikepdf.parse_content_stream(stream):
            if str(instruction.operator) in ("g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "scn", "sh"):
                yield str(instruction.operator), [float(value) for value in instruction.operands]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("drivethrucards", ["cyan", "red", "cyan", "red"]),
        ("pdf-x4", ["red", "cyan", "green", "yellow"]),
        ("pdf-a2b", ["red", "cyan", "green", "yellow"]),
    ],
)
def test_pages_follow_each_other_as_the_shop_wants(made: Path, name: str, wanted: list[str]) -> None:
    data, bleed = (made / name / "cards.pdf").read_bytes(), shops()[name].bleed
    found = [at(rasters.page(data, number, 100), CENTER_OF_ART, bleed, 100) for number in range(4)]
    assert [near(color, name) for color, name in zip(found, wanted, strict=True)] == [True] * 4
    with pikepdf.Pdf.open(BytesIO(data)) as pdf:
        assert len(pdf.pages) == (8 if name == "drivethrucards" else 6), (
            "three cards are printed, one of them twice there"
        )


def test_a_drivethru_page_is_2_75_by_3_75_inches_with_the_card_in_its_middle(made: Path) -> None:
    with pikepdf.Pdf.open(made / "drivethrucards/cards.pdf") as pdf:
        for page in pdf.pages:
            assert [float(value) for value in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=1e-3)
            assert [float(value) for value in page.obj.BleedBox] == pytest.approx([0, 0, 198, 270], abs=1e-3)
            assert [float(value) for value in page.trimbox] == pytest.approx([9, 9, 189, 261], abs=1e-3)


def test_the_x_1a_file_holds_ink_and_nothing_else(made: Path) -> None:
    with pikepdf.Pdf.open(made / "drivethrucards/cards.pdf") as pdf:
        used = list(operators(pdf))
        assert {name for name, _ in used} == {"k", "K"}
        assert max(sum(inks) for _, inks in used) <= INK / 100
        objects = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)]
        images = [each for each in objects if each.get("/Subtype") == "/Image"]
        assert {str(image.ColorSpace) for image in images} == {"/DeviceCMYK"}
        assert {str(image.Filter) for image in images} == {"/FlateDecode"}
        sizes = {(int(image.Width), int(image.Height)) for image in images}
        assert max(sizes) == (750, 1050), "of 300 dpi: the backs of 760 x 1064 pixels are brought to the trim"
        assert not [each for each in objects if {"/SMask", "/Group", "/Trans"} & set(each.keys())]
        held = [each.Resources for each in objects if "/Resources" in each]
        listed = [resources.ExtGState for resources in held if "/ExtGState" in resources]
        states = [dict(state.items()) for named in listed for state in named.values()]
        overprint = {"/Type": pikepdf.Name.ExtGState, "/OP": True, "/op": True, "/OPM": 1}
        assert states, "numbers stand on tints"
        assert [state for state in states if state != overprint] == []


def test_black_text_is_black_ink_alone(made: Path) -> None:
    with pikepdf.Pdf.open(made / "drivethrucards/cards.pdf") as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
        texts = [code for form in forms for code in form.read_bytes().split(b"BT")[1:]]
        fills = {line for code in texts for line in code.split(b"ET")[0].split(b"\n") if line.endswith(b" k")}
    assert b"0 0 0 1 k" in fills
    assert not [fill for fill in fills if fill.split()[3] == b"1" and fill != b"0 0 0 1 k"]


@pytest.mark.parametrize("name", ["drivethrucards", "pdf-x4", "pdf-a2b"])
def test_qpdf_has_nothing_to_say(made: Path, name: str) -> None:
    with pikepdf.Pdf.open(made / name / "cards.pdf") as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.pdf_version == {"drivethrucards": "1.4", "pdf-x4": "1.6", "pdf-a2b": "1.7"}[name]


def test_the_archive_passes_the_validator_of_pikepdf(made: Path) -> None:
    pdfa = pytest.importorskip("pikepdf.pdfa", reason="needs pikepdf[pdfa]")
    report = pdfa.validate_written(made / "pdf-a2b/cards.pdf", "2b")
    unknown = [str(each) for each in report.findings if "/PieceInfo" not in str(each)]  # our ticket, which it may hold
    assert unknown == []
    assert not pdfa.validate_written(made / "pdf-x4/cards.pdf", "2b").passed


# --- ink, as Ghostscript lays it on ---------------------------------------------------------------------------------

with_ghostscript = pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")


def most_ink(pdf: Path, folder: Path) -> list[float]:
    """Return the most ink on a pixel of each page in per cent, as Ghostscript separates it at 150 dpi."""
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=tiff32nc", "-r150", f"-sOutputFile={folder}/%03d.tif"]
    subprocess.run([*command, pdf], check=True, capture_output=True)
    pages = [np.asarray(Image.open(file)).astype(int) for file in sorted(folder.glob("*.tif"))]
    return [float(page.sum(axis=2).max()) * 100 / 255 for page in pages]


@with_ghostscript
@pytest.mark.parametrize("name", ["drivethrucards", "pdf-x4"])
def test_no_pixel_takes_more_ink_than_the_limit(made: Path, tmp_path: Path, name: str) -> None:
    found = most_ink(made / name / "cards.pdf", tmp_path)
    assert len(found) == (8 if name == "drivethrucards" else 6)
    assert max(found) <= INK


@with_ghostscript
def test_the_check_sees_a_line_in_registration_black(made: Path, tmp_path: Path) -> None:
    with pikepdf.Pdf.open(made / "drivethrucards/cards.pdf") as pdf:
        pdf.pages[3].contents_add(b"1 1 1 1 K 2 w 0 0 m 30 30 l S")
        pdf.save(tmp_path / "marked.pdf")
    found = most_ink(tmp_path / "marked.pdf", tmp_path)
    assert [page for page, ink in enumerate(found) if ink > INK] == [3]


# --- the command ----------------------------------------------------------------------------------------------------


def test_files_are_the_same_every_time(made: Path, folder: Path, plain: Path, tmp_path: Path) -> None:
    for name in ("drivethrucards", "makeplayingcards"):
        kotc("shop", name, fit_for(name, folder, plain), "--out", tmp_path / name)
        for file in sorted((made / name).rglob("*.*")):
            assert (tmp_path / name / file.relative_to(made / name)).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("asked", "pages", "said"),
    [
        ("drivethrucards", 8, "each copy, back then front; structured as PDF/X-1a:2003, not certified"),
        ("drivethrucards --copies once", 6, "more copies than one, 4 in all: "),
        ("pdf-x4", 6, "  1 card has more copies than one, 4 in all: say so when you order, or use --copies each"),
        ("pdf-x4 --copies each", 8, "each copy, front then back; structured as PDF/X-4, not certified"),
    ],
)
def test_copies_are_in_the_file_or_said(plain: Path, tmp_path: Path, asked: str, pages: int, said: str) -> None:
    name, *options = asked.split()
    output = kotc("shop", name, plain, "--out", tmp_path, *options).output
    assert said in output
    assert ("more copies" in output) == (pages == 6)
    with pikepdf.Pdf.open(tmp_path / "cards.pdf") as pdf:
        assert len(pdf.pages) == pages


def test_a_card_without_a_back_has_a_blank_page_and_no_picture(tmp_path: Path) -> None:
    cards = "- {name: One, kind: tip, text: A., back: none}\n- {name: Two, kind: tip, text: A., back: none}"
    folder = write_set(tmp_path / "set", cards)
    for name in ("drivethrucards", "makeplayingcards"):
        assert kotc("shop", name, folder, "--out", tmp_path / name).exit_code == 0
    blank, front = (rasters.page((tmp_path / "drivethrucards/cards.pdf").read_bytes(), page, 50) for page in (0, 1))
    assert blank.min() == 255
    assert front.min() < 100
    assert sorted(file.name for file in (tmp_path / "makeplayingcards").iterdir()) == [
        "fronts",
        "order.csv",
        "order.html",
    ]


def test_files_for_a_shop_pass_the_command_that_checks_them(made: Path) -> None:
    for name in shops():
        for file in sorted((made / name).rglob("*.p*")):
            result = kotc("preflight", file, "--as", name)
            assert result.exit_code == 0
            assert "error" not in result.stdout
            assert "cannot be judged" not in result.stdout


def test_what_is_made_for_another_shop_does_not_pass(made: Path) -> None:
    result = kotc("preflight", made / "pdf-x4/cards.pdf", "--as", "drivethrucards")
    assert result.exit_code == 1
    assert "GTS_PDFXVersion" in result.stdout
    assert "the shop asks for 69.85 x 95.25 mm" in result.stdout
    assert kotc("preflight", made / "makeplayingcards/fronts/one.png", "--as", "the-game-crafter").exit_code == 1


def test_the_list_names_every_shop() -> None:
    said = kotc("shop", "--list").stdout
    assert list(dict.fromkeys(line.split()[0] for line in said.splitlines()[1:])) == list(shops())
    assert "822 x 1122 pixels" in said
    assert "back then front" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("shop", "drivethrucard"), "did you mean `drivethrucards`?"),
        (("shop", "makeplayingcards", "--copies", "each"), "order.csv"),
        (("preflight", "set.yaml", "--as", "makeplayingcards", "--ink", "300"), "RGB, without inks"),
        (("preflight", "set.yaml", "--as", "a-2b", "--ink", "300"), "RGB, without inks"),
        (("preflight", "set.yaml", "--as", "x-1a", "--ink", "nan"), "is not a number"),
        (("preflight", "set.yaml", "--as", "x-9"), "there is no standard and no shop `x-9`"),
    ],
)
def test_wrong_usage_is_said(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    words = [str(folder / word) if word == "set.yaml" else word for word in arguments]
    result = kotc(*words[:2], *([folder] if words[0] == "shop" and words[1:] else []), *words[2:])
    assert result.exit_code == 2
    assert said in result.output


KNOWN = (
    "there are `makeplayingcards`, `mpc-autofill`, `printers-studio`, `the-game-crafter`, `drivethrucards`, `pdf-x4` and"
    " `pdf-a2b`; `kotc shop --list`"
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", f"name a shop: {KNOWN}"),
        ("no-such", f"Invalid value for NAME: there is no shop `no-such`: {KNOWN}"),
        ("mine", "`mine` is no shop: the shop comes first, as in `kotc shop makeplayingcards mine`"),
        ("mine pdf-x4 more", "the shop comes first: `kotc shop pdf-x4 mine more`"),
    ],
)
def test_a_shop_is_named_before_the_sets(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    result = kotc("shop", *words.split())
    assert (result.exit_code, f"Error: {said}" in result.stderr) == (2, True)


def test_a_face_in_colors_that_ink_cannot_show_is_a_warning(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "- {name: Neon, kind: tip, text: A., back: green.png, copies: 3}")
    Image.new("RGB", (750, 1050), (0, 255, 0)).save(folder / "green.png")
    said = kotc("shop", "drivethrucards", folder, "--out", tmp_path / "out").output
    assert said.count("F032") == 1
    assert "of the back of `neon` has colors that ink cannot show" in said
    assert "F032" not in kotc("shop", "pdf-a2b", folder, "--out", tmp_path / "out").output


def test_nothing_is_written_before_all_is_made_nor_if_one_file_cannot_be_written(tmp_path: Path) -> None:
    def broken() -> Iterator[tuple[str, bytes]]:
        yield "fronts/one.png", b"1"
        raise ValueError("the second cannot be drawn")

    with pytest.raises(ValueError, match="second"):
        write_shop_files(broken(), tmp_path / "out", tmp_path)
    assert not (tmp_path / "out").exists()
    write_shop_files([("fronts/one.png", b"1"), ("order.csv", b"22")], tmp_path / "out", tmp_path)
    assert (tmp_path / "out/fronts/one.png").read_bytes() == b"1"
    assert (tmp_path / "out/order.csv").read_bytes() == b"22"
    (tmp_path / "order.csv").mkdir()
    with pytest.raises(IsADirectoryError):
        write_shop_files([("fronts/one.png", b"1"), ("order.csv", b"22")], tmp_path, tmp_path)
    assert not (tmp_path / "fronts").exists()


# --- the profiles ---------------------------------------------------------------------------------------------------


def test_each_shop_says_where_and_when_its_demands_were_read_and_each_product_where_its_figures_come_from() -> None:
    entries = yaml.safe_load(PROFILES.read_text(encoding="utf-8"))["shops"]
    assert list(entries) == list(shops())
    for name, shop in shops().items():
        assert re.fullmatch(r"20\d\d-\d\d https://\S+", f"{shop.checked} {shop.link}") or name.startswith("pdf-")
        assert f"{shop.checked}  {shop.link}" in kotc("shop", "--list").stdout
    assert all(product["source"] for entry in entries.values() for product in entry.get("products", {}).values())
