"""How a sentence that is half written may go on: the components that begin as it ends.

From the 12th Edition on, each mark tells what stands behind it: a colon, an arrow, a semicolon, a full stop. In the
11th, conditions end with a colon, costs and targets with a semicolon; before, every component is a sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from render.base.patterns import regex
from render.games.kotc.composing import AbilityWriter, targets_one
from render.games.kotc.editions.wording import Sort, TargetForm, atoms, needs_targets
from render.games.kotc.languages.english import EnglishVocabulary
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.lexicon.entries import price_with_points
from render.games.kotc.model.edition import Abilities, Component, Edition, Grammar, Role

_ANY = (Role.CONDITION, Role.COST, Role.TARGET, Role.EFFECT)
_MARKS_OF_SUB_ABILITIES = (
    (regex(r"\A\s*(?:[^a-z:]*[A-Z][^a-z:]*:\s+)?"), _ANY),  # the beginning, or the name of an ability
    (regex(r":\s+"), _ANY[1:]),
    (regex(r"(?:→|->)\s*"), _ANY[2:]),
    (regex(r"\.\s+"), _ANY[2:]),
    (regex(r";\s+"), _ANY[3:]),
    (regex(r",\s+(?:then|also)\s+"), (Role.EFFECT,)),
    (regex(r",\s+and\s+|\s+and\s+|,\s+"), (Role.COST,)),
)
_OLD_START = regex(r"\A\s*(?:[^a-z:]*[A-Z][^a-z:]*:\s+)?")
_OLD = (Role.CAVEAT, *_ANY)
_MARKS_OF_CLAUSES = (
    (_OLD_START, _OLD),
    (regex(r":\s+"), _ANY[1:]),
    (regex(r";\s+"), _ANY[2:]),
    (regex(r"\.\s+"), (Role.EFFECT,)),
)
_MARKS_OF_SENTENCES = ((_OLD_START, _OLD), (regex(r"\.\s+"), _ANY[1:]))
_MARKS = {
    Abilities.SENTENCES: _MARKS_OF_SENTENCES,
    Abilities.CLAUSES: _MARKS_OF_CLAUSES,
    Abilities.SUB_ABILITIES: _MARKS_OF_SUB_ABILITIES,
}
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_UNKNOWN = 900_000_001  # stands for a number that is not written yet


class Continuation(Struct, frozen=True):
    """A whole text with the component that completes it; numbers that are not written yet are `x`, `y` and `z`."""

    text: str
    component: Component


def continuations(begun: str, edition: Edition) -> list[Continuation]:
    """Return the texts that the beginning of an ability may become, with one component more, in the guide's order.

    The longest end of the words that any component begins with counts. Of several lines, the last goes on.
    """
    writer, vocabulary = AbilityWriter(edition.grammar), EnglishVocabulary(edition)
    grammar = edition.grammar
    before, line_end, line = begun.rpartition("\n")
    for start, roles in _places(line, grammar):
        head, words = line[:start], line[start:]
        selection = _selection(head, vocabulary, grammar)
        found = [
            Continuation(f"{before}{line_end}{head}{words}{completed[len(words) :]}", component)
            for component in edition.components
            if component.role in roles
            and not (selection and not grammar.has_sub_abilities and component.role is not Role.EFFECT)
            for completed in _completed(component, words, selection, writer)
        ]
        if found:
            return found
    return []


def _places(begun: str, grammar: Grammar) -> list[tuple[int, tuple[Role, ...]]]:
    """Return where a component may begin, and of which roles, from left to right."""
    found: dict[int, tuple[Role, ...]] = {}
    for mark, roles in _MARKS[grammar.abilities]:
        for match in mark.finditer(begun):
            found.setdefault(match.end(), roles)
    return sorted(found.items())


def _selection(head: str, vocabulary: EnglishVocabulary, grammar: Grammar) -> ComponentUse | None:
    """Return the target selection to which the next component belongs: of its sentence, up to the 11th its ability."""
    if not grammar.has_sub_abilities:
        return _old_selection(head, vocabulary)
    sentence = re.split(r"(?:\.|→|->|:)\s+", head)[-1]
    for mark in reversed(list(re.finditer(r";\s+", sentence))):
        found = vocabulary.find(Role.TARGET, sentence[: mark.start()])
        if found:
            return found
    return None


def _old_selection(head: str, vocabulary: EnglishVocabulary) -> ComponentUse | None:
    for words in re.split(r"(?<=\.)\s+|(?<=[;:])\s+", head):
        found = vocabulary.find(Role.TARGET, words.strip().rstrip(";:"))
        if found:
            return found
    return None


def _completed(component: Component, words: str, target: ComponentUse | None, writer: AbilityWriter) -> Iterator[str]:
    """Yield the words of a component, in the first of its forms, if they begin with those that are written."""
    if component.role is Role.EFFECT and needs_targets(component) and target is None:
        return
    speaks_of_one = writer.grammar.one_target and targets_one(target)
    forms = (TargetForm.IT, TargetForm.ONE) if speaks_of_one else (TargetForm.MANY,)
    for form in forms:
        text = _filled(component, [int(number) for number in re.findall(r"\d+", words)], form, writer)
        if text.lower().startswith(words.lower().translate(_STRAIGHT)):
            yield text
            return


def _filled(component: Component, numbers: Sequence[int], form: TargetForm, writer: AbilityWriter) -> str:
    """Return the words of a component with these numbers in the order of its text, and letters for the others."""
    names = dict.fromkeys(atom.variable for atom in atoms(component.text) if atom.sort is Sort.VARIABLE)
    given = dict(zip(names, numbers, strict=False))
    chosen = {name: given.get(name, _UNKNOWN + at) for at, name in enumerate(names)}
    text = writer.words(ComponentUse(component, tuple(chosen.items()), form))
    for name, number in chosen.items():
        text = text.replace(str(number), name) if number >= _UNKNOWN else text
    return text


def continuations_as_text(found: Sequence[Continuation]) -> str:
    """Return the texts for people, each with the formula of its component."""
    return "\n".join(f"{each.text}  [{price_with_points(each.component)}]" for each in found)


def continuations_as_json(found: Sequence[Continuation]) -> str:
    """Return the texts as JSON, with role, formula and Ultra Points of the component."""
    entries = [
        {
            "text": each.text,
            "role": each.component.role.value,
            "level": str(each.component.level) if each.component.level else None,
            "ultra_points": each.component.ultra_points,
        }
        for each in found
    ]
    return json.dumps(entries, ensure_ascii=False, indent=2)
