"""The decks that come with the program: whole, sound, and with pictures of their own."""

import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from render.game.faces import lay_out_set
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.ability import parse
from render.games.kotc.model.cards import Card, CardSet, Kind
from render.games.kotc.sets import load_sets
from render.images.files.svg_drawing import read_drawing
from tests.support.repository import ROOT
from tests.support.sets import kotc

CARDS = ROOT / "cards"

PLAYED = (Kind.MINION, Kind.SPELL)


def read(name: str) -> CardSet:
    (card_set,) = load_sets([CARDS / name])
    return card_set


def of_kind(card_set: CardSet, *kinds: Kind) -> list[Card]:
    return [card for card in card_set.cards if card.kind in kinds]


STARTER, ELEVENTH = read("starter"), read("eleventh")


@pytest.mark.parametrize("card_set", [STARTER, ELEVENTH], ids=lambda card_set: card_set.name)
def test_nothing_is_doubtful_about_a_deck(card_set: CardSet) -> None:
    assert lay_out_set(card_set).findings == ()


def test_the_starter_deck_has_40_cards_of_at_least_24_designs() -> None:
    cards = of_kind(STARTER, *PLAYED)
    assert sum(card.copies for card in cards) == 40
    assert len(cards) >= 24


def test_the_starter_deck_has_at_most_10_ultra_points_and_some() -> None:
    total = sum(card.copies * card.ultra_points for card in STARTER.cards)
    assert 0 < total <= 10


def test_the_starter_deck_has_four_tips_and_a_pawn() -> None:
    assert len(of_kind(STARTER, Kind.TIP)) == 4
    assert len(of_kind(STARTER, Kind.PAWN)) == 1


def test_minions_have_none_one_and_two_abilities() -> None:
    counts = {
        len(parse(card.text, usual_grammar(17), is_spell=False).abilities) for card in of_kind(STARTER, Kind.MINION)
    }
    assert counts == {0, 1, 2}


def test_spells_come_with_and_without_a_condition() -> None:
    assert {parse(card.text, usual_grammar(17), is_spell=True).padlock for card in of_kind(STARTER, Kind.SPELL)} == {
        True,
        False,
    }


def test_costs_are_single_two_joined_by_and_and_three_in_a_list() -> None:
    abilities = [
        ability
        for card in of_kind(STARTER, *PLAYED)
        for ability in parse(card.text, usual_grammar(17), is_spell=card.kind is Kind.SPELL).abilities
    ]
    assert {len(ability.costs) for ability in abilities} == {0, 1, 2, 3}
    assert sum(ability.tutorial is not None for ability in abilities) >= 5


def test_the_eleventh_set_shows_both_kinds_of_caveat_and_a_condition() -> None:
    by_id = {card.id: parse(card.text, usual_grammar(11), is_spell=card.kind is Kind.SPELL) for card in ELEVENTH.cards}
    assert {name: (bool(parsed.red), parsed.padlock) for name, parsed in by_id.items()} == {
        "grey-wolf": (True, True),
        "castle-gate": (True, False),
        "hourglass": (True, True),
    }


@pytest.mark.parametrize("card_set", [STARTER, ELEVENTH], ids=lambda card_set: card_set.name)
def test_every_picture_names_its_author_and_licence_and_is_small(card_set: CardSet) -> None:
    pictures = [card.art for card in card_set.cards if card.art]
    assert all(art.author and art.license == "CC0" for art in pictures)
    assert max(art.file.stat().st_size for art in pictures) < 200_000
    assert [card.id for card in card_set.cards if card.art is None and card.kind is not Kind.TIP] == []


FOLDERS = CARDS / "starter", CARDS / "eleventh"
PICTURES = sorted(path for folder in FOLDERS for path in folder.glob("art/*.svg"))
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


def test_every_picture_is_shown_and_all_together_have_less_than_3_mb() -> None:
    shown = {card.art.file for card_set in (STARTER, ELEVENTH) for card in card_set.cards if card.art}
    assert shown == set(PICTURES) == {path for folder in FOLDERS for path in folder.glob("art/**/*") if path.is_file()}
    assert sum(path.stat().st_size for path in PICTURES) < 3_000_000


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_made_of_layers_with_names(picture: Path) -> None:
    root = ET.parse(picture).getroot()
    drawn = [child for child in root if child.tag.partition("}")[2] not in ("title", "desc", "defs")]
    assert {child.get(f"{INKSCAPE}groupmode") for child in drawn} == {"layer"}
    labels = [child.get(f"{INKSCAPE}label") for child in drawn]
    assert len(labels) >= 5
    assert all(label and label != "Shapes" for label in labels)
    assert root.find("{http://www.w3.org/2000/svg}title") is not None


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_known_to_be_light_once_it_is_drawn_small(picture: Path) -> None:
    drawing = read_drawing(picture.read_bytes())
    assert drawing.svg.is_even
    assert drawing.svg.view == (0.0, 0.0, 1350.0, 840.0)


def test_pictures_look_as_they_did_when_they_were_painted() -> None:
    """The small pictures in `starter-art.png` are those that were on the cards before they were drawings."""
    with Image.open(Path(__file__).parent / "starter-art.png") as kept:
        before = np.asarray(kept.convert("RGB")).astype(int)
    apart = []
    for number, picture in enumerate(PICTURES):
        with Image.open(BytesIO(read_drawing(picture.read_bytes()).as_png((540, 336)))) as drawn:
            now = np.asarray(drawn.convert("RGB").resize((45, 28), Image.Resampling.BOX)).astype(int)
        top = number * 28
        difference = now - before[top : top + 28]
        apart.append(float(np.mean(abs(difference))))
    assert len(apart) == 32
    assert max(apart) < 2.0


def test_texts_are_in_the_words_of_the_guide_and_numbers_are_singular_where_they_are_1() -> None:
    for card in of_kind(STARTER, *PLAYED):
        assert not re.search(r"\bup to 1 (?!counter)", card.text), card.id
        assert not re.search(r"\b1 (minions|cards|resources|counters|pawns)\b", card.text), card.id


@pytest.mark.parametrize(("name", "options"), [("starter", ()), ("eleventh", ("--art-dpi", "150"))])
def test_sheets_of_a_set_are_verified_with_its_pictures(tmp_path: Path, name: str, options: tuple[str, ...]) -> None:
    file, folder = tmp_path / "sheets.pdf", ROOT / "cards" / name
    assert kotc("pdf", folder, "--out", file, *options).exit_code == 0
    result = kotc("verify", file, "--set", folder)
    assert (result.exit_code, result.stdout) == (0, "")
