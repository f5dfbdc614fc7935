"""The keys of `game.yaml`, and what its parts share while they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from render.base.findings import Severity, TextProblem, nearest_word, quoted
from render.game.declared.reading.rules import DeclaredField
from render.source.fields import LONGEST_TEXT, Fields, FileKind
from render.source.nodes import Mapping, Node, Scalar, Sequence

KEYS = ("name", "fields", "kinds", "icons", "colors", "fonts", "words", "deck", "table", "order", "id")
"""The keys of `game.yaml`."""

COMMON = ("id", "name", "kind", "template", "back", "copies", "art", "faces")
"""The keys that cards of every game have."""

RESERVED = frozenset(
    "and else false if in is none not or true loop self super face set least_type caller varargs kwargs".split()
) | {name for name in dir(dict) if not name.startswith("_")}
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
        "rule": ("check",), "msg": ("message",), "markdown": ("rich",), "array": ("list",), "field": ("fields",),
    },
)  # fmt: skip

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""The name of a field or kind."""

MAX_NAMES = 200  # fields, kinds, icons or colors: more than any game has, few enough to be listed in a message


class GameReading(NamedTuple):
    """The root of `game.yaml`, and the fields that were read from it; findings go to `root`."""

    root: Fields
    fields: tuple[DeclaredField, ...]

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of the game's own fields, even if something else is wrong with them."""
        node = self.root.values.get("fields")
        return tuple(key.value for key, _ in node.entries) if isinstance(node, Mapping) else ()

    @property
    def is_whole(self) -> bool:
        """Whether all could be read: else a name that nothing declares may be declared in what could not."""
        return not any(each.code.startswith("Y") and each.severity is Severity.ERROR for each in self.root.findings)

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
    inner = fields.inner(key)
    if inner is None:
        return
    if len(inner.node.entries) > MAX_NAMES:
        message = f"`{key}` has {len(inner.node.entries):,} {what}, and may have {MAX_NAMES}"
        fields.note("028", message, fields.place(key), "leave out what no card needs", key)
        return
    for name, value in inner.node.entries:
        yield name, value, inner


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


def words_of(fields: Fields, key: str, example: str) -> list[Scalar]:
    """Return the words of a list; one may be written without brackets."""
    node = fields.values.get(key)
    if node is None:
        return []
    items = node.items if isinstance(node, Sequence) else (node,)
    words = [item for item in items if isinstance(item, Scalar) and item.value.strip()]
    if len(words) < len(items) or not words:
        fields.expected(key, "a list of words", f"write for example `{key}: {example}`")
        return []
    return words


def check_expression(reading: GameReading, fields: Fields, key: str, *, is_text: bool = False) -> str:
    """Return an expression as written, or a text with expressions in `{{ }}`; "" for none, or one that is wrong."""
    # Games without expressions do without Jinja2.
    from render.layout.templates.expressions import ExpressionFailed, names_in, unknown_names  # noqa: PLC0415

    source = fields.words(key, lines=True, what="an expression" if not is_text else "")
    if not source or len(source) > LONGEST_TEXT:  # which was said
        return ""
    try:
        names = names_in(source, is_text=is_text)
    except ExpressionFailed as failed:
        message = f"the expression of `{fields.path}{key}` cannot be read: {failed}"
        fields.note("030", message, fields.place(key), failed.hint, key)
        return ""
    known = reading.known_names
    unknown = unknown_names(names, known) if reading.is_whole else []
    for name in unknown:
        near = nearest_word(name, known)
        message = f"`{fields.path}{key}` names {quoted(name)}, which is no field"
        hint = f"did you mean `{near}`?" if near else "it may name the fields of the game, `name`, `kind` and `copies`"
        _note_within(fields, key, name, message, (hint, near))
    return "" if unknown else source


def _note_within(fields: Fields, key: str, name: str, message: str, advice: tuple[str, str]) -> None:
    """Note something of a name at its first place in a text."""
    node = fields.values[key]
    found = re.search(rf"\b{re.escape(name)}\b", node.value) if isinstance(node, Scalar) else None
    hint, instead = advice
    if found and isinstance(node, Scalar):
        place = fields.document.locate(node, found.start(), found.end())
        fields.note("031", message, place, hint, key, instead=instead)
    else:
        fields.note("031", message, fields.place(key), hint, key)


def note_in_text(fields: Fields, key: str, problem: TextProblem) -> None:
    """Note a problem of some characters of a text."""
    node = fields.values[key]
    if isinstance(node, Scalar):
        fields.add(problem.problem, fields.document.locate(node, problem.start, problem.end), key)
