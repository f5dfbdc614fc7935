"""What is wrong with a font file, as what reads it says it."""

from __future__ import annotations

from pathlib import Path

from render.base.findings import Diagnostic


class FontFault(Exception):
    """A font file, or a role, cannot be used; `file` is the font file, None if it is about no file."""

    def __init__(self, problem: Diagnostic, file: Path | None = None) -> None:
        self.problem, self.file = problem, file
        super().__init__(problem.message)


def damaged(name: str, how: str) -> Diagnostic:
    """Return what is said of a damaged font file."""
    return Diagnostic("L004", f"the font `{name}` is damaged: {how}", "get the file again from where it came")
