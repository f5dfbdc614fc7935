"""Notices of changes in folders, from the system by way of watchfiles.

A notice is a reason to look and nothing more. Notices get lost, network folders send none, and those of a folder end
for good once it is deleted, even if a new folder has its name and inode. So each listener is used only once, and
shortly.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager

from watchfiles import Change, watch

_DEAF_PAUSE = 0.25  # seconds between looks if there are no notices
_STEP = 10  # ms between two checks for notices; 0.2 % of a core
_LONGEST = 40  # ms to wait for more after the first notice
_TURN = 20  # ms until watchfiles says that there was no notice

Notices = Generator[set[tuple[Change, str]]]
"""What changed, as it happens; an empty set after each turn without a change."""


class ChangeListener:
    """Receives notices of changes from its creation on."""

    def __init__(self, notices: Notices | None, *, heard: bool = False) -> None:
        self._notices, self._heard = notices, heard

    def wait(self, seconds: float) -> bool:
        """Wait for a change for at most that many seconds, less if notices are impossible; return whether one came."""
        if self._notices is None:
            time.sleep(min(seconds, _DEAF_PAUSE))
            return False
        until = time.monotonic() + seconds
        while not self._heard and time.monotonic() < until:
            try:
                self._heard = bool(next(self._notices))
            except RuntimeError:  # such as a name that is no text: something changed all the same
                self._heard = True
        return self._heard


@contextmanager
def listen(folders: Iterable[str]) -> Iterator[ChangeListener]:
    """Give a listener for changes directly in these folders; missing folders are skipped."""
    notices = (
        None if _polling_only() else _notices([each for each in folders if os.path.isdir(each) and _is_text(each)])
    )
    try:
        yield _begun(notices)
    finally:
        if notices is not None:
            notices.close()


def _begun(notices: Notices | None) -> ChangeListener:
    """Return a listener that has begun to listen, which watchfiles does in the first turn.

    It is deaf if the system has no room for it, or if a folder has just disappeared.
    """
    if notices is None:
        return ChangeListener(None)
    try:
        return ChangeListener(notices, heard=bool(next(notices)))
    except (OSError, RuntimeError):
        return ChangeListener(None)


def _is_text(folder: str) -> bool:
    """Return whether the name of a folder is text, as watchfiles needs it; other folders are only looked at."""
    try:
        folder.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _notices(folders: list[str]) -> Notices:
    return watch(
        *folders,
        watch_filter=None,
        debounce=_LONGEST,
        step=_STEP,
        rust_timeout=_TURN,
        yield_on_timeout=True,
        debug=False,
        force_polling=False,  # `_polling_only` says when notices are of no use; then whoever listens looks by itself
        recursive=False,
        ignore_permission_denied=True,
    )


def _polling_only() -> bool:
    """Return whether notices are unreliable: on WSL, or because the user says so by watchfiles' variable."""
    said = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    if said:
        return said.lower() not in ("false", "disable", "disabled")
    return "microsoft-standard" in platform.uname().release.lower()
