"""The walk through a template that is filled in: it turns elements into items of a scene, and collects findings."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import hypot, inf
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, Span
from render.base.geometry import IDENTITY, MM_PER_POINT, Affine, Rect, Size, box_around
from render.images import inspect
from render.images.tones import read_tone
from render.layout import drawable, shapes, text_element
from render.layout.bounds import of_item as extents_of
from render.layout.drawable import Undrawable, Work
from render.layout.style import (
    Style,
    WrongFace,
    WrongValue,
    box_of,
    inherit,
    read_choice,
    read_extent,
    read_fit,
    view_of,
)
from render.layout.svg.subset import element_name, tag_of
from render.layout.templates.rendering import Filled, Tally
from render.layout.templates.template import Template
from render.scene import outlines
from render.scene.items import (
    REACH,
    ClipShape,
    Color,
    Group,
    Item,
    Layer,
    Path,
    Picture,
    Scene,
    SoftShape,
    Stroke,
    TextRun,
    crop_picture,
)
from render.text import fitting, fonts, glyph_outlines
from render.text.fitting import Fitted, FittedLine
from render.text.font_files.font_face import FaceChain, FontFault
from render.text.line_breaking import InlineIcon, LetterLine, LetterShadow
from render.text.line_setting import PlacedIcon, RunEffect

if TYPE_CHECKING:
    from render.layout.icons import DrawnIcon, IconDrawing
    from render.layout.svg.resolving import ClipRule
    from render.layout.svg.texts import PathRule

MAX_FINDINGS = 100  # of one face
MAX_OVERHANG = 5.0  # mm: the bleed that templates are told to draw, beyond which no sheet shows anything


Pictures = Callable[[str], inspect.Artwork]
"""Finds the picture that a template's `href` names; may raise Refused."""

_MUCH = 4  # times the card: a larger picture is cropped to what shows
_SHORTEST = 1.0  # mm
_TINY = 0.01  # mm: a line of one letter has a box, too
_MAX_CLIPS = 8  # inside each other


class TemplateWalk:
    """Walks the elements of one template, turns them into items, and collects findings on the way."""

    filled: Filled

    def __init__(self, template: Template, pictures: Pictures, *, sets_words: bool = True) -> None:
        self.template = template
        self.pictures = pictures
        self.sets_words = sets_words  # or texts that fit are left out
        self.begin()

    def begin(self) -> None:
        """Begin, with nothing found so far."""
        self.findings: list[Diagnostic] = []
        self.doubts: list[Diagnostic] = []  # warnings, with which it is drawn all the same
        self.trim: Rect | None = None  # the face, of which a line may not hang out; None for an icon
        self.tally = Tally()
        self.window = Rect(0.0, 0.0, 1.0, 1.0)  # the part of the face that can show, at most
        self.seen: shapes.Seen | None = None  # the same as a cache key; None for built-in templates: not weighed
        self.clips = 0
        self.boxes = False  # whether the box around something is being looked for
        self.works: list[Work] = []  # what drawing the shapes takes

    def rewrites(self) -> bool:
        """Rewrite values that are not plain, such as `3px` or `teal`, in plain ones, and begin anew; False if done."""
        rewrites = any(finding.code == "T007" for finding in self.findings) and self.filled.rewrite()
        if rewrites:
            self.begin()
        return rewrites

    def face(self) -> Scene:
        """Return the scene of what the template gave; after a mistake in its root an empty one, since it is refused."""
        element = self.filled.root
        try:
            box = Rect(0.0, 0.0, read_extent(element.attrib, "width"), read_extent(element.attrib, "height"))
            if max(box.width, box.height) < _SHORTEST:
                raise Undrawable(f"is less than {_SHORTEST:g} mm wide and high")
            view = view_of(element, box)
        except (WrongValue, Undrawable) as error:
            self.note_error(element, error)
            return Scene(Size(1.0, 1.0), ())
        self.trim, self.window = box, (window := box.outset(REACH))
        self.seen = None if self.template.is_ours else (window.x, window.y, window.width, window.height)
        items = self.items(view)
        for what in self.works[0] if self.works else ():
            self.tally.add(what, sum(work[what] for work in self.works))
        return Scene(Size(box.width, box.height), items)

    def items(self, space: Affine) -> tuple[Item, ...]:
        """Return what is in the root of what the template gave; nothing after a mistake in the root."""
        root = self.filled.root
        try:
            return tuple(self._within(root, *self._enter(root, space, Style(book=self.template.fonts))))
        except (WrongValue, Undrawable) as error:
            self.note_error(root, error)
            return ()

    def _within(self, elements: Iterable[ET.Element], space: Affine, look: Style) -> Iterator[Item]:
        for child in elements:
            try:
                match tag_of(child):
                    case "g":
                        yield from self._within(child, *self._enter(child, space, look))
                    case "svg":
                        yield from self._nested(child, space, look)
                    case "image":
                        yield from self._image(child, _space(space, child))
                    case "text":
                        yield from self._text(child, *self._enter(child, space, look))
                    case "layer":
                        yield from self._layer(child, *self._enter(child, space, look))
                    case shape:
                        if drawn := shapes.drawn(shape, tuple(child.attrib.items()), space, look, self.seen):
                            self.works += [drawn[1]] if drawn[1] else []
                            yield drawn[0]
            except (WrongValue, Undrawable, FontFault) as error:
                self.note_error(child, error)

    def _cover(self, area: float) -> None:
        """Count a painted area, in mm²."""
        self.tally.add("cards of painted area", area / (self.window.width * self.window.height))

    def _enter(self, element: ET.Element, space: Affine, look: Style) -> tuple[Affine, Style]:
        attributes = tuple(element.attrib.items())
        return _space(space, element), inherit(look, attributes)

    def _nested(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        box = box_of(element.attrib)
        space, look = self._enter(element, space, look)
        # SVG 1.1, 7.9: x and y place the new viewport, and `viewBox` maps into it.
        inner = space @ Affine.move(box.x, box.y) @ view_of(element, Rect(0.0, 0.0, box.width, box.height))
        items = self._within(element, inner, look)
        # SVG 1.1, 14.3.3: a nested viewport clips unless it says otherwise.
        clips = read_choice("overflow", element.get("overflow", "hidden"), {"hidden": True, "visible": False})
        yield from self._clipped(box, space, items) if clips else items

    def _clipped(self, box: Rect, space: Affine, items: Iterator[Item]) -> Iterator[Item]:
        """Yield items clipped to a box of their own space."""
        clip = drawable.upright(box, space)
        drawable.check_box(clip or space.box(box))
        with self._clipping(clip or space.box(box)):
            # `items` is a generator: its elements are laid out here, while this clip counts.
            inside = tuple(items)
        if clip:
            yield Group(clip, inside)
        else:
            sides = box.x, box.y, box.width, box.height
            yield Layer(items=inside, clips=(ClipShape(outlines.move_outlines(outlines.rect(*sides), space)),))

    @contextmanager
    def _clipping(self, box: Rect) -> Iterator[None]:
        """Count something that is drawn by itself and then covers a box, as long as it is laid out."""
        if self.clips == _MAX_CLIPS:
            raise Undrawable(f"stands within {_MAX_CLIPS} others that clip it, and no more are drawn")
        self._cover(box.shared_area(self.window))
        self.clips += 1
        try:
            yield
        finally:
            self.clips -= 1

    def _layer(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        """Yield what is clipped by outlines or seen through."""
        from render.layout.shapes import clips_of, upright_box

        self.tally.add("layers", 1)
        clip = cast("ClipRule | None", element.get("clip-path"))
        with self._clipping(self.window):
            clips = tuple(clips_of(clip, space, lambda: self._box_within(element, look))) if clip else ()
            items = tuple(self._within(element, space, look))
        self.works += [drawable.work_of(Path(each.outlines), self.window) for each in clips if each.outlines]
        opacity = float(element.get("opacity", "1"))
        box = upright_box(clips) if opacity >= 1 else None
        if box and items:
            yield Group(box, items)
        elif items and all(each.outlines for each in clips):
            yield Layer(items=items, opacity=opacity, clips=clips)

    def _box_within(self, element: ET.Element, look: Style) -> Rect:
        """Return the box around what an element draws, in its own space."""
        from render.layout.shapes import geometry_box

        if self.boxes:
            raise Undrawable("is clipped by the box around what is clipped by its box, and that is not drawn")
        self.boxes, works = True, len(self.works)
        try:
            return geometry_box(tuple(self._within(element, IDENTITY, look)))
        finally:
            self.boxes = False
            del self.works[works:]

    def _image(self, element: ET.Element, space: Affine) -> Iterator[Item]:
        href = element.get("href", "")
        if not href:
            raise WrongValue("href", "expected the name of a picture")
        box = box_of(element.attrib)
        try:
            picture = self.pictures(href)
        except Refused as error:
            self.note_refused(element, error)
            return
        tone, framed = _tone(element, picture), inspect.frame(picture, box, read_fit(element))
        if framed is None:
            yield from self._placed(picture, inspect.place(picture, box, read_fit(element)), tone, space)
            return
        placed, turn = framed
        x, y = box.center
        turned = space @ Affine.move(x, y) @ Affine.rotate(turn) @ Affine.move(-x, -y) if turn else space
        items = self._placed(picture, placed, tone, turned)
        yield from items if turn % 90 == 0 else self._clipped(box, space, items)

    def _placed(
        self, picture: inspect.Artwork, placed: inspect.PicturePlacement, tone: str, space: Affine
    ) -> Iterator[Item]:
        """Yield a picture at its place in the space of its element."""
        # A back end's picture is upright or turned by 180 degrees: any other is within a layer.
        turned = IDENTITY
        if space.a * space.d <= 0 or space.b or space.c:
            if drawable.flattens(space):
                return
            # The size that it is drawn at is that of its box, by which its resolution is judged.
            size = Affine.scale(hypot(space.a, space.b), hypot(space.c, space.d))
            turned, space = space @ size.inverse, size
        upright = space.box(placed.box)
        drawable.check_box(around := upright if turned == IDENTITY else turned.box(upright))
        self.tally.add("pictures", 1)
        self._cover(around.shared_area(self.window))
        shown = Picture(
            file=picture.file,
            digest=picture.digest,
            box=upright,
            crop=placed.crop,
            turned=space.a < 0,
            tone=tone,
            is_sheer=picture.is_sheer,
        )
        window, is_huge = self.window, upright.width * upright.height > _MUCH * self.window.width * self.window.height
        if turned != IDENTITY:
            self.tally.add("layers", 1)
            window = turned.inverse.box(window)
            is_huge = upright.width > _MUCH * window.width
        part = crop_picture(shown, window) if is_huge else shown  # of a huge picture only the part that shows
        if part:
            yield part if turned == IDENTITY else Layer(items=(part,), transform=turned)

    def _text(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        try:
            blocks = text_element.read_blocks(element, look, self._icon)
        except Refused as error:  # of the file of an icon
            self.note_refused(element, error)
            return
        styled = [each for block in blocks for each in (*block.sign, *block.words)]
        text = "".join([text for text, _ in styled])
        self.tally.add("characters of text", len(text))
        room = text_element.room(tuple(element.attrib.items()), look)
        scales = [1.0, *(style.scale for _, style in styled)]  # of words, by the size of the text
        # Letters that a transform squeezes flat do not show, and have no size to be fitted at.
        if not drawable.check_letters((room.smallest or look.size) * min(scales), look.size * max(scales), space):
            return
        if not text.isascii() or fonts.missing(text):  # nearly never
            unprinted = text_element.unprinted(element, blocks, self.template.fonts)
            self.add(*(self.finding(element, *each) for each in unprinted))
        rule = cast("PathRule | None", element.get("along"))
        path = text_element.path_of(rule) if rule else None
        fitted = text_element.fit_text(blocks, room, path)
        if isinstance(fitted, fitting.TooLong | fitting.TooMuch):
            at_least = "" if room.smallest == look.size else ", its smallest size,"
            self.add(self.finding(element, *text_element.misfit(element, fitted, space.growth, at_least)))
            return
        if any(isinstance(style.face, FaceChain) for _, style in styled):
            for *found, has_outline in text_element.colored(element, fitted):
                if has_outline:
                    self.doubts.append(replace(self.finding(element, *found), severity=Severity.WARNING))
                else:
                    self.add(self.finding(element, *found))
        if isinstance(fitted, FittedLine):
            x, y = fitted.setting.x, fitted.setting.baseline
            if space != IDENTITY or not abs(x) + abs(y) + fitted.length < drawable.MAX_DRAWN_DISTANCE:
                drawable.check_box(space.box(Rect(x, y, fitted.length, 0.0)))
            if isinstance(room, fitting.TextLine) and room.width == inf and not (self.clips or self.boxes):
                size, rise = fitted.setting.size, text_element.CAPITALS * fitted.setting.size
                at_size = f": at {size * space.growth / MM_PER_POINT:.1f} pt it is"
                message = f"{at_size} {fitted.length * space.growth:.1f} mm long"
                hint = "give `<text>` a `width` and a `min-size`, so that it shrinks; or shorten it, or move it"
                self.check_overhang(element, space.box(Rect(x, y - rise, fitted.length, rise)), message, hint)
        elif path is not None and fitted.runs:
            box = space.box(box_around([run.transform.apply(0.0, 0.0) for run in fitted.runs])).outset(_TINY)
            drawable.check_box(box)
            if not (self.clips or self.boxes):
                self.check_overhang(element, box, ", with its path", "move the path")
        if self.sets_words or any(block.rule for block in blocks) or any(style.icon for _, style in styled):
            yield from self._set(fitted, space)

    def _icon(self, element: ET.Element, color: Color) -> InlineIcon:
        """Return an icon of a text."""
        from render.layout import icons

        self.tally.add("icons in texts", 1)
        return icons.read_icon(element, self.template, color)

    def _set(self, fitted: Fitted, space: Affine) -> Iterator[Item]:
        """Yield the words of a text, its rules and its icons."""
        words = fitted.runs
        has_more = fitted.rules or len(words) < len(fitted.items)
        effects = [each for each in fitted.items if isinstance(each, RunEffect)] if has_more else []
        for each in effects:
            if isinstance(each.effect, LetterShadow):
                yield from self._shadow(each.runs, each.effect, each.width, space)
        yield from self._letter_lines(effects, space, beneath=True)
        yield from words if space == IDENTITY else (run.taken(space) for run in words)
        yield from self._letter_lines(effects, space, beneath=False)
        if not has_more:
            return
        from render.layout import icons

        for rule in fitted.rules:
            path = icons.drawn_rule(rule, space)
            self.works.append(drawable.work_of(path, self.window))
            yield path
        for placed in fitted.items:
            if isinstance(placed, PlacedIcon):
                drawing = icons.drawing_of(placed, self.template)
                at = space if placed.turned == IDENTITY else space @ placed.turned
                yield from self.drawn_icon(drawing, drawable.check_space(at @ drawing.place(placed.box)))

    def _letter_lines(self, effects: Iterable[RunEffect], space: Affine, *, beneath: bool) -> Iterator[Path]:
        """Yield the lines around letters that are drawn beneath these, or over them."""
        for each in effects:
            line, runs = each.effect, [run.taken(space) for run in each.runs]
            if isinstance(line, LetterLine) and line.beneath is beneath and (letters := glyph_outlines.outlined(*runs)):
                path = replace(letters, fill=None, stroke=line.stroke.scaled(runs[0].size * space.growth))
                self.works.append(drawable.work_of(path, self.window))
                yield path

    def _shadow(self, runs: Sequence[TextRun], shadow: LetterShadow, width: float, space: Affine) -> Iterator[Item]:
        """Yield a shadow of letters with a line of some width, in em."""
        size = runs[0].size
        moved = Affine.move(shadow.dx * size, shadow.dy * size)
        letters = glyph_outlines.outlined(*(run.taken(space @ moved) for run in runs))
        if letters is None:
            return
        em, item = size * space.growth, cast("Item", replace(letters, fill=shadow.color))
        if shadow.blur:
            from render.images.soft_shapes import box_of_soft

            soft = SoftShape(letters.outlines, width * em, shadow.blur * em)
            ground = Path(outlines.rect_of(box_of_soft(soft)), shadow.color)
            item = Layer(items=(ground,), opacity=shadow.opacity, mask=(soft,))
        elif width:
            line = Stroke(color=shadow.color, width=width * em, join="round")
            item = replace(letters, fill=shadow.color, stroke=line)
        if isinstance(item, Path):
            self.works.append(drawable.work_of(item, self.window))
            item = item if shadow.opacity >= 1 else Layer(items=(item,), opacity=shadow.opacity)
        if isinstance(item, Layer):
            self.tally.add("layers", 1)
            self._cover(extents_of(item).shared_area(self.window))
        yield item

    def drawn_icon(self, drawing: IconDrawing, place: Affine) -> tuple[Item, ...]:
        """Return what an icon draws at its place, kept for further faces, and count it."""
        where = place, self.window, self.seen is None, self.clips
        drawn = drawing.drawn.get(where)
        if drawn is None:
            walk = _IconWalk(self, drawing)
            try:
                drawn = walk.drawn(place)
            except Refused as error:
                self.add(*error.findings)
                return ()
            if not walk.findings and "pictures" not in walk.tally.spent:  # which each card looks for by itself
                drawing.keep(where, drawn)
            self.add(*walk.findings)
        items, works, spent = drawn
        self.works += works
        for what, amount in spent.items():
            self.tally.add(what, amount)
        return items

    # --- findings -----

    def add(self, *findings: Diagnostic) -> None:
        """Add findings, unless there are many already."""
        self.findings += findings[: max(MAX_FINDINGS - len(self.findings), 0)]

    def note_error(self, element: ET.Element, error: WrongValue | Undrawable | FontFault) -> None:
        """Note a value that an attribute cannot have, what cannot be drawn, or what is wrong with a font, at its file."""
        match error:
            case FontFault():
                self.add(error.problem.at(Span(file=error.file or self.template.file)))
            case Undrawable():
                self._note("T011", f"`{element_name(element)}` {error}", element)
            case WrongFace() if element.get("id"):
                self.add(self.finding(element, "L007", str(error)))
            case WrongFace():
                self._note("L007", str(error), element)
            case _:
                from render.layout.templates.mistakes import shorten_words

                name = f"`{error.attribute}` of `{error.element or element_name(element)}`"
                self._note("T007", f"{name}: {shorten_words(str(error))}", element, error.attribute, error.hint)

    def _note(self, code: str, message: str, element: ET.Element, attribute: str = "", hint: str = "") -> None:
        self.add(self.filled.told(Diagnostic(code, message, hint), self.filled.place(element, attribute)))

    def note_refused(self, element: ET.Element, error: Refused) -> None:
        """Note what is wrong with a file that an element names; what has a place of its own keeps it."""
        name = f"`href` of `{element_name(element)}`"
        for finding in error.findings:
            if finding.span is None:
                self._note(finding.code, f"{name}: {finding.message}", element, "href", finding.hint)
            else:
                self.add(finding)

    def check_overhang(self, element: ET.Element, box: Rect, how: str, hint: str) -> None:
        """Note a line whose box on the card leaves the face by more than its bleed."""
        if (face := self.trim) is None:
            return
        beyond = max(face.x - box.x, face.y - box.y, box.right - face.right, box.bottom - face.bottom)
        if beyond > MAX_OVERHANG:
            on_card = box.shared(face)
            name = element.get("id", "") or element_name(element)
            if on_card.width <= 0 or on_card.height <= 0:
                hint = "move it: no part of it is on the card"
            found = self.finding(element, "L010", f"`{name}` hangs {beyond:.1f} mm out of the card{how}", hint)
            self.doubts.append(replace(found, severity=Severity.WARNING))

    def finding(self, element: ET.Element, code: str, message: str, hint: str = "") -> Diagnostic:
        """Return a finding about a text: of the card's key that its `id` names, or else of the template."""
        field = element.get("id", "")
        place = Span(file=self.template.file) if field else self.filled.place(element)
        return Diagnostic(code, message, hint).at(place, field=field)


class _IconWalk(TemplateWalk):
    """A walk through an icon that stands in a text, which is a part of its face.

    Its letters are drawn as shapes: what is found and copied are the words that the icon stands for.
    """

    def __init__(self, face: TemplateWalk, drawing: IconDrawing) -> None:
        self.around = face
        super().__init__(drawing.template, face.pictures)
        self.filled = drawing.filled

    def begin(self) -> None:
        super().begin()
        face = self.around
        self.window, self.seen, self.clips = face.window, face.seen, face.clips

    def drawn(self, place: Affine) -> DrawnIcon:
        """Return what an icon draws at its place."""
        items = self.items(place)
        if self.rewrites():
            items = self.items(place)
        return tuple(glyph_outlines.signs(items)), tuple(self.works), self.tally.spent

    def _icon(self, element: ET.Element, color: Color) -> InlineIcon:
        raise WrongValue("href", "an icon holds no other icon")


def _tone(element: ET.Element, picture: inspect.Artwork) -> str:
    """Return the tone of a picture: that of its card, else that of the element."""
    tone = element.get("tone", "")
    try:
        return picture.framing.tone or (read_tone(tone) if tone else "")
    except ValueError as error:
        raise WrongValue("tone", f"expected {error}, found `{tone}`") from None


def _space(space: Affine, element: ET.Element) -> Affine:
    value = element.get("transform")
    return space if value is None else drawable.check_space(space @ shapes.transform(value))
