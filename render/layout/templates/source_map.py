"""Where in its template's own file each part of what a template gave was written, and which element is wrong.

After a mistake was found, the template is filled in once more, with marks at each element, attribute and expression.
A mark names a place of a file, whichever template includes, extends or imports it. Without its marks the text is the
one before; if it is not, since a template counts the letters of its own output, no place is known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import jinja2

from render.base.findings import Refused, Span, nearest_word
from render.base.patterns import regex
from render.layout.templates import Source, source_of
from render.layout.templates.filling import Stopped
from render.layout.templates.syntax import raw_tokens
from render.layout.templates.template import Templates
from render.source.nodes import span

_BEGIN, _END = "\ue000", "\ue001"  # of a mark; characters for private use, which no font of ours has
_MARK = regex(f"{_BEGIN}([0-9]+){_END}")
# What gets a mark in the text between tags: elements, names of attributes, and the first word of each line.
_MARKED = regex(r"""<|(?<=\s)[A-Za-z_:][\w:.-]*(?=\s*=)|(?<=\n)[ \t]*+(?=[^\s<])""")
_ATTRIBUTE = regex(r"""\s*([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = regex(r"<[^\s/>]*")


def _name_end(text: str, start: int) -> int:
    """Return where the name of an element ends that begins at an index."""
    name = _NAME.match(text, start)
    return name.end() if name else start + 1


class _Origin(NamedTuple):
    """A place in the text of a template's file; what follows it is as written for `length` characters."""

    file: Path
    text: str
    offset: int
    length: int


class MarkedTemplates(Templates):
    """The templates of a set with marks; `origins` says what each stands for."""

    def __init__(self, templates: Templates) -> None:
        super().__init__((), ())
        self._inner = templates
        self.origins: list[_Origin] = []

    def source(self, name: str) -> Source:
        """Return a template with marks."""
        if name not in self.sources:
            source = self._inner.source(name)
            self.sources[name] = source_of(self._marked(source.text, Path(source.file)), f"{name}, marked")
        return self.sources[name]

    def source_map(self, name: str, values: Mapping[str, object], text: str) -> SourceMap | None:
        """Return where each part of what a template gave stands; None if that cannot be known."""
        try:
            marked = self.filled(f"{name}.svg", values)
        except (Stopped, jinja2.TemplateError, Refused, OSError, ValueError):
            return None
        found = SourceMap(text, self.origins, marked)
        return found if found.is_sound else None

    def _marked(self, text: str, file: Path) -> str:
        if _BEGIN in text:
            return text
        marked, at = list[str](), 0
        for place, length in _places(text):
            marked += [text[at:place], f"{_BEGIN}{len(self.origins)}{_END}"]
            self.origins.append(_Origin(file, text, place, length))
            at = place
        return "".join([*marked, text[at:]])


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a template gets marks, and how many characters that follow each are as written.

    Each stands before something that is no space: a mark before `{{-` would keep the spaces that it removes.
    """
    for start, kind, words in raw_tokens(text):
        if kind == "variable_begin" and words == "{{":
            yield start, 0
        elif kind == "data":
            places = {match.start() if match[0].strip() else match.end() for match in _MARKED.finditer(words)}
            places.add(len(words) - len(words.lstrip()))
            yield from ((start + place, len(words) - place) for place in sorted(places) if place < len(words))


class SourceMap:
    """Finds places in the files of templates for places in what they gave."""

    def __init__(self, text: str, origins: list[_Origin], marked: str) -> None:
        self._text, self._origins = text, origins
        self._offsets: list[int] = []
        self._marks: list[int] = []
        self._starts: list[int] = []  # of elements
        clean, at, length = [], 0, 0
        for mark in _MARK.finditer(marked):
            clean.append(marked[at : mark.start()])
            length += mark.start() - at
            at = mark.end()
            self._offsets.append(length)
            self._marks.append(int(mark[1]))
        self.is_sound = bool(self._marks) and "".join([*clean, marked[at:]]) == text

    def of_element(self, number: int, attribute: str = "", words: str = "") -> Span | None:
        """Return the place of the element with this number, from 0, in the order of the text; or of a part of it.

        That is an attribute or a property of its `style`, or the first words like these in the element.
        """
        self._starts = self._starts or _elements(self._text)[0]
        if not 0 <= number < len(self._starts):
            return None
        start = self._starts[number]
        end = _name_end(self._text, start)
        if attribute:
            part = self._attribute(end, attribute, words)
            if part:
                return self.place(*part)
        elif words and (at := self._text.find(words, end)) >= 0:
            return self.place(at, at + len(words))
        return self.place(start, end)

    def place(self, start: int, end: int) -> Span | None:
        """Return the place of what stands from `start` to `end` of what the template gave."""
        index = bisect_right(self._offsets, start) - 1
        if index < 0:
            return None
        origin = self._origins[self._marks[index]]
        behind = min(start - self._offsets[index], origin.length)
        within = behind + end - start <= origin.length
        length = end - start if within else 2 if origin.length == 0 else 1
        begin = origin.offset + behind
        return span(origin.file, origin.text, (begin, begin + length))

    def _attribute(self, at: int, attribute: str, words: str) -> tuple[int, int] | None:
        """Return where an attribute stands of the element whose name ends at `at`."""
        style: tuple[int, int] | None = None
        while match := _ATTRIBUTE.match(self._text, at):
            if match[1] == attribute or match[1].rpartition(":")[2] == attribute:
                inner = match[2].find(words) if words else -1
                if inner >= 0:
                    return match.start(2) + inner, match.start(2) + inner + len(words)
                return match.start(1), match.end(1)
            if match[1] == "style":
                found = re.search(rf"(?<![\w-]){re.escape(attribute)}(?=\s*:)", match[2])
                style = (match.start(2) + found.start(), match.start(2) + found.end()) if found else None
            at = match.end()
        return style


# --- elements ---------------------------------------------------------------------------------------------------------


class WrongMarkup(NamedTuple):
    """What is wrong with SVG that is not well-formed: the words, what to do, and which characters are meant.

    `meets` are those of the closing tag that shows it.
    """

    said: str
    hint: str
    start: int
    end: int
    meets: tuple[int, int] | None = None


def _elements(text: str) -> tuple[list[int], list[int], str, int]:
    """Return where each element begins, and where each that is not closed up to a mistake; its words, and its index."""
    # Each character becomes one byte, so that the parser's indexes are those of characters.
    plain = re.sub(r"[^\0-\x7f]", lambda sign: "x" if sign[0].isalnum() else "?", text)
    starts, is_open = list[int](), list[int]()
    # Whatever encoding the text declares: it was read already. With a separator, the parser knows prefixes.
    parser = expat.ParserCreate("utf-8", " ")

    def begin(*_: object) -> None:
        starts.append(parser.CurrentByteIndex)
        is_open.append(starts[-1])

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: is_open.pop()
    try:
        parser.Parse(plain.encode("ascii"), True)
    except expat.ExpatError as error:
        return starts, is_open, expat.ErrorString(error.code), parser.ErrorByteIndex
    return starts, is_open, "", 0


def wrong_markup(text: str) -> WrongMarkup | None:
    """Return what is wrong with a text that is not well-formed; None if it is only so by characters that XML lacks."""
    _, is_open, said, at = _elements(text)
    wrong = None
    if said == expat.errors.XML_ERROR_INVALID_TOKEN:
        wrong = _wrong_sign(text, at)
    elif is_open and said == expat.errors.XML_ERROR_TAG_MISMATCH:
        wrong = _not_closed(text, is_open, max(text.rfind("</", 0, at + 2), 0))
    elif is_open and said == expat.errors.XML_ERROR_NO_ELEMENTS:
        wrong = _not_closed(text, is_open, len(text))
    if wrong or not said:
        return wrong
    at -= 2 * (text[max(at - 2, 0) : at] == "</")
    return WrongMarkup(said, xml_hint(said, text, at), at, _end_of_word(text, at))


def _end_of_word(text: str, at: int) -> int:
    """Return where a tag or word ends that begins at an index."""
    word = re.compile(r"</?[^\s>]*>?|[^\s<]+").match(text, at)
    return word.end() if word else at + 1


_HOLDERS = frozenset("svg g a switch text tspan defs symbol clipPath linearGradient radialGradient".split())
"""Elements that hold others or words: one that is not closed lacks its end, and any other perhaps its `/`."""


def _not_closed(text: str, is_open: list[int], at: int) -> WrongMarkup:
    """Return what is said of elements that are open where a closing tag, or the end of the text, stands."""
    tags = [text[start + 1 : _name_end(text, start)] for start in is_open]
    last, start, end = tags[-1], is_open[-1], _end_of_word(text, at)
    given = re.compile(r"""<[^<>]*?\sid\s*=\s*["']([^"'<>]{1,60})""").match(text, start)
    named = f'<{last} id="{given[1]}">' if given else f"<{last}>"
    closing = re.match(r"</\s*([^\s>]*)", text[at:end])
    if closing and closing[1] not in tags:
        tag = closing[1]
        near = nearest_word(tag, tags[:0:-1])  # the drawing itself ends last
        hint = f"did you mean `</{near}>`?" if near else f"remove it, or write `<{tag}>` where it begins"
        return WrongMarkup(f"`</{tag}>` closes nothing: `{named}` is open", hint, at, at + len(tag) + 2)
    hint = f"write `</{last}>` where it ends"
    if last not in _HOLDERS:
        hint = f"write `/>` at the end of the tag, or `</{last}>` where it ends"
    meets = (at, end) if closing else None
    return WrongMarkup(f"`{named}` is not closed", hint, start, start + 1 + len(last), meets)


def _wrong_sign(text: str, at: int) -> WrongMarkup | None:
    """Return what is said of a sign that may not stand where it does."""
    sign, start = text[at : at + 1], text.rfind("<", 0, at)
    tag = text[start:at] if start >= 0 else ""
    inside = tag and not re.match(r"""<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""", tag)
    if inside and sign == "<" and (begun := re.search(r"""([\w:.-]+)\s*=\s*(?:"[^"]*|'[^']*)$""", tag)):
        said = f"the quote around the value of `{begun[1]}` is not closed"
        return WrongMarkup(said, 'write `"` where the value ends', start + begun.start(1), start + begun.end(1))
    if inside and sign not in "\"'" and (bare := re.search(r"([\w:.-]+)\s*=\s*$", tag)):
        word = re.match(r"[^\s/>\"']*", text[at:])
        hint = f'write `{bare[1]}="{word[0] if word else ""}"`'
        return WrongMarkup(f"the value of `{bare[1]}` stands without quotes", hint, start + bare.start(), at + 1)
    if inside and sign == "<" and (name := re.match(r"<[\w:.-]+", tag)):
        return WrongMarkup(
            f"`{name[0]}` does not end", "write `>` or `/>` where the tag ends", start, start + name.end()
        )
    ampersand = text.rfind("&", max(at - 30, 0), at + 1)
    if ampersand >= 0 and not re.match(r"&(?:#?\w+);", text[ampersand:]):
        return WrongMarkup("`&` begins no sign", "write `&amp;`", ampersand, ampersand + 1)
    if (text[at - 1 : at] == "<" and not inside) or text[at - 1 : at + 1] == "< ":
        return WrongMarkup("`<` begins no element", "write `&lt;`", at - 1, at)
    return None


_HINTS = {
    "mismatched tag": "`<g>` ends with `</g>`, before the element around it ends; or it is written `<g/>`",
    "not well-formed": 'attributes are written `name="value"`, and `&` and `<` in a text `&amp;` and `&lt;`',
    "unclosed token": "an element ends with `>`",
    "no element found": "the file ends before `</svg>`",
    "junk after document element": "the drawing ends with `</svg>`: move what follows into it, or remove it",
    "undefined entity": "write the sign itself, or its number, such as `&#160;`",
    "unbound prefix": "an attribute with a colon, such as `inkscape:label`, needs `xmlns:inkscape` in `<svg>`",
    "duplicate attribute": "remove one of the two",
}


def xml_hint(said: str, text: str, at: int) -> str:
    """Return what to do about the words of the XML parser at an index; "" if it is not known."""
    if said.startswith("undefined entity") and (name := re.compile(r"&ns_\w+;").search(text, at)):
        return f"Illustrator says in the `<!DOCTYPE>` what `{name[0]}` means, which is missing: save the file again"
    return next((hint for words, hint in _HINTS.items() if said.startswith(words)), "")
