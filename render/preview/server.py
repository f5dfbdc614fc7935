"""A server for one person on this machine: one thread, few connections, and a limit on everything."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from render.preview.answers import EVENTS, Answer, Answers
from render.preview.board import Board, Told, as_json
from render.preview.requests import MAX_HEAD, Door, FirstVisit, Rejection, Request

MAX_CONNECTIONS = 64  # a browser opens six for each window
MAX_STREAMS = 16  # open pages
MAX_WAITING = 64  # news that a page has not taken yet; after more, it is let go, and asks for everything anew
HEAD_SECONDS = 15.0  # until a request must be there, and until an idle connection is closed
SEND_SECONDS = 20.0  # until a browser must have taken an answer
ENTRY_SECONDS = 120.0  # in which the browser that was opened must have come
_PING = 10.0  # seconds between signs of life

_HEADERS = (
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy: same-origin",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
)
_REASONS = {
    200: "OK",
    303: "See Other",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Content Too Large",
    414: "URI Too Long",
    421: "Misdirected Request",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class PreviewServer:
    """Serves the page, its pictures and its news on a socket that listens already."""

    def __init__(self, board: Board, answers: Answers, listening: socket.socket) -> None:
        self.port: int = listening.getsockname()[1]
        self.door = Door(self.port, secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        self._entry_until = time.monotonic() + ENTRY_SECONDS
        self._board, self._answers, self._socket = board, answers, listening
        self._streams: set[asyncio.Queue[bytes]] = set()
        self._connections = 0
        self._drawing = ThreadPoolExecutor(2, "drawing")  # a card is not to wait for a sheet

    @property
    def address(self) -> str:
        """The address of the page, with its token."""
        return f"http://127.0.0.1:{self.port}/{self.door.token}/"

    @property
    def entry(self) -> str:
        """The address to open a browser with: it leads to the page once, and soon."""
        return f"http://127.0.0.1:{self.port}/{self.door.code}/"

    async def serve(self) -> None:
        """Answer until cancelled."""
        loop = asyncio.get_running_loop()

        def tell(told: Told) -> None:
            loop.call_soon_threadsafe(self._tell, told)

        self._board.listen(tell)
        server = await asyncio.start_server(self._connected, sock=self._socket, limit=MAX_HEAD)
        try:
            await asyncio.Event().wait()
        finally:
            server.close()
            self._drawing.shutdown(wait=False, cancel_futures=True)

    # --- connections -----

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._connections >= MAX_CONNECTIONS:
            writer.transport.abort()
            return
        self._connections += 1
        writer.transport.set_write_buffer_limits(high=0)  # `drain` then waits until all is sent
        try:
            while await self._one_request(reader, writer):
                pass
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass  # asyncio of Python 3.11 would report a task that was cancelled as an error
        finally:
            self._connections -= 1
            # A client that does not take what it was sent would keep the connection open.
            writer.transport.abort()

    async def _one_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer a request; return whether another may follow on the connection."""
        request = await self._request(reader)
        if request is None:
            return False
        if isinstance(request, FirstVisit):
            await _send(writer, self._enter(), last=True)
            return False
        if isinstance(request, Rejection):
            content = f"{request.why}\n".encode()
            await _send(writer, Answer(content, "text/plain; charset=utf-8", status=request.status), last=True)
            await _linger(reader, writer)
            return False
        if request.path == EVENTS:
            await self._stream(reader, writer, request)
            return False
        answer = await self._answer(request.path)
        goes_on = request.keep_alive and answer.status == 200
        await _send(writer, answer, request, last=not goes_on)
        self._board.note_sent(request.path)
        return goes_on

    def _enter(self) -> Answer:
        """Lead the browser that was opened to the page; nobody else who knows how it was opened."""
        if time.monotonic() > self._entry_until:
            why = b"this address works only once: use the one that `kotc preview` printed\n"
            return Answer(why, "text/plain; charset=utf-8", status=403)
        self._entry_until = 0.0
        return Answer(b"", "text/plain; charset=utf-8", status=303, location=f"/{self.door.token}/")

    async def _request(self, reader: asyncio.StreamReader) -> Request | FirstVisit | Rejection | None:
        """Return the next request; None if there is none any more."""
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as end:
            return Rejection(400, "this is no request") if end.partial else None
        except asyncio.LimitOverrunError:
            return Rejection(431, "the head of the request is too long")
        except TimeoutError:
            return None
        if len(head) > MAX_HEAD:
            return Rejection(431, "the head of the request is too long")
        return self.door.read(head)

    async def _answer(self, path: str) -> Answer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, self._answers.answer, path)

    # --- news -----

    def _tell(self, told: Told) -> None:
        """Put news into the queue of each open page."""
        event = _event(told)
        for queue in tuple(self._streams):
            if queue.full():  # its page sleeps, or reads slowly: it will come back and ask for everything
                self._streams.discard(queue)
                _replace_all(queue, b"")
            else:
                queue.put_nowait(event)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Request) -> None:
        """Send all news until the page is closed."""
        if len(self._streams) >= MAX_STREAMS:
            busy = Answer(b"too many pages are open\n", "text/plain; charset=utf-8", status=503)
            await _send(writer, busy, request, last=True)
            return
        writer.write(_head(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}, last=True))
        await _drained(writer)
        if request.head_only:
            return
        queue: asyncio.Queue[bytes] = asyncio.Queue(MAX_WAITING)
        self._streams.add(queue)
        # After it was added: what changes in between comes twice, and does no harm.
        queue.put_nowait(_event(self._board.whole()))
        leaving = asyncio.create_task(_end_with(reader, queue))
        try:
            while event := await _next(queue):
                writer.write(event)
                await _drained(writer)
        finally:
            leaving.cancel()
            self._streams.discard(queue)


async def _end_with(reader: asyncio.StreamReader, queue: asyncio.Queue[bytes]) -> None:
    """End the news as soon as the page is closed: one that is loaded again and again would take all places."""
    with suppress(OSError):
        await reader.read(1)  # a page says no more
    _replace_all(queue, b"")


async def _next(queue: asyncio.Queue[bytes]) -> bytes:
    """Return the next event; a sign of life if there is none for some time."""
    try:
        async with asyncio.timeout(_PING):
            return await queue.get()
    except TimeoutError:
        return b": alive\n\n"


def _replace_all(queue: asyncio.Queue[bytes], event: bytes) -> None:
    with suppress(asyncio.QueueEmpty):
        while True:
            queue.get_nowait()
    queue.put_nowait(event)


def _event(told: Told) -> bytes:
    # JSON has no line end, so that it is a single line of an event.
    return b"data: " + as_json(told) + b"\n\n"


# --- sending ----------------------------------------------------------------------------------------------------------


async def _send(
    writer: asyncio.StreamWriter, answer: Answer, request: Request | None = None, *, last: bool = False
) -> None:
    headers = {
        "Content-Type": answer.kind,
        "Content-Length": str(len(answer.content)),
        "Cache-Control": answer.kept,
    }
    if answer.location:
        headers["Location"] = answer.location
    if answer.status == 405:
        headers["Allow"] = "GET, HEAD"
    head = _head(answer.status, headers, last=last)
    writer.write(head if request and request.head_only else head + answer.content)
    await _drained(writer)


def _head(status: int, headers: Mapping[str, str], *, last: bool) -> bytes:
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}", *(f"{name}: {value}" for name, value in headers.items())]
    lines += [*_HEADERS, f"Connection: {'close' if last else 'keep-alive'}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def _drained(writer: asyncio.StreamWriter) -> None:
    """Wait until a client has taken what it was sent; TimeoutError if it takes too long."""
    async with asyncio.timeout(SEND_SECONDS):
        await writer.drain()


_LINGERING = 0.5  # seconds in which a client that is refused may read why


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Let a refused client read why: closing at once, while it still sends, would drop the answer."""
    with suppress(OSError, TimeoutError):
        writer.write_eof()
        async with asyncio.timeout(_LINGERING):
            for _ in range(64):
                if not await reader.read(MAX_HEAD):
                    return
