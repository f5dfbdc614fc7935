"""Commands on a terminal of their own, and what it shows."""

import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support import forks
from tests.support.repository import ROOT

NEEDS_TERMINALS = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

COLOR_VARIABLES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS")


def plain_environment(**more: str) -> dict[str, str]:
    """Return the environment without what decides on color and width, and with these variables."""
    kept = {name: value for name, value in os.environ.items() if name not in COLOR_VARIABLES}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **more}


def on_a_terminal(
    command: Sequence[str],
    columns: int = 0,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[str, int]:
    """Run a command on a terminal of its own; return what is written there, and its exit status."""
    ours, theirs = _terminal(columns)
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, cwd=folder, env=environment
    )
    os.close(theirs)
    return _shown(ours), process.wait(forks.PATIENCE)


def kotc_on_a_terminal(
    *words: str | Path, columns: int, folder: Path, environment: Mapping[str, str]
) -> tuple[str, int]:
    """Do the same with the program in a child of this process."""
    ours, theirs = _terminal(columns)
    child = forks.begun(*words, folder=folder, environment=environment, streams=(theirs, theirs, theirs))
    os.close(theirs)
    return _shown(ours), child.wait(forks.PATIENCE)


def _terminal(columns: int) -> tuple[int, int]:
    """Return both ends of a new terminal, ours first."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    if columns:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    return ours, theirs


def _shown(ours: int) -> str:
    """Return what is written on a terminal until nobody has it open any more."""
    content = b""
    deadline = time.monotonic() + forks.PATIENCE
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            content += part
    os.close(ours)
    return content.decode()
