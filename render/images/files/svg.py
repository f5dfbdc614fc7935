"""An SVG as its elements: whether it can be drawn, and how much drawing it takes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from xml.parsers import expat

from msgspec import Struct, field

from render.base.limits import SVG, SVG_ELEMENTS, SVG_LEVELS, SVG_PIXELS
from render.base.patterns import regex
from render.images.files.parts import UnusablePicture

_LEAST, _MOST = 1e-3, 1e7  # units of a side of the picture: resvg reckons with seven digits
_MAX_UNEVEN = 100.0  # times wider than high, or higher than wide

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_SMALLER = "simplify it in a drawing program, or export it as a PNG of 300 dpi or more at its printed size"
_AGAIN = "save it again from a drawing program as plain SVG"
# The start tag of the root, and its attributes of size, which `sized` replaces.
_START = regex(rb"""<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_SIZED = regex(r"""\s(?:width|height|viewBox|preserveAspectRatio|x|y)\s*=\s*(?:"[^"]*"|'[^']*')""")


Part = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a drawing, in shares of its width and height."""

WHOLE: Part = (0.0, 0.0, 1.0, 1.0)


class SvgFile(Struct, frozen=True, kw_only=True):
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


class _Element(Struct, kw_only=True):
    """An element, open or closed: what it uses, where it stands."""

    name: str
    place: tuple[int, int]
    uses: list[tuple[str, tuple[int, int]]] = field(default_factory=list)


class _Reader(Struct, kw_only=True):
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


# --- the vocabulary: elements that are drawn or refused, references, lengths, path data ------------------------------

_DRAWN = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath"
    " mask pattern marker title desc metadata style filter feBlend feColorMatrix feComponentTransfer feComposite"
    " feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feOffset".split()
)
_PNG = "export it as a PNG of 300 dpi or more at its printed size"
_TEXT = "convert the text to paths (in Inkscape: Path, Object to Path), and save it again"
_HINTS = {
    **dict.fromkeys(("text", "tspan", "textPath", "tref", "font", "glyph", "altGlyph"), _TEXT),
    **dict.fromkeys(("image", "feImage"), f"draw it as shapes, or {_PNG}"),
    **dict.fromkeys(("script", "handler"), "remove it"),
    **dict.fromkeys(("animate", "animateMotion", "animateTransform", "set"), "remove it: a card does not move"),
}
_UNEVEN = frozenset("pattern filter mask marker".split())
_CSS = regex(r"filter|mask|marker|\\|/\*", re.IGNORECASE)
_LOCAL = regex(r"url\(\s*['\"]?\s*(?!#)", re.IGNORECASE)  # a reference that does not begin with `#`
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = regex(_NUMBER)
_LENGTH = regex(rf"\s*({_NUMBER})\s*(px|pt|pc|mm|cm|in|)\s*")
_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}  # CSS 2.1, 4.3.2
_STEP = regex(rf"[\s,]*(?:([MmLlHhVvCcSsQqTtAaZz])|({_NUMBER}))")
# Numbers that each letter of path data takes (SVG 1.1, 8.3).
_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
# All of path data at once, which most are. Arcs are left to the steps: their flags need no space behind them.
_ONE = r"[ \t\r\n,]*+[-+]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+"
_WHOLE_PATH = regex(
    rf"[ \t\r\n,]*+[Mm](?:{_ONE}{_ONE})++"
    rf"(?:[ \t\r\n,]*+(?:[MmLlTt](?:{_ONE}{_ONE})++|[HhVv](?:{_ONE})++"
    rf"|[Cc](?:(?:{_ONE}){{6}})++|[SsQq](?:(?:{_ONE}){{4}})++|[Zz]))*+"
    r"[ \t\r\n,]*+"
)
# Flags of an arc need no space behind them, so `1 0 0110` is legal.
_ARC = regex(rf"[\s,]*{_NUMBER}[\s,]*{_NUMBER}[\s,]*{_NUMBER}[\s,]*[01][\s,]*[01][\s,]*{_NUMBER}[\s,]*{_NUMBER}")


def refused_element(word: str) -> tuple[str, str] | None:
    """Return the words about an element that is not drawn, and the hint; None if it is drawn."""
    if word in _DRAWN:
        return None
    hint = _HINTS.get(word, f"remove it, or {_PNG}")
    return f"`<{word}>`, which is not drawn", hint


def is_uneven(word: str, attributes: Mapping[str, str]) -> bool:
    """Whether time or memory for an element may grow faster than its pixels, as with tiles, filters and masks.

    Dashes are lengths of the drawing itself: it has as many with few pixels.
    """
    return word in _UNEVEN or "filter" in attributes or is_uneven_css(attributes.get("style", ""))


def is_uneven_css(text: str) -> bool:
    """Whether a style, or a style sheet, may ask for anything of that kind; what is escaped or commented may."""
    return _CSS.search(text) is not None


def refused_reference(key: str, value: str) -> tuple[str, str] | None:
    """Return the words about an attribute that names something outside the file, and the hint; None if it does not."""
    shown = value if len(value) <= 60 else f"{value[:57]}..."
    if key == "href" and value and not value.startswith("#"):
        return f"`href` to `{shown}`, and no other file is read", "let it name an id such as `#leaf`"
    if "url(" in value.lower() and _LOCAL.search(value):
        return f"`{key}` with `{shown}`, and no other file is read", "let it name an id such as `#leaf`"
    return None


def parse_svg_numbers(text: str) -> list[float]:
    """Return the numbers of a list; [] if it holds anything else."""
    found = _NUMBERS.findall(text)
    left = _NUMBERS.sub("", text)
    return [float(each) for each in found] if not left.strip(" ,\t\r\n") else []


def parse_svg_length(text: str) -> float | None:
    """Return a length in CSS px (1/96 in); None if it is no length, or a percentage."""
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _PX[match[2]] if match else None


def check_path(data: str) -> str:
    """Return what is wrong with path data, in words; "" if all of it can be drawn."""
    return "" if _WHOLE_PATH.fullmatch(data) else _fault_in_path(data)


def _fault_in_path(data: str) -> str:
    """Return the first fault of path data, step by step."""
    at, letter, count = 0, "", 0
    while at < len(data):
        if letter in ("A", "a") and (arc := _ARC.match(data, at)):
            at, count = arc.end(), 7
            continue
        step = _STEP.match(data, at)
        if step is None:
            rest = data[at:].lstrip(" \t\r\n,")
            return f"`d` of `<path>` has `{rest[:12]}` where a number is due" if rest else _ended(letter, count)
        if step[1]:
            if wrong := _ended(letter, count):
                return wrong
            if not letter and step[1] not in "Mm":
                return f"`d` of `<path>` begins with `{step[1]}`, and not with `M`"
            letter, count = step[1], 0
        else:
            if letter in ("A", "a"):
                return f"`d` of `<path>` has `{data[at : at + 12].strip()}` where the seven numbers of an arc are due"
            if not letter or letter in "Zz":
                return f"`d` of `<path>` has `{step[2]}` where a letter is due"
            count += 1
        at = step.end()
    return _ended(letter, count)


def _ended(letter: str, count: int) -> str:
    """Return what is wrong with the count of numbers behind a letter of path data."""
    takes = _TAKES.get(letter.lower(), 0)
    if takes and (count == 0 or count % takes):
        return f"`d` of `<path>` has {count} numbers behind `{letter}`, which takes {takes} at a time"
    return ""
