"""Sets on their way to another edition: what is written into their files, and whether the result is right.

Everything is worked out before anything is written. The migrated texts are read as if they stood in the user's files,
so that mistakes are found while the files are still unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.findings import Diagnostic, Refused, has_errors
from render.base.limits import YAML_FILE
from render.base.reach import read_bounded
from render.build.session import Target
from render.game import faces
from render.game.folder import SET_FILE, SetFiles
from render.games.kotc.checking import findings_by_rules
from render.games.kotc.editions.finding import find
from render.games.kotc.model.cards import CardSet
from render.games.kotc.sets import read_set
from render.games.kotc.workshop.migration.files import FileChange
from render.games.kotc.workshop.migration.migration import Migration, by_rules, migrate, migrated_cards
from render.games.kotc.workshop.migration.whole_way import whole_way
from render.games.kotc.workshop.rebuild.unfinished import Before


@dataclass(frozen=True, slots=True)
class SetTransition:
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


@dataclass(frozen=True, slots=True)
class SetTransitions:
    """Sets on their way together, and what the rules of the new edition find doubtful in them."""

    sets: tuple[SetTransition, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def due(self) -> list[SetTransition]:
        """The sets with anything to do."""
        return [each for each in self.sets if each.is_due]

    @property
    def files(self) -> list[FileChange]:
        """The files to write."""
        return [change for each in self.sets for change in each.files]


class WouldBeWrong(Refused):
    """The sets can be migrated, but the result would have errors."""

    @property
    def has_wrong_numbers(self) -> bool:
        """Whether some errors are about levels or Ultra Points, which follow from the rules of the edition."""
        return any(finding.code in ("V001", "V002") for finding in self.findings)


def work_out(sets: Sequence[Target], number: int, kept: Mapping[str, Before], *, relevel: bool) -> SetTransitions:
    """Work out the way of sets to an edition.

    `kept` is what earlier runs kept, by the names of the sets' folders. Refused with all errors of all sets as they
    are; WouldBeWrong with all errors that they would have in the end.
    """
    ways: list[_Way] = []
    refused: list[Diagnostic] = []
    for target in sets:
        try:
            ways.append(_Way(target, kept.get(target.folder.name), number, relevel))
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
    return SetTransitions(tuple(way.transition(end) for way, end in zip(ways, ends, strict=True)), tuple(warnings))


def _checked(sets: Sequence[CardSet], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return what the rules find doubtful; WouldBeWrong with all findings of `check` if there is an error."""
    drawing = [*found, *(finding for card_set in sets for finding in faces.findings(card_set))]
    ruled = [] if has_errors(drawing) else findings_by_rules(sets)
    if has_errors([*drawing, *ruled]):
        raise WouldBeWrong([*drawing, *ruled])
    return ruled


class _Way:
    """A set that goes to an edition; `files` are those to write."""

    def __init__(self, target: Target, kept: Before | None, number: int, relevel: bool) -> None:
        """Refused with the errors of the set, or if the result cannot be written into its files."""
        self.target, self._kept = target, kept
        # Read as if the stopped run had finished: half a set has cards of two editions.
        half = _half_written(target.files.folder, kept) if kept else {}
        card_set, found = read_set(target.files, {file: change.after for file, change in half.items()})
        if card_set is None or has_errors(found):
            raise Refused(found)
        self._set, self._edition = card_set, find(number, card_set.folder)
        self._relevel = by_rules(self._edition) if relevel else None
        self._migration = migrate(card_set, self._edition, self._relevel)
        more = {change.file: change for change in self._migration.files}
        self.files = tuple(
            replace(half.get(file, change), after=change.after) for file, change in {**half, **more}.items()
        )

    def transition(self, end: CardSet) -> SetTransition:
        """Return the whole way from its beginning, which was before what was kept, if that is of this set and way."""
        started = _as_it_was(self._set, self._kept, self._edition.number) if self._kept else None
        cards = migrated_cards(started or self._set, self._edition, self._relevel)
        told = whole_way(cards, self._migration, end)
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
    files = SetFiles(folder, tuple(folder / name for name in sorted(kept.texts) if name != SET_FILE))
    before, found = read_set(files, {folder / name: text for name, text in kept.texts.items()})
    if before is None or has_errors(found):
        return None
    editions = {card.id: card.edition for card in before.cards}
    now = [card.edition for card in card_set.cards if card.edition != editions.get(card.id, card.edition)]
    return before if now and max(each or 0 for each in now) <= number else None
