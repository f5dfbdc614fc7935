"""Templates filled in: Jinja2 turns a card's values into SVG, and every element and attribute is checked.

Anything outside the subset is an error that names template, element and attribute, so that no part of a template is
silently left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from render.base.caches import stored
from render.base.findings import Finding, Problem, Refused, Span
from render.layout.templates.engine import budget
from render.layout.templates.engine.budget import Overspent, Tally
from render.layout.templates.mistakes.places import TemplatePart, place_of_line, place_of_part, span_of
from render.layout.templates.mistakes.wording import (
    STOPS,
    lost_template,
    name_at,
    overspent_finding,
    stopped_finding,
    syntax_mistake,
)
from render.layout.templates.subset import SUBSET, WITHIN, is_plain, local_name
from render.layout.templates.template import Template, Templates

if TYPE_CHECKING:
    from render.layout.templates.source_map import SourceMap


def expand(template: Template, values: Mapping[str, object]) -> ET.Element:
    """Fill in a card's values and return the checked root element; Refused with every mistake of the template."""
    return fill_in(template, values).root


def fill_in(template: Template, values: Mapping[str, object]) -> Filled:
    """Fill in a card's values; Refused with every mistake of the template."""
    template.environment.start()
    return fill_in_part(template, values)


def fill_in_part(template: Template, values: Mapping[str, object]) -> Filled:
    """Return what `fill_in` returns, for a template that is a part of the face begun last, such as an icon."""
    filled = _parsed(_written(template, values), template, values)
    if not is_plain(filled.root):
        filled.rewrite()
    return filled


_SAME_TEXTS: dict[tuple[str, str], str] = stored(f"{__name__}.same_texts", {})
_MAX_SAME_TEXTS = 8  # of 0.1 MB each: more than there are built-in backs


def _text(template: Template, values: Mapping[str, object]) -> str:
    """Return what a template gives, as text.

    A built-in one that sees no values and asks for no other template gives the same each time, in all sets. The shipped
    back is such a one: to fill it in takes longer than the front of a card.
    """
    made_of = None if values else template.made_of
    if made_of in _SAME_TEXTS:
        return _SAME_TEXTS[made_of]
    text = template.compiled.render(values)
    if made_of and not template.asked_for_others and len(_SAME_TEXTS) < _MAX_SAME_TEXTS:
        _SAME_TEXTS[made_of] = text
    return text


def _written(template: Template, values: Mapping[str, object]) -> str:
    """Return what a template gives, as it is."""
    try:
        return _text(template, values)
    except Overspent as error:
        raise Refused([overspent_finding(error, template.name, template.file)]) from None
    except jinja2.TemplateSyntaxError as error:
        raise Refused([syntax_mistake(error, template.environment)]) from None
    except jinja2.TemplateNotFound as error:
        name = str(error.name)
        raise Refused([lost_template(template.environment, name, *_asking_for(name, template))]) from None
    except STOPS as error:
        circle = _circle_of(template) if isinstance(error, RecursionError) else None
        raise Refused([circle or stopped_finding(error, template.name, template.file, values)]) from None


def _circle_of(template: Template) -> Finding | None:
    """Return what is said of templates that ask for each other in a circle, the same for each of them; else None."""
    asked_for = template.environment.asked_for
    ways = [[f"{template.name}.svg"]]
    seen: set[str] = set()
    for way in ways:  # grows meanwhile
        for name in sorted(asked_for.get(way[-1], ())):
            if name in way:
                circle = way[way.index(name) :]
                first = circle.index(min(circle))
                return _in_circle([*circle[first:], *circle[:first]], template)
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return None


def _in_circle(circle: list[str], template: Template) -> Finding:
    """Return what is said of a circle, at the place where its first template asks for the next."""
    after = circle[1] if len(circle) > 1 else circle[0]
    file, text = _asking_for(after, template, circle[0])
    named = re.search(rf"[\"']{re.escape(after)}[\"']", text)
    way = ", which asks for ".join(f"`{name}`" for name in (*circle[1:], circle[0]))
    message = f"the template `{file.stem}` asks for itself without end: `{circle[0]}` asks for {way}"
    hint = "let one of them not extend, include or import the next" if len(circle) > 1 else "name another template"
    place = span_of(file, text, *named.span()) if named else Span(file=file)
    return Problem("T003", message, hint).at(place)


def _asking_for(name: str, template: Template, first: str = "") -> tuple[Path, str]:
    """Return the file and text of a template that asks for another one: of those that this one has asked for so far.

    It is the `first`, if one is named.
    """
    environment = template.environment
    asking = [first] if first else [each for each, asked in environment.asked_for.items() if name in asked]
    try:
        text, file, _ = environment.loader.get_source(environment, asking[0])  # type: ignore[union-attr] # it has one
    except (jinja2.TemplateNotFound, Refused, OSError, ValueError, IndexError):
        return template.file, ""
    return Path(file or template.file), text


def page(name: str, values: Mapping[str, object]) -> str:
    """Return one of the program's own HTML pages, such as `report/migration`, with the values filled in and escaped."""
    return Templates([], limits=budget.NONE).environment.get_template(f"{name}.html").render(values)


class Filled:
    """What a template gave for one card: a drawing, whose elements know where they were written.

    A drawing of plain elements and attributes is taken as it is. Any other, such as one of a drawing program, is
    rewritten in plain ones.
    """

    def __init__(self, template: Template, values: Mapping[str, object], text: str, root: ET.Element) -> None:
        self.template, self._values, self._text = template, values, text
        self.root = self._given = root
        self._origins: Mapping[ET.Element, ET.Element] | None = None  # None as long as it is not rewritten
        self._numbers: dict[ET.Element, int] = {}
        self._map: SourceMap | None = None

    def rewrite(self) -> bool:
        """Rewrite the drawing in plain elements that know their places; Refused with what cannot be drawn.

        False if that was done already.
        """
        if self._origins is not None:
            return False
        from render.layout.svg.resolving import resolve

        tally = Tally()
        try:
            resolved = resolve(self._given, SUBSET, WITHIN, lambda amount: tally.add("elements", amount))
        except Overspent as error:
            raise Refused([overspent_finding(error, self.template.name, self.template.file)]) from None
        if resolved.mistakes:  # which an icon, kept for further cards, tells again on the next one
            raise Refused(list(dict.fromkeys(starmap(self._finding, resolved.mistakes))))
        self.root, self._origins = resolved.root, resolved.origins
        return True

    def _finding(self, problem: Problem, element: ET.Element, attribute: str, words: str) -> Finding:
        return self.told(problem, self.place(element, attribute, words))

    def told(self, problem: Problem, place: Span) -> Finding:
        """Return a finding that says which template has a problem."""
        name = name_at(place, self.template.name, self.template.file)
        return replace(problem, message=f"template `{name}`: {problem.message}").at(place)

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
    from render.layout.templates.source_map import MarkedTemplates

    marking = template.environment.marking
    if not isinstance(marking, MarkedTemplates):
        marking = template.environment.marking = MarkedTemplates(template.environment)
    return marking.source_map(template.name, values, text)


def _parsed(text: str, template: Template, values: Mapping[str, object]) -> Filled:
    """Return SVG text as a drawing, checked against the subset."""
    if _says_type(text):
        _check_document_type(text, template)
    try:
        root = _tree(text)
    except ET.ParseError as error:
        raise Refused([_not_well_formed(error, text, template, values)]) from None
    try:
        Tally().add("elements", len(list(root.iter())))
    except Overspent as error:
        raise Refused([overspent_finding(error, template.name, template.file)]) from None
    return Filled(template, values, text, root)


def _tree(text: str) -> ET.Element:
    # A lone surrogate reaches the parser, which refuses it; a strict `encode` would raise another error.
    # The encoding that the text declares does not count: it was read already.
    return ET.fromstring(text.encode("utf-8", "surrogatepass"), ET.XMLParser(encoding="utf-8"))


def _says_type(text: str) -> bool:
    """Return whether a text may have a document type, whose entities can expand to gigabytes."""
    return "<!DOCTYPE" in text or "<!ENTITY" in text


def _check_document_type(text: str, template: Template) -> None:
    """Refused if a document type does more than name a few words, as that of Illustrator does."""
    from render.layout.svg.drawing import wrong_document_type

    said = wrong_document_type(text)
    if said:
        message = f"the template `{template.name}` has a document type, {said}"
        raise Refused([_mistake("T004", message, template, "remove the lines from `<!DOCTYPE` on")])


def _not_well_formed(error: ET.ParseError, text: str, template: Template, values: Mapping[str, object]) -> Finding:
    from render.layout.templates.mistakes.open_elements import wrong_in, xml_hint

    number, column = error.position
    line = text.split("\n")[number - 1].strip() if text else ""
    found, wrong = _source_map(template, values, text), wrong_in(text)
    place = found.place(wrong.start, wrong.end) if found and wrong else None
    if found and wrong and place:
        said, hint = wrong.told(place, found.of_offset(wrong.meets) if wrong.meets > wrong.end else None), wrong.hint
    else:
        place = (found.of_line(number, column) if found else None) or place_of_line(template.file, line, number)
        said = _NO_TAG.sub("", str(error)) if place.excerpt else str(error)
        hint = xml_hint(str(error), line) or ("" if place.excerpt else f"the line reads `{line[:80]}`")
    name = name_at(place, template.name, template.file)
    return Problem("T004", f"the template `{name}` does not give well-formed SVG: {said}", hint).at(place)


def _part(element: ET.Element, attribute: str = "") -> TemplatePart:
    return TemplatePart(local_name(element.tag), element.get("id", ""), attribute)


def _mistake(code: str, message: str, template: Template, hint: str = "") -> Finding:
    return Problem(code, message, hint).at(Span(file=template.file))


_NO_TAG = re.compile(r": line \d+, column \d+$")
