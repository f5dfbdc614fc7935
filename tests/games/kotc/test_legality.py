"""Which cards may be played in an edition, and why others may not."""

import pytest
from msgspec.structs import replace

from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.legality.legality import Design, Legality, judge_design
from render.games.kotc.model.cards import Kind
from render.games.kotc.model.edition import Edition
from tests.support.rulebooks import ELEVENTH, NINTH, SEVENTEENTH, TENTH, TWELFTH, revisions, rewordings


def designed(text: str, edition: int | None, kind: Kind) -> Design:
    return Design(text, edition, kind, usual_grammar(edition) if edition else None)


def codes(text: str, design: int | None, edition: Edition, kind: Kind = Kind.SPELL) -> list[str]:
    return [each.problem.code for each in judge_design(designed(text, design, kind), edition).objections]


def verdict(text: str, design: int | None, edition: Edition, kind: Kind = Kind.SPELL) -> Legality:
    return judge_design(designed(text, design, kind), edition).verdict


def blamed(text: str, design: int | None, edition: Edition, kind: Kind = Kind.SPELL) -> list[str]:
    """Return the words to blame."""
    objections = judge_design(designed(text, design, kind), edition).objections
    return [text[slice(*each.words)] for each in objections if each.words]


# --- from the 12th Edition on ---


@pytest.mark.parametrize(
    ("text", "design", "expected"),
    [
        ("Draw 2 cards.", 17, Legality.LEGAL),
        ("Draw 2 cards.", 13, Legality.LEGAL),
        ("Draw 2 cards.", 12, Legality.PRUNED),
        ("Draw 2 cards.", 9, Legality.PRUNED),
        ("Draw 2 cards.", None, Legality.INVALID),
        ("Draw 2 cards.", 18, Legality.INVALID),
        ("Target up to 4 in-play cards; destroy the targets.", 13, Legality.REFURBISHED),
        ("Target 1 on-field minion; silo it.", 13, Legality.PRUNED),
        ("Target 1 on-field minion; silo it.", 15, Legality.PRUNED),
        ("Target 1 on-field minion; silo it.", 16, Legality.LEGAL),
        ("Target 1 in-play card; silo it.", 13, Legality.PRUNED),
    ],
)
def test_what_the_17th_edition_calls_a_card(text: str, design: int | None, expected: Legality) -> None:
    assert verdict(text, design, SEVENTEENTH) is expected


def redacting(text: str) -> Edition:
    return replace(SEVENTEENTH, redacted=(text,))


@pytest.mark.parametrize(
    ("text", "design", "edition", "kind", "expected"),
    [
        # A redacted text counts as the card has it and as it is reworded; a longer component is another text.
        (
            "Target 1 in-play card; clone it.",
            13,
            redacting("target up to {x} in-play cards"),
            Kind.SPELL,
            ["K005", "K006"],
        ),
        (
            "Target 1 in-play card; clone it.",
            13,
            redacting("target up to {x} on-field minions"),
            Kind.SPELL,
            ["K005", "K006"],
        ),
        ("Target 1 on-field minion; clone it up to 2 times.", 17, redacting("clone the targets"), Kind.SPELL, []),
        ("Target 1 on-field minion; clone it.", 17, redacting("clone the targets"), Kind.SPELL, ["K005"]),
        # Tutorial text forbids nothing.
        ("A: Draw 1 card. (To silo the targets is to sow them.)", 13, SEVENTEENTH, Kind.MINION, []),
        ("A: Target 1 on-field minion; silo it. (Sow it.)", 13, SEVENTEENTH, Kind.MINION, ["K003"]),
        # What is no card of a deck is reworded and never pruned.
        *(("Target 1 in-play card; silo it.", 12, SEVENTEENTH, kind, ["K006"]) for kind in (Kind.PAWN, Kind.TIP)),
        ("Activate in response to an opponent’s attack. Draw 1 card.", 9, TENTH, Kind.SPELL, ["K005"]),
    ],
)
def test_what_an_edition_objects_to(text: str, design: int, edition: Edition, kind: Kind, expected: list[str]) -> None:
    assert codes(text, design, edition, kind) == expected


def test_all_objections_are_there_at_once() -> None:
    card = "Target 1 in-play card; sheathe it, then silo it."
    assert codes(card, 13, SEVENTEENTH) == ["K003", "K003", "K006"]
    assert blamed(card, 13, SEVENTEENTH) == ["sheathe it", "silo it", "in-play card"]


def test_a_text_counts_in_its_new_wording_too() -> None:
    edition = replace(SEVENTEENTH, revisions=revisions(16, "Target up to {x} on-field minions"))
    assert blamed("Target up to 4 in-play cards; silo the targets.", 13, edition)[0] == "Target up to 4 in-play cards"


def test_revised_ultra_points_are_told_and_forbid_nothing() -> None:
    edition = replace(SEVENTEENTH, ultra_revisions=revisions(15, "negate the targets"))
    card = designed("Target 1 card in the current chain; negate it.", 14, Kind.SPELL)
    assert [each.problem.code for each in judge_design(card, edition).objections] == ["K008"]
    assert judge_design(card, edition).verdict is Legality.LEGAL


# --- up to the 12th Edition ---


@pytest.mark.parametrize(
    ("text", "design", "edition", "expected"),
    [
        ("Pay 5 hitpoints. Draw 1 card.", 9, NINTH, Legality.BANNED),
        ("Draw 2 cards.", None, NINTH, Legality.BANNED),
        ("Draw 2 cards.", 8, NINTH, Legality.BANNED),
        ("Draw 2 cards.", 9, NINTH, Legality.LEGAL),
        ("Draw 2 cards.", 9, TENTH, Legality.LEGAL),
        ("Draw 2 cards.", 10, ELEVENTH, Legality.BANNED),
        ("Draw 2 cards.", None, ELEVENTH, Legality.BANNED),
        ("Draw 2 cards.", 11, ELEVENTH, Legality.LEGAL),
        ("Draw 2 cards.", 11, TWELFTH, Legality.BANNED),
        ("Draw 2 cards.", None, TWELFTH, Legality.BANNED),
        ("Target 1 card in play.", None, NINTH, Legality.LEGAL),
        ("See all targets.", 8, TENTH, Legality.BANNED),
        ("See all targets.", 9, TENTH, Legality.LEGAL),
        ("Activate when you take damage. Draw 1 card.", 9, NINTH, Legality.REFURBISHED),
        ("Draw 1 card.", 13, ELEVENTH, Legality.INVALID),
    ],
)
def test_what_an_old_edition_calls_a_card(text: str, design: int | None, edition: Edition, expected: Legality) -> None:
    assert verdict(text, design, edition) is expected


def test_a_caveat_is_redacted_as_it_stands() -> None:
    card = "This creature cannot attack or defend.\nDraw 1 card."
    assert blamed(card, 9, TENTH, Kind.CREATURE) == ["This creature cannot attack or defend."]
    assert blamed("This creature cannot attack.\nDraw 1 card.", 9, TENTH, Kind.CREATURE) == []
    with_cost = "You must pay 5 hitpoints to summon this creature."
    assert blamed(with_cost, 9, TENTH, Kind.CREATURE) == [with_cost]


def test_a_revised_text_is_shown_in_its_new_wording_with_the_quotes_of_the_card() -> None:
    rules = rewordings(("Activate when it is destroyed.", "Activate when it is destroyed by paying this card's cost."))
    card = designed("Activate when it is destroyed. See enemy’s hand.", 9, Kind.SPELL)
    judgement = judge_design(card, replace(TENTH, rewordings=rules))
    assert judgement.reworded.text == "Activate when it is destroyed by paying this card’s cost. See enemy’s hand."
