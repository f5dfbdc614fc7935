"""Templates: Jinja2 turns a card's values into SVG, and every element and attribute is checked against the subset.

`templates/README.md` documents the subset. Anything outside it is an error that names template, element and attribute,
so that no part of a template is silently left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2

from render.base.caches import cached
from render.base.findings import (
    MAX_ALIKE,
    Finding,
    Problem,
    Refused,
    Span,
    did_you_mean,
    listed,
    nearest_word,
    quoted,
    reason,
)
from render.base.resources import TEMPLATES
from render.layout.templates import budget
from render.layout.templates.budget import Limits, Overspent, Tally
from render.layout.templates.compiled import KeptCode
from render.layout.templates.counting import REVISION
from render.layout.templates.finding import TemplateFiles, template_exists
from render.layout.templates.places import TemplatePart, place_of_line, place_of_part, place_that_ran
from render.layout.templates.sandbox import OPTIONS, Sandbox
from render.text.font_book import NO_FONTS, FontBook

SVG = "http://www.w3.org/2000/svg"

_PLACE = frozenset({"id", "transform"})
_GRAPHICS = _PLACE | frozenset(
    "fill fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray".split()
)
_FONT = frozenset("font-family font-size font-style font-weight font-stretch".split())
_ROOM = frozenset(
    "width height text-anchor pixel letter-spacing min-size size-step min-stretch leading line-gap paragraph-gap"
    " max-space-growth min-leading min-paragraph-gap".split()
)

SUBSET: Mapping[str, frozenset[str]] = {
    "svg": _GRAPHICS | _FONT | frozenset("x y width height viewBox preserveAspectRatio overflow".split()),
    "g": _GRAPHICS | _FONT,
    "rect": _GRAPHICS | frozenset("x y width height rx ry".split()),
    "circle": _GRAPHICS | frozenset("cx cy r".split()),
    "ellipse": _GRAPHICS | frozenset("cx cy rx ry".split()),
    "line": _GRAPHICS | frozenset("x1 y1 x2 y2".split()),
    "polyline": _GRAPHICS | frozenset(("points",)),
    "polygon": _GRAPHICS | frozenset(("points",)),
    "path": _GRAPHICS | frozenset(("d",)),
    "image": _PLACE | frozenset("x y width height href preserveAspectRatio".split()),
    "text": _PLACE | _FONT | _ROOM | frozenset("x y fill".split()),
    # All words of a text are fitted at one size.
    "tspan": (_FONT - {"font-size"}) | frozenset("fill display".split()),
}
"""The attributes that a template may use, by element."""

_WITHIN: Mapping[str, frozenset[str]] = {
    "svg": frozenset(SUBSET) - {"tspan"},
    "g": frozenset(SUBSET) - {"tspan"},
    "text": frozenset({"tspan"}),
    "tspan": frozenset({"tspan"}),
}


# Whatever a template does wrong, it ends in one of these.
STOPS = (
    jinja2.TemplateError,
    ArithmeticError,
    AssertionError,  # of a Jinja2 filter that is given a nonsensical length
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""The exceptions that a template can cause, however wrong it is."""

_LONGEST_NAME = 60
_MAX_MISTAKES = 100
_MAX_DEPTH = 64  # elements inside elements


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: `name` as asked for, and its file."""

    name: str
    file: Path
    compiled: jinja2.Template
    environment: Sandbox
    fonts: FontBook = NO_FONTS

    @property
    def is_ours(self) -> bool:
        """Whether all it gave came from built-in templates: no card has used one of the set's own so far."""
        return isinstance(files := self.environment.loader, TemplateFiles) and not files.gave_own


class Templates:
    """Finds templates in the folders of a set, then in `ours`; the first that has one wins. Their texts see `fonts`.

    Below `templates` of the program, those of each game can be had as `kotc/NAME.svg`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        ours: Sequence[Path] = (TEMPLATES,),
        limits: Limits = budget.FACE,
        fonts: FontBook = NO_FONTS,
    ) -> None:
        self.fonts = fonts
        self._folders = [*folders, *ours]
        loader = TemplateFiles(folders, ours)
        self.environment = Sandbox(limits, loader=loader, bytecode_cache=KeptCode(repr((OPTIONS, REVISION))))
        self._found: dict[str, Template] = {}
        self._known: tuple[str, ...] = ()
        self._missed = 0

    def get(self, name: str) -> Template:
        """Return the template called `name`; Refused if there is none or it is not valid Jinja2."""
        if name not in self._found:
            self._found[name] = self._load(name)
        return self._found[name]

    def files(self, name: str) -> list[Path]:
        """Return the files that decided what a template gave so far: its own and those of all templates it asked for.

        Places where a template of the same name would take precedence are among them, so that a new one is noticed.
        """
        names, queue = set[str](), [f"{name}.svg"]
        while queue:
            names.add(asking := queue.pop())
            queue += self.environment.asked_for.get(asking, set()) - names
        return [file for each in sorted(names) for file in self._looked_at(each)]

    def _looked_at(self, name: str) -> Iterator[Path]:
        for folder in self._folders:
            yield folder / name
            if template_exists(folder / name):
                return

    def _load(self, name: str) -> Template:
        try:
            compiled = self.environment.get_template(f"{name}.svg")
        except jinja2.TemplateSyntaxError as error:
            raise Refused([_syntax_error(error)]) from None
        except jinja2.TemplateNotFound as error:
            raise Refused([self._not_found(error)]) from None
        except (UnicodeDecodeError, OSError) as error:
            raise Refused([Problem("T001", f"the template `{name}` cannot be read: {reason(error)}").at()]) from None
        except STOPS as error:
            raise Refused(
                [Problem("T002", f"the template `{name}` cannot be understood: {_reason(error)}").at()]
            ) from None
        return Template(name, Path(compiled.filename or name), compiled, self.environment, self.fonts)

    def _not_found(self, error: jinja2.TemplateNotFound) -> Finding:
        """Return a finding about a missing template; after many, without a hint, which takes time."""
        self._missed += 1
        if self._missed == 1:
            known = self.environment.list_templates(extensions=["svg"])
            self._known = tuple(name.removesuffix(".svg") for name in known)
        name = (error.name or "").removesuffix(".svg")
        near = nearest_word(name, self._known) if self._missed <= MAX_ALIKE else ""
        hint = did_you_mean(name, self._known) if near else ""
        return Problem("T001", f"there is no template {quoted(name)}", hint, instead=near).at(None)


def expand(template: Template, values: Mapping[str, object]) -> ET.Element:
    """Fill in a card's values and return the checked root element; Refused with every mistake of the template."""
    template.environment.start()
    try:
        text = template.compiled.render(values)
    except Overspent as error:
        raise Refused([overspent_finding(error, template)]) from None
    except jinja2.TemplateSyntaxError as error:
        raise Refused([_syntax_error(error)]) from None
    except jinja2.TemplateNotFound as error:
        hint = "`extends`, `include` and `import` look in the set's folder, then among the built-in templates"
        raise Refused([_mistake("T001", f"there is no template {quoted(str(error.name))}", template, hint)]) from None
    except STOPS as error:
        said, hint = _stopped(error, values)
        message = f"the template `{template.name}` stopped: {said}"
        raise Refused([Problem("T003", message, hint).at(place_that_ran(error, template.file))]) from None
    return parse(text, template)


def page(name: str, values: Mapping[str, object]) -> str:
    """Return one of the program's own HTML pages, such as `report/migration`, with the values filled in and escaped."""
    return Templates([], limits=budget.NONE).environment.get_template(f"{name}.html").render(values)


def parse(text: str, template: Template) -> ET.Element:
    """Return the root of SVG text, checked against the subset."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # entities can expand to gigabytes
        message = f"the template `{template.name}` has a document type, which is not allowed"
        raise Refused([_mistake("T004", message, template, "remove the line that starts with `<!DOCTYPE`")])
    try:
        # A lone surrogate reaches the parser, which refuses it; a strict `encode` would raise another error.
        root = ET.fromstring(text.encode("utf-8", "surrogatepass"))
    except ET.ParseError as error:
        number, _ = error.position
        line = text.split("\n")[number - 1].strip() if text else ""
        place = place_of_line(template.file, line, number)
        said = _NO_TAG.sub("", str(error)) if place.excerpt else str(error)
        message = f"the template `{template.name}` does not give well-formed SVG: {said}"
        hint = _xml_hint(str(error)) or ("" if place.excerpt else f"the line reads `{line[:80]}`")
        raise Refused([Problem("T004", message, hint).at(place)]) from None
    try:
        Tally().add("elements", len(list(root.iter())))
    except Overspent as error:
        raise Refused([overspent_finding(error, template)]) from None
    findings = [
        replace(each, message=f"template `{template.name}`: {each.message}").at(place_of_part(template.file, part))
        for each, part in _mistakes(root).items()
    ]
    if findings:
        raise Refused(findings)
    return root


@cached(256)
def local_name(tag: str) -> str:
    """Return the tag without SVG's namespace."""
    # ElementTree writes the tag `rect` of a namespace as `{http://...}rect`.
    return tag.removeprefix(f"{{{SVG}}}")


def element_name(element: ET.Element) -> str:
    """Return the element as a message names it: `<rect>` or `<text id="name">`."""
    name, tag = (
        shorten_words(element.get("id", ""), _LONGEST_NAME),
        shorten_words(local_name(element.tag), _LONGEST_NAME),
    )
    return f'<{tag} id="{name}">' if name else f"<{tag}>"


def shorten_words(words: str, most: int = 200) -> str:
    """Return a template's words, or the beginning of long ones, for a message."""
    return words if len(words) <= most else f"{words[:most]}…"


def _mistakes(root: ET.Element) -> dict[Problem, TemplatePart]:
    """Return everything in the tree that lies outside the subset, and of what it is said."""
    if local_name(root.tag) != "svg":
        return {Problem("T005", f"the root is `{element_name(root)}`, expected `<svg>`"): _part(root)}
    found: dict[Problem, TemplatePart] = {}
    queue = [(root, 1)]
    # No recursion: a template may nest deeper than Python's stack is.
    while queue and len(found) < _MAX_MISTAKES:
        element, depth = queue.pop()
        if depth > _MAX_DEPTH:
            message = f"`{element_name(element)}` is nested more than {_MAX_DEPTH} elements deep"
            return {Problem("T005", message): _part(element)}
        for word in _wrong_attributes(local_name(element.tag), tuple(element.attrib)):
            found.setdefault(_wrong_attribute(element, word), _part(element, word))
        inside = _WITHIN.get(local_name(element.tag), frozenset())
        for child in element:
            if local_name(child.tag) in inside:
                queue.append((child, depth + 1))
            else:
                wrong = _wrong_element(local_name(child.tag), element_name(child), local_name(element.tag))
                found.setdefault(wrong, _part(child))
        words = "" if "tspan" in inside else _loose_words(element)
        if words:
            message = f"`{element_name(element)}` holds the text `{words}`"
            found.setdefault(Problem("T005", message, "text stands in `<text>` or `<tspan>`"), _part(element))
    return found


def _part(element: ET.Element, attribute: str = "") -> TemplatePart:
    return TemplatePart(local_name(element.tag), element.get("id", ""), attribute)


def place_of(template: Template, element: ET.Element, attribute: str = "") -> Span:
    """Return the place of an element, or of an attribute of it, in the template's file."""
    return place_of_part(template.file, _part(element, attribute))


def _loose_words(element: ET.Element) -> str:
    """Return the start of text inside an element that draws none."""
    return " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()[:40]


@cached(1024)
def _wrong_attributes(tag: str, attributes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in attributes if word not in SUBSET[tag])[:_MAX_MISTAKES]


def _wrong_attribute(element: ET.Element, word: str) -> Problem:
    attribute = shorten_words(word, _LONGEST_NAME)
    message = f"`{element_name(element)}` has the attribute `{attribute}`, which is not in the subset"
    return Problem("T006", message, did_you_mean(word, sorted(SUBSET[local_name(element.tag)])))


def _wrong_element(tag: str, name: str, parent: str) -> Problem:
    if tag in SUBSET:
        return Problem("T005", f"`{name}` stands within `<{parent}>`, where it is not allowed", "")
    return Problem("T005", f"the element `{name}` is not in the subset", did_you_mean(tag, sorted(SUBSET)))


_NO_TAG = re.compile(r": line \d+, column \d+$")
_XML_HINTS = {
    "mismatched tag": "`<g>` ends with `</g>`, before the element around it ends; or it is written `<g/>`",
    "not well-formed": 'attributes are written `name="value"`, and `&` and `<` in a text `&amp;` and `&lt;`',
    "unclosed token": "an element ends with `>`",
    "no element found": "the file ends before `</svg>`",
    "unbound prefix": "an attribute with a colon, such as `inkscape:label`, needs `xmlns:inkscape` in `<svg>`",
    "duplicate attribute": "remove one of the two",
}


def _xml_hint(said: str) -> str:
    """Return what to do about the words of the XML parser; "" if it is not known."""
    return next((hint for words, hint in _XML_HINTS.items() if said.startswith(words)), "")


_NO_ATTRIBUTE = re.compile(r"'(?:dict|[\w.]+) object' has no attribute '(?P<name>\w+)'")
_NO_NAME = re.compile(r"'(?P<name>\w+)' is undefined")


def _stopped(error: BaseException, values: Mapping[str, object]) -> tuple[str, str]:
    """Return why a template stopped, in the words of its author, and a hint."""
    said = _reason(error)
    attribute, name = _NO_ATTRIBUTE.search(said), _NO_NAME.fullmatch(said)
    if attribute:
        keys = _card_keys(values)
        hint = did_you_mean(attribute["name"], keys) or (f"a card has {listed(keys, 'and')}" if keys else "")
        return f"nothing is called `{attribute['name']}` here", hint
    if name:
        near = nearest_word(name["name"], _card_keys(values))
        return f"nothing is called `{name['name']}` here", f"did you mean `card.{near}`?" if near else ""
    return said, ""


def _card_keys(values: Mapping[str, object]) -> list[str]:
    card = values.get("card")
    return sorted(map(str, card)) if isinstance(card, Mapping) else []


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "it includes, extends, calls or nests itself without end"
    if isinstance(error, MemoryError):
        return "it asks for more memory than there is"
    return shorten_words(reason(error))


def _mistake(code: str, message: str, template: Template, hint: str = "") -> Finding:
    return Problem(code, message, hint).at(Span(file=template.file))


def _syntax_error(error: jinja2.TemplateSyntaxError) -> Finding:
    line = error.source.split("\n")[error.lineno - 1] if error.source else ""
    file = Path(error.filename or error.name or "")
    span = Span(file=file, line=error.lineno, column=1, end_line=error.lineno, end_column=len(line) + 1, excerpt=line)
    return Problem("T002", f"the template `{file.stem}` is not valid Jinja2: {(error.message or '').rstrip('.')}").at(
        span
    )


def overspent_finding(error: Overspent, template: Template) -> Finding:
    """Return a finding that says what a template spent too much of, and in which line."""
    message = f"the template `{template.name}` asks for too much: {error}"
    return Problem("T010", message, "draw less, or draw it as a picture").at(place_that_ran(error, template.file))
