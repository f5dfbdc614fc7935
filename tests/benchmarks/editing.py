"""What an editor waits for: hints and findings of 1000 cards in one file, and all that it asks of the largest one.

    python tests/benchmarks/editing.py FOLDER

measures a set by itself, whose cards lie in `cards.yaml`, and says each figure.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from editor_session import EditorSession
from games import game_in_yaml
from lsprotocol import types
from measure import Cost
from report import Figure, Row
from workload import BENCH, Bench

from render.lsp.answers import inlay_hints
from render.lsp.checking import IncrementalCheck
from render.lsp.document import EditedDocument, set_of

_SCREEN = 60  # lines that an editor asks hints for
_EDITS = 20
_MS = 1000

_LARGEST, _LARGEST_IN_YAML = 1810, 3000  # cards of a file of 1 MB
_MANY_EDITS = 300
_CHECKED = 5  # edits until findings are waited for
_ANSWER, _MEMORY = 1.0, 300.0  # s and MiB: the most that it should be


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
    made = bench.new("largest")
    subprocess.run([sys.executable, BENCH / "make_set.py", made, str(_LARGEST)], check=True)
    yield _row("editor: a file of 1 MB", edited(made))
    in_yaml = game_in_yaml(bench.new("largest-in-yaml"), made, _LARGEST_IN_YAML)
    yield _row("editor: a file of 1 MB of a game in YAML", edited(in_yaml))


def _row(work: str, figures: Sequence[Figure]) -> Row:
    """Return the figures of a file without those of each single request."""
    return Row(work, tuple(figure for figure in figures if figure.most is not None or figure.unit != "ms"))


def edited(folder: Path) -> list[Figure]:
    """Return what answers about the card file of a set take, right after it was opened and later, and what edits take.

    The kind of its first card is wrong, so that there is a finding.
    """
    file, figures = (folder / "cards.yaml").resolve(), list[Figure]()
    with EditorSession(file) as session:
        began = _opened(session)
        figures.append(Figure(session.until_news() - began, "s", "until the first finding", _ANSWER))
    with EditorSession(file) as session:
        began = _opened(session)
        figures += _of_answers("while it is opened", _asked(session))
        figures.append(Figure(session.until_quiet() - began, "s", "until all findings"))
        figures += _of_answers("later", _asked(session))
        edits = [_edit(session, number) for number in range(4)]
        figures.append(Figure(statistics.median(cost.wall for cost in edits), "s", "from an edit to its findings"))
        figures.append(Figure(statistics.median(cost.cpu for cost in edits), "s", "of CPU for them"))
        for number in range(_MANY_EDITS):
            before = len(session.news)
            _change(session, number)
            session.ask("hover", {"position": {"line": len(session.lines) // 2, "character": 12}})
            if number % _CHECKED == 0:
                _asked(session)
                session.until_quiet(before)
        figures.append(Figure(session.memory(), "MiB", f"after {_MANY_EDITS} edits", _MEMORY))
    return figures


def _opened(session: EditorSession) -> float:
    """Open the file with a mistake in its first card, and return when that was."""
    wrong = next(number for number, line in enumerate(session.lines) if line.lstrip().startswith("kind:"))
    session.lines[wrong] = session.lines[wrong].replace('"', '"x', 1)
    return session.open()


def _of_answers(when: str, costs: Mapping[str, Cost]) -> Iterator[Figure]:
    for name, cost in costs.items():
        yield Figure(cost.wall * _MS, "ms", f"for {name} {when}")
        yield Figure(cost.cpu * _MS, "ms", f"of CPU for {name} {when}")
    slowest = max(costs.values(), key=lambda cost: cost.wall)
    yield Figure(slowest.wall, "s", f"for the slowest answer {when}", _ANSWER)


def _asked(session: EditorSession) -> dict[str, Cost]:
    """Ask all that editors ask about the middle of a file."""
    line = _line_of_text(session, len(session.lines) // 2)
    place, screen = {"line": line, "character": 12}, {"start": {"line": line - 20, "character": 0}}
    screen["end"] = {"line": line + 40, "character": 0}
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "hover": ("hover", {"position": place}),
        "outline": ("documentSymbol", {}),
        "completion": ("completion", {"position": place}),
        "definition": ("definition", {"position": place}),
        "code actions": ("codeAction", {"range": screen, "context": {"diagnostics": []}}),
        "hints": ("inlayHint", {"range": screen}),
        "links": ("documentLink", {}),
    }
    return {name: session.ask(method, params) for name, (method, params) in asked.items()}


def _edit(session: EditorSession, number: int) -> Cost:
    """Return what the findings after an edit cost."""
    cpu, before = session.cpu(), len(session.news)
    at = _change(session, number)
    return Cost(session.until_quiet(before) - at, session.cpu() - cpu)


def _change(session: EditorSession, number: int) -> float:
    """Write into one card, or a random one, or a new line above all."""
    chance = random.Random(number)
    if number % 10 == 9:
        return session.insert(0, 0, "# one\n")
    lines = len(session.lines)
    line = _line_of_text(session, lines // 2 if number % 2 else chance.randrange(lines // 2))
    return session.insert(line, session.lines[line].index('"') + 1, chance.choice(["one ", "two ", "three "]))


def _line_of_text(session: EditorSession, start: int) -> int:
    numbers = range(start, len(session.lines))
    return next(number for number in numbers if session.lines[number].lstrip().startswith(("flavor:", "rules_text:")))


def _hints(text: str, file: Path) -> None:
    document = EditedDocument(file, text, set_of(file))
    assert document.edited, "the file is in a set"
    shown = types.Range(types.Position(0, 0), types.Position(_SCREEN, 0))
    inlay_hints(document, types.InlayHintParams(types.TextDocumentIdentifier(file.as_uri()), shown))


def _cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    for figure in edited(Path(sys.argv[1])):
        print(figure, flush=True)
