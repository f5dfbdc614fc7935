"""The sheets of one or more sets: cards into slots, marks around them, pages into PDF files, all written or none.

Also the ink that they take, and corrections that their files lose.
"""

from __future__ import annotations

import errno
import json
import mmap
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.addresses import Address, Named, Place, Where, given_place
from render.base.files import replace_files
from render.base.findings import Finding, Refused, has_errors, listed
from render.base.geometry import IDENTITY, MM_PER_INCH, Affine, Edges, Size
from render.base.lazily import Lazily
from render.base.patterns import regex
from render.base.progress import in_stage, stage
from render.base.sizes import CARDS
from render.game.cards import GameSet, MissingCard, for_press
from render.game.faces import Faces, Finish, by_shape, lay_out_set
from render.game.home import PLAIN
from render.game.registry import game_of
from render.layout.bleed import add_bleed
from render.scene import proofs
from render.scene.items import DrawnFace, Outline, Placement, Scene, scene_digest
from render.scene.outlines import path_data
from render.scene.proof_kinds import Proof
from render.sheets import imposition, marks
from render.sheets.cut_shapes import cut_outline, turned
from render.sheets.imposition import Grid, Sheet
from render.sheets.options import OPTIONS, Backs, SheetOptions
from render.text import fonts

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from render.pdf import document
    from render.pdf.drawing import Drawer
    from render.pdf.objects import Piece
    from render.pdf.spool import Spool

Made = TypeVar("Made")

FRONTS, BACKS = "-fronts", "-backs"  # suffixes of files with one side
LARGEST = 10**10 - 1  # bytes of a PDF: its usual table says in ten digits where each object begins (ISO 32000-1, 7.5.4)


class PrintJob(Struct, frozen=True, dict=True):
    """What is printed on the same sheets: sets, and the faces of their cards in order.

    Cards that are no rectangles are cut along `cut`, in mm of a card of the size that the options of the sheets say.
    """

    sets: tuple[GameSet, ...]
    faces: tuple[Faces, ...]
    cut: tuple[Outline, ...] = ()

    @property
    def title(self) -> str:
        return ", ".join(card_set.name for card_set in self.sets)

    @cached_property  # what looks at every card is asked for several times
    def about(self) -> str:
        """What the games of the cards say of them on the slug, such as `11th and 17th Edition`."""
        faces: dict[str, list[Faces]] = {}
        for face in self.faces:
            card = face.card
            if not isinstance(card, MissingCard):
                faces.setdefault(card.game_name, []).append(face)
        of_games = (Lazily(some, lambda face: face.card) for some in faces.values())
        return " · ".join(filter(None, (game_of(cards[0]).slug(cards) for cards in of_games)))

    @cached_property
    def names(self) -> Sequence[str]:
        """The cards' ids, with `:2` and so on if several sets have the same id."""
        seen: Counter[str] = Counter()
        names = []
        for name in (face.card.id for face in self.faces):
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name}:{seen[name]}")
        return names

    @property
    def missing(self) -> frozenset[str]:
        """The names of cards with an error, of which there are marked blanks."""
        return frozenset(
            name for name, face in zip(self.names, self.faces, strict=True) if isinstance(face.card, MissingCard)
        )


class SizedJob(NamedTuple):
    """The cards of a job that have one trim size, the options of their sheets, and what the names of their files end in."""

    job: PrintJob
    options: SheetOptions
    suffix: str = ""

    def file(self, file: Where) -> Where:
        """Return the file of these cards, if `file` was asked for."""
        return file.with_name(f"{file.stem}{self.suffix}{file.suffix}")


def by_size(job: PrintJob, options: SheetOptions) -> list[SizedJob]:
    """Return a job in parts, each with cards of one trim size and cut: first those of the size that the options say.

    A grid that is asked for is that of the first.
    """
    parts = by_shape(job.faces, options.card_size)
    sized = [SizedJob(replace(job, faces=tuple(parts.pop((options.card_size, "")))), options)]
    taken: Counter[str] = Counter()
    for (size, cut), faces in parts.items():
        names = [] if size == options.card_size else [_name_of(size)]
        names += [cut if cut.isalpha() else "cut"] if cut else []
        suffix = f"-{'-'.join(names)}"
        taken[suffix] += 1
        outline = cut_outline(cut, size) if cut else ()
        part = replace(job, faces=tuple(faces), cut=outline)
        own = options if size == options.card_size else replace(options, card_size=size, grid=None)
        sized.append(SizedJob(part, own, suffix if taken[suffix] == 1 else f"{suffix}-{taken[suffix]}"))
    return [each for each in sized if any(face.card.copies for face in each.job.faces)] or sized[:1]


def _name_of(size: Size) -> str:
    name = next((name for name, named in CARDS.items() if size in (named, named.sideways)), "")
    return name or f"{size.width:g}x{size.height:g}"


class ImposedJob(NamedTuple):
    """The grid of a job's sheets, and the sheets."""

    grid: Grid
    sheets: Sequence[Sheet]


def grid_of(job: PrintJob, options: SheetOptions, correction: Affine = IDENTITY) -> Grid:
    """Return the grid of a job's sheets, for corrected backs; ValueError if it does not fit the paper."""
    grid = imposition.fit_printable(options, correction)
    if not job.cut:
        return grid
    return replace(grid, cut=job.cut if grid.card == options.card_size else turned(job.cut, options.card_size))


def cards_of_sheets(job: PrintJob, grid: Grid) -> list[list[str]]:
    """Return the names of the cards of each sheet, in the order of its slots."""
    copies = [name for face, name in zip(job.faces, job.names, strict=True) for _ in range(face.card.copies)]
    return [copies[start : start + grid.count] for start in range(0, len(copies), grid.count)]


def sheets(job: PrintJob, options: SheetOptions, correction: Affine = IDENTITY) -> ImposedJob:
    """Return the grid and the imposed sheets, for corrected backs; ValueError if the grid does not fit the paper."""
    grid = grid_of(job, options, correction)
    bled: dict[tuple[int, bool], Scene] = {}  # cards with the same back share its scene, which is drawn once

    def scene(face: Scene, *, is_back: bool) -> Scene:
        if isinstance(face, DrawnFace):  # which is printed as it is
            return face
        key = (id(face), is_back)
        if key not in bled:
            bled[key] = printed(face, options, is_back=is_back)
        return bled[key]

    cards = [
        imposition.ImposedCard(
            scene(each.front, is_back=False),
            each.back and scene(each.back, is_back=True),
            each.card.copies,
            name,
        )
        for each, name in zip(in_stage("impose", "cards", job.faces), job.names, strict=True)
    ]
    with stage("impose", 0):
        return ImposedJob(grid, imposition.impose(cards, grid))


def printed(face: Scene, options: SheetOptions, *, is_back: bool) -> Scene:
    """Return a face as sheets print it: with its bleed, in the inks of a press, or as a proof, which alone is cut out."""
    if isinstance(face, DrawnFace):
        return face
    bleed = options.back_bleed if is_back else options.bleed
    if options.proof is not Proof.NONE:  # it has no color that could bleed
        return proofs.proof(face, options.proof, options.corner_radius)
    if face.cut:
        face = Scene(face.size, face.items)
    if options.for_press:
        from render.exports import press_files
        from render.shops.flattening import inked_face

        return inked_face(face, bleed, options.bleed_from, press_files.look(options))
    return add_bleed(face, bleed, options.bleed_from)


class DrawnBytes(NamedTuple):
    """A face as it was drawn, to be sent: its size, the digest of a back's scene, and its form, with new pieces of it."""

    size: Size
    digest: str
    form: bytes
    pieces: Sequence[tuple[bytes, bytes]]


def drawn_for(options: SheetOptions) -> Finish | None:
    """Return what draws faces as sheets with these options show them.

    None for files without transparency, which have pictures that are drawn as the file is written.
    """
    from render.pdf.drawing import Drawer
    from render.pdf.spool import Spool

    press = None
    if options.for_press:
        from render.exports import press_files

        if not press_files.standard_of(options).transparency:
            return None
        press = press_files.press()
    return Finish(partial(_drawn, Drawer(press, options.art_dpi), options, set()), partial(_kept, Spool()))


_MOST_KNOWN = 4096  # pieces that are not sent again


def _drawn(drawer: Drawer, options: SheetOptions, known: set[bytes], face: Scene, is_back: bool) -> DrawnBytes:
    from render.pdf.spool import packed

    shown = printed(face, options, is_back=is_back)
    form = drawer.single(shown)
    if len(known) > _MOST_KNOWN:  # most are of one card
        known.clear()
    # Only of backs the digest is asked for: a file says which cards have the same one.
    digest = scene_digest(shown) if is_back else ""
    return DrawnBytes(shown.size, digest, form.name, [*packed(form, known)])


def _kept(spool: Spool, made: DrawnBytes) -> DrawnFace:
    for name, data in made.pieces:
        spool.put(name, data)
    return DrawnFace(made.size, (), form=(spool, made.form), digest=made.digest)


class DrawnPages(Protocol):
    """The pages of the sheets of a job that were drawn before."""

    def find(self, number: int, *, is_back: bool) -> document.DrawnPage | None:
        """Return a side of the sheet of that number, from 0, if it is known."""

    def keep(self, number: int, sheet: Sheet, page: Piece, *, is_back: bool) -> object:
        """Be told what a side of a sheet was drawn as."""


class _Pages:
    """Makes the sides of sheets with their marks."""

    def __init__(self, job: PrintJob, imposed_job: ImposedJob) -> None:
        self._grid, self._imposed = imposed_job
        self._about = slug(job, self._grid.options)  # once for all sheets: it takes a look at every card

    def sides(self, number: int) -> Sequence[bool]:
        """Return whether a sheet has a front alone or also a back, perhaps a blank one, so that pages stay paired."""
        return (False,) if self._imposed[number].back is None else (False, True)

    def side(self, number: int, *, is_back: bool, known: DrawnPages | None = None) -> document.Page:
        """Return a side of a sheet, which is told to the known ones once it is drawn."""
        from render.pdf import document

        grid, sheet, options = self._grid, self._imposed[number], self._grid.options
        words = " · ".join(filter(None, (self._about, f"sheet {number + 1} of {len(self._imposed)}")))
        bleed = grid.paper.rect if options.for_press else None
        drawn = partial(known.keep, number, sheet, is_back=is_back) if known else None
        page = partial(document.Page, size=grid.paper, bleed=bleed, drawn=drawn)
        if is_back:
            if not sheet.back:
                return page(placements=())
            behind = marks.back(grid, f"{words} · back", sheet)
            return page(placements=sheet.back, marks=behind, shift=grid.correction)
        both = "front and back" if options.backs is Backs.FOLD else "front"
        return page(placements=sheet.front, marks=marks.front(grid, f"{words} · {both}", sheet))


def sheet_pages(job: PrintJob, imposed_job: ImposedJob, chosen: Iterable[int]) -> Iterator[list[document.Page]]:
    """Yield the sides of the chosen sheets with their marks: the front and, if it has one, the back."""
    pages = _Pages(job, imposed_job)
    for number in chosen:
        yield [pages.side(number, is_back=is_back) for is_back in pages.sides(number)]


class PrintFile(Struct, Generic[Where], frozen=True):
    """A PDF of the sheets with the numbers `chosen`, from 0. `make` gives the parts of one of some of these sheets."""

    name: Where
    chosen: range
    make: Callable[[range, Where], Iterable[bytes]]

    def data(self) -> Iterable[bytes]:
        """Return its parts, one of which is TooLarge if the file would be."""
        return self.make(self.chosen, self.name)

    def volumes(self, number: int) -> list[PrintFile[Where]]:
        """Return it in that many files, if it has as many sheets, with `-1` and so on in their names."""
        most = -(-len(self.chosen) // number)
        parts = (self.chosen[at : at + most] for at in range(0, len(self.chosen), most))
        named = (
            (self.name.with_name(f"{self.name.stem}-{at}{self.name.suffix}"), each) for at, each in enumerate(parts, 1)
        )
        return [PrintFile(name, chosen, self.make) for name, chosen in named]


def in_volumes(file: PrintFile[Where], write: Callable[[Sequence[PrintFile[Where]]], Made]) -> Made:
    """Return what `write` returns of a file, or of as many as it takes for none to be TooLarge; OSError."""
    files = [file]
    while True:
        try:
            return write(files)
        except TooLarge:
            if len(files) == len(file.chosen):
                raise
            files = file.volumes(min(2 * len(files), len(file.chosen)))


def print_files(
    job: PrintJob, imposed_job: ImposedJob, file: Where, known: DrawnPages | None = None
) -> list[PrintFile[Where]]:
    """Return the PDFs of what `sheets` made, if `file` was asked for.

    There are several, with a suffix in their names (`-backs`, `-2`), if backs are separate or sheets are split. Of pages that
    are `known`, the faces are not looked at.
    """
    from render.pdf import document

    options = imposed_job.grid.options
    flip = options.flip if options.backs is Backs.DUPLEX else None
    pdf_options = document.PdfOptions(job.title, flip, art_dpi=options.art_dpi)
    if options.for_press:
        from render.exports import press_files

        pdf_options = replace(pdf_options, press=press_files.press())

    pages = _Pages(job, imposed_job)

    def page(number: int, is_back: bool) -> document.Page | document.DrawnPage:
        drawn = known.find(number, is_back=is_back) if known else None
        return drawn or pages.side(number, is_back=is_back, known=known)

    def data(side: str, chosen: range, name: Place) -> Iterator[bytes]:
        reverse = options.reverse_backs and side == BACKS
        sheets = reversed(chosen) if reverse else chosen
        sides = [(number, back) for number in sheets for back in ((side == BACKS,) if side else pages.sides(number))]
        shown = Lazily(sides, lambda at: page(*at))
        with stage("impose", 0):
            said = json.dumps(ticket(job, imposed_job, chosen, side, is_reversed=reverse), separators=(",", ":"))
        of_file = replace(pdf_options, ticket=said)
        parts: Iterable[bytes] = (
            [press_files.written(shown, of_file, press_files.standard_of(options))]
            if options.for_press
            else document.parts(shown, of_file)
        )
        length = 0
        for part in parts:
            length += len(part)
            if length > LARGEST:
                raise TooLarge(errno.EFBIG, "the PDF would have more than 10 GB", str(name))
            yield part

    return [
        PrintFile(file.with_name(f"{file.stem}{number}{side}{file.suffix}"), chosen, partial(data, side))
        for number, chosen in split(len(imposed_job.sheets), options)
        for side in suffixes(options.backs)
    ]


class TooLarge(OSError):
    """A PDF would have more bytes than all programs can find their way in."""

    hint = "split the sheets with `sheets_per_file`"


def write_job(job: PrintJob, imposed: ImposedJob, file: Where, below: Path | None = None) -> list[Where]:
    """Write the files of a job, all or none, and return them; `below` is as in `base/files`. OSError.

    If one is TooLarge, each gets half as many sheets, until none is.
    """
    grid, count = imposed.grid, len(imposed.sheets)
    most = min(grid.options.sheets_per_file or count, count)
    files = print_files(job, imposed, file)
    try:
        replace_files([(each.name, each.data) for each in files], below)
    except TooLarge:
        if most < 2:
            raise
        halved = replace(grid, options=replace(grid.options, sheets_per_file=-(-most // 2)))
        return write_job(job, imposed._replace(grid=halved), file, below)
    return [each.name for each in files]


def write_sheets(
    sets: Sequence[GameSet],
    file: Named | str,
    options: SheetOptions | None = None,
    *,
    drafts: bool = False,
    executor: Executor | None = None,
) -> list[Named]:
    """Lay the cards of sets out on sheets, each back behind its front, and write these as a PDF.

    `options` say how the sheets are made; without them, `sheet:` of the sets does. Sheets for a press have the cards
    that are drafts only with `drafts`. The workers of an `executor` lay the cards out and draw them; they need the files
    of the sets under the same paths, and leave what they make beside `file` until it is in there, if they can. Return
    the files: one, or several beside `file` if the backs are separate or the sheets are split. Refused with all errors
    of all cards; ValueError if the sets ask for different sheets, the grid does not fit the paper, or there is no set or
    no card with a copy; OSError.
    """
    from render.base.executors import leaving_beside

    if not sets:
        raise ValueError("there are no sets to print")
    made, place = options or shared_options(sheet_options(sets)), given_place(file)
    finish = drawn_for(made)
    faces: list[Faces] = []
    findings: list[Finding] = []
    with leaving_beside(place, executor) as by:
        for card_set in sets:
            # The card's size is one of these options, and decides how its text is set.
            sized = replace(card_set, sheet=made)
            try:
                fit = for_press(sized) if made.for_press else sized
                faces += lay_out_set(fit, finish, executor=by).faces
            except Refused as refused:
                findings += refused.findings
    if has_errors(findings):
        raise Refused(findings)
    job = PrintJob(tuple(sets), tuple(face for face in faces if drafts or not (made.for_press and face.card.draft)))
    if not any(face.card.copies for face in job.faces):
        raise ValueError(f"{job.title}: no card has a copy to print")
    printings = [(each, sheets(each.job, each.options)) for each in by_size(job, made)]
    return [file for each, imposed in printings for file in write_job(each.job, imposed, each.file(place))]


def split(count: int, options: SheetOptions) -> list[tuple[str, range]]:
    """Return which of `count` sheets go into each file, with the file's suffix: `-2`, if there are several files."""
    size = options.sheets_per_file or count or 1
    parts = [range(start, min(start + size, count)) for start in range(0, count, size)]
    return [(f"-{number}" if len(parts) > 1 else "", part) for number, part in enumerate(parts, start=1)]


def suffixes(backs: Backs) -> tuple[str, ...]:
    """Return the suffixes of the files with the sides of the same sheets."""
    return (FRONTS, BACKS) if backs is Backs.SEPARATE else ("",)


def leftovers(file: Place, made: Sequence[Place]) -> list[Path]:
    """Return existing files with names for sheets of `file` that were not made now; at an address none are looked for."""
    if isinstance(file, Address):
        return []
    ours = re.compile(rf"{re.escape(file.stem)}(?:-([1-9]\d*))?(?:-fronts|-backs)?{re.escape(file.suffix)}")
    found = [(ours.fullmatch(path.name), path) for path in file.parent.iterdir() if path not in made]
    return [path for _, path in sorted((int(match[1] or 0), path) for match, path in found if match)]


def sheet_options(sets: Iterable[GameSet]) -> list[SheetOptions]:
    """Return the options of the sheets of each set, and of each set of a deck."""
    return [part.sheet for card_set in sets for part in (card_set.parts or (card_set,))]


def shared_options(asking: Iterable[SheetOptions]) -> SheetOptions:
    """Return the options of which there is one kind alone; ValueError if they differ."""
    first, *others = asking
    differing = [
        option.flag
        for option in OPTIONS
        if any(getattr(other, option.key) != getattr(first, option.key) for other in others)
    ]
    if differing:
        raise ValueError(f"the sets ask for different sheets: choose with {listed(differing, 'and')}")
    return first


def ticket(
    job: PrintJob, imposed_job: ImposedJob, numbers: range, side: str = "", *, is_reversed: bool = False
) -> dict[str, Any]:
    """Return a file's ticket: what it says about its sheets, and `verify` proves. Lengths in mm.

    `sheets` are the first and last of the file and the number of all, counted from 1. A card has its copies in the file
    and a mark that cards with the same back share, or None if it has no back. Of the marks, `white` is how far they keep
    from the edge of the paper, `check` the box of the shorter ruler on fronts, `slug` its text before the number of the
    sheet. `sideways` are the cards whose fronts, and whose backs, are turned by a quarter.
    """
    grid, imposed = imposed_job
    options, at, check = grid.options, grid.correction, marks.check(grid)
    box = check and check.box
    copies, backs, turned = Counter[str](), dict[str, Scene](), list[Placement]()
    for sheet in map(imposed.__getitem__, numbers):
        for face in (*sheet.front, *(sheet.back or ())):
            if face.is_back:
                backs[face.name] = face.face
            else:
                copies[face.name] += 1
            turned += [face] if face.quarters % 2 else []
    marks_of = back_marks(backs.values())
    press = {"standard": options.standard.value, "rich_black": options.rich_black} if options.for_press else {}
    sideways = lying(turned)
    missing = sorted(job.missing & copies.keys())
    return {
        **press,
        "sheets": [numbers.start + 1, numbers.stop, len(imposed)],
        "paper": [grid.paper.width, grid.paper.height],
        "card": [grid.card.width, grid.card.height],
        "grid": [grid.columns, grid.rows],
        "gutter": list(grid.gutter),
        "offset": list(grid.offset),
        "margin": imposition.margin(grid),
        "bleed": [options.bleed, options.back_bleed],
        "where": options.bleed_where.value,
        "bleed_from": options.bleed_from,
        "proof": options.proof.value,
        "radius": options.corner_radius,
        **({"cut": path_data(grid.cut)} if grid.cut else {}),
        "backs": options.backs.value,
        "flip": options.flip.value,
        "fold": "upright" if grid.flip_axis.vertical else "level",
        "correction": [at.a, at.b, at.c, at.d, at.e, at.f],
        "cards": [[name, number, marks_of.get(id(backs.get(name)))] for name, number in sorted(copies.items())],
        "side": side[1:],
        "reversed": is_reversed,
        "marks": {
            "white": options.white_edge,
            "check": [round(length, 4) for length in (box.x, box.y, box.width, box.height)] if box else None,
            "crop": options.crop_marks.value,
            "length": options.mark_length,
            "offset": options.mark_offset,
            "line": options.mark_line,
            "sides": options.mark_sides.value,
            "ruler": options.ruler,
            "slug": slug(job, options) if options.slug else None,
            "cut_line": options.cut_line,
            "registration": options.registration.value,
        },
        **({"missing": missing} if missing else {}),
        **({"sideways": sideways} if sideways else {}),
    }


def lying(faces: Iterable[Placement]) -> list[list[str]]:
    """Return the cards whose fronts, and those whose backs, are turned by a quarter; nothing if there are none."""
    turned = [face for face in faces if face.quarters % 2]
    return [sorted({face.name for face in turned if face.is_back is side}) for side in (False, True)] if turned else []


def back_marks(backs: Iterable[Scene | None]) -> dict[int, str]:
    """Return the marks by which tickets tell backs apart, by the backs' identity; scenes that look the same have one."""
    return {key: scene_digest(back)[:8] for key, back in {id(back): back for back in backs if back}.items()}


def slug(job: PrintJob, options: SheetOptions) -> str:
    versions = dict.fromkeys(each.variant.name or PLAIN for each in job.sets)
    variants = ", ".join(versions) if {*versions} != {PLAIN} else ""
    return " · ".join(filter(None, (printable_title(job.sets), variants, job.about, options.date)))


def printable_title(sets: Iterable[GameSet], face: str = fonts.SANS) -> str:
    """Return the names of sets as a face has them, each once, for variants and languages of a set share its name.

    One with other letters is called by its folder, or not at all.
    """
    names = ((each.name, each.output_name) for each in sets)
    shown = (next((name for name in both if not fonts.missing(name, face)), "") for both in names)
    return ", ".join(dict.fromkeys(filter(None, shown)))


# --- corrections that are lost ----------------------------------------------------------------------------------------

_MARK = b'"correction":['  # of the ticket, which is in the file as it is
_NUMBERS = regex(rb'"correction":\[([-+.e0-9, ]{11,200})\]')


def lost_correction(file: Place) -> str:
    """Return what to say if sheets without a correction replace a file; "" if it has none that would be lost."""
    if isinstance(file, Address):
        return ""
    try:
        with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = _NUMBERS.match(data, max(data.rfind(_MARK), 0))  # from the end: the ticket is written last
            numbers = tuple(float(number) for number in found[1].split(b",")) if found else ()
    except (OSError, ValueError):  # there is no such file, or it is empty
        return ""
    if numbers in ((), tuple(IDENTITY)):
        return ""
    from render.sheets.calibration import printers

    name = ""
    with suppress(Refused, OSError):
        name = next((each.printer for each in printers.calibrations() if tuple(each.correction) == numbers), "")
    whose = f"`{name}`" if name else "a printer"
    flag = f'--printer "{name}"' if name and " " in name else f"--printer {name or 'NAME'}"
    again = f"{flag} corrects it again, and `printer: {name or 'NAME'}` under `sheet` does so always"
    return f"{file} was corrected for {whose} before, and is not any more: {again}"


# --- how much ink sheets take ----------------------------------------------------------------------------------------

# Every printer mixes colors in its own way, so this is an estimate: cyan, magenta and yellow are what red, green and
# blue lack, and what all three have in common is black. Marks, ruler and slug are left out; they take less than 1 %.
TEXT_PAGE = 0.05  # of a page: the coverage of the letter by which the yield of cartridges is stated (ISO/IEC 19752)
_DPI = 50.0

Inks = Sequence[float]
"""Cyan, magenta, yellow and black."""


def ink_use(imposed: ImposedJob) -> tuple[Inks, float]:
    """Return the mean share of a page that each ink covers, and how many pages of text take as much as all sheets.

    OSError if a picture has changed since it was laid out.
    """
    page = imposed.grid.paper.width * imposed.grid.paper.height
    of_faces: dict[tuple[int, Edges], Inks] = {}  # each face is painted once
    total, pages = [0.0] * 4, 0
    for side in (side for sheet in imposed.sheets for side in (sheet.front, sheet.back) if side):
        pages += 1
        for placement in side:
            key = (id(placement.face), placement.bleed)
            if key not in of_faces:
                of_faces[key] = _inks(placement.face, placement.bleed)
            total = [sum_of_ink + share / page for sum_of_ink, share in zip(total, of_faces[key], strict=True)]
    return [share / max(pages, 1) for share in total], sum(total) / TEXT_PAGE


def _inks(face: Scene, bleed: Edges) -> Inks:
    """Return how many square mm of each ink a face takes with its bleed."""
    from render.png.canvas import Canvas
    from render.png.paint import ink_shares, paint

    edges = bleed.left, bleed.top, bleed.right, bleed.bottom
    most = max(edges)
    image = paint(face, Canvas(_DPI, most))
    left, top, right, bottom = (round((most - edge) * _DPI / MM_PER_INCH) for edge in edges)
    shown = image.crop((left, top, image.width - right, image.height - bottom))
    area = (face.size.width + bleed.left + bleed.right) * (face.size.height + bleed.top + bleed.bottom)
    return [share * area for share in ink_shares(shown)]
