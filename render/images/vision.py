"""What eyes see of colors: how far lightness differs, and which colors look alike to people who lack a kind of cone."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Values = NDArray[np.float64]


class Eyes(Enum):
    """Eyes that lack a kind of cone, with the matrix that takes linear red, green and blue to what they see.

    Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
    Transactions on Visualization and Computer Graphics 15 (2009), 1291-1298: the matrices of severity 1.0.
    """

    PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
    DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
    TRITANOPIA = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))

    @property
    def words(self) -> str:
        return f"{_LACKS[self.name]} ({self.name.lower()})"


_LACKS = {"PROTANOPIA": "no red", "DEUTERANOPIA": "no green", "TRITANOPIA": "no blue"}

# IEC 61966-2-1, as WCAG 2.2 has it under "relative luminance".
_SHARES = np.arange(256) / 255
_LINEAR = np.where(_SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4)


def luminance(image: Image.Image) -> Values:
    """Return the relative luminance, 0 to 1, of each pixel of an RGB image."""
    return np.asarray(_LINEAR[np.asarray(image)] @ (0.2126, 0.7152, 0.0722))


def contrast(one: Values, other: Values | float) -> Values:
    """Return the contrast ratio of luminances, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05))


def seen_by(eyes: Eyes, image: Image.Image) -> Image.Image:
    """Return an RGB image with the colors that such eyes see."""
    linear = np.clip(_LINEAR[np.asarray(image)] @ np.transpose(eyes.value), 0, 1)
    shares = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return Image.fromarray((shares * 255 + 0.5).astype(np.uint8), "RGB")
