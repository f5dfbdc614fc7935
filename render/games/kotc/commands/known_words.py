"""What options of this game may be: editions and languages, each with a few words about it."""

from __future__ import annotations

from collections.abc import Iterator

Described = Iterator[tuple[str, str]]
"""Values with words about each."""


def editions() -> Described:
    """Yield the editions whose rules are found, oldest first, with the files of the rules."""
    from render.games.kotc.editions.finding import known

    for number, file in known():
        yield str(number), str(file)


def languages() -> Described:
    """Yield the languages that an edition has words in, with the numbers of these editions."""
    from render.games.kotc.languages.finding import known_words

    found: dict[str, list[str]] = {}
    for number, language, _ in known_words():
        found.setdefault(language, []).append(str(number))
    for language, numbers in sorted(found.items()):
        yield language, f"editions {', '.join(numbers)}"
