"""The one way in which `kotc` writes a content stream, instruction by instruction. All else cannot be followed.

A stream sets everything that it needs: colors, lines and fonts before they are used, so that nothing before it can
change how it looks. White that overprints would, and a dash, a rise or a clip that continues into the next form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from render.verify.reading.content import Instruction, UnreadableContent
from render.verify.reading.pdf_reading import Resources

# How many numbers operators take (ISO 32000-1, annex A).
_NUMBERS = {
    **dict.fromkeys((b"w", b"J", b"j", b"M", b"g", b"G", b"Tz", b"Ts", b"Tr"), 1),
    **dict.fromkeys((b"m", b"l"), 2),
    **dict.fromkeys((b"rg", b"RG"), 3),
    **dict.fromkeys((b"k", b"K", b"re"), 4),
    **dict.fromkeys((b"cm", b"c", b"Tm"), 6),
}
# Operators without operands, and those whose operands are not just numbers.
_BARE = frozenset((b"q", b"Q", b"W", b"W*", b"n", b"h", b"f", b"f*", b"S", b"BT", b"ET", b"EMC"))
_OTHERS = frozenset((b"d", b"Do", b"gs", b"cs", b"CS", b"scn", b"SCN", b"Tf", b"TJ", b"BDC"))
_SEGMENTS = frozenset((b"m", b"l", b"c", b"h", b"re"))
# Inside BT and ET only these are written; the second set is written nowhere else.
_IN_TEXT = frozenset((b"g", b"rg", b"k", b"gs", b"Tf", b"Tz", b"Ts", b"Tr", b"Tm", b"TJ", b"BDC", b"EMC", b"ET"))
_TEXT_ALONE = frozenset((b"Tf", b"Tz", b"Ts", b"Tr", b"Tm", b"TJ", b"EMC", b"BDC"))

_NUMBER = re.compile(rb"[+-]?(?:\d{1,9}(?:\.\d{0,12})?|\.\d{1,12})")
# A TJ array: codes of four digits, with whole corrections between them.
_SHOWN = re.compile(rb"\[(?:<(?:[0-9A-F]{4})+>|-?\d{1,9}(?=[<\]]))*\]")
_GLYPH = re.compile(rb"\[<[0-9A-F]{4}>\]")
_SPAN = re.compile(rb"/Span << /ActualText <FEFF(?:[0-9A-F]{4})*> >>")
_DASHES = re.compile(rb"\[(?:\d{1,9}(?:\.\d{1,12})?(?: (?=\d)|(?=\])))*\]")

# What a stream has set so far, and what would go on beyond it, as bits.
_FILL, _STROKE, _WIDTH, _CAP, _JOIN, _MITER, _FONT, _STRETCH, _PLACED = (1 << bit for bit in range(9))
_DASHED, _RAISED, _CLIPPED, _OVER, _SEEN = (1 << bit for bit in range(9, 14))
# In which color spaces the colors are gradients.
_SHADED = {b"cs": 1 << 14, b"CS": 1 << 15}
_UNSEEN = 1 << 16
_TO_STROKE = _STROKE | _WIDTH | _CAP | _JOIN | _MITER
_TO_SHOW = _FILL | _FONT | _STRETCH | _PLACED
_SETS = {
    **dict.fromkeys((b"g", b"rg", b"k"), _FILL),
    **dict.fromkeys((b"G", b"RG", b"K"), _STROKE),
    b"w": _WIDTH,
    b"J": _CAP,
    b"j": _JOIN,
    b"M": _MITER,
    b"Tz": _STRETCH,
    b"Tm": _PLACED,
}
_ZERO = (b"0", b"0", b"0")
_SPACES = {b"scn": b"cs", b"SCN": b"CS"}
_ENDS = (b"f", b"f*", b"S", b"W", b"W*", b"n")


class Grammar:
    """Follows one content stream; UnreadableContent at anything that `kotc` does not write.

    Of the graphics states that can be named, `resources` tells whether each lets ink lie on ink, or how each is seen
    through.
    """

    def __init__(self, resources: Resources, *, is_whole: bool = True) -> None:
        self._overprints, self._resources = resources.overprints, resources
        self._is_whole = is_whole  # if not, the caller follows the marks of faces
        self._set = 0
        self._is_black = {_FILL: False, _STROKE: False}
        self._kept: list[tuple[int, dict[int, bool]]] = []
        self._path: list[bytes] = []
        self._clips = False
        self._in_text = False
        self._spans = 0

    @property
    def is_plain(self) -> bool:
        """Whether nothing is unfinished or set that would continue into a form or a face."""
        left = self._set & (_DASHED | _RAISED | _OVER | (0 if self._is_whole else _CLIPPED | _SEEN))
        return not (left or self._path or self._clips or self._in_text or self._spans)

    def step(self, instruction: Instruction) -> None:
        """Follow one instruction."""
        operator, operands = instruction
        self._read(operator, operands)
        if self._clips and operator != b"n":
            raise _odd("a clip that is also drawn")
        if self._path and operator not in _SEGMENTS and operator not in _ENDS:
            raise _odd(f"`{_said(operator)}` within a shape")
        if (operator in _TEXT_ALONE and not self._in_text) or (self._in_text and operator not in _IN_TEXT):
            raise _odd(f"`{_said(operator)}` {'within' if self._in_text else 'outside of'} text")
        if operator in _SEGMENTS:
            self._segment(operator)
        elif operator in _SETS:
            self._put(operator, operands)
        elif operator in _SHADED or operator in _SPACES:
            self._shade(operator, operands)
        else:
            self._do(operator, operands)

    def end(self) -> None:
        """Check that everything begun is ended."""
        if self._kept or self._path or self._clips or self._in_text or self._spans:
            raise _odd("what is drawn breaks off")

    def _read(self, operator: bytes, operands: Sequence[bytes]) -> None:
        """Check that `kotc` writes the operator, and that its operands are right."""
        count = _NUMBERS.get(operator)
        if count is not None:
            if len(operands) != count or not all(map(_NUMBER.fullmatch, operands)):
                found = b" ".join(operands)[:60].decode("latin-1")
                raise UnreadableContent(f"{count} numbers are expected, found `{found}`")
        elif operator in _BARE:
            if operands:
                raise _odd(f"`{_said(operator)}` with something before it")
        elif operator not in _OTHERS:
            raise NotOurs(f"the operator `{_said(operator)}` is none that kotc writes")

    def _segment(self, operator: bytes) -> None:
        if operator not in (b"m", b"re") and not self._path:
            raise _odd("a shape that begins nowhere")
        self._path.append(operator)

    def _put(self, operator: bytes, operands: Sequence[bytes]) -> None:
        kind = _SETS[operator]
        self._set |= kind
        if kind in (_FILL, _STROKE):
            self._set &= ~_SHADED[b"cs" if kind == _FILL else b"CS"]  # these operators set the color space, too
            self._is_black[kind] = _is_black(operator, operands)

    def _do(self, operator: bytes, operands: Sequence[bytes]) -> None:
        match operator:
            case b"q":
                self._kept.append((self._set, dict(self._is_black)))  # `q` keeps all that is set (8.4.2)
            case b"Q":
                if not self._kept:
                    raise UnreadableContent("`Q` without `q`")
                self._set, self._is_black = self._kept.pop()
            case b"f" | b"f*" | b"S" if not self._path:
                raise _odd("a shape without an outline")
            case b"f" | b"f*" | b"S":
                self._paint(_STROKE if operator == b"S" else _FILL, _TO_STROKE if operator == b"S" else _FILL)
            case b"W" | b"W*":
                self._clip(operator)
            case b"n":
                self._path, self._clips = [], False
            case b"cm":
                pass
            case b"Ts":
                self._set = self._set & ~_RAISED | (_RAISED if float(operands[0]) else 0)
            case b"Tr":
                self._mode(b"".join(operands))
            case b"BT" | b"ET":
                self._text(operator)
            case _:
                self._name(operator, operands)

    def _clip(self, operator: bytes) -> None:
        # Pages clip to one box only, and all clips are inside `q`.
        is_box = operator == b"W" and self._path == [b"re"]
        is_outline = self._is_whole and self._path and b"re" not in self._path
        if not self._kept or not (is_box or is_outline):
            raise _odd("a clip that is no box, or goes on for ever")
        self._clips = True
        self._set |= _CLIPPED

    def _shade(self, operator: bytes, operands: Sequence[bytes]) -> None:
        """Follow an operator that sets a gradient."""
        word = b" ".join(operands)
        if operator in _SHADED and word == b"/Pattern":
            self._set |= _SHADED[operator]
        elif operator in _SPACES and word in self._resources.shades and self._set & _SHADED[_SPACES[operator]]:
            kind = _FILL if operator == b"scn" else _STROKE
            self._set |= kind
            self._is_black[kind] = False
        else:
            raise _odd(f"`{word[:40].decode('latin-1')} {_said(operator)}`")

    def _mode(self, mode: bytes) -> None:
        """Follow a rendering mode (9.3.6): words that are not seen are in a text object of their own."""
        if mode not in (b"0", b"3") or (mode == b"3") is bool(self._set & _UNSEEN):
            raise _odd(f"text in the mode {mode[:20].decode('latin-1')}")
        self._set ^= _UNSEEN

    def _text(self, operator: bytes) -> None:
        if operator == b"ET" and self._set & _UNSEEN:
            raise _odd("text after which nothing would be seen")
        if self._in_text is (operator == b"BT") or self._spans:
            raise _odd(f"`{_said(operator)}` out of place")
        self._in_text = not self._in_text
        self._set &= ~_PLACED  # a text object begins without a place (9.4.1)

    def _name(self, operator: bytes, operands: Sequence[bytes]) -> None:
        """Follow an operator whose operands are not just numbers."""
        words = b" ".join(operands)
        match operator:
            case b"d" if len(operands) == 2 and _DASHES.fullmatch(operands[0]) and operands[1] == b"0":
                self._set |= _DASHED
            case b"Do" if len(operands) == 1 and words.startswith(b"/"):
                if not self.is_plain:
                    raise _odd("a form or picture within what changes how it is drawn")
            case b"gs" if len(operands) == 1 and words in self._overprints:
                self._set = self._set & ~_OVER | (_OVER if self._overprints[words] else 0)
            case b"gs" if len(operands) == 1 and words in self._resources.seen:
                self._set |= _SEEN
            case b"Tf" if len(operands) == 2 and words.startswith(b"/") and _NUMBER.fullmatch(operands[1]):
                self._set |= _FONT
            case b"TJ" if len(operands) == 1 and (_GLYPH if self._spans else _SHOWN).fullmatch(words):
                self._paint(_FILL, _TO_SHOW)
            case b"BDC" if not self._spans and _SPAN.fullmatch(words):
                self._spans += 1
            case b"EMC" if self._spans:
                self._spans -= 1
            case b"EMC":
                raise UnreadableContent("`EMC` without `BDC`")
            case _:
                raise _odd(f"`{words[:40].decode('latin-1')} {_said(operator)}`")

    def _paint(self, kind: int, needed: int) -> None:
        if self._set & needed != needed:
            raise _odd("something in a color, line or font that is not said before it")
        if self._set & _SEEN:  # only forms are drawn so, which are groups
            raise _odd("something that is seen through by itself")
        if self._set & _OVER and not self._is_black[kind]:  # white that overprints would vanish
            raise _odd("a color that does not cover what lies below it")
        self._path = []


def _is_black(operator: bytes, operands: Sequence[bytes]) -> bool:
    """Return whether a color is black ink alone, and not none at all."""
    if operator in (b"g", b"G"):
        return float(operands[0]) < 1
    return operator in (b"k", b"K") and tuple(operands[:3]) == _ZERO and float(operands[3]) > 0


class NotOurs(UnreadableContent):
    """A content stream holds an operator that `kotc` never writes."""


def _odd(what: str) -> UnreadableContent:
    return UnreadableContent(f"it holds {what}, which kotc does not write")


def _said(operator: bytes) -> str:
    return operator[:20].decode("latin-1")
