"""Find the words of an edition in a language, in the folders in which editions are found."""

from __future__ import annotations

from pathlib import Path

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Span, listed
from render.games.kotc.editions.finding import SHIPPED, find, home_of, searched_folders
from render.games.kotc.languages import reading
from render.games.kotc.languages.places import known_words, languages_of, words_file
from render.games.kotc.languages.vocabulary import English, Foreign, Vocabulary
from render.games.kotc.languages.words import LanguageWords
from render.games.kotc.model.cards import ENGLISH, ordinal
from render.games.kotc.model.edition import Edition


def vocabulary(number: int, language: str, set_folder: Path | None = None) -> Vocabulary:
    """Return the words of an edition in a language, ready to read and say; Refused if there are none."""
    edition = find(number, set_folder)
    return _english(edition) if language == ENGLISH else find_foreign(edition, language, set_folder)


def find_foreign(edition: Edition, language: str, set_folder: Path | None = None) -> Foreign:
    """Return the words of an edition in another language than English, ready to read and say; Refused if none."""
    return _foreign(find_words(edition, language, set_folder))


def find_words(edition: Edition, language: str, set_folder: Path | None = None) -> LanguageWords:
    """Return the words of an edition in a language from the first folder that has them.

    Refused with every mistake in that file; if no folder has one, with the languages that there are.
    """
    for folder in searched_folders(set_folder):
        file = folder / words_file(edition.number, language)
        if file.is_file():
            return _shipped(file, edition) if folder == SHIPPED else _read(file, edition, home_of(folder, set_folder))
    known = languages_of(edition.number, set_folder)
    message = f"there are no words of the {ordinal(edition.number)} Edition in the language `{language}`"
    others = [ordinal(number) for number, spoken, _ in known_words(set_folder) if spoken == language]
    there = f"there are those in {listed(known, 'and')}" if known else "there are none in any"
    if others:
        there = f"there are words in it of the {' and the '.join(others)} Edition"
    hint = f"{there}; a language file is called `editions/{words_file(edition.number, language)}`"
    if not edition.grammar.has_sub_abilities:  # for which there can be none: see W036
        hint = f"{there}, and texts up to the 11th are not translated: give the card's whole `text` below `words`"
    raise Refused([Diagnostic("W030", message, hint).at()])


def newest_words(language: str, set_folder: Path | None, number: int) -> LanguageWords:
    """Return the words of an edition in a language, or those of the newest edition that has them; Refused if none."""
    known = [each for each, spoken, _ in known_words(set_folder) if spoken == language]
    chosen = number if number in known or not known else known[-1]
    return find_words(find(chosen, set_folder), language, set_folder)


@cached(16)
def _english(edition: Edition) -> English:
    return English(edition)


@cached(16)
def _foreign(words: LanguageWords) -> Foreign:
    return Foreign(words)


@cached(32)
def _shipped(file: Path, edition: Edition) -> LanguageWords:
    return _read(file, edition)


def _read(file: Path, edition: Edition, home: Path | None = None) -> LanguageWords:
    words = reading.read(file, edition, home)
    if file.name != words_file(edition.number, words.language):
        message = f"`{file.name}` holds words in the language `{words.language}`"
        hint = f"rename it to `{words_file(edition.number, words.language)}`"
        raise Refused([Diagnostic("W037", message, hint).at(Span(file=file))])
    return words
