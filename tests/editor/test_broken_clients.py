"""A client of the language server that sends what is no message: no traceback, an answer to each request, and it goes on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def message(**content: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


FILE = {"uri": "file:///nowhere/cards.yaml", "version": 2}
HERE = {"line": 0, "character": 0}
CHANGE = {"range": {"start": HERE, "end": HERE}, "text": "x"}
WRONG = {
    "no JSON": b"Content-Length: 5\r\n\r\n{nope",
    "no text": b"Content-Length: 2\r\n\r\n\xff\xfe",
    "a list": b"Content-Length: 5\r\n\r\n[1,2]",
    "nested without end": b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000,
    "a change of a file that was never opened": message(
        method="textDocument/didChange", params={"textDocument": FILE, "contentChanges": [CHANGE]}
    ),
    "the end of a file that was never opened": message(method="textDocument/didClose", params={"textDocument": FILE}),
    "a wrong notification": message(method="textDocument/didOpen", params={"x": 1}),
    "no method": message(id=3),
}


def answers(sent: bytes) -> tuple[dict[int, dict[str, Any]], str]:
    """Return what a server answers by the number of the request, and what it says on standard error."""
    begin = message(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
    begin += message(method="initialized", params={})
    end = message(id=9, method="shutdown") + message(method="exit")
    command = [str(Path(sys.executable).with_name("kotc")), "lsp"]
    done = subprocess.run(command, input=begin + sent + end, capture_output=True, timeout=60, check=False)
    bodies = (part.split(b"Content-Length")[0] for part in done.stdout.split(b"\r\n\r\n")[1:])
    said = [json.loads(body) for body in bodies]
    assert done.returncode == 0
    assert b"KeyError" not in done.stdout, "the client is told of an error of the program"
    return {each["id"]: each for each in said if "id" in each and "method" not in each}, done.stderr.decode()


def test_what_is_no_message_has_no_traceback_and_the_server_goes_on() -> None:
    answered, said = answers(b"".join(WRONG.values()))
    assert "Traceback" not in said
    assert 9 in answered


def test_a_request_with_wrong_parameters_has_an_error_for_an_answer() -> None:
    wrong: tuple[dict[str, Any], ...] = ({"params": {"nonsense": 1}}, {"params": [1, 2]}, {})
    answered, said = answers(
        b"".join(message(id=5 + number, method="textDocument/hover", **given) for number, given in enumerate(wrong))
    )
    assert [answered[5 + number]["error"]["code"] for number in range(len(wrong))] == [-32602] * len(wrong)
    assert "Traceback" not in said


def test_a_message_that_nobody_sends_ends_the_server_in_one_line() -> None:
    answered, said = answers(b"Content-Length: 99999999999\r\n\r\n{}")
    assert [*answered] == [1]
    assert said.splitlines() == [
        "kotc: the client announces a message of 99,999,999,999 bytes, and may send 67,108,864"
    ]


def test_a_change_of_a_file_that_was_never_opened_is_passed_over() -> None:
    change = message(method="textDocument/didChange", params={"textDocument": FILE, "contentChanges": [CHANGE]})
    answered, said = answers(change)
    assert (9 in answered, said) == (True, "")
