"""Find the words of an edition in a language, in the folders of editions, as `17.de.yaml`."""

from __future__ import annotations

from pathlib import Path

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Span, did_you_mean, listed, nearest_word
from render.base.patterns import regex
from render.games.kotc.editions.finding import SHIPPED, files_named, find, home_of, places
from render.games.kotc.languages import reading
from render.games.kotc.languages.english import EnglishVocabulary, english
from render.games.kotc.languages.vocabulary import ForeignVocabulary, LanguageWords, Vocabulary
from render.games.kotc.model.cards import ENGLISH, CardSet, ordinal
from render.games.kotc.model.edition import Edition
from render.source.fields import Fields
from render.source.nodes import Scalar, Sequence


def vocabulary(edition: Edition, language: str, set_folder: Path | None = None) -> Vocabulary:
    """Return what finds components of an edition in texts of a language; Refused if there are no words in it."""
    words = english() if language == ENGLISH else find_words(edition, language, set_folder)
    return _vocabulary(edition, words)


def find_words(edition: Edition, language: str, set_folder: Path | None = None) -> LanguageWords:
    """Return the words of an edition in a language from the first folder that has them.

    Refused with every mistake in that file; if no folder has one, with the languages that there are.
    """
    file = places(words_file(edition.number, language), set_folder)[-1]
    if file.is_file():
        return _shipped(file, edition) if file.parent == SHIPPED else _read(file, edition, home_of(file, set_folder))
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


@cached(32)
def _vocabulary(edition: Edition, words: LanguageWords) -> Vocabulary:
    return EnglishVocabulary(edition) if words.language == ENGLISH else ForeignVocabulary(edition, words)


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


# --- places ----------------------------------------------------------------------------------------------------------

_NAME = regex(r"(?:0[1-9]|[1-9][0-9]{1,2})\.[a-z]{2,3}")  # of a file, without `.yaml`: 17.de


def words_file(number: int, language: str) -> str:
    """Return the name of the file with the words of an edition: `17.de.yaml`."""
    return f"{number:02}.{language}.yaml"


def languages_of(number: int, set_folder: Path | None = None) -> list[str]:
    """Return the languages besides English in which there are words of an edition, sorted."""
    return sorted(language for found, language, _ in known_words(set_folder) if found == number)


def known_words(set_folder: Path | None = None) -> list[tuple[int, str, Path]]:
    """Return edition, language and file of all words that are found, sorted."""
    named = ((name.split("."), file) for name, file in files_named(_NAME, set_folder).items())
    return sorted((int(number), language, file) for (number, language), file in named)


# --- what a set declares ---------------------------------------------------------------------------------------------


def check_known(fields: Fields, card_set: CardSet) -> None:
    """Note the languages of a set in which no edition has words."""
    for language in dict.fromkeys((card_set.language, *card_set.languages, card_set.written)):
        if language not in ("", ENGLISH):
            _check_known(fields, card_set, language)


def _check_known(fields: Fields, card_set: CardSet, language: str) -> None:
    known = sorted({ENGLISH, *(spoken for _, spoken, _ in known_words(card_set.folder))})
    if language not in known:
        key = next((key for key in ("language", "languages", "written") if language in _said(fields, key)), "name")
        hint = did_you_mean(language, known) or f"there are those in {listed(known, 'and')}"
        node = fields.values.get(key)
        # A list has several languages, and the finding stands at all of them.
        near = nearest_word(language, known) if isinstance(node, Scalar) else ""
        fields.add(
            Diagnostic("W030", f"no edition has words in `{language}`", hint, instead=near), fields.place(key), key
        )


def _said(fields: Fields, key: str) -> list[str]:
    node = fields.values.get(key)
    nodes = node.items if isinstance(node, Sequence) else [node]
    return [each.value for each in nodes if isinstance(each, Scalar)]
