"""Sheets with one mistake each, of the kinds that a print can have: `kotc verify` finds every one, and says which.

The mistakes are put into files that pass. Those that only the cards can show are found with `--set`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest
from pikepdf import Pdf
from PIL import Image, ImageChops

from render.base.sizes import PAPERS
from render.exports.shop_files import ShopOptions, shop_files, write_shop_files
from render.sheets.options import Backs, Crop, Registration
from render.shops.profiles import Copies, shops
from tests.support.repository import ROOT
from tests.support.sheet_files import Change, verified, written
from tests.verify import faults
from tests.verify.test_verify_faults import FOUND as IN_OTHER_SHEETS
from tests.verify.whole_sheets import SMALL, few, job

pytestmark = pytest.mark.usefixtures("in_empty_folder")

FOUND = Path(__file__).parent / "seeded_faults.txt"
"""What is found of each mistake, in exact words: below the name of its function, indented."""


def sheets(name: str = "") -> Path:
    """Write the sheets into which a mistake is put."""
    if name not in OPTIONS:
        Path("sheets.pdf").write_bytes(usual())
        return Path("sheets.pdf")
    (file,) = written(printed=job(few()), **{"paper": SMALL, **OPTIONS[name]})  # type: ignore[arg-type] # options of sheets
    return file


@cache
def usual() -> bytes:
    """Return the sheets of the usual options."""
    (file,) = written(printed=job(few()), paper=SMALL)
    return file.read_bytes()


# --- what is found --------------------------------------------------------------------------------------------------

OPTIONS: dict[str, dict[str, object]] = {
    "speck_in_the_bleed": {"bleed": 1.0},
    "bleed_missing_inside": {"bleed": 1.0},
    "fold_line_moved": {"backs": Backs.FOLD, "paper": PAPERS["a3"]},
    "registration_mark_moved": {
        "registration": Registration.SILHOUETTE,
        "paper": PAPERS["a4"],
        "grid": (2, 3),
        "crop_marks": Crop.OFF,
    },
}
"""Options of the sheets into which a mistake is put, if they are not the usual ones."""


def told(section: str) -> list[tuple[str, str]]:
    """Return the mistakes of a section, with what is found of each."""
    text = FOUND.read_text(encoding="utf-8").split(f"# {section}\n")[1].split("\n# ")[0]
    return [(name, dedent(body)) for name, body in re.findall(r"^(\w+)\n((?:    .*\n)+)", text + "\n", re.MULTILINE)]


def changed_by(name: str, file: Path, *more: object) -> str:
    """Return what is found in a file into which a mistake was put, without the name of the file."""
    change: Change = getattr(faults, name)
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(file)
    result = verified(file, *more)
    assert result.exit_code == 1
    return result.stdout.replace(f"{file}:1:1: error: ", "")


@pytest.mark.parametrize(("name", "found"), told("sheets"))
def test_a_mistake_on_sheets_is_found(name: str, found: str) -> None:
    assert changed_by(name, sheets(name)) == found


@pytest.mark.parametrize(("name", "found"), told("sheets, with --set"))
def test_what_only_the_cards_can_show_is_found_with_them(name: str, found: str) -> None:
    file = sheets()
    assert changed_by(name, file, "--set", few()) == found


@pytest.mark.parametrize(("name", "found"), told("cards.pdf of the shop pdf-x4"))
def test_a_mistake_in_a_file_of_a_shop_is_found(name: str, found: str) -> None:
    Path("cards.pdf").write_bytes(shop_pdf())
    assert changed_by(name, Path("cards.pdf")) == found


def test_there_are_as_many_mistakes_as_the_reference_of_tests_says() -> None:
    sections = ("sheets", "sheets, with --set", "cards.pdf of the shop pdf-x4")
    names = [name for section in sections for name, _ in told(section)]
    reference = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    assert f"each of {len(set(names))} + {len(IN_OTHER_SHEETS)} seeded mistakes" in reference
    assert f"of {len(IN_FOLDERS)} in folders of pictures" in reference
    assert len(set(names)) == len(names) > 50


TOLD_WITHOUT = ("other_font",)  # it has not the glyphs


@pytest.mark.parametrize("name", [name for name, _ in told("sheets, with --set") if name not in TOLD_WITHOUT])
def test_what_a_file_does_not_show_is_not_claimed(name: str) -> None:
    """Without the cards nobody knows what a single face is to show."""
    file = sheets()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        getattr(faults, name)(pdf)
        pdf.save(file)
    assert verified(file).exit_code == 0


# --- files of shops that are right ----------------------------------------------------------------------------------


@cache
def shop_pdf() -> bytes:
    """Return the file that `kotc shop pdf-x4` makes of these cards."""
    (file,) = shop_files(job(few(), is_for_press=True), shops()["pdf-x4"], ShopOptions())
    return file.data


@pytest.mark.parametrize("name", ["drivethrucards", "pdf-x4", "pdf-a2b"])
@pytest.mark.parametrize("copies", Copies)
def test_a_pdf_for_a_shop_passes(name: str, copies: Copies) -> None:
    (file,) = shop_files(job(few(), is_for_press=name != "pdf-a2b"), shops()[name], ShopOptions(copies))
    Path("cards.pdf").write_bytes(file.data)
    number = 4 if copies is Copies.EACH else 3
    assert verified("cards.pdf", "--set", few()).output == (
        f"{number} cards, {2 * number} pages:"
        " sizes, places, backs, copies, drawings, marks, fonts, print hints: all right\n"
    )


_HOME = TemporaryDirectory()


@cache
def shop_pictures() -> Path:
    """Return the folder that `kotc shop makeplayingcards` makes of these cards."""
    made = Path(_HOME.name) / "pictures"
    write_shop_files(shop_files(job(few(), is_for_press=True), shops()["makeplayingcards"], ShopOptions()), made, made)
    return made


@pytest.fixture
def pictures() -> Path:
    """A copy of that folder."""
    shutil.copytree(shop_pictures(), "made")
    return Path("made")


def test_a_folder_of_pictures_passes(pictures: Path) -> None:
    right = "4 cards, 4 pictures: sizes, copies, drawings: all right\n"
    for path in (pictures, pictures / "order.csv"):
        assert verified(path, "--set", few()).output == right
    assert verified(pictures).output == (
        f"not checked: {pictures}: drawings: a picture does not say what it is to show: give the set\n"
        "4 cards, 4 pictures: sizes, copies: all right\n"
    )


def repainted(file: Path, change: Callable[[Image.Image], Image.Image]) -> None:
    with Image.open(file) as opened:
        change(opened.copy()).save(file, dpi=(300, 300))


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def replaced(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


IN_FOLDERS: list[tuple[Callable[[Path], object], str]] = [
    (
        lambda made: shutil.copy(made / "fronts/gnu.png", made / "fronts/hen.png"),
        "`hen`: `fronts/hen.png` shows something else than its card: 284212 pixels differ, at 75, 105 to 746, 946 [Q",
    ),
    (
        lambda made: repainted(made / "fronts/gnu.png", lambda image: ImageChops.offset(image, 1, 0)),
        "`gnu`: `fronts/gnu.png` shows something else than its card: 22408 pixels differ, at 72, 72 to 751, 1050 [Q",
    ),
    (
        lambda made: repainted(made / "fronts/gnu.png", lambda image: image.resize((800, 1100))),
        "`fronts/gnu.png`: no shop takes a picture like this one [Q010]",
    ),
    (
        lambda made: repainted(made / "fronts/hen.png", lambda image: image.convert("RGBA")),
        "`fronts/hen.png`: it is RGB with an alpha channel of 8 bits, and the shop asks for RGB of 8 [Q010]",
    ),
    (lambda made: cut_off(made / "fronts/hen.png"), "`fronts/hen.png` is a PNG that ends too early [Q010]"),
    (
        lambda made: replaced(made / "order.csv", "hen.png,backs/back.png,1", "hen.png,backs/back.png,2"),
        "`hen`: there twice, and the set has it once [Q060]",
    ),
    (
        lambda made: replaced(made / "order.csv", "backs/back.png,1,Gnu", ",1,Gnu"),
        "the back of `gnu`: `order.csv` has no back, and its card has one [Q090]",
    ),
    (lambda made: replaced(made / "order.csv", "copies", "number"), "`order.csv` is not a list of fronts, backs"),
    (lambda made: replaced(made / "order.csv", ",1,Hen", ",0,Hen"), "line 3 of `order.csv` is not a front, a back and"),
    (
        lambda made: replaced(made / "order.csv", "hen.png", "gnu.png"),
        "line 3 of `order.csv` has `fronts/gnu.png` again",
    ),
    (lambda made: (made / "fronts/imp.png").unlink(), "`fronts/imp.png` is missing [Q060]"),
    (
        lambda made: shutil.copy(made / "fronts/gnu.png", made / "fronts/cow.png"),
        "`fronts/cow.png` is in no line of `order.csv` [Q060]",
    ),
    (
        lambda made: shutil.copytree(made / "fronts", made / "more"),
        "`more` is in no line of `order.csv` [Q060]",
    ),
    (
        lambda made: replaced(made / "order.csv", ",1,Gnu", ",1,Gnat"),
        "`gnu`: `order.csv` calls it `Gnat`, and its set `Gnu` [Q003]",
    ),
]


@pytest.mark.parametrize(("change", "found"), IN_FOLDERS)
def test_a_mistake_in_a_folder_of_pictures_is_found(
    pictures: Path, change: Callable[[Path], object], found: str
) -> None:
    change(pictures)
    result = verified(pictures, "--set", few())
    assert found in result.stdout
    assert result.exit_code == 1


def test_a_folder_that_is_named_twice_is_there_once(pictures: Path) -> None:
    right = "4 cards, 4 pictures: sizes, copies, drawings: all right\n"
    assert verified(pictures, pictures / "order.csv", "--set", few()).output == right


def test_a_picture_that_breaks_off_is_found_without_the_set(pictures: Path) -> None:
    cut_off(pictures / "fronts/gnu.png")
    result = verified(pictures)
    assert "order.csv:1:1: error: `fronts/gnu.png` is a PNG that ends too early [Q010]" in result.stdout
    assert result.exit_code == 1
