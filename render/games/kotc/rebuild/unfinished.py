"""Sets as they were before they went to another edition, kept until everything is done.

Their card files are replaced long before the sheets of changed cards and the page are made. If something stops that,
the next run finds here what the cards said and looked like.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from render.base.files import remove_file, replace_file
from render.base.reach import read_bounded
from render.build.state import sealed_values

FILE = ".kotc.rebuild"
_FORMAT = 1
_LARGEST = 64 << 20  # bytes: it holds pictures
_PICTURE = re.compile("data:image/webp;base64,[A-Za-z0-9+/]*={0,2}")
_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Before:
    """A set as it was: the texts of its files by name, and pictures of its cards by id, as data URIs.

    `new_texts` are the texts to write, also by name: after a stop, some files may have them and others not. `looks` is
    a manifest with the looks of its cards, to compare with.
    """

    texts: Mapping[str, str]
    new_texts: Mapping[str, str]
    pictures: Mapping[str, str]
    looks: str


def read(out: Path) -> dict[str, Before]:
    """Return what a folder of outputs keeps, by the names of the sets' folders; {} if it is damaged."""
    data = read_bounded(out / FILE, _LARGEST, out) or b""
    if not sealed_values.is_sealed(data):
        return {}
    try:
        said = sealed_values.loaded(data)
        return {} if said["format"] != _FORMAT else {name: _before(one) for name, one in said["sets"].items()}
    except sealed_values.NOT_EXACT:
        return {}


def _before(said: Mapping[str, Any]) -> Before:
    texts, new_texts = _texts(said["texts"]), _texts(said["new_texts"])
    if not new_texts.keys() <= texts.keys():
        raise ValueError
    pictures = {sealed_values.word(card): _picture(uri) for card, uri in said["pictures"].items()}
    return Before(texts, new_texts, pictures, str(said["looks"]))


def _texts(said: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of files directly in a set's folder."""
    for name, text in said.items():
        if "/" in sealed_values.name(name) or not name.lower().endswith(_ENDINGS):
            raise ValueError
        text.encode("utf-8")
    return dict(said)


def _picture(said: object) -> str:
    if type(said) is not str:
        raise TypeError
    if not _PICTURE.fullmatch(said):
        raise ValueError
    return said


def write(out: Path, sets: Mapping[str, Before]) -> None:
    """Keep sets as they were, and no others; without any, there is no file. OSError."""
    if not sets:
        with suppress(FileNotFoundError):
            remove_file(out / FILE, out)
        return
    kept = {name: asdict(sets[name]) for name in sorted(sets)}
    said = {"format": _FORMAT, sealed_values.SEAL: sealed_values.NO_SEAL, "sets": kept}
    data = sealed_values.sealed(json.dumps(said, ensure_ascii=False, indent=0))
    replace_file(out / FILE, data, out)
