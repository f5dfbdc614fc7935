"""Places in texts as the language server protocol counts them: lines from 0, and in them units of UTF-16."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from render.base.findings import Span
from render.source.nodes import BOM, line_starts


class Spot(NamedTuple):
    """A place between two characters: the line from 0, and the units of UTF-16 before it."""

    line: int
    character: int


class Stretch(NamedTuple):
    """A piece of a text, from a spot to before another."""

    start: Spot
    end: Spot

    def meets(self, other: Stretch) -> bool:
        """Return whether the two share a character, or touch."""
        return self.start <= other.end and other.start <= self.end


class LineMap:
    """A text by its lines. Each offset has a spot; a spot behind a line or the text means its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = line_starts(text)
        self._asked = (0, 0)  # the offset that was asked for last, and the units before it in its line

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> str:
        """Return a line, counted from 0, without its end; "" if there is none."""
        if not 0 <= number < len(self._starts):
            return ""
        return self.text[self._starts[number] : self._next(number)].rstrip("\r\n")

    def offset(self, spot: Spot) -> int:
        """Return the offset of a spot."""
        if spot.line >= len(self._starts):
            return len(self.text)
        return self._starts[max(spot.line, 0)] + _characters(self.line(max(spot.line, 0)), spot.character)

    def spot(self, offset: int) -> Spot:
        """Return the spot of an offset."""
        line = bisect_right(self._starts, offset) - 1
        # Places are asked for one after another: of a line of 200 kB, each would count all characters before it again.
        asked, units = self._asked
        if not self._starts[line] <= asked <= offset:
            asked, units = self._starts[line], 0
        units += _units(self.text[asked:offset])
        self._asked = offset, units
        return Spot(line, units)

    def stretch(self, start: int, end: int) -> Stretch:
        """Return the stretch of a range of offsets."""
        return Stretch(self.spot(start), self.spot(end))

    def of_span(self, span: Span) -> Stretch:
        """Return the stretch of a place of this text; one that is not in it means the nearest that is."""
        return Stretch(self._of(span.line, span.column), self._of(span.end_line, span.end_column))

    def _of(self, line: int, column: int) -> Spot:
        if line > len(self._starts):
            return self.spot(len(self.text))
        words = self.line(line - 1)
        mark = line == 1 and words.startswith(BOM)  # which is no column of a span
        return Spot(line - 1, _units(words[: column - 1 + mark]))

    def _next(self, number: int) -> int:
        return self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(line: str, units: int) -> int:
    """Return how many characters of a line have so many units; one that is cut in two does not count."""
    if line.isascii():
        return max(0, min(units, len(line)))
    taken = 0
    for number, char in enumerate(line):
        taken += 2 if ord(char) > 0xFFFF else 1
        if taken > units:
            return number
    return len(line)
