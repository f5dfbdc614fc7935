"""Read what stands on one line: the name, the credit, the Edition Indicator, and the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from render.games.kotc.model.cards import indicator
from render.games.kotc.workshop.recognition.card_places import Place
from render.games.kotc.workshop.recognition.signs.alphabet import DIGITS, USUAL
from render.games.kotc.workshop.recognition.signs.line_reading import (
    InkSheet,
    LineType,
    Piece,
    Word,
    read_line,
    stretches,
)
from render.games.kotc.workshop.recognition.signs.sureness import MAX_MISFIT, WordProof, proof
from render.scene.items import Color
from render.text.fitting import FittedLine, TextLine, fit_line
from render.text.fonts import CAP_HEIGHT
from render.text.line_breaking import TextStyle

_BLACK: Color = (0, 0, 0)
_FULL = 0.975  # of a line's width: wider text may be condensed
_STEP = 0.985
_MAX_DIGITS = 4
_MISFIT_OF_DIGITS = 0.1  # of the squared ink: ten large signs differ by more, whichever program draws them
_AGAIN = 3  # readings of a condensed line, each by the width of the words before
_INDICATOR = tuple("0123456789stndrhEdio")


@dataclass(frozen=True, slots=True)
class SaidWords:
    """Words that were read, and how sure they are: 0 to 1."""

    text: str
    sure: float


NOTHING = SaidWords("", 1.0)


def joined(words: Iterable[Word], most_misfit: float = MAX_MISFIT) -> SaidWords:
    """Return words as they are proved, with spaces between them."""
    proofs = [[proof(piece, most_misfit) for piece in word] for word in words]
    return SaidWords(
        " ".join(_spelled(word) for word in proofs), float(np.prod([each.sure for word in proofs for each in word]))
    )


def _spelled(word: Iterable[WordProof]) -> str:
    return "".join(each.text for each in word)


def line_text(sheet: InkSheet, place: Place, texts: tuple[str, ...] = USUAL) -> SaidWords:
    """Return the text of a line that is as wide as its words, or condensed and shrunk to its room."""
    line = _line_type(sheet, place, texts)
    said = joined(read_line(sheet, line))
    if line.stretch == 1:
        return said
    # The words themselves tell exactly how far they are condensed.
    for _ in range(_AGAIN):
        before, line = said, _fitted(place, said.text, line)
        said = joined(read_line(sheet, line))
        if said.text == before.text:
            return said
    return replace(said, sure=0.0)


def _fitted(place: Place, text: str, line: LineType) -> LineType:
    """Return how a text is set on the line of a place."""
    assert isinstance(place.room, TextLine)
    fitted = fit_line(((text, TextStyle(place.face, _BLACK)),), place.room)
    if not isinstance(fitted, FittedLine):
        return line
    setting = fitted.setting
    return replace(line, baseline=setting.baseline, size=setting.size, stretch=setting.stretch)


def _line_type(sheet: InkSheet, place: Place, texts: tuple[str, ...]) -> LineType:
    assert isinstance(place.room, TextLine)
    room = place.room
    full = _sized(place, 1.0, sheet, texts)
    found = stretches(sheet, full)
    if not found or found[-1][1] - found[0][0] < _FULL * min(room.width, 56.0) * sheet.scale:
        return full
    # The piece that is nearest to two signs and a half shows a wrong width best, and is soon read.
    wanted = 2.5 * room.size * sheet.scale
    left, right = min(found, key=lambda each: abs(each[1] - each[0] - wanted))
    tried = (replace(_sized(place, share, sheet, texts), columns=(left - 1, right + 1)) for share in _shares(room))
    best = min(tried, key=lambda line: _misfit(read_line(sheet, line)))
    return replace(best, columns=full.columns)


def _shares(room: TextLine) -> Iterator[float]:
    share, least = 1.0, room.narrowest * (room.smallest or room.size) / room.size
    while share > least * _STEP:
        yield share
        share *= _STEP


def _sized(place: Place, share: float, sheet: InkSheet, texts: tuple[str, ...]) -> LineType:
    """Return how a line is set that is condensed and shrunk to a share of its natural width, as `fit_line` does it."""
    assert isinstance(place.room, TextLine)
    room = place.room
    stretch = max(share, room.narrowest)
    size = room.size * share / stretch
    half = min(room.width, 57.0) / 2 + 0.6
    columns = max(round((room.x - half) * sheet.scale), 0), round((room.x + half) * sheet.scale)
    return LineType(
        baseline=room.baseline - (room.size - size) * CAP_HEIGHT / 2,
        size=size,
        faces=(place.face,),
        columns=columns,
        stretch=stretch,
        texts=texts,
    )


def _misfit(words: Iterable[Word]) -> float:
    pieces = [piece for word in words for piece in word]
    return float(np.mean([misfit(piece) for piece in pieces])) if pieces else np.inf


def misfit(piece: Piece) -> float:
    """Return the share of the ink of a piece that its best reading leaves."""
    readings = piece.found.readings
    return readings[0].cost / float(np.square(piece.ink.coverage).sum()) if readings else 1.0


# --- the Edition Indicator -------------------------------------------------------------------------------------------

_EDITION = re.compile(r"(\d{1,3})(?:st|nd|rd|th) Edition")


def edition(sheet: InkSheet, place: Place) -> tuple[int | None, float]:
    """Return the edition that the indicator names, None if there is no indicator, and how sure that is."""
    assert isinstance(place.room, TextLine)
    narrow = replace(place, room=place.room._replace(width=24.0))
    said = joined(read_line(sheet, _sized(narrow, 1.0, sheet, _INDICATOR)), _MISFIT_OF_DIGITS)
    if not said.text:
        return None, 1.0
    match = _EDITION.fullmatch(said.text)
    if match is None or indicator(int(match[1])) != said.text:
        return None, 0.0
    return int(match[1]), said.sure


# --- numbers ---------------------------------------------------------------------------------------------------------


def number(sheet: InkSheet, place: Place, reach: float) -> tuple[int | None, float]:
    """Return the number whose middle is at a place, None if there is none, and how sure that is.

    `reach` mm to both sides belong to it.
    """
    assert isinstance(place.room, TextLine)
    tried = [words for line in _number_lines(sheet, place, reach) if (words := read_line(sheet, line))]
    if not tried:
        return None, 1.0
    said = joined(min(tried, key=_misfit), _MISFIT_OF_DIGITS)
    text = said.text.replace(" ", "")
    return (int(text), said.sure) if text.isdecimal() and len(text) <= _MAX_DIGITS else (None, 0.0)


def _number_lines(sheet: InkSheet, place: Place, reach: float) -> Iterator[LineType]:
    """Yield how numbers of one digit, two and so on are set; the makers' own are never condensed."""
    assert isinstance(place.room, TextLine)
    room, style = place.room, TextStyle(place.face, _BLACK)
    columns = round((room.x - reach) * sheet.scale), round((room.x + reach) * sheet.scale)
    yield LineType(baseline=room.baseline, size=room.size, faces=(place.face,), columns=columns, texts=DIGITS)
    for digits in range(1, _MAX_DIGITS + 1):
        fitted = fit_line((("0" * digits, style),), room)
        if isinstance(fitted, FittedLine) and fitted.setting.stretch < 1:
            yield LineType(
                baseline=fitted.setting.baseline,
                size=fitted.setting.size,
                faces=(place.face,),
                columns=columns,
                stretch=fitted.setting.stretch,
                texts=DIGITS,
            )
