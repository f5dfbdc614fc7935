"""The comment at the head of a file by which editors find its schema, in the folder `.kotc` of its set.

An editor looks for the schema from the file, so it finds it offline and on every machine to which the set is copied,
and no address and no path of one machine stands in a file. Readers of sets pass over what begins with a dot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from render.base.findings import Refused
from render.game.folder import GAME_FILE, SET_FILE
from render.source.nodes import BOM
from render.source.reader import read_text

FOLDER = ".kotc"
_MARK = "yaml-language-server:"
_NEWLINE = re.compile(r"\r\n|\r|\n")


def schema_file_name(name: str) -> str:
    """Return the name of a schema's file."""
    return f"{name}.schema.json"


def schema_line(file: str) -> str:
    """Return the line for a file in the folder of a set, given by its name."""
    name = schema_file_name({SET_FILE: "set", GAME_FILE: "game"}.get(file, "cards"))
    return f"# {_MARK} $schema={FOLDER}/{name}"


def begin_with_line(file: str, text: str) -> str:
    """Return the text of a file that begins with its line, unless it has one; everything else stays."""
    if _MARK in text:
        return text
    found = _NEWLINE.search(text)
    mark = BOM if text.startswith(BOM) else ""
    return f"{mark}{schema_line(file)}{found[0] if found else chr(10)}{text.removeprefix(BOM)}"


def head_of_new(folder: Path) -> str:
    """Return what a new card file of a set begins with: its line, if the set has schemas."""
    has_schemas = (folder / FOLDER / schema_file_name("cards")).is_file()
    return begin_with_line("", "") if has_schemas else ""


def without_line(files: Iterable[Path], home: Path) -> dict[Path, str]:
    """Return the texts of those files of the set in the folder `home` that name no schema to editors.

    Files that cannot be read are left out: every other command says what is wrong with them.
    """
    found = {}
    for file in files:
        with suppress(Refused):
            text = read_text(file, home)
            if _MARK not in text:
                found[file] = text
    return found
