"""Sheets made of other cards than those that they are held to: a set was changed after its sheets were made, or before.

Each changes a copy of the garden (see `whole_sheets`), of which sheets are made.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Change = Callable[[Path], None]


def _edited(name: str, old: str, new: str) -> Change:
    def changed(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, (old, text)
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return changed


CARDS, FRONT = "cards.yaml", "templates/card.svg"
comma_of_its_author = _edited(CARDS, "Soft, patient", "Soft patient")
word_of_its_author = _edited(CARDS, "smell it", "taste it")
points_of_its_author = _edited(CARDS, 'points: "8"', 'points: "6"')
hue_of_its_author = _edited(CARDS, '"#2f7d3a"', '"#8a5a20"')
picture_of_its_author = _edited(CARDS, "art: wall.jpg", "art: rose.jpg")
back_of_its_author = _edited(CARDS, 'they say.", back: far', 'they say."')
copies_of_its_author = _edited(CARDS, "copies: 3", "copies: 2")
font_size_of_its_template = _edited(FRONT, 'font-size="3"', 'font-size="3.1"')
line_of_its_template = _edited(FRONT, 'stroke-width="0.5"', 'stroke-width="0.4"')
stop_a_little_bluer = _edited(FRONT, "#fae0a0", "#fae0a2")
stop_of_another_hue = _edited(FRONT, "#fae0a0", "#e0f0a0")
stop_moved = _edited(FRONT, 'offset="0.5"', 'offset="0.51"')
stop_moved_far = _edited(FRONT, 'offset="0.5"', 'offset="0.6"')
stop_that_is_seen_through = _edited(FRONT, 'stop-opacity="0"', 'stop-opacity="0.1"')
opacity_of_its_template = _edited(FRONT, 'opacity="0.5" clip', 'opacity="0.55" clip')
clip_of_its_template = _edited(FRONT, "M8 12 C20 6", "M8 12 C14 10")
back_of_another_hue = _edited("templates/back.svg", "#24506b", "#4c3e7a")
