"""Compact font programs (CFF, Adobe Technical Note 5176): names or numbers of glyphs, and their widths."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from render.text.programs.glyph_names import STANDARD, STANDARD_STRINGS
from render.text.programs.program import CutFont, Program, UnreadableFont

_MAX_STEPS = 2000  # of a charstring, until its width is known: it stands before the first path
_MAX_DEPTH = 10  # of calls of subroutines (Technical Note 5177, appendix B)
# Operators of dictionaries (Technical Note 5176, tables 9, 10 and 23). One of two bytes, 12 and n, is 1200 + n.

_OFFSETS = (15, 16, 17, 18, 1236, 1237)  # charset, Encoding, CharStrings, Private, FDArray and FDSelect

Operators = dict[int, list[float]]


@dataclass(frozen=True, slots=True, eq=False)
class _Private:
    """The Private DICT: the default and the nominal width, in font units, and the local subroutines."""

    usual: float
    nominal: float
    subroutines: Sequence[bytes]


def read(data: bytes) -> Program:
    """Return the program; UnreadableFont if it is damaged or no CFF font, CutFont if its end is missing."""
    try:
        return _read(data)
    except UnreadableFont:
        raise
    except struct.error:
        raise CutFont("its end is missing") from None
    except (IndexError, KeyError, ValueError, OverflowError, ZeroDivisionError, RecursionError):
        raise UnreadableFont("it is damaged") from None


def _read(data: bytes) -> Program:
    if len(data) < 4 or data[0] != 1:  # the major version; later ones are CFF2, which has no names
        raise UnreadableFont("it is no CFF font")
    # Byte 2 of the header is its size; the Name INDEX comes next, which nobody needs here.
    _, at = _index(data, data[2])
    tops, at = _index(data, at)
    strings, at = _index(data, at)
    shared, _ = _index(data, at)
    top = _operators(tops[0])
    # Private has its size first: one of no bytes may lie at the end.
    if any(key in top and top[key] and top[key][0] and top[key][-1] >= len(data) for key in _OFFSETS):
        raise CutFont("its end is missing")
    glyphs, _ = _index(data, int(top[17][0]))  # CharStrings
    is_cid = 1230 in top  # ROS: a font of character collections (CID)
    charset = _charset(data, int(top.get(15, [0])[0]), len(glyphs))  # charset
    scale = _scale(top)
    if is_cid:
        fonts, _ = _index(data, int(top[1236][0]))  # FDArray: the fonts that a CID font consists of
        inner = [_operators(font) for font in fonts]
        privates = [_private(data, font) for font in inner]
        # The FontMatrix (12 7) is that of the whole font, or each inner font has its own.
        scales = [scale if 1207 in top else _scale(font) for font in inner]
        chosen = _selection(data, int(top[1237][0]), len(glyphs))  # FDSelect: which of them each glyph belongs to
        matrices = tuple(tuple(each[1207]) for each in (top, *inner) if 1207 in each)
    else:
        matrices = (tuple(top[1207]),) if 1207 in top else ()
        privates, scales, chosen = [_private(data, top)], [scale], bytes(len(glyphs))

    def width(glyph: int) -> float | None:
        if not 0 <= glyph < len(glyphs) or chosen[glyph] >= len(privates):
            return None
        private = privates[chosen[glyph]]
        try:
            found = _width(glyphs[glyph], private, shared)
        except (IndexError, ValueError, RecursionError):
            return None
        # Without a number the default width; else the difference from the nominal one.
        made = private.usual if found is None else private.nominal + found
        return made * scales[chosen[glyph]]

    if is_cid:
        return Program(
            count=len(glyphs),
            width=width,
            cids={number: glyph for glyph, number in enumerate(charset)},
            matrices=matrices,
        )
    # Reversed, so that of two glyphs with one name the first counts.
    names = {_name(number, strings): glyph for glyph, number in reversed(list(enumerate(charset)))}
    return Program(
        count=len(glyphs), width=width, names=names, codes=_codes(data, top, charset, strings), matrices=matrices
    )


def _scale(top: Mapping[int, list[float]]) -> float:
    """Return the factor from font units to thousandths of an em."""
    matrix = top.get(1207)
    return matrix[0] * 1000 if matrix and matrix[0] else 1.0  # the FontMatrix maps to 1 em; its default is 0.001


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    # An INDEX (section 5): the count, the size of an offset, count + 1 offsets, the data. Offsets count from the byte
    # before the data, so the first is 1.
    count = struct.unpack_from(">H", data, at)[0]
    if not count:
        return [], at + 2
    size = struct.unpack_from(">B", data, at + 2)[0]
    if not 1 <= size <= 4:
        raise UnreadableFont("it is damaged")
    if at + 3 + (count + 1) * size > len(data):
        raise CutFont("its end is missing")
    places = [int.from_bytes(data[at + 3 + k * size : at + 3 + (k + 1) * size]) for k in range(count + 1)]
    start = at + 2 + (count + 1) * size
    # Offsets that go back or beyond the file would read other things, or the same bytes many times.
    if places != sorted(places):
        raise UnreadableFont("it is damaged")
    if start + places[-1] > len(data):
        raise CutFont("its end is missing")
    return [data[start + a : start + b] for a, b in pairwise(places)], start + places[-1]


def _operators(data: bytes) -> Operators:
    """Return the operators of a DICT with their operands (section 4); one of two bytes is 1200 plus its second."""
    found: Operators = {}
    operands: list[float] = []
    at = 0
    while at < len(data):
        first = data[at]
        if first <= 21:  # bytes up to 21 are operators, all else are operands
            key = first
            if first == 12:
                at += 1
                key = 1200 + data[at]
            found[key] = operands
            operands = []
            at += 1
        elif first == 30:  # a real number of nibbles
            number, at = _real(data, at + 1)
            operands.append(number)
        else:
            whole, at = _whole(data, at)
            operands.append(whole)
    return found


# Whole numbers are packed by their first byte (section 4, table 3).
def _whole(data: bytes, at: int) -> tuple[float, int]:
    first = data[at]
    if first == 28:
        return struct.unpack_from(">h", data, at + 1)[0], at + 3
    if first == 29:
        return struct.unpack_from(">i", data, at + 1)[0], at + 5
    if 32 <= first <= 246:
        return first - 139, at + 1
    if 247 <= first <= 250:
        return (first - 247) * 256 + data[at + 1] + 108, at + 2
    if 251 <= first <= 254:
        return -(first - 251) * 256 - data[at + 1] - 108, at + 2
    return 0, at + 1  # reserved values count as 0


def _real(data: bytes, at: int) -> tuple[float, int]:
    # Nibbles (table 5): 0 to 9, a the point, b E, c E-, e minus, f the end; d is reserved.
    digits = ""
    while at < len(data):
        for nibble in (data[at] >> 4, data[at] & 15):
            if nibble == 15:
                return float(digits or 0), at + 1
            digits += "0123456789.EE -"[nibble] if nibble != 12 else "E-"
        at += 1
    raise UnreadableFont("it is damaged")


def _private(data: bytes, top: Mapping[int, list[float]]) -> _Private:
    size, offset = (int(each) for each in top.get(18, [0, 0]))  # Private: its size and offset
    if offset + size > len(data):
        raise CutFont("its end is missing")
    said = _operators(data[offset : offset + size])
    subroutines: Sequence[bytes] = []
    if 19 in said:
        subroutines, _ = _index(data, offset + int(said[19][0]))  # Subrs, counted from the start of the Private DICT
    usual, nominal = (said.get(key) or [0.0] for key in (20, 21))  # defaultWidthX, nominalWidthX
    return _Private(usual[0], nominal[0], subroutines)


def _charset(data: bytes, at: int, count: int) -> list[int]:
    """Return the string id of each glyph's name, or its character id in a CID font (section 13)."""
    # ISOAdobe, Expert and ExpertSubset are predefined; only the order of the first is the glyphs' own.
    if at in (0, 1, 2):
        return list(range(count))
    kind, made = data[at], [0]  # glyph 0 is .notdef and not listed
    at += 1
    while len(made) < count:
        first = struct.unpack_from(">H", data, at)[0]
        # Format 0 lists ids, 1 and 2 give ranges with a count of one or two bytes.
        more = 0 if kind == 0 else data[at + 2] if kind == 1 else struct.unpack_from(">H", data, at + 2)[0]
        at += 2 + (0, 1, 2)[kind]
        made.extend(range(first, first + more + 1))
    return made[:count]


def _selection(data: bytes, at: int, count: int) -> bytes:
    """Return the index of the inner font of each glyph of a CID font (FDSelect, section 19)."""
    if data[at] == 0:  # format 0: one byte for each glyph; else format 3: ranges, each ended by the start of the next
        return data[at + 1 : at + 1 + count]
    ranges = struct.unpack_from(">H", data, at + 1)[0]
    made = bytearray(count)
    for k in range(ranges):
        first, chosen, end = struct.unpack_from(">HBH", data, at + 3 + 3 * k)
        made[first : min(end, count)] = bytes([chosen]) * max(min(end, count) - first, 0)
    return bytes(made[:count])


def _name(number: int, strings: Sequence[bytes]) -> str:
    if number < len(STANDARD_STRINGS):
        return STANDARD_STRINGS[number]
    own = number - len(STANDARD_STRINGS)
    return strings[own].decode("latin-1") if own < len(strings) else ""


def _codes(
    data: bytes, top: Mapping[int, list[float]], charset: Sequence[int], strings: Sequence[bytes]
) -> dict[int, str]:
    """Return the names of glyphs by the font's own encoding (section 12)."""
    at = int(top.get(16, [0])[0])
    if at in (0, 1):  # predefined: Standard and Expert; nobody encodes card text by the second
        return dict(STANDARD) if at == 0 else {}
    kind, count = data[at] & 127, data[at + 1]  # the high bit announces supplements, which add second codes
    codes: list[int] = []
    if kind == 0:  # format 0 lists codes, format 1 gives ranges
        codes = list(data[at + 2 : at + 2 + count])
    else:
        for k in range(count):
            first, more = data[at + 2 + 2 * k], data[at + 3 + 2 * k]
            codes.extend(range(first, min(first + more, 255) + 1))
    # Codes begin with glyph 1, since .notdef has none.
    return {code: _name(charset[k + 1], strings) for k, code in enumerate(codes) if k + 1 < len(charset)}


# --- the width, which stands before the first operator of a charstring (Technical Note 5177, 3.1) -----------------

_STEMS = {1, 3, 18, 23}  # hstem, vstem, hstemhm, vstemhm: pairs of operands
_MASKS = {19, 20}  # hintmask, cntrmask: may end a list of pairs
_USUAL = {21: 2, 22: 1, 4: 1, 14: 0}  # operands of rmoveto, hmoveto, vmoveto and endchar


def _width(charstring: bytes, private: _Private, shared: Sequence[bytes]) -> float | None:
    """Return the number for the width in a charstring, a difference from the nominal width; None if it has none."""
    stack: list[float] = []
    steps = [0]

    def run(code: bytes, depth: int) -> tuple[bool, float | None]:
        at = 0
        while at < len(code):
            steps[0] += 1
            if steps[0] > _MAX_STEPS or depth > _MAX_DEPTH:
                raise ValueError
            first = code[at]
            if first >= 32 or first == 28:  # operands
                number, at = _operand(code, at)
                stack.append(number)
                continue
            at += 1
            if first in (10, 29):  # callsubr, callgsubr
                called = private.subroutines if first == 10 else shared
                done = run(called[int(stack.pop()) + _bias(called)], depth + 1)
                if done[0]:
                    return done
            elif first == 11:  # return
                return False, None
            elif first in _STEMS or first in _MASKS:
                return True, stack[0] if len(stack) % 2 else None  # one operand more than pairs is the width
            elif first in _USUAL:
                spare = len(stack) - _USUAL[first]
                # Endchar with four operands draws an accented letter (appendix C).
                is_given = spare == 1 or (first == 14 and len(stack) == 5)
                return True, stack[0] if is_given else None
            else:
                return True, None
        return True, None

    return run(charstring, 0)[1]


def _bias(subroutines: Sequence[bytes]) -> int:
    # Added to numbers of subroutines, so that small ones take one byte (Technical Note 5176, section 16).
    return 107 if len(subroutines) < 1240 else 1131 if len(subroutines) < 33900 else 32768


def _operand(code: bytes, at: int) -> tuple[float, int]:
    if code[at] == 255:  # a number of 16.16 bits; dictionaries have none
        return struct.unpack_from(">i", code.ljust(at + 5, b"\0"), at + 1)[0] / 65536, at + 5
    return _whole(code, at)
