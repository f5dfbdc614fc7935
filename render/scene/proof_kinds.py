"""The kinds of proofs, apart from what draws them: every command has them among its options."""

from __future__ import annotations

from enum import Enum


class Proof(Enum):
    """What a proof draws: all, all but pictures and fills, all but colors and fills, or only where to cut."""

    NONE = "none"
    LOW_INK = "low-ink"
    GREY = "grey"
    OUTLINE = "outline"
