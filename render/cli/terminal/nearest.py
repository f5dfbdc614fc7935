"""The word or the path that is meant by a mistyped one on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_MIN_TYPO = 3  # letters: two short words differ in one letter without meaning the same
_LONG = 6  # letters: from here on, two letters may be wrong


def mistyped_word(word: str, known: Iterable[str]) -> str:
    """Return the known word that was mistyped as this one, or of which this is the beginning; "" if there is none.

    Words are alike only if a slip of the fingers lies between them: `--force` is not `--workers`, though they have
    most letters in common.
    """
    bare = word.lstrip("-")
    if len(bare) < _MIN_TYPO:
        return ""
    begun = [each for each in known if each.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    slips = 2 if len(bare) >= _LONG else 1
    found = sorted((_slips_between(bare, each.lstrip("-")), each) for each in known if len(each.lstrip("-")) > 2)
    return found[0][1] if found and found[0][0] <= slips else ""


def _slips_between(one: str, other: str) -> int:
    """Return how many letters are wrong, missing, too many, or exchanged with their neighbor (Damerau, 1964)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            best = min(row[-1] + 1, before[j] + 1, before[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
    return row[-1]


def in_other_case(path: Path) -> str:
    """Return what exists in place of a missing path if only the case of its name differs; else ""."""
    try:
        # Sets move here from Windows and macOS, where `Cards` and `cards` are one folder.
        beside = sorted(each.name for each in path.parent.iterdir() if each.name.lower() == path.name.lower())
    except (OSError, ValueError):
        return ""
    return f", but there is `{beside[0]}` (mind upper and lower case)" if beside else ""


def nearest_beside(path: Path) -> str:
    """Return what seems to be meant by a path at which there is nothing, for the end of a message; "" if nothing is."""
    other = in_other_case(path)
    if other:
        return other
    try:
        beside = sorted(each.name for each in path.parent.iterdir() if not each.name.startswith("."))
    except (OSError, ValueError):
        return ""
    near = mistyped_word(path.name, beside)
    return f": did you mean `{path.parent / near}`?" if near else ""
