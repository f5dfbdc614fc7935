"""The schemas of what `set.yaml` and deck files say for this game alone."""

from __future__ import annotations

from render.games.kotc.files import card_file as reader
from render.games.kotc.files.words_key import SET_WORDS
from render.games.kotc.languages.finding import known_words
from render.games.kotc.model.cards import ENGLISH
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.schemas.cards import LANGUAGE_NAME
from render.source import shapes
from render.source.shapes import KeyRow, Shape

ROWS = (
    KeyRow("`edition`", "the edition of cards without `edition`", "1 to 999"),
    KeyRow(
        "`language`, or `languages`",
        "the language in which cards are [printed](../languages.md); of several, the first is the set's own",
        "`de`, or a list such as `[en, de]`",
        "`en`",
    ),
    KeyRow(
        "`written`",
        "the language of the card files, if the cards are printed in another one only",
        "a language",
        "the set's own",
    ),
    KeyRow("`words`", "both [in other languages](../languages.md)", "languages, with `name` and `credit`", "none"),
    KeyRow("`credit`", "the credit line of cards without `credit`", "text", "none"),
    KeyRow("`least_text`", "the smallest [size of a text](cards.md#sizes-of-texts)", "size in pt, 3.5 to 8", "`5`"),
    KeyRow(
        "`red`",
        "whether caveats and activation conditions are red where the rules say so; the game's own prints from the"
        " 12th Edition on are black",
        "`true`, `false`",
        "`true`",
    ),
)
"""What the reference says of the keys that only sets of this game have."""

DECK_ROWS = (KeyRow("`edition`", "the edition whose rules apply", "1 to 999"),)
"""What it says of those that only its decks have."""


def set_shape() -> Shape:
    """Return the schema of the keys of this game in `set.yaml`."""
    language = {**LANGUAGE_NAME, "examples": sorted({ENGLISH, *(spoken for _, spoken, _ in known_words())})}
    own: dict[str, Shape] = {
        "edition": shapes.whole(1, LAST_EDITION),
        "language": language,
        "languages": {**shapes.listing(language, least=1), "uniqueItems": True},
        "written": language,
        "words": shapes.named(LANGUAGE_NAME, shapes.mapping(dict.fromkeys(SET_WORDS, shapes.LINE))),
        "credit": shapes.LINE,
        "least_text": shapes.number(reader.SMALLEST, reader.LARGEST_LEAST),
        "red": shapes.truth(default=True),
    }
    only_one: Shape = {"if": {"required": ["languages"]}, "then": {"properties": {"language": False}}}
    return {"properties": shapes.described(own, ROWS), **only_one}


def deck_shape() -> Shape:
    """Return the schema of the keys of this game in a deck file."""
    own: dict[str, Shape] = {"edition": shapes.whole(1, LAST_EDITION)}
    return {"properties": shapes.described(own, DECK_ROWS), "required": list(own)}
