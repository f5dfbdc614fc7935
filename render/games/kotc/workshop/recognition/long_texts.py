"""Read what stands on several lines: the ability text and the flavor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from render.games.kotc.workshop.recognition.card_places import Place
from render.games.kotc.workshop.recognition.short_texts import SaidWords, joined, misfit
from render.games.kotc.workshop.recognition.signs.line_reading import InkSheet, LineType, Word, read_line, stretches
from render.games.kotc.workshop.recognition.text_lines import Setting, settings
from render.text.fitting import TextBox

_TRIED = 3  # settings by which a piece is read, if their baselines are about as good
_ABOUT = 0.9  # of the best score
_PIECE = 2.0  # em: a piece of about that width shows a wrong size, and is soon read
_BREAKS = re.compile(r"\w[-‐–—]\Z")
# After a hyphen that ends a line, they may follow a part of a list ("one- and two-dice").
_LISTING = re.compile(r"(?:and|or|to)\Z")
_EITHER = 0.9
_MAX_POOR = 3


@dataclass(frozen=True, slots=True)
class Written:
    """A text on several lines: what it says, its size in mm, its lines, and whether each of its words is red."""

    said: SaidWords
    size: float
    lines: tuple[str, ...] = ()
    reds: tuple[tuple[str, bool], ...] = ()


def lines_text(sheet: InkSheet, place: Place, sizes: tuple[float, float]) -> Written:
    """Return the text of a box whose size is between two in mm; its paragraphs are lines of the text."""
    assert isinstance(place.room, TextBox)
    found = settings(sheet.ink, sheet.scale, place, sizes)
    if not found:
        return Written(SaidWords("", 0.0 if _inked(sheet, place.room) else 1.0), 0.0)
    setting = _best(sheet, place, found)
    lines: list[tuple[bool, list[Word]]] = []
    for line in setting.lines:
        lines.append((line.begins, read_line(sheet, _line(sheet, place, setting, line.baseline))))
        if _is_hopeless(lines):
            return Written(SaidWords("", 0.0), 0.0)
    kept = [(begins, words) for begins, words in lines if words]
    reds = tuple(("".join(piece.text for piece in word), word[0].red) for _, words in kept for word in words)
    said = [(begins, joined(words)) for begins, words in kept]
    return Written(_text(said), setting.size, tuple(each.text for _, each in said), reds)


def _is_hopeless(lines: Sequence[tuple[bool, list[Word]]]) -> bool:
    """Return whether the letters are not those of the fonts: most of the words so far are like no signs."""
    pieces = [piece for _, words in lines for word in words for piece in word]
    return sum(piece.poor for piece in pieces) > max(_MAX_POOR, len(pieces) / 2)


def _inked(sheet: InkSheet, room: TextBox) -> bool:
    box = room.room
    top, bottom, left, right = (round(each * sheet.scale) for each in (box.y, box.bottom, box.x, box.right))
    return bool((sheet.ink[top:bottom, left:right] > 0.5).sum() > 4)


def _best(sheet: InkSheet, place: Place, found: Sequence[Setting]) -> Setting:
    """Return the setting whose lines can be read best."""
    first = found[0]
    near = [each for each in found[:_TRIED] if each.score > _ABOUT * first.score and each.size != first.size]
    if not near:
        return first
    return min((first, *near), key=lambda setting: _unlike(sheet, place, setting))


def _unlike(sheet: InkSheet, place: Place, setting: Setting) -> float:
    """Return how unlike a piece of the last line is to its best reading."""
    line = _line(sheet, place, setting, setting.lines[-1].baseline)
    found = stretches(sheet, line)
    if not found:
        return np.inf
    wanted = _PIECE * setting.size * sheet.scale
    left, right = min(found, key=lambda each: abs(each[1] - each[0] - wanted))
    words = read_line(sheet, replace(line, columns=(left - 1, right + 1)))
    return float(np.mean([misfit(piece) for word in words for piece in word])) if words else np.inf


def _line(sheet: InkSheet, place: Place, setting: Setting, baseline: float) -> LineType:
    assert isinstance(place.room, TextBox)
    box = place.room.room
    columns = round((box.x - 0.35) * sheet.scale), round((box.right + 0.35) * sheet.scale)
    slanted = place.face if place.face.endswith("Oblique") else f"{place.face} Oblique"
    faces = tuple(dict.fromkeys((place.face, slanted)))
    return LineType(baseline=baseline, size=setting.size, faces=faces, columns=columns, pitch=setting.pitch)


def _text(lines: Sequence[tuple[bool, SaidWords]]) -> SaidWords:
    """Return lines as paragraphs, and how sure all of it is."""
    text, sure = "", 1.0
    for begins, said in lines:
        space, certain = between(text, begins, said.text)
        text, sure = text + space + said.text, sure * said.sure * certain
    return SaidWords(text, sure)


def between(before: str, begins: bool, line: str) -> tuple[str, float]:
    """Return what stands between the text so far and a line, and how sure that is."""
    if not before:
        return "", 1.0
    if begins:
        return "\n", 1.0
    if not _BREAKS.search(before) or not line[:1].isalnum():
        return " ", 1.0
    # A line that ends with a hyphen shows no space behind it, whether there is one or not.
    return ("", 1.0) if not _LISTING.match(line.split(" ", 1)[0]) else (" ", _EITHER)
