"""The picture of a card out of its GIMP file: the pixels that the frame shows, bit for bit where that can be."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.geometry import MM_PER_INCH
from render.images.png_packing import pack_pixels
from render.images.xcf.model import Extent, XcfImage, XcfLayer
from render.images.xcf.pixels import Numbers, flattened, layer_pixels, padded

CARD_WIDTH, CARD_HEIGHT = 63.5, 88.9  # mm
_WINDOW = (3.175, 10.795, 57.15, 35.56)  # mm: where templates/kotc/frame.svg shows the picture
_NEAR = 1  # px: a picture that is off the middle by half a pixel stands there


@dataclass(frozen=True, slots=True)
class CutPicture:
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
    if max(abs(middle_x), abs(middle_y)) > _NEAR:
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
