"""The red words of a card's file, compared with those that the rules of its edition make red."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from render.base.findings import quoted
from render.games.kotc.model import ability
from render.games.kotc.workshop.imports.xcf.notes import XcfNotes
from render.images.xcf.text_layers import TextLayer

_NO_LOOKS = ("lang", "insert_hyphens")


def compare_reds(text: TextLayer, written: str, parsed: ability.AbilityText, notes: XcfNotes) -> None:
    """Warn of words that are red in the file and black by the rules, or the other way round.

    `written` is the text as the card file has it, which `parsed` is made of. Only spaces may differ from the file's.
    """
    whole = (0, len(text.text), _is_red(text.color))
    in_file = _reds(
        text.text, (whole, *((each.start, each.end, _is_red(each.color)) for each in text.styles if each.color))
    )
    by_rules = _reds(written, ((part.start, part.end, True) for part in parsed.red))
    if len(in_file) != len(by_rules):
        return  # an accent was composed: letters cannot be compared one by one
    both = [(at, here, there) for (_, here), (at, there) in zip(in_file, by_rules, strict=True)]
    for (here, there), run in groupby(both, key=lambda each: each[1:]):
        if here != there:
            places = [at for at, _, _ in run]
            said = quoted(written[places[0] : places[-1] + 1])
            look = ("red", "black") if here else ("black", "red")
            notes.warn(
                "X022", f"{said} is {look[0]} in the file and {look[1]} by the rules", "kotc colors by the rules"
            )


def note_looks(text: TextLayer, what: str, notes: XcfNotes) -> None:
    """Warn of words whose look the card file cannot hold: bold ones, underlined ones, other colors."""
    looks = [f"`{key}`" for each in text.styles for key in each.others if key not in _NO_LOOKS]
    looks += [f"the color `{each.color}`" for each in text.styles if each.color and not is_plain(each.color)]
    for look in dict.fromkeys(looks):
        notes.warn("X023", f"{look} of words of the {what} is left out", "")


def _reds(text: str, stretches: Iterable[tuple[int, int, bool]]) -> list[tuple[int, bool]]:
    """Return the places of all characters but spaces, and whether each is red; later stretches win."""
    red = bytearray(len(text))
    for start, end, is_red in stretches:
        red[start:end] = bytes([is_red]) * (end - start)
    return [(at, bool(red[at])) for at, char in enumerate(text) if not char.isspace()]


def _levels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _is_red(color: str) -> bool:
    """Return whether a color is a red such as the `#800000` of the cards."""
    if len(color) != 7:
        return False
    red, green, blue = _levels(color)
    return red >= 96 and max(green, blue) <= red // 3


def is_black(color: str) -> bool:
    """Return whether a color is black, or next to it."""
    return len(color) == 7 and max(_levels(color)) < 64


def is_plain(color: str) -> bool:
    """Return whether a color is one that the words of an ability text have: red, or next to black."""
    return _is_red(color) or is_black(color)
