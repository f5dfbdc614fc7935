"""What is wrong with a GIMP file, and at which byte."""

from __future__ import annotations

from pathlib import Path

from render.base.findings import Diagnostic, Span


class BrokenXcf(Exception):
    """A GIMP file cannot be read. `code` is that of the finding, `offset` the byte of the file at which it shows."""

    def __init__(self, code: str, message: str, offset: int) -> None:
        super().__init__(f"{code} {message} at byte {offset}")
        self.code, self.message, self.offset = code, message, offset

    def finding(self, file: Path) -> Diagnostic:
        """Return the finding about the file; its message names the byte."""
        column = self.offset + 1  # the file as one line
        place = Span(file=file, column=column, end_column=column)
        return Diagnostic(self.code, f"`{file.name}` {self.message}, at byte {self.offset}", _HINT).at(place)


_HINT = "open the file in GIMP and save it again"
