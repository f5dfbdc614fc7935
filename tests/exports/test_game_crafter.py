"""Uploading to The Game Crafter, tried against a stand-in that obeys its published API and knows nothing of what calls it."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from render.exports.game_crafter import Account, Deck, account_in, push, read_order
from render.exports.orders import OrderLine, order_files
from render.shops.profiles import PictureShop, shops
from tests.support.sets import kotc, write_set

ODD = ('Say "Hi" & <b>bye</b>', "Fire // Ice", "שלום", "🐉", "wolf", "WOLF", "100 % + 1", "a\nb")
REQUIRED = {  # thegamecrafter.com/developer: Session, Game, Folder, File, Deck, Card
    "session": ("username", "password", "api_key_id"),
    "game": ("name", "designer_id"),
    "folder": ("name", "user_id", "parent_id"),
    "file": ("file", "folder_id"),
    "deck": ("name", "game_id", "identity"),
    "card": ("name", "deck_id", "face_id"),
}
IDENTITIES = {"PokerDeck", "BridgeDeck", "TarotDeck", "MiniDeck", "SmallSquareDeck", "JumboDeck", "DominoDeck"}


class Refused(Exception):
    """What the server says instead of a result."""


class Crafter:
    """The shop: it keeps what it is given, and says no as the shop does."""

    def __init__(self) -> None:
        self.things: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in REQUIRED}
        self.calls: list[str] = []
        self.is_busy = 1  # calls that come too soon
        self.lives = 10_000  # calls after which it is gone
        shop, ids = self, count(1)

        def add(kind: str, values: dict[str, Any]) -> dict[str, Any]:
            if missing := [name for name in REQUIRED[kind] if not values.get(name)]:
                raise Refused(f"{missing[0]} is required.")
            if not 1 <= int(values.get("quantity", 1)) <= 99:
                raise Refused("quantity must be between 1 and 99.")
            key = f"{kind}-{next(ids)}"
            shop.things[kind][key] = {**values, "id": key}
            return shop.things[kind][key]

        def post(path: list[str], values: dict[str, Any]) -> Any:
            if path == ["session"]:
                if values.get("password") != "secret":
                    raise Refused("Password incorrect.")
                return {**add("session", values), "user_id": "user-7"}
            if values.pop("session_id", "") not in shop.things["session"]:
                raise Refused("Session expired.")
            if path[0] == "deck" and path[2:] == ["bulk-cards"]:
                cards = json.loads(values["cards"])
                if len(cards) > 100:
                    raise Refused("At most 100 cards at once.")
                return [add("card", {**card, "deck_id": path[1]}) for card in cards]
            if path == ["deck"] and values.get("identity") not in IDENTITIES:
                raise Refused("No such identity.")
            for kind in ("game", "deck", "folder", "back"):
                if values.get(f"{kind}_id"):
                    thing("file" if kind == "back" else kind, values[f"{kind}_id"])
            return add(path[0], values)

        def thing(kind: str, key: str) -> dict[str, Any]:
            if key not in shop.things[kind]:
                raise Refused(f"{kind.title()} not found.", 404)
            return shop.things[kind][key]

        def get(path: list[str], values: dict[str, Any]) -> Any:
            if path[0] == "user":
                user = {"id": "user-7", "root_folder_id": "root"}
                return page([{"id": "designer-1"}], values) if path[2:] else user
            one = {name: value for name, value in thing(*path[:2]).items() if name != "file"}
            if not path[2:]:
                return one
            inner = shop.things[path[2].removesuffix("s")].values()
            return page([each for each in inner if each[f"{path[0]}_id"] == path[1]], values)

        def page(items: list[dict[str, Any]], values: dict[str, Any]) -> Any:
            size, number = int(values.get("_items_per_page", 25)), int(values.get("_page_number", 1))
            assert 1 <= size <= 100
            part = [{key: value for key, value in item.items() if key != "file"} for item in items]
            paging = {"total_pages": -(-len(items) // size), "page_number": number, "total_items": len(items)}
            return {"paging": paging, "items": part[(number - 1) * size : number * size]}

        def put(path: list[str], values: dict[str, Any]) -> Any:
            thing(*path).update({key: value for key, value in values.items() if key != "session_id"})
            return thing(*path)

        def delete(path: list[str], _: dict[str, Any]) -> Any:
            thing(*path)
            del shop.things[path[0]][path[1]]
            return {"success": 1}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                values = {name: value for name, (value,) in parse_qs(address.query).items()}
                self.do(get, address.path, values)

            def do_DELETE(self) -> None:
                self.do(delete, urlsplit(self.path).path, {})

            def do_PUT(self) -> None:
                self.do(put, self.path, self.form(self.rfile.read(int(self.headers["Content-Length"]))))

            def do_POST(self) -> None:
                values = self.form(self.rfile.read(int(self.headers["Content-Length"])))
                if shop.is_busy and self.path.endswith("bulk-cards"):
                    shop.is_busy -= 1
                    shop.calls.append("bulk-cards")
                    self.answer(429, {"error": {"message": "Slow down."}}, {"Retry-After": "0"})
                    return
                self.do(post, self.path, values)

            def do(self, what: Callable[[list[str], dict[str, Any]], Any], path: str, values: dict[str, Any]) -> None:
                parts = path.split("/")[2:]
                shop.calls.append(parts[-1] if what is post else f"{self.command} {parts[0]}")
                shop.lives -= 1
                if shop.lives < 0:
                    self.close_connection = True
                    return
                try:
                    self.answer(200, {"result": what(parts, values)})
                except Refused as error:
                    message, code = (*error.args, 441)[:2]
                    self.answer(code, {"error": {"code": code, "message": message}})

            def form(self, body: bytes) -> dict[str, Any]:
                kind = self.headers["Content-Type"]
                if "multipart" not in kind:
                    return {name: value for name, (value,) in parse_qs(body.decode()).items()}
                parts = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
                found: dict[str, Any] = {}
                for part in parts.iter_parts():
                    data: Any = part.get_payload(decode=True)
                    name = str(part.get_param("name", header="content-disposition"))
                    found[name] = data if part.get_filename() else data.decode()
                return found

            def answer(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
                data = json.dumps(value, default=repr).encode()
                self.send_response(status)
                for name, words in {"Content-Length": str(len(data)), **(headers or {})}.items():
                    self.send_header(name, words)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}/api"

    def cards(self) -> list[tuple[str, bytes, bytes, int]]:
        """Return the cards of all decks: name, front and back as pictures, and how many."""
        files = self.things["file"]
        found = []
        for card in self.things["card"].values():
            deck = self.things["deck"][card["deck_id"]]
            back = card.get("back_id") if card["back_from"] == "Card" else deck["back_id"]
            found.append(
                (card["name"], files[card["face_id"]]["file"], files[back]["file"] if back else b"", card["quantity"])
            )
        return found


@pytest.fixture
def crafter() -> Iterator[Crafter]:
    shop = Crafter()
    yield shop
    shop.server.shutdown()
    shop.server.server_close()


def a_folder(folder: Path, lines: list[OrderLine]) -> Path:
    """Write an order, and pictures whose bytes are their names."""
    shop = shops()["the-game-crafter"]
    assert isinstance(shop, PictureShop)
    for name in {name for line in lines for name in (line.front, line.back) if name}:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(f"{name}\r\n\0{name}".encode())
    for name, data in order_files(lines, shop):
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("backs", [("a",), ("a", "b"), ("a", "")], ids=["one back", "two backs", "some without"])
def test_every_card_arrives_with_its_sides_and_copies(crafter: Crafter, tmp_path: Path, backs: tuple[str, ...]) -> None:
    lines = [
        OrderLine(
            f"fronts/card-{number}.png",
            f"backs/{back}.png" if (back := backs[number % len(backs)]) else "",
            250 if number == 3 else number % 3 + 1,
            f"{ODD[number % len(ODD)]} {number}",
        )
        for number in range(230)
    ]
    folder = a_folder(tmp_path, lines)
    assert read_order(folder) == lines
    push("A Game", [Deck("A Deck", "PokerDeck", folder)], Account("key", "me", "secret", crafter.base))
    wanted = [
        (line.name, (folder / line.front).read_bytes(), (folder / line.back).read_bytes() if line.back else b"", copies)
        for line in lines
        for copies in ([99, 99, 52] if line.copies == 250 else [line.copies])
    ]
    assert crafter.cards() == wanted
    assert crafter.calls.count("bulk-cards") == 4, "three calls for 232 cards, and one that came too soon"
    assert crafter.calls.count("file") == 230 + len([back for back in backs if back]), "each picture once"
    assert [game["name"] for game in crafter.things["game"].values()] == ["A Game"]
    assert crafter.things["session"] == {}, "the session is ended"


CARDS = "- {name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 2}\n- {name: Two, kind: tip, text: A.}\n"


@pytest.fixture
def account(crafter: Crafter, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"TGC_API_KEY_ID": "key", "TGC_USERNAME": "me", "TGC_PASSWORD": "secret", "TGC_API_BASE": crafter.base}
    for name, value in told.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("account")
def test_the_command_uploads_what_it_wrote(crafter: Crafter, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = kotc("shop", "the-game-crafter", write_set(tmp_path / "set", CARDS), "--out", out, "--push")
    assert result.exit_code == 0, result.output
    assert result.output.endswith(
        "the game `Test` is in your account at The Game Crafter: look at each picture there before you order\n"
    )
    fronts = [(out / f"fronts/{name}.png").read_bytes() for name in ("one", "two")]
    back = (out / "backs/back.png").read_bytes()
    assert crafter.cards() == [("One", fronts[0], back, 2), ("Two", fronts[1], back, 1)]


@pytest.mark.usefixtures("account")
def test_what_the_server_refuses_is_told_in_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TGC_PASSWORD", "wrong")
    result = kotc("shop", "the-game-crafter", write_set(tmp_path / "set", CARDS), "--out", tmp_path / "out", "--push")
    assert result.exit_code == 3
    assert "api`: it says: Password incorrect [E001]" in result.output
    assert "wrong" not in result.output
    monkeypatch.setenv("TGC_API_BASE", "http://127.0.0.1:1/api")
    result = kotc("shop", "the-game-crafter", tmp_path / "set", "--out", tmp_path / "out", "--push")
    assert (result.exit_code, "it cannot be reached" in result.output) == (3, True), result.output
    assert (tmp_path / "out/order.csv").is_file(), "the files are there"


def test_an_account_needs_three_words_and_a_safe_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = {"TGC_API_KEY_ID": "key", "TGC_USERNAME": "me", "TGC_PASSWORD": "secret"}
    assert account_in(full).base == "https://www.thegamecrafter.com/api"
    with pytest.raises(ValueError, match="no TGC_PASSWORD"):
        account_in({**full, "TGC_PASSWORD": ""})
    with pytest.raises(ValueError, match="begins with https://"):
        account_in({**full, "TGC_API_BASE": "http://example.org/api"})
    for name in full:
        monkeypatch.delenv(name, raising=False)
    folder = write_set(tmp_path / "set", CARDS)
    result = kotc("shop", "the-game-crafter", folder, "--out", tmp_path / "out", "--push")
    assert (result.exit_code, "--push needs TGC_API_KEY_ID, TGC_USERNAME and TGC_PASSWORD" in result.output) == (
        2,
        True,
    )
    result = kotc("shop", "makeplayingcards", folder, "--out", tmp_path / "out", "--push")
    assert (result.exit_code, "only `the-game-crafter` takes files from a program" in result.output) == (2, True)
    assert not (tmp_path / "out").exists()


HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (HEAD + b"\r\n<!DOCTYPE html><p>Sign in to the hotel's network", "nothing that can be understood"),
        (b"HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n<p>oops", "nothing that can be understood"),
        (HEAD + b'\r\n{"result": 5}', "nothing that can be understood"),
        (HEAD + b'\r\n{"result": {"id": null}}', "nothing that can be understood"),
        (HEAD + b"\r\n" + b"[" * 200_000, "nothing that can be understood"),
        (HEAD + b'Content-Length: 999\r\n\r\n{"res', "nothing that can be understood"),
        (HEAD + b'\r\n{"error": {"message": "\\u001b[2Jno"}}', "it says: \N{REPLACEMENT CHARACTER}[2Jno [E001]"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "it cannot be reached: SSH-2.0"),
        (b"", "it cannot be reached: Remote end closed connection"),
        (HEAD + b"\r\n" + b"x" * 11_000_000, "its answer does not end"),
    ],
)
@pytest.mark.usefixtures("account")
def test_a_server_that_answers_nonsense_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, told: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            caller, _ = server.accept()
            with caller, suppress(ConnectionError):
                asked = b""
                while not asked.endswith(b"api_key_id=key"):
                    asked += caller.recv(65536)
                caller.sendall(answer)

        Thread(target=serve, daemon=True).start()
        monkeypatch.setenv("TGC_API_BASE", f"http://127.0.0.1:{server.getsockname()[1]}/api")
        folder = write_set(tmp_path / "set", CARDS)
        result = kotc("shop", "the-game-crafter", folder, "--out", tmp_path / "out", "--push")
    assert (result.exit_code, told in result.output) == (3, True), result.output
    assert "secret" not in result.output


def test_a_game_that_is_not_whole_is_told(crafter: Crafter, tmp_path: Path) -> None:
    folder = a_folder(tmp_path, [OrderLine("fronts/one.png", "", 1, "One")])
    with pytest.raises(OSError, match="No such identity; the game `A Game` there is not whole: run the command again"):
        push("A Game", [Deck("A Deck", "NoSuchDeck", folder)], Account("key", "me", "secret", crafter.base))
    assert crafter.things["session"] == {}, "the session is ended"


# --- again ----------------------------------------------------------------------------------------------------------

ORDER = [OrderLine(f"fronts/{number}.png", "backs/a.png", 1, f"Card {number}") for number in range(120)]


def shown(lines: list[OrderLine], folder: Path) -> list[tuple[str, bytes, bytes, int]]:
    return sorted(
        (line.name, (folder / line.front).read_bytes(), (folder / line.back).read_bytes(), line.copies)
        for line in lines
    )


def a_push(crafter: Crafter, *folders: Path, title: str = "A Game") -> None:
    decks = [Deck(f"Deck {number}", "PokerDeck", folder) for number, folder in enumerate(folders)]
    push(title, decks, Account("key", "me", "secret", crafter.base))


def counts(crafter: Crafter) -> dict[str, int]:
    return {kind: len(things) for kind, things in crafter.things.items()}


def test_a_second_push_changes_nothing_and_uploads_nothing(crafter: Crafter, tmp_path: Path) -> None:
    folders = [a_folder(tmp_path / "one", ORDER), a_folder(tmp_path / "two", ORDER[:3])]
    a_push(crafter, *folders)
    before = json.dumps(crafter.things, default=repr)
    crafter.calls.clear()
    a_push(crafter, *folders)
    assert json.dumps(crafter.things, default=repr) == before
    assert {"file", "game", "folder", "bulk-cards", "DELETE card"}.isdisjoint(crafter.calls)


@pytest.mark.parametrize("lives", [*range(3, 16), 80, 130, 131, 132, 133])
def test_a_push_that_was_interrupted_goes_on_and_doubles_nothing(crafter: Crafter, tmp_path: Path, lives: int) -> None:
    folder, crafter.is_busy, crafter.lives = a_folder(tmp_path, ORDER), 0, lives
    with suppress(OSError):
        a_push(crafter, folder)
    crafter.lives = 10_000
    a_push(crafter, folder)
    things = {"session": 0, "game": 1, "folder": 1, "deck": 1, "card": 120, "file": 121}
    assert counts(crafter) == things | {"session": counts(crafter)["session"]}
    assert sorted(crafter.cards()) == shown(ORDER, folder)


def test_a_push_replaces_what_changed_and_leaves_cards_of_others(crafter: Crafter, tmp_path: Path) -> None:
    folder = a_folder(tmp_path, ORDER)
    a_push(crafter, folder)
    (deck,) = crafter.things["deck"]
    theirs = {"id": "card-theirs", "deck_id": deck, "name": "Theirs", "quantity": 1, "back_from": "Deck"}
    crafter.things["file"]["file-theirs"] = {"id": "file-theirs", "folder_id": "root", "file": b"theirs"}
    crafter.things["card"]["card-theirs"] = {**theirs, "face_id": "file-theirs"}
    crafter.calls.clear()
    lines = [line._replace(back="backs/b.png") for line in ORDER[2:]]
    lines[0] = lines[0]._replace(copies=150)
    a_folder(tmp_path, lines)
    (folder / "fronts/3.png").write_bytes(b"another look")
    a_push(crafter, folder)
    back = b"backs/b.png\r\n\0backs/b.png"
    halves = [lines[0]._replace(copies=99), lines[0]._replace(copies=51), *lines[1:]]
    assert sorted(crafter.cards()) == sorted([*shown(halves, folder), ("Theirs", b"theirs", back, 1)])
    assert (crafter.calls.count("file"), crafter.calls.count("DELETE card")) == (2, 4)


@pytest.mark.parametrize("kind", ["game", "folder", "deck"])
def test_what_somebody_removed_there_is_made_again(crafter: Crafter, tmp_path: Path, kind: str) -> None:
    folder = a_folder(tmp_path, ORDER[:3])
    a_push(crafter, folder)
    (gone,) = crafter.things[kind]
    inner = {"game": ("deck", "card"), "folder": ("file",), "deck": ("card",)}[kind]
    for each in (kind, *inner):
        crafter.things[each].clear()
    a_push(crafter, folder)
    assert [*crafter.things[kind]] not in ([gone], [])
    assert sorted(crafter.cards()) == shown(ORDER[:3], folder)


def test_another_account_or_title_has_a_game_of_its_own(crafter: Crafter, tmp_path: Path) -> None:
    folder = a_folder(tmp_path, ORDER[:3])
    for title in ("A Game", "Another", "A Game", "Another"):
        a_push(crafter, folder, title=title)
    assert [game["name"] for game in crafter.things["game"].values()] == ["A Game", "Another"]


def test_what_is_remembered_opens_no_account_and_is_no_picture(crafter: Crafter, tmp_path: Path) -> None:
    folder = a_folder(tmp_path, ORDER[:3])
    a_push(crafter, folder)
    (record,) = {file.name for file in folder.iterdir()} - {"fronts", "backs", "order.csv"}
    assert record.startswith("."), "which `verify` and a browser's choice of files pass over"
    text = (folder / record).read_text(encoding="utf-8")
    assert not [word for word in ("secret", "key", "session") if word in text]
    for nonsense in ("", "5", '[{"account": 5}]', "[" * 100_000, '[{"account'):
        (folder / record).write_text(nonsense, encoding="utf-8")
        a_push(crafter, folder)
