"""Virtual tables: an image cut as its saved object says gives each card's picture, and every copy is in the pile."""

import csv
import io
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import Size
from render.base.sizes import CARDS, POKER
from render.exports.tables import tabletop
from render.exports.tables.cards import Files
from render.game.faces import Faces, lay_out_set
from render.games.kotc.editions.finding import grammar_of
from render.games.kotc.game import GAME
from render.games.kotc.model.cards import Kind, own_card
from render.games.kotc.sets import survey
from render.png import paint
from render.png.canvas import Canvas
from render.scene.items import Outline, Scene
from render.scene.items import Path as Shape
from tests.support import rasters
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

STARTER = ROOT / "cards" / "starter"
PLAIN = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 2}
- {name: Two, kind: spell, level: 2, text: "Draw 1 card.", flavor: "Two is enough.", copies: 3}
- {name: None of these, kind: minion, level: 1, sp: 1, hp: 0, copies: 0}
"""


@cache
def starter() -> tuple[Faces, ...]:
    (card_set,), _ = survey([STARTER])
    return lay_out_set(card_set).faces


def colored(number: int, size: Size = POKER) -> Scene:
    """A face of a color of its own, up to its trim, with a white corner that tells which way up it is."""
    box = ((size.width, 0.0), (size.width, size.height), (0.0, size.height))
    color = (number % 7 * 36, number // 7 % 7 * 36, number // 49 % 7 * 36)
    corner = Outline((2.0, 2.0), ((12.0, 2.0), (2.0, 12.0)), True)
    return Scene(size, (Shape((Outline((0.0, 0.0), box, True),), color), Shape((corner,), (255, 255, 255))))


def made_up(count: int, copies: int = 1, backs: int = 1) -> list[Faces]:
    """Cards with faces of different colors, and so many different backs in turn."""
    pattern, back = starter()[0].card, [colored(1000 + number) for number in range(backs)]
    return [
        Faces(
            replace(pattern, id=f"card-{number}", name=f"Card {number}", copies=copies),
            colored(number),
            back[number % backs],
        )
        for number in range(count)
    ]


def drawn_files(files: Files) -> dict[str, bytes]:
    return {name: draw() for name, draw in files.items()}


def written(faces: Sequence[Faces], name: str = "set") -> dict[str, bytes]:
    return drawn_files(tabletop.tabletop_files(name, "A Set", faces, lambda file: file))


def saved(files: dict[str, bytes]) -> dict[str, Any]:
    (name,) = [name for name in files if name.endswith(".json")]
    return cast("dict[str, Any]", json.loads(files[name]))


@lru_cache(2)
def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def cell(files: dict[str, bytes], deck: dict[str, Any], url: str, slot: int) -> np.ndarray:
    """Return a slot of an image as the game finds it: the image cut evenly into columns and rows."""
    image = opened(files[str(deck[url])])
    columns, rows = (deck["NumWidth"], deck["NumHeight"]) if url == "FaceURL" or deck["UniqueBack"] else (1, 1)
    assert (image.width % columns, image.height % rows) == (0, 0)
    width, height = image.width // columns, image.height // rows
    row, column = divmod(slot if columns * rows > 1 else 0, columns)
    return rasters.pixels(image.crop((column * width, row * height, (column + 1) * width, (row + 1) * height)))


@lru_cache(5)  # most cards have the back of the one before
def drawn(scene: Scene, dpi: float) -> np.ndarray:
    return rasters.pixels(paint.paint(scene, Canvas(dpi)))


def assert_drawn(found: np.ndarray, scene: Scene | None, dpi: float) -> None:
    assert scene
    assert np.array_equal(found, drawn(scene, dpi))


def dpi_of(files: dict[str, bytes], name: str) -> float:
    across, _ = Image.open(io.BytesIO(files[name])).info["dpi"]
    return round(float(across), 1)


# --- the image and its saved object ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cards",
    [
        lambda: starter()[::16],
        partial(made_up, 3),
        partial(made_up, 5, backs=2),
        partial(made_up, 9, backs=9),
        partial(made_up, 1, 4),
    ],
    ids=["starter", "three", "two-backs", "a-back-each", "one"],
)
def test_the_image_cut_by_its_saved_object_gives_each_card(cards: Callable[[], Sequence[Faces]]) -> None:
    faces = cards()
    files = written(faces)
    (pile,) = saved(files)["ObjectStates"]
    by_name = {face.card.name: face for face in faces if face.card.copies}
    assert {card["Nickname"] for card in pile["ContainedObjects"]} == set(by_name)
    for card in pile["ContainedObjects"]:
        key, slot = divmod(card["CardID"], 100)
        deck, face = card["CustomDeck"][str(key)], by_name[card["Nickname"]]
        assert_drawn(cell(files, deck, "FaceURL", slot), face.front, dpi_of(files, deck["FaceURL"]))
        assert_drawn(cell(files, deck, "BackURL", slot), face.back, dpi_of(files, deck["BackURL"]))


@pytest.mark.parametrize(("backs", "images", "unique"), [(2, 4, [True, False]), (1, 3, [False, False])])
def test_more_cards_than_an_image_holds_go_on_in_the_next(backs: int, images: int, unique: list[bool]) -> None:
    """Two images of fronts, and two of backs, or one of a back that all have; and the saved object."""
    faces = made_up(70, backs=backs)
    files = written(faces)
    (pile,) = saved(files)["ObjectStates"]
    assert (len(pile["CustomDeck"]), len(files)) == (2, images + 1)
    assert [deck["UniqueBack"] for deck in pile["CustomDeck"].values()] == unique
    for number in (0, 68, 69):
        card = pile["ContainedObjects"][number]
        key, slot = divmod(card["CardID"], 100)
        deck = pile["CustomDeck"][str(key)]
        assert_drawn(cell(files, deck, "FaceURL", slot), faces[number].front, dpi_of(files, deck["FaceURL"]))
        assert_drawn(cell(files, deck, "BackURL", slot), faces[number].back, dpi_of(files, deck["BackURL"]))


@pytest.mark.parametrize("backs", [1, 3])
def test_the_last_slot_shows_a_back(backs: int) -> None:
    """It is what others see of a hand, should someone untick "Back is Hidden" in the game."""
    faces = made_up(4, backs=backs)
    files = written(faces)
    (deck,) = saved(files)["ObjectStates"][0]["CustomDeck"].values()
    last = deck["NumWidth"] * deck["NumHeight"] - 1
    assert last >= 4
    for url in ("FaceURL", "BackURL"):
        assert_drawn(cell(files, deck, url, last), faces[0].back, dpi_of(files, deck[url]))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=300).filter(any))
def test_every_copy_of_every_card_is_in_the_pile_once(copies: list[int]) -> None:
    faces = [replace(face, handle=replace(face.card, copies=n)) for face, n in zip(drawn_once(), copies, strict=False)]
    draw = tabletop.tabletop_files("set", "A Set", faces, lambda name: name)["set.json"]
    (thing,) = json.loads(draw())["ObjectStates"]
    cards = thing["ContainedObjects"] if thing["Name"] == "DeckCustom" else [thing]
    assert Counter(card["Nickname"] for card in cards) == Counter(
        {each.card.name: n for each, n in zip(faces, copies, strict=True) if n}
    )
    assert len({card["CardID"] for card in cards}) == sum(1 for number in copies if number), "an id for each card"
    assert thing["Name"] == ("DeckCustom" if sum(copies) > 1 else "Card")
    if thing["Name"] == "DeckCustom":
        assert thing["DeckIDs"] == [card["CardID"] for card in cards]
        guids = [thing["GUID"], *(card["GUID"] for card in cards)]
        assert len(set(guids)) == len(guids)


@cache
def drawn_once() -> list[Faces]:
    return made_up(300)


def test_no_two_cards_of_a_pile_have_the_same_guid() -> None:
    """The 128th number that `Set 9` would give is one that it gave before."""
    (face,) = made_up(1, copies=200)
    draw = tabletop.tabletop_files("set", "Set 9", [face], lambda name: name)["set.json"]
    (pile,) = json.loads(draw())["ObjectStates"]
    assert len({card["GUID"] for card in pile["ContainedObjects"]}) == 200


# --- arithmetic -----------------------------------------------------------------------------------------------------


@given(st.integers(1, 700), st.integers(1, 20_000_000))
def test_cards_fill_slots_in_order_and_no_two_have_the_same(cards: int, first: int) -> None:
    ids = tabletop.card_ids(cards, first)
    assert len(set(ids)) == cards
    assert ids == sorted(ids)
    assert all(each % 100 < 69 and first <= each // 100 <= first + cards // 69 for each in ids)
    assert max(ids) < 2**31


@given(
    st.integers(1, 69), st.sampled_from([*CARDS.values(), Size(10.0, 10.0), Size(300.0, 20.0), Size(2000.0, 2000.0)])
)
def test_an_image_is_within_what_the_game_takes(cards: int, size: Size) -> None:
    image = tabletop.grid_image(cards, size)
    assert image.columns * image.rows > cards
    assert 1 <= image.columns <= 10
    assert 1 <= image.rows <= 7
    assert max(image.size) <= 4096
    assert 1 < image.dpi <= 300
    assert image.cell == Canvas(image.dpi).pixels(Scene(size, ()))


@pytest.mark.parametrize(
    ("cards", "grid", "cell", "dpi"),
    [
        (1, (1, 2), (750, 1050), 300),
        (12, (5, 3), (750, 1050), 300),
        (33, (7, 5), (580, 812), 232),
        (69, (10, 7), (405, 567), 162),
    ],
)
def test_cells_are_as_large_as_the_image_allows(
    cards: int, grid: tuple[int, int], cell: tuple[int, int], dpi: float
) -> None:
    image = tabletop.grid_image(cards, POKER)
    assert ((image.columns, image.rows), image.cell, image.dpi) == (grid, cell, dpi)


# --- what the game reads --------------------------------------------------------------------------------------------

TYPES: dict[str, dict[type, str]] = {
    "saved": {str: "SaveName LuaScript LuaScriptState", list: "ObjectStates"},
    "object": {
        str: "GUID Name Nickname Description",
        dict: "Transform ColorDiffuse CustomDeck",
        bool: "Locked HideWhenFaceDown SidewaysCard Hands",
    },
    "pile": {list: "DeckIDs ContainedObjects"},
    "card": {int: "CardID"},
    "deck": {str: "FaceURL BackURL", int: "NumWidth NumHeight Type", bool: "BackIsHidden UniqueBack"},
    "place": {float: "posX posY posZ rotX rotY rotZ scaleX scaleY scaleZ"},
}


def assert_typed(found: dict[str, object], *kinds: str) -> None:
    for kind in kinds:
        for wanted, keys in TYPES[kind].items():
            assert {key: type(found[key]) for key in keys.split()} == dict.fromkeys(keys.split(), wanted)


def test_the_saved_object_has_the_keys_and_types_that_the_game_reads() -> None:
    read = saved(written(made_up(3, copies=2)))
    assert_typed(read, "saved")
    (pile,) = read["ObjectStates"]
    assert_typed(pile, "object", "pile")
    assert {type(each) for each in pile["DeckIDs"]} == {int}
    assert_typed(pile["Transform"], "place")
    for card in pile["ContainedObjects"]:
        assert_typed(card, "object", "card")
        (key,) = card["CustomDeck"]
        assert int(key) == card["CardID"] // 100
        assert_typed(card["CustomDeck"][key], "deck")
        assert pile["CustomDeck"][key] == card["CustomDeck"][key]


def test_a_card_is_described_by_its_kind_its_numbers_and_its_text(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", PLAIN)
    result = kotc("table", folder, "--for", "tabletop-simulator", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (pile,) = json.loads((tmp_path / "out" / "set.json").read_text(encoding="utf-8"))["ObjectStates"]
    described = {card["Nickname"]: card["Description"] for card in pile["ContainedObjects"]}
    assert described == {
        "One": "Minion, 17th Edition\nLevel 1, SP 1, HP 0",
        "Two": "Spell, 17th Edition\nLevel 2\nDraw 1 card.\nTwo is enough.",
    }


def test_an_old_creature_is_described_in_the_words_of_its_edition() -> None:
    own = own_card(starter()[0].card)
    card = replace(
        own, kind=Kind.CREATURE, edition=11, grammar=grammar_of(11), level=6, sp=3, hp=10, text="", flavor=""
    )
    assert GAME.description(card) == "Creature, 11th Edition\nCost 6, Offense 3, Defense 10"


@pytest.mark.parametrize("url", ["", "https://example.org/cards/"])
def test_images_lie_where_the_saved_object_says_or_below_the_prefix(tmp_path: Path, url: str) -> None:
    folder, out = write_set(tmp_path / "my set", PLAIN), tmp_path / "my table"
    asked = ("--url", url) if url else ()
    assert kotc("table", folder, "--for", "tabletop-simulator", "--out", out, *asked).exit_code == 0
    (pile,) = json.loads((out / "my set.json").read_text(encoding="utf-8"))["ObjectStates"]
    (deck,) = pile["CustomDeck"].values()
    urls = {deck[key] for key in ("FaceURL", "BackURL")}
    if url:
        assert {urlsplit(each).path.replace("%20", " ") for each in urls} == {
            f"/cards/{each.name}" for each in out.glob("*.png")
        }
    else:
        assert all(each.startswith("file:///") and Path("/" + each.removeprefix("file:///")).is_file() for each in urls)


def test_an_image_that_changes_changes_its_name_and_no_other_does() -> None:
    before, faces = written(made_up(3)), made_up(3)
    after = written([*faces[:2], replace(faces[2], front=colored(40))])
    fronts, back, _ = before
    assert fronts not in after
    assert after[back] == before[back]


# --- a running game -------------------------------------------------------------------------------------------------


def test_a_card_has_its_kind_as_a_tag_and_its_id_in_the_notes() -> None:
    (pile,) = saved(written(starter()[:3]))["ObjectStates"]
    cards = {json.loads(card["GMNotes"])["id"]: card["Tags"] for card in pile["ContainedObjects"]}
    assert cards == {face.card.id: [face.card.kind.value] for face in starter()[:3]}


def heard(server: socket.socket) -> Any:
    """Return what the next one to call says, as a game hears it: one message of JSON."""
    caller, _ = server.accept()
    with caller, caller.makefile("rb") as words:
        return json.loads(words.read())


def spawned(script: str) -> list[Any]:
    """Return the objects that a script of Lua spawns, read as Lua reads strings in long brackets."""
    found = re.findall(r"^spawnObjectJSON\(\{json = \[(=*)\[(.*?)\]\1\]\}\)$", script, re.MULTILINE)
    return [json.loads(text) for _, text in found]


@pytest.mark.parametrize("name", ["Plain", "]] end", "]=] and ]]", "שלום 🐉\n\\n"])
def test_pushing_lays_the_piles_on_the_table_of_a_running_game(name: str) -> None:
    (face,) = made_up(1, copies=2)
    face = replace(face, handle=replace(own_card(face.card), name=name))
    data = tabletop.tabletop_files("set", "A Set", [face], lambda file: f"file:///{file}")["set.json"]()
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as game:
        hearing = game.submit(heard, server)
        tabletop.push(data, server.getsockname()[1])
        message = hearing.result(5)
    assert (message["messageID"], message["guid"]) == (3, "-1"), "execute Lua code, of the table itself"
    assert spawned(message["script"]) == json.loads(data)["ObjectStates"]


def test_the_command_pushes_what_it_wrote_to_the_port_of_the_game(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "set", PLAIN), tmp_path / "out"
    asked = ("table", folder, "--for", "tabletop-simulator", "--out", out, "--push")
    with socket.create_server(("127.0.0.1", 39999)) as server, ThreadPoolExecutor(1) as game:
        hearing = game.submit(heard, server)
        result = kotc(*asked)
        message = hearing.result(5)
    assert result.output.endswith("  the cards were sent to the running game: look at its table\n")
    assert spawned(message["script"]) == json.loads((out / "set.json").read_bytes())["ObjectStates"]
    result = kotc(*asked)
    assert result.exit_code == 3
    assert "no game of Tabletop Simulator listens for editors: host one" in result.output


# --- a folder -------------------------------------------------------------------------------------------------------


def test_the_folder_has_each_card_each_back_and_a_list_of_them(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "set", PLAIN), tmp_path / "out"
    result = kotc("table", folder, "--for", "folder", "--out", out)
    assert result.output == f"3 cards: 4 PNGs and {out / 'cards.csv'}\n"
    with (out / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [list(row.values()) for row in rows] == [
        ["one", "One", "minion", "17", "1", "0", "2", "one.png", "backs/1.png"],
        ["two", "Two", "spell", "17", "2", "0", "3", "two.png", "backs/1.png"],
        ["none-of-these", "None of these", "minion", "17", "1", "0", "0", "none-of-these.png", "backs/1.png"],
    ]
    columns = "id name kind edition level ultra_points copies front back"
    assert [*rows[0]] == columns.split()
    for row in rows:
        assert Image.open(out / row["front"]).size == Image.open(out / row["back"]).size == (750, 1050)


def test_each_picture_is_the_card_that_the_list_says() -> None:
    faces = made_up(5, backs=2)
    files = drawn_files(tabletop.folder_files(faces))
    rows = csv.DictReader(io.StringIO(files["cards.csv"].decode("utf-8"), newline=""))
    for row, face in zip(rows, faces, strict=True):
        assert row["id"] == face.card.id
        assert_drawn(rasters.png(files[row["front"]]), face.front, 300)
        assert_drawn(rasters.png(files[row["back"]]), face.back, 300)
    assert len(files) == 8, "five fronts, two backs, the list"


@pytest.mark.parametrize("name", ['Hammer, "Storm"', "Two\nlines", "Æther → 日本", "=1+1", " spaced "])
def test_names_come_back_from_the_list_as_they_are(name: str) -> None:
    (face,) = made_up(1)
    named = [replace(face, handle=replace(own_card(face.card), name=name, level=None))]
    data = tabletop.folder_files(named)["cards.csv"]()
    (row,) = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
    assert (row["name"], row["level"], row["back"]) == (name, "", "backs/1.png")
    assert data.startswith(b"id,name,kind,edition,level,ultra_points,copies,front,back\r\n")
    assert data.endswith(b"\r\n")


def test_a_card_without_a_back_has_a_white_one_on_the_table_and_none_in_the_folder() -> None:
    first, second = made_up(2)
    faces = [first, replace(second, back=None)]
    files = written(faces)
    (deck,) = saved(files)["ObjectStates"][0]["CustomDeck"].values()
    assert (cell(files, deck, "BackURL", 1) == 255).all()
    in_folder = drawn_files(tabletop.folder_files(faces))
    rows = list(csv.DictReader(io.StringIO(in_folder["cards.csv"].decode("utf-8"), newline="")))
    assert [row["back"] for row in rows] == ["backs/1.png", ""]
    assert len(in_folder) == 4


# --- what goes wrong ------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_set(tmp_path / "set", PLAIN)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--for", "folder", "--out", "out", "--url", "https://example.org"), "--url needs --for tabletop-simulator"),
        (("--for", "tabletop-simulator", "--out", "out", "--url", "example.org"), "expected http:// or https://"),
        (("--for", "tabletop-simulator", "--out", "out", "--url", "https://a.org/?q=1"), "added at its end"),
        (("--for", "tabletop-simulator", "--out", "out", "--url", "https://a.org/my cards"), "write a space as `%20`"),
        (("--for", "tabletop-simulator", "--out", "out", "--card", "none-of-these"), "no card has a copy"),
        (("--for", "folder", "--out", "out", "--push"), "only a running Tabletop Simulator takes cards"),
        (("--for", "folder", "--out", "taken"), "is a file"),
        (("--for", "chess", "--out", "out"), "tabletop-simulator"),
    ],
)
def test_what_cannot_be_made_is_wrong_usage_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    here = folder.parent / "here"
    here.mkdir()
    (here / "taken").write_bytes(b"theirs")
    monkeypatch.chdir(here)
    result = kotc("table", folder, *arguments)
    assert (result.exit_code, said in result.output) == (2, True), result.output
    assert [path.name for path in here.iterdir()] == ["taken"]


@pytest.mark.parametrize("table", ["tabletop-simulator", "folder"])
def test_a_set_without_a_card_is_wrong_usage(tmp_path: Path, table: str) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "set.yaml").write_text("name: Empty\nedition: 17\n", encoding="utf-8")
    result = kotc("table", tmp_path / "set", "--for", table, "--out", tmp_path / "out")
    assert result.exit_code in (1, 2), result.output
    assert "card" in result.output
    assert not (tmp_path / "out").exists()


def test_two_sets_with_the_same_card_cannot_share_a_folder_but_can_share_a_table(folder: Path) -> None:
    other, out = write_set(folder.parent / "other", PLAIN), folder.parent / "out"
    result = kotc("table", folder, other, "--for", "folder", "--out", out)
    assert (result.exit_code, "both have a card `one`" in result.output) == (2, True)
    assert not out.exists()
    assert kotc("table", folder, other, "--for", "tabletop-simulator", "--out", out).exit_code == 0
    piles = [json.loads((out / f"{name}.json").read_text(encoding="utf-8")) for name in ("set", "other")]
    keys = [set(pile["ObjectStates"][0]["CustomDeck"]) for pile in piles]
    assert not keys[0] & keys[1], "on one table their cards are not taken for each other"


def test_a_set_with_an_error_writes_nothing(folder: Path) -> None:
    write_set(folder, PLAIN.replace("minion", "minyon"))
    assert kotc("table", folder, "--for", "folder", "--out", folder.parent / "out").exit_code == 1
    assert not (folder.parent / "out").exists()


@pytest.mark.parametrize("table", ["tabletop-simulator", "folder"])
def test_the_same_cards_give_the_same_files_and_leave_other_files_alone(folder: Path, table: str) -> None:
    out = folder.parent / "out"
    out.mkdir()
    (out / "theirs.png").write_bytes(b"theirs")
    snapshots = []
    for _ in range(2):
        assert kotc("table", folder, "--for", table, "--out", out).exit_code == 0
        snapshots.append({path.name: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()})
    assert snapshots[0] == snapshots[1]
    assert snapshots[0]["theirs.png"] == b"theirs"
