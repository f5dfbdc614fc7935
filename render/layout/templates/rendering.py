"""Templates filled in: Jinja2 turns a card's values into SVG, and every element and attribute is checked.

Anything outside the subset is an error that names template, element and attribute, so that no part of a template is
silently left out.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from render.base.caches import stored
from render.base.findings import Diagnostic, Refused, Span
from render.base.limits import EXPRESSION_RESULT
from render.base.resources import is_ours
from render.layout.svg.subset import is_plain
from render.layout.templates.template import Template, Templates

if TYPE_CHECKING:
    from render.layout.templates.source_map import SourceMap


def fill_in(template: Template, values: Mapping[str, object]) -> Filled:
    """Fill in a card's values; Refused with every mistake of the template."""
    filled = _parsed(_written(template, values), template, values)
    if not is_plain(filled.root):
        filled.rewrite()
    return filled


_SAME_TEXTS: dict[tuple[str, str], str] = stored({})
_MAX_SAME_TEXTS = 8  # of 0.1 MB each: more than there are built-in backs


def _written(template: Template, values: Mapping[str, object]) -> str:
    """Return what a template gives, as text.

    A built-in one that sees no values and asks for no other template gives the same each time, in all sets. The shipped
    back is such a one: to fill it in takes longer than the front of a card.
    """
    name, templates = f"{template.name}.svg", template.templates
    made_of = template.source[1:]
    if not values and made_of in _SAME_TEXTS:
        return _SAME_TEXTS[made_of]
    from jinja2 import TemplateError

    from render.layout.templates.filling import Stopped, why_stopped

    try:
        text = templates.filled(name, values)
    except Stopped as stopped:
        from render.layout.templates.mistakes import stopped_finding

        raise Refused([stopped_finding(stopped, template, values)]) from None
    except (TemplateError, ValueError) as error:
        from render.layout.templates.mistakes import stopped_finding

        raise Refused([stopped_finding(why_stopped(error), template, values)]) from None
    is_same = not values and is_ours(made_of[1]) and not templates.asked_for.get(name)
    if is_same and len(_SAME_TEXTS) < _MAX_SAME_TEXTS:
        _SAME_TEXTS[made_of] = text
    return text


def page(name: str, values: Mapping[str, object]) -> str:
    """Return one of the program's own HTML pages, such as `report/migration`, with the values filled in and escaped."""
    return Templates([]).filled(f"{name}.html", values)


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
            root, drawing = resolve(self._given, lambda amount: tally.add("elements", amount))
        except Overspent as error:
            raise Refused([overspent_finding(error, self.template)]) from None
        if drawing.mistakes:  # which an icon, kept for further cards, tells again on the next one
            told = (self.told(problem, self.place(*place)) for problem, place in drawing.mistakes)
            raise Refused(list(dict.fromkeys(told)))
        self.root, self._origins = root, drawing.origins
        return True

    def told(self, problem: Diagnostic, place: Span) -> Diagnostic:
        """Return a finding that says which template has a problem."""
        from render.layout.templates.mistakes import name_at

        name = name_at(place, self.template)
        return replace(problem, message=f"template `{name}`: {problem.message}").at(place)

    def place(self, element: ET.Element, attribute: str = "", words: str = "") -> Span:
        """Return the place of an element, or of a part of it, in the file where it was written."""
        origin = (self._origins or {}).get(element, element)
        if not self._numbers:
            self._numbers = {each: number for number, each in enumerate(self._given.iter())}
            self._map = _source_map(self.template, self._values, self._text)
        found = self._map.of_element(self._numbers.get(origin, -1), attribute, words) if self._map else None
        return found or Span(file=self.template.file)


def _source_map(template: Template, values: Mapping[str, object], text: str) -> SourceMap | None:
    """Return where each part of what a template gave was written; None if that cannot be known."""
    from render.layout.templates.source_map import MarkedTemplates

    templates = template.templates
    if not isinstance(templates.marked, MarkedTemplates):
        templates.marked = MarkedTemplates(templates)
    return templates.marked.source_map(template.name, values, text)


def _parsed(text: str, template: Template, values: Mapping[str, object]) -> Filled:
    """Return SVG text as a drawing."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # whose entities can expand to gigabytes
        from render.layout.svg.drawing import wrong_document_type

        if said := wrong_document_type(text):  # that of Illustrator names a few words
            message = f"the template `{template.name}` has a document type, {said}"
            problem = Diagnostic("T004", message, "remove the lines from `<!DOCTYPE` on")
            raise Refused([problem.at(Span(file=template.file))])
    try:
        # A lone surrogate reaches the parser, which refuses it; a strict `encode` would raise another error.
        # The encoding that the text declares does not count: it was read already.
        root = ET.fromstring(text.encode("utf-8", "surrogatepass"), ET.XMLParser(encoding="utf-8"))
    except ET.ParseError as error:
        raise Refused([_not_well_formed(error, text, template, values)]) from None
    try:
        Tally().add("elements", len(list(root.iter())))
    except Overspent as error:
        raise Refused([overspent_finding(error, template)]) from None
    if template.templates.layers:
        _switch(root, template.templates.layers)
    return Filled(template, values, text, root)


LAYER_NAMES = ("id", "{http://www.inkscape.org/namespaces/inkscape}label")
"""The attributes that name a layer: drawing programs have names for people beside those of elements."""


def _switch(root: ET.Element, layers: Mapping[str, bool]) -> None:
    """Show or leave out the elements of these names; `style` goes before all else that says so."""
    for element in root.iter():
        for name in LAYER_NAMES:
            shown = layers.get(element.get(name, ""))
            if shown is not None:
                style = element.get("style", "").rstrip("; ")
                element.set("style", f"{style + '; ' if style else ''}display: {'inline' if shown else 'none'}")


def _not_well_formed(error: ET.ParseError, text: str, template: Template, values: Mapping[str, object]) -> Diagnostic:
    from render.layout.templates.mistakes import name_at
    from render.layout.templates.source_map import wrong_markup, xml_hint

    found, wrong = _source_map(template, values, text), wrong_markup(text)
    if found and wrong and (place := found.place(wrong.start, wrong.end)):
        said, hint = wrong.said, wrong.hint
        if wrong.meets and (meets := found.place(*wrong.meets)):
            where = f"line {meets.line}" if meets.file == place.file else f"`{meets.file.name}`, line {meets.line}"
            said = f"{said}, where `{meets.excerpt[meets.column - 1 : meets.end_column - 1]}` stands in {where}"
    else:
        place, said = Span(file=template.file), str(error)
        line = text.split("\n")[error.position[0] - 1].strip() if text else ""
        hint = xml_hint(said, line, 0) or f"the line reads `{line[:80]}`"
    name = name_at(place, template)
    return Diagnostic("T004", f"the template `{name}` does not give well-formed SVG: {said}", hint).at(place)


# --- what one face may hold -------------------------------------------------------------------------------------------

LIMITS: Mapping[str, float] = {
    "elements": 10_000,
    "pictures": 100,
    "icons in texts": 1_000,
    "characters of text": EXPRESSION_RESULT.most,
    "points of outlines": 100_000,
    "dashes": 20_000,
    "edges": 1_000_000,
    "pieces of lines": 50_000,
    "mm of edges, measured downwards": 50_000,
    "cards of painted area": 250,
    "layers": 500,
}
"""The most that one face may hold when it is drawn. Edges are counted at 1200 dpi; area is that of boxes of shapes."""


class Overspent(Exception):
    """A face holds too much."""


class Tally:
    """Counts what is drawn on a face; raises Overspent as soon as it is too much."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def add(self, what: str, amount: float) -> None:
        """Count an amount of something; `what` is a key of LIMITS."""
        spent = self.spent[what] = self.spent.get(what, 0.0) + amount
        if not spent <= LIMITS[what]:  # written so that `nan` is too much as well
            amount_spent = f"{math.ceil(spent):,}" if math.isfinite(spent) else "endless"
            raise Overspent(f"it spent {amount_spent} of {LIMITS[what]:,.0f} {what}")


def overspent_finding(error: Overspent, template: Template) -> Diagnostic:
    """Return a finding that says what a face holds too much of."""
    from render.layout.templates.mistakes import ASK_FOR_LESS

    return Diagnostic("T010", f"the template `{template.name}` asks for too much: {error}", ASK_FOR_LESS).at(
        Span(file=template.file)
    )
