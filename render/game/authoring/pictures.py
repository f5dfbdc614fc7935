"""Pictures in the folder `art` of a set: those that nothing in the set names."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator
from pathlib import Path

from render.base.findings import Refused
from render.base.limits import TEMPLATE
from render.base.patterns import regex
from render.game.file_names import folded
from render.game.folder import GAME_FILE, SET_FILE, card_files, game_folder, table_files
from render.source import reader

ART = "art"
PICTURES = ("avif", "gif", "heic", "heif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp")
"""The endings of pictures, also of kinds that are not read: people drop these into `art`, too."""

MAX_FILES = 5000  # in `art`: beyond, a folder is no folder of card pictures

_COMMENT = regex(r"(?<=\s)#[^\r\n]*")
_ODD = regex(r"""["'{}\[\],:#]""")
_NAMED = regex(
    rf"""(?:[/"'\n{{\[,]|:[ ]|-[ ])[ ]*([^/"'\n{{}}\[,:]*?\.(?:{"|".join(PICTURES)}))(?!\w)""", re.IGNORECASE
)
# How a name begins and ends that a template or a game puts together: `pip-{{ n }}.png`, `'art/' ~ suit ~ '-small.png'`.
_BEGINNINGS = regex(r"""([^/"'\s{}]*)(?:\{\{|%s|["']\s*[~+])""")
_ENDS = regex(rf"""(?:}}}}|%s|[~+]\s*["'])([^/"'\n{{}}]*\.(?:{"|".join(PICTURES)}))(?!\w)""", re.IGNORECASE)


def loose_pictures(folder: Path, shown: Container[Path] = ()) -> list[str]:
    """Return the pictures in `art` of a set that no card, no template, no game and not `set.yaml` names, sorted.

    Those that are known to be `shown`, by their real paths, are not looked for. What a comment names counts as not named.
    Folders do not count: a file of that name in any folder does. A name that is put together may hold any words of the
    set, or a number.
    """
    pictures = {
        each: folded(each.name) for each in _pictures(folder / ART) if Path(os.path.realpath(each)) not in shown
    }
    if not pictures:
        return []
    texts = [folded(text) for text in _texts(folder)]
    named = {name for text in texts for name in _NAMED.findall(_COMMENT.sub("", f"\n{text}"))}
    # Where a name with signs of YAML begins and ends is not seen: it counts wherever it stands.
    named |= {name for name in pictures.values() if _ODD.search(name) and any(name in text for text in texts)}
    ends = tuple({end for text in texts for end in _ENDS.findall(text)})
    beginnings = {"", *(begun for text in texts for begun in _BEGINNINGS.findall(text))} if ends else set()
    words = f"-{'-'.join(map(_plain, texts))}-" if ends else ""

    def is_put_together(name: str) -> bool:
        left = (name.removesuffix(end) for end in ends if name.endswith(end))
        inner = {_plain(each.removeprefix(begun)) for each in left for begun in beginnings if each.startswith(begun)}
        return any(each.isdecimal() or f"-{each}-" in words for each in inner if each)

    return [
        each.relative_to(folder).as_posix()
        for each, name in pictures.items()
        if name not in named and not is_put_together(name)
    ]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text).strip("-")


def _pictures(art: Path) -> list[Path]:
    """Return the pictures in a folder and below, sorted, without hidden ones; none if there are too many files."""
    found, count = [], 0
    for place, folders, names in os.walk(art):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        count += len(names)
        if count > MAX_FILES:
            return []
        shown = (Path(place, name) for name in names if not name.startswith("."))
        found += [file for file in shown if file.suffix.lower().removeprefix(".") in PICTURES]
    return sorted(found)


def _texts(folder: Path) -> Iterator[str]:
    """Yield the texts of a set, and of its game, in which a picture may be named."""
    homes = [*dict.fromkeys((folder, game_folder(folder) or folder))]
    games = [file for file in (home / GAME_FILE for home in homes) if file.is_file()]
    for file in (folder / SET_FILE, *games, *card_files(folder)):
        try:
            yield reader.read_text(file, file.parent)
        except Refused:  # which is said where the set is read
            continue
    if tables := table_files(folder):
        from render.source.tables.reading import read_table

        readings = (read_table(file, folder) for file in tables)
        yield from (reading.document.text for reading in readings if reading.document)
    for file in (each for home in homes for each in (*home.glob("*.svg"), *(home / "templates").rglob("*.svg"))):
        if file.is_file() and file.stat().st_size <= TEMPLATE.most:
            yield file.read_text(encoding="utf-8", errors="replace")
