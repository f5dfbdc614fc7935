"""Which of the game's frames a card has, by its symbols, and the ink that its texts have on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import floor

import numpy as np
from PIL import Image

from render.base.geometry import Rect
from render.games.kotc.model.cards import Kind
from render.games.kotc.workshop.recognition.card_places import Frame, background
from render.games.kotc.workshop.recognition.registration import Grid, NoCard, SeenCard
from render.games.kotc.workshop.recognition.signs.line_reading import InkSheet
from render.png.packing import encode

NEW, OLD = 17, 11  # eras whose templates differ: HP stands on its corner, or is a square
_COARSE_DPI = 75.0
_BELOW_ART = 46.6  # mm
_BAND = 34.0  # mm: where the band of a tip with a picture begins
_MAX_DIFFERENCE = 9.0  # of 255: what a card of the frame differs from it without its texts, on average
_COLORED = 40  # of 255, between the largest and the smallest of red, green and blue: the symbols of a frame
_MAX_PALER = 17.0  # of 255 by which symbols differ in lightness: half of what green differs by from white
_LIGHTNESS = np.array([0.299, 0.587, 0.114], np.float32)


def frame_of(card: SeenCard) -> Frame:
    """Return the frame that is most like the card; NoCard if none is."""
    seen = _reduced(card)
    best = min(_frames(), key=lambda frame: _difference(seen, _coarse(frame), _BELOW_ART))
    if best.kind is Kind.TIP:
        best = min(_tips(), key=lambda frame: _difference(seen, _coarse(frame), _BAND))
    sheet = sheet_of(card, best)
    if best.lines and _written(sheet):  # words over the whole box are no lines to write on
        best = replace(best, kind=Kind.MINION, lines=False)
        sheet = sheet_of(card, best)
    if _light_difference(card, best, sheet) > _MAX_DIFFERENCE or not _has_symbols(card, best):
        raise NoCard("the symbols of the game's cards were not found in it")
    return best


def _frames() -> Iterator[Frame]:
    for padlock, gem in product((False, True), repeat=2):
        yield Frame(kind=Kind.SPELL, edition=NEW, padlock=padlock, gem=gem)
        for edition in (NEW, OLD):
            yield Frame(kind=Kind.MINION, edition=edition, padlock=padlock, gem=gem)
    for edition, gem in product((NEW, OLD), (False, True)):
        yield Frame(kind=Kind.PAWN, edition=edition, gem=gem, lines=True)
    yield from _tips()


def _tips() -> Iterator[Frame]:
    for pictured, flavored in product((False, True), repeat=2):
        yield Frame(kind=Kind.TIP, edition=NEW, pictured=pictured, flavored=flavored)


def _reduced(card: SeenCard) -> Grid:
    small = background(Frame(kind=Kind.SPELL, edition=NEW), _COARSE_DPI).size
    image = Image.fromarray(card.colors.astype(np.uint8))
    return np.asarray(image.resize(small, Image.Resampling.BOX), np.float32)


def _coarse(frame: Frame) -> Grid:
    return np.asarray(background(frame, _COARSE_DPI), np.float32)


def _difference(seen: Grid, frame: Grid, below: float) -> float:
    """Return how much a card differs from a frame below so many mm; its texts count the same for all frames."""
    top = round(below * _COARSE_DPI / 25.4)
    return float(np.abs(seen[top:] - frame[top:]).mean())


def _written(sheet: InkSheet) -> bool:
    """Return whether words stand in the box for the ability text."""
    top, bottom, left, right = (round(each * sheet.scale) for each in (49.6, 67.9, 6.8, 56.7))
    return bool((sheet.ink[top:bottom, left:right] > 0.5).sum() > sheet.scale)


def _light_difference(card: SeenCard, frame: Frame, sheet: InkSheet) -> float:
    """Return how much a card differs from its frame where no text is."""
    top = round(_BELOW_ART * card.scale)
    bare = sheet.ink[top:] < 0.3
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    return float(np.abs(card.colors[top:] - drawn[top:])[bare].mean()) if bare.any() else np.inf


def _has_symbols(card: SeenCard, frame: Frame) -> bool:
    """Return whether most of the frame's symbols are at their places, be they grey; upside down, none is."""
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    colored = drawn.max(axis=2) - drawn.min(axis=2) > _COLORED
    colored[: round(_BELOW_ART * card.scale)] = False
    if not colored.any():
        return True
    return float(np.median(np.abs((card.colors - drawn)[colored] @ _LIGHTNESS))) < _MAX_PALER


def sheet_of(card: SeenCard, frame: Frame) -> InkSheet:
    """Return the ink of a card's texts: what its frame does not show."""
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    lightness, seen = drawn @ _LIGHTNESS, card.colors @ _LIGHTNESS
    ink = (lightness - seen) / np.maximum(lightness, 1.0)
    return InkSheet(ink.astype(np.float32), card.colors[:, :, 0] - card.colors[:, :, 2], card.scale)


# --- the picture ------------------------------------------------------------------------------------------------------

_ART = Rect(3.175, 10.795, 57.15, 35.56)  # mm (templates/kotc/frame.svg), and that of tips
_ART_OF_TIP = Rect(3.175, 10.795, 57.15, 23.0)
_PLACEHOLDER = 4.0  # of 255: what a JPEG of the placeholder differs from it, on average


def picture_of(card: SeenCard, frame: Frame) -> bytes:
    """Return what stands in the box for the picture, as a PNG; nothing if that is the placeholder, or white."""
    if frame.kind is Kind.TIP and not frame.pictured:
        return b""
    box = _ART_OF_TIP if frame.kind is Kind.TIP else _ART
    # Whole pixels that the box covers, or nearly so; the frame's line hides half of the outermost.
    left, top = (floor(each * card.scale + 0.5) for each in (box.x, box.y))
    right, bottom = (floor(each * card.scale + 0.5) for each in (box.right, box.bottom))
    seen = card.colors[top:bottom, left:right]
    drawn = np.asarray(background(frame, card.dpi), np.float32)[top:bottom, left:right]
    if np.abs(seen - drawn).mean() < _PLACEHOLDER or (255 - seen).mean() < _PLACEHOLDER / 4:
        return b""
    return encode(Image.fromarray(seen.clip(0, 255).astype(np.uint8)), card.dpi)
