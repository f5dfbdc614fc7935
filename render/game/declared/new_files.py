"""New sets and cards of a game that is written in YAML, as authors begin them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from render.base.findings import listed
from render.game.authoring.card_text import as_number
from render.game.declared.field_values import BETWEEN
from render.game.declared.reading.field_keys import example_of, icons_example
from render.game.declared.reading.rules import DeclaredField, DeclaredKind, FieldType, GameRules
from render.game.folder import GAME_FILE, SET_FILE
from render.game.protocol import NewValue
from render.source.scalar_writing import write_words

_CARDS = "cards.yaml"
_FIRST = ("id", "name", "kind", "template")
_LAST = ("art", "back", "copies")
_NUMBERS = ("copies",)
_HEAD = """\
# A card of each kind to begin with. Change them, or delete them and write your own. Save, and run `kotc build`.
"""


def first_files(rules: GameRules, folder: Path, name: str, paper: str) -> dict[str, bytes]:
    """Return `set.yaml` and a card of each kind, by their names in the folder of the set.

    ValueError if the game lies on another drive.
    """
    texts = {SET_FILE: _set(rules, folder, name, paper), _CARDS: _cards(rules)}
    return {file: text.encode() for file, text in texts.items()}


def _set(rules: GameRules, folder: Path, name: str, paper: str) -> str:
    way = Path(os.path.relpath(rules.folder.resolve(), folder.resolve())).as_posix()
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
    kinds = listed([each.value for each in rules.kinds])
    blocks = [_HEAD]
    for kind in rules.kinds:
        title = kind.value.replace("_", " ").title()
        own = [each for each in rules.fields if each.name in kind.fields]
        on_faces = [each for each in own if kind.faces > 1 and each.type is not FieldType.PICTURE]
        lines = [
            f"- name: First {title}  # as printed; it also names the card's files",
            f"  kind: {kind.value}  # {kinds}",
            *(["  art: art/picture.png  # a picture that you put there"] if "art" in kind.required else []),
            *(f"  {_line(rules, each, kind)}" for each in own if each not in on_faces),
        ]
        if kind.faces > 1:
            lines.append("  faces:")
        for name in _names_of_faces(f"First {title}", kind):
            lines += [f"    - name: {name}", *(f"      {_line(rules, each, kind)}" for each in on_faces)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _names_of_faces(name: str, kind: DeclaredKind) -> list[str]:
    """Return names for the faces of a card; none for one without."""
    if kind.faces == 1:
        return []
    own = [each.strip() for each in name.split(BETWEEN.strip())]
    return own if len(own) == kind.faces and all(own) else [f"{name} {number + 1}" for number in range(kind.faces)]


def _line(rules: GameRules, declared: DeclaredField, kind: DeclaredKind) -> str:
    """Return the line of a field: a comment for one that need not be given."""
    must = declared.name in kind.required
    words = f": {declared.hint}" if declared.hint else ""
    note = f"  # {declared.type.value}{words}"
    return f"{'' if must else '# '}{declared.name}: {example_of(declared, dict(rules.icons))}{note}"


def new_card(rules: GameRules, given: Mapping[str, str]) -> dict[str, NewValue]:
    """Return the keys of a new card in the order of authors, with values for the fields that it must have."""
    kind = next((each for each in rules.kinds if each.value == given["kind"]), None)
    own = [each for each in rules.fields if kind is None or each.name in kind.fields]
    first: dict[str, str] = {}
    for each in own:
        is_given = any(name in given for name in (each.name, *each.aliases))
        if kind and each.name in kind.required and not is_given and each.type is not FieldType.PICTURE:
            icons = each.type is FieldType.ICONS
            first[each.name] = icons_example(dict(rules.icons)) if icons else example_of(each)
    order = [*_FIRST, *(name for each in own for name in (each.name, *each.aliases)), *_LAST]
    ranks = {key: rank for rank, key in enumerate(order)}
    numbers = {*_NUMBERS, *(each.name for each in own if each.type is FieldType.NUMBER)}

    def in_order(values: Mapping[str, str]) -> dict[str, str | int]:
        keys = sorted(values, key=lambda key: ranks.get(key, len(ranks)))
        return {key: as_number(values[key]) if key in numbers else values[key] for key in keys}

    if kind is None or kind.faces == 1:
        return {**in_order({**first, **given})}
    faces = tuple(in_order({"name": name, **first}) for name in _names_of_faces(given["name"], kind))
    return {**in_order(given), "faces": faces}
