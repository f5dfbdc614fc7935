"""Type 1 programs (Adobe Type 1 Font Format): names of glyphs, their widths, and the font's own encoding."""

from __future__ import annotations

import re

from render.text.programs.glyph_names import STANDARD
from render.text.programs.program import Program, UnreadableFont

# `/name length RD bytes`: the operator that reads the bytes is called `RD` or `-|` by custom.
_GLYPH = re.compile(rb"/([^\s/{}\[\]()<>]+)\s+(\d{1,5})\s+(?:RD|-\||\S{1,4})\s")
_CODE = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/{}\[\]()<>]+)\s+put")
_LARGEST = 4 << 20  # bytes: decryption goes byte by byte, and no Latin font is as large
_EEXEC, _CHARSTRING = 55665, 4330  # keys of decryption (7.2 and 7.3)


def read(data: bytes) -> Program:
    """Return the program; UnreadableFont if it is none. Its clear part ends with `eexec`."""
    data = _without_headers(data)
    start = data.find(b"eexec")
    if start < 0 or len(data) > _LARGEST:
        raise UnreadableFont("it is no Type 1 font")
    clear, hidden = data[:start], data[start + 5 :].lstrip(b" \t\r\n")
    # The encrypted part may be written in hexadecimal digits; a binary one never begins with four of them (7.2).
    if re.fullmatch(rb"[0-9A-Fa-f\s]{8}", hidden[:8]):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", hidden)
        hidden = bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    private = _decrypted(hidden, _EEXEC)[4:]  # four random bytes come first
    found = re.search(rb"/lenIV\s+(-?\d{1,3})", private)
    # LenIV: random bytes before each charstring, 4 unless given, none encrypted if negative.
    skipped = int(found[1]) if found else 4
    glyphs = _glyphs(private)
    if not glyphs:
        raise UnreadableFont("it has no glyphs")
    matrix = re.search(rb"/FontMatrix\s*\[\s*([0-9.eE+-]+)", clear)
    scale = _number(matrix[1]) * 1000 if matrix else 1.0
    # Glyphs have no numbers here: their order is that of CharStrings behind .notdef.
    order = [".notdef", *(name for name in glyphs if name != ".notdef")]

    def width(glyph: int) -> float | None:
        code = glyphs.get(order[glyph]) if 0 <= glyph < len(order) else None
        made = None if code is None else _width(code if skipped < 0 else _decrypted(code, _CHARSTRING)[skipped:])
        return None if made is None else made * (scale or 1.0)

    names = {name: k for k, name in enumerate(order) if name in glyphs}
    own = {int(code): name.decode("latin-1") for code, name in _CODE.findall(clear)}
    is_standard = re.search(rb"/Encoding\s+StandardEncoding", clear) is not None
    return Program(count=len(order), width=width, names=names, codes=dict(STANDARD) if is_standard else own)


def _number(digits: bytes) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.001


def _without_headers(data: bytes) -> bytes:
    """Return the font without the segment headers of a PFB file: 0x80, type 1 (text) or 2 (binary), length."""
    made, at = b"", 0
    while data[at : at + 1] == b"\x80" and data[at + 1 : at + 2] in (b"\1", b"\2"):
        length = int.from_bytes(data[at + 2 : at + 6], "little")
        made += data[at + 6 : at + 6 + length]
        at += 6 + length
    return made or data


def _decrypted(data: bytes, key: int) -> bytes:
    made = bytearray(len(data))
    for at, byte in enumerate(data):
        made[at] = byte ^ key >> 8
        key = (byte + key) * 52845 + 22719 & 0xFFFF  # the constants of 7.1
    return bytes(made)


def _glyphs(private: bytes) -> dict[str, bytes]:
    start = private.find(b"/CharStrings")
    found: dict[str, bytes] = {}
    at = start + 12
    while start >= 0 and (match := _GLYPH.search(private, at)) is not None:
        length = int(match[2])
        found.setdefault(match[1].decode("latin-1"), private[match.end() : match.end() + length])
        at = match.end() + length
    return found


def _width(code: bytes) -> float | None:
    """Return the width that `hsbw` or `sbw` gives at the start of a charstring (6.4)."""
    stack: list[float] = []
    at = 0
    while at < len(code):
        first = code[at]
        at += 1
        if first >= 32:
            # Numbers are packed by their first byte (6.2).
            if first <= 246:
                stack.append(first - 139)
            elif first == 255:
                stack.append(int.from_bytes(code[at : at + 4], signed=True))
                at += 4
            else:
                more = code[at] if at < len(code) else 0
                stack.append((first - 247) * 256 + more + 108 if first <= 250 else -(first - 251) * 256 - more - 108)
                at += 1
        elif first == 13 and len(stack) >= 2:  # hsbw: side bearing, width
            return stack[1]
        # Sbw: two side bearings, width and height.
        elif first == 12 and code[at : at + 1] == b"\x07" and len(stack) >= 4:
            return stack[2]
        # Div, by which widths become fractions.
        elif first == 12 and code[at : at + 1] == b"\x0c" and len(stack) >= 2 and stack[-1]:
            divisor = stack.pop()
            stack.append(stack.pop() / divisor)
            at += 1
        else:
            return None
    return None
