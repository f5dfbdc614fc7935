"""Translate many texts of the 17th Edition there and back: `python tests/benchmarks/prove.py translations 2000`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from msgspec.structs import replace

from proofs.legal_texts import LegalTexts
from render.games.kotc.editions.finding import find
from render.games.kotc.languages.finding import vocabulary
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.cards import WrittenWords
from render.games.kotc.translation import translate
from tests.support.level_cases import card

LANGUAGES = ("de", "fr")
EDITION = find(17)
CALCULATORS = {each: LevelCalculator(EDITION, vocabulary(EDITION, each)) for each in ("en", *LANGUAGES)}


def there(text: str, language: str) -> str:
    """Return an English text in the language; AssertionError if that has no words for something in it."""
    return _translated(text, "en", language)


def back(text: str, language: str) -> str:
    """Return a text of the language in English; AssertionError if something in it is no component."""
    return _translated(text, language, "en")


def _translated(text: str, written: str, language: str) -> str:
    found = translate(text, CALCULATORS[written].reader, CALCULATORS[language].vocabulary.words)
    assert not found.unknown
    return found.text


def legal_texts(count: int, seed: int = 17) -> Iterator[tuple[str, bool]]:
    """Yield legal texts, and whether each is that of a spell."""
    texts = LegalTexts(EDITION, seed)
    for number in range(count):
        yield texts.text(is_spell=number % 2 == 0), number % 2 == 0


def main(count: int) -> int:
    """Translate that many texts there and back, and say how many come back the same and have the same level."""
    lost = 0
    for language in LANGUAGES:
        same, equal = 0, 0
        for text, is_spell in legal_texts(count):
            other = there(text, language)
            same += back(other, language) == text
            equal += numbers_of(text, "en", is_spell=is_spell) == numbers_of(other, language, is_spell=is_spell)
        print(f"{language}: {same} of {count} texts come back byte for byte, {equal} have the same numbers")
        lost += 2 * count - same - equal
    return int(lost > 0)


def numbers_of(text: str, language: str, *, is_spell: bool) -> tuple[int, int, int]:
    """Return level, Ultra Points and the number of flaws of a card with a text of the language."""
    written = None if language == "en" else WrittenWords(language, text)
    found = CALCULATORS[language].derive(replace(card(text, *(() if is_spell else (2, 3))), written=written))
    assert found
    return found.level, found.ultra_points, len(found.flaws)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
