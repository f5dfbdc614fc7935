"""The kinds of card of a game, with their rules, as `kinds` of `game.yaml` says; and the keys that name fields."""

from __future__ import annotations

import math
import re

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Severity, did_you_mean, listed, nearest_word, quoted
from render.base.geometry import Size, shorten
from render.base.limits import DECK_CARDS, GAME_CHECKS
from render.base.sizes import CARDS, LANDSCAPE, POKER, PORTRAIT, parse_card_size, size_of_kind
from render.game.card_reading import LONGEST_PATH
from render.game.declared.reading.game_keys import (
    COMMON,
    GameReading,
    check_expression,
    check_name,
    entries,
    filled_text,
)
from render.sheets.cut_shapes import HEXAGON, ROUND, cut_outline
from render.sheets.option_values import size
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import WORD, Key, KeyTable, Value, truth, words_of
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node

ANY_NUMBER = "any"
"""The word for `copies` of a kind without a limit."""

_DEMANDED = ("art", "back", "copies")
_NAMED = ("id", "name", "kind", "template", "back", "copies")
_SEVERITIES = ("error", "warning")


class CardRule(Struct, frozen=True):
    """A rule that must hold for each card of a kind: the expression `that`, and what is said if it does not."""

    that: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR


class DeclaredKind(Struct, frozen=True, kw_only=True):
    """A kind of card: its fields by name, its templates, and its rules. `value` is its name.

    `required` are the fields that its cards must give. `faces` is the number of small cards that a card shows; it has
    one template for all of them, or two templates for its two sides. `copies` is how often a deck may have one of its
    cards, where that is another number than the game's: `inf` for any number. `size` is the trim size, `landscape` or
    `portrait` for that of the set lying or standing, "" for that of the set. `cut` is what cards are cut to
    (`sheets/cut_shapes`), "" for a rectangle; if it is drawn in an SVG file of the game's folder, `cut_file` is its name,
    and `cut` its path once the file is read. `lacks` are derived fields that only other kinds have.
    """

    value: str
    fields: tuple[str, ...] = ()
    required: frozenset[str] = frozenset()
    templates: tuple[str, ...] = ()
    back: str = ""
    faces: int = 1
    in_decks: bool = True
    copies: float | None = None
    rules: tuple[CardRule, ...] = ()
    size: Size | str = ""
    cut: str = ""
    cut_file: str = ""
    lacks: frozenset[str] = frozenset()

    @property
    def has_two_sides(self) -> bool:
        """Whether the small cards of a card are its two sides, each with its template."""
        return self.faces > 1 and len(self.templates) > 1

    @property
    def template(self) -> str:
        """The template of the front."""
        return self.templates[0] if self.templates else self.value


def a_noun(noun: str) -> str:
    """Return the name of a kind with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def read_kinds(root: Fields, key: str, reading: GameReading) -> tuple[DeclaredKind, ...]:
    """Return the kinds that are declared; those with a mistake, too, as far as they can be read."""
    found = [
        _kind(reading, inner, name, node)
        for name, node, inner in entries(root, key, "kinds")
        if check_name(inner, name, "a kind")
    ]
    belonging = frozenset(name for _, named in found for name in named or ())
    node = root.values[key]
    is_empty = (
        not (node.entries or node.lost) if isinstance(node, Mapping) else isinstance(node, Scalar) and not node.value
    )
    if is_empty:
        root.expected(key, "at least one kind", "write below it for example `creature: {}`")
    return tuple(kind if own is None else replace(kind, lacks=belonging - own) for kind, own in found)


def _kind(reading: GameReading, outer: Fields, name: Scalar, node: Node) -> tuple[DeclaredKind, frozenset[str] | None]:
    """Return a kind, and the derived fields that it names; None if it names no fields, and has all."""
    every = tuple(each for each in reading.field_names if each not in reading.derived)
    if isinstance(node, Scalar) and not node.value:
        return DeclaredKind(value=name.value, fields=every), None
    if not isinstance(node, Mapping):
        outer.expected(name.value, "the keys of a kind", f"write for example `{name.value}: {{fields: [...]}}`")
        return DeclaredKind(value=name.value, fields=every), None
    fields = outer.within(name.value, node)
    given = KIND.read(fields, reading)
    given["cut"], cut_file = _check_cut(fields, given["cut"], given["size"])
    named, required = given.pop("fields")
    named = every if named is None else named
    derived = reading.derived.intersection(named)
    own = tuple(each for each in named if each not in derived)
    templates, count = given.pop("faces")
    _check_templates(fields, templates)
    template = given.pop("template")
    kind = DeclaredKind(
        value=name.value,
        fields=own,
        required=required | reading.required.intersection(own),
        templates=templates or ((template,) if template else ()),
        faces=count,
        cut_file=cut_file,
        **given,
    )
    return kind, derived if "fields" in fields.values else None


def _check_templates(fields: Fields, templates: tuple[str, ...]) -> None:
    """Note a template or a back beside the templates of two sides."""
    if "back" in fields.values and templates:
        message = "the back is drawn by the second template of `faces`"
        fields.note("023", message, fields.place("back"), "remove `back`", "back")
    if "template" in fields.values and templates:
        message = "the templates are named twice, by `template` and by `faces`"
        fields.note("023", message, fields.place("template"), "remove one of the two", "template")


def _fields(fields: Fields, key: str, reading: GameReading) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the fields of a kind, and those that its cards must give, which are written with a `!`."""
    found: list[str] = []
    required = set()
    node = fields.values[key]
    if isinstance(node, Sequence) and not node.items:
        return (), frozenset()
    for word in words_of(fields, key, "[cost, rules]"):
        name = word.value.removesuffix("!").strip()
        if word.value.endswith("!") and name in reading.derived:
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


def _faces(fields: Fields, key: str, _: GameReading) -> tuple[tuple[str, ...], int]:
    """Return the templates of two sides, if they are named, and how many small cards a card shows."""
    node = fields.values[key]
    if not isinstance(node, Sequence):
        return (), fields.whole(key, 1, 2) or 1
    words = [item.value for item in node.items if isinstance(item, Scalar) and item.value]
    if len(words) != 2 or len(node.items) != 2:
        found = f"expected two templates, found {len(node.items)}"
        if len(node.items) == 2:
            found = "expected two templates, found something else"
        fields.note("005", found, fields.place("faces"), "write for example `faces: [day, night]`", "faces")
        return (), 1
    return (words[0], words[1]), 2


def _copies(fields: Fields, key: str, _: GameReading) -> float | None:
    """Return how often a deck may have a card of the kind; None if the game says it."""
    node = fields.values[key]
    if isinstance(node, Scalar) and node.value == ANY_NUMBER:
        return math.inf
    return fields.whole(key, 1, DECK_CARDS.most, or_word=ANY_NUMBER)


def _size(fields: Fields, key: str, _: GameReading) -> Size | str:
    word = fields.words(key)
    if word in (LANDSCAPE, PORTRAIT):
        return word
    try:
        return parse_card_size(word) if word else ""
    except ValueError as error:
        wanted = str(error).removeprefix("expected ")
        hint = did_you_mean(word, (LANDSCAPE, PORTRAIT, *CARDS))
        fields.note("005", f"expected `{LANDSCAPE}`, `{PORTRAIT}`, {wanted}", fields.place(key), hint, key)
        return ""


def _check_cut(fields: Fields, cut: str, size: Size | str) -> tuple[str, str]:
    """Return the cut of a kind of that size, and the SVG file that it names instead; what is wrong is noted."""
    is_file = cut.endswith(".svg")
    try:
        if cut and cut not in (ROUND, HEXAGON) and not isinstance(size, Size):
            if "size" in fields.values and not size:  # which was noted
                return "", ""
            raise ValueError("a path is that of a card of one `size`, such as `size: 30x30`")
        if cut and not is_file:
            cut_outline(cut, size_of_kind(size, POKER))
    except ValueError as error:
        hint = f"write `{ROUND}`, `{HEXAGON}`, `cut.svg` or a path such as `M 0 0 H 40 L 20 40 Z`, in mm"
        fields.note("005", f"{quoted(shorten(cut))}: {error}", fields.place("cut"), hint, "cut")
        return "", ""
    return ("", cut) if is_file else (cut, "")


def _back(fields: Fields, key: str, _: GameReading) -> str:
    name = fields.words(key)
    if len(name) > LONGEST_PATH or name.startswith(("/", "~")) or "\\" in name or ".." in name.split("/"):
        message = f"{quoted(name)} is neither a template nor a picture of the game"
        fields.note("018", message, fields.place("back"), "write a name such as `back`, or `art/back.png`", "back")
        return ""
    return name


# --- rules ----------------------------------------------------------------------------------------------------------


def _rules(kind: Fields, key: str, reading: GameReading) -> tuple[CardRule, ...]:
    node = kind.values[key]
    items = node.items if isinstance(node, Sequence) else (node,)
    if len(items) > GAME_CHECKS.most:
        message = f"`{kind.path}check` has {len(items):,} rules, and may have {GAME_CHECKS.most}"
        kind.note("028", message, kind.place("check"), "leave out what no card needs", "check")
        return ()
    rules = []
    for item in items:
        if not isinstance(item, Mapping):
            message = f"expected a rule, found {describe_node(item)}"
            hint = "write for example `- {that: power > 0, message: a creature has a power}`"
            kind.note("005", message, kind.document.span(item), hint, "check")
            continue
        rule = CardRule(**RULE.read(kind.within("check", item), reading))
        rules += [rule] if rule.that and rule.message else []
    return tuple(rules)


def _filled(fields: Fields, key: str, reading: GameReading) -> str:
    return filled_text(reading, fields, key, fields.text(key) if key == "hint" else fields.words(key))


RULE = KeyTable(
    Key(
        "that",
        Value(shapes.FULL_TEXT, lambda fields, key, reading: check_expression(reading, fields, key)),
        "what must be so: an [expression](#expressions)",
        "an expression",
        needed=True,
        default="",
    ),
    Key(
        "message",
        Value(shapes.FULL_LINE, _filled),
        "what is said if it is not",
        "text, perhaps with fields in `{{ }}`",
        needed=True,
        default="",
    ),
    Key("hint", Value(shapes.LINE, _filled), "what to do then", "text as in `message`", "none", default=""),
    Key(
        "severity",
        Value(
            shapes.word(_SEVERITIES, "error"),
            lambda fields, key, _: Severity(fields.word(key, _SEVERITIES, "error")),
        ),
        "`warning` for what is doubtful and no error",
        "`error`, `warning`",
        "`error`",
        default=Severity.ERROR,
    ),
)
"""The keys of a rule below `check`."""

KIND = KeyTable(
    Key(
        "fields",
        Value(shapes.either(shapes.WORD, shapes.listing(shapes.WORD)), _fields),
        "the fields that its cards have. `power!` must be given; `art!`, `back!` and `copies!` are possible, too. "
        "All kinds have the [derived fields](#fields) that no kind names",
        "names",
        "all",
        default=(None, frozenset()),
    ),
    Key("template", WORD, "the template of the front: `creature.svg`", "a name", "that of the kind", default=""),
    Key(
        "back",
        Value(shapes.WORD, _back),
        "the back of its cards; `back` of the set and of a card come first",
        "a template, a picture, `none`",
        "`back`",
        default="",
    ),
    Key(
        "size",
        Value(shapes.either({"enum": [LANDSCAPE, PORTRAIT]}, *size(parse_card_size, CARDS).shapes), _size),
        "the [trim size](../../out/sheets.md#card-sizes) of its cards, if they are not as large as others: [sizes](shapes.md#sizes)",
        "`landscape`, `portrait`, a size such as `mini` or `63x88`",
        "that of the set",
        default="",
    ),
    Key(
        "cut",
        WORD,
        "what its cards are cut to, if they are no rectangles: [tokens](shapes.md#tokens)",
        "`round`, `hexagon`, an SVG file or the data of a path",
        "a rectangle",
        default="",
    ),
    Key(
        "faces",
        Value(
            shapes.either(shapes.whole(1, 2), {**shapes.listing(shapes.WORD, 2), "maxItems": 2}),
            _faces,
        ),
        "how many small cards a card shows: [faces](#faces)",
        "`1`, `2` or two templates",
        "`1`",
        default=((), 1),
    ),
    Key(
        "deck",
        truth(default=True),
        "whether decks may have such cards",
        "`true`, `false`",
        "`true`",
        default=True,
        attribute="in_decks",
    ),
    Key(
        "copies",
        Value(shapes.whole(1, DECK_CARDS.most, ANY_NUMBER), _copies),
        "how often a deck may have one such card",
        "a number, `any`",
        "that of [`deck`](#decks)",
    ),
    Key(
        "check",
        Value(shapes.either(RULE.shape, shapes.listing(RULE.shape)), _rules),
        "what must be so: an expression `that`, a `message`, perhaps a `hint`, and `severity: warning` if it is no error",
        "rules",
        "none",
        default=(),
        attribute="rules",
    ),
)
"""The keys of a kind in `game.yaml`."""


# --- keys that name fields ------------------------------------------------------------------------------------------


def read_names(root: Fields, key: str, reading: GameReading) -> tuple[str, ...]:
    """Return the fields that `table` or `order` names."""
    known = (*_NAMED, *reading.field_names)
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


def read_id_template(root: Fields, key: str, reading: GameReading) -> str:
    """Return how ids are made, a text with expressions in `{{ }}`."""
    node = root.values[key]
    if isinstance(node, Scalar) and node.value and not re.search(r"\{[{%]", node.value):
        message = f"every card would have the id {quoted(node.value)}"
        hint = f'name a field in it: `id: "{{{{ {node.value if node.value in reading.known_names else "name"} }}}}"`'
        root.note("027", message, root.place(key), hint, key)
        return ""
    return check_expression(reading, root, key, is_text=True)
