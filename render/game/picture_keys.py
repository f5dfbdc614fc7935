"""How a card's picture lies in the box of its template: the keys below `art`, and below a field that is a picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from render.base.geometry import Rect
from render.game.card_reading import CARD_KEYS, PICTURE, Surroundings, read_picture_file
from render.game.cards import CardPicture
from render.images.inspect import ZOOMS, Framing, Scaling
from render.images.tones import read_tone
from render.scene.items import GREY
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable, Value
from render.source.nodes import Mapping as Nodes
from render.source.nodes import Scalar, Sequence
from render.source.shapes import Shape

_FITS = {"cover": Scaling.SLICE, "contain": Scaling.MEET, "stretch": Scaling.STRETCH}
_NO_NUMBER = float("nan")


def _numbers(fields: Fields, key: str) -> list[float]:
    """Return the numbers of a list, or of a text such as `0.3 0.5` or `30%, 50%`; no number for what is none."""
    node = fields.values[key]
    items = (
        [each.value if isinstance(each, Scalar) else "" for each in node.items] if isinstance(node, Sequence) else []
    )
    if isinstance(node, Scalar):
        items = node.value.replace(",", " ").split()
    return [_number(each.strip()) for each in items]


def _number(text: str) -> float:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return _NO_NUMBER


def _focus(fields: Fields, key: str, _: object) -> tuple[float, float] | None:
    found = _numbers(fields, key)
    if len(found) == 2 and all(0 <= each <= 1 for each in found):
        return found[0], found[1]
    fields.expected(key, "two shares of its width and height from 0 to 1", f"write for example `{key}: [0.3, 0.5]`")
    return None


def _crop(fields: Fields, key: str, _: object) -> Rect | None:
    found = _numbers(fields, key)
    if len(found) == 4 and all(0 <= each <= 1 for each in found):
        box = Rect(*found)
        if min(box.width, box.height) > 0 and max(box.right, box.bottom) <= 1:
            return box
    wanted = "left, top, width and height of a part, in shares of the picture from 0 to 1"
    fields.expected(key, wanted, f"write for example `{key}: [0.1, 0, 0.8, 1]`")
    return None


def _bounded(fields: Fields, key: str, least: float, most: float, unit: str, example: str) -> float | None:
    found = _numbers(fields, key)
    if len(found) == 1 and least <= found[0] <= most:
        return found[0]
    fields.expected(key, f"{unit} from {least:g} to {most:g}", f"write for example `{key}: {example}`")
    return None


def _tone(fields: Fields, key: str, _: object) -> str:
    try:
        return read_tone(word) if (word := fields.words(key)) else ""
    except ValueError as error:
        fields.expected(key, str(error), f"write `{key}: {GREY}`, or `{key}: '#7a3b1e'`")
        return ""


_SHARE: Shape = {"type": "number", "minimum": 0, "maximum": 1}
_FRAMING = KeyTable(
    Key(
        "focus",
        Value(shapes.either(shapes.WORD, {**shapes.listing(_SHARE, 2), "maxItems": 2}), _focus),
        "the point of the picture that stays in sight, and in the middle if it can",
        "shares of its width and height, such as `[0.3, 0.5]`",
        "as the template has it",
    ),
    Key(
        "zoom",
        Value(
            {"type": ["number", "string"], "minimum": 1, "maximum": ZOOMS[1]},
            lambda fields, key, _: _bounded(fields, key, *ZOOMS, "a factor", "1.5"),
        ),
        "how much larger it is shown; the rest is cut off",
        f"1 to {ZOOMS[1]:g}",
        "`1`",
        default=None,
    ),
    Key(
        "crop",
        Value(shapes.either(shapes.WORD, {**shapes.listing(_SHARE, 4), "maxItems": 4}), _crop),
        "the part that is used at all: left, top, width and height",
        "shares, such as `[0.1, 0, 0.8, 1]`",
        "all of it",
    ),
    Key(
        "turn",
        Value(
            {"type": ["number", "string"], "minimum": -360, "maximum": 360},
            lambda fields, key, _: _bounded(fields, key, -360, 360, "degrees", "90"),
        ),
        "by how many degrees it is turned, clockwise",
        "-360 to 360",
        "`0`",
        default=None,
    ),
    Key(
        "tone",
        Value(shapes.WORD, _tone),
        "`grey` takes its colors away; with a color, white stays white and black becomes that color: take a dark one",
        "`grey`, a color such as `'#7a3b1e'`",
        "its colors",
        default="",
    ),
)
"""How the picture of a card of any game is framed."""


_ALT = Key(
    "alt",
    LINE,
    "what it shows, in words for who cannot see it: [tagged PDFs](../access.md#read-out) have it",
    "text in one line",
    "the name of the card",
    default="",
)


def framing_keys() -> tuple[Key, ...]:
    """Return the keys of framing and of what a picture shows, for the table of a game's own pictures."""
    return _ALT, *_FRAMING.keys


def framed(given: Mapping[str, Any], scaling: Scaling | None = None) -> tuple[Framing, dict[str, Any]]:
    """Return the framing of what such a table read, and the rest of it."""
    rest = {name: value for name, value in given.items() if name not in _FRAMING.names}
    own = {name: given[name] for name in _FRAMING.names if given[name] is not None}
    return Framing(scaling=scaling, **own), rest


_KEYS = KeyTable(
    Key(
        "file",
        Value(PICTURE, lambda fields, key, _: fields.words(key)),
        "a JPEG, PNG, WebP, AVIF or SVG",
        "path from the set's folder, with `/`",
        needed=True,
        default="",
    ),
    Key(
        "author",
        LINE,
        "who made the picture: `{{ card.art.author }}` in a template",
        "text in one line",
        "none",
        default="",
    ),
    Key("license", LINE, "its license: `{{ card.art.license }}`", "text in one line", "none", default=""),
    Key(
        "fit",
        Value(shapes.word(_FITS), lambda fields, key, _: _FITS.get(fields.word(key, tuple(_FITS), ""))),
        "`cover` fills the box and cuts off the rest, `contain` shows all of it, `stretch` distorts it",
        "`cover`, `contain`, `stretch`",
        "as the template has it",
    ),
    *framing_keys(),
)
PICTURE_KEYS = _KEYS
"""The keys of a picture in games in YAML."""

PICTURE_SHAPE: Shape = shapes.either(PICTURE, PICTURE_KEYS.shape)


def _misplaced(above: str, key: str) -> tuple[str, str, str] | None:
    if key not in CARD_KEYS.names:
        return None
    return f"`{key}` is a key of the card, and stands below `{above}`", f"begin it exactly below `{above}`", ""


def read_picture(fields: Fields, key: str, around: Surroundings) -> CardPicture | None:
    """Return a picture, given by its path or by keys; None without one, or if it cannot be in the set, which is noted."""
    node = fields.values[key]
    inner = fields.inner(key) if isinstance(node, Nodes) and node.get("file") is not None else None
    if inner is None:  # of keys without `file`, it says what may be meant
        name = fields.path_of_picture(key)
        file = read_picture_file(fields, key, name, around.home) if name else None
        return CardPicture(name, file) if file else None
    given = PICTURE_KEYS.read(inner, misplaced=partial(_misplaced, key))
    name = given.pop("file")
    file = read_picture_file(inner, "file", name, around.home) if name else None
    framing, rest = framed(given, given.pop("fit"))
    return CardPicture(name, file, framing, **rest) if file else None
