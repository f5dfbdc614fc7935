"""Sets on their way to another edition: what is written into their files, whether the result is right, and as they were.

Everything is worked out before anything is written. The migrated texts are read as if they stood in the user's files,
so that mistakes are found while the files are still unchanged.

Card files are replaced long before the sheets of changed cards and the page are made. If something stops that, the next
run finds in a file of the folder of outputs what the cards said and looked like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.codes import DRAFT_CODE
from render.base.files import remove_file, replace_file
from render.base.findings import Diagnostic, Refused, has_errors
from render.base.limits import YAML_FILE
from render.base.patterns import regex
from render.base.reach import read_bounded
from render.build.compare import Baseline, as_manifest, digest_set, recall_set
from render.build.manifest import UNREADABLE, Manifest, dump_json, parse_json
from render.build.session import Target
from render.game import faces
from render.game.authoring.change_set import FileChange
from render.game.folder import SET_FILE, Source, is_table
from render.games.kotc.checking import findings_by_rules
from render.games.kotc.editions.finding import find
from render.games.kotc.legality.rewording import Change, Reworded
from render.games.kotc.model.cards import Card, CardSet, ordinal
from render.games.kotc.sets import read_set
from render.games.kotc.workshop.migration.cards import Fate, MigratedCard, by_rules, migrated_cards
from render.games.kotc.workshop.migration.decks import DeckAfter, decks_after
from render.games.kotc.workshop.migration.planning import Migration, migrate
from render.png.paint import data_uris

KEPT = ".kotc.rebuild"
_FORMAT = 2
_LARGEST = 64 << 20  # bytes: it holds pictures
_PICTURE = regex("data:image/webp;base64,[A-Za-z0-9+/]*={0,2}")
_CARD_FILE = regex(r"[^/\\:\0-\x1f\x7f]+\.ya?ml", re.IGNORECASE)


class Before(Struct, frozen=True):
    """A set as it was: the texts of its files by name, and pictures of its cards by id, as data URIs.

    `new_texts` are the texts to write, also by name: after a stop, some files may have them and others not. `looks` is
    a manifest with the looks of its cards, to compare with.
    """

    texts: dict[str, str]
    new_texts: dict[str, str]
    pictures: dict[str, str]
    looks: Manifest


class Kept(Struct, frozen=True):
    """What is kept: sets as they were by the names of their folders, and the editions of decks by their files."""

    sets: dict[str, Before] = {}
    decks: dict[str, int] = {}
    format: int = _FORMAT


class SetTransition(Struct, frozen=True):
    """A set on its way: as it was, and what becomes of it.

    `files` are those still to be written. `kept` is what an earlier run kept that was stopped on the way.
    """

    target: Target
    before: CardSet
    migration: Migration
    files: tuple[FileChange, ...]
    kept: Before | None = None

    @property
    def after(self) -> CardSet:
        """The set as it will be read."""
        return self.migration.card_set

    @property
    def is_due(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.files or self.kept)

    @property
    def name(self) -> str:
        """The name of the set's folder, and of its folder of outputs."""
        return self.target.folder.name


class SetTransitions(Struct, frozen=True):
    """Sets on their way to an edition together, the decks that go along, and what the rules of the new edition find doubtful in them."""

    number: int
    sets: tuple[SetTransition, ...]
    decks: tuple[DeckAfter, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def due(self) -> list[SetTransition]:
        """The sets with anything to do."""
        return [each for each in self.sets if each.is_due]

    @property
    def files(self) -> list[FileChange]:
        """The files to write."""
        of_sets = [change for each in self.sets for change in each.files]
        return [*of_sets, *(deck.change for deck in self.decks if deck.change)]

    @property
    def is_due(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.due or self.files)


class WouldBeWrong(Refused):
    """The sets can be migrated, but the result would have errors."""

    @property
    def has_wrong_numbers(self) -> bool:
        """Whether some errors are about levels or Ultra Points, which follow from the rules of the edition."""
        return any(finding.code in ("V001", "V002") for finding in self.findings)


def work_out(
    sets: Sequence[Target], given: Sequence[Path], number: int, kept: Kept, *, relevel: bool, draft: bool
) -> SetTransitions:
    """Work out the way of sets to an edition, and of the decks that are `given` or lie near and use them.

    `kept` is what earlier runs kept. Refused with all errors of all sets as they
    are; WouldBeWrong with all errors that they would have in the end.
    """
    ways: list[_Way] = []
    refused: list[Diagnostic] = []
    for target in sets:
        try:
            ways.append(_Way(target, kept.sets.get(target.folder.name), number, relevel, draft))
        except Refused as why:
            refused += why.findings
    if refused:
        raise Refused(refused)
    ends, found = [], []
    for way in ways:
        end, of_end = read_set(way.target.files, {change.file: change.after for change in way.files})
        ends += [end] if end else []
        found += of_end
    warnings = _checked(ends, found)
    transitions = tuple(way.transition(end) for way, end in zip(ways, ends, strict=True))
    files = [change for way in ways for change in way.files]
    is_resumed = any(each.kept for each in transitions)
    decks = decks_after([each.files.folder for each in sets], files, number, given, is_resumed=is_resumed)
    begun = [replace(deck, before=kept.decks.get(str(deck.file), deck.before)) for deck in decks]
    return SetTransitions(number, transitions, tuple(begun), tuple(warnings))


def _checked(sets: Sequence[CardSet], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return what the rules find doubtful; WouldBeWrong with all findings of `check` if there is an error."""
    of_files = [each for each in found if each.code != DRAFT_CODE]  # which drafts there are is said with the cards
    drawing = [*of_files, *(finding for card_set in sets for finding in faces.findings(card_set))]
    ruled = [] if has_errors(drawing) else findings_by_rules(sets)
    if has_errors([*drawing, *ruled]):
        raise WouldBeWrong([*drawing, *ruled])
    return ruled


class _Way:
    """A set that goes to an edition; `files` are those to write."""

    def __init__(self, target: Target, kept: Before | None, number: int, relevel: bool, draft: bool) -> None:
        """Refused with the errors of the set, or if the result cannot be written into its files."""
        self.target, self._kept, self._draft = target, kept, draft
        # Read as if the stopped run had finished: half a set has cards of two editions.
        half = _half_written(target.files.folder, kept) if kept else {}
        card_set, found = read_set(target.files, {file: change.after for file, change in half.items()})
        if card_set is None or has_errors(found):
            raise Refused(found)
        self._set, self._edition = card_set, find(number, card_set.folder)
        self._relevel = by_rules(self._edition) if relevel else None
        self._migration = migrate(card_set, self._edition, self._relevel, draft=draft)
        more = {change.file: change for change in self._migration.files}
        self.files = tuple(
            replace(half.get(file, change), after=change.after) for file, change in {**half, **more}.items()
        )

    def transition(self, end: CardSet) -> SetTransition:
        """Return the whole way from its beginning, which was before what was kept, if that is of this set and way."""
        started = _as_it_was(self._set, self._kept, self._edition.number) if self._kept else None
        cards = self._migration.cards
        if started:
            cards = migrated_cards(started, self._edition, self._relevel, draft=self._draft)
        told = _whole_way(cards, self._migration, end)
        return SetTransition(self.target, started or self._set, told, self.files, self._kept if started else None)


def _half_written(folder: Path, kept: Before) -> dict[Path, FileChange]:
    """Return what a run that was killed while writing files had still to write; {} if it had not begun."""
    now: dict[str, str] = {}
    for name in kept.new_texts:
        with suppress(UnicodeDecodeError):
            held = read_bounded(folder / name, YAML_FILE.most, folder)
            now |= {} if held is None else {name: held.decode("utf-8")}
    # No file has its new text: the run was stopped before it wrote any.
    if all(text != kept.new_texts[name] for name, text in now.items()):
        return {}
    # A file with neither text was changed by its author since, and is read as it is.
    left = [name for name, text in now.items() if text == kept.texts.get(name)]
    return {folder / name: FileChange(folder / name, now[name], kept.new_texts[name]) for name in left}


def _as_it_was(card_set: CardSet, kept: Before, number: int) -> CardSet | None:
    """Return the set as it was, if some of its cards have moved on since, but not beyond that edition; else None."""
    folder = card_set.folder
    files = Source(folder, tuple(folder / name for name in sorted(kept.texts) if name != SET_FILE))
    before, found = read_set(files, {folder / name: text for name, text in kept.texts.items()})
    if before is None or has_errors(found):
        return None
    editions = {card.id: card.edition for card in before.cards}
    now = [card.edition for card in card_set.cards if card.edition != editions.get(card.id, card.edition)]
    return before if now and max(each or 0 for each in now) <= number else None


# --- a way that was stopped -------------------------------------------------------------------------------------------


def _whole_way(before: Iterable[MigratedCard], now: Migration, after: CardSet) -> Migration:
    """Return a migration from what cards were at first to what they are in the end.

    `before` is what should become of the cards as they were, `now` what becomes of them as they are, and `after` the
    resulting set.
    """
    known = {card.before.id: card for card in before}
    ends = {card.id: card for card in after.cards}
    cards = tuple(_card_on_its_way(known.get(card.before.id, card), card, ends[card.before.id]) for card in now.cards)
    return replace(now, card_set=after, cards=cards)


def _card_on_its_way(before: MigratedCard, now: MigratedCard, after: Card) -> MigratedCard:
    """Return what became of a card: what was intended, unless its author changed it since."""
    if before.after == after:
        return before
    old = before.before
    if not now.fate.is_migrated:
        return replace(now, before=old, after=old, reworded=Reworded(old.text))
    if old.text != after.text:
        change = Change(0, len(old.text), old.text, after.text, ())
        return MigratedCard(before=old, after=after, fate=Fate.REFURBISHED, reworded=Reworded(after.text, (change,)))
    numbers_stay = (old.level, old.ultra_points) == (after.level, after.ultra_points)
    return MigratedCard(
        before=old, after=after, fate=Fate.UNCHANGED if numbers_stay else Fate.RELEVELLED, reworded=Reworded(after.text)
    )


# --- what is kept until all is done -----------------------------------------------------------------------------------


def read_kept(out: Path) -> Kept:
    """Return what a folder of outputs keeps; nothing if it is damaged."""
    try:
        kept = parse_json(read_bounded(out / KEPT, _LARGEST, out) or b"", Kept)
    except UNREADABLE:
        return Kept()
    return kept if kept.format == _FORMAT and all(map(_is_sound, kept.sets.values())) else Kept()


def _is_sound(before: Before) -> bool:
    """Return whether it names only files directly in a set's folder, and holds only pictures that we write."""
    names, pictures = {*before.texts, *before.new_texts}, before.pictures.values()
    return (
        before.new_texts.keys() <= before.texts.keys()
        and all(map(_CARD_FILE.fullmatch, names))
        and all(map(_PICTURE.fullmatch, pictures))
    )


def write_kept(out: Path, kept: Kept) -> None:
    """Keep this, and nothing else; without any set, there is no file. OSError."""
    if kept.sets:
        replace_file(out / KEPT, dump_json(kept), out)
    else:
        with suppress(FileNotFoundError):
            remove_file(out / KEPT, out)


class SavedState(Struct, frozen=True):
    """A set as it was: what is kept of it until all is done, and the baseline of the build."""

    kept: Before
    baseline: Baseline


def save_state(transition: SetTransition, made: Callable[[int], object] = lambda _: None) -> SavedState:
    """Return a set as it was; what an earlier run kept comes first. `made` is called for each picture."""
    drawn = faces.lay_out_valid(transition.before)
    looks = digest_set(transition.before, drawn)
    since = f"before the {ordinal(transition.migration.edition)} Edition"
    if transition.kept:
        # As drawn again, which can be painted, unless that gives another picture.
        earlier = recall_set(transition.kept.looks)
        looks = earlier if earlier and earlier != looks else looks
        return SavedState(transition.kept, Baseline(since, looks.mark, looks))
    shown = pictures(drawn, transition.migration.pictured[0], made)
    new_texts = {change.file.name: change.after for change in transition.files}
    kept = Before(_texts(transition.before), new_texts, shown, as_manifest(looks, transition.before.name))
    return SavedState(kept, Baseline(since, looks.mark, looks))


def _texts(card_set: CardSet) -> dict[str, str]:
    """Return the texts of all files of a set, by name."""
    documents = [card_set.source[0]] if card_set.source else []
    documents += {id(card.document): card.document for card in card_set.cards}.values()
    return {document.file.name: document.text for document in documents if not is_table(document.file)}


def pictures(
    fronts: Iterable[faces.Faces], ids: Container[str], made: Callable[[int], object] = lambda _: None
) -> dict[str, str]:
    """Return the fronts of the cards with these ids as data URIs, by id; `made` is called for each."""
    of_ids = {each.card.id: each.front for each in fronts if each.card.id in ids}
    found = {}
    for name, uri in zip(of_ids, data_uris(list(of_ids.values())), strict=True):
        found[name] = uri
        made(1)
    return found
