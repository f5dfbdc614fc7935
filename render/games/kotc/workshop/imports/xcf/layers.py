"""What the layers of the game's GIMP files are for, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from render.games.kotc.model.cards import Kind
from render.images.xcf.model import NORMAL, PASS_THROUGH, Extent, XcfImage, XcfLayer
from render.images.xcf.text_layers import PARASITE

# The names of layers in the authors' files, in lower case, and other names for the same.
_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("name", "card name", "title"), "name"),
    **dict.fromkeys(("effect text", "ability text", "effect", "abilities", "text"), "text"),
    **dict.fromkeys(("flavor text", "flavour text", "flavor", "flavour"), "flavor"),
    **dict.fromkeys(("edition indicator", "edition"), "edition"),
    **dict.fromkeys(("offense", "sp"), "sp"),
    **dict.fromkeys(("defense", "hp"), "hp"),
    **dict.fromkeys(("cost", "resource cost", "level"), "level"),
    **dict.fromkeys(("ultra points", "ultra point"), "ultra_points"),
    **dict.fromkeys(("card license", "card licence", "card credit", "credit"), "credit"),
    **dict.fromkeys(("image author", "image artist", "artist", "author"), "author"),
    **dict.fromkeys(("image license", "image licence", "license", "licence"), "license"),
    **dict.fromkeys(("image author and license", "image author and licence", "image credit"), "author and license"),
    **dict.fromkeys(("image", "picture", "art", "artwork", "illustration"), "picture"),
    **dict.fromkeys(("play restriction", "padlock", "lock"), "padlock"),
    "background": "background",
}
_TEMPLATE = re.compile(r"(?P<kind>creature|minion|spell|pawn|tip)(?: card)? template")
_COPY = re.compile(r"(?: copy)?(?: ?#\d+)?\Z")  # what GIMP adds to the names of copies


BOXES: Mapping[str, tuple[int, int, int]] = {
    "name": (80, 80, 840),
    "credit": (50, 740, 900),
    "text": (110, 780, 780),
    "edition": (100, 1090, 800),
    "sp": (70, 1120, 160),
    "level": (420, 1120, 160),
    "hp": (770, 1120, 160),
    "flavor": (70, 1259, 860),
}
"""Left and top edges and widths of the boxes of the template's texts, in pixels of a card that is 1000 wide."""


@dataclass(frozen=True, slots=True)
class KnownLayers:
    """The visible layers of a card by what they are for, the kinds of its visible templates, and all other layers."""

    by_use: Mapping[str, tuple[XcfLayer, ...]]
    templates: Mapping[Kind, XcfLayer]
    unknown: tuple[XcfLayer, ...]


def known_layers(image: XcfImage) -> KnownLayers:
    """Sort the visible layers of an image by their names; what lies in a known group belongs to the group."""
    by_use: dict[str, tuple[XcfLayer, ...]] = {}
    templates: dict[Kind, XcfLayer] = {}
    unknown: list[XcfLayer] = []
    for layer in _seen(image):
        name = _COPY.sub("", layer.name.strip().lower())
        template = _TEMPLATE.fullmatch(name)
        if template:
            templates[Kind(template["kind"])] = layer
        elif use := _NAMES.get(name, ""):
            by_use[use] = (*by_use.get(use, ()), layer)
        elif not layer.group:
            unknown.append(layer)
    return KnownLayers(by_use, templates, tuple(unknown))


def _seen(image: XcfImage) -> Iterator[XcfLayer]:
    """Yield the visible layers from top to bottom, without those in groups that have a use of their own."""
    for layer in image.layers:
        around = [each.name.strip().lower() for each in image.around(layer)]
        if image.seen(layer) and not any(name in _NAMES or _TEMPLATE.fullmatch(name) for name in around):
            yield layer


# --- texts whose layers have other names ------------------------------------------------------------------------------

_NEAR = 12  # px of such a card: boxes of two texts are further from each other


def with_the_texts(known: KnownLayers, card: Extent) -> tuple[KnownLayers, tuple[XcfLayer, ...]]:
    """Return the layers with text layers of unknown names that stand where a text is missing, and these by themselves.

    GIMP calls a text layer by its words until somebody gives it a name.
    """
    found: dict[str, XcfLayer] = {}
    for use, box in BOXES.items():
        there = [each for each in known.unknown if PARASITE in each.parasites and _stands_at(each.extent, box, card)]
        if use not in known.by_use and len(there) == 1:
            found[use] = there[0]
    rest = tuple(layer for layer in known.unknown if layer not in found.values())
    by_use = {**known.by_use, **{use: (layer,) for use, layer in found.items()}}
    return KnownLayers(by_use, known.templates, rest), tuple(found.values())


def _stands_at(box: Extent, wanted: tuple[int, int, int], card: Extent) -> bool:
    scale = card.width / 1000
    places = ((box.x - card.x) / scale, (box.y - card.y) / scale, box.width / scale)
    return all(abs(here - there) <= _NEAR for here, there in zip(places, wanted, strict=True))


# --- what belongs to the picture --------------------------------------------------------------------------------------

_OFF = 2  # px by which a layer upon the picture may reach beyond it
_MUCH = 0.25  # of the box for the picture: a layer without a known name that covers more of it is the picture


def with_the_picture(image: XcfImage, known: KnownLayers, frame: Extent) -> tuple[KnownLayers, tuple[XcfLayer, ...]]:
    """Return the layers with those of unknown names that are seen in the picture's box, and these by themselves.

    They are those that lie wholly in the box: names and signs upon the picture. If no layer is called the picture, a
    layer that covers much of the box is it.
    """
    named = known.by_use.get("picture", ())
    found = tuple(
        layer
        for layer in known.unknown
        if _is_simple(image, layer)
        and (_lies_in(layer.extent, frame) or (not named and PARASITE not in layer.parasites and _fills(layer, frame)))
    )
    offsets = {layer.offset for layer in (*named, *found)}
    picture = tuple(layer for layer in image.layers if layer.offset in offsets)
    rest = tuple(layer for layer in known.unknown if layer not in found)
    by_use = {**known.by_use, "picture": picture} if picture else known.by_use
    return KnownLayers(by_use, known.templates, rest), found


def _is_simple(image: XcfImage, layer: XcfLayer) -> bool:
    """Return whether a layer is seen as if it were in no group."""
    return not layer.floating and all(
        group.opacity == 1 and not group.mask and group.mode in (*NORMAL, PASS_THROUGH) for group in image.around(layer)
    )


def _lies_in(box: Extent, frame: Extent) -> bool:
    around = Extent(frame.x - _OFF, frame.y - _OFF, frame.width + 2 * _OFF, frame.height + 2 * _OFF)
    return box.common(around) == box


def _fills(layer: XcfLayer, frame: Extent) -> bool:
    common = layer.extent.common(frame)
    return common.width * common.height > _MUCH * frame.width * frame.height
