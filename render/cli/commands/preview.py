"""The command `preview`: a page on this machine that shows sets while they are edited."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from render.base.interrupts import end_at_interrupt
from render.cli.command import kotc_command
from render.cli.console import say, tell
from render.cli.selection import LANGUAGE, PATHS, VERSIONS, folders_of
from render.game.home import Versions


def _editor(_context: click.Context, _parameter: click.Parameter, words: str | None) -> str:
    from render.preview.details import read_editor

    if not words:
        return ""
    try:
        return read_editor(words)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@kotc_command(examples=("kotc preview cards/starter --editor vscode",))
@PATHS
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port of the page.  [default: the first free one from 7117]"
)
@click.option("--open/--no-open", "opens", default=None, help="Open the page in the browser.  [default: on a terminal]")
@click.option(
    "--editor",
    metavar="NAME|ADDRESS",
    envvar="KOTC_EDITOR",
    callback=_editor,
    help="Where a click opens a line: vscode, vscodium, cursor, windsurf, zed, idea, sublime, textmate, or an address "
    "such as 'vscode://file/{file}:{line}:{column}'.",
)
@LANGUAGE
@VERSIONS
def preview(
    versions: Versions,
    /,
    paths: tuple[Path, ...],
    port: int | None,
    opens: bool | None,
    editor: str,
    language: str | None,
) -> None:
    """Show the cards in the browser while you edit them.

    The page shows the card that you saved last, its level, and what is wrong with it; beside it all other cards; and
    the sheets as they will be printed. It is updated whenever a file is saved. Only this machine can open it. Ctrl-C
    stops the command.
    """
    with end_at_interrupt("stopped\n"):
        from render.preview.server import listen_on, run

        folders = folders_of(paths)
        if decks := [path for path in folders if path.is_file()]:
            from render.base.findings import Refused
            from render.game.sources import no_set_but_deck

            raise Refused(map(no_set_but_deck, decks))

        def ready(address: str, entry: str) -> None:
            tell(f"preview: {address}")
            say("press Ctrl-C to stop")
            # Whether somebody sits at a terminal of a machine with windows: elsewhere a browser would take it over.
            screen = (
                os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("win32", "darwin")
            )
            if opens or (opens is None and sys.stdout.isatty() and screen):
                import webbrowser
                from threading import Thread

                # Some browsers let their caller wait.
                Thread(target=webbrowser.open, args=(entry,), daemon=True).start()

        run(listen_on(port, editor), folders, ready, say, language or "", versions)
