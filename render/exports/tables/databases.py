"""Cards for programs with a database of cards: Cockatrice, OCTGN and Card Game Simulator, each with pictures and a deck."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from lxml import etree

from render import __version__
from render.base.geometry import MM_PER_INCH
from render.exports.tables.cards import Files, Table, TableCard, TableSet, Value, picture, pictures_of, short_digest
from render.exports.tables.rooms import json_bytes
from render.game.file_names import free_name

# --- Cockatrice -----------------------------------------------------------------------------------------------------
# Card database 4: the order of its schema (doc/carddatabase_v4/cards.xsd), read as cockatrice_xml_4.cpp reads it.

_NOT_IN_PROP = frozenset({"name", "text", "back_name", "back_text", "token"})  # these have places of their own


def cockatrice(table: Table) -> Files:
    """Return the card database, the pictures, and the deck of all copies.

    Two cards of one name would become one, whatever their sets, so the second has its key behind its name. Pictures
    have the names by which the program finds them; where they lie on the web, a name of their own.
    """
    names = _names(table)
    root = etree.Element("cockatrice_carddatabase", version="4")
    info, sets, cards = (etree.SubElement(root, tag) for tag in ("info", "sets", "cards"))
    _add(info, "author", f"kotc {__version__}")
    zones: dict[str, Any] = {}
    deck = etree.Element("cockatrice_deck", version="1")
    _add(deck, "deckname", table.title)
    _add(deck, "comments", "")  # has to be there: doc/deck.xsd
    files: Files = {}
    for each in table.sets:
        of = etree.SubElement(sets, "set")
        for tag, text in (("name", each.code), ("longname", each.title), ("settype", "Custom")):
            _add(of, tag, text)
        for number, card in enumerate(each.cards, start=1):
            _add_card(cards, table, each, (card, number), names)
            for name, file, scene in _cockatrice_sides(card, names):
                if not table.address(file):
                    files[f"pics/CUSTOM/{each.code}/{_corrected(name)}_{_uuid(card, name, names)}.png"] = partial(
                        picture, scene
                    )
            if card.copies:
                zone = "tokens" if card.fields["token"] else "main"
                if zone not in zones:
                    zones[zone] = etree.SubElement(deck, "zone", name=zone)
                about = {"name": names[card.key][0], "setShortName": each.code, "uuid": str(card.guid)}
                etree.SubElement(zones[zone], "card", _clean({"number": str(card.copies), **about}))
    if any(table.address(card.front) for card in table.cards):
        files |= pictures_of(table.cards)
    files[f"decks/{table.name}.cod"] = partial(_xml, deck)
    return files | {f"customsets/{table.name}.xml": partial(_xml, root)}


def _names(table: Table) -> dict[str, tuple[str, ...]]:
    """Return the names of the sides of cards, by their keys, each once."""
    found: dict[str, tuple[str, ...]] = {}
    seen = Counter[str]()
    for card in table.cards:
        sides = [card.name, str(card.fields["back_name"]) or f"{card.name} (back)"][: 2 if card.has_two_sides else 1]
        once: list[str] = []
        for side in sides:
            seen[side] += 1
            once.append(side if seen[side] == 1 else f"{side} ({card.key}{'' if not once else ' back'})")
        found[card.key] = tuple(once)
    return found


def _cockatrice_sides(card: TableCard, names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, Any]]:
    """Yield the name, the picture and the scene of each side that is a card of the database."""
    sides = ((card.front, card.face.front), (card.back, card.face.back))
    for name, (file, scene) in zip(names[card.key], sides, strict=False):
        yield name, file, scene


def _uuid(card: TableCard, name: str, names: Mapping[str, tuple[str, ...]]) -> str:
    return str(card.guid) if name == names[card.key][0] else f"{card.guid}-back"


def _add_card(
    cards: Any, table: Table, of: TableSet, numbered: tuple[TableCard, int], names: Mapping[str, tuple[str, ...]]
) -> None:
    """Add a card, or the two that its sides are, each related to the other."""
    card, number = numbered
    values: dict[str, Value] = {"type": card.fields["kind"], "maintype": card.fields["kind"], **card.columns}
    values |= {name: value for name, value in card.fields.items() if name not in _NOT_IN_PROP}
    sides = names[card.key]
    for side, (name, file, scene) in zip(("front", "back"), _cockatrice_sides(card, names), strict=False):
        each = etree.SubElement(cards, "card")
        _add(each, "name", name)
        _add(each, "text", str(card.fields["text" if side == "front" else "back_text"]))
        prop = etree.SubElement(each, "prop")
        for tag, value in {**values, "side": side, "layout": "transform" if len(sides) > 1 else "normal"}.items():
            _add(prop, _tag(tag), _text(value))
        about = {"uuid": _uuid(card, name, names), "num": str(number)}
        if address := table.address(file):
            about["picurl"] = address
        printed = etree.SubElement(each, "set", _clean(about))
        printed.text = _cleaned(of.code)
        for other in sides:
            if other != name:
                etree.SubElement(each, "related", attach="transform").text = _cleaned(other)
        if card.fields["token"]:
            _add(each, "token", "1")
        if scene.size.width > scene.size.height:
            _add(each, "landscapeOrientation", "1")


def _corrected(name: str) -> str:
    """Return a card's name as the program looks for its picture (`CardInfo::getCorrectedName`)."""
    short = _cleaned(name).encode()[:150].decode("utf-8", "ignore")  # the system takes 255 bytes, and an id follows
    return re.sub(r"[/\x09-\x0f]", " ", re.sub(r' // |[*<>:"\\?\x00-\x08\x10-\x1f]', "", short))


# --- OCTGN ----------------------------------------------------------------------------------------------------------
# As CardSet.xsd and GameSerializer.cs have it. An id never changes: decks that people saved name cards by it.


def octgn(table: Table) -> Files:
    """Return `set.xml` of each set, the pictures of its cards, and what the game's `definition.xml` has to declare."""
    sizes = _octgn_sizes(table)
    names = [
        *(name for name in table.cards[0].fields if name not in ("name", "back_name", "back_text")),
        *table.columns,
    ]
    files: Files = {}
    for each in table.sets:
        of = {"name": each.title, "id": str(each.guid), "gameId": str(table.game), "shortName": each.code}
        root = etree.Element("set", _clean(of))
        cards = etree.SubElement(root, "cards")
        folder = f"ImageDatabase/{table.game}/Sets/{each.guid}/Cards"
        for card in each.cards:
            size = sizes[_octgn_size(card)]
            about = {"id": str(card.guid), "name": card.name, **({"size": size} if size else {})}
            entry = etree.SubElement(cards, "card", _clean(about))
            values = {**card.fields, **card.columns}
            for name in (name for name in names if name in values):
                etree.SubElement(entry, "property", _clean({"name": name, "value": _text(values[name])}))
            files[f"{folder}/{card.guid}.png"] = partial(picture, card.face.front)
            if card.has_two_sides and card.face.back:
                other = {"name": str(values["back_name"]), "type": "back", **({"size": size} if size else {})}
                side = etree.SubElement(entry, "alternate", _clean(other))
                etree.SubElement(side, "property", _clean({"name": "text", "value": str(values["back_text"])}))
                files[f"{folder}/{card.guid}.back.png"] = partial(picture, card.face.back)
        files[f"GameDatabase/{table.game}/Sets/{each.guid}/set.xml"] = partial(_xml, root)
    files |= _octgn_backs(table)
    return files | {"definition-part.xml": partial(_xml, _definition(table, names, sizes))}


def _octgn_size(card: TableCard) -> tuple[int, int, str]:
    """Return width and height in whole mm, and the back: the program gives these to all cards of a size together."""
    size = card.face.front.size
    return round(size.width), round(size.height), "" if card.has_two_sides else card.back


def _octgn_sizes(table: Table) -> dict[tuple[int, int, str], str]:
    """Return the names of the sizes; that of most cards has none."""
    counted = Counter(map(_octgn_size, table.cards)).most_common()
    return {
        size: f"{size[0]}x{size[1]}-{short_digest(size)[:4]}" if number else ""
        for number, (size, _) in enumerate(counted)
    }


def _octgn_backs(table: Table) -> Files:
    shared = (card for card in table.cards if card.face.back and not card.has_two_sides)
    return {
        f"GameDatabase/{table.game}/backs/{card.back}": partial(picture, card.face.back)
        for card in shared
        if card.face.back
    }


def _definition(table: Table, names: list[str], sizes: Mapping[tuple[int, int, str], str]) -> Any:
    """Return the part of a game's definition that says which properties and sizes its cards have."""
    root = etree.Element("game", _clean({"id": str(table.game), "name": table.title}))
    usual = next(size for size, name in sizes.items() if not name)
    card = etree.SubElement(root, "card", _octgn_card(usual))
    for name in names:
        etree.SubElement(card, "property", _clean({"name": name, "type": "String"}))
    for size, name in sizes.items():
        if name:
            etree.SubElement(card, "size", {"name": name, **_octgn_card(size)})
    return root


def _octgn_card(size: tuple[int, int, str]) -> dict[str, str]:
    width, height, back = size
    return {"width": str(width), "height": str(height), **({"back": f"backs/{back}"} if back else {})}


# --- Card Game Simulator --------------------------------------------------------------------------------------------
# As finol-digital/FinolDigital.Cgs.Json says, and as UnityCardGame.cs reads it: a back of its own is a face of the card
# (`<id>_b`), one that cards share is listed in `backs`.

_BACK_NAME = "back_name"


def simulator(table: Table) -> Files:
    """Return the folder of a game: cards, sets, pictures, and a deck of all copies."""
    shared = [card for card in table.cards if card.face.back and not card.has_two_sides]
    usual = Counter(card.back for card in shared).most_common(1)[0][0] if shared else ""
    files: Files = {}
    cards = []
    for each in table.sets:
        for card in each.cards:
            files[f"sets/{each.code}/{card.key}.png"] = partial(picture, card.face.front)
            told: dict[str, Any] = {**card.columns, **card.fields, "id": card.key, "set": each.code}
            if card.face.back and card.has_two_sides:
                files[f"sets/{each.code}/{card.key}_b.png"] = partial(picture, card.face.back)
            else:
                del told["back_name"], told["back_text"]
            own_backs = {"backs": [card.back.removesuffix(".png")]} if card in shared and card.back != usual else {}
            cards.append({**{name: _text(value) for name, value in told.items()}, **own_backs})
    for card in shared:
        if card.face.back:
            name = "CardBack.png" if card.back == usual else f"backs/{card.back}"
            files[name] = partial(picture, card.face.back)
    lines = [
        f"# {table.title}",
        *(f"{card.copies} [{card.key}] {_line(card.name)}" for card in table.cards if card.copies),
    ]
    files[f"decks/{free_name(table.name, '.txt')}"] = partial("\n".join([*lines, ""]).encode, "utf-8", "replace")
    sets = [{"code": each.code, "name": each.title} for each in table.sets]
    files["AllSets.json"], files["AllCards.json"] = partial(json_bytes, sets), partial(json_bytes, cards)
    return files | {"cgs.json": partial(json_bytes, _cgs(table, [*files]))}


def _cgs(table: Table, files: list[str]) -> dict[str, Any]:
    size = table.cards[0].face.front.size
    names = [name for name in table.cards[0].fields if name not in ("id", "name", "back_name", "back_text")]
    texts = {"text": {"backName": "back_text", "frontName": "text"}}
    game: dict[str, Any] = {
        "name": table.title,
        "cardNameBackIdentifier": _BACK_NAME,
        "cardNameIsUnique": False,
        "cardPrimaryProperty": "text",
        "cardProperties": [
            {"name": name, "type": "string", "display": name, **texts.get(name, {})}
            for name in [*names, *table.columns]
        ],
        "cardSize": {"x": round(size.width / MM_PER_INCH, 4), "y": round(size.height / MM_PER_INCH, 4)},
        "deckFileTxtId": "id",
        "gamePlayDeckName": table.title,
    }
    if not table.address("cgs.json"):
        return {**game, "autoUpdate": -1}  # nothing to download
    backs = [name for name in files if name.startswith("backs/")]
    decks = [name for name in files if name.startswith("decks/")]
    places = {"autoUpdateUrl": "cgs.json", "allCardsUrl": "AllCards.json", "allSetsUrl": "AllSets.json"}
    places |= {"cardBackImageUrl": "CardBack.png"} if "CardBack.png" in files else {}
    pattern = f"{table.address('sets')}/{{cardSet}}/{{cardId}}.{{cardImageFileType}}"
    return {
        **game,
        **{key: table.address(name) for key, name in places.items()},
        "cardImageUrl": pattern,
        "cardBackFaceImageUrls": [
            {"id": name.removeprefix("backs/").removesuffix(".png"), "url": table.address(name)} for name in backs
        ],
        "deckUrls": [{"name": table.title, "url": table.address(name)} for name in decks],
    }


def _line(text: str) -> str:
    return " ".join(text.split())


# --- XML ------------------------------------------------------------------------------------------------------------

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _cleaned(text: str) -> str:
    """Return a text with a mark for each character that no XML file may have."""
    return _NOT_XML.sub("\ufffd", text)


def _clean(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: _cleaned(value) for name, value in attributes.items()}


def _add(parent: Any, tag: str, text: str) -> None:
    etree.SubElement(parent, tag).text = _cleaned(text)


def _tag(name: str) -> str:
    """Return a name as one of an element."""
    plain = re.sub(r"[^\w.-]", "_", name)
    return plain if re.match(r"[^\W\d]", plain) else f"_{plain}"


def _text(value: Value) -> str:
    return {True: "1", False: ""}[value] if isinstance(value, bool) else str(value)


def _xml(root: Any) -> bytes:
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)
    return data
