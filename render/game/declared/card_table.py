"""The keys of the cards of a game in YAML, as a table for each kind: how they are read, and what editors know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from render.base.findings import Diagnostic, Severity, quoted
from render.game import card_keys
from render.game.card_keys import CARD_KEYS, PICTURE, card_file
from render.game.cards import CardPicture
from render.game.declared.reading.field_keys import DeclaredField, FieldType, FieldValue, example_of, read_value
from render.game.declared.reading.game_keys import COMMON
from render.game.declared.reading.game_rules import GameRules, note_rich
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.game.home import Home
from render.source import shapes
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.key_tables import Key, KeyTable, Value
from render.source.nodes import Scalar
from render.source.scalar_values import ScalarStyle
from render.source.shapes import Shape

TEXTS = (FieldType.LINE, FieldType.TEXT, FieldType.RICH, FieldType.ICONS)
"""The types of fields that are texts."""

_OF_FACE = ("name", "art")
"""The keys of every card that its faces have."""

EXAMPLES = {"art": "art/picture.png", "back": "back", "copies": "1", "id": "storm-hammer", "template": "my-frame"}
_SYNONYMS = {
    "title": ("name",), "class": ("kind",), "type": ("kind",), "image": ("art",), "picture": ("art",),
    "photo": ("art",), "img": ("art",), "illustration": ("art",), "count": ("copies",), "quantity": ("copies",),
    "qty": ("copies",), "amount": ("copies",),
}  # fmt: skip


class CardAround(NamedTuple):
    """What the values of a card depend on: the rules of its game, and where pictures lie."""

    rules: GameRules
    home: Home


def file_of_cards(rules: GameRules) -> FileKind:
    """Return what the card files of a game are to messages."""
    examples, icons = {"name": "Storm Hammer", **EXAMPLES}, rules.icon_names
    if rules.kinds:
        examples["kind"] = rules.kinds[0].value
    examples |= {each.name: example_of(each, icons) for each in rules.fields}
    aliases = {alias: (each.name,) for each in rules.fields for alias in each.aliases}
    return FileKind("C", "card", examples, {**_SYNONYMS, **aliases})


# --- the keys of every card -------------------------------------------------------------------------------------------


def read_art(fields: Fields, key: str, around: CardAround) -> CardPicture | None:
    """Return the picture that a card, or a face of it, gives; None if it gives none, or a wrong one, which is noted."""
    return _picture(fields, key, fields.path_of_picture(key), around.home)


def _picture(fields: Fields, key: str, name: str, home: Home) -> CardPicture | None:
    """Return a picture by its path; None without a path, or one that cannot be in the set, which is noted."""
    file = card_keys.read_picture_file(fields, key, name, home) if name else None
    return CardPicture(name, file) if file else None


_TEMPLATE = Value(shapes.WORD, lambda fields, key, _: fields.words(key, what="template"))
OF_EVERY_CARD = KeyTable(
    Key("template", _TEMPLATE, default=""),
    CARD_KEYS["back"],
    CARD_KEYS["copies"],
    Key("art", Value(PICTURE, read_art)),
    CARD_KEYS["draft"],
)
"""The keys of every card that are read when it is known what the card is."""


class KeysOfKind(NamedTuple):
    """The keys that cards of a kind have: those of every card, and the fields that authors write.

    The `kind` is None for cards whose kind is not known: they may have the fields of all.
    """

    rules: GameRules
    kind: DeclaredKind | None
    common: KeyTable
    fields: KeyTable

    def check(self, fields: Fields, *, is_face: bool = False) -> None:
        """Note the keys that cards of the kind have not, or their faces; of an unknown kind, those that no card has."""
        common = _OF_FACE if is_face else (*COMMON, *({"draft"} - _not_common(self.rules)))
        absent = _not_of(self.kind) if self.kind else set()
        aliases = {alias for key in self.fields.keys for alias in key.aliases}
        given = (key for key in fields.values if key in aliases)

        def misplaced(key: str) -> tuple[str, str, str] | None:
            if is_face and key in COMMON:
                return f"`{key}` is a key of the whole card", "move it out of `faces`", ""
            return _misplaced(key, self.rules, self.kind)

        fields.check_keys([*(key for key in common if key not in absent), *self.fields.names, *given], misplaced)


def keys_of_kind(rules: GameRules, kind: DeclaredKind | None) -> KeysOfKind:
    """Return the keys that cards of a kind have; of all kinds for None."""
    absent = _not_common(rules) | (_not_of(kind) if kind else set())
    required = kind.required - ({"art"} if kind.faces > 1 else set()) if kind else ()
    common = OF_EVERY_CARD.only({*OF_EVERY_CARD.names} - absent if kind else ("copies", "art"), required)
    own = (each for each in rules.fields if not each.value and (kind is None or each.name in kind.fields))
    return KeysOfKind(rules, kind, common, KeyTable(*map(_row, own)))


def _not_common(rules: GameRules) -> set[str]:
    """Return the keys of every card that are fields of the game: one may have a field called `draft`."""
    return {"draft"} & {name for each in rules.fields for name in (each.name, *each.aliases)}


def _not_of(kind: DeclaredKind) -> set[str]:
    """Return the keys of every card that cards of a kind have not."""
    return {"faces"} if kind.faces == 1 else {"back"} if kind.has_two_sides else set()


# --- fields -----------------------------------------------------------------------------------------------------------


def _row(declared: DeclaredField) -> Key:
    def read(fields: Fields, key: str, around: CardAround) -> tuple[FieldValue, CardPicture | None]:
        value = read_value(fields, key, declared, declared.default)
        if declared.type is FieldType.LIST:
            _note_commas(fields, key)
        if declared.type in TEXTS:
            is_rich = declared.type is FieldType.RICH
            lines = is_rich or declared.type is FieldType.TEXT
            fields.note_marks(key, str(value), lines=lines, rich=is_rich)
        if declared.is_rich and value:
            note_rich(fields, key, declared, around.rules, str(value))
        return value, _picture(fields, key, str(value), around.home) if declared.is_picture else None

    return Key(declared.name, Value(_shape(declared), read), aliases=declared.aliases)


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


def _misplaced(key: str, rules: GameRules, kind: DeclaredKind | None) -> tuple[str, str, str] | None:
    """Return what is said of a key that other kinds have, or that no card gives."""
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
    own = keys_of_kind(rules, kind).fields.properties_in()
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
