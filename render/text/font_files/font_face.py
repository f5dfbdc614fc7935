"""An open font file, whoever opened it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import uharfbuzz as hb

from render.text.font_files.own_face import OwnFace


@dataclass(frozen=True, slots=True, kw_only=True)
class FontFace:
    """An open font file. `ascent`, `descent` and `cap_height` are in em, all positive; `font` is scaled to font units.

    `program_name` is what an embedded part of it is called. Its outlines are those of TrueType, or `is_cff`.
    """

    name: str
    file: Path
    units_per_em: int
    ascent: float
    descent: float
    font: hb.Font
    program_name: str
    cap_height: float
    is_cff: bool = False

    @property
    def resource(self) -> str:
        """The name by which the pages of a PDF call it."""
        return self.program_name if isinstance(self.name, OwnFace) else self.name.replace(" ", "")
