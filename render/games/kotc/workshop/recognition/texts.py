"""The texts of a card by their lines: size and baselines, what stands on one line, what stands on several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from render.base.patterns import regex
from render.games.kotc.model.cards import indicator
from render.games.kotc.workshop.recognition.glyphs import BELOW, DIGITS, USUAL
from render.games.kotc.workshop.recognition.line_reading import (
    MAX_MISFIT,
    InkSheet,
    LineType,
    Reading,
    Word,
    read_line,
    stretches,
    verify,
)
from render.games.kotc.workshop.recognition.places import Grid, Place
from render.scene.items import Color
from render.text.box_lines import Leading, TextBox, line_height
from render.text.fitting import FittedLine, TextLine, fit_line
from render.text.fonts import CAP_HEIGHT
from render.text.line_breaking import TextStyle

_MAX_LINES = 40
_TIGHT_BELOW = 2.2  # mm: no set lets lines move closer at larger sizes
_NOISE = 0.12  # coverage that a JPEG leaves beside letters
_MIN_INK = 0.004  # square em: half a full stop
_REST = 0.16  # em above and below a baseline that are compared


Line = tuple[float, bool]
"""A line of text: its baseline in mm, and whether a paragraph begins with it."""


class Setting(Struct, frozen=True):
    """Lines at one size, in mm. `score` says how well their baselines are those of the ink: 1 if all are."""

    size: float
    pitch: float
    lines: tuple[Line, ...]
    score: float


def settings(ink: Grid, scale: float, place: Place, sizes: tuple[float, float]) -> list[Setting]:
    """Return the settings that the ink of a text box may have, best first; none if there is no ink.

    `ink` is the coverage of the whole card, `sizes` the smallest and the largest size in mm.
    """
    assert isinstance(place.room, TextBox)
    profile = _Profile(ink, scale, place.room)
    if not profile.top:
        return []
    step = place.room.step
    steps = range(ceil(sizes[0] / step - 1e-6), floor(sizes[1] / step + 1e-6) + 1)
    found = [
        setting
        for size in (number * step for number in steps)
        for leading in (place.room.leading, *(place.room.tighter if size < _TIGHT_BELOW else ()))
        if (setting := _set(profile, size, leading, place))
    ]
    return sorted(found, key=lambda setting: -setting.score)


class _Profile:
    """The ink of a room by rows, added up from the top; asked for in mm."""

    def __init__(self, ink: Grid, scale: float, room: TextBox) -> None:
        self.scale = scale
        left, right = (round(x * scale) for x in (room.room.x - 0.3, room.room.right + 0.3))
        top, bottom = (round(y * scale) for y in (room.room.y - 0.3, room.room.bottom + 0.3))
        rows = np.zeros(ink.shape[0])
        room_ink = ink[top:bottom, left:right]
        rows[top:bottom] = np.where(room_ink > _NOISE, room_ink, 0.0).sum(axis=1)
        self.rows = rows
        inked = np.flatnonzero(rows > 0.6)
        self.top = inked[0] / scale if len(inked) else 0.0
        self.bottom = (inked[-1] + 1) / scale if len(inked) else 0.0
        self.summed = np.concatenate([[0.0], np.cumsum(rows)])
        self.total = float(self.summed[-1])

    def between(self, top: float, bottom: float) -> float:
        """Return the ink between two heights."""
        at = np.clip(np.array([top, bottom]) * self.scale, 0, len(self.rows))
        low, high = np.interp(at, np.arange(len(self.summed)), self.summed)
        return float(high - low)


def _set(profile: _Profile, size: float, leading: Leading, place: Place) -> Setting | None:
    assert isinstance(place.room, TextBox)
    height, ascent = line_height(leading, place.face, size, place.room.step)
    pitch = height + leading.gap
    baseline, begins = place.room.room.y + ascent, True
    lines: list[Line] = []
    explained = 0.0
    while baseline - 0.3 * size < profile.bottom and len(lines) < _MAX_LINES:
        if profile.between(baseline - 0.6 * size, baseline) < _MIN_INK * (size * profile.scale) ** 2:
            return None  # an empty line is no line
        lines.append((baseline, begins))
        explained += _sharpness(profile, baseline, size)
        follow, gap = baseline + pitch, baseline + pitch * (1 + leading.paragraph)
        sharper = _sharpness(profile, gap, size) > _sharpness(profile, follow, size)
        begins = sharper and _blank(profile, follow, gap, size)
        baseline = gap if begins else follow
    if not lines or profile.top < lines[0][0] - size * 1.05 or profile.bottom > lines[-1][0] + 0.32 * size:
        return None
    return Setting(size, pitch, tuple(lines), explained / profile.total)


def _sharpness(profile: _Profile, baseline: float, size: float) -> float:
    """Return by how much more ink stands right above a baseline than right below it."""
    rest = _REST * size
    return profile.between(baseline - rest, baseline) - profile.between(baseline, baseline + rest)


def _blank(profile: _Profile, follow: float, gap: float, size: float) -> bool:
    """Return whether no line stands where one would follow if no paragraph ended."""
    if gap - follow < 0.8 * size:
        return True  # the gap is no empty line
    between = profile.between(follow - 0.5 * size, follow)
    return between < 0.02 * size * size * profile.scale * profile.scale


# --- short texts ------------------------------------------------------------------------------------------------------


_BLACK: Color = (0, 0, 0)
_FULL = 0.975  # of a line's width: wider text may be condensed
_STEP, _MAX_STEPS = 0.985, 100
_PIECE_OF_LINE = 2.5  # em
_MAX_DIGITS = 4
_MISFIT_OF_DIGITS = 0.1  # of the squared ink: ten large digits differ by more, whichever program draws them
_AGAIN = 3  # readings of a condensed line, each by the width of the words before


NOTHING = Reading("", 1.0)


def joined(words: Iterable[Word], max_misfit: float = MAX_MISFIT) -> Reading:
    """Return words as they are proved, with spaces between them."""
    proofs = [[verify(piece, max_misfit) for piece in word] for word in words]
    return Reading(
        " ".join("".join(each.text for each in word) for word in proofs),
        float(np.prod([each.confidence for word in proofs for each in word])),
    )


def line_text(sheet: InkSheet, place: Place) -> Reading:
    """Return the text of a line that is as wide as its words, or condensed and shrunk to its room."""
    assert isinstance(place.room, TextLine)
    line, room = _line_type(sheet, place), place.room
    columns = line.columns
    found = stretches(sheet, line)
    if not found or found[-1][1] - found[0][0] < _FULL * min(room.width, 56.0) * sheet.scale:
        return joined(read_line(sheet, line))
    piece = _short_piece(found, _PIECE_OF_LINE * room.size * sheet.scale)
    least = room.narrowest * (room.smallest or room.size) / room.size
    shares = (_STEP**step for step in range(_MAX_STEPS) if _STEP**step > least * _STEP)
    tried = (replace(_line_type(sheet, place, share), columns=piece) for share in shares)
    line = replace(min(tried, key=lambda line: _misfit(read_line(sheet, line))), columns=columns)
    said = joined(read_line(sheet, line))
    if line.stretch == 1:
        return said
    # The words themselves tell exactly how far they are condensed.
    for _ in range(_AGAIN):
        before, line = said, _fitted(place, said.text, line)
        said = joined(read_line(sheet, line))
        if said.text == before.text:
            return said
    return replace(said, confidence=0.0)


def _short_piece(found: Sequence[tuple[int, int]], wanted: float) -> tuple[int, int]:
    """Return the columns of the piece that is about so wide: it shows a wrong width or size best, and is soon read."""
    left, right = min(found, key=lambda each: abs(each[1] - each[0] - wanted))
    return left - 1, right + 1


def _fitted(place: Place, text: str, line: LineType) -> LineType:
    """Return how a text is set on the line of a place."""
    assert isinstance(place.room, TextLine)
    fitted = fit_line(((text, TextStyle(place.face, _BLACK)),), place.room)
    if not isinstance(fitted, FittedLine):
        return line
    setting = fitted.setting
    return replace(line, baseline=setting.baseline, size=setting.size, stretch=setting.stretch)


def _line_type(
    sheet: InkSheet, place: Place, share: float = 1.0, half: float = 0.0, texts: tuple[str, ...] = USUAL
) -> LineType:
    """Return how a line is set that is condensed and shrunk to a share of its natural width, as `fit_line` does it.

    `half` mm to both sides of its middle belong to it; 0: as many as its room has.
    """
    assert isinstance(place.room, TextLine)
    room = place.room
    stretch = max(share, room.narrowest)
    size = room.size * share / stretch
    half = half or min(room.width, 57.0) / 2 + 0.6
    return LineType(
        baseline=room.baseline - (room.size - size) * CAP_HEIGHT / 2,
        size=size,
        faces=(place.face,),
        columns=(max(round((room.x - half) * sheet.scale), 0), round((room.x + half) * sheet.scale)),
        stretch=stretch,
        texts=texts,
    )


def _misfit(words: Iterable[Word]) -> float:
    pieces = [piece for word in words for piece in word]
    return float(np.mean([piece.misfit for piece in pieces])) if pieces else np.inf


# --- the Edition Indicator -------------------------------------------------------------------------------------------

INDICATOR = tuple("0123456789stndrhEdio")
HALF_OF_EDITION = 12.0  # mm to both sides of the middle that belong to it
_EDITION = regex(r"(\d{1,3})(?:st|nd|rd|th) Edition")


def edition(sheet: InkSheet, place: Place) -> tuple[int | None, float]:
    """Return the edition that the indicator names, None if there is no indicator, and how sure that is."""
    line = _line_type(sheet, place, half=HALF_OF_EDITION, texts=INDICATOR)
    return edition_of(joined(read_line(sheet, line), _MISFIT_OF_DIGITS))


def edition_of(said: Reading) -> tuple[int | None, float]:
    """Return the edition that an indicator names, as `edition` does."""
    match = _EDITION.fullmatch(said.text)
    if match is None or indicator(int(match[1])) != said.text:
        return None, 0.0 if said.text else 1.0
    return int(match[1]), said.confidence


# --- numbers ---------------------------------------------------------------------------------------------------------


def number(sheet: InkSheet, place: Place, reach: float) -> tuple[int | None, float]:
    """Return the number whose middle is at a place, None if there is none, and how sure that is.

    `reach` mm to both sides belong to it.
    """
    # One digit, two and so on may be condensed; the makers' own are never.
    usual = _line_type(sheet, place, half=reach, texts=DIGITS)
    condensed = (_fitted(place, "0" * digits, usual) for digits in range(1, _MAX_DIGITS + 1))
    lines = [usual, *(line for line in condensed if line.stretch < 1)]
    tried = [words for line in lines if (words := read_line(sheet, line))]
    if not tried:
        return None, 1.0
    said = joined(min(tried, key=_misfit), _MISFIT_OF_DIGITS)
    text = said.text.replace(" ", "")
    return (int(text), said.confidence) if text.isdecimal() and len(text) <= _MAX_DIGITS else (None, 0.0)


# --- long texts -------------------------------------------------------------------------------------------------------


_TRIED = 3  # settings by which a piece is read, if their baselines are about as good
_ABOUT = 0.9  # of the best score
_PIECE_OF_TEXT = 2.0  # em
_BREAKS = regex(r"\w[-‐–—]\Z")
# After a hyphen that ends a line, they may follow a part of a list ("one- and two-dice").
_LISTING = regex(r"(?:and|or|to)\Z")
_EITHER = 0.9
_MAX_POOR = 3


class Written(Struct, frozen=True):
    """A text on several lines: what it says, its size in mm, its lines, and whether each of its words is red."""

    said: Reading
    size: float
    lines: tuple[str, ...] = ()
    reds: tuple[tuple[str, bool], ...] = ()


def lines_text(sheet: InkSheet, place: Place, sizes: tuple[float, float]) -> Written:
    """Return the text of a box whose size is between two in mm; its paragraphs are lines of the text."""
    assert isinstance(place.room, TextBox)
    found = settings(sheet.ink, sheet.scale, place, sizes)
    if not found:
        box = place.room.room
        top, bottom, left, right = (round(each * sheet.scale) for each in (box.y, box.bottom, box.x, box.right))
        is_inked = (sheet.ink[top:bottom, left:right] > 0.5).sum() > 4
        return Written(Reading("", 0.0 if is_inked else 1.0), 0.0)
    setting = _best(sheet, place, found)
    lines: list[tuple[bool, list[Word]]] = []
    for baseline, begins in setting.lines:
        lines.append((begins, read_line(sheet, _line(sheet, place, setting, baseline))))
        pieces = [piece for _, words in lines for word in words for piece in word]
        if sum(piece.is_poor for piece in pieces) > max(_MAX_POOR, len(pieces) / 2):
            return Written(Reading("", 0.0), 0.0)  # the letters are not those of the fonts
    text, confidence, written = "", 1.0, list[str]()
    lines = [(begins, words) for begins, words in lines if words]
    for begins, words in lines:
        said = joined(words)
        space, certain = between(text, begins, said.text)
        text, confidence = text + space + said.text, confidence * said.confidence * certain
        written.append(said.text)
    reds = tuple(("".join(piece.text for piece in word), word[0].red) for _, words in lines for word in words)
    return Written(Reading(text, confidence), setting.size, tuple(written), reds)


def _best(sheet: InkSheet, place: Place, found: Sequence[Setting]) -> Setting:
    """Return the setting of those with about the best baselines by which a piece of the last line can be read best."""
    first = found[0]
    near = [each for each in found[:_TRIED] if each.score > _ABOUT * first.score and each.size != first.size]
    if not near:
        return first

    def misfit(setting: Setting) -> float:
        line = _line(sheet, place, setting, setting.lines[-1][0])
        pieces = stretches(sheet, line)
        if not pieces:
            return np.inf
        columns = _short_piece(pieces, _PIECE_OF_TEXT * setting.size * sheet.scale)
        return _misfit(read_line(sheet, replace(line, columns=columns)))

    return min((first, *near), key=misfit)


def _line(sheet: InkSheet, place: Place, setting: Setting, baseline: float) -> LineType:
    assert isinstance(place.room, TextBox)
    box = place.room.room
    columns = round((box.x - 0.35) * sheet.scale), round((box.right + 0.35) * sheet.scale)
    slanted = place.face if place.face.endswith("Oblique") else f"{place.face} Oblique"
    faces = tuple(dict.fromkeys((place.face, slanted)))
    return LineType(
        baseline=baseline, size=setting.size, faces=faces, columns=columns, room=setting.pitch / setting.size - BELOW
    )


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
