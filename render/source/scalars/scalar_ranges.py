"""Where each character of a YAML value stands in the file.

A value and its source differ: quotes are doubled, escapes spelled out, lines folded, indentation removed. This module
reads the source of a scalar again, by the rules of its style (YAML 1.1, chapters 8 and 9, as libyaml applies them), and
gives every character of the value the range it came from. Nothing is searched for, so a word that occurs twice is never
mistaken for the other.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


class ScalarStyle(enum.Enum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "single"
    DOUBLE = "double"
    LITERAL = "literal"
    FOLDED = "folded"


Range = tuple[int, int]
"""Start and end of a stretch of the file's text; the end lies behind its last character."""


@dataclass(frozen=True, slots=True)
class _Letter:
    """A character of a value, and the range of the file that it came from."""

    char: str
    start: int
    end: int


def ranges(text: str, extent: Range, style: ScalarStyle, value: str) -> list[Range]:
    """Return the range of `text` that each character of `value` came from.

    `extent` is the range of the scalar, with its quotes or its block header. A character that stands for several of the
    source (an escape, a folded line break, a composed accent) has the range of all of them.
    """
    if style in (ScalarStyle.LITERAL, ScalarStyle.FOLDED):
        letters = _block(text, extent, style, value)
    else:
        letters = list(_flow(text, extent, style))
    if "".join(letter.char for letter in letters) != value:  # the value is in NFC, the source was not
        letters = list(_composed(letters))
    return [(letter.start, letter.end) for letter in letters]


# --- plain and quoted scalars ---------------------------------------------------------------------------------------

_BREAK = r"(?:\r\n|\r|\n)"
_FOLD = rf"(?P<fold>[ \t]*(?:{_BREAK}[ \t]*)+)"
_FLOW = {
    ScalarStyle.PLAIN: re.compile(rf"{_FOLD}|.", re.DOTALL),
    ScalarStyle.SINGLE: re.compile(rf"{_FOLD}|(?P<quote>'')|.", re.DOTALL),
    ScalarStyle.DOUBLE: re.compile(
        rf"{_FOLD}|(?P<join>\\{_BREAK}[ \t]*(?:{_BREAK}[ \t]*)*)"
        r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.))|.",
        re.DOTALL,
    ),
}
_LINE_BREAK = re.compile(_BREAK)

# YAML 1.1, 5.6: escapes of one letter; any other character, such as `\"`, stands for itself.
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


def _flow(text: str, extent: Range, style: ScalarStyle) -> Iterator[_Letter]:
    start, end = extent if style is ScalarStyle.PLAIN else (extent[0] + 1, extent[1] - 1)  # without the quotes
    for match in _FLOW[style].finditer(text, start, end):
        match match.lastgroup:
            case "fold":
                yield from _folded(match)
            case "join":
                yield from _newlines(text, match, skipped=1)
            case "escape":
                yield _Letter(_unescaped(match[0][1:]), *match.span())
            case "quote":
                yield _Letter("'", *match.span())
            case _:
                yield _Letter(match[0], *match.span())


def _folded(match: re.Match[str]) -> Iterator[_Letter]:
    """Yield the space that one line break becomes; of several breaks, all but the first remain."""
    if len(_LINE_BREAK.findall(match[0])) == 1:
        yield _Letter(" ", *match.span())
    else:
        yield from _newlines(match.string, match, skipped=1)


def _newlines(text: str, match: re.Match[str], skipped: int) -> Iterator[_Letter]:
    for found in list(_LINE_BREAK.finditer(text, *match.span()))[skipped:]:
        yield _Letter("\n", *found.span())


def _unescaped(code: str) -> str:
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, code)


# --- block scalars --------------------------------------------------------------------------------------------------

_LINE = re.compile(rf"(?P<words>[^\r\n]*)(?P<end>{_BREAK}|$)")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a block without its indentation: where its words start and end, and where its line break ends."""

    start: int
    end: int
    next: int


def _block(text: str, extent: Range, style: ScalarStyle, value: str) -> list[_Letter]:
    letters: list[_Letter] = []
    breaks: list[_Letter] = []
    after_words = False  # the last line with words began with a word: folding joins only such lines, not indented ones
    for line in _lines(text, extent, value):
        if line.start < line.end:
            words = text[line.start] not in " \t"
            letters += _join(breaks, line.start) if style is ScalarStyle.FOLDED and after_words and words else breaks
            letters += (_Letter(text[at], at, at + 1) for at in range(line.start, line.end))
            breaks, after_words = [], words
        if line.end < line.next:
            breaks.append(_Letter("\n", line.end, line.next))
    # The header's `-` or `+` says how many line ends stay; the value shows it.
    kept = len(value) - len(value.rstrip("\n"))
    return letters + breaks[:kept]


def _join(breaks: list[_Letter], next_word: int) -> list[_Letter]:
    """Return what folding leaves of the breaks between two lines: a space for one break, else one break less."""
    if len(breaks) == 1:
        return [_Letter(" ", breaks[0].start, next_word)]
    return breaks[1:]


def _lines(text: str, extent: Range, value: str) -> Iterator[_Line]:
    header = _LINE.match(text, *extent)
    body = header.end() if header else extent[1]
    found = [match for match in _LINE.finditer(text, body, extent[1]) if match[0]]
    indent = _indent([match["words"] for match in found], value)
    for match in found:
        words = match["words"]
        spaces = min(indent, len(words) - len(words.lstrip(" ")))
        yield _Line(match.start() + spaces, match.end("words"), match.end())


def _indent(lines: Iterable[str], value: str) -> int:
    """Return how many spaces the value lost at the start of each line. The block header need not say it."""
    source, left = _first_indent(lines), _first_indent(value.split("\n"))
    return source - left


def _first_indent(lines: Iterable[str]) -> int:
    """Return the indentation of the first line with words; without one, the length of the longest line."""
    longest = 0
    for line in lines:
        words = line.lstrip(" ")
        if words:
            return len(line) - len(words)
        longest = max(longest, len(line))
    return longest


# --- normalized values ----------------------------------------------------------------------------------------------


def _composed(letters: list[_Letter]) -> Iterator[_Letter]:
    """Yield the letters of the value in NFC; a composed letter has the range of all its parts."""
    for group in _groups(letters):
        start, end = group[0].start, group[-1].end
        composed = _nfc("".join(letter.char for letter in group))
        if len(composed) == len(group):
            yield from (_Letter(char, letter.start, letter.end) for char, letter in zip(composed, group, strict=True))
        else:
            yield from (_Letter(char, start, end) for char in composed)


def _groups(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """Yield the letters in groups that normalize independently of each other."""
    group: list[_Letter] = []
    for letter in letters:
        if group and not _combines("".join(each.char for each in group), letter.char):
            yield group
            group = []
        group.append(letter)
    if group:
        yield group


def _combines(words: str, char: str) -> bool:
    return unicodedata.combining(char) > 0 or _nfc(words + char) != _nfc(words) + _nfc(char)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
