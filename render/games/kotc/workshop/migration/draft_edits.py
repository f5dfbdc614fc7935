"""A draft in the file of its card: new keys, numbers and words, and a comment about what the card was and what it lost.

The name, id, flavor, picture, credits and copies stay, and so does every other character of the file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from render.base.findings import listed
from render.games.kotc.files.keys import stat_key
from render.games.kotc.model.cards import Card, ordinal
from render.source.edit import Block, Edit, RemoveKey, SetKey, plain, replace_scalar
from render.source.nodes import Scalar

_WIDTH = 110  # characters of a line of the comment


def draft_edits(before: Card, after: Card, notes: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits that make a draft of a card, but for its edition."""
    node, own = before.node, dict(before.node.entries)
    keys = {key.value: key for key in own}
    kind = node.get("kind")
    if after.kind is not before.kind and isinstance(kind, Scalar):
        yield replace_scalar(kind, after.kind.value)
    for stat in ("sp", "hp", "level"):
        name, value = stat_key(stat, before.grammar), getattr(after, stat)
        given, new_name = node.get(name), stat_key(stat, after.grammar)
        if value is None or not isinstance(given, Scalar):
            continue
        if new_name != name:
            yield replace_scalar(keys[name], new_name)
        if given.value not in ("auto", str(value)):
            yield replace_scalar(given, str(value))
    yield from _ultra_points(before, after)
    if after.text != before.text and "text" in keys:
        yield SetKey(node, "text", Block(after.text)) if after.text else RemoveKey(node, "text")
    size = node.get("text_size")
    if isinstance(size, Scalar) and size.value != "auto":
        yield replace_scalar(size, "auto")
    yield from _mark(before, notes)


def _ultra_points(before: Card, after: Card) -> Iterator[Edit]:
    points = before.node.get("ultra_points")
    if points is None:
        if after.ultra_points:
            level = stat_key("level", before.grammar)
            yield SetKey(before.node, "ultra_points", plain(str(after.ultra_points)), level)
    elif after.grammar.of_creatures:
        yield RemoveKey(before.node, "ultra_points")
    elif isinstance(points, Scalar) and points.value not in ("auto", str(after.ultra_points)):
        yield replace_scalar(points, str(after.ultra_points))


def _mark(before: Card, notes: Sequence[str]) -> Iterator[Edit]:
    """Yield the key `draft` with a comment; a draft that becomes another one has the key, and gets the comment above it."""
    comment = tuple(_comment(before, notes))
    mark = before.node.get("draft")
    if isinstance(mark, Scalar):
        if mark.value != "true":
            yield replace_scalar(mark, "true")
        return
    yield SetKey(before.node, "draft", plain("true"), "kind", comment)


def _comment(card: Card, notes: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the comment: the card as it was, and what became of its parts."""
    edition = f"the {ordinal(card.edition)} Edition" if card.edition else "a card without Edition Indicator"
    stats = [
        f"{stat_key(stat, card.grammar)} {value}"
        for stat in ("level", "sp", "hp")
        if (value := getattr(card, stat)) is not None
    ]
    points = f", ultra_points {card.ultra_points}" if card.ultra_points else ""
    yield f"`{card.id}` was of {edition}: {', '.join(stats)}{points}"
    for line in card.text.split("\n"):
        yield from _wrapped(line, "  | ", "  | ")
    for note in notes or ("nothing of its text was lost",):
        yield from _wrapped(note, "- ", "  ")
    if languages := [each.language for each in card.words if each.text]:
        note = f"its text in {listed(languages, 'and')} below `words` is the old one: write it anew"
        yield from _wrapped(note, "- ", "  ")


def _wrapped(words: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        words, _WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )
