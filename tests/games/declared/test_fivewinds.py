"""The set in `cards/fivewinds`, a game of quite another anatomy, is whole: all of it is YAML and SVG.

`python -m tests.games.declared.test_fivewinds` writes the scene of one card anew, for you to read the difference.
"""

import shutil
import subprocess
from pathlib import Path

import pypdfium2 as pdfium
import pytest
import yaml

from render.game.declared.cards import DeclaredCard
from render.game.faces import lay_out_set
from render.game.registry import game_of
from render.game.sources import load_sets
from tests.support.repository import ROOT
from tests.support.scene_dumps import dump
from tests.support.sets import kotc

FIVEWINDS = ROOT / "cards" / "fivewinds"
GOLDEN = Path(__file__).parent / "fivewinds-hare.txt"


@pytest.fixture(scope="module")
def cards() -> dict[str, DeclaredCard]:
    """The cards of the set by id."""
    (card_set,) = load_sets([FIVEWINDS])
    return {card.id: card for card in card_set.cards if isinstance(card, DeclaredCard)}


def value(card: DeclaredCard, name: str) -> object:
    return dict(card.values)[name]


def test_colors_follow_from_costs(cards: dict[str, DeclaredCard]) -> None:
    shown = {card.id: value(card, "hues") for card in cards.values()}
    of_one = ("hive-warden", "first-snow", "bramble-burst", "mossback-stag", "hush")
    assert [shown[card] for card in of_one] == ["H", "F", "R", "M", "N"]
    assert (shown["badger-of-the-dusk-gate"], shown["the-old-weathervane"], shown["bee"]) == ("MN", "", "H")
    assert [value(half, "hues") for half in cards["sow-reap"].small] == ["M", "H"]


def test_the_set_has_every_part_of_its_anatomy(cards: dict[str, DeclaredCard]) -> None:
    kinds = [card.kind.value for card in cards.values()]
    assert len(kinds) == 24
    assert {kind: kinds.count(kind) for kind in ("haven", "token", "split", "twofold")} == {
        "haven": 5,
        "token": 2,
        "split": 1,
        "twofold": 1,
    }
    rarities = {value(card, "rarity") for card in cards.values() if card.kind.value != "token"}
    assert {"common", "uncommon", "rare"} <= rarities
    assert {str(value(card, "strength")) for card in cards.values()} >= {"2/4", "*/1+*"}
    assert [card.id for card in cards.values() if value(card, "storied")] == ["wren-of-the-vane"]
    assert [card.id for card in cards.values() if value(card, "from_cairn")] == ["ghost-of-the-orchard"]
    assert [card.id for card in cards.values() if "{X}" in str(value(card, "gusts"))] == ["first-snow"]
    assert [value(cards[card], "numbered") for card in ("hive-warden", "bee")] == ["001/022", "T1/T2"]


def test_nothing_is_doubtful_about_the_set_and_its_deck() -> None:
    assert kotc("check", str(FIVEWINDS), "--strict").output == "24 cards checked: nothing to report\n"
    deck = kotc("check", str(ROOT / "cards/decks/honey-and-moss.yaml"))
    assert deck.output == "9 cards checked: nothing to report\n"


def test_a_token_belongs_in_no_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FIVEWINDS, "fivewinds")
    Path("bees.yaml").write_text("name: Bees\ngame: fivewinds\nsets: [fivewinds]\ncards: {bee: 4}\n", encoding="utf-8")
    assert "`bee` is a token, and does not belong in a deck" in kotc("check", "bees.yaml").output


def test_its_sheets_are_proved_and_their_symbols_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FIVEWINDS, "some")
    file = Path("some/cards.yaml")
    every = yaml.safe_load(file.read_text(encoding="utf-8"))
    few = [card for card in every if card["folio"] in ("001", "003", "013", "016", "017", "020", "T1")]
    file.write_text(yaml.safe_dump(few), encoding="utf-8")  # the whole set takes ten seconds
    assert kotc("pdf", "some", "--out", "sheets.pdf").exit_code == 0
    proved = kotc("verify", "sheets.pdf", "--set", "some")
    assert "all right" in proved.output, proved.output
    with pdfium.PdfDocument("sheets.pdf") as pages:
        words = pages[0].get_textpage().get_text_bounded()
    assert "Hive Warden" in words
    assert "{2}{H}" in words
    assert "{F}, {Z}: Choose a creature that rests." in " ".join(words.split())


def test_nothing_in_the_program_knows_the_game() -> None:
    names = [*yaml.safe_load((FIVEWINDS / "game.yaml").read_text(encoding="utf-8"))["fields"], "fivewinds", "windfall"]
    own = [name for name in names if name not in USUAL]
    patterns = [word for name in own for word in ("-e", name)]
    found = subprocess.run(
        ["git", "grep", "-iwl", *patterns, "--", "render"], cwd=ROOT, capture_output=True, check=False
    )
    assert (found.returncode, found.stdout) == (1, b"")


USUAL = ("class", "symbols", "notice", "strength", "lore", "metal", "numbered", "hues")
"""Fields that are called by words which anybody uses."""


def scene() -> str:
    """Return the front of a small card, item by item."""
    (card_set,) = load_sets([FIVEWINDS])
    faces = next(each for each in lay_out_set(card_set).faces if each.card.id == "hare-of-the-first-light")
    return dump(faces.front)


def test_names_of_fields_are_told_as_words() -> None:
    (card_set,) = load_sets([FIVEWINDS])
    hare = next(each for each in card_set.cards if each.id == "hare-of-the-first-light")
    told = game_of(card_set).facts(hare).told
    assert "; rules text: Brisk; {1}{R}: It gains 1 vigor until nightfall.; lore: " in told


def test_the_scene_of_a_card_is_as_it_was() -> None:
    assert scene() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(scene(), encoding="utf-8")
