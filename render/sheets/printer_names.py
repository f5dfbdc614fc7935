"""The names that people give to printers."""

from __future__ import annotations

import re
import unicodedata

from render.base.findings import quoted

_LONGEST = 60

_IN_COMMANDS = re.compile(r"[\"'`$\\%!]")  # characters that shells interpret even in quotes


def clean_name(text: str) -> str:
    """Return a printer's name as it is stored, without needless space; ValueError if it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        raise ValueError("a printer needs a name, such as `Living room`")
    if len(name) > _LONGEST:
        raise ValueError(f"a printer's name has at most {_LONGEST} characters, and {quoted(name)} has {len(name)}")
    wrong = next((char for char in name if not char.isprintable() or _IN_COMMANDS.match(char)), None)
    if wrong is not None or name.startswith("-"):
        raise ValueError(f"a printer's name has no {quoted(wrong or '-')} {'in it' if wrong else 'at its start'}")
    return name
