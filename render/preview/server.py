"""The page on this machine: an HTTP server for one person, with a limit on everything, and news as events.

Nothing is looked up on the disk by an address: the page's own files are read at the start, and all else by ids of what
was drawn. Any page in a browser can send requests to this machine, and any program can connect. So everything that is
not plainly a browser asking for this page is refused: an address needs a secret token, `Host` and `Origin` must be
ours, only GET and HEAD are answered, and every length has a limit.
"""

from __future__ import annotations

import errno
import hmac
import json
import secrets
import select
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from socketserver import TCPServer
from threading import Lock, Semaphore, Thread
from typing import NamedTuple
from urllib.parse import unquote

from render.base.patterns import regex
from render.base.resources import TEMPLATES
from render.build.watch import has_watchfiles, listen
from render.game.home import AS_THEY_ARE, Versions
from render.preview.details import Json
from render.preview.state import PreviewState, Watching

PORT = 7117
"""The first port that is tried if none is asked for."""

MAX_CONNECTIONS = 64  # a browser opens six for each window
MAX_STREAMS = 16  # open pages
HEAD_SECONDS = 15.0  # until a request must be there, and until an idle connection is closed
_MAX_WAITING = 64  # news that a page has not taken yet; after more, it is let go, and asks for everything anew
_SEND_SECONDS = 20.0  # until a browser must have taken an answer
_ENTRY_SECONDS = 120.0  # in which the browser that was opened must have come
_PING_SECONDS = 10.0  # between signs of life
_LINGER_SECONDS = 0.5  # in which a client that is refused may read why
_TRIED = 20  # ports; after these, the system gives one
_SWITCH_INTERVAL = 0.001  # seconds of one thread while another waits: an answer must not wait for reading a set
_LOOK_PAUSE = 0.08  # seconds between two looks at the files where the system gives no notice of changes

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PICTURE = regex(r"pictures/([0-9a-f]{24})/([1-9][0-9]{1,2})\.png")
_CARD = regex(r"cards/(s[1-9][0-9]{0,5})/((?:[a-z0-9_-]|%[89A-F][0-9A-F]){1,200})")
_SHEETS = regex(r"sheets/(s[1-9][0-9]{0,5})")
_FOR_EVER = "private, max-age=31536000, immutable"  # an id stands for the same picture for ever


# --- who may ask ----------------------------------------------------------------------------------------------------

MAX_HEAD = 16 << 10  # bytes of request line and headers: browsers send one or two thousand
_MAX_TARGET = 1024  # characters: our longest address has two thirds of it
_MAX_HEADERS = 60
_LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")  # the names by which a browser on this machine may call it

_LINE = regex(r"([A-Z]{1,20}) (\S+) HTTP/1\.([01])")
_HEADER = regex(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}):[ \t]*([^\0\r\n]*)")
_TARGET = regex(
    r"/(?:[A-Za-z0-9/_.-]|%[89A-F][0-9A-F])*"
)  # no query, no sign of ASCII after a percent sign: ours need none


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
        headers: dict[str, str] = {}
        for words in rest:
            header = _HEADER.fullmatch(words)
            if len(rest) > _MAX_HEADERS or header is None or header[1].lower() in headers:
                raise Rejected(400, "the headers cannot be read")
            headers[header[1].lower()] = header[2].strip(" \t")
        if method not in ("GET", "HEAD"):
            raise Rejected(405, "nothing can be changed here")
        self._refuse_foreign(headers)
        if not _TARGET.fullmatch(target):
            raise Rejected(400, "there is no such address")
        token, slash, path = target[1:].partition("/")
        is_entry = self.entry and method == "GET" and slash and not path and hmac.compare_digest(token, self.entry)
        if not is_entry and not (slash and hmac.compare_digest(token, self.token)):
            raise Rejected(403, "the address lacks the right token: use the one that `kotc preview` printed")
        keep_alive = minor == "1" and headers.get("connection", "").lower() != "close"
        return Request(None if is_entry else path, method == "HEAD", keep_alive)

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


# --- the server -----------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What is sent: content and its type, how long a browser may keep it, and where to go on."""

    content: bytes
    kind: str = "text/plain; charset=utf-8"
    cache: str = "no-store"
    status: int = 200
    location: str = ""


def _as_json(value: Json) -> bytes:
    """Return an object as JSON in one line; "?" stands for what is no letter, as in a file's name that is not UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


class PreviewServer(ThreadingHTTPServer):
    """Serves the page, its pictures and its news at a port of this machine. OSError if it cannot have the port."""

    daemon_threads = True
    request_queue_size = 64
    allow_reuse_address = sys.platform != "win32"  # there two programs could share the port

    def __init__(self, port: int, editor: str = "") -> None:
        super().__init__(("127.0.0.1", port), _Connection)
        self.port = self.server_address[1]
        self.access = AccessPolicy(self.port, secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        self.address = f"http://127.0.0.1:{self.port}/{self.access.token}/"
        self.state = PreviewState(editor, self._notify)
        self.streams: dict[SimpleQueue[bytes], socket.socket] = {}
        pages = {file.name: file for file in sorted((TEMPLATES / "preview").iterdir())}
        self._pages = {
            "" if name == "index.html" else name: Answer(file.read_bytes(), f"{_TYPES[file.suffix]}; charset=utf-8")
            for name, file in pages.items()
        }
        self._entry_until = time.monotonic() + _ENTRY_SECONDS
        self._lock, self._free = Lock(), Semaphore(MAX_CONNECTIONS)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # without asking the network for the machine's name

    def verify_request(self, request: object, client_address: object) -> bool:
        return self._free.acquire(blocking=False)

    def process_request_thread(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def answer(self, path: str | None) -> Answer:
        """Return what is at a path behind the token, or at the entry."""
        if path is None:
            return self._enter()
        if path in self._pages:
            return self._pages[path]
        content: Json | None = None
        if match := _PICTURE.fullmatch(path):
            picture = self.state.picture(match[1], int(match[2]))
            if picture:
                return Answer(picture, "image/png", _FOR_EVER)
        elif match := _CARD.fullmatch(path):
            content = self.state.details(match[1], unquote(match[2]))
        elif match := _SHEETS.fullmatch(path):
            content = self.state.sheets(match[1])
        if content is None:
            return Answer(b"there is nothing at this address\n", status=404)
        return Answer(_as_json(content), "application/json")

    def _enter(self) -> Answer:
        """Lead the browser that was opened to the page; nobody else who knows how it was opened."""
        with self._lock:
            is_open, self._entry_until = time.monotonic() <= self._entry_until, 0.0
        if is_open:
            return Answer(b"", status=303, location=f"/{self.access.token}/")
        return Answer(b"this address works only once: use the one that `kotc preview` printed\n", status=403)

    def _notify(self, news: Json) -> None:
        event = _event(news)
        for queue, bell in tuple(self.streams.items()):
            is_late = queue.qsize() >= _MAX_WAITING  # its page sleeps, or reads slowly: it will come back and ask again
            if is_late:
                self.streams.pop(queue, None)
            queue.put(b"" if is_late else event)
            with suppress(OSError):  # it was closed just now, or was not heard yet
                bell.send(b"\0")


def _event(news: Json) -> bytes:
    # JSON has no line end, so that it is a single line of an event.
    return b"data: " + _as_json(news) + b"\n\n"


class _Connection(BaseHTTPRequestHandler):
    """A connection of a browser: one request after another, each held to the access policy."""

    server: PreviewServer
    request_version = protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    _received = b""

    def handle_one_request(self) -> None:
        self.close_connection = True
        try:
            head = self._read_head()
            if not head:
                return
            request = self.server.access.read(head)
            if request.path == "events":
                self._stream(head_only=request.head_only)
                return
            answer = self.server.answer(request.path)
            self.close_connection = answer.status != 200 or not request.keep_alive
            self._send(answer, head_only=request.head_only)
            self.server.state.note_sent(request.path or "")
        except Rejected as refusal:
            with suppress(OSError):
                self._send(Answer(f"{refusal}\n".encode(), status=refusal.status))
                self._linger()
        except OSError:  # it is gone, or too slow
            self.close_connection = True

    def _read_head(self) -> bytes:
        """Return the next request up to its empty line; b"" if there is none any more. Rejected, OSError."""
        end = time.monotonic() + HEAD_SECONDS
        while b"\r\n\r\n" not in self._received and len(self._received) <= MAX_HEAD:
            self.connection.settimeout(max(0.001, end - time.monotonic()))
            part = self.connection.recv(MAX_HEAD)
            if not part and self._received:
                raise Rejected(400, "this is no request")
            if not part:
                return b""
            self._received += part
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        if len(head) > MAX_HEAD:
            raise Rejected(431, "the head of the request is too long")
        return head

    def _send(self, answer: Answer, *, head_only: bool = False) -> None:
        headers = {"Content-Length": str(len(answer.content)), "Location": answer.location}
        headers["Allow"] = "GET, HEAD" if answer.status == 405 else ""
        self._send_head(answer.status, answer.kind, answer.cache, headers)
        if not head_only:
            self.wfile.write(answer.content)

    def _send_head(self, status: int, kind: str, cache: str, more: dict[str, str]) -> None:
        self.connection.settimeout(_SEND_SECONDS)
        self.send_response_only(status)
        connection = "close" if self.close_connection else "keep-alive"
        headers = {"Content-Type": kind, "Cache-Control": cache, **more, **_HEADERS, "Connection": connection}
        for name, value in headers.items():
            if value:
                self.send_header(name, value)
        self.end_headers()

    def _linger(self) -> None:
        """Let a refused client read why: closing at once, while it still sends, would drop the answer."""
        self.connection.shutdown(socket.SHUT_WR)
        end = time.monotonic() + _LINGER_SECONDS
        while (left := end - time.monotonic()) > 0:
            self.connection.settimeout(left)
            if not self.connection.recv(MAX_HEAD):
                return

    def _stream(self, *, head_only: bool) -> None:
        streams = self.server.streams
        if len(streams) >= MAX_STREAMS:
            self._send(Answer(b"too many pages are open\n", status=503), head_only=head_only)
            return
        self._send_head(200, "text/event-stream", "no-store", {})
        if head_only:
            return
        queue: SimpleQueue[bytes] = SimpleQueue()
        heard, bell = socket.socketpair()
        with heard, bell:
            bell.setblocking(False)
            streams[queue] = bell
            try:
                # After it was added: what changes in between comes twice, and does no harm.
                event = _event(self.server.state.whole())
                while event:
                    self.wfile.write(event)
                    while queue.empty():
                        ready, _, _ = select.select([self.connection, heard], [], [], _PING_SECONDS)
                        if self.connection in ready:  # it is closed: a page says no more
                            return
                        if heard in ready:
                            heard.recv(4096)
                        else:
                            self.wfile.write(b": alive\n\n")
                    event = queue.get()
            finally:
                streams.pop(queue, None)


# --- running --------------------------------------------------------------------------------------------------------


def listen_on(port: int | None, editor: str = "") -> PreviewServer:
    """Return a server on a port of this machine alone; on a free one, if none is asked for. OSError."""
    if port is not None:
        try:
            return PreviewServer(port, editor)
        except OSError as error:
            is_taken = error.errno == errno.EADDRINUSE
            why = "another program has it" if is_taken else (error.strerror or str(error)).lower()
            raise OSError(error.errno, f"{why}; choose another with --port, or leave it out", f"port {port}") from None
    for tried in range(PORT, PORT + _TRIED):
        with suppress(OSError):
            return PreviewServer(tried, editor)
    return PreviewServer(0, editor)


def run(
    server: PreviewServer,
    folders: tuple[Path, ...],
    ready: Callable[[str, str], None],
    say: Callable[[str], None],
    language: str = "",
    versions: Versions = AS_THEY_ARE,
) -> None:
    """Serve the page until Ctrl-C; `say` is called with what is to be said meanwhile. Cards are in the language, if one
    is named, else in their set's own.

    `ready` is called with its address, and with the one to open a browser with: it leads to the page once, and soon.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    Thread(target=server.serve_forever, name="preview", daemon=True).start()
    ready(server.address, f"http://127.0.0.1:{server.port}/{server.access.entry}/")
    Watching(folders, server.state, language, versions).run(
        listen if has_watchfiles() else partial(listen, pause=_LOOK_PAUSE), say
    )
