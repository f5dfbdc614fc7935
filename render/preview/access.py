"""Who may ask, and how: everything that is not plainly a browser asking for this page is refused.

Any page in a browser can send requests to this machine, and any program can connect. So an address needs a secret
token, `Host` and `Origin` must be ours, only GET and HEAD are answered, and every length has a limit.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from typing import NamedTuple

MAX_HEAD = 16 << 10  # bytes of request line and headers: browsers send one or two thousand
_MAX_TARGET = 512  # characters: our longest address has a third of it
_MAX_HEADERS = 60
_LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")  # the names by which a browser on this machine may call it

_LINE = re.compile(r"([A-Z]{1,20}) (\S+) HTTP/1\.([01])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}):[ \t]*([^\0\r\n]*)")
_TARGET = re.compile(r"/[A-Za-z0-9/_.-]*")  # no percent sign, no query: our addresses need neither


class Rejected(Exception):
    """A request that is not answered: the status, and why, for whoever tries by hand."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Request(NamedTuple):
    """A request that may be answered: its path behind the token, None for the entry, and what is asked of it."""

    path: str | None
    head_only: bool
    keep_alive: bool


class AccessPolicy(NamedTuple):
    """Who may come in: the port on which we listen, and the token that an address must begin with.

    The `entry` stands in the address that a browser is opened with, which other users of the machine can see among its
    words on the command line; it leads to the token only once.
    """

    port: int
    token: str
    entry: str = ""

    def read(self, head: bytes) -> Request:
        """Read the head of a request, without its empty line. Rejected."""
        first, *rest = head.decode("latin-1").split("\r\n")
        line = _LINE.fullmatch(first)
        if line is None:
            raise Rejected(400, "this is no request")
        method, target, minor = line.groups()
        if len(target) > _MAX_TARGET:
            raise Rejected(414, "the address is too long")
        headers = _read_headers(rest)
        if method not in ("GET", "HEAD"):
            raise Rejected(405, "nothing can be changed here")
        self._refuse_foreign(headers)
        keep_alive = minor == "1" and headers.get("connection", "").lower() != "close"
        return Request(self._path(target, method), method == "HEAD", keep_alive)

    def _refuse_foreign(self, headers: Mapping[str, str]) -> None:
        """Raise Rejected unless a request comes from our own page, or from somebody who typed its address."""
        ours = {f"{name}:{self.port}" for name in _LOOPBACKS}
        # A page of another site may have made its own name lead here (DNS rebinding).
        if headers.get("host", "").lower() not in ours:
            raise Rejected(421, "this preview is only for this machine")
        if "origin" in headers and headers["origin"].lower() not in {f"http://{host}" for host in ours}:
            raise Rejected(403, "another page may not ask")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Rejected(403, "another page may not lead here: type or paste the address")
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            raise Rejected(413, "a request has no content here")
        if headers.get("upgrade", "").lower() == "websocket":
            raise Rejected(400, "there are no sockets here")

    def _path(self, target: str, method: str) -> str | None:
        if not _TARGET.fullmatch(target):
            raise Rejected(400, "there is no such address")
        token, slash, path = target[1:].partition("/")
        if self.entry and method == "GET" and slash and not path and hmac.compare_digest(token, self.entry):
            return None
        if not slash or not hmac.compare_digest(token, self.token):
            raise Rejected(403, "the address lacks the right token: use the one that `kotc preview` printed")
        return path


def _read_headers(lines: list[str]) -> dict[str, str]:
    """Return headers by name in lower case; Rejected if there are too many, or one is wrong or stands twice."""
    headers: dict[str, str] = {}
    for line in lines:
        header = _HEADER.fullmatch(line)
        if len(lines) > _MAX_HEADERS or header is None or header[1].lower() in headers:
            raise Rejected(400, "the headers cannot be read")
        headers[header[1].lower()] = header[2].strip(" \t")
    return headers
