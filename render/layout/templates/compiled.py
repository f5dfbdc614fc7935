"""The code that Jinja2 makes of templates, kept while the program runs, and that of our own for the next run.

That is kept where Python keeps the byte code of the program's own modules (PEP 3147): in `__pycache__`, or below
`sys.pycache_prefix`, and not at all if Python is to write none. Who could put other code there could put it into the
modules, too; so nobody gains anything by it. Templates of a set are compiled anew in every run.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections import OrderedDict
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket

from render.base.files import replace_file
from render.base.reach import content
from render.base.resources import TEMPLATES, is_ours

_SEAL = hashlib.sha256().digest_size
_LARGEST = 1 << 20  # bytes of the code of a template
_MAX_TEMPLATES = 128  # templates whose code is kept while the program runs: a set has about ten

_COMPILED: OrderedDict[tuple[str, str], CodeType] = OrderedDict()  # by what they are called and made of


class KeptCode(jinja2.BytecodeCache):
    """Keeps the code of templates; what cannot be read or written is compiled anew.

    The code of a template of ours stands behind a seal: the SHA-256 of it and of all that it was made of. So garbage is
    never run, and neither is code of other words, other `options` of the environment, another Jinja2 or another Python.
    """

    def __init__(self, options: str) -> None:
        self._made_with = repr((options, str(TEMPLATES), MAGIC_NUMBER))

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return what the template is called and, in a line of its own, the file for its code if it is ours."""
        return f"{name}\0{filename}\n{_file_for(name) if is_ours(filename) else ''}"

    def get_source_checksum(self, source: str) -> str:
        """Return the digest of what the code of a template is made of."""
        return hashlib.sha256(repr((source, self._made_with, _looks_of_jinja2())).encode("utf-8")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fetch the code, if there is some that was made of the same."""
        bucket.code = _COMPILED.get((bucket.key, bucket.checksum)) or _read(bucket)
        _remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code, for the next run if that can be done."""
        _remember(bucket)
        file = _file_of(bucket)
        if file and not sys.dont_write_bytecode:
            code = marshal.dumps(bucket.code)
            with suppress(OSError):
                replace_file(Path(file), _seal(bucket, code) + code)


def _file_for(name: str) -> str:
    """Return where the code of a template of ours is kept; empty if there is no place for it."""
    if not _looks_of_jinja2() or sys.implementation.cache_tag is None:
        return ""
    module = Path(__file__).with_name(f"{name.replace('/', '.')}.py")
    return str(Path(cache_from_source(str(module))).with_suffix(".jinja2"))


def _file_of(bucket: Bucket) -> str:
    return bucket.key.rpartition("\n")[2]


def _read(bucket: Bucket) -> CodeType | None:
    """Return the code that the last run kept, if it was made of the same."""
    file = _file_of(bucket)
    with suppress(EOFError, ValueError, TypeError):
        kept = (content(Path(file), _LARGEST) if file else None) or b""
        code = kept[_SEAL:]
        if kept[:_SEAL] == _seal(bucket, code):
            found = marshal.loads(code)
            return found if isinstance(found, CodeType) else None
    return None


def _remember(bucket: Bucket) -> None:
    """Keep the code while the program runs; of many, that which came last."""
    if bucket.code is not None:
        _COMPILED[bucket.key, bucket.checksum] = bucket.code
        _COMPILED.move_to_end((bucket.key, bucket.checksum))
    while len(_COMPILED) > _MAX_TEMPLATES:
        _COMPILED.popitem(last=False)


def _seal(bucket: Bucket, code: bytes) -> bytes:
    return hashlib.sha256(bucket.checksum.encode("ascii") + code).digest()


@cache
def _looks_of_jinja2() -> str:
    """Return how the modules of Jinja2 look from outside, by which Python, too, tells whether one was replaced.

    Empty if they are no files.
    """
    folder = Path(jinja2.__file__).parent
    try:
        with os.scandir(folder) as entries:
            modules = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".py"))
    except OSError:
        return ""
    return repr((str(folder), [(name, status.st_size, status.st_mtime_ns) for name, status in modules]))
