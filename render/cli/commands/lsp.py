"""The command `lsp`: checks and explains cards in an editor while they are written."""

from __future__ import annotations

import sys

import click

from render.cli.command import kotc_command
from render.cli.console import say


@kotc_command(examples=("kotc lsp",))
def lsp() -> None:
    """Serve an editor: findings, completion, levels and fixes.

    The editor starts this command itself and talks to it over standard input and output, in the language server
    protocol. cards/editors.md has the lines for its settings.
    """
    try:
        from render.lsp.server import serve, standard_streams
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError("lsp needs the package `pygls`: pip install 'kotc[lsp]'") from None
    if sys.stdin.isatty():
        say("this talks to an editor, which starts it itself: cards/editors.md shows how; Ctrl-C ends it")
    serve(*standard_streams())
