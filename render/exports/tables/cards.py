"""What virtual tables may know of a card: one table of fields, from which each format takes what it has a place for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import NamedTuple, TypeAlias
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Struct

from render import __version__
from render.game.cards import GameCard, GameSet, cut_of
from render.game.faces import Faces
from render.game.registry import game_of
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Scene, scene_digest
from render.sheets.cut_shapes import HEXAGON, ROUND

Drawing: TypeAlias = Callable[[], bytes]
"""What draws a file when its turn comes."""

Files: TypeAlias = dict[str, Drawing]
"""Files by their names, with `/` between folders; the one that refers to the others is last."""

Value: TypeAlias = str | float | bool

MAX_DPI = 300.0  # a card fills a screen with less
_NAMESPACE = uuid5(NAMESPACE_URL, "kotc:tables")


class Field(NamedTuple):
    """A field of a card: its name, what it says, and how it is read from the card of a set."""

    name: str
    words: str
    read: Callable[[GameSet, Faces], Value]


def _sides(face: Faces) -> tuple[GameCard, ...]:
    """Return the card, or its two sides as cards."""
    return face.card.faces if face.card.has_own_back else (face.card,)


def _of_back(face: Faces, read: Callable[[GameCard], str]) -> str:
    return read(face.card.faces[1]) if face.card.has_own_back else ""


def _shape(card: GameCard) -> str:
    cut = cut_of(card)
    return cut if cut in ("", ROUND, HEXAGON) else "other"


FIELDS = (
    Field("id", "the id of the card", lambda _, face: face.card.id),
    Field("name", "the name on the front", lambda _, face: _sides(face)[0].name or face.card.name or face.card.id),
    Field("kind", "the game's word for the kind", lambda _, face: game_of(face.card).facts(face.card).kind),
    Field("text", "what the front says", lambda _, face: game_of(face.card).description(_sides(face)[0])),
    Field("back_name", "the name on a back of its own", lambda _, face: _of_back(face, lambda back: back.name)),
    Field("back_text", "what it says", lambda _, face: _of_back(face, game_of(face.card).description)),
    Field("language", "the language of the card", lambda card_set, _: card_set.language),
    Field("copies", "how many there are", lambda _, face: face.card.copies),
    Field("token", "whether no deck has it", lambda _, face: not game_of(face.card).is_played(face.card)),
    Field("width", "of the front in mm, as it is read", lambda _, face: round(face.front.size.width, 3)),
    Field("height", "the same", lambda _, face: round(face.front.size.height, 3)),
    Field("shape", "`round`, `hexagon`, `other`; empty for a rectangle", lambda _, face: _shape(face.card)),
)
"""The fields of every card. The columns of its game (`Game.columns`) follow."""

_SAME = frozenset({"id", "name", "kind", "copies"})  # as columns of games
_TAKEN = frozenset({*(field.name for field in FIELDS), "front", "back", "set", "backs", "label", "face"}) - _SAME


class TableCard(Struct, frozen=True, kw_only=True):
    """A card for a table: its fields, the columns of its game, its faces, and the names of their pictures.

    `key` tells it from all cards of all sets on the table, `guid` from all cards there are, and both stay.
    """

    key: str
    guid: UUID
    fields: Mapping[str, Value]
    columns: Mapping[str, str]
    face: Faces
    front: str
    back: str

    @property
    def name(self) -> str:
        return str(self.fields["name"])

    @property
    def copies(self) -> int:
        return self.face.card.copies

    @property
    def has_two_sides(self) -> bool:
        """Whether its back is its own, with a name and a text."""
        return self.face.card.has_own_back and self.face.back is not None


class TableSet(Struct, frozen=True):
    """A set on a table. `code` is its short name, in which a language follows that is not the set's own."""

    code: str
    guid: UUID
    title: str
    cards: tuple[TableCard, ...]


class Table(Struct, frozen=True):
    """Sets of cards for one table. `name` is that of its file; `address` gives the web address of a file, "" if it has none."""

    name: str
    title: str
    game: UUID
    sets: tuple[TableSet, ...]
    address: Callable[[str], str] = lambda _: ""

    @property
    def cards(self) -> list[TableCard]:
        return [card for each in self.sets for card in each.cards]

    @property
    def columns(self) -> list[str]:
        """The names of the columns of all its games."""
        return list(dict.fromkeys(name for card in self.cards for name in card.columns))


def table_of(group: Sequence[tuple[GameSet, Sequence[Faces]]], address: Callable[[str], str]) -> Table:
    """Return the cards of sets as one table.

    Cards of two sets, or of one in two languages, may have one id: their keys then begin with the code of the set.
    """
    # A game in YAML has the path of its folder as its name, which differs from one computer to the next.
    game, owners = uuid5(_NAMESPACE, PurePath(game_of(group[0][0]).name).name), dict[str, set[str]]()
    coded = [(_code(card_set), card_set, faces) for card_set, faces in group]
    for code, _, faces in coded:
        for face in faces:
            owners.setdefault(face.card.id, set()).add(code)
    sets = []
    for code, card_set, faces in coded:
        guid = uuid5(game, code)
        cards = (_card(card_set, face, guid, code if len(owners[face.card.id]) > 1 else "") for face in faces)
        sets.append(TableSet(code, guid, card_set.name, tuple(cards)))
    name = sets[0].code if len(sets) == 1 else "cards"
    return Table(name, " and ".join(dict.fromkeys(each.title for each in sets)), game, tuple(sets), address)


def _code(card_set: GameSet) -> str:
    """Return the name of a set's folder and its language as a name that all systems and addresses take."""
    name = "-".join(filter(None, (card_set.output_name, card_set.subfolder)))
    plain = re.sub(r"[^\w-]+", "-", name).strip("-") or "set"
    return plain if plain == name else f"{plain}-{short_digest(name)[:4]}"


def _card(card_set: GameSet, face: Faces, of: UUID, code: str) -> TableCard:
    card, game = face.card, game_of(face.card)
    key = f"{code}~{card.id}" if code else card.id  # no code or id has a `~`
    own = {name: "" if value is None else str(value) for name, value in zip(game.columns, game.row(card), strict=True)}
    back = "back" if face.back and not card.has_own_back else f"{key}.back"
    return TableCard(
        key=key,
        guid=uuid5(of, card.id),
        fields={field.name: field.read(card_set, face) for field in FIELDS},
        columns={f"{name}_" if name in _TAKEN else name: value for name, value in own.items() if name not in _SAME},
        face=face,
        front=_file_name(key, face.front),
        back=_file_name(back, face.back) if face.back else "",
    )


def _file_name(stem: str, scene: Scene) -> str:
    """Return the name of a picture, which changes with what it shows, because tables and browsers remember pictures by name."""
    return f"{stem}-{short_digest((__version__, MAX_DPI, scene_digest(scene)))}.png"


def pictures_of(cards: Sequence[TableCard]) -> Files:
    """Return the pictures of cards by their names; a back that cards share is there once."""
    files: Files = {}
    for card in cards:
        files[card.front] = partial(picture, card.face.front)
        if card.face.back:
            files[card.back] = partial(picture, card.face.back)
    return files


def picture(scene: Scene, dpi: float = MAX_DPI) -> bytes:
    """Return the PNG of a face."""
    return packing.encode(paint.paint_cut(scene, Canvas(dpi)), dpi)


def short_digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode("utf-8")).hexdigest()[:8]
