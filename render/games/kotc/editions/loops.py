"""Whether rewordings could go on forever: a text that, reworded, contains itself again.

Rewordings are rules of a rewriting system over words. Its forward closures are what old texts become, with as many
words added around them as the next rewording needs; a closure that contains the text it began with is a loop. This also
finds loops that need words around them: `b c` to `d` and `a d` to `a b c` never contain each other's old text, yet `a b
c` comes back after two steps.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.games.kotc.model.edition import Rewording

Words = tuple[str, ...]

MAX_CLOSURES = 2000  # the 23 rewordings of the 20th Edition have 31

_NUMBER = "{}"  # stands for a variable, which may be any number
_TARGETS = re.compile(r"\b(?:the targets?|each target|its?)\b")
_WORD = re.compile(r"\{[xyz]\}|[0-9]+|[^\W\d_]+(?:[-'][^\W\d_]+)*|→|->|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Rule:
    old: Words
    new: Words


@dataclass(frozen=True, slots=True)
class _Closure:
    """What `start` becomes by the rewordings with the numbers `steps`."""

    start: Words
    end: Words
    steps: tuple[int, ...]


def loop(rewordings: Sequence[Rewording]) -> tuple[int, ...]:
    """Return the indexes of rewordings that together bring a text back; () if none do.

    Texts are compared at least as freely as matching compares them: ignoring case and number, "it" for "the targets", a
    variable for every number.
    """
    rules = [_Rule(_words(each.old), _words(each.new)) for each in rewordings]
    waiting = deque(_Closure(rule.old, rule.new, (index,)) for index, rule in enumerate(rules) if rule.old)
    seen = {(closure.start, closure.end) for closure in waiting}
    while waiting and len(seen) < MAX_CLOSURES:
        closure = waiting.popleft()
        if _holds(closure.end, closure.start):
            return closure.steps
        for following in _longer(closure, rules):
            if (following.start, following.end) not in seen:
                seen.add((following.start, following.end))
                waiting.append(following)
    return ()


def _words(text: str) -> Words:
    words = _WORD.findall(_TARGETS.sub("the target", text.lower()))
    return tuple(_NUMBER if word.startswith("{") and len(word) > 1 else _singular(word) for word in words)


def _singular(word: str) -> str:
    return "→" if word == "->" else word.removesuffix("s")


def _holds(text: Words, part: Words) -> bool:
    return any(_same(text[at : at + len(part)], part) for at in range(len(text) - len(part) + 1))


def _same(one: Words, other: Words) -> bool:
    return all(map(_agree, one, other))


def _agree(word: str, other: str) -> bool:
    return word == other or (word == _NUMBER and _is_number(other)) or (other == _NUMBER and _is_number(word))


def _is_number(word: str) -> bool:
    return word == _NUMBER or word.isdigit()


def _longer(closure: _Closure, rules: Sequence[_Rule]) -> Iterator[_Closure]:
    """Yield what one more rewording makes of a closure, with the words around it that the rewording needs."""
    for index, rule in enumerate(rules):
        for at in _overlaps(closure.end, rule.old):
            before, behind = rule.old[: max(0, -at)], rule.old[max(0, len(closure.end) - at) :]
            left, right = closure.end[: max(0, at)], closure.end[max(0, at + len(rule.old)) :]
            start, end = before + closure.start + behind, left + rule.new + right
            yield _Closure(start, end, (*closure.steps, index))


def _overlaps(text: Words, old: Words) -> Iterator[int]:
    """Yield where `old` may begin, relative to the first word of `text`, so that they overlap and agree."""
    for at in range(1 - len(old), len(text)):
        first, last = max(at, 0), min(at + len(old), len(text))
        if _same(text[first:last], old[first - at : last - at]):
            yield at
