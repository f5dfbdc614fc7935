"""The folder of a set as an import finds it: its cards by their ids, and what they take from `set.yaml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from render.base.findings import Diagnostic, Refused
from render.game import ids
from render.game.authoring.card_text import card_tables, not_rewritten
from render.game.file_names import free_file
from render.game.folder import SET_FILE, card_files
from render.games.kotc.files.card_file import NO_EDITION
from render.games.kotc.workshop.imports.card_editing import cards_in, said_by
from render.games.kotc.workshop.imports.imported import ImportedCard, Value
from render.source import reader
from render.source.nodes import Document, Scalar
from render.source.nodes import Mapping as YamlMapping
from render.source.scalars.scalar_writing import write_scalar

OF_SET = ("edition", "credit")
"""The keys that a card may take from its set."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Where a card is written: its file, and which of the file's cards it is, the first being 0."""

    document: Document
    index: int

    @property
    def values(self) -> dict[str, Value]:
        """What the card says."""
        return said_by(cards_in(self.document)[self.index])


class SetFolder:
    """The cards in a folder. `put` tells it what was written since."""

    def __init__(self, folder: Path) -> None:
        """Read all card files; Refused with what is wrong with those that cannot be read."""
        self.folder = folder
        self.declared = _declared(folder)
        self._places: dict[Path, list[CardPlace]] = {}
        self._by_id: dict[str, CardPlace] = {}
        # A card of the import may be in a spreadsheet: with a file of its own, it would be there twice.
        findings: list[Diagnostic] = [not_rewritten(table.file) for table in card_tables(folder)]
        for file in card_files(folder):
            try:
                self.put(reader.read(file, folder))
            except Refused as refused:
                findings += refused.findings
        if findings:
            raise Refused(findings)

    def put(self, document: Document) -> None:
        """Take up a card file, or what became of it."""
        places = [CardPlace(document, index) for index in range(len(cards_in(document)))]
        self._by_id = {card: place for card, place in self._by_id.items() if place.document.file != document.file}
        self._by_id |= {id_of(place.values): place for place in places}
        self._places[document.file] = places

    @property
    def by_id(self) -> Mapping[str, CardPlace]:
        """Where each card is written, by its id."""
        return self._by_id

    def find(self, card: str) -> CardPlace | None:
        """Return where the card with an id is written; None if it is not."""
        return self._by_id.get(card)

    def now(self, place: CardPlace) -> CardPlace:
        """Return the place of a card in its file as that is now."""
        return self._places[place.document.file][place.index]

    def with_picture(self, name: str) -> CardPlace | None:
        """Return where the card with a picture is written; None if there is none, or more than one."""
        places = (place for places in self._places.values() for place in places)
        found = [place for place in places if name and picture_of(place.values) == name]
        return found[0] if len(found) == 1 else None

    def alone_in(self, name: str) -> CardPlace | None:
        """Return the only card of a card file; None if there is no such file, or another number of cards in it."""
        places = self._places.get(self.folder / name, [])
        return places[0] if len(places) == 1 else None

    def free_file(self, card: str) -> Path:
        """Return a card file of which there is none yet, named after the card."""
        return free_file(self.folder, card, ".yaml", (file.name for file in self._places))


def picture_of(values: Mapping[str, Value]) -> str:
    """Return the file of a card's picture; "" if it has none."""
    art = values.get("art")
    return art.get("file", "") if isinstance(art, Mapping) else ""


def id_of(values: Mapping[str, Value]) -> str:
    """Return the id of a card: the one that it gives, or the one that follows from its name."""
    given, name = values.get("id", ""), values.get("name", "")
    return given if isinstance(given, str) and given else ids.slug(name) if isinstance(name, str) else ""


def _declared(folder: Path) -> dict[str, str] | None:
    """Return the values of `set.yaml` that are single words or numbers; None if there is none."""
    file = folder / SET_FILE
    if not file.exists():
        return None
    root = reader.read(file, folder).root
    entries = root.entries if isinstance(root, YamlMapping) else ()
    return {key.value: node.value for key, node in entries if isinstance(node, Scalar)}


def common_values(cards: Iterable[ImportedCard]) -> dict[str, str]:
    """Return the edition and the credit that most of the cards have, for the file of a new set."""
    found, listed = {}, list(cards)
    for key in OF_SET:
        said = Counter(value for card in listed if isinstance(value := card.values.get(key), str))
        del said[NO_EDITION]
        if said:
            found[key] = min(said, key=lambda value: (-said[value], value))
    return found


def new_set(folder: Path, values: Mapping[str, str]) -> str:
    """Return the file of a new set, named after its folder."""
    # Not `title()`, which begins a word behind each apostrophe: "Thor'S Hammers".
    words = folder.resolve().name.replace("-", " ").replace("_", " ").split()
    name = " ".join(f"{word[:1].upper()}{word[1:]}" for word in words) or "My Set"
    return "".join(f"{key}: {write_scalar(value)}\n" for key, value in {"name": name, **values}.items())
