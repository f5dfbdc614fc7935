"""Cards for virtual tables: grid images with a saved object for Tabletop Simulator, or a folder of pictures with a CSV.

Files are given by name, and each is drawn when it is asked for. The file that refers to the others is last.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import floor
from typing import Any, NamedTuple

from render import __version__
from render.base.geometry import MM_PER_INCH, Size
from render.exports.tables.cards import MAX_DPI, Files, picture, short_digest
from render.game.cards import cut_of
from render.game.faces import Faces, by_shape
from render.game.registry import game_of
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Placement, Scene, scene_digest
from render.sheets.cut_shapes import HEXAGON, ROUND, cut_of_side
from render.source.tables.writing import csv_bytes

# Limits of Tabletop Simulator: its knowledge base on custom decks and asset creation.
MAX_PX = 4096
MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_CARDS = MAX_COLUMNS * MAX_ROWS - 1  # the last slot shows what others see of a hand, unless `BackIsHidden` is set
_DPI_STEP = 2  # even, so that a poker card, 2.5 x 3.5 in, has whole pixels
IDS_A_DECK = 100  # a card's id is the key of its custom deck times this, plus its slot

PICTURES = ("front", "back")
"""The last columns of the CSV file; the others are the game's."""

# --- Tabletop Simulator ---------------------------------------------------------------------------------------------


class GridImage(NamedTuple):
    """The image of several cards: columns and rows of cells, and a cell's width and height in pixels at `dpi`."""

    columns: int
    rows: int
    cell: tuple[int, int]
    dpi: float

    @property
    def size(self) -> tuple[int, int]:
        return self.columns * self.cell[0], self.rows * self.cell[1]

    @property
    def last(self) -> int:
        """The last slot. Slots are counted from 0, row by row."""
        return self.columns * self.rows - 1


def grid_image(cards: int, size: Size) -> GridImage:
    """Return the image in which 1 to 69 cards, and a last slot for hidden cards, are largest."""
    shapes = ((columns, -(-(cards + 1) // columns)) for columns in range(1, MAX_COLUMNS + 1))
    images = [_image(columns, rows, size) for columns, rows in shapes if rows <= MAX_ROWS]
    return max(images, key=lambda image: (image.dpi, -image.columns * image.rows))


def _image(columns: int, rows: int, size: Size) -> GridImage:
    across, down = (MAX_PX // columns) * MM_PER_INCH / size.width, (MAX_PX // rows) * MM_PER_INCH / size.height
    dpi = min(floor(min(across, down) / _DPI_STEP) * float(_DPI_STEP), MAX_DPI)
    return GridImage(columns, rows, Canvas(dpi).pixels(Scene(size, ())), dpi)


def card_ids(cards: int, first_deck: int = 1) -> list[int]:
    """Return the `CardID` of each of that many different cards, in custom decks numbered from `first_deck`."""
    return [(first_deck + number // MAX_CARDS) * IDS_A_DECK + number % MAX_CARDS for number in range(cards)]


def tabletop_files(name: str, title: str, faces: Sequence[Faces], address: Callable[[str], str]) -> Files:
    """Return the images of a set's cards and the saved object, `<name>.json`: a pile with all copies.

    `address` returns the URL of an image; ValueError if no card has a copy.
    """
    different = [face for face in faces if face.card.copies]
    if not different:
        raise ValueError(f"{title}: no card has a copy to put on a table")
    sorts = upright_piles(different)
    files, piles, guids = Files(), list[Object](), _guids(title)
    for number, (size, cut, pile) in enumerate(sorts, start=1):
        stem, scale = (name, 1.0) if len(sorts) == 1 else (f"{name}-{number}", size.height / _HIGH)
        images, decks = grid_images(stem, pile, (size, _SHAPES.get(cut, 1)), address)
        # So that cards of two sets on a table have different ids.
        first = int(short_digest(next(iter(images)))[:5], 16)
        custom = {str(key): deck for key, deck in enumerate(decks, start=first)}
        made = _pile(title, pile, card_ids(len(pile), first), custom, (size, guids))
        place = {"posX": _APART * len(piles)} if piles else {}
        for each in (made, *made.get("ContainedObjects", ())):
            each["Transform"] = each["Transform"] | place | {"scaleX": scale, "scaleZ": scale}
        files |= images
        piles.append(made)
    return files | {f"{name}.json": partial(_saved_object, title, piles)}


def upright_piles(faces: Sequence[Faces]) -> list[tuple[Size, str, list[Faces]]]:
    """Return cards in piles of one size and cut; those that lie and those that stand are in one pile, which stands."""
    piles = []
    for (given, cut), pile in by_shape(faces).items():
        is_mixed = len({face.front.size for face in pile}) > 1
        piles.append((given.sideways if is_mixed and given.width > given.height else given, cut, pile))
    return piles


def _quarters(scene: Scene, size: Size, *, is_back: bool = False) -> int:
    """Return by how many quarters a face is turned in the image of cards of a size."""
    return Placement(face=scene, box=size.rect, is_back=is_back).quarters


def grid_images(
    name: str, different: Sequence[Faces], trim: tuple[Size, int], address: Callable[[str], str]
) -> tuple[Files, list[Object]]:
    """Return the images of cards of one size and shape, and the custom decks that name them."""
    size, shape = trim
    files, decks = Files(), list[Object]()

    def add(stem: str, grid: GridImage, scenes: dict[int, Scene], backs_from: int) -> str:
        """Add the image of scenes in their slots; slot 0 always has one. Return its address."""
        # Its name changes with what it shows, since the game caches images by name.
        turns = {slot: _quarters(scene, size, is_back=slot >= backs_from) for slot, scene in scenes.items()}
        shown = [(slot, scene_digest(scene), *([turns[slot]] if turns[slot] else [])) for slot, scene in scenes.items()]
        file = f"{stem}-{short_digest((__version__, grid, shown))}.png"
        files[file] = partial(_paint, grid, scenes, turns)
        return address(file)

    for number, start in enumerate(range(0, len(different), MAX_CARDS), start=1):
        part = different[start : start + MAX_CARDS]
        grid, first = grid_image(len(part), size), part[0]
        outline = cut_of_side(cut_of(first.card), first.front.size, size, is_back=True)
        blank = Scene(size, (), outline)  # without a back, a white one on a table
        fronts, backs = [face.front for face in part], [face.back or blank for face in part]
        front = add(f"{name}-fronts-{number}", grid, {**dict(enumerate(fronts)), grid.last: backs[0]}, len(part))
        if has_own_backs := any(back != backs[0] for back in backs):
            back = add(f"{name}-backs-{number}", grid, {**dict(enumerate(backs)), grid.last: backs[0]}, 0)
        else:
            back = add(f"{name}-back", _image(1, 1, size), {0: backs[0]}, 0)
        decks.append(
            {
                "FaceURL": front,
                "BackURL": back,
                "NumWidth": grid.columns,
                "NumHeight": grid.rows,
                "BackIsHidden": True,  # others see the back of a card in a hand
                "UniqueBack": has_own_backs,
                "Type": shape,
            }
        )
    return files, decks


def _paint(grid: GridImage, scenes: dict[int, Scene], turns: dict[int, int]) -> bytes:
    """Return the PNG: each card drawn at the resolution of its cell; empty slots are black, those of tokens transparent."""
    canvas = Canvas(grid.dpi)
    sheet = paint.turn(paint.paint_cut(scenes[0], canvas), turns[0]).crop((0, 0, *grid.size))
    for slot, scene in scenes.items():
        if slot:
            row, column = divmod(slot, grid.columns)
            drawn = paint.turn(paint.paint_cut(scene, canvas), turns[slot])
            sheet.paste(drawn, (column * grid.cell[0], row * grid.cell[1]))
    return packing.encode(sheet, grid.dpi)


Object = dict[str, Any]

_PLACED = {"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}  # a pile, face down
_SCALED = {"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
_GRAY = {"r": 0.713235259, "g": 0.713235259, "b": 0.713235259}  # as the game itself writes it for cards


_SHAPES = {"": 0, ROUND: 4, HEXAGON: 3}  # of custom decks: rounded rectangle, circle, hexagon; 1 has sharp corners
_HIGH = 88.9  # mm: a card that the game makes as high as all others is one of poker size
_APART = 4.0  # of the game's units from a pile to the next: a card is 3 high


def _pile(
    title: str,
    faces: Sequence[Faces],
    ids: Sequence[int],
    custom: dict[str, Object],
    of: tuple[Size, Iterator[str]],
) -> Object:
    """Return a pile of cards of one size, or a single card, since the game has no piles of one."""
    size, guids = of
    cards: list[Object] = []
    for face, number in zip(faces, ids, strict=True):
        deck, words = str(number // IDS_A_DECK), game_of(face.card).description(face.card)
        # Zones and scripts of a game know cards by tags, and scripts read the notes.
        about = {
            "Tags": [game_of(face.card).facts(face.card).kind],
            "GMNotes": json.dumps({"id": face.card.id}),
        }
        for _ in range(face.card.copies):
            own = {"Hands": True, "CardID": number, "CustomDeck": {deck: custom[deck]}, **about}
            lies = {"SidewaysCard": True} if _quarters(face.front, size) else {}
            cards.append(_object("Card", face.card.name, words, next(guids)) | own | lies)
    pile = _object("DeckCustom", title, "", next(guids)) | {
        "Hands": False,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": custom,
        "ContainedObjects": cards,
    }
    return pile if len(cards) > 1 else cards[0]


def _saved_object(title: str, piles: Sequence[Object]) -> bytes:
    empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState")
    saved = {"SaveName": title, **dict.fromkeys(empty, ""), "ObjectStates": piles}
    text = json.dumps(saved, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "backslashreplace")  # a byte of a folder's name that is no UTF-8 as JSON escapes it


def _object(kind: str, name: str, words: str, guid: str) -> Object:
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": _PLACED | _SCALED,
        "Nickname": name,
        "Description": words,
        "GMNotes": "",
        "ColorDiffuse": _GRAY,
        "Locked": False,
        **dict.fromkeys(("Grid", "Snap", "Autoraise", "Sticky", "Tooltip", "HideWhenFaceDown"), True),
        "SidewaysCard": False,
        **dict.fromkeys(("LuaScript", "LuaScriptState", "XmlUI"), ""),
    }


def _guids(title: str) -> Iterator[str]:
    """Yield six hexadecimal digits at a time, never the same twice, and always the same sequence for a title."""
    seen: set[str] = set()
    for number in count():
        guid = short_digest((title, number))[:6]
        if guid not in seen:
            seen.add(guid)
            yield guid


# --- a running game -------------------------------------------------------------------------------------------------

EDITOR_PORT = (
    39999  # where the game listens for editors: `externaleditorapi.md` of Berserk-Games/Tabletop-Simulator-API
)
_EXECUTE, _GLOBAL = 3, "-1"
_PATIENCE = 5.0  # s


def push(saved: bytes, port: int = EDITOR_PORT) -> None:
    """Lay the piles of a saved object on the table of a game that runs on this computer; OSError if there is none."""
    piles = (json.dumps(pile, ensure_ascii=False) for pile in json.loads(saved)["ObjectStates"])
    script = "\n".join(f"spawnObjectJSON({{json = {_in_lua(pile)}}})" for pile in piles)
    message = json.dumps({"messageID": _EXECUTE, "guid": _GLOBAL, "script": script})
    try:
        with socket.create_connection(("127.0.0.1", port), _PATIENCE) as game:
            game.sendall(message.encode("utf-8"))
    except OSError as error:
        hint = "no game of Tabletop Simulator listens for editors: host one, then run the command again"
        raise OSError(error.errno, hint, f"localhost:{port}") from None


def _in_lua(text: str) -> str:
    """Return a text as a string of Lua in brackets that it does not hold, in which nothing has to be escaped."""
    equals = next("=" * count for count in range(len(text) + 1) if f"]{'=' * count}]" not in text)
    return f"[{equals}[{text}]{equals}]"


# --- a folder -------------------------------------------------------------------------------------------------------


def folder_files(faces: Sequence[Faces]) -> Files:
    """Return a picture of each card's front, one of each different back, and `cards.csv`; ids must differ."""
    shown = {id(face.back): face.back for face in faces if face.back}
    numbers: dict[str, int] = {}  # of backs by what they show: some look the same
    backs = {
        key: f"backs/{numbers.setdefault(scene_digest(scene), len(numbers) + 1)}.png" for key, scene in shown.items()
    }
    fronts = {f"{face.card.id}.png": face.front for face in faces}
    pictures = fronts | {backs[key]: scene for key, scene in shown.items()}
    rows = [(*game_of(face.card).row(face.card), f"{face.card.id}.png", backs.get(id(face.back), "")) for face in faces]
    # Cards of several games cannot be in one table, and none has one.
    columns = (*(game_of(faces[0].card).columns if faces else ()), *PICTURES)
    files: Files = {name: partial(picture, scene) for name, scene in pictures.items()}
    return files | {"cards.csv": partial(csv_bytes, (columns, *rows))}
