"""What templates have by name and cannot print: functions, namespaces, blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.runtime import BlockReference, Context
from jinja2.utils import Namespace


class Function:
    """A function of a template: it can be called, and is nothing that could be printed."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[..., Any]) -> None:
        self.name, self.run = name, run

    def __repr__(self) -> str:
        raise SecurityError(f"`{self.name}` is a function, and cannot be printed; call it: `{self.name}()`")


class Names(Namespace):
    """A namespace, which is nothing that could be printed: it may hold itself."""

    def __repr__(self) -> str:
        raise SecurityError("a namespace cannot be printed, only what it holds")


class BlockContext(Context):
    """What a template knows by name; a block that is asked for is a function."""

    def super(self, name: str, current: Any) -> Any:
        """Return what draws the block that this one replaces."""
        return block_in("super", super().super(name, current))


def block_in(name: str, found: Any) -> Any:
    """Return a block as a function of this name; all else as it is."""
    return Function(name, found) if isinstance(found, BlockReference) else found
