"""What the page tells of one card: how its level follows, and which part of the picture stands where in its file."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from itertools import groupby
from typing import TypeAlias
from urllib.parse import quote

from render.base.findings import Refused, Span, did_you_mean, listed
from render.base.geometry import Rect, Size
from render.game.cards import GameCard, is_given, key_of_face, place_of_key, place_within, size_of, value_of_key
from render.game.faces import CardFaces
from render.game.registry import game_of
from render.layout.bounds import of_item
from render.layout.lay_out import FacePart
from render.preview.set_view import LaidCard, SetView
from render.scene.items import Item, Picture, TextRun, scale_to_fit, walk
from render.source.nodes import Scalar, Sequence

Json: TypeAlias = Mapping[str, object]
"""An object of JSON."""

_MIN_SIDE = 1.2  # mm: a smaller part could not be hit with a finger


def card_details(laid: LaidCard, view: SetView, faces: CardFaces, editor: str) -> Json:
    """Return the details of a card for the page."""
    card, game = laid.card, game_of(laid.card)
    derivation = game.derivation(card, view.set) if view.set else None
    steps: list[Json] = []
    for step in derivation.steps if derivation else ():
        words = {"words": step.words, "amount": step.amount, "role": step.role, "note": step.note, "extra": step.extra}
        place = None
        if step.key:
            span = place_within(card, step.key, *step.place) if step.place else place_of_key(card, step.key)
            place = place_in_file(span, view, editor)
        steps.append({**words, "place": place})
    derived = derivation and {"result": derivation.result, "summary": derivation.summary, "steps": steps}
    return {
        "description": game.description(card),
        "place": place_in_file(card.document.span(card.node), view, editor),
        "derivation": derived,
        "parts": [*_parts(card, faces, view, editor)] if view.set and not laid.stale else [],
    }


def place_in_file(span: Span, view: SetView, editor: str) -> Json:
    """Return a place for the page."""
    return {
        "file": view.name_of(span.file),
        "line": span.line,
        "column": span.column,
        "link": editor_link(editor, span),
        **({"cell": str(span.cell)} if span.cell else {}),
    }


# --- parts of the picture ---------------------------------------------------------------------------------------------


def _parts(card: GameCard, faces: CardFaces, view: SetView, editor: str) -> Iterator[Json]:
    """Yield the parts of a card's own sides that stand in its file, with their boxes in shares of the card.

    `side` is 0 on the front and 1 on a back that is the card's own.
    """
    for side in range(len(card.own_templates)):
        try:
            size, parts = faces.parts(card, side)
            card_size = size_of(card, view.set.sheet.card_size) if view.set else size
        except Refused:  # a picture changed meanwhile
            continue
        before: Counter[str] = Counter()  # parts with the same id: a small card each
        for part in parts:
            key = _key_on(card, part, side, before[part.id])
            before[part.id] += 1
            for label, items, span in _places(card, key, part) if key else ():
                place = place_in_file(span, view, editor)
                yield {"key": key, "label": label, "box": _box(items, size, card_size), "place": place, "side": side}


def _key_on(card: GameCard, part: FacePart, side: int, before: int) -> str:
    """Return the key of the card whose value a part shows; "" if that does not stand in the file.

    `before` counts the parts with its id that came before it: on a front with several small cards, the first is that of
    the first small card that gives the key.
    """
    key = part.id
    if not key:  # it may be a picture of the card
        shown = {item.file for item in walk(part.items) if isinstance(item, Picture)}
        key = next((key.removesuffix(".file") for key, art in card.pictures.items() if art.file in shown), "")
    if not key or is_given(card, key.partition(".")[0]):
        return key
    small = card.node.get("faces")
    numbers = range(len(small.items) if isinstance(small, Sequence) else 0)
    given = [each for number in numbers if is_given(card, each := key_of_face(number, key))]
    if card.has_own_back:
        return key_of_face(side, key) if key_of_face(side, key) in given else ""
    return given[before] if before < len(given) else ""


Placed: TypeAlias = tuple[str, SequenceOf[Item], Span]
"""The words of a part, what it drew, and where it stands."""


def _places(card: GameCard, key: str, part: FacePart) -> Iterator[Placed]:
    """Yield a text line by line if its lines are found in the file, else the part as a whole."""
    value = value_of_key(card, key)
    text, end, is_found = value.value if isinstance(value, Scalar) else "", 0, False
    runs = [item for item in part.items if isinstance(item, TextRun)]
    lines = [tuple(line) for _, line in groupby(runs, key=_depth)]
    for line in lines if text and len(lines) > 1 else ():
        words = _words(line)
        start = text.find(words.rstrip("-"), end) if words else -1
        if start >= 0:
            end, is_found = start + len(words), True
            yield words, line, place_within(card, key, start, end)
    if not is_found:
        yield _words(runs), part.items, place_of_key(card, key)


def _depth(run: TextRun) -> float:
    """Return how far below the corner of the card its line stands, whichever way the text runs (mm)."""
    along = run.transform
    return round((along.a * along.f - along.b * along.e) / math.hypot(along.a, along.b), 3)


def _words(runs: SequenceOf[TextRun]) -> str:
    return "".join(run.words for run in runs).strip()


def _box(items: SequenceOf[Item], size: Size, card: Size) -> list[float]:
    """Return the box of a part in shares of the card's width and height, large enough to be hit."""
    boxes = [of_item(item) for item in items]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    box = Rect(left, top, right - left, bottom - top)
    box = box.outset(max(0.0, (_MIN_SIDE - min(box.width, box.height)) / 2)).shared(size.rect)
    scale = scale_to_fit(size, card)
    x = (card.width - size.width * scale) / 2 + box.x * scale
    y = (card.height - size.height * scale) / 2 + box.y * scale
    shares = (x / card.width, y / card.height, box.width * scale / card.width, box.height * scale / card.height)
    return [round(share, 4) for share in shares]


# --- links that open a line in an editor ------------------------------------------------------------------------------

EDITORS: Mapping[str, str] = {
    "cursor": "cursor://file/{file}:{line}:{column}",
    "idea": "idea://open?file={file}&line={line}&column={column}",
    "sublime": "subl://open?url=file:///{file}&line={line}&column={column}",
    "textmate": "txmt://open?url=file:///{file}&line={line}&column={column}",
    "vscode": "vscode://file/{file}:{line}:{column}",
    "vscodium": "vscodium://file/{file}:{line}:{column}",
    "windsurf": "windsurf://file/{file}:{line}:{column}",
    "zed": "zed://file/{file}:{line}:{column}",
}
"""The addresses that editors answer to, by the names of the editors."""

# Addresses that a browser would run, or show in place of the page.
_NO_EDITORS = ("javascript", "data", "blob", "vbscript", "about", "file")


def read_editor(words: str) -> str:
    """Return the address for an editor's name, or the address itself; ValueError says what is wrong with it."""
    if words in EDITORS:
        return EDITORS[words]
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", words)
    if scheme is None:
        hint = did_you_mean(words, EDITORS) or "or an address such as `vscode://file/{file}:{line}:{column}`"
        raise ValueError(f"expected {listed([*EDITORS])}: {hint}")
    if scheme[1].lower() in _NO_EDITORS:
        raise ValueError(f"`{scheme[1]}:` opens no editor")
    if "{file}" not in words:
        raise ValueError("the address has no `{file}`")
    unknown = sorted(set(re.findall(r"\{([^{}]*)\}", words)) - {"file", "line", "column"})
    if unknown:
        raise ValueError(f"the address has {listed(unknown)} in braces, and only file, line and column are known")
    return words


def editor_link(address: str, place: Span) -> str:
    """Return the address of a place in an editor; "" without an editor."""
    # By its bytes: a name need not be words in UTF-8.
    file = quote(os.fsencode(place.file.absolute().as_posix()), safe="/:")
    values = {"file": file.lstrip("/") if "/{file}" in address else file}
    values |= {"line": str(place.line), "column": str(place.column)}
    return re.sub(r"\{(file|line|column)\}", lambda match: values[match[1]], address)
