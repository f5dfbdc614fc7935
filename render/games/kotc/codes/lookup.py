"""Explanations of all error codes, of the core and of the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from render.cli.explanations import DATA, CodeExplanation, explanations_of, letters

FOLDERS = (DATA, Path(__file__).resolve().parent / "data")

_FIRST_NUMBERS = range(2, 20)  # which mean the same in all files that are made of keys and values
_LIKE_CARDS: Mapping[str, str] = {
    "S": "`set.yaml`",
    "B": "a deck file",
    "M": "`game.yaml`",
    "D": "the data file of an edition",
    "W": "a language file, or `words` of a card",
}
_MAX_NEAR = 3


def all_explanations() -> dict[str, CodeExplanation]:
    """Return the explanations of all codes that have one of their own, by code."""
    found: dict[str, CodeExplanation] = {}
    for letter in letters(FOLDERS):
        found.update(explanations_of(letter, FOLDERS))
    return dict(sorted(found.items()))


def explained(code: str) -> CodeExplanation | None:
    """Return the explanation of a code, such as `C007`; None if there is no such code."""
    own = explanations_of(code[0], FOLDERS).get(code)
    if own or code[0] not in _LIKE_CARDS or int(code[1:]) not in _FIRST_NUMBERS:
        return own
    like = explanations_of("C", FOLDERS).get(f"C{code[1:]}")
    if like is None:
        return None
    advice = f"{code} means for {_LIKE_CARDS[code[0]]} what {like.code} means for a card, as in this example."
    return replace(like, code=code, advice=f"{advice} {like.advice}".strip())


def nearest_codes(code: str) -> list[str]:
    """Return the codes that may have been meant: those of the letter with the nearest numbers, else of the number."""
    known = all_explanations()
    same = (
        [each for each in known if each[0] == code[0]] or [each for each in known if each[1:] == code[1:]] or [*known]
    )
    return sorted(sorted(same, key=lambda each: (abs(int(each[1:]) - int(code[1:])), each))[:_MAX_NEAR])
