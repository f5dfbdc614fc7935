"""The key `words` of a card: what it says in other languages, which no rule can tell."""

from __future__ import annotations

from render.game import languages
from render.games.kotc.model.cards import CardWords
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable, Value


def read_words(fields: Fields) -> tuple[CardWords, ...]:
    """Return what a card says by hand in other languages; mistakes are noted."""
    return tuple(CardWords(language=key, **words) for key, words in languages.read_words(fields, WORDS).items())


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

SET_WORDS = languages.SET_WORDS + KeyTable(Key("credit", LINE, default=""))
"""The keys of what a set says in one language."""
