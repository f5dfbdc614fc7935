"""Figures in sentences of the rulebook and the guide: terms, decks, levels, the clean slate edition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from render.base.findings import quoted
from render.games.kotc.guide.changes import CLEAN_SLATE
from render.games.kotc.pages.tree import Element
from render.games.kotc.pages.sections import PageReading, prose
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import DeckRules, LevelRules, Terms

CARDS, DECKS, LEVEL = "Card Types and Layout", "Setup and Deck Building", "Level"  # sections
NEW_WORDS = "the rules may say it in new words, which this version cannot read"

_NUMBERS = {"one": 1, "a": 1, "1": 1, "two": 2, "three": 3, "four": 4}
_PARTS = {
    "half": 2, "third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
}  # fmt: skip
# Rulebook, "Card Types and Layout"; a second pattern is that of the game of creatures, up to the 11th Edition.
_TERMS = {
    "what a card with SP and HP is called": (
        r"There are (?:2|two) types of cards(?: in Keeper of the Cards)?: (\w+?)s, and spells\b",
    ),
    "what SP are called": (r"^The (SP) of the card\.", r"^The offensive power \(“(\w+)”\) of the card\."),
    "what HP are called": (r"^The (HP) of the card\.", r"^The defensive power \(“(\w+)”\) of the card\."),
    "what a level is called": (r"^The (level) of the card\.", r"^The resource (cost) of the card\."),
}
# "exactly 40" up to the 10th Edition, "40–60" with an en dash from the 11th on.
_DECK_SIZE = (r"\bdeck\b[^.]*? must (?:contain|have) (?:exactly )?([0-9]{1,4})(?: ?[–-] ?([0-9]{1,4}))? cards\b",)
_DECK_ULTRA_POINTS = (
    r"\bUltra Points in the deck must be no greater than ([0-9]{1,4})\b",
    r"\bno more than ([0-9]{1,4}) Ultra Points\b",
    r"\bcannot have more than ([0-9]{1,4}) (?:total )?Ultra Points\b",
)
# The first is the wording from the 13th Edition on, the second that of the 11th and 12th.
_CLEAN_SLATE = (
    r"\b([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition is considered to be a clean slate edition, meaning that any card whose"
    r" design edition is prior to \1(?:st|nd|rd|th) Edition is pruned\.",
    r"\b([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition is considered to be a clean slate edition, meaning that any card not"
    r" bearing an Edition Indicator, or any card whose Edition Indicator indicates an edition prior to"
    r" \1(?:st|nd|rd|th) Edition, is automatically considered to be a banned card\b",
)
# Guide, "Level". The program rounds up, so a guide that does not say so is not understood.
_ROUNDED = (r"\bRound the result up to the next integer\b",)
_MIN_OF_SPELL_ABILITY = (
    r"\blevel of an ability\b.*?\. If less than ([0-9]{1,4}), set to \1\.",
    r"\bspell abilities are (?:always )?allowed to be level ([0-9]{1,4})\b",
)


@dataclass(frozen=True, slots=True)
class _Said:
    """The figures in a sentence, and its place."""

    figures: tuple[str, ...]
    reading: PageReading
    block: Element


class Sentences:
    """The running text of an edition's pages. `home` is the page on which missing sentences are noted."""

    def __init__(self, home: PageReading, pages: Sequence[PageReading]) -> None:
        self._home = home
        self._blocks = [(prose(block), reading, block) for reading in pages for block in reading.blocks()]

    def mention(self, words: str) -> bool:
        return any(words in text for text, _, _ in self._blocks)

    def figures(self, patterns: Sequence[str]) -> tuple[str, ...] | None:
        """Return the groups of the patterns wherever they match, which must agree; None if none matches."""
        said = list(self._said(patterns))
        # Rulebook and guide repeat some figures, such as the Ultra Points of a deck.
        for other in said[1:]:
            if other.figures != said[0].figures:
                place = said[0].reading.page.span(said[0].block)
                message = f"this says {_shown(other)}, but {place} says {_shown(said[0])}"
                other.reading.note("041", message, other.block, "which of the two is right?")
        return said[0].figures if said else None

    def wanted(self, patterns: Sequence[str], subject: str, title: str) -> tuple[str, ...] | None:
        """Return the same, or note that no sentence says it; `title` names the section where it should be."""
        figures = self.figures(patterns)
        if figures is None:
            self.missing(subject, title)
        return figures

    def missing(self, subject: str, title: str) -> None:
        """Note that no sentence says something, at the section where it should be."""
        headings = [section.heading for section in self._home.sections if section.title == title]
        place = headings[0] if headings else self._home.title
        self._home.note("040", f"no sentence was found that says {subject}", place, NEW_WORDS)

    def _said(self, patterns: Sequence[str]) -> Iterator[_Said]:
        for text, reading, block in self._blocks:
            for pattern in patterns:
                for match in re.finditer(pattern, text):
                    yield _Said(match.groups(""), reading, block)


def _shown(said: _Said) -> str:
    return quoted("-".join(filter(None, said.figures)))


def read_terms(sentences: Sentences) -> Terms | None:
    """Return the edition's words for minions and their numbers (rulebook, "Card Types and Layout")."""
    found = [sentences.wanted(patterns, subject, CARDS) for subject, patterns in _TERMS.items()]
    words = [figures[0] for figures in found if figures]
    return Terms(*words) if len(words) == len(_TERMS) else None


def read_deck(sentences: Sentences) -> DeckRules | None:
    """Return how many cards and Ultra Points a deck may have (rulebook, "Setup and Deck Building")."""
    size = sentences.wanted(_DECK_SIZE, "how many cards a deck has", DECKS)
    ultra_points = sentences.figures(_DECK_ULTRA_POINTS)
    if ultra_points is None and sentences.mention("Ultra Points"):
        sentences.missing("how many Ultra Points a deck may have", DECKS)
    if size is None:
        return None
    return DeckRules(int(size[0]), int(size[1] or size[0]), int(ultra_points[0]) if ultra_points else None)


def read_clean_slate(reading: PageReading, sentences: Sentences) -> int | None:
    """Return the oldest design edition that may be played (rulebook, "Clean Slate Edition"), if there is one."""
    found = sentences.figures(_CLEAN_SLATE)
    if found is not None:
        return int(found[0])
    for section in reading.sections:
        if section.title.lower() == CLEAN_SLATE:
            message = f"the section {quoted(section.title)} does not say which edition it is"
            reading.note("040", message, section.heading, NEW_WORDS)
    return None


def read_levels(sentences: Sentences, called: Terms) -> LevelRules | None:
    """Return how a level is calculated (guide, "Level"), in the terms of the rulebook."""
    minion, sp, hp = map(re.escape, (called.minion, called.sp, called.hp))
    part = rf"({'|'.join(_NUMBERS)}) ({'|'.join(_PARTS)})s?"
    share = sentences.wanted(
        (rf"\badd together the {minion}'s {sp} and {part} of its {hp} and round up to the next integer\b",),
        f"what part of its {called.hp} is added to a {called.minion}'s {called.sp}",
        LEVEL,
    )
    least_of_minion_ability = sentences.wanted(
        (
            rf"\bIf the ability is a {minion} ability and its level is less than ([0-9]{{1,4}}), set to \1\.",
            rf"\b{minion} abilities must always be at least level ([0-9]{{1,4}})\b",
        ),
        f"the least {called.level} of a {called.minion}'s ability",
        LEVEL,
    )
    least_of_spell_ability = sentences.wanted(
        _MIN_OF_SPELL_ABILITY, f"the least {called.level} of a spell's ability", LEVEL
    )
    rounded = sentences.wanted(_ROUNDED, f"that the {called.level} of an ability is rounded up", LEVEL)
    if share is None or least_of_minion_ability is None or least_of_spell_ability is None or rounded is None:
        return None
    return LevelRules(
        Fraction(_NUMBERS[share[0]], _PARTS[share[1]]),
        int(least_of_minion_ability[0]),
        int(least_of_spell_ability[0]),
    )


def edition_number(reading: PageReading) -> int | None:
    """Return the edition that the page's title and headings name; noted if they name none, or two."""
    named = [(int(number), element) for element in _titles(reading) for number in _numbers(prose(element))]
    if not named:
        reading.note("012", "the page's title does not name an edition, such as `(17th Edition)`", _title(reading))
        return None
    first, first_element = named[0]
    for number, element in named[1:]:
        if number != first:
            place = reading.page.span(first_element)
            message = f"this is the {ordinal(number)} Edition, but {place} says the {ordinal(first)}"
            reading.note("012", message, element, "which of the two is right?")
            return None
    return first


_numbers: Callable[[str], list[str]] = re.compile(r"\(([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition\)").findall


def _titles(reading: PageReading) -> Iterator[Element]:
    """Yield the page's title, and its headings of the first two ranks."""
    yield from (element for element in reading.page.root.elements() if element.name in ("title", "h1", "h2"))


def _title(reading: PageReading) -> Element:
    return next(_titles(reading), reading.page.root)
