"""What each message about a mistake names: its place, what is wrong, and the way out; and that nothing follows from it.

The mistakes are those of `mistakes.txt` here and of the two files of games in YAML, which hold the exact words.
`mistakes_told.txt` picks 40 of somebody who keeps *Keeper of the Cards* and 48 of somebody who designs a game, and has
in each line the mistake, the place and code, the fact and the way out: words may change, and these stay.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.golden_words import golden_words
from tests.support.repository import ROOT

GAMES = ROOT / "tests/games/declared"
WORDS = {
    "keeper": golden_words(ROOT / "tests/cli/mistakes.txt"),
    "designer": golden_words(GAMES / "game_mistakes.txt") | golden_words(GAMES / "card_mistakes.txt"),
}
TOLD = [line.split(" | ") for line in Path(__file__).with_name("mistakes_told.txt").read_text("utf-8").splitlines()]

FINDING = re.compile(r"^(\S+, cell \w+|\S+:\d+:\d+): (?:error|warning): (.+) \[(\w+)\]\n((?:  .*\n)*)", re.MULTILINE)

SEVERAL = {
    # As many mistakes as messages.
    "sp on spell": 2, "too long": 2, "dash among keys": 2, "unclosed": 2, "semicolons": 4,
    "a number that is compared with a text": 2, "a kind that a template compares with a misspelt word": 2,
    "an icon of no text and one of a text, with one slip": 2, "a font that is none, beside a role that falls back": 2,
    "card: without what it must have": 2, "paragraphs in a line": 3, "braces that are printed": 5,
    "card: a color by its value": 3, "card: icons without quotes": 2, "card: a list of icons": 2,
    "columns with numbers": 2, "an icon that is not closed": 2, "a deck of cards with counts": 3,
    "a misspelt kind beside other slips": 3,
}  # fmt: skip
NONE = {"Minion.svg", "a folder of decks, printed"}  # a name that works all the same, and an error of usage


def findings(who: str, mistake: str) -> list[tuple[str, str, str, str]]:
    """Return place, message, code and what stands below of everything that is said of a mistake."""
    return FINDING.findall(WORDS[who][mistake])


@pytest.mark.parametrize(
    ("who", "mistake", "where", "fact", "way_out"), TOLD, ids=lambda value: value.replace("/", "-")
)
def test_a_message_names_place_fact_and_way_out(who: str, mistake: str, where: str, fact: str, way_out: str) -> None:
    matching = [each for each in findings(who, mistake) if f"{each[0]} {each[2]}" == where]
    assert [(fact in message, way_out in below) for _, message, _, below in matching] == [(True, True)]


def test_the_mistakes_are_40_of_a_keeper_and_48_of_a_designer() -> None:
    assert Counter(who for who, *_ in TOLD) == {"keeper": 40, "designer": 48}
    assert len({tuple(row[:2]) for row in TOLD}) == len(TOLD)


@pytest.mark.parametrize("who", WORDS)
def test_every_message_shows_the_line_and_says_what_to_do(who: str) -> None:
    every = [(mistake, *each) for mistake in WORDS[who] for each in findings(who, mistake)]
    without = [(mistake, message) for mistake, _, message, _, below in every if "  hint: " not in below]
    assert without == []
    # Nothing is passed over by the pattern but what is about no line of a file.
    messages = {
        name: len(re.findall(r"(?:error|warning): .*\[\w{4}\]$", words, re.MULTILINE))
        for name, words in WORDS[who].items()
    }
    assert {name for name, count in messages.items() if count > len(findings(who, name))} <= NONE


@pytest.mark.parametrize("who", WORDS)
def test_nothing_that_is_said_follows_from_another_mistake(who: str) -> None:
    counts = {mistake: len(findings(who, mistake)) for mistake in WORDS[who]}
    assert {mistake: count for mistake, count in counts.items() if count > 1} == {
        mistake: count for mistake, count in SEVERAL.items() if mistake in WORDS[who]
    }
    assert {mistake for mistake, count in counts.items() if not count} <= NONE
