"""The keys of the cards of a game in YAML, as a table for each kind: how they are read, and what editors know of them."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from typing import Any, cast

from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, quoted
from render.game.card_reading import CARD_KEYS, Surroundings, card_file, card_files, of_kind
from render.game.declared.reading.field_keys import DeclaredField, FieldType, FieldValue, example_of, read_value
from render.game.declared.reading.game_rules import GameRules, note_rich
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.game.languages import given_words, read_words, words_shape
from render.game.picture_keys import PICTURE_SHAPE, read_picture
from render.source import shapes
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, Key, KeyTable, Value
from render.source.nodes import Mapping, Scalar, Sequence
from render.source.scalar_values import ScalarStyle
from render.source.shapes import Shape

SPOKEN = (FieldType.LINE, FieldType.TEXT, FieldType.RICH, FieldType.ICONS, FieldType.LIST)
"""The types of fields that may say something else in another language."""

TEXTS = (FieldType.LINE, FieldType.TEXT, FieldType.RICH, FieldType.ICONS)
"""The types of fields that are texts."""

EXAMPLES = {"art": "art/picture.png", "back": "back", "copies": "1", "id": "storm-hammer", "template": "my-frame"}


def file_of_cards(rules: GameRules) -> FileKind:
    """Return what the card files of a game are to messages."""
    kinds = {"kind": rules.kinds[0].value} if rules.kinds else {}
    fields = {each.name: example_of(each, rules.icon_names) for each in rules.fields}
    aliases = {alias: (each.name,) for each in rules.fields for alias in each.aliases}
    file = card_files({**EXAMPLES, **kinds, **fields}, aliases)
    return replace(file, new_key="a new field is declared below `fields` in game.yaml")


# --- the keys of cards ----------------------------------------------------------------------------------------------


_PICTURE = Value(PICTURE_SHAPE, read_picture)
_ART = Key("art", _PICTURE)
OF_EVERY_CARD = KeyTable(
    CARD_KEYS["id"],
    replace(CARD_KEYS["name"], value=Value(shapes.FULL_LINE), needed=False),  # read before it is known of which card
    replace(CARD_KEYS["kind"], needed=False),
    Key("template", Value(shapes.WORD, lambda fields, key, _: fields.words(key, what="template")), default=""),
    CARD_KEYS["back"],
    CARD_KEYS["copies"],
    _ART,
    Key("faces", Value(shapes.ANYTHING)),  # read when the card itself is
    CARD_KEYS["draft"],
    CARD_KEYS["variants"],
    Key("words", Value(shapes.ANYTHING), default={}),
)
"""The keys of cards of every game in YAML."""


def table_of(rules: GameRules, kind: DeclaredKind) -> KeyTable:
    """Return the table of the keys that cards of a kind have: those of every card, and the fields that authors write.

    What the faces of a card may give in its place is not needed.
    """
    common, own = _common(rules).with_value("words", _words(words_table(rules, kind))), _rows(rules, kind)
    needed = {*kind.required, *(("kind",) if len(rules.kinds) > 1 else ())}
    if kind.faces == 1:
        return (common.without({"faces"}) + own).needing({"name", *needed})
    of_faces = Value({**shapes.listing(table_of_face(rules, kind).shape, kind.faces), "maxItems": kind.faces})
    table = common.with_value("faces", of_faces).without({"back"} if kind.has_two_sides else ())
    return table.needing({"faces", *needed} - {"art"}) + own


def table_of_face(rules: GameRules, kind: DeclaredKind) -> KeyTable:
    """Return the table of the keys of the small cards that a card of a kind shows; the card may give most of them."""
    return KeyTable(Key("name", FULL_LINE, needed=True, default=""), _ART) + _rows(rules, kind)


def table_of_all(rules: GameRules) -> KeyTable:
    """Return the table of the keys of all cards, of which those are read that mean the same in every kind."""
    return _common(rules).reading(("copies", "art")) + _rows(rules)


def _common(rules: GameRules) -> KeyTable:
    """Return the table of the keys of every card. A game may have a field of its own called `draft`, `variants` or `words`."""
    own = {name for each in rules.fields for name in (each.name, *each.aliases)}
    return OF_EVERY_CARD.without({"draft", "variants", "words"} & own)


# --- words in other languages -----------------------------------------------------------------------------------------


def words_table(rules: GameRules, kind: DeclaredKind | None = None) -> KeyTable:
    """Return the table of what cards of a kind say in one language, of all kinds for None; what they lack is None."""
    own = (each for each in rules.fields if each.type in SPOKEN and not each.value)
    rows = (
        _row(rules, replace(each, pattern="", default=None)) for each in own if not kind or each.name in kind.fields
    )
    table = KeyTable(Key("name", FULL_LINE), *rows)
    most = max((each.faces for each in ([kind] if kind else rules.kinds)), default=1)
    if most == 1:
        return table

    def read_faces(fields: Fields, key: str, around: Surroundings) -> tuple[dict[str, Any], ...]:
        items = node.items if isinstance(node := fields.values[key], Sequence) else ()
        inner = [fields.within(f"{key}.{at}", item) for at, item in enumerate(items) if isinstance(item, Mapping)]
        if not 0 < len(items) == len(inner) <= most:
            example = "write for example `faces: [{name: Day}, {name: Night}]`"
            fields.expected(key, f"the words of at most {most} small cards", example)
            return ()
        return tuple(given_words(table, each, around) for each in inner)

    return table + KeyTable(Key("faces", Value(shapes.listing(table.shape, 1), read_faces)))


def _words(table: KeyTable) -> Value:
    return Value(words_shape(table), lambda fields, key, around: read_words(fields, table, around))


# --- fields -----------------------------------------------------------------------------------------------------------


def _rows(rules: GameRules, kind: DeclaredKind | None = None) -> KeyTable:
    """Return the table of the fields that cards of a kind give; of all kinds for None."""
    own = (each for each in rules.fields if not each.value and (kind is None or each.name in kind.fields))
    return KeyTable(*(_row(rules, each) for each in own))


def _row(rules: GameRules, declared: DeclaredField) -> Key:
    def read(fields: Fields, key: str, _: object) -> FieldValue:
        value = read_value(fields, key, declared, declared.default)
        if declared.type is FieldType.LIST:
            _note_commas(fields, key)
        if declared.type in TEXTS:
            is_rich = declared.type is FieldType.RICH
            lines = is_rich or declared.type is FieldType.TEXT
            fields.note_marks(key, str(value), lines=lines, rich=is_rich)
        if declared.is_rich and value:
            note_rich(fields, key, declared, rules, str(value))
        return value

    value = Value(_shape(declared), read_picture if declared.is_picture else read)
    return Key(declared.name, value, default=declared.default, hint=declared.hint, aliases=declared.aliases)


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
            shape = PICTURE_SHAPE
        case FieldType.TEXT | FieldType.RICH:
            shape = shapes.TEXT
        case _:
            shape = shapes.LINE
    return {**shape, "description": declared.hint} if declared.hint else shape


def _note_commas(fields: Fields, key: str) -> None:
    """Warn of one text with commas, such as `a, b`, in place of a list; quotes say that it is one."""
    node = fields.values[key]
    if not isinstance(node, Scalar) or node.style is not ScalarStyle.PLAIN or "," not in node.value:
        return
    items = [item.strip() for item in node.value.strip(" ,").split(",")]
    if len(items) < 2 or not all(0 < len(item.split()) <= MAX_ITEM for item in items):
        return
    message = f"`{fields.path}{key}` is a list, and {quoted(node.value)} is one text in it"
    problem = Diagnostic("C023", message, fields.document.listing(key, items), Severity.WARNING)
    fields.add(problem, fields.place(key), key)


MAX_ITEM = 3  # words: longer ones between commas are parts of a sentence


def misplaced(rules: GameRules, kind: DeclaredKind | None, key: str) -> tuple[str, str, str] | None:
    """Return what is said of a key that other kinds have, or that no card gives; None if no card has it."""
    declared = next((each for each in rules.fields if key == each.name or key in each.aliases), None)
    if kind is not None and key in kind.lacks:
        return f"{a_noun(kind.value)} has no `{key}`", "remove it", ""
    if declared is not None and declared.value:
        return f"`{key}` follows from other fields", f"remove it: `{declared.value}` gives it", ""
    if kind is not None and (declared is not None or key == "faces"):
        hint = "remove it, or change `kind`"
        if declared is not None:
            hint = f"remove it, change `kind`, or add `{declared.name}` to `fields` of `{kind.value}` in game.yaml"
        return f"{a_noun(kind.value)} has no `{key}`", hint, ""
    if key == "back" and kind is not None and kind.has_two_sides:
        what = f"the back of {a_noun(kind.value)} is its second face, drawn by the template `{kind.templates[1]}`"
        return what, "remove it, or change `kind`", ""
    if key in ("sheet", "outputs", "game", "select", "ignore", "tables", "layers"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    return None


# --- schema -----------------------------------------------------------------------------------------------------------


def card_file_shape(rules: GameRules) -> Shape:
    """Return the schema of a card file: each kind has its own keys."""
    cards = {kind.value: table_of(rules, kind).shape_in([kind.value]) for kind in rules.kinds}
    if len(cards) == 1:
        return card_file(next(iter(cards.values())))
    keys: dict[str, Shape] = {}
    for card in cards.values():
        keys = {**cast("MappingOf[str, Shape]", card["properties"]), **keys}
    branches = [{"if": of_kind(kind), "then": card} for kind, card in cards.items()]
    keys["kind"] = shapes.word(cards)
    return card_file({"type": "object", "properties": keys, "required": ["kind"], "allOf": branches})
