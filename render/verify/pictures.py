"""Pages compared by what is seen: each is drawn by PDFium, and so is the page that it should be, in the same state.

The measure passes over what resampling and recompression change: both pictures are blurred by a pixel, and each color
counts by how far it is from the nearest one within a pixel of the other, averaged over blocks of half a millimetre. Light
veils show in the means of large blocks. A letter of half a millimetre is seen in every picture that is tried by
the proof `verified_sheets.right_sheets`; one of a quarter is not in each.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name, Object, Page, Pdf, Stream, unparse_content_stream
from PIL import Image, ImageFilter

from render.base.geometry import MAX_DISTANCE, MM_PER_INCH, MM_PER_POINT, Affine, Rect
from render.pdf import operators
from render.pdf.reading.content import ContentWalker, GraphicsState
from render.pdf.reading.values import as_dictionary, as_number, inherited
from render.verify.content import Digester, Face, Points, page_map
from render.verify.faces import ROOM
from render.verify.faults import NotReadable
from render.verify.pdf_file import guarded, opened

# Pixels a mm: no round number, so that no edge lies where pictures are rounded to another pixel by a hair.
SCALE = 12.0137
BLOCK, LARGE = 6, 48  # pixels a side of a block and of a large one
DIFFERS, VEILED = 8.0, 3.6  # of 255: means of a block of what differs, and of a large one
WHITE, LARGEST = 250, 12_000_000  # of 255: what is lighter is no ink; pixels that are drawn at once

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
    """Where a page looks otherwise: a box in mm, how much (of 255), and whether there is ink, and should be.

    `face` is the face in whose window it is, -1 for none.
    """

    face: int
    box: Rect
    worst: float
    has_ink: bool
    should_have: bool


def compare(
    path: Path, pages: Sequence[tuple[int, Sequence[Placed]]], expected: bytes, drawn: bytes
) -> list[tuple[list[Difference], list[Shift]]]:
    """Return what looks otherwise on pages of a file, from 1, than on those of a PDF, once the faces are put there.

    And how far each face seems to lie from its place. NotReadable if it cannot be drawn.
    """
    found = guarded(differences, path, pages, expected, drawn, pages=len(pages))
    return [
        ([Difference(face, Rect(*box), *how) for face, box, *how in page], [(dx, dy) for dx, dy in shifts])
        for page, shifts in found
    ]


def differences(path: Path, pages: Sequence[Any], expected: bytes, drawn: bytes) -> list[Any]:
    """Return what looks otherwise, as plain values; NotReadable."""
    tasks = [
        (number, [Placed(Affine(*place), tuple(map(tuple, window)), *how) for place, window, *how in placed])
        for number, placed in pages
    ]
    page_of = compose(tasks, expected, drawn)
    try:
        with path.open("rb") as stream, pypdfium2.PdfDocument(stream) as found, pypdfium2.PdfDocument(page_of) as due:
            return [_differing(found[number - 1], due[at], placed) for at, (number, placed) in enumerate(tasks)]
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
                    file = files.setdefault(face.path, opened(Path(face.path)))
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


class PictureSizes(ContentWalker):
    """Follows what is drawn; `finest` are the pixels a mm of the finest picture, 0 without pictures."""

    finest = 0.0

    def draw_image(self, image: Stream, state: GraphicsState) -> None:
        if across := math.hypot(state.ctm.a, state.ctm.b):
            self.finest = max(self.finest, as_number(image.get("/Width"), 0.0) / across)


def finest_dpi(path: Path, pages: Sequence[int]) -> float:
    with opened(path) as file:
        digester, sizes = Digester(), PictureSizes()
        for page in (file.pages[number - 1] for number in pages):
            resources = as_dictionary(inherited(page.obj, "/Resources"))
            for face in digester.page(page, with_bodies=True).faces:
                sizes.walk_instructions(face.body, resources, GraphicsState())
    return sizes.finest * MM_PER_INCH


# --- pixels ---------------------------------------------------------------------------------------------------------


def draw(page: pypdfium2.PdfPage, top: float, bottom: float) -> Pixels:
    """Return a band of a page, between two heights in mm from its top, as it is printed."""
    _, height = page.get_size()
    cut = 0.0, max(0.0, height - bottom / MM_PER_POINT), 0.0, top / MM_PER_POINT
    # Twice as fine, since PDFium moves pictures and boxes to whole pixels.
    bitmap = page.render(scale=2 * SCALE * MM_PER_POINT, crop=cut, optimize_mode="print", rev_byteorder=True)
    return np.asarray(Image.fromarray(bitmap.to_numpy()[:, :, :3]).reduce(2))


def _bands(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float]]:
    width, height = (length * MM_PER_POINT for length in page.get_size())
    step = max(1, int(LARGEST / (2 * width * SCALE) / (2 * SCALE)))
    for top in range(0, max(1, int(height + 0.999)), step):
        yield top, min(height, top + step)


def _differing(
    found: pypdfium2.PdfPage, due: pypdfium2.PdfPage, placed: Sequence[Placed]
) -> tuple[list[Any], list[Any]]:
    """Return what differs on a page, and the shifts of its faces."""
    differing: list[Any] = []
    slopes = [np.zeros((2, 3)) for _ in placed]
    for top, bottom in _bands(due):
        one, other = draw(found, top, bottom), draw(due, top, bottom)
        rows, columns = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
        one, other = one[:rows, :columns], other[:rows, :columns]
        if not np.array_equal(one, other):
            blocks = measure(one, other)
            differing += _found(blocks, one, other, top, placed)
            for face, sums in zip(placed, slopes, strict=True):
                xs, ys = zip(*face.window, strict=True)
                left, right, high, low = (
                    round(min(max(0.0, each), MAX_DISTANCE) * SCALE)  # a file may say anything, `nan` as well
                    for each in (min(xs), max(xs), min(ys) - top, max(ys) - top)
                )
                sums += _slopes(one[high:low, left:right], other[high:low, left:right])
    return differing, [_shift(sums) for sums in slopes]


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
    # What has another color is no shift: it counts little.
    weight = 1 / (1 + (less / 64) ** 2)
    rows = [[(weight * a * b).sum() for b in (across, down, less)] for a in (across, down)]
    return np.array(rows)


def _shift(sums: NDArray[np.float64]) -> Shift:
    """Return the shift in mm that explains the differences best; none for a face without edges in both directions."""
    if np.linalg.cond(sums[:, :2]) > 1e4 or not sums[:, :2].any():
        return 0.0, 0.0
    dx, dy = np.linalg.solve(sums[:, :2], sums[:, 2]) / SCALE
    return float(dx), float(dy)


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
            pixels, means = (each[inner] for each in _apart(one[part], other[part]))
            fine, lighter = _means(pixels, BLOCK).max(axis=2), _means(means, BLOCK)
            lighter[fine > DIFFERS] = 0  # what is found already is no veil over its neighbors
            veil = np.abs(_means(lighter, LARGE // BLOCK)).max(axis=2) * (DIFFERS / VEILED)
            veil = veil.repeat(LARGE // BLOCK, axis=0).repeat(LARGE // BLOCK, axis=1)[: fine.shape[0], : fine.shape[1]]
            is_lighter = np.abs(lighter).max(axis=2) > VEILED / 2
            fine = np.maximum(fine, np.where(is_lighter, veil, 0))  # it lies only where something is lighter
            here = blocks[top // BLOCK :, left // BLOCK :][: fine.shape[0], : fine.shape[1]]
            here[:] = fine[: here.shape[0], : here.shape[1]]
    return blocks


def _apart(one: Pixels, other: Pixels) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return how far each color of a pixel is from the nearest one within a pixel of the other picture, both ways.

    And how much lighter it is.
    """
    here, there = (
        np.asarray(Image.fromarray(each).filter(ImageFilter.GaussianBlur(1)), np.int16) for each in (one, other)
    )
    found = np.zeros(one.shape, np.int16)
    for this, that in ((here, there), (there, here)):
        low, high = _spread(that, np.minimum), _spread(that, np.maximum)
        np.maximum(found, np.maximum(this - high, low - this), out=found)
    return found, here - there


def _spread(pixels: NDArray[np.int16], nearest: np.ufunc) -> NDArray[np.int16]:
    """Return the least or the most of each pixel and its eight neighbors."""
    padded = np.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = nearest(nearest(padded[:-2], padded[1:-1]), padded[2:])
    return np.asarray(nearest(nearest(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:]))


def _means(pixels: NDArray[np.int16] | NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """Return the means of squares, each color by itself; what lies beyond the edge counts as no difference."""
    rows, columns = (-(-length // side) * side for length in pixels.shape[:2])
    padded = np.pad(pixels, ((0, rows - pixels.shape[0]), (0, columns - pixels.shape[1]), (0, 0)))
    squares = padded.reshape(rows // side, side, columns // side, side, -1)
    return np.asarray(squares.mean(axis=(1, 3), dtype=np.float32))


def _found(
    blocks: NDArray[np.float32], one: Pixels, other: Pixels, top: float, placed: Sequence[Placed]
) -> Iterator[Any]:
    """Yield what differs: by the face in whose window it is, and beside the faces piece by piece."""
    size = BLOCK / SCALE
    left = {(int(row), int(column)) for row, column in np.argwhere(blocks > DIFFERS)}
    taken: list[set[tuple[int, int]]] = [set() for _ in placed]

    def take(number: int, room: float) -> None:
        xs, ys = zip(*placed[number].window, strict=True)
        inside = {
            (row, column)
            for row, column in left
            if min(xs) - room < (column + 0.5) * size < max(xs) + room
            and min(ys) - room < top + (row + 0.5) * size < max(ys) + room
        }
        taken[number].update(inside)
        left.difference_update(inside)

    for number in range(len(placed)):
        take(number, -size)
    # What is wrong may show on the blocks around it, and of neighbors it is the one that is wrong further in.
    for number in sorted(range(len(placed)), key=lambda each: (placed[each].is_right, not taken[each])):
        take(number, -size / 2 if placed[number].is_right else size)
        if taken[number]:
            yield _difference(number, taken[number], blocks, one, other, top)
    while left:  # pieces of neighboring blocks
        piece, edge = set[tuple[int, int]](), {left.pop()}
        while edge:
            piece |= edge
            edge = {(row + y, column + x) for row, column in edge for y in (-1, 0, 1) for x in (-1, 0, 1)} & left
            left -= edge
        yield _difference(-1, piece, blocks, one, other, top)


def _difference(
    face: int, piece: set[tuple[int, int]], blocks: NDArray[np.float32], one: Pixels, other: Pixels, top: float
) -> tuple[object, ...]:
    rows, columns = zip(*piece, strict=True)
    low, high, first, last = min(rows), max(rows) + 1, min(columns), max(columns) + 1
    part = slice(low * BLOCK, high * BLOCK), slice(first * BLOCK, last * BLOCK)
    size = BLOCK / SCALE
    box = first * size, top + low * size, (last - first) * size, (high - low) * size
    inks = (bool((each[part] < WHITE).any()) for each in (one, other))
    return face, box, float(max(blocks[at] for at in piece)), *inks
