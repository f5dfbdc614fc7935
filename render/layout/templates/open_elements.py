"""XML that is not well-formed: which element was left open, and what to do about the words of the parser."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.parsers import expat

from render.base.findings import Span, nearest_word


class WrongMarkup(NamedTuple):
    """What is wrong with tags: the words, the next step, and where in the text it stands.

    `meets` is where the closing tag stands that shows it; 0 for the end of the text.
    """

    said: str
    hint: str
    start: int
    end: int
    meets: int

    def told(self, place: Span, meets: Span | None) -> str:
        """Return the words, with the tag at another place that shows the mistake."""
        if meets is None:
            return self.said
        where = f"line {meets.line}" if meets.file == place.file else f"`{meets.file.name}`, line {meets.line}"
        return f"{self.said}, where `{meets.excerpt[meets.column - 1 : meets.end_column - 1]}` stands in {where}"


class _Opened(NamedTuple):
    tag: str
    id: str
    at: int  # bytes

    @property
    def named(self) -> str:
        return f'<{self.tag} id="{self.id}">' if self.id else f"<{self.tag}>"


def wrong_in(text: str) -> WrongMarkup | None:
    """Return what is wrong with a text that is not well-formed; None if only the words of a parser say it."""
    data = text.encode("utf-8", "surrogatepass")
    opened: list[_Opened] = []
    parser = expat.ParserCreate("utf-8")  # whatever encoding the text declares: it was read already
    parser.StartElementHandler = lambda tag, given: opened.append(
        _Opened(tag, given.get("id", "")[:60], parser.CurrentByteIndex)
    )
    parser.EndElementHandler = lambda _tag: opened.pop()
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        at = parser.ErrorByteIndex
        if said == expat.errors.XML_ERROR_INVALID_TOKEN:
            return _wrong_sign(text, _count(data, at))
        if opened and said == expat.errors.XML_ERROR_TAG_MISMATCH:
            return _told(data, opened, max(data.rfind(b"</", 0, at + 2), 0))
        if opened and said == expat.errors.XML_ERROR_NO_ELEMENTS:
            return _told(data, opened, len(data))
    return None


def _told(data: bytes, opened: list[_Opened], at: int) -> WrongMarkup:
    closing = re.match(rb"</\s*([^\s>]*)", data[at:])
    tag = closing[1].decode("utf-8", "replace") if closing else ""
    last = opened[-1]
    if tag and all(each.tag != tag for each in opened):
        start = _count(data, at)
        near = nearest_word(tag, [each.tag for each in opened[:0:-1]])  # the drawing itself ends last
        hint = f"did you mean `</{near}>`?" if near else f"remove it, or write `<{tag}>` where it begins"
        return WrongMarkup(
            f"`</{tag}>` closes nothing: `{last.named}` is open", hint, start, start + len(tag) + 2, start
        )
    start, end = _count(data, last.at), f"`</{last.tag}>` where it ends"
    hint = f"write {end}" if last.tag in _HOLDERS else f"write `/>` at the end of the tag, or {end}"
    meets = _count(data, at) if tag else 0
    return WrongMarkup(f"`{last.named}` is not closed", hint, start, start + 1 + len(last.tag), meets)


_HOLDERS = frozenset("svg g a switch text tspan defs symbol clipPath linearGradient radialGradient".split())
"""Elements that hold others or words: one that is not closed lacks its end, and any other perhaps its `/`."""


def _wrong_sign(text: str, at: int) -> WrongMarkup | None:
    sign, tag = text[at : at + 1], text[text.rfind("<", 0, at) : at]
    inside = not re.search(r"""^<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""", tag) if tag else False
    begun = re.search(r"""([\w:.-]+)\s*=\s*(?:"[^"]*|'[^']*)$""", tag)
    bare = re.search(r"([\w:.-]+)\s*=\s*$", tag)
    name = re.match(r"<([\w:.-]+)", tag)
    if inside and sign == "<" and begun:
        start = at - len(tag) + begun.start()
        said = f"the quote around the value of `{begun[1]}` is not closed"
        return WrongMarkup(said, 'write `"` where the value ends', start, start + len(begun[1]), 0)
    if inside and bare and sign not in "\"'":
        start = at - len(tag) + bare.start()
        word = re.match(r"[^\s/>\"']*", text[at:])
        hint = f'write `{bare[1]}="{word[0] if word else ""}"`'
        return WrongMarkup(f"the value of `{bare[1]}` stands without quotes", hint, start, at + 1, 0)
    if inside and sign == "<" and name:
        start = at - len(tag)
        return WrongMarkup(
            f"`<{name[1]}` does not end", "write `>` or `/>` where the tag ends", start, start + len(name[0]), 0
        )
    ampersand = text.rfind("&", max(at - 30, 0), at + 1)
    if ampersand >= 0 and not re.match(r"&(?:#?\w+);", text[ampersand:]):
        return WrongMarkup("`&` begins no sign", "write `&amp;`", ampersand, ampersand + 1, 0)
    if (text[at - 1 : at] == "<" and not inside) or text[at - 1 : at + 1] == "< ":
        return WrongMarkup("`<` begins no element", "write `&lt;`", at - 1, at, 0)
    return None


def _count(data: bytes, at: int) -> int:
    """Return how many characters stand before a byte."""
    return len(data[:at].decode("utf-8", "surrogatepass"))


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


def xml_hint(said: str, line: str) -> str:
    """Return what to do about the words of the XML parser in a line; "" if it is not known."""
    if said.startswith("undefined entity") and (name := re.search(r"&ns_\w+;", line)):
        return f"Illustrator says in the `<!DOCTYPE>` what `{name[0]}` means, which is missing: save the file again"
    return next((hint for words, hint in _HINTS.items() if said.startswith(words)), "")
