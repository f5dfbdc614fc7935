"""The key `words` of a card: what it says in other languages, which no rule can tell."""

from __future__ import annotations

import re

from render.games.kotc.model.cards import CardWords
from render.source.fields import Fields

WORDS = ("name", "text", "flavor", "credit", "abilities", "tutorials")
LANGUAGE = re.compile(r"[a-z]{2,3}")  # ISO 639
LANGUAGE_EXAMPLE = "a language of two or three letters such as `de`"


def read_words(fields: Fields) -> tuple[CardWords, ...]:
    """Return what a card says by hand in other languages; mistakes are noted."""
    inner = fields.inner("words")
    if inner is None:
        return ()
    return tuple(words for key in inner.values if (words := _of_language(inner, key)))


SET_WORDS = ("name", "credit")


def read_set_words(fields: Fields, language: str) -> dict[str, str]:
    """Return what `set.yaml` says by hand in a language: its name and credit, if given; all mistakes are noted."""
    inner = fields.inner("words")
    found = {}
    for key in inner.values if inner else ():
        each = inner.inner(key) if inner and _is_language(inner, key) else None
        if each is None:
            continue
        each.check_keys(SET_WORDS)
        texts = {name: each.text(name) for name in SET_WORDS}
        found[key] = {name: words for name, words in texts.items() if words}
    return found.get(language, {})


def _of_language(fields: Fields, language: str) -> CardWords | None:
    inner = fields.inner(language) if _is_language(fields, language) else None
    if inner is None:
        return None
    inner.check_keys(WORDS)
    lines = inner.text("tutorials", lines=True).splitlines()
    return CardWords(
        language=language,
        name=inner.text("name"),
        text=inner.text("text", lines=True),
        flavor=inner.text("flavor"),
        credit=inner.text("credit"),
        abilities=_abilities(inner),
        tutorials=tuple(_in_parentheses(line) for line in lines if line.strip()),
    )


def _is_language(fields: Fields, key: str) -> bool:
    if LANGUAGE.fullmatch(key):
        return True
    fields.note("007", f"expected {LANGUAGE_EXAMPLE}, found `{key}`", fields.place(key), key=key)
    return False


def _abilities(fields: Fields) -> tuple[tuple[str, str], ...]:
    inner = fields.inner("abilities")
    found = []
    for name in inner.values if inner else ():
        words = inner.words(name) if inner else ""
        if words and inner and words != words.upper():
            message = f"the name of an ability is in capital letters, found `{words}`"
            inner.note("007", message, inner.place(name), f"write `{words.upper()}`", name)
        elif words:
            found.append((name, words))
    return tuple(found)


def _in_parentheses(line: str) -> str:
    words = line.strip()
    return words if words.startswith("(") and words.endswith(")") else f"({words})"
