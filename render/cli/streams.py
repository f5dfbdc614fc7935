"""The standard streams: characters that one cannot show are escaped, and a closed or full one is an ordinary error."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

ESCAPED = "kotc-escaped"
"""The error handler of streams: `→` becomes `\\u2192`, a byte of a file name that is not UTF-8 `\\xff`."""


class Unread(Exception):
    """The reader of a stream has closed it."""


def guard() -> None:
    """Let both streams escape what they cannot show, and replace closed ones."""
    _occupy()
    for name, called in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed(called))
        # Other programs may have put an object of their own there, which `write` deals with.
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_escaping())


def write(stream: TextIO, text: str, called: str) -> None:
    """Write and flush a text; OSError, which names the stream as `called`, and Unread."""
    try:
        stream.write(_shown(text, stream))
        # At the end of the process, Python would report an error in its own way, with status 120 (`sys.exit`).
        stream.flush()
    except BrokenPipeError:
        let_go(stream)
        raise Unread from None
    except OSError as error:
        let_go(stream)
        raise OSError(error.errno, error.strerror or str(error), called) from None


def let_go(*streams: TextIO) -> None:
    """Let streams swallow what they still hold, so that nothing is printed about them when the process ends."""
    for stream in streams:
        with suppress(OSError, ValueError):
            # As Python's documentation of `signal` says in its note on SIGPIPE: closing the stream would flush it once
            # more.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(nowhere, stream.fileno())
            finally:
                os.close(nowhere)


def last_word(text: str) -> None:
    """Print why the command ends, if that is still possible."""
    with suppress(OSError, Unread):
        write(sys.stderr, f"{text}\n", "standard error")


def is_utf8(stream: TextIO) -> bool:
    """Return whether a stream can show every character."""
    with suppress(LookupError):
        return codecs.lookup(stream.encoding or "utf-8").name == "utf-8"
    return False


def _shown(text: str, stream: TextIO) -> str:
    """Return the text with everything escaped that the stream cannot show, whatever its own error handler."""
    if text.isascii():
        return text
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, _escaping()).decode(encoding)


def _escaping() -> str:
    """Return the name of the error handler that escapes; Python knows it from the first time on."""
    codecs.register_error(ESCAPED, _escape)
    return ESCAPED


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_code, error.object[error.start : error.end])), error.end


def _code(char: str) -> str:
    number = ord(char)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{number - 0xDC00:02x}"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _occupy() -> None:
    """Open closed descriptors to the null device, so that no written file gets the number of a standard stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                # Children inherit the standard streams, and would have the same gap.
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


class _Closed(io.TextIOBase):
    """Stands for a stream that was closed before the program began."""

    encoding = "utf-8"
    errors = ESCAPED

    def __init__(self, called: str) -> None:
        self._called = called

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError  # as all text streams do; click recognizes them by it
        if text:
            raise OSError(errno.EBADF, "it is closed", self._called)
        return 0

    def writable(self) -> bool:
        return True
