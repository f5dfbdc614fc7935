"""Values remembered in files, read strictly: anything that this program does not write is an error, of one kind.

A file has a seal, a digest of its contents, so that damage is noticed however small it is. The seal keeps nobody from
writing such a file, so each value is checked, too.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from render.base.reach import read_bounded

LARGEST = 32 << 20  # bytes: the manifest of 10 000 cards has a fifth of it
_MAX_VALUES = 2_000_000  # each takes up to 100 bytes of memory
_FEW = 1 << 20  # bytes, which cannot hold that many
NUMBER_BOUND = 1 << 64

NOT_EXACT = (KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""The exceptions that reading anything else raises."""

SEAL, NO_SEAL = "<seal>", 64 * "0"

_SEAL_LINE = b'\n"<seal>": "'
_SEALED = re.compile(_SEAL_LINE + b'([0-9a-f]{64})"')
_OF_DIGESTS, _LONGEST_DIGEST = b"0123456789abcdef", 128
_CONTROL = "[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udc7f\udd00-\udfff]"
_NO_PATH = "[\0-\x1f\x7f]"

T = TypeVar("T")


def read_beside(file: Path) -> bytes:
    """Return the bytes of a file beside outputs, whose folder is inside that of all outputs; b"" if it is no file."""
    return read_bounded(file, LARGEST, file.parent.parent) or b""


def sealed(text: str) -> bytes:
    """Return JSON with its seal: it has NO_SEAL as the value of SEAL, on a line of its own."""
    data = text.encode("utf-8", "backslashreplace")  # bytes of names that are not UTF-8, as JSON escapes them
    return data.replace(_seal_line(NO_SEAL.encode("ascii")), _seal_line(_seal(data)), 1)


def is_sealed(data: bytes) -> bool:
    """Return whether a file has a seal that matches its contents."""
    return _has_seal(data) is True


def is_broken(data: bytes) -> bool:
    """Return whether a file has a seal that does not match; files of older programs have none."""
    return _has_seal(data) is False


def _has_seal(data: bytes) -> bool | None:
    found = _SEALED.search(data, max(data.find(_SEAL_LINE), 0))
    if found is None:
        return None
    hasher = hashlib.sha256(data[: found.start(1)])
    hasher.update(NO_SEAL.encode("ascii"))
    hasher.update(data[found.end(1) :])
    return hasher.hexdigest().encode("ascii") == found[1]


def _seal_line(seal: bytes) -> bytes:
    return b'\n"%s": "%s"' % (SEAL.encode("ascii"), seal)


def sealed_line(values: Mapping[str, object]) -> bytes:
    """Return a line of a growing file, with a seal of its own; the line before may have been cut off."""
    data = json.dumps(values).encode("utf-8")
    return b"\n" + _seal(data)[:16] + b" " + data + b"\n"


def sealed_lines(data: bytes) -> Iterable[Mapping[str, Any]]:
    """Yield the contents of the whole lines of such a file."""
    for line in data.split(b"\n"):
        if line[16:17] == b" " and line[:16] == _seal(line[17:])[:16]:
            try:
                value = loaded(line[17:])
            except NOT_EXACT:
                continue
            if isinstance(value, dict):
                yield value


def _seal(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode("ascii")


def loaded(data: bytes) -> Any:
    """Return the values in JSON in UTF-8; ValueError or RecursionError if it is none, or would take much memory."""
    # A short file can hold no more values than bytes, so only long ones are counted.
    if len(data) > _FEW and sum(map(data.count, (b",", b"[", b"{"))) > _MAX_VALUES:
        raise ValueError
    return json.loads(data.decode("utf-8"))


def whole(value: object, least: int = 0) -> int:
    """Return a whole number in the range of counts."""
    if type(value) is not int:
        raise TypeError
    if not least <= value < NUMBER_BOUND:
        raise ValueError
    return value


def length(value: object) -> float:
    """Return a finite number that is not negative."""
    if type(value) not in (int, float):
        raise TypeError
    if not 0 <= value < NUMBER_BOUND:  # type: ignore[operator] # a number, as was seen
        raise ValueError
    return float(value)  # type: ignore[arg-type] # likewise


def word(value: object) -> str:
    """Return a text that can be shown: with line ends, and without other characters that control a terminal."""
    if type(value) is not str:
        raise TypeError
    if not value.isprintable() and re.search(_CONTROL, value):
        raise ValueError
    return value


def digest(value: object) -> str:
    """Return a digest, or the value that stands for none."""
    if type(value) is not str:
        raise TypeError
    digests([value])
    return value


def name(value: object) -> str:
    """Return the name of a file to make or remove: inside the folder, with `/`, and not the folder itself."""
    if type(value) is not str:
        raise TypeError
    names([value])
    return value


def label(value: object) -> str:
    """Return the label of a file to look at from outside (see `inputs`), without `..`."""
    if type(value) is not str:
        raise TypeError
    if not value or "\0" in value or (".." in value and ".." in value.replace(os.sep, "/").split("/")):
        raise ValueError
    os.fsencode(value)
    return value


def label_to_read(value: object) -> str:
    """Return the label of a remembered file to read: inside the folders that `inputs` knows."""
    found = label(value)
    if os.path.isabs(found):  # noqa: PTH117 - a label is no path
        raise ValueError
    return found


def words(values: Iterable[str]) -> None:
    """Check many values as `word` does, all at once: a thousand cards have ten thousand."""
    word("".join(values))


def digests(values: Iterable[str]) -> None:
    """Check many values as `digest` does, all at once."""
    found = [*values]
    joined = "\n".join(found)
    if joined.count("\n") >= max(len(found), 1) or joined.encode("ascii").translate(None, b"\n" + _OF_DIGESTS):
        raise ValueError
    if max(map(len, found), default=0) > _LONGEST_DIGEST:
        raise ValueError


def names(values: Iterable[str]) -> None:
    """Check many values as `name` does, all at once."""
    found = [*values]
    joined = f"/{'/'.join(found)}/"
    if found and any(part in joined for part in ("//", "/./", "/../", "\\", ":")):
        raise ValueError
    if not joined.isprintable() and re.search(_NO_PATH, joined):
        raise ValueError
    os.fsencode(joined)


def labels(values: Iterable[str]) -> None:
    """Check many values as `label` does, all at once."""
    found = [*values]
    joined = "\n".join(found)
    if "" in found or "\0" in joined or ".." in joined:
        found = [label(each) for each in found]
    os.fsencode(joined)


def stamps(values: Iterable[object]) -> None:
    """Check many values as `stamp` does, all at once."""
    rows: list[Any] = [row for row in values if row is not None]
    if not ({*map(type, rows)} <= {list} and {*map(len, rows)} <= {3}):
        raise TypeError
    numbers = [*chain.from_iterable(rows)]
    if not {*map(type, numbers)} <= {int}:
        raise TypeError
    if numbers and not -NUMBER_BOUND <= min(numbers) <= max(numbers) < NUMBER_BOUND:
        raise ValueError


def listed(value: object, each: Callable[[object], T]) -> tuple[T, ...]:
    """Return the values of a list."""
    if type(value) is not list:
        raise TypeError
    return tuple(map(each, value))


def stamp(value: object) -> list[int] | None:
    """Return a stamp of a file; None for a missing one."""
    if value is None:
        return None
    size, changed, number = listed(value, _any_whole)
    return [size, changed, number]


def _any_whole(value: object) -> int:
    return whole(value, -NUMBER_BOUND)
