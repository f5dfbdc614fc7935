"""Where the program's own fonts and templates lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / "data" / name
    return inside if inside.is_dir() else _CHECKOUT / name


FONTS = _folder("fonts")
TEMPLATES = _folder("templates")
STARTER = _folder("cards/starter")
"""The starter set: card files and pictures, to be copied."""


def is_ours(filename: str | None) -> bool:
    """Return whether a template is one of the program's own."""
    return filename is not None and Path(filename).is_relative_to(TEMPLATES)
