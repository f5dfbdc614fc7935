"""The command line: the group of all commands. A command is imported when it is run, and what it needs with it.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Mapping
from importlib import import_module

import click

from render import __version__

GROUPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Make cards": {
        "check": ("check", "Report errors and warnings in cards and sets."),
        "build": ("build", "Build each set's outputs; skip what is up to date."),
        "watch": ("watch", "Build, and build again whenever a file is saved."),
        "png": ("png", "Draw a PNG of each card."),
        "pdf": ("pdf", "Lay cards out on print sheets, each back behind its front."),
    },
    "Print and cut": {
        "calibrate": ("calibrate", "Align backs with fronts on your printer."),
        "verify": ("verify", "Measure finished print sheets and shop files for mistakes."),
        "cut": ("cut", "Write a sheet's cuts for a cutting machine, as SVG or DXF."),
        "shop": ("shop", "Make the files that a print shop asks for."),
        "preflight": ("preflight", "Check a PDF or PNG by a print standard or a shop's rules."),
    },
    "Play": {
        "deck": ("deck", "Check a deck list by the rules of its edition, and show it."),
        "table": ("table", "Make card pictures for playing on a screen."),
    },
    "Rules and editions": {
        "explain": ("explain", "Show how a card's level and Ultra Points are calculated."),
        "migrate": ("migrate", "Rewrite sets for another edition of the rules."),
        "rebuild": ("rebuild", "Take sets to another edition: migrate, check, build, report."),
        "edition": ("edition", "List, show and import the rules of editions."),
    },
}
"""The commands in the groups of the help: each with its module, and with the line that its own help begins with."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class Commands(click.Group):
    """A group whose commands are imported when they are run; until then, a name and a line of help stand for each."""

    def __init__(self, **attributes: object) -> None:
        listed = {name: click.Command(name, help=words) for name, (_, words) in COMMANDS.items()}
        super().__init__(commands=listed, **attributes)  # type: ignore[arg-type] # click's own

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant, and import it."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, command(name) if name else listed, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click gives it
        """Write the commands in their groups, all with one column for the names."""
        widest = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", words) for name, (_, words) in group.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that is meant; Ctrl-C while it is being imported ends as it does later."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            from render.cli.streams import last_word

            last_word("stopped")
            ctx.exit(130)


def command(name: str) -> click.Command:
    """Import a command."""
    module, _ = COMMANDS[name]
    found = getattr(import_module(f"render.cli.commands.{module}"), name)
    assert isinstance(found, click.Command), name
    return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kotc")
def main() -> None:
    """Turn cards of Keeper of the Cards, written in YAML, into pictures and print sheets.

    A PATH is the folder of a set, a card file, or a folder of sets; the default is the folder `cards`.
    `kotc COMMAND --help` shows the options of a command.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing
    atexit.register(gc.freeze)  # nor is it worth it at the end, when the system takes the memory back as a whole
