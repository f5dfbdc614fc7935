"""Pages compared by what is seen: each is drawn by PDFium, and so is the page that it should be, in the same state.

The measure passes over what resampling changes: both pictures are blurred by a pixel, and each color counts by how far it
is from the nearest one within a pixel of the other, averaged over blocks of half a millimetre. Light veils show in the
means of large blocks. A letter of half a millimetre is seen in every picture that is tried by
`verified_sheets.right_sheets`; one of a quarter is not in each.

In files that another program saved, hues are blurred and count half, as JPEG packs them; if they have colors of another
kind, one smooth map is fitted that takes the expected colors to theirs; and faces may lie beside their places.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2
from msgspec import convert
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name, Object, Page, Pdf, Stream, unparse_content_stream
from PIL import Image, ImageFilter

from render.base.geometry import MAX_DISTANCE, MM_PER_INCH, MM_PER_POINT, Affine, Rect, box_around
from render.base.progress import in_stage
from render.pdf import operators
from render.pdf.reading.content import ContentWalker, GraphicsState
from render.pdf.reading.values import as_number, inherited
from render.verify.content import Digester, Face, Points, page_map
from render.verify.faces import ROOM
from render.verify.faults import NotReadable
from render.verify.pdf_file import guarded, opened

# Pixels a mm: no round number, so that no edge lies where pictures are rounded to another pixel by a hair.
SCALE = 12.0137
BLOCK, LARGE = 6, 48  # pixels a side of a block and of a large one
DIFFERS, VEILED = 8.0, 3.6  # of 255: means of a block of what differs, and of a large one
WHITE, LARGEST = 250, 12_000_000  # of 255: what is lighter is no ink; pixels that are drawn at once
HAZE = 4  # pixels by which hues are blurred
LOSSY = 3  # times as much may differ where colors are mapped, or hues are packed with the black of four inks
FAR, EDGE = 3.0, 4  # mm that a face may be from its place to be told so; of 255 from a pixel to the next on an edge
# Maps of colors: nodes along each axis, how much they resist to bend, pixels of a color that count in full, levels that a
# place is even within, and pages that are looked at.
NODES, STIFF, ENOUGH, UNEVEN, MOST_FITTED = 9, 0.01, 100, 16, 16

Pixels = NDArray[np.uint8]

Shift = tuple[float, float]
"""How far something lies to the right of its place, and below it, in mm."""


class Placed(NamedTuple):
    """A face of the page that is expected: where it was found, and which face is to be there.

    That is page `drawn` of the PDF of faces, or else the face `number` of `page` in the file at `path`. `is_right` says that
    the file draws it as it should.
    """

    place: Affine
    window: Points
    drawn: int = -1
    path: str = ""
    page: int = 0
    number: int = 0
    is_right: bool = False


class Difference(NamedTuple):
    """Where a page looks otherwise: a box in mm, and whether there is ink, and should be.

    `face` is the face in whose window it is, -1 for none.
    """

    face: int
    sides: tuple[float, float, float, float]
    has_ink: bool
    should_have: bool

    @property
    def box(self) -> Rect:
        return Rect(*self.sides)


class Resaved(NamedTuple):
    """What another program may have done to a file: colors of another kind, and pictures for a press as JPEG."""

    is_recolored: bool
    is_for_press: bool


class Comparison(NamedTuple):
    """What looks otherwise on pages, and how far faces that look right lie from their places, page by page.

    `recolored` is how far colors are from those expected, of 255, after which all were judged by a map of colors.
    """

    pages: Sequence[tuple[Sequence[Difference], Sequence[Shift]]]
    recolored: float = 0.0


def compare(
    path: Path,
    pages: Sequence[tuple[int, Sequence[Placed]]],
    expected: bytes,
    drawn: bytes,
    resaved: Resaved | None = None,
) -> Comparison:
    """Return what looks otherwise on pages of a file, from 1, than on those of a PDF, once the faces are put there.

    NotReadable if it cannot be drawn.
    """
    effort = len(pages) * (2 if resaved else 1)
    return convert(guarded(differences, path, pages, expected, drawn, resaved, pages=effort), Comparison)


def differences(path: str, *of: Any) -> Comparison:
    with _pairs(path, *of) as (pairs, recolored):
        shown = in_stage("measure", "pages", pairs)
        return Comparison([_differing(pair, placed) for pair, placed in shown], recolored)


def unlikeness(
    path: Path, pages: Sequence[tuple[int, Sequence[Placed]]], expected: bytes, drawn: bytes, resaved: Resaved
) -> float:
    """Return how much of the ink of pages lies otherwise than expected, roughly: from 0 to 1 or more; NotReadable."""
    unlike: float = guarded(ink_that_differs, path, pages, expected, drawn, resaved, pages=len(pages))
    return unlike


def ink_that_differs(path: str, *of: Any) -> float:
    apart = ink = 0.0
    with _pairs(path, *of) as (pairs, _):
        for pair, _ in in_stage("measure", "pages", pairs):
            for band in pair.bands():
                one, other = pair.draw(band, SCALE / 3)
                apart += float(measure(one, other).sum())
                ink += float(_means(255 - other, BLOCK).max(axis=2).sum())
    return apart / ink if ink else float(apart > 0)


@contextmanager
def _pairs(
    path: str, pages: Sequence[Any], expected: bytes, drawn: bytes, resaved: Any
) -> Iterator[tuple[list[tuple[Pair, Sequence[Placed]]], float]]:
    """Open what is to be compared: each page with the faces on it, and how far a map takes the expected colors."""
    tasks = convert(pages, list[tuple[int, list[Placed]]])
    page_of = compose(tasks, expected, drawn)
    try:
        with Path(path).open("rb") as file, pypdfium2.PdfDocument(file) as found, pypdfium2.PdfDocument(page_of) as due:
            pairs = [
                Pair(found[number - 1], due[at], convert(resaved, Resaved | None))
                for at, (number, _) in enumerate(tasks)
            ]
            colors, recolored = fit_colors(pairs) if resaved and resaved[0] else (None, 0.0)
            yield (
                [(pair._replace(colors=colors), placed) for pair, (_, placed) in zip(pairs, tasks, strict=True)],
                recolored,
            )
    except pypdfium2.PdfiumError as error:
        raise NotReadable("Q001", f"PDFium cannot draw it: {error}") from None


def compose(pages: Sequence[tuple[int, Sequence[Placed]]], expected: bytes, drawn: bytes) -> bytes:
    """Return the expected pages with their faces, beneath the marks."""
    files: dict[str, Pdf] = {}
    bodies: dict[tuple[str, int], Sequence[Face]] = {}
    forms: dict[object, Object] = {}
    with Pdf.open(io.BytesIO(expected)) as due, Pdf.open(io.BytesIO(drawn or expected)) as faces:
        for page, (_, placed) in zip(due.pages, pages, strict=True):
            code = ["q", f"{operators.matrix(page_map(page).inverse, digits=8)} cm"]
            held = page.obj.Resources.get("/XObject", Dictionary())
            for number, face in enumerate(placed):
                key: object = face.drawn if face.drawn >= 0 else (face.path, face.page, face.number)
                matrix = face.place
                if face.drawn >= 0:
                    shown = faces.pages[face.drawn]
                    matrix = matrix @ Affine.move(-ROOM, -ROOM) @ page_map(shown)
                if key not in forms and face.drawn >= 0:
                    forms[key] = due.copy_foreign(faces.make_indirect(shown.as_form_xobject()))
                elif key not in forms:
                    file = files.setdefault(face.path, opened(face.path))
                    shown = file.pages[face.page - 1]
                    if (face.path, face.page) not in bodies:
                        bodies[face.path, face.page] = Digester().page(shown, with_bodies=True).faces
                    forms[key] = due.copy_foreign(_form(file, shown, bodies[face.path, face.page][face.number]))
                held[f"/Face{number}"] = forms[key]
                corners = [f"{operators.number(x)} {operators.number(y)}" for x, y in face.window]
                code += ["q", f"{' l '.join([f'{corners[0]} m {corners[1]}', *corners[2:]])} l h W n"]
                code += [f"{operators.matrix(matrix, digits=8)} cm", f"/Face{number} Do", "Q"]
            page.obj.Resources.XObject = held
            page.contents_add("\n".join([*code, "Q"]).encode("ascii"), prepend=True)
        out = io.BytesIO()
        due.save(out, compress_streams=False)
    return out.getvalue()


def _form(file: Pdf, page: Page, face: Face) -> Object:
    """Return what draws a face of a file, as a form."""
    far = int(MAX_DISTANCE)
    return file.make_stream(
        unparse_content_stream(list(face.body)),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([-far, -far, far, far]),
        Resources=inherited(page.obj, "/Resources") or Dictionary(),
    )


def picture_dpi(path: Path, pages: Sequence[int]) -> float:
    """Return the resolution that the pictures on the faces of pages were given, from 1: 0 without pictures."""
    finest: float = guarded(finest_dpi, path, pages, pages=0)
    # Pixels are whole, so that it is a little less or more than what was asked for.
    usual = 50.0 * round(finest / 50)
    return usual if abs(usual - finest) < finest / 50 else float(round(finest))


def finest_dpi(path: str, pages: Sequence[int]) -> float:
    walker = PictureSizes()
    with opened(path) as file:
        for number in pages:
            walker.walk_page(file.pages[number - 1], page_map(file.pages[number - 1]))
    return walker.finest * MM_PER_INCH


class PictureSizes(ContentWalker):
    """Follows what is drawn; `finest` are the pixels a mm of the finest picture on a card, 0 without pictures."""

    finest = 0.0

    def draw_image(self, image: Stream, state: GraphicsState) -> None:
        width = math.hypot(state.ctm.a, state.ctm.b)
        if width and any(mark.tag == "Card" for mark in self.marks):
            self.finest = max(self.finest, as_number(image.get("/Width"), 0.0) / width)


# --- pixels ---------------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A page as it is found, and as it should be: both are drawn, and made alike in what does not count."""

    found: pypdfium2.PdfPage
    due: pypdfium2.PdfPage
    resaved: Resaved | None = None
    colors: ImageFilter.Color3DLUT | None = None

    @property
    def tolerance(self) -> float:
        return LOSSY if self.resaved and any(self.resaved) else 1.0

    def draw(self, box: Rect, scale: float = SCALE) -> tuple[Pixels, Pixels]:
        """Return a part of both, in mm from the top left corner."""
        one, other = (draw(page, box, scale) for page in (self.found, self.due))
        if self.colors:
            other = other.filter(self.colors)
        here, there = map(_haze if self.resaved else np.asarray, (one, other))
        rows, columns = (min(lengths) for lengths in zip(here.shape[:2], there.shape[:2], strict=True))
        return here[:rows, :columns], there[:rows, :columns]

    def bands(self) -> Iterator[Rect]:
        """Yield parts of the page that are not too large to be drawn at once."""
        width, height = (length * MM_PER_POINT for length in self.due.get_size())
        step = max(1, int(LARGEST / (2 * width * SCALE) / (2 * SCALE)))
        for top in range(0, max(1, int(height + 0.999)), step):
            yield Rect(0, top, width, min(height - top, step))


def draw(page: pypdfium2.PdfPage, box: Rect, scale: float) -> Image.Image:
    """Return a part of a page as it is printed, in pixels a mm."""
    width, height = page.get_size()
    sides = box.x, height * MM_PER_POINT - box.bottom, width * MM_PER_POINT - box.right, box.y
    cut = tuple(max(0.0, side / MM_PER_POINT) for side in sides)
    # Twice as fine, since PDFium moves pictures and boxes to whole pixels.
    bitmap = page.render(scale=2 * scale * MM_PER_POINT, crop=cut, optimize_mode="print", rev_byteorder=True)
    return Image.fromarray(bitmap.to_numpy()[:, :, :3]).reduce(2)


def _haze(picture: Image.Image) -> Pixels:
    """Return a picture whose hues are blurred and count half, and not its light: JPEG keeps few of them (T.81, A.1.1)."""
    blurred = picture.reduce(HAZE).resize(picture.size, Image.Resampling.BILINEAR)
    light, colors, gray = (np.asarray(each, np.int16) for each in (picture.convert("L"), blurred, blurred.convert("L")))
    hazed = light[:, :, None] + (colors - gray[:, :, None]) // 2
    return hazed.clip(0, 255).astype(np.uint8)


def _differing(pair: Pair, placed: Sequence[Placed]) -> tuple[list[Difference], list[Shift]]:
    """Return what differs on a page, and the shifts of its faces."""
    differing: list[Difference] = []
    slopes = [np.zeros((2, 3)) for _ in placed]
    for band in pair.bands():
        one, other = pair.draw(band)
        if not np.array_equal(one, other):
            differing += _found(measure(one, other) / pair.tolerance, one, other, band.y, placed)
            for face, sums in zip(placed, slopes, strict=True) if pair.resaved else ():
                part = _part(face.window, band)
                sums += _slopes(one[part], other[part])
    shifts = [_shift(sums) for sums in slopes]
    for number in {each.face for each in differing if each.face >= 0} if pair.resaved else ():
        if moved := _moved(pair, box_around(placed[number].window)):
            shifts[number] = moved
            box = box_around(placed[number].window).outset(math.hypot(*moved) + 2 * BLOCK / SCALE)
            differing = [each for each in differing if each.face != number and not box.holds(each.box)]
    return differing, shifts


def _part(window: Points, band: Rect) -> tuple[slice, slice]:
    """Return the rows and columns within a window in the pixels of a band."""
    box = box_around(window).outset(-BLOCK / SCALE)
    left, right = (round(max(0.0, each - band.x) * SCALE) for each in (box.x, box.right))
    top, bottom = (round(max(0.0, each - band.y) * SCALE) for each in (box.y, box.bottom))
    return slice(top, bottom), slice(left, right)


def _moved(pair: Pair, window: Rect) -> Shift | None:
    """Return how far a face that looks otherwise lies from its place, if it looks right there."""
    if not window.width * window.height * (2 * SCALE) ** 2 < LARGEST:
        return None
    one, other = pair.draw(window)
    across, down = _offset(one, other)
    room = math.ceil(FAR * SCALE)
    inner = other[room:-room, room:-room]
    for step in (1, 0):  # roughly, then to a pixel
        there = one[max(0, room + down) :, max(0, room + across) :][: inner.shape[0], : inner.shape[1]]
        if not inner.size or there.shape != inner.shape or not 0 < max(abs(across), abs(down)) <= room:
            return None
        dx, dy = _shift(_slopes(there, inner))
        moved = dx + across / SCALE, dy + down / SCALE
        across, down = (round(each * SCALE) if step else at for each, at in zip(moved, (across, down), strict=True))
    return moved if measure(there, inner).max() < DIFFERS * pair.tolerance else None


def _offset(one: Pixels, other: Pixels) -> tuple[int, int]:
    """Return by how many pixels one picture lies to the right of the other, and below it: where their edges agree most."""
    edges = [np.hypot(*np.gradient(each[::2, ::2].mean(axis=2))) for each in (one, other)]
    spectra = [np.fft.rfft2(each) for each in edges]
    alike = np.fft.irfft2(spectra[0] * spectra[1].conj(), edges[0].shape)
    down, across = (
        int(at) - length * (2 * int(at) > length)
        for at, length in zip(np.unravel_index(alike.argmax(), alike.shape), alike.shape, strict=True)
    )
    return 2 * across, 2 * down


def _slopes(one: Pixels, other: Pixels) -> NDArray[np.float64]:
    """Return sums from which `_shift` finds how far one picture is from the other (Lucas and Kanade, 1981)."""
    if min(one.shape[:2]) < 3:
        return np.zeros((2, 3))
    here, there = (
        np.asarray(Image.fromarray(each).convert("L").filter(ImageFilter.GaussianBlur(1)), np.float64)
        for each in (one, other)
    )
    down, across = np.gradient((here + there) / 2)
    less = there - here
    # What is even tells nothing, and what has another color is no shift: it counts little.
    weight = (np.hypot(down, across) > EDGE) / (1 + (less / 64) ** 2)
    rows = [[(weight * a * b).sum() for b in (across, down, less)] for a in (across, down)]
    return np.array(rows)


def _shift(sums: NDArray[np.float64]) -> Shift:
    """Return the shift in mm that explains the differences best; none for a face without edges in both directions."""
    if np.linalg.cond(sums[:, :2]) > 1e4 or not sums[:, :2].any():
        return 0.0, 0.0
    dx, dy = np.linalg.solve(sums[:, :2], sums[:, 2]) / SCALE
    return float(dx), float(dy)


def fit_colors(pairs: Sequence[Pair]) -> tuple[ImageFilter.Color3DLUT, float]:
    """Return the smooth map from the colors of pages as expected to those found, and how far it takes the farthest."""
    due, found, count = _shared_colors(pairs)
    # The share of the nodes around a color in it, and the squared second differences along each axis: red goes fastest.
    red, green, blue = np.maximum(0, 1 - np.abs(due.T[:, :, None] / 255 * (NODES - 1) - np.arange(NODES)))
    share = np.einsum("nb,ng,nr->nbgr", blue, green, red).reshape(len(due), -1)
    curve, same = np.diff(np.eye(NODES), 2, axis=0), np.eye(NODES)
    curve = curve.T @ curve
    bends = sum(
        np.kron(a, np.kron(b, c)) for a, b, c in ((curve, same, same), (same, curve, same), (same, same, curve))
    )
    sure = np.minimum(count, ENOUGH) / ENOUGH
    weight = sure
    for _ in range(5):  # colors that the map does not take to those found count less each time
        sums = (share.T * weight) @ share + STIFF * bends + 1e-6 * np.eye(NODES**3)
        moves = np.linalg.solve(sums, (share.T * weight) @ (found - due))
        weight = sure / (1 + (np.abs(due + share @ moves - found).max(axis=1) / UNEVEN) ** 2)
    plain = np.indices((NODES,) * 3).reshape(3, -1).T[:, ::-1] / (NODES - 1)
    table = ImageFilter.Color3DLUT(NODES, (plain + moves / 255).astype(np.float32).ravel(), target_mode="RGB")
    return table, float(np.abs(share @ moves).max(initial=0))


def _shared_colors(pairs: Sequence[Pair]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the colors of even places on pages, those found there, and in how many pixels."""
    sums = np.zeros((16**3, 7))
    for pair in pairs[:: -(-len(pairs) // MOST_FITTED)]:
        for band in pair.bands():
            one, other = pair._replace(resaved=None).draw(band, SCALE / 3)
            uneven = (_spread(each, np.maximum) - _spread(each, np.minimum) for each in (one, other))
            even = (np.maximum(*uneven) < UNEVEN).all(axis=2)
            rows = np.concatenate([other[even], one[even], np.ones((even.sum(), 1))], axis=1)
            bins = other[even].astype(int) // 16 @ (1, 16, 256)
            sums += np.stack([np.bincount(bins, column, 16**3) for column in rows.T], axis=1)
    sums = sums[sums[:, 6] > 0]
    return sums[:, :3] / sums[:, 6:], sums[:, 3:6] / sums[:, 6:], sums[:, 6]


def measure(one: Pixels, other: Pixels) -> NDArray[np.float32]:
    """Return how much two pictures differ, block by block: 255 is black for white, above DIFFERS is a fault."""
    rows, columns = (-(-length // LARGE) * LARGE // BLOCK for length in one.shape[:2])
    blocks = np.zeros((rows, columns), np.float32)
    step, around = 5 * LARGE, BLOCK
    for top in range(0, one.shape[0], step):
        for left in range(0, one.shape[1], step):
            # A tile with a block around it, whose blur reaches into it.
            y, x = max(0, top - around), max(0, left - around)
            part = slice(y, top + step + around), slice(x, left + step + around)
            if np.array_equal(one[part], other[part]):
                continue
            inner = slice(top - y, top - y + step), slice(left - x, left - x + step)
            here, there = _blurred(one[part]), _blurred(other[part])
            apart = np.maximum(_beyond(here, there), _beyond(there, here))
            fine, lighter = (
                _means(apart[inner], BLOCK).max(axis=2),
                _means(here[inner], BLOCK) - _means(there[inner], BLOCK),
            )
            lighter[fine > DIFFERS] = 0  # what is found already is no veil over its neighbors
            veil = np.abs(_means(lighter, LARGE // BLOCK)).max(axis=2) * (DIFFERS / VEILED)
            veil = veil.repeat(LARGE // BLOCK, axis=0).repeat(LARGE // BLOCK, axis=1)[: fine.shape[0], : fine.shape[1]]
            is_lighter = np.abs(lighter).max(axis=2) > VEILED / 2
            fine = np.maximum(fine, np.where(is_lighter, veil, 0))  # it lies only where something is lighter
            blocks[top // BLOCK :, left // BLOCK :][: fine.shape[0], : fine.shape[1]] = fine
    return blocks


def _blurred(pixels: Pixels) -> Pixels:
    """Return a picture blurred by a pixel: each pixel with its neighbors, weighted 1, 4, 6, 4, 1 across and down."""
    wide = np.pad(pixels.astype(np.uint16), ((2, 2), (2, 2), (0, 0)), mode="edge")
    for _ in range(4):
        wide = wide[:-1] + wide[1:]
        wide = wide[:, :-1] + wide[:, 1:]
    return ((wide + 128) >> 8).astype(np.uint8)


def _beyond(this: Pixels, that: Pixels) -> Pixels:
    """Return how far each color of a pixel is from the nearest one within a pixel of the other picture."""
    low, high = _spread(that, np.minimum), _spread(that, np.maximum)
    return np.maximum(np.maximum(this, high) - high, low - np.minimum(this, low))


def _spread(pixels: Pixels, nearest: np.ufunc) -> Pixels:
    """Return the least or the most of each pixel and its eight neighbors."""
    padded = np.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = nearest(nearest(padded[:-2], padded[1:-1]), padded[2:])
    return np.asarray(nearest(nearest(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:]))


def _means(pixels: Pixels | NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """Return the means of squares, each color by itself; what lies beyond the edge counts as no difference."""
    rows, columns = (-(-length // side) for length in pixels.shape[:2])
    padded = np.pad(pixels, ((0, rows * side - pixels.shape[0]), (0, columns * side - pixels.shape[1]), (0, 0)))
    lines = padded.reshape(rows, side, -1).sum(axis=1, dtype=np.float32)
    squares = lines.reshape(rows, columns, side, -1).sum(axis=2)
    return np.asarray(squares / side**2, np.float32)


def _found(
    blocks: NDArray[np.float32], one: Pixels, other: Pixels, top: float, placed: Sequence[Placed]
) -> Iterator[Difference]:
    """Yield what differs: by the face in whose window it is, and beside the faces piece by piece."""
    size = BLOCK / SCALE
    left = blocks > DIFFERS
    taken = [np.zeros_like(left) for _ in placed]
    ys, xs = ((np.arange(length) + 0.5) * size for length in left.shape)

    def take(number: int, room: float) -> None:
        box = box_around(placed[number].window).outset(room)
        rows, columns = (box.y < top + ys) & (top + ys < box.bottom), (box.x < xs) & (xs < box.right)
        inside = left & rows[:, None] & columns
        taken[number] |= inside
        left[inside] = False

    for number in range(len(placed)) if left.any() else ():
        take(number, -size)
    # What is wrong may show on the blocks around it, and of neighbors it is the one that is wrong further in.
    for number in sorted(range(len(placed)), key=lambda each: (placed[each].is_right, not taken[each].any())):
        take(number, -size / 2 if placed[number].is_right else size)
        if taken[number].any():
            yield _difference(number, np.argwhere(taken[number]), one, other, top)
    rest = {(int(row), int(column)) for row, column in np.argwhere(left)}
    while rest:  # pieces of neighboring blocks
        piece, edge = set[tuple[int, int]](), {rest.pop()}
        while edge:
            piece |= edge
            edge = {(row + y, column + x) for row, column in edge for y in (-1, 0, 1) for x in (-1, 0, 1)} & rest
            rest -= edge
        yield _difference(-1, np.array(sorted(piece)), one, other, top)


def _difference(face: int, piece: NDArray[np.int64], one: Pixels, other: Pixels, top: float) -> Difference:
    (low, first), (high, last) = (map(int, each) for each in (piece.min(axis=0), piece.max(axis=0) + 1))
    part = slice(low * BLOCK, high * BLOCK), slice(first * BLOCK, last * BLOCK)
    size = BLOCK / SCALE
    box = first * size, top + low * size, (last - first) * size, (high - low) * size
    return Difference(face, box, *(bool((each[part] < WHITE).any()) for each in (one, other)))
