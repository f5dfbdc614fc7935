"""What sets were before they went to another edition, kept until all is done that belongs to it.

Their card files are replaced long before the sheets of changed cards and the page about it are made. If something stops
that, whoever goes on finds here what the cards said and what they looked like.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from render.files import replace_file

FILE = ".kotc.rebuild"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Before:
    """A set as it was: the texts of its files by name, and pictures of its cards by id, as data URIs.

    `new_texts` are those that are to be written, also by name: files may be found of which some have them and some not.
    `looks` is a manifest that says what its cards looked like, to compare with.
    """

    texts: Mapping[str, str]
    new_texts: Mapping[str, str]
    pictures: Mapping[str, str]
    looks: str


def read(out: Path) -> dict[str, Before]:
    """Return what is kept in a folder of outputs, by the names of the sets' folders; nothing if it makes no sense."""
    try:
        said = json.loads((out / FILE).read_text(encoding="utf-8"))
        if said["format"] != _FORMAT:
            return {}
        return {
            name: Before(dict(one["texts"]), dict(one["new_texts"]), dict(one["pictures"]), str(one["looks"]))
            for name, one in said["sets"].items()
        }
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return {}


def write(out: Path, sets: Mapping[str, Before]) -> None:
    """Keep sets as they were, and no others; without any there is no file. OSError."""
    if not sets:
        (out / FILE).unlink(missing_ok=True)
        return
    said = {"format": _FORMAT, "sets": {name: asdict(sets[name]) for name in sorted(sets)}}
    text = json.dumps(said, ensure_ascii=False, indent=0)
    replace_file(out / FILE, text.encode("utf-8", "backslashreplace"))  # bytes that are no UTF-8 as JSON escapes them
