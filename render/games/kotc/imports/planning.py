"""What is to be written for one imported card: where it is already, what changes in it, where its picture goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from render.base.findings import Finding, Problem, Refused, Severity, Span, quoted
from render.games.kotc.imports.card_editing import edited
from render.games.kotc.imports.card_writing import in_order, new_card
from render.games.kotc.imports.imported import ImportedCard, Value
from render.games.kotc.imports.memory import Memory, Remembered
from render.games.kotc.imports.merging import KeptByHand, merge
from render.games.kotc.imports.set_folder import CardPlace, SetFolder, id_of
from render.games.kotc.migration.files import FileChange
from render.source import reader

Values = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card as it was before: where it is written, under which id it is remembered, and what the last import wrote."""

    place: CardPlace | None
    id: str = ""
    last: Remembered | None = None


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What is to be written for a card: its file before and after, its id then, and where its picture goes.

    `said` is what the imported file says, which the next import will remember.
    """

    change: FileChange
    card: str
    picture: Path | None
    said: dict[str, Value]
    findings: tuple[Finding, ...] = ()


# --- where it is ------------------------------------------------------------------------------------------------------


def find_known(cards: SetFolder, remembered: Memory, card: ImportedCard) -> KnownCard:
    """Return what is known of an imported card: by the name of its file, or else by its id.

    A person may have renamed it since. Then it is the card with the picture that the import wrote, or the only card of
    the card file that it wrote.
    """
    for known, last in remembered.items():
        if last.source == card.source.name:
            place = cards.find(known) or cards.with_picture(_file_of(last.values)) or cards.alone_in(last.file)
            if place is not None and (id_of(place.values) == known or id_of(place.values) not in remembered):
                return KnownCard(place, known, last)
    place = cards.find(card.id)
    return KnownCard(place, card.id, remembered.get(card.id)) if place else KnownCard(None)


def _file_of(values: Values) -> str:
    """Return the file of a card's picture; "" if it has none."""
    art = values.get("art")
    return art.get("file", "") if isinstance(art, Mapping) else ""


# --- what becomes of it -----------------------------------------------------------------------------------------------


def plan_import(cards: SetFolder, card: ImportedCard, picture: str, known: KnownCard, of_set: Values) -> ImportPlan:
    """Return what to write for a card; `picture` is the name for its picture, "" if it has none.

    `of_set` has the values that a card takes from its set. Refused if the card cannot be written into its file.
    """
    said = _said(card, picture, known.last)
    if card.complete and of_set.get("credit") and "credit" not in said:
        said = {
            key: {**said, "credit": ""}[key] for key in in_order({**said, "credit": ""})
        }  # else it has that of the set
    if known.place is None:
        return _new(cards, card, said, of_set)
    place = known.place
    merged = merge(place.values, known.last.values if known.last else {}, said, of_set)
    document = edited(place.document, place.index, merged.changes) if merged.changes else place.document
    if document is None:
        message = f"`{place.document.file}` cannot be changed: {', '.join(f'`{key}`' for key in merged.changes)}"
        hint = "write the card in lines, one for each key"
        raise Refused([Problem("X015", message, hint).at(Span(file=place.document.file), card.id)])
    after = CardPlace(document, place.index).values
    return ImportPlan(
        change=FileChange(document.file, place.document.text, document.text),
        card=id_of(after),
        picture=_picture_file(cards.folder, said, after),
        said=said,
        findings=tuple(_kept(each, card, document.file) for each in merged.kept),
    )


def _new(cards: SetFolder, card: ImportedCard, said: dict[str, Value], of_set: Values) -> ImportPlan:
    own = {key: value for key, value in said.items() if of_set.get(key) != value}
    if id_of(own) != card.id:
        own["id"] = card.id
    change = FileChange(cards.free_file(card.id), "", new_card(own))
    reader.read_as(change.after, change.file)  # Refused if it could not be read
    return ImportPlan(change, card.id, _picture_file(cards.folder, said, own), said)


def _said(card: ImportedCard, picture: str, last: Remembered | None) -> dict[str, Value]:
    """Return what a file says of a card, in order.

    Keys that it does not say are those of the last import, if that read another file, or if this one is not complete.
    """
    values = {key: card.values[key] for key in in_order(card.values)}
    art = values.pop("art", {})
    if picture and isinstance(art, Mapping):
        values["art"] = {"file": picture, **art}
    if last and (last.source != card.source.name or not card.complete):
        values = {**last.values, **values}
    return values


_OUR_PICTURE = re.compile(r"art/[a-z0-9_-]+\.png")


def picture_name(card: ImportedCard, known: KnownCard, remembered: Memory) -> str:
    """Return the name for a card's picture: the one that it has of an import, or one that no other card has."""
    before = _file_of(known.last.values) if known.last else ""
    if _OUR_PICTURE.fullmatch(before):
        return before
    taken = {_file_of(entry.values) for entry in remembered.values()}
    start = card.id
    names = chain((f"art/{start}.png",), (f"art/{start}-{number}.png" for number in count(2)))
    return next(name for name in names if name not in taken)


def _picture_file(folder: Path, said: Values, card: Values) -> Path | None:
    """Return where the picture goes; None if the card has none, or another one that a person chose."""
    ours = _file_of(said)
    return folder / ours if _OUR_PICTURE.fullmatch(ours) and ours == _file_of(card) else None


def _kept(kept: KeptByHand, card: ImportedCard, file: Path) -> Finding:
    """Return the warning about a key that a person changed."""
    message = f"`{kept.key}` of `{card.id}` stays {_shown(kept.card)}, changed by hand; now it is {_shown(kept.file)}"
    hint = f"write that into `{file}` if the card is to have it"
    return Problem("X027", message, hint, Severity.WARNING).at(Span(file=card.source), card.id, kept.key)


def _shown(value: Value | None) -> str:
    if value is None:
        return "left out"
    return quoted(value if isinstance(value, str) else ", ".join(f"{key}: {words}" for key, words in value.items()))
