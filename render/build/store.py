"""The store: what was read and drawn before, so that of a thousand cards only the one that changed is read and drawn.

It has finished faces and pages, packed pictures (`pdf/pictures`), cards as bytes, and that nothing was found in them
(`game/known_cards`).

It is a cache in a database of SQLite, which several processes may use at once. Each entry has a digest; what is damaged,
or was written by something else, counts as missing and is made anew. Nothing that goes wrong with it stops a build.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec
from msgspec import Struct

from render.base.caches import BoundedCache
from render.base.files import user_folder
from render.base.geometry import Size
from render.base.resources import FONTS
from render.build.inputs import program_stamp
from render.game.known_cards import stamps
from render.pdf.spool import Spool, unpacked
from render.scene.items import DrawnFace

try:
    import sqlite3
except ImportError:  # a Python that was compiled without SQLite, which has no store
    HAS_SQLITE = False
else:
    HAS_SQLITE = True

FILE = "kotc-faces-2.sqlite"  # a version that keeps other things gets another number
MOST = 1_000_000_000
"""Bytes that the store takes at most, unless it is told otherwise: faces and pages of some 100,000 cards, or 3,000 pictures."""

_DIGEST = 16  # bytes of the SHA-256 before each entry
# Names of results by which SQLite says that a database cannot be used now, however sound it is.
_NOT_NOW = ("BUSY", "LOCKED", "CANTOPEN", "READONLY", "PERM", "FULL", "IOERR")
_DAY = 86_400  # seconds
_OLD = 90  # days after which what was not used goes
_DEEPEST = 200  # pieces within each other: what lies deeper is drawn each time
_AT_ONCE = 500  # names in a question: SQLite takes 999 at least
_WAIT = 0.5  # seconds for another process that writes
_TABLES = """
create table if not exists kept (name blob primary key, is_face integer, day integer not null, data blob not null);
create index if not exists by_day on kept (day);
create table if not exists settings (name text primary key, value integer not null) without rowid;
"""


class Finished(Struct, frozen=True):
    """Something that was drawn: the name of its piece among those of a spool, and what else is to be known of it.

    `own` are the names of pieces that hardly anything else has, which are kept together.
    """

    spool: Spool
    name: bytes
    said: bytes
    own: Collection[bytes] = ()


class _Row(Struct, array_like=True):
    """What is kept of it, with its own pieces. All others are by their names."""

    said: bytes
    name: bytes
    own: dict[bytes, bytes]


class _Said(Struct, array_like=True):
    """Of a face, its size and digest."""

    size: Size
    digest: str


_Needs = tuple[tuple[bytes, ...], tuple[tuple[str, str], ...]]
"""The names of the pieces that one names, and the files that it needs, each with its SHA-256."""

Name = TypeVar("Name", bound=Hashable)

IsUnchanged = Callable[[Path, str], bool]
"""Whether a file still has that SHA-256."""


class Store:
    """The store in a folder. No method raises an error of it: what cannot be read is missing, or is not kept.

    Each method opens the database for itself, since a process may fork between two of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._today = int(time.time()) // _DAY

    def find_faces(self, keys: Mapping[Name, bytes], spool: Spool, is_unchanged: IsUnchanged) -> dict[Name, DrawnFace]:
        """Return the faces that are kept by these keys, as `find` does."""
        faces: dict[Name, DrawnFace] = {}
        for name, (form, said) in self.find(keys, spool, is_unchanged).items():
            with suppress(msgspec.MsgspecError):
                face = msgspec.msgpack.decode(said, type=_Said)
                faces[name] = DrawnFace(face.size, (), form=(spool, form), digest=face.digest)
        return faces

    def keep_faces(self, faces: Mapping[bytes, DrawnFace]) -> None:
        """Keep faces by their keys."""
        self._keep(_rows_of(((key, _finished(face)) for key, face in faces.items()), are_faces=True))

    def find(
        self,
        keys: Mapping[Name, bytes],
        spool: Spool,
        is_unchanged: IsUnchanged,
        said: Mapping[bytes, bytes] = MappingProxyType({}),
    ) -> dict[Name, tuple[bytes, bytes]]:
        """Return the names of the pieces that are kept by these keys, if all that they need is there and right.

        They come with what else was to be known of them, which must be what is `said` by their keys, if anything is. They
        go into the spool. Files of pictures and fonts, which are not kept, must be as they were.
        """
        found: dict[Name, tuple[bytes, bytes]] = {}
        if not self._is_there:  # a dry run makes no folder
            return found
        is_right = cache(lambda file: is_unchanged(Path(file[0]), file[1]))
        with self._open() as database:
            rows: dict[bytes, tuple[bytes, bytes]] = {}
            pieces: dict[bytes, _Needs] = {}
            asked = [*keys.values()]
            for start in range(0, len(asked), _AT_ONCE):  # so that few of them are in memory
                for key, data in self._read(database, asked[start : start + _AT_ONCE]).items():
                    with suppress(msgspec.MsgspecError):
                        row = _ROWS.decode(data)
                        if said.get(key, row.said) == row.said:
                            rows[key] = row.name, row.said
                            _put_pieces(row.own, spool, pieces)
            self._read_pieces(database, {name for name, _ in rows.values()}, spool, pieces)
            known: dict[bytes, bool] = {}

            def is_whole(name: bytes) -> bool:
                if name not in known:
                    parts, files = pieces.get(name, ((), None))
                    known[name] = files is not None and all(map(is_right, files)) and all(map(is_whole, parts))
                return known[name]

            for name, key in keys.items():
                if key in rows and is_whole(rows[key][0]):
                    found[name] = rows[key]
        return found

    def _read_pieces(
        self, database: sqlite3.Connection, names: set[bytes], spool: Spool, found: dict[bytes, _Needs]
    ) -> None:
        """Put pieces, and those that they name, into the spool, unless they are found; note what each needs.

        The name of a piece is a digest of it: so none names itself, whoever wrote it.
        """
        for _ in range(_DEEPEST):
            asked = sorted(names - found.keys())
            for start in range(0, len(asked), _AT_ONCE):
                _put_pieces(self._read(database, asked[start : start + _AT_ONCE]), spool, found)
            names = {part for name in names & found.keys() for part in found[name][0]}

    def keep(self, drawn: Mapping[bytes, Finished]) -> None:
        """Keep what was drawn by its keys; let go of what was not used for long, and of the oldest if there is too much."""
        self._keep(_rows_of(drawn.items()))

    def _keep(self, rows: Iterable[tuple[bytes, bool, bytes]]) -> None:
        with self._open() as database:
            statement = "insert or replace into kept values (?, ?, ?, ?)"
            kept = ((name, is_face, self._today, _digest(name, data) + data) for name, is_face, data in rows)
            database.executemany(statement, kept)
            database.execute("delete from kept where day < ?", (self._today - _OLD,))
            most = _limit(database)
            while _size(database) > most:
                oldest = "delete from kept where name in (select name from kept order by day limit 100)"
                if not database.execute(oldest).rowcount:
                    break

    def rows(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        """Return what is kept by these keys and is right."""
        if not self._is_there or not keys:
            return {}
        with self._open() as database:
            return self._read(database, keys)
        return {}

    def keep_rows(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep bytes by their keys."""
        self._keep((key, False, data) for key, data in rows.items())

    @cached_property
    def program(self) -> bytes:
        """The stamps of the program and its fonts, as they were when somebody first asked."""
        return repr((program_stamp(), stamps((FONTS,), ()))).encode()

    def memory(self) -> ProgramMemory:
        """Return what this program and its fonts remember."""
        return ProgramMemory(self)

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

    def is_outside(self, sets: Iterable[Path]) -> bool:
        """Return whether it lies in none of these folders of sets: what came with somebody's set is not to be trusted."""
        real = Path(os.path.realpath(self.folder))
        return not any(real.is_relative_to(os.path.realpath(each)) for each in sets)

    @property
    def _is_there(self) -> bool:
        return os.path.exists(self.folder / FILE)  # noqa: PTH110 - Path.exists raises of a folder that may not be searched

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database, in one transaction; one that is damaged is made anew. Errors end the block."""
        for is_last in (False, True):
            try:
                database = _connected(self.folder)
            except (OSError, sqlite3.Error) as error:
                if isinstance(error, OSError) or is_last or error.sqlite_errorname.split("_")[1] in _NOT_NOW:
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

    def _read(self, database: sqlite3.Connection, names: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is kept by these names and is right, and note that it was used."""
        found: dict[bytes, bytes] = {}
        asked = [*names]
        for start in range(0, len(asked), _AT_ONCE):
            some: list[bytes | int] = [*asked[start : start + _AT_ONCE]]
            marks = ",".join("?" * len(some))
            rows = database.execute(f"select name, day, data from kept where name in ({marks})", some).fetchall()
            for name, _, data in rows:
                with suppress(TypeError):  # something else was written there
                    if data[:_DIGEST] == _digest(name, memoryview(data)[_DIGEST:]):
                        found[name] = data[_DIGEST:]
            if any(day != self._today for _, day, _ in rows):
                used = f"update kept set day = ? where day < ? and name in ({marks})"
                database.execute(used, [self._today, self._today, *some])
        return found


class ProgramMemory:
    """What a store remembers for this program and its fonts alone."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        """Return what is kept by these keys."""
        asked = {self._key(key): key for key in keys}
        return {asked[key]: row for key, row in self._store.rows(asked.keys()).items()}

    def keep(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep bytes by their keys."""
        self._store.keep_rows({self._key(key): row for key, row in rows.items()})

    def _key(self, key: bytes) -> bytes:
        named = self._program.copy()  # which takes a fifth of the time of one of all these stamps
        named.update(key)
        return named.digest()

    @cached_property
    def _program(self) -> hashlib._Hash:
        return hashlib.sha256(self._store.program)


class RecentMemory:
    """What a program that runs for long remembers: rows that it used last, before those of the user's own store.

    The store is that of the program as it was at first: it may be replaced by a newer one at any time.
    """

    def __init__(self) -> None:
        self._store = store_in(None)
        self._kept = self._store.memory() if self._store else None
        self._rows = BoundedCache[bytes](_RECENT, lambda row: len(row) + _OF_A_KEY)
        self._is_open = False

    def open_for(self, sets: Iterable[Path], *, is_saved: bool = True) -> RecentMemory:
        """Use the store from now on if it lies in none of these folders, and what cards depend on `is_saved`."""
        self._is_open = is_saved and self._store is not None and self._store.is_outside(sets)
        return self

    def find(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        """Return what is kept by these keys."""
        found = {key: row for key in keys if (row := self._rows.find(key)) is not None}
        if self._kept and self._is_open and len(found) < len(keys):
            more = self._kept.find([key for key in keys if key not in found])
            found |= {key: self._rows.put(key, row) for key, row in more.items()}
        return found

    def keep(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep bytes by their keys."""
        for key, row in rows.items():
            self._rows.put(key, row)
        if self._kept and self._is_open:
            self._kept.keep(rows)


_RECENT = 16_000_000  # bytes of rows: those of ten card files of the largest size
_OF_A_KEY = 100  # bytes


def store_in(folder: Path | None, sets: Iterable[Path] = ()) -> Store | None:
    """Return the store in a folder, or in that of `KOTC_STORE`, or in the user's own one; None if there can be none.

    None is within the folder of a set.
    """
    folder = folder_of_store(folder)
    if folder is None or not HAS_SQLITE:
        return None
    store = Store(folder)
    return store if store.is_outside(sets) else None


def folder_of_store(folder: Path | None = None) -> Path | None:
    """Return the folder of the store, as `store_in` finds it."""
    if folder:
        return folder
    user, said = user_folder("cache"), os.environ.get("KOTC_STORE", "")
    return Path(said) if said else user / "kotc" if user else None


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


def _digest(name: bytes, data: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(name)
    digest.update(data)
    return digest.digest()[:_DIGEST]


def _put_pieces(packed: Mapping[bytes, bytes], spool: Spool, found: dict[bytes, _Needs]) -> None:
    for name, data in packed.items():
        if name not in found and (piece := unpacked(name, data)):
            spool.put(name, data)
            found[name] = piece.parts, (*piece.files,)


def _finished(face: DrawnFace) -> Finished:
    spool, form = face.form
    said = msgspec.msgpack.encode(_Said(face.size, face.digest))
    return Finished(spool, form, said, (form,))


def _rows_of(
    drawn: Iterable[tuple[bytes, Finished]], *, are_faces: bool = False
) -> Iterator[tuple[bytes, bool, bytes]]:
    """Yield what is kept, and each piece that is not the own one of anything once: names, whether faces, and bytes."""
    kept: set[bytes] = set()
    for key, each in drawn:
        own: dict[bytes, bytes] = {}
        waiting = [each.name]
        for name in waiting:
            if name in own or name in kept:
                continue
            piece, data = each.spool.piece(name), each.spool.data(name)
            if name in each.own or piece.stream is None:  # such as what a form names: short, and seldom the same
                own[name] = data
            else:
                kept.add(name)
                yield name, False, data
            waiting += [part.name for part in piece.parts]
        yield key, are_faces, msgspec.msgpack.encode(_Row(each.said, each.name, own))


_ROWS = msgspec.msgpack.Decoder(_Row)
