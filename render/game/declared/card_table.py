"""The keys of the cards of a game in YAML, as a table for each kind: how they are read, and what editors know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from render.base.findings import Diagnostic, Severity, quoted
from render.game.card_reading import CARD_KEYS, PICTURE, Surroundings, card_file, read_picture_file
from render.game.cards import CardPicture
from render.game.declared.reading.field_keys import DeclaredField, FieldType, FieldValue, example_of, read_value
from render.game.declared.reading.game_rules import GameRules, note_rich
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.source import shapes
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.key_tables import Key, KeyTable, Value
from render.source.nodes import Scalar
from render.source.scalar_values import ScalarStyle
from render.source.shapes import Shape

TEXTS = (FieldType.LINE, FieldType.TEXT, FieldType.RICH, FieldType.ICONS)
"""The types of fields that are texts."""

EXAMPLES = {"art": "art/picture.png", "back": "back", "copies": "1", "id": "storm-hammer", "template": "my-frame"}
_SYNONYMS = {
    "title": ("name",), "class": ("kind",), "type": ("kind",), "image": ("art",), "picture": ("art",),
    "photo": ("art",), "img": ("art",), "illustration": ("art",), "count": ("copies",), "quantity": ("copies",),
    "qty": ("copies",), "amount": ("copies",),
}  # fmt: skip


def file_of_cards(rules: GameRules) -> FileKind:
    """Return what the card files of a game are to messages."""
    examples, icons = {"name": "Storm Hammer", **EXAMPLES}, rules.icon_names
    if rules.kinds:
        examples["kind"] = rules.kinds[0].value
    examples |= {each.name: example_of(each, icons) for each in rules.fields}
    aliases = {alias: (each.name,) for each in rules.fields for alias in each.aliases}
    return FileKind("C", "card", examples, {**_SYNONYMS, **aliases})


# --- the keys of cards ----------------------------------------------------------------------------------------------


def _picture(fields: Fields, key: str, around: Surroundings) -> CardPicture | None:
    """Return a picture; None without a path, or with one that cannot be in the set, which is noted."""
    name = fields.path_of_picture(key)
    file = read_picture_file(fields, key, name, around.home) if name else None
    return CardPicture(name, file) if file else None


_ART = Key("art", Value(PICTURE, _picture))
OF_EVERY_CARD = KeyTable(
    CARD_KEYS["id"],
    Key("name", Value(shapes.FULL_LINE)),  # read before it is known of which card
    CARD_KEYS["kind"],
    Key("template", Value(shapes.WORD, lambda fields, key, _: fields.words(key, what="template")), default=""),
    CARD_KEYS["back"],
    CARD_KEYS["copies"],
    _ART,
    Key("faces", Value(shapes.ANYTHING)),  # read when the card itself is
    CARD_KEYS["draft"],
)
"""The keys of cards of every game in YAML."""


def table_of(rules: GameRules, kind: DeclaredKind) -> KeyTable:
    """Return the table of the keys that cards of a kind have: those of every card, and the fields that authors write.

    What must be given and may be given by the faces of a card is not needed.
    """
    common = OF_EVERY_CARD.without(_fields_called(rules, "draft") | _not_of(kind))
    if kind.faces > 1:
        return common.needing(kind.required - {"art"}) + _rows(rules, kind)
    return (common + _rows(rules, kind)).needing(kind.required)


def table_of_face(rules: GameRules, kind: DeclaredKind) -> KeyTable:
    """Return the table of the keys of the small cards that a card of a kind shows."""
    return KeyTable(CARD_KEYS["name"], _ART) + _rows(rules, kind).needing(kind.required)


def table_of_all(rules: GameRules) -> KeyTable:
    """Return the table of the keys of all cards, of which those are read that mean the same in every kind."""
    return OF_EVERY_CARD.without(_fields_called(rules, "draft")).reading(("copies", "art")) + _rows(rules)


def _fields_called(rules: GameRules, key: str) -> set[str]:
    """Return a key of every card if it is a field of the game: one may have a field called `draft`."""
    return {key} & {name for each in rules.fields for name in (each.name, *each.aliases)}


def _not_of(kind: DeclaredKind) -> set[str]:
    """Return the keys of every card that cards of a kind have not."""
    return {"faces"} if kind.faces == 1 else {"back"} if kind.has_two_sides else set()


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

    value = Value(_shape(declared), _picture if declared.is_picture else read)
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
            shape = PICTURE
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
        return f"{a_noun(kind.value)} has no `{key}`", "remove it, or change `kind`", ""
    if key == "back" and kind is not None and kind.has_two_sides:
        what = f"the back of {a_noun(kind.value)} is its second face, drawn by the template `{kind.templates[1]}`"
        return what, "remove it, or change `kind`", ""
    if key in ("sheet", "outputs", "game", "select", "ignore", "tables"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    return None


# --- schema -----------------------------------------------------------------------------------------------------------


def card_file_shape(rules: GameRules) -> Shape:
    """Return the schema of a card file: each kind has its own keys."""
    cards = {kind.value: _card_shape(rules, kind) for kind in rules.kinds}
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


def _card_shape(rules: GameRules, kind: DeclaredKind) -> Shape:
    own = _rows(rules, kind).properties_in()
    kind_key = ["kind"] if len(rules.kinds) > 1 else []
    common = CARD_KEYS.properties_in([kind.value]) | {"art": PICTURE, "template": shapes.WORD}
    if kind.faces > 1:
        one = shapes.mapping({"name": shapes.FULL_LINE, "art": PICTURE, **own}, ["name"])
        faces: Shape = {**shapes.listing(one, kind.faces), "maxItems": kind.faces}
        kept = {key: shape for key, shape in common.items() if key not in _not_of(kind)}
        return shapes.mapping({**kept, **own, "faces": faces}, ["faces", *kind_key])
    # An alias may stand in place of a required key, which a schema would have to list one by one.
    free = {each.name for each in rules.fields if each.aliases}
    return shapes.mapping({**common, **own}, ["name", *kind_key, *(kind.required - free)])
