"""The loop that keeps the board true: it waits for changes, and shows what was edited before it reads all again."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from render.base.caches import clear_caches
from render.base.findings import Finding, sort_findings
from render.build.watch import LATER, SOON, ChangeWatcher, Listen, Snapshot, has_watchfiles, listen
from render.game.folder import SetFiles
from render.preview.board import Board
from render.preview.set_view import SetView, at_work

_PAUSE = 0.08  # seconds between two looks at the files where the system gives no notice of changes
_REMEMBERED = 200  # changes until all caches are emptied, as a watch does
_PATIENCE = 0.15  # seconds that reading waits until a browser has the new picture: both want the same processor
_LONG = 0.12  # seconds: a set that takes longer is read once nobody has saved for half a second
_NOT_OUT = Path("out")


def listening() -> Listen:
    """Return what gives notices of changes: the system, if watchfiles is installed; else looking at the files."""
    return listen if has_watchfiles() else partial(listen, pause=_PAUSE)


class Watching:
    """Keeps the views of all sets below some folders, by the keys that the page knows them by."""

    def __init__(self, folders: tuple[Path, ...], board: Board) -> None:
        self.views: dict[str, SetView] = {}
        self.wrong: tuple[Finding, ...] = ()  # about the paths
        self._board = board
        self._watcher = ChangeWatcher(folders, _NOT_OUT)
        self._numbers: dict[Path, str] = {}
        self._changes = 0
        self._took: dict[str, float] = {}  # seconds that reading a set took last

    def go_on(self, listen: Listen, said: Callable[[str], None]) -> None:
        """Show the sets, and whatever changes about them, until the process ends."""
        seen = self._watcher.look()
        for files in seen.sets:
            self._bring(files, frozenset(), anew=False, said=said)
        self._end_round(seen, at_work(self.views))
        gc.freeze()
        while True:
            now = self._watcher.next_change(seen, listen)
            anew, changed = now.shared != seen.shared, frozenset(map(Path, now.changed(seen)))
            self._changes += 1
            if anew or self._changes % _REMEMBERED == 0:
                clear_caches()
                gc.collect()  # parsed templates are cycles
            for files in now.gone(seen):
                self.views.pop(self._key(files.folder), None)
                self._watcher.forget(files.folder)
            for files in {each.folder: each for each in (*now.concerned(seen), *self._watcher.due(now))}.values():
                self._bring(files, changed, anew=anew, said=said)
            self._end_round(now)
            seen = now

    def _end_round(self, now: Snapshot, edited: str = "") -> None:
        self.wrong = tuple(sort_findings(now.findings))
        self._publish(edited)

    def _bring(self, files: SetFiles, changed: frozenset[Path], *, anew: bool, said: Callable[[str], None]) -> None:
        """Show at once what was edited, and then all of a set; after a pause, if reading it takes long."""
        key = self._key(files.folder)
        view = self.views.setdefault(key, SetView(files))
        self._watcher.begin(files.folder)
        # The snapshot names files by real paths, the set by the path that the user gave.
        own = _as_the_set_says(changed, files.folder)
        try:
            if own and not anew and view.look_quickly(own):
                self._tell(key, view)
                self._board.wait_for_browser(_PATIENCE)
                if self._took.get(key, 0.0) > _LONG:
                    self._watcher.retry(files.folder, SOON)
                    return
            began, edits = time.monotonic(), view.edits
            # Pictures are known by their real paths.
            view.bring_up_to_date(files, own | changed, self._publish, anew=anew)
            self._publish(f"{key}/{view.latest}" if view.edits != edits else "")
            view.judge()
            self._took[key] = time.monotonic() - began
        except OSError as error:
            self._watcher.retry(files.folder, LATER)
            said(f"cannot read `{files.folder}`: {error.strerror or error}")

    def _tell(self, key: str, view: SetView) -> None:
        """Tell of a card that was just edited, and draw it ahead, while a browser is on its way to ask for it."""
        edited = f"{key}/{view.latest}"
        self._publish(edited)
        self._board.draw_ahead(edited)

    def _publish(self, edited: str = "") -> None:
        self._board.publish(self.views, self.wrong, edited=edited)

    def _key(self, folder: Path) -> str:
        return self._numbers.setdefault(folder, f"s{len(self._numbers) + 1}")


def _as_the_set_says(changed: Iterable[Path], folder: Path) -> frozenset[Path]:
    """Return paths below the real folder of a set as paths below the folder as it was named; others as they are."""
    real = folder.resolve()
    return frozenset(folder / path.relative_to(real) if path.is_relative_to(real) else path for path in changed)
