"""The option `--list` of commands. The start of the program needs it, so it imports nothing but click."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def list_option(show: Callable[[click.Context], object], words: str) -> Callable[[Decorated], Decorated]:
    """Return the decorator that adds `--list`, which calls `show` and ends the command; `words` are its help."""

    def listed(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            show(context)
            context.exit()

    # It is shown even if the rest of the line is wrong.
    return click.option("--list", is_flag=True, expose_value=False, is_eager=True, callback=listed, help=words)
