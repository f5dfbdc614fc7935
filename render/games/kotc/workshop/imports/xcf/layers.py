"""What the layers of the game's GIMP files are for, by their names, and the picture of a card out of its layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from render.base.geometry import MM_PER_INCH
from render.base.patterns import regex
from render.games.kotc.model.cards import Kind
from render.images.png_packing import pack_pixels
from render.images.xcf.pixels import Numbers, flattened, layer_pixels, padded
from render.images.xcf.reading import NORMAL, PASS_THROUGH, Extent, XcfImage, XcfLayer
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
_TEMPLATE = regex(r"(?P<kind>creature|minion|spell|pawn|tip)(?: card)? template")
_COPY = regex(r"(?: copy)?(?: ?#\d+)?\Z")  # what GIMP adds to the names of copies


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


class KnownLayers(Struct, frozen=True):
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


# --- the picture: the pixels that the frame shows, bit for bit where that can be -------------------------------------

CARD_WIDTH, CARD_HEIGHT = 63.5, 88.9  # mm
_WINDOW = (3.175, 10.795, 57.15, 35.56)  # mm: where templates/kotc/frame.svg shows the picture
_AT_MIDDLE = 1  # px: a picture that is off the middle by half a pixel stands there


class CutPicture(Struct, frozen=True):
    """A picture as PNG, how it fits into its box (`contain` or `cover`), and what was done to it, or ""."""

    png: bytes
    fit: str
    note: str


def window(card: Extent) -> Extent:
    """Return where a card of this extent shows its picture, in whole pixels."""
    x, y, width, height = (round(side * card.width / CARD_WIDTH) for side in _WINDOW)
    return Extent(card.x + x, card.y + y, width, height)


def cut_picture(image: XcfImage, layers: tuple[XcfLayer, ...], card: Extent) -> CutPicture | None:
    """Return what the frame of a card shows of these layers; None if that is nothing. BrokenXcf.

    A layer that fills the box in one direction stays whole; the card then shows it as the file does. Of others only
    what lies within the box is kept, at its place in it.
    """
    frame = window(card)
    whole = _around(layers)
    fit = _fit(whole, frame)
    box = whole if fit else whole.common(frame)
    if box.empty:
        return None
    pixels = _pixels(image, layers, box)
    note = ""
    if not fit and box != frame:
        pixels, note = padded(pixels, box, frame), "is moved within its box by transparent edges"
    if not fit and box != whole:
        note = f"is cut to the {box.width} x {box.height} of {whole.width} x {whole.height} pixels that the card shows"
    dpi = card.width / (CARD_WIDTH / MM_PER_INCH)
    return CutPicture(pack_pixels(pixels, dpi, image.profile if image.base != 1 else b""), fit or "contain", note)


def _around(layers: tuple[XcfLayer, ...]) -> Extent:
    """Return the smallest box around layers."""
    boxes = [layer.extent for layer in layers]
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Extent(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


def _fit(whole: Extent, frame: Extent) -> str:
    """Return by which rule of `fit` a card shows a picture where the file has it; "" if by none."""
    middle_x = (whole.x + whole.right) - (frame.x + frame.right)
    middle_y = (whole.y + whole.bottom) - (frame.y + frame.bottom)
    if max(abs(middle_x), abs(middle_y)) > _AT_MIDDLE:
        return ""
    if whole.width == frame.width or whole.height == frame.height:
        inside = whole.width <= frame.width and whole.height <= frame.height
        return "contain" if inside else "cover"
    return ""


def _pixels(image: XcfImage, layers: tuple[XcfLayer, ...], box: Extent) -> Numbers:
    """Return the pixels as they are stored if there is one layer that is shown so, else as GIMP shows them."""
    if len(layers) == 1 and layers[0].plain:
        return layer_pixels(image, layers[0], box)
    return flattened(image, layers, box)
