"""Cards for virtual tables: grid images with a saved object for Tabletop Simulator, or a folder of pictures with a CSV.

Files are given by name, and each is drawn when it is asked for. The file that refers to the others is last.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import floor

from render import __version__
from render.base.geometry import MM_PER_INCH, Size
from render.game.cards import GameCard
from render.game.faces import Faces
from render.game.registry import game_of
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Scene, scene_digest

# Limits of Tabletop Simulator: its knowledge base on custom decks and asset creation.
MAX_PX = 4096
MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_CARDS = MAX_COLUMNS * MAX_ROWS - 1  # the last slot shows what others see of a hand, unless `BackIsHidden` is set
MAX_DPI = 300.0  # a card fills a screen with less
_DPI_STEP = 2  # even, so that a poker card, 2.5 x 3.5 in, has whole pixels
IDS_A_DECK = 100  # a card's id is the key of its custom deck times this, plus its slot

PICTURES = ("front", "back")
"""The last columns of the CSV file; the others are the game's."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file to write: its name in the folder, and a function that draws it."""

    name: str
    data: Callable[[], bytes]


# --- where a card is ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeckSlot:
    """The place of a card's picture: the key of its custom deck, and the slot of its image, from 0, row by row."""

    deck: int
    slot: int

    @property
    def card_id(self) -> int:
        """The `CardID` of Tabletop Simulator."""
        return self.deck * IDS_A_DECK + self.slot


@dataclass(frozen=True, slots=True)
class GridImage:
    """The image of several cards: columns and rows of cells, and a cell's width and height in pixels at `dpi`."""

    columns: int
    rows: int
    cell: tuple[int, int]
    dpi: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.columns * self.cell[0], self.rows * self.cell[1]

    @property
    def last(self) -> int:
        """The last slot."""
        return self.columns * self.rows - 1

    def corner(self, slot: int) -> tuple[int, int]:
        """Return the top left pixel of a slot."""
        row, column = divmod(slot, self.columns)
        return column * self.cell[0], row * self.cell[1]


def places(cards: int, first_deck: int = 1) -> list[DeckSlot]:
    """Return the place of each of that many different cards, in custom decks numbered from `first_deck`."""
    return [DeckSlot(first_deck + number // MAX_CARDS, number % MAX_CARDS) for number in range(cards)]


def grid_image(cards: int, size: Size) -> GridImage:
    """Return the image in which 1 to 69 cards, and a last slot for hidden cards, are largest."""
    shapes = ((columns, -(-(cards + 1) // columns)) for columns in range(1, MAX_COLUMNS + 1))
    images = [_image(columns, rows, size) for columns, rows in shapes if rows <= MAX_ROWS]
    return max(images, key=lambda image: (image.dpi, -image.columns * image.rows))


def _image(columns: int, rows: int, size: Size) -> GridImage:
    across, down = (MAX_PX // columns) * MM_PER_INCH / size.width, (MAX_PX // rows) * MM_PER_INCH / size.height
    dpi = min(floor(min(across, down) / _DPI_STEP) * float(_DPI_STEP), MAX_DPI)
    return GridImage(columns, rows, Canvas(dpi).pixels(Scene(size, ())), dpi)


# --- Tabletop Simulator ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Image:
    """The image of scenes in their slots; slot 0 always has one.

    Its name changes with what it shows, since the game caches images by name.
    """

    stem: str
    grid: GridImage
    scenes: dict[int, Scene]

    @property
    def name(self) -> str:
        seen = [(slot, scene_digest(scene)) for slot, scene in self.scenes.items()]
        return f"{self.stem}-{_short_digest((__version__, self.grid, seen))}.png"

    def data(self) -> bytes:
        """Return the PNG: each card drawn at the resolution of its cell, empty slots black."""
        canvas = Canvas(self.grid.dpi)
        sheet = paint.paint(self.scenes[0], canvas).crop((0, 0, *self.grid.size))  # black beyond the picture
        for slot, scene in self.scenes.items():
            if slot:
                sheet.paste(paint.paint(scene, canvas), self.grid.corner(slot))
        return packing.encode(sheet, self.grid.dpi)


@dataclass(frozen=True, slots=True)
class _Deck:
    """A custom deck: the image of its fronts, and that of its backs, with a single back if all are equal."""

    fronts: _Image
    backs: _Image
    unique_backs: bool


def tabletop_files(name: str, title: str, faces: Sequence[Faces], address: Callable[[str], str]) -> list[TableFile]:
    """Return the images of a set's cards and the saved object, `<name>.json`: a pile with all copies.

    `address` returns the URL of an image; ValueError if no card has a copy.
    """
    different = [face for face in faces if face.card.copies]
    if not different:
        raise ValueError(f"{title}: no card has a copy to put on a table")
    parts = [different[start : start + MAX_CARDS] for start in range(0, len(different), MAX_CARDS)]
    decks = [_deck(name, number, part) for number, part in enumerate(parts, start=1)]
    images = {image.name: image for deck in decks for image in (deck.fronts, deck.backs)}
    saved = partial(_saved_object, title, different, decks, address)
    return [*(TableFile(each, image.data) for each, image in images.items()), TableFile(f"{name}.json", saved)]


def _deck(name: str, number: int, faces: Sequence[Faces]) -> _Deck:
    size = faces[0].front.size
    grid, blank = grid_image(len(faces), size), Scene(size, ())  # a card without a back has a white one on a table
    front, back = [face.front for face in faces], [face.back or blank for face in faces]
    fronts = _Image(f"{name}-fronts-{number}", grid, {**dict(enumerate(front)), grid.last: back[0]})
    if all(each == back[0] for each in back):
        return _Deck(fronts, _Image(f"{name}-back", _image(1, 1, size), {0: back[0]}), False)
    return _Deck(fronts, _Image(f"{name}-backs-{number}", grid, {**dict(enumerate(back)), grid.last: back[0]}), True)


Object = dict[str, object]

_PLACED = {"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}  # a pile, face down
_SCALED = {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
_GRAY = {"r": 0.713235259, "g": 0.713235259, "b": 0.713235259}  # as the game itself writes it for cards


def _saved_object(title: str, faces: Sequence[Faces], decks: Sequence[_Deck], address: Callable[[str], str]) -> bytes:
    """Return the saved object: a pile, or a single card, since the game has no piles of one."""
    first = int(_short_digest(decks[0].fronts.name)[:5], 16)  # so that cards of two sets on a table have different ids
    custom = {str(key): _custom_deck(deck, address) for key, deck in enumerate(decks, start=first)}
    guids = _guids(title)
    cards = [
        _card(face.card, place, custom, next(guids))
        for face, place in zip(faces, places(len(faces), first), strict=True)
        for _ in range(face.card.copies)
    ]
    pile = _object("DeckCustom", title, "", next(guids)) | {
        "Hands": False,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": custom,
        "ContainedObjects": cards,
    }
    saved = {
        "SaveName": title,
        "GameMode": "",
        "Date": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "PlayerTurn": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "ObjectStates": [pile if len(cards) > 1 else cards[0]],
    }
    text = json.dumps(saved, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "backslashreplace")  # a byte of a folder's name that is no UTF-8 as JSON escapes it


def _custom_deck(deck: _Deck, address: Callable[[str], str]) -> Object:
    return {
        "FaceURL": address(deck.fronts.name),
        "BackURL": address(deck.backs.name),
        "NumWidth": deck.fronts.grid.columns,
        "NumHeight": deck.fronts.grid.rows,
        "BackIsHidden": True,  # others see the back of a card in a hand
        "UniqueBack": deck.unique_backs,
        "Type": 0,  # a rectangle with rounded corners
    }


def _card(card: GameCard, place: DeckSlot, custom: dict[str, Object], guid: str) -> Object:
    deck = str(place.deck)
    return _object("Card", card.name, game_of(card).description(card), guid) | {
        "Hands": True,
        "CardID": place.card_id,
        "CustomDeck": {deck: custom[deck]},
    }


def _object(kind: str, name: str, words: str, guid: str) -> Object:
    """Return the entries that all objects have."""
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": _PLACED | _SCALED,
        "Nickname": name,
        "Description": words,
        "GMNotes": "",
        "ColorDiffuse": _GRAY,
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": True,
        "SidewaysCard": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }


def _guids(title: str) -> Iterator[str]:
    """Yield six hexadecimal digits at a time, never the same twice, and always the same sequence for a title."""
    seen: set[str] = set()
    for number in count():
        guid = _short_digest((title, number))[:6]
        if guid not in seen:
            seen.add(guid)
            yield guid


def _short_digest(value: object) -> str:
    """Return eight hexadecimal digits that depend on the value's `repr`."""
    return hashlib.sha256(repr(value).encode("utf-8")).hexdigest()[:8]


# --- a folder -------------------------------------------------------------------------------------------------------


def folder_files(faces: Sequence[Faces]) -> list[TableFile]:
    """Return a picture of each card's front, one of each different back, and `cards.csv`; ids must differ."""
    backs = _named_backs(faces)
    pictures = {f"{face.card.id}.png": face.front for face in faces}
    pictures |= {backs[id(face.back)]: face.back for face in faces if face.back}
    rows = [_row(face.card, f"{face.card.id}.png", backs.get(id(face.back), "")) for face in faces]
    return [
        *(TableFile(name, partial(_picture, scene)) for name, scene in pictures.items()),
        TableFile("cards.csv", partial(_csv, _columns(faces), rows)),
    ]


def _named_backs(faces: Sequence[Faces]) -> dict[int, str]:
    """Return the name of each back's picture by the scene's identity; backs that look the same share a name."""
    numbers: dict[str, int] = {}
    scenes = {id(face.back): face.back for face in faces if face.back}
    return {
        key: f"backs/{numbers.setdefault(scene_digest(scene), len(numbers) + 1)}.png" for key, scene in scenes.items()
    }


def _picture(scene: Scene) -> bytes:
    return packing.encode(paint.paint(scene, Canvas(MAX_DPI)), MAX_DPI)


def _row(card: GameCard, front: str, back: str) -> tuple[object, ...]:
    """Return the values of the columns; a back that a card does not have is empty."""
    return *game_of(card).row(card), front, back


def _columns(faces: Sequence[Faces]) -> tuple[str, ...]:
    """Return the names of the columns; cards of several games cannot be in one table, and none has one."""
    return (*(game_of(faces[0].card).columns if faces else ()), *PICTURES)


def _csv(columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> bytes:
    """Return the rows below their header as CSV (RFC 4180), in UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerows((columns, *rows))
    return text.getvalue().encode("utf-8")
