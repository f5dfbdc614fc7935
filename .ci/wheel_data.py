"""What a wheel brings beside the program: a man page for each command, and scripts by which shells complete words.

hatchling runs this when it builds a wheel. An editable installation goes without.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    import click

SHELLS = {
    "bash": "share/bash-completion/completions/kotc",
    "zsh": "share/zsh/site-functions/_kotc",
    "fish": "share/fish/vendor_completions.d/kotc.fish",
}
"""Where each shell looks for what completes the words of a program, below the folder of an installation."""


class WheelData(BuildHookInterface):
    """Writes the files into a temporary folder and names them to hatchling."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        if version == "editable":
            return
        self.folder = TemporaryDirectory()
        sys.path.insert(0, self.root)
        try:
            shared = build_data["shared_data"]
            assert isinstance(shared, dict)
            for place, text in files().items():
                made = Path(self.folder.name, place)
                made.parent.mkdir(parents=True, exist_ok=True)
                made.write_text(text, encoding="utf-8", newline="\n")
                shared[str(made)] = place
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()


def files() -> dict[str, str]:
    """Return the texts of all files by their places below the folder of an installation."""
    import click
    from click.testing import CliRunner

    from render.cli.main import command, commands, main

    runner = CliRunner()
    found = {place: runner.invoke(main, ["completion", shell]).output for shell, place in SHELLS.items()}
    top = click.Context(main, info_name="kotc")
    found["share/man/man1/kotc.1"] = page("kotc", main, top)
    for name in commands():
        for path, each, context in _with_those_below(command(name), f"kotc {name}", top):
            found[f"share/man/man1/{path.replace(' ', '-')}.1"] = page(path, each, context)
    return found


def _with_those_below(
    command: click.Command, path: str, parent: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    import click

    context = click.Context(command, info_name=path.rpartition(" ")[2], parent=parent)
    yield path, command, context
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _with_those_below(below, f"{path} {name}", context)


def page(path: str, command: click.Command, context: click.Context) -> str:
    """Return the man page of a command, which says what its `--help` says; `path` is how it is typed."""
    import click

    from render import __version__
    from render.cli.command import in_words
    from render.cli.options import SheetCommand

    name = path.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f'.TH {name.upper()} 1 "" "kotc {__version__}"', ".SH NAME"]
    lines += [escaped(f"{name} - {command.get_short_help_str(limit=1000).rstrip('.')}")]
    lines += [
        ".SH SYNOPSIS",
        f".B {escaped(path)}",
        escaped(usage),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
    ]
    if examples := getattr(command, "examples", ()):
        lines += [".SH EXAMPLES", ".nf", *map(escaped, examples), ".fi"]
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    sections = {"Options": [record for each in options if (record := each.get_help_record(context))]}
    if isinstance(command, SheetCommand):
        sections = dict(command.sections(context))
    for title, rows in sections.items():
        lines += [f".SH {escaped(title.upper())}", *_terms((flags, in_words(words)) for flags, words in rows)]
    if below := _lines_of_commands(command):
        lines += [".SH COMMANDS", *_terms((f"{path} {each}", words) for each, words in below.items())]
        lines += [".SH SEE ALSO", ",\n".join(f"{escaped(name)}\\-{escaped(each)}(1)" for each in below)]
    return "\n".join(lines) + "\n"


def _lines_of_commands(command: click.Command) -> dict[str, str]:
    """Return the commands of a group by name, with a line about each."""
    import click

    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    names = command.list_commands(context)
    return {name: each.get_short_help_str(limit=1000) for name in names if (each := command.get_command(context, name))}


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        kept = paragraph.startswith("\b\n")  # whose lines click leaves as they are
        words = [escaped(line) for line in paragraph.removeprefix("\b\n").splitlines()]
        yield from (".PP", ".nf", *words, ".fi") if kept else (".PP", *(line.strip() for line in words))


def _terms(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of terms, each with its words below it."""
    for term, words in rows:
        yield from (".TP", f".B {escaped(term)}", escaped(words))


def escaped(text: str) -> str:
    """Return words as roff shows them: with hyphens that can be copied, and no line that roff takes for an order."""
    shown = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown
