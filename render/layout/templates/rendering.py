"""Templates: Jinja2 turns a card's values into SVG, and every element and attribute is checked against the subset.

`templates/README.md` documents the subset. Anything outside it is an error that names template, element and attribute,
so that no part of a template is silently left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

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
from render.layout.templates.offered import FILTERS
from render.layout.templates.places import TemplatePart, place_of_line, place_of_part, place_that_ran
from render.layout.templates.sandbox import OPTIONS, Sandbox
from render.text.font_book import NO_FONTS, FontBook

if TYPE_CHECKING:
    from render.layout.templates.source_map import SourceMap

SVG = "http://www.w3.org/2000/svg"

_PLACE = frozenset({"id", "transform"})
_GRAPHICS = _PLACE | frozenset(
    "fill fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray".split()
)
_FONT = frozenset("font-family font-size font-style font-weight font-stretch".split())
_ROOM = frozenset(
    "width height text-anchor pixel letter-spacing min-size size-step min-stretch leading line-gap paragraph-gap"
    " max-space-growth min-leading min-paragraph-gap vertical-align around optional-size".split()
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
    "tspan": _FONT | frozenset("fill display optional".split()),
    "icon": frozenset("href value words height".split()),
    "br": frozenset(),
    "rule": frozenset("stroke stroke-width stroke-linecap stroke-dasharray width".split()),
}
"""The attributes that a template may use, by element."""

_IN_TEXT = frozenset("tspan icon br rule".split())
_WITHIN: Mapping[str, frozenset[str]] = {
    "svg": frozenset(SUBSET) - _IN_TEXT,
    "g": frozenset(SUBSET) - _IN_TEXT,
    "text": _IN_TEXT,
    "tspan": _IN_TEXT,
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
        self.fonts = fonts or NO_FONTS  # so that all sets without fonts share what is cached by style
        self._own, self._folders = folders, [*folders, *ours]
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

    def looked_for(self, name: str) -> list[str]:
        """Return the files of the set and of its game that a template may be, as messages name them."""
        return [str(folder / f"{name}.svg") for folder in self._own]

    @property
    def look_alikes(self) -> Mapping[Path, str]:
        """The files so far that are no templates by the case of their letters alone, by the name looked for."""
        return loader.look_alikes if isinstance(loader := self.environment.loader, TemplateFiles) else {}

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
        alike = next((file for file, wanted in self.look_alikes.items() if wanted == error.name), None)
        if alike is not None:
            hint = f"rename `{alike.name}` to `{error.name}`: upper and lower case differ"
            return Problem("T001", f"there is no template {quoted(name)}", hint, instead="").at(None)
        near = nearest_word(name, self._known) if self._missed <= MAX_ALIKE else ""
        hint = did_you_mean(name, self._known) if near else ""
        return Problem("T001", f"there is no template {quoted(name)}", hint, instead=near).at(None)


def part_template(template: Template, name: str) -> Template:
    """Return a template that another one shows as a part of its face; Refused if there is none."""
    environment = template.environment
    try:
        compiled = environment.get_template(environment.join_path(name, f"{template.name}.svg"))
    except jinja2.TemplateSyntaxError as error:
        raise Refused([_syntax_error(error)]) from None
    except jinja2.TemplateNotFound:
        raise Refused([Problem("T001", f"there is no file {quoted(name)}").at()]) from None
    except UnicodeDecodeError:
        hint = "save it as SVG, with a program for drawings"
        raise Refused([Problem("T002", f"`{name}` is no SVG, whatever its name says", hint).at()]) from None
    except (*STOPS, OSError) as error:
        raise Refused([Problem("T002", f"`{name}` cannot be understood: {_reason(error)}").at()]) from None
    return replace(template, name=name.removesuffix(".svg"), file=Path(compiled.filename or name), compiled=compiled)


def expand(template: Template, values: Mapping[str, object]) -> ET.Element:
    """Fill in a card's values and return the checked root element; Refused with every mistake of the template."""
    return fill_in(template, values).root


def fill_in(template: Template, values: Mapping[str, object]) -> Filled:
    """Fill in a card's values; Refused with every mistake of the template."""
    template.environment.start()
    return fill_in_part(template, values)


def fill_in_part(template: Template, values: Mapping[str, object]) -> Filled:
    """Return what `fill_in` returns, for a template that is a part of the face begun last, such as an icon."""
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
    return _parsed(text, template, values)


def page(name: str, values: Mapping[str, object]) -> str:
    """Return one of the program's own HTML pages, such as `report/migration`, with the values filled in and escaped."""
    return Templates([], limits=budget.NONE).environment.get_template(f"{name}.html").render(values)


class Filled:
    """What a template gave for one card: a drawing, whose elements know where they were written.

    A drawing of plain elements and attributes is taken as it is. Any other, such as one of a drawing program, is
    rewritten in plain ones.
    """

    def __init__(self, template: Template, values: Mapping[str, object], text: str, root: ET.Element) -> None:
        self.template, self.root = template, root
        self._values, self._text, self._given = values, text, root
        self._origins: Mapping[ET.Element, ET.Element] | None = None  # None as long as it is not rewritten
        self._numbers: dict[ET.Element, int] = {}
        self._map: SourceMap | None = None

    def rewrite(self) -> bool:
        """Rewrite the drawing in plain elements; False if that was done already. Refused with what cannot be drawn."""
        if self._origins is not None:
            return False
        from render.layout.svg.resolving import resolve  # noqa: PLC0415 - most templates need none of it

        self.template.environment.not_plain.add(self.template.name)
        tally = Tally()
        try:
            resolved = resolve(self._given, SUBSET, _WITHIN, lambda amount: tally.add("elements", amount))
        except Overspent as error:
            raise Refused([overspent_finding(error, self.template)]) from None
        self.root, self._origins = resolved.root, resolved.origins
        if resolved.mistakes:
            raise Refused(list(dict.fromkeys(starmap(self._finding, resolved.mistakes))))
        return True

    def _finding(self, problem: Problem, element: ET.Element, attribute: str, words: str) -> Finding:
        told = replace(problem, message=f"template `{self.template.name}`: {problem.message}")
        return told.at(self.place(element, attribute, words))

    def place(self, element: ET.Element, attribute: str = "", words: str = "") -> Span:
        """Return the place of an element, or of a part of it, in the file where it was written."""
        origin = (self._origins or {}).get(element, element)
        if not self._numbers:
            self._numbers = {each: number for number, each in enumerate(self._given.iter())}
            self._map = _source_map(self.template, self._values, self._text)
        found = self._map.of_element(self._numbers.get(origin, -1), attribute, words) if self._map else None
        return found or place_of_part(self.template.file, _part(origin, attribute))


def _source_map(template: Template, values: Mapping[str, object], text: str) -> SourceMap | None:
    """Return where each part of what a template gave was written; None if that cannot be known."""
    from render.layout.templates.source_map import MarkedTemplates  # noqa: PLC0415 - after a mistake only

    marking = template.environment.marking
    if not isinstance(marking, MarkedTemplates):
        marking = template.environment.marking = MarkedTemplates(template.environment)
    return marking.source_map(template.name, values, text)


def _parsed(text: str, template: Template, values: Mapping[str, object]) -> Filled:
    """Return SVG text as a drawing, checked against the subset."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # entities can expand to gigabytes
        _check_document_type(text, template)
    try:
        # A lone surrogate reaches the parser, which refuses it; a strict `encode` would raise another error.
        root = ET.fromstring(text.encode("utf-8", "surrogatepass"))
    except ET.ParseError as error:
        raise Refused([_not_well_formed(error, text, template, values)]) from None
    try:
        Tally().add("elements", len(list(root.iter())))
    except Overspent as error:
        raise Refused([overspent_finding(error, template)]) from None
    filled = Filled(template, values, text, root)
    if template.name in template.environment.not_plain or not _is_plain(root):
        filled.rewrite()
    return filled


def _check_document_type(text: str, template: Template) -> None:
    """Refused if a document type does more than name a few words, as that of Illustrator does."""
    from render.layout.svg.document_type import wrong_document_type  # noqa: PLC0415 - most templates have none

    said = wrong_document_type(text)
    if said:
        message = f"the template `{template.name}` has a document type, {said}"
        raise Refused([_mistake("T004", message, template, "remove the lines from `<!DOCTYPE` on")])


def _not_well_formed(error: ET.ParseError, text: str, template: Template, values: Mapping[str, object]) -> Finding:
    number, column = error.position
    line = text.split("\n")[number - 1].strip() if text else ""
    found = _source_map(template, values, text)
    place = (found.of_line(number, column) if found else None) or place_of_line(template.file, line, number)
    said = _NO_TAG.sub("", str(error)) if place.excerpt else str(error)
    message = f"the template `{template.name}` does not give well-formed SVG: {said}"
    hint = _xml_hint(str(error)) or ("" if place.excerpt else f"the line reads `{line[:80]}`")
    return Problem("T004", message, hint).at(place)


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


_NOTHING: frozenset[str] = frozenset()


def _is_plain(root: ET.Element) -> bool:
    """Return whether all elements and attributes are of the plain subset, which needs no rewriting."""
    if local_name(root.tag) != "svg":
        return False
    queue = [(root, "svg", 1)]
    # No recursion: a template may nest deeper than Python's stack is.
    while queue:
        element, tag, depth = queue.pop()
        if depth > _MAX_DEPTH or not _has_plain_attributes(tag, tuple(element.attrib)):
            return False
        if "tspan" not in (inside := _WITHIN.get(tag, _NOTHING)) and _loose_words(element):
            return False
        for child in element:
            inner = local_name(child.tag)
            if inner not in inside:
                return False
            queue.append((child, inner, depth + 1))
    return True


def _part(element: ET.Element, attribute: str = "") -> TemplatePart:
    return TemplatePart(local_name(element.tag), element.get("id", ""), attribute)


def _loose_words(element: ET.Element) -> str:
    """Return the start of text inside an element that draws none."""
    return " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()[:40]


@cached(1024)
def _has_plain_attributes(tag: str, attributes: tuple[str, ...]) -> bool:
    return SUBSET[tag].issuperset(attributes)


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
        if name["name"] == "card":
            return (
                "nothing is called `card` here",
                "a back serves all cards: leave out what is of one, such as its name",
            )
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
    said = (error.message or "").rstrip(".")
    return Problem("T002", f"the template `{file.stem}` is not valid Jinja2: {said}", _jinja_hint(said)).at(span)


_JINJA_HINTS = (
    ("unexpected '}'", "`{{` ends with `}}`, and `{%` with `%}`"),
    ("unexpected end of template", "`{{` ends with `}}`, and `{%` with `%}`"),
    ("Missing end of comment tag", "`{#` begins a comment, which ends with `#}`"),
    ("Expected an expression", "write what is to be printed between `{{` and `}}`, such as `{{ card.name }}`"),
)


def _jinja_hint(said: str) -> str:
    """Return what to do about the words of Jinja2 about a template; "" if it is not known."""
    filters = re.fullmatch(r"No filter named '(\w+)'", said)
    if filters:
        return did_you_mean(filters[1], sorted(FILTERS)) or "templates/README.md lists the filters"
    open_tag = re.search(r"innermost block that needs to be closed is '(\w+)'", said)
    if open_tag:
        return f"`{{% {open_tag[1]} %}}` ends with `{{% end{open_tag[1]} %}}`"
    return next((hint for words, hint in _JINJA_HINTS if said.startswith(words)), "")


def overspent_finding(error: Overspent, template: Template) -> Finding:
    """Return a finding that says what a template spent too much of, and in which line."""
    message = f"the template `{template.name}` asks for too much: {error}"
    return Problem("T010", message, "draw less, or draw it as a picture").at(place_that_ran(error, template.file))
