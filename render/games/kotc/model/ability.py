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
from itertools import pairwise

from msgspec import Struct

from render.base.caches import cached
from render.base.patterns import regex
from render.games.kotc.model.edition import Costs, Grammar

ARROW = "→"


class Part(Struct, frozen=True):
    """Words of an ability text, and their indexes in the card's text.

    The colon behind a name or condition, the arrow behind a cost and the comma or "and" between costs belong to no
    part, nor does the semicolon behind a cost. The full stop belongs to its sentence, the parentheses to the tutorial
    text.
    """

    text: str
    start: int
    end: int


class Ability(Struct, frozen=True, kw_only=True):
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


class AbilityText(Struct, frozen=True, kw_only=True):
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


@cached(1024)  # it is asked for by whoever works out levels, draws a card and judges it
def parse(text: str, grammar: Grammar, *, is_spell: bool) -> AbilityText:
    """Read an ability text by the grammar of its edition."""
    reader = _Reader(text, grammar)
    return reader.new_text(is_spell) if grammar.has_sub_abilities else reader.old_text(is_spell)


# What may end a condition or a cost, and what shows that there is none: the end of a sentence, or of its first half.
_MARK = regex(r"(?P<open>\()|(?P<close>\))|(?P<colon>:(?=\s|\Z))|(?P<arrow>→|->)|(?P<stop>;|[.!?](?=\s|\Z))")
_STOP = regex(r"(?P<open>\()|(?P<close>\))|(?P<stop>[.!?]+[\"”'’]*(?=\s|\Z))")
_SENTENCE_END = regex(r"[.!?][\"”'’)]*\s*\Z")
_PARAGRAPH = regex(r"[^\s](?:[^\n]*[^\s])?")
_COLON = regex(r":(?=\s|\Z)")
_SPACE = regex(r"\s*")

_AND = regex(r"\s*,\s+and\s+|\s+and\s+|\s*,\s+")
_ALSO = regex(r"\s*,\s+also\s+")

# Up to the 11th Edition. Rulebook, 9th and 10th: "Caveats are always on the first paragraph of the ability text and
# include the term `this creature`"; the 11th says only the first, and these are the words with which all of its guide
# begin.
_CAVEAT = regex(r"this creature|\A(?:summon|action) cost\b|\A(?:cannot (?:attack|defend)|berzerker)\b", re.IGNORECASE)
_SUMMONING = regex(r"to summon this creature|\Asummon cost\b", re.IGNORECASE)
# "This sentence starts with the text, `Activate when`"; texts that the 9th Edition redacted say "in response to".
_OLD_CONDITION = regex(r"Activate (?:when|in response to)\b")
# Rulebook, 11th Edition: they "are followed by a colon (:) and appear at the very start of an ability's text"; all that
# its guide lists begin with "When". Cards designed for it in the words of the 9th are read as before.
_COLON_CONDITION = regex(r"(?:Activate )?[Ww]hen\b")
# "Designated at the beginning, after any activation condition, but before any targeting or effect text"; the verbs are
# those of the costs that the guides up to the 10th Edition list. "Destroy all targets" and "Remove up to" are effects.
_OLD_COST = regex(r"(?:Sacrifice|Pay|Exhaust|Destroy) \d+|Remove \d+ (?:\w+ )?counters? from this card")
# Those of the guide of the 11th Edition.
_SEMICOLON_COST = regex(r"(?:self-[a-z]+|sacrifice) \d+|remove \d+ (?:\w+ )?counters? from this card", re.IGNORECASE)
_SEMICOLON = regex(r"\s*;\s+")
_THEN = regex(r"\s*,\s+then\s+")


class _Reader(Struct, frozen=True):
    """Reads one text by the grammar of an edition. A place is an index of the text."""

    text: str
    grammar: Grammar

    # --- editions from the 12th on -----

    def new_text(self, is_spell: bool) -> AbilityText:
        abilities = tuple(self._new_ability(*match.span()) for match in _PARAGRAPH.finditer(self.text))
        # Guide, "Creating the Card": a spell with an activation condition shows its restriction.
        conditions = [each.condition for each in abilities if each.condition and is_spell]
        return AbilityText(
            text=self.text,
            drawn=self.text.replace("->", ARROW),
            abilities=abilities,
            red=tuple(map(self._with_colon, conditions)),
            padlock=bool(conditions),
        )

    def _new_ability(self, start: int, end: int) -> Ability:
        name, at = self._name(start, end)
        stop = self._tutorial(at, end)
        condition, at = self._condition(at, stop)
        costs, at = self._costs(at, stop)
        return Ability(
            start=start,
            end=end,
            name=name,
            condition=condition,
            costs=costs,
            sub_abilities=tuple(self._sentences(at, stop)),
            tutorial=self._part(stop, end) if stop < end else None,
        )

    def _condition(self, start: int, end: int) -> tuple[Part | None, int]:
        """Return what stands before the first colon, unless a cost or a sentence ends sooner, and where to continue."""
        mark = next(self._outer_marks(_MARK, start, end), None)
        if mark and mark.lastgroup == "colon" and mark.start() > start:
            return self._part(start, mark.start()), self._skip_space(mark.end(), end)
        return None, start

    def _costs(self, start: int, end: int) -> tuple[tuple[Part, ...], int]:
        """Return the costs before the last arrow of the first sentence, and where to continue.

        They are `a`, `a and b` or `a, b, and c`; up to the 13th Edition `a, also b`.
        """
        costs: list[Part] = []
        at = start
        joint = _ALSO if self.grammar.costs is Costs.ALSO else _AND
        for mark in self._outer_marks(_MARK, start, end):
            if mark.lastgroup == "stop":
                break
            if mark.lastgroup == "arrow":
                joints = [*joint.finditer(self.text, at, mark.start())]
                begins, ends = (
                    [at, *(each.end() for each in joints)],
                    [*(each.start() for each in joints), mark.start()],
                )
                costs += [self._part(*each) for each in zip(begins, ends, strict=True) if each[0] < each[1]]
                at = self._skip_space(mark.end(), end)
        return tuple(costs), at

    def _tutorial(self, start: int, end: int) -> int:
        """Return where the parentheses behind the last sentence begin; `end` if there are none."""
        found = at = end
        while at > start and self.text[at - 1] == ")":
            depth, opening = 1, at - 1
            while depth and opening > start:
                opening -= 1
                depth += {")": 1, "(": -1}.get(self.text[opening], 0)
            if depth:
                break
            before = self.text[start:opening]
            if not before.strip() or _SENTENCE_END.search(before):
                found = opening
            at = start + len(before.rstrip())
        return found

    # --- editions up to the 11th -----

    def old_text(self, is_spell: bool) -> AbilityText:
        paragraphs = [match.span() for match in _PARAGRAPH.finditer(self.text)]
        caveat = self._caveat(*paragraphs[0]) if paragraphs and not is_spell else None
        abilities = [self._old_ability(*each) for each in paragraphs[1 if caveat else 0 :]]
        if caveat and caveat.end < paragraphs[0][1]:
            start, end = self._skip_space(caveat.end, len(self.text)), paragraphs[0][1]
            abilities.insert(0, Ability(start=start, end=end, tutorial=self._part(start, end)))
        conditions = tuple(self._with_colon(each.condition) for each in abilities if each.condition)
        summons = caveat is not None and bool(_SUMMONING.search(caveat.text))
        return AbilityText(
            text=self.text,
            drawn=self.text,
            caveat=caveat,
            abilities=tuple(abilities),
            red=(caveat, *conditions) if caveat and (summons or not self.grammar.of_sentences) else conditions,
            padlock=summons if caveat else is_spell and bool(conditions),
        )

    def _caveat(self, start: int, end: int) -> Part | None:
        if self._name(start, end)[0]:
            return None
        first = self._part(start, end if self.grammar.of_sentences else self._tutorial(start, end))
        return first if _CAVEAT.search(first.text) else None

    def _old_ability(self, start: int, end: int) -> Ability:
        name, at = self._name(start, end)
        condition, stop = None, end
        costs: list[Part] = []
        if not self.grammar.of_sentences:
            stop = self._tutorial(at, end)
            if _COLON_CONDITION.match(self.text, at, stop):
                condition, at = self._condition(at, stop)
            costs, at = self._semicolon_cost(at, stop)
        sentences = list(self._sentences(at, stop))
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
            tutorial=self._part(stop, end) if stop < end else None,
        )

    def _semicolon_cost(self, start: int, end: int) -> tuple[list[Part], int]:
        """Return the cost before a semicolon, or before ", then" and a target selection, and where to continue.

        Guide of the 11th Edition, "Activation Costs": `Self-exhaust 1 resource; Target this card;`, or `Self-exhaust 1
        resource, then target this card;`.
        """
        if not _SEMICOLON_COST.match(self.text, start, end):
            return [], start
        sentence = next(self._sentences(start, end))
        semicolon = _SEMICOLON.search(self.text, start, sentence.end)
        if semicolon is None:
            return [], start
        mark = _THEN.search(self.text, start, semicolon.start()) or semicolon
        return [self._part(start, mark.start())], mark.end()

    # --- both -----

    def _with_colon(self, condition: Part) -> Part:
        """Return a condition with the colon behind it, if there is one."""
        colon = self._skip_space(condition.end, len(self.text))
        return self._part(condition.start, colon + 1) if self.text[colon : colon + 1] == ":" else condition

    def _name(self, start: int, end: int) -> tuple[Part | None, int]:
        """Return the words in capitals before a colon, and where to continue. A name may contain a colon."""
        found = start
        for colon in _COLON.finditer(self.text, start, end):
            words = self.text[found : colon.start()]
            if words != words.upper():
                break
            found = colon.start()
        if not any(char.isalnum() for char in self.text[start:found]):
            return None, start
        return self._part(start, found), self._skip_space(found + 1, end)

    def _sentences(self, start: int, end: int) -> Iterator[Part]:
        ends = [mark.end() for mark in self._outer_marks(_STOP, start, end)]
        for begin, stop in pairwise((start, *ends, end)):
            if self.text[begin:stop].strip():
                yield self._part(self._skip_space(begin, stop), stop)

    def _outer_marks(self, marks: re.Pattern[str], start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the marks outside parentheses."""
        depth = 0
        for mark in marks.finditer(self.text, start, end):
            if mark.lastgroup == "open":
                depth += 1
            elif mark.lastgroup == "close":
                depth = max(0, depth - 1)
            elif depth == 0:
                yield mark

    def _part(self, start: int, end: int) -> Part:
        words = self.text[start:end].rstrip()
        return Part(words, start, start + len(words))

    def _skip_space(self, start: int, end: int) -> int:
        space = _SPACE.match(self.text, start, end)
        return space.end() if space else start
