"""`kotc preview` answers the page that it printed the address of, and nobody else."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from render.preview import server
from render.preview.server import AccessPolicy, Rejected, Request
from tests.support.messages import write
from tests.support.preview_process import PATIENCE, Previewed, is_drawn, previewed
from tests.support.repository import ROOT
from tests.support.sets import kotc

CARDS = "- {name: Wolf, kind: minion, level: 3, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}\n"


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Previewed]:
    folder = tmp_path_factory.mktemp("preview") / "secret-folder"
    write(folder, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    with previewed(folder) as running:
        running.board(is_drawn)
        yield running


HOST = "Host: 127.0.0.1:{port}\r\n"
END = "\r\n"

HOSTILE = {
    # another name for this machine, as a page gives it to itself by DNS rebinding
    "a foreign host": ("GET /{token}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n", 421),
    "a host that begins like ours": ("GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1.evil.example:{port}\r\n\r\n", 421),
    "another port in the host": ("GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 421),
    "a host without a port": ("GET /{token}/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
    "an empty host": ("GET /{token}/ HTTP/1.1\r\nHost:\r\n\r\n", 421),
    "no host": ("GET /{token}/ HTTP/1.1\r\n\r\n", 421),
    "two hosts": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Host: evil.example\r\n\r\n", 400),
    "any address of the network": ("GET /{token}/ HTTP/1.1\r\nHost: 0.0.0.0:{port}\r\n\r\n", 421),
    # other pages
    "a foreign origin": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Origin: https://evil.example\r\n\r\n", 403),
    "no origin by name": ("GET /{token}/events HTTP/1.1\r\n" + HOST + "Origin: null\r\n\r\n", 403),
    "another program on this machine": (
        "GET /{token}/ HTTP/1.1\r\n" + HOST + "Origin: http://127.0.0.1:1\r\n\r\n",
        403,
    ),
    "a page of another site": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Sec-Fetch-Site: cross-site\r\n\r\n", 403),
    "a page of this machine": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Sec-Fetch-Site: same-site\r\n\r\n", 403),
    # tokens
    "no token": ("GET / HTTP/1.1\r\n" + HOST + END, 403),
    "a wrong token": ("GET /AAAAAAAAAAAAAAAAAAAAAA/ HTTP/1.1\r\n" + HOST + END, 403),
    "half a token": ("GET /{half}/ HTTP/1.1\r\n" + HOST + END, 403),
    "a token and more": ("GET /{token}x/ HTTP/1.1\r\n" + HOST + END, 403),
    "a token in another place": ("GET /events/{token}/ HTTP/1.1\r\n" + HOST + END, 403),
    "a token without its slash": ("GET /{token} HTTP/1.1\r\n" + HOST + END, 403),
    # paths
    "a path upwards": ("GET /{token}/../../set.yaml HTTP/1.1\r\n" + HOST + END, 404),
    "an encoded path upwards": ("GET /{token}/%2e%2e/%2e%2e/set.yaml HTTP/1.1\r\n" + HOST + END, 400),
    "a path encoded twice": ("GET /{token}/%252e%252e%252fset.yaml HTTP/1.1\r\n" + HOST + END, 400),
    "back slashes": ("GET /{token}/..\\..\\set.yaml HTTP/1.1\r\n" + HOST + END, 400),
    "a path from the root": ("GET /{token}//etc/passwd HTTP/1.1\r\n" + HOST + END, 404),
    "the file of the set": ("GET /{token}/set.yaml HTTP/1.1\r\n" + HOST + END, 404),
    "a file among the program's": ("GET /{token}/../gallery.html HTTP/1.1\r\n" + HOST + END, 404),
    "an address of another server": ("GET http://evil.example/{token}/ HTTP/1.1\r\n" + HOST + END, 400),
    "a query": ("GET /{token}/?file=/etc/passwd HTTP/1.1\r\n" + HOST + END, 400),
    "a zero byte": ("GET /{token}/\0 HTTP/1.1\r\n" + HOST + END, 400),
    "a card that is a path": ("GET /{token}/cards/s1/../../../set HTTP/1.1\r\n" + HOST + END, 404),
    "a picture that nobody drew": ("GET /{token}/pictures/" + "0" * 24 + "/100.png HTTP/1.1\r\n" + HOST + END, 404),
    "a resolution beyond all measure": ("GET /{token}/pictures/{face}/999.png HTTP/1.1\r\n" + HOST + END, 404),
    # methods
    "a POST": ("POST /{token}/ HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\nhi", 405),
    "a PUT": ("PUT /{token}/cards/s1/wolf HTTP/1.1\r\n" + HOST + END, 405),
    "a DELETE": ("DELETE /{token}/cards/s1/wolf HTTP/1.1\r\n" + HOST + END, 405),
    "OPTIONS": ("OPTIONS * HTTP/1.1\r\n" + HOST + END, 405),
    "a tunnel": ("CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + END, 405),
    "a method in small letters": ("get /{token}/ HTTP/1.1\r\n" + HOST + END, 400),
    # forms and sizes
    "no request": ("hello\r\n\r\n", 400),
    "another protocol": ("\x16\x03\x01\x02\r\n\r\n", 400),
    "HTTP/0.9": ("GET /{token}/\r\n\r\n", 400),
    "a web socket": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Upgrade: websocket\r\n\r\n", 400),
    "a header over two lines": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "X: a\r\n b\r\n\r\n", 400),
    "a header without a colon": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "nonsense\r\n\r\n", 400),
    "a long address": ("GET /{token}/" + "a" * 5000 + " HTTP/1.1\r\n" + HOST + END, 414),
    "a long header": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "X: " + "a" * 200_000 + "\r\n\r\n", 431),
    "many headers": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "X: a\r\n" * 500 + END, 400),
    "a request without an end": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "X: a\r\n" * 20_000, 431),
    "content": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Content-Length: 1000000000\r\n\r\n", 413),
    "content in pieces": ("GET /{token}/ HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
}


def test_forty_hostile_requests_are_refused_and_the_page_is_still_there(preview: Previewed) -> None:
    assert len(HOSTILE) >= 40
    face = preview.board(is_drawn)["cards"]["s1/wolf"]["face"]
    known = {"port": preview.port, "token": preview.token, "half": preview.token[:11], "face": face}
    for name, (request, status) in HOSTILE.items():
        for word, value in known.items():
            request = request.replace(f"{{{word}}}", str(value))
        answer = preview.send(request.encode("latin-1"))
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), (name, answer[:100])
        assert b"wolf" not in answer.lower() and b"secret-folder" not in answer, name
    assert preview.get("")[0] == 200


def test_what_is_ours_is_answered(preview: Previewed) -> None:
    status, headers, content = preview.get("")
    assert status == 200 and content.startswith(b"<!DOCTYPE html>")
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
    assert preview.get("", f"Origin: http://localhost:{preview.port}")[0] == 200
    status, headers, content = preview.get("", method="HEAD")
    assert (status, content) == (200, b"") and int(headers["content-length"]) > 1000
    face = preview.board(is_drawn)["cards"]["s1/wolf"]["face"]
    status, headers, content = preview.get(f"pictures/{face}/100.png")
    assert status == 200 and headers["content-type"] == "image/png" and content.startswith(b"\x89PNG")
    assert preview.get("cards/s1/wolf")[0] == 200


def test_nothing_that_is_told_names_a_folder_without_an_editor(preview: Previewed) -> None:
    assert "secret-folder" not in str(preview.board(is_drawn))
    assert b"secret-folder" not in preview.get("cards/s1/wolf")[2]


def test_clients_that_send_nothing_or_read_nothing_keep_nobody_waiting(preview: Previewed) -> None:
    began = time.monotonic()
    idle = [preview.connect() for _ in range(20)]
    slow = [preview.connect() for _ in range(10)]
    for connection in slow:
        connection.sendall(b"GET /")  # and never more
    deaf = preview.connect()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    deaf.sendall(f"GET /{preview.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n\r\n".encode() * 50)
    assert preview.get("")[0] == 200
    assert time.monotonic() - began < server.HEAD_SECONDS  # until then, the server waits for each of them
    for connection in (*idle, *slow, deaf):
        connection.close()
    assert preview.get("")[0] == 200


def test_more_connections_than_there_may_be_are_closed(preview: Previewed) -> None:
    end = time.monotonic() + server.HEAD_SECONDS  # those that may stay are closed then
    many = [preview.connect() for _ in range(server.MAX_CONNECTIONS + 40)]
    closed: set[socket.socket] = set()
    while len(closed) < 40:
        assert time.monotonic() < end
        ready, _, _ = select.select(many, [], [], 0.05)  # they are sent nothing: reading ends
        closed |= {*ready}
    for connection in many:
        connection.close()
    end = time.monotonic() + PATIENCE
    while not (answer := preview.send(b"hello\r\n\r\n")) and time.monotonic() < end:
        time.sleep(0.05)
    assert answer.startswith(b"HTTP/1.1 400")


def test_a_request_is_read_as_it_stands() -> None:
    access = AccessPolicy(8000, "token", "entry")
    head = b"GET /token/cards/s1/wolf HTTP/1.1\r\nHost: localhost:8000"
    assert access.read(head) == Request("cards/s1/wolf", head_only=False, keep_alive=True)
    closing = access.read(head + b"\r\nConnection: close")
    assert closing == Request("cards/s1/wolf", head_only=False, keep_alive=False)
    entry = head.replace(b"token/cards/s1/wolf", b"entry/")
    assert access.read(entry).path is None
    for wrong in (
        head.replace(b"token", b"tokem"),
        entry.replace(b"GET", b"HEAD"),
        entry + b"\r\nSec-Fetch-Site: cross-site",
    ):
        with pytest.raises(Rejected) as refused:
            access.read(wrong)
        assert refused.value.status == 403


def test_a_page_that_is_loaded_again_and_again_gets_its_news_each_time(preview: Previewed) -> None:
    asked = f"GET /{preview.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{preview.port}\r\n\r\n".encode()
    for _ in range(3 * server.MAX_STREAMS):
        with preview.connect() as connection:
            connection.sendall(asked)
            assert connection.recv(12) == b"HTTP/1.1 200"
            while b"\n\n" not in connection.recv(65536):
                pass


def test_the_address_that_a_browser_is_opened_with_leads_to_the_page_only_once() -> None:
    with server.listen_on(None) as served:
        first, second = served.answer(None), served.answer(None)
    assert served.access.entry not in served.address and served.access.entry != served.access.token
    assert (first.status, first.location) == (303, f"/{served.access.token}/")
    assert (second.status, second.location) == (403, "")


def test_a_name_that_is_not_utf_8_is_shown(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        write(folder, {"set.yaml": "name: Test\nedition: 17\n", os.fsdecode(b"caf\xe9.yaml"): CARDS + "  oops: 1\n"})
    except OSError:
        pytest.skip("this system has no names that are not UTF-8")
    with previewed(folder, "--editor", "vscode") as running:
        shown = running.board(lambda shown: bool(shown.get("sets")) and bool(shown["sets"]["s1"]["findings"]))
        (finding,) = shown["sets"]["s1"]["findings"]
        assert finding["file"] == "caf?.yaml" and "/caf%E9/caf%E9.yaml:" in finding["link"]


def test_ctrl_c_ends_it_at_once_with_pages_open(tmp_path: Path) -> None:
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    with previewed(tmp_path) as running:
        pages = [running.events() for _ in range(3)]
        for page in pages:
            next(page)
        status, seconds = running.stop()
        assert status == 130 and seconds < 10  # a tenth of a second on an idle machine; pages hear every 10 s
        assert running.process.stderr and running.process.stderr.read() == "press Ctrl-C to stop\nstopped\n"


INTERRUPTED = """
import signal, sys, threading, time
from render.__main__ import main

def interrupt():
    sys.stdin.readline()
    time.sleep(1)  # until all is drawn and nothing wakes the server
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there a signal cannot be sent to a thread")
def test_ctrl_c_is_noticed_even_if_it_does_not_wake_the_server(tmp_path: Path) -> None:
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    command = [sys.executable, "-c", INTERRUPTED, "preview", "--no-open", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=DEVNULL, stderr=PIPE, text=True) as process:
        assert process.stderr
        begun = process.stderr.readline()
        _, ended = process.communicate("\n", timeout=PATIENCE)
    assert (process.returncode, begun, ended) == (130, "press Ctrl-C to stop\n", "stopped\n")


DROPPED = """
import signal, sys
from render.__main__ import main

class Dropping:
    \"\"\"Sends a Ctrl-C at an import, and drops what it raises, as Python does in callbacks of its own.\"\"\"

    def find_spec(self, name, path=None, target=None):
        if name == "render.preview.server":
            try:
                signal.raise_signal(signal.SIGINT)
            except BaseException:
                pass

sys.meta_path.insert(0, Dropping())
main()
"""


def test_ctrl_c_is_noticed_even_in_a_callback_whose_exceptions_are_dropped(tmp_path: Path) -> None:
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    command = [sys.executable, "-c", DROPPED, "preview", "--no-open", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stderr) == (130, "stopped\n")


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["usual", "ignored"])
def test_a_preview_that_cannot_begin_gives_ctrl_c_back(
    tmp_path: Path, handler: Callable[..., object] | signal.Handlers
) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            result = kotc("preview", "--no-open", "--port", str(taken.getsockname()[1]), tmp_path)
        assert result.exit_code == 3
        assert signal.getsignal(signal.SIGINT) is handler
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_port_that_is_taken_is_said_or_passed_over(tmp_path: Path, preview: Previewed) -> None:
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    with previewed(tmp_path) as other:
        assert other.port != preview.port
    with pytest.raises(AssertionError) as told, previewed(tmp_path, "--port", str(preview.port)):
        pass
    words = (
        f"error: cannot use `port {preview.port}`: another program has it; choose another with --port, or leave it out"
    )
    assert words in str(told.value)
