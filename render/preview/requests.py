"""What a request may say: everything that is not plainly a browser asking for this page is refused.

Any page in a browser can send requests to this machine, and any program can connect. So an address needs a secret
token, `Host` and `Origin` must be ours, only GET and HEAD are answered, and every length has a limit.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_HEAD = 16 << 10  # bytes of request line and headers: browsers send one or two thousand
MAX_TARGET = 512  # characters: our longest address has a third of it
MAX_HEADERS = 60

LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")
"""The names by which a browser on this machine may call it."""

_LINE = re.compile(r"([A-Z]{1,20}) (\S+) HTTP/1\.([01])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}):[ \t]*([^\0\r\n]*)")
_TARGET = re.compile(r"/[A-Za-z0-9/_.-]*")  # no percent sign, no query: our addresses need neither


@dataclass(frozen=True, slots=True)
class Request:
    """A request that may be answered: its path behind the token, and whether it asks for the head alone."""

    path: str
    head_only: bool
    keep_alive: bool


@dataclass(frozen=True, slots=True)
class FirstVisit:
    """The first request of the browser that the command opened, with the code that it was given."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A request that is not answered: the status, and why, for whoever tries by hand."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Door:
    """Who may come in: the port on which we listen, and the token that an address must begin with.

    The `code` stands in the address that a browser is opened with, which other users of the machine can see among its
    words on the command line; it leads to the token only once.
    """

    port: int
    token: str
    code: str = ""

    def read(self, head: bytes) -> Request | FirstVisit | Rejection:
        """Read the head of a request, up to and with its empty line."""
        lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        line = _LINE.fullmatch(lines[0])
        if line is None:
            return Rejection(400, "this is no request")
        method, target, minor = line.groups()
        if len(target) > MAX_TARGET:
            return Rejection(414, "the address is too long")
        headers = _headers(lines[1:])
        if headers is None:
            return Rejection(400, "the headers cannot be read")
        if method not in ("GET", "HEAD"):
            return Rejection(405, "nothing can be changed here")
        wrong = self._foreign(headers)
        if wrong is None and method == "GET" and self._is_entry(target):
            return FirstVisit()
        wrong = wrong or self._wrong_target(target)
        if wrong:
            return wrong
        path = target[len(self.token) + 2 :]
        keep_alive = minor == "1" and headers.get("connection", "").lower() != "close"
        return Request(path, method == "HEAD", keep_alive)

    def _foreign(self, headers: Mapping[str, str]) -> Rejection | None:
        """Return why a request does not come from our own page, or from somebody who typed its address."""
        ours = {f"{name}:{self.port}" for name in LOOPBACKS}
        # A page of another site may have made its own name lead here (DNS rebinding).
        if headers.get("host", "").lower() not in ours:
            return Rejection(421, "this preview is only for this machine")
        if "origin" in headers and headers["origin"].lower() not in {f"http://{host}" for host in ours}:
            return Rejection(403, "another page may not ask")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return Rejection(403, "another page may not lead here: type or paste the address")
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return Rejection(413, "a request has no content here")
        if "upgrade" in headers and headers["upgrade"].lower() == "websocket":
            return Rejection(400, "there are no sockets here")
        return None

    def _is_entry(self, target: str) -> bool:
        return bool(self.code) and hmac.compare_digest(target.encode("latin-1"), f"/{self.code}/".encode("ascii"))

    def _wrong_target(self, target: str) -> Rejection | None:
        if not _TARGET.fullmatch(target):
            return Rejection(400, "there is no such address")
        token, slash, _ = target[1:].partition("/")
        if not slash or not hmac.compare_digest(token.encode("ascii"), self.token.encode("ascii")):
            return Rejection(403, "the address lacks the right token: use the one that `kotc preview` printed")
        return None


def _headers(lines: list[str]) -> dict[str, str] | None:
    """Return headers by name in lower case; None if there are too many, or one is wrong or stands twice."""
    if len(lines) > MAX_HEADERS:
        return None
    found: dict[str, str] = {}
    for line in lines:
        header = _HEADER.fullmatch(line)
        if header is None or header[1].lower() in found:
            return None
        found[header[1].lower()] = header[2].strip(" \t")
    return found
