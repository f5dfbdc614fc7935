"""Regular expressions that cost nothing until they are used: most of those of a program are for mistakes."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` returns; it is compiled when it is first asked for something else than its source."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(pattern, flags))


class _Uncompiled:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # as `copy` asks for
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        # From now on these are attributes of its own, which are found without this function.
        self.__dict__.update((each, getattr(compiled, each)) for each in dir(compiled) if not each.startswith("__"))
        return self.__dict__[name]
