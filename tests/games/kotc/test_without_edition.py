"""Cards without Edition Indicator: `edition: none`."""

import json
from pathlib import Path

import pytest

from render.game import faces
from render.games.kotc.model.cards import Card
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.migration.cards import Fate
from render.games.kotc.workshop.migration.planning import migrate
from render.png.canvas import Canvas
from render.png.paint import paint
from tests.support.messages import assert_says, said_of_card, words, write
from tests.support.rulebooks import NINTH, SEVENTEENTH, TENTH
from tests.support.sets import kotc

pytestmark = pytest.mark.usefixtures("in_empty_folder")

SET = "name: Early\n"
WOLF = """
    name: Wolf
    kind: creature
    edition: none   # an early one
    offense: 2
    defense: 3
    cost: 2
    text: |
      {}
"""
MINION = """
    name: Thor
    kind: minion
    edition: none
    level: 9
    sp: 4
    hp: 6
    text: "TAKE: Draw 2 cards."
"""
TIP = "name: Golden rule\nkind: tip\nedition: none\ntext: Cards outrank rules.\n"


def the_card(card: str, set_yaml: str = SET) -> Card:
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": set_yaml, "card.yaml": card})])
    return card_set.cards[0]


def codes(card: str, *arguments: str, set_yaml: str = SET) -> list[str]:
    """Return the codes of what `check` says of the card."""
    write(Path("s"), {"set.yaml": set_yaml, "card.yaml": card})
    return [finding["code"] for finding in json.loads(kotc("check", "s", "--format", "json", *arguments).stdout)]


# --- reading ---


@pytest.mark.parametrize(
    ("card", "set_yaml", "era"),
    [
        (WOLF, SET, 11),
        (WOLF, "name: S\nedition: 9\n", 11),
        (WOLF, "name: S\nedition: 17\n", 11),
        (MINION, SET, 17),
        (MINION, "name: S\nedition: 14\n", 17),
        (MINION, "name: S\nedition: 9\n", 17),
        ("name: A\nkind: spell\nedition: none\ncost: 2\ntext: Draw 1 card.\n", "name: S\nedition: 17\n", 11),
        ("name: A\nkind: spell\nedition: none\nlevel: 2\ntext: Draw 1 card.\n", "name: S\nedition: 9\n", 17),
        ("name: A\nkind: pawn\nedition: none\n", "name: S\nedition: 9\n", 11),
        (TIP, SET, 17),
    ],
)
def test_kind_and_numbers_tell_the_game_and_else_the_set_does(card: str, set_yaml: str, era: int) -> None:
    read = the_card(card.format("Draw 2 cards."), set_yaml)
    assert (read.edition, read.era) == (None, era)


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        (
            TIP.replace("none", "'None'"),
            "3:10 C005 expected a whole number from 1 to 999 or `none`, found the text `None` (write `edition: none`)",
        ),
        (
            MINION.replace("level: 9", "level: auto"),
            "4:8 C010 `level: auto` cannot be worked out: the card has no Edition Indicator",
        ),
    ],
)
def test_what_its_author_reads(card: str, wanted: str) -> None:
    assert_says(said_of_card(card, SET), wanted)


# --- drawing ---


def test_the_card_is_drawn_like_others_but_for_the_indicator() -> None:
    none, seventeen = (
        faces.lay_out_set(
            load_sets([write(Path(f"s{number}"), {"set.yaml": SET, "card.yaml": MINION.replace("none", number)})])[0]
        )
        for number in ("none", "17")
    )
    painted = [paint(each.faces[0].front, Canvas(150)) for each in (none, seventeen)]
    width, height = painted[0].size
    band = (0, round(69 / 88.9 * height), width, round(71 / 88.9 * height))
    assert painted[0].crop(band).tobytes() != painted[1].crop(band).tobytes()
    for image in painted:
        image.paste((255, 255, 255), band)
    assert painted[0].tobytes() == painted[1].tobytes()


def test_the_margin_of_the_sheets_names_the_editions_that_there_are() -> None:
    write(Path("s"), {"set.yaml": SET, "card.yaml": TIP})
    assert kotc("build", "s").exit_code == 0
    from render.exports.print_files import PrintJob

    none = PrintJob((), faces.lay_out_set(load_sets([Path("s")])[0]).faces)
    write(Path("t"), {"set.yaml": SET, "card.yaml": TIP.replace("none", "17")})
    some = PrintJob((), (*none.faces, *faces.lay_out_set(load_sets([Path("t")])[0]).faces))
    assert (none.about, some.about) == ("", "17th Edition")


# --- rules ---


DRAWING = WOLF.format("Draw 2 cards.")
ONE = "-" + DRAWING.strip("\n")[1:] + "\n"


@pytest.mark.parametrize(
    ("card", "edition", "wanted"),
    [
        # A text whose cost was revised needs an indicator up to the 12th Edition.
        (DRAWING, "9", ["K004"]),
        (DRAWING.replace("none", "9").replace("cost: 2", "cost: 7"), "9", []),
        (WOLF.format("Target up to 2 cards in play."), "9", []),
        # The editions that began with a clean slate ban a card without one, and later ones call it invalid.
        *((DRAWING, edition, ["K001"]) for edition in ("11", "12", "17")),
        *((MINION, edition, ["K001"]) for edition in ("", "17")),
        (MINION, "9", ["K007"]),  # it is no card of the game of creatures
        (ONE + ONE.replace("Wolf", "Fox"), "", ["K011"]),  # said once
        *((TIP, edition, []) for edition in ("", "17")),
    ],
)
def test_what_the_rules_say_of_cards_without_indicator(card: str, edition: str, wanted: list[str]) -> None:
    assert codes(card, *(("--edition", edition) if edition else ())) == wanted


def test_explain_says_that_no_level_follows() -> None:
    write(Path("s"), {"set.yaml": SET, "card.yaml": MINION})
    assert (
        kotc("explain", "thor", "s").stdout
        == words("""
        Thor (thor), minion without Edition Indicator
          no level follows without an edition
    """)
        + "\n"
    )
    assert json.loads(kotc("explain", "s", "--format", "json").stdout)[0]["edition"] is None


# --- migration ---


def fate(card: str, edition: object = TENTH) -> tuple[Fate, str]:
    """Return what becomes of the card, and of its file."""
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": SET, "card.yaml": card})])
    migration = migrate(card_set, edition)  # type: ignore[arg-type]
    return migration.cards[0].fate, migration.files[0].after if migration.files else ""


def test_a_card_that_the_edition_allows_gets_its_indicator() -> None:
    found, text = fate(WOLF.format("Target this card. Exhaust all targets."))
    assert (found, "edition: 10   # an early one" in text) == (Fate.UNCHANGED, True)


@pytest.mark.parametrize(
    ("card", "edition", "expected"),
    [
        (WOLF.format("Draw 2 cards."), NINTH, Fate.BANNED),
        (WOLF.format("Pay 5 hitpoints."), NINTH, Fate.BANNED),
        (WOLF.format("Target up to 2 cards in play."), SEVENTEENTH, Fate.LEFT),
        (WOLF.format("Target this card. Frobnicate it."), TENTH, Fate.UNJUDGED),
        (MINION, SEVENTEENTH, Fate.LEFT),
        (MINION, NINTH, Fate.LEFT),
        (TIP, SEVENTEENTH, Fate.UNCHANGED),
    ],
)
def test_others_stay_as_they_are(card: str, edition: object, expected: Fate) -> None:
    assert fate(card, edition) == (expected, "")


def test_a_report_shows_that_there_was_none() -> None:
    write(Path("s"), {"set.yaml": SET, "card.yaml": MINION})
    kotc("migrate", "s", "--to", "17", "--dry-run", "--report", "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    assert "edition none, level 9" in page
    assert "None" not in page


# --- decks ---


def test_a_deck_of_the_9th_edition_may_have_it_and_one_of_the_17th_may_not() -> None:
    write(Path("s"), {"set.yaml": SET, "card.yaml": WOLF.format("Target up to 2 cards in play.")})
    Path("deck.yaml").write_text("name: D\nedition: 9\nsets: [s]\ncards: {wolf: 40}\n", encoding="utf-8")
    assert kotc("deck", "deck.yaml", "--pdf", "deck.pdf").exit_code == 0
    Path("deck.yaml").write_text("name: D\nedition: 17\nsets: [s]\ncards: {wolf: 40}\n", encoding="utf-8")
    refused = kotc("deck", "deck.yaml")
    assert refused.exit_code == 1
    assert "a card without Edition Indicator is invalid [K001], at s/card.yaml:3:10" in refused.stderr
