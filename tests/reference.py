"""The tables of keys in the reference, as the tables of the program say them; `python -m tests.reference` writes them.

A table of keys stands below a line `<!-- keys: NAME -->`. Its heading is its author's: it says which cells there are.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from render.game.decks.deck_file import DECK_KEYS
from render.game.declared.reading.field_keys import FIELD
from render.game.declared.reading.file_keys import FONT
from render.game.declared.reading.game_rules import GAME
from render.game.declared.reading.kind_keys import KIND, RULE
from render.game.picture_keys import PICTURE_KEYS
from render.game.sets.set_keys import SET_KEYS
from render.game.variants import OF_VARIANT
from render.games.kotc.deck import DECK_TABLE
from render.games.kotc.files.keys import ART, CARD
from render.games.kotc.files.set_file import SET_TABLE
from render.source.shapes import KeyRow
from tests.support.repository import ROOT

TABLES: Mapping[str, Sequence[KeyRow]] = {
    "game": GAME.rows, "field": FIELD.rows, "kind": KIND.rows, "rule": RULE.rows, "font": FONT.rows,
    "set": (*SET_KEYS.rows[:2], *SET_TABLE.rows[:1], *SET_KEYS.rows[2:3], *SET_TABLE.rows[1:2], *SET_KEYS.rows[3:4],
            *SET_TABLE.rows[2:], *SET_KEYS.rows[4:]),
    "deck": (*DECK_KEYS.rows[:1], *DECK_TABLE.rows, *DECK_KEYS.rows[1:]),
    "variant": OF_VARIANT.rows, "card": CARD.rows, "art": ART.rows, "picture": PICTURE_KEYS.rows,
}  # fmt: skip

PAGES = sorted(page for folder in ("cards", "out", "templates", "render") for page in (ROOT / folder).rglob("*.md"))
_TABLE = re.compile(r"(?P<head><!-- keys: (?P<name>\w+) -->\n(?P<cells>\|.*)\n\|[ |-]*\n)(?P<rows>(?:\|.*\n)*)")
_CELLS = {"key": "cell", "value": "value", "default": "default", "for": "where", "what it is": "words", "": "words"}


def written(page: str) -> str:
    """Return a page with its tables of keys as the program says them."""
    return _TABLE.sub(lambda table: table["head"] + _rows(TABLES[table["name"]], table["cells"]), page)


def _rows(rows: Sequence[KeyRow], heading: str) -> str:
    names = [_CELLS[cell.strip()] for cell in heading.strip("|").split("|")]
    lines = (" | ".join(getattr(row, name) for name in names) for row in rows)
    return "".join(f"| {line} |\n".replace("|  |", "| |") for line in lines)


def names_in(page: Path) -> list[str]:
    """Return the names of the tables of keys that a page has."""
    return [table["name"] for table in _TABLE.finditer(page.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    for each in PAGES:
        before = each.read_text(encoding="utf-8")
        if (after := written(before)) != before:
            each.write_text(after, encoding="utf-8")
            print(each.relative_to(ROOT))
