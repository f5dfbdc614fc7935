"""New sets and cards of a game that is written in YAML, as authors begin them.

Cards of a kind begin with examples of its fields, chosen so that its rules hold if a few tries do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from render.base.findings import Severity, listed
from render.game.declared.cards import BETWEEN
from render.game.declared.reading.derived import derive, in_order
from render.game.declared.reading.field_keys import (
    EMPTY,
    DeclaredField,
    FieldType,
    FieldValue,
    example_of,
    example_text_of,
)
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import CardRule, DeclaredKind
from render.game.folder import GAME_FILE, SET_FILE, way_between
from render.game.protocol import NewValue
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, fill_in
from render.source.scalar_values import as_number, write_anywhere, write_words

STAND_IN = "art/picture.svg"
"""A picture for a card that must have one, until its author replaces it, from the folder of a set."""

STAND_IN_FILE = b"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 45">
  <rect width="60" height="45" fill="#c3ccd2"/>
  <circle cx="45" cy="12" r="5" fill="#f4efe0"/>
  <path d="M0 45 L20 17 L33 33 L42 25 L60 45 Z" fill="#7d8d99"/>
</svg>
"""

_CARDS = "cards.yaml"
_FIRST = ("id", "name", "kind", "template")
_LAST = ("art", "back", "copies")
_HEAD = """\
# A card of each kind to begin with. Change them, or delete them and write your own. Save, and run `kotc build`.
"""


def first_files(rules: GameRules, folder: Path, name: str, paper: str) -> dict[str, bytes]:
    """Return `set.yaml` and a card of each kind, by their names in the folder of the set."""
    texts = {
        SET_FILE: _set(rules, folder, name, paper),
        _CARDS: "\n".join([_HEAD, *(_block(rules, kind) for kind in rules.kinds)]),
    }
    pictures = {STAND_IN: STAND_IN_FILE} if f": {STAND_IN}" in texts[_CARDS] else {}
    return {**{file: text.encode() for file, text in texts.items()}, **pictures}


def _set(rules: GameRules, folder: Path, name: str, paper: str) -> str:
    way = way_between(folder, rules.folder)
    # A way without a `/` could be the name of a game.
    there = way if "/" in way or way == ".." else f"./{way}"
    named = [f"game: {write_words(there)}  # the folder of `{GAME_FILE}`"]
    lines = [
        f"name: {write_words(name)}",
        *([] if way == "." else named),
        f"sheet: {{paper: {paper}, flip: long-edge}}  # the paper, and the edge on which your printer flips it",
        "# outputs: [png, sheets, gallery]  # what `kotc build` makes; without this line PNGs and sheets",
    ]
    return "".join(f"{line}\n" for line in lines)


def _block(rules: GameRules, kind: DeclaredKind) -> str:
    """Return the first card of a kind: what it must have, and in comments what it may have, or what is still wrong."""
    name = f"First {kind.value.replace('_', ' ').title()}"
    faces = _names_of_faces(name, kind)
    own = [each for each in rules.fields if each.name in kind.fields and not each.value]
    on_faces = [each for each in own if faces and each.type is not FieldType.PICTURE]
    usual = {
        "art": f"{STAND_IN}  # a stand-in: put your own picture there",
        "back": f"{kind.back or 'back'}  # a template, a picture or none",
        "copies": "1",
    }
    of_card, *_ = first = [first_values(rules, kind, each) for each in faces or [name]]
    lines = [
        *dict.fromkeys(f"# To do: {said}" for each in first for said in each.broken),
        f"- name: {name}  # as printed; it also names the card's files",
        f"  kind: {kind.value}  # {listed([each.value for each in rules.kinds])}",
        *(f"  {key}: {value}" for key, value in usual.items() if key in kind.required),
        *(f"  {_line(rules, each, of_card.values)}" for each in own if each not in on_faces),
        *(["  faces:"] if faces else []),
    ]
    for face, of_face in zip(faces, first, strict=False):
        lines += [f"    - name: {face}", *(f"      {_line(rules, each, of_face.values)}" for each in on_faces)]
    return "\n".join(lines) + "\n"


def _names_of_faces(name: str, kind: DeclaredKind) -> list[str]:
    """Return names for the faces of a card; none for one without."""
    if kind.faces == 1:
        return []
    own = [each.strip() for each in name.split(BETWEEN.strip())]
    return own if len(own) == kind.faces and all(own) else [f"{name} {number + 1}" for number in range(kind.faces)]


def _line(rules: GameRules, declared: DeclaredField, given: Mapping[str, FieldValue]) -> str:
    """Return the line of a field: a comment for one that is not given."""
    words = f": {declared.hint}" if declared.hint else ""
    is_given = declared.name in given
    value = _as_yaml(given[declared.name]) if is_given else example_of(declared, rules.icon_names)
    return f"{'' if is_given else '# '}{declared.name}: {value}  # {declared.type.value}{words}"


def _as_yaml(value: FieldValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(write_anywhere, map(str, value)))}]"
    return write_anywhere(str(value))


def new_card(rules: GameRules, given: Mapping[str, str]) -> dict[str, NewValue]:
    """Return the keys of a new card in the order of authors, with values for the fields that it must have."""
    kind = next((each for each in rules.kinds if each.value == given["kind"]), None)
    own = [each for each in rules.fields if kind is None or each.name in kind.fields]
    by_name = {name: each for each in own for name in (each.name, *each.aliases)}
    said: dict[str, NewValue] = {key: _of_type(by_name.get(key), value) for key, value in given.items()}
    order = [*_FIRST, *(name for each in own for name in (each.name, *each.aliases)), *_LAST]
    ranks = {key: rank for rank, key in enumerate(order)}

    def sorted_keys(values: Mapping[str, NewValue]) -> dict[str, NewValue]:
        return {key: values[key] for key in sorted(values, key=lambda key: ranks.get(key, len(ranks)))}

    if kind is None:
        return sorted_keys(said)
    usual: dict[str, NewValue] = {"back": kind.back or "back", "copies": 1}
    of_card: dict[str, NewValue] = {key: usual[key] for key in usual if key in kind.required}
    # A picture cannot be made up: the author is asked for it.
    left = [
        each for each in own if each.type is not FieldType.PICTURE and not {each.name, *each.aliases} & given.keys()
    ]
    if kind.faces == 1:
        return sorted_keys({**of_card, **_first(rules, kind, given["name"], left), **said})
    faces = tuple(
        sorted_keys({"name": name, **_first(rules, kind, name, left)}) for name in _names_of_faces(given["name"], kind)
    )
    return {**sorted_keys({**of_card, **said}), "faces": faces}


def _first(rules: GameRules, kind: DeclaredKind, name: str, left: list[DeclaredField]) -> dict[str, NewValue]:
    """Return values to begin with of the fields that are left to be given."""
    values = first_values(rules, kind, name).values
    return {each.name: _as_new(values[each.name]) for each in left if each.name in values}


def _as_new(value: FieldValue) -> NewValue:
    if isinstance(value, tuple):
        return tuple(map(str, value))
    return value if isinstance(value, int) else str(value)


def _of_type(declared: DeclaredField | None, value: str) -> NewValue:
    """Return a value of the command line as the field takes it; in the type of no field, words or a number."""
    kind = declared.type if declared else FieldType.NUMBER
    if kind is FieldType.NUMBER:
        return as_number(value)
    if kind is FieldType.FLAG and value in ("true", "false"):
        return value == "true"
    if kind is FieldType.LIST and re.fullmatch(r"\[.*\]", value):
        return tuple(item for each in value[1:-1].split(",") if (item := each.strip()))
    return value


# --- values to begin with -------------------------------------------------------------------------------------------

MAX_TRIED = 40  # values of one field: more choices or icons than that are not tried


class FirstValues(Struct, frozen=True):
    """Values of the fields that a card must give, of others with which its rules hold, and the rules that do not."""

    values: Mapping[str, FieldValue]
    broken: tuple[str, ...]


def first_values(rules: GameRules, kind: DeclaredKind, name: str) -> FirstValues:
    """Return values with which a card of that name can begin."""
    trial = _Trial(rules, kind, name)
    own = [each for each in rules.fields if each.name in kind.fields and not each.value]
    given = {each.name: example_value(rules, each) for each in own if each.name in kind.required}
    # Fields that it must have come first: others are given only if rules ask for them.
    for each in sorted(own, key=lambda each: each.name not in kind.required):
        least = trial.weight(given)
        for value in _tries(rules, each, name) if least else ():
            if (weight := trial.weight({**given, each.name: value})) < least:
                given, least = {**given, each.name: value}, weight
    return FirstValues(given, tuple(trial.said_of(given)))


def example_value(rules: GameRules, declared: DeclaredField) -> FieldValue:
    """Return a value that a field may have."""
    match declared.type:
        case FieldType.NUMBER:
            return declared.example_number
        case FieldType.FLAG:
            return True
        case FieldType.LIST:
            return ("one", "two")
        case FieldType.PICTURE:
            return STAND_IN
    return example_text_of(declared, rules.icon_names)


def _tries(rules: GameRules, declared: DeclaredField, name: str) -> Iterator[FieldValue]:
    """Yield values that the field may have, the usual one first."""
    yield example_value(rules, declared)
    match declared.type:
        case FieldType.NUMBER:
            yield from declared.limits
        case FieldType.FLAG:
            yield False
        case FieldType.CHOICE:
            yield from declared.choices[:MAX_TRIED]
        case FieldType.ICONS:
            yield from (f"{{{icon if icon != '#' else 1}}}" for icon in rules.icon_names[:MAX_TRIED])
        case FieldType.LINE if example_text_of(declared, (), name) == name:
            yield name


class _Trial:
    """Tries the rules of a kind on the values of a card of that name."""

    def __init__(self, rules: GameRules, kind: DeclaredKind, name: str) -> None:
        self._kind = kind
        usual = {
            each.name: each.default if each.name in kind.fields else EMPTY.get(each.type, "") for each in rules.fields
        }
        art = STAND_IN if "art" in kind.required else ""
        self._usual: dict[str, FieldValue] = {"name": name, "kind": kind.value, "copies": 1, "art": art, **usual}
        self._derived = [*in_order(rules.fields)]
        self._stopped: set[str] = set()

    def weight(self, given: Mapping[str, FieldValue]) -> int:
        """Return how much is wrong with a card that gives these values: errors count more than all warnings."""
        broken = [rule for rule, _ in self._broken(given)]
        return sum(1 if rule.severity is Severity.WARNING else len(self._kind.rules) + 1 for rule in broken)

    def said_of(self, given: Mapping[str, FieldValue]) -> Iterator[str]:
        """Yield message and hint of each rule that does not hold."""
        for rule, values in self._broken(given):
            try:
                yield "; ".join(" ".join(fill_in(text, values).split()) for text in (rule.message, rule.hint) if text)
            except ExpressionFailed:
                yield rule.message

    def _broken(self, given: Mapping[str, FieldValue]) -> Iterator[tuple[CardRule, Mapping[str, FieldValue]]]:
        values, _ = derive(self._derived, {**self._usual, **given}, self._kind)
        for rule in self._kind.rules:
            try:
                holds = rule.that in self._stopped or evaluate(rule.that, values)
            except ExpressionOverspent:  # it takes a while, and is tried no more
                self._stopped.add(rule.that)
                holds = False
            except ExpressionFailed:
                holds = False
            if not holds:
                yield rule, values
