"""Fetch a file from the web, from an address that may have come with a set of a stranger.

A name is resolved once for each address on the way, all that it gives is judged, and the connection goes to one of these:
no second answer leads it elsewhere. Time and size are bounded, whatever the other side does. Proxies are not used.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from msgspec import Struct

from render.base.findings import reason
from render.base.limits import Limit

_MAX_REDIRECTS = 5  # Google's published sheets take one
_TO_CONNECT = 10.0  # seconds
_PIECE = 1 << 16  # bytes
_REDIRECTS = (301, 302, 303, 307, 308)
_PUBLISH = "publish the sheet as CSV: in Google Sheets, File > Share > Publish to web; the address ends in `output=csv`"
_HIDDEN = (401, 403, 404, 410)
_UNICAST = ipaddress.ip_network("2000::/3")  # all that is given out of IPv6
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # whose last 32 bits are an IPv4 address (RFC 6052)


class Reach(Struct, frozen=True):
    """Where it may be fetched from, beside https:// addresses elsewhere: also by http://, and in the local network."""

    http: bool = False
    local: bool = False


class CannotFetch(Exception):
    """What is wrong with an address, or what stands there; `hint` says what to do. Neither has more of it than its host."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def fetch(address: str, limit: Limit, reach: Reach, seconds: float = 30.0) -> bytes:
    """Return what stands at an address, at most as much as the limit says, within that time; CannotFetch."""
    end = monotonic() + seconds
    for _ in range(_MAX_REDIRECTS + 1):
        answer = _ask(_checked(address, reach), limit, reach, end)
        if isinstance(answer, bytes):
            return answer
        try:
            address = urljoin(address, answer)
        except ValueError:
            raise CannotFetch(f"`{urlsplit(address).hostname}` leads on to what is no address") from None
    raise CannotFetch(f"the address leads on to others more than {_MAX_REDIRECTS} times", "give the last one of them")


def _checked(address: str, reach: Reach) -> SplitResult:
    """Return the parts of an address from which may be fetched."""
    try:
        parts = urlsplit(address)
        host, _ = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:  # which UnicodeError is, too
        raise CannotFetch("this is no address", "give one such as `https://example.com/cards.csv`") from None
    if parts.scheme not in ("http", "https") or not host:
        raise CannotFetch("only https:// addresses are fetched", "give one such as `https://example.com/cards.csv`")
    if parts.scheme == "http" and not reach.http:
        message = f"`{parts.hostname}` is asked by http://, which anybody on the way can read and change"
        raise CannotFetch(message, "write `https://`, or give --http")
    if "@" in parts.netloc:
        raise CannotFetch(
            "the address holds a password", "write `${KOTC_KEY_...}` in its place, a variable of the environment"
        )
    return parts


def _ask(parts: SplitResult, limit: Limit, reach: Reach, end: float) -> bytes | str:
    """Return what stands at an address, or where that leads on to."""
    host, is_safe = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_safe else 80)
    whole = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    target = quote(whole, safe="/%:@!$&'()*+,;=~?")
    headers = {"Host": parts.netloc.encode("idna").decode(), "User-Agent": "kotc", "Accept": "text/csv, */*;q=0.1"}
    try:
        with _connected(host, port, reach, end, is_safe=is_safe) as sock:
            connection = http.client.HTTPConnection(host, port)
            connection.sock, connection.auto_open = sock, 0
            connection.request("GET", target, headers={**headers, "Accept-Encoding": "identity", "Connection": "close"})
            answer = connection.getresponse()
            if answer.status in _REDIRECTS and (place := answer.headers.get("Location")):
                return place
            return _content(answer, host, limit)
    except ssl.SSLCertVerificationError as error:
        message = f"the certificate of `{host}` cannot be trusted: {reason(error.verify_message)}"
        raise CannotFetch(message, "ask whoever keeps it; nothing was fetched") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        if monotonic() >= end:
            raise CannotFetch(f"`{host}` takes too long to answer", "try again later") from None
        what = "breaks off" if isinstance(error, http.client.IncompleteRead) else f"cannot be reached: {_why(error)}"
        raise CannotFetch(f"`{host}` {what}", "look at the address, and whether this machine is online") from None


def _why(error: BaseException) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else error
    return reason(said)


def _content(answer: http.client.HTTPResponse, host: str, limit: Limit) -> bytes:
    if answer.status != http.client.OK:
        what = f"{answer.status} {reason(answer.reason or '')}".strip()
        raise CannotFetch(f"`{host}` answers `{what}`", _PUBLISH if answer.status in _HIDDEN else "try again later")
    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise CannotFetch(f"`{host}` answers in a compressed form that nobody asked for", "give another address")
    pieces, size = [], 0
    while size <= limit.most and (answer.length or 0) <= limit.most and (piece := answer.read(_PIECE)):
        pieces.append(piece)
        size += len(piece)
    if size > limit.most or (answer.length or 0) > limit.most:
        raise CannotFetch(f"`{host}` answers with more than {limit}, the most of {limit.of}", "split the sheet")
    if answer.length:
        raise http.client.IncompleteRead(b"")
    content = b"".join(pieces)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        raise CannotFetch(f"`{host}` answers with a web page, and not with CSV", _PUBLISH)
    return content


# --- where to -------------------------------------------------------------------------------------------------------


def _resolved(host: str, port: int, reach: Reach) -> list[tuple[socket.AddressFamily, Any]]:
    """Return the addresses that a name stands for; CannotFetch if one of them is not to be asked."""
    try:
        found = socket.getaddrinfo(host.encode("idna").decode(), port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CannotFetch(
            f"there is no `{host}`: {_why(error)}", "look at the address, and whether this machine is online"
        ) from None
    private = [str(place[0]) for *_, place in found if not _is_public(str(place[0]))]
    if private and not reach.local:
        address = "" if private[0] == host else f"{private[0]}, "
        message = f"`{host}` is {address}on this machine or in its own network"
        raise CannotFetch(message, "a set from elsewhere has no business there; if it is yours, give --local")
    return [(family, place) for family, _, _, _, place in found]


def _is_public(text: str) -> bool:
    """Return whether an address is one of the internet, for anybody."""
    ip = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped or ip in _NAT64:
            return _is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        return ip.is_global and ip in _UNICAST and not (ip.sixtofour or ip.teredo)  # tunnels to an IPv4 address
    return ip.is_global and not (ip.is_multicast or ip.is_reserved)


@contextmanager
def _connected(host: str, port: int, reach: Reach, end: float, *, is_safe: bool) -> Iterator[socket.socket]:
    """Give a connection that is cut off at the end of the time, whatever the other side sends until then."""
    sock = _first_connected(_resolved(host, port, reach), end)
    if is_safe:
        sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)

    def cut_off() -> None:
        with suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(max(end - monotonic(), 0), cut_off)
    timer.daemon = True
    timer.start()
    try:
        sock.settimeout(max(end - monotonic(), 0.1))
        if isinstance(sock, ssl.SSLSocket):
            sock.do_handshake()
        yield sock
        if monotonic() >= end:  # what is cut off looks like an end
            raise TimeoutError
    finally:
        timer.cancel()
        sock.close()


def _first_connected(places: list[tuple[socket.AddressFamily, Any]], end: float) -> socket.socket:
    for number, (family, place) in enumerate(places, 1):
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.settimeout(max(min(_TO_CONNECT, end - monotonic()), 0.1))
            sock.connect(place)
            return sock
        except OSError:
            sock.close()
            if number == len(places):
                raise
    raise OSError("it has no address")
