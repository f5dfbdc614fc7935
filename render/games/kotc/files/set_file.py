"""What `set.yaml` says for this game alone, as a table of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from render.base.geometry import MM_PER_POINT
from render.game.languages import language_shape, read_language
from render.games.kotc.files.keys import LARGEST_LEAST, SMALLEST
from render.games.kotc.model.cards import ENGLISH, MIN_TEXT, CardSet
from render.games.kotc.model.declaration import LAST_EDITION
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable, Value, truth, whole


def read_set(fields: Fields, card_set: CardSet, given: Mapping[str, Any]) -> CardSet:
    """Return the set with what its `set.yaml` says for this game alone."""
    found = replace(card_set, **given)
    if {found.language, *found.languages, found.written} - {ENGLISH, ""}:
        from render.games.kotc.languages.finding import check_known

        check_known(fields, found)
    return found


def _least_text(fields: Fields, key: str, _: object) -> float:
    """Return the smallest size in mm of ability texts."""
    size = fields.points(key, SMALLEST, LARGEST_LEAST)
    return MIN_TEXT if size is None else size * MM_PER_POINT


SET_TABLE = KeyTable(
    Key("edition", whole(1, LAST_EDITION), "the edition of cards without `edition`", "1 to 999"),
    Key(
        "written",
        Value(language_shape, read_language),
        "the language of the card files, if the cards are printed in another one only",
        "a language",
        "the set's own",
        default="",
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
)
"""The keys that only sets of this game have."""
