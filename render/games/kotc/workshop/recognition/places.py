"""Where the card lies in a picture, which of the game's frames it has, and where its texts are.

The grey frame is cut out on a grid of known dots per inch; the symbols tell the frame; places, and what a card looks
like without texts, come from the templates themselves.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import floor
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import cached
from render.base.geometry import MM_PER_INCH, Rect, Size
from render.base.resources import TEMPLATES
from render.games.kotc.card_values import template_values
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.cards import Card, CardSet, Kind, indicator
from render.games.kotc.workshop.recognition.line_reading import InkSheet
from render.images.inspect import Artwork
from render.layout import text_element
from render.layout.lay_out import lay_out
from render.layout.style import Style, inherit
from render.layout.templates.rendering import fill_in
from render.layout.templates.template import Templates
from render.png.canvas import Canvas
from render.png.packing import encode
from render.png.paint import paint
from render.scene.items import Picture, Scene, TextRun
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes
from render.text.box_lines import TextBox
from render.text.fitting import TextLine

NEW, OLD = 17, 11  # eras whose templates differ: HP stands on its corner, or is a square
_COARSE_DPI = 75.0
_BELOW_ART = 46.6  # mm
_BAND = 34.0  # mm: where the band of a tip with a picture begins
_BOX_OF_TEXT = (49.6, 67.9, 6.8, 56.7)  # mm: its top and bottom, left and right edges
_EITHER = (False, True)
_MAX_DIFFERENCE = 9.0  # of 255: what a card of the frame differs from it without its texts, on average
_COLORED = 40  # of 255, between the largest and the smallest of red, green and blue: the symbols of a frame
_MAX_PALER = 17.0  # of 255 by which symbols differ in lightness: half of what green differs by from white
_LIGHTNESS = np.array([0.299, 0.587, 0.114], np.float32)


def frame_of(card: SeenCard) -> Frame:
    """Return the frame that is most like the card; NoCard if none is."""
    spells = [Frame(kind=Kind.SPELL, edition=NEW, padlock=lock, gem=gem) for lock, gem in product(_EITHER, repeat=2)]
    minions = [replace(each, kind=Kind.MINION, edition=era) for each in spells for era in (NEW, OLD)]
    pawns = [replace(each, kind=Kind.PAWN, lines=True) for each in minions if not each.padlock]
    tips = [
        Frame(kind=Kind.TIP, edition=NEW, pictured=pictured, flavored=flavored)
        for pictured, flavored in product(_EITHER, repeat=2)
    ]
    best = _most_alike(card, [*spells, *minions, *pawns, *tips], _BELOW_ART)
    if best.kind is Kind.TIP:
        best = _most_alike(card, tips, _BAND)
    sheet = sheet_of(card, best)
    top, bottom, left, right = (round(each * sheet.scale) for each in _BOX_OF_TEXT)
    if best.lines and (sheet.ink[top:bottom, left:right] > 0.5).sum() > sheet.scale:
        # Words over the whole box are no lines to write on.
        best = replace(best, kind=Kind.MINION, lines=False)
        sheet = sheet_of(card, best)
    below = round(_BELOW_ART * card.scale)
    drawn, seen = np.asarray(background(best, card.dpi), np.float32)[below:], card.colors[below:]
    bare = sheet.ink[below:] < 0.3
    differs = float(np.abs(seen - drawn)[bare].mean()) if bare.any() else np.inf
    # Most of the frame's symbols are at their places, be they grey; upside down, none is.
    symbols = drawn.max(axis=2) - drawn.min(axis=2) > _COLORED
    paler = float(np.median(np.abs((seen - drawn)[symbols] @ _LIGHTNESS))) if symbols.any() else 0.0
    if differs > _MAX_DIFFERENCE or paler >= _MAX_PALER:
        raise NoCard("the symbols of the game's cards were not found in it")
    return best


def _most_alike(card: SeenCard, frames: Iterable[Frame], below: float) -> Frame:
    """Return the frame that differs least below so many mm; the texts of the card count the same for all."""
    top = round(below * _COARSE_DPI / MM_PER_INCH)
    drawn = {frame: np.asarray(background(frame, _COARSE_DPI), np.float32) for frame in frames}
    height, width, _ = next(iter(drawn.values())).shape
    image = Image.fromarray(card.colors.astype(np.uint8)).resize((width, height), Image.Resampling.BOX)
    seen = np.asarray(image, np.float32)
    return min(drawn, key=lambda frame: float(np.abs(seen[top:] - drawn[frame][top:]).mean()))


def sheet_of(card: SeenCard, frame: Frame) -> InkSheet:
    """Return the ink of a card's texts: what its frame does not show."""
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    lightness, seen = drawn @ _LIGHTNESS, card.colors @ _LIGHTNESS
    ink = (lightness - seen) / np.maximum(lightness, 1.0)
    return InkSheet(ink.astype(np.float32), card.colors[:, :, 0] - card.colors[:, :, 2], card.scale)


# --- the picture ------------------------------------------------------------------------------------------------------

_ART = Rect(3.175, 10.795, 57.15, 35.56)  # mm (templates/kotc/frame.svg), and that of tips
_ART_OF_TIP = Rect(3.175, 10.795, 57.15, 23.0)
_PLACEHOLDER = 4.0  # of 255: what a JPEG of the placeholder differs from it, on average


def picture_of(card: SeenCard, frame: Frame) -> bytes:
    """Return what stands in the box for the picture, as a PNG; nothing if that is the placeholder, or white."""
    if frame.kind is Kind.TIP and not frame.pictured:
        return b""
    box = _ART_OF_TIP if frame.kind is Kind.TIP else _ART
    # Whole pixels that the box covers, or nearly so; the frame's line hides half of the outermost.
    left, top = (floor(each * card.scale + 0.5) for each in (box.x, box.y))
    right, bottom = (floor(each * card.scale + 0.5) for each in (box.right, box.bottom))
    seen = card.colors[top:bottom, left:right]
    drawn = np.asarray(background(frame, card.dpi), np.float32)[top:bottom, left:right]
    if np.abs(seen - drawn).mean() < _PLACEHOLDER or (255 - seen).mean() < _PLACEHOLDER / 4:
        return b""
    return encode(Image.fromarray(seen.clip(0, 255).astype(np.uint8)), card.dpi)


# --- registration -----------------------------------------------------------------------------------------------------


Grid = NDArray[np.float32]

TRIM = Size(63.5, 88.9)  # mm, as all templates of the game
# The middle of the frame's line (templates/kotc/frame.svg).
_LEFT, _TOP, _RIGHT, _BOTTOM = 3.188, 3.188, 60.313, 85.713
_LINE = 0.282  # mm
_GREYS = 80, 176  # of 255: the line is 128; a resampled one is lighter at its edges
_COLORLESS = 24  # of 255, between the largest and the smallest of red, green and blue
_SHARE = 0.25  # of a picture's width that the card has at least
_STRETCH = 0.02  # a picture may be stretched by so much
MIN_DPI, _MAX_DPI = 180.0, 440.0  # below, credit lines are 7 px high; above, more pixels tell nothing more
_MIN_SIDE = 200  # px
_SNAP = 0.12  # px that a frame may lie off the place of a card that was never resampled


class SeenCard(Struct, frozen=True, eq=False):
    """A card cut out at its trim, at `dpi`: `colors` (row, column, channel) from 0 to 255.

    `exact` says that its pixels are those of the picture, not resampled.
    """

    colors: Grid
    dpi: float
    exact: bool

    @property
    def scale(self) -> float:
        """The pixels in a mm."""
        return self.dpi / MM_PER_INCH


class NoCard(ValueError):
    """The picture shows no card of the game's frame; the message says what was looked for."""


def cut_out(picture: Image.Image) -> SeenCard:
    """Return the card that a picture shows upright, alone or with white or bleed around it; NoCard if it shows none."""
    colors = np.asarray(picture.convert("RGB"))
    left, top, right, bottom = _frame(colors)
    across = (right - left) / (_RIGHT - _LEFT)
    down = (bottom - top) / (_BOTTOM - _TOP)
    if abs(across / down - 1) > _STRETCH:
        raise NoCard("the frame is not as high and wide as that of the game's cards")
    if min(across, down) * MM_PER_INCH < MIN_DPI:
        raise NoCard(f"its text is too small to read: the card has {down * MM_PER_INCH:.0f} dpi")
    origin = left - _LEFT * across, top - _TOP * down
    return _unchanged(colors, origin, (across + down) / 2) or _resampled(picture, origin, (across, down))


def _unchanged(colors: NDArray[np.uint8], origin: tuple[float, float], scale: float) -> SeenCard | None:
    """Return the card if it lies on whole pixels at whole dots per inch, as programs export it."""
    dpi = float(round(scale * MM_PER_INCH))
    width, height = (round(side * dpi / MM_PER_INCH) for side in (TRIM.width, TRIM.height))
    left, top = (round(start) for start in origin)
    off = max(abs(left - origin[0]), abs(top - origin[1]), abs(dpi / MM_PER_INCH - scale) * (_BOTTOM - _TOP))
    inside = left >= 0 and top >= 0 and left + width <= colors.shape[1] and top + height <= colors.shape[0]
    if off > _SNAP * 2 or not inside or dpi > _MAX_DPI:
        return None
    return SeenCard(colors[top : top + height, left : left + width].astype(np.float32), dpi, True)


def _resampled(picture: Image.Image, origin: tuple[float, float], scale: tuple[float, float]) -> SeenCard:
    dpi = float(min(round(sum(scale) / 2 * MM_PER_INCH), _MAX_DPI))
    size = round(TRIM.width * dpi / MM_PER_INCH), round(TRIM.height * dpi / MM_PER_INCH)
    wide, high = TRIM.width * scale[0], TRIM.height * scale[1]
    edge = round(max(wide, high) * 0.06)  # a card may be cut at its frame
    canvas = Image.new("RGB", (picture.width + 2 * edge, picture.height + 2 * edge), "white")
    canvas.paste(picture, (edge, edge))
    x, y = max(origin[0] + edge, 0.0), max(origin[1] + edge, 0.0)
    box = (x, y, min(x + wide, canvas.width), min(y + high, canvas.height))
    return SeenCard(np.asarray(canvas.resize(size, Image.Resampling.LANCZOS, box), np.float32), dpi, False)


def _frame(colors: NDArray[np.uint8]) -> tuple[float, float, float, float]:
    """Return the middles of the frame's lines in px: left, top, right and bottom."""
    dark, light = colors.max(axis=2), colors.min(axis=2)
    grey = (dark - light <= _COLORLESS) & (dark >= _GREYS[0]) & (dark <= _GREYS[1])
    rows, columns = _lines(grey, axis=1), _lines(grey, axis=0)
    left, top, right, bottom = columns[0], rows[0], columns[-1], rows[-1]
    if min(right - left, bottom - top) < _MIN_SIDE:
        raise NoCard("the grey frame of the game's cards was not found in it")
    luma = 255.0 - colors.mean(axis=2)
    reach = max((right - left) * 0.008, 3.0)
    # Beside the name, both sides of the frame are white; above and below it is white everywhere.
    span = bottom - top
    beside = slice(round(top + 0.02 * span), round(top + 0.08 * span))
    between = slice(round(left + 0.05 * (right - left)), round(right - 0.05 * (right - left)))
    return (
        _middle(luma[beside].mean(axis=0), left, reach),
        _middle(luma[:, between].mean(axis=1), top, reach),
        _middle(luma[beside].mean(axis=0), right, reach),
        _middle(luma[:, between].mean(axis=1), bottom, reach),
    )


def _lines(grey: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Return the rows (axis 1) or columns in which a line of the frame may lie."""
    counts = grey.sum(axis=axis)
    found = np.flatnonzero(counts > max(_SHARE * grey.shape[axis], 0.6 * counts.max()))
    if len(found) < 2 or found[-1] - found[0] < _SHARE * grey.shape[1 - axis]:
        raise NoCard("the grey frame of the game's cards was not found in it")
    return found


def _middle(profile: Grid, near: float, reach: float) -> float:
    """Return the middle of a dark line near a place of a profile."""
    begin, end = max(round(near - reach), 0), min(round(near + reach) + 1, len(profile))
    weights = profile[begin:end] - profile[begin:end].min()
    if weights.sum() <= 0:
        raise NoCard("the grey frame of the game's cards was not found in it")
    return float((weights * (np.arange(begin, end) + 0.5)).sum() / weights.sum())


# --- places of texts --------------------------------------------------------------------------------------------------


NUMBERS = ("level", "sp", "hp", "ultra_points")


class Frame(Struct, frozen=True, kw_only=True):
    """A look of a card without its texts.

    `edition` is the era by which the template draws it, `gem` says that it has Ultra Points, `lines` that its box has
    lines to write on, `pictured` and `flavored` that a tip has a picture and a flavor, which make its box smaller.
    """

    kind: Kind
    edition: int
    padlock: bool = False
    gem: bool = False
    lines: bool = False
    pictured: bool = False
    flavored: bool = True


class Place(Struct, frozen=True):
    """The room of a text, in mm, and the face that it is set in."""

    room: TextBox | TextLine
    face: str


@cached(1)
def _templates() -> Templates:
    return Templates([], [TEMPLATES / "kotc", TEMPLATES])


@cached(64)
def places(frame: Frame) -> Mapping[str, Place]:
    """Return the places of a frame's texts by key: `name`, `credit`, `text`, `edition`, `flavor` and the numbers."""
    return dict(_places(fill_in(_templates().get(frame.kind.value), {"card": card_values(frame)}).root, Style()))


def _places(element: ET.Element, look: Style) -> Iterator[tuple[str, Place]]:
    for child in element:
        attributes = tuple(child.attrib.items())
        own = inherit(look, attributes)
        if child.tag.endswith("text"):
            words = "".join(child.itertext()).strip()
            key = "edition" if words.endswith(_EDITION) else child.get("id", "")
            yield key, Place(text_element.room(attributes, own), own.face())
        else:
            yield from _places(child, own)


_EDITION = indicator(17)[4:]


def card_values(frame: Frame, **given: object) -> dict[str, object]:
    """Return what the template of a frame sees, with words in every place that no value is given for."""
    values = template_values(_some_card(frame), CardSet(folder=Path(), name=""), None)
    values |= {
        "edition_indicator": indicator(frame.edition),
        "ultra_points": int(frame.gem),
        "paragraphs": [] if frame.lines else [[{"text": "x", "red": False, "italic": False}]],
        "padlock": frame.padlock,
        "art": _SOME_PICTURE if frame.pictured else None,
    }
    return values | given


def _some_card(frame: Frame) -> Card:
    nodes = Nodes((), 0, 0)  # it stands in no file, and nothing is said of a place of it
    return Card(
        id="x",
        name="x",
        kind=frame.kind,
        edition=frame.edition,
        era=frame.edition,
        grammar=usual_grammar(frame.edition),
        level=0,
        ultra_points=0,
        sp=0,
        hp=0,
        text="",
        flavor="x" if frame.flavored else "",
        art=None,
        credit="x",
        back="",
        copies=1,
        document=Document(Path(), "", nodes),
        node=nodes,
    )


@cached(48)
def background(frame: Frame, dpi: float) -> Image.Image:
    """Return a card at that many dots per inch without any of its texts, with the placeholder for its picture."""
    scene = scene_of(frame)
    items = tuple(item for item in scene.items if not isinstance(item, TextRun | Picture))
    return paint(Scene(scene.size, items), Canvas(dpi))


def scene_of(frame: Frame, **given: object) -> Scene:
    """Return the card of a frame with the texts and numbers that are given; Refused if they do not fit."""
    return lay_out(_templates().get(frame.kind.value), {"card": card_values(frame, **given)}, _some_picture)


# A picture as large as its box, for templates that make room for one; it is never drawn.
_SOME_PICTURE = {
    "href": "art",
    "width": 5715,
    "height": 2300,
    "author": "",
    "license": "",
    "corner": "top-left",
    "color": "white",
    "fit": "contain",
}


def _some_picture(_: str) -> Artwork:
    return Artwork(file=Path("art"), digest="", width=5715, height=2300)
