"""Paragraphs whose every sentence must be known, or is noted as not understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from render.base.findings import quoted
from render.games.kotc.workshop.guide.familiar import is_familiar, sentences
from render.games.kotc.workshop.pages.sections import PageReading, Section
from render.games.kotc.workshop.pages.tree import Element, rules_prose

NEW_WORDS = "the rules may say it in new words, which this version cannot read"
FIGURE = r"(?<![0-9.,-])[0-9]{1,4}(?![0-9]|[.,][0-9])"  # a whole number, and no part of another one


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with figures, by the name of its pattern, and the block in which it stands."""

    name: str
    figures: Mapping[str, str]
    sentence: str
    block: Element


def check_section(
    reading: PageReading, section: Section, patterns: Mapping[str, str], about: str = ""
) -> Iterator[Passage]:
    """Yield the sentences of a section that have figures, and note those that are new.

    `about` is a pattern that sentences have to have if they matter; without it, all do.
    """
    for block in section.blocks:
        for sentence in sentences(rules_prose(block)):
            passage = _passage(sentence, block, patterns)
            if passage is not None:
                yield passage
            elif not is_familiar(sentence) and (not about or re.search(about, sentence)):
                note_sentence(reading, block, sentence)


def check_sentences(reading: PageReading, block: Element) -> None:
    """Note the sentences of a block that no published page has."""
    for sentence in sentences(rules_prose(block)):
        if not is_familiar(sentence):
            note_sentence(reading, block, sentence)


def note_sentence(reading: PageReading, block: Element, sentence: str) -> None:
    """Note a sentence that is new."""
    reading.note_words("042", f"new words: {quoted(sentence)}", block, sentence, NEW_WORDS)


def _passage(sentence: str, block: Element, patterns: Mapping[str, str]) -> Passage | None:
    """Return the figures of a sentence that is known but for them; None if it is not."""
    for name, pattern in patterns.items():
        match = re.search(pattern, sentence)
        if match is not None and is_familiar(without_figures(sentence, match)):
            figures = {key: value for key, value in match.groupdict().items() if value is not None}
            return Passage(name, figures, sentence, block)
    return None


def without_figures(sentence: str, match: re.Match[str]) -> str:
    """Return a sentence with `#` in the place of each of its figures."""
    spans = sorted(match.span(key) for key, value in match.groupdict().items() if value is not None)
    for start, end in reversed(spans):
        sentence = f"{sentence[:start]}#{sentence[end:]}"
    return sentence
