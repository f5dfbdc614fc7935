"""Where a calibration sheet lies in a picture: its marks and dots among all that is dark, and the camera that saw them.

Marks are told by numbers that no perspective changes: how much of its own ellipse of inertia a spot fills is 1 for a
disc and 0.38 for a ring, however it is turned and tilted. The marks give the perspective, and those dots that lie where
they should then give perspective and lens together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from render.base.geometry import Size
from render.sheets.calibration.dots import MARK, Side, layout

Floats = NDArray[np.float64]
"""Numbers, or points as rows of x and y."""

_LOOKED_AT = 2000  # pixels of the longer side: more only take time
_CONTRASTS = 0.3, 0.12  # by how much a spot is darker than what is around it, of 1
_ENOUGH = 0.55  # of the dots must lie where the marks say; by chance, one of six does
_BULGES = np.linspace(-0.24, 0.24, 13)  # lenses that are tried first
_NEAR = 1.3  # mm from where a dot should be to where it is looked for
_SOME = 0.25  # of the dots are there at first, even in a sheet that bends
_BESIDE = 14.0  # mm: dots that bend alike
_SPOTS = 8  # of each kind that are tried as marks: prints have letters, too


# --- the camera -----------------------------------------------------------------------------------------------------


class Camera(NamedTuple):
    """What takes points of the sheet to points of the picture: perspective, then one radial term of the lens.

    `perspective` takes tenths of a meter from the middle of the paper to half diagonals from the middle of the picture.
    """

    paper: Size
    picture: tuple[int, int]
    perspective: Floats
    bulge: float

    def picture_points(self, points: Floats) -> Floats:
        """Return where points of the sheet, in mm, are seen, in pixels."""
        ideal = _projected(self.perspective, _of_sheet(points, self.paper))
        outward = ideal[:, :1] ** 2 + ideal[:, 1:] ** 2
        return _to_pixels(ideal * (1 + self.bulge * outward), self.picture)

    def sheet_points(self, seen: Floats, near: Floats) -> Floats:
        """Return the points of the sheet that are seen in those places, not far from `near`."""
        points = near
        for _ in range(4):
            at = self.picture_points(points)
            right, down = (self.picture_points(points + step) - at for step in ((1, 0), (0, 1)))
            slopes = np.stack([right, down], axis=2)
            points = points + np.linalg.solve(slopes, (seen - at)[:, :, None])[:, :, 0]
        return points

    def scale(self, points: Floats) -> Floats:
        """Return how many pixels a mm has at points of the sheet."""
        steps = [self.picture_points(points + step) - self.picture_points(points) for step in ((1, 0), (0, 1))]
        scales: Floats = np.sqrt(np.abs(steps[0][:, 0] * steps[1][:, 1] - steps[0][:, 1] * steps[1][:, 0]))
        return scales


def fit_camera(start: Camera, points: Floats, seen: Floats) -> Camera:
    """Return the camera nearest to one that sees points of the sheet in those places, by least squares, outliers left out."""
    camera = start
    weights = np.ones(len(points))
    for _ in range(8):
        values = np.append(camera.perspective.ravel()[:8] / camera.perspective[2, 2], camera.bulge)

        def off(values: Floats, camera: Camera = camera) -> Floats:
            perspective = np.append(values[:8], 1.0).reshape(3, 3)
            other = camera._replace(perspective=perspective, bulge=float(values[8]))
            return (other.picture_points(points) - seen).ravel()

        misses = off(values)
        slopes = np.stack([(off(values + step) - misses) / 1e-6 for step in 1e-6 * np.eye(9)], axis=1)
        each = np.repeat(np.sqrt(weights), 2)
        values = values - np.linalg.lstsq(slopes * each[:, None], misses * each, rcond=None)[0]
        camera = camera._replace(perspective=np.append(values[:8], 1.0).reshape(3, 3), bulge=float(values[8]))
        distances = np.hypot(*off(values).reshape(-1, 2).T)
        weights = tukey(distances, 6 * np.median(distances) + 1e-6)
    return camera


def tukey(distances: Floats, limit: float | np.floating) -> Floats:
    """Return weights of least squares for what misses by such distances: 0 beyond the limit (Tukey's biweight)."""
    return np.asarray(np.clip(1 - (distances / limit) ** 2, 0, None) ** 2)


def _of_sheet(points: Floats, paper: Size) -> Floats:
    return (points - (paper.width / 2, paper.height / 2)) / 100


def _to_pixels(points: Floats, picture: tuple[int, int]) -> Floats:
    return np.asarray(points * (np.hypot(*picture) / 2) + (picture[0] / 2, picture[1] / 2))


def _projected(perspective: Floats, points: Floats) -> Floats:
    x, y, z = perspective @ np.append(points, np.ones((len(points), 1)), axis=1).T
    return np.asarray(np.stack([x / z, y / z], axis=1))


def _camera_of(paper: Size, marks: Floats, seen: Floats, picture: tuple[int, int], bulge: float) -> Camera:
    """Return the camera with such a lens that sees four marks there."""
    distorted = (seen - (picture[0] / 2, picture[1] / 2)) / (np.hypot(*picture) / 2)
    ideal = distorted
    for _ in range(8):
        ideal = distorted / (1 + bulge * (ideal**2).sum(axis=1, keepdims=True))
    rows = []
    for (x, y), (u, v) in zip(_of_sheet(marks, paper), ideal, strict=True):
        rows += [(x, y, 1, 0, 0, 0, -u * x, -u * y, -u), (0, 0, 0, x, y, 1, -v * x, -v * y, -v)]
    return Camera(paper, picture, np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3), bulge)


# --- spots ----------------------------------------------------------------------------------------------------------


class Spots(NamedTuple):
    """What is dark in a picture: middles in its pixels, `spread` as the product of both deviations, and how much is filled."""

    middles: Floats
    spread: Floats
    filled: Floats

    def where(self, wanted: NDArray[np.bool_]) -> Spots:
        return Spots(self.middles[wanted], self.spread[wanted], self.filled[wanted])


def find_spots(grey: Image.Image, contrast: float) -> Spots:
    """Return all spots that are darker than their surroundings by such a share."""
    times = -(-max(grey.size) // _LOOKED_AT)
    small = grey.reduce(times) if times > 1 else grey
    around = small.filter(ImageFilter.BoxBlur(max(small.size) / 32))
    dark = np.asarray(small, np.float32) < np.asarray(around, np.float32) * (1 - contrast)
    edges = np.diff(np.pad(dark.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, begin = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    whole = _joined_runs(rows, begin, end, dark.shape[1] + 2)
    length = (end - begin).astype(float)
    middle = (begin + end) / 2
    area = np.bincount(whole, length)
    x, y = (np.bincount(whole, length * at) / area for at in (middle, rows + 0.5))
    xx = np.bincount(whole, length * (middle**2 + length**2 / 12)) / area - x * x
    yy = np.bincount(whole, length * ((rows + 0.5) ** 2 + 1 / 12)) / area - y * y
    xy = np.bincount(whole, length * middle * (rows + 0.5)) / area - x * y
    spread = np.sqrt(np.maximum(xx * yy - xy * xy, 1e-9))
    spots = Spots(np.stack([x, y], axis=1) * times, spread * times**2, area / (4 * np.pi * spread))
    return spots.where(area >= 6)


def _joined_runs(
    rows: NDArray[np.int_], begin: NDArray[np.int_], end: NDArray[np.int_], pitch: int
) -> NDArray[np.int_]:
    """Return for each run of dark pixels of a row the number of the spot that it belongs to."""
    below = (rows + 1) * pitch
    first = np.searchsorted(rows * pitch + end, below + begin, "left")
    behind = np.searchsorted(rows * pitch + begin, below + end, "right")
    counts = np.maximum(behind - first, 0)
    one = np.repeat(np.arange(len(rows)), counts)
    other = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    label = np.arange(len(rows))
    while (label[one] != label[other]).any():
        least = np.minimum(label[one], label[other])
        np.minimum.at(label, label[one], least)
        np.minimum.at(label, label[other], least)
        while (label != label[label]).any():
            label = label[label]
    return np.unique(label, return_inverse=True)[1]


# --- the sheet ------------------------------------------------------------------------------------------------------


class Sheet(NamedTuple):
    """A sheet in a picture: the camera, where it sees each dot, in pixels, NaN if it does not.

    And whether it sees the dots of the back better than those of the front, and whether it sees all reversed.
    """

    camera: Camera
    dots: Floats
    is_back: bool
    is_reversed: bool


def find_sheet(grey: Image.Image, papers: Iterable[Size]) -> tuple[Sheet | None, int]:
    """Return the sheet in a picture, on one of the papers, if there is one, and how many marks are seen at least."""
    seen = 0
    for contrast in _CONTRASTS:
        spots = find_spots(grey, contrast)
        targets, others = _marks(spots)
        small = spots.where((spots.filled > 0.75) & (spots.spread < 0.5 * np.max(targets.spread, initial=0)))
        best: tuple[bool, float, Sheet] | None = None
        for corners, is_reversed in _quadrangles(targets, others) if len(small.middles) else ():
            for paper, is_back in product(papers, (False, True)):
                side = layout(paper)[is_back]
                camera, dots = _tried(paper, side, corners, small.middles, grey.size)
                share = float(np.isfinite(dots[:, 0]).mean())
                is_right = not is_back and not is_reversed  # through thin paper, the back is as clear
                if share >= _ENOUGH and (best is None or (is_right, share) > best[:2]):
                    best = is_right, share, Sheet(camera, dots, is_back, is_reversed)
        if best:
            return best[2], 4
        discs, rings = others
        seen = max(
            seen,
            min(len(targets.middles), 2)
            + min(len(targets.middles), len(discs), 1)
            + min(len(targets.middles), len(rings), 1),
        )
    return None, seen


def _marks(spots: Spots) -> tuple[Spots, tuple[Floats, Floats]]:
    """Return the targets, a ring around a dot, and the middles of discs and of empty rings that are about as large."""
    rings = spots.where((spots.filled > 0.2) & (spots.filled < 0.6) & (spots.spread > 8))
    discs = spots.where(spots.filled > 0.8)
    if not len(rings.spread) or not len(discs.spread):
        return rings.where(rings.spread < 0), (discs.middles[:0], rings.middles[:0])
    apart = np.hypot(*(rings.middles[:, None] - discs.middles[None]).transpose(2, 0, 1))
    core = discs.spread[None] / rings.spread[:, None]
    around = ((apart < 0.35 * np.sqrt(rings.spread)[:, None]) & (core > 0.03) & (core < 0.2)).any(axis=1)
    targets = rings.where(around)
    order = np.argsort(-targets.spread)[:_SPOTS]
    targets = Spots(*(each[order] for each in targets))
    if not len(order):
        return targets, (discs.middles[:0], rings.middles[:0])
    usual = np.median(targets.spread)

    def alike(those: Spots, size: float) -> Floats:
        """Return the middles of those that are nearest to so many times the size of the targets."""
        off = np.abs(np.log(those.spread / (usual * size)))
        order = np.argsort(off)[:_SPOTS]
        return np.asarray(those.middles[order[off[order] < np.log(3)]])

    of_disc = MARK**2 / (MARK**2 + 3.0**2)  # spread of a disc, of that of a ring
    return targets, (alike(discs, of_disc), alike(rings.where(~around), 1.0))


def _quadrangles(targets: Spots, others: tuple[Floats, Floats]) -> Iterator[tuple[Floats, bool]]:
    """Yield places of the four marks that form a convex quadrangle, and whether they go round the wrong way."""
    for (one, other), disc, ring in product(permutations(targets.middles, 2), *others):
        corners = np.array([one, other, disc, ring])
        sides = np.roll(corners, -1, axis=0) - corners
        after = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
        if (turns > 0).all() or (turns < 0).all():
            yield corners, bool(turns[0] < 0)


def _tried(paper: Size, side: Side, corners: Floats, spots: Floats, picture: tuple[int, int]) -> tuple[Camera, Floats]:
    """Return the camera that sees the marks there and the most dots where spots are, and the spots that are dots."""
    points, tries = np.array(side.dots), []
    with np.errstate(all="ignore"):
        for bulge in _BULGES:
            camera = _camera_of(paper, np.array(side.marks), corners, picture, float(bulge))
            apart, _ = _nearest(camera.picture_points(points), spots)
            tries.append((float(np.mean(apart < _NEAR * camera.scale(points))), camera))
        share, camera = max(tries, key=lambda tried: tried[0])
        dots = np.full_like(points, np.nan)
        if share < _SOME:
            return camera, dots
        # Where a sheet bends, its dots lie where those beside them say.
        expected, reach = camera.picture_points(points), _NEAR * camera.scale(points)
        around = np.exp(-0.5 * ((points[:, None] - points[None]) ** 2).sum(axis=2) / _BESIDE**2)
        moved = np.zeros_like(points)
        for _ in range(6):
            apart, which = _nearest(expected + moved, spots)
            is_near = apart < reach
            weights = around * is_near + 1e-12
            moved = weights @ (spots[which] - expected) / weights.sum(axis=1, keepdims=True)
        dots[is_near] = spots[which[is_near]]
        if is_near.mean() >= _ENOUGH:
            camera = fit_camera(camera, points[is_near], dots[is_near])
    return camera, dots


def _nearest(points: Floats, spots: Floats) -> tuple[Floats, NDArray[np.int_]]:
    """Return how far the spot is that is nearest to each point, and which one it is."""
    squares = (points[:, :1] - spots[:, 0]) ** 2 + (points[:, 1:] - spots[:, 1]) ** 2
    return np.sqrt(squares.min(axis=1)), squares.argmin(axis=1)
