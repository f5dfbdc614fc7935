"""Pictures and their order into an account at The Game Crafter, by its API (thegamecrafter.com/developer)."""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from msgspec import Struct, convert, to_builtins

from render.base.files import replace_file
from render.base.findings import reason
from render.base.reach import read_bounded
from render.exports.orders import TABLE, OrderLine

KEYS = ("TGC_API_KEY_ID", "TGC_USERNAME", "TGC_PASSWORD")
"""The variables of the environment that open the account."""

BASE = "TGC_API_BASE"
"""The variable that names another server, such as one to try things out."""

USUAL_BASE = "https://www.thegamecrafter.com/api"
RECORD = ".the-game-crafter.json"
"""The file beside an order that remembers what an account has of it; it opens nothing."""

MOST_AT_ONCE = 100  # cards in a call of bulk-cards: Deck.html; items on a page of a list
MOST_COPIES = 99  # of a card: Card.html
_PATIENCE, _TRIES, _LONGEST_WAIT = 60.0, 5, 60.0  # s that an answer may take; calls that are too many at once; s
_LONGEST_ANSWER, _LARGEST_RECORD, _PIECE = 10_000_000, 10_000_000, 65_536  # bytes
_LONGEST_WORDS = 300  # characters of what the server says
_NO_SENSE = "nothing that can be understood"
_EDGE = "----kotc-a-part-of-a-form"

Values = Mapping[str, object]


class Account(NamedTuple):
    """What opens an account, and the server."""

    key: str
    name: str
    password: str
    base: str = USUAL_BASE


class Deck(NamedTuple):
    """A folder with pictures and `order.csv`, and what the API calls decks of cards of that size."""

    title: str
    identity: str
    folder: Path


def account_in(environment: Mapping[str, str]) -> Account:
    """Return the account that the environment opens; ValueError if something is missing or the server has no address."""
    if missing := [name for name in KEYS if not environment.get(name)]:
        raise ValueError(f"the environment has no {' and no '.join(missing)}")
    base = environment.get(BASE) or USUAL_BASE
    parts = urlsplit(base)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost"):
        raise ValueError(f"{BASE} is no address that begins with https://")
    key, name, password = (environment[each] for each in KEYS)
    return Account(key, name, password, base.rstrip("/"))


class Record(Struct, omit_defaults=True):
    """What a deck has in an account, kept beside its order: ids of its game, of the folder of its pictures, and its own.

    `pictures` are the SHA-256 of all that were uploaded, by the ids of their files.
    """

    account: str
    title: str
    game: str = ""
    folder: str = ""
    deck: str = ""
    pictures: dict[str, str] = {}


def push(title: str, decks: Sequence[Deck], account: Account, step: Callable[[], object] = lambda: None) -> None:
    """Make a game of decks in an account, or go on with the one of that title that was made of these folders before.

    OSError if the server cannot be reached or refuses. `step` is called per picture.
    """
    api = _Api(account.base)
    login = {"username": account.name, "password": account.password, "api_key_id": account.key}
    session = api.call("POST", "session", login, wanted=("id", "user_id"))
    api.session = session["id"]
    try:
        user = api.call("GET", f"user/{session['user_id']}", wanted=("id", "root_folder_id"))
        records = [_record(deck.folder, f"{account.base} {user['id']}", title) for deck in decks]
        try:
            _push_game(api, [*zip(decks, records, strict=True)], user)
            there = api.items(f"folder/{records[0].folder}/files")
            for deck, record in zip(decks, records, strict=True):
                _push_deck(api, deck, record, {item["id"] for item in there}, step)
        except OSError as error:
            left = f"the game `{title}` there is not whole: run the command again to go on with it"
            words = f"{error.strerror}; {left}" if any(record.game for record in records) else error.strerror
            raise OSError(error.errno, words, error.filename) from None
    finally:
        with suppress(OSError):  # a session ends by itself, too
            api.call("DELETE", f"session/{session['id']}")


def _push_game(api: _Api, decks: Sequence[tuple[Deck, Record]], user: Mapping[str, str]) -> None:
    """Make the game and the folder of its pictures unless they are there, and let all records name them."""
    title = decks[0][1].title
    game = next((record.game for _, record in decks if api.has("game", record.game)), "")
    if not game:
        designers = api.items(f"user/{user['id']}/designers")
        if not designers:
            raise _refusal(api.base, "the account has no designer: make one there first")
        game = api.call("POST", "game", {"name": title, "designer_id": designers[0]["id"]}, wanted=("id",))["id"]
    for deck, record in decks:
        record.deck = record.deck if record.game == game else ""
        record.game = game
        _keep(deck.folder, record)
    folder = next((record.folder for _, record in decks if api.has("folder", record.folder)), "")
    if not folder:
        place = {"name": title, "user_id": user["id"], "parent_id": user["root_folder_id"]}
        folder = api.call("POST", "folder", place, wanted=("id",))["id"]
    for deck, record in decks:
        record.folder = folder
        _keep(deck.folder, record)


def _push_deck(api: _Api, deck: Deck, record: Record, there: Container[str], step: Callable[[], object]) -> None:
    """Upload the pictures of a deck that are not `there`, each once, and let it have the cards of its order."""
    lines = read_order(deck.folder)
    ids, uploaded = {"": ""}, {digest: each for each, digest in record.pictures.items() if each in there}
    for file in dict.fromkeys(name for line in lines for name in (line.back, line.front) if name):
        digest = hashlib.sha256((deck.folder / file).read_bytes()).hexdigest()
        if digest not in uploaded:
            about = {"name": file.replace("/", " "), "folder_id": record.folder}
            uploaded[digest] = api.upload(deck.folder / file, about)
            record.pictures[uploaded[digest]] = digest
            _keep(deck.folder, record)
        ids[file] = uploaded[digest]
        step()
    backs = Counter(line.back for line in lines)
    # A card that has no back itself would have that of the deck.
    usual = "" if "" in backs else backs.most_common(1)[0][0]
    back = {"back_id": ids[usual]} if usual else {}
    if not api.has("deck", record.deck):
        named = {"name": deck.title, "game_id": record.game, "identity": deck.identity, "quantity": 1}
        record.deck = api.call("POST", "deck", {**named, **back}, wanted=("id",))["id"]
        _keep(deck.folder, record)
    elif back:
        api.call("PUT", f"deck/{record.deck}", back)
    _push_cards(api, record, [card for line in lines for card in _cards(line, ids, usual)])


def _push_cards(api: _Api, record: Record, cards: Sequence[Values]) -> None:
    """Add the cards that the deck lacks, a hundred in a call, and remove those that its order does not have any more.

    Cards with pictures that were not uploaded from here are somebody's, and stay.
    """
    lacking = Counter(map(_seen, cards))
    for there in api.items(f"deck/{record.deck}/cards"):
        if lacking[_seen(there)]:
            lacking[_seen(there)] -= 1
        elif there.get("face_id") in record.pictures:
            api.call("DELETE", f"card/{there['id']}")
    added = []
    for card in cards:
        if lacking[_seen(card)]:
            lacking[_seen(card)] -= 1
            added.append(card)
    for start in range(0, len(added), MOST_AT_ONCE):
        part = json.dumps(added[start : start + MOST_AT_ONCE])
        api.call("POST", f"deck/{record.deck}/bulk-cards", {"cards": part})


def _seen(card: Values) -> tuple[str, ...]:
    """Return what tells a card of a deck from others, as the server has it or is to have it."""
    back = ("back_id",) if card.get("back_from") == "Card" else ()
    values = (str(card.get(key) or "") for key in ("name", "face_id", "quantity", *back))
    return tuple(" ".join(value.split()) for value in values)  # a server may trim names


def _cards(line: OrderLine, ids: Mapping[str, str], usual: str) -> Iterator[Values]:
    card: dict[str, object] = {"name": line.name, "face_id": ids[line.front]}
    if usual and line.back == usual:
        card["back_from"] = "Deck"
    else:
        card |= {"back_from": "Card", **({"back_id": ids[line.back]} if line.back else {})}
    for start in range(0, line.copies, MOST_COPIES):
        yield {**card, "quantity": min(MOST_COPIES, line.copies - start)}


def read_order(folder: Path) -> list[OrderLine]:
    """Return the lines of `order.csv` in a folder that was made here; OSError."""
    with (folder / TABLE).open(encoding="utf-8", newline="") as file:
        return [OrderLine(row["front"], row["back"], int(row["copies"]), row["name"]) for row in csv.DictReader(file)]


def _record(folder: Path, account: str, title: str) -> Record:
    """Return what an account has of the order in a folder; what nobody can read counts as nothing."""
    kept = (each for each in _records(folder) if (each.account, each.title) == (account, title))
    return next(kept, Record(account, title))


def _records(folder: Path) -> list[Record]:
    try:
        return convert(json.loads(read_bounded(folder / RECORD, _LARGEST_RECORD) or b"[]"), list[Record])
    except (ValueError, RecursionError):
        return []


def _keep(folder: Path, record: Record) -> None:
    others = [each for each in _records(folder) if (each.account, each.title) != (record.account, record.title)]
    replace_file(folder / RECORD, json.dumps(to_builtins([*others, record]), indent=0).encode())


# --- calls ----------------------------------------------------------------------------------------------------------


def _refusal(base: str, words: str) -> OSError:
    return OSError(errno.EPROTO, f"it says: {words.rstrip('.')}", base)


class _Api:
    """Calls of the API: a form goes there, and JSON with a `result` or an `error` comes back."""

    def __init__(self, base: str) -> None:
        self.base, self.session = base, ""

    def call(self, method: str, path: str, values: Values | None = None, *, wanted: Sequence[str] = ()) -> Any:
        """Return the result of a call, with what is `wanted` in it; OSError with the words of the server if it has none."""
        form = urlencode({**(values or {}), **({"session_id": self.session} if self.session else {})})
        if method in ("POST", "PUT"):
            return self.checked(self._answer(Request(f"{self.base}/{path}", form.encode(), method=method)), wanted)
        return self.checked(self._answer(Request(f"{self.base}/{path}?{form}", method=method)), wanted)

    def has(self, kind: str, name: str) -> bool:
        """Return whether there is a thing of that id, "" for none; OSError."""
        try:
            return bool(name and self.call("GET", f"{kind}/{name}", wanted=("id",)))
        except FileNotFoundError:
            return False

    def items(self, path: str) -> list[dict[str, Any]]:
        """Return all that a list has, page by page; OSError."""
        items, page, pages = list[dict[str, Any]](), 0, 1
        while page < pages:
            page += 1
            part = self.call("GET", path, {"_page_number": page, "_items_per_page": MOST_AT_ONCE}, wanted=("paging",))
            try:
                items += [self.checked(item, ("id",)) for item in part["items"]]
                pages = int(part["paging"]["total_pages"])
            except (KeyError, TypeError, ValueError):
                raise _refusal(self.base, _NO_SENSE) from None
        return items

    def upload(self, file: Path, values: Values) -> Any:
        """Return what the server calls a file, once it has it."""
        parts = b"".join(
            f'--{_EDGE}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in {**values, "session_id": self.session}.items()
        )
        head = f'--{_EDGE}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n'
        body = (
            parts
            + head.encode()
            + b"Content-Type: image/png\r\n\r\n"
            + file.read_bytes()
            + f"\r\n--{_EDGE}--\r\n".encode()
        )
        kind = {"Content-Type": f"multipart/form-data; boundary={_EDGE}"}
        return self.checked(self._answer(Request(f"{self.base}/file", body, kind, method="POST")), ("id",))["id"]

    def checked(self, result: Any, wanted: Sequence[str]) -> Any:
        """Return a result that has what is wanted; OSError."""
        if wanted and not (isinstance(result, dict) and all(result.get(name) for name in wanted)):
            raise _refusal(self.base, _NO_SENSE)
        return result

    def _answer(self, request: Request) -> Any:
        for _ in range(_TRIES):
            try:
                status, headers, data = _sent(request)
            except (OSError, HTTPException, ValueError) as error:
                cause = error.reason if isinstance(error, URLError) else error
                words = reason(getattr(cause, "strerror", None) or cause)
                raise OSError(errno.EIO, f"it cannot be reached: {words}", self.base) from None
            if status != HTTPStatus.TOO_MANY_REQUESTS:
                return self._result(data)
            wait = headers.get("Retry-After", "")
            time.sleep(min(float(wait) if wait.isdecimal() else 1.0, _LONGEST_WAIT))
        raise _refusal(self.base, "too many calls; run the command again later")

    def _result(self, data: bytes) -> Any:
        try:
            answer = json.loads(data)
            if "result" in answer:
                return answer["result"]
            words = reason(str(answer["error"]["message"]))[:_LONGEST_WORDS]
            if answer["error"].get("code") == HTTPStatus.NOT_FOUND:
                raise FileNotFoundError(errno.ENOENT, f"it says: {words.rstrip('.')}", self.base)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            words = _NO_SENSE
        raise _refusal(self.base, words) from None


def _sent(request: Request) -> tuple[int, Message, bytes]:
    """Return what a server answers: status, headers and contents; OSError, HTTPException, ValueError."""
    try:
        response = urlopen(request, timeout=_PATIENCE)
    except HTTPError as error:
        response = error
    with response:
        data, end = b"", time.monotonic() + _PATIENCE  # an upload may take longer
        while piece := response.read1(_PIECE):
            data += piece
            if len(data) > _LONGEST_ANSWER or time.monotonic() > end:
                raise TimeoutError("its answer does not end")
        return response.status, response.headers, data
