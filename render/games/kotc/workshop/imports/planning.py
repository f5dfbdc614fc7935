"""What is to be written for one imported card: where it is already, what changes in it, where its picture goes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path, PurePosixPath

from render.base.findings import Diagnostic, Refused, Severity, Span, quoted
from render.game import ids
from render.game.file_names import free_file, free_name
from render.games.kotc.workshop.imports.card_editing import edited
from render.games.kotc.workshop.imports.card_writing import in_order, new_card
from render.games.kotc.workshop.imports.imported import ImportedCard, Value
from render.games.kotc.workshop.imports.memory import Memory, Remembered
from render.games.kotc.workshop.imports.merging import KeptByHand, merge
from render.games.kotc.workshop.imports.set_folder import CardPlace, SetFolder, id_of, picture_of
from render.games.kotc.workshop.migration.change_set import FileChange
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
    findings: tuple[Diagnostic, ...] = ()


# --- where it is ------------------------------------------------------------------------------------------------------


def find_known(cards: SetFolder, remembered: Memory, files: Sequence[tuple[ImportedCard, str]]) -> list[KnownCard]:
    """Return what is known of the card of each file, which comes with the digest of its picture; no two are one card.

    A card is known by the name of its file, if anything in it is as it was, or else by its id. Where several files may
    be meant, that comes first which has most in common with the card, then that which has its id.
    """
    homes = _homes(cards, remembered)
    matches: list[tuple[tuple[bool, int, bool], int, KnownCard]] = []
    for number, (card, picture) in enumerate(files):
        for known in homes:
            last = remembered[known]
            alike = _alike(card, picture, last) if last.source == card.source.name else 0
            if alike:
                matches.append(((True, alike, known == card.id), number, KnownCard(homes[known], known, last)))
        place = cards.find(card.id)
        if place and not _is_of_another(card, place, remembered.get(card.id)):
            matches.append(((False, 0, True), number, KnownCard(place, card.id, remembered.get(card.id))))
    known_cards = [KnownCard(None)] * len(files)
    taken = set[tuple[Path, int]]()
    for _, number, match in sorted(matches, key=itemgetter(0), reverse=True):
        assert match.place
        spot = match.place.document.file, match.place.index
        if known_cards[number].place is None and spot not in taken:
            known_cards[number] = match
            taken.add(spot)
    # A card that a person deleted comes back with the picture that lies there still.
    shown = {picture_of(place.values) for place in cards.by_id.values()}
    gone = {known: last for known, last in remembered.items() if picture_of(last.values) not in {"", *shown}}
    for number, (card, picture) in enumerate(files):
        of_file = (known for known, last in gone.items() if last.source == card.source.name)
        if known_cards[number].place is None:
            best = max(of_file, key=lambda known: _alike(card, picture, gone[known]), default="")
            if best and _alike(card, picture, gone[best]):
                known_cards[number] = KnownCard(None, best, gone.pop(best))
    return known_cards


def by_ids_now(cards: SetFolder, remembered: Memory) -> Memory:
    """Return what is remembered by the ids that cards have now: a person may have renamed them."""
    homes = _homes(cards, remembered)
    gone = {known: last for known, last in remembered.items() if known not in homes}
    return gone | {id_of(place.values) or known: remembered[known] for known, place in homes.items()}


def _homes(cards: SetFolder, remembered: Memory) -> dict[str, CardPlace]:
    """Return where the cards of earlier imports are written now, by the ids under which they are remembered.

    One that a person renamed is the card with the picture that the import wrote, or the only card of the card file that
    it wrote.
    """
    homes = {}
    for known, last in remembered.items():
        place = cards.find(known) or cards.with_picture(picture_of(last.values)) or cards.alone_in(last.file)
        if place and (id_of(place.values) == known or id_of(place.values) not in remembered):
            homes[known] = place
    return homes


def _alike(card: ImportedCard, picture: str, last: Remembered) -> int:
    """Return how much of a card is as it was; 0 is another card in another file of the same name.

    A card that was renamed has its picture, or else its words.
    """
    same = {key for key, value in last.values.items() if card.values.get(key) == value}
    same |= {"art"} if picture and picture == last.picture else set()
    telling = {"name", "art"} if picture or last.picture else {"name", "text", "flavor"}
    return 0 if same.isdisjoint(telling) else len(same)


def _is_of_another(card: ImportedCard, place: CardPlace, last: Remembered | None) -> bool:
    """Return whether the card at a place is that of another file, with another name that gives the same id."""
    name = card.values.get("name")
    return last is not None and name is not None and name not in (last.values.get("name"), place.values.get("name"))


# --- what becomes of it -----------------------------------------------------------------------------------------------


def plan_import(
    cards: SetFolder, card: ImportedCard, picture: str, known: KnownCard, of_set: Values, taken: Collection[str]
) -> ImportPlan:
    """Return what to write for a card; `picture` is the name for its picture, "" if it has none.

    `of_set` has the values that a card takes from its set, `taken` the ids of other cards. Refused if the card cannot
    be written into its file.
    """
    if known.place:  # what is not sure changes nothing that is there
        values = {key: card.values[key] for key in card.values if key not in card.unsure.keys() & known.place.values}
        card = replace(card, values=values)
    said = _said(card, picture, known.last)
    if card.complete and of_set.get("credit") and "credit" not in said:
        said = {
            key: {**said, "credit": ""}[key] for key in in_order({**said, "credit": ""})
        }  # else it has that of the set
    if known.place is None:
        return _new(cards, card, said, of_set)
    place = known.place
    merged = merge(place.values, known.last.values if known.last else {}, said, of_set)
    before = id_of(place.values)
    wanted = id_of({key: value for key, value in (place.values | merged.changes).items() if value is not None})
    if wanted != before and (wanted in taken or not ids.is_id(wanted)):
        merged.changes["id"] = before or free_name(card.id, taken=taken)
    document = edited(place.document, place.index, merged.changes) if merged.changes else place.document
    if document is None:
        message = f"`{place.document.file}` cannot be changed: {', '.join(f'`{key}`' for key in merged.changes)}"
        hint = "write the card in lines, one for each key"
        raise Refused([Diagnostic("X015", message, hint).at(Span(file=place.document.file), card.id)])
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
    change = FileChange(cards.free_file(card.id), "", new_card(own, card.unsure))
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


def picture_name(folder: Path, card: ImportedCard, known: KnownCard, remembered: Memory) -> str:
    """Return the name for a card's picture: the one that it has of an import, or one that no other picture has."""
    before = (known.last.values if known.last else {}), (known.place.values if known.place else {})
    ours = next((name for name in map(picture_of, before) if _OUR_PICTURE.fullmatch(name)), "")
    taken = (PurePosixPath(picture_of(entry.values)).name for entry in remembered.values())
    return ours or f"art/{free_file(folder / 'art', card.id, '.png', taken).name}"


def _picture_file(folder: Path, said: Values, card: Values) -> Path | None:
    """Return where the picture goes; None if the card has none, or another one that a person chose."""
    ours = picture_of(said)
    return folder / ours if _OUR_PICTURE.fullmatch(ours) and ours == picture_of(card) else None


def _kept(kept: KeptByHand, card: ImportedCard, file: Path) -> Diagnostic:
    """Return the warning about a key that a person changed."""
    message = f"`{kept.key}` of `{card.id}` stays {_shown(kept.card)}, changed by hand; now it is {_shown(kept.file)}"
    hint = f"write that into `{file}` if the card is to have it"
    return Diagnostic("X027", message, hint, Severity.WARNING).at(Span(file=card.source), card.id, kept.key)


def _shown(value: Value | None) -> str:
    if value is None:
        return "left out"
    return quoted(value if isinstance(value, str) else ", ".join(f"{key}: {words}" for key, words in value.items()))
