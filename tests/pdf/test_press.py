"""Quality in print: what overprints, small text in few inks, no type too small, rich black; sheets for a press."""

import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from render.base.geometry import MM_PER_POINT
from render.game import cards
from render.game.faces import findings as looked_at
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.images import inks as cmyk
from render.scene.items import Group, Item, Scene, TextRun
from render.shops.profiles import presses
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

PRESS = presses()["coated-240"]
BLACK: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
CARD = "- {name: One, kind: tip, text: A., back: none}"

Drawn = tuple[str, tuple[float, ...], bool]
"""What is painted (`text`, `fill`, `line`, `picture`), its inks, and whether it overprints."""


def drawn(stream: pikepdf.Object, resources: pikepdf.Object) -> Iterator[Drawn]:
    """Yield what a page or a form paints, forms followed; it knows that what is set within `q` and `Q` stays there."""
    fill, line, overprints = BLACK, BLACK, False
    kept = []
    for instruction in pikepdf.parse_content_stream(stream):
        operator, operands = str(instruction.operator), list(instruction.operands)
        match operator:
            case "q":
                kept.append((fill, line, overprints))
            case "Q":
                fill, line, overprints = kept.pop()
            case "k":
                fill = tuple(float(value) for value in operands)
            case "K":
                line = tuple(float(value) for value in operands)
            case "gs":
                state = resources.ExtGState[str(operands[0])]
                assert bool(state.OP) is bool(state.op)
                assert state.OPM == 1
                overprints = bool(state.op)
            case "f" | "f*":
                yield "fill", fill, overprints
            case "S":
                yield "line", line, overprints
            case "TJ":
                yield "text", fill, overprints
            case "Do":
                inner = resources.XObject[str(operands[0])]
                if inner.Subtype == "/Image":
                    yield "picture", (), overprints
                else:
                    assert not overprints, "a form is drawn in the usual way"
                    yield from drawn(inner, inner.get("/Resources", resources))


def made(folder: Path, template: str, *options: str, shop: str = "drivethrucards", card: str = CARD) -> Path:
    """Make a shop's file of a card that is drawn by this template, and return it."""
    write_set(folder, card)
    (folder / "templates").mkdir(exist_ok=True)
    root = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9" font-family="DejaVu Sans">'
    (folder / "templates/tip.svg").write_text(f"{root}\n{template}\n</svg>", encoding="utf-8")
    result = kotc("shop", shop, folder, "--out", folder / shop, *options)
    assert result.exit_code == 0, result.output
    return folder / shop / "cards.pdf"


def on_front(pdf: Path) -> list[Drawn]:
    with pikepdf.Pdf.open(pdf) as opened:
        page = opened.pages[1]
        return list(drawn(page.obj, page.resources))


def plates(pdf: Path, folder: Path, dpi: int = 150) -> dict[str, NDArray[np.int_]]:
    """Return the plates of the front as Ghostscript separates it, 0 to 255 for all of the ink."""
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=tiffsep", f"-r{dpi}", "-dFirstPage=2", "-dLastPage=2"]
    subprocess.run([*command, f"-sOutputFile={folder}/s.tif", pdf], check=True, capture_output=True)
    inks = ("Cyan", "Magenta", "Yellow", "Black")
    return {ink: 255 - np.asarray(Image.open(folder / f"s({ink}).tif").convert("L")).astype(int) for ink in inks}


def most_ink(found: dict[str, NDArray[np.int_]]) -> float:
    """Return the most ink of any pixel, in percent."""
    return float(np.sum([*found.values()], axis=0).max()) * 100 / 255


with_ghostscript = pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")

# --- what overprints ------------------------------------------------------------------------------------------------

TINT = '<rect x="5" y="5" width="50" height="20" fill="#ffd0a0"/>'
DEEP = '<rect x="5" y="5" width="50" height="20" fill="#102060"/>'  # with black on it, more than 240 %
WORDS = '<text x="10" y="15" font-size="5" fill="{}">iii</text>'
NIGHT = '<rect x="-5" y="-5" width="73.5" height="98.9" fill="#102060"/>'
PANEL = '<rect x="5" y="5" width="50" height="20" rx="3" fill="#ffd0a0"/>'
RING = '<path fill-rule="evenodd" fill="#102060" d="M4 4 H56 V26 H4 Z M7 7 V23 H53 V7 Z"/>'
FRAME = '<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="{}" stroke-width="0.3"/>'
LINE = '<line x1="10" y1="20" x2="50" y2="20" stroke="{}" stroke-width="{}"/>'


@pytest.mark.parametrize(
    ("ground", "over", "overprints"),
    [
        (TINT, WORDS.format("#000000"), True),
        (TINT, WORDS.format("#ffffff"), False),
        (TINT, WORDS.format("#404040"), False),
        (TINT, WORDS.format("#0000c0"), False),
        ("", WORDS.format("#000000"), False),
        (TINT + '<rect x="7" y="7" width="46" height="16" fill="#ffffff"/>', WORDS.format("#000000"), False),
        ('<rect x="5" y="5" width="50" height="20" fill="#808080"/>', WORDS.format("#000000"), False),
        ('<circle cx="20" cy="14" r="9" fill="#ffd0a0"/>', WORDS.format("#000000"), True),
        (DEEP, WORDS.format("#000000"), False),
        (DEEP + TINT, WORDS.format("#000000"), True),
        (TINT, LINE.format("#000000", 0.3), True),
        (TINT, LINE.format("#000000", 1.5), False),
        (TINT, LINE.format("#800000", 0.3), False),
        (TINT, '<rect x="10" y="20" width="40" height="0.3" fill="#000000"/>', True),
        (TINT, '<rect x="10" y="10" width="40" height="9" fill="#000000"/>', False),
        (NIGHT + PANEL, WORDS.format("#000000"), True),
        (NIGHT + PANEL, LINE.format("#000000", 0.3), True),
        (NIGHT + PANEL, FRAME.format(10, 8, 40, 14, "#000000"), True),
        (NIGHT, WORDS.format("#000000"), False),
        (TINT + RING, WORDS.format("#000000"), True),
        (TINT + FRAME.format(7, 7, 46, 16, "#102060"), WORDS.format("#000000"), True),
        (TINT + DEEP.replace("50", "9"), FRAME.format(5, 5, 50, 20, "#000000"), False),
        (DEEP.replace("5", "20") + TINT.replace("#ffd0a0", "none"), WORDS.format("#000000"), False),
        (TINT, f'<svg x="8" y="8" width="40" height="15" viewBox="0 0 80 30">{WORDS.format("#000000")}</svg>', True),
    ],
)  # fmt: skip
def test_black_text_and_thin_black_lines_overprint_tints_and_nothing_else_does(
    tmp_path: Path, ground: str, over: str, *, overprints: bool
) -> None:
    found = on_front(made(tmp_path, ground + over))
    assert found[-1][2] is overprints
    assert [each for each in found[:-1] if each[2]] == []


@pytest.mark.parametrize(("shade", "overprints"), [((235, 117, 235), True), ((40, 0, 60), False)])
def test_black_text_overprints_a_picture_where_the_ink_limit_allows_it(
    tmp_path: Path, shade: tuple[int, int, int], *, overprints: bool
) -> None:
    Image.new("RGB", (600, 300), shade).save(tmp_path / "p.png")
    picture = '<image x="5" y="5" width="50" height="25" href="p.png"/>'
    assert on_front(made(tmp_path, picture + WORDS.format("#000000")))[-1] == ("text", BLACK, overprints)


def test_only_the_part_of_the_picture_beneath_the_words_counts(tmp_path: Path) -> None:
    half = Image.new("RGB", (600, 300), (40, 0, 60))
    half.paste((235, 200, 235), (0, 0, 400, 300))
    half.save(tmp_path / "p.png")
    picture = '<image x="5" y="5" width="50" height="25" href="p.png"/>'
    there = '<text x="{}" y="15" font-size="5">i</text>'
    found = on_front(made(tmp_path, picture + there.format(10) + there.format(45)))
    assert [each[2] for each in found if each[0] == "text"] == [True, False]


def test_files_in_rgb_overprint_nothing(tmp_path: Path) -> None:
    with pikepdf.Pdf.open(made(tmp_path, TINT + WORDS.format("#000000"), shop="pdf-a2b")) as pdf:
        assert not [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/ExtGState" in each]


@with_ghostscript
def test_the_other_plates_have_no_hole_beneath_black_text(tmp_path: Path) -> None:
    found = plates(made(tmp_path, TINT + WORDS.format("#000000")), tmp_path)
    field = slice(60, 100), slice(70, 120)  # px at 150 dpi, within the tint
    assert found["Black"][field].max() == 255
    assert [len(np.unique(found[ink][field])) for ink in ("Cyan", "Magenta", "Yellow")] == [1, 1, 1]
    assert found["Yellow"][field].min() > 50
    white = plates(made(tmp_path, TINT + WORDS.format("#ffffff")), tmp_path)
    assert white["Yellow"][field].min() == 0, "white text is paper"


@with_ghostscript
@pytest.mark.parametrize("ground", [TINT, DEEP, '<image x="5" y="5" width="50" height="25" href="p.png"/>'])
def test_all_inks_together_keep_to_the_limit_beneath_black_text(tmp_path: Path, ground: str) -> None:
    noise = [Image.effect_noise((600, 300), spread) for spread in (90, 120, 150)]
    Image.merge("RGB", noise).save(tmp_path / "p.png")
    found = plates(made(tmp_path, ground + WORDS.format("#000000") + LINE.format("#000000", 0.4)), tmp_path)
    assert most_ink(found) <= PRESS.ink_limit


# --- small text in color -------------------------------------------------------------------------------------------

channels = st.integers(0, 255)


@settings(max_examples=30)
@given(st.tuples(channels, channels, channels))
def test_the_nearest_pair_has_two_inks_and_is_as_far_as_it_says(color: tuple[int, int, int]) -> None:
    pair = cmyk.nearest_pair(color, PRESS)
    assert sum(ink > 0 for ink in pair.inks) <= 2
    printed = Image.new("CMYK", (1, 1), tuple(round(ink * 255) for ink in pair.inks))
    seen = (cmyk.lab_of(Image.new("RGB", (1, 1), color)), cmyk.lab_on_paper(printed, PRESS))
    assert pair.distance == pytest.approx(float(cmyk.difference(*seen)[0, 0]), abs=1e-9)
    assert pair.distance < 35


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ],
)
def test_colors_differ_as_the_published_pairs_do(one: object, other: object, distance: float) -> None:
    """The pairs are those of Sharma, Wu and Dalal, 2005."""
    found = cmyk.difference(np.array(one, float), np.array(other, float))
    assert float(found) == pytest.approx(distance, abs=5e-5)


def test_a_red_caveat_is_magenta_and_yellow(tmp_path: Path) -> None:
    assert cmyk.nearest_pair((128, 0, 0), PRESS).distance == pytest.approx(20.7, abs=0.1)
    write_set(tmp_path, '- {name: One, kind: spell, level: 2, text: "When you take damage: Draw 1 card.", back: none}')
    assert kotc("shop", "drivethrucards", tmp_path, "--out", tmp_path).exit_code == 0
    colored = {inks for what, inks, _ in on_front(tmp_path / "cards.pdf") if what == "text" and any(inks[:3])}
    ((cyan, magenta, yellow, black),) = colored
    assert (cyan, black) == (0, 0)
    assert magenta == 1
    assert yellow == pytest.approx(0.91, abs=0.02)


def test_large_letters_keep_all_their_inks(tmp_path: Path) -> None:
    text = '<text x="10" y="{}" font-size="{}" fill="#c83c3c">i</text>'
    found = on_front(made(tmp_path, text.format(30, 5.6) + text.format(50, 5.7)))
    assert [sum(ink > 0 for ink in inks) for what, inks, _ in found if what == "text"] == [2, 3]


# --- the size of type -----------------------------------------------------------------------------------------------

LICENSES = ("CC0", "CC BY-NC-SA 4.0", "CC BY", "PD", "Free Art")
SMALL = """
- name: Card {number}
  kind: {kind}
  text: "When you take damage: Draw 1 card. (That is all.)"
  flavor: An efficient flame.
  art: {{file: p.png, author: A. Author, license: {license}}}
"""


def small(kind: str) -> str:
    """Return a card with each licence."""
    listed = [SMALL.format(number=number, kind=kind, license=each) for number, each in enumerate(LICENSES)]
    return "".join(f"{each}  level: 2\n" if kind == "spell" else each for each in listed)


NAMED = "name: Test\nedition: 17\ncredit: Card design by A. Author.\n"


def types(scene: Scene) -> list[float]:
    """Return the sizes of all text of a face, in points."""
    return [size / MM_PER_POINT for size in _sizes(scene.items, 1.0)]


def _sizes(items: tuple[Item, ...], growth: float) -> Iterator[float]:
    for item in items:
        if isinstance(item, TextRun):
            yield item.size * item.transform.growth * growth
        elif isinstance(item, Group):
            yield from _sizes(item.items, growth * item.transform.growth)


@pytest.mark.parametrize("size", ["poker", "mini", "tarot"])
@pytest.mark.parametrize("kind", ["spell", "tip"])
def test_for_a_press_our_templates_set_no_type_under_4_pt(tmp_path: Path, kind: str, size: str) -> None:
    write_set(tmp_path, small(kind), f"{NAMED}sheet: {{card_size: {size}}}\n")
    Image.new("RGB", (1200, 800), "teal").save(tmp_path / "p.png")
    ((card_set,), _) = survey([tmp_path])
    for printed, home in zip(lay_out_set(cards.for_press(card_set)).faces, lay_out_set(card_set).faces, strict=True):
        assert min(types(printed.front)) >= 4
        assert min(types(home.front)) < 4, "at home cards are as they always were"


def test_a_text_that_does_not_fit_at_4_pt_is_as_small_as_its_template_lets_it_be(tmp_path: Path) -> None:
    write_set(tmp_path, "- {name: One, kind: tip, text: A.}", SET.replace("Image", "Image and ever more words " * 2))
    ((card_set,), _) = survey([tmp_path])
    (face,) = lay_out_set(cards.for_press(card_set)).faces
    assert 2.5 < min(types(face.front)) < 4


def test_what_fits_at_home_fits_for_a_press(tmp_path: Path) -> None:
    words, fits = "a" + " ever more words" * 12, ""
    for _ in range(40):
        words += " words"
        write_set(tmp_path, f"- {{name: One, kind: pawn, text: A., flavor: {words}}}", NAMED)
        ((card_set,), _) = survey([tmp_path])
        if looked_at(card_set):
            break
        fits = words
    assert fits
    write_set(tmp_path, f"- {{name: One, kind: pawn, text: A., flavor: {fits}}}", NAMED)
    ((card_set,), _) = survey([tmp_path])
    assert min(types(lay_out_set(card_set).faces[0].front)) < 3.3, "it is set in the smallest size"
    assert 3.2 < min(types(lay_out_set(cards.for_press(card_set)).faces[0].front)) < 3.4


def test_a_set_s_own_copy_of_the_labels_goes_on_working(tmp_path: Path) -> None:
    write_set(tmp_path, small("spell"), NAMED)
    Image.new("RGB", (300, 200), "teal").save(tmp_path / "p.png")
    rect = '<rect x="{{ x }}" y="{{ y }}" width="{{ width }}" height="3"/>'
    (tmp_path / "licenses.svg").write_text(f"{{% macro label(license, x, y, width) %}}{rect}{{% endmacro %}}")
    ((card_set,), _) = survey([tmp_path])
    assert len(lay_out_set(cards.for_press(card_set)).faces) == len(lay_out_set(card_set).faces) == len(LICENSES)


def test_the_text_of_a_shop_s_file_is_4_pt_at_least(tmp_path: Path) -> None:
    with_plain_back(write_set(tmp_path, small("spell"), NAMED))
    Image.new("RGB", (300, 200), "teal").save(tmp_path / "p.png")
    assert kotc("shop", "drivethrucards", tmp_path, "--out", tmp_path / "out").exit_code == 0
    with pikepdf.Pdf.open(tmp_path / "out/cards.pdf") as pdf:
        streams = [*pdf.pages, *(each for each in pdf.objects if isinstance(each, pikepdf.Stream))]
        shown = [each for each in streams if each in pdf.pages or each.get("/Subtype") == "/Form"]
        sizes = [
            float(instruction.operands[1])
            for stream in shown
            for instruction in pikepdf.parse_content_stream(stream)
            if str(instruction.operator) == "Tf"
        ]
    assert min(size for size in sizes if size < 5) / MM_PER_POINT >= 4


# --- rich black -----------------------------------------------------------------------------------------------------

RICH = (0.6, 0.4, 0.4, 1.0)
AREA = '<rect x="-5" y="30" width="73.5" height="40"/>'


@pytest.mark.parametrize(
    ("shape", "inks"),
    [
        (AREA, RICH),
        ('<circle cx="30" cy="40" r="8"/>', RICH),
        ('<path fill-rule="evenodd" d="M5 5 H58 V80 H5 Z M9 9 V76 H54 V9 Z"/>', RICH),
        ('<path fill-rule="evenodd" d="M5 5 H58 V80 H5 Z M6 6 V79 H57 V6 Z"/>', BLACK),
        ('<rect x="5" y="30" width="50" height="1.5"/>', BLACK),
        ('<rect x="5" y="30" width="9" height="9"/>', BLACK),
        ('<rect x="0" y="0" width="60" height="60" fill="#010101"/>', None),
        ('<line x1="5" y1="40" x2="55" y2="40" stroke="#000000" stroke-width="20"/>', BLACK),
        ('<text x="5" y="60" font-size="60">i</text>', BLACK),
    ],
)
def test_rich_black_is_for_large_areas_and_no_text_and_no_line(
    tmp_path: Path, shape: str, inks: tuple[float, ...] | None
) -> None:
    wanted = inks or (0.0, 0.0, 0.0, cmyk.inks((1, 1, 1), PRESS)[3])
    assert on_front(made(tmp_path, shape, "--rich-black"))[-1][1] == pytest.approx(wanted)
    if inks:
        assert on_front(made(tmp_path, shape))[-1][1] == BLACK, "only where it is asked for"


@with_ghostscript
def test_rich_black_keeps_to_the_limit_with_black_lines_over_it(tmp_path: Path) -> None:
    found = on_front(made(tmp_path, AREA + LINE.format("#000000", 0.3).replace('"20"', '"50"'), "--rich-black"))
    assert found[-2:] == [("fill", RICH, False), ("line", BLACK, True)]
    separated = plates(tmp_path / "drivethrucards/cards.pdf", tmp_path)
    assert most_ink(separated) <= PRESS.ink_limit


def test_a_set_asks_for_rich_black_and_its_bleed_has_it_too(tmp_path: Path) -> None:
    sheet = "sheet: {rich_black: true, bleed_from: '#000000'}\noutputs: {shops: [drivethrucards]}\n"
    made(tmp_path, AREA)
    (tmp_path / "set.yaml").write_text(SET + sheet, encoding="utf-8")
    assert kotc("build", tmp_path, "--out", tmp_path / "out").exit_code == 0
    (file,) = (tmp_path / "out").rglob("cards.pdf")
    fills = [inks for what, inks, _ in on_front(file) if what == "fill"]
    assert fills == [RICH, RICH]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("shop", "makeplayingcards"), "--rich-black is for CMYK: files for MakePlayingCards are in RGB"),
        (("shop", "pdf-a2b"), "--rich-black is for CMYK: files for the archive, as PDF/A-2b are in RGB"),
        (("pdf",), "--rich-black needs --standard x-1a or x-4"),
    ],
)
def test_rich_black_without_inks_is_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    write_set(tmp_path, CARD)
    result = kotc(*arguments, tmp_path, "--rich-black")
    assert (result.exit_code, result.output.splitlines()[-1]) == (2, f"Error: {said}")


# --- sheets for a press ---------------------------------------------------------------------------------------------

SHEETS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: p.png, copies: 4}
- {name: Two, kind: spell, level: 2, text: "When you take damage: Draw 1 card.", back: p.png, copies: 7}
- {name: Three, kind: minion, level: 2, sp: 1, hp: 1}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = with_plain_back(write_set(tmp_path / "set", SHEETS))
    Image.effect_noise((300, 200), 120).convert("RGB").save(folder / "p.png")
    return folder


OPTIONS = (
    ("--paper", "sra3", "--bleed", "3", "--rich-black"),
    ("--backs", "fold", "--bleed", "2", "--bleed-from", "stretch", "--proof", "low-ink"),
    ("--backs", "separate", "--sheets-per-file", "1"),
    ("--backs", "none", "--crop-marks", "full", "--cut-line", "--proof", "grey"),
    ("--registration", "silhouette", "--grid", "2x3", "--card-size", "mini"),
)


@pytest.mark.parametrize(("standard", "options"), [*(("x-1a", options) for options in OPTIONS), ("x-4", OPTIONS[0])])
def test_sheets_for_a_press_pass_both_checks(folder: Path, standard: str, options: tuple[str, ...]) -> None:
    result = kotc("pdf", folder, "--out", folder / "out/s.pdf", "--standard", standard, *options)
    assert result.exit_code == 0, result.output
    title = {"x-1a": "PDF/X-1a:2003", "x-4": "PDF/X-4"}[standard]
    assert f"structured as {title}, in the inks of CGATS TR 006; not certified" in result.output
    files = sorted((folder / "out").glob("*.pdf"))
    for file in files:
        result = kotc("preflight", file, "--as", standard, "--ink", "240")
        assert result.exit_code == 0, result.output
        said = [line for line in result.stdout.splitlines() if not line.startswith("  hint")]
        small = [line for line in said if "mini" in options and ": type of 3.8 pt, and 4 pt can be read" in line]
        assert said == small, "cards of half the size have type of less than 4 pt"
    result = kotc("verify", *files, "--set", folder)
    assert result.exit_code == 0, result.output


def beside_the_cards(page: pikepdf.Page) -> bytes:
    """Return what is drawn on a page and is of no card."""
    kept, inside = [], 0
    for instruction in pikepdf.parse_content_stream(page):
        operator = str(instruction.operator)
        inside += operator == "BDC"
        if not inside:
            kept.append(instruction)
        inside -= operator == "EMC"
    return pikepdf.unparse_content_stream(kept)


def test_a_sheet_for_a_press_is_all_in_ink_and_its_marks_are_black(folder: Path) -> None:
    assert kotc("pdf", folder, "--out", folder / "s.pdf", "--standard", "x-1a", "--paper", "sra3").exit_code == 0
    with pikepdf.Pdf.open(folder / "s.pdf") as pdf:
        assert pdf.pdf_version == "1.4"
        assert pdf.Root.OutputIntents[0].OutputConditionIdentifier == "CGATS TR 006"
        for page in pdf.pages:
            boxes = [[float(value) for value in page.obj[name]] for name in ("/MediaBox", "/TrimBox", "/BleedBox")]
            assert boxes[0] == pytest.approx([0, 0, 320 / MM_PER_POINT, 450 / MM_PER_POINT], abs=1e-3)
            assert boxes[1] == boxes[2] == pytest.approx(boxes[0], abs=1e-3)
            marks = list(drawn(pdf.make_stream(beside_the_cards(page)), page.resources))
            assert {inks for _, inks, _ in marks} == {BLACK}
        names = {
            str(instruction.operator)
            for each in [*pdf.pages, *(one for one in pdf.objects if isinstance(one, pikepdf.Stream))]
            if each in pdf.pages or each.get("/Subtype") == "/Form"
            for instruction in pikepdf.parse_content_stream(each)
        }
        assert not names & {"g", "G", "rg", "RG", "cs", "CS", "sc", "SC", "scn", "SCN", "sh", "BI"}


def test_a_calibrated_sheet_for_a_press_passes_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTC_CONFIG", str(folder / "config"))
    readings = "A 0.5 0.2, B 0.5 0.2, C 0.5 0.2, D 0.5 0.2, E 0.5 0.2"
    assert kotc("calibrate", "--paper", "a4", "--printer", "P", "--read", readings).exit_code == 0
    arguments = ("--out", folder / "s.pdf", "--standard", "x-1a", "--printer", "P")
    assert kotc("pdf", folder, *arguments).exit_code == 0
    assert kotc("preflight", folder / "s.pdf", "--as", "x-1a").exit_code == 0
    assert kotc("verify", folder / "s.pdf").exit_code == 0


def test_a_build_and_a_deck_make_sheets_for_a_press_as_the_set_says(folder: Path) -> None:
    (folder / "set.yaml").write_text(SET + "sheet: {standard: x-1a, paper: sra4}\n", encoding="utf-8")
    assert kotc("pdf", folder, "--out", folder / "s.pdf").exit_code == 0
    assert kotc("build", folder, "--out", folder / "out").exit_code == 0
    (built,) = (folder / "out").rglob("sheets.pdf")
    assert built.read_bytes() == (folder / "s.pdf").read_bytes()
    deck = folder.parent / "d.yaml"
    deck.write_text("name: D\nedition: 17\nsets: set\ncards: {three: 40}\n", encoding="utf-8")
    assert kotc("deck", deck, "--pdf", folder / "d.pdf").exit_code == 0
    for file in (built, folder / "d.pdf"):
        assert kotc("preflight", file, "--as", "x-1a").exit_code == 0
    assert kotc("pdf", folder, "--standard", "none", "--out", folder / "home.pdf").exit_code == 0
    with pikepdf.Pdf.open(folder / "home.pdf") as pdf:
        assert "/OutputIntents" not in pdf.Root


def test_sheets_for_a_press_have_the_same_bytes_every_time(folder: Path) -> None:
    files = [folder / "one.pdf", folder / "two.pdf"]
    for file in files:
        assert kotc("pdf", folder, "--out", file, "--standard", "x-4").exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    with pikepdf.Pdf.open(BytesIO(files[0].read_bytes())) as pdf:
        assert pdf.check_pdf_syntax() == []


@with_ghostscript
def test_no_pixel_of_a_sheet_takes_more_ink_than_the_limit(folder: Path) -> None:
    arguments = ("--standard", "x-1a", "--bleed", "2", "--crop-marks", "corner", "--gutter", "8")
    assert kotc("pdf", folder, "--out", folder / "s.pdf", *arguments).exit_code == 0
    assert most_ink(plates(folder / "s.pdf", folder, 100)) <= PRESS.ink_limit
