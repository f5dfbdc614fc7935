"""The key `words` of a card: what it says in other languages, which no rule can tell."""

from __future__ import annotations

from render.base.patterns import regex
from render.games.kotc.model.cards import CardWords
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable, Value

LANGUAGE = regex(r"[a-z]{2,3}")  # ISO 639
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


def read_words(fields: Fields) -> tuple[CardWords, ...]:
    """Return what a card says by hand in other languages; mistakes are noted."""
    inner = fields.inner("words")
    if inner is None:
        return ()
    return tuple(words for key in inner.values if (words := _of_language(inner, key)))


def read_set_words(fields: Fields, language: str) -> dict[str, str]:
    """Return what `set.yaml` says by hand in a language: its name and credit, if given; all mistakes are noted."""
    inner = fields.inner("words")
    found = {}
    for key in inner.values if inner else ():
        each = inner.inner(key) if inner and _is_language(inner, key) else None
        if each is None:
            continue
        found[key] = {name: words for name, words in SET_WORDS.read(each).items() if words}
    return found.get(language, {})


def _of_language(fields: Fields, language: str) -> CardWords | None:
    inner = fields.inner(language) if _is_language(fields, language) else None
    return None if inner is None else CardWords(language=language, **WORDS.read(inner))


def _is_language(fields: Fields, key: str) -> bool:
    place = fields.document.span(next(name for name, _ in fields.node.entries if name.value == key))
    if not LANGUAGE.fullmatch(key):
        fields.note("007", f"expected {LANGUAGE_EXAMPLE}, found `{key}`", place, _LETTERS, key)
        return False
    if len(key) != 2 or key in _OF_TWO_LETTERS:
        return True
    meant = _OF_COUNTRIES.get(key, "")
    hint = f"did you mean `{meant}`?" if meant else _LETTERS
    instead = "" if meant in fields.values else meant
    fields.note("007", f"no language is called `{key}`", place, hint, key, instead=instead)
    return False


_LETTERS = "the languages have the letters of ISO 639"


def _abilities(fields: Fields, key: str, _: object) -> tuple[tuple[str, str], ...]:
    inner = fields.inner(key)
    found = []
    for name in inner.values if inner else ():
        words = inner.words(name) if inner else ""
        if words and inner and words != words.upper():
            message = f"the name of an ability is in capital letters, found `{words}`"
            inner.note("007", message, inner.place(name), f"write `{words.upper()}`", name)
        elif words:
            found.append((name.upper(), words))  # a heading of a table may have it in small letters
    return tuple(found)


def _tutorials(fields: Fields, key: str, _: object) -> tuple[str, ...]:
    lines = (line.strip() for line in fields.text(key, lines=True).splitlines())
    return tuple(line if line.startswith("(") and line.endswith(")") else f"({line})" for line in lines if line)


# Only the small letters of Latin-1 and œ: patterns of Python and JavaScript name no others in the same way.
_CAPITALS = {
    **shapes.matching("^[^a-zß-öø-ÿœ]*$", "the name of an ability in capital letters"),
    "type": shapes.TEXT["type"],
}
WORDS = KeyTable(
    Key("name", LINE, default=""),
    Key("text", Value(shapes.TEXT, lambda fields, key, _: fields.text(key, lines=True)), default=""),
    Key("flavor", LINE, default=""),
    Key("credit", LINE, default=""),
    Key("abilities", Value(shapes.named({}, _CAPITALS), _abilities), default=()),
    Key("tutorials", Value(shapes.TEXT, _tutorials), default=()),
)
"""The keys of what a card says in one language."""

SET_WORDS = KeyTable(Key("name", LINE, default=""), Key("credit", LINE, default=""))
"""The keys of what a set says in one language."""
