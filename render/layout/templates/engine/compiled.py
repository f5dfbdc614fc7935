"""The code that Jinja2 compiles from templates: cached in memory, and for built-in templates on disk as well.

The disk cache lies where Python keeps the byte code of this program's modules (PEP 3147): in `__pycache__`, or below
`sys.pycache_prefix`; there is none if Python writes no byte code. Whoever could put other code there could change the
modules' own, so it adds no risk. Templates of a set are compiled anew in every run.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections import OrderedDict
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket

from render.base.caches import cached, stored
from render.base.files import replace_file
from render.base.reach import read_bounded
from render.base.resources import TEMPLATES, is_ours

_SEAL = hashlib.sha256().digest_size
_LARGEST = 1 << 20  # bytes of one template's code
_MAX_TEMPLATES = 128  # templates whose code stays in memory: a set has about ten

_COMPILED: OrderedDict[tuple[str, str], CodeType] = stored(
    f"{__name__}.code", OrderedDict()
)  # By key, and by checksum of what the code is made of


class KeptCode(jinja2.BytecodeCache):
    """Caches the code of templates; whatever cannot be read or written is compiled again.

    On disk a seal precedes the code: the SHA-256 of the code and of all that it was made from. So garbage never runs,
    nor does code of another text, other `options` of the environment, another Jinja2 or another Python.
    """

    def __init__(self, options: str) -> None:
        self._made_with = repr((options, str(TEMPLATES), MAGIC_NUMBER))
        self.made_of: dict[str, tuple[str, str]] = {}  # by the template's name: a key for what its code is made of

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the template's name and, on a line of its own, the file for its code if the template is built in."""
        return f"{name}\0{filename}\n{_file_for(name) if is_ours(filename) else ''}"

    def get_source_checksum(self, source: str) -> str:
        """Return the digest of all that the code of a template is made from."""
        return hashlib.sha256(repr((source, self._made_with, _looks_of_jinja2())).encode("utf-8")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fetch the code if it was made from the same text and settings."""
        self.made_of[bucket.key.partition("\0")[0]] = bucket.key, bucket.checksum
        bucket.code = _COMPILED.get((bucket.key, bucket.checksum)) or _read(bucket)
        _remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Cache the code, on disk too if possible."""
        _remember(bucket)
        file = _file_of(bucket)
        if file and not sys.dont_write_bytecode:
            code = marshal.dumps(bucket.code)
            with suppress(OSError):
                replace_file(Path(file), _seal(bucket, code) + code)


def _file_for(name: str) -> str:
    """Return the file for the code of a built-in template; empty if there is no place for it."""
    if not _looks_of_jinja2() or sys.implementation.cache_tag is None:
        return ""
    module = Path(__file__).with_name(f"{name.replace('/', '.')}.py")
    return str(Path(cache_from_source(str(module))).with_suffix(".jinja2"))


def _file_of(bucket: Bucket) -> str:
    return bucket.key.rpartition("\n")[2]


def _read(bucket: Bucket) -> CodeType | None:
    """Return the code that an earlier run wrote, if it was made from the same text and settings."""
    file = _file_of(bucket)
    with suppress(EOFError, ValueError, TypeError):
        kept = (read_bounded(Path(file), _LARGEST) if file else None) or b""
        code = kept[_SEAL:]
        if kept[:_SEAL] == _seal(bucket, code):
            found = marshal.loads(code)  # only behind a valid seal: marshal trusts its input
            return found if isinstance(found, CodeType) else None
    return None


def _remember(bucket: Bucket) -> None:
    """Keep the code in memory; of many templates, those used last."""
    if bucket.code is not None:
        _COMPILED[bucket.key, bucket.checksum] = bucket.code
        _COMPILED.move_to_end((bucket.key, bucket.checksum))
    while len(_COMPILED) > _MAX_TEMPLATES:
        _COMPILED.popitem(last=False)


def _seal(bucket: Bucket, code: bytes) -> bytes:
    return hashlib.sha256(bucket.checksum.encode("ascii") + code).digest()


@cached(None)
def _looks_of_jinja2() -> str:
    """Return sizes and times of Jinja2's modules, by which Python, too, sees that a module was replaced.

    Empty if they are no files.
    """
    folder = Path(jinja2.__file__).parent
    try:
        with os.scandir(folder) as entries:
            modules = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".py"))
    except OSError:
        return ""
    return repr((str(folder), [(name, status.st_size, status.st_mtime_ns) for name, status in modules]))
