"""The schema of card files: the keys that cards of every game have, and a file as one card or a list of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from render.game.card_keys import MAX_COPIES, PICTURE
from render.game.ids import PATTERN
from render.source import shapes
from render.source.shapes import KeyRow, Shape

ROWS = (
    KeyRow("`name`", "the name on the card", "text in one line", "*required*"),
    KeyRow(
        "`id`",
        "names the picture: `out/mine/png/<id>.png`",
        "`a`-`z` `0`-`9` `-` `_`, at most 64",
        "from the name",
    ),
    KeyRow(
        "`back`",
        "the card's back: `back`, or for example `art/my-back.png`",
        "a template, or a picture in the set",
        "the set's",
    ),
    KeyRow(
        "`copies`",
        "how often the card is on the sheets; with 0 it has a PNG but is on no sheet",
        "0 to 999",
        "`1`",
    ),
    KeyRow(
        "`draft`",
        "a [proposal](../new-edition.md#drafts) that nobody has judged yet: files for shops and tables leave the card out",
        "`true`, `false`",
        "`false`",
    ),
)
"""What the reference says of the keys that `card_keys` reads."""


def common_keys(kinds: Iterable[str]) -> dict[str, Shape]:
    """Return the keys that cards of every game have, with their schemas and descriptions."""
    # What YAML takes for a number or a truth value can be an id: `id: 007`.
    identifier: Shape = {
        "type": shapes.WORD["type"],
        "pattern": f"^{PATTERN}$",
        "patternErrorMessage": "an id is made of a-z, 0-9, `-` and `_`",
    }
    own: dict[str, Shape] = {
        "name": shapes.FULL_LINE,
        "id": identifier,
        "kind": shapes.word(kinds),
        "back": PICTURE,
        "copies": {**shapes.whole(0, MAX_COPIES), "default": 1},
        "draft": shapes.truth(default=False),
    }
    return shapes.described(own, ROWS)


def common_card(kinds: Iterable[str]) -> Shape:
    """Return the schema of a card of a game that says nothing of its own keys: these may be any."""
    return {"type": "object", "properties": common_keys(kinds), "required": ["kind", "name"]}


def card_file(card: Shape, parts: Mapping[str, Shape] | None = None) -> Shape:
    """Return the schema of a file with one card, or a list of them; `parts` are what the card's schema refers to."""
    one: Shape = {"$ref": "#/$defs/card"}
    return {"anyOf": [shapes.listing(one), one], "$defs": {"card": card, **(parts or {})}}
