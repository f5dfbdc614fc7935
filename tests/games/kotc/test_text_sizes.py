"""Sizes of texts that authors choose, and the smallest size that a set allows."""

from pathlib import Path
from typing import Any

import pytest

from render.base.geometry import MM_PER_POINT
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.scene.items import TextRun, walk
from tests.support.messages import assert_says, said_of_card, words
from tests.support.sets import SET, kotc, write_set

pytestmark = pytest.mark.usefixtures("in_empty_folder")

SPELL = "name: Heal\nkind: spell\nlevel: 1\ntext: Draw 1 card.\nflavor: All is well.\n"
LONG = "Target up to 2 on-field minions and destroy the targets, then draw 1 card. "


def runs_of(card: str, set_yaml: str = SET) -> list[TextRun]:
    (card_set,) = load_sets([write_set(Path("s"), card, set_yaml)])
    (faces,) = lay_out_set(card_set).faces
    return [item for item in walk(faces.front.items) if isinstance(item, TextRun)]


def size_of(said: str, card: str, set_yaml: str = SET) -> float:
    """Return the size in pt of the text that begins with these words."""
    (size,) = {run.size for run in runs_of(card, set_yaml) if run.words.startswith(said)}
    return round(size / MM_PER_POINT, 4)


def advance_of(said: str, card: str) -> float:
    """Return the length in pt from the start of a text to behind its last letter but what is added there."""
    (run,) = (run for run in runs_of(card) if run.words.startswith(said))
    return sum(run.advances[:-1]) / 2048 * run.size / MM_PER_POINT


# --- what authors choose ---


@pytest.mark.parametrize(
    ("words", "card", "size"),
    [
        *(("Draw", f"{SPELL}text_size: {size:g}\n", size) for size in (5, 6.12, 8.37, 11, 14.5)),
        *(("All", f"{SPELL}flavor_size: {size:g}\n", size) for size in (2, 3.24, 5)),
        ("Draw", "name: Hi\nkind: tip\ntext: Draw 1 card.\ntext_size: 6.5\n", 6.5),
        ("Heal", f"{SPELL}name_size: 9.5\n", 9.5),
    ],
)
def test_a_text_has_the_size_that_its_author_chose(words: str, card: str, size: float) -> None:
    assert size_of(words, card) == size


def test_a_name_has_the_spacing_that_its_author_chose() -> None:
    wide, narrow = (advance_of("Heal", f"{SPELL}name_spacing: {spacing}\n") for spacing in (0.9, -0.9))
    assert wide - narrow == pytest.approx(3 * 1.8, abs=0.01)  # nothing behind the last letter


def test_a_long_name_that_is_set_closer_is_not_condensed() -> None:
    long = "name: War - 2nd Horseman of the Apocalypse\nkind: pawn\n"
    stretched = [run.stretch for run in runs_of(f"{long}name_size: 10\nname_spacing: -1\n") if run.words[:3] == "War"]
    assert stretched == [1.0]


def test_with_auto_everything_is_as_without_the_keys() -> None:
    write_set(Path("with"), f"{SPELL}text_size: auto\nflavor_size: auto\n", f"{SET}least_text: 5\n")
    write_set(Path("without"), SPELL)
    for folder in ("with", "without"):
        assert kotc("png", folder, "--out", f"{folder}/out").exit_code == 0
    assert Path("with/out/heal.png").read_bytes() == Path("without/out/heal.png").read_bytes()


@pytest.mark.parametrize(("least", "size"), [("5", 5.04), ("4.5", 4.5), ("3.5", 4.5)])
def test_a_text_is_no_smaller_than_it_must_be_and_than_the_set_allows(least: str, size: float) -> None:
    sentences = 7 if least == "5" else 8
    assert size_of("Target", SPELL.replace("Draw 1 card.", LONG * sentences), f"{SET}least_text: {least}\n") == size
    # It may be larger than the usual size of an edition.
    assert size_of("Draw", SPELL.replace("level", "cost"), SET.replace("17", "9") + "least_text: 8\n") == 8.0


@pytest.mark.parametrize("allowed", ["least_text: 4.6\n", "least_text: 3.5\n"])
def test_at_the_size_that_the_message_names_a_text_fits(allowed: str) -> None:
    card = SPELL.replace("Draw 1 card.", LONG * 8)
    assert "it would fit at 4.6 pt" in kotc("check", write_set(Path("s"), card)).output
    assert kotc("check", write_set(Path("s"), card, SET + allowed)).exit_code == 0
    assert size_of("Target", f"{card}text_size: 4.6\n", SET + allowed) == 4.6


# --- what is wrong ---


def test_a_size_that_does_not_fit() -> None:
    write_set(Path("s"), SPELL.replace("Draw 1 card.", LONG * 4) + "text_size: 9\nflavor_size: 16\n")
    said = kotc("check", "s", "--select", "L").stdout.splitlines()
    assert [line for line in said if "error:" in line or "hint:" in line] == words("""
        s/cards.yaml:4:7: error: `text` does not fit: at 9.0 pt it takes 10 lines, and there is room for 5; it would fit at 6.6 pt [L001]
          hint: shorten it by 5 lines of 49.5 mm, or set it smaller, with `text_size` or with `least_text` in set.yaml
        s/cards.yaml:5:9: error: `flavor` does not fit: at 16.0 pt it takes 1 line, and there is room for none; it would fit at 13.3 pt [L001]
          hint: shorten it by 1 line of 54.6 mm, or set it smaller, with `flavor_size`
    """).split("\n")


SAID: dict[str, tuple[Any, ...]] = {
    "sizes that no text may have": (
        f"{SPELL}text_size: 4.9\nflavor_size: 1.9\n",
        [
            "6:12 C006 expected a size in pt from 5 to 24 or `auto`, found `4.9`",
            "7:14 C006 expected a size in pt from 2 to 24 or `auto`, found `1.9`",
        ],
    ),
    "names that are too small or too close": (
        f"{SPELL}name_size: 3\nname_spacing: -2.5\n",
        [
            "6:12 C006 expected a size in pt from 3.5 to 24 or `auto`, found `3`",
            "7:15 C006 expected a size in pt from -1.5 to 6, found `-2.5`",
        ],
    ),
    "sizes that are too large or too exact": (
        f"{SPELL}text_size: 100\nflavor_size: 4.123456\n",
        [
            "6:12 C006 expected a size in pt from 5 to 24 or `auto`, found `100`",
            "7:14 C006 expected a size in pt from 2 to 24 or `auto`, found `4.123456`",
        ],
    ),
    "sizes that are no numbers": (
        f"{SPELL}text_size: '6.5'\nflavor_size: 4pt\n",
        [
            "6:12 C005 expected a size in pt from 5 to 24 or `auto`, found the text `6.5`",
            "7:14 C005 expected a size in pt from 2 to 24 or `auto`, found `4pt`",
        ],
    ),
    "sizes in other words": (
        f"{SPELL}text_size: Auto\nflavor_size: [4]\n",
        [
            "6:12 C005 expected a size in pt from 5 to 24 or `auto`, found `Auto` (write `text_size: auto`)",
            "7:14 C005 expected a size in pt from 2 to 24 or `auto`, found a list, `[4]` (write `flavor_size: 4`)",
        ],
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID.values(), ids=SAID)
def test_what_its_author_reads(given: Any, wanted: list[str]) -> None:
    assert_says(said_of_card(given), *wanted)


@pytest.mark.parametrize("least", ["3.4", "8.5", "-5"])
def test_a_smallest_size_that_a_set_cannot_have(least: str) -> None:
    assert_says(
        said_of_card(f"{SPELL}text_size: 3.5\n", f"name: A\nedition: 17\nleast_text: {least}\n"),
        f"s/set.yaml:3:13 S006 expected a size in pt from 3.5 to 8, found `{least}`",
    )
