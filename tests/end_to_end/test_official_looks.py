"""Official cards, imported from their GIMP files and drawn, look as published, and every line ends where theirs ends.

The files are not part of this repository; where they are not found the tests are skipped.
`python -m tests.support.official_cards FOLDER` prints the same of any folder of official cards.
"""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support import official_cards, rasters
from tests.support.official_cards import Beside
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

REFERENCE = ROOT.parent / "shared" / "reference" / "ninth"
FILES = sorted(REFERENCE.glob("[!_]*.xcf"))
NAMES = [file.stem for file in FILES]

pytestmark = pytest.mark.skipif(not FILES, reason="the GIMP files of official cards are not on this machine")


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Beside]:
    return {each.name: each for each in official_cards.compare(FILES, tmp_path_factory.mktemp("official"))}


def test_all_cards_are_compared(beside: dict[str, Beside]) -> None:
    assert sorted(beside) == sorted(NAMES)
    assert len(beside) >= 14


@pytest.mark.parametrize("name", NAMES)
def test_a_card_differs_by_at_most_1_and_a_half_of_255_outside_picture_text_and_flavor(
    beside: dict[str, Beside], name: str
) -> None:
    assert beside[name].difference <= official_cards.MAX_DIFFERENCE


@pytest.mark.parametrize("name", NAMES)
def test_every_line_ends_where_it_ends_on_the_official_card(beside: dict[str, Beside], name: str) -> None:
    assert (beside[name].text, beside[name].flavor) == ((), ())


def test_a_line_that_ends_elsewhere_and_another_frame_are_noticed(tmp_path: Path) -> None:
    """Without the sizes of its author, and with the diamond of a later edition, the card is another one."""
    report = official_cards.compare([REFERENCE / "crop_rotation.xcf"], tmp_path / "same")
    assert [each.text for each in report] == [()]
    file = tmp_path / "same" / "cards" / "crop-rotation.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("text_size: 6.12", "text_size: 6"), encoding="utf-8")
    (card,) = official_cards.beside_files(
        tmp_path / "same" / "cards", {"crop-rotation": REFERENCE / "crop_rotation.png"}
    )
    assert card.text != ()
    card_of_12 = "name: Thor\nkind: minion\nlevel: 8\nsp: 6\nhp: 30\ntext: This card has no abilities.\n"
    assert kotc("png", write_set(tmp_path / "s", card_of_12), "--dpi", "400", "--out", tmp_path).exit_code == 0
    ours = rasters.png((tmp_path / "thor.png").read_bytes())
    with Image.open(REFERENCE / "thor.png") as published:
        theirs = rasters.pixels(published)[100:-100, 100:-100]
    assert official_cards.frame_difference(ours, theirs) > official_cards.MAX_DIFFERENCE
    assert np.shape(ours) == np.shape(theirs)
