"""A session with the language server in a process of its own, as an editor has it, with the time of each answer."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from measure import Cost, FailedError, as_installed, cpu_of_session, memory_of_session
from workload import kotc

_PATIENCE = 300.0  # s
_QUIET = 1.5  # s without news, after which no more are expected: checks tell them at least that often at first


class News(NamedTuple):
    """When findings of a file were published, on the clock, in which version of it, and how many."""

    at: float
    version: int
    findings: int


class EditorSession:
    """An open card file, its requests and its edits. FailedError if no answer comes."""

    def __init__(self, file: Path) -> None:
        self.file, self.uri, self.lines = file, file.as_uri(), file.read_text(encoding="utf-8").split("\n")
        self.version = 0
        self.news: list[News] = []
        self._answers: dict[int, Any] = {}
        self._asked = 0
        self._heard: queue.Queue[tuple[float, Any]] = queue.Queue()
        self._process = subprocess.Popen(
            [str(word) for word in kotc("lsp")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=as_installed(),
            start_new_session=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        self._call("initialize", {"processId": None, "rootUri": file.parent.as_uri(), "capabilities": {}})
        self._send("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def open(self) -> float:
        """Open the file, and return when that was."""
        text = {"uri": self.uri, "languageId": "yaml", "version": 0, "text": "\n".join(self.lines)}
        self._send("textDocument/didOpen", {"textDocument": text})
        return time.perf_counter()

    def insert(self, line: int, column: int, words: str) -> float:
        """Write words into a line, and return when that was."""
        self.version += 1
        written = self.lines[line][:column] + words + self.lines[line][column:]
        self.lines[line : line + 1] = written.split("\n")
        place = {"line": line, "character": column}
        change = {"range": {"start": place, "end": place}, "text": words}
        self._send(
            "textDocument/didChange",
            {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]},
        )
        return time.perf_counter()

    def ask(self, method: str, params: Mapping[str, Any]) -> Cost:
        """Return what the answer to a request about the file costs, and what the server does meanwhile."""
        cpu, began = cpu_of_session(self._process.pid), time.perf_counter()
        at = self._call(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params})
        return Cost(at - began, cpu_of_session(self._process.pid) - cpu)

    def until_news(self, before: int = 0) -> float:
        """Wait for findings of this version beside so many before, and return when they came."""
        if not self._hear(lambda: any(each.version == self.version for each in self.news[before:]), _PATIENCE):
            raise FailedError(f"nothing was said of {self.file}")
        return self.news[-1].at

    def until_quiet(self, before: int = 0) -> float:
        """Wait for findings as `until_news`, and until no more come for a while; return when the last ones came."""
        self.until_news(before)
        heard = 0
        while heard < len(self.news):
            heard = len(self.news)
            self._hear(partial(self._has_more, heard), _QUIET)
        return self.news[-1].at

    def _has_more(self, heard: int) -> bool:
        return len(self.news) > heard

    def memory(self) -> float:
        """Return the memory of the server and its workers, in MiB."""
        return memory_of_session(self._process.pid)

    def cpu(self) -> float:
        """Return the s of CPU time that the server and its workers took so far."""
        return cpu_of_session(self._process.pid)

    def _call(self, method: str, params: Mapping[str, Any]) -> float:
        self._asked += 1
        number = self._asked
        self._send(method, params, id=number)
        if not self._hear(lambda: number in self._answers, _PATIENCE) or "error" in self._answers[number][1]:
            raise FailedError(f"no answer to {method}")
        return float(self._answers.pop(number)[0])

    def _send(self, method: str, params: Mapping[str, Any], **more: object) -> None:
        assert self._process.stdin
        content = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self._process.stdin.flush()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream
        while head := stream.readline():
            size = 0
            while head.strip():
                name, _, value = head.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                head = stream.readline()
            content = stream.read(size)
            self._heard.put((time.perf_counter(), json.loads(content)))

    def _hear(self, enough: Callable[[], bool], patience: float) -> bool:
        """Take what the server says until that is enough; return whether it was in time."""
        ends = time.perf_counter() + patience
        while not enough():
            try:
                at, message = self._heard.get(timeout=max(0.0, ends - time.perf_counter()))
            except queue.Empty:
                return False
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == self.uri:
                params = message["params"]
                self.news.append(News(at, params["version"], len(params["diagnostics"])))
            elif "method" not in message:
                self._answers[message["id"]] = at, message
        return True
