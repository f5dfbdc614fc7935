"""Single values of YAML: where each of their characters stands in the file, how one is written, what numbers are meant.

A value and its source differ: quotes are doubled, escapes spelled out, lines folded, indentation removed. The source of
a scalar is read again, by the rules of its style (YAML 1.1, chapters 8 and 9, as libyaml applies them), and every
character of the value gets the range it came from. Nothing is searched for, so a word that occurs twice is never
mistaken for the other.
"""

from __future__ import annotations

import enum
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct

from render.base.patterns import regex


class ScalarStyle(enum.Enum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "single"
    DOUBLE = "double"
    LITERAL = "literal"
    FOLDED = "folded"


Range = tuple[int, int]
"""Start and end of a stretch of the file's text; the end lies behind its last character."""


class _Letter(Struct, frozen=True):
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
    ScalarStyle.PLAIN: regex(rf"{_FOLD}|.", re.DOTALL),
    ScalarStyle.SINGLE: regex(rf"{_FOLD}|(?P<quote>'')|.", re.DOTALL),
    ScalarStyle.DOUBLE: regex(
        rf"{_FOLD}|(?P<join>\\{_BREAK}[ \t]*(?:{_BREAK}[ \t]*)*)"
        r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.))|.",
        re.DOTALL,
    ),
}
_LINE_BREAK = regex(_BREAK)

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

_LINE = regex(rf"(?P<words>[^\r\n]*)(?P<end>{_BREAK}|$)")


class _Line(Struct, frozen=True):
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


# --- how a value is written -------------------------------------------------------------------------------------------


# What YAML takes as it is in block style: it begins with a letter or digit, and nothing in it ends it.
_PLAIN = regex(r"[^\W_](?:[^\n\t]*[^\s:])?|-[0-9]+(?:\.[0-9]+)?")
_NOT_PLAIN = regex(r":\s|\s#|\s\s")
_ENDS_IN_BRACES = regex(r"[,\[\]{}]")


def write_scalar(value: str) -> str:
    """Return a value in one line for a file without braces: as it is if YAML takes it so, else in quotes."""
    if _PLAIN.fullmatch(value) and not _NOT_PLAIN.search(value):
        return value
    return json.dumps(value, ensure_ascii=False)


# What other readers of YAML take for something else than words (YAML 1.1 and 1.2): truth, nothing, numbers, dates.
_NO_WORDS = regex(
    r"true|false|yes|no|on|off|y|n|null|0x[0-9a-f_]+|0o[0-7_]+|[-+]?[0-9][0-9_,.:e+-]*(?:t.*|\s.*[0-9:]{5}.*)?",
    re.IGNORECASE,
)
# Characters that stand for themselves in no YAML, or that a reader takes for the end of a line (YAML 1.2, 5.1 and 5.4).
_HIDDEN = regex("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write_words(value: str) -> str:
    """Return words in one line as `write_scalar` does, and in quotes what any reader of YAML takes otherwise."""
    if not _HIDDEN.search(value) and not _NO_WORDS.fullmatch(value):
        return write_scalar(value)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def write_anywhere(value: str) -> str:
    """Return a value in one line that may stand in braces and brackets, too; "" for ""."""
    if not value or not _ENDS_IN_BRACES.search(value):
        return value and write_scalar(value)
    return json.dumps(value, ensure_ascii=False)


def escape_within(words: str, style: ScalarStyle) -> str:
    """Return words as they stand within a value of that style; in a style without quotes, as they are."""
    match style:
        case ScalarStyle.SINGLE:
            return words.replace("'", "''")
        case ScalarStyle.DOUBLE:
            return words.replace("\\", "\\\\").replace('"', '\\"')
    return words


def write_within(words: str, style: ScalarStyle) -> str:
    """Return words as they stand within a value of that style; "" if they could end it."""
    ends = _NOT_PLAIN.search(f"{words} ") or _ENDS_IN_BRACES.search(words) or words.startswith("#")
    if "\n" in words or (ends and style is ScalarStyle.PLAIN):
        return ""
    return escape_within(words, style)


# --- numbers in words, or with more than digits: `four`, `17th`, `“3”` ---------------------------------------------------


_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12, "twentieth": 20}
_NOTHING = dict.fromkeys(("o", "none", "nothing", "no"), 0)  # the letter O, too
_ROMAN = {
    word: number for number, word in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"), 1)
}  # not x: it stands for any number
_NUMBERS = {word: number for number, word in enumerate(_WORDS)} | _ORDINALS | _NOTHING | _ROMAN
# One number of up to four digits, with words or signs around it; no minus and no fraction, which mean another number.
_ONE_NUMBER = regex(r"[^0-9.,/-]*(?P<digits>[0-9]{1,4})(?:\.0*)?[^0-9.,/-]*")


def meant_number(written: str) -> int | None:
    """Return the whole number that somebody means; None if that is not clear."""
    word = written.strip().rstrip(",;").lower()
    for each in (word, word.removesuffix("th")):  # seventeenth
        if each in _NUMBERS:
            return _NUMBERS[each]
    match = _ONE_NUMBER.fullmatch(word)
    return int(match["digits"]) if match else None


def as_number(value: str) -> str | int:
    """Return a value as a number if it is a whole one."""
    return int(value) if re.fullmatch("[0-9]{1,9}", value) and write_scalar(value) == str(int(value)) else value
