"""The ability text: which words are name, caveat, condition, cost, effect and tutorial.

There are two grammars: that of the editions up to the 11th, in which a creature may have a caveat and an ability has
one target selection, and that of the editions from the 12th on (Card Building Guide, "Constructing Abilities"): `NAME:
condition: cost→ sub-ability. sub-ability. (Tutorial text.)`. Up to the 10th every component is a sentence: `NAME:
Activate when something happens. Pay a cost. Target something. Do something.`; the 11th stands between the two: `NAME:
When something happens: pay a cost; target something; do something. (Tutorial text.)`. Reading never fails: words that
fit nowhere become part of a sub-ability, where checks against an edition find them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from render.base.caches import cached

LAST_OF_SENTENCES = 10  # up to it every component is a sentence
LAST_OLD_EDITION = 11  # the 12th Edition brought minions, colons after conditions and arrows after costs
ARROW = "→"


class Part(NamedTuple):
    """Words of an ability text, and their indexes in the card's text.

    The colon behind a name or condition, the arrow behind a cost and the comma or "and" between costs belong to no
    part, nor does the semicolon behind a cost. The full stop belongs to its sentence, the parentheses to the tutorial
    text.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """One paragraph of an ability text, from `start` to before `end`.

    Up to the 11th Edition its sentences are no sub-abilities, but target selection and effects of the whole ability.
    """

    start: int
    end: int
    name: Part | None = None
    condition: Part | None = None
    costs: tuple[Part, ...] = ()
    sub_abilities: tuple[Part, ...] = ()
    tutorial: Part | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityText:
    """An ability text and its parts. All indexes refer to `text`, the card's text as it is in the file.

    `red` are the words that cards print in red: up to the 11th Edition all activation conditions, and caveats, up to
    the 10th only those that must be met to summon; from the 12th on the condition of a spell, with its colon. `padlock`
    says whether the silhouette of a padlock follows the text. `drawn` is what is printed: the text with `→` for every
    `->`.
    """

    text: str
    drawn: str
    caveat: Part | None = None
    abilities: tuple[Ability, ...] = ()
    red: tuple[Part, ...] = ()
    padlock: bool = False

    def drawn_index(self, index: int) -> int:
        """Return the index in `drawn` of the character at `index` in `text`."""
        return index if len(self.drawn) == len(self.text) else index - self.text.count("->", 0, index)

    @property
    def tutorials(self) -> tuple[Part, ...]:
        """The tutorial texts, which are drawn in italics."""
        return tuple(ability.tutorial for ability in self.abilities if ability.tutorial)

    def parts(self) -> list[Part]:
        """Return all parts in text order."""
        found = [self.caveat]
        for ability in self.abilities:
            found += [ability.name, ability.condition, *ability.costs, *ability.sub_abilities, ability.tutorial]
        return [part for part in found if part]


@cached(4096)  # it is asked for by whoever works out levels, draws a card and judges it
def parse(text: str, edition: int, *, is_spell: bool) -> AbilityText:
    """Read an ability text by the grammar of the edition."""
    if edition > LAST_OLD_EDITION:
        return _new_text(text, edition, is_spell)
    return _old_text(text, edition, is_spell)


# --- editions from the 12th on --------------------------------------------------------------------------------------


def _new_text(text: str, edition: int, is_spell: bool) -> AbilityText:
    joined = _ALSO if edition <= _LAST_WITH_ALSO else _AND
    abilities = tuple(_new_ability(text, start, end, joined) for start, end in _paragraphs(text))
    # Guide, "Creating the Card": a spell with an activation condition shows its restriction.
    conditions = [ability.condition for ability in abilities if ability.condition and is_spell]
    red = tuple(_with_colon(text, condition) for condition in conditions)
    return AbilityText(
        text=text, drawn=text.replace("->", ARROW), caveat=None, abilities=abilities, red=red, padlock=bool(conditions)
    )


def _new_ability(text: str, start: int, end: int, joined: re.Pattern[str]) -> Ability:
    name, at = _name(text, start, end)
    tutorial_start = _tutorial(text, at, end)
    tutorial = _part(text, tutorial_start, end) if tutorial_start < end else None
    condition, at = _condition(text, at, tutorial_start)
    costs, at = _costs(text, at, tutorial_start, joined)
    return Ability(
        start=start,
        end=end,
        name=name,
        condition=condition,
        costs=costs,
        sub_abilities=tuple(_sentences(text, at, tutorial_start)),
        tutorial=tutorial,
    )


# What may end a condition or a cost, and what shows that there is none: the end of a sentence, or of its first half.
_MARK = re.compile(r"(?P<open>\()|(?P<close>\))|(?P<colon>:(?=\s|\Z))|(?P<arrow>→|->)|(?P<stop>;|[.!?](?=\s|\Z))")


def _condition(text: str, start: int, end: int) -> tuple[Part | None, int]:
    """Return what stands before the first colon, unless a cost or a sentence ends sooner, and where to continue."""
    for kind, mark in _outer_marks(text, start, end):
        if kind == "colon" and mark.start() > start:
            return _part(text, start, mark.start()), _skip_space(text, mark.end(), end)
        break
    return None, start


def _costs(text: str, start: int, end: int, joined: re.Pattern[str]) -> tuple[tuple[Part, ...], int]:
    """Return the costs before the last arrow of the first sentence, joined in that way, and where to continue."""
    costs: list[Part] = []
    at = start
    for kind, mark in _outer_marks(text, start, end):
        if kind == "stop":
            break
        if kind == "arrow":
            costs += _listed(text, at, mark.start(), joined)
            at = _skip_space(text, mark.end(), end)
    return tuple(costs), at


_AND = re.compile(r"\s*,\s+and\s+|\s+and\s+|\s*,\s+")
_ALSO = re.compile(r"\s*,\s+also\s+")
_LAST_WITH_ALSO = 13  # guides of the 12th and 13th Edition, "Activation Costs"; from the 14th on they are a list


def _listed(text: str, start: int, end: int, joined: re.Pattern[str]) -> Iterator[Part]:
    """Yield the items of `a`, `a and b` or `a, b, and c`; those of `a, also b` up to the 13th Edition."""
    for match in (*joined.finditer(text, start, end), None):
        upto = match.start() if match else end
        if upto > start:
            yield _part(text, start, upto)
        start = match.end() if match else end


def _outer_marks(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the marks outside parentheses, each with its kind."""
    depth = 0
    for mark in _MARK.finditer(text, start, end):
        kind = mark.lastgroup or ""
        if kind in ("open", "close"):
            depth = max(0, depth + (1 if kind == "open" else -1))
        elif depth == 0:
            yield kind, mark


_SENTENCE_END = re.compile(r"[.!?][\"”'’)]*\s*\Z")


def _tutorial(text: str, start: int, end: int) -> int:
    """Return where the parentheses behind the last sentence begin; `end` if there are none."""
    found = at = end
    while (opening := _opening(text, start, at)) is not None:
        before = text[start:opening]
        if not before.strip() or _SENTENCE_END.search(before):
            found = opening
        at = start + len(before.rstrip())
    return found


def _opening(text: str, start: int, end: int) -> int | None:
    """Return where the parenthesis that closes just before `end` was opened; None if there is none."""
    if text[end - 1 : end] != ")" or end <= start:
        return None
    depth = 0
    for index in range(end - 1, start - 1, -1):
        depth += {")": 1, "(": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return None


# --- editions up to the 11th ----------------------------------------------------------------------------------------

# Rulebook, 9th and 10th Edition: "Caveats are always on the first paragraph of the ability text and include the term
# `this creature`"; the 11th says only the first, and these are the words with which all of its guide begin.
_CAVEAT = re.compile(
    r"this creature|\A(?:summon|action) cost\b|\A(?:cannot (?:attack|defend)|berzerker)\b", re.IGNORECASE
)
_SUMMONING = re.compile(r"to summon this creature|\Asummon cost\b", re.IGNORECASE)
# "This sentence starts with the text, `Activate when`"; texts that the 9th Edition redacted say "in response to".
_OLD_CONDITION = re.compile(r"Activate (?:when|in response to)\b")
# Rulebook, 11th Edition: they "are followed by a colon (:) and appear at the very start of an ability's text"; all that
# its guide lists begin with "When". Cards designed for it in the words of the 9th are read as before.
_COLON_CONDITION = re.compile(r"(?:Activate )?[Ww]hen\b")
# "Designated at the beginning, after any activation condition, but before any targeting or effect text"; the verbs are
# those of the costs that the guides up to the 10th Edition list. "Destroy all targets" and "Remove up to" are effects.
_OLD_COST = re.compile(r"(?:Sacrifice|Pay|Exhaust|Destroy) \d+|Remove \d+ (?:\w+ )?counters? from this card")
# Those of the guide of the 11th Edition.
_SEMICOLON_COST = re.compile(
    r"(?:self-[a-z]+|sacrifice) \d+|remove \d+ (?:\w+ )?counters? from this card", re.IGNORECASE
)
_SEMICOLON = re.compile(r"\s*;\s+")
_THEN = re.compile(r"\s*,\s+then\s+")


def _old_text(text: str, edition: int, is_spell: bool) -> AbilityText:
    paragraphs = list(_paragraphs(text))
    caveat = None if is_spell else _caveat(text, paragraphs, edition)
    abilities = tuple(_old_ability(text, start, end, edition) for start, end in paragraphs[1 if caveat else 0 :])
    if caveat and caveat.end < paragraphs[0][1]:
        start, end = _skip_space(text, caveat.end, len(text)), paragraphs[0][1]
        abilities = (Ability(start=start, end=end, tutorial=_part(text, start, end)), *abilities)
    conditions = tuple(_with_colon(text, ability.condition) for ability in abilities if ability.condition)
    summons = caveat is not None and bool(_SUMMONING.search(caveat.text))
    red = (caveat, *conditions) if caveat and (summons or edition > LAST_OF_SENTENCES) else conditions
    padlock = summons if caveat else is_spell and bool(conditions)
    return AbilityText(text=text, drawn=text, caveat=caveat, abilities=abilities, red=red, padlock=padlock)


def _caveat(text: str, paragraphs: list[tuple[int, int]], edition: int) -> Part | None:
    if not paragraphs or _name(text, *paragraphs[0])[0]:
        return None
    start, end = paragraphs[0]
    first = _part(text, start, _tutorial(text, start, end) if edition > LAST_OF_SENTENCES else end)
    return first if _CAVEAT.search(first.text) else None


def _old_ability(text: str, start: int, end: int, edition: int) -> Ability:
    name, at = _name(text, start, end)
    condition, tutorial_start = None, end
    costs: list[Part] = []
    if edition > LAST_OF_SENTENCES:
        tutorial_start = _tutorial(text, at, end)
        condition, at = _colon_condition(text, at, tutorial_start)
        costs, at = _semicolon_cost(text, at, tutorial_start)
    sentences = list(_sentences(text, at, tutorial_start))
    if condition is None and sentences and _OLD_CONDITION.match(sentences[0].text):
        condition = sentences.pop(0)
    while sentences and _OLD_COST.match(sentences[0].text):
        costs.append(sentences.pop(0))
    return Ability(
        start=start,
        end=end,
        name=name,
        condition=condition,
        costs=tuple(costs),
        sub_abilities=tuple(sentences),
        tutorial=_part(text, tutorial_start, end) if tutorial_start < end else None,
    )


def _colon_condition(text: str, start: int, end: int) -> tuple[Part | None, int]:
    return _condition(text, start, end) if _COLON_CONDITION.match(text, start, end) else (None, start)


def _semicolon_cost(text: str, start: int, end: int) -> tuple[list[Part], int]:
    """Return the cost before a semicolon, or before ", then" and a target selection, and where to continue.

    Guide of the 11th Edition, "Activation Costs": `Self-exhaust 1 resource; Target this card;`, or `Self-exhaust 1
    resource, then target this card;`.
    """
    if not _SEMICOLON_COST.match(text, start, end):
        return [], start
    sentence = next(iter(_sentences(text, start, end)))
    semicolon = _SEMICOLON.search(text, start, sentence.end)
    if semicolon is None:
        return [], start
    mark = _THEN.search(text, start, semicolon.start()) or semicolon
    return [_part(text, start, mark.start())], mark.end()


# --- both -----------------------------------------------------------------------------------------------------------


def _with_colon(text: str, condition: Part) -> Part:
    """Return a condition with the colon behind it, if there is one."""
    colon = _skip_space(text, condition.end, len(text))
    return _part(text, condition.start, colon + 1) if text[colon : colon + 1] == ":" else condition


_PARAGRAPH = re.compile(r"[^\s](?:[^\n]*[^\s])?")
_COLON = re.compile(r":(?=\s|\Z)")


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each line with words starts and ends, without the space around it."""
    return (match.span() for match in _PARAGRAPH.finditer(text))


def _name(text: str, start: int, end: int) -> tuple[Part | None, int]:
    """Return the words in capitals before a colon, and where to continue. A name may contain a colon."""
    found = start
    for colon in _COLON.finditer(text, start, end):
        words = text[found : colon.start()]
        if words != words.upper():
            break
        found = colon.start()
    if not any(char.isalnum() for char in text[start:found]):
        return None, start
    return _part(text, start, found), _skip_space(text, found + 1, end)


_STOP = re.compile(r"(?P<open>\()|(?P<close>\))|(?P<stop>[.!?]+[\"”'’]*(?=\s|\Z))")


def _sentences(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield the sentences; a full stop in parentheses does not end one."""
    ends, depth = [], 0
    for mark in _STOP.finditer(text, start, end):
        if mark.lastgroup == "open":
            depth += 1
        elif mark.lastgroup == "close":
            depth = max(0, depth - 1)
        elif depth == 0:
            ends.append(mark.end())
    for begin, stop in pairwise((start, *ends, end)):
        words = text[begin:stop].strip()
        if words:
            yield _part(text, _skip_space(text, begin, stop), stop)


def _part(text: str, start: int, end: int) -> Part:
    words = text[start:end].rstrip()
    return Part(words, start, start + len(words))


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
