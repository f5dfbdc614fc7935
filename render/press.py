"""A press: the printing condition that a file is made for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Press:
    """A printing condition: its registered name, its profile in `profiles`, and what pictures may have.

    `ink_limit` is the greatest sum of the four inks in per cent; `dpi` the resolution to which pictures are brought.
    """

    condition: str
    profile: str
    ink_limit: float = 240.0
    dpi: float = 300.0
