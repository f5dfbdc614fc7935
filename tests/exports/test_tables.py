"""Virtual tables: of 100 cards with two sides, three languages and odd names, a reader of each table finds everything."""

import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from render.cli.commands.table import _TABLES
from render.exports.tables import databases, rooms
from render.exports.tables.cards import FIELDS, Files, Table, picture, table_of
from render.exports.tables.formats import FORMATS, format_named
from render.exports.tables.writing import RECORD
from render.game.declared.cards import DeclaredCard
from render.game.faces import Faces, lay_out_set
from render.game.registry import game_of
from render.game.sources import survey
from tests.games.declared.lanterns import write_files
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

LANGUAGES = ("en", "de", "he")
ODD = (
    'Say "Hi" & <b>bye</b>', "Fire // Ice", "either/or\\neither", "Æther → 日本", "שלום עולם", "🐉 Dragon 🏳️‍🌈", "=1+1",
    "Wolf", "WOLF", "wolf", "Straße", "STRASSE", "Twin", "Twin", "CON", "  spaced  ", "tab\tand\nline", "..", "🂡" * 80,
    "bell\a", "'quoted'", "a|b", "50 %", "#hash?", "ﬁn",
)  # fmt: skip
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}"><rect width="{0}" height="{1}" fill="{2}"/></svg>'
)
GAME = """\
name: Odd
fields: {told: line, tint: {required: true}, width: line}
kinds:
  leaf: {fields: [told, tint, width], size: 20x30, faces: [near, far]}
  sign: {fields: [told, tint], size: 30x20, back: wide}
  chip: {fields: [told, tint], size: 20x20, cut: round, deck: false, back: none}
table: [name, kind, told, width]
"""


class Seen(NamedTuple):
    """What a reader of a table finds of a card. The colors are those of its sides, "" for a side that there is none of."""

    name: str
    text: str
    back_name: str
    back_text: str
    copies: int
    front: str
    back: str


@cache
def odd_table() -> Table:
    """One hundred cards, 75 of which have two sides of their own, in three languages."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        place = Path(folder) / "odd"
        write_files(place, _files())
        sets, findings = survey([place], None)
        assert [each for each in findings if str(each.severity).endswith("ERROR")] == []
        return table_of([(each, [*map(_oddly_named, lay_out_set(each).faces)]) for each in sets], lambda _: "")


def _files() -> dict[str, str]:
    kinds = ("leaf", "leaf", "leaf", "sign", "leaf", "leaf", "leaf", "chip")
    cards = []
    for number in range(100):
        kind, color = kinds[number % 8], f"#{number:02x}40"
        card = {"id": f"card-{number}", "kind": kind, "copies": number % 4}
        sides = [{"name": f"N{side}", "told": f"t{number}{side}", "tint": f"{color}{side:02x}"} for side in (1, 2)]
        card |= {"faces": sides} if kind == "leaf" else sides[0]
        said = {each: {"told": f"{each} {number}"} for each in LANGUAGES[1:]}
        cards.append(
            {
                **card,
                "words": {each: {"faces": [told, told]} if kind == "leaf" else told for each, told in said.items()},
            }
        )
    svgs = {"near": (20, 30, "{{ card.faces[0].tint }}"), "far": (20, 30, "{{ card.faces[1].tint }}")}
    svgs |= {"sign": (30, 20, "{{ card.tint }}"), "chip": (20, 20, "{{ card.tint }}"), "wide": (30, 20, "#808080")}
    return {
        "game.yaml": GAME,
        "set.yaml": f"name: Odd & more\nlanguages: [{', '.join(LANGUAGES)}]\nsheet: {{card_size: 20x30}}\n",
        "cards.yaml": json.dumps(cards),
        **{f"templates/{name}.svg": SVG.format(*values) for name, values in svgs.items()},
    }


def _oddly_named(face: Faces) -> Faces:
    card = cast("DeclaredCard", face.card)
    number = int(card.id.split("-")[1])
    names = [f"{ODD[(number + side) % len(ODD)]}{number // len(ODD) or ''}" for side in (0, 7)]
    small = tuple(replace(each, name=name) for each, name in zip(card.small, names, strict=False))
    return Faces(replace(card, name=names[0], small=small), face.front, face.back)


@cache
def expected() -> list[Seen]:
    """Return what there is to be seen, from the cards themselves."""
    found = []
    for card, front, back in ((card.face.card, card.face.front, card.face.back) for card in odd_table().cards):
        told = [(side.name, game_of(card).description(side)) for side in (card.faces or (card,))]
        sides = (color_of(picture(side, 72)) if side else "" for side in (front, back))
        found.append(Seen._make((*told[0], *(told[1] if card.faces else ("", "")), card.copies, *sides)))
    return sorted(found)


def color_of(data: bytes | Image.Image) -> str:
    image = (data if isinstance(data, Image.Image) else Image.open(io.BytesIO(data))).convert("RGB")
    return "#{:02x}{:02x}{:02x}".format(
        *cast("tuple[int, int, int]", image.getpixel((image.width // 2, image.height // 2)))
    )


def drawn(write: Callable[[Table], Files]) -> dict[str, bytes]:
    files = write(odd_table())
    assert len({name.casefold() for name in files}) == len(files), "no two files are one on a system that folds case"
    return {name: draw() for name, draw in files.items()}


def mark(text: str) -> str:
    """Return a text as XML may have it, which knows no bell."""
    return text.replace("\a", "\ufffd")


# --- readers that know a format and nothing of what wrote it --------------------------------------------------------


def of_pictures(files: dict[str, bytes]) -> Iterator[Seen]:
    for each in json.loads(files["manifest.json"])["sets"]:
        for card in each["cards"]:
            told = (card[key] for key in ("name", "text", "back_name", "back_text", "copies"))
            sides = (color_of(files[card[side]]) if side in card else "" for side in ("front", "back"))
            yield Seen._make((*told, *sides))


def of_playground(files: dict[str, bytes]) -> Iterator[Seen]:
    templates = [json.loads(data) for name, data in files.items() if name.startswith("Templates/")]
    found: dict[tuple[str, ...], int] = Counter()
    for template in templates:
        columns, rows = template["NumHorizontal"], template["NumVertical"]
        fronts, backs = (
            Image.open(io.BytesIO(files[f"Textures/{template[key]}"])) for key in ("FrontTexture", "BackTexture")
        )
        for slot in template["Indices"]:
            about = json.loads(template["CardMetadata"][str(slot)])
            assert template["CardNames"][str(slot)] == about["name"]
            back_slot = {-2: (0, 1, 1), -3: (slot, columns, rows)}[template["BackIndex"]]
            told = (about[key] for key in ("name", "text", "back_name", "back_text"))
            sides = color_of(_cell(fronts, slot, columns, rows)), color_of(_cell(backs, *back_slot))
            found[(*told, *sides)] += 1
    for (name, text, back_name, back_text, front, back), copies in found.items():
        yield Seen(name, text, back_name, back_text, copies, front, "" if back == "#ffffff" else back)


def _cell(image: Image.Image, slot: int, columns: int, rows: int) -> Image.Image:
    assert (image.width % columns, image.height % rows) == (0, 0)
    width, height = image.width // columns, image.height // rows
    row, column = divmod(slot, columns)
    return image.crop((column * width, row * height, (column + 1) * width, (row + 1) * height))


def of_playing_cards(files: dict[str, bytes]) -> Iterator[Seen]:
    (name,) = files
    with zipfile.ZipFile(io.BytesIO(files[name])) as room:
        widgets = json.loads(room.read("widgets.json"))
        assert all(entry.file_size < 2 * 1024 * 1024 for entry in room.infolist() if entry.filename != "widgets.json")
        ids = {widget["id"]: widget for widget in widgets}
        assert len(ids) == len(widgets)
        copies = Counter((widget["deck"], widget["cardType"]) for widget in widgets if widget["type"] == "card")
        assert all(ids[widget["parent"]]["type"] == "cardPile" for widget in widgets if widget["type"] == "card")
        for deck in (widget for widget in widgets if widget["type"] == "cardDeck"):
            for key, card in deck["cardTypes"].items():
                assert {type(value) for value in card.values()} == {str}, "virtualtabletop.io fails at anything else"
                told = (card[key] for key in ("label", "text", "back_name", "back_text"))
                sides = (card[deck[side]["objects"][0]["value"]] for side in ("faceTemplate", "backTemplate"))
                colors = (color_of(room.read(each.removeprefix("package://"))) if each else "" for each in sides)
                yield Seen._make((*told, copies[deck["id"], key], *colors))


def of_octgn(files: dict[str, bytes]) -> Iterator[Seen]:
    game = etree.fromstring(files["definition-part.xml"])
    declared = {each.get("name") for each in game.iter("property")}
    backs = {each.get("name", ""): each.get("back") for each in game.iter("card", "size")}
    ids = Counter[str]()
    for name, data in files.items():
        match = re.fullmatch(r"GameDatabase/([0-9a-f-]{36})/Sets/([0-9a-f-]{36})/set\.xml", name)
        if not match:
            continue
        root = etree.fromstring(data)
        assert (root.get("gameId"), root.get("id")) == match.groups()
        pictures = f"ImageDatabase/{match[1]}/Sets/{match[2]}/Cards"
        for card in root.iter("card"):
            ids[card.get("id")] += 1
            own = {each.get("name"): each.get("value") for each in card.findall("property")}
            assert set(own) <= declared
            other = card.find("alternate")
            back = backs[card.get("size", "")]
            if other is not None:
                side = files[f"{pictures}/{card.get('id')}.{other.get('type')}.png"]
            else:
                side = files[f"GameDatabase/{match[1]}/{back}"] if back else b""
            yield Seen(
                card.get("name"),
                own["text"],
                other.get("name") if other is not None else "",
                other.find("property").get("value") if other is not None else "",
                int(own["copies"]),
                color_of(files[f"{pictures}/{card.get('id')}.png"]),
                color_of(side) if side else "",
            )
    assert set(ids.values()) == {1}


def of_simulator(files: dict[str, bytes]) -> Iterator[Seen]:
    game = json.loads(files["cgs.json"])
    text = next(each for each in game["cardProperties"] if each["name"] == "text")
    codes = {each["code"] for each in json.loads(files["AllSets.json"])}
    (deck,) = [data.decode() for name, data in files.items() if name.startswith("decks/")]
    copies = {key: int(count) for count, key in re.findall(r"^(\d+) \[([^]]+)\] ", deck, re.MULTILINE)}
    cards = json.loads(files["AllCards.json"])
    assert len({card["id"] for card in cards}) == len(cards)
    for card in cards:
        assert card["set"] in codes
        place = f"sets/{card['set']}/{card['id']}"
        is_two = game["cardNameBackIdentifier"] in card
        side = files[f"{place}_b.png"] if is_two else files.get(f"backs/{''.join(card.get('backs', ['']))}.png", b"")
        usual = files.get("CardBack.png", b"") if not is_two and card["kind"] != "chip" else b""
        yield Seen(
            card["name"],
            card[text["frontName"]],
            card.get(game["cardNameBackIdentifier"], ""),
            card.get(text["backName"], ""),
            copies.get(card["id"], 0),
            color_of(files[f"{place}.png"]),
            color_of(side or usual) if side or usual else "",
        )


def of_cockatrice(files: dict[str, bytes]) -> Iterator[Seen]:
    (root, deck) = (etree.fromstring(data) for data in (files["customsets/cards.xml"], files["decks/cards.cod"]))
    copies = {each.get("uuid"): int(each.get("number")) for each in deck.iter("card")}
    cards = {card.findtext("name"): card for card in root.find("cards")}
    assert len(cards) == len(root.find("cards")), "cards of one name would become one"
    codes = {each.findtext("name") for each in root.find("sets")}

    def side(card: etree._Element) -> tuple[str, bytes]:
        of, name = card.find("set"), card.findtext("name")
        assert of.text in codes
        # As `CardInfo::getCorrectedName` and `{name}_{providerId}` of the program find it.
        plain = re.sub(r"[/\x09-\x0f]", " ", re.sub(r'( // |[*<>:"\\?\x00-\x08\x10-\x1f])', "", name))
        (found,) = [
            data
            for file, data in files.items()
            if file.endswith(f"_{of.get('uuid')}.png") and plain.startswith(file.split("/")[-1].rsplit("_", 1)[0])
        ]
        return name, found

    for card in cards.values():
        if card.findtext("prop/side") == "back":
            continue
        related = card.find("related")
        assert (related is not None) == (card.findtext("prop/layout") == "transform")
        assert (card.findtext("token") == "1") == (card.findtext("prop/kind") == "chip")
        assert (card.findtext("landscapeOrientation") == "1") == (card.findtext("prop/kind") == "sign")
        name, front = side(card)
        back_name, back = side(cards[related.text]) if related is not None else ("", b"")
        yield Seen(
            name,
            card.findtext("text"),
            back_name,
            cards[related.text].findtext("text") if related is not None else "",
            copies.get(card.find("set").get("uuid"), 0),
            color_of(front),
            color_of(back) if back else "",
        )


# --- nothing is lost ------------------------------------------------------------------------------------------------


def test_pictures_with_their_manifest_lose_nothing() -> None:
    assert sorted(of_pictures(drawn(rooms.pictures))) == expected()


def test_a_package_for_tabletop_playground_has_every_copy() -> None:
    assert sorted(of_playground(drawn(rooms.playground))) == [each for each in expected() if each.copies]


def test_a_room_of_playing_cards_has_every_copy_and_no_large_picture() -> None:
    assert sorted(of_playing_cards(drawn(rooms.playing_cards))) == expected()


def test_sets_of_octgn_lose_nothing_but_what_xml_cannot_say() -> None:
    found = sorted(of_octgn(drawn(databases.octgn)))
    assert found == sorted(each._replace(name=mark(each.name), back_name=mark(each.back_name)) for each in expected())


def test_a_game_of_card_game_simulator_loses_nothing() -> None:
    assert sorted(of_simulator(drawn(databases.simulator))) == expected()


def test_a_database_of_cockatrice_has_each_side_under_a_name_of_its_own() -> None:
    """Names that come again have an id behind them; backs that cards share have no place there."""
    found = list(of_cockatrice(drawn(databases.cockatrice)))
    by_front = {each.front + each.text: each for each in found}
    assert len(by_front) == len(found) == 300
    for each in expected():
        other = by_front[each.front + each.text]
        assert other.name.startswith(mark(each.name))
        assert other.back_name.startswith(mark(each.back_name))
        assert other[3:6] == each[3:6]
        assert other.back == (each.back if each.back_name else "")


# --- what every table has -------------------------------------------------------------------------------------------


def test_each_set_of_a_language_and_each_card_has_an_id_that_stays() -> None:
    """Saved decks of OCTGN and Cockatrice name cards by it, so this one may never change."""
    table = odd_table()
    assert [each.code for each in table.sets] == ["odd", "odd-de", "odd-he"]
    assert {card.key for card in table.cards} >= {"odd~card-0", "odd-de~card-0"}
    assert len({card.guid for card in table.cards}) == 300
    assert str(table.sets[0].cards[0].guid) == "17f6699c-c4d7-5d24-914d-4a89b2fe7428"


def test_a_picture_that_changes_changes_its_name_and_no_other_does() -> None:
    (card_set,), _ = survey([ROOT / "cards" / "starter"])
    faces = lay_out_set(card_set).faces[:5]
    changed = [replace(faces[0], front=faces[1].front), *faces[1:]]
    before, after = ([*rooms.pictures(table_of([(card_set, each)], str))] for each in (faces, changed))
    assert before[0] != after[0]
    assert before[1:] == after[1:]


CARDS_XSD = """
<!ELEMENT cockatrice_carddatabase (info?, sets?, cards?)> <!ATTLIST cockatrice_carddatabase version CDATA #FIXED "4">
<!ELEMENT info (author | createdAt | sourceUrl | sourceVersion)*> <!ELEMENT author (#PCDATA)>
<!ELEMENT sets (set*)> <!ELEMENT set (#PCDATA | name | longname | settype | releasedate | priority)*>
<!ATTLIST set muid CDATA #IMPLIED uuid CDATA #IMPLIED picurl CDATA #IMPLIED num NMTOKEN #IMPLIED rarity CDATA #IMPLIED>
<!ELEMENT cards (card*)>
<!ELEMENT card (name, text?, prop?, set+, related*, reverse-related*, token?, tablerow?, cipt?, upsidedown?,
                landscapeOrientation?)>
<!ELEMENT name (#PCDATA)> <!ELEMENT longname (#PCDATA)> <!ELEMENT settype (#PCDATA)> <!ELEMENT text (#PCDATA)>
<!ELEMENT prop EMPTY> <!ELEMENT token (#PCDATA)> <!ELEMENT landscapeOrientation (#PCDATA)>
<!ELEMENT related (#PCDATA)> <!ATTLIST related attach CDATA #IMPLIED count CDATA #IMPLIED exclude CDATA #IMPLIED>
"""
DECK_XSD = """
<!ELEMENT cockatrice_deck (deckname, comments, zone*)> <!ATTLIST cockatrice_deck version NMTOKEN #REQUIRED>
<!ELEMENT deckname (#PCDATA)> <!ELEMENT comments (#PCDATA)>
<!ELEMENT zone (card*)> <!ATTLIST zone name (main | side | tokens) #REQUIRED>
<!ELEMENT card EMPTY> <!ATTLIST card number NMTOKEN #REQUIRED name CDATA #REQUIRED
  setShortName CDATA #IMPLIED collectorNumber CDATA #IMPLIED uuid CDATA #IMPLIED>
"""  # the last three are newer than the schema: abstract_deck_list_card_node.cpp writes them
CARD_SET_XSD = """
<!ELEMENT set (packaging?, markers?, cards?)>
<!ATTLIST set name CDATA #REQUIRED id NMTOKEN #REQUIRED gameId NMTOKEN #REQUIRED shortName CDATA #IMPLIED>
<!ELEMENT packaging EMPTY> <!ELEMENT markers EMPTY> <!ELEMENT cards (card*)>
<!ELEMENT card (property*, alternate*)> <!ATTLIST card name CDATA #REQUIRED id NMTOKEN #REQUIRED size CDATA #IMPLIED>
<!ELEMENT alternate (property*)>
<!ATTLIST alternate name CDATA #REQUIRED type CDATA #REQUIRED size CDATA #IMPLIED>
<!ELEMENT property EMPTY> <!ATTLIST property name CDATA #REQUIRED value CDATA #IMPLIED>
"""


@pytest.mark.parametrize(
    ("write", "folder", "schema"),
    [
        (databases.cockatrice, "customsets", CARDS_XSD),
        (databases.cockatrice, "decks", DECK_XSD),
        (databases.octgn, "GameDatabase", CARD_SET_XSD),
    ],
    ids=["cards.xsd", "deck.xsd", "CardSet.xsd"],
)
def test_files_have_the_elements_that_the_schema_of_their_program_has(
    write: Callable[[Table], Files], folder: str, schema: str
) -> None:
    """The facts of the schemas that Cockatrice and OCTGN publish, as far as our files need them."""
    found = [draw() for name, draw in write(odd_table()).items() if re.match(rf"{folder}/.*(xml|cod)$", name)]
    assert found, "no file is of this schema"
    for data in found:
        root = etree.fromstring(data)
        for prop in root.iter("prop"):  # anything may be in it
            prop[:] = []
            prop.text = None
        dtd = etree.DTD(io.StringIO(schema))
        assert dtd.validate(root), dtd.error_log


def test_a_game_of_card_game_simulator_has_keys_of_its_schema() -> None:
    """`docs/schema/cgs.json` of the program allows no other keys; these are the ones that games of cards need."""
    texts = ("name", "cardNameBackIdentifier", "cardPrimaryProperty", "deckFileTxtId", "gamePlayDeckName")
    urls = ("autoUpdateUrl", "allCardsUrl", "allSetsUrl", "cardBackImageUrl", "cardImageUrl")
    about = {each: {"type": "string"} for each in (*texts, *urls)}
    display = {each: {"type": "string"} for each in ("name", "display", "frontName", "backName")}
    url = {"type": "object", "required": ["url"]}
    rules = {
        **about,
        "deckFileTxtId": {"enum": ["id", "set"]},
        "autoUpdate": {"type": "integer"},
        "cardNameIsUnique": {"type": "boolean"},
        "cardProperties": {
            "items": {"properties": {**display, "type": {"const": "string"}}, "additionalProperties": False}
        },
        "cardSize": {"properties": {key: {"type": "number"} for key in "xy"}, "additionalProperties": False},
        "cardBackFaceImageUrls": {"type": "array", "items": url},
        "deckUrls": {"type": "array", "items": url},
    }
    here = odd_table()
    for table in (here, replace(here, address=lambda name: f"https://example.org/{name}")):
        game = json.loads(databases.simulator(table)["cgs.json"]())
        jsonschema.validate(game, {"properties": rules, "required": ["name"], "additionalProperties": False})


# --- the command ----------------------------------------------------------------------------------------------------

FEW = "- {name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 2}\n- {name: Two, kind: pawn, edition: 17}\n"


def test_the_list_tells_each_table_and_the_page_of_tables_each_table_and_field() -> None:
    assert [each.name for each in FORMATS] == list(_TABLES)
    told, page = kotc("table", "--list").output, (ROOT / "out" / "tables.md").read_text(encoding="utf-8")
    for each in FORMATS:
        assert f"{each.name} " in told
        assert each.used_for in told
        assert each.load in told
        assert f"`{each.name}`" in page
    for field in FIELDS:
        assert f"| `{field.name}` | {field.words} |" in page


@pytest.mark.parametrize("table", [each.name for each in FORMATS])
def test_the_same_cards_give_the_same_files_for_each_table(tmp_path: Path, table: str) -> None:
    folder, snapshots = write_set(tmp_path / "set", FEW), []
    for out in (tmp_path / "a", tmp_path / "a"):
        result = kotc("table", folder, "--for", table, "--out", out)
        assert result.exit_code == 0, result.output
        snapshots.append({path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()})
    assert snapshots[0] == snapshots[1]
    assert snapshots[0]


@pytest.mark.parametrize("table", [each.name for each in FORMATS if each.name != "folder"])
def test_a_second_run_leaves_what_a_first_one_into_an_empty_folder_writes(tmp_path: Path, table: str) -> None:
    folder, out, empty = tmp_path / "set", tmp_path / "out", tmp_path / "empty"
    files: list[dict[str, bytes]] = []
    for cards, place in ((FEW, out), (FEW.replace("Two", "Second"), out), (FEW.replace("Two", "Second"), empty)):
        write_set(folder, cards)
        address = ("--url", "https://example.org") if format_named(table).takes_url else ()
        assert kotc("table", folder, "--for", table, "--out", place, *address).exit_code == 0
        files.append({str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()})
    assert files[0] != files[1]
    assert files[1] == files[2]


def test_a_second_run_removes_nothing_of_others_or_of_another_set(tmp_path: Path) -> None:
    one, two, out = write_set(tmp_path / "one", FEW), write_set(tmp_path / "two", FEW), tmp_path / "out"

    def run(folder: Path) -> set[Path]:
        assert kotc("table", folder, "--for", "tabletop-simulator", "--out", out).exit_code == 0
        return {*out.glob("*.png")}

    (changed, back), of_both = sorted(run(one), reverse=True), run(two)
    changed.write_bytes(b"mine now")
    (tmp_path / "precious.png").write_bytes(b"theirs")
    digest = hashlib.sha256(b"theirs").hexdigest()
    record = json.loads((out / RECORD).read_text(encoding="utf-8"))
    for files in record.values():
        files |= dict.fromkeys(("../precious.png", str(tmp_path / "precious.png"), ""), digest)
    (out / RECORD).write_text(json.dumps(record), encoding="utf-8")
    write_set(one, FEW.replace("Two", "Second"))
    assert run(one) > of_both, "only the picture that was changed by hand could go"
    assert back in of_both
    assert (tmp_path / "precious.png").read_bytes() == b"theirs"


@pytest.mark.parametrize("table", ["card-game-simulator", "cockatrice", "pictures"])
def test_with_an_address_files_name_pictures_that_lie_below_it(tmp_path: Path, table: str) -> None:
    out = tmp_path / "out"
    result = kotc(
        "table", write_set(tmp_path / "set", FEW), "--for", table, "--out", out, "--url", "https://example.org/c/"
    )
    assert result.exit_code == 0, result.output
    texts = [file.read_text(encoding="utf-8") for file in out.rglob("*.*") if file.suffix in (".json", ".xml")]
    found = re.findall(r"https://example\.org/c/[^\"<]+", "".join(texts))
    below = [unquote(urlsplit(each).path.removeprefix("/c/")) for each in found]
    assert len(below) >= 2
    for each in below:
        pattern = each.replace("{cardSet}", "set").replace("{cardId}", "one").replace("{cardImageFileType}", "png")
        assert (out / pattern).is_file(), pattern


def test_an_address_is_only_for_tables_that_read_one(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", FEW)
    result = kotc("table", folder, "--for", "octgn", "--out", tmp_path / "out", "--url", "https://example.org")
    assert result.exit_code == 2
    assert "--url needs --for tabletop-simulator, card-game-simulator, cockatrice or pictures" in result.output
