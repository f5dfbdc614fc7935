"""A set with cards of many editions: each card is judged, migrated, drawn and counted by its own."""

import re
from pathlib import Path

import pytest

from render.game.faces import lay_out_set
from render.games.kotc.checking import findings_by_rules
from render.games.kotc.editions.finding import find
from render.games.kotc.model.cards import CardSet
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.migration.cards import Fate
from render.games.kotc.workshop.migration.planning import migrate
from tests.support.messages import write
from tests.support.scene_dumps import dump
from tests.support.sets import kotc

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARDS = """
    - {name: Bear, kind: creature, edition: 9, cost: auto, offense: 6, defense: 30,
       text: "You must sacrifice 3 cards in play to summon this creature.\\nPAW: Draw 1 card."}
    - {name: Leech, kind: spell, edition: 10, cost: auto, text: Draw 4 cards.}
    - {name: Wolf, kind: creature, edition: 11, cost: auto, offense: 2, defense: 5,
       text: "Cannot attack.\\nHOWL: When you take at least 5 damage: Draw 3 cards."}
    - {name: Owl, kind: minion, edition: 12, level: auto, sp: 2, hp: 5,
       text: "LOOK: Self-exhaust 1 resource, also self-destroy 1 in-play card→ Draw 6 cards."}
    - {name: Crow, kind: minion, edition: 13, level: auto, sp: 2, hp: 5,
       text: "LOOK: Target 1 in-play card; bounce it."}
    - {name: Ant, kind: spell, edition: 16, level: auto, text: Craft 1 level 2 pawn.}
    - {name: Bee, kind: spell, level: auto, ultra_points: auto, text: 1-dice-wound enemy.}
"""
PADLOCK = "#dedede"  # the color of its silhouette
WORTH = {"bear": 8, "leech": 8, "wolf": 3, "owl": 7, "crow": 7, "ant": 2, "bee": 2}


def mixed(cards: str = CARDS) -> CardSet:
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": "name: Mixed\nedition: 17\n", "cards.yaml": cards})])
    return card_set


def test_every_card_is_worth_what_its_own_edition_says() -> None:
    assert {card.id: card.level for card in mixed().cards} == WORTH
    assert findings_by_rules([mixed()]) == []


def test_every_wrong_number_is_told_in_the_words_of_its_edition() -> None:
    numbers = iter(range(20, 40))
    wrong = re.sub(r"(cost|level): auto", lambda found: f"{found[1]}: {next(numbers)}", CARDS)
    told = {each.card: each.message for each in findings_by_rules([mixed(wrong)])}
    assert told == {
        name: f"the {'cost' if index < 3 else 'level'} of `{name}` is {WORTH[name]}, not {20 + index}"
        for index, name in enumerate(WORTH)
    }


@pytest.mark.parametrize(
    ("to", "migrated"),
    [
        (10, {"bear": Fate.UNCHANGED}),
        (11, {}),
        (14, {"crow": Fate.UNCHANGED}),
        (16, {"crow": Fate.REFURBISHED}),
        (17, {"crow": Fate.REFURBISHED, "ant": Fate.UNCHANGED}),
    ],
)
def test_every_card_goes_as_far_as_its_own_way_leads(to: int, migrated: dict[str, Fate]) -> None:
    cards = migrate(mixed(), find(to)).cards
    assert {each.before.id: each.fate for each in cards if each.after.edition != each.before.edition} == migrated
    stay = [each for each in cards if not each.fate.is_migrated]
    assert all(each.reasons for each in stay)
    assert len(stay) == len(cards) - len(migrated) - sum(each.edition == to for each in mixed().cards)


@pytest.mark.parametrize(
    ("edition", "allowed"),
    [
        (9, ["bear"]),
        (10, ["bear", "leech"]),
        (11, ["wolf"]),
        (12, ["owl"]),
        (13, ["crow"]),
        (17, ["crow", "ant", "bee"]),
    ],
)
def test_a_deck_has_the_cards_that_the_edition_allows_which_is_played(edition: int, allowed: list[str]) -> None:
    mixed()
    deck = f"name: D\nedition: {edition}\nsets: [s]\ncards: {{{', '.join(f'{name}: 6' for name in WORTH)}}}\n"
    Path("deck.yaml").write_text(deck, encoding="utf-8")
    kept_out = set(re.findall("`([a-z]+)` may not be in a deck", kotc("deck", "deck.yaml").stderr))
    assert set(WORTH) - kept_out == set(allowed)


def test_every_face_has_the_numbers_and_the_indicator_of_its_edition() -> None:
    shown = {face.card.id: dump(face.front) for face in lay_out_set(mixed()).faces}
    for card in mixed().cards:
        assert shown[card.id].count(f"{card.edition}th Edition") == 1, card.id
    assert [name for name, words in shown.items() if PADLOCK in words] == ["bear"]
