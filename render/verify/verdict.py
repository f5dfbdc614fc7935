"""The verdict on files of print sheets: everything that is wrong with them, and what was proved.

Each file is checked against its own ticket, the files of one job against each other, and all of them against the card
files of sets if these are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from render.base.findings import Finding, Problem
from render.sheets.options import Backs
from render.verify import against_cards, sheet_file, shop_pictures
from render.verify.against_cards import WantedCards
from render.verify.reading.faults import Fault, NotReadable, fault_findings
from render.verify.reading.ticket import FileSide
from render.verify.sheet import backs, copies
from render.verify.sheet.places import Block
from render.verify.sheet_file import BACKS, COPIES, DRAWINGS, FONTS, SIZES, TOPICS, SheetFile, topic
from render.verify.shop_pictures import ORDER, PictureFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found in files, how much is in them, what is proved right or wrong, and what could not be checked."""

    findings: tuple[Finding, ...]
    sheets: int
    cards: int
    pages: int
    pictures: int
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    unproved: tuple[str, ...]


def verify(paths: Sequence[Path], wanted: WantedCards | None = None) -> Verdict:
    """Return the verdict on files; `wanted` is what sets ask for. OSError; Refused if the cards cannot be drawn.

    A file that is named twice counts once.
    """
    files: list[SheetFile] = []
    folders: list[PictureFolder] = []
    found: list[Finding] = []
    # Of two names of one file the first counts.
    named = [*{(shop_pictures.folder_of(path) or path).resolve(): path for path in reversed(paths)}.values()][::-1]
    for path in named:
        try:
            pictured = shop_pictures.folder_of(path)
            if pictured is not None:
                folders.append(shop_pictures.read(pictured))
                continue
            files.append(sheet_file.read(path))
        except NotReadable as error:
            found += fault_findings(error.faults, path)
    jobs = _jobs(files)
    for job in jobs:
        _hold_together(job)
    _match_up(jobs)
    for file in files:
        if wanted is not None:
            _compare(file, wanted)
        elif file.own_fonts:
            file.unproved[FONTS] = "they are not all those of kotc: give the set that has them"
    for file in files:
        found += fault_findings(file.faults, file.path)
    unproved = [f"{file.path}: {what}: {why}" for file in files for what, why in file.unproved.items()]
    unproved += [f"{job[0].path}: {gap}" for job in jobs for gap in _missing_sheets(job)]
    # A file that could not be read may hold the very cards that seem to be missing.
    if wanted is not None and files and len(files) + len(folders) == len(named):
        found += fault_findings(_by_set(jobs, wanted.copies), named[0] if len(named) == 1 else None)
    for folder in folders:
        found += fault_findings([*folder.faults, *(_pictured(folder, wanted) if wanted else ())], folder.path / ORDER)
        if wanted is None:
            unproved.append(f"{folder.path}: drawings: a picture does not say what it is to show: give the set")
    return _verdict(found, jobs, folders, unproved)


def _pictured(folder: PictureFolder, wanted: WantedCards) -> Iterator[Fault]:
    """Yield how a folder of pictures differs from the cards of sets."""
    yield from copies.by_set((row.card for row in folder.rows for _ in range(row.copies)), wanted.copies)
    yield from shop_pictures.misnamed(folder, wanted.names)
    if folder.shop is not None:
        yield from shop_pictures.unlike(folder, wanted.faces(folder.shop.card, True), wanted.bleed_from)


def _compare(file: SheetFile, wanted: WantedCards) -> None:
    """Add to a file which of its faces are drawn differently than their cards say."""
    if COPIES not in file.looked_at:
        file.unproved[DRAWINGS] = "what is drawn is not all understood"
        return
    file.faults += against_cards.faults(file, wanted)
    file.looked_at.add(DRAWINGS)


def _by_set(jobs: Sequence[Sequence[SheetFile]], wanted: Mapping[str, int]) -> Iterator[Fault]:
    """Yield which cards of sets are not among the fronts of all files as often as they should be."""
    if not all(map(_has_fronts, jobs)):
        yield Fault(
            Problem("Q060", "there are no fronts to be compared with the set", "give the file of the fronts, too")
        )
        return
    shops = [file for job in jobs for file in job if file.ticket.shop]
    for shop in (file.ticket.shop for file in shops if file.ticket.shop):
        # Such a shop takes copies as a number in the order.
        once = {name: number if shop.are_copies else 1 for name, number in wanted.items()}
        yield from copies.by_set(shop.order, once)
    sheets = [file for job in jobs for file in job if not file.ticket.shop]
    if sheets:
        yield from copies.by_set((name for file in sheets for name in file.names(are_backs=False)), wanted)


def _verdict(
    found: Sequence[Finding],
    jobs: Sequence[Sequence[SheetFile]],
    folders: Sequence[PictureFolder],
    unproved: Sequence[str],
) -> Verdict:
    files = [file for job in jobs for file in job]
    looked_at = [file.looked_at for file in files]
    if folders:
        looked_at.append({SIZES, COPIES} | (set() if unproved else {DRAWINGS}))
    wrong = {topic(finding.code) for finding in found}
    right = set().union(*looked_at) - wrong - {one for file in files for one in file.unproved}
    return Verdict(
        findings=tuple(found),
        sheets=sum(len({sheet for file in job for sheet in file.sheets if not file.ticket.shop}) for job in jobs),
        cards=sum(len(file.names(are_backs=not _has_fronts(job))) for job in jobs for file in job)
        + sum(row.copies for folder in folders for row in folder.rows),
        pages=sum(len(file.drawn) for file in files),
        pictures=sum(len(folder.sound) for folder in folders),
        right=tuple(each for each in TOPICS if each in right),
        wrong=tuple(each for each in TOPICS if each in wrong),
        unproved=tuple(unproved),
    )


def _jobs(files: Sequence[SheetFile]) -> list[list[SheetFile]]:
    """Return the files in groups that belong together: parts of one job, without two of the same side of a sheet."""
    jobs: list[list[SheetFile]] = []
    for file in files:
        job = next((job for job in jobs if all(_belong(file, other) for other in job)), None)
        if job is None:
            jobs.append([file])
        else:
            job.append(file)
    return jobs


def _belong(file: SheetFile, other: SheetFile) -> bool:
    if _job_of(file) != _job_of(other):
        return False
    return file.ticket.side is not other.ticket.side or not set(file.sheets) & set(other.sheets)


def _job_of(file: SheetFile) -> tuple[object, ...]:
    said = file.ticket
    shop = said.shop and file.path  # each file for a shop is a job of its own
    return (
        file.document.title, said.paper, said.card, (said.columns, said.rows), said.backs, said.flip, said.sheets, shop
    )  # fmt: skip


_IN_WORDS = ("title", "paper", "card size", "grid", "way of printing backs", "flip", "number of sheets", "shop")


def _match_up(jobs: Sequence[Sequence[SheetFile]]) -> None:
    """Add a fault to files of backs alone that do not belong to the fronts given with them."""
    alone = [job for job in jobs if all(file.ticket.backs is Backs.SEPARATE for file in job)]
    fronts = [job for job in alone if all(file.ticket.side is FileSide.FRONTS for file in job)]
    behind = [job for job in alone if all(file.ticket.side is FileSide.BACKS for file in job)]
    for job in behind if fronts else ():
        for file in job:
            other = fronts[0][0]
            pairs = zip(_IN_WORDS, _job_of(file), _job_of(other), strict=True)
            what = next((word for word, one, meant in pairs if one != meant), "sheets")
            file.faults.append(Fault(Problem("Q050", f"its {what} is not that of `{other.path}`, so they are no pair")))
    for file in (file for job in (*fronts, *behind) if fronts and behind for file in job):
        # Both files were given, so nobody is to be asked for the other one.
        file.unproved.pop(BACKS, None)


def _hold_together(job: Sequence[SheetFile]) -> None:
    """Add to the files of a job what is wrong with backs opposite fronts, and with copies that differ."""
    fronts = {sheet: (file, side) for file in job for sheet, side in file.fronts.items()}
    behind = {sheet: (file, side) for file in job for sheet, side in file.backs.items()}
    for sheet in sorted(fronts.keys() & behind.keys()):
        (file, front), (other, back) = fronts[sheet], behind[sheet]
        for fault in backs.opposite(front, back, Block.of(file.ticket)):
            (other if fault.is_back else file).faults.append(fault)
    for file in job:
        if file.ticket.backs is Backs.SEPARATE and not set(file.sheets) <= fronts.keys() & behind.keys():
            file.unproved.setdefault(BACKS, "fronts and backs are in two files: give both")
        elif file.ticket.backs is not Backs.NONE and BACKS not in file.unproved:
            file.looked_at.add(BACKS)
    shown = [face for number, file in enumerate(job) if COPIES in file.looked_at for face in _shown(number, file)]
    for face, fault in copies.alike(shown):
        job[face.file].faults.append(fault)


def _shown(number: int, file: SheetFile) -> Iterator[copies.ShownFace]:
    for page, drawn in enumerate(file.drawn, start=1):
        for face in drawn.faces:
            card = file.ticket.cards.get(face.name)
            back = card.back if card is not None and face.is_back else None
            yield copies.ShownFace(
                file=number, page=page, card=face.name, is_back=face.is_back, back=back, drawing=face.drawing
            )


def _missing_sheets(job: Sequence[SheetFile]) -> Iterator[str]:
    """Yield a sentence if sheets of a job are in none of the files."""
    here = {sheet for file in job for sheet in file.sheets}
    number = job[0].ticket.sheets
    if len(here) < number:
        yield f"{number - len(here)} of the {number} sheets are in other files"


def _has_fronts(job: Sequence[SheetFile]) -> bool:
    return any(file.ticket.side is not FileSide.BACKS for file in job)
