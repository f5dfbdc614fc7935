"""The sentences of the game's pages: figures in known ones, by a table of rules, and notes of new ones.

A rule is understood only when all of its sentences are: a new one among old ones may turn every figure around.
`familiar.txt` has a fingerprint of each sentence of the 9th to the 17th Edition that stands among the rules read here,
with `#` for the figures of a data file. `python -m tests.support.familiar_sentences` writes it anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from render.base.caches import cached
from render.base.findings import listed, quoted
from render.base.patterns import regex
from render.games.kotc.model.cards import ordinal
from render.games.kotc.workshop.guide.pages import Element, PageReading, prose, rules_prose

NEW_WORDS = "the rules may say it in new words, which this version cannot read"
WHICH = "which of the two is right?"
FIGURE = r"(?<![0-9.,-])[0-9]{1,4}(?![0-9]|[.,][0-9])"  # a whole number, and no part of another one
CLEAN_SLATE = "clean slate edition"  # a section of the rulebook, and so are the next two; the last is of the guide
CARDS, DECKS, DESIGN = "Card Types and Layout", "Setup and Deck Building", "Design Instructions"


class Rule(NamedTuple):
    """A key of the data file, the section that gives it, what that says, and patterns of sentences with its figures.

    Without a `subject`, no sentence need say it.
    """

    key: str
    title: str
    subject: str
    patterns: tuple[str, ...]


_ORDINAL = r"(?:st|nd|rd|th) Edition"
_CLEAN = rf"\b(?P<edition>[1-9][0-9]{{0,2}}){_ORDINAL} is considered to be a clean slate edition, meaning that"
DECK_ULTRA_POINTS = (
    rf"\bUltra Points in the deck must be no greater than (?P<most>{FIGURE})",
    rf"\bno more than (?P<most>{FIGURE}) Ultra Points\b",
    rf"\bcannot have more than (?P<most>{FIGURE}) (?:total )?Ultra Points\b",
)
# The second pattern of a term is that of the game of creatures, up to the 11th Edition.
RULES = (
    Rule("terms.minion", CARDS, "what a card with SP and HP is called", (
        r"There are (?:2|two) types of cards(?: in Keeper of the Cards)?: (?P<minion>\w+?)s, and spells\b",
        # With kinds that are new: only by its name is it known which of them is the card with SP and HP.
        r"There are (?!2 |two )[0-9a-z]+ types of cards(?: in Keeper of the Cards)?: "
        r"(?=(?:[a-z]+, |and )*spells\b)(?:[a-z]+, |and )*?(?P<minion>minion|creature)s\b",
    )),
    Rule("terms.sp", CARDS, "what SP are called", (
        r"^The (?P<sp>SP) of the card\.$",
        r"^The offensive power \([“\"](?P<sp>\w+)[”\"]\) of the card\.$",
    )),
    Rule("terms.hp", CARDS, "what HP are called", (
        r"^The (?P<hp>HP) of the card\.$",
        r"^The defensive power \([“\"](?P<hp>\w+)[”\"]\) of the card\.$",
    )),
    Rule("terms.level", CARDS, "what a level is called", (
        r"^The (?P<level>level) of the card\.$",
        r"^The resource (?P<level>cost) of the card\.",
    )),
    # "exactly 40" up to the 10th Edition, "40–60" with an en dash from the 11th on.
    Rule("deck.cards", DECKS, "how many cards a deck has", (
        r"\bdeck\b[^.]{0,200}? must (?:contain|have) (?:exactly )?"
        rf"(?P<least>{FIGURE})(?: ?[–-] ?(?P<most>[0-9]{{1,4}}))? cards\b",
    )),
    Rule("deck.ultra_points", DECKS, "how many Ultra Points a deck may have", DECK_ULTRA_POINTS),
    # The first is the wording from the 13th Edition on, the second that of the 11th and 12th.
    Rule("clean_slate", CLEAN_SLATE, "", (
        rf"{_CLEAN} any card whose design edition is prior to (?P<again>[1-9][0-9]{{0,2}}){_ORDINAL} is pruned\.$",
        rf"{_CLEAN} any card not bearing an Edition Indicator, or any card whose Edition Indicator indicates an edition"
        rf" prior to (?P<again>[1-9][0-9]{{0,2}}){_ORDINAL}, is automatically considered to be a banned card\b"
        r"(?: \(meaning it cannot be used in a game\)\.)?$",
    )),
)  # fmt: skip


def read_rules(rulebook: PageReading, pages: Sequence[PageReading]) -> dict[str, tuple[str, ...]]:
    """Return the figures of the rules that are understood, by the key of the data file; what is not, is noted."""
    written = [
        (sentence, reading, block)
        for reading in pages
        for section in reading.sections
        for block in section.blocks
        if block.name != "table"
        for sentence in sentences(rules_prose(block))
    ]
    found: dict[str, tuple[str, ...]] = {}
    for rule in RULES:
        topic = rule.key.partition(".")[0]
        readings = pages if topic == "deck" else [rulebook]
        for reading in readings:
            reading.topic = topic
        figures = _agreed_figures(rule, [each for each in written if each[1] in readings])
        if figures is not None:
            found[rule.key] = figures
        elif rule.subject and (
            rule.patterns is not DECK_ULTRA_POINTS or any("Ultra Points" in words for words, *_ in written)
        ):
            headings = [section.heading for section in rulebook.sections if section.title == rule.title]
            message = f"no sentence was found that says {rule.subject}"
            rulebook.note("040", message, headings[0] if headings else rulebook.title, NEW_WORDS)
    _check_card_types(rulebook)
    _check_decks(rulebook)
    slate = found.get("clean_slate", ("", ""))
    is_clear = slate[0] == slate[1]
    _check_clean_slate(rulebook, is_said=is_clear and slate[0] != "")
    return found if is_clear else {key: value for key, value in found.items() if key != "clean_slate"}


def _agreed_figures(rule: Rule, written: Iterable[tuple[str, PageReading, Element]]) -> tuple[str, ...] | None:
    """Return the groups of the patterns wherever they match; None if none matches, refused if they disagree."""
    matches = [
        (match.groups(""), sentence, reading, block)
        for sentence, reading, block in written
        for pattern in rule.patterns
        for match in re.finditer(pattern, sentence)
    ]
    if not matches:
        return None
    first, _, first_reading, first_block = matches[0]
    for figures, sentence, reading, block in matches:
        # Rulebook and guide repeat some figures, such as the Ultra Points of a deck.
        if figures != first:
            place = first_reading.page.span(first_block)
            message = f"this says {quoted(_joined(figures))}, but {place} says {quoted(_joined(first))}"
            reading.refuse("041", message, block, WHICH)
        reading.understand(block, f"{reading.topic}: {_joined(figures)}", sentence)
    return first


def _joined(figures: Iterable[str]) -> str:
    return "-".join(dict.fromkeys(filter(None, figures)))


# --- new sentences in sections of rules -----------------------------------------------------------------------------


def _check_card_types(reading: PageReading) -> None:
    """Note new elements of a card, in the list of those that the pictures show, and new kinds of cards."""
    reading.topic = "terms"
    patterns = [pattern for rule in RULES if rule.title == CARDS for pattern in rule.patterns]
    for section in reading.sections:
        for block in section.blocks if section.title == CARDS else ():
            if block.name == "li" and not any(re.search(pattern, prose(block)) for pattern in patterns):
                for sentence in sentences(rules_prose(block)):
                    if not is_familiar(sentence) and not any(re.search(each, sentence) for each in DECK_ULTRA_POINTS):
                        note_sentence(reading, block, sentence)
    for sentence, block in _about_kinds(reading):
        kinds = _kinds(sentence)
        new = _new_among(kinds)
        if new or not kinds:
            message = f"cards of a new kind: {listed(new, 'and')}" if new else f"new words: {quoted(sentence)}"
            reading.note("042", message, block, NEW_WORDS, sentence)


def _check_decks(reading: PageReading) -> None:
    reading.topic = "deck"
    patterns = {f"{rule.key} {index}": each for rule in RULES[4:6] for index, each in enumerate(rule.patterns)}
    for section in reading.sections:
        if section.title == DECKS:
            list(check_blocks(reading, section.blocks, patterns, r"\b[Dd]ecks?\b|\bUltra Points\b"))


def _check_clean_slate(reading: PageReading, *, is_said: bool) -> None:
    reading.topic = "clean_slate"
    patterns = {f"clean slate {index}": pattern for index, pattern in enumerate(RULES[-1].patterns)}
    for section in reading.sections:
        if section.title.lower() == CLEAN_SLATE:
            list(check_blocks(reading, [block for block in section.blocks if block.name == "p"], patterns))
            if not is_said:
                message = f"the section {quoted(section.title)} does not say which edition it is"
                reading.note("040", message, section.heading, NEW_WORDS)


# --- kinds of cards -------------------------------------------------------------------------------------------------

_TYPES = regex(r"There are (?P<count>\w+) types of cards(?: in Keeper of the Cards)?: (?P<kinds>[a-z, ]+)")
_COUNTS = {"2": 2, "two": 2, "3": 3, "three": 3, "4": 4, "four": 4, "5": 5, "five": 5}
_OF_OTHERS = regex(r"\b(?:minion|creature|spell|card|deck|other|every|each|any(?! number))s?\b", re.IGNORECASE)


def new_kinds(pages: Sequence[PageReading]) -> tuple[str, ...]:
    """Return the kinds of cards that the pages list beside the two that every edition has."""
    lists = (_kinds(sentence) for page in pages for sentence, _ in _about_kinds(page))
    return tuple(dict.fromkeys(kind for kinds in lists for kind in _new_among(kinds)))


def _about_kinds(reading: PageReading) -> Iterator[tuple[str, Element]]:
    """Yield the sentences about the types of cards, with their blocks."""
    for section in reading.sections:
        for block in section.blocks if section.title in (CARDS, DESIGN) else ():
            for sentence in sentences(rules_prose(block)):
                if re.search(r"\b(?:types|kinds)\b", sentence):
                    yield sentence, block


def _new_among(kinds: Sequence[str]) -> list[str]:
    """Return the new ones of these kinds of cards; of only two, one is the minion by whatever name."""
    return [kind for kind in kinds if kind not in ("minion", "creature", "spell")] if len(kinds) > 2 else []


def _kinds(sentence: str) -> list[str]:
    """Return the kinds of cards that a sentence lists; [] if it does not, or does not list as many as it says."""
    match = _TYPES.match(sentence)
    kinds = re.findall(r"\b(?!and\b)[a-z]+", match["kinds"]) if match else []
    return [_singular(kind) for kind in kinds] if match and _COUNTS.get(match["count"]) == len(kinds) else []


def _singular(kind: str) -> str:
    if kind.endswith("ies"):
        return f"{kind[:-3]}y"
    return kind[:-2] if re.search(r"(?:[sxzo]|[cs]h)es$", kind) else kind.removesuffix("s")


def is_about_kinds(sentence: str) -> bool:
    """Return whether a sentence lists the kinds of cards."""
    return bool(_kinds(sentence))


def kind_spoken_of(sentence: str, kinds: Sequence[str]) -> str:
    """Return the new kinds of cards of which alone a sentence speaks; "" if it may concern other cards, too."""
    if kinds and _kinds(sentence):
        return ", ".join(kinds)
    for kind in kinds:
        cards = rf"(?:{kind}\w{{0,3}}|{kind.removesuffix('y')}ies)"
        about = (
            rf"(?:To determine )?[Tt]he (?:level|cost) of an? {cards}\b"
            rf"|(?:[Aa]n? )?{cards} (?:(?:has|have|is|are|must|may)\b|levels?$)"
        )
        if re.match(about, sentence, re.IGNORECASE) and not _OF_OTHERS.search(sentence):
            return kind
    return ""


# --- the edition of a page ------------------------------------------------------------------------------------------

_IN_TITLE = regex(rf"\(([1-9][0-9]{{0,2}}){_ORDINAL}\)")
# The line below the title of the pages up to the 10th Edition: "9th Edition, Revision 1".
_SUBTITLE = regex(rf"^([1-9][0-9]{{0,2}}){_ORDINAL}(?:, Revision [0-9]+)?$")


def edition_number(reading: PageReading) -> int | None:
    """Return the edition that the page's title, headings and first lines name; refused if they name none, or two."""
    named = [(int(number), element) for element in reading.titles() for number in _IN_TITLE.findall(prose(element))]
    for section in reading.sections[:2]:
        for block in section.blocks[:2]:
            named += [(int(number), block) for number in _SUBTITLE.findall(prose(block))]
    if not named:
        message = "the page's title does not name an edition, such as `(17th Edition)`"
        reading.refuse("012", message, next(iter(reading.titles()), reading.title))
        return None
    first, first_element = named[0]
    for number, element in named[1:]:
        if number != first:
            place = reading.page.span(first_element)
            message = f"this is the {ordinal(number)} Edition, but {place} says the {ordinal(first)}"
            reading.refuse("012", message, element, WHICH)
            return None
    return first


# --- known and new sentences ----------------------------------------------------------------------------------------


class Passage(NamedTuple):
    """A sentence with figures, by the name of its pattern, and the block in which it stands."""

    name: str
    figures: Mapping[str, str]
    sentence: str
    block: Element


def check_blocks(
    reading: PageReading, blocks: Iterable[Element], patterns: Mapping[str, str], about: str = ""
) -> Iterator[Passage]:
    """Yield the sentences of blocks that have figures, and note those that are new.

    `about` is a pattern that sentences have to have if they matter; without it, all do.
    """
    for block in blocks:
        for sentence in sentences(rules_prose(block)):
            passage = _passage(sentence, block, patterns)
            if passage is not None:
                yield passage
            elif not is_familiar(sentence) and (not about or re.search(about, sentence)):
                note_sentence(reading, block, sentence)


def check_sentences(reading: PageReading, block: Element) -> None:
    """Note the sentences of a block that no published page has."""
    list(check_blocks(reading, [block], {}))


def note_sentence(reading: PageReading, block: Element, sentence: str) -> None:
    """Note a sentence that is new."""
    reading.note("042", f"new words: {quoted(sentence)}", block, NEW_WORDS, sentence)


def _passage(sentence: str, block: Element, patterns: Mapping[str, str]) -> Passage | None:
    """Return the figures of a sentence that is known but for them; None if it is not."""
    for name, pattern in patterns.items():
        match = re.search(pattern, sentence)
        if match is not None:
            figures = {key: value for key, value in match.groupdict().items() if value is not None}
            plain = sentence
            for start, end in sorted((match.span(key) for key in figures), reverse=True):
                plain = f"{plain[:start]}#{plain[end:]}"
            if is_familiar(plain):
                return Passage(name, figures, sentence, block)
    return None


# A sentence ends before a space and a capital letter, quote or parenthesis; `(e.g.` ends none.
_END = regex(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[”\")]*\s+(?=[A-Z(“\"])")
_GOES_ON = regex(r"(?:If less than|If this|Then)\b")  # says nothing without the sentence before it


def sentences(words: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; one that continues the one before it is part of that."""
    held, start = "", 0
    for end in [*(match.end() for match in _END.finditer(words)), len(words)]:
        sentence = words[start:end].strip()
        start = end
        if held and _GOES_ON.match(sentence):
            held = f"{held} {sentence}"
            continue
        if held:
            yield held
        held = sentence
    if held:
        yield held


def is_familiar(sentence: str) -> bool:
    """Return whether a sentence stands in a published page and gives no figure.

    Case, spaces and kinds of quotes make no difference to its fingerprint of twelve digits.
    """
    plain = "".join(char for char in sentence.lower().replace("’", "'") if char not in ' “”"\N{NO-BREAK SPACE}')
    return hashlib.sha256(plain.encode()).hexdigest()[:12] in _fingerprints()


@cached(1)
def _fingerprints() -> frozenset[str]:
    return frozenset((Path(__file__).parent / "familiar.txt").read_text(encoding="ascii").split())
