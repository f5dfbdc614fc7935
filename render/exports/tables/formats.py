"""The tables that cards can be made for: what each is for, how its files are loaded, and what writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from render.exports.tables import databases, rooms, tabletop
from render.exports.tables.cards import Files, table_of
from render.game.cards import GameSet
from render.game.faces import Faces

Group = Sequence[tuple[GameSet, Sequence[Faces]]]
Address = Callable[[str], str]


class Part(NamedTuple):
    """Files that belong together, and what they are of; the last one refers to the others.

    `name` tells them from those of other sets in their folder; "" if their names say no more than which card they show.
    """

    title: str
    files: Files
    name: str = ""


class TableFormat(Struct, frozen=True):
    """A table: what it is `used_for`, how its files are loaded, and what one picture of them is called.

    `write` gets the sets, and what gives the address of a file. `takes_url` says that pictures may lie on the web. Unless
    it `takes_languages`, its files are of one language; with `takes_same_ids`, sets may have cards of the same id.
    """

    name: str
    used_for: str
    load: str
    picture: str
    write: Callable[[Group, Address], Iterator[Part]]
    takes_url: bool = False
    takes_languages: bool = True
    takes_same_ids: bool = True


def _of(write: Callable[..., Files]) -> Callable[[Group, Address], Iterator[Part]]:
    """Return what writes all sets as one table."""

    def parts(group: Group, address: Address) -> Iterator[Part]:
        table = table_of(group, address)
        yield Part(table.title, write(table), f"{table.name}, {table.title}")

    return parts


def _saved_objects(group: Group, address: Address) -> Iterator[Part]:
    for card_set, faces in group:
        files = tabletop.tabletop_files(card_set.output_name, card_set.name, faces, address)
        yield Part(card_set.name, files, card_set.output_name)


def _folder(group: Group, _address: Address) -> Iterator[Part]:
    faces = [face for _, of_set in group for face in of_set]
    yield Part(f"{len(faces)} card{'s' * (len(faces) != 1)}", tabletop.folder_files(faces))


FORMATS = (
    TableFormat(
        "tabletop-simulator",
        "Tabletop Simulator: a saved object with a pile of each set",
        "put the .json file into the game's folder `Saves/Saved Objects`",
        "image",
        _saved_objects,
        takes_url=True,
        takes_languages=False,
    ),
    TableFormat(
        "tabletop-playground",
        "Tabletop Playground: a package with templates and textures",
        "move the folder into the game's folder of packages, which the object library opens",
        "texture",
        _of(rooms.playground),
    ),
    TableFormat(
        "playingcards-io",
        "playingcards.io and virtualtabletop.io, in the browser: a room with piles",
        "import the .pcio file into a new room",
        "picture",
        _of(rooms.playing_cards),
    ),
    TableFormat(
        "octgn",
        "OCTGN: sets for a game of your own",
        "copy `GameDatabase` and `ImageDatabase` into OCTGN's data folder; definition-part.xml says what the game declares",
        "picture",
        _of(databases.octgn),
    ),
    TableFormat(
        "card-game-simulator",
        "Card Game Simulator: a game with its cards and a deck",
        "move the folder into the program's folder `games`, or give the address of cgs.json",
        "picture",
        _of(databases.simulator),
        takes_url=True,
    ),
    TableFormat(
        "cockatrice",
        "Cockatrice: a card database with pictures and a deck",
        "copy `customsets`, `pics` and `decks` into Cockatrice's data folder",
        "picture",
        _of(databases.cockatrice),
        takes_url=True,
    ),
    TableFormat(
        "pictures",
        "any other table: pictures whose names change with what they show, and manifest.json",
        "manifest.json says which picture is which side, and all that is known of the cards",
        "picture",
        _of(rooms.pictures),
        takes_url=True,
    ),
    TableFormat(
        "folder",
        "tables and programs that read a spreadsheet: a PNG of each card, and cards.csv",
        "cards.csv says which picture is which side",
        "PNG",
        _folder,
        takes_languages=False,
        takes_same_ids=False,
    ),
)
"""In the order in which they are listed."""


def format_named(name: str) -> TableFormat:
    """Return the table with that name; StopIteration if there is none."""
    return next(each for each in FORMATS if each.name == name)
