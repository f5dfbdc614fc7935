"""Outputs at addresses, such as `s3://bucket/cards`: all that knows fsspec, which knows the protocols.

A store shows a file whole or not at all. One that shows what an upload has sent so far gets it under another name first;
several files of one job then take their names one after the other.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from render.base.progress import stage
from render.base.reach import name_on_its_way

# Stores in which an upload can be seen once it is complete, and files cannot be renamed, but only copied.
_WHOLE = frozenset({"abfs", "abfss", "az", "gcs", "gs", "oci", "oss", "s3", "s3a", "tos"})

_PROTOCOL = re.compile(r"[A-Za-z][\w+.-]+(?:::\w+)*://")
_SECRETS = re.compile(r"(?:[^/]*//[^/@:]*:(.*)@)?[^?]*(?:\?(.+))?", re.DOTALL)


class Address(Struct, frozen=True):
    """The URL of a file or a folder elsewhere, with what paths have. Its text has neither password nor query."""

    url: str

    def __str__(self) -> str:
        return self.without_secrets(self.url)

    def without_secrets(self, words: str) -> str:
        """Return words without what is secret in the URL: its password, and what is behind `?`, which may be a token."""
        password, query = _SECRETS.match(self.url).groups()  # type: ignore[union-attr] # it always matches
        for mark, secret in ((":", password), ("?", query)):
            words = words.replace(f"{mark}{secret}", f"{mark}…") if secret else words
        return words

    def __truediv__(self, name: str) -> Address:
        start = _PROTOCOL.match(self.url)
        before = self.url[: start.end()] if start else ""
        folder = self.url.removeprefix(before)
        return Address(f"{before}{folder.rstrip('/')}/{name}" if folder else f"{before}{name}")

    @property
    def name(self) -> str:
        return PurePosixPath(self.url).name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.url).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.url).suffix

    def with_name(self, name: str) -> Address:
        return Address(self.url[: self.url.rindex(self.name)] + name)

    @property
    def is_of_process(self) -> bool:
        """Whether other processes do not see what this one writes there."""
        return self.url.startswith("memory:")


Place: TypeAlias = "Path | Address"
"""Where an output goes."""

Named = TypeVar("Named", Path, Address)
Where = TypeVar("Where", Path, Address, Place)
"""A place that is known to be a path or an address, or is not."""


def read_place(text: str) -> Place:
    """Return what a user names as a place: `file://` is a path like any other."""
    if not _PROTOCOL.match(text):
        return Path(text)
    if not text.startswith("file://"):
        return Address(text)
    from urllib.request import url2pathname  # which imports all of HTTP

    return Path(url2pathname(urlsplit(text).path))


def given_place(place: Named | str) -> Named:
    """Return the place that a program gives, a text as a path; ValueError for a URL that is no `Address`."""
    if not isinstance(place, str):
        return place
    path = read_place(place)
    if isinstance(path, Address):
        raise ValueError(f"write `render.Address({place!r})` for an address")
    return path  # type: ignore[return-value] # mypy tries both kinds of places


def check_reachable(place: Place | None) -> None:
    """Try whether something answers at an address, before work is done in vain; OSError."""
    if isinstance(place, Address):
        with _store(place) as (store, path), suppress(PermissionError):  # an account may have the right only to write
            store.exists(path)


def write_far(files: Sequence[tuple[Address, Callable[[], bytes | Iterable[bytes]]]]) -> None:
    """Write files to addresses, once all of them are made; OSError names one of them.

    What has taken its name by then stays, and what waits beside it under another name is removed.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        made = []
        for number, (address, data) in enumerate(files):
            waiting, contents = Path(folder, str(number)), data()
            with waiting.open("wb") as stream:
                for part in (contents,) if isinstance(contents, bytes) else contents:
                    stream.write(part)
            made.append((address, str(waiting)))
        uploads = [_Upload(address, file) for address, file in made]
        try:
            for upload in uploads:
                upload.send()
            for upload in uploads:
                upload.take_name()
        except BaseException:
            for upload in uploads:
                upload.undo()
            raise


def put_far(file: Address, data: bytes) -> None:
    """Write a small file of the program's own under its name at once; OSError, for some stores also if its folder is missing."""
    with _store(file) as (store, path):
        store.pipe_file(path, data)


def read_far(file: Address) -> bytes:
    """Return the bytes of a file, b"" if it is not there; OSError."""
    with _store(file) as (store, path), suppress(FileNotFoundError):
        return bytes(store.cat_file(path))
    return b""


def digest_far(file: Address) -> str:
    """Return the SHA-256 of a file, "" if it is not there; OSError."""
    with _store(file) as (store, path), suppress(FileNotFoundError), store.open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""


def sizes_far(folder: Address) -> dict[str, int]:
    """Return the sizes in bytes of all files in a folder and below, by their names from there on; OSError."""
    with _store(folder) as (store, path), suppress(FileNotFoundError):
        store.invalidate_cache()
        start = f"{path.rstrip('/')}/"
        return {name.removeprefix(start): each["size"] for name, each in store.find(path, detail=True).items()}
    return {}


def send_far(files: Sequence[tuple[Address, Path]]) -> None:
    """Write files of this machine to addresses, several at a time; OSError names one, others may be there by then."""
    from concurrent.futures import ThreadPoolExecutor

    def send(file: tuple[Address, Path]) -> None:
        upload = _Upload(file[0], str(file[1]))
        try:
            upload.send()
            upload.take_name()
        except BaseException:
            upload.undo()
            raise

    pool = ThreadPoolExecutor(_AT_A_TIME)  # fsspec gives each thread a connection of its own
    try:
        with stage("upload", len(files), "files") as step:
            for _ in pool.map(send, files):
                step()
    finally:
        pool.shutdown(cancel_futures=True)


_AT_A_TIME = 8  # uploads, most of which wait for an answer


def remove_far(file: Address) -> None:
    """Remove a file; OSError."""
    with _store(file) as (store, path):
        store.rm_file(path)


class _Upload:
    """One file on its way to an address."""

    def __init__(self, address: Address, file: str) -> None:
        self._address, self._file, self._new = address, file, ""

    def send(self) -> None:
        with _store(self._address) as (store, path):
            if not _WHOLE.intersection([store.protocol] if isinstance(store.protocol, str) else store.protocol):
                folder, _, name = path.rpartition("/")
                if store.isdir(path):  # some would move the file into it
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                store.makedirs(folder, exist_ok=True)
                self._new = f"{folder}/{name_on_its_way(name)}"
                store.put_file(self._file, self._new)

    def take_name(self) -> None:
        with _store(self._address) as (store, path):
            if self._new:
                _rename(store, self._new, path)
                self._new = ""
            else:
                store.put_file(self._file, path)

    def undo(self) -> None:
        """Remove what waits for its name. Errors here must not hide the error that led here."""
        with suppress(OSError), _store(self._address) as (store, _):
            if self._new:
                store.rm_file(self._new)


def _rename(store: Any, old: str, new: str) -> None:
    """Rename a file, whose name may have `*` or `[`: where fsspec itself renames, it takes that for a pattern."""
    from fsspec import AbstractFileSystem

    if type(store).mv is not AbstractFileSystem.mv:
        store.mv(old, new)
    else:
        store.cp_file(old, new)
        store.rm_file(old)


@contextmanager
def _store(address: Address) -> Iterator[tuple[Any, str]]:
    """Give the store of an address, and its path there; OSError names the address, whatever goes wrong."""
    try:
        try:
            from fsspec.core import url_to_fs
        except ModuleNotFoundError:
            raise OSError(None, "addresses need the package `fsspec`: pip install 'kotc[url]'") from None
        yield url_to_fs(address.url)
    except Exception as error:  # of any kind: each protocol has its own
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if isinstance(error, ImportError):
            words = f"its protocol needs another package: {words}"
        raise OSError(None, " ".join(address.without_secrets(words).split()), str(address)) from error
