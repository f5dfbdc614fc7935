"""What is fetched from the web comes from the one address that was judged, within bounds of time and size, or not at all."""

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from render.base.limits import Limit
from render.source.fetching import CannotFetch, Reach, fetch
from tests.support.web_servers import CSV, Answer, Web, said, to

PUBLIC = "93.184.216.34"
LIMIT = Limit(1, "MiB", "a CSV file")
OPEN = Reach(http=True, local=True)


@pytest.fixture
def web() -> Iterator[Web]:
    web = Web()
    yield web
    web.stop()


@pytest.fixture
def names(web: Web, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Return what names stand for, one answer after the other; the public address is that of the server of the test."""
    known: dict[str, list[str]] = {}
    really = socket.socket.connect

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        answers = known.get(host)
        address = host if answers is None else answers.pop(0)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (address, port))]

    def connect(self: socket.socket, place: Any) -> None:
        assert place[0] == PUBLIC, f"nobody may ask {place[0]}"
        really(self, ("127.0.0.1", web.port))

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", connect)
    return known


def refusal(address: str, reach: Reach = OPEN, seconds: float = 10.0) -> str:
    with pytest.raises(CannotFetch) as refused:
        fetch(address, LIMIT, reach, seconds)
    return f"{refused.value}: {refused.value.hint}"


def test_what_stands_there_is_given_byte_for_byte(web: Web) -> None:
    web.answers["/pub?output=csv&name=%C3%A4%20b"] = said()
    assert fetch(f"{web.url}/pub?output=csv&name=ä b", LIMIT, OPEN) == CSV
    assert web.asked[0][0] == f"127.0.0.1:{web.port}"


def test_a_redirect_is_followed_and_a_circle_is_not(web: Web) -> None:
    web.answers |= {"/a": to("/b"), "/b": to(f"{web.url}/c"), "/c": said(), "/round": to("/round")}
    assert fetch(f"{web.url}/a", LIMIT, OPEN) == CSV
    assert "leads on to others more than 5 times" in refusal(f"{web.url}/round")
    assert len(web.asked) == 3 + 6


# --- where to ---


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1",
     "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[fec0::1]", "[ff02::1]",
     "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "localhost"],
)  # fmt: skip
def test_no_address_of_this_machine_or_its_network_is_asked(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("it was asked")

    monkeypatch.setattr(socket.socket, "connect", connect)
    assert "on this machine or in its own network" in refusal(f"https://{host}/x.csv", Reach())


@pytest.mark.parametrize("host", ["8.8.8.8", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::808:808]"])
def test_addresses_of_the_internet_are_asked(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[Any] = []

    def connect(_: object, place: Any) -> None:
        places.append(place)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket.socket, "connect", connect)
    assert "cannot be reached" in refusal(f"https://{host}/x.csv", Reach())
    assert len(places) == 1


def test_a_name_is_resolved_once_so_a_second_answer_leads_nowhere(web: Web, names: dict[str, list[str]]) -> None:
    web.answers["/x"] = said()
    names["sheets.example"] = [PUBLIC, "127.0.0.1"]
    assert fetch("http://sheets.example/x", LIMIT, Reach(http=True)) == CSV
    assert (names["sheets.example"], web.asked) == (["127.0.0.1"], [("sheets.example", "/x")])


def test_a_redirect_is_judged_as_the_first_address_is(web: Web, names: dict[str, list[str]]) -> None:
    names |= {"sheets.example": [PUBLIC] * 9, "inner.example": ["10.0.0.5"]}
    web.answers |= {
        "/a": to("http://inner.example/secret"),
        "/b": to("http://169.254.169.254/"),
        "/c": to("file:///etc/passwd"),
    }
    reach = Reach(http=True)
    assert "`inner.example` is 10.0.0.5, on this machine or in its own network" in refusal(
        "http://sheets.example/a", reach
    )
    assert "`169.254.169.254` is on this machine" in refusal("http://sheets.example/b", reach)
    assert "only https:// addresses are fetched" in refusal("http://sheets.example/c", reach)


def test_a_name_that_stands_for_its_network_only_the_second_time_it_is_asked_is_refused_then(
    web: Web, names: dict[str, list[str]]
) -> None:
    names["sheets.example"] = [PUBLIC, "192.168.0.1"]
    web.answers["/a"] = to("http://sheets.example/b")
    assert "`sheets.example` is 192.168.0.1" in refusal("http://sheets.example/a", Reach(http=True))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://example.com/x", "which anybody on the way can read and change: write `https://`, or give --http"),
        ("ftp://example.com/x", "only https:// addresses are fetched"),
        ("https://me:secret@example.com/x", "the address holds a password"),
        ("https:///x", "only https:// addresses are fetched"),
        ("https://a:b/x", "this is no address"),
        ("https://a..b/x", "this is no address"),
    ],
)
def test_what_is_no_address_to_be_fetched_is_said(address: str, said: str) -> None:
    assert said in refusal(address, Reach())
    assert "secret" not in refusal(address, Reach())


def test_https_does_not_lead_on_to_http(web: Web) -> None:
    web.answers["/a"] = to("http://example.com/")
    assert "asked by http://" in refusal(f"{web.url}/a", Reach(local=True))


# --- what answers ---


def length(number: int) -> Answer:
    return said(b"", Content_Length=str(number))


def without_end(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")


def drop_by_drop(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.05)


def headers_without_end(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.05)


def silence(_: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (said(b"", 404), "answers `404 Not Found`: publish the sheet as CSV"),
        (said(b"", 403), "answers `403 Forbidden`: publish"),
        (said(b"", 500), "answers `500 Internal Server Error`: try again later"),
        (said(b"\n <!DOCTYPE html><title>Sheets</title>"), "answers with a web page, and not with CSV"),
        (length(1 << 30), "answers with more than 1 MiB, the most of a CSV file: split the sheet"),
        (without_end, "answers with more than 1 MiB"),
        (said(b"x" * 10, Content_Length="20"), "breaks off"),
        (said(b"x", Content_Encoding="gzip"), "in a compressed form"),
        (lambda handler: handler.wfile.write(b"what?\r\n\r\n"), "cannot be reached"),
    ],
)  # fmt: skip
def test_every_other_answer_ends_in_a_clear_word(web: Web, answer: Answer, words: str) -> None:
    web.answers["/x"] = answer
    assert words in refusal(f"{web.url}/x")


@pytest.mark.parametrize("answer", [drop_by_drop, headers_without_end, silence])
def test_an_answer_that_does_not_end_is_cut_off_in_time(web: Web, answer: Answer) -> None:
    web.answers["/x"] = answer
    assert "`127.0.0.1` takes too long to answer" in refusal(f"{web.url}/x", seconds=0.5)


def test_a_server_without_a_certificate_is_not_believed(web: Web) -> None:
    assert "cannot be reached" in refusal(f"https://127.0.0.1:{web.port}/x")
    assert web.asked == []


def test_a_certificate_counts_if_this_machine_trusts_it_and_it_is_for_that_name(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    own = [
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    ]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *own], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    web.server.socket = context.wrap_socket(web.server.socket, server_side=True)
    web.answers["/x"] = said()
    assert "the certificate of `localhost` cannot be trusted" in refusal(f"https://localhost:{web.port}/x")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch(f"https://localhost:{web.port}/x", LIMIT, Reach(local=True)) == CSV
    assert "the certificate of `127.0.0.1` cannot be trusted" in refusal(f"https://127.0.0.1:{web.port}/x")


def test_a_name_that_there_is_not_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert "there is no `sheets.example`: Name or service not known: look at" in refusal(
        "https://sheets.example/x", Reach()
    )
