"""One content stream of a PDF, followed operator by operator: the colors it uses, and what it draws where."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pikepdf import Dictionary, Name, Object, Stream

from render.base.findings import Problem, Severity
from render.base.geometry import MM_PER_INCH, MM_PER_POINT, Affine, Rect
from render.scene.items import Outline
from render.shops.preflight.boxes import Face
from render.shops.preflight.content.fonts import UsedFont
from render.shops.preflight.content.resources import CALLED, OPERATORS, ResourceChecker
from render.shops.preflight.content.state import NOWHERE, PageState, Paint, Pen, State, Text
from render.shops.preflight.objects import pictures
from render.shops.preflight.objects.inline import inline_pixels, of_inline
from render.shops.preflight.objects.instructions import Damaged, Inline, Named, Value, floats, read_instructions
from render.shops.preflight.objects.reading import as_array, as_dictionary, as_integer, as_name, as_number, is_true
from render.shops.preflight.objects.spaces import (
    CMYK,
    GRAY,
    RGB,
    Space,
    ink,
    is_black,
    light,
    plates,
    space,
)
from render.shops.print_fitness import PrintedPiece, What, box_around, line_pieces, strip

_DEVICE = {"g": GRAY, "rg": RGB, "k": CMYK}
_NAMES = {"g": "DeviceGray", "rg": "DeviceRGB", "k": "DeviceCMYK"}
_COUNTS = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "h": 0, "re": 4}  # operands of path construction (table 59)
# Path painting (table 60); `n` ends a path without painting it, often after `W`, which clips to it.
_FILLS, _STROKES = {"f", "F", "f*", "B", "B*", "b", "b*"}, {"S", "s", "B", "B*", "b", "b*"}
_PAINTS = _FILLS | _STROKES | {"n"}
_MAX_STATE = 28  # nested `q` that readers must support (ISO 32000-1, annex C)
_FLAT = 2  # pixels: a picture this small is a color


Follow = Callable[[Stream, object, State, PageState], None]


class Content:
    """One content stream being followed."""

    def __init__(self, known: ResourceChecker, page: PageState, resources: object, follow: Follow | None) -> None:
        """`follow` follows forms that are drawn; without it, only faults against the standard are sought."""
        self._known, self._page, self._resources, self._follows = known, page, resources, follow
        self._gathers = follow is not None
        self._inks = known.inks
        self._pen, self._text = Pen(), Text()
        self._spaces: dict[str, Space] = {}
        self._judged: set[tuple[str, str]] = set()
        self._is_face_bare = False

    def run(self, data: bytes, state: State) -> None:
        """Follow the instructions; damage ends it, and is reported."""
        kept: list[State] = []
        try:
            for operator, operands in read_instructions(data, self._inks.effort):
                if operator == "q":
                    kept.append(state.kept())
                    if len(kept) > _MAX_STATE:
                        self._fault("F052", f"states are nested more than {_MAX_STATE} deep: `q`")
                elif operator == "Q":
                    state = kept.pop() if kept else state  # some programs write one `Q` too many
                else:
                    self._follow(operator, operands, state)
        except (Damaged, TypeError, IndexError) as error:
            reason = str(error) if isinstance(error, Damaged) else "an operator has other operands than it takes"
            self._fault("F001", f"what it draws is damaged: {reason}")

    def _fault(self, code: str, message: str, severity: Severity = Severity.ERROR) -> None:
        self._page.faults[Problem(code, message, severity=severity)] = None

    def _follow(self, operator: str, operands: list[Value], state: State) -> None:
        if operator in _COUNTS:
            if self._gathers:
                self._pen.draw(operator, floats(operands, _COUNTS[operator]), state.map)
        elif operator in _PAINTS:
            self._paint(operator, state)
        elif operator in ("W", "W*"):
            self._pen.clips = True
        elif operator.lower() in _DEVICE:
            of = self._space(_NAMES[operator.lower()])
            self._color(operator, of, floats(operands, None), state)
        elif operator.lower() in ("cs", "sc", "scn"):
            self._chosen(operator, operands, state)
        elif operator[:1] == "T" or operator in ("'", '"', "BT", "ET"):
            self._write(operator, operands, state)
        elif operator == "cm":
            state.map = state.map @ Affine(*floats(operands, 6))
            if self._is_face_bare:  # behind its mark a face is placed first; what it draws may well be mirrored
                self._is_face_bare = False
                self._page.faces[-1] = replace(self._page.faces[-1], is_turned=state.map.a < -abs(state.map.b))
        elif operator == "w":
            state.width = floats(operands, 1)[0]
        elif operator in ("gs", "Do", "sh", "BI", "ri", "BDC"):
            self._other(operator, operands, state)
        elif operator not in OPERATORS:
            code, kind = ("F052", "PostScript") if operator == "PS" else ("F052", "an operator that PDF does not have")
            self._fault(code, f"there is {kind}: `{operator[:20]}`")

    def _other(self, operator: str, operands: list[Value], state: State) -> None:
        if operator == "BI":
            inline = operands[0]
            assert isinstance(inline, Inline)
            self._page.add(of_inline(inline, self._resources, self._inks))
            self._picture(inline_pixels(inline), state)
            return
        if operator == "BDC":
            marks = operands[-1]
            # The mark by which this program's files name a card's face.
            if operands[0] == "Card" and isinstance(marks, dict):
                card = marks.get("Name")
                words = card.decode("latin-1") if isinstance(card, bytes) else ""
                self._page.faces.append(Face(words, str(marks.get("Side"))))
                self._is_face_bare = True
            return
        name = str(operands[0])
        if operator == "ri":
            self._page.add(self._known.of_intent(name))
        elif operator == "gs":
            self._set(as_dictionary(self._listed("/ExtGState", name)), state)
        elif operator == "sh":
            if self._listed("/Shading", name) is not None and self._gathers:
                self._page.inked.append(PrintedPiece(what=What.GROUND, box=state.clip))
        else:
            self._do(self._listed("/XObject", name), state)

    def _do(self, drawn: Object | None, state: State) -> None:
        if not isinstance(drawn, Stream):
            return
        kind = as_name(drawn.get("/Subtype"))
        if kind == "Image":
            self._picture(pictures.size(drawn), state)
        elif kind == "Form" and self._follows:
            self._follows(drawn, self._resources, state, self._page)

    def _set(self, said: Dictionary, state: State) -> None:
        """Follow `gs`: the entries of a graphics state that matter here (ISO 32000-1, table 58)."""
        for key, value in said.items():
            match key:
                case "/LW":
                    state.width = as_number(value, 1.0)
                case "/OP":
                    state.overprints_stroke = is_true(value)
                    if "/op" not in said:  # OP is for both unless op is given
                        state.overprints_fill = is_true(value)
                case "/op":
                    state.overprints_fill = is_true(value)
                case "/OPM":
                    state.overprint_mode = as_integer(value)
                case "/Font" if len(as_array(value)) == 2:
                    state.font = self._known.font(as_array(value)[0], self._page.number)
                    state.size = as_number(as_array(value)[1], 0.0)

    def _listed(self, kind: str, name: str) -> Object | None:
        """Return a resource.

        None, and a fault, if it is missing, since another thing was meant (ISO 32000-1, 7.8.3).
        """
        found: Object | None = as_dictionary(as_dictionary(self._resources).get(kind)).get(f"/{name}") if name else None
        if found is None:
            self._fault("F001", f"what it draws is damaged: there is no {CALLED[kind]} `{name[:40]}`")
        return found

    # --- colours -----

    def _space(self, name: str) -> Space:
        if name not in self._spaces:
            self._spaces[name] = space(Name(f"/{name}") if name else None, self._resources)
        return self._spaces[name]

    def _chosen(self, operator: str, operands: list[Value], state: State) -> None:
        is_stroke = operator.isupper()
        paint = state.stroke if is_stroke else state.fill
        if operator in ("cs", "CS"):
            of = self._space(str(operands[0]))
            # First colors of a space: full tint of an ink, else 0 (8.6.6.4, 8.6.8).
            self._color(operator, of, (1.0,) * of.components if of.family in ("Separation", "DeviceN") else (), state)
            return
        is_pattern = bool(operands) and isinstance(operands[-1], Named)  # `scn` with a name at the end sets a pattern
        tints = floats([each for each in operands if not isinstance(each, Named)], None)
        # The tints of a tiling pattern without colors of its own are those of the space beneath (8.7.3.3).
        own = paint.space.base if is_pattern and tints and paint.space.base else paint.space
        self._color(operator, own, tints, state)
        if is_pattern:
            self._listed("/Pattern", str(operands[-1]))
            made = Paint(paint.space, tints, is_pattern=True)
            state.stroke, state.fill = (made, state.fill) if is_stroke else (state.stroke, made)

    def _color(self, operator: str, of: Space, tints: Sequence[float], state: State) -> None:
        where = f"operator `{operator}`"
        key = (operator, of.family + "".join(of.inks))
        if key not in self._judged:
            self._judged.add(key)
            self._page.add(self._inks.of_space(of, where))
        # A color that is only selected paints nothing yet.
        if self._inks.limit is not None and operator not in ("cs", "CS"):
            self._page.add(self._inks.of_tints(of, tints, where))
        made = Paint(of, tuple(tints) or (0.0,) * of.components)
        if operator.isupper():
            state.stroke = made
        else:
            state.fill = made

    # --- paths and pictures -----

    def _paint(self, operator: str, state: State) -> None:
        if not self._gathers:
            return
        if operator in ("s", "b", "b*"):  # these close the path first
            self._pen.draw("h", (), state.map)
        box, clips = self._pen.box(), self._pen.clips
        outlines = self._pen.done()
        self._inks.effort.step(len(outlines))
        if box is not None and (operator in _FILLS or operator in _STROKES):
            if operator in _FILLS:
                self._fill(outlines, box, state)
            if operator in _STROKES:
                thick = state.width * state.map.growth
                like = replace(self._colored(What.LINE, box, state.stroke, state), measure=thick)
                self._seen(line_pieces(outlines, like), state)  # a line lies over its own fill
                self._over(state.overprints_stroke, state.stroke, box, state)
        if clips:  # `W` takes effect after the path is painted (8.5.4)
            state.clip = (state.seen(box) if box else None) or NOWHERE

    def _fill(self, outlines: list[Outline], box: Rect, state: State) -> None:
        like = self._colored(What.GROUND, box, state.fill, state)
        thin = [strip(outline, like) for outline in outlines]
        if thin and all(thin):
            self._seen((each for each in thin if each), state)
        else:
            self._seen(iter([like]), state)
        self._over(state.overprints_fill, state.fill, box, state, is_ground=True)

    def _colored(self, what: What, box: Rect, paint: Paint, state: State) -> PrintedPiece:
        if paint.is_pattern:
            return PrintedPiece(what=what, box=box)
        known = light(paint.space, paint.tints, self._inks.effort)
        return PrintedPiece(what=what, box=box, inks=plates(paint.space, paint.tints), light=known)

    def _seen(self, drawn: Iterator[PrintedPiece], state: State) -> None:
        for each in drawn:
            box = state.seen(each.box)
            if box is not None:
                self._inks.effort.step(TO_JUDGE)
                self._page.inked.append(replace(each, box=box))

    def _over(self, overprints: bool, paint: Paint, box: Rect, state: State, *, is_ground: bool = False) -> None:
        """Judge ink laid over other ink. Shops ask for black over anything, but not for large areas.

        Other colors than spots replace all process inks, unless the overprint mode says otherwise (8.6.7).
        """
        if paint.is_pattern:
            return
        adds = paint.space.family in ("Separation", "DeviceN") or state.overprint_mode == 1
        has_plates = paint.space is CMYK or paint.space.family in ("Separation", "DeviceN")
        if overprints and adds and has_plates and not any(paint.tints) and state.seen(box) is not None:
            hint = "white leaves the ink beneath as it is: turn off its overprinting"
            self._page.faults[Problem("F032", "white overprints, and vanishes", hint)] = None
        limit = self._inks.limit
        if limit is None:
            return
        # A tint of gray prints as black ink.
        own = ink(paint.space, paint.tints) or (100 * (1 - paint.tints[0]) if paint.space is GRAY else 0.0)
        seen = state.seen(box)
        if seen is None:
            return
        self._page.overprints |= overprints
        if overprints and adds:
            is_small = is_black(paint.space, paint.tints) and min(seen.width, seen.height) < _AREA
            below = max((percent for each, percent in self._page.grounds if _touch(each, seen)), default=0.0)
            if own + below > limit + 1 and not is_small:
                message = f"the ink of what overprints cannot be read: it may add up to {own + below:.0f} %"
                self._fault("F032", message, Severity.UNSURE)
        if is_ground and len(self._page.grounds) < _MAX_GROUNDS:
            self._page.grounds.append((seen, own))

    def _picture(self, size: tuple[int, int], state: State) -> None:
        if not self._gathers:
            return
        box = state.map.box(Rect(0, 0, 1, 1))  # a picture fills the unit square (8.9.4)
        across, down = math.hypot(state.map.a, state.map.b), math.hypot(state.map.c, state.map.d)  # mm of its sides
        is_flat = min(size) <= _FLAT
        dpi = math.inf if is_flat or not across or not down else min(size[0] / across, size[1] / down) * MM_PER_INCH
        self._seen(iter([PrintedPiece(what=What.PICTURE, box=box, measure=dpi)]), state)

    # --- text -----

    def _write(self, operator: str, operands: list[Value], state: State) -> None:
        match operator:
            case "BT":
                self._text = Text()
            case "Tf":
                found = self._listed("/Font", str(operands[0]))
                state.font = self._known.font(found, self._page.number)
                state.size = floats(operands[1:], 1)[0]
            case "Tm":
                self._text.line = self._text.matrix = Affine(*floats(operands, 6))
            case "Td" | "TD":
                x, y = floats(operands, 2)
                state.leading = -y if operator == "TD" else state.leading  # TD also sets the leading (table 108)
                self._text.move(x, y)
            case "T*":
                self._text.move(0, -state.leading)
            case "Tj" | "TJ" | "'" | '"':
                if operator == '"':  # `"` takes word and character spacing first (table 109)
                    state.word_spacing, state.spacing = floats(operands[:2], 2)
                if operator in ("'", '"'):
                    self._text.move(0, -state.leading)
                self._show(operands[-1], state)
            case _ if operator in _TEXT_STATE:
                value = floats(operands, 1)[0]
                attribute, factor = _TEXT_STATE[operator]
                setattr(state, attribute, int(value) if attribute == "mode" else value * factor)

    def _show(self, what: Value, state: State) -> None:
        font = state.font
        if font is None:
            return
        boxes: list[tuple[float, float]] = []
        at = self._text.matrix
        for piece in what if isinstance(what, list) else [what]:
            if isinstance(piece, float):
                # Numbers in TJ are subtracted, in thousandths of the size.
                at = at @ Affine.move(-piece / 1000 * state.size * state.stretch, 0)
            elif isinstance(piece, bytes):
                at = self._glyphs(font, piece, at, state, boxes)
        self._text.matrix = at
        if boxes and self._gathers and state.mode not in (3, 7):  # modes 3 and 7 paint nothing (table 106)
            whole_map = state.map @ at
            size = abs(state.size) * math.hypot(whole_map.c, whole_map.d) / MM_PER_POINT
            paint = state.stroke if state.mode in (1, 5) else state.fill  # modes 1 and 5 stroke only
            box = box_around(boxes)
            self._seen(iter([replace(self._colored(What.TEXT, box, paint, state), measure=size)]), state)
            self._over(
                state.overprints_stroke if paint is state.stroke else state.overprints_fill,
                paint,
                Rect(box.x, box.y, 0, 0),
                state,
            )

    def _glyphs(
        self, font: UsedFont, data: bytes, at: Affine, state: State, boxes: list[tuple[float, float]]
    ) -> Affine:
        self._inks.effort.step(len(data) // 2)
        font.pages[self._page.number] = None
        own = state.size * state.stretch
        for shown in font.shown(data):
            if self._gathers:
                corners = font.box(shown)
                if corners is not None:
                    left, bottom, right, top = corners
                    glyph = Rect(
                        left * own, bottom * state.size + state.rise, (right - left) * own, (top - bottom) * state.size
                    )
                    placed = (state.map @ at).box(glyph)
                    boxes += [(placed.x, placed.y), (placed.right, placed.bottom)]
            # The space between words counts for code 32 of simple fonts only (9.3.3).
            along = shown.width * font.unit * state.size + state.spacing + (state.word_spacing if shown.is_space else 0)
            at = at @ (
                Affine.move(0, -state.size - state.spacing) if font.vertical else Affine.move(along * state.stretch, 0)
            )
        return at


_TEXT_STATE = {
    "Tc": ("spacing", 1.0),
    "Tw": ("word_spacing", 1.0),
    "Tz": ("stretch", 0.01),
    "TL": ("leading", 1.0),
    "Tr": ("mode", 1.0),
    "Ts": ("rise", 1.0),
}
TO_JUDGE = 3  # steps of work for judging one drawn piece
_AREA = 5.0  # mm: narrower black is type, a line or a small shape, and dries
_MAX_GROUNDS = 2000


def _touch(one: Rect, other: Rect) -> bool:
    shared = one.shared(other)
    return shared.width >= 0 and shared.height >= 0
