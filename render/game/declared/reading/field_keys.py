"""The fields of a game: what `fields` of `game.yaml` says of them, and the values that they may have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import quoted
from render.game.declared.reading.game_keys import (
    COMMON,
    RESERVED,
    GameReading,
    check_expression,
    check_name,
    entries,
)
from render.source import shapes
from render.source.fields import HIGHEST, Fields
from render.source.key_tables import LINE, WORDS_SHAPE, Key, KeyTable, Value, choice, named_in, truth, words_of
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node
from render.source.scalar_values import write_anywhere


class FieldType(Enum):
    """What a field holds; the values are the words of `type:`."""

    LINE = "line"
    TEXT = "text"
    RICH = "rich"
    NUMBER = "number"
    CHOICE = "choice"
    ICONS = "icons"
    PICTURE = "picture"
    LIST = "list"
    FLAG = "flag"


FieldValue: TypeAlias = "str | int | float | bool | tuple[FieldValue, ...] | None"
"""The value of a field: a text, a number, a truth value or a list; None for a number that is not given."""


class DeclaredField(Struct, frozen=True):
    """A field of the cards of a game.

    `default` is its value on a card that gives none. `limits` are the least and the most of a number. `value` is the
    expression that gives the value of a derived field; "" for one that authors write. `pattern` is as in `patterns`.
    """

    name: str
    type: FieldType = FieldType.LINE
    required: bool = False
    default: FieldValue = ""
    pattern: str = ""
    limits: tuple[int, int] = (0, HIGHEST)
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    hint: str = ""
    words: bool = True
    value: str = ""

    @property
    def is_rich(self) -> bool:
        """Whether it is in the notation of rich texts, icons included."""
        return self.type in (FieldType.RICH, FieldType.ICONS)

    @property
    def needs_words(self) -> bool:
        """Whether a card that gives it is to say it in each language."""
        return self.words and not self.value and self.type in (FieldType.LINE, FieldType.TEXT, FieldType.RICH)

    @property
    def is_picture(self) -> bool:
        """Whether it names a picture."""
        return self.type is FieldType.PICTURE

    @property
    def example_number(self) -> int:
        """The number nearest to 1 that it may be."""
        return max(self.limits[0], min(1, self.limits[1]))


TYPES = tuple(each.value for each in FieldType)
EMPTY: dict[FieldType, FieldValue] = {FieldType.NUMBER: None, FieldType.FLAG: False, FieldType.LIST: ()}
"""The values of fields that are not given; of all others it is an empty text."""


def read_fields(root: Fields) -> tuple[DeclaredField, ...]:
    """Return the fields that are declared; those with a mistake, too, as far as they can be read."""
    found: list[DeclaredField] = []
    taken: dict[str, str] = {}
    for name, node, inner in entries(root, "fields", "fields"):
        if name.value == "kinds" and name.value not in root.values:
            hint = "begin it exactly below `fields`: what follows are kinds, then"
            inner.note("022", "`kinds` stands among the fields", root.document.span(name), hint, name.value)
            root.meant.add(name.value)
            break
        if name.value in COMMON:
            message = f"`{name.value}` is a key of every card, and no field of a game"
            inner.note("022", message, root.document.span(name), "remove it, or choose another name", name.value)
        elif name.value in RESERVED:
            message = f"`{name.value}` means something else in templates and expressions"
            hint = f"choose another name, such as `{name.value}_1`"
            inner.note("022", message, root.document.span(name), hint, name.value)
        elif check_name(inner, name, "a field"):
            found.append(_field(GameReading(root), inner, name, node))
            taken[name.value] = name.value
    for each in found:
        _check_aliases(root, each, taken)
    return tuple(found)


def _check_aliases(root: Fields, declared: DeclaredField, taken: dict[str, str]) -> None:
    """Note aliases that are another field's name or alias."""
    node = root.values["fields"]
    below = node.get(declared.name) if isinstance(node, Mapping) else None
    for alias in declared.aliases:
        owner = "every card" if alias in COMMON else taken.setdefault(alias, declared.name)
        if owner == declared.name and alias != declared.name:
            continue
        message = f"`{alias}` is another name of `{owner}`, and cannot be one of `{declared.name}`, too"
        if alias in taken.values() or owner == "every card":
            message = f"`{alias}` cannot be another name of `{declared.name}`: it is a key of its own"
        if isinstance(below, Mapping):
            fields = root.within("fields", node).within(declared.name, below) if isinstance(node, Mapping) else root
            fields.note("022", message, fields.place("aliases"), "remove it", "aliases")


def _field(reading: GameReading, outer: Fields, name: Scalar, node: Node) -> DeclaredField:
    """Return a field; `name: line` is short for `name: {type: line}`."""
    if isinstance(node, Scalar):
        word = outer.word(name.value, TYPES, "line") if node.value else "line"
        return _with_default(DeclaredField(name=name.value, type=FieldType(word)), None)
    if not isinstance(node, Mapping):
        outer.expected(
            name.value, "a type, or the keys of a field", f"write for example `{name.value}: {{type: line}}`"
        )
        return DeclaredField(name=name.value)
    fields = outer.within(name.value, node)
    declared = DeclaredField(name=name.value, **FIELD.read(fields, reading))
    _check_type_keys(fields, declared.type)
    return _with_default(replace(declared, choices=_choices(fields, declared.type)), fields)


def _check_type_keys(fields: Fields, kind: FieldType) -> None:
    """Note keys that other types have, and those that a derived field cannot have."""
    for key in FIELD.keys:
        # Without a type, or with a wrong one, nothing is said of what belongs to it.
        types = named_in(key.where)
        if key.name in fields.values and types and kind.value not in types and _has_right_type(fields):
            hint = f"remove it, or change `type` of `{fields.path.rstrip('.')}`"
            owners = " or ".join(f"a `{each}`" for each in types)
            fields.note("023", f"`{key.name}` is a key of {owners} only", fields.place(key.name), hint, key.name)
    for name in FIELD.names if "value" in fields.values else ():
        if name in fields.values and name not in ("type", "hint", "value"):
            message = f"a field that follows from others has no `{name}`"
            fields.note("023", message, fields.place(name), "remove it, or remove `value`", name)


def _has_right_type(fields: Fields) -> bool:
    node = fields.values.get("type")
    return node is None or (isinstance(node, Scalar) and node.value in TYPES)


def _pattern(fields: Fields, key: str, _: object) -> str:
    source = fields.words(key)
    if not source:
        return ""
    from render.game.declared.reading.patterns import PatternError, compiled_pattern

    try:
        compiled_pattern(source)
    except PatternError as error:
        fields.note("024", f"the pattern cannot be used: {error}", fields.place("pattern"), error.hint, "pattern")
        return ""
    return source


def _range(fields: Fields, key: str, _: object) -> tuple[int, int]:
    node = fields.values[key]
    items = node.items if isinstance(node, Sequence) else ()
    words = [item.value for item in items if isinstance(item, Scalar)]
    if len(words) != 2 or len(items) != 2 or not all(_is_whole(word) for word in words):
        fields.expected(
            "range", f"two whole numbers from {-HIGHEST} to {HIGHEST}", "write for example `range: [0, 99]`"
        )
        return 0, HIGHEST
    least, most = map(int, words)
    if least > most:
        message = f"the range begins with {least}, and ends with {most}"
        fields.note("006", message, fields.place("range"), f"write `range: [{most}, {least}]`", "range")
        return most, least
    return least, most


def _is_whole(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= len(str(HIGHEST)) and int(digits) <= HIGHEST


def _choices(fields: Fields, kind: FieldType) -> tuple[str, ...]:
    if kind is not FieldType.CHOICE:
        return ()
    if not fields.given("choices", example="[common, uncommon, rare]"):
        return ()
    found: list[str] = []
    for word in words_of(fields, "choices", "[common, uncommon, rare]"):
        if word.value in found:
            message = f"{quoted(word.value)} is listed twice"
            fields.note("025", message, fields.document.span(word), "remove one of the two", "choices")
        else:
            found.append(word.value)
    return tuple(found)


def _aliases(fields: Fields, key: str, _: object) -> tuple[str, ...]:
    words = words_of(fields, key, "[text, rules]")
    return tuple(word.value for word in words if check_name(fields, word, "a field"))


FIELD = KeyTable(
    Key(
        "type",
        choice(FieldType.LINE),
        "one of the types above; `line` if it is left out",
        where="all",
        default=FieldType.LINE,
    ),
    Key(
        "required",
        truth(default=False),
        "`true`: a card must give it. `power!` among the fields of a kind says so for that kind",
        where="all",
        default=False,
    ),
    Key("default", Value(shapes.ANYTHING), "the value on cards that give none", where="all"),
    Key(
        "aliases",
        Value(WORDS_SHAPE, _aliases),
        "other names by which a card may give it: `[text]`",
        where="all",
        default=(),
    ),
    Key("hint", LINE, "what a message says to do if the value is wrong", where="all", default=""),
    Key(
        "pattern",
        Value(shapes.FULL_LINE, _pattern),
        "how the whole text is written: [patterns](#patterns)",
        where="`line`, `text`",
        default="",
    ),
    Key(
        "range",
        Value({**shapes.listing(shapes.whole(-HIGHEST, HIGHEST), 2), "maxItems": 2}, _range),
        "the least and the most: `[0, 99]`; they may be below 0. Without it 0 to 9999",
        where="`number`",
        default=(0, HIGHEST),
        attribute="limits",
    ),
    Key(
        "words",
        truth(default=True),
        "`false`: its words are the same in all [languages](../languages.md)",
        where="`line`, `text`, `rich`",
        default=True,
    ),
    Key("choices", Value(WORDS_SHAPE), "the words to choose from", where="`choice`"),
    Key(
        "value",
        Value(shapes.FULL_TEXT, lambda fields, key, reading: check_expression(reading, fields, key)),
        "the [expression](#expressions) that gives the value; no card gives it by hand",
        where="derived fields",
        default="",
    ),
)
"""The keys of a field in `game.yaml`."""


def _with_default(declared: DeclaredField, fields: Fields | None) -> DeclaredField:
    """Return the field with its default, which must be a value that a card may give."""
    empty = EMPTY.get(declared.type, "")
    if fields is None or "default" not in fields.values:
        return replace(declared, default=empty)
    if declared.required and "value" not in fields.values:
        message = "a field that must be given needs no default"
        fields.note("023", message, fields.place("default"), "remove `default`, or `required`", "default")
    return replace(declared, default=read_value(fields, "default", declared, empty))


def read_value(fields: Fields, key: str, declared: DeclaredField, empty: FieldValue) -> FieldValue:
    """Return the value that a key gives to a field; `empty`, and a finding, if it is none of that type."""
    match declared.type:
        case FieldType.NUMBER:
            number = _whole(fields, key, declared.limits)
            return empty if number is None else number
        case FieldType.FLAG:
            return fields.truth(key, default=bool(empty))
        case FieldType.CHOICE:
            # Without choices, what is wrong is said of them.
            choices = f"`choices` of `{declared.name}` in game.yaml"
            return fields.word(key, declared.choices, str(empty), choices) if declared.choices else empty
        case FieldType.LIST:
            return _listing(fields, key)
    if declared.is_rich and key in fields.values and (meant := _in_braces(fields.values[key], declared.type)):
        fields.expected(key, "a text", f'write it in quotes: `{key}: "{meant}"`')
        return empty
    if declared.type is FieldType.ICONS and key in fields.values and not isinstance(fields.values[key], Scalar):
        fields.expected_one(key, "icons")
        return empty
    if declared.type is FieldType.PICTURE:
        return fields.path_of_picture(key)
    text = fields.text(key, lines=declared.type in (FieldType.TEXT, FieldType.RICH))
    if text and declared.pattern and not _matches(declared.pattern, text):
        message = f"{quoted(text)} is not as `{declared.name}` is written: `{declared.pattern}`"
        fields.note("020", message, fields.place(key), declared.hint, key)
    return text


def _in_braces(node: Node, kind: FieldType) -> str:
    """Return the icons that braces without quotes are meant for, or a list of icons; "" for anything else."""
    names = [name.value for name, value in node.entries if not _says(value)] if isinstance(node, Mapping) else []
    if isinstance(node, Mapping) and len(names) < len(node.entries):
        return ""
    for item in node.items if isinstance(node, Sequence) and kind is FieldType.ICONS else ():
        names += [item.value] if isinstance(item, Scalar) else [_in_braces(item, kind).strip("{}")]
    short = all(re.fullmatch(r"[^{}\s]{1,20}", name) for name in names) and 0 < len(names) <= 9
    return "".join(f"{{{name}}}" for name in names) if short else ""


def _says(value: Node) -> bool:
    return not isinstance(value, Scalar) or value.value != ""


def _matches(pattern: str, text: str) -> bool:
    from render.game.declared.reading.patterns import matches

    return matches(pattern, text)


def _whole(fields: Fields, key: str, limits: tuple[int, int]) -> int | None:
    least, most = limits
    node = fields.values.get(key)
    if least < 0 and isinstance(node, Scalar) and _is_whole(node.value) and least <= int(node.value) <= most:
        return int(node.value)
    return fields.whole(key, least, most)


def _listing(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the texts of a list; one text is a list of one."""
    node = fields.values[key]
    items = node.items if isinstance(node, Sequence) else (node,)
    found = []
    for number, item in enumerate(items):
        if not isinstance(item, Scalar):
            message = f"expected a text, found {describe_node(item)}"
            hint = f"write `{key}:`, and below it one text behind each `- `"
            fields.note("005", message, fields.document.span(item), hint, key)
            return ()
        one = fields.within(
            key, Mapping(((Scalar(str(number + 1), item.style, item.start, item.start), item),), item.start, item.end)
        )
        found.append(one.text(str(number + 1)))
    return tuple(found)


_EXAMPLES = {
    FieldType.FLAG: "true",
    FieldType.LIST: "[one, two]",
    FieldType.PICTURE: "art/picture.png",
    FieldType.TEXT: "Words for the card.",
    FieldType.RICH: "Words for the card.",
}


def icons_example(icons: Iterable[str]) -> str:
    """Return what a field of icons may say: the first that has a name, else a number."""
    return f"{{{next((name for name in icons if name != '#'), '1')}}}"


def example_of(declared: DeclaredField, icons: Iterable[str] = ()) -> str:
    """Return a value that the field may have in a game with these icons, as YAML."""
    if declared.type in (FieldType.FLAG, FieldType.LIST):
        return _EXAMPLES[declared.type]
    if declared.type is FieldType.NUMBER:
        return str(declared.example_number)
    return write_anywhere(example_text_of(declared, icons))


def example_text_of(declared: DeclaredField, icons: Iterable[str] = (), usual: str = "") -> str:
    """Return a text that the field may have, `usual` if it may; of a picture a path, of a choice its first word."""
    if declared.type is FieldType.ICONS:
        return icons_example(icons)
    if declared.choices:
        return declared.choices[0]
    usual = usual or _EXAMPLES.get(declared.type, "Words")
    if not declared.pattern:
        return usual
    from render.game.declared.reading.patterns import example_text

    return example_text(declared.pattern, usual)
