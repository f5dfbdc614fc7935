"""What `set.yaml` says for this game alone, as a table of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from render.base.findings import quoted
from render.base.geometry import MM_PER_POINT
from render.games.kotc.files.keys import LARGEST_LEAST, SMALLEST
from render.games.kotc.files.words_key import LANGUAGE, LANGUAGE_EXAMPLE, LANGUAGE_NAME, SET_WORDS, read_set_words
from render.games.kotc.model.cards import ENGLISH, MIN_TEXT, CardSet
from render.games.kotc.model.declaration import LAST_EDITION
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable, Value, truth, whole
from render.source.nodes import Scalar, Sequence
from render.source.shapes import Shape

_OF_LANGUAGES = (
    "the language in which cards are [printed](../languages.md); of several, the first is the set's own",
    "`de`, or a list such as `[en, de]`",
    "`en`",
)


def read_set(fields: Fields, card_set: CardSet, given: Mapping[str, Any]) -> CardSet:
    """Return the set with what its `set.yaml` says for this game alone.

    The language of `card_set` is the one asked for, if any.
    """
    values = dict(given)
    first = values.pop("language")
    languages = values.pop("languages") or ((first,) if first else (ENGLISH,))
    language = card_set.language or languages[0]
    said = read_set_words(fields, language) if "words" in fields.values else {}
    found = replace(card_set, language=language, languages=languages, **{**values, **said})
    if {found.language, *languages, found.written} - {ENGLISH, ""}:
        from render.games.kotc.languages.finding import check_known

        check_known(fields, found)
    return found


def _languages(fields: Fields, key: str, _: object) -> tuple[str, ...]:
    """Return the languages of a list; () if it is wrong, which is noted."""
    if "language" in fields.values:
        hint = "remove `language`: the first of `languages` is the set's own"
        fields.note("003", "a set has `language` or `languages`, not both", fields.place("language"), hint, "language")
        return ()
    node = fields.values[key]
    found = [each.value for each in node.items if isinstance(each, Scalar)] if isinstance(node, Sequence) else []
    is_sound = isinstance(node, Sequence) and len(found) == len(node.items) == len(set(found)) > 0
    if is_sound and all(map(LANGUAGE.fullmatch, found)):
        return tuple(found)
    fields.expected(key, "a list of different languages such as `[en, de]`", _what_is_wrong(found))
    return ()


def _what_is_wrong(found: list[str]) -> str:
    """Return a hint about a list of languages that cannot be; "" if it is no list, or has no words."""
    odd = [each for each in found if not LANGUAGE.fullmatch(each)]
    twice = [each for each in found if found.count(each) > 1]
    if odd:
        return f"{quoted(odd[0])} is no language: it has two or three small letters"
    return f"{quoted(twice[0])} stands in it twice" if twice else ""


def _language(fields: Fields, key: str, _: object) -> str:
    """Return a language; "" if it is wrong, which is noted, or `languages` count."""
    node = fields.values[key]
    if key == "language" and "languages" in fields.values:
        return ""
    if isinstance(node, Scalar) and LANGUAGE.fullmatch(node.value):
        return node.value
    fields.expected(key, LANGUAGE_EXAMPLE)
    return ""


def _least_text(fields: Fields, key: str, _: object) -> float:
    """Return the smallest size in mm of ability texts."""
    size = fields.points(key, SMALLEST, LARGEST_LEAST)
    return MIN_TEXT if size is None else size * MM_PER_POINT


def _language_shape(_: object) -> Shape:
    from render.games.kotc.languages.finding import known_words

    return {**LANGUAGE_NAME, "examples": sorted({ENGLISH, *(spoken for _, spoken, _ in known_words())})}


SET_TABLE = KeyTable(
    Key("edition", whole(1, LAST_EDITION), "the edition of cards without `edition`", "1 to 999"),
    Key("language", Value(_language_shape, _language), *_OF_LANGUAGES, default=""),
    Key(
        "languages",
        Value(lambda _: {**shapes.listing(_language_shape(_), least=1), "uniqueItems": True}, _languages),
        *_OF_LANGUAGES,
        default=(),
    ),
    Key(
        "written",
        Value(_language_shape, _language),
        "the language of the card files, if the cards are printed in another one only",
        "a language",
        "the set's own",
        default="",
    ),
    Key(
        "words",
        Value(shapes.named(LANGUAGE_NAME, SET_WORDS.shape)),
        "both [in other languages](../languages.md)",
        "languages, with `name` and `credit`",
        "none",
    ),
    Key("credit", LINE, "the credit line of cards without `credit`", "text", "none", default=""),
    Key(
        "least_text",
        Value(shapes.number(SMALLEST, LARGEST_LEAST), _least_text),
        "the smallest [size of a text](cards.md#sizes-of-texts)",
        "size in pt, 3.5 to 8",
        "`5`",
        default=MIN_TEXT,
    ),
    Key(
        "red",
        truth(default=True),
        "whether caveats and activation conditions are red where the rules say so; the game's own prints from the"
        " 12th Edition on are black",
        "`true`, `false`",
        "`true`",
        default=True,
    ),
    also={"if": {"required": ["languages"]}, "then": {"properties": {"language": False}}},
)
"""The keys that only sets of this game have."""
