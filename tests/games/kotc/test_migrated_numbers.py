"""What becomes of level and Ultra Points when the rules change."""

import pytest
from msgspec.structs import replace

from render.games.kotc.model.cards import Card
from render.games.kotc.workshop.migration.cards import Fate
from render.games.kotc.workshop.migration.planning import migrate
from tests.support.migrations import LEGAL, NEW, OUTDATED, PRUNED, files, loaded, spell
from tests.support.rulebooks import SEVENTEENTH, revisions

pytestmark = pytest.mark.usefixtures("in_empty_folder")

COMPONENTS = SEVENTEENTH.components


def relevelled(level: int, points: int, card: str) -> dict[str, str]:
    seen: list[str] = []

    def relevel(_: Card, text: str) -> tuple[int, int]:
        seen.append(text)
        return level, points

    after = files(migrate(loaded(card), SEVENTEENTH, relevel))
    assert all("in-play" not in text for text in seen)
    return after


def test_a_card_that_was_pruned_for_its_level_gets_a_new_one() -> None:
    card = spell("A", PRUNED, "edition: 13")
    assert relevelled(3, 0, card) == {"cards.yaml": card.replace("13", "17").replace("level: 2", "level: 3")}


def test_new_ultra_points_stand_behind_the_level() -> None:
    card = spell("A", OUTDATED, "edition: 13")
    expected = spell("A", NEW, "edition: 17").replace("level: 2", "level: 2\n  ultra_points: 4")
    assert relevelled(2, 4, card) == {"cards.yaml": expected}
    given = spell("A", LEGAL, "edition: 13", "ultra_points: 3")
    assert relevelled(2, 0, given) == {"cards.yaml": spell("A", LEGAL, "edition: 17", "ultra_points: 0")}


@pytest.mark.parametrize(("edition", "numbers", "lacks"), [("edition: 13", None, True), ("edition: 12", (1, 0), False)])
def test_a_card_without_a_new_level_or_pruned_for_more_is_pruned(
    edition: str, numbers: tuple[int, int] | None, lacks: bool
) -> None:
    (card,) = migrate(loaded(spell("A", PRUNED, edition)), SEVENTEENTH, lambda *_: numbers).cards
    assert (card.fate, card.lacks_numbers) == (Fate.PRUNED, lacks)


def test_numbers_that_are_left_to_the_rules_are_worked_out_by_the_new_ones() -> None:
    card = spell("A", LEGAL, "edition: 17").replace("level: 2", "level: auto")
    effects = [replace(each, ultra_points=1) if each.text == "draw {x} cards" else each for each in COMPONENTS]
    rules = replace(SEVENTEENTH, number=18, components=tuple(effects))
    migration = migrate(loaded(card), rules)
    (moved,) = migration.cards
    assert (moved.fate, moved.after.level, moved.after.ultra_points) == (Fate.UNCHANGED, 4, 0)
    assert moved.lacks_numbers
    assert files(migration) == {"cards.yaml": card.replace("17", "18")}
    (moved,) = migrate(loaded(card.replace("level: auto", "level: auto\n  ultra_points: auto")), rules).cards
    assert (moved.fate, moved.after.ultra_points, moved.lacks_numbers) == (Fate.RELEVELLED, 1, False)


def test_a_card_whose_numbers_do_not_follow_from_the_new_rules_is_left_alone() -> None:
    card = spell("A", LEGAL, "edition: 17").replace("level: 2", "level: auto")
    fewer = tuple(each for each in COMPONENTS if each.text != "draw {x} cards")
    migration = migrate(loaded(card), replace(SEVENTEENTH, number=18, components=fewer))
    assert migration.files == ()
    assert migration.cards[0].fate is Fate.LEFT
    (reason,) = migration.cards[0].reasons
    assert reason == f"`level: auto` cannot be worked out: `{LEGAL.removesuffix('.')}` is no effect of the 18th Edition"


def test_revised_ultra_points_need_new_ones() -> None:
    rules = replace(SEVENTEENTH, ultra_revisions=revisions(17, "draw {x} cards"))
    cards = loaded(spell("A", LEGAL))
    assert migrate(cards, rules).cards[0].fate is Fate.LEFT
    assert migrate(cards, rules, lambda *_: (2, 1)).cards[0].fate is Fate.RELEVELLED
