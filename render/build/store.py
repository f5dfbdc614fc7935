"""The store: finished faces of cards from earlier builds, so that sheets of a thousand cards draw the one that changed.

It is a cache in a database of SQLite, which several processes may use at once. Each entry has a digest; what is damaged,
or was written by something else, counts as missing and is made anew. Nothing that goes wrong with it stops a build.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from render.base.files import user_folder
from render.base.geometry import Size
from render.pdf.objects import Piece, Shown
from render.scene.items import DrawnFace
from render.text.font_files.font_face import Location, OwnFace

FILE = "kotc-faces-1.sqlite"  # a version that keeps other things gets another number
MOST = 1_000_000_000
"""Bytes that the store takes at most, unless it is told otherwise: faces of some 200,000 cards."""

_DIGEST = 16  # bytes of the SHA-256 before each entry
# Results by which SQLite says that a database cannot be used now, however sound it is.
_NOT_NOW = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
}
_DAY = 86_400  # seconds
_OLD = 90  # days after which what was not used goes
_AT_ONCE = 500  # names in a question: SQLite takes 999 at least
_WAIT = 0.5  # seconds for another process that writes
_TABLES = """
create table if not exists kept (name blob primary key, is_face integer, day integer not null, data blob not null);
create index if not exists by_day on kept (day);
create table if not exists settings (name text primary key, value integer not null) without rowid;
"""


class _Font(Struct, array_like=True):
    face: str
    own: tuple[str, str, str, Location] | None  # name, file, digest and place of a face of a set's own
    glyphs: dict[int, str]


class _Piece(Struct, array_like=True):
    head: bytes
    stream: bytes | None
    parts: list[bytes]
    fonts: list[_Font]
    pictures: tuple[Shown, ...]


class _Face(Struct, array_like=True):
    size: Size
    digest: str
    form: bytes


Entry = TypeVar("Entry", bound=Struct)

IsUnchanged = Callable[[Path, str], bool]
"""Whether a file still has that SHA-256."""


class Store:
    """The store in a folder. No method raises an error of it: what cannot be read is missing, or is not kept.

    Each method opens the database for itself, since a process may fork between two of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._today = int(time.time()) // _DAY

    def find(self, keys: Mapping[str, bytes], is_unchanged: IsUnchanged) -> dict[str, DrawnFace]:
        """Return the faces that are kept by these keys, by the same names, if all that they need is there and right.

        Files of pictures and fonts, which are not kept, must be as they were.
        """
        found: dict[str, DrawnFace] = {}
        if not self._is_there:  # a dry run makes no folder
            return found
        with self._open() as database:
            faces = self._read(database, keys.values(), _Face)
            pieces = self._pieces(database, {face.form for face in faces.values()})
            for name, key in keys.items():
                face = faces.get(key)
                form = pieces.get(face.form) if face else None
                if face and form and all(is_unchanged(*each) for each in _files(form)):
                    found[name] = DrawnFace(face.size, (), form, face.digest)
        return found

    def keep(self, faces: Mapping[bytes, DrawnFace]) -> None:
        """Keep faces by their keys; let go of what was not used for long, and of the oldest if there is too much."""
        rows: dict[bytes, Struct] = {}
        for key, face in faces.items():
            rows[key] = _Face(face.size, face.digest, face.form.name)
            rows.update((each.name, _packed(each)) for each in _within(face.form))
        with self._open() as database:
            statement = "insert or replace into kept values (?, ?, ?, ?)"
            kept = ((name, isinstance(row, _Face), self._today, _sealed(name, row)) for name, row in rows.items())
            database.executemany(statement, kept)
            database.execute("delete from kept where day < ?", (self._today - _OLD,))
            most = _limit(database)
            while _size(database) > most:
                oldest = "delete from kept where name in (select name from kept order by day limit 1000)"
                if not database.execute(oldest).rowcount:
                    break

    def measure(self) -> tuple[int, int, int]:
        """Return how many bytes the store takes, how many it may take, and how many faces it has."""
        if not self._is_there:
            return 0, MOST, 0
        with self._open() as database:
            (count,) = database.execute("select count(*) from kept where is_face").fetchone()
            return _size(database), _limit(database), count
        return 0, MOST, 0

    def set_limit(self, most: int) -> None:
        """Let it take that many bytes at most."""
        with self._open() as database:
            database.execute("insert or replace into settings values ('most', ?)", (most,))

    def clear(self) -> None:
        """Let go of everything but its settings."""
        if not self._is_there:
            return
        with self._open() as database:
            database.execute("delete from kept")
            database.commit()
            database.execute("vacuum")  # which gives the room back to the disk

    @property
    def _is_there(self) -> bool:
        return (self.folder / FILE).exists()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database, in one transaction; one that is damaged is made anew. Errors end the block."""
        for is_last in (False, True):
            try:
                database = _connected(self.folder)
            except (OSError, sqlite3.Error) as error:
                if isinstance(error, OSError) or error.sqlite_errorcode & 0xFF in _NOT_NOW or is_last:
                    database = sqlite3.connect(":memory:")
                    database.executescript(_TABLES)
                    break
                with suppress(OSError):
                    for ending in ("", "-wal", "-shm"):
                        (self.folder / f"{FILE}{ending}").unlink(missing_ok=True)
            else:
                break
        with closing(database), suppress(sqlite3.Error), database:
            yield database

    def _pieces(self, database: sqlite3.Connection, wanted: set[bytes]) -> dict[bytes, Piece]:
        """Read pieces and all that they name; a piece of which anything is missing is missing, too."""
        rows: dict[bytes, _Piece] = {}
        while wanted:
            read = self._read(database, wanted, _Piece)
            rows |= read
            wanted = {part for row in read.values() for part in row.parts} - rows.keys()
        built: dict[bytes, Piece] = {}

        def build(name: bytes) -> Piece | None:
            row = rows.get(name)
            if row and name not in built:
                parts = [build(part) for part in row.parts]
                whole = tuple(part for part in parts if part)
                if len(whole) == len(parts):
                    built[name] = _unpacked(name, row, whole)
            return built.get(name)

        for name in rows:
            build(name)
        return built

    def _read(self, database: sqlite3.Connection, names: Iterable[bytes], kind: type[Entry]) -> dict[bytes, Entry]:
        found: dict[bytes, Entry] = {}
        asked = [*names]
        for start in range(0, len(asked), _AT_ONCE):
            some: list[bytes | int] = [*asked[start : start + _AT_ONCE]]
            marks = ",".join("?" * len(some))
            rows = database.execute(f"select name, data from kept where name in ({marks})", some)
            for name, data in rows.fetchall():
                with suppress(msgspec.MsgspecError, TypeError):
                    if data[:_DIGEST] == _digest(name, data[_DIGEST:]):
                        found[name] = msgspec.msgpack.decode(data[_DIGEST:], type=kind, dec_hook=_path)
            used = f"update kept set day = ? where day < ? and name in ({marks})"
            database.execute(used, [self._today, self._today, *some])
        return found


def store_in(folder: Path | None, sets: Iterable[Path] = ()) -> Store | None:
    """Return the store in a folder, or in that of `KOTC_STORE`, or in the user's own one; None if there can be none.

    None is within the folder of a set: what came with somebody's set is not to be trusted.
    """
    if folder is None:
        user, said = user_folder("cache"), os.environ.get("KOTC_STORE", "")
        folder = Path(said) if said else user / "kotc" if user else None
    if folder is None:
        return None
    real = Path(os.path.realpath(folder))
    return None if any(real.is_relative_to(os.path.realpath(each)) for each in sets) else Store(folder)


def _connected(folder: Path) -> sqlite3.Connection:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = sqlite3.connect(folder / FILE, timeout=_WAIT)
    try:
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = off")  # what a power cut damages is made anew
        database.executescript(_TABLES)
        database.execute("select name, is_face, day, data from kept limit 1").fetchall()
        database.execute("select name, value from settings limit 1").fetchall()
    except BaseException:
        database.close()
        raise
    return database


def _size(database: sqlite3.Connection) -> int:
    asked = (database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
    pages, free, each = asked
    return int((pages - free) * each)


def _limit(database: sqlite3.Connection) -> int:
    row = database.execute("select value from settings where name = 'most'").fetchone()
    return row[0] if row and isinstance(row[0], int) else MOST


# --- entries ----------------------------------------------------------------------------------------------------------


def _digest(name: bytes, data: bytes) -> bytes:
    return hashlib.sha256(name + data).digest()[:_DIGEST]


def _sealed(name: bytes, row: Struct) -> bytes:
    data = msgspec.msgpack.encode(row, enc_hook=str)  # of paths
    return _digest(name, data) + data


def _path(kind: type, value: Any) -> Any:
    return kind(value)


def _within(piece: Piece) -> Iterator[Piece]:
    """Yield a piece and all that it names."""
    yield piece
    for part in piece.parts:
        yield from _within(part)


def _files(piece: Piece) -> Iterator[tuple[Path, str]]:
    """Yield the files that are needed to show a piece, each with its SHA-256."""
    for each in _within(piece):
        yield from ((shown.picture.file, shown.picture.digest) for shown in each.pictures)
        yield from ((face.file, face.digest) for face in each.fonts if isinstance(face, OwnFace))


def _packed(piece: Piece) -> _Piece:
    fonts = [
        _Font(str(face), (face.called, str(face.file), face.digest, face.location), dict(glyphs))
        if isinstance(face, OwnFace)
        else _Font(face, None, dict(glyphs))
        for face, glyphs in piece.fonts.items()
    ]
    return _Piece(piece.head, piece.stream, [part.name for part in piece.parts], fonts, piece.pictures)


def _unpacked(name: bytes, row: _Piece, parts: tuple[Piece, ...]) -> Piece:
    fonts: dict[str, Mapping[int, str]] = {}
    for font in row.fonts:
        called, file, digest, location = font.own or ("", "", "", ())
        fonts[OwnFace(called, Path(file), digest, location) if font.own else font.face] = font.glyphs
    return Piece(name, row.head, row.stream, parts, fonts, row.pictures)
