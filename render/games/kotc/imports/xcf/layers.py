"""What the layers of the game's GIMP files are for, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from render.games.kotc.model.cards import Kind
from render.images.xcf.model import XcfImage, XcfLayer

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
