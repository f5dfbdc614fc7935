"""A folder of pictures for a print shop, with `order.csv`: each as the shop wants it, listed, and of its own card.

A picture does not say what it should show. Without the cards, only its size and kind can be proved.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from PIL import Image

from render.base.patterns import regex
from render.images import decode
from render.images.files.parts import UnusablePicture
from render.layout import bleed
from render.png import paint
from render.png.canvas import Canvas
from render.scene.items import Scene
from render.shops.preflight.picture_file import preflight_png
from render.shops.profiles import PictureShop, shops
from render.verify.faces import Cards, WantedCards
from render.verify.faults import Fault, NotReadable
from render.verify.sheet_file import by_set
from render.verify.ticket import MAX_CARDS

ORDER = "order.csv"
_BESIDE = (
    ORDER,
    "order.html",
    "backs/blank-.png",
)  # a page to read, and the back of cards without one where all have one
_FOR_PROGRAMS = regex(r"order(-[0-9]+)?\.xml")
MAX_ROWS, LARGEST = 20_000, 4_000_000  # lines and bytes of the order

MAX_APART = 2  # of 255: the same face painted on another machine

_HEADER = ["front", "back", "copies", "name"]
_NAME = r"[^\u0000-\u002c./\u003a-\u005e\u0060\u007b-\u00a9]+"  # what an id of a card has
_FRONT = regex(rf"fronts/({_NAME})\.png")
_BACK = regex(rf"backs/{_NAME}\.png|")
_HINT = "make it again with `kotc shop`"
_SOURCES = ("auto", "template", "mirror", "stretch")


class Row(NamedTuple):
    """A line of the order: the card, its pictures relative to the folder, the number of copies, and its name."""

    card: str
    front: str
    back: str
    copies: int
    name: str


class PictureFolder(Struct):
    """A folder as read: the shop, its order, the faults, and the pictures without any."""

    path: Path
    shop: PictureShop | None = None
    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    sound: set[str] = field(default_factory=set)


def folder_of(path: Path) -> Path | None:
    """Return the folder of pictures that a path means; None if it means something else."""
    if path.name == ORDER:
        return path.parent
    return path if path.is_dir() and (path / ORDER).is_file() else None


def read(folder: Path) -> PictureFolder:
    """Return a folder of pictures, judged by itself; NotReadable if it has no order; OSError."""
    found = PictureFolder(folder)
    found.rows = list(_rows(folder / ORDER, found.faults))
    listed = dict.fromkeys(name for row in found.rows for name in (row.front, row.back) if name)
    parts = [part for part in (folder / "fronts", folder / "backs") if part.is_dir()]
    lying = [file for part in (*parts, folder) for file in sorted(part.glob("[!.]*")) if file not in parts]
    for name in (file.relative_to(folder).as_posix() for file in lying):
        if name not in listed and name not in _BESIDE and not _FOR_PROGRAMS.fullmatch(name):
            found.faults.append(Fault("Q060", f"`{name[:60]}` is in no line of `{ORDER}`", hint=_HINT))
    for name in listed:
        faults = [Fault(code, what, hint=_HINT) for code, what in _judged(found, name)]
        found.faults += faults
        if not faults:
            found.sound.add(name)
    return found


def _rows(file: Path, faults: list[Fault]) -> Iterator[Row]:
    """Yield the lines of the order; impossible lines become faults."""
    with file.open("rb") as stream:
        data = stream.read(LARGEST + 1)  # one byte more tells a file that is too large
    try:
        # Without `strict`, a stray quote would be read as text; `newline=""` leaves line ends to `csv`.
        lines = list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        lines = []
    if not lines or lines[0] != _HEADER or len(data) > LARGEST or len(lines) > MAX_ROWS:
        raise NotReadable("Q001", f"`{ORDER}` is not a list of fronts, backs, copies and names", _HINT)
    seen: set[str] = set()
    for number, line in enumerate(lines[1:], start=2):
        front, back, copies, name = line if len(line) == len(_HEADER) else ("", "", "", "")
        match, count = _FRONT.fullmatch(front), int(copies) if re.fullmatch(r"[1-9]\d{0,5}", copies) else 0
        if match is None or not _BACK.fullmatch(back) or not 1 <= count <= MAX_CARDS:
            faults.append(Fault("Q060", f"line {number} of `{ORDER}` is not a front, a back and copies", hint=_HINT))
        elif front in seen:
            faults.append(Fault("Q060", f"line {number} of `{ORDER}` has `{front[:60]}` again", hint=_HINT))
        else:
            seen.add(front)
            yield Row(match[1], front, back, count, name)


def _judged(folder: PictureFolder, name: str) -> Iterator[tuple[str, str]]:
    """Yield codes and words for what is wrong with a picture; the first one of a known size decides which shop it is."""
    path = folder.path / name
    if not path.is_file() or path.is_symlink():  # which may lead out of the folder
        yield "Q060", f"`{name}` is missing"
        return
    try:
        data = decode.read_picture(path)
        size, _, _ = decode.check_picture(data)
    except UnusablePicture as error:
        yield "Q010", f"`{name}` {error}"
        return
    takers = (shop for shop in shops().values() if isinstance(shop, PictureShop))
    made_for = (replace(shop, product=each) for shop in takers for each in shop.products if each.pixels == size)
    folder.shop = folder.shop or next(made_for, None)
    if folder.shop is None:
        yield "Q010", f"`{name}`: no shop takes a picture like this one"
        return
    yield from (("Q010", f"`{name}`: {finding.message}") for finding in preflight_png(data, [folder.shop.pixels]))
    with Image.open(io.BytesIO(data)) as image:
        said, dpi = image.info, folder.shop.dpi
    for key in sorted(said.keys() - {"srgb", "dpi"}):
        yield "Q010", f"`{name}`: it holds `{key[:40]}`, which kotc does not write"
    if any(abs(each - dpi) > 0.1 for each in said.get("dpi", (0, 0))):  # a PNG counts in whole pixels a meter
        yield "Q010", f"`{name}`: it does not say that it has {dpi:g} dpi"


# --- against the cards ----------------------------------------------------------------------------------------------


def against(folder: PictureFolder, wanted: WantedCards) -> Iterator[Fault]:
    """Yield how a folder of pictures differs from the cards of sets."""
    due = wanted.copies_of(folder.shop.card) if folder.shop else wanted.copies
    yield from by_set((row.card for row in folder.rows for _ in range(row.copies)), due, wanted.drafts)
    for row in folder.rows:
        name = wanted.names.get(row.card, row.name)
        if row.name != name:
            said = f"`{ORDER}` calls it `{row.name[:60]}`, and its set `{name[:60]}`"
            yield Fault("Q003", said, card=row.card, hint=_HINT)
    if folder.shop is not None:
        yield from _unlike(folder, wanted.faces(folder.shop.card, True), wanted.bleed_from)


def _unlike(folder: PictureFolder, cards: Cards, sources: Sequence[str]) -> Iterator[Fault]:
    """Yield which pictures show something else than their cards; `sources` are what the sets make bleed from.

    Nothing in a folder says what its bleed was made from: it is what the sets say, or one other source for all
    pictures.
    """
    assert folder.shop is not None
    pairs = [(row.card, is_back) for row in folder.rows for is_back in (False, True)]
    pairs = [(card, is_back) for card, is_back in pairs if cards.get(card)]
    rows = {row.card: row for row in folder.rows}
    painted: dict[tuple[int, str, str], str] = {}
    source = sources[0] if sources else "auto"
    for card, is_back in pairs:
        name, scene = rows[card].back if is_back else rows[card].front, cards[card][0][is_back]
        if (scene is None) is not (name == ""):
            what = "a back, and its card has none" if name else "no back, and its card has one"
            yield Fault("Q090", f"`{ORDER}` has {what}", card=card, is_back=is_back)
        elif scene is not None and name in folder.sound:
            # Many cards share the scene of their back: it is painted once. `cards` keeps all scenes, so an `id` stays
            # theirs.
            key = id(scene), name, source
            if key not in painted:
                painted[key] = _differs(folder, name, scene, source, is_back=is_back)
                # The first picture decides on the source for all.
                if painted[key] and not is_back and len(painted) == 1:
                    source, painted[key] = _other_source(folder, name, scene, painted[key])
            if painted[key]:
                what = f"`{name}` shows something else than its card{painted[key]}"
                yield Fault("Q090", what, card=card, is_back=is_back)


def _other_source(folder: PictureFolder, name: str, scene: Scene, said: str) -> tuple[str, str]:
    """Return the source of a picture's bleed if it matches its card but for that; else the difference."""
    corner = _pixels(folder, name).getpixel((0, 0))  # with bleed of one color, the corner has that color
    colors = (f"#{bytes(corner).hex()}",) if isinstance(corner, tuple) else ()
    for source in (*_SOURCES, *colors):
        if not _differs(folder, name, scene, source):
            return source, ""
    return _SOURCES[0], said


def _differs(folder: PictureFolder, name: str, scene: Scene, source: str, *, is_back: bool = False) -> str:
    """Return where a picture differs from a face with its bleed, in words; "" if it does not."""
    shop = folder.shop
    assert shop is not None
    drawn = paint.paint(bleed.add_bleed(scene, shop.bleed, source), Canvas(shop.dpi, shop.bleed))
    if scene.size == shop.card.sideways != shop.card:  # its front is turned clockwise, its back the other way
        drawn = drawn.transpose(Image.Transpose.ROTATE_90 if is_back else Image.Transpose.ROTATE_270)
    found, wanted = (np.asarray(each.convert("RGB"), np.int16) for each in (_pixels(folder, name), drawn))
    rows, columns = np.nonzero(np.abs(found - wanted).max(axis=2) > MAX_APART)
    if not len(rows):
        return ""
    number = f"{len(rows)} pixels differ" if len(rows) > 1 else "a pixel differs"
    return f": {number}, at {columns.min()}, {rows.min()} to {columns.max()}, {rows.max()}"


def _pixels(folder: PictureFolder, name: str) -> Image.Image:
    """Return a picture that is known to be sound, and of the shop's size."""
    return decode.decode_picture(decode.open_raster(decode.read_picture(folder.path / name)))
