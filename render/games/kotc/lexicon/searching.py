"""Components found by words: in any form of a word, with slips of the pen, and by words of other games.

A word of the search finds a component by the closest way that finds any: the same word, another form of it, what the
game calls it, a word that begins so, and only then a word that is spelt almost so.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from render.base.caches import cached
from render.games.kotc.lexicon.synonyms import SYNONYMS

_TOKEN = re.compile(r"[^\W_]+")
_NEAR = 0.75  # of `difflib`: one or two wrong letters in a word of six
_ALIKE = 0.6  # of `difflib`, for words that are only offered
_MIN_NEAR = 4  # letters: shorter words are like too many others
_MIN_BEGINNING = 2  # letters
_ALMOST, _FAR = 5, 9  # ways in which a word has another: spelt almost so, and not at all

# Endings that words of the components have, and what stands for them: destroyed, destroys, destroying, copies.
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The indexes of what was found, the closest first, and for nothing found the words that are nearest."""

    found: tuple[int, ...]
    nearest: tuple[str, ...] = ()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; both parts of one with a hyphen."""
    return _TOKEN.findall(text.lower())


@cached(4096)
def stem(word: str) -> str:
    """Return what the forms of a word have in common: `destroy` for destroyed, destroys and destroying."""
    if word in ("dice", "die"):
        return "dice"
    for ending, instead in _ENDINGS:
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and not word.endswith("ss"):
            # "exhausted" and "bounced" have one ending each, and "stopped" doubles a letter before it.
            doubled = ending in ("ed", "ing") and root[-1] == root[-2] and root[-1] not in "ls"
            return f"{root[:-1] if doubled else root}{instead}".rstrip("e") or word
    return word


def search_texts(query: str, texts: Sequence[str]) -> SearchResult:
    """Return which of the texts have all words of the query, the closest first."""
    wanted = words_of(query)
    known = [words_of(text) for text in texts]
    if not wanted:
        return SearchResult(tuple(range(len(texts))) if not query.strip() else ())
    ways = [_ways(word, known) for word in wanted]
    if all(ways):
        both = set.intersection(*(set(way) for way in ways))
        return SearchResult(tuple(sorted(both, key=lambda at: (sum(way[at] for way in ways), at))))
    lacking = [word for word, way in zip(wanted, ways, strict=True) if not way]
    return SearchResult((), tuple(dict.fromkeys(near for word in lacking for near in nearest_words(word, known))))


def nearest_words(word: str, known: Iterable[Iterable[str]]) -> list[str]:
    """Return up to three words that are spelt most like this one, of the texts and of those that stand for them."""
    vocabulary = sorted({each for words in known for each in words if len(each) >= _MIN_NEAR} | set(SYNONYMS))
    return difflib.get_close_matches(word, vocabulary, n=3, cutoff=_ALIKE)


def is_like(word: str, other: str) -> bool:
    """Return whether two words are forms of one word, or one is the other with a slip of the pen."""
    if stem(word) == stem(other):
        return True
    if min(len(word), len(other)) < _MIN_NEAR:
        return False
    return difflib.SequenceMatcher(None, word, other).ratio() >= _NEAR


def _ways(word: str, known: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return how closely each text has a word, 0 for the word itself; texts that do not have it are left out."""
    meant = set(SYNONYMS.get(word) or SYNONYMS.get(stem(word), ()))
    found = {}
    for at, words in enumerate(known):
        way = min((_way(word, each, meant) for each in words), default=_FAR)
        if way < _FAR:
            found[at] = way
    if found or len(word) < _MIN_NEAR:
        return found
    return {at: _ALMOST for at, words in enumerate(known) if any(is_like(word, each) for each in words)}


def _way(word: str, other: str, meant: set[str]) -> int:
    if word == other:
        return 0
    if stem(word) == stem(other):
        return 1
    if other in meant:
        return 2
    if any(stem(other) == stem(each) for each in meant):
        return 3
    if len(word) >= _MIN_BEGINNING and other.startswith(word):
        return 4
    return _FAR
