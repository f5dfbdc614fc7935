"""What somebody wishes of a card, in words too: "a spell of level 5 with draw", "two minions with 3 SP, without dice"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, field

from render.base.patterns import regex
from render.games.kotc.editions.wording import singular
from render.games.kotc.languages.alike import is_like, stem
from render.games.kotc.languages.english import english_variants
from render.games.kotc.lexicon.searching import SYNONYMS
from render.games.kotc.model.edition import Component, Edition, Role

Words = tuple[str, ...]
Numbers = tuple[tuple[str, int], ...]


class Wish(Struct, frozen=True, kw_only=True):
    """What a card should be. What is None may be anything.

    `ultra_points` are the most that it may have, `sub_abilities` the most of an ability, `abilities` how many a minion
    has (a spell has one). `words` must all occur, none of `unwanted` may; `condition` says whether abilities have an
    activation condition. Those of the `words` that are `deeds` are what the card is to do: in a cost they do not count.
    """

    level: int
    is_spell: bool
    sp: int | None = None
    hp: int | None = None
    ultra_points: int | None = None
    words: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    sub_abilities: int = 2
    abilities: int = 1
    condition: bool | None = None
    deeds: tuple[str, ...] = ()


_TOKEN = regex(r"[^\W_]+")
_NUMBER = "#"  # before the name of a variable, in what a component may say


def wished_words(text: str) -> Words:
    """Return the words of a text as wishes compare them: in lower case, nouns in the singular, without signs."""
    # The "s" of "minion(s)" is a word of its own, and no plural.
    return tuple(singular(word) or word for word in _TOKEN.findall(text.lower()))


def stands_in(wanted: Words, words: Words) -> bool:
    """Return whether words follow each other in others."""
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))


def always_says(component: Component, wanted: Words) -> bool:
    """Return whether a component as its guide prints it, `draw x cards`, has the words."""
    return stands_in(wanted, wished_words(component.text.replace("{", "").replace("}", "")))


def numbers_saying(component: Component, wanted: Words) -> list[Numbers]:
    """Return the numbers with which a component has the words: the fewest, each by the name of its variable.

    Without numbers, any will do. Words that are said of one target only, as "it", need a selection that gives one.
    """
    if always_says(component, wanted):
        return [()]
    found = {numbers for words in _variants(component) for numbers in _alignments(wanted, words)}
    return [()] if () in found else sorted(found)


def _alignments(wanted: Words, words: Words) -> Iterator[Numbers]:
    """Yield the numbers that the variables in a component's words need to be the wanted words, at each place."""
    for at in range(len(words) - len(wanted) + 1):
        pairs = list(zip(wanted, words[at : at + len(wanted)], strict=True))
        if all(one == other or (other[0] == _NUMBER and one.isdigit()) for one, other in pairs):
            numbers = {(other[1:], int(one)) for one, other in pairs if other[0] == _NUMBER}
            if len(dict(numbers)) == len(numbers) and all(number for _, number in numbers):
                yield tuple(sorted(numbers))


def _variants(component: Component) -> Iterator[Words]:
    """Yield what a component may say, with `#x` for a number: with and without "up to", of one target or several."""
    for variant in english_variants(component.text):
        words = _VARIABLE.sub(lambda found: f" {_MARKS[found[1]]} ", variant.words)
        yield tuple(_NAMES.get(word, word) for word in wished_words(words))


_VARIABLE = regex(r"\{([xyz])\}")
_MARKS = {"x": "numberx", "y": "numbery", "z": "numberz"}  # stand for numbers while words are taken apart
_NAMES = {mark: f"{_NUMBER}{name}" for name, mark in _MARKS.items()}


# --- a wish in words --------------------------------------------------------------------------------------------------


_COUNTS = {"no": 0, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_COUNT = rf"(?P<n>{'|'.join(_COUNTS)}|\d+)"
_JOIN = r"(?:(?:with|and|having|,) )?"


class SpokenWish(Struct):
    """What was understood: values by the names of the options, and words that must and must not occur."""

    values: dict[str, object] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)


def _number(words: str) -> int:
    return _COUNTS[words] if words in _COUNTS else int(words)


_SAID: tuple[tuple[str, str, Callable[[re.Match[str]], object]], ...] = (
    ("number", r"(?:(?:of|from|in|for) )?(?:the )?(?P<n>\d+)(?:st|nd|rd|th) edition", lambda m: int(m["n"])),
    ("number", r"(?:(?:of|from|in|for) )?edition (?P<n>\d+)", lambda m: int(m["n"])),
    ("level", r"(?:(?:of|at|on|with|for) )?(?:a )?(?:level|cost)[ -](?:of )?(?P<n>\d+)", lambda m: int(m["n"])),
    ("level", r"(?:costing|that costs?) (?P<n>\d+)", lambda m: int(m["n"])),
    ("ultra_points", r"without (?:any )?ultra points?", lambda _: 0),
    ("ultra_points", rf"{_JOIN}(?:(?:at most|up to) )?{_COUNT} ultra points?", lambda m: _number(m["n"])),
    ("sp", rf"{_JOIN}{_COUNT} (?:sp|offense)", lambda m: _number(m["n"])),
    ("sp", rf"{_JOIN}(?:sp|offense) (?P<n>\d+)", lambda m: _number(m["n"])),
    ("hp", rf"{_JOIN}{_COUNT} (?:hp|defense)", lambda m: _number(m["n"])),
    ("hp", rf"{_JOIN}(?:hp|defense) (?P<n>\d+)", lambda m: _number(m["n"])),
    ("abilities", r"without (?:any )?abilit(?:y|ies)", lambda _: 0),
    ("abilities", rf"{_JOIN}{_COUNT} abilit(?:y|ies)", lambda m: _number(m["n"])),
    ("condition", r"(?:without (?:an? |any )?|(?:with )?no )(?:activation )?conditions?", lambda _: False),
    ("condition", rf"{_JOIN}(?:an? )?(?:activation )?condition", lambda _: True),
)
_OF_HEAD = regex(rf"(?:{_COUNT} )?(?P<kind>spell|minion|creature)s?\b")
_LIMITS = regex(r"\b(?:with|without|that|which|who)\b")
_MODES = regex(r"\b(with(?:out)?|having|no|not|and|but|that|which|who|or)\b|([,;])")
_FILLERS = frozenset(
    "a an the some any me please give find suggest show i want need card cards of it its to can does do is are".split()
)
_NOUNS = frozenset(("card", "cards"))  # which are counted, as in "2 cards"


def read_wish(text: str) -> SpokenWish:
    """Return what a wish in words asks for. ValueError for what no search can find, such as one thing or another."""
    found, rest = SpokenWish(), " ".join(text.lower().split())
    for name, pattern, value in _SAID:
        for match in [*re.finditer(rf"\b{pattern}\b", rest)][:1]:
            found.values.setdefault(name, value(match))
            rest = f"{rest[: match.start()]} , {rest[match.end() :]}"
    limit = _LIMITS.search(rest)
    head = rest[: limit.start()] if limit else rest
    kind = _OF_HEAD.search(head)
    if kind:
        found.values["kind"] = kind["kind"]
        if kind["n"] and kind["n"] not in ("a", "an", "no"):
            found.values["count"] = _number(kind["n"])
        rest = f"{rest[: kind.start()]} , {rest[kind.end() :]}"
    _read_segments(rest, found)
    return found


def _read_segments(rest: str, found: SpokenWish) -> None:
    wanted, start = True, 0
    for match in [*_MODES.finditer(rest), None]:
        segment = _bare(rest[start : match.start() if match else len(rest)])
        if segment:
            (found.words if wanted else found.unwanted).append(segment)
        word = match[0] if match else ""
        start = match.end() if match else 0
        if word == "or" and wanted:
            raise ValueError("a wish is for all of its words: ask for one thing, then for the other")
        if word in ("with", "having", "that", "which", "who"):
            wanted = True
        elif word in ("without", "no", "not"):
            wanted = False


def _bare(segment: str) -> str:
    """Return the words of a segment without those that say nothing at its ends."""
    words = segment.split()
    while words and words[0] in _FILLERS:
        words.pop(0)
    while words and words[-1] in _FILLERS - _NOUNS and len(words) > 1:
        words.pop()
    return " ".join(words)


def deeds(edition: Edition, words: Iterable[str]) -> tuple[str, ...]:
    """Return those words that a card of the edition can have in what it does, and not only in what that costs."""
    does = [each for each in edition.components if each.role is not Role.COST]
    return tuple(each for each in words if any(numbers_saying(component, wished_words(each)) for component in does))


def in_words_of(edition: Edition, segments: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return wished words as components of the edition have them, and which words were read as others.

    Words that do not follow each other in any component are wished one by one; what has no like stays as it is.
    """
    vocabulary = sorted({word for each in edition.components for word in wished_words(each.text)})
    found: list[str] = []
    read_as: list[tuple[str, str]] = []
    for segment in segments:
        if not unknown_words([segment], edition):
            found.append(segment)
            continue
        words = [each for each in wished_words(segment) if each not in _FILLERS] or [segment]
        meant = [_meant(word, vocabulary) for word in words]
        read_as += [(one, other) for one, other in zip(words, meant, strict=True) if one != other]
        together = " ".join(meant)
        found += [together] if not unknown_words([together], edition) else meant
    return list(dict.fromkeys(found)), list(dict.fromkeys(read_as))


def _meant(word: str, vocabulary: Sequence[str]) -> str:
    return next(_meanings(word, vocabulary), word)


def _meanings(word: str, vocabulary: Sequence[str]) -> Iterator[str]:
    """Yield the words of the edition that may be meant, the likeliest first."""
    if word in vocabulary:
        yield word
    yield from (each for each in vocabulary if stem(each) == stem(word))
    for other in SYNONYMS.get(word) or SYNONYMS.get(stem(word), ()):
        yield from (each for each in vocabulary if each == other or stem(each) == stem(other))
    yield from (each for each in vocabulary if is_like(word, each))


def unknown_words(words: Iterable[str], edition: Edition) -> list[str]:
    """Return those words that no component of the edition has with any numbers."""
    wished = {each: wished_words(each) for each in words}
    return [
        each
        for each, wanted in wished.items()
        if not wanted or not any(numbers_saying(component, wanted) for component in edition.components)
    ]
