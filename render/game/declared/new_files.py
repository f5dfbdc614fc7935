"""New sets and cards of a game that is written in YAML, as authors begin them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from render.base.findings import listed
from render.game.authoring.card_text import as_number
from render.game.authoring.pictures import STAND_IN, STAND_IN_FILE
from render.game.declared.field_values import BETWEEN
from render.game.declared.first_values import first_values
from render.game.declared.reading.field_keys import example_of
from render.game.declared.reading.rules import DeclaredField, DeclaredKind, FieldType, FieldValue, GameRules
from render.game.folder import GAME_FILE, SET_FILE, way_between
from render.game.protocol import NewValue
from render.source.scalars.scalar_writing import write_anywhere, write_words

_CARDS = "cards.yaml"
_FIRST = ("id", "name", "kind", "template")
_LAST = ("art", "back", "copies")
_HEAD = """\
# A card of each kind to begin with. Change them, or delete them and write your own. Save, and run `kotc build`.
"""


def first_files(rules: GameRules, folder: Path, name: str, paper: str) -> dict[str, bytes]:
    """Return `set.yaml` and a card of each kind, by their names in the folder of the set."""
    texts = {SET_FILE: _set(rules, folder, name, paper), _CARDS: _cards(rules)}
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


def _cards(rules: GameRules) -> str:
    return "\n".join([_HEAD, *(_block(rules, kind) for kind in rules.kinds)])


def _block(rules: GameRules, kind: DeclaredKind) -> str:
    """Return the first card of a kind: what it must have, and in comments what it may have, or what is still wrong."""
    name = f"First {kind.value.replace('_', ' ').title()}"
    faces = _names_of_faces(name, kind)
    own = [each for each in rules.fields if each.name in kind.fields and not each.value]
    on_faces = [each for each in own if faces and each.type is not FieldType.PICTURE]
    of_card, *_ = first = [first_values(rules, kind, each) for each in faces or [name]]
    lines = [
        *dict.fromkeys(f"# To do: {said}" for each in first for said in each.broken),
        f"- name: {name}  # as printed; it also names the card's files",
        f"  kind: {kind.value}  # {listed([each.value for each in rules.kinds])}",
        *(f"  {key}: {value}" for key, value in _common(kind).items()),
        *(f"  {_line(rules, each, of_card.values)}" for each in own if each not in on_faces),
        *(["  faces:"] if faces else []),
    ]
    for face, of_face in zip(faces, first, strict=False):
        lines += [f"    - name: {face}", *(f"      {_line(rules, each, of_face.values)}" for each in on_faces)]
    return "\n".join(lines) + "\n"


_NOTES = {
    "art": "  # a stand-in: put your own picture there",
    "back": "  # a template, a picture or none",
    "copies": "",
}


def _common(kind: DeclaredKind) -> dict[str, str]:
    """Return the keys of every card that a kind must have, with values and notes."""
    usual = {"art": STAND_IN, "back": kind.back or "back", "copies": "1"}
    return {key: f"{usual[key]}{_NOTES[key]}" for key in _NOTES if key in kind.required}


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

    def in_order(values: Mapping[str, NewValue]) -> dict[str, NewValue]:
        return {key: values[key] for key in sorted(values, key=lambda key: ranks.get(key, len(ranks)))}

    if kind is None:
        return in_order(said)
    usual: dict[str, NewValue] = {"back": kind.back or "back", "copies": 1}
    of_card: dict[str, NewValue] = {key: usual[key] for key in usual if key in kind.required}
    # A picture cannot be made up: the author is asked for it.
    left = [
        each for each in own if each.type is not FieldType.PICTURE and not {each.name, *each.aliases} & given.keys()
    ]
    if kind.faces == 1:
        return in_order({**of_card, **_first(rules, kind, given["name"], left), **said})
    faces = tuple(
        in_order({"name": name, **_first(rules, kind, name, left)}) for name in _names_of_faces(given["name"], kind)
    )
    return {**in_order({**of_card, **said}), "faces": faces}


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
