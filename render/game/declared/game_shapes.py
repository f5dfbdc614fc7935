"""The JSON Schema of `game.yaml`, for editors."""

from __future__ import annotations

from render.game.declared.reading.field_keys import TYPES
from render.game.declared.reading.kind_keys import ANY_NUMBER
from render.game.declared.reading.rules import MAX_CARDS, MAX_ICON_SIZE, MIN_ICON_SIZE, FieldType
from render.source import shapes
from render.source.fields import HIGHEST
from render.source.shapes import Shape

_NAME: Shape = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}
_WORDS = shapes.either(shapes.WORD, shapes.listing(shapes.WORD, 1))
_TOLD = {
    "name": "What messages call the game.",
    "fields": "What cards have besides the keys of every card.",
    "kinds": "The kinds of card, with their fields, templates and rules.",
    "icons": "SVG files by the names that stand in braces in texts; `#` is any number.",
    "colors": "Names of colors, for texts.",
    "fonts": "Fonts by role, which is a font-family of templates.",
    "words": "Keywords that are set bold, and the reminders behind them.",
    "deck": "How many cards decks have, and how often one card.",
    "table": "The columns of cards.csv, and what the gallery tells of a card.",
    "order": "By which fields cards are ordered in all outputs.",
    "id": "How ids follow on cards that give none, such as {{ name }}.",
}


def game_file_shape() -> Shape:
    """Return the schema of `game.yaml`."""
    keys: dict[str, Shape] = {
        "name": shapes.FULL_LINE,
        "fields": shapes.named(_NAME, _field()),
        "kinds": {**shapes.named(_NAME, _kind()), "minProperties": 1},
        "icons": shapes.named(shapes.WORD, shapes.either(shapes.WORD, _icon())),
        "colors": shapes.named(shapes.WORD, shapes.matching("^#([0-9a-fA-F]{3}){1,2}$", "a color such as #b5432a")),
        "fonts": shapes.named(shapes.WORD, shapes.either(shapes.WORD, _font())),
        "words": shapes.mapping({"bold": _WORDS, "reminders": shapes.named(shapes.WORD, shapes.FULL_LINE)}),
        "deck": shapes.mapping({"size": _size(), "copies": shapes.whole(1, MAX_CARDS)}),
        "table": _WORDS,
        "order": _WORDS,
        "id": shapes.FULL_LINE,
    }
    told = {key: {**shape, "description": _TOLD[key]} for key, shape in keys.items()}
    return {"title": "Game", **shapes.mapping(told, ["name", "kinds"])}


def _field() -> Shape:
    whole = shapes.whole(-HIGHEST, HIGHEST)
    keys: dict[str, Shape] = {
        "type": shapes.word(TYPES, FieldType.LINE.value),
        "required": shapes.truth(default=False),
        "default": shapes.ANYTHING,
        "aliases": _WORDS,
        "hint": shapes.LINE,
        "value": shapes.FULL_TEXT,
        "pattern": shapes.FULL_LINE,
        "range": {**shapes.listing(whole, 2), "maxItems": 2},
        "choices": _WORDS,
    }
    return shapes.either(shapes.word(TYPES), shapes.mapping(keys), {"type": "null"})


def _kind() -> Shape:
    rule = shapes.mapping(
        {
            "that": shapes.FULL_TEXT,
            "message": shapes.FULL_LINE,
            "hint": shapes.LINE,
            "severity": shapes.word(("error", "warning"), "error"),
        },
        ["that", "message"],
    )
    two: Shape = {**shapes.listing(shapes.WORD, 2), "maxItems": 2}
    keys: dict[str, Shape] = {
        "fields": shapes.either(shapes.WORD, shapes.listing(shapes.WORD)),
        "template": shapes.WORD,
        "back": shapes.WORD,
        "faces": shapes.either(shapes.whole(1, 2), two),
        "deck": shapes.truth(default=True),
        "copies": shapes.whole(1, MAX_CARDS, ANY_NUMBER),
        "check": shapes.either(rule, shapes.listing(rule)),
    }
    return shapes.either(shapes.mapping(keys), {"type": "null"})


def _icon() -> Shape:
    keys = {"file": shapes.WORD, "size": shapes.number(MIN_ICON_SIZE, MAX_ICON_SIZE)}
    return shapes.mapping(keys, ["file"])


def _font() -> Shape:
    axes = shapes.named(shapes.WORD, {"type": "number"})
    return shapes.mapping(
        {"file": shapes.WORD, "files": _WORDS, "instance": shapes.LINE, "axes": axes, "fallback": _WORDS}
    )


def _size() -> Shape:
    one = shapes.whole(1, MAX_CARDS)
    return shapes.either(one, {**shapes.listing(one, 1), "maxItems": 2})
