"""How a level is calculated: the guide's section "Level", up to the 10th Edition "Resource Cost"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from render.base.findings import quoted
from render.games.kotc.editions.reading import NEEDED_LEVELS
from render.games.kotc.model.edition import LevelRules, Rounding, Terms
from render.games.kotc.workshop.guide.components import CHAPTER
from render.games.kotc.workshop.guide.components import TITLES as COMPONENTS
from render.games.kotc.workshop.guide.familiar import is_familiar
from render.games.kotc.workshop.guide.passages import FIGURE, NEW_WORDS, Passage, check_section
from render.games.kotc.workshop.guide.sentences import DECK_ULTRA_POINTS
from render.games.kotc.workshop.pages.sections import UNKNOWN, PageReading, Section

TITLES = ("level", "resource cost")
# Sections that say how abilities are made and what changes between editions: what is new there may change levels.
_ABOUT = (
    "design instructions", "ultra points", "constructing abilities", "choosing a caveat", "caveats", "revised components",
    "redacted components", "revised variable limits", "cost revisions",
)  # fmt: skip

_DECKS = {f"deck {index}": pattern for index, pattern in enumerate(DECK_ULTRA_POINTS)}  # which others read
_NUMBERS = {"one": 1, "a": 1, "1": 1, "two": 2, "three": 3, "four": 4}
_PARTS = {
    "half": 2, "third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
}  # fmt: skip
_LEAST = rf"[Ii]f less than (?P<least>{FIGURE}), set to (?P<again>{FIGURE})\.$"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A figure of the rules, by the name of what it is, with where it stands."""

    name: str
    value: Fraction
    passage: Passage


def read_levels(reading: PageReading, called: Terms) -> LevelRules | None:
    """Return what the guide says of how a level is calculated, in the terms of the rulebook; None if it says nothing.

    A sentence that is new or missing is noted, and so is what is new elsewhere about abilities.
    """
    reading.topic = "levels"
    patterns = _patterns(called)
    noted = len(reading.missed)
    rules = [
        rule
        for section in (*_sections(reading, TITLES), *_new_sections(reading))
        for passage in check_section(reading, section, patterns)
        for rule in _rules_of(reading, passage)
    ]
    found = _agreed(reading, rules, is_whole=len(reading.missed) == noted)
    home = next((section.heading for section in reading.sections if section.title.lower() in TITLES), reading.title)
    for name, subject in _wanted(called).items():
        if name not in found:
            reading.note("040", f"no sentence was found that says {subject}", home, NEW_WORDS)
    for section in _sections(reading, _ABOUT):
        list(check_section(reading, section, patterns | _DECKS))  # notes what is new, for which no level is judged
    if "rounded" not in found:  # so that nobody knows what is held to the least level
        found = {name: value for name, value in found.items() if name == "hp_share"}
    missing = frozenset(NEEDED_LEVELS) - found.keys()
    if len(missing) == len(NEEDED_LEVELS):
        return None
    rounding = Rounding.CARD if "least_of_minion" in found else Rounding.ABILITY
    return LevelRules(
        found.get("hp_share", Fraction(0)),
        int(found.get("least_of_minion_ability", 0)),
        int(found.get("least_of_spell_ability", 0)),
        rounding,
        int(found.get("least_of_minion", 0)),
        missing,
    )


def _sections(reading: PageReading, titles: tuple[str, ...]) -> Iterator[Section]:
    for section in reading.sections:
        title = section.title.lower()
        lists_components = any(block.name == "li" for block in section.blocks) and title == "caveats"
        if title in titles and not lists_components:
            yield section


def _new_sections(reading: PageReading) -> Iterator[Section]:
    """Yield the sections before the chapter of card texts whose title no published guide has, and note them."""
    texts = reading.behind(CHAPTER)
    for section in reading.sections:
        own_title = section.title.lower() in (*TITLES, *_ABOUT, CHAPTER, *COMPONENTS)
        is_below_title = section.title and section.rank > 2 and section not in texts
        if is_below_title and not own_title and not is_familiar(f"section {section.title}"):
            reading.note("021", f"the section {quoted(section.title)} is not known", section.heading, UNKNOWN)
            yield section


def _wanted(called: Terms) -> dict[str, str]:
    """Return what must be found, and how to say it."""
    minion, level = called.minion, called.level
    return {
        "least_of_minion_ability": f"the least {level} of a {minion}'s ability",
        "hp_share": f"what part of its {called.hp} is added to a {minion}'s {called.sp}",
        "least_of_spell_ability": f"the least {level} of a spell's ability",
        "rounded": f"that the {level} of an ability is rounded up",
    }


def _patterns(called: Terms) -> dict[str, str]:
    """Return the patterns of sentences with figures, by the name of the rule."""
    minion, sp, hp = map(re.escape, (called.minion, called.sp, called.hp))
    share = rf"(?P<share>(?:{'|'.join(_NUMBERS)}) (?:{'|'.join(_PARTS)})s?)"
    together = rf"\badd together the {minion}'s {sp} and {share} of its {hp}"
    return {
        "card": rf"{together}, subtract the {minion}'s caveat relief\b.*{_LEAST}",
        "minion": rf"{together} and round up to the next integer\b",
        "ability": rf"^Round the result up to the next integer\b.*{_LEAST}",
        "minion ability": (
            rf"^If the ability is a {minion} ability and its level is less than (?P<least>{FIGURE}), set to"
            rf" (?P<again>{FIGURE})\.$"
        ),
        "both": (
            rf"\bspell abilities are (?:always )?allowed to be level (?P<spell>{FIGURE}), but {minion} abilities must"
            rf" always be at least level (?P<minion>{FIGURE})\b"
        ),
        "ability cost": rf"^To determine an ability cost\b.*{_LEAST}",
        "spell": rf"^To determine the (?:resource cost|level) of a spell\b.*{_LEAST}",
    }


def _rules_of(reading: PageReading, passage: Passage) -> Iterator[_Rule]:
    """Yield the figures of a sentence."""
    figures = passage.figures
    if figures.get("least") != figures.get("again"):
        message = f"what is less than `{figures.get('least')}` is set to `{figures.get('again')}`"
        reading.note("040", message, passage.block, NEW_WORDS)
        return
    names = {
        "card": ("least_of_minion",),
        "ability": ("rounded", "least_of_ability"),
        "minion ability": ("minion's own",),
        "ability cost": ("rounded", "least_of_ability"),
        "spell": ("least_of_spell",),
    }.get(passage.name, ())
    for name in names:
        yield _Rule(name, Fraction(figures["least"]), passage)
    if "share" in figures:
        number, part = figures["share"].split()
        yield _Rule("hp_share", Fraction(_NUMBERS[number], _PARTS[part.removesuffix("s")]), passage)
    if passage.name == "both":
        yield _Rule("least_of_ability", Fraction(figures["spell"]), passage)
        yield _Rule("minion's own", Fraction(figures["minion"]), passage)
    said = ", ".join(f"{key} {value}" for key, value in figures.items() if key != "again")
    reading.understand(passage.block, f"{passage.name}: {said}", passage.sentence)


def _agreed(reading: PageReading, rules: list[_Rule], *, is_whole: bool) -> dict[str, Fraction]:
    """Return the figures by name; refused if two sentences give different ones.

    If not the whole was understood, what is not there may be what was not.
    """
    found: dict[str, _Rule] = {}
    for rule in rules:
        first = found.setdefault(rule.name, rule)
        if first.value != rule.value and rule.name != "rounded":
            place = reading.page.span(first.passage.block)
            message = f"this says `{rule.value}`, but {place} says `{first.value}`"
            reading.refuse("041", message, reading.page.span(rule.passage.block), "which of the two is right?")
    values = {name: rule.value for name, rule in found.items()}
    if "least_of_ability" in values:
        values["least_of_spell_ability"] = values["least_of_ability"]
        if is_whole:
            values.setdefault("minion's own", values["least_of_ability"])
        if "minion's own" in values:
            values["least_of_minion_ability"] = values["minion's own"]
    # The only ability of a spell makes its whole cost, so that both sentences must say the same.
    spell = found.get("least_of_spell")
    if spell is not None and spell.value != values.get("least_of_spell_ability", spell.value):
        message = f"the least of a spell is `{spell.value}`, that of its ability another"
        reading.refuse("041", message, reading.page.span(spell.passage.block), "which of the two is right?")
    return values
