"""An ability text in the words of another language, worked out from its components.

Every legal text is made of components with numbers (Card Building Guide, "Card Texts"). So each component is read in
one language and said in the other, and what joins components is exchanged; names of abilities and tutorial texts are
given by hand. Line breaks, arrows and full stops stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from render.games.kotc.editions.soundness import CALLED
from render.games.kotc.languages.notation import ANY
from render.games.kotc.languages.vocabulary import Vocabulary
from render.games.kotc.levels.stretches import ComponentText, Reader, move_part
from render.games.kotc.model import ability
from render.games.kotc.model.ability import Ability, Part
from render.games.kotc.model.edition import Grammar, Role


@dataclass(frozen=True, slots=True)
class TextReader:
    """What reads texts of a language: their components with their places, and what each of them says."""

    reader: Reader
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class GivenWords:
    """Words that no rule gives: of the names of abilities, by the name in the text, and of tutorial texts, in order."""

    abilities: Mapping[str, str] = field(default_factory=dict)
    tutorials: Sequence[str] = ()


NOTHING_GIVEN = GivenWords()


@dataclass(frozen=True, slots=True)
class Untranslated:
    """Words that are no component in their place, or, if they `is_read`, for which the language has none."""

    words: Part
    role: Role
    is_read: bool

    def __str__(self) -> str:
        return CALLED[self.role]


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in the other language. Words for which there are none stand in it as they were.

    `unknown` are those of components, `names` and `tutorials` those that are to be given by hand. `unused` are names
    and tutorial texts that are given, and for which there is no place.
    """

    text: str
    unknown: tuple[Untranslated, ...]
    names: tuple[Part, ...]
    tutorials: tuple[Part, ...]
    unused: tuple[str, ...]


def translate(
    text: str, grammar: Grammar, source: TextReader, target: Vocabulary, given: GivenWords = NOTHING_GIVEN
) -> Translation:
    """Return a text of an edition with sub-abilities in the words of the target language."""
    work = _Work(text=text, source=source, target=target, given=given)
    abilities = ability.parse(text, grammar, is_spell=False).abilities
    for each in abilities:
        work.translate(each)
    named = {each.name.text for each in abilities if each.name}
    unused = (*(name for name in given.abilities if name not in named), *given.tutorials[work.seen :])
    return Translation(work.result(), tuple(work.unknown), tuple(work.names), tuple(work.tutorials), unused)


@dataclass(slots=True, kw_only=True)
class _Work:
    """A text being translated: `edits` are places in it and the words that come there."""

    text: str
    source: TextReader
    target: Vocabulary
    given: GivenWords
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    unknown: list[Untranslated] = field(default_factory=list)
    names: list[Part] = field(default_factory=list)
    tutorials: list[Part] = field(default_factory=list)
    seen: int = 0

    def result(self) -> str:
        """Return the text with all edits."""
        done, at = "", 0
        for start, end, words in sorted(self.edits):
            done += self.text[at:start] + words
            at = end
        return done + self.text[at:]

    def translate(self, each: Ability) -> None:
        """Translate an ability."""
        if each.name:
            self._by_hand(each.name, self.given.abilities.get(each.name.text), self.names)
            self._colon(each.name)
        if each.condition:
            for piece in self.source.reader.single(Role.CONDITION, each.condition.text).placed(each.condition.start):
                self._say(piece, starts=False)
            self._colon(each.condition)
        if each.costs:
            self._costs(each)
        for sentence in each.sub_abilities:
            self._sentence(sentence)
        if each.tutorial:
            words = self.given.tutorials[self.seen] if self.seen < len(self.given.tutorials) else None
            self._by_hand(each.tutorial, words, self.tutorials)
            self.seen += 1

    def _by_hand(self, part: Part, words: str | None, missing: list[Part]) -> None:
        if words is None:
            missing.append(part)
        else:
            self.edits.append((part.start, part.end, words))

    def _colon(self, part: Part) -> None:
        found = _COLON.match(self.text, part.end)
        if found:
            self.edits.append((found.start(), found.end(), self.target.joints.colon))

    def _costs(self, each: Ability) -> None:
        start, end = each.costs[0].start, each.costs[-1].end
        items = [move_part(cost, -start) for cost in each.costs]
        pieces = self.source.reader.costs(self.text[start:end], items).placed(start)
        joints = self.target.joints
        for number, piece in enumerate(pieces):
            self._say(piece, starts=not (each.condition or number))
            if number:
                last = number == len(pieces) - 1
                joint = ", " if not last else joints.and_ if len(pieces) == 2 else joints.last_and
                self.edits.append((pieces[number - 1].words.end, piece.words.start, joint))

    def _sentence(self, sentence: Part) -> None:
        pieces = self.source.reader.sub_ability(sentence.text).placed(sentence.start)
        gender = self._gender(pieces[0])
        before: ComponentText | None = None
        for piece in pieces:
            self._say(piece, gender, starts=before is None)
            if before:
                self.edits.append((before.words.end, piece.words.start, self._joint(before, piece)))
            before = piece

    def _gender(self, first: ComponentText) -> str:
        """Return the gender of the one target that a sentence may have, by its target selection."""
        is_known = first.role is Role.TARGET and first.found is not None
        return self.target.gender(first.found.component) if is_known and first.found else ANY

    def _joint(self, before: ComponentText, piece: ComponentText) -> str:
        if before.role is Role.TARGET:
            return self.target.joints.semicolon
        gap, ours = _plain(self.text[before.words.end : piece.words.start]), self.source.vocabulary.joints
        return self.target.joints.also if gap == _plain(ours.also) else self.target.joints.then

    def _say(self, piece: ComponentText, gender: str = ANY, *, starts: bool) -> None:
        """Translate a component; one that begins with a number has a capital in the other language if it `starts`."""
        said = self.source.vocabulary.read(piece.role, piece.words.text) if piece.found else None
        if said and said.capital is None:
            said = replace(said, capital=starts)
        words = self.target.say(said, gender) if said else None
        if words is None:
            self.unknown.append(Untranslated(piece.words, piece.role, said is not None))
        else:
            self.edits.append((piece.words.start, piece.words.end, words))


_COLON = re.compile(r"\s*:\s*")


def _plain(joint: str) -> str:
    return " ".join(joint.split())
