"""Which words of a card are a text of the rules."""

import pytest

from render.games.kotc.editions.wording import outside_longer, pattern
from render.games.kotc.legality.rewording import Change, render_words, reword
from render.games.kotc.model.edition import Rewording
from tests.support.rulebooks import SEVENTEENTH, rewordings


def words(text: str, card: str) -> list[str]:
    """Return the words of the card that are the text."""
    return [match.words for match in pattern(text).finditer(card)]


def numbers(text: str, card: str) -> dict[str, int] | None:
    match = pattern(text).match_whole(card)
    return dict(match.numbers) if match else None


@pytest.mark.parametrize(
    ("text", "card", "expected"),
    [
        ("draw {x} cards", "draw 2 cards", {"x": 2}),
        ("draw {x} cards", "Draw 12 cards", {"x": 12}),
        ("draw {x} cards", "Draw 1 card", {"x": 1}),
        ("craft {x} level {y} pawns", "craft 1 level 3 pawn", {"x": 1, "y": 3}),
        ("craft {x} level {y} pawns", "craft 3 level 1 pawns", {"x": 3, "y": 1}),
        ("{x}-dice-heal yourself", "1-dice-heal yourself", {"x": 1}),
        ("Target up to {x} on-field minions", "Target up to 3 on-field minions", {"x": 3}),
        ("Target up to {x} on-field minions", "Target 1 on-field minion", {"x": 1}),
        ("Target up to {x} of your resources", "Target 1 of your resources", {"x": 1}),
        ("clone the targets up to {x} times", "clone it up to 1 time", {"x": 1}),
        ("Target all level {x} or lower on-field minions", "Target all level 1 or lower on-field minions", {"x": 1}),
        (
            "Excavate {x} cards and target up to {y} excavated cards",
            "Excavate 6 cards and target 1 excavated card",
            {"x": 6, "y": 1},
        ),
        ("place {x} Sword Counters on each target", "place 1 Sword Counter on it", {"x": 1}),
        ("remove up to {x} counters on each target", "remove up to 2 counters on the target", {"x": 2}),
        ("Roll {x} six-sided dice", "Roll 1 six-sided die", {"x": 1}),
        ("Place {x} dice counters on each target", "Place 1 dice counter on each target", {"x": 1}),
        ("Place {x} damage counters on each target", "Place 1 damage counter on each target", {"x": 1}),
        ("See enemy's hand and target up to {x} cards therein", "See enemy’s hand and target 1 card therein", {"x": 1}),
        ("pay {x} HP", "pay  4 HP", {"x": 4}),
        ("destroy the targets", "destroy the target", {}),
        ("double each target's SP", "double its SP", {}),
        ("double the targets' SP", "double the target’s SP", {}),
        ("pay {x} HP→", "Pay 2 HP->", {"x": 2}),
        ("swap {x} and {x} cards", "swap 2 and 2 cards", {"x": 2}),
    ],
)
def test_a_card_has_the_text(text: str, card: str, expected: dict[str, int]) -> None:
    assert numbers(text, card) == expected


@pytest.mark.parametrize(
    ("text", "card", "expected"),
    [
        ("draw {x} cards", "draw 2 card", []),
        ("draw {x} cards", "draw 0 cards", []),
        ("draw {x} cards", "draw two cards", []),
        ("draw {x} cards", "DRAW 2 CARDS", []),
        ("Target up to {x} on-field minions", "Target 2 on-field minions", []),
        ("Target up to {x} on-field minions", "target 1 on-field minion", []),
        ("swap {x} and {x} cards", "swap 2 and 3 cards", []),
        ("destroy the targets", "destroy its", []),
        ("silo it", "silo the targets", []),
        # A text begins and ends with words, and does not run over the end of an ability.
        ("destroy {x} cards in your hand", "Self-destroy 2 cards in your hand→ draw 1 card.", []),
        ("silo the targets", "silo its owner, silo the target’s owner, silo the targets' owner", []),
        ("in-play card", "an in-play cardboard, a not-in-play card", []),
        ("{x} of your resources", "12 of your resources, 1,200 of your resources", ["12 of your resources"]),
        ("draw {x} cards", "A: Draw 2\ncards.", []),
        ("in-play card", "Target up to 4 in-play cards; your in-play card(s)", ["in-play cards", "in-play card"]),
    ],
)
def test_words_of_a_card_that_are_the_text(text: str, card: str, expected: list[str]) -> None:
    assert words(text, card) == expected


def test_a_text_inside_a_longer_component_is_another_one() -> None:
    card = "Target 1 on-field minion; clone it up to 2 times, then clone it."
    found = outside_longer(pattern("clone the targets").finditer(card), card, SEVENTEENTH.components)
    assert [match.start for match in found] == [card.rindex("clone it")]


@pytest.mark.parametrize(
    ("text", "like", "expected"),
    [
        ("Target up to {x} cards", "", "Target 1 card"),
        ("{x} cards in your granary", "", "1 card in your granary"),
        ("craft {x} level {y} pawns", "Summon", "Craft 1 level 3 pawn"),
        ("destroy the targets", "silo it", "destroy it"),
        ("double each target's SP", "halve the target's SP", "double the target's SP"),
        ("pay this card's cost", "pay this card’s level", "pay this card’s cost"),
        ("pay {x} HP→", "pay 1 life->", "pay 1 HP->"),
    ],
)
def test_a_text_is_filled_in_as_a_card_prints_it(text: str, like: str, expected: str) -> None:
    assert render_words(text, {"x": 1, "y": 3}, like) == expected


def test_quotes_and_arrows_follow_the_rest_of_the_card_where_the_words_have_none() -> None:
    assert render_words("pay this card's cost→", {}, "pay", around="enemy’s hand -> Draw") == "pay this card’s cost->"


# --- rewording ---


def new(card: str) -> str:
    return reword(card, SEVENTEENTH.rewordings).text


def test_one_rewriting_makes_another_apply() -> None:
    changed = reword(
        "LAST WORD: When this in-play card is destroyed (ghost-play): Draw 1 card.", SEVENTEENTH.rewordings
    )
    old = "When this in-play card is destroyed (ghost-play):"
    assert changed.text == "LAST WORD: When this card in your battlefield is destroyed (ghost-play): Draw 1 card."
    assert [(each.old, len(each.rules)) for each in changed.changes] == [(old, 2)]


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("Target up to 4 in-play cards; destroy the targets.", "Target up to 4 on-field minions; destroy the targets."),
        ("Target 1 in-play card; destroy it.", "Target 1 on-field minion; destroy it."),
        ("Self-exhaust 1 minion→ Summon 1 level 2 pawn.", "Self-exhaust 1 on-field minion→ Craft 1 level 2 pawn."),
        ("Self-exhaust 1 of your resources→ Draw 1 card.", "Self-exhaust 1 card in your granary→ Draw 1 card."),
        ("Self-exhaust 3 on-field minions→ Draw 1 card.", "Self-exhaust 3 on-field minions→ Draw 1 card."),
        (
            "When your in-play card(s) (excluding this card) is damaged: Draw 1 card.",
            "When your on-field minion(s) is damaged: Draw 1 card.",
        ),
        (
            "When this card as a resource is destroyed (ghost-play, must pay resource cost): Draw 1 card.",
            "When this card in your granary is destroyed (hex-play): Draw 1 card.",
        ),
    ],
)
def test_a_card_is_reworded(card: str, expected: str) -> None:
    assert new(card) == expected


RED = rewordings(("red card", "hot card"), ("hot card", "red card"))
BIG = rewordings(("red card", "hot card"), ("big red card", "huge card"))
TWICE = rewordings(("draw {x} cards", "draw {x} cards twice"))


@pytest.mark.parametrize(
    ("rules", "card", "expected", "is_open"),
    [
        (BIG, "a big red card, a red card", "a huge card, a hot card", ()),  # the longest old text goes first
        (TWICE, "Draw 2 cards, then draw 1 card.", "Draw 2 cards twice, then draw 1 card twice.", TWICE),
        (RED, "a red card", "a red card", RED[:1]),  # a loop ends
    ],
)
def test_a_rewording_applies_once_for_a_place(
    rules: tuple[Rewording, ...], card: str, expected: str, is_open: tuple[Rewording, ...]
) -> None:
    changed = reword(card, rules)
    assert (changed.text, changed.open) == (expected, is_open)


def test_the_words_of_a_longer_component_are_not_reworded() -> None:
    rules = rewordings(("clone the targets", "copy the targets"))
    card = "Target 1 card; clone it up to 2 times, then clone it."
    assert reword(card, rules, SEVENTEENTH.components).text == card.replace("then clone", "then copy")


def test_a_change_knows_the_words_it_replaces() -> None:
    assert reword("A: Target 1 in-play card; silo it.", SEVENTEENTH.rewordings).changes == (
        Change(12, 24, "in-play card", "on-field minion", rewordings(("in-play card", "on-field minion"))),
    )


def test_words_of_the_new_text_come_from_words_of_the_old_one() -> None:
    old = "Target 1 in-play card; silo it."
    changed = reword(old, SEVENTEENTH.rewordings)
    start = changed.text.index("silo it")
    assert slice(*changed.original(start, start + 7)) == slice(old.index("silo it"), old.index("silo it") + 7)
    assert changed.original(9, 11) == (9, 21)
