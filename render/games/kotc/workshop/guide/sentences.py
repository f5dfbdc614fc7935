"""Figures in sentences of the rulebook and the guide: terms, decks, the clean slate edition, the edition itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from render.base.findings import listed, quoted
from render.games.kotc.editions.reading import TERMS
from render.games.kotc.model.cards import ordinal
from render.games.kotc.workshop.guide.changes import CLEAN_SLATE
from render.games.kotc.workshop.guide.familiar import is_familiar, sentences
from render.games.kotc.workshop.guide.passages import FIGURE, NEW_WORDS, check_section
from render.games.kotc.workshop.pages.sections import PageReading
from render.games.kotc.workshop.pages.tree import Element, prose, rules_prose

# Sections of the rulebook, and one of the guide.
CARDS, DECKS, DESIGN = "Card Types and Layout", "Setup and Deck Building", "Design Instructions"

_ORDINAL = r"(?:st|nd|rd|th) Edition"
# Rulebook, "Card Types and Layout"; a second pattern is that of the game of creatures, up to the 11th Edition.
_TERMS = {
    "what a card with SP and HP is called": (
        r"There are (?:2|two) types of cards(?: in Keeper of the Cards)?: (?P<minion>\w+?)s, and spells\b",
        # With kinds that are new: only by its name is it known which of them is the card with SP and HP.
        r"There are (?!2 |two )[0-9a-z]+ types of cards(?: in Keeper of the Cards)?: "
        r"(?=(?:[a-z]+, |and )*spells\b)(?:[a-z]+, |and )*?(?P<minion>minion|creature)s\b",
    ),
    "what SP are called": (
        r"^The (?P<sp>SP) of the card\.$",
        r"^The offensive power \([“\"](?P<sp>\w+)[”\"]\) of the card\.$",
    ),
    "what HP are called": (
        r"^The (?P<hp>HP) of the card\.$",
        r"^The defensive power \([“\"](?P<hp>\w+)[”\"]\) of the card\.$",
    ),
    "what a level is called": (r"^The (?P<level>level) of the card\.$", r"^The resource (?P<level>cost) of the card\."),
}
# "exactly 40" up to the 10th Edition, "40–60" with an en dash from the 11th on.
_DECK_SIZE = (
    r"\bdeck\b[^.]{0,200}? must (?:contain|have) (?:exactly )?"
    rf"(?P<least>{FIGURE})(?: ?[–-] ?(?P<most>[0-9]{{1,4}}))? cards\b",
)
DECK_ULTRA_POINTS = (
    rf"\bUltra Points in the deck must be no greater than (?P<most>{FIGURE})",
    rf"\bno more than (?P<most>{FIGURE}) Ultra Points\b",
    rf"\bcannot have more than (?P<most>{FIGURE}) (?:total )?Ultra Points\b",
)
_ABOUT_DECKS = r"\b[Dd]ecks?\b|\bUltra Points\b"
_CLEAN = rf"\b(?P<edition>[1-9][0-9]{{0,2}}){_ORDINAL} is considered to be a clean slate edition, meaning that"
# The first is the wording from the 13th Edition on, the second that of the 11th and 12th.
_CLEAN_SLATE = (
    rf"{_CLEAN} any card whose design edition is prior to (?P<again>[1-9][0-9]{{0,2}}){_ORDINAL} is pruned\.$",
    rf"{_CLEAN} any card not bearing an Edition Indicator, or any card whose Edition Indicator indicates an edition"
    rf" prior to (?P<again>[1-9][0-9]{{0,2}}){_ORDINAL}, is automatically considered to be a banned card\b"
    r"(?: \(meaning it cannot be used in a game\)\.)?$",
)


@dataclass(frozen=True, slots=True)
class _Said:
    """The figures in a sentence, and its place."""

    figures: tuple[str, ...]
    reading: PageReading
    block: Element
    sentence: str


class Sentences:
    """The running text of an edition's pages. `home` is the page on which missing sentences are noted."""

    def __init__(self, home: PageReading, pages: Sequence[PageReading]) -> None:
        self._home = home
        self._sentences = [
            (sentence, reading, block)
            for reading in pages
            for block in reading.blocks()
            if block.name != "table"
            for sentence in sentences(rules_prose(block))
        ]

    def mention(self, words: str) -> bool:
        return any(words in text for text, _, _ in self._sentences)

    def figures(self, patterns: Sequence[str]) -> tuple[str, ...] | None:
        """Return the groups of the patterns wherever they match; None if none matches, refused if they disagree."""
        said = list(self._said(patterns))
        # Rulebook and guide repeat some figures, such as the Ultra Points of a deck.
        for other in said[1:]:
            if other.figures != said[0].figures:
                place = said[0].reading.page.span(said[0].block)
                message = f"this says {_shown(other)}, but {place} says {_shown(said[0])}"
                other.reading.refuse("041", message, other.reading.page.span(other.block), "which of the two is right?")
        for each in said:
            each.reading.topic = self._home.topic
            each.reading.understand(each.block, f"{self._home.topic}: {'-'.join(_different(each))}", each.sentence)
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
        for text, reading, block in self._sentences:
            for pattern in patterns:
                for match in re.finditer(pattern, text):
                    yield _Said(match.groups(""), reading, block, text)


def _shown(said: _Said) -> str:
    return quoted("-".join(_different(said)))


def _different(said: _Said) -> list[str]:
    return list(dict.fromkeys(filter(None, said.figures)))


def read_terms(reading: PageReading) -> dict[str, str]:
    """Return the edition's words for minions and their numbers that are understood, by the names of `Terms`."""
    reading.topic = "terms"
    said = Sentences(reading, [reading])
    found = (said.wanted(patterns, subject, CARDS) for subject, patterns in _TERMS.items())
    words = {name: figures[0] for name, figures in zip(TERMS, found, strict=True) if figures}
    patterns = [pattern for several in _TERMS.values() for pattern in several]
    for section in reading.sections:
        for block in section.blocks if section.title == CARDS else ():
            words_of_block = prose(block)
            is_known = any(re.search(pattern, words_of_block) for pattern in patterns)
            # A new element of a card, in the list of those that the pictures show.
            if block.name == "li" and not is_known:
                _note_new(reading, block)
    for sentence, block in _about_kinds(reading):
        kinds = _kinds(sentence)
        new = _new_among(kinds)
        if new or not kinds:
            message = f"cards of a new kind: {listed(new, 'and')}" if new else f"new words: {quoted(sentence)}"
            reading.note_words("042", message, block, sentence, NEW_WORDS)
    return words


def _about_kinds(reading: PageReading) -> Iterator[tuple[str, Element]]:
    """Yield the sentences about the types of cards, with their blocks."""
    for section in reading.sections:
        for block in section.blocks if section.title in (CARDS, DESIGN) else ():
            yield from ((each, block) for each in sentences(rules_prose(block)) if _ABOUT_KINDS.search(each))


def new_kinds(pages: Sequence[PageReading]) -> tuple[str, ...]:
    """Return the kinds of cards that the pages list beside the two that every edition has."""
    lists = (_kinds(sentence) for page in pages for sentence, _ in _about_kinds(page))
    return tuple(dict.fromkeys(kind for kinds in lists for kind in _new_among(kinds)))


def _new_among(kinds: Sequence[str]) -> list[str]:
    """Return the new ones of these kinds of cards; of only two, one is the minion by whatever name."""
    return [kind for kind in kinds if kind not in ("minion", "creature", "spell")] if len(kinds) > 2 else []


_ABOUT_KINDS = re.compile(r"\b(?:types|kinds)\b")
_TYPES = re.compile(r"There are (?P<count>\w+) types of cards(?: in Keeper of the Cards)?: (?P<kinds>[a-z, ]+)")
_COUNTS = {"2": 2, "two": 2, "3": 3, "three": 3, "4": 4, "four": 4, "5": 5, "five": 5}


def _kinds(sentence: str) -> list[str]:
    """Return the kinds of cards that a sentence lists; [] if it does not, or does not list as many as it says."""
    match = _TYPES.match(sentence)
    kinds = re.findall(r"\b(?!and\b)[a-z]+", match["kinds"]) if match else []
    return [_singular(kind) for kind in kinds] if match and _COUNTS.get(match["count"]) == len(kinds) else []


def _singular(kind: str) -> str:
    if kind.endswith("ies"):
        return f"{kind[:-3]}y"
    return kind[:-2] if re.search(r"(?:[sxzo]|[cs]h)es$", kind) else kind.removesuffix("s")


def kind_spoken_of(sentence: str, kinds: Sequence[str]) -> str:
    """Return the new kinds of cards of which alone a sentence speaks; "" if it may concern other cards, too."""
    if kinds and _kinds(sentence):
        return ", ".join(kinds)
    for kind in kinds:
        cards = rf"(?:{kind}\w{{0,3}}|{kind.removesuffix('y')}ies)"
        about = rf"(?:To determine )?[Tt]he (?:level|cost) of an? {cards}\b|(?:[Aa]n? )?{cards} (?:(?:has|have|is|are|must|may)\b|levels?$)"
        if re.match(about, sentence, re.IGNORECASE) and not _OF_OTHERS.search(sentence):
            return kind
    return ""


_OF_OTHERS = re.compile(r"\b(?:minion|creature|spell|card|deck|other|every|each|any(?! number))s?\b", re.IGNORECASE)


def _note_new(reading: PageReading, block: Element) -> None:
    for sentence in sentences(rules_prose(block)):
        if not is_familiar(sentence) and not any(re.search(each, sentence) for each in DECK_ULTRA_POINTS):
            reading.note_words("042", f"new words: {quoted(sentence)}", block, sentence, NEW_WORDS)


def read_deck(reading: PageReading, pages: Sequence[PageReading]) -> tuple[tuple[int, int] | None, int | None]:
    """Return how many cards a deck has, and its most Ultra Points, if they are understood ("Setup and Deck Building")."""
    for page in pages:
        page.topic = "deck"
    said = Sentences(reading, pages)
    patterns = {f"deck {index}": pattern for index, pattern in enumerate((*_DECK_SIZE, *DECK_ULTRA_POINTS))}
    for section in reading.sections:
        if section.title == DECKS:
            list(check_section(reading, section, patterns, _ABOUT_DECKS))  # notes what is new
    size = said.wanted(_DECK_SIZE, "how many cards a deck has", DECKS)
    ultra_points = said.figures(DECK_ULTRA_POINTS)
    if ultra_points is None and said.mention("Ultra Points"):
        said.missing("how many Ultra Points a deck may have", DECKS)
    cards = (int(size[0]), int(size[1] or size[0])) if size else None
    return cards, int(ultra_points[0]) if ultra_points else None


def read_clean_slate(reading: PageReading) -> int | None:
    """Return the oldest design edition that may be played (rulebook, "Clean Slate Edition"), if there is one."""
    reading.topic = "clean_slate"
    found = Sentences(reading, [reading]).figures(_CLEAN_SLATE)
    patterns = {f"clean slate {index}": pattern for index, pattern in enumerate(_CLEAN_SLATE)}
    is_clear = found is None or found[0] == found[1]
    for section in reading.sections:
        if section.title.lower() != CLEAN_SLATE:
            continue
        paragraphs = tuple(block for block in section.blocks if block.name == "p")
        list(check_section(reading, replace(section, blocks=paragraphs), patterns))  # notes what is new
        if found is None or not is_clear:
            message = f"the section {quoted(section.title)} does not say which edition it is"
            reading.note("040", message, section.heading, NEW_WORDS)
    return int(found[0]) if found is not None and is_clear else None


def edition_number(reading: PageReading) -> int | None:
    """Return the edition that the page's title and headings name; refused if they name none, or two."""
    named = [(int(number), element) for element, found in _titles(reading) for number in found]
    if not named:
        place = reading.page.span(_first_title(reading))
        reading.refuse("012", "the page's title does not name an edition, such as `(17th Edition)`", place)
        return None
    first, first_element = named[0]
    for number, element in named[1:]:
        if number != first:
            place = reading.page.span(first_element)
            message = f"this is the {ordinal(number)} Edition, but {place} says the {ordinal(first)}"
            reading.refuse("012", message, reading.page.span(element), "which of the two is right?")
            return None
    return first


_numbers: Callable[[str], list[str]] = re.compile(rf"\(([1-9][0-9]{{0,2}}){_ORDINAL}\)").findall
# The line below the title of the pages up to the 10th Edition: "9th Edition, Revision 1".
_subtitle: Callable[[str], list[str]] = re.compile(rf"^([1-9][0-9]{{0,2}}){_ORDINAL}(?:, Revision [0-9]+)?$").findall


def _titles(reading: PageReading) -> Iterator[tuple[Element, list[str]]]:
    """Yield the page's title, its headings of the first two ranks, and the lines before the first section."""
    for element in reading.page.root.elements():
        if element.name in ("title", "h1", "h2"):
            yield element, _numbers(prose(element))
    for section in reading.sections[:2]:
        for block in section.blocks[:2]:
            yield block, _subtitle(prose(block))


def _first_title(reading: PageReading) -> Element:
    return next((each for each in reading.page.root.elements() if each.name in ("title", "h1", "h2")), reading.title)
