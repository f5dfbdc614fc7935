"""Links that open a line of a file in an editor."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import quote

from render.base.findings import Span, did_you_mean, listed

EDITORS: Mapping[str, str] = {
    "cursor": "cursor://file/{file}:{line}:{column}",
    "idea": "idea://open?file={file}&line={line}&column={column}",
    "sublime": "subl://open?url=file:///{file}&line={line}&column={column}",
    "textmate": "txmt://open?url=file:///{file}&line={line}&column={column}",
    "vscode": "vscode://file/{file}:{line}:{column}",
    "vscodium": "vscodium://file/{file}:{line}:{column}",
    "windsurf": "windsurf://file/{file}:{line}:{column}",
    "zed": "zed://file/{file}:{line}:{column}",
}
"""The addresses that editors answer to, by the names of the editors."""

# Addresses that a browser would run, or show in place of the page.
_NO_EDITORS = ("javascript", "data", "blob", "vbscript", "about", "file")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def read_editor(words: str) -> str:
    """Return the address for an editor's name, or the address itself; ValueError says what is wrong with it."""
    if words in EDITORS:
        return EDITORS[words]
    scheme = _SCHEME.match(words)
    if scheme is None:
        hint = did_you_mean(words, EDITORS) or "or an address such as `vscode://file/{file}:{line}:{column}`"
        raise ValueError(f"expected {listed([*EDITORS])}: {hint}")
    if scheme[1].lower() in _NO_EDITORS:
        raise ValueError(f"`{scheme[1]}:` opens no editor")
    if "{file}" not in words:
        raise ValueError("the address has no `{file}`")
    unknown = sorted(set(re.findall(r"\{([^{}]*)\}", words)) - {"file", "line", "column"})
    if unknown:
        raise ValueError(f"the address has {listed(unknown)} in braces, and only file, line and column are known")
    return words


def link(address: str, place: Span) -> str:
    """Return the address of a place; "" without an editor."""
    # By its bytes: a name need not be words in UTF-8.
    file = quote(os.fsencode(place.file.absolute().as_posix()), safe="/:")
    values = {"file": file.lstrip("/") if "/{file}" in address else file}
    values |= {"line": str(place.line), "column": str(place.column)}
    return re.sub(r"\{(file|line|column)\}", lambda match: values[match[1]], address)
