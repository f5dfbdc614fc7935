"""What an editor waits for: hints and findings of 1000 cards in one file, in CPU time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from lsprotocol import types
from report import Figure, Row
from workload import Bench

from render.lsp.answers import inlay_hints
from render.lsp.checking import IncrementalCheck
from render.lsp.document import EditedDocument, set_of

_SCREEN = 60  # lines that an editor asks hints for
_EDITS = 20
_MS = 1000


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what hints and findings cost after each of some edits of one card, by the median."""
    folder = bench.cards(1000, level="auto")
    file = next(each for each in sorted(folder.glob("*.yaml")) if each.name != "set.yaml")
    text, judge = file.read_text("utf-8"), IncrementalCheck()
    first = _cpu(lambda: judge.findings(folder, {}))
    edits = [text.replace('flavor: "', f'flavor: "{number} ', 1) for number in range(_EDITS)]
    findings = [_cpu(partial(judge.findings, folder, {str(file.resolve()): edit})) for edit in edits]
    hints = [_cpu(partial(_hints, edit, file)) for edit in edits]
    yield Row(
        "editor: 1000 cards in one file, after an edit of one",
        (
            Figure(statistics.median(hints) * _MS, "ms", "of CPU for the hints of a screen", 50),
            Figure(statistics.median(findings), "s", "of CPU for all findings"),
            Figure(first, "s", "of CPU for the findings when the file is opened"),
        ),
    )


def _hints(text: str, file: Path) -> None:
    document = EditedDocument(file, text, set_of(file))
    assert document.edited, "the file is in a set"
    shown = types.Range(types.Position(0, 0), types.Position(_SCREEN, 0))
    inlay_hints(document, types.InlayHintParams(types.TextDocumentIdentifier(file.as_uri()), shown))


def _cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
