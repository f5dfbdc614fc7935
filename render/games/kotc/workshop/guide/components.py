"""The components of abilities from the Card Building Guide, "Card Texts"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from render.base.findings import Span, listed, quoted
from render.games.kotc.editions.reading import ROLES as KEYS
from render.games.kotc.editions.soundness import CALLED, a_role, ending, is_sentence, variables
from render.games.kotc.editions.writing import figures_of
from render.games.kotc.model.ability import LAST_OLD_EDITION
from render.games.kotc.model.edition import Component, Role
from render.games.kotc.workshop.guide.annotations import Annotation, read_annotation
from render.games.kotc.workshop.guide.formulas import Printed, read_formula
from render.games.kotc.workshop.guide.passages import check_sentences
from render.games.kotc.workshop.guide.words import FORMULA, card_text, words_of_element
from render.games.kotc.workshop.pages.sections import UNKNOWN, PageReading, Section
from render.games.kotc.workshop.pages.tree import Element, Words, prose

CHAPTER = "card texts"
TITLES = {
    "caveats": Role.CAVEAT,
    "activation conditions": Role.CONDITION,
    "activation costs": Role.COST,
    "target selections": Role.TARGET,
    "effects": Role.EFFECT,
}
KEY_OF = {role: key for key, (role, _) in KEYS.items()}
_ULTRA = "ultra "
# The greatest edition in which targets have `(x)` and not `(t = x)` (guide of the 11th, "Target Selections").
_LAST_WITHOUT_T = 10

_ITEM = re.compile(r"(?P<head>[^“”\"]*)[“\"](?P<text>[^“”\"]*)[”\"](?P<tail>[^“”\"]*)")
_HEAD = re.compile(rf"(?:\[(?P<ultra>[^\]]*)\])?\s*(?P<formula>{FORMULA}|\(.*\))?\s*(?P<limits>\{{.*\}})?\s*")
_ULTRA_POINTS = re.compile(r"\+([0-9]{1,3})")
_LIMIT = re.compile(r"\{?([xyz])\}?\s*(?:≤|<=)\s*([1-9][0-9]{0,3})")
_REDACTED = re.compile(r"\s*Redacted \((?:[1-9][0-9]{0,2})(?:st|nd|rd|th) Edition\)\s*")
# What to write for one target, in the section on effects: "“Each target” ... should be replaced with ...".
_ADVICE = re.compile(r"[“\"].*[”\"] should be replaced with (?:just )?[“\"].*[”\"].*")
_TUTORIAL = "Suggested tutorial text:"
_IN_MATHS = frozenset({"math", "del"})


@dataclass(frozen=True, slots=True)
class PlacedComponent:
    """A component, and its place in the guide."""

    component: Component
    place: Span


@dataclass(slots=True)
class CardTexts:
    """What a guide lists: components, those that are crossed out, and what it says below them."""

    components: list[PlacedComponent] = field(default_factory=list)
    redacted: list[tuple[str, Span]] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    seen: set[Component] = field(default_factory=set)


def read_components(reading: PageReading, number: int) -> CardTexts:
    """Return all components of the guide, role by role; whatever is not understood is noted."""
    found = CardTexts()
    reading.sections = [part for section in reading.sections for part in _parted(section, reading)]
    missing = []
    for title, role in TITLES.items():
        reading.topic = KEY_OF[role]
        own = _sections_of(reading, title)
        if not any(section.title.lower() == title for section in own) and _expects(role, number):
            missing.append(title)
        for section in own:
            _read_section(reading, section, role, number, found)
    _note_missing(reading, missing, found)
    _note_unknown(reading)
    return found


def _parted(section: Section, reading: PageReading) -> Iterator[Section]:
    """Yield a section, divided at paragraphs that are headings by their words and not by their markup."""
    own = {each.title.lower() for each in reading.sections}
    titles = {*TITLES, *(_ULTRA + title for title in TITLES)} - own
    blocks = section.blocks
    ends = [at for at, block in enumerate(blocks) if block.name == "p" and prose(block).lower() in titles]
    ends.append(len(blocks))
    yield replace(section, blocks=blocks[: ends[0]])
    for at, end in pairwise(ends):
        yield Section(prose(blocks[at]), section.rank, blocks[at], blocks[at + 1 : end])


def _expects(role: Role, number: int) -> bool:
    return role is not Role.CAVEAT or number <= LAST_OLD_EDITION


def _sections_of(reading: PageReading, title: str) -> list[Section]:
    """Return the sections that list components; older guides explain caveats in a section of the same title."""
    own = [section for section in reading.sections if section.title.lower() in (title, _ULTRA + title)]
    listing = [section for section in own if any(block.name == "li" for block in section.blocks)]
    # What lists nothing counts only if no section of its own title does.
    listed_titles = {section.title.lower() for section in listing}
    return [section for section in own if section in listing or section.title.lower() not in listed_titles]


def _note_missing(reading: PageReading, missing: list[str], found: CardTexts) -> None:
    place = reading.page.span(reading.title)
    for title in missing:
        message = f"the guide has no section {quoted(title.title())}"
        hint = "is this the whole guide?"
        if not found.components:
            reading.refuse("020", message, place, hint)
            continue
        reading.topic = KEY_OF[TITLES[title]]
        reading.note("020", message, reading.title, hint)


def _note_unknown(reading: PageReading) -> None:
    """Note sections below "Card Texts" that are not known, and every item in them."""
    known = [*TITLES, *(_ULTRA + title for title in TITLES)]
    for section in reading.behind(CHAPTER):
        title = section.title.lower()
        if title in known:
            continue
        reading.topic = _topic_of(title)
        reading.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)
        for block in section.blocks:
            if block.name != "p":
                reading.note("021", f"it stands in a section that is not known, {quoted(section.title)}", block)


def _topic_of(title: str) -> str:
    """Return the list of the data file to which a new section may belong, by its last word, or `levels`."""
    last = title.rpartition(" ")[2]
    return next((KEY_OF[role] for known, role in TITLES.items() if known.rpartition(" ")[2] == last), "levels")


def _read_section(reading: PageReading, section: Section, role: Role, number: int, found: CardTexts) -> None:
    if not any(block.name == "li" for block in section.blocks):
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    is_ultra = section.title.lower().startswith(_ULTRA)
    last = ""  # the text to which the items below it belong
    for block in section.blocks:
        words = prose(block)
        if not words or _is_advice(reading, block, words):
            continue
        annotation = read_annotation(reading, block, last) if last and block.name == "li" else None
        if annotation is not None:
            found.annotations.append(annotation)
            reading.understand(block, annotation.shown)
            continue
        reading.item = block
        item = _read_item(reading, block, role)
        component = _component(reading, item, role, number, is_ultra=is_ultra) if item else None
        reading.item = None
        last = component.text if component else ""
        if item and component:
            _keep(reading, item, component, found)


def _keep(reading: PageReading, item: _Item, component: Component, found: CardTexts) -> None:
    place = reading.page.span(item.element)
    if item.is_redacted:
        found.redacted.append((component.text, place))
        reading.understand(item.element, f"redacted: {component.text}")
        return
    if component in found.seen:
        return  # the same text with the same figures, twice on the page
    found.seen.add(component)
    found.components.append(PlacedComponent(component, place))
    reading.understand(item.element, shown_component(component))


def shown_component(component: Component) -> str:
    """Return a component as people read it: its text and its figures."""
    figures = figures_of(component)
    return f"{CALLED[component.role]}: {component.text}" + (f" ({', '.join(figures)})" if figures else "")


def _is_advice(reading: PageReading, block: Element, words: str) -> bool:
    """Return whether a block explains components instead of being one; what is new in it is noted."""
    if block.name == "p" and not _is_like_item(words) and not _has_formula(block):
        listed, reading.topic = reading.topic, "levels"  # which it may change for all components of the list
        check_sentences(reading, block)
        reading.topic = listed
        return True
    return block.name == "li" and (_ADVICE.fullmatch(words) is not None or words.startswith(_TUTORIAL))


def _is_like_item(words: str) -> bool:
    match = _ITEM.fullmatch(words)
    return match is not None and _HEAD.fullmatch(match["head"]) is not None


def _has_formula(block: Element) -> bool:
    return any(element.name == "math" for element in block.elements())


# --- items ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """The parts of an item, as they are written."""

    element: Element
    text: str
    ultra: str | None
    formula: str | None
    limits: str
    is_redacted: bool


def _read_item(reading: PageReading, element: Element, role: Role) -> _Item | None:
    """Return the parts of an item; None, and a note, if it has others."""
    words = words_of_element(reading, element, marks=_IN_MATHS) if element.name == "li" else prose(element)
    if words is None:
        return None
    match = _ITEM.fullmatch(words)
    head = _HEAD.fullmatch(match["head"]) if match else None
    if element.name != "li" or match is None or head is None or _is_tail_unknown(match["tail"]):
        shown = quoted(words.replace(FORMULA, "(…)"))
        reading.note("030", f"expected a text in quotes as item of a list, found {shown}", element)
        return None
    is_redacted = _is_redacted(element, match["tail"])
    if is_redacted is None:
        message = f"only a part of {a_role(role)} is crossed out, or it is called redacted and is not crossed out"
        reading.note("030", message, element, "is it redacted?")
        return None
    return _Item(
        element=element,
        text=match["text"],
        ultra=head["ultra"],
        formula=head["formula"],
        limits=head["limits"] or "",
        is_redacted=is_redacted,
    )


def _is_tail_unknown(tail: str) -> bool:
    return bool(tail.strip()) and _REDACTED.fullmatch(tail) is None


def _is_redacted(element: Element, tail: str) -> bool | None:
    """Return whether an item is crossed out as a whole; None if that is not sure."""
    struck = "".join(_struck(element, is_struck=False))
    own = struck[: len(struck) - len("".join(tail.split()))]  # without "Redacted (9th Edition)"
    if set(own) <= {"0"}:
        return None if tail.strip() else False
    return True if set(own) == {"1"} else None


def _struck(element: Element, *, is_struck: bool) -> Iterator[str]:
    """Yield `1` for each character that is crossed out, `0` for the others, nothing for spaces."""
    for child in element.children:
        if isinstance(child, Words):
            yield ("1" if is_struck else "0") * len("".join(child.text.split()))
        elif child.name == "math":
            yield "1" if is_struck else "0"
        else:
            yield from _struck(child, is_struck=is_struck or child.name == "del")


def _component(reading: PageReading, item: _Item, role: Role, number: int, *, is_ultra: bool) -> Component | None:
    printed = card_text(reading, item.element, item.text)
    figure = _figure(reading, item, role, number)
    ultra_points = _ultra_points(reading, item, is_ultra=is_ultra)
    limits = _limits(reading, item)
    if printed is None or ultra_points is None or limits is None or figure is None:
        return None
    behind = ending(role, number) or ("." if is_sentence(role, number) else "")
    if not printed.endswith(behind):
        message = f"expected {quoted(printed)} to end in `{behind}`, as every {CALLED[role]} does"
        reading.note("030", message, item.element)
        return None
    if behind not in ("", ".") and behind in printed[:-1]:
        reading.note("030", f"`{behind}` stands within {quoted(printed)}, and not only at its end", item.element)
        return None
    text = printed if is_sentence(role, number) else printed.removesuffix(behind).rstrip()
    used = figure.formula.variables if figure.formula else frozenset[str]()
    allowed = variables(text) | _variables_of(role, number)
    strange = sorted((used | {variable for variable, _ in limits}) - allowed)
    if strange:
        message = f"the formula speaks of {listed(strange, 'and')}, the text {quoted(text)} does not"
        reading.note("032", message, item.element)
        return None
    factor, level = (figure.formula, None) if figure.variable == "a" else (None, figure.formula)
    return Component(role=role, text=text, level=level, ultra_points=ultra_points, factor=factor, limits=limits)


def _variables_of(role: Role, number: int) -> frozenset[str]:
    """Return what a formula of that role may speak of besides the numbers of its text."""
    if role is not Role.EFFECT:
        return frozenset()
    return frozenset("at" if number == LAST_OLD_EDITION else "t")


# --- figures --------------------------------------------------------------------------------------------------------

_NOTHING = Printed(None, "")


def _figure(reading: PageReading, item: _Item, role: Role, number: int) -> Printed | None:
    """Return the formula of an item; None, and a note, if it is not that of the role and edition."""
    formulas = [element for element in item.element.elements() if element.name == "math"]
    wanted, shown = _wanted(role, number)
    if item.formula is None and wanted is None:
        return _NOTHING
    if item.formula is None or wanted is None or len(formulas) > 1:
        count = len(formulas) or (1 if item.formula else "none")
        message = f"expected {'no formula' if wanted is None else 'one formula'} before {a_role(role)}, found {count}"
        reading.note("032", message, item.element)
        return None
    place = formulas[0] if formulas else item.element
    try:
        printed = read_formula(formulas[0] if formulas else item.formula)
    except ValueError as error:
        written = prose(formulas[0]) if formulas else item.formula
        reading.note("032", f"the formula {quoted(written)} is not understood: {error}", place)
        return None
    if printed.variable != wanted:
        found = quoted(prose(formulas[0]) if formulas else item.formula)
        reading.note("032", f"expected {shown} before {a_role(role)}, found {found}", place)
        return None
    return printed


def _wanted(role: Role, number: int) -> tuple[str | None, str]:
    """Return the variable that a formula gives, "" for a level, None for no formula; and how to say it."""
    if role is Role.TARGET and number > _LAST_WITHOUT_T:
        return "t", "a formula of `t`"
    if role is Role.CONDITION and number == LAST_OLD_EDITION:
        return "a", "a formula of `a`"
    if role is Role.CONDITION and number > LAST_OLD_EDITION:
        return None, "no formula"
    return "", "a formula without `=`"


def _ultra_points(reading: PageReading, item: _Item, *, is_ultra: bool) -> int | None:
    match = _ULTRA_POINTS.fullmatch(item.ultra or "")
    if match:
        return int(match[1])
    if item.ultra is None and not is_ultra:
        return 0
    found = f"`[{item.ultra}]`" if item.ultra is not None else "none"
    reading.note("033", f"expected Ultra Points such as `[+1]`, found {found}", item.element)
    return None


def _limits(reading: PageReading, item: _Item) -> tuple[tuple[str, int], ...] | None:
    """Return the greatest number of each variable that has a limit, as `{x≤14}` and `{x≤14, y≤2}` say it."""
    if not item.limits:
        return ()
    matches = [_LIMIT.fullmatch(part.strip()) for part in item.limits[1:-1].split(",")]
    found = {match[1]: int(match[2]) for match in matches if match}
    if len(found) != len(matches):
        reading.note("034", f"expected limits such as `{{x≤14}}`, found {quoted(item.limits)}", item.element)
        return None
    return tuple(sorted(found.items()))
