"""The language server: the protocol over standard streams, by way of pygls."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from render import __version__
from render.base.findings import Finding, Severity, reason
from render.base.interrupts import end_at_interrupt
from render.base.limits import YAML_FILE
from render.lsp import answers
from render.lsp.checking import YAML, Findings, OpenFiles
from render.lsp.completion import complete
from render.lsp.document import EditedDocument, line_map, set_of

MAX_MESSAGE = 64 << 20  # bytes: an editor sends texts of 1 MiB, and a client that says more is lost in its own stream
_SWITCH_INTERVAL = 0.0005  # seconds of one thread while another waits

# --- the server -----------------------------------------------------------------------------------------------------


class _Protocol(LanguageServerProtocol):
    """Counts in units of UTF-16 with every client, which all of them must be able to do, and survives broken ones."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        _change(params)  # pygls would end lines where the protocol does not, such as at U+2028

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as a value; of one that is none, nothing, and a request gets its answer."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), str | int):
                self._send_response(data["id"], error=error.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        if hasattr(message, "jsonrpc"):
            super().handle_message(message)


class CardServer(LanguageServer):
    """The server: it knows the addresses of open files as the client writes them, and publishes what is found."""

    def __init__(self) -> None:
        super().__init__("kotc", __version__, protocol_cls=_Protocol)
        self.files = OpenFiles(self._publish, self._log)
        self.opened: dict[Path, types.VersionedTextDocumentIdentifier] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    def uri_of(self, file: Path) -> str:
        """Return the address of a file as the client writes it."""
        return self.opened[file].uri if file in self.opened else file.absolute().as_uri()

    def _publish(self, findings: Findings) -> None:
        """Send the findings of files; called by the thread that checks."""
        diagnostics = {
            file: [_diagnostic(finding, self.files.text(file)) for finding in some] for file, some in findings.items()
        }

        def send() -> None:
            for file, some in diagnostics.items():
                version = self.opened[file].version if file in self.opened else None
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(self.uri_of(file), some, version=version)
                )
            support = self.client_capabilities.workspace
            if support and support.inlay_hint and support.inlay_hint.refresh_support:
                self.workspace_inlay_hint_refresh(None)

        self._call_in_loop(send)

    def _log(self, message: str) -> None:
        params = types.LogMessageParams(types.MessageType.Error, message)
        self._call_in_loop(lambda: self.window_log_message(params))

    def _call_in_loop(self, send: Callable[[], None]) -> None:
        # Only the thread of the loop may write to the client.
        if self.loop is not None:
            with suppress(RuntimeError):  # it has ended
                self.loop.call_soon_threadsafe(send)


SERVER = CardServer()

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.UNSURE: types.DiagnosticSeverity.Information,
}


def _diagnostic(finding: Finding, text: str | None) -> types.Diagnostic:
    start = types.Position(0, 0)
    where = line_map(text).range_of(finding.span) if finding.span and text is not None else types.Range(start, start)
    return types.Diagnostic(
        range=where,
        message=finding.message + (f"\nhint: {finding.hint}" if finding.hint else ""),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source="kotc",
        data={"instead": finding.instead} if finding.instead else None,
    )


# --- requests -------------------------------------------------------------------------------------------------------

_TRIGGERS = [":", " ", "-", "/", ".", ";", "→", '"', "{", "["]
_FIXES: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, answers.FIX_ALL]


def _register(
    feature: str, answer: Callable[[EditedDocument, Any], Any], options: Any = None, *, in_thread: bool = False
) -> None:
    """Let requests about files of this machine in YAML be answered; others have no answer.

    A file that checks refuse for its size has none either: its outline alone would take half a minute.
    """

    def handle(params: Any) -> Any:
        file, files = file_of(params.text_document.uri), SERVER.files
        if file is None or file.suffix.lower() not in YAML:
            return None
        with files.reading():
            text = files.text(file)
            if text is None or len(text) > YAML_FILE.most:
                return None
            document = EditedDocument(file, text, set_of(file), files.findings(file, text), SERVER.uri_of)
            return answer(document, params)

    SERVER.feature(feature, options)(SERVER.thread()(handle) if in_thread else handle)


_register(types.TEXT_DOCUMENT_COMPLETION, complete, types.CompletionOptions(trigger_characters=_TRIGGERS))
_register(types.TEXT_DOCUMENT_HOVER, answers.hover)
_register(types.TEXT_DOCUMENT_CODE_ACTION, answers.corrections, types.CodeActionOptions(code_action_kinds=_FIXES))
_register(types.TEXT_DOCUMENT_DEFINITION, answers.definitions)
_register(types.TEXT_DOCUMENT_INLAY_HINT, answers.inlay_hints, in_thread=True)
_register(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answers.outline, in_thread=True)
_register(types.TEXT_DOCUMENT_DOCUMENT_LINK, answers.links, in_thread=True)


@SERVER.feature(types.WORKSPACE_SYMBOL)
@SERVER.thread()
def _workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    with SERVER.files.reading():
        return answers.find_cards(SERVER.files.sets(), params.query, SERVER.uri_of)


# --- notifications --------------------------------------------------------------------------------------------------


@SERVER.feature(types.INITIALIZED)
async def _initialized(params: types.InitializedParams) -> None:
    SERVER.loop = asyncio.get_running_loop()
    _take_folders(params)


@SERVER.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
def _take_folders(_: object) -> None:
    uris = [folder.uri for folder in SERVER.workspace.folders.values()]
    root = SERVER.workspace.root_uri
    files = map(file_of, uris or ([root] if root else []))
    SERVER.files.roots = [file for file in files if file is not None]


@SERVER.feature(types.TEXT_DOCUMENT_DID_OPEN)
def _open(params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    file = file_of(document.uri)
    if file is not None and file.suffix.lower() in YAML:
        SERVER.opened[file] = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        SERVER.files.put(file, document.text)


def _change(params: types.DidChangeTextDocumentParams) -> None:
    file = file_of(params.text_document.uri)
    if file not in SERVER.opened or file is None:
        return
    text = SERVER.files.text(file) or ""
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            text = change.text
        else:
            start, end = map(line_map(text).offset, (change.range.start, change.range.end))
            text = text[:start] + change.text + text[max(start, end) :]
    SERVER.opened[file] = params.text_document
    SERVER.files.put(file, text)


@SERVER.feature(types.TEXT_DOCUMENT_DID_SAVE)
def _save(params: types.DidSaveTextDocumentParams) -> None:
    SERVER.files.touch(file_of(params.text_document.uri))


@SERVER.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def _close(params: types.DidCloseTextDocumentParams) -> None:
    file = file_of(params.text_document.uri)
    if file is not None:
        SERVER.files.put(file, None)
        SERVER.opened.pop(file, None)


@SERVER.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _touch_all(_: types.DidChangeWatchedFilesParams) -> None:
    SERVER.files.touch()


def file_of(uri: str) -> Path | None:
    """Return the file or folder of an address; None if it is none on this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # `file://[x`
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if os.name == "nt":
        path = path.lstrip("/") if path[2:3] == ":" else path
        path = f"//{parts.netloc}{path}" if parts.netloc else path
    return Path(path) if parts.scheme == "file" and path and "\0" not in path else None


# --- running --------------------------------------------------------------------------------------------------------


class _Client:
    """The stream of a client, which ends where it announces a message that nobody sends."""

    def __init__(self, stream: BinaryIO) -> None:
        self.readline, self._stream = stream.readline, stream

    def read(self, size: int) -> bytes:
        if size <= MAX_MESSAGE:
            return self._stream.read(size)
        sys.stderr.write(f"kotc: the client announces a message of {size:,} bytes, and may send {MAX_MESSAGE:,}\n")
        return b""


def _log_in_one_line(record: logging.LogRecord) -> bool:
    """Leave what a client sent wrong in one line, without a traceback of the program; it is a filter of logs."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, ValueError | RecursionError):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {reason(error)}", (), None
    elif record.msg.startswith("Unable to deserialize message"):
        record.msg, record.args = "Unable to deserialize message", ()
    return True


def serve(client: BinaryIO, out: BinaryIO) -> None:
    """Answer a client until it says `exit`, closes its stream, or Ctrl-C."""
    for name in ("pygls.io_", "pygls.server", "pygls.protocol.json_rpc"):
        logging.getLogger(name).addFilter(_log_in_one_line)
    threading.Thread(target=SERVER.files.work, name="checks", daemon=True).start()
    # Answers ask the disk, and each time that lets the thread go on that checks: until Python takes its turn from it
    # again, which is 5 ms as a rule, the editor would wait, dozens of times for one answer.
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        with end_at_interrupt():  # a thread that waits for the client cannot be woken, and would keep the process
            SERVER.start_io(cast("BinaryIO", _Client(client)), out)
    finally:
        SERVER.files.end()


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of the protocol. What anything else prints goes to standard error from now on."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sys.stdin.buffer, out
