"""Where in a file somebody types, by its lines alone: half a key is no YAML, but completions are wanted just there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_DASHES = re.compile(r"[ ]*(?:-(?:[ ]+|$))*")
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w.\-/ ]+?)(?P=quote)[ \t]*:(?:[ \t]+(?P<value>.*))?$""")
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?")
_MAX_LINES = 2000  # above and below: more lines of one card nobody reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """A place in a file.

    `path` are the keys around it, the outermost first; with `in_value`, the last one is that whose value is written.
    `values` are the values in one line of the mapping that it is in, by their keys. `typed` is what stands between the
    start of the key or value and the place, and begins at the character `start` of the line. `in_list` says that an
    item of a list is written, as the last part of the path's value. `quote` is the quote that the value began with.
    """

    path: tuple[str, ...]
    typed: str
    start: int
    in_value: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    in_list: bool = False
    quote: str = ""
    block: bool = False


def cursor_at(lines: Sequence[str], line: int, column: int) -> Cursor:
    """Return where in lines the character `column` of a line is, both from 0."""
    if not 0 <= line < len(lines):
        lines, line = [*lines, ""], len(lines)
    text = lines[line][:column]
    text = text.removeprefix("\ufeff") if line == 0 else text
    return _in_long_value(lines, line, text) or _on_line(lines, line, text)


def _on_line(lines: Sequence[str], line: int, text: str) -> Cursor:
    """Return the place at the end of `text`, with which the line begins: in a key, a value or an item of a list."""
    column, is_item = _indent(text)
    path, values = _path(lines, line, column, is_item=is_item), dict(_siblings(lines, line, column))
    in_list, words = is_item and bool(path), text[column:]
    pair = _KEY.match(words)
    if opened := _open_brackets(words):
        keys, bracket, begin = opened
        path, in_list = (*path, *keys), bracket == "["
        *before, words = words[begin:].split(",")
        words = words.lstrip()
        pair = None if in_list else _KEY.match(words)
        if not in_list:  # the braces may be those of a whole card: what is in them are the card's values
            pairs = filter(None, (_KEY.match(each.strip()) for each in before))
            values = {each["key"]: _plain(each["value"]) for each in pairs}
    if pair:
        value = pair["value"] or ""
        quote = _quote(value)
        typed, path = value[len(quote) :], (*path, pair["key"])
        return Cursor(path=path, typed=typed, start=len(text) - len(typed), in_value=True, values=values, quote=quote)
    typed = words.lstrip("\"'")
    return Cursor(path=path, typed=typed, start=len(text) - len(typed), values=values, in_list=in_list)


def _open_brackets(words: str) -> tuple[list[str], str, int] | None:
    """Return the keys before the brackets that are open at the end, the last of these, and where it ends."""
    opened: list[tuple[str, int, str]] = []
    quote, begin = "", 0
    for number, char in enumerate(words):
        is_first = not words[begin:number].strip()
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (is_first or words[:number].rstrip()[-1:] in ":,{["):
            quote = char
        elif char in "{[" and (is_first or words[:number].rstrip().endswith(":")):
            key = _KEY.match(words[begin:number].strip())
            begin = number + 1
            opened.append((char, begin, key["key"] if key else ""))
        elif char in "]}" and opened:
            opened.pop()
        elif char == "," and opened:
            begin = number + 1
    return ([key for _, _, key in opened if key], opened[-1][0], opened[-1][1]) if opened else None


def _in_long_value(lines: Sequence[str], line: int, text: str) -> Cursor | None:
    """Return the place within a value of several lines, that begins in a line above; None if it is in none."""
    indent = len(text) - len(text.lstrip(" ")) if text.strip() else len(text)
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        depth = len(lines[above]) - len(lines[above].lstrip(" "))
        if depth >= indent or not lines[above].strip():
            continue
        column, is_item = _indent(lines[above])
        pair = _KEY.match(lines[above][column:])
        if pair is None:
            indent = depth  # a line of the same long value, perhaps
            continue
        value = (pair["value"] or "").strip()
        quote = _quote(value)
        is_open = quote and column < indent and not re.search(rf"(?<!\\){quote}\s*(?:#.*)?$", value[1:])
        if not is_open and not _BLOCK.fullmatch(value):
            return None
        typed = text.lstrip(" ")
        return Cursor(
            path=(*_path(lines, above, column, is_item=is_item), pair["key"]),
            typed=typed,
            start=len(text) - len(typed),
            in_value=True,
            values=dict(_siblings(lines, above, column)),
            quote=quote,
            block=not quote,
        )
    return None


# --- the lines around it --------------------------------------------------------------------------------------------


def _path(lines: Sequence[str], line: int, column: int, *, is_item: bool) -> tuple[str, ...]:
    """Return the keys around a line whose words begin in a column, the outermost first."""
    path: tuple[str, ...] = ()
    least = lines[line].find("-") if is_item else column
    same_allowed = is_item  # a list may begin in the column of its key
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        words = lines[above]
        begin, has_dash = _indent(words)
        if not words[begin:].strip() or words[begin:].startswith("#"):
            continue
        first = words.find("-") if has_dash else begin
        is_parent = begin < least or (same_allowed and begin == least and not has_dash)
        pair = _KEY.match(words[begin:]) if is_parent else None
        if pair and not (pair["value"] or "").split("#")[0].strip():
            path = (pair["key"], *path)
            least, same_allowed = first, has_dash
        elif has_dash and first < least:
            least, same_allowed = first, True
        if least == 0 and not same_allowed:
            break
    return path


def _siblings(lines: Sequence[str], line: int, column: int) -> Iterator[tuple[str, str]]:
    """Yield the keys and values in one line of the mapping whose keys stand in a column, around a line."""
    for numbers in (range(line, -1, -1)[:_MAX_LINES], range(line + 1, len(lines))[:_MAX_LINES]):
        for number in numbers:
            begin, has_dash = _indent(lines[number])
            words = lines[number][begin:]
            if not words.strip():
                continue
            if begin < column or (number > line and has_dash and begin == column):
                break
            if begin == column and number != line and (pair := _KEY.match(words)):
                yield pair["key"], _plain(pair["value"])
            if begin == column and has_dash and number <= line:
                break


def _indent(line: str) -> tuple[int, bool]:
    """Return where the words of a line begin, and whether behind the dash of a list."""
    dashes = _DASHES.match(line)
    begin = dashes.end() if dashes else 0
    return begin, "-" in line[:begin]


def _quote(value: str) -> str:
    return value[:1] if value[:1] in ("'", '"') else ""


def _plain(value: str | None) -> str:
    """Return a value in one line without its quotes and its comment."""
    value = (value or "").strip()
    if quote := _quote(value):
        return value[1:].partition(quote)[0]
    return re.split(r"\s#", value)[0].rstrip(" ,}]")
