"""Words alike: forms of one word, slips of the pen, and the words of a text that tell what it means."""

from __future__ import annotations

from render.base.caches import cached
from render.base.patterns import regex

_NUMBER = regex(r"\d+|\{[a-z]\}")
_WORDS = regex(r"[^\W\d_]+")
_MIN_TELLING = 3  # letters: "x", "it" and "up" say nothing of what is meant
_SAYING_LITTLE = frozenset(
    "the target targets each all card cards this that your any and with from for when are has".split()
)


@cached(4096)
def telling_words(plain: str) -> frozenset[str]:
    """Return the words by which a text can be told from others."""
    return frozenset(each for each in _WORDS.findall(plain) if len(each) >= _MIN_TELLING) - _SAYING_LITTLE


def plain_words(words: str) -> str:
    """Return the words in the form for comparison: lower case, all numbers equal."""
    return _NUMBER.sub("x", words.lower())


MIN_NEAR = 4  # letters: shorter words are like too many others
_NEAR = 0.75  # of `difflib`: one or two wrong letters in a word of six

# Endings that words of the components have, and what stands for them: destroyed, destroys, destroying, copies.
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))


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


def is_like(word: str, other: str) -> bool:
    """Return whether two words are forms of one word, or one is the other with a slip of the pen."""
    if stem(word) == stem(other):
        return True
    if min(len(word), len(other)) < MIN_NEAR:
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, word, other).ratio() >= _NEAR
