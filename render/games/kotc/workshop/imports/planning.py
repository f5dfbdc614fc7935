"""What is to be written for one imported card: where it is already, what changes in it, where its picture goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, Span, listed, quoted
from render.base.limits import IMPORTED
from render.base.reach import read_bounded
from render.game import ids
from render.game.authoring.card_text import card_tables, not_rewritten
from render.game.authoring.change_set import FileChange
from render.game.authoring.pictures import ART
from render.game.file_names import free_file, free_name
from render.game.folder import SET_FILE, card_files
from render.games.kotc.files.keys import NO_EDITION
from render.games.kotc.workshop.imports.imported import (
    ImportedCard,
    Value,
    edited,
    in_order,
    new_card,
    one_line,
    said_by,
)
from render.games.kotc.workshop.imports.merging import KeptByHand, Memory, Remembered, digest, merge
from render.source import reader
from render.source.nodes import Document, Scalar
from render.source.nodes import Mapping as YamlMapping
from render.source.writing import plain, write_mapping

Values = Mapping[str, Value]


class KnownCard(Struct, frozen=True):
    """A card as it was before: where it is written, under which id it is remembered, and what the last import wrote."""

    place: CardPlace | None
    id: str = ""
    last: Remembered | None = None


class ImportPlan(Struct, frozen=True):
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
        alone = ({key: value} for key, value in merged.changes.items())
        to_blame = [key for each in alone if edited(place.document, place.index, each) is None for key in each]
        message = f"`{place.document.file}` cannot be changed: {listed(to_blame or [*merged.changes], 'and')}"
        hint = "write the card in lines, one for each key, and these values without `&`, `*` and `<<`"
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


def _is_ours(picture: str) -> bool:
    """Return whether an import may have called a picture so: by an id."""
    return (
        picture.startswith(f"{ART}/") and picture.endswith(".png") and ids.is_id(picture[len(ART) + 1 : -len(".png")])
    )


def picture_name(
    cards: SetFolder, card: ImportedCard, known: KnownCard, remembered: Memory, picture_digest: str
) -> str:
    """Return the name for a card's picture: the one that it has of an import, or one that no other picture has.

    An import that was stopped may have left this very picture, which no card shows.
    """
    before = (known.last.values if known.last else {}), (known.place.values if known.place else {})
    ours = next((name for name in map(picture_of, before) if _is_ours(name)), "")
    taken = {PurePosixPath(picture_of(entry.values)).name for entry in remembered.values()}
    shown = {picture_of(place.values) for place in cards.by_id.values()}
    left = f"{ART}/{card.id}.png"
    if not ours and left not in shown and PurePosixPath(left).name not in taken:
        held = read_bounded(cards.folder / left, IMPORTED.most, cards.folder)
        ours = left if held is not None and digest(held) == picture_digest else ""
    return ours or f"{ART}/{free_file(cards.folder / ART, card.id, '.png', taken).name}"


def _picture_file(folder: Path, said: Values, card: Values) -> Path | None:
    """Return where the picture goes; None if the card has none, or another one that a person chose."""
    ours = picture_of(said)
    return folder / ours if _is_ours(ours) and ours == picture_of(card) else None


def _kept(kept: KeptByHand, card: ImportedCard, file: Path) -> Diagnostic:
    """Return the warning about a key that a person changed."""
    message = f"`{kept.key}` of `{card.id}` stays {_shown(kept.card)}, changed by hand; now it is {_shown(kept.file)}"
    hint = f"write that into `{file}` if the card is to have it"
    return Diagnostic("X027", message, hint, Severity.WARNING).at(Span(file=card.source), card.id, kept.key)


def _shown(value: Value | None) -> str:
    if value is None:
        return "left out"
    return quoted(value if isinstance(value, str) else ", ".join(f"{key}: {words}" for key, words in value.items()))


# --- the folder of a set as an import finds it -----------------------------------------------------------------------

OF_SET = ("edition", "credit")
"""The keys that a card may take from its set."""


class CardPlace(Struct, frozen=True):
    """Where a card is written: its file, and which of the file's cards it is, the first being 0."""

    document: Document
    index: int

    @property
    def values(self) -> dict[str, Value]:
        """What the card says."""
        return said_by(self.document.mappings[self.index])


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
        places = [CardPlace(document, index) for index in range(len(document.mappings))]
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
    words = one_line(folder.resolve().name.replace("-", " ").replace("_", " ")).split()
    name = " ".join(f"{word[:1].upper()}{word[1:]}" for word in words) or "My Set"
    said = {key: plain(value) for key, value in {"name": name, **values}.items()}
    return "".join(f"{line}\n" for line in write_mapping(said))
