"""A real client of the language server, in a process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pytest_lsp.client import LanguageClient, client_capabilities, make_test_lsp_client

from tests.support.repository import ROOT

PATIENCE = 60.0  # seconds for an answer: a loaded machine is slow
Result = TypeVar("Result")


class Editor:
    """An editor with open files."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self._versions: dict[Path, int] = {}

    def open(self, file: Path, text: str | None = None) -> types.TextDocumentIdentifier:
        """Open a file, with a text that is not saved if one is given."""
        self._versions[file] = 1
        said = file.read_bytes().decode("utf-8") if text is None else text
        item = types.TextDocumentItem(file.as_uri(), "yaml", 1, said)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(file.as_uri())

    def change(self, file: Path, text: str, where: types.Range | None = None) -> None:
        """Change a stretch of a file, or all of it, without saving it."""
        self._versions[file] += 1
        document = types.VersionedTextDocumentIdentifier(version=self._versions[file], uri=file.as_uri())
        change: types.TextDocumentContentChangeEvent = types.TextDocumentContentChangeWholeDocument(text)
        if where is not None:
            change = types.TextDocumentContentChangePartial(range=where, text=text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, file: Path) -> None:
        """Close a file."""
        document = types.TextDocumentIdentifier(file.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def shown(self, file: Path) -> list[types.Diagnostic]:
        """Return the findings that are shown for a file."""
        return [*self.client.diagnostics.get(file.as_uri(), ())]

    async def until(self, file: Path, expected: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """Wait until the findings of a file are as expected, and return them."""
        for _ in range(int(PATIENCE / 0.02)):
            if file.as_uri() in self.client.diagnostics and expected(self.shown(file)):
                return self.shown(file)
            await asyncio.sleep(0.02)
        raise AssertionError(f"the findings stay {self.shown(file)}")


@asynccontextmanager
async def editing(*roots: Path, command: tuple[str, ...] = ("-m", "render", "lsp")) -> AsyncIterator[Editor]:
    """Start an editor that shows these folders, and its server; both end with the block."""
    client = make_test_lsp_client()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    await client.start_io(sys.executable, *command, env=environment)
    folders = [types.WorkspaceFolder(root.as_uri(), root.name) for root in roots]
    capabilities = client_capabilities("visual-studio-code")
    await client.initialize_session(
        types.InitializeParams(capabilities=capabilities, process_id=os.getpid(), workspace_folders=folders)
    )
    try:
        yield Editor(client)
    finally:
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call] # pytest-lsp has no type for it


class EditorSession:
    """An editor with its server, for several tests one after another."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._open = editing()
        self.editor = self._runner.run(self._open.__aenter__())

    def run(self, task: Coroutine[None, None, Result]) -> Result:
        """Run what the editor does, and return its result."""

        async def bounded() -> Result:
            return await asyncio.wait_for(task, 2 * PATIENCE)

        return self._runner.run(bounded())

    def end(self) -> None:
        """End the editor and its server."""
        self._runner.run(self._open.__aexit__(None, None, None))
        self._runner.close()
