"""What the parts of `game.yaml` share while they are read: its fields, names, expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from render.base.findings import Problem, Severity, Span, listed, nearest_word, quoted
from render.base.limits import GAME_NAMES, TEXT
from render.base.patterns import regex
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.nodes import Mapping, Node, Scalar, Sequence

COMMON = ("id", "name", "kind", "template", "back", "copies", "art", "faces")
"""The keys that cards of every game have."""

IN_TEMPLATES = ("set", "least_type", "face", "faces")
"""What templates see of a card beside its fields and its own keys."""

ALSO_IN_TEMPLATES = ("language", "variant", "words")
"""What they see, too, in games without fields of these names."""

RESERVED = (
    frozenset("and else false if in is none not or true loop self super caller varargs kwargs".split())
    | {name for name in dir(dict) if not name.startswith("_")}
    | frozenset(IN_TEMPLATES)
)
"""Words that mean something else in expressions and templates: `card.items` is what every mapping has."""

IN_EXPRESSIONS = ("name", "kind", "copies", "art")
"""What expressions see of a card beside its fields."""

GAME = FileKind(
    "M",
    "game",
    {
        "name": "Lanterns",
        "kinds": "{creature: {}}",
        "that": "power > 0",
        "message": "a creature has a power",
        "file": "fonts/Title.ttf",
    },
    {
        "title": ("name",), "types": ("kinds",), "cards": ("kinds",), "attributes": ("fields",), "columns": ("table",),
        "sort": ("order",), "decks": ("deck",), "symbols": ("icons",), "colours": ("colors",), "color": ("colors",),
        "keywords": ("words",), "font": ("fonts",), "string": ("line",), "str": ("line",), "int": ("number",),
        "integer": ("number",), "bool": ("flag",), "boolean": ("flag",), "enum": ("choice",), "image": ("picture",),
        "icon": ("icons",), "options": ("choices",), "values": ("choices",), "min": ("range",), "max": ("range",),
        "regex": ("pattern",), "alias": ("aliases",), "optional": ("required",), "checks": ("check",),
        "rule": ("check",), "msg": ("message",), "markdown": ("rich",), "richtext": ("rich",), "rich_text": ("rich",), "html": ("rich",),
        "formatted": ("rich",), "multiline": ("text",), "paragraph": ("text",), "float": ("number",), "decimal": ("number",),
        "img": ("picture",), "select": ("choice",), "option": ("choice",), "tags": ("list",), "mana": ("icons",), "array": ("list",), "field": ("fields",),
    },
)  # fmt: skip

NAME = regex(r"[a-z][a-z0-9_]{0,39}")
"""The name of a field or kind."""


class GameReading(Struct, frozen=True):
    """The root of `game.yaml`, to which findings go, and which of its fields are derived and which must be given."""

    root: Fields
    derived: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of the game's own fields, even if something else is wrong with them.

        A key that stands below a field and is none of it may be a field with a wrong indent: that is said there.
        """
        node = self.root.values.get("fields")
        names = [key.value for key, _ in node.entries] if isinstance(node, Mapping) else []
        paths = (each.field.split(".") for each in self.root.findings if each.code == f"{GAME.family}002")
        return tuple(dict.fromkeys([*names, *(path[2] for path in paths if path[0] == "fields" and len(path) == 3)]))

    @property
    def is_whole(self) -> bool:
        """Whether all could be read: else a name that nothing declares may be declared in what could not."""
        return not any(each.code.startswith("Y") and each.severity is Severity.ERROR for each in self.root.findings)

    @property
    def choices(self) -> tuple[tuple[str, ...], ...]:
        """The words of which fields are one, by field."""
        node = self.root.values.get("fields")
        inner = (
            [each.get("choices") for _, each in node.entries if isinstance(each, Mapping)]
            if isinstance(node, Mapping)
            else []
        )
        lists = [each.items for each in inner if isinstance(each, Sequence)]
        return tuple(tuple(word.value for word in items if isinstance(word, Scalar)) for items in lists)

    @property
    def words_of_fields(self) -> dict[str, tuple[str, ...]]:
        """The words of which the kind and each field with `choices` is one, by name; of those that can be read."""
        kinds = self.root.values.get("kinds")
        words = {"kind": tuple(key.value for key, _ in kinds.entries)} if isinstance(kinds, Mapping) else {}
        node = self.root.values.get("fields")
        for name, inner in node.entries if isinstance(node, Mapping) else ():
            listed_words = inner.get("choices") if isinstance(inner, Mapping) else None
            if isinstance(listed_words, Sequence):
                words[name.value] = tuple(word.value for word in listed_words.items if isinstance(word, Scalar))
        return {name: some for name, some in words.items() if some}

    @property
    def numbers(self) -> frozenset[str]:
        """The fields that are declared as numbers."""
        node = self.root.values.get("fields")
        entries = node.entries if isinstance(node, Mapping) else ()
        types = ((name.value, each.get("type") if isinstance(each, Mapping) else each) for name, each in entries)
        return frozenset(name for name, each in types if isinstance(each, Scalar) and each.value == "number")

    @property
    def known_names(self) -> tuple[str, ...]:
        """What expressions may name."""
        return (*IN_EXPRESSIONS, *self.field_names)


def entries(fields: Fields, key: str, what: str) -> Iterator[tuple[Scalar, Node, Fields]]:
    """Yield the names below a key with their values; `what` they are is for messages.

    The third is the mapping that they stand in.
    """
    node = fields.values.get(key)
    if isinstance(node, Scalar) and not node.value:  # nothing yet
        return
    if node is not None and not isinstance(node, Mapping) and key in _EXAMPLES:
        fields.expected(key, f"names with their {what}", f"write for example `{key}: {_EXAMPLES[key]}`")
        return
    inner = fields.inner(key)
    if inner is None:
        return
    if len(inner.node.entries) > GAME_NAMES.most:
        message = f"`{key}` has {len(inner.node.entries):,} {what}, and may have {GAME_NAMES.most}"
        fields.note("028", message, fields.place(key), "leave out what no card needs", key)
        return
    for name, value in inner.node.entries:
        yield name, value, inner


_EXAMPLES = {
    "icons": "{T: icons/turn.svg}",
    "colors": '{ember: "#b5432a"}',
    "fonts": "{title: fonts/Title.ttf}",
    "axes": "{wght: 650}",
}


def check_name(fields: Fields, name: Scalar, what: str) -> bool:
    """Note a name that is none; return whether it is one."""
    if NAME.fullmatch(name.value):
        return True
    meant = re.sub("[^a-z0-9]+", "_", name.value.lower()).strip("_")
    good = NAME.fullmatch(meant) is not None
    message = f"the name of {what} is made of a-z, 0-9 and `_`, and begins with a letter: {quoted(name.value)}"
    hint = f"write `{meant}`" if good else "write a word such as `power`"
    fields.note("021", message, fields.document.span(name), hint, name.value, instead=meant if good else "")
    return False


def check_expression(reading: GameReading, fields: Fields, key: str, *, is_text: bool = False) -> str:
    """Return an expression as written, or a text with expressions in `{{ }}`; "" for none, or one that is wrong."""
    # Games without expressions do without Jinja2.
    from render.layout.templates.expressions import ExpressionFailed, names_in, words_compared

    source = fields.words(key, lines=True, what="expression" if not is_text else "")
    if not source or len(source) > TEXT.most:  # which was said
        return ""
    try:
        names = names_in(source, is_text=is_text)
    except ExpressionFailed as failed:
        message = f"the expression of `{fields.path}{key}` cannot be read: {failed}"
        place = _place_within(fields, key, source, failed.place)
        fields.note("030", message, place, failed.hint, key, instead=failed.instead)
        return ""
    unknown = sorted(names.difference(reading.known_names)) if reading.is_whole else []
    for name in unknown:
        _note_unknown(reading, fields, key, source, name)
    if reading.is_whole and not unknown:
        _note_words(reading, fields, key, source, words_compared(source, is_text=is_text))
    return "" if unknown else source


def _note_words(
    reading: GameReading, fields: Fields, key: str, source: str, compared: dict[tuple[str, str], int]
) -> None:
    """Note words with which an expression compares the kind or a choice, and which that never is."""
    from render.layout.templates.syntax import as_number

    known = reading.words_of_fields
    for (name, word), at in compared.items():
        part = at, at + len(word)
        if name in reading.numbers:
            message = f"`{fields.path}{key}` compares `{name}`, a number, with the text {quoted(word)}"
            fields.note("031", message, _place_within(fields, key, source, part), as_number(word), key)
        elif name in known and word not in known[name]:
            near = nearest_word(word, known[name])
            hint = f"did you mean `{near}`?" if near else f"`{name}` is {listed(known[name])}"
            message = f"`{fields.path}{key}` compares `{name}` with {quoted(word)}, which it never is"
            fields.note("031", message, _place_within(fields, key, source, part), hint, key, instead=near)


def filled_text(reading: GameReading, fields: Fields, key: str, text: str) -> str:
    """Return a text of a key in which expressions may stand in `{{ }}`; "" if one of them is wrong."""
    return check_expression(reading, fields, key, is_text=True) if re.search(r"\{[{%#]", text) else text


def _place_within(fields: Fields, key: str, source: str, part: tuple[int, int] | None) -> Span:
    """Return the place of a part of what a key says; that of its whole value if there is no part."""
    node = fields.values[key]
    before = node.value.find(source) if isinstance(node, Scalar) else -1
    if part is None or before < 0 or not isinstance(node, Scalar):
        return fields.place(key)
    start, end = (min(before + index, len(node.value)) for index in part)
    return fields.document.locate(node, start, end) if start < end else fields.place(key)


def _note_unknown(reading: GameReading, fields: Fields, key: str, source: str, name: str) -> None:
    """Note a name that no field has, at its first place in an expression."""
    from render.layout.templates.syntax import as_filter

    known = reading.known_names
    found = re.search(rf"\b{re.escape(name)}\b", source)
    part = found.span() if found else None
    member = re.match(rf"{name}\.(\w+)", source[part[0] :]) if part else None
    called = re.match(rf"{name}\((\w+)\)", source[part[0] :]) if part else None
    near = nearest_word(name, known)
    hint = f"did you mean `{near}`?" if near else "it may name the fields of the game, `name`, `kind` and `copies`"
    if name in _NO_VALUE:
        near, hint = "none", "write `none`"
    elif member and part and member[1] in known:
        part, near = (part[0], part[0] + member.end()), member[1]
        hint = f"write `{near}`: fields are plain names"
    elif as_filter(name):
        near, hint = "", as_filter(name, called[1] if called else "value")
    elif any(name in each for each in reading.choices):
        near, hint = f"'{name}'", f"a text stands in quotes: `'{name}'`"
    message = f"`{fields.path}{key}` names {quoted(name)}, which is no field"
    fields.note("031", message, _place_within(fields, key, source, part), hint, key, instead=near)


_NO_VALUE = ("null", "nil", "undefined", "NULL", "Null")


def note_in_text(fields: Fields, key: str, problem: Problem) -> None:
    """Note a problem of some characters of a text."""
    node = fields.values[key]
    if isinstance(node, Scalar):
        fields.add(problem, fields.document.locate(node, problem.start, problem.end), key)
