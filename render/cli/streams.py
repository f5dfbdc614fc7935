"""The standard streams: characters that one cannot show are escaped, and a closed or full one is an ordinary error.

Color is for terminals. These variables of the environment change that, the first that is set to something counts:
`NO_COLOR` takes color away, whatever it says; `FORCE_COLOR` and `CLICOLOR_FORCE` give it to every stream, or, if they
say `0`, take it away or say nothing. `CLICOLOR=0` and `TERM=dumb` take it from terminals. See https://no-color.org,
https://force-color.org and https://bixense.com/clicolors.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple, TextIO

from render.base.interrupts import wait_if_ending
from render.base.progress import wipe

ESCAPED = "kotc-escaped"
"""The error handler of streams: `→` becomes `\\u2192`, a byte of a file name that is not UTF-8 `\\xff`."""


class Unread(Exception):
    """The reader of a stream has closed it."""


def guard() -> None:
    """Let both streams escape what they cannot show, and replace closed ones."""
    # Closed descriptors are opened to the null device, so that no written file gets the number of a standard stream.
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                # Children inherit the standard streams, and would have the same gap.
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    for name, called in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed(called))
        # Other programs may have put an object of their own there, which `write` deals with.
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_escaping())


def write(stream: TextIO, text: str, called: str) -> None:
    """Write and flush a text; OSError, which names the stream as `called`, and Unread."""
    wait_if_ending()
    wipe()
    try:
        if not text.isascii():  # whatever the stream's own error handler does
            encoding = stream.encoding or "utf-8"
            text = text.encode(encoding, _escaping()).decode(encoding)
        stream.write(text)
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


def _escaping() -> str:
    """Return the name of the error handler that escapes; Python knows it from the first time on."""
    codecs.register_error(ESCAPED, _escape)
    return ESCAPED


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    codes = []
    for number in map(ord, error.object[error.start : error.end]):
        if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
            number -= 0xDC00
        codes.append(
            f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
        )
    return "".join(codes), error.end


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


MIN_WIDTH = 20  # columns: in fewer, no word of a message would fit
_UNBOUNDED = 9999  # columns of a stream that no terminal shows
_UNKNOWN = 80  # columns: what terminals have had since the VT100


class Look(NamedTuple):  # what is loaded before Ctrl-C is heard is little
    """How a stream shows text: with color or not, in so many columns; None if it is no terminal."""

    color: bool
    width: int | None


def look_of(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Look:
    """Return how the stream shows text."""
    asked: bool | None = None  # leaves it to the stream
    if environment.get("NO_COLOR"):
        asked = False
    elif force := environment.get("FORCE_COLOR"):
        asked = force.lower() not in ("0", "false")
    elif environment.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        asked = True
    if not _is_terminal(stream):
        return Look(asked is True, None)
    if asked is None:
        asked = environment.get("CLICOLOR") != "0" and environment.get("TERM") != "dumb"
        if asked and sys.platform == "win32":
            import colorama  # which click needs there

            colorama.just_fix_windows_console()  # lets the console read escape sequences
    return Look(asked, _width_of(stream, environment))


def room_of(stream: TextIO) -> int:
    """Return the columns for a table or prose: those of the terminal, in a pipe or file those of COLUMNS, else many."""
    named = os.environ.get("COLUMNS", "")
    if _is_terminal(stream) or (named.isascii() and named.isdigit() and int(named)):
        return _width_of(stream, os.environ)
    return _UNBOUNDED


def _is_terminal(stream: TextIO) -> bool:
    with suppress(OSError, ValueError, AttributeError):  # closed, or an object of another program
        return stream.isatty()
    return False


def _width_of(stream: TextIO, environment: Mapping[str, str]) -> int:
    width = 0
    with suppress(OSError, ValueError, AttributeError):
        width = os.get_terminal_size(stream.fileno()).columns
    if not width:
        named = environment.get("COLUMNS", "")
        width = int(named) if named.isascii() and named.isdigit() else 0
    return max(width or _UNKNOWN, MIN_WIDTH)
