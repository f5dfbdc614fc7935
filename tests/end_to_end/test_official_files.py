"""The official cards' GIMP files, imported: every text, number and picture is that of their layers.

They are not part of this repository; where they are not found the tests are skipped. What the layers hold is taken from
the bytes of the files by a pattern, and from the PNGs that the cards' authors published.
"""

import html
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import render
from render.games.kotc.model.cards import Card
from tests.support.repository import ROOT
from tests.support.sets import kotc

REFERENCE = ROOT.parent / "shared" / "reference" / "ninth"
FILES = sorted(REFERENCE.glob("[!_]*.xcf"))
NAMES = [file.stem for file in FILES]

pytestmark = pytest.mark.skipif(not FILES, reason="the GIMP files of official cards are not on this machine")

ART = np.s_[270:830, 150:1050]  # of a published picture: the card of 1000 x 1400 lies in the middle of 1200 x 1600
CREATURES = {"american_robin", "anubis", "canis lupus", "lucifer", "spirit_board", "thor"}
CREATURES.add("war_-_2nd_horseman_of_the_apocalypse")


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Card]:
    """The cards as loaded from what was imported, by the names of their files."""
    folder = tmp_path_factory.mktemp("official") / "ninth"
    report = render.import_cards(FILES, folder)
    assert report.findings == ()
    (card_set,) = render.load_sets(folder)
    by_id = {card.id: card for card in card_set.cards if isinstance(card, Card)}
    return {each.source.stem: by_id[each.card] for each in report.cards}


def layers(name: str) -> dict[str, tuple[str, float]]:
    """Return the words and the size of each text layer, as the bytes of a file have them."""
    data = (REFERENCE / f"{name}.xcf").read_bytes()
    found = {}
    pattern = (
        rb"\0\0\0.([A-Z][A-Za-z ]+)\0(?:(?!gimp-text-layer).){0,300}gimp-text-layer\0.{8}\((text|markup) \"(.*?)\"\)\n"
    )
    for layer in re.finditer(pattern, data, re.DOTALL):
        words = layer[3].decode().replace("\\n", "\n").replace('\\"', '"')
        if layer[2] == b"markup":
            words = html.unescape(re.sub("<[^>]*>", "", words))
        size = re.search(rb"\(font-size ([\d.]+)\)", data[layer.end() :])
        assert size
        found[layer[1].decode()] = words, float(size[1])
    return found


def same_words(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


@pytest.mark.parametrize("name", NAMES)
def test_every_text_and_number_is_that_of_its_layer(cards: dict[str, Card], name: str) -> None:
    card, said = cards[name], layers(name)
    assert (card.name, card.flavor, card.credit) == (said["Name"][0], said["Flavor Text"][0], said["Card License"][0])
    assert same_words(card.text) == same_words(said["Effect Text"][0])
    assert f"{card.edition}th Edition" == said["Edition Indicator"][0]
    assert (card.kind.value == "creature") == (name in CREATURES)
    assert str(card.level) == said["Cost"][0]
    if name in CREATURES:
        assert (str(card.sp), str(card.hp)) == (said["Offense"][0], said["Defense"][0])


@pytest.mark.parametrize("name", NAMES)
def test_every_size_is_that_of_its_layer(cards: dict[str, Card], name: str) -> None:
    card, said = cards[name], layers(name)
    px = 63.5 / 1000
    assert card.text_size == pytest.approx(said["Effect Text"][1] * px, abs=0.002)
    assert card.flavor_size == pytest.approx(said["Flavor Text"][1] * px, abs=0.002)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_that_of_the_published_card(cards: dict[str, Card], name: str) -> None:
    """The picture lies on white, and the line of the card's frame upon the first and last three columns of it."""
    art = cards[name].art
    assert art
    with Image.open(art.file) as opened, Image.open(REFERENCE / f"{name}.png") as published:
        layer = np.asarray(opened.convert("RGBA"), np.float64)
        wanted = np.asarray(published.convert("RGB"), np.float64)[ART]
    alpha = layer[:, :, 3:] / 255
    shown = np.rint(layer[:, :, :3] * alpha + 255 * (1 - alpha))
    assert np.array_equal(shown[:, 3:-3], wanted[:, 3:-3])


def test_importing_them_again_changes_nothing(cards: dict[str, Card]) -> None:
    folder = cards["thor"].document.file.parent
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    assert {each.outcome for each in render.import_cards(FILES, folder).cards} == {"unchanged"}
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


def test_the_template_and_the_tip_are_cards_too(tmp_path: Path) -> None:
    report = render.import_cards([REFERENCE / "_template.xcf", REFERENCE / "_tip_spells.xcf"], tmp_path / "more")
    assert [each.card for each in report.cards] == ["unnamed", "spells"]
    assert [finding.code for finding in report.findings] == ["X020", "X023"]
    assert render.check_sets(tmp_path / "more").cards == 2


def test_as_many_cards_come_out_as_files_go_in_whatever_they_are_called(tmp_path: Path) -> None:
    copies = []
    for name, file in zip(("Set", "set", "Game", "Deck"), FILES, strict=False):
        data = file.read_bytes()
        words = re.search(rb"\x05Name\0.*?(?:\(text \"|rise=[^>]*>)([^\"<]*)", data, re.DOTALL)
        assert words
        called = name.encode().ljust(len(words[1]))  # as many bytes, so that all places in the file stay
        copies.append(tmp_path / f"{name}.xcf")
        copies[-1].write_bytes(data[: words.start(1)] + called + data[words.end(1) :])
    result = kotc("import", *FILES, *copies, "--to", tmp_path / "ninth")
    total = len(FILES) + len(copies)
    assert (result.exit_code, f"{total} files, {total} cards written, {total} checked: " in result.stderr) == (0, True)
    (card_set,) = render.load_sets(tmp_path / "ninth")
    assert len(card_set.cards) == total
    assert sorted({card.name for card in card_set.cards} & {"Set", "set", "Game", "Deck"}) == [
        "Deck",
        "Game",
        "Set",
        "set",
    ]
    assert len([*(tmp_path / "ninth" / "art").iterdir()]) == total
