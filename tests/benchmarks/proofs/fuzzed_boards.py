"""What `kotc preview` and editors show after random edits is what they show when they begin, and what `check` tells.

`python tests/benchmarks/prove.py fuzzed_boards 0 10` tries ten rows of edits of two games in YAML, without a browser.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from proofs.fuzzed_builds import EditedGame, tried
from proofs.fuzzed_cards import empty_caches
from render.base.findings import Diagnostic
from render.build.watch import Wait
from render.game.sources import check_sets
from render.lsp.checking import IncrementalCheck
from render.preview.state import PreviewState, Watching

_IDLE = 1.0  # seconds that the preview waits for a notice when it has nothing else to do
_Cards = Mapping[str, Mapping[str, object]]


class _Ended(Exception):
    """There are no more edits."""


class _Shown:
    """A preview of a set, which calls `wait` whenever it has shown all there is."""

    def __init__(self, source: Path) -> None:
        self.source, self.board = source, PreviewState()
        self.watching = Watching((source,), self.board)
        self.judge = IncrementalCheck()

    def go_on(self) -> None:
        """Show the set, and whatever changes, until there are no more edits."""
        with suppress(_Ended):
            self.watching.run(self._listening, print)

    @contextmanager
    def _listening(self, folders: Iterable[str]) -> Iterator[Wait]:
        assert [*folders]
        yield self.wait

    def wait(self, seconds: float) -> bool:
        """End at once: one look is enough."""
        raise _Ended(seconds)

    def told(self) -> set[tuple[object, ...]]:
        """Return what the page says is wrong: severity, code, message, line and column."""
        whole = json.loads(json.dumps(self.board.whole()))
        found = [each for card in whole["cards"].values() for each in card["findings"]]
        found += [each for card_set in whole["sets"].values() for each in card_set["findings"]] + whole["wrong"]
        return {_place(*(each.get(key) for key in ("severity", "code", "message", "line", "column"))) for each in found}


class _Edited(_Shown):
    """A preview of a set that is edited whenever all is shown, and compared with one that begins then."""

    def __init__(self, game: EditedGame, seed: int, home: Path, edits: int) -> None:
        super().__init__(home / game.sources[0])
        self.differences = list[str]()
        self._game, self._home, self._chance, self._left = game, home, Random(seed), edits
        self._done = list[str]()

    def wait(self, seconds: float) -> bool:
        """Compare, and edit; but let what is put off, to be read in a moment, be read first."""
        if seconds < _IDLE:
            time.sleep(seconds)
            return False
        self.differences += [f"{self._done}: {found}" for found in _differ(self)]
        if not self._left:
            raise _Ended
        self._left -= 1
        self._done += [self._game.edit(self._home, self._chance) for _ in range(self._chance.choice((1, 1, 1, 2)))]
        return True


def _differ(shown: _Shown) -> Iterator[str]:
    """Yield how what is shown differs from what a preview shows that begins now, and from what `check` finds."""
    empty_caches()
    fresh = _Shown(shown.source)
    fresh.go_on()
    now, then = (json.loads(json.dumps(each.board.whole())) for each in (shown, fresh))
    report = check_sets((shown.source,)).findings
    checked = {
        _place_of(found) for found in report if found.code != "T014"
    }  # of what is not shown, `check` alone speaks
    is_readable = all(view.set for view in fresh.board.views.values())
    yield from _of_cards(now["cards"], then["cards"]) if is_readable else ()
    for name, each in (("shown", shown), ("fresh", fresh)):
        # All that was shown stays while the set or its game cannot be read.
        more = each.told() - checked if is_readable else set()
        if more or checked - each.told():
            yield f"findings {name}\n  {more}\n  {checked - each.told()}"
    judged = {*shown.judge.findings(shown.source, {})}
    if judged != {*report}:
        yield f"in an editor\n  {[*map(_place_of, judged - {*report})]}\n  {[*map(_place_of, {*report} - judged)]}"


def _of_cards(now: _Cards, then: _Cards) -> Iterator[str]:
    """Yield the cards that look otherwise; those with an error keep their last good picture."""
    for key in sorted({*now, *then}):
        one, other = now.get(key, {}), then.get(key, {})
        if one != other and not one.get("stale"):
            yield f"{key}\n  {one}\n  {other}"


def _place_of(found: Diagnostic) -> tuple[object, ...]:
    span = found.span
    return _place(found.severity.value, found.code, found.message, span and span.line, span and span.column)


def _place(severity: object, code: object, message: object, line: object, column: object) -> tuple[object, ...]:
    """Return what is compared of a finding. That a back is missing is told with the card that was laid out first."""
    return (severity, code, message) if code == "T001" else (severity, code, message, line, column)


def differences(game: EditedGame, seed: int, home: Path, edits: int = 8) -> list[str]:
    """Return how the page differs after edits."""
    game.begin(home)
    edited = _Edited(game, seed, home, edits)
    edited.go_on()
    return edited.differences


if __name__ == "__main__":
    sys.exit(1 if tried(differences, int(sys.argv[1]), int(sys.argv[2])) else 0)
