"""Calls of the system that fail as on a full disk."""

import errno
import os
from collections.abc import Callable, Sequence

import pytest

CALLS = ("fsync", "rename", "replace", "unlink", "fchmod", "chmod", "link", "mkdir")
WITH_OPENING = ("open", *CALLS)


os_open = os.open


def full() -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "here")


class Failing:
    """Lets the n-th of some calls of the system fail, or does something else in its place."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        at: int,
        instead: Callable[[], object] = full,
        names: Sequence[str] = CALLS,
    ) -> None:
        self.calls, self.at, self.instead = 0, at, instead
        for name in names:
            monkeypatch.setattr(os, name, self.wrapped(getattr(os, name)))

    def wrapped(self, call: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*arguments: object, **options: object) -> object:
            writes = call is not os_open or bool(arguments[1] & os.O_CREAT)  # type: ignore[operator]
            self.calls += writes
            if writes and self.calls == self.at:
                self.instead()
            return call(*arguments, **options)

        return wrapper
