"""The verdict on files of print sheets: everything that is wrong with them, and what was proved.

Each file is checked against its own ticket, the files of one job against each other, and all of them against the card
files of sets if these are given. What a file draws byte for byte as it should be needs no picture; all else is drawn, and
compared with what is expected.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Finding
from render.images.press import ART_DPI
from render.scene.items import Scene
from render.sheets.options import Backs
from render.verify import fonts, pdf_file, pictures, places, sheet_file, shop_pictures
from render.verify.content import Face
from render.verify.faces import CardFaces, WantedCards
from render.verify.faults import SEEN, Fault, NotReadable, fault_findings, mm, off
from render.verify.marks import Mark
from render.verify.pictures import Difference, Placed, Resaved, Shift
from render.verify.places import Block
from render.verify.sheet_file import (
    BACKS,
    COPIES,
    DRAWINGS,
    FONTS,
    MARKS,
    PLACES,
    SIZES,
    TOPIC_OF,
    TOPICS,
    SheetFile,
    by_set,
)
from render.verify.shop_pictures import ORDER, PictureFolder
from render.verify.ticket import FileSide, Ticket

# The share of ink that lies elsewhere if a file is taken for what it is, and if it is none of these sheets.
ALIKE, OTHER = 0.01, 0.5
TWICE = 1.5  # times the least that lies elsewhere: what is so near is looked at finely
SEEN_RECOLORED = 4  # of 255: a map of colors that takes them no farther is not told
_OVER = "it would be printed over the card: make the file again"

Key = tuple[str, bool, bytes]
"""A face as it is drawn: its card, whether it is its back, and the digest of its drawing."""

Usual = dict[tuple[str, bool], tuple[bytes, Placed]]
"""What most of the faces show that should be equal: the digest of their drawing, and the first of them."""


class Verdict(Struct, frozen=True, kw_only=True):
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
            folder = shop_pictures.folder_of(path)
            if folder is not None:
                folders.append(shop_pictures.read(folder))
            else:
                files.append(_read(path, wanted))
        except NotReadable as error:
            found += fault_findings([error.fault], path)
    jobs = _jobs(files)
    for job in jobs:
        _hold_together(job)
    _match_up(jobs)
    for job in jobs:
        _look(job, wanted)
    for file in files:
        found += fault_findings(file.faults, file.path)
    unproved = [f"{file.path}: {what}: {why}" for file in files for what, why in file.unproved.items()]
    for job in jobs:
        here, number = {sheet for file in job for sheet in file.ticket.numbers}, job[0].ticket.sheets
        if len(here) < number:
            unproved.append(f"{job[0].path}: {number - len(here)} of the {number} sheets are in other files")
    # A file that could not be read may hold the very cards that seem to be missing.
    if wanted is not None and files and len(files) + len(folders) == len(named):
        found += fault_findings(_by_set(jobs, wanted), named[0] if len(named) == 1 else None)
    for shown in folders:
        faults = [*shown.faults, *(shop_pictures.against(shown, wanted) if wanted else ())]
        found += fault_findings(faults, shown.path / ORDER)
        if wanted is None:
            unproved.append(f"{shown.path}: drawings: a picture does not say what it is to show: give the set")
    return _summed_up(found, jobs, folders, unproved)


def _read(path: Path, wanted: WantedCards | None) -> SheetFile:
    """Return a file of sheets; one that lost its ticket or the places of its cards as the sheets that it looks most like.

    NotReadable; OSError.
    """
    document = pdf_file.read(path)
    is_told = document.ticket is not None and all(page.is_plain for page in document.pages)
    if is_told or wanted is None or not document.pages:
        return sheet_file.read(path, document)
    tried: list[tuple[float, int, SheetFile]] = []
    for file in sheet_file.assumed(path, document, wanted):
        if tried and min(tried)[0] < ALIKE and file.ticket.standard != tried[0][-1].ticket.standard:
            break
        begin, resaved = _begin_of(file), _resaved(file)
        numbers = range(1, len(begin.pages) + 1)
        expected = _expected(begin, _Faces(begin, _card_faces(file, wanted), {}), numbers)
        unlike = pictures.unlikeness(path, *expected, resaved)
        tried.append((unlike + resaved.is_recolored * ALIKE, len(tried), file))
    likely = [file for unlike, _, file in sorted(tried) if unlike < min(OTHER, min(tried)[0] * TWICE)]
    if not likely:
        return sheet_file.read(path, document)
    if len(likely) == 1:
        return likely[0]
    return min(likely, key=lambda file: len(list(_by_picture(_begin_of(file), _card_faces(file, wanted), {}))))


def _begin_of(file: SheetFile) -> SheetFile:
    """Return the first front and the first back."""
    return replace(file, document=file.document._replace(pages=file.document.pages[:2]), pages=file.pages[:2])


def _resaved(file: SheetFile) -> Resaved:
    """Return what another program did to a file: its colors are of another kind if it has none of those due."""
    kind = "rg" if file.ticket.press is None else "k"
    kinds = {ink.split()[-2] for page in file.document.pages for ink in page.inks if " " in ink.strip()}
    return Resaved(kind not in kinds, file.ticket.press is not None)


def _summed_up(
    found: Sequence[Finding],
    jobs: Sequence[Sequence[SheetFile]],
    folders: Sequence[PictureFolder],
    unproved: Sequence[str],
) -> Verdict:
    files = [file for job in jobs for file in job]
    looked_at = [file.looked_at for file in files]
    if folders:
        looked_at.append({SIZES, COPIES} | (set() if unproved else {DRAWINGS}))
    wrong = {TOPIC_OF.get(finding.code, "") for finding in found}
    right = set().union(*looked_at) - wrong - {one for file in files for one in file.unproved}
    return Verdict(
        findings=tuple(found),
        sheets=sum(
            len({sheet for file in job if not file.ticket.shop for sheet in file.ticket.numbers}) for job in jobs
        ),
        cards=sum(len(file.names(are_backs=not _has_fronts(job))) for job in jobs for file in job)
        + sum(row.copies for folder in folders for row in folder.rows),
        pages=sum(len(file.document.pages) for file in files),
        pictures=sum(len(folder.sound) for folder in folders),
        right=tuple(topic for topic in TOPICS if topic in right),
        wrong=tuple(topic for topic in TOPICS if topic in wrong),
        unproved=tuple(unproved),
    )


def _by_set(jobs: Sequence[Sequence[SheetFile]], wanted: WantedCards) -> Iterator[Fault]:
    """Yield which cards of sets are not among the fronts of all files as often as they should be."""
    if not all(map(_has_fronts, jobs)):
        hint = "give the file of the fronts, too"
        yield Fault("Q060", "there are no fronts to be compared with the set", hint=hint)
        return
    files = [file for job in jobs for file in job]
    orders: list[tuple[Ticket, list[str]]] = []
    for shop in (file.ticket for file in files if file.ticket.shop):
        parts = (order for first, order in orders if first.shop == shop.shop and not {*order} & {*shop.order})
        order = next(parts, None)  # of an order that is too large for one file
        if order is None:
            orders.append((shop, order := []))
        order += shop.order
    for shop, order in orders:
        # Such a shop takes copies as a number in the order.
        once = {name: number if shop.are_copies else 1 for name, number in wanted.copies.items()}
        yield from by_set(order, once, wanted.drafts)
    sheets = [file for file in files if not file.ticket.shop]
    if sheets:
        yield from by_set(
            (name for file in sheets for name in file.names(are_backs=False)), wanted.copies, wanted.drafts
        )


def _has_fronts(job: Sequence[SheetFile]) -> bool:
    return any(file.ticket.side is not FileSide.BACKS for file in job)


# --- files that belong together -------------------------------------------------------------------------------------


def _jobs(files: Sequence[SheetFile]) -> list[list[SheetFile]]:
    """Return the files in groups that belong together: parts of one job, without two of the same side of a sheet."""
    jobs: list[list[SheetFile]] = []
    for file in files:
        for job in jobs:
            if all(_job_of(file) == _job_of(other) and not _overlap(file, other) for other in job):
                job.append(file)
                break
        else:
            jobs.append([file])
    return jobs


def _overlap(file: SheetFile, other: SheetFile) -> bool:
    return file.ticket.side is other.ticket.side and bool(set(file.ticket.numbers) & set(other.ticket.numbers))


def _job_of(file: SheetFile) -> dict[str, object]:
    said = file.ticket
    return {
        "title": file.document.title, "paper": said.paper, "card size": said.card, "shape": said.cut, "grid": said.grid,
        "way of printing backs": said.backs, "flip": said.flip, "number of sheets": said.sheets,
        "shop": said.shop and file.path,  # each file for a shop is a job of its own
    }  # fmt: skip


def _match_up(jobs: Sequence[Sequence[SheetFile]]) -> None:
    """Add a fault to files of backs alone that do not belong to the fronts given with them."""
    alone = [job for job in jobs if all(file.ticket.backs is Backs.SEPARATE for file in job)]
    fronts, behind = (
        [job for job in alone if all(file.ticket.side is side for file in job)]
        for side in (FileSide.FRONTS, FileSide.BACKS)
    )
    if not fronts or not behind:
        return
    other = fronts[0][0]
    for file in (file for job in behind for file in job):
        meant = _job_of(other)
        what = next((word for word, value in _job_of(file).items() if value != meant[word]), "sheets")
        file.faults.append(Fault("Q050", f"its {what} is not that of `{other.path}`, so they are no pair"))
    for file in (file for job in (*fronts, *behind) for file in job):
        file.unproved.pop(BACKS, None)  # both were given, so nobody is to be asked for the other one


def _hold_together(job: Sequence[SheetFile]) -> None:
    """Add to the files of a job what is wrong with backs opposite fronts."""
    fronts = {sheet: (file, side) for file in job for sheet, side in file.fronts.items()}
    behind = {sheet: (file, side) for file in job for sheet, side in file.backs.items()}
    for sheet in sorted(fronts.keys() & behind.keys()):
        (file, front), (other, back) = fronts[sheet], behind[sheet]
        for fault in places.opposite(front, back, Block.of(file.ticket)):
            (other if fault.is_back else file).faults.append(fault)
    for file in job:
        if file.ticket.backs is Backs.SEPARATE and not set(file.ticket.numbers) <= fronts.keys() & behind.keys():
            file.unproved.setdefault(BACKS, "fronts and backs are in two files: give both")
        elif file.ticket.backs is not Backs.NONE and BACKS not in file.unproved:
            file.looked_at.add(BACKS)


# --- what is drawn --------------------------------------------------------------------------------------------------


def _look(job: Sequence[SheetFile], wanted: WantedCards | None) -> None:
    """Add to the files of a job what is drawn otherwise than it should be."""
    usual = _usual(job)
    for file in job:
        cards = None
        if wanted is not None:
            cards = _card_faces(file, wanted)
            if file.own_fonts and not file.ticket.assumed:
                file.faults += fonts.wrong_fonts(file.own_fonts, cards.readings())
            file.looked_at.add(DRAWINGS)
        elif file.own_fonts:
            file.unproved[FONTS] = "they are not all those of kotc: give the set that has them"
        try:
            faults = list(_by_picture(file, cards, usual)) if file.pages else []
            file.faults += faults
            if faults and file.ticket.assumed:  # what is seen otherwise may lie elsewhere
                file.looked_at -= {PLACES, BACKS, COPIES}
        except NotReadable as error:
            file.faults.append(error.fault)
            file.unproved |= dict.fromkeys((DRAWINGS, MARKS), "what is drawn cannot be looked at")


def _card_faces(file: SheetFile, wanted: WantedCards) -> CardFaces:
    return CardFaces(wanted.faces(file.ticket.card, file.ticket.press is not None), file.ticket)


def _usual(job: Sequence[SheetFile]) -> Usual:
    """Return what the fronts of a card show, and the backs of cards that share one; those that should differ are faults."""
    alike: dict[tuple[str, bool], list[tuple[SheetFile, int, int, Face]]] = {}
    for file in job if not job[0].ticket.assumed else ():
        for number, page in enumerate(file.document.pages, start=1):
            for at, face in enumerate(page.faces):
                alike.setdefault(_kin(file, face), []).append((file, number, at, face))
    usual: Usual = {}
    owners: dict[bytes, str] = {}
    for key, faces in alike.items():
        most = Counter(face.digest for *_, face in faces).most_common(1)[0][0]  # of equally many, what comes first
        file, number, at, face = next(each for each in faces if each[-1].digest == most)
        usual[key] = most, Placed(face.place, face.window, path=str(file.path.absolute()), page=number, number=at)
        if face.is_back and face.name in file.ticket.cards and owners.setdefault(most, key[0]) != key[0]:
            what = "drawn like the back of other cards, and to be another"
            file.faults.append(Fault("Q060", what, number, face.name, True, kind="confused"))
    return usual


def _kin(file: SheetFile, face: Face) -> tuple[str, bool]:
    back = file.ticket.cards.get(face.name, (0, None))[1]
    return (back if face.is_back and back is not None else face.name), face.is_back


class _Faces:
    """The faces that a file should show: those of cards, or else what most of the copies show."""

    def __init__(self, file: SheetFile, cards: CardFaces | None, usual: Usual) -> None:
        self.file, self.cards, self._usual = file, cards, usual
        self._proven = cards.prove(file.faces) if cards else set[Key]()

    def scene(self, face: Face) -> Scene | None:
        return self.cards.scene(face.name, is_back=face.is_back) if self.cards else None

    def is_right(self, face: Face) -> bool:
        """Return whether a face is drawn byte for byte as it should be."""
        if self.scene(face):
            return (face.name, face.is_back, face.digest) in self._proven
        return self._usual[_kin(self.file, face)][0] == face.digest

    def seen_on(self, face: Face) -> tuple[str, str, str, str]:
        """Return the code, the message, the kind and the hint for a face that looks otherwise."""
        if self.is_right(face):
            return "Q080", "something lies over it that is none of its own, or hides it", "", _OVER
        if self.scene(face):
            return "Q090", "it looks otherwise than its card", "", ""
        return "Q060", "not drawn like the other copies, or something lies over it", "", ""

    def unseen_on(self, face: Face, shift: Shift) -> Iterator[tuple[str, str, str, str]]:
        """Yield the same for what is hardly seen: a place, a comma for a full stop, other inks of a press."""
        ticket = self.file.ticket
        if ticket.assumed and math.hypot(*shift) > SEEN:
            yield "Q040", off(*shift), "place", ""
        if ticket.assumed or self.cards is None or self.is_right(face):
            return
        due = self.cards.drawing(face)
        if face.letters != due.letters:
            yield "Q090", "it has other letters than its card", "", ""
        if ticket.standard and set(face.inks) != set(due.inks):
            yield "Q090", "it is printed in other inks than its card, or overprints otherwise", "", ""

    def placed(self, face: Face, drawn: list[Scene]) -> Placed:
        """Return what is to be in the place of a face; its card's scene is added to `drawn` if it is not there."""
        scene, is_right = self.scene(face), self.is_right(face)
        if scene is None:
            same = self._usual[_kin(self.file, face)][1]
            return same._replace(place=face.place, window=face.window, is_right=is_right)
        at = next((number for number, each in enumerate(drawn) if each is scene), len(drawn))
        if at == len(drawn):
            drawn.append(scene)
        return Placed(face.place, face.window, at, is_right=is_right)


def _by_picture(file: SheetFile, cards: CardFaces | None, usual: Usual) -> Iterator[Fault]:
    """Yield what looks otherwise on pages that do not draw exactly what they should."""
    faces, pages = _Faces(file, cards, usual), file.document.pages
    doubtful = [
        number
        for number, (page, due) in enumerate(zip(pages, file.pages, strict=True), start=1)
        if not due.is_right or not all(map(faces.is_right, page.faces))
    ]
    if cards and not all(map(faces.is_right, file.faces)):
        # Pictures may have another resolution than usual, which they show.
        art_dpi = pictures.picture_dpi(file.path, doubtful)
        if art_dpi not in (0, ART_DPI):
            cards = replace(cards, art_dpi=art_dpi, _drawings={}, _sets={})
            faces = _Faces(file, cards, usual)
    off_size = {fault.page for fault in file.faults if fault.code == "Q010"}
    if off_size.intersection(doubtful):
        file.unproved |= dict.fromkeys((DRAWINGS, MARKS), "pages are not of the size of the paper")
    numbers = [number for number in doubtful if number not in off_size]
    if not numbers:
        return
    compared = pictures.compare(
        file.path,
        *_expected(file, faces, numbers),
        resaved=_resaved(file) if file.ticket.assumed else None,
    )
    if compared.recolored > SEEN_RECOLORED:
        file.unproved["colors"] = (
            f"another program changed them, by up to {compared.recolored:.0f} of 255;"
            " all were judged by one smooth map of them"
        )
    for number, (differences, shifts) in zip(numbers, compared.pages, strict=True):
        page, due = pages[number - 1], file.pages[number - 1]
        seen = {difference.face for difference in differences}
        for at, (face, shift) in enumerate(zip(page.faces, shifts, strict=True)):
            for code, what, kind, hint in [faces.seen_on(face)] if at in seen else faces.unseen_on(face, shift):
                yield Fault(code, what, number, face.name, face.is_back, file.slots.get(id(face), ""), kind, hint)
        yield from _beside([each for each in differences if each.face < 0], due.marks, number)
        if not (differences or due.is_right or file.ticket.assumed or set(page.inks) <= set(due.inks)):
            yield Fault("Q080", "marks are printed in other inks than they should be", number)


def _expected(
    file: SheetFile, faces: _Faces, numbers: Sequence[int]
) -> tuple[list[tuple[int, list[Placed]]], bytes, bytes]:
    """Return the faces that are to be on pages, and PDFs of their marks and of the faces."""
    drawn: list[Scene] = []
    tasks = [
        (number, [faces.placed(face, drawn) for face in file.document.pages[number - 1].faces]) for number in numbers
    ]
    marks = sheet_file.draw_marks(file, [number - 1 for number in numbers])
    return tasks, marks, faces.cards.draw(drawn) if faces.cards and drawn else b""


def _beside(differences: Sequence[Difference], marks: Sequence[Mark], page: int) -> Iterator[Fault]:
    """Yield what is printed beside the cards and is no mark, and which marks are not as they should be."""
    ways: dict[tuple[str, str], list[Difference]] = {}
    for each in differences:
        x, y = each.box.center
        near = [mark for mark in marks if mark.box.x <= x <= mark.box.right and mark.box.y <= y <= mark.box.bottom]
        name = min(near, key=lambda mark: mark.box.width * mark.box.height).name if near else ""
        if each.should_have and name:
            what = "looks otherwise" if each.has_ink else "is missing, or a part of it"
        else:
            name, what = "", "is none of the marks" if each.has_ink else "is missing"
        ways.setdefault((name, what), []).append(each)
    for (name, what), some in ways.items():
        box = some[0].box
        at = f" at {mm(box.x)}, {mm(box.y)} mm"
        more = f", and so in {len(some) - 1} more places" if some[1:] else ""
        the = "the" if name in ("ruler", "second ruler", "slug") else "a"
        subject = (
            f"{the} {name} {what}{at}" if name else f"something of {mm(box.width)} x {mm(box.height)} mm{at} {what}"
        )
        yield Fault("Q080", subject + more, page)
