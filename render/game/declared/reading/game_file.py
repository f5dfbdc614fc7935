"""Read `game.yaml` into `GameRules`, with everything that is wrong in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, has_errors
from render.game.declared.reading.field_keys import read_fields
from render.game.declared.reading.game_keys import GAME, KEYS, GameReading
from render.game.declared.reading.kind_keys import read_id_template, read_kinds, read_names
from render.game.declared.reading.rules import GameRules
from render.game.folder import GAME_FILE
from render.source import reader
from render.source.fields import Fields
from render.source.nodes import Mapping


def read_game(folder: Path) -> tuple[GameRules | None, tuple[Diagnostic, ...]]:
    """Return what the `game.yaml` of a folder says, None if that is wrong, and all findings in it."""
    try:
        text = reader.read_text(folder / GAME_FILE, folder)
    except Refused as refused:
        return None, tuple(refused.findings)
    return understood(text, folder)


@cached(16)
def understood(text: str, folder: Path) -> tuple[GameRules | None, tuple[Diagnostic, ...]]:
    """Return what a text says as the `game.yaml` of a folder, as in `read_game`. No file is looked for."""
    document, findings = reader.read_as_partly(text, folder / GAME_FILE)
    if document is None:
        hint = "write `name:` and `kinds:` of the game, or remove the file"
        return None, tuple(replace(each, hint=hint) if each.code == "Y006" else each for each in findings)
    if not isinstance(document.root, Mapping):
        return None, (*findings, GAME.no_mapping(document, document.root))
    rules = _rules(Fields(document=document, node=document.root, kind=GAME, findings=findings), folder)
    return None if has_errors(findings) else rules, tuple(findings)


def _rules(fields: Fields, folder: Path) -> GameRules:
    fields.check_keys(KEYS)
    fields.note_cut_off(("name", "back", "file"))
    own = read_fields(fields)
    reading = GameReading(fields, own)
    kinds = read_kinds(reading)
    if any(each.value for each in own):
        from render.game.declared.reading.derived import check_circles

        check_circles(reading)
    rules = GameRules(
        folder=folder,
        name=fields.words("name"),
        fields=own,
        kinds=kinds,
        table=read_names(reading, "table"),
        order=read_names(reading, "order"),
        id_template=read_id_template(reading),
        document=fields.document,
    )
    if _EXTRA & fields.values.keys():
        rules = _with_extra(rules, reading)
    if rules.is_rich or rules.words.reminders:
        from render.game.declared.reading.rich_fields import check_own_texts

        check_own_texts(fields, rules)
    return rules


_EXTRA = frozenset(("icons", "colors", "fonts", "words", "deck"))


def _with_extra(rules: GameRules, reading: GameReading) -> GameRules:
    """Return the rules with what few games say."""
    from render.game.declared.reading.extra_keys import (
        read_colors,
        read_deck,
        read_fonts,
        read_icons,
        read_words,
    )

    return replace(
        rules,
        icons=read_icons(reading),
        colors=read_colors(reading),
        fonts=read_fonts(reading),
        words=read_words(reading),
        deck=read_deck(reading),
    )
