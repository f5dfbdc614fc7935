"""The decks that come with the program: whole, sound, and with pictures of their own."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from render.game.faces import lay_out_set
from render.games.kotc.model.ability import parse
from render.games.kotc.model.cards import Card, CardSet, Kind
from render.games.kotc.sets import load
from tests.support.repository import ROOT

CARDS = ROOT / "cards"
sys.path.insert(0, str(CARDS / "starter" / "art"))

PLAYED = (Kind.MINION, Kind.SPELL)


def read(name: str) -> CardSet:
    (card_set,) = load([CARDS / name])
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
    counts = {len(parse(card.text, 17, is_spell=False).abilities) for card in of_kind(STARTER, Kind.MINION)}
    assert counts == {0, 1, 2}


def test_spells_come_with_and_without_a_condition() -> None:
    assert {parse(card.text, 17, is_spell=True).padlock for card in of_kind(STARTER, Kind.SPELL)} == {True, False}


def test_costs_are_single_two_joined_by_and_and_three_in_a_list() -> None:
    abilities = [
        ability
        for card in of_kind(STARTER, *PLAYED)
        for ability in parse(card.text, 17, is_spell=card.kind is Kind.SPELL).abilities
    ]
    assert {len(ability.costs) for ability in abilities} == {0, 1, 2, 3}
    assert sum(ability.tutorial is not None for ability in abilities) >= 5


def test_the_eleventh_set_shows_both_kinds_of_caveat_and_a_condition() -> None:
    by_id = {card.id: parse(card.text, 11, is_spell=card.kind is Kind.SPELL) for card in ELEVENTH.cards}
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


def test_every_picture_is_drawn_by_the_program_that_is_kept_with_the_set() -> None:
    pictures = import_module("paint.gallery").pictures  # it is found by way of the path above

    drawn = {hung.file(CARDS) for hung in pictures().values()}
    shown = {card.art.file for card_set in (STARTER, ELEVENTH) for card in card_set.cards if card.art}
    assert drawn == shown == set(CARDS.glob("*/art/*.jpg"))


@pytest.mark.parametrize("name", ["thunderclap", "grey-wolf"])
def test_drawing_a_picture_again_gives_it_again(tmp_path: Path, name: str) -> None:
    pictures = import_module("paint.gallery").pictures

    hung = pictures()[name]
    hung.paint().save(tmp_path / "again.jpg")
    with Image.open(tmp_path / "again.jpg") as again, Image.open(hung.file(CARDS)) as kept:
        assert np.abs(np.asarray(again).astype(int) - np.asarray(kept)).mean() < 1.0


def test_texts_are_in_the_words_of_the_guide_and_numbers_are_singular_where_they_are_1() -> None:
    for card in of_kind(STARTER, *PLAYED):
        assert not re.search(r"\bup to 1 (?!counter)", card.text), card.id
        assert not re.search(r"\b1 (minions|cards|resources|counters|pawns)\b", card.text), card.id
