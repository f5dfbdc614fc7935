"""How a level is calculated: the guide's section "Level", up to the 10th Edition "Resource Cost"; new kinds of card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from render.base.patterns import regex
from render.games.kotc.editions.reading import NEEDED_LEVELS
from render.games.kotc.editions.writing import kind_values
from render.games.kotc.model.edition import AbilityCount, LevelRules, NewKind, Rounding, Terms
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
    is_about_kinds,
    is_familiar,
    kind_spoken_of,
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
        yield "hp_share", _fraction(figures["share"]), passage
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


# --- new kinds of card ----------------------------------------------------------------------------------------------

_ABILITIES = {
    "any number of abilities": AbilityCount.ANY, "the levels of all of its abilities": AbilityCount.ANY,
    "a single ability": AbilityCount.ONE, "only a single ability": AbilityCount.ONE,
    "the level of its ability": AbilityCount.ONE, "no abilities": AbilityCount.NONE,
}  # fmt: skip
_STAT = regex(rf"(?:{_SHARE} of )?(?:its )?(?P<stat>SP|HP)")
_ITS_PARTS = regex(r",? and |, ")


def read_new_kinds(pages: Sequence[PageReading], names: Sequence[str]) -> tuple[NewKind, ...]:
    """Return those of the new kinds of card of which all is understood that the pages say of them alone.

    That is what their cards have, "Relics have HP, and any number of abilities", and what is added together for their
    level. The sentences are noted as understood; of other kinds nothing is.
    """
    found = []
    for name in names:
        missed = [(page, each) for page in pages for each in page.missed if not is_about_kinds(each.words)]
        own = [(page, each) for page, each in missed if kind_spoken_of(each.words, [name])]
        kind = _new_kind(name, [each.words for _, each in own])
        if kind is None:
            continue
        found.append(kind)
        for page, each in own:
            known = replace(each, section="kinds", meaning=f"kinds: {', '.join(kind_values(kind))}", problem=None)
            page.passages[page.passages.index(each)] = known
    return tuple(found)


def note_kinds(pages: Sequence[PageReading], kinds: Sequence[NewKind]) -> None:
    """Note the sentences that list the kinds of cards as understood, since all of them are."""
    meaning = f"kinds: {', '.join(kind.name for kind in kinds)}"
    for page in pages:
        listing = (each for each in page.missed if is_about_kinds(each.words))
        for each in [*listing]:
            page.passages[page.passages.index(each)] = replace(each, section="kinds", meaning=meaning, problem=None)


def _new_kind(name: str, sentences: Sequence[str]) -> NewKind | None:
    """Return a kind by the sentences about it; None if one is not understood, or if they do not say one thing."""
    cards = rf"(?:{name}\w{{0,3}}|{name.removesuffix('y')}ies)"
    has = re.compile(rf"{cards} have ([^.]+)\.", re.IGNORECASE)
    adds = re.compile(
        rf"To determine the level of an? {name}, add together ([^.]+)\.|The level of an? {name} is equal to ([^.]+)\."
    )
    stated: dict[re.Pattern[str], set[NewKind | None]] = {has: set(), adds: set()}
    for sentence in sentences:
        match = has.fullmatch(sentence) or adds.fullmatch(sentence)
        if match:
            kind = _kind_with(name, match[match.lastindex or 0])
            stated[match.re].add(kind if match.re is adds or _ABILITIES.keys() & _ITS_PARTS.split(match[1]) else None)
        elif not re.fullmatch(rf"{cards} levels?", sentence, re.IGNORECASE):  # but for a heading
            return None
    if any(len(kinds) != 1 for kinds in stated.values()):
        return None
    having, adding = (kinds.pop() for kinds in stated.values())
    agree = having and adding and (having.stats, having.abilities) == (adding.stats, adding.abilities)
    return adding if agree else None


def _kind_with(name: str, words: str) -> NewKind | None:
    """Return the kind that has these parts, each with the share that is said of it, or as a whole."""
    shares: dict[str, Fraction] = {}
    abilities = AbilityCount.NONE
    for part in _ITS_PARTS.split(words):
        match = _STAT.fullmatch(part)
        if match:
            shares[match["stat"]] = _fraction(match["share"]) if match["share"] else Fraction(1)
        elif part in _ABILITIES:
            abilities = _ABILITIES[part]
        else:
            return None
    return NewKind(name=name, sp_share=shares.get("SP"), hp_share=shares.get("HP"), abilities=abilities)


def _fraction(words: str) -> Fraction:
    number, part = words.split()
    return Fraction(_NUMBERS[number], _PARTS[part.removesuffix("s")])
