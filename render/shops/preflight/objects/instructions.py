"""The content stream of a page, form, pattern or glyph as instructions: operators with operands as plain values."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Union

from render.shops.preflight.objects.reading import MAX_DEPTH, Effort

# Tokens by ISO 32000-1, 7.2 and 7.3; the possessive first line skips white space and comments without backtracking.
_TOKEN = re.compile(
    rb"""
    (?:[\x00\t\n\x0c\r ]+ | %[^\r\n]*)*+
  (?: (?P<number>   [+-]*(?:\d+\.?\d*|\.\d+)-?\d*)
  | (?P<name>     /[^\x00\t\n\x0c\r ()<>\[\]{}/%]*)
  | (?P<open>     \[|<<)
  | (?P<close>    \]|>>)
  | (?P<hex>      <[^<>]*>)
  | (?P<string>   \()
  | (?P<operator> [^\x00\t\n\x0c\r ()<>\[\]{}/%]+)
  | (?P<end>      \Z)
  )
    """,
    re.VERBOSE,
)
_INSIDE = re.compile(rb"[()\\]")
_ESCAPED = re.compile(rb"\\(\r\n|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_MAX_DISTANCE = 1e12  # nothing shows beyond it, and sums of squares would overflow
_MAX_OPERANDS = 1000  # far more than any operator takes; those inside arrays do not count


class Named(str):
    """A name, without its slash."""

    __slots__ = ()


Value = Union[float, bytes, Named, list["Value"], dict[str, "Value"], bool, None, "Inline"]


@dataclass(frozen=True, slots=True)
class Inline:
    """An inline picture: its entries by their short names, and its packed data."""

    entries: dict[str, Value]
    data: bytes


class Damaged(ValueError):
    """A content stream holds something that is no instruction."""


def read_instructions(content: bytes, effort: Effort) -> Iterator[tuple[str, list[Value]]]:
    """Yield the operators of a content stream with their operands; Damaged at anything else.

    An inline picture is one instruction, `BI`, whose operand is an `Inline`.
    """
    reader = _Reader(content)
    operands: list[Value] = []
    while (token := reader.token()) is not None:
        kind, written = token
        if kind != "operator" or written in _WORDS:
            operands.append(reader.value(kind, written, 0))
            if len(operands) > _MAX_OPERANDS:
                raise Damaged("there are operands without an operator")
            continue
        effort.step(1 + len(operands) // 8)
        name = written.decode("latin-1")
        yield (name, [reader.inline()]) if name == "BI" else (name, operands)
        operands = []
    if operands:
        raise Damaged("it ends within an instruction")


_WORDS: dict[bytes, Value] = {b"true": True, b"false": False, b"null": None}


def floats(operands: Sequence[Value], count: int | None) -> tuple[float, ...]:
    """Return operands as numbers; Damaged if they are not, or not that many."""
    found = [each for each in operands if isinstance(each, float)]
    if len(found) != len(operands) or (count is not None and len(found) != count):
        raise Damaged("an operator has other operands than it takes")
    if found and (max(found) > _MAX_DISTANCE or min(found) < -_MAX_DISTANCE):
        found = [min(max(each, -_MAX_DISTANCE), _MAX_DISTANCE) for each in found]
    return tuple(found)


class _Reader:
    """A place in a content stream."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def token(self) -> tuple[str, bytes] | None:
        """Return the next token and its kind, skipping white space; None at the end."""
        match = _TOKEN.match(self._content, self._at)
        if match is None:
            raise Damaged("there are signs that belong to no instruction")
        self._at = match.end()
        kind = match.lastgroup or "end"
        return None if kind == "end" else (kind, match[kind])

    def value(self, kind: str, written: bytes, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise Damaged("its values are nested too deep")
        match kind:
            case "number":
                return _number(written)
            case "name":
                # #xx stands for a byte of a name (7.3.5).
                return Named(re.sub(rb"#([0-9A-Fa-f]{2})", _unescaped, written[1:]).decode("latin-1"))
            case "hex":
                return _from_hex(written)
            case "string":
                return self._string()
            case "open":
                return self._array(depth) if written == b"[" else self._dictionary(depth)
        if kind == "operator" and written in _WORDS:
            return _WORDS[written]
        raise Damaged("there are signs that belong to no instruction")

    def inline(self) -> Inline:
        """Return the picture behind `BI`; its data end at an `EI` behind which instructions continue."""
        read: list[Value] = []
        while (token := self.token()) is not None and token != ("operator", b"ID"):
            read.append(self.value(*token, 1))
        entries = {str(key): value for key, value in zip(read[::2], read[1::2], strict=False)}
        start = self._at + 1  # one white-space character follows `ID`
        end = _end_of_inline(self._content, start, entries)
        self._at = end + 2
        return Inline(entries, self._content[start:end].rstrip(b"\r\n "))

    def _array(self, depth: int) -> Value:
        values: list[Value] = []
        while (token := self.token()) is not None:
            if token == ("close", b"]"):
                return values
            values.append(self.value(*token, depth + 1))
        raise Damaged("a list has no end")

    def _dictionary(self, depth: int) -> Value:
        values: list[Value] = []
        while (token := self.token()) is not None:
            if token == ("close", b">>"):
                return {str(key): value for key, value in zip(values[::2], values[1::2], strict=False)}
            values.append(self.value(*token, depth + 1))
        raise Damaged("a dictionary has no end")

    def _string(self) -> bytes:
        depth, start = 1, self._at
        # A string may hold balanced parentheses (7.3.4.2).
        while (match := _INSIDE.search(self._content, self._at)) is not None:
            self._at = match.end()
            if match[0] == b"\\":
                self._at += 1
                continue
            depth += 1 if match[0] == b"(" else -1
            if depth == 0:
                return _ESCAPED.sub(_character, self._content[start : match.start()])
        raise Damaged("a string has no end")


def _number(written: bytes) -> float:
    try:
        return float(written)
    except ValueError:  # numbers as some programs write them: --5, 5.3-2
        digits = re.match(rb"-*\+?(\d*\.?\d*)", written)
        return float(digits[1]) if digits and digits[1] not in (b"", b".") else 0.0


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)])


def _from_hex(written: bytes) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", written)
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))  # a missing last digit is 0 (7.3.4.3)


def _character(match: re.Match[bytes]) -> bytes:
    written = match[1]
    if written[:1].isdigit() and written[:1] < b"8":
        return bytes([int(written, 8) & 255])  # octal; overflow is ignored (table 3)
    return _ESCAPES.get(written, written)


def _end_of_inline(content: bytes, start: int, entries: dict[str, Value]) -> int:
    """Return where the `EI` behind the data of an inline picture stands."""
    packing = entries.get("F", entries.get("Filter"))
    first = packing[0] if isinstance(packing, list) and packing else packing
    at = start
    if first in ("Fl", "FlateDecode"):  # the end of Flate data is known; only other data must be searched
        unpacking = zlib.decompressobj()
        try:
            unpacking.decompress(content[start:], 1 << 22)
            at = len(content) - len(unpacking.unused_data) if unpacking.eof else start
        except zlib.error:
            at = start
    for match in re.compile(rb"(?<=[\x00\t\n\x0c\r ])EI(?=[\x00\t\n\x0c\r /\[<]|$)").finditer(content, max(at - 1, 0)):
        ahead = content[match.end() : match.end() + 12]
        # Binary data may hold `EI` as well: text must follow the real one.
        if all(byte < 128 and (byte >= 32 or byte in b"\t\n\r\x0c\x00") for byte in ahead):
            return match.start()
    raise Damaged("an inline picture has no end")
