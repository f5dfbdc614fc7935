"""An SVG as its elements: whether it can be drawn, and how much drawing it takes.

Only shapes are drawn. Whatever needs another file, a font or a program is refused, so an SVG reaches nothing outside
it. Places are lines and columns of the file, from 1.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from render.base.limits import SVG, SVG_ELEMENTS, SVG_LEVELS, SVG_PIXELS
from render.images.files.parts import UnusablePicture
from render.images.files.svg_words import (
    check_path,
    is_uneven,
    is_uneven_css,
    parse_svg_length,
    parse_svg_numbers,
    refused_element,
    refused_reference,
)

_LEAST, _MOST = 1e-3, 1e7  # units of a side of the picture: resvg reckons with seven digits
_MAX_UNEVEN = 100.0  # times wider than high, or higher than wide

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_SMALLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"
_AGAIN = "save it again from a drawing program as plain SVG"
# The start tag of the root, and its attributes of size, which `sized` replaces.
_START = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_SIZED = re.compile(r"""\s(?:width|height|viewBox|preserveAspectRatio|x|y)\s*=\s*(?:"[^"]*"|'[^']*')""")


Part = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a drawing, in shares of its width and height."""

WHOLE: Part = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SvgFile:
    """An SVG that can be drawn: the text before the start tag `<svg>`, that tag, the text after it, and what it shows.

    `width` and `height` are the most pixels to draw it with. It `is_even` if time and memory grow no faster than its
    pixels: it has no tiles, filters or masks.
    """

    before: str
    tag: str
    after: str
    view: tuple[float, float, float, float]
    width: int
    height: int
    is_even: bool

    def sized(self, width: int, height: int, part: Part = WHOLE) -> str:
        """Return the SVG changed so that a part of it is drawn with that many pixels."""
        left, top, across, down = self.view
        start, upper, end_x, lower = part
        shown = left + start * across, top + upper * down, (end_x - start) * across, (lower - upper) * down
        view = " ".join(f"{each:.9g}" for each in shown)
        size = f' width="{width}" height="{height}" viewBox="{view}" preserveAspectRatio="none"'
        end = "/>" if self.tag.endswith("/>") else ">"
        return f"{self.before}{self.tag[: -len(end)]}{size}{end}{self.after}"


@dataclass(slots=True, kw_only=True)
class _Element:
    """An element, open or closed: what it uses, where it stands."""

    name: str
    place: tuple[int, int]
    uses: list[tuple[str, tuple[int, int]]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """What the elements said so far."""

    parser: expat.XMLParserType
    open: list[_Element] = field(default_factory=list)
    named: dict[str, _Element] = field(default_factory=dict)
    root: dict[str, str] = field(default_factory=dict)
    tag_at: int = -1
    whole: _Element | None = None
    count: int = 0
    is_even: bool = True
    sheets: int = 0  # style sheets that are open
    sheet: list[str] = field(default_factory=list)  # the text of all of them

    @property
    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1  # expat counts columns from 0

    def begun(self, name: str, attributes: dict[str, str]) -> None:
        space, _, word = name.rpartition(" ")
        # The parser gives `namespace name`, separated by a space.
        place = self.place
        self.count += 1
        if not self.open:
            if (space, word) != (_SVG, "svg"):
                said = "is no SVG: its first element is not `<svg>` of `http://www.w3.org/2000/svg`"
                raise UnusablePicture("A013", said, _AGAIN, place)
            self.root, self.tag_at = attributes, self.parser.CurrentByteIndex
        if self.count > SVG_ELEMENTS.most:
            raise UnusablePicture("A015", f"is an SVG of more than {SVG_ELEMENTS}", _SMALLER, place)
        if len(self.open) >= SVG_LEVELS.most:
            raise UnusablePicture("A015", f"is an SVG nested more than {SVG_LEVELS} deep", _SMALLER, place)
        element = _Element(name=word if space == _SVG else "", place=place)
        if word == "style":  # of any namespace: resvg reads them all
            self.sheets += 1
            self.parser.CharacterDataHandler = self.sheet.append
        if space == _SVG:
            self._looked_at(element, attributes)
        self.open.append(element)

    def ended(self, name: str) -> None:
        element = self.open.pop()
        if name.endswith(" style") or name == "style":
            self._end_sheet()
        if self.open:
            self.open[-1].uses += element.uses
        else:
            self.whole = element

    def _end_sheet(self) -> None:
        self.sheets -= 1
        if not self.sheets:
            self.parser.CharacterDataHandler = None
            self.is_even = self.is_even and not is_uneven_css("".join(self.sheet))

    def _looked_at(self, element: _Element, attributes: dict[str, str]) -> None:
        word, place = element.name, element.place
        if refused := refused_element(word):
            raise UnusablePicture("A014", f"has {refused[0]}", refused[1], place)
        if is_uneven(word, attributes):
            self.is_even = False
        for key, value in attributes.items():
            if refused := refused_reference(key.removeprefix(f"{_XLINK} "), value):
                raise UnusablePicture("A014", f"has {refused[0]}", refused[1], place)
        if word == "path" and "d" in attributes and (broken := check_path(attributes["d"])):
            raise UnusablePicture("A013", f"is an SVG that cannot be read: {broken}", _AGAIN, place)
        if "id" in attributes:
            self.named.setdefault(attributes["id"], element)
        if word == "use":
            used = attributes.get("href", attributes.get(f"{_XLINK} href", ""))[1:]
            element.uses.append((used, place))


def read_svg(data: bytes) -> SvgFile:
    """Return the content of an SVG; UnusablePicture, with its place, if it is broken or needs what is not drawn."""
    if len(data) > SVG.most:
        said = f"is an SVG of {len(data) / 1e6:.1f} MB, and at most {SVG} are drawn"
        raise UnusablePicture("A015", said, _SMALLER)
    reader = _read(data)
    _check_uses(reader)
    view = _view(reader.root)
    start = _START.match(data, reader.tag_at)
    if start is None or reader.whole is None:
        raise UnusablePicture("A013", "is an SVG whose `<svg>` cannot be read", _AGAIN)
    width, height = _most(view)
    before, tag, after = (part.decode("utf-8") for part in (data[: start.start()], start[0], data[start.end() :]))
    before = before.lstrip("\ufeff")  # a byte order mark
    return SvgFile(
        before=before,
        tag=_SIZED.sub("", tag),
        after=after,
        view=view,
        width=width,
        height=height,
        is_even=reader.is_even,
    )


def _read(data: bytes) -> _Reader:
    """Read all elements, one by one."""
    _check_utf8(data)
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    reader = _Reader(parser=parser)

    # Entities can expand to gigabytes, and can name other files.
    def entities(_: str, __: object, ___: object, has_subset: int) -> None:
        if has_subset:
            said = "has a DOCTYPE with declarations of its own, which are not read"
            raise UnusablePicture("A014", said, "save it as plain SVG", reader.place)

    def instruction(target: str, _: str) -> None:
        if target == "xml-stylesheet":
            raise UnusablePicture("A014", "has a style sheet in another file", "save it as plain SVG", reader.place)

    parser.StartElementHandler, parser.EndElementHandler = reader.begun, reader.ended
    parser.StartDoctypeDeclHandler = entities
    parser.ProcessingInstructionHandler = instruction
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        said = f"is an SVG that cannot be read: {expat.ErrorString(error.code)}"
        raise UnusablePicture("A013", said, _AGAIN, (error.lineno, error.offset + 1)) from None
    return reader


def _check_utf8(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        said = f"is an SVG that is not UTF-8: the byte 0x{data[error.start]:02x}"
        raise UnusablePicture("A013", said, "save it as UTF-8", place) from None


def _check_uses(reader: _Reader) -> None:
    """Raise UnusablePicture if a `<use>` draws itself or nothing."""
    checked, under_way = set[int](), set[int]()

    def follow(element: _Element, place: tuple[int, int]) -> None:
        if id(element) in under_way:
            said = "is an SVG with a `<use>` that draws itself"
            raise UnusablePicture("A015", said, "let it use another shape", place)
        if len(under_way) > SVG_LEVELS.most:
            said = f"is an SVG of more than {SVG_LEVELS} once each `<use>` is followed"
            raise UnusablePicture("A015", said, _SMALLER, place)
        if id(element) in checked:
            return
        checked.add(id(element))
        under_way.add(id(element))
        for name, used_at in element.uses:
            if name not in reader.named:
                said = f"is an SVG whose `<use>` names `#{name}`, and nothing has this id"
                raise UnusablePicture("A013", said, "copy the shape itself into its place", used_at)
            follow(reader.named[name], used_at)
        under_way.remove(id(element))

    if reader.whole:
        follow(reader.whole, reader.whole.place)


def _view(root: dict[str, str]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of what is shown: the `viewBox`, else the drawing's own size."""
    hint = 'give `<svg>` a `viewBox` such as `viewBox="0 0 1350 840"`'
    if "viewBox" in root:
        view = (*parse_svg_numbers(root["viewBox"]),)
        if len(view) != 4:
            raise UnusablePicture(
                "A016", f"is an SVG whose `viewBox` is `{root['viewBox'][:40]}`, and not four numbers", hint
            )
    else:
        # Without a viewBox the drawing's units are CSS pixels (SVG 1.1, 7.2).
        sides = parse_svg_length(root.get("width", "")), parse_svg_length(root.get("height", ""))
        if None in sides:
            raise UnusablePicture("A016", "is an SVG without a size: it has no `viewBox`", hint)
        view = 0.0, 0.0, sides[0] or 0.0, sides[1] or 0.0
    left, top, width, height = view
    if not (_LEAST < width < _MOST and _LEAST < height < _MOST and max(abs(left), abs(top)) < _MOST):
        raise UnusablePicture("A016", f"is an SVG of {width:g} x {height:g}, which is no size", hint)
    if max(width / height, height / width) > _MAX_UNEVEN:
        raise UnusablePicture("A016", f"is an SVG of {width:g} x {height:g}, which is too narrow for a picture", hint)
    return left, top, width, height


def _most(view: tuple[float, float, float, float]) -> tuple[int, int]:
    """Return the most pixels to draw with: a whole multiple of the drawing's own size if possible."""
    _, _, width, height = view
    scale = math.sqrt(SVG_PIXELS.most / (width * height))
    if scale >= 1 and width == round(width) and height == round(height):
        scale = math.floor(scale)
    return max(1, round(width * scale)), max(1, round(height * scale))
