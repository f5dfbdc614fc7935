"""The command line: the group of all commands. A command and what it needs are imported when it runs."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from render import __version__
from render.game import registry

if TYPE_CHECKING:
    from render.game.folder import Source

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Make cards": {
        "init": "Make a set to begin with: cards, pictures, comments.",
        "new": "Add a card to a card file.",
        "pull": "Fetch the cards of published sheets.",
        "check": "Report errors and warnings in cards and sets.",
        "build": "Build each set's outputs; skip what is up to date.",
        "compare": "Show what changed in sets and their decks.",
        "preview": "Show the cards in the browser while you edit them.",
        "lsp": "Serve an editor: findings, completion, levels and fixes.",
        "watch": "Build, and build again whenever a file is saved.",
        "store": "Show, limit or empty the store of what was read and drawn.",
        "png": "Draw a PNG of each card.",
        "pdf": "Lay cards out on print sheets, each back behind its front.",
        "export": "Write the cards of a set as one table, JSON or YAML file.",
    },
    "Print and cut": {
        "calibrate": "Align backs with fronts on your printer.",
        "verify": "Measure finished print sheets and shop files for mistakes.",
        "cut": "Write a sheet's cuts for a cutting machine, as SVG or DXF.",
        "box": "Make a tuck box for cards, to print, cut, fold and glue.",
        "dividers": "Make dividers with tabs, to stand between cards.",
        "shop": "Make the files that a print shop asks for.",
        "preflight": "Check a PDF or PNG by a print standard or a shop's rules.",
    },
    "Play": {
        "table": "Make card pictures for playing on a screen.",
        "site": "Write a web site of sets and decks.",
    },
    "In the editor": {
        "schema": "Write JSON Schemas, by which editors check and complete files.",
    },
    "In the terminal": {
        "completion": "Print a script that completes commands in your shell.",
    },
    "Design": {
        "explain": "Explain the values of a card, its level, or an error code.",
        "balance": "Show a deck or a set in figures, with the odds of a hand.",
    },
}
"""The commands that every game has, in the groups of the help: by name, with the line that its own help begins with.
Each is in the module of its name, and has the name of the module."""


_LASTING = frozenset({"lsp", "preview", "watch"})
"""The commands that go on until they are stopped. What little garbage in cycles they make would add up."""

_MAX_TOLD = 10  # sets that `kotc` tells of one by one


Entries = dict[str, tuple[str, str]]
"""Commands by name: the module of each, and its line of help."""


def groups() -> dict[str, Entries]:
    """Return the commands of the program and of its games in their groups."""
    merged = {
        title: {name: (f"render.cli.commands.{name}", line) for name, line in group.items()}
        for title, group in GROUPS.items()
    }
    for title, group in registry.commands():
        merged.setdefault(title, {}).update(group)
    return merged


def commands() -> Entries:
    """Return all commands."""
    return {name: entry for group in groups().values() for name, entry in group.items()}


def _entry(name: str) -> tuple[str, str] | None:
    """Return the module and the line of help of a command; games are asked only for what every game lacks."""
    line = next((group[name] for group in GROUPS.values() if name in group), "")
    return (f"render.cli.commands.{name}", line) if line else commands().get(name)


def command(name: str) -> click.Command:
    """Import a command."""
    entry = _entry(name)
    assert entry, name
    imported = getattr(import_module(entry[0]), entry[0].rpartition(".")[2])
    assert isinstance(imported, click.Command), name
    return imported


class Commands(click.Group):
    """A group whose commands are imported when they run; until then, a name and a line of help stand for each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = _entry(cmd_name)
        return entry and click.Command(cmd_name, help=entry[1])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if _entry(args[0]) is None:
            args = _as_meant(ctx, args)
        name, imported, rest = super().resolve_command(ctx, args)
        if name:
            imported = command(name)
            if ctx.resilient_parsing:  # for a shell that completes a word
                from render.cli.commands.completion import attach

                attach(imported, name)
        return name, imported, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, commands()))  # one column for the names of all groups
        for title, group in groups().items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", words) for name, (_, words) in group.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with _explaining():
            return super().make_context(info_name, args, parent, **extra)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the program, or answer a shell that completes a word."""
        if os.environ.get("_KOTC_COMPLETE", "").startswith("powershell"):
            from render.cli.commands.completion import register

            register()
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; Ctrl-C during its import ends it as it does later."""
        try:
            with _explaining():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            from render.base.interrupts import end_stopped
            from render.cli.streams import last_word

            end_stopped(lambda: last_word("stopped"))


@contextmanager
def _explaining() -> Iterator[None]:
    """Say of wrong usage what was meant."""
    try:
        yield
    except click.UsageError as error:
        from render.cli.command import explained

        raise explained(error, _every_command) from None


def _as_meant(context: click.Context, args: list[str]) -> list[str]:
    """Return what is meant by a command that does not exist: `help`, or an earlier name; wrong usage for all others."""
    if args[0] == "help" and len(args) > 1:
        asked = [*args[1:], "--help"]
        return asked if asked[0] in commands() else _as_meant(context, asked)
    today = registry.aliases().get(args[0])
    if context.resilient_parsing or args[0].startswith("-"):
        return [today or args[0], *args[1:]]
    from render.cli.console import say, tell

    if args[0] == "help":
        tell(context.get_help())
        context.exit()
    if today is not None:
        say(f"`kotc {args[0]}` is called `kotc {today}` now; the old name goes on working")
        return [today, *args[1:]]
    from render.cli.command import unknown_command

    raise click.UsageError(unknown_command(args[0], commands()), context)


def _every_command() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands as they are typed. All are imported, which takes part of a second: only after a mistake."""
    for name in commands():
        imported = command(name)
        if isinstance(imported, click.Group):
            yield from ((f"kotc {name} {below}", each) for below, each in sorted(imported.commands.items()))
        else:
            yield f"kotc {name}", imported


def _list_all(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from render.cli.command import LISTED, as_lists

        click.echo(as_lists(dict.fromkeys(LISTED.values(), "")))
        context.exit()


@click.group(
    name="kotc",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="kotc")
@click.option(
    "--list",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_list_all,
    help="List papers, printers, shops, editions and all else that options may be.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Turn cards of Keeper of the Cards, written in YAML, into pictures and print sheets.

    A PATH is the folder of a set, a card file, or a folder of sets; the default is the set in whose folder
    you are, else the folder `cards`. `kotc COMMAND --help` shows the options of a command.
    """
    if context.invoked_subcommand not in _LASTING:
        gc.set_threshold(250_000, 20, 20)  # collecting would take a tenth of the time of a PDF of 1000 cards
    if context.invoked_subcommand is None:
        from render.cli.console import reporting

        reporting(_overview)()


def _overview() -> None:
    """Print the sets that commands mean here, and the next commands; how to begin if there is none."""
    from render.base.findings import plural
    from render.cli.console import tell
    from render.cli.selection import outputs_here, place_here, typed, where_looked
    from render.game.folder import find_sources

    place = place_here()
    sets = find_sources([place])[0] if place is not None else []
    if place is None or not sets:
        lines = [where_looked() if place is None else f"found no set in {place}: no folder in it has a `set.yaml`"]
        title, commands = "to begin:", {typed("init"): "makes a set with three cards and their pictures"}
    else:
        states = [_state(files) for files in sets[:_MAX_TOLD]]
        lines = [line for line, _ in states]
        if len(sets) > _MAX_TOLD:
            lines.append(f"and {plural(len(sets) - _MAX_TOLD, 'set')} more")
        asked = f"the {len(sets)} sets ask" if len(sets) > 1 else "the set asks"
        title, commands = "next:", {typed("check"): "shows the errors and how to mend them"}
        if all(is_sound for _, is_sound in states):
            commands = {
                typed("preview"): "shows the cards while you edit them",
                typed("check"): "tells what is wrong or doubtful",
                typed("build"): f"makes what {asked} for, in {outputs_here()}",
            }
    widest = max(map(len, commands))
    lines += [title, *(f"  {command:{widest}}  {words}" for command, words in commands.items())]
    tell("\n".join([*lines, f"{typed('--help')} lists all commands"]))


def _state(files: Source) -> tuple[str, bool]:
    """Return a line about a set, and whether it can be built."""
    from render.base.findings import errors_and_warnings, plural
    from render.build import manifest
    from render.build.inputs import is_up_to_date
    from render.build.session import target
    from render.cli.console import in_numbers
    from render.cli.selection import outputs_here
    from render.game.sets.set_reader import read_set

    card_set, findings = read_set(files)
    where = f"in {files.folder}" if files.folder.parts else "here"
    errors, _ = errors_and_warnings(findings)
    if card_set is None or errors:
        return f"{card_set.name if card_set else files.folder}: {in_numbers(errors, 0)} {where}", False
    folder = target(files, outputs_here()).folder
    known, state = manifest.read(folder), f"changed since {folder} was built"
    if not known.files:
        state = "not built yet"
    elif is_up_to_date(files, folder, known):
        state = f"{folder} is up to date"
    return f"{card_set.name}: {plural(len(card_set.cards), 'card')} {where}, {state}", True
