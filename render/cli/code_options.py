"""The options `--select` and `--ignore`: which findings are of interest."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import click

from render.base.codes import CodeChoice, read_codes

R = TypeVar("R")


def _read(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return read_codes(words)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


def chosen_codes(command: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options `--select` and `--ignore`; it gets them as the argument `codes`."""

    @wraps(command)
    def wrapped(*args: object, select: tuple[str, ...], ignore: tuple[str, ...], **kwargs: object) -> R:
        return command(*args, codes=CodeChoice(select, ignore), **kwargs)

    flagged: Callable[..., R] = wrapped
    for name, words in (
        ("--ignore", "Leave out warnings and findings of the rules with these codes, such as V003,K; repeatable."),
        ("--select", "Report only findings with these codes, and errors for which nothing can be made; repeatable."),
    ):
        flagged = click.option(name, multiple=True, metavar="CODE,...", callback=_read, help=words)(flagged)
    return flagged
