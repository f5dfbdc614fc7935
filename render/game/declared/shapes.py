"""The JSON Schemas of games that are written in YAML, for editors: of `game.yaml`, and of the card files of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from render.base.limits import DECK_CARDS
from render.game.declared.reading.field_keys import TYPES
from render.game.declared.reading.kind_keys import ANY_NUMBER
from render.game.declared.reading.rules import (
    MAX_ICON_SIZE,
    MIN_ICON_SIZE,
    DeclaredField,
    DeclaredKind,
    FieldType,
    GameRules,
)
from render.game.schemas.card_schema import PICTURE, card_file, common_keys
from render.source import shapes
from render.source.fields import HIGHEST
from render.source.shapes import Shape

# --- card files -----------------------------------------------------------------------------------------------------


def card_file_shape(rules: GameRules) -> Shape:
    """Return the schema of a card file: each kind has its own keys."""
    cards = {kind.value: _card(rules, kind) for kind in rules.kinds}
    if len(cards) == 1:
        return card_file(next(iter(cards.values())))
    keys: dict[str, Shape] = {}
    for card in cards.values():
        keys = {**cast("Mapping[str, Shape]", card["properties"]), **keys}
    branches = [
        {"if": {"properties": {"kind": {"enum": [kind]}}, "required": ["kind"]}, "then": card}
        for kind, card in cards.items()
    ]
    keys["kind"] = shapes.word(cards)
    return card_file({"type": "object", "properties": keys, "required": ["kind"], "allOf": branches})


def _card(rules: GameRules, kind: DeclaredKind) -> Shape:
    own = {each.name: _shape(each) for each in rules.fields if each.name in kind.fields}
    kind_key = ["kind"] if len(rules.kinds) > 1 else []
    others = {alias: own[each.name] for each in rules.fields if each.name in own for alias in each.aliases}
    common = common_keys([kind.value]) | {"art": PICTURE, "template": shapes.WORD}
    if kind.faces > 1:
        one = shapes.mapping({"name": shapes.FULL_LINE, "art": PICTURE, **others, **own}, ["name"])
        faces: Shape = {**shapes.listing(one, kind.faces), "maxItems": kind.faces}
        kept = {key: shape for key, shape in common.items() if not (kind.has_two_sides and key == "back")}
        return shapes.mapping({**kept, **others, **own, "faces": faces}, ["faces", *kind_key])
    # An alias may stand in place of a required key, which a schema would have to list one by one.
    free = {each.name for each in rules.fields if each.aliases}
    needed = sorted(kind.required - free)
    return shapes.mapping({**common, **others, **own}, ["name", *kind_key, *needed])


def _shape(declared: DeclaredField) -> Shape:
    match declared.type:
        case FieldType.NUMBER:
            shape = shapes.whole(*declared.limits)
        case FieldType.CHOICE:
            shape = shapes.word(declared.choices, str(declared.default))
        case FieldType.FLAG:
            shape = shapes.truth(default=bool(declared.default))
        case FieldType.LIST:
            shape = shapes.either(shapes.listing(shapes.LINE), shapes.LINE)
        case FieldType.PICTURE:
            shape = PICTURE
        case FieldType.TEXT | FieldType.RICH:
            shape = shapes.TEXT
        case _:
            shape = shapes.LINE
    return {**shape, "description": declared.hint} if declared.hint else shape


# --- game.yaml ------------------------------------------------------------------------------------------------------

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
    icon_size = shapes.number(MIN_ICON_SIZE, MAX_ICON_SIZE)
    icon = shapes.mapping({"file": shapes.WORD, "size": icon_size}, ["file"])
    axes = shapes.named(shapes.WORD, {"type": "number"})
    font = shapes.mapping(
        {"file": shapes.WORD, "files": _WORDS, "instance": shapes.LINE, "axes": axes, "fallback": _WORDS}
    )
    count = shapes.whole(1, DECK_CARDS.most)
    size = shapes.either(count, {**shapes.listing(count, 1), "maxItems": 2})
    keys: dict[str, Shape] = {
        "name": shapes.FULL_LINE,
        "fields": shapes.named(_NAME, _field()),
        "kinds": {**shapes.named(_NAME, _kind()), "minProperties": 1},
        "icons": shapes.named(shapes.WORD, shapes.either(shapes.WORD, icon)),
        "colors": shapes.named(shapes.WORD, shapes.matching("^#([0-9a-fA-F]{3}){1,2}$", "a color such as #b5432a")),
        "fonts": shapes.named(shapes.WORD, shapes.either(shapes.WORD, font)),
        "words": shapes.mapping({"bold": _WORDS, "reminders": shapes.named(shapes.WORD, shapes.FULL_LINE)}),
        "deck": shapes.mapping({"size": size, "copies": count}),
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
        "copies": shapes.whole(1, DECK_CARDS.most, ANY_NUMBER),
        "check": shapes.either(rule, shapes.listing(rule)),
    }
    return shapes.either(shapes.mapping(keys), {"type": "null"})
