"""The languages of a set: in which its cards are printed, and in which they are written."""

from __future__ import annotations

from render.base.findings import quoted
from render.games.kotc.files.words_key import LANGUAGE, LANGUAGE_EXAMPLE
from render.source.fields import Fields
from render.source.nodes import Scalar, Sequence


def read_languages(fields: Fields) -> tuple[str, ...]:
    """Return the languages of `language` or `languages`; () if neither is given, or it is wrong, which is noted."""
    if "languages" not in fields.values:
        language = read_language(fields, "language")
        return (language,) if language else ()
    if "language" in fields.values:
        hint = "remove `language`: the first of `languages` is the set's own"
        fields.note("003", "a set has `language` or `languages`, not both", fields.place("language"), hint, "language")
        return ()
    node = fields.values["languages"]
    found = [each.value for each in node.items if isinstance(each, Scalar)] if isinstance(node, Sequence) else []
    is_sound = isinstance(node, Sequence) and len(found) == len(node.items) == len(set(found)) > 0
    if is_sound and all(map(LANGUAGE.fullmatch, found)):
        return tuple(found)
    fields.expected("languages", "a list of different languages such as `[en, de]`", _what_is_wrong(found))
    return ()


def _what_is_wrong(found: list[str]) -> str:
    """Return a hint about a list of languages that cannot be; "" if it is no list, or has no words."""
    odd = [each for each in found if not LANGUAGE.fullmatch(each)]
    twice = [each for each in found if found.count(each) > 1]
    if odd:
        return f"{quoted(odd[0])} is no language: it has two or three small letters"
    return f"{quoted(twice[0])} stands in it twice" if twice else ""


def read_language(fields: Fields, key: str) -> str:
    """Return a language; "" if none is given, or it is wrong, which is noted."""
    if key not in fields.values:
        return ""
    node = fields.values[key]
    if isinstance(node, Scalar) and LANGUAGE.fullmatch(node.value):
        return node.value
    fields.expected(key, LANGUAGE_EXAMPLE)
    return ""
