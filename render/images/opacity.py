"""Opacity of pictures: apart from their colors, and the colors beneath what is transparent."""

from __future__ import annotations

from PIL import Image

_SURE = 32  # of 255: in 8 bits, the color of what is seen through more was rounded too far to count alone


def without_opacity(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Return the colors of an image, and its opacity as L if it is LA or RGBA."""
    if image.mode not in ("LA", "RGBA"):
        return image, None
    return image.convert(image.mode.removesuffix("A")), image.getchannel("A")


def spread_colors(image: Image.Image) -> Image.Image:
    """Return the colors of an LA or RGBA image; where it is transparent, they are those of what shows nearby.

    Viewers of PDF files scale colors without their opacity, and would mix any others into the edge of what shows.
    """
    colors, opacity = image.convert(image.mode.removesuffix("A")), image.getchannel("A")
    if image.size == (1, 1) or not any(opacity.histogram()[:_SURE]):
        return colors
    # `reduce` weights colors by opacity. Its blocks are of two pixels, also where the last one reaches beyond the edge.
    halves = 0.0, 0.0, image.width / 2, image.height / 2
    spread = spread_colors(image.reduce(2)).resize(image.size, Image.Resampling.BILINEAR, halves)
    spread.paste(colors, mask=opacity.point([min(255, level * 256 // _SURE) for level in range(256)]))
    return spread
