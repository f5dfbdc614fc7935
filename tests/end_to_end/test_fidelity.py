"""The official cards, made anew from YAML at 400 dpi, are the official cards.

The pictures of the cards are not part of this repository; where they are not found the tests are skipped.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support import rasters
from tests.support.rasters import Extent
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

REFERENCE = ROOT.parent / "shared" / "reference"

pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the pictures of official cards are not on this machine")

CARDS = """
- name: Thor
  kind: minion
  level: 9
  sp: 4
  hp: 6
  text: |
    THOR'S HAMMER: When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion; destroy it.
  flavor: Thor is one of the most well-known Germanic gods, a hammer-wielding god of thunder and strength.
- name: Tornado
  kind: spell
  level: 4
  text: Target up to 2 on-field minions; destroy the targets.
  flavor: Tornadoes can often cause a great deal of damage to infrastructure.
- name: Antibiotic
  kind: spell
  level: 2
  text: 2-dice-heal yourself. (Roll 2 dice and gain HP equal to the result.)
  flavor: >-
    The discovery of antibiotics in the 20th century resulted in a revolution in the practice of medicine that saved
    countless lives.
- name: Mourning a Loss
  kind: spell
  edition: 9
  cost: 5
  text: >-
    Activate when at least 1 of your cards in play (excluding this card) is destroyed. Target up to 2 cards on the top
    of one player's deck. Reveal all targets, then summon or cast any number of targets that are not in play (paying the
    usual costs).
  flavor: We will get through this.
- name: Anubis
  kind: creature
  edition: 9
  offense: 5
  defense: 25
  cost: 8
  text: "You must sacrifice 3 cards in play to summon this creature.\\n\\
    EVIL DEEDS: Activate when at least 1 of your cards in play (excluding this card) is destroyed. Target up to 2\\
    \\ exhausted cards in play. Place 2 counters on each target.\\n\\
    DIVINE JUDGMENT: Target up to 1 card in play with at least 2 counters. Destroy all targets."
"""
OFFICIAL = ("thor", "tornado", "antibiotic")
MINIONS = ("thor",)

ART = np.s_[168:732, 48:952]
CREDIT = np.s_[733:772, 60:940]
TEXTS = {
    "name": np.s_[60:165, 60:940],
    "ability": np.s_[782:1070, 104:896],
    "edition indicator": np.s_[1085:1118, 300:700],
    "flavor": np.s_[1245:1344, 56:944],
}
COLORS = {"sp": (255, 170, 170), "level": (170, 255, 170), "hp": (175, 175, 255), "triangles": (102, 0, 128)}
GRAY = (128, 128, 128)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cards as PNGs at 400 dpi."""
    folder = tmp_path_factory.mktemp("official")
    result = kotc("png", write_set(folder / "set", CARDS), "--dpi", "400", "--out", folder / "png")
    assert result.exit_code == 0, result.output
    return folder / "png"


def ours(made: Path, card: str) -> rasters.Pixels:
    return rasters.png((made / f"{card}.png").read_bytes())


def theirs(card: str) -> rasters.Pixels:
    return rasters.pixels(Image.open(REFERENCE / f"{card}-17e.png"))


def of_color(pixels: rasters.Pixels, color: tuple[int, int, int]) -> NDArray[np.bool_]:
    return np.asarray(rasters.lightest(np.abs(pixels - np.array(color))) < 24)


def dark(pixels: rasters.Pixels) -> NDArray[np.bool_]:
    return np.asarray(rasters.lightest(pixels) < 128)


@pytest.mark.parametrize("card", OFFICIAL)
def test_a_card_is_1000_by_1400_pixels(made: Path, card: str) -> None:
    assert ours(made, card).shape == (1400, 1000, 3)


@pytest.mark.parametrize("card", OFFICIAL)
def test_a_card_differs_by_at_most_4_of_255_outside_the_art_box(made: Path, card: str) -> None:
    difference = np.abs(ours(made, card) - theirs(card)).mean(axis=2)
    difference[ART] = np.nan
    assert np.nanmean(difference) <= 4.0


@pytest.mark.parametrize("zone", TEXTS)
@pytest.mark.parametrize("card", OFFICIAL)
def test_every_line_of_text_stands_within_2_pixels_of_its_place(made: Path, card: str, zone: str) -> None:
    mine, wanted = (list(rasters.lines(dark(pixels[TEXTS[zone]]))) for pixels in (ours(made, card), theirs(card)))
    assert len(mine) == len(wanted) > 0
    for line, other in zip(mine, wanted, strict=True):
        assert max(abs(line.top - other.top), abs(line.bottom - other.bottom), abs(line.left - other.left)) <= 2


@pytest.mark.parametrize("zone", TEXTS)
@pytest.mark.parametrize("card", OFFICIAL)
def test_every_line_of_text_ends_where_the_official_one_ends(made: Path, card: str, zone: str) -> None:
    """Within 2 px, or 1.2 % of a line that is not justified.

    The official pictures round the width of every glyph to whole pixels, which adds up along a line; we do not. It
    takes two of the lines here beyond 2 px: by 4 px (a line of Thor's flavor text) and by 5 px (Tornado's last line).
    """
    mine, wanted = (list(rasters.lines(dark(pixels[TEXTS[zone]]))) for pixels in (ours(made, card), theirs(card)))
    for number, (line, other) in enumerate(zip(mine, wanted, strict=True), start=1):
        justified = zone == "ability" and number < len(wanted)
        assert abs(line.right - other.right) <= (2 if justified else max(2, 0.012 * (other.right - other.left)))


@pytest.mark.parametrize("card", OFFICIAL)
def test_every_symbol_is_within_2_pixels_of_its_place(made: Path, card: str) -> None:
    names = ("sp", "level", "hp") if card in MINIONS else ("level", "triangles")
    for name in names:
        mine, wanted = (
            rasters.extent(of_color(pixels[1090:1240], COLORS[name])) for pixels in (ours(made, card), theirs(card))
        )
        assert mine.distance(wanted) <= 2, name


@pytest.mark.parametrize("card", OFFICIAL)
def test_every_number_is_within_2_pixels_of_its_place(made: Path, card: str) -> None:
    for left, right in ((80, 220), (440, 560), (780, 920)) if card in MINIONS else ((440, 560),):
        mine, wanted = (
            rasters.extent(dark(pixels[1125:1225, left:right])) for pixels in (ours(made, card), theirs(card))
        )
        assert mine.distance(wanted) <= 2


@pytest.mark.parametrize("card", OFFICIAL)
def test_frame_and_ability_box_are_within_2_pixels_of_their_place(made: Path, card: str) -> None:
    for zone in (np.s_[:, :], np.s_[773:1078, 95:905]):
        mine, wanted = (
            rasters.extent(_lined(of_color(pixels[zone], GRAY))) for pixels in (ours(made, card), theirs(card))
        )
        assert mine.distance(wanted) <= 2


def _lined(gray: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Keep the rows and columns of a mask that are lines, not the odd grey pixel at the edge of a letter."""
    rows, columns = gray.mean(axis=1) > 0.5, gray.mean(axis=0) > 0.5
    return np.asarray(gray & (rows[:, None] | columns[None, :]))


@pytest.fixture(scope="module")
def ninth(made: Path) -> rasters.Pixels:
    return ours(made, "mourning-a-loss")


def test_the_9th_edition_card_has_a_red_condition_where_the_official_one_has_it(ninth: rasters.Pixels) -> None:
    wanted = rasters.pixels(Image.open(REFERENCE / "mourning_a_loss-9e-annotated.png"))
    zone = np.s_[782:1070, 118:896]  # a numbered circle of the picture covers what lies left of this
    mine, official = (_red(pixels[zone]) for pixels in (ninth, wanted))
    assert [line.distance(other) <= 2 for line, other in zip(mine, official, strict=True)] == [True, True]


def test_the_9th_edition_card_has_the_padlock_where_the_official_one_has_it(ninth: rasters.Pixels) -> None:
    wanted = rasters.pixels(Image.open(REFERENCE / "mourning_a_loss-9e-annotated.png"))
    zone = np.s_[820:1020, 420:580]
    mine, official = (rasters.extent(of_color(pixels[zone], (222, 222, 222))) for pixels in (ninth, wanted))
    assert mine.distance(official) <= 2


def test_the_9th_edition_card_has_its_text_where_the_official_one_has_it(ninth: rasters.Pixels) -> None:
    wanted = rasters.pixels(Image.open(REFERENCE / "mourning_a_loss-9e-annotated.png"))
    zone = np.s_[782:1030, 118:896]
    mine, official = (list(rasters.lines(rasters.darkest(pixels[zone]) < 100)) for pixels in (ninth, wanted))
    assert len(mine) == len(official) == 6
    assert max(a.distance(b) for a, b in zip(mine, official, strict=True)) <= 2


def test_a_creature_of_the_9th_edition_is_red_where_the_official_one_is(made: Path) -> None:
    """The official line that ends its condition is spaced out, since `exhausted` went to the next one: it is longer."""
    printable = rasters.pixels(Image.open(REFERENCE / "ninth" / "anubis.png"))[100:-100, 100:-100]
    zone = np.s_[782:1070, 104:896]
    mine, official = (_red(pixels[zone]) for pixels in (ours(made, "anubis"), printable))
    assert [abs(line.left - other.left) <= 2 for line, other in zip(mine, official, strict=True)] == [True, True, True]
    assert [abs(line.top - other.top) <= 4 for line, other in zip(mine, official, strict=True)] == [True, True, True]
    assert [abs(line.right - other.right) <= 2 for line, other in zip(mine, official, strict=True)] == [
        True,
        True,
        False,
    ]


def test_up_to_the_16th_edition_hp_is_a_square_and_from_the_17th_on_a_diamond(tmp_path: Path) -> None:
    cards = "\n".join(
        f"- {{name: Card {edition}, kind: minion, edition: {edition}, level: 1, sp: 1, hp: 1}}" for edition in (16, 17)
    )
    kotc("png", write_set(tmp_path / "set", cards), "--dpi", "400", "--out", tmp_path)
    square, diamond = (of_color(ours(tmp_path, f"card-{edition}")[1090:1260], COLORS["hp"]) for edition in (16, 17))
    assert rasters.extent(square).distance(Extent(35, 134, 800, 899)) <= 1
    assert rasters.extent(diamond).distance(Extent(14, 155, 779, 920)) <= 2


def _red(pixels: rasters.Pixels) -> list[Extent]:
    return list(rasters.lines((pixels[:, :, 0] - pixels[:, :, 1]) > 60))
