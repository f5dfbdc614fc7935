"""Hearing of changes in folders as soon as the system tells of them; watchfiles lives here.

What is heard is a reason to look and nothing more. Notices can be lost on the way, a network folder has none, and
that of a folder is gone for good once the folder was deleted, even if there is a new one with its name and number. So
nobody listens for long: each ear is used once.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

_DEAF_PAUSE = 0.25  # seconds: who hears nothing has to look more often
_STEP = 10  # ms between two questions whether something was heard; 0.2 % of a core
_LONGEST = 40  # ms that are waited for more, once something was heard


class ChangeListener:
    """Hears of changes from the time that it is made."""

    def __init__(self, notices: RustNotify | None) -> None:
        self._notices = notices

    def wait(self, seconds: float) -> bool:
        """Wait for a change, at most so long, and less if none can be heard; return whether one was heard."""
        if self._notices is None:
            time.sleep(min(seconds, _DEAF_PAUSE))
            return False
        try:
            heard = self._notices.watch(_LONGEST, _STEP, round(seconds * 1000), None)
        except WatchfilesRustInternalError:  # such as a name that is no text: there was something all the same
            return True
        if heard == "signal":  # it took the KeyboardInterrupt for itself
            raise KeyboardInterrupt
        return heard != "timeout"


@contextmanager
def listening(folders: Iterable[str]) -> Iterator[ChangeListener]:
    """Give an ear for what happens in these folders, not in those below them; those that are not there are left out."""
    notices = None if _is_deaf() else _notices([each for each in folders if os.path.isdir(each) and _is_text(each)])
    try:
        yield ChangeListener(notices)
    finally:
        if notices is not None:
            notices.close()


def _is_text(folder: str) -> bool:
    """Whether the name of a folder is text, as those have to be that are listened to; into others one looks."""
    try:
        folder.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _notices(folders: list[str]) -> RustNotify | None:
    """Return what tells of changes; nothing if the system has no room for it, or a folder is gone by now."""
    try:
        return RustNotify(folders, False, False, 0, False, True)
    except (OSError, WatchfilesRustInternalError):
        return None


def _is_deaf() -> bool:
    """Whether notices are not to be relied on: on Windows' Linux, or because the user says so, as watchfiles has it."""
    said = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    if said:
        return said.lower() not in ("false", "disable", "disabled")
    return "microsoft-standard" in platform.uname().release.lower()
