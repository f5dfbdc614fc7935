"""What instructions add up to: a digest of everything they draw, and whether anything of it is cut off.

Forms, fonts and pictures count by their contents, whatever their names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from render.base.geometry import IDENTITY, Rect
from render.verify.reading import content
from render.verify.reading.content import Instruction, UnreadableContent
from render.verify.reading.grammar import Grammar, NotOurs
from render.verify.reading.pdf_reading import FileFont, Form, Image, Resources

MAX_OPERATORS = 5_000_000  # on a page, counting forms each time: a sheet of 9 cards has 80 thousand
_TO_DRAW = 50  # operators that take as much memory as drawing a form or picture: 2 kB in PDFium
LONGEST, LONGEST_PAGE = 4.0, 0.1  # seconds for a file, and for each further page; a page takes 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSum:
    """What a form or a face adds up to: its digest, its number of operators, its fonts, its oddities.

    `reach` is the box of all points of its shapes, lines included, if it consists of shapes alone. `is_blank` means
    that it paints nothing.
    """

    digest: bytes
    operators: int
    fonts: frozenset[FileFont]
    oddities: frozenset[str]
    reach: tuple[float, float, float, float] | None = None
    is_blank: bool = False


class Sums:
    """Adds up what draws faces and forms. A form is followed once, however often it is drawn.

    `shown` are the codes of shown glyphs by font; `meant` those that stand for something else in one place, with that.
    """

    def __init__(self, pages: int = 1) -> None:
        self.patience = content.TimeBudget(LONGEST + LONGEST_PAGE * pages)
        self._forms: dict[Form, DrawnSum] = {}
        self.shown: dict[FileFont, set[bytes]] = {}
        self.meant: dict[FileFont, set[tuple[bytes, bytes]]] = {}

    def drawing(
        self,
        instructions: Iterable[Instruction],
        resources: Resources,
        *,
        seen: Rect | None = None,
        is_checked: bool = False,
    ) -> DrawnSum:
        """Return what instructions add up to; a face that is one form counts as that form.

        `seen` is the part of a face that shows, in its own space. `is_checked` means that the grammar was already
        checked.
        """
        # A face that is printed once is written out, one that is printed again is a form: both must give the same
        # digest.
        steps = iter(instructions)
        first = list(islice(steps, 2))
        if len(first) == 1 and first[0][0] == b"Do":
            only = resources.drawings.get(b"".join(first[0][1]))
            if isinstance(only, Form) and only.matrix == IDENTITY and not is_checked:
                return self._whole(only, seen)
        grammar = None if is_checked else Grammar(resources)
        return _Sum(self, resources, seen, is_beside=is_checked).of(chain(first, steps), grammar)

    def named(self, name: bytes, resources: Resources, seen: Rect | None, *, is_beside: bool) -> DrawnSum | None:
        """Return what the picture or form of that name adds up to; None if there is none.

        Beside the faces, a form of more than shapes is no mark, whether it is cut off or not.
        """
        match resources.drawings.get(name):
            case Image() as image:
                return DrawnSum(digest=image.digest, operators=1, fonts=frozenset(), oddities=frozenset())
            case Form() as form:
                drawn = self._form(form)
                if not is_beside or drawn.reach is not None:
                    drawn = self._whole(form, seen)
                if form.matrix == IDENTITY:
                    return drawn
                return replace(drawn, oddities=drawn.oddities | {"a form has a map of its own"})
        return None

    def mask(self, form: Form) -> DrawnSum:
        """Return what a mask adds up to."""
        return self._whole(form, None)

    def _whole(self, form: Form, seen: Rect | None) -> DrawnSum:
        """Return what a form adds up to; an oddity if its own box cuts off anything that would show."""
        drawn = self._form(form)
        reach = drawn.reach
        if reach is None and seen is not None:
            reach = seen.x, seen.y, seen.right, seen.bottom
        if drawn.oddities or _holds(form, reach):
            return drawn
        return replace(drawn, oddities=frozenset({"a form cuts off what it draws"}))

    def _form(self, form: Form) -> DrawnSum:
        known = self._forms.get(form)
        if known is None:
            try:
                known = self.drawing(content.instructions(form.content), form.resources)
            except NotOurs as error:
                known = DrawnSum(digest=b"", operators=0, fonts=frozenset(), oddities=frozenset([str(error)]))
            except UnreadableContent as error:
                known = DrawnSum(
                    digest=b"",
                    operators=0,
                    fonts=frozenset(),
                    oddities=frozenset([f"a form cannot be followed: {error}"]),
                )
            self._forms[form] = known
        return known


_FAR = 9_999.0  # mm: stands for everything
_TINY = 0.002  # mm: rounding of boxes


def _holds(form: Form, reach: tuple[float, float, float, float] | None) -> bool:
    """Return whether the box of a form holds all of it that can show, or what is drawn if that is known."""
    left, top, right, bottom = reach or (-_FAR, -_FAR, _FAR, _FAR)
    if form.box is None:
        return False
    x, y, far, low = form.box
    return x <= left + _TINY and y <= top + _TINY and far >= right - _TINY and low >= bottom - _TINY


class _Sum:
    """Adds instructions up, names resolved. A row of glyphs counts the same however it is cut into pieces."""

    def __init__(self, sums: Sums, resources: Resources, seen: Rect | None, *, is_beside: bool) -> None:
        self._sums, self._resources, self._seen, self._is_beside = sums, resources, seen, is_beside
        self._summary = hashlib.sha256()
        self._operators = 0
        self._fonts: set[FileFont] = set()
        self._oddities: set[str] = set()
        self._glyphs: list[bytes] = []
        self._font: FileFont | None = None
        self._meant: bytes | None = None
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._width = self._wide = 0.0
        self._is_shapes = self._is_blank = True
        self._is_seen = False
        self._kept: list[bool] = []

    def of(self, instructions: Iterable[Instruction], grammar: Grammar | None) -> DrawnSum:
        for instruction in instructions:
            operator, operands = instruction
            self._operators += 1
            self._sums.patience.step()
            if grammar is not None:
                grammar.step(instruction)
            if operator == b"TJ":
                self._show(operands)
            elif operator == b"BDC":  # a mark inside a face says what a glyph stands for
                self._meant = operands[3]
            elif operator == b"EMC":
                self._meant = None
            else:
                self._flush()
                self._add(operator, operands)
        self._flush()
        if grammar is not None:
            grammar.end()
        return DrawnSum(
            digest=self._summary.digest(),
            operators=self._operators,
            fonts=frozenset(self._fonts),
            oddities=frozenset(self._oddities),
            reach=self._reach(),
            is_blank=self._is_blank,
        )

    def _show(self, operands: Sequence[bytes]) -> None:
        self._glyphs += operands
        if self._meant is not None and self._font is not None:
            self._sums.meant.setdefault(self._font, set()).add((operands[0][2:6], self._meant[5:-1]))

    def _flush(self) -> None:
        if not self._glyphs:
            return
        self._is_blank = False
        shown = b"".join(self._glyphs)
        # Pieces of a row join without a seam.
        self._summary.update(shown.replace(b"][", b"").replace(b"><", b"") + b" TJ\n")
        self._glyphs.clear()
        if self._font is not None:
            codes = _BETWEEN.sub(b"", shown)
            known = self._sums.shown.setdefault(self._font, set())
            known.update(codes[at : at + 4] for at in range(0, len(codes), 4))

    def _add(self, operator: bytes, operands: Sequence[bytes]) -> None:
        words = list(operands)
        if operator in (b"m", b"l", b"c"):
            if self._is_shapes:
                values = list(map(float, operands))
                self._xs += values[::2]
                self._ys += values[1::2]
        elif operator == b"Do":
            self._is_shapes = False
            words = [self._drawn(b"".join(operands))]
        elif operator == b"Tf" and len(operands) == 2:
            words = [self._named(operands[0]), operands[1]]
        elif operator in (b"f", b"f*", b"S"):
            self._is_blank = False
        elif operator in (b"w", b"M"):
            self._stroke(operator, operands)
        elif operator == b"gs":
            words = [self._state(operands[0])]
        elif operator in (b"scn", b"SCN"):
            words = [self._resources.shades[operands[0]].digest]
        elif operator == b"q":
            self._kept.append(self._is_seen)
        elif operator == b"Q" and self._kept:
            self._is_seen = self._kept.pop()
        elif operator in (b"cm", b"W", b"W*", b"re", b"BT"):
            self._is_shapes = False
            self._seen = None if operator == b"cm" else self._seen  # in the new space it is not known what shows
        self._summary.update(b" ".join((*words, operator)) + b"\n")

    def _state(self, name: bytes) -> bytes:
        """Return what a graphics state says; what is drawn next is seen through if it says so."""
        seen = self._resources.seen.get(name)
        if seen is None:
            return str(self._resources.overprints.get(name)).encode("ascii")
        self._is_seen = True
        if seen.mask is None:
            return b"%r" % seen.opacity
        mask = self._sums.mask(seen.mask)
        self._oddities |= mask.oddities
        self._operators = min(self._operators + _TO_DRAW + mask.operators, 2 * MAX_OPERATORS)
        return b"%r " % seen.opacity + mask.digest

    def _stroke(self, operator: bytes, operands: Sequence[bytes]) -> None:
        """Keep the largest reach of a line beyond its points: half its width times the limit of its miters."""
        value = float(operands[0]) if len(operands) == 1 else 0.0
        if operator == b"w":
            self._width = value
            self._wide = max(self._wide, value / 2)
        else:
            self._wide = max(self._wide, self._width * value / 2)

    def _reach(self) -> tuple[float, float, float, float] | None:
        if not self._is_shapes or not self._xs:
            return None if self._operators != 1 else (0.0, 0.0, 0.0, 0.0)  # an empty form is written as `n`
        xs, ys, wide = self._xs, self._ys, self._wide
        return min(xs) - wide, min(ys) - wide, max(xs) + wide, max(ys) + wide

    def _drawn(self, name: bytes) -> bytes:
        drawn = self._resources.drawings.get(name)
        if (isinstance(drawn, Form) and drawn.group == "colors") is not self._is_seen:
            self._oddities.add("something is seen through by itself, or a group is not")
        part = self._sums.named(name, self._resources, self._seen, is_beside=self._is_beside)
        if part is None:
            self._oddities.add(f"there is nothing called `{name[:40].decode('latin-1')}` to be drawn")
            return b""
        self._operators = min(self._operators + _TO_DRAW + part.operators, 2 * MAX_OPERATORS)
        self._is_blank &= part.is_blank
        self._fonts |= part.fonts
        self._oddities |= part.oddities
        return part.digest

    def _named(self, name: bytes) -> bytes:
        self._font = self._resources.fonts.get(name)
        if self._font is None:
            self._oddities.add(f"there is no font `{name[:40].decode('latin-1')}`")
            return b""
        self._fonts.add(self._font)
        return self._font.name.encode("utf-8")


_BETWEEN = re.compile(rb">[^<]*<|^[^<]*<|>[^<]*$|[^<>]*\]")
