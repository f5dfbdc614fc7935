"""A picture that stands in for one that a card must have, until its author replaces it."""

from __future__ import annotations

STAND_IN = "art/picture.svg"
"""The stand-in, from the folder of a set."""

STAND_IN_FILE = b"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 45">
  <rect width="60" height="45" fill="#c3ccd2"/>
  <circle cx="45" cy="12" r="5" fill="#f4efe0"/>
  <path d="M0 45 L20 17 L33 33 L42 25 L60 45 Z" fill="#7d8d99"/>
</svg>
"""
