"""Scripts that run from right to left, Hebrew and Arabic among them: levels of letters, and their order in a line.

The rules are those of Unicode (UAX 9), which `python-bidi` knows. Only this module uses it, and only for texts with such
letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from unicodedata import bidirectional, name

from render.base.caches import cached
from render.base.patterns import regex
from render.text.characters import is_within

# The blocks for scripts of this direction (Unicode 16, DerivedBidiClass): the first character of each range, and the
# first behind it.
_RIGHT_TO_LEFT = "\u0590\u0900\ufb1d\ufe00\ufe70\uff00\U00010800\U00011000\U0001e800\U0001f000"
_CURSIVE = frozenset(("ARABIC", "SYRIAC", "NKO", "MANDAIC", "ADLAM", "HANIFI"))  # whose letters join
_LEVEL = regex(r"\d+")
_BASES = {"ltr": "L", "rtl": "R"}


def has_right_to_left(texts: Iterable[str]) -> bool:
    """Return whether any of these texts has letters that run from right to left."""
    return any(not text.isascii() and is_within(text, _RIGHT_TO_LEFT) for text in texts)


@cached(4096)
def levels(text: str, direction: str) -> tuple[int, tuple[int, ...]]:
    """Return the level of a paragraph and of each of its characters: odd ones run from right to left (UAX 9, 3.3).

    The direction is `ltr`, `rtl`, or "" for that of the first letter.
    """
    from bidi import get_base_level, get_display

    # What it calls debugging are the levels of the bytes in UTF-8, which it tells in no other way.
    told = get_display(text, base_dir=_BASES.get(direction), debug=True)
    of_bytes = _LEVEL.findall(told.partition("\n    levels: [\n")[2].partition("\n    ],\n")[0])
    starts = [0, *accumulate(len(char.encode()) for char in text)]
    if len(of_bytes) != starts[-1]:
        raise RuntimeError("python-bidi tells levels in another way than its version 0.6")
    base = get_base_level(text) if not direction else int(direction == "rtl")
    return base, tuple(int(of_bytes[start]) for start in starts[:-1])


def in_order_of_reading(words: str) -> str:
    """Return words that stand from left to right in a line as they are read, for a message.

    The direction of their paragraph is taken to be that of the letter at the left.
    """
    if not has_right_to_left((words,)):
        return words
    from bidi import get_display

    return str(get_display(words))


def cursive_scripts(text: str) -> list[str]:
    """Return for each character the script of the last letter from right to left before it if its letters join, or ""."""
    scripts, last = list[str](), ""
    for char in text:
        last = _script(char) or last
        scripts.append(last if last in _CURSIVE else "")
    return scripts


@cached(4096)
def _script(char: str) -> str:
    return name(char, "").partition(" ")[0] if bidirectional(char) in ("R", "AL") else ""


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the indexes of what has these levels, from left to right (UAX 9, rule L2)."""
    order = [*range(len(levels))]
    for least in range(max(levels, default=0), 0, -1):
        runs = [(turns, [*run]) for turns, run in groupby(order, [level >= least for level in levels].__getitem__)]
        order = [at for turns, run in runs for at in (reversed(run) if turns else run)]
    return order
