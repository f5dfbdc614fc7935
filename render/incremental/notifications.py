"""Notices of changes in folders, from the system by way of watchfiles.

A notice is a reason to look and nothing more. Notices get lost, network folders send none, and those of a folder end
for good once it is deleted, even if a new folder has its name and inode. So each listener is used only once, and
shortly.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

_DEAF_PAUSE = 0.25  # seconds between looks if there are no notices
_STEP = 10  # ms between two checks for notices; 0.2 % of a core
_LONGEST = 40  # ms to wait for more after the first notice


class ChangeListener:
    """Receives notices of changes from its creation on."""

    def __init__(self, notices: RustNotify | None) -> None:
        self._notices = notices

    def wait(self, seconds: float) -> bool:
        """Wait for a change for at most that many seconds, less if notices are impossible; return whether one came."""
        if self._notices is None:
            time.sleep(min(seconds, _DEAF_PAUSE))
            return False
        try:
            heard = self._notices.watch(_LONGEST, _STEP, round(seconds * 1000), None)
        except WatchfilesRustInternalError:  # such as a name that is no text: something changed all the same
            return True
        if heard == "signal":  # watchfiles swallowed the KeyboardInterrupt
            raise KeyboardInterrupt
        return heard != "timeout"


@contextmanager
def listen(folders: Iterable[str]) -> Iterator[ChangeListener]:
    """Give a listener for changes directly in these folders; missing folders are skipped."""
    notices = (
        None if _polling_only() else _notices([each for each in folders if os.path.isdir(each) and _is_text(each)])
    )
    try:
        yield ChangeListener(notices)
    finally:
        if notices is not None:
            notices.close()


def _is_text(folder: str) -> bool:
    """Return whether the name of a folder is text, as watchfiles needs it; other folders are only looked at."""
    try:
        folder.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _notices(folders: list[str]) -> RustNotify | None:
    """Return the source of notices; None if the system has no room for it, or a folder has just disappeared."""
    try:
        return RustNotify(folders, False, False, 0, False, True)
    except (OSError, WatchfilesRustInternalError):
        return None


def _polling_only() -> bool:
    """Return whether notices are unreliable: on WSL, or because the user says so by watchfiles' variable."""
    said = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    if said:
        return said.lower() not in ("false", "disable", "disabled")
    return "microsoft-standard" in platform.uname().release.lower()
