"""`kotc verify` judges files for print shops: PDFs of single cards, and folders of pictures with `order.csv`."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PIL import Image, ImageChops
from proofs.verified_sheets.whole_sheets import few, job

from render.exports.shop_files import ShopOptions, shop_files, write_shop_files
from render.shops.profiles import Copies, shops
from tests.support.sheet_files import verified


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written into a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["drivethrucards", "pdf-x4", "pdf-a2b"])
@pytest.mark.parametrize("copies", Copies)
def test_a_pdf_for_a_shop_passes(name: str, copies: Copies) -> None:
    (_, data), *_ = shop_files(job(few(), is_for_press=name != "pdf-a2b"), shops()[name], ShopOptions(copies))
    Path("cards.pdf").write_bytes(data)
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
