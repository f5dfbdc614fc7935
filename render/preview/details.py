"""What the page tells of one card: how its level follows, and which part of the picture stands where in its file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence as SequenceOf
from itertools import groupby

from render.base.findings import Refused, Span
from render.base.geometry import Rect, Size
from render.game.cards import GameCard, GameSet, is_given, key_of_face, place_of_key, place_within, value_of_key
from render.game.faces import CardFaces
from render.game.registry import game_of
from render.layout.bounds import of_item
from render.layout.lay_out import FacePart
from render.preview import editors
from render.preview.board import Told, name_of
from render.preview.set_view import LaidCard, SetView
from render.scene.items import Item, Picture, TextRun, scale_to_fit, walk
from render.source.nodes import Scalar, Sequence

_MIN_SIDE = 1.2  # mm: a smaller part could not be hit with a finger


def details(laid: LaidCard, view: SetView, faces: CardFaces, editor: str) -> Told:
    """Return the details of a card for the page."""
    card = laid.card
    return {
        "description": game_of(card).description(card),
        "place": _place(card.document.span(card.node), view, editor),
        "derivation": _derivation(card, view.set, view, editor) if view.set else None,
        "parts": [*_parts(card, faces, view, editor)] if view.set and not laid.stale else [],
    }


def _place(span: Span, view: SetView, editor: str) -> Told:
    return {
        "file": name_of(span.file, view),
        "line": span.line,
        "column": span.column,
        "link": editors.link(editor, span) if editor else "",
        **({"cell": str(span.cell)} if span.cell else {}),
    }


def _derivation(card: GameCard, card_set: GameSet, view: SetView, editor: str) -> Told | None:
    found = game_of(card).derivation(card, card_set)
    if found is None:
        return None
    steps = []
    for step in found.steps:
        place = None
        if step.key:
            span = place_within(card, step.key, *step.place) if step.place else place_of_key(card, step.key)
            place = _place(span, view, editor)
        words = {"words": step.words, "amount": step.amount, "role": step.role, "note": step.note, "extra": step.extra}
        steps.append({**words, "place": place})
    return {"result": found.result, "summary": found.summary, "steps": steps}


# --- parts of the picture ---------------------------------------------------------------------------------------------


def _parts(card: GameCard, faces: CardFaces, view: SetView, editor: str) -> Iterator[Told]:
    """Yield the parts of a card's own sides that stand in its file, with their boxes in shares of the card.

    `side` is 0 on the front and 1 on a back that is the card's own.
    """
    for side in range(len(card.own_templates)):
        try:
            size, listed = faces.parts(card, side)
        except Refused:  # a picture changed meanwhile
            continue
        before: Counter[str] = Counter()  # parts with the same id: a small card each
        for part in listed:
            key = _key_on(card, part, side, before[part.id])
            before[part.id] += 1
            for label, items, span in _places(card, key, part) if key else ():
                box = _box(items, size, view)
                yield {"key": key, "label": label, "box": box, "place": _place(span, view, editor), "side": side}


def _key_on(card: GameCard, part: FacePart, side: int, before: int) -> str:
    """Return the key of the card whose value a part shows; "" if that does not stand in the file.

    `before` counts the parts with its id that came before it: on a front with several small cards, the first is that of
    the first small card that gives the key.
    """
    key = part.id or _picture_key(card, part)
    if not key or is_given(card, key.partition(".")[0]):
        return key
    given = [each for number in _small_cards(card) if is_given(card, each := key_of_face(number, key))]
    if card.has_own_back:
        return key_of_face(side, key) if key_of_face(side, key) in given else ""
    return given[before] if before < len(given) else ""


def _small_cards(card: GameCard) -> range:
    small = card.node.get("faces")
    return range(len(small.items) if isinstance(small, Sequence) else 0)


Placed = tuple[str, SequenceOf[Item], Span]
"""The words of a part, what it drew, and where it stands."""


def _places(card: GameCard, key: str, part: FacePart) -> Iterator[Placed]:
    """Yield a text line by line if its lines are found in the file, else the part as a whole."""
    value = value_of_key(card, key)
    runs = [item for item in part.items if isinstance(item, TextRun)]
    lines = [tuple(line) for _, line in groupby(runs, key=_depth)]
    if isinstance(value, Scalar) and len(lines) > 1 and (found := [*_lines(card, key, value.value, lines)]):
        yield from found
        return
    words = "".join(run.words for run in runs).strip()
    yield words, part.items, place_of_key(card, key)


def _depth(run: TextRun) -> float:
    """Return how far below the corner of the card its line stands, whichever way the text runs (mm)."""
    along = run.transform
    return round((along.a * along.f - along.b * along.e) / math.hypot(along.a, along.b), 3)


def _lines(card: GameCard, key: str, text: str, lines: SequenceOf[SequenceOf[TextRun]]) -> Iterator[Placed]:
    """Yield the lines up to one that is not in the text as it is written."""
    at = 0
    for line in lines:
        words = "".join(run.words for run in line).strip()
        start = text.find(words.rstrip("-"), at) if words else -1
        if start < 0:
            continue
        at = start + len(words)
        yield words, line, place_within(card, key, start, at)


def _box(items: SequenceOf[Item], size: Size, view: SetView) -> list[float]:
    """Return the box of a part in shares of the card's width and height, large enough to be hit."""
    boxes = [of_item(item) for item in items]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    box = Rect(left, top, right - left, bottom - top)
    box = box.outset(max(0.0, (_MIN_SIDE - min(box.width, box.height)) / 2)).shared(size.rect)
    card = view.set.sheet.card_size if view.set else size
    scale = scale_to_fit(size, card)
    x = (card.width - size.width * scale) / 2 + box.x * scale
    y = (card.height - size.height * scale) / 2 + box.y * scale
    shares = (x / card.width, y / card.height, box.width * scale / card.width, box.height * scale / card.height)
    return [round(share, 4) for share in shares]


def _picture_key(card: GameCard, part: FacePart) -> str:
    """Return the key of the card that names the picture that a part shows; "" for a picture of the template."""
    shown = {item.file for item in walk(part.items) if isinstance(item, Picture)}
    found = (key.removesuffix(".file") for key, picture in card.pictures.items() if picture.file in shown)
    return next(found, "")
