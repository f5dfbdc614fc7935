"""What pages, forms, patterns and glyphs draw: content followed with its graphics state, resources, marks and layers.

`ContentWalker` follows operators (ISO 32000-1, annex A) and keeps the state; a subclass overrides what it wants to see.
Places are in the space that the matrix given for a page leads to, such as mm on a card.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from copy import copy

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import (
    Array,
    ContentStreamInlineImage,
    ContentStreamInstruction,
    Dictionary,
    Name,
    Object,
    Operator,
    PdfInlineImage,
    Stream,
)

from render.base.geometry import IDENTITY, Affine, Rect
from render.base.patterns import regex
from render.pdf.reading.colors import CMYK, GRAY, RGB, ColorSpace, read_color_space
from render.pdf.reading.values import (
    MAX_DEPTH,
    as_array,
    as_corners,
    as_dictionary,
    as_entries,
    as_integer,
    as_items,
    as_matrix,
    as_name,
    as_number,
    filters,
    inflated,
    inherited,
    is_true,
    key_of,
)
from render.scene.items import Outline

EVERYWHERE = Rect(-1e6, -1e6, 2e6, 2e6)  # nobody sees what lies farther away
NOWHERE = Rect(1e6, 1e6, 0, 0)
_MAX_DISTANCE = 1e12  # nothing shows beyond it, and sums of squares would overflow
_CALLED = {
    "/ExtGState": "graphics state",
    "/Font": "font",
    "/Pattern": "pattern",
    "/Shading": "shading",
    "/XObject": "form or picture",
}


Instruction = ContentStreamInstruction | ContentStreamInlineImage


class DamagedContent(ValueError):
    """A content stream holds something that is no instruction."""


class Paint(Struct, frozen=True):
    """A color: its space and its tints; a pattern paints in its place, with these tints if it has none of its own."""

    space: ColorSpace = GRAY
    tints: tuple[float, ...] = (0.0,)
    pattern: Object | None = None


class GraphicsState(Struct, kw_only=True):
    """The state that `q` saves and `Q` restores (ISO 32000-1, 8.4 and 9.3); `clip` is the box around the clipping path.

    The names are those of the standard: `ctm` leads from user space to that of the walk.
    """

    ctm: Affine = IDENTITY
    clip: Rect = EVERYWHERE
    fill: Paint = field(default_factory=Paint)
    stroke: Paint = field(default_factory=Paint)
    line_width: float = 1.0
    overprints_fill: bool = False
    overprints_stroke: bool = False
    overprint_mode: int = 0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    blend_mode: str = "Normal"
    soft_mask: Dictionary | None = None
    font: Object | None = None
    font_size: float = 0.0
    char_spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    render_mode: int = 0

    def visible(self, box: Rect) -> Rect | None:
        """Return the part of a box inside the clip; None if there is none."""
        shared = box.shared(self.clip)
        return shared if shared.width >= 0 and shared.height >= 0 else None


class Mark(Struct, frozen=True):
    """Marked content (14.6): its tag, its properties, and whether it shows on screen (`View`) and in `Print`."""

    tag: str
    properties: Dictionary
    hidden_in: frozenset[str] = frozenset()


class ContentWalker:
    """Follows content. Forms are entered where they are drawn; patterns and glyphs by `content_streams`.

    `resources`, `marks` (outermost first) and `text_matrix` belong to the stream being followed.
    """

    def __init__(self, layers: Layers | None = None) -> None:
        self.layers = layers
        self.resources: object = Dictionary()
        self.marks: list[Mark] = []
        self.text_matrix = IDENTITY
        self._line_matrix = IDENTITY
        self._path = Path()
        self._marks_around = 0
        self._under_way: list[object] = []
        self._spaces: dict[str, ColorSpace] = {}

    # --- what a subclass may override -----

    def draw_path(self, path: Path, state: GraphicsState, *, fills: bool, strokes: bool) -> None:
        """See a path that is painted."""

    def draw_text(self, strings: Sequence[bytes | float], state: GraphicsState) -> None:
        """See a text, and move `text_matrix` along it: strings, and numbers as in `TJ`."""

    def draw_image(self, image: Stream, state: GraphicsState) -> None:
        """See a picture, which fills the unit square (8.9.4)."""

    def draw_inline_image(self, image: PdfInlineImage, state: GraphicsState) -> None:
        """See a picture inside the content."""

    def draw_shading(self, shading: Object, state: GraphicsState) -> None:
        """See a shading that fills the clip."""

    def draw_form(self, form: Stream, state: GraphicsState) -> None:
        """See a form with the state around it, and follow it."""
        self.walk_form(form, state)

    def begin_mark(self, mark: Mark, state: GraphicsState) -> None:
        """See where marked content begins."""

    def end_mark(self, mark: Mark, state: GraphicsState) -> None:
        """See where marked content ends."""

    def save_state(self, depth: int) -> None:
        """See `q`, which has saved a state within so many others and itself."""

    def set_matrix(self, state: GraphicsState) -> None:
        """See `cm`, which has changed the matrix."""

    def set_color(self, operator: str, paint: Paint) -> None:
        """See a color or a color space that is set."""

    def other(self, operator: str, operands: list[Object]) -> None:
        """See an operator that changes nothing of the state."""

    def damaged(self, reason: str) -> None:
        """See what cannot be followed; the rest of its stream is left out, if it is not only a missing thing."""

    def shows(self, event: str) -> bool:
        """Return whether the layers around this place show at an event, `View` or `Print`."""
        return not any(event in mark.hidden_in for mark in self.marks)

    # --- following -----

    def walk_page(self, page: pikepdf.Page, ctm: Affine) -> None:
        """Follow a page; `ctm` leads from its points to the space of the walk."""
        resources = inherited(page.obj, "/Resources")
        contents = page.obj.get("/Contents")
        parts = [contents] if isinstance(contents, Stream) else as_array(contents)
        instructions = read_instructions([part for part in parts if isinstance(part, Stream)])
        self.walk_instructions(instructions, resources, GraphicsState(ctm=ctm))

    def walk_form(self, form: Stream, state: GraphicsState) -> None:
        """Follow a form as it is drawn: with its own matrix, clipped to its box (8.10.1)."""
        inner = copy(state)
        inner.ctm = state.ctm @ as_matrix(form.get("/Matrix"))
        corners = as_corners(form.get("/BBox"))
        if corners:
            left, bottom, right, top = corners
            box = inner.visible(inner.ctm.box(Rect(left, bottom, right - left, top - bottom)))
            inner.clip = box or NOWHERE
        self.walk_stream(form, self.resources, inner)

    def walk_stream(self, stream: Stream, outer: object, state: GraphicsState) -> None:
        """Follow a form, pattern or glyph; `outer` are the resources around it, which it uses if it has none.

        A stream that draws itself is followed once.
        """
        key = key_of(stream) or id(stream)
        if key in self._under_way or len(self._under_way) > MAX_DEPTH:
            return
        self._under_way.append(key)
        self.walk_instructions(read_instructions([stream]), stream.get("/Resources", outer), state)
        self._under_way.pop()

    def walk_instructions(self, instructions: Iterable[Instruction], resources: object, state: GraphicsState) -> None:
        """Follow instructions with the resources that they name."""
        outer = self.resources, self.marks, self.text_matrix, self._line_matrix, self._path, self._spaces
        self.resources, self.marks, self._path, self._spaces = resources, self.marks.copy(), Path(), {}
        around, self._marks_around = self._marks_around, len(self.marks)
        saved: list[GraphicsState] = []
        try:
            for instruction in instructions:
                if isinstance(instruction, ContentStreamInlineImage):
                    self.draw_inline_image(instruction.iimage, state)
                    continue
                operator, operands = bytes(instruction.operator).decode("latin-1"), list(instruction.operands)
                if operator == "q":
                    saved.append(copy(state))
                    self.save_state(len(saved))
                elif operator == "Q":
                    state = saved.pop() if saved else state  # some programs write one `Q` too many
                else:
                    self._follow(operator, operands, state)
        except pikepdf.PdfError:
            self.damaged("")
        except DamagedContent as error:
            self.damaged(str(error))
        except IndexError:
            self.damaged("an operator has other operands than it takes")
        finally:
            self.resources, self.marks, self.text_matrix, self._line_matrix, self._path, self._spaces = outer
            self._marks_around = around

    def _follow(self, operator: str, operands: list[Object], state: GraphicsState) -> None:
        if operator in _PATH_OPERANDS:
            self._path.add(operator, numbers(operands, _PATH_OPERANDS[operator]), state.ctm)
        elif operator in _PAINTING:
            self._paint(operator, state)
        elif operator in ("W", "W*"):
            self._path.clips = True
        elif operator in _COLOR_OPERATORS:
            self._set_color(operator, operands, state)
        elif operator[:1] == "T" or operator in ("'", '"', "BT"):
            self._follow_text(operator, operands, state)
        elif operator in ("BDC", "BMC"):
            properties: Object | None = operands[1] if operator == "BDC" else Dictionary()
            if isinstance(properties, Name):
                properties = as_dictionary(as_dictionary(self.resources).get("/Properties")).get(str(properties))
            is_layer = as_name(operands[0]) == "OC"
            hidden = self._hidden_in(properties) if is_layer else frozenset[str]()
            self.marks.append(Mark(as_name(operands[0]), as_dictionary(properties), hidden))
            self.begin_mark(self.marks[-1], state)
        elif operator == "EMC":
            if len(self.marks) > self._marks_around:
                self.end_mark(self.marks.pop(), state)
        else:
            self._follow_other(operator, operands, state)

    def _follow_other(self, operator: str, operands: list[Object], state: GraphicsState) -> None:
        match operator:
            case "cm":
                state.ctm = state.ctm @ Affine(*numbers(operands, 6))
                self.set_matrix(state)
            case "w":
                (state.line_width,) = numbers(operands, 1)
            case "gs":
                self._set_state(as_dictionary(self.listed("/ExtGState", operands[0])), state)
            case "sh":
                shading = self.listed("/Shading", operands[0])
                if shading is not None:
                    self.draw_shading(shading, state)
            case "Do":
                drawn = self.listed("/XObject", operands[0])
                kind = as_name(as_dictionary(drawn).get("/Subtype"))
                if isinstance(drawn, Stream) and kind in ("Form", "Image"):
                    self.marks.append(Mark("OC", Dictionary(), self._hidden_in(drawn.get("/OC"))))
                    (self.draw_form if kind == "Form" else self.draw_image)(drawn, state)
                    self.marks.pop()
            case _:
                self.other(operator, operands)

    def listed(self, kind: str, name: object) -> Object | None:
        """Return a resource; None if it is missing, which is damage, since another thing was meant (7.8.3)."""
        entry: Object | None = None
        if isinstance(name, Name):
            entry = as_dictionary(as_dictionary(self.resources).get(kind)).get(name)
        if entry is None:
            self.damaged(f"there is no {_CALLED[kind]} `{as_name(name)[:40]}`")
        return entry

    def _hidden_in(self, content: object) -> frozenset[str]:
        if content is None or self.layers is None:
            return frozenset()
        return frozenset(event for event in ("View", "Print") if not self.layers.is_on(content, event))

    def _set_state(self, entries: Dictionary, state: GraphicsState) -> None:
        for key, value in entries.items():  # ISO 32000-1, table 58
            match key:
                case "/LW":
                    state.line_width = as_number(value, 1.0)
                case "/OP":
                    state.overprints_stroke = is_true(value)
                    if "/op" not in entries:  # OP is for both unless op is given
                        state.overprints_fill = is_true(value)
                case "/op":
                    state.overprints_fill = is_true(value)
                case "/OPM":
                    state.overprint_mode = as_integer(value)
                case "/ca":
                    state.fill_alpha = as_number(value, 1.0)
                case "/CA":
                    state.stroke_alpha = as_number(value, 1.0)
                case "/BM":
                    state.blend_mode = as_name(as_items(value)[0]) if as_items(value) else "Normal"
                case "/SMask":
                    state.soft_mask = value if isinstance(value, Dictionary) else None
                case "/Font" if len(as_array(value)) == 2:
                    state.font, state.font_size = as_array(value)[0], as_number(as_array(value)[1], 0.0)

    # --- colors and paths -----

    def _set_color(self, operator: str, operands: list[Object], state: GraphicsState) -> None:
        old = state.stroke if operator.isupper() else state.fill
        pattern = operands.pop() if operands and isinstance(operands[-1], Name) else None
        if operator in ("cs", "CS"):
            space = self._space(pattern)
            # First colors of a space: full tint of an ink, else 0 (8.6.6.4, 8.6.8).
            paint = Paint(space, (1.0 if space.is_inks else 0.0,) * space.components)
        elif operator in _DEVICE:
            paint = Paint(self._space(_DEVICE[operator]), numbers(operands, None))
        else:
            tints, space = numbers(operands, None), old.space
            drawn = self.listed("/Pattern", pattern) if pattern is not None else None
            if drawn is not None and tints and space.base:  # the tints of a tiling pattern without colors (8.7.3.3)
                space = space.base
            paint = Paint(space, tints or (0.0,) * space.components, drawn)
        self.set_color(operator, paint)
        if paint.pattern is not None:
            paint = replace(paint, space=old.space)
        if operator.isupper():
            state.stroke = paint
        else:
            state.fill = paint

    def _space(self, name: object) -> ColorSpace:
        key = as_name(name)
        if key not in self._spaces:
            self._spaces[key] = read_color_space(name, self.resources)
        return self._spaces[key]

    def _paint(self, operator: str, state: GraphicsState) -> None:
        path = self._path
        if operator in ("s", "b", "b*"):  # these close the path first
            path.end(closed=True)
        path.end(closed=False)
        self._path = Path(here=path.here)
        fills, strokes = operator in _FILLS, operator in _STROKES
        if path.points and (fills or strokes):
            self.draw_path(path, state, fills=fills, strokes=strokes)
        if path.clips:  # `W` takes effect after the path is painted (8.5.4)
            state.clip = (state.visible(path.box) if path.points else None) or NOWHERE

    # --- text -----

    def _follow_text(self, operator: str, operands: list[Object], state: GraphicsState) -> None:
        match operator:
            case "BT":
                self.text_matrix = self._line_matrix = IDENTITY
            case "Tf":
                state.font = self.listed("/Font", operands[0])
                (state.font_size,) = numbers(operands[1:], 1)
            case "Tm":
                self.text_matrix = self._line_matrix = Affine(*numbers(operands, 6))
            case "Td" | "TD":
                x, y = numbers(operands, 2)
                state.leading = -y if operator == "TD" else state.leading  # TD also sets the leading (table 108)
                self._next_line(x, y)
            case "T*":
                self._next_line(0, -state.leading)
            case "Tj" | "TJ" | "'" | '"':
                if operator == '"':  # `"` takes word and character spacing first (table 109)
                    state.word_spacing, state.char_spacing = numbers(operands[:2], 2)
                if operator in ("'", '"'):
                    self._next_line(0, -state.leading)
                pieces = as_items(operands[-1])
                self.draw_text(
                    [bytes(piece) if isinstance(piece, pikepdf.String) else as_number(piece, 0.0) for piece in pieces],
                    state,
                )
            case "Tc":
                (state.char_spacing,) = numbers(operands, 1)
            case "Tw":
                (state.word_spacing,) = numbers(operands, 1)
            case "Tz":
                state.stretch = numbers(operands, 1)[0] / 100
            case "TL":
                (state.leading,) = numbers(operands, 1)
            case "Ts":
                (state.rise,) = numbers(operands, 1)
            case "Tr":
                state.render_mode = int(numbers(operands, 1)[0])
            case _:
                self.other(operator, operands)

    def _next_line(self, x: float, y: float) -> None:
        self.text_matrix = self._line_matrix = self._line_matrix @ Affine.move(x, y)


_PATH_OPERANDS = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "h": 0, "re": 4}  # path construction (table 59)
# Path painting (table 60); `n` ends a path without painting it, often after `W`, which clips to it.
_FILLS, _STROKES = {"f", "F", "f*", "B", "B*", "b", "b*"}, {"S", "s", "B", "B*", "b", "b*"}
_PAINTING = _FILLS | _STROKES | {"n"}
_DEVICE = {
    operator: Name(f"/{space.family}")
    for operators, space in (("gG", GRAY), (("rg", "RG"), RGB), ("kK", CMYK))
    for operator in operators
}
_COLOR_OPERATORS = {*_DEVICE, "cs", "CS", "sc", "SC", "scn", "SCN"}


def numbers(operands: Sequence[Object], count: int | None) -> tuple[float, ...]:
    """Return operands as numbers of bounded size; DamagedContent if they are none, or not that many."""
    values = [as_number(each) for each in operands]
    if (count is not None and len(values) != count) or any(map(math.isnan, values)):
        raise DamagedContent("an operator has other operands than it takes")
    return tuple(min(max(value, -_MAX_DISTANCE), _MAX_DISTANCE) for value in values)


def read_instructions(streams: Iterable[Stream]) -> Iterator[Instruction]:
    """Yield the instructions of streams that are one content; DamagedContent behind the last if it is not whole.

    A long content is parsed in pieces, since its instructions take a hundred times its bytes.
    """
    scratch = pikepdf.Pdf.new()  # its streams live as long
    content = scratch.make_stream(b"")
    rest, length = b"", _PIECE
    for data in _unpack(streams):
        rest += data
        if len(rest) > length:
            end = max((match.end() for match in _OPERATOR.finditer(rest, len(rest) - _PIECE // 2)), default=0)
            content.write(rest[:end] + _MARK)
            parsed, _ = _parse(content)
            if parsed and parsed[-1].operator == _END and not parsed[-1].operands:
                yield from parsed[:-1]
                rest, length = rest[end:], _PIECE
            else:  # the mark is part of a string or of an inline picture
                length *= 2
    content.write(rest)
    parsed, is_whole = _parse(content)
    yield from parsed
    if not is_whole:
        raise DamagedContent("it ends within an instruction")


def _parse(content: Stream) -> tuple[Sequence[Instruction], bool]:
    """Return the instructions of a stream, and whether its end is that of one."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # anything may be collected meanwhile that somebody left open
        warnings.filterwarnings("always", "Unexpected end of stream")
        return pikepdf.parse_content_stream(content), not caught


_PIECE = 1 << 20  # bytes that are parsed at a time
_OPERATOR = regex(rb"\s[A-Za-z'\"*]{1,3}\s")
_MARK, _END = b" end-of-piece ", Operator("end-of-piece")


def _unpack(streams: Iterable[Stream]) -> Iterator[bytes]:
    for stream in streams:
        packed = stream.read_raw_bytes()
        if len(packed) > _PIECE and filters(stream) == ["FlateDecode"] and "/DecodeParms" not in stream:
            yield from inflated(packed)
        else:  # qpdf reads more of damaged data
            data = stream.read_bytes()
            yield from (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        yield b"\n"  # no instruction goes on in the next stream


def content_streams(resources: object, depth: int = 0) -> Iterator[Stream]:
    """Yield forms, pattern tiles, glyphs and masks among resources: everything with a content stream of its own."""
    entries = as_dictionary(resources)
    if depth > MAX_DEPTH:
        return
    for kind in ("/XObject", "/Pattern"):
        for _, stream in as_entries(entries.get(kind)):
            if isinstance(stream, Stream) and (kind == "/Pattern" or as_name(stream.get("/Subtype")) == "Form"):
                yield stream
    for font in (as_dictionary(font) for _, font in as_entries(entries.get("/Font"))):
        if as_name(font.get("/Subtype")) == "Type3":
            yield from (glyph for _, glyph in as_entries(font.get("/CharProcs")) if isinstance(glyph, Stream))
            yield from content_streams(font.get("/Resources"), depth + 1)
    for _, state in as_entries(entries.get("/ExtGState")):
        group = as_dictionary(as_dictionary(state).get("/SMask")).get("/G")
        if isinstance(group, Stream):
            yield group


# --- paths ----------------------------------------------------------------------------------------------------------


class Path(Struct):
    """A path in the space of the walk: its outlines, all its points, and whether it clips what follows."""

    here: tuple[float, float] = (0.0, 0.0)
    outlines: list[Outline] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)
    clips: bool = False
    _start: tuple[float, float] | None = None
    _segments: list[tuple[float, ...]] = field(default_factory=list)

    @property
    def box(self) -> Rect:
        """The box around all points, of which a path that is painted has one or more."""
        xs, ys = zip(*self.points, strict=True)
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

    def add(self, operator: str, v: Sequence[float], by: Affine) -> None:
        """Follow an operator of path construction (table 59); `v` are its operands, `by` is the matrix."""
        match operator:
            case "m":
                self.end(closed=False)
                self._start = by.apply(v[0], v[1])
            case "l":
                self._to(by.apply(v[0], v[1]))
            case "c":
                self._to((*by.apply(v[0], v[1]), *by.apply(v[2], v[3]), *by.apply(v[4], v[5])))
            case "v":  # the first control point is the current point
                self._to((*self._last(), *by.apply(v[0], v[1]), *by.apply(v[2], v[3])))
            case "y":  # the second control point is the end
                end = by.apply(v[2], v[3])
                self._to((*by.apply(v[0], v[1]), *end, *end))
            case "h":
                self.end(closed=True)
            case "re":
                x, y, width, height = v
                corners = [by.apply(*corner) for corner in ((x + width, y), (x + width, y + height), (x, y + height))]
                self.end(closed=False)
                self._start = by.apply(x, y)
                self._segments.extend(corners)
                self.points.extend((self._start, *corners))
                self.end(closed=True)

    def end(self, *, closed: bool) -> None:
        """End the outline that was begun."""
        if self._start is not None:
            if self._segments:
                self.outlines.append(Outline(self._start, tuple(self._segments), closed))
            self.here = self._start if closed else self._last()
            self._segments = []
            self._start = self.here if closed else None

    def _last(self) -> tuple[float, float]:
        return self._segments[-1][-2:] if self._segments else self._start or self.here  # type: ignore[return-value]

    def _to(self, segment: tuple[float, ...]) -> None:
        if self._start is None:  # a line without `m` begins where the last path ended
            self._start = self.here
        if not self._segments:
            self.points.append(self._start)
        self._segments.append(segment)
        self.points.extend(zip(segment[::2], segment[1::2], strict=True))


# --- layers ---------------------------------------------------------------------------------------------------------


class Layers:
    """The optional content of a file (8.11): which of it is on when the file is viewed, and when it is printed."""

    def __init__(self, root: Dictionary) -> None:
        properties = as_dictionary(root.get("/OCProperties"))
        usual = as_dictionary(properties.get("/D"))
        self.layers = as_array(properties.get("/OCGs"))
        off = {key_of(layer) for layer in as_array(usual.get("/OFF"))}
        if as_name(usual.get("/BaseState")) == "OFF":
            on = {key_of(layer) for layer in as_array(usual.get("/ON"))}
            off |= {key_of(layer) for layer in self.layers} - on
        self.off = off  # unless they follow their usage
        self._off = {event: set(off) for event in ("View", "Print")}
        for switch in map(as_dictionary, as_array(usual.get("/AS"))):  # layers that follow their own usage (8.11.4.4)
            event = as_name(switch.get("/Event"))
            for layer in as_array(switch.get("/OCGs")) if event in self._off else []:
                usage = as_dictionary(as_dictionary(as_dictionary(layer).get("/Usage")).get(f"/{event}"))
                state = as_name(usage.get(f"/{event}State"))
                if state == "OFF":
                    self._off[event].add(key_of(layer))
                elif state == "ON":
                    self._off[event].discard(key_of(layer))

    def is_on(self, content: object, event: str, depth: int = 0) -> bool:
        """Return whether a layer, or a membership of several (OCMD), shows at an event, `View` or `Print`."""
        entries = as_dictionary(content)
        if as_name(entries.get("/Type")) != "OCMD" or depth > MAX_DEPTH:
            return key_of(content) not in self._off[event]
        if isinstance(entries.get("/VE"), Array):
            return self._evaluate(entries["/VE"], event, depth)
        on = [self.is_on(layer, event, depth + 1) for layer in as_items(entries.get("/OCGs"))]
        policies = {"AllOn": all(on), "AnyOff": not all(on), "AllOff": not any(on)}
        return not on or policies.get(as_name(entries.get("/P")), any(on))

    def _evaluate(self, expression: object, event: str, depth: int) -> bool:
        if not isinstance(expression, Array) or depth > MAX_DEPTH:
            return self.is_on(expression, event, depth + 1)
        operator, *parts = [*as_array(expression), None]
        values = [self._evaluate(part, event, depth + 1) for part in parts[:-1]]
        match as_name(operator):
            case "Not":
                return not any(values)
            case "Or":
                return any(values)
        return all(values)
