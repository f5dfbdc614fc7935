"""The preview as a whole: a socket on this machine, a thread that watches, and a server until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from render.preview.answers import Answers
from render.preview.board import Board
from render.preview.server import PreviewServer
from render.preview.watching import Watching, listening

PORT = 7117
"""The first port that is tried if none is asked for."""

_TRIED = 20  # ports; after these, the system gives one
_SWITCH = 0.001  # seconds that a thread may keep others waiting: an answer must not wait for the reading of a set


def listen_on(port: int | None) -> socket.socket:
    """Return a socket that listens on a port of this machine alone; on a free one, if none is asked for. OSError."""
    if port is not None:
        try:
            return _socket(port)
        except OSError as error:
            why = (
                "another program has it" if error.errno == errno.EADDRINUSE else (error.strerror or str(error)).lower()
            )
            raise OSError(error.errno, f"{why}; choose another with --port, or leave it out", f"port {port}") from None
    for tried in range(PORT, PORT + _TRIED):
        with suppress(OSError):
            return _socket(tried)
    return _socket(0)


def _socket(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # On Windows the same option would let two programs share a port.
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(("127.0.0.1", port))
        made.listen(64)
    except OSError:
        made.close()
        raise
    return made


def run(
    folders: tuple[Path, ...],
    taken: socket.socket,
    editor: str,
    ready: Callable[[str, str], None],
    said: Callable[[str], None],
) -> None:
    """Serve the page until Ctrl-C; `said` is called with what is to be said meanwhile.

    `ready` is called with its address, and with the one to open a browser with.
    """
    board = Board(editor)
    watching = Watching(folders, board)
    server = PreviewServer(board, Answers(board, watching), taken)
    failed: list[BaseException] = []
    sys.setswitchinterval(_SWITCH)

    async def serve() -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def watch() -> None:
            try:
                watching.go_on(listening(), said)
            except BaseException as error:  # it is raised where the command can say it
                failed.append(error)
                loop.call_soon_threadsafe(ended.set)

        serving = asyncio.create_task(server.serve())
        # It ends with the process, even in the middle of a look.
        Thread(target=watch, name="watching", daemon=True).start()
        ready(server.address, server.entry)
        await ended.wait()
        serving.cancel()

    asyncio.run(serve())
    raise failed[0]
