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

COMMANDS: Mapping[str, tuple[str, str]] = {
    "build": ("build", "Make everything that the sets declare, as far as it is stale."),
    "calibrate": ("calibrate", "Make fronts and backs meet on your printer."),
    "check": ("check", "Say everything that is wrong or doubtful about cards and sets."),
    "cut": ("cut", "Write the cuts of a sheet for a cutting machine, as SVG or DXF in mm."),
    "deck": ("deck", "Check a deck list by the rules of its edition, and print it."),
    "edition": ("edition", "Show the rules of editions, and import those of a new one."),
    "explain": ("explain", "Show how level and Ultra Points of a CARD come about, component by component."),
    "migrate": (
        "migrate",
        "Rewrite sets for another edition: texts in their new wording, the new Edition Indicator.",
    ),
    "pdf": ("pdf", "Lay cards out on sheets: the right back behind each card, in the right size."),
    "png": ("png", "Draw one PNG of each card."),
    "preflight": (
        "preflight",
        "Say what is wrong with a PDF or a PNG that is to be printed, by a standard or by what a shop asks for.",
    ),
    "rebuild": ("rebuild", "Take sets to another edition: migrate, check, build, and tell of it."),
    "shop": ("shop", "Make the files that a print shop asks for."),
    "table": ("table", "Make pictures of cards for playing on a screen."),
    "verify": ("verify", "Prove finished print sheets, and what `shop` made: a PDF, or a folder of pictures."),
    "watch": ("watch", "Build, and build again whenever something is saved that the sets depend on, until Ctrl-C."),
}
"""Each command, the module that has it under its name, and what the list of commands says: how its help begins."""


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
    """Turn hand-written YAML into printed cards for Keeper of the Cards.

    A PATH is the folder of a set, a card file, or a folder of sets; without one it is the folder `cards`.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing
    atexit.register(gc.freeze)  # nor is it worth it at the end, when the system takes the memory back as a whole
