"""The JSON Schema of the card files of a game that is written in YAML, for editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from render.game.declared.reading.rules import DeclaredField, DeclaredKind, FieldType, GameRules
from render.game.schemas.card_schema import PICTURE, card_file, common_keys
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
    others = {alias: own[each.name] for each in rules.fields if each.name in own for alias in each.aliases}
    common = common_keys([kind.value]) | {"art": PICTURE, "template": shapes.WORD}
    if kind.faces > 1:
        one = shapes.mapping({"name": shapes.FULL_LINE, "art": PICTURE, **others, **own}, ["name"])
        faces: Shape = {**shapes.listing(one, kind.faces), "maxItems": kind.faces}
        kept = {key: shape for key, shape in common.items() if not (kind.has_two_sides and key == "back")}
        return shapes.mapping({**kept, **others, **own, "faces": faces}, ["faces", *_kind_key(rules)])
    # An alias may stand in place of a required key, which a schema would have to list one by one.
    free = {each.name for each in rules.fields if each.aliases}
    needed = sorted(kind.required - free)
    return shapes.mapping({**common, **others, **own}, ["name", *_kind_key(rules), *needed])


def _kind_key(rules: GameRules) -> list[str]:
    """Return the key by which a card says its kind, if it must."""
    return ["kind"] if len(rules.kinds) > 1 else []


def _shape(declared: DeclaredField) -> Shape:
    shape = _of_type(declared)
    return {**shape, "description": declared.hint} if declared.hint else shape


def _of_type(declared: DeclaredField) -> Shape:
    match declared.type:
        case FieldType.NUMBER:
            return shapes.whole(*declared.limits)
        case FieldType.CHOICE:
            return shapes.word(declared.choices, str(declared.default))
        case FieldType.FLAG:
            return shapes.truth(default=bool(declared.default))
        case FieldType.LIST:
            return shapes.either(shapes.listing(shapes.LINE), shapes.LINE)
        case FieldType.PICTURE:
            return PICTURE
        case FieldType.TEXT | FieldType.RICH:
            return shapes.TEXT
    return shapes.LINE
