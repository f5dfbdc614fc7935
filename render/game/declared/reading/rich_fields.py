"""Rich texts and icons of games: what is wrong in them, and what they are to templates and to lists."""

from __future__ import annotations

from render.base.findings import Problem
from render.game.declared.reading.field_keys import DeclaredField, FieldType
from render.game.declared.reading.game_keys import note_in_text
from render.game.declared.reading.game_rules import GameRules
from render.layout.rich_notation import Notation, RichText, read_icons, read_rich
from render.source.fields import Fields
from render.source.nodes import Mapping


def notation_of(rules: GameRules) -> Notation:
    """Return what the game gives to the notation of rich texts."""
    return Notation(
        tuple((each.name, each.file) for each in rules.icons),
        rules.colors,
        rules.words.bold,
        rules.words.reminders,
        tuple((each.name, each.size) for each in rules.icons if each.size),
    )


def rich_value(rules: GameRules, declared: DeclaredField, text: str) -> RichText:
    """Return a rich text, or a text of icons, as templates have it."""
    return _read(rules, declared, text)[0]


def note_rich(fields: Fields, key: str, declared: DeclaredField, rules: GameRules, text: str) -> None:
    """Note everything that is wrong with the text of a key, at its place."""
    for problem in _read(rules, declared, text)[1]:
        note_in_text(fields, key, problem)


def _read(rules: GameRules, declared: DeclaredField, text: str) -> tuple[RichText, tuple[Problem, ...]]:
    read = read_icons if declared.type is FieldType.ICONS else read_rich
    return read(text, notation_of(rules))


def check_own_texts(root: Fields, rules: GameRules) -> None:
    """Note what is wrong with the defaults and the reminders of a game."""
    for each in rules.fields:
        node = rules.node("fields", each.name)
        if each.is_rich and each.default and isinstance(node, Mapping):
            below = Fields(
                document=root.document, node=node, kind=root.kind, path=f"fields.{each.name}.", findings=root.findings
            )
            note_rich(below, "default", each, rules, str(each.default))
    reminders = rules.node("words", "reminders")
    if isinstance(reminders, Mapping):
        below = Fields(
            document=root.document, node=reminders, kind=root.kind, path="words.reminders.", findings=root.findings
        )
        for name, text in rules.words.reminders:
            note_rich(below, name, DeclaredField(name=name, type=FieldType.RICH), rules, text)
