"""Read `game.yaml` into `GameRules`, with everything that is wrong in it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, has_errors
from render.game.declared.reading.field_keys import read_fields
from render.game.declared.reading.game_keys import GAME, GameReading
from render.game.declared.reading.game_rules import GAME as GAME_KEYS
from render.game.declared.reading.game_rules import GameRules
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


def _rules(root: Fields, folder: Path) -> GameRules:
    root.note_cut_off(("name", "back", "file"))
    own = read_fields(root)
    derived = frozenset(each.name for each in own if each.value)
    reading = GameReading(root, derived, frozenset(each.name for each in own if each.required))
    rules = GameRules(folder=folder, fields=own, document=root.document, **GAME_KEYS.read(root, reading))
    if derived:
        from render.game.declared.reading.derived import check_circles

        check_circles(root, own)
    if rules.is_rich or rules.words.reminders:
        from render.game.declared.reading.rich_fields import check_own_texts

        check_own_texts(root, rules)
    return rules
