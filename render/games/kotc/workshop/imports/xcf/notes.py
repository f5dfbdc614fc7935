"""What an import of a GIMP file says about it: which layers and looks it left out, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Severity, Span, quoted
from render.images.xcf.model import XcfLayer

_GIVE_NAME = "name it as the authors' template does, if it belongs on the card"


@dataclass(frozen=True, slots=True)
class XcfNotes:
    """Collects warnings about one file."""

    file: Path
    findings: list[Diagnostic] = field(default_factory=list)

    def warn(self, code: str, message: str, hint: str = "") -> None:
        """Add a warning."""
        self.findings.append(Diagnostic(code, message, hint, Severity.WARNING).at(Span(file=self.file)))

    def leave_out(self, layer: XcfLayer, why: str, hint: str = _GIVE_NAME) -> None:
        """Say that a layer is not on the card."""
        self.warn("X020", f"the layer {quoted(layer.name)} is left out: {why}", hint)

    def refuse(self, code: str, message: str, hint: str) -> Refused:
        """Return the error that ends the import of the file."""
        return Refused([Diagnostic(code, f"`{self.file.name}` {message}", hint).at(Span(file=self.file))])
