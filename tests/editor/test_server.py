"""The language server, driven by a client of another hand: what is open is checked, explained and mended."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from render.base.findings import sort_findings
from render.game.sources import check_sets
from tests.support.editors import PATIENCE, EditorSession
from tests.support.repository import ROOT
from tests.support.sets import write_set

DOG = "- name: Dög 😀\n  kind: minoin\n  level: 9\n  sp: 1\n  hp: 2\n"
START = types.Position(0, 0)


@pytest.fixture(scope="module")
def session() -> Iterator[EditorSession]:
    begun = EditorSession()
    yield begun
    begun.end()


def codes(diagnostics: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in diagnostics]


@pytest.mark.parametrize("name", ["starter", "eleventh"])
def test_what_is_shown_is_what_check_says(session: EditorSession, tmp_path: Path, name: str) -> None:
    editor = session.editor
    folder = tmp_path.resolve() / name
    shutil.copytree(ROOT / "cards" / name, folder)
    file = min(folder.glob("*.yaml"))
    text = file.read_text("utf-8").replace("kind: ", "kind: x", 3).replace("level: ", "level: 1", 2)
    text = text.replace("name: ", 'flavor: "\n  name: ', 1)
    file.write_text(text, "utf-8")

    expected = sort_findings(check_sets((folder,)).findings)
    said = [each for each in expected if each.span and each.span.file == file]

    async def shown() -> dict[str, list[types.Diagnostic]]:
        editor.open(file)
        await editor.until(file, lambda found: len(found) == len(said))  # a long check says some before
        return {uri: [*each] for uri, each in editor.client.diagnostics.items()}

    found = session.run(shown())
    assert len(said) > 3
    assert [(each.code, each.message, each.range.start.line + 1) for each in found[file.as_uri()]] == [
        (each.code, f"{each.message}\nhint: {each.hint}" if each.hint else each.message, each.span.line)
        for each in said
        if each.span
    ]
    assert sum(len(some) for uri, some in found.items() if uri.startswith(folder.as_uri())) == len(expected)


def test_a_mistake_is_shown_in_units_of_utf_16_and_mended_by_its_correction(
    session: EditorSession, tmp_path: Path
) -> None:
    editor = session.editor
    folder = write_set(tmp_path.resolve() / "mine", "- {name: Cat, kind: spell, level: 2, text: Draw 1 card.}\n")
    file = folder / "cards.yaml"
    text = "- {name: 😀é Cat, kind: spel, level: 2, text: Draw 1 card.}\n"

    async def mended() -> list[types.Diagnostic]:
        document = editor.open(file, text)
        [found] = await editor.until(file, bool)
        units = text.encode("utf-16-le")
        start, end = (2 * each.character for each in (found.range.start, found.range.end))
        assert units[start:end].decode("utf-16-le") == "spel"
        asked = types.CodeActionParams(document, found.range, types.CodeActionContext([found]))
        actions = await editor.client.text_document_code_action_async(asked)
        assert actions
        assert isinstance(actions[0], types.CodeAction)
        assert actions[0].edit
        assert actions[0].edit.changes
        [edit] = actions[0].edit.changes[file.as_uri()]
        editor.change(file, edit.new_text, edit.range)
        return await editor.until(file, lambda found: not found)

    assert session.run(mended()) == []
    assert "spell" in file.read_text("utf-8")  # it was never saved


def test_all_corrections_of_a_file_are_made_at_once(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    folder = write_set(tmp_path.resolve() / "mine", DOG.replace("kind: ", "knd: minion\n  kind: ").replace("9", "7"))
    file = folder / "cards.yaml"

    async def actions() -> list[types.CodeAction]:
        document = editor.open(file, DOG + DOG.replace("Dög", "Cat"))
        await editor.until(file, bool)
        context = types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
        asked = types.CodeActionParams(document, types.Range(START, START), context)
        found = await editor.client.text_document_code_action_async(asked)
        return [each for each in found or () if isinstance(each, types.CodeAction)]

    [action] = session.run(actions())
    assert action.edit
    assert action.edit.changes
    assert [edit.new_text for edit in action.edit.changes[file.as_uri()]] == ["minion", "minion"]


def test_other_files_of_the_set_are_shown_too_and_pictures_come_and_go(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    folder = write_set(
        tmp_path.resolve() / "mine", "- {name: Cat, kind: spell, level: 2, text: Draw 1 card., art: a.svg}\n"
    )
    other = folder / "other.yaml"
    other.write_text("- {name: Dog, kind: spel, level: 2, text: Draw 1 card.}\n", "utf-8")

    async def seen() -> None:
        editor.open(folder / "cards.yaml")
        assert codes(await editor.until(folder / "cards.yaml", bool)) == ["A001"]
        assert codes(await editor.until(other, bool)) == ["C007"]
        drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="9" height="9"/></svg>'
        (folder / "a.svg").write_text(drawing, "utf-8")
        await editor.until(folder / "cards.yaml", lambda found: "A001" not in codes(found))
        (folder / "a.svg").unlink()
        await editor.until(folder / "cards.yaml", lambda found: "A001" in codes(found))
        other.unlink()
        await editor.until(other, lambda found: not found)

    session.run(seen())


def test_what_one_open_file_says_counts_for_the_others(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    folder = write_set(tmp_path.resolve() / "mine", "- {name: Cat, kind: spell, level: 2, text: Draw 1 card.}\n")

    async def seen() -> None:
        editor.open(folder / "cards.yaml")
        editor.open(folder / "set.yaml")
        assert codes(await editor.until(folder / "cards.yaml", lambda found: not found)) == []
        editor.change(folder / "set.yaml", "name: Test\nedition: 9\n")
        assert "C003" in codes(await editor.until(folder / "cards.yaml", bool))
        editor.close(folder / "set.yaml")  # not saved, so it is what it was
        await editor.until(folder / "cards.yaml", lambda found: not found)

    session.run(seen())


def test_a_deck_is_checked_with_the_cards_of_its_sets(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    write_set(tmp_path.resolve() / "mine", "- {name: Cat, kind: spell, level: 2, text: Draw 1 card.}\n")
    file = tmp_path.resolve() / "deck.yaml"
    file.write_text("name: Deck\nedition: 17\nsets: [mine]\ncards: {ca: 2}\n", "utf-8")

    async def shown() -> list[object]:
        editor.open(file)
        return codes(await editor.until(file, bool))

    assert "B022" in session.run(shown())


def test_every_request_has_an_answer(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    folder = write_set(tmp_path.resolve() / "mine", "- name: Cat\n  kind: spell\n  level: auto\n  text: Draw 1 card.\n")
    file = folder / "cards.yaml"

    async def answers() -> list[object]:
        document, client = editor.open(file), editor.client
        whole = types.Range(START, types.Position(99, 0))
        return [
            await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole)),
            await client.text_document_hover_async(types.HoverParams(document, types.Position(2, 3))),
            await client.text_document_completion_async(types.CompletionParams(document, types.Position(1, 8))),
            await client.text_document_definition_async(types.DefinitionParams(document, types.Position(1, 9))),
            await client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
            await client.workspace_symbol_async(types.WorkspaceSymbolParams("cat")),
            await client.text_document_document_link_async(types.DocumentLinkParams(document)),
        ]

    *found, links = session.run(answers())
    assert all(found)
    assert not links


HOSTILE = [
    "",
    "\ufeff",
    "- [" * 500,
    "\ud800",
    "\x00\ud7ff\r\r\n\t",
    "- name: &a *a\n",
    "%YAML 9\n---\n---\n",
    "😀" * 2000,
    "a" * 100_000,
]


def test_no_text_and_no_place_ends_the_server(session: EditorSession, tmp_path: Path) -> None:
    editor = session.editor
    folder = write_set(tmp_path.resolve() / "mine", DOG)
    file, far = folder / "cards.yaml", types.Position(4_000_000, 4_000_000)

    async def asked() -> list[types.Diagnostic]:
        document, client = editor.open(file), editor.client
        for text in HOSTILE:
            editor.change(file, text)
            for place in (START, types.Position(0, 3), far):
                await client.text_document_hover_async(types.HoverParams(document, place))
                await client.text_document_completion_async(types.CompletionParams(document, place))
                await client.text_document_definition_async(types.DefinitionParams(document, place))
            await client.text_document_inlay_hint_async(types.InlayHintParams(document, types.Range(START, far)))
            await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        for odd in (
            "untitled:Untitled-1",
            "file:///no/such/place.yaml",
            "file:///%00.yaml",
            "zip:/x.yaml",
            "file://[x.yaml",
        ):
            item = types.TextDocumentItem(odd, "yaml", 1, "- name: x\n")
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))
            at = types.HoverParams(types.TextDocumentIdentifier(odd), START)
            await client.text_document_hover_async(at)
        editor.change(file, "- name: x\n" * 200_000)
        assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        shutil.rmtree(folder)
        await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        write_set(folder, DOG)
        editor.change(file, DOG)
        return await editor.until(file, lambda found: "C007" in codes(found))

    assert session.run(asked())


def test_without_its_package_the_command_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['pygls'] = None\nfrom render.cli.main import main\nmain(['lsp'])"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "pip install 'kotc[lsp]'" in said.stderr


def test_it_ends_when_the_editor_is_gone_and_prints_nothing_else() -> None:
    command = [sys.executable, "-m", "render", "lsp"]
    said = subprocess.run(command, cwd=ROOT, input=b"", capture_output=True, timeout=60, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to whole consoles")
def test_it_ends_at_once_with_ctrl_c_while_the_editor_is_silent() -> None:
    asked = b'{"jsonrpc": "2.0", "id": 1, "method": "no/such", "params": {}}'
    command = [sys.executable, "-m", "render", "lsp"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(asked), asked))
        server.stdin.flush()
        server.stdout.readline()  # it is up
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=PATIENCE) == 130


INTERRUPTED = """
import signal, threading, time
from render.__main__ import main

def interrupt():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.01)
    time.sleep(1)  # until it waits for the editor
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="there a signal cannot be sent to a thread")
def test_it_ends_with_ctrl_c_even_if_that_does_not_wake_it() -> None:
    command = [sys.executable, "-c", INTERRUPTED, "lsp"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.wait(timeout=PATIENCE) == 130
