"""A set to bring up to date, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from render.base.findings import plural

if TYPE_CHECKING:
    from render.game.folder import SetFiles
    from render.incremental.compare.diff import Compared
    from render.incremental.state.manifest import BuildSummary


@dataclass(frozen=True, slots=True)
class Target:
    """The files of a set, and the folder for its outputs."""

    files: SetFiles
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """A set that is up to date: what there is to report, counts in words, and whether nothing had to be done.

    `compared` is the result of comparing, if there was something to compare with.
    """

    name: str
    folder: Path
    told: BuildSummary
    counts: str
    idle: bool
    compared: Compared | None = None

    @property
    def summary(self) -> str:
        """A line such as `My Set: 1 PNG and 1 sheet in out/mine (2 written, 0 unchanged)`."""
        made = [plural(self.told.pngs, "PNG"), plural(self.told.sheets, "sheet"), *self.told.others]
        return f"{self.name}: {', '.join(made[:-1])} and {made[-1]} in {self.folder} ({self.counts})"
