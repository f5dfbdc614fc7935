"""The JSON Schema of the card files of a game that is written in YAML, for editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from render.game.card_keys import CARD_KEYS, PICTURE, card_file
from render.game.declared.reading.field_keys import DeclaredField, FieldType
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import DeclaredKind
from render.source import shapes
from render.source.shapes import Shape


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
    common = CARD_KEYS.properties_in([kind.value]) | {"art": PICTURE, "template": shapes.WORD}
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
