"""Sets as they were before they went to another edition, kept until everything is done.

Their card files are replaced long before the sheets of changed cards and the page are made. If something stops that,
the next run finds here what the cards said and looked like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from render.base.files import remove_file, replace_file
from render.base.reach import read_bounded
from render.build.manifest import UNREADABLE, Manifest, dump_json, parse_json

FILE = ".kotc.rebuild"
_FORMAT = 2
_LARGEST = 64 << 20  # bytes: it holds pictures
_PICTURE = re.compile("data:image/webp;base64,[A-Za-z0-9+/]*={0,2}")
_CARD_FILE = re.compile(r"[^/\\:\0-\x1f\x7f]+\.ya?ml", re.IGNORECASE)


class Before(Struct, frozen=True):
    """A set as it was: the texts of its files by name, and pictures of its cards by id, as data URIs.

    `new_texts` are the texts to write, also by name: after a stop, some files may have them and others not. `looks` is
    a manifest with the looks of its cards, to compare with.
    """

    texts: dict[str, str]
    new_texts: dict[str, str]
    pictures: dict[str, str]
    looks: Manifest


class _Kept(Struct, frozen=True):
    format: int
    sets: dict[str, Before]


def read(out: Path) -> dict[str, Before]:
    """Return what a folder of outputs keeps, by the names of the sets' folders; {} if it is damaged."""
    try:
        kept = parse_json(read_bounded(out / FILE, _LARGEST, out) or b"", _Kept)
    except UNREADABLE:
        return {}
    return kept.sets if kept.format == _FORMAT and all(map(_is_sound, kept.sets.values())) else {}


def _is_sound(before: Before) -> bool:
    """Return whether it names only files directly in a set's folder, and holds only pictures that we write."""
    names, pictures = {*before.texts, *before.new_texts}, before.pictures.values()
    return (
        before.new_texts.keys() <= before.texts.keys()
        and all(map(_CARD_FILE.fullmatch, names))
        and all(map(_PICTURE.fullmatch, pictures))
    )


def write(out: Path, sets: Mapping[str, Before]) -> None:
    """Keep sets as they were, and no others; without any, there is no file. OSError."""
    if sets:
        replace_file(out / FILE, dump_json(_Kept(_FORMAT, dict(sets))), out)
    else:
        with suppress(FileNotFoundError):
            remove_file(out / FILE, out)
