"""Levels of cards made of every text of an edition are those that a second reading of its guide gives.

A sample of each edition; `python tests/benchmarks/prove.py second_reading` compares 500 cards an edition.
"""

import random
from fractions import Fraction

import pytest
from msgspec.structs import replace
from proofs.second_reading.cards import Maker
from proofs.second_reading.comparing import EDITIONS, JUDGED, differences, differences_of_invention
from proofs.second_reading.pages import GuideText, guide_file, in_python, read_guide

from tests.support.game_pages import with_pages
from tests.support.repository import ROOT

RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
ONCE_EACH = 100  # cards, of more than the texts of any edition


@pytest.fixture(params=EDITIONS, ids=lambda edition: f"{edition}th")
def edition(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    if not guide_file(RULEBOOKS, number).exists():
        pytest.skip(f"the guide of the {number}th Edition is not in this repository")
    return number


def test_every_text_of_a_guide_is_worth_what_the_program_says(edition: int) -> None:
    assert differences(read_guide(RULEBOOKS, edition), ONCE_EACH, seed=1) == []


@with_pages
@pytest.mark.parametrize("name", JUDGED[1:3])
def test_an_invented_edition_gives_the_levels_of_its_guide_as_it_is_imported(name: str) -> None:
    assert differences_of_invention(name, ONCE_EACH, seed=1) == []


def test_a_text_that_is_worth_more_on_the_page_is_a_difference(edition: int) -> None:
    guide = read_guide(RULEBOOKS, edition)
    dearer = [replace(text, worth=f"{text.worth}+7") if "raw [x] cards" in text.words else text for text in guide.texts]
    found = differences(replace(guide, texts=tuple(dearer)), ONCE_EACH, seed=1)
    assert any("raw" in line for line in found)


def test_a_maker_uses_every_text(edition: int) -> None:
    guide = read_guide(RULEBOOKS, edition)
    cards = Maker(guide, random.Random(2)).cards(ONCE_EACH)
    assert {text.words for text in guide.texts} == {words for card in cards for words in card.used}


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("3x/2", Fraction(9, 2)),
        ("xt", Fraction(6)),
        ("y²/x", Fraction(25, 3)),
        ("x/(y+1)", Fraction(1, 2)),
        ("1.5", Fraction(3, 2)),
    ],
)
def test_formulas_are_read_as_they_are_printed(printed: str, value: Fraction) -> None:
    numbers = {"x": Fraction(3), "y": Fraction(5), "t": Fraction(2)}
    assert GuideText("effect", "", in_python(printed)).value(numbers) == value
