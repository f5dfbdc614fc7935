"""Layout: a template filled with a card's values becomes a scene.

Everything is decided here: line breaks, sizes, glyph positions, the place of the picture. The scene is complete.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, cast

from render.base.findings import Finding, Problem, Refused, Span, quoted
from render.base.geometry import IDENTITY, Affine, Rect, Size
from render.images import inspect
from render.layout import drawable, shape_element, text_element
from render.layout.drawable import Undrawable, Work
from render.layout.style import Style, WrongValue, box_of, inherit, read_extent, read_fit, view_of
from render.layout.templates.budget import Overspent, Tally
from render.layout.templates.rendering import (
    Filled,
    Template,
    element_name,
    fill_in,
    local_name,
    overspent_finding,
    shorten_words,
)
from render.scene import outlines
from render.scene.items import REACH, ClipShape, Color, Group, Item, Layer, Path, Picture, Scene, TextRun, crop_picture
from render.text import fitting, fonts
from render.text.characters import right_to_left
from render.text.font_files.font_fault import FontFault
from render.text.line_breaking import InlineIcon, Paragraph

if TYPE_CHECKING:
    from render.layout.rich_element import IconDrawing
    from render.layout.svg.clips import Clipped
    from render.text.rich_fitting import SetRich
    from render.text.rich_lines import PlacedIcon

Pictures = Callable[[str], inspect.Artwork]
"""Finds the picture that a template's `href` names; may raise Refused."""

_MUCH = 4  # times the card: a larger picture is cropped to what shows
_SHORTEST, _LONGEST = 1.0, 200.0  # mm: no card is longer; work for a longer face is counted as if scaled down
_MAX_CLIPS = 8  # inside each other
MAX_FINDINGS = 100  # of one face
_SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})


def lay_out(template: Template, values: Mapping[str, object], pictures: Pictures) -> Scene:
    """Return the scene of a face; Refused with everything that is wrong with the template or does not fit.

    A text that does not fit is a finding whose `field` is its element's `id`: by convention the card's key.
    """
    return _walked(_Walk(template, pictures), values)


def validate(template: Template, values: Mapping[str, object], pictures: Pictures) -> Scene:
    """Check as `lay_out` does, but set no text that fits: that finds all mistakes, and the places of pictures."""
    return _walked(_Trial(template, pictures), values)


@dataclass(frozen=True, slots=True)
class FacePart:
    """What an element of a template with an `id` drew: by convention, the id is the key of the card that it shows.

    Pictures mostly have none: their digests tell which they are. A text has at least one run for each of its lines.
    """

    id: str
    items: tuple[TextRun | Picture, ...]


def lay_out_parts(template: Template, values: Mapping[str, object], pictures: Pictures) -> tuple[Size, list[FacePart]]:
    """Return the size of a face, and the texts and pictures on it, each with its id; Refused as in `lay_out`."""
    walk = _Listing(template, pictures)
    scene = _walked(walk, values)
    return scene.size, walk.parts


def _walked(walk: _Walk, values: Mapping[str, object]) -> Scene:
    filled = fill_in(walk.template, values)
    try:
        scene = walk.face(filled)
        # A value that is not plain, such as `3px` or `teal`, is rewritten in plain ones, and then tried again.
        if any(finding.code == "T007" for finding in walk.findings) and filled.rewrite():
            walk.begin()
            scene = walk.face(filled)
    except Overspent as error:
        raise Refused([overspent_finding(error, walk.template)]) from None
    if walk.findings:
        raise Refused(walk.findings)
    return scene


class _Walk:
    """Walks the elements of one template, turns them into items, and collects findings on the way."""

    def __init__(self, template: Template, pictures: Pictures) -> None:
        self.template = template
        self.pictures = pictures
        self.begin()

    def begin(self) -> None:
        """Begin, with nothing found so far."""
        self.findings: list[Finding] = []
        self.tally = Tally()
        self.window = Rect(0.0, 0.0, 1.0, 1.0)  # the part of the face that can show, at most
        self.seen: shape_element.Seen | None = None  # the same as a cache key; None for built-in templates: not weighed
        self.unit = 1.0  # the factor by which a face larger than a card is at least scaled down
        self.clips = 0
        self.boxes = False  # whether the box around something is being looked for
        self.works: list[Work] = []  # what drawing the shapes takes

    def face(self, filled: Filled) -> Scene:
        """Return the scene of what the template gave."""
        self.filled = filled
        return self.root(filled.root)

    def root(self, element: ET.Element) -> Scene:
        try:
            # After a mistake in the root, an empty scene ends the walk; nobody sees it, since the findings refuse the
            # face.
            box = Rect(0.0, 0.0, read_extent(element.attrib, "width"), read_extent(element.attrib, "height"))
            if max(box.width, box.height) < _SHORTEST:
                raise Undrawable(f"is less than {_SHORTEST:g} mm wide and high")
            view = view_of(element, box)
        except WrongValue as error:
            self._wrong(element, error)
            return Scene(Size(1.0, 1.0), ())
        except Undrawable as error:
            self._undrawable(element, error)
            return Scene(Size(1.0, 1.0), ())
        self.window = window = box.outset(REACH)
        self.seen = None if self.template.is_ours else (window.x, window.y, window.width, window.height)
        self.unit = min(_LONGEST / max(box.width, box.height), 1.0)
        items = tuple(self._children(element, view, Style(book=self.template.fonts)))
        self._count(drawable.total(self.works))
        return Scene(Size(box.width, box.height), items)

    def _children(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        try:
            space, look = self._enter(element, space, look)
        except WrongValue as error:
            self._wrong(element, error)
            return
        except Undrawable as error:
            self._undrawable(element, error)
            return
        yield from self._within(element, space, look)

    def _within(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        for child in element:
            tag = local_name(child.tag)
            try:
                if tag in _SHAPES:
                    drawn = shape_element.drawn(tag, tuple(child.attrib.items()), space, look, self.seen)
                    if drawn:
                        self.works.append(drawn[1])
                        yield drawn[0]
                else:
                    yield from self._items(tag, child, space, look)
            except WrongValue as error:
                self._wrong(child, error)
            except Undrawable as error:
                self._undrawable(child, error)
            except FontFault as fault:
                self._note_font(fault)

    def _count(self, work: Work) -> None:
        """Count what drawing the shapes of the face takes."""
        add = self.tally.add
        add("points of outlines", work.points)
        add("dashes", work.dashes)
        add("edges", work.edges)
        add("pieces of lines", work.pieces)
        add("mm of edges, measured downwards", work.fall * self.unit)
        self._cover(work.area)

    def _cover(self, area: float) -> None:
        """Count a painted area, in mm²."""
        self.tally.add("cards of painted area", area / (self.window.width * self.window.height))

    def _enter(self, element: ET.Element, space: Affine, look: Style) -> tuple[Affine, Style]:
        attributes = tuple(element.attrib.items())
        return _space(space, element), inherit(look, attributes)

    def _items(self, tag: str, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        match tag:
            case "g":
                yield from self._children(element, space, look)
            case "svg":
                yield from self._nested(element, space, look)
            case "image":
                yield from self._image(element, _space(space, element))
            case "text":
                yield from self._text(element, *self._enter(element, space, look))
            case "layer":
                yield from self._layer(element, *self._enter(element, space, look))

    def _nested(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        box = box_of(element.attrib)
        space, look = self._enter(element, space, look)
        # SVG 1.1, 7.9: x and y place the new viewport, and `viewBox` maps into it.
        inner = space @ Affine.move(box.x, box.y) @ view_of(element, Rect(0.0, 0.0, box.width, box.height))
        items = self._within(element, inner, look)
        # SVG 1.1, 14.3.3: a nested viewport clips unless it says otherwise.
        match element.get("overflow", "hidden"):
            case "visible":
                yield from items
            case "hidden":
                yield from self._clipped(box, space, items)
            case other:
                raise WrongValue("overflow", f"expected `hidden` or `visible`, found `{other}`")

    def _clipped(self, box: Rect, space: Affine, items: Iterator[Item]) -> Iterator[Item]:
        """Yield items clipped to a box of their own space."""
        clip = _upright(box, space)
        drawable.check_box(clip or space.box(box))
        with self._covered(clip or space.box(box)):
            # `items` is a generator: its elements are laid out here, while this clip counts.
            inside = tuple(items)
        if clip:
            yield Group(clip, inside)
        else:
            yield Layer(items=inside, clips=(ClipShape(outlines.move_outlines(outlines.rect(*_sides(box)), space)),))

    @contextmanager
    def _covered(self, box: Rect) -> Iterator[None]:
        """Count something that is drawn by itself and then covers a box, as long as it is laid out."""
        if self.clips == _MAX_CLIPS:
            raise Undrawable(f"stands within {_MAX_CLIPS} others that clip it, and no more are drawn")
        seen = box.shared(self.window)
        self._cover(max(seen.width, 0.0) * max(seen.height, 0.0))
        self.clips += 1
        try:
            yield
        finally:
            self.clips -= 1

    def _layer(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        """Yield what is clipped by outlines or seen through."""
        from render.layout.layer_element import clips_of, upright_box  # noqa: PLC0415 - most templates have no layers

        self.tally.add("layers", 1)
        clip = cast("Clipped | None", element.get("clip-path"))
        with self._covered(self.window):
            clips = tuple(clips_of(clip.rule, space, lambda: self._box_within(element, look))) if clip else ()
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
        from render.layout.layer_element import geometry_box  # noqa: PLC0415 - most templates have no layers

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
        # A back end's picture is upright or turned by 180 degrees: any other is within a layer.
        turned = IDENTITY
        if space.a * space.d <= 0 or space.b or space.c:
            if drawable.flattens(space):
                return
            # The size that it is drawn at is that of its box, by which its resolution is judged.
            size = Affine.scale(hypot(space.a, space.b), hypot(space.c, space.d))
            turned, space = space @ size.inverse, size
        try:
            picture = self.pictures(href)
        except Refused as error:
            self._note_refused(element, error)
            return
        placed = inspect.place(picture, box, read_fit(element))
        upright = space.box(placed.box)
        drawable.check_box(around := upright if turned == IDENTITY else turned.box(upright))
        self.tally.add("pictures", 1)
        seen = around.shared(self.window)
        self._cover(max(seen.width, 0.0) * max(seen.height, 0.0))
        shown = Picture(file=picture.file, digest=picture.digest, box=upright, crop=placed.crop, turned=space.a < 0)
        if turned != IDENTITY:
            self.tally.add("layers", 1)
            window = turned.inverse.box(self.window)
            part = crop_picture(shown, window) if upright.width > _MUCH * window.width else shown
            yield from (Layer(items=(part,), transform=turned),) if part else ()
        elif upright.width * upright.height > _MUCH * self.window.width * self.window.height:
            part = crop_picture(shown, self.window)  # of a huge picture only the part that shows
            yield from (part,) if part else ()
        else:
            yield shown

    def _text(self, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        try:
            paragraphs, scales = self._paragraphs(element, look)
        except Refused as error:  # of the file of an icon
            self._note_refused(element, error)
            return
        text = "".join(text for paragraph in paragraphs for text, _ in paragraph)
        self.tally.add("characters of text", len(text))
        room = text_element.room(tuple(element.attrib.items()), look)
        # Letters that a transform squeezes flat do not show, and have no size to be fitted at.
        if not drawable.check_letters((room.smallest or look.size) * scales[0], look.size * scales[1], space):
            return
        if not text.isascii() or fonts.missing(text):  # nearly never
            self._check_glyphs(element, paragraphs)
        fitted = text_element.fit_text(paragraphs, room)
        if isinstance(fitted, fitting.TooLong | fitting.TooMuch):
            at_least = "" if room.smallest == look.size else ", its smallest size,"
            self.findings.append(self._finding(element, *text_element.misfit(element, fitted, space.growth, at_least)))
            return
        line = fitted if isinstance(fitted, fitting.FittedLine) else getattr(fitted, "line", None)
        if line is not None:
            self._check_line(line, space)
        if isinstance(fitted, fitting.Fitted):
            yield from self._set(fitted, space)
        else:
            yield from self._set_rich(fitted.setting, space)

    def _paragraphs(self, element: ET.Element, look: Style) -> tuple[tuple[Paragraph, ...], tuple[float, float]]:
        """Return the paragraphs of a text, and its smallest and largest words by its size; Refused."""
        if not len(element) or not text_element.is_rich(element):
            return text_element.paragraphs(element, look), (1.0, 1.0)
        from render.layout import rich_element  # noqa: PLC0415 - most templates have no such texts

        rich = rich_element.rich_paragraphs(element, look, self._icon)
        return rich, rich.scales

    def _check_line(self, line: fitting.FittedLine, space: Affine) -> None:
        """Check how far a line reaches, unless it plainly does not reach far."""
        x, y = line.setting.x, line.setting.baseline
        if space != IDENTITY or not abs(x) + abs(y) + line.length < drawable.MAX_DISTANCE:
            drawable.check_box(space.box(Rect(x, y, line.length, 0.0)))

    def _set(self, fitted: fitting.Fitted, space: Affine) -> Iterator[TextRun]:
        for run in fitted.runs:
            yield run if space == IDENTITY else run.taken(space)

    def _icon(self, element: ET.Element, color: Color) -> InlineIcon:
        """Return an icon of a text."""
        from render.layout import rich_element  # noqa: PLC0415 - as above

        self.tally.add("icons in texts", 1)
        return rich_element.read_icon(element, self.template, color)

    def _set_rich(self, setting: SetRich, space: Affine) -> Iterator[Item]:
        """Yield the words of a rich text, its rules and its icons."""
        from render.layout import rich_element  # noqa: PLC0415 - as above

        yield from (item.taken(space) for item in setting.items if isinstance(item, TextRun))
        for rule in setting.rules:
            path = rich_element.drawn_rule(rule, space)
            self.works.append(drawable.work_of(path, self.window))
            yield path
        for placed in setting.items:
            if not isinstance(placed, TextRun):
                yield from _IconWalk(self, rich_element.drawing_of(placed, self.template)).drawn(placed, space)

    def _check_glyphs(self, element: ET.Element, paragraphs: tuple[Paragraph, ...]) -> None:
        if self._is_right_to_left(element, paragraphs):
            return
        lost = {
            text[index]
            for paragraph in paragraphs
            for words, style in paragraph
            for text in (words if style.icon is None else style.icon.words,)
            for index in fonts.missing(text, style.face)
        }
        for char in sorted(lost):
            message = f"no bundled font has the character `{char}` (U+{ord(char):04X}) of `{element_name(element)}`"
            self.findings.append(self._finding(element, "L003", message))

    def _is_right_to_left(self, element: ET.Element, paragraphs: tuple[Paragraph, ...]) -> bool:
        """Note letters that run from right to left; return whether there are any."""
        texts = (text for paragraph in paragraphs for text, _ in paragraph if not text.isascii())
        words = next(filter(None, map(right_to_left, texts)), "")
        if words:
            hint = f"write {quoted(words)} in Latin, Greek or Cyrillic letters"
            message = f"right-to-left text is not supported, in `{element_name(element)}`"
            self.findings.append(self._finding(element, "L009", message, hint))
        return bool(words)

    def _wrong(self, element: ET.Element, error: WrongValue) -> None:
        name = f"template `{self.template.name}`: `{error.attribute}` of `{error.element or element_name(element)}`"
        self._note("T007", f"{name}: {shorten_words(str(error))}", element, error.attribute)

    def _note_refused(self, element: ET.Element, error: Refused) -> None:
        """Note what is wrong with a file that an element names; what has a place of its own keeps it."""
        name = f"template `{self.template.name}`: `href` of `{element_name(element)}`"
        for finding in error.findings:
            told = Problem(finding.code, f"{name}: {finding.message}", finding.hint)
            place = self.filled.place(element, "href")
            self.findings.append(told.at(place) if finding.span is None else finding)

    def _undrawable(self, element: ET.Element, error: Undrawable) -> None:
        self._note("T011", f"template `{self.template.name}`: `{element_name(element)}` {error}", element)

    def _note_font(self, fault: FontFault) -> None:
        """Note what is wrong with a font, at its file."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(fault.problem.at(Span(file=fault.file or self.template.file)))

    def _note(self, code: str, message: str, element: ET.Element, attribute: str = "") -> None:
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Problem(code, message).at(self.filled.place(element, attribute)))

    def _finding(self, element: ET.Element, code: str, message: str, hint: str = "") -> Finding:
        """Return a finding about a text: of the card's key that its `id` names, or else of the template."""
        field = element.get("id", "")
        place = Span(file=self.template.file) if field else self.filled.place(element)
        return Problem(code, message, hint).at(place, field=field)


class _Trial(_Walk):
    """A walk that skips what can no longer fail: texts that fit are not set."""

    def _set(self, fitted: fitting.Fitted, space: Affine) -> Iterator[TextRun]:  # noqa: ARG002 - as in a walk
        return iter(())


class _IconWalk(_Walk):
    """A walk through an icon that stands in a text: a part of its face, with which it shares what is counted.

    Its letters are drawn as shapes: what is found and copied are the words that the icon stands for.
    """

    def __init__(self, face: _Walk, drawing: IconDrawing) -> None:
        super().__init__(drawing.template, face.pictures)
        self.filled, self._drawing = drawing.filled, drawing
        self.findings, self.tally, self.works = face.findings, face.tally, face.works
        self.window, self.seen, self.unit, self.clips = face.window, face.seen, face.unit, face.clips

    def drawn(self, placed: PlacedIcon, space: Affine) -> Iterator[Item]:
        """Yield what an icon draws, where it stands."""
        from render.text.glyph_outlines import lettered  # noqa: PLC0415 - most templates have no such texts

        found, works = len(self.findings), len(self.works)
        place = drawable.check_space(space @ self._drawing.place(placed.box))
        items = tuple(self._children(self.filled.root, place, Style(book=self.template.fonts)))
        # As of a face, values that are not plain are rewritten.
        if any(each.code == "T007" for each in self.findings[found:]) and self.filled.rewrite():
            del self.findings[found:], self.works[works:]
            items = tuple(self._children(self.filled.root, place, Style(book=self.template.fonts)))
        yield from lettered(items)

    def _icon(self, element: ET.Element, color: Color) -> InlineIcon:  # noqa: ARG002 - as in a walk
        raise WrongValue("href", "an icon holds no other icon")


class _Listing(_Walk):
    """A walk that notes which element drew what."""

    def __init__(self, template: Template, pictures: Pictures) -> None:
        super().__init__(template, pictures)

    def begin(self) -> None:
        super().begin()
        self.parts: list[FacePart] = []

    def _items(self, tag: str, element: ET.Element, space: Affine, look: Style) -> Iterator[Item]:
        drawn = tuple(super()._items(tag, element, space, look))
        found = tuple(item for item in drawn if isinstance(item, TextRun | Picture)) if tag in ("text", "image") else ()
        if found:
            self.parts.append(FacePart(element.get("id", ""), found))
        yield from drawn


def _space(space: Affine, element: ET.Element) -> Affine:
    value = element.get("transform")
    return space if value is None else drawable.check_space(space @ shape_element.transform(value))


def _upright(box: Rect, space: Affine) -> Rect | None:
    """Return the box in the scene's space; None for a map that does not keep it a box."""
    if not ((space.b == 0 and space.c == 0) or (space.a == 0 and space.d == 0)):
        return None
    (xa, ya), (xb, yb) = space.apply(box.x, box.y), space.apply(box.right, box.bottom)
    return Rect(min(xa, xb), min(ya, yb), abs(xb - xa), abs(yb - ya))


def _sides(box: Rect) -> tuple[float, float, float, float]:
    return box.x, box.y, box.width, box.height
