"""What standard streams can show: whether in color, and in how many columns. This module alone decides it.

Color is for terminals. These variables of the environment change that, the first that is set to something counts:
`NO_COLOR` takes color away, whatever it says; `FORCE_COLOR` and `CLICOLOR_FORCE` give it to every stream, or, if they
say `0`, take it away or say nothing. `CLICOLOR=0` and `TERM=dumb` take it from terminals. See https://no-color.org,
https://force-color.org and https://bixense.com/clicolors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

MIN_WIDTH = 20  # columns: in fewer, no word of a message would fit
_UNBOUNDED = 9999  # columns of a stream that no terminal shows
_UNKNOWN = 80  # columns: what terminals have had since the VT100


@dataclass(frozen=True, slots=True)
class StreamLook:
    """How a stream shows text: with color or not, in so many columns; None if it is no terminal."""

    color: bool
    width: int | None


PLAIN = StreamLook(color=False, width=None)


def look_of(stream: TextIO, environment: Mapping[str, str] = os.environ) -> StreamLook:
    """Return how the stream shows text."""
    if not _is_terminal(stream):
        return StreamLook(_asked_for(environment) is True, None)
    asked = _asked_for(environment)
    color = asked if asked is not None else _takes_color(stream, environment)
    return StreamLook(color, _width_of(stream, environment))


def _asked_for(environment: Mapping[str, str]) -> bool | None:
    """Return whether every stream is to have color, or none; None leaves it to the stream."""
    if environment.get("NO_COLOR"):
        return False
    force = environment.get("FORCE_COLOR")
    if force:
        return force.lower() not in ("0", "false")
    return True if environment.get("CLICOLOR_FORCE", "0") not in ("", "0") else None


def _takes_color(stream: TextIO, environment: Mapping[str, str]) -> bool:
    if environment.get("CLICOLOR") == "0" or environment.get("TERM") == "dumb":
        return False
    return sys.platform != "win32" or _switched_on(stream)


def _is_terminal(stream: TextIO) -> bool:
    with suppress(OSError, ValueError, AttributeError):  # closed, or an object of another program
        return stream.isatty()
    return False


def room_of(stream: TextIO) -> int:
    """Return the columns for a table or prose: those of the terminal, in a pipe or file those of COLUMNS, else many."""
    named = os.environ.get("COLUMNS", "")
    if _is_terminal(stream) or (named.isascii() and named.isdigit() and int(named)):
        return _width_of(stream, os.environ)
    return _UNBOUNDED


def _width_of(stream: TextIO, environment: Mapping[str, str]) -> int:
    width = 0
    with suppress(OSError, ValueError, AttributeError):
        width = os.get_terminal_size(stream.fileno()).columns
    if not width:
        named = environment.get("COLUMNS", "")
        width = int(named) if named.isascii() and named.isdigit() else 0
    return max(width or _UNKNOWN, MIN_WIDTH)


def _switched_on(stream: TextIO) -> bool:
    """Let a console of Windows read escape sequences; return whether it does."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    # ENABLE_VIRTUAL_TERMINAL_PROCESSING, which consoles have since Windows 10 (learn.microsoft.com, SetConsoleMode).
    switch, mode = 4, ctypes.c_ulong()
    with suppress(OSError, ValueError):
        console = ctypes.windll.kernel32
        handle = msvcrt.get_osfhandle(stream.fileno())
        if console.GetConsoleMode(handle, ctypes.byref(mode)):
            return bool(mode.value & switch) or bool(console.SetConsoleMode(handle, mode.value | switch))
    return False
