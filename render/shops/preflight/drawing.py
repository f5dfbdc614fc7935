"""What the pages of a PDF draw: their content followed, with what the standard or the ink limit has against it.

Each text, line, ground and picture with its place on the card is kept, to judge whether it can be printed and cut.
Forms, pictures and fonts that are drawn in several places are judged once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import Dictionary, Object, Pdf, PdfInlineImage, Stream

from render.base.findings import Diagnostic
from render.base.geometry import MM_PER_INCH, MM_PER_POINT, Affine, Rect, box_around
from render.pdf.reading.colors import CMYK, GRAY, read_color_space
from render.pdf.reading.content import NOWHERE, ContentWalker, GraphicsState, Mark, Paint, Path, content_streams
from render.pdf.reading.values import (
    MAX_DEPTH,
    Corners,
    as_array,
    as_dictionary,
    as_entries,
    as_integer,
    as_name,
    as_string,
    inherited,
    key_of,
)
from render.shops.preflight.colors import ColorRules, count_plates, is_black, lightness, sum_of_inks
from render.shops.preflight.fonts import Font
from render.shops.preflight.pages import Face, size_of
from render.shops.preflight.pictures import judge_picture
from render.shops.preflight.rules import INTENTS
from render.shops.print_fitness import Fitness, PrintedPiece, What, line_pieces, strip

# Operators of content streams that change nothing here (ISO 32000-1, annex A).
_OPERATORS = frozenset("BX EX d d0 d1 DP MP ET i j J M".split())
_MAX_STATES = 28  # nested `q` that readers must support (ISO 32000-1, annex C)
_FLAT = 2  # pixels: a picture this small is a color
_AREA = 5.0  # mm: narrower black is type, a line or a small shape, and dries


class Drawn(Struct, kw_only=True):
    """What a page or a form draws: what is wrong, its pieces, and the ink of its grounds if ink is limited.

    `faces` are those that the marks of this program's own files name. `judged` are colors and resources that were
    judged here.
    """

    faults: dict[Diagnostic, None] = field(default_factory=dict)
    pieces: list[PrintedPiece] = field(default_factory=list)
    grounds: list[tuple[Rect, float]] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    fonts: dict[Font, None] = field(default_factory=dict)
    overprints: bool = False
    judged: set[object] = field(default_factory=set)

    def add(self, faults: Iterable[Diagnostic]) -> None:
        self.faults.update(dict.fromkeys(faults))


class PageJudge(ContentWalker):
    """Follows the pages of one file: forms wherever they are drawn, and once those that nothing draws.

    Without `fitness`, only faults against the standard are sought. `fonts` has all that were met.
    """

    def __init__(self, colors: ColorRules, fitness: Fitness | None) -> None:
        super().__init__()
        self.colors, self.rules, self.fitness = colors, colors.rules, fitness
        self._safe = NOWHERE
        self.fonts: dict[object, Font] = {}
        self._drawn = Drawn()
        self._is_drawn = True  # and not only among the resources
        self._is_face_bare = False
        self._followed: set[object] = set()
        self._forms: dict[object, Drawn] = {}  # by their object if nothing draws them, else also by how they are drawn
        self._resources: dict[object, tuple[Diagnostic, ...]] = {}
        self._scratch = Pdf.new()  # for inline pictures

    def judge(self, page: pikepdf.Page, number: int, trim: Corners) -> Drawn:
        """Return what a page draws, in mm from the top left corner of its trim."""
        self._drawn, self._is_drawn = Drawn(), self.fitness is not None
        self._safe = self.fitness.safe_area(size_of(trim)) if self.fitness else NOWHERE
        resources = inherited(page.obj, "/Resources")
        scale = MM_PER_POINT  # from points with y up, from the page's corner, to mm with y down
        self.walk_page(page, Affine(scale, 0, 0, -scale, -trim[0] * scale, trim[3] * scale))
        self._is_drawn = False
        self._judge_resources(resources, page.obj)
        self._judge_rest(resources, 0)
        for note in as_array(page.obj.get("/Annots")):  # appearances are drawn over the page
            looks = as_dictionary(as_dictionary(note).get("/AP")).get("/N")
            # One appearance, or one for each state of a field.
            for stream in [looks] if isinstance(looks, Stream) else as_dictionary(looks).values():
                if isinstance(stream, Stream) and key_of(stream) not in self._followed:
                    self.walk_stream(stream, Dictionary(), GraphicsState())
                    self._judge_rest(stream.get("/Resources"), 0)
        for font in self._drawn.fonts:
            font.pages.append(number)
        return self._drawn

    def _judge_rest(self, resources: object, depth: int) -> None:
        """Judge forms, patterns and glyphs among the resources that were not drawn."""
        for stream in content_streams(resources) if depth <= MAX_DEPTH else ():
            key = key_of(stream)
            if key not in self._followed:
                outer, self._drawn = self._drawn, Drawn()
                self.walk_stream(stream, resources, GraphicsState())
                self._judge_rest(stream.get("/Resources"), depth + 1)
                self._forms[key], self._drawn = self._drawn, outer
            if key in self._forms:
                self._merge(self._forms[key])

    def _merge(self, drawn: Drawn) -> None:
        """Take over what a form draws; drawn again in the same place, it is seen only once."""
        if id(drawn) not in self._drawn.judged:
            self._drawn.judged.add(id(drawn))
            self._drawn.add(drawn.faults)
            self._drawn.fonts.update(drawn.fonts)
            self._drawn.pieces.extend(drawn.pieces)
            self._drawn.overprints |= drawn.overprints

    # --- forms, marks and damage -----

    def draw_form(self, form: Stream, state: GraphicsState) -> None:
        """Follow a form that is drawn; if it was drawn with the same place and colors before, use that result."""
        if not self._is_drawn:
            return  # it is among the resources
        key = (key_of(form), self._safe, state.ctm, state.clip, *_colors_of(state))
        drawn = self._forms.get(key)
        if drawn is None:
            outer = self._drawn
            drawn = self._drawn = Drawn(grounds=outer.grounds, faces=outer.faces)
            self.walk_form(form, state)
            self._drawn = outer
            # What overprints depends on the page beneath, so its result holds only here.
            if key[0] and not drawn.overprints:
                self._forms[key] = drawn
        self._merge(drawn)

    def walk_stream(self, stream: Stream, outer: object, state: GraphicsState) -> None:
        self._followed.add(key_of(stream))
        super().walk_stream(stream, outer, state)
        self._judge_resources(stream.get("/Resources", outer), stream)

    def save_state(self, depth: int) -> None:
        if depth == _MAX_STATES + 1:
            self._fault("nested")

    def begin_mark(self, mark: Mark, state: GraphicsState) -> None:
        if mark.tag == "Card":  # the mark by which this program's files name a card's face
            self._drawn.faces.append(
                Face(as_string(mark.properties.get("/Name")), as_name(mark.properties.get("/Side")))
            )
            self._is_face_bare = True

    def set_matrix(self, state: GraphicsState) -> None:
        if self._is_face_bare:  # behind its mark a face is placed first; what it draws may well be mirrored
            self._is_face_bare = False
            face = self._drawn.faces[-1]
            self._drawn.faces[-1] = replace(face, is_turned=state.ctm.a < -abs(state.ctm.b))

    def other(self, operator: str, operands: list[Object]) -> None:
        if operator == "ri":
            if as_name(operands[0]) not in INTENTS:
                self._fault("intent", as_name(operands[0]))
        elif operator not in _OPERATORS:
            self._fault("operator", operator)

    def damaged(self, reason: str) -> None:
        self._fault("damaged", reason and f": {reason}")

    def _fault(self, key: str, *values: object) -> None:
        self._drawn.add(self.rules("content", key, *values))

    # --- resources -----

    def _judge_resources(self, resources: object, owner: Object) -> None:
        """Judge all resources of a page or stream, used or not, and its group."""
        key = key_of(owner) or id(owner)
        if ("resources", key) in self._drawn.judged:
            return
        self._drawn.judged.add(("resources", key))
        entries = as_dictionary(resources)
        for kind in ("ExtGState", "Shading", "Pattern", "XObject"):
            for _, resource in as_entries(entries.get(f"/{kind}")):
                shared = key_of(resource)
                faults = self._resources.get(shared) if shared else None
                if faults is None:
                    faults = self._resources[shared] = tuple(self._judge_resource(kind, resource, entries))
                self._drawn.add(faults)
        for _, font in as_entries(entries.get("/Font")):
            self._font(font)
        for name in ("DefaultGray", "DefaultRGB", "DefaultCMYK"):
            default = as_dictionary(entries.get("/ColorSpace")).get(f"/{name}")
            if default is not None:
                self._drawn.add(self.colors.of_space(read_color_space(default, Dictionary()), f"`{name}`"))
        group = as_dictionary(as_dictionary(owner).get("/Group"))
        if as_name(group.get("/S")) == "Transparency":
            self._fault("group")
        if "/CS" in group:
            space = read_color_space(group["/CS"], resources)
            self._drawn.add(self.colors.of_space(space, "a transparency group"))

    def _judge_resource(self, kind: str, resource: Object, resources: Dictionary) -> Iterator[Diagnostic]:
        entries = as_dictionary(resource)
        if kind == "ExtGState":
            yield from self.rules.of("state", entries)
        elif kind == "Shading":
            yield from self.colors.of_shading(resource, resources)
        elif kind == "Pattern":
            if not isinstance(resource, Stream):
                yield from self.colors.of_shading(entries.get("/Shading"), resources)
                yield from self.rules.of("state", as_dictionary(entries.get("/ExtGState")))
        elif isinstance(resource, Stream) and as_name(entries.get("/Subtype")) == "Image":
            yield from judge_picture(resource, resources, self.colors)
        elif isinstance(resource, Stream) and as_name(entries.get("/Subtype")) == "Form":
            yield from self.rules.of("form", entries)
        else:
            yield from self.rules("content", "neither")

    def _font(self, source: Object | None) -> Font | None:
        """Return a font of the file, the same one for the same object; None for anything else."""
        if not isinstance(source, Dictionary):
            return None
        key = key_of(source) or id(source)
        if key not in self.fonts:
            self.fonts[key] = Font(source)
        self._drawn.fonts[self.fonts[key]] = None
        return self.fonts[key]

    # --- colors, paths and pictures -----

    def set_color(self, operator: str, paint: Paint) -> None:
        where, space = f"operator `{operator}`", paint.space
        if (operator, space.family, space.inks) not in self._drawn.judged:
            self._drawn.judged.add((operator, space.family, space.inks))
            self._drawn.add(self.colors.of_space(space, where))
        if operator not in ("cs", "CS"):  # a color that is only selected paints nothing yet
            self._drawn.add(self.colors.of_tints(space, paint.tints, where))

    def draw_path(self, path: Path, state: GraphicsState, *, fills: bool, strokes: bool) -> None:
        if not self._is_drawn:
            return
        if fills:
            like = self._colored(What.GROUND, path.box, state.fill)
            thin = [piece for outline in path.outlines if (piece := strip(outline, like))]
            self._keep(thin if thin and len(thin) == len(path.outlines) else [like], state)
            self._overprint(state.overprints_fill, state.fill, path.box, state, is_ground=True)
        if strokes:  # a line lies over its own fill
            thick = state.line_width * state.ctm.growth
            if self.fitness and (thick < self.fitness.least_line or not self._safe.holds(path.box)):
                like = replace(self._colored(What.LINE, path.box, state.stroke), measure=thick)
                self._keep(line_pieces(path.outlines, like), state)
            self._overprint(state.overprints_stroke, state.stroke, path.box, state)

    def draw_shading(self, shading: Object, state: GraphicsState) -> None:
        self._keep([PrintedPiece(what=What.GROUND, box=state.clip)], state)

    def draw_image(self, image: Stream, state: GraphicsState) -> None:
        box = state.ctm.box(Rect(0, 0, 1, 1))
        across, down = math.hypot(state.ctm.a, state.ctm.b), math.hypot(state.ctm.c, state.ctm.d)  # mm of its sides
        width, height = as_integer(image.get("/Width")), as_integer(image.get("/Height"))
        is_flat = min(width, height) <= _FLAT or not across or not down
        dpi = math.inf if is_flat else min(width / across, height / down) * MM_PER_INCH
        self._keep([PrintedPiece(what=What.PICTURE, box=box, measure=dpi)], state)

    def draw_inline_image(self, image: PdfInlineImage, state: GraphicsState) -> None:
        stream = Stream(self._scratch, image.read_raw_bytes(), image.obj)
        key = image.obj.unparse(), image.read_raw_bytes(), as_dictionary(self.resources).unparse()
        if key not in self._drawn.judged:
            self._drawn.judged.add(key)
            self._drawn.add(judge_picture(stream, self.resources, self.colors, "inline picture"))
        self.draw_image(stream, state)

    def _colored(self, what: What, box: Rect, paint: Paint) -> PrintedPiece:
        if paint.pattern is not None:
            return PrintedPiece(what=what, box=box)
        light = lightness(paint.space, paint.tints)
        return PrintedPiece(what=what, box=box, inks=count_plates(paint.space, paint.tints), light=light)

    def _keep(self, pieces: Iterable[PrintedPiece], state: GraphicsState) -> None:
        for piece in pieces if self._is_drawn else ():
            box = state.visible(piece.box)
            if box is not None:
                self._drawn.pieces.append(replace(piece, box=box))

    def _overprint(
        self, overprints: bool, paint: Paint, box: Rect, state: GraphicsState, *, is_ground: bool = False
    ) -> None:
        """Judge ink laid over other ink. Shops ask for black over anything, but not for large areas.

        Other colors than spots replace all process inks, unless the overprint mode says otherwise (8.6.7).
        """
        space, visible, limit = paint.space, state.visible(box), self.colors.limit
        if paint.pattern is not None or visible is None:
            return
        adds = space.is_inks or state.overprint_mode == 1
        if overprints and adds and (space is CMYK or space.is_inks) and not any(paint.tints):
            self._fault("vanishes")
        if limit is None:
            return
        # A tint of gray prints as black ink.
        own = sum_of_inks(space, paint.tints) or (100 * (1 - paint.tints[0]) if space is GRAY else 0.0)
        self._drawn.overprints |= overprints
        if overprints and adds:
            is_small = is_black(space, paint.tints) and min(visible.width, visible.height) < _AREA
            below = max((percent for ground, percent in self._drawn.grounds if ground.touches(visible)), default=0.0)
            if own + below > limit + 1 and not is_small:
                self._fault("overprint", own + below)
        if is_ground and own:
            self._drawn.grounds.append((visible, own))

    # --- text -----

    def draw_text(self, strings: Sequence[bytes | float], state: GraphicsState) -> None:
        font = self._font(state.font)
        if font is None:
            return
        if not self._is_drawn:
            font.note(string for string in strings if isinstance(string, bytes))
            return
        size, x, y, boxes = state.font_size, 0.0, 0.0, list[tuple[float, float, float, float]]()
        across = size * state.stretch
        for string in strings:
            if isinstance(string, float):
                x -= string / 1000 * across  # numbers in TJ are subtracted, in thousandths of the size
                continue
            for glyph in font.glyphs(string):
                if glyph.box:
                    left, bottom, right, top = glyph.box
                    low = y + state.rise
                    boxes.append((x + left * across, low + bottom * size, x + right * across, low + top * size))
                if font.is_vertical:
                    y -= size + state.char_spacing
                    continue
                # The space between words counts for code 32 of simple fonts only (9.3.3).
                word = state.word_spacing if glyph.code == 32 and not font.is_composite else 0.0
                x += glyph.width * across + (state.char_spacing + word) * state.stretch
        by = state.ctm @ self.text_matrix
        self.text_matrix = self.text_matrix @ Affine.move(x, y)
        if not boxes or state.render_mode in (3, 7):  # these paint nothing (table 106)
            return
        if not by.b and not by.c:
            lefts, bottoms, rights, tops = zip(*boxes, strict=True)
            boxes = [(min(lefts), min(bottoms), max(rights), max(tops))]
        box = box_around([by.apply(*corner) for a, b, c, d in boxes for corner in ((a, b), (c, b), (a, d), (c, d))])
        is_stroke = state.render_mode in (1, 5)
        paint = state.stroke if is_stroke else state.fill
        points = abs(size) * math.hypot(by.c, by.d) / MM_PER_POINT
        self._keep([replace(self._colored(What.TEXT, box, paint), measure=points)], state)
        overprints = state.overprints_stroke if is_stroke else state.overprints_fill
        self._overprint(overprints, paint, Rect(box.x, box.y, 0, 0), state)


def _colors_of(state: GraphicsState) -> Iterator[object]:
    """Yield what a form inherits, besides its place, as values that compare."""
    for paint in (state.fill, state.stroke):
        yield from (paint.space.family, paint.space.inks, paint.tints, paint.pattern is not None)
    yield from (state.line_width, state.overprints_fill, state.overprints_stroke, state.overprint_mode)
    yield key_of(state.font)
