"""What a printer does to the backs of sheets, read from one picture of its calibration sheet against the light.

Each dot is measured as the disc that fits its surroundings best, by least squares. Dots of the front are the ruler: a
dot of the back is measured from those around it, so that nothing matters that bends the whole picture, such as a
lens, a scanner or the sheet. How badly one map fits all dots of the back tells how well that map is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused
from render.base.geometry import Affine, Flip, Size
from render.sheets.calibration.dots import (
    BACK_SIZES,
    FARTHEST,
    FRONT_SIZES,
    PITCH,
    SheetCode,
    large_backs,
    layout,
    read_code,
)
from render.sheets.calibration.sheet_finding import Camera, Floats, Sheet, find_sheet, fit_camera, tukey

_MOST = 4200  # pixels of the longer side: a sheet of A4 at 360 dpi
_DARK = 60  # of 255: paper against a window has 200
_SHARP = (
    0.12  # of all contrast lies between two pixels at a sharp edge, 1000 pixels a side; after a blur of 1.5 mm, less
)

_FRONT_WINDOW, _BACK_WINDOW = 2.0, 3.2  # mm around a dot: what of its surroundings tells how bright the paper is
_FRONT_STEP, _BACK_STEP, _COARSE_STEP = 0.1, 0.2, 0.25  # mm from one point that is looked at to the next
_BLURS = 0.1, 0.25, 0.4, 0.6, 0.9  # mm: one of them is how soft dots are
_COARSE_WINDOW = 7.0  # mm: FARTHEST, and what is around a dot there

_FEWEST_FRONTS, _FEWEST_BACKS = 0.6, 0.5  # of all dots
_ALIKE = 0.5  # correlation of the sizes of the back's dots with their pattern
_PRECISE, _PRECISE_AT_CORNERS = 0.05, 0.12  # mm: a map that is known less well is none
_SURE = 2.5  # standard deviations: right and down are both within them in 97 of 100 pictures
_FLOOR = 0.01  # mm: what is wrong in all dots alike shows in none


class Measured(Struct, frozen=True):
    """What a picture says: for what its sheet was printed, where the points of the back land, and how well that is known.

    `errors` are those of the six numbers of `fit.in_words`. `front` and `back` are how many dots were used, and of how
    many; `places` are where they lie in the picture, in pixels.
    """

    paper: Size
    code: SheetCode
    lands: Affine
    errors: tuple[float, ...]
    front: tuple[int, int]
    back: tuple[int, int]
    places: tuple[Floats, Floats]


def measure(picture: Image.Image, papers: Sequence[Size]) -> Measured:
    """Return what a gray picture of a calibration sheet on one of the papers says; Refused with why it says nothing."""
    times = -(-max(picture.size) // _MOST)
    grey = picture.reduce(times) if times > 1 else picture
    sheet, marks = find_sheet(grey, papers)
    if sheet is None:
        raise _refused(*_why_not(grey, marks))
    if sheet.is_back or sheet.is_reversed:
        raise _refused(*_wrong_side(sheet))
    pixels = np.asarray(grey, np.float32)
    try:
        found = _measured(pixels, sheet)
    except Refused:
        if np.percentile(pixels[::4, ::4], 99.5) < _DARK:
            raise _refused(*_why_not(grey, marks)) from None
        raise
    front, back = found.places
    return replace(found, places=(front * times, back * times))


def _measured(pixels: NDArray[np.float32], sheet: Sheet) -> Measured:
    camera, moved, sizes = _measure_front(pixels, sheet)
    paper, found = camera.paper, np.isfinite(sizes)
    if found.mean() < _FEWEST_FRONTS:
        raise _refused("R023", f"only {found.sum()} of {len(found)} dots of the front are clear", _AGAIN)
    code = read_code(paper, _sorted_sizes(sizes))
    if code is None:
        message = "the dots of the front are those of no sheet that this version prints"
        raise _refused("R025", message, "print a new sheet with `kotc calibrate`, and photograph that")
    points = np.array(layout(paper).front.dots)
    local = _Field(points[found], moved[found])
    backs = np.array(layout(paper).back.dots)
    offsets, strengths, sizes = _measure_back(pixels, camera, local, backs)
    _check_back(paper, np.where(strengths > 0.25 * np.median(strengths), sizes, 0), code.flip)
    lands, errors, used = _fitted_lands(paper, backs, offsets, strengths)
    places = (
        camera.picture_points(points[found] + moved[found]),
        camera.picture_points((backs + local.at(backs) + offsets)[used]),
    )
    return Measured(paper, code, lands, errors, (int(found.sum()), len(found)), (int(used.sum()), len(used)), places)


# --- why a picture says nothing ---------------------------------------------------------------------------------------

_AGAIN = "take another picture: all of the sheet, flat against a bright window, sharp, and from straight in front"


def _refused(code: str, message: str, hint: str) -> Refused:
    return Refused([Diagnostic(code, message, hint)])


def _why_not(grey: Image.Image, marks: int) -> tuple[str, str, str]:
    """Return what is wrong with a picture in which no sheet was found."""
    small = grey.reduce(max(max(grey.size) // 1000, 1))
    pixels = np.asarray(small, np.float32)
    black, white = np.percentile(pixels, (0.5, 99.5))
    steps = np.abs(np.diff(pixels, axis=1))
    sharpest = np.percentile(steps, 99.9) / max(white - black, 1)
    if white < _DARK:
        hint = "take it in daylight, against a window, or let the camera expose it longer"
        return "R019", f"the picture is too dark: its paper has a brightness of {white:.0f} of 255", hint
    if sharpest < _SHARP:
        return (
            "R020",
            "the picture is blurred: nothing in it has a sharp edge",
            "tap on the sheet to focus, and hold still",
        )
    if marks:
        message = f"the sheet is cut off or covered: {marks} of the 4 round marks in its corners can be seen"
        return "R021", message, _AGAIN
    hint = "print one with `kotc calibrate --paper a4`: sheets of earlier versions have no dots for a camera"
    return "R018", "there is no calibration sheet with dots in the picture", hint


def _wrong_side(sheet: Sheet) -> tuple[str, str, str]:
    if sheet.is_back:
        return "R022", "the picture shows the back of the sheet", "turn the sheet over: its front has the instructions"
    return "R022", "the picture is a mirror image", "turn off mirroring in the camera or scanner, and take it again"


# --- dots -------------------------------------------------------------------------------------------------------------


class _Lens(NamedTuple):
    """Points around a dot that are looked at, and what turns their brightness into what is measured of the dot."""

    around: Floats
    solve: Floats
    model: Floats


@cached(32)
def _lens(radius: float, blur: float, window: float, step: float) -> _Lens:
    """Return the least squares of a soft disc on ground that is darker to one side at most, for points in a circle.

    The model is the brightness of the ground and its growth, the disc, and what a move or a larger radius adds to it.
    """
    fine = 0.05
    along = np.arange(-window - 1, window + 1 + fine / 2, fine)
    x, y = np.meshgrid(along, along)
    weights = np.exp(-0.5 * (np.arange(-60, 61) * fine / blur) ** 2)

    def soft_disc(radius: float) -> Floats:
        disc = np.clip((radius - np.hypot(x, y)) / fine + 0.5, 0, 1)
        for axis in (0, 1):
            disc = np.apply_along_axis(np.convolve, axis, disc, weights / weights.sum(), "same")
        return np.asarray(disc)

    disc = soft_disc(radius)
    grown = np.asarray((soft_disc(radius + 0.2) - soft_disc(radius - 0.2)) / 0.4)
    down, right = (np.asarray(slope) for slope in np.gradient(disc, fine))
    at = np.arange(-window, window + step / 2, step)
    x, y = (each.ravel() for each in np.meshgrid(at, at))
    inside = np.hypot(x, y) <= window
    x, y = x[inside], y[inside]
    columns, rows = (np.rint((each - along[0]) / fine).astype(int) for each in (x, y))
    soft, right, down, grown = (each[rows, columns] for each in (disc, right, down, grown))
    model = np.stack([np.ones_like(x), -soft, right, down, -grown, x, y], axis=1)
    return _Lens(np.stack([x, y], axis=1), np.linalg.pinv(model), model)


class _Discs(NamedTuple):
    """What was measured of discs: how far off in mm, how dark of 1, larger by how many mm, how much is left unexplained."""

    moves: Floats
    strengths: Floats
    growth: Floats
    left: Floats


def _fitted_discs(pixels: NDArray[np.float32], camera: Camera, points: Floats, lens: _Lens) -> _Discs:
    """Return what the discs are that lie about at points of the sheet."""
    seen = _brightness(pixels, camera, points, lens.around)
    found = seen @ lens.solve.T
    left = np.sqrt(np.mean((seen - found @ lens.model.T) ** 2, axis=1))
    ground, strength = np.maximum(found[:, 0], 1.0), found[:, 1]
    with np.errstate(all="ignore"):
        changes = np.nan_to_num(found[:, 2:5] / strength[:, None])
    return _Discs(
        np.clip(changes[:, :2], -0.7, 0.7), strength / ground, np.clip(changes[:, 2], -0.5, 0.5), left / ground
    )


def _brightness(pixels: NDArray[np.float32], camera: Camera, points: Floats, around: Floats) -> Floats:
    """Return the brightness of the picture in places around points of the sheet, a row for each."""
    wanted = camera.picture_points((points[:, None] + around[None]).reshape(-1, 2)) - 0.5
    height, width = pixels.shape
    x, y = (np.clip(at, 0, most - 1.001) for at, most in zip(wanted.T, (width, height), strict=True))
    left, top = x.astype(int), y.astype(int)
    right, low = x - left, y - top
    above = pixels[top, left] * (1 - right) + pixels[top, left + 1] * right
    below = pixels[top + 1, left] * (1 - right) + pixels[top + 1, left + 1] * right
    return np.asarray((above * (1 - low) + below * low).reshape(len(points), -1), np.float64)


def _measure_front(pixels: NDArray[np.float32], sheet: Sheet) -> tuple[Camera, Floats, Floats]:
    """Return the camera by all dots of the front, how far each lies from where it should, and how large it is.

    A dot that is covered, or moved otherwise than those around it, has the size NaN.
    """
    camera, points = sheet.camera, np.array(layout(sheet.camera.paper).front.dots)
    middling = sum(FRONT_SIZES) / 2
    tries = [_lens(middling, blur, _FRONT_WINDOW, _FRONT_STEP) for blur in _BLURS]
    known = np.isfinite(sheet.dots[:, 0])
    moved = np.zeros_like(points)
    moved[known] = camera.sheet_points(sheet.dots[known], points[known]) - points[known]
    moved[~known] = _Field(points[known], moved[known]).at(points[~known])
    for _ in range(3):
        lens = min(tries, key=lambda lens: float(np.median(_fitted_discs(pixels, camera, points + moved, lens).left)))
        for _ in range(3):
            discs = _fitted_discs(pixels, camera, points + moved, lens)
            moved = moved + discs.moves
        seen = camera.picture_points(points + moved)
        camera = fit_camera(camera, points, seen)
        moved = camera.sheet_points(seen, points + moved) - points
    good = (discs.strengths > 0.3 * np.median(discs.strengths)) & (np.hypot(*moved.T) < PITCH / 2)
    for _ in range(2):
        if good.sum() < 12:
            break
        off = np.hypot(*(moved - _Field(points[good], moved[good]).at(points, leaving_out=True)).T)
        good &= off < max(6 * float(np.median(off[good])), 0.06)
    return camera, moved, np.where(good, discs.growth, np.nan)


class _Field(NamedTuple):
    """How far the dots of the front lie from where the camera should see them, as a plane through those nearby."""

    points: Floats
    moved: Floats

    def at(self, points: Floats, *, leaving_out: bool = False) -> Floats:
        """Return how far points lie off; `leaving_out` what is known of the very same point."""
        apart = points[:, None] - self.points[None]
        squares = (apart**2).sum(axis=2) / (1.2 * PITCH) ** 2
        weights = np.exp(-0.5 * squares) + 1e-9
        if leaving_out:
            weights = np.where(squares < 1e-6, 0.0, weights)
        plane = np.concatenate([np.ones((*apart.shape[:2], 1)), apart / PITCH], axis=2)
        weighted = plane * weights[:, :, None]
        squared = np.einsum("nki,nkj->nij", weighted, plane) + 1e-6 * np.eye(3)
        return np.asarray(np.linalg.solve(squared, np.einsum("nki,kj->nij", weighted, self.moved))[:, 0])


def _sorted_sizes(sizes: Floats) -> list[float]:
    """Return by how much each dot is larger than what divides small ones from large ones; 0 for those not found."""
    known = sizes[np.isfinite(sizes)]
    middle = (known.min() + known.max()) / 2
    for _ in range(8):
        if (known > middle).any() and (known <= middle).any():
            middle = (known[known > middle].mean() + known[known <= middle].mean()) / 2
    return [float(each) for each in np.nan_to_num(sizes - middle)]


# --- the back ---------------------------------------------------------------------------------------------------------


def _measure_back(
    pixels: NDArray[np.float32], camera: Camera, local: _Field, points: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return how far each dot of the back lies from where it should, in mm, how dark it is, of 1, and how large."""
    places = points + local.at(points)
    middling = sum(BACK_SIZES) / 2
    offsets = _roughly(pixels, camera, places, middling)
    tries = [_lens(middling, blur, _BACK_WINDOW, _BACK_STEP) for blur in _BLURS]
    lens = min(tries, key=lambda lens: float(np.median(_fitted_discs(pixels, camera, places + offsets, lens).left)))
    for _ in range(5):
        discs = _fitted_discs(pixels, camera, places + offsets, lens)
        offsets = offsets + discs.moves
    landed = points + offsets
    for _ in range(3):  # where the picture is bent, a mm of it is none of the sheet
        landed = places + offsets - local.at(landed)
    return landed - points, discs.strengths, discs.growth


def _roughly(pixels: NDArray[np.float32], camera: Camera, places: Floats, radius: float) -> Floats:
    """Return about how far dots of the back lie off: what all of a quarter of the sheet say together, then each.

    Even where no eye sees one dot, the sum of many shows a peak.
    """
    at = np.arange(-_COARSE_WINDOW, _COARSE_WINDOW + _COARSE_STEP / 2, _COARSE_STEP)
    x, y = np.meshgrid(at, at)
    around = np.stack([x.ravel(), y.ravel()], axis=1)
    seen = _brightness(pixels, camera, places, around).reshape(len(places), len(at), len(at))
    dark = 1 - seen / np.maximum(np.median(seen, axis=(1, 2), keepdims=True), 1)
    # Dots of the front stand 8 mm beside, above and below.
    beside = np.minimum(np.hypot(np.abs(x) - PITCH, y), np.hypot(x, np.abs(y) - PITCH)) < FRONT_SIZES[1] + 0.7
    dark = np.where(beside, 0, np.clip(dark, -0.6, 0.6))
    far = np.hypot(x, y)
    disc = (far <= radius).astype(float)
    ring = ((far > radius + 0.4) & (far <= radius + 1.4)).astype(float)
    spot = disc / disc.sum() - ring / ring.sum()
    size = 2 * len(at)
    found = np.fft.irfft2(np.fft.rfft2(dark, (size, size)) * np.conj(np.fft.rfft2(spot, (size, size))), (size, size))
    found = np.roll(found, (len(at) // 2, len(at) // 2), axis=(1, 2))[:, : len(at), : len(at)]
    within = np.hypot(x, y) <= FARTHEST + 1

    def peaks(found: Floats, near: Floats, reach: float) -> Floats:
        allowed = within & (np.hypot(x - near[:, :1, None], y - near[:, 1:, None]) <= reach)
        return np.asarray(around[np.where(allowed, found, -np.inf).reshape(len(found), -1).argmax(axis=1)])

    middle = (camera.paper.width / 2, camera.paper.height / 2)
    quarter = (places > middle) @ (1, 2)
    first = peaks(found.sum(axis=0, keepdims=True), np.zeros((1, 2)), 2 * FARTHEST)
    sums = np.array([found[quarter == each].sum(axis=0) for each in range(4)])
    quarters = peaks(sums, np.repeat(first, 4, axis=0), 1.8)
    coarse = np.array([places[quarter == each].mean(axis=0) for each in range(4)])
    plane = np.linalg.lstsq(_of_plane(coarse, middle), quarters, rcond=None)[0]
    near = _of_plane(places, middle) @ plane
    each = peaks(found, near, 1.2)
    plane, _ = _robust_plane(_of_plane(places, middle), each)
    return _of_plane(places, middle) @ plane


def _of_plane(points: Floats, middle: tuple[float, float]) -> Floats:
    return np.append(np.ones((len(points), 1)), (points - middle) / 100, axis=1)


def _robust_plane(design: Floats, offsets: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients of both offsets, and weights of the points, 0 of those that are left out."""
    plane = np.array([np.median(offsets, axis=0), [0, 0], [0, 0]])
    weights = np.ones(len(design))
    for _ in range(20):
        misses = np.hypot(*(offsets - design @ plane).T)
        weights = tukey(misses, max(5 * float(np.median(misses)), 0.02))
        root = np.sqrt(weights)[:, None]
        plane = np.linalg.lstsq(design * root, offsets * root, rcond=None)[0]
    return plane, weights


def _check_back(paper: Size, sizes: Floats, flip: Flip) -> None:
    """Refuse a back whose dots are not those that should be there: nothing shines through, or it is turned."""
    pattern = 2.0 * np.array(large_backs(paper)) - 1
    points = np.array(layout(paper).back.dots)
    partner = np.hypot(*(points[:, None] + points[None] - (paper.width, paper.height)).transpose(2, 0, 1)).argmin(
        axis=1
    )
    upright, turned = (float(np.nan_to_num(np.corrcoef(sizes, each)[0, 1])) for each in (pattern, pattern[partner]))
    if turned > max(_ALIKE, upright):
        other = next(each for each in Flip if each is not flip)
        message = f"the back is upside down: the sheet was made for flipping on the {flip.words}"
        hint = f"print it again, flipped on the {flip.words}, or make it with `--flip {other.value}`"
        raise _refused("R024", message, hint)
    if upright < _ALIKE:
        raise _refused(
            "R023", f"the back cannot be made out through the paper, or is off by more than {FARTHEST:g} mm", _THICK
        )


_THICK = "more light behind the sheet or thinner paper helps; or read the scales, pricked with a needle on thick paper"


def _fitted_lands(
    paper: Size, points: Floats, offsets: Floats, strengths: Floats
) -> tuple[Affine, tuple[float, ...], NDArray[np.bool_]]:
    """Return where the points of the back land, the errors of its numbers, and which dots were used; Refused if unsure."""
    middle = paper.width / 2, paper.height / 2
    good = strengths > 0.25 * np.median(strengths)
    design = _of_plane(points, middle)
    plane, weights = _robust_plane(design[good], offsets[good])
    used = good.copy()
    used[good] = weights > 0
    if used.mean() < _FEWEST_BACKS:
        raise _refused("R023", f"only {used.sum()} of {len(used)} dots of the back agree", _THICK)
    weights = weights[weights > 0]
    misses = offsets[used] - design[used] @ plane
    freedom = max(weights.sum() - 3, 1)
    variance = (weights[:, None] * misses**2).sum(axis=0) / freedom
    inverse = np.linalg.inv((design[used] * weights[:, None]).T @ design[used])
    corners = _of_plane(np.array([(10, 10), (paper.width - 10, paper.height - 10)]), middle)
    worst = _SURE * np.sqrt(np.einsum("ni,ij,nj->n", corners, inverse, corners).max() * variance.sum())
    shift = np.hypot(_SURE * np.sqrt(inverse[0, 0] * variance), _FLOOR)
    across, below = (_SURE * np.sqrt(inverse[at, at] * variance) / 100 for at in (1, 2))  # of 1: right and down, a mm
    if shift.max() > _PRECISE or worst > _PRECISE_AT_CORNERS:
        message = f"the dots are too faint or too few: the offset is only known to ± {max(shift.max(), worst):.2f} mm"
        raise _refused("R023", message, _THICK)
    slopes = plane[1:] / 100
    start = plane[0] - middle @ slopes
    lands = Affine(*(float(each) for each in (1 + slopes[0, 0], slopes[0, 1], slopes[1, 0], 1 + slopes[1, 1], *start)))
    turn, skew = (float(np.degrees(np.hypot(across[1], below[0]) * times)) for times in (0.5, 1.0))
    errors = (float(shift[0]), float(shift[1]), turn, 100 * float(across[0]), 100 * float(below[1]), skew)
    return lands, errors, used
