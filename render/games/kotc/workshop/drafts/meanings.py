"""What components mean in whichever edition's words, and which component of an edition means most nearly the same.

A clean slate says most things anew: "Place all targets on top of owner's deck in any order." became "deck-stack the
targets", and then "sheathe the targets". So a text is read as what it speaks of, and two texts are as near as these are
alike. What no row of the table knows counts by its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from render.base.caches import cached
from render.games.kotc.languages.alike import plain_words, stem
from render.games.kotc.model.edition import Component, Edition, Role

_DEED, _THING, _DETAIL, _WORD = 6.0, 3.0, 1.5, 0.25
"""What counts how much: what happens, to what or by what, in which way; and each word."""

_SPEAKS_OF: Mapping[str, tuple[float, str]] = {
    # what is done, or happens
    "see": (_DEED, r"\bsee (?:all|the) targets"),
    "destroy": (_DEED, r"(?<!not )\b(?:self-)?destroy(?:ed)?\b|\bsacrifice\b"),
    "sacrifice": (_DETAIL, r"\bsacrifice\b"),
    "bury": (_DEED, r"\b(?:self-)?bury\b"),
    "exhaust": (_DEED, r"\b(?:self-)?exhaust\b"),
    "fatigue": (_DEED, r"\bfatigue\b"),
    "bounce": (_DEED, r"\b(?:self-)?bounce\b"),
    "sheathe": (_DEED, r"on top of owner's deck|\bdeck-stack\b|\b(?:self-)?sheathe\b"),
    "silo": (_DEED, r"resource zone of their owners|\bsilo\b"),
    "hypnotize": (_DEED, r"switch control|\bhypnotize\b"),
    "deploy": (_DEED, r"summon or cast|\bdeploy\b"),
    "draw": (_DEED, r"\bdraw\b"),
    "deal": (_DEED, r"\bdeal x\b"),
    "heal": (_DEED, r"increase your hitpoints|\bgain x hp\b|dice-heal"),
    "burn": (_DEED, r"damage to yourself|dice-(?:burn|wound)"),
    "wound": (_DEED, r"as damage to one target|dice-damage"),
    "re-roll": (_DEED, r"may re-roll"),
    "remove": (_DEED, r"\bremove (?:up to )?x\b"),
    "place": (_THING, r"\bplace x\b"),
    "damaged": (_DEED, r"\bdamaged?\b(?=,| |$)(?! (?:counter|to))"),
    "attack": (_DEED, r"\battacks?\b"),
    "defend": (_DEED, r"\bdefends?\b"),
    "berzerk": (_DEED, r"\bberzerker\b|unexhausted at the end of your own battle phase"),
    "summoning": (_DEED, r"to summon this creature|^summon cost"),
    "acting": (_DEED, r"or use an ability of this creature|^action cost"),
    # what grows or shrinks, and by which counters
    "stronger": (_DEED, r"offense counter|sword counter|(?:increase targets'|to the targets') offense"),
    "tougher": (_DEED, r"defense counter|shield counter|(?:increase targets'|to the targets') defense"),
    "weaker": (_DEED, r"weakness counter|(?:decrease targets'|from the targets') offense"),
    "hurt later": (_DEED, r"damage counter"),
    "exhausted later": (_DEED, r"exhaustion counter"),
    "re-rolled later": (_DEED, r"dice counter"),
    # to what, and whose
    "this card": (_THING, r"\bthis (?:in-play )?card\b(?! ?\))(?!'s)"),
    "field": (_THING, r"\bin[- ]play\b|\bon-field\b|\bin your battlefield\b|x (?:enemy )?(?:creatures|minions)\b"),
    "creatures": (_DETAIL, r"\bcreatures?\b|\bminions?\b"),
    "granary": (_THING, r"\bresources?\b(?! cost| zone)|\bgranary\b"),
    "hand": (_THING, r"\bhand\b"),
    "grave": (_THING, r"\bgrave(?:yard)?\b"),
    "deck": (_THING, r"\bdeck\b(?! in any)|\bexcavate\b"),
    "you": (_THING, r"\byou take\b"),
    "excavate": (_THING, r"\bexcavate\b|look at exactly"),
    "counted": (_THING, r"with at least x counters"),
    "low levels": (_THING, r"\blevel x or lower\b"),
    "of both": (_DETAIL, r"then roll x|yourself and (?:one opponent|enemy)"),
    "others": (_DETAIL, r"excluding this card|\bother\b"),
    "exhausted": (_DETAIL, r"(?<!un)\bexhausted\b(?!\))"),
    "random": (_DETAIL, r"\brandom(?:ly)?\b"),
    "enemy chooses": (_DETAIL, r"\bby an opponent\b|enemy's choice|\bby that player\b|their choice"),
    "yours": (_DETAIL, r"\b(?:in|on top of) your (?:hand|grave|graveyard|deck)\b|^excavate"),
    "theirs": (_DETAIL, r"one opponent's|\benemy's|\btheir own\b|have one opponent excavate"),
    "anybody's": (_DETAIL, r"one player's|\bany (?:hand|deck|grave)"),
    "dice": (_DETAIL, r"six-sided|-dice-"),
    "total": (_DETAIL, r"\btotal\b"),
}
_RULES = {name: (weight, re.compile(pattern)) for name, (weight, pattern) in _SPEAKS_OF.items()}
_COUNTERS = re.compile(r"\bplace x (?:([a-z]+) )?counters\b")
_SAME_COUNTERS = {"": "generic", "offense": "sword", "defense": "shield", "immortality": "undying"}
"""What counters are called in older editions, and in the newest: each kind is a deed of its own."""
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*")
_IDLE = frozenset(
    "a all and any at by card each exactly from in is of on or player target targets that the then this to up x you your".split()
)

NEAR, NEAR_TARGETS = 0.3, 0.2
"""How alike components must be for one to carry the idea of the other; less for targets, without which nothing is done."""
SAME = 0.75
"""How alike they are if only words differ."""


class Likeness(NamedTuple):
    """A component, and how alike it is to another one: 1 for the same meaning."""

    component: Component
    share: float


@cached(4096)
def meaning(text: str) -> Mapping[str, float]:
    """Return what a text of the rules speaks of, each with its weight."""
    plain = plain_words(text).rstrip(".")
    own = {name: weight for name, (weight, pattern) in _RULES.items() if pattern.search(plain)}
    for match in _COUNTERS.finditer(plain):
        own[f"{_SAME_COUNTERS.get(match[1] or '', match[1])} counters"] = _DEED
    words = {f"word {stem(word)}": _WORD for word in _TOKEN.findall(plain) if word not in _IDLE}
    return {**own, **words}


def likeness(one: str, other: str) -> float:
    """Return how alike the meanings of two texts are, from 0 to 1."""
    mine, its = meaning(one), meaning(other)
    weights = {**mine, **its}
    if any(weight == _DEED for weight in weights.values()) and not any(mine.get(name) == _DEED for name in its):
        return 0.0  # other things happen
    shared = sum(weight for name, weight in weights.items() if name in mine and name in its)
    return shared / sum(weights.values()) if weights else 0.0


@cached(1024)
def alike(role: Role, text: str, edition: Edition) -> tuple[Likeness, ...]:
    """Return the components of an edition in a role, those most like a text first; of equals the cheaper one."""
    found = [Likeness(each, likeness(text, each.text)) for each in edition.components if each.role is role]
    return tuple(sorted(found, key=lambda each: (-each.share, each.component.ultra_points)))
