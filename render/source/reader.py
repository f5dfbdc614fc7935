"""Read a YAML file into nodes: the whole of it, or what its mistakes leave alone."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from pathlib import Path

from render.base.files import permission_hint
from render.base.findings import Diagnostic, Refused, Span
from render.base.limits import FILE_FINDINGS, YAML_FILE
from render.base.reach import describe_escape, open_real, real_path, unsaved_content
from render.source.building import REPLACEMENT, UNPRINTABLE, NodeBuilder
from render.source.items import KnownItems, read_by_items
from render.source.nodes import BOM, Document, Node, span

_ITEMS: ContextVar[KnownItems | None] = ContextVar("items", default=None)


@contextmanager
def remembering(items: KnownItems) -> Iterator[None]:
    """Let files, in this thread and until the block ends, be read by their items, and only those that are not known."""
    token = _ITEMS.set(items)
    try:
        yield
    finally:
        _ITEMS.reset(token)


# --- files ------------------------------------------------------------------------------------------------------------


def read(file: Path, home: Path | None = None) -> Document:
    """Read a YAML file; Refused with all findings if it cannot be read or holds what a card file must not.

    `home` is the folder of the set that the file belongs to: a link that leads out of it is refused.
    """
    return parse(_decoded(file, read_bytes(file, home=home)), file)


def read_text(file: Path, home: Path | None = None) -> str:
    """Return the text of a YAML file, with byte order mark and line ends; Refused as in `read`."""
    return _decoded(file, read_bytes(file, home=home))


def read_as(text: str, file: Path) -> Document:
    """Read a text as if it were in the file; Refused as in `read`."""
    _check_size(text.encode("utf-8", "surrogatepass"), file)
    return parse(text, file)


def parse(text: str, file: Path) -> Document:
    """Turn the text of a file into nodes; Refused with all findings."""
    document, findings = parse_partly(text, file)
    if findings or document is None:
        raise Refused(findings)
    return document


def read_partly(file: Path, home: Path | None = None) -> tuple[Document | None, list[Diagnostic]]:
    """Return what can be read of a YAML file, None if that is nothing, and everything that is wrong with it.

    `home` is as in `read`.
    """
    try:
        content = read_bytes(file, home=home)
    except Refused as refused:
        return None, [*refused.findings]
    try:
        return parse_partly(_decoded(file, content), file)
    except Refused as refused:
        text = _guessed(content)
        document, findings = parse_partly(text, file) if text else (None, [])
        return document, [*refused.findings, *findings]


def read_as_partly(text: str, file: Path) -> tuple[Document | None, list[Diagnostic]]:
    """Return what can be read of a text as if it were in the file, and everything that is wrong with it."""
    try:
        _check_size(text.encode("utf-8", "surrogatepass"), file)
    except Refused as refused:
        return None, [*refused.findings]
    return parse_partly(text, file)


def parse_partly(text: str, file: Path) -> tuple[Document | None, list[Diagnostic]]:
    """Return the nodes of what can be read of a text, and everything that is wrong with it."""
    if "\0" in text:
        at = text.index("\0")
        hint = "save what you wrote as text in UTF-8; documents of word processors and pictures are none"
        return None, [Diagnostic("Y005", "the file is no text", hint).at(span(file, text, (at, at + 1)))]
    begin = 1 if text.startswith(BOM) else 0
    findings = [
        Diagnostic("Y005", f"the character U+{ord(char[0]):04X} cannot be printed", "remove it").at(
            span(file, text, char.span())
        )
        for char in islice(UNPRINTABLE.finditer(text, begin), FILE_FINDINGS.most)
    ]
    if len(findings) == FILE_FINDINGS.most:  # a picture, perhaps
        return None, findings
    if findings:
        text = text[:begin] + UNPRINTABLE.sub(REPLACEMENT, text[begin:])
    items = _ITEMS.get()
    root, found = (items is not None and read_by_items(file, text, items)) or _read_whole(file, text)
    return (None if root is None else Document(file, text, root)), [*findings, *found]


def _read_whole(file: Path, text: str) -> tuple[Node | None, list[Diagnostic]]:
    builder = NodeBuilder(file, text)
    root = builder.document()
    if builder.stopped:
        from render.source.recovery import recover

        recovered, wrong = recover(file, text)
        return (recovered, wrong) if wrong else (root, builder.findings)
    return root, builder.findings


def read_bytes(file: Path, largest: int = YAML_FILE.most, home: Path | None = None) -> bytes:
    """Return the bytes of a regular file of at most `largest` bytes; Refused for anything else, without waiting.

    `home` is as in `read`.
    """
    path = real_path(file, home) if home else None
    if home and path is None:
        hint = "copy the file into the set"
        raise _refused("Y018", file, f"`{file}` {describe_escape(file, 'the set')}", hint)
    unsaved = unsaved_content(file)
    if unsaved is not None:
        _check_size(unsaved, file, largest)
        return unsaved
    # Without O_NONBLOCK, opening a pipe that nobody writes to waits forever. Windows has neither flag nor such pipes.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        if file.is_dir():
            raise _refused("Y002", file, f"`{file}` is a folder, not a file")
        with os.fdopen(open_real(path) if path else os.open(file, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise _refused("Y002", file, f"`{file}` is not a regular file")
            content = stream.read(largest + 1)  # one byte more than allowed tells that there is more
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused("Y001", file, f"cannot read `{file}`: {reason.lower()}", permission_hint(error, file)) from None
    _check_size(content, file, largest)
    return content


def _check_size(content: bytes, file: Path, largest: int = YAML_FILE.most) -> None:
    if len(content) > largest:
        raise _refused("Y003", file, f"the file is larger than {largest >> 20} MiB", "split it into several files")


# --- characters -----------------------------------------------------------------------------------------------------


def _decoded(file: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        place = span(file, before + "\ufffd", (len(before), len(before) + 1))
        message = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        raise Refused([Diagnostic("Y004", message, "save the file as UTF-8").at(place)]) from None


def _guessed(content: bytes) -> str:
    """Return the text of a file that is not UTF-8, read as editors of Windows write it; "" if it is no text at all."""
    if b"\0" in content:
        return ""
    text = content.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda byte: bytes([ord(byte[0]) - 0xDC00]).decode("cp1252", "replace"), text)


def _refused(code: str, file: Path, message: str, hint: str = "") -> Refused:
    return Refused([Diagnostic(code, message, hint).at(Span(file=file))])
