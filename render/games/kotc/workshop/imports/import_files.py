"""Import files as cards of a set: what is there is brought up to date, and what people changed stays."""

from __future__ import annotations

import bz2
import lzma
import math
import zlib
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from render.base.files import Paths, as_paths, remove_leftovers_in
from render.base.findings import Diagnostic, Refused, Severity, Span, has_errors, listed, quoted, sort_findings
from render.base.limits import IMPORTED
from render.base.progress import in_stage
from render.base.reach import read_bounded
from render.game import ids
from render.game.authoring.change_set import FileChange, OtherFile, joined, write_all
from render.game.authoring.pictures import ART
from render.game.file_names import free_name
from render.game.folder import SET_FILE
from render.game.sources import survey
from render.games.kotc.files.keys import SMALLEST
from render.games.kotc.workshop.imports.imported import ImportedCard, said_by
from render.games.kotc.workshop.imports.merging import MEMORY_FILE, Remembered, digest, recall, written
from render.games.kotc.workshop.imports.planning import (
    OF_SET,
    ImportPlan,
    KnownCard,
    SetFolder,
    by_ids_now,
    common_values,
    find_known,
    new_set,
    picture_name,
    picture_of,
    plan_import,
)
from render.source import reader

OUR_GAME = "kotc"
_USUAL_LEAST = 5.0  # pt: the least size of ability texts unless a set says otherwise


class WrittenCard(Struct, frozen=True):
    """A card that was imported: where from, its id, its card file, and what became of it.

    `outcome` is `new`, `changed` or `unchanged`.
    """

    source: Path
    card: str
    file: Path
    outcome: str


class ImportReport(Struct, frozen=True):
    """What became of files: how many they are, the cards, all findings, and the changes to card files.

    A file with an error gave no card. `checked` are the cards that were found in the set as they were written, when it
    was read again.
    """

    files: int
    cards: tuple[WrittenCard, ...]
    findings: tuple[Diagnostic, ...]
    changes: tuple[FileChange, ...]
    checked: int


def import_cards(files: Paths, folder: Path | str, *, dry_run: bool = False) -> ImportReport:
    """Make cards of files in the folder of a set, which is made if there is none.

    A card that is there is brought up to date: its keys get what the file says otherwise than at the last import. Keys
    that a person changed stay, and so do comments. A file with an error gives no card; each of the others gives one. In
    the end the set is read again. With `dry_run` nothing is written. Refused if the set cannot be read. OSError.
    """
    by_place: dict[Path, Path] = {}
    for file in as_paths(files):
        by_place.setdefault(file.resolve(), file)  # one file may be named by several paths, or by a link
    sources = list(by_place.values())
    with TemporaryDirectory(prefix="kotc-") as scratch:
        run = _Import(Path(folder), Path(scratch), dry_run=dry_run)
        run.read(sources)
        run.write()
        checked = 0 if dry_run else run.check()
    findings = tuple(sort_findings(run.findings))
    return ImportReport(len(sources), tuple(run.cards), findings, tuple(run.changes), checked)


class _Draft(Struct, frozen=True):
    """A card that was read; its picture waits in a file of its own, so that only one is in memory at a time."""

    card: ImportedCard
    picture: Path | None
    digest: str
    known: KnownCard


class _Import:
    """One import into one folder."""

    def __init__(self, folder: Path, scratch: Path, *, dry_run: bool) -> None:
        self.cards: list[WrittenCard] = []
        self.findings: list[Diagnostic] = []
        self.changes: list[FileChange] = []
        self._folder, self._scratch, self._dry_run = folder, scratch, dry_run
        self._set = SetFolder(folder)
        _check_home(folder, self._set.declared)
        recalled, self._recalled = recall(folder)
        self._memory = by_ids_now(self._set, recalled)
        self._drafts: list[_Draft] = []
        self._pictures: list[OtherFile] = []
        self._ids: Collection[str] = ()

    # --- reading -----

    def read(self, files: Collection[Path]) -> None:
        """Read all files; what is wrong with one does not stop the others."""
        for file in in_stage("read", "files", files):
            try:
                self._drafts.append(self._draft(_read(file)))
            except Refused as refused:
                self.findings += refused.findings
        known_cards = find_known(self._set, self._memory, [(draft.card, draft.digest) for draft in self._drafts])
        # Ids that are taken, and the files that their cards are of.
        taken = {card: place.document.file for card, place in self._set.by_id.items()}
        for number, (draft, known) in enumerate(zip(self._drafts, known_cards, strict=True)):
            there = known.place.values if known.place else {}
            agreed = [key for key in draft.card.unsure if there.get(key) == draft.card.values[key]]
            self.findings += [each for each in draft.card.findings if each.field not in agreed]
            card = draft.card if known.place else self._apart(draft.card, taken)
            self._drafts[number] = replace(draft, card=card, known=known)
        self._ids = taken.keys()

    def _apart(self, card: ImportedCard, taken: dict[str, Path]) -> ImportedCard:
        """Return a new card, with an id of its own if another card has its id, and take that."""
        stem, folded = ids.slug(card.source.stem), card.id.casefold()
        other = taken.get(card.id)
        if other is None and not card.id.isascii():  # two small letters may have one capital
            other = next((file for name, file in taken.items() if name.casefold() == folded), None)
        if other is not None:
            own = stem if ids.is_id(stem) and stem not in taken else free_name(card.id, taken=taken)
            message = f"`{card.source}` gives a card with the id `{card.id}`, and so does `{other}`"
            problem = Diagnostic("X014", message, f"it gets the id `{own}`", Severity.WARNING)
            self.findings.append(problem.at(Span(file=card.source), card.id))
            card = replace(card, own_id=own)
        taken[card.id] = card.source
        return card

    def _draft(self, card: ImportedCard) -> _Draft:
        if not card.picture:
            return _Draft(card, None, "", KnownCard(None))
        waiting = self._scratch / f"{len(self._drafts)}.png"
        waiting.write_bytes(card.picture)
        return _Draft(replace(card, picture=b""), waiting, digest(card.picture), KnownCard(None))

    # --- writing -----

    def write(self) -> None:
        """Work out all cards, one after the other, and write them, their pictures and what the next import must know."""
        declared = self._set.declared
        of_set = common_values(draft.card for draft in self._drafts) if declared is None else declared
        for draft in self._drafts:
            self._plan_card(draft, {key: of_set[key] for key in OF_SET if key in of_set})
        self._finish_set(declared, of_set)
        self.changes = joined(self.changes)
        if self.cards and not self._dry_run:
            remove_leftovers_in([self._folder, self._folder / ART])
            memory = FileChange(self._folder / MEMORY_FILE, self._recalled, written(self._memory))
            write_all(self.changes, pictures=self._pictures, memory=memory, below=self._folder)

    def _plan_card(self, draft: _Draft, of_set: Mapping[str, str]) -> None:
        known = draft.known
        if known.place:  # another card of its file may have changed since
            known = replace(known, place=self._set.now(known.place))
        name = picture_name(self._set, draft.card, known, self._memory, draft.digest) if draft.picture else ""
        try:
            plan = plan_import(self._set, draft.card, name, known, of_set, self._ids)
        except Refused as refused:
            self.findings += refused.findings
            return
        self.findings += plan.findings
        picture = self._picture(draft, plan, known.last)
        self._pictures += [(picture[0], picture[1].read_bytes)] if picture else []
        changed = plan.change.before != plan.change.after
        outcome = "new" if known.place is None else "changed" if changed or picture else "unchanged"
        self._memory.pop(known.id, None)
        self._remember(draft, plan, known.last, outcome)

    def _picture(self, draft: _Draft, plan: ImportPlan, last: Remembered | None) -> tuple[Path, Path] | None:
        """Return the file of a card's picture and the new one, if it must be written; a person's stays."""
        if plan.picture is None or draft.picture is None:
            return None
        held = read_bounded(plan.picture, IMPORTED.most, self._folder)
        found = digest(held) if held is not None else ""
        if held is None:
            return plan.picture, draft.picture
        if draft.digest == found or (last and draft.digest == last.picture):
            return None
        if last and last.complete and not draft.card.complete:
            return None  # the file that it was made of had it better
        if last and found == last.picture:
            return plan.picture, draft.picture
        message = f"`{plan.picture}` is not the picture that an import wrote: it stays"
        hint = "to have that of the file, delete it and import again"
        self.findings.append(
            Diagnostic("X028", message, hint, Severity.WARNING).at(Span(file=draft.card.source), plan.card)
        )
        return None

    def _remember(self, draft: _Draft, plan: ImportPlan, last: Remembered | None, outcome: str) -> None:
        change = plan.change
        self._set.put(reader.read_as(change.after, change.file))
        self.cards.append(WrittenCard(draft.card.source, plan.card, change.file, outcome))
        self.changes.append(change)
        # What a picture does not show is remembered of the file that did.
        better = last if last and last.complete and not draft.card.complete else None
        self._memory[plan.card] = Remembered(
            source=better.source if better else draft.card.source.name,
            file=change.file.name,
            values=plan.said,
            picture=better.picture if better else draft.digest or (last.picture if last else ""),
            complete=better is not None or draft.card.complete,
        )

    # --- the set -----

    def _finish_set(self, declared: Mapping[str, str] | None, of_set: Mapping[str, str]) -> None:
        """Write `set.yaml` if there is none; else say if its least size of texts is larger than a card needs."""
        if not self.cards:
            return
        least = self._least_text()
        file = self._folder / SET_FILE
        if declared is None:
            sizes = {"least_text": f"{least:g}"} if least < _USUAL_LEAST else {}
            text = new_set(self._folder, {**of_set, **sizes})
            self.changes.insert(0, FileChange(file, "", text))
        elif least < _declared_least(declared):
            message = (
                f"texts of these cards are set at {least:g} pt, and `{file}` allows {_declared_least(declared):g} pt"
            )
            problem = Diagnostic("X029", message, f"write `least_text: {least:g}` in it", Severity.WARNING)
            self.findings.append(problem.at(Span(file=file)))

    def check(self) -> int:
        """Read the set again, and return how many cards are in it as they were written.

        What is wrong with them is said, such as a name that no font can show; only a card that is missing is an error.
        """
        sets, findings = survey([self._folder]) if self.cards else ([], [])
        cards = [card for card_set in sets for card in (*card_set.cards, *(flaw.card for flaw in card_set.flawed))]
        there = {card.id: (card.document.file, said_by(card.node)) for card in cards}
        missing = set[str]()
        for card in self.cards:
            values = self._set.by_id[card.card].values
            picture = picture_of(values)
            if there.get(card.card) != (card.file, values) or (picture and not (self._folder / picture).is_file()):
                missing.add(card.card)
        written = {card.card for card in self.cards} - missing
        for finding in filter(lambda each: has_errors([each]), findings):
            if finding.card in written:
                self.findings.append(replace(finding, severity=Severity.WARNING))
            elif finding.card in missing or (missing and not finding.card):
                self.findings.append(finding)
        return len(self.cards) - len(missing)

    def _least_text(self) -> float:
        """Return the least size of the texts in pt, rounded down to a tenth."""
        sizes = [float(size) for draft in self._drafts if isinstance(size := draft.card.values.get("text_size"), str)]
        return max(SMALLEST, math.floor(min(sizes, default=_USUAL_LEAST) * 10) / 10)


def _check_home(folder: Path, declared: Mapping[str, str] | None) -> None:
    """Refused if the folder is no place for cards of this game: one of sets, or the set of another game."""
    game = (declared or {}).get("game", OUR_GAME)
    if game != OUR_GAME:
        message = f"the set in `{folder}` is of the game {quoted(game)}, and these are cards of `{OUR_GAME}`"
        raise Refused([Diagnostic("X017", message, "give the folder of another set").at(Span(file=folder / SET_FILE))])
    if declared is None and folder.is_dir() and any(folder.glob(f"*/{SET_FILE}")):
        message = f"`{folder}` is a folder of sets"
        raise Refused([Diagnostic("X018", message, f"give one for these cards: --to {folder / 'imported'}").at()])


def _declared_least(declared: Mapping[str, str]) -> float:
    try:
        return float(declared.get("least_text", _USUAL_LEAST))
    except ValueError:  # which `check` says
        return _USUAL_LEAST


def _read(file: Path) -> ImportedCard:
    """Return the card of a file; Refused if there is none in it."""
    try:
        too_large = file.stat().st_size > IMPORTED.most
    except (OSError, ValueError):
        too_large = False  # which `read_bytes` says better
    if too_large:
        message = f"`{file}` is larger than {IMPORTED}"
        raise Refused(
            [Diagnostic("X010", message, "merge or remove layers that the card does not need").at(Span(file=file))]
        )
    data = unpacked(reader.read_bytes(file, IMPORTED.most), IMPORTED.most)
    if data is None:
        message = f"`{file}` is packed, and cannot be unpacked to at most {IMPORTED}"
        raise Refused([Diagnostic("X010", message, "unpack it, or save it in GIMP as `.xcf`").at(Span(file=file))])
    return reader_of(file, data)(file, data)


# --- which reader makes a card of a file: by how it begins, and not by its name --------------------------------------

ReadFile = Callable[[Path, bytes], ImportedCard]
"""Makes a card of a file's bytes; Refused with what is wrong if it cannot."""


class FileReader(Struct, frozen=True):
    """A kind of file: what such files are called, how each begins, and the function of a module that reads it.

    The module is imported when there is such a file: most need libraries that the others do without.
    """

    called: str
    begins: tuple[bytes, ...]
    module: str
    function: str

    def load(self) -> ReadFile:
        """Import the function."""
        found: ReadFile = getattr(import_module(self.module), self.function)
        return found


# The first bytes of a PNG (PNG 5.2) and of a JPEG (ISO 10918-1, B.1.1.3).
_PICTURES = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"

READERS = (
    FileReader("GIMP files", (b"gimp xcf ",), "render.games.kotc.workshop.imports.xcf.cards", "read_xcf_card"),
    FileReader(
        "pictures of cards (PNG, JPEG)",
        _PICTURES,
        "render.games.kotc.workshop.recognition.card_reading",
        "read_picture_card",
    ),
)
"""All kinds of files that cards can be made of."""


def reader_of(file: Path, data: bytes) -> ReadFile:
    """Return the function that reads a file; Refused if it is of no known kind."""
    for each in READERS:
        if data.startswith(each.begins):
            return each.load()
    kinds = listed([each.called for each in READERS]).replace("`", "")
    message = f"`{file}` is of a kind that no card can be made of"
    raise Refused([Diagnostic("X011", message, f"cards are made of {kinds}").at(Span(file=file))])


# --- files that were packed whole, as GIMP writes .xcf.gz, .xcf.bz2 and .xcf.xz --------------------------------------


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_GZIP = 16 + 15  # of zlib: with the header of gzip, and the largest window


def unpacked(data: bytes, largest: int) -> bytes | None:
    """Return the bytes that are packed in others, or the bytes themselves if they are not packed.

    None if they are damaged, or unpack to more than `largest` bytes; no more than that is unpacked.
    """
    unpacker = _unpacker(data)
    if unpacker is None:
        return data
    try:
        found = unpacker.decompress(data, largest + 1)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        return None
    return found if unpacker.eof and len(found) <= largest else None


def _unpacker(data: bytes) -> _Unpacker | None:
    if data.startswith(b"\x1f\x8b\x08"):
        return zlib.decompressobj(_GZIP)
    if data.startswith(b"BZh"):
        return bz2.BZ2Decompressor()
    if data.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=64 << 20)
    return None
