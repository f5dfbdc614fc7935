"""Which of the game's frames a card has, by its symbols, and the ink that its texts have on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from PIL import Image

from render.games.kotc.model.cards import Kind
from render.games.kotc.recognition.card_places import Frame, background
from render.games.kotc.recognition.line_reading import Sheet
from render.games.kotc.recognition.registration import CardPicture, Grid, NoCard

NEW, OLD = 17, 11  # eras whose templates differ: HP stands on its corner, or is a square
_COARSE_DPI = 75.0
_BELOW_ART = 46.6  # mm
_MOST = 9.0  # of 255: what a card of the frame differs from it without its texts, on average
_LIGHTNESS = np.array([0.299, 0.587, 0.114], np.float32)


def frame_of(card: CardPicture) -> Frame:
    """Return the frame that is most like the card; NoCard if none is."""
    seen = _reduced(card)
    differences = {frame: _difference(seen, _coarse(frame)) for frame in _frames()}
    best = min(differences, key=lambda frame: differences[frame])
    sheet = sheet_of(card, best)
    if _light_difference(card, best, sheet) > _MOST:
        raise NoCard("the symbols of the game's cards were not found in it")
    return best


def _frames() -> Iterator[Frame]:
    for padlock, gem in product((False, True), repeat=2):
        yield Frame(Kind.SPELL, NEW, padlock=padlock, gem=gem)
        for edition in (NEW, OLD):
            yield Frame(Kind.MINION, edition, padlock=padlock, gem=gem)
    for edition, gem in product((NEW, OLD), (False, True)):
        yield Frame(Kind.PAWN, edition, gem=gem, lines=True)
    for pictured, flavored in product((False, True), repeat=2):
        yield Frame(Kind.TIP, NEW, pictured=pictured, flavored=flavored)


def _reduced(card: CardPicture) -> Grid:
    small = background(Frame(Kind.SPELL, NEW), _COARSE_DPI).size
    image = Image.fromarray(card.colors.astype(np.uint8))
    return np.asarray(image.resize(small, Image.Resampling.BOX), np.float32)


def _coarse(frame: Frame) -> Grid:
    return np.asarray(background(frame, _COARSE_DPI), np.float32)


def _difference(seen: Grid, frame: Grid) -> float:
    """Return how much a card differs from a frame below the picture; its texts count the same for all frames."""
    top = round(_BELOW_ART * _COARSE_DPI / 25.4)
    return float(np.abs(seen[top:] - frame[top:]).mean())


def _light_difference(card: CardPicture, frame: Frame, sheet: Sheet) -> float:
    """Return how much a card differs from its frame where no text is."""
    top = round(_BELOW_ART * card.scale)
    bare = sheet.ink[top:] < 0.3
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    return float(np.abs(card.colors[top:] - drawn[top:])[bare].mean()) if bare.any() else np.inf


def sheet_of(card: CardPicture, frame: Frame) -> Sheet:
    """Return the ink of a card's texts: what its frame does not show."""
    drawn = np.asarray(background(frame, card.dpi), np.float32)
    lightness, seen = drawn @ _LIGHTNESS, card.colors @ _LIGHTNESS
    ink = (lightness - seen) / np.maximum(lightness, 1.0)
    return Sheet(ink.astype(np.float32), card.colors[:, :, 0] - card.colors[:, :, 2], card.scale)
