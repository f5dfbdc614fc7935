"""What an editor is told, as values; only `server` knows how the protocol writes them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from render.lsp.sources.places import Stretch


class AnswerSort(enum.Enum):
    """What a completion or an entry of an outline is."""

    KEY = "key"
    WORD = "word"
    FILE = "file"
    CARD = "card"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What may be written at a place, in place of a stretch.

    `new` has `${1:x}` in the place of numbers if it is a `snippet`. `beside` stands behind the label in small letters,
    `words` explain it, in Markdown.
    """

    label: str
    sort: AnswerSort
    stretch: Stretch
    new: str
    beside: str = ""
    words: str = ""
    snippet: bool = False


@dataclass(frozen=True, slots=True)
class HoverWords:
    """Words about a stretch, in Markdown."""

    words: str
    stretch: Stretch


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A word that the editor shows behind a place, and what explains it, in plain words."""

    line: int
    character: int
    word: str
    about: str


@dataclass(frozen=True, slots=True)
class Correction:
    """Edits of one file that mend findings; `codes` are the codes of these."""

    title: str
    codes: tuple[str, ...]
    edits: tuple[tuple[Stretch, str], ...]
    for_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """A card or a key: its name, what stands beside it, where it is, and where its name is."""

    name: str
    beside: str
    sort: AnswerSort
    stretch: Stretch
    name_stretch: Stretch
    inner: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place in a file."""

    file: Path
    stretch: Stretch


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that is looked for by its name, in the set of that name."""

    name: str
    set_name: str
    place: FilePlace


@dataclass(frozen=True, slots=True)
class FileLink:
    """Words that name a file."""

    stretch: Stretch
    file: Path
