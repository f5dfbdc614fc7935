"""Layers put together as GIMP shows them: opacity, masks, groups and offsets, all in mode normal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from render.images.xcf import colors
from render.images.xcf.colors import Numbers
from render.images.xcf.model import Extent, XcfImage, XcfLayer
from render.images.xcf.modes import NORMAL_LINEAR, PASS_THROUGH
from render.images.xcf.tiles import locate_layer, locate_mask, raw_pixels, slices

_Fractions = NDArray[np.float32]
_BAND = 256  # rows that are put together at a time: fractions take four times the memory of a picture
_OPAQUE = 0.4  # of full opacity: what counts as ink of a letter
_LINEAR_SPACE = 1  # of `composite_space`; 0 and negative numbers are what GIMP chose itself


def layer_pixels(image: XcfImage, layer: XcfLayer, box: Extent) -> Numbers:
    """Return the pixels of one layer in a box that lies in it, with every bit that a PNG can hold.

    Opacity, mask and mode are left aside. There are 1 to 4 channels: grey or red, green, blue, and alpha last.
    """
    return colors.channels(image, raw_pixels(image, locate_layer(image, layer), box), layer.kind)


def inked_columns(image: XcfImage, layer: XcfLayer) -> list[int]:
    """Return the columns of the canvas in which a layer has opaque pixels, or next to opaque ones. BrokenXcf."""
    box = layer.extent.common(Extent(0, 0, image.width, image.height))
    if box.empty:
        return []
    pixels = layer_pixels(image, layer, box)
    inked = (pixels[:, :, -1] > _OPAQUE * np.iinfo(pixels.dtype).max).any(axis=0)
    return [box.x + int(column) for column in np.flatnonzero(inked)]


def flattened(image: XcfImage, layers: Sequence[XcfLayer], box: Extent) -> Numbers:
    """Return layers, from top to bottom, as one picture of a box of the canvas: red, green, blue and alpha.

    Layers that are not visible are left out. Every mode counts as normal, which covers what lies below. A file of 8
    bits gives 8 bits, others 16.
    """
    kind, most = (np.uint8, 255) if colors.number_kind(image)[0][1:] == "u1" else (np.uint16, 65535)
    picture = np.empty((box.height, box.width, 4), kind)
    for band in _bands(box):
        shown = _shown(image, layers, band)
        picture[slices(band, box)] = np.rint(shown * most)
    return picture


def padded(pixels: Numbers, box: Extent, frame: Extent) -> Numbers:
    """Return pixels at their place in the frame, which is transparent elsewhere."""
    count = pixels.shape[2]
    if count % 2:  # without alpha
        opaque = np.full((*pixels.shape[:2], 1), np.iinfo(pixels.dtype).max, pixels.dtype)
        pixels = np.concatenate((pixels, opaque), axis=2)
    whole = np.zeros((frame.height, frame.width, pixels.shape[2]), pixels.dtype)
    whole[slices(box, frame)] = pixels
    return whole


def _bands(box: Extent) -> Iterator[Extent]:
    for top in range(box.y, box.bottom, _BAND):
        yield Extent(box.x, top, box.width, min(_BAND, box.bottom - top))


def _shown(image: XcfImage, layers: Sequence[XcfLayer], box: Extent) -> _Fractions:
    """Return visible layers as one picture, from 0 to 1."""
    picture = np.zeros((box.height, box.width, 4), np.float32)
    _draw(image, layers, box, picture)
    return picture


def _draw(image: XcfImage, layers: Sequence[XcfLayer], box: Extent, picture: _Fractions) -> None:
    """Put visible layers upon a picture of the box."""
    for layer in reversed(layers):
        if not layer.visible or layer.floating:
            continue
        if _passes(layer):
            _draw(image, image.within(layer), box, picture)
            continue
        common = box if layer.group else layer.extent.common(box)
        if not common.empty:
            part = slices(common, box)
            above = _alone(image, layer, common)
            linear = layer.mode == NORMAL_LINEAR and layer.composite_space in (0, _LINEAR_SPACE, -_LINEAR_SPACE)
            picture[part] = _covered(picture[part], above, linear=linear)


def _passes(layer: XcfLayer) -> bool:
    """Return whether a group is one only by name: its layers are put upon what lies below it."""
    masked = layer.mask and layer.applies_mask
    return layer.group and layer.mode == PASS_THROUGH and layer.opacity == 1 and not masked


def _alone(image: XcfImage, layer: XcfLayer, box: Extent) -> _Fractions:
    """Return what a layer shows in a box, with its opacity and its mask."""
    if layer.group:
        above = _shown(image, image.within(layer), box)
    else:
        above = _full(layer_pixels(image, layer, box))
    above[:, :, 3] *= layer.opacity
    if layer.mask and layer.applies_mask:
        above[:, :, 3] *= _mask(image, layer, box)
    return above


def _mask(image: XcfImage, layer: XcfLayer, box: Extent) -> _Fractions:
    """Return a layer's mask in a box; nothing shows outside of the layer."""
    shown = np.zeros((box.height, box.width), np.float32)
    common = layer.extent.common(box)
    if not common.empty:
        shown[slices(common, box)] = colors.mask_channel(image, raw_pixels(image, locate_mask(image, layer), common))
    return shown


def _full(pixels: Numbers) -> _Fractions:
    """Return pixels of 1 to 4 channels as red, green, blue and alpha from 0 to 1."""
    fractions = (pixels / np.iinfo(pixels.dtype).max).astype(np.float32)
    count = pixels.shape[2]
    color = fractions[:, :, :3] if count >= 3 else np.repeat(fractions[:, :, :1], 3, axis=2)
    alpha = fractions[:, :, -1:] if count in (2, 4) else np.ones((*pixels.shape[:2], 1), np.float32)
    return np.concatenate((color, alpha), axis=2)


def _covered(below: _Fractions, above: _Fractions, *, linear: bool) -> _Fractions:
    """Return one picture upon another (Porter and Duff's "over"), mixed in linear light or as the screen shows it."""
    top, bottom = (colors.as_linear(each[:, :, :3]) if linear else each[:, :, :3] for each in (above, below))
    alpha = above[:, :, 3:]
    rest = below[:, :, 3:] * (1 - alpha)
    total = alpha + rest
    mixed = ((top * alpha + bottom * rest) / np.where(total > 0, total, 1)).astype(np.float32)
    return np.concatenate((colors.as_screen(mixed) if linear else mixed, total), axis=2)
