"""Items of scenes as pieces of a PDF: content streams of our own, in mm with y down like the scenes.

Each repeated drawing is a form of its own. A piece depends on its items, the press and the resolution of pictures alone,
never on what else is in the file. Nothing is measured here, and no content can make it fail.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable
from itertools import groupby
from typing import TypeVar, assert_never

from msgspec import Struct, field
from PIL import Image
from reportlab.pdfbase import pdfdoc

from render.base.caches import BoundedCache, stored
from render.base.geometry import IDENTITY, MAX_DISTANCE, Affine, Rect
from render.images import soft_shapes
from render.images.press import Press
from render.pdf import operators
from render.pdf.fonts import GlyphFont, glyph_font
from render.pdf.objects import Piece, Reference, Shown, dictionary, font_name, packed, picture_name, piece, to
from render.pdf.pictures import shown
from render.scene.gradients import Gradient
from render.scene.items import (
    REACH,
    Color,
    DrawnFace,
    Group,
    Item,
    Layer,
    Path,
    Picture,
    Scene,
    SoftShape,
    TextRun,
    UnseenRun,
    is_shaded,
)

_MOST_NUMBERS = 10_000  # shapes that are known by their identity, which those of scenes at rest have but once
_UNSEEN = 3  # the rendering mode of text that is neither filled nor stroked (ISO 32000-1, table 106)
# The bounding box of forms whose extent nobody needs to know.
_ANYWHERE = Rect(-MAX_DISTANCE, -MAX_DISTANCE, 2 * MAX_DISTANCE, 2 * MAX_DISTANCE)
_ROOM = REACH + 0.1  # mm around the trim in the form of a face, which is clipped to its box: more than may show
# The graphics state of what overprints. In mode 1, an ink with the tint 0 is left as it is (ISO 32000-1 8.6.7).
_OVERPRINTING = dictionary(Type="/ExtGState", OP="true", op="true", OPM=1)

# Groups of transparency (11.6.6): isolated, so that what they are drawn on does not show in them. A mask's has a color
# space, which its lightness is that of.
_GROUP = dictionary(Type="/Group", S="/Transparency", I="true")
_LIGHT_GROUP = dictionary(Type="/Group", S="/Transparency", I="true", CS="/DeviceGray")


# What shapes are drawn as, for the next files: a back may have hundreds. A packed byte stands for about ten of its key.
_DRAWINGS = stored(BoundedCache[Piece](4 << 20, lambda form: 1000 + 11 * len(form.stream or b"")))


class Content(Struct):
    """A content stream being made: its operators, and what they name, by the names that they use.

    `fonts` are the glyphs of each face that are shown, and what they first stand for. Patterns and states are the gradients and the graphics states by which
    something shows through.
    """

    code: list[str] = field(default_factory=list)
    forms: dict[str, Piece] = field(default_factory=dict)
    pictures: dict[str, Shown] = field(default_factory=dict)
    fonts: dict[str, tuple[str, dict[int, str]]] = field(default_factory=dict)
    patterns: dict[str, Piece] = field(default_factory=dict)
    states: dict[str, Piece] = field(default_factory=dict)
    overprints: bool = False

    def add(self, *operators: str) -> None:
        self.code.extend(operators)

    def draw(self, kind: str, form: Piece) -> None:
        """Draw a form, which is called by its kind and a number: `drawing1`."""
        self.code.append(f"/{_name(self.forms, kind, form)} Do")

    def draw_picture(self, picture: Shown) -> None:
        self.code.append(f"/{_name(self.pictures, 'picture', picture)} Do")

    def pattern(self, pattern: Piece) -> str:
        """Return what a pattern is called here."""
        return _name(self.patterns, "gradient", pattern)

    def state(self, state: Piece) -> str:
        """Return what a graphics state is called here."""
        return _name(self.states, "seen", state)

    @property
    def resources(self) -> pdfdoc.PDFDictionary:
        """What its operators name, as an entry of the form or page that it is the content of."""
        named = {
            "XObject": {
                **{name: to(form) for name, form in self.forms.items()},
                **{name: Reference(picture_name(picture)) for name, picture in self.pictures.items()},
            },
            "Font": {name: Reference(font_name(face)) for name, (face, _) in self.fonts.items()},
            "Pattern": {name: to(pattern) for name, pattern in self.patterns.items()},
            "ExtGState": {
                **({operators.OVERPRINT: _OVERPRINTING} if self.overprints else {}),
                **{name: to(state) for name, state in self.states.items()},
            },
        }
        return dictionary(**{key: dictionary(**held) for key, held in named.items() if held})

    @property
    def parts(self) -> tuple[Piece, ...]:
        """The objects among its resources that are finished."""
        return *self.forms.values(), *self.patterns.values(), *self.states.values()

    def stream(self, parts: tuple[Piece, ...], **entries: object) -> Piece:
        """Return the finished stream, packed, with these entries besides, and what these name."""
        return piece(
            dictionary(Filter="/FlateDecode", **entries),
            zlib.compress("\n".join(self.code).encode("ascii")),
            parts,
            dict(self.fonts.values()),
            tuple(self.pictures.values()),
        )


Held = TypeVar("Held", Piece, Shown)


def _name(named: dict[str, Held], kind: str, value: Held) -> str:
    """Return what an object is called in a content stream: as it was before, or by a new number."""
    for name, known in named.items():
        if known is value or known.name == value.name:
            return name
    name = f"{kind}{len(named) + 1}"
    named[name] = value
    return name


class Drawer:
    """Draws for one press, or in sRGB, pictures with at most `art_dpi` dots per inch. It remembers what it has drawn."""

    def __init__(self, press: Press | None, art_dpi: float) -> None:
        self._press, self._art_dpi = press, art_dpi
        self._forms: dict[Hashable, Piece] = {}
        # By identity, with what has it, since it would else be given to something else.
        self._same: dict[int, tuple[Piece, object]] = {}
        self._shapes: dict[Path, int] = {}
        self._numbers: dict[int, tuple[int, Path]] = {}
        self._gradients: dict[tuple[Gradient, bool], Piece] = {}
        self._states: dict[tuple[float, tuple[Path | SoftShape, ...]], Piece] = {}

    def face(self, face: Scene) -> Piece:
        """Return a face that may be shown again as a form, with the bleed that placements may show."""
        if isinstance(face, DrawnFace):
            spool, name = face.form
            form: Piece = spool.piece(name)
            return form
        # By identity: equal scenes of two cards are rare, and comparing all of them is slow.
        return self._once(face, face.items, face.size.rect.outset(_ROOM))

    def single(self, face: Scene) -> Piece:
        """Return what `face` does, and remember nothing that only this face has."""
        form = self._drawn(face.items, face.size.rect.outset(_ROOM))
        self._same.clear()
        if len(self._numbers) > _MOST_NUMBERS:
            self._numbers.clear()
        return form

    def add_items(self, content: Content, items: Iterable[Item]) -> None:
        """Add items to a content stream."""
        # Neighbors of one kind go together: shapes into one form, runs into one text object.
        for kind, group in groupby(items, key=lambda item: Path if isinstance(item, Path) else type(item)):
            batch = tuple(group)
            if kind is Path:
                content.draw("drawing", self._drawing(tuple(item for item in batch if isinstance(item, Path))))
            elif kind is TextRun:
                self._runs(content, [item for item in batch if isinstance(item, TextRun)])
            else:
                for item in batch:
                    self._item(content, item)

    def _item(self, content: Content, item: Item) -> None:
        match item:
            case Picture():
                self._picture(content, item)
            case Group():
                content.add("q", f"{operators.box(item.clip)} re W n")
                if item.transform == IDENTITY:
                    self.add_items(content, item.items)
                else:  # those of bleed, which are drawn more than once
                    content.add(f"{operators.matrix(item.transform)} cm")
                    content.draw("group", self._once(item.items, item.items))
                content.add("Q")
            case Layer():
                self._layer(content, item)
            case Path():
                content.draw("drawing", self._drawing((item,)))
            case UnseenRun():
                self._runs(content, [item], mode=_UNSEEN)
            case TextRun():
                self._runs(content, [item])
            case _:
                assert_never(item)

    def _once(self, of: object, items: Iterable[Item], box: Rect = _ANYWHERE) -> Piece:
        """Return the items of something as a form, which is made once for the same thing."""
        known = self._same.get(id(of))
        if known is None:
            known = self._same[id(of)] = self._drawn(items, box), of
        return known[0]

    def _drawn(self, items: Iterable[Item], box: Rect, group: pdfdoc.PDFDictionary | None = None) -> Piece:
        inner = Content()
        self.add_items(inner, items)
        return _as_form(inner, box, group)

    def _drawing(self, paths: tuple[Path, ...]) -> Piece:
        """Return neighboring shapes as a form; equal shapes of another card are the same form."""
        key = tuple(map(self._number, paths))
        known = self._forms.get(key)
        if known is None:
            known = self._forms[key] = _DRAWINGS.get((paths, self._press), lambda: self._shapes_drawn(paths))
        return known

    def _shapes_drawn(self, paths: tuple[Path, ...]) -> Piece:
        inner = Content()
        parts = [part for path in paths for part in (_plain(path) if is_shaded(path) else (path,))]
        for part in parts:
            if isinstance(part, Layer):
                self._layer(inner, part)
            else:
                self._path(inner, part)
        is_plain = all(
            isinstance(part, Path) and (part.stroke is None or isinstance(part.stroke.color, tuple)) for part in parts
        )
        return _as_form(inner, operators.bounds(paths) if is_plain else _ANYWHERE)

    def _number(self, path: Path) -> int:
        """Return the number of a shape; equal shapes have the same.

        Most shapes are the same objects on all cards, and to compare those by value would look at all their points.
        """
        known = self._numbers.get(id(path))
        if known is None:  # what is known is kept with the shape, whose identity would else be given to another
            known = self._numbers[id(path)] = self._shapes.setdefault(path, len(self._shapes)), path
        return known[0]

    def _path(self, content: Content, path: Path, *, is_light: bool = False) -> None:
        """Fill and stroke a shape; one that `is_light` belongs to a mask, which has no inks."""

        def name_of(gradient: Gradient) -> str:
            from render.pdf.gradients import pattern

            known = self._gradients.get((gradient, is_light))
            if known is None:
                known = self._gradients[gradient, is_light] = pattern(gradient, None if is_light else self._press)
            return content.pattern(known)

        content.add(*operators.path_operators(path, None if is_light else self._press, name_of))
        colors = (path.fill, path.stroke.color if path.stroke else None)
        content.overprints |= any(map(operators.overprints, colors))

    def _layer(self, content: Content, layer: Layer) -> None:
        """Draw items clipped and placed; if something shows through them, as one group (11.4)."""
        if not all(clip.outlines for clip in layer.clips):  # nothing shows
            return
        content.add("q", *map(operators.clip, layer.clips))
        if layer.transform != IDENTITY:
            content.add(f"{operators.matrix(layer.transform)} cm")
        if layer.is_solid:
            self.add_items(content, layer.items)
        else:
            content.add(f"/{content.state(self._state(layer))} gs")
            known = self._forms.get(layer.items)
            if known is None:
                known = self._forms[layer.items] = self._drawn(layer.items, _ANYWHERE, _GROUP)
            content.draw("layer", known)
        content.add("Q")

    def _state(self, layer: Layer) -> Piece:
        """Return the graphics state with a layer's opacity and mask (8.4.5 and 11.6.5.2)."""
        key = (layer.opacity, layer.mask)
        known = self._states.get(key)
        if known is None:
            opacity = operators.number(layer.opacity)
            entries, parts = dictionary(Type="/ExtGState", ca=opacity, CA=opacity), list[Piece]()
            if layer.mask:
                parts.append(self._mask(layer.mask))
                entries["SMask"] = dictionary(Type="/Mask", S="/Luminosity", G=to(parts[0]))
            known = self._states[key] = piece(entries, parts=parts)
        return known

    def _mask(self, shapes: tuple[Path | SoftShape, ...]) -> Piece:
        inner = Content()
        for part in (part for shape in shapes for part in (_plain(shape) if isinstance(shape, Path) else (shape,))):
            match part:
                case SoftShape():
                    box, image = soft_shapes.drawn(part)
                    # An image fills the unit square with its bottom at y = 0 (8.9.4).
                    whole = Affine(box.width, 0, 0, -box.height, box.x, box.bottom)
                    inner.add("q", f"{operators.matrix(whole)} cm")
                    inner.draw("soft", _grey_picture(image))
                    inner.add("Q")
                case Path():
                    self._path(inner, part, is_light=True)
                case Layer():  # one of the times that a gradient repeats
                    inner.add("q", *map(operators.clip, part.clips))
                    for path in part.items:
                        assert isinstance(path, Path)
                        self._path(inner, path, is_light=True)
                    inner.add("Q")
        return _as_form(inner, _ANYWHERE, _LIGHT_GROUP)

    def _runs(self, content: Content, runs: Iterable[TextRun], mode: int = 0) -> None:
        for overprints, group in groupby(runs, key=lambda run: operators.overprints(run.fill)):
            content.overprints |= overprints
            content.add(*(["q", f"/{operators.OVERPRINT} gs"] if overprints else []))
            content.add("BT", *([f"{mode} Tr"] if mode else []))
            fill: Color | None = None  # one text object: Tf and color are set only when they change
            font: tuple[str, float, float] | None = None
            for run in group:
                if run.fill != fill:
                    content.add(operators.fill(run.fill, self._press))
                    fill = run.fill
                glyphs = glyph_font(run.face)
                if (run.face, run.size, run.stretch) != font:
                    # Tf sets font and size, Tz the horizontal scaling in per cent (9.3.4).
                    size, stretch = operators.number(run.size), operators.number(run.stretch * 100)
                    content.add(f"/{glyphs.name} {size} Tf {stretch} Tz")
                    font = (run.face, run.size, run.stretch)
                at = run.transform
                # Tm: the text's y axis points up, that of the page here down, hence the signs.
                content.add(f"{operators.matrix(Affine(at.a, at.b, -at.c, -at.d, at.e, at.f))} Tm")
                used = content.fonts.setdefault(glyphs.name, (run.face, {}))[1]
                if not used.keys() >= set(run.glyphs):
                    for glyph, text in zip(run.glyphs, run.text, strict=False):
                        used.setdefault(glyph, text)
                content.add(self._shown(run, glyphs))
            content.add(*(["0 Tr"] if mode else []), "ET", *(["Q"] if overprints else []))

    def _shown(self, run: TextRun, glyphs: GlyphFont) -> str:
        """Return the operators that show a run; what its glyphs stand for may not depend on other drawings."""
        return glyphs.show(run)

    def _picture(self, content: Content, picture: Picture) -> None:
        """Draw the crop of a picture: the whole picture, larger than its box, and clipped to it."""
        box, crop = picture.box, picture.crop
        width, height = box.width / crop.width, box.height / crop.height
        # An image fills the unit square with its bottom at y = 0 (8.9.4).
        whole = Affine(width, 0, 0, -height, box.x - crop.x * width, box.y - crop.y * height + height)
        if picture.turned:
            middle = box.center
            whole = Affine.move(*middle) @ Affine.rotate(180) @ Affine.move(-middle[0], -middle[1]) @ whole
        content.add("q")
        if (crop.width, crop.height) != (1.0, 1.0):
            content.add(f"{operators.box(box)} re W n")
        content.add(f"{operators.matrix(whole)} cm")
        content.draw_picture(shown(picture, self._press, self._art_dpi))
        content.add("Q")


def _as_form(content: Content, box: Rect, group: pdfdoc.PDFDictionary | None = None) -> Piece:
    corners = [round(value, 3) for value in (box.x, box.y, box.right, box.bottom)]
    grouped = {} if group is None else {"Group": group}
    # An object of their own, since many cards have the same.
    resources = piece(content.resources, parts=content.parts)
    return content.stream(
        (resources,), Type="/XObject", Subtype="/Form", BBox=corners, Resources=to(resources), **grouped
    )


def _grey_picture(image: Image.Image) -> Piece:
    return packed(
        image.tobytes(),
        Type="/XObject",
        Subtype="/Image",
        Width=image.width,
        Height=image.height,
        BitsPerComponent=8,
        ColorSpace="/DeviceGray",
    )


def _plain(path: Path) -> tuple[Path | Layer, ...]:
    """Return a shape as shapes and layers that a PDF can hold."""
    from render.scene.plain import plain

    return plain(path)
