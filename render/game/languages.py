"""The languages in which cards are printed: what `set.yaml` says of them, and the words that cards and sets give in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from render.base.findings import Diagnostic, Severity, Span, did_you_mean, listed, quoted
from render.base.patterns import regex
from render.game.cards import GameCard, GameSet, place_of_key, value_of_key
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import NAME, Key, KeyTable
from render.source.nodes import Scalar, Sequence, node_at
from render.source.reader import read_partly
from render.source.shapes import Shape

LANGUAGE = regex(r"[a-z]{2,3}(-[a-z]{2,4})?")  # ISO 639, perhaps with a script or a country: `zh-hant`, `pt-br`
# ISO 639-1. Those of three letters are thousands, and few write them by mistake.
_OF_TWO_LETTERS = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
# Letters of countries (ISO 3166), and of names, that are written for a language.
_OF_COUNTRIES = {
    "ge": "de", "at": "de", "dt": "de", "cz": "cs", "jp": "ja", "gr": "el", "dk": "da", "ua": "uk", "cn": "zh",
    "us": "en", "gb": "en", "sp": "es", "mx": "es", "po": "pl", "du": "nl", "ir": "fa", "il": "he", "vn": "vi",
    "eg": "ar",
}  # fmt: skip
LANGUAGE_EXAMPLE = "a language of two or three letters such as `de`"
LANGUAGE_NAME = shapes.matching(f"^{LANGUAGE.pattern}$", LANGUAGE_EXAMPLE)


def read_words(fields: Fields, table: KeyTable, around: Any = None) -> dict[str, dict[str, Any]]:
    """Return what `words` of a card or a set says by language, by the keys of a table; mistakes are noted.

    What is None is left out: it is not given.
    """
    return read_by_language(fields, "words", table, around)


def read_by_language(fields: Fields, key: str, table: KeyTable, around: Any = None) -> dict[str, dict[str, Any]]:
    """Return what a key has by language, each as `given_words`; mistakes are noted."""
    inner, found = fields.inner(key), {}
    for language in inner.values if inner else ():
        each = inner.inner(language) if inner and is_language(inner, language) else None
        if each:
            found[language] = given_words(table, each, around)
    return found


def given_words(table: KeyTable, fields: Fields, around: Any) -> dict[str, Any]:
    """Return what is said in one language, by the keys of a table, without what is None."""
    return {key: value for key, value in table.read(fields, around).items() if value is not None}


SET_WORDS = KeyTable(Key("name", NAME, default=""))
"""The keys of what a set says in one language."""


def words_shape(table: KeyTable) -> Shape:
    """Return the schema of `words` with the keys of a table for each language."""
    return shapes.named(LANGUAGE_NAME, table.shape)


def is_language(fields: Fields, key: str) -> bool:
    """Return whether a key is the letters of a language; if not, that is noted."""
    place = fields.document.span(next(name for name, _ in fields.node.entries if name.value == key))
    if not LANGUAGE.fullmatch(key):
        fields.note("007", f"expected {LANGUAGE_EXAMPLE}, found `{key}`", place, _LETTERS, key)
        return False
    letters, dash, variety = key.partition("-")
    if len(letters) != 2 or letters in _OF_TWO_LETTERS:
        return True
    meant = f"{_OF_COUNTRIES[letters]}{dash}{variety}" if letters in _OF_COUNTRIES else ""
    hint = f"did you mean `{meant}`?" if meant else _LETTERS
    instead = "" if meant in fields.values else meant
    fields.note("007", f"no language is called `{key}`", place, hint, key, instead=instead)
    return False


_LETTERS = "the languages have the letters of ISO 639"


def read_languages(fields: Fields, key: str, _: Any) -> tuple[str, ...]:
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


def language_shape(game: Any = None) -> Shape:
    """Return the schema of a language, with those of which the game has words of its own."""
    known = game.known_languages() if game else ()
    return {**LANGUAGE_NAME, "examples": sorted(known)} if known else LANGUAGE_NAME


def languages_shape(game: Any = None) -> Shape:
    """Return the schema of a list of languages."""
    return {**shapes.listing(language_shape(game), least=1), "uniqueItems": True}


def read_language(fields: Fields, key: str, _: Any) -> str:
    """Return a language; "" if it is wrong, which is noted, or `languages` count."""
    node = fields.values[key]
    if key == "language" and "languages" in fields.values:
        return ""
    if isinstance(node, Scalar) and LANGUAGE.fullmatch(node.value):
        return node.value
    fields.expected(key, LANGUAGE_EXAMPLE)
    return ""


def check_declared(fields: Fields, card_set: GameSet) -> None:
    """Note that a set is to be printed in a language that it does not name."""
    language, known = card_set.language, card_set.languages
    if language in ("", *known):
        return
    key = next((key for key in ("languages", "language") if key in fields.values), "name")
    message = (
        f"the set has no words in `{language}`: it is printed in {listed(known, 'and') if known else 'one language'}"
    )
    hint = f"write `languages: [{', '.join((*(known or ('en',)), language))}]`"
    fields.note(
        "034",
        message,
        fields.place(key) if key in fields.values else fields.start,
        did_you_mean(language, known) or hint,
        key,
    )


def place_of_words(card: GameCard, card_set: GameSet, key: str) -> Span | None:
    """Return where the words of a card in the language in which it is printed are given: in it, or in a file of words.

    None if it is printed in the set's own language, or says nothing in the other one.
    """
    language = card_set.foreign
    if not language:
        return None
    if node := value_of_key(card, f"words.{language}.{key}"):
        return card.document.span(node)
    own = card.node.get("name")
    names = (card.id, own.value if isinstance(own, Scalar) else card.name)
    for file in (card_set.folder / f"words.{language}{ending}" for ending in (".yaml", ".yml")):
        document = read_partly(file, card_set.folder)[0] if file.is_file() else None
        for name in names if document else ():
            assert document
            if node := node_at(document.root, (name, *key.split("."))):
                return document.span(node)
    return None


def missing_words(code: str, card: GameCard, language: str, missing: Iterable[str]) -> Diagnostic:
    """Return the warning, of that code, that a card lacks words in a language: `missing` says which, such as `name`."""
    *first, last = (f"no {each}" for each in missing)
    lacking = f"{', '.join(first)} and {last}" if first else last
    below = f"below `words:` and `{language}:`"
    way = below if card.document.has_comments else f"into columns such as `name.{language}`"  # of a table
    hint = f"add them {way}; what is missing is printed as it is"
    place = place_of_key(card, "words" if card.node.get("words") else "name")
    message = f"`{card.id}` has {lacking} in `{language}`"
    return Diagnostic(code, message, hint, Severity.WARNING).at(place, card.id, "words")
