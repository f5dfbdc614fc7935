"""Cards for tables that are rooms to play in: Tabletop Playground, playingcards.io, and any that take pictures."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import uuid5

from render.base.geometry import Size
from render.exports.tables import tabletop
from render.exports.tables.cards import MAX_DPI, Files, Table, TableCard, TableSet, picture, pictures_of
from render.scene.items import Scene
from render.sheets.cut_shapes import HEXAGON, ROUND

Json = dict[str, Any]


def json_bytes(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "backslashreplace")  # a byte of a folder's name that is no UTF-8 as JSON escapes it


def check_copies(table: Table) -> None:
    """Raise ValueError if there is no card to lay on the table."""
    if not any(card.copies for card in table.cards):
        raise ValueError(f"{table.title}: no card has a copy to put on a table")


# --- any table ------------------------------------------------------------------------------------------------------


def pictures(table: Table) -> Files:
    """Return a picture of each side, and `manifest.json`, which names them beside all that is known of the cards."""

    def listed(card: TableCard) -> Json:
        sides = {"front": card.front, "back": card.back}
        named = {side: table.address(name) or name for side, name in sides.items() if name}
        return {**card.fields, "key": card.key, "guid": str(card.guid), **named, "columns": card.columns}

    sets = [
        {"code": each.code, "guid": str(each.guid), "title": each.title, "cards": [*map(listed, each.cards)]}
        for each in table.sets
    ]
    manifest = {"title": table.title, "dpi": MAX_DPI, "sets": sets}
    return pictures_of(table.cards) | {"manifest.json": partial(json_bytes, manifest)}


# --- Tabletop Playground --------------------------------------------------------------------------------------------
# The keys are those of packages that others publish: the wiki of TI4-Online/TI4-TTPG ("TTPG cardsheet template JSON"),
# its templates and its generator. The wiki counts the kinds of back from 0 to 3; templates that work, from 0 to -3.

_MODELS = {"": "Rounded", ROUND: "Round", HEXAGON: "Hexagonal"}  # "Square" for any other cut
_ONE_BACK, _BACK_SHEET, _HIDDEN_BY_BACK = -2, -3, -3
_THICK = 0.05  # cm
_WHITE, _BLACK = dict.fromkeys("RGB", 255), dict.fromkeys("RGB", 0)
_THING = {
    "Type": "Card",
    "CollisionType": "Regular",
    "Friction": 0.7,
    "Restitution": 0,
    "Density": 0.5,
    "SurfaceType": "Cardboard",
    "Roughness": 1,
    "Metallic": 0,
    "PrimaryColor": _WHITE,
    "SecondaryColor": _BLACK,
    "Flippable": True,
    "AutoStraighten": False,
    "ShouldSnap": True,
    "ScriptName": "",
    "Blueprint": "",
    "Models": [],
    "Collision": [],
    "SnapPointsGlobal": False,
    "SnapPoints": [],
    "ZoomViewDirection": dict.fromkeys("XYZ", 0),
    "GroundAccessibility": "ZoomAndContext",
    "Tags": [],
    "HiddenTexture": "",
    "HiddenIndex": _HIDDEN_BY_BACK,
    "Thickness": _THICK,
    **dict.fromkeys(("HiddenInHand", "UsedWithCardHolders", "CanStack", "MirrorBack"), True),
    **dict.fromkeys(
        ("UsePrimaryColorForSide", "FrontTextureOverrideExposed", "AllowFlippedInStack", "EmissiveFront"), False
    ),
}


def playground(table: Table) -> Files:
    """Return a package: textures with up to 69 cards each, a template of each, and its manifest.

    Each copy has a place of its own in a texture: no source says that a template may name a place twice.
    """
    check_copies(table)
    files: Files = {}
    for each in table.sets:
        by_face = {id(card.face): card for card in each.cards}
        copies = [card.face for card in each.cards for _ in range(card.copies)]
        for number, (size, cut, faces) in enumerate(tabletop.upright_piles(copies), start=1):
            images, sheets = tabletop.grid_images(f"{each.code}-{number}", faces, (size, 0), str)
            files |= {f"Textures/{name}": draw for name, draw in images.items()}
            for start, sheet in zip(range(0, len(faces), tabletop.MAX_CARDS), sheets, strict=True):
                cards = [by_face[id(face)] for face in faces[start : start + tabletop.MAX_CARDS]]
                template = _template(each, cards, sheet, (size, _MODELS.get(cut, "Square")), f"{number}/{start}")
                files[f"Templates/{template['GUID']}.json"] = partial(json_bytes, template)
    manifest = {"Name": table.title, "Version": "1", "GUID": uuid5(table.game, table.name).hex.upper()}
    return files | {"manifest.json": partial(json_bytes, manifest)}


def _template(
    of: TableSet, cards: Sequence[TableCard], sheet: Mapping[str, Any], shape: tuple[Size, str], place: str
) -> Json:
    size, model = shape
    slots = {str(slot): card for slot, card in enumerate(cards)}
    return {
        **_THING,
        "GUID": uuid5(of.guid, place).hex.upper(),
        "Name": of.title,
        "Metadata": of.code,
        "FrontTexture": sheet["FaceURL"],
        "BackTexture": sheet["BackURL"],
        "BackIndex": _BACK_SHEET if sheet["UniqueBack"] else _ONE_BACK,
        "NumHorizontal": sheet["NumWidth"],
        "NumVertical": sheet["NumHeight"],
        "Width": round(size.width / 10, 4),  # cm
        "Height": round(size.height / 10, 4),
        "Model": model,
        "Indices": [*range(len(cards))],
        "CardNames": {slot: card.name for slot, card in slots.items()},
        "CardMetadata": {
            slot: json.dumps({**card.fields, **card.columns}, ensure_ascii=False) for slot, card in slots.items()
        },
        "CardTags": {slot: [str(card.fields["kind"])] for slot, card in slots.items()},
    }


# --- playingcards.io ------------------------------------------------------------------------------------------------
# What it writes is read by virtualtabletop.io, whose reader (server/pcioimport.mjs) says what has to be there.

LARGEST = 2 * 1024 * 1024  # bytes that a picture has to stay below
_HIGH = 160  # units of a card of usual height; the longer side of one that lies
_STEP_ACROSS, _STEP_DOWN, _COLUMNS = 190, 210, 8  # from one pile to the next
_RESOLUTIONS = (MAX_DPI, 240.0, 200.0, 150.0, 120.0, 100.0, 72.0, 50.0)


def playing_cards(table: Table) -> Files:
    """Return a room, `<name>.pcio`: for the cards of each size and each set a pile with all copies."""
    check_copies(table)
    return {f"{table.name}.pcio": partial(_room, table)}


def _room(table: Table) -> bytes:
    """Return the ZIP file; ValueError if a picture is too large even if it is coarse."""
    files = {name: _small(name, scene) for name, scene in _scenes(table.cards)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as room:
        widgets = json_bytes([*_widgets(table)])
        for name, data in {
            "widgets.json": widgets,
            **{f"userassets/{name}": data for name, data in files.items()},
        }.items():
            entry = zipfile.ZipInfo(name)  # of the same time always
            entry.compress_type = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
            room.writestr(entry, data)
    return packed.getvalue()


def _scenes(cards: Sequence[TableCard]) -> Iterator[tuple[str, Scene]]:
    for card in cards:
        yield card.front, card.face.front
        if card.face.back:
            yield card.back, card.face.back


def _small(name: str, scene: Scene) -> bytes:
    for dpi in _RESOLUTIONS:
        if len(data := picture(scene, dpi)) < LARGEST:
            return data
    raise ValueError(f"{name}: the picture has more than 2 MB even at {_RESOLUTIONS[-1]:g} dpi")


def _widgets(table: Table) -> Iterator[Json]:
    """Yield the hand, then a deck, a pile and cards for each set and size."""
    yield {"id": "hand", "type": "hand", "x": 50, "y": 820, "z": 1}
    piles = [
        (each, size, [card for card in each.cards if card.face.front.size == size])
        for each in table.sets
        for size in dict.fromkeys(card.face.front.size for card in each.cards)
    ]
    for number, (of, size, cards) in enumerate(piles):
        row, column = divmod(number, _COLUMNS)
        place = {"x": 50 + _STEP_ACROSS * column, "y": 50 + _STEP_DOWN * row}
        longer = _HIGH / max(size.width, size.height)
        wide, high = round(size.width * longer), round(size.height * longer)
        deck, pile = str(uuid5(of.guid, f"deck {size}")), str(uuid5(of.guid, f"pile {size}"))
        yield {
            "id": pile,
            "type": "cardPile",
            "label": of.title,
            "width": wide + 8,
            "height": high + 8,
            **place,
            "z": 1,
        }
        yield {
            "id": deck,
            "type": "cardDeck",
            "parent": pile,
            "cardWidth": wide,
            "cardHeight": high,
            "faceTemplate": _side("face", wide, high),
            "backTemplate": _side("back", wide, high),
            "cardTypes": {card.key: _card_type(card) for card in cards},
            "enlarge": True,
            **place,
            "z": 1,
        }
        copies = (card for card in cards for _ in range(card.copies))
        for z, card in enumerate(copies, start=2):
            about = {"type": "card", "deck": deck, "cardType": card.key, "parent": pile, "faceup": False}
            yield {"id": str(uuid5(card.guid, f"copy {z}")), **about, **place, "z": z}


def _side(key: str, wide: int, high: int) -> Json:
    shown = {"type": "image", "value": key, "valueType": "dynamic", "x": 0, "y": 0, "w": wide, "h": high}
    return {"includeBorder": False, "includeRadius": True, "objects": [{**shown, "color": "white"}]}


def _card_type(card: TableCard) -> dict[str, str]:
    """Return what is known of a card; the reader takes texts alone, and knows `label`, `face` and `back`."""
    told = {name: str(value) for name, value in {**card.columns, **card.fields}.items()}
    back = f"package://userassets/{card.back}" if card.back else ""
    return {**told, "label": card.name, "face": f"package://userassets/{card.front}", "back": back}
