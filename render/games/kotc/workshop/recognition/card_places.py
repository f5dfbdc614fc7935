"""Where a card of the game has its texts, and what it looks like without them: both from the templates themselves."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from render.base.caches import cached
from render.base.resources import TEMPLATES
from render.games.kotc.drawing.card_values import template_values
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.cards import Card, CardSet, Kind, indicator
from render.images.inspect import Artwork
from render.layout import text_element
from render.layout.lay_out import lay_out
from render.layout.style import Style, inherit
from render.layout.templates.rendering import fill_in
from render.layout.templates.template import Templates
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Picture, Scene, TextRun
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes
from render.text.fitting import TextBox, TextLine

NUMBERS = ("level", "sp", "hp", "ultra_points")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
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


@dataclass(frozen=True, slots=True)
class Place:
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
