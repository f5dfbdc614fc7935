"""The language server protocol over standard streams, by way of pygls: no other module knows either of them."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from render import __version__
from render.base.findings import Finding, Severity, reason
from render.base.interrupts import end_at_interrupt
from render.lsp import completing, fixes, hints, hovering, navigation, outlines
from render.lsp.answers import AnswerSort, Completion, Correction, OutlineEntry
from render.lsp.sources.pieces import line_map
from render.lsp.sources.places import LineMap, Spot, Stretch
from render.lsp.workspace import YAML, Findings, Workspace
from render.source.reader import LARGEST_FILE

SOURCE = "kotc"
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.kotc"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.UNSURE: types.DiagnosticSeverity.Information,
}
_COMPLETIONS = {
    AnswerSort.KEY: types.CompletionItemKind.Property,
    AnswerSort.WORD: types.CompletionItemKind.EnumMember,
    AnswerSort.FILE: types.CompletionItemKind.File,
    AnswerSort.CARD: types.CompletionItemKind.Reference,
    AnswerSort.PHRASE: types.CompletionItemKind.Snippet,
}
_START = types.Range(types.Position(0, 0), types.Position(0, 0))

_TURN = 0.0005  # seconds of one thread while another waits

Answer = TypeVar("Answer")


class _Protocol(LanguageServerProtocol):
    """Counts in units of UTF-16 with every client, which all of them must be able to do."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        if unquote(params.text_document.uri) in self.workspace.text_documents:  # else it was never opened
            yield from super().lsp_text_document__did_change(params)

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


def _in_one_line(record: logging.LogRecord) -> bool:
    """Leave what a client sent wrong in one line, without a traceback of the program; it is a filter of logs."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, ValueError | RecursionError):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {reason(error)}", (), None
    elif record.msg.startswith("Unable to deserialize message"):
        record.msg, record.args = "Unable to deserialize message", ()
    return True


MAX_MESSAGE = 64 << 20  # bytes: an editor sends texts of 1 MiB, and a client that says more is lost in its own stream


class _Client:
    """The stream of a client, which ends where it announces a message that nobody sends."""

    def __init__(self, stream: BinaryIO) -> None:
        self.readline, self._stream = stream.readline, stream

    def read(self, size: int) -> bytes:
        if size <= MAX_MESSAGE:
            return self._stream.read(size)
        sys.stderr.write(f"kotc: the client announces a message of {size:,} bytes, and may send {MAX_MESSAGE:,}\n")
        return b""


class CardServer(LanguageServer):
    """The server: it knows the addresses of open files as the client writes them."""

    def __init__(self) -> None:
        super().__init__("kotc", __version__, protocol_cls=_Protocol)
        self.files = Workspace(self._publish, self._say)
        self.addresses: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}
        self.at: asyncio.AbstractEventLoop | None = None  # where it runs

    def address(self, file: Path) -> str:
        """Return the address of a file as the client writes it."""
        return self.addresses.get(file) or file.absolute().as_uri()

    def _say(self, words: str) -> None:
        self._later(lambda: self.window_log_message(types.LogMessageParams(types.MessageType.Error, words)))

    def _publish(self, findings: Findings) -> None:
        """Send the findings of files; called by the thread that checks."""
        ready = {file: [_diagnostic(each, self.files.text(file)) for each in some] for file, some in findings.items()}
        self._later(lambda: self._send(ready))

    def _send(self, ready: dict[Path, list[types.Diagnostic]]) -> None:
        for file, diagnostics in ready.items():
            version = self.versions.get(file)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(self.address(file), diagnostics, version=version)
            )
        support = self.client_capabilities.workspace
        if support and support.inlay_hint and support.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _later(self, send: Callable[[], None]) -> None:
        # Only the thread of the loop may write to the client.
        if self.at is not None:
            with suppress(RuntimeError):  # it has ended
                self.at.call_soon_threadsafe(send)


def _diagnostic(finding: Finding, text: str | None) -> types.Diagnostic:
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    data = {"instead": finding.instead} if finding.instead else None
    where = _range(line_map(text).of_span(finding.span)) if finding.span and text is not None else _START
    return types.Diagnostic(
        range=where,
        message=f"{finding.message}{hint}",
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        data=data,
    )


# --- between the protocol and us ------------------------------------------------------------------------------------


def _range(stretch: Stretch) -> types.Range:
    return types.Range(_position(stretch.start), _position(stretch.end))


def _position(spot: Spot) -> types.Position:
    return types.Position(spot.line, spot.character)


def _spot(position: types.Position) -> Spot:
    return Spot(position.line, position.character)


def _stretch(found: types.Range) -> Stretch:
    return Stretch(_spot(found.start), _spot(found.end))


def file_of(address: str) -> Path | None:
    """Return the file of an address; None if it is none on this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:  # `file://[x`
        return None
    if parts.scheme != "file":
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if os.name == "nt":
        path = path.lstrip("/") if path[2:3] == ":" else path
        path = f"//{parts.netloc}{path}" if parts.netloc else path
    return Path(path) if path and "\0" not in path else None


def changed_text(text: str, change: types.TextDocumentContentChangeEvent) -> str:
    """Return a text after a change that the client made."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return change.text
    lines = LineMap(text)
    start, end = (lines.offset(_spot(each)) for each in (change.range.start, change.range.end))
    return text[:start] + change.text + text[max(start, end) :]


# --- what the client asks -------------------------------------------------------------------------------------------


def _answering(
    answer: Callable[[CardServer, Any, Path, str], Answer],
) -> Callable[[CardServer, Any], Answer | None]:
    """Return a handler of requests about a file; without an answer for what is no file, or not read by us.

    A file that checks refuse for its size has none either: its outline alone would take half a minute.
    """

    @wraps(answer)
    def handler(server: CardServer, params: Any) -> Answer | None:
        file = file_of(params.text_document.uri)
        if file is None or file.suffix.lower() not in YAML:
            return None
        with server.files.reading():
            text = server.files.text(file)
            return None if text is None or len(text) > LARGEST_FILE else answer(server, params, file, text)

    return handler


def make_server() -> CardServer:
    """Return the server with all that it can do."""
    server = CardServer()
    _add_texts(server)
    feature, thread = server.feature, server.thread
    options = types.CompletionOptions(trigger_characters=[":", " ", "-", "/", ".", ";", "→", '"', "{", "["])
    feature(types.TEXT_DOCUMENT_COMPLETION, options)(_completion)
    feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    feature(types.TEXT_DOCUMENT_INLAY_HINT)(thread()(_inlay_hints))
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_code_actions)
    feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(thread()(_document_symbols))
    feature(types.WORKSPACE_SYMBOL)(thread()(_workspace_symbols))
    feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(thread()(_document_links))
    return server


@_answering
def _completion(server: CardServer, params: types.CompletionParams, file: Path, text: str) -> types.CompletionList:
    found = completing.completions(text, file, server.files.view(file), _spot(params.position))
    items = [_item(number, each) for number, each in enumerate(found)]
    return types.CompletionList(is_incomplete=False, items=items)


def _item(number: int, each: Completion) -> types.CompletionItem:
    words = types.MarkupContent(types.MarkupKind.Markdown, each.words) if each.words else None
    plain = types.InsertTextFormat.Snippet if each.snippet else types.InsertTextFormat.PlainText
    return types.CompletionItem(
        label=each.label,
        kind=_COMPLETIONS[each.sort],
        detail=each.beside or None,
        documentation=words,
        sort_text=f"{number:05}",
        insert_text_format=plain,
        text_edit=types.TextEdit(_range(each.stretch), each.new),
    )


@_answering
def _hover(server: CardServer, params: types.HoverParams, file: Path, text: str) -> types.Hover | None:
    said = hovering.hover(text, file, server.files.view(file), _spot(params.position))
    if said is None:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said.words), _range(said.stretch))


@_answering
def _inlay_hints(
    server: CardServer, params: types.InlayHintParams, file: Path, text: str
) -> list[types.InlayHint] | None:
    view = server.files.view(file)
    if view is None:
        return None
    found = hints.inlay_hints(text, file, view, params.range.start.line, params.range.end.line)
    return [
        types.InlayHint(
            types.Position(each.line, each.character), each.word, tooltip=each.about or None, padding_left=True
        )
        for each in found
    ]


@_answering
def _code_actions(server: CardServer, params: types.CodeActionParams, file: Path, text: str) -> list[types.CodeAction]:
    findings = server.files.findings(file, text)
    found = fixes.corrections(findings, line_map(text), _stretch(params.range))
    address = params.text_document.uri
    actions = [_action(each, params, address) for each in found]
    actions += [_action(each, params, address, kind=FIX_ALL) for each in found if each.for_file]
    only = params.context.only
    return [each for each in actions if only is None or any(_is_kind(each, wanted) for wanted in only)]


def _is_kind(action: types.CodeAction, wanted: types.CodeActionKind | str) -> bool:
    kind, asked = str(getattr(action.kind, "value", action.kind)), str(getattr(wanted, "value", wanted))
    return not asked or kind == asked or kind.startswith(f"{asked}.")


def _action(
    each: Correction, params: types.CodeActionParams, address: str, kind: str = types.CodeActionKind.QuickFix.value
) -> types.CodeAction:
    edits = [types.TextEdit(_range(stretch), words) for stretch, words in each.edits]
    where = [edit.range for edit in edits]
    mended = [one for one in params.context.diagnostics if one.code in each.codes and one.range in where]
    return types.CodeAction(
        title=each.title,
        kind=kind,
        diagnostics=mended or None,
        is_preferred=not each.for_file,
        edit=types.WorkspaceEdit(changes={address: edits}),
    )


@_answering
def _definition(server: CardServer, params: types.DefinitionParams, file: Path, text: str) -> list[types.Location]:
    found = navigation.definitions(text, file, server.files.view(file), _spot(params.position))
    return [types.Location(server.address(each.file), _range(each.stretch)) for each in found]


@_answering
def _document_symbols(
    server: CardServer, _: types.DocumentSymbolParams, file: Path, text: str
) -> list[types.DocumentSymbol]:
    return [_symbol(each) for each in outlines.outline(text, file, server.files.view(file))]


def _symbol(entry: OutlineEntry) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=entry.name,
        detail=entry.beside or None,
        kind=types.SymbolKind.Object if entry.sort is AnswerSort.CARD else types.SymbolKind.Key,
        range=_range(entry.stretch),
        selection_range=_range(entry.name_stretch),
        children=[_symbol(each) for each in entry.inner] or None,
    )


def _workspace_symbols(server: CardServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    with server.files.reading():
        found = list(outlines.found_cards(server.files.views(), params.query))
    return [
        types.WorkspaceSymbol(
            location=types.Location(server.address(each.place.file), _range(each.place.stretch)),
            name=each.name,
            kind=types.SymbolKind.Object,
            container_name=each.set_name,
        )
        for each in found
    ]


@_answering
def _document_links(server: CardServer, _: types.DocumentLinkParams, file: Path, text: str) -> list[types.DocumentLink]:
    found = navigation.links(text, file, server.files.view(file))
    return [types.DocumentLink(_range(each.stretch), target=each.file.as_uri()) for each in found]


# --- what the client tells ------------------------------------------------------------------------------------------


def _add_texts(server: CardServer) -> None:
    feature = server.feature
    feature(types.INITIALIZED)(_initialized)
    feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_watched)
    feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders_changed)


async def _initialized(server: CardServer, _: types.InitializedParams) -> None:
    server.at = asyncio.get_running_loop()
    _take_folders(server)


def _take_folders(server: CardServer) -> None:
    folders: Iterable[types.WorkspaceFolder] = server.workspace.folders.values()
    addresses: Sequence[str] = [each.uri for each in folders]
    root = server.workspace.root_uri
    found = [file_of(each) for each in (addresses or ([root] if root else []))]
    server.files.roots = [each for each in found if each is not None]


def _folders_changed(server: CardServer, _: types.DidChangeWorkspaceFoldersParams) -> None:
    _take_folders(server)


def _opened(server: CardServer, params: types.DidOpenTextDocumentParams) -> None:
    file = file_of(params.text_document.uri)
    if file is not None and file.suffix.lower() in YAML:
        server.addresses[file] = params.text_document.uri
        server.versions[file] = params.text_document.version
        server.files.put(file, params.text_document.text)


def _changed(server: CardServer, params: types.DidChangeTextDocumentParams) -> None:
    file = file_of(params.text_document.uri)
    text = server.files.text(file) if file in server.versions and file is not None else None
    if file is None or text is None:
        return
    for change in params.content_changes:
        text = changed_text(text, change)
    server.versions[file] = params.text_document.version
    server.files.put(file, text)


def _saved(server: CardServer, params: types.DidSaveTextDocumentParams) -> None:
    server.files.touch(file_of(params.text_document.uri))


def _closed(server: CardServer, params: types.DidCloseTextDocumentParams) -> None:
    file = file_of(params.text_document.uri)
    if file is not None:
        server.versions.pop(file, None)
        server.files.drop(file)


def _watched(server: CardServer, _: types.DidChangeWatchedFilesParams) -> None:
    server.files.touch()


# --- running --------------------------------------------------------------------------------------------------------


def serve(client: BinaryIO, out: BinaryIO) -> None:
    """Answer a client until it says `exit`, closes its stream, or Ctrl-C."""
    server = make_server()
    for name in ("pygls.io_", "pygls.server", "pygls.protocol.json_rpc"):
        logging.getLogger(name).addFilter(_in_one_line)
    worker = threading.Thread(target=server.files.work, name="checks", daemon=True)
    worker.start()
    # Answers ask the disk, and each time that lets the thread go on that checks: until Python takes its turn from it
    # again, which is 5 ms as a rule, the editor would wait, dozens of times for one answer.
    sys.setswitchinterval(_TURN)
    try:
        with end_at_interrupt():  # a thread that waits for the client cannot be woken, and would keep the process
            server.start_io(cast("BinaryIO", _Client(client)), out)
    finally:
        server.files.end()


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of the protocol. What anything else prints goes to standard error from now on."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sys.stdin.buffer, out
