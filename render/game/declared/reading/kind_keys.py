"""Read `kinds` of `game.yaml`, and the keys that name fields: `table`, `order`, `id`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from render.base.findings import Severity, did_you_mean, listed, nearest_word, quoted
from render.base.limits import DECK_CARDS, GAME_CHECKS
from render.game.card_keys import LONGEST_PATH
from render.game.declared.reading.game_keys import (
    COMMON,
    GameReading,
    check_expression,
    check_name,
    entries,
    filled_text,
    words_of,
)
from render.game.declared.reading.rules import CardRule, DeclaredKind
from render.source.fields import Fields
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node

KEYS_OF_KINDS = ("fields", "template", "back", "faces", "deck", "copies", "check")
"""The keys of a kind in `game.yaml`."""

KEYS_OF_RULES = ("that", "message", "hint", "severity")
"""The keys of a rule below `check`."""

ANY_NUMBER = "any"
"""The word for `copies` of a kind without a limit."""

_DEMANDED = ("art", "back", "copies")
_NAMED = ("id", "name", "kind", "template", "back", "copies")
_SEVERITIES = ("error", "warning")


def read_kinds(reading: GameReading) -> tuple[DeclaredKind, ...]:
    """Return the kinds that are declared; those with a mistake, too, as far as they can be read."""
    root = reading.root
    if not root.given("kinds"):
        return ()
    found = [
        _kind(reading, inner, name, node)
        for name, node, inner in entries(root, "kinds", "kinds")
        if check_name(inner, name, "a kind")
    ]
    belonging = frozenset(name for _, named in found for name in named or ())
    node = root.values["kinds"]
    is_empty = (
        not (node.entries or node.lost) if isinstance(node, Mapping) else isinstance(node, Scalar) and not node.value
    )
    if is_empty:
        root.expected("kinds", "at least one kind", "write below it for example `creature: {}`")
    return tuple(kind if own is None else replace(kind, lacks=belonging - own) for kind, own in found)


def _kind(reading: GameReading, outer: Fields, name: Scalar, node: Node) -> tuple[DeclaredKind, frozenset[str] | None]:
    """Return a kind, and the derived fields that it names; None if it names no fields, and has all."""
    every = tuple(each for each in reading.field_names if not _is_derived(reading, each))
    if isinstance(node, Scalar) and not node.value:
        return DeclaredKind(value=name.value, fields=every), None
    if not isinstance(node, Mapping):
        outer.expected(name.value, "the keys of a kind", f"write for example `{name.value}: {{fields: [...]}}`")
        return DeclaredKind(value=name.value, fields=every), None
    fields = outer.within(name.value, node)
    fields.check_keys(KEYS_OF_KINDS)
    if "fields" not in fields.values:
        return _whole_kind(reading, fields, name.value, (every, frozenset())), None
    found, required = _fields(reading, fields)
    derived = frozenset(each for each in found if _is_derived(reading, each))
    named = tuple(each for each in found if each not in derived)
    return _whole_kind(reading, fields, name.value, (named, required)), derived


def _whole_kind(
    reading: GameReading, fields: Fields, name: str, own: tuple[tuple[str, ...], frozenset[str]]
) -> DeclaredKind:
    """Return a kind with its own fields, and those that its cards must give."""
    named, required = own
    templates, count = _faces(fields)
    if "back" in fields.values and len(templates) == 2:
        message = "the back is drawn by the second template of `faces`"
        fields.note("023", message, fields.place("back"), "remove `back`", "back")
    if "template" in fields.values:
        if templates:
            message = "the templates are named twice, by `template` and by `faces`"
            fields.note("023", message, fields.place("template"), "remove one of the two", "template")
        template = fields.words("template")
        templates = (template,) if template and not templates else templates
    return DeclaredKind(
        value=name,
        fields=named,
        required=required | {each.name for each in reading.fields if each.required and each.name in named},
        templates=templates,
        back=_back(fields),
        faces=count,
        in_decks=fields.truth("deck", default=True),
        copies=_copies(fields),
        rules=tuple(_rules(reading, fields)),
    )


def _is_derived(reading: GameReading, name: str) -> bool:
    return any(each.name == name and each.value for each in reading.fields)


def _fields(reading: GameReading, fields: Fields) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the fields of a kind, and those that its cards must give, which are written with a `!`."""
    found: list[str] = []
    required = set()
    node = fields.values["fields"]
    if isinstance(node, Sequence) and not node.items:
        return (), frozenset()
    for word in words_of(fields, "fields", "[cost, rules]"):
        name = word.value.removesuffix("!").strip()
        if word.value.endswith("!") and _is_derived(reading, name):
            message = f"`{name}` follows from other fields: no card gives it"
            place = fields.document.span(word)
            fields.note("022", message, place, f"write `{name}`", "fields", instead=name)
            continue
        if word.value.endswith("!"):
            required.add(name)
        if name in found:
            fields.note(
                "025", f"`{name}` is listed twice", fields.document.span(word), "remove one of the two", "fields"
            )
        elif name in reading.field_names or (name in _DEMANDED and name in required):
            found.append(name)
        else:
            _note_unknown(reading, fields, word, name)
    return tuple(each for each in found if each not in _DEMANDED), frozenset(required)


def _note_unknown(reading: GameReading, fields: Fields, word: Scalar, name: str) -> None:
    place = fields.document.span(word)
    if name in COMMON:
        hint = "remove it" + (f", or write `{name}!` if it must be given" if name in _DEMANDED else "")
        fields.note("022", f"`{name}` is a key of every card", place, hint, "fields")
    elif reading.is_whole:
        near = nearest_word(name, reading.field_names)
        hint = f"did you mean `{near}`?" if near else "declare it below `fields` of the game"
        marked = near + "!" * word.value.endswith("!") if near else ""
        fields.note("026", f"there is no field {quoted(name)}", place, hint, "fields", instead=marked)


def _faces(fields: Fields) -> tuple[tuple[str, ...], int]:
    """Return the templates of two sides, if they are named, and how many small cards a card shows."""
    node = fields.values.get("faces")
    if not isinstance(node, Sequence):
        return (), fields.whole("faces", 1, 2) or 1
    words = [item.value for item in node.items if isinstance(item, Scalar) and item.value]
    if len(words) != 2 or len(node.items) != 2:
        found = f"expected two templates, found {len(node.items)}"
        if len(node.items) == 2:
            found = "expected two templates, found something else"
        fields.note("005", found, fields.place("faces"), "write for example `faces: [day, night]`", "faces")
        return (), 1
    return (words[0], words[1]), 2


def _copies(fields: Fields) -> float | None:
    """Return how often a deck may have a card of the kind; None if the game says it."""
    node = fields.values.get("copies")
    if isinstance(node, Scalar) and node.value == ANY_NUMBER:
        return math.inf
    return fields.whole("copies", 1, DECK_CARDS.most, or_word=ANY_NUMBER)


def _back(fields: Fields) -> str:
    if "back" not in fields.values:
        return ""
    name = fields.words("back")
    if len(name) > LONGEST_PATH or name.startswith(("/", "~")) or "\\" in name or ".." in name.split("/"):
        message = f"{quoted(name)} is neither a template nor a picture of the game"
        fields.note("018", message, fields.place("back"), "write a name such as `back`, or `art/back.png`", "back")
        return ""
    return name


# --- rules ----------------------------------------------------------------------------------------------------------


def _rules(reading: GameReading, kind: Fields) -> Iterator[CardRule]:
    node = kind.values.get("check")
    if node is None:
        return
    items = node.items if isinstance(node, Sequence) else (node,)
    if len(items) > GAME_CHECKS.most:
        message = f"`{kind.path}check` has {len(items):,} rules, and may have {GAME_CHECKS.most}"
        kind.note("028", message, kind.place("check"), "leave out what no card needs", "check")
        return
    for item in items:
        if not isinstance(item, Mapping):
            message = f"expected a rule, found {describe_node(item)}"
            hint = "write for example `- {that: power > 0, message: a creature has a power}`"
            kind.note("005", message, kind.document.span(item), hint, "check")
            continue
        fields = kind.within("check", item)
        fields.check_keys(KEYS_OF_RULES)
        that = check_expression(reading, fields, "that")
        message = filled_text(reading, fields, "message", fields.words("message"))
        severity = Severity(fields.word("severity", _SEVERITIES, "error"))
        if that and message:
            yield CardRule(
                that=that,
                message=message,
                hint=filled_text(reading, fields, "hint", fields.text("hint")),
                severity=severity,
            )


# --- keys that name fields ------------------------------------------------------------------------------------------


def read_names(reading: GameReading, key: str) -> tuple[str, ...]:
    """Return the fields that `table` or `order` names."""
    root, known = reading.root, (*_NAMED, *reading.field_names)
    found: list[str] = []
    for word in words_of(root, key, "[kind, name]"):
        if word.value in found:
            hint = "remove one of the two"
            root.note("025", f"{quoted(word.value)} is listed twice", root.document.span(word), hint, key)
        elif word.value in known:
            found.append(word.value)
        elif reading.is_whole:
            near = nearest_word(word.value, known)
            hint = did_you_mean(word.value, known) or f"the fields are {listed(known, 'and')}"
            if word.value.startswith("-") and near == word.value[1:]:
                hint = f"write `{near}`: cards stand from small to large, and no key turns that round"
            place = root.document.span(word)
            root.note("026", f"there is no field {quoted(word.value)}", place, hint, key, instead=near)
    return tuple(found)


def read_id_template(reading: GameReading) -> str:
    """Return how ids are made, a text with expressions in `{{ }}`."""
    root = reading.root
    if "id" not in root.values:
        return ""
    node = root.values["id"]
    if isinstance(node, Scalar) and node.value and not re.search(r"\{[{%]", node.value):
        message = f"every card would have the id {quoted(node.value)}"
        hint = f'name a field in it: `id: "{{{{ {node.value if node.value in reading.known_names else "name"} }}}}"`'
        root.note("027", message, root.place("id"), hint, "id")
        return ""
    return check_expression(reading, root, "id", is_text=True)
