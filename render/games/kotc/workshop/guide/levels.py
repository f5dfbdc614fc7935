"""How a level is calculated: the guide's section "Level", up to the 10th Edition "Resource Cost"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from render.games.kotc.editions.reading import NEEDED_LEVELS
from render.games.kotc.model.edition import LevelRules, Rounding, Terms
from render.games.kotc.workshop.guide.components import CHAPTER
from render.games.kotc.workshop.guide.components import TITLES as COMPONENTS
from render.games.kotc.workshop.guide.pages import PageReading, Section
from render.games.kotc.workshop.guide.sentences import (
    DECK_ULTRA_POINTS,
    FIGURE,
    NEW_WORDS,
    WHICH,
    Passage,
    check_blocks,
    is_familiar,
)

_TITLES = ("level", "resource cost")
# Sections that say how abilities are made and what changes between editions: what is new there may change levels.
_ABOUT = (
    "design instructions", "ultra points", "constructing abilities", "choosing a caveat", "caveats", "revised components",
    "redacted components", "revised variable limits", "cost revisions",
)  # fmt: skip

_NUMBERS = {"one": 1, "a": 1, "1": 1, "two": 2, "three": 3, "four": 4}
_PARTS = {
    "half": 2, "third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
}  # fmt: skip
_LEAST = rf"[Ii]f less than (?P<least>{FIGURE}), set to (?P<again>{FIGURE})\.$"
_SHARE = rf"(?P<share>(?:{'|'.join(_NUMBERS)}) (?:{'|'.join(_PARTS)})s?)"

# The name of each sentence with figures, its pattern, and which rules the least figure in it gives. `minion`, `sp` and
# `hp` stand for the edition's own words.
_SENTENCES = {
    "card": (
        rf"\badd together the %(minion)s's %(sp)s and {_SHARE} of its %(hp)s, subtract the %(minion)s's caveat relief"
        rf"\b.*{_LEAST}",
        ("least_of_minion",),
    ),
    "minion": (
        rf"\badd together the %(minion)s's %(sp)s and {_SHARE} of its %(hp)s and round up to the next integer\b",
        (),
    ),
    "ability": (rf"^Round the result up to the next integer\b.*{_LEAST}", ("rounded", "least_of_ability")),
    "minion ability": (
        rf"^If the ability is a %(minion)s ability and its level is less than (?P<least>{FIGURE}), set to"
        rf" (?P<again>{FIGURE})\.$",
        ("minion's own",),
    ),
    "both": (
        rf"\bspell abilities are (?:always )?allowed to be level (?P<spell>{FIGURE}), but %(minion)s abilities must"
        rf" always be at least level (?P<minion>{FIGURE})\b",
        (),
    ),
    "ability cost": (rf"^To determine an ability cost\b.*{_LEAST}", ("rounded", "least_of_ability")),
    "spell": (rf"^To determine the (?:resource cost|level) of a spell\b.*{_LEAST}", ("least_of_spell",)),
}


def read_levels(reading: PageReading, terms: Terms) -> LevelRules | None:
    """Return what the guide says of how a level is calculated, in the terms of the rulebook; None if it says nothing.

    A sentence that is new or missing is noted, and so is what is new elsewhere about abilities.
    """
    reading.topic = "levels"
    words = {name: re.escape(getattr(terms, name)) for name in ("minion", "sp", "hp")}
    patterns = {name: pattern % words for name, (pattern, _) in _SENTENCES.items()}
    noted = len(reading.missed)
    rules = [
        rule
        for section in (*_sections(reading, _TITLES), *_new_sections(reading))
        for passage in check_blocks(reading, section.blocks, patterns)
        for rule in _rules_of(reading, passage)
    ]
    found = _agreed(reading, rules, is_whole=len(reading.missed) == noted)
    home = next((section.heading for section in reading.sections if section.title.lower() in _TITLES), reading.title)
    subjects = {
        "least_of_minion_ability": f"the least {terms.level} of a {terms.minion}'s ability",
        "hp_share": f"what part of its {terms.hp} is added to a {terms.minion}'s {terms.sp}",
        "least_of_spell_ability": f"the least {terms.level} of a spell's ability",
        "rounded": f"that the {terms.level} of an ability is rounded up",
    }
    for name, subject in subjects.items():
        if name not in found:
            reading.note("040", f"no sentence was found that says {subject}", home, NEW_WORDS)
    patterns |= {f"deck {index}": pattern for index, pattern in enumerate(DECK_ULTRA_POINTS)}  # which others read
    for section in _sections(reading, _ABOUT):
        list(check_blocks(reading, section.blocks, patterns))  # notes what is new, for which no level is judged
    if "rounded" not in found:  # so that nobody knows what is held to the least level
        found = {name: value for name, value in found.items() if name == "hp_share"}
    missing = frozenset(NEEDED_LEVELS) - found.keys()
    if len(missing) == len(NEEDED_LEVELS):
        return None
    return LevelRules(
        found.get("hp_share", Fraction(0)),
        int(found.get("least_of_minion_ability", 0)),
        int(found.get("least_of_spell_ability", 0)),
        Rounding.CARD if "least_of_minion" in found else Rounding.ABILITY,
        int(found.get("least_of_minion", 0)),
        missing,
    )


def _sections(reading: PageReading, titles: tuple[str, ...]) -> Iterator[Section]:
    for section in reading.sections:
        title = section.title.lower()
        if title in titles and not (title == "caveats" and section.has_items):  # which lists components
            yield section


def _new_sections(reading: PageReading) -> Iterator[Section]:
    """Yield the sections before the chapter of card texts whose title no published guide has, and note them."""
    texts = reading.behind(CHAPTER)
    for section in reading.sections:
        is_known = section.title.lower() in (*_TITLES, *_ABOUT, CHAPTER, *COMPONENTS)
        is_below_title = section.title and section.rank > 2 and section not in texts
        if is_below_title and not is_known and not is_familiar(f"section {section.title}"):
            reading.note_unknown(section, with_blocks=False)
            yield section


_Rule = tuple[str, Fraction, Passage]  # the name of a figure, the figure, and where it stands


def _rules_of(reading: PageReading, passage: Passage) -> Iterator[_Rule]:
    """Yield the figures of a sentence."""
    figures = passage.figures
    if figures.get("least") != figures.get("again"):
        message = f"what is less than `{figures.get('least')}` is set to `{figures.get('again')}`"
        reading.note("040", message, passage.block, NEW_WORDS)
        return
    for name in _SENTENCES[passage.name][1]:
        yield name, Fraction(figures["least"]), passage
    if "share" in figures:
        number, part = figures["share"].split()
        yield "hp_share", Fraction(_NUMBERS[number], _PARTS[part.removesuffix("s")]), passage
    if passage.name == "both":
        yield "least_of_ability", Fraction(figures["spell"]), passage
        yield "minion's own", Fraction(figures["minion"]), passage
    shown = ", ".join(f"{key} {value}" for key, value in figures.items() if key != "again")
    reading.understand(passage.block, f"{passage.name}: {shown}", passage.sentence)


def _agreed(reading: PageReading, rules: list[_Rule], *, is_whole: bool) -> dict[str, Fraction]:
    """Return the figures by name; refused if two sentences give different ones.

    If not the whole was understood, what is not there may be what was not.
    """
    found: dict[str, _Rule] = {}
    for name, value, passage in rules:
        _, first, first_passage = found.setdefault(name, (name, value, passage))
        if first != value and name != "rounded":
            place = reading.page.span(first_passage.block)
            reading.refuse("041", f"this says `{value}`, but {place} says `{first}`", passage.block, WHICH)
    values = {name: value for name, value, _ in found.values()}
    if "least_of_ability" in values:
        values["least_of_spell_ability"] = values["least_of_ability"]
        if is_whole:
            values.setdefault("minion's own", values["least_of_ability"])
        if "minion's own" in values:
            values["least_of_minion_ability"] = values["minion's own"]
    # The only ability of a spell makes its whole cost, so that both sentences must say the same.
    if "least_of_spell" in found and values["least_of_spell"] != values.get(
        "least_of_spell_ability", values["least_of_spell"]
    ):
        _, value, passage = found["least_of_spell"]
        message = f"the least of a spell is `{value}`, that of its ability another"
        reading.refuse("041", message, passage.block, WHICH)
    return values
