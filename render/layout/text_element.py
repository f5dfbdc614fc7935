"""Text elements: `<text>` and `<tspan>` of a template as paragraphs, lines and boxes for `text` to set."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor, inf
from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import quoted
from render.base.geometry import IDENTITY, MM_PER_POINT, Rect
from render.layout.drawable import Undrawable
from render.layout.style import (
    Attributes,
    Style,
    WrongFace,
    WrongValue,
    box_of,
    inherit,
    read_box,
    read_choice,
    read_extent,
    read_length,
)
from render.layout.svg.subset import element_name, tag_of
from render.scene.items import Color
from render.text import fitting, fonts
from render.text.box_lines import BEHIND_SIGN, Leading, TextBlock, TextBox, TextRule
from render.text.font_book import FontBook
from render.text.font_files.font_face import OwnFace
from render.text.line_breaking import (
    ICON,
    ROUNDING,
    InlineIcon,
    LetterLine,
    LetterShadow,
    Paragraph,
    Styled,
    TextStyle,
    width_of,
)
from render.text.path_setting import MAX_SEGMENTS, TextPath

if TYPE_CHECKING:
    from render.layout.svg.texts import PathRule

OF_LINES = frozenset(("min-stretch",))
OF_BOXES = frozenset(
    "size-step leading line-gap paragraph-gap max-space-growth min-leading min-paragraph-gap vertical-align around "
    "optional-size bullets".split()
)
"""Attributes that mean nothing to a line, and to a box."""

MIN_PIXELS, MAX_PIXELS = 6, 600  # in the size of letters that advance by whole pixels
MAX_SPACING = 2  # times the size
MAX_SHADOW = 2  # times the size: how far a shadow lies off, and fades
MAX_LINE = 0.5  # of the size: the width of a line around letters
MAX_OPTIONAL = 100  # parts of a text that are printed only where they fit
_RULE_WIDTH = 0.05  # of the size: as thick as a thin stroke of a letter
MIN_SCALE, MAX_SCALE = 0.25, 4.0  # of the size of the text
_BULLETS = ("•", "–")  # of a list, and of one in it
MAX_SIZES = 1000  # that a text may be tried at; built-in templates try 43 at most


FindIcon = Callable[[ET.Element, Color], InlineIcon]
"""Returns an icon that an element shows, for words of a color around it; may raise WrongValue or Refused."""


def read_blocks(element: ET.Element, look: Style, find: FindIcon) -> tuple[TextBlock, ...]:
    """Return the blocks of a text: each `<tspan display="block">`, and each stretch between them.

    WrongValue names the element inside the text whose value is wrong.
    """
    if not len(element):
        return _plain(element.text or "", look)
    starts_at_right = element.get("direction") == "rtl"
    ends = {"start": float(starts_at_right), "end": float(not starts_at_right)}
    anchor, bullets = ends.get(element.get("text-anchor", "start"), 0.5), element.get("bullets", "").split()
    reader = _Reader(look, find, anchor, bullets or _BULLETS)
    reader.read(element, look)
    reader.close()
    return tuple(reader.blocks)


@cached(1024)
def _plain(text: str, look: Style) -> tuple[TextBlock, ...]:
    """Return the block of a text without child elements; cached, since most are the same on many cards."""
    return (TextBlock(((text, text_style(look)),)),) if text.strip() else ()


@cached(1024)
def text_style(look: Style) -> TextStyle:
    """Return how words of a look are set; WrongValue."""
    line, color = _letter_line(look), look.fill
    if not isinstance(color, tuple):
        if line is None or not isinstance(line.stroke.color, tuple):
            raise WrongValue("fill", "is `none`, and text must have a color or a line")
        color = line.stroke.color
    spacing = look.spacing / look.size
    if not -0.5 <= spacing <= MAX_SPACING:
        raise WrongValue("letter-spacing", f"expected -0.5 to {MAX_SPACING} of the font-size, {look.size:g}")
    between_words = look.word_spacing / look.size
    if not -MAX_SPACING <= between_words <= MAX_SPACING:
        raise WrongValue("word-spacing", f"expected -{MAX_SPACING} to {MAX_SPACING} of the font-size, {look.size:g}")
    face = look.face()
    return TextStyle(
        face,
        color,
        look.size / look.pixel if look.pixel else 0.0,
        spacing,
        line=line,
        word_spacing=between_words,
        features=_features(look, face),
        shadows=tuple(_in_em(each, look.size) for each in look.shadows),
    )


def _in_em(shadow: LetterShadow, size: float) -> LetterShadow:
    if max(abs(shadow.dx), abs(shadow.dy), shadow.blur) > MAX_SHADOW * size:
        raise WrongValue("text-shadow", f"expected lengths of at most {MAX_SHADOW:g} of the font-size, {size:g}")
    return replace(shadow, dx=shadow.dx / size, dy=shadow.dy / size, blur=shadow.blur / size)


def _features(look: Style, face: str) -> fonts.Features:
    """Return the OpenType features that a look switches; WrongValue for one that its face has not."""
    given = (
        ("font-kerning", look.kerning),
        ("font-variant-ligatures", look.ligatures),
        ("font-variant-caps", look.caps),
        ("font-variant-numeric", look.numerals),
        ("font-feature-settings", look.features),  # goes before the others (CSS Fonts 4, 7.2)
    )
    for attribute, features in given:
        lost = [tag for tag, value in features if value and tag not in fonts.features_of(face)]
        if lost:
            hint = "use a font that has it, or leave it out"
            raise WrongValue(attribute, f"the font {quoted(look.family)} has no `{lost[0]}`", hint=hint)
    return tuple({tag: value for _, features in given for tag, value in features}.items())


def _letter_line(look: Style) -> LetterLine | None:
    """Return the line around letters of a look; it shrinks with them."""
    stroke = look.line(1 / look.size)
    if stroke is None:
        return None
    if not isinstance(look.stroke, tuple):
        raise WrongValue("stroke", "the line of a text has one color, and no gradient")
    if stroke.width > MAX_LINE:
        raise WrongValue("stroke-width", f"expected at most {MAX_LINE:g} of the font-size, {look.size:g}")
    return LetterLine(stroke, look.line_first, only=look.fill is None)


class _Reader:
    """Reads the elements of one text into blocks."""

    def __init__(self, look: Style, find: FindIcon, anchor: float, bullets: Sequence[str]) -> None:
        self._look, self._find, self._anchor, self._bullets = look, find, anchor, bullets
        self._lists: list[float] = []  # the lists around, by how far each moves its words
        self._sign: Paragraph = ()  # of the item that begins
        self.blocks: list[TextBlock] = []
        self._words: list[Styled] = []
        self._parts: list[int] = []  # the optional part of each of the words; 0 for what is always printed
        self._follows = False
        self._optional = 0

    def read(self, element: ET.Element, look: Style, optional: int = 0) -> None:
        self._add(element.text or "", look, optional)
        for child in element:
            try:
                self._child(tag_of(child), child, look, optional)
            except WrongValue as error:
                error.element = error.element or element_name(child)
                raise
            self._add(child.tail or "", look, optional)

    def close(self, *, follows: bool = False) -> None:
        """End the open block, if there are words in it; the next one follows at once, or after a gap."""
        if has_words := any(text.strip() for text, _ in self._words):
            parts = tuple(self._parts) if any(self._parts) else ()
            words, indent = tuple(self._words), sum(self._lists)
            self.blocks.append(TextBlock(words, parts, self._follows, indent=indent, sign=self._sign))
            self._sign = ()
        self._follows = follows and (has_words or self._follows or bool(self.blocks))
        self._words, self._parts = [], []

    def _child(self, tag: str, child: ET.Element, look: Style, optional: int) -> None:
        match tag:
            case "br":
                self.close(follows=True)
            case "ul" | "ol":
                self._list(tag, child, look, optional)
            case "rule":
                self.close()
                self.blocks.append(TextBlock(rule=self._rule(child, look)))
            case "icon":
                style = text_style(look)
                style = replace(style, icon=self._find(child, style.fill), scale=self._scale(look))
                self._words.append((ICON, style))
                self._parts.append(optional)
            case _:
                self._tspan(child, look, optional)

    def _list(self, tag: str, element: ET.Element, look: Style, optional: int) -> None:
        """Read a list: its items begin lines, moved as far as the widest sign of an item asks for."""
        if any(text.strip() for text, _ in self._words):
            self.close(follows=True)
        items = [
            item
            for item in element
            if any(text.strip() for text in item.itertext()) or any(tag_of(each) == "icon" for each in item.iter())
        ]
        try:
            first = int(element.get("start", "1"))
        except ValueError:
            raise WrongValue("start", f"expected a number, found `{element.get('start')}`") from None
        bullet = self._bullets[min(len(self._lists), len(self._bullets) - 1)]
        signs = [
            item.get("sign", "").strip() or (f"{number}." if tag == "ol" else bullet)
            for number, item in enumerate(items, first)
        ]
        style = replace(text_style(look), scale=self._scale(look))
        self._lists.append(max((width_of(((sign, style),)) for sign in signs), default=0.0) + BEHIND_SIGN)
        for item, sign in zip(items, signs, strict=True):
            self._sign = ((sign, style),)
            self.read(item, look, optional)
            self.close(follows=True)
        self._lists.pop()

    def _tspan(self, child: ET.Element, look: Style, optional: int) -> None:
        inner = inherit(look, _absolute(child.attrib, look))
        is_optional = read_choice("optional", child.get("optional", "false"), {"true": True, "false": False})
        if is_optional and not optional:
            if self._optional == MAX_OPTIONAL:
                raise WrongValue("optional", f"is said of more than {MAX_OPTIONAL} parts of a text")
            self._optional += 1
            optional = self._optional
        is_block = read_choice("display", child.get("display", "inline"), {"inline": False, "block": True})
        if is_block:
            self.close()
        self.read(child, inner, optional)
        if is_block:
            self.close()

    def _add(self, text: str, look: Style, optional: int) -> None:
        if text:
            try:
                style, scale = text_style(look), self._scale(look)
            except WrongValue as error:
                if error.attribute != "font-family" or look == self._look:
                    raise
                raise WrongFace(f"{error}; {quoted(text.strip())} asks for it") from None
            self._words.append((text, style if scale == 1.0 else replace(style, scale=scale)))
            self._parts.append(optional)

    def _scale(self, look: Style) -> float:
        scale = look.size / self._look.size
        if scale != 1.0 and look.pixel:
            raise WrongValue("font-size", "cannot change in a text with `pixel`")
        if not MIN_SCALE <= scale <= MAX_SCALE:
            least, most = MIN_SCALE * self._look.size, MAX_SCALE * self._look.size
            raise WrongValue("font-size", f"expected {least:g} to {most:g}, a quarter to four times that of the text")
        return scale

    def _rule(self, child: ET.Element, look: Style) -> TextRule:
        plain = replace(look, stroke=look.fill, stroke_width=_RULE_WIDTH * look.size, dashes=(), cap="butt")
        own = tuple((name, value) for name, value in child.attrib.items() if name != "width")
        stroke = inherit(plain, own).line(1.0)
        if stroke is None:
            raise WrongValue("stroke", "is `none`, or the line has no width")
        width = child.get("width", "100%")
        share = _percent("width", width)
        if not 0 < share <= 1:
            raise WrongValue("width", f"expected `1%` to `100%`, found `{width}`")
        return TextRule(stroke, share, self._anchor)


def _percent(attribute: str, value: str) -> float:
    try:
        return float(value.removesuffix("%")) / 100 if value.endswith("%") else float("nan")
    except ValueError:
        raise WrongValue(attribute, f"expected a percentage such as `80%`, found `{value}`") from None


def _absolute(given: Mapping[str, str], look: Style) -> Attributes:
    """Return attributes with a size in per cent, of the size around (CSS 2.1, 15.7), as a length."""
    size = given.get("font-size", "")
    if not size.endswith("%"):
        return tuple(given.items())
    length = f"{_percent('font-size', size) * look.size:.6f}"
    return tuple((name, length if name == "font-size" else value) for name, value in given.items())


Room = TextBox | fitting.TextLine


def path_of(rule: PathRule) -> TextPath:
    """Return the path that a text follows; WrongValue."""
    from render.layout.shapes import outlines_to_follow, transform

    space = transform(rule.transform) if rule.transform else IDENTITY
    outlines = outlines_to_follow(rule.tag, rule.attributes, space, backwards=rule.backwards)
    if sum(len(each.segments) for each in outlines) > MAX_SEGMENTS:
        raise WrongValue("href", f"names a `<{rule.tag}>` of more than {MAX_SEGMENTS:,} pieces", "<textPath>")
    path = TextPath(outlines, 0.0)
    if not path.length > 0:
        raise WrongValue("href", f"names a `<{rule.tag}>` without a length", "<textPath>")
    return replace(path, start=rule.offset + rule.share * path.length)


def fit_text(
    blocks: tuple[TextBlock, ...], where: Room, path: TextPath | None = None
) -> fitting.Fitted | fitting.TooLong | fitting.TooMuch:
    """Fit a text: into its box if it has a height, else on one line, or on a path."""
    if path is not None and (len(blocks) > 1 or any(block.rule or block.sign for block in blocks)):
        raise Undrawable("holds several lines or paragraphs, and a path has one line")
    if isinstance(where, fitting.TextLine) and (len(blocks) > 1 or any(block.rule or block.sign for block in blocks)):
        raise WrongValue(
            "height",
            "expected a length, found none",
            hint='a text of several lines or paragraphs needs both: write for example `width="50" height="20"`',
        )
    return fitting.fit_text(blocks, where, path)


@cached(1024)
def room(attributes: Attributes, look: Style) -> Room:
    """Return the room of a text by its attributes; cached, since a template's texts have the same on every card."""
    given = dict(attributes)

    def length(name: str, default: object, **bounds: float) -> float:
        return read_length(name, given.get(name, str(default)), **bounds)

    is_box, width = "height" in given, read_extent(given, "width") if "width" in given else inf
    if "along" in given:
        for name in sorted(given.keys() & {"height", "pixel"}):
            raise WrongValue(name, "is for a text without `textPath`")
    for name in sorted(given.keys() & (OF_LINES if is_box else OF_BOXES)):
        raise WrongValue(name, "is for a line, a text without `height`" if is_box else "is for a text with `height`")
    for name in ("min-stretch", "min-size") if width == inf and not is_box and "along" not in given else ():
        if name in given:
            raise WrongValue(name, "is for a text with `width`, in which it becomes smaller")
    direction = given.get("direction", "")
    if direction:
        read_choice("direction", direction, {word: word for word in ("ltr", "rtl")})
    choices = ("start", "middle", "end", "justify")[: 4 if is_box else 3]
    align = read_choice("text-anchor", given.get("text-anchor", "start"), {word: word for word in choices})
    smallest = length("min-size", look.size, above=0.0)
    if smallest > look.size:
        raise WrongValue("min-size", f"is {smallest:g}, larger than the font-size, {look.size:g}")
    if look.pixel and not MIN_PIXELS <= look.size / look.pixel <= MAX_PIXELS:
        raise WrongValue("pixel", f"expected {MIN_PIXELS} to {MAX_PIXELS} in the font-size, {look.size:g}")
    if not is_box:
        narrowest = length("min-stretch", 1, least=0.01)
        x, y = length("x", 0), length("y", 0)
        return fitting.TextLine(x, y, align, look.size, width, narrowest, smallest, look.pixel, direction)
    if look.pixel and smallest != look.size:
        raise WrongValue("pixel", "is for text of one size, without `min-size`")
    step = length("size-step", 0.05, least=0.001)
    if (look.size - smallest) / step > MAX_SIZES:
        raise WrongValue("size-step", f"gives more than {MAX_SIZES} sizes from {smallest:g} to {look.size:g}")
    leading = given.get("leading", "normal")
    usual = Leading(
        None if leading in ("normal", "nearest") else length("leading", "", least=0.6),
        length("line-gap", 0, least=-smallest / 2),
        length("paragraph-gap", 1, least=0.0),
        to_nearest=leading == "nearest",
    )
    # A text closes up its paragraphs first, then its lines as well.
    tighter: list[Leading] = []
    if "min-leading" in given or "min-paragraph-gap" in given:
        tighter.append(replace(usual, paragraph=length("min-paragraph-gap", usual.paragraph, least=0.0)))
    if "min-leading" in given:
        tighter.append(replace(tighter[0], factor=length("min-leading", "", least=0.6), gap=0.0))
    shifts = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
    where = box_of(given)
    return TextBox(
        room=where,
        align=align,
        largest=look.size,
        smallest=smallest,
        step=step,
        leading=usual,
        max_growth=length("max-space-growth", 1000, least=0.0),
        tighter=tuple(tighter),
        shift=read_choice("vertical-align", given.get("vertical-align", "top"), shifts),
        least_optional=length("optional-size", "", above=0.0) if "optional-size" in given else 0.0,
        around=(_corner(given["around"], where),) if given.get("around") else (),
        direction=direction,
    )


def _corner(value: str, room: Rect) -> Rect:
    box = read_box("around", value)
    at_side = box.x <= room.x or box.right >= room.right
    at_end = box.y <= room.y or box.bottom >= room.bottom
    if not at_side or not at_end:
        raise WrongValue("around", f"expected a box over a corner of the text, found `{value}`")
    return box


def misfit(
    element: ET.Element, found: fitting.TooLong | fitting.TooMuch, growth: float, at_least: str
) -> tuple[str, str, str]:
    """Return code, message and hint about a text that does not fit: how much there is, and the room in mm of the card.

    `growth` takes lengths of the text to the card; `at_least` says behind a size that there is no smaller one.
    """
    size = f"{found.size * growth / MM_PER_POINT:.1f} pt"
    tenths = floor(found.fitting * growth / MM_PER_POINT * 10 + ROUNDING)
    smaller = f"; it would fit at {tenths / 10:g} pt" if tenths else ""
    wide = f"{read_length('width', element.get('width', '0')) * growth:.1f} mm"
    subject = f"`{element.get('id', '') or element_name(element)}` does not fit:"
    named = element.get("id")
    match found:
        case fitting.TooLong(width=width, on_path=float(free)):
            says = f"at {size}{at_least} it is {width * growth:.1f} mm long, and its path has {free * growth:.1f} mm for it"
            hint = "shorten it" if named else f"{_OR_SHRINK}, or a longer path"
            return (
                "L002",
                f"{subject} {says}",
                hint if free else "there is no path where it would stand: move `startOffset`",
            )
        case fitting.TooLong(width=width, in_box=False):
            says = f"condensed and shrunk to {size} it is {width * growth:.1f} mm long, and its line {wide}"
            return "L002", f"{subject} {says}", "shorten it" if named else f"{_OR_SHRINK}, or a larger `width`"
        case fitting.TooLong(width=width):
            says = f"at {size}{at_least} a word is {width * growth:.1f} mm long, and the lines {wide}{smaller}"
            return "L001", f"{subject} {says}", "a hyphen lets a word break"
        case fitting.TooMuch(lines=lines, room=room):
            takes, there_is = _lines(lines), room or "none"
            says = f"at {size}{at_least} it takes {takes}, and there is room for {there_is}{smaller}"
            hint = f"shorten it by {_lines(lines - room)} of {wide}"
            return "L001", f"{subject} {says}", hint if named else f"{_OR_SHRINK}, or a larger `height`"
        case _:
            assert_never(found)


_MAX_NAMED = 4  # characters in one message
CAPITALS = 0.72  # of the size: as high as capitals are
_OR_SHRINK = "write it shorter in the template, or give `<text>` a smaller `min-size`"


def _lines(count: int) -> str:
    return f"{count} {'line' if count == 1 else 'lines'}"


def colored(element: ET.Element, fitted: fitting.Fitted) -> Iterator[tuple[str, str, str, bool]]:
    """Yield code, message and hint about letters that a font has in colors, and whether they have outlines as well."""
    lost = dict[tuple[str, bool], str]()
    for word in fitted.words:
        for piece, _ in word.shaped:
            if isinstance(piece.face, OwnFace) and fonts.has_colors(piece.face):
                for glyph, text in zip(piece.glyphs, piece.text, strict=True):
                    if fonts.is_colored(piece.face, glyph):
                        lost.setdefault((piece.face.called, fonts.has_outline(piece.face, glyph)), text)
    for (face, has_outline), text in lost.items():
        but = "it is drawn in that of the words" if has_outline else "without them nothing would be seen"
        message = (
            f"the font `{face}` has {quoted(text)} of `{element_name(element)}` in colors, which are not drawn: {but}"
        )
        yield "L012", message, "draw it as an icon, or use a font without colors", has_outline


def unprinted(
    element: ET.Element, blocks: tuple[TextBlock, ...], own_fonts: FontBook
) -> Iterator[tuple[str, str, str]]:
    """Yield code, message and hint about letters that are in no font."""
    lost = {
        text[index]
        for block in blocks
        for words, style in (*block.sign, *block.words)
        for text in (words if style.icon is None else style.icon.words,)
        for index in fonts.missing(text, style.face)
    }
    hint = "put a font that has it into `fonts`, and name it in `font-family`, too" if own_fonts else ""
    if lost:
        chars, more = [f"`{char}` (U+{ord(char):04X})" for char in sorted(lost)], len(lost) - _MAX_NAMED
        named = f"{', '.join(chars[:_MAX_NAMED])}{f' and {more} more' if more > 0 else ''}"
        characters = "the character" if len(lost) == 1 else "the characters"
        yield "L003", f"no bundled font has {characters} {named} of `{element_name(element)}`", hint
