"""The components of abilities from the Card Building Guide, "Card Texts"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from render.base.findings import Span, quoted
from render.games.kotc.editions.soundness import CALLED, ENDINGS, a_role
from render.games.kotc.guide import mathml
from render.games.kotc.pages.tree import Element
from render.games.kotc.pages.sections import UNKNOWN, PageReading, Section, prose
from render.games.kotc.guide.words import FORMULA, card_text, strip_quotes, words_of_element
from render.games.kotc.model.edition import Component, Role
from render.games.kotc.model.formula import Formula

CHAPTER = "card texts"
ROLES = {
    "activation conditions": Role.CONDITION,
    "activation costs": Role.COST,
    "target selections": Role.TARGET,
    "effects": Role.EFFECT,
}
_ULTRA = "ultra "

_ITEM = re.compile(rf"(?:\[(?P<ultra>[^\]]*)\])?\s*(?P<formula>{FORMULA})?\s*[“\"](?P<text>[^“”\"]*)[”\"]")
_ULTRA_POINTS = re.compile(r"\+([0-9]{1,3})")
# What to write for one target, in the section on effects: "“Each target” ... should be replaced with ...".
_ADVICE = re.compile(r"[“\"].*[”\"] should be replaced with [“\"].*[”\"].*")


@dataclass(frozen=True, slots=True)
class PlacedComponent:
    """A component, and its place in the guide."""

    component: Component
    place: Span


def read_components(reading: PageReading) -> list[PlacedComponent]:
    """Return all components of the guide, role by role; whatever is not understood is noted."""
    found: list[PlacedComponent] = []
    for title, role in ROLES.items():
        own = [section for section in reading.sections if section.title.lower() in (title, _ULTRA + title)]
        if not any(section.title.lower() == title for section in own):
            message = f"the guide has no section {quoted(title.title())}"
            reading.note("020", message, reading.title, "is this the whole guide?")
        for section in own:
            found += _of_section(reading, section, role)
    _refuse_unknown(reading)
    return found


def _refuse_unknown(reading: PageReading) -> None:
    known = [*ROLES, *(_ULTRA + title for title in ROLES)]
    for section in reading.below(CHAPTER):
        if section.title.lower() not in known:
            reading.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)


def _of_section(reading: PageReading, section: Section, role: Role) -> Iterator[PlacedComponent]:
    items = [block for block in section.blocks if block.name == "li"]
    if not items:
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    for block in section.blocks:
        if _is_advice(block):
            continue
        component = _component(reading, block, role, is_ultra=section.title.lower().startswith(_ULTRA))
        if component is not None:
            yield PlacedComponent(component, reading.page.span(block))


def _is_advice(block: Element) -> bool:
    """Return whether a block gives advice on components instead of being one."""
    words = prose(block)
    if block.name == "p":
        return strip_quotes(words) is None and not any(element.name == "math" for element in block.elements())
    return block.name == "li" and _ADVICE.fullmatch(words) is not None


def _component(reading: PageReading, item: Element, role: Role, *, is_ultra: bool) -> Component | None:
    words = words_of_element(reading, item, marks=frozenset({"math"})) if item.name == "li" else prose(item)
    if words is None:
        return None
    match = _ITEM.fullmatch(words)
    if item.name != "li" or match is None:
        shown = quoted(words.replace(FORMULA, "(…)"))
        reading.note("030", f"expected a text in quotes as item of a list, found {shown}", item)
        return None
    printed = card_text(reading, item, match["text"])
    level = _level(reading, item, role)
    ultra_points = _ultra_points(reading, item, match["ultra"], is_ultra)
    if printed is None or ultra_points is None or (level is None and role is not Role.CONDITION):
        return None
    ending = ENDINGS[role]
    if not printed.endswith(ending):
        reading.note("030", f"expected {quoted(printed)} to end in `{ending}`, as every {CALLED[role]} does", item)
        return None
    return Component(role=role, text=printed.removesuffix(ending).rstrip(), level=level, ultra_points=ultra_points)


def _level(reading: PageReading, item: Element, role: Role) -> Formula | None:
    """Return the formula of a component; noted if it must have one and has none, or the reverse."""
    formulas = [element for element in item.elements() if element.name == "math"]
    if role is Role.CONDITION or len(formulas) != 1:
        if formulas or role is not Role.CONDITION:
            wanted = "no formula" if role is Role.CONDITION else "one formula"
            reading.note("032", f"expected {wanted} before {a_role(role)}, found {len(formulas) or 'none'}", item)
        return None
    try:
        printed = mathml.read(formulas[0])
    except ValueError as error:
        reading.note("032", f"the formula {quoted(prose(formulas[0]))} is not understood: {error}", formulas[0])
        return None
    if printed.of_targets is not (role is Role.TARGET):
        shown = "a formula of `t`" if role is Role.TARGET else "a formula without `t =`"
        found = quoted(prose(formulas[0]))
        reading.note("032", f"expected {shown} before {a_role(role)}, found {found}", formulas[0])
        return None
    return printed.formula


def _ultra_points(reading: PageReading, item: Element, written: str | None, is_ultra: bool) -> int | None:
    match = _ULTRA_POINTS.fullmatch(written or "")
    if match:
        return int(match[1])
    if written is None and not is_ultra:
        return 0
    found = f"`[{written}]`" if written is not None else "none"
    reading.note("033", f"expected Ultra Points such as `[+1]`, found {found}", item)
    return None
