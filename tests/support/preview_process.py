"""Real processes of `kotc preview`, asked as browsers ask and as browsers never would."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.repository import ROOT

PATIENCE = 60  # seconds, on a machine that has much else to do


@dataclass(frozen=True, slots=True)
class Previewed:
    """A preview that is running: its process, and the address of its page."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return int(self.address.split("/")[2].rpartition(":")[2])

    @property
    def token(self) -> str:
        return self.address.split("/")[3]

    def connect(self) -> socket.socket:
        """Return a connection to it."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def send(self, data: bytes) -> bytes:
        """Send bytes and return all that comes back; nothing if the connection is closed without an answer."""
        answer = b""
        with self.connect() as connection, suppress(ConnectionError):
            connection.sendall(data)
            while part := connection.recv(65536):
                answer += part
        return answer

    def get(self, path: str, *headers: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
        """Ask for a path behind the token; return status, headers and content."""
        lines = [
            f"{method} /{self.token}/{path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Connection: close",
            *headers,
        ]
        head, _, content = self.send("\r\n".join([*lines, "", ""]).encode()).partition(b"\r\n\r\n")
        first, *rest = head.decode().split("\r\n")
        return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in rest), content

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the news as a page gets them: everything first."""
        with self.connect() as connection:
            asked = f"GET /{self.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n"
            connection.sendall(asked.encode())
            waiting = b""
            while b"\r\n\r\n" not in waiting:
                waiting += connection.recv(1)
            waiting = b""
            while data := connection.recv(65536):
                waiting += data
                *events, waiting = waiting.split(b"\n\n")
                for event in events:
                    if event.startswith(b"data: "):
                        yield json.loads(event[6:])

    def board(self, meant: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return what a page shows as soon as it is as it is meant to be."""
        shown: dict[str, Any] = {"cards": {}}
        for news in self.events():
            shown["cards"] |= news.pop("cards")
            for key in news.pop("gone", ()):
                shown["cards"].pop(key, None)
            shown |= news
            if meant(shown):
                return shown
        raise AssertionError("the preview has ended")

    def stop(self) -> tuple[int, float]:
        """Stop it as Ctrl-C does; return its exit status and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE), time.monotonic() - began


@contextmanager
def previewed(*words: str | Path, **world: str) -> Iterator[Previewed]:
    """Start a preview, wait until it has an address, and end it at last."""
    process = subprocess.Popen(
        [sys.executable, "-m", "render", "preview", "--no-open", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **world},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else ""
        assert line.startswith("preview: "), line + (process.stderr.read() if process.stderr and line == "" else "")
        yield Previewed(process, line.split()[-1])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        if process.stderr:
            process.stderr.close()


def is_drawn(shown: dict[str, Any]) -> bool:
    """Return whether every card was drawn."""
    return bool(shown["cards"]) and shown.get("toDo") == 0
