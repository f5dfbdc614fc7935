"""Whether there are words in the languages that a set declares."""

from __future__ import annotations

from render.base.findings import Diagnostic, did_you_mean, listed, nearest_word
from render.games.kotc.languages.places import known_words
from render.games.kotc.model.cards import ENGLISH, CardSet
from render.source.fields import Fields
from render.source.nodes import Scalar, Sequence


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
