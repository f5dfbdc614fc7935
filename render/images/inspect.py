"""The pictures that cards name: whether they can be used, what is doubtful about them, where they go on the card."""

from __future__ import annotations

import enum
import hashlib
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from threading import Event, Thread

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity, Span
from render.base.geometry import MM_PER_INCH, Rect, Size
from render.base.interrupts import defer_interrupt
from render.base.patterns import regex
from render.base.progress import stage
from render.images.decode import check_picture, read_picture
from render.images.files.parts import UnusablePicture

LOWEST_DPI = 150  # below it pixels show at arm's length
GOOD_DPI = 300  # what print shops ask for

_MAX_FOUND = 5000  # pictures of a set that are looked through for the name of a missing one
_MAX_COMPARED = 500  # file names that are compared with a missing one, for a hint
_PICTURE_ENDINGS = {".avif", ".jpg", ".jpeg", ".png", ".svg", ".webp"}


class Scaling(enum.Enum):
    """How a picture of one shape goes into a box of another; the values are SVG's words (SVG 1.1, 7.8)."""

    MEET = "meet"
    SLICE = "slice"
    STRETCH = "none"


ZOOMS = 1.0, 20.0  # from the least to the most
WHOLE = Rect(0.0, 0.0, 1.0, 1.0)


class Framing(Struct, frozen=True, kw_only=True):
    """How the author of a card frames a picture, whatever box its template gives it.

    `focus`, a point, and `crop`, a part, are in shares of the picture's width and height. It is turned by `turn`
    degrees clockwise. Without `scaling` the template says how it fills the box. `tone` is as in `images/tones`.
    """

    focus: tuple[float, float] | None = None
    zoom: float = 1.0
    crop: Rect = WHOLE
    turn: float = 0.0
    scaling: Scaling | None = None
    tone: str = ""


PLAIN = Framing()


class Artwork(Struct, frozen=True):
    """A picture that can be drawn: `digest` is the SHA-256 of its file, `width` and `height` in pixels, upright.

    It `is_sheer` if anything shows through it.
    """

    file: Path
    digest: str
    width: int
    height: int
    framing: Framing = PLAIN
    is_sheer: bool = False

    @property
    def shape(self) -> Size:
        """Width and height of what is used of it, in pixels; turned by a quarter, they are exchanged."""
        crop = self.framing.crop
        size = Size(self.width * crop.width, self.height * crop.height)
        return size.sideways if self.framing.turn % 180 == 90 else size


class PictureReference(Struct, frozen=True):
    """Where a card names a picture: the author's words, their place or what tells it, the card's id and the key."""

    name: str
    place: Span | Callable[[], Span] | None = None
    card: str = ""
    field: str = "art"

    @property
    def span(self) -> Span | None:
        """The place. It is looked up only when it is asked for, since most pictures are right."""
        return self.place() if callable(self.place) else self.place

    def finding(self, code: str, message: str, hint: str, severity: Severity = Severity.ERROR) -> Diagnostic:
        """Return a finding at this place."""
        return Diagnostic(code, message, hint, severity=severity).at(self.span, self.card, self.field)

    def about(self, problem: Diagnostic, file: Path, place: tuple[int, int] | None = None) -> Diagnostic:
        """Return a problem of the picture as a finding here, or at `place` in the picture's own file."""
        named = replace(problem, message=f"the picture `{self.name}` {problem.message}")
        if place:
            return named.at(_within(self._as_named(file), file, place))  # once, however many show it
        return named.at(self.span, self.card, self.field)

    def _as_named(self, file: Path) -> Path:
        """Return the file as the author would name it: relative to the file that names it, if that leads there."""
        beside = self.span.file.parent / self.name if self.span else file
        return beside if os.path.realpath(beside) == os.path.realpath(file) else file


def _within(named: Path, file: Path, place: tuple[int, int]) -> Span:
    """Return a place in a picture's file, with its line if that is short enough to show."""
    line, column = place
    try:
        lines = read_picture(file).decode("utf-8", "replace").split("\n")
    except UnusablePicture:
        lines = []
    said = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
    excerpt = said if len(said) <= _MAX_SHOWN and said.isprintable() else ""
    return Span(file=named, line=line, column=column, end_line=line, end_column=column + 1, excerpt=excerpt)


_MAX_SHOWN = 160  # characters of a line: drawing programs write far longer ones


class Inspected(Struct, frozen=True):
    """The result of inspecting a picture; `artwork` is None if a finding is an error."""

    artwork: Artwork | None
    findings: tuple[Diagnostic, ...] = ()


def inspect(file: Path, reference: PictureReference) -> Inspected:
    """Inspect a picture wholly, once for all cards that name it; whatever is on the disk, it raises nothing."""
    try:
        status = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        hint, near = _elsewhere(file, reference) or _what_there_is(file, reference.name)
        missing = Diagnostic("A001", f"no picture `{reference.name}`", hint, instead=near)
        return Inspected(None, (missing.at(reference.span, reference.card, reference.field),))
    except OSError:
        stamp: tuple[int, ...] = ()  # reading the file will tell why
    else:
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
    result = _examined(file, stamp)
    return Inspected(result.artwork, (reference.about(result.problem, file, result.place),) if result.problem else ())


@contextmanager
def prefetch(files: Iterable[Path]) -> Iterator[None]:
    """Inspect pictures in a second thread meanwhile, so that `inspect` finds them done. Decoding releases the GIL.

    The thread begins with the last picture: the caller begins with the first, and the two meet in the middle. A single
    picture is the caller's: it would be drawn twice.
    """
    order = (*dict.fromkeys(files),)[1:]  # each file once, in order
    if any(file.suffix.lower() in _GUARDED for file in order):
        from render.base import guard

        guard.prepare()
    stopped = Event()

    def look() -> None:
        with suppress(OSError, MemoryError):  # the caller meets the same, and says it
            for file in reversed(order):
                if stopped.is_set():
                    return
                inspect(file, PictureReference(""))

    thread = Thread(target=look)
    try:
        with defer_interrupt(), suppress(RuntimeError):  # of a system that gives no more threads
            thread.start()
        yield
    finally:
        with defer_interrupt():
            stopped.set()
            if thread.is_alive():
                thread.join()


_GUARDED = (".svg", ".webp", ".avif")  # files that a worker tries


class _Examined(Struct, frozen=True):
    """What a file holds, whoever names it: a picture, what is wrong or doubtful, and where in the file that is."""

    artwork: Artwork | None
    problem: Diagnostic | None = None
    place: tuple[int, int] | None = None


@cached(4096)
# The stamp is part of the key: a file that changes is examined again.
def _examined(file: Path, stamp: tuple[int, ...]) -> _Examined:
    with stage("inspect"):
        try:
            data = read_picture(file)
            size, doubt, is_sheer = check_picture(data)
        except UnusablePicture as unfit:
            return _Examined(None, unfit.problem, unfit.place)
        return _Examined(Artwork(file, hashlib.sha256(data).hexdigest(), *size, is_sheer=is_sheer), doubt)


def _elsewhere(file: Path, reference: PictureReference) -> tuple[str, str] | None:
    """Return a hint about a picture of the same name in another folder of the set, and how the author names it.

    Case and ending may differ: cameras write `IMG_2041.JPG`. None if there is no such picture, or more than one.
    """
    if reference.span is None or reference.span.file.parent.name == "templates":
        return None
    folder = reference.span.file.parent
    wanted = _stem(reference.name)
    below = _pictures_below(folder, _stamps(folder))
    found = [name for name in below if _stem(name) == wanted and not name.startswith("templates/")]
    exact = [name for name in found if PurePosixPath(name).name.lower() == PurePosixPath(reference.name).name.lower()]
    meant = exact or found
    # In its own folder, `_what_there_is` says so.
    if len(meant) != 1 or os.path.realpath((folder / meant[0]).parent) == os.path.realpath(file.parent):
        return None
    key = _KEY.search(reference.span.excerpt[: reference.span.column - 1])
    said = f"{key[1]}: {meant[0]}" if key and not _ODD.search(meant[0]) else meant[0]
    return f"it lies elsewhere in the set: write `{said}`", meant[0]


_KEY = regex(r"([A-Za-z_]+): +$")
_ODD = regex(r"[^\w./ ()+-]|^[^\w]| $")  # needs quotes in YAML, or may


def _stem(name: str) -> str:
    return PurePosixPath(name).stem.lower()


def _stamps(folder: Path) -> tuple[int, ...]:
    """Return when a folder and those in it were changed last."""
    try:
        inner = sorted(each.name for each in os.scandir(folder) if each.is_dir(follow_symlinks=False))
        return tuple((folder / name).stat().st_mtime_ns for name in ("", *inner))
    except OSError:
        return ()


@cached(16)
def _pictures_below(folder: Path, stamps: tuple[int, ...]) -> tuple[str, ...]:
    """Return the pictures of a set, from its folder, sorted; those that a build made are none of them."""
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        built = Path(place, "out") if Path(place) == folder else None
        folders[:] = sorted(name for name in folders if not name.startswith(".") and Path(place, name) != built)
        pictures = (name for name in names if Path(name).suffix.lower() in _PICTURE_ENDINGS)
        found += [Path(place, name).relative_to(folder).as_posix() for name in pictures]
        if len(found) > _MAX_FOUND:
            break
    return tuple(sorted(found))


def _what_there_is(file: Path, name: str) -> tuple[str, str]:
    """Return a hint about the pictures in the folder where the file should be, and the name of one that may be meant.

    They are named as the author names them.
    """
    folder, slash, _ = name.rpartition("/")
    if not file.parent.is_dir():
        return f"there is no folder `{folder}`", ""
    pictures = _pictures_in(file.parent, file.parent.stat().st_mtime_ns)
    by_lower = {picture.lower(): picture for picture in pictures[:_MAX_COMPARED]}
    same = [picture for picture in pictures if _stem(picture) == file.name.lower()]
    if len(same) == 1:  # without its ending
        return f"did you mean `{folder}{slash}{same[0]}`?", f"{folder}{slash}{same[0]}"
    from difflib import get_close_matches

    near = get_close_matches(file.name.lower(), by_lower, n=1, cutoff=0.75)
    if near:
        meant = f"{folder}{slash}{by_lower[near[0]]}"
        return f"did you mean `{meant}`?", meant
    where = f"`{folder}`" if folder else "the folder of the set"
    if not pictures:
        return f"there is no picture at all in {where}", ""
    return f"put it into {where}, or write the name of one that is there", ""


@cached(64)
def _pictures_in(folder: Path, stamp: int) -> tuple[str, ...]:
    """Return the names of the pictures in a folder, sorted. The stamp makes it look again after a change."""
    return tuple(sorted(path.name for path in folder.glob("*") if path.suffix.lower() in _PICTURE_ENDINGS))


class Fit(Struct, frozen=True):
    """SVG's `preserveAspectRatio`; `x` and `y` say where the picture lies in the room left over, from 0 to 1."""

    scaling: Scaling = Scaling.MEET
    x: float = 0.5
    y: float = 0.5


CONTAIN = Fit()
COVER = Fit(Scaling.SLICE)

_ALIGNMENT = regex(r"x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(meet|slice))?")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


def parse_fit(text: str) -> Fit:
    """Return the fit of a `preserveAspectRatio` such as `xMidYMin slice` or `none`; ValueError for anything else."""
    if text.strip() == "none":
        return Fit(Scaling.STRETCH)
    match = _ALIGNMENT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected `none` or an alignment such as `xMidYMid slice`, found `{text}`")
    return Fit(Scaling(match[3] or "meet"), _SHARES[match[1]], _SHARES[match[2]])


class PicturePlacement(Struct, frozen=True):
    """The part `crop` of a picture, in shares of its width and height, fills `box`, in mm."""

    box: Rect
    crop: Rect


def place(shape: Artwork | Size, box: Rect, fit: Fit = CONTAIN) -> PicturePlacement:
    """Return where a picture of that shape goes: inside the box, over all of it with the rest cut off, or stretched."""
    per_pixel = box.width / shape.width, box.height / shape.height  # mm a pixel, across and down
    match fit.scaling:
        case Scaling.STRETCH:
            return PicturePlacement(box, WHOLE)
        case Scaling.MEET:
            scale = min(per_pixel)
            width, height = min(box.width, shape.width * scale), min(box.height, shape.height * scale)
            x, y = box.x + (box.width - width) * fit.x, box.y + (box.height - height) * fit.y
            return PicturePlacement(Rect(x, y, width, height), WHOLE)
        case Scaling.SLICE:
            scale = max(per_pixel)
            width, height = min(1.0, per_pixel[0] / scale), min(1.0, per_pixel[1] / scale)  # the shares that are seen
            return PicturePlacement(box, Rect((1 - width) * fit.x, (1 - height) * fit.y, width, height))


def frame(artwork: Artwork, box: Rect, fit: Fit) -> tuple[PicturePlacement, float] | None:
    """Return where a picture goes as its author frames it, and by how many degrees it is then turned about the box's middle.

    Turned otherwise than by quarters, it reaches out of the box, which is to clip it. None if its usual place is.
    """
    framing = artwork.framing
    if framing in (PLAIN, replace(PLAIN, tone=framing.tone)):
        return None
    fit = replace(fit, scaling=framing.scaling) if framing.scaling else fit
    crop, turn = framing.crop, math.radians(framing.turn)
    across, down = abs(math.cos(turn)), abs(math.sin(turn))
    shape = Size(artwork.width * crop.width, artwork.height * crop.height)
    room = Size(box.width * across + box.height * down, box.width * down + box.height * across)
    if fit.scaling is Scaling.MEET and min(across, down) > _ASLANT:  # as large as lets its corners stay in the box
        reach = Size(shape.width * across + shape.height * down, shape.width * down + shape.height * across)
        least = min(box.width / reach.width, box.height / reach.height)
        room = Size(shape.width * least, shape.height * least)
    x, y = box.center
    inner = Rect(x - room.width / 2, y - room.height / 2, room.width, room.height)
    sides = room.width / shape.width, room.height / shape.height
    scales = {Scaling.MEET: (min(sides),) * 2, Scaling.SLICE: (max(sides),) * 2, Scaling.STRETCH: sides}[fit.scaling]
    focus = framing.focus or (None, None)
    (left, width, from_left, wide), (top, height, from_top, high) = (
        _along(*each)
        for each in (
            (
                inner.x,
                inner.width,
                shape.width * scales[0] * framing.zoom,
                fit.x,
                _within_crop(focus[0], crop.x, crop.width),
            ),
            (
                inner.y,
                inner.height,
                shape.height * scales[1] * framing.zoom,
                fit.y,
                _within_crop(focus[1], crop.y, crop.height),
            ),
        )
    )
    part = Rect(crop.x + from_left * crop.width, crop.y + from_top * crop.height, wide * crop.width, high * crop.height)
    return PicturePlacement(Rect(left, top, width, height), part), framing.turn


_ASLANT = 1e-6  # of a sine: less is no turn


def _within_crop(focus: float | None, start: float, length: float) -> float | None:
    """Return a share of the picture as one of the part that is used."""
    return None if focus is None else (focus - start) / length


def _along(
    start: float, room: float, length: float, align: float, focus: float | None
) -> tuple[float, float, float, float]:
    """Return, along one side, start and length in mm of what is shown, and start and length of it in shares."""
    if length <= room * (1 + 1e-9):
        return start + (room - length) * align, length, 0.0, 1.0
    seen = room / length
    begun = (1 - seen) * align if focus is None else min(max(focus - seen / 2, 0.0), 1 - seen)
    return start, room, begun, seen


def effective_dpi(artwork: Artwork, placement: PicturePlacement) -> float:
    """Return how many pixels of the picture go on an inch of the card: the smaller of across and down."""
    across = artwork.width * placement.crop.width / placement.box.width
    down = artwork.height * placement.crop.height / placement.box.height
    return min(across, down) * MM_PER_INCH


def coarse(artwork: Artwork, placement: PicturePlacement, reference: PictureReference) -> Diagnostic | None:
    """Return a warning if the picture has less than 150 dpi at its printed size."""
    dpi, box, crop = effective_dpi(artwork, placement), placement.box, placement.crop
    if dpi >= LOWEST_DPI:
        return None
    # Inches of the whole picture, the part beyond the crop included.
    across, down = box.width / crop.width / MM_PER_INCH, box.height / crop.height / MM_PER_INCH
    needed, good = (
        f"{math.ceil(across * wanted - 1e-6)} x {math.ceil(down * wanted - 1e-6)}" for wanted in (LOWEST_DPI, GOOD_DPI)
    )
    return reference.finding(
        "A011",
        f"the picture `{reference.name}` has only {math.floor(dpi)} dpi at its printed size"
        f" of {box.width:.1f} x {box.height:.1f} mm",
        f"it has {artwork.width} x {artwork.height} pixels: {LOWEST_DPI} dpi need {needed}, {GOOD_DPI} dpi {good}",
        Severity.WARNING,
    )
